//! Progress bars of training.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `total` games of which `done` are finished.
pub fn games_bar(total: u64, done: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left");
    let bar = ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(done);
    bar
}
