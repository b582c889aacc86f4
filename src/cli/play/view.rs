//! The display of a game in a terminal: the board in colours or in plain ASCII, scores as text, the evaluation as a
//! bar.

use console::Style;
use flipside_core::search::notation::{Grid, column_letter};
use flipside_core::search::wdl::Wdl;
use textwrap::{Options, WordSplitter};

/// Columns of a row's number and the blank after it.
const ROW_NUMBER: usize = 3;

/// A square of a grid: row and column from the top left.
pub type Square = (usize, usize);

/// The abilities of the display.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Colours and symbols, for a terminal; otherwise plain ASCII.
    pub colours: bool,
    /// Columns of the terminal.
    pub width: usize,
}

/// The squares to mark on a board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The targets of the legal moves.
    pub legal: Vec<Square>,
    /// The target of the last move.
    pub last: Option<Square>,
}

impl View {
    /// The board with its coordinates; legal moves and the last move are marked.
    pub fn board(self, grid: &Grid, marks: &Marks) -> String {
        let columns = grid.rows.first().map_or(0, Vec::len);
        // Squares are three characters wide if they fit.
        let room = self.width.saturating_sub(ROW_NUMBER) / columns.max(1);
        let cell = if self.colours { room.clamp(1, 3) } else { 2 };
        let files: String = (0..columns).map(|file| format!("{:^cell$}", column_letter(file))).collect();
        let files = if self.colours {
            files
        } else {
            files.chars().rev().skip_while(|c| *c == ' ').collect::<Vec<_>>().into_iter().rev().collect()
        };
        let indent = if self.colours { "   " } else { "    " };
        let mut text = format!("{indent}{files}\n");
        for (row, squares) in grid.rows.iter().enumerate() {
            let number = if grid.first_row_on_top { row + 1 } else { grid.rows.len() - row };
            let squares =
                if self.colours { coloured_row(row, squares, marks, cell) } else { plain_row(row, squares, marks) };
            text.push_str(&format!("{number:2} {squares}\n"));
        }
        text
    }

    /// A bar as wide as the terminal allows, filled from the left by the first player's share in thousandths, with the
    /// chances of both players to win where they are known.
    pub fn bar(self, share: u32, chances: Option<Wdl>, sides: [&str; 2]) -> String {
        let percent = |wins: u16| format!(" {} %", (wins + 5) / 10);
        let wins = chances.map_or([String::new(), String::new()], |chances| [chances.win, chances.loss].map(percent));
        let [first, second] = [0, 1].map(|side| sides[side].to_string() + &wins[side]);
        let room = self.width.saturating_sub(first.len() + second.len() + 5).clamp(8, 40);
        let filled = (share as usize * room + 500) / 1000;
        let (full, empty) = if self.colours { ("█", "░") } else { ("#", "-") };
        format!("{first} [{}{}] {second}\n", full.repeat(filled), empty.repeat(room - filled))
    }

    /// A text, wrapped to the terminal's width.
    pub fn wrap(self, text: &str) -> String {
        self.wrap_behind("  ", text)
    }

    /// A list with each line wrapped to the terminal's width; continuation lines begin with `indent` blanks.
    pub fn wrap_list(self, lines: &str, indent: usize) -> String {
        let indent = " ".repeat(indent);
        lines.lines().map(|line| self.wrap_behind(&indent, line) + "\n").collect()
    }

    fn wrap_behind(self, indent: &str, text: &str) -> String {
        // A move such as a2-a3 stays whole.
        let options = Options::new(self.width.max(20)).word_splitter(WordSplitter::NoHyphenation);
        textwrap::fill(text, options.subsequent_indent(indent))
    }

    /// Facts on one line or, if they do not fit, on a line each.
    pub fn facts(self, facts: &[String]) -> String {
        let line = facts.join("; ");
        let text = if line.chars().count() <= self.width { line } else { facts.join("\n") };
        text + "\n"
    }
}

/// A blank before each square; parentheses around the last move; `+` for a legal move.
fn plain_row(row: usize, squares: &[char], marks: &Marks) -> String {
    let mut text = String::new();
    for (column, &square) in squares.iter().enumerate() {
        let last = |column: usize| marks.last == Some((row, column));
        text.push(if last(column) {
            '('
        } else if column > 0 && last(column - 1) {
            ')'
        } else {
            ' '
        });
        text.push(if square == '.' && marks.legal.contains(&(row, column)) { '+' } else { square });
    }
    if marks.last == squares.len().checked_sub(1).map(|column| (row, column)) {
        text.push(')');
    }
    text
}

fn coloured_row(row: usize, squares: &[char], marks: &Marks, cell: usize) -> String {
    let paint = |(column, &square): (usize, &char)| {
        let place = (row, column);
        let background = match (marks.last == Some(place), (row + column) % 2) {
            (true, _) => 136,
            (false, 0) => 28,
            (false, _) => 29,
        };
        let legal = marks.legal.contains(&place);
        let (symbol, foreground) = match square {
            'X' => ('●', 16),
            'O' => ('●', 231),
            '.' => (if legal { '·' } else { ' ' }, 226),
            piece if piece.is_ascii_uppercase() => (piece, 231),
            piece => (piece, 16),
        };
        let style = Style::new().on_color256(background).color256(foreground).bold();
        let style = if legal && square != '.' { style.underlined() } else { style };
        style.apply_to(format!("{symbol:^cell$}")).to_string()
    };
    squares.iter().enumerate().map(paint).collect()
}

/// The target square of a move: the square that it filled, or (for a capture) the square whose piece it replaced.
pub fn target(before: &Grid, after: &Grid) -> Option<Square> {
    let squares = || {
        let rows = before.rows.iter().zip(&after.rows).enumerate();
        rows.flat_map(|(row, (old, new))| {
            old.iter().zip(new).enumerate().map(move |(column, pair)| ((row, column), pair))
        })
    };
    let filled = squares().find(|(_, (old, new))| **old == '.' && **new != '.');
    let replaced = || squares().find(|(_, (old, new))| old != new && **new != '.');
    filled.or_else(replaced).map(|(square, _)| square)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: [&str; 2]) -> Grid {
        Grid { rows: rows.iter().map(|row| row.chars().collect()).collect(), first_row_on_top: true }
    }

    const PLAIN: View = View { colours: false, width: 40 };

    #[test]
    fn moves_are_marked_in_plain_text() {
        let marks = Marks { legal: vec![(0, 0)], last: Some((1, 2)) };
        assert_eq!(PLAIN.board(&grid(["..X", "OXO"]), &marks), "    a b c\n 1  + . X\n 2  O X(O)\n");
    }

    #[test]
    fn a_wide_board_fits_a_narrow_terminal() {
        let grid = Grid { rows: vec![vec!['.'; 20]; 20], first_row_on_top: false };
        for (width, cell) in [(80, 3), (63, 3), (62, 2), (40, 1)] {
            let text = View { colours: true, width }.board(&grid, &Marks::default());
            let lines = text.lines().map(console::measure_text_width);
            assert!(lines.clone().all(|columns| columns == ROW_NUMBER + 20 * cell && columns <= width), "{text}");
        }
    }

    #[test]
    fn the_target_of_a_move_is_found_by_what_changed() {
        assert_eq!(target(&grid([".OX", "..."]), &grid(["XXX", "..."])), Some((0, 0)), "a disc and a flip");
        assert_eq!(target(&grid(["R.q", "..."]), &grid(["..R", "..."])), Some((0, 2)), "a capture");
        assert_eq!(target(&grid(["R.q", "..."]), &grid(["R.q", "..."])), None);
    }

    #[test]
    fn facts_and_moves_stay_whole() {
        let facts = ["white to move", "material: white 25, black 25"].map(String::from);
        assert_eq!(PLAIN.facts(&facts[..1]), "white to move\n");
        assert_eq!(PLAIN.facts(&facts), "white to move\nmaterial: white 25, black 25\n");
        assert_eq!(PLAIN.wrap(&"b2-b3 ".repeat(8)), format!("{}\n  b2-b3 b2-b3", ["b2-b3"; 6].join(" ")));
    }

    #[test]
    fn lists_fit_the_width() {
        let list = "one   a text that is longer than a line is\ntwo   is short\n";
        assert_eq!(PLAIN.wrap_list(list, 6), "one   a text that is longer than a line\n      is\ntwo   is short\n");
    }

    #[test]
    fn the_bar_fits_the_width() {
        assert_eq!(
            PLAIN.bar(750, None, ["black", "white"]),
            format!("black [{}{}] white\n", "#".repeat(19), "-".repeat(6))
        );
        let chances = Some(Wdl { win: 720, draw: 60, loss: 220 });
        let bar = PLAIN.bar(750, chances, ["black", "white"]);
        assert_eq!(bar, format!("black 72 % [{}{}] white 22 %\n", "#".repeat(11), "-".repeat(4)));
        assert!(View { colours: false, width: 12 }.bar(1000, None, ["x", "o"]).contains("[########]"));
    }
}
