//! The formats of games and positions: their names, and the notation that each needs.

use flipside_core::games::names;
use flipside_core::search::notation::Style;

/// A format of games or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Moves on a line.
    Transcript,
    /// Generic Game Format.
    Ggf,
    /// Smart Game Format.
    Sgf,
    /// Portable Game Notation.
    Pgn,
    /// WTHOR's binary files.
    Wthor,
    /// A position a line with values of moves.
    Obf,
    /// A position a line as Fairy-Stockfish writes it.
    Fen,
    /// An object a line.
    Json,
    /// A picture, which can only be written.
    Svg,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 9] = [
        Format::Transcript,
        Format::Ggf,
        Format::Sgf,
        Format::Pgn,
        Format::Wthor,
        Format::Obf,
        Format::Fen,
        Format::Json,
        Format::Svg,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Transcript => "transcript",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Pgn => "pgn",
            Format::Wthor => "wthor",
            Format::Obf => "obf",
            Format::Fen => "fen",
            Format::Json => "json",
            Format::Svg => "svg",
        }
    }

    /// The notation of start positions in it.
    pub fn start_style(self) -> Style {
        match self {
            Format::Ggf | Format::Sgf => Style::Ggf,
            Format::Pgn | Format::Fen => Style::Uci,
            _ => Style::Plain,
        }
    }

    /// The notation of a game's moves in it.
    pub fn move_style(self, game: &str) -> Style {
        match self {
            Format::Ggf | Format::Sgf => Style::Ggf,
            Format::Pgn if game == names::REVERSI.name => Style::Ggf,
            Format::Pgn => Style::Uci,
            _ => Style::Plain,
        }
    }
}
