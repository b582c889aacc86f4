//! A small engine for Othello with one fault on request: the first argument is the fault, or `none`, the second the
//! protocol (`gtp` without one), the third a file for the numbers of its process and its helper. It uses the standard
//! library only, so the tests compile it alone.

use std::io::{BufRead, Write, stdin, stdout};
use std::process::Command;
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
    print(&format!("{mark}{id}{}{text}\n\n", if text.is_empty() { "" } else { " " }));
}

fn print(text: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Writes the numbers of this process and of a helper that it starts and that outlives it.
fn start_helper() {
    let helper = Command::new("sleep").arg("3600").spawn().expect("sleep runs");
    let path = std::env::args().nth(3).expect("a file");
    let partial = format!("{path}.part");
    std::fs::write(&partial, format!("{} {}", std::process::id(), helper.id())).expect("a file");
    std::fs::rename(partial, path).expect("a file");
}

/// Misbehaves instead of answering the request for a move. `reply` is the right answer, `illegal` has an illegal move,
/// `games` counts the games so far.
fn misbehave(fault: &str, reply: &str, illegal: &str, games: u32) -> bool {
    match fault {
        "illegal" => print(illegal),
        "hang" => sleep_for_ever(),
        // It ignores even the end of its input.
        "deaf" if games > 1 => {
            start_helper();
            sleep_for_ever();
        }
        "crash" => std::process::exit(3),
        "slow" => {
            std::thread::sleep(Duration::from_millis(1800));
            print(reply);
        }
        "garbage" => {
            print("thinking\n\n");
            print(reply);
        }
        "twice" => {
            print(reply);
            print(reply);
        }
        "flood" => {
            let mut out = stdout().lock();
            while out.write_all(b"output without a line end ").is_ok() {}
        }
        "chatter" => {
            let mut out = stdout().lock();
            let line = format!("= {}\n", "chatter ".repeat(1_000));
            while out.write_all(line.as_bytes()).is_ok() {}
        }
        "close" => {
            // The standard library cannot close the output of a running process, but a shell can.
            use std::os::unix::process::CommandExt;
            let error = Command::new("sh").args(["-c", "exec >&-; sleep 3600"]).exec();
            panic!("cannot run sh: {error}");
        }
        "split" => {
            for half in [&reply[..2], &reply[2..]] {
                print(half);
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        _ => return false,
    }
    true
}

/// Row and column of a square; UCI and XBoard count ranks from below.
fn square(text: &str, from_below: bool) -> Option<(usize, usize)> {
    let &[file, rank] = text.to_ascii_lowercase().as_bytes() else { return None };
    let inside = (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    let row = usize::from(rank.wrapping_sub(b'1'));
    inside.then(|| (if from_below { 7 - row } else { row }, usize::from(file - b'a')))
}

/// A game as NBoard, UCI and XBoard hosts send it: from the start, the sides in turn.
struct Turns {
    board: Board,
    colour: u8,
}

impl Turns {
    fn new() -> Turns {
        Turns { board: start(), colour: 1 }
    }

    /// Plays a move; any text but a square is a pass.
    fn play(&mut self, text: &str, from_below: bool) {
        if let Some((row, column)) = square(text.strip_prefix("P@").unwrap_or(text), from_below) {
            play(&mut self.board, self.colour, row, column);
        }
        self.colour = 3 - self.colour;
    }

    /// The first legal move.
    fn choose(&self, from_below: bool) -> String {
        let (row, column) = first_legal(&self.board, self.colour).expect("the referee passes");
        let rank = if from_below { 8 - row } else { row + 1 };
        format!("{}{rank}", (b'a' + column as u8) as char)
    }
}

/// A game over NBoard, UCI or XBoard. No square of the corner a1 is legal in the first moves.
fn other_protocol(protocol: &str, fault: &str) {
    let mut game = Turns::new();
    let mut games = 0;
    let mut forced = true;
    for line in stdin().lock().lines() {
        let Ok(line) = line else { return };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let mut to_move = false;
        match (protocol, word) {
            (_, "quit") => return,
            ("uci", "uci") => print("id name Faulty\nuciok\n"),
            ("uci", "isready") => print("readyok\n"),
            ("uci", "position") => {
                game = Turns::new();
                let moves = rest.split_once("moves ").map_or("", |(_, moves)| moves);
                moves.split_whitespace().for_each(|mv| game.play(mv, true));
            }
            ("xboard", "protover") => print("feature ping=1 usermove=1 setboard=1 variants=\"flipello\" done=1\n"),
            ("nboard" | "xboard", "ping") => print(&format!("pong {rest}\n")),
            ("xboard", "new") => (game, forced) = (Turns::new(), true),
            ("xboard", "force") => forced = true,
            ("xboard", "usermove") => {
                game.play(rest, true);
                to_move = !forced;
            }
            ("nboard", "set") if rest.starts_with("game ") => {
                game = Turns::new();
                let moves = rest.split("]B[").flat_map(|part| part.split("]W[")).skip(1);
                moves.for_each(|mv| game.play(mv.split(['/', ']']).next().unwrap_or_default(), false));
            }
            ("nboard", "move") => game.play(rest.split('/').next().unwrap_or_default(), false),
            _ => {}
        }
        games += u32::from(matches!((protocol, word), ("uci", "ucinewgame") | ("xboard", "new")) || rest.starts_with("game "));
        if word == "go" {
            (to_move, forced) = (true, false);
        }
        if to_move {
            let from_below = protocol != "nboard";
            let mv = game.choose(from_below);
            let line = |mv: &str| match protocol {
                "uci" => format!("bestmove P@{mv}\n"),
                "xboard" => format!("move P@{mv}\n"),
                _ => format!("=== {mv}\n"),
            };
            if !misbehave(fault, &line(&mv), &line("a1"), games) {
                print(&line(&mv));
            }
            if protocol == "xboard" {
                game.play(&mv, from_below);
            }
        }
    }
}

fn main() {
    let fault = std::env::args().nth(1).unwrap_or_default();
    let protocol = std::env::args().nth(2).unwrap_or_default();
    if fault == "helper" {
        start_helper();
    }
    if ["nboard", "uci", "xboard"].contains(&protocol.as_str()) {
        return other_protocol(&protocol, &fault);
    }
    let mut board = start();
    let mut games = 0;
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
                games += 1;
                answer(&id, true, "");
            }
            ("komi" | "time_settings" | "time_left", _) => answer(&id, true, ""),
            ("play", Some(colour)) => {
                let vertex = words.get(2).map(|word| word.to_ascii_lowercase()).unwrap_or_default();
                let legal = if vertex == "pass" {
                    first_legal(&board, colour).is_none()
                } else {
                    square(&vertex, false).is_some_and(|(row, column)| play(&mut board, colour, row, column))
                };
                answer(&id, legal, if legal { "" } else { "illegal move" });
            }
            ("genmove", Some(colour)) => match first_legal(&board, colour) {
                None => answer(&id, true, "PASS"),
                Some((row, column)) => {
                    play(&mut board, colour, row, column);
                    let mv = format!("{}{}", (b'A' + column as u8) as char, row + 1);
                    if !misbehave(&fault, &format!("={id} {mv}\n\n"), &format!("={id} A1\n\n"), games) {
                        answer(&id, true, &mv);
                    }
                }
            },
            ("play" | "genmove", None) => answer(&id, false, "syntax error"),
            _ => answer(&id, false, "unknown command"),
        }
    }
}
