//! The cut between rules, judgement and search: the file to read first.
//!
//! A game is four small traits. [`Game`] holds the rules and is all that the search needs;
//! [`Notation`] lets people and protocols name moves and positions; [`Eval`] judges a position;
//! [`Tactics`] says what the search may try. A newcomer writes the first two and takes
//! [`Flat`] and [`Plain`] for the others.

use super::level::{Base, Level};
use super::limits::Budget;
use std::fmt::Debug;
use std::time::Instant;

/// A value in hundredths of the game's own unit (a disc, a pawn), for the side to move.
/// Always within `-INFINITE..=INFINITE`, so that it fits sixteen bits.
pub type Score = i32;
/// Plies still to search.
pub type Depth = i32;

/// Hundredths in one unit: a disc, a pawn.
pub const UNIT: Score = 100;
/// A bound that no score reaches.
pub const INFINITE: Score = 32_000;
/// The game is won now. A win found `n` plies deep counts `WIN - n`.
pub const WIN: Score = 30_000;
/// Scores of at least this (or at most its negative) are proven wins and losses, whose distance
/// from the root is the difference to [`WIN`]. Games that end in numbers never reach it.
pub const WIN_BAND: Score = WIN - 1_000;
/// More moves than any position of any game here has.
pub const MAX_MOVES: usize = 128;
/// Ranks of quiet moves are below this, killers and history included.
pub const QUIET_BELOW: i32 = 1 << 27;
/// [`Tactics::theme`] is below this.
pub const THEMES: usize = 512;
/// The deepest line that a search follows, extensions and quiescence included.
pub const MAX_PLY: usize = 128;
/// The deepest iteration: room is left for extensions and quiescence.
pub const MAX_DEPTH: Depth = MAX_PLY as Depth - 28;

/// Whose turn it is: the player who began the game, or the other.
///
/// Black is `First` in Reversi, White is `First` in MiniChess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who makes the first move of a game.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent.
    #[inline(always)]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// What belongs to this side, of a pair with the first player's before the second's.
    #[inline(always)]
    pub fn of<T>(self, [first, second]: [T; 2]) -> T {
        match self {
            Side::First => first,
            Side::Second => second,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline(always)]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The rules of a game of two players and full information, and nothing else.
///
/// A position knows who is to move only as far as the rules need it: the room counts the turns.
/// Positions are small: they are copied, never undone.
pub trait Game: Send + Sync + 'static {
    /// Everything the rules need to go on.
    type Position: Clone + Send + Sync + PartialEq + Debug + 'static;
    /// A legal move; it may carry what playing it needs (a square and the discs it turns).
    type Move: Copy + Send + Sync + PartialEq + Debug + 'static;

    /// True when a position is over exactly if [`Game::moves`] yields nothing, so that the search
    /// need not ask [`Game::outcome`] before it looks for moves.
    const ENDS_WITHOUT_MOVES: bool = false;

    /// Where a game begins.
    fn start(&self) -> Self::Position;
    /// The final score for the side to move if the game is over: a number in hundredths of the
    /// unit, or `WIN`, `0`, `-WIN` where only winning counts.
    fn outcome(&self, position: &Self::Position) -> Option<Score>;
    /// The legal moves, a forced pass included; none when the game is over.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;
    /// The position after a legal move, seen by the opponent.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;
    /// A hash of all that distinguishes two positions.
    fn key(&self, position: &Self::Position) -> u64;
    /// A short name of the move for tables and histories; equal for the same move in other
    /// positions. Never `u16::MAX`.
    fn code(&self, mv: Self::Move) -> u16;
    /// Plies that a move uses up: a forced pass may be free.
    fn cost(&self, _mv: Self::Move) -> Depth {
        1
    }
}

/// How perft counts passes and early ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftRule {
    /// A forced pass is a ply; a game that is over early counts as one leaf.
    PassPly,
    /// A forced pass is a ply; a game that is over early counts nothing.
    Full,
    /// Only moves that cost depth count as plies; a game that is over early counts as one leaf.
    DiscPly,
}

/// In whose words a move or a position is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// The game's own: `D3`, `PASS`; GTP uses it.
    #[default]
    Plain,
    /// Generic Game Format and NBoard: `D3`, `PA`.
    Ggf,
    /// UCI with variants, and XBoard: `P@d6`, `b2b3`; positions as FEN.
    Uci,
}

/// A position text that could not be read: what was expected and what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// A board to draw: rows from top to bottom, one character a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The squares, row by row.
    pub rows: Vec<Vec<char>>,
    /// True when row 1 is drawn at the top (Reversi), false when it is at the bottom (chess).
    pub first_row_on_top: bool,
}

impl Grid {
    /// The board with its coordinates, a line a row, without empty lines.
    pub fn draw(&self) -> String {
        let width = self.rows.first().map_or(0, Vec::len);
        let files: String = (0..width).map(|file| format!(" {}", (b'a' + file as u8) as char)).collect();
        let mut picture = format!("  {files}\n");
        for (index, row) in self.rows.iter().enumerate() {
            let number = if self.first_row_on_top { index + 1 } else { self.rows.len() - index };
            let squares: String = row.iter().map(|square| format!(" {square}")).collect();
            picture.push_str(&format!("{number:2}{squares} {number}\n"));
        }
        picture + "  " + &files + "\n"
    }
}

/// How a game's moves and positions are named. All of it is for people and protocols: the search
/// never calls it.
pub trait Notation: Game {
    /// The game's name on the command line and in `--game`, in lower case.
    fn name(&self) -> &'static str;
    /// Other names that hosts use for it, compared without regard to case.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }
    /// What the two players are called, the first mover before the other.
    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }
    /// The name of a legal move.
    fn show_move(&self, position: &Self::Position, mv: Self::Move, style: Style) -> String;
    /// The legal move of that name, in any case; `None` when there is no such legal move.
    fn read_move(&self, position: &Self::Position, text: &str, style: Style) -> Option<Self::Move> {
        self.moves(position).find(|&mv| self.show_move(position, mv, style).eq_ignore_ascii_case(text))
    }
    /// The position on one line, so that [`Notation::read_position`] reads it again.
    fn show_position(&self, position: &Self::Position, side: Side, style: Style) -> String;
    /// Reads a position of one line and says who is to move.
    fn read_position(&self, text: &str, style: Style) -> Result<(Self::Position, Side), PositionError>;
    /// The board as a grid of characters, if the game has one.
    fn grid(&self, position: &Self::Position, side: Side) -> Option<Grid>;
    /// The variant's name in UCI and XBoard, if hosts know it by one.
    fn variant(&self) -> Option<&'static str> {
        None
    }
    /// True for a pass.
    fn is_pass(&self, _mv: Self::Move) -> bool {
        false
    }
    /// True for any spelling of a pass.
    fn is_pass_word(&self, _text: &str) -> bool {
        false
    }
    /// A pass on a finished game, where hosts of that style ask for one; it changes nothing but the
    /// turn.
    fn closing_pass(&self, _position: &Self::Position, _style: Style) -> Option<Self::Move> {
        None
    }
    /// Discs or points of the first and the second player, where the game counts them.
    fn points(&self, _position: &Self::Position, _side: Side) -> Option<[u32; 2]> {
        None
    }
    /// How perft counts in this game unless it is told otherwise.
    fn perft_rule(&self) -> PerftRule {
        PerftRule::Full
    }
    /// Splits a run of moves without blanks (`f5d6c3`); the default splits at white space only.
    fn split_moves(&self, text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }
    /// Lines of its protocol by which XBoard draws a game that it does not know: `setup`, `piece`.
    fn drawing(&self) -> Option<String> {
        None
    }
    /// What a host has to know to draw the game itself, in UCI's words: files, ranks, start.
    fn variant_facts(&self) -> Option<String> {
        None
    }
}

/// Judgement of a position, with a memory (pattern indices, material) kept on the search stack.
pub trait Eval<G: Game>: Send + Sync + 'static {
    /// What is carried along a line of play.
    type State: Clone + Send;
    /// The memory for a position that comes from nowhere.
    fn fresh(&self, position: &G::Position) -> Self::State;
    /// The memory after a move.
    fn advance(&self, state: &Self::State, position: &G::Position, mv: G::Move, child: &G::Position) -> Self::State;
    /// The memory after a pass, which leads to the position `passed`.
    #[inline(always)]
    fn pass(&self, _state: &Self::State, passed: &G::Position) -> Self::State {
        self.fresh(passed)
    }
    /// The value for the side to move, strictly inside the win band.
    fn score(&self, state: &Self::State, position: &G::Position) -> Score;
    /// What a finished position counts for the textbook's searchers: the final score by the rules, unless the evaluation
    /// judges the end like any other position. The production search keeps to the rules.
    fn finished(&self, _position: &G::Position, rules: Score) -> Score {
        rules
    }
}

/// The judgement of those who have none: every unfinished position is worth nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flat;

impl<G: Game> Eval<G> for Flat {
    type State = ();
    fn fresh(&self, _: &G::Position) {}
    fn advance(&self, (): &(), _: &G::Position, _: G::Move, _: &G::Position) {}
    fn score(&self, (): &(), _: &G::Position) -> Score {
        0
    }
}

/// How sure a value is, from rough to exact; the percentages are what users of other engines know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selectivity(pub u8);

impl Selectivity {
    /// Nothing is left out.
    pub const EXACT: Selectivity = Selectivity(5);
    /// The percentages of the levels, from the least sure to the exact one.
    pub const PERCENT: [u8; 6] = [73, 87, 95, 98, 99, 100];

    /// The confidence in percent: 73, 87, 95, 98, 99 or 100.
    pub fn percent(self) -> u8 {
        Self::PERCENT[usize::from(self.0).min(5)]
    }

    /// The level of that percentage, or the next surer one.
    pub fn from_percent(percent: u8) -> Selectivity {
        let level = Self::PERCENT.iter().position(|&p| p >= percent).unwrap_or(5);
        Selectivity(level as u8)
    }
}

/// One step of iterative deepening: how deep, and how sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Plies to search.
    pub depth: Depth,
    /// How much may be cut on the word of a shallower search.
    pub selectivity: Selectivity,
    /// Asks only who wins: the window is a unit on both sides of a draw.
    pub outcome_only: bool,
}

impl Effort {
    /// So many plies at full width.
    pub fn plies(depth: Depth) -> Effort {
        Effort { depth, selectivity: Selectivity::EXACT, outcome_only: false }
    }
}

/// What is left to spend on a search, counted in positions to enter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    /// Up to the node limit; `None` without one.
    pub nodes: Option<u64>,
    /// Up to the hard bound of time, or a good half beyond the soft one if that comes first, at the pace of the search
    /// so far; `None` without a bound.
    pub time: Option<u64>,
}

/// What a finished step claims about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// An estimate at some depth, cut by ProbCut at this confidence (100: full width).
    Estimate(u8),
    /// The end of the game was reached, but some lines were cut at this confidence, in percent.
    Selective(u8),
    /// Only won, drawn or lost is certain.
    WinLossDraw,
    /// The value of perfect play.
    Exact,
}

/// A bet of ProbCut: a search to `depth` whose value passes `beta + margin` (or stays below
/// `alpha - margin`, both after scaling) stands for the deep one.
#[derive(Clone, Copy, Debug)]
pub struct ProbCut {
    /// Depth of the shallow search; 0 if the evaluation speaks alone.
    pub depth: Depth,
    /// Expected deep value minus shallow value.
    pub bias: Score,
    /// Standard deviations times the confidence of the present selectivity.
    pub margin: Score,
    /// How far short of that the evaluation may fall for the shallow search to be worth its while.
    pub slack: Score,
}

/// A trick of the search that an experiment may do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trick {
    /// Values of the table end the search of a position.
    TableValues,
    /// Moves of the table are tried first.
    TableMoves,
    /// Killers.
    Killers,
    /// The history.
    History,
    /// What a move was worth after the one before it.
    Continuation,
    /// Captures and promotions beyond the horizon.
    Quiescence,
    /// The null move.
    NullMove,
    /// Late quiet moves are searched less deep.
    Reductions,
    /// Hopeless and good enough positions near the horizon are not searched.
    Pruning,
    /// Threatened positions are searched deeper.
    Extensions,
    /// Moves that no other move comes near are searched deeper.
    Singular,
    /// Endgame tables.
    Tables,
}

impl Trick {
    /// Every trick with the name that experiments use.
    pub const NAMES: [(&'static str, Trick); 12] = [
        ("table-values", Trick::TableValues),
        ("table-moves", Trick::TableMoves),
        ("killers", Trick::Killers),
        ("history", Trick::History),
        ("continuation", Trick::Continuation),
        ("quiescence", Trick::Quiescence),
        ("null-move", Trick::NullMove),
        ("reductions", Trick::Reductions),
        ("pruning", Trick::Pruning),
        ("extensions", Trick::Extensions),
        ("singular", Trick::Singular),
        ("tables", Trick::Tables),
    ];
}

/// What the search may do with a game. Every default is "no"; hooks state facts, the search acts.
///
/// Constants rather than run-time switches: a hook that is off is not compiled in.
pub trait Tactics<G: Game, E: Eval<G>>: Send + Sync + 'static {
    /// The processor level that the recursion is compiled for.
    type Level: Level;
    /// Follow captures and promotions at the horizon.
    const QUIESCENCE: bool = false;
    /// Try to pass where passing is not a legal move.
    const NULL_MOVE: bool = false;
    /// Remember quiet moves that cut at the same ply.
    const KILLERS: bool = false;
    /// Remember quiet moves that cut anywhere.
    const HISTORY: bool = false;
    /// Remember quiet moves that cut after a certain move, by [`Tactics::theme`].
    const CONTINUATION: bool = false;
    /// Search late quiet moves less deep.
    const REDUCTIONS: bool = false;
    /// Search moves from this index on two plies less deep, from this depth on. An even number of plies keeps the side
    /// that moves last.
    const PAIR_LATE: Option<(Depth, usize)> = None;
    /// Near the horizon, believe a judgement that is far outside the window.
    const PRUNING: bool = false;
    /// Search positions one ply deeper whose side to move is [threatened](Tactics::threatened).
    const EXTENSIONS: bool = false;
    /// Search the table's move deeper where no other move comes near it.
    const SINGULAR: bool = false;
    /// Half the width of the first aspiration window.
    const ASPIRATION: Score = 3 * UNIT;
    /// Cut on the word of shallower searches.
    const PROBCUT: bool = false;
    /// From this depth on moves are sorted by the value of the position after them.
    const PRESORT: Option<Depth> = None;
    /// Make moves as they are needed: the table's, then the noisy ones, and the quiet ones only when
    /// no noisy move is left that ranks above [`QUIET_BELOW`].
    const STAGED: bool = false;
    /// Hand positions near the end to [`Tactics::solve`].
    const SOLVER: bool = false;
    /// The value must be that of a search of exactly the asked depth: the table answers for the
    /// same depth only, and no node is searched less deep for being unknown.
    const EXACT_DEPTH: bool = false;

    /// A rank for move ordering: the higher, the earlier. Equal ranks keep the game's order. Noisy moves rank
    /// above [`QUIET_BELOW`] as if none of them lost material.
    fn order(&self, _game: &G, _position: &G::Position, _mv: G::Move) -> i32 {
        0
    }
    /// True if a noisy move is thought to lose material, which is asked only once its turn has come: it is then tried
    /// after all others, and quiescence leaves it out.
    #[inline(always)]
    fn loses(&self, _game: &G, _position: &G::Position, _mv: G::Move) -> bool {
        false
    }
    /// True if the answer to a quiet move is thought to win more than so much at once.
    #[inline(always)]
    fn gives_away(&self, _game: &G, _position: &G::Position, _mv: G::Move, _most: Score) -> bool {
        false
    }
    /// True for moves that quiescence follows and that reductions spare.
    fn noisy(&self, _position: &G::Position, _mv: G::Move) -> bool {
        false
    }
    /// Calls `each` with all noisy moves: lists that are made to be handed over cost a tenth of a fast search.
    #[inline(always)]
    fn noisy_moves(&self, game: &G, position: &G::Position, each: impl FnMut(G::Move)) {
        game.moves(position).filter(|&mv| self.noisy(position, mv)).for_each(each);
    }
    /// Calls `each` with all other moves.
    #[inline(always)]
    fn quiet_moves(&self, game: &G, position: &G::Position, each: impl FnMut(G::Move)) {
        game.moves(position).filter(|&mv| !self.noisy(position, mv)).for_each(each);
    }
    /// The move of this code, if it can be told without making all moves that it is one here.
    #[inline(always)]
    fn recalled(&self, _game: &G, _position: &G::Position, _code: u16) -> Option<G::Move> {
        None
    }
    /// The most that a noisy move can gain at once.
    fn gain(&self, _position: &G::Position, _mv: G::Move) -> Score {
        INFINITE
    }
    /// The value of perfect play where no search is needed to know it (a king that can be taken, an
    /// endgame table); win scores count from this position. Never asked at the root.
    #[inline(always)]
    fn known(&self, _position: &G::Position) -> Option<Score> {
        None
    }
    /// True if the side to move must answer a threat that a calm judgement does not see (its king
    /// can be taken): no standing pat, no pass, no pruning there.
    #[inline(always)]
    fn threatened(&self, _position: &G::Position) -> bool {
        false
    }
    /// Whether the position after the move is [`Tactics::threatened`]; asked where nothing is [`Tactics::known`] of the
    /// position before it.
    #[inline(always)]
    fn threatens(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        self.threatened(&game.play(position, mv))
    }
    /// A coarse name of the move below [`THEMES`], not 0, for what is remembered about pairs of
    /// moves (which man goes where).
    #[inline(always)]
    fn theme(&self, _mv: G::Move) -> usize {
        0
    }
    /// The position after passing, where that is a sound test (no zugzwang in sight).
    fn null(&self, _position: &G::Position) -> Option<G::Position> {
        None
    }
    /// The bets worth trying at this depth, the best first; the search takes them in turn.
    fn probcut(
        &self,
        _position: &G::Position,
        _depth: Depth,
        _selectivity: Selectivity,
    ) -> impl Iterator<Item = ProbCut> {
        std::iter::empty()
    }
    /// Plies to the certain end of the game, counted as [`Game::cost`] counts, if that is known
    /// (Reversi: empty squares). A search at least that deep sees everything.
    fn horizon(&self, _position: &G::Position) -> Option<Depth> {
        None
    }
    /// The step after `last` in iterative deepening, at most `limit` plies deep and within `means`; `None` when
    /// nothing more can be learned.
    fn next(&self, _position: &G::Position, last: Option<Effort>, limit: Depth, _means: Means) -> Option<Effort> {
        let depth = last.map_or(1, |effort| effort.depth + 1);
        (depth <= limit).then_some(Effort::plies(depth))
    }
    /// The value of perfect play (at the budget's selectivity), fail-soft against the window;
    /// called only where `depth >= horizon`. `None` when the budget ran out.
    fn solve(
        &self,
        _eval: &E,
        _state: &E::State,
        _position: &G::Position,
        _window: (Score, Score),
        _budget: &mut Budget<'_>,
    ) -> Option<Score> {
        None
    }
    /// The best move as far as the solver remembers the position, to complete a solved line.
    fn remembered(&self, _game: &G, _position: &G::Position) -> Option<G::Move> {
        None
    }
    /// How many more moves the side to move will make in this game, for the clock.
    fn moves_left(&self, _position: &G::Position) -> u32 {
        30
    }
    /// How many moves it may have to make until the game ends, those included that take no time.
    fn moves_to_end(&self, position: &G::Position) -> u32 {
        self.moves_left(position)
    }
    /// The share of an even split of the clock that this move deserves, in percent.
    fn weight(&self, _position: &G::Position) -> u32 {
        100
    }
    /// Whether a trick that is compiled in is used in this search: experiments switch tricks off one
    /// by one.
    #[inline(always)]
    fn uses(&self, _trick: Trick) -> bool {
        true
    }
    /// For watching: a node is entered, `ply` moves from the root, to be searched so deep.
    #[inline(always)]
    fn enter(&self, _position: &G::Position, _ply: usize, _window: (Score, Score), _depth: Depth) {}
    /// For watching: the node entered last is left with its value.
    #[inline(always)]
    fn leave(&self, _value: Score) {}
    /// For watching: the node entered last, and not yet left, leaves out so many of its moves.
    #[inline(always)]
    fn cut(&self, _left_out: usize) {}
    /// There is time until then, before the first search: memory that it will need can be made ready.
    fn prepare(&self, _until: Instant) {}
    /// A search begins: tables of its own may count their age.
    fn begin(&self) {}
    /// Forgets what belongs to the game before (tables of its own).
    fn forget(&self) {}
}

/// No tricks: plain alpha-beta with the game's own order of moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<G: Game, E: Eval<G>> Tactics<G, E> for Plain {
    type Level = Base;
}
