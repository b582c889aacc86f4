//! Parsing lines of NBoard.

use super::state::NBoardState;
use crate::api::command::{Command, CommandError, Go, PlayedMove};
use crate::api::protocol::{ParsedLine, Request, RequestId, Urgency};
use crate::protocol::text::without_controls;
use crate::protocol::token::{clamped_count, number, word_and_rest, words};
use crate::record::ggf::{GgfGame, move_parts};
use flipside_core::search::notation::Style;

/// The engine's name as NBoard wants it: letters and digits only.
const NAME: &str = "Flipside";
/// The range of `set depth`, in plies.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=60;

/// The words of a line. A ping ends the search; apart from it only `quit` overtakes a search.
pub(super) fn line(line: &str) -> ParsedLine {
    let clean = without_controls(line);
    let (word, rest) = word_and_rest(&clean).unwrap_or_default();
    let urgency = match word {
        "ping" if number::<u64>(rest).is_some() => Urgency::Cancel,
        "quit" => Urgency::Now,
        _ => Urgency::Queue,
    };
    ParsedLine::of_words(urgency, word, rest)
}

/// The request of a line; none for lines that the protocol lets an engine ignore.
pub(super) fn request(word: &str, rest: &str, state: &mut NBoardState) -> Option<Request> {
    let command = match word {
        "nboard" => number::<u32>(rest).map(|_| reply(format!("set myname {}", name(state)))),
        "set" => set(rest, state),
        "move" => Some(further_move(rest, state)),
        "hint" => clamped_count(rest).filter(|multipv| *multipv > 0).map(|multipv| Command::Analyze {
            player: None,
            multipv: multipv.min(64) as usize,
            limits: state.hint_limits(),
            until_input: true,
        }),
        "go" => Some(Command::Go(Go { limits: state.move_limits(), ..Go::default() })),
        "ping" => number::<u64>(rest).map(|number| reply(format!("pong {number}"))),
        "learn" => Some(Command::LearnGame),
        "analyze" => Some(Command::AnalyzeGame(state.game_analysis_limits())),
        "new" => Some(new(rest)),
        "quit" => Some(Command::Quit),
        _ if rest.is_empty() && is_bare_move(word) => Some(further_move(word, state)),
        _ => None,
    };
    command.map(|command| Request { request_id: RequestId { id: None, word: word.to_string() }, command })
}

fn reply(text: String) -> Command {
    Command::Reply(text)
}

/// The engine's name with its depth, by which hosts distinguish several levels.
fn name(state: &NBoardState) -> String {
    state.depth.map_or(NAME.to_string(), |depth| format!("{NAME}{depth}"))
}

/// Options that `set` takes by their own names: `contempt`, and some of Flipside's.
const OPTIONS: [&str; 8] =
    ["contempt", "algorithm", "evaluation", "book", "bookerror", "bookvariety", "bookdepth", "bookanalysis"];

/// `game GGF`, `depth D`, and the options.
fn set(text: &str, state: &mut NBoardState) -> Option<Command> {
    let invalid = |expected: &str| Command::Invalid(CommandError::Syntax(format!("expected set {expected}")));
    match word_and_rest(text)? {
        ("game", ggf) => Some(match GgfGame::read(ggf) {
            Ok(game) => {
                state.take_clocks(&game);
                set_position(game)
            }
            Err(error) => Command::Invalid(CommandError::BadPosition(error.to_string())),
        }),
        ("depth", value) => Some(match number::<u32>(value).filter(|depth| DEPTHS.contains(depth)) {
            Some(depth) => {
                state.depth = Some(depth);
                reply(format!("set myname {}", name(state)))
            }
            None => invalid("depth 1..60"),
        }),
        (name, value) if OPTIONS.contains(&name) => {
            Some(Command::SetOption { name: name.into(), value: Some(value.to_string()) })
        }
        _ => None,
    }
}

fn set_position(game: GgfGame) -> Command {
    let moves = game.moves.iter().map(|mv| PlayedMove::by(mv.side, pass_or_square(&mv.text))).collect();
    Command::SetPosition { start: game.board, moves, style: Style::Ggf, keep_prefix: false }
}

/// NTest's `new [board]`: the start position or that of a `BO` text.
fn new(text: &str) -> Command {
    let start = (!text.is_empty()).then(|| text.to_string());
    Command::SetPosition { start, moves: Vec::new(), style: Style::Ggf, keep_prefix: false }
}

/// `F5`, `F5/1.25/0.5`; values and times after blanks, as Edax writes them, are ignored.
fn further_move(text: &str, state: &mut NBoardState) -> Command {
    let first = words(text).first().copied().unwrap_or_default();
    let Some(mv) = move_parts(first) else {
        return Command::Invalid(CommandError::Syntax("expected move SQUARE[/VALUE[/TIME]]".into()));
    };
    state.spend(&mv);
    Command::Play { moves: vec![PlayedMove::new(&pass_or_square(&mv.text))], style: Style::Ggf }
}

/// Some hosts send `P` alone for a pass.
fn pass_or_square(text: &str) -> String {
    if text.eq_ignore_ascii_case("p") { "PA".into() } else { text.to_string() }
}

/// Version 1 sends moves without a command word.
fn is_bare_move(word: &str) -> bool {
    let mut letters = word.chars();
    let square = matches!(
        (letters.next(), letters.next(), letters.next()),
        (Some('a'..='z' | 'A'..='Z'), Some('0'..='9'), None)
    );
    square || ["PA", "PASS", "--"].iter().any(|pass| pass.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::protocol::Protocol;
    use crate::protocol::nboard::NBoard;
    use flipside_core::search::types::Side;
    use proptest::prelude::*;
    use std::time::Duration;

    /// The command of a line that is served now.
    fn feed(nboard: &mut NBoard, text: &str) -> Option<Command> {
        let line = nboard.parse(text);
        nboard.requests(line).pop().map(|request| request.command)
    }

    fn all(lines: &[&str]) -> Vec<Command> {
        let mut nboard = NBoard::default();
        let mut accepted = |line: &&str| {
            let command = feed(&mut nboard, line);
            nboard.state.commit();
            command
        };
        lines.iter().filter_map(&mut accepted).collect()
    }

    fn one(line: &str) -> Command {
        let mut list = all(&[line]);
        assert_eq!(list.len(), 1, "{line}");
        list.remove(0)
    }

    const GAME: &str = "set game (;GM[Othello]PC[]PB[]PW[]RE[?]TI[5:00]TY[8]BO[8 \
                        ---------------------------O*------*O--------------------------- *]B[E6//2]W[PA];)";

    #[test]
    fn a_game_is_a_start_and_moves() {
        let Command::SetPosition { start: Some(start), moves, style: Style::Ggf, keep_prefix: false } = one(GAME)
        else {
            panic!("a position")
        };
        assert!(start.starts_with("8 ---"));
        let sides: Vec<_> = moves.iter().map(|turn| (turn.player, turn.text.as_str())).collect();
        assert_eq!(sides, [(Some(Side::First.into()), "E6"), (Some(Side::Second.into()), "PA")]);
        assert!(matches!(one("set game (;GM["), Command::Invalid(CommandError::BadPosition(_))));
    }

    #[test]
    fn moves_with_and_without_a_command_word() {
        for line in ["move F5", "move F5/1.25/0.5", "move F5//0.5", "F5", "move F5 1.25 0.5"] {
            assert_eq!(one(line), Command::Play { moves: vec![PlayedMove::new("F5")], style: Style::Ggf }, "{line}");
        }
        for line in ["move PA/1/2", "PA", "move P"] {
            assert_eq!(one(line), Command::Play { moves: vec![PlayedMove::new("PA")], style: Style::Ggf }, "{line}");
        }
    }

    #[test]
    fn a_ping_and_the_end_do_not_wait() {
        let urgency = |text| line(text).urgency;
        assert_eq!((one("ping 60"), urgency("ping 60")), (Command::Reply("pong 60".into()), Urgency::Cancel));
        assert_eq!((one("quit"), urgency("quit")), (Command::Quit, Urgency::Now));
        for line in ["ping", "ping x", "go", "move F5", ""] {
            assert_eq!(urgency(line), Urgency::Queue, "{line}");
        }
    }

    #[test]
    fn the_depth_holds_for_later_requests() {
        let list = all(&["set depth 6", "go", "hint 3", "analyze", "set contempt -10", "nboard 2"]);
        assert_eq!(list[0], Command::Reply("set myname Flipside6".into()));
        assert!(matches!(&list[1], Command::Go(go) if go.limits.depth == Some(6) && !go.play));
        assert!(matches!(&list[2], Command::Analyze { multipv: 3, limits, .. } if limits.depth == Some(6)));
        assert!(matches!(&list[3], Command::AnalyzeGame(limits) if limits.depth == Some(6)));
        assert_eq!(list[4], Command::SetOption { name: "contempt".into(), value: Some("-10".into()) });
        assert_eq!(list[5], Command::Reply("set myname Flipside6".into()));
        for bad in ["set depth 0", "set depth 61", "set depth x", "set depth"] {
            assert!(matches!(one(bad), Command::Invalid(CommandError::Syntax(_))), "{bad}");
        }
    }

    #[test]
    fn without_a_depth_the_clock_of_the_game_counts() {
        let list = all(&[GAME, "move D6/0/3.5", "go"]);
        let Some(Command::Go(go)) = list.last() else { panic!("a search") };
        let left = |seconds| Some(Duration::from_millis(seconds));
        assert_eq!(go.limits.clocks, [left(294_500), left(300_000)]);
    }

    #[test]
    fn a_move_that_is_refused_takes_no_time() {
        let mut nboard = NBoard::default();
        feed(&mut nboard, GAME);
        nboard.state.commit();
        let before = nboard.state.move_limits();
        feed(&mut nboard, "move A1/0/3.5");
        nboard.state.discard();
        assert_eq!(nboard.state.move_limits(), before);
    }

    #[test]
    fn what_is_not_understood_is_ignored() {
        for line in ["", "  ", "flip", "hint", "hint x", "hint 0", "ping", "ping -1", "set", "set speed 3", "nboard x"]
        {
            assert_eq!(all(&[line]), [], "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_survived(text in "\\PC*|(set|move|hint|ping|set game|set depth) [ -~]{0,40}") {
            let command = feed(&mut NBoard::default(), &text);
            prop_assert!(line(&text).urgency == Urgency::Queue || command.is_some());
        }

        #[test]
        fn moves_written_are_read(square in "[A-H][1-8]|PA", value in -6400i32..6400, millis in 0u64..1_000_000) {
            let time = Some(Duration::from_millis(millis));
            let written = crate::record::ggf::GgfMove { side: Side::First, text: square.clone(), value: Some(value), time };
            prop_assert_eq!(move_parts(&written.to_string()), Some(written.clone()));
            let wanted = Command::Play { moves: vec![PlayedMove::new(&square)], style: Style::Ggf };
            prop_assert_eq!(one(&format!("move {written}")), wanted);
        }
    }
}
