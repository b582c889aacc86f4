//! The searches of a book, in any number of threads.

use crate::cli::io::interrupt::Interrupt;
use crate::games::reversi::book::entry::Deviation;
use crate::games::reversi::book::journal::JournalLine;
use crate::games::reversi::book::searcher::{Job, best_of};
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::search::evaluation::Eval;
use crate::search::limits::{Limits, Stop};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::Selectivity;
use crate::search::worker::SearchContext;
use crate::support::{ordered_pool, thread_pool};
use anyhow::Context;
use clap::Args;

/// Arguments of all commands that search.
#[derive(Args, Debug)]
pub struct SearchesArgs {
    /// Positions searched side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the transposition tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    hash: u32,
    /// Selectivity of the deeper searches, in percent: 73, 80, 87, 95, 98, 99 or 100 (full width)
    #[arg(long, value_name = "PERCENT", default_value = "95")]
    pub selectivity: Selectivity,
}

/// What searches for a book, whatever the evaluation and the processor.
pub trait Searches {
    /// Makes these searches and hands their results to `sink` in their order. An interrupt ends them early.
    ///
    /// # Errors
    /// Those of `sink`, after which no search is begun.
    fn run(&self, jobs: Vec<Job>, sink: &mut dyn FnMut(JournalLine) -> anyhow::Result<()>) -> anyhow::Result<()>;
}

/// Calls `work` with what searches as the arguments say.
///
/// # Errors
/// There is too little memory, or those of `work`.
pub fn with_searches(
    args: &SearchesArgs,
    interrupt: &Interrupt,
    work: &mut dyn FnMut(&dyn Searches) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let evaluation = ReversiEvaluation::open("default", None)?;
    with_evaluation(&evaluation, OpenSearches { args, interrupt, work })
}

struct OpenSearches<'a> {
    args: &'a SearchesArgs,
    interrupt: &'a Interrupt,
    work: &'a mut dyn FnMut(&dyn Searches) -> anyhow::Result<()>,
}

impl WithEvaluation for OpenSearches<'_> {
    type Output = anyhow::Result<()>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<()> {
        // One half for the search, a quarter for each solver.
        let quarter = (self.args.hash as usize / 4).max(1);
        let context = || -> anyhow::Result<_> {
            let policy = ReversiPolicy::with_probcut(&game, quarter, probcut_model).context("--hash is too large")?;
            Ok(SearchContext { game: game.clone(), eval: eval.clone(), policy })
        };
        let SearchContext { game: deep_game, eval: deep_eval, policy } = context()?;
        let policy = policy.with_selectivity(self.args.selectivity);
        let searches = SearchesOf {
            quick: context()?,
            deep: SearchContext { game: deep_game, eval: deep_eval, policy },
            table: TranspositionTable::new(2 * quarter).context("--hash is too large")?,
            threads: thread_pool::useful(usize::from(self.args.threads)),
            interrupt: self.interrupt,
        };
        (self.work)(&searches)
    }
}

struct SearchesOf<'a, K: SolverLevel, E: Eval<Reversi<K>>> {
    quick: SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    deep: SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    table: TranspositionTable,
    threads: usize,
    interrupt: &'a Interrupt,
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> SearchesOf<'_, K, E> {
    /// The result of a search; none if it was interrupted.
    fn search(&self, job: &Job) -> Option<JournalLine> {
        if self.interrupt.is_raised() {
            return None;
        }
        let stop = self.interrupt.watch(Stop::new(&Limits::default()));
        let context = if job.deep { &self.deep } else { &self.quick };
        let found: Option<Deviation> = best_of(context, &self.table, job.board, &job.squares, job.depth, &stop);
        (found.is_some() || job.squares.is_empty()).then_some(JournalLine::Search(job.board, found))
    }
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> Searches for SearchesOf<'_, K, E> {
    fn run(&self, jobs: Vec<Job>, sink: &mut dyn FnMut(JournalLine) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let search = |_: &mut (), job: Job| self.search(&job);
        ordered_pool::run(self.threads, jobs.into_iter(), || (), search, |line| line.map_or(Ok(()), &mut *sink))
    }
}
