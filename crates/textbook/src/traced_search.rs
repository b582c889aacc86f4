//! A traced search from its start to its drawing, for `flipside trace` and the browser's page.

use super::count::positions;
use super::fold::{self, Folding};
use super::policy_tree::{self, Policy};
use super::searcher;
use super::svg;
use super::trace::{Presentation, Trace};
use super::trace_graph;
use super::trace_tree::{FailedSearch, TraceTree};
use super::types::{RootSearch, SearchConfig, SearchInput};
use super::units::Units;
use super::window::RootWindow;
use flipside_core::games::tree::{TOO_MANY_VALUES, Tree};
use flipside_core::games::tree_scale::Scale;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::PositionError;
use flipside_core::search::types::{Depth, MAX_DEPTH, Side};
use serde_json::{Value, json};

/// Playouts of a traced search by UCT: few enough to look at.
pub const TRACED_PLAYOUTS: u64 = 100;

/// A search to be traced.
pub struct TracedSearch<'a, G: Game, E> {
    /// How to search.
    pub config: SearchConfig,
    /// What to search.
    pub input: SearchInput<'a, G, E>,
    /// The player to move at the root; Max is the first.
    pub side: Side,
    /// How to show it.
    pub shown: Presentation<'a, G>,
}

/// The trace and the result of a search.
struct Traced<G: Game> {
    /// Every visit.
    trace: Trace<G>,
    /// The principal variation.
    pv: Vec<G::Move>,
    /// Plies of the last iteration.
    depth: Depth,
    /// The searches of the root in that iteration.
    root_searches: Vec<RootSearch>,
}

/// The tree with its annotations.
pub struct Drawing {
    /// The tree as it was searched.
    pub tree: TraceTree,
    /// Value and visits in a line.
    pub summary: String,
    /// The same and the tree, as a JSON object.
    pub record: Value,
    /// A line for each search of the root in the last iteration.
    pub root_searches: String,
}

impl Drawing {
    /// The algorithm with value and visits.
    pub fn caption(&self, algorithm: Algorithm) -> String {
        format!("{algorithm}: {}", self.summary)
    }

    /// The tree as an SVG image with its caption, as far as the folding shows it.
    pub fn svg(&self, algorithm: Algorithm, folding: Folding) -> String {
        svg::render(&fold::folded(&self.tree, folding), &self.caption(algorithm))
    }
}

/// Why a search has no drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotDrawn {
    /// A leaf without a value was reached.
    #[error("a leaf marked ? was visited: give it a value, or let another order or algorithm cut it off")]
    Hidden,
    /// There was no search.
    #[error("nothing was searched")]
    Nothing,
}

impl<'a, G: Game + Clone, E: Eval<G> + Clone> TracedSearch<'a, G, E> {
    fn run(&self) -> Traced<G> {
        let mut trace = Trace::new(self.side);
        let mut root_searches = Vec::new();
        let stop = Stop::new(&Limits::default());
        let output = searcher::search_reporting(&self.input, self.config, &stop, &mut trace, &mut |finished| {
            root_searches = finished.root_searches.to_vec();
        });
        Traced { trace, pv: output.pv, depth: output.depth, root_searches }
    }

    /// Searches, and draws the tree of the search or the graph in which each position appears once.
    ///
    /// # Errors
    /// Nothing was searched.
    pub fn draw(&self, as_graph: bool) -> Result<Drawing, NotDrawn> {
        self.drawing(&self.run(), as_graph).ok_or(NotDrawn::Nothing)
    }

    fn drawing(&self, traced: &Traced<G>, as_graph: bool) -> Option<Drawing> {
        let TracedSearch { config, input, shown, .. } = self;
        let Traced { trace, pv, .. } = traced;
        let tree = if as_graph {
            trace_graph::graph(trace, input.game, pv, shown)
        } else {
            trace.tree(input.game, pv, shown).map(|tree| TraceTree { failed: self.failed(trace), ..tree })
        }?;
        let value = (shown.units)(trace.value()?);
        let (visited, again) = trace.visited(input.game);
        let beside = trace.beside();
        // The tree of a whole game is sampled, not counted.
        let is_sampled = config.algorithm == Algorithm::Uct;
        let total = (!is_sampled).then(|| positions(input.game, input.root, config.depth));
        let some = |count: usize, what: &str| if count > 0 { format!(", {what} {count}") } else { String::new() };
        let bound = tree.visit.map_or("", |visit| visit.bound_words());
        let summary = format!(
            "value {bound}{value}{}{}, visited {visited}{}",
            some(again, "visited again"),
            some(beside, "beside the tree"),
            total.map_or_else(String::new, |total| format!(" of {total}")),
        );
        let mut record = json!({
            "algorithm": config.algorithm.to_string(),
            "value": value.json(),
            "visited": visited,
            "again": again,
            "beside": beside,
            "tree": tree.json(),
        });
        if let (Some(total), Some(fields)) = (total, record.as_object_mut()) {
            fields.insert("of".into(), json!(total));
        }
        Some(Drawing { tree, summary, record, root_searches: self.root_searches(traced) })
    }

    /// The searches of the root in the last iteration whose windows were too narrow.
    fn failed(&self, trace: &Trace<G>) -> Vec<FailedSearch> {
        let TracedSearch { input, shown, .. } = self;
        let next = trace.failed.iter().skip(1).chain([trace]);
        let failed = trace.failed.iter().zip(next).filter_map(|(search, next)| {
            let (root, again) = (search.visits.first()?, next.visits.first()?);
            let [value, low, high] = [root.value, root.window.0, root.window.1].map(shown.units);
            let passed = if root.value >= root.window.1 {
                format!("{value} >= beta {high}: fails high")
            } else {
                format!("{value} <= alpha {low}: fails low")
            };
            let reason = format!("{passed}, search again with {}", next.result(again, shown).window_label());
            Some(FailedSearch { tree: search.tree(input.game, &[], shown)?, reason })
        });
        failed.collect()
    }

    /// The searches of the root in the last iteration, a line each, from Max's point of view.
    fn root_searches(&self, Traced { depth, root_searches, .. }: &Traced<G>) -> String {
        let line = |&RootSearch { window: (alpha, beta), value, nodes }: &RootSearch| {
            let (low, high, value) =
                if self.side == Side::First { (alpha, beta, value) } else { (-beta, -alpha, -value) };
            let result = match value {
                value if value <= low => " fails low",
                value if value >= high => " fails high",
                _ => "",
            };
            let [low, high, value] = [low, high, value].map(self.shown.units);
            format!("depth {depth} [{low},{high}]{result}: {value}, {nodes} nodes\n")
        };
        root_searches.iter().map(line).collect()
    }
}

/// A tree given as text, to be searched.
pub struct TracedTree {
    tree: Tree,
    start: u32,
    side: Side,
}

impl TracedTree {
    /// A depth that reaches every leaf.
    pub const WHOLE: Depth = MAX_DEPTH;

    /// The tree of a text, with this player to move at the root, for a search by this algorithm in this window.
    ///
    /// # Errors
    /// The text is not a tree, or has too many different values.
    pub fn read(text: &str, side: Side, algorithm: Algorithm, window: RootWindow) -> Result<TracedTree, PositionError> {
        let tree = Tree::read(text, side)?;
        let values = || tree.values().chain(window.values());
        let scale = match algorithm {
            Algorithm::Uct => Scale::proportional(values()),
            _ => Scale::exact(values()).ok_or_else(|| PositionError(TOO_MANY_VALUES.into()))?,
        };
        let tree = tree.with_scale(scale);
        Ok(TracedTree { start: tree.start(), tree, side })
    }

    /// The scale of its scores.
    pub fn scale(&self) -> &Scale {
        self.tree.scale()
    }

    /// Plies from its root to its deepest leaf.
    pub fn plies(&self) -> Depth {
        fn below(tree: &Tree, node: u32) -> Depth {
            tree.moves(&node).map(|child| 1 + below(tree, child)).max().unwrap_or(0)
        }
        below(&self.tree, self.start)
    }

    /// The search of its root.
    pub fn input(&self) -> SearchInput<'_, Tree, Tree> {
        SearchInput::new(&self.tree, &self.tree, &self.start)
    }

    /// Searches, and draws the tree of the search or, as a graph, the same.
    ///
    /// # Errors
    /// The search visited a leaf marked `?`.
    pub fn draw(&self, config: SearchConfig, as_graph: bool) -> Result<Drawing, NotDrawn> {
        self.shown(|shown| {
            let search = TracedSearch { config, input: self.input(), side: self.side, shown };
            let traced = search.run();
            if traced.trace.visits.iter().any(|visit| visit.position.is_some_and(|node| self.tree.is_hidden(node))) {
                return Err(NotDrawn::Hidden);
            }
            search.drawing(&traced, as_graph).ok_or(NotDrawn::Nothing)
        })
    }

    /// The policy that a search proves for the player to move; `None` if it is too large to draw.
    pub fn policy(&self, config: SearchConfig) -> Option<Policy> {
        self.shown(|shown| policy_tree::policy(&self.input(), config, self.side, &shown))
    }

    fn shown<R>(&self, use_it: impl FnOnce(Presentation<'_, Tree>) -> R) -> R {
        use_it(Presentation {
            names: &|_, mv| self.tree.name(mv).map(str::to_string),
            pruned: &|_, mv| self.unsearched(mv),
            units: &|score| Units(self.tree.scale().value(score)),
        })
    }

    /// The whole tree in outline, before a search.
    pub fn outline(&self) -> TraceTree {
        self.unsearched(self.start)
    }

    /// A subtree in outline, with the values of its leaves.
    fn unsearched(&self, node: u32) -> TraceTree {
        let named = |child| TraceTree { name: self.tree.name(child).map(str::to_string), ..self.unsearched(child) };
        let children = self.tree.moves(&node).map(named).collect();
        let static_value = self.tree.leaf_value(node).map(Units);
        TraceTree { max: self.tree.is_max(node), static_value, children, ..TraceTree::default() }
    }
}
