//! A plain search for wins that knows only five in a row. Every defence is tried, on every empty
//! point; the attacker tries fours and moves that threaten to win with two more stones, which are
//! all that can win with three, and once, at the beginning, any other move.

use super::plain::{Plain, SIZE};
use flipside::support::random::splitmix64;
use std::collections::HashMap;

/// Points of a row, and four outside the board: no row of five reaches from one row of the board
/// into the next.
const WIDTH: usize = SIZE + 4;
const DIRECTIONS: [usize; 4] = [1, WIDTH, WIDTH + 1, WIDTH - 1];
const OUTSIDE: u8 = 3;
/// The greatest number of stones that a win may take, and one.
const MOST_MOVES: usize = 32;

/// All points of the board, row by row.
fn points() -> impl Iterator<Item = usize> {
    (0..SIZE * SIZE).map(|point| (4 + point / SIZE) * WIDTH + 4 + point % SIZE)
}

/// A way to find a move that wins with a number of stones, or none.
type Attack = fn(&mut PlainWins, usize) -> Option<usize>;

/// A search from one position for one attacker.
pub struct PlainWins {
    squares: [u8; (SIZE + 9) * WIDTH],
    attacker: u8,
    key: u64,
    /// By position and number of stones: a move that wins with them, or that there is none.
    known: HashMap<(u64, usize), Option<usize>>,
    /// By number of stones: the attacker's last move that won, and the last defences that held.
    /// They are tried first.
    won: [usize; MOST_MOVES],
    held: [[usize; 2]; MOST_MOVES],
}

impl PlainWins {
    pub fn new(board: &Plain, attacker: u8) -> PlainWins {
        let squares = [OUTSIDE; (SIZE + 9) * WIDTH];
        let (known, won, held) = (HashMap::new(), [0; MOST_MOVES], [[0; 2]; MOST_MOVES]);
        let mut search = PlainWins { squares, attacker, key: 0, known, won, held };
        for (point, &stone) in points().zip(&board.0) {
            search.squares[point] = stone;
        }
        search
    }

    /// Whether the attacker, who is to move, makes five with its `moves`-th stone at the latest:
    /// by threats, or by another move before them.
    pub fn wins(&mut self, moves: usize) -> bool {
        self.winning_move(moves).is_some()
    }

    /// The same with the defender to move.
    pub fn wins_against_every_defence(&mut self, moves: usize) -> bool {
        self.withstands(moves, PlainWins::winning_move)
    }

    /// Whether this attack wins against every defence of the defender, who is to move.
    fn withstands(&mut self, moves: usize, attack: Attack) -> bool {
        if self.fives(3 - self.attacker).next().is_some() {
            return false;
        }
        let threats: Vec<usize> = self.fives(self.attacker).take(2).collect();
        match threats[..] {
            _ if moves == 0 => false,
            [_, _] => true,
            _ if moves == 1 => false,
            [answer] => self.wins_after(answer, moves, attack),
            _ => self.withstands_every_stone(moves, attack),
        }
    }

    fn withstands_every_stone(&mut self, moves: usize, attack: Attack) -> bool {
        // A stone more never hurts: if a pass holds, some stone does.
        let Some(winning) = attack(self, moves) else { return false };
        for point in self.held[moves].into_iter().chain([winning]).chain(points()) {
            self.won[moves] = winning;
            if self.squares[point] == 0 && !self.wins_after(point, moves, attack) {
                self.held[moves] = [point, self.held[moves][0]];
                return false;
            }
        }
        true
    }

    fn wins_after(&mut self, defence: usize, moves: usize, attack: Attack) -> bool {
        self.with(defence, 3 - self.attacker, |search| attack(search, moves).is_some())
    }

    fn winning_move(&mut self, moves: usize) -> Option<usize> {
        self.winning_threat(moves).or_else(|| {
            let is_tried =
                |&point: &usize| moves > 3 && self.squares[point] == 0 && self.in_row(point, self.attacker, 1);
            let tried: Vec<usize> = points().filter(is_tried).collect();
            tried.into_iter().find(|&point| self.succeeds(point, moves))
        })
    }

    fn winning_threat(&mut self, moves: usize) -> Option<usize> {
        let five = self.fives(self.attacker).next();
        five.or_else(|| (2..=moves).find_map(|moves| self.winning_threat_of(moves)))
    }

    /// A threat that wins with so many stones, two at least, where there is no five.
    fn winning_threat_of(&mut self, moves: usize) -> Option<usize> {
        if let Some(&known) = self.known.get(&(self.key, moves)) {
            return known;
        }
        let fives: Vec<usize> = self.fives(3 - self.attacker).take(2).collect();
        let found = match fives[..] {
            [] => self.threaten(moves),
            [answer] => self.succeeds(answer, moves).then_some(answer),
            _ => None,
        };
        self.known.insert((self.key, moves), found);
        self.won[moves] = found.unwrap_or(self.won[moves]);
        found
    }

    fn threaten(&mut self, moves: usize) -> Option<usize> {
        let attacker = self.attacker;
        let likely = self.won[moves];
        if self.squares[likely] == 0 && self.in_row(likely, attacker, 1) && self.succeeds(likely, moves) {
            return Some(likely);
        }
        let empty = points().filter(|&point| self.squares[point] == 0);
        let (fours, mut others): (Vec<usize>, Vec<usize>) = empty.partition(|&point| self.in_row(point, attacker, 3));
        others.retain(|&point| moves > 2 && self.in_row(point, attacker, 2));
        fours.into_iter().find(|&point| self.succeeds(point, moves)).or_else(|| {
            others.into_iter().find(|&point| {
                self.with(point, attacker, |search| search.winning_threat(2).is_some()) && self.succeeds(point, moves)
            })
        })
    }

    /// Whether the attacker's move, and threats after it, win with so many stones, this one
    /// included.
    fn succeeds(&mut self, point: usize, moves: usize) -> bool {
        self.with(point, self.attacker, |search| search.withstands(moves - 1, PlainWins::winning_threat))
    }

    /// What is so with another stone on the board.
    fn with(&mut self, point: usize, player: u8, is_so: impl FnOnce(&mut PlainWins) -> bool) -> bool {
        let key = self.key;
        self.squares[point] = player;
        self.key ^= splitmix64((4 * point) as u64 + u64::from(player));
        let so = is_so(self);
        (self.squares[point], self.key) = (0, key);
        so
    }

    /// The empty points that make five for a player.
    fn fives(&self, player: u8) -> impl Iterator<Item = usize> + '_ {
        points().filter(move |&point| self.squares[point] == 0 && self.in_row(point, player, 4))
    }

    /// Whether a row of five through the empty point has `stones` stones of the player or more,
    /// and none of the other.
    fn in_row(&self, point: usize, player: u8, stones: usize) -> bool {
        DIRECTIONS.into_iter().any(|step| {
            (0..5).any(|before| {
                let row = (0..5).map(|place| self.squares[point + place * step - before * step]);
                let (mut own, mut others) = (0, 0);
                for stone in row {
                    own += usize::from(stone == player);
                    others += usize::from(stone != player && stone != 0);
                }
                others == 0 && own >= stones
            })
        })
    }
}
