//! Shards of a match: the games of a range of its schedule as lines, and their merger into the report of the whole
//! match.

use super::plan::MatchPlan;
use super::record::MatchGame;
use super::recorder::report;
use super::schedule::{ScheduledGame, Tournament, schedule};
use super::standings::Standings;
use anyhow::{Context, bail, ensure};
use flipside_support::diagnostics;
use flipside_support::hash::checksum;
use flipside_support::json::{self, PROGRAM, Seal};
use flipside_support::range::gaps;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The terms of all games of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MatchTerms {
    program: String,
    names: Vec<String>,
    settings: Vec<String>,
    rules: String,
    games: usize,
    tournament: Tournament,
    openings: String,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    adjudicate: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    adjudicate_by_score: Option<String>,
    time_margin: f64,
    stall_timeout: f64,
}

/// The first line of a shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Shard {
    /// Numbers of its games: from the first, below the second.
    range: (u64, u64),
    #[serde(flatten)]
    terms: MatchTerms,
}

/// The first line of a shard of a match.
///
/// # Errors
/// The file of openings cannot be read.
pub fn first_line(plan: &MatchPlan, range: (u64, u64)) -> anyhow::Result<String> {
    let openings = match &plan.openings {
        Some(path) => {
            let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            format!("file {:016x}", checksum(&text))
        }
        None => "built-in".into(),
    };
    let terms = MatchTerms {
        program: PROGRAM.into(),
        names: plan.players.iter().map(|(spec, _)| spec.name.clone()).collect(),
        settings: plan.players.iter().map(|(spec, limits)| spec.settings(limits)).collect(),
        rules: plan.game.clone(),
        games: plan.games,
        tournament: plan.tournament,
        openings,
        seed: plan.seed,
        adjudicate: plan.config.adjudication.empties,
        adjudicate_by_score: plan.config.adjudication.by_score.map(|rule| rule.to_string()),
        time_margin: plan.config.time_margin.as_secs_f64(),
        stall_timeout: plan.config.stall_timeout.as_secs_f64(),
    };
    Ok(json::sealed_line(&Shard { range, terms })?)
}

/// The line of a game.
///
/// # Errors
/// It cannot be written as JSON.
pub fn game_line(game: &MatchGame) -> anyhow::Result<String> {
    Ok(json::sealed_line(game)?)
}

/// The merged games of shards.
#[derive(Default)]
struct Merged {
    terms: Option<MatchTerms>,
    schedule: Vec<ScheduledGame>,
    /// The range of the present shard.
    range: (u64, u64),
    games: BTreeMap<u64, MatchGame>,
}

impl Merged {
    /// Adds a line of a shard. If a game was played twice, only the first one counts.
    fn take(&mut self, text: &str) -> anyhow::Result<()> {
        let seal = json::seal(text);
        if let Ok(shard) = serde_json::from_str::<Shard>(text) {
            return self.begin(shard, seal);
        }
        let game: MatchGame = serde_json::from_str(text).context("neither the first line of a shard nor a game")?;
        ensure!(seal == Seal::Right, "game {}: the checksum is wrong or missing", game.game);
        let (start, end) = self.range;
        let number = game.game as u64;
        ensure!((start..end).contains(&number), "game {number} does not belong to a shard of {start}..{end}");
        let of_schedule = self.schedule.get(game.game).map(|scheduled| scheduled.players());
        let names = self.terms.iter().flat_map(|terms| &terms.names);
        let names: Vec<&String> = names.collect();
        let scheduled = of_schedule.map(|players| players.map(|player| names[player].as_str()));
        ensure!(scheduled == Some(game.terms.players.each_ref().map(String::as_str)), "game {number}: other players");
        self.games.entry(number).or_insert(game);
        Ok(())
    }

    fn begin(&mut self, shard: Shard, seal: Seal) -> anyhow::Result<()> {
        // Until the shard is accepted, games belong to no shard.
        self.range = (0, 0);
        ensure!(seal == Seal::Right, "the checksum of the first line of a shard is wrong or missing");
        let first = self.terms.get_or_insert_with(|| shard.terms.clone());
        if *first != shard.terms {
            let [ours, other] = [&*first, &shard.terms].map(serde_json::to_string);
            bail!("a shard of another match than the first one: {} instead of {}", other?, ours?);
        }
        if self.schedule.is_empty() {
            self.schedule = schedule(first.names.len(), first.tournament, first.games);
        }
        ensure!(shard.range.1 <= self.schedule.len() as u64, "a range beyond the {} games", self.schedule.len());
        self.range = shard.range;
        Ok(())
    }
}

/// Merges shards and writes the report of the whole match, equal to the report of a match in one process. Names
/// unusable lines on stderr. The status is 1 if there were any, or if a player never finished a game.
///
/// # Errors
/// A file cannot be read, or games are missing.
pub fn merge(paths: &[PathBuf], json_report: bool, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut merged = Merged::default();
    let mut refused = false;
    for path in paths {
        for (index, line) in open(path)?.split(b'\n').enumerate() {
            let line = line.with_context(|| format!("cannot read {}", path.display()))?;
            let text = String::from_utf8_lossy(&line);
            if text.trim().is_empty() {
                continue;
            }
            if let Err(error) = merged.take(text.trim()) {
                refused = true;
                diagnostics::report(Some(path), format_args!("line {}: refused: {error:#}", index + 1))?;
            }
        }
    }
    let terms = merged.terms.context("no shard of a match")?;
    if let Some(gaps) = gaps(merged.games.keys().copied(), merged.schedule.len() as u64) {
        bail!("open: the games {gaps} are missing");
    }
    let mut standings = Standings::new(terms.names, None);
    for (scheduled, game) in merged.schedule.iter().zip(merged.games.values()) {
        standings.add(scheduled, game);
    }
    let all_play = report(&standings, json_report, out)?;
    Ok(if refused || !all_play { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}
