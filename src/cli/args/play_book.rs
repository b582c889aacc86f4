//! The arguments of the opening book from which the engine and `play` take moves.

use clap::Args;
use flipside_host::api::settings::{BookSource, FULL_BOOK_DEPTH, Settings};

/// The book, and how a move is chosen from it.
#[derive(Args, Clone, Debug)]
pub struct PlayBookArgs {
    /// Opening book to play moves from: embedded (the program's own), none, or a file
    #[arg(long, value_name = "BOOK", default_value_t = BookSource::Embedded, help_heading = "Opening book")]
    book: BookSource,
    /// Largest loss of a book move against the best one, in hundredths of a disc; used with --book-variety only
    #[arg(long, value_name = "HUNDREDTHS", default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..=6400), help_heading = "Opening book")]
    book_error: i32,
    /// Variety among the book moves within --book-error, in percent: 0 plays the best, 100 any of them equally often
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100), help_heading = "Opening book")]
    book_variety: u32,
    /// Plies from the start of the game for which the book is used
    #[arg(long, value_name = "PLIES", default_value_t = FULL_BOOK_DEPTH, value_parser = clap::value_parser!(u32).range(0..=i64::from(FULL_BOOK_DEPTH)), help_heading = "Opening book")]
    book_depth: u32,
}

impl PlayBookArgs {
    /// The settings with these.
    pub fn apply(&self, settings: Settings) -> Settings {
        let PlayBookArgs { book, book_error, book_variety, book_depth } = self.clone();
        Settings { book, book_error, book_variety, book_depth, ..settings }
    }
}
