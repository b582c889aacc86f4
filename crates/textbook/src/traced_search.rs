//! A traced search from its start to its drawing, for `flipside trace` and the browser's page.

use super::count::positions;
use super::searcher;
use super::trace::{MoveNames, PrunedSubtrees, Trace};
use super::trace_graph;
use super::trace_tree::{TraceTree, format_score, json_score};
use super::types::{RootSearch, SearchConfig, SearchInput};
use flipside_core::games::tree::Tree;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
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
    /// The names of moves.
    pub names: MoveNames<'a, G>,
}

/// The trace and the result of a search.
pub struct Traced<G: Game> {
    /// Every visit.
    pub trace: Trace<G>,
    /// The principal variation.
    pub pv: Vec<G::Move>,
    /// Plies of the last iteration.
    pub depth: Depth,
    /// The searches of the root in that iteration.
    pub root_searches: Vec<RootSearch>,
}

/// The tree with its annotations.
pub struct Drawing {
    /// The tree as it was searched.
    pub tree: TraceTree,
    /// Value and visits in a line.
    pub summary: String,
    /// The same and the tree, as a JSON object.
    pub record: Value,
}

impl<'a, G: Game + Clone, E: Eval<G> + Clone> TracedSearch<'a, G, E> {
    /// Runs the search.
    pub fn run(&self) -> Traced<G> {
        let mut trace = Trace::new(self.side);
        let mut root_searches = Vec::new();
        let stop = Stop::new(&Limits::default());
        let output = searcher::search_reporting(&self.input, self.config, &stop, &mut trace, &mut |finished| {
            root_searches = finished.root_searches.to_vec();
        });
        Traced { trace, pv: output.pv, depth: output.depth, root_searches }
    }

    /// The tree of a search, or the graph in which each position appears once; `None` if nothing was searched.
    pub fn draw(&self, traced: &Traced<G>, as_graph: bool, pruned: PrunedSubtrees<'_, G>) -> Option<Drawing> {
        let TracedSearch { config, input, names, .. } = self;
        let Traced { trace, pv, .. } = traced;
        let tree = if as_graph {
            trace_graph::graph(trace, input.game, pv, *names, pruned)
        } else {
            trace.tree(pv, *names, pruned)
        }?;
        let value = trace.value()?;
        let (visited, again) = trace.visited(input.game);
        // The tree of a whole game is sampled, not counted.
        let is_sampled = config.algorithm == Algorithm::Uct;
        let total = (!is_sampled).then(|| positions(input.game, input.root, config.depth));
        let some = |count: usize, what: &str| if count > 0 { format!(", {what} {count}") } else { String::new() };
        let bound = tree.visit.map_or("", |visit| visit.bound_words());
        let summary = format!(
            "value {bound}{}{}{}, visited {visited}{}",
            format_score(value),
            some(again, "visited again"),
            some(trace.beside(), "beside the tree"),
            total.map_or_else(String::new, |total| format!(" of {total}")),
        );
        let mut record = json!({
            "algorithm": config.algorithm.to_string(),
            "value": json_score(value),
            "visited": visited,
            "again": again,
            "beside": trace.beside(),
            "tree": tree.json(),
        });
        if let (Some(total), Some(fields)) = (total, record.as_object_mut()) {
            fields.insert("of".into(), json!(total));
        }
        Some(Drawing { tree, summary, record })
    }
}

/// A tree given as text, to be searched.
pub struct TracedTree<'a> {
    tree: &'a Tree,
    start: u32,
}

impl<'a> TracedTree<'a> {
    /// A depth that reaches every leaf.
    pub const WHOLE: Depth = MAX_DEPTH;

    /// The tree with its root.
    pub fn new(tree: &'a Tree) -> TracedTree<'a> {
        TracedTree { tree, start: tree.start() }
    }

    /// The search of its root.
    pub fn input(&self) -> SearchInput<'_, Tree, Tree> {
        SearchInput::new(self.tree, self.tree, &self.start)
    }

    /// Whether a search saw a leaf marked `?`.
    pub fn saw_hidden(&self, traced: &Traced<Tree>) -> bool {
        traced.trace.visits.iter().any(|visit| visit.position.is_some_and(|node| self.tree.is_hidden(node)))
    }
}

/// The names of a tree's moves.
pub fn tree_names(tree: &Tree) -> impl Fn(&u32, u32) -> Option<String> {
    |_, mv| tree.name(mv).map(str::to_string)
}

/// A pruned subtree of a tree given as text, with the values of its leaves.
pub fn unsearched(tree: &Tree, node: u32) -> TraceTree {
    let named = |child| TraceTree { name: tree.name(child).map(str::to_string), ..unsearched(tree, child) };
    let children = tree.moves(&node).map(named).collect();
    TraceTree { max: tree.is_max(node), static_value: tree.leaf_value(node), children, ..TraceTree::default() }
}
