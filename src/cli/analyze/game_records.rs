//! Reads Reversi games from a stream: transcripts, one a line, and GGF records, which may extend over several lines.

use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::notation::square_name;
use crate::games::reversi::rules::Reversi;
use crate::record::ggf;
use crate::search::game::Game;
use crate::search::notation::{Notation, Style};
use crate::search::types::Side;
use std::io;

/// A record that is longer, in bytes, ends there.
const MAX_RECORD_LENGTH: usize = 1 << 20;

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The side that moved.
    pub side: Side,
    /// The position before the move, seen by the side to move.
    pub board: Board,
    /// The move.
    pub mv: Placement,
}

/// A game of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// Names of the players, first and second, if the record has them.
    pub players: [Option<String>; 2],
    /// The moves, passes left out.
    pub moves: Vec<RecordedMove>,
}

/// Splits a stream into the texts of games.
pub struct GameTexts<L> {
    lines: L,
    number: u64,
}

impl<L: Iterator<Item = io::Result<Vec<u8>>>> GameTexts<L> {
    /// Reads these lines.
    pub fn new(lines: L) -> GameTexts<L> {
        GameTexts { lines, number: 0 }
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let Some(bytes) = self.lines.next().transpose()? else { return Ok(None) };
        self.number += 1;
        Ok(Some(String::from_utf8_lossy(&bytes).trim().to_string()))
    }

    /// The next game's text and the number of its first line; empty lines and lines that begin with `#` are skipped.
    fn record(&mut self) -> io::Result<Option<(u64, String)>> {
        let mut text = loop {
            match self.line()? {
                None => return Ok(None),
                Some(line) if line.is_empty() || line.starts_with('#') => {}
                Some(line) => break line,
            }
        };
        let number = self.number;
        let mut is_open = text.contains("(;") && !text.contains(";)");
        while is_open
            && text.len() < MAX_RECORD_LENGTH
            && let Some(line) = self.line()?
        {
            text.push('\n');
            text.push_str(&line);
            is_open = !line.contains(";)");
        }
        Ok(Some((number, text)))
    }
}

impl<L: Iterator<Item = io::Result<Vec<u8>>>> Iterator for GameTexts<L> {
    type Item = io::Result<(u64, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.record().transpose()
    }
}

/// Reads a game: a GGF record, or a transcript such as `f5d6c3` with passes written or left out.
///
/// # Errors
/// Says which move is wrong and why.
pub fn read<K: Kernels>(game: &Reversi<K>, text: &str) -> Result<RecordedGame, String> {
    if text.contains("(;") {
        return read_ggf(game, text);
    }
    let moves = text.split('#').next().unwrap_or_default();
    let mut replay = Replay::new(game, (Board::START, Side::First));
    for word in game.split_moves(moves) {
        replay.play(&word, None)?;
    }
    Ok(RecordedGame { players: [None, None], moves: replay.moves })
}

fn read_ggf<K: Kernels>(game: &Reversi<K>, text: &str) -> Result<RecordedGame, String> {
    let record = ggf::GgfGame::read(text).map_err(|error| error.to_string())?;
    let start = match &record.board {
        Some(board) => game.read_position(board, Style::Ggf).map_err(|error| error.to_string())?,
        None => (Board::START, Side::First),
    };
    let mut replay = Replay::new(game, start);
    for mv in &record.moves {
        replay.play(&mv.text, Some(mv.side))?;
    }
    let player = |tag| record.tag(tag).map(str::to_string);
    Ok(RecordedGame { players: [player("PB"), player("PW")], moves: replay.moves })
}

/// Replays the moves of a record and fills in the passes that it leaves out.
struct Replay<'a, K: Kernels> {
    game: &'a Reversi<K>,
    board: Board,
    side: Side,
    moves: Vec<RecordedMove>,
}

impl<'a, K: Kernels> Replay<'a, K> {
    fn new(game: &'a Reversi<K>, (board, side): (Board, Side)) -> Self {
        Replay { game, board, side, moves: Vec::new() }
    }

    fn play(&mut self, word: &str, by: Option<Side>) -> Result<(), String> {
        let number = self.moves.len() + 1;
        if self.game.outcome(&self.board).is_some() {
            let over = || format!("move {number}: '{word}' comes after the end of the game");
            return self.game.is_pass_word(word).then_some(()).ok_or_else(over);
        }
        if !self.game.is_pass_word(word) && self.game.moves(&self.board).all(|mv| mv.square == PASS) {
            self.make(Placement::PASS);
        }
        let name = self.game.sides()[self.side.index()];
        if by.is_some_and(|side| side != self.side) {
            return Err(format!("move {number}: it is {name}'s turn, but '{word}' is the other side's"));
        }
        let mv = self.game.read_move(&self.board, word, Style::Plain);
        let legal = || {
            let names: Vec<_> = self.game.moves(&self.board).map(|mv| square_name(mv.square).to_lowercase()).collect();
            format!("move {number}: '{word}' is not legal for {name}; legal: {}", names.join(" "))
        };
        self.make(mv.ok_or_else(legal)?);
        Ok(())
    }

    fn make(&mut self, mv: Placement) {
        if mv.square != PASS {
            self.moves.push(RecordedMove { side: self.side, board: self.board, mv });
        }
        self.board = self.board.after(mv);
        self.side = self.side.other();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(text: &str) -> Result<RecordedGame, String> {
        read(&Reversi::portable(), text)
    }

    #[test]
    fn a_transcript_and_a_ggf_record_of_it_hold_the_same_moves() {
        let ggf = "1 (;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
                   -------- -------- *]B[F5/1.2]W[D6//3]B[C3];)";
        let (plain, ggf) = (recorded("f5D6c3 # three moves").unwrap(), recorded(ggf).unwrap());
        assert_eq!(plain.moves, ggf.moves);
        assert_eq!(ggf.players, [Some("Ann".to_string()), Some("Bob".to_string())]);
        assert_eq!(plain.moves.iter().map(|mv| mv.side).collect::<Vec<_>>(), [Side::First, Side::Second, Side::First]);
    }

    fn lines(text: &str) -> impl Iterator<Item = io::Result<Vec<u8>>> {
        text.lines().map(|line| Ok(line.as_bytes().to_vec()))
    }

    /// A record that nobody closes does not take all memory.
    #[test]
    fn an_endless_record_is_cut() {
        let mut endless = std::iter::once("(;").chain(std::iter::repeat("B[f5]"));
        let lines = std::iter::from_fn(move || Some(Ok(endless.next()?.as_bytes().to_vec())));
        let (number, text) = GameTexts::new(lines).next().expect("a record").expect("text");
        assert!(number == 1 && text.len() < 2 * MAX_RECORD_LENGTH);
    }

    #[test]
    fn records_end_where_games_end() {
        let text = "# games\n\nf5d6\n(;GM[Othello]\nB[f5]\n;)\nf5f6\n";
        let found: Vec<_> = GameTexts::new(lines(text)).map(Result::unwrap).collect();
        assert_eq!(found.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 4, 7]);
        assert_eq!(found[1].1, "(;GM[Othello]\nB[f5]\n;)");
    }

    #[test]
    fn passes_may_be_left_out_or_written() {
        let (written, left_out) = (recorded("d3c3e6d2d1e1b2c1--a3"), recorded("d3c3e6d2d1e1b2c1a3"));
        assert_eq!(written, left_out);
        let moves = written.unwrap().moves;
        assert_eq!(moves.len(), 9);
        assert_eq!(moves[7].side, moves[8].side, "Black had to pass between");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_move() {
        assert_eq!(recorded("f5f5").unwrap_err(), "move 2: 'f5' is not legal for white; legal: f4 d6 f6");
        assert!(recorded("f5d6zz").unwrap_err().starts_with("move 3: 'zz' is not legal"));
        assert!(recorded("(;B[f5]B[d6];)").unwrap_err().starts_with("move 2: it is white's turn"));
    }
}
