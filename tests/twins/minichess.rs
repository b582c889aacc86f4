//! A reference implementation of MiniChess, written from the rules and independent of the engine's boards: rows of
//! characters, and a move is two squares.

/// A square as (file, rank), both from 0.
pub type Coordinates = (i8, i8);

/// A position of characters; `rows[rank][file]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    pub rows: [[char; 5]; 6],
    pub white: bool,
    pub number: u8,
}

/// The result of a game for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    Won,
    Lost,
    Drawn,
}

impl Twin {
    pub fn read(state: &str) -> Twin {
        let words: Vec<&str> = state.split(' ').collect();
        let mut rows = [['.'; 5]; 6];
        for (rank, row) in words[2].split('/').rev().enumerate() {
            row.chars().enumerate().for_each(|(file, letter)| rows[rank][file] = letter);
        }
        Twin { rows, white: words[1] == "W", number: words[0].parse().expect("a number") }
    }

    pub fn show(&self) -> String {
        let rows: Vec<String> = self.rows.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {} {}", self.number, if self.white { 'W' } else { 'B' }, rows.join("/"))
    }

    fn at(&self, (file, rank): Coordinates) -> Option<char> {
        let inside = (0..5).contains(&file) && (0..6).contains(&rank);
        inside.then(|| self.rows[rank as usize][file as usize])
    }

    fn is_own(&self, letter: char) -> bool {
        letter != '.' && letter.is_ascii_uppercase() == self.white
    }

    fn is_enemy(&self, letter: char) -> bool {
        letter != '.' && letter.is_ascii_uppercase() != self.white
    }

    fn has_king(&self, white: bool) -> bool {
        self.rows.iter().flatten().any(|&letter| letter == if white { 'K' } else { 'k' })
    }

    pub fn end(&self) -> Option<End> {
        if !self.has_king(self.white) {
            return Some(End::Lost);
        }
        if !self.has_king(!self.white) {
            return Some(End::Won);
        }
        if self.number > 40 {
            return Some(End::Drawn);
        }
        self.moves().is_empty().then_some(End::Lost)
    }

    /// Every legal move; none when a king was captured or the move limit is reached.
    pub fn moves(&self) -> Vec<(Coordinates, Coordinates)> {
        let mut found = Vec::new();
        if !self.has_king(true) || !self.has_king(false) || self.number > 40 {
            return found;
        }
        for rank in 0..6 {
            for file in 0..5 {
                let letter = self.rows[rank as usize][file as usize];
                if self.is_own(letter) {
                    self.moves_of((file, rank), letter.to_ascii_lowercase(), &mut found);
                }
            }
        }
        found
    }

    fn moves_of(&self, from: Coordinates, kind: char, found: &mut Vec<(Coordinates, Coordinates)>) {
        let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let diagonal = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
        let mut go = |steps: &[(i8, i8)], far: bool, may_move: bool, may_take: bool| {
            for (files, ranks) in steps {
                let mut to = (from.0 + files, from.1 + ranks);
                while let Some(letter) = self.at(to) {
                    if letter == '.' && may_move || self.is_enemy(letter) && may_take {
                        found.push((from, to));
                    }
                    if letter != '.' || !far {
                        break;
                    }
                    to = (to.0 + files, to.1 + ranks);
                }
            }
        };
        match kind {
            'p' => {
                let forward = if self.white { 1 } else { -1 };
                go(&[(0, forward)], false, true, false);
                go(&[(-1, forward), (1, forward)], false, false, true);
            }
            'n' => {
                let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
                go(&jumps, false, true, true);
            }
            'b' => {
                go(&diagonal, true, true, true);
                go(&straight, false, true, false);
            }
            'r' => go(&straight, true, true, true),
            'q' => {
                go(&straight, true, true, true);
                go(&diagonal, true, true, true);
            }
            _ => {
                go(&straight, false, true, true);
                go(&diagonal, false, true, true);
            }
        }
    }

    pub fn play(&self, (from, to): (Coordinates, Coordinates)) -> Twin {
        let mut next = self.clone();
        let letter = std::mem::replace(&mut next.rows[from.1 as usize][from.0 as usize], '.');
        next.rows[to.1 as usize][to.0 as usize] = match (letter, to.1) {
            ('P', 5) => 'Q',
            ('p', 0) => 'q',
            _ => letter,
        };
        next.number += u8::from(!self.white);
        next.white = !self.white;
        next
    }
}

/// `c3-b4`.
pub fn name((from, to): (Coordinates, Coordinates)) -> String {
    let square = |(file, rank): Coordinates| format!("{}{}", char::from(b'a' + file as u8), rank + 1);
    format!("{}-{}", square(from), square(to))
}
