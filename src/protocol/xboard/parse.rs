//! Parsing lines of XBoard.

use super::state::{Mode, XBoardState};
use crate::api::command::{Command, CommandError, Go, GoLimits, PlayedMove, TimeControl};
use crate::api::protocol::{Request, RequestId, Urgency};
use crate::protocol::token::{number, seconds, word_and_rest, words};
use crate::search::notation::Style;
use std::time::Duration;

/// Longest time read, in hundredths of a second (some thirty years).
const MAX_CENTISECONDS: u64 = 100_000_000_000;

/// The commands of a line, in order.
type Commands = Vec<(Command, Urgency)>;

/// The requests of a line; none for lines that only change the state.
pub(super) fn requests(line: &str, state: &mut XBoardState) -> Vec<Request> {
    let clean: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let Some((word, rest)) = word_and_rest(&clean) else { return Vec::new() };
    let (word, rest) = if rest.is_empty() && is_bare_move(word) { ("usermove", word) } else { (word, rest) };
    let id = number::<u64>(rest).filter(|_| word == "ping");
    with_id(word, id, commands(word, rest, state))
}

fn with_id(word: &str, id: Option<u64>, commands: Commands) -> Vec<Request> {
    let request_id = RequestId { id, word: word.to_string() };
    commands
        .into_iter()
        .map(|(command, urgency)| Request { request_id: request_id.clone(), command, urgency })
        .collect()
}

fn commands(word: &str, rest: &str, state: &mut XBoardState) -> Commands {
    match word {
        "protover" => queued(Command::Handshake),
        "new" => {
            state.start_game();
            restarting_analysis(state, Command::NewGame)
        }
        "variant" => restarting_analysis(state, Command::SelectGame(rest.to_string())),
        "setboard" => {
            let start = Some(rest.to_string());
            restarting_analysis(
                state,
                Command::SetPosition { start, moves: Vec::new(), style: Style::Uci, keep_prefix: false },
            )
        }
        "force" | "result" => {
            state.mode = Mode::Force;
            cancel(state)
        }
        "go" => {
            state.mode = Mode::Play;
            let go = Command::Go(go(state));
            after_pondering(state, go)
        }
        "playother" => {
            state.mode = Mode::Play;
            end_pondering(state)
        }
        "usermove" => user_move(rest, state),
        "undo" => after_pondering(state, Command::Undo(1)),
        "remove" => after_pondering(state, Command::Undo(2)),
        "analyze" => {
            state.mode = Mode::Analyze;
            let mut commands = cancel(state);
            commands.extend(queued(analysis()));
            commands
        }
        "exit" => {
            state.mode = Mode::Force;
            cancel(state)
        }
        "ping" if state.mode == Mode::Analyze => after_pondering(state, Command::Ready),
        // A ping does not wait for the end of pondering.
        "ping" if state.ponder_move.is_some() => now(Command::Ready),
        "ping" => queued(Command::Ready),
        "?" => now(Command::Stop),
        "quit" => now(Command::Quit),
        "level" | "st" | "sd" | "time" => limit(word, rest, state),
        "memory" => option(state, "Hash", Some(rest)),
        "cores" => option(state, "Threads", Some(rest)),
        "option" => match rest.split_once('=') {
            Some((name, value)) => option(state, name, Some(value)),
            None => option(state, rest, None),
        },
        "." | "hint" | "bk" => report(word, state),
        "post" | "nopost" | "hard" | "easy" => switch(word, state),
        "xboard" | "accepted" | "rejected" | "otim" | "random" | "computer" | "name" | "rating" | "ics" | "draw"
        | "egtpath" | "white" | "black" => Commands::new(),
        _ => queued(Command::Invalid(CommandError::UnknownCommand(word.to_string()))),
    }
}

fn now(command: Command) -> Commands {
    vec![(command, Urgency::Now)]
}

fn queued(command: Command) -> Commands {
    vec![(command, Urgency::Queue)]
}

/// Cancels the running search without an answer, and takes back the move that it pondered on.
fn cancel(state: &mut XBoardState) -> Commands {
    let mut commands = now(Command::Cancel(0));
    if state.ponder_move.take().is_some() {
        commands.extend(queued(Command::Undo(1)));
    }
    commands
}

/// Ends pondering, if there is any.
fn end_pondering(state: &mut XBoardState) -> Commands {
    if state.ponder_move.is_some() { cancel(state) } else { Commands::new() }
}

/// A command that ends the running search; an analysis starts again after it.
fn restarting_analysis(state: &mut XBoardState, command: Command) -> Commands {
    let mut commands = cancel(state);
    commands.extend(queued(command));
    if state.mode == Mode::Analyze {
        commands.extend(queued(analysis()));
    }
    commands
}

/// A command that waits for a search for a move, but ends pondering and interrupts an analysis, which have no end.
fn after_pondering(state: &mut XBoardState, command: Command) -> Commands {
    if state.mode == Mode::Analyze {
        return restarting_analysis(state, command);
    }
    let mut commands = end_pondering(state);
    commands.extend(queued(command));
    commands
}

fn analysis() -> Command {
    let limits = GoLimits { infinite: true, ..GoLimits::default() };
    Command::Analyze { player: None, multipv: 1, limits, until_input: false }
}

fn go(state: &XBoardState) -> Go {
    Go { play: true, limits: state.move_limits(), ..Go::default() }
}

fn user_move(text: &str, state: &mut XBoardState) -> Commands {
    let played = PlayedMove::new(text);
    match state.mode {
        Mode::Force | Mode::Analyze => {
            state.expect(None, false);
            after_pondering(state, Command::Play { moves: vec![played], style: Style::Uci })
        }
        Mode::Play if state.ponder_move.as_ref().is_some_and(|predicted| predicted.eq_ignore_ascii_case(text)) => {
            state.ponder_move = None;
            now(Command::PonderHit(Some(state.move_limits())))
        }
        Mode::Play => {
            let answer = Command::PlayAndGo { played, style: Style::Uci, go: go(state) };
            after_pondering(state, answer)
        }
    }
}

/// The requests by which the protocol makes the engine ponder: play the expected move, then search.
pub(super) fn ponder(state: &mut XBoardState) -> Vec<Request> {
    if !state.hard || state.mode != Mode::Play || !state.worth_pondering {
        return Vec::new();
    }
    let Some(expected) = state.expected_move.clone() else { return Vec::new() };
    state.worth_pondering = false;
    let mut commands = queued(Command::Play { moves: vec![PlayedMove::new(&expected)], style: Style::Uci });
    commands.extend(queued(Command::Go(Go { ponder: true, ..go(state) })));
    state.ponder_move = Some(expected);
    with_id("ponder", None, commands)
}

/// `level MOVES BASE INCREMENT`, `st SECONDS`, `sd PLIES`, `time CENTISECONDS`.
fn limit(word: &str, rest: &str, state: &mut XBoardState) -> Commands {
    let control = match word {
        "level" => level(rest),
        "st" => seconds(rest).map(|period| TimeControl::Canadian { main: Duration::ZERO, period, stones: 1 }),
        "sd" => {
            state.depth = number(rest).filter(|depth| *depth > 0);
            return if state.depth.is_some() { Commands::new() } else { invalid("sd PLIES") };
        }
        _ => {
            state.own_clock = centiseconds(rest);
            return if state.own_clock.is_some() { Commands::new() } else { invalid("time CENTISECONDS") };
        }
    };
    let Some(control) = control else { return invalid("level MOVES BASE INCREMENT or st SECONDS") };
    (state.control, state.own_clock) = (Some(control), None);
    after_pondering(state, Command::TimeControl(control))
}

fn invalid(expected: &str) -> Commands {
    queued(Command::Invalid(CommandError::Syntax(format!("expected {expected}"))))
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

/// Whole hundredths of a second; what is negative has run out.
fn centiseconds(text: &str) -> Option<Duration> {
    match text.strip_prefix('-') {
        Some(digits) => number::<u64>(digits).map(|_| Duration::ZERO),
        None => number::<u64>(text).map(|value| Duration::from_millis(value.min(MAX_CENTISECONDS) * 10)),
    }
}

fn option(state: &mut XBoardState, name: &str, value: Option<&str>) -> Commands {
    let value = value.map(|value| value.trim().to_string());
    after_pondering(state, Command::SetOption { name: name.trim().to_string(), value })
}

fn switch(word: &str, state: &mut XBoardState) -> Commands {
    match word {
        "post" => state.post = true,
        "nopost" => state.post = false,
        "hard" => state.hard = true,
        _ => {
            state.hard = false;
            return end_pondering(state);
        }
    }
    Commands::new()
}

/// Answers from the state, beside a running search.
fn report(word: &str, state: &XBoardState) -> Commands {
    let text = match (word, &state.latest, &state.expected_move) {
        (".", Some(latest), _) => {
            let (time, mv) = (latest.time.as_millis() / 10, latest.pv.first().map_or("", String::as_str));
            format!("stat01: {time} {} {} 0 0 {mv}", latest.nodes, latest.depth)
        }
        ("hint", _, Some(expected)) => format!("Hint: {expected}"),
        // Lines that begin with a blank, then an empty one, are shown to the user.
        ("bk", ..) => " no book\n".into(),
        _ => return Commands::new(),
    };
    now(Command::Reply(text))
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
    use proptest::prelude::*;

    fn feed(state: &mut XBoardState, line: &str) -> Vec<Command> {
        requests(line, state).into_iter().map(|request| request.command).collect()
    }

    /// What the last of these lines asks for.
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
        assert!(matches!(last(&["analyze"])[..], [Command::Cancel(_), Command::Analyze { .. }]));
        for (line, position) in [("usermove b2b3", 1), ("undo", 1), ("new", 1), ("setboard 8/8 w", 1), ("ping 3", 1)] {
            let commands = last(&["analyze", line]);
            assert!(matches!(commands[0], Command::Cancel(_)), "{line}");
            assert!(matches!(commands.last(), Some(Command::Analyze { .. })), "{line}");
            assert_eq!(commands.len(), 2 + position, "{line}");
        }
        assert_eq!(last(&["analyze", "exit"]), [Command::Cancel(0)]);
        assert!(matches!(last(&["analyze", "exit", "usermove b2b3"])[..], [Command::Play { .. }]));
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
        assert!(matches!(feed(&mut pondering(), "usermove b5b4")[..], [Command::PonderHit(Some(_))]));
        let missed = feed(&mut pondering(), "usermove a5a4");
        assert!(matches!(missed[..], [Command::Cancel(_), Command::Undo(1), Command::PlayAndGo { .. }]));
        for line in ["undo", "force", "new", "option Clear Hash", "easy", "memory 8", "result * {}"] {
            let mut state = pondering();
            let commands = feed(&mut state, line);
            assert_eq!(commands[..2], [Command::Cancel(0), Command::Undo(1)], "{line}");
            assert_eq!(state.ponder_move, None);
        }
        for line in ["time 100", "otim 100", "ping 4", "post", "hint"] {
            let mut state = pondering();
            feed(&mut state, line);
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
        assert_eq!(last(&["option Clear Hash"]), [set("Clear Hash", None)]);
    }

    #[test]
    fn what_must_not_wait_does_not() {
        for (line, urgency) in
            [("?", Urgency::Now), ("quit", Urgency::Now), ("force", Urgency::Now), ("ping 1", Urgency::Queue)]
        {
            assert_eq!(requests(line, &mut XBoardState::default())[0].urgency, urgency, "{line}");
        }
        assert_eq!(requests("ping 17", &mut XBoardState::default())[0].request_id.id, Some(17));
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
                prop_assert!(requests(&line, &mut state).len() <= 4);
            }
        }
    }
}
