//! `flipside train` at a small scale, from the rules alone to weights.
#![cfg(feature = "cli")]

use crate::common::home::Home;
use flipside_core::games::reversi::evaluation::network::open_network;
use flipside_core::games::reversi::evaluation::network::weights::NetworkValues;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output};

/// Runs the script that made the built-in weights, with smaller numbers.
fn train(directory: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/train-reversi.sh");
    let numbers = [
        ("FIRST_GAMES", "400"),
        ("SECOND_GAMES", "400"),
        ("LAST_GAMES", "400"),
        ("DEPTH", "1"),
        ("LABEL_DEPTH", "2"),
        ("EXACT", "8"),
        ("POSITIONS", "120"),
        ("MEASURED", "4"),
        ("SOLVED", "10"),
        ("THREADS", "2"),
    ];
    let mut command = Command::new("bash");
    command.arg(script).arg(directory).env("FLIPSIDE", env!("CARGO_BIN_EXE_flipside")).envs(numbers);
    command.output().expect("a shell")
}

fn flipside(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flipside")).args(words).output().expect("the binary")
}

/// The output of a successful run.
fn run(words: &[&str]) -> String {
    let output = flipside(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Points of the first player in percent, over paired games of two plies a move.
fn points(weights: &str, opponent: &str) -> f64 {
    let player = |name: &str, file: &str| format!("name={name} builtin option.Hash=1 option.Weights={file}");
    let (one, two) = (player("one", weights), player("two", opponent));
    let output =
        flipside(&["match", "--engine", &one, "--engine", &two, "--depth", "2", "--games", "200", "--seed", "5"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let percent = text.split(", ").find_map(|part| part.strip_suffix(" %")).expect("a percentage");
    percent.parse().unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn the_script_makes_weights_that_beat_their_start_and_resumes() {
    let home = Home::new();
    let output = train(home.0.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (start, made) = (home.path("zero.bin"), home.path("3.bin"));
    let games = home.path("0.games");
    let words = ["train", "fit", "--epochs", "0", "--games", &games, "--out"];
    assert!(flipside(&[&words[..], &[start.as_str()]].concat()).status.success());
    let percent = points(&made, &start);
    assert!(percent >= 58.0, "{percent} % against zero weights");

    // Repeats the last step: the result has the same bytes.
    let before = std::fs::read(&made).expect("weights");
    std::fs::remove_file(&made).expect("a file");
    assert!(train(home.0.path()).status.success());
    assert_eq!(std::fs::read(&made).expect("weights"), before);
}

#[test]
fn the_same_seed_makes_the_same_games_however_often_it_is_interrupted() {
    let home = Home::new();
    let play = |name: &str, games: &str, threads: &str| {
        let path = home.path(name);
        let words = ["--games", games, "--threads", threads, "--seed", "9", "--depth", "1", "--exact", "6"];
        let output = flipside(&[&["train", "selfplay", "--out", &path][..], &words].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(&path).expect("games")
    };
    let whole = play("whole", "30", "3");
    play("parts", "11", "2");
    assert_eq!(play("parts", "30", "1"), whole);
}

/// After two plies there are three positions: each begins one game of three, the fourth game begins again.
#[test]
fn games_begin_with_every_position_after_some_plies() {
    let home = Home::new();
    let games = home.path("games");
    let words = ["--games", "4", "--depth", "1", "--exact", "6", "--out", &games];
    run(&[&["train", "selfplay", "--enumerate", "2"][..], &words].concat());
    let bytes = std::fs::read(&games).expect("games");
    let (header, records) = bytes.split_at(512);
    assert!(String::from_utf8_lossy(header).contains("\"enumerated\":2"));
    let openings: Vec<&[u8]> = records.chunks(128).map(|record| &record[..2]).collect();
    assert_eq!(openings.len(), 4);
    assert_eq!(openings[3], openings[0]);
    assert!(openings[0] != openings[1] && openings[0] != openings[2] && openings[1] != openings[2]);
    // The moves, their values from byte 60 on, and the numbers of moves and of those before the first exact value.
    assert!(records.chunks(128).all(|record| record[120] > 20));
    let short = home.path("short");
    let words_of_short = ["--games", "3", "--depth", "1", "--out", &short, "--moves", "1"];
    run(&[&["train", "selfplay", "--enumerate", "2"][..], &words_of_short].concat());
    let bytes = std::fs::read(&short).expect("games");
    for (record, whole) in bytes[512..].chunks(128).zip(records.chunks(128)) {
        assert_eq!((&record[..3], record[120]), (&whole[..3], 3), "the same beginning");
        assert_eq!((record[62], record[122]), (whole[62], 3), "the same value, none of them exact");
    }
    let others = flipside(&[&["train", "selfplay", "--enumerate", "3"][..], &words].concat());
    assert!(!others.status.success(), "a file of other games");
    let too_many = flipside(&[&["train", "selfplay", "--enumerate", "11"][..], &words].concat());
    assert!(String::from_utf8_lossy(&too_many.stderr).contains("1..=10"));
}

/// The network corrects the linear weights better with every epoch of a small fit; an interrupted fit resumes from its
/// checkpoint; equal games give equal bytes; the result plays.
#[test]
fn a_network_is_fitted_resumed_and_used() {
    let home = Home::new();
    let (games, made, measured) = (home.path("games"), home.path("made.bin"), home.path("measured.bin"));
    run(&["train", "selfplay", "--games", "400", "--depth", "1", "--exact", "8", "--threads", "2", "--out", &games]);
    let fit = ["train", "network", "--games", &games, "--epochs", "2", "--json", "--out", &made];
    let epochs = run(&fit);
    let error = |line: &str, name: &str| -> f64 {
        let (_, rest) = line.split_once(&format!("\"{name}\":")).expect("the error");
        rest.split([',', '}']).next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let (first, last) = (epochs.lines().next().expect("an epoch"), epochs.lines().last().expect("an epoch"));
    assert_eq!(epochs.lines().count(), 2);
    assert!(error(last, "training") < error(first, "training"), "{epochs}");
    let bytes = std::fs::read(&made).expect("a network");
    for beside in ["made.json", "made.svg"] {
        assert!(home.0.path().join(beside).is_file(), "{beside}");
    }
    assert!(!home.0.path().join("made.part").exists());
    // A checkpoint of another request is not touched.
    std::fs::write(
        home.path("made.part"),
        "{\"request\":\"other\",\"training\":1,\"validation\":1,\"curve\":[],\"best\":0}\n",
    )
    .expect("a file");
    assert!(String::from_utf8_lossy(&flipside(&fit).stderr).contains("belongs to another fit"));
    std::fs::remove_file(home.path("made.part")).expect("a file");
    // After a kill following the first epoch, it resumes from its checkpoint to the same bytes.
    std::fs::remove_file(&made).expect("a file");
    let mut killed = Command::new(env!("CARGO_BIN_EXE_flipside"));
    let mut killed = killed.args(fit).stdout(std::process::Stdio::piped()).spawn().expect("the binary");
    let mut line = String::new();
    BufReader::new(killed.stdout.take().expect("a pipe")).read_line(&mut line).expect("an epoch");
    killed.kill().and_then(|()| killed.wait()).expect("a process");
    assert_eq!(epochs.lines().next(), line.lines().next());
    assert_eq!(run(&fit), epochs);
    assert_eq!(std::fs::read(&made).expect("a network"), bytes);

    let of_network = ["--evaluation", "network", "--weights", &made];
    let measure = ["train", "probcut", "--games", &games, "--positions", "300", "--depth", "3", "--empties", "14"];
    run(&[&measure[..], &of_network, &["--out", &measured]].concat());
    let search =
        |weights: &str| run(&["search", "--evaluation", "network", "--weights", weights, "--depth", "4", "--json"]);
    assert!(search(&measured).contains("\"bestmove\""));
    late_outputs_alone_are_fitted(&home, &made, &measured);
    let refused = flipside(&["search", "--evaluation", "linear", "--weights", &made, "--depth", "4"]);
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("holds weights of the evaluation 'network', not 'linear'")
    );
}

/// Of the network `made`, which `train probcut` balanced into `measured`, only outputs for a few empty squares learn from
/// games that begin there; the errors by empty squares tell so. The mean of both lies between them.
fn late_outputs_alone_are_fitted(home: &Home, made: &str, measured: &str) {
    let (late, fitted, mean) = (home.path("late.games"), home.path("fitted.bin"), home.path("mean.bin"));
    let play = ["train", "selfplay", "--games", "400", "--depth", "1", "--exact", "8", "--out", &late];
    run(&[&play[..], &["--openings", "40..58"]].concat());
    let other = flipside(&[&play[..], &["--openings", "40..59"]].concat());
    assert!(String::from_utf8_lossy(&other.stderr).contains("other games"), "openings determine games");
    let fit = ["train", "network", "--endings", &late, "--start", measured, "--only-outputs", "--epochs", "3"];
    let table = run(&[&fit[..], &["--rate", "0.01", "--out", &fitted]].concat());
    let classes: Vec<Vec<f64>> = table
        .lines()
        .skip_while(|line| !line.starts_with("empty squares"))
        .skip(1)
        .map(|line| line.split([' ', ':']).filter_map(|word| word.parse().ok()).collect())
        .filter(|class: &Vec<f64>| class.len() == 5)
        .collect();
    assert_eq!(classes.iter().map(|class| class[0]).collect::<Vec<_>>(), [1., 2., 3., 4., 5., 6., 7., 8.], "{table}");
    let sum = |at: usize| classes.iter().map(|class| class[at]).sum::<f64>();
    assert!(sum(4) < sum(3), "the fitted network errs less than its start: {table}");
    run(&["train", "network", "--endings", &late, "--start", measured, &fitted, "--epochs", "0", "--out", &mean]);
    let values = |path: &str| open_network(Some(Path::new(path))).expect("a network").values();
    let (made, measured, fitted, mean) = (values(made), values(measured), values(&fitted), values(&mean));
    assert_eq!((&made.rows, &measured.rows), (&measured.rows, &fitted.rows));
    let changed = |one: &NetworkValues, two: &NetworkValues| -> Vec<usize> {
        (0..=52).filter(|&empties| one.heads[empties] != two.heads[empties]).collect()
    };
    assert_eq!(changed(&measured, &fitted), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((changed(&measured, &mean), &mean.rows), (changed(&mean, &fitted), &fitted.rows));
    // A fit has no samples with 60 empty squares and writes the output for 59.
    for (mean, (one, two)) in mean.heads[..60].iter().zip(measured.heads.iter().zip(&fitted.heads)) {
        assert!((2 * mean.output_bias - one.output_bias - two.output_bias).abs() <= 1);
    }
    assert!(changed(&made, &measured).len() > 40, "the side to move is balanced for every number of empty squares");
}

#[test]
fn weighted_features_are_fitted_and_their_search_errors_measured() {
    let home = Home::new();
    let (games, made, positions) = (home.path("games"), home.path("made.toml"), home.path("middle.obf"));
    let play = ["train", "selfplay", "--games", "300", "--seed", "5", "--depth", "1", "--exact", "8", "--threads", "2"];
    run(&[&play[..], &["--evaluation", "mobility", "--out", &games]].concat());
    let errors = run(&["train", "weighted", "--games", &games, "--stages", "16,40,64", "--out", &made]);
    // Errors on the validation set in the middle of the games; the games of this test are unlike those that the built-in
    // weights were fitted to.
    let classes: Vec<Vec<f64>> = errors
        .lines()
        .skip(1)
        .map(|line| line.split([' ', ':']).filter_map(|word| word.parse().ok()).collect())
        .filter(|class: &Vec<f64>| (24.0..54.0).contains(&class[0]))
        .collect();
    assert!(!classes.is_empty() && classes.iter().all(|class| class[3] < class[4]), "{errors}");

    let chart = home.path("chances.svg");
    let chances = run(&["train", "wdl", "--games", &games, "--svg", &chart]);
    assert!(chances.contains(" positions: draw [") && chances.contains("\n 60 to 40 %: "), "{chances}");
    assert!(home.read("chances.svg").contains("as expected"), "the diagonal");

    std::fs::write(&positions, "--------------------------XXX----OOXX----OXO-----XOO----O------- O\n").expect("a file");
    let solve = |more: &[&str]| {
        run(&[&["solve", "--evaluation", "weighted", "--depth", "1", "--json", &positions], more].concat())
    };
    let score = |text: String| text.split_once("\"score\":").expect("a score").1.split(',').next().map(str::to_string);
    assert_ne!(score(solve(&[])), score(solve(&["--weights", &made])));

    let measure = ["train", "probcut", "--evaluation", "weighted", "--games", &games, "--positions", "200"];
    let found = run(&[&measure[..], &["--depth", "3", "--empties", "11"]].concat());
    assert!(found.contains("middle game") && found.contains("ProbCutModel {"), "{found}");
    let refused = flipside(&[&measure[..], &["--out", &made]].concat());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("only the evaluations linear and network"));
}

/// Records of any format can replace a file of self-play; invalid ones are named.
#[test]
fn records_are_games_for_training() {
    let home = Home::new();
    let (lines, mixed, labelled) = (home.path("games.json"), home.path("mixed"), home.path("labelled.games"));
    let player = |name: &str| format!("name={name} builtin option.Hash=1");
    let (one, two) = (player("a"), player("b"));
    let play = ["match", "--depth", "1", "--games", "40", "--json", &lines, "--engine", &one, "--engine", &two];
    assert!(flipside(&play).status.success());
    // Games with results and evaluations; one that is not over; one that is not legal; one of another game.
    let games = std::fs::read_to_string(&lines).expect("games");
    let bad = "f5d6\nf5f5\n# flipside game of minichess\nb2-b3 b5-b4\n";
    std::fs::write(&mixed, games + bad).expect("a file");
    let run = |words: &[&str]| {
        let output = flipside(words);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {errors}");
        let named: Vec<&str> =
            errors.lines().filter_map(|line| line.split_once("): ")).map(|(_, reason)| reason).collect();
        let reasons = [
            "it has no result in discs",
            "move 2: 'f5' is not legal for white; legal: f4 d6 f6",
            "it is a game of minichess, not of reversi",
        ];
        assert_eq!(named, reasons, "{words:?}: {errors}");
        assert!(errors.contains("game 41 (line 41): ") && errors.contains("game 43 (line 44): "), "{errors}");
        String::from_utf8(output.stdout).expect("text")
    };
    let fitted = run(&["train", "fit", "--games", &mixed, "--epochs", "1", "--out", &home.path("fitted.bin")]);
    assert!(fitted.lines().any(|line| line.contains("samples") && !line.contains(" 0 samples")), "{fitted}");
    run(&["train", "weighted", "--games", &mixed, "--stages", "16,40,64", "--out", &home.path("weighted.toml")]);
    run(&["train", "label", "--games", &mixed, "--depth", "1", "--exact", "4", "--out", &labelled]);
    let again = ["train", "fit", "--games", &labelled, "--epochs", "1", "--out", &home.path("again.bin")];
    assert!(flipside(&again).status.success(), "labels are a file of games");
    let nothing =
        flipside(&["train", "weighted", "--games", &home.path("fitted.bin"), "--out", &home.path("none.toml")]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("holds no game for training"));
}

/// Games of MiniChess matches can be added to its self-play.
#[test]
fn records_of_minichess_are_games_for_training() {
    let home = Home::new();
    let (lines, record) = (home.path("games.json"), home.path("games.pgn"));
    let player = |name: &str| format!("name={name} builtin option.Hash=1");
    let (one, two) = (player("a"), player("b"));
    let play = ["match", "--game", "minichess", "--depth", "1", "--games", "4", "--engine", &one, "--engine", &two];
    assert!(flipside(&[&play[..], &["--json", &lines, "--record", &record]].concat()).status.success());
    let text = std::fs::read_to_string(&record).expect("games");
    std::fs::write(&record, text + "[Variant \"minichess\"]\n[Result \"1-0\"]\n\n1. b2b3 1-0\n").expect("a file");
    let fit = |also: &[&str]| {
        let words = ["train", "minichess", "--count", "2", "--nodes", "20", "--epochs", "1"];
        let (games, out) = (home.path("own.games"), home.path("weights"));
        flipside(&[&words[..], &["--games", &games, "--out", &out], also].concat())
    };
    let alone = fit(&[]);
    assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stderr));
    for (file, status) in [(&lines, 0), (&record, 1)] {
        let joined = fit(&["--also", file]);
        let errors = String::from_utf8_lossy(&joined.stderr).into_owned();
        assert_eq!(joined.status.code(), Some(status), "{errors}");
        assert_eq!(errors.contains("its moves have no evaluations"), status == 1, "{errors}");
        let counted = |output: &Output| String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_string);
        assert!(counted(&alone).expect("a line").ends_with(" positions of 2 games"), "{alone:?}");
        assert!(counted(&joined).expect("a line").ends_with(" positions of 6 games"), "{joined:?}");
    }
}

#[test]
fn bad_weights_are_refused_with_a_reason() {
    let home = Home::new();
    let path = &home.write("bad.bin", "no weights");
    let start = "---------------------------OX------XO--------------------------- X";
    let positions = home.write("start.obf", start);
    let solve = ["solve", "--depth", "2", "--weights", path, &positions];
    for words in [
        &["--gtp", "--weights", path][..],
        &["train", "probcut", "--games", path, "--weights", path, "--out", path],
        &solve,
    ] {
        let output = flipside(words);
        assert!(!output.status.success(), "{words:?}");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("not a file of weights"), "{words:?}: {text}");
    }
}
