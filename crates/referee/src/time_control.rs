//! Time controls as testers of engines write them.

use flipside_host::api::command::TimeControl;
use flipside_support::seconds::{MOST_SECONDS, parse_seconds_or_zero};
use std::time::Duration;

/// The forms that [`parse`] reads, for error messages and help.
pub const FORMS: &str = "MAIN, MAIN+INC, MOVES/MAIN+INC, [MAIN+]MOVES/PERIOD or [MAIN+]PERIODSxPERIOD";

/// Reads a time control; times are seconds, `M:SS` or `H:MM:SS`:
///
/// - `60`, `5:00+0.1`, `0+2`: the whole game, and an increment for each move (Fischer); without main time a game begins
///   with one increment on the clock;
/// - `40/5+0.1`: 40 moves in 5 seconds, again and again, with an increment; time left over is kept (classical);
/// - `25/300`, `600+25/300`: after the main time, 25 moves in each period of 300 seconds, whose rest is lost (Canadian);
/// - `600+3x30`, `3x30`: after the main time, 3 periods of 30 seconds, and a move uses up only whole ones (byo-yomi).
///
/// # Errors
/// The text has none of these forms, or a time is not positive.
pub fn parse(text: &str) -> Result<TimeControl, String> {
    read(text).map_err(|reason| format!("{reason}; a time control is {FORMS}, in seconds or M:SS"))
}

fn read(text: &str) -> Result<TimeControl, String> {
    let (first, second) = text.split_once('+').map_or((text, None), |(first, second)| (first, Some(second)));
    match (first.split_once('/'), second) {
        (Some((moves, main)), Some(increment)) => {
            Ok(TimeControl::Classical { moves: count(moves)?, main: positive(main)?, increment: time(increment)? })
        }
        (_, None) if has_periods(first) => periods(Duration::ZERO, first),
        (None, Some(rest)) if has_periods(rest) => periods(time(first)?, rest),
        (None, Some(increment)) => {
            let (main, increment) = (time(first)?, time(increment)?);
            let main = if main.is_zero() { increment } else { main };
            if main.is_zero() { Err(no_time(text)) } else { Ok(TimeControl::Game { main, increment }) }
        }
        (_, None) => Ok(TimeControl::Game { main: positive(first)?, increment: Duration::ZERO }),
    }
}

fn has_periods(text: &str) -> bool {
    text.contains(['/', 'x'])
}

fn periods(main: Duration, text: &str) -> Result<TimeControl, String> {
    match (text.split_once('/'), text.split_once('x')) {
        (Some((stones, period)), _) => {
            Ok(TimeControl::Canadian { main, period: positive(period)?, stones: count(stones)? })
        }
        (None, Some((periods, period))) => {
            Ok(TimeControl::ByoYomi { main, period: positive(period)?, periods: count(periods)? })
        }
        (None, None) => Err(no_time(text)),
    }
}

fn no_time(text: &str) -> String {
    format!("expected seconds above 0, at most {MOST_SECONDS}, saw '{text}'")
}

fn positive(text: &str) -> Result<Duration, String> {
    time(text).ok().filter(|time| !time.is_zero()).ok_or_else(|| no_time(text))
}

/// `90`, `1:30` or `0:01:30`.
fn time(text: &str) -> Result<Duration, String> {
    let mut parts = text.rsplitn(3, ':');
    let seconds = parse_seconds_or_zero(parts.next().unwrap_or_default())?;
    let more: Vec<u64> = parts.map(str::parse).collect::<Result<_, _>>().map_err(|_| no_time(text))?;
    let is_clock = more.is_empty() || seconds.as_secs() < 60 && more.iter().rev().skip(1).all(|&minutes| minutes < 60);
    let minutes = more.iter().rev().try_fold(0u64, |sum, part| sum.checked_mul(60)?.checked_add(*part));
    let whole = minutes.filter(|_| is_clock).and_then(|minutes| minutes.checked_mul(60));
    let time = whole.and_then(|whole| Duration::from_secs(whole).checked_add(seconds));
    time.filter(|time| time.as_secs_f64() <= MOST_SECONDS).ok_or_else(|| no_time(text))
}

fn count(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=1_000_000).contains(number));
    number.ok_or_else(|| format!("expected a number of moves or periods from 1 to 1000000, saw '{text}'"))
}

/// The time control as [`parse`] reads it, in seconds.
pub fn show(control: TimeControl) -> String {
    let main_and = |main: Duration| if main.is_zero() { String::new() } else { format!("{}+", main.as_secs_f64()) };
    match control {
        TimeControl::Unlimited => String::new(),
        TimeControl::Game { main, increment } => format!("{}+{}", main.as_secs_f64(), increment.as_secs_f64()),
        TimeControl::Classical { moves, main, increment } => {
            format!("{moves}/{}+{}", main.as_secs_f64(), increment.as_secs_f64())
        }
        TimeControl::Canadian { main, period, stones } => {
            format!("{}{stones}/{}", main_and(main), period.as_secs_f64())
        }
        TimeControl::ByoYomi { main, period, periods } => {
            format!("{}{periods}x{}", main_and(main), period.as_secs_f64())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_shown() {
        let seconds = |seconds: f64| Duration::from_secs_f64(seconds);
        let game = |main, increment| TimeControl::Game { main: seconds(main), increment: seconds(increment) };
        let canadian =
            |main, period| TimeControl::Canadian { main: seconds(main), period: seconds(period), stones: 25 };
        let byo_yomi = |main| TimeControl::ByoYomi { main: seconds(main), period: seconds(30.0), periods: 3 };
        let classical =
            |main, increment| TimeControl::Classical { moves: 40, main: seconds(main), increment: seconds(increment) };
        for (text, control, shown) in [
            ("60", game(60.0, 0.0), "60+0"),
            ("60+0.5", game(60.0, 0.5), "60+0.5"),
            ("5:00+0.1", game(300.0, 0.1), "300+0.1"),
            ("1:30:05", game(5405.0, 0.0), "5405+0"),
            ("0+2", game(2.0, 2.0), "2+2"),
            ("40/5+0.1", classical(5.0, 0.1), "40/5+0.1"),
            ("40/1:30+0", classical(90.0, 0.0), "40/90+0"),
            ("25/300", canadian(0.0, 300.0), "25/300"),
            ("10:00+25/5:00", canadian(600.0, 300.0), "600+25/300"),
            ("3x30", byo_yomi(0.0), "3x30"),
            ("600+3x0:30", byo_yomi(600.0), "600+3x30"),
        ] {
            assert_eq!(parse(text), Ok(control), "{text}");
            assert_eq!((show(control).as_str(), parse(shown)), (shown, Ok(control)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_forms() {
        for text in [
            "",
            "+",
            "0",
            "0+0",
            "fast",
            "1e19",
            "1+1e19",
            "-1",
            "40/",
            "0/5",
            "40/0",
            "40/5+x",
            "3x",
            "x30",
            "0x30",
            "1:60",
            "1:60:00",
            "1:2:3:4",
            ":30",
            "99999999999999999:00",
            "1000001/5",
            "40/5+3x2",
            "5+3/2+1",
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains("expected ") && error.contains(FORMS), "{text}: {error}");
        }
    }
}
