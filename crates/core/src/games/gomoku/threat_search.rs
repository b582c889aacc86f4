//! Threat search: wins by moves that the opponent must answer one by one. Continuous fours (VCF,
//! "victory by continuous fours") leave a single answer each; with open threes (VCT) the opponent
//! may also play fours or break the three in one of a few ways.
//!
//! An AND/OR search, deepened by two plies, finds the shortest win of its kind; failed positions
//! are stored with the depth that was searched (Allis, van den Herik and Huntjens, "Go-Moku solved
//! by new search techniques", 1996, describe threat sequences).

use super::point_set::PointSet;
use super::position::Position;
use super::rules::{Gomoku, Point};
use crate::search::game::Game;
use crate::search::limits::Stop;
use flipside_support::clock::Instant;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The moves by which the search seeks the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreatKind {
    /// Fours only.
    Fours,
    /// Fours and open threes.
    FoursAndThrees,
}

/// A win that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatWin {
    /// The move to begin with.
    pub first: Point,
    /// Plies to the five, an odd number.
    pub plies: u32,
}

/// Positions between two polls of the clock and the stop flag.
const POLL_INTERVAL: u64 = 128;
/// The longest win that is searched for, in plies.
pub const MAX_PLIES: u32 = 61;

/// The keys of positions are already hashes.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The end of a threat search besides its limit of positions.
#[derive(Clone, Copy, Debug)]
pub struct ThreatSearchEnd<'a> {
    /// A moment; `None` for never.
    pub deadline: Option<Instant>,
    /// The end of the search that it serves.
    pub stop: &'a Stop,
}

impl ThreatSearchEnd<'_> {
    /// Whether it has come.
    pub fn has_come(self) -> bool {
        self.stop.is_raised() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// A threat search under way.
pub struct ThreatSearch<'a> {
    game: &'a Gomoku,
    kind: ThreatKind,
    /// Positions entered.
    pub nodes: u64,
    limit: u64,
    /// The end besides the limit.
    end: ThreatSearchEnd<'a>,
    /// True once the limit or the end is reached.
    is_out: bool,
    /// True once the depth, and not a lack of threats, has cut off a line of this iteration.
    is_cut: bool,
    /// Positions that are not won within this many plies.
    failed: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
}

impl<'a> ThreatSearch<'a> {
    /// A search that enters at most this many positions.
    pub fn new(game: &'a Gomoku, kind: ThreatKind, limit: u64, end: ThreatSearchEnd<'a>) -> ThreatSearch<'a> {
        let (nodes, is_out, is_cut) = (0, false, false);
        ThreatSearch { game, kind, nodes, limit, end, is_out, is_cut, failed: HashMap::default() }
    }

    /// Counts a position entered; true when the search must end.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        let polls = self.nodes.is_multiple_of(POLL_INTERVAL);
        self.is_out |= self.nodes >= self.limit || polls && self.end.has_come();
        self.is_out
    }

    /// The shortest win of the side to move by such threats within this many plies; `None` if
    /// there is none or the limit came first.
    pub fn solve(&mut self, position: &Position, max_plies: u32) -> Option<ThreatWin> {
        if self.game.outcome(position).is_some() {
            return None;
        }
        for plies in (1..=max_plies.min(self.game.stones_left(position))).step_by(2) {
            self.is_cut = false;
            let mut first = None;
            if let Some(found) = self.attack(position, plies, &mut first) {
                return first.map(|first| ThreatWin { first, plies: found });
            }
            if !self.is_cut || self.is_out {
                return None;
            }
        }
        None
    }

    /// Plies to the win of the attacker, who is to move, within `plies`.
    fn attack(&mut self, position: &Position, plies: u32, first: &mut Option<Point>) -> Option<u32> {
        let attacker = position.to_move();
        let (own, other) = (position.threats(attacker), position.threats(1 - attacker));
        if let Some(five) = own.fives.first() {
            *first = Some(five as Point);
            return Some(1);
        }
        let answered = other.fives.count();
        if answered > 1 {
            return None;
        }
        if plies < 3 {
            self.is_cut = true;
            return None;
        }
        if answered == 0
            && let Some(four) = self.game.allowed(position, own.open_fours).first()
        {
            *first = Some(four as Point);
            return Some(3);
        }
        if plies < 5 && self.kind == ThreatKind::Fours && answered == 0 {
            self.is_cut |= !own.fours.is_empty();
            return None;
        }
        if self.failed.get(&position.key()).is_some_and(|&searched| searched >= plies) {
            self.is_cut = true;
            return None;
        }
        for point in self.candidates(position) {
            if self.count_node() {
                return None;
            }
            let child = self.game.play(position, point);
            if let Some(found) = self.defend(&child, plies - 1) {
                *first = Some(point);
                return Some(found + 1);
            }
        }
        if !self.is_out {
            self.failed.insert(position.key(), plies);
        }
        None
    }

    /// The attacker's threats, the most promising first.
    fn candidates(&self, position: &Position) -> Vec<Point> {
        let attacker = position.to_move();
        let (own, other) = (position.threats(attacker), position.threats(1 - attacker));
        let with_threes = self.kind == ThreatKind::FoursAndThrees
            && other.open_fours.is_empty()
            && self.game.threes_are_forcing(attacker);
        let threats = if with_threes { own.threes } else { own.fours };
        let points: Vec<usize> = match other.fives.first() {
            // With a three on the board the answer may threaten nothing.
            Some(five) if self.kind == ThreatKind::FoursAndThrees || threats.contains(five) => vec![five],
            Some(_) => Vec::new(),
            None => threats.iter().collect(),
        };
        let allowed = points.into_iter().filter(|&point| self.game.is_legal(position, point));
        let mut scored: Vec<(i32, Point)> =
            allowed.map(|point| (-self.game.worth_for_both(position, point), point as Point)).collect();
        scored.sort_unstable();
        scored.into_iter().map(|(_, point)| point).collect()
    }

    /// Plies to the win of the attacker, whose threat the side to move must answer; `None` if an
    /// answer holds or the move threatens nothing.
    fn defend(&mut self, position: &Position, plies: u32) -> Option<u32> {
        let defender = position.to_move();
        let (own, against) = (position.threats(defender), position.threats(1 - defender));
        if !own.fives.is_empty() {
            return None;
        }
        let replies = match against.fives.count() {
            0 if against.open_fours.is_empty() || !self.game.threes_are_forcing(1 - defender) => return None,
            // Only a stone on one of the attacker's fives can break an open four to come; one's
            // own four gains time.
            0 => self.game.allowed(position, own.fours.union(&against.fours)),
            2.. if !self.game.rule().blocks_fives() => return Some(2),
            _ => self.game.answers_to_fives(position),
        };
        if replies.is_empty() && !against.fives.is_empty() {
            // The only answer is forbidden.
            return Some(2);
        }
        self.worst_reply(position, &replies, plies)
    }

    fn worst_reply(&mut self, position: &Position, replies: &PointSet, plies: u32) -> Option<u32> {
        let mut longest = 0;
        for reply in replies.iter() {
            let child = self.game.play(position, reply as Point);
            longest = longest.max(1 + self.attack(&child, plies - 1, &mut None)?);
        }
        (longest > 0).then_some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::notation::{Notation, Style};

    fn game() -> Gomoku {
        Gomoku::named("gomoku").expect("a game")
    }

    fn position(game: &Gomoku, moves: &str) -> Position {
        moves.split_whitespace().fold(game.start(), |position, text| {
            let mv = game.read_move(&position, text, Style::Plain).expect("a legal move");
            game.play(&position, mv)
        })
    }

    fn solve(kind: ThreatKind, moves: &str) -> Option<(String, u32)> {
        let game = game();
        let position = position(&game, moves);
        let stop = Stop::new(&Limits::default());
        let end = ThreatSearchEnd { deadline: None, stop: &stop };
        let win = ThreatSearch::new(&game, kind, 100_000, end).solve(&position, MAX_PLIES)?;
        Some((game.show_move(&position, win.first, Style::Plain), win.plies))
    }

    #[test]
    fn fours_and_threes_win_as_far_as_they_reach() {
        // Four in a row, one end blocked.
        assert_eq!(solve(ThreatKind::Fours, "h8 g8 j8 a1 k8 a3 l8 a5"), Some(("m8".into(), 1)));
        // An open three.
        assert_eq!(solve(ThreatKind::Fours, "h8 a1 j8 a3 k8 a5").map(|(_, plies)| plies), Some(3));
        // A four and an open three at one point: l8 makes four on the row, and three with l7 and l6 on the column.
        assert_eq!(solve(ThreatKind::Fours, "h8 g8 j8 a1 k8 a3 l7 a5 l6 a7"), Some(("l8".into(), 5)));
        // Two open twos that cross: no fours, but a double open three.
        assert_eq!(solve(ThreatKind::Fours, "h8 a1 j8 a15 k7 p1 k6 p15"), None);
        assert_eq!(solve(ThreatKind::FoursAndThrees, "h8 a1 j8 a15 k7 p1 k6 p15"), Some(("k8".into(), 5)));
        assert_eq!(solve(ThreatKind::FoursAndThrees, "h8 a1"), None);
    }

    #[test]
    fn a_stop_ends_it() {
        let game = game();
        let position = position(&game, "h8 a1 h10 a3 j9 p1 k7 p3 l10 p5 j12 a13");
        let stop = Stop::new(&Limits::default());
        let nodes = || {
            let end = ThreatSearchEnd { deadline: None, stop: &stop };
            let mut search = ThreatSearch::new(&game, ThreatKind::FoursAndThrees, 10_000, end);
            search.solve(&position.passed(game.geometry()), MAX_PLIES);
            search.nodes
        };
        assert!(nodes() > POLL_INTERVAL, "there is much to search: {}", nodes());
        stop.raise();
        assert!(nodes() < 2 * POLL_INTERVAL, "{}", nodes());
    }
}
