//! A textbook searcher on a tree or a position: its visits in order, with their windows.

use flipside::engine::bindings::TraceOptions;
use flipside::textbook::fold::Folding;
use flipside::textbook::trace_tree::TraceTree;
use flipside::textbook::units::Units;
use serde_json::{Value, json};

/// The orders that every game offers. MiniChess has `rule`, too.
pub const ORDERS: [&str; 9] =
    ["natural", "reverse", "random:1", "static", "heuristic", "killers", "history", "previous", "perfect"];
/// Node limit: larger trees make no readable picture and would fill the memory.
const MAX_NODES: u64 = 20_000;

/// Searches, and describes the search for a page: its record with its steps and its picture.
pub fn run(wanted: &TraceOptions) -> Result<Value, String> {
    let algorithm = wanted.searcher()?;
    let drawing = wanted.draw(MAX_NODES)?;
    let (caption, picture) = (drawing.caption(algorithm), drawing.svg(algorithm, Folding::default()));
    let mut shown = drawing.record;
    add_outlines(&drawing.tree, &mut shown["tree"]);
    shown["root_searches"] = json!(drawing.root_searches);
    shown["steps"] = json!(drawing.tree.steps());
    shown["svg"] = json!(picture);
    shown["summary"] = json!(caption);
    Ok(shown)
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
