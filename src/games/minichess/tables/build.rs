//! AnalyzeGame analysis (Thompson, "AnalyzeGame analysis of certain endgames", 1986): from the
//! captured kings backwards, ply by ply.
//!
//! A class is solved together with the one where the other side is to move. Moves that leave the
//! two (captures and promotions) are looked up in tables made before; all others are undone.

use super::super::board::{Board, Move, Piece};
use super::super::movegen::{MoveList, ahead, all_moves, quiet_moves};
use super::super::squares::{FIRST_RANK, LAST_RANK, SQUARES, Square, Squares, bit, mirrored};
use super::{CLASSES, Class, DRAW, EndgameTables, TablePosition, kind_of};
use crate::search::types::Side;
use rayon::prelude::*;

/// Longer wins do not fit into a game.
const LONGEST: usize = 80;
/// In [`Half::open`]: one of the moves draws, so the side to move cannot lose.
const SAFE: u8 = u8::MAX;

/// Solves every class; `tell` hears of each level that is done, in words.
pub fn build(tell: impl Fn(&str)) -> EndgameTables {
    solve(|_| true, tell)
}

/// Solves these classes and all that they lead to; the others stay empty.
pub fn build_some(classes: &[Class]) -> EndgameTables {
    let mut wanted: Vec<Class> = classes.to_vec();
    let mut at = 0;
    while let Some(&class) = wanted.get(at) {
        at += 1;
        let next = successors(class).filter(|class| !wanted.contains(class)).collect::<Vec<_>>();
        wanted.extend(next);
    }
    solve(|class| wanted.contains(&class), |_| ())
}

/// Solves level by level: captures and promotions lead to lower ones only.
fn solve(belongs: impl Fn(Class) -> bool, tell: impl Fn(&str)) -> EndgameTables {
    let mut tables = EndgameTables { classes: vec![Box::default(); CLASSES] };
    for pieces in 0..=2 {
        for pawns in 0..=pieces {
            let here = |class: &Class| class.pieces().count() == pieces && class.pawns() == pawns && belongs(*class);
            let firsts: Vec<Class> = Class::all().filter(|class| here(class) && *class <= class.reversed()).collect();
            let solved: Vec<(Class, Box<[u8]>)> =
                firsts.par_iter().flat_map_iter(|&class| Pair::new(class, &tables).solve()).collect();
            for (class, table) in solved {
                tables.classes[class.number()] = table;
            }
            tell(&format!("{} pieces, {pawns} pawns", pieces + 2));
        }
    }
    tables
}

/// Classes after a quiet move, a capture or a promotion.
fn successors(class: Class) -> impl Iterator<Item = Class> {
    let pieces: Vec<u8> = class.pieces().collect();
    let mut next = vec![class.reversed()];
    for (index, &extra) in pieces.iter().enumerate() {
        let rest = pieces.iter().enumerate().find(|(other, _)| *other != index).map_or(0, |(_, &extra)| extra);
        next.push(Class::new(0, rest).reversed());
        if kind_of(extra) == Piece::Pawn {
            next.push(Class::new(extra + 4, rest).reversed());
        }
    }
    next.into_iter()
}

/// A class as it is being solved, for all squares of both kings: mirrored boards are told apart, so
/// that undoing moves stays simple.
struct Half {
    class: Class,
    /// Plies to the capture, [`DRAW`] while not known.
    plies: Vec<u8>,
    /// Moves inside the pair that may still save the side to move.
    open: Vec<u8>,
    /// The longest resistance by a move that leaves the pair.
    resistance: Vec<u8>,
}

/// A class and its reverse; both the same if the class is its own reverse.
struct Pair<'a> {
    halves: Vec<Half>,
    /// Positions by the plies at which they are decided: which half, which place.
    due: Vec<Vec<(u8, u32)>>,
    solved: &'a EndgameTables,
}

fn full_size(class: Class) -> usize {
    SQUARES.pow(2 + class.pieces().count() as u32)
}

/// The place of a placement in [`Half`].
fn full_index(placement: TablePosition) -> usize {
    let [king, other] = placement.kings.map(usize::from);
    let index = king * SQUARES + other;
    let extras = placement.extras.map(usize::from);
    match placement.class.pieces().count() {
        0 => index,
        1 => index * SQUARES + extras[1],
        _ => (index * SQUARES + extras[0]) * SQUARES + extras[1],
    }
}

/// The board of a place with White to move; none if pieces share a square, equal pieces stand in the wrong
/// order, or a pawn stands where none can.
fn board_at(class: Class, place: usize) -> Option<Board> {
    let mut rest = place;
    let mut next = || {
        let square = (rest % SQUARES) as Square;
        rest /= SQUARES;
        square
    };
    let mut board = Board::empty(Side::First, 1);
    let mut last = None;
    for extra in class.pieces().collect::<Vec<_>>().into_iter().rev() {
        let square = next();
        let wrong_order = last.is_some_and(|(same, upper)| same == extra && square > upper);
        let pawn_at_edge = kind_of(extra) == Piece::Pawn && bit(square) & (FIRST_RANK | LAST_RANK) != 0;
        if board.occupied() & bit(square) != 0 || wrong_order || pawn_at_edge {
            return None;
        }
        board.put(if extra <= 5 { Side::First } else { Side::Second }, kind_of(extra), square);
        last = Some((extra, square));
    }
    for side in [Side::Second, Side::First] {
        let square = next();
        if board.occupied() & bit(square) != 0 {
            return None;
        }
        board.put(side, Piece::King, square);
    }
    Some(board)
}

impl<'a> Pair<'a> {
    fn new(class: Class, solved: &'a EndgameTables) -> Pair<'a> {
        let half = |class: Class| Half {
            class,
            plies: vec![DRAW; full_size(class)],
            open: vec![0; full_size(class)],
            resistance: vec![0; full_size(class)],
        };
        let mut halves = vec![half(class)];
        if class.reversed() != class {
            halves.push(half(class.reversed()));
        }
        Pair { halves, due: vec![Vec::new(); LONGEST + 2], solved }
    }

    fn solve(mut self) -> Vec<(Class, Box<[u8]>)> {
        for half in 0..self.halves.len() {
            for place in 0..self.halves[half].plies.len() {
                if let Some(board) = board_at(self.halves[half].class, place) {
                    self.begin(half, place, &board);
                }
            }
        }
        for plies in 0..=LONGEST {
            let mut at = 0;
            // What is decided at this very ply may be added while the list is walked.
            while let Some(&(half, place)) = self.due[plies].get(at) {
                at += 1;
                self.decide(usize::from(half), place as usize, plies as u8);
            }
        }
        self.halves.iter().map(|half| (half.class, packed(half))).collect()
    }

    /// Looks at a position's own moves: takes a king if it can, asks other tables about captures and
    /// promotions, and counts the rest.
    fn begin(&mut self, half: usize, place: usize, board: &Board) {
        if board.attacks_king(Side::First) {
            self.halves[half].open[place] = SAFE;
            self.due[1].push((half as u8, place as u32));
            return;
        }
        let (mut open, mut safe) = (0_u8, false);
        let (mut resistance, mut win) = (0, DRAW);
        for mv in all_moves(board) {
            if mv.taken.is_none() && !mv.promotes() {
                open += 1;
                continue;
            }
            match self.elsewhere(&board.play(mv)) {
                DRAW => safe = true,
                plies if plies % 2 == 0 => win = win.min(plies + 1),
                plies => resistance = resistance.max(plies + 1),
            }
        }
        let entry = &mut self.halves[half];
        // A win or a draw by leaving the pair is a way out, however the other moves end.
        entry.open[place] = if safe || win != DRAW { SAFE } else { open };
        entry.resistance[place] = resistance;
        if win != DRAW {
            self.due[usize::from(win)].push((half as u8, place as u32));
        } else if open == 0 && !safe {
            self.due[usize::from(resistance)].push((half as u8, place as u32));
        }
    }

    /// The plies of a board of a class solved before.
    fn elsewhere(&self, board: &Board) -> u8 {
        self.solved.dtm(board).unwrap_or(DRAW)
    }

    /// A position gets its plies unless it was decided earlier, and those before it hear of it.
    fn decide(&mut self, half: usize, place: usize, plies: u8) {
        let entry = &mut self.halves[half];
        if entry.plies[place] != DRAW {
            return;
        }
        entry.plies[place] = plies;
        let Some(board) = board_at(entry.class, place) else { return };
        for before in unmoves(&board) {
            let earlier = full_index(TablePosition::of(&before));
            let other = if self.halves.len() == 1 { 0 } else { 1 - half };
            let entry = &mut self.halves[other];
            if entry.plies[earlier] != DRAW {
                continue;
            }
            let due = if plies.is_multiple_of(2) {
                plies + 1
            } else {
                let open = &mut entry.open[earlier];
                if *open == SAFE {
                    continue;
                }
                *open -= 1;
                if *open > 0 {
                    continue;
                }
                entry.resistance[earlier].max(plies + 1)
            };
            if usize::from(due) <= LONGEST {
                self.due[usize::from(due)].push((other as u8, earlier as u32));
            }
        }
    }
}

/// The boards from which a move without capture or promotion leads to this one, White being to move.
fn unmoves(board: &Board) -> Vec<Board> {
    let side = Side::Second;
    // Pieces go back as they go forth; pawns do not.
    let mut back = MoveList::new();
    let turned = board.pass();
    quiet_moves(&turned, |mv| {
        if mv.kind != Piece::Pawn {
            back.push(mv);
        }
    });
    for from in Squares(board.of(side, Piece::Pawn)) {
        let origin = ahead(Side::First, bit(from)) & board.empty_squares() & !LAST_RANK;
        for to in Squares(origin) {
            back.push(Move::new(side, Piece::Pawn, from, to, None));
        }
    }
    back.iter()
        .map(|mv| {
            let mut before = Board::empty(side, 1);
            for square in Squares(board.occupied()) {
                if let Some((owner, kind)) = board.piece_at(square) {
                    before.put(owner, kind, if square == mv.from { mv.to } else { square });
                }
            }
            before
        })
        .collect()
}

/// The half of a table that is kept: mirrored boards once.
fn packed(half: &Half) -> Box<[u8]> {
    let mut table = vec![DRAW; half.class.size()];
    for (place, &plies) in half.plies.iter().enumerate() {
        if plies != DRAW
            && let Some(board) = board_at(half.class, place)
        {
            let placement = TablePosition::of(&board);
            let kept = placement.kings[0] <= mirrored(placement.kings[0]);
            if kept {
                table[placement.index()] = plies;
            }
        }
    }
    table.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::rules::MiniChess;
    use crate::games::minichess::state_text::read_state;
    use crate::search::game::Game;
    use crate::search::types::WIN;

    /// The class of a board given as text.
    fn class_of(state: &str) -> Class {
        TablePosition::of(&read_state(state).expect("a position")).class
    }

    /// What the plies of all moves say about those of a board.
    fn backed_up(tables: &EndgameTables, board: &Board) -> u8 {
        let mut best_win = DRAW;
        let (mut resistance, mut draws) = (0, false);
        for mv in MiniChess.moves(board) {
            let plies = match mv.taken {
                Some(Piece::King) => 0,
                _ => tables.dtm(&board.play(mv)).expect("a position of the tables"),
            };
            match plies {
                DRAW => draws = true,
                plies if plies % 2 == 0 => best_win = best_win.min(plies + 1),
                plies => resistance = resistance.max(plies + 1),
            }
        }
        match (best_win, draws) {
            (DRAW, true) => DRAW,
            (DRAW, false) => resistance,
            (win, _) => win,
        }
    }

    /// Every position of some classes has the plies that its moves give it.
    #[test]
    fn every_value_follows_from_those_after_it() {
        let states = ["9 W k..../p..../...../...../...../...RK", "9 W k..../r..../...../...../P..../....K"];
        let classes = states.map(class_of);
        let tables = build_some(&classes);
        let mut seen = 0;
        for class in Class::all().filter(|class| !tables.classes[class.number()].is_empty()) {
            for place in (0..full_size(class)).step_by(if class.pieces().count() == 2 { 7 } else { 1 }) {
                if let Some(board) = board_at(class, place) {
                    seen += 1;
                    assert_eq!(tables.dtm(&board), Some(backed_up(&tables, &board)), "{board:?}");
                }
            }
        }
        assert!(seen > 400_000, "{seen}");
    }

    /// Alpha-beta without any knowledge, to a fixed depth.
    fn search(board: &Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        if let Some(score) = MiniChess.outcome(board) {
            return score.signum() * (WIN - 80 + depth as i32);
        }
        if depth == 0 {
            return 0;
        }
        for mv in MiniChess.moves(board) {
            let score = -search(&board.play(mv), depth - 1, -beta, -alpha);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// Positions with short wins, and all others, against a search without tables.
    #[test]
    fn tables_agree_with_search() {
        let tables = build_some(&[class_of("9 W k..../...../...../...../...../N..QK")]);
        const DEPTH: u32 = 5;
        let mut random = 99_u64;
        let mut short = 0;
        for _ in 0..150 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let classes: Vec<Class> = Class::all()
                .filter(|class| !tables.classes[class.number()].is_empty() && class.pieces().count() > 0)
                .collect();
            let class = classes[(random >> 33) as usize % classes.len()];
            let Some(board) = board_at(class, (random >> 20) as usize % full_size(class)) else { continue };
            let plies = tables.dtm(&board).expect("a position of the tables");
            let found = search(&board, DEPTH, -WIN, WIN);
            let expected = match u32::from(plies) {
                plies if plies > DEPTH => 0,
                plies => (WIN - 80 + (DEPTH - plies) as i32) * if plies % 2 == 1 { 1 } else { -1 },
            };
            short += u32::from(expected != 0 && plies > 1);
            assert_eq!(found, expected, "{board:?} in {plies}");
        }
        assert!(short > 10, "{short}");
    }

    /// Distances that others have found (`small-chess-techniques`): the longest win of a lone piece.
    #[test]
    fn lone_pieces_win() {
        let longest = |state: &str| {
            let tables = build_some(&[class_of(state)]);
            let class = class_of(state);
            (0..full_size(class))
                .filter_map(|place| board_at(class, place))
                .filter_map(|board| tables.dtm(&board))
                .filter(|&plies| plies != DRAW)
                .max()
        };
        let of = |piece: char| longest(&format!("9 W k..../...../{piece}..../...../...../....K"));
        let by_strong_side = |piece| of(piece).map(|plies| plies.max(1));
        assert_eq!(by_strong_side('Q'), Some(11));
        assert_eq!(by_strong_side('R'), Some(21));
    }
}
