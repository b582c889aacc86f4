//! The client: login, requests, matches.

use super::login::Login;
use super::message::{Message, Messages, News, Part};
use super::picture::{self, Picture};
use super::request::Request;
use super::settings::GgsSettings;
use crate::client::{Action, Choice, Client, Ending};
use crate::game::ServerGame;
use crate::lines::shown;
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::engine::dyn_engine::Start;
use flipside_host::engine::{recorded_game, registry};
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameResult;
use flipside_host::record::ggf::{self, GgfGame, GgfResult};
use std::time::{Duration, Instant};

/// How long the login may take.
const LOGIN_TIME: Duration = Duration::from_secs(60);
/// A line is sent when this long nothing was, because the server drops silent clients.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// The connection counts as lost when nothing was heard for this long, answers to [`KEEP_ALIVE`] included.
const SILENCE: Duration = Duration::from_secs(240);
/// How long an accepted request may take to become a match.
const PENDING: Duration = Duration::from_secs(20);
/// How long resigned games may take to end.
const LEAVING: Duration = Duration::from_secs(5);

/// A client of GGS.
pub struct GgsClient {
    settings: GgsSettings,
    login: Login,
    messages: Messages,
    /// Ids of the matches that we play, with the opponents.
    matches: Vec<(String, String)>,
    games: Vec<ServerGame>,
    /// A request that was accepted and is not a match yet, and until when it may be one.
    pending: Option<(String, Instant)>,
    /// Our own request, and when it may be made again.
    own_request: Option<String>,
    next_offer: Option<Instant>,
    /// Opponents of matches that a lost connection has interrupted.
    interrupted: Vec<String>,
    played: usize,
    number: u64,
    /// The user wants to stop; with a time, at that time at the latest.
    stopping: bool,
    leave_by: Option<Instant>,
    last_sent: Option<Instant>,
    last_heard: Option<Instant>,
}

impl GgsClient {
    /// A client that is not connected.
    pub fn new(settings: GgsSettings) -> GgsClient {
        GgsClient {
            settings,
            login: Login::Name,
            messages: Messages::default(),
            matches: Vec::new(),
            games: Vec::new(),
            pending: None,
            own_request: None,
            next_offer: None,
            interrupted: Vec::new(),
            played: 0,
            number: 0,
            stopping: false,
            leave_by: None,
            last_sent: None,
            last_heard: None,
        }
    }

    fn is_me(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case(&self.settings.name)
    }

    /// The login is accepted: sets how the server talks to us, and asks for what was interrupted.
    fn enter(&mut self, now: Instant) -> Vec<Action> {
        self.next_offer = Some(now);
        let rated = if self.settings.rules.rated == Some(false) { '-' } else { '+' };
        let mut lines: Vec<String> = ["vt100 -", "bell -t -tc -tg -n -nc -ng -ni -nn", "verbose -news -faq -help -ack"]
            .map(str::to_string)
            .to_vec();
        let to_service =
            ["client +".into(), "trust +".into(), "request +".into(), format!("rated {rated}"), "open 1".into()];
        lines.extend(to_service.map(|command: String| format!("tell /os {command}")));
        if !self.interrupted.is_empty() {
            lines.push("tell /os stored".into());
        }
        lines.into_iter().map(Action::Send).collect()
    }

    fn handle(&mut self, message: &Message, now: Instant) -> Vec<Action> {
        match News::of(&message.head) {
            News::Request(words) => Request::read(&words).map(|it| self.requested(&it, now)).unwrap_or_default(),
            News::RequestGone(id) => {
                self.own_request.take_if(|own| *own == id);
                Vec::new()
            }
            News::MatchBegins(id, players) => self.match_begins(id, &players),
            News::MatchOver(id, first, result) => self.match_over(&id, &first, &result, now),
            News::GameOver(id, first, value) => self.game_over(&id, &first, &value),
            News::Join(id) => self.join(&id, message),
            News::Update(id) => self.update(&id, message),
            News::GameError(id, reason) => self.game_error(&id, &reason),
            News::Error(reason) => vec![Action::Say(format!("the server says: {}", shown(&reason)))],
            News::Stored => self.stored(message),
            News::Ratings => {
                message.body.iter().filter(|line| self.is_about_me(line)).map(|line| rating_line(line)).collect()
            }
            News::Timeout(text) => vec![Action::Say(format!("time is over for {}", shown(&text)))],
            News::Other => Vec::new(),
        }
    }

    fn is_about_me(&self, line: &str) -> bool {
        line.split_whitespace().next().is_some_and(|name| self.is_me(name))
    }

    /// Somebody asks for a match. Requests to others are not ours to answer; one to anybody is accepted or ignored.
    fn requested(&mut self, request: &Request, now: Instant) -> Vec<Action> {
        if self.is_me(&request.challenger) {
            self.own_request = Some(request.id.clone());
            return Vec::new();
        }
        let to_me = request.opponent.as_deref().map(|name| self.is_me(name));
        if to_me == Some(false) {
            return Vec::new();
        }
        let goes_on =
            request.stored && self.interrupted.iter().any(|name| name.eq_ignore_ascii_case(&request.challenger));
        let verdict = match request.kind.refusal() {
            Some(reason) => Err(reason),
            None if self.stopping => Err("no more games are played"),
            None if !self.matches.is_empty() || self.pending.is_some() => Err("another match is being played"),
            None if goes_on => Ok(()),
            None => self.settings.rules.judge(&request.proposal()),
        };
        let who = shown(&request.challenger);
        match verdict {
            Ok(()) => {
                self.pending = Some((request.id.clone(), now + PENDING));
                vec![
                    Action::Say(format!("accepting {} from {who}", request.kind)),
                    Action::Send(format!("tell /os accept {}", request.id)),
                ]
            }
            Err(reason) if to_me == Some(true) => vec![
                Action::Say(format!("declining {} from {who}: {reason}", request.kind)),
                Action::Send(format!("tell /os decline {}", request.id)),
            ],
            Err(_) => Vec::new(),
        }
    }

    fn match_begins(&mut self, id: String, players: &[String; 2]) -> Vec<Action> {
        let [first, second] = players;
        let opponent = match (self.is_me(first), self.is_me(second)) {
            (true, _) => second,
            (_, true) => first,
            _ => return Vec::new(),
        };
        self.pending = None;
        self.interrupted.retain(|name| !name.eq_ignore_ascii_case(opponent));
        let said = Action::Say(format!("match {id} against {} begins", shown(opponent)));
        self.matches.push((id, opponent.clone()));
        vec![said]
    }

    /// The match of a game or match id: `.5.0` and `.5` belong to `.5`.
    fn is_own_match(&self, id: &str) -> bool {
        self.matches.iter().any(|(own, _)| belongs(id, own))
    }

    fn join(&mut self, id: &str, message: &Message) -> Vec<Action> {
        let read = match message.head.find("(;") {
            Some(at) => self.read_game(id, &(message.head[at..].to_string() + &message.body.concat())),
            None => picture::read(message)
                .ok_or_else(|| "its picture is torn".to_string())
                .and_then(|picture| self.read_picture(id, &picture)),
        };
        match read {
            Ok(Some(game)) => {
                let is_known = |own: &ServerGame| own.id == id && own.plies() == game.plies() && is_same(own, &game);
                if !self.games.iter().any(is_known) {
                    self.games.retain(|own| own.id != id);
                    self.games.push(game);
                }
                self.think(id)
            }
            Ok(None) => Vec::new(),
            Err(reason) => vec![Action::Say(format!("game {id} cannot be read: {}", shown(&reason)))],
        }
    }

    /// A game in GGF; `None` if it is one of others.
    fn read_game(&self, id: &str, text: &str) -> Result<Option<ServerGame>, String> {
        let game = GgfGame::read(text).map_err(|error| error.to_string())?;
        let record = game.record();
        let Some(own) = self.own_side(&record.players) else { return Ok(None) };
        let mut board = registry::rules(names::REVERSI.name).map_err(|error| error.to_string())?;
        recorded_game::load(&mut *board, &record).map_err(|error| error.to_string())?;
        let mut own_game = ServerGame::new(id, board, own, record.players, "GGS");
        own_game.record.moves = record.moves;
        own_game.clocks = [Side::First, Side::Second].map(|side| game.time_left(side).unwrap_or_default());
        own_game.increment = game.clock(own).and_then(|clock| clock.increment).unwrap_or_default();
        Ok(Some(own_game))
    }

    fn read_picture(&self, id: &str, picture: &Picture) -> Result<Option<ServerGame>, String> {
        let players = picture.players.clone().map(Some);
        let Some(own) = self.own_side(&players) else { return Ok(None) };
        let mut board = registry::rules(names::REVERSI.name).map_err(|error| error.to_string())?;
        let text = format!("8 {}", picture.position);
        board.set_position(Start::Text(&text), &[], Style::Ggf, false).map_err(|error| error.to_string())?;
        let mut game = ServerGame::new(id, board, own, players, "GGS");
        game.clocks = picture.clocks;
        Ok(Some(game))
    }

    fn own_side(&self, players: &[Option<String>; 2]) -> Option<Side> {
        let is_mine = |side: &Side| side.of(players.each_ref()).as_deref().is_some_and(|name| self.is_me(name));
        [Side::First, Side::Second].into_iter().find(is_mine)
    }

    /// A move was played. It comes as the move alone, or with a picture of the position after it.
    fn update(&mut self, id: &str, message: &Message) -> Vec<Action> {
        let Some(game) = self.games.iter_mut().find(|game| game.id == id) else { return Vec::new() };
        let is_picture = picture::is_picture(message);
        let text = match is_picture {
            true => message.body.first().and_then(|line| line.split_once(':')).map(|(_, mv)| mv.trim()),
            false => message.head.split_whitespace().nth(3),
        };
        let mv = text.and_then(ggf::move_parts);
        let played = mv.map(|mv| game.play(game.board.side(), &mv.text, mv.value, mv.time));
        if is_picture {
            let Some(picture) = picture::read(message) else { return Vec::new() };
            let position = format!("8 {}", picture.position);
            if game.board.position(Style::Ggf) != position {
                game.ask_again();
                if let Err(error) = game.board.set_position(Start::Text(&position), &[], Style::Ggf, false) {
                    return vec![Action::Say(format!("game {id} cannot be read: {error}"))];
                }
            }
            game.clocks = picture.clocks;
        } else if !matches!(played, Some(Ok(()))) {
            // The two boards differ: the whole game is asked for again.
            return vec![
                Action::Say(format!("game {id}: the server's move does not fit")),
                Action::Send(format!("tell /os look {id}")),
            ];
        }
        let mut actions = vec![Action::Show(game.picture())];
        actions.extend(self.think(id));
        actions
    }

    /// Lets the engine think if it is to move. A pass needs no thought.
    fn think(&mut self, id: &str) -> Vec<Action> {
        let Some(game) = self.games.iter_mut().find(|game| game.id == id) else { return Vec::new() };
        let usable = usable(game.own.of(game.clocks));
        let Some(turn) = game.turn(&mut self.number, usable) else { return Vec::new() };
        match game.board.legal_moves(Style::Plain).as_slice() {
            [only] if game.board.is_pass(only) => vec![Action::Send(format!("tell /os play {id} PA"))],
            _ => vec![Action::Think(Box::new(turn))],
        }
    }

    fn game_error(&mut self, id: &str, reason: &str) -> Vec<Action> {
        let said = Action::Say(format!("game {id}: the server says: {}", shown(reason)));
        let is_rejected = reason.contains("illegal") || reason.contains("corrupt");
        let Some(game) = self.games.iter_mut().find(|game| game.id == id) else { return vec![said] };
        let (Some(mv), true) = (game.sent.take(), is_rejected) else { return vec![said] };
        let usable = usable(game.own.of(game.clocks));
        match game.rejected(&mv, &mut self.number, usable) {
            Some(turn) => vec![said, Action::Think(Box::new(turn))],
            None => vec![said, Action::Send(format!("tell /os resign {id}"))],
        }
    }

    /// One game is over: `value` is the result in discs for the player `first`.
    fn game_over(&mut self, id: &str, first: &str, value: &str) -> Vec<Action> {
        let Some(index) = self.games.iter().position(|game| game.id == id) else { return Vec::new() };
        let game = self.games.swap_remove(index);
        let sign = match self.own_side(&game.record.players) {
            Some(own) if self.is_me(first) == (own == Side::First) => 1,
            _ => -1,
        };
        let stated = GgfResult::read(value).map(|result| {
            let result = GgfResult { margin: sign * result.margin, ..result };
            let winner = GameResult::by_difference(result.margin).winner;
            GameResult::stated(winner, Some(result.margin / 100).filter(|_| result.cause.is_none()), result.cause)
        });
        let own = if self.is_me(first) { value.to_string() } else { negated(value) };
        vec![
            Action::StopThinking(id.to_string()),
            Action::Show(game.picture()),
            Action::Say(format!("game {id} against {} is over: {}", game.opponent(), shown(&own))),
            Action::Record(Box::new(game.finished(stated, Format::Ggf))),
        ]
    }

    fn match_over(&mut self, id: &str, first: &str, result: &str, now: Instant) -> Vec<Action> {
        if !self.is_own_match(id) {
            return Vec::new();
        }
        let left: Vec<String> =
            self.games.iter().map(|game| game.id.clone()).filter(|game| belongs(game, id)).collect();
        let mut actions: Vec<Action> = left.iter().flat_map(|game| self.game_over(game, first, result)).collect();
        let opponents = self.matches.extract_if(.., |(own, _)| own == id).map(|(_, opponent)| opponent);
        let opponents: Vec<String> = opponents.collect();
        // A match that was broken off is not offered again at once: its player may be gone.
        let is_whole = GgfResult::read(result).is_some();
        self.next_offer = Some(now + if is_whole { Duration::from_secs(1) } else { KEEP_ALIVE });
        self.played += usize::from(is_whole);
        if result.ends_with("left") {
            self.interrupted.extend(opponents);
        }
        actions.push(Action::Say(format!("match {id} is over: {}", shown(result))));
        actions.extend(self.leave_if_done());
        actions
    }

    /// Logs off if no game is left to play.
    fn leave_if_done(&mut self) -> Vec<Action> {
        let is_done = self.stopping || self.settings.matches.is_some_and(|matches| self.played >= matches);
        if !is_done || !self.matches.is_empty() {
            return Vec::new();
        }
        self.stopping = true;
        vec![Action::Send("quit".into()), Action::Close(Ending::Done)]
    }

    /// The list of stored matches: those that a lost connection interrupted are continued.
    fn stored(&mut self, message: &Message) -> Vec<Action> {
        let is_mine = |line: &&String| line.split_whitespace().any(|word| self.interrupted.iter().any(|it| it == word));
        let id = |line: &String| line.split_whitespace().find(|word| word.starts_with('.')).map(str::to_string);
        let ids = message.body.iter().filter(is_mine).filter_map(id);
        ids.map(|id| Action::Send(format!("tell /os ask {id}"))).collect()
    }

    /// Makes our own request if it is time.
    fn offer(&mut self, now: Instant) -> Vec<Action> {
        let is_idle = self.matches.is_empty() && self.pending.is_none() && self.own_request.is_none();
        let is_time = self.next_offer.is_some_and(|at| at <= now);
        let Some(offer) = self.settings.offer.as_ref().filter(|_| is_idle && is_time && !self.stopping) else {
            return Vec::new();
        };
        self.next_offer = Some(now + KEEP_ALIVE);
        let to = offer.opponent.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        vec![Action::Send(format!("tell /os ask {} {}{to}", offer.kind, offer.clock))]
    }

    /// Remembers when something was sent.
    fn noted(&mut self, actions: Vec<Action>, now: Instant) -> Vec<Action> {
        if actions.iter().any(|action| matches!(action, Action::Send(_) | Action::SendSecret(_))) {
            self.last_sent = Some(now);
        }
        actions
    }
}

impl Client for GgsClient {
    fn connected(&mut self, now: Instant) -> Vec<Action> {
        (self.login, self.messages) = (Login::Name, Messages::default());
        (self.last_sent, self.last_heard) = (Some(now), Some(now));
        (self.pending, self.own_request) = (None, None);
        Vec::new()
    }

    fn line(&mut self, line: &str, now: Instant) -> Vec<Action> {
        self.last_heard = Some(now);
        if self.login != Login::Done {
            let mut actions = self.login.line(line, &self.settings.name, &self.settings.password);
            if self.login == Login::Done {
                actions.extend(self.enter(now));
            }
            return self.noted(actions, now);
        }
        let mut actions = Vec::new();
        for part in self.messages.push(line) {
            match part {
                Part::Message(message) => actions.extend(self.handle(&message, now)),
                Part::Ready => actions.extend(self.offer(now)),
            }
        }
        self.noted(actions, now)
    }

    fn is_prompt(&self, text: &str) -> bool {
        self.login.is_prompt(text)
    }

    fn tick(&mut self, now: Instant) -> Vec<Action> {
        let since = |then: Option<Instant>| then.map_or(Duration::ZERO, |then| now.saturating_duration_since(then));
        if self.leave_by.is_some_and(|by| now >= by) {
            return vec![Action::Send("quit".into()), Action::Close(Ending::Done)];
        }
        if self.login != Login::Done {
            let is_late = since(self.last_sent) > LOGIN_TIME;
            let ending = Ending::Refused("the server does not answer the login".into());
            return if is_late { vec![Action::Close(ending)] } else { Vec::new() };
        }
        if since(self.last_heard) > SILENCE {
            return vec![Action::Say("the server is silent".into()), Action::Close(Ending::Again)];
        }
        self.pending.take_if(|(_, until)| *until <= now);
        let mut actions = self.offer(now);
        if actions.is_empty() && since(self.last_sent) > KEEP_ALIVE {
            actions.push(Action::Send("tell /os continue".into()));
        }
        self.noted(actions, now)
    }

    fn chosen(&mut self, choice: Choice, now: Instant) -> Vec<Action> {
        let Some(game) = self.games.iter_mut().find(|game| game.awaits(choice.number)) else { return Vec::new() };
        let value = choice.score.map(ggf::discs).unwrap_or_default();
        // Rounded up, because the server suspects times that are too small.
        let seconds = choice.used.as_secs_f64() + 0.01;
        let sent = format!("tell /os play {} {}/{value}/{seconds:.2}", game.id, choice.mv);
        game.sent = Some(choice.mv);
        self.noted(vec![Action::Send(sent)], now)
    }

    fn failed(&mut self, number: u64) -> Vec<Action> {
        let game = self.games.iter().find(|game| game.awaits(number));
        game.map(|game| Action::Send(format!("tell /os resign {}", game.id))).into_iter().collect()
    }

    fn lost(&mut self) -> Vec<Action> {
        let opponents: Vec<String> = self.matches.drain(..).map(|(_, opponent)| opponent).collect();
        let said = match opponents.is_empty() {
            true => Vec::new(),
            false => vec![Action::Say(format!("the match against {} is interrupted", opponents.join(", ")))],
        };
        self.interrupted.extend(opponents);
        let stops: Vec<Action> = self.games.drain(..).map(|game| Action::StopThinking(game.id)).collect();
        self.login = Login::Name;
        said.into_iter().chain(stops).collect()
    }

    fn stop(&mut self, resign: bool, now: Instant) -> Vec<Action> {
        self.stopping = true;
        if resign {
            self.leave_by = Some(now + LEAVING);
        }
        let withdrawn = self.own_request.take().map(|id| Action::Send(format!("tell /os cancel {id}")));
        let closed = (self.login == Login::Done).then(|| Action::Send("tell /os open 0".into()));
        let resigned = self.games.iter().filter(|_| resign);
        let resigned = resigned.map(|game| Action::Send(format!("tell /os resign {}", game.id)));
        let mut actions: Vec<Action> = withdrawn.into_iter().chain(closed).chain(resigned).collect();
        actions.extend(self.leave_if_done());
        self.noted(actions, now)
    }

    fn is_logged_in(&self) -> bool {
        self.login == Login::Done
    }
}

/// Whether a game is one of a match, or the only one.
fn belongs(game: &str, of: &str) -> bool {
    game.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn is_same(a: &ServerGame, b: &ServerGame) -> bool {
    *a.board.present() == *b.board.present()
}

/// `+46.00` for the other player.
fn negated(value: &str) -> String {
    match (value.strip_prefix('+'), value.strip_prefix('-')) {
        (Some(rest), _) => format!("-{rest}"),
        (_, Some(rest)) => format!("+{rest}"),
        _ => value.to_string(),
    }
}

fn rating_line(line: &str) -> Action {
    Action::Say(format!("rating: {}", shown(line.trim())))
}

/// What the engine may use of a clock: the rest is a reserve for a slow network, because a game whose main time is over
/// is lost.
fn usable(left: Duration) -> Duration {
    let reserve = Duration::from_secs(if left > Duration::from_secs(60) { 10 } else { 2 });
    left.saturating_sub(reserve).max(left / 8)
}
