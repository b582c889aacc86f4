//! The lines of IMCS: codes before a game, signs in it, and the state of a game in seven lines.

use crate::rules::Proposal;
use flipside_core::search::types::Side;
use std::time::Duration;

/// The ranks of the board, which follow the first line of a state.
const RANKS: usize = 6;

/// A game that waits for an opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedOffer {
    /// Its number.
    pub id: String,
    /// The game as the rules judge it.
    pub proposal: Proposal,
}

impl ListedOffer {
    /// Reads ` 1 anna W 2:30 5:00 1000 [offer]`; `None` if it is another line.
    pub fn read(line: &str) -> Option<ListedOffer> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [id, name, colour, _, ours, rating, "[offer]"] = words.as_slice() else { return None };
        let their_side = match *colour {
            "W" | "w" => Some(Side::First),
            "B" | "b" => Some(Side::Second),
            "?" => None,
            _ => return None,
        };
        id.parse::<u64>().ok()?;
        let proposal = Proposal {
            opponent: name.to_string(),
            rating: rating.parse::<f64>().ok().filter(|rating| rating.is_finite()),
            rated: None,
            time: clock(ours)?,
            increment: Duration::ZERO,
            extra_time: Duration::ZERO,
            side: their_side.map(Side::other),
            is_random: false,
            is_pair: false,
        };
        Some(ListedOffer { id: id.to_string(), proposal })
    }
}

/// `300`, `5:00` or `05:00.000`; at most a day.
pub fn clock(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    if !is_number(minutes) || !is_number(seconds) {
        return None;
    }
    let total = minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?;
    (total <= 86_400.0).then(|| Duration::from_secs_f64(total))
}

/// The clocks of `? 02:30.000 05:00.000`: our own and the opponent's.
pub fn clocks(line: &str) -> Option<[Duration; 2]> {
    let words: Vec<&str> = line.strip_prefix('?')?.split_whitespace().collect();
    let [own, other] = words.as_slice() else { return None };
    Some([clock(own)?, clock(other)?])
}

/// Collects the states of a game: a line `N W` or `N B` and six rows.
#[derive(Debug, Default)]
pub struct StateLines(Vec<String>);

impl StateLines {
    /// Takes a line; true if it belongs to a state.
    pub fn push(&mut self, line: &str) -> bool {
        if is_header(line) {
            self.0 = vec![line.to_string()];
            return true;
        }
        let fits = !self.0.is_empty() && self.0.len() <= RANKS && is_row(line);
        if fits {
            self.0.push(line.to_string());
        }
        fits
    }

    /// The last state on one line, if it was whole.
    pub fn take(&mut self) -> Option<String> {
        let lines = std::mem::take(&mut self.0);
        let (header, rows) = lines.split_first()?;
        (rows.len() == RANKS).then(|| format!("{header} {}", rows.join("/")))
    }
}

fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), [number, "W" | "B"] if number.parse::<u32>().is_ok())
}

fn is_row(line: &str) -> bool {
    line.len() == 5 && line.chars().all(|c| ".KQRBNPkqrbnp".contains(c))
}

/// The code at the start of a line: `105 W 2:30 5:00 game starts`.
pub fn code(line: &str) -> Option<u32> {
    let word = line.split(' ').next()?;
    (word.len() == 3).then(|| word.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_are_read_from_the_list() {
        let offer = ListedOffer::read(" 1 anna W 2:30 5:00 1000 [offer]").expect("an offer");
        assert_eq!((offer.id.as_str(), offer.proposal.opponent.as_str()), ("1", "anna"));
        assert_eq!((offer.proposal.time, offer.proposal.rating), (Duration::from_secs(300), Some(1000.0)));
        assert_eq!(offer.proposal.side, Some(Side::Second));
        for line in [
            " 1 a b (1000/1000)  [in-progress]",
            "",
            ".",
            " x anna W 1:00 1:00 1000 [offer]",
            " 1 anna X 1 1 1 [offer]",
        ] {
            assert_eq!(ListedOffer::read(line), None, "{line}");
        }
    }

    #[test]
    fn clocks_of_any_size_are_bounded() {
        assert_eq!(clocks("? 02:29.958 05:00.000"), Some([Duration::from_millis(149_958), Duration::from_secs(300)]));
        for line in ["?", "? 1:00", "? - 1:00", "? 1:00 -1:00", "? 1e9:00 1:00", "? 99999999:00 1:00", "? nan inf"] {
            assert_eq!(clocks(line), None, "{line}");
        }
    }

    #[test]
    fn a_state_needs_all_its_rows() {
        let lines = ["1 W", "kqbnr", "ppppp", ".....", ".....", "PPPPP", "RNBQK"];
        let mut state = StateLines::default();
        assert!(lines.iter().all(|line| state.push(line)) && !state.push(""));
        assert_eq!(state.take().as_deref(), Some("1 W kqbnr/ppppp/...../...../PPPPP/RNBQK"));
        for missing in 0..lines.len() {
            let mut state = StateLines::default();
            for (_, line) in lines.iter().enumerate().filter(|(index, _)| *index != missing) {
                state.push(line);
            }
            assert_eq!(state.take(), None, "without {}", lines[missing]);
        }
    }
}
