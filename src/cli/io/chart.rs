//! Line and scatter charts as SVG.

use flipside_support::svg::{Anchor, Area, Elements, Look, Point};

/// A data series: a line, or points.
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The points, x and y.
    pub points: Vec<(f64, f64)>,
    /// Whether to draw a line through the points instead of the points.
    pub joined: bool,
}

/// A chart.
pub struct Chart<'a> {
    /// The title above it.
    pub title: &'a str,
    /// Label of the horizontal axis.
    pub x_label: &'a str,
    /// Label of the vertical axis.
    pub y_label: &'a str,
    /// The data.
    pub series: &'a [Series],
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Linear.
    Linear,
    /// Logarithmic to base ten; values must be positive.
    Logarithmic,
}

/// The scales of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    /// Scale of the horizontal axis.
    pub x: Scale,
    /// Scale of the vertical axis.
    pub y: Scale,
}

/// Width and height in pixels.
const SIZE: Point = (860.0, 420.0);
/// Pixels left of the plot, above it and below it, for labels and title.
const LEFT: f64 = 74.0;
const ABOVE: f64 = 42.0;
const BELOW: f64 = 54.0;
/// Most pixels between two names of the legend, and the pixels of the line or point before a name.
const ROW: f64 = 19.0;
const SAMPLE: f64 = 18.0;
/// Rough width of a character in pixels.
const CHARACTER: f64 = 7.2;
/// Most numbers on an axis.
const MOST_TICKS: f64 = 10.0;

const TITLE: Look = Look { class: "ink", attributes: "font-size=\"16\" fill=\"#222\"" };
const LABEL: Look = Look { class: "ink", attributes: "font-size=\"12\" fill=\"#222\"" };
const NUMBER: Look = Look { class: "faint", attributes: "font-size=\"12\" fill=\"#555\"" };
const AXIS: Look = Look { class: "axis", attributes: "stroke=\"#555\" stroke-width=\"1\"" };
const RULE: Look = Look { class: "rule", attributes: "stroke=\"#e4e4e4\" stroke-width=\"1\"" };
/// The group of the series sets its colour.
const LINE: Look = Look { class: "line", attributes: "stroke-width=\"2\" stroke-linejoin=\"round\"" };
const POINT: Look = Look { class: "point", attributes: "stroke=\"none\"" };

impl Scale {
    /// The position of a value on an axis.
    fn position(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        }
    }
}

/// An axis: the positions of its ends, in values and in pixels.
#[derive(Clone, Copy, Debug)]
struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    /// The axis shows whole numbers only.
    whole: bool,
    start: f64,
    end: f64,
}

impl Axis {
    fn pixel(&self, position: f64) -> f64 {
        self.start + (position - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    /// Positions with their labels: multiples of 1, 2 or 5 times a power of ten, or whole powers of ten.
    fn ticks(&self) -> Vec<(f64, String)> {
        let least = (self.high - self.low) / MOST_TICKS;
        let magnitude = 10.0_f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude).into_iter().find(|&step| step >= least);
        let step = step.unwrap_or(least).max(if self.whole { 1.0 } else { 0.0 });
        // A rounding error must not drop the last number.
        let numbers = (self.low / step - 1e-6).ceil() as i64..=(self.high / step + 1e-6).floor() as i64;
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let label = |position: f64| match self.scale {
            Scale::Linear => format!("{position:.decimals$}"),
            Scale::Logarithmic => power_of_ten(position as i64),
        };
        numbers.map(|number| number as f64 * step).map(|position| (position, label(position))).collect()
    }
}

/// `1`, `10`, `10²`, ...
fn power_of_ten(exponent: i64) -> String {
    let raised = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10).unwrap_or(0) as usize);
    match exponent {
        0 => "1".to_string(),
        1 => "10".to_string(),
        _ => format!("10{}", exponent.to_string().chars().filter_map(raised).collect::<String>()),
    }
}

/// The colour of a series: evenly spaced hues, dark enough for white paper.
fn colour(index: usize, count: usize) -> String {
    let hue = 12.0 * index as f64 / count as f64;
    // From hue, saturation 0.7 and lightness 0.42 to the share of a primary colour.
    let channel = |offset: f64| {
        let distance = (offset + hue) % 12.0;
        let share = 0.42 - 0.7 * 0.42 * (distance - 3.0).min(9.0 - distance).clamp(-1.0, 1.0);
        (share * 255.0).round()
    };
    format!("rgb({},{},{})", channel(0.0), channel(8.0), channel(4.0))
}

impl Chart<'_> {
    /// The chart with linear scales.
    pub fn svg(&self) -> String {
        self.svg_with_scales(Scales { x: Scale::Linear, y: Scale::Linear })
    }

    /// The chart. The vertical axis begins at 0, a logarithmic one at 1.
    pub fn svg_with_scales(&self, scales: Scales) -> String {
        let series: Vec<Vec<Point>> = self.series.iter().map(|series| positions(series, scales)).collect();
        let longest = self.series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
        let legend = SAMPLE + 36.0 + longest as f64 * CHARACTER;
        let plot = Area { x: LEFT, y: ABOVE, width: SIZE.0 - LEFT - legend, height: SIZE.1 - ABOVE - BELOW };
        let (x, y) = axes(&series, scales, plot);
        let mut picture = Elements::on_paper(SIZE);
        picture.text(TITLE, (plot.x + plot.width / 2.0, 26.0), Anchor::Middle, self.title);
        self.rules(&mut picture, plot, &x, &y);
        let step = ROW.min(plot.height / self.series.len().max(1) as f64);
        for (index, (series, points)) in self.series.iter().zip(&series).enumerate() {
            let colour = colour(index, self.series.len());
            let points: Vec<Point> = points.iter().map(|point| (x.pixel(point.0), y.pixel(point.1))).collect();
            let (left, row) = (plot.right() + 18.0, plot.y + (index as f64 + 0.5) * step);
            let (middle, sample) = ((left + SAMPLE / 2.0, row), [(left, row), (left + SAMPLE, row)]);
            picture.group(format_args!("stroke=\"{colour}\" fill=\"{colour}\""), |picture| {
                marks(picture, series.joined, &points);
                marks(picture, series.joined, if series.joined { &sample } else { std::slice::from_ref(&middle) });
            });
            picture.text(LABEL, (left + SAMPLE + 6.0, row + 4.0), Anchor::Start, &series.name);
        }
        picture.picture(SIZE, self.title)
    }

    /// The axes with their labels and numbers, and the lines across the plot.
    fn rules(&self, picture: &mut Elements, plot: Area, x: &Axis, y: &Axis) {
        for (position, label) in x.ticks() {
            let at = x.pixel(position);
            picture.line(RULE, (at, plot.y), (at, plot.bottom()));
            picture.text(NUMBER, (at, plot.bottom() + 17.0), Anchor::Middle, &label);
        }
        for (position, label) in y.ticks() {
            let at = y.pixel(position);
            picture.line(RULE, (plot.x, at), (plot.right(), at));
            picture.text(NUMBER, (plot.x - 7.0, at + 4.0), Anchor::End, &label);
        }
        picture.line(AXIS, (plot.x, plot.y), (plot.x, plot.bottom()));
        picture.line(AXIS, (plot.x, plot.bottom()), (plot.right(), plot.bottom()));
        picture.text(LABEL, (plot.x + plot.width / 2.0, plot.bottom() + 40.0), Anchor::Middle, self.x_label);
        let (left, middle) = (20.0, plot.y + plot.height / 2.0);
        picture.group(format_args!("transform=\"rotate(-90 {left} {middle})\""), |picture| {
            picture.text(LABEL, (left, middle), Anchor::Middle, self.y_label);
        });
    }
}

/// The positions on the axes of those points that have one.
fn positions(series: &Series, scales: Scales) -> Vec<Point> {
    let position = |&(x, y): &Point| (scales.x.position(x), scales.y.position(y));
    series.points.iter().map(position).filter(|(x, y)| x.is_finite() && y.is_finite()).collect()
}

/// Axes that cover all positions.
fn axes(series: &[Vec<Point>], scales: Scales, plot: Area) -> (Axis, Axis) {
    let points = || series.iter().flatten();
    let right = points().map(|point| point.0).fold(1.0, f64::max);
    let left = points().map(|point| point.0).fold(right - 1.0, f64::min);
    let high = points().map(|point| point.1).fold(0.1, f64::max) * 1.05;
    let whole = |scale, value: fn(&Point) -> f64| {
        scale == Scale::Logarithmic || points().all(|point| value(point).fract() == 0.0)
    };
    let (x_whole, y_whole) = (whole(scales.x, |point| point.0), whole(scales.y, |point| point.1));
    (
        Axis { scale: scales.x, low: left, high: right, whole: x_whole, start: plot.x, end: plot.right() },
        Axis { scale: scales.y, low: 0.0, high, whole: y_whole, start: plot.bottom(), end: plot.y },
    )
}

/// A line through the points, or the points.
fn marks(picture: &mut Elements, joined: bool, points: &[Point]) {
    if joined && points.len() > 1 {
        return picture.polyline(LINE, points);
    }
    for &point in points {
        picture.circle(POINT, point, 3.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_a_line_and_a_name_for_each_series() {
        let series =
            |name: &str, points: &[(f64, f64)]| Series { name: name.into(), points: points.to_vec(), joined: true };
        let all = [series("one", &[(0.0, 1.0), (5.0, 9.0)]), series("two", &[(2.0, 3.0), (3.0, 4.0)])];
        let svg = |series| Chart { title: "Errors", x_label: "epoch", y_label: "discs", series }.svg();
        let (one, both) = (svg(&all[..1]), svg(&all));
        for word in ["Errors", "epoch", "discs", "one", "two"] {
            assert!(both.contains(word), "{word}");
        }
        let lines = |svg: &str| svg.matches("<polyline").count();
        assert_eq!(lines(&both), lines(&one) + 2);
    }

    #[test]
    fn powers_of_ten_are_evenly_spaced() {
        let points = vec![(1.0, 1.0), (10.0, 100.0), (100.0, 10_000.0)];
        let series = [Series { name: "s".into(), points, joined: false }];
        let scales = Scales { x: Scale::Logarithmic, y: Scale::Logarithmic };
        let svg = Chart { title: "", x_label: "", y_label: "", series: &series }.svg_with_scales(scales);
        let positions: Vec<[f64; 2]> = svg
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .map(|line| {
                ["cx=\"", "cy=\""].map(|key| {
                    let (_, rest) = line.split_once(key).expect("a coordinate");
                    rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
                })
            })
            .collect();
        // The points, then the circle of the legend.
        assert_eq!(positions.len(), 4, "{svg}");
        for axis in 0..2 {
            let steps = [positions[1][axis] - positions[0][axis], positions[2][axis] - positions[1][axis]];
            assert!(steps[0] != 0.0 && (steps[0] - steps[1]).abs() <= 1.0, "{positions:?}");
        }
    }

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |axis: Axis| axis.ticks().into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        let axis = |scale, low, high, whole| Axis { scale, low, high, whole, start: 0.0, end: 1.0 };
        assert_eq!(ticks(axis(Scale::Linear, 0.0, 13.0, false)), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(ticks(axis(Scale::Linear, 0.0, 0.63, false)), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(ticks(axis(Scale::Linear, 1.0, 3.0, true)), ["1", "2", "3"]);
        assert_eq!(ticks(axis(Scale::Logarithmic, 0.0, 4.2, true)), ["1", "10", "10²", "10³", "10⁴"]);
        assert_eq!(ticks(axis(Scale::Logarithmic, 0.0, 12.5, true)), ["1", "10²", "10⁴", "10⁶", "10⁸", "10¹⁰", "10¹²"]);
    }

    #[test]
    fn data_without_a_place_is_left_out() {
        let points = vec![(1.0, f64::NAN), (2.0, 0.0), (3.0, f64::INFINITY), (4.0, 5.0)];
        let series = [Series { name: "s".into(), points, joined: true }];
        let chart = Chart { title: "", x_label: "", y_label: "", series: &series };
        let svg = chart.svg_with_scales(Scales { x: Scale::Linear, y: Scale::Logarithmic });
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(Chart { series: &[], ..chart }.svg().ends_with("</svg>\n"));
    }
}
