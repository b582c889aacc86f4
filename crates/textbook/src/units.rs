//! Values as the textbook writes them.

use flipside_core::games::tree_scale::Scale;
use flipside_core::search::types::Score;
use serde_json::{Value, json};
use std::fmt::{self, Display};

/// From this size on a number is written with an exponent.
const EXPONENT: f64 = 1e15;

/// A value in the game's own unit; infinite for a win or a loss.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Units(pub f64);

impl From<Score> for Units {
    fn from(score: Score) -> Units {
        Units(Scale::HUNDREDTHS.value(score))
    }
}

/// `W`, `L`, or a number.
impl Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            f64::INFINITY => f.write_str("W"),
            f64::NEG_INFINITY => f.write_str("L"),
            value if value.abs() >= EXPONENT => write!(f, "{value:e}"),
            value => write!(f, "{value}"),
        }
    }
}

impl Units {
    /// `"W"`, `"L"`, or a number.
    pub fn json(self) -> Value {
        match self.0 {
            value if value.is_infinite() => json!(self.to_string()),
            value if value.fract() == 0.0 && value.abs() < EXPONENT => json!(value as i64),
            value => json!(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::search::types::WIN;

    #[test]
    fn values_are_written_as_in_the_textbook() {
        let texts = [WIN, -WIN, 600, -50, 1].map(|score| Units::from(score).to_string());
        assert_eq!(texts, ["W", "L", "6", "-0.5", "0.01"]);
        assert_eq!(Units(1e300).to_string(), "1e300");
        assert_eq!([6.0, -0.5, f64::INFINITY].map(|value| Units(value).json()), [json!(6), json!(-0.5), json!("W")]);
    }
}
