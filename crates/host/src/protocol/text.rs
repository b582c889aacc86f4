//! Text helpers shared by several protocols.

use crate::api::options;
use flipside_core::search::types::{Score, WIN, WIN_IN_MAX_PLY};
use flipside_support::text;

/// The line with control characters replaced by blanks.
pub fn without_controls(line: &str) -> String {
    text::one_line(line, usize::MAX)
}

/// A text on one line of at most 300 characters: errors quote what a host sent, which may contain anything.
pub fn one_line(text: &str) -> String {
    text::one_line(text, 300)
}

/// The name of an option where it may hold no blanks.
pub fn option_spelling(name: &str) -> String {
    name.replace(' ', "_")
}

/// The name of an option that is spelt with or without blanks. Some names have underscores themselves.
pub fn option_name(spelling: &str) -> String {
    if options::is_option(spelling) { spelling.to_string() } else { spelling.replace('_', " ") }
}

/// A score in units of the game with sign and two decimals; a proven win or loss as its distance in plies.
pub fn score(score: Score) -> String {
    match score {
        WIN_IN_MAX_PLY.. => format!("+win@{}", WIN - score),
        _ if score <= -WIN_IN_MAX_PLY => format!("-win@{}", WIN + score),
        _ => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::settings::Settings;
    use flipside_core::games::names;

    #[test]
    fn every_option_is_found_by_its_spelling_without_blanks() {
        for option in Settings::default().describe(names::GAMES) {
            assert_eq!(option_name(&option_spelling(option.name)), option.name);
        }
    }
}
