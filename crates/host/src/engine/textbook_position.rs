//! The textbook's searchers on a position of any game, as text and plain data.

use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::{Notation, Style};
use flipside_core::search::policy::Technique;
use flipside_core::search::result::{Iteration, SearchParameters};
use flipside_core::search::searcher::Searcher;
use flipside_core::search::types::{Certainty, Depth, Side};
use flipside_support::thread_pool;
use flipside_textbook::count;
use flipside_textbook::game::TextbookGame;
use flipside_textbook::policy_tree::{self, Policy};
use flipside_textbook::searcher;
use flipside_textbook::trace::Presentation;
use flipside_textbook::trace_tree::TraceTree;
use flipside_textbook::traced_search::{Drawing, NotDrawn, TracedSearch};
use flipside_textbook::tracer::NoTracer;
use flipside_textbook::types::{Finished, SearchConfig, SearchOutput};
use flipside_textbook::units::Units;
use std::sync::Arc;

/// Why a position is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSolved {
    /// The game has no exact solver.
    #[error("the game has no exact solver: Reversi of any size has one")]
    NoSolver,
    /// The limits were too small.
    #[error("not solved within the limits, after {0} positions")]
    Stopped(u64),
}

/// A position with the rules, the evaluation and the policy of its game. Moves are in lower case.
pub trait TextbookPosition {
    /// Whether the game has what the technique needs.
    fn offers(&self, technique: Technique) -> bool;
    /// Whether every legal move has a class for the order `rule`.
    fn has_rule_order(&self) -> bool;
    /// Positions of the whole tree to this depth, the root included.
    fn positions(&self, depth: Depth) -> u64;
    /// Searches until the configured depth is done or the search is stopped; calls `report` after every iteration.
    fn search(
        &self,
        config: SearchConfig,
        stop: &Stop,
        report: &mut dyn FnMut(Finished<'_, String>),
    ) -> SearchOutput<String>;
    /// Searches and draws the tree of the search, or the graph in which each position appears once; `side` is to move
    /// at the root.
    ///
    /// # Errors
    /// Nothing was searched.
    fn trace(&self, config: SearchConfig, side: Side, as_graph: bool) -> Result<Drawing, NotDrawn>;
    /// The policy that a search proves for the side to move; `None` if it is too large to draw.
    fn policy(&self, config: SearchConfig, side: Side) -> Option<Policy>;
    /// The value of perfect play, within the limits, with best play for both sides.
    ///
    /// # Errors
    /// The game has no exact solver, or the limits are too small.
    fn solve(&self, limits: Limits, threads: usize) -> Result<Iteration<String>, NotSolved>;
}

pub(super) struct GamePosition<G: Notation> {
    game: TextbookGame<G>,
    root: G::Position,
}

impl<G: Notation + Clone> GamePosition<G> {
    pub fn new(rules: G, searcher: Arc<dyn Searcher<G>>, root: G::Position) -> GamePosition<G> {
        GamePosition { game: TextbookGame::new(rules, searcher), root }
    }

    fn name(&self, position: &G::Position, mv: G::Move) -> String {
        self.game.rules.show_move(position, mv, Style::Plain).to_ascii_lowercase()
    }

    fn shown<R>(&self, use_it: impl FnOnce(Presentation<'_, TextbookGame<G>>) -> R) -> R {
        use_it(Presentation {
            names: &|position, mv| Some(self.name(position, mv)),
            pruned: &|_, _| TraceTree::default(),
            units: &Units::from,
        })
    }

    fn names(&self, moves: &[G::Move]) -> Vec<String> {
        let names = self.game.rules.show_line(&self.root, moves, Style::Plain);
        names.into_iter().map(|name| name.to_ascii_lowercase()).collect()
    }

    fn named(&self, output: &SearchOutput<G::Move>) -> SearchOutput<String> {
        let SearchOutput { score, nodes, cutoffs, leaves, depth, ref pv } = *output;
        SearchOutput { pv: self.names(pv), score, nodes, cutoffs, leaves, depth }
    }
}

impl<G: Notation + Clone> TextbookPosition for GamePosition<G> {
    fn offers(&self, technique: Technique) -> bool {
        self.game.searcher.offers(technique)
    }

    fn has_rule_order(&self) -> bool {
        self.game.rules.moves(&self.root).all(|mv| self.game.searcher.move_class(&self.root, mv).is_some())
    }

    fn positions(&self, depth: Depth) -> u64 {
        count::positions(&self.game, &self.root, depth)
    }

    fn search(
        &self,
        config: SearchConfig,
        stop: &Stop,
        report: &mut dyn FnMut(Finished<'_, String>),
    ) -> SearchOutput<String> {
        let mut report = |Finished { output, time, root_searches }: Finished<'_, G::Move>| {
            report(Finished { output: &self.named(output), time, root_searches });
        };
        let input = self.game.input(&self.root);
        self.named(&searcher::search_reporting(&input, config, stop, &mut NoTracer, &mut report))
    }

    fn trace(&self, config: SearchConfig, side: Side, as_graph: bool) -> Result<Drawing, NotDrawn> {
        let input = self.game.input(&self.root);
        self.shown(|shown| TracedSearch { config, input, side, shown }.draw(as_graph))
    }

    fn policy(&self, config: SearchConfig, side: Side) -> Option<Policy> {
        self.shown(|shown| policy_tree::policy(&self.game.input(&self.root), config, side, &shown))
    }

    fn solve(&self, limits: Limits, threads: usize) -> Result<Iteration<String>, NotSolved> {
        let depth = self.game.searcher.plies_to_end(&self.root).ok_or(NotSolved::NoSolver)?;
        if let Some(score) = self.game.rules.outcome(&self.root) {
            return Ok(Iteration { nodes: 1, ..Iteration::known(score, Certainty::Exact, 0, Vec::new()) });
        }
        let stop = Stop::new(&limits);
        let limits = Limits { depth: Some(depth.max(1).unsigned_abs()), ..limits };
        let parameters = SearchParameters { threads: thread_pool::useful(threads), ..SearchParameters::new(limits) };
        let result = self.game.searcher.search(&self.root, &parameters, &stop, &mut |_| ());
        let best = result.best.filter(|best| best.certainty == Certainty::Exact);
        let best = best.ok_or(NotSolved::Stopped(result.nodes))?;
        Ok(Iteration { nodes: result.nodes, pv: self.names(&result.pv), ..best.map(|_| Vec::new()) })
    }
}
