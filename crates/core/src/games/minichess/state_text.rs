//! Texts of a position: the server's seven lines, their one-line form, and FEN.

use super::board::{Board, LAST_NUMBER, Piece};
use super::movegen::MAX_SIDE_PIECES;
use super::squares::{FILES, FIRST_RANK, LAST_RANK, RANKS, Square};
use crate::search::notation::PositionError;
use crate::search::types::Side;
use nom::{
    IResult, Parser,
    character::complete::{char, multispace0, multispace1, one_of, u8 as number},
    combinator::all_consuming,
    multi::{many1, separated_list1},
    sequence::{delimited, terminated},
};

/// Queens of one side: the first one and five pawns.
const MAX_SIDE_QUEENS: u32 = 6;

/// The letter of a square; a dot if it is empty.
pub fn letter(board: &Board, square: Square) -> char {
    match board.piece_at(square) {
        None => '.',
        Some((Side::First, kind)) => kind.letter().to_ascii_uppercase(),
        Some((Side::Second, kind)) => kind.letter(),
    }
}

/// The rows from the last rank to the first.
fn rows(board: &Board) -> impl Iterator<Item = String> {
    let board = *board;
    (0..RANKS).rev().map(move |rank| (0..FILES).map(|file| letter(&board, (rank * FILES + file) as Square)).collect())
}

fn side_letter(side: Side, [first, second]: [char; 2]) -> char {
    if side == Side::First { first } else { second }
}

/// `20 W r6/r5/r4/r3/r2/r1`, dots for empty squares.
pub fn one_line(board: &Board) -> String {
    let rows: Vec<String> = rows(board).collect();
    format!("{} {} {}", board.number(), side_letter(board.to_move(), ['W', 'B']), rows.join("/"))
}

/// The server's form: a line `20 W` and six rows, each ended by a line feed.
pub fn seven_lines(board: &Board) -> String {
    let rows: String = rows(board).map(|row| row + "\n").collect();
    format!("{} {}\n{rows}", board.number(), side_letter(board.to_move(), ['W', 'B']))
}

/// FEN as Fairy-Stockfish writes it: `kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1`.
pub fn fen(board: &Board) -> String {
    let rows: Vec<String> = rows(board).map(|row| counted(&row)).collect();
    format!("{} {} - - 0 {}", rows.join("/"), side_letter(board.to_move(), ['w', 'b']), board.number())
}

/// A row with its runs of dots as numbers, as in FEN.
fn counted(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in row.chars().chain(['\n']) {
        if letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        if letter != '\n' {
            text.push(letter);
        }
    }
    text
}

/// Reads the seven lines or their one-line form: the rows may stand on lines of their own, or each line but the first
/// behind a slash.
///
/// # Errors
/// Says what a position looks like and what was seen, or which rule the position breaks.
pub fn read_state(text: &str) -> Result<Board, PositionError> {
    let row = || many1(one_of(".KQRBNPkqrbnp"));
    let between = || delimited(multispace0, char('/'), multispace0).map(drop);
    let header = (number, multispace1, one_of("WBwb"), nom::branch::alt((between(), multispace1.map(drop))));
    let rows = separated_list1(nom::branch::alt((between(), multispace1.map(drop))), row());
    let parsed: IResult<&str, _> = all_consuming(terminated((header, rows), multispace0)).parse(text.trim_start());
    let Ok((_, ((number, _, side, ()), rows))) = parsed else {
        return Err(PositionError(format!("expected N W|B r6/r5/r4/r3/r2/r1, saw '{}'", shown(text))));
    };
    let side = if side.eq_ignore_ascii_case(&'W') { Side::First } else { Side::Second };
    build(&rows, side, number)
}

/// Reads a FEN; ignores the fields between the side and the counters.
///
/// # Errors
/// As [`read_state`].
pub fn read_fen(text: &str) -> Result<Board, PositionError> {
    let expected = || PositionError(format!("expected a FEN of six rows and w or b, saw '{}'", shown(text)));
    let mut words = text.split_whitespace();
    let (Some(placement), side) = (words.next(), words.next().unwrap_or("w")) else { return Err(expected()) };
    let side = match side {
        "w" | "W" => Side::First,
        "b" | "B" => Side::Second,
        _ => return Err(expected()),
    };
    let mut rows = Vec::new();
    for row in placement.split('/') {
        let mut squares = Vec::new();
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(count) => squares.extend((0..count).map(|_| '.')),
                None => squares.push(letter),
            }
        }
        rows.push(squares);
    }
    // The halfmove clock has no meaning here; the move number is the second counter.
    let counters: Vec<u8> = words.filter_map(|word| word.parse::<u8>().ok()).collect();
    let number = if counters.len() < 2 { 1 } else { counters.last().copied().unwrap_or(1).max(1) };
    build(&rows, side, number)
}

/// The beginning of a text, for messages.
fn shown(text: &str) -> String {
    flipside_support::text::one_line(text, 60)
}

fn build(rows: &[Vec<char>], side: Side, number: u8) -> Result<Board, PositionError> {
    let wrong = |reason: &str| Err(PositionError(reason.to_string()));
    if rows.len() != RANKS || rows.iter().any(|row| row.len() != FILES) {
        return wrong("expected six rows of five squares");
    }
    if !(1..=LAST_NUMBER).contains(&number) {
        return wrong("move numbers go from 1 to 41");
    }
    let mut board = Board::empty(side, number);
    for (row, rank) in rows.iter().zip((0..RANKS).rev()) {
        for (&letter, file) in row.iter().zip(0..) {
            let square = (rank * FILES + file) as Square;
            match Piece::of_letter(letter) {
                Some(kind) if letter.is_ascii_uppercase() => board.put(Side::First, kind, square),
                Some(kind) => board.put(Side::Second, kind, square),
                None if letter == '.' => {}
                None => return wrong(&format!("'{letter}' is not a piece")),
            }
        }
    }
    check(board)
}

/// Refuses positions that no game can reach, so that the search may rely on the limits.
fn check(board: Board) -> Result<Board, PositionError> {
    let wrong = |reason: &str| Err(PositionError(reason.to_string()));
    for side in [Side::First, Side::Second] {
        if board.of(side, Piece::King).count_ones() > 1 {
            return wrong("a side has at most one king");
        }
        if board.pieces(side).count_ones() as usize > MAX_SIDE_PIECES {
            return wrong("a side has at most ten pieces");
        }
        if board.of(side, Piece::Queen).count_ones() > MAX_SIDE_QUEENS {
            return wrong("a side has too many queens");
        }
    }
    if board.all_of(Piece::King) == 0 {
        return wrong("there is no king");
    }
    if board.all_of(Piece::Pawn) & (FIRST_RANK | LAST_RANK) != 0 {
        return wrong("no pawn stands on the first or the last rank");
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::movegen::MAX_MOVES;
    use crate::games::minichess::rules::MiniChess;
    use crate::search::game::Game;

    #[test]
    fn the_start_in_all_three_forms() {
        assert_eq!(one_line(&Board::start()), "1 W kqbnr/ppppp/...../...../PPPPP/RNBQK");
        assert_eq!(seven_lines(&Board::start()), "1 W\nkqbnr\nppppp\n.....\n.....\nPPPPP\nRNBQK\n");
        assert_eq!(fen(&Board::start()), "kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1");
        assert_eq!(read_state(&one_line(&Board::start())), Ok(Board::start()));
        assert_eq!(read_state(&seven_lines(&Board::start())), Ok(Board::start()));
        assert_eq!(read_state(&seven_lines(&Board::start()).trim_end().replace('\n', " / ")), Ok(Board::start()));
        assert_eq!(read_fen(&fen(&Board::start())), Ok(Board::start()));
    }

    #[test]
    fn fens_of_other_programs() {
        let number = |text: &str| read_fen(text).map(|board| board.number());
        assert_eq!(number("kqbnr/ppppp/5/5/PPPPP/RNBQK w 0 7"), Ok(7));
        assert_eq!(number("kqbnr/ppppp/5/5/PPPPP/RNBQK b"), Ok(1));
        assert_eq!(number("kqbnr/ppppp/..3/5/PPPPP/RNBQK w - - 12 40"), Ok(40));
    }

    #[test]
    fn texts_that_are_no_position_are_refused() {
        for text in [
            "",
            "1 W",
            "1 X kqbnr/ppppp/...../...../PPPPP/RNBQK",
            "0 W kqbnr/ppppp/...../...../PPPPP/RNBQK",
            "42 W kqbnr/ppppp/...../...../PPPPP/RNBQK",
            "1 W kqbnr/ppppp/....../...../PPPPP/RNBQK",
            "1 W kqbnr/ppppp/...../PPPPP/RNBQK",
            "1 W kkbnr/ppppp/...../...../PPPPP/RNBQK",
            "1 W kqbnr/ppppp/...../....P/PPPPP/RNBQK",
            "1 W Pqknr/ppppp/...../...../.PPPP/RNBQK",
            "1 W k..../QQQQQ/QQ.../...../...../....K",
            "1 W ...../...../...../...../...../.....",
            "1 W kqbnr/ppppp/...../...../PPPPP/RNBQK x",
        ] {
            assert!(read_state(text).is_err(), "{text}");
        }
        for text in ["", "kqbnr", "kqbnr/ppppp/5/5/PPPPP/RNBQK x", "kqbnr/ppppp/9/5/PPPPP/RNBQK w - - 0 99"] {
            assert!(read_fen(text).is_err(), "{text}");
        }
    }

    /// Hill climbing from random positions with as many queens and rooks as a side may have: one
    /// piece moves at a time while the number of moves does not fall.
    #[test]
    fn no_readable_position_has_too_many_moves() {
        let mut random = 7_u64;
        let mut most = 0;
        for _ in 0..300 {
            let mut below = |end: usize| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as usize % end
            };
            let count = |squares: &[usize]| {
                let mut board = Board::empty(Side::First, 1);
                let kinds = [Piece::King].into_iter().chain([Piece::Queen; 6]).chain([Piece::Rook; 3]);
                kinds.zip(squares).for_each(|(kind, &square)| board.put(Side::First, kind, square as Square));
                board.put(Side::Second, Piece::King, squares[10] as Square);
                MiniChess.moves(&board).count()
            };
            let mut squares: Vec<usize> = (0..30).collect();
            (0..29).for_each(|at| squares.swap(at, at + below(30 - at)));
            let mut best = count(&squares);
            for _ in 0..400 {
                let (a, b) = (below(11), below(30));
                squares.swap(a, b);
                let now = count(&squares);
                if now < best {
                    squares.swap(a, b);
                } else {
                    best = now;
                }
            }
            most = most.max(best);
        }
        assert!((80..MAX_MOVES).contains(&most), "{most}");
    }
}
