//! A board in a picture: its squares, their contents, and the coordinates beside them.

use flipside_core::search::notation::{Grid, column_letter};
use flipside_support::svg::{Anchor, Area, Elements, Look, Point};

/// A board and its place in the picture.
#[derive(Clone, Copy, Debug)]
pub struct BoardDrawing<'a> {
    /// The contents: `X` and `O` are discs, other letters are pieces, `.` and `-` are empty.
    pub grid: &'a Grid,
    /// The upper left corner of the upper left square.
    pub corner: Point,
    /// Pixels of a square.
    pub square: f64,
    /// The style of the coordinates.
    pub coordinates: Look,
}

const FIELD: Look = Look { class: "field", attributes: "fill=\"#2e7d52\"" };
const LIGHT: Look = Look { class: "light", attributes: "fill=\"#f0d9b5\"" };
const DARK: Look = Look { class: "dark", attributes: "fill=\"#b58863\"" };
const RULE: Look = Look { class: "grid", attributes: "stroke=\"#1b4d33\" stroke-width=\"1\"" };
const BLACK: Look = Look { class: "black", attributes: "fill=\"#111\" stroke=\"#111\"" };
const WHITE: Look = Look { class: "white", attributes: "fill=\"#fafafa\" stroke=\"#111\"" };
const ON_BLACK: Look = Look { class: "piece", attributes: "font-size=\"20\" fill=\"#fafafa\"" };
const ON_WHITE: Look = Look { class: "piece", attributes: "font-size=\"20\" fill=\"#111\"" };

impl BoardDrawing<'_> {
    fn columns(&self) -> usize {
        self.grid.rows.first().map_or(0, Vec::len)
    }

    /// The middle of a square; rows count from the top.
    pub fn middle(&self, row: usize, column: usize) -> Point {
        (self.corner.0 + (column as f64 + 0.5) * self.square, self.corner.1 + (row as f64 + 0.5) * self.square)
    }

    /// Adds the board to a picture.
    pub fn draw(&self, elements: &mut Elements) {
        self.field(elements);
        self.coordinates(elements);
        for (row, squares) in self.grid.rows.iter().enumerate() {
            for (column, &square) in squares.iter().enumerate() {
                self.piece(elements, self.middle(row, column), square);
            }
        }
    }

    /// The squares: one colour for discs, two for pieces.
    fn field(&self, elements: &mut Elements) {
        let BoardDrawing { grid: Grid { rows, .. }, corner: (x, y), square, .. } = *self;
        let (width, height) = (self.columns() as f64 * square, rows.len() as f64 * square);
        elements.rectangle(FIELD, Area { x, y, width, height }, "");
        if rows.iter().flatten().any(|&content| !".-XOxo".contains(content)) {
            for (row, column) in (0..rows.len()).flat_map(|row| (0..self.columns()).map(move |column| (row, column))) {
                let look = if (row + column) % 2 == 0 { LIGHT } else { DARK };
                elements.rectangle(look, Area::square(self.middle(row, column), square), "");
            }
        }
        for line in 0..=self.columns() {
            let at = x + line as f64 * square;
            elements.line(RULE, (at, y), (at, y + height));
        }
        for line in 0..=rows.len() {
            let at = y + line as f64 * square;
            elements.line(RULE, (x, at), (x + width, at));
        }
    }

    fn coordinates(&self, elements: &mut Elements) {
        let (left, top) = (self.corner.0 - 4.5 - self.square * 0.2, self.corner.1 - 4.0 - self.square * 0.08);
        let Grid { rows, first_row_on_top } = self.grid;
        for row in 0..rows.len() {
            let number = if *first_row_on_top { row + 1 } else { rows.len() - row };
            let below = self.middle(row, 0).1 + 4.5;
            elements.text(self.coordinates, (left, below), Anchor::Middle, &number.to_string());
        }
        for column in 0..self.columns() {
            let letter = column_letter(column).to_string();
            elements.text(self.coordinates, (self.middle(0, column).0, top), Anchor::Middle, &letter);
        }
    }

    /// A disc, or a piece as its letter on a disc of its colour.
    fn piece(&self, elements: &mut Elements, (x, y): Point, content: char) {
        let (disc, letter) = match content {
            '.' | '-' => return,
            'X' | 'x' => (BLACK, None),
            'O' | 'o' => (WHITE, None),
            white if white.is_ascii_uppercase() => (WHITE, Some(ON_WHITE)),
            _ => (BLACK, Some(ON_BLACK)),
        };
        elements.circle(disc, (x, y), self.square * 0.41);
        if let Some(look) = letter {
            elements.text(look, (x, y + 7.0), Anchor::Middle, &content.to_ascii_uppercase().to_string());
        }
    }
}
