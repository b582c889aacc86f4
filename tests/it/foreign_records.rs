//! Records as other programs write them, through `flipside convert`: Edax's PGN, servers' games of other rules, WTHOR's
//! files of names, damaged collections.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program;

/// The status, the output as text and the complaints of a conversion of standard input, or of a file.
fn convert(words: &str, input: &str) -> (Option<i32>, String, String) {
    let words: Vec<&str> = ["convert", "--to"].into_iter().chain(words.split_whitespace()).collect();
    let output = program::run(&words, input.as_bytes());
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), program::stderr(&output))
}

/// A game of Edax after f5, which names squares as Othello does and gives Black `p`.
const EDAX: &str = "[Event \"?\"]\n[Site \"edax\"]\n[Date \"2025.3.9\"]\n[Round \"?\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n\
    [Result \"*\"]\n[FEN \"8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1\"]\n\n 1. d6 c3 *\n";
/// The position before its moves.
const AFTER_F5: &str = "8 ---------------------------O*------***-------------------------- O";
const AS_EDAX: &str =
    "flipside: game 1 (line 1): its FEN is read as Edax writes it: the eighth row first, 'P' and 'w' for White\n";

#[test]
fn a_fen_by_edax_is_told_by_its_moves() {
    let (status, text, errors) = convert("ggf", EDAX);
    assert_eq!((status, errors.as_str()), (Some(0), AS_EDAX), "{text}");
    assert!(text.contains("DT[2025-03-09]") && text.contains(&format!("BO[{AFTER_F5}]W[D6]B[C3]")), "{text}");
    // With a variant that promises Fairy-Stockfish's FEN, the moves decide, too.
    let of_variant = EDAX.replace("[Round", "[Variant \"reversi\"]\n[Round");
    assert_eq!(convert("ggf", &of_variant), (status, text.clone(), errors));
    // The same position as Fairy-Stockfish writes it, with the variant and without.
    let own = of_variant.replace("8/8/8/3ppp2/3Pp3/8/8/8 w", "8/8/8/3pP3/3PPP2/8/8/8 b");
    let unnamed = EDAX.replace("8/8/8/3ppp2/3Pp3/8/8/8 w", "8/8/8/3pP3/3PPP2/8/8/8 b");
    for record in [own, unnamed] {
        assert_eq!(convert("ggf", &record), (Some(0), text.clone(), String::new()), "{record}");
    }
    // Legal in neither reading.
    let (status, _, errors) = convert("ggf", &EDAX.replace("d6 c3", "a1"));
    assert!(status == Some(1) && errors.contains("move 1: 'a1' is not legal for white; legal: f4 d6 f6"), "{errors}");
    // What Edax writes goes on through every command that reads games.
    let solved = program::run(&["solve", "--depth", "1"], EDAX.as_bytes());
    assert!(solved.status.success(), "{}", program::stderr(&solved));
}

/// The shortest game: Black wins with 13 discs to none.
const WIPE_OUT: &str = "1. e6 f4 e3 f6 g5 d6 e7 f5 c5";

#[test]
fn edax_writes_the_result_by_its_sign() {
    let record = |moves: &str, comment: &str| {
        format!(
            "[Site \"edax\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[Result \"1-0\"]\n\n{moves}\n{{{comment}}} 1-0\n\n\n"
        )
    };
    let place = "flipside: game 1 (line 1): its result, ";
    for (comment, shown, told) in [
        ("Ann wins 64-0", "RE[+64.00]", "1-0, contradicts its comment: Ann wins by 64\n"),
        ("", "RE[+64.00]", "white wins, contradicts its moves: by them black wins by 64\n"),
        ("Bob wins 38-26", "RE[+64.00]", "white wins by 12, contradicts its moves: by them black wins by 64\n"),
    ] {
        let (status, text, errors) = convert("ggf", &record(WIPE_OUT, comment));
        assert_eq!((status, errors), (Some(0), format!("{place}{told}")), "{comment}");
        assert!(text.contains(shown), "{comment}: {text}");
    }
    let solved = program::run(&["solve"], record(WIPE_OUT, "Ann wins 38-26").as_bytes());
    let told = "line 1: its result, 1-0, contradicts its comment: Ann wins by 12";
    assert!(program::stderr(&solved).starts_with(&format!("flipside: {told}")), "{solved:?}");
    let (_, text, errors) = convert("ggf", &record("1. f5 d6", "Ann wins 38-26"));
    assert_eq!(errors, format!("{place}1-0, contradicts its comment: Ann wins by 12\n"));
    assert!(text.contains("RE[+12.00]"), "{text}");
}

#[test]
fn games_of_other_rules_are_refused_by_name() {
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]B[d3]W[c5];)\n";
    let anti = format!("(;GM[Othello]PC[GGS/os]PB[a]PW[b]TY[8a]RE[?]{board}");
    let komi = format!("(;GM[Othello]PC[GGS/os]PB[a]PW[b]TY[8k]KM[+1.0]KB[-2.5]KW[+3.0]RE[?]{board}");
    for (record, reason) in [
        (anti, "it is an anti game, which the fewer discs win (TY[8a]), not one of Othello"),
        (komi, "it is a game with komi (TY[8k]), not one of Othello"),
    ] {
        let refused = (Some(1), String::new(), format!("flipside: game 1 (line 1): {reason}\n"));
        assert_eq!(convert("transcript", &record), refused);
    }
    let (status, text, errors) = convert("transcript", "(;GM[2]KM[6.5];B[fe])\n");
    assert_eq!((status, text.as_str()), (Some(0), "f5\n"));
    assert_eq!(errors, "flipside: game 1 (line 1): its komi, 6.5, is left out\n");
    let home = Home::new();
    let file = home.write("komi.sgf", "(;GM[2]KM[6.5];B[fe])\n");
    let loaded = program::run(&["--gtp"], format!("loadsgf {file}\nquit\n").as_bytes());
    assert!(loaded.stdout.starts_with(b"=") && program::stderr(&loaded).contains("its komi, 6.5"), "{loaded:?}");
}

/// Some programs write how the game ended: neither side can move.
#[test]
fn passes_after_the_end_are_no_moves() {
    let plain = WIPE_OUT.replace("1. ", "");
    let (_, expected, _) = convert("json", &plain);
    for passes in ["pass", "-- --", "PA PA PA"] {
        assert_eq!(
            convert("json", &format!("{plain} {passes}")),
            (Some(0), expected.clone(), String::new()),
            "{passes}"
        );
    }
    let (status, _, errors) = convert("json", &format!("{plain} pass a1"));
    assert!(status == Some(1) && errors.ends_with("move 11: 'a1' comes after the end of the game\n"), "{errors}");
    // Within a game a pass is forced or illegal.
    let (status, _, errors) = convert("json", "f5 pass");
    assert!(status == Some(1) && errors.contains("move 2: 'pass' is not legal"), "{errors}");
    let (status, text, _) = convert("json", "d3c3e6d2d1e1b2c1 pass");
    assert!(status == Some(0) && text.contains("{\"move\":\"PASS\"}]"), "{text}");
}

/// A file of WTHOR with these counts of games and names, and this content.
fn wthor(games: u32, names: u16, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![20, 24, 11, 5];
    bytes.extend(games.to_le_bytes());
    bytes.extend(names.to_le_bytes());
    bytes.extend(if games > 0 { [0xe8, 7, 8, 0, 22, 0] } else { [0; 6] });
    bytes.extend(content);
    bytes
}

/// A game between players 0 and 1 of tournament 0, Black with these discs at the end.
fn game(black_discs: u8, moves: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0, 0, 1, 0, black_discs, black_discs];
    bytes.extend(moves);
    bytes.resize(68, 0);
    bytes
}

/// Names as real collections hold them.
fn names(names: &[&[u8]], size: usize) -> Vec<u8> {
    let padded = |name: &&[u8]| {
        let mut name = name.to_vec();
        name.resize(size, 0);
        name
    };
    names.iter().flat_map(padded).collect()
}

#[test]
fn files_of_names_count_them_in_two_bytes() {
    let home = Home::new();
    let file = home.write("w.wtb", wthor(1, 0, &game(32, &[56, 64])));
    let players = wthor(0, 2, &names(&[b"No\xebl Zo\xe9", b"M\xfcller J\xf6rg"], 20));
    let tournaments = wthor(0, 1, &names(&[b"Championnat d'\xe9t\xe9"], 26));
    home.write("w.jou", &players);
    let trn = home.write("w.trn", &tournaments);
    let (status, text, errors) = convert(&format!("ggf {file}"), "");
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    for part in ["PB[Noël Zoé]", "PW[Müller Jörg]", "EV[Championnat d'été]", "DT[2024]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A damaged or foreign file costs its names, never the games.
    for (foreign, reason) in [
        (players[..30].to_vec(), "expected 2 names of 20 bytes, saw 14 bytes"),
        (tournaments, "expected 1 names of 20 bytes, saw 26 bytes"),
        (b"hello".to_vec(), "expected the header of a WTHOR file"),
        (Vec::new(), "expected the header of a WTHOR file"),
    ] {
        let jou = home.write("w.jou", foreign);
        let (status, text, errors) = convert(&format!("ggf {file}"), "");
        assert_eq!((status, errors), (Some(0), format!("flipside: {jou}: {reason}: its names are left out\n")));
        assert!(text.contains("PB[player 0]") && text.contains("EV[Championnat d'été]"), "{text}");
        let given = convert(&format!("transcript {file} --players {jou} --tournaments {trn}"), "");
        assert_eq!((given.0, given.1.as_str()), (Some(0), "f5d6\n"), "{}", given.2);
    }
    std::fs::remove_file(home.path("w.jou")).expect("removed");
    std::fs::create_dir(home.path("w.jou")).expect("a folder of that name");
    let (status, _, errors) = convert(&format!("ggf {file}"), "");
    assert!(status == Some(0) && errors.contains("w.jou: ") && errors.contains("names are left out"), "{errors}");
    let (status, _, errors) = convert(&format!("ggf {file} --players {}", home.path("none.jou")), "");
    assert!(status == Some(2) && errors.contains("cannot read"), "{errors}");
}

#[test]
fn collections_that_contradict_themselves_are_told() {
    let home = Home::new();
    let over = [65, 46, 35, 66, 57, 64, 75, 56, 53];
    let games = [game(64, &over), game(13, &over), game(65, &over), game(65, &[56, 64])].concat();
    let file = home.write("w.wtb", [wthor(1, 0, &games), vec![0x1a]].concat());
    let (status, text, errors) = convert(&format!("transcript {file}"), "");
    assert_eq!((status, text.lines().count()), (Some(0), 4), "{text}");
    let place = |number: u32| format!("flipside: {file}: game {number}: ");
    let impossible = "its 65 discs of Black are impossible and count as unknown";
    let expected = [
        format!("{}the header of its file counts only 1 of 4 games", place(2)),
        format!("{}its result, white wins by 38, contradicts its moves: by them black wins by 64", place(2)),
        format!("{}{impossible}", place(3)),
        format!("{}{impossible}", place(4)),
        format!("{}bytes after it that are no game: 1", place(4)),
    ];
    assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
    let (status, text, _) = convert(&format!("ggf {file}"), "");
    let results: Vec<_> = text.lines().map(|line| line.contains("RE[+64.00]")).collect();
    assert_eq!((status, results), (Some(0), vec![true, true, true, false]), "the rules decide: {text}");
    // A move that is missing within a game is no end.
    let gap = home.write("gap.wtb", wthor(1, 0, &game(32, &[56, 0, 33])));
    let (status, text, errors) = convert(&format!("transcript {gap}"), "");
    assert_eq!((status, text.as_str()), (Some(1), ""));
    assert!(errors.contains("move 2: expected ten times the row plus the column (11 to 88), saw 0"), "{errors}");
}
