//! What the search may do with a game.

use super::evaluation::Eval;
use super::game::Game;
use super::level::{Base, Level};
use super::limits::Budget;
use super::types::{Depth, Effort, INFINITE, RemainingBudget, Score, Selectivity, UNIT};
use std::time::Instant;

/// Ranks of quiet moves are below this, killers and history included.
pub const QUIET_BELOW: i32 = 1 << 27;

/// [`SearchPolicy::piece_to`] is below this.
pub const PIECE_TO: usize = 512;

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
pub enum Technique {
    /// Values of the table end the search of a position.
    TableValues,
    /// ScoredMoves of the table are tried first.
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
    /// Hopeless and good should_stop positions near the horizon are not searched.
    Pruning,
    /// Threatened positions are searched deeper.
    CheckExtensions,
    /// ScoredMoves that no other move comes near are searched deeper.
    Singular,
    /// Endgame tables.
    Tables,
}

impl Technique {
    /// Every trick with the name that experiments use.
    pub const NAMES: [(&'static str, Technique); 12] = [
        ("table-values", Technique::TableValues),
        ("table-moves", Technique::TableMoves),
        ("killers", Technique::Killers),
        ("history", Technique::History),
        ("continuation", Technique::Continuation),
        ("quiescence", Technique::Quiescence),
        ("null-move", Technique::NullMove),
        ("reductions", Technique::Reductions),
        ("pruning", Technique::Pruning),
        ("extensions", Technique::CheckExtensions),
        ("singular", Technique::Singular),
        ("tables", Technique::Tables),
    ];
}

/// What the search may do with a game. Every default is "no"; hooks state facts, the search acts.
///
/// Constants rather than run-time switches: a hook that is off is not compiled in.
pub trait SearchPolicy<G: Game, E: Eval<G>>: Send + Sync + 'static {
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
    /// Remember quiet moves that cut after a certain move, by [`SearchPolicy::piece_to`].
    const CONTINUATION: bool = false;
    /// Search late quiet moves less deep.
    const REDUCTIONS: bool = false;
    /// Search moves from this index on two plies less deep, from this depth on. An even number of plies keeps the side
    /// that moves last.
    const LATE_MOVE_REDUCTION: Option<(Depth, usize)> = None;
    /// Near the horizon, believe a judgement that is far outside the window.
    const PRUNING: bool = false;
    /// Search positions one ply deeper whose side to move is [in_check](SearchPolicy::in_check).
    const CHECK_EXTENSIONS: bool = false;
    /// Search the table's move deeper where no other move comes near it.
    const SINGULAR: bool = false;
    /// Half the width of the first aspiration window.
    const ASPIRATION: Score = 3 * UNIT;
    /// Cut on the word of shallower searches.
    const PROBCUT: bool = false;
    /// From this depth on moves are sorted by the value of the position after them.
    const EVALUATION_ORDERING: Option<Depth> = None;
    /// Make moves as they are needed: the table's, then the noisy ones, and the quiet ones only when
    /// no noisy move is left that ranks above [`QUIET_BELOW`].
    const STAGED_GENERATION: bool = false;
    /// Hand positions near the end to [`SearchPolicy::solve`].
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
    fn loses_more_than(&self, _game: &G, _position: &G::Position, _mv: G::Move, _most: Score) -> bool {
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
    fn decode_tt_move(&self, _game: &G, _position: &G::Position, _code: u16) -> Option<G::Move> {
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
    fn in_check(&self, _position: &G::Position) -> bool {
        false
    }
    /// Whether the position after the move is [`SearchPolicy::in_check`]; asked where nothing is [`SearchPolicy::known`] of the
    /// position before it.
    #[inline(always)]
    fn gives_check(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        self.in_check(&game.play(position, mv))
    }
    /// A coarse name of the move below [`PIECE_TO`], not 0, for what is solver_best_move about pairs of
    /// moves (which man goes where).
    #[inline(always)]
    fn piece_to(&self, _mv: G::Move) -> usize {
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
    /// The step after `last` in iterative deepening, at most `limit` plies deep and within `remaining`; `None` when
    /// nothing more can be learned.
    fn next(
        &self,
        _position: &G::Position,
        last: Option<Effort>,
        limit: Depth,
        _means: RemainingBudget,
    ) -> Option<Effort> {
        let depth = last.map_or(1, |effort| effort.depth + 1);
        (depth <= limit).then_some(Effort::plies(depth))
    }
    /// The value of perfect play (at the budget's selectivity), fail-soft against the window;
    /// called only where `depth >= horizon`. `None` when the budget ran out.
    fn solve(
        &self,
        _eval: &E,
        _state: &E::Accumulator,
        _position: &G::Position,
        _window: (Score, Score),
        _budget: &mut Budget<'_>,
    ) -> Option<Score> {
        None
    }
    /// The best move as far as the solver remembers the position, to complete a solved line.
    fn solver_best_move(&self, _game: &G, _position: &G::Position) -> Option<G::Move> {
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
    fn uses(&self, _trick: Technique) -> bool {
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
    /// There is time until then, before the first search: histories that it will need can be made ready.
    fn prepare(&self, _until: Instant) {}
    /// A search begins: tables of its own may count their age.
    fn begin(&self) {}
    /// Forgets what belongs to the game before (tables of its own).
    fn forget(&self) {}
}

/// No tricks: plain alpha-beta with the game's own order of moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPolicy;

impl<G: Game, E: Eval<G>> SearchPolicy<G, E> for NoPolicy {
    type Level = Base;
}
