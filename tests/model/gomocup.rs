//! The model of a Gomocup manager. No answer is dropped or optional, so only one model is possible at a time, except
//! for `ABOUT`, which is answered beside a search.

use crate::dice::Dice;
use crate::gomoku_twin::Plain;
use crate::host::Host;
use crate::session::Model;
use crate::words::{first_word, number, without_controls};
use std::collections::VecDeque;

#[derive(Clone, Debug, PartialEq)]
pub struct Gomocup {
    queue: VecDeque<Request>,
    /// Points a side according to the lines so far, in their order.
    size: Option<usize>,
    /// The list of stones being sent; `None` for its stones if a line was wrong.
    list: Option<(List, Option<Stones>)>,
    /// The number of requests served beside everything else.
    about: usize,
    board: Board,
    ended: bool,
    quit: bool,
}

/// Points, and whether the engine's own stone is there.
type Stones = Vec<((usize, usize), bool)>;

#[derive(Clone, Copy, Debug, PartialEq)]
enum List {
    Answered,
    Silent,
    Swap2,
    Ignored,
}

#[derive(Clone, Debug, PartialEq)]
enum Request {
    Start(usize),
    Error,
    Unknown,
    Rule(&'static str),
    /// The forbidden points.
    Forbidden,
    /// An option is set.
    Set,
    Begin,
    Turn((usize, usize)),
    Play((usize, usize)),
    TakeBack((usize, usize)),
    Stones(Stones, bool),
    /// The stones of swap2, in the order of play.
    Swap2(Vec<(usize, usize)>),
}

/// The plain rules.
#[derive(Clone, Debug, Default, PartialEq)]
struct Board {
    size: usize,
    rule: &'static str,
    /// The rule of `INFO rule` for the next game.
    next_rule: &'static str,
    stones: Vec<((usize, usize), bool)>,
    first_to_move: bool,
}

impl Board {
    fn stone(&self, point: (usize, usize)) -> Option<bool> {
        self.stones.iter().find(|(at, _)| *at == point).map(|(_, first)| *first)
    }

    fn plain(&self) -> Plain {
        let stones = self.stones.iter().map(|&((x, y), first)| (y * self.size + x, u8::from(!first)));
        Plain::with_stones(self.size, self.rule, stones)
    }

    /// Whether a side has five in a row, or no point is left.
    fn is_over(&self) -> bool {
        let plain = self.plain();
        plain.is_full() || plain.has_five()
    }

    /// `FORBID` and the forbidden points.
    fn forbidden(&self) -> String {
        let plain = self.plain();
        let points = (0..self.size * self.size).filter(|&at| plain.is_empty(at) && !plain.is_allowed_to(0, at));
        let digits: String = points.map(|at| format!("{:02}{:02}", at % self.size, at / self.size)).collect();
        format!("FORBID {digits}.")
    }

    fn is_legal(&self, point: (usize, usize)) -> bool {
        let player = u8::from(!self.first_to_move);
        let is_empty = point.0 < self.size && point.1 < self.size && self.stone(point).is_none();
        is_empty && !self.is_over() && self.plain().is_allowed_to(player, point.1 * self.size + point.0)
    }

    fn play(&mut self, point: (usize, usize)) {
        self.stones.push((point, self.first_to_move));
        self.first_to_move = !self.first_to_move;
    }

    fn clear(&mut self, size: usize) {
        *self =
            Board { size, rule: self.next_rule, next_rule: self.next_rule, stones: Vec::new(), first_to_move: true };
    }
}

/// `X,Y`.
fn point(text: &str) -> Option<(usize, usize)> {
    let (x, y) = text.split_once(',')?;
    let place = |text: &str| number(text.trim_matches([' ', '\t'])).and_then(|number| usize::try_from(number).ok());
    Some((place(x)?, place(y)?))
}

impl Gomocup {
    fn done(&self) -> Gomocup {
        let mut next = self.clone();
        next.queue.pop_front();
        next
    }

    /// Whether the request fails on the present board.
    fn is_refused(&self, request: &Request) -> bool {
        match request {
            Request::Error => true,
            Request::Begin => self.board.is_over(),
            Request::Turn(point) | Request::Play(point) if !self.board.is_legal(*point) => true,
            // The game is over when the engine is to answer.
            Request::Turn(point) => {
                let mut board = self.board.clone();
                board.play(*point);
                board.is_over()
            }
            Request::TakeBack(point) => self.board.stone(*point).is_none(),
            Request::Stones(stones, true) => self.set_up(stones).is_over(),
            Request::Swap2(points) => !points.is_empty() && self.opened(points).is_over(),
            _ => false,
        }
    }

    /// The board of a list of stones.
    fn set_up(&self, stones: &Stones) -> Board {
        let own = stones.iter().filter(|(_, own)| *own).count();
        let own_first = own >= stones.len() - own;
        let stones = stones.iter().map(|&(at, own)| (at, own == own_first)).collect();
        Board { stones, first_to_move: own_first, ..self.board.clone() }
    }

    /// The board of swap2's stones, White to move.
    fn opened(&self, points: &[(usize, usize)]) -> Board {
        let stones = points.iter().zip([true, false].into_iter().cycle()).map(|(&at, first)| (at, first)).collect();
        Board { stones, first_to_move: false, ..self.board.clone() }
    }

    /// The board before the engine's answer to the request.
    fn before_answer(&self, request: &Request) -> Board {
        let mut board = self.board.clone();
        match request {
            Request::Turn(point) if board.is_legal(*point) => board.play(*point),
            Request::Stones(stones, _) => board = self.set_up(stones),
            Request::Swap2(points) => board = self.opened(points),
            _ => {}
        }
        board
    }

    fn answer(&self, line: &str) -> Option<Gomocup> {
        let request = self.queue.front()?;
        let mut next = self.done();
        if self.is_refused(request) {
            next.board = self.before_answer(request);
            return line.starts_with("ERROR ").then_some(next);
        }
        match request {
            Request::Unknown => return line.starts_with("UNKNOWN ").then_some(next),
            Request::Start(size) => next.board.clear(*size),
            Request::TakeBack(at) => {
                next.board.first_to_move = self.board.stone(*at)?;
                next.board.stones.retain(|(point, _)| point != at);
            }
            Request::Play(at) => {
                next.board.play(*at);
                return (point(line) == Some(*at)).then_some(next);
            }
            Request::Begin | Request::Turn(_) | Request::Stones(_, true) => {
                next.board = self.before_answer(request);
                let mv = point(line).filter(|&mv| next.board.is_legal(mv))?;
                next.board.play(mv);
                return Some(next);
            }
            Request::Swap2(points) if points.is_empty() => {
                let opening: Option<Vec<_>> = line.split(' ').map(point).collect();
                next.board = self.opened(&opening.filter(|opening| opening.len() == 3)?);
                return (!next.board.is_over()).then_some(next);
            }
            Request::Swap2(points) => {
                next.board = self.opened(points);
                if line != "SWAP" {
                    let mv = point(line).filter(|&mv| next.board.is_legal(mv))?;
                    next.board.play(mv);
                }
                return Some(next);
            }
            Request::Forbidden => return (line == self.board.forbidden()).then_some(next),
            Request::Error | Request::Rule(_) | Request::Set | Request::Stones(_, false) => return None,
        }
        (line == "OK").then_some(next)
    }

    /// A line of a list of stones.
    fn read_stone(&mut self, line: &str) {
        let size = self.size.unwrap_or_default();
        let Some((list, stones)) = &mut self.list else { return };
        if *list == List::Ignored {
            return;
        }
        let parts: Option<Vec<u64>> = line.split(',').map(|part| number(part.trim_matches([' ', '\t']))).collect();
        let stone = match parts.as_deref() {
            Some(&[x, y] | &[x, y, _]) if *list == List::Swap2 && x < size as u64 && y < size as u64 => {
                Some(((x as usize, y as usize), 1))
            }
            Some(&[_, _, _]) if *list == List::Swap2 => None,
            Some(&[x, y, field]) if x < size as u64 && y < size as u64 => Some(((x as usize, y as usize), field)),
            _ => None,
        };
        *stones = stones.take().and_then(|mut known| match stone? {
            (_, 3) => Some(known),
            (at, field @ (1 | 2)) if known.iter().all(|(point, _)| *point != at) => {
                known.push((at, field == 1));
                Some(known)
            }
            _ => None,
        });
    }

    fn command(&mut self, word: &str, rest: &str) {
        let size = |text: &str| number(text).filter(|size| [15, 20].contains(size)).map(|size| size as usize);
        let request = match word {
            "START" | "RECTSTART" => {
                let wanted = match word {
                    "START" => match rest.split([' ', '\t']).filter(|word| !word.is_empty()).collect::<Vec<_>>()[..] {
                        [size_of_both] => size(size_of_both),
                        [width, height] if width == height => size(width),
                        _ => None,
                    },
                    _ => point(rest).filter(|(x, y)| x == y).and_then(|(x, _)| size(&x.to_string())),
                };
                self.size = wanted.or(self.size);
                wanted.map_or(Request::Error, Request::Start)
            }
            "RESTART" if self.size.is_some() => Request::Start(self.size.unwrap_or_default()),
            "INFO" => match rest.split([' ', '\t']).filter(|word| !word.is_empty()).collect::<Vec<_>>()[..] {
                [key, value] if key.eq_ignore_ascii_case("rule") => match number(value) {
                    Some(number) => {
                        Request::Rule(match (number & 8 > 0, number & 1 > 0, number & 4 > 0 || number == 2) {
                            (true, true, _) => "caro-exactly-five",
                            (true, false, _) => "caro",
                            (false, _, true) => "renju",
                            (false, true, false) => "exactly-five",
                            (false, false, false) => "freestyle",
                        })
                    }
                    _ => return,
                },
                _ => return,
            },
            "YXBLOCK" | "YXBLOCKUNDO" => {
                self.list = Some((List::Ignored, None));
                Request::Unknown
            }
            "BEGIN" | "TURN" | "PLAY" | "TAKEBACK" | "BOARD" | "YXBOARD" | "SWAP2BOARD" | "YXSHOWFORBID"
                if self.size.is_none() =>
            {
                Request::Error
            }
            "YXSHOWFORBID" => Request::Forbidden,
            "YXHASHCLEAR" => Request::Set,
            "BOARD" | "YXBOARD" | "SWAP2BOARD" => {
                let list = match word {
                    "BOARD" => List::Answered,
                    "YXBOARD" => List::Silent,
                    _ => List::Swap2,
                };
                self.list = Some((list, Some(Vec::new())));
                return;
            }
            "BEGIN" => Request::Begin,
            "TURN" | "PLAY" | "TAKEBACK" => match point(rest) {
                Some(at) if word == "TURN" => Request::Turn(at),
                Some(at) if word == "PLAY" => Request::Play(at),
                Some(at) => Request::TakeBack(at),
                None => Request::Error,
            },
            _ => Request::Unknown,
        };
        self.queue.push_back(request);
    }
}

impl Model for Gomocup {
    const REVERSI_ONLY: bool = true;
    const SHARE: usize = 20;

    fn start(_: bool) -> Host {
        Host::start_registry()
    }

    fn new(_: bool) -> Gomocup {
        Gomocup {
            queue: VecDeque::new(),
            size: None,
            list: None,
            about: 0,
            board: Board { first_to_move: true, rule: "freestyle", next_rule: "freestyle", ..Board::default() },
            ended: false,
            quit: false,
        }
    }

    fn sent(&mut self, line: &str) {
        let clean = without_controls(line);
        let Some((first, rest)) = first_word(&clean) else { return };
        if self.quit {
            return;
        }
        let word = first.to_ascii_uppercase();
        match word.as_str() {
            "ABOUT" => return self.about += 1,
            "END" => return self.quit = true,
            "STOP" | "YXSTOP" => return,
            _ => {}
        }
        let commands = "DONE START RECTSTART RESTART INFO BEGIN TURN PLAY TAKEBACK BOARD YXBOARD SWAP2BOARD \
                        YXSHOWFORBID YXHASHCLEAR YXBLOCK YXBLOCKUNDO";
        let is_stone = !commands.split(' ').any(|command| command == word);
        if self.list.is_some() && is_stone {
            return self.read_stone(&clean);
        }
        match (self.list.take(), word.as_str()) {
            (Some((List::Ignored, _)), "DONE") => {}
            (Some((List::Swap2, stones)), "DONE") => self.queue.push_back(match stones {
                Some(stones) if [0, 3, 5].contains(&stones.len()) => {
                    Request::Swap2(stones.into_iter().map(|(at, _)| at).collect())
                }
                _ => Request::Error,
            }),
            (Some((list, stones)), "DONE") => self.queue.push_back(match stones {
                Some(stones) => Request::Stones(stones, list == List::Answered),
                None => Request::Error,
            }),
            _ => self.command(&word, rest),
        }
    }

    fn ended(&mut self) {
        self.ended = true;
    }

    fn heard(&self, line: &str) -> Vec<Gomocup> {
        if line.starts_with("MESSAGE ") {
            return vec![self.clone()];
        }
        if line.starts_with("name=\"Flipside\"") && self.about > 0 {
            return vec![Gomocup { about: self.about - 1, ..self.clone() }];
        }
        self.answer(line).into_iter().collect()
    }

    fn silent(&self) -> Vec<Gomocup> {
        let mut next = self.done();
        match self.queue.front() {
            Some(Request::Rule(rule)) => {
                next.board.next_rule = rule;
                if self.board.stones.is_empty() {
                    next.board.rule = rule;
                }
            }
            Some(Request::Set) => {}
            Some(Request::Stones(stones, false)) => next.board = self.set_up(stones),
            _ => return Vec::new(),
        }
        vec![next]
    }

    fn owes(&self) -> bool {
        self.about > 0 || !self.queue.is_empty()
    }

    fn may_leave(&self) -> bool {
        self.quit || self.ended && self.queue.is_empty() && self.about == 0
    }

    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for _ in 0..1 + dice.below(6) {
            let line = random(dice);
            let exact = line.starts_with("INFO") || line == "BOARD" || line.starts_with("END");
            lines.push(if dice.chance(8) && !exact { dice.mangle(&line) } else { line.into_bytes() });
            let last_line = lines.last().cloned().unwrap_or_default();
            if [&b"BOARD"[..], b"YXBOARD", b"SWAP2BOARD", b"yxblock"].contains(&last_line.as_slice()) {
                let is_swap2 = last_line == b"SWAP2BOARD";
                let count = if is_swap2 { [0, 3, 3, 5, 5, 2][dice.below(6)] } else { dice.below(9) };
                let stone = |dice: &mut Dice| match is_swap2 && dice.chance(70) {
                    true => format!("{},{}", dice.below(15), dice.below(15)),
                    false => random_stone(dice),
                };
                let stones = (0..count).map(|_| stone(dice).into_bytes()).collect::<Vec<_>>();
                lines.extend(stones);
                lines.push(b"DONE".to_vec());
            }
        }
        if last && dice.chance(50) {
            lines.push(b"END".to_vec());
        }
        lines
    }
}

/// Mostly corners of small boards, where stones meet more often.
fn random_point(dice: &mut Dice) -> String {
    let width = if dice.chance(90) { 6 } else { 22 };
    format!("{},{}", dice.below(width), dice.below(width))
}

fn random_stone(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => dice.pick(&["1,1", "x", "-1,2,1", "3,3,3", "20,20,1", "1,2,4", "5 , 5 , 1"]).into(),
        _ => format!("{},{}", random_point(dice), 1 + dice.below(2)),
    }
}

/// A line for the manager to send.
fn random(dice: &mut Dice) -> String {
    match dice.below(24) {
        0..=8 => format!("TURN {}", random_point(dice)),
        9 | 10 => format!("PLAY {}", random_point(dice)),
        11..=13 => format!("TAKEBACK {}", random_point(dice)),
        14 => dice.pick(&["START 15", "START 15", "START 20", "RECTSTART 15,15", "START 19", "START"]).into(),
        15 => dice.pick(&["RESTART", "restart", "BEGIN"]).into(),
        16 | 17 => "BEGIN".into(),
        18 => "BOARD".into(),
        19 => dice.pick(&["YXBOARD", "SWAP2BOARD", "SWAP2BOARD", "yxblock", "BOARD", "YXSHOWFORBID"]).into(),
        20 => {
            let rule = dice.pick(&["0", "1", "2", "4", "4", "8", "9", "x"]);
            format!("INFO rule {rule}")
        }
        21 => dice
            .pick(&[
                "INFO timeout_turn 3",
                "INFO timeout_match 0",
                "INFO time_left 2147483647",
                "INFO max_memory 4000000",
                "INFO max_depth 2",
                "INFO max_node 0",
                "INFO thread_num 1",
                "YXHASHCLEAR",
                "yxshowforbid",
                "INFO game_type 1",
                "INFO folder /tmp/x",
                "INFO",
            ])
            .into(),
        22 => dice.pick(&["ABOUT", "STOP", "yxstop", "about"]).into(),
        _ => dice.pick(&["", " ", "DONE", "hello", "TURN", "TURN 3", "PLAY x,y", "SUGGEST 1,1"]).into(),
    }
}
