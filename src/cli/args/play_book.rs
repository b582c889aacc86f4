//! The arguments of the opening book that moves are played from: of the engine and of `play`.

use clap::Args;
use flipside_host::api::settings::{BookSource, FULL_BOOK_DEPTH, Settings};

/// Which book, and how a move is chosen from it.
#[derive(Args, Clone, Debug)]
pub struct PlayBookArgs {
    /// Opening book that moves are played from: embedded (the program's own), none, or a file
    #[arg(long, value_name = "BOOK", default_value_t = BookSource::Embedded, help_heading = "Opening book")]
    book: BookSource,
    /// How much worse than the best a move from the book may be, in hundredths of a disc; counts with --book-variety only
    #[arg(long, value_name = "HUNDREDTHS", default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..=6400), help_heading = "Opening book")]
    book_error: i32,
    /// Chances of the book's moves within --book-error in percent: 0 plays the best, 100 any of them equally often
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100), help_heading = "Opening book")]
    book_variety: u32,
    /// Plies from the start of a game within which the book is used
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
