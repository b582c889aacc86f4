//! Self-play of Reversi for training: random openings, searched moves, exact values near the end of the game.

use super::game_file::{MAX_GAME_MOVES, TrainingGame, to_half_discs};
use super::opening::{OpeningChoice, RandomOpening};
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::Solver;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::result::SearchParameters;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::UNIT;
use crate::search::worker::SearchContext;
use crate::support::random::Random;
use std::sync::atomic::AtomicU64;

/// A player that plays both sides of Reversi games and gives every position after the opening a value.
pub struct ReversiSelfPlay<K: SolverLevel, E: Eval<Reversi<K>>> {
    context: SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    table: TranspositionTable,
    solver: Solver,
    depth: u32,
    /// Positions with so many empty squares or fewer are solved.
    pub exact: u32,
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> ReversiSelfPlay<K, E> {
    /// A player that searches `depth` plies, and solves positions with `exact` empty squares or fewer.
    pub fn new(game: Reversi<K>, eval: E, probcut_model: Option<&ProbCutModel>, depth: u32, exact: u32) -> Self {
        let policy = ReversiPolicy::with_probcut(&game, 1, probcut_model).expect("a small table");
        ReversiSelfPlay {
            context: SearchContext { game, eval, policy },
            table: TranspositionTable::new(1).expect("a small table"),
            solver: Solver::new(1).expect("a small table"),
            depth,
            exact,
        }
    }

    /// Clears the tables, so that a game does not depend on the games before it.
    pub fn clear(&mut self) {
        self.table.clear();
        self.solver.clear();
    }

    /// Plays the game with this number.
    pub fn play(&mut self, seed: u64, number: u64) -> TrainingGame {
        self.clear();
        let mut random = Random(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        random.bits();
        let opening = RandomOpening::draw(&mut random);
        let (mut board, mut first) = (Board::START, true);
        let mut game = TrainingGame {
            squares: Vec::with_capacity(MAX_GAME_MOVES),
            values: Vec::with_capacity(MAX_GAME_MOVES),
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
                self.search_move(board)
            } else {
                let (best, discs) = self.solve_move(board);
                if usize::from(game.exact) == ply {
                    game.result = (if first { discs } else { -discs }) as i8;
                }
                // The positions that follow are solved, too: one move in four is random, for variety.
                let mv = if random.below(4) == 0 { moves[random.below(moves.len())] } else { best };
                (mv, discs * UNIT)
            };
            game.squares.push(mv.square);
            game.values.push(to_half_discs(value));
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
        opening: &RandomOpening,
        ply: usize,
        random: &mut Random,
    ) -> Placement {
        match opening.choice(ply, random) {
            OpeningChoice::Random => moves[random.below(moves.len())],
            OpeningChoice::NoisyGreedy(noise) => {
                let mut value = |mv: &Placement| {
                    let child = board.after(*mv);
                    let state = self.context.eval.refresh(&child);
                    self.context.eval.evaluate(&state, &child) + random.below(noise as usize) as i32
                };
                let values: Vec<i32> = moves.iter().map(&mut value).collect();
                let best = (0..moves.len()).min_by_key(|&index| values[index]).unwrap_or(0);
                moves[best]
            }
        }
    }

    /// The best move of a search, and the mean of the values of its last two iterations, of which one is too high and the
    /// other too low by the [odd-even effect](super::odd_even).
    pub fn search_move(&self, board: Board) -> (Placement, i32) {
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let stop = Stop::new(&limits);
        let request = SearchParameters { limits, multipv: 1, only: Vec::new(), threads: 1, draw: 0 };
        let mut values = [0; 2];
        let found = iterative_deepening::search(&self.context, &self.table, &board, &request, &stop, &mut |report| {
            let before = if report.depth > 1 { values[1] } else { report.score };
            values = [before, report.score];
        });
        (found.pv[0], (values[0] + values[1]) / 2)
    }

    /// The best move of a solved position, and its value in discs.
    pub fn solve_move(&self, board: Board) -> (Placement, i32) {
        let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
        let task = SolveTask::exact(1);
        let SearchContext { game, eval, .. } = &self.context;
        let root = RootSolver { solver: &self.solver, game, eval, stop: &stop, nodes: &nodes, task };
        let score = root.score(board).unwrap_or(0);
        (root.best_move(board, score).unwrap_or(Placement::PASS), score)
    }
}
