//! The program at a terminal: a pty, and the person's side of it.

use super::TIMEOUT;
use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// The program at a terminal, and the person's side of it.
pub struct Terminal {
    /// The program.
    pub child: Child,
    /// What the person types and sees.
    pub side: File,
    /// Text that was read but not yet returned.
    pub shown: String,
}

impl Terminal {
    /// Starts the program with these arguments at a terminal with `columns` columns.
    pub fn start(arguments: &[&str], columns: u16) -> Terminal {
        Terminal::start_with(arguments, columns, &[])
    }

    /// The same with environment variables.
    pub fn start_with(arguments: &[&str], columns: u16, variables: &[(&str, &str)]) -> Terminal {
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(Some(&size), None).expect("a pty");
        // Programs that other tests start meanwhile must not keep the terminal open.
        for end in [&pty.master, &pty.slave] {
            rustix::io::fcntl_setfd(end, rustix::io::FdFlags::CLOEXEC).expect("a flag");
        }
        let end = || Stdio::from(pty.slave.try_clone().expect("a handle"));
        let child = Command::new(env!("CARGO_BIN_EXE_flipside"))
            .args(arguments)
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .envs(variables.iter().copied())
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("the program starts");
        Terminal { child, side: File::from(pty.master), shown: String::new() }
    }

    /// Reads until the text is shown; returns everything up to then.
    pub fn until(&mut self, wanted: &[&str]) -> String {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let found = wanted.iter().filter_map(|text| Some(self.shown.find(text)? + text.len())).min();
            if let Some(end) = found {
                return self.shown.drain(..end).collect();
            }
            assert!(Instant::now() < deadline, "no {wanted:?} in {}", self.shown);
            assert!(self.read(), "the program ended: {}", self.shown);
        }
    }

    /// Everything up to the end of the program.
    pub fn rest(mut self) -> String {
        while self.read() {}
        std::mem::take(&mut self.shown)
    }

    /// Reads what is shown next; returns false if the program has ended.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.side.read(&mut bytes) {
            Ok(0) | Err(_) => false,
            Ok(length) => {
                self.shown.push_str(&String::from_utf8_lossy(&bytes[..length]));
                true
            }
        }
    }

    /// Types a line.
    pub fn type_line(&mut self, line: &str) {
        self.side.write_all(format!("{line}\r").as_bytes()).expect("the program reads");
    }
}

/// The text without colours, bold and underlined.
pub fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
