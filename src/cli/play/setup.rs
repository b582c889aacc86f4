//! The settings with which a game begins: the players, the engine, the clocks.

use super::clocks::TimeControl;
use super::view::View;
use crate::cli::io::interrupt::Interrupt;
use flipside_host::api::command::GoLimits;
use flipside_host::api::settings::Settings;
use flipside_referee::openings::Openings;

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Seat {
    /// A person.
    Human,
    /// The engine.
    Engine,
}

impl Seat {
    /// The other kind of player.
    pub fn opponent(self) -> Seat {
        match self {
            Seat::Human => Seat::Engine,
            Seat::Engine => Seat::Human,
        }
    }
}

/// The settings of a game.
pub struct GameSetup {
    /// The game, its evaluation, the engine's skill.
    pub settings: Settings,
    /// The set moves of each game, if there are any.
    pub openings: Option<Openings>,
    /// The player of black, or of the side that begins where sides have other names. If only one side is given, the
    /// other gets the other kind of player. If neither is given, a person begins.
    pub black: Option<Seat>,
    /// The player of white, or of the second side.
    pub white: Option<Seat>,
    /// Limits of the engine's moves without a clock.
    pub limits: GoLimits,
    /// Time of both sides.
    pub time_control: Option<TimeControl>,
    /// How the board is drawn.
    pub view: View,
    /// Ends a search.
    pub interrupt: Interrupt,
}
