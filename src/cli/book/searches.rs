//! The searches of a book, on any number of threads.

use crate::cli::io::interrupt::Interrupt;
use anyhow::Context;
use clap::Args;
use flipside_core::games::reversi::book::entry::Deviation;
use flipside_core::games::reversi::book::journal::JournalLine;
use flipside_core::games::reversi::book::searcher::{Job, best_of};
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::types::Selectivity;
use flipside_support::{ordered_pool, thread_pool};

/// Arguments of all subcommands that search.
#[derive(Args, Debug)]
pub struct SearchesArgs {
    /// Positions searched in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the transposition tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    hash: u32,
    /// Selectivity of the deeper searches, in percent: 73, 80, 87, 95, 98, 99 or 100 (full width)
    #[arg(long, value_name = "PERCENT", default_value = "95")]
    pub selectivity: Selectivity,
}

/// The searcher of a book.
pub struct Searches<'a> {
    searcher: ReversiSearcher,
    /// Selectivity of the deeper searches.
    selectivity: Selectivity,
    threads: usize,
    interrupt: &'a Interrupt,
}

impl Searches<'_> {
    /// Opens the searcher that the arguments describe.
    ///
    /// # Errors
    /// There is too little memory.
    pub fn open<'a>(args: &SearchesArgs, interrupt: &'a Interrupt) -> anyhow::Result<Searches<'a>> {
        let evaluation = ReversiEvaluation::open("default", None)?;
        let options = SearcherOptions::sharing(args.hash as usize);
        let searcher = searcher::open(&evaluation, &options).context("--hash is too large")?;
        let threads = thread_pool::useful(usize::from(args.threads));
        Ok(Searches { searcher, selectivity: args.selectivity, threads, interrupt })
    }

    /// The result of a search; `None` if it was interrupted.
    fn search(&self, job: &Job) -> Option<JournalLine> {
        if self.interrupt.is_raised() {
            return None;
        }
        let stop = self.interrupt.watch(Stop::new(&Limits::default()));
        let selectivity = if job.deep { self.selectivity } else { Selectivity::PLAY };
        let found: Option<Deviation> = best_of(&self.searcher, job.board, &job.squares, job.depth, selectivity, &stop);
        (found.is_some() || job.squares.is_empty()).then_some(JournalLine::Search(job.board, found))
    }

    /// Makes these searches and passes their results to `sink` in order. An interrupt ends them early.
    ///
    /// # Errors
    /// An error of `sink`; no search begins after it.
    pub fn run(&self, jobs: Vec<Job>, sink: &mut dyn FnMut(JournalLine) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let search = |_: &mut (), job: Job| self.search(&job);
        let workers = vec![(); self.threads];
        ordered_pool::run(workers, jobs.into_iter(), search, |line| line.map_or(Ok(()), &mut *sink))
    }
}
