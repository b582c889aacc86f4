//! The work that an analysis puts into a position.

use flipside_core::search::limits::Limits;
use std::time::Duration;

/// Default time per position in seconds.
pub const DEFAULT_TIME: Duration = Duration::from_millis(500);
/// MiB of the tables: half for the search, half for the exact solver.
pub const DEFAULT_HASH: usize = 32;

/// Positions that count as a second. A clock would make verdicts depend on the machine's load; a count of positions
/// gives the same verdict everywhere. A 2.5 GHz Xeon searches somewhat more in a second.
const NODES_PER_SECOND: f64 = 2_000_000.0;
/// Fewest positions searched: enough for every move to a few plies.
const FEWEST_NODES: u64 = 10_000;
/// Empty squares from which all moves are solved exactly within [`DEFAULT_TIME`]: 20 of them take 0.36 s on a 2.5 GHz
/// Xeon, the mean of hard positions. Each further empty square doubles the time.
const DEFAULT_EXACT_FROM: i32 = 20;
/// The range of the default, for any time.
const DEFAULT_EXACT_RANGE: (i32, i32) = (10, 26);

/// The work for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Most positions searched before the exact endgame.
    nodes: Option<u64>,
    /// Most plies searched before the exact endgame.
    depth: Option<u32>,
    /// Reversi positions with at most this many empty squares are solved, without other limits.
    exact_from: u32,
}

impl Effort {
    /// Work limited by time per position and by depth, whichever ends first; exact from `exact_from` empty squares on,
    /// by default the number that the time allows. Without a time and a depth the time is [`DEFAULT_TIME`].
    pub fn new(time: Option<Duration>, depth: Option<u32>, exact_from: Option<u32>) -> Effort {
        let seconds = time.unwrap_or(DEFAULT_TIME).as_secs_f64();
        let nodes = ((seconds * NODES_PER_SECOND) as u64).max(FEWEST_NODES);
        let doublings = (seconds / DEFAULT_TIME.as_secs_f64()).log2().floor() as i32;
        let (fewest, most) = DEFAULT_EXACT_RANGE;
        let by_time = DEFAULT_EXACT_FROM.saturating_add(doublings).clamp(fewest, most).unsigned_abs();
        Effort {
            nodes: (time.is_some() || depth.is_none()).then_some(nodes),
            depth,
            exact_from: exact_from.unwrap_or(by_time),
        }
    }

    /// The limits for a position with `empties` empty squares, which is `None` in games without an exact solver.
    pub fn limits(&self, empties: Option<u32>) -> Limits {
        let Some(empties) = empties else {
            return Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() };
        };
        let reaches_end = self.nodes.is_none() && self.depth.is_some_and(|depth| depth >= empties);
        if reaches_end || empties <= self.exact_from {
            return Limits::depth(empties.max(1));
        }
        // Stops short of the end: the nodes would not suffice for a solve.
        let most = (empties - 1).max(1);
        Limits { depth: Some(self.depth.map_or(most, |depth| depth.min(most))), nodes: self.nodes, ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Effort {
        Effort::new(Some(Duration::from_secs_f64(seconds)), None, None)
    }

    #[test]
    fn time_is_counted_in_positions_and_decides_where_the_exact_endgame_begins() {
        assert_eq!(Effort::new(None, None, None), seconds(0.5));
        assert_eq!(seconds(0.5), Effort { nodes: Some(1_000_000), depth: None, exact_from: 20 });
        assert_eq!(seconds(2.0), Effort { nodes: Some(4_000_000), depth: None, exact_from: 22 });
        assert_eq!(seconds(0.05), Effort { nodes: Some(100_000), depth: None, exact_from: 16 });
        assert_eq!((seconds(1e-9).nodes, seconds(1e-9).exact_from), (Some(FEWEST_NODES), 10));
        assert_eq!(seconds(1e9).exact_from, 26);
    }

    #[test]
    fn a_depth_alone_has_no_other_limit() {
        let effort = Effort::new(None, Some(12), Some(8));
        assert_eq!(effort.limits(Some(40)), Limits::depth(12));
        assert_eq!(effort.limits(Some(12)), Limits::depth(12), "a solve");
        assert_eq!(effort.limits(Some(9)), Limits::depth(9), "a solve");
        assert_eq!(effort.limits(None), Limits::depth(12));
    }

    #[test]
    fn only_exact_endgames_reach_the_end_of_a_bounded_search() {
        let effort = Effort::new(Some(DEFAULT_TIME), Some(50), Some(20));
        let bounded = |depth| Limits { nodes: Some(1_000_000), ..Limits::depth(depth) };
        assert_eq!([52, 40, 21].map(|empties| effort.limits(Some(empties))), [50, 39, 20].map(bounded));
        assert_eq!(effort.limits(Some(20)), Limits::depth(20));
        assert_eq!(Effort::new(None, None, Some(0)).limits(Some(1)), bounded(1));
    }
}
