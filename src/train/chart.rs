//! Line charts as SVG.

use std::fmt::Write;

/// A line of a chart.
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// What a chart shows.
pub struct Chart<'a> {
    /// Above it.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub across: &'a str,
    /// Beside the vertical axis.
    pub up: &'a str,
    /// The lines.
    pub series: &'a [Series],
}

const SIZE: (f64, f64) = (760.0, 420.0);
const LEFT: f64 = 60.0;
const RIGHT: f64 = 610.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 370.0;
const TICKS: usize = 6;

impl Chart<'_> {
    /// The picture. Heights begin at 0.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
        let right = most(&mut points().map(|point| point.0)).max(1.0);
        let left = -most(&mut points().map(|point| -point.0)).min(0.0);
        let high = (most(&mut points().map(|point| point.1)) * 1.05).max(1e-9);
        let x = |value: f64| LEFT + (value - left) / (right - left).max(1e-9) * (RIGHT - LEFT);
        let y = |value: f64| BOTTOM - value / high * (BOTTOM - TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" \
             font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/><text x=\"{LEFT}\" y=\"24\" \
             font-size=\"15\">{}</text>\n",
            SIZE.0, SIZE.1, self.title
        );
        for tick in 0..=TICKS {
            let part = tick as f64 / TICKS as f64;
            let (across, up) = (left + part * (right - left), part * high);
            let (h, v) = (x(across), y(up));
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<path d=\"M{LEFT} {v:.1}H{RIGHT}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{up:.2}</text><text x=\"{h:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{across:.0}</text>\n",
                LEFT - 6.0,
                v + 4.0,
                BOTTOM + 16.0
            );
        }
        for (index, series) in self.series.iter().enumerate() {
            let colour = format!("hsl({}, 70%, 42%)", index * 360 / self.series.len().max(1));
            let line: Vec<String> = series.points.iter().map(|(h, v)| format!("{:.1},{:.1}", x(*h), y(*v))).collect();
            let height = TOP + 18.0 * index as f64;
            let _ = write!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/><path \
                 d=\"M{} {height:.1}h18\" stroke=\"{colour}\" stroke-width=\"3\"/><text x=\"{}\" \
                 y=\"{:.1}\">{}</text>\n",
                line.join(" "),
                RIGHT + 14.0,
                RIGHT + 38.0,
                height + 4.0,
                series.name
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text><text transform=\"translate(16 {}) \
             rotate(-90)\" text-anchor=\"middle\">{}</text></svg>\n",
            (LEFT + RIGHT) / 2.0,
            BOTTOM + 36.0,
            self.across,
            (TOP + BOTTOM) / 2.0,
            self.up
        );
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_a_line_for_each_series_within_its_frame() {
        let series = |name: &str, points: &[(f64, f64)]| Series { name: name.into(), points: points.to_vec() };
        let all = [series("one", &[(0.0, 1.0), (5.0, 9.0)]), series("two", &[(2.0, 3.0)])];
        let svg = Chart { title: "Errors", across: "pass", up: "discs", series: &all }.svg();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("Errors") && svg.contains(">two<") && svg.ends_with("</svg>\n"));
        let line = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a line");
        assert_eq!(line, "60.0,335.1 610.0,55.7");
    }
}
