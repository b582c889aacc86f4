//! A whole match: worker threads play the schedule, the calling thread records the games.

use super::game;
use super::openings::{Opening, Openings};
use super::participant::Participant;
use super::plan::MatchPlan;
use super::player::MatchPlayer;
use super::process_group;
use super::record::MatchGame;
use super::recorder::Recorder;
use super::schedule::{ScheduledGame, schedule};
use super::shard;
use super::standings::Standings;
use anyhow::{Context, ensure};
use flipside_host::api::settings::Settings;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::registry;
use flipside_support::signals;
use flipside_support::thread_pool::STACK;
use std::collections::{HashMap, HashSet};
use std::io::{Write, sink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// A message to the thread that records the games.
enum WorkerEvent {
    /// A finished game, with its text for the record file.
    Finished(ScheduledGame, Box<MatchGame>, String),
    /// A worker has run out of games.
    Idle,
    /// The match cannot go on.
    Failed(anyhow::Error),
    /// A signal that ends the program.
    Interrupted(i32),
}

/// The shared state of all workers.
struct Work {
    plan: MatchPlan,
    openings: Mutex<Openings>,
    games: Vec<ScheduledGame>,
    next: AtomicUsize,
    over: AtomicBool,
}

/// Plays the match and writes the report.
///
/// # Errors
/// A file cannot be used, or a player cannot take part.
pub fn run(plan: MatchPlan, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut board = open_board(&plan)?;
    let mut openings = match &plan.openings {
        Some(path) => Openings::load(path, open_board(&plan)?, plan.seed)?,
        None => Openings::built_in(open_board(&plan)?, plan.seed)?,
    };
    let mut games = schedule(plan.players.len(), plan.tournament, plan.games);
    if let Some((start, end)) = plan.range {
        ensure!(end <= games.len() as u64, "--range: the match has {} games, fewer than {end}", games.len());
        games = games.drain(start as usize..end as usize).collect();
        writeln!(out, "{}", shard::first_line(&plan, (start, end))?)?;
    }
    let names = plan.players.iter().map(|(spec, _)| spec.name.clone()).collect();
    let mut recorder = Recorder::open(&plan, Standings::new(names, plan.sprt), games.len())?;
    let done =
        if plan.resume { recorder.resume(&plan, &mut openings, &games, board.as_mut())? } else { HashSet::new() };
    let games: Vec<ScheduledGame> = games.into_iter().filter(|game| !done.contains(&game.number)).collect();
    let workers = plan.concurrency.min(games.len());
    let is_shard = plan.range.is_some();
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = Arc::new(Work { plan, openings: Mutex::new(openings), games, next, over });
    let (sender, inbox) = channel();
    listen_for_interrupts(&sender)?;
    for _ in 0..workers {
        let (work, sender) = (Arc::clone(&work), sender.clone());
        // Builtin players search on this thread.
        let builder = std::thread::Builder::new().name("referee".into()).stack_size(STACK);
        builder.spawn(move || worker(&work, &sender)).context("cannot start a thread for the games")?;
    }
    let outcome = record_games(&mut recorder, &inbox, workers, is_shard.then_some(&mut *out));
    // Searches of builtin players end with this process, but child processes must be ended here.
    work.over.store(true, Ordering::Relaxed);
    process_group::kill_all();
    // A shard writes no report; the merger of the shards does.
    let all_play = if is_shard { recorder.close(&mut sink())? } else { recorder.close(out)? };
    outcome.map(|status| if all_play || status != ExitCode::SUCCESS { status } else { ExitCode::FAILURE })
}

fn listen_for_interrupts(sender: &Sender<WorkerEvent>) -> anyhow::Result<()> {
    let sender = sender.clone();
    // The receiver is gone once the match is over.
    signals::on_end(move |signal| drop(sender.send(WorkerEvent::Interrupted(signal))))
        .context("cannot watch for signals")
}

/// The referee's own engine, whose rules decide and which adjudicates.
fn open_board(plan: &MatchPlan) -> anyhow::Result<Box<dyn DynEngine>> {
    let hash = if plan.config.adjudication.empties.is_some() { 32 } else { 1 };
    Ok(registry::open(&Settings { game: plan.game.clone(), hash, ..Settings::default() })?)
}

/// Records games until all are played, the SPRT has decided, or the user interrupts; prints those of a shard.
fn record_games(
    recorder: &mut Recorder,
    inbox: &Receiver<WorkerEvent>,
    mut workers: usize,
    mut shard: Option<&mut dyn Write>,
) -> anyhow::Result<ExitCode> {
    recorder.start_clock();
    while workers > 0 && !recorder.is_decided() {
        match inbox.recv().context("the workers are gone")? {
            WorkerEvent::Finished(game, record, text) => {
                recorder.add(&game, &record, &text)?;
                if let Some(out) = &mut shard {
                    writeln!(out, "{}", shard::game_line(&record)?)?;
                }
            }
            WorkerEvent::Idle => workers -= 1,
            WorkerEvent::Failed(error) => return Err(error),
            // The status that a shell reports for the end by a signal.
            WorkerEvent::Interrupted(signal) => {
                if shard.is_none() {
                    recorder.tell_interrupted();
                }
                return Ok(ExitCode::from(128 + signal as u8));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays games until the schedule is empty, with players of its own.
fn worker(work: &Work, sender: &Sender<WorkerEvent>) {
    report_end(sender, || play_all(work, sender));
}

/// Reports the end of a thread's work, even after a panic, so that the recorder does not wait for it.
fn report_end(sender: &Sender<WorkerEvent>, work: impl FnOnce() -> anyhow::Result<()>) {
    // The panic's own message goes to stderr.
    let outcome = catch_unwind(AssertUnwindSafe(work));
    let outcome = outcome.unwrap_or_else(|_| Err(anyhow::anyhow!("the referee of a game panicked")));
    // The receiver is gone once the match is over.
    let _ = sender.send(match outcome {
        Ok(()) => WorkerEvent::Idle,
        Err(error) => WorkerEvent::Failed(error),
    });
}

fn play_all(work: &Work, sender: &Sender<WorkerEvent>) -> anyhow::Result<()> {
    let mut board = open_board(&work.plan)?;
    let mut running: HashMap<usize, Option<Box<dyn MatchPlayer>>> = HashMap::new();
    loop {
        let next = work.next.fetch_add(1, Ordering::Relaxed);
        let Some(game) = work.games.get(next).filter(|_| !work.over.load(Ordering::Relaxed)) else {
            return Ok(());
        };
        let indices = game.players();
        let mut players = indices.map(|index| running.remove(&index).flatten());
        let opening = work.openings.lock().unwrap_or_else(PoisonError::into_inner).get(game.opening);
        let record = play(work, game, board.as_mut(), &opening, &mut players)?;
        running.extend(indices.into_iter().zip(players));
        let text = record.text(board.as_ref())?;
        if sender.send(WorkerEvent::Finished(*game, Box::new(record), text)).is_err() {
            return Ok(());
        }
    }
}

fn play(
    work: &Work,
    game: &ScheduledGame,
    board: &mut dyn DynEngine,
    opening: &Opening,
    [first, second]: &mut [Option<Box<dyn MatchPlayer>>; 2],
) -> anyhow::Result<MatchGame> {
    let participant = |index: usize, player| {
        let (spec, limits) = work.plan.players.get(index).context("a player of the schedule")?;
        anyhow::Ok(Participant { spec, limits: *limits, player })
    };
    let indices = game.players();
    let participants = [participant(indices[0], first)?, participant(indices[1], second)?];
    game::play(game.number, board, opening, participants, &work.plan.config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjudication::Adjudication;
    use crate::schedule::Tournament;
    use crate::types::MatchConfig;
    use std::time::Duration;

    /// A panicked worker must not be waited for, and the ends of other workers must not count as success.
    #[test]
    fn a_panic_of_a_worker_ends_the_match() {
        let (sender, inbox) = channel();
        report_end(&sender, || panic!("on purpose"));
        report_end(&sender, || Ok(()));
        let standings = Standings::new(vec!["a".into(), "b".into()], None);
        let mut recorder = Recorder::open(&plan(), standings, 2).expect("a recorder");
        let error = record_games(&mut recorder, &inbox, 2, None).expect_err("a panic");
        assert!(error.to_string().contains("panicked"), "{error}");
    }

    fn plan() -> MatchPlan {
        let (time_margin, stall_timeout) = (Duration::ZERO, Duration::ZERO);
        let config = MatchConfig { time_margin, stall_timeout, adjudication: Adjudication::default() };
        MatchPlan {
            players: Vec::new(),
            game: "tic-tac-toe".into(),
            games: 2,
            openings: None,
            seed: 1,
            concurrency: 1,
            tournament: Tournament::RoundRobin,
            config,
            sprt: None,
            json: None,
            json_report: false,
            verbose: false,
            resume: false,
            range: None,
            record: None,
        }
    }
}
