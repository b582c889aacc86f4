//! The model of an NBoard host.

use crate::board::{Board, Style};
use crate::dice::Dice;
use crate::game::Game;
use crate::options;
use crate::session::Model;
use crate::words::{
    Pattern, first_word, fits, number, random_move, random_position, read_position, without_controls, words,
};
use std::collections::VecDeque;

const STYLE: Style = Style::NBoard;

#[derive(Clone, Debug, PartialEq)]
pub struct NBoard {
    game: Game,
    queue: VecDeque<Request>,
    /// `set depth`, which applies to later requests.
    depth: Option<u64>,
    ended: bool,
    quit: bool,
}

/// Moves with the players that the record names.
type RecordedMoves = Vec<(Option<bool>, String)>;

#[allow(clippy::large_enum_variant, reason = "a test holds few of them at a time")]
#[derive(Clone, Debug, PartialEq)]
enum Request {
    Lines(VecDeque<Pattern>),
    Option(String, String),
    /// A start (`None` if it cannot be read) and moves with their players.
    Game(Option<Board>, RecordedMoves),
    Search(Search),
}

/// A request that is answered when a search is over; a ping drops it.
#[derive(Clone, Debug, PartialEq)]
struct Search {
    task: Task,
    /// Whether it ends by itself and soon.
    short: bool,
    dropped: bool,
    /// Whether another line has come since.
    followed: bool,
    /// Whether some of its lines have come.
    begun: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Task {
    Go,
    Hint(u64),
    /// The next position to score, in moves after the start; `None` before the first.
    Analyze(Option<usize>),
}

impl NBoard {
    fn say(&mut self, pattern: Pattern) {
        self.queue.push_back(Request::Lines([pattern].into()));
    }

    fn complain(&mut self) {
        self.say(Pattern::Prefix("status error: ".into()));
    }

    fn name(&mut self) {
        let depth = self.depth.map_or(String::new(), |depth| depth.to_string());
        self.say(Pattern::Exact(format!("set myname Flipside{depth}")));
    }

    fn search(&mut self, task: Task, short: bool) {
        self.queue.push_back(Request::Search(Search { task, short, dropped: false, followed: false, begun: false }));
    }

    fn set(&mut self, rest: &str) {
        match first_word(rest) {
            Some(("game", text)) => match game(text) {
                Some((board, moves)) => self.queue.push_back(Request::Game(Some(board), moves)),
                None => self.complain(),
            },
            Some(("depth", value)) => match number(value).filter(|depth| (1..=60).contains(depth)) {
                Some(depth) => {
                    self.depth = Some(depth);
                    self.name();
                }
                None => self.complain(),
            },
            Some((
                name @ ("contempt" | "algorithm" | "evaluation" | "book" | "bookerror" | "bookvariety" | "bookdepth"
                | "bookanalysis"),
                value,
            )) => {
                self.queue.push_back(Request::Option(name.into(), value.into()));
            }
            _ => {}
        }
    }

    fn further_move(&mut self, text: &str) {
        let first = words(text).first().copied().unwrap_or_default();
        let mv = first.split('/').next().unwrap_or_default();
        self.queue.push_back(Request::Game(None, vec![(None, mv.to_string())]));
    }

    /// The game after a request with moves, if all of them are legal.
    fn placed(&self, start: &Option<Board>, moves: &[(Option<bool>, String)]) -> Option<Game> {
        let mut game = start.clone().map_or(self.game.clone(), Game::new);
        moves.iter().all(|(player, mv)| game.play(*player, mv, STYLE)).then_some(game)
    }

    fn done(&self) -> NBoard {
        let mut next = self.clone();
        next.queue.pop_front();
        next
    }

    fn answer(&self, request: &Request, line: &str) -> Option<NBoard> {
        match request {
            Request::Lines(patterns) => {
                let mut patterns = patterns.clone();
                fits(&mut patterns, line).then(|| self.done())
            }
            Request::Option(name, value) => {
                let refused = !options::takes(name, value) && line.starts_with("status error: ");
                refused.then(|| self.done())
            }
            Request::Game(start, moves) => {
                let refused = self.placed(start, moves).is_none() && line.starts_with("status error: ");
                refused.then(|| self.done())
            }
            Request::Search(search) => self.result(search, line),
        }
    }

    fn result(&self, search: &Search, line: &str) -> Option<NBoard> {
        let board = self.game.now();
        let list = words(line);
        let goes_on = || {
            let mut next = self.done();
            next.queue.push_front(Request::Search(Search { begun: true, ..search.clone() }));
            Some(next)
        };
        match (&search.task, &list[..]) {
            (_, ["status", "thinking"]) if !search.begun => goes_on(),
            (Task::Go, ["status", "book", mv, ..]) => board.written(mv, STYLE).and_then(|_| goes_on()),
            (Task::Hint(_), ["book", line, ..]) => board.follows(&squares(line), STYLE).then(goes_on)?,
            (Task::Go | Task::Hint(_), ["nodestats", ..]) => goes_on(),
            (Task::Go, ["===", text]) => {
                let mv = text.split('/').next().unwrap_or_default();
                let legal = if board.is_over() { mv == "PA" } else { board.written(mv, STYLE).is_some() };
                legal.then(|| self.done())
            }
            (Task::Hint(_), ["search", line, ..]) => {
                (board.is_over() || board.follows(&squares(line), STYLE)).then(goes_on)?
            }
            (Task::Hint(_), ["status"]) => {
                (search.followed || search.short || self.ended || self.depth.is_some()).then(|| self.done())
            }
            (Task::Analyze(next), ["analysis", ply, _]) => {
                let expected = next.unwrap_or(self.game.length());
                let mut after = goes_on()?;
                after.queue[0] = Request::Search(Search {
                    task: Task::Analyze(Some(expected.wrapping_sub(1))),
                    begun: true,
                    ..search.clone()
                });
                (ply.parse() == Ok(expected)).then_some(after)
            }
            // All plies down to the start have been scored.
            (Task::Analyze(Some(usize::MAX)), ["status"]) => Some(self.done()),
            _ => None,
        }
    }
}

/// The moves of a line of play, written without blanks.
fn squares(line: &str) -> Vec<&str> {
    (0..line.len() / 2).filter_map(|at| line.get(2 * at..2 * at + 2)).collect()
}

/// The board and the moves of a game in this test's notation; `None` for other texts.
fn game(text: &str) -> Option<(Board, RecordedMoves)> {
    let text = text.strip_prefix("(;")?.strip_suffix(";)")?;
    let (mut board, mut moves) = (None, Vec::new());
    for tag in text.split_inclusive(']') {
        let (name, value) = tag.strip_suffix(']')?.split_once('[')?;
        match name {
            "BO" => board = Some(read_position(value, &Board::reversi(), STYLE)?),
            "B" | "W" => moves.push((Some(name == "B"), value.split('/').next()?.to_string())),
            _ => {}
        }
    }
    Some((board.unwrap_or_else(Board::reversi), moves))
}

impl Model for NBoard {
    const REVERSI_ONLY: bool = true;

    fn new(_: bool) -> NBoard {
        NBoard { game: Game::new(Board::reversi()), queue: VecDeque::new(), depth: None, ended: false, quit: false }
    }

    fn sent(&mut self, line: &str) {
        for request in &mut self.queue {
            if let Request::Search(search) = request {
                search.followed = true;
            }
        }
        let clean = without_controls(line);
        let Some((word, rest)) = first_word(&clean) else { return };
        if self.quit {
            return;
        }
        let moves = word.len() == 2 && word.as_bytes()[0].is_ascii_alphabetic() && word.as_bytes()[1].is_ascii_digit();
        let bare = moves || ["PA", "PASS", "--"].iter().any(|pass| pass.eq_ignore_ascii_case(word));
        match word {
            "nboard" if rest.parse::<u32>().is_ok() && number(rest).is_some() => self.name(),
            "set" => self.set(rest),
            "move" => self.further_move(rest),
            "hint" if number(rest).is_some_and(|lines| lines > 0) => {
                self.search(Task::Hint(number(rest).unwrap_or(1)), self.depth.is_some_and(|depth| depth <= 4));
            }
            "go" => self.search(Task::Go, self.depth.is_none_or(|depth| depth <= 4)),
            "ping" if rest.parse::<u64>().is_ok() && number(rest).is_some() => {
                for request in &mut self.queue {
                    if let Request::Search(search) = request {
                        search.dropped = true;
                    }
                }
                self.say(Pattern::Exact(format!("pong {}", number(rest).unwrap_or(0))));
            }
            // The engine has no book in a file, so it learns nothing.
            "learn" => {
                self.complain();
                self.say(Pattern::Exact("learned".into()));
            }
            "analyze" => self.search(Task::Analyze(None), self.depth.is_some_and(|depth| depth <= 4)),
            "new" if rest.is_empty() => self.queue.push_back(Request::Game(Some(Board::reversi()), Vec::new())),
            "new" => match read_position(rest, &Board::reversi(), STYLE) {
                Some(board) => self.queue.push_back(Request::Game(Some(board), Vec::new())),
                None => self.complain(),
            },
            "quit" => self.quit = true,
            _ if bare && rest.is_empty() => self.further_move(word),
            _ => {}
        }
    }

    fn ended(&mut self) {
        self.ended = true;
    }

    fn heard(&self, line: &str) -> Vec<NBoard> {
        self.queue.front().and_then(|request| self.answer(request, line)).into_iter().collect()
    }

    fn silent(&self) -> Vec<NBoard> {
        let next = match self.queue.front() {
            Some(Request::Game(start, moves)) => self.placed(start, moves).map(|game| NBoard { game, ..self.done() }),
            Some(Request::Option(name, value)) => options::takes(name, value).then(|| self.done()),
            Some(Request::Search(search)) if search.dropped => Some(self.done()),
            _ => None,
        };
        next.into_iter().collect()
    }

    fn owes(&self) -> bool {
        self.queue.front().is_some_and(|request| match request {
            Request::Search(search) => match search.task {
                Task::Hint(_) => search.short || search.followed || self.ended,
                Task::Go => search.short || self.ended,
                Task::Analyze(_) => search.short,
            },
            _ => true,
        })
    }

    fn may_leave(&self) -> bool {
        self.quit || self.ended && self.queue.is_empty()
    }

    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>> {
        let mut game = self.game.clone();
        let mut lines = Vec::new();
        if self.depth.is_none() && dice.chance(50) {
            lines.push(b"set depth 2".to_vec());
        }
        for _ in 0..1 + dice.below(8) {
            let line = random(dice, &mut game);
            if line == "analyze" && self.depth.is_none() {
                // Without it, a position takes half a second.
                lines.push(b"set depth 2".to_vec());
            }
            let exact = line.contains("game") || line.starts_with("new") || line.starts_with("move");
            lines.push(if dice.chance(8) && !exact { dice.mangle(&line) } else { line.into_bytes() });
        }
        if last || dice.chance(50) {
            lines.push(format!("ping {}", dice.below(100_000)).into_bytes());
        }
        if last {
            let more = ["go", "hint 2", "set depth 2", "move PA", "ping 5", "quit"];
            // A search limited only by depth may continue for a while after the end of input, which takes time.
            let deep = if dice.chance(2) { &["set depth 60", "go"][..] } else { &["set depth 2"] };
            lines.extend(deep.iter().map(|line| line.as_bytes().to_vec()));
            lines.extend((0..dice.below(4)).map(|_| dice.pick(&more).as_bytes().to_vec()));
        }
        lines
    }
}

/// A line for the host to send.
fn random(dice: &mut Dice, game: &mut Game) -> String {
    match dice.below(22) {
        0..=4 => {
            let mv = random_move(dice, game.now(), STYLE);
            game.play(None, &mv, STYLE);
            let more = dice.pick(&["", "/1.25", "/-3/0.5", "//2"]);
            if dice.chance(80) { format!("move {mv}{more}") } else { mv }
        }
        5 | 6 => random_game(dice, game),
        7 => {
            let text = random_position(dice, &Board::reversi(), STYLE);
            *game = read_position(&text, &Board::reversi(), STYLE).map_or(game.clone(), Game::new);
            format!("new {text}")
        }
        8..=11 => "go".into(),
        12 | 13 => format!("hint {}", dice.pick(&["1", "2", "5", "0", "99"])),
        14 => format!("set depth {}", dice.pick(&["1", "2", "3", "3", "60", "0", "61"])),
        15 => format!("set depth {}", dice.edge()),
        16 => dice
            .pick(&[
                "set contempt 50",
                "set contempt 0",
                "set contempt 101",
                "set algorithm scout",
                "set algorithm pvs",
                "set evaluation x",
                "set book none",
                "set book embedded",
                "set book nowhere.book",
                "set bookanalysis true",
                "set bookvariety 100",
            ])
            .into(),
        17 => "analyze".into(),
        18 => dice.pick(&["learn", "nboard 2", "nboard 1", "new", "nboard"]).into(),
        19 => dice.pick(&["", " ", "hello", "set", "set colour red", "ping", "ping x", "hint", "open"]).into(),
        _ => format!("ping {}", dice.below(1000)),
    }
}

fn random_game(dice: &mut Dice, game: &mut Game) -> String {
    let start = random_position(dice, &Board::reversi(), STYLE);
    let mut text = format!("set game (;GM[Othello]PC[x]BO[{start}]");
    *game = read_position(&start, &Board::reversi(), STYLE).map_or(game.clone(), Game::new);
    for _ in 0..dice.below(6) {
        let mv = random_move(dice, game.now(), STYLE);
        let black = game.now().first_to_move() != dice.chance(4);
        game.play(None, &mv, STYLE);
        text += &format!("{}[{mv}{}]", if black { 'B' } else { 'W' }, dice.pick(&["", "//1", "/2.5"]));
    }
    text + ";)"
}
