//! Proofs that take hours: the file from which they go on after an interrupt, and their progress on a terminal.

use super::super::SolveArgs;
use crate::cli::io::interrupt::{Interrupt, lock};
use crate::cli::io::{progress, whole_file};
use anyhow::Context;
use flipside_core::games::minichess::proof::Prover;
use flipside_core::search::limits::{Limits, Stop};
use indicatif::{HumanCount, ProgressBar, ProgressState};
use std::fmt::Write;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A checkpoint is written this often, at the end, and when the proof is interrupted. The largest takes half a minute.
const EVERY: Duration = Duration::from_secs(30 * 60);
const TICK: Duration = Duration::from_millis(200);

/// Runs a proof, which returns nothing if it is stopped, from one checkpoint to the next; none if it is interrupted.
/// Forgets earlier positions first: an answer must not depend on them, or it would depend on the number of jobs.
///
/// # Errors
/// The checkpoint cannot be read or written.
pub fn run<T>(
    prover: &mut Prover,
    args: &SolveArgs,
    interrupt: &Interrupt,
    searched: &Searched,
    prove: impl Fn(&mut Prover, &Stop) -> Option<T>,
) -> anyhow::Result<Option<T>> {
    prover.clear();
    let Some(path) = &args.checkpoint else {
        return Ok(prove(prover, &searched.watch(interrupt.watch(Stop::new(&Limits::default())))));
    };
    read(prover, path).with_context(|| format!("cannot go on from {}", path.display()))?;
    loop {
        let stop = interrupt.watch(Stop::new(&Limits::default()).guarded(Some(EVERY)));
        let proven = prove(prover, &searched.watch(stop));
        whole_file::write_with(path, |out| prover.save(out))?;
        if proven.is_some() || interrupt.is_raised() {
            return Ok(proven);
        }
    }
}

/// Reads the checkpoint, if there is one.
fn read(prover: &mut Prover, path: &Path) -> anyhow::Result<()> {
    match File::open(path) {
        Ok(file) => Ok(prover.load(&mut BufReader::new(file))?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The positions that all proofs have searched.
#[derive(Clone, Default)]
pub struct Searched(Arc<Mutex<Proofs>>);

#[derive(Default)]
struct Proofs {
    /// Positions of those that ended.
    ended: u64,
    running: Vec<Arc<Stop>>,
}

impl Searched {
    /// Also counts what this stop counts.
    fn watch(&self, stop: Arc<Stop>) -> Arc<Stop> {
        let mut proofs = lock(&self.0);
        let (running, ended) =
            std::mem::take(&mut proofs.running).into_iter().partition(|stop| Arc::strong_count(stop) > 2);
        let ended: Vec<Arc<Stop>> = ended;
        proofs.ended += ended.iter().map(|stop| stop.entered()).sum::<u64>();
        proofs.running = running;
        proofs.running.push(stop.clone());
        stop
    }

    fn total(&self) -> u64 {
        let proofs = lock(&self.0);
        proofs.ended + proofs.running.iter().map(|stop| stop.entered()).sum::<u64>()
    }

    /// A counter of proven and of searched positions.
    pub fn counter(&self) -> ProgressBar {
        let searched = self.clone();
        let key = move |_: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}", HumanCount(searched.total()));
        };
        let bar = progress::counter_with("{pos} proven, {searched} positions searched, {elapsed}", "searched", key);
        bar.enable_steady_tick(TICK);
        bar
    }
}
