//! `flipside train selfplay`: games from random openings, every value exact near the end.
//!
//! Each game depends on the seed and its number alone, and games are written in order, so that a
//! file is the same however many threads wrote it and however often it was interrupted.

use super::judge::Judge;
use super::opening::{Choice, Opening};
use super::record::{FORMAT, GameRecord, GameWriter, Header, MOST_MOVES, halves};
use super::watch::{bar, watch_interrupts};
use crate::games::reversi::board::{Board, Placement, Reversi};
use crate::games::reversi::evaluation::{WithEvaluation, with_evaluation};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::solver::Solver;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening::{self, Request};
use crate::search::limits::{Limits, Stop};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Selectivity, UNIT};
use crate::search::worker::SearchContext;
use crate::support::ordered_pool;
use crate::support::random::Random;
use anyhow::Context;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Arguments of `flipside train selfplay`.
#[derive(Args, Debug)]
pub struct SelfplayArgs {
    /// File of games; an interrupted one is continued
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games that the file shall hold in the end
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Decides the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies of the searches that choose moves
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Empty squares from which every value is exact
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    exact: u32,
    /// Games side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    judge: Judge,
}

/// Plays until the file holds enough games.
///
/// # Errors
/// The file cannot be written or holds other games; the evaluation cannot be opened.
pub fn run(args: &SelfplayArgs) -> anyhow::Result<ExitCode> {
    let evaluation = args.judge.open()?;
    let header = Header {
        format: FORMAT.into(),
        seed: args.seed,
        depth: args.depth,
        exact: args.exact,
        evaluation: evaluation.identity(),
    };
    let mut writer = GameWriter::open(&args.out, &header)?;
    let interrupted = watch_interrupts()?;
    with_evaluation(&evaluation, Series { args, writer: &mut writer, interrupted: &interrupted })?;
    Ok(ExitCode::from(if interrupted.load(Ordering::Relaxed) { 130 } else { 0 }))
}

/// All games of a file, by an evaluation compiled for the processor.
struct Series<'a> {
    args: &'a SelfplayArgs,
    writer: &'a mut GameWriter,
    interrupted: &'a AtomicBool,
}

impl WithEvaluation for Series<'_> {
    type Output = anyhow::Result<()>;

    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<()> {
        let Series { args, writer, interrupted } = self;
        let bar = bar(args.games, writer.games);
        let numbers = (writer.games..args.games).take_while(|_| !interrupted.load(Ordering::Relaxed));
        let player = || SelfPlayer::new(game.clone(), eval.clone(), probcut_model, args.depth, args.exact);
        let play = |player: &mut SelfPlayer<K, E>, number| player.play(args.seed, number);
        ordered_pool::run(usize::from(args.threads), numbers, player, play, |game| {
            bar.inc(1);
            writer.write(&game).context("cannot write a game")
        })?;
        bar.abandon();
        Ok(())
    }
}

/// Plays games against itself.
pub struct SelfPlayer<K: Kernels, E: Eval<Reversi<K>>> {
    context: SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    table: TranspositionTable,
    solver: Solver,
    depth: u32,
    /// Empty squares from which every value is exact.
    pub exact: u32,
}

impl<K: Kernels, E: Eval<Reversi<K>>> SelfPlayer<K, E> {
    /// A player that searches so many plies, and solves from so many empty squares on.
    pub fn new(game: Reversi<K>, eval: E, probcut_model: Option<&ProbCutModel>, depth: u32, exact: u32) -> Self {
        let policy = ReversiPolicy::with_probcut(&game, 1, probcut_model);
        SelfPlayer {
            context: SearchContext { game, eval, policy },
            table: TranspositionTable::new(1),
            solver: Solver::new(1),
            depth,
            exact,
        }
    }

    /// Forgets all positions, so that a game depends on no other.
    pub fn forget(&mut self) {
        self.table.clear();
        self.solver.clear();
    }

    /// The game of that number.
    pub fn play(&mut self, seed: u64, number: u64) -> GameRecord {
        self.forget();
        let mut random = Random(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        random.bits();
        let opening = Opening::draw(&mut random);
        let (mut board, mut first) = (Board::START, true);
        let mut game = GameRecord {
            squares: Vec::with_capacity(MOST_MOVES),
            values: Vec::with_capacity(MOST_MOVES),
            opening: 0,
            exact: 0,
            result: 0,
        };
        loop {
            let moves: Vec<Placement> = self.context.game.moves(&board).collect();
            let Some(&only) = moves.first() else { break };
            if only == Placement::PASS {
                (board, first) = (board.passed(), !first);
                continue;
            }
            let ply = game.squares.len();
            let (mv, value) = if ply < opening.length {
                game.opening += 1;
                game.exact += 1;
                (self.opening_move(board, &moves, &opening, ply, &mut random), 0)
            } else if board.empties() > self.exact {
                game.exact += 1;
                self.searched(board)
            } else {
                let (best, discs) = self.solved(board);
                if usize::from(game.exact) == ply {
                    game.result = (if first { discs } else { -discs }) as i8;
                }
                // What follows is solved as well, so one move in four may be any.
                let mv = if random.below(4) == 0 { moves[random.below(moves.len())] } else { best };
                (mv, discs * UNIT)
            };
            game.squares.push(mv.square);
            game.values.push(halves(value));
            (board, first) = (board.after(mv), !first);
        }
        if usize::from(game.exact) == game.squares.len() {
            let discs = board.final_discs();
            game.result = (if first { discs } else { -discs }) as i8;
        }
        game
    }

    fn opening_move(
        &self,
        board: Board,
        moves: &[Placement],
        opening: &Opening,
        ply: usize,
        random: &mut Random,
    ) -> Placement {
        match opening.choice(ply, random) {
            Choice::Blind => moves[random.below(moves.len())],
            Choice::Sloppy(blur) => {
                let mut value = |mv: &Placement| {
                    let child = board.after(*mv);
                    let state = self.context.eval.refresh(&child);
                    self.context.eval.evaluate(&state, &child) + random.below(blur as usize) as i32
                };
                let values: Vec<i32> = moves.iter().map(&mut value).collect();
                let best = (0..moves.len()).min_by_key(|&index| values[index]).unwrap_or(0);
                moves[best]
            }
        }
    }

    /// The move of a search, and the mean of the values of its last two iterations: whoever moves last in an
    /// iteration picks the leaves that flatter him, and that is one side in the one and the other in the other.
    pub fn searched(&self, board: Board) -> (Placement, i32) {
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let stop = Stop::new(&limits);
        let request = Request { limits, multipv: 1, only: Vec::new(), threads: 1, draw: 0 };
        let mut values = [0; 2];
        let found = iterative_deepening::search(&self.context, &self.table, &board, &request, &stop, &mut |report| {
            let before = if report.depth > 1 { values[1] } else { report.score };
            values = [before, report.score];
        });
        (found.line[0], (values[0] + values[1]) / 2)
    }

    /// The best move and its value in discs.
    pub fn solved(&self, board: Board) -> (Placement, i32) {
        let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
        let task = SolveTask { window: (-64, 64), selectivity: Selectivity::EXACT, threads: 1 };
        let SearchContext { game, eval, .. } = &self.context;
        let root = RootSolver { solver: &self.solver, game, eval, stop: &stop, nodes: &nodes, task };
        let score = root.score(board).unwrap_or(0);
        (root.best_move(board, score).unwrap_or(Placement::PASS), score)
    }
}
