//! The `flipside` binary: runs the command line of the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    flipside::main()
}
