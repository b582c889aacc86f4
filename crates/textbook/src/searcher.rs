//! The textbook's algorithms as one recursion; each algorithm adds only a few lines.
//!
//! Values are for the side to move (negamax). This changes neither the tree nor, seen by Max, the values in a trace.
//! After Knuth and Moore, "An analysis of alpha-beta pruning" (1975), and Pearl, "Scout" (1980).

use super::production;
use super::search_tables::SearchTables;
use super::tracer::Tracer;
use super::types::{Finished, SearchConfig, SearchInput, SearchOutput};
use super::uct;
use super::window::Window;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Budget, Limits, Stop};
use flipside_core::search::types::{Depth, INFINITE, Score};
use std::sync::atomic::AtomicU64;

/// Searches a position without a limit of time.
pub fn search<G, E, O>(input: &SearchInput<'_, G, E>, config: SearchConfig, tracer: &mut O) -> SearchOutput<G::Move>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
    O: Tracer<G>,
{
    search_until(input, config, &Stop::new(&Limits::default()), tracer)
}

/// Searches a position until the configured depth is done or the search is stopped.
pub fn search_until<G, E, O>(
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
    search_reporting(input, config, stop, tracer, &mut |_| ())
}

/// Searches a position until the configured depth is done or the search is stopped; reports every iteration.
pub fn search_reporting<G, E, O>(
    input: &SearchInput<'_, G, E>,
    config: SearchConfig,
    stop: &Stop,
    tracer: &mut O,
    report: &mut dyn FnMut(Finished<'_, G::Move>),
) -> SearchOutput<G::Move>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
    O: Tracer<G>,
{
    match config.algorithm {
        Algorithm::Pvs => production::search(input, config, stop, tracer, report),
        _ => search_iterations(input, config, stop, tracer, &mut |output| {
            report(Finished { output, time: stop.elapsed(), root_searches: &[] });
        }),
    }
}

/// Searches with an algorithm of the textbook; [`Algorithm::Pvs`] becomes [`Algorithm::Scout`], because the production
/// search is separate. Reports every iteration. Returns the output of the deepest finished iteration; if the search is
/// stopped before the first is finished, the best move so far.
pub fn search_iterations<G: Game, E: Eval<G>, O: Tracer<G>>(
    input: &SearchInput<'_, G, E>,
    config: SearchConfig,
    stop: &Stop,
    tracer: &mut O,
    report: &mut dyn FnMut(&SearchOutput<G::Move>),
) -> SearchOutput<G::Move> {
    if config.algorithm == Algorithm::Uct {
        return uct::search(input, config, stop, tracer, report);
    }
    let nodes = AtomicU64::new(0);
    let mut searcher = Searcher {
        input,
        config,
        tracer,
        tables: SearchTables::default(),
        budget: Budget::new(stop, &nodes),
        pv_table: Vec::new(),
        cutoffs: 0,
        leaves: 0,
        reached_depth: false,
    };
    let mut deepest = None;
    for depth in if config.deepens() { config.depth.min(1) } else { config.depth }..=config.depth {
        searcher.reached_depth = false;
        let score =
            searcher.search_node(input.root, &input.eval.refresh(input.root), None, config.window.bounds(), depth, 0);
        if searcher.budget.is_stopped() {
            break;
        }
        let output = searcher.output(score, depth);
        report(&output);
        deepest = Some(output);
        let out_of_time = stop.soft().is_some_and(|soft| stop.elapsed() >= soft);
        // The tree is complete if no line ended at the depth limit: a deeper search would find the same result.
        if out_of_time || !searcher.reached_depth {
            break;
        }
    }
    let output = deepest.unwrap_or_else(|| searcher.unfinished_output());
    SearchOutput { nodes: searcher.budget.nodes, cutoffs: searcher.cutoffs, leaves: searcher.leaves, ..output }
}

struct Searcher<'a, G: Game, E, O> {
    input: &'a SearchInput<'a, G, E>,
    config: SearchConfig,
    tracer: &'a mut O,
    tables: SearchTables,
    budget: Budget<'a>,
    /// The principal variation from each ply on.
    pv_table: Vec<Vec<G::Move>>,
    cutoffs: u64,
    leaves: u64,
    /// Whether a line of this iteration ended at the depth limit, not with the game.
    reached_depth: bool,
}

impl<G: Game, E: Eval<G>, O: Tracer<G>> Searcher<'_, G, E, O> {
    fn output(&self, score: Score, depth: Depth) -> SearchOutput<G::Move> {
        let pv = self.pv_table.first().cloned().unwrap_or_default();
        SearchOutput { pv, score, nodes: self.budget.nodes, cutoffs: self.cutoffs, leaves: self.leaves, depth }
    }

    /// The output if no iteration was finished: the best move so far, or any legal move.
    fn unfinished_output(&self) -> SearchOutput<G::Move> {
        let SearchInput { game, root, only, .. } = self.input;
        let mut output = self.output(self.input.static_value(root), 0);
        if output.pv.is_empty() && game.outcome(root).is_none() {
            output.pv.extend(game.moves(root).find(|mv| only.is_empty() || only.contains(mv)));
        }
        output
    }

    /// The value of a position: its final score, its static evaluation, the table's score, or that of a search.
    fn search_node(
        &mut self,
        position: &G::Position,
        accumulator: &E::Accumulator,
        mv: Option<G::Move>,
        window: (Score, Score),
        depth: Depth,
        ply: usize,
    ) -> Score {
        let SearchInput { game, eval, .. } = self.input;
        self.budget.count_node();
        if self.pv_table.len() <= ply {
            self.pv_table.push(Vec::new());
        }
        self.pv_table[ply].clear();
        self.tracer.enter(position, mv, window);
        let value = match game.outcome(position) {
            Some(value) => {
                self.leaves += 1;
                value
            }
            None if depth <= 0 => {
                self.leaves += 1;
                self.reached_depth = true;
                eval.evaluate(accumulator, position)
            }
            None => match self.probe_table(position, window, depth, ply) {
                Some(value) => {
                    self.reached_depth = true;
                    self.tracer.table_hit();
                    value
                }
                None => self.search_moves(position, accumulator, window, depth, ply),
            },
        };
        self.tracer.leave(value);
        value
    }

    fn search_moves(
        &mut self,
        position: &G::Position,
        accumulator: &E::Accumulator,
        (alpha, beta): (Score, Score),
        depth: Depth,
        ply: usize,
    ) -> Score {
        use Algorithm::{AlphaBeta, AlphaBetaHard, Minimax, Negamax, Pvs, Scout, Uct};
        let SearchInput { game, eval, .. } = self.input;
        let algorithm = self.config.algorithm;
        let moves = self.ordered_moves(position, depth, ply);
        // Fail-hard starts from alpha, fail-soft from minus infinity.
        let mut best = if algorithm == AlphaBetaHard { alpha } else { -INFINITE };
        let mut best_move = None;
        let mut low = alpha;
        for (index, &mv) in moves.iter().enumerate() {
            let child = game.play(position, mv);
            let child_accumulator = eval.update(accumulator, position, mv, &child);
            let mut search_child =
                |window| -self.search_node(&child, &child_accumulator, Some(mv), window, depth - 1, ply + 1);
            let value = match algorithm {
                Minimax => search_child(Window::FULL.bounds()),
                AlphaBeta | AlphaBetaHard | Negamax | Uct => search_child((-beta, -low)),
                Scout | Pvs if index == 0 || beta - low <= 1 => search_child((-beta, -low)),
                Scout | Pvs => match search_child((-low - 1, -low)) {
                    value if value > low && value < beta => search_child((-beta, -low)),
                    value => value,
                },
            };
            if self.budget.is_stopped() {
                return best;
            }
            // Strictly better only: among moves of equal value the first searched stays the best.
            if value > best || best_move.is_none() {
                best_move = Some(mv);
                self.update_pv(ply, mv);
            }
            best = best.max(value);
            low = low.max(best);
            let is_cutoff = match algorithm {
                Minimax => false,
                AlphaBetaHard => best > beta,
                _ => low >= beta,
            };
            if is_cutoff {
                let pruned = &moves[index + 1..];
                self.cutoffs += u64::from(!pruned.is_empty());
                pruned.iter().for_each(|&mv| self.tracer.prune(mv));
                self.tables.update_on_cutoff(self.config.order, game.code(mv), depth, ply);
                break;
            }
        }
        if algorithm == AlphaBetaHard {
            best = best.min(beta);
        }
        if let Some(mv) = best_move {
            self.tables.store(self.config, game.key(position), (alpha, beta), depth, (best, game.code(mv)));
        }
        best
    }

    fn ordered_moves(&mut self, position: &G::Position, depth: Depth, ply: usize) -> Vec<G::Move> {
        let mut moves = self.tables.ordered_moves(self.input, self.config.order, position, depth, ply);
        if ply == 0 && !self.input.only.is_empty() {
            moves.retain(|mv| self.input.only.contains(mv));
        }
        moves
    }

    /// The table's score, clamped to the window if the algorithm is fail-hard. The root is always searched, because its
    /// best move is needed and not only its score.
    fn probe_table(&self, position: &G::Position, window: (Score, Score), depth: Depth, ply: usize) -> Option<Score> {
        if !self.config.table || ply == 0 {
            return None;
        }
        let score = self.tables.probe(self.input.game.key(position), window, depth)?;
        let fail_hard = self.config.algorithm == Algorithm::AlphaBetaHard;
        Some(if fail_hard { score.clamp(window.0, window.1) } else { score })
    }

    /// Sets the principal variation of this ply to the move followed by the next ply's principal variation.
    fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.pv_table.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend(lower.first().into_iter().flatten().copied());
    }
}
