//! Notation of moves and positions: the server's, UCI's, XBoard's.

use super::board::{Board, Move};
use super::evaluation::material::pawns;
use super::rules::MiniChess;
use super::squares::{FILES, RANKS, Square, file_of, rank_of};
use super::state_text::{self, letter};
use crate::games::names;
use crate::search::game::Game;
use crate::search::notation::{Grid, Notation, PositionError, Style};
use crate::search::types::Side;
use crate::search::wdl::{WdlCurve, WdlModel};

/// The chances of scores of the network by plies left, fitted to self-play (docs/experiments/chances.md).
pub const WDL_CURVE: WdlCurve = WdlCurve { draw: [286.0, 36.0, -249.0], spread: [50.0, 148.0, -77.0] };
/// Plies of the longest game.
pub const WDL_LENGTH: u32 = 80;

/// A square as `c3`.
pub fn square_name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + file_of(square) as u8), rank_of(square) + 1)
}

impl Notation for MiniChess {
    fn name(&self) -> &'static str {
        names::MINICHESS.name
    }

    fn sides(&self) -> [&'static str; 2] {
        ["white", "black"]
    }

    /// `c3-b4` in the server's notation, `c3b4` and `a5a6q` in UCI's.
    fn show_move(&self, _: &Board, mv: Move, style: Style) -> String {
        let (from, to) = (square_name(mv.from), square_name(mv.to));
        match style {
            Style::Plain | Style::Ggf => format!("{from}-{to}"),
            Style::Uci if mv.promotes() => format!("{from}{to}q"),
            Style::Uci => from + &to,
        }
    }

    /// Both forms in any case; the promotion letter may be absent.
    fn read_move(&self, board: &Board, text: &str, _: Style) -> Option<Move> {
        let text = text.to_ascii_lowercase();
        let short = text.replacen('-', "", 1);
        self.moves(board).find(|&mv| {
            let name = self.show_move(board, mv, Style::Uci);
            name == short || mv.promotes() && name.strip_suffix('q') == Some(&short)
        })
    }

    /// `20 W r6/r5/r4/r3/r2/r1`, or a FEN in UCI.
    fn show_position(&self, board: &Board, _: Side, style: Style) -> String {
        match style {
            Style::Plain | Style::Ggf => state_text::one_line(board),
            Style::Uci => state_text::fen(board),
        }
    }

    fn material(&self, board: &Board) -> Option<[u32; 2]> {
        Some([Side::First, Side::Second].map(|side| pawns(board, side)))
    }

    fn read_position(&self, text: &str, style: Style) -> Result<(Board, Side), PositionError> {
        let board = match style {
            Style::Plain | Style::Ggf => state_text::read_state(text)?,
            Style::Uci => state_text::read_fen(text)?,
        };
        Ok((board, board.to_move()))
    }

    fn grid(&self, board: &Board, _: Side) -> Option<Grid> {
        let row = |rank: usize| (0..FILES).map(|file| letter(board, (rank * FILES + file) as Square)).collect();
        Some(Grid { rows: (0..RANKS).rev().map(row).collect(), first_row_on_top: false })
    }

    fn variant(&self) -> Option<&'static str> {
        names::MINICHESS.uci_variant
    }

    fn wdl_model(&self, board: &Board) -> Option<WdlModel> {
        Some(WDL_CURVE.at(f64::from(board.plies_left()) / f64::from(WDL_LENGTH)))
    }

    /// XBoard's setup: the king is its commoner, which may be left in check; pawns have no double step, bishops also the
    /// step of a rook without capture (Betza's notation).
    fn drawing(&self) -> Option<String> {
        let pieces = "PNBRQ.....K...........";
        let table = pieces.to_string() + &pieces.to_lowercase();
        let start = state_text::fen(&self.start());
        Some(format!("setup ({table}) 5x6+0_fairy {start}\npiece P& fmWfcF\npiece B& BmW\n"))
    }

    fn variant_facts(&self) -> Option<String> {
        Some(format!("files 5 ranks 6 pocket 0 template fairy startpos {}", state_text::fen(&self.start())))
    }
}
