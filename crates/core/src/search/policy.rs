//! What the search may use of a game: its processor level, the margins of its techniques, and the
//! techniques themselves.

use super::evaluation::Eval;
use super::game::Game;
use super::history::ReductionTable;
use super::level::{Base, Level, Supported};
use super::limits::RemainingBudget;
use super::margins::Margins;
use super::technique::{Absent, CaptureSearch, ClockHints, EndgameSolver, MoveClasses, NullMove, Observer, ProbCut};
use super::types::{IterationGoal, IterationPlan, Score};

/// Scores of quiet moves are below this, killers and history included; those of noisy moves are not.
pub const QUIET_BELOW: i32 = 1 << 27;

/// What the search may use of a game. Every item has a default: a game states only what it uses,
/// and a technique that it does not offer is not compiled in.
pub trait SearchPolicy<G: Game, E: Eval<G>>: Send + Sync + 'static {
    /// The processor level that the recursion is compiled for.
    type Level: Level;
    /// The proof that the processor has the level's features.
    fn level(&self) -> Supported<Self::Level>;
    /// The numbers of the selective techniques.
    const MARGINS: Margins = Margins::NONE;
    /// True if the value must be that of a search to exactly the asked depth: the table answers
    /// for the same depth only, and internal iterative reduction is off.
    const EXACT_DEPTH: bool = false;

    /// Move-ordering score: the higher, the earlier. Equal scores keep the game's order. Noisy
    /// moves score above [`QUIET_BELOW`], as if none of them lost material.
    #[inline(always)]
    fn score_move(&self, _game: &G, _position: &G::Position, _mv: G::Move) -> i32 {
        0
    }
    /// A coarse code of the move (which piece goes where) for the continuation history: not 0, and below
    /// [`piece_to_codes`](super::margins::OrderingMargins::piece_to_codes).
    #[inline(always)]
    fn piece_to(&self, _mv: G::Move) -> usize {
        0
    }
    /// The value of perfect play where it is known without a search (a king that can be taken, an
    /// endgame table); win scores count from this position. Never asked at the root.
    #[inline(always)]
    fn probe_exact(&self, _position: &G::Position) -> Option<Score> {
        None
    }
    /// What [`probe_exact`](Self::probe_exact) knows, but a win or loss only if no other is faster: its distance is no bound.
    fn probe_distance(&self, position: &G::Position) -> Option<Score> {
        self.probe_exact(position)
    }
    /// The iteration after `last` of iterative deepening, at most `goal` and within `remaining`; `None` when nothing more can
    /// be learned.
    fn next_iteration(
        &self,
        _position: &G::Position,
        last: Option<IterationPlan>,
        goal: IterationGoal,
        _remaining: RemainingBudget<'_>,
    ) -> Option<IterationPlan> {
        let depth = last.map_or(1, |last| last.depth + 1);
        (depth <= goal.depth).then_some(IterationPlan::plies(depth))
    }
    /// Whether this search uses a technique that is compiled in: experiments disable techniques
    /// one by one.
    #[inline(always)]
    fn is_enabled(&self, _technique: Technique) -> bool {
        true
    }

    /// Late-move reductions that grow with depth and move number.
    #[inline(always)]
    fn reductions(&self) -> Option<&ReductionTable> {
        None
    }
    /// Captures and promotions: quiescence, staged generation, static exchange evaluation.
    #[inline(always)]
    fn captures(&self) -> Option<&impl CaptureSearch<G>> {
        None::<&Absent>
    }
    /// Null-move pruning.
    #[inline(always)]
    fn null_move(&self) -> Option<&impl NullMove<G>> {
        None::<&Absent>
    }
    /// ProbCut.
    #[inline(always)]
    fn probcut(&self) -> Option<&impl ProbCut<G>> {
        None::<&Absent>
    }
    /// An exact endgame solver.
    #[inline(always)]
    fn solver(&self) -> Option<&impl EndgameSolver<G, E>> {
        None::<&Absent>
    }
    /// Hints for the clock; without them it expects thirty more moves of equal weight.
    #[inline(always)]
    fn clock_hints(&self) -> Option<&impl ClockHints<G>> {
        None::<&Absent>
    }
    /// Classes of moves for the textbook's order `rule`.
    fn move_classes(&self) -> Option<&impl MoveClasses<G>> {
        None::<&Absent>
    }
    /// Watches every node.
    #[inline(always)]
    fn observer(&self) -> Option<&impl Observer<G>> {
        None::<&Absent>
    }
}

/// A technique that an experiment can disable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Cutoffs by values of the transposition table.
    TableValues,
    /// The transposition table's move is tried first.
    TableMoves,
    /// Killer moves.
    Killers,
    /// History of quiet moves.
    History,
    /// Continuation history.
    Continuation,
    /// Quiescence search.
    Quiescence,
    /// Null-move pruning.
    NullMove,
    /// Late-move reductions.
    Reductions,
    /// Futility, razoring and late-move pruning near the horizon.
    Pruning,
    /// Check extensions.
    CheckExtensions,
    /// Singular extensions.
    Singular,
    /// Endgame tables.
    Tables,
    /// Aspiration windows at the root.
    Aspiration,
    /// ProbCut.
    ProbCut,
}

impl Technique {
    /// Every technique with the name that experiments use.
    pub const NAMES: [(&'static str, Technique); 14] = [
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
        ("aspiration", Technique::Aspiration),
        ("probcut", Technique::ProbCut),
    ];

    /// The name that experiments use.
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|&(_, known)| known == self).map_or("", |(name, _)| name)
    }
}

/// A set of techniques.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TechniqueSet(u32);

impl TechniqueSet {
    /// The set with one more.
    pub fn with(self, technique: Technique) -> TechniqueSet {
        TechniqueSet(self.0 | 1 << technique as u32)
    }

    /// The set without one.
    pub fn without(self, technique: Technique) -> TechniqueSet {
        TechniqueSet(self.0 & !(1 << technique as u32))
    }

    /// Whether the technique is in the set.
    #[inline(always)]
    pub fn contains(self, technique: Technique) -> bool {
        self.0 & 1 << technique as u32 != 0
    }
}

impl FromIterator<Technique> for TechniqueSet {
    fn from_iter<I: IntoIterator<Item = Technique>>(techniques: I) -> TechniqueSet {
        techniques.into_iter().fold(TechniqueSet::default(), TechniqueSet::with)
    }
}

/// Offers no techniques: plain alpha-beta with the game's own order of moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPolicy;

impl<G: Game, E: Eval<G>> SearchPolicy<G, E> for NoPolicy {
    type Level = Base;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }
}
