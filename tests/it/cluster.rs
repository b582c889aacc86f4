//! Positions split into tasks, solved and joined; shards of games merged: the result is that of one process, whatever
//! happens to the lines on their way.
#![cfg(all(unix, feature = "cli"))]

use crate::common::home::Home;
use crate::common::program::{run, stderr, without_times};
use crate::library::FFO_1;
use flipside::support::hash::checksum;
use serde_json::Value;
use std::fs;
use std::process::Output;

impl Home {
    /// Splits the position into a fresh state file and returns the tasks.
    fn split(&self, options: &[&str]) -> String {
        let state = self.path("state");
        let words = [&["split", "--empties", "10", "--depth", "3", "--state", &state], options, &[FFO_1]].concat();
        stdout(&run(&words, ""), 0)
    }

    fn join(&self, answers: &str) -> Output {
        run(&["join", "--state", &self.path("state"), "-"], answers)
    }

    /// Solves and joins until the value is proven; returns the last line.
    fn prove(&self, mut tasks: String) -> Value {
        loop {
            if let Some(result) = tasks.lines().map(json).find(|line| line.get("score").is_some()) {
                return result;
            }
            assert!(!tasks.is_empty(), "neither tasks nor a result");
            // Only the first tasks: later ones become fewer.
            let first: String = tasks.lines().take(8).flat_map(|line| [line, "\n"]).collect();
            tasks = stdout(&self.join(&solve(&first)), 0);
        }
    }
}

fn stdout(output: &Output, status: i32) -> String {
    assert_eq!(output.status.code(), Some(status), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The JSON object of a line.
pub fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

fn solve(tasks: &str) -> String {
    stdout(&run(&["solve", "--json", "--hash", "1"], tasks), 0)
}

/// A sealed line with changed words.
pub fn forged(line: &str, from: &str, to: &str) -> String {
    assert!(line.contains(from), "{line}");
    let changed = line.replace(from, to);
    let (content, _) = changed.rsplit_once(",\"checksum\"").expect("a sealed line");
    format!("{content},\"checksum\":\"{:016x}\"}}", checksum(content.as_bytes()))
}

#[test]
fn the_value_is_proven_and_the_proof_verified() {
    let home = Home::new();
    let result = home.prove(home.split(&[]));
    assert_eq!((&result["score"], &result["certainty"]), (&Value::from(18), &Value::from("exact")));
    assert!(result["best"].as_array().expect("moves").contains(&Value::from("g8")), "{result}");
    let (state, proof) = (home.path("state"), home.path("proof"));
    let again = stdout(&run(&["join", "--state", &state, "--proof", &proof], ""), 0);
    assert_eq!(json(again.trim()), result, "the state file holds all of it");
    let verified = stdout(&run(&["verify", &proof], ""), 0);
    assert!(verified.contains("value +18") && !verified.contains(" 0 of"), "{verified}");
    let sampled = stdout(&run(&["verify", "--sample", "2", &proof], ""), 0);
    assert!(sampled.contains("; 2 of "), "{sampled}");
    // Splitting again continues the same question and refuses another one.
    assert_eq!(json(home.split(&[]).trim()), result);
    let refused = run(&["split", "--empties", "11", "--depth", "3", "--state", &state, FFO_1], "");
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("another split"), "{}", stderr(&refused));
}

#[test]
fn forged_proofs_prove_nothing() {
    let home = Home::new();
    home.prove(home.split(&[]));
    stdout(&run(&["join", "--state", &home.path("state"), "--proof", &home.path("proof")], ""), 0);
    let proof = home.read("proof");
    let lines: Vec<&str> = proof.lines().collect();
    let with = |index: usize, line: String| {
        let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        lines[index] = line;
        home.write("forged", lines.join("\n") + "\n")
    };
    let find = |words: &[&str]| {
        let found = lines.iter().position(|line| words.iter().all(|word| line.contains(word)));
        found.unwrap_or_else(|| panic!("no line with {words:?}"))
    };
    // "At most" needs every move: without the first one the claim has a hole.
    let all_moves = find(&["at most", "\"reason\":\"moves\"", "],["]);
    let moves = lines[all_moves].split_once("\"moves\":[").expect("moves").1;
    let first = &moves[..=moves.find("],").expect("two moves") + 1];
    let missing = with(all_moves, forged(lines[all_moves], first, ""));
    let text = stdout(&run(&["verify", "--sample", "0", &missing], ""), 1);
    assert!(text.starts_with("no proof: claim ") && text.contains("is missing"), "{text}");
    // A leaf whose claim is too high; a solve detects it.
    let leaf = find(&["at least", "\"reason\":\"solved\"", "\"score\":18"]);
    let too_much = with(leaf, forged(lines[leaf], "at least\",\"score\":18", "at least\",\"score\":64"));
    let text = stdout(&run(&["verify", &too_much], ""), 1);
    assert!(text.starts_with("no proof: claim ") && text.contains("a solve shows"), "{text}");
    let changed = with(leaf, lines[leaf].replace("at least", "at most"));
    let torn = home.write("torn", &proof[..proof.len() / 2]);
    for (file, words) in [(changed, "checksum is wrong"), (torn, "line")] {
        let output = run(&["verify", &file], "");
        assert!(output.status.code() == Some(2) && stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn win_loss_draw_takes_fewer_nodes() {
    let exact = Home::new();
    let exact = exact.prove(exact.split(&[]));
    let home = Home::new();
    let result = home.prove(home.split(&["--wld"]));
    assert_eq!((&result["score"], &result["certainty"]), (&Value::from(1), &Value::from("wld")));
    assert!(result["nodes"].as_u64() < exact["nodes"].as_u64(), "{result} {exact}");
    stdout(&run(&["join", "--state", &home.path("state"), "--proof", &home.path("proof")], ""), 0);
    let verified = stdout(&run(&["verify", &home.path("proof")], ""), 0);
    assert!(verified.contains("value at least +2"), "{verified}");
}

#[test]
fn every_bad_answer_is_named_and_the_value_stays_right() {
    let home = Home::new();
    let tasks = home.split(&[]);
    let first = tasks.lines().next().expect("a task");
    let answer = solve(&format!("{first}\n"));
    let answer = answer.trim();
    let position = json(answer)["position"].as_str().expect("a position").to_string();
    let score = json(answer)["score"].to_string();
    let bad = [
        (answer[..answer.len() - 20].to_string(), "not an answer"),
        ("Segmentation fault".into(), "not an answer"),
        (answer.replace("\"nodes\":", "\"nodes\":1"), "checksum is wrong"),
        (answer.rsplit_once(",\"checksum\"").expect("a checksum").0.to_string() + "}", "checksum is missing"),
        (forged(answer, "flipside 0", "flipside 9"), "answered by flipside 9"),
        (forged(answer, "\"evaluation\":\"network", "\"evaluation\":\"network x"), "network x"),
        (forged(answer, "\"task\":1,", "\"task\":99999,"), "not given out"),
        (forged(answer, &position, FFO_1), "another position"),
        (forged(answer, "\"certainty\":\"exact\"", "\"certainty\":\"end@73%\""), "expected an exact answer"),
        (forged(answer, &format!("\"score\":{score}"), "\"score\":99"), "expected a score"),
        (forged(answer, "\"task\":1,", "\"other\":1,"), "does not name its task"),
    ];
    for (line, words) in &bad {
        let output = home.join(line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(stderr(&output).contains(words) && stderr(&output).contains("line 1: refused"), "{}", stderr(&output));
    }
    // All at once, the good one twice among them.
    let mut lines: Vec<&str> = bad.iter().map(|(line, _)| line.as_str()).collect();
    lines.extend([answer, answer]);
    let output = home.join(&lines.join("\n"));
    assert_eq!(stderr(&output).matches("refused").count(), bad.len(), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 answered"), "{}", stderr(&output));
    // A different answer to the same task: one of the two is wrong, and the first is kept.
    let (alpha, beta) = (json(answer)["window"][0].as_i64(), json(answer)["window"][1].as_i64());
    let is_low = json(answer)["bound"] == "at most";
    let other = if is_low { beta.expect("beta") + 6 } else { alpha.expect("alpha") - 6 };
    let contradiction = home.join(&forged(answer, &format!("\"score\":{score}"), &format!("\"score\":{other}")));
    assert!(stderr(&contradiction).contains("contradicts"), "{}", stderr(&contradiction));
    assert_eq!(home.prove(stdout(&contradiction, 1))["score"], 18);
}

#[test]
fn bad_tasks_are_named_and_the_others_solved() {
    let home = Home::new();
    let tasks = home.split(&["--most", "2"]);
    let [first, second] = tasks.lines().collect::<Vec<_>>()[..] else { panic!("{tasks}") };
    let lines = [
        first[..first.len() / 2].to_string(),
        first.replace("\"task\":1", "\"task\":3"),
        forged(first, "\"evaluation\":\"network", "\"evaluation\":\"other"),
        forged(first, "flipside 0", "flipside 9"),
        second.to_string(),
    ];
    let output = run(&["solve", "--json", "--hash", "1"], lines.join("\n"));
    let answers = stdout(&output, 1);
    assert_eq!(answers.lines().map(|line| json(line)["task"].clone()).collect::<Vec<_>>(), [Value::from(2)]);
    for words in
        ["line 1: not a task", "line 2: task 3: the checksum", "line 3: task 1 is from", "line 4: task 1 is from"]
    {
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let output = run(&["solve", "--json", "--wld"], second);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("drop --wld"), "{}", stderr(&output));
}

/// A kill leaves a file that ends anywhere.
#[test]
fn a_state_file_that_ends_anywhere_goes_on() {
    let home = Home::new();
    home.prove(home.split(&[]));
    let whole = fs::read(home.path("state")).expect("the file");
    for part in [1, 40, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        home.write("state", &whole[..part]);
        assert_eq!(home.prove(home.split(&[]))["score"], 18, "{part} bytes");
    }
    // Damage elsewhere is refused and left as it is.
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    home.write("state", &damaged);
    let output = home.join("");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("checksum"), "{}", stderr(&output));
    home.write("state", "my thesis");
    let output = run(&["split", "--state", &home.path("state"), FFO_1], "");
    assert!(output.status.code() == Some(2) && home.read("state") == "my thesis", "{}", stderr(&output));
}

/// The other side of a program that hands out tasks one by one.
#[test]
fn a_stream_gives_out_each_task_once() {
    let home = Home::new();
    home.split(&["--most", "1"]);
    let stream = |input: &str| {
        let output = run(&["join", "--stream", "--state", &home.path("state")], input);
        stdout(&output, 0).lines().map(json).collect::<Vec<_>>()
    };
    let lines = stream("{\"want\":2}\n{\"want\":2}\n{\"want\":0,\"lost\":[1]}\n{\"want\":1}\n");
    let tasks: Vec<u64> = lines.iter().filter_map(|line| line["task"].as_u64()).collect();
    assert_eq!(tasks.len(), 5, "{lines:?}");
    assert_eq!(tasks[4], 1, "the lost one is given out again: {tasks:?}");
    assert!(tasks[..4].iter().all(|task| tasks[..4].iter().filter(|other| *other == task).count() == 1), "{tasks:?}");
    assert_eq!(lines.iter().filter_map(|line| line["open"].as_u64()).collect::<Vec<_>>(), [2, 4, 3, 4]);
}

#[test]
fn shards_of_games_become_the_file_of_one_process() {
    let home = Home::new();
    let options = ["--depth", "1", "--exact", "6", "--seed", "3"];
    let whole = home.path("whole");
    let selfplay = |more: &[&str]| run(&[&["train", "selfplay"], &options[..], more].concat(), "");
    stdout(&selfplay(&["--games", "7", "--out", &whole]), 0);
    let shards: Vec<String> = ["0..3", "3..4", "4..7"].map(|range| stdout(&selfplay(&["--range", range]), 0)).into();
    // In any order, one twice, two in one file.
    let files =
        [home.write("a", shards[2].clone() + &shards[0]), home.write("b", &shards[1]), home.write("c", &shards[2])];
    let merge = |files: &[String]| {
        let mut words = vec!["train", "merge", "--out", "MERGED"];
        let merged = home.path("merged");
        words[3] = &merged;
        words.extend(files.iter().map(String::as_str));
        run(&words, "")
    };
    stdout(&merge(&files), 0);
    assert_eq!(fs::read(home.path("merged")).expect("a file"), fs::read(&whole).expect("a file"));
    // Labels likewise.
    let label = |more: &[&str]| {
        run(&[&["train", "label", "--depth", "2", "--exact", "7", "--games", &whole], more].concat(), "")
    };
    stdout(&label(&["--out", &home.path("labels")]), 0);
    let labels = ["0..5", "5..7"].map(|range| home.write(range, stdout(&label(&["--range", range]), 0)));
    stdout(&merge(&labels), 0);
    assert_eq!(fs::read(home.path("merged")).expect("a file"), fs::read(home.path("labels")).expect("a file"));
    // Missing, torn and foreign lines are named.
    let missing = merge(&files[..1]);
    assert!(stderr(&missing).contains("open: the games 3..4 are missing"), "{}", stderr(&missing));
    let torn = home.write("torn", &shards[1][..shards[1].len() - 9]);
    let refused = merge(&[files[0].clone(), torn, files[1].clone()]);
    assert!(
        refused.status.code() == Some(1) && stderr(&refused).contains("torn: line 2: refused"),
        "{}",
        stderr(&refused)
    );
    let unlike = merge(&[files[0].clone(), files[1].clone(), labels[0].clone()]);
    assert!(stderr(&unlike).contains("another shard than the first one"), "{}", stderr(&unlike));
}

#[test]
fn shards_of_a_match_give_the_report_of_the_whole() {
    let home = Home::new();
    let options = |more: &[&str]| {
        let engines = ["--engine", "name=a builtin nodes=60", "--engine", "name=b builtin nodes=20"];
        run(&[&["match", "--games", "6", "--adjudicate", "12"], &engines[..], more].concat(), "")
    };
    let without_times = |text: String| without_times(text.as_bytes());
    let whole = without_times(stdout(&options(&[]), 0));
    let shards = ["4..6", "0..3", "3..4"].map(|range| stdout(&options(&["--range", range]), 0));
    let first = home.write("first", shards[0].clone() + &shards[1]);
    let second = home.write("second", &shards[2]);
    assert_eq!(without_times(stdout(&run(&["match", "--merge", &first, &second, &second], ""), 0)), whole);
    let missing = run(&["match", "--merge", &first], "");
    assert!(stderr(&missing).contains("open: the games 3..4 are missing"), "{}", stderr(&missing));
    let torn = home.write("torn", &shards[2][..shards[2].len() - 5]);
    let refused = run(&["match", "--merge", &first, &torn, &second], "");
    assert_eq!((refused.status.code(), without_times(stdout(&refused, 1))), (Some(1), whole));
    assert!(stderr(&refused).contains("torn: line 2: refused"), "{}", stderr(&refused));
    let unlike = home.write("unlike", stdout(&options(&["--range", "3..4", "--seed", "2"]), 0));
    let unlike = run(&["match", "--merge", &first, &unlike], "");
    assert!(stderr(&unlike).contains("another match"), "{}", stderr(&unlike));
}

/// A proof of +64 for the start: its leaves say that a position is worth at least `leaf`, which is no value of a position;
/// negated as a number of 32 bits the least one is itself, and proves what rests on it.
fn false_proof(leaf: i32) -> String {
    let claim = |number: usize, position: &str, bound: &str, score: i32, why: &str| {
        format!(
            r#"{{"version":2,"claim":{number},"position":"{position} X","bound":"{bound}","score":{score},"reason":{why}}}"#
        )
    };
    let start = "---------------------------OX------XO---------------------------";
    let leaves = [
        "------------------OX-------OX------XO---------------------------",
        "-------------------XO------XO------XO---------------------------",
        "-------------------X-------XX-----OOO---------------------------",
    ];
    let mut lines = vec![
        format!(
            r#"{{"version":2,"format":"flipside proof 1","program":"flipside","position":"{start} X","bounds":[64,64],"roots":[0],"claims":5}}"#
        ),
        claim(0, start, "at least", 64, r#""moves","moves":[["d3",1]]"#),
        claim(
            1,
            "-------------------O-------OO------OX---------------------------",
            "at most",
            -64,
            r#""moves","moves":[["c3",2],["e3",3],["c5",4]]"#,
        ),
    ];
    lines.extend((2..).zip(leaves).map(|(number, board)| claim(number, board, "at least", leaf, "\"solved\"")));
    let sealed = |line: &String| format!("{},\"checksum\":\"\"}}", &line[..line.len() - 1]);
    lines.iter().map(|line| forged(&sealed(line), "version", "version") + "\n").collect()
}

#[test]
fn a_proof_whose_scores_no_position_has_is_refused() {
    let home = Home::new();
    for beyond in [i32::MIN, i32::MIN + 1, -65, 65, i32::MAX] {
        let output = run(&["verify", &home.write("false", false_proof(beyond))], "");
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{beyond}: {output:?}");
        assert!(stderr(&output).contains("line 4: expected a score of -64 to 64"), "{}", stderr(&output));
    }
    // At the ends of the range they are read, and prove nothing.
    let text = stdout(&run(&["verify", &home.write("false", false_proof(-64))], ""), 1);
    assert!(text.starts_with("no proof: claim 1: claim 2 after c3 does not prove it"), "{text}");
    let bounds = false_proof(-64).replace("\"bounds\":[64,64]", "\"bounds\":[-65,64]");
    let (first, rest) = bounds.split_once('\n').expect("lines");
    let output = run(&["verify", &home.write("false", forged(first, "version", "version") + "\n" + rest)], "");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("line 1: expected bounds"), "{output:?}");
}

#[test]
fn answers_and_state_files_end_at_the_board() {
    let home = Home::new();
    let tasks = home.split(&["--most", "1"]);
    let answer = solve(&tasks);
    let score = format!("\"score\":{},", json(answer.trim())["score"]);
    for beyond in ["-65", "65", "2147483647", "-2147483648", "-9223372036854775808", "1e300"] {
        let output = home.join(&forged(answer.trim(), &score, &format!("\"score\":{beyond},")));
        assert_eq!(output.status.code(), Some(1), "{beyond}");
        assert!(stderr(&output).contains("expected a score of -64 to 64"), "{}", stderr(&output));
    }
    stdout(&home.join(&answer), 0);
    let state = home.read("state");
    let find = |record: &str| state.lines().find(|line| line.contains(record)).expect("a record");
    let (task, answered) = (find("\"record\":\"task\""), find("\"record\":\"answer\""));
    let window = format!("\"window\":{}", json(task)["window"]);
    let cases = [
        (task, window.as_str(), "\"window\":[-65,64]"),
        (task, &window, "\"window\":[-64,65]"),
        (task, &window, "\"window\":[-2147483648,2147483647]"),
        (answered, &score, "\"score\":65,"),
        (answered, &score, "\"score\":2147483647,"),
        (answered, &score, "\"score\":-2147483648,"),
    ];
    for (line, from, to) in cases {
        home.write("state", state.replace(line, &forged(line, from, to)));
        let output = home.join("");
        assert!(output.status.code() == Some(2), "{to}: {output:?}");
        assert!(stderr(&output).contains("-64"), "{to}: {}", stderr(&output));
    }
    // Nodes are a sum over all answers.
    let nodes = format!("\"nodes\":{},", json(answered)["nodes"]);
    let most = forged(answered, &nodes, &format!("\"nodes\":{},", u64::MAX));
    home.write("state", state.replace(answered, &most));
    let output = home.join("");
    assert!(stderr(&output).contains(&format!("{} nodes", u64::MAX)), "{}", stderr(&output));
}

#[test]
fn answers_to_resume_end_at_the_board() {
    let home = Home::new();
    let positions = home.write("positions", format!("{FFO_1}\n"));
    let resume = |answer: &str| {
        let answers = home.write("answers", answer);
        run(&["solve", "--hash", "1", "--check", "--resume", &answers, &positions], "")
    };
    let answer = |score: &str| format!("1 g8 {score} exact 18446744073709551615 nodes 0.017 s g8\n");
    for score in ["-64", "+64"] {
        assert_eq!(resume(&answer(score)).status.code(), Some(0), "{score}");
    }
    for beyond in ["-65", "+65", "+64.01", "+2147483648", "-1e300"] {
        let output = resume(&answer(beyond));
        assert!(output.status.code() == Some(2), "{beyond}: {output:?}");
        assert!(stderr(&output).contains("expected a score of -64 to 64"), "{}", stderr(&output));
    }
}
