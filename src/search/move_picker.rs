//! The moves of a node in the order in which they are worth trying, made as they are needed.

use super::evaluation::Eval;
use super::game::{Game, MAX_MOVES};
use super::policy::{QUIET_BELOW, SearchPolicy, Technique};
use super::types::Depth;
use super::worker::{Node, SearchContext, Worker};
use arrayvec::ArrayVec;

/// A move with its rank for ordering.
#[derive(Clone, Copy)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// The rank, and below it how early the move came, so that no two are equal.
    order: i64,
}

impl<M> ScoredMove<M> {
    /// The move that comes after so many others; higher ranks are tried earlier, and among equals the
    /// move that came earlier.
    #[inline(always)]
    fn new(mv: M, rank: i32, before: usize) -> ScoredMove<M> {
        ScoredMove { mv, order: i64::from(rank) << 8 | (MAX_MOVES - before) as i64 }
    }

    /// The move shall come after all others that have not sunk.
    #[inline(always)]
    fn demote(&mut self) {
        self.order -= i64::from(DEMOTION) << 8;
    }

    /// Higher is earlier.
    #[inline(always)]
    pub fn rank(&self) -> i32 {
        (self.order >> 8) as i32
    }
}

/// The moves of a node, ranked.
pub type ScoredMoves<M> = ArrayVec<ScoredMove<M>, MAX_MOVES>;

/// Adds a move with its rank; there is room for all moves of a position.
#[inline(always)]
pub fn append<M>(moves: &mut ScoredMoves<M>, mv: M, rank: i32) {
    let added = moves.try_push(ScoredMove::new(mv, rank, moves.len()));
    debug_assert!(added.is_ok(), "more moves than any position has");
}

/// Ranks above anything that policy give.
pub const TABLE_MOVE: i32 = i32::MAX;
const KILLER: i32 = 1 << 24;
/// Twice what noisy moves rank by, so that those that demote come after every quiet move.
const DEMOTION: i32 = 1 << 29;

/// The moves that a node makes next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The table's move alone.
    TtMove,
    /// The noisy ones.
    Noisy,
    /// The quiet ones.
    Quiet,
    /// All at once, or none any more.
    All,
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// Goes on to the next stage: adds moves with their ranks. The list is not returned because it is
    /// large: the copy cost a twentieth of all time.
    #[inline(always)]
    pub fn generate_stage(
        &self,
        node: Node<'_, G, E>,
        table_move: Option<u16>,
        depth: Depth,
        stage: &mut Stage,
        moves: &mut ScoredMoves<G::Move>,
    ) {
        let SearchContext { game, policy, .. } = self.context;
        let Node { position, .. } = node;
        match stage {
            Stage::TtMove => {
                if let Some(mv) = table_move.and_then(|code| policy.decode_tt_move(game, position, code)) {
                    append(moves, mv, TABLE_MOVE);
                }
                *stage = Stage::Noisy;
            }
            Stage::Noisy => {
                policy.noisy_moves(
                    game,
                    position,
                    #[inline(always)]
                    |mv| self.add(node, table_move, depth, moves, mv),
                );
                *stage = Stage::Quiet;
            }
            Stage::Quiet => {
                policy.quiet_moves(
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

    /// Brings the best of the moves from `index` on to that move_count, if there are any.
    #[inline(always)]
    pub fn select_next(
        &self,
        node: Node<'_, G, E>,
        table_move: Option<u16>,
        depth: Depth,
        stage: &mut Stage,
        moves: &mut ScoredMoves<G::Move>,
        index: usize,
    ) {
        let SearchContext { game, policy, .. } = self.context;
        loop {
            while *stage != Stage::All && moves[index..].iter().all(|ranked| ranked.rank() < QUIET_BELOW) {
                self.generate_stage(node, table_move, depth, stage, moves);
            }
            if index == moves.len() {
                return;
            }
            let mv = pick(moves, index);
            let may_sink = T::STAGED_GENERATION && (QUIET_BELOW..TABLE_MOVE).contains(&moves[index].rank());
            if !(may_sink && policy.loses(game, node.position, mv)) {
                return;
            }
            moves[index].demote();
        }
    }

    /// Adds a move with its rank; the table's move is there already if it was decode_tt_move.
    #[inline(always)]
    fn add(
        &self,
        node: Node<'_, G, E>,
        table_move: Option<u16>,
        depth: Depth,
        moves: &mut ScoredMoves<G::Move>,
        mv: G::Move,
    ) {
        let SearchContext { game, eval, policy } = self.context;
        let code = game.code(mv);
        let rank = if Some(code) == table_move {
            if T::STAGED_GENERATION && moves.first().is_some_and(|first| first.rank() == TABLE_MOVE) {
                return;
            }
            TABLE_MOVE
        } else {
            let mut rank = policy.order(game, node.position, mv);
            if T::EVALUATION_ORDERING.is_some_and(|from| depth >= from) {
                let child = game.play(node.position, mv);
                let state = eval.update(node.state, node.position, mv, &child);
                rank -= eval.evaluate(&state, &child);
            }
            if T::KILLERS && policy.uses(Technique::Killers) {
                rank += self.histories.killer(node.ply, code) * KILLER;
            }
            if T::HISTORY && policy.uses(Technique::History) {
                rank += self.histories.history(code);
            }
            if T::CONTINUATION && policy.uses(Technique::Continuation) {
                let (before, piece_to) = (self.previous_piece_to(node.ply), policy.piece_to(mv));
                // What is an answer to the move just made says more than what goes on with an own plan.
                rank += self.histories.continuation(before[0], piece_to) * 7 / 5
                    + self.histories.continuation(before[1], piece_to);
            }
            rank
        };
        append(moves, mv, rank);
    }
}

/// ScoredMoves the best of the remaining moves to `index` and returns it.
#[inline(always)]
pub fn pick<M: Copy>(moves: &mut ScoredMoves<M>, index: usize) -> M {
    let (mut best, mut highest) = (index, moves[index].order);
    for (other, ranked) in moves.iter().enumerate().skip(index + 1) {
        if ranked.order > highest {
            (best, highest) = (other, ranked.order);
        }
    }
    moves.swap(index, best);
    moves[index].mv
}
