//! A searched tree as a drawing in SVG: triangles point up for Max and down for Min, windows stand beside them, what was
//! pruned is grey, and the line of best play is heavy.

use super::sketch::{Mark, Sketch, shown};
use std::fmt::Write;

/// Pixels for a leaf, for a ply, and around the drawing.
const LEAF: f64 = 74.0;
const PLY: f64 = 92.0;
const MARGIN: f64 = 46.0;
/// Half the width of a triangle.
const HALF: f64 = 22.0;

/// A node with its place; x counts leaves from the left.
struct Placed<'a> {
    node: &'a Sketch,
    x: f64,
    y: f64,
    children: Vec<Placed<'a>>,
}

/// Gives leaves their columns from left to right, and each node the middle of its children.
fn place<'a>(node: &'a Sketch, ply: usize, columns: &mut usize) -> Placed<'a> {
    let children: Vec<_> = node.children.iter().map(|child| place(child, ply + 1, columns)).collect();
    let x = match (children.first(), children.last()) {
        (Some(first), Some(last)) => (first.x + last.x) / 2.0,
        _ => {
            *columns += 1;
            MARGIN + (*columns as f64 - 0.5) * LEAF
        }
    };
    Placed { node, x, y: MARGIN + ply as f64 * PLY, children }
}

fn lowest(placed: &Placed<'_>) -> f64 {
    placed.children.iter().map(lowest).fold(placed.y, f64::max)
}

/// The drawing, with a line of text below it.
pub fn svg(root: &Sketch, caption: &str) -> String {
    let mut columns = 0;
    let placed = place(root, 0, &mut columns);
    let width = (2.0 * MARGIN + columns as f64 * LEAF).max(260.0);
    let height = lowest(&placed) + MARGIN + 44.0;
    let mut body = String::new();
    edges(&placed, false, &mut body);
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

/// How something is drawn: its class, and what every renderer understands.
const LINE: &str = "class=\"searched\" stroke=\"#567\"";
const MAIN_LINE: &str = "class=\"main\" stroke=\"#0b3d91\" stroke-width=\"4\"";
const PRUNED_LINE: &str = "class=\"pruned\" stroke=\"#c4c4c4\" stroke-dasharray=\"3 3\"";
const CROSS: &str = "class=\"cut\" stroke=\"#b03030\" stroke-width=\"2\"";
const SHAPE: &str = "class=\"searched\" fill=\"#f4f8ff\" stroke=\"#234\"";
const PRUNED_SHAPE: &str = "class=\"pruned\" fill=\"#f7f7f7\" stroke=\"#c4c4c4\" stroke-dasharray=\"3 3\"";
const VALUE: &str = "class=\"value\" text-anchor=\"middle\" font-size=\"12\" fill=\"#000\"";
const UNSEEN: &str = "class=\"unseen\" text-anchor=\"middle\" font-size=\"12\" fill=\"#b4b4b4\"";
const MOVE: &str = "class=\"move\" text-anchor=\"middle\" font-size=\"11\" fill=\"#357\"";

/// Lines from each node to its children; a cross where a subtree was cut off.
fn edges(parent: &Placed<'_>, beyond: bool, out: &mut String) {
    for child in &parent.children {
        let pruned = child.node.seen.is_none();
        let looks = match (pruned, child.node.main) {
            (true, _) => PRUNED_LINE,
            (_, true) => MAIN_LINE,
            _ => LINE,
        };
        let (from, to) = ((parent.x, parent.y + HALF * 0.8), (child.x, child.y - HALF * 0.8));
        line(out, looks, from, to);
        let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        if pruned && !beyond {
            line(out, CROSS, (x - 5.0, y - 5.0), (x + 5.0, y + 5.0));
            line(out, CROSS, (x + 5.0, y - 5.0), (x - 5.0, y + 5.0));
        }
        if let Some(name) = &child.node.name {
            // Beside a steep line, above a flat one.
            let flat = (to.0 - from.0).abs() > 2.0 * (to.1 - from.1);
            let side = if to.0 < from.0 { -16.0 } else { 16.0 };
            let (dx, dy) = if flat { (0.0, -10.0) } else { (side, 4.0) };
            text(out, MOVE, x + dx, y + dy, &escaped(name));
        }
        edges(child, beyond || pruned, out);
    }
}

fn nodes(placed: &Placed<'_>, parent_x: f64, out: &mut String) {
    let Placed { node, x, y, .. } = placed;
    let leaf = node.children.is_empty();
    let looks = if node.seen.is_some() { SHAPE } else { PRUNED_SHAPE };
    if leaf {
        push(out, format_args!("<circle {looks} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", HALF * 0.75));
    } else {
        let up = if node.max { 1.0 } else { -1.0 };
        let (base, tip) = (y + up * HALF * 0.8, y - up * HALF);
        let (left, right) = (x - HALF, x + HALF);
        push(
            out,
            format_args!("<polygon {looks} points=\"{left:.1},{base:.1} {right:.1},{base:.1} {x:.1},{tip:.1}\"/>"),
        );
    }
    let middle = match (leaf, node.max) {
        (true, _) => y + 4.0,
        (_, true) => y + 13.0,
        (_, false) => y - 4.0,
    };
    match node.seen {
        Some(seen) => {
            let sign = match seen.mark {
                Mark::Exact => "",
                Mark::AtLeast => "≥",
                Mark::AtMost => "≤",
            };
            text(out, VALUE, *x, middle, &format!("{sign}{}", shown(seen.value)));
            // Beside the tip of a triangle and away from the line to its parent, below a leaf.
            let (anchor, dx, dy) = match (leaf, node.max) {
                (true, _) => ("middle", 0.0, HALF + 8.0),
                (_, true) if parent_x > *x => ("end", -9.0, -13.0),
                (_, true) => ("start", 9.0, -13.0),
                (_, false) => ("start", 13.0, 15.0),
            };
            let looks = format!("class=\"window\" text-anchor=\"{anchor}\" font-size=\"10\" fill=\"#567\"");
            text(out, &looks, x + dx, y + dy, &format!("[{},{}]", shown(seen.window.0), shown(seen.window.1)));
        }
        None => {
            if let Some(value) = node.static_value {
                text(out, UNSEEN, *x, middle, &shown(value));
            }
        }
    }
    placed.children.iter().for_each(|child| nodes(child, *x, out));
}

fn line(out: &mut String, looks: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    push(out, format_args!("<line {looks} x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"));
}

fn text(out: &mut String, looks: &str, x: f64, y: f64, words: &str) {
    push(out, format_args!("<text {looks} x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>"));
}

fn push(out: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = out.write_fmt(line);
    out.push('\n');
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
