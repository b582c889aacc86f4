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
use flipside::textbook::svg;
use flipside::textbook::trace::PrunedSubtrees;
use flipside::textbook::trace_tree::TraceTree;
use flipside::textbook::traced_search::{TRACED_PLAYOUTS, Traced, TracedSearch, TracedTree, tree_names, unsearched};
use flipside::textbook::type_erased::ErasedGame;
use flipside::textbook::types::SearchConfig;
use flipside::textbook::window::Window;
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
        let side = self.side()?;
        let window = self.window.as_deref().map_or(Ok(Window::FULL), str::parse);
        let window = window.and_then(|window| window.of_root(algorithm, side)).map_err(|error| error.to_string())?;
        let playouts = Some(TRACED_PLAYOUTS);
        Ok(SearchConfig { table: self.table, playouts, window, ..SearchConfig::fixed(algorithm, order, depth) })
    }
}

fn of_tree(wanted: &Wanted, text: &str) -> Result<Value, String> {
    let side = wanted.side()?;
    let tree = Tree::read(text, side).map_err(|error| error.to_string())?;
    let (traced_tree, names) = (TracedTree::new(&tree), tree_names(&tree));
    let config = wanted.config(TracedTree::WHOLE)?;
    let search = TracedSearch { config, input: traced_tree.input(), side, names: &names };
    let traced = search.run();
    if traced_tree.saw_hidden(&traced) {
        return Err("a leaf marked ? was visited".into());
    }
    describe(&search, &traced, &|_: &u32, mv: u32| unsearched(&tree, mv))
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
        // Ply by ply, so that a tree that is far too large is not counted to its end.
        if let Some(depth) = (1..=config.depth).find(|&depth| positions(&erased, &root, depth) > MAX_NODES) {
            return Err(format!("a tree of depth {depth} has more than {MAX_NODES} positions here: too many to draw"));
        }
        let names = |position: &G::Position, mv: G::Move| {
            Some(rules.show_move(position, mv, Style::Plain).to_ascii_lowercase())
        };
        let search = TracedSearch { config, input: erased.input(&root), side: self.wanted.side()?, names: &names };
        describe(&search, &search.run(), &|_, _| TraceTree::default())
    }
}

/// What a page shows: the record of the search with its steps and its picture.
fn describe<G: Game + Clone, E: Eval<G> + Clone>(
    search: &TracedSearch<'_, G, E>,
    traced: &Traced<G>,
    pruned: PrunedSubtrees<'_, G>,
) -> Result<Value, String> {
    let drawing = search.draw(traced, false, pruned).ok_or("nothing was searched")?;
    let summary = format!("{}: {}", search.config.algorithm, drawing.summary);
    let mut shown = drawing.record;
    shown["steps"] = json!(drawing.tree.steps());
    shown["svg"] = json!(svg::render(&drawing.tree, &summary));
    shown["summary"] = json!(summary);
    Ok(shown)
}
