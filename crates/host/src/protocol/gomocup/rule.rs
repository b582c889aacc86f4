//! The numbers by which managers name a rule.

use flipside_core::games::names::GOMOKU_RULES;

/// Bit: exactly five.
const EXACTLY_FIVE: u64 = 1;
/// Yixin's number of renju; elsewhere the bit of a game that goes on after a five.
const YIXINS_RENJU: u64 = 2;
/// Bit: renju.
const RENJU: u64 = 4;
/// Bit: caro.
const CARO: u64 = 8;

/// The rule of [`GOMOKU_RULES`] that a manager means by a number.
pub fn rule_of_number(number: u64) -> &'static str {
    let [freestyle, exactly_five, renju, caro, caro_exactly_five] = GOMOKU_RULES;
    match (number & CARO != 0, number & EXACTLY_FIVE != 0) {
        (true, true) => caro_exactly_five,
        (true, false) => caro,
        _ if number & RENJU != 0 || number == YIXINS_RENJU => renju,
        (false, true) => exactly_five,
        (false, false) => freestyle,
    }
}

/// Gomocup's number of a rule of [`GOMOKU_RULES`].
pub fn number_of_rule(rule: &str) -> Option<u64> {
    let numbers = [0, EXACTLY_FIVE, RENJU, CARO, CARO | EXACTLY_FIVE];
    numbers.into_iter().find(|&number| rule_of_number(number) == rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sums_of_bits() {
        for (number, rule) in [
            (0, "freestyle"),
            (1, "exactly-five"),
            (2, "renju"),
            (3, "exactly-five"),
            (4, "renju"),
            (5, "renju"),
            (8, "caro"),
            (9, "caro-exactly-five"),
            (u64::MAX, "caro-exactly-five"),
        ] {
            assert_eq!(rule_of_number(number), rule, "{number}");
        }
        assert_eq!(GOMOKU_RULES.map(number_of_rule), [0, 1, 4, 8, 9].map(Some));
        assert_eq!(number_of_rule("pente"), None);
    }
}
