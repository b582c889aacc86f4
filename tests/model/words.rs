//! Lines according to the protocols' documents, and random ones.

use crate::board::{Board, Move, Style};
use crate::dice::Dice;
use crate::game::Game;
use crate::minichess_twin::Twin as MiniChess;
use crate::reversi_twin::Twin as Reversi;
use std::collections::VecDeque;

/// In every protocol but GTP, control characters are blanks.
pub fn without_controls(line: &str) -> String {
    line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Blanks and tabs separate words.
pub fn words(text: &str) -> Vec<&str> {
    text.split([' ', '\t']).filter(|word| !word.is_empty()).collect()
}

/// The first word and the rest without the blanks around it.
pub fn first_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_matches([' ', '\t']);
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    (!text.is_empty()).then(|| (&text[..end], text[end..].trim_matches([' ', '\t'])))
}

/// A whole number of digits alone; the largest one for what no integer holds.
pub fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// The required form of a line of output.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Exact(String),
    Prefix(String),
    /// Any number of lines before one that is exactly this.
    Until(&'static str),
    /// Each of these, in any order.
    Each(Vec<String>),
}

/// Matches a line with the first of these patterns; returns false if it does not fit.
pub fn fits(patterns: &mut VecDeque<Pattern>, line: &str) -> bool {
    match patterns.front_mut() {
        Some(Pattern::Exact(text)) if text == line => drop(patterns.pop_front()),
        Some(Pattern::Prefix(text)) if line.starts_with(text.as_str()) => drop(patterns.pop_front()),
        Some(Pattern::Until(text)) => {
            if line == *text {
                patterns.pop_front();
            }
        }
        Some(Pattern::Each(texts)) => {
            let Some(at) = texts.iter().position(|text| text == line) else { return false };
            texts.swap_remove(at);
            if !texts.is_empty() {
                return true;
            }
            patterns.pop_front();
        }
        _ => return false,
    }
    true
}

/// A pattern for each text.
pub fn exactly<T: ToString>(lines: impl IntoIterator<Item = T>) -> VecDeque<Pattern> {
    lines.into_iter().map(|line| Pattern::Exact(line.to_string())).collect()
}

/// The drawing of a board with the side to move and the name of the game's opening.
pub fn drawing(game: &Game, style: Style) -> VecDeque<Pattern> {
    let board = game.now();
    let names = if board.is_reversi() { ["black", "white"] } else { ["white", "black"] };
    let status = match board.is_over() {
        true => "the game is over".to_string(),
        false => format!("{} to move", names[usize::from(!board.first_to_move())]),
    };
    let mut lines = exactly(board.drawing(style));
    lines.push_back(Pattern::Prefix(status));
    lines.extend(game.opening().map(|name| Pattern::Exact(format!("opening: {name}"))));
    lines
}

/// A position's text.
pub fn show_position(board: &Board, style: Style) -> String {
    match (board, style) {
        (Board::Reversi(twin), Style::Chess) => {
            let rows = twin.cells.map(|row| {
                row.map(|cell| match cell {
                    'X' => 'P',
                    'O' => 'p',
                    _ => '.',
                })
            });
            format!("{} {} - - 0 1", counted(&rows), if twin.mover == 'X' { 'w' } else { 'b' })
        }
        (Board::Reversi(twin), _) => {
            let cells: String = twin.cells.concat().iter().collect();
            match style {
                Style::NBoard => format!("8 {} {}", cells.replace('X', "*"), if twin.mover == 'X' { '*' } else { 'O' }),
                _ => format!("{cells} {}", twin.mover),
            }
        }
        (Board::MiniChess(twin), Style::Chess) => {
            let rows: Vec<[char; 5]> = twin.rows.iter().rev().copied().collect();
            format!("{} {} - - 0 {}", counted(&rows), if twin.white { 'w' } else { 'b' }, twin.number)
        }
        (Board::MiniChess(twin), _) => twin.show(),
    }
}

/// Rows with their empty squares counted.
fn counted<const N: usize>(rows: &[[char; N]]) -> String {
    let row = |row: &[char; N]| {
        let text: String = row.iter().collect();
        let mut counted = String::new();
        for run in text.split_inclusive(|cell| cell != '.') {
            let empty = run.matches('.').count();
            let rest = run.trim_start_matches('.');
            counted += &(if empty > 0 { format!("{empty}{rest}") } else { rest.to_string() });
        }
        counted
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}

/// The board of a position's text, if [`show_position`] would write it so for a board that the rules of set-up allow.
pub fn read_position(text: &str, like: &Board, style: Style) -> Option<Board> {
    let board = match like {
        Board::Reversi(_) => Board::Reversi(read_reversi(text, style)?),
        Board::MiniChess(_) => Board::MiniChess(read_minichess(text, style)?),
    };
    (show_position(&board, style) == text).then_some(board)
}

fn read_reversi(text: &str, style: Style) -> Option<Reversi> {
    let text = if style == Style::NBoard { text.strip_prefix("8 ")? } else { text };
    let (cells, side) = text.split_once(' ')?;
    let cells: Vec<char> = match style {
        Style::Chess => expanded(cells)
            .chars()
            .map(|cell| match cell {
                'P' => 'X',
                'p' => 'O',
                _ => '-',
            })
            .collect(),
        _ => cells.replace('*', "X").chars().collect(),
    };
    let rows: Vec<[char; 8]> = cells.chunks(8).filter_map(|row| row.try_into().ok()).collect();
    let mover = if side.starts_with(['X', '*', 'w']) { 'X' } else { 'O' };
    Some(Reversi { cells: rows.try_into().ok()?, mover })
}

fn read_minichess(text: &str, style: Style) -> Option<MiniChess> {
    let text = match style {
        Style::Chess => {
            let words = words(text);
            let [rows, side, _, _, _, number] = words[..] else { return None };
            let rows: Vec<String> = rows.split('/').map(expanded).collect();
            format!("{number} {} {}", side.to_ascii_uppercase(), rows.join("/"))
        }
        _ => text.to_string(),
    };
    let [number, side, rows] = words(&text)[..] else { return None };
    let rows: Vec<&str> = rows.split('/').collect();
    let proper =
        rows.len() == 6 && rows.iter().all(|row| row.len() == 5 && row.chars().all(|c| ".KQRBNPkqrbnp".contains(c)));
    let number = number.parse::<u8>().ok().filter(|number| (1..=41).contains(number))?;
    if !proper || !["W", "B"].contains(&side) {
        return None;
    }
    let count = |letters: &str| rows.concat().chars().filter(|&c| letters.contains(c)).count();
    let sides = [("K", "Q", "KQRBNP"), ("k", "q", "kqrbnp")];
    let fair = sides.iter().all(|(king, queen, all)| count(king) <= 1 && count(queen) <= 6 && count(all) <= 10);
    let pawns = [rows[0], rows[5]].concat().contains(['P', 'p']);
    (fair && count("Kk") > 0 && !pawns).then(|| MiniChess::read(&format!("{number} {side} {}", rows.join("/"))))
}

/// The rows of a FEN with a dot for each empty square.
fn expanded(text: &str) -> String {
    let cell = |cell: char| match cell.to_digit(10) {
        Some(count) => ".".repeat(count as usize),
        None => cell.to_string(),
    };
    text.chars().filter(|&c| c != '/').map(cell).collect()
}

/// A position of a random game, or one with odd material, or a text that is not a position.
pub fn random_position(dice: &mut Dice, like: &Board, style: Style) -> String {
    let mut board = like.start();
    for _ in 0..dice.below(70) {
        match dice.of(&board.moves()) {
            Some(mv) => board = board.play(mv),
            None => break,
        }
    }
    match &mut board {
        Board::Reversi(twin) if dice.chance(20) => {
            let density = dice.below(8);
            let cell = |dice: &mut Dice| if dice.below(8) < density { *dice.pick(&[&'X', &'O']) } else { '-' };
            twin.cells = std::array::from_fn(|_| std::array::from_fn(|_| cell(dice)));
        }
        Board::MiniChess(twin) => {
            if dice.chance(20) {
                twin.number = [38, 39, 40, 41][dice.below(4)];
            }
            if dice.chance(20) {
                let at = (dice.below(6), dice.below(5));
                twin.rows[at.0][at.1] = *dice.pick(&[&'Q', &'q', &'K', &'k', &'r', &'.', &'P', &'p']);
            }
        }
        Board::Reversi(_) => {}
    }
    let text = show_position(&board, style);
    match dice.below(12) {
        0 => text.chars().skip(2 + dice.below(4)).collect(),
        1 => text.replacen([' '], " z ", 1),
        _ => text,
    }
}

/// A move's word: mostly a legal one of this position.
pub fn random_move(dice: &mut Dice, board: &Board, style: Style) -> String {
    let legal = dice.of(&board.moves()).map(|mv| board.show(mv, style));
    match dice.below(12) {
        0 => {
            let chess = ["b2b3", "P@d6", "a5a6q", "0000", "a1a1", "pass", "d6", "z9", "b2-b3"];
            let others = ["a1", "e3", "h8", "PASS", "z9", "--", "b2-b3"];
            dice.pick(if style == Style::Chess { &chess } else { &others }).to_string()
        }
        1 => board.show(Move::Disc(dice.below(8) as i32, dice.below(8) as i32), style),
        2 => legal.unwrap_or_default().to_ascii_uppercase(),
        _ => legal.unwrap_or_else(|| if style == Style::Chess { "a1a1".into() } else { "PA".into() }),
    }
}
