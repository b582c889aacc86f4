//! Staged move generation: the moves of a node, best first, generated as they are needed.

use super::evaluation::Eval;
use super::game::{Game, MoveList};
use super::node::Node;
use super::policy::{QUIET_BELOW, SearchPolicy, Technique};
use super::technique::CaptureSearch;
use super::types::Depth;
use super::worker::{SearchContext, Worker};
use std::cmp::Reverse;

/// A move with its score for ordering.
#[derive(Clone, Copy)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// The score, and in the lower sixteen bits how early the move was generated, so that all
    /// differ.
    order: i64,
}

impl<M> ScoredMove<M> {
    /// The `count`-th move to be generated. Higher scores are tried earlier, among equal ones the
    /// move that was generated earlier.
    #[inline(always)]
    fn new(mv: M, score: i32, before: usize) -> ScoredMove<M> {
        ScoredMove { mv, order: i64::from(score) << 16 | (0xffff - before.min(0xffff)) as i64 }
    }

    /// Demotes the move: it comes after all others that are not demoted.
    #[inline(always)]
    fn demote(&mut self) {
        self.order -= i64::from(DEMOTION) << 16;
    }

    /// Higher is earlier.
    #[inline(always)]
    pub fn score(&self) -> i32 {
        (self.order >> 16) as i32
    }
}

/// The moves of a node with their scores.
pub type ScoredMoves<G> = <G as Game>::MoveList<ScoredMove<<G as Game>::Move>>;

/// Adds a move with its score.
#[inline(always)]
pub fn append<M>(moves: &mut impl MoveList<ScoredMove<M>>, mv: M, score: i32) {
    let before = moves.as_ref().len();
    moves.append(ScoredMove::new(mv, score, before));
}

/// The score of the transposition table's move, above all scores of a policy.
pub const TT_MOVE: i32 = i32::MAX;
const KILLER: i32 = 1 << 24;
/// Twice what noisy moves score, so that demoted ones come after every quiet move.
const DEMOTION: i32 = 1 << 29;

/// The moves that a node generates next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The transposition table's move alone.
    TtMove,
    /// The noisy ones.
    Noisy,
    /// The quiet ones.
    Quiet,
    /// All at once, or none left.
    All,
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// Generates the moves of the next stage with their scores. The list is not returned because
    /// it is large: copying it cost a twentieth of the time.
    #[inline(always)]
    pub fn generate_stage(
        &self,
        node: Node<'_, G, E>,
        tt_move: Option<u16>,
        depth: Depth,
        stage: &mut Stage,
        moves: &mut ScoredMoves<G>,
    ) {
        let SearchContext { game, policy, .. } = self.context;
        let Node { position, .. } = node;
        let Some(captures) = policy.captures().filter(|_| *stage != Stage::All) else {
            for mv in game.moves(position) {
                self.add(node, tt_move, depth, moves, mv);
            }
            *stage = Stage::All;
            return;
        };
        match stage {
            Stage::TtMove => {
                if let Some(code) = tt_move
                    && let Some(mv) = captures.decode_tt_move(game, position, code)
                {
                    append(moves, mv, TT_MOVE);
                }
                *stage = Stage::Noisy;
            }
            Stage::Noisy => {
                captures.noisy_moves(
                    game,
                    position,
                    #[inline(always)]
                    |mv| self.add(node, tt_move, depth, moves, mv),
                );
                *stage = Stage::Quiet;
            }
            Stage::Quiet | Stage::All => {
                captures.quiet_moves(
                    game,
                    position,
                    #[inline(always)]
                    |mv| self.add(node, tt_move, depth, moves, mv),
                );
                *stage = Stage::All;
            }
        }
    }

    /// One step of a selection sort: moves the best of the moves from `index` on to that index, if
    /// any are left.
    #[inline(always)]
    pub fn select_next(
        &self,
        node: Node<'_, G, E>,
        tt_move: Option<u16>,
        depth: Depth,
        stage: &mut Stage,
        moves: &mut ScoredMoves<G>,
        index: usize,
    ) {
        let SearchContext { game, policy, .. } = self.context;
        loop {
            while *stage != Stage::All && moves.as_ref()[index..].iter().all(|scored| scored.score() < QUIET_BELOW) {
                self.generate_stage(node, tt_move, depth, stage, moves);
            }
            let moves = moves.as_mut();
            if index == moves.len() {
                return;
            }
            // Captures that lose material are demoted when their turn comes, and tried last.
            let Some(captures) = policy.captures() else {
                select_or_sort(moves, index);
                return;
            };
            let mv = select_best(moves, index);
            let is_noisy = (QUIET_BELOW..TT_MOVE).contains(&moves[index].score());
            if !is_noisy || captures.see_ge(game, node.position, mv, 0) {
                return;
            }
            moves[index].demote();
        }
    }

    /// [`Worker::select_next`] early, if all moves are generated; asks the memory for the table's entry of the position
    /// after the move: the search of the move before it hides the latency. True if the move was selected.
    #[inline(always)]
    pub fn prefetch_next(
        &self,
        node: Node<'_, G, E>,
        tt_move: Option<u16>,
        depth: Depth,
        stage: &mut Stage,
        moves: &mut ScoredMoves<G>,
        index: usize,
    ) -> bool {
        if *stage != Stage::All {
            return false;
        }
        self.select_next(node, tt_move, depth, stage, moves, index);
        let next = moves.as_ref().get(index);
        if let Some(key) = next.and_then(|next| self.context.game.key_after(node.position, next.mv)) {
            self.table.prefetch(key);
        }
        true
    }

    /// Adds a move with its score; skips the table's move if it was decoded before.
    #[inline(always)]
    fn add(&self, node: Node<'_, G, E>, tt_move: Option<u16>, depth: Depth, moves: &mut ScoredMoves<G>, mv: G::Move) {
        let SearchContext { game, eval, policy } = self.context;
        let ordering = &T::MARGINS.ordering;
        let code = game.code(mv);
        let is_deep = |min_depth: Option<Depth>| min_depth.is_some_and(|min_depth| depth >= min_depth);
        let (prefetches, evaluates) = (is_deep(ordering.prefetch_min_depth), is_deep(ordering.evaluation_min_depth));
        let child = (ordering.prefetch_min_depth.is_some() || evaluates).then(|| game.play(node.position, mv));
        if let Some(child) = &child {
            if prefetches {
                self.table.prefetch(game.key(child));
            }
            eval.prefetch(child);
        }
        if Some(code) == tt_move {
            let is_there = moves.as_ref().first().is_some_and(|first| first.score() == TT_MOVE);
            if policy.captures().is_none() || !is_there {
                append(moves, mv, TT_MOVE);
            }
            return;
        }
        let mut score = policy.score_move(game, node.position, mv);
        if let Some(child) = child.as_ref().filter(|_| evaluates) {
            let accumulator = eval.update(node.accumulator, node.position, mv, child);
            score -= eval.ordering_eval(&accumulator, child);
        }
        if ordering.killers && policy.is_enabled(Technique::Killers) {
            score += self.histories.killer(node.ply, code) * KILLER;
        }
        if ordering.history.is_some() && policy.is_enabled(Technique::History) {
            score += self.histories.history(code);
        }
        if ordering.piece_to_codes.is_some() && policy.is_enabled(Technique::Continuation) {
            score += self.continuation_score(node.ply, policy.piece_to(mv));
        }
        append(moves, mv, score);
    }

    /// Continuation history: as a reply to the opponent's last move, which says more, and after
    /// one's own last move.
    #[inline(always)]
    fn continuation_score(&self, ply: usize, piece_to: usize) -> i32 {
        let [last, own] = self.previous_piece_to(ply);
        let fifths = T::MARGINS.ordering.history.map_or(5, |margins| margins.reply_fifths);
        self.histories.continuation(last, piece_to) * fifths / 5 + self.histories.continuation(own, piece_to)
    }
}

/// Longer lists are sorted at once: selection sort takes quadratic time, which costs nothing for
/// the moves of a game and seconds for a tree with 100,000 children of one node.
const WIDE: usize = 256;

/// Moves the best of the moves from `index` on to that index; the list was complete at index 0.
#[inline(always)]
fn select_or_sort<M: Copy>(moves: &mut [ScoredMove<M>], index: usize) {
    if moves.len() <= WIDE {
        select_best(moves, index);
    } else if index == 0 {
        sort(moves);
    }
}

/// Sorts the best first; stable, because the keys do not hold the order of moves beyond 65,536.
#[cold]
fn sort<M>(moves: &mut [ScoredMove<M>]) {
    moves.sort_by_key(|scored| Reverse(scored.order));
}

/// Moves the best of the moves from `index` on to `index` and returns it.
#[inline(always)]
pub fn select_best<M: Copy>(moves: &mut [ScoredMove<M>], index: usize) -> M {
    let (mut best, mut highest) = (index, moves[index].order);
    for (other, scored) in moves.iter().enumerate().skip(index + 1) {
        if scored.order > highest {
            (best, highest) = (other, scored.order);
        }
    }
    moves.swap(index, best);
    moves[index].mv
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_support::random::Random;

    #[test]
    fn a_wide_list_is_sorted_as_selection_would() {
        let mut random = Random(3);
        for count in [1, 2, WIDE, WIDE + 1, 4 * WIDE] {
            let mut list: Vec<ScoredMove<usize>> = Vec::new();
            (0..count).for_each(|mv| list.push(ScoredMove::new(mv, random.below(20) as i32 - 10, mv)));
            let mut selected = list.clone();
            for index in 0..count {
                select_best(&mut selected, index);
                select_or_sort(&mut list, index);
                assert_eq!(list[index].mv, selected[index].mv, "{count} moves, {index}");
            }
        }
    }

    #[test]
    fn equal_moves_keep_their_order_however_many_they_are() {
        let mut list: Vec<ScoredMove<usize>> = (0..70_000).map(|mv| ScoredMove::new(mv, 0, mv)).collect();
        select_or_sort(&mut list, 0);
        assert!(list.iter().map(|scored| scored.mv).eq(0..70_000));
    }
}
