//! Files that a host names: games to load. What opens engines reads their weights.

use super::Session;
use crate::api::command::{CommandError, PlayedMove};
use crate::api::event::Event;
use crate::engine::dyn_engine::Start;
use crate::record::sgf::SgfGame;
use crate::search::notation::Style;
use crate::support::bounded_file;
use crate::support::text::without_bom;
use std::io::Write;
use std::path::Path;

/// Largest SGF file read, in bytes.
const MAX_SGF_SIZE: usize = 4 << 20;

impl<W: Write> Session<W> {
    /// Sets the position after the first `max_moves` moves of an SGF file.
    pub(super) fn load_sgf(&mut self, path: &Path, max_moves: usize) -> Result<Event, CommandError> {
        if !self.settings.host_files {
            return Err(CommandError::FilesForbidden);
        }
        let game = read_sgf(path, max_moves)?;
        let moves: Vec<PlayedMove> = game.moves.into_iter().map(|(side, text)| PlayedMove::by(side, text)).collect();
        let start = game.board.as_deref().map_or(Start::Initial, Start::Text);
        self.set_position(start, &moves, Style::Ggf, false)
    }
}

fn read_sgf(path: &Path, max_moves: usize) -> Result<SgfGame, CommandError> {
    let failed = |error: &dyn std::fmt::Display| CommandError::CannotLoad(format!("{}: {error}", path.display()));
    let bytes = bounded_file::read(path, MAX_SGF_SIZE).map_err(|error| failed(&error))?;
    SgfGame::read(without_bom(&String::from_utf8_lossy(&bytes)), max_moves).map_err(|error| failed(&error))
}
