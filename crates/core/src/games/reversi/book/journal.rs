//! The journal beside a book: one line for each search and each game that the book has learned
//! since the last write.

use super::entry::{Deviation, GameCounts, Grade, Value};
use super::graph::BookGraph;
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::rules::Reversi;
use crate::search::game::Game;
use crate::search::types::Selectivity;
use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::str::FromStr;

/// A line of the journal after its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalLine {
    /// A search of the moves of a position that lead out of the book found this move the best;
    /// none if no move does.
    Search(Board, Option<Deviation>),
    /// A game from the usual start: its moves without passes, and the first player's discs less the second's.
    Game(Vec<u8>, i32),
}

impl JournalLine {
    /// Adds what the line says to a book.
    pub fn apply(&self, graph: &mut BookGraph) {
        match self {
            JournalLine::Search(board, deviation) => graph.set_deviation(*board, *deviation),
            JournalLine::Game(squares, discs) => {
                for (board, is_first) in game_positions(squares) {
                    graph.count_game(board, outcome(*discs, is_first));
                }
            }
        }
    }
}

/// The result of a finished game, as one side sees it.
fn outcome(discs: i32, is_first: bool) -> GameCounts {
    let mut games = GameCounts::default();
    match (discs.cmp(&0), is_first) {
        (Ordering::Equal, _) => games.drawn = 1,
        (Ordering::Greater, true) | (Ordering::Less, false) => games.won = 1,
        _ => games.lost = 1,
    }
    games
}

/// The positions of a game from the usual start, the first and the last included, and whether the
/// first player is to move; up to the first illegal move. Forced passes are inserted.
pub fn game_positions(squares: &[u8]) -> Vec<(Board, bool)> {
    let game = Reversi::portable();
    let (mut board, mut is_first) = (Board::START, true);
    let mut positions = vec![(board, is_first)];
    for square in squares {
        let legal = |board: &Board| game.moves(board).find(|mv| mv.square == *square);
        if legal(&board).is_none() && game.moves(&board).next() == Some(Placement::PASS) {
            (board, is_first) = (board.passed(), !is_first);
            positions.push((board, is_first));
        }
        let Some(mv) = legal(&board).filter(|mv| mv.square != PASS) else { break };
        (board, is_first) = (board.after(mv), !is_first);
        positions.push((board, is_first));
    }
    positions
}

impl Display for JournalLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalLine::Search(Board { player, opponent }, None) => {
                write!(formatter, "search {player:016x} {opponent:016x} none")
            }
            JournalLine::Search(Board { player, opponent }, Some(Deviation { square, value })) => {
                let Value { score, depth, selectivity, grade } = value;
                write!(formatter, "search {player:016x} {opponent:016x} {square} {score} {depth} {selectivity} {grade}")
            }
            JournalLine::Game(squares, discs) => {
                write!(formatter, "game {discs}")?;
                squares.iter().try_for_each(|square| write!(formatter, " {square}"))
            }
        }
    }
}

impl FromStr for JournalLine {
    type Err = ();

    fn from_str(text: &str) -> Result<JournalLine, ()> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["search", player, opponent, ref rest @ ..] => {
                let set = |text| u64::from_str_radix(text, 16).map_err(|_| ());
                let board = Board { player: set(player)?, opponent: set(opponent)? };
                if board.player & board.opponent != 0 {
                    return Err(());
                }
                let deviation = match *rest {
                    ["none"] => None,
                    [square, score, depth, selectivity, grade] => {
                        let grade: Grade = grade.parse()?;
                        let score = number(score, -6400..=6400)?;
                        let [depth, selectivity] = [number(depth, 0..=64)? as u8, number(selectivity, 0..=100)? as u8];
                        if !Selectivity::PERCENT.contains(&selectivity) {
                            return Err(());
                        }
                        let value = Value { score, depth, selectivity, grade };
                        Some(Deviation { square: number(square, 0..=64)? as u8, value })
                    }
                    _ => return Err(()),
                };
                Ok(JournalLine::Search(board, deviation))
            }
            ["game", discs, ref squares @ ..] => {
                let squares: Result<_, ()> = squares.iter().map(|square| Ok(number(square, 0..=63)? as u8)).collect();
                Ok(JournalLine::Game(squares?, number(discs, -64..=64)?))
            }
            _ => Err(()),
        }
    }
}

fn number(text: &str, range: std::ops::RangeInclusive<i32>) -> Result<i32, ()> {
    text.parse().ok().filter(|number| range.contains(number)).ok_or(())
}
