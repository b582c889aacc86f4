//! The board before a costly move as a picture: a cross on the move that was played, a ring on the best one.

use super::analysed_game::{MoveAnalysis, discs, side_name};
use super::svg::{Anchor, Area, Elements, Look};
use crate::games::reversi::obf;

/// Pixels of a square.
const SQUARE: f64 = 26.0;
/// Pixels for the coordinates, left of the board and above it.
const MARGIN: f64 = 20.0;
/// Pixels for the words below the board.
const CAPTION: f64 = 40.0;
/// Width and height of the picture in pixels.
pub const SIZE: (f64, f64) = (2.0 * MARGIN + 8.0 * SQUARE, MARGIN + 8.0 * SQUARE + CAPTION);

const FIELD: Look = Look { class: "field", attributes: "fill=\"#2e7d52\"" };
const GRID: Look = Look { class: "grid", attributes: "stroke=\"#1b4d33\" stroke-width=\"1\"" };
const COORDINATE: Look = Look { class: "faint", attributes: "font-size=\"11\" fill=\"#666\"" };
const BLACK: Look = Look { class: "black", attributes: "fill=\"#111\" stroke=\"#111\"" };
const WHITE: Look = Look { class: "white", attributes: "fill=\"#fafafa\" stroke=\"#111\"" };
/// The colours of the marks, on green in the light and in the dark.
const PLAYED: Look = Look { class: "played", attributes: "stroke=\"#ff5a4d\" stroke-width=\"3.5\"" };
const BEST: Look = Look { class: "best", attributes: "fill=\"none\" stroke=\"#ffd84d\" stroke-width=\"3\"" };
const CAPTION_LOOK: Look = Look { class: "ink", attributes: "font-size=\"12\" fill=\"#222\"" };

/// The position before the move, the move, the best move, and what it cost.
pub fn elements(mv: &MoveAnalysis) -> Elements {
    let mut elements = Elements::default();
    let size = 8.0 * SQUARE;
    elements.rectangle(FIELD, Area { x: MARGIN, y: MARGIN, width: size, height: size }, "");
    for line in 0..=8 {
        let at = MARGIN + f64::from(line) * SQUARE;
        elements.line(GRID, (at, MARGIN), (at, MARGIN + size));
        elements.line(GRID, (MARGIN, at), (MARGIN + size, at));
    }
    for (index, file) in ('a'..='h').enumerate() {
        let middle = MARGIN + (index as f64 + 0.5) * SQUARE;
        elements.text(COORDINATE, (middle, MARGIN - 6.0), Anchor::Middle, &file.to_string());
        elements.text(COORDINATE, (MARGIN / 2.0, middle + 4.0), Anchor::Middle, &(index + 1).to_string());
    }
    for (square, disc) in mv.position.chars().take(64).enumerate() {
        match disc {
            'X' => elements.circle(BLACK, middle(square), SQUARE * 0.41),
            'O' => elements.circle(WHITE, middle(square), SQUARE * 0.41),
            _ => {}
        }
    }
    if let Some((x, y)) = square_of(&mv.best) {
        elements.circle(BEST, (x, y), SQUARE * 0.34);
    }
    if let Some((x, y)) = square_of(&mv.played) {
        let arm = SQUARE * 0.27;
        elements.line(PLAYED, (x - arm, y - arm), (x + arm, y + arm));
        elements.line(PLAYED, (x - arm, y + arm), (x + arm, y - arm));
    }
    let [first, second] = words(mv);
    let below = MARGIN + size;
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

/// The middle of a square in pixels.
fn middle(square: usize) -> (f64, f64) {
    let at = |index: usize| MARGIN + (index as f64 + 0.5) * SQUARE;
    (at(square % 8), at(square / 8))
}

/// The middle of the square of a move; none for a pass.
fn square_of(mv: &str) -> Option<(f64, f64)> {
    let (_, square) = obf::square(mv).ok()?;
    (square < 64).then(|| middle(usize::from(square)))
}
