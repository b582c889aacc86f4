//! The recorded steps of a production search, and their report to a tracer after the search.

use super::tracer::{Tracer, VisitedBy};
use super::types::without_mate_distance;
use flipside_core::search::game::Game;
use flipside_core::search::technique::QUIESCENCE_DEPTH;
use flipside_core::search::types::{Depth, Score};
use std::collections::{HashMap, HashSet};

/// A step of the production search.
pub(super) enum Step<P> {
    /// A position is entered with a window, to be searched to a depth; a leaf is not searched further.
    Enter { position: P, window: (Score, Score), depth: Depth, is_leaf: bool },
    /// The position entered last is left with a value.
    Leave(Score),
    /// A cutoff at the position entered last.
    Cutoff,
    /// ProbCut's tests of the position entered last begin.
    ProbCut,
}

/// Moves with their places among all moves of a node.
type NumberedMoves<G> = Vec<(usize, <G as Game>::Move)>;

/// A node on the path from the root to the present node.
struct PathNode<'a, G: Game> {
    position: &'a G::Position,
    depth: Depth,
    /// The moves entered so far, by their places among all moves.
    searched: Vec<usize>,
    /// The moves of a wide node by the keys of the positions after them; computed for its first child.
    by_key: Option<HashMap<u64, NumberedMoves<G>>>,
    is_leaf: bool,
    /// Whether a null move or ProbCut was tried here.
    is_tested: bool,
}

/// Above this number of moves a node looks them up by key, because trying one after the other for each child takes
/// quadratic time.
const WIDE: usize = 64;

impl<G: Game> PathNode<'_, G> {
    /// The first move that leads to a position, and its place among all moves.
    fn find(&mut self, game: &G, position: &G::Position) -> Option<(usize, G::Move)> {
        let leads_there = |mv: G::Move| game.play(self.position, mv) == *position;
        if self.by_key.is_none() && game.moves(self.position).nth(WIDE).is_none() {
            return game.moves(self.position).enumerate().find(|&(_, mv)| leads_there(mv));
        }
        let by_key = self.by_key.get_or_insert_with(|| {
            let mut by_key: HashMap<u64, NumberedMoves<G>> = HashMap::new();
            for (index, mv) in game.moves(self.position).enumerate() {
                by_key.entry(game.key(&game.play(self.position, mv))).or_default().push((index, mv));
            }
            by_key
        });
        by_key.get(&game.key(position))?.iter().copied().find(|&(_, mv)| leads_there(mv))
    }
}

/// Reports the recorded steps to the tracer. The steps hold only positions; the moves between them are reconstructed.
pub(super) fn replay<G: Game, O: Tracer<G>>(game: &G, steps: &[Step<G::Position>], tracer: &mut O) {
    let mut path: Vec<PathNode<'_, G>> = Vec::new();
    let mut iteration = None;
    for step in steps {
        match step {
            Step::Enter { position, window: (alpha, beta), depth, is_leaf } => {
                if path.is_empty() && iteration.replace(depth) == Some(depth) {
                    tracer.search_again();
                }
                let (mv, visited_by) =
                    path.last_mut().map_or((None, None), |parent| entered(game, parent, position, *depth));
                tracer.enter(position, mv, (without_mate_distance(*alpha), without_mate_distance(*beta)));
                if let Some(visited_by) = visited_by {
                    tracer.visited_by(visited_by);
                }
                path.push(PathNode {
                    position,
                    depth: *depth,
                    searched: Vec::new(),
                    by_key: None,
                    is_leaf: *is_leaf,
                    is_tested: false,
                });
            }
            Step::Leave(value) => {
                // An inner node without a searched move or a test took its value from the transposition table.
                if path.pop().is_some_and(|node| node.searched.is_empty() && !node.is_leaf && !node.is_tested) {
                    tracer.table_hit();
                }
                tracer.leave(without_mate_distance(*value));
            }
            Step::Cutoff => {
                let Some(PathNode { position, searched, .. }) = path.last() else { continue };
                let searched: HashSet<usize> = searched.iter().copied().collect();
                let pruned = game.moves(position).enumerate().filter(|(index, _)| !searched.contains(index));
                pruned.for_each(|(_, mv)| tracer.prune(mv));
            }
            Step::ProbCut => {
                if let Some(node) = path.last_mut() {
                    node.is_tested = true;
                }
            }
        }
    }
}

/// The move from the parent to a position, if there is one, and the technique that visits the position.
fn entered<G: Game>(
    game: &G,
    parent: &mut PathNode<'_, G>,
    position: &G::Position,
    depth: Depth,
) -> (Option<G::Move>, Option<VisitedBy>) {
    let Some((index, mv)) = parent.find(game, position) else {
        parent.is_tested = true;
        let test = if position == parent.position { VisitedBy::ProbCut(depth) } else { VisitedBy::NullMove(depth) };
        return (None, Some(test));
    };
    parent.searched.push(index);
    let usual = parent.depth - game.cost(mv);
    let visited_by = match depth {
        QUIESCENCE_DEPTH => Some(VisitedBy::Quiescence),
        _ if depth < usual => Some(VisitedBy::Reduction(usual - depth)),
        _ => None,
    };
    (Some(mv), visited_by)
}
