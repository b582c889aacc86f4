//! The check of endgame tables: positions against those after their moves.

use super::super::board::{Board, Piece};
use super::super::rules::MiniChess;
use super::super::squares::{FIRST_RANK, LAST_RANK, SQUARES, Square, bit};
use super::material::kind_of;
use super::{DRAW, EndgameTables, LONGEST, MaterialClass};
use crate::search::game::Game;
use crate::search::types::Side;
use flipside_support::random::Random;

/// A random position of a class.
pub fn random_board(random: &mut Random, class: MaterialClass) -> Board {
    let side = [Side::First, Side::Second][random.below(2)];
    let extras = class.pieces().map(|extra| (extra <= 5, kind_of(extra)));
    let pieces: Vec<(bool, Piece)> = [(true, Piece::King), (false, Piece::King)].into_iter().chain(extras).collect();
    loop {
        let mut board = Board::empty(side, 1);
        let is_placed = pieces.iter().all(|&(own, kind)| {
            let square = random.below(SQUARES) as Square;
            let is_at_edge = kind == Piece::Pawn && bit(square) & (FIRST_RANK | LAST_RANK) != 0;
            let is_free = board.piece_at(square).is_none() && !is_at_edge;
            if is_free {
                board.put(if own { side } else { side.other() }, kind, square);
            }
            is_free
        });
        if is_placed {
            return board;
        }
    }
}

/// The distance to mate that follows from those after each move; none if the tables lack one of them.
pub fn backed_up(tables: &EndgameTables, board: &Board) -> Option<u8> {
    let after = MiniChess.moves(board).map(|mv| match mv.captured {
        Some(Piece::King) => Some(0),
        _ => tables.dtm(&board.play(mv)),
    });
    let after: Vec<u8> = after.collect::<Option<_>>()?;
    let win = after.iter().filter(|&&plies| plies != DRAW && plies % 2 == 0).min();
    let distance = match win {
        Some(plies) => plies + 1,
        None if after.contains(&DRAW) => DRAW,
        None => after.iter().max().map_or(0, |plies| plies + 1),
    };
    Some(if distance > LONGEST { DRAW } else { distance })
}

/// A position whose distance does not follow from those after its moves.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The position.
    pub board: Board,
    /// Its distance.
    pub found: Option<u8>,
    /// The distance that follows.
    pub expected: Option<u8>,
}

/// What is wrong about a position, if anything is.
pub fn mismatch(tables: &EndgameTables, board: Board) -> Option<Mismatch> {
    let (found, expected) = (tables.dtm(&board), backed_up(tables, &board));
    (found != expected).then_some(Mismatch { board, found, expected })
}

/// Compares all positions of a class, White to move, its king on files a to c, as the tables keep them. Returns their
/// number and at most [`MAX_LISTED`] of the wrong ones.
///
/// If none is wrong in a class and in all those that its moves lead to, every distance is that of a plain retrograde
/// analysis: by induction over the distances, the positions that end in so many plies are the same.
#[cfg(feature = "threads")]
pub fn check_class(tables: &EndgameTables, class: MaterialClass) -> (usize, Vec<Mismatch>) {
    use super::build::boards;
    use rayon::prelude::*;
    let wrong = boards(class).filter_map(|board| mismatch(tables, board)).take_any(MAX_LISTED).collect();
    (boards(class).count(), wrong)
}

/// The most wrong positions of a class that are listed.
pub const MAX_LISTED: usize = 100;

#[cfg(feature = "threads")]
#[cfg(test)]
mod tests {
    use super::super::build::build_five;
    use super::super::build::tests::build_some;
    use super::super::five::{FiveTables, file_of, packed};
    use super::*;

    /// A material of five pieces that is made, packed and read again: every value follows from those after its moves.
    #[test]
    fn five_pieces_follow_from_their_moves() {
        let class = |name| MaterialClass::of_name(name).expect("a class");
        let pair = class("KNNNvK").pair();
        let mut tables = build_some(&[class("KNNvK")]);
        let folder = std::env::temp_dir().join(format!("flipside-five-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(file_of(&folder, pair), packed(pair, &build_five(pair, &tables))).expect("a file");
        tables.five = FiveTables::open(&folder);
        assert_eq!(tables.five().collect::<Vec<_>>(), [pair]);
        let mut random = Random(3);
        let (mut wins, mut long) = (0, 0);
        for round in 0..20_000 {
            let board = random_board(&mut random, if round % 2 == 0 { pair } else { pair.reversed() });
            let dtm = tables.dtm(&board);
            assert_eq!(dtm, backed_up(&tables, &board), "{board:?}");
            wins += u32::from(dtm.is_some_and(|dtm| dtm != DRAW && dtm % 2 == 1));
            long += u32::from(dtm.is_some_and(|dtm| dtm != DRAW && dtm > 8));
        }
        assert!(wins > 5_000 && long > 1_000, "{wins} {long}");
        std::fs::remove_dir_all(&folder).expect("the folder");
        assert_eq!(tables.dtm(&random_board(&mut random, class("KRNvKN"))), None);
    }
}
