//! The pictures of games that the service draws for people (`client -`).

use super::message::Message;
use flipside_host::record::ggf::GgfClock;
use std::time::Duration;

/// The present position of a game as a picture shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The position in one line: 64 squares from a1, and the side to move.
    pub position: String,
    /// The players, Black first.
    pub players: [String; 2],
    /// Their clocks.
    pub clocks: [Duration; 2],
}

/// Whether a message draws a game.
pub fn is_picture(message: &Message) -> bool {
    message.body.iter().any(|line| line.trim_end().ends_with("to move"))
}

/// The last board of a picture, which is the present one. `None` if a part of it is missing.
pub fn read(message: &Message) -> Option<Picture> {
    let rows: Vec<String> = message.body.iter().filter_map(|line| row(line)).collect();
    let board = rows.get(rows.len().checked_sub(8)?..)?.concat();
    let mover = message.body.iter().rev().find_map(|line| line.trim().strip_suffix("to move"))?.trim();
    let [black, white] = ['*', 'O'].map(|disc| message.body.iter().rev().find_map(|line| player(line, disc)));
    let (black, white) = (black?, white?);
    if !["*", "O"].contains(&mover) {
        return None;
    }
    Some(Picture { position: format!("{board} {mover}"), players: [black.0, white.0], clocks: [black.1, white.1] })
}

/// The eight squares of ` 1 - - * O - - - - 1`.
fn row(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [first, squares @ .., last] = words.as_slice() else { return None };
    let is_row = first == last && squares.len() == 8 && matches!(first.parse(), Ok(1..=8));
    let is_square = |square: &&str| ["-", "*", "O"].contains(square);
    (is_row && squares.iter().all(is_square)).then(|| squares.concat())
}

/// The name and the clock in `alice (1720.0 *) 00:59,0:0//02:00,0:0`, if that player has this disc.
fn player(line: &str, disc: char) -> Option<(String, Duration)> {
    let (name, rest) = line.split_once('(')?;
    let (rating, clock) = rest.split_once(')')?;
    let has_disc = rating.trim().ends_with(disc);
    // A clock that has run out may be negative.
    let clock = GgfClock::read(clock.trim()).and_then(|clock| clock.main).unwrap_or_default();
    (has_disc && !name.trim().is_empty()).then(|| (name.trim().to_string(), clock))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: &str) -> Message {
        Message { head: "/os: join .5 8b K?".into(), body: body.lines().map(str::to_string).collect() }
    }

    const START: &str = "0 move(s)
  0: PASS
alice    (1720.0 *) 00:59,0:0//02:00,0:0
bob      (1720.0 O) 01:00,0:0//02:00,0:0

   A B C D E F G H
 1 - - - - - - - - 1
 2 - - - - - - - - 2
 3 - - - - - - - - 3
 4 - - - O * - - - 4
 5 - - - * O - - - 5
 6 - - - - - - - - 6
 7 - - - - - - - - 7
 8 - - - - - - - - 8
   A B C D E F G H

* to move";

    #[test]
    fn a_picture_shows_board_players_and_clocks() {
        let picture = read(&message(START)).expect("a picture");
        assert_eq!(picture.position, "---------------------------O*------*O--------------------------- *");
        assert_eq!(picture.players, ["alice", "bob"]);
        assert_eq!(picture.clocks, [59, 60].map(Duration::from_secs));
        let later = START.replace("4 - - - O * - - - 4", "4 - - - * * - - - 4").replace("* to move", "O to move");
        let both = read(&message(&format!("{START}\n  1: d3//1\n{later}"))).expect("a picture");
        assert!(both.position.ends_with('O') && both.position.contains("**"), "the last board counts");
        let negative = START.replace("00:59,0:0//02:00,0:0", "-00:03,0:1//01:57,0:0");
        assert_eq!(read(&message(&negative)).expect("a picture").clocks[0], Duration::ZERO);
    }

    #[test]
    fn a_torn_picture_is_none() {
        let lines: Vec<&str> = START.lines().collect();
        for missing in (0..lines.len()).filter(|&index| lines[index].contains(['*', 'O', '-'])) {
            let mut left = lines.clone();
            left.remove(missing);
            assert_eq!(read(&message(&left.join("\n"))), None, "without '{}'", lines[missing]);
        }
    }
}
