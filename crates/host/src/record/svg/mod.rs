//! A position or a game as a picture (SVG): the board with its coordinates, the number of each move on its square, and
//! below it the chart of the players' evaluations if the record has any.

pub mod board;

use board::BoardDrawing;
use flipside_core::search::notation::Grid;
use flipside_core::search::types::{Score, UNIT};
use flipside_support::svg::{Anchor, Area, Elements, Look, Point};
use flipside_support::text::shortened;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The board after the last move.
    pub grid: Grid,
    /// Lines above the board; lines wider than the picture are cut.
    pub titles: Vec<String>,
    /// A line below the board.
    pub caption: String,
    /// Row from the top, column and number of each move.
    pub numbers: Vec<(usize, usize, usize)>,
    /// Row and column of the last move.
    pub last: Option<(usize, usize)>,
    /// Number of a move and the evaluation after it for the first player, in hundredths of a unit.
    pub scores: Vec<(usize, Score)>,
    /// Names of the sides, the first mover's first.
    pub sides: [&'static str; 2],
    /// The unit of the evaluations: `discs`.
    pub unit: &'static str,
}

/// Pixels of a square.
const SQUARE: f64 = 44.0;
/// Pixels at the edges of the picture.
const EDGE: f64 = 16.0;
/// Pixels for coordinates on each side of the board.
const COORDINATES: f64 = 24.0;
/// Pixels of a line of text.
const LINE: f64 = 22.0;
/// Pixels of the narrowest picture, so that titles have room.
const MIN_WIDTH: f64 = 432.0;
/// Height of the chart in pixels.
const CHART: f64 = 130.0;
/// Pixels for the numbers left of the chart.
const CHART_MARGIN: f64 = 44.0;
/// Rough width of a character in pixels.
const CHARACTER: f64 = 8.0;

const HEADING: Look = Look { class: "ink", attributes: "font-size=\"15\" fill=\"#111\"" };
const SUBTITLE: Look = Look { class: "faint", attributes: "font-size=\"12\" fill=\"#444\"" };
const COORDINATE: Look = Look { class: "faint", attributes: "font-size=\"13\" fill=\"#444\"" };
const CAPTION: Look = Look { class: "ink", attributes: "font-size=\"13\" fill=\"#222\"" };
const LAST: Look = Look { class: "last", attributes: "fill=\"none\" stroke=\"#ffd84d\" stroke-width=\"3\"" };
const ON_BLACK: Look = Look { class: "number", attributes: "font-size=\"15\" fill=\"#fff\"" };
const ON_WHITE: Look = Look { class: "number", attributes: "font-size=\"15\" fill=\"#111\"" };
const PLOT: Look = Look { class: "plot", attributes: "fill=\"#f4f4f4\" stroke=\"#bbb\"" };
const ZERO: Look = Look { class: "zero", attributes: "stroke=\"#999\"" };
const SCORE: Look = Look { class: "score", attributes: "stroke=\"#1565c0\" stroke-width=\"2\"" };
const AXIS: Look = Look { class: "faint", attributes: "font-size=\"11\" fill=\"#444\"" };

/// Draws it. Screen readers announce its titles and its caption.
pub fn draw(diagram: &Diagram) -> String {
    let columns = diagram.grid.rows.first().map_or(0, Vec::len) as f64;
    let rows = diagram.grid.rows.len() as f64;
    let width = (columns * SQUARE + 2.0 * (COORDINATES + EDGE)).max(MIN_WIDTH);
    let titles = diagram.titles.len() as f64 * LINE;
    let corner = (((width - columns * SQUARE) / 2.0), EDGE + titles + COORDINATES);
    let below = corner.1 + rows * SQUARE + COORDINATES;
    let chart = if diagram.scores.is_empty() { 0.0 } else { CHART + 2.0 * LINE };
    let size = (width, below + LINE + chart + EDGE);
    let mut picture = Elements::on_paper(size);
    let most = ((width - 2.0 * EDGE) / CHARACTER) as usize;
    let mut middle = |look: Look, y: f64, words: &str| {
        picture.text(look, (width / 2.0, y), Anchor::Middle, &shortened(words, most));
    };
    for (index, title) in diagram.titles.iter().enumerate() {
        middle(if index == 0 { HEADING } else { SUBTITLE }, EDGE + (index as f64 + 0.7) * LINE, title);
    }
    middle(CAPTION, below + 0.6 * LINE, &diagram.caption);
    board(&mut picture, diagram, corner);
    if !diagram.scores.is_empty() {
        let (x, y) = (EDGE + CHART_MARGIN, below + 2.0 * LINE);
        chart_of_scores(&mut picture, diagram, Area { x, y, width: width - EDGE - x, height: CHART });
    }
    let described: Vec<&str> = diagram.titles.iter().chain([&diagram.caption]).map(String::as_str).collect();
    picture.picture(size, &described.join("; "))
}

/// The board with the last move framed and the numbers of the moves.
fn board(picture: &mut Elements, diagram: &Diagram, corner: Point) {
    let board = BoardDrawing { grid: &diagram.grid, corner, square: SQUARE, coordinates: COORDINATE };
    board.draw(picture);
    if let Some((row, column)) = diagram.last {
        picture.rectangle(LAST, Area::square(board.middle(row, column), SQUARE - 3.0), "");
    }
    for &(row, column, number) in &diagram.numbers {
        let square = diagram.grid.rows.get(row).and_then(|squares| squares.get(column));
        let look = if square.is_some_and(|square| "Xx".contains(*square)) { ON_BLACK } else { ON_WHITE };
        let (x, y) = board.middle(row, column);
        picture.text(look, (x, y + 5.0), Anchor::Middle, &number.to_string());
    }
}

/// The evaluations as a line over the move numbers; the first player is ahead above the middle.
fn chart_of_scores(picture: &mut Elements, diagram: &Diagram, plot: Area) {
    let units = |score: Score| f64::from(score) / f64::from(UNIT);
    let most = diagram.scores.iter().map(|&(_, score)| units(score).abs()).fold(1.0, f64::max).min(64.0).ceil();
    let last = diagram.scores.iter().map(|&(number, _)| number).max().unwrap_or(1).max(2);
    let x = |number: usize| plot.x + (number.saturating_sub(1)) as f64 / (last - 1) as f64 * plot.width;
    let y = |value: f64| plot.y + plot.height / 2.0 * (1.0 - value.clamp(-most, most) / most);
    picture.rectangle(PLOT, plot, "");
    picture.line(ZERO, (plot.x, y(0.0)), (plot.right(), y(0.0)));
    for value in [most, 0.0, -most] {
        let label = if value == 0.0 { "0".to_string() } else { format!("{value:+}") };
        picture.text(AXIS, (plot.x - CHART_MARGIN / 2.0, y(value) + 4.0), Anchor::Middle, &label);
    }
    let step = if last > 20 { 10 } else { 2 };
    for number in std::iter::once(1).chain((step..=last).step_by(step)) {
        picture.text(AXIS, (x(number), plot.bottom() + 15.0), Anchor::Middle, &number.to_string());
    }
    let course: Vec<Point> = diagram.scores.iter().map(|&(number, score)| (x(number), y(units(score)))).collect();
    picture.polyline(SCORE, &course);
    let [first, _] = diagram.sides;
    let legend = format!("evaluation in {} after each move: above 0 {first} is ahead", diagram.unit);
    picture.text(AXIS, (plot.x + (plot.width - CHART_MARGIN) / 2.0, plot.y - 9.0), Anchor::Middle, &legend);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram() -> Diagram {
        Diagram {
            grid: Grid { rows: vec![vec!['X', '.'], vec!['O', 'k']], first_row_on_top: true },
            titles: vec!["A & <B>".into(), "x".repeat(500)],
            caption: "caption".into(),
            numbers: vec![(0, 0, 7)],
            last: Some((0, 0)),
            scores: vec![(1, 150), (2, -10_000)],
            sides: ["black", "white"],
            unit: "discs",
        }
    }

    #[test]
    fn everything_is_there_and_nothing_breaks_the_text() {
        let svg = draw(&diagram());
        for part in
            ["A &amp; &lt;B&gt;", ">7</text>", ">K</text>", ">caption</text>", "<polyline", ">-64</text>", "…</text>"]
        {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"));
        let plain = draw(&Diagram { scores: Vec::new(), ..diagram() });
        assert!(!plain.contains("polyline"));
        let titles = vec!["A".into(), "B".into()];
        assert!(draw(&Diagram { titles, ..diagram() }).contains("<title>A; B; caption</title>"));
    }
}
