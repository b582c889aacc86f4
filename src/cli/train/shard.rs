//! Prints a shard of games.

use crate::cli::io::output::Output;
use flipside_support::json::PROGRAM;
use flipside_train::game_file::{GameFileHeader, TrainingGame};
use flipside_train::shard::{Shard, game_line};
use std::io::Write;
use std::ops::Range;

/// Prints the games of a range after a first line.
pub struct ShardPrinter<'a> {
    out: &'a mut Output,
    next: u64,
}

impl ShardPrinter<'_> {
    /// Prints the first line.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn begin<'a>(
        out: &'a mut Output,
        range: &Range<u64>,
        header: &GameFileHeader,
    ) -> anyhow::Result<ShardPrinter<'a>> {
        let shard = Shard { range: (range.start, range.end), program: PROGRAM.into(), header: header.clone() };
        writeln!(out, "{}", shard.line()?)?;
        Ok(ShardPrinter { out, next: range.start })
    }

    /// Prints the next game.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn game(&mut self, game: &TrainingGame) -> anyhow::Result<()> {
        writeln!(self.out, "{}", game_line(self.next, game)?)?;
        self.next += 1;
        Ok(())
    }
}
