//! The policy of the production search in the textbook: it orders the moves as configured, enables the configured
//! techniques, counts, and records the steps.

use super::move_order::MoveOrder;
use super::oracle::Oracle;
use super::replay::Step;
use super::techniques::{SharedHeuristics, needs_captures};
use super::types::{MoveScorer, RootSearch, SearchConfig, SearchInput};
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::history::ReductionTable;
use flipside_core::search::level::{Base, Supported};
use flipside_core::search::limits::RemainingBudget;
use flipside_core::search::margins::{HistoryMargins, Margins, OrderingMargins};
use flipside_core::search::policy::{SearchPolicy, Technique, TechniqueSet};
use flipside_core::search::technique::{CaptureSearch, NullMove, Observer, ProbCut, ProbCutTest};
use flipside_core::search::types::{Depth, IterationGoal, IterationPlan, Score, Selectivity};
use flipside_support::random::splitmix64;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Nodes, leaves and cutoffs of a search.
#[derive(Default)]
pub(super) struct Counters {
    nodes: AtomicU64,
    leaves: AtomicU64,
    cutoffs: AtomicU64,
}

impl Counters {
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
    pub(super) fn leaves(&self) -> u64 {
        self.leaves.load(Relaxed)
    }
    pub(super) fn cutoffs(&self) -> u64 {
        self.cutoffs.load(Relaxed)
    }
}

/// A search policy whose selective techniques can all be turned off.
pub(super) struct TextbookPolicy<G: Game, E> {
    game: G,
    eval: E,
    config: SearchConfig,
    scorer: MoveScorer<G>,
    heuristics: SharedHeuristics<G>,
    /// The techniques that the game offers.
    offered: TechniqueSet,
    reductions: ReductionTable,
    oracle: Mutex<Oracle>,
    /// Depth of the node entered last, for the oracle.
    depth: AtomicI32,
    /// Nodes entered and not yet left.
    open: AtomicI32,
    pub(super) counters: Counters,
    root_searches: Mutex<Vec<RootSearch>>,
    records_steps: bool,
    steps: Mutex<Vec<Step<G::Position>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game + Clone, E: Eval<G> + Clone> TextbookPolicy<G, E> {
    pub(super) fn new(
        input: &SearchInput<'_, G, E>,
        config: SearchConfig,
        records_steps: bool,
    ) -> TextbookPolicy<G, E> {
        let techniques = Technique::NAMES.iter().map(|&(_, technique)| technique);
        TextbookPolicy {
            offered: techniques.filter(|&technique| input.heuristics.offers(technique)).collect(),
            game: input.game.clone(),
            eval: input.eval.clone(),
            config,
            scorer: input.scorer.clone(),
            heuristics: Arc::clone(&input.heuristics),
            // The scores of the textbook's move orders are not history scores, so they change no reduction.
            reductions: ReductionTable::logarithmic(0.5, 2.3, i32::MAX, 0),
            oracle: Mutex::default(),
            depth: AtomicI32::new(config.depth),
            open: AtomicI32::new(0),
            counters: Counters::default(),
            root_searches: Mutex::default(),
            records_steps,
            steps: Mutex::default(),
        }
    }

    /// The root's searches since the last call.
    pub(super) fn take_root_searches(&self) -> Vec<RootSearch> {
        std::mem::take(&mut *locked(&self.root_searches))
    }

    /// The steps of the search.
    pub(super) fn into_steps(self) -> Vec<Step<G::Position>> {
        self.steps.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, step: impl FnOnce(&G) -> Step<G::Position>) {
        if self.records_steps {
            locked(&self.steps).push(step(&self.game));
        }
    }

    fn uses(&self, technique: Technique) -> bool {
        self.config.techniques.contains(technique) && self.offered.contains(technique)
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> SearchPolicy<G, E> for TextbookPolicy<G, E> {
    type Level = Base;
    const MARGINS: Margins = Margins {
        ordering: OrderingMargins { killers: true, history: Some(HistoryMargins::DEFAULT), ..OrderingMargins::NONE },
        check_extensions: true,
        ..Margins::NONE
    };
    const EXACT_DEPTH: bool = true;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }

    fn score_move(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        let input = || SearchInput { scorer: self.scorer.clone(), ..SearchInput::new(game, &self.eval, position) };
        let before = || game.moves(position).take_while(|other| *other != mv).count() as i32;
        match self.config.order {
            MoveOrder::Natural | MoveOrder::Killers | MoveOrder::History | MoveOrder::Previous => {
                // Captures are generated first, so the natural order needs explicit scores.
                if self.captures().is_some() { -before() } else { 0 }
            }
            MoveOrder::Reverse => before(),
            MoveOrder::Random(seed) => {
                let number = splitmix64(splitmix64(seed ^ game.key(position)) ^ u64::from(game.code(mv)));
                (number >> 40) as i32
            }
            MoveOrder::Static => -input().static_value(&game.play(position, mv)),
            MoveOrder::Heuristic => (self.scorer)(position, mv),
            MoveOrder::Rule => -i32::from(self.heuristics.move_class(position, mv).unwrap_or_default()),
            MoveOrder::Perfect => {
                -locked(&self.oracle).value(&input(), &game.play(position, mv), self.depth.load(Relaxed) - 1)
            }
        }
    }

    fn next_iteration(
        &self,
        _: &G::Position,
        last: Option<IterationPlan>,
        goal: IterationGoal,
        _: RemainingBudget<'_>,
    ) -> Option<IterationPlan> {
        let depth = last.map_or(if self.config.deepens() { 1 } else { goal.depth }, |last| last.depth + 1);
        let selectivity = if self.uses(Technique::ProbCut) { Selectivity::PLAY } else { Selectivity::EXACT };
        (depth <= goal.depth).then_some(IterationPlan { selectivity, ..IterationPlan::plies(depth) })
    }

    fn is_enabled(&self, technique: Technique) -> bool {
        match technique {
            Technique::TableValues => self.config.table,
            Technique::TableMoves => self.config.table || self.config.order == MoveOrder::Previous,
            Technique::Killers => self.config.order == MoveOrder::Killers,
            Technique::History => self.config.order == MoveOrder::History,
            Technique::Aspiration
            | Technique::Quiescence
            | Technique::CheckExtensions
            | Technique::NullMove
            | Technique::Reductions
            | Technique::ProbCut => self.uses(technique),
            // The constants of this policy turn them off.
            Technique::Continuation | Technique::Pruning | Technique::Singular | Technique::Tables => false,
        }
    }

    fn reductions(&self) -> Option<&ReductionTable> {
        self.uses(Technique::Reductions).then_some(&self.reductions)
    }

    fn captures(&self) -> Option<&impl CaptureSearch<G>> {
        let is_known = needs_captures(self.config.techniques) && self.offered.contains(Technique::Quiescence);
        is_known.then_some(self)
    }

    fn null_move(&self) -> Option<&impl NullMove<G>> {
        self.uses(Technique::NullMove).then_some(self)
    }

    fn probcut(&self) -> Option<&impl ProbCut<G>> {
        self.uses(Technique::ProbCut).then_some(self)
    }

    fn observer(&self) -> Option<&impl Observer<G>> {
        Some(self)
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> CaptureSearch<G> for TextbookPolicy<G, E> {
    fn is_noisy(&self, position: &G::Position, mv: G::Move) -> bool {
        self.heuristics.is_noisy(position, mv)
    }
    fn see_ge(&self, _: &G, position: &G::Position, mv: G::Move, threshold: Score) -> bool {
        self.heuristics.see_ge(position, mv, threshold)
    }
    fn capture_gain(&self, position: &G::Position, mv: G::Move) -> Score {
        self.heuristics.capture_gain(position, mv)
    }
    fn in_check(&self, position: &G::Position) -> bool {
        self.heuristics.in_check(position)
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> NullMove<G> for TextbookPolicy<G, E> {
    fn null_move(&self, position: &G::Position) -> Option<G::Position> {
        self.heuristics.null_move(position)
    }
    fn reduction(&self, depth: Depth, above_beta: Score) -> Depth {
        self.heuristics.null_move_reduction(depth, above_beta)
    }
    fn min_depth(&self) -> Depth {
        self.heuristics.null_move_min_depth()
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> ProbCut<G> for TextbookPolicy<G, E> {
    fn tests(&self, position: &G::Position, depth: Depth, _: Selectivity) -> impl Iterator<Item = ProbCutTest> {
        let tests = self.heuristics.probcut_tests(position, depth);
        if !tests.is_empty() {
            self.record(|_| Step::ProbCut);
        }
        tests.into_iter()
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> Observer<G> for TextbookPolicy<G, E> {
    fn enter(&self, position: &G::Position, _: usize, window: (Score, Score), depth: Depth) {
        self.depth.store(depth, Relaxed);
        self.counters.nodes.fetch_add(1, Relaxed);
        self.counters.leaves.fetch_add(u64::from(depth == 0), Relaxed);
        if self.open.fetch_add(1, Relaxed) == 0 {
            let nodes = self.counters.nodes();
            locked(&self.root_searches).push(RootSearch { window, value: 0, nodes });
        }
        self.record(|game| {
            let is_leaf = depth <= 0 || game.outcome(position).is_some();
            Step::Enter { position: position.clone(), window, depth, is_leaf }
        });
    }

    fn leave(&self, value: Score) {
        if self.open.fetch_sub(1, Relaxed) == 1
            && let Some(search) = locked(&self.root_searches).last_mut()
        {
            search.value = value;
            search.nodes = self.counters.nodes() + 1 - search.nodes;
        }
        self.record(|_| Step::Leave(value));
    }

    fn cutoff(&self, pruned: usize) {
        self.counters.cutoffs.fetch_add(u64::from(pruned > 0), Relaxed);
        self.record(|_| Step::Cutoff);
    }
}
