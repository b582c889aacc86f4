//! The search policy of Gomoku: moves in the order of their threats, only answers if a threat must be answered, fours
//! instead of captures, and a threat search before the first iteration.

use super::evaluation::PatternEvaluation;
use super::margins::{MARGINS, NULL_MOVE_MIN_DEPTH, reductions};
use super::pattern::Pattern;
use super::point_set::PointSet;
use super::position::Position;
use super::rule::Rule;
use super::rules::{Gomoku, Point};
use super::threat_search::{MAX_PLIES, ThreatKind, ThreatSearch, ThreatSearchEnd, ThreatWin};
use super::threats::directions;
use super::verdicts::Verdicts;
use crate::search::game::Game;
use crate::search::history::ReductionTable;
use crate::search::level::{Base, Supported};
use crate::search::limits::RemainingBudget;
use crate::search::margins::Margins;
use crate::search::policy::{SearchPolicy, Technique, TechniqueSet};
use crate::search::technique::{CaptureSearch, ClockHints, MoveClasses, NullMove};
use crate::search::types::{Depth, IterationGoal, IterationPlan, Score, WIN};
use flipside_support::clock::Instant;
use std::time::Duration;

/// The search policy.
pub struct GomokuPolicy {
    game: Gomoku,
    disabled: TechniqueSet,
    reductions: ReductionTable,
    /// Positions after a root move that threat searches have decided: the side to move loses in an
    /// even number of plies, or wins in an odd number.
    proven: Verdicts,
}

/// Slots of [`GomokuPolicy::proven`]: more than a root has moves.
const PROVEN_SLOTS: usize = 1 << 10;
/// A search of fours before an iteration enters at most this many positions, some tenths of a
/// second...
const FOURS_LIMIT: u64 = 200_000;
/// ... and takes one part in this many of what the limits leave: few positions have that many
/// fours, and fours decide those.
const FOURS_PARTS: u64 = 4;
/// The same for fours and threes, which most positions have.
const THREES_LIMIT: u64 = 20_000;
const THREES_PARTS: u64 = 16;
/// A search for the answer to a threat of the opponent enters at most this many positions for each
/// candidate move.
const ANSWER_LIMIT: u64 = 2_000;
/// Quiescence follows this many fours of a position.
const BEST_FOURS: u32 = 3;
/// A search limited to fewer plies than this is not meant to see further.
const THREATS_MIN_DEPTH: Depth = 4;
/// Before any search the time left counts as this many positions a millisecond.
const FIRST_SPEED: u64 = 1000;
/// The longest win by fours and threes that is searched for, in plies.
const THREES_MAX_PLIES: u32 = 31;
/// A move-ordering score is this multiple of the worth of the move's patterns.
const ORDER_WEIGHT: i32 = 64;
/// The patterns of a quiet move score below this, so that killers come first.
const MAX_QUIET: i32 = 1 << 23;
/// Score of fours and of answers to fours, above killers and history.
const NOISY: i32 = 1 << 28;

impl GomokuPolicy {
    /// All techniques except these. Without quiescence there is no threat search, either.
    pub fn new(game: Gomoku, disabled: &[Technique]) -> GomokuPolicy {
        let disabled = disabled.iter().copied().collect();
        GomokuPolicy { game, disabled, reductions: reductions(), proven: Verdicts::new(PROVEN_SLOTS) }
    }

    fn has(&self, technique: Technique) -> bool {
        !self.disabled.contains(technique)
    }

    /// Searches for a win by threats of the side to move, fours first.
    fn threat_win(&self, position: &Position, remaining: RemainingBudget<'_>) -> Option<ThreatWin> {
        [
            (ThreatKind::Fours, FOURS_LIMIT, FOURS_PARTS, MAX_PLIES),
            (ThreatKind::FoursAndThrees, THREES_LIMIT, THREES_PARTS, THREES_MAX_PLIES),
        ]
        .into_iter()
        .find_map(|(kind, limit, parts, max_plies)| {
            let (affordable, end) = part_of(remaining, parts);
            let mut search = ThreatSearch::new(&self.game, kind, limit.min(affordable), end);
            search.solve(position, max_plies)
        })
    }

    /// Searches for wins by threats and stores the positions after a move that they decide: the
    /// first move of one's own win, and all moves that do not prevent the opponent's, which is
    /// searched as if the opponent were on move.
    fn prove(&self, position: &Position, remaining: RemainingBudget<'_>) {
        if let Some(win) = self.threat_win(position, remaining) {
            return self.proven.store(self.game.play(position, win.first).key(), win.plies - 1);
        }
        let is_forced = !position.threats(1 - position.to_move()).fives.is_empty();
        if is_forced || self.threat_win(&position.passed(self.game.geometry()), remaining).is_none() {
            return;
        }
        let (mut affordable, end) = part_of(remaining, THREES_PARTS);
        let mut moves: Vec<usize> = self.tried(position).iter().collect();
        moves.sort_by_key(|&point| -self.order(position, point));
        for point in moves {
            let child = self.game.play(position, point as Point);
            let limit = ANSWER_LIMIT.min(affordable);
            let mut search = ThreatSearch::new(&self.game, ThreatKind::FoursAndThrees, limit, end);
            if let Some(win) = search.solve(&child, THREES_MAX_PLIES) {
                self.proven.store(child.key(), win.plies);
            }
            affordable -= search.nodes.min(affordable);
            if affordable == 0 || end.has_come() {
                return;
            }
        }
    }

    /// What threat searches before the first iteration have found about a position.
    #[inline(always)]
    fn proven_score(&self, position: &Position) -> Option<Score> {
        let plies = self.proven.plies(position.key())? as Score;
        Some(if plies % 2 == 0 { plies - WIN } else { WIN - plies })
    }

    /// Whether a win by threats begins with a move in this position.
    fn is_proven_win(&self, position: &Position) -> bool {
        let own = position.threats(position.to_move());
        let threats = self.game.allowed(position, own.threes.union(&own.fours));
        threats
            .iter()
            .any(|point| self.proven_score(&self.game.play(position, point as Point)).is_some_and(|score| score < 0))
    }

    /// The moves worth trying: answers where a threat must be answered, else all points near a
    /// stone.
    #[inline(always)]
    fn tried(&self, position: &Position) -> PointSet {
        let own = position.to_move();
        let (threats, against) = (position.threats(own), position.threats(1 - own));
        if !threats.fives.is_empty() {
            return threats.fives;
        }
        let answers = if !against.fives.is_empty() {
            self.game.answers_to_fives(position)
        } else if !against.open_fours.is_empty() && self.game.threes_are_forcing(1 - own) {
            // An open four to come: a stone where it would stand or end, or a four of one's own.
            self.game.allowed(position, threats.fours.union(&against.fours))
        } else {
            PointSet::EMPTY
        };
        if !answers.is_empty() {
            return answers;
        }
        let near = self.game.allowed(position, position.near());
        if near.is_empty() { self.beginning(position) } else { near }
    }

    /// The middle of an empty board; every empty point if no stone has an empty point near it.
    #[cold]
    fn beginning(&self, position: &Position) -> PointSet {
        let mut points = PointSet::EMPTY;
        if position.count() == 0 {
            points.set((self.game.size() + 1) * (self.game.size() / 2), true);
        } else {
            (0..self.game.points()).for_each(|point| points.set(point, self.game.is_legal(position, point)));
        }
        points
    }

    /// Whether few fours of the side to move are worth more than the four on this point.
    #[inline(always)]
    fn is_among_best_fours(&self, position: &Position, point: usize) -> bool {
        let own = position.to_move();
        let fours = &position.threats(own).fours;
        let worth = |point: usize| self.game.worth(position, own, point);
        fours.count() <= BEST_FOURS
            || fours.iter().filter(|&other| worth(other) > worth(point)).count() < BEST_FOURS as usize
    }

    /// The worth of a move for both sides: it makes one's own patterns and breaks the opponent's;
    /// among equals the nearer to the middle comes first.
    #[inline(always)]
    fn order(&self, position: &Position, point: usize) -> i32 {
        self.game.worth_for_both(position, point) + i32::from(self.game.geometry().central[point])
    }
}

/// A threat search's limit of positions and its end, for one part in `parts` of what is left.
fn part_of(remaining: RemainingBudget<'_>, parts: u64) -> (u64, ThreatSearchEnd<'_>) {
    let deadline = remaining.time.map(|left| Instant::now() + Duration::from_micros(left / parts * 1000 / FIRST_SPEED));
    let end = ThreatSearchEnd { deadline, stop: remaining.stop };
    (remaining.nodes.map_or(u64::MAX, |left| left / parts), end)
}

/// True for a four, or for the answer to one.
#[inline(always)]
fn is_noisy(position: &Position, point: usize) -> bool {
    let own = position.to_move();
    position.threats(own).fours.contains(point) || position.threats(1 - own).fives.contains(point)
}

impl GomokuPolicy {
    /// The value of an unfinished game where patterns decide it: a five, an open four that cannot be stopped, two fives of
    /// the opponent, or one whose only answer is forbidden. Renju may end before, with the last stone.
    #[inline(always)]
    fn decided_by_patterns(&self, position: &Position) -> Option<Score> {
        let (game, own) = (&self.game, position.to_move());
        let (threats, against) = (position.threats(own), position.threats(1 - own));
        let lasts = |plies: u32| game.rule() != Rule::Renju || game.stones_left(position) >= plies;
        if !threats.fives.is_empty() {
            return lasts(1).then_some(WIN - 1);
        }
        let is_lost = match against.fives.count() {
            0 => {
                let wins = lasts(3) && !game.allowed(position, threats.open_fours).is_empty();
                return wins.then_some(WIN - 3);
            }
            2.. if !game.rule().blocks_fives() => true,
            _ => game.answers_to_fives(position).is_empty(),
        };
        (is_lost && lasts(2)).then_some(2 - WIN)
    }
}

impl SearchPolicy<Gomoku, PatternEvaluation> for GomokuPolicy {
    type Level = Base;
    const MARGINS: Margins = MARGINS;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }

    #[inline(always)]
    fn score_move(&self, _: &Gomoku, position: &Position, mv: Point) -> i32 {
        let point = usize::from(mv);
        let order = self.order(position, point);
        if is_noisy(position, point) { NOISY + order } else { (order * ORDER_WEIGHT).min(MAX_QUIET) }
    }

    /// What the patterns decide, or threat searches before the first iteration.
    #[inline(always)]
    fn probe_exact(&self, position: &Position) -> Option<Score> {
        if position.winner().is_some() {
            return None;
        }
        self.decided_by_patterns(position).or_else(|| self.proven_score(position))
    }

    /// Only what the patterns decide: another kind of win may be faster than a win by threats.
    fn probe_distance(&self, position: &Position) -> Option<Score> {
        if position.winner().is_some() { None } else { self.decided_by_patterns(position) }
    }

    /// Threat search before the first iteration. If it proves a win, the first iteration finds
    /// that win, and nothing more can be learned of the best move.
    fn next_iteration(
        &self,
        position: &Position,
        last: Option<IterationPlan>,
        goal: IterationGoal,
        remaining: RemainingBudget<'_>,
    ) -> Option<IterationPlan> {
        let Some(last) = last else {
            if goal.depth >= THREATS_MIN_DEPTH && self.has(Technique::Quiescence) {
                self.prove(position, remaining);
            }
            return Some(IterationPlan::plies(1));
        };
        let next = last.depth + 1;
        let is_settled = goal.best_move_only && last.depth == 1 && self.is_proven_win(position);
        (next <= goal.depth && !is_settled).then_some(IterationPlan::plies(next))
    }

    #[inline(always)]
    fn is_enabled(&self, technique: Technique) -> bool {
        self.has(technique)
    }

    #[inline(always)]
    fn reductions(&self) -> Option<&ReductionTable> {
        Some(&self.reductions)
    }

    #[inline(always)]
    fn captures(&self) -> Option<&impl CaptureSearch<Gomoku>> {
        Some(self)
    }

    #[inline(always)]
    fn null_move(&self) -> Option<&impl NullMove<Gomoku>> {
        Some(self)
    }

    #[inline(always)]
    fn clock_hints(&self) -> Option<&impl ClockHints<Gomoku>> {
        Some(self)
    }

    fn move_classes(&self) -> Option<&impl MoveClasses<Gomoku>> {
        Some(self)
    }
}

/// Fours are Gomoku's captures and checks: they must be answered at once.
impl CaptureSearch<Gomoku> for GomokuPolicy {
    #[inline(always)]
    fn is_noisy(&self, position: &Position, mv: Point) -> bool {
        is_noisy(position, usize::from(mv))
    }

    #[inline(always)]
    fn noisy_moves(&self, _: &Gomoku, position: &Position, each: impl FnMut(Point)) {
        let own = position.to_move();
        let against = position.threats(1 - own);
        let noisy = if against.fives.is_empty() {
            self.game.allowed(position, position.threats(own).fours)
        } else {
            self.tried(position)
        };
        noisy.iter().map(|point| point as Point).for_each(each);
    }

    #[inline(always)]
    fn quiet_moves(&self, _: &Gomoku, position: &Position, each: impl FnMut(Point)) {
        let quiet = self.tried(position);
        quiet.iter().filter(|&point| !is_noisy(position, point)).map(|point| point as Point).for_each(each);
    }

    #[inline(always)]
    fn decode_tt_move(&self, _: &Gomoku, position: &Position, code: u16) -> Option<Point> {
        let point = usize::from(code);
        (point < self.game.points() && self.tried(position).contains(point)).then_some(code)
    }

    #[inline(always)]
    fn evasions(&self, _: &Gomoku, position: &Position, each: impl FnMut(Point)) {
        self.tried(position).iter().map(|point| point as Point).for_each(each);
    }

    /// A four that is only answered is a lost exchange: the stone must serve another line as well,
    /// or take a point that the opponent needs. If there are many, only the best few are followed:
    /// with all of them the number of sequences explodes.
    #[inline(always)]
    fn see_ge(&self, _: &Gomoku, position: &Position, mv: Point, _: Score) -> bool {
        let (own, point) = (position.to_move(), usize::from(mv));
        if position.threats(1 - own).fives.contains(point) || !position.threats(own).fours.contains(point) {
            return true;
        }
        let numbers = directions(position.patterns(own, point));
        let useful = numbers.iter().filter(|&&number| number >= Pattern::OpenTwo as u8).count();
        let strongest = numbers.iter().max().copied().unwrap_or(0);
        let serves = useful > 1 || strongest > Pattern::Four as u8 || position.threats(1 - own).threes.contains(point);
        serves && self.is_among_best_fours(position, point)
    }

    /// The opponent has a four.
    #[inline(always)]
    fn in_check(&self, position: &Position) -> bool {
        !position.threats(1 - position.to_move()).fives.is_empty()
    }

    #[inline(always)]
    fn gives_check(&self, _: &Gomoku, position: &Position, mv: Point) -> bool {
        position.threats(position.to_move()).fours.contains(usize::from(mv))
    }
}

impl NullMove<Gomoku> for GomokuPolicy {
    /// A pass is never better than a move here; where the opponent threatens an open four a pass
    /// loses, so it tells nothing.
    #[inline(always)]
    fn null_move(&self, position: &Position) -> Option<Position> {
        let against = position.threats(1 - position.to_move());
        against.open_fours.is_empty().then(|| position.passed(self.game.geometry()))
    }

    #[inline(always)]
    fn min_depth(&self) -> Depth {
        NULL_MOVE_MIN_DEPTH
    }
}

impl ClockHints<Gomoku> for GomokuPolicy {
    /// Most games end with half of the board empty; the rest is not planned for.
    fn moves_left(&self, position: &Position) -> u32 {
        40_u32.saturating_sub(position.count() / 2).max(12)
    }

    fn moves_to_end(&self, position: &Position) -> u32 {
        (self.game.points() as u32).saturating_sub(position.count()).div_ceil(2).min(60)
    }
}

impl MoveClasses<Gomoku> for GomokuPolicy {
    /// Fives, then answers to a four, fours, open threes, and all others.
    fn class(&self, position: &Position, mv: Point) -> u8 {
        let (own, point) = (position.to_move(), usize::from(mv));
        let (threats, against) = (position.threats(own), position.threats(1 - own));
        [&threats.fives, &against.fives, &threats.open_fours, &threats.fours, &against.fours, &threats.threes]
            .iter()
            .position(|set| set.contains(point))
            .map_or(6, |class| class as u8)
    }
}
