//! The algorithms of the textbook under their names, as one recursion in which each shows its few lines of its own.
//!
//! Values are for the side to move (negamax), which changes neither the tree nor the values that a trace shows.
//! After Knuth and Moore, "An analysis of alpha-beta pruning" (1975), and Pearl, "Scout" (1980).

use super::order::{Order, scramble};
use crate::search::game::{Depth, Eval, Game, INFINITE, Score, WIN, WIN_BAND};
use crate::search::limits::{Limits, Stop};
use crate::search::table::{Kind, Table};
use crate::search::worker::Brain;
use crate::search::{deepen, game::Plain};
use std::collections::HashMap;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// A searcher by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Every position to the full depth.
    Minimax,
    /// Fail-soft alpha-beta, which cuts at a value of at least beta.
    AlphaBeta,
    /// Values stay inside the window; cuts only strictly outside it.
    AlphaBetaHard,
    /// Alpha-beta in one function for both players: the same tree as [`Algorithm::AlphaBeta`].
    Negamax,
    /// First move with the full window, others with a null window and a second search where that fails.
    Scout,
    /// The production search, without selectivity, reductions, extensions and solver.
    Pvs,
}

impl Algorithm {
    /// The names with their searchers.
    pub const ALL: [(&'static str, Algorithm); 6] = [
        ("minimax", Algorithm::Minimax),
        ("alphabeta", Algorithm::AlphaBeta),
        ("alphabeta-hard", Algorithm::AlphaBetaHard),
        ("negamax", Algorithm::Negamax),
        ("scout", Algorithm::Scout),
        ("pvs", Algorithm::Pvs),
    ];
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Algorithm, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, algorithm)| *algorithm);
        let names = Self::ALL.map(|(name, _)| name).join(", ");
        found.ok_or_else(|| format!("expected one of {names}, saw '{text}'"))
    }
}

/// What is told of a search while it runs. Every default is silence.
pub trait Observer<G: Game> {
    /// A position is entered by a move (none at the root) with a window for its side to move.
    fn enter(&mut self, _position: &G::Position, _mv: Option<G::Move>, _window: (Score, Score)) {}
    /// The position entered last is left with its value for its side to move.
    fn leave(&mut self, _value: Score) {}
    /// A move of the position entered last is not looked at.
    fn prune(&mut self, _mv: G::Move) {}
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<G: Game> Observer<G> for Silent {}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Whose way.
    pub algorithm: Algorithm,
    /// In which order moves are tried.
    pub order: Order,
    /// Plies; with a move time the most plies.
    pub depth: Depth,
    /// True to remember positions; a hit needs the same depth.
    pub table: bool,
    /// Deepens step by step until this much time has passed.
    pub move_time: Option<Duration>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<M> {
    /// The best move; none on a finished game or at depth 0.
    pub best: Option<M>,
    /// The value for the side to move.
    pub score: Score,
    /// Positions entered, the root included.
    pub nodes: u64,
    /// Positions at which moves were left out; the production search does not count them.
    pub cutoffs: u64,
    /// Positions without moves or at full depth, where the value is read off.
    pub leaves: u64,
    /// Plies of the deepest finished iteration.
    pub depth: Depth,
}

/// A rank of moves: the higher, the earlier.
pub type Rank<'a, G> = &'a dyn Fn(&<G as Game>::Position, <G as Game>::Move) -> i32;

struct Run<'a, G: Game, E, O> {
    game: &'a G,
    eval: &'a E,
    plan: Plan,
    rank: Rank<'a, G>,
    observer: &'a mut O,
    table: HashMap<u64, (Depth, Score, Kind)>,
    previous: HashMap<u64, u16>,
    killers: HashMap<usize, [u16; 2]>,
    history: HashMap<u16, i32>,
    deadline: Option<Instant>,
    late: bool,
    root_best: Option<G::Move>,
    nodes: u64,
    cutoffs: u64,
    leaves: u64,
}

/// Searches a position. `rank` serves the order `heuristic`; the observer hears nothing from the production search.
pub fn search<G, E, O>(
    game: &G,
    eval: &E,
    root: &G::Position,
    plan: Plan,
    rank: Rank<'_, G>,
    observer: &mut O,
) -> Answer<G::Move>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
    O: Observer<G>,
{
    if plan.algorithm == Algorithm::Pvs {
        return production(game, eval, root, plan);
    }
    let mut run = Run {
        game,
        eval,
        plan,
        rank,
        observer,
        table: HashMap::new(),
        previous: HashMap::new(),
        killers: HashMap::new(),
        history: HashMap::new(),
        deadline: None,
        late: false,
        root_best: None,
        nodes: 0,
        cutoffs: 0,
        leaves: 0,
    };
    let window = (-WIN, WIN);
    let first = if plan.move_time.is_some() || plan.order == Order::Previous { plan.depth.min(1) } else { plan.depth };
    let start = Instant::now();
    let mut answer = Answer { best: None, score: 0, nodes: 0, cutoffs: 0, leaves: 0, depth: 0 };
    for depth in first..=plan.depth {
        run.root_best = None;
        let score = run.value(root, &eval.fresh(root), None, window, depth, 0);
        if run.late {
            break;
        }
        answer = Answer { best: run.root_best, score, depth, ..answer };
        // The first iteration always ends, so that there is a move to play.
        run.deadline = plan.move_time.map(|time| start + time);
    }
    Answer { nodes: run.nodes, cutoffs: run.cutoffs, leaves: run.leaves, ..answer }
}

/// The production search with everything off that may change a value.
fn production<G: Game + Clone, E: Eval<G> + Clone>(
    game: &G,
    eval: &E,
    root: &G::Position,
    plan: Plan,
) -> Answer<G::Move> {
    let brain = Brain { game: game.clone(), eval: eval.clone(), tactics: Plain };
    let limits = Limits {
        depth: u32::try_from(plan.depth).ok(),
        soft: plan.move_time,
        hard: plan.move_time,
        ..Limits::default()
    };
    let stop = Stop::new(&limits);
    let request = deepen::Request { limits, lines: 1, only: Vec::new(), threads: 1, draw: 0 };
    let finding = deepen::search(&brain, &Table::new(16), root, &request, &stop, &mut |_| ());
    let static_value = || game.outcome(root).unwrap_or_else(|| eval.score(&eval.fresh(root), root));
    let score = finding.best.as_ref().map_or_else(static_value, |best| best.score);
    // The textbook does not count how far away a win is.
    let score = if score.abs() >= WIN_BAND { score.signum() * WIN } else { score };
    Answer {
        best: finding.line.first().copied(),
        score,
        nodes: finding.nodes,
        cutoffs: 0,
        leaves: 0,
        depth: plan.depth,
    }
}

impl<G: Game, E: Eval<G>, O: Observer<G>> Run<'_, G, E, O> {
    fn value(
        &mut self,
        position: &G::Position,
        state: &E::State,
        mv: Option<G::Move>,
        (alpha, beta): (Score, Score),
        depth: Depth,
        ply: usize,
    ) -> Score {
        self.nodes += 1;
        self.late |= self.nodes.is_multiple_of(256) && self.deadline.is_some_and(|end| Instant::now() >= end);
        self.observer.enter(position, mv, (alpha, beta));
        let ended = self.game.outcome(position);
        let value = match ended.or_else(|| (depth <= 0).then(|| self.eval.score(state, position))) {
            Some(value) => {
                self.leaves += 1;
                value
            }
            None => match self.remembered(position, (alpha, beta), depth) {
                Some(value) if ply > 0 => value,
                _ => self.inner(position, state, (alpha, beta), depth, ply),
            },
        };
        self.observer.leave(value);
        value
    }

    fn inner(
        &mut self,
        position: &G::Position,
        state: &E::State,
        (alpha, beta): (Score, Score),
        depth: Depth,
        ply: usize,
    ) -> Score {
        use Algorithm::{AlphaBetaHard, Minimax, Scout};
        let algorithm = self.plan.algorithm;
        let moves = self.ordered(position, state, depth, ply);
        let mut best = if algorithm == AlphaBetaHard { alpha } else { -INFINITE };
        let mut best_move = None;
        let mut low = alpha;
        for (index, &mv) in moves.iter().enumerate() {
            let child = self.game.play(position, mv);
            let below = self.eval.advance(state, position, mv, &child);
            let mut look = |window| -self.value(&child, &below, Some(mv), window, depth - 1, ply + 1);
            let value = match algorithm {
                Minimax => look((-WIN, WIN)),
                Scout if index > 0 && beta - low > 1 => match look((-low - 1, -low)) {
                    value if value > low && value < beta => look((-beta, -low)),
                    value => value,
                },
                _ => look((-beta, -low)),
            };
            if self.late {
                return best;
            }
            // Among equals the first searched stays.
            if value > best || best_move.is_none() {
                best_move = Some(mv);
            }
            best = best.max(value);
            low = low.max(best);
            let cut = match algorithm {
                Minimax => false,
                AlphaBetaHard => best > beta,
                _ => low >= beta,
            };
            if cut {
                let rest = &moves[index + 1..];
                self.cutoffs += u64::from(!rest.is_empty());
                rest.iter().for_each(|&mv| self.observer.prune(mv));
                self.learn_cut(mv, depth, ply);
                break;
            }
        }
        if algorithm == AlphaBetaHard {
            best = best.min(beta);
        }
        if ply == 0 {
            self.root_best = best_move;
        }
        self.remember(position, (alpha, beta), depth, best, best_move);
        best
    }

    fn remembered(&self, position: &G::Position, (alpha, beta): (Score, Score), depth: Depth) -> Option<Score> {
        let &(stored, score, kind) = self.table.get(&self.game.key(position))?;
        let usable = match kind {
            Kind::Exact => true,
            Kind::Lower => score >= beta,
            Kind::Upper => score <= alpha,
        };
        let clamped = if self.plan.algorithm == Algorithm::AlphaBetaHard { score.clamp(alpha, beta) } else { score };
        (stored == depth && usable).then_some(clamped)
    }

    fn remember(
        &mut self,
        position: &G::Position,
        window: (Score, Score),
        depth: Depth,
        best: Score,
        mv: Option<G::Move>,
    ) {
        let key = self.game.key(position);
        if let (Order::Previous, Some(mv)) = (self.plan.order, mv) {
            self.previous.insert(key, self.game.code(mv));
        }
        if self.plan.table {
            let kind = match best {
                _ if self.plan.algorithm == Algorithm::Minimax => Kind::Exact,
                _ if best >= window.1 => Kind::Lower,
                _ if best <= window.0 => Kind::Upper,
                _ => Kind::Exact,
            };
            self.table.insert(key, (depth, best, kind));
        }
    }

    fn learn_cut(&mut self, mv: G::Move, depth: Depth, ply: usize) {
        let code = self.game.code(mv);
        let killers = self.killers.entry(ply).or_insert([code; 2]);
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        *self.history.entry(code).or_default() += depth * depth;
    }

    fn ordered(&self, position: &G::Position, state: &E::State, depth: Depth, ply: usize) -> Vec<G::Move> {
        let mut moves: Vec<_> = self.game.moves(position).collect();
        let key = self.game.key(position);
        let code = |mv: &G::Move| self.game.code(*mv);
        match self.plan.order {
            Order::Natural => {}
            Order::Reverse => moves.reverse(),
            Order::Random(seed) => moves.sort_by_cached_key(|mv| scramble(scramble(seed ^ key) ^ u64::from(code(mv)))),
            Order::Heuristic => moves.sort_by_cached_key(|&mv| -(self.rank)(position, mv)),
            Order::History => moves.sort_by_cached_key(|mv| -self.history.get(&code(mv)).copied().unwrap_or(0)),
            Order::Killers => {
                let killers = self.killers.get(&ply);
                moves.sort_by_cached_key(|mv| !killers.is_some_and(|killers| killers.contains(&code(mv))));
            }
            Order::Previous => {
                let best = self.previous.get(&key);
                moves.sort_by_cached_key(|mv| best != Some(&code(mv)));
            }
            Order::Static => moves.sort_by_cached_key(|&mv| {
                let child = self.game.play(position, mv);
                let state = self.eval.advance(state, position, mv, &child);
                self.game.outcome(&child).unwrap_or_else(|| self.eval.score(&state, &child))
            }),
            Order::Perfect => {
                moves.sort_by_cached_key(|&mv| self.oracle(&self.game.play(position, mv), depth - 1, (-WIN, WIN)))
            }
        }
        moves
    }

    /// The true value, by a search of its own that nobody counts.
    fn oracle(&self, position: &G::Position, depth: Depth, (mut alpha, beta): (Score, Score)) -> Score {
        if let Some(value) = self.game.outcome(position) {
            return value;
        }
        if depth <= 0 {
            return self.eval.score(&self.eval.fresh(position), position);
        }
        let mut best = -INFINITE;
        for mv in self.game.moves(position) {
            best = best.max(-self.oracle(&self.game.play(position, mv), depth - 1, (-beta, -alpha)));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
