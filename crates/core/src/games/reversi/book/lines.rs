//! The lines of a book near best play, and the positions that a player must know.

use super::graph::BookGraph;
use crate::games::reversi::board::Board;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use crate::search::types::Score;
use std::collections::HashMap;

/// A line: it continues while a book move gives away no more than is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// Its moves, passes (64) included.
    pub squares: Vec<u8>,
    /// What both sides gave away, in hundredths.
    pub loss: Score,
    /// The value of its last position, in hundredths for the side to move at its beginning.
    pub score: Score,
}

/// The moves of a position that stay in the book, one for each set of symmetric ones: square, next
/// position, and what the move gives away. The best come first.
fn moves_of(graph: &BookGraph, board: Board) -> Vec<(u8, Board, Score)> {
    let Some(node) = graph.get(board) else { return Vec::new() };
    let mut seen: Vec<Board> = Vec::new();
    let mut moves = Vec::new();
    for mv in Reversi::portable().moves(&board) {
        let child = board.after(mv);
        let (canonical, _) = Symmetry::canonical(child);
        if let Some(next) = graph.get(canonical).filter(|_| !seen.contains(&canonical)) {
            seen.push(canonical);
            moves.push((mv.square, child, (node.value.score + next.value.score).max(0)));
        }
    }
    // Ties are broken by the position after the move, so that the choice does not depend on the symmetric form.
    moves.sort_by_key(|&(_, child, loss)| {
        let (canonical, _) = Symmetry::canonical(child);
        (loss, canonical.player, canonical.opponent)
    });
    moves
}

/// Shows all lines from a position on which both sides together give away at most `within`, with
/// at most this many moves.
///
/// # Errors
/// Those of `show`, after which no line is shown.
pub fn lines<E>(
    graph: &BookGraph,
    board: Board,
    within: Score,
    plies: usize,
    show: &mut dyn FnMut(&BookLine) -> Result<(), E>,
) -> Result<(), E> {
    let mut line = BookLine { squares: Vec::new(), loss: 0, score: 0 };
    follow(graph, board, within, plies, &mut line, show)
}

fn follow<E>(
    graph: &BookGraph,
    board: Board,
    within: Score,
    plies: usize,
    line: &mut BookLine,
    show: &mut dyn FnMut(&BookLine) -> Result<(), E>,
) -> Result<(), E> {
    let mut is_end = true;
    if line.squares.len() < plies {
        for (square, child, loss) in moves_of(graph, board) {
            if line.loss + loss <= within {
                is_end = false;
                line.squares.push(square);
                line.loss += loss;
                follow(graph, child, within, plies, line, show)?;
                line.loss -= loss;
                line.squares.pop();
            }
        }
    }
    if let Some(node) = graph.get(board).filter(|_| is_end && !line.squares.is_empty()) {
        let score = if line.squares.len().is_multiple_of(2) { node.value.score } else { -node.value.score };
        show(&BookLine { score, ..line.clone() })?;
    }
    Ok(())
}

/// Positions in which a player must know the move: the player makes the book's best move, the
/// opponent any moves that together give away at most `within`. First for a player who is to move
/// in this position, then for the other one.
pub fn repertoire(graph: &BookGraph, board: Board, within: Score) -> [usize; 2] {
    [true, false].map(|is_own| {
        let mut least: HashMap<(Board, bool), Score> = HashMap::new();
        let mut open = vec![(board, is_own, 0)];
        while let Some((board, is_own, given)) = open.pop() {
            let key = (Symmetry::canonical(board).0, is_own);
            if graph.get(board).is_none() || least.get(&key).is_some_and(|known| *known <= given) {
                continue;
            }
            least.insert(key, given);
            for (_, child, loss) in moves_of(graph, board).into_iter().take(if is_own { 1 } else { usize::MAX }) {
                // If the best move leads out of the book, the player needs no other.
                let follows = if is_own { loss == 0 } else { given + loss <= within };
                if follows {
                    open.push((child, !is_own, if is_own { given } else { given + loss }));
                }
            }
        }
        let must_know = |(board, is_own): &&(Board, bool)| *is_own && Reversi::portable().placements(*board) != 0;
        least.keys().filter(must_know).count()
    })
}
