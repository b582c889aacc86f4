//! Line and scatter charts as SVG.

use anyhow::anyhow;
use plotters::prelude::*;

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

impl Scale {
    /// The position of a value on the axis.
    fn position(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        }
    }

    fn label(self, position: f64) -> String {
        match self {
            Scale::Linear => format!("{}", (position * 100.0).round() / 100.0),
            Scale::Logarithmic => format!("1e{position:.0}"),
        }
    }
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
const SIZE: (u32, u32) = (760, 420);

impl Chart<'_> {
    /// The chart with linear scales.
    ///
    /// # Errors
    /// The chart cannot be drawn.
    pub fn svg(&self) -> anyhow::Result<String> {
        self.svg_with_scales(Scales { x: Scale::Linear, y: Scale::Linear })
    }

    /// The chart. The vertical axis begins at 0, a logarithmic one at 1.
    ///
    /// # Errors
    /// The chart cannot be drawn.
    pub fn svg_with_scales(&self, scales: Scales) -> anyhow::Result<String> {
        let mut svg = String::new();
        self.draw(SVGBackend::with_string(&mut svg, SIZE), scales).map_err(|error| anyhow!("cannot draw: {error}"))?;
        Ok(svg)
    }

    fn draw(&self, backend: SVGBackend<'_>, scales: Scales) -> Result<(), Box<dyn std::error::Error + '_>> {
        let position = |&(x, y): &(f64, f64)| (scales.x.position(x), scales.y.position(y));
        let points = || self.series.iter().flat_map(|series| &series.points).map(position);
        let right = points().map(|point| point.0).fold(1.0, f64::max);
        let left = points().map(|point| point.0).fold(right - 1.0, f64::min);
        let high = points().map(|point| point.1).fold(0.1, f64::max) * 1.05;
        let area = backend.into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(left..right, 0.0..high)?;
        chart
            .configure_mesh()
            .x_desc(self.x_label)
            .y_desc(self.y_label)
            .x_label_formatter(&|position| scales.x.label(*position))
            .y_label_formatter(&|position| scales.y.label(*position))
            .light_line_style(WHITE)
            .draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let colour = HSLColor(index as f64 / self.series.len() as f64, 0.7, 0.42);
            let points = series.points.iter().map(position);
            let joined = series.joined;
            let drawn = if joined {
                chart.draw_series(LineSeries::new(points, &colour))?
            } else {
                chart.draw_series(points.map(|point| Circle::new(point, 3, colour.filled())))?
            };
            drawn.label(series.name.as_str()).legend(move |(x, y)| match joined {
                true => PathElement::new([(x, y), (x + 16, y)], colour).into_dyn(),
                false => Circle::new((x + 8, y), 3, colour.filled()).into_dyn(),
            });
        }
        // The legend stands where growing data (on a logarithmic axis) or falling data leaves room.
        let corner = match scales.y {
            Scale::Logarithmic => SeriesLabelPosition::UpperLeft,
            Scale::Linear => SeriesLabelPosition::MiddleRight,
        };
        chart.configure_series_labels().position(corner).background_style(WHITE).border_style(BLACK).draw()?;
        area.present()?;
        Ok(())
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
        let svg =
            |series| Chart { title: "Errors", x_label: "epoch", y_label: "discs", series }.svg().expect("a chart");
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
        let svg =
            Chart { title: "", x_label: "", y_label: "", series: &series }.svg_with_scales(scales).expect("a chart");
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
        // The points, and the circle of the legend after them.
        assert_eq!(positions.len(), 4, "{svg}");
        for axis in 0..2 {
            let steps = [positions[1][axis] - positions[0][axis], positions[2][axis] - positions[1][axis]];
            assert!(steps[0] != 0.0 && (steps[0] - steps[1]).abs() <= 1.0, "{positions:?}");
        }
    }
}
