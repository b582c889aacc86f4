//! The summary that `train selfplay`, `label` and `merge` print at the end.

use crate::cli::io::output::Output;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// A written file of games: the object of `--json`.
#[derive(Serialize)]
pub struct GamesSummary<'a> {
    file: Cow<'a, str>,
    /// Number of complete games of the file.
    games: u64,
    /// Number of games that this run added, if the file can be resumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<u64>,
    /// Number of unusable lines of shards.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<u64>,
}

impl<'a> GamesSummary<'a> {
    /// The summary of a resumed file that held `before` games.
    pub fn resumed(path: &'a Path, games: u64, before: u64) -> GamesSummary<'a> {
        GamesSummary { file: path.to_string_lossy(), games, added: Some(games - before), refused: None }
    }

    /// The summary of a file made of shards.
    pub fn merged(path: &'a Path, games: u64, refused: u64) -> GamesSummary<'a> {
        GamesSummary { file: path.to_string_lossy(), games, added: None, refused: Some(refused) }
    }

    /// Prints it as a line of text or as one JSON object.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn print(&self, as_json: bool, out: &mut Output) -> anyhow::Result<()> {
        let GamesSummary { file, games, added, refused } = self;
        let added = added.map_or(String::new(), |added| format!(", {added} of them new"));
        let refused =
            refused.filter(|&refused| refused > 0).map_or(String::new(), |lines| format!(", {lines} lines refused"));
        out.print(as_json, self, format_args!("{file}: {games} games{added}{refused}"))
    }
}
