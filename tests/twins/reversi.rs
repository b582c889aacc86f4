//! A reference implementation of Reversi, written from the rules and independent of the engine's boards: rows of
//! characters and loops over squares. Row 0 is the upper one.

/// A position: `X` is black, `O` white, `-` empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    pub cells: [[char; 8]; 8],
    pub mover: char,
}

impl Twin {
    /// The start of a game, Black to move.
    pub fn start() -> Twin {
        let mut cells = [['-'; 8]; 8];
        ((cells[3][4], cells[4][3]), (cells[3][3], cells[4][4])) = (('X', 'X'), ('O', 'O'));
        Twin { cells, mover: 'X' }
    }

    pub fn other(&self) -> char {
        if self.mover == 'X' { 'O' } else { 'X' }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        ((0..8).contains(&row) && (0..8).contains(&column)).then(|| self.cells[row as usize][column as usize])
    }

    /// The squares flipped by a disc of the mover.
    pub fn flipped(&self, row: i32, column: i32) -> Vec<(i32, i32)> {
        let mut all = Vec::new();
        if self.at(row, column) != Some('-') {
            return all;
        }
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut run = Vec::new();
            let (mut r, mut c) = (row + down, column + right);
            while self.at(r, c).is_some_and(|cell| cell != '-' && cell != self.mover) {
                run.push((r, c));
                (r, c) = (r + down, c + right);
            }
            if self.at(r, c) == Some(self.mover) {
                all.extend(run);
            }
        }
        all
    }

    pub fn placements(&self) -> Vec<(i32, i32)> {
        let squares = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
        squares.filter(|&(row, column)| !self.flipped(row, column).is_empty()).collect()
    }

    pub fn passed(&self) -> Twin {
        Twin { cells: self.cells, mover: self.other() }
    }

    pub fn play(&self, row: i32, column: i32) -> Twin {
        let mut next = self.passed();
        next.cells[row as usize][column as usize] = self.mover;
        for (r, c) in self.flipped(row, column) {
            next.cells[r as usize][c as usize] = self.mover;
        }
        next
    }

    /// Discs more than the other's at the end of the game, the empty squares to the winner, for the mover.
    pub fn final_discs(&self) -> i32 {
        let count = |mark| self.cells.concat().iter().filter(|&&cell| cell == mark).count() as i32;
        let (own, other) = if self.mover == 'X' { (count('X'), count('O')) } else { (count('O'), count('X')) };
        match (own - other).signum() {
            1 => 64 - 2 * other,
            -1 => 2 * own - 64,
            _ => 0,
        }
    }
}
