//! The moves of a node in the order in which they are worth trying, made as they are needed.

use super::game::*;
use super::worker::{Brain, Node, Worker};
use arrayvec::ArrayVec;

/// A move with its rank for ordering.
#[derive(Clone, Copy)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// The rank, and below it how early the move came, so that no two are equal.
    order: i64,
}

impl<M> Ranked<M> {
    /// The move that comes after so many others; higher ranks are tried earlier, and among equals the
    /// move that came earlier.
    #[inline(always)]
    fn new(mv: M, rank: i32, before: usize) -> Ranked<M> {
        Ranked { mv, order: i64::from(rank) << 8 | (MAX_MOVES - before) as i64 }
    }

    /// The move shall come after all others that have not sunk.
    #[inline(always)]
    fn sink(&mut self) {
        self.order -= i64::from(SUNK) << 8;
    }

    /// Higher is earlier.
    #[inline(always)]
    pub fn rank(&self) -> i32 {
        (self.order >> 8) as i32
    }
}

/// The moves of a node, ranked.
pub type Moves<M> = ArrayVec<Ranked<M>, MAX_MOVES>;

/// Adds a move with its rank; there is room for all moves of a position.
#[inline(always)]
pub fn append<M>(moves: &mut Moves<M>, mv: M, rank: i32) {
    let added = moves.try_push(Ranked::new(mv, rank, moves.len()));
    debug_assert!(added.is_ok(), "more moves than any position has");
}

/// Ranks above anything that tactics give.
pub const TABLE_MOVE: i32 = i32::MAX;
const KILLER: i32 = 1 << 24;
/// Twice what noisy moves rank by, so that those that sink come after every quiet move.
const SUNK: i32 = 1 << 29;

/// The moves that a node makes next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The table's move alone.
    Table,
    /// The noisy ones.
    Noisy,
    /// The quiet ones.
    Quiet,
    /// All at once, or none any more.
    All,
}

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'_, G, E, T> {
    /// Goes on to the next stage: adds moves with their ranks. The list is not returned because it is
    /// large: the copy cost a twentieth of all time.
    #[inline(always)]
    pub fn fill(
        &self,
        node: Node<'_, G, E>,
        table_move: Option<u16>,
        depth: Depth,
        stage: &mut Stage,
        moves: &mut Moves<G::Move>,
    ) {
        let Brain { game, tactics, .. } = self.brain;
        let Node { position, .. } = node;
        match stage {
            Stage::Table => {
                if let Some(mv) = table_move.and_then(|code| tactics.recalled(game, position, code)) {
                    append(moves, mv, TABLE_MOVE);
                }
                *stage = Stage::Noisy;
            }
            Stage::Noisy => {
                tactics.noisy_moves(
                    game,
                    position,
                    #[inline(always)]
                    |mv| self.add(node, table_move, depth, moves, mv),
                );
                *stage = Stage::Quiet;
            }
            Stage::Quiet => {
                tactics.quiet_moves(
                    game,
                    position,
                    #[inline(always)]
                    |mv| self.add(node, table_move, depth, moves, mv),
                );
                *stage = Stage::All;
            }
            Stage::All => {
                for mv in game.moves(position) {
                    self.add(node, table_move, depth, moves, mv);
                }
            }
        }
    }

    /// Brings the best of the moves from `index` on to that place, if there are any.
    #[inline(always)]
    pub fn bring_best(
        &self,
        node: Node<'_, G, E>,
        table_move: Option<u16>,
        depth: Depth,
        stage: &mut Stage,
        moves: &mut Moves<G::Move>,
        index: usize,
    ) {
        let Brain { game, tactics, .. } = self.brain;
        loop {
            while *stage != Stage::All && moves[index..].iter().all(|ranked| ranked.rank() < QUIET_BELOW) {
                self.fill(node, table_move, depth, stage, moves);
            }
            if index == moves.len() {
                return;
            }
            let mv = pick(moves, index);
            let may_sink = T::STAGED && (QUIET_BELOW..TABLE_MOVE).contains(&moves[index].rank());
            if !(may_sink && tactics.loses(game, node.position, mv)) {
                return;
            }
            moves[index].sink();
        }
    }

    /// Adds a move with its rank; the table's move is there already if it was recalled.
    #[inline(always)]
    fn add(
        &self,
        node: Node<'_, G, E>,
        table_move: Option<u16>,
        depth: Depth,
        moves: &mut Moves<G::Move>,
        mv: G::Move,
    ) {
        let Brain { game, eval, tactics } = self.brain;
        let code = game.code(mv);
        let rank = if Some(code) == table_move {
            if T::STAGED && moves.first().is_some_and(|first| first.rank() == TABLE_MOVE) {
                return;
            }
            TABLE_MOVE
        } else {
            let mut rank = tactics.order(game, node.position, mv);
            if T::PRESORT.is_some_and(|from| depth >= from) {
                let child = game.play(node.position, mv);
                let state = eval.advance(node.state, node.position, mv, &child);
                rank -= eval.score(&state, &child);
            }
            if T::KILLERS && tactics.uses(Trick::Killers) {
                rank += self.memory.killer(node.ply, code) * KILLER;
            }
            if T::HISTORY && tactics.uses(Trick::History) {
                rank += self.memory.history(code);
            }
            if T::CONTINUATION && tactics.uses(Trick::Continuation) {
                let (before, theme) = (self.themes_before(node.ply), tactics.theme(mv));
                // What is an answer to the move just made says more than what goes on with an own plan.
                rank += self.memory.reply(before[0], theme) * 7 / 5 + self.memory.reply(before[1], theme);
            }
            rank
        };
        append(moves, mv, rank);
    }
}

/// Moves the best of the remaining moves to `index` and returns it.
#[inline(always)]
pub fn pick<M: Copy>(moves: &mut Moves<M>, index: usize) -> M {
    let (mut best, mut highest) = (index, moves[index].order);
    for (other, ranked) in moves.iter().enumerate().skip(index + 1) {
        if ranked.order > highest {
            (best, highest) = (other, ranked.order);
        }
    }
    moves.swap(index, best);
    moves[index].mv
}
