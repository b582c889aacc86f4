//! A textbook searcher on a tree or a position: its visits in order, with their windows.

use crate::request::Trace as Wanted;
use flipside::api::settings::Settings;
use flipside::engine::bindings::{set_position, within};
use flipside::engine::dyn_engine::SetupError;
use flipside::engine::registry;
use flipside::engine::textbook_position::TextbookPosition;
use flipside::games::tree_scale::Scale;
use flipside::search::algorithm::Algorithm;
use flipside::search::policy::{Technique, TechniqueSet};
use flipside::search::types::{Depth, MAX_DEPTH, Side};
use flipside::textbook::fold::{self, Folding};
use flipside::textbook::move_order::MoveOrder;
use flipside::textbook::svg;
use flipside::textbook::techniques::{default_techniques, technique};
use flipside::textbook::trace_tree::TraceTree;
use flipside::textbook::traced_search::{Drawing, TRACED_PLAYOUTS, TracedTree};
use flipside::textbook::types::SearchConfig;
use flipside::textbook::units::Units;
use flipside::textbook::window::RootWindow;
use serde_json::{Value, json};

/// The orders that every game offers. MiniChess has `rule`, too.
pub const ORDERS: [&str; 9] =
    ["natural", "reverse", "random:1", "static", "heuristic", "killers", "history", "previous", "perfect"];
/// Node limit: larger trees make no readable picture and would fill the memory.
const MAX_NODES: u64 = 20_000;
/// Most playouts of `uct`, each of which may add a node.
const MAX_PLAYOUTS: u64 = 10_000;

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
            let mut engine = registry::open(&settings).map_err(|error| error.to_string())?;
            set_position(engine.as_mut(), position.as_deref(), "").map_err(SetupError::reason)?;
            of_position(wanted, &*engine.textbook())
        }
        (Some(_), Some(_)) => Err("a tree or a position, not both".into()),
    }
}

/// The player to move at the root: Max if absent.
pub fn side(name: Option<&str>) -> Result<Side, String> {
    match name {
        None | Some("max") => Ok(Side::First),
        Some("min") => Ok(Side::Second),
        Some(other) => Err(format!("root is {other}, should be max or min")),
    }
}

/// The searcher of this name: alpha-beta if absent.
pub fn algorithm(name: Option<&str>) -> Result<Algorithm, String> {
    name.unwrap_or("alphabeta").parse()
}

impl Wanted {
    fn side(&self) -> Result<Side, String> {
        side(self.root.as_deref())
    }

    fn algorithm(&self) -> Result<Algorithm, String> {
        algorithm(self.algorithm.as_deref())
    }

    fn techniques(&self, offers: impl Fn(Technique) -> bool) -> Result<TechniqueSet, String> {
        let Some(names) = &self.techniques else { return Ok(default_techniques()) };
        let offered = |name: &String| {
            let known = technique(name)?;
            offers(known).then_some(known).ok_or_else(|| format!("the game has no {name}"))
        };
        names.iter().map(offered).collect()
    }

    fn window(&self) -> Result<RootWindow, String> {
        self.window.as_deref().map_or(Ok(RootWindow::FULL), str::parse).map_err(|error| error.to_string())
    }

    fn config(
        &self,
        default_depth: Depth,
        scale: &Scale,
        offers: impl Fn(Technique) -> bool,
    ) -> Result<SearchConfig, String> {
        let algorithm = self.algorithm()?;
        let order: MoveOrder = self.order.as_deref().unwrap_or("natural").parse()?;
        let depth = self.depth.unwrap_or(default_depth).clamp(0, MAX_DEPTH);
        let window = self.window()?.of_root(algorithm, self.side()?, scale).map_err(|error| error.to_string())?;
        let playouts = Some(within("playouts", self.playouts.unwrap_or(TRACED_PLAYOUTS), 1..=MAX_PLAYOUTS)?);
        let techniques = self.techniques(offers)?;
        let fixed = SearchConfig::fixed(algorithm, order, depth);
        Ok(SearchConfig { table: self.table, deepen: self.deepen, techniques, playouts, window, ..fixed })
    }
}

fn of_tree(wanted: &Wanted, text: &str) -> Result<Value, String> {
    let algorithm = wanted.algorithm()?;
    let tree =
        TracedTree::read(text, wanted.side()?, algorithm, wanted.window()?).map_err(|error| error.to_string())?;
    let offers = |technique| tree.input().heuristics.offers(technique);
    let config = wanted.config(tree.plies(), tree.scale(), offers)?;
    refuse_rule(config, || false)?;
    Ok(describe(algorithm, tree.draw(config, false).map_err(|error| error.to_string())?))
}

fn of_position(wanted: &Wanted, position: &dyn TextbookPosition) -> Result<Value, String> {
    let config = wanted.config(2, &Scale::HUNDREDTHS, |technique| position.offers(technique))?;
    refuse_rule(config, || position.has_rule_order())?;
    // Counts ply by ply, so that a far too large tree is not counted completely.
    if let Some(depth) = (1..=config.depth).find(|&depth| position.positions(depth) > MAX_NODES) {
        return Err(format!("a tree of depth {depth} has more than {MAX_NODES} positions here: too many to draw"));
    }
    let drawing = position.trace(config, wanted.side()?, false).map_err(|error| error.to_string())?;
    Ok(describe(config.algorithm, drawing))
}

fn refuse_rule(config: SearchConfig, has_rule_order: impl FnOnce() -> bool) -> Result<(), String> {
    let is_refused = config.order == MoveOrder::Rule && !has_rule_order();
    if is_refused { Err("the game has no order 'rule': only MiniChess has it".into()) } else { Ok(()) }
}

/// Adds to the record the outlines of pruned subtrees, with the values of their leaves: what a student sees before the
/// search.
fn add_outlines(tree: &TraceTree, record: &mut Value) {
    if tree.visit.is_none() {
        record["outline"] = outline(tree);
    } else if let Some(children) = record["children"].as_array_mut() {
        tree.children.iter().zip(children).for_each(|(child, record)| add_outlines(child, record));
    }
    for (search, record) in tree.failed.iter().zip(record["failed"].as_array_mut().into_iter().flatten()) {
        add_outlines(&search.tree, &mut record["tree"]);
    }
}

fn outline(tree: &TraceTree) -> Value {
    let value = tree.static_value.map_or(Value::Null, Units::json);
    json!({ "move": tree.name, "value": value, "children": tree.children.iter().map(outline).collect::<Vec<_>>() })
}

/// The data for a page: the record of the search with its steps and its picture.
fn describe(algorithm: Algorithm, drawing: Drawing) -> Value {
    let summary = format!("{algorithm}: {}", drawing.summary);
    let mut shown = drawing.record;
    add_outlines(&drawing.tree, &mut shown["tree"]);
    shown["root_searches"] = json!(drawing.root_searches);
    shown["steps"] = json!(drawing.tree.steps());
    shown["svg"] = json!(svg::render(&fold::folded(&drawing.tree, Folding::default()), &summary));
    shown["summary"] = json!(summary);
    shown
}
