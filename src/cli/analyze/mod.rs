//! `flipside analyze`: for every move of a game the best move, its score, and the loss of the move that was played.

mod game_chart;
pub mod game_records;
mod report;

use super::input_lines;
use super::interrupt::{INTERRUPTED, Interrupt};
use super::output::Output;
use super::progress;
use super::whole_file;
use crate::games::reversi::board::Placement;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::obf::square_name;
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::search::evaluation::Eval;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::result::{Iteration, SearchParameters};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::Side;
use crate::search::worker::SearchContext;
use crate::support::{json, thread_pool};
use anyhow::{Context, anyhow};
use clap::Args;
use game_records::{GameTexts, RecordedGame, RecordedMove};
use indicatif::ProgressBar;
use report::{MoveAnalysis, summary};
use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside analyze`.
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    /// File of games, each a transcript on a line (f5d6c3...) or a GGF record; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// Search depth in plies before the endgame
    #[arg(long, value_name = "PLIES", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Solve positions with so many empty squares or fewer exactly
    #[arg(long, value_name = "EMPTIES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=60))]
    exact: u32,
    /// Threads of one position; more than the processors are not started
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the transposition tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    hash: u32,
    /// Evaluation function
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// File of weights for the evaluation `learned` or `weighted` (default: the built-in weights)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Print one JSON object a move
    #[arg(long)]
    json: bool,
    /// Draw the course of the game into this SVG file; games after the first get -2, -3, ... before the file's extension
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Analyses the games of the file or of standard input.
///
/// # Errors
/// When a file cannot be read or written. A game that cannot be read is reported and left out.
pub fn run(args: &AnalyzeArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let evaluation =
        ReversiEvaluation::open(&args.evaluation, args.weights.as_deref()).context("cannot use the evaluation")?;
    with_evaluation(&evaluation, AnalyzeGames { args, out })
}

/// All games of the input, with an evaluation, compiled for the processor's level.
struct AnalyzeGames<'a> {
    args: &'a AnalyzeArgs,
    out: &'a mut Output,
}

impl WithEvaluation for AnalyzeGames<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<ExitCode> {
        let AnalyzeGames { args, out } = self;
        let interrupt = Interrupt::new()?;
        input_lines::announce(args.file.as_deref(), "games, each a line of moves such as f5d6c3 or a GGF record");
        let input = input_lines::open(args.file.as_deref(), &interrupt)?;
        // One half for the solver, the other for the search.
        let half = (args.hash as usize / 2).max(1);
        let too_large = "--hash is too large";
        let policy = ReversiPolicy::with_probcut(&game, half, probcut_model).context(too_large)?;
        let context = SearchContext { game, eval, policy };
        let table = TranspositionTable::new(half).context(too_large)?;
        let analyser = Analyser { args, context: &context, table, interrupt: &interrupt };
        let (mut count, mut has_bad_game) = (0, false);
        for record in GameTexts::new(input) {
            let (line, text) = record.context("cannot read the games")?;
            let recorded = match game_records::read(&context.game, &text) {
                Ok(recorded) => recorded,
                Err(reason) => {
                    has_bad_game = true;
                    writeln!(stderr(), "line {line}: {reason}").context("cannot report a bad game")?;
                    continue;
                }
            };
            count += 1;
            let Some(moves) = analyser.analyse(&recorded, count) else { return Ok(ExitCode::from(INTERRUPTED)) };
            print(args, &recorded, &moves, count, out)?;
            if let Some(path) = &args.svg {
                let path = numbered(path, count);
                let chart = game_chart::svg(&title(&recorded, count), &moves)
                    .map_err(|error| anyhow!("cannot draw {}: {error}", path.display()))?;
                whole_file::write(&path, chart.as_bytes())?;
            }
        }
        if interrupt.is_raised() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Ok(ExitCode::from(u8::from(has_bad_game)))
    }
}

fn print(
    args: &AnalyzeArgs,
    recorded: &RecordedGame,
    moves: &[MoveAnalysis],
    game: usize,
    out: &mut Output,
) -> std::io::Result<()> {
    if args.json {
        for mv in moves {
            writeln!(out, "{}", json::line(mv)?)?;
        }
        return Ok(());
    }
    writeln!(out, "{}", title(recorded, game))?;
    for mv in moves {
        writeln!(out, "{}", mv.text())?;
    }
    for side in [Side::First, Side::Second] {
        writeln!(out, "{}", summary(moves, side))?;
    }
    Ok(())
}

fn title(recorded: &RecordedGame, game: usize) -> String {
    match &recorded.players {
        [None, None] => format!("game {game}"),
        [black, white] => {
            let name = |player: &Option<String>| player.clone().unwrap_or_else(|| "?".to_string());
            format!("game {game}: {} - {}", name(black), name(white))
        }
    }
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

/// Analyses one game after another.
struct Analyser<'a, K: SolverLevel, E: Eval<Reversi<K>>> {
    args: &'a AnalyzeArgs,
    context: &'a SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    table: TranspositionTable,
    interrupt: &'a Interrupt,
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> Analyser<'_, K, E> {
    /// Analyses the moves from the last to the first: the transposition table then holds what follows a move before the
    /// position of the move is searched. None if interrupted.
    fn analyse(&self, recorded: &RecordedGame, game: usize) -> Option<Vec<MoveAnalysis>> {
        self.table.clear();
        let bar = moves_bar(recorded.moves.len() as u64);
        let mut moves = Vec::new();
        for (index, mv) in recorded.moves.iter().enumerate().rev() {
            moves.push(self.analyse_move(mv, game, index + 1)?);
            bar.inc(1);
        }
        bar.finish_and_clear();
        moves.reverse();
        Some(moves)
    }

    fn analyse_move(&self, recorded: &RecordedMove, game: usize, number: usize) -> Option<MoveAnalysis> {
        let best = self.search(recorded, Vec::new())?;
        let mut loss = 0;
        if best.pv.first() != Some(&recorded.mv) {
            loss = (best.score - self.search(recorded, vec![recorded.mv])?.score).max(0);
        }
        let names: Vec<_> = best.pv.iter().map(|mv| square_name(mv.square)).collect();
        Some(MoveAnalysis {
            game,
            number,
            side: recorded.side,
            played: square_name(recorded.mv.square),
            best: names.first().cloned().unwrap_or_default(),
            score: best.score,
            loss,
            depth: best.depth,
            certainty: best.certainty,
            pv: names,
        })
    }

    /// Searches the position of a move: all moves, or only some. None if interrupted.
    fn search(&self, recorded: &RecordedMove, only: Vec<Placement>) -> Option<Iteration<Placement>> {
        let empties = recorded.board.empties();
        let depth = if empties <= self.args.exact { empties } else { self.args.depth };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let stop = self.interrupt.watch(Stop::new(&limits));
        let request = SearchParameters {
            limits,
            multipv: 1,
            only,
            threads: thread_pool::useful(usize::from(self.args.threads)),
            draw: 0,
        };
        let result =
            iterative_deepening::search(self.context, &self.table, &recorded.board, &request, &stop, &mut |_| ());
        result.best.filter(|_| !self.interrupt.is_raised())
    }
}

/// A progress bar, hidden unless stderr is a terminal.
fn moves_bar(moves: u64) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    progress::bar(moves, "{bar:40} {pos}/{len} moves, {eta} left")
}
