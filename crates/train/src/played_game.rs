//! A game of self-play as a line of a file: the result, the number of random plies at the
//! beginning, and the moves with the values of their searches.

use anyhow::{Context, ensure};
use flipside_core::search::types::{Score, WIN};
use std::fmt::Write as _;

/// A game of a file of games.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// Half points of the first player: 0, 1 or 2.
    pub halves: u8,
    /// Random plies at the beginning, which have no values.
    pub random: usize,
    /// The moves with their values for the side to move.
    pub moves: Vec<(String, Score)>,
}

impl PlayedGame {
    /// The line.
    pub fn show(&self) -> String {
        let mut line = format!("{} {}", self.halves, self.random);
        for (mv, value) in &self.moves {
            // Writing to a string cannot fail.
            let _ = write!(line, " {mv}={value}");
        }
        line
    }

    /// Reads a line.
    ///
    /// # Errors
    /// The line is invalid; the text says what was expected.
    pub fn read(line: &str) -> anyhow::Result<PlayedGame> {
        let mut words = line.split_whitespace();
        let mut number = |what: &str| -> anyhow::Result<usize> {
            words.next().and_then(|word| word.parse().ok()).with_context(|| format!("expected {what}"))
        };
        let (halves, random) = (number("a result of 0, 1 or 2")?, number("a number of random plies")?);
        let mut moves = Vec::new();
        for word in words {
            // A value is negated for the other side.
            let value = |text: &str| text.parse().ok().filter(|value| (-WIN..=WIN).contains(value));
            let parts = word.split_once('=').and_then(|(mv, text)| Some((mv.to_string(), value(text)?)));
            moves.push(parts.with_context(|| format!("expected MOVE=VALUE, saw '{word}'"))?);
        }
        ensure!(halves <= 2, "expected a result of 0, 1 or 2");
        ensure!(random <= moves.len(), "expected at most as many random plies as moves");
        Ok(PlayedGame { halves: halves as u8, random, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_at_a_win() {
        let value = |value: &str| PlayedGame::read(&format!("2 0 b2b3={value}")).map(|game| game.moves[0].1);
        assert!(matches!((value("30000"), value("-30000")), (Ok(30_000), Ok(-30_000))));
        for beyond in ["30001", "-30001", "2147483647", "-2147483648"] {
            assert!(value(beyond).is_err(), "{beyond}");
        }
        let numbers = |numbers: &str| PlayedGame::read(&format!("{numbers} b2b3=5")).is_ok();
        assert!(numbers("0 0") && numbers("2 1"));
        for beyond in ["3 0", "-1 0", "256 0", "0 2", "0 -1", "0 18446744073709551615", "0 18446744073709551616"] {
            assert!(!numbers(beyond), "{beyond}");
        }
    }

    #[test]
    fn lines_that_are_no_games() {
        for line in ["", "3 2 a2-a3=5", "1 x", "1 2 a2a3"] {
            assert!(PlayedGame::read(line).is_err(), "{line}");
        }
    }
}
