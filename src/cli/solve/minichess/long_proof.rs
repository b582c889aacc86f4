//! Proofs that take hours: the file from which they go on after an interrupt, and their progress on a terminal.

use crate::cli::io::interrupt::{Interrupt, lock};
use crate::cli::io::{progress, whole_file};
use anyhow::Context;
use flipside_core::games::minichess::proof::Prover;
use flipside_core::search::limits::{Limits, Stop};
use indicatif::{HumanCount, ProgressBar, ProgressState};
use std::fmt::Write;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::ops::Deref;
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
/// The checkpoint cannot be read, or not be written at an interrupt. At other times that is a warning: the proof is worth
/// more.
pub fn run<T>(
    prover: &mut Prover,
    checkpoint: Option<&Path>,
    watch: &Watch,
    prove: impl Fn(&mut Prover, &Stop) -> Option<T>,
) -> anyhow::Result<Option<T>> {
    prover.clear();
    let Some(path) = checkpoint else { return Ok(prove(prover, &watch.stop(None))) };
    read(prover, path).with_context(|| format!("cannot go on from {}", path.display()))?;
    loop {
        let proven = prove(prover, &watch.stop(Some(EVERY)));
        let is_interrupted = watch.interrupt.is_raised();
        match whole_file::write_with(path, |out| prover.save(out)) {
            Err(error) if is_interrupted => return Err(error),
            Err(error) => log::warn!("{error:#}; the proof goes on"),
            Ok(()) => {}
        }
        if proven.is_some() || is_interrupted {
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

/// Watches long work: an interrupt stops it, and its positions are counted.
pub struct Watch {
    interrupt: Interrupt,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    /// Positions of the work that has ended.
    ended: u64,
    running: Vec<Arc<Stop>>,
}

/// The stop of some work, which has ended when this is dropped.
pub struct Watched {
    stop: Arc<Stop>,
    counts: Arc<Mutex<Counts>>,
}

impl Watch {
    /// Watches work that this interrupt stops.
    pub fn new(interrupt: &Interrupt) -> Watch {
        Watch { interrupt: interrupt.clone(), counts: Arc::default() }
    }

    /// The stop of some work, which also ends after a time, if one is given.
    pub fn stop(&self, time: Option<Duration>) -> Watched {
        let stop = self.interrupt.watch(Stop::new(&Limits::default()).guarded(time));
        lock(&self.counts).running.push(stop.clone());
        Watched { stop, counts: self.counts.clone() }
    }

    /// A counter with this template, in which `{searched}` is the number of positions.
    pub fn counter(&self, template: &str) -> ProgressBar {
        let counts = self.counts.clone();
        let key = move |_: &ProgressState, out: &mut dyn Write| {
            let counts = lock(&counts);
            let running: u64 = counts.running.iter().map(|stop| stop.entered()).sum();
            // Nobody could be told that the terminal cannot be written.
            let _ = write!(out, "{}", HumanCount(counts.ended + running));
        };
        let bar = progress::counter_with(template, "searched", key);
        bar.enable_steady_tick(TICK);
        bar
    }
}

impl Deref for Watched {
    type Target = Stop;

    fn deref(&self) -> &Stop {
        &self.stop
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        counts.ended += self.stop.entered();
        counts.running.retain(|stop| !Arc::ptr_eq(stop, &self.stop));
    }
}
