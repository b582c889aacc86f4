//! Pictures as SVG text. Every element has a class, by which a page may colour it, and presentation attributes for all
//! renderers. Only this module escapes text.

use std::fmt::{Arguments, Write};

/// A place in pixels from the left and upper edge; of a picture, its width and height.
pub type Point = (f64, f64);

/// The style of elements of one kind: their class and further attributes.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The class.
    pub class: &'static str,
    /// Attributes as SVG writes them.
    pub attributes: &'static str,
}

/// The position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins at the point.
    Start,
    /// The text's middle is at the point.
    Middle,
    /// The text ends at the point.
    End,
}

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

impl Area {
    /// The square of this side around a point.
    pub fn square(middle: Point, side: f64) -> Area {
        Area { x: middle.0 - side / 2.0, y: middle.1 - side / 2.0, width: side, height: side }
    }

    /// The right edge.
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    /// The lower edge.
    pub fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// Whether both have a point in common.
    pub fn overlaps(self, other: Area) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Whether the other lies wholly within.
    pub fn contains(self, other: Area) -> bool {
        self.x <= other.x && self.y <= other.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }
}

/// The elements of a picture so far, one a line.
#[derive(Clone, Debug, Default)]
pub struct Elements(String);

impl Elements {
    /// A white picture of this size.
    pub fn on_paper((width, height): Point) -> Elements {
        let mut elements = Elements::default();
        let paper = Look { class: "paper", attributes: "fill=\"#fff\"" };
        elements.rectangle(paper, Area { x: 0.0, y: 0.0, width, height }, "");
        elements
    }

    fn push(&mut self, line: Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    fn element(&mut self, name: &str, Look { class, attributes }: Look, geometry: Arguments<'_>) {
        self.push(format_args!("<{name} class=\"{class}\" {attributes} {geometry}/>"));
    }

    /// An element with content.
    fn filled(&mut self, name: &str, Look { class, attributes }: Look, geometry: Arguments<'_>, content: &str) {
        self.push(format_args!("<{name} class=\"{class}\" {attributes} {geometry}>{content}</{name}>"));
    }

    /// A straight line.
    pub fn line(&mut self, look: Look, (x1, y1): Point, (x2, y2): Point) {
        self.element("line", look, format_args!("x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\""));
    }

    /// A line from point to point.
    pub fn polyline(&mut self, look: Look, points: &[Point]) {
        self.element("polyline", look, format_args!("fill=\"none\" points=\"{}\"", listed(points)));
    }

    /// A closed figure with these corners.
    pub fn polygon(&mut self, look: Look, corners: &[Point]) {
        self.element("polygon", look, format_args!("points=\"{}\"", listed(corners)));
    }

    /// A circle.
    pub fn circle(&mut self, look: Look, (x, y): Point, radius: f64) {
        self.element("circle", look, format_args!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\""));
    }

    /// A rectangle; a tip that is not empty is shown under the pointer.
    pub fn rectangle(&mut self, look: Look, Area { x, y, width, height }: Area, tip: &str) {
        let tip = if tip.is_empty() { String::new() } else { title(tip) };
        let geometry = format_args!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        self.filled("rect", look, geometry, &tip);
    }

    /// A tip of the group that is being drawn, shown under the pointer.
    pub fn tip(&mut self, words: &str) {
        self.push(format_args!("{}", title(words)));
    }

    /// A line of text.
    pub fn text(&mut self, look: Look, (x, y): Point, anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let geometry = format_args!("x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"");
        self.filled("text", look, geometry, &escaped(words));
    }

    /// The elements that `draw` adds, as a group with these attributes, which its elements inherit.
    pub fn group(&mut self, attributes: Arguments<'_>, draw: impl FnOnce(&mut Elements)) {
        self.push(format_args!("<g {attributes}>"));
        draw(self);
        self.push(format_args!("</g>"));
    }

    /// Another picture's elements, moved to the right and down.
    pub fn place(&mut self, other: &Elements, (x, y): Point) {
        self.group(format_args!("transform=\"translate({x:.1} {y:.1})\""), |group| group.0 += &other.0);
    }

    /// The picture with the title that screen readers announce.
    pub fn picture(&self, (width, height): Point, title: &str) -> String {
        let (title, elements) = (self::title(title), &self.0);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\">\n{title}\n{elements}</svg>\n"
        )
    }
}

fn title(words: &str) -> String {
    format!("<title>{}</title>", escaped(words))
}

/// `x,y x,y ...`
fn listed(points: &[Point]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// Text escaped for SVG and HTML. Control characters, which neither allows, are dropped.
pub fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for character in words.chars() {
        match character {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            '"' => text += "&quot;",
            '\u{fffe}' | '\u{ffff}' => {}
            other if other.is_control() => {}
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_know_what_they_share() {
        let area = |x, y| Area { x, y, width: 10.0, height: 5.0 };
        assert!(area(0.0, 0.0).overlaps(area(9.0, 4.0)));
        assert!(!area(0.0, 0.0).overlaps(area(10.0, 0.0)) && !area(0.0, 0.0).overlaps(area(0.0, 5.0)));
        assert!(area(0.0, 0.0).contains(area(0.0, 0.0)) && !area(0.0, 0.0).contains(area(1.0, 0.0)));
    }

    #[test]
    fn words_are_escaped() {
        let mut elements = Elements::default();
        elements.text(Look { class: "name", attributes: "" }, (1.0, 2.0), Anchor::Middle, "<Ann & \"Bob\">\u{1b}\0");
        let picture = elements.picture((10.0, 10.0), "a < b");
        assert!(picture.contains(">&lt;Ann &amp; &quot;Bob&quot;&gt;</text>"), "{picture}");
        assert!(picture.contains("<title>a &lt; b</title>"), "{picture}");
    }

    #[test]
    fn groups_hold_what_is_drawn_in_them() {
        let look = Look { class: "c", attributes: "stroke=\"#000\"" };
        let (mut inner, mut outer) = (Elements::default(), Elements::default());
        inner.polygon(look, &[(0.0, 0.0), (1.5, 2.0)]);
        outer.place(&inner, (3.0, 4.0));
        let polygon = "<polygon class=\"c\" stroke=\"#000\" points=\"0.0,0.0 1.5,2.0\"/>";
        assert_eq!(outer.0, format!("<g transform=\"translate(3.0 4.0)\">\n{polygon}\n</g>\n"));
    }
}
