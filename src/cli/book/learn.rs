//! `flipside book learn`: adds the moves of games and, after a loss, the loser's best alternative.

use super::searches::{Searches, SearchesArgs};
use super::source::transcript;
use crate::cli::io::game_input::NameFiles;
use crate::cli::io::input_lines;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::reversi_games::{RecordedGame, ReversiGames};
use anyhow::{Context, anyhow};
use clap::Args;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::learner::{DEFAULT_DEPTH, DEFAULT_PLIES, Learned, Learner, LearnerSearches};
use flipside_core::games::reversi::book::searcher::Job;
use flipside_core::games::reversi::book::store::BookStore;
use flipside_core::games::reversi::obf::square_name;
use flipside_support::json;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside book learn`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book learn --book my.book games.txt"])]
pub struct LearnArgs {
    /// File of games in any format that `flipside convert` reads, recognised by content; `-` or no file reads standard
    /// input
    file: Option<PathBuf>,
    /// Book to add to; a new one is created if the file does not exist
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Number of moves of a game to add
    #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_PLIES, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Depth of the searches of new positions, in plies
    #[arg(long, value_name = "PLIES", default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    #[command(flatten)]
    names: NameFiles,
    #[command(flatten)]
    searches: SearchesArgs,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

/// The result of a game: the object of `--json`.
#[derive(Serialize)]
struct LearnedLine {
    /// The game, counted from 1.
    game: u64,
    positions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    discs: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<BetterMove>,
}

/// The alternative that would have cost the loser least.
#[derive(Serialize)]
struct BetterMove {
    after: String,
    r#move: String,
}

impl LearnedLine {
    fn new(game: u64, learned: &Learned) -> LearnedLine {
        let better = learned.better.as_ref();
        let better =
            better.map(|(moves, square)| BetterMove { after: transcript(moves), r#move: square_name(*square) });
        LearnedLine { game, positions: learned.positions, discs: learned.discs, better }
    }
}

/// Learns the games and prints a line for each one that is safe in the journal.
///
/// # Errors
/// A file cannot be read or written. A game that cannot be read is reported and skipped.
pub fn run(args: &LearnArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let name = args.book.display();
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    input_lines::announce(args.file.as_deref(), "games in any format, such as a line of moves f5d6c3");
    let mut games = ReversiGames::open(args.file.as_deref(), &args.names, &interrupt)?;
    let mut store = BookStore::open(&args.book).with_context(|| format!("cannot open {name}"))?;
    let mut learned = 0_u64;
    let searches = Searches::open(&args.searches, &interrupt)?;
    let searches = ParallelSearches { searches, interrupt: &interrupt };
    drop(opening);
    let mut learner = Learner { store: &mut store, plies: args.plies, depth: args.depth, searches };
    while let Some((found, game)) = games.next_game()? {
        let Some(report) = learn(&mut learner, &game)? else { break };
        learned += 1;
        match report {
            Some(report) if args.json => writeln!(out, "{}", json::line(&LearnedLine::new(learned, &report))?)?,
            Some(report) => writeln!(out, "game {learned}: {report}")?,
            None => found.report(&anyhow!("it does not begin at the start of the game and is skipped"))?,
        }
        out.flush()?;
    }
    store.merge().with_context(|| format!("cannot write {name}"))?;
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::from(u8::from(games.has_bad_game())))
}

/// The searches of a learner, on any number of threads.
struct ParallelSearches<'a> {
    searches: Searches<'a>,
    interrupt: &'a Interrupt,
}

impl LearnerSearches for ParallelSearches<'_> {
    type Error = anyhow::Error;

    fn run(&mut self, store: &mut BookStore, jobs: Vec<Job>) -> anyhow::Result<bool> {
        self.searches.run(jobs, &mut |line| Ok(store.add(&line)?))?;
        Ok(!self.interrupt.is_raised())
    }
}

/// Learns a game. The outer `None` means that it was interrupted, the inner one that it does not begin at the start.
fn learn(
    learner: &mut Learner<'_, ParallelSearches<'_>>,
    game: &RecordedGame,
) -> anyhow::Result<Option<Option<Learned>>> {
    if game.moves.first().is_some_and(|first| first.board != Board::START) {
        return Ok(Some(None));
    }
    let squares: Vec<u8> = game.moves.iter().map(|mv| mv.mv.square).collect();
    Ok(learner.learn(&squares)?.map(Some))
}
