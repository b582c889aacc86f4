//! Estimates of moves for the order of the proof, by shallow searches of the positions after them.

use flipside_core::games::reversi::board::{Board, Placement};
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::games::reversi::symmetry::Symmetry;
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::result::SearchParameters;
use flipside_core::search::solve::SolveTask;
use flipside_core::search::types::{Score, Selectivity, UNIT};
use flipside_support::memory::MemoryError;

/// MiB of the table of an estimate. The table is cleared before each estimate.
const TABLE: usize = 2;

/// Most empty squares of a position that is solved selectively first.
const HINTS_MOST: u32 = 34;
/// MiB of the table of the selective solve.
const HINTS_TABLE: usize = 256;
/// Bonus in discs for the move that the solve preferred. It is less than half the distance between two scores, so the
/// expected score of the root stays the one that the solve found.
const PREFERENCE: f32 = 0.9;

fn discs(score: Score) -> f32 {
    score as f32 / UNIT as f32
}

/// Estimates the legal moves of positions by shallow searches.
pub struct Estimator {
    /// The searcher; its tables are cleared before each estimate.
    searcher: ReversiSearcher,
    /// Plies of a search.
    depth: u32,
    /// The root and a searcher with empty tables for it, until the first estimate.
    hints_to_find: Option<(Board, ReversiSearcher)>,
    /// The searcher after the selective solve of the root, with its tables.
    hints: Option<ReversiSearcher>,
}

impl Estimator {
    /// Estimates by searches of `depth` plies, corrected by a selective solve of `root` if it is given and not too
    /// hard. The solve runs at the first estimate.
    ///
    /// # Errors
    /// There is too little memory for the searches.
    pub fn new(evaluation: &ReversiEvaluation, depth: u32, root: Option<Board>) -> Result<Estimator, MemoryError> {
        let open = |search_hash, solver_hash| {
            searcher::open(evaluation, &SearcherOptions::with_tables(search_hash, solver_hash))
        };
        // Without measured errors of the evaluation, a solve cannot be selective.
        let root = root.filter(|root| root.empties() <= HINTS_MOST && evaluation.probcut_model().is_some());
        let hints_to_find = root.map(|root| Ok((root, open(1, HINTS_TABLE)?))).transpose()?;
        Ok(Estimator { searcher: open(TABLE, 1)?, depth, hints_to_find, hints: None })
    }

    /// Every legal move with its value in discs for the side to move, and the number of positions searched.
    pub fn moves(&mut self, board: Board) -> (Vec<(Placement, f32)>, u64) {
        self.searcher.clear();
        let mut nodes = self.hints_to_find.take().map_or(0, |(root, searcher)| self.find_hints(root, searcher));
        let game = Reversi::portable();
        let values = game.moves(&board).map(|mv| {
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

    /// Solves the root selectively; returns the number of positions searched.
    fn find_hints(&mut self, root: Board, searcher: ReversiSearcher) -> u64 {
        let task = SolveTask { selectivity: Selectivity::BOLDEST, ..SolveTask::exact(1) };
        let solution = searcher.solve(&root, &task, &Stop::new(&Limits::default()));
        self.hints = Some(searcher);
        solution.map_or(0, |solution| solution.nodes)
    }

    fn value(&self, board: Board) -> (f32, u64) {
        if Reversi::portable().outcome(&board).is_some() {
            return (board.final_discs() as f32, 1);
        }
        let limits = Limits::depth(self.depth);
        let stop = Stop::new(&limits);
        let found = self.searcher.search(&board, &SearchParameters::new(limits), &stop, &mut |_| ());
        (discs(found.best.map_or(0, |best| best.score)), found.nodes)
    }
}

/// The value of a move, corrected by the selective solve: by its bounds for the position after the move, and by whether
/// it preferred the move.
fn hinted(hints: &ReversiSearcher, board: Board, mv: Placement, value: f32) -> f32 {
    let child = board.after(mv);
    let mut value = value;
    for symmetry in Symmetry::ALL {
        if let Some(probed) = hints.probe(&symmetry.board(child)) {
            let (lower, upper) = probed.bounds;
            value = value.max(-discs(upper)).min(-discs(lower));
        }
    }
    let is_preferred = |symmetry: &Symmetry| {
        let best = hints.probe(&symmetry.board(board)).and_then(|probed| probed.best);
        best.is_some_and(|best| best.square == symmetry.square(mv.square))
    };
    let preferred = Symmetry::ALL.iter().any(is_preferred);
    value + if preferred { PREFERENCE } else { 0.0 }
}
