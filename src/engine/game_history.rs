//! The moves of a game so far: playing them from text, implying forced passes, taking them back.

use super::dyn_engine::{SetupError, Start};
use crate::api::command::PlayedMove;
use crate::search::game::Game;
use crate::search::notation::{Notation, Style};
use crate::search::types::Side;

/// A start position and the moves played from it.
pub(super) struct GameHistory<G: Game> {
    start: G::Position,
    /// The side to move at the start.
    first: Side,
    steps: Vec<Step<G::Position, G::Move>>,
}

/// A move played, and the position before it.
#[derive(Clone)]
struct Step<P, M> {
    before: P,
    mv: M,
    side: Side,
    /// A forced pass that the host did not write.
    implied: bool,
}

impl<G: Notation> GameHistory<G> {
    /// The game's own start.
    pub fn new(game: &G) -> Self {
        GameHistory { start: game.start(), first: Side::First, steps: Vec::new() }
    }

    /// The present position.
    pub fn current(&self, game: &G) -> G::Position {
        match self.steps.last() {
            Some(step) => game.play(&step.before, step.mv),
            None => self.start.clone(),
        }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        match self.steps.last() {
            Some(step) => step.side.other(),
            None => self.first,
        }
    }

    /// The start position as text.
    pub fn show_start(&self, game: &G, style: Style) -> String {
        game.show_position(&self.start, self.first, style)
    }

    /// The moves with their players, passes included.
    pub fn show_moves(&self, game: &G, style: Style) -> Vec<(Side, String)> {
        self.steps.iter().map(|step| (step.side, game.show_move(&step.before, step.mv, style))).collect()
    }

    /// Sets a start position and plays moves from it. On an error everything stays as it was, but for the moves before an
    /// illegal one if `keep_prefix`.
    pub fn set_position(
        &mut self,
        game: &G,
        start: Start<'_>,
        moves: &[PlayedMove],
        style: Style,
        keep_prefix: bool,
    ) -> Result<(), SetupError> {
        let before = GameHistory { start: self.start.clone(), first: self.first, steps: self.steps.clone() };
        match start {
            Start::Here => {}
            Start::Initial => *self = GameHistory::new(game),
            Start::Text(text) => {
                let (start, first) = game.read_position(text, style).map_err(SetupError::Position)?;
                *self = GameHistory { start, first, steps: Vec::new() };
            }
        }
        let single = moves.iter().flat_map(|played| match played.player {
            // Without a player a text may be a run of moves.
            None if style != Style::Uci => {
                game.split_moves(&played.text).iter().map(|text| PlayedMove::new(text)).collect()
            }
            _ => vec![played.clone()],
        });
        for played in single {
            if let Err(reason) = self.play(game, &played, style) {
                if !keep_prefix {
                    *self = before;
                }
                return Err(SetupError::Move(played.text, reason));
            }
        }
        Ok(())
    }

    /// Plays a move. On an error, which says why, nothing changes.
    fn play(&mut self, game: &G, played: &PlayedMove, style: Style) -> Result<(), String> {
        let steps = self.steps.len();
        if let Some(player) = played.player {
            let side = player.side(game.sides()).map_err(|error| error.to_string())?;
            let passes = game.is_pass_word(&played.text);
            // A move of the side that is not to move implies a forced pass of the other; a pass never does.
            if side != self.side() {
                if passes && game.outcome(&self.current(game)).is_none() {
                    return Err(self.out_of_turn(game));
                }
                if !passes {
                    self.force_pass(game, side)?;
                }
            }
        }
        let position = self.current(game);
        if let Some(mv) = self.read(game, &position, &played.text, style) {
            self.push(position, mv, false);
            return Ok(());
        }
        // Without a player the move may be that of the other side after a forced pass.
        if played.player.is_none()
            && style != Style::Uci
            && let Some(pass) = forced_pass(game, &position)
        {
            let after_pass = game.play(&position, pass);
            if let Some(mv) = game.read_move(&after_pass, &played.text, style) {
                self.push(position, pass, true);
                self.push(after_pass, mv, false);
                return Ok(());
            }
        }
        let over = game.outcome(&position).is_some();
        self.steps.truncate(steps);
        Err(if over { "the game is over".into() } else { "not a legal move".into() })
    }

    /// The move of that name; `None` if it is not legal now.
    fn read(&self, game: &G, position: &G::Position, text: &str, style: Style) -> Option<G::Move> {
        if game.outcome(position).is_none() {
            return game.read_move(position, text, style);
        }
        self.closing_pass(game, style).filter(|_| game.is_pass_word(text))
    }

    fn push(&mut self, before: G::Position, mv: G::Move, implied: bool) {
        let side = self.side();
        self.steps.push(Step { before, mv, side, implied });
    }

    /// The closing pass of a finished game. In UCI each side may pass once, elsewhere as often as the host asks.
    pub fn closing_pass(&self, game: &G, style: Style) -> Option<G::Move> {
        let position = self.current(game);
        game.outcome(&position)?;
        let passes = self.steps.iter().rev().take_while(|step| game.is_pass(step.mv)).count();
        let open = style != Style::Uci || passes < 2;
        open.then(|| game.closing_pass(&position, style)).flatten()
    }

    /// Passes for the side to move if it must, so that `side` is to move; else says why it cannot be.
    pub fn force_pass(&mut self, game: &G, side: Side) -> Result<(), String> {
        if side == self.side() {
            return Ok(());
        }
        let position = self.current(game);
        if let Some(pass) = forced_pass(game, &position) {
            self.push(position, pass, true);
            return Ok(());
        }
        Err(match game.outcome(&position) {
            Some(_) => "the game is over".to_string(),
            None => self.out_of_turn(game),
        })
    }

    fn out_of_turn(&self, game: &G) -> String {
        format!("it is {}'s turn", self.side().of(game.sides()))
    }

    /// Takes back an implied pass.
    pub fn undo_forced_pass(&mut self) {
        self.steps.pop_if(|step| step.implied);
    }

    /// Takes back so many moves with the passes implied around them; false, and nothing taken back, if fewer were played.
    pub fn undo(&mut self, count: u32) -> bool {
        let explicit = self.steps.iter().filter(|step| !step.implied).count();
        if explicit < count as usize {
            return false;
        }
        for _ in 0..count {
            // Implied passes after the last move, the move itself, implied passes before it.
            while self.steps.pop_if(|step| step.implied).is_some() {}
            self.steps.pop();
            while self.steps.pop_if(|step| step.implied).is_some() {}
        }
        true
    }
}

/// The pass, if it is the only legal move.
fn forced_pass<G: Notation>(game: &G, position: &G::Position) -> Option<G::Move> {
    let mut moves = game.moves(position);
    let first = moves.next()?;
    (moves.next().is_none() && game.is_pass(first)).then_some(first)
}
