//! A program that gives tasks of `join --stream` to workers that die, print garbage, answer twice or never. No answer
//! is lost or counted twice, and the value is right or reported as open.
#![cfg(all(unix, feature = "cli"))]

use crate::cluster::{forged, json};
use crate::common::home::Home;
use crate::common::program::{run, stderr, stdout};
use crate::library::FFO_1;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running program with pipes in both directions.
struct Program {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Program {
    fn start(words: &[&str]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
        let command = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Program { child, stdin, stdout }
    }

    fn worker() -> Program {
        Program::start(&["solve", "--json", "--hash", "1"])
    }

    fn send(&mut self, line: &str) {
        self.stdin.write_all(format!("{line}\n").as_bytes()).expect("a line");
    }

    /// The next line without its end; empty after the last one.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("a line");
        line.trim_end().to_string()
    }

    fn kill(mut self) {
        self.child.kill().expect("a process");
        self.child.wait().expect("an end");
    }

    /// Ends the input; returns the exit status and the text on stderr.
    fn end(self) -> (Option<i32>, String) {
        let Program { mut child, stdin, .. } = self;
        drop(stdin);
        let mut said = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        (child.wait().expect("an end").code(), said)
    }
}

/// The other side of the workers.
struct Stream(Program);

impl Stream {
    fn start(home: &Home) -> Stream {
        Stream(Program::start(&["join", "--stream", "--state", &home.path("state")]))
    }

    /// Requests tasks; returns them with the state of the proof.
    fn want(&mut self, count: u32, lost: &[u64]) -> (Vec<String>, Value) {
        self.0.send(&json!({ "want": count, "lost": lost }).to_string());
        let mut tasks = Vec::new();
        loop {
            let line = self.0.line();
            let record = json(&line);
            if record.get("task").is_none() {
                return (tasks, record);
            }
            tasks.push(line);
        }
    }
}

fn number(task: &str) -> u64 {
    json(task)["task"].as_u64().expect("a number")
}

fn split() -> Home {
    let home = Home::new();
    let state = home.path("state");
    let output = run(&["split", "--empties", "11", "--depth", "3", "--most", "1", "--state", &state, FFO_1], "");
    assert!(output.status.success(), "{}", stderr(&output));
    home
}

/// Checks that the value is right, that every answer counts once, and that the proof holds.
fn check_proof(home: &Home, result: &Value) {
    assert_eq!((&result["score"], &result["certainty"]), (&json!(18), &json!("exact")), "{result}");
    let state = home.read("state");
    let answers: Vec<u64> = state.lines().filter(|line| line.contains("\"record\":\"answer\"")).map(number).collect();
    assert_eq!(answers.len(), answers.iter().collect::<HashSet<_>>().len(), "an answer counted twice");
    assert_eq!(result["answers"], answers.len());
    let proof = home.path("proof");
    let again = run(&["join", "--state", &home.path("state"), "--proof", &proof], "");
    assert_eq!(json(stdout(&again).trim()), *result);
    let verified = run(&["verify", "--sample", "5", &proof], "");
    assert!(verified.status.success() && stdout(&verified).contains("value +18"), "{}", stdout(&verified));
}

/// How a worker treats its task.
enum Fate {
    Answers,
    DiesAtOnce,
    DiesWhilePrinting,
    AnswersTwice,
    PrintsGarbage,
    AnswersAnotherTask,
    ChangesADigit,
    IsAnotherVersion,
    HasOtherWeights,
}

const FATES: [Fate; 9] = [
    Fate::DiesAtOnce,
    Fate::Answers,
    Fate::DiesWhilePrinting,
    Fate::AnswersTwice,
    Fate::PrintsGarbage,
    Fate::AnswersAnotherTask,
    Fate::ChangesADigit,
    Fate::IsAnotherVersion,
    Fate::HasOtherWeights,
];

/// The lines that reach the joining side from a worker with this fate.
fn lines_of(fate: &Fate, task: &str, earlier: &str) -> Vec<String> {
    let mut worker = Program::worker();
    worker.send(task);
    if matches!(fate, Fate::DiesAtOnce) {
        worker.kill();
        return Vec::new();
    }
    let answer = worker.line();
    let (status, said) = worker.end();
    assert_eq!(status, Some(0), "{said}");
    match fate {
        Fate::Answers | Fate::DiesAtOnce => vec![answer],
        Fate::DiesWhilePrinting => vec![answer[..answer.len() / 2].to_string()],
        Fate::AnswersTwice => vec![answer.clone(), answer],
        Fate::PrintsGarbage => {
            ["Killed", "{\"task\":", "\u{0}\u{fffd}\u{7f}", "null", "[]", &format!("{answer}{answer}"), task]
                .map(String::from)
                .into()
        }
        Fate::AnswersAnotherTask => vec![earlier.to_string()],
        Fate::ChangesADigit => vec![answer.replace("\"nodes\":", "\"nodes\":1")],
        Fate::IsAnotherVersion => vec![forged(&answer, "flipside 0", "flipside 9")],
        Fate::HasOtherWeights => vec![forged(&answer, "\"evaluation\":\"network", "\"evaluation\":\"network x")],
    }
}

/// Each task meets another fate until a later worker answers it; sometimes the joining side is killed as well.
#[test]
fn workers_that_misbehave_cost_no_answer() {
    let home = split();
    let mut stream = Stream::start(&home);
    let (mut lost, mut earlier) = (Vec::new(), "none yet".to_string());
    let mut result = None;
    for round in 0.. {
        assert!(round < 500, "no end");
        let (tasks, status) = stream.want(1, &lost);
        if status.get("score").is_some() {
            result = Some(status);
            break;
        }
        let task = tasks.first().unwrap_or_else(|| panic!("nothing to do and nothing proven: {status}"));
        // Every fate four times; then the misbehaving workers stop, so that the test ends.
        let fate = if round < 4 * FATES.len() { &FATES[round % FATES.len()] } else { &Fate::Answers };
        for line in lines_of(fate, task, &earlier) {
            stream.0.send(&line);
            if parsed_or_null(&line)["score"].is_i64() && line.contains("flipside 0") {
                earlier = line;
            }
        }
        lost = vec![number(task)];
        if round == 12 {
            // A request is answered only after everything sent before is in the file.
            stream.want(0, &[]);
            stream.0.kill();
            stream = Stream::start(&home);
            lost.clear();
        }
    }
    let (status, said) = stream.0.end();
    assert_eq!(status, Some(1), "answers were refused");
    check_proof(&home, &result.expect("a result"));
    let named = [
        "not an answer of flipside solve --json: 'Killed'",
        "not an answer of flipside solve --json: '{\"version\"",
        "not an answer of flipside solve --json: 'null'",
        "the checksum is wrong, the line was changed",
        "answered by flipside 9",
        "with network x",
    ];
    for words in named {
        assert!(said.contains(words), "{words}: {said}");
    }
}

fn parsed_or_null(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or(Value::Null)
}

/// If no worker answers, the proof stays open and reports what is known; later workers can finish it.
#[test]
fn without_answers_the_value_stays_open() {
    let home = split();
    let mut stream = Stream::start(&home);
    let (first, status) = stream.want(3, &[]);
    assert_eq!((&status["bounds"], &status["open"], &status["answers"]), (&json!([-64, 64]), &json!(3), &json!(0)));
    let numbers: Vec<u64> = first.iter().map(|task| number(task)).collect();
    for _ in 0..3 {
        stream.0.send("Segmentation fault");
        let (again, status) = stream.want(3, &numbers);
        assert_eq!(again, first, "the same tasks are to do");
        assert_eq!((&status["bounds"], &status["answers"]), (&json!([-64, 64]), &json!(0)));
    }
    let (status, said) = stream.0.end();
    assert!(status == Some(1) && said.matches("refused").count() == 3, "{said}");
    assert!(said.contains("value unknown: ") && said.contains(" 0 answered"), "{said}");
    let refused = run(&["join", "--state", &home.path("state"), "--proof", &home.path("proof")], "");
    assert!(stderr(&refused).contains("there is no proof yet: value unknown"), "{}", stderr(&refused));

    let (mut stream, mut worker) = (Stream::start(&home), Program::worker());
    let result = loop {
        let (tasks, status) = stream.want(1, &[]);
        if status.get("score").is_some() {
            break status;
        }
        worker.send(&tasks[0]);
        stream.0.send(&worker.line());
    };
    assert_eq!((stream.0.end().0, worker.end().0), (Some(0), Some(0)));
    check_proof(&home, &result);
}
