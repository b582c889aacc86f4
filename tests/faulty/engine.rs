//! A small GTP engine for Othello with one fault on request: the first argument is the fault, or `none`. It uses the
//! standard library only, so the tests compile it alone.

use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

/// 0 empty, 1 black, 2 white.
type Board = [[u8; 8]; 8];

fn start() -> Board {
    let mut board = [[0; 8]; 8];
    (board[3][3], board[4][4], board[3][4], board[4][3]) = (2, 2, 1, 1);
    board
}

/// The discs that a move flips; none if it is not legal.
fn flips(board: &Board, colour: u8, row: usize, column: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    if board[row][column] != 0 {
        return all;
    }
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let mut run = Vec::new();
        let (mut r, mut c) = (row as i32 + down, column as i32 + right);
        while (0..8).contains(&r) && (0..8).contains(&c) {
            match board[r as usize][c as usize] {
                0 => break,
                disc if disc == colour => {
                    all.append(&mut run);
                    break;
                }
                _ => run.push((r as usize, c as usize)),
            }
            (r, c) = (r + down, c + right);
        }
    }
    all
}

fn play(board: &mut Board, colour: u8, row: usize, column: usize) -> bool {
    let discs = flips(board, colour, row, column);
    for &(r, c) in &discs {
        board[r][c] = colour;
    }
    if !discs.is_empty() {
        board[row][column] = colour;
    }
    !discs.is_empty()
}

fn first_legal(board: &Board, colour: u8) -> Option<(usize, usize)> {
    (0..64).map(|i| (i / 8, i % 8)).find(|&(row, column)| !flips(board, colour, row, column).is_empty())
}

fn answer(id: &str, accepted: bool, text: &str) {
    let mark = if accepted { '=' } else { '?' };
    let mut out = stdout().lock();
    let _ = writeln!(out, "{mark}{id}{}{text}\n", if text.is_empty() { "" } else { " " });
    let _ = out.flush();
}

/// What happens instead of an answer to genmove.
fn misbehave(fault: &str, id: &str, mv: &str) -> bool {
    match fault {
        "illegal" => answer(id, true, "A1"),
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(3600));
        },
        "crash" => std::process::exit(3),
        "slow" => {
            std::thread::sleep(Duration::from_millis(1800));
            answer(id, true, mv);
        }
        "garbage" => {
            let _ = writeln!(stdout().lock(), "thinking\n");
            answer(id, true, mv);
        }
        "flood" => {
            let mut out = stdout().lock();
            while out.write_all(b"output without a line end ").is_ok() {}
        }
        "close" => {
            // The standard library cannot close the output of a process that goes on; a shell can.
            use std::os::unix::process::CommandExt;
            let error = std::process::Command::new("sh").args(["-c", "exec >&-; sleep 3600"]).exec();
            panic!("cannot run sh: {error}");
        }
        "split" => {
            let mut out = stdout().lock();
            let text = format!("={id} {mv}\n\n");
            for half in [&text[..2], &text[2..]] {
                let _ = out.write_all(half.as_bytes());
                let _ = out.flush();
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        _ => return false,
    }
    true
}

fn main() {
    let fault = std::env::args().nth(1).unwrap_or_default();
    let mut board = start();
    for line in stdin().lock().lines() {
        let Ok(line) = line else { return };
        let clean: String = line.split('#').next().unwrap_or("").replace('\t', " ");
        let clean: String = clean.chars().filter(|c| !c.is_control()).collect();
        let mut words: Vec<&str> = clean.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let id = if words[0].bytes().all(|b| b.is_ascii_digit()) { words.remove(0).to_string() } else { String::new() };
        let colour = match words.get(1).map(|word| word.to_ascii_lowercase()).as_deref() {
            Some("b" | "black") => Some(1),
            Some("w" | "white") => Some(2),
            _ => None,
        };
        match (words.first().copied().unwrap_or(""), colour) {
            ("quit", _) => return answer(&id, true, ""),
            ("protocol_version", _) => answer(&id, true, "2"),
            ("name", _) => answer(&id, true, "Faulty"),
            ("version", _) => answer(&id, true, "1"),
            ("known_command", _) => answer(&id, true, if words.get(1) == Some(&"play") { "true" } else { "false" }),
            ("list_commands", _) => answer(
                &id,
                true,
                "protocol_version\nname\nversion\nknown_command\nlist_commands\nquit\nboardsize\nclear_board\nkomi\nplay\n\
                 genmove\ntime_settings\ntime_left",
            ),
            ("boardsize", _) if words.get(1) == Some(&"8") => answer(&id, true, ""),
            ("boardsize", _) => answer(&id, false, "unacceptable size"),
            ("clear_board", _) => {
                board = start();
                answer(&id, true, "");
            }
            ("komi" | "time_settings" | "time_left", _) => answer(&id, true, ""),
            ("play", Some(colour)) => {
                let vertex = words.get(2).map(|word| word.to_ascii_lowercase()).unwrap_or_default();
                let bytes = vertex.as_bytes();
                let legal = if vertex == "pass" {
                    first_legal(&board, colour).is_none()
                } else {
                    bytes.len() == 2
                        && (b'a'..=b'h').contains(&bytes[0])
                        && (b'1'..=b'8').contains(&bytes[1])
                        && play(&mut board, colour, (bytes[1] - b'1') as usize, (bytes[0] - b'a') as usize)
                };
                answer(&id, legal, if legal { "" } else { "illegal move" });
            }
            ("genmove", Some(colour)) => match first_legal(&board, colour) {
                None => answer(&id, true, "PASS"),
                Some((row, column)) => {
                    play(&mut board, colour, row, column);
                    let mv = format!("{}{}", (b'A' + column as u8) as char, row + 1);
                    if !misbehave(&fault, &id, &mv) {
                        answer(&id, true, &mv);
                    }
                }
            },
            ("play" | "genmove", None) => answer(&id, false, "syntax error"),
            _ => answer(&id, false, "unknown command"),
        }
    }
}
