//! A search requested by a UCI host.

use crate::board::{Board, Style};
use crate::dice::Dice;
use crate::game::Game;
use crate::words::{number, random_move, words};

const STYLE: Style = Style::Chess;

const WORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    pub ponder: bool,
    infinite: bool,
    depth: Option<u64>,
    nodes: Option<u64>,
    /// Milliseconds.
    move_time: Option<u64>,
    clocks: [Option<u64>; 2],
    /// A limit with which the search may last, whatever the others are.
    mate: bool,
    /// Whether a number exceeds 32 bits: the engine may clamp or refuse it.
    immense: bool,
    only: Vec<String>,
    pub stopped: bool,
    pub hit: bool,
    /// Whether a hit may have belonged to another search.
    pub perhaps_hit: bool,
    /// Depth and nodes of the last iteration of the best variation, and whether it needs no further one.
    last: (u64, u64),
    proven: bool,
}

impl Go {
    /// The search of the words after `go`; the error is a perft, or a search with an invalid depth.
    pub fn read(text: &str) -> Result<Go, Option<u64>> {
        let list = words(text);
        let mut go = Go { infinite: list.is_empty(), ..Go::default() };
        let mut at = list.iter().copied().peekable();
        while let Some(word) = at.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = at.next_if(|next| !WORDS.contains(next)) {
                        go.only.push(mv.to_string());
                    }
                }
                _ if WORDS.contains(&word) => {
                    let Some(value) = at.next_if(|next| !WORDS.contains(next)) else { continue };
                    if word == "perft" {
                        return Err(number(value).filter(|depth| (1..=60).contains(depth)));
                    }
                    go.limit(word, value);
                }
                _ => {}
            }
        }
        Ok(go)
    }

    fn limit(&mut self, word: &str, value: &str) {
        let past = value.strip_prefix('-').and_then(number).map(|_| 0);
        let milliseconds = number(value).or(past);
        let count = number(value).filter(|&count| count > 0);
        self.immense |=
            count.is_some_and(|count| count > u64::from(u32::MAX)) && word != "nodes" || count == Some(u64::MAX);
        match word {
            "wtime" => self.clocks[0] = milliseconds,
            "btime" => self.clocks[1] = milliseconds,
            "movetime" => self.move_time = milliseconds,
            "depth" => self.depth = count,
            "nodes" => self.nodes = count,
            "mate" => self.mate = number(value).is_some(),
            _ => {}
        }
    }

    /// Whether an answer may come now.
    pub fn may_answer(&self, ended: bool) -> bool {
        let released = self.hit && !self.infinite || self.perhaps_hit || self.stopped || ended;
        released || !self.ponder && !self.infinite
    }

    /// Whether an answer must come with no more help from the host.
    pub fn must_answer(&self, game: &Game, ended: bool) -> bool {
        if self.stopped || ended {
            return true;
        }
        let held = self.infinite || self.ponder && !self.hit;
        !held && !self.immense && (self.is_short(game) || game.now().is_over())
    }

    /// Whether a limit is short, or there is none and the engine uses its own.
    fn is_short(&self, game: &Game) -> bool {
        let clock = self.clocks[usize::from(!game.now().first_to_move())];
        let limits = [self.depth, self.nodes, self.move_time, clock];
        let short = [4, 50_000, 300, 1_000];
        let any = self.mate || limits.iter().any(Option::is_some);
        !any || limits.iter().zip(short).any(|(limit, short)| limit.is_some_and(|limit| limit <= short))
    }

    /// Takes in what an iteration of the best variation reached, and whether it needs no further one.
    pub fn reached(&mut self, depth: u64, nodes: u64, proven: bool) {
        self.last = (depth, nodes);
        self.proven |= proven;
    }

    /// Whether it needs no further iteration, or has reached the end of the longest game.
    pub fn has_seen_all(&self, board: &Board) -> bool {
        self.proven || self.last.0 >= board.plies_left()
    }

    /// Takes in an `info` line; returns false if it does not fit this position.
    pub fn takes_info(&mut self, line: &str, board: &Board, plain: bool) -> bool {
        if line.starts_with("info string certainty ") {
            self.proven |= line.ends_with(" exact") || line.ends_with(" wld");
            return true;
        }
        if line.starts_with("info string illegal moves in searchmoves: ") {
            return self.only.iter().any(|text| board.meant(text, STYLE).is_none());
        }
        if let Some(known) = line.strip_prefix("info string book ") {
            // The book answers at once, whatever the depth; an analysis may show it, too.
            self.proven = true;
            let moves = known.split(" pv ").nth(1).map(words).unwrap_or_default();
            return board.is_reversi() && !moves.is_empty() && board.follows(&moves, STYLE);
        }
        let list = words(line);
        let value = |name: &str| list.iter().position(|word| *word == name).and_then(|at| list.get(at + 1));
        let line_number = value("multipv").and_then(|text| number(text)).unwrap_or(1);
        if line_number == 1 {
            let count = |name: &str| value(name).and_then(|text| number(text)).unwrap_or(0);
            self.last = (count("depth"), count("nodes"));
            self.proven |= list.contains(&"mate");
        }
        let pv = list.iter().position(|word| *word == "pv").map_or(&[][..], |at| &list[at + 1..]);
        let ranked = line_number >= 1 && (!plain || line_number == 1 || self.only.is_empty());
        ranked && (pv.is_empty() || board.is_over() || board.follows(pv, STYLE))
    }

    /// Whether this is the answer, and it may come now.
    pub fn is_answer(&self, line: &str, game: &Game, plain: bool, ended: bool) -> bool {
        let list = words(line);
        let (mv, reply) = match list[..] {
            ["bestmove", mv] => (mv, None),
            ["bestmove", mv, "ponder", reply] => (mv, Some(reply)),
            _ => return false,
        };
        let board = game.now();
        if board.is_over() {
            let pass = game.closing_pass(STYLE).then(|| board.show(crate::board::Move::Pass, STYLE));
            return self.may_answer(ended) && mv == pass.unwrap_or("(none)".into());
        }
        let Some(best) = board.written(mv, STYLE) else { return false };
        let wanted: Vec<_> = self.only.iter().filter_map(|text| board.meant(text, STYLE)).collect();
        self.may_answer(ended)
            && (wanted.is_empty() || wanted.contains(&best))
            && reply.is_none_or(|reply| board.play(best).written(reply, STYLE).is_some())
            && (!plain || ended || self.is_complete(board))
    }

    /// Whether a search limited only by depth or nodes has reached its limit.
    pub fn is_complete(&self, board: &Board) -> bool {
        let other = self.stopped || self.mate || self.infinite || self.move_time.is_some() || self.clocks != [None; 2];
        let deep = self.depth.is_some_and(|depth| self.last.0 >= depth.min(12).min(board.plies_left()));
        let large = self.nodes.is_some_and(|nodes| self.last.1 >= nodes);
        let free = self.depth.is_none() && self.nodes.is_none();
        other || free || deep || large || self.proven || self.immense || board.moves().len() == 1
    }

    /// A line for the host to send.
    pub fn random(dice: &mut Dice, board: &Board) -> String {
        let forms = [
            "go depth 1",
            "go depth 2",
            "go depth 3",
            "go depth 2",
            "go nodes 1",
            "go nodes 300",
            "go movetime 1",
            "go movetime 3",
            "go wtime 20 btime 20",
            "go wtime 0 btime -5 winc 1",
            "go infinite",
            "go infinite",
            "go",
            "go ponder",
            "go ponder depth 2",
            "go ponder wtime 30 btime 30",
            "go ponder infinite",
            "go mate 2",
            "go perft 1",
            "go perft 2",
            "go perft 0",
            "go infinite depth 1",
            "go ponder movetime 2",
            "go depth 60",
            "go depth 4294967295",
            "go depth 3000000000 nodes 200",
            "go nodes 4294967297",
            "go btime 9 depth 3",
            "go xyz",
        ];
        match dice.below(6) {
            0 => format!(
                "go depth 2 searchmoves {} {}",
                random_move(dice, board, STYLE),
                random_move(dice, board, STYLE)
            ),
            1 => dice.pick(&["go infinite", "go ponder"]).to_string(),
            _ => dice.pick(&forms).to_string(),
        }
    }
}
