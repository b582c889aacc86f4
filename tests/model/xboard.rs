//! The model of an XBoard host.

use crate::board::{Board, Move, Style};
use crate::dice::Dice;
use crate::game::Game;
use crate::options;
use crate::session::Model;
use crate::words::{Pattern, first_word, fits, number, read_position, without_controls, words};
use crate::xboard_lines::{Mode, Request, Think, is_bare_move, last_word, level, loses_at_once, random, seconds};
use std::collections::VecDeque;

const STYLE: Style = Style::Chess;
/// Plies that an analysis reaches at once, if nothing ends it.
const ANALYSIS_DEPTH: u64 = 6;

#[derive(Clone, Debug, PartialEq)]
pub struct XBoard {
    game: Game,
    queue: VecDeque<Request>,
    mode: Mode,
    /// Whether lines of play may come: the host wants them, or wanted them lately.
    post: bool,
    /// Whether the host wants them now.
    shown: bool,
    /// Whether only `sd` has limited a search: no clock, no pondering, no option.
    bare: bool,
    /// Whether no option has been set by name, so that analyses use the production search.
    plain: bool,
    /// `sd`, and whether `level`, `st` or `time` let a move last.
    depth: Option<u64>,
    slow: bool,
    /// Whether an option lets the engine choose a worse move than the best.
    weak: bool,
    /// Immediate answers: `bk` owes one, `.` and `hint` answer only if there is something to report.
    books: usize,
    reports: usize,
    /// An empty line follows.
    book_open: bool,
    ended: bool,
    quit: bool,
}

impl XBoard {
    fn say(&mut self, pattern: Pattern) {
        self.beside_analysis(Request::Lines([pattern].into()));
    }

    fn complain(&mut self) {
        self.say(Pattern::Prefix("Error (".into()));
    }

    /// The running search and the waiting ones are dropped.
    fn drop_searches(&mut self) {
        self.searches().for_each(|think| think.dropped = true);
    }

    fn searches(&mut self) -> impl Iterator<Item = &mut Think> {
        self.queue.iter_mut().filter_map(|request| match request {
            Request::Think(think) => Some(think),
            _ => None,
        })
    }

    /// The analysis owes no more output.
    fn owes_no_analysis(&mut self) {
        for request in &mut self.queue {
            if let Request::Analysis(think) = request {
                think.to_reach = None;
            }
        }
    }

    /// A request that changes the analysed position, or whose answer comes between the analysis lines.
    fn beside_analysis(&mut self, request: Request) {
        self.queue.push_back(request);
        if self.mode == Mode::Analyze {
            self.queue.push_back(Request::Analysis(Think::default()));
        }
    }

    fn think(&mut self, after: Option<String>) {
        let short = self.depth.is_some_and(|depth| depth <= 4) || self.depth.is_none() && !self.slow;
        let to_reach = self.depth.filter(|_| self.bare && self.shown);
        self.queue.push_back(Request::Think(Think { after, short, to_reach, ..Think::default() }));
    }

    fn user_move(&mut self, text: &str) {
        match self.mode {
            Mode::Play => self.think(Some(text.to_string())),
            Mode::Force | Mode::Analyze => self.beside_analysis(Request::Play(text.to_string())),
        }
    }

    fn limit(&mut self, word: &str, rest: &str) {
        self.bare &= word == "sd";
        match word {
            "sd" => match number(rest).filter(|depth| *depth > 0) {
                Some(depth) => self.depth = Some(depth),
                None => self.complain(),
            },
            "time" => match number(rest.strip_prefix('-').unwrap_or(rest)) {
                Some(left) => self.slow |= left > 100 && !rest.starts_with('-'),
                None => self.complain(),
            },
            "st" => match seconds(rest) {
                Some(time) => {
                    self.slow = time > 0.3;
                    self.beside_analysis(Request::Nothing);
                }
                None => self.complain(),
            },
            _ => match level(rest) {
                Some(slow) => {
                    self.slow = slow;
                    self.beside_analysis(Request::Nothing);
                }
                None => self.complain(),
            },
        }
    }

    /// The state after the analysis that is the first request. A request that is only answered beside it does not end
    /// it.
    fn beyond_analysis(&self, think: &Think) -> XBoard {
        let mut next = self.done();
        if let (Some(Request::Lines(_)), Some(Request::Analysis(later))) = (self.queue.get(1), next.queue.get_mut(1)) {
            *later = think.clone();
        }
        next
    }

    fn done(&self) -> XBoard {
        let mut next = self.clone();
        next.queue.pop_front();
        next
    }

    fn with_game(&self, game: Game) -> XBoard {
        XBoard { game, ..self.done() }
    }

    fn variant(&self, name: &str) -> Option<Game> {
        let board = match name.to_ascii_lowercase().as_str() {
            "minichess" => Board::minichess(),
            "flipello" | "reversi" | "othello" => Board::reversi(),
            _ => return None,
        };
        let same = board.is_reversi() == self.game.now().is_reversi();
        Some(if same { self.game.clone() } else { Game::new(board) })
    }

    /// The state after the first request, if it has no output.
    fn served(&self, request: &Request) -> Option<XBoard> {
        let board = self.game.now();
        let mut game = self.game.clone();
        match request {
            Request::Lines(_) => None,
            Request::Nothing => Some(self.done()),
            Request::Option { name, value } => {
                let weak = match name.to_ascii_lowercase().as_str() {
                    "strength" | "variety" => true,
                    "algorithm" => !value.eq_ignore_ascii_case("pvs"),
                    _ => false,
                };
                let weak = self.weak || weak;
                options::takes(name, value).then(|| XBoard { weak, ..self.done() })
            }
            Request::Start => Some(self.with_game(Game::new(board.start()))),
            Request::Setup(text) => read_position(text, board, STYLE).map(|board| self.with_game(Game::new(board))),
            // The output about a game depends on whether XBoard must be told how to draw it.
            Request::Variant(name) => {
                self.variant(name).filter(|game| game.now().is_reversi()).map(|game| self.with_game(game))
            }
            Request::Undo(count) => game.undo(*count).then(|| self.with_game(game)),
            Request::Play(mv) => game.play(None, mv, STYLE).then(|| self.with_game(game)),
            Request::Think(Think { after: Some(mv), .. }) => game.play(None, mv, STYLE).then(|| {
                let mut next = XBoard { game, ..self.clone() };
                if let Some(Request::Think(think)) = next.queue.front_mut() {
                    think.after = None;
                }
                next
            }),
            Request::Think(think) => think.dropped.then(|| self.done()),
            Request::Analysis(think) => {
                (self.queue.len() > 1 || self.mode != Mode::Analyze).then(|| self.beyond_analysis(think))
            }
        }
    }

    /// The state after a line of the first request's output.
    fn said(&self, request: &Request, line: &str) -> Vec<XBoard> {
        let refused = |words: &str| (self.served(request).is_none() && line.starts_with(words)).then(|| self.done());
        let next = match request {
            Request::Lines(patterns) => self.part_of(patterns.clone(), line),
            Request::Nothing | Request::Start => None,
            Request::Option { .. } | Request::Undo(_) => refused("Error ("),
            Request::Setup(_) => refused("tellusererror Illegal position: "),
            Request::Play(_) | Request::Think(Think { after: Some(_), .. }) => refused("Illegal move ("),
            Request::Variant(name) => match self.variant(name) {
                None => refused("Error ("),
                Some(game) if !game.now().is_reversi() => {
                    let evaluation = "feature option=\"Evaluation -combo ";
                    let rest = ["setup ", "piece P", "piece B", evaluation, "feature option=\"UCI_Elo -spin "];
                    let mut rest: VecDeque<_> = rest.map(|words| Pattern::Prefix(words.into())).into();
                    // The options of the game, unless it was played before.
                    rest.truncate(if self.game.now().is_reversi() { 5 } else { 3 });
                    self.part_of(rest, line).map(|next| XBoard { game, ..next })
                }
                Some(_) => None,
            },
            Request::Think(think) => return self.thought(think, line),
            Request::Analysis(think) => self.is_thinking(line).then(|| {
                let mut next = self.clone();
                next.queue[0] = Request::Analysis(think.shows(line));
                next
            }),
        };
        next.into_iter().collect()
    }

    fn part_of(&self, mut patterns: VecDeque<Pattern>, line: &str) -> Option<XBoard> {
        fits(&mut patterns, line).then(|| {
            let mut next = self.done();
            if !patterns.is_empty() {
                next.queue.push_front(Request::Lines(patterns));
            }
            next
        })
    }

    /// A line of play, or a comment on the next one.
    fn is_thinking(&self, line: &str) -> bool {
        // Moves of the book are in parentheses.
        let bare = |moves: &str| {
            moves.strip_prefix('(').and_then(|moves| moves.strip_suffix(')')).unwrap_or(moves).to_string()
        };
        let moves = line.split_once('\t').map(|(_, moves)| bare(moves));
        let pv = moves.as_deref().map(words);
        let follows = pv.is_some_and(|pv| self.game.now().is_over() || self.game.now().follows(&pv, STYLE));
        self.post && (follows || line.starts_with("# certainty ") || line.starts_with("# book "))
    }

    /// The states after a line of a search for a move.
    fn thought(&self, think: &Think, line: &str) -> Vec<XBoard> {
        let board = self.game.now();
        if self.is_thinking(line) {
            let mut next = self.clone();
            next.queue[0] = Request::Think(think.shows(line));
            return vec![next];
        }
        let pass = self.game.closing_pass(STYLE);
        if let Some(outcome) = board.outcome().filter(|_| !pass) {
            let expected = last_word(&outcome, board);
            return Vec::from_iter((line == expected).then(|| self.done()));
        }
        if line == "offer draw" && !think.offered {
            let mut next = self.clone();
            next.queue[0] = Request::Think(Think { offered: true, ..think.clone() });
            return vec![next];
        }
        if line == "resign" {
            return Vec::from_iter(loses_at_once(board, self.weak).then(|| self.done()));
        }
        let written = |text: &str| match pass {
            true => (text == board.show(Move::Pass, STYLE)).then_some(Move::Pass),
            false => board.written(text, STYLE),
        };
        let Some(mv) = line.strip_prefix("move ").and_then(written) else { return Vec::new() };
        let mut game = self.game.clone();
        game.push(mv);
        let drawn = game.now().outcome().is_some_and(|outcome| outcome.first_won.is_none());
        let fits = (!think.offered || drawn) && think.is_complete(board);
        Vec::from_iter(fits.then(|| self.with_game(game)))
    }
}

impl Model for XBoard {
    fn new(reversi: bool) -> XBoard {
        let game = Game::new(if reversi { Board::reversi() } else { Board::minichess() });
        XBoard {
            game,
            queue: VecDeque::new(),
            mode: Mode::Play,
            post: false,
            shown: false,
            bare: true,
            plain: true,
            depth: None,
            slow: false,
            weak: false,
            books: 0,
            reports: 0,
            book_open: false,
            ended: false,
            quit: false,
        }
    }

    fn sent(&mut self, line: &str) {
        let clean = without_controls(line);
        let Some((word, rest)) = first_word(&clean) else { return };
        if self.quit {
            return;
        }
        match word {
            "protover" => {
                let lines = [Pattern::Exact("feature done=0".into()), Pattern::Until("feature done=1")];
                self.beside_analysis(Request::Lines(lines.into()));
            }
            "new" => {
                self.drop_searches();
                self.depth = None;
                if self.mode == Mode::Force {
                    self.mode = Mode::Play;
                }
                self.beside_analysis(Request::Start);
            }
            "variant" => {
                self.drop_searches();
                self.beside_analysis(Request::Variant(rest.into()));
            }
            "setboard" => {
                self.drop_searches();
                self.beside_analysis(Request::Setup(rest.into()));
            }
            "exit" if self.mode != Mode::Analyze => {}
            "force" | "result" | "exit" => {
                self.drop_searches();
                self.mode = Mode::Force;
            }
            "go" => {
                self.mode = Mode::Play;
                self.think(None);
            }
            "playother" => self.mode = Mode::Play,
            "usermove" => self.user_move(rest),
            "undo" => self.beside_analysis(Request::Undo(1)),
            "remove" => self.beside_analysis(Request::Undo(2)),
            "analyze" => {
                self.drop_searches();
                self.mode = Mode::Analyze;
                let to_reach = (self.plain && self.shown).then_some(ANALYSIS_DEPTH);
                self.queue.push_back(Request::Analysis(Think { to_reach, ..Think::default() }));
            }
            "ping" => {
                let pong = match rest.parse::<u64>() {
                    Ok(id) if number(rest).is_some() => [Pattern::Exact(format!("pong {id}"))].into(),
                    _ => [Pattern::Exact("pong".into())].into(),
                };
                self.beside_analysis(Request::Lines(pong));
            }
            "?" => self.searches().for_each(|think| think.called = true),
            "level" | "st" | "sd" | "time" => self.limit(word, rest),
            "memory" | "cores" | "option" => {
                self.bare = false;
                self.plain &= word != "option";
                let (name, value) = match word {
                    "memory" => ("Hash", rest),
                    "cores" => ("Threads", rest),
                    _ => rest.split_once('=').unwrap_or((rest, "")),
                };
                self.beside_analysis(Request::Option { name: name.trim().into(), value: value.trim().into() });
            }
            "." | "hint" => self.reports += 1,
            "bk" => self.books += 1,
            "post" => (self.post, self.shown) = (true, true),
            "nopost" => {
                self.shown = false;
                self.searches().for_each(|think| think.to_reach = None);
                self.owes_no_analysis();
            }
            "hard" => self.bare = false,
            "easy" => {}
            "xboard" | "accepted" | "rejected" | "otim" | "random" | "computer" | "name" | "rating" | "ics"
            | "draw" | "egtpath" | "white" | "black" => {}
            "quit" => self.quit = true,
            _ if rest.is_empty() && is_bare_move(word) => self.user_move(word),
            _ => self.say(Pattern::Prefix("Error (unknown command): ".into())),
        }
    }

    fn ended(&mut self) {
        self.ended = true;
        self.searches().for_each(|think| think.to_reach = None);
        self.owes_no_analysis();
    }

    fn heard(&self, line: &str) -> Vec<XBoard> {
        if self.book_open {
            return Vec::from_iter(line.is_empty().then(|| XBoard {
                book_open: false,
                books: self.books - 1,
                ..self.clone()
            }));
        }
        // Moves of the book, each on a line.
        if self.books > 0 && line.starts_with(" P@") && line.contains(" grade ") {
            return vec![self.clone()];
        }
        if self.books > 0 && line.is_empty() {
            return vec![XBoard { books: self.books - 1, ..self.clone() }];
        }
        if line == " no book" {
            return Vec::from_iter((self.books > 0).then(|| XBoard { book_open: true, ..self.clone() }));
        }
        if line.starts_with("stat01: ") || line.starts_with("Hint: ") {
            return Vec::from_iter((self.reports > 0).then(|| XBoard { reports: self.reports - 1, ..self.clone() }));
        }
        self.queue.front().map_or(Vec::new(), |request| self.said(request, line))
    }

    fn silent(&self) -> Vec<XBoard> {
        self.queue.front().and_then(|request| self.served(request)).into_iter().collect()
    }

    fn owes(&self) -> bool {
        self.books > 0
            || self.queue.front().is_some_and(|request| match request {
                Request::Think(think) => {
                    think.after.is_some() || think.short || think.called || self.game.now().is_over()
                }
                Request::Analysis(think) => !think.is_complete(self.game.now()) && !self.game.now().is_over(),
                _ => true,
            })
    }

    fn may_leave(&self) -> bool {
        let analysis = matches!(self.queue.front(), Some(Request::Analysis(_))) && self.queue.len() == 1;
        self.quit || self.ended && self.books == 0 && (self.queue.is_empty() || analysis)
    }

    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>> {
        let mut game = self.game.clone();
        let mut lines = Vec::new();
        for _ in 0..1 + dice.below(8) {
            let line = random(dice, &mut game);
            let exact = line.contains("setboard");
            lines.push(if dice.chance(8) && !exact { dice.mangle(&line) } else { line.into_bytes() });
        }
        if last || dice.chance(20) {
            lines.push(b"?".to_vec());
        }
        lines.push(format!("ping {}", dice.below(1_000_000)).into_bytes());
        if last && dice.chance(50) {
            lines.push(dice.pick(&["quit", "analyze", "force", "go"]).as_bytes().to_vec());
        }
        lines
    }
}
