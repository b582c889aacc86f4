//! The tables of the patterns of all windows under each rule.

use super::pattern::{Pattern, REACH, SPAN, WINDOWS};
use super::rule::{FIRST, RULES, Rule, SECOND};
use super::threats::{self, PointPatterns};
use std::sync::OnceLock;

/// The patterns of all windows under a rule, for both players.
pub struct PatternTable {
    patterns: [&'static [u8]; 2],
    threats: [&'static [u8]; 2],
    /// The points that decide, as bits around a middle at [`REACH`].
    pub within: u32,
}

static TABLES: [OnceLock<PatternTable>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];

impl PatternTable {
    /// The table of a rule.
    pub fn of(rule: Rule) -> &'static PatternTable {
        TABLES[rule as usize].get_or_init(|| PatternTable::new(rule))
    }

    fn new(rule: Rule) -> PatternTable {
        let patterns = if rule == Rule::Renju {
            [FIRST, SECOND].map(|player| Classifier::patterns(rule, player))
        } else {
            [Classifier::patterns(rule, FIRST); 2]
        };
        let threats = [FIRST, SECOND].map(|player| threats::table(rule.forbids(player)));
        // The point beyond a five matters only where six are not five, or where it may be blocked.
        let reach = if rule == Rule::Freestyle { REACH - 1 } else { REACH };
        PatternTable { patterns, threats, within: ((1 << (2 * reach + 1)) - 1) << (REACH - reach) }
    }

    /// The pattern that a stone of the player makes in a window. A window's number is the sum of
    /// [`ternary`](super::pattern::ternary) of the player's own stones, twice that of the opponent's, and the
    /// [wall](super::geometry::Place::wall) of its place.
    #[inline(always)]
    pub fn number(&self, player: usize, window: u32) -> u8 {
        self.patterns[player][window as usize]
    }

    /// What the patterns of a point together threaten, as flags of [`threats`].
    #[inline(always)]
    pub fn threat(&self, player: usize, patterns: PointPatterns) -> u8 {
        self.threats[player][usize::from(patterns)]
    }
}

/// A point of a window.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Own,
    /// The opponent's, or off the board where the edge blocks.
    Blocked,
    /// Off the board where the edge does not block.
    Off,
}

/// Classifies the windows of a player under a rule.
struct Classifier {
    rule: Rule,
    player: usize,
    /// Places off the board, as bits around the middle.
    off_board: u32,
    known: Vec<Option<Pattern>>,
}

impl Classifier {
    /// The patterns of all windows.
    fn patterns(rule: Rule, player: usize) -> &'static [u8] {
        let edges = if rule.blocks_fives() { REACH + 1 } else { 1 };
        let mut patterns = Vec::new();
        for (before, after) in (0..edges).flat_map(|before| (0..edges).map(move |after| (before, after))) {
            // The places before the middle that are off the board are the lower bits, those after it the upper ones.
            let off_board = ((1 << before) - 1) | (((1_u32 << after) - 1) << (SPAN - after));
            let mut classifier = Classifier { rule, player, off_board, known: vec![None; WINDOWS] };
            // Windows with stones off the board do not occur.
            let [step, end] = [before, SPAN - after].map(|digits| 3_usize.pow(digits as u32));
            for window in (0..end).step_by(step) {
                classifier.classify(window);
            }
            patterns.extend(classifier.known.into_iter().map(|known| known.unwrap_or(Pattern::Nothing) as u8));
        }
        Vec::leak(patterns)
    }

    fn cells(&self, window: usize) -> [Cell; SPAN] {
        std::array::from_fn(|digit| match window / 3_usize.pow(digit as u32) % 3 {
            _ if self.off_board >> digit & 1 == 1 => Cell::Off,
            0 => Cell::Empty,
            1 => Cell::Own,
            _ => Cell::Blocked,
        })
    }

    /// The pattern of a window whose middle holds an own stone: a five, or what one more stone makes.
    fn classify(&mut self, window: usize) -> Pattern {
        if let Some(pattern) = self.known[window] {
            return pattern;
        }
        let cells = self.cells(window);
        let (length, is_blocked) = line_through_middle(&cells);
        let pattern = if self.rule.wins(self.player, length, is_blocked) {
            Pattern::Five
        } else if length > 5 && self.rule.forbids(self.player) {
            Pattern::Overline
        } else {
            self.prospects(window, &cells)
        };
        self.known[window] = Some(pattern);
        pattern
    }

    /// What one more stone makes of a window that is no five.
    fn prospects(&mut self, window: usize, cells: &[Cell; SPAN]) -> Pattern {
        let empties = || (0..SPAN).filter(|&digit| cells[digit] == Cell::Empty);
        let nexts: Vec<(usize, Pattern)> =
            empties().map(|digit| (digit, self.classify(window + 3_usize.pow(digit as u32)))).collect();
        let fives: Vec<usize> =
            nexts.iter().filter(|(_, next)| *next == Pattern::Five).map(|&(digit, _)| digit).collect();
        if !fives.is_empty() {
            let is_open = match self.rule {
                _ if self.rule.blocks_fives() => empties().all(|digit| self.has_five_next(window, digit)),
                _ => fives.len() > 1,
            };
            return match is_open {
                true if self.rule.forbids(self.player) && !is_straight(&fives) => Pattern::DoubleFour,
                true => Pattern::OpenFour,
                false => Pattern::Four,
            };
        }
        let allowed = nexts.iter().map(|&(_, next)| next).filter(|&next| next < Pattern::Overline);
        match allowed.max() {
            Some(Pattern::OpenFour) => Pattern::OpenThree,
            Some(Pattern::Four) => Pattern::Three,
            Some(Pattern::OpenThree) => Pattern::OpenTwo,
            Some(Pattern::Three) => Pattern::Two,
            Some(Pattern::OpenTwo | Pattern::Two) => Pattern::One,
            _ => Pattern::Nothing,
        }
    }

    /// Whether one more stone makes a five after the opponent's stone on a point.
    fn has_five_next(&mut self, window: usize, answer: usize) -> bool {
        let answered = window + 2 * 3_usize.pow(answer as u32);
        let cells = self.cells(answered);
        (0..SPAN)
            .filter(|&digit| cells[digit] == Cell::Empty)
            .any(|digit| self.classify(answered + 3_usize.pow(digit as u32)) == Pattern::Five)
    }
}

/// The length of the line of own stones through the middle, and whether the points at both of its ends are blocked.
fn line_through_middle(cells: &[Cell; SPAN]) -> (usize, bool) {
    let own = |cells: &mut dyn Iterator<Item = &Cell>| cells.take_while(|&&cell| cell == Cell::Own).count();
    let before = own(&mut cells[..REACH].iter().rev());
    let after = own(&mut cells[REACH..].iter());
    let is_blocked = |cell: Option<&Cell>| cell == Some(&Cell::Blocked);
    let blocked = is_blocked(cells[..REACH].iter().rev().nth(before)) && is_blocked(cells[REACH..].get(after));
    (1 + before + after, blocked)
}

/// Whether these points, which make five, are the two ends of a straight four: four stones in a row lie between them.
fn is_straight(fives: &[usize]) -> bool {
    matches!(*fives, [first, second] if second - first == 4 && first < REACH && second >= REACH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::pattern::{PATTERNS, first_window, ternary};

    /// The pattern of a line as text, `*` for the middle.
    fn pattern(rule: Rule, line: &str) -> Pattern {
        pattern_of(rule, FIRST, line)
    }

    /// The same for a player; a line that ends within reach ends at the edge of the board.
    fn pattern_of(rule: Rule, player: usize, line: &str) -> Pattern {
        let line: Vec<char> = line.chars().collect();
        let middle = line.iter().position(|&c| c == '*').expect("a middle") as isize;
        let (mut own, mut blocked, mut off_board) = (0, 0, 0);
        let table = PatternTable::of(rule);
        for (digit, offset) in (-5..=5).filter(|&offset| offset != 0).enumerate() {
            let place = usize::try_from(middle + offset).ok();
            match place.and_then(|place| line.get(place)) {
                Some('x') => own |= 1 << digit,
                Some('.') => {}
                None => off_board |= 1 << digit,
                _ => blocked |= 1 << digit,
            }
        }
        let wall = if rule.blocks_fives() { first_window(off_board) } else { 2 * ternary(off_board) };
        PATTERNS[usize::from(table.number(player, ternary(own) + 2 * ternary(blocked) + wall))]
    }

    #[test]
    fn lines_have_the_patterns_that_players_call_so() {
        for (line, freestyle, exactly) in [
            (".....*.....", Pattern::One, Pattern::One),
            ("....x*.....", Pattern::OpenTwo, Pattern::OpenTwo),
            ("...xx*.....", Pattern::OpenThree, Pattern::OpenThree),
            ("..x.x*.....", Pattern::OpenThree, Pattern::OpenThree),
            ("..oxx*.....", Pattern::Three, Pattern::Three),
            (".oxx.*o....", Pattern::Nothing, Pattern::Nothing),
            ("..xxx*.....", Pattern::OpenFour, Pattern::OpenFour),
            (".oxxx*.....", Pattern::Four, Pattern::Four),
            ("..x.x*x....", Pattern::Four, Pattern::Four),
            ("..xxxx*....", Pattern::Five, Pattern::Five),
            (".xxx*xx....", Pattern::Five, Pattern::Nothing),
            ("..xx*.xx...", Pattern::Four, Pattern::Three),
            ("xxx.*.xxx..", Pattern::OpenFour, Pattern::OpenFour),
            (".xxx.*xo...", Pattern::Four, Pattern::Nothing),
            ("xx*x.......", Pattern::Four, Pattern::Four),
            ("..ox*.o....", Pattern::Nothing, Pattern::Nothing),
        ] {
            assert_eq!(
                (pattern(Rule::Freestyle, line), pattern(Rule::ExactlyFive, line)),
                (freestyle, exactly),
                "{line}"
            );
        }
    }

    #[test]
    fn a_five_between_two_stones_of_the_opponent_does_not_win_in_caro() {
        for (line, caro, exactly) in [
            ("..xxxx*....", Pattern::Five, Pattern::Five),
            (".oxxxx*o...", Pattern::Nothing, Pattern::Nothing),
            (".oxxxx*....", Pattern::Five, Pattern::Five),
            ("xxxx*o", Pattern::Five, Pattern::Five),
            (".xxxxx*....", Pattern::Five, Pattern::Nothing),
            ("oxxxxx*o...", Pattern::Five, Pattern::Nothing),
            // A stone of the opponent beyond the empty end prevents the five.
            (".oxxx*.....", Pattern::Four, Pattern::Four),
            ("..xxx*.....", Pattern::OpenFour, Pattern::OpenFour),
            // Whoever blocks one end has blocked both fives, because the other end has a stone beyond it.
            ("o.xxx*.o...", Pattern::Four, Pattern::Four),
            ("xxx*.", Pattern::Four, Pattern::Four),
        ] {
            assert_eq!((pattern(Rule::Caro, line), pattern(Rule::CaroExactlyFive, line)), (caro, exactly), "{line}");
        }
    }

    #[test]
    fn black_may_not_make_six_or_two_fours_in_renju() {
        for (line, black, white) in [
            ("..xxxx*....", Pattern::Five, Pattern::Five),
            (".xxx*xx....", Pattern::Overline, Pattern::Five),
            ("..xxx*.....", Pattern::OpenFour, Pattern::OpenFour),
            ("x.xx*.x....", Pattern::DoubleFour, Pattern::OpenFour),
            ("xx.x*.xx...", Pattern::DoubleFour, Pattern::OpenFour),
            ("xxx.*.xxx..", Pattern::DoubleFour, Pattern::OpenFour),
            ("...xx*.....", Pattern::OpenThree, Pattern::OpenThree),
            // A four on either side would have an end that makes six.
            ("x..xx*..x..", Pattern::Three, Pattern::OpenThree),
        ] {
            let seen = [FIRST, SECOND].map(|player| pattern_of(Rule::Renju, player, line));
            assert_eq!(seen, [black, white], "{line}");
        }
    }
}
