//! The weights of the evaluation: their text format, the fitted ones, and those set by hand.

use super::kinds::{self, KINDS};
use super::pattern::Pattern;
use super::rule::Rule;
use super::threats::{PointPatterns, directions};
use flipside_support::file_fault::FileFault;

/// The worth of a point for a player, as the side to move and as the other, in [tenths](TENTHS) of
/// hundredths.
pub type Worth = [i16; 2];
/// Tenths of hundredths in a hundredth.
pub const TENTHS: i32 = 10;

/// All weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternWeights {
    /// By the [`kind`](kinds::kind) of the point.
    pub worths: Vec<Worth>,
    /// The worth of being on move.
    pub tempo: i16,
    /// The same more where the opponent threatens an open four, which must be answered.
    pub must_answer: i16,
}

/// Why a text cannot be read as weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternWeightsError {
    /// The first line is not that of weights.
    #[error("expected the first line '{}'", PatternWeights::HEADER)]
    Header,
    /// A line is not what it should be.
    #[error("line {0}: expected '{1}' and {2}")]
    Line(usize, String, &'static str),
    /// There are more lines.
    #[error("expected {0} lines, found more")]
    Longer(usize),
}

/// It tells what was expected only.
impl FileFault for PatternWeightsError {
    fn without_content(&self) -> String {
        self.to_string()
    }
}

/// Worth of a pattern on a point.
const PATTERN_WORTH: [i16; 9] = [0, 0, 10, 45, 50, 180, 170, 600, 600];
/// A point that makes a four and an open three: the four must be answered, then the three wins.
const FOUR_THREE: i16 = 600;
/// A point that makes two open threes.
const TWO_THREES: i16 = 300;

/// The worth of a point's patterns by hand.
pub fn worth_by_hand(patterns: PointPatterns) -> i16 {
    let numbers = directions(patterns).map(usize::from);
    let sum: i16 = numbers.iter().filter_map(|&number| PATTERN_WORTH.get(number)).sum();
    let count = |pattern: Pattern| numbers.iter().filter(|&&number| number == pattern as usize).count();
    let (fours, threes) = (count(Pattern::Four), count(Pattern::OpenThree));
    let together = match (fours, threes) {
        (2.., _) => PATTERN_WORTH[Pattern::OpenFour as usize],
        (1, 1..) => FOUR_THREE,
        (0, 2..) => TWO_THREES,
        _ => 0,
    };
    sum + together
}

/// The file of the fitted weights for games by a rule.
fn fitted_text(rule: Rule) -> &'static str {
    match rule {
        Rule::ExactlyFive => include_str!("weights/exactly-five.txt"),
        Rule::Renju => include_str!("weights/renju.txt"),
        // Weights of caro's own games gain nothing that a match could show.
        Rule::Freestyle | Rule::Caro | Rule::CaroExactlyFive => include_str!("weights/freestyle.txt"),
    }
}

impl PatternWeights {
    /// The first line of a file.
    pub const HEADER: &str = "flipside gomoku weights 1";
    /// The upper bound for the size of a file, in bytes.
    pub const MAX_FILE_SIZE: usize = 1 << 16;

    /// The weights of the evaluation of that name under a rule.
    pub fn named(name: &str, rule: Rule) -> Option<PatternWeights> {
        match name {
            "default" | "patterns" => Some(PatternWeights::fitted(rule)),
            "by-hand" => Some(PatternWeights::by_hand()),
            _ => None,
        }
    }

    /// The weights inside the program, fitted to self-play under the rule by `flipside train gomoku`.
    fn fitted(rule: Rule) -> PatternWeights {
        PatternWeights::read(fitted_text(rule)).unwrap_or_else(|_| PatternWeights::by_hand())
    }

    /// Set by hand: the side to move uses its patterns first, so that they count a quarter more.
    pub fn by_hand() -> PatternWeights {
        let worths = kinds::all().map(worth_by_hand).map(|worth| [worth * 5 / 4, worth]).collect();
        PatternWeights { worths, tempo: 200, must_answer: -500 }
    }

    /// The lines of a file: what a weight is for, and its numbers.
    fn lines(&self) -> impl Iterator<Item = (String, Vec<i16>)> {
        let named = [("tempo", self.tempo), ("must-answer", self.must_answer)];
        let worths = kinds::all().zip(&self.worths).map(|(kind, worth)| (format!("{kind:04x}"), worth.to_vec()));
        named.into_iter().map(|(name, weight)| (name.to_string(), vec![weight])).chain(worths)
    }

    /// The text of a file: the header, then a line for each weight. A kind is the numbers of its
    /// patterns.
    pub fn show(&self) -> String {
        let line = |(name, numbers): (String, Vec<i16>)| {
            numbers.iter().fold(name, |text, number| format!("{text} {number}")) + "\n"
        };
        std::iter::once(format!("{}\n", PatternWeights::HEADER)).chain(self.lines().map(line)).collect()
    }

    /// Reads what [`show`](Self::show) writes.
    ///
    /// # Errors
    /// The first line that is not as it should be.
    pub fn read(text: &str) -> Result<PatternWeights, PatternWeightsError> {
        let mut lines = text.lines();
        if lines.next() != Some(PatternWeights::HEADER) {
            return Err(PatternWeightsError::Header);
        }
        let mut numbers = Vec::new();
        for (index, (name, as_by_hand)) in PatternWeights::by_hand().lines().enumerate() {
            let count = as_by_hand.len();
            let mut words = lines.next().unwrap_or_default().split(' ');
            let is_named = words.next() == Some(&name);
            let read: Option<Vec<i16>> = words.map(|word| word.parse().ok()).collect();
            match read.filter(|read| is_named && read.len() == count) {
                Some(read) => numbers.extend(read),
                None => {
                    let wanted = if count == 1 { "a number" } else { "two numbers" };
                    return Err(PatternWeightsError::Line(index + 2, name, wanted));
                }
            }
        }
        if lines.next().is_some() {
            return Err(PatternWeightsError::Longer(3 + KINDS));
        }
        PatternWeights::of_slice(&numbers).ok_or(PatternWeightsError::Header)
    }

    /// The weights of as many numbers as [`to_vec`](Self::to_vec) gives.
    pub fn of_slice(numbers: &[i16]) -> Option<PatternWeights> {
        let &[tempo, must_answer, ref worths @ ..] = numbers else { return None };
        let worths: Vec<Worth> = worths.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        (worths.len() == KINDS).then_some(PatternWeights { worths, tempo, must_answer })
    }

    /// All weights as numbers: the tempo, the answer, then the kinds.
    pub fn to_vec(&self) -> Vec<i16> {
        self.lines().flat_map(|(_, numbers)| numbers).collect()
    }

    /// The index in [`to_vec`](Self::to_vec) of a kind's worth for the side to move; that for the
    /// other follows.
    pub fn index_of(kind: usize) -> usize {
        2 + 2 * kind
    }

    /// The number of weights.
    pub const COUNT: usize = 2 + 2 * KINDS;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rule::RULES;

    #[test]
    fn texts_come_back_and_errors_name_the_line() {
        let by_hand = PatternWeights::by_hand();
        let text = by_hand.show();
        assert_eq!(PatternWeights::read(&text), Ok(by_hand.clone()));
        assert_eq!(by_hand.to_vec().len(), PatternWeights::COUNT);
        assert_eq!(by_hand.to_vec()[PatternWeights::index_of(3)..][..2], by_hand.worths[3]);
        assert_eq!(PatternWeights::read("d3 5"), Err(PatternWeightsError::Header));
        let error =
            |from: &str, to: &str| PatternWeights::read(&text.replacen(from, to, 1)).expect_err("damaged").to_string();
        assert_eq!(error("tempo 200", "tempo x"), "line 2: expected 'tempo' and a number");
        assert_eq!(error("1000 0 0", "1000 0 0 0"), "line 5: expected '1000' and two numbers");
        assert_eq!(error("1000 0 0\n", ""), "line 5: expected '1000' and two numbers");
        assert_eq!(PatternWeights::read(&(text + "tempo 1\n")), Err(PatternWeightsError::Longer(3 + KINDS)));
    }

    #[test]
    fn the_built_in_weights_are_complete() {
        for rule in RULES {
            assert_eq!(PatternWeights::read(fitted_text(rule)), Ok(PatternWeights::fitted(rule)));
        }
    }
}
