//! A game of your own: Breakthrough on 8x8, searched and served over GTP, NBoard, UCI and XBoard.
//!
//! `cargo run --release --example breakthrough`, then for example `showboard`, `genmove white`, `quit`.

use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::notation::{Grid, Notation, PositionError, Style};
use flipside::search::types::{Score, Side, WIN};
use flipside::{Engine, Limits, serve};
use std::time::Duration;

/// The rules: a piece moves one square ahead, straight to an empty square or diagonally to one without an own piece.
/// Reaching the last row or taking the last piece wins. White begins.
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough;

/// Pieces of White and Black as sets of squares (a1 is bit 0, b1 bit 1), and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pieces: [u64; 2],
    side: Side,
}

/// From a square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(u8, u8);

/// The row that each side must reach.
const GOAL: [u64; 2] = [0xff << 56, 0xff];

impl Position {
    /// The pieces of the side to move and of its opponent.
    fn own_and_other(&self) -> [u64; 2] {
        [self.pieces[self.side.index()], self.pieces[self.side.other().index()]]
    }
}

impl Game for Breakthrough {
    type Position = Position;
    type Move = Move;
    type MoveList<T: Clone> = Vec<T>;

    fn start(&self) -> Position {
        Position { pieces: [0xffff, 0xffff << 48], side: Side::First }
    }

    /// Only the player who has just moved can have won.
    fn outcome(&self, position: &Position) -> Option<Score> {
        let [own, other] = position.own_and_other();
        (own == 0 || other & GOAL[position.side.other().index()] != 0).then_some(-WIN)
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let [own, other] = position.own_and_other();
        let (forward, goal) = (position.side.of([8, -8]), GOAL[position.side.index()]);
        let pieces = (0..64_i8).filter(move |from| (own & !goal) >> from & 1 != 0);
        let steps = pieces.flat_map(move |from| [-1, 1, 0].map(|file| (from, from + forward, file)));
        let legal = move |&(_, ahead, file): &(i8, i8, i8)| {
            let blocked = if file == 0 { own | other } else { own };
            (0..8).contains(&(ahead % 8 + file)) && blocked >> (ahead + file) & 1 == 0
        };
        steps.filter(legal).map(|(from, ahead, file)| Move(from as u8, (ahead + file) as u8))
    }

    fn play(&self, position: &Position, Move(from, to): Move) -> Position {
        let Position { mut pieces, side } = *position;
        pieces[side.index()] ^= 1 << from | 1 << to;
        pieces[side.other().index()] &= !(1 << to);
        Position { pieces, side: side.other() }
    }

    fn key(&self, position: &Position) -> u64 {
        let [white, black] = position.pieces.map(|pieces| pieces.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mixed = (white ^ black.rotate_left(29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 32 ^ position.side.index() as u64
    }

    fn code(&self, Move(from, to): Move) -> u16 {
        u16::from(from) << 6 | u16::from(to)
    }
}

/// The evaluation: number and advance of the pieces.
struct Advance;

impl Eval<Breakthrough> for Advance {
    type Accumulator = ();

    fn refresh(&self, _: &Position) {}

    fn update(&self, (): &(), _: &Position, _: Move, _: &Position) {}

    fn evaluate(&self, (): &(), position: &Position) -> Score {
        let count = |pieces: u64, row: i32| (pieces >> (8 * row) & 0xff).count_ones() as i32;
        let [white, black] = position.pieces;
        let lead = (0..8).map(|row| (100 + 4 * row * row) * (count(white, row) - count(black, 7 - row))).sum::<i32>();
        position.side.of([lead, -lead])
    }
}

impl Notation for Breakthrough {
    fn name(&self) -> &'static str {
        "breakthrough"
    }

    fn sides(&self) -> [&'static str; 2] {
        ["white", "black"]
    }

    fn show_move(&self, _: &Position, Move(from, to): Move, _: Style) -> String {
        let square = |square: u8| format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1);
        square(from) + &square(to)
    }

    /// The rows from the eighth to the first, and `w` or `b`.
    fn show_position(&self, position: &Position, side: Side, _: Style) -> String {
        let rows = self.grid(position, side).into_iter().flat_map(|grid| grid.rows);
        let rows: Vec<String> = rows.map(String::from_iter).collect();
        format!("{} {}", rows.join("/"), side.of(['w', 'b']))
    }

    fn read_position(&self, text: &str, _: Style) -> Result<(Position, Side), PositionError> {
        let expected = || PositionError(format!("expected eight rows of W, B and '.', then w or b, saw '{text}'"));
        let (board, side) = text.trim().rsplit_once(' ').ok_or_else(expected)?;
        let rows: Vec<&str> = board.rsplit('/').collect();
        let is_row = |row: &&str| row.len() == 8 && row.chars().all(|square| "WB.".contains(square));
        if rows.len() != 8 || !rows.iter().all(is_row) || !["w", "b"].contains(&side) {
            return Err(expected());
        }
        let (squares, side) = (rows.concat(), if side == "w" { Side::First } else { Side::Second });
        let set = |piece| squares.match_indices(piece).map(|(square, _)| 1 << square).sum();
        Ok((Position { pieces: [set('W'), set('B')], side }, side))
    }

    fn grid(&self, position: &Position, _: Side) -> Option<Grid> {
        let [white, black] = position.pieces;
        let letters =
            |square: usize| if white >> square & 1 != 0 { 'W' } else { ['.', 'B'][(black >> square & 1) as usize] };
        let rows = (0..8).rev().map(|row| (0..8).map(|file| letters(8 * row + file)).collect()).collect();
        Some(Grid { rows, first_row_on_top: false })
    }
}

fn main() -> Result<(), flipside::ServeError> {
    serve(Engine::builder(Breakthrough).evaluation(Advance), Limits::time(Duration::from_secs(1)))
}
