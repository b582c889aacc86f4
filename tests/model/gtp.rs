//! The model of a GTP host.

use crate::board::{Board, Move, Style, leaves};
use crate::dice::Dice;
use crate::game::Game;
use crate::gtp_command::{Command, command, moves_of};
use crate::options;
use crate::session::Model;
use crate::words::{
    Pattern, drawing, exactly, first_word, fits, number, random_move, random_position, read_position, show_position,
    words,
};
use std::collections::VecDeque;

const STYLE: Style = Style::Gtp;

#[derive(Clone, Debug, PartialEq)]
pub struct Gtp {
    game: Game,
    queue: VecDeque<Request>,
    /// Whether the time control lets a move last, if there is one.
    control: Option<bool>,
    /// Whether the clocks let a move last, the first player's first.
    slow: [bool; 2],
    ended: bool,
    /// Whether `quit` has been answered.
    quit: bool,
}

/// A command that has no answer yet, or not all of it.
#[derive(Clone, Debug, PartialEq)]
struct Request {
    id: String,
    command: Command,
    /// Whether the host has sent another line since.
    followed: bool,
    interrupted: bool,
    /// The rest of an answer that has begun.
    rest: Option<VecDeque<Pattern>>,
}

impl Gtp {
    /// The state and the remaining lines after the first request's answer begins with this line; `None` if it may not.
    fn begin(&self, request: &Request, line: &str) -> Option<(Gtp, VecDeque<Pattern>)> {
        let failure = line
            .strip_prefix('?')
            .and_then(|rest| rest.strip_prefix(&*request.id))
            .and_then(|rest| rest.strip_prefix(' '));
        let success = line.strip_prefix('=').and_then(|rest| rest.strip_prefix(&*request.id));
        let text = success.map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        let end = || exactly([""]);
        let mut next = self.clone();
        let board = self.game.now();
        let succeed = |legal: bool, words: &str| match legal {
            true => text == Some(words),
            false => failure.is_some(),
        };
        let (fits, rest) = match &request.command {
            Command::Fails => (failure.is_some(), end()),
            Command::Either => (failure.is_some() || text.is_some(), VecDeque::from([Pattern::Until("")])),
            Command::Says(text) => (succeed(true, text), end()),
            Command::Speaks => (text.is_some(), VecDeque::from([Pattern::Until("")])),
            Command::Quit => {
                next.quit = true;
                (succeed(true, ""), end())
            }
            Command::Play(moves) => {
                let legal = moves.iter().all(|(player, mv)| {
                    player.first(board).is_some_and(|first| next.game.play(Some(first), mv, STYLE))
                });
                if !legal {
                    next.game = self.game.clone();
                }
                (succeed(legal, ""), end())
            }
            Command::Run { fresh, text: moves } => {
                let moves = moves_of(moves, board);
                if *fresh {
                    next.game = Game::new(board.start());
                }
                let legal = moves.iter().all(|mv| next.game.play(None, mv, STYLE));
                if !legal {
                    next.game = self.game.clone();
                }
                (succeed(legal, ""), end())
            }
            Command::Genmove { player, keep } => (next.genmove(player.first(board), *keep, text, failure), end()),
            Command::Analyze { player, .. } => {
                let first = player.as_ref().map_or(Some(board.first_to_move()), |player| player.first(board));
                let turn = first.is_some_and(|first| !board.is_over() && next.game.give_turn(first));
                // On a finished game neither side is to move: either answer is right.
                if turn && failure.is_some() || !turn && !board.is_over() && text.is_some() {
                    return None;
                }
                next.queue[0].rest = text.map(|_| VecDeque::new());
                (failure.is_some() || text == Some(""), if text.is_some() { VecDeque::new() } else { end() })
            }
            Command::Undo => {
                let legal = next.game.undo(1);
                (succeed(legal, ""), end())
            }
            Command::Clear => {
                next.clear();
                (succeed(true, ""), end())
            }
            Command::BoardSize(size) => {
                let legal = *size == 8 && board.is_reversi();
                if legal {
                    next.clear();
                }
                (succeed(legal, ""), end())
            }
            Command::Setup(text) => {
                let placed = read_position(text, board, STYLE);
                let legal = placed.is_some();
                next.game = placed.map_or(next.game, Game::new);
                (succeed(legal, ""), end())
            }
            Command::SetGame(game) => {
                if game.is_reversi() != board.is_reversi() {
                    next.game = Game::new(game.clone());
                }
                (succeed(true, ""), end())
            }
            Command::TimeControl(slow) => {
                (next.control, next.slow) = (*slow, [slow.unwrap_or(false); 2]);
                (succeed(true, ""), end())
            }
            Command::Clock { player, slow } => {
                let first = player.first(board);
                if let Some(first) = first {
                    next.slow[usize::from(!first)] = *slow;
                }
                (succeed(first.is_some(), ""), end())
            }
            Command::Option { name, value } => {
                let legal = options::takes(name, value);
                (if legal { text.is_some() } else { failure.is_some() }, VecDeque::from([Pattern::Until("")]))
            }
            Command::Position => (succeed(true, &show_position(board, STYLE)), end()),
            Command::Moves => (succeed(true, &self.game.moves(STYLE).join(" ")), end()),
            Command::LegalMoves => (text.is_some_and(|text| self.are_legal_moves(text)), end()),
            Command::Side => {
                (succeed(true, if board.first_to_move() == board.is_reversi() { "black" } else { "white" }), end())
            }
            Command::Score => (self.is_score(text, failure.is_some()), end()),
            Command::Points => (self.are_points(text), end()),
            Command::Draw => {
                let mut lines = drawing(&self.game, STYLE);
                lines.extend(end());
                (succeed(true, ""), lines)
            }
            Command::Perft(depth) => {
                let interrupted = request.interrupted && failure.is_some_and(|text| text.starts_with("interrupted"));
                (interrupted || succeed(true, &leaves(board, *depth).to_string()), end())
            }
            Command::Divide => {
                let interrupted = request.interrupted && failure.is_some_and(|text| text.starts_with("interrupted"));
                (interrupted || text.is_some(), VecDeque::from([Pattern::Until("")]))
            }
        };
        fits.then_some((next, rest))
    }

    fn clear(&mut self) {
        self.game = Game::new(self.game.now().start());
        self.slow = [self.control.unwrap_or(false); 2];
    }

    /// The engine's move: legal, and played unless `keep`.
    fn genmove(&mut self, first: Option<bool>, keep: bool, text: Option<&str>, failure: Option<&str>) -> bool {
        let Some(first) = first else { return failure.is_some() };
        if self.game.now().is_over() {
            if text == Some("PASS") && !keep && self.game.now().is_reversi() {
                self.game.push(Move::Pass);
            }
            return text == Some("PASS");
        }
        let before = self.game.clone();
        if !self.game.give_turn(first) {
            return failure.is_some();
        }
        let Some(mv) = text.and_then(|text| self.game.now().written(text, STYLE)) else { return false };
        self.game.push(mv);
        if keep {
            self.game = before;
        }
        true
    }

    /// A line of an analysis, or the empty one that ends it.
    fn analysis_line(&self, line: &str) -> Option<Gtp> {
        if line.is_empty() {
            let mut next = self.clone();
            next.game.take_back_turn();
            next.queue.pop_front();
            return Some(next);
        }
        let list = words(line);
        let pv = list.iter().position(|word| *word == "pv").map_or(&[][..], |at| &list[at + 1..]);
        let board = self.game.now();
        let fits = if board.is_over() { pv.is_empty() } else { !pv.is_empty() && board.follows(pv, STYLE) };
        let known = board.is_reversi() && line.starts_with("book ");
        ((known || line.starts_with("rank ")) && fits).then(|| self.clone())
    }

    fn are_legal_moves(&self, text: &str) -> bool {
        let legal = self.game.now().moves();
        let word = |mv: Move| if mv == Move::Pass { "pass".into() } else { self.game.now().show(mv, STYLE) };
        let mut expected: Vec<String> = legal.into_iter().map(word).collect();
        let mut said: Vec<&str> = words(text);
        expected.sort();
        said.sort_unstable();
        said == expected
    }

    fn is_score(&self, text: Option<&str>, failed: bool) -> bool {
        let board = self.game.now();
        let Some(outcome) = board.outcome() else { return failed };
        let winner = outcome.first_won.map(|first| if first == board.is_reversi() { "B+" } else { "W+" });
        let discs = outcome.discs.map_or(String::new(), |discs| discs.to_string());
        text == Some(&*winner.map_or("0".into(), |winner| format!("{winner}{discs}")))
    }

    fn are_points(&self, text: Option<&str>) -> bool {
        let Board::Reversi(twin) = self.game.now() else { return text == Some("") };
        let count = |mark| twin.cells.iter().flatten().filter(|&&cell| cell == mark).count();
        text == Some(&*format!("{} {}", count('X'), count('O')))
    }
}

impl Model for Gtp {
    fn new(reversi: bool) -> Gtp {
        let game = Game::new(if reversi { Board::reversi() } else { Board::minichess() });
        Gtp { game, queue: VecDeque::new(), control: None, slow: [false; 2], ended: false, quit: false }
    }

    fn sent(&mut self, line: &str) {
        let clean: String =
            line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_ascii_control()).collect();
        let interrupt = clean.trim() == "# interrupt";
        for request in &mut self.queue {
            request.followed = true;
            request.interrupted |= interrupt;
        }
        let text = clean.split('#').next().unwrap_or_default().trim_matches(' ');
        if text.is_empty() {
            return;
        }
        let (id, rest) = match text.split_once(' ').unwrap_or((text, "")) {
            (id, rest) if number(id).is_some() && id.parse::<u64>().is_ok() => {
                (id.parse::<u64>().unwrap_or(0).to_string(), rest)
            }
            _ => (String::new(), text),
        };
        let (name, arguments) = first_word(rest).unwrap_or(("", ""));
        let request =
            Request { id, command: command(name, arguments), followed: false, interrupted: false, rest: None };
        let quits = self.quit || self.queue.iter().any(|request| request.command == Command::Quit);
        if !quits {
            self.queue.push_back(request);
        }
    }

    fn ended(&mut self) {
        self.ended = true;
    }

    fn heard(&self, line: &str) -> Vec<Gtp> {
        let Some(request) = self.queue.front() else { return Vec::new() };
        if let (Command::Analyze { .. }, Some(_)) = (&request.command, &request.rest) {
            return self.analysis_line(line).into_iter().collect();
        }
        let begun = request
            .rest
            .clone()
            .map_or_else(|| self.begin(request, line), |mut rest| fits(&mut rest, line).then(|| (self.clone(), rest)));
        let Some((mut next, rest)) = begun else { return Vec::new() };
        let open = matches!(next.queue[0], Request { command: Command::Analyze { .. }, rest: Some(_), .. });
        if open && request.rest.is_none() {
            return vec![next];
        }
        if rest.is_empty() {
            next.queue.pop_front();
        } else {
            next.queue[0].rest = Some(rest);
        }
        vec![next]
    }

    fn silent(&self) -> Vec<Gtp> {
        Vec::new()
    }

    fn owes(&self) -> bool {
        self.queue.front().is_some_and(|request| match &request.command {
            Command::Analyze { short, .. } => request.rest.is_none() || *short || request.followed || self.ended,
            Command::Genmove { player, .. } => {
                let first = player.first(self.game.now()).unwrap_or(true);
                !self.slow[usize::from(!first)] || request.interrupted
            }
            _ => true,
        })
    }

    fn may_leave(&self) -> bool {
        self.quit && self.queue.is_empty() || self.ended && self.queue.is_empty()
    }

    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>> {
        let mut game = self.game.clone();
        let mut lines = Vec::new();
        for _ in 0..1 + dice.below(8) {
            let line = crate::gtp_command::random(dice, &mut game);
            let exact = line.contains("setup") || line.contains("hints");
            let line = if dice.chance(25) { format!("{} {line}", dice.below(1000)) } else { line };
            lines.push(if dice.chance(8) && !exact { dice.mangle(&line) } else { line.into_bytes() });
        }
        if self.slow != [false; 2] || last || dice.chance(30) {
            lines.push(b"# interrupt".to_vec());
        }
        if self.slow != [false; 2] && dice.chance(30) || last {
            lines.push(b"time_settings 0 0 0".to_vec());
        }
        if !last && dice.chance(10) {
            // The line that ends an analysis may arrive before it begins.
            lines.extend(["flipside-analyze", dice.pick(&["", " ", "# comment", "# interrupt"])].map(Vec::from));
        }
        if last && dice.chance(50) {
            lines.push(b"quit".to_vec());
        }
        lines
    }
}

/// A player as the host names it; the game decides which of them moves first.
#[derive(Clone, Debug, PartialEq)]
pub struct Player(pub char);

impl Player {
    /// Whether that is the first player of the game; `None` if the game has no such player.
    pub fn first(&self, board: &Board) -> Option<bool> {
        ['b', 'w'].contains(&self.0).then_some((self.0 == 'b') == board.is_reversi())
    }
}

/// A request for a random position.
pub fn setup(dice: &mut Dice, board: &Board) -> String {
    format!("flipside-setup {}", random_position(dice, board, STYLE))
}

/// A move with its player, mostly the one whose turn it is.
pub fn played(dice: &mut Dice, game: &mut Game) -> (String, String) {
    let mv = random_move(dice, game.now(), STYLE);
    let black = game.now().first_to_move() == game.now().is_reversi();
    let black = if dice.chance(5) { !black } else { black };
    game.play(None, &mv, STYLE);
    (dice.pick(if black { &["b", "black", "B"] } else { &["w", "white", "W"] }).to_string(), mv)
}
