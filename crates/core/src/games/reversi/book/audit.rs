//! Values that claim more than their book shows, found without a search.

use super::entry::{BookEntry, Grade, Value};
use super::graph::BookGraph;
use crate::games::reversi::board::Board;

/// A value that is graded proven or exact without a ground for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfounded {
    /// The position, as the book has it.
    pub board: Board,
    /// The move, if it is the value of the deviation; none for that of the position.
    pub square: Option<u8>,
    /// What the book says.
    pub claimed: Value,
    /// What follows from the book's own moves and searches.
    pub shown: Value,
}

/// The values of a whole book that are graded proven or exact although what they rest on is not.
///
/// This cannot detect a deviation whose search left out some of the moves that it stands for.
pub fn unfounded(entries: &[(Board, BookEntry)]) -> Vec<Unfounded> {
    audited(entries).1
}

/// A whole book as a refreshed graph, and its [`unfounded`] values.
pub fn audited(entries: &[(Board, BookEntry)]) -> (BookGraph, Vec<Unfounded>) {
    let mut graph = BookGraph::default();
    for (board, entry) in entries {
        graph.add(*board, entry);
    }
    graph.refresh();
    let mut found = Vec::new();
    for (board, entry) in entries {
        if let Some(deviation) = entry.deviation {
            let (claimed, shown) = (deviation.value, deviation.value.founded(board.empties()));
            if claimed != shown {
                found.push(Unfounded { board: *board, square: Some(deviation.square), claimed, shown });
            }
        }
        let (claimed, shown) = (entry.value, graph.get(*board).map_or(Value::UNKNOWN, |node| node.value));
        if !shows(shown, claimed) {
            found.push(Unfounded { board: *board, square: None, claimed, shown });
        }
    }
    (graph, found)
}

/// Whether one value implies what the grade of another one says.
fn shows(shown: Value, claimed: Value) -> bool {
    match claimed.grade {
        Grade::Exact => shown.grade == Grade::Exact && shown.score == claimed.score,
        Grade::Proven => shown.grade.is_proven() && shown.score.signum() == claimed.score.signum(),
        Grade::Searched | Grade::BackedUp => true,
    }
}
