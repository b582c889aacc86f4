//! The model of a UCI host.

use crate::board::{Board, Style, leaves};
use crate::dice::Dice;
use crate::game::Game;
use crate::options;
use crate::session::Model;
use crate::uci_go::Go;
use crate::words::{
    Pattern, drawing, exactly, first_word, fits, random_move, random_position, read_position, without_controls, words,
};
use std::collections::VecDeque;

const STYLE: Style = Style::Chess;

#[derive(Clone, Debug, PartialEq)]
pub struct Uci {
    game: Game,
    queue: VecDeque<Request>,
    /// Owed answers to `isready`, which overtake searches.
    ready: usize,
    /// Whether options still let a search reach the depth that it is given.
    plain: bool,
    ended: bool,
    quit: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Request {
    Lines(VecDeque<Pattern>),
    /// A start (`None` if it cannot be read) and moves.
    Position(Option<Board>, Vec<String>),
    /// Another game; `None` if there is no such game.
    Variant(Option<Board>),
    Option {
        name: String,
        value: String,
    },
    Draw,
    Perft {
        depth: u64,
        stopped: bool,
    },
    Go(Go),
}

impl Uci {
    fn lines(&mut self, patterns: impl IntoIterator<Item = Pattern>) {
        self.queue.push_back(Request::Lines(patterns.into_iter().collect()));
    }

    fn complaint(&mut self) {
        self.lines([Pattern::Prefix("info string ".into())]);
    }

    fn searches(&mut self) -> impl Iterator<Item = &mut Go> {
        self.queue.iter_mut().filter_map(|request| match request {
            Request::Go(go) => Some(go),
            _ => None,
        })
    }

    fn stop(&mut self) {
        for request in &mut self.queue {
            match request {
                Request::Go(go) => go.stopped = true,
                Request::Perft { stopped, .. } => *stopped = true,
                _ => {}
            }
        }
    }

    /// The hit belongs to the pondering search; if a careless host asked for several, to any of them.
    fn ponder_hit(&mut self) {
        let waiting = self.searches().filter(|go| go.ponder && !go.stopped && !go.hit).count();
        for go in self.searches().filter(|go| go.ponder && !go.stopped) {
            go.perhaps_hit |= waiting > 1;
            go.hit |= waiting == 1;
        }
    }

    fn set_option(&mut self, rest: &str) {
        let lower = rest.to_ascii_lowercase();
        let Some(("name", named)) = first_word(rest) else { return self.complaint() };
        let at = lower.len() - named.len();
        let end = lower[at..].find(" value ").or(lower[at..].strip_suffix(" value").map(str::len));
        let (name, value) = match end {
            Some(end) => (&named[..end], named[end + 6..].trim()),
            None => (named, ""),
        };
        let name = words(name).join(" ");
        if name.is_empty() {
            return self.complaint();
        }
        if !name.eq_ignore_ascii_case("UCI_Variant") {
            return self.queue.push_back(Request::Option { name, value: value.into() });
        }
        let game = match value.to_ascii_lowercase().as_str() {
            "flipello" => Some(Board::reversi()),
            "minichess" => Some(Board::minichess()),
            _ => None,
        };
        self.queue.push_back(Request::Variant(game));
    }

    fn position(&mut self, rest: &str) {
        let Some((kind, rest)) = first_word(rest) else { return self.complaint() };
        let mut rest = words(rest).into_iter();
        let fen: Vec<&str> = rest.by_ref().take_while(|word| *word != "moves").collect();
        let moves = rest.map(str::to_string).collect();
        // The game may have changed when the line is served; a text fits one game at most.
        let games = [Board::reversi(), Board::minichess()];
        let read = |fen: &str| games.iter().find_map(|game| read_position(fen, game, STYLE));
        match kind {
            "startpos" if fen.is_empty() => self.queue.push_back(Request::Position(None, moves)),
            "fen" if !fen.is_empty() => match read(&fen.join(" ")) {
                Some(board) => self.queue.push_back(Request::Position(Some(board), moves)),
                None => self.complaint(),
            },
            _ => self.complaint(),
        }
    }

    /// The game after the request, and whether the host is told of an illegal move or a bad position.
    fn placed(&self, start: &Option<Board>, moves: &[String]) -> (Game, Option<&'static str>) {
        let start = start.clone().unwrap_or_else(|| self.game.now().start());
        if start.is_reversi() != self.game.now().is_reversi() {
            return (self.game.clone(), Some("info string bad position: "));
        }
        let mut game = Game::new(start);
        let legal = moves.iter().all(|mv| game.play(None, mv, STYLE));
        (game, (!legal).then_some("info string illegal move: "))
    }

    fn done(&self) -> Uci {
        let mut next = self.clone();
        next.queue.pop_front();
        next
    }

    fn with_game(&self, game: Game) -> Uci {
        Uci { game, ..self.done() }
    }

    /// The state after setting the option; `None` if it cannot be set.
    fn option(&self, name: &str, value: &str) -> Option<Uci> {
        let harmless = ["hash", "threads", "move overhead", "ponder", "clear hash", "seed", "weights", "disable"];
        let name = name.to_ascii_lowercase();
        let plain = self.plain && (harmless.contains(&name.as_str()) || name.contains("book"));
        options::takes(&name, value).then(|| Uci { plain, ..self.done() })
    }

    fn variant(&self, game: &Board) -> Uci {
        if game.is_reversi() == self.game.now().is_reversi() {
            return self.done();
        }
        let mut next = self.with_game(Game::new(game.clone()));
        let options = ["Evaluation type combo default best ", "UCI_Elo type spin default "];
        let lines = options.map(|option| Pattern::Prefix(format!("option name {option}")));
        next.queue.push_front(Request::Lines(lines.into()));
        next
    }

    fn answer(&self, request: &Request, line: &str) -> Option<Uci> {
        match request {
            Request::Lines(patterns) => self.part_of(patterns.clone(), line),
            Request::Draw => self.part_of(drawing(&self.game, Style::Chess), line),
            Request::Position(start, moves) => {
                let (game, complaint) = self.placed(start, moves);
                complaint.is_some_and(|words| line.starts_with(words)).then(|| self.with_game(game))
            }
            Request::Variant(Some(game)) => line.starts_with("info string variant ").then(|| self.variant(game)),
            Request::Variant(None) => line.starts_with("info string bad value").then(|| self.done()),
            Request::Option { name, value } => {
                let refused = !options::takes(name, value) && line.starts_with("info string ");
                refused.then(|| self.done())
            }
            Request::Perft { depth, stopped } => {
                let interrupted =
                    [Pattern::Prefix("info string interrupted".into()), Pattern::Exact("bestmove (none)".into())];
                let broken = || self.part_of(interrupted.into_iter().collect(), line);
                self.part_of(self.leaves(*depth), line).or_else(|| stopped.then(broken).flatten())
            }
            Request::Go(go) => {
                let mut go = go.clone();
                if line.starts_with("info ") {
                    go.takes_info(line, self.game.now(), self.plain).then(|| {
                        let mut next = self.clone();
                        next.queue[0] = Request::Go(go);
                        next
                    })
                } else {
                    go.is_answer(line, &self.game, self.plain, self.ended).then(|| self.done())
                }
            }
        }
    }

    /// The line must fit the first pattern; the others remain.
    fn part_of(&self, mut patterns: VecDeque<Pattern>, line: &str) -> Option<Uci> {
        fits(&mut patterns, line).then(|| {
            let mut next = self.done();
            if !patterns.is_empty() {
                next.queue.push_front(Request::Lines(patterns));
            }
            next
        })
    }

    /// The lines of a perft shallow enough to be counted with the plain rules.
    fn leaves(&self, depth: u64) -> VecDeque<Pattern> {
        let board = self.game.now();
        let moves = board.moves();
        let line = |&mv| format!("{}: {}", board.show(mv, STYLE), leaves(&board.play(mv), depth - 1));
        let total = format!("Nodes searched: {}", leaves(board, depth));
        let mut lines = VecDeque::from([Pattern::Each(moves.iter().map(line).collect())]);
        lines.retain(|_| !moves.is_empty());
        lines.extend(exactly([String::new(), total, String::new()]));
        lines
    }
}

impl Model for Uci {
    fn new(reversi: bool) -> Uci {
        let game = Game::new(if reversi { Board::reversi() } else { Board::minichess() });
        Uci { game, queue: VecDeque::new(), ready: 0, plain: true, ended: false, quit: false }
    }

    fn sent(&mut self, line: &str) {
        // A byte-order mark before the first line is not part of it.
        let clean = without_controls(line);
        let Some((word, rest)) = first_word(&clean) else { return };
        if self.quit {
            return;
        }
        match word {
            "uci" => self.lines([
                Pattern::Prefix("id name ".into()),
                Pattern::Prefix("id author ".into()),
                Pattern::Until("uciok"),
            ]),
            "isready" => self.ready += 1,
            "stop" => self.stop(),
            "ponderhit" => self.ponder_hit(),
            "quit" => self.quit = true,
            "ucinewgame" => self.queue.push_back(Request::Position(None, Vec::new())),
            "setoption" => self.set_option(rest),
            "position" => self.position(rest),
            "go" => match Go::read(rest) {
                Ok(go) => self.queue.push_back(Request::Go(go)),
                Err(Some(depth)) => self.queue.push_back(Request::Perft { depth, stopped: false }),
                Err(None) => self.lines([
                    Pattern::Prefix("info string syntax error".into()),
                    Pattern::Exact("bestmove (none)".into()),
                ]),
            },
            "d" => self.queue.push_back(Request::Draw),
            "debug" | "register" => {}
            _ => self.lines([Pattern::Prefix("info string unknown command: ".into())]),
        }
    }

    fn ended(&mut self) {
        self.ended = true;
    }

    fn heard(&self, line: &str) -> Vec<Uci> {
        if line == "readyok" {
            return self.ready.checked_sub(1).map(|ready| Uci { ready, ..self.clone() }).into_iter().collect();
        }
        self.queue.front().and_then(|request| self.answer(request, line)).into_iter().collect()
    }

    fn silent(&self) -> Vec<Uci> {
        let next = match self.queue.front() {
            Some(Request::Position(start, moves)) => match self.placed(start, moves) {
                (game, None) => Some(self.with_game(game)),
                _ => None,
            },
            Some(Request::Option { name, value }) => self.option(name, value),
            _ => None,
        };
        next.into_iter().collect()
    }

    fn owes(&self) -> bool {
        self.ready > 0
            || self.queue.front().is_some_and(|request| match request {
                Request::Go(go) => go.must_answer(&self.game, self.ended),
                _ => true,
            })
    }

    fn may_leave(&self) -> bool {
        self.quit || self.ended && self.ready == 0 && self.queue.is_empty()
    }

    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>> {
        let mut board = self.game.now().clone();
        let mut lines = Vec::new();
        for _ in 0..1 + dice.below(8) {
            let line = self.line(dice, &mut board);
            let exact = line.contains(" fen ");
            lines.push(if dice.chance(8) && !exact && !last { dice.mangle(&line) } else { line.into_bytes() });
        }
        if last {
            lines.push(b"stop".to_vec());
            // A search limited only by depth or a mate may continue for a while after the end of input, which takes
            // time.
            if dice.chance(2) {
                lines.push(dice.pick(&["go depth 50", "go mate 3"]).as_bytes().to_vec());
            }
            let more = [
                "go infinite",
                "go ponder",
                "isready",
                "go depth 2",
                "go movetime 1",
                "go ponder depth 1",
                "position startpos",
                "quit",
            ];
            lines.extend((0..dice.below(4)).map(|_| dice.pick(&more).as_bytes().to_vec()));
        } else if dice.chance(50) {
            lines.push(dice.pick(&["stop", "ponderhit", "isready"]).as_bytes().to_vec());
        }
        lines
    }
}

impl Uci {
    fn line(&self, dice: &mut Dice, board: &mut Board) -> String {
        match dice.below(24) {
            0 => "uci".into(),
            1 | 2 => "isready".into(),
            3 => "ucinewgame".into(),
            4 | 5 => {
                let (name, value) = options::random(dice);
                if value.is_empty() {
                    format!("setoption name {name}")
                } else {
                    format!("setoption name {name} value {value}")
                }
            }
            6 => format!(
                "setoption name UCI_Variant value {}",
                dice.pick(&["flipello", "minichess", "MiniChess", "chess"])
            ),
            7 | 8 => "d".into(),
            9..=11 => dice.pick(&["stop", "stop", "ponderhit"]).to_string(),
            12 => dice
                .pick(&["", " ", "debug on", "register later", "hello", "go", "position", "setoption", "?"])
                .to_string(),
            13..=16 => {
                let mut line = match dice.chance(40) {
                    true => format!("position fen {}", random_position(dice, board, STYLE)),
                    false => "position startpos".to_string(),
                };
                let fen = line.strip_prefix("position fen ").and_then(|fen| read_position(fen, board, STYLE));
                *board = fen.unwrap_or_else(|| board.start());
                let length = dice.below(12);
                line += if length > 0 { " moves" } else { "" };
                for _ in 0..length {
                    let mv = random_move(dice, board, STYLE);
                    *board = board.meant(&mv, STYLE).map_or(board.clone(), |mv| board.play(mv));
                    line = line + " " + &mv;
                }
                line
            }
            _ => Go::random(dice, board),
        }
    }
}
