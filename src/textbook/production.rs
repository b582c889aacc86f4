//! The production search as one of the textbook's searchers: everything off that may change a value, its order of moves
//! that of the plan, and an observer that may look on.

use super::memory::{FULL, Oracle, standing};
use super::order::{Order, scramble};
use super::plan::{Answer, Observer, Plan, Rank, Task};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::level::Base;
use crate::search::limits::{Limits, Stop};
use crate::search::policy::{SearchPolicy, Technique};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Depth, Effort, RemainingBudget, Score, WIN, WIN_IN_MAX_PLY};
use crate::search::worker::SearchContext;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// MiB of the table: enough for the depths of the textbook.
const HASH: usize = 16;

/// Searches a position until the end of the plan or the stop.
pub(super) fn search<G, E, O>(task: &Task<'_, G, E>, plan: Plan, stop: &Stop, observer: &mut O) -> Answer<G::Move>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
    O: Observer<G>,
{
    let Task { game, eval, root, .. } = *task;
    let value = standing(task, root);
    if plan.depth <= 0 || game.outcome(root).is_some() {
        observer.enter(root, None, FULL);
        observer.leave(value);
        return Answer { line: Vec::new(), score: value, nodes: 1, cutoffs: 0, leaves: 1, depth: 0 };
    }
    let policy = Watched::new(task, plan, O::LISTENS);
    let context = SearchContext { game: game.clone(), eval: eval.clone(), policy };
    let limits = Limits { depth: Some(plan.depth.unsigned_abs()), ..Limits::default() };
    let request = iterative_deepening::Request { limits, multipv: 1, only: task.only.clone(), threads: 1, draw: 0 };
    let result =
        iterative_deepening::search(&context, &TranspositionTable::new(HASH), root, &request, stop, &mut |_| ());
    let Watched { entered, leaves, cuts, events, .. } = context.policy;
    replay(game, &events.into_inner().unwrap_or_else(PoisonError::into_inner), observer);
    Answer {
        line: result.line,
        score: result.best.as_ref().map_or(value, |best| without_distance(best.score)),
        nodes: entered.into_inner(),
        cutoffs: cuts.into_inner(),
        leaves: leaves.into_inner(),
        depth: result.best.map_or(0, |best| best.depth),
    }
}

/// The textbook does not count how far away a win is.
fn without_distance(score: Score) -> Score {
    if score.abs() >= WIN_IN_MAX_PLY { score.signum() * WIN } else { score }
}

/// What the production search did, in the order in which it did it.
enum Event<P> {
    /// With the window, and whether the value is just read off.
    Enter(P, (Score, Score), bool),
    Leave(Score),
    Cut,
}

/// SearchPolicy that allow nothing but the order of a plan, and count what happens.
struct Watched<G: Game, E> {
    game: G,
    eval: E,
    plan: Plan,
    rank: Rank<G>,
    oracle: Mutex<Oracle>,
    /// Of the node entered last, for the oracle.
    depth: AtomicI32,
    entered: AtomicU64,
    leaves: AtomicU64,
    cuts: AtomicU64,
    listens: bool,
    events: Mutex<Vec<Event<G::Position>>>,
}

impl<G: Game + Clone, E: Eval<G> + Clone> Watched<G, E> {
    fn new(task: &Task<'_, G, E>, plan: Plan, listens: bool) -> Watched<G, E> {
        Watched {
            game: task.game.clone(),
            eval: task.eval.clone(),
            plan,
            rank: task.rank.clone(),
            oracle: Mutex::default(),
            depth: AtomicI32::new(plan.depth),
            entered: AtomicU64::new(0),
            leaves: AtomicU64::new(0),
            cuts: AtomicU64::new(0),
            listens,
            events: Mutex::default(),
        }
    }

    fn note(&self, event: impl FnOnce(&G) -> Event<G::Position>) {
        if self.listens {
            self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event(&self.game));
        }
    }
}

impl<G: Game + Clone, E: Eval<G> + Clone> SearchPolicy<G, E> for Watched<G, E> {
    type Level = Base;
    const KILLERS: bool = true;
    const HISTORY: bool = true;
    const EXACT_DEPTH: bool = true;

    fn order(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        let task = || Task { rank: self.rank.clone(), ..Task::new(game, &self.eval, position) };
        match self.plan.order {
            Order::Natural | Order::Killers | Order::History | Order::Previous => 0,
            Order::Reverse => game.moves(position).take_while(|other| *other != mv).count() as i32,
            Order::Random(seed) => {
                let number = scramble(scramble(seed ^ game.key(position)) ^ u64::from(game.code(mv)));
                (number >> 40) as i32
            }
            Order::Static => -standing(&task(), &game.play(position, mv)),
            Order::Heuristic => (self.rank)(position, mv),
            Order::Perfect => {
                let mut oracle = self.oracle.lock().unwrap_or_else(PoisonError::into_inner);
                -oracle.value(&task(), &game.play(position, mv), self.depth.load(Relaxed) - 1)
            }
        }
    }

    fn next(&self, _: &G::Position, last: Option<Effort>, limit: Depth, _: RemainingBudget) -> Option<Effort> {
        let deepens = self.plan.deepen || self.plan.order == Order::Previous;
        let depth = last.map_or(if deepens { 1 } else { limit }, |effort| effort.depth + 1);
        (depth <= limit).then_some(Effort::plies(depth))
    }

    fn uses(&self, trick: Technique) -> bool {
        match trick {
            Technique::TableValues => self.plan.table,
            Technique::TableMoves => self.plan.table || self.plan.order == Order::Previous,
            Technique::Killers => self.plan.order == Order::Killers,
            Technique::History => self.plan.order == Order::History,
            // These are off by their constants.
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

    fn enter(&self, position: &G::Position, _: usize, window: (Score, Score), depth: Depth) {
        self.depth.store(depth, Relaxed);
        self.entered.fetch_add(1, Relaxed);
        self.leaves.fetch_add(u64::from(depth <= 0), Relaxed);
        self.note(|game| Event::Enter(position.clone(), window, depth <= 0 || game.outcome(position).is_some()));
    }

    fn leave(&self, value: Score) {
        self.note(|_| Event::Leave(value));
    }

    fn cut(&self, left_out: usize) {
        self.cuts.fetch_add(u64::from(left_out > 0), Relaxed);
        self.note(|_| Event::Cut);
    }
}

/// A node on the way from the root to the present one.
struct Step<'a, G: Game> {
    position: &'a G::Position,
    /// The moves looked at.
    seen: Vec<G::Move>,
    read_off: bool,
}

/// Tells the observer what happened. The search speaks of positions; their moves are found again.
fn replay<G: Game, O: Observer<G>>(game: &G, events: &[Event<G::Position>], observer: &mut O) {
    let mut path: Vec<Step<'_, G>> = Vec::new();
    for event in events {
        match event {
            Event::Enter(position, (alpha, beta), read_off) => {
                let mv = path.last_mut().and_then(|parent| {
                    let mv = game.moves(parent.position).find(|&mv| game.play(parent.position, mv) == *position)?;
                    parent.seen.push(mv);
                    Some(mv)
                });
                observer.enter(position, mv, (without_distance(*alpha), without_distance(*beta)));
                path.push(Step { position, seen: Vec::new(), read_off: *read_off });
            }
            Event::Leave(value) => {
                if path.pop().is_some_and(|step| step.seen.is_empty() && !step.read_off) {
                    observer.recall();
                }
                observer.leave(without_distance(*value));
            }
            Event::Cut => {
                let Some(Step { position, seen, .. }) = path.last() else { continue };
                game.moves(position).filter(|mv| !seen.contains(mv)).for_each(|mv| observer.prune(mv));
            }
        }
    }
}
