//! What programs write into comments on moves: match programs value and time (`+1.25/14 0.5s`), lichess and others
//! commands (`[%eval 0.17] [%clk 0:10:00]`).

use crate::record::game_record::{RecordMove, hundredths};
use crate::record::times;
use flipside_core::search::types::{Score, Side, UNIT, WIN, WIN_IN_MAX_PLY};
use nom::{
    IResult, Parser,
    character::complete::{char, digit1, multispace0, one_of, satisfy},
    combinator::{map, opt, recognize},
    sequence::{pair, terminated},
};
use std::time::Duration;

/// Adds a comment to its move.
pub(super) fn read(text: &str, mv: &mut RecordMove) {
    let (rest, (score, time)) = evaluation(text.trim()).unwrap_or((text, (None, None)));
    mv.score = mv.score.or(score);
    mv.time = mv.time.or(time);
    let mut rest = rest.to_string();
    let mut take = |name, known: Option<Duration>| {
        known.or_else(|| take_command(&mut rest, name, |text| times::clock_face(text, decimal)))
    };
    mv.clock = take("clk", mv.clock);
    mv.time = take("emt", mv.time);
    mv.add_comment(rest.trim());
}

/// Takes lichess' values out of the comments of a line and its variations. They are of the position after the move, in
/// pawns for White; `first` is the player of the first move.
pub(super) fn take_values(line: &mut [RecordMove], first: Side) {
    let mut mover = first;
    for mv in line {
        if let Some(comment) = &mut mv.comment {
            let value = take_command(comment, "eval", |text| white_value(text, mover));
            let is_empty = comment.is_empty();
            mv.score = mv.score.or(value.map(|value| if mover == Side::First { value } else { -value }));
            mv.comment.take_if(|_| is_empty);
        }
        mv.variations.iter_mut().for_each(|variation| take_values(variation, mover));
        mover = mover.other();
    }
}

/// Takes `[%name ...]` with a readable argument out of a comment.
fn take_command<T>(comment: &mut String, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    let begin = comment.find(&format!("[%{name} "))?;
    let length = comment.get(begin..)?.find(']')?;
    let argument = comment.get(begin + 3 + name.len()..begin + length)?;
    let value = read(argument.trim())?;
    let before = comment.get(..begin)?.trim_end();
    let after = comment.get(begin + length + 1..)?.trim_start();
    let blank = if before.is_empty() || after.is_empty() { "" } else { " " };
    *comment = format!("{before}{blank}{after}");
    Some(value)
}

/// White's value in hundredths: `0.17`, `-1.3,18` with a depth, `#3` or `#-2` for a mate in so many moves, after a move of
/// this side.
fn white_value(text: &str, mover: Side) -> Option<Score> {
    let text = text.split(',').next().unwrap_or_default().trim();
    let Some(mate) = text.strip_prefix('#') else {
        return decimal(text.strip_prefix('-').unwrap_or(text))
            .map(|value| value.min(1e6) * if text.starts_with('-') { -1.0 } else { 1.0 })
            .map(|value| (value * f64::from(UNIT)).round() as Score);
    };
    let moves =
        mate.strip_prefix('-').unwrap_or(mate).parse::<Score>().ok().filter(|moves| (1..400).contains(moves))?;
    let (winner, sign) = if mate.starts_with('-') { (Side::Second, -1) } else { (Side::First, 1) };
    // Plies from before this move, as a search there counts them.
    let plies = if winner == mover { 2 * moves + 1 } else { 2 * moves };
    Some(sign * (WIN - plies)).filter(|value| value.abs() > WIN_IN_MAX_PLY)
}

/// A number without sign or exponent.
fn decimal(text: &str) -> Option<f64> {
    let is_plain =
        text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_plain.then(|| text.parse().ok()).flatten()
}

/// A comment of a match program: value for the player of the move, depth, time: `+1.25/14 0.5s`.
fn evaluation(input: &str) -> IResult<&str, (Option<Score>, Option<Duration>)> {
    let decimal = || recognize(pair(digit1, opt(pair(char('.'), digit1))));
    let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.abs() <= 1e6);
    let signed = map(recognize(pair(one_of("+-"), decimal())), move |text| number(text).and_then(hundredths));
    let depth = pair(char('/'), digit1);
    let time = map(terminated(decimal(), char('s')), move |text| number(text).and_then(times::from_seconds));
    let both = (
        opt(terminated(signed, opt(depth))),
        multispace0,
        opt(time),
        recognize(opt(satisfy(|c| c == ',' || c == ' '))),
    );
    map(both, |(score, _, time, _)| (score.flatten(), time.flatten())).parse(input)
}

/// The comment on a move in braces, if there is one.
pub(super) fn shown(mv: &RecordMove) -> Option<String> {
    let value = mv.score.map(|score| format!("{:+.2}", f64::from(score) / f64::from(UNIT)));
    let time = mv.time.map(|time| times::seconds(time) + "s");
    let facts: Vec<String> = [value, time].into_iter().flatten().collect();
    let text = mv.comment.as_ref().map(|comment| comment.replace('{', "(").replace('}', ")"));
    let text: Vec<String> = [mv.clock.map(shown_clock), text].into_iter().flatten().collect();
    let (facts, text) = (facts.join(" "), text.join(" "));
    // A leading comma marks a comment that looks like a value.
    let looks_like_facts = text.starts_with(|c: char| "+-,".contains(c) || c.is_ascii_digit());
    match (facts.as_str(), text.as_str()) {
        ("", "") => None,
        ("", text) if looks_like_facts => Some(format!("{{, {text}}}")),
        ("", text) => Some(format!("{{{text}}}")),
        (facts, "") => Some(format!("{{{facts}}}")),
        (facts, text) => Some(format!("{{{facts}, {text}}}")),
    }
}

/// `[%clk 0:09:59.4]`.
fn shown_clock(clock: Duration) -> String {
    let (seconds, fraction) = (clock.as_secs(), times::fraction(clock));
    format!("[%clk {}:{:02}:{:02}{fraction}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commented(text: &str) -> RecordMove {
        let mut mv = RecordMove::new(None, "b2b3");
        read(text, &mut mv);
        mv
    }

    #[test]
    fn clocks_and_times() {
        let mv = commented("[%eval 0.17] [%clk 0:00:09.4] good [%csl Gd4] [%emt 0:01:02]");
        assert_eq!((mv.clock, mv.time), (Some(Duration::from_millis(9400)), Some(Duration::from_secs(62))));
        assert_eq!(mv.comment.as_deref(), Some("[%eval 0.17] good [%csl Gd4]"), "unknown commands are text");
        assert_eq!(shown(&mv).as_deref(), Some("{62s, [%clk 0:00:09.4] [%eval 0.17] good [%csl Gd4]}"));
        for odd in ["[%clk ]", "[%clk a:b]", "[%clk 1:2:3:4]", "[%clk 1e9]", "[%clk -1]", "[%clk", "[%clk 9999999999]"]
        {
            assert_eq!((commented(odd).clock, commented(odd).comment.as_deref()), (None, Some(odd)), "{odd}");
        }
    }

    #[test]
    fn values_are_for_the_mover() {
        let value = |text: &str, mover| {
            let mut line = [commented(&format!("a [%eval {text}]"))];
            take_values(&mut line, mover);
            line[0].score
        };
        let (white, black) = (Side::First, Side::Second);
        assert_eq!(
            (value("0.17", white), value("0.17", black), value("-1.3,18", white)),
            (Some(17), Some(-17), Some(-130))
        );
        // White mates in its next move: three plies with this one of White's, two with one of Black's.
        assert_eq!((value("#1", white), value("#1", black)), (Some(WIN - 3), Some(2 - WIN)));
        assert_eq!((value("#-1", white), value("#-1", black)), (Some(2 - WIN), Some(WIN - 3)));
        assert_eq!(value("99999999", white), Some(100_000_000));
        for odd in ["#", "#0", "#400", "x", "", "--1", "1e3", "nan", "+1"] {
            assert_eq!(value(odd, white), None, "{odd}");
        }
        let mut line = [commented("[%eval 0.5] good"), commented("")];
        line[1].variations = vec![vec![commented("[%eval 1.0]")]];
        take_values(&mut line, white);
        assert_eq!((line[0].score, line[0].comment.as_deref()), (Some(50), Some("good")));
        let other = &line[1].variations[0][0];
        assert_eq!((other.score, &other.comment), (Some(-100), &None), "Black's move");
    }
}
