//! Parsing lines of XBoard.

use super::state::{Mode, XBoardState};
use crate::api::command::{Command, CommandError, Go, GoLimits, PlayedMove, Query, TimeControl};
use crate::api::protocol::{ParsedLine, Request, RequestId, Urgency};
use crate::protocol::text::{option_name, without_controls};
use crate::protocol::token::{clamped_count, clamped_time, number, seconds, word_and_rest, words};
use flipside_core::search::notation::Style;
use std::time::Duration;

/// The words of a line and its urgency. Pondering and analysis never end by themselves, so a line does not wait for
/// them: it is served beside them and drops them if necessary.
pub(super) fn line(line: &str) -> ParsedLine {
    let clean = without_controls(line);
    let (word, rest) = command_words(&clean);
    let urgency = match word {
        "?" | "." | "hint" | "bk" | "post" | "nopost" | "hard" | "easy" | "quit" => Urgency::Now,
        "new" | "variant" | "setboard" | "force" | "result" | "analyze" => Urgency::Cancel,
        _ => Urgency::Beside,
    };
    ParsedLine::of_words(urgency, word, rest)
}

/// The requests of a line; none for lines that only change the state.
pub(super) fn requests(word: &str, rest: &str, state: &mut XBoardState) -> Vec<Request> {
    let id = number::<u64>(rest).filter(|_| word == "ping");
    with_id(word, id, commands(word, rest, state))
}

/// The command and its arguments; a bare move becomes `usermove`.
fn command_words(line: &str) -> (&str, &str) {
    match word_and_rest(line).unwrap_or_default() {
        (word, "") if is_bare_move(word) => ("usermove", word),
        found => found,
    }
}

fn with_id(word: &str, id: Option<u64>, commands: Vec<Command>) -> Vec<Request> {
    let request_id = RequestId { id, word: word.to_string() };
    commands.into_iter().map(|command| Request { request_id: request_id.clone(), command }).collect()
}

fn commands(word: &str, rest: &str, state: &mut XBoardState) -> Vec<Command> {
    match word {
        "protover" => vec![Command::Handshake],
        "new" => {
            let mut commands = end_thinking(state);
            state.start_game();
            commands.push(Command::NewGame);
            commands.extend(analysis(state));
            commands
        }
        "variant" => changing_position(state, Command::SelectGame(rest.to_string())),
        "setboard" => {
            let start = Some(rest.to_string());
            changing_position(
                state,
                Command::SetPosition { start, moves: Vec::new(), style: Style::Uci, keep_prefix: false },
            )
        }
        "force" | "result" => enter(state, Mode::Force),
        "exit" if state.mode == Mode::Analyze => enter(state, Mode::Force),
        "playother" => enter(state, Mode::Play),
        "go" => {
            let mut commands = enter(state, Mode::Play);
            commands.push(Command::Go(go(state)));
            commands
        }
        "analyze" => {
            let mut commands = enter(state, Mode::Analyze);
            commands.extend(analysis(state));
            commands
        }
        "usermove" => user_move(rest, state),
        "undo" => changing_position(state, Command::Undo(1)),
        "remove" => changing_position(state, Command::Undo(2)),
        "ping" => vec![Command::Ready],
        // Only a search for a move has a move to give.
        "?" if state.thinks_without_end() => Vec::new(),
        "?" => vec![Command::Stop],
        "quit" => vec![Command::Quit],
        "level" | "st" | "sd" | "time" => limit(word, rest, state),
        "memory" => option(state, "Hash", Some(rest)),
        "cores" => option(state, "Threads", Some(rest)),
        "option" => match rest.split_once('=') {
            Some((name, value)) => option(state, name, Some(value)),
            None => option(state, rest, None),
        },
        "bk" => book(state),
        "." | "hint" => report(word, state),
        "post" | "nopost" | "hard" | "easy" => switch(word, state),
        "" | "exit" | "xboard" | "accepted" | "rejected" | "otim" | "random" | "computer" | "name" | "rating"
        | "ics" | "draw" | "egtpath" | "white" | "black" => Vec::new(),
        _ => vec![Command::Invalid(CommandError::UnknownCommand(word.to_string()))],
    }
}

/// Changes the mode.
fn enter(state: &mut XBoardState, mode: Mode) -> Vec<Command> {
    let commands = end_thinking(state);
    state.mode = mode;
    state.expect(None, false);
    commands
}

/// Drops the analysis, or the pondering, whose expected move is taken back and may be pondered on again.
fn end_thinking(state: &mut XBoardState) -> Vec<Command> {
    if state.ponder_move.take().is_some() {
        state.worth_pondering = true;
        return vec![Command::DropSearch, Command::Undo(1)];
    }
    if state.mode == Mode::Analyze { vec![Command::DropSearch] } else { Vec::new() }
}

/// Wraps a command that ends pondering and restarts an analysis.
fn restarting_analysis(state: &mut XBoardState, command: Command) -> Vec<Command> {
    let mut commands = end_thinking(state);
    commands.push(command);
    commands.extend(analysis(state));
    commands
}

/// The same for a command that changes the position, so that no move is expected any more.
fn changing_position(state: &mut XBoardState, command: Command) -> Vec<Command> {
    let commands = restarting_analysis(state, command);
    state.expect(None, false);
    commands
}

/// The search of the analysis mode.
fn analysis(state: &XBoardState) -> Option<Command> {
    let limits = GoLimits { infinite: true, ..GoLimits::default() };
    let analyze = Command::Analyze { player: None, multipv: 1, limits, until_input: false };
    (state.mode == Mode::Analyze).then_some(analyze)
}

fn go(state: &XBoardState) -> Go {
    Go { play: true, limits: state.move_limits(), ..Go::default() }
}

fn user_move(text: &str, state: &mut XBoardState) -> Vec<Command> {
    let played = PlayedMove::new(text);
    match state.mode {
        Mode::Force | Mode::Analyze => {
            changing_position(state, Command::Play { moves: vec![played], style: Style::Uci })
        }
        Mode::Play if state.is_pondered(text) => {
            state.ponder_move = None;
            vec![Command::PonderHit(Some(go(state)))]
        }
        Mode::Play => {
            let answer = Command::PlayAndGo { played, style: Style::Uci, go: go(state) };
            changing_position(state, answer)
        }
    }
}

/// The requests that make the engine ponder: play the expected move, then search.
pub(super) fn ponder(state: &mut XBoardState) -> Vec<Request> {
    if !state.hard || state.mode != Mode::Play || !state.worth_pondering {
        return Vec::new();
    }
    let Some(expected) = state.expected_move.clone() else { return Vec::new() };
    state.worth_pondering = false;
    let play = Command::Play { moves: vec![PlayedMove::new(&expected)], style: Style::Uci };
    let search = Command::Go(Go { ponder: true, ..go(state) });
    state.ponder_move = Some(expected);
    with_id("ponder", None, vec![play, search])
}

/// `level MOVES BASE INCREMENT`, `st SECONDS`, `sd PLIES`, `time CENTISECONDS`.
fn limit(word: &str, rest: &str, state: &mut XBoardState) -> Vec<Command> {
    let control = match word {
        "level" => level(rest),
        "st" => seconds(rest).map(|period| TimeControl::Canadian { main: Duration::ZERO, period, stones: 1 }),
        "sd" => {
            let Some(depth) = clamped_count(rest).filter(|depth| *depth > 0) else { return invalid("sd PLIES") };
            state.depth = Some(depth);
            return Vec::new();
        }
        _ => {
            let Some(left) = clamped_time(rest, 10) else { return invalid("time CENTISECONDS") };
            state.own_clock = Some(left);
            return Vec::new();
        }
    };
    let expected = "expected level MOVES BASE INCREMENT or st SECONDS";
    let command = match control {
        Some(control) => {
            (state.control, state.own_clock) = (Some(control), None);
            Command::TimeControl(control)
        }
        None => Command::Invalid(CommandError::Syntax(expected.into())),
    };
    restarting_analysis(state, command)
}

fn invalid(expected: &str) -> Vec<Command> {
    vec![Command::Invalid(CommandError::Syntax(format!("expected {expected}")))]
}

/// `40 5 0`, `0 0:30 1`: moves (0 is the whole game), minutes with or without seconds, seconds.
fn level(text: &str) -> Option<TimeControl> {
    let [moves, base, increment] = words(text)[..] else { return None };
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let main = seconds(minutes)?.checked_mul(60)? + seconds(rest)?;
    let increment = seconds(increment)?;
    match number::<u32>(moves)? {
        0 => Some(TimeControl::Game { main, increment }),
        moves => Some(TimeControl::Classical { moves, main, increment }),
    }
}

fn option(state: &mut XBoardState, name: &str, value: Option<&str>) -> Vec<Command> {
    let value = value.map(|value| value.trim().to_string());
    restarting_analysis(state, Command::SetOption { name: option_name(name.trim()), value })
}

fn switch(word: &str, state: &mut XBoardState) -> Vec<Command> {
    match word {
        "post" => state.post = true,
        "nopost" => state.post = false,
        "hard" => state.hard = true,
        _ => {
            state.hard = false;
            if state.ponder_move.is_some() {
                return end_thinking(state);
            }
        }
    }
    Vec::new()
}

/// Answers from the state, while a search runs.
fn report(word: &str, state: &XBoardState) -> Vec<Command> {
    let text = match (word, &state.latest, &state.expected_move) {
        (".", Some(latest), _) => {
            let (time, mv) = (latest.time.as_millis() / 10, latest.pv.first().map_or("", String::as_str));
            format!("stat01: {time} {} {} 0 0 {mv}", latest.nodes, latest.depth)
        }
        ("hint", _, Some(expected)) => format!("Hint: {expected}"),
        _ => return Vec::new(),
    };
    vec![Command::Reply(text)]
}

/// The book's moves in the position that the user sees: while the engine ponders, its own board is a move ahead.
fn book(state: &XBoardState) -> Vec<Command> {
    vec![Command::Show(Query::Book { moves_back: usize::from(state.ponder_move.is_some()) })]
}

/// Hosts that did not accept `usermove` send bare moves: two squares, maybe a piece, or a drop.
fn is_bare_move(word: &str) -> bool {
    let is_square = |file: char, rank: char| file.is_ascii_lowercase() && rank.is_ascii_digit();
    match word.chars().collect::<Vec<_>>()[..] {
        [a, b, c, d] | [a, b, c, d, 'a'..='z'] => {
            is_square(a, b) && is_square(c, d) || a.is_ascii_uppercase() && b == '@'
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::protocol::LineContent;
    use proptest::prelude::*;

    fn served(text: &str, state: &mut XBoardState) -> Vec<Request> {
        let LineContent::Words(word, rest) = line(text).content else { panic!("words") };
        requests(&word, &rest, state)
    }

    fn feed(state: &mut XBoardState, text: &str) -> Vec<Command> {
        served(text, state).into_iter().map(|request| request.command).collect()
    }

    fn urgency(text: &str) -> Urgency {
        line(text).urgency
    }

    /// The commands of the last of these lines.
    fn last(lines: &[&str]) -> Vec<Command> {
        let mut state = XBoardState::default();
        lines.iter().fold(Vec::new(), |_, line| feed(&mut state, line))
    }

    fn limits(lines: &[&str]) -> GoLimits {
        match last(lines).pop() {
            Some(Command::Go(go)) => go.limits,
            other => panic!("a search, not {other:?}"),
        }
    }

    #[test]
    fn a_move_is_answered_unless_the_host_forces() {
        let to = PlayedMove::new("b2b3");
        let answered = |commands: &[Command]| matches!(commands, [Command::PlayAndGo { played: mv, go, .. }] if *mv == to && go.play);
        assert!(answered(&last(&["new", "usermove b2b3"])));
        assert!(answered(&last(&["new", "b2b3"])), "a bare move");
        let noted = [Command::Play { moves: vec![to.clone()], style: Style::Uci }];
        assert_eq!(last(&["force", "usermove b2b3"]), noted);
        assert_eq!(last(&["result 1-0 {mates}", "usermove b2b3"]), noted);
        assert!(answered(&last(&["force", "playother", "usermove b2b3"])));
        assert!(matches!(last(&["force", "go"])[..], [Command::Go(_)]));
    }

    #[test]
    fn in_analysis_every_change_begins_a_new_search() {
        assert!(matches!(last(&["analyze"])[..], [Command::Analyze { .. }]));
        for line in ["usermove b2b3", "undo", "new", "setboard 8/8 w", "option Clear Hash", "level 40 5 0"] {
            let mut state = XBoardState { mode: Mode::Analyze, ..XBoardState::default() };
            assert!(matches!(urgency(line), Urgency::Cancel | Urgency::Beside), "{line}");
            let commands = feed(&mut state, line);
            assert!(matches!(commands[..], [Command::DropSearch, _, Command::Analyze { .. }]), "{line}");
        }
        let harmless =
            |command: &Command| !matches!(command, Command::Analyze { .. } | Command::Stop | Command::DropSearch);
        for line in ["ping 3", "?", ".", "fly", "time 100", "easy", "", "accepted x"] {
            let mut state = XBoardState { mode: Mode::Analyze, ..XBoardState::default() };
            assert!(matches!(urgency(line), Urgency::Now | Urgency::Beside), "{line}");
            assert!(feed(&mut state, line).iter().all(harmless), "{line}");
        }
        assert_eq!(last(&["analyze", "exit"]), [Command::DropSearch]);
        assert!(matches!(last(&["analyze", "exit", "usermove b2b3"])[..], [Command::Play { .. }]));
        assert!(matches!(last(&["analyze", "go"])[..], [Command::DropSearch, Command::Go(_)]));
        assert!(matches!(last(&["analyze", "playother", "usermove b2b3"])[..], [Command::PlayAndGo { .. }]));
        assert!(matches!(last(&["exit", "usermove b2b3"])[..], [Command::PlayAndGo { .. }]), "nothing to leave");
    }

    #[test]
    fn the_predicted_move_is_a_hit_and_any_other_is_taken_back() {
        let pondering = || {
            let mut state = XBoardState { hard: true, ..XBoardState::default() };
            state.expect(Some("b5b4".into()), true);
            let commands: Vec<Command> = ponder(&mut state).into_iter().map(|request| request.command).collect();
            assert!(matches!(&commands[..], [Command::Play { .. }, Command::Go(go)] if go.ponder && go.play));
            assert!(ponder(&mut state).is_empty(), "once");
            state
        };
        assert_eq!(urgency("usermove b5b4"), Urgency::Beside);
        assert!(matches!(feed(&mut pondering(), "usermove b5b4")[..], [Command::PonderHit(Some(_))]));
        let missed = feed(&mut pondering(), "usermove a5a4");
        assert!(matches!(missed[..], [Command::DropSearch, Command::Undo(1), Command::PlayAndGo { .. }]));
        for line in ["undo", "force", "new", "option Clear Hash", "easy", "memory 8", "result * {}", "go", "analyze"] {
            let mut state = pondering();
            assert_ne!(urgency(line), Urgency::Queue, "{line}");
            let commands = feed(&mut state, line);
            assert_eq!(commands[..2], [Command::DropSearch, Command::Undo(1)], "{line}");
            assert_eq!(state.ponder_move, None);
            let again = !ponder(&mut state).is_empty();
            assert_eq!(again, ["option Clear Hash", "memory 8"].contains(&line), "{line}");
        }
        for line in ["time 100", "otim 100", "ping 4", "post", "hint", "?", "fly", "exit", ""] {
            let mut state = pondering();
            assert!(matches!(urgency(line), Urgency::Now | Urgency::Beside), "{line}");
            let commands = feed(&mut state, line);
            assert!(!commands.contains(&Command::Stop) && !commands.contains(&Command::DropSearch), "{line}");
            assert!(state.ponder_move.is_some(), "{line}");
        }
        let mut easy = XBoardState::default();
        easy.expect(Some("b5b4".into()), true);
        assert!(ponder(&mut easy).is_empty(), "not asked for");
    }

    #[test]
    fn clocks_and_limits() {
        let second = Duration::from_secs(1);
        let clock = limits(&["level 40 5 0", "time 29950", "otim 100", "go"]);
        assert_eq!((clock.clocks[0], clock.moves_to_go), (Some(299_500 * second / 1000), Some(40)));
        let fischer = limits(&["level 0 0:30 1.5", "time -3", "go"]);
        assert_eq!((fischer.clocks[1], fischer.increments[1]), (Some(Duration::ZERO), 1500 * second / 1000));
        assert_eq!(limits(&["st 3", "time 100", "go"]).move_time, Some(3 * second));
        assert_eq!(limits(&["sd 6", "go"]).depth, Some(6));
        assert_eq!(limits(&["sd 99999999999999999999", "go"]).depth, Some(u32::MAX));
        assert_eq!(limits(&["sd 6", "new", "go"]).depth, None);
        let classical = TimeControl::Classical { moves: 40, main: 300 * second, increment: Duration::ZERO };
        assert_eq!(last(&["level 40 5 0"]), [Command::TimeControl(classical)]);
        for bad in ["level", "level 1 2", "level x 1 0", "level 0 1:2:3 0", "st", "st -1", "sd 0", "time", "time 1.5"] {
            assert!(matches!(last(&[bad])[..], [Command::Invalid(CommandError::Syntax(_))]), "{bad}");
        }
    }

    #[test]
    fn options_in_three_ways() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.into(),
            value: value.map(str::to_string),
        };
        assert_eq!(last(&["memory 64"]), [set("Hash", Some("64"))]);
        assert_eq!(last(&["cores 2"]), [set("Threads", Some("2"))]);
        assert_eq!(last(&["option Move Overhead=30"]), [set("Move Overhead", Some("30"))]);
        assert_eq!(last(&["option Move_Overhead=30"]), [set("Move Overhead", Some("30"))]);
        assert_eq!(last(&["option Clear Hash"]), [set("Clear Hash", None)]);
        assert_eq!(last(&["option Clear_Hash"]), [set("Clear Hash", None)]);
    }

    #[test]
    fn what_must_not_wait_does_not() {
        for (line, wanted) in [
            ("?", Urgency::Now),
            ("quit", Urgency::Now),
            ("easy", Urgency::Now),
            ("force", Urgency::Cancel),
            ("ping 1", Urgency::Beside),
            ("usermove b2b3", Urgency::Beside),
            ("go", Urgency::Beside),
            ("exit", Urgency::Beside),
        ] {
            assert_eq!(urgency(line), wanted, "{line}");
        }
        assert_eq!(served("ping 17", &mut XBoardState::default())[0].request_id.id, Some(17));
        for silent in ["", "xboard", "accepted myname", "random", "otim 3", "white", ".", "hint"] {
            assert_eq!(last(&[silent]), [], "{silent:?}");
        }
        assert!(matches!(last(&["fly"])[..], [Command::Invalid(CommandError::UnknownCommand(_))]));
    }

    proptest! {
        #[test]
        fn any_lines_are_survived(
            lines in proptest::collection::vec(
                "\\PC*|(usermove|level|st|time|setboard|option|state) [ -~]{0,20}|new|force|go|analyze|undo|exit",
                0..12
            )
        ) {
            let mut state = XBoardState::default();
            for line in lines {
                prop_assert!(feed(&mut state, &line).len() <= 3);
            }
        }
    }
}
