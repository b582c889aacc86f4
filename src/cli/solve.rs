//! `flipside solve`: positions in, best moves and scores out, in order, as soon as they are ready.

use super::solve_check::{Tally, checked};
use super::solve_feed::{Feed, Interrupt, answered_lines, serve};
use crate::games::reversi::board::{Board, Placement, Reversi};
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::obf::{self, ObfLine};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::games::reversi::solver::{Solver, SolverSettings};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Certainty, Selectivity, UNIT};
use crate::search::worker::SearchContext;
use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Arguments of `flipside solve`.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// Positions in OBF, one a line; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// The value of every legal move
    #[arg(long)]
    all_moves: bool,
    /// Only who wins: scores are 1, 0 or -1
    #[arg(long, conflicts_with = "selectivity")]
    wld: bool,
    /// Confidence in percent: 73, 87, 95, 98, 99 or 100 (exact) [default: 100, with --depth 73]
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    selectivity: Option<Selectivity>,
    /// Search to this depth instead of the end
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    #[arg(conflicts_with_all = ["wld", "all_moves"])]
    depth: Option<u32>,
    /// How positions are judged: all but the value of exact answers depends on it
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// File of weights for the evaluation, learned or weighted
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Positions side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Threads inside one position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the tables of all jobs together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Compare with the values in the file; the exit status is 1 if an exact answer differs
    #[arg(long)]
    check: bool,
    /// Write answers to this file and skip what it already answers
    #[arg(long, value_name = "OUT")]
    resume: Option<PathBuf>,
}

fn percent(text: &str) -> Result<Selectivity, String> {
    let known = || format!("expected one of {:?}", Selectivity::PERCENT);
    let percent = text.parse().ok().filter(|percent| Selectivity::PERCENT.contains(percent)).ok_or_else(known)?;
    Ok(Selectivity::from_percent(percent))
}

/// What is said about one position.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// Number of the input line, from 1.
    pub line: u64,
    /// The position as it was read.
    pub position: String,
    /// Best moves, in lower case; empty if the game is over.
    pub best: Vec<String>,
    /// Discs for the side to move; whole where the end was reached.
    pub score: serde_json::Number,
    /// `exact`, `wld`, `73%` or `depth 12@73%`.
    pub kind: String,
    /// Positions entered.
    pub nodes: u64,
    /// Time spent on this position.
    pub seconds: f64,
    /// Best play.
    pub pv: Vec<String>,
    /// Every move with its score, with `--all-moves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<(String, i32)>>,
}

impl Answer {
    fn text(&self) -> String {
        let best = if self.best.is_empty() { "-".to_string() } else { self.best.join(",") };
        let mut text = format!(
            "{} {best} {} {} {} nodes {:.3} s {}",
            self.line,
            signed(&self.score),
            self.kind,
            self.nodes,
            self.seconds,
            self.pv.join(" ")
        );
        for (name, score) in self.moves.iter().flatten() {
            text += &format!("; {name}:{score:+}");
        }
        text
    }
}

fn signed(score: &serde_json::Number) -> String {
    let plus = score.as_f64().is_some_and(|value| value >= 0.0);
    format!("{}{score}", if plus { "+" } else { "" })
}

/// Solves the file or standard input.
pub fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let input = super::lines_of(args.file.as_deref())?;
    let (out, done): (Box<dyn Write>, u64) = match &args.resume {
        Some(path) => {
            let done = answered_lines(path).with_context(|| format!("cannot resume {}", path.display()))?;
            let file = OpenOptions::new().append(true).create(true).open(path);
            (Box::new(file.with_context(|| format!("cannot write {}", path.display()))?), done)
        }
        None => (Box::new(stdout().lock()), 0),
    };
    let evaluation = ReversiEvaluation::open(&args.evaluation, args.weights.as_deref())?;
    with_evaluation(&evaluation, Run { args, feed: Feed::new(input, done), out })
}

/// The whole work, compiled for the processor's level.
struct Run<'a> {
    args: &'a SolveArgs,
    feed: Feed,
    out: Box<dyn Write + 'a>,
}

impl WithEvaluation for Run<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<ExitCode> {
        let Run { args, mut feed, mut out } = self;
        let interrupt = Interrupt::new()?;
        let bar = progress(args);
        let started = Instant::now();
        let mut tally = Tally::default();
        let jobs = usize::from(args.jobs);
        let mut policy = ReversiPolicy::with_probcut(&game, 1, probcut_model);
        if let Some(selectivity) = args.selectivity {
            policy = policy.with_selectivity(selectivity);
        }
        let context = SearchContext { game, eval, policy };
        let settings = SolverSettings::with_probcut(probcut_model);
        let bench = || Bench::new(args, jobs, &context, &interrupt, settings);
        let work = |bench: &mut Bench<'_, K, E>, line: &ObfLine, number| bench.answer(line, number);
        let written = serve(&mut feed, jobs, &interrupt, bench, work, |line, answer| {
            bar.inc(1);
            if args.check {
                tally.add(checked(line, answer));
            }
            let text = if args.json { serde_json::to_string(answer)? } else { answer.text() };
            writeln!(out, "{text}")?;
            out.flush()
        });
        bar.finish_and_clear();
        match written {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            other => other.context("cannot write an answer")?,
        }
        if args.check {
            writeln!(stderr(), "{}", tally.summary(started.elapsed()))?;
        }
        if interrupt.is_raised() {
            return Ok(ExitCode::from(130));
        }
        let failed = args.check && tally.wrong > 0 || feed.bad_lines() > 0;
        Ok(ExitCode::from(u8::from(failed)))
    }
}

/// A bar on a terminal that is not the one the answers go to.
fn progress(args: &SolveArgs) -> ProgressBar {
    let wanted = stderr().is_terminal() && (args.resume.is_some() || !stdout().is_terminal());
    if !wanted {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{pos} positions, {elapsed}, {per_sec}");
    ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// From so many empty squares a position is worth the large table; a small one stays in the cache.
const LARGE_FROM: u32 = 15;

/// MiB that do for a search to a depth: a small table is fetched into the cache once, a large one again and again.
fn table_for(depth: u32) -> usize {
    1 << (depth.saturating_sub(8) / 2)
}

/// One job: its tables, and what it needs to answer a position.
struct Bench<'a, K: Kernels, E: Eval<Reversi<K>>> {
    args: &'a SolveArgs,
    context: &'a SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    interrupt: &'a Interrupt,
    settings: SolverSettings,
    small: Solver,
    large: Option<Solver>,
    mebibytes: usize,
    table: Option<TranspositionTable>,
}

impl<'a, K: Kernels, E: Eval<Reversi<K>>> Bench<'a, K, E> {
    fn new(
        args: &'a SolveArgs,
        jobs: usize,
        context: &'a SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
        interrupt: &'a Interrupt,
        settings: SolverSettings,
    ) -> Self {
        let mebibytes = (args.hash as usize / jobs).max(1);
        let small = Solver::with_settings(1, settings);
        Bench { args, context, interrupt, settings, small, large: None, mebibytes, table: None }
    }

    /// `None` if it was interrupted.
    fn answer(&mut self, line: &ObfLine, number: u64) -> Option<Answer> {
        let start = Instant::now();
        let stop = self.interrupt.watch(Stop::new(&Limits::default()));
        let nodes = AtomicU64::new(0);
        let board = line.board;
        let mut answer = Answer {
            line: number,
            position: obf::show(board, line.black_to_move),
            best: Vec::new(),
            score: 0.into(),
            kind: String::new(),
            nodes: 0,
            seconds: 0.0,
            pv: Vec::new(),
            moves: None,
        };
        match self.args.depth {
            Some(depth) if depth < board.empties() => self.search(board, depth, &stop, &nodes, &mut answer)?,
            _ => self.solve(board, &stop, &nodes, &mut answer)?,
        }
        answer.nodes = nodes.load(Ordering::Relaxed);
        answer.seconds = start.elapsed().as_secs_f64();
        Some(answer)
    }

    fn solve(&mut self, board: Board, stop: &Stop, nodes: &AtomicU64, answer: &mut Answer) -> Option<()> {
        let solver = match board.empties() {
            LARGE_FROM.. => self.large.get_or_insert_with(|| Solver::with_settings(self.mebibytes, self.settings)),
            _ => &mut self.small,
        };
        // Whatever was solved before must not change an answer, so that jobs do not.
        solver.clear();
        let task = SolveTask {
            window: if self.args.wld { (-1, 1) } else { (-64, 64) },
            selectivity: self.args.selectivity.unwrap_or(Selectivity::EXACT),
            threads: usize::from(self.args.threads),
        };
        let root = RootSolver { solver, game: &self.context.game, eval: &self.context.eval, stop, nodes, task };
        let shown = |score: i32| if self.args.wld { score.signum() } else { score };
        answer.kind = match (self.args.wld, task.selectivity) {
            (true, _) => "wld".to_string(),
            (_, Selectivity::EXACT) => "exact".to_string(),
            (_, selectivity) => format!("{}%", selectivity.percent()),
        };
        let score;
        if self.args.all_moves {
            let values = root.all_moves(board)?;
            score = values.first().map_or_else(|| board.final_discs(), |&(_, value)| value);
            let named = |&(mv, value): &(Placement, i32)| (obf::square_name(mv.square), shown(value));
            let moves: Vec<_> = values.iter().map(named).collect();
            let best = moves.iter().take_while(|(_, value)| *value == shown(score));
            answer.best = best.map(|(name, _)| name.clone()).collect();
            answer.moves = Some(moves);
        } else {
            score = root.score(board)?;
        }
        let proven = if self.args.wld { score.signum() } else { score };
        answer.score = shown(score).into();
        answer.pv = root.line(board, proven).iter().map(|mv| obf::square_name(mv.square)).collect();
        if answer.pv.is_empty() && !stop.is_raised() {
            // All moves lose by more than a bound says: one is as good as another.
            answer.pv = root.any_move(board).iter().map(|mv| obf::square_name(mv.square)).collect();
        }
        if answer.best.is_empty() {
            answer.best = answer.pv.first().cloned().into_iter().collect();
        }
        (!stop.is_raised()).then_some(())
    }

    fn search(&mut self, board: Board, depth: u32, stop: &Stop, nodes: &AtomicU64, answer: &mut Answer) -> Option<()> {
        let table = self.table.get_or_insert_with(|| TranspositionTable::new(self.mebibytes.min(table_for(depth))));
        table.clear();
        let request = iterative_deepening::Request {
            limits: Limits { depth: Some(depth), ..Limits::default() },
            multipv: 1,
            only: Vec::new(),
            threads: usize::from(self.args.threads),
            draw: 0,
        };
        let result = iterative_deepening::search(self.context, table, &board, &request, stop, &mut |_| ());
        if stop.is_raised() && self.interrupt.is_raised() {
            return None;
        }
        nodes.store(result.nodes, Ordering::Relaxed);
        if let Some(best) = &result.best {
            answer.kind = match best.certainty {
                Certainty::Exact => "exact".to_string(),
                Certainty::Estimate(percent) => format!("depth {depth}@{percent}%"),
                _ => format!("depth {depth}"),
            };
            answer.score = serde_json::Number::from_f64(f64::from(best.score) / f64::from(UNIT))?;
        } else if self.context.game.outcome(&board).is_some() {
            answer.kind = "exact".to_string();
            answer.score = board.final_discs().into();
        }
        answer.pv = result.line.iter().map(|mv| obf::square_name(mv.square)).collect();
        answer.best = answer.pv.first().cloned().into_iter().collect();
        Some(())
    }
}
