//! Reversi games in any format, checked against the rules, for commands that use positions and moves.

use super::game_input::{FoundGame, GameInput, NameFiles};
use super::interrupt::Interrupt;
use anyhow::{Context, ensure};
use flipside_core::games::names;
use flipside_core::games::reversi::board::{Board, PASS, Placement};
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::search::game::Game;
use flipside_core::search::level::Base;
use flipside_core::search::types::{Score, Side};
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::dyn_position::{DynPosition, SharedPosition, TypedPosition};
use flipside_host::engine::recorded_game;
use flipside_host::engine::registry;
use flipside_host::record::game_record::{GameRecord, GameResult};
use std::path::Path;

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The side that moved.
    pub side: Side,
    /// The position before the move, seen by the side to move.
    pub board: Board,
    /// The move.
    pub mv: Placement,
    /// The evaluation of its player in hundredths of a disc, where the record has one.
    pub score: Option<Score>,
}

impl RecordedMove {
    /// The position before the move.
    pub fn position(&self) -> SharedPosition {
        TypedPosition::shared(Reversi::portable(), self.board, self.side)
    }

    /// The code of the move.
    pub fn code(&self) -> u16 {
        self.mv.square.into()
    }
}

/// A game of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// Names of the players, first and second, if the record has them.
    pub players: [Option<String>; 2],
    /// The moves, passes left out.
    pub moves: Vec<RecordedMove>,
    /// The position at the end, seen by the side to move, and that side.
    pub end: (Board, Side),
    /// The result, from the record or from the rules.
    pub result: Option<GameResult>,
    /// What is remarkable in the record.
    remarks: Vec<String>,
}

/// Replays records on a board that knows the rules.
pub struct ReversiReplay {
    board: Box<dyn DynEngine>,
    rules: Reversi<Base>,
}

impl ReversiReplay {
    /// A board at the start.
    ///
    /// # Errors
    /// Too little memory.
    pub fn new() -> anyhow::Result<ReversiReplay> {
        Ok(ReversiReplay { board: registry::rules(names::REVERSI.name)?, rules: Reversi::portable() })
    }

    /// The game of a record.
    ///
    /// # Errors
    /// The record is of another game, or its start or a move is illegal.
    pub fn game(&mut self, record: &GameRecord) -> anyhow::Result<RecordedGame> {
        let record = recorded_game::replay(&mut *self.board, record)?;
        let mut moves = Vec::with_capacity(record.moves.len());
        for ((position, code), mv) in self.board.course().into_iter().zip(&record.moves) {
            let board = board_of(&*position)?;
            let placement = self.rules.moves(&board).find(|&mv| self.rules.code(mv) == code);
            if let Some(placement) = placement.filter(|placement| placement.square != PASS) {
                moves.push(RecordedMove { side: position.side(), board, mv: placement, score: mv.score });
            }
        }
        let end = (board_of(&*self.board.present())?, self.board.side());
        Ok(RecordedGame { players: record.players, moves, end, result: record.result, remarks: record.remarks })
    }
}

fn board_of(position: &dyn DynPosition) -> anyhow::Result<Board> {
    position.value().downcast_ref().copied().context("a position of another game")
}

/// Reads Reversi games one after another.
pub struct ReversiGames {
    input: GameInput,
    replay: ReversiReplay,
    has_bad_game: bool,
}

impl ReversiGames {
    /// Opens a file, or standard input for `-` or `None`.
    ///
    /// # Errors
    /// The file cannot be opened, or too little memory.
    pub fn open(file: Option<&Path>, name_files: &NameFiles, interrupt: &Interrupt) -> anyhow::Result<ReversiGames> {
        let input = GameInput::open(file, name_files, names::REVERSI.name, interrupt)?;
        Ok(ReversiGames { input, replay: ReversiReplay::new()?, has_bad_game: false })
    }

    /// The next readable game, with its number and place in the input. Unreadable games are reported on stderr.
    ///
    /// # Errors
    /// The input cannot be read, or stderr is closed.
    pub fn next_game(&mut self) -> anyhow::Result<Option<(FoundGame, RecordedGame)>> {
        while let Some(found) = self.input.next_game()? {
            match self.read(&found) {
                Ok(game) => return Ok(Some((found, game))),
                Err(reason) => self.refuse(&found, &reason)?,
            }
        }
        Ok(None)
    }

    /// The game, which has moves. What is remarkable in it is reported on stderr.
    fn read(&mut self, found: &FoundGame) -> anyhow::Result<RecordedGame> {
        let game = self.replay.game(found.record()?)?;
        ensure!(!game.moves.is_empty(), "it has no moves");
        found.report_all(&game.remarks)?;
        Ok(game)
    }

    /// Reports an unusable game and the reason on stderr.
    ///
    /// # Errors
    /// stderr is closed.
    pub fn refuse(&mut self, found: &FoundGame, reason: &anyhow::Error) -> anyhow::Result<()> {
        self.has_bad_game = true;
        found.report(reason)
    }

    /// Whether games were refused.
    pub fn has_bad_game(&self) -> bool {
        self.has_bad_game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_host::record::codec;
    use flipside_host::record::texts;
    use flipside_host::record::wthor::Names;

    fn recorded(text: &str) -> Result<RecordedGame, String> {
        let text = texts::in_bytes(text.as_bytes()).next().expect("a game");
        let record = codec::read(&text, "reversi", &Names::default()).remove(0)?;
        ReversiReplay::new().expect("a board").game(&record).map_err(|error| error.to_string())
    }

    #[test]
    fn a_transcript_and_a_ggf_record_of_it_hold_the_same_moves() {
        let ggf = "1 (;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
                   -------- -------- *]B[F5/1.2]W[D6//3]B[C3];)";
        let (plain, ggf) = (recorded("f5D6c3 # three moves").unwrap(), recorded(ggf).unwrap());
        assert_eq!(plain.end, ggf.end);
        let moves = |game: &RecordedGame| game.moves.iter().map(|mv| (mv.side, mv.board, mv.mv)).collect::<Vec<_>>();
        assert_eq!(moves(&plain), moves(&ggf));
        assert_eq!(ggf.moves.iter().map(|mv| mv.score).collect::<Vec<_>>(), [Some(120), None, None]);
        assert_eq!(ggf.players, [Some("Ann".to_string()), Some("Bob".to_string())]);
        assert_eq!(plain.moves.iter().map(|mv| mv.side).collect::<Vec<_>>(), [Side::First, Side::Second, Side::First]);
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
