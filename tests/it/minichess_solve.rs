//! `flipside solve --game minichess`: results within the move limit, their certificates, and files that are continued.
#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program::{run, stderr, stdout};
use flipside::games::minichess::rules::MiniChess;
use flipside::games::minichess::state_text::read_state;
use flipside::search::game::Game;
use flipside::support::json;
use serde_json::Value;

/// A king that is taken at once, a win in five, a draw by the limit, a lost one, and a finished game.
const POSITIONS: &str = "9 W k..../...../...../...../...../R...K\n\
    30 W .k.../...../...../.K.../...../...Q.\n\
    39 W kqbnr/ppppp/...../...../PPPPP/RNBQK\n\
    30 B k..../...../.K.../..Q../...../.....\n\
    41 W k..../...../...../...../...../R...K\n";

fn solve(more: &[&str], input: &str) -> String {
    stdout(&run(&[&["solve", "--game", "minichess", "--hash", "16"], more].concat(), input))
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn results_are_those_of_the_rules() {
    let answers = objects(&solve(&["--json", "--jobs", "2"], POSITIONS));
    let results: Vec<_> = answers.iter().map(|answer| (answer["result"].as_str(), answer["plies"].as_u64())).collect();
    assert_eq!(results[0], (Some("win"), Some(1)));
    assert_eq!(results[1], (Some("win"), Some(5)));
    assert_eq!(results[2], (Some("draw"), None));
    assert_eq!((results[3].0, results[4]), (Some("loss"), (Some("draw"), None)));
    for (answer, (_, plies)) in answers.iter().zip(results).take(4).filter(|(_, (_, plies))| plies.is_some()) {
        assert_eq!(answer["pv"].as_array().map(|line| line.len() as u64), plies, "{answer}");
        assert_eq!(answer["certainty"], "exact");
    }
    // Text has the same words; a shorter win is not looked for.
    assert!(solve(&[], POSITIONS).starts_with("1 a1-a6 win in 1 exact "), "{}", solve(&[], POSITIONS));
    assert_eq!(solve(&["--wld"], POSITIONS).lines().count(), 5);
    // FEN, and what is neither.
    let output = run(&["solve", "--game", "minichess"], "k4/5/5/5/5/R3K w - - 0 9\n\nk4/5 w\n");
    assert!(stdout(&output).starts_with("1 a1-a6 win in 1 exact ") && output.status.code() == Some(1));
    assert!(stderr(&output).contains("line 3: expected six rows"), "{}", stderr(&output));
}

#[test]
fn every_move_is_proven() {
    let answers = objects(&solve(&["--json", "--all-moves"], POSITIONS));
    for (answer, position) in answers.iter().zip(POSITIONS.lines()) {
        let moves = answer["moves"].as_array().expect("moves");
        let board = read_state(position).expect("a position");
        assert_eq!(moves.len(), MiniChess.moves(&board).count(), "{answer}");
        if let Some(best) = moves.first() {
            let fields = |value: &Value| ["result", "plies", "certainty"].map(|name| value[name].clone());
            assert_eq!(fields(best), fields(answer), "{answer}");
            let best = moves.iter().filter(|mv| fields(mv) == fields(answer)).map(|mv| mv["move"].clone());
            assert_eq!(Value::Array(best.collect()), answer["best"]);
        }
    }
    let text = solve(&["--all-moves"], POSITIONS);
    assert!(text.contains("1 a1-a6 win in 1 exact ") && text.contains("; a1-a6: win in 1; "), "{text}");
}

#[test]
fn options_of_reversi_are_refused_and_the_reverse() {
    for option in [&["--keep-table"][..], &["--depth", "3"], &["--check"]] {
        let output = run(&[&["solve", "--game", "minichess"], option].concat(), "");
        assert!(stderr(&output).contains(option[0]) && output.status.code() == Some(2), "{option:?}");
    }
    let output = run(&["solve", "--certificate", "x"], "");
    assert!(stderr(&output).contains("flipside split"), "{}", stderr(&output));
    let output = run(&["solve", "--checkpoint", "x"], "");
    assert!(stderr(&output).contains("flipside split"), "{}", stderr(&output));
    let output = run(&["solve", "--game", "gomoku"], "");
    assert!(stderr(&output).contains("expected reversi or minichess"), "{}", stderr(&output));
}

#[test]
fn a_file_of_answers_is_continued() {
    let home = Home::new();
    for more in [&[][..], &["--json"], &["--all-moves"], &["--json", "--all-moves"]] {
        let is_json = more.contains(&"--json");
        let path = home.path(&format!("answers{}", more.concat()));
        let resume = |input: &str| run(&[&["solve", "--game", "minichess", "--resume", &path], more].concat(), input);
        let two: String = POSITIONS.lines().take(2).map(|line| format!("{line}\n")).collect();
        resume(&two);
        let first = std::fs::read_to_string(&path).expect("answers");
        // A torn third line is cut.
        std::fs::write(&path, format!("{first}{}", if is_json { "{\"version\":" } else { "3 a" })).expect("a file");
        assert!(resume(POSITIONS).status.success());
        let all = std::fs::read_to_string(&path).expect("answers");
        assert!(all.starts_with(&first) && all.lines().count() == 5, "{all}");
        // Answers to other positions, or of another kind, are refused and kept.
        let json: &[&str] = if is_json { &["--json"] } else { &[] };
        let other: &[&str] = if more.contains(&"--all-moves") { &[] } else { &["--all-moves"] };
        let output = run(&[&["solve", "--game", "minichess", "--resume", &path], json, other].concat(), POSITIONS);
        assert!(stderr(&output).contains("which was not changed"), "{more:?}: {}", stderr(&output));
        let output = resume("9 W k..../...../...../...../...../...RK\n");
        assert!(stderr(&output).contains("which was not changed"), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&path).expect("answers"), all);
    }
}

/// Positions whose proofs need moves, and their results.
const PROVABLE: [(&str, &str); 3] = [
    ("30 W ...../.k.../...../...../..Q../....K\n", "win in 9"),
    ("36 W kqbnr/ppppp/...../...../PPPPP/RNBQK\n", "draw"),
    ("30 B ..k../...../...../..Q../...../....K\n", "loss in 10"),
];

/// The certificate of a position, as lines.
fn certificate(home: &Home, position: &str) -> Vec<String> {
    let path = home.path("proof.jsonl");
    let answer = solve(&["--certificate", &path], position);
    assert!(answer.starts_with("1 "), "{answer}");
    std::fs::read_to_string(path).expect("a proof").lines().map(str::to_string).collect()
}

/// Verifies lines of a certificate.
fn verify(home: &Home, lines: &[String], more: &[&str]) -> (Option<i32>, String) {
    let path = home.write("checked.jsonl", lines.join("\n") + "\n");
    let output = run(&[&["verify", &path], more].concat(), "");
    (output.status.code(), stdout(&output) + &stderr(&output))
}

/// A line with some text replaced, sealed again.
fn changed(line: &str, from: &str, to: &str) -> String {
    let (content, _) = line.rsplit_once(",\"checksum\"").expect("a sealed line");
    assert!(content.contains(from), "{from} in {content}");
    let record: Value = serde_json::from_str(&(content.replacen(from, to, 1) + "}")).expect("JSON");
    let mut fields = record.as_object().expect("an object").clone();
    fields.remove("version");
    json::sealed_line(&fields).expect("JSON")
}

#[test]
fn certificates_are_checked() {
    let home = Home::new();
    for (position, words) in PROVABLE {
        let lines = certificate(&home, position);
        let (status, text) = verify(&home, &lines, &[]);
        assert!(status == Some(0) && text.contains(words), "{text}");
    }
    let lines = certificate(&home, PROVABLE[0].0);
    let with = |index: usize, line: String| {
        let mut changed = lines.clone();
        changed[index] = line;
        verify(&home, &changed, &[])
    };
    // A result, a distance and a claim that the rest does not prove; a damaged and a missing line.
    for (from, to) in [("\"win\"", "\"loss\""), ("\"plies\":9", "\"plies\":7"), ("\"plies\":9", "\"plies\":11")] {
        let (status, text) = with(0, changed(&lines[0], from, to));
        assert!(status == Some(1) && text.contains("names no claim"), "{text}");
    }
    let all = lines.iter().position(|line| line.contains("\"reason\":\"moves\"") && line.contains("\"plies\":8"));
    let all = all.expect("a claim about all moves");
    let record: Value = serde_json::from_str(&lines[all]).expect("JSON");
    let first = record["moves"][0].to_string() + ",";
    let (status, text) = with(all, changed(&lines[all], &first, ""));
    assert!(status == Some(1) && text.contains("is missing"), "{text}");
    let (status, text) = with(all, changed(&lines[all], "\"reason\":\"moves\"", "\"reason\":\"rules\""));
    assert!(status == Some(1) || text.contains("result"), "{text}");
    let (status, text) = with(1, lines[1].replacen("\"claim\":0", "\"claim\":1", 1));
    assert!(status == Some(2) && text.contains("checksum"), "{text}");
    let (status, text) = verify(&home, &lines[..lines.len() - 1], &[]);
    assert!(status == Some(2) && text.contains("the file ends"), "{text}");
    // One certificate is of one position.
    let output = run(&["solve", "--game", "minichess", "--certificate", &home.path("x")], POSITIONS);
    assert!(stderr(&output).contains("expected one position") && output.status.code() == Some(2));
}

/// The strategies of the positions are accepted; one of another result, a longer and a shorter one are not.
#[test]
fn strategies_are_checked() {
    let home = Home::new();
    let path = home.path("proof.strategy");
    for (position, words) in PROVABLE {
        solve(&["--certificate", &path, "--compact", "--threads", "2"], position);
        let output = run(&["verify", "--json", "--jobs", "2", "--hash", "16", &path], "");
        let verdict = &objects(&stdout(&output))[0];
        assert!(output.status.success() && verdict["proven"] == true, "{verdict}");
        assert!(verdict["result"].as_str().is_some_and(|result| result.starts_with(words)), "{verdict}");
        let bytes = std::fs::read(&path).expect("a strategy");
        let end = bytes.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
        let (line, moves) = (std::str::from_utf8(&bytes[..end - 1]).expect("text"), &bytes[end..]);
        assert_eq!(verdict["moves"], moves.len());
        let refused = |line: &str, moves: &[u8], reason: &str| {
            std::fs::write(&path, [line.as_bytes(), b"\n", moves].concat()).expect("a file");
            let output = run(&["verify", &path], "");
            let text = stdout(&output) + &stderr(&output);
            assert!(!output.status.success() && text.contains(reason), "{reason}: {text}");
        };
        refused(line, &moves[1..], "");
        refused(line, &moves[..moves.len() / 2], "the strategy ends after");
        refused(line, &[moves, &[0]].concat(), "goes on after");
        refused(&line.replacen("\"hash\":", "\"hash\":1", 1), moves, "the checksum is wrong");
        refused(&changed(line, "\"tables\":false", "\"tables\":true"), moves, "flipside tables");
        if words == "win in 9" {
            refused(&changed(line, "\"plies\":9", "\"plies\":8"), moves, "no proof: ");
            refused(&changed(line, "\"plies\":9", "\"plies\":50"), moves, "fewer plies left");
        }
    }
}

/// One question alone: what a draw answers by two, and a win that is found all the same; its certificates are checked.
#[test]
fn a_side_alone_is_asked_about() {
    let home = Home::new();
    let path = home.path("proof");
    let (draw, loss) = (PROVABLE[1].0, PROVABLE[2].0);
    for (position, ask, words) in
        [(draw, "win", "no win"), (draw, "loss", "no loss"), (loss, "win", "no win"), (loss, "loss", "loss in 10")]
    {
        for compact in [&[][..], &["--compact"]] {
            let answer = solve(&[&["--ask", ask, "--certificate", &path], compact].concat(), position);
            assert!(answer.contains(&format!(" {words} exact ")), "{answer}");
            let output = run(&["verify", &path], "");
            assert!(output.status.success() && stdout(&output).contains(words), "{}", stdout(&output));
        }
    }
    // What was shown of one side is not shown of the other, nor of both.
    solve(&["--ask", "win", "--certificate", &path], draw);
    let lines: Vec<String> = std::fs::read_to_string(&path).expect("a proof").lines().map(str::to_string).collect();
    for other in ["\"no loss\"", "\"draw\""] {
        let mut claims = lines.clone();
        claims[0] = changed(&lines[0], "\"no win\"", other);
        let (status, text) = verify(&home, &claims, &[]);
        assert!(status == Some(1) && text.contains("names no claim"), "{text}");
    }
    let nodes = |more: &[&str]| objects(&solve(&[&["--json"], more].concat(), draw))[0]["nodes"].as_u64();
    assert!(nodes(&["--ask", "win"]) < nodes(&[]), "half of the work");
    for more in [&["--all-moves"][..], &["--resume", &home.path("answers")]] {
        let output = run(&[&["solve", "--game", "minichess", "--ask", "win"], more].concat(), draw);
        assert!(output.status.code() == Some(2) && stderr(&output).contains("cannot be used with"));
    }
    for json in [&[][..], &["--json"]] {
        let answers = home.write("answers", solve(&[&["--ask", "win"], json].concat(), draw));
        let output = run(&[&["solve", "--game", "minichess", "--resume", &answers], json].concat(), draw);
        assert!(stderr(&output).contains("which was not changed"), "{}", stderr(&output));
    }
    let output = run(&["solve", "--ask", "win"], "");
    assert!(stderr(&output).contains("--ask"), "{}", stderr(&output));
}

/// A checkpoint is used again; one that is damaged or does not fit is refused and kept.
#[test]
fn a_proof_goes_on_from_its_checkpoint() {
    let home = Home::new();
    let path = home.path("checkpoint");
    let position = "33 W kqbnr/ppppp/...../...../PPPPP/RNBQK\n";
    let prove = |more: &[&str]| {
        run(&[&["solve", "--game", "minichess", "--json", "--checkpoint", &path], more].concat(), position)
    };
    let first = &objects(&stdout(&prove(&[])))[0];
    let second = &objects(&stdout(&prove(&[])))[0];
    assert_eq!((&first["result"], &first["nodes"]), (&second["result"], &second["nodes"]));
    let bytes = std::fs::read(&path).expect("a checkpoint");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    for (content, hash, reason) in [(&damaged, "256", "no whole table"), (&bytes, "1", "more than there is room for")] {
        std::fs::write(&path, content).expect("a file");
        let output = prove(&["--hash", hash]);
        assert!(stderr(&output).contains(reason) && output.status.code() == Some(2), "{}", stderr(&output));
        assert_eq!(&std::fs::read(&path).expect("a checkpoint"), content);
    }
}
