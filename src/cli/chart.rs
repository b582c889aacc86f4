//! Line charts as SVG.

use anyhow::anyhow;
use plotters::prelude::*;

/// A line of a chart, or a cloud of points.
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// False to draw the points and no line.
    pub joined: bool,
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

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of ten; what is drawn must be positive.
    Logarithmic,
}

impl Scale {
    fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        }
    }

    fn label(self, place: f64) -> String {
        match self {
            Scale::Linear => format!("{}", (place * 100.0).round() / 100.0),
            Scale::Logarithmic => format!("1e{place:.0}"),
        }
    }
}

/// The axes of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The horizontal axis.
    pub across: Scale,
    /// The vertical axis.
    pub up: Scale,
}

const SIZE: (u32, u32) = (760, 420);

impl Chart<'_> {
    /// The picture, lines on even axes.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn svg(&self) -> anyhow::Result<String> {
        self.svg_with(Look { across: Scale::Linear, up: Scale::Linear })
    }

    /// The picture. Heights begin at 0, on a logarithmic axis at 1.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn svg_with(&self, look: Look) -> anyhow::Result<String> {
        let mut svg = String::new();
        self.draw(SVGBackend::with_string(&mut svg, SIZE), look).map_err(|error| anyhow!("cannot draw: {error}"))?;
        Ok(svg)
    }

    fn draw(&self, backend: SVGBackend<'_>, look: Look) -> Result<(), Box<dyn std::error::Error + '_>> {
        let place = |&(x, y): &(f64, f64)| (look.across.place(x), look.up.place(y));
        let points = || self.series.iter().flat_map(|series| &series.points).map(place);
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
            .x_desc(self.across)
            .y_desc(self.up)
            .x_label_formatter(&|place| look.across.label(*place))
            .y_label_formatter(&|place| look.up.label(*place))
            .light_line_style(WHITE)
            .draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let colour = HSLColor(index as f64 / self.series.len() as f64, 0.7, 0.42);
            let points = series.points.iter().map(place);
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
        // What grows leaves room above, what shrinks leaves it on the right.
        let corner = match look.up {
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
        let svg = |series| Chart { title: "Errors", across: "pass", up: "discs", series }.svg().expect("a picture");
        let (one, both) = (svg(&all[..1]), svg(&all));
        for word in ["Errors", "pass", "discs", "one", "two"] {
            assert!(both.contains(word), "{word}");
        }
        let lines = |svg: &str| svg.matches("<polyline").count();
        assert_eq!(lines(&both), lines(&one) + 2);
    }

    #[test]
    fn powers_of_ten_are_evenly_spaced() {
        let points = vec![(1.0, 1.0), (10.0, 100.0), (100.0, 10_000.0)];
        let series = [Series { name: "s".into(), points, joined: false }];
        let look = Look { across: Scale::Logarithmic, up: Scale::Logarithmic };
        let svg = Chart { title: "", across: "", up: "", series: &series }.svg_with(look).expect("a picture");
        let places: Vec<[f64; 2]> = svg
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .map(|line| {
                ["cx=\"", "cy=\""].map(|key| {
                    let (_, rest) = line.split_once(key).expect("a place");
                    rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
                })
            })
            .collect();
        // The points, and the legend's own circle after them.
        assert_eq!(places.len(), 4, "{svg}");
        for axis in 0..2 {
            let steps = [places[1][axis] - places[0][axis], places[2][axis] - places[1][axis]];
            assert!(steps[0] != 0.0 && (steps[0] - steps[1]).abs() <= 1.0, "{places:?}");
        }
    }
}
