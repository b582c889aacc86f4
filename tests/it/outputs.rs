//! Growing files, outputs that cannot be written, inputs that never come: the traces that `flipside` leaves.
#![cfg(all(target_os = "linux", feature = "cli"))]

use crate::common::TIMEOUT;
use crate::common::home::Home;
use crate::common::program::stderr;
use flipside::support::random::Random;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind::NotFound, Read, Write, pipe};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

fn flipside(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
    command.args(words).stdin(Stdio::null());
    command
}

fn output(words: &[&str]) -> Output {
    flipside(words).output().expect("the program")
}

/// The status once the process ends by itself.
fn end_of(mut child: Child) -> ExitStatus {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().expect("a child");
            panic!("the process does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Home {
    /// `count` different positions of eight empty squares, with a comment and a bad line among them.
    fn positions(&self, count: usize) -> String {
        let mut random = Random(5);
        let mut text = String::from("# positions\n");
        for number in 0..count {
            let mut squares: Vec<char> = (0..64).map(|square| if square % 3 == 0 { 'X' } else { 'O' }).collect();
            squares[56..].fill('-');
            random.shuffle(&mut squares);
            text += &format!("{} X; # number={number}\n", squares.iter().collect::<String>());
        }
        self.write("positions.obf", &text)
    }

    fn games(&self) -> String {
        let games = self.path("games");
        let words = ["train", "selfplay", "--games", "20", "--depth", "1", "--exact", "4", "--out", &games];
        assert!(output(&words).status.success());
        games
    }
}

/// Every subcommand with output, with words that produce it soon.
fn printing(home: &Home) -> Vec<Vec<String>> {
    let positions = home.positions(3);
    let record = home.write("game.txt", "f5d6c3\n");
    let games = home.games();
    let engine = format!("{} --gtp", env!("CARGO_BIN_EXE_flipside"));
    let mini = home.path("mini.games");
    let (made, fitted, weights) = (home.path("made.toml"), home.path("fitted.bin"), home.path("weights.txt"));
    let lines: Vec<Vec<&str>> = vec![
        vec!["--help"],
        vec!["--version"],
        vec!["solve", "--help"],
        vec!["bench"],
        vec!["perft", "3"],
        vec!["search", "--depth", "1"],
        vec!["search", "--depth", "1", "--json"],
        vec!["trace", "--tree", "(1 2)"],
        vec!["trace", "--tree", "(1 2)", "--format", "svg"],
        vec!["growth", "--depth", "1..2"],
        vec!["openings", "--count", "1", "--depth", "1", "--margin", "64"],
        vec!["solve", &positions],
        vec!["solve", "--json", &positions],
        vec!["analyze", "--depth", "1", &record],
        vec!["match", "--depth", "1", "--games", "1", "--engine", "name=a builtin", "--engine", "name=b builtin"],
        vec!["lint", "--cmd", &engine, "--protocol", "gtp", "--only", "quit"],
        vec!["train", "weighted", "--games", &games, "--out", &made],
        vec!["train", "fit", "--epochs", "0", "--games", &games, "--out", &fitted],
        vec![
            "train",
            "minichess",
            "--games",
            &mini,
            "--count",
            "1",
            "--nodes",
            "20",
            "--epochs",
            "1",
            "--out",
            &weights,
        ],
    ];
    lines.into_iter().map(|line| line.into_iter().map(str::to_string).collect()).collect()
}

/// Only one owner of the standard output lets every failed write reach the exit status.
#[test]
fn the_command_line_has_one_owner_of_the_standard_output() {
    let mut folders =
        ["src/cli", "crates/referee/src"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).to_vec();
    let mut owners = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read_to_string(&path).expect("a source").replace("Term::stdout()", "").contains("stdout()") {
                owners.push(path.file_name().expect("a name").to_owned());
            }
        }
    }
    assert_eq!(owners, ["output.rs"]);
}

#[test]
fn a_full_disk_is_no_success() {
    let home = Home::new();
    let mut lines = printing(&home);
    // The engine itself, answering a command.
    lines.push(vec!["--gtp".into()]);
    let commands = home.write("commands", "name\n");
    for line in lines {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let full = File::options().write(true).open("/dev/full").expect("a device");
        let mut command = flipside(&words);
        let output = command.stdin(File::open(&commands).expect("a file")).stdout(full).output().expect("the program");
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
        assert!(error.contains("cannot write to standard output: No space left"), "{words:?}: {error}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_fault() {
    let home = Home::new();
    for line in printing(&home) {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let output = flipside(&words).stdout(writer).output().expect("the program");
        // The progress of a match is no error.
        let error = stderr(&output);
        let said = error.lines().find(|line| words[0] != "match" || line.starts_with("flipside:"));
        assert_eq!((output.status.code(), said), (Some(0), None), "{words:?}");
    }
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let home = Home::new();
    let (positions, record, games) = (home.positions(3), home.write("game.txt", "f5d6c3\n"), home.games());
    let nowhere = home.path("nowhere/file");
    for path in ["/dev/full", &nowhere, home.0.path().to_str().expect("a path")] {
        for words in [
            &["solve", &positions, "--resume", path][..],
            &["growth", "--depth", "1", "--svg", path],
            &["match", "--depth", "1", "--engine", "name=a builtin", "--engine", "name=b builtin", "--json", path],
            &["match", "--depth", "1", "--engine", "name=a builtin", "--engine", "name=b builtin", "--record", path],
            &["analyze", "--depth", "1", &record, "--svg", path],
            &["analyze", "--depth", "1", &record, "--html", path],
            &["train", "selfplay", "--games", "1", "--depth", "1", "--exact", "4", "--out", path],
            &["train", "label", "--games", &games, "--depth", "1", "--exact", "4", "--out", path],
            &["train", "weighted", "--games", &games, "--out", path],
            &["train", "minichess", "--games", path, "--count", "1", "--nodes", "20", "--out", "/dev/null"],
        ] {
            let output = output(words);
            let error = stderr(&output);
            assert!(output.status.code() == Some(2) && error.contains(path), "{words:?}: {error}");
        }
    }
    assert!(!Path::new("/dev/full").is_file());
}

/// The system refuses every write to a file, as on a full disk.
#[test]
fn a_full_disk_leaves_no_partial_file() {
    let home = Home::new();
    let games = home.games();
    let target = home.0.path().join("results");
    fs::create_dir(&target).expect("a folder");
    let file = home.path("results/file.bin");
    for words in [
        &["tables", "--file", &file][..],
        &["train", "fit", "--epochs", "0", "--games", &games, "--out", &file],
        &["train", "weighted", "--games", &games, "--out", &file],
        &["growth", "--depth", "1", "--svg", &file],
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_flipside")]);
        let output = command.args(words).stdin(Stdio::null()).output().expect("the program");
        let error = stderr(&output);
        let named = error.contains("cannot write") && error.contains("results/file");
        assert!(output.status.code() == Some(2) && named, "{words:?}: {error}");
        assert_eq!(fs::read_dir(&target).expect("the folder").count(), 0, "{words:?}");
    }
}

/// A file of games that disappears while `fit` reads it.
#[test]
fn a_file_that_vanishes_is_named() {
    let home = Home::new();
    let (games, out) = (home.games(), home.path("fitted.bin"));
    let mut child = flipside(&["train", "fit", "--epochs", "1", "--games", &games, "--out", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    lines.next().expect("a stage").expect("text");
    fs::remove_file(&games).expect("the games");
    lines.for_each(drop);
    let mut error = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut error).expect("text");
    assert_eq!(end_of(child).code(), Some(2), "{error}");
    assert!(error.contains("cannot read") && error.contains(&games), "{error}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_file_that_holds_no_answers_to_these_positions_stays_as_it_is() {
    let home = Home::new();
    let positions = home.positions(4);
    let answers = home.path("answers");
    let solve = |more: &[&str]| output(&[&["solve", &positions, "--resume", &answers], more].concat());
    let refused = |content: &str, more: &[&str], reason: &str| {
        fs::write(&answers, content).expect("a file");
        let output = solve(more);
        let error = stderr(&output);
        assert!(output.status.code() == Some(2) && error.contains(reason), "{content:.80}: {error}");
        assert_eq!(fs::read_to_string(&answers).expect("the file"), content);
    };
    assert!(solve(&["--json"]).status.success());
    let json = fs::read_to_string(&answers).expect("answers");
    fs::remove_file(&answers).expect("the file");
    assert!(solve(&[]).status.success());
    let text = fs::read_to_string(&answers).expect("answers");
    let line = |text: &str, index: usize| text.lines().nth(index).expect("a line").to_string() + "\n";

    refused(&fs::read_to_string(&positions).expect("positions"), &[], "line 1: not an answer");
    refused("my thesis", &[], "expected the beginning of the answer to line 2");
    refused(&json, &[], "not an answer");
    refused(&text, &["--json"], "not an answer");
    refused(&(line(&text, 0) + &line(&text, 2)), &[], "the answer is to line 4, but the next position is line 3");
    refused(&(text.clone() + "6 a1 +0 exact 1 nodes 0.000 s a1\n"), &[], "more answers than the input has positions");
    refused(&text, &["--wld"], "the answer is exact");
    refused(&json, &["--json", "--all-moves"], "not every move has a score");
    refused(&line(&json, 1).replace("\"line\":3", "\"line\":2"), &["--json"], "the answer is to another position");
    refused(&format!("{}my thesis\n", line(&text, 0)), &[], "line 2: not an answer");

    // A torn line is cut and reported; the end equals that of an uninterrupted run.
    for (content, options) in [(&text, &[][..]), (&json, &["--json"])] {
        let torn = content.len() - 5;
        fs::write(&answers, &content[..torn]).expect("a file");
        let output = solve(options);
        assert!(output.status.success() && stderr(&output).contains("cut a torn record"), "{}", stderr(&output));
        assert_eq!(timeless(&fs::read_to_string(&answers).expect("answers")), timeless(content));
    }
    let check = solve(&["--json", "--check"]);
    assert!(stderr(&check).starts_with("4 positions"), "answers of an earlier run count: {}", stderr(&check));
}

/// Answers without their times.
fn timeless(answers: &str) -> Vec<String> {
    let without = |line: &str| {
        let (start, rest) = line.split_once(" nodes ").or_else(|| line.split_once("\"seconds\":")).expect("an answer");
        let (_, end) = rest.split_once([' ', ',']).expect("a time");
        format!("{start} {end}")
    };
    answers.lines().map(without).collect()
}

/// Kills of each kind of file: a few, or `FLIPSIDE_KILLS`.
fn kills() -> usize {
    std::env::var("FLIPSIDE_KILLS").map_or(4, |text| text.parse().expect("FLIPSIDE_KILLS is a number"))
}

/// Starts a command repeatedly and kills it at random moments: the records in its file stay there. A complete file is
/// begun anew. Finally the command ends by itself.
fn survive_kills(words: &[&str], file: &Path, records: impl Fn(&[u8]) -> Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let run = || {
        let begun = Instant::now();
        let child = flipside(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program");
        assert!(end_of(child).success(), "{words:?}");
        begun.elapsed()
    };
    let time = run();
    let expected = records(&fs::read(file).expect("the file"));
    fs::remove_file(file).expect("the file");
    let mut random = Random(9);
    let mut reported = Vec::new();
    for _ in 0..kills() {
        let mut child = flipside(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program");
        std::thread::sleep(time.mul_f64(random.below(1000) as f64 / 1500.0));
        child.kill().expect("a child");
        child.wait().expect("a child");
        let found = records(&fs::read(file).unwrap_or_default());
        assert!(found.len() >= reported.len() && found[..] == expected[..found.len()], "{words:?}");
        reported = found;
        if reported.len() == expected.len() {
            fs::remove_file(file).expect("the file");
            reported.clear();
        }
    }
    run();
    assert_eq!(records(&fs::read(file).expect("the file")), expected, "{words:?}");
    expected
}

/// Whole lines, without the times of answers.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8(bytes.to_vec()).expect("text");
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    timeless(whole).into_iter().map(String::into_bytes).collect()
}

#[test]
fn kills_lose_no_answer() {
    let home = Home::new();
    let (positions, answers) = (home.positions(400), home.path("answers"));
    for options in [&["--jobs", "2"][..], &["--json"]] {
        let words = [&["solve", &positions, "--resume", &answers], options].concat();
        assert_eq!(survive_kills(&words, Path::new(&answers), lines).len(), 400);
        fs::remove_file(&answers).expect("the file");
    }
}

#[test]
fn kills_lose_no_training_game() {
    let home = Home::new();
    let (games, labels, mini) = (home.path("some.games"), home.path("labels"), home.path("mini.games"));
    // The header and the records of games, of fixed length.
    let records = |bytes: &[u8]| match bytes.split_at_checked(512) {
        Some((header, games)) => [header].into_iter().chain(games.chunks_exact(128)).map(<[u8]>::to_vec).collect(),
        None => Vec::new(),
    };
    let searched = ["--games", "60", "--depth", "2", "--exact", "8", "--threads", "2"];
    let words = [&["train", "selfplay", "--out", &games][..], &searched].concat();
    assert_eq!(survive_kills(&words, Path::new(&games), records).len(), 61);
    let words = ["train", "label", "--games", &games, "--out", &labels, "--depth", "3", "--exact", "8"];
    assert_eq!(survive_kills(&words, Path::new(&labels), records).len(), 61);
    let mini_lines = |bytes: &[u8]| {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        lines.map(<[u8]>::to_vec).collect()
    };
    let words = ["train", "minichess", "--games", &mini, "--count", "10", "--nodes", "100", "--epochs", "1"];
    let words = [&words[..], &["--out", "/dev/null"]].concat();
    assert_eq!(survive_kills(&words, Path::new(&mini), mini_lines).len(), 11);
}

/// A reported stage is not fitted again, and the weights equal those of an undisturbed fit.
#[test]
fn kills_lose_no_fitted_stage() {
    let home = Home::new();
    let (games, out) = (home.games(), home.path("fitted.bin"));
    let words = ["train", "fit", "--epochs", "2", "--games", &games, "--out", &out];
    let begun = Instant::now();
    let undisturbed = output(&words);
    let time = begun.elapsed();
    assert!(undisturbed.status.success(), "{}", stderr(&undisturbed));
    let expected = (undisturbed.stdout, fs::read(&out).expect("weights"));
    let mut random = Random(3);
    for _ in 0..kills() {
        fs::remove_file(&out)
            .or_else(|error| if error.kind() == NotFound { Ok(()) } else { Err(error) })
            .expect("weights");
        let mut child = flipside(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program");
        std::thread::sleep(time.mul_f64(random.below(1000) as f64 / 1500.0));
        child.kill().expect("a child");
        let mut reported = Vec::new();
        child.stdout.take().expect("a pipe").read_to_end(&mut reported).expect("text");
        child.wait().expect("a child");
        // Finished stages are printed first, so the earlier report is a prefix of the same text.
        assert!(expected.0.starts_with(&reported), "{}", String::from_utf8_lossy(&reported));
        let part = fs::read(home.path("fitted.part")).unwrap_or_default();
        let stages = String::from_utf8_lossy(&part).matches("\"stage\":").count();
        let lines = reported.iter().filter(|byte| **byte == b'\n').count();
        assert!(stages >= lines || Path::new(&out).exists(), "{stages} stages are kept, {lines} were reported");
    }
    let last = output(&words);
    assert!(last.status.success(), "{}", stderr(&last));
    assert!((last.stdout, fs::read(&out).expect("weights")) == expected, "another fit");
    assert!(!Path::new(&home.path("fitted.part")).exists());
}

/// An earlier file of tables stays whole while new ones are made; the moments of writing are those of
/// `cli::io::whole_file::tests::kills_leave_a_whole_file`.
#[test]
fn kills_leave_the_earlier_tables() {
    let home = Home::new();
    let file = home.write("tables", "earlier");
    let mut random = Random(2);
    for _ in 0..kills() {
        let mut child = flipside(&["tables", "--file", &file]).stdout(Stdio::null()).spawn().expect("the program");
        std::thread::sleep(Duration::from_millis(random.below(300) as u64));
        child.kill().expect("a child");
        child.wait().expect("a child");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "earlier");
    }
}

/// Both wait for a line that never comes, after having answered one.
#[test]
fn an_interrupt_ends_the_wait_for_input() {
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\n";
    for (words, line) in [(&["solve", "--depth", "1"][..], position), (&["analyze", "--depth", "1"], "f5\n")] {
        let mut child = flipside(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(line.as_bytes()).expect("a line");
        let mut answer = String::new();
        let mut printed = BufReader::new(child.stdout.take().expect("a pipe"));
        printed.read_line(&mut answer).expect("an answer");
        kill_process(Pid::from_child(&child), Signal::INT).expect("a signal");
        assert_eq!(end_of(child).code(), Some(130), "{words:?}");
    }
}

#[test]
fn junk_without_end_ends_when_nobody_reads_the_errors() {
    let (errors, writer) = pipe().expect("a pipe");
    drop(errors);
    let mut child = flipside(&["solve"]).stdin(Stdio::piped()).stderr(writer).spawn().expect("the program");
    let mut input = child.stdin.take().expect("a pipe");
    // Writes until the reader is gone.
    let writer = std::thread::spawn(move || while input.write_all(b"junk\n").is_ok() {});
    assert_eq!(end_of(child).code(), Some(2));
    writer.join().expect("a thread");
}
