//! Tokens that several protocols share: words, numbers, seconds.

use flipside_support::seconds::MOST_SECONDS;
use nom::{
    IResult, Parser,
    bytes::complete::{take_till1, take_while},
    character::complete::digit1,
    combinator::{all_consuming, map_res, opt, recognize},
    multi::many0,
    number::complete::recognize_float,
    sequence::{pair, preceded, terminated},
};
use std::time::Duration;

/// Deepest perft accepted, in plies; far beyond what any machine can count.
pub const MAX_PERFT_DEPTH: u32 = 60;
/// Longest time read, in milliseconds (some thirty years).
const MAX_MILLISECONDS: u64 = 1_000_000_000_000;

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// Any number of blanks and tabs.
pub fn blanks(input: &str) -> IResult<&str, &str> {
    take_while(is_blank).parse(input)
}

/// A run of anything but blanks.
pub fn word(input: &str) -> IResult<&str, &str> {
    take_till1(is_blank).parse(input)
}

/// All words of a line.
pub fn words(input: &str) -> Vec<&str> {
    let run: IResult<&str, Vec<&str>> = many0(preceded(blanks, word)).parse(input);
    run.map(|(_, words)| words).unwrap_or_default()
}

/// The first word and the rest without the blanks around it.
pub fn word_and_rest(input: &str) -> Option<(&str, &str)> {
    let parsed: IResult<&str, &str> = preceded(blanks, terminated(word, blanks)).parse(input);
    parsed.ok().map(|(rest, word)| (word, rest.trim_end_matches(is_blank)))
}

/// Parses the whole text as an integer without a sign.
pub fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let parsed: IResult<&str, N> = all_consuming(map_res(digit1, str::parse)).parse(text);
    parsed.ok().map(|(_, number)| number)
}

/// Parses the whole text as an integer without a sign; too large a number becomes the maximum.
pub fn clamped_number(text: &str) -> Option<u64> {
    let parsed: IResult<&str, &str> = all_consuming(digit1).parse(text);
    parsed.ok().map(|(_, digits)| digits.parse().unwrap_or(u64::MAX))
}

/// The same for a number of plies, moves or variations.
pub fn clamped_count(text: &str) -> Option<u32> {
    clamped_number(text).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// Parses the whole text as a time in units of `unit` milliseconds, at most some thirty years. A negative time is zero.
pub fn clamped_time(text: &str, unit: u64) -> Option<Duration> {
    let time = |number: u64| Duration::from_millis(number.saturating_mul(unit).min(MAX_MILLISECONDS));
    match text.strip_prefix('-') {
        Some(digits) => clamped_number(digits).map(|_| Duration::ZERO),
        None => clamped_number(text).map(time),
    }
}

/// A depth for perft in plies, from 1 to [`MAX_PERFT_DEPTH`].
pub fn perft_depth(text: &str) -> Option<u32> {
    number(text).filter(|depth| (1..=MAX_PERFT_DEPTH).contains(depth))
}

/// Parses the whole text as seconds: a decimal number with or without a fraction, no exponent, at most some thirty
/// years.
pub fn seconds(text: &str) -> Option<Duration> {
    let fraction = opt(pair(nom::character::complete::char('.'), opt(digit1)));
    let decimal = map_res(recognize(pair(digit1, fraction)), str::parse::<f64>);
    let parsed: IResult<&str, f64> = all_consuming(decimal).parse(text);
    parsed.ok().filter(|(_, value)| *value <= MOST_SECONDS).map(|(_, value)| Duration::from_secs_f64(value))
}

/// Like [`seconds`], for a clock, whose time may be negative: that counts as zero.
pub fn clamped_seconds(text: &str) -> Option<Duration> {
    match text.strip_prefix('-') {
        Some(rest) => seconds(rest).map(|_| Duration::ZERO),
        None => seconds(text),
    }
}

/// True for a decimal number in any of the usual forms, all of the text.
pub fn is_decimal(text: &str) -> bool {
    let parsed: IResult<&str, &str> = all_consuming(recognize_float).parse(text);
    parsed.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_blanks_and_tabs() {
        assert_eq!(words("  play\tB  d3 "), ["play", "B", "d3"]);
        assert_eq!(words("   "), Vec::<&str>::new());
        assert_eq!(word_and_rest(" set  game (;GM ) "), Some(("set", "game (;GM )")));
        assert_eq!(word_and_rest(" "), None);
    }

    #[test]
    fn numbers_are_whole_texts_in_range() {
        assert_eq!(number::<u32>("17"), Some(17));
        for bad in ["", "-1", "1x", "4294967296", "1.5", "+3"] {
            assert_eq!(number::<u32>(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers_beyond_the_range_are_the_largest() {
        assert_eq!(clamped_number("18446744073709551616"), Some(u64::MAX));
        assert_eq!(clamped_number("7"), Some(7));
        assert_eq!(clamped_count("4294967297"), Some(u32::MAX));
        for bad in ["", "-1", "1x", "1.5"] {
            assert_eq!(clamped_number(bad), None, "{bad}");
        }
    }

    #[test]
    fn decimals_in_all_forms() {
        assert!(["6.5", "-0.5", "0", "1e3", "+7."].into_iter().all(is_decimal));
        assert!(!["", "inf", "nan", "6,5", "6.5x", "-"].into_iter().any(is_decimal));
    }

    #[test]
    fn seconds_may_have_fractions() {
        assert_eq!(seconds("0.25"), Some(Duration::from_millis(250)));
        assert_eq!(seconds("3."), Some(Duration::from_secs(3)));
        for bad in ["", ".5", "-1", "1e3", "nan", "99999999999999999999"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
        assert_eq!(clamped_seconds("2.5"), Some(Duration::from_millis(2500)));
        for negative in ["-1", "-0.5", "-0", "-3."] {
            assert_eq!(clamped_seconds(negative), Some(Duration::ZERO), "{negative}");
        }
        for bad in ["", "-", "--1", "-x", "+1"] {
            assert_eq!(clamped_seconds(bad), None, "{bad}");
        }
    }
}
