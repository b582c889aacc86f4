//! The model of Cassio. `stop` drops the requests before it, of which some may have been answered already.

use crate::board::{Board, Style};
use crate::dice::Dice;
use crate::session::Model;
use crate::words::{first_word, number, random_position, read_position, show_position, without_controls, words};
use std::collections::VecDeque;

const STYLE: Style = Style::Gtp;
/// Value of a search up to this many empty squares is checked against the plain rules.
const FEW_EMPTIES: u64 = 5;

#[derive(Clone, Debug, PartialEq)]
pub struct Cassio {
    queue: VecDeque<Request>,
    /// Signs of life asked for, which are answered beside everything else.
    alive: usize,
    /// The same with the search's cost.
    infos: usize,
    /// All signs of life asked for, and those that have come.
    asked: usize,
    answered: usize,
    ended: bool,
    quit: bool,
    said_goodbye: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Request {
    wanted: Wanted,
    /// Signs of life asked for before it: they have come before its answer.
    asked: usize,
    /// Whether a later `stop` may have dropped it.
    dropped: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    /// Lines that begin like this.
    Lines(VecDeque<String>),
    /// A result and `ready.`
    Search(Box<Search>),
    Ready,
}

#[derive(Clone, Debug, PartialEq)]
struct Search {
    position: String,
    board: Board,
    window: (f64, f64),
    /// Plies to which the search may go.
    depth: u64,
    percent: u64,
}

impl Search {
    /// Whether it ends by itself and soon.
    fn is_short(&self) -> bool {
        self.depth <= 3 || self.board.plies_left() <= 8
    }

    /// Whether a line is a possible result.
    fn fits(&self, line: &str) -> bool {
        let parts: Vec<&str> = line.split(", ").collect();
        let [position, mv, depth, percent, bounds, pv, nodes, time] = parts[..] else { return false };
        let black = self.board.first_to_move();
        let whole = |text: Option<&str>| text.and_then(number);
        let value = |text: &str| text.strip_prefix(if black { 'B' } else { 'W' })?.parse::<f64>().ok();
        let Some((lower, upper)) = bounds.split_once(" <= v <= ") else { return false };
        let (Some(lower), Some(upper)) = (value(lower), value(upper)) else { return false };
        position == self.position
            && whole(depth.strip_prefix("depth ")).is_some_and(|depth| depth <= self.depth.max(self.board.plies_left()))
            && whole(percent.strip_prefix('@').and_then(|text| text.strip_suffix('%'))).is_some_and(|p| p >= 73)
            && whole(nodes.strip_prefix("node ")).is_some()
            && time.strip_prefix("time ").is_some_and(|text| text.parse::<f64>().is_ok())
            && mv.strip_prefix("move ").is_some_and(|mv| self.fits_line(mv, pv, black))
            && self.fits_value(lower, upper)
    }

    fn fits_line(&self, mv: &str, pv: &str, mut black: bool) -> bool {
        if self.board.is_over() {
            return mv == "--" && pv.is_empty();
        }
        let mut board = self.board.clone();
        for (index, text) in pv.as_bytes().chunks(2).enumerate() {
            let text = String::from_utf8_lossy(text).to_string();
            let cased = if black { text.to_ascii_uppercase() } else { text.to_ascii_lowercase() };
            let word = if text == "pa" { "PASS".into() } else { text.to_ascii_uppercase() };
            let Some(played) = board.written(&word, STYLE).filter(|_| text == "pa" || text == cased) else {
                return false;
            };
            if index == 0 && text != mv {
                return false;
            }
            board = board.play(played);
            black = !black;
        }
        !pv.is_empty()
    }

    fn fits_value(&self, lower: f64, upper: f64) -> bool {
        let (alpha, beta) = self.window;
        let is_exact = lower == upper;
        let is_bound = upper == 64.0 && lower >= beta || lower == -64.0 && upper <= alpha;
        let is_solved = self.board.plies_left() <= FEW_EMPTIES && self.depth >= self.board.plies_left();
        let holds = || {
            let value = f64::from(value(&self.board));
            lower <= value && value <= upper
        };
        (is_exact || is_bound) && (!is_solved || holds())
    }
}

/// The final discs with perfect play, for the side to move.
fn value(board: &Board) -> i32 {
    if let Some(outcome) = board.outcome() {
        let discs = outcome.discs.unwrap_or_default();
        return if outcome.first_won == Some(board.first_to_move()) { discs } else { -discs };
    }
    board.moves().into_iter().map(|mv| -value(&board.play(mv))).max().unwrap_or_default()
}

/// 64 squares and the side to move without a blank.
fn read(text: &str) -> Option<Board> {
    let (squares, side) = text.split_at_checked(64)?;
    let squares = squares.replace('*', "X").replace('.', "-");
    read_position(&format!("{squares} {side}"), &Board::reversi(), STYLE)
}

/// The beginning of a text, which the engine cuts where it is long.
fn quoted(text: &str) -> String {
    text.chars().take(250).collect()
}

impl Cassio {
    fn done(&self) -> Cassio {
        let mut next = self.clone();
        next.queue.pop_front();
        next
    }

    fn push(&mut self, wanted: Wanted) {
        self.queue.push_back(Request { wanted, asked: self.asked, dropped: false });
    }

    fn lines<const N: usize>(&mut self, lines: [&str; N]) {
        self.push(Wanted::Lines(lines.map(str::to_string).into()));
    }

    fn search(&mut self, word: &str, parameters: &str) {
        let has_depth = word == "midgame-search";
        let mut all = words(parameters).into_iter();
        let mut refused = |what: &str| self.lines([&format!("ERROR: {word} cannot parse {what}."), "ready."]);
        let Some((position, board)) = all.next().and_then(|text| Some((text.to_string(), read(text)?))) else {
            return refused("position");
        };
        let discs = |text: Option<&str>, usual: f64| match text {
            None => Some(usual),
            Some(text) => text.parse::<f64>().ok().filter(|value| value.is_finite()),
        };
        let Some(alpha) = discs(all.next(), -127.0) else { return refused("alpha") };
        let Some(beta) = discs(all.next(), 127.0) else { return refused("beta") };
        let depth = if has_depth { all.next().map_or(Some(60), number) } else { Some(60) };
        let Some(depth) = depth else { return refused("depth") };
        let Some(percent) = all.next().map_or(Some(100), number) else { return refused("precision") };
        let alpha = alpha.floor();
        let window = (alpha, beta.ceil().max(alpha + 1.0));
        let search = Search { position, board, window, depth: depth.clamp(1, 60), percent };
        self.push(Wanted::Search(Box::new(search)));
    }

    fn feed_hash(&mut self, parameters: &str) {
        let all = words(parameters);
        let mut refused = |what: &str| self.lines([&format!("Error: in feed-hash, cannot parse {what}.")]);
        let Some(mut board) = all.first().and_then(|text| read(text)) else { return refused("position") };
        if all.first() != Some(&START) {
            // Passes may be implied, and a finished game takes passes: the moves may be refused or not.
            let error = "Error: in feed-hash, cannot parse moves.".to_string();
            let wanted = Wanted::Lines([error].into());
            return self.queue.push_back(Request { wanted, asked: self.asked, dropped: true });
        }
        let moves = all.get(5).map_or("", |moves| moves);
        for text in moves.as_bytes().chunks(2) {
            let Some(mv) = board.meant(&String::from_utf8_lossy(text), STYLE) else { return refused("moves") };
            board = board.play(mv);
        }
    }
}

impl Model for Cassio {
    const REVERSI_ONLY: bool = true;
    const SHARE: usize = 4;

    fn new(_: bool) -> Cassio {
        let queue = VecDeque::new();
        Cassio { queue, alive: 0, infos: 0, asked: 0, answered: 0, ended: false, quit: false, said_goodbye: false }
    }

    fn sent(&mut self, line: &str) {
        if self.quit {
            return;
        }
        let clean = without_controls(line);
        let Some((first, rest)) = first_word(&clean) else {
            self.asked += 1;
            return self.alive += 1;
        };
        if first != "ENGINE-PROTOCOL" {
            return self.lines([&format!("ERROR: Unknown protocol \"{}", quoted(clean.trim_matches([' ', '\t'])))]);
        }
        let (word, parameters) = first_word(rest).unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "init" | "new-position" => self.push(Wanted::Ready),
            "get-version" => self.lines(["version: Flipside ", "ready."]),
            "get-search-infos" => {
                self.asked += 1;
                self.infos += 1;
            }
            "stop" => {
                self.queue.iter_mut().for_each(|request| request.dropped = true);
                self.push(Wanted::Ready);
            }
            "quit" => self.quit = true,
            "empty-hash" => {}
            "feed-hash" => self.feed_hash(parameters),
            lower @ ("midgame-search" | "endgame-search") => self.search(lower, parameters),
            _ => self.lines([&format!("ERROR: unknown command {}", quoted(word)), "ready."]),
        }
    }

    fn ended(&mut self) {
        self.ended = true;
    }

    fn heard(&self, line: &str) -> Vec<Cassio> {
        let mut worlds = Vec::new();
        if self.alive > 0 && ["ready.", "ok."].contains(&line) {
            worlds.push(Cassio { alive: self.alive - 1, answered: self.answered + 1, ..self.clone() });
        }
        if self.infos > 0 && (line == "ready." || line.starts_with("node ") && line.contains(", time ")) {
            worlds.push(Cassio { infos: self.infos - 1, answered: self.answered + 1, ..self.clone() });
        }
        if self.quit && !self.said_goodbye && line == "bye bye." {
            worlds.push(Cassio { said_goodbye: true, ..self.clone() });
        }
        let mut next = self.done();
        let Some(Request { wanted, asked, .. }) = self.queue.front().filter(|first| first.asked <= self.answered)
        else {
            return worlds;
        };
        let asked = *asked;
        match wanted {
            Wanted::Ready if line == "ready." => worlds.push(next),
            Wanted::Lines(lines) if lines.front().is_some_and(|begin| line.starts_with(begin.as_str())) => {
                let mut rest = lines.clone();
                rest.pop_front();
                if !rest.is_empty() {
                    next.queue.push_front(Request { wanted: Wanted::Lines(rest), asked, dropped: false });
                }
                worlds.push(next);
            }
            Wanted::Search(search) if search.fits(line) => {
                // `ready.` comes with the result, and a stop comes too late for it.
                next.queue.push_front(Request { wanted: Wanted::Ready, asked, dropped: false });
                worlds.push(next);
            }
            // The end of input may come before the first result.
            Wanted::Search(_) if self.ended && line == "ready." => worlds.push(next),
            _ => {}
        }
        worlds
    }

    fn silent(&self) -> Vec<Cassio> {
        if self.queue.front().is_some_and(|request| request.dropped) { vec![self.done()] } else { Vec::new() }
    }

    fn owes(&self) -> bool {
        let waits = |request: &Request| match &request.wanted {
            Wanted::Search(search) => search.is_short() || self.ended,
            _ => true,
        };
        self.alive + self.infos > 0 || self.queue.front().is_some_and(waits)
    }

    fn may_leave(&self) -> bool {
        self.said_goodbye || self.ended && self.queue.is_empty() && self.alive + self.infos == 0
    }

    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for _ in 0..1 + dice.below(6) {
            let (line, is_long) = random(dice);
            let exact = line.contains("-search ") || line.contains("feed-hash");
            lines.push(if dice.chance(8) && !exact { dice.mangle(&line) } else { line.into_bytes() });
            if is_long {
                lines.extend((0..dice.below(3)).map(|_| random(dice).0.into_bytes()));
                lines.push(b"ENGINE-PROTOCOL stop".to_vec());
            }
        }
        // Its answer tells which requests a stop has dropped.
        lines.push(format!("ENGINE-PROTOCOL fly-{}", dice.below(100_000)).into_bytes());
        if last && dice.chance(50) {
            lines.push(b"ENGINE-PROTOCOL quit".to_vec());
        }
        lines
    }
}

/// A line of the host, and whether it is a search that only a stop ends soon.
fn random(dice: &mut Dice) -> (String, bool) {
    let position = |dice: &mut Dice| random_position(dice, &Board::reversi(), STYLE).replacen(' ', "", 1);
    let command = |text: String| (format!("ENGINE-PROTOCOL {text}"), false);
    match dice.below(24) {
        0..=6 => {
            let (window, precision) = (random_window(dice), dice.pick(&["73", "80", "95", "100", "5", ""]));
            let depth = dice.pick(&["1", "2", "3"]);
            command(format!("midgame-search {} {window} {depth} {precision}", position(dice)))
        }
        7..=12 => {
            let text = late_position(dice);
            let (window, precision) = (random_window(dice), dice.pick(&["73", "100", "100"]));
            command(format!("endgame-search {text} {window} {precision}"))
        }
        13 => (format!("ENGINE-PROTOCOL endgame-search {START} -64 64 100"), true),
        14 => (dice.pick(&["", " ", "\t"]).into(), false),
        15 => command("get-search-infos".into()),
        16 => command("stop".into()),
        17 => command(dice.pick(&["init", "INIT", "new-position", "get-version", "empty-hash"]).into()),
        18 => {
            let text = position(dice);
            let moves = dice.pick(&["d3", "d3c5", "D3c5F6", "a1", "pa"]);
            command(format!("feed-hash {} 0 0 10 100 {moves}", if dice.chance(60) { START } else { &text }))
        }
        19 => command(dice.pick(&["fly", "midgame-search", "midgame-search bad", "feed-hash bad", ""]).into()),
        20 => command(format!("midgame-search {START} {}", dice.pick(&["x", "0 x", "0 1 x", "0 1 1 x"]))),
        21 => (dice.pick(&["hello", "ready.", "engine-protocol init", "stop"]).into(), false),
        _ => command("get-version".into()),
    }
}

const START: &str = "---------------------------OX------XO---------------------------X";

fn random_window(dice: &mut Dice) -> &'static str {
    dice.pick(&["-64 64", "-64 64", "-1 1", "0 1", "10.5 10.9", "-64.0 -20", "30 20", "-127 127"])
}

/// A position near the end of a random game, or a finished one.
fn late_position(dice: &mut Dice) -> String {
    let mut board = Board::reversi();
    let left = dice.below(8) as u64;
    while board.plies_left() > left
        && let Some(mv) = dice.of(&board.moves())
    {
        board = board.play(mv);
    }
    show_position(&board, STYLE).replacen(' ', "", 1)
}
