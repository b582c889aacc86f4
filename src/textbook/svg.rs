//! A traced search as an SVG image: triangles point up for Max and down for Min, with their windows beside them; pruned
//! subtrees are grey, the principal variation is drawn with thick lines, visits of a technique (null move, quiescence) with
//! dashed ones.

use super::trace_tree::{TraceTree, format_score};
use super::tracer::VisitedBy;
use crate::search::transposition_table::Bound;
use std::collections::HashMap;
use std::fmt::{Arguments, Write};

/// Pixels between two leaves.
const LEAF_WIDTH: f64 = 74.0;
/// Pixels between two plies.
const PLY_HEIGHT: f64 = 92.0;
/// Pixels around the drawing.
const MARGIN: f64 = 46.0;
/// Half the width of a triangle in pixels.
const HALF_WIDTH: f64 = 22.0;

/// A node with its position in pixels.
struct PlacedNode<'a> {
    node: &'a TraceTree,
    /// Its place in the order of the visits, the root first: `data-node` in the image, by which a page finds it.
    order: usize,
    x: f64,
    y: f64,
    children: Vec<PlacedNode<'a>>,
}

/// Lays the tree out: leaves in columns from left to right, every other node above the middle of its children.
fn layout<'a>(node: &'a TraceTree, ply: usize, placed: &mut usize, columns: &mut usize) -> PlacedNode<'a> {
    let order = *placed;
    *placed += 1;
    let drawn_here = node.children.iter().filter(|child| !child.is_reference);
    let children: Vec<_> = drawn_here.map(|child| layout(child, ply + 1, placed, columns)).collect();
    let x = match (children.first(), children.last()) {
        (Some(first), Some(last)) => (first.x + last.x) / 2.0,
        _ => {
            *columns += 1;
            MARGIN + (*columns as f64 - 0.5) * LEAF_WIDTH
        }
    };
    PlacedNode { node, order, x, y: MARGIN + ply as f64 * PLY_HEIGHT, children }
}

fn lowest(placed: &PlacedNode<'_>) -> f64 {
    placed.children.iter().map(lowest).fold(placed.y, f64::max)
}

/// The places of the nodes that other parents refer to by number.
fn find_numbered(placed: &PlacedNode<'_>, numbered: &mut HashMap<usize, (f64, f64)>) {
    if let Some(number) = placed.node.number {
        numbered.insert(number, (placed.x, placed.y));
    }
    placed.children.iter().for_each(|child| find_numbered(child, numbered));
}

/// The image, with a caption below it.
pub fn render(root: &TraceTree, caption: &str) -> String {
    let mut columns = 0;
    let placed = layout(root, 0, &mut 0, &mut columns);
    let width = (2.0 * MARGIN + columns as f64 * LEAF_WIDTH).max(260.0);
    let height = lowest(&placed) + MARGIN + 44.0;
    let mut body = String::new();
    let mut numbered = HashMap::new();
    find_numbered(&placed, &mut numbered);
    edges(&placed, false, &numbered, &mut body);
    nodes(&placed, placed.x, &mut body);
    let caption = escaped(caption);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{caption}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <g font-family=\"DejaVu Sans, Verdana, sans-serif\" stroke-width=\"1.2\">\n\
         {body}<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"13\">{caption}</text>\n</g>\n</svg>\n",
        width / 2.0,
        height - 14.0
    )
}

/// Attributes of lines, shapes and texts: a class, and presentation attributes that every renderer understands.
const LINE: &str = "class=\"searched\" stroke=\"#567\"";
const PV_LINE: &str = "class=\"main\" stroke=\"#0b3d91\" stroke-width=\"4\"";
const TECHNIQUE_LINE: &str = "class=\"technique\" stroke=\"#b06a00\" stroke-dasharray=\"7 3\"";
const PRUNED_LINE: &str = "class=\"pruned\" stroke=\"#c4c4c4\" stroke-dasharray=\"3 3\"";
const CROSS: &str = "class=\"cut\" stroke=\"#b03030\" stroke-width=\"2\"";
const SHAPE: &str = "class=\"searched\" fill=\"#f4f8ff\" stroke=\"#234\"";
const PRUNED_SHAPE: &str = "class=\"pruned\" fill=\"#f7f7f7\" stroke=\"#c4c4c4\" stroke-dasharray=\"3 3\"";
const VALUE: &str = "class=\"value\" text-anchor=\"middle\" font-size=\"12\" fill=\"#000\"";
const PRUNED_VALUE: &str = "class=\"unseen\" text-anchor=\"middle\" font-size=\"12\" fill=\"#b4b4b4\"";
const MOVE: &str = "class=\"move\" text-anchor=\"middle\" font-size=\"11\" fill=\"#357\"";

/// Draws lines from each node to its children, with a cross where a subtree was pruned, and to those that stand below
/// another parent.
fn edges(parent: &PlacedNode<'_>, inside_pruned: bool, numbered: &HashMap<usize, (f64, f64)>, out: &mut String) {
    for child in parent.node.children.iter().filter(|child| child.is_reference) {
        if let Some(&to) = child.number.and_then(|number| numbered.get(&number)) {
            edge(parent, child, to, false, out);
        }
    }
    for child in &parent.children {
        let pruned = child.node.visit.is_none();
        push(out, format_args!("<g class=\"edge\" data-node=\"{}\">", child.order));
        edge(parent, child.node, (child.x, child.y), pruned && !inside_pruned, out);
        push(out, format_args!("</g>"));
        edges(child, inside_pruned || pruned, numbered, out);
    }
}

/// Draws the line from a node to a child at this place.
fn edge(parent: &PlacedNode<'_>, child: &TraceTree, (x, y): (f64, f64), is_cut: bool, out: &mut String) {
    let technique = child.visit.and_then(|visit| visit.visited_by);
    let attributes = match (child.visit, technique) {
        (None, _) => PRUNED_LINE,
        _ if child.on_pv => PV_LINE,
        (_, Some(_)) => TECHNIQUE_LINE,
        _ => LINE,
    };
    let (from, to) = ((parent.x, parent.y + HALF_WIDTH * 0.8), (x, y - HALF_WIDTH * 0.8));
    line(out, attributes, from, to);
    let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    if is_cut {
        line(out, CROSS, (x - 5.0, y - 5.0), (x + 5.0, y + 5.0));
        line(out, CROSS, (x + 5.0, y - 5.0), (x - 5.0, y + 5.0));
    }
    let label = match (&child.name, technique) {
        (Some(name), Some(VisitedBy::Reduction(plies))) => format!("{name} -{plies}"),
        (Some(name), _) => name.clone(),
        (None, Some(technique)) => technique.to_string(),
        (None, None) => return,
    };
    // The name stands beside a steep line, above a flat one.
    let flat = (to.0 - from.0).abs() > 2.0 * (to.1 - from.1);
    let side = if to.0 < from.0 { -16.0 } else { 16.0 };
    let (dx, dy) = if flat { (0.0, -10.0) } else { (side, 4.0) };
    text(out, MOVE, x + dx, y + dy, &escaped(&label));
}

fn nodes(placed: &PlacedNode<'_>, parent_x: f64, out: &mut String) {
    let PlacedNode { node, order, x, y, .. } = placed;
    push(out, format_args!("<g class=\"node\" data-node=\"{order}\">"));
    let leaf = node.children.is_empty();
    let attributes = if node.visit.is_some() { SHAPE } else { PRUNED_SHAPE };
    if leaf {
        push(out, format_args!("<circle {attributes} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", HALF_WIDTH * 0.75));
    } else {
        let up = if node.max { 1.0 } else { -1.0 };
        let (base, tip) = (y + up * HALF_WIDTH * 0.8, y - up * HALF_WIDTH);
        let (left, right) = (x - HALF_WIDTH, x + HALF_WIDTH);
        push(
            out,
            format_args!("<polygon {attributes} points=\"{left:.1},{base:.1} {right:.1},{base:.1} {x:.1},{tip:.1}\"/>"),
        );
    }
    let middle = match (leaf, node.max) {
        (true, _) => y + 4.0,
        (_, true) => y + 13.0,
        (_, false) => y - 4.0,
    };
    match node.visit {
        Some(visit) => {
            let sign = match visit.bound {
                Bound::Exact => "",
                Bound::Lower => "≥",
                Bound::Upper => "≤",
            };
            text(out, VALUE, *x, middle, &format!("{sign}{}", format_score(visit.value)));
            // The window stands below a leaf, beside the tip of a triangle on the side away from the line to its
            // parent.
            let (anchor, dx, dy) = match (leaf, node.max) {
                (true, _) => ("middle", 0.0, HALF_WIDTH + 8.0),
                (_, true) if parent_x > *x => ("end", -9.0, -13.0),
                (_, true) => ("start", 9.0, -13.0),
                (_, false) => ("start", 13.0, 15.0),
            };
            let attributes = format!("class=\"window\" text-anchor=\"{anchor}\" font-size=\"10\" fill=\"#567\"");
            text(out, &attributes, x + dx, y + dy, &visit.window_label());
        }
        None => {
            if let Some(value) = node.static_value {
                text(out, PRUNED_VALUE, *x, middle, &format_score(value));
            }
        }
    }
    push(out, format_args!("</g>"));
    placed.children.iter().for_each(|child| nodes(child, *x, out));
}

fn line(out: &mut String, attributes: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    push(out, format_args!("<line {attributes} x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"));
}

fn text(out: &mut String, attributes: &str, x: f64, y: f64, words: &str) {
    push(out, format_args!("<text {attributes} x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>"));
}

fn push(out: &mut String, line: Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = out.write_fmt(line);
    out.push('\n');
}

/// Text for an element or an attribute of SVG and HTML.
pub fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
