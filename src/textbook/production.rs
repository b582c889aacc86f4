//! The production search as one of the textbook's algorithms: every technique that may change a value is off, the moves
//! come in the configured order, and a tracer receives the steps.

use super::move_order::MoveOrder;
use super::oracle::Oracle;
use super::tracer::Tracer;
use super::types::{FULL_WINDOW, MoveScorer, SearchConfig, SearchInput, SearchOutput};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::level::{Base, Supported};
use crate::search::limits::{Limits, Stop};
use crate::search::margins::{HistoryMargins, Margins, OrderingMargins};
use crate::search::policy::{SearchPolicy, Technique};
use crate::search::result::SearchParameters;
use crate::search::technique::Observer;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Depth, IterationPlan, RemainingBudget, Score, WIN, WIN_IN_MAX_PLY};
use crate::search::worker::SearchContext;
use crate::support::random::splitmix64;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// MiB of the transposition table: enough for the depths of the textbook.
const HASH: usize = 16;

/// Searches a position until the configured depth is done or the search is stopped.
pub(super) fn search<G, E, O>(
    input: &SearchInput<'_, G, E>,
    config: SearchConfig,
    stop: &Stop,
    tracer: &mut O,
) -> SearchOutput<G::Move>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
    O: Tracer<G>,
{
    let SearchInput { game, eval, root, .. } = *input;
    let static_value = input.static_value(root);
    if config.depth <= 0 || game.outcome(root).is_some() {
        tracer.enter(root, None, FULL_WINDOW);
        tracer.leave(static_value);
        return SearchOutput { pv: Vec::new(), score: static_value, nodes: 1, cutoffs: 0, leaves: 1, depth: 0 };
    }
    let policy = TextbookPolicy::new(input, config, O::ENABLED);
    let context = SearchContext { game: game.clone(), eval: eval.clone(), policy };
    let limits = Limits { depth: Some(config.depth.unsigned_abs()), ..Limits::default() };
    let request = SearchParameters { limits, multipv: 1, only: input.only.clone(), threads: 1, draw: 0 };
    let table = TranspositionTable::new(HASH).expect("a small table");
    let result = iterative_deepening::search(&context, &table, root, &request, stop, &mut |_| ());
    let TextbookPolicy { nodes, leaves, cutoffs, steps, .. } = context.policy;
    replay(game, &steps.into_inner().unwrap_or_else(PoisonError::into_inner), tracer);
    SearchOutput {
        pv: result.pv,
        score: result.best.as_ref().map_or(static_value, |best| without_mate_distance(best.score)),
        nodes: nodes.into_inner(),
        cutoffs: cutoffs.into_inner(),
        leaves: leaves.into_inner(),
        depth: result.best.map_or(0, |best| best.depth),
    }
}

/// The textbook's scores do not count the plies to a win.
fn without_mate_distance(score: Score) -> Score {
    if score.abs() >= WIN_IN_MAX_PLY { score.signum() * WIN } else { score }
}

/// A step of the production search.
enum Step<P> {
    /// A position is entered with a window; a leaf is not searched further.
    Enter { position: P, window: (Score, Score), is_leaf: bool },
    /// The position entered last is left with a value.
    Leave(Score),
    /// A cutoff at the position entered last.
    Cutoff,
}

/// A search policy without any selective technique: it orders the moves as configured, counts, and records the steps.
struct TextbookPolicy<G: Game, E> {
    game: G,
    eval: E,
    config: SearchConfig,
    scorer: MoveScorer<G>,
    oracle: Mutex<Oracle>,
    /// Depth of the node entered last, for the oracle.
    depth: AtomicI32,
    nodes: AtomicU64,
    leaves: AtomicU64,
    cutoffs: AtomicU64,
    records_steps: bool,
    steps: Mutex<Vec<Step<G::Position>>>,
}

impl<G: Game + Clone, E: Eval<G> + Clone> TextbookPolicy<G, E> {
    fn new(input: &SearchInput<'_, G, E>, config: SearchConfig, records_steps: bool) -> TextbookPolicy<G, E> {
        TextbookPolicy {
            game: input.game.clone(),
            eval: input.eval.clone(),
            config,
            scorer: input.scorer.clone(),
            oracle: Mutex::default(),
            depth: AtomicI32::new(config.depth),
            nodes: AtomicU64::new(0),
            leaves: AtomicU64::new(0),
            cutoffs: AtomicU64::new(0),
            records_steps,
            steps: Mutex::default(),
        }
    }

    fn record(&self, step: impl FnOnce(&G) -> Step<G::Position>) {
        if self.records_steps {
            self.steps.lock().unwrap_or_else(PoisonError::into_inner).push(step(&self.game));
        }
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> SearchPolicy<G, E> for TextbookPolicy<G, E> {
    type Level = Base;
    const MARGINS: Margins = Margins {
        ordering: OrderingMargins { killers: true, history: Some(HistoryMargins::DEFAULT), ..OrderingMargins::NONE },
        ..Margins::NONE
    };
    const EXACT_DEPTH: bool = true;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }

    fn score_move(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        let input = || SearchInput { scorer: self.scorer.clone(), ..SearchInput::new(game, &self.eval, position) };
        match self.config.order {
            MoveOrder::Natural | MoveOrder::Killers | MoveOrder::History | MoveOrder::Previous => 0,
            MoveOrder::Reverse => game.moves(position).take_while(|other| *other != mv).count() as i32,
            MoveOrder::Random(seed) => {
                let number = splitmix64(splitmix64(seed ^ game.key(position)) ^ u64::from(game.code(mv)));
                (number >> 40) as i32
            }
            MoveOrder::Static => -input().static_value(&game.play(position, mv)),
            MoveOrder::Heuristic => (self.scorer)(position, mv),
            MoveOrder::Perfect => {
                let mut oracle = self.oracle.lock().unwrap_or_else(PoisonError::into_inner);
                -oracle.value(&input(), &game.play(position, mv), self.depth.load(Relaxed) - 1)
            }
        }
    }

    fn next_iteration(
        &self,
        _: &G::Position,
        last: Option<IterationPlan>,
        limit: Depth,
        _: RemainingBudget,
    ) -> Option<IterationPlan> {
        let depth = last.map_or(if self.config.deepens() { 1 } else { limit }, |last| last.depth + 1);
        (depth <= limit).then_some(IterationPlan::plies(depth))
    }

    fn is_enabled(&self, technique: Technique) -> bool {
        match technique {
            Technique::TableValues => self.config.table,
            Technique::TableMoves => self.config.table || self.config.order == MoveOrder::Previous,
            Technique::Killers => self.config.order == MoveOrder::Killers,
            Technique::History => self.config.order == MoveOrder::History,
            // Off by this policy's constants.
            Technique::Continuation
            | Technique::Quiescence
            | Technique::NullMove
            | Technique::Reductions
            | Technique::Pruning
            | Technique::CheckExtensions
            | Technique::Singular
            | Technique::Tables => false,
        }
    }

    fn observer(&self) -> Option<&impl Observer<G>> {
        Some(self)
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> Observer<G> for TextbookPolicy<G, E> {
    fn enter(&self, position: &G::Position, _: usize, window: (Score, Score), depth: Depth) {
        self.depth.store(depth, Relaxed);
        self.nodes.fetch_add(1, Relaxed);
        self.leaves.fetch_add(u64::from(depth <= 0), Relaxed);
        self.record(|game| {
            let is_leaf = depth <= 0 || game.outcome(position).is_some();
            Step::Enter { position: position.clone(), window, is_leaf }
        });
    }

    fn leave(&self, value: Score) {
        self.record(|_| Step::Leave(value));
    }

    fn cutoff(&self, pruned: usize) {
        self.cutoffs.fetch_add(u64::from(pruned > 0), Relaxed);
        self.record(|_| Step::Cutoff);
    }
}

/// A node on the path from the root to the present node.
struct PathNode<'a, G: Game> {
    position: &'a G::Position,
    /// The moves entered so far.
    searched: Vec<G::Move>,
    is_leaf: bool,
}

/// Reports the recorded steps to the tracer. The steps hold positions only; the moves between them are found again.
fn replay<G: Game, O: Tracer<G>>(game: &G, steps: &[Step<G::Position>], tracer: &mut O) {
    let mut path: Vec<PathNode<'_, G>> = Vec::new();
    for step in steps {
        match step {
            Step::Enter { position, window: (alpha, beta), is_leaf } => {
                let mv = path.last_mut().and_then(|parent| {
                    let mv = game.moves(parent.position).find(|&mv| game.play(parent.position, mv) == *position)?;
                    parent.searched.push(mv);
                    Some(mv)
                });
                tracer.enter(position, mv, (without_mate_distance(*alpha), without_mate_distance(*beta)));
                path.push(PathNode { position, searched: Vec::new(), is_leaf: *is_leaf });
            }
            Step::Leave(value) => {
                // An inner node without a searched move took its value from the transposition table.
                if path.pop().is_some_and(|node| node.searched.is_empty() && !node.is_leaf) {
                    tracer.table_hit();
                }
                tracer.leave(without_mate_distance(*value));
            }
            Step::Cutoff => {
                let Some(PathNode { position, searched, .. }) = path.last() else { continue };
                game.moves(position).filter(|mv| !searched.contains(mv)).for_each(|mv| tracer.prune(mv));
            }
        }
    }
}
