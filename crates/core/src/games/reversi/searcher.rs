//! The searches of Reversi: each evaluation's recursion compiled for its processor levels.

use super::evaluation::network::weights::PatternNetwork;
use super::evaluation::pattern::weights::PatternWeights;
use super::evaluation::{NetworkEvaluation, PatternEvaluation, ReversiEvaluation};
use super::level::{ForLevel, at_best_level};
use super::policy::ReversiPolicy;
use super::probcut::ProbCutModel;
use super::rules::Reversi;
use super::solver::level::SolverLevel;
use super::solver::settings::SolverSettings;
use crate::search::evaluation::Eval;
use crate::search::searcher::{Searcher, TableSearch};
use crate::search::worker::SearchContext;
use flipside_support::memory::MemoryError;
use std::sync::Arc;

/// A search of Reversi with its tables.
pub type ReversiSearcher = Arc<dyn Searcher<Reversi>>;

/// The tables of a search and its use of the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct SearcherOptions {
    /// MiB of the search's table.
    pub search_hash: usize,
    /// MiB of the solver's table. Root positions with fewer than 15 empty squares are solved in a table of 1 MiB, which
    /// stays in the processor's cache.
    pub solver_hash: usize,
    /// Whether ProbCut prunes by the measured errors of the evaluation.
    pub probcut: bool,
    /// Thresholds of the solver.
    pub solver: SolverSettings,
}

impl SearcherOptions {
    /// Tables of this many MiB for the search and the solver, at least one each, with every technique that helps.
    pub fn with_tables(search_hash: usize, solver_hash: usize) -> SearcherOptions {
        let (search_hash, solver_hash) = (search_hash.max(1), solver_hash.max(1));
        SearcherOptions { search_hash, solver_hash, probcut: true, solver: SolverSettings::default() }
    }

    /// Half of `hash` MiB for the search's table, half for the solver's.
    pub fn sharing(hash: usize) -> SearcherOptions {
        SearcherOptions::with_tables(hash / 2, hash - hash / 2)
    }
}

/// Opens a search with an evaluation, compiled for the best level of this processor. The plain evaluations, which are
/// too weak for games, are compiled only for the processor's base level.
///
/// # Errors
/// There is not enough memory for the tables.
pub fn open(evaluation: &ReversiEvaluation, options: &SearcherOptions) -> Result<ReversiSearcher, MemoryError> {
    let learned = match evaluation {
        ReversiEvaluation::Plain(plain) => return at_level(Reversi::portable(), |_| Ok(plain.clone()), None, options),
        ReversiEvaluation::Pattern(weights) => Learned::Linear(weights),
        ReversiEvaluation::Network(network) => Learned::Network(network),
    };
    at_best_level(Opening { learned, options })
}

/// The evaluations that are compiled for every level.
enum Learned<'a> {
    Linear(&'a Arc<PatternWeights>),
    Network(&'a Arc<PatternNetwork>),
}

/// A search to be opened at a processor level.
struct Opening<'a> {
    learned: Learned<'a>,
    options: &'a SearcherOptions,
}

impl ForLevel for Opening<'_> {
    type Output = Result<ReversiSearcher, MemoryError>;

    fn run<K: SolverLevel>(self, game: Reversi<K>) -> Result<ReversiSearcher, MemoryError> {
        match self.learned {
            Learned::Linear(weights) => {
                let eval = |game: &Reversi<K>| Ok(PatternEvaluation::new(game, Arc::clone(weights)));
                at_level(game, eval, Some(&weights.probcut_model), self.options)
            }
            Learned::Network(network) => {
                let eval = |game: &Reversi<K>| NetworkEvaluation::new(game, Arc::clone(network));
                at_level(game, eval, Some(&network.probcut_model), self.options)
            }
        }
    }
}

fn at_level<K: SolverLevel, E: Eval<Reversi<K>>>(
    game: Reversi<K>,
    eval: impl FnOnce(&Reversi<K>) -> Result<E, MemoryError>,
    probcut_model: Option<&ProbCutModel>,
    options: &SearcherOptions,
) -> Result<ReversiSearcher, MemoryError> {
    let model = probcut_model.filter(|_| options.probcut);
    let policy = ReversiPolicy::new(&game, options.solver_hash, options.solver, model)?;
    let context = SearchContext { eval: eval(&game)?, game, policy };
    Ok(Arc::new(TableSearch::new(Arc::new(context), options.search_hash)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::obf;
    use crate::search::limits::{Limits, Stop};
    use crate::search::solve::{SolveTask, Wanted};

    /// FFO #40, 20 empty squares: a2 +38 is best.
    const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

    #[test]
    fn small_positions_below_a_large_root_are_probed_where_its_solve_put_them() {
        let evaluation = ReversiEvaluation::open("linear", None).expect("the built-in weights");
        let searcher = open(&evaluation, &SearcherOptions::with_tables(1, 8)).expect("small tables");
        let (root, _) = obf::position(FFO_40).expect("a position");
        let task = SolveTask { wanted: Wanted::Line, ..SolveTask::exact(1) };
        let solution = searcher.solve(&root, &task, &Stop::new(&Limits::default())).expect("not stopped");
        assert_eq!(solution.score, 3_800);
        let mut board = root;
        let mut known = 0;
        for mv in solution.line {
            board = board.after(mv);
            known += usize::from((10..15).contains(&board.empties()) && searcher.probe(&board).is_some());
        }
        assert!(known > 0, "positions of the best line with 10 to 14 empty squares");
    }
}
