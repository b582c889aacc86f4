//! Connect Four on 7x6: an example of a game with rules and notation only.
//!
//! A game needs [`Game`] (the rules) and [`Notation`] (names of moves and positions), a line in `games::names` and one in
//! `engine::registry`. Search, clock, protocols and referee then work for it.

use crate::search::game::Game;
use crate::search::notation::{Grid, Notation, PositionError, Style};
use crate::search::types::{Score, Side, WIN};
use arrayvec::ArrayVec;

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour;

/// The discs of the side to move and of the other. Column `c`, row `r` (from the bottom) is bit
/// `7 * c + r`; the seventh bit of each column stays empty and keeps lines from wrapping round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discs {
    own: u64,
    other: u64,
}

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// Move order: middle columns first, because they take part in the most lines.
const ORDER: [u8; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// True if four discs stand in a line: two pairs of neighbours, two steps apart.
fn connects(discs: u64) -> bool {
    [1, 7, 6, 8].into_iter().any(|step| {
        let pairs = discs & (discs >> step);
        pairs & (pairs >> (2 * step)) != 0
    })
}

fn bit(column: usize, row: usize) -> u64 {
    1 << (7 * column + row)
}

impl Discs {
    fn height(self, column: usize) -> usize {
        ((self.own | self.other) >> (7 * column) & 0x3f).count_ones() as usize
    }
}

impl Game for ConnectFour {
    type Position = Discs;
    type Move = u8;
    type MoveList<T: Clone> = ArrayVec<T, 7>;

    fn start(&self) -> Discs {
        Discs { own: 0, other: 0 }
    }

    fn outcome(&self, discs: &Discs) -> Option<Score> {
        if connects(discs.own) {
            return Some(WIN);
        }
        if connects(discs.other) {
            return Some(-WIN);
        }
        ((discs.own | discs.other).count_ones() as usize == COLUMNS * ROWS).then_some(0)
    }

    fn moves(&self, discs: &Discs) -> impl Iterator<Item = u8> {
        let discs = *discs;
        ORDER.into_iter().filter(move |&column| discs.height(usize::from(column)) < ROWS)
    }

    fn play(&self, discs: &Discs, column: u8) -> Discs {
        let column = usize::from(column);
        Discs { own: discs.other, other: discs.own | bit(column, discs.height(column)) }
    }

    fn key(&self, discs: &Discs) -> u64 {
        let mixed = discs.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ discs.other.wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    }

    fn code(&self, column: u8) -> u16 {
        u16::from(column)
    }
}

impl Notation for ConnectFour {
    fn name(&self) -> &'static str {
        "connect-four"
    }

    fn sides(&self) -> [&'static str; 2] {
        ["x", "o"]
    }

    /// The column's letter.
    fn show_move(&self, _: &Discs, column: u8, _: Style) -> String {
        char::from(b'a' + column).to_string()
    }

    fn show_position(&self, discs: &Discs, side: Side, _: Style) -> String {
        let rows = self.grid(discs, side).map_or_else(Vec::new, |grid| grid.rows);
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        format!("{} {}", rows.join("/"), ['x', 'o'][side.index()])
    }

    fn read_position(&self, text: &str, _: Style) -> Result<(Discs, Side), PositionError> {
        let expected = || PositionError(format!("expected six rows of seven x, o and ., then x or o, saw '{text}'"));
        let text = text.to_lowercase();
        let (board, side) = text.trim().rsplit_once(' ').ok_or_else(expected)?;
        let side = match side {
            "x" => Side::First,
            "o" => Side::Second,
            _ => return Err(expected()),
        };
        let rows: Vec<Vec<char>> = board.trim().split('/').map(|row| row.chars().collect()).collect();
        if rows.len() != ROWS || rows.iter().any(|row| row.len() != COLUMNS || row.iter().any(|c| !"xo.".contains(*c)))
        {
            return Err(expected());
        }
        let set = |mark: char| {
            let cells = (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
            cells.filter(|&(column, row)| rows[ROWS - 1 - row][column] == mark).map(|(c, r)| bit(c, r)).sum()
        };
        let sets: [u64; 2] = [set('x'), set('o')];
        let discs = Discs { own: sets[side.index()], other: sets[side.other().index()] };
        let unsupported = (0..COLUMNS).any(|column| {
            (discs.own | discs.other) >> (7 * column + discs.height(column))
                & 0x3f
                & ((1 << (ROWS - discs.height(column))) - 1)
                != 0
        });
        if unsupported { Err(PositionError("a disc stands on no other disc".into())) } else { Ok((discs, side)) }
    }

    fn grid(&self, discs: &Discs, side: Side) -> Option<Grid> {
        let names = if side == Side::First { ['x', 'o'] } else { ['o', 'x'] };
        let mark = |column, row| match (discs.own & bit(column, row), discs.other & bit(column, row)) {
            (0, 0) => '.',
            (0, _) => names[1],
            _ => names[0],
        };
        let rows = (0..ROWS).rev().map(|row| (0..COLUMNS).map(|column| mark(column, row)).collect()).collect();
        Some(Grid { rows, first_row_on_top: false })
    }
}
