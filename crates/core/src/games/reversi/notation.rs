//! Notation of Reversi: squares, passes, boards as text, FEN as Fairy-Stockfish writes it.

use super::board::{Board, CORNERS, PASS, Placement, SQUARES};
use super::kernels::{Kernels, portable};
use super::obf;
use super::opening_names;
use super::rules::Reversi;
use crate::games::names;
use crate::search::game::Game;
use crate::search::notation::{Grid, Notation, PerftRule, PositionError, Style};
use crate::search::types::Side;
use crate::search::wdl::{WdlCurve, WdlModel};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::tag_no_case,
    character::complete::{char, one_of, satisfy, space0},
    combinator::{all_consuming, map, opt, value, verify},
    multi::{many0, many1},
    sequence::{delimited, pair, preceded, terminated},
};

/// The chances of scores of the network by empty squares, fitted to self-play (docs/experiments/chances.md).
pub const WDL_CURVE: WdlCurve = WdlCurve { draw: [109.0, -74.0, 70.0], spread: [233.0, 483.0, 61.0] };
/// Empty squares at the start, where the whole game is left.
pub const WDL_LENGTH: u32 = 60;

/// The words for a pass in plain text and GGF.
fn pass_word(input: &str) -> IResult<&str, ()> {
    value((), alt((tag_no_case("pass"), tag_no_case("pa"), tag_no_case("ps"), tag_no_case("--"), tag_no_case("@@@@"))))
        .parse(input)
}

/// A square in Othello's notation: row 1 is at the top, `a1` is 0.
fn square(input: &str) -> IResult<&str, u8> {
    map(pair(one_of("abcdefghABCDEFGH"), one_of("12345678")), |(file, row)| {
        (row as u8 - b'1') * 8 + (file.to_ascii_lowercase() as u8 - b'a')
    })
    .parse(input)
}

/// A square in chess notation: rank 1 is at the bottom.
fn mirrored_square(input: &str) -> IResult<&str, u8> {
    map(square, |square| square ^ 56).parse(input)
}

fn plain_move(input: &str) -> IResult<&str, u8> {
    alt((value(PASS, pass_word), square)).parse(input)
}

/// `P@d6`, `p@d6`, `d6`; passes are null moves (`a1a1`), `0000`, `@@@@`, `pass`.
fn uci_move(input: &str) -> IResult<&str, u8> {
    let null = verify(pair(mirrored_square, mirrored_square), |(from, to)| from == to);
    let drop = preceded(opt(pair(one_of("Pp"), char('@'))), mirrored_square);
    alt((value(PASS, alt((tag_no_case("0000"), tag_no_case("@@@@"), tag_no_case("pass")))), value(PASS, null), drop))
        .parse(input)
}

fn parse_move(text: &str, style: Style) -> Option<u8> {
    let parser = match style {
        Style::Uci => uci_move,
        Style::Plain | Style::Ggf => plain_move,
    };
    all_consuming(parser).parse(text.trim()).ok().map(|(_, square)| square)
}

/// The name of a square in Othello's notation: `D3`.
pub fn square_name(square: u8) -> String {
    format!("{}{}", (b'A' + square % 8) as char, square / 8 + 1)
}

/// A FEN's placement rows, from the eighth rank down: `true` for `P`, the first player's discs.
fn fen_rows(input: &str) -> IResult<&str, Vec<Option<bool>>> {
    let run = map(one_of("12345678"), |n| vec![None; usize::from(n as u8 - b'0')]);
    let disc = map(one_of("Pp"), |c| vec![Some(c == 'P')]);
    let cells = map(many1(alt((run, disc))), |parts| parts.concat());
    let row = verify(cells, |cells: &Vec<Option<bool>>| cells.len() == 8);
    let rows = many1(terminated(row, opt(char('/'))));
    map(verify(rows, |rows: &Vec<Vec<Option<bool>>>| rows.len() == 8), |rows| rows.concat()).parse(input)
}

/// A whole FEN: rows, discs in hand (unused in Reversi), side, and fields to skip.
fn fen(input: &str) -> IResult<&str, (Vec<Option<bool>>, bool)> {
    let hand = delimited(char('['), many0(one_of("Pp-")), char(']'));
    let side =
        delimited(space0, map(one_of("wb"), |side| side == 'w'), many0(satisfy(|c| c.is_ascii_graphic() || c == ' ')));
    (terminated(fen_rows, opt(hand)), side).parse(input)
}

fn read_fen(text: &str) -> Result<(Board, Side), PositionError> {
    let expected = || PositionError(format!("expected eight FEN rows of P, p and digits, then w or b, saw '{text}'"));
    let (_, (cells, first)) = all_consuming(fen).parse(text.trim()).map_err(|_| expected())?;
    let mut discs = [0u64; 2];
    for (index, cell) in cells.iter().enumerate() {
        if let Some(upper) = cell {
            discs[usize::from(!upper)] |= 1 << index;
        }
    }
    Ok(oriented(discs, if first { Side::First } else { Side::Second }))
}

/// A board from the discs of both players.
fn oriented(discs: [u64; 2], side: Side) -> (Board, Side) {
    let board = Board { player: discs[side.index()], opponent: discs[side.other().index()] };
    (board, side)
}

/// The discs of the first and the second player.
pub fn discs(board: &Board, side: Side) -> [u64; 2] {
    match side {
        Side::First => [board.player, board.opponent],
        Side::Second => [board.opponent, board.player],
    }
}

fn show_fen(board: &Board, side: Side) -> String {
    let [first, second] = discs(board, side);
    let mut text = String::new();
    for row in 0..8 {
        let mut gap = 0;
        for column in 0..8 {
            let bit = 1u64 << (row * 8 + column);
            let disc = if first & bit != 0 { 'P' } else { 'p' };
            if (first | second) & bit == 0 {
                gap += 1;
                continue;
            }
            if gap > 0 {
                text.push_str(&gap.to_string());
            }
            gap = 0;
            text.push(disc);
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        if row < 7 {
            text.push('/');
        }
    }
    let mover = if side == Side::First { 'w' } else { 'b' };
    format!("{text} {mover} - - 0 1")
}

/// The 64 squares in reading order with these characters for black, white and empty.
fn squares_text(board: &Board, side: Side, characters: [char; 3]) -> String {
    let [black, white] = discs(board, side);
    (0..SQUARES)
        .map(|square| match (black >> square & 1, white >> square & 1) {
            (1, _) => characters[0],
            (_, 1) => characters[1],
            _ => characters[2],
        })
        .collect()
}

/// GGF's BO: `8 <squares> <side>` with `*`, `O`, `-`, blanks anywhere between squares.
fn read_ggf(text: &str) -> Result<(Board, Side), PositionError> {
    let expected = || PositionError(format!("expected '8', 64 of '*', 'O', '-', and the side to move, saw '{text}'"));
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let rest = compact.strip_prefix('8').ok_or_else(expected)?;
    let mut discs = [0u64; 2];
    let mut symbols = rest.chars();
    for square in 0..SQUARES {
        match symbols.next() {
            Some('*') => discs[0] |= 1 << square,
            Some('O' | 'o') => discs[1] |= 1 << square,
            Some('-') => {}
            _ => return Err(expected()),
        }
    }
    let side = match symbols.next() {
        Some('*') => Side::First,
        Some('O' | 'o') => Side::Second,
        _ => return Err(expected()),
    };
    if symbols.next().is_some() { Err(expected()) } else { Ok(oriented(discs, side)) }
}

impl<K: Kernels> Notation for Reversi<K> {
    fn name(&self) -> &'static str {
        names::REVERSI.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        names::REVERSI.aliases
    }

    fn show_move(&self, board: &Board, mv: Placement, style: Style) -> String {
        match (mv.square, style) {
            (PASS, Style::Plain) => "PASS".into(),
            (PASS, Style::Ggf) => "PA".into(),
            (PASS, Style::Uci) => {
                // The null move on the lowest own disc, ranks counted from the bottom.
                let own = board.player.swap_bytes().trailing_zeros().min(63) as u8;
                let name = square_name(own).to_lowercase();
                format!("{name}{name}")
            }
            (square, Style::Uci) => format!("P@{}", square_name(square ^ 56).to_lowercase()),
            (square, _) => square_name(square),
        }
    }

    fn read_move(&self, board: &Board, text: &str, style: Style) -> Option<Placement> {
        let square = parse_move(text, style)?;
        self.moves(board).find(|mv| mv.square == square)
    }

    fn show_position(&self, board: &Board, side: Side, style: Style) -> String {
        let black = side == Side::First;
        match style {
            Style::Plain => {
                format!("{} {}", squares_text(board, side, ['X', 'O', '-']), if black { 'X' } else { 'O' })
            }
            Style::Ggf => {
                format!("8 {} {}", squares_text(board, side, ['*', 'O', '-']), if black { '*' } else { 'O' })
            }
            Style::Uci => show_fen(board, side),
        }
    }

    fn read_position(&self, text: &str, style: Style) -> Result<(Board, Side), PositionError> {
        match style {
            Style::Plain => {
                let (board, black) = obf::position(text)?;
                Ok((board, if black { Side::First } else { Side::Second }))
            }
            Style::Ggf => read_ggf(text),
            Style::Uci => read_fen(text),
        }
    }

    fn grid(&self, board: &Board, side: Side) -> Option<Grid> {
        let text: Vec<char> = squares_text(board, side, ['X', 'O', '.']).chars().collect();
        Some(Grid { rows: text.chunks(8).map(<[char]>::to_vec).collect(), first_row_on_top: true })
    }

    fn uci_counts_from_below(&self) -> bool {
        true
    }

    fn variant(&self) -> Option<&'static str> {
        names::REVERSI.uci_variant
    }

    fn is_pass(&self, mv: Placement) -> bool {
        mv.square == PASS
    }

    fn is_pass_word(&self, text: &str) -> bool {
        parse_move(text, Style::Plain) == Some(PASS) || parse_move(text, Style::Uci) == Some(PASS)
    }

    /// UCI's null move needs an own disc, and there a full board, or one with the discs of one side alone, ends the game
    /// without passes; the other notations have passes whenever neither side can move.
    fn closing_pass(&self, board: &Board, style: Style) -> Option<Placement> {
        let possible = style != Style::Uci || board.empty() != 0 && board.player != 0 && board.opponent != 0;
        possible.then_some(Placement::PASS)
    }

    fn points(&self, board: &Board, side: Side) -> Option<[u32; 2]> {
        Some(discs(board, side).map(u64::count_ones))
    }

    fn opening_name(&self, board: &Board) -> Option<&'static str> {
        opening_names::at(*board).map(|opening| opening.name)
    }

    fn wdl_model(&self, board: &Board) -> Option<WdlModel> {
        Some(WDL_CURVE.at(f64::from(board.empties()) / f64::from(WDL_LENGTH)))
    }

    /// A corner that the opponent could not take before.
    fn gives_away(&self, board: &Board, mv: Placement) -> bool {
        let corners = |board: Board| portable::moves(board.player, board.opponent) & CORNERS;
        corners(board.after(mv)) & !corners(board.passed()) != 0
    }

    fn perft_rule(&self) -> PerftRule {
        PerftRule::PassPly
    }

    fn split_moves(&self, text: &str) -> Vec<String> {
        let mv = preceded(space0, nom::combinator::recognize(plain_move));
        let run: IResult<&str, Vec<&str>> = terminated(many0(mv), space0).parse(text);
        match run {
            Ok(("", moves)) => moves.into_iter().map(str::to_string).collect(),
            // Text that could not be read stays as words of its own, each refused by its own name.
            Ok((rest, moves)) => moves.into_iter().chain(rest.split_whitespace()).map(str::to_string).collect(),
            Err(_) => vec![text.to_string()],
        }
    }

    fn variant_facts(&self) -> Option<String> {
        Some("files 8 ranks 8 pocket 1 template fairy startpos 8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1".into())
    }
}
