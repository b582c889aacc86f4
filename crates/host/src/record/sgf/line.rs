//! Lines of moves in SGF: the main line and the variations beside it.

use super::syntax::SgfError;
use super::syntax::{Piece, Scanner};
use super::{Property, Reader};
use crate::record::game_record::{MAX_VARIATION_DEPTH, RecordMove};

/// Reads the tree that the text consists of.
///
/// # Errors
/// Says what was expected and where.
pub(super) fn read(text: &str) -> Result<Reader<'_>, SgfError> {
    let mut scanner = Scanner::new(text);
    for begin in [Piece::Open, Piece::Node] {
        let at = scanner.place();
        if scanner.next() != Ok(Some(begin)) {
            return Err(scanner.fault(at, "a game that begins with '(;'"));
        }
    }
    let mut main = Reader::default();
    tree(&mut scanner, &mut main, 0)?;
    let end = scanner.place();
    match scanner.next() {
        Ok(None) => Ok(main),
        _ => Err(scanner.fault(end, "nothing after the game")),
    }
}

/// Reads a tree from its first node to its end. The first tree inside a tree continues its line, the others are
/// variations of the move that the first one begins with.
fn tree<'a>(scanner: &mut Scanner<'a>, line: &mut Reader<'a>, depth: usize) -> Result<(), SgfError> {
    // The number of moves before each of the open trees inside; a line is over when the first of them ends.
    let (mut branches, mut is_over) = (Vec::new(), false);
    loop {
        let at = scanner.place();
        let piece = scanner.next()?;
        if !matches!(piece, Some(Piece::Property(..))) {
            line.end_node(scanner)?;
        }
        match piece {
            None => return Err(scanner.fault(at, "')' at the end of the game")),
            Some(Piece::Node | Piece::Property(..)) if is_over => {
                return Err(scanner.fault(at, "'(' or ')' after a variation"));
            }
            Some(Piece::Node) => {}
            Some(Piece::Property(name, values)) => line.node.push(Property { at, name, values }),
            Some(Piece::Open) if !scanner.is_at_node() => {
                return Err(scanner.fault(at, "';' after '('"));
            }
            Some(Piece::Open) if !is_over => branches.push(line.moves.len()),
            Some(Piece::Open) if depth >= MAX_VARIATION_DEPTH => {
                return Err(scanner.fault(at, "variations nested less deep"));
            }
            Some(Piece::Open) => {
                let mut variation = Reader { is_after_root: true, ..Reader::default() };
                tree(scanner, &mut variation, depth + 1)?;
                add_variation(&mut line.moves, branches.last().copied().unwrap_or_default(), variation.moves);
            }
            Some(Piece::Close) => {
                if std::mem::replace(&mut is_over, true) {
                    branches.pop();
                }
                if branches.is_empty() {
                    return Ok(());
                }
            }
        }
    }
}

/// Adds another line from the move of this index on. Where the first line has no move, it continues that line.
fn add_variation(line: &mut Vec<RecordMove>, index: usize, variation: Vec<RecordMove>) {
    match line.get_mut(index) {
        _ if variation.is_empty() => {}
        Some(mv) => mv.variations.push(variation),
        None => line.extend(variation),
    }
}
