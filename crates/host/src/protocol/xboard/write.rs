//! Writing the events for XBoard.

use super::state::XBoardState;
use crate::api::command::CommandError;
use crate::api::event::{BestMove, BookLine, Event, Iteration};
use crate::api::options::{OptionInfo, OptionKind};
use crate::api::protocol::RequestId;
use crate::protocol::text;
use flipside_core::search::types::{Score, UNIT, WIN, WIN_IN_MAX_PLY};

/// XBoard's score of a forced win, to which the number of moves is added.
const MATE: Score = 100_000;

/// The score of a position where the opponent wins with the next move, whatever is played.
const LOST_NEXT: Score = 2 - WIN;

/// The answer to `bk` if the book has no moves.
const NO_BOOK: &str = " no book\n\n";

/// Fixed features.
const FEATURES: &str = "setboard=1 usermove=1 ping=1 colors=0 sigint=0 sigterm=0 debug=1 reuse=1 analyze=1 memory=1 \
                        smp=1 san=0 draw=1 playother=1 time=1 nps=0 name=0 exclude=0 setscore=0 highlight=0 pause=0";

/// Options that have commands of their own in the protocol.
const ELSEWHERE: [&str; 4] = ["Hash", "Threads", "Ponder", "UCI_Variant"];

/// The text of an event.
pub(super) fn write_event(request_id: &RequestId, event: &Event, state: &mut XBoardState) -> String {
    // While the engine ponders, the host gets no reports before the move has been played.
    let silent = request_id.word == "ponder" && state.ponder_move.is_some();
    match event {
        Event::Handshake { options, xboard_variants } => features(options, xboard_variants),
        Event::GameSelected { xboard_setup, options, .. } if request_id.word == "variant" => {
            xboard_setup.as_ref().map_or(String::new(), |setup| format!("{setup}{}", option_features(options)))
        }
        Event::SearchStarted => {
            state.announced = None;
            String::new()
        }
        Event::Book(lines) if request_id.word == "bk" => book_moves(lines),
        Event::Book(lines) => lines.iter().map(|line| write_book_line(line, state, silent)).collect(),
        Event::Info(info) => write_info(info, state, silent),
        Event::BestMove(_) if silent => String::new(),
        Event::BestMove(best_move) => write_best_move(best_move, state),
        Event::Ready => request_id.id.map_or("pong\n".into(), |id| format!("pong {id}\n")),
        Event::Text(text) => format!("{text}\n"),
        Event::Error(error) => write_error(error, request_id),
        _ => String::new(),
    }
}

fn features(options: &[OptionInfo], variants: &[String]) -> String {
    format!(
        "feature done=0\nfeature myname=\"Flipside {}\" {FEATURES} variants=\"{}\"\n{}feature done=1\n",
        env!("CARGO_PKG_VERSION"),
        variants.join(","),
        option_features(options)
    )
}

/// A line for each option. Some hosts take the first blank for the end of its name.
fn option_features(options: &[OptionInfo]) -> String {
    let listed = options.iter().filter(|option| !ELSEWHERE.contains(&option.name));
    let line = |option: &OptionInfo| {
        format!("feature option=\"{} {}\"\n", text::option_spelling(option.name), option_kind(option))
    };
    listed.map(line).collect()
}

fn option_kind(option: &OptionInfo) -> String {
    let value = &option.value;
    match &option.kind {
        OptionKind::Spin { min, max } => format!("-spin {value} {min} {max}"),
        OptionKind::Check => format!("-check {}", u8::from(value == "true")),
        OptionKind::Text => format!("-string {value}"),
        OptionKind::Button => "-button".into(),
        OptionKind::Combo(words) => {
            let marked = |word: &String| if word == value { format!("*{word}") } else { word.clone() };
            format!("-combo {}", words.iter().map(marked).collect::<Vec<_>>().join(" /// "))
        }
    }
}

/// A variation, after a comment when the certainty changed.
fn write_info(info: &Iteration<String>, state: &mut XBoardState, silent: bool) -> String {
    if info.rank == 1 {
        state.latest = Some(info.clone());
    }
    if silent || !state.post {
        return String::new();
    }
    let mut text = String::new();
    if state.announced != Some(info.certainty) {
        state.announced = Some(info.certainty);
        text = format!("# certainty {}\n", info.certainty);
    }
    text + &thinking_line(info)
}

/// Ply, score, hundredths of a second, nodes, then the deepest ply and nodes a second before the tab.
fn thinking_line(info: &Iteration<String>) -> String {
    let Iteration { depth, seldepth, nodes, time, pv, .. } = info;
    let speed = (*nodes as f64 / time.as_secs_f64().max(0.001)) as u64;
    let (score, centiseconds) = (score(info.score), time.as_millis() / 10);
    format!("{depth} {score} {centiseconds} {nodes} {seldepth} {speed} 0\t{}\n", pv.join(" "))
}

/// A line of the book; hosts recognize it by its parentheses.
fn write_book_line(line: &BookLine, state: &mut XBoardState, silent: bool) -> String {
    let pv = vec![format!("({})", line.info.pv.join(" "))];
    if silent || !state.post {
        return String::new();
    }
    format!("# book {line}\n") + &thinking_line(&Iteration { pv, ..line.info.clone() })
}

/// Hundredths of a pawn, or 100000 and the moves to a forced end.
fn score(score: Score) -> Score {
    let moves = (WIN - score.abs() + 1) / 2;
    if score.abs() >= WIN_IN_MAX_PLY { score.signum() * (MATE + moves) } else { score * 100 / UNIT }
}

/// The move. After the end of the game there is no move, but a result: a host believes only the loser's own claim, and
/// a draw by rule only if both sides offer it, so the side that makes the drawing move offers it, too. If every move
/// loses at once the engine resigns, because XBoard would call the capture of a side's last piece, its king, stalemate.
fn write_best_move(best_move: &BestMove, state: &mut XBoardState) -> String {
    let mut text =
        best_move.failure.as_ref().map_or(String::new(), |failure| format!("# {}\n", text::one_line(failure)));
    let best = best_move.info.as_ref();
    let ends_after = |plies| best.is_some_and(|best| best.pv_ends_game && best.pv.len() <= plies);
    state.expect(best_move.ponder.clone(), !ends_after(2));
    let Some(mv) = &best_move.mv else {
        return text
            + match best.map_or(0, |best| best.score) {
                0 => "offer draw\n",
                score if score < 0 => "resign\n",
                _ => "# the game is over\n",
            };
    };
    state.moves_made += 1;
    if resigns(best_move) {
        state.expect(None, false);
        return text + "resign\n";
    }
    if ends_after(1) && best.is_some_and(|best| best.score.abs() <= UNIT) {
        text.push_str("offer draw\n");
    }
    text + &format!("move {mv}\n")
}

/// Whether the engine resigns instead of playing this move.
pub(super) fn resigns(best_move: &BestMove) -> bool {
    best_move.mv.is_some() && best_move.info.as_ref().is_some_and(|best| best.score <= LOST_NEXT)
}

/// The text that the host shows for the book: lines that begin with a blank, then an empty line.
fn book_moves(lines: &[BookLine]) -> String {
    let line = |line: &BookLine| {
        let mv = line.info.pv.first().map_or("", String::as_str);
        format!(" {mv} {:+.2} {line}\n", f64::from(line.info.score) / f64::from(UNIT))
    };
    if lines.is_empty() { NO_BOOK.into() } else { lines.iter().map(line).collect::<String>() + "\n" }
}

fn write_error(error: &CommandError, request_id: &RequestId) -> String {
    match error {
        CommandError::NoBook(_) if request_id.word == "bk" => NO_BOOK.into(),
        CommandError::IllegalMove(mv, reason) => {
            format!("Illegal move ({}): {}\n", text::one_line(reason), text::one_line(mv))
        }
        CommandError::BadPosition(reason) => format!("tellusererror Illegal position: {}\n", text::one_line(reason)),
        CommandError::UnknownCommand(word) => format!("Error (unknown command): {}\n", text::one_line(word)),
        other => format!("Error ({}): {}\n", text::one_line(&other.to_string()), request_id.word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::event::{SearchStatistics, example};
    use flipside_core::search::types::Certainty;
    use std::time::Duration;

    fn info(score: Score, line: &[&str], ends: bool) -> Iteration<String> {
        let (nodes, time) = (3000, Duration::from_millis(250));
        let (depth, seldepth, certainty) = (5, 9, Certainty::Estimate(100));
        Iteration { depth, seldepth, certainty, nodes, time, pv_ends_game: ends, ..example(score, line) }
    }

    fn choice(mv: Option<&str>, best: Iteration<String>) -> BestMove {
        let ponder = best.pv.get(1).cloned();
        let mv = mv.map(str::to_string);
        BestMove {
            mv,
            code: None,
            ponder,
            is_pass: false,
            info: Some(best),
            book: None,
            statistics: SearchStatistics::default(),
            failure: None,
        }
    }

    fn write_word(state: &mut XBoardState, word: &str, event: &Event) -> String {
        write_event(&RequestId { id: None, word: word.into() }, event, state)
    }

    #[test]
    fn lines_of_play_only_if_asked_for() {
        let mut state = XBoardState::default();
        let event = Event::Info(info(-35, &["b2b3", "b5b4"], false));
        assert_eq!(write_word(&mut state, "go", &event), "");
        state.post = true;
        let line = "5 -35 25 3000 9 12000 0\tb2b3 b5b4\n";
        assert_eq!(write_word(&mut state, "go", &event), format!("# certainty mid@100%\n{line}"));
        assert_eq!(write_word(&mut state, "go", &event), line);
        state.ponder_move = Some("b5b4".into());
        assert_eq!(write_word(&mut state, "ponder", &event), "");
    }

    #[test]
    fn forced_ends_count_moves() {
        assert_eq!((score(WIN - 1), score(WIN - 3), score(2 - WIN)), (100_001, 100_002, -100_001));
        assert_eq!(score(-250), -250);
    }

    #[test]
    fn the_end_of_a_game() {
        let mut state = XBoardState::default();
        let mut write = |mv, best| write_word(&mut state, "usermove", &Event::BestMove(choice(mv, best)));
        assert_eq!(write(Some("b2b3"), info(10, &["b2b3", "b5b4"], false)), "move b2b3\n");
        assert_eq!(write(Some("c3e5"), info(WIN - 1, &["c3e5"], true)), "move c3e5\n", "the winner just moves");
        assert_eq!(write(Some("c3e5"), info(0, &["c3e5"], true)), "offer draw\nmove c3e5\n");
        assert_eq!(write(None, info(-WIN, &[], true)), "resign\n");
        assert_eq!(write(Some("a6a5"), info(2 - WIN, &["a6a5", "b4a5"], true)), "resign\n");
        assert_eq!(write(Some("a6a5"), info(4 - WIN, &["a6a5"], false)), "move a6a5\n");
        assert_eq!(write(None, info(0, &[], true)), "offer draw\n");
    }

    #[test]
    fn what_ends_the_game_is_not_pondered() {
        let mut state = XBoardState::default();
        write_word(&mut state, "go", &Event::BestMove(choice(Some("a"), info(10, &["a", "b", "c"], false))));
        assert!(state.worth_pondering && state.expected_move.as_deref() == Some("b"));
        write_word(&mut state, "go", &Event::BestMove(choice(Some("a"), info(-WIN + 2, &["a", "b"], true))));
        assert!(!state.worth_pondering);
        assert_eq!(state.moves_made, 2);
    }

    #[test]
    fn errors() {
        let mut state = XBoardState::default();
        for (error, text) in [
            (
                CommandError::IllegalMove("a1a9".into(), "not a legal move".into()),
                "Illegal move (not a legal move): a1a9\n",
            ),
            (CommandError::UnknownCommand("fly".into()), "Error (unknown command): fly\n"),
            (CommandError::BadPosition("no king".into()), "tellusererror Illegal position: no king\n"),
            (CommandError::CannotUndo, "Error (cannot undo): undo\n"),
        ] {
            assert_eq!(write_word(&mut state, "undo", &Event::Error(error)), text);
        }
    }
}
