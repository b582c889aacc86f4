//! `flipside convert`: every format in and out through the program, damaged files, names beside WTHOR's games,
//! pictures.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program;
use std::fs;
use std::process::Output;

const MOVES: &str = "f5d6c3d3c4f4f6f3e6e7";
/// White has no move after the eighth.
const WITH_PASS: &str = "d3c3e6d2d1e1b2c1a3";

fn flipside(words: &str, input: &[u8]) -> Output {
    program::run(&words.split_whitespace().collect::<Vec<_>>(), input)
}

/// The output of a successful conversion.
fn converted(words: &str, input: &[u8]) -> Vec<u8> {
    let output = flipside(&format!("convert {words}"), input);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn text(words: &str, input: &[u8]) -> String {
    String::from_utf8(converted(words, input)).expect("a text")
}

#[test]
fn people_write_moves_in_many_ways() {
    for line in ["F5 D6 C3 d3", "1. f5 d6 2. c3 d3", "f5-d6-c3-d3", "1.f5 2.d6 3.c3 4.d3 # four", "f5,d6,c3,d3"] {
        assert_eq!(text("--to transcript", line.as_bytes()), "f5d6c3d3\n", "{line}");
    }
    for line in ["d3c3e6d2d1e1b2c1--a3", "d3 c3 e6 d2 d1 e1 b2 c1 pass a3", WITH_PASS] {
        assert_eq!(text("--to transcript", line.as_bytes()), format!("{WITH_PASS}\n"), "{line}");
    }
    let numbered = text("--to transcript", b"1. f5 d6\n2. c3 d3\nf5f6\n");
    assert_eq!(numbered, "f5d6c3d3\nf5f6\n");
}

#[test]
fn each_format_is_read_by_its_content() {
    let finished = text("--to json", WITH_PASS.as_bytes());
    assert!(finished.contains("\"opening_name\"") && finished.contains("{\"move\":\"PASS\"}"), "{finished}");
    for format in ["ggf", "sgf", "pgn", "json"] {
        let once = converted(&format!("--to {format}"), WITH_PASS.as_bytes());
        assert_eq!(text("--to transcript", &once), format!("{WITH_PASS}\n"), "{format}");
        assert_eq!(text("--to json -", &once).contains("PASS"), finished.contains("PASS"), "{format}");
    }
    let position = text("--to obf", MOVES.as_bytes());
    assert!(position.ends_with("X;\n"), "{position}");
    for format in ["fen", "ggf", "sgf", "pgn", "json", "obf"] {
        let once = converted(&format!("--to {format}"), position.as_bytes());
        assert_eq!(text("--to obf", &once), position, "{format}");
    }
    let start = "---------------------------OX------XO--------------------------- X;";
    assert_eq!(text("--to obf --ply 0", MOVES.as_bytes()), format!("{start}\n"));
    let edax = format!("{start} f5:+0; e6:+0 % the start\n");
    assert_eq!(text("--to obf", edax.as_bytes()), format!("{start} f5:+0; e6:+0; # the start\n"));
}

#[test]
fn tags_and_evaluations_are_kept() {
    let pgn = b"[Event \"Open\"]\n[Site \"Oslo\"]\n[Date \"2021.03.04\"]\n[White \"Zoe\"]\n[Black \"Ann\"]\n\n\
        1. f5 {+1.50 2.5s} d6 {-0.25} 2. c3 *\n";
    let ggf = text("--to ggf", pgn);
    for part in [
        "PC[Oslo]",
        "DT[2021-03-04]",
        "EV[Open]",
        "PB[Ann]",
        "PW[Zoe]",
        "ON[Perpendicular]",
        "B[F5/1.50/2.5]",
        "W[D6/-0.25]",
    ] {
        assert!(ggf.contains(part), "{part}: {ggf}");
    }
    let again = text("--to pgn", ggf.as_bytes());
    for part in ["[Date \"2021.03.04\"]", "[Black \"Ann\"]", "1. f5 {+1.50 2.5s} d6 {-0.25} 2. c3 *"] {
        assert!(again.contains(part), "{part}: {again}");
    }
}

#[test]
fn games_of_minichess_and_small_games() {
    let saved = b"# flipside game of minichess\na2-a3 b5-b4\n";
    let pgn = text("--to pgn", saved);
    assert!(pgn.contains("[Variant \"minichess\"]") && pgn.contains("1. a2a3 b5b4 *"), "{pgn}");
    assert_eq!(text("--to transcript", pgn.as_bytes()).as_bytes(), saved);
    assert_eq!(text("--to transcript", pgn.replace("a2a3 b5b4", "a3 b4").as_bytes()).as_bytes(), saved, "short moves");
    let fen = text("--to fen", saved);
    assert_eq!(text("--to fen", fen.as_bytes()), fen);
    assert!(text("--to svg", saved).contains("<svg"));
    let game = text("--to json --game tic-tac-toe", b"b2 a1");
    assert!(game.contains("\"rules\":\"tic-tac-toe\""), "{game}");
    let refused = flipside("convert --to ggf", saved);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("ggf cannot hold it: it is a game of minichess"));
}

#[test]
fn good_games_pass_and_bad_ones_are_named() {
    let games = "f5d6\nf5f5\n(;GM[Othello]B[f5]W[d6\n(;GM[2];B[fe])\n{\"moves\":[{\"move\":\"h8\"}]}\n1. f5 d6\n";
    let output = flipside("convert --to transcript", games.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "f5d6\nf5\nf5d6\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines.len(), 3, "{errors}");
    assert_eq!(lines[0], "flipside: game 2 (line 2): move 2: 'f5' is not legal for white; legal: f4 d6 f6");
    assert!(
        lines[1].starts_with("flipside: game 3 (line 3): expected")
            && lines[2].starts_with("flipside: game 5 (line 5): move 1: 'h8'")
    );
}

/// Errors have one form, also for the only game of a file: what is wrong, where, and what would be right.
#[test]
fn what_is_bad_in_a_file_is_named_with_the_file() {
    let home = Home::new();
    let file = home.path("bad.pgn");
    let named = |words: &str, text: &str, what: &str| {
        fs::write(&file, text).expect("a file");
        let output = flipside(&format!("{words} {file}"), b"");
        let errors = program::stderr(&output);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{words}: {errors}");
        assert_eq!(errors, format!("flipside: {file}: {what}\n"), "{words}");
    };
    let illegal = "game 1 (line 1): move 2: 'a1' is not legal for white; legal: f4 d6 f6";
    for words in ["convert --to ggf", "analyze --depth 1"] {
        named(words, "[Event \"Open\"]\n\n1. f5 a1 *\n", illegal);
    }
    let short = "line 1: expected 64 squares (X, O or -) and the side to move, found the end at character 7";
    named("solve", "XXXX X\n", short);
    let output = flipside("analyze nowhere.txt", b"");
    let missing = "cannot read nowhere.txt: there is no such file; `-`, or no name, reads standard input";
    assert_eq!(program::stderr(&output), format!("flipside: {missing}\n"));
}

#[test]
fn wthor_has_its_names_beside_it() {
    let home = Home::new();
    let file = home.path("games.wtb");
    let ggf = "(;GM[Othello]PC[Rome]DT[2019]PB[Ann]PW[Bob]RE[+12]EV[Final]BO[8 ---------------------------O*------*O\
               --------------------------- *]B[F5]W[D6]B[C3];)\n";
    let both = format!("{ggf}{}", ggf.replace("Bob", "Eve").replace("B[C3]", "B[C5]"));
    let words = format!("--to wthor --out {file}");
    assert!(converted(&words, both.as_bytes()).is_empty());
    let back = text(&format!("--to ggf {file}"), b"");
    for part in ["PB[Ann]", "PW[Eve]", "EV[Final]", "DT[2019]", "RE[+12.00]"] {
        assert!(back.contains(part), "{part}: {back}");
    }
    fs::rename(home.path("games.jou"), home.path("other.JOU")).expect("renamed");
    assert!(text(&format!("--to ggf {file}"), b"").contains("PB[Ann]"), "the only one in the folder");
    // A WTHOR file from a pipe has numbers instead of names.
    let mut bytes = fs::read(&file).expect("games");
    assert!(text("--to ggf", &bytes).contains("PB[player 1]"));
    let named = format!("--to ggf --players {}", home.path("other.JOU"));
    assert!(text(&named, &bytes).contains("PB[Ann]"));
    bytes[16 + 8] = 11;
    bytes.truncate(16 + 68 + 60);
    let output = flipside("convert --to transcript", &bytes);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{errors}");
    assert!(errors.starts_with("flipside: game 1: move 1: 'a1' is not legal") && errors.contains("game 2"), "{errors}");
}

#[test]
fn pictures_one_for_each_game() {
    let home = Home::new();
    let file = home.path("game.svg");
    converted(&format!("--to svg --out {file}"), format!("{MOVES}\n{WITH_PASS}\n").as_bytes());
    for (name, moves) in [("game.svg", 10), ("game-2.svg", 9)] {
        let svg = fs::read_to_string(home.path(name)).expect("a picture");
        assert!(
            svg.contains(&format!(">{moves}</text>")) && !svg.contains(&format!(">{}</text>", moves + 1)),
            "{name}"
        );
    }
    let output = flipside("convert --to svg", format!("{MOVES}\n{WITH_PASS}\n").as_bytes());
    assert_eq!(output.status.code(), Some(1), "one picture on standard output");
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("<svg").count(), 1);
}

#[test]
fn other_subcommands_read_all_formats_too() {
    let game = "f5f4f3f6d3f2g6c3b3b2g4g3b1d2c4c5f1g2g1g5c6a1h6a2b5c7f7d6c2h5";
    for format in ["transcript", "sgf", "pgn", "json", "ggf"] {
        let games = converted(&format!("--to {format}"), game.as_bytes());
        let solved = flipside("solve --depth 2 --json", &games);
        assert!(solved.status.success(), "{format}: {}", String::from_utf8_lossy(&solved.stderr));
        assert_eq!(String::from_utf8_lossy(&solved.stdout).lines().count(), 1, "{format}");
    }
    let damaged = flipside("solve --depth 2", b"f5d6\n----XO X\n");
    assert_eq!(damaged.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&damaged.stderr).starts_with("flipside: line 2: expected"), "of a position");
}

#[test]
fn wrong_arguments_say_what_is_right() {
    for (words, part) in [
        ("convert --to paper", "[possible values: transcript, ggf, sgf, pgn, wthor, obf, fen, json, svg]"),
        ("convert --to ggf --game go", "unknown game 'go': one of reversi"),
        ("convert --to ggf /no/such/file", "cannot read /no/such/file"),
    ] {
        let output = flipside(words, b"");
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(part), "{words}");
    }
    let short = flipside("convert --to fen --ply 9", b"f5d6");
    assert!(short.status.code() == Some(1) && String::from_utf8_lossy(&short.stderr).contains("has only 2 plies"));
}

/// The shortest game: Black wins with 13 discs to none.
const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

/// Moves of SGF: `;B[ef];W[fd]`...
fn sgf(moves: &str, result: &str) -> String {
    let point = |(index, square): (usize, &[u8])| {
        let row = char::from(b'a' + square[1] - b'1');
        format!(";{}[{}{row}]", if index % 2 == 0 { 'B' } else { 'W' }, char::from(square[0]))
    };
    let moves: String = moves.as_bytes().chunks(2).enumerate().map(point).collect();
    format!("(;FF[4]GM[2]RE[{result}]{moves})\n")
}

fn ggf(moves: &str, result: &str) -> String {
    let mv = |(index, square): (usize, &[u8])| {
        format!("{}[{}]", if index % 2 == 0 { 'B' } else { 'W' }, String::from_utf8_lossy(square))
    };
    let moves: String = moves.as_bytes().chunks(2).enumerate().map(mv).collect();
    format!(
        "(;GM[Othello]RE[{result}]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]{moves};)\n"
    )
}

fn pgn(moves: &str, tags: &str, result: &str) -> String {
    let moves: Vec<_> = moves.as_bytes().chunks(2).map(String::from_utf8_lossy).collect();
    format!("[Event \"x\"]\n[Result \"{result}\"]\n{tags}\n1. {} {result}\n\n", moves.join(" "))
}

/// Where the moves end the game the rules decide, whatever the record states.
#[test]
fn the_rules_decide_finished_games() {
    let black = "contradicts its moves: by them black wins by 64";
    for (record, told) in [
        (pgn(WIPE_OUT, "[Difference \"13\"]\n", "0-1"), None),
        (pgn(WIPE_OUT, "[Difference \"64\"]\n", "0-1"), None),
        (pgn(WIPE_OUT, "", "1-0"), Some(format!("its result, white wins, {black}"))),
        (pgn(WIPE_OUT, "", "1/2-1/2"), Some(format!("its result, it is a draw, {black}"))),
        (sgf(WIPE_OUT, "B+R"), None),
        (sgf(WIPE_OUT, "W+0.5"), Some(format!("its result, white wins, {black}"))),
        (sgf(WIPE_OUT, "B+12"), Some(format!("its result, black wins by 12, {black}"))),
        (ggf(WIPE_OUT, "+1000"), Some(format!("its result, black wins by 1000, {black}"))),
        (ggf(WIPE_OUT, "-64.00:t"), Some(format!("its result, white wins, {black}"))),
    ] {
        for (format, shown) in [("ggf", "RE[+64.00]"), ("sgf", "RE[B+64]"), ("json", "\"difference\":64}")] {
            let output = flipside(&format!("convert --to {format}"), record.as_bytes());
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && text.contains(shown), "{record}: {text}");
            let told = told.as_ref().map(|told| format!("flipside: game 1 (line 1): {told}\n")).unwrap_or_default();
            assert_eq!(program::stderr(&output), told, "{record}");
        }
        let games = flipside("convert --to wthor", record.as_bytes()).stdout;
        assert_eq!(games.get(16 + 6), Some(&64), "{record}: Black's discs");
    }
}

/// Where they do not, a margin that nobody knows is not made up.
#[test]
fn unknown_margins_stay_unknown() {
    let open = "f5d6c3";
    let out = |format: &str, record: &str| {
        let output = flipside(&format!("convert --to {format}"), record.as_bytes());
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), program::stderr(&output))
    };
    let place = "flipside: game 1 (line 1): ";
    let left_out = format!("{place}ggf cannot say who won without a margin: its result is left out\n");
    let impossible = |margin: i32| {
        format!("{place}its result, a difference of {margin} discs, is impossible and counts as unknown\n")
    };
    for (record, shown, told) in [
        (pgn(open, "", "1-0"), "RE[?]", left_out.clone()),
        (sgf(open, "W+0.5"), "RE[?]", left_out.clone()),
        (sgf(open, "B+R"), "RE[+64.00:r]", String::new()),
        (ggf(open, "+10:l"), "RE[+10.00:l]", String::new()),
        (ggf(open, "+64:l"), "RE[+64.00:l]", String::new()),
        (ggf(open, "-1000"), "RE[?]", impossible(-1000) + &left_out),
        (ggf(open, "+65"), "RE[?]", impossible(65) + &left_out),
        (pgn(open, "[Difference \"2147483647\"]\n", "0-1"), "RE[?]", left_out.clone()),
        (pgn(open, "[Difference \"12\"]\n", "1-0"), "RE[?]", left_out),
    ] {
        let (status, text, errors) = out("ggf", &record);
        assert_eq!((status, errors), (Some(0), told), "{record}");
        assert!(text.contains(shown), "{record}: {text}");
        // A collection of WTHOR has no place for it.
        let (status, games, errors) = out("wthor", &record);
        assert_eq!((status, games.len()), (Some(1), 16), "{record}");
        assert!(errors.ends_with("wthor cannot hold it: its result in discs is unknown\n"), "{record}: {errors}");
    }
    for (record, discs) in [(ggf(open, "+12"), 38), (ggf(open, "-64"), 0), (sgf(open, "0"), 32)] {
        let games = flipside("convert --to wthor", record.as_bytes()).stdout;
        assert_eq!(games.get(16 + 6), Some(&discs), "{record}");
    }
    let (status, _, errors) = out("wthor", &ggf(open, "+13"));
    assert!(status == Some(1) && errors.contains("64 discs cannot be shared with a difference of 13"), "{errors}");
    // Training wants to know by how much, too, and takes the rules' word for the rest.
    let home = Home::new();
    let (games, labels) = (home.path("games.sgf"), home.path("labels"));
    fs::write(&games, sgf(open, "B+R") + &sgf(WIPE_OUT, "W+2")).expect("a file");
    let words = format!("train label --depth 1 --exact 4 --games {games} --out {labels}");
    let output = flipside(&words, b"");
    let errors = program::stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("game 1 (line 1): it has no result in discs"), "{errors}");
    assert!(
        errors.contains("its result, white wins by 2, contradicts its moves: by them black wins by 64"),
        "{errors}"
    );
}

/// Fixtures of the kinds that real collections have: brackets that are not escaped, Latin-1, marks on moves.
#[test]
fn nothing_is_cut_without_a_word() {
    for (game, name) in [
        (&b"(;GM[2]FF[4]SZ[8]PB[Kim[3d]]PW[Lee];B[fe];W[df])"[..], "PB[Kim[3d\\]]"),
        (b"(;GM[2]FF[4]CA[ISO-8859-1]SZ[8]PB[Zo\xeb Brasseur];B[fe];W[df])", "PB[Zo\u{eb} Brasseur]"),
        (b"(;GM[2]SZ[8]PB[a];B[fe]C[good [really] move];W[df])", "C[good [really\\] move]"),
    ] {
        let sgf = text("--to sgf", game);
        assert!(sgf.contains(name) && sgf.contains(";W[df]") && sgf.contains("CA[UTF-8]"), "{sgf}");
    }
    for (game, place) in [("(;GM[2]PB[a];B[fe] oops ;W[df])", 20), ("(;GM[2]PB[a];B[fe];W[df];B[cc", 27)] {
        let output = flipside("convert --to sgf", game.as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        let errors = program::stderr(&output);
        assert!(errors.starts_with("flipside: game 1 (line 1): expected "), "{errors}");
        assert!(errors.ends_with(&format!("in its line 1, column {place}\n")), "{errors}");
    }
}

#[test]
fn a_guessed_character_set_is_told_once() {
    let game = b"(;GM[2]FF[4]SZ[8]PB[Zo\xeb];B[fe])\n";
    let output = flipside("convert --to sgf", &[&game[..], game].concat());
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stdout).matches("PB[Zo\u{eb}]").count()),
        (Some(0), 2)
    );
    let warning = "flipside: game 1 (line 1): its text is not UTF-8 and names no character set: read as Windows-1252\n";
    assert_eq!(program::stderr(&output), warning);
    let utf16: Vec<u8> =
        "\u{feff}[White \"Zo\u{eb}\"]\r\n\r\n1. f5 d6 *\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert!(text("--to ggf", &utf16).contains("PW[Zo\u{eb}]"));
}

#[test]
fn marks_and_variations_are_kept() {
    let pgn = "[Event \"A\"]\n\n1. f5 $6 (1. e6! d6) d6!? 2. c3 d3?? (2... h8) *\n";
    let output = flipside("convert --to pgn", pgn.as_bytes());
    let written = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(written.ends_with("\n1. f5 $6 (1. e6 $1 d6) 1... d6 $5 2. c3 d3 $4 *\n\n"), "{written}");
    let told = "flipside: game 1 (line 1): moves of its variations left out from the first illegal one on: 1\n";
    assert_eq!(program::stderr(&output), told);
    assert_eq!(text("--to transcript", written.as_bytes()), "f5?!d6!?c3d3??\n");
    assert_eq!(text("--to pgn", text("--to json", written.as_bytes()).as_bytes()), written);
    let sgf = text("--to sgf", written.as_bytes());
    assert!(sgf.ends_with("(;B[fe]DO[];W[df]IT[];B[cc];W[dc]BM[2])(;B[ef]TE[1];W[df]))\n"), "{sgf}");
    assert_eq!(text("--to transcript", b"f5?!d6!?c3 d3 ??"), "f5?!d6!?c3d3??\n");
    let chess = "[Variant \"minichess\"]\n\n1. a3! { [%eval 0.5] [%clk 0:01:00] } (1. b3 b4) b4 { [%eval #3] } *\n";
    let written = text("--to pgn --game minichess", chess.as_bytes());
    assert!(written.contains("1. a2a3 $1 {+0.50, [%clk 0:01:00]} (1. b2b3 b5b4) 1... b5b4 {-299.94} *"), "{written}");
}
