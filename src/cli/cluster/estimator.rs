//! Estimates of moves for the order of the proof: shallow searches of the positions after them.

use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::Solver;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::games::reversi::solver::settings::SolverSettings;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::result::SearchParameters;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Selectivity, UNIT};
use crate::search::worker::SearchContext;
use std::sync::atomic::{AtomicU64, Ordering};

/// MiB of the table of an estimate, which is cleared before each.
const TABLE: usize = 2;

/// Most empty squares of a position that is solved selectively beforehand.
const HINTS_MOST: u32 = 34;
/// MiB of the table of that solve.
const HINTS_TABLE: usize = 256;
/// Discs by which the move that it preferred is worth more: less than half the distance of two scores, so that the score
/// that is expected of the whole stays the one that the solve has found.
const PREFERENCE: f32 = 0.9;

/// Estimates with an evaluation.
struct Estimator<K: SolverLevel, E: Eval<Reversi<K>>> {
    context: SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    /// Cleared before each estimate.
    table: TranspositionTable,
    /// Plies of a search.
    depth: u32,
    /// The whole position and an empty solver for it, until the first estimate.
    hints_to_find: Option<(Board, Solver)>,
    /// What a selective solve of the whole position has left in its table.
    hints: Option<Solver>,
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> Estimator<K, E> {
    fn moves(&mut self, board: Board) -> (Vec<(Placement, f32)>, u64) {
        self.table.clear();
        let mut nodes = self.hints_to_find.take().map_or(0, |(root, solver)| self.find_hints(root, solver));
        let moves: Vec<Placement> = self.context.game.moves(&board).collect();
        let values = moves.into_iter().map(|mv| {
            let (value, searched) = self.value(board.after(mv));
            nodes += searched;
            (mv, -value)
        });
        let mut values: Vec<(Placement, f32)> = values.collect();
        if let Some(hints) = &self.hints {
            values.iter_mut().for_each(|(mv, value)| *value = hinted(hints, board, *mv, *value));
        }
        (values, nodes)
    }

    /// Solves the whole position selectively; the positions searched for that.
    fn find_hints(&mut self, root: Board, solver: Solver) -> u64 {
        let task = SolveTask { window: (-64, 64), selectivity: Selectivity::BOLDEST, threads: 1 };
        let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
        let SearchContext { game, eval, .. } = &self.context;
        let _ = RootSolver { solver: &solver, game, eval, stop: &stop, nodes: &nodes, task }.score(root);
        self.hints = Some(solver);
        nodes.load(Ordering::Relaxed)
    }

    fn value(&self, board: Board) -> (f32, u64) {
        if self.context.game.outcome(&board).is_some() {
            return (board.final_discs() as f32, 1);
        }
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let stop = Stop::new(&limits);
        let request = SearchParameters::new(limits);
        let found = iterative_deepening::search(&self.context, &self.table, &board, &request, &stop, &mut |_| ());
        let score = found.best.map_or(0, |best| best.score);
        (score as f32 / UNIT as f32, found.nodes)
    }
}

/// The value of a move, corrected by what a selective solve has found: its bounds of the position behind the move, and
/// whether it preferred the move.
fn hinted(hints: &Solver, board: Board, mv: Placement, value: f32) -> f32 {
    let child = board.after(mv);
    let mut value = value;
    for symmetry in Symmetry::ALL {
        if let Some(entry) = hints.table.probe(symmetry.board(child)) {
            value = value.max(-f32::from(entry.upper)).min(-f32::from(entry.lower));
        }
    }
    let is_preferred = |symmetry: &Symmetry| {
        let entry = hints.table.probe(symmetry.board(board));
        entry.is_some_and(|entry| entry.moves[0] == symmetry.square(mv.square))
    };
    let preferred = Symmetry::ALL.iter().any(is_preferred);
    value + if preferred { PREFERENCE } else { 0.0 }
}

/// Estimates every legal move of a position in discs for the side to move, and counts the positions searched for that.
pub type Moves<'a> = dyn FnMut(Board) -> (Vec<(Placement, f32)>, u64) + 'a;

/// Does a job with estimates by searches of so many plies, corrected by a selective solve of `root`, if it is given and not
/// too hard. That solve is made when the first move is estimated.
///
/// # Errors
/// There is too little memory for the searches.
pub fn with_estimates<R>(
    evaluation: &ReversiEvaluation,
    depth: u32,
    root: Option<Board>,
    job: impl FnOnce(&mut Moves<'_>) -> R,
) -> anyhow::Result<R> {
    with_evaluation(evaluation, WithEstimates { depth, root, job })
}

struct WithEstimates<J> {
    depth: u32,
    root: Option<Board>,
    job: J,
}

impl<R, J: FnOnce(&mut Moves<'_>) -> R> WithEvaluation for WithEstimates<J> {
    type Output = anyhow::Result<R>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<R> {
        let policy = ReversiPolicy::with_probcut(&game, 1, probcut_model)?;
        let context = SearchContext { game, eval, policy };
        let table = TranspositionTable::new(TABLE)?;
        let mut hints_to_find = None;
        // Without measured errors of the evaluation a selective solve would be none.
        if let (Some(root), Some(_)) = (self.root.filter(|root| root.empties() <= HINTS_MOST), probcut_model) {
            let settings = SolverSettings::with_probcut(probcut_model);
            hints_to_find = Some((root, Solver::with_settings(HINTS_TABLE, settings)?));
        }
        let mut estimator = Estimator { context, table, depth: self.depth, hints_to_find, hints: None };
        Ok((self.job)(&mut |board| estimator.moves(board)))
    }
}
