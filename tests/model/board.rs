//! A position under the plain rules of the twins, and its notation in the protocols.

use crate::minichess_twin::{Coordinates, End, Twin as MiniChess, name};
use crate::reversi_twin::Twin as Reversi;
use crate::words::show_position;

/// The notation of host and engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Gtp,
    NBoard,
    /// UCI and XBoard.
    Chess,
}

#[derive(Clone, PartialEq)]
pub enum Board {
    Reversi(Reversi),
    MiniChess(MiniChess),
}

impl std::fmt::Debug for Board {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&show_position(self, Style::Gtp))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    /// Row and column of a disc, row 0 above.
    Disc(i32, i32),
    Pass,
    Step(Coordinates, Coordinates),
}

/// A finished game: the winner, and the margin in discs if discs are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    pub first_won: Option<bool>,
    pub discs: Option<i32>,
}

impl Board {
    pub fn reversi() -> Board {
        Board::Reversi(Reversi::start())
    }

    pub fn minichess() -> Board {
        Board::MiniChess(MiniChess::read("1 W kqbnr/ppppp/...../...../PPPPP/RNBQK"))
    }

    /// The start of the same game.
    pub fn start(&self) -> Board {
        if self.is_reversi() { Board::reversi() } else { Board::minichess() }
    }

    pub fn is_reversi(&self) -> bool {
        matches!(self, Board::Reversi(_))
    }

    /// Whether the first player is to move.
    pub fn first_to_move(&self) -> bool {
        match self {
            Board::Reversi(twin) => twin.mover == 'X',
            Board::MiniChess(twin) => twin.white,
        }
    }

    /// The legal moves; a pass if there is no other, none when the game is over.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            Board::Reversi(twin) => {
                let discs = twin.placements();
                let must_pass = discs.is_empty() && !twin.passed().placements().is_empty();
                discs
                    .into_iter()
                    .map(|(row, column)| Move::Disc(row, column))
                    .chain(must_pass.then_some(Move::Pass))
                    .collect()
            }
            Board::MiniChess(twin) => twin.moves().into_iter().map(|(from, to)| Move::Step(from, to)).collect(),
        }
    }

    pub fn play(&self, mv: Move) -> Board {
        match (self, mv) {
            (Board::Reversi(twin), Move::Disc(row, column)) => Board::Reversi(twin.play(row, column)),
            (Board::Reversi(twin), _) => Board::Reversi(twin.passed()),
            (Board::MiniChess(twin), Move::Step(from, to)) => Board::MiniChess(twin.play((from, to))),
            (Board::MiniChess(_), _) => unreachable!("MiniChess has no passes"),
        }
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Board::Reversi(twin) => {
                let over = twin.placements().is_empty() && twin.passed().placements().is_empty();
                let black = if twin.mover == 'X' { twin.final_discs() } else { -twin.final_discs() };
                over.then(|| Outcome { first_won: (black != 0).then_some(black > 0), discs: Some(black.abs()) })
            }
            Board::MiniChess(twin) => twin.end().map(|end| Outcome {
                first_won: match end {
                    End::Drawn => None,
                    End::Won => Some(twin.white),
                    End::Lost => Some(!twin.white),
                },
                discs: None,
            }),
        }
    }

    pub fn is_over(&self) -> bool {
        self.moves().is_empty()
    }

    /// The most plies, passes left out, that the game can last.
    pub fn plies_left(&self) -> u64 {
        match self {
            Board::Reversi(twin) => twin.cells.iter().flatten().filter(|&&cell| cell == '-').count() as u64,
            Board::MiniChess(twin) => 82_u64.saturating_sub(2 * u64::from(twin.number) + u64::from(!twin.white)),
        }
    }

    pub fn must_pass(&self) -> bool {
        self.moves() == [Move::Pass]
    }

    /// The word of a move of this position.
    pub fn show(&self, mv: Move, style: Style) -> String {
        let letter = |column: i32| char::from(b'a' + column as u8);
        match (mv, style, self) {
            (Move::Disc(row, column), Style::Chess, _) => format!("P@{}{}", letter(column), 8 - row),
            (Move::Disc(row, column), ..) => format!("{}{}", letter(column).to_ascii_uppercase(), row + 1),
            (Move::Pass, Style::Gtp, _) => "PASS".into(),
            (Move::Pass, Style::NBoard, _) => "PA".into(),
            (Move::Pass, Style::Chess, Board::Reversi(twin)) => {
                // The null move on the lowest own disc.
                let squares = (0..8).rev().flat_map(|row| (0..8).map(move |column| (row, column)));
                let mut own = squares.filter(|&(row, column)| twin.cells[row][column] == twin.mover);
                let (row, column) = own.next().unwrap_or((7, 7));
                let square = format!("{}{}", letter(column as i32), 8 - row);
                square.clone() + &square
            }
            (Move::Pass, ..) => "none".into(),
            (Move::Step(from, to), ..) => {
                let (plain, short) = (name((from, to)), name((from, to)).replace('-', ""));
                match style {
                    Style::Chess if self.promotes(from, to) => short + "q",
                    Style::Chess => short,
                    _ => plain,
                }
            }
        }
    }

    fn promotes(&self, from: Coordinates, to: Coordinates) -> bool {
        let Board::MiniChess(twin) = self else { return false };
        matches!((twin.rows[from.1 as usize][from.0 as usize], to.1), ('P', 5) | ('p', 0))
    }

    /// The legal move that an engine wrote, exactly.
    pub fn written(&self, text: &str, style: Style) -> Option<Move> {
        self.moves().into_iter().find(|&mv| self.show(mv, style) == text)
    }

    /// The legal move that a host means; the host may write in any case, and has several words for a pass.
    pub fn meant(&self, text: &str, style: Style) -> Option<Move> {
        let lower = text.to_ascii_lowercase();
        let wanted = |mv: Move| {
            let name = self.show(mv, style).to_ascii_lowercase();
            match mv {
                Move::Pass => is_pass(text, style),
                Move::Disc(..) => name == lower || style == Style::Chess && name[2..] == lower,
                Move::Step(from, to) => {
                    let short = lower.replacen('-', "", 1);
                    let name = name.replacen('-', "", 1);
                    let bare = name.strip_suffix('q').unwrap_or(&name);
                    short == name || self.promotes(from, to) && (short == bare || short == format!("{bare}q"))
                }
            }
        };
        self.moves().into_iter().find(|&mv| wanted(mv))
    }

    /// Whether every word of a line of play can be played in turn.
    pub fn follows(&self, line: &[&str], style: Style) -> bool {
        let mut board = self.clone();
        line.iter().all(|word| match board.written(word, style) {
            Some(mv) => {
                board = board.play(mv);
                true
            }
            None => false,
        })
    }

    /// The rows of the drawing that protocols show, the upper one first, with the numbers beside them: those of the moves in
    /// that style.
    pub fn drawing(&self, style: Style) -> Vec<String> {
        let row = |number: usize, cells: &[char]| {
            let cells: String =
                cells.iter().map(|&cell| format!(" {}", if cell == '-' { '.' } else { cell })).collect();
            format!("{number:2}{cells} {number}")
        };
        let files = |count: u8| {
            format!("  {}", (0..count).map(|file| format!(" {}", char::from(b'a' + file))).collect::<String>())
        };
        match self {
            Board::Reversi(twin) => {
                let rows = twin.cells.iter().zip(1..).map(|(cells, number)| {
                    let from_below = style == Style::Chess;
                    row(if from_below { 9 - number } else { number }, cells)
                });
                std::iter::once(files(8)).chain(rows).chain([files(8)]).collect()
            }
            Board::MiniChess(twin) => {
                let rows = (1..7).zip(twin.rows).rev().map(|(number, cells)| row(number, &cells));
                std::iter::once(files(5)).chain(rows).chain([files(5)]).collect()
            }
        }
    }
}

/// Whether a host's word is a pass.
pub fn is_pass(text: &str, style: Style) -> bool {
    let lower = text.to_ascii_lowercase();
    match style {
        Style::Chess => {
            let square = |text: &[u8]| (b'a'..=b'h').contains(&text[0]) && (b'1'..=b'8').contains(&text[1]);
            let bytes = lower.as_bytes();
            let null = bytes.len() == 4 && bytes[..2] == bytes[2..] && square(&bytes[..2]);
            null || ["0000", "@@@@", "pass"].contains(&lower.as_str())
        }
        _ => ["pass", "pa", "ps", "--", "@@@@"].contains(&lower.as_str()),
    }
}

/// Leaves of the tree; a finished game of Reversi is a leaf at any depth.
pub fn leaves(board: &Board, depth: u64) -> u64 {
    let moves = board.moves();
    match depth {
        0 => 1,
        _ if moves.is_empty() => u64::from(board.is_reversi()),
        _ => moves.iter().map(|&mv| leaves(&board.play(mv), depth - 1)).sum(),
    }
}
