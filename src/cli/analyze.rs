//! `flipside analyze`: what was played, what was best, and what the difference cost.

use super::game_chart;
use super::game_records::{self, Recorded, Records, Turn};
use super::solve_feed::Interrupt;
use crate::games::reversi::board::{Placement, Reversi};
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::obf::square_name;
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::search::evaluation::Eval;
use crate::search::iterative_deepening::{self, Report};
use crate::search::limits::{Limits, Stop};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Certainty, Score, Side, UNIT};
use crate::search::worker::SearchContext;
use anyhow::{Context, anyhow};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Serialize, Serializer};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside analyze`.
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    /// Games, each a transcript on a line (f5d6c3...) or a GGF record; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// Plies searched while the end is out of reach
    #[arg(long, value_name = "PLIES", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Empty squares from which moves are judged exactly
    #[arg(long, value_name = "EMPTIES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=60))]
    exact: u32,
    /// Threads inside one position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    hash: u32,
    /// How positions are judged
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// File of weights for the evaluation, learned or weighted
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// One JSON object a move
    #[arg(long)]
    json: bool,
    /// Draw the evaluation over the game; games after the first get -2, -3, ... before the file's extension
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// What is said about one move. Scores are for the side that moved.
#[derive(Debug, Serialize)]
pub struct Verdict {
    /// The game, counted from 1.
    pub game: usize,
    /// The move, counted from 1 without passes.
    pub number: usize,
    /// Who moved.
    #[serde(serialize_with = "named_side")]
    pub side: Side,
    /// What was played, in lower case.
    pub played: String,
    /// What the search would have played; another move may be as good.
    pub best: String,
    /// Value of the best move.
    #[serde(serialize_with = "in_discs")]
    pub score: Score,
    /// What the played move gave away: 0 if it was as good as the best.
    #[serde(serialize_with = "in_discs")]
    pub loss: Score,
    /// Plies of the search.
    pub depth: i32,
    /// `exact`, or how sure the search was: `100%` for an estimate that cut nothing.
    pub sure: String,
    /// Best play.
    pub pv: Vec<String>,
}

fn named_side<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side_name(*side))
}

fn in_discs<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*score) / f64::from(UNIT))
}

fn side_name(side: Side) -> &'static str {
    if side == Side::First { "black" } else { "white" }
}

impl Verdict {
    fn text(&self) -> String {
        let (score, loss) = (f64::from(self.score) / f64::from(UNIT), f64::from(self.loss) / f64::from(UNIT));
        let Verdict { number, played, best, depth, sure, .. } = self;
        let side = side_name(self.side);
        let pv = self.pv.join(" ");
        format!("{number:3} {side} {played}  best {best} {score:+6.2}  loss {loss:5.2}  depth {depth:2} {sure:5}  {pv}")
    }
}

/// Analyses the games of the file or of standard input.
///
/// # Errors
/// When a file cannot be read or written. A game that cannot be read is reported and left out.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let evaluation = ReversiEvaluation::open(&args.evaluation, args.weights.as_deref())?;
    with_evaluation(&evaluation, Run { args })
}

struct Run<'a> {
    args: &'a AnalyzeArgs,
}

impl WithEvaluation for Run<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<ExitCode> {
        let args = self.args;
        let input = super::lines_of(args.file.as_deref())?;
        let interrupt = Interrupt::new()?;
        // Half for the solver, half for the search.
        let half = (args.hash as usize / 2).max(1);
        let policy = ReversiPolicy::with_probcut(&game, half, probcut_model);
        let context = SearchContext { game, eval, policy };
        let analyst = Analyst { args, context: &context, table: TranspositionTable::new(half), interrupt: &interrupt };
        let (mut count, mut unread) = (0, false);
        for record in Records::new(input) {
            let (line, text) = record.context("cannot read the games")?;
            let recorded = match game_records::read(&context.game, &text) {
                Ok(recorded) => recorded,
                Err(reason) => {
                    unread = true;
                    writeln!(stderr(), "line {line}: {reason}")?;
                    continue;
                }
            };
            count += 1;
            let Some(verdicts) = analyst.judge(&recorded, count) else { return Ok(ExitCode::from(130)) };
            if let Err(error) = tell(args, &recorded, &verdicts, count) {
                let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
                return if closed(&error) { Ok(ExitCode::SUCCESS) } else { Err(error).context("cannot write") };
            }
            if let Some(path) = &args.svg {
                let path = numbered(path, count);
                game_chart::draw(&path, &title(&recorded, count), &verdicts)
                    .map_err(|error| anyhow!("cannot draw {}: {error}", path.display()))?;
            }
        }
        Ok(ExitCode::from(u8::from(unread)))
    }
}

fn tell(args: &AnalyzeArgs, recorded: &Recorded, verdicts: &[Verdict], game: usize) -> std::io::Result<()> {
    let mut out = stdout().lock();
    if args.json {
        for verdict in verdicts {
            writeln!(out, "{}", serde_json::to_string(verdict)?)?;
        }
        return out.flush();
    }
    writeln!(out, "{}", title(recorded, game))?;
    for verdict in verdicts {
        writeln!(out, "{}", verdict.text())?;
    }
    for side in [Side::First, Side::Second] {
        writeln!(out, "{}", summary(verdicts, side))?;
    }
    out.flush()
}

fn title(recorded: &Recorded, game: usize) -> String {
    match &recorded.players {
        [None, None] => format!("game {game}"),
        [black, white] => {
            let name = |player: &Option<String>| player.clone().unwrap_or_else(|| "?".to_string());
            format!("game {game}: {} - {}", name(black), name(white))
        }
    }
}

/// How many discs a side gave away, and where most.
fn summary(verdicts: &[Verdict], side: Side) -> String {
    let own: Vec<_> = verdicts.iter().filter(|verdict| verdict.side == side).collect();
    let discs = |loss: Score| f64::from(loss) / f64::from(UNIT);
    let total: Score = own.iter().map(|verdict| verdict.loss).sum();
    let worst = own.iter().max_by_key(|verdict| (verdict.loss, std::cmp::Reverse(verdict.number)));
    let worst = worst.filter(|verdict| verdict.loss > 0).map(|verdict| {
        format!(
            "; worst: move {} {} ({:.2}, best {})",
            verdict.number,
            verdict.played,
            discs(verdict.loss),
            verdict.best
        )
    });
    let mean = discs(total) / own.len().max(1) as f64;
    let name = side_name(side);
    let best = own.iter().filter(|verdict| verdict.loss == 0).count();
    let count = own.len();
    format!(
        "{name}: {best} of {count} moves best, {:.2} discs lost, {mean:.2} a move{}",
        discs(total),
        worst.unwrap_or_default()
    )
}

/// `game.svg`, `game-2.svg`, `game-3.svg`, ...
fn numbered(path: &Path, game: usize) -> PathBuf {
    if game == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = format!("{stem}-{game}");
    if let Some(extension) = path.extension() {
        name += ".";
        name += &extension.to_string_lossy();
    }
    path.with_file_name(name)
}

/// Judges the moves of games one after the other.
struct Analyst<'a, K: Kernels, E: Eval<Reversi<K>>> {
    args: &'a AnalyzeArgs,
    context: &'a SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    table: TranspositionTable,
    interrupt: &'a Interrupt,
}

impl<K: Kernels, E: Eval<Reversi<K>>> Analyst<'_, K, E> {
    /// From the last move back, so that the search before a move knows what came of it. `None` if interrupted.
    fn judge(&self, recorded: &Recorded, game: usize) -> Option<Vec<Verdict>> {
        self.table.clear();
        let bar = progress(recorded.turns.len() as u64);
        let mut verdicts = Vec::new();
        for (index, turn) in recorded.turns.iter().enumerate().rev() {
            verdicts.push(self.verdict(turn, game, index + 1)?);
            bar.inc(1);
        }
        bar.finish_and_clear();
        verdicts.reverse();
        Some(verdicts)
    }

    fn verdict(&self, turn: &Turn, game: usize, number: usize) -> Option<Verdict> {
        let best = self.look(turn, Vec::new())?;
        let mut loss = 0;
        if best.line.first() != Some(&turn.played) {
            loss = (best.score - self.look(turn, vec![turn.played])?.score).max(0);
        }
        let names: Vec<_> = best.line.iter().map(|mv| square_name(mv.square)).collect();
        let sure = match best.certainty {
            Certainty::Exact => "exact".to_string(),
            Certainty::WinLossDraw => "wld".to_string(),
            Certainty::Selective(percent) | Certainty::Estimate(percent) => format!("{percent}%"),
        };
        Some(Verdict {
            game,
            number,
            side: turn.side,
            played: square_name(turn.played.square),
            best: names.first().cloned().unwrap_or_default(),
            score: best.score,
            loss,
            depth: best.depth,
            sure,
            pv: names,
        })
    }

    fn look(&self, turn: &Turn, only: Vec<Placement>) -> Option<Report<Placement>> {
        let empties = turn.board.empties();
        let depth = if empties <= self.args.exact { empties } else { self.args.depth };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let stop = self.interrupt.watch(Stop::new(&limits));
        let request =
            iterative_deepening::Request { limits, multipv: 1, only, threads: usize::from(self.args.threads), draw: 0 };
        let result = iterative_deepening::search(self.context, &self.table, &turn.board, &request, &stop, &mut |_| ());
        result.best.filter(|_| !self.interrupt.is_raised())
    }
}

fn progress(moves: u64) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} moves, {eta} left");
    ProgressBar::new(moves).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
