//! Boards, squares and moves of the library, read from and written as text.

#![no_main]

use flipside::{minichess, reversi};
use libfuzzer_sys::fuzz_target;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Reads a value; an accepted one must survive writing and reading.
fn round_trip<T: FromStr + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    let value = text.parse::<T>().ok()?;
    assert_eq!(value.to_string().parse::<T>().ok().as_ref(), Some(&value));
    Some(value)
}

fuzz_target!(|text: &str| {
    let _ = (round_trip::<reversi::Square>(text), round_trip::<minichess::Square>(text));
    let _ = (round_trip::<reversi::Move>(text), round_trip::<minichess::Move>(text));
    if let Some(board) = round_trip::<reversi::Board>(text) {
        let _ = format!("{board:#}");
        assert_eq!(board.perft(1), board.legal_moves().count().max(1) as u64);
    }
    if let Some(board) = round_trip::<minichess::Board>(text) {
        let _ = format!("{board:#}");
        assert_eq!(board.is_over(), board.legal_moves().count() == 0);
    }
});
