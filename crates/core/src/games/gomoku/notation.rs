//! Points and boards as text. Columns are letters without `i`, rows are numbers from below, as on
//! a Go board. A position is its rows from the top, numbers for empty points, then the player to
//! move: `15/15/.../7xo6/... x`.

use super::point_set::PointSet;
use super::position::Position;
use super::rule::{FIRST, SECOND};
use super::rules::{Gomoku, Point};
use crate::search::game::Game;
use crate::search::notation::{Grid, Notation, PositionError, Style, column_letter, column_of};
use crate::search::types::Side;

/// The players' stones in texts.
const STONES: [char; 2] = ['x', 'o'];

impl Gomoku {
    /// The name of a point: `h8`.
    pub fn point_name(&self, point: usize) -> String {
        let (column, row) = (point % self.size(), point / self.size());
        format!("{}{}", column_letter(column), self.size() - row)
    }

    /// The point of that name, in any case.
    pub fn point_of_name(&self, text: &str) -> Option<usize> {
        let mut letters = text.chars();
        let column = column_of(letters.next()?, self.size())?;
        let digits = letters.as_str();
        let number: usize = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        (1..=self.size()).contains(&number).then(|| (self.size() - number) * self.size() + column)
    }

    /// The stones of a row of a position's text.
    fn read_row(&self, row: usize, text: &str, stones: &mut [PointSet; 2]) -> Option<()> {
        let mut column = 0;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let mut empties = match character {
                '.' | '-' => 1,
                digit => digit.to_digit(10).unwrap_or(0) as usize,
            };
            if character.is_ascii_digit() {
                while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                    empties = 10 * empties + digit.to_digit(10)? as usize;
                    (empties <= self.size()).then_some(())?;
                }
            }
            let player = STONES.iter().position(|&stone| stone == character);
            if player.is_none() && empties == 0 {
                return None;
            }
            if column + empties.max(1) > self.size() {
                return None;
            }
            if let Some(player) = player {
                stones[player].set(row * self.size() + column, true);
            }
            column += empties.max(1);
        }
        (column == self.size()).then_some(())
    }
}

impl Notation for Gomoku {
    fn name(&self) -> &'static str {
        self.names().name
    }

    fn show_move(&self, _: &Position, point: Point, _: Style) -> String {
        self.point_name(usize::from(point))
    }

    fn read_move(&self, position: &Position, text: &str, _: Style) -> Option<Point> {
        let point = self.point_of_name(text).filter(|&point| self.is_legal(position, point))?;
        position.winner().is_none().then_some(point as Point)
    }

    fn forbidden_moves(&self, position: &Position) -> Vec<String> {
        let is_forbidden = |&point: &usize| position.is_empty(point) && self.is_forbidden(position, FIRST, point);
        (0..self.points()).filter(is_forbidden).map(|point| self.point_name(point)).collect()
    }

    fn show_position(&self, position: &Position, side: Side, _: Style) -> String {
        let mut text = String::new();
        for row in 0..self.size() {
            let mut empties = 0;
            for column in 0..self.size() {
                let point = row * self.size() + column;
                let player = [FIRST, SECOND].into_iter().find(|&player| position.stones(player).contains(point));
                let Some(player) = player else {
                    empties += 1;
                    continue;
                };
                if empties > 0 {
                    text.push_str(&empties.to_string());
                }
                empties = 0;
                text.push(STONES[player]);
            }
            if empties > 0 {
                text.push_str(&empties.to_string());
            }
            text.push(if row + 1 == self.size() { ' ' } else { '/' });
        }
        text.push(STONES[side.index()]);
        text
    }

    fn read_position(&self, text: &str, _: Style) -> Result<(Position, Side), PositionError> {
        let expected = || {
            let size = self.size();
            PositionError(format!(
                "expected {size} rows of {size} points (x, o, numbers of empty ones), then x or o, saw '{text}'"
            ))
        };
        let lower = text.trim().to_ascii_lowercase();
        let (board, side) = lower.rsplit_once(' ').ok_or_else(expected)?;
        let side = match side {
            "x" | "b" => Side::First,
            "o" | "w" => Side::Second,
            _ => return Err(expected()),
        };
        let mut stones = [PointSet::EMPTY; 2];
        let mut rows = 0;
        for (row, text) in board.trim_end().split('/').enumerate() {
            rows += 1;
            if row >= self.size() || self.read_row(row, text, &mut stones).is_none() {
                return Err(expected());
            }
        }
        if rows != self.size() {
            return Err(expected());
        }
        let mut position = self.start();
        for player in [FIRST, SECOND] {
            stones[player].iter().for_each(|point| position.place(self.geometry(), self.patterns(), player, point));
        }
        position.set_to_move(self.geometry(), side.index());
        position.find_winner(self.geometry(), self.patterns());
        Ok((position, side))
    }

    fn grid(&self, position: &Position, _: Side) -> Option<Grid> {
        let stone = |point: usize| match [FIRST, SECOND].map(|player| position.stones(player).contains(point)) {
            [true, _] => STONES[FIRST],
            [_, true] => STONES[SECOND],
            _ => '.',
        };
        let rows =
            (0..self.size()).map(|row| (0..self.size()).map(|column| stone(row * self.size() + column)).collect());
        Some(Grid { rows: rows.collect(), first_row_on_top: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::names;

    #[test]
    fn points_have_the_names_of_a_go_board() {
        let game = Gomoku::named("gomoku").expect("a game");
        for (name, point) in [("a15", 0), ("h15", 7), ("j15", 8), ("p15", 14), ("a1", 210), ("h8", 112)] {
            assert_eq!(
                (game.point_name(point), game.point_of_name(&name.to_uppercase())),
                (name.to_string(), Some(point))
            );
        }
        for bad in ["i8", "q1", "a0", "a16", "", "a", "8", "a+1", "a1x", "é1"] {
            assert_eq!(game.point_of_name(bad), None, "{bad}");
        }
    }

    #[test]
    fn positions_are_read_as_they_are_written() {
        for names in names::GOMOKU {
            let game = Gomoku::named(names.name).expect("a game");
            let mut position = game.start();
            let mut side = Side::First;
            for step in 0..40 {
                if game.outcome(&position).is_some() {
                    break;
                }
                let text = game.show_position(&position, side, Style::Plain);
                assert_eq!(game.read_position(&text, Style::Uci), Ok((position.clone(), side)), "{text}");
                let moves: Vec<Point> = game.moves(&position).collect();
                let mv = moves[step * 7 % moves.len()];
                position = game.play(&position, mv);
                side = side.other();
            }
        }
    }

    /// Stones of a position have no order: a row of five within a row of six is none, and stones at both ends count
    /// whoever placed them last.
    #[test]
    fn a_position_is_won_by_its_stones_as_they_stand() {
        for (rule, row, side, is_won) in [
            ("gomoku", "xxxxxx9", 'o', true),
            ("gomoku-exactly-five", "xxxxxx9", 'o', false),
            ("gomoku-exactly-five", "xxxxx10", 'o', true),
            ("gomoku-renju", "xxxxxx9", 'o', false),
            ("gomoku-renju", "oooooo9", 'x', true),
            ("gomoku-caro", "oxxxxxo8", 'o', false),
            ("gomoku-caro", "xxxxxo9", 'o', true),
            ("gomoku-caro", "oxxxxxxo7", 'o', true),
            ("gomoku-caro-exactly-five", "oxxxxxxo7", 'o', false),
            ("gomoku-caro-exactly-five", "1xxxxxo8", 'o', true),
        ] {
            let game = Gomoku::named(rule).expect("a game");
            let text = format!("{row}/{} {side}", vec!["15"; 14].join("/"));
            let (position, _) = game.read_position(&text, Style::Plain).expect("a position");
            assert_eq!(game.outcome(&position).is_some(), is_won, "{rule} {row}");
        }
    }

    #[test]
    fn bad_positions_are_refused() {
        let game = Gomoku::named("gomoku").expect("a game");
        let empty = vec!["15"; 15].join("/");
        assert!(game.read_position(&format!("{empty} x"), Style::Plain).is_ok());
        let with = |row: &str| format!("{row}/{} x", vec!["15"; 14].join("/"));
        for good in ["...............", "7x7", "xoxoxoxoxoxoxox", "0x14"] {
            assert_eq!(game.read_position(&with(good), Style::Plain).is_ok(), good != "0x14", "{good}");
        }
        for bad in ["16", "14", "7x8", "7z7", "", "99999999999999999999", "x0o13"] {
            assert!(game.read_position(&with(bad), Style::Plain).is_err(), "{bad}");
        }
        for bad in ["", "x", &empty, &format!("{empty}/15 x"), &format!("{empty} z")] {
            assert!(game.read_position(bad, Style::Plain).is_err(), "{bad}");
        }
    }
}
