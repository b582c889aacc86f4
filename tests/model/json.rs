//! The model of an application that speaks JSON lines.

use crate::board::{Board, Style, leaves};
use crate::dice::Dice;
use crate::game::Game;
use crate::json_lines::{LAST, URGENT, one_of, random_request};
use crate::json_request::{Asked, Request, read};
use crate::options;
use crate::session::Model;
use crate::words::{read_position, show_position};
use serde_json::{Value, json};
use std::collections::VecDeque;

const STYLE: Style = Style::Gtp;

#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    game: Game,
    queue: VecDeque<Request>,
    /// Requests that overtake searches, in their own order.
    urgent: VecDeque<Request>,
    /// Whether options still let a search reach the depth that it is given.
    plain: bool,
    ended: bool,
    quit: bool,
}

impl Json {
    fn stop(&mut self) {
        for request in &mut self.queue {
            match &mut request.asked {
                Asked::Search(search) => search.go.stopped = true,
                Asked::Perft { stopped, .. } => *stopped = true,
                _ => {}
            }
        }
    }

    /// The hit belongs to the pondering search; if a careless host asked for several, to any of them.
    fn ponder_hit(&mut self) {
        let searches = self.queue.iter_mut().filter_map(|request| match &mut request.asked {
            Asked::Search(search) => Some(&mut search.go),
            _ => None,
        });
        let mut pondering: Vec<_> = searches.filter(|go| go.ponder && !go.stopped).collect();
        let waiting = pondering.iter().filter(|go| !go.hit).count();
        for go in &mut pondering {
            go.perhaps_hit |= waiting > 1;
            go.hit |= waiting == 1;
        }
    }

    /// The model after the answer to the first waiting request, with this game.
    fn done(&self, game: Game) -> Json {
        let mut next = Json { game, ..self.clone() };
        next.queue.pop_front();
        next
    }

    /// The model after the first waiting request, if this object belongs to it.
    fn served(&self, request: &Request, object: &Value) -> Option<Json> {
        if object["event"] == "info" {
            let Asked::Search(search) = &request.asked else { return None };
            let mut search = search.clone();
            return search.takes_info(object, self.game.now()).then(|| {
                let mut next = self.clone();
                next.queue[0].asked = Asked::Search(search);
                next
            });
        }
        let failed = object["event"] == "error";
        let kind = |kind: &str| failed && object["error"] == kind;
        let same = || self.done(self.game.clone());
        let either = |game: Option<Game>, error: &str| match game {
            Some(game) => (!failed).then(|| self.done(game)),
            None => kind(error).then(same),
        };
        match &request.asked {
            Asked::Fails(error) => kind(error).then(same),
            Asked::Speaks => (!failed).then(same),
            Asked::Either => Some(same()),
            Asked::Position(start, moves) => self.placed(start.as_deref(), moves, object),
            Asked::Play(moves) => {
                let mut game = self.game.clone();
                let legal = moves.iter().all(|mv| game.play(None, mv, STYLE));
                either(legal.then_some(game), "illegal_move")
            }
            Asked::Undo(count) => {
                let mut game = self.game.clone();
                let taken = game.undo(*count);
                either(taken.then_some(game), "cannot_undo")
            }
            Asked::New => either(Some(Game::new(self.game.now().start())), ""),
            Asked::Game(board) => {
                let other = |board: &Board| match board.is_reversi() == self.game.now().is_reversi() {
                    true => self.game.clone(),
                    false => Game::new(board.clone()),
                };
                either(board.as_ref().map(other), "unsupported_game")
            }
            Asked::Set { name, value } => self.set(name, value, failed),
            Asked::Show => (!failed && self.is_shown(object)).then(same),
            Asked::Perft { depth, stopped } => {
                let counted = || !failed && object["leaves"] == leaves(self.game.now(), *depth);
                (*stopped && failed || counted()).then(same)
            }
            Asked::Search(_) if failed => self.game.now().is_over().then(same),
            Asked::Search(search) => {
                search.answered(object, &self.game, self.plain, self.ended).map(|game| self.done(game))
            }
            Asked::Stop | Asked::PonderHit | Asked::Quit => None,
        }
    }

    fn placed(&self, start: Option<&str>, moves: &[String], object: &Value) -> Option<Json> {
        let now = self.game.now();
        let begin = start.map_or(Some(now.start()), |text| read_position(text, now, STYLE));
        let Some(begin) = begin else {
            return (object["error"] == "bad_position").then(|| self.done(self.game.clone()));
        };
        let mut game = Game::new(begin);
        match moves.iter().all(|mv| game.play(None, mv, STYLE)) {
            true => (object["event"] == "answer").then(|| self.done(game)),
            false => (object["error"] == "illegal_move").then(|| self.done(self.game.clone())),
        }
    }

    fn set(&self, name: &str, value: &str, failed: bool) -> Option<Json> {
        let harmless = ["hash", "threads", "move overhead", "ponder", "clear hash", "seed", "weights", "disable"];
        let lower = name.to_ascii_lowercase();
        let plain = self.plain && (failed || harmless.contains(&lower.as_str()) || lower.contains("book"));
        // UCI's spelling of an empty text has no special meaning here.
        let taken = value != "<empty>" && options::takes(name, value);
        (taken != failed).then(|| Json { plain, ..self.done(self.game.clone()) })
    }

    /// Whether this is the state.
    fn is_shown(&self, object: &Value) -> bool {
        let board = self.game.now();
        let lower = |list: Vec<String>| list.into_iter().map(|mv| mv.to_ascii_lowercase()).collect::<Vec<_>>();
        let names = if board.is_reversi() { ["black", "white"] } else { ["white", "black"] };
        let mut legal = lower(board.moves().into_iter().map(|mv| board.show(mv, STYLE)).collect());
        let mut said: Vec<String> = object["legal"]
            .as_array()
            .map(|list| list.iter().filter_map(Value::as_str).map(str::to_string).collect())
            .unwrap_or_default();
        legal.sort();
        said.sort();
        let winner = match board.outcome() {
            None => object.get("result").is_none_or(Value::is_null),
            Some(outcome) => {
                let name = outcome.first_won.map(|first| names[usize::from(!first)]);
                object["result"].is_object() && object["result"]["winner"] == json!(name)
            }
        };
        object["position"] == show_position(board, STYLE)
            && object["moves"] == json!(lower(self.game.moves(STYLE)))
            && legal == said
            && (board.is_over() || object["side"] == names[usize::from(!board.first_to_move())])
            && winner
    }
}

/// Whether an object of the engine carries the envelope of a request.
fn belongs(object: &Value, request: &Request) -> bool {
    let command = object.get("command").and_then(Value::as_str).unwrap_or_default();
    object.get("id").and_then(Value::as_u64) == request.id && command == request.command
}

impl Model for Json {
    fn new(reversi: bool) -> Json {
        let game = Game::new(if reversi { Board::reversi() } else { Board::minichess() });
        let (queue, urgent) = (VecDeque::new(), VecDeque::new());
        Json { game, queue, urgent, plain: true, ended: false, quit: false }
    }

    fn sent(&mut self, line: &str) {
        if self.quit {
            return;
        }
        let Some(request) = read(line) else { return };
        match &request.asked {
            Asked::Stop => self.stop(),
            Asked::PonderHit => self.ponder_hit(),
            Asked::Quit => self.quit = true,
            _ => {}
        }
        if request.is_urgent() { &mut self.urgent } else { &mut self.queue }.push_back(request);
    }

    fn ended(&mut self) {
        self.ended = true;
    }

    fn heard(&self, line: &str) -> Vec<Json> {
        let Ok(object) = serde_json::from_str::<Value>(line) else { return Vec::new() };
        let event = object["event"].as_str().unwrap_or_default();
        if !line.starts_with("{\"version\":2,") || !["answer", "error", "info"].contains(&event) {
            return Vec::new();
        }
        let urgent = self.urgent.front().filter(|request| belongs(&object, request)).and_then(|request| {
            let expected = if let Asked::Fails(_) = request.asked { "error" } else { "answer" };
            (event == expected).then(|| {
                let mut next = self.clone();
                next.urgent.pop_front();
                next
            })
        });
        let waiting = self.queue.front().filter(|request| belongs(&object, request));
        urgent.into_iter().chain(waiting.and_then(|request| self.served(request, &object))).collect()
    }

    fn silent(&self) -> Vec<Json> {
        Vec::new()
    }

    fn owes(&self) -> bool {
        !self.urgent.is_empty()
            || !self.quit
                && self.queue.front().is_some_and(|request| match &request.asked {
                    Asked::Search(search) => search.go.must_answer(&self.game, self.ended),
                    _ => true,
                })
    }

    fn may_leave(&self) -> bool {
        self.urgent.is_empty() && (self.quit || self.ended && self.queue.is_empty())
    }

    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>> {
        let mut board = self.game.now().clone();
        let mut lines = Vec::new();
        for _ in 0..1 + dice.below(8) {
            let line = random_request(dice, &mut board);
            let exact = line.contains("\"start\"");
            lines.push(if dice.chance(8) && !exact && !last { dice.mangle(&line) } else { line.into_bytes() });
        }
        if last {
            // Without an id: an invalid id would leave the earlier searches running.
            lines.push(b"{\"command\": \"stop\"}".to_vec());
            let count = dice.below(4);
            lines.extend((0..count).map(|_| one_of(dice, &LAST)));
        } else if dice.chance(50) {
            lines.push(one_of(dice, &URGENT));
        }
        lines
    }
}
