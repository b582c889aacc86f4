//! The weights of the terms: their text format, the fitted set, and one set by hand.

use super::terms::*;
use crate::games::minichess::board::Piece;
use crate::games::minichess::see::PIECE_VALUE;
use crate::games::minichess::squares::SQUARES;
use flipside_support::file_fault::FileFault;
use std::fmt::Write;

/// Two weights for each term, in hundredths of a pawn: for a full board and for an empty one.
#[derive(Clone, Debug, PartialEq)]
pub struct TermWeights {
    /// By the index of the term.
    pub pairs: Vec<[i16; 2]>,
}

/// Why a text cannot be read as weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermWeightsError {
    /// A line is not a name, a phase and numbers.
    #[error("line {0}: expected NAME full|empty and numbers")]
    Line(usize),
    /// The name is not a group.
    #[error("line {0}: no term is called '{1}'")]
    Name(usize, String),
    /// Too few or too many numbers.
    #[error("line {0}: {1} has {2} weights, saw {3}")]
    Count(usize, &'static str, usize, usize),
    /// A group has no line.
    #[error("no weights for {0} {1}")]
    Missing(&'static str, &'static str),
}

impl FileFault for TermWeightsError {
    fn without_content(&self) -> String {
        match self {
            TermWeightsError::Name(line, _) => format!("line {line}: no term has this name"),
            TermWeightsError::Count(line, _, _, _) => format!("line {line}: too few or too many weights"),
            other => other.to_string(),
        }
    }
}

const PHASES: [&str; 2] = ["full", "empty"];

impl TermWeights {
    /// The upper bound for the size of a weight file, in bytes.
    pub const MAX_FILE_SIZE: usize = 1 << 20;

    /// All zero.
    pub fn zero() -> TermWeights {
        TermWeights { pairs: vec![[0; 2]; TERMS] }
    }

    /// The weights inside the binary, fitted to self-play by `flipside tune`.
    ///
    /// # Errors
    /// Never: a test reads them.
    pub fn tuned() -> Result<TermWeights, TermWeightsError> {
        TermWeights::read(include_str!("weights.txt"))
    }

    /// Set by hand: material, and small weights for the centre, mobility and king safety.
    pub fn by_hand() -> TermWeights {
        let mut weights = TermWeights::zero();
        for kind in Piece::ALL {
            for square in 0..SQUARES {
                let (file, rank) = (square % 5, square / 5);
                let central = 4 - (2 * file as i16 - 4).abs() - (2 * rank as i16 - 5).abs() / 2;
                let value = if kind == Piece::King { 0 } else { PIECE_VALUE[kind as usize] as i16 };
                let (full, empty) = match kind {
                    Piece::Pawn => (rank as i16 * 6, rank as i16 * 20),
                    Piece::King => (-15 * rank as i16, central * 6),
                    Piece::Knight | Piece::Bishop => (central * 6, central * 4),
                    Piece::Rook | Piece::Queen => (central, central * 3),
                };
                weights.pairs[PIECE_SQUARE[kind as usize].first + square] = [value + full, value + empty];
            }
        }
        for (group, step) in [(KNIGHT_MOBILITY, 8), (BISHOP_MOBILITY, 6), (ROOK_MOBILITY, 5), (QUEEN_MOBILITY, 3)] {
            weights.slope(group, |count| step * (count as i16 - group.len as i16 / 2), 1);
        }
        weights.slope(KING_DANGER, |units| -((units * units / 2) as i16), 0);
        weights.slope(SHELTER, |pawns| 12 * pawns as i16, 0);
        weights.slope(KING_STEPS, |steps| 4 * steps.min(4) as i16, 1);
        weights.slope(PASSED, |rank| 12 * rank as i16, 1);
        weights.slope(FREE_PASSED, |rank| 8 * rank as i16, 1);
        weights.slope(DEFENDED, |_| 8, 1);
        weights.slope(ISOLATED, |_| -12, 1);
        weights.slope(DOUBLED, |_| -12, 1);
        weights.slope(ATTACKED_BY_PAWN, |_| -40, 1);
        weights.slope(ATTACKED_BY_MINOR, |_| -30, 1);
        weights.slope(HANGING, |kind| -20 - 8 * kind as i16, 1);
        weights.slope(OPEN_FILE, |kind| 10 + 10 * kind as i16, 1);
        weights.slope(TEMPO, |_| 15, 1);
        weights
    }

    /// Sets a group by a function of the index; `empty` is 1 if the weights are those of empty boards too.
    fn slope(&mut self, group: TermGroup, weight: impl Fn(usize) -> i16, empty: i16) {
        for at in 0..group.len {
            self.pairs[group.first + at] = [weight(at), empty * weight(at)];
        }
    }

    /// A line for each group and phase: `knight full 300 310 ...`.
    pub fn show(&self) -> String {
        let mut text = String::new();
        for group in GROUPS {
            for (phase, name) in PHASES.iter().enumerate() {
                text.push_str(&format!("{} {name}", group.name));
                for pair in &self.pairs[group.first..][..group.len] {
                    // Writing to a string cannot fail.
                    let _ = write!(text, " {}", pair[phase]);
                }
                text.push('\n');
            }
        }
        text
    }

    /// Whether a line is one of [`TermWeights::show`], by its first two words.
    pub fn is_line(line: &str) -> bool {
        let mut words = line.split_whitespace();
        words.next().is_some_and(|name| GROUPS.iter().any(|group| group.name == name))
            && words.next().is_some_and(|phase| PHASES.contains(&phase))
    }

    /// Reads what [`TermWeights::show`] writes; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// The line that cannot be read, or the group without weights.
    pub fn read(text: &str) -> Result<TermWeights, TermWeightsError> {
        let mut weights = TermWeights::zero();
        let mut seen = vec![[false; 2]; GROUPS.len()];
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let mut words = line.split_whitespace();
            let Some(name) = words.next().filter(|name| !name.starts_with('#')) else { continue };
            let unknown = || TermWeightsError::Name(number, name.chars().take(40).collect());
            let at = GROUPS.iter().position(|group| group.name == name).ok_or_else(unknown)?;
            let group = GROUPS[at];
            let phase = words.next().and_then(|word| PHASES.iter().position(|phase| *phase == word));
            let phase = phase.ok_or(TermWeightsError::Line(number))?;
            let values: Result<Vec<i16>, _> = words.map(str::parse).collect();
            let values = values.map_err(|_| TermWeightsError::Line(number))?;
            if values.len() != group.len {
                return Err(TermWeightsError::Count(number, group.name, group.len, values.len()));
            }
            for (pair, value) in weights.pairs[group.first..].iter_mut().zip(values) {
                pair[phase] = value;
            }
            seen[at][phase] = true;
        }
        for (group, seen) in GROUPS.iter().zip(seen) {
            for (phase, seen) in PHASES.into_iter().zip(seen) {
                if !seen {
                    return Err(TermWeightsError::Missing(group.name, phase));
                }
            }
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_are_complete() {
        let tuned = TermWeights::tuned().expect("weights");
        assert_ne!(tuned, TermWeights::zero());
        assert_eq!(TermWeights::read(&tuned.show()), Ok(tuned));
    }

    #[test]
    fn errors_name_the_line() {
        let text = TermWeights::by_hand().show();
        assert_eq!(TermWeights::read(&text), Ok(TermWeights::by_hand()));
        assert_eq!(
            TermWeights::read(&(text.clone() + "horse full 1")),
            Err(TermWeightsError::Name(57, "horse".into()))
        );
        assert_eq!(TermWeights::read(&(text.clone() + "tempo half 1")), Err(TermWeightsError::Line(57)));
        assert_eq!(TermWeights::read(&(text.clone() + "tempo full x")), Err(TermWeightsError::Line(57)));
        assert_eq!(
            TermWeights::read(&(text.clone() + "tempo full 1 2")),
            Err(TermWeightsError::Count(57, "tempo", 1, 2))
        );
        let without: String =
            text.lines().filter(|line| !line.starts_with("tempo")).map(|l| l.to_string() + "\n").collect();
        assert_eq!(TermWeights::read(&without), Err(TermWeightsError::Missing("tempo", "full")));
    }
}
