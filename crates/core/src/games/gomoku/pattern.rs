//! Line patterns: what a stone on an empty point would make in one line, looked up by the ten points around it.
//!
//! Seen from the point, five points on each side of the line decide under either rule: a five
//! through the point reaches four points to a side, and with exactly five the point beyond must
//! not be one's own. Each of these points is empty, one's own or blocked (the opponent's, or off
//! the board): 3^10 windows.

use std::sync::LazyLock;

/// Points of a window on each side of the middle.
pub const REACH: usize = 5;
const SPAN: usize = 2 * REACH;
const WINDOWS: usize = 59_049;

/// The number of stones in a row that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more.
    Freestyle,
    /// Exactly five: six in a row do not win.
    ExactlyFive,
}

/// What a stone makes in one line, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pattern {
    /// Nothing: no five fits here.
    Nothing,
    /// A stone where a five fits.
    One,
    /// One stone more makes a three that is not open.
    Two,
    /// One stone more makes an open three.
    OpenTwo,
    /// One stone more makes a four.
    Three,
    /// One stone more makes an open four.
    OpenThree,
    /// One point makes a five.
    Four,
    /// Two points make a five: it cannot be stopped.
    OpenFour,
    /// Five in a row: the game is won.
    Five,
}

/// All patterns by their numbers.
pub const PATTERNS: [Pattern; 9] = [
    Pattern::Nothing,
    Pattern::One,
    Pattern::Two,
    Pattern::OpenTwo,
    Pattern::Three,
    Pattern::OpenThree,
    Pattern::Four,
    Pattern::OpenFour,
    Pattern::Five,
];

/// The patterns of all windows under a rule.
pub struct PatternTable {
    patterns: Box<[u8]>,
    /// The points that decide, as bits around a middle at [`REACH`].
    pub within: u32,
}

/// Binary digits read as ternary ones: two sets of bits make the number of a window.
static TERNARY: [u16; 1 << SPAN] = {
    let mut numbers = [0; 1 << SPAN];
    let mut bits = 1_usize;
    while bits < numbers.len() {
        // The number without the lowest bit is known.
        numbers[bits] = numbers[bits & (bits - 1)] + 3_u16.pow(bits.trailing_zeros());
        bits += 1;
    }
    numbers
};

static FREESTYLE: LazyLock<PatternTable> = LazyLock::new(|| PatternTable::new(Rule::Freestyle));
static EXACTLY_FIVE: LazyLock<PatternTable> = LazyLock::new(|| PatternTable::new(Rule::ExactlyFive));

impl PatternTable {
    /// The table of a rule.
    pub fn of(rule: Rule) -> &'static PatternTable {
        match rule {
            Rule::Freestyle => &FREESTYLE,
            Rule::ExactlyFive => &EXACTLY_FIVE,
        }
    }

    fn new(rule: Rule) -> PatternTable {
        let mut known = vec![None; WINDOWS];
        for window in 0..WINDOWS {
            classify(rule, window, &mut known);
        }
        let patterns = known.into_iter().map(|pattern| pattern.map_or(0, |pattern| pattern as u8)).collect();
        // The point beyond a five matters only under exactly five.
        let reach = if rule == Rule::ExactlyFive { REACH } else { REACH - 1 };
        PatternTable { patterns, within: ((1 << (2 * reach + 1)) - 1) << (REACH - reach) }
    }

    /// A window's number: the sum of [`ternary`] of one's own stones and twice that of the
    /// blocking points.
    #[inline(always)]
    pub fn number(&self, window: u16) -> u8 {
        self.patterns[usize::from(window)]
    }
}

/// The ten points around a middle as a number of ternary digits, of which the lower five bits are the points before it.
#[inline(always)]
pub fn ternary(around: u32) -> u16 {
    TERNARY[around as usize & ((1 << SPAN) - 1)]
}

/// The pattern of a window whose middle holds an own stone: a five, or what one more stone makes.
fn classify(rule: Rule, window: usize, known: &mut Vec<Option<Pattern>>) -> Pattern {
    if let Some(pattern) = known[window] {
        return pattern;
    }
    let digits: Vec<usize> = (0..SPAN).map(|digit| window / 3_usize.pow(digit as u32) % 3).collect();
    let pattern = if has_five(rule, &digits) {
        Pattern::Five
    } else {
        let empties = (0..SPAN).filter(|&digit| digits[digit] == 0);
        let nexts: Vec<Pattern> =
            empties.map(|digit| classify(rule, window + 3_usize.pow(digit as u32), known)).collect();
        let fives = nexts.iter().filter(|&&next| next == Pattern::Five).count();
        match (fives, nexts.iter().max()) {
            (2.., _) => Pattern::OpenFour,
            (1, _) => Pattern::Four,
            (_, Some(Pattern::OpenFour)) => Pattern::OpenThree,
            (_, Some(Pattern::Four)) => Pattern::Three,
            (_, Some(Pattern::OpenThree)) => Pattern::OpenTwo,
            (_, Some(Pattern::Three)) => Pattern::Two,
            (_, Some(Pattern::OpenTwo | Pattern::Two)) => Pattern::One,
            _ => Pattern::Nothing,
        }
    };
    known[window] = Some(pattern);
    pattern
}

/// Whether five points in a row through the middle are one's own, and not more than five where
/// that matters.
fn has_five(rule: Rule, digits: &[usize]) -> bool {
    let is_own = |place: usize| place == REACH || digits[place - usize::from(place > REACH)] == 1;
    (1..=REACH).any(|start| {
        let is_five = (start..start + 5).all(is_own);
        is_five && (rule == Rule::Freestyle || !is_own(start - 1) && !is_own(start + 5))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern of a line as text, `*` for the middle.
    fn pattern(rule: Rule, line: &str) -> Pattern {
        let line: Vec<char> = line.chars().collect();
        let middle = line.iter().position(|&c| c == '*').expect("a middle") as isize;
        let (mut own, mut blocked) = (0, 0);
        for (digit, offset) in (-5..=5).filter(|&offset| offset != 0).enumerate() {
            let place = usize::try_from(middle + offset).ok();
            match place.and_then(|place| line.get(place)) {
                Some('x') => own |= 1 << digit,
                Some('.') => {}
                _ => blocked |= 1 << digit,
            }
        }
        PATTERNS[usize::from(PatternTable::of(rule).number(ternary(own) + 2 * ternary(blocked)))]
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
}
