//! `flipside play`: commands through a pipe, and a person at a terminal (a pty) who plays a whole game.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program;
use flipside::reversi::{Board, Move};
use std::process::Output;

/// Runs `flipside play` with these arguments and words.
fn play(arguments: &str, words: &str) -> Output {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    program::run(&[&["play", "--book", "none"], &arguments[..]].concat(), words)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn words_from_a_pipe_are_served_in_plain_ascii_until_the_input_ends() {
    let words = "d3\nundo\nhint\nanalyse\nlevel 2\nstrength 50\nelo 500\nelo 400\nswap\nswap\nboard\nhelp\nnew";
    let output = play("--level 3 --seed 1", words);
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text}");
    for part in [
        "black: you, white: the engine\n",
        " 3  . . . + . . . .\n",
        " 3  . . +(X)+ . . .\n",
        "white plays ",
        "hint: ",
        "  D3    ",
        "the engine searches at most 2 plies\n",
        "the engine plays at 50 %\n",
        "the engine plays at 500 Elo\n",
        "the Elo scale of reversi goes from 500 to ",
        " % [#",
        "black: the engine, white: you\n",
        "save FILE",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // By symmetry, the four first moves are one.
    let analysed: Vec<&str> = ["D3", "C4", "F5", "E6"]
        .iter()
        .filter_map(|mv| text.lines().find_map(|line| line.strip_prefix(&format!("  {mv}    "))))
        .collect();
    assert!(analysed.len() == 4 && analysed.iter().all(|words| *words == analysed[0]), "{text}");
    assert!(analysed[0].ends_with(", best"), "{text}");
}

/// A move of chess in the game's own notation, as UCI writes it, and short; the material is counted.
#[test]
fn moves_of_chess_have_three_spellings() {
    let moves = "a2-a3\nc5c4\nD2D3\ncxd3\nNd3\ne2d3\nb5-b4\nNc3";
    let text = text(&play("--game minichess --black human --white human", moves));
    for part in [
        "white to move; material: white 25, black 25\n",
        "white to move; material: white 24, black 25\n",
        "'Nd3' is neither a move nor a command; moves: ",
        "black to move; material: white 24, black 24\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.ends_with("record: a2-a3 c5-c4 d2-d3 c4-d3 e2-d3 b5-b4 b1-c3\n"), "{text}");
}

#[test]
fn the_opening_is_named_under_the_board() {
    let text = text(&play("--black human --white human", "f5\nd6\nc3\nd3\nc4\na1\nh8"));
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("opening: ")).collect();
    assert_eq!(names, ["Perpendicular", "Perpendicular", "Perpendicular", "Tiger"], "{text}");
}

#[test]
fn what_is_wrong_is_told_and_changes_nothing() {
    let text = text(&play("--black human --white human", "d9\nlevel x\nundo\nload /nowhere\nboard\n"));
    assert!(text.contains("'d9' is neither a move nor a command; moves: D3 C4 F5 E6;"), "{text}");
    assert!(text.contains("level takes a number from 0 to 60, saw 'x'\n"), "{text}");
    assert!(text.contains("there is nothing to take back\n"), "{text}");
    assert!(text.contains("cannot read /nowhere"), "{text}");
    assert!(text.ends_with("black to move; black 2, white 2\n"), "{text}");
}

#[test]
fn the_engine_plays_itself_and_the_end_is_told_once() {
    for game in ["reversi", "minichess", "tic-tac-toe", "connect-four", "gomoku"] {
        let text = text(&play(&format!("--game {game} --black engine --white engine --level 1"), "board\n"));
        assert_eq!(text.matches("record: ").count(), 1, "{game}: {text}");
        assert_eq!(text.matches("costl").count(), 1, "{game}: {text}");
        assert!(text.trim_end().ends_with("]") || text.contains("the game is over"), "{game}: {text}");
    }
}

#[test]
fn a_saved_game_is_loaded_again_and_nothing_else_is_overwritten() {
    let home = Home::new();
    let (game, other) = (home.path("game.txt"), home.path("other.txt"));
    std::fs::write(&other, "mine\n").expect("a file");
    let two = "--black human --white human";
    let saved = text(&play(two, &format!("f5\nd6\nsave {game}\nc3\nsave {game}\nsave {other}\n")));
    assert_eq!(saved.matches("saved to ").count(), 2, "{saved}");
    assert!(saved.contains("exists and is not a saved game"), "{saved}");
    assert_eq!(std::fs::read_to_string(&other).expect("it is there"), "mine\n");
    let loaded = text(&play(two, &format!("load {game}\n")));
    assert!(loaded.ends_with("record: f5 d6 c3\n"), "{loaded}");
    let chess = text(&play("--game minichess --white human --black human", &format!("load {game}\n")));
    let chess = chess.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(chess.contains("is not a game of minichess: it is a game of reversi, not of minichess"), "{chess}");
    std::fs::write(&other, "(;GM[Othello]PB[Ann]PW[Bob]B[f5/1.2]W[d6];)(;GM[Othello]B[d3];)").expect("a file");
    let ggf = text(&play(two, &format!("d3\nload {other}\n")));
    assert!(ggf.ends_with("record: f5 d6\n"), "{ggf}");
    std::fs::write(&other, "f5d6\nf5f5\n").expect("a file");
    std::fs::write(&game, "f5f5\n").expect("a file");
    let refused = text(&play(two, &format!("d3\nload {game}\n")));
    let words = refused.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("move 2: 'f5' is not legal for white"), "{refused}");
    assert!(refused.ends_with("record: d3\n"), "{refused}");
}

/// The name of the file is a promise.
#[test]
fn a_game_is_saved_in_the_format_that_the_file_is_named_after() {
    let home = Home::new();
    let two = "--black human --white human";
    for (name, beginning) in
        [("g.pgn", "[Event \"flipside play\"]"), ("g.ggf", "(;GM[Othello]"), ("g.sgf", "(;FF[4]GM[2]"), ("g.json", "{")]
    {
        let file = home.path(name);
        let saved = text(&play(two, &format!("f5\nd6\nsave {file}\nc3\nsave {file}\n")));
        assert_eq!(saved.matches("saved to ").count(), 2, "{saved}");
        let content = home.read(name);
        assert!(content.starts_with(beginning) && content.contains("flipside play"), "{content}");
        let loaded = text(&play(two, &format!("load {file}\n")));
        assert!(loaded.ends_with("record: f5 d6 c3\n"), "{content}: {loaded}");
        // Another's game stays.
        let foreign = content.replace("flipside play", "WOC 2001");
        std::fs::write(&file, &foreign).expect("a file");
        let refused = text(&play(two, &format!("f5\nsave {file}\n")));
        assert!(refused.contains("exists and is not a saved game"), "{refused}");
        assert_eq!(home.read(name), foreign);
    }
    for (game, name, message) in [
        ("minichess", "g2.sgf", "sgf cannot hold it: it is a game of minichess, not of reversi"),
        ("reversi", "g2.svg", "save writes no svg: save the game as .ggf or .pgn and convert it"),
        ("reversi", "g2.wtb", "save writes no WTHOR: save the game as .ggf and convert it"),
    ] {
        let file = home.path(name);
        let refused = text(&play(&format!("--game {game} {two}"), &format!("save {file}\n")));
        let words = refused.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(message) && !std::path::Path::new(&file).exists(), "{refused}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named_as_the_person_named_it() {
    for command in ["play", "convert --to ggf --out /nonexistent/g.pgn"] {
        let words: Vec<&str> = command.split_whitespace().collect();
        let input = if command == "play" { "f5\nsave /nonexistent/g.pgn\n" } else { "f5d6\n" };
        let output = program::run(&words, input);
        let shown = text(&output) + &program::stderr(&output);
        assert!(shown.contains("cannot write /nonexistent/g.pgn: No such file or directory"), "{shown}");
        assert!(!shown.contains(".part"), "{shown}");
    }
}

/// Gomoku has more moves than a person reads: an error names a few, an analysis the ten best.
#[test]
fn a_long_list_of_moves_is_cut() {
    let words = "h8\nz99\nanalyse\nanalyse all\n";
    let shown = text(&play("--game gomoku --black human --white human --move-time 0.05", words));
    let error: Vec<&str> = shown.lines().skip_while(|line| !line.contains("'z99'")).take(3).collect();
    assert!(error[..2].join(" ").contains(" and 216 more; help"), "{error:?}");
    let values = |text: &str| text.lines().filter(|line| line.starts_with("  ") && line.contains(" (depth ")).count();
    let (ten, all) = shown.split_once("  and 214 more: analyse all\n").expect("ten moves");
    assert_eq!((values(ten), values(all)), (10, 224), "{shown}");
}

/// Values of a position's moves can be compared with each other and with the hint: the sign is the mover's.
#[test]
fn hint_and_analysis_have_the_movers_sign() {
    let words = "b2-b3\nb5-b4\nhint\nanalyse all\n";
    let shown = text(&play("--game minichess --black human --white human --move-time 0.05", words));
    // A long line is wrapped, also between a value and its depth.
    let words: Vec<&str> = shown.split_whitespace().collect();
    let is_value = |words: &&[&str]| words[2].starts_with("(depth") || words[2].starts_with("(exact)");
    let number = |words: &[&str]| {
        assert_eq!(words[0], "white", "a value for white: {words:?}");
        words[1].parse().expect("a number")
    };
    let numbers: Vec<f64> = words.windows(3).filter(is_value).map(number).collect();
    assert!(
        numbers.len() > 5 && numbers[1..].is_sorted_by(|a, b| a >= b) && numbers[numbers.len() - 1] < 0.0,
        "{shown}"
    );
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let text = text(&play("--black human --white human --tc 0.000000001", "d3\nc3\nundo\n"));
    assert!(text.contains("black is out of time: white wins\n"), "{text}");
    assert!(text.contains("the game is over (black is out of time: white wins)"), "{text}");
}

#[cfg(unix)]
mod terminal {
    use super::*;
    use crate::common::terminal::{Terminal, without_styles};
    use std::io::Write;
    use std::time::{Duration, Instant};

    /// Plays the moves that the engine reports, and returns the board.
    fn follow(mut board: Board, shown: &str) -> Board {
        for line in shown.lines() {
            if let Some((_, told)) = line.split_once("white plays ") {
                let name = told.split(';').next().unwrap_or_default().trim();
                board = board.play(name.parse().expect("a square")).expect("a legal move");
            } else if line.contains("has no move and passes") {
                board = board.play(Move::Pass).expect("a forced pass");
            }
        }
        board
    }

    #[test]
    fn a_person_plays_a_whole_game() {
        for columns in [80, 40] {
            let mut terminal = Terminal::start(&["play", "--book", "none", "--level", "1"], columns);
            let shown = terminal.until(&["black> "]);
            assert!(shown.contains("\u{1b}[") && shown.contains('●'), "colours: {shown}");
            let mut board = Board::new();
            let end = loop {
                let mv = board.legal_moves().next().expect("it is the person's turn");
                terminal.type_line(&mv.to_string());
                board = board.play(mv).expect("a legal move");
                let shown = terminal.until(&["black> ", "record: "]);
                board = follow(board, &shown);
                if board.is_over() {
                    break shown;
                }
            };
            let margin = board.score().abs();
            assert!(end.contains(&format!("wins by {margin}")) || margin == 0, "{end}");
            terminal.type_line("quit");
            assert!(terminal.child.wait().expect("a status").success());
        }
    }

    /// No line of the program is longer than a narrow terminal is wide, whatever the request.
    #[test]
    fn everything_fits_forty_columns() {
        let words = ["play", "--book", "none", "--level", "3", "--move-time", "0.05"];
        let mut terminal = Terminal::start(&words, 40);
        let mut shown = terminal.until(&["black> "]);
        for word in ["help", "f5", "hint", "analyse", "level x", "board"] {
            terminal.type_line(word);
            shown += &terminal.until(&["black> "]);
        }
        let shown = without_styles(&shown);
        // The line editor moves the cursor in its own lines.
        for line in shown.lines().filter(|line| !line.contains("> ") && !line.contains('\u{1b}')) {
            assert!(line.trim_end().chars().count() <= 40, "{line}: {shown}");
        }
        assert!(shown.contains("\nlevel N      search at most N plies (60:\r\n             no limit)\r\n"), "{shown}");
        terminal.type_line("quit");
        assert!(terminal.child.wait().expect("a status").success());
    }

    #[test]
    fn no_color_is_plain() {
        let mut terminal = Terminal::start_with(&["play", "--book", "none"], 80, &[("NO_COLOR", "1")]);
        let shown = terminal.until(&["black> "]);
        assert!(!shown.contains("\u{1b}[38") && !shown.contains("\u{1b}[48") && !shown.contains('●'), "{shown}");
        assert!(shown.contains(" 3  . . . + . . . .\r\n"), "{shown}");
    }

    #[test]
    fn an_arrow_brings_back_the_last_line() {
        let mut terminal = Terminal::start(&["play", "--book", "none"], 80);
        terminal.until(&["black> "]);
        terminal.type_line("level 7");
        terminal.until(&["at most 7 plies"]);
        terminal.until(&["black> "]);
        // The arrow, then a digit more.
        terminal.type_line("\u{1b}[A\u{7f}8");
        terminal.until(&["at most 8 plies"]);
    }

    #[test]
    fn control_c_leaves_and_shows_the_record_as_control_d_does() {
        for (key, status) in [(b"\x03", 130), (b"\x04", 0)] {
            let words = ["play", "--book", "none", "--white", "human", "--black", "human"];
            let mut terminal = Terminal::start(&words, 80);
            terminal.until(&["black> "]);
            terminal.type_line("d3");
            terminal.until(&["white> "]);
            terminal.side.write_all(key).expect("the program reads");
            terminal.until(&["record: d3\r\n"]);
            assert_eq!(terminal.child.wait().expect("a status").code(), Some(status));
        }
    }

    #[test]
    fn a_signal_at_the_prompt_shows_the_record() {
        use rustix::process::{Pid, Signal, kill_process};
        // Not SIGHUP, which `nohup` makes programs ignore.
        for signal in [Signal::TERM, Signal::QUIT] {
            let words = ["play", "--book", "none", "--white", "human", "--black", "human"];
            let mut terminal = Terminal::start(&words, 80);
            terminal.until(&["black> "]);
            terminal.type_line("d3");
            terminal.until(&["white> "]);
            kill_process(Pid::from_child(&terminal.child), signal).expect("the program runs");
            terminal.until(&["record: d3\r\n"]);
            assert_eq!(terminal.child.wait().expect("a status").code(), Some(130));
        }
    }

    #[test]
    fn a_long_search_shows_that_it_runs() {
        for word in ["hint", "analyse", "go"] {
            let words = ["play", "--book", "none", "--move-time", "1.5", "--black", "human", "--white", "human"];
            let mut terminal = Terminal::start(&words, 80);
            terminal.until(&["black> "]);
            terminal.type_line(word);
            terminal.until(&["thinking, "]);
        }
    }

    #[test]
    fn a_move_at_the_bare_engine_prompt_gets_a_hint() {
        let mut terminal = Terminal::start(&[], 80);
        terminal.type_line("d3");
        terminal.until(&["flipside play"]);
        terminal.type_line("quit");
        let deadline = Instant::now() + crate::common::TIMEOUT;
        while terminal.child.try_wait().expect("a status").is_none() {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
