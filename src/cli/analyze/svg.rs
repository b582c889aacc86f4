//! Building blocks of SVG pictures. Every element has a class, by which a page that holds the picture may colour it, and
//! attributes, which every renderer understands.

use crate::textbook::svg::escaped;
use std::fmt::Write;

/// How elements of a kind look: their class, and attributes besides it.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The class.
    pub class: &'static str,
    /// Attributes as SVG writes them.
    pub attributes: &'static str,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
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
    /// True if both have a point in common.
    pub fn overlaps(self, other: Area) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    /// True if the other lies wholly within.
    pub fn contains(self, other: Area) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.x + other.width <= self.x + self.width
            && other.y + other.height <= self.y + self.height
    }
}

/// The elements of a picture so far, as text.
#[derive(Clone, Debug, Default)]
pub struct Elements(String);

impl Elements {
    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // A `String` takes all that is written.
        let _ = writeln!(self.0, "{element}");
    }

    /// A straight line.
    pub fn line(&mut self, Look { class, attributes }: Look, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.push(format_args!(
            "<line class=\"{class}\" {attributes} x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// A line from point to point.
    pub fn polyline(&mut self, Look { class, attributes }: Look, points: &[(f64, f64)]) {
        let points: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.push(format_args!(
            "<polyline class=\"{class}\" {attributes} fill=\"none\" points=\"{}\"/>",
            points.join(" ")
        ));
    }

    /// A rectangle; the tip, if it is not empty, is shown where the pointer rests on it.
    pub fn rectangle(&mut self, Look { class, attributes }: Look, area: Area, tip: &str) {
        let Area { x, y, width, height } = area;
        let tip = if tip.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(tip)) };
        self.push(format_args!(
            "<rect class=\"{class}\" {attributes} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\">{tip}</rect>"
        ));
    }

    /// A circle.
    pub fn circle(&mut self, Look { class, attributes }: Look, (x, y): (f64, f64), radius: f64) {
        self.push(format_args!(
            "<circle class=\"{class}\" {attributes} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        ));
    }

    /// A line of text.
    pub fn text(&mut self, Look { class, attributes }: Look, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let words = escaped(words);
        self.push(format_args!(
            "<text class=\"{class}\" {attributes} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
        ));
    }

    /// Another picture's elements, moved so far to the right and down.
    pub fn place(&mut self, other: &Elements, (x, y): (f64, f64)) {
        self.push(format_args!("<g transform=\"translate({x:.1} {y:.1})\">\n{}</g>", other.0));
    }

    /// The picture: `title` is what screen readers say.
    pub fn picture(&self, (width, height): (f64, f64), title: &str) -> String {
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\">\n<title>{title}</title>\n{}</svg>\n",
            self.0
        )
    }
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
        elements.text(Look { class: "name", attributes: "" }, (1.0, 2.0), Anchor::Middle, "<Ann & \"Bob\">");
        let picture = elements.picture((10.0, 10.0), "a < b");
        assert!(picture.contains("&lt;Ann &amp; &quot;Bob&quot;&gt;") && picture.contains("<title>a &lt; b</title>"));
    }
}
