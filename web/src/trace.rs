//! A searcher of the textbook on a tree or a position: what it visits, in which order, with which windows.

use crate::request::Trace as Wanted;
use flipside::api::settings::Settings;
use flipside::engine::game_engine::EngineParts;
use flipside::engine::registry::{self, WithContext};
use flipside::games::tree::Tree;
use flipside::search::algorithm::Algorithm;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::notation::{Notation, Style};
use flipside::search::policy::SearchPolicy;
use flipside::search::types::{Depth, MAX_DEPTH, Side};
use flipside::textbook::count::positions;
use flipside::textbook::move_order::MoveOrder;
use flipside::textbook::trace::{MoveNames, PrunedSubtrees, Trace};
use flipside::textbook::trace_tree::{TraceTree, format_score, json_score};
use flipside::textbook::type_erased::ErasedGame;
use flipside::textbook::types::{SearchConfig, SearchInput};
use flipside::textbook::{searcher, svg};
use serde_json::{Value, json};
use std::sync::Arc;

/// The orders that a page offers.
pub const ORDERS: [&str; 9] =
    ["natural", "reverse", "random:1", "static", "heuristic", "killers", "history", "previous", "perfect"];
/// More nodes are no picture any more, and would fill the memory.
const MAX_NODES: u64 = 20_000;

/// Searches and describes the search.
pub fn run(wanted: &Wanted) -> Result<Value, String> {
    match (&wanted.tree, &wanted.position) {
        (Some(text), None) => of_tree(wanted, text),
        (None, position) => {
            let settings = Settings {
                game: wanted.game.clone().unwrap_or_else(|| "reversi".into()),
                evaluation: wanted.evaluation.clone().unwrap_or_else(|| "default".into()),
                hash: 1,
                ..Settings::default()
            };
            let visitor = OfPosition { wanted, position: position.as_deref() };
            registry::with_context(&settings, visitor).map_err(|error| error.to_string())?
        }
        (Some(_), Some(_)) => Err("a tree or a position, not both".into()),
    }
}

impl Wanted {
    fn side(&self) -> Result<Side, String> {
        match self.root.as_deref() {
            None | Some("max") => Ok(Side::First),
            Some("min") => Ok(Side::Second),
            Some(other) => Err(format!("root is {other}, should be max or min")),
        }
    }

    fn config(&self, default_depth: Depth) -> Result<SearchConfig, String> {
        let algorithm: Algorithm = self.algorithm.as_deref().unwrap_or("alphabeta").parse()?;
        let order: MoveOrder = self.order.as_deref().unwrap_or("natural").parse()?;
        let depth = self.depth.unwrap_or(default_depth).clamp(0, MAX_DEPTH);
        Ok(SearchConfig { table: self.table, ..SearchConfig::fixed(algorithm, order, depth) })
    }
}

fn of_tree(wanted: &Wanted, text: &str) -> Result<Value, String> {
    let side = wanted.side()?;
    let tree = Tree::read(text, side).map_err(|error| error.to_string())?;
    let config = wanted.config(MAX_DEPTH)?;
    let mut trace = Trace::new(side);
    let start = tree.start();
    let input = SearchInput::new(&tree, &tree, &start);
    let output = searcher::search(&input, config, &mut trace);
    if trace.visits.iter().any(|visit| visit.position.is_some_and(|node| tree.is_hidden(node))) {
        return Err("a leaf marked ? was visited".into());
    }
    let names = |_: &u32, mv: u32| tree.name(mv).map(str::to_string);
    let pruned = |_: &u32, mv: u32| unsearched(&tree, mv);
    describe(config, &input, &trace, &output.pv, &names, &pruned)
}

/// A pruned subtree, with the values of its leaves.
fn unsearched(tree: &Tree, node: u32) -> TraceTree {
    let named = |child| TraceTree { name: tree.name(child).map(str::to_string), ..unsearched(tree, child) };
    let children = tree.moves(&node).map(named).collect();
    TraceTree { max: tree.is_max(node), static_value: tree.leaf_value(node), children, ..TraceTree::default() }
}

struct OfPosition<'a> {
    wanted: &'a Wanted,
    position: Option<&'a str>,
}

impl WithContext for OfPosition<'_> {
    type Output = Result<Value, String>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output {
        let context = Arc::new(parts.context);
        let rules = &context.game;
        let erased = ErasedGame::new(Arc::clone(&context));
        let root = match self.position {
            Some(text) => rules.read_position(text, Style::Plain).map_err(|error| error.to_string())?.0,
            None => rules.start(),
        };
        let config = self.wanted.config(2)?;
        let mut trace = Trace::new(self.wanted.side()?);
        let input = SearchInput { scorer: erased.scorer(), ..SearchInput::new(&erased, &erased, &root) };
        // Ply by ply, so that a tree that is far too large is not counted to its end.
        if let Some(depth) = (1..=config.depth).find(|&depth| positions(&erased, &root, depth) > MAX_NODES) {
            return Err(format!("a tree of depth {depth} has more than {MAX_NODES} positions here: too many to draw"));
        }
        let output = searcher::search(&input, config, &mut trace);
        let names = |position: &G::Position, mv: G::Move| {
            Some(rules.show_move(position, mv, Style::Plain).to_ascii_lowercase())
        };
        describe(config, &input, &trace, &output.pv, &names, &|_, _| TraceTree::default())
    }
}

fn describe<G: Game, E>(
    config: SearchConfig,
    input: &SearchInput<'_, G, E>,
    trace: &Trace<G>,
    pv: &[G::Move],
    names: MoveNames<'_, G>,
    pruned: PrunedSubtrees<'_, G>,
) -> Result<Value, String> {
    let tree = trace.tree(pv, names, pruned).ok_or("nothing was searched")?;
    let value = trace.value().unwrap_or_default();
    let (visited, again) = trace.visited(input.game);
    let total = positions(input.game, input.root, config.depth);
    let summary = format!("{}: value {}, visited {visited} of {total}", config.algorithm, format_score(value));
    Ok(json!({
        "algorithm": config.algorithm.to_string(),
        "value": json_score(value),
        "visited": visited,
        "again": again,
        "of": total,
        "summary": summary,
        "steps": tree.steps(),
        "svg": svg::render(&tree, &summary),
        "tree": tree.json(),
    }))
}
