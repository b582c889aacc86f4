//! The searches of Reversi: each evaluation's recursion compiled for its processor levels.

use super::evaluation::network::weights::PatternNetwork;
use super::evaluation::pattern::weights::PatternWeights;
use super::evaluation::{NetworkEvaluation, PatternEvaluation, ReversiEvaluation};
use super::policy::ReversiPolicy;
use super::probcut::ProbCutModel;
use super::rules::Reversi;
use super::solver::level::SolverLevel;
use super::solver::settings::SolverSettings;
use crate::search::evaluation::Eval;
use crate::search::level::Supported;
#[cfg(target_arch = "x86_64")]
use crate::search::level::{V3, V4};
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
    /// MiB of the solver's table.
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
        ReversiEvaluation::Plain(plain) => return at_level(Supported::BASE, |_| plain.clone(), None, options),
        ReversiEvaluation::Pattern(weights) => Learned::Linear(weights),
        ReversiEvaluation::Network(network) => Learned::Network(network),
    };
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(level) = Supported::<V4>::detect() {
            return learned.open(level, options);
        }
        if let Some(level) = Supported::<V3>::detect() {
            return learned.open(level, options);
        }
    }
    learned.open(Supported::BASE, options)
}

/// The evaluations that are compiled for every level.
enum Learned<'a> {
    Linear(&'a Arc<PatternWeights>),
    Network(&'a Arc<PatternNetwork>),
}

impl Learned<'_> {
    fn open<K: SolverLevel>(
        self,
        level: Supported<K>,
        options: &SearcherOptions,
    ) -> Result<ReversiSearcher, MemoryError> {
        match self {
            Learned::Linear(weights) => {
                let eval = |game: &Reversi<K>| PatternEvaluation::new(game, Arc::clone(weights));
                at_level(level, eval, Some(&weights.probcut_model), options)
            }
            Learned::Network(network) => {
                let eval = |game: &Reversi<K>| NetworkEvaluation::new(game, Arc::clone(network));
                at_level(level, eval, Some(&network.probcut_model), options)
            }
        }
    }
}

fn at_level<K: SolverLevel, E: Eval<Reversi<K>>>(
    level: Supported<K>,
    eval: impl FnOnce(&Reversi<K>) -> E,
    probcut_model: Option<&ProbCutModel>,
    options: &SearcherOptions,
) -> Result<ReversiSearcher, MemoryError> {
    let game = Reversi::new(level);
    let model = probcut_model.filter(|_| options.probcut);
    let policy = ReversiPolicy::new(&game, options.solver_hash, options.solver, model)?;
    let context = SearchContext { eval: eval(&game), game, policy };
    Ok(Arc::new(TableSearch::new(Arc::new(context), options.search_hash)?))
}
