//! The protocols seen from the host's side: one client a protocol.

pub mod gtp;
pub mod nboard;
pub mod uci;
pub mod xboard;

use super::player::{Fault, Thought, Times};
use super::process::Process;
use super::spec::Terms;
use crate::api::settings::Settings;
use crate::engine::dyn_engine::DynEngine;
use crate::engine::registry;
use crate::search::notation::Style;
use crate::search::types::Side;
use std::time::Instant;

/// The host's side of a protocol.
pub trait Client: Send {
    /// In whose words moves are read and written.
    fn style(&self) -> Style;
    /// The handshake, and all that is set once a process.
    fn greet(&mut self, process: &mut Process, deadline: Instant) -> Result<(), Fault>;
    /// A new game begins at the room's position.
    fn new_game(
        &mut self,
        process: &mut Process,
        room: &dyn DynEngine,
        terms: &Terms,
        deadline: Instant,
    ) -> Result<(), Fault>;
    /// Asks for a move of the side to move.
    fn think(&mut self, process: &mut Process, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault>;
}

/// What an engine has been told of a game so far.
#[derive(Default)]
struct Told {
    moves: Vec<(Side, String)>,
}

impl Told {
    /// The moves that still have to be told; `None` if what was told is no longer the game.
    fn missing<'a>(&self, history: &'a [(Side, String)]) -> Option<&'a [(Side, String)]> {
        let same = |(a, b): (&(Side, String), &(Side, String))| a.0 == b.0 && a.1.eq_ignore_ascii_case(&b.1);
        let known = history.len() >= self.moves.len() && self.moves.iter().zip(history).all(same);
        if known { history.get(self.moves.len()..) } else { None }
    }
}

/// True for a pass in the words of the room's own style or GGF's.
fn is_pass(text: &str) -> bool {
    matches!(text, "PASS" | "PA")
}

/// Where the room's game begins; empty if the game cannot be opened any more.
fn initial_position(room: &dyn DynEngine, style: Style) -> String {
    let settings = Settings { game: room.game().into(), hash: 1, ..Settings::default() };
    registry::open(&settings).map(|fresh| fresh.start_position(style)).unwrap_or_default()
}
