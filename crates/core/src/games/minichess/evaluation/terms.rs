//! The terms of the tapered evaluation: what counts on a board, and under which index.
//!
//! The engine and the fit of the weights both count with [`count`], so that every term is defined once.
//! Every index has two weights, one for boards full of pieces and one for empty ones.

use crate::games::minichess::board::{Board, Piece, own_rank, own_square};
use crate::games::minichess::movegen::{ahead, attacks, pawn_attacks};
use crate::games::minichess::squares::{ALL, FILE_A, FILE_E, KING, SQUARES, STEP, Set, Square, Squares, bit, file_of};
use crate::search::types::Side;

/// A group of terms: their indices, and their name in weight files.
#[derive(Clone, Copy, Debug)]
pub struct TermGroup {
    /// First index.
    pub first: usize,
    /// Number of indices.
    pub len: usize,
    /// Name in weight files.
    pub name: &'static str,
}

/// Declares groups one after the other, with the list of all.
macro_rules! groups {
    ($($(#[$doc:meta])* $constant:ident $name:literal $len:expr;)*) => {
        groups!(@lay 0; $($(#[$doc])* $constant $name $len;)*);
        /// Every group in the order of the indices.
        pub const GROUPS: &[TermGroup] = &[$($constant),*];
    };
    (@lay $first:expr; $(#[$doc:meta])* $constant:ident $name:literal $len:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $constant: TermGroup = TermGroup { first: $first, len: $len, name: $name };
        groups!(@lay $constant.first + $constant.len; $($rest)*);
    };
    (@lay $first:expr;) => {
        /// Number of indices.
        pub const TERMS: usize = $first;
    };
}

/// Indices for the mobility of knight, bishop, rook and queen: the largest number of squares that
/// each may reach, and one for none.
const MOBILITY_COUNTS: [usize; 4] = [9, 12, 10, 18];

groups! {
    /// A pawn on a square; all squares count from their owner's corner.
    PAWNS "pawn" SQUARES;
    /// A knight on a square.
    KNIGHTS "knight" SQUARES;
    /// A bishop on a square.
    BISHOPS "bishop" SQUARES;
    /// A rook on a square.
    ROOKS "rook" SQUARES;
    /// A queen on a square.
    QUEENS "queen" SQUARES;
    /// A king on a square.
    KINGS "king" SQUARES;
    /// Mobility of a knight: the squares that it attacks and that no enemy pawn attacks.
    KNIGHT_MOBILITY "knight-reach" MOBILITY_COUNTS[0];
    /// The same for a bishop, its steps included.
    BISHOP_MOBILITY "bishop-reach" MOBILITY_COUNTS[1];
    /// The same for a rook.
    ROOK_MOBILITY "rook-reach" MOBILITY_COUNTS[2];
    /// The same for a queen.
    QUEEN_MOBILITY "queen-reach" MOBILITY_COUNTS[3];
    /// A king by the attack units around it.
    KING_DANGER "king-danger" 24;
    /// A king by its own pawns next to it.
    SHELTER "shelter" 4;
    /// A king by the squares that it may step to and that the enemy does not attack.
    KING_STEPS "king-steps" 9;
    /// A passed pawn by its rank: no enemy pawn ahead on its own or a neighbouring file.
    PASSED "passed" 6;
    /// A passed pawn by its rank, the square before it empty and not attacked.
    FREE_PASSED "free-passed" 6;
    /// A passed pawn by how much nearer the enemy king is to its promotion square than the own
    /// king.
    KING_RACE "passed-king-race" 3;
    /// A pawn defended by a pawn, by rank.
    DEFENDED "guarded-pawn" 6;
    /// A pawn beside a pawn, by rank.
    PHALANX "phalanx" 6;
    /// A pawn without own pawns on the files beside it.
    ISOLATED "isolated" 1;
    /// A pawn behind a pawn of its own.
    DOUBLED "doubled" 1;
    /// A knight, bishop, rook or queen that an enemy pawn attacks.
    ATTACKED_BY_PAWN "attacked-by-pawn" 4;
    /// A rook or queen that an enemy knight or bishop attacks.
    ATTACKED_BY_MINOR "attacked-by-minor" 2;
    /// A piece, pawn to queen, that is attacked and not defended.
    HANGING "hanging" 5;
    /// A piece, pawn to queen, that is attacked and defended.
    CONTESTED "contested" 5;
    /// A rook on a file without own pawns, and one on a file without any pawns.
    OPEN_FILE "open-file" 2;
    /// Bishops beyond the first, knights beyond the first, a rook beyond the first, queens beyond it.
    PAIRS "pair" 4;
    /// Squares that only this side attacks.
    SPACE "space" 1;
    /// The side to move.
    TEMPO "tempo" 1;
}

/// The piece-square groups in the order of [`Piece`].
pub const PIECE_SQUARE: [TermGroup; 6] = [PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS];
const MOBILITY: [TermGroup; 4] = [KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY];
/// Attack units for each square around a king that a knight, bishop, rook or queen attacks.
const ATTACK_UNITS: [usize; 4] = [2, 2, 3, 4];

/// Receives the counts of terms.
pub trait TermSink {
    /// The term occurs `count` times for a side.
    fn add(&mut self, side: Side, index: usize, count: i32);
}

/// The index of a piece on a square.
#[inline(always)]
pub fn piece_square(side: Side, kind: Piece, square: Square) -> usize {
    PIECE_SQUARE[kind as usize].first + usize::from(own_square(side, square))
}

/// Counts the piece-square terms of all pieces.
pub fn count_piece_squares(board: &Board, sink: &mut impl TermSink) {
    for side in [Side::First, Side::Second] {
        for kind in Piece::ALL {
            for square in Squares(board.of(side, kind)) {
                sink.add(side, piece_square(side, kind, square), 1);
            }
        }
    }
}

/// What a side attacks.
#[derive(Clone, Copy, Default)]
struct Attacks {
    pawns: Set,
    minors: Set,
    all: Set,
    /// Its attack units on the squares around the enemy king.
    king_attack_units: usize,
}

/// Counts all terms but the piece-square terms.
#[inline(always)]
pub fn count(board: &Board, sink: &mut impl TermSink) {
    // Written out, because closures would not be compiled for the processor level of the search.
    let [white_pawns, black_pawns] = [board.of(Side::First, Piece::Pawn), board.of(Side::Second, Piece::Pawn)];
    let pawns = [pawn_attacks(Side::First, white_pawns), pawn_attacks(Side::Second, black_pawns)];
    let white = count_pieces(board, Side::First, pawns, sink);
    let attacks = [white, count_pieces(board, Side::Second, pawns, sink)];
    for side in [Side::First, Side::Second] {
        let (own, enemy) = (&attacks[side.index()], &attacks[side.other().index()]);
        count_king(board, side, own, enemy, sink);
        count_pawns(board, side, enemy.all, sink);
        count_threats(board, side, own, enemy, sink);
        sink.add(side, SPACE.first, (own.all & !enemy.all).count_ones() as i32);
    }
    sink.add(board.to_move(), TEMPO.first, 1);
}

/// Counts the mobility of the pieces, and gathers the attacks that other terms need.
#[inline(always)]
fn count_pieces(board: &Board, side: Side, pawns: [Set; 2], sink: &mut impl TermSink) -> Attacks {
    let occupied = board.occupied();
    let barred = board.pieces(side) | pawns[side.other().index()];
    let enemy_king = match board.king(side.other()) {
        Some(square) => KING[usize::from(square)] | bit(square),
        None => 0,
    };
    let mut sum = Attacks { pawns: pawns[side.index()], all: pawns[side.index()], ..Attacks::default() };
    sum.king_attack_units = (sum.pawns & enemy_king).count_ones() as usize;
    let own_pawns = board.of(side, Piece::Pawn);
    for (piece, kind) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
        let pieces = board.of(side, kind);
        for square in Squares(pieces) {
            let attacked = attacks(side, kind, square, occupied);
            let mut reached = attacked & !barred;
            if kind == Piece::Bishop {
                reached |= STEP[usize::from(square)] & !occupied & !barred;
            }
            sum.all |= attacked;
            if piece < 2 {
                sum.minors |= attacked;
            }
            let near = (attacked & enemy_king).count_ones() as usize;
            sum.king_attack_units += ATTACK_UNITS[piece] * near.min(3);
            sink.add(side, MOBILITY[piece].first + (reached.count_ones() as usize).min(MOBILITY_COUNTS[piece] - 1), 1);
            if kind == Piece::Rook {
                let file = FILE_A << file_of(square);
                if own_pawns & file == 0 {
                    sink.add(side, OPEN_FILE.first + usize::from(board.all_of(Piece::Pawn) & file == 0), 1);
                }
            }
        }
        let more = pieces.count_ones() as i32 - 1;
        if more > 0 {
            sink.add(side, PAIRS.first + piece, more);
        }
    }
    if let Some(king) = board.king(side) {
        sum.all |= KING[usize::from(king)];
    }
    sum
}

#[inline(always)]
fn count_king(board: &Board, side: Side, own: &Attacks, enemy: &Attacks, sink: &mut impl TermSink) {
    let Some(king) = board.king(side) else { return };
    let around = KING[usize::from(king)];
    let unguarded = (around & enemy.all & !own.all).count_ones() as usize;
    sink.add(side, KING_DANGER.first + (enemy.king_attack_units + unguarded).min(KING_DANGER.len - 1), 1);
    let shelter = (around & board.of(side, Piece::Pawn)).count_ones() as usize;
    sink.add(side, SHELTER.first + shelter.min(SHELTER.len - 1), 1);
    let steps = around & !board.pieces(side) & !enemy.all;
    sink.add(side, KING_STEPS.first + steps.count_ones() as usize, 1);
}

/// The squares left and right of a set.
#[inline(always)]
fn beside(set: Set) -> Set {
    (set & !FILE_A) >> 1 | (set & !FILE_E) << 1
}

/// All squares ahead of a square on its file, as a side moves.
#[inline(always)]
fn file_ahead(side: Side, square: Square) -> Set {
    let file = FILE_A << file_of(square);
    match side {
        Side::First => file & (ALL << square << 1) & ALL,
        Side::Second => file & (bit(square) - 1),
    }
}

/// Distance in king moves.
#[inline(always)]
fn distance(a: Square, b: Square) -> usize {
    let files = (a % 5).abs_diff(b % 5);
    let ranks = (a / 5).abs_diff(b / 5);
    usize::from(files.max(ranks))
}

#[inline(always)]
fn count_pawns(board: &Board, side: Side, attacked: Set, sink: &mut impl TermSink) {
    let own = board.of(side, Piece::Pawn);
    let enemy = board.of(side.other(), Piece::Pawn);
    let defended = pawn_attacks(side, own);
    for square in Squares(own) {
        let rank = own_rank(side, square);
        let file = FILE_A << file_of(square);
        let ahead_on_file = file_ahead(side, square);
        if own & beside(file) == 0 {
            sink.add(side, ISOLATED.first, 1);
        }
        if own & ahead_on_file != 0 {
            sink.add(side, DOUBLED.first, 1);
        }
        if defended & bit(square) != 0 {
            sink.add(side, DEFENDED.first + rank, 1);
        }
        if own & beside(bit(square)) != 0 {
            sink.add(side, PHALANX.first + rank, 1);
        }
        if enemy & (ahead_on_file | beside(ahead_on_file)) == 0 {
            sink.add(side, PASSED.first + rank, 1);
            if ahead(side, bit(square)) & (board.occupied() | attacked) == 0 {
                sink.add(side, FREE_PASSED.first + rank, 1);
            }
            if let (Some(king), Some(enemy_king)) = (board.king(side), board.king(side.other())) {
                let goal = if side == Side::First { square % 5 + 25 } else { square % 5 };
                let race = (2 + distance(enemy_king, goal)).saturating_sub(distance(king, goal)).clamp(1, 3);
                sink.add(side, KING_RACE.first + race - 1, 1);
            }
        }
    }
}

#[inline(always)]
fn count_threats(board: &Board, side: Side, own: &Attacks, enemy: &Attacks, sink: &mut impl TermSink) {
    let number = |set: Set| set.count_ones() as i32;
    for (index, kind) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
        sink.add(side, ATTACKED_BY_PAWN.first + index, number(board.of(side, kind) & enemy.pawns));
    }
    for (index, kind) in [Piece::Rook, Piece::Queen].into_iter().enumerate() {
        sink.add(side, ATTACKED_BY_MINOR.first + index, number(board.of(side, kind) & enemy.minors));
    }
    let attacked = board.pieces(side) & enemy.all;
    if attacked == 0 {
        return;
    }
    for (index, &kind) in Piece::ALL[..5].iter().enumerate() {
        let pieces = attacked & board.of(side, kind);
        sink.add(side, HANGING.first + index, number(pieces & !own.all));
        sink.add(side, CONTESTED.first + index, number(pieces & own.all));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::state_text::read_state;
    use std::collections::BTreeMap;

    #[derive(Default)]
    struct Counts(BTreeMap<(usize, usize), i32>);

    impl TermSink for Counts {
        fn add(&mut self, side: Side, index: usize, count: i32) {
            assert!(index < TERMS);
            if count != 0 {
                *self.0.entry((side.index(), index)).or_default() += count;
            }
        }
    }

    fn counts(state: &str) -> Counts {
        let board = read_state(state).expect("a position");
        let mut counts = Counts::default();
        count_piece_squares(&board, &mut counts);
        count(&board, &mut counts);
        counts
    }

    #[test]
    fn the_start_is_the_same_for_both_but_for_the_turn() {
        let counts = counts("1 W kqbnr/ppppp/...../...../PPPPP/RNBQK").0;
        let of = |side: usize| -> Vec<(usize, i32)> {
            let own = counts.iter().filter(|((whose, index), _)| *whose == side && *index != TEMPO.first);
            own.map(|((_, index), count)| (*index, *count)).collect()
        };
        assert_eq!(of(0), of(1));
        assert_eq!(counts.get(&(0, TEMPO.first)), Some(&1));
    }

    #[test]
    fn terms_by_hand() {
        let counts = counts("9 W ....k/...../.P.../...../p.n../R...K").0;
        let white = |group: TermGroup, at: usize| counts.get(&(0, group.first + at)).copied().unwrap_or_default();
        let black = |group: TermGroup, at: usize| counts.get(&(1, group.first + at)).copied().unwrap_or_default();
        assert_eq!((white(PASSED, 3), white(FREE_PASSED, 3), white(ISOLATED, 0)), (1, 1, 1));
        assert_eq!((black(PASSED, 4), black(FREE_PASSED, 4)), (1, 0), "the rook blocks it");
        // The rook goes to b1, c1, d1 and takes on a2; the knight on c2 attacks it and the king.
        assert_eq!((white(ROOK_MOBILITY, 3), white(ATTACKED_BY_MINOR, 0)), (1, 1), "b1 is attacked by the pawn");
        assert_eq!((black(KNIGHT_MOBILITY, 6), black(HANGING, 0)), (1, 1));
        assert_eq!(white(KINGS, 4), 1);
        assert_eq!(black(KINGS, 0), 1, "e6 is Black's a1");
    }

    #[test]
    fn names_of_groups_are_unique() {
        let mut names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GROUPS.len());
        assert_eq!(GROUPS.iter().map(|group| group.len).sum::<usize>(), TERMS);
    }
}
