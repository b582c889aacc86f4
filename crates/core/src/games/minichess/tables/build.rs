//! Retrograde analysis (Thompson, "Retrograde analysis of certain endgames", 1986): from the captured kings backwards, ply
//! by ply.
//!
//! A material class is solved together with its reverse, where the other side is to move. Moves that leave the pair
//! (captures and promotions) are looked up in the tables of classes solved before; all other moves are unmade.

use super::super::board::{Board, Move, Piece};
use super::super::movegen::{Moves, ahead, all_moves, quiet_moves};
use super::super::squares::{FIRST_RANK, LAST_RANK, SQUARES, Square, Squares, bit, mirrored};
use super::{CLASSES, DRAW, EndgameTables, MaterialClass, TablePosition, kind_of};
use crate::search::types::Side;
use rayon::prelude::*;

/// Longer wins do not fit into a game.
const LONGEST: usize = 80;
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
    let mut tables = EndgameTables { classes: vec![Box::default(); CLASSES] };
    for pieces in 0..=2 {
        for pawns in 0..=pieces {
            let here =
                |class: &MaterialClass| class.pieces().count() == pieces && class.pawns() == pawns && is_wanted(*class);
            let firsts: Vec<MaterialClass> =
                MaterialClass::all().filter(|class| here(class) && *class <= class.reversed()).collect();
            let solved: Vec<(MaterialClass, Box<[u8]>)> =
                firsts.par_iter().flat_map_iter(|&class| solve_pair(class, &tables, &report)).collect();
            for (class, table) in solved {
                tables.classes[class.number()] = table;
            }
            report(Progress::Level { pieces: pieces + 2, pawns });
        }
    }
    tables
}

/// Solves a class and its reverse.
fn solve_pair(
    class: MaterialClass,
    solved: &EndgameTables,
    report: &impl Fn(Progress),
) -> Vec<(MaterialClass, Box<[u8]>)> {
    let tables = Pair::new(class, solved).solve();
    report(Progress::Classes(tables.len()));
    tables
}

/// A class while it is being solved, for all squares of both kings: mirrored boards have entries
/// of their own, which keeps unmaking moves simple.
struct ClassState {
    class: MaterialClass,
    /// Distance to mate in plies, [`DRAW`] while unknown.
    dtm: Vec<u8>,
    /// Moves within the pair that are not known to lose yet, or [`SAFE`].
    open: Vec<u8>,
    /// The largest distance to mate among losing moves that leave the pair.
    resistance: Vec<u8>,
}

/// A class and its reverse; one state alone if the class is its own reverse.
struct Pair<'a> {
    states: Vec<ClassState>,
    /// Positions by the distance to mate at which they are due: the state and the index.
    due: Vec<Vec<(u8, u32)>>,
    solved: &'a EndgameTables,
}

fn full_size(class: MaterialClass) -> usize {
    SQUARES.pow(2 + class.pieces().count() as u32)
}

/// The index of a position in [`ClassState`].
fn full_index(position: TablePosition) -> usize {
    let [king, other] = position.kings.map(usize::from);
    let index = king * SQUARES + other;
    let extras = position.extras.map(usize::from);
    match position.class.pieces().count() {
        0 => index,
        1 => index * SQUARES + extras[1],
        _ => (index * SQUARES + extras[0]) * SQUARES + extras[1],
    }
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

impl<'a> Pair<'a> {
    fn new(class: MaterialClass, solved: &'a EndgameTables) -> Pair<'a> {
        let state = |class: MaterialClass| ClassState {
            class,
            dtm: vec![DRAW; full_size(class)],
            open: vec![0; full_size(class)],
            resistance: vec![0; full_size(class)],
        };
        let mut states = vec![state(class)];
        if class.reversed() != class {
            states.push(state(class.reversed()));
        }
        Pair { states, due: vec![Vec::new(); LONGEST + 2], solved }
    }

    fn solve(mut self) -> Vec<(MaterialClass, Box<[u8]>)> {
        for state in 0..self.states.len() {
            for index in 0..self.states[state].dtm.len() {
                if let Some(board) = board_at(self.states[state].class, index) {
                    self.initialise(state, index, &board);
                }
            }
        }
        for plies in 0..=LONGEST {
            let mut at = 0;
            // Positions due at this ply may be added during the loop.
            while let Some(&(state, index)) = self.due[plies].get(at) {
                at += 1;
                self.set_dtm(usize::from(state), index as usize, plies as u8);
            }
        }
        self.states.iter().map(|state| (state.class, stored(state))).collect()
    }

    /// Initialises a position from its moves: wins by capturing the king, looks captures and promotions up in other
    /// tables, and counts the rest.
    fn initialise(&mut self, state: usize, index: usize, board: &Board) {
        if board.attacks_king(Side::First) {
            self.states[state].open[index] = SAFE;
            self.due[1].push((state as u8, index as u32));
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
        let entry = &mut self.states[state];
        // A win or a draw by leaving the pair means that the position is not lost, whatever the
        // other moves lead to.
        entry.open[index] = if safe || win != DRAW { SAFE } else { open };
        entry.resistance[index] = resistance;
        if win != DRAW {
            self.due[usize::from(win)].push((state as u8, index as u32));
        } else if open == 0 && !safe {
            self.due[usize::from(resistance)].push((state as u8, index as u32));
        }
    }

    /// The distance to mate of a board of a class solved before.
    fn solved_dtm(&self, board: &Board) -> u8 {
        self.solved.dtm(board).unwrap_or(DRAW)
    }

    /// Sets the distance to mate of a position, unless it was set earlier, and updates its predecessors.
    fn set_dtm(&mut self, state: usize, index: usize, dtm: u8) {
        let entry = &mut self.states[state];
        if entry.dtm[index] != DRAW {
            return;
        }
        entry.dtm[index] = dtm;
        let Some(board) = board_at(entry.class, index) else { return };
        for before in unmoves(&board) {
            let earlier = full_index(TablePosition::of(&before));
            let other = if self.states.len() == 1 { 0 } else { 1 - state };
            let entry = &mut self.states[other];
            if entry.dtm[earlier] != DRAW {
                continue;
            }
            let due = if dtm.is_multiple_of(2) {
                dtm + 1
            } else {
                let open = &mut entry.open[earlier];
                if *open == SAFE {
                    continue;
                }
                *open -= 1;
                if *open > 0 {
                    continue;
                }
                entry.resistance[earlier].max(dtm + 1)
            };
            if usize::from(due) <= LONGEST {
                self.due[usize::from(due)].push((other as u8, earlier as u32));
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

/// The table of a class as it is stored: mirrored boards once.
fn stored(state: &ClassState) -> Box<[u8]> {
    let mut table = vec![DRAW; state.class.size()];
    for (index, &dtm) in state.dtm.iter().enumerate() {
        if dtm != DRAW
            && let Some(board) = board_at(state.class, index)
        {
            let position = TablePosition::of(&board);
            if position.kings[0] <= mirrored(position.kings[0]) {
                table[position.index()] = dtm;
            }
        }
    }
    table.into_boxed_slice()
}

#[cfg(test)]
pub(in super::super) mod tests {
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
        let mut next = vec![class.reversed()];
        for (index, &extra) in pieces.iter().enumerate() {
            let rest = pieces.iter().enumerate().find(|(other, _)| *other != index).map_or(0, |(_, &extra)| extra);
            next.push(MaterialClass::new(0, rest).reversed());
            if kind_of(extra) == Piece::Pawn {
                next.push(MaterialClass::new(extra + 4, rest).reversed());
            }
        }
        next.into_iter()
    }

    /// The class of a board given as text.
    pub(in super::super::super) fn class_of(state: &str) -> MaterialClass {
        TablePosition::of(&read_state(state).expect("a position")).class
    }

    /// The distance to mate of a board that follows from those of its children.
    fn backed_up(tables: &EndgameTables, board: &Board) -> u8 {
        let mut best_win = DRAW;
        let (mut resistance, mut draws) = (0, false);
        for mv in MiniChess.moves(board) {
            let plies = match mv.captured {
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

    /// Every position of some classes has the distance that follows from its children.
    #[test]
    fn every_value_follows_from_its_children() {
        let states = ["9 W k..../p..../...../...../...../...RK", "9 W k..../r..../...../...../P..../....K"];
        let classes = states.map(class_of);
        let tables = build_some(&classes);
        let mut seen = 0;
        for class in MaterialClass::all().filter(|class| !tables.classes[class.number()].is_empty()) {
            for place in (0..full_size(class)).step_by(if class.pieces().count() == 2 { 7 } else { 1 }) {
                if let Some(board) = board_at(class, place) {
                    seen += 1;
                    assert_eq!(tables.dtm(&board), Some(backed_up(&tables, &board)), "{board:?}");
                }
            }
        }
        assert!(seen > 400_000, "{seen}");
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
