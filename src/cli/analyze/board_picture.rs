//! A picture of the board before a costly move: a cross on the played move, a ring on the best one.

use super::analysed_game::{MoveAnalysis, discs, side_name};
use flipside_core::search::notation::Grid;
use flipside_host::record::svg::board::BoardDrawing;
use flipside_support::svg::{Anchor, Elements, Look};

/// Pixels of a square.
const SQUARE: f64 = 26.0;
/// Pixels for the coordinates, left of the board and above it.
const MARGIN: f64 = 20.0;
/// Pixels for the text below the board.
const CAPTION: f64 = 40.0;
/// Width and height of the picture in pixels.
pub const SIZE: (f64, f64) = (2.0 * MARGIN + 8.0 * SQUARE, MARGIN + 8.0 * SQUARE + CAPTION);

const COORDINATE: Look = Look { class: "faint", attributes: "font-size=\"11\" fill=\"#666\"" };
/// The colours of the marks, on the green board, in the light and the dark scheme.
const PLAYED: Look = Look { class: "played", attributes: "stroke=\"#ff5a4d\" stroke-width=\"3.5\"" };
const BEST: Look = Look { class: "best", attributes: "fill=\"none\" stroke=\"#ffd84d\" stroke-width=\"3\"" };
const CAPTION_LOOK: Look = Look { class: "ink", attributes: "font-size=\"12\" fill=\"#222\"" };

/// The picture of the position before the move, with the move, the best move and the loss.
pub fn elements(mv: &MoveAnalysis) -> Elements {
    let mut elements = Elements::default();
    let grid = mv.recorded.position().grid().unwrap_or_else(|| Grid { rows: Vec::new(), first_row_on_top: true });
    let board = BoardDrawing { grid: &grid, corner: (MARGIN, MARGIN), square: SQUARE, coordinates: COORDINATE };
    board.draw(&mut elements);
    let middle = |square: u16| (square < 64).then(|| board.middle(usize::from(square / 8), usize::from(square % 8)));
    if let Some(place) = middle(mv.best_square) {
        elements.circle(BEST, place, SQUARE * 0.34);
    }
    if let Some((x, y)) = middle(mv.recorded.code()) {
        let arm = SQUARE * 0.27;
        elements.line(PLAYED, (x - arm, y - arm), (x + arm, y + arm));
        elements.line(PLAYED, (x - arm, y + arm), (x + arm, y - arm));
    }
    let [first, second] = words(mv);
    let below = MARGIN + 8.0 * SQUARE;
    elements.text(CAPTION_LOOK, (SIZE.0 / 2.0, below + 17.0), Anchor::Middle, &first);
    elements.text(CAPTION_LOOK, (SIZE.0 / 2.0, below + 33.0), Anchor::Middle, &second);
    elements
}

/// The two lines below the board.
pub fn words(mv: &MoveAnalysis) -> [String; 2] {
    let MoveAnalysis { number, played, best, verdict, .. } = mv;
    [
        format!("{number}. {played} by {}: {}", side_name(mv.side), verdict.name()),
        format!("lost {:.2}; best was {best}", discs(mv.loss)),
    ]
}
