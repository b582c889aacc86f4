//! The recorder of a match: one thread that keeps the standings, the files and the progress display.

use super::game::terms;
use super::openings::Openings;
use super::plan::MatchPlan;
use super::record::{GameTerms, MatchGame};
use super::schedule::ScheduledGame;
use super::standings::Standings;
use super::statistics::sprt::Decision;
use anyhow::{Context, bail, ensure};
use flipside_core::search::notation::Style;
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::dyn_engine::{DynEngine, Start};
use flipside_support::resume::{GrowingFile, Line};
use flipside_support::{diagnostics, json};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashSet;
use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::time::Instant;

/// Standings, files and display of a match.
pub struct Recorder {
    standings: Standings,
    /// Whether the closing report is JSON.
    json_report: bool,
    json: Option<GrowingFile>,
    record: Option<GrowingFile>,
    bar: Option<ProgressBar>,
    begun: Instant,
    played: u64,
    total: usize,
    /// Whether the match ends early if a player only fails. A shard plays all of its games.
    ends_early: bool,
    /// Whether to print a line for every finished game.
    verbose: bool,
}

/// Opens a file of the match. Games in a file are never overwritten.
fn open(path: &Path, resume: bool) -> anyhow::Result<GrowingFile> {
    let file = GrowingFile::open(path).with_context(|| format!("cannot write {}", path.display()))?;
    ensure!(resume || file.length() == 0, "{} exists: use --resume or another name", path.display());
    Ok(file)
}

/// The file of game records. It holds the games of the JSON file in the same order, but may lack the last ones.
struct RecordFile<'a> {
    file: &'a mut GrowingFile,
    path: &'a Path,
    /// Its content after the games seen so far.
    rest: Vec<u8>,
    missing: Vec<u8>,
}

impl RecordFile<'_> {
    /// The next game of the JSON file.
    fn next(&mut self, text: &str) -> anyhow::Result<()> {
        let same = self.rest.len().min(text.len());
        ensure!(
            self.rest[..same] == text.as_bytes()[..same],
            "{} holds other games: use another name",
            self.path.display()
        );
        self.rest.drain(..same);
        self.missing.extend_from_slice(&text.as_bytes()[same..]);
        Ok(())
    }

    /// Completes the file.
    fn complete(self) -> anyhow::Result<()> {
        let place = || self.path.display().to_string();
        ensure!(self.rest.is_empty(), "{} holds more games than the --json file: use another name", place());
        if self.missing.is_empty() { Ok(()) } else { self.file.append(&self.missing).with_context(place) }
    }
}

impl Recorder {
    /// Opens the files of a match of `total` games.
    ///
    /// # Errors
    /// A file cannot be written, or it holds games and the match is not resumed.
    pub fn open(plan: &MatchPlan, standings: Standings, total: usize) -> anyhow::Result<Recorder> {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64);
            // The rest of the terminal's width is the message's.
            let style = ProgressStyle::with_template("{bar:10} {pos}/{len} {eta} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Ok(Recorder {
            standings,
            json_report: plan.json_report,
            json: plan.json.as_deref().map(|path| open(path, plan.resume)).transpose()?,
            record: plan.record.as_deref().map(|path| open(path, plan.resume)).transpose()?,
            bar,
            begun: Instant::now(),
            played: 0,
            total,
            ends_early: plan.range.is_none(),
            verbose: plan.verbose,
        })
    }

    /// Adds the games of the JSON file to the standings, and those missing from the file of records to that file;
    /// returns their numbers. Cuts off an unfinished last line. `board` supplies the rules.
    ///
    /// # Errors
    /// A file cannot be read or written, or belongs to another match.
    pub fn resume(
        &mut self,
        plan: &MatchPlan,
        openings: &mut Openings,
        schedule: &[ScheduledGame],
        board: &mut dyn DynEngine,
    ) -> anyhow::Result<HashSet<usize>> {
        let path = plan.json.as_deref().context("--resume needs --json")?;
        let file = self.json.as_mut().context("--resume needs --json")?;
        let mut games: Vec<(ScheduledGame, MatchGame)> = Vec::new();
        let mut done = HashSet::new();
        let mut number = 0;
        file.lines(|line| -> anyhow::Result<()> {
            number += 1;
            let place = || format!("{} line {number}", path.display());
            let line = match line {
                Line::Whole(line) => line,
                // Every record begins with these bytes.
                Line::Torn(line) => {
                    ensure!(line.starts_with('{') || line.is_empty(), "{}: no game", place());
                    return Ok(());
                }
            };
            let record: MatchGame = serde_json::from_str(line).with_context(|| format!("{}: no game", place()))?;
            let of_this_match = || format!("{}: game {} belongs to another match", place(), record.game);
            let game = schedule.get(record.game).with_context(of_this_match)?;
            let terms = terms_of(game, plan, openings, board)?;
            if let Some(difference) = terms.difference(&record.terms) {
                bail!("{}: {difference}", of_this_match());
            }
            if done.insert(record.game) {
                games.push((*game, record));
            }
            Ok(())
        })
        .with_context(|| format!("cannot resume {}", path.display()))?;
        games.iter().for_each(|(game, record)| self.standings.add(game, record));
        if let (Some(path), Some(file)) = (plan.record.as_deref(), &mut self.record) {
            let rest = file.start(u64::MAX).with_context(|| path.display().to_string())?;
            let mut recorded = RecordFile { file, path, rest, missing: Vec::new() };
            for (_, record) in &games {
                recorded.next(&replayed(record, board)?)?;
            }
            recorded.complete()?;
        }
        Ok(done)
    }

    /// Adds a finished game to the standings and files. `text` is its GGF or PGN.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(&mut self, game: &ScheduledGame, record: &MatchGame, text: &str) -> anyhow::Result<()> {
        self.standings.add(game, record);
        self.played += 1;
        if let Some(file) = &mut self.json {
            file.append_line(&json::line(record)?).context("cannot write the --json file")?;
        }
        // After the JSON file, because a resumed match completes this file from that one.
        if let Some(file) = &mut self.record {
            file.append(text.as_bytes()).context("cannot write the --record file")?;
        }
        self.show(record);
        Ok(())
    }

    /// Whether the match's SPRT has decided, or a player only fails.
    pub fn is_decided(&self) -> bool {
        let is_hopeless = self.ends_early && self.standings.is_hopeless();
        is_hopeless || self.standings.decision().is_some_and(|(decision, _)| decision != Decision::Open)
    }

    /// Starts the clock at the first game.
    pub fn start_clock(&mut self) {
        self.begun = Instant::now();
    }

    fn show(&self, record: &MatchGame) {
        let hours = self.begun.elapsed().as_secs_f64() / 3600.0;
        let line = format!("{}, {:.0} games/h", self.standings.line(), self.played as f64 / hours);
        let told = record.summary();
        log::info!("{told}");
        let told = (self.verbose || record.reason.is_fault()).then_some(told);
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.standings.games());
                bar.set_message(line);
                if let Some(told) = told {
                    bar.println(told);
                }
            }
            None => self.print(&line, told),
        }
    }

    /// Without a terminal: prints the line of a game, if any, and the standings after 1, 2, 4, ... and every hundred games.
    fn print(&self, line: &str, told: Option<String>) {
        // A closed stderr must not stop a match.
        let mut err = stderr().lock();
        if let Some(told) = told {
            let _ = writeln!(err, "{told}");
        }
        let games = self.standings.games();
        if games.is_power_of_two() || games.is_multiple_of(100) {
            let _ = writeln!(err, "{games}/{}: {line}", self.total);
        }
    }

    /// Says how many games an interrupted match has played, and how to play the rest.
    pub fn tell_interrupted(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let played = format!("interrupted after {} of {} games", self.standings.games(), self.total);
        let advice = match self.json {
            Some(_) => "the same command with --resume plays the rest",
            None => "with --json FILE a match can be resumed",
        };
        // A closed stderr must not stop a match.
        let _ = diagnostics::report(None, format_args!("{played}: {advice}"));
    }

    /// Ends the display and writes the report. Returns false if a player never finished a game.
    ///
    /// # Errors
    /// The report cannot be written.
    pub fn close(&mut self, out: &mut dyn Write) -> anyhow::Result<bool> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        report(&self.standings, self.json_report, out)
    }
}

/// Writes the report at the end of a match, as text or as one JSON object. Returns false, with a note on stderr, if a
/// player never finished a game.
///
/// # Errors
/// The report cannot be written.
pub fn report(standings: &Standings, as_json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    if as_json {
        writeln!(out, "{}", json::line(&standings.json_report())?).context("cannot print the standings")?;
    } else if standings.games() > 0 {
        out.write_all(standings.report().as_bytes()).context("cannot print the standings")?;
    }
    let failed = standings.without_play();
    for (name, games) in &failed {
        // The exit status reports it, too.
        let lost = format_args!("{name} lost every game ({games}) by its own fault: {}", standings.forfeits(name));
        let _ = diagnostics::report(None, lost);
    }
    Ok(failed.is_empty())
}

/// The terms of a game of the schedule.
fn terms_of(
    game: &ScheduledGame,
    plan: &MatchPlan,
    openings: &mut Openings,
    board: &dyn DynEngine,
) -> anyhow::Result<GameTerms> {
    let player = |index: usize| plan.players.get(index).map(|(spec, limits)| (spec, limits));
    let [first, second] = game.players().map(player);
    let players = [first.context("a player of the schedule")?, second.context("a player of the schedule")?];
    Ok(terms(board, &openings.get(game.opening), players, &plan.config))
}

/// The text of a recorded game, which stays on the board.
fn replayed(record: &MatchGame, board: &mut dyn DynEngine) -> anyhow::Result<String> {
    let moves: Vec<PlayedMove> = record.moves.iter().map(|mv| PlayedMove::new(&mv.mv)).collect();
    board
        .set_position(Start::Text(&record.start), &moves, Style::Plain, false)
        .with_context(|| format!("game {} cannot be played again", record.game))?;
    Ok(record.text(board)?)
}
