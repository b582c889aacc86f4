//! The client: one game on each connection.

use super::message::{self, ListedOffer, StateLines};
use crate::client::{Action, Choice, Client, Ending};
use crate::game::ServerGame;
use crate::lines::shown;
use crate::rules::GameRules;
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::engine::dyn_engine::Start;
use flipside_host::engine::registry;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::{Cause, GameResult};
use flipside_support::text::one_line;
use std::time::{Duration, Instant};

/// How long the server may take to answer a command.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// How long to wait before the list of offers is read again.
const LIST_AGAIN: Duration = Duration::from_secs(10);
/// The part of the clock that is kept for the network, and at most how much.
const RESERVE: (u32, Duration) = (10, Duration::from_secs(3));

/// Who plays what.
#[derive(Clone, Debug)]
pub struct ImcsSettings {
    /// The name on the server.
    pub name: String,
    /// Its password.
    pub password: String,
    /// Register the name if the server does not know it.
    pub register: bool,
    /// Which offers are accepted.
    pub rules: GameRules,
    /// The time of each side in the games that are offered where no offer suits.
    pub offer: Option<Duration>,
    /// Log off after this many games.
    pub games: Option<usize>,
}

/// What the client waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// The greeting.
    Greeting,
    /// The answer to the login.
    Login,
    /// The end of the table of ratings.
    Ratings,
    /// The end of the list of offers.
    List,
    /// The time to read the list again.
    Resting,
    /// The start of the game of this offer, by whom.
    Accepting(String),
    /// An opponent for our offer.
    Offering,
    /// The game.
    Playing,
    /// The end of the connection.
    Over,
}

/// A client of IMCS.
pub struct ImcsClient {
    settings: ImcsSettings,
    stage: Stage,
    since: Option<Instant>,
    /// The first listed offer that suits.
    suitable: Option<ListedOffer>,
    game: Option<ServerGame>,
    state: StateLines,
    /// The move sent last, if the server has rejected it: it sends the state again.
    rejected: Option<String>,
    /// The words of the result.
    result: Option<String>,
    is_logged_in: bool,
    /// Registering is tried once.
    has_registered: bool,
    played: usize,
    number: u64,
    stopping: bool,
    resigning: bool,
}

impl ImcsClient {
    /// A client that is not connected.
    pub fn new(settings: ImcsSettings) -> ImcsClient {
        ImcsClient {
            settings,
            stage: Stage::Greeting,
            since: None,
            suitable: None,
            game: None,
            state: StateLines::default(),
            rejected: None,
            result: None,
            is_logged_in: false,
            has_registered: false,
            played: 0,
            number: 0,
            stopping: false,
            resigning: false,
        }
    }

    fn enter(&mut self, stage: Stage, now: Instant) {
        (self.stage, self.since) = (stage, Some(now));
    }

    /// The answers before a game.
    fn answer(&mut self, line: &str, now: Instant) -> Vec<Action> {
        let code = message::code(line);
        let said = shown(line.get(4..).unwrap_or_default());
        match (&self.stage, code) {
            (Stage::Greeting, Some(100)) => {
                self.enter(Stage::Login, now);
                vec![Action::SendSecret(format!("me {} {}", self.settings.name, self.settings.password))]
            }
            (Stage::Login, Some(400)) if self.settings.register && !self.has_registered => {
                self.has_registered = true;
                vec![Action::SendSecret(format!("register {} {}", self.settings.name, self.settings.password))]
            }
            (Stage::Login, Some(400)) => refused(&format!("{said}; --register creates the name")),
            (Stage::Login, Some(201 | 202)) => {
                self.is_logged_in = true;
                self.enter(Stage::Ratings, now);
                vec![Action::Say(format!("logged in as {}", self.settings.name)), Action::Send("ratings".into())]
            }
            (Stage::Ratings, _) => self.rating(line, now),
            (Stage::List, _) => self.listed(line, now),
            (Stage::Accepting(_) | Stage::Offering, Some(105)) => self.begin(Side::First, line, now),
            (Stage::Accepting(_) | Stage::Offering, Some(106)) => self.begin(Side::Second, line, now),
            // Somebody was faster, or the offer is gone.
            (Stage::Accepting(_), Some(405 | 407 | 408)) | (Stage::Offering, Some(421)) => self.list(now),
            (Stage::Offering, Some(103)) => vec![Action::Say(format!("offering a game: {said}"))],
            (_, Some(400..=599)) => refused(&said),
            _ => Vec::new(),
        }
    }

    fn rating(&mut self, line: &str, now: Instant) -> Vec<Action> {
        if line == "." {
            return self.list(now);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [name, rating] if *name == self.settings.name => {
                vec![Action::Say(format!("rating: {}", one_line(rating, 10)))]
            }
            _ => Vec::new(),
        }
    }

    /// Asks for the list of offers, or logs off if no more games are to be played.
    fn list(&mut self, now: Instant) -> Vec<Action> {
        if self.is_done() {
            self.enter(Stage::Over, now);
            return vec![Action::Send("quit".into()), Action::Close(Ending::Done)];
        }
        self.enter(Stage::List, now);
        self.suitable = None;
        vec![Action::Send("list".into())]
    }

    fn is_done(&self) -> bool {
        self.stopping || self.settings.games.is_some_and(|games| self.played >= games)
    }

    fn listed(&mut self, line: &str, now: Instant) -> Vec<Action> {
        if line != "." {
            let suits = |offer: &ListedOffer| {
                offer.proposal.opponent != self.settings.name && self.settings.rules.judge(&offer.proposal).is_ok()
            };
            self.suitable = self.suitable.take().or_else(|| ListedOffer::read(line).filter(suits));
            return Vec::new();
        }
        if let Some(offer) = self.suitable.take() {
            let opponent = offer.proposal.opponent;
            let side = match (offer.proposal.side, self.settings.rules.side) {
                (None, Some(side)) => format!(" {}", letter(side)),
                _ => String::new(),
            };
            let said = Action::Say(format!("accepting the game of {}", shown(&opponent)));
            self.enter(Stage::Accepting(opponent), now);
            return vec![said, Action::Send(format!("accept {}{side}", offer.id))];
        }
        let Some(time) = self.settings.offer else {
            self.enter(Stage::Resting, now);
            return Vec::new();
        };
        self.enter(Stage::Offering, now);
        let side = self.settings.rules.side.map_or('?', letter);
        let seconds = time.as_secs();
        vec![Action::Send(format!("offer {side} {seconds} {seconds}"))]
    }

    fn begin(&mut self, own: Side, line: &str, now: Instant) -> Vec<Action> {
        let opponent = match &self.stage {
            Stage::Accepting(name) => Some(name.clone()),
            _ => None,
        };
        let board = match registry::rules(names::MINICHESS.name) {
            Ok(board) => board,
            Err(error) => return refused(&error.to_string()),
        };
        let mut players = [None, None];
        players[own.index()] = Some(self.settings.name.clone());
        players[own.other().index()] = opponent;
        let mut game = ServerGame::new(&format!("game {}", self.played + 1), board, own, players, "IMCS");
        let clock = |index| line.split_whitespace().nth(index).and_then(message::clock).unwrap_or_default();
        game.clocks = own.of([[clock(2), clock(3)], [clock(3), clock(2)]]);
        let said = format!("the game begins, with {}", own.of(game.board.sides()));
        self.game = Some(game);
        self.enter(Stage::Playing, now);
        let mut actions = vec![Action::Say(said)];
        if self.resigning {
            actions.push(Action::Say("it is resigned on the first turn".into()));
        }
        actions
    }

    /// The lines of a game.
    fn play(&mut self, line: &str, now: Instant) -> Vec<Action> {
        if self.state.push(line) {
            return Vec::new();
        }
        match line.split_at_checked(1) {
            Some(("!", mv)) => self.opponent_moved(mv.trim()),
            Some(("?", _)) => self.prompted(line),
            Some(("-", reason)) => self.rejected(reason.trim()),
            Some(("=", result)) => {
                self.result = Some(shown(result.trim()));
                Vec::new()
            }
            Some(("X", reason)) => vec![Action::Say(format!("the server says: {}", shown(reason)))],
            _ => match message::code(line) {
                Some(code @ 230..=232) => self.over(code, now),
                _ => Vec::new(),
            },
        }
    }

    fn opponent_moved(&mut self, mv: &str) -> Vec<Action> {
        let Some(game) = &mut self.game else { return Vec::new() };
        // A move that does not fit is corrected by the state that follows.
        if game.play(game.own.other(), mv, None, None).is_err() {
            log::warn!("the opponent's move does not fit the board");
        }
        vec![Action::Show(game.picture())]
    }

    /// The engine is to move, in the state that came before.
    fn prompted(&mut self, line: &str) -> Vec<Action> {
        let (state, clocks) = (self.state.take(), message::clocks(line));
        let Some(game) = &mut self.game else { return Vec::new() };
        if let Some([own, other]) = clocks {
            game.clocks = game.own.of([[own, other], [other, own]]);
        }
        if self.resigning {
            return vec![Action::Send("resign".into())];
        }
        let mut actions = Vec::new();
        if let Some(state) = state.filter(|state| *state != game.board.position(Style::Plain)) {
            game.ask_again();
            if let Err(error) = game.board.set_position(Start::Text(&state), &[], Style::Plain, false) {
                actions.push(Action::Say(format!("the state cannot be read: {}", shown(&error.to_string()))));
                actions.push(Action::Send("resign".into()));
                return actions;
            }
            game.record.moves.clear();
        }
        let usable = usable(game.own.of(game.clocks));
        game.sent = None;
        let rejected = self.rejected.take();
        let has_no_move = game.board.outcome().is_some() || rejected.is_some();
        let turn = match rejected {
            Some(mv) => game.rejected(&mv, &mut self.number, usable),
            None => game.turn(&mut self.number, usable),
        };
        match turn {
            Some(turn) => actions.push(Action::Think(Box::new(turn))),
            // No legal move is left: the server has no such rule, and waits.
            None if has_no_move => actions.push(Action::Send("resign".into())),
            None => {}
        }
        actions
    }

    /// The server rejects the move sent last. It sends the state and its prompt again, and another move must wait for
    /// them: one that comes earlier would be read in a later state.
    fn rejected(&mut self, reason: &str) -> Vec<Action> {
        let said = Action::Say(format!("the server says: {}", shown(reason)));
        if let Some(game) = &mut self.game
            && let Some(mv) = game.sent.take()
        {
            game.board.undo(1);
            game.record.moves.pop();
            self.rejected = Some(mv);
        }
        vec![said]
    }

    /// The game is over; the server closes the connection.
    fn over(&mut self, code: u32, now: Instant) -> Vec<Action> {
        let Some(game) = self.game.take() else { return Vec::new() };
        let words = self.result.take().unwrap_or_default();
        let winner = match code {
            231 => Some(Side::First),
            232 => Some(Side::Second),
            _ => None,
        };
        let cause = [("resignation", Cause::Resigned), ("time", Cause::Time), ("disconnect", Cause::Left)];
        let cause = cause.into_iter().find_map(|(word, cause)| words.contains(word).then_some(cause));
        let result = GameResult { winner, difference: None, cause };
        self.played += 1;
        self.enter(Stage::Over, now);
        let won = match winner {
            None => "a draw",
            Some(winner) if winner == game.own => "won",
            Some(_) => "lost",
        };
        let ending = if self.is_done() { Ending::Done } else { Ending::Again };
        vec![
            Action::StopThinking(game.id.clone()),
            Action::Show(game.picture()),
            Action::Say(format!("the game against {} is over: {won} ({words})", game.opponent())),
            Action::Record(Box::new(game.finished(Some(result), Format::Pgn))),
            Action::Close(ending),
        ]
    }
}

impl Client for ImcsClient {
    fn connected(&mut self, now: Instant) -> Vec<Action> {
        self.is_logged_in = false;
        (self.state, self.result) = (StateLines::default(), None);
        self.rejected = None;
        self.enter(Stage::Greeting, now);
        Vec::new()
    }

    fn line(&mut self, line: &str, now: Instant) -> Vec<Action> {
        match self.stage {
            Stage::Playing => self.play(line, now),
            Stage::Over => Vec::new(),
            _ => self.answer(line, now),
        }
    }

    fn tick(&mut self, now: Instant) -> Vec<Action> {
        let waited = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        match self.stage {
            Stage::Resting if waited > LIST_AGAIN => self.list(now),
            Stage::Resting | Stage::Offering | Stage::Playing | Stage::Over => Vec::new(),
            _ if waited > ANSWER_TIME => refused("it does not answer"),
            _ => Vec::new(),
        }
    }

    fn chosen(&mut self, choice: Choice, _: Instant) -> Vec<Action> {
        let Some(game) = self.game.as_mut().filter(|game| game.awaits(choice.number)) else { return Vec::new() };
        if game.play(game.own, &choice.mv, choice.score, Some(choice.used)).is_err() {
            return vec![Action::Send("resign".into())];
        }
        game.sent = Some(choice.mv.clone());
        vec![Action::Send(choice.mv), Action::Show(game.picture())]
    }

    fn failed(&mut self, number: u64) -> Vec<Action> {
        let is_awaited = self.game.as_ref().is_some_and(|game| game.awaits(number));
        is_awaited.then(|| Action::Send("resign".into())).into_iter().collect()
    }

    fn lost(&mut self) -> Vec<Action> {
        self.is_logged_in = false;
        match self.game.take() {
            None => Vec::new(),
            Some(game) => {
                self.played += 1;
                let said = format!("the game against {} is lost with the connection", game.opponent());
                let record = game.finished(None, Format::Pgn);
                vec![Action::StopThinking(game.id), Action::Say(said), Action::Record(Box::new(record))]
            }
        }
    }

    fn stop(&mut self, resign: bool, now: Instant) -> Vec<Action> {
        self.stopping = true;
        self.resigning |= resign;
        match (&self.stage, &self.game) {
            // The server takes a resignation on our own turn only.
            (Stage::Playing, Some(game)) if resign && game.is_own_turn() => vec![Action::Send("resign".into())],
            (Stage::Playing, _) => Vec::new(),
            // While an offer is pending the server reads nothing, so that the offer goes with the connection.
            _ => {
                self.enter(Stage::Over, now);
                vec![Action::Close(Ending::Done)]
            }
        }
    }

    fn is_logged_in(&self) -> bool {
        self.is_logged_in
    }
}

fn refused(said: &str) -> Vec<Action> {
    vec![Action::Close(Ending::Refused(format!("the server refuses: {said}")))]
}

fn letter(side: Side) -> char {
    side.of(['W', 'B'])
}

/// What the engine may use of a clock.
fn usable(left: Duration) -> Duration {
    let (part, most) = RESERVE;
    left.saturating_sub((left / part).min(most))
}
