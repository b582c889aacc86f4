//! How people and protocols write moves and positions, and what they want to know of a position beside the rules. The
//! search does not use it.

use super::game::Game;
use super::types::Side;
use super::wdl::WdlModel;

/// How perft counts passes and early ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftRule {
    /// A forced pass is a ply; a game that is over early counts as one leaf.
    PassPly,
    /// A forced pass is a ply; a game that is over early counts as nothing.
    Full,
    /// Only moves that cost depth count as plies; a game that is over early counts as one leaf.
    DiscPly,
}

/// The notation of a move or a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// The game's own: `D3`, `PASS`; GTP uses it.
    #[default]
    Plain,
    /// Generic Game Format and NBoard: `D3`, `PA`.
    Ggf,
    /// UCI with variants, and XBoard: `P@d6`, `b2b3`; positions as FEN.
    Uci,
}

/// A position text that could not be read: what was expected and what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// A board to draw: rows from top to bottom, one character for each square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The squares, row by row.
    pub rows: Vec<Vec<char>>,
    /// True when row 1 is drawn at the top (Reversi), false when it is at the bottom (chess).
    pub first_row_on_top: bool,
}

/// The letter of a column, counted from 0. The ninth is `j`: Go's boards and hosts leave out `i`.
pub fn column_letter(column: usize) -> char {
    let letter = column + usize::from(column >= 8);
    char::from(b'a' + (letter % 26) as u8)
}

/// The column of a letter, in either case, on a board with `width` columns.
pub fn column_of(letter: char, width: usize) -> Option<usize> {
    (0..width).find(|&column| letter.eq_ignore_ascii_case(&column_letter(column)))
}

impl Grid {
    /// The board with its coordinates, one line for each row.
    pub fn draw(&self) -> String {
        let width = self.rows.first().map_or(0, Vec::len);
        let files: String = (0..width).map(|file| format!(" {}", column_letter(file))).collect();
        let mut text = format!("  {files}\n");
        for (index, row) in self.rows.iter().enumerate() {
            let number = if self.first_row_on_top { index + 1 } else { self.rows.len() - index };
            let squares: String = row.iter().map(|square| format!(" {square}")).collect();
            text.push_str(&format!("{number:2}{squares} {number}\n"));
        }
        text + "  " + &files + "\n"
    }
}

/// How a game's moves and positions are written and read.
pub trait Notation: Game {
    /// The game's name on the command line and in `--game`, in lower case.
    fn name(&self) -> &'static str;
    /// Other names that hosts use for it, compared without regard to case.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }
    /// What the two players are called, the first mover before the other.
    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }
    /// The name of a legal move.
    fn show_move(&self, position: &Self::Position, mv: Self::Move, style: Style) -> String;
    /// The names of legal moves that follow each other.
    fn show_line(&self, root: &Self::Position, line: &[Self::Move], style: Style) -> Vec<String> {
        let show = |position: &mut Self::Position, &mv: &Self::Move| {
            let name = self.show_move(position, mv, style);
            *position = self.play(position, mv);
            Some(name)
        };
        line.iter().scan(root.clone(), show).collect()
    }
    /// Names of the empty squares that the rules forbid to the first player, whoever is to move.
    fn forbidden_moves(&self, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }
    /// The legal move of that name, in any case; `None` if no legal move has it.
    fn read_move(&self, position: &Self::Position, text: &str, style: Style) -> Option<Self::Move> {
        self.moves(position).find(|&mv| self.show_move(position, mv, style).eq_ignore_ascii_case(text))
    }
    /// The position on one line that [`Notation::read_position`] reads.
    fn show_position(&self, position: &Self::Position, side: Side, style: Style) -> String;
    /// Reads a position from one line, with the side to move.
    fn read_position(&self, text: &str, style: Style) -> Result<(Self::Position, Side), PositionError>;
    /// The board as a grid of characters, if the game has one.
    fn grid(&self, position: &Self::Position, side: Side) -> Option<Grid>;
    /// True for a game whose row 1 is drawn at the top, but whose moves in [`Style::Uci`] count the rows from below.
    fn uci_counts_from_below(&self) -> bool {
        false
    }
    /// The variant's name in UCI and XBoard, if hosts know one.
    fn variant(&self) -> Option<&'static str> {
        None
    }
    /// True for a pass.
    fn is_pass(&self, _mv: Self::Move) -> bool {
        false
    }
    /// True for any spelling of a pass.
    fn is_pass_word(&self, _text: &str) -> bool {
        false
    }
    /// A pass on a finished game, where hosts of that style ask for one; it changes only the side to move.
    fn closing_pass(&self, _position: &Self::Position, _style: Style) -> Option<Self::Move> {
        None
    }
    /// Discs or points of the first and the second player, where the game counts them.
    fn points(&self, _position: &Self::Position, _side: Side) -> Option<[u32; 2]> {
        None
    }
    /// The worth of the pieces of the first and the second player, in pawns, where pieces differ
    /// in worth.
    fn material(&self, _position: &Self::Position) -> Option<[u32; 2]> {
        None
    }
    /// The name of the opening that ends in this position, if it has one.
    fn opening_name(&self, _position: &Self::Position) -> Option<&'static str> {
        None
    }
    /// The model by which scores of searches of this position stand for chances, if the game has one.
    fn wdl_model(&self, _position: &Self::Position) -> Option<WdlModel> {
        None
    }
    /// True for a move that gives the opponent at once what every player knows to keep (Reversi: a corner). It may
    /// still be the best move.
    fn gives_away(&self, _position: &Self::Position, _mv: Self::Move) -> bool {
        false
    }
    /// How perft counts in this game by default.
    fn perft_rule(&self) -> PerftRule {
        PerftRule::Full
    }
    /// Splits moves that are written without blanks (`f5d6c3`); the default splits only at white
    /// space.
    fn split_moves(&self, text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }
    /// XBoard commands that tell it how to draw a game that it does not know: `setup`, `piece`.
    fn drawing(&self) -> Option<String> {
        None
    }
    /// What a UCI host needs to draw the game itself: files, ranks, start position.
    fn variant_facts(&self) -> Option<String> {
        None
    }
}
