//! The moves of a node in the order in which they are worth trying, made as they are needed.

use super::game::*;
use super::worker::{Brain, Node, Worker};
use arrayvec::ArrayVec;

/// A move with its rank for ordering.
#[derive(Clone, Copy)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// Higher is earlier.
    pub rank: i32,
}

/// The moves of a node, ranked.
pub type Moves<M> = ArrayVec<Ranked<M>, MAX_MOVES>;

/// Ranks above anything that tactics give.
pub const TABLE_MOVE: i32 = i32::MAX;
const KILLER: i32 = 1 << 24;

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
                    moves.push(Ranked { mv, rank: TABLE_MOVE });
                }
                *stage = Stage::Noisy;
            }
            Stage::Noisy => {
                self.add_ranked(node, table_move, depth, moves, tactics.noisy_moves(game, position));
                *stage = Stage::Quiet;
            }
            Stage::Quiet => {
                self.add_ranked(node, table_move, depth, moves, tactics.quiet_moves(game, position));
                *stage = Stage::All;
            }
            Stage::All => self.add_ranked(node, table_move, depth, moves, game.moves(position)),
        }
    }

    /// Adds moves with their ranks; the table's move is there already if it was recalled.
    #[inline(always)]
    fn add_ranked(
        &self,
        node: Node<'_, G, E>,
        table_move: Option<u16>,
        depth: Depth,
        moves: &mut Moves<G::Move>,
        list: impl Iterator<Item = G::Move>,
    ) {
        let Brain { game, eval, tactics } = self.brain;
        let before = self.themes_before(node.ply);
        let recalled = T::STAGED && moves.first().is_some_and(|first| first.rank == TABLE_MOVE);
        for mv in list {
            let code = game.code(mv);
            let rank = if Some(code) == table_move {
                if recalled {
                    continue;
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
                    let theme = tactics.theme(mv);
                    rank += self.memory.reply(before[0], theme) + self.memory.reply(before[1], theme);
                }
                rank
            };
            moves.push(Ranked { mv, rank });
        }
    }
}

/// Moves the best of the remaining moves to `index` and returns it; among equals the earlier one.
#[inline(always)]
pub fn pick<M: Copy>(moves: &mut Moves<M>, index: usize) -> M {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].rank > moves[best].rank {
            best = other;
        }
    }
    // A rotation keeps the order of the others, so that equals stay in the game's order.
    moves[index..=best].rotate_right(1);
    moves[index].mv
}
