//! The position: pieces, side to move, and the number of the move.

use super::squares::{
    ALL, FILES, FIRST_RANK, KING, KNIGHT, LAST_RANK, PAWN, SQUARES, Set, Square, bit, diagonal, rank_of, rook,
};
use crate::search::types::Side;
use flipside_support::random::Random;

/// The kinds of pieces, the cheapest first and the king last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// One step ahead, captures diagonally ahead, promotes to a queen.
    Pawn,
    /// As in chess.
    Knight,
    /// As in chess, and one step sideways, ahead or back to an empty square.
    Bishop,
    /// As in chess.
    Rook,
    /// As in chess.
    Queen,
    /// One step; its capture ends the game.
    King,
}

impl Piece {
    /// All kinds in their order.
    pub const ALL: [Piece; 6] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

    /// The lower-case letter.
    pub fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self as usize]
    }

    /// The kind of a letter in any case.
    pub fn of_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }
}

/// The move number at which the game is drawn: Black has made the 40th move.
pub const LAST_NUMBER: u8 = 41;

/// A move with all that playing it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: Square,
    /// The piece's new square.
    pub to: Square,
    /// The piece that moves.
    pub piece: Piece,
    /// The piece on `to` after the move: a queen if a pawn promotes.
    pub arrives: Piece,
    /// The piece that it captures.
    pub captured: Option<Piece>,
    /// The side that moves.
    pub side: Side,
}

impl Move {
    /// A move of a side's piece, which captures the piece on `to`.
    #[inline(always)]
    pub fn new(side: Side, kind: Piece, from: Square, to: Square, captured: Option<Piece>) -> Move {
        let promotes = kind == Piece::Pawn && bit(to) & (FIRST_RANK | LAST_RANK) != 0;
        Move { from, to, piece: kind, arrives: if promotes { Piece::Queen } else { kind }, captured, side }
    }

    /// True if a pawn promotes.
    #[inline(always)]
    pub fn promotes(self) -> bool {
        self.arrives != self.piece
    }
}

/// A position. White is [`Side::First`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The pieces of each kind, then those of each side: together, so that a move changes them all at once.
    sets: [Set; SETS],
    key: u64,
    to_move: Side,
    number: u8,
}

/// Sets of a board: six kinds, two sides.
const SETS: usize = 8;
/// The index of the first side's set.
const SIDES: usize = 6;

/// All ones for the sets that hold a piece, by side and kind.
static MEMBERSHIP: [[[Set; SETS]; 6]; 2] = {
    let mut membership = [[[0; SETS]; 6]; 2];
    let mut piece = 0;
    while piece < 12 {
        membership[piece / 6][piece % 6][piece % 6] = Set::MAX;
        membership[piece / 6][piece % 6][SIDES + piece / 6] = Set::MAX;
        piece += 1;
    }
    membership
};

/// Random words for [`Board::key`] (Zobrist, 1970).
struct Zobrist {
    pieces: [[[u64; SQUARES]; 6]; 2],
    black: u64,
    numbers: [u64; LAST_NUMBER as usize + 1],
}

static ZOBRIST: Zobrist = zobrist();

/// Random words by SplitMix64.
const fn zobrist() -> Zobrist {
    let mut random = Random(0x4d69_6e69);
    let mut table = Zobrist { pieces: [[[0; SQUARES]; 6]; 2], black: random.bits(), numbers: [0; 42] };
    let mut index = 0;
    while index < 12 * SQUARES {
        table.pieces[index / SQUARES / 6][index / SQUARES % 6][index % SQUARES] = random.bits();
        index += 1;
    }
    let mut number = 0;
    while number <= LAST_NUMBER as usize {
        table.numbers[number] = random.bits();
        number += 1;
    }
    table
}

impl Board {
    /// The start position.
    pub fn start() -> Board {
        let mut board = Board::empty(Side::First, 1);
        let pieces = [Piece::Rook, Piece::Knight, Piece::Bishop, Piece::Queen, Piece::King];
        for (file, piece) in (0..FILES as Square).zip(pieces) {
            // The start is symmetric about the centre of the board.
            board.put(Side::First, piece, file);
            board.put(Side::First, Piece::Pawn, file + 5);
            board.put(Side::Second, piece, 29 - file);
            board.put(Side::Second, Piece::Pawn, 24 - file);
        }
        board
    }

    /// An empty board.
    pub fn empty(to_move: Side, number: u8) -> Board {
        let number = number.min(LAST_NUMBER);
        let side_key = if to_move == Side::Second { ZOBRIST.black } else { 0 };
        let key = side_key ^ ZOBRIST.numbers[usize::from(number)];
        Board { sets: [0; SETS], key, to_move, number }
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, side: Side, kind: Piece, square: Square) {
        self.sets[kind as usize] ^= bit(square);
        self.sets[SIDES + side.index()] ^= bit(square);
        self.key ^= ZOBRIST.pieces[side.index()][kind as usize][usize::from(square)];
    }

    /// The side to move.
    #[inline(always)]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The move's number, from 1; at [`LAST_NUMBER`] the game is over.
    #[inline(always)]
    pub fn number(&self) -> u8 {
        self.number
    }

    /// Plies that may still be played before the draw.
    #[inline(always)]
    pub fn plies_left(&self) -> u32 {
        2 * u32::from(LAST_NUMBER - self.number) - u32::from(self.number < LAST_NUMBER && self.to_move == Side::Second)
    }

    /// A Zobrist key of the pieces, the side to move and the move number, because near the limit the same pieces have
    /// another value at another number.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> Set {
        self.sets[SIDES + side.index()]
    }

    /// The pieces of one kind of a side.
    #[inline(always)]
    pub fn of(&self, side: Side, kind: Piece) -> Set {
        self.pieces(side) & self.sets[kind as usize]
    }

    /// The pieces of one kind, of both sides.
    #[inline(always)]
    pub fn all_of(&self, kind: Piece) -> Set {
        self.sets[kind as usize]
    }

    /// Every piece.
    #[inline(always)]
    pub fn occupied(&self) -> Set {
        self.sets[SIDES] | self.sets[SIDES + 1]
    }

    /// Every empty square.
    #[inline(always)]
    pub fn empty_squares(&self) -> Set {
        ALL & !self.occupied()
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<(Side, Piece)> {
        (bit(square) & self.occupied() != 0).then(|| (self.side_at(square), self.kind_at(square)))
    }

    /// The side of the piece on an occupied square.
    #[inline(always)]
    pub fn side_at(&self, square: Square) -> Side {
        if self.sets[SIDES] & bit(square) != 0 { Side::First } else { Side::Second }
    }

    /// The kind of the piece on an occupied square.
    #[inline(always)]
    pub fn kind_at(&self, square: Square) -> Piece {
        let piece = bit(square);
        // Branchless: counts the sets from pawns up to each kind that hold the square.
        let mut index = 5;
        let mut seen = 0;
        for &set in &self.sets[..5] {
            seen |= set;
            index -= usize::from(seen & piece != 0);
        }
        Piece::ALL[index]
    }

    /// The king's square, unless it was captured.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Option<Square> {
        let king = self.of(side, Piece::King);
        if king == 0 { None } else { Some(king.trailing_zeros() as Square) }
    }

    /// All pieces, of both sides, that attack a square, given the occupied squares.
    #[inline(always)]
    pub fn attackers(&self, square: Square, occupied: Set) -> Set {
        let [pawns, knights, bishops, rooks, queens, kings, white, black] = self.sets;
        let index = usize::from(square);
        pawns & (PAWN[1][index] & white | PAWN[0][index] & black)
            | KNIGHT[index] & knights
            | KING[index] & kings
            | diagonal(square, occupied) & (bishops | queens)
            | rook(square, occupied) & (rooks | queens)
    }

    /// True if a side attacks the other side's king.
    #[inline(always)]
    pub fn attacks_king(&self, side: Side) -> bool {
        match self.king(side.other()) {
            Some(square) => self.attackers(square, self.occupied()) & self.pieces(side) != 0,
            None => false,
        }
    }

    /// The board after a pseudo-legal move; all pseudo-legal moves are legal in this game.
    #[inline(always)]
    pub fn play(&self, mv: Move) -> Board {
        const NONE: [Set; SETS] = [0; SETS];
        let own = &MEMBERSHIP[mv.side.index()];
        let (leaves, arrives) = (&own[mv.piece as usize], &own[mv.arrives as usize]);
        let captured = mv.captured.map_or(&NONE, |captured| &MEMBERSHIP[mv.side.other().index()][captured as usize]);
        // Not piece by piece: reading all sets right after writing single ones stalls the processor.
        let mut sets = self.sets;
        for (set, pieces) in sets.iter_mut().enumerate() {
            *pieces ^= leaves[set] & bit(mv.from) ^ (arrives[set] ^ captured[set]) & bit(mv.to);
        }
        Board { sets, key: self.key_after(mv), to_move: self.to_move.other(), number: self.number + self.to_move as u8 }
    }

    /// The key of the board after a move.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let own = &ZOBRIST.pieces[mv.side.index()];
        let mut key = self.key ^ own[mv.piece as usize][usize::from(mv.from)];
        key ^= own[mv.arrives as usize][usize::from(mv.to)];
        if let Some(captured) = mv.captured {
            key ^= ZOBRIST.pieces[mv.side.other().index()][captured as usize][usize::from(mv.to)];
        }
        key ^ self.turn_key()
    }

    /// The change of the key by the end of a turn.
    #[inline(always)]
    fn turn_key(&self) -> u64 {
        let number = usize::from(self.number);
        let numbers = &ZOBRIST.numbers;
        ZOBRIST.black ^ if self.to_move == Side::Second { numbers[number] ^ numbers[number + 1] } else { 0 }
    }

    /// The board after a null move.
    #[inline(always)]
    pub fn pass(&self) -> Board {
        Board {
            key: self.key ^ self.turn_key(),
            to_move: self.to_move.other(),
            number: self.number + self.to_move as u8,
            ..*self
        }
    }

    /// The board rotated by half a turn with its colours exchanged: the same position for the side to move.
    pub fn colour_flipped(&self) -> Board {
        let mut flipped = Board::empty(self.to_move.other(), self.number);
        for square in 0..SQUARES as Square {
            if let Some((side, kind)) = self.piece_at(square) {
                flipped.put(side.other(), kind, SQUARES as Square - 1 - square);
            }
        }
        flipped
    }
}

/// The rank of a square as a side counts, 0 for its first rank.
#[inline(always)]
pub fn own_rank(side: Side, square: Square) -> usize {
    if side == Side::First { rank_of(square) } else { 5 - rank_of(square) }
}

/// A square as a side sees it from its own corner: the board is rotated for Black.
#[inline(always)]
pub const fn own_square(side: Side, square: Square) -> Square {
    match side {
        Side::First => square,
        Side::Second => SQUARES as Square - 1 - square,
    }
}
