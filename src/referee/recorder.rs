//! The recorder of a match: standings, files and the progress display, kept by one thread.

use super::openings::Opening;
use super::plan::MatchPlan;
use super::record::MatchGame;
use super::schedule::ScheduledGame;
use super::standings::Standings;
use super::statistics::sprt::Decision;
use crate::support::json;
use crate::support::resume::{GrowingFile, Line};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::time::Instant;

/// Standings, files and display of a match.
pub struct Recorder {
    standings: Standings,
    json: Option<File>,
    record: Option<File>,
    bar: Option<ProgressBar>,
    begun: Instant,
    played: u64,
    total: usize,
}

impl Recorder {
    /// Opens the files of a match of so many games.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn open(plan: &MatchPlan, standings: Standings, total: usize) -> anyhow::Result<Recorder> {
        let open = |path: &Path| {
            let mut options = OpenOptions::new();
            options.create(true).write(true).append(plan.resume).truncate(!plan.resume);
            options.open(path).with_context(|| format!("cannot write {}", path.display()))
        };
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64);
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} {msg} {eta}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Ok(Recorder {
            standings,
            json: plan.json.as_deref().map(open).transpose()?,
            record: plan.record.as_deref().map(open).transpose()?,
            bar,
            begun: Instant::now(),
            played: 0,
            total,
        })
    }

    /// Adds the games that the JSON file holds to the standings; returns their numbers. A last line that was not
    /// finished is cut off.
    ///
    /// # Errors
    /// The file cannot be read, or belongs to another match.
    pub fn resume(
        &mut self,
        plan: &MatchPlan,
        openings: &[Opening],
        schedule: &[ScheduledGame],
    ) -> anyhow::Result<Vec<usize>> {
        let path = plan.json.as_deref().context("--resume needs --json")?;
        let mut done = Vec::new();
        let mut number = 0;
        GrowingFile::open(path)?
            .lines(|line| -> anyhow::Result<()> {
                let Line::Whole(line) = line else { return Ok(()) };
                number += 1;
                let place = || format!("{} line {number}", path.display());
                let record: MatchGame = serde_json::from_str(line).with_context(place)?;
                let Some(game) = schedule.get(record.game).filter(|game| is_of(&record, game, plan, openings)) else {
                    bail!("{}: game {} belongs to another match", place(), record.game);
                };
                if !done.contains(&record.game) {
                    self.enter(game, &record);
                    done.push(record.game);
                }
                Ok(())
            })
            .with_context(|| format!("cannot resume {}", path.display()))?;
        Ok(done)
    }

    /// Enters a finished game everywhere. `text` is its GGF or PGN.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(&mut self, game: &ScheduledGame, record: &MatchGame, text: &str) -> anyhow::Result<()> {
        self.enter(game, record);
        self.played += 1;
        if let Some(file) = &mut self.json {
            writeln!(file, "{}", json::line(record)?).context("cannot write the --json file")?;
        }
        if let Some(file) = &mut self.record {
            file.write_all(text.as_bytes()).context("cannot write the --record file")?;
        }
        self.show(record);
        Ok(())
    }

    /// Two games in a row of one pairing share an opening.
    fn enter(&mut self, game: &ScheduledGame, record: &MatchGame) {
        let pair = if game.swapped { game.number - 1 } else { game.number };
        self.standings.add(game, pair, record);
    }

    /// True once the match's SPRT has decided.
    pub fn is_decided(&self) -> bool {
        self.standings.decision().is_some_and(|(decision, _)| decision != Decision::Open)
    }

    /// The first game is about to begin.
    pub fn start_clock(&mut self) {
        self.begun = Instant::now();
    }

    fn show(&self, record: &MatchGame) {
        let hours = self.begun.elapsed().as_secs_f64() / 3600.0;
        let line = format!("{}, {:.0} games/h", self.standings.line(), self.played as f64 / hours);
        let fault = record.reason.is_fault().then(|| {
            let loser = &record.players[usize::from(record.result == "1-0")];
            format!("game {}: {loser} {}: {}", record.game + 1, record.reason, record.detail)
        });
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.standings.games());
                bar.set_message(line);
                if let Some(fault) = fault {
                    bar.println(fault);
                }
            }
            None => self.print(&line, fault),
        }
    }

    /// Without a terminal: every fault, and the standings after 1, 2, 4, ... and every hundred games.
    fn print(&self, line: &str, fault: Option<String>) {
        // A closed stderr is no reason to stop a match.
        let mut err = stderr().lock();
        if let Some(fault) = fault {
            let _ = writeln!(err, "{fault}");
        }
        let games = self.standings.games();
        if games.is_power_of_two() || games.is_multiple_of(100) {
            let _ = writeln!(err, "{games}/{}: {line}", self.total);
        }
    }

    /// Ends the display and prints the report.
    ///
    /// # Errors
    /// The standard output cannot be written.
    pub fn close(&mut self) -> anyhow::Result<()> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.standings.games() == 0 {
            return Ok(());
        }
        stdout().lock().write_all(self.standings.report().as_bytes()).context("cannot print the standings")
    }
}

/// True if the record is of this game of the schedule: the same players and opening.
fn is_of(record: &MatchGame, game: &ScheduledGame, plan: &MatchPlan, openings: &[Opening]) -> bool {
    let name = |player: usize| plan.players.get(player).map(|(spec, _)| &spec.name);
    let [first, second] = game.players();
    let opening = openings.get(game.opening).map(|opening| &opening.text);
    let [first_name, second_name] = &record.players;
    name(first) == Some(first_name) && name(second) == Some(second_name) && opening == Some(&record.opening)
}
