//! The production search as one of the textbook's algorithms: it takes the moves in the configured order, uses only the
//! configured ones of the techniques that may change a value, and reports its steps to a tracer.

use super::replay::replay;
use super::textbook_policy::TextbookPolicy;
use super::tracer::Tracer;
use super::types::{Finished, SearchConfig, SearchInput, SearchOutput, without_mate_distance};
use super::window::Window;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::iterative_deepening;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::result::{Iteration, SearchParameters};
use flipside_core::search::transposition_table::TranspositionTable;
use flipside_core::search::types::Depth;
use flipside_core::search::worker::SearchContext;

/// MiB of the transposition table: enough for the depths of the textbook.
const HASH: usize = 16;

/// Searches a position until the configured depth is done or the search is stopped; reports every iteration.
pub(super) fn search<G, E, O>(
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
    let SearchInput { game, eval, root, .. } = *input;
    let static_value = input.static_value(root);
    if config.depth <= 0 || game.outcome(root).is_some() {
        tracer.enter(root, None, Window::FULL.bounds());
        tracer.leave(static_value);
        return SearchOutput { pv: Vec::new(), score: static_value, nodes: 1, cutoffs: 0, leaves: 1, depth: 0 };
    }
    let policy = TextbookPolicy::new(input, config, O::ENABLED);
    let context = SearchContext { game: game.clone(), eval: eval.clone(), policy };
    let limits = Limits { depth: Some(config.depth.unsigned_abs()), ..Limits::default() };
    let request = SearchParameters { only: input.only.clone(), ..SearchParameters::new(limits) };
    let table = TranspositionTable::new(HASH).expect("a small table");
    let counted = |pv, score, depth| {
        let counters = &context.policy.counters;
        SearchOutput {
            pv,
            score,
            nodes: counters.nodes(),
            cutoffs: counters.cutoffs(),
            leaves: counters.leaves(),
            depth,
        }
    };
    let mut report_iteration = |iteration: Iteration<G::Move>| {
        let output = counted(iteration.pv, without_mate_distance(iteration.score), iteration.depth as Depth);
        report(Finished { output: &output, time: iteration.time, root_searches: &context.policy.take_root_searches() });
    };
    let result = iterative_deepening::search(&context, &table, root, &request, stop, &mut report_iteration);
    let (score, depth) = result.best.map_or((static_value, 0), |best| (without_mate_distance(best.score), best.depth));
    let output = counted(result.pv, score, depth as Depth);
    replay(game, &context.policy.into_steps(), tracer);
    output
}
