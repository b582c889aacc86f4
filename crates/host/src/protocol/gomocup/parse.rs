//! Parsing lines of a Gomocup manager.

use super::coordinates::Coordinates;
use super::rule::rule_of_number;
use super::state::{BoardKind, BoardList, GomocupState, Placed, Stone};
use super::swap2;
use crate::api::command::{Command, CommandError, Go, PlayedMove, Query};
use crate::api::protocol::{ParsedLine, Request, RequestId, Urgency};
use crate::protocol::text::without_controls;
use crate::protocol::token::{clamped_count, clamped_number, clamped_time, number, word_and_rest, words};
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;

/// The word of swap2's requests.
pub(super) const SWAP2: &str = "SWAP2BOARD";
/// The word of the request by which `START` opens the game; only its failure needs an answer.
pub(super) const OPEN: &str = "open";
/// The search tables get one part in this many of the memory that the manager allows...
const MEMORY_PARTS: u64 = 2;
/// ... and at most this many MiB, which are touched before a game begins.
const MOST_HASH: u64 = 256;
/// The value of `time_left` without a match clock.
const NO_CLOCK: u64 = i32::MAX as u64;
/// The most threads that `thread_num` may ask for.
const MOST_THREADS: u32 = 256;
/// Words that are served at once, also beside a search.
const URGENT: [&str; 4] = ["END", "STOP", "YXSTOP", "ABOUT"];
/// Words that are commands within a list of stones, too.
const COMMANDS: [&str; 15] = [
    "START",
    "RECTSTART",
    "RESTART",
    "INFO",
    "BEGIN",
    "TURN",
    "PLAY",
    "TAKEBACK",
    "BOARD",
    "YXBOARD",
    "SWAP2BOARD",
    "YXSHOWFORBID",
    "YXHASHCLEAR",
    "YXBLOCK",
    "YXBLOCKUNDO",
];

/// The words of a line. `END` quits at once, `STOP` makes the engine move, and all others wait for its move.
pub(super) fn line(line: &str) -> ParsedLine {
    let clean = without_controls(line);
    let (word, rest) = word_and_rest(&clean).unwrap_or_default();
    let is_urgent = URGENT.iter().any(|urgent| word.eq_ignore_ascii_case(urgent));
    ParsedLine::of_words(if is_urgent { Urgency::Now } else { Urgency::Queue }, word, rest)
}

/// The requests of a line; none for lines that only change the state.
pub(super) fn requests(word: &str, rest: &str, state: &mut GomocupState) -> Vec<Request> {
    if word.is_empty() {
        return Vec::new();
    }
    let upper = word.to_ascii_uppercase();
    // A line that is served beside a search leaves a list alone, because the list may or may not have begun when it
    // arrives.
    if !URGENT.contains(&upper.as_str()) {
        if let Some(board) = state.board.take_if(|_| ends_list(&upper)) {
            if upper == "DONE" {
                return done(board, state);
            }
        } else if state.board.is_some() {
            read_stone(format!("{word} {rest}").trim_end(), state);
            return Vec::new();
        }
    }
    let commands = command(&upper, rest, state);
    commands.into_iter().map(|(word, command)| request(word.unwrap_or(&upper), command)).collect()
}

fn request(word: &str, command: Command) -> Request {
    Request { request_id: RequestId { id: None, word: word.to_string() }, command }
}

/// The commands of a line; a command answered by another word comes with that word.
fn command(word: &str, rest: &str, state: &mut GomocupState) -> Vec<(Option<&'static str>, Command)> {
    let one = |command| vec![(None, command)];
    match word {
        "START" => start(start_size(rest), state),
        "RECTSTART" => start(square_size(rest), state),
        "RESTART" if state.size.is_some() => start(state.size, state),
        "INFO" => info(rest, state).map_or_else(Vec::new, one),
        "ABOUT" => one(Command::Reply(about())),
        "END" => one(Command::Quit),
        "STOP" | "YXSTOP" => one(Command::Stop),
        "YXHASHCLEAR" => one(Command::SetOption { name: "Clear Hash".into(), value: None }),
        // Points that Yixin's manager does not want to be considered: a list follows.
        "YXBLOCK" | "YXBLOCKUNDO" => {
            state.board = Some(BoardList { kind: BoardKind::Ignored, ..BoardList::default() });
            one(unknown(word))
        }
        "BEGIN" | "TURN" | "PLAY" | "TAKEBACK" | "BOARD" | "YXBOARD" | "SWAP2BOARD" | "YXSHOWFORBID"
            if state.size.is_none() =>
        {
            one(unavailable("no game was started: START SIZE begins one"))
        }
        "BOARD" | "YXBOARD" | "SWAP2BOARD" => {
            let kind = match word {
                "BOARD" => BoardKind::Answered,
                "YXBOARD" => BoardKind::Silent,
                _ => BoardKind::Swap2,
            };
            state.board = Some(BoardList { kind, ..BoardList::default() });
            Vec::new()
        }
        "YXSHOWFORBID" => one(Command::Show(Query::ForbiddenMoves)),
        "BEGIN" => one(Command::Go(go(state))),
        "TURN" | "PLAY" | "TAKEBACK" => one(with_point(word, rest, state)),
        _ => one(unknown(word)),
    }
}

fn unknown(word: &str) -> Command {
    Command::Invalid(CommandError::UnknownCommand(word.to_string()))
}

fn unavailable(reason: &str) -> Command {
    Command::Invalid(CommandError::Unavailable(reason.to_string()))
}

fn syntax(expected: &str) -> Command {
    Command::Invalid(CommandError::Syntax(format!("expected {expected}")))
}

fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "name=\"Flipside\", version=\"{version}\", author=\"the Flipside authors\", country=\"\", \
         www=\"{}\"",
        env!("CARGO_PKG_REPOSITORY")
    )
}

/// An empty board of this size.
fn start(size: Option<usize>, state: &mut GomocupState) -> Vec<(Option<&'static str>, Command)> {
    let known = size.filter(|_| names::variant_of("gomoku", size, Some(state.rule)).is_some());
    if known.is_none() {
        return vec![(None, unavailable("unsupported size: 15 and 20 are played"))];
    }
    state.size = known;
    state.refused = false;
    state.pending = Some(Placed::default());
    vec![(Some(OPEN), Command::SelectGame(state.game().to_string())), (None, Command::NewGame)]
}

/// `N`, or `W H` of a square board, as if the command were `RECTSTART`.
fn start_size(text: &str) -> Option<usize> {
    match words(text)[..] {
        [size] => number(size),
        [width, height] if width == height => number(width),
        _ => None,
    }
}

/// `W,H` of a square board.
fn square_size(text: &str) -> Option<usize> {
    let (width, height) = text.split_once(',')?;
    let width = number(width.trim())?;
    (number(height.trim()) == Some(width)).then_some(width)
}

/// A search whose move is played.
fn go(state: &GomocupState) -> Go {
    Go { play: true, limits: state.move_limits(), ..Go::default() }
}

/// `TURN`, `PLAY` and `TAKEBACK` with their point.
fn with_point(word: &str, rest: &str, state: &mut GomocupState) -> Command {
    let Some(at) = Coordinates::parse(rest) else { return syntax(&format!("{word} X,Y")) };
    let Some(name) = state.name_of(at) else { return unavailable("the point is not on the board") };
    let mut placed = state.placed.clone();
    let style = Style::Plain;
    if word == "TAKEBACK" {
        let Some(index) = placed.stones.iter().position(|stone| stone.at == at) else {
            return unavailable("there is no stone to take back");
        };
        placed.to_move = placed.stones.remove(index).side;
        return set_up(placed, state);
    }
    placed.play(at);
    state.pending = Some(placed);
    let played = PlayedMove::new(&name);
    match word {
        "TURN" => Command::PlayAndGo { played, style, go: go(state) },
        _ => Command::Play { moves: vec![played], style },
    }
}

/// The position of these stones.
fn set_up(placed: Placed, state: &mut GomocupState) -> Command {
    let start = Some(state.position(&placed));
    state.pending = Some(placed);
    Command::SetPosition { start, moves: Vec::new(), style: Style::Plain, keep_prefix: false }
}

/// Whether a word ends a list of stones: `DONE`, or another command, which abandons the list. Every other line belongs
/// to the list, even if it is invalid.
fn ends_list(word: &str) -> bool {
    word == "DONE" || COMMANDS.contains(&word)
}

/// `X,Y,FIELD`: 1 is the engine's own, 2 the opponent's, 3 marks a winning line. For swap2 `X,Y` in the order of play, and
/// a field is ignored.
fn read_stone(line: &str, state: &mut GomocupState) {
    let numbers: Option<Vec<usize>> = line.split(',').map(|part| number(part.trim())).collect();
    let is_swap2 = state.board.as_ref().is_some_and(|board| board.kind == BoardKind::Swap2);
    let stone = match numbers.as_deref() {
        Some(&[x, y] | &[x, y, _]) if is_swap2 => Some((Coordinates { x, y }, 1)),
        Some(&[x, y, field]) => Some((Coordinates { x, y }, field)),
        _ => None,
    };
    let stone = stone.filter(|(at, _)| state.name_of(*at).is_some());
    let Some(board) = &mut state.board else { return };
    let is_new = |at: &Coordinates| !board.own.contains(at) && !board.other.contains(at);
    match stone {
        Some((at, 1)) if is_new(&at) => board.own.push(at),
        Some((at, 2)) if is_new(&at) => board.other.push(at),
        Some((_, 3)) => {}
        _ => {
            board.bad_line.get_or_insert_with(|| line.to_string());
        }
    }
}

/// The end of a list of stones: the position, and the engine's move if requested.
fn done(board: BoardList, state: &mut GomocupState) -> Vec<Request> {
    let BoardList { kind, own, other, bad_line } = board;
    let (word, form) = match kind {
        BoardKind::Ignored => return Vec::new(),
        BoardKind::Answered => ("BOARD", "X,Y,1 or X,Y,2"),
        BoardKind::Silent => ("YXBOARD", "X,Y,1 or X,Y,2"),
        BoardKind::Swap2 => (SWAP2, "X,Y"),
    };
    if let Some(line) = bad_line {
        return vec![request(word, syntax(&format!("{form} of an empty point, saw '{line}'")))];
    }
    if kind == BoardKind::Swap2 {
        return choose_colour(&own, state);
    }
    // Black began: the side with fewer stones, or with as many and to move.
    let own_side = if own.len() < other.len() { Side::Second } else { Side::First };
    let stones_of = |points: Vec<Coordinates>, side| points.into_iter().map(move |at| Stone { at, side });
    let stones = stones_of(own, own_side).chain(stones_of(other, own_side.other())).collect();
    let set = set_up(Placed { stones, to_move: own_side }, state);
    let mut requests = vec![request("YXBOARD", set)];
    if kind == BoardKind::Answered {
        requests.push(request(word, Command::Go(go(state))));
    }
    requests
}

/// The answer to `SWAP2BOARD`: on an empty board three stones, else the engine's choice of a colour, for which it
/// searches White's next move.
fn choose_colour(points: &[Coordinates], state: &mut GomocupState) -> Vec<Request> {
    if points.is_empty() {
        let opening = swap2::placed(&swap2::opening(state.size.unwrap_or_default()));
        return opening.map(|opening| request(SWAP2, set_up(opening, state))).into_iter().collect();
    }
    let Some(placed) = swap2::placed(points) else {
        return vec![request(SWAP2, syntax("no stones, three or five"))];
    };
    let set = request("YXBOARD", set_up(placed, state));
    state.may_swap = true;
    vec![set, request(SWAP2, Command::Go(go(state)))]
}

/// `INFO KEY VALUE`: a command if the session must change; other keys change the state.
fn info(text: &str, state: &mut GomocupState) -> Option<Command> {
    let [key, value] = words(text)[..] else { return None };
    let milliseconds = || clamped_time(value, 1);
    match key.to_ascii_lowercase().as_str() {
        "timeout_turn" | "timeout_match" if value.starts_with('-') => {}
        "timeout_turn" => state.turn_time = milliseconds().or(state.turn_time),
        "timeout_match" => state.match_time = milliseconds().or(state.match_time),
        // A manager without a match clock sends its largest number.
        "time_left" if clamped_number(value).is_some_and(|value| value >= NO_CLOCK) => state.time_left = None,
        "time_left" => state.time_left = milliseconds().or(state.time_left),
        "time_increment" => state.increment = milliseconds().unwrap_or(state.increment),
        "max_depth" => state.max_depth = clamped_count(value).filter(|&depth| depth > 0),
        "max_node" => state.max_nodes = clamped_number(value).filter(|&nodes| nodes > 0),
        "max_memory" => return memory(clamped_number(value)?, state),
        "hash_size" => return hash(clamped_number(value)? >> 10, state),
        "thread_num" => {
            let threads = clamped_count(value)?.clamp(1, MOST_THREADS);
            return Some(Command::SetOption { name: "Threads".into(), value: Some(threads.to_string()) });
        }
        "rule" => return rule(clamped_number(value)?, state),
        _ => {}
    }
    None
}

/// The search tables get their part of this memory in bytes; 0 is unlimited.
fn memory(bytes: u64, state: &mut GomocupState) -> Option<Command> {
    if bytes == 0 { None } else { hash((bytes / MEMORY_PARTS) >> 20, state) }
}

/// The search tables get this many MiB, within their bounds.
fn hash(mebibytes: u64, state: &mut GomocupState) -> Option<Command> {
    let hash = mebibytes.clamp(1, MOST_HASH);
    if state.hash == Some(hash) {
        return None;
    }
    state.hash = Some(hash);
    Some(Command::SetOption { name: "Hash".into(), value: Some(hash.to_string()) })
}

/// The rule applies at once if the board is empty, else from the next `START`.
fn rule(number: u64, state: &mut GomocupState) -> Option<Command> {
    let rule = rule_of_number(number);
    if std::mem::replace(&mut state.rule, rule) == rule || state.size.is_none() || !state.placed.stones.is_empty() {
        return None;
    }
    Some(Command::SelectGame(state.game().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::protocol::LineContent;
    use proptest::prelude::*;
    use std::time::Duration;

    fn feed(state: &mut GomocupState, text: &str) -> Vec<Command> {
        let LineContent::Words(word, rest) = line(text).content else { panic!("words") };
        requests(&word, &rest, state).into_iter().map(|request| request.command).collect()
    }

    /// A state with a started game of 15x15.
    fn started() -> GomocupState {
        let mut state = GomocupState::default();
        feed(&mut state, "START 15");
        state.commit();
        state
    }

    #[test]
    fn a_start_opens_the_size_and_the_rule() {
        let mut state = GomocupState::default();
        assert_eq!(feed(&mut state, "INFO rule 1"), []);
        let opened = |name: &str| vec![Command::SelectGame(name.into()), Command::NewGame];
        assert_eq!(feed(&mut state, "START 20"), opened("gomoku-20x20-exactly-five"));
        assert_eq!(feed(&mut state, "INFO rule 0"), [Command::SelectGame("gomoku-20x20".into())]);
        assert_eq!(feed(&mut state, "RECTSTART 15,15"), opened("gomoku"));
        assert_eq!(feed(&mut state, "restart"), opened("gomoku"));
        assert_eq!(feed(&mut state, "START 15 15"), opened("gomoku"));
        for bad in ["START 19", "START", "START x", "START 15 20", "START 15 15 15", "RECTSTART 15,20", "RECTSTART 15"]
        {
            assert!(matches!(feed(&mut state, bad)[..], [Command::Invalid(CommandError::Unavailable(_))]), "{bad}");
        }
        for early in ["RESTART", "BEGIN", "TURN 1,1", "BOARD", "TAKEBACK 1,1"] {
            assert!(matches!(feed(&mut GomocupState::default(), early)[..], [Command::Invalid(_)]), "{early}");
        }
    }

    #[test]
    fn moves_are_points_of_the_game() {
        let mut state = started();
        let turn = feed(&mut state, "TURN 7,7");
        assert!(matches!(&turn[..], [Command::PlayAndGo { played, go, .. }] if played.text == "h8" && go.play));
        state.commit();
        let play = feed(&mut state, "PLAY 8,7");
        assert!(matches!(&play[..], [Command::Play { moves, .. }] if moves[0].text == "j8"));
        state.commit();
        let back = feed(&mut state, "TAKEBACK 8,7");
        assert!(
            matches!(&back[..], [Command::SetPosition { start: Some(text), .. }] if text.ends_with(" o") && text.contains('x'))
        );
        state.commit();
        assert_eq!((state.placed.stones.len(), state.placed.to_move), (1, Side::Second));
        for bad in ["TURN", "TURN 7", "TURN 15,0", "TURN 7,7,7", "TURN -1,3", "TAKEBACK 1,1", "PLAY x,y"] {
            assert!(matches!(feed(&mut state, bad)[..], [Command::Invalid(_)]), "{bad}");
        }
        assert_eq!(feed(&mut state, ""), []);
        assert!(matches!(feed(&mut state, "FLY 3")[..], [Command::Invalid(CommandError::UnknownCommand(_))]));
    }

    #[test]
    fn a_board_is_read_to_its_end() {
        let mut state = started();
        for line in ["BOARD", "7,7,2", "8,8,1", "6,6,2"] {
            assert_eq!(feed(&mut state, line), [], "{line}");
        }
        let done = feed(&mut state, "DONE");
        let [Command::SetPosition { start: Some(text), .. }, Command::Go(_)] = &done[..] else { panic!("{done:?}") };
        assert!(text.ends_with(" o") && text.matches('x').count() == 2, "{text}");
        state.commit();
        assert_eq!((state.placed.stones.len(), state.placed.to_move), (3, Side::Second));
        for lines in [
            &["BOARD", "7,7,2", "7,7,1", "DONE"][..],
            &["BOARD", "15,0,1", "DONE"],
            &["BOARD", "1,1", "DONE"],
            &["BOARD", "1,1,1", "x", "DONE"],
        ] {
            let last = lines.iter().fold(Vec::new(), |_, line| feed(&mut state, line));
            assert!(matches!(last[..], [Command::Invalid(CommandError::Syntax(_))]), "{lines:?}");
        }
        feed(&mut state, "YXBOARD");
        feed(&mut state, "1,1,1");
        assert!(matches!(feed(&mut state, "DONE")[..], [Command::SetPosition { .. }]));
        assert!(matches!(feed(&mut state, "yxblock")[..], [Command::Invalid(CommandError::UnknownCommand(_))]));
        assert_eq!([feed(&mut state, "1,1"), feed(&mut state, "DONE")], [[], []]);
        feed(&mut state, "BOARD");
        assert!(matches!(feed(&mut state, "TURN 3,3")[..], [Command::PlayAndGo { .. }]), "the list is given up");
        assert_eq!(state.board, None);
    }

    #[test]
    fn swap2_begins_with_three_stones_or_chooses_a_colour() {
        let mut state = started();
        let send = |state: &mut GomocupState, stones: &str| {
            feed(state, "SWAP2BOARD");
            stones.split_whitespace().for_each(|stone| assert_eq!(feed(state, stone), [], "{stone}"));
            feed(state, "DONE")
        };
        let opening = send(&mut state, "");
        assert!(matches!(&opening[..], [Command::SetPosition { start: Some(text), .. }] if text.ends_with(" o")));
        assert!(!state.may_swap);
        for stones in ["7,7 8,7 9,9", "7,7,2 8,7,1 9,9,2", "7,7 8,7 9,9 8,8 8,6"] {
            let chosen = send(&mut state, stones);
            let [Command::SetPosition { start: Some(text), .. }, Command::Go(go)] = &chosen[..] else {
                panic!("{chosen:?}")
            };
            assert_eq!(text.matches('x').count(), stones.split(' ').count().div_ceil(2), "Black began");
            assert!(text.ends_with(" o") && go.play && std::mem::take(&mut state.may_swap));
        }
        for bad in ["7,7", "7,7 8,7 9,9 7,6", "7,7 7,7 8,8", "7,7 8,8 x", "7,7 8,8 15,0"] {
            assert!(matches!(send(&mut state, bad)[..], [Command::Invalid(CommandError::Syntax(_))]), "{bad}");
        }
        assert!(!state.may_swap);
    }

    #[test]
    fn clocks_and_memory_are_kept() {
        let mut state = started();
        for line in
            ["INFO timeout_turn 5000", "INFO timeout_match 100000", "INFO time_left 99000", "INFO game_type 1", "INFO"]
        {
            assert_eq!(feed(&mut state, line), [], "{line}");
        }
        let ms = |n| Some(Duration::from_millis(n));
        assert_eq!((state.turn_time, state.match_time, state.time_left), (ms(5000), ms(100_000), ms(99_000)));
        feed(&mut state, "INFO time_left 2147483647");
        assert_eq!(state.time_left, None);
        feed(&mut state, "INFO time_left -3");
        feed(&mut state, "INFO timeout_turn fast");
        assert_eq!((state.turn_time, state.time_left), (ms(5000), ms(0)));
        let hash = |mib: &str| [Command::SetOption { name: "Hash".into(), value: Some(mib.into()) }];
        assert_eq!(feed(&mut state, "INFO max_memory 83886080"), hash("40"));
        assert_eq!(feed(&mut state, "INFO max_memory 83886080"), [], "as it is");
        assert_eq!(feed(&mut state, "INFO max_memory 99999999999999999999"), hash("256"));
        assert_eq!(feed(&mut state, "INFO max_memory 0"), []);
        assert_eq!(feed(&mut state, "INFO rule 4"), [Command::SelectGame("gomoku-renju".into())]);
        assert_eq!(feed(&mut state, "INFO rule 9"), [Command::SelectGame("gomoku-caro-exactly-five".into())]);
        assert_eq!(feed(&mut state, "INFO hash_size 65536"), hash("64"));
        let threads = Command::SetOption { name: "Threads".into(), value: Some("4".into()) };
        assert_eq!(feed(&mut state, "info THREAD_NUM 4"), [threads]);
        for line in ["INFO max_depth 7", "INFO max_node 5000", "INFO time_increment 100"] {
            assert_eq!(feed(&mut state, line), [], "{line}");
        }
        let limits = state.move_limits();
        assert_eq!((limits.depth, limits.nodes, state.increment), (Some(7), Some(5000), Duration::from_millis(100)));
        let urgencies = ["END", "about", "TURN 7,7"].map(|text| line(text).urgency);
        assert_eq!(urgencies, [Urgency::Now, Urgency::Now, Urgency::Queue]);
    }

    proptest! {
        #[test]
        fn any_lines_are_survived(
            lines in proptest::collection::vec(
                "\\PC*|(START|TURN|PLAY|TAKEBACK|INFO|RECTSTART) [ -~]{0,20}|BOARD|DONE|BEGIN|[0-9]{1,2},[0-9]{1,2},[0-9]",
                0..12
            )
        ) {
            let mut state = started();
            for line in lines {
                prop_assert!(feed(&mut state, &line).len() <= 2);
                state.commit();
            }
        }
    }
}
