//! Short algebraic notation, the moves of chess in PGN: `Nc3`, `Bxb4`, `axb5=Q`, `Rad1+`. Needs no rules: it selects
//! one of the legal moves by their squares and the moving piece.

use flipside_core::search::notation::Grid;

/// The legal move (`b1c3`, `a5a6q`) that a short algebraic one means; `None` if no move or several fit. `piece_at`
/// returns the letter on a square, in any case.
pub fn find<'a>(text: &str, legal: &'a [String], piece_at: impl Fn(&str) -> Option<char>) -> Option<&'a String> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let (text, promotes_to) = match text.split_once('=') {
        Some((text, piece)) => (text, piece.chars().next()),
        None => (text, None),
    };
    let mut letters: Vec<char> = text.chars().filter(|&c| c != 'x' && c != '-').collect();
    let piece = match letters.first() {
        Some(letter) if letter.is_ascii_uppercase() => letters.remove(0),
        _ => 'P',
    };
    let to: String = letters.split_off(letters.len().checked_sub(2)?).into_iter().collect();
    let means = |mv: &&String| {
        let (Some(from), Some(target)) = (mv.get(..2), mv.get(2..4)) else { return false };
        let promotion = mv.chars().nth(4);
        target == to
            && piece_at(from).is_some_and(|found| found.eq_ignore_ascii_case(&piece))
            && letters.iter().all(|&hint| from.contains(hint))
            && promotes_to.is_none_or(|piece| promotion.is_some_and(|found| found.eq_ignore_ascii_case(&piece)))
    };
    let mut found = legal.iter().filter(means);
    found.next().filter(|_| found.next().is_none())
}

/// The legal move that a short algebraic one means on a board.
pub fn find_on<'a>(grid: &Grid, text: &str, legal: &'a [String]) -> Option<&'a String> {
    let piece_at = |square: &str| {
        let (file, rank) = (square.bytes().next()?, square.get(1..)?.parse::<usize>().ok()?);
        let row = grid.rows.get(grid.rows.len().checked_sub(rank)?)?;
        row.get(usize::from(file.checked_sub(b'a')?)).copied()
    };
    find(text, legal, piece_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_target_and_hints_find_the_move() {
        let legal: Vec<String> = ["b1c3", "d1c3", "b2c3", "a5a6q", "a2a3"].map(String::from).to_vec();
        let piece_at = |square: &str| Some(if square.ends_with('1') { 'N' } else { 'p' });
        let found = |text: &str| find(text, &legal, piece_at).map(String::as_str);
        assert_eq!(found("Nbc3"), Some("b1c3"));
        assert_eq!(found("Nc3"), None, "two knights");
        assert_eq!((found("bxc3+"), found("c3"), found("a3!")), (Some("b2c3"), Some("b2c3"), Some("a2a3")));
        assert_eq!((found("a6=Q#"), found("a6")), (Some("a5a6q"), Some("a5a6q")));
        assert_eq!((found("Q"), found(""), found("Ka1")), (None, None, None));
    }
}
