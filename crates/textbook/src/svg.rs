//! A traced search as an SVG image. Triangles point up for Max and down for Min, with their windows beside them. Pruned
//! subtrees are grey, the principal variation has thick lines, and the visits of a technique (null move, quiescence)
//! have dashed ones. The elements of a node have its index as `data-node`, by which a page finds them. The reason of a
//! cutoff is the title of its node and of the lines that it cuts; the reasons of a root that was searched again are its
//! title.

use super::trace_tree::{Folded, TraceTree};
use super::tracer::VisitedBy;
use flipside_core::search::transposition_table::Bound;
use flipside_support::svg::{Anchor, Elements, Look, Point};
use std::collections::HashMap;

/// Pixels between two leaves.
const LEAF_WIDTH: f64 = 74.0;
/// Pixels between two plies.
const PLY_HEIGHT: f64 = 92.0;
/// Pixels around the drawing.
const MARGIN: f64 = 46.0;
/// Pixels of a letter of the caption.
const CAPTION_LETTER: f64 = 7.5;
/// Longest text of a value, in characters, that is not shrunk.
const VALUE_LENGTH: usize = 5;
/// Half the width of a triangle in pixels.
const HALF_WIDTH: f64 = 22.0;

/// A node with its position in pixels.
struct PlacedNode<'a> {
    node: &'a TraceTree,
    /// Whether it is drawn as a visited node: in a tree that no search has seen, every node is.
    is_seen: bool,
    x: f64,
    y: f64,
    children: Vec<PlacedNode<'a>>,
}

/// Lays the tree out: leaves in columns from left to right, every other node above the middle of its children.
fn layout<'a>(node: &'a TraceTree, is_outline: bool, ply: usize, columns: &mut usize) -> PlacedNode<'a> {
    let drawn_here = node.drawn_children().filter(|child| !child.is_reference);
    let children: Vec<_> = drawn_here.map(|child| layout(child, is_outline, ply + 1, columns)).collect();
    let x = match (children.first(), children.last()) {
        (Some(first), Some(last)) => (first.x + last.x) / 2.0,
        _ => {
            *columns += 1;
            MARGIN + (*columns as f64 - 0.5) * LEAF_WIDTH
        }
    };
    let is_seen = is_outline || node.visit.is_some();
    PlacedNode { node, is_seen, x, y: MARGIN + ply as f64 * PLY_HEIGHT, children }
}

fn lowest(placed: &PlacedNode<'_>) -> f64 {
    placed.children.iter().map(lowest).fold(placed.y, f64::max)
}

/// The places of the nodes that other parents refer to by number.
fn find_numbered(placed: &PlacedNode<'_>, numbered: &mut HashMap<usize, Point>) {
    if let Some(number) = placed.node.number {
        numbered.insert(number, (placed.x, placed.y));
    }
    placed.children.iter().for_each(|child| find_numbered(child, numbered));
}

/// The image, with a caption below it. A tree whose root was not visited is an outline, in which nothing is pruned.
pub fn render(root: &TraceTree, caption: &str) -> String {
    let mut columns = 0;
    let placed = layout(root, root.visit.is_none(), 0, &mut columns);
    let caption_width = caption.chars().count() as f64 * CAPTION_LETTER;
    let width = (2.0 * MARGIN + columns as f64 * LEAF_WIDTH).max(caption_width);
    let size = (width, lowest(&placed) + MARGIN + 44.0);
    let mut numbered = HashMap::new();
    find_numbered(&placed, &mut numbered);
    let mut image = Elements::on_paper(size);
    image.group(format_args!("stroke-width=\"1.2\""), |image| {
        edges(&placed, false, &numbered, image);
        nodes(&placed, placed.x, image);
    });
    image.text(CAPTION, (width / 2.0, size.1 - 14.0), Anchor::Middle, caption);
    image.picture(size, caption)
}

const LINE: Look = Look { class: "searched", attributes: "stroke=\"#567\"" };
const PV_LINE: Look = Look { class: "main", attributes: "stroke=\"#0b3d91\" stroke-width=\"4\"" };
const TECHNIQUE_LINE: Look = Look { class: "technique", attributes: "stroke=\"#b06a00\" stroke-dasharray=\"7 3\"" };
const PRUNED_LINE: Look = Look { class: "pruned", attributes: "stroke=\"#c4c4c4\" stroke-dasharray=\"3 3\"" };
const CROSS: Look = Look { class: "cut", attributes: "stroke=\"#b03030\" stroke-width=\"2\"" };
const SHAPE: Look = Look { class: "searched", attributes: "fill=\"#f4f8ff\" stroke=\"#234\"" };
const PRUNED_SHAPE: Look =
    Look { class: "pruned", attributes: "fill=\"#f7f7f7\" stroke=\"#c4c4c4\" stroke-dasharray=\"3 3\"" };
const VALUE: Look = Look { class: "value", attributes: "font-size=\"12\" fill=\"#000\"" };
const LONG_VALUE: Look = Look { class: "value", attributes: "font-size=\"8\" fill=\"#000\"" };
const MARK: Look = Look { class: "folded", attributes: "font-size=\"11\" fill=\"#777\"" };
const PRUNED_VALUE: Look = Look { class: "unseen", attributes: "font-size=\"12\" fill=\"#b4b4b4\"" };
const WINDOW: Look = Look { class: "window", attributes: "font-size=\"10\" fill=\"#567\"" };
const MOVE: Look = Look { class: "move", attributes: "font-size=\"11\" fill=\"#357\"" };
const CAPTION: Look = Look { class: "caption", attributes: "font-size=\"13\" fill=\"#000\"" };

/// Draws lines from each node to its children, with a cross at a pruned subtree, and to the children drawn below
/// another parent.
fn edges(parent: &PlacedNode<'_>, inside_pruned: bool, numbered: &HashMap<usize, Point>, image: &mut Elements) {
    for child in parent.node.children.iter().filter(|child| child.is_reference) {
        if let Some(&to) = child.number.and_then(|number| numbered.get(&number)) {
            edge(parent, child, true, to, false, image);
        }
    }
    for child in &parent.children {
        let pruned = !child.is_seen;
        image.group(format_args!("class=\"edge\" data-node=\"{}\"", child.node.index), |image| {
            if let Some(cut) = parent.node.cut.as_ref().filter(|_| pruned) {
                image.tip(&cut.reason);
            }
            edge(parent, child.node, child.is_seen, (child.x, child.y), pruned && !inside_pruned, image);
        });
        edges(child, inside_pruned || pruned, numbered, image);
    }
}

/// Draws the line from a node to a child at this place.
fn edge(parent: &PlacedNode<'_>, child: &TraceTree, is_seen: bool, (x, y): Point, is_cut: bool, image: &mut Elements) {
    let technique = child.visit.and_then(|visit| visit.visited_by);
    let look = match technique {
        _ if !is_seen => PRUNED_LINE,
        _ if child.on_pv => PV_LINE,
        Some(_) => TECHNIQUE_LINE,
        None => LINE,
    };
    let (from, to) = ((parent.x, parent.y + HALF_WIDTH * 0.8), (x, y - HALF_WIDTH * 0.8));
    image.line(look, from, to);
    let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    if is_cut {
        image.line(CROSS, (x - 5.0, y - 5.0), (x + 5.0, y + 5.0));
        image.line(CROSS, (x + 5.0, y - 5.0), (x - 5.0, y + 5.0));
    }
    let label = match (&child.name, technique) {
        (Some(name), Some(VisitedBy::Reduction(plies))) => format!("{name} -{plies}"),
        (Some(name), _) => name.clone(),
        (None, Some(technique)) => technique.to_string(),
        (None, None) => return,
    };
    // The name is beside a steep line and above a flat one.
    let flat = (to.0 - from.0).abs() > 2.0 * (to.1 - from.1);
    let side = if to.0 < from.0 { -16.0 } else { 16.0 };
    let (dx, dy) = if flat { (0.0, -10.0) } else { (side, 4.0) };
    image.text(MOVE, (x + dx, y + dy), Anchor::Middle, &label);
}

fn nodes(placed: &PlacedNode<'_>, parent_x: f64, image: &mut Elements) {
    image.group(format_args!("class=\"node\" data-node=\"{}\"", placed.node.index), |image| {
        let TraceTree { failed, cut, .. } = placed.node;
        let reasons = failed.iter().map(|search| &search.reason).chain(cut.iter().map(|cut| &cut.reason));
        let reasons: Vec<&str> = reasons.map(String::as_str).collect();
        if !reasons.is_empty() {
            image.tip(&reasons.join("; "));
        }
        node(placed, parent_x, image);
    });
    placed.children.iter().for_each(|child| nodes(child, placed.x, image));
}

/// Draws a node with its value and its window.
fn node(placed: &PlacedNode<'_>, parent_x: f64, image: &mut Elements) {
    let &PlacedNode { node, is_seen, x, y, .. } = placed;
    let below = match node.folded {
        Folded::Nothing => 0,
        Folded::Below(nodes) => nodes,
        Folded::Moves(moves) => return image.text(MARK, (x, y + 4.0), Anchor::Middle, &format!("+{moves}")),
    };
    let leaf = node.children.is_empty() && below == 0;
    if below > 0 {
        image.text(MARK, (x, y + HALF_WIDTH + 14.0), Anchor::Middle, &format!("+{below}"));
    }
    let look = if is_seen { SHAPE } else { PRUNED_SHAPE };
    if leaf {
        image.circle(look, (x, y), HALF_WIDTH * 0.75);
    } else {
        let up = if node.max { 1.0 } else { -1.0 };
        let (base, tip) = (y + up * HALF_WIDTH * 0.8, y - up * HALF_WIDTH);
        image.polygon(look, &[(x - HALF_WIDTH, base), (x + HALF_WIDTH, base), (x, tip)]);
    }
    let middle = match (leaf, node.max) {
        (true, _) => y + 4.0,
        (_, true) => y + 13.0,
        (_, false) => y - 4.0,
    };
    if let Some(visit) = node.visit {
        let sign = match visit.bound {
            Bound::Exact => "",
            Bound::Lower => "≥",
            Bound::Upper => "≤",
        };
        let value = format!("{sign}{}", visit.value);
        let look = if value.chars().count() > VALUE_LENGTH { LONG_VALUE } else { VALUE };
        image.text(look, (x, middle), Anchor::Middle, &value);
        // The window is below a leaf, and otherwise beside the tip of a triangle, away from the line to its parent.
        let (anchor, dx, dy) = match (leaf, node.max) {
            (true, _) => (Anchor::Middle, 0.0, HALF_WIDTH + 8.0),
            (_, true) if parent_x > x => (Anchor::End, -9.0, -13.0),
            (_, true) => (Anchor::Start, 9.0, -13.0),
            (_, false) => (Anchor::Start, 13.0, 15.0),
        };
        image.text(WINDOW, (x + dx, y + dy), anchor, &visit.circumstances());
    } else if let Some(value) = node.static_value {
        image.text(if is_seen { VALUE } else { PRUNED_VALUE }, (x, middle), Anchor::Middle, &value.to_string());
    }
}
