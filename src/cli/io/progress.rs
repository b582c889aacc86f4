//! Progress displays on stderr, which show nothing unless it is a terminal.

use indicatif::style::ProgressTracker;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `total` steps with this `indicatif` template.
pub fn bar(total: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A counter of an unknown number of steps with this `indicatif` template.
pub fn counter(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// A counter as above, with a key of its own in the template.
pub fn counter_with(template: &str, name: &'static str, key: impl ProgressTracker + 'static) -> ProgressBar {
    let bar = counter(template);
    let style = bar.style().with_key(name, key);
    bar.with_style(style)
}
