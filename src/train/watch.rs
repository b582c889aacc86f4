//! What all long work of training shares: it stops when the user interrupts it, and shows how far it is.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the user's interrupt sets, so that work ends behind a whole game.
///
/// # Errors
/// The system lets nobody watch.
pub fn watch_interrupts() -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("cannot watch for interrupts")?;
    Ok(interrupted)
}

/// A bar for so many games of which some are done.
pub fn bar(total: u64, done: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left");
    let bar = ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(done);
    bar
}
