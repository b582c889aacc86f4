//! Progress bars of training.

use crate::cli::io::progress;
use indicatif::ProgressBar;

/// A bar for `total` games, of which `done` are finished.
pub fn games_bar(total: u64, done: u64) -> ProgressBar {
    let bar = progress::bar(total, "{bar:30} {pos}/{len} games, {per_sec}, {eta} left");
    bar.set_position(done);
    bar
}
