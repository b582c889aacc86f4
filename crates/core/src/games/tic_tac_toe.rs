//! Tic-tac-toe: the smallest game of the engine.

use crate::search::game::Game;
use crate::search::notation::{Grid, Notation, PositionError, Style};
use crate::search::types::{Score, Side, WIN};
use arrayvec::ArrayVec;

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// Squares a1 b1 c1 a2 … c3 are bits 0 to 8; row 1 is at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    own: u16,
    other: u16,
}

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for TicTacToe {
    type Position = Marks;
    type Move = u8;
    type MoveList<T: Clone> = ArrayVec<T, 9>;

    fn start(&self) -> Marks {
        Marks { own: 0, other: 0 }
    }

    /// The player who has just moved may have made a line; a full board is a draw.
    fn outcome(&self, marks: &Marks) -> Option<Score> {
        let holds = |set: u16| LINES.iter().any(|line| set & line == *line);
        match (holds(marks.own), holds(marks.other)) {
            (true, _) => Some(WIN),
            (_, true) => Some(-WIN),
            _ => (marks.own | marks.other == FULL).then_some(0),
        }
    }

    fn moves(&self, marks: &Marks) -> impl Iterator<Item = u8> {
        let taken = marks.own | marks.other;
        (0..9).filter(move |square| taken >> square & 1 == 0)
    }

    fn play(&self, marks: &Marks, square: u8) -> Marks {
        Marks { own: marks.other, other: marks.own | 1 << square }
    }

    fn key(&self, marks: &Marks) -> u64 {
        (u64::from(marks.own) << 9 | u64::from(marks.other)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn code(&self, square: u8) -> u16 {
        u16::from(square)
    }
}

impl Notation for TicTacToe {
    fn name(&self) -> &'static str {
        "tic-tac-toe"
    }

    fn sides(&self) -> [&'static str; 2] {
        ["x", "o"]
    }

    fn show_move(&self, _: &Marks, square: u8, _: Style) -> String {
        format!("{}{}", (b'a' + square % 3) as char, square / 3 + 1)
    }

    fn show_position(&self, marks: &Marks, side: Side, _: Style) -> String {
        let squares: String = self.grid(marks, side).into_iter().flat_map(|grid| grid.rows.concat()).collect();
        format!("{squares} {}", ['x', 'o'][side.index()])
    }

    fn read_position(&self, text: &str, _: Style) -> Result<(Marks, Side), PositionError> {
        let symbols: Vec<char> = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
        let side = match symbols.get(9) {
            Some('x') => Side::First,
            Some('o') => Side::Second,
            _ => return Err(PositionError(format!("expected nine of x, o and ., then x or o, saw '{text}'"))),
        };
        if symbols.len() != 10 || symbols.iter().any(|c| !"xo.".contains(*c)) {
            return Err(PositionError(format!("expected nine of x, o and ., then x or o, saw '{text}'")));
        }
        let set = |mark| (0..9).filter(|&at| symbols[at] == mark).map(|at| 1 << at).sum();
        let sets: [u16; 2] = [set('x'), set('o')];
        Ok((Marks { own: sets[side.index()], other: sets[side.other().index()] }, side))
    }

    fn grid(&self, marks: &Marks, side: Side) -> Option<Grid> {
        let names = if side == Side::First { ['x', 'o'] } else { ['o', 'x'] };
        let mark = |square: usize| match (marks.own >> square & 1, marks.other >> square & 1) {
            (1, _) => names[0],
            (_, 1) => names[1],
            _ => '.',
        };
        let rows = (0..3).map(|row| (0..3).map(|column| mark(row * 3 + column)).collect()).collect();
        Some(Grid { rows, first_row_on_top: true })
    }
}
