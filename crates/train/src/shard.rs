//! Shards of training games as lines of text for pipes: a first line with everything that determines the games, then a
//! line for each game. Merging the shards of the same games gives the file that one process would have written.

use super::game_file::{GameFileHeader, TrainingGame};
use anyhow::{Context, bail, ensure};
use flipside_support::json::{self, Seal};
use flipside_support::range::gaps;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The first line of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Numbers of its games: from the first, below the second.
    pub range: (u64, u64),
    /// The program that made it.
    pub program: String,
    /// What determines its games.
    #[serde(flatten)]
    pub header: GameFileHeader,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    version: u32,
    /// Its number.
    game: u64,
    /// The record of a file of games, in hexadecimal digits; it ends with its own checksum.
    record: String,
}

impl Shard {
    /// The first line of the shard.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn line(&self) -> serde_json::Result<String> {
        json::sealed_line(self)
    }
}

/// The line of a game.
///
/// # Errors
/// It cannot be written as JSON.
pub fn game_line(game: u64, record: &TrainingGame) -> serde_json::Result<String> {
    let record = record.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    serde_json::to_string(&GameLine { version: json::VERSION, game, record })
}

fn read_game(text: &str) -> anyhow::Result<(u64, TrainingGame)> {
    let line: GameLine = serde_json::from_str(text).context("neither the first line of a shard nor a game")?;
    let digits = line.record.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap_or_default(), 16);
    let bytes: Result<Vec<u8>, _> = digits.chunks(2).map(byte).collect();
    let named = || format!("game {}", line.game);
    let bytes = bytes.ok().and_then(|bytes| bytes.try_into().ok()).with_context(|| format!("{}: torn", named()))?;
    Ok((line.game, TrainingGame::read(&bytes).with_context(named)?))
}

/// The merged games of shards.
#[derive(Debug, Default)]
pub struct Merged {
    first: Option<Shard>,
    /// The range of the present shard.
    range: (u64, u64),
    games: BTreeMap<u64, TrainingGame>,
}

impl Merged {
    /// Adds a line of a shard, in the order of the shard. Shards may follow each other and may repeat.
    ///
    /// # Errors
    /// The line is invalid, or its shard differs from the first one; the line is ignored.
    pub fn take(&mut self, text: &str) -> anyhow::Result<()> {
        if let Ok(shard) = serde_json::from_str::<Shard>(text) {
            return self.begin(shard, json::seal(text));
        }
        let (number, game) = read_game(text)?;
        let (start, end) = self.range;
        ensure!((start..end).contains(&number), "game {number} does not belong to a shard of {start}..{end}");
        match self.games.entry(number) {
            Entry::Vacant(place) => drop(place.insert(game)),
            Entry::Occupied(known) => ensure!(*known.get() == game, "game {number} differs from the one before"),
        }
        Ok(())
    }

    fn begin(&mut self, shard: Shard, seal: Seal) -> anyhow::Result<()> {
        // Until the shard is accepted, games belong to no shard.
        self.range = (0, 0);
        ensure!(seal == Seal::Right, "the checksum of the first line of a shard is wrong or missing");
        let first = self.first.get_or_insert_with(|| shard.clone());
        if (&first.program, &first.header) != (&shard.program, &shard.header) {
            bail!("another shard than the first one: {} instead of {}", shard.line()?, first.line()?);
        }
        self.range = shard.range;
        Ok(())
    }

    /// The header of the file and all games from the first one on.
    ///
    /// # Errors
    /// No shard was read, or games are missing.
    pub fn finish(self) -> anyhow::Result<(GameFileHeader, impl Iterator<Item = TrainingGame>)> {
        let first = self.first.context("no shard")?;
        let end = self.games.last_key_value().map_or(0, |(&last, _)| last + 1);
        if let Some(gaps) = gaps(self.games.keys().copied(), end) {
            bail!("open: the games {gaps} are missing");
        }
        Ok((first.header, self.games.into_values()))
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_file::FORMAT;

    fn shard(range: (u64, u64), depth: u32) -> String {
        let header = GameFileHeader {
            format: FORMAT.into(),
            seed: 7,
            depth,
            exact: 10,
            evaluation: "weighted".into(),
            openings: None,
            enumerated: None,
            moves: None,
        };
        Shard { range, program: "flipside 1".into(), header }.line().expect("JSON")
    }

    fn game(number: u64, result: i8) -> String {
        let squares = vec![19, 18, 26];
        let game = TrainingGame { squares, values: vec![0, -5, 127], opening: 1, exact: 2, result };
        game_line(number, &game).expect("JSON")
    }

    fn refusal(merged: &mut Merged, line: &str) -> String {
        format!("{:#}", merged.take(line).expect_err(line))
    }

    #[test]
    fn shards_come_in_any_order_and_twice() {
        let mut merged = Merged::default();
        for line in
            [shard((1, 3), 4), game(1, 2), game(2, 4), shard((0, 1), 4), game(0, 6), shard((1, 3), 4), game(2, 4)]
        {
            merged.take(&line).expect("a line");
        }
        let (header, games) = merged.finish().expect("all games");
        assert_eq!(header.depth, 4);
        assert_eq!(games.map(|game| game.result).collect::<Vec<_>>(), [6, 2, 4]);
    }

    #[test]
    fn what_does_not_fit_is_named_and_left_out() {
        let mut merged = Merged::default();
        merged.take(&shard((0, 3), 4)).expect("a first line");
        merged.take(&game(0, 2)).expect("a game");
        let whole = game(1, 2);
        assert!(refusal(&mut merged, &whole[..whole.len() - 9]).contains("neither"));
        assert!(refusal(&mut merged, &whole.replacen("1312", "1313", 1)).contains("checksum"));
        assert!(refusal(&mut merged, &game(0, 4)).contains("differs"));
        assert!(refusal(&mut merged, &game(3, 4)).contains("0..3"));
        assert!(refusal(&mut merged, &shard((3, 4), 4).replace("\"seed\":7", "\"seed\":8")).contains("checksum"));
        assert!(refusal(&mut merged, &shard((3, 4), 5)).contains("another shard"));
        assert!(refusal(&mut merged, &game(3, 4)).contains("does not belong"));
        merged.take(&shard((2, 3), 4)).expect("a first line");
        merged.take(&game(2, 2)).expect("a game");
        assert_eq!(merged.games(), 2);
        let error = merged.finish().err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("open: the games 1..2 are missing"));
    }
}
