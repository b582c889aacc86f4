//! The book as the engine sees it: an [`OpeningBook`] of Reversi.

use super::error::BookError;
use super::reader::Book;
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::rules::Reversi;
use crate::search::game::Game;
use crate::search::opening_book::{BookMove, OpeningBook};
use crate::support::bounded_file;
use std::path::Path;

/// Discs at the start of a game.
const DISCS_AT_START: u32 = 4;

/// A book to play from.
#[derive(Debug)]
pub enum PlayBook {
    /// The book inside the program.
    Embedded,
    /// A book in a file.
    File(Book),
}

impl PlayBook {
    /// Opens the book in a file. It is read, not mapped: one move of a game needs a few blocks, and a file that somebody cuts
    /// short meanwhile must not end the engine.
    ///
    /// # Errors
    /// It is no regular file, cannot be read, or is no book.
    pub fn open(path: &Path) -> Result<PlayBook, BookError> {
        Book::from_file(bounded_file::open_regular(path)?).map(PlayBook::File)
    }

    fn book(&self) -> &Book {
        match self {
            PlayBook::Embedded => Book::embedded(),
            PlayBook::File(book) => book,
        }
    }
}

impl<K: Kernels> OpeningBook<Reversi<K>> for PlayBook {
    fn moves(&self, board: &Board) -> Vec<BookMove<Placement>> {
        let game = Reversi::portable();
        let empties = board.empty().count_ones();
        let known = self.book().moves(*board);
        let book_move = |known: &super::entry::BookMove| {
            let mv = game.moves(board).find(|mv| mv.square == known.square)?;
            Some(BookMove {
                mv,
                score: known.value.score,
                depth: known.value.depth.into(),
                certainty: known.value.certainty(empties),
                grade: known.value.grade,
                games: known.games.total(),
            })
        };
        known.iter().filter_map(book_move).collect()
    }

    fn plies(&self, board: &Board) -> u32 {
        (board.player | board.opponent).count_ones().saturating_sub(DISCS_AT_START)
    }
}
