//! A run of the program from its input to its end.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// What the program says and prints, with these arguments and this input.
pub fn run(words: &[&str], input: impl AsRef<[u8]>) -> Output {
    run_command(Command::new(env!("CARGO_BIN_EXE_flipside")).args(words), input)
}

/// The same of a command that a test has prepared.
pub fn run_command(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // Beside the output, which a program may write before it has read everything. It may end without reading.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("an end");
    feeder.join().expect("the input");
    output
}

/// What was printed.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What was said on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
