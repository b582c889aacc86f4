//! Files that a host names: only regular ones of bounded size are read, and none where files are forbidden. Whatever else a
//! name stands for, the next command is answered.
#![cfg(all(unix, feature = "cli"))]

use crate::common::Engine;
#[cfg(target_os = "linux")]
use crate::common::TIMEOUT;
use crate::common::books;
use crate::common::home::Home;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

/// A FIFO that nobody writes to: who opens it waits for ever.
struct Fifo(Home);

impl Fifo {
    fn new() -> Fifo {
        let fifo = Fifo(Home::new());
        let made = std::process::Command::new("mkfifo").arg(fifo.path()).status().expect("mkfifo runs");
        assert!(made.success(), "{}", fifo.path());
        fifo
    }

    fn path(&self) -> String {
        self.0.path("fifo")
    }
}

#[test]
fn weights_that_are_no_regular_file_are_refused() {
    let fifo = Fifo::new();
    for (game, evaluation) in
        [("reversi", "default"), ("reversi", "weighted"), ("minichess", "default"), ("minichess", "tuned")]
    {
        let mut engine = Engine::start(&["--uci", "--game", game, "--evaluation", evaluation]);
        for path in [fifo.path().as_str(), "/dev/zero", "/"] {
            engine.send(&format!("setoption name Weights value {path}"));
            engine.send("isready");
            let lines = engine.until(|line| line == "readyok");
            let refused = lines.iter().any(|line| line.contains("Weights") && line.contains("not a regular file"));
            assert!(refused, "{game} {path}: {lines:?}");
        }
        engine.send("go depth 1");
        engine.until(|line| line.starts_with("bestmove "));
    }
}

#[test]
fn games_that_are_no_regular_file_are_refused() {
    let fifo = Fifo::new();
    let mut engine = Engine::start(&["--gtp"]);
    for path in [fifo.path().as_str(), "/dev/zero", "/"] {
        assert_eq!(engine.ask(&format!("loadsgf {path}")), format!("? cannot load file: {path}: not a regular file"));
    }
    let home = Home::new();
    let long = home.write("long.sgf", vec![b' '; (4 << 20) + 1]);
    assert!(engine.ask(&format!("loadsgf {long}")).ends_with(": longer than 4194304 bytes"));
}

#[test]
fn tables_that_are_no_regular_file_are_none() {
    let fifo = Fifo::new();
    for path in [fifo.path().as_str(), "/dev/zero", "/"] {
        let mut engine =
            Engine::start_with(&["--gtp", "--game", "minichess", "--depth", "1"], &[("FLIPSIDE_TABLES", path)]);
        assert!(engine.ask("genmove w").starts_with("= "), "{path}");
    }
}

#[test]
fn weights_of_the_command_line_must_be_a_regular_file() {
    let fifo = Fifo::new();
    for path in [fifo.path().as_str(), "/dev/zero", "/"] {
        let (lines, status) = Engine::start(&["--gtp", "--weights", path]).finish();
        assert!(lines.is_empty() && !status.success(), "{path}: {lines:?}");
    }
}

#[test]
fn no_host_names_files_where_they_are_forbidden() {
    let mut gtp = Engine::start(&["--gtp", "--no-files"]);
    for line in ["loadsgf /dev/null", "flipside-option Weights /dev/null", "flipside-option Weights"] {
        assert_eq!(gtp.ask(line), "? files are forbidden (--no-files)", "{line}");
    }
    assert!(!gtp.ask("flipside-options").contains("Weights"));
    let mut uci = Engine::start(&["--uci", "--no-files"]);
    uci.send("uci");
    assert!(!uci.until(|line| line == "uciok").iter().any(|line| line.contains("Weights")));
    uci.send("setoption name Weights value /dev/null");
    assert_eq!(uci.line(), "info string files are forbidden (--no-files)");
    let mut xboard = Engine::start(&["--xboard", "--no-files", "--game", "minichess"]);
    xboard.send("option Weights=/dev/null");
    assert_eq!(xboard.line(), "Error (files are forbidden (--no-files)): option");
}

/// Waits until the process has a handler of its own for SIGINT.
#[cfg(target_os = "linux")]
fn wait_for_handler(id: u32) {
    let handled = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
    };
    let end = Instant::now() + TIMEOUT;
    while !handled() {
        assert!(Instant::now() < end, "no handler");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Time to open the file.
    std::thread::sleep(Duration::from_millis(300));
}

/// Who opens a FIFO that nobody writes to, or a file of a network that is down, waits; a signal ends the wait.
#[test]
#[cfg(target_os = "linux")]
fn commands_that_wait_for_a_file_end_at_signals() {
    let fifo = Fifo::new();
    let (path, home) = (fifo.path(), Home::new());
    let book = home.write("a.book", books::bytes(1, 1));
    let commands: [(&[&str], &str); 7] = [
        (&["solve", &path], ""),
        (&["analyze", &path], ""),
        (&["convert", "--to", "ggf", &path], ""),
        (&["book", "import", "--book", &book, &path], ""),
        (&["book", "learn", "--book", &book, &path], ""),
        (&["train", "merge", "--out", &home.path("merged"), &path], ""),
        (&["play"], &format!("save {path}")),
    ];
    for (arguments, input) in commands {
        for signal in ["INT", "TERM"] {
            let mut program = Engine::start_plainly(arguments);
            if !input.is_empty() {
                program.send(input);
            }
            wait_for_handler(program.id());
            assert!(program.is_running(), "{arguments:?} waits");
            let sent =
                std::process::Command::new("kill").args([format!("-{signal}"), program.id().to_string()]).status();
            assert!(sent.expect("kill runs").success());
            let end = Instant::now() + TIMEOUT;
            while program.is_running() {
                assert!(Instant::now() < end, "{arguments:?} ignores SIG{signal}");
                std::thread::sleep(Duration::from_millis(5));
            }
            assert_eq!(program.wait_for_exit().code(), Some(130), "{arguments:?} SIG{signal}");
        }
    }
}

/// A word that stands in files and nowhere else.
const SECRET: &str = "Zyzzyva";

/// What stands in files that hosts name: for every reader, and every place where it may give up, a file with the secret
/// word there. `§` stands for the word.
const CONTENTS: [&str; 52] = [
    // No record at all; transcripts.
    "root:§:19000:0:99999:7:::\n",
    "§",
    "f5 d6 §",
    "f5d6§",
    "1. f5 §\n2. §",
    "# flipside game of §\nf5\n",
    "# flipside game of minichess\nb2-b3 §\n",
    "---------------------------OX------XO--------------------------- §",
    // GGF.
    "(;GM[§]B[f5];)",
    "(;GM[Othello]BO[8 § *]B[f5];)",
    "(;GM[Othello]B[§];)",
    "(;GM[Othello]B[/§];)",
    "(;GM[Othello]B[f5] §",
    "(;GM[Othello]B[f5]§;)",
    "(;GM[Othello]PB[§",
    // SGF.
    "(;GM[2];B[§])",
    "(;GM[2]AB[§];B[dc])",
    "(;GM[2]PL[§];B[dc])",
    "(;GM[2]SZ[§];B[dc])",
    "(;FF[4]GM[§];B[dc])",
    "(;FF[4]GM[2];§)",
    "(;FF[4]GM[2];B[dc]§",
    // PGN.
    "[Variant \"§\"]\n\n1. f5 *\n",
    "[Event \"§\"]\n\n1. § *\n",
    "[Event \"a\"]\n\n1. f5 {§\n",
    "[Event \"a\"]\n\n1. f5 (§\n",
    "[FEN \"§\"]\n\n*\n",
    "[Variant \"minichess\"]\n\n1. § *\n",
    // OBF and FEN.
    "---------------------------OX------XO--------------------------- X; §:+1",
    "---------------------------OX------XO--------------------------- X; f5:§",
    "---------------------------OX------XO--------------------------- X; f5:+1§",
    "8/8/8/3pP3/3Pp3/8/8/8[§] w - - § §",
    "kqbnr/ppppp/5/5/PPPPP/RNBQZ w §",
    // JSON.
    "{§",
    "{\"§\":1}",
    "{\"moves\":\"§\"}",
    "{\"moves\":[{\"move\":\"§\"}]}",
    "{\"rules\":\"§\",\"moves\":[]}",
    "{\"result\":\"§\",\"moves\":[]}",
    "{\"start\":\"§\"}",
    // WTHOR: a head, and a game that is none.
    "\x14\x18\x01\x01\x01\0\0\0\0\0\0\0\x08\0\0\0§",
    // Weights as text.
    "§ full 1\n",
    "tempo § 1\n",
    "tempo full §\n",
    "[[stage]]\n§ = 1\n",
    "[[stage]]\ndiscs-on-board = \"§\"\n",
    "[[stage]]\ndiscs-on-board = 12 §\n",
    // Weights and books in binary files.
    "flipside wts  2\n§",
    "flipside net  1\n§",
    "flipside net  §",
    "MCNET 5\n§",
    "flipside book §!\n",
];

/// The text with the word in its place.
fn with_secret(text: &str) -> String {
    text.replace('§', SECRET)
}

/// Sends the lines that name each of the files; everything that comes back.
fn answers(arguments: &[&str], first: &[&str], lines: &[&str], files: &[String]) -> Vec<String> {
    let mut engine = Engine::start(arguments);
    first.iter().for_each(|line| engine.send(line));
    for file in files {
        lines.iter().for_each(|line| engine.send(&line.replace("FILE", file)));
    }
    engine.finish().0
}

/// What the host sees is searched for the word in any case.
fn assert_silent(what: &str, lines: &[String]) {
    let leak = lines.iter().find(|line| line.to_lowercase().contains(&SECRET.to_lowercase()));
    assert_eq!(leak, None, "{what}");
}

/// A host that names a file learns the kind of its fault and where it is, but not a word of it: `protocol.md` promises that.
#[test]
fn no_word_of_a_file_reaches_a_host() {
    let home = Home::new();
    let write = |(index, text): (usize, &&str)| home.write(&format!("{index}"), with_secret(text));
    let mut files: Vec<String> = CONTENTS.iter().enumerate().map(write).collect();
    files.push(home.write("binary", [SECRET.as_bytes(), &[0xff, 0xfe]].concat()));
    let protocols: [(&str, &[&str], &[&str]); 4] = [
        (
            "--gtp",
            &[],
            &["loadsgf FILE", "loadsgf FILE 2", "flipside-option Weights FILE", "flipside-option Book FILE"],
        ),
        ("--uci", &["uci"], &["setoption name Weights value FILE", "setoption name Book value FILE"]),
        ("--xboard", &["xboard", "protover 2"], &["option Weights=FILE", "option Book=FILE"]),
        (
            "--protocol=json",
            &[],
            &[
                "{\"command\":\"set\",\"name\":\"Weights\",\"value\":\"FILE\"}",
                "{\"command\":\"set\",\"name\":\"Book\",\"value\":\"FILE\"}",
            ],
        ),
    ];
    let evaluations = [
        ("reversi", "default"),
        ("reversi", "network"),
        ("reversi", "linear"),
        ("reversi", "weighted"),
        ("minichess", "network"),
        ("minichess", "tuned"),
    ];
    for (protocol, first, lines) in protocols {
        for (game, evaluation) in evaluations {
            let what = format!("{protocol} {game} {evaluation}");
            let said =
                answers(&[protocol, "--game", game, "--evaluation", evaluation, "--hash", "1"], first, lines, &files);
            assert_silent(&what, &said);
            let refused = |word: &str| said.iter().filter(|line| line.contains(word)).count();
            assert!(refused("cannot use the weights") > files.len() / 2, "{what}: {said:?}");
            assert!(protocol != "--gtp" || refused("? cannot load file") > files.len() / 2, "{what}: {said:?}");
        }
    }
    let said = answers(&["--nboard"], &["nboard 2"], &["set book FILE"], &files);
    assert_silent("--nboard", &said);
    assert!(said.iter().any(|line| line.contains("cannot use the book")), "{said:?}");
}

#[test]
fn no_word_of_a_journal_reaches_a_host() {
    let home = Home::new();
    let book = home.write("a.book", books::bytes(2, 2));
    for text in ["§\n", "flipside journal 1 §\n", "{\"§\":1}\n"] {
        home.write("a.book.journal", with_secret(text));
        for (protocol, lines) in [
            ("--nboard", ["set book FILE", "learn"]),
            (
                "--protocol=json",
                ["{\"command\":\"set\",\"name\":\"Book\",\"value\":\"FILE\"}", "{\"command\":\"learn\"}"],
            ),
        ] {
            let said = answers(&[protocol], &[], &lines, std::slice::from_ref(&book));
            assert_silent(protocol, &said);
            assert!(said.iter().any(|line| line.contains("journal beside the book")), "{said:?}");
        }
    }
}

/// What a host is told in the place of the words.
#[test]
fn faults_of_files_have_a_kind_and_a_place() {
    let home = Home::new();
    let mut gtp = Engine::start(&["--gtp"]);
    for (text, reason) in [
        ("(;GM[2];B[dc];B[dc])", "move 2 cannot be played"),
        ("\n(;GM[Othello]B[f5] oops", "the ggf game that begins in line 2 cannot be read"),
        ("[Event \"a\"]\n\n1. f5 {oops", "the pgn game that begins in line 1 cannot be read"),
        ("(;GM[Othello]BO[8 oops *];)", "its start position is wrong"),
        ("# nothing\n", "it holds no game"),
    ] {
        let file = home.write("a.txt", text);
        assert_eq!(gtp.ask(&format!("loadsgf {file}")), format!("? cannot load file: {file}: {reason}"));
    }
    for (text, evaluation, reason) in [
        ("tempo full 1\noops full 1\n", "tuned", "line 2: no term has this name"),
        ("[[stage]]\noops = 1\n", "weighted", "expected [[stage]] tables of weights: line 2, column 1"),
    ] {
        let game = if evaluation == "tuned" { "minichess" } else { "reversi" };
        let mut gtp = Engine::start(&["--gtp", "--game", game, "--evaluation", evaluation]);
        let file = home.write("a.txt", text);
        let said = gtp.ask(&format!("flipside-option Weights {file}"));
        assert_eq!(said, format!("? bad value for Weights: cannot use the weights: {file}: {reason}"));
    }
}
