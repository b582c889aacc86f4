//! Wins by continuous fours on a plain board, independent of the engine's lines and patterns: a generator, and the
//! search that verifies its positions. Freestyle, 15x15.

use flipside::support::random::Random;
use std::collections::HashMap;

/// Points a side.
pub const SIZE: usize = 15;
/// Points a side of the middle, where random stones are put.
const MIDDLE: usize = 11;
/// Limit of positions in a verification.
const MAX_NODES: u32 = 30_000;

/// Stones: 0 for none, 1 for the side to move, 2 for the other.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Plain(pub [u8; SIZE * SIZE]);

/// A position where the side to move wins by continuous fours.
pub struct FoursWin {
    /// The position.
    pub board: Plain,
    /// Plies of the shortest such win.
    pub plies: u32,
}

impl Plain {
    /// The position as the engine reads it.
    pub fn text(&self) -> String {
        let row = |row: &[u8]| row.iter().map(|&stone| ['.', 'x', 'o'][usize::from(stone)]).collect::<String>();
        format!("{} x", self.0.chunks(SIZE).map(row).collect::<Vec<_>>().join("/"))
    }

    /// All rows of five points of the board.
    fn windows() -> impl Iterator<Item = [usize; 5]> {
        let at = |column: isize, row: isize| {
            let inside = |place: isize| (0..SIZE as isize).contains(&place);
            (inside(column) && inside(row)).then_some((row * SIZE as isize + column) as usize)
        };
        let points = (0..SIZE as isize).flat_map(|row| (0..SIZE as isize).map(move |column| (column, row)));
        points.flat_map(move |(column, row)| {
            [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().filter_map(move |(right, down)| {
                let window: Vec<usize> =
                    (0..5).filter_map(|step| at(column + step * right, row + step * down)).collect();
                window.try_into().ok()
            })
        })
    }

    /// The empty points of all rows of five with `stones` stones of the player and none of the other.
    fn gaps(&self, windows: &[[usize; 5]], player: u8, stones: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for window in windows {
            let count = |stone: u8| window.iter().filter(|&&point| self.0[point] == stone).count();
            if count(player) == stones && count(0) == 5 - stones {
                found.extend(window.iter().copied().filter(|&point| self.0[point] == 0));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The plain search.
pub struct FoursSearch {
    windows: Vec<[usize; 5]>,
    nodes: u32,
    failed: HashMap<Plain, u32>,
}

impl FoursSearch {
    /// A search for any number of positions.
    pub fn new() -> FoursSearch {
        FoursSearch { windows: Plain::windows().collect(), nodes: 0, failed: HashMap::new() }
    }

    /// Plies of the shortest win of the side to move by continuous fours, up to `most`.
    pub fn shortest(&mut self, board: &Plain, most: u32) -> Option<u32> {
        (self.nodes, self.failed) = (0, HashMap::new());
        (1..=most).step_by(2).find(|&plies| self.wins(&mut board.clone(), plies))
    }

    /// Whether the side to move wins within `plies` plies.
    fn wins(&mut self, board: &mut Plain, plies: u32) -> bool {
        if !board.gaps(&self.windows, 1, 4).is_empty() {
            return true;
        }
        self.nodes += 1;
        if plies < 3 || self.nodes > MAX_NODES || self.failed.get(board).is_some_and(|&searched| searched >= plies) {
            return false;
        }
        let to_stop = board.gaps(&self.windows, 2, 4);
        let fours = board.gaps(&self.windows, 1, 3);
        for four in fours.into_iter().filter(|four| to_stop.is_empty() || to_stop == [*four]) {
            board.0[four] = 1;
            let wins = self.is_answered_in_vain(board, plies);
            board.0[four] = 0;
            if wins {
                return true;
            }
        }
        self.failed.insert(board.clone(), plies);
        false
    }

    /// Whether the four just made wins against every answer.
    fn is_answered_in_vain(&mut self, board: &mut Plain, plies: u32) -> bool {
        if !board.gaps(&self.windows, 2, 4).is_empty() {
            return false;
        }
        match board.gaps(&self.windows, 1, 4)[..] {
            [] => false,
            [answer] => {
                board.0[answer] = 2;
                let wins = self.wins(board, plies - 2);
                board.0[answer] = 0;
                wins
            }
            _ => true,
        }
    }

    /// The next position of the seed with a win of `least` to `most` plies.
    pub fn generate(&mut self, random: &mut Random, (least, most): (u32, u32)) -> FoursWin {
        loop {
            let board = random_board(random);
            let quiet = [1, 2].into_iter().all(|player| board.gaps(&self.windows, player, 4).is_empty());
            if !quiet || board.gaps(&self.windows, 1, 5).len() + board.gaps(&self.windows, 1, 3).len() == 0 {
                continue;
            }
            if let Some(plies) = self.shortest(&board, most).filter(|&plies| plies >= least && self.nodes <= MAX_NODES)
            {
                return FoursWin { board, plies };
            }
        }
    }
}

/// Ten to twenty-five stones of each side at random in the middle.
fn random_board(random: &mut Random) -> Plain {
    let mut board = Plain([0; SIZE * SIZE]);
    let stones = 10 + random.below(16);
    for index in 0..2 * stones {
        let edge = (SIZE - MIDDLE) / 2;
        let point = (edge + random.below(MIDDLE)) * SIZE + edge + random.below(MIDDLE);
        if board.0[point] == 0 {
            board.0[point] = 1 + (index % 2) as u8;
        }
    }
    board
}
