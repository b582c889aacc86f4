//! Work side by side, results in order.

use anyhow::ensure;
use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};

/// Results that may wait for an earlier one.
const AHEAD: usize = 1024;

/// Does every job, each thread with a worker of its own, and hands the results over in the order of
/// the jobs. Ends early, with what is finished in order, when `sink` fails.
///
/// # Errors
/// The first that `sink` has, or that a thread panicked.
pub fn in_order<J: Send, W, R: Send>(
    threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, J) -> R + Sync,
    mut sink: impl FnMut(R) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let jobs = Mutex::new((0u64..).zip(jobs));
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        let (sender, finished) = sync_channel(AHEAD);
        let mut handles = Vec::new();
        for _ in 0..threads {
            let (sender, next, worker, work) = (sender.clone(), &next, &worker, &work);
            handles.push(scope.spawn(move || {
                let mut worker = worker();
                while let Some((number, job)) = next() {
                    if sender.send((number, work(&mut worker, job))).is_err() {
                        break;
                    }
                }
            }));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (number, result) in finished {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&due) {
                sink(result)?;
                due += 1;
            }
        }
        let panicked = handles.into_iter().map(|handle| handle.join()).filter(Result::is_err).count();
        ensure!(panicked == 0, "a thread panicked");
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let mut seen = Vec::new();
        let slow = |_: &mut (), job: u64| {
            std::thread::sleep(std::time::Duration::from_micros(job * 37 % 11 * 100));
            job * 2
        };
        in_order(
            3,
            0..50,
            || (),
            slow,
            |result| {
                seen.push(result);
                Ok(())
            },
        )
        .expect("nothing fails");
        assert_eq!(seen, (0..50).map(|job| job * 2).collect::<Vec<_>>());
        let failure = in_order(2, 0..5000, || (), slow, |_| Err(anyhow!("full")));
        assert_eq!(failure.map_err(|error| error.to_string()), Err("full".to_string()));
    }
}
