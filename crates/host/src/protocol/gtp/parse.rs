//! Parsing lines of GTP: cleaning, ids, then the command table.

use super::commands;
use crate::api::command::Command;
use crate::api::protocol::{Request, RequestId};
use crate::protocol::token::{number, word_and_rest};
use nom::{IResult, Parser, character::complete::digit1, combinator::map_opt, combinator::opt, sequence::terminated};

/// GoGui's one meaningful comment: end the running command.
const INTERRUPT: &str = "# interrupt";
/// The request id's word for an interruption, which gets no answer.
pub const NO_ANSWER: &str = "#";

/// The request of a line; none for blank lines and comments.
pub fn request(line: &str) -> Option<Request> {
    let clean = without_controls(line);
    if clean.trim() == INTERRUPT {
        let request_id = RequestId { id: None, word: NO_ANSWER.into() };
        return Some(Request { request_id, command: Command::Stop });
    }
    let text = clean.split('#').next().unwrap_or_default().trim_matches(' ');
    if text.is_empty() {
        return None;
    }
    let (rest, id) = opt(id).parse(text).unwrap_or((text, None));
    let (name, arguments) = word_and_rest(rest).unwrap_or(("", ""));
    let command = commands::command(name, arguments).unwrap_or_else(Command::Invalid);
    Some(Request { request_id: RequestId { id, word: name.to_string() }, command })
}

/// Drops control characters and turns tabs into blanks.
fn without_controls(line: &str) -> String {
    let blank = |c| if c == '\t' { ' ' } else { c };
    line.chars().map(blank).filter(|c| !c.is_ascii_control()).collect()
}

/// A number before the command, with the blank that ends it.
fn id(input: &str) -> IResult<&str, u64> {
    let end = nom::branch::alt((nom::combinator::eof, nom::bytes::complete::tag(" ")));
    terminated(map_opt(digit1, number), end).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::command::{CommandError, PlayedMove, Player, Query, TimeControl};
    use flipside_core::search::notation::Style;
    use proptest::prelude::*;
    use std::time::Duration;

    fn command(line: &str) -> Command {
        request(line).map(|request| request.command).expect("a request")
    }

    #[test]
    fn ids_comments_and_controls() {
        let wanted = request("17 showboard").expect("a request");
        assert_eq!(wanted.request_id, RequestId { id: Some(17), word: "showboard".into() });
        assert_eq!(wanted.command, Command::Show(Query::Board));
        assert_eq!(request("17\tshow\0board # all of it\r"), Some(wanted));
        for silent in ["", "  ", "# comment", "\t\r", "#"] {
            assert_eq!(request(silent), None, "{silent:?}");
        }
        assert!(matches!(command("GENMOVE b"), Command::Invalid(CommandError::UnknownCommand(_))));
        assert!(matches!(command("99"), Command::Invalid(CommandError::Syntax(_))));
        assert!(matches!(command("\u{a0}"), Command::Invalid(CommandError::UnknownCommand(_))), "no blank in GTP");
        assert!(matches!(command("99999999999999999999999 name"), Command::Invalid(CommandError::UnknownCommand(_))));
    }

    #[test]
    fn an_interruption_is_urgent_and_silent() {
        assert_eq!(command("# interrupt"), Command::Stop);
        assert_eq!(command(" # interrupt\r"), Command::Stop);
        assert_eq!(request("# interrupted"), None);
        assert_ne!(command("name"), Command::Stop);
    }

    #[test]
    fn moves_and_colours_in_any_case() {
        for line in ["play b d3", "play BLACK d3", "1 play Black d3"] {
            let moves = vec![PlayedMove { player: Some(Player::Named("black")), text: "d3".into() }];
            assert_eq!(command(line), Command::Play { moves, style: Style::Plain });
        }
        assert!(matches!(command("play green d3"), Command::Invalid(CommandError::Unavailable(_))));
        assert!(matches!(command("play b"), Command::Invalid(CommandError::Syntax(_))));
        assert!(matches!(command("play b d3 e3"), Command::Invalid(CommandError::Syntax(_))));
    }

    #[test]
    fn time_settings_in_all_forms() {
        let seconds = Duration::from_secs;
        let canadian = |main, period, stones| TimeControl::Canadian { main, period, stones };
        for (line, control) in [
            ("600 0 0", TimeControl::Game { main: seconds(600), increment: Duration::ZERO }),
            ("0 15 1", canadian(Duration::ZERO, seconds(15), 1)),
            ("60 30 5", canadian(seconds(60), seconds(30), 5)),
            ("60 2.5 0", TimeControl::Game { main: seconds(60), increment: Duration::from_millis(2500) }),
            ("0 0 0", TimeControl::Unlimited),
            ("0 0 1", TimeControl::Unlimited),
            ("0 5 0", TimeControl::Game { main: seconds(5), increment: seconds(5) }),
            ("-1 -2.5 0", TimeControl::Unlimited),
            ("-1 15 1", canadian(Duration::ZERO, seconds(15), 1)),
            ("9 0 3", TimeControl::Game { main: seconds(9), increment: Duration::ZERO }),
        ] {
            assert_eq!(command(&format!("time_settings {line}")), Command::TimeControl(control), "{line}");
        }
        for bad in ["1 2", "-x 0 0", "1 0 -1", "x 0 0", "1 1 1 1", "1e3 0 0"] {
            assert!(
                matches!(command(&format!("time_settings {bad}")), Command::Invalid(CommandError::Syntax(_))),
                "{bad}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_line_is_one_request_or_none(line in "\\PC*|[ -~\\t\\x00-\\x1f]{0,60}") {
            let blank = without_controls(&line).split('#').next().unwrap_or_default().trim_matches(' ').is_empty();
            let interrupt = without_controls(&line).trim() == INTERRUPT;
            prop_assert_eq!(request(&line).is_some(), !blank || interrupt);
        }

        #[test]
        fn any_arguments_of_known_commands(name in prop::sample::select(commands::NAMES.to_vec()), rest in "[ -\"$-~]{0,40}") {
            let line = format!("{name} {rest}");
            prop_assert!(request(&line).is_some());
        }
    }
}
