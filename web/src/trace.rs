//! A textbook searcher on a tree or a position: its visits in order, with their windows.

use crate::request::Trace as Wanted;
use flipside::api::settings::Settings;
use flipside::engine::bindings::set_position;
use flipside::engine::dyn_engine::SetupError;
use flipside::engine::registry;
use flipside::engine::textbook_position::TextbookPosition;
use flipside::games::tree_scale::Scale;
use flipside::search::algorithm::Algorithm;
use flipside::search::types::{Depth, MAX_DEPTH, Side};
use flipside::textbook::move_order::MoveOrder;
use flipside::textbook::svg;
use flipside::textbook::traced_search::{Drawing, TRACED_PLAYOUTS, TracedTree};
use flipside::textbook::types::SearchConfig;
use flipside::textbook::window::RootWindow;
use serde_json::{Value, json};

/// The orders that a page offers.
pub const ORDERS: [&str; 9] =
    ["natural", "reverse", "random:1", "static", "heuristic", "killers", "history", "previous", "perfect"];
/// Node limit: larger trees make no readable picture and would fill the memory.
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
            let mut engine = registry::open(&settings).map_err(|error| error.to_string())?;
            set_position(engine.as_mut(), position.as_deref(), "").map_err(SetupError::reason)?;
            of_position(wanted, &*engine.textbook())
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

    fn algorithm(&self) -> Result<Algorithm, String> {
        self.algorithm.as_deref().unwrap_or("alphabeta").parse()
    }

    fn window(&self) -> Result<RootWindow, String> {
        self.window.as_deref().map_or(Ok(RootWindow::FULL), str::parse).map_err(|error| error.to_string())
    }

    fn config(&self, default_depth: Depth, scale: &Scale) -> Result<SearchConfig, String> {
        let algorithm = self.algorithm()?;
        let order: MoveOrder = self.order.as_deref().unwrap_or("natural").parse()?;
        let depth = self.depth.unwrap_or(default_depth).clamp(0, MAX_DEPTH);
        let window = self.window()?.of_root(algorithm, self.side()?, scale).map_err(|error| error.to_string())?;
        let playouts = Some(TRACED_PLAYOUTS);
        Ok(SearchConfig { table: self.table, playouts, window, ..SearchConfig::fixed(algorithm, order, depth) })
    }
}

fn of_tree(wanted: &Wanted, text: &str) -> Result<Value, String> {
    let algorithm = wanted.algorithm()?;
    let tree = TracedTree::read(text, wanted.side()?, algorithm, wanted.window()?).map_err(|error| error.to_string())?;
    let config = wanted.config(TracedTree::WHOLE, tree.scale())?;
    Ok(describe(algorithm, tree.draw(config, false).map_err(|error| error.to_string())?))
}

fn of_position(wanted: &Wanted, position: &dyn TextbookPosition) -> Result<Value, String> {
    let config = wanted.config(2, &Scale::HUNDREDTHS)?;
    // Counts ply by ply, so that a far too large tree is not counted completely.
    if let Some(depth) = (1..=config.depth).find(|&depth| position.positions(depth) > MAX_NODES) {
        return Err(format!("a tree of depth {depth} has more than {MAX_NODES} positions here: too many to draw"));
    }
    let drawing = position.trace(config, wanted.side()?, false).map_err(|error| error.to_string())?;
    Ok(describe(config.algorithm, drawing))
}

/// The data for a page: the record of the search with its steps and its picture.
fn describe(algorithm: Algorithm, drawing: Drawing) -> Value {
    let summary = format!("{algorithm}: {}", drawing.summary);
    let mut shown = drawing.record;
    shown["steps"] = json!(drawing.tree.steps());
    shown["svg"] = json!(svg::render(&drawing.tree, &summary));
    shown["summary"] = json!(summary);
    shown
}
