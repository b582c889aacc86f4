//! Retrograde analysis (Thompson, "Retrograde analysis of certain endgames", 1986): from the captured kings backwards, ply
//! by ply.
//!
//! A material class is solved together with its reverse, where the other side is to move. Moves that leave the pair
//! (captures and promotions) are looked up in the tables of classes solved before; all other moves are unmade.

use super::super::board::{Board, Move, Piece};
use super::super::movegen::{Moves, ahead, all_moves, quiet_moves};
use super::super::squares::{FILES, FIRST_RANK, LAST_RANK, SQUARES, Square, Squares, bit};
use super::material::{MAX_EXTRAS, TablePosition, kind_of};
use super::{CLASSES, DRAW, EndgameTables, MaterialClass};
use crate::search::types::Side;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

const LONGEST: usize = super::LONGEST as usize;
/// In [`ClassState::open`]: one of the moves does not lose, so the position is not lost.
const SAFE: u8 = u8::MAX;

/// Progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// This many further classes, of [`CLASSES`].
    Classes(usize),
    /// All classes with this many pieces (kings included) and this many pawns.
    Level {
        /// Pieces.
        pieces: usize,
        /// Pawns.
        pawns: usize,
    },
}

/// Solves every class; `report` is called for each finished class and each finished level of
/// material.
pub fn build(report: impl Fn(Progress) + Sync) -> EndgameTables {
    solve(|_| true, report)
}

/// Solves level by level, by pieces and pawns: captures and promotions lead to lower levels only.
fn solve(is_wanted: impl Fn(MaterialClass) -> bool, report: impl Fn(Progress) + Sync) -> EndgameTables {
    let mut tables = EndgameTables { classes: vec![Box::default(); CLASSES], five: None };
    for pieces in 0..=2 {
        for pawns in 0..=pieces {
            let here =
                |class: &MaterialClass| class.pieces().count() == pieces && class.pawns() == pawns && is_wanted(*class);
            let firsts: Vec<MaterialClass> =
                MaterialClass::all().filter(|class| here(class) && *class <= class.reversed()).collect();
            let solved: Vec<Solved> =
                firsts.par_iter().flat_map_iter(|&class| solve_pair(class, &tables, &report)).collect();
            for (class, table) in solved {
                tables.classes[class.number()] = table;
            }
            report(Progress::Level { pieces: pieces + 2, pawns });
        }
    }
    tables
}

/// A class with its table.
type Solved = (MaterialClass, Box<[u8]>);

/// Solves a class of five pieces and its reverse. `solved` has all classes of four pieces, and those that promotions lead
/// to. Placements that do not exist and captures of the king are both 1: a probe asks for neither.
pub fn build_five(class: MaterialClass, solved: &EndgameTables) -> Vec<Solved> {
    Pair::new(class, solved).solve()
}

/// Solves a class and its reverse.
fn solve_pair(class: MaterialClass, solved: &EndgameTables, report: &impl Fn(Progress)) -> Vec<Solved> {
    let tables = Pair::new(class, solved).solve();
    report(Progress::Classes(tables.len()));
    tables
}

/// A class while it is being solved, for all squares of both kings: mirrored boards have entries
/// of their own, which keeps unmaking moves simple.
struct ClassState {
    class: MaterialClass,
    /// Distance to mate in plies, the shortest known so far, [`DRAW`] while unknown. It is final once its ply has come.
    dtm: Vec<AtomicU8>,
    /// Moves within the pair that are not known to lose yet, or [`SAFE`].
    open: Vec<AtomicU8>,
    /// The largest distance to mate among losing moves that leave the pair.
    resistance: Vec<AtomicU8>,
}

/// A class and its reverse; one state alone if the class is its own reverse.
struct Pair<'a> {
    states: Vec<ClassState>,
    /// Whether some position has this distance to mate.
    due: Vec<AtomicBool>,
    solved: &'a EndgameTables,
}

fn full_size(class: MaterialClass) -> usize {
    SQUARES.pow(2 + class.pieces().count() as u32)
}

/// The index of a board in [`ClassState`].
fn full_index(board: &Board) -> usize {
    let position = TablePosition::seen(board, false);
    position.index_of_king(usize::from(position.kings[0]))
}

/// The board of an index with White to move; none if pieces share a square, equal pieces are not
/// sorted, or a pawn stands on the first or last rank.
fn board_at(class: MaterialClass, index: usize) -> Option<Board> {
    let mut rest = index;
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

/// The positions of a class with White to move and its king on files a to c.
pub fn boards(class: MaterialClass) -> impl ParallelIterator<Item = Board> {
    let placements = full_size(class) / SQUARES;
    let indices = (0..full_size(class)).into_par_iter().filter(move |index| index / placements % FILES <= FILES / 2);
    indices.filter_map(move |index| board_at(class, index))
}

fn bytes(value: u8, len: usize) -> Vec<AtomicU8> {
    (0..len).into_par_iter().map(|_| AtomicU8::new(value)).collect()
}

impl<'a> Pair<'a> {
    fn new(class: MaterialClass, solved: &'a EndgameTables) -> Pair<'a> {
        let state = |class: MaterialClass| {
            let size = full_size(class);
            ClassState { class, dtm: bytes(DRAW, size), open: bytes(0, size), resistance: bytes(0, size) }
        };
        let mut states = vec![state(class)];
        if class.reversed() != class {
            states.push(state(class.reversed()));
        }
        let due = (0..=LONGEST).map(|_| AtomicBool::new(false)).collect();
        Pair { states, due, solved }
    }

    fn solve(self) -> Vec<Solved> {
        for state in &self.states {
            let is_packed = state.class.pieces().count() == MAX_EXTRAS;
            (0..state.dtm.len()).into_par_iter().for_each(|index| match board_at(state.class, index) {
                Some(board) => self.initialise(state, index, &board),
                None if is_packed => state.dtm[index].store(1, Relaxed),
                None => {}
            });
        }
        for plies in (0..=LONGEST).filter(|&plies| self.due[plies].load(Relaxed)) {
            for state in 0..self.states.len() {
                let dtm = &self.states[state].dtm;
                (0..dtm.len()).into_par_iter().with_min_len(1 << 12).for_each(|index| {
                    if usize::from(dtm[index].load(Relaxed)) == plies {
                        self.update_predecessors(state, index, plies as u8);
                    }
                });
            }
        }
        self.states.iter().map(|state| (state.class, stored(state))).collect()
    }

    /// Notes that a position ends in this many plies at most.
    fn shorten(&self, state: &ClassState, index: usize, plies: u8) {
        if let Some(due) = self.due.get(usize::from(plies)) {
            state.dtm[index].fetch_min(plies, Relaxed);
            due.store(true, Relaxed);
        }
    }

    /// Initialises a position from its moves: wins by capturing the king, looks captures and promotions up in other
    /// tables, and counts the rest.
    fn initialise(&self, state: &ClassState, index: usize, board: &Board) {
        if board.attacks_king(Side::First) {
            state.open[index].store(SAFE, Relaxed);
            self.shorten(state, index, 1);
            return;
        }
        let (mut open, mut safe) = (0_u8, false);
        let (mut resistance, mut win) = (0, DRAW);
        for mv in all_moves(board) {
            if mv.captured.is_none() && !mv.promotes() {
                open += 1;
                continue;
            }
            match self.solved_dtm(&board.play(mv)) {
                DRAW => safe = true,
                plies if plies % 2 == 0 => win = win.min(plies + 1),
                plies => resistance = resistance.max(plies + 1),
            }
        }
        // A win or a draw by leaving the pair means that the position is not lost, whatever the
        // other moves lead to.
        state.open[index].store(if safe || win != DRAW { SAFE } else { open }, Relaxed);
        state.resistance[index].store(resistance, Relaxed);
        if win != DRAW {
            self.shorten(state, index, win);
        } else if open == 0 && !safe {
            self.shorten(state, index, resistance);
        }
    }

    /// The distance to mate of a board of a class solved before.
    fn solved_dtm(&self, board: &Board) -> u8 {
        self.solved.dtm(board).unwrap_or(DRAW)
    }

    /// Tells the predecessors of a position its distance to mate, which is final.
    fn update_predecessors(&self, state: usize, index: usize, dtm: u8) {
        let Some(board) = board_at(self.states[state].class, index) else { return };
        let other = &self.states[if self.states.len() == 1 { 0 } else { 1 - state }];
        for before in unmoves(&board) {
            let earlier = full_index(&before);
            if dtm.is_multiple_of(2) {
                self.shorten(other, earlier, dtm + 1);
                continue;
            }
            let open = &other.open[earlier];
            if open.load(Relaxed) != SAFE && open.fetch_sub(1, Relaxed) == 1 {
                self.shorten(other, earlier, other.resistance[earlier].load(Relaxed).max(dtm + 1));
            }
        }
    }
}

/// Unmoves: the boards from which a move without capture or promotion leads to this board, with
/// White to move.
fn unmoves(board: &Board) -> Vec<Board> {
    let side = Side::Second;
    // Pieces move back as they move forth; pawns do not.
    let mut back = Moves::new();
    let passed = board.pass();
    quiet_moves(&passed, |mv| {
        if mv.piece != Piece::Pawn {
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

/// The table of a class as it is stored: mirrored boards once, those with the mover's king on files a to c. The king's
/// square comes first in both indices.
fn stored(state: &ClassState) -> Box<[u8]> {
    let kings = state.dtm.chunks(state.dtm.len() / SQUARES).enumerate();
    let kept = kings.filter(|(king, _)| king % FILES <= FILES / 2);
    kept.flat_map(|(_, table)| table.iter().map(|dtm| dtm.load(Relaxed))).collect()
}

#[cfg(test)]
pub(in super::super) mod tests {
    use super::super::check::check_class;
    use super::*;
    use crate::games::minichess::rules::MiniChess;
    use crate::games::minichess::state_text::read_state;
    use crate::search::game::Game;
    use crate::search::types::WIN;

    /// Solves these classes and all that they lead to; the others stay empty.
    pub(in super::super::super) fn build_some(classes: &[MaterialClass]) -> EndgameTables {
        let mut wanted: Vec<MaterialClass> = classes.to_vec();
        let mut at = 0;
        while let Some(&class) = wanted.get(at) {
            at += 1;
            let next = successors(class).filter(|class| !wanted.contains(class)).collect::<Vec<_>>();
            wanted.extend(next);
        }
        solve(|class| wanted.contains(&class), |_| ())
    }

    /// Classes after a quiet move, a capture or a promotion.
    fn successors(class: MaterialClass) -> impl Iterator<Item = MaterialClass> {
        let pieces: Vec<u8> = class.pieces().collect();
        let without = |index: usize| {
            let rest = pieces.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, &extra)| extra);
            rest.chain([0; MAX_EXTRAS]).take(MAX_EXTRAS).collect::<Vec<u8>>().try_into().expect("three")
        };
        let captures = (0..pieces.len()).map(|index| MaterialClass::new(without(index)).reversed());
        let promotions = class.promotions().map(MaterialClass::reversed);
        [class.reversed()].into_iter().chain(captures).chain(promotions).collect::<Vec<_>>().into_iter()
    }

    /// The class of a board given as text.
    pub(in super::super::super) fn class_of(state: &str) -> MaterialClass {
        TablePosition::of(&read_state(state).expect("a position")).class
    }

    /// Every position of some classes has the distance that follows from its children.
    #[test]
    fn every_value_follows_from_its_children() {
        let states = ["9 W k..../p..../...../...../...../...RK", "9 W k..../r..../...../...../P..../....K"];
        let classes = states.map(class_of);
        let tables = build_some(&classes);
        let mut seen = 0;
        for class in MaterialClass::all().filter(|class| !tables.classes[class.number()].is_empty()) {
            let (positions, wrong) = check_class(&tables, class);
            assert!(wrong.is_empty(), "{:?}", wrong[0]);
            seen += positions;
        }
        assert!(seen > 1_390_000, "{seen}");
        // A single wrong distance is found.
        let damaged = classes[1];
        let mut tables = tables;
        let entry = tables.classes[damaged.number()].iter_mut().rfind(|dtm| (5..9).contains(&**dtm)).expect("a win");
        *entry += 2;
        assert!(!check_class(&tables, damaged).1.is_empty());
    }

    /// Alpha-beta to a fixed depth, without tables.
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
            let classes: Vec<MaterialClass> = MaterialClass::all()
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

    /// Known distances (`small-chess-techniques`): the longest win with one piece against none.
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
        assert_eq!((of('Q'), of('R')), (Some(11), Some(21)));
    }
}
