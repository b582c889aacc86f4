//! The moves of a game so far: playing them from text, implying forced passes, taking them back.

use super::dyn_engine::{SetupError, Start};
use super::dyn_position::forced_pass;
use crate::api::command::PlayedMove;
use flipside_core::search::game::Game;
use flipside_core::search::notation::{Notation, PositionError, Style};
use flipside_core::search::types::Side;

/// The longest game kept, in plies, passes included. No built-in game has more than 130, but a host may pass on a
/// finished game for ever, and every search may list all moves of its game again.
pub const MAX_PLIES: usize = 16_384;
/// The longest text of a position, in bytes. Boards take some hundred bytes, but a host may send a line of 4 MiB.
pub const MAX_POSITION_LENGTH: usize = 65_536;

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

    /// The position before the last `moves` moves, passes included; the start if there are fewer.
    pub fn before(&self, game: &G, moves: usize) -> G::Position {
        match moves.checked_sub(1) {
            None => self.current(game),
            Some(later) => self.steps.iter().rev().nth(later).map_or(&self.start, |step| &step.before).clone(),
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

    /// Whether the start is the game's own.
    pub fn has_usual_start(&self, game: &G) -> bool {
        self.first == Side::First && self.start == game.start()
    }

    /// The moves, passes included.
    pub fn moves(&self) -> Vec<G::Move> {
        self.steps.iter().map(|step| step.mv).collect()
    }

    /// The same game, its implied passes as moves of their own.
    pub fn with_passes_written(&self) -> Self {
        let steps = self.steps.iter().map(|step| Step { implied: false, ..step.clone() }).collect();
        GameHistory { start: self.start.clone(), first: self.first, steps }
    }

    /// The moves with the positions and the sides to move before them, passes included.
    pub fn steps(&self) -> impl Iterator<Item = (&G::Position, Side, G::Move)> {
        self.steps.iter().map(|step| (&step.before, step.side, step.mv))
    }

    /// The moves with their players, passes included.
    pub fn show_moves(&self, game: &G, style: Style) -> Vec<(Side, String)> {
        self.steps.iter().map(|step| (step.side, game.show_move(&step.before, step.mv, style))).collect()
    }

    /// The name of the game's opening: that of its last named position.
    pub fn opening_name(&self, game: &G) -> Option<&'static str> {
        let before = || self.steps.iter().rev().find_map(|step| game.opening_name(&step.before));
        game.opening_name(&self.current(game)).or_else(before)
    }

    /// Sets a start position and plays moves from it. On an error everything stays as it was; with `keep_prefix` the
    /// moves before an illegal one stay played.
    pub fn set_position(
        &mut self,
        game: &G,
        start: Start<'_>,
        moves: &[PlayedMove],
        style: Style,
        keep_prefix: bool,
    ) -> Result<(), SetupError> {
        let kept = match start {
            Start::Here => None,
            Start::Initial => Some(std::mem::replace(self, GameHistory::new(game))),
            Start::Text(text) if text.len() > MAX_POSITION_LENGTH => {
                let error = format!("expected at most {MAX_POSITION_LENGTH} bytes, saw {}", text.len());
                return Err(SetupError::Position(PositionError(error)));
            }
            Start::Text(text) => {
                let (start, first) = game.read_position(text, style).map_err(SetupError::Position)?;
                Some(std::mem::replace(self, GameHistory { start, first, steps: Vec::new() }))
            }
        };
        let plies = self.steps.len();
        let played = self.play_all(game, moves, style);
        if played.is_err() && !keep_prefix {
            match kept {
                Some(before) => *self = before,
                None => self.steps.truncate(plies),
            }
        }
        played
    }

    /// Plays moves up to the first that cannot be played.
    fn play_all(&mut self, game: &G, moves: &[PlayedMove], style: Style) -> Result<(), SetupError> {
        for played in moves {
            // Without a player a text may be a run of moves.
            if played.player.is_some() || style == Style::Uci {
                self.play(game, played, style)?;
                continue;
            }
            for text in game.split_moves(&played.text) {
                self.play(game, &PlayedMove { player: None, text }, style)?;
            }
        }
        Ok(())
    }

    /// Plays the legal move of this code; otherwise says why it cannot.
    pub fn play_code(&mut self, game: &G, code: u16) -> Result<(), String> {
        self.check_length()?;
        let position = self.current(game);
        let mv = game.moves(&position).find(|&mv| game.code(mv) == code).ok_or("not a legal move")?;
        self.push(position, mv, false);
        Ok(())
    }

    /// An error if the game is too long for one more move.
    fn check_length(&self) -> Result<(), String> {
        let plies = self.steps.len();
        if plies < MAX_PLIES { Ok(()) } else { Err(format!("the game has {plies} moves, and more are not kept")) }
    }

    /// Plays a move. An error says why it cannot be played and changes nothing.
    fn play(&mut self, game: &G, played: &PlayedMove, style: Style) -> Result<(), SetupError> {
        let plies = self.steps.len();
        self.check_length().and_then(|()| self.try_play(game, played, style)).map_err(|reason| {
            self.steps.truncate(plies);
            SetupError::Move(played.text.clone(), reason)
        })
    }

    /// As [`Self::play`], but on an error a pass that the move implied stays played.
    fn try_play(&mut self, game: &G, played: &PlayedMove, style: Style) -> Result<(), String> {
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
        // Without a player, the move may belong to the other side after a forced pass.
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
        Err(if over { "the game is over".into() } else { "not a legal move".into() })
    }

    /// The move with this name, if it is legal now.
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
        let both_passed = self.steps.len() >= 2 && self.steps.iter().rev().take(2).all(|step| game.is_pass(step.mv));
        let open = style != Style::Uci || !both_passed;
        open.then(|| game.closing_pass(&position, style)).flatten()
    }

    /// Passes for the side to move if it has no other move, so that `side` is to move; otherwise says why it cannot.
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

    /// Takes back `count` moves with the passes implied around them. Returns false, and takes nothing back, if fewer
    /// were played.
    pub fn undo(&mut self, count: u32) -> bool {
        let mut explicit = self.steps.iter().filter(|step| !step.implied);
        if count > 0 && explicit.nth(count as usize - 1).is_none() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::search::notation::Grid;
    use flipside_core::search::types::Score;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// A game that is over at its start and allows passes for ever; it counts how often its rules are called.
    #[derive(Default)]
    struct Finished(AtomicUsize);

    impl Game for Finished {
        type Position = ();
        type Move = ();
        type MoveList<T: Clone> = Vec<T>;

        fn start(&self) {}

        fn outcome(&self, &(): &()) -> Option<Score> {
            self.0.fetch_add(1, Relaxed);
            Some(0)
        }

        fn moves(&self, &(): &()) -> impl Iterator<Item = ()> {
            self.0.fetch_add(1, Relaxed);
            std::iter::empty()
        }

        fn play(&self, &(): &(), (): ()) {
            self.0.fetch_add(1, Relaxed);
        }

        fn key(&self, &(): &()) -> u64 {
            0
        }

        fn code(&self, (): ()) -> u16 {
            0
        }
    }

    impl Notation for Finished {
        fn name(&self) -> &'static str {
            "finished"
        }

        fn show_move(&self, &(): &(), (): (), _: Style) -> String {
            "pass".into()
        }

        fn show_position(&self, &(): &(), _: Side, _: Style) -> String {
            String::new()
        }

        fn read_position(&self, _: &str, _: Style) -> Result<((), Side), PositionError> {
            Ok(((), Side::First))
        }

        fn grid(&self, &(): &(), _: Side) -> Option<Grid> {
            None
        }

        fn is_pass(&self, (): ()) -> bool {
            self.0.fetch_add(1, Relaxed);
            true
        }

        fn is_pass_word(&self, text: &str) -> bool {
            self.0.fetch_add(1, Relaxed);
            text == "pass"
        }

        fn closing_pass(&self, &(): &(), _: Style) -> Option<()> {
            Some(())
        }
    }

    fn passes(count: usize) -> Vec<PlayedMove> {
        let sides = [Side::First, Side::Second].into_iter().cycle();
        sides.take(count).map(|side| PlayedMove::by(side, "pass".into())).collect()
    }

    #[test]
    fn a_pass_costs_the_same_after_any_number_of_passes() {
        let questions = |count: usize| {
            let game = Finished::default();
            let mut history = GameHistory::new(&game);
            history.set_position(&game, Start::Here, &passes(count), Style::Plain, false).expect("passes");
            assert_eq!(history.steps.len(), count);
            game.0.into_inner()
        };
        let few = questions(100);
        assert!(questions(10_000) <= 2 * 100 * few, "{few} for 100 passes");
    }

    #[test]
    fn a_game_beyond_the_bound_is_refused_whole_or_from_there_on() {
        let game = Finished::default();
        let mut history = GameHistory::new(&game);
        let many = passes(MAX_PLIES + 10);
        history.set_position(&game, Start::Here, &passes(3), Style::Plain, false).expect("three passes");
        for start in [Start::Here, Start::Initial, Start::Text("")] {
            let refused = history.set_position(&game, start, &many, Style::Plain, false);
            assert!(matches!(refused, Err(SetupError::Move(mv, reason)) if mv == "pass" && reason.contains("16384")));
            assert_eq!(history.steps.len(), 3, "all or none");
        }
        assert!(history.set_position(&game, Start::Initial, &many, Style::Plain, true).is_err());
        assert_eq!(history.steps.len(), MAX_PLIES, "the moves before the bound are kept");
        assert!(history.undo(1) && history.undo(2) && !history.undo(u32::MAX), "and can be taken back");
        assert_eq!(history.steps.len(), MAX_PLIES - 3);
    }

    #[test]
    fn a_position_of_endless_text_is_refused_unread() {
        let game = Finished::default();
        let text = "x".repeat(MAX_POSITION_LENGTH + 1);
        let refused = GameHistory::new(&game).set_position(&game, Start::Text(&text), &[], Style::Plain, false);
        assert!(matches!(refused, Err(SetupError::Position(_))));
    }
}
