//! Squares and boards of small Reversi as text: `d3`, and all squares in reading order with the side to move.

use super::rules::SmallReversi;
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::notation::{discs, square_name};
use crate::search::game::Game;
use crate::search::notation::{Grid, Notation, PerftRule, PositionError, Style};
use crate::search::types::Side;

/// The words for a pass.
const PASS_WORDS: [&str; 4] = ["pass", "pa", "ps", "--"];

impl SmallReversi {
    /// The numbers of the squares in reading order.
    fn squares(self) -> impl Iterator<Item = u32> {
        (0..self.size()).flat_map(move |row| (0..self.size()).map(move |column| 8 * row + column))
    }

    /// The squares in reading order with these characters for black, white and empty.
    fn squares_text(self, board: &Board, side: Side, characters: [char; 3]) -> String {
        let [black, white] = discs(board, side);
        self.squares()
            .map(|square| match (black >> square & 1, white >> square & 1) {
                (1, _) => characters[0],
                (_, 1) => characters[1],
                _ => characters[2],
            })
            .collect()
    }
}

impl Notation for SmallReversi {
    fn name(&self) -> &'static str {
        self.names().name
    }

    fn show_move(&self, _: &Board, mv: Placement, _: Style) -> String {
        if mv.square == PASS { "PASS".into() } else { square_name(mv.square) }
    }

    fn read_move(&self, board: &Board, text: &str, style: Style) -> Option<Placement> {
        let is_pass = self.is_pass_word(text);
        self.moves(board).find(|&mv| {
            if mv.square == PASS { is_pass } else { self.show_move(board, mv, style).eq_ignore_ascii_case(text) }
        })
    }

    fn show_position(&self, board: &Board, side: Side, _: Style) -> String {
        format!("{} {}", self.squares_text(board, side, ['X', 'O', '-']), ['X', 'O'][side.index()])
    }

    fn read_position(&self, text: &str, _: Style) -> Result<(Board, Side), PositionError> {
        let count = self.size() * self.size();
        let expected = || PositionError(format!("expected {count} of X, O and -, then X or O, saw '{text}'"));
        let symbols: Vec<char> = text.to_ascii_uppercase().chars().filter(|c| !c.is_whitespace()).collect();
        let (side, cells) = symbols.split_last().ok_or_else(expected)?;
        let side = match side {
            'X' | '*' => Side::First,
            'O' => Side::Second,
            _ => return Err(expected()),
        };
        if cells.len() != count as usize {
            return Err(expected());
        }
        let mut sets = [0u64; 2];
        for (square, cell) in self.squares().zip(cells) {
            match cell {
                'X' | '*' => sets[0] |= 1 << square,
                'O' => sets[1] |= 1 << square,
                '-' | '.' => {}
                _ => return Err(expected()),
            }
        }
        Ok((Board { player: sets[side.index()], opponent: sets[side.other().index()] }, side))
    }

    fn grid(&self, board: &Board, side: Side) -> Option<Grid> {
        let text: Vec<char> = self.squares_text(board, side, ['X', 'O', '.']).chars().collect();
        Some(Grid { rows: text.chunks(self.size() as usize).map(<[char]>::to_vec).collect(), first_row_on_top: true })
    }

    fn is_pass(&self, mv: Placement) -> bool {
        mv.square == PASS
    }

    fn is_pass_word(&self, text: &str) -> bool {
        PASS_WORDS.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
    }

    fn closing_pass(&self, _: &Board, _: Style) -> Option<Placement> {
        Some(Placement::PASS)
    }

    fn points(&self, board: &Board, side: Side) -> Option<[u32; 2]> {
        Some(discs(board, side).map(u64::count_ones))
    }

    fn perft_rule(&self) -> PerftRule {
        PerftRule::PassPly
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_they_are_written() {
        for game in [SmallReversi::FOUR, SmallReversi::SIX] {
            let mut board = game.start();
            for side in [Side::First, Side::Second, Side::First] {
                let text = game.show_position(&board, side, Style::Plain);
                assert_eq!(game.read_position(&text, Style::Plain), Ok((board, side)));
                let mv = game.moves(&board).next().expect("a move");
                let name = game.show_move(&board, mv, Style::Plain);
                assert_eq!(game.read_move(&board, &name.to_lowercase(), Style::Plain), Some(mv));
                board = game.play(&board, mv);
            }
        }
        let start = "-----OX--XO----- X";
        assert_eq!(SmallReversi::FOUR.show_position(&SmallReversi::FOUR.start(), Side::First, Style::Plain), start);
        for text in ["", "X", "-----OX--XO---- X", "-----OX--XO------ X", "-----OX--XO----- Z", "-----OX--XO--?-- X"] {
            assert!(SmallReversi::FOUR.read_position(text, Style::Plain).is_err(), "{text}");
        }
    }
}
