//! Every JSON output keeps to the tables of docs/json.md: each key is documented with its type, each documented key occurs,
//! certainties are words of the one list.
#![cfg(all(unix, feature = "cli"))]

mod schema;

use crate::common::{books, program};
use crate::minichess_outputs;
use schema::{Schema, document};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A tree whose value rises in the last iteration, beyond the aspiration window.
const TOO_NARROW: &str = "(a:(b:(c:(9 12)=2 d:(1 3)=0)=2)=2 e:(f:(g:(4 5)=1)=1)=1)";

/// The program's output for this input.
fn flipside(arguments: &[&str], input: &str) -> String {
    program::stdout(&program::run(arguments, input))
}

/// A file that no other test uses.
fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("json-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// A file with a position of eight empty squares.
fn few_empty_squares() -> PathBuf {
    let path = scratch("endings.obf");
    std::fs::write(&path, format!("{}-------- O\n", "OXXXXXXX".repeat(7))).expect("a file");
    path
}

/// The games of a short match with openings, clocks, scores and a player that is no engine.
fn match_games() -> String {
    let file = scratch("match.json");
    let path = file.to_str().expect("a path");
    let one = "name=a builtin nodes=200 option.Hash=1 option.Book=embedded";
    let openings = scratch("openings.txt");
    std::fs::write(&openings, "f5\n").expect("a line");
    flipside(
        &[
            "match",
            "--engine",
            one,
            "--engine",
            "name=b builtin tc=9+1 depth=1",
            "--adjudicate",
            "4,loss=60",
            "--games",
            "1",
            "--openings",
            openings.to_str().expect("a path"),
            "--json",
            path,
        ],
        "",
    );
    let played = std::fs::read_to_string(&file).expect("a game");
    let _ = std::fs::remove_file(&file);
    let limits = ["--stall-timeout", "1", "--nodes", "9", "--games", "1", "--json", path];
    flipside(&[&["match", "--engine", "name=c cmd=cat protocol=gtp", "--engine", one], &limits[..]].concat(), "");
    played + &std::fs::read_to_string(&file).unwrap_or_default()
}

/// The output for positions that a small book has or lacks, and for all of the book.
fn book_answers(schema: &mut Schema) -> [String; 2] {
    let file = scratch("small.book");
    let path = file.to_str().expect("a path");
    let depths = ["--positions", "12", "--quick-depth", "2", "--depth", "2", "--best", "0"];
    schema.lines(
        "book build --json",
        &flipside(&[&["book", "build", "--json", "--book", path], &depths[..]].concat(), ""),
    );
    let ask = |position: &str| flipside(&["book", "ask", "--json", "--book", path, position], "");
    let answers = ["f5", "f5f6", "f5d6c3d3c4f4"].map(ask).concat();
    schema.lines("book stats --json", &flipside(&["book", "stats", "--json", "--book", path], ""));
    let lines = flipside(&["book", "lines", "--json", "--within", "9", "--plies", "3", "--book", path], "");
    schema.lines("book lines --json", &lines);
    // A whole game, which White loses.
    let game = "e6f4e3f6g5d6e7f5c5\n";
    let teach = ["book", "learn", "--json", "--plies", "9", "--depth", "2", "--book", path];
    schema.lines("book learn --json", &flipside(&teach, &format!("{game}f5d6\n")));
    let check = ["book", "check", "--json", "--count", "3", "--deeper", "1", "--book", path];
    schema.lines("book check --json", &flipside(&check, ""));
    let claiming = scratch("claiming.book");
    std::fs::write(&claiming, books::claiming_bytes()).expect("a file");
    let check = ["book", "check", "--json", "--count", "0", "--book", claiming.to_str().expect("a path")];
    schema.lines("book check --json", &flipside(&check, ""));
    let exported = flipside(&["book", "export", "--book", path], "");
    changed_books(schema, path, &exported);
    [answers, exported]
}

/// The output for books made from a book, made smaller and drawn.
fn changed_books(schema: &mut Schema, path: &str, exported: &str) {
    let (other, picture) = (scratch("other.book"), scratch("tree.svg"));
    let (to, svg) = (other.to_str().expect("a path"), picture.to_str().expect("a path"));
    let mut book = |command: &str, words: &[&str], input: &str| {
        let text = flipside(&[&["book", command, "--json"], words].concat(), input);
        schema.lines(&format!("book {command} --json"), &text);
    };
    book("import", &["--book", to, "-"], exported);
    book("merge", &["--book", to, path], "");
    book("prune", &["--book", to, "--plies", "2"], "");
    book("draw", &["--book", path, "--within", "9", "--plies", "2", "--out", svg], "");
    for file in [&other, &picture] {
        let _ = std::fs::remove_file(file);
    }
}

/// The errors of a fit of a few games.
fn fit_errors() -> Value {
    let (games, weights) = (scratch("games"), scratch("weights.bin"));
    let (games, out) = (games.to_str().expect("a path"), weights.to_str().expect("a path"));
    flipside(&["train", "selfplay", "--games", "8", "--depth", "1", "--exact", "4", "--out", games], "");
    flipside(&["train", "fit", "--games", games, "--epochs", "1", "--out", out], "");
    let text = std::fs::read_to_string(weights.with_extension("json")).expect("the errors of the fit");
    serde_json::from_str(&text).expect("JSON")
}

/// The summaries of files of games: played, resumed, relabelled, and merged from a shard and an invalid line.
fn game_files(schema: &mut Schema) {
    let files = ["played", "labels", "shard", "merged"].map(|name| scratch(&format!("games-{name}")));
    let [games, labels, shard, merged] = files.each_ref().map(|file| file.to_str().expect("a path"));
    let searches = ["--depth", "1", "--exact", "4"];
    let selfplay = ["train", "selfplay", "--json", "--out", games, "--games"];
    for count in ["2", "3"] {
        schema.lines("train selfplay --json", &flipside(&[&selfplay[..], &[count], &searches].concat(), ""));
    }
    let label = [&["train", "label", "--json", "--games", games, "--out", labels], &searches[..]].concat();
    schema.lines("train selfplay --json", &flipside(&label, ""));
    let lines = flipside(&[&["train", "selfplay", "--range", "0..2"], &searches[..]].concat(), "");
    std::fs::write(shard, format!("{lines}nonsense\n")).expect("a file");
    let summary = flipside(&["train", "merge", "--json", "--out", merged, shard], "");
    schema.lines("train selfplay --json", &summary);
    assert!(summary.contains("\"games\":2,\"refused\":1"), "{summary}");
    for file in files {
        let _ = std::fs::remove_file(&file);
    }
}

/// The output of the other steps of training.
fn training_lines(schema: &mut Schema) {
    let names = ["games", "few.games", "fitted.bin", "weighted.toml", "network.bin", "chess.games", "chess.weights"];
    let files = names.map(|name| scratch(&format!("train-{name}")));
    let [games, few, fitted, weighted, network, chess, chess_weights] =
        files.each_ref().map(|file| file.to_str().expect("a path"));
    let gomoku_files = ["gomoku.games", "gomoku.weights"].map(|name| scratch(&format!("train-{name}")));
    let [gomoku, gomoku_weights] = gomoku_files.each_ref().map(|file| file.to_str().expect("a path"));
    flipside(&["train", "selfplay", "--games", "200", "--depth", "1", "--exact", "4", "--out", games], "");
    let fit = ["train", "fit", "--json", "--games", games, "--epochs", "1", "--out", fitted];
    schema.lines("train fit --json", &flipside(&fit, ""));
    let fit = ["train", "network", "--json", "--games", games, "--epochs", "1", "--out", network];
    schema.lines("train network --json", &flipside(&fit, ""));
    let continued = scratch("train-continued.bin");
    let continued = continued.to_str().expect("a path");
    let more = ["train", "network", "--start", network, "--games", games, "--epochs", "1", "--out", continued];
    flipside(&more, "");
    for network in [network, continued] {
        let errors = std::fs::read_to_string(Path::new(network).with_extension("json")).expect("the errors of the fit");
        let errors = serde_json::from_str(&errors).expect("JSON");
        schema.object("train network", "", &errors).unwrap_or_else(|error| panic!("{error}"));
    }
    let fit = ["train", "weighted", "--json", "--games", games, "--stages", "16,40,64", "--out", weighted];
    schema.lines("train weighted --json", &flipside(&fit, ""));
    flipside(&["train", "selfplay", "--games", "15", "--depth", "1", "--exact", "4", "--out", few], "");
    schema.lines("train wdl --json", &flipside(&["train", "wdl", "--json", "--games", few], ""));
    let measure = ["train", "probcut", "--json", "--evaluation", "weighted", "--games", games, "--positions", "200"];
    let depths = ["--depth", "3", "--empties", "11"];
    schema.lines("train probcut --json", &flipside(&[&measure[..], &depths].concat(), ""));
    let balance = ["train", "probcut", "--json", "--evaluation", "linear", "--games", games, "--positions", "200"];
    let balanced = [&balance[..], &depths, &["--out", continued]].concat();
    schema.lines("train probcut --json", &flipside(&balanced, ""));
    let play = ["train", "minichess", "--json", "--games", chess, "--count", "3", "--nodes", "50", "--epochs", "1"];
    schema.lines("train minichess --json", &flipside(&[&play[..], &["--out", chess_weights]].concat(), ""));
    let play = ["train", "gomoku", "--json", "--games", gomoku, "--count", "2", "--nodes", "50", "--epochs", "1"];
    schema.lines("train gomoku --json", &flipside(&[&play[..], &["--out", gomoku_weights]].concat(), ""));
    for file in files.iter().chain(&gomoku_files) {
        let _ = std::fs::remove_file(file);
    }
}

/// The closing reports of a match with a test, and of one with a player that is no engine.
fn match_reports(schema: &mut Schema) {
    let engines = ["match", "--json-report", "--engine", "name=a builtin depth=1", "--engine"];
    let other = ["name=b builtin depth=2", "--games", "70", "--adjudicate", "12", "--sprt", "elo0=0,elo1=5"];
    schema.lines("match --json-report", &flipside(&[&engines[..], &other].concat(), ""));
    let other = ["name=c cmd=cat protocol=gtp", "--games", "1", "--depth", "1", "--stall-timeout", "1"];
    schema.lines("match --json-report", &flipside(&[&engines[..], &other].concat(), ""));
}

/// Checks the lines of a split position up to its proof, and of shards, against the document.
fn cluster_lines(schema: &mut Schema) {
    let (state, proof) = (scratch("state"), scratch("proof"));
    let (state, proof) = (state.to_str().expect("a path"), proof.to_str().expect("a path"));
    let position = "-XXXXXO-XXXXXO-OOOOOOXXO-OOOXO-OOOOXOOO-OXXXXO-OXXXXXXXX--XXXXX- X";
    let mut tasks = flipside(&["split", "--empties", "8", "--depth", "2", "--state", state, position], "");
    let (lines, status) = flipside(&["join", "--stream", "--state", state], "{\"want\":1}\n")
        .split_once('\n')
        .map(|(task, status)| (format!("{task}\n"), status.to_string()))
        .expect("a task and where the proof stands");
    schema.lines("split", &lines);
    schema.lines("join --stream", &status);
    while tasks.lines().all(|line| line.contains("\"task\":")) {
        schema.lines("split", &tasks);
        let answers = flipside(&["solve", "--json", "--hash", "1"], &tasks);
        schema.lines("solve --json", &answers);
        tasks = flipside(&["join", "--state", state, "-"], &answers);
    }
    schema.lines("join", &tasks);
    flipside(&["join", "--state", state, "--proof", proof], "");
    let text = std::fs::read_to_string(proof).expect("a proof");
    part_lines(schema, "proof", "claim", &text);
    schema.lines("verify --json", &flipside(&["verify", "--json", proof], ""));
    // The first line has more fields than its claims.
    let (head, claims) = text.split_once('\n').expect("lines");
    let (content, _) = head.rsplit_once(",\"checksum\":").expect("a seal");
    let (before, bounds) = content.split_once("\"bounds\":[").expect("bounds");
    let content = format!("{before}\"bounds\":[64,64{}", &bounds[bounds.find(']').expect("two bounds")..]);
    let sum = flipside::support::hash::checksum(content.as_bytes());
    std::fs::write(proof, format!("{content},\"checksum\":\"{sum:016x}\"}}\n{claims}")).expect("a proof");
    schema.lines("verify --json", &flipside(&["verify", "--json", proof], ""));
    let shard = flipside(&["train", "selfplay", "--range", "3..5", "--depth", "1", "--exact", "4"], "");
    part_lines(schema, "train --range", "game", &shard);
    let engines = ["match", "--engine", "name=a builtin depth=1", "--engine", "name=b builtin depth=1"];
    let shard =
        flipside(&[&engines[..], &["--games", "2", "--adjudicate", "10,draw=0", "--range", "0..1"]].concat(), "");
    let (first, games) = shard.split_once('\n').expect("lines");
    schema.lines("match --range", first);
    schema.lines("match --json", games);
}

/// Checks a first line and the parts below it.
fn part_lines(schema: &mut Schema, section: &str, part: &str, text: &str) {
    let (first, rest) = text.split_once('\n').expect("lines");
    schema.lines(section, first);
    for line in rest.lines() {
        let value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        schema.object(section, part, &value).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_output_keeps_to_the_document_and_the_document_to_the_outputs() {
    let text = document();
    let mut schema = Schema::new(&text);
    // Generating takes a while, so it runs beside everything else.
    let tables = std::thread::spawn(minichess_outputs::generated_tables);
    // 17 and 10 empty squares, and a finished game.
    let positions = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\n\
                     -XXXXXO-XXXXXO-OOOOOOXXO-OOOXO-OOOOXOOO-OXXXXO-OXXXXXXXX--XXXXX- X\n\
                     XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X\n";
    for more in [&[][..], &["--all-moves"], &["--wld"], &["--selectivity", "73"], &["--depth", "3"]] {
        schema.lines("solve --json", &flipside(&[&["solve", "--json", "--hash", "4"], more].concat(), positions));
    }
    let [answers, proof, strategy, verdict] = minichess_outputs::proof();
    schema.lines("solve --game minichess --json", &answers);
    schema.lines("MiniChess strategy", &strategy);
    part_lines(&mut schema, "MiniChess proof", "MiniChess claim", &proof);
    schema.lines("verify --json", &verdict);
    for more in [&[][..], &["--all-moves"]] {
        let analyze = [&["analyze", "--json", "--hash", "4", "--depth", "3"], more].concat();
        schema.lines("analyze --json", &flipside(&analyze, "f5d6c3d3c4\n"));
    }
    schema.lines("search --json", &flipside(&["search", "--json", "--depth", "2"], ""));
    for tree in ["(a:4.5 (W c:9))", "(4 (3 c:9))"] {
        schema.lines("trace --format json", &flipside(&["trace", "--tree", tree, "--format", "json"], ""));
    }
    let finished = "XXXXXXXXXXXXXXXX X";
    let exact = ["search", "--json", "--game", "reversi-4x4", "--exact"];
    for more in [&[][..], &["--position", finished]] {
        schema.lines("search --json", &flipside(&[&exact[..], more].concat(), ""));
    }
    let iterations = ["search", "--json", "--algorithm", "pvs", "--depth", "5", "--iterations"];
    schema.lines("search --json", &flipside(&iterations, ""));
    let horizon = "20 W / k.... / ..p.. / .p... / ..... / .Q... / ...K.";
    let quiescence =
        ["--game", "minichess", "--depth", "1", "--algorithm", "pvs", "--with", "quiescence", "--position"];
    let corners = ["--game", "tic-tac-toe", "--depth", "9", "--position", "xoxoxo... o", "--algorithm", "minimax"];
    for more in [&[&quiescence[..], &[horizon]].concat()[..], &[&corners[..], &["--graph"]].concat()] {
        schema.lines("trace --format json", &flipside(&[&["trace", "--format", "json"], more].concat(), ""));
    }
    let hits = ["--game", "tic-tac-toe", "--position", "xo.x..o.. x", "--depth", "4", "--table"];
    schema.lines("trace --format json", &flipside(&[&["trace", "--json"], &hits[..]].concat(), ""));
    let again = ["--tree", TOO_NARROW, "--algorithm", "pvs", "--deepen", "--depth", "4"];
    schema.lines("trace --format json", &flipside(&[&["trace", "--json"], &again[..]].concat(), ""));
    for more in [&["--policy"][..], &["--algorithm", "uct"]] {
        let tree = ["trace", "--tree", "((1 2) (3 W))", "--format", "json"];
        schema.lines("trace --format json", &flipside(&[&tree[..], more].concat(), ""));
    }
    for arguments in [&["--branching", "2", "--depth", "3"][..], &["--game", "tic-tac-toe", "--depth", "1..2"]] {
        schema.lines("growth --json", &flipside(&[&["growth", "--json"], arguments].concat(), ""));
    }
    schema.lines("perft --json", &flipside(&["perft", "2", "--json"], ""));
    schema.lines("bench --json", &flipside(&["bench", "--json"], ""));
    let endings = few_empty_squares();
    let endings = endings.to_str().expect("a path");
    schema.lines("bench --endgame --json", &flipside(&["bench", "--endgame", endings, "--json"], ""));
    let scaling = ["bench", "--scaling", endings, "--threads", "1,2", "--workload", "short", "--json"];
    schema.lines("bench --scaling --json", &flipside(&scaling, ""));
    let own = ["bench", "--endgame", endings, "--rounds", "2", "--json", "--compare", env!("CARGO_BIN_EXE_flipside")];
    schema.lines("bench --compare --json", &flipside(&own, ""));
    let openings = ["openings", "--json", "--count", "2", "--plies", "4", "--depth", "1"];
    schema.lines("openings --json", &flipside(&openings, ""));
    for entry in [3, 4, 80, u8::MAX] {
        schema.lines("tables --probe --json", &minichess_outputs::probe(entry));
    }
    schema.lines("match --json", &match_games());
    let games = "[Event \"Open\"]\n[Site \"Oslo\"]\n[Date \"2021.03.04\"]\n[Round \"1\"]\n[White \"Zoe\"]\n[Result \"0-1\"]\n\
        [Difference \"64\"]\n[Termination \"time forfeit\"]\n[Annotation \"short\"]\n\n1. f5 $6 {+1.50 2.5s, [%clk 0:01:00] book} (1. e6) d6 0-1\n\
        --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18\n";
    schema.lines("convert --to json", &flipside(&["convert", "--to", "json"], games));
    let lint = ["lint", "--json", "--protocol", "gtp", "--stall-timeout", "5", "--only", "quit", "--cmd"];
    let own = concat!(env!("CARGO_BIN_EXE_flipside"), " --gtp");
    for engine in [own, "cat"] {
        schema.lines("lint --json", &flipside(&[&lint[..], &[engine]].concat(), ""));
    }
    let [asked, exported] = book_answers(&mut schema);
    schema.lines("book ask --json", &asked);
    schema.lines("book export", &exported);
    cluster_lines(&mut schema);
    game_files(&mut schema);
    training_lines(&mut schema);
    match_reports(&mut schema);
    schema.object("train fit", "", &fit_errors()).unwrap_or_else(|error| panic!("{error}"));

    let [four, five, checked] = tables.join().expect("the tables");
    schema.lines("tables --json", &four);
    schema.lines("tables --material --json", &five);
    schema.lines("tables --check --json", &checked);

    // The protocols have the same list; in MiniChess a distance to a win may be a bound.
    let without_tables = r#"{"command":"set","name":"Disable","value":"tables"}"#;
    let loss = r#"{"command":"position","start":"1 B ...../..k../....K/...../...Q./....."}"#;
    let requests = [without_tables, loss, r#"{"command":"go","depth":14}"#].join("\n");
    let answers = flipside(&["--protocol", "json", "--game", "minichess"], &(requests + "\n"));
    assert!(answers.contains(r#""certainty":"proven""#), "{answers}");
    schema.value("", "certainty", &"proven".into()).expect("a word of the list");

    assert_eq!(schema.seen_certainties, schema.certainties, "of the list and of the outputs");
    for ((section, part), table) in &schema.tables {
        for name in table.keys() {
            let place = (section.clone(), part.clone(), name.clone());
            assert!(schema.seen.contains(&place), "{section} {part}: {name} is documented but never occurred");
        }
    }
}

#[test]
fn the_schema_refuses_what_the_document_does_not_say() {
    let mut schema = Schema::new(&document());
    let good = serde_json::json!({
        "version": 2, "bestmove": "d3", "score": 3.0, "depth": 3, "nodes": 37, "cutoffs": 5, "seconds": 0.1, "pv": ["d3"]
    });
    assert_eq!(schema.object("search --json", "", &good), Ok(()));
    for (key, value) in [("score", "3".into()), ("sure", "exact".into()), ("nodes", 0.5.into())] {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(schema.object("search --json", "", &bad).is_err(), "{bad}");
    }
    assert!(schema.object("search --json", "", &serde_json::json!({ "version": 2 })).is_err());
    for word in ["73%", "depth 12@73%", "end@74%", "certain"] {
        assert!(schema.value("", "certainty", &word.into()).is_err(), "{word}");
    }
}
