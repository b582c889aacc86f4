//! A run of the program from its input to its end.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The output of the program with these arguments and this input.
pub fn run(words: &[&str], input: impl AsRef<[u8]>) -> Output {
    run_command(Command::new(env!("CARGO_BIN_EXE_flipside")).args(words), input)
}

/// As [`run`], for a prepared command.
pub fn run_command(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // In a thread, because the program may write before it has read everything. It may also end without reading.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("an end");
    feeder.join().expect("the input");
    output
}

/// Whether the program succeeds with these arguments and no input, and its text on stdout.
pub fn flipside(words: &[&str]) -> (bool, String) {
    let output = run(words, "");
    (output.status.success(), String::from_utf8(output.stdout).expect("text"))
}

/// The text on stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The report of a match without what its moves took: the times differ from run to run.
pub fn without_times(report: &[u8]) -> String {
    let report = String::from_utf8_lossy(report);
    report.lines().filter(|line| !line.ends_with(" s a move")).map(|line| line.to_string() + "\n").collect()
}
