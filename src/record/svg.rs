//! A position or a game as a picture (SVG): the board with its coordinates, the number of each move on its square, and
//! below it the course of the players' evaluations where the record has some.

use crate::search::notation::{Grid, column_letter};
use crate::search::types::{Score, UNIT};
use crate::support::text::shortened;
use std::fmt::Write;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The board after the last move.
    pub grid: Grid,
    /// Lines above the board; longer ones than the picture is wide are cut.
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

/// Draws it.
pub fn draw(diagram: &Diagram) -> String {
    let columns = diagram.grid.rows.first().map_or(0, Vec::len) as f64;
    let rows = diagram.grid.rows.len() as f64;
    let width = (columns * SQUARE + 2.0 * (COORDINATES + EDGE)).max(MIN_WIDTH);
    let titles = diagram.titles.len() as f64 * LINE;
    let board = (((width - columns * SQUARE) / 2.0), EDGE + titles + COORDINATES);
    let below = board.1 + rows * SQUARE + COORDINATES;
    let chart = if diagram.scores.is_empty() { 0.0 } else { CHART + 2.0 * LINE };
    let height = below + LINE + chart + EDGE;
    let mut picture = Picture(String::new());
    picture.line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">"
    ));
    picture.line(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    let most = ((width - 2.0 * EDGE) / CHARACTER) as usize;
    for (index, title) in diagram.titles.iter().enumerate() {
        let y = EDGE + (index as f64 + 0.7) * LINE;
        let (size, colour) = if index == 0 { (15, "#111") } else { (12, "#444") };
        picture.text((width / 2.0, y), size, colour, &shortened(title, most));
    }
    picture.board(diagram, board);
    picture.text((width / 2.0, below + 0.6 * LINE), 13, "#222", &shortened(&diagram.caption, most));
    if !diagram.scores.is_empty() {
        picture.chart(diagram, (EDGE + CHART_MARGIN, below + 2.0 * LINE), width - 2.0 * EDGE - CHART_MARGIN);
    }
    picture.0 + "</svg>\n"
}

fn escaped(text: &str) -> String {
    let legal = text.chars().filter(|c| !c.is_control());
    let escape = |c| match c {
        '&' => "&amp;".to_string(),
        '<' => "&lt;".to_string(),
        '>' => "&gt;".to_string(),
        other => other.to_string(),
    };
    legal.map(escape).collect()
}

struct Picture(String);

impl Picture {
    fn line(&mut self, element: std::fmt::Arguments<'_>) {
        // A `String` takes all that is written.
        let _ = writeln!(self.0, "{element}");
    }

    fn text(&mut self, (x, y): (f64, f64), size: u32, colour: &str, text: &str) {
        let text = escaped(text);
        self.line(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"middle\">{text}</text>"
        ));
    }

    fn board(&mut self, diagram: &Diagram, (left, top): (f64, f64)) {
        let Grid { rows, first_row_on_top } = &diagram.grid;
        let has_pieces = rows.iter().flatten().any(|&square| !".XOxo".contains(square));
        for (row, squares) in rows.iter().enumerate() {
            let y = top + row as f64 * SQUARE;
            for (column, &square) in squares.iter().enumerate() {
                let x = left + column as f64 * SQUARE;
                let fill = match (has_pieces, (row + column) % 2) {
                    (false, _) => "#2e7d52",
                    (true, 0) => "#f0d9b5",
                    (true, _) => "#b58863",
                };
                self.line(format_args!(
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" \
                     stroke=\"#1b4d33\"/>"
                ));
                self.piece((x + SQUARE / 2.0, y + SQUARE / 2.0), square);
            }
            let number = if *first_row_on_top { row + 1 } else { rows.len() - row };
            let middle = y + SQUARE / 2.0 + 4.5;
            self.text((left - COORDINATES / 2.0, middle), 13, "#444", &number.to_string());
        }
        for column in 0..rows.first().map_or(0, Vec::len) {
            let letter = column_letter(column).to_string();
            self.text((left + (column as f64 + 0.5) * SQUARE, top - 8.0), 13, "#444", &letter);
        }
        let centre =
            |row: usize, column: usize| (left + (column as f64 + 0.5) * SQUARE, top + (row as f64 + 0.5) * SQUARE);
        if let Some((row, column)) = diagram.last {
            let (x, y) = centre(row, column);
            let (side, half) = (SQUARE - 3.0, (SQUARE - 3.0) / 2.0);
            let (x, y) = (x - half, y - half);
            self.line(format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#ffd84d\" \
                 stroke-width=\"3\"/>"
            ));
        }
        for &(row, column, number) in &diagram.numbers {
            let is_dark =
                rows.get(row).and_then(|squares| squares.get(column)).is_some_and(|square| "Xx".contains(*square));
            let (x, y) = centre(row, column);
            self.text((x, y + 5.0), 15, if is_dark { "#ffffff" } else { "#111111" }, &number.to_string());
        }
    }

    /// A disc, or a piece as its letter on a disc of its colour.
    fn piece(&mut self, (x, y): (f64, f64), square: char) {
        let (fill, ink) = match square {
            '.' => return,
            'X' | 'x' => ("#111111", "#111111"),
            'O' | 'o' => ("#fafafa", "#fafafa"),
            white if white.is_ascii_uppercase() => ("#fafafa", "#111111"),
            _ => ("#111111", "#fafafa"),
        };
        let radius = SQUARE * 0.41;
        self.line(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"#111111\"/>"
        ));
        if !"XOxo".contains(square) {
            self.text((x, y + 7.0), 20, ink, &square.to_ascii_uppercase().to_string());
        }
    }

    /// The evaluations as a line over the numbers of the moves; above the middle the first player is ahead.
    fn chart(&mut self, diagram: &Diagram, (left, top): (f64, f64), width: f64) {
        let units = |score: Score| f64::from(score) / f64::from(UNIT);
        let most = diagram.scores.iter().map(|&(_, score)| units(score).abs()).fold(1.0, f64::max).min(64.0).ceil();
        let last = diagram.scores.iter().map(|&(number, _)| number).max().unwrap_or(1).max(2);
        let x = |number: usize| left + (number.saturating_sub(1)) as f64 / (last - 1) as f64 * width;
        let y = |value: f64| top + CHART / 2.0 * (1.0 - value.clamp(-most, most) / most);
        self.line(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{CHART}\" fill=\"#f4f4f4\" stroke=\"#bbb\"/>"
        ));
        let (zero, right) = (y(0.0), left + width);
        self.line(format_args!(
            "<line x1=\"{left:.1}\" y1=\"{zero:.1}\" x2=\"{right:.1}\" y2=\"{zero:.1}\" stroke=\"#999\"/>"
        ));
        for value in [most, 0.0, -most] {
            let label = if value == 0.0 { "0".to_string() } else { format!("{value:+}") };
            self.text((left - CHART_MARGIN / 2.0, y(value) + 4.0), 11, "#444", &label);
        }
        let step = if last > 20 { 10 } else { 2 };
        for number in std::iter::once(1).chain((step..=last).step_by(step)) {
            self.text((x(number), top + CHART + 15.0), 11, "#444", &number.to_string());
        }
        let points: Vec<String> =
            diagram.scores.iter().map(|&(number, score)| format!("{:.1},{:.1}", x(number), y(units(score)))).collect();
        let points = points.join(" ");
        self.line(format_args!("<polyline points=\"{points}\" fill=\"none\" stroke=\"#1565c0\" stroke-width=\"2\"/>"));
        let [first, _] = diagram.sides;
        let legend = format!("evaluation in {} after each move: above 0 {first} is ahead", diagram.unit);
        self.text((left - CHART_MARGIN / 2.0 + width / 2.0, top - 9.0), 11, "#444", &legend);
    }
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
    }
}
