//! Requests of an XBoard host, the meaning of some lines, and random ones.

use crate::board::{Board, Outcome, Style};
use crate::dice::Dice;
use crate::game::Game;
use crate::options;
use crate::words::{Pattern, number, random_move, random_position, read_position, words};
use std::collections::VecDeque;

const STYLE: Style = Style::Chess;

/// How the engine reacts to a move of the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Play,
    Force,
    Analyze,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Lines(VecDeque<Pattern>),
    Nothing,
    Option {
        name: String,
        value: String,
    },
    Start,
    Setup(String),
    Variant(String),
    Undo(usize),
    Play(String),
    Think(Think),
    /// Goes on until another request.
    Analysis(Think),
}

/// A search for a move, after the user's move if there is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Think {
    pub after: Option<String>,
    /// Whether it ends by itself and soon.
    pub short: bool,
    /// Whether the host has called for the move.
    pub called: bool,
    /// Whether the host has dropped it.
    pub dropped: bool,
    /// Whether a draw has been offered with it.
    pub offered: bool,
    /// The depth that it must reach visibly, if nothing else limits it.
    pub to_reach: Option<u64>,
    pub reached: u64,
    /// Whether it needs no further iteration.
    pub proven: bool,
}

impl Think {
    /// The search after a line of play or a comment on the next one.
    pub fn shows(&self, line: &str) -> Think {
        let reached = words(line).first().and_then(|depth| number(depth)).unwrap_or(self.reached);
        let proven = self.proven || line.ends_with(" exact") || line.ends_with(" wld") || line.contains(" 1000");
        Think { reached, proven, ..self.clone() }
    }

    /// Whether the search has reached its limit, as far as the host can see.
    pub fn is_complete(&self, board: &Board) -> bool {
        let deep = self.to_reach.is_none_or(|depth| self.reached >= depth.min(12).min(board.plies_left()));
        deep || self.proven || self.called || self.dropped || board.moves().len() <= 1
    }
}

/// The output of the side to move on a finished game.
pub fn last_word(outcome: &Outcome, board: &Board) -> &'static str {
    match outcome.first_won {
        None => "offer draw",
        Some(first) if first != board.first_to_move() => "resign",
        Some(_) => "# the game is over",
    }
}

/// Whether the opponent wins with the next move against every move; against some move if the engine is `weak`, because
/// it may choose the quickest of many losses (the textbook's algorithms do not distinguish them).
pub fn loses_at_once(board: &Board, weak: bool) -> bool {
    let lost = |after: Board| {
        let first = after.first_to_move();
        let wins = |board: Board| board.outcome().is_some_and(|outcome| outcome.first_won == Some(first));
        wins(after.clone()) || after.moves().iter().any(|&mv| wins(after.play(mv)))
    };
    let mut moves = board.moves().into_iter().map(|mv| board.play(mv));
    if weak { moves.any(lost) } else { moves.all(lost) }
}

/// Seconds with or without a fraction.
pub fn seconds(text: &str) -> Option<f64> {
    let proper = text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|seconds| proper && *seconds <= 1e9)
}

/// Whether the clock of a `level` lets a move last; `None` if the text is not a `level`.
pub fn level(text: &str) -> Option<bool> {
    let [moves, base, increment] = words(text)[..] else { return None };
    number(moves).filter(|moves| *moves <= u32::MAX.into())?;
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let base = seconds(minutes)? * 60.0 + seconds(rest)?;
    let increment = seconds(increment)?;
    Some(base > 0.5 || increment > 0.3)
}

/// Two squares with or without a piece, or a drop: hosts may leave `usermove` out.
pub fn is_bare_move(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let squares = matches!(letters[..], [a, b, c, d] | [a, b, c, d, 'a'..='z']
        if a.is_ascii_lowercase() && b.is_ascii_digit() && c.is_ascii_lowercase() && d.is_ascii_digit());
    squares || matches!(letters[..], [a, '@', _, _] | [a, '@', _, _, 'a'..='z'] if a.is_ascii_uppercase())
}

/// A line for the host to send.
pub fn random(dice: &mut Dice, game: &mut Game) -> String {
    match dice.below(30) {
        0..=8 => {
            let mv = random_move(dice, game.now(), STYLE);
            game.play(None, &mv, STYLE);
            if dice.chance(85) { format!("usermove {mv}") } else { mv }
        }
        9..=11 => "go".into(),
        12 => dice.pick(&["force", "force", "exit", "result 1-0 {x}", "playother", "playother"]).into(),
        13 => dice.pick(&["new", "new", "protover 2", "protover x", "xboard"]).into(),
        14 => format!("variant {}", dice.pick(&["minichess", "flipello", "chess", ""])),
        15 | 16 => {
            let text = random_position(dice, game.now(), STYLE);
            *game = read_position(&text, game.now(), STYLE).map_or(game.clone(), Game::new);
            format!("setboard {text}")
        }
        17 | 18 => dice.pick(&["undo", "remove"]).into(),
        19 => "analyze".into(),
        20 | 21 => "?".into(),
        22 => format!("sd {}", dice.pick(&["1", "2", "3", "4", "50", "3000000000"])),
        23 => {
            let clocks = [
                "st 0.01",
                "st 100",
                "level 40 5 0",
                "level 0 0:00.2 0",
                "level 1 x",
                "time 10",
                "time -5",
                "time x",
                "otim 30",
            ];
            dice.pick(&clocks).into()
        }
        24 => dice.pick(&["post", "nopost"]).into(),
        25 | 26 => dice.pick(&["hard", "hard", "easy"]).into(),
        27 => dice.pick(&[".", "hint", "bk", ".", "hint"]).into(),
        28 => {
            let (name, value) = options::random(dice);
            let value = value.replace("<empty>", "");
            if value.is_empty() { format!("option {name}") } else { format!("option {name}={value}") }
        }
        _ => {
            let id = dice.below(1000).to_string();
            let rest = [
                "", " ", "memory 1", "cores 2", "cores 0", "hello", "draw", "usermove", "random", "setboard", "ping",
                "name X",
            ];
            if dice.chance(30) { format!("ping {id}") } else { dice.pick(&rest).into() }
        }
    }
}
