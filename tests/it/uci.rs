//! UCI against the real process: one answer for each question, bad input, pondering, endings.

#![cfg(feature = "cli")]

use crate::common::Engine;
use std::time::{Duration, Instant};

fn uci() -> Engine {
    Engine::start(&["--uci"])
}

/// Sends a `go` and returns its lines, `bestmove` last.
fn go(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.send(line);
    engine.until(|line| line.starts_with("bestmove"))
}

fn best(lines: &[String]) -> String {
    let last = lines.last().expect("a line");
    last.split(' ').nth(1).expect("a move").to_string()
}

/// Nothing else may come before the answer to `isready`.
fn silent(engine: &mut Engine) {
    engine.send("isready");
    assert_eq!(engine.line(), "readyok");
}

#[test]
fn the_greeting_lists_options_and_variants() {
    // Without a flag: the first line decides.
    let mut engine = Engine::start(&[]);
    engine.send("uci");
    let lines = engine.until(|line| line == "uciok");
    assert!(lines[0].starts_with("id name Flipside") && lines[1].starts_with("id author "), "{lines:?}");
    for name in ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "UCI_Variant"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    let variant = lines.iter().find(|line| line.contains("UCI_Variant")).expect("variants");
    assert!(variant.contains("default flipello") && variant.contains(" var flipello"), "{variant}");
    engine.send("setoption name UCI_Variant value flipello");
    assert!(engine.line().starts_with("info string variant flipello files 8 ranks 8 "));
    engine.send("setoption name clear hash value true");
    silent(&mut engine);
}

#[test]
fn info_lines_are_followed_by_one_move() {
    let mut engine = uci();
    let lines = go(&mut engine, "go depth 5");
    let last = &lines[lines.len() - 2];
    for word in ["info depth ", " seldepth ", " multipv 1 ", " score cp ", " nodes ", " nps ", " time ", " pv P@"] {
        assert!(last.contains(word), "{word}: {last}");
    }
    assert!(lines.iter().any(|line| line.starts_with("info string certainty ")), "{lines:?}");
    assert!(["P@d6", "P@c5", "P@f4", "P@e3"].contains(&best(&lines).as_str()));
    silent(&mut engine);
    engine.send("stop");
    silent(&mut engine);
}

#[test]
fn several_lines_of_play() {
    let mut engine = uci();
    engine.send("position startpos moves P@d6");
    engine.send("setoption name MultiPV value 3");
    let lines = go(&mut engine, "go depth 4");
    for rank in 1..=3 {
        assert!(lines.iter().any(|line| line.contains("depth 4 ") && line.contains(&format!(" multipv {rank} "))));
    }
    let only = go(&mut engine, "go depth 3 searchmoves P@e6");
    assert_eq!(best(&only), "P@e6");
}

#[test]
fn limits_of_every_kind_end_the_search() {
    let mut engine = uci();
    for line in [
        "go wtime 100",
        "go btime 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go btime 100 binc 100 wtime 100 winc 100",
        "go movetime 30",
        "go nodes 500",
        "go wtime -20 btime 5 movestogo 1",
        "go depth 2 mate 3",
    ] {
        let lines = go(&mut engine, line);
        assert!(lines.iter().any(|line| line.contains(" score ")), "{line}");
        silent(&mut engine);
    }
}

#[test]
fn an_endless_search_answers_only_to_stop() {
    let mut engine = uci();
    // The whole tree of this position is searched almost instantly, but no answer may come yet.
    for position in
        ["startpos", "fen PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPp1 w - - 0 1"]
    {
        engine.send(&format!("position {position}"));
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(300));
        engine.send("isready");
        let lines = engine.until(|line| line == "readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
        engine.send("stop");
        engine.until(|line| line.starts_with("bestmove"));
        silent(&mut engine);
    }
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut engine = uci();
    engine.send("setoption name Ponder value true");
    engine.send("position startpos moves P@d6");
    engine.send("go ponder wtime 300 btime 300");
    std::thread::sleep(Duration::from_millis(400));
    engine.send("isready");
    assert!(!engine.until(|line| line == "readyok").iter().any(|line| line.starts_with("bestmove")));
    engine.send("ponderhit");
    engine.until(|line| line.starts_with("bestmove"));
    engine.send("go ponder wtime 300 btime 300");
    engine.send("stop");
    engine.until(|line| line.starts_with("bestmove"));
    silent(&mut engine);
}

#[test]
fn bad_input_keeps_the_last_good_position() {
    let mut engine = uci();
    engine.send("position startpos moves P@d6");
    for bad in [
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen 8/8 w",
        "position nowhere",
        "setoption name Speed value 9",
        "setoption name Hash value 0",
        "flip",
    ] {
        engine.send(bad);
        let said = engine.line();
        assert!(said.starts_with("info string "), "{bad}: {said}");
    }
    let lines = go(&mut engine, "go depth 2");
    assert!(["P@c6", "P@c4", "P@e6"].contains(&best(&lines).as_str()), "{lines:?}");
    // The moves before a bad one stay.
    engine.send("position startpos moves P@d6 e2e4 P@c4");
    assert!(engine.line().starts_with("info string illegal move: e2e4"));
    assert!(["P@c6", "P@c4", "P@e6"].contains(&best(&go(&mut engine, "go depth 2")).as_str()));
}

#[test]
fn passes_and_ends() {
    let mut engine = uci();
    // Black (w) has no move, White has one: the pass is Black's lowest disc, then White plays.
    let fen = "pp1PPPPp/PPPPPPP1/1PPPPpPP/1PPPpppp/1PPPpppp/2PPppPp/3ppppp/2PPPPPp w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    assert_eq!(best(&go(&mut engine, "go depth 4")), "c1c1");
    engine.send(&format!("position fen {fen} moves c1c1"));
    assert!(best(&go(&mut engine, "go depth 4")).starts_with("P@"));
    // Neither side can move: both pass, then the game is over.
    engine.send("position fen 8/8/8/3pp3/8/8/8/PP6 w - - 0 1");
    assert_eq!(best(&go(&mut engine, "go depth 4")), "a1a1");
    engine.send("position fen 8/8/8/3pp3/8/8/8/PP6 w - - 0 1 moves a1a1 d5d5");
    let lines = go(&mut engine, "go movetime 100");
    assert_eq!(best(&lines), "(none)");
    assert!(lines[lines.len() - 2].contains(" score "), "{lines:?}");
    // A side without discs has lost at once, whoever would be to move; so has one on a full board.
    for over in ["8/8/8/3PP3/8/8/8/8 w", "8/8/8/3PP3/8/8/8/8 b", "PPPPPPPP/8/8/8/8/8/8/8 w", &["PPPPPPPp"; 8].join("/")]
    {
        let side = if over.contains(' ') { "" } else { " w" };
        engine.send(&format!("position fen {over}{side} - - 0 1"));
        assert_eq!(best(&go(&mut engine, "go depth 4")), "(none)", "{over}");
    }
}

/// What is left out of a request is told, and what is left is searched.
#[test]
fn illegal_searchmoves_are_named() {
    let mut engine = uci();
    let lines = go(&mut engine, "go depth 2 searchmoves P@d6 P@a1 e2e4");
    assert_eq!(lines[0], "info string illegal moves in searchmoves: P@a1 e2e4");
    assert_eq!(best(&lines), "P@d6");
    let lines = go(&mut engine, "go depth 2 searchmoves P@a1");
    assert_eq!(lines[0], "info string illegal moves in searchmoves: P@a1", "all legal moves are searched");
    assert!(best(&lines).starts_with("P@"));
    let lines = go(&mut engine, "go depth 2 searchmoves p@d6 d6");
    assert!(!lines.iter().any(|line| line.contains("illegal")), "{lines:?}");
}

/// A position whose word `moves` was forgotten is none: its moves would be lost without a word.
#[test]
fn moves_without_their_word_are_refused() {
    let mut engine = uci();
    engine.send("position startpos moves P@d6");
    for line in [
        "position startpos P@d6",
        "position startpos P@d6 moves P@c6",
        "position fen 8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1 P@d6",
        "position fen 8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1 a1a1",
    ] {
        engine.send(line);
        assert_eq!(
            engine.line(),
            "info string syntax error: expected position startpos|fen FEN [moves MOVE ...]",
            "{line}"
        );
    }
    engine.send("d");
    let picture = engine.until(|line| line.contains(" to move"));
    assert!(picture.last().is_some_and(|line| line.starts_with("white to move")), "as before: {picture:?}");
}

#[test]
fn leaves_are_counted() {
    let mut engine = uci();
    engine.send("go perft 4");
    let lines = engine.until(|line| line.starts_with("Nodes searched: "));
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 244"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("P@")).count(), 4);
    assert_eq!(engine.line(), "");
    silent(&mut engine);
}

#[test]
fn the_end_of_input_lets_a_limited_search_finish() {
    let mut engine = uci();
    engine.send("go movetime 300");
    let (lines, status) = engine.finish();
    assert!(status.success() && lines.last().is_some_and(|line| line.starts_with("bestmove P@")), "{lines:?}");
    let mut engine = uci();
    engine.send("go infinite");
    let (lines, status) = engine.finish();
    assert!(status.success() && lines.last().is_some_and(|line| line.starts_with("bestmove")), "{lines:?}");
    let mut engine = uci();
    engine.send("go infinite");
    engine.send("quit");
    assert!(engine.wait_for_exit().success());
}

#[test]
fn garbage_is_survived() {
    let mut engine = uci();
    engine.send_bytes(&[0, 255, 254, b'g', b'o', 0x1b, b'\n', b'\r', b'\n']);
    engine.send_bytes(&[b"setoption name ".as_slice(), &vec![b'x'; 1 << 20], b"\n"].concat());
    engine.send_bytes(b"position fen \xff\xff/8 moves\ngo searchmoves depth\n");
    engine.until(|line| line.starts_with("bestmove"));
    silent(&mut engine);
}

/// The moves of `count` answers; nothing may follow them.
fn answers(engine: &mut Engine, count: usize) -> Vec<String> {
    let moves = (0..count).map(|_| best(&engine.until(|line| line.starts_with("bestmove")))).collect();
    silent(engine);
    moves
}

#[test]
fn a_stop_belongs_to_every_search_asked_for_before_it() {
    let mut engine = uci();
    let round = "go infinite\nstop\nposition startpos moves P@d6\ngo infinite\nstop\nposition startpos\n";
    engine.send_bytes(round.repeat(10).as_bytes());
    for pair in answers(&mut engine, 20).chunks(2) {
        assert!(["P@d6", "P@c5", "P@f4", "P@e3"].contains(&pair[0].as_str()), "{pair:?}");
        assert!(["P@c6", "P@c4", "P@e6"].contains(&pair[1].as_str()), "{pair:?}");
    }
    // One stop ends several searches, but none of those after it.
    engine.send_bytes(b"go infinite\ngo infinite\nstop\ngo infinite\n");
    (0..2).for_each(|_| drop(engine.until(|line| line.starts_with("bestmove"))));
    silent_but_for_lines(&mut engine);
    engine.send("stop");
    answers(&mut engine, 1);
}

#[test]
fn a_ponder_hit_belongs_to_the_pondering_searches_before_it() {
    let mut engine = uci();
    engine.send_bytes(b"go movetime 300\ngo ponder movetime 20\nponderhit\n");
    answers(&mut engine, 2);
    for stopped in ["go infinite\nstop\nponderhit\n", "go ponder infinite\nstop\nponderhit\n"] {
        engine.send_bytes(stopped.as_bytes());
        answers(&mut engine, 1);
    }
    // An endless search waits for its stop.
    engine.send_bytes(b"position fen 8/8/8/3pp3/8/8/8/PP6 w - - 0 1\ngo infinite\nponderhit\n");
    silent(&mut engine);
    engine.send("stop");
    answers(&mut engine, 1);
}

#[test]
fn a_stray_ponder_hit_leaves_the_clock_alone() {
    let mut engine = uci();
    engine.send("go movetime 1000");
    let deadline = Instant::now() + crate::common::TIMEOUT;
    loop {
        engine.send("ponderhit");
        match engine.line_within(Duration::from_millis(20)) {
            Some(line) if line.starts_with("bestmove") => break,
            _ => assert!(Instant::now() < deadline, "the search goes on and on"),
        }
    }
}

#[test]
fn the_limits_of_the_command_line_hold_after_a_ponder_hit() {
    for arguments in [["--uci", "--depth", "3"], ["--uci", "--nodes", "500"], ["--uci", "--move-time", "0.05"]] {
        let mut engine = Engine::start(&arguments);
        engine.send("go ponder");
        silent_but_for_lines(&mut engine);
        engine.send("ponderhit");
        answers(&mut engine, 1);
    }
}

/// Lines of play may come before the answer to `isready`, a move may not.
fn silent_but_for_lines(engine: &mut Engine) {
    engine.send("isready");
    let lines = engine.until(|line| line == "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
}

#[test]
fn a_finished_game_holds_its_answer_too() {
    let mut engine = uci();
    engine.send("position fen 8/8/8/3pp3/8/8/8/PP6 w - - 0 1 moves a1a1 d5d5");
    for (search, end) in [("go infinite", "stop"), ("go ponder", "stop"), ("go ponder wtime 100", "ponderhit")] {
        engine.send(search);
        silent(&mut engine);
        engine.send(end);
        assert_eq!(answers(&mut engine, 1), ["(none)"], "{search}");
    }
    engine.send("go infinite");
    let (lines, status) = engine.finish();
    assert!(status.success() && lines.last().is_some_and(|line| line == "bestmove (none)"), "{lines:?}");
}

#[test]
fn the_end_of_input_ends_what_neither_time_nor_nodes_bound() {
    let engines: Vec<Engine> = ["go depth 60", "go mate 3"]
        .into_iter()
        .map(|line| {
            let mut engine = uci();
            engine.send(line);
            engine.close_input();
            engine
        })
        .collect();
    for engine in engines {
        let (lines, status) = engine.finish();
        assert!(status.success() && lines.last().is_some_and(|line| line.starts_with("bestmove P@")), "{lines:?}");
    }
}

#[test]
fn numbers_beyond_every_range_are_no_small_ones() {
    let mut engine = uci();
    for line in ["go depth 4294967295 nodes 20000", "go depth 99999999999999999999 nodes 20000"] {
        let lines = go(&mut engine, line);
        assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "{lines:?}");
    }
    let mut engine = Engine::start(&["--uci", "--game", "minichess"]);
    // A win is seen at once; the search for it ends.
    engine.send("position fen k4/1Q3/5/5/5/4K w - - 0 1");
    go(&mut engine, "go mate 4294967295");
}

#[test]
fn an_empty_text_has_a_spelling_of_its_own() {
    let mut engine = uci();
    engine.send("setoption name Weights value <empty>");
    silent(&mut engine);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let mut engine = Engine::start(&[]);
    engine.send("\u{feff}uci");
    engine.until(|line| line == "uciok");
}

#[test]
fn a_pondered_move_is_chosen_as_any_other() {
    let mut engine = uci();
    engine.send("setoption name Variety value 2000");
    let mut seen = Vec::new();
    for seed in 1..=8 {
        engine.send(&format!("setoption name Seed value {seed}"));
        let plain = best(&go(&mut engine, "go depth 2"));
        engine.send("go ponder depth 2");
        engine.send("ponderhit");
        assert_eq!(answers(&mut engine, 1), [plain.as_str()], "seed {seed}");
        seen.push(plain);
    }
    seen.sort();
    seen.dedup();
    assert!(seen.len() > 1, "the variety shows");
}

/// The three numbers after `wdl` of each line that has them.
fn chances(lines: &[String]) -> Vec<[u32; 3]> {
    let of_line = |line: &String| {
        let (_, rest) = line.split_once(" wdl ")?;
        let numbers: Vec<u32> = rest.split(' ').take(3).map(|word| word.parse().expect("a number")).collect();
        Some(numbers.try_into().expect("three numbers"))
    };
    lines.iter().filter_map(of_line).collect()
}

#[test]
fn chances_are_shown_on_request_and_certain_where_the_result_is() {
    let mut engine = uci();
    engine.send("setoption name Book value none");
    assert_eq!(chances(&go(&mut engine, "go depth 4")), [[0; 3]; 0], "not asked for");
    engine.send("setoption name UCI_ShowWDL value true");
    let lines = go(&mut engine, "go depth 4");
    let scored = lines.iter().filter(|line| line.contains(" score ")).count();
    let shown = chances(&lines);
    assert!(shown.len() == scored && scored > 0, "{lines:?}");
    assert!(shown.iter().all(|chances| chances.iter().sum::<u32>() == 1000 && chances[1] < 1000), "{shown:?}");
    // White has one disc, which Black takes.
    engine.send("position fen 8/8/8/3Pp3/8/8/8/8 w - - 0 1");
    assert_eq!(chances(&go(&mut engine, "go depth 4")).last(), Some(&[1000, 0, 0]));
    engine.send("setoption name UCI_Variant value minichess");
    engine.send("setoption name UCI_ShowWDL value true");
    let start = chances(&go(&mut engine, "go depth 4"));
    assert!(start.iter().all(|chances| chances.iter().sum::<u32>() == 1000), "{start:?}");
}

/// The step of the Elo limits the depth, each game has its own range, and the strength is full until the host limits
/// it.
#[test]
fn a_strength_in_elo_limits_the_search() {
    let mut engine = uci();
    engine.send("uci");
    let greeting = engine.until(|line| line == "uciok");
    let line = |lines: &[String], name: &str| {
        let wanted = format!("option name {name} type ");
        lines.iter().find(|line| line.starts_with(&wanted)).cloned()
    };
    assert!(line(&greeting, "UCI_LimitStrength").is_some_and(|line| line.ends_with("check default false")));
    let reversi = line(&greeting, "UCI_Elo").expect("the option");
    let words: Vec<&str> = reversi.split(' ').collect();
    let number = |key: &str| -> u32 {
        let at = words.iter().position(|word| *word == key).expect("the key");
        words[at + 1].parse().expect("a number")
    };
    let [least, most] = ["min", "max"].map(number);
    assert!(number("default") == most && least == 500 && most > 1_500, "{reversi}");
    let deepest = |engine: &mut Engine| {
        let lines = go(engine, "go depth 9");
        let depths = lines.iter().filter_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok());
        depths.max().unwrap_or(0u32)
    };
    engine.send("setoption name Book value none");
    engine.send(&format!("setoption name UCI_Elo value {least}"));
    assert_eq!(deepest(&mut engine), 9, "not limited yet");
    engine.send("setoption name UCI_LimitStrength value true");
    assert_eq!(deepest(&mut engine), 1);
    engine.send(&format!("setoption name UCI_Elo value {}", most + 1));
    assert_eq!(engine.line(), format!("info string bad value for UCI_Elo: {}", most + 1));
    engine.send("setoption name UCI_Variant value minichess");
    engine.send("isready");
    let lines = engine.until(|line| line == "readyok");
    assert!(line(&lines, "UCI_Elo").is_some(), "{lines:?}");
    assert_eq!(deepest(&mut engine), 1, "the limit stays");
}

/// The options of the game before are not those of the next one.
#[test]
fn another_variant_has_its_own_options() {
    let mut engine = uci();
    engine.send("uci");
    let evaluation = |lines: &[String]| lines.iter().find(|line| line.contains(" name Evaluation ")).cloned();
    let reversi = evaluation(&engine.until(|line| line == "uciok")).expect("the option");
    assert!(reversi.starts_with("option name Evaluation type combo default best var best var network"), "{reversi}");
    let mut after = |line: &str| {
        engine.send(line);
        engine.send("isready");
        engine.until(|line| line == "readyok")
    };
    let lines = after("setoption name UCI_Variant value minichess");
    assert!(lines[0].starts_with("info string variant minichess "), "{lines:?}");
    let minichess = evaluation(&lines).expect("the option");
    assert!(minichess.starts_with("option name Evaluation type combo default best var best var network var tuned"));
    for value in ["tuned", "best", "default"] {
        assert_eq!(after(&format!("setoption name Evaluation value {value}")), ["readyok"], "{value}");
    }
    assert_eq!(evaluation(&after("setoption name UCI_Variant value minichess")), None, "as before");
}
