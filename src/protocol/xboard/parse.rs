//! Lines of XBoard.

use super::memory::{Memory, Mode};
use crate::api::command::{Command, CommandError, Go, GoLimits, PlayedMove, TimeControl};
use crate::api::protocol::{Request, RequestId, Urgency};
use crate::protocol::token::{number, seconds, word_and_rest, words};
use crate::search::notation::Style;
use std::time::Duration;

/// Longest time read, in hundredths of a second (some thirty years).
const LONGEST: u64 = 100_000_000_000;

/// What a line asks for, in order.
type Steps = Vec<(Command, Urgency)>;

/// The requests of a line; none for what is only taken note of.
pub(super) fn requests(line: &str, memory: &mut Memory) -> Vec<Request> {
    let clean: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let Some((word, rest)) = word_and_rest(&clean) else { return Vec::new() };
    let (word, rest) = if rest.is_empty() && is_bare_move(word) { ("usermove", word) } else { (word, rest) };
    let id = number::<u64>(rest).filter(|_| word == "ping");
    tickets(word, id, steps(word, rest, memory))
}

fn tickets(word: &str, id: Option<u64>, steps: Steps) -> Vec<Request> {
    let request_id = RequestId { id, word: word.to_string() };
    steps.into_iter().map(|(command, urgency)| Request { request_id: request_id.clone(), command, urgency }).collect()
}

fn steps(word: &str, rest: &str, memory: &mut Memory) -> Steps {
    match word {
        "protover" => queue(Command::Handshake),
        "new" => {
            memory.start_game();
            afresh(memory, Command::NewGame)
        }
        "variant" => afresh(memory, Command::SelectGame(rest.to_string())),
        "setboard" => {
            let start = Some(rest.to_string());
            afresh(memory, Command::SetPosition { start, moves: Vec::new(), style: Style::Uci, keep_prefix: false })
        }
        "force" | "result" => {
            memory.mode = Mode::Force;
            halt(memory)
        }
        "go" => {
            memory.mode = Mode::Play;
            let go = Command::Go(go(memory));
            beside_pondering(memory, go)
        }
        "playother" => {
            memory.mode = Mode::Play;
            wake(memory)
        }
        "usermove" => user_move(rest, memory),
        "undo" => beside_pondering(memory, Command::Undo(1)),
        "remove" => beside_pondering(memory, Command::Undo(2)),
        "analyze" => {
            memory.mode = Mode::Analyze;
            let mut steps = halt(memory);
            steps.extend(queue(analysis()));
            steps
        }
        "exit" => {
            memory.mode = Mode::Force;
            halt(memory)
        }
        "ping" if memory.mode == Mode::Analyze => beside_pondering(memory, Command::Ready),
        // Thinking on the opponent's time does not keep the host waiting.
        "ping" if memory.predicted.is_some() => now(Command::Ready),
        "ping" => queue(Command::Ready),
        "?" => now(Command::Stop),
        "quit" => now(Command::Quit),
        "level" | "st" | "sd" | "time" => limit(word, rest, memory),
        "memory" => option(memory, "Hash", Some(rest)),
        "cores" => option(memory, "Threads", Some(rest)),
        "option" => match rest.split_once('=') {
            Some((name, value)) => option(memory, name, Some(value)),
            None => option(memory, rest, None),
        },
        "." | "hint" | "bk" => report(word, memory),
        "post" | "nopost" | "hard" | "easy" => switch(word, memory),
        "xboard" | "accepted" | "rejected" | "otim" | "random" | "computer" | "name" | "rating" | "ics" | "draw"
        | "egtpath" | "white" | "black" => Steps::new(),
        _ => queue(Command::Invalid(CommandError::UnknownCommand(word.to_string()))),
    }
}

fn now(command: Command) -> Steps {
    vec![(command, Urgency::Now)]
}

fn queue(command: Command) -> Steps {
    vec![(command, Urgency::Queue)]
}

/// Ends whatever search runs, without an answer, and takes a predicted move back.
fn halt(memory: &mut Memory) -> Steps {
    let mut steps = now(Command::Cancel(0));
    if memory.predicted.take().is_some() {
        steps.extend(queue(Command::Undo(1)));
    }
    steps
}

/// Ends thinking on the opponent's time, if there is any.
fn wake(memory: &mut Memory) -> Steps {
    if memory.predicted.is_some() { halt(memory) } else { Steps::new() }
}

/// Something that ends a running search, an analysis excepted, which begins again after it.
fn afresh(memory: &mut Memory, command: Command) -> Steps {
    let mut steps = halt(memory);
    steps.extend(queue(command));
    if memory.mode == Mode::Analyze {
        steps.extend(queue(analysis()));
    }
    steps
}

/// Something that waits for a search for a move, but not for thinking that has no end.
fn beside_pondering(memory: &mut Memory, command: Command) -> Steps {
    if memory.mode == Mode::Analyze {
        return afresh(memory, command);
    }
    let mut steps = wake(memory);
    steps.extend(queue(command));
    steps
}

fn analysis() -> Command {
    let limits = GoLimits { infinite: true, ..GoLimits::default() };
    Command::Analyze { player: None, multipv: 1, limits, until_input: false }
}

fn go(memory: &Memory) -> Go {
    Go { play: true, limits: memory.move_limits(), ..Go::default() }
}

fn user_move(text: &str, memory: &mut Memory) -> Steps {
    let played = PlayedMove::new(text);
    match memory.mode {
        Mode::Force | Mode::Analyze => {
            memory.expect(None, false);
            beside_pondering(memory, Command::Play { moves: vec![played], style: Style::Uci })
        }
        Mode::Play if memory.predicted.as_ref().is_some_and(|predicted| predicted.eq_ignore_ascii_case(text)) => {
            memory.predicted = None;
            now(Command::PonderHit(Some(memory.move_limits())))
        }
        Mode::Play => {
            let answer = Command::PlayAndGo { played, style: Style::Uci, go: go(memory) };
            beside_pondering(memory, answer)
        }
    }
}

/// The requests by which the protocol itself has the engine think on the opponent's time.
pub(super) fn ponder(memory: &mut Memory) -> Vec<Request> {
    if !memory.hard || memory.mode != Mode::Play || !memory.worth_pondering {
        return Vec::new();
    }
    let Some(expected) = memory.expected.clone() else { return Vec::new() };
    memory.worth_pondering = false;
    let mut steps = queue(Command::Play { moves: vec![PlayedMove::new(&expected)], style: Style::Uci });
    steps.extend(queue(Command::Go(Go { ponder: true, ..go(memory) })));
    memory.predicted = Some(expected);
    tickets("ponder", None, steps)
}

/// `level MOVES BASE INCREMENT`, `st SECONDS`, `sd PLIES`, `time CENTISECONDS`.
fn limit(word: &str, rest: &str, memory: &mut Memory) -> Steps {
    let control = match word {
        "level" => level(rest),
        "st" => seconds(rest).map(|period| TimeControl::Canadian { main: Duration::ZERO, period, stones: 1 }),
        "sd" => {
            memory.depth = number(rest).filter(|depth| *depth > 0);
            return if memory.depth.is_some() { Steps::new() } else { refuse("sd PLIES") };
        }
        _ => {
            memory.own_clock = centiseconds(rest);
            return if memory.own_clock.is_some() { Steps::new() } else { refuse("time CENTISECONDS") };
        }
    };
    let Some(control) = control else { return refuse("level MOVES BASE INCREMENT or st SECONDS") };
    (memory.control, memory.own_clock) = (Some(control), None);
    beside_pondering(memory, Command::TimeControl(control))
}

fn refuse(expected: &str) -> Steps {
    queue(Command::Invalid(CommandError::Syntax(format!("expected {expected}"))))
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
        None => number::<u64>(text).map(|value| Duration::from_millis(value.min(LONGEST) * 10)),
    }
}

fn option(memory: &mut Memory, name: &str, value: Option<&str>) -> Steps {
    let value = value.map(|value| value.trim().to_string());
    beside_pondering(memory, Command::SetOption { name: name.trim().to_string(), value })
}

fn switch(word: &str, memory: &mut Memory) -> Steps {
    match word {
        "post" => memory.post = true,
        "nopost" => memory.post = false,
        "hard" => memory.hard = true,
        _ => {
            memory.hard = false;
            return wake(memory);
        }
    }
    Steps::new()
}

/// Answers from memory, beside a running search.
fn report(word: &str, memory: &Memory) -> Steps {
    let text = match (word, &memory.latest, &memory.expected) {
        (".", Some(latest), _) => {
            let (time, mv) = (latest.time.as_millis() / 10, latest.pv.first().map_or("", String::as_str));
            format!("stat01: {time} {} {} 0 0 {mv}", latest.nodes, latest.depth)
        }
        ("hint", _, Some(expected)) => format!("Hint: {expected}"),
        // Lines that begin with a blank, then an empty one, are shown to the user.
        ("bk", ..) => " no book\n".into(),
        _ => return Steps::new(),
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

    fn feed(memory: &mut Memory, line: &str) -> Vec<Command> {
        requests(line, memory).into_iter().map(|request| request.command).collect()
    }

    /// What the last of these lines asks for.
    fn last(lines: &[&str]) -> Vec<Command> {
        let mut memory = Memory::default();
        lines.iter().fold(Vec::new(), |_, line| feed(&mut memory, line))
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
            let mut memory = Memory { hard: true, ..Memory::default() };
            memory.expect(Some("b5b4".into()), true);
            let commands: Vec<Command> = ponder(&mut memory).into_iter().map(|request| request.command).collect();
            assert!(matches!(&commands[..], [Command::Play { .. }, Command::Go(go)] if go.ponder && go.play));
            assert!(ponder(&mut memory).is_empty(), "once");
            memory
        };
        assert!(matches!(feed(&mut pondering(), "usermove b5b4")[..], [Command::PonderHit(Some(_))]));
        let missed = feed(&mut pondering(), "usermove a5a4");
        assert!(matches!(missed[..], [Command::Cancel(_), Command::Undo(1), Command::PlayAndGo { .. }]));
        for line in ["undo", "force", "new", "option Clear Hash", "easy", "memory 8", "result * {}"] {
            let mut memory = pondering();
            let commands = feed(&mut memory, line);
            assert_eq!(commands[..2], [Command::Cancel(0), Command::Undo(1)], "{line}");
            assert_eq!(memory.predicted, None);
        }
        for line in ["time 100", "otim 100", "ping 4", "post", "hint"] {
            let mut memory = pondering();
            feed(&mut memory, line);
            assert!(memory.predicted.is_some(), "{line}");
        }
        let mut easy = Memory::default();
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
            assert_eq!(requests(line, &mut Memory::default())[0].urgency, urgency, "{line}");
        }
        assert_eq!(requests("ping 17", &mut Memory::default())[0].request_id.id, Some(17));
        for silent in ["", "xboard", "accepted myname", "random", "otim 3", "white", ".", "hint"] {
            assert_eq!(last(&[silent]), [], "{silent:?}");
        }
        assert!(matches!(last(&["fly"])[..], [Command::Invalid(CommandError::UnknownCommand(_))]));
    }

    proptest! {
        #[test]
        fn any_lines_are_survived(
            lines in proptest::collection::vec(
                "\\PC*|(usermove|level|st|time|setboard|option|memory) [ -~]{0,20}|new|force|go|analyze|undo|exit",
                0..12
            )
        ) {
            let mut memory = Memory::default();
            for line in lines {
                prop_assert!(requests(&line, &mut memory).len() <= 4);
            }
        }
    }
}
