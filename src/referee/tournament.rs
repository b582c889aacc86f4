//! A whole match: workers play the schedule, one thread keeps the books.

use super::game::{self, Conduct, Seat};
use super::openings::{self, Opening};
use super::options::{MatchArgs, Plan};
use super::player::Player;
use super::process;
use super::record::GameRecord;
use super::schedule::{Fixture, schedule};
use super::standing::Standing;
use super::statistics::sprt::Decision;
use crate::api::settings::Settings;
use crate::engine::dyn_engine::DynEngine;
use crate::engine::registry;
use crate::support::thread_pool::STACK;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// What reaches the thread that keeps the books.
enum Message {
    /// A finished game, with its text for the record file.
    Finished(Fixture, Box<GameRecord>, String),
    /// A worker has no more games.
    Idle,
    /// The match cannot go on.
    Failed(anyhow::Error),
    /// Ctrl-C.
    Interrupted,
}

/// What all workers share.
struct Work {
    plan: Plan,
    conduct: Conduct,
    openings: Vec<Opening>,
    fixtures: Vec<Fixture>,
    next: AtomicUsize,
    over: AtomicBool,
}

/// Plays the match and prints the verdict.
///
/// # Errors
/// Bad words, files that cannot be used, players that cannot take part.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    let mut rules = rules(&plan)?;
    let openings = match &plan.openings {
        Some(path) => openings::load(path, rules.as_mut())?,
        None => openings::built_in(rules.as_mut())?,
    };
    let fixtures = schedule(plan.players.len(), plan.tournament, plan.games, openings.len(), plan.seed);
    let names = plan.players.iter().map(|(spec, _)| spec.name.clone()).collect();
    let mut books = Books::open(&plan, Standing::new(names, plan.sprt), fixtures.len())?;
    let done = if plan.resume { books.resume(&plan, &openings, &fixtures)? } else { Vec::new() };
    let left: Vec<Fixture> = fixtures.into_iter().filter(|fixture| !done.contains(&fixture.number)).collect();
    let conduct = Conduct {
        rules: rules.game().to_string(),
        grace: plan.grace,
        patience: plan.patience,
        adjudicate: plan.adjudicate,
    };
    let workers = plan.concurrency.min(left.len());
    let work = Arc::new(Work {
        plan,
        conduct,
        openings,
        fixtures: left,
        next: AtomicUsize::new(0),
        over: AtomicBool::new(false),
    });
    let (sender, inbox) = channel();
    let interrupt = Mutex::new(sender.clone());
    ctrlc::set_handler(move || {
        if let Ok(sender) = interrupt.lock() {
            let _ = sender.send(Message::Interrupted);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    for _ in 0..workers {
        let (work, sender) = (Arc::clone(&work), sender.clone());
        // Builtin players search on this thread.
        let builder = std::thread::Builder::new().name("referee".into()).stack_size(STACK);
        builder.spawn(move || worker(&work, &sender)).context("cannot start a thread for the games")?;
    }
    let outcome = books.keep(&inbox, workers);
    // Whoever still thinks ends with this process; children are ended here.
    work.over.store(true, Ordering::Relaxed);
    process::end_all();
    books.close()?;
    outcome
}

fn rules(plan: &Plan) -> anyhow::Result<Box<dyn DynEngine>> {
    let hash = if plan.adjudicate.is_some() { 32 } else { 1 };
    Ok(registry::open(&Settings { game: plan.game.clone(), hash, ..Settings::default() })?)
}

/// Plays games until there are no more, with players of its own.
fn worker(work: &Work, sender: &Sender<Message>) {
    let outcome = play_all(work, sender);
    // Nobody listens any more once the match is over.
    let _ = sender.send(match outcome {
        Ok(()) => Message::Idle,
        Err(error) => Message::Failed(error),
    });
}

fn play_all(work: &Work, sender: &Sender<Message>) -> anyhow::Result<()> {
    let mut room = rules(&work.plan)?;
    let mut players: HashMap<usize, Option<Box<dyn Player>>> = HashMap::new();
    loop {
        let next = work.next.fetch_add(1, Ordering::Relaxed);
        let Some(fixture) = work.fixtures.get(next).filter(|_| !work.over.load(Ordering::Relaxed)) else {
            return Ok(());
        };
        let indices = fixture.seats();
        let mut taken = indices.map(|index| players.remove(&index).flatten());
        let [first, second] = &mut taken;
        let seat = |index: usize| work.plan.players.get(index).context("a player of the schedule");
        let seats = [(seat(indices[0])?, first), (seat(indices[1])?, second)].map(|((spec, terms), player)| Seat {
            spec,
            terms: *terms,
            player,
        });
        let opening = work.openings.get(fixture.opening).context("an opening of the schedule")?;
        let record = game::play(fixture.number, room.as_mut(), opening, seats, &work.conduct)?;
        players.extend(indices.into_iter().zip(taken));
        let text = record.text(room.as_ref());
        if sender.send(Message::Finished(*fixture, Box::new(record), text)).is_err() {
            return Ok(());
        }
    }
}

/// The standing, the files and the display.
struct Books {
    standing: Standing,
    json: Option<File>,
    record: Option<File>,
    bar: Option<ProgressBar>,
    begun: Instant,
    played: u64,
    total: usize,
}

impl Books {
    fn open(plan: &Plan, standing: Standing, total: usize) -> anyhow::Result<Books> {
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
        Ok(Books {
            standing,
            json: plan.json.as_deref().map(open).transpose()?,
            record: plan.record.as_deref().map(open).transpose()?,
            bar,
            begun: Instant::now(),
            played: 0,
            total,
        })
    }

    /// Enters the games that the file holds; their numbers.
    fn resume(&mut self, plan: &Plan, openings: &[Opening], fixtures: &[Fixture]) -> anyhow::Result<Vec<usize>> {
        let path = plan.json.as_deref().context("--resume needs --json")?;
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut done = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let place = || format!("{} line {}", path.display(), index + 1);
            let record: GameRecord = serde_json::from_str(line).with_context(place)?;
            let fixture = fixtures.get(record.game);
            let expected = fixture.and_then(|fixture| {
                let names = fixture.seats().map(|seat| plan.players.get(seat).map(|(spec, _)| spec.name.clone()));
                let [first, second] = names;
                Some(([first?, second?], openings.get(fixture.opening)?.text.clone()))
            });
            let Some(fixture) = fixture.filter(|_| expected == Some((record.players.clone(), record.opening.clone())))
            else {
                bail!("{}: game {} belongs to another match", place(), record.game);
            };
            if !done.contains(&record.game) {
                self.enter(fixture, &record);
                done.push(record.game);
            }
        }
        Ok(done)
    }

    /// Two games in a row of one pairing share an opening.
    fn enter(&mut self, fixture: &Fixture, record: &GameRecord) {
        let pair = if fixture.swapped { fixture.number - 1 } else { fixture.number };
        self.standing.add(fixture, pair, record);
    }

    /// Takes in games until all are played, the test has decided, or somebody interrupts.
    fn keep(&mut self, inbox: &Receiver<Message>, mut workers: usize) -> anyhow::Result<ExitCode> {
        self.begun = Instant::now();
        while workers > 0 && !self.decided() {
            match inbox.recv().context("the workers are gone")? {
                Message::Finished(fixture, record, text) => {
                    self.enter(&fixture, &record);
                    self.played += 1;
                    self.write(&record, &text)?;
                    self.show(&record);
                }
                Message::Idle => workers -= 1,
                Message::Failed(error) => return Err(error),
                Message::Interrupted => return Ok(ExitCode::from(130)),
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn decided(&self) -> bool {
        self.standing.decision().is_some_and(|(decision, _)| decision != Decision::Open)
    }

    fn write(&mut self, record: &GameRecord, text: &str) -> anyhow::Result<()> {
        if let Some(file) = &mut self.json {
            writeln!(file, "{}", serde_json::to_string(record)?).context("cannot write the --json file")?;
        }
        if let Some(file) = &mut self.record {
            file.write_all(text.as_bytes()).context("cannot write the --record file")?;
        }
        Ok(())
    }

    fn show(&self, record: &GameRecord) {
        let hours = self.begun.elapsed().as_secs_f64() / 3600.0;
        let line = format!("{}, {:.0} games/h", self.standing.line(), self.played as f64 / hours);
        let [first, second] = &record.players;
        let fault = record.reason.is_fault().then(|| {
            let reason = format!("{:?}", record.reason).to_lowercase();
            let loser = if record.result == "1-0" { second } else { first };
            format!("game {}: {loser} {reason}: {}", record.game + 1, record.detail)
        });
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.standing.games());
                bar.set_message(line);
                if let Some(fault) = fault {
                    bar.println(fault);
                }
            }
            None => {
                // A closed stderr is no reason to stop a match.
                let mut err = stderr().lock();
                if let Some(fault) = fault {
                    let _ = writeln!(err, "{fault}");
                }
                let games = self.standing.games();
                if games.is_power_of_two() || games.is_multiple_of(100) {
                    let _ = writeln!(err, "{games}/{}: {line}", self.total);
                }
            }
        }
    }

    fn close(&mut self) -> anyhow::Result<()> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.standing.games() == 0 {
            return Ok(());
        }
        stdout().lock().write_all(self.standing.report().as_bytes()).context("cannot print the standing")
    }
}
