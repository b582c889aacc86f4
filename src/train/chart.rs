//! Line charts as SVG.

use anyhow::anyhow;
use plotters::prelude::*;

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

const SIZE: (u32, u32) = (760, 420);

impl Chart<'_> {
    /// The picture. Heights begin at 0.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn svg(&self) -> anyhow::Result<String> {
        let mut svg = String::new();
        self.draw(SVGBackend::with_string(&mut svg, SIZE)).map_err(|error| anyhow!("cannot draw: {error}"))?;
        Ok(svg)
    }

    fn draw(&self, backend: SVGBackend<'_>) -> Result<(), Box<dyn std::error::Error + '_>> {
        let points = || self.series.iter().flat_map(|series| &series.points);
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
        chart.configure_mesh().x_desc(self.across).y_desc(self.up).light_line_style(WHITE).draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let colour = HSLColor(index as f64 / self.series.len() as f64, 0.7, 0.42);
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), &colour))?
                .label(series.name.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        area.present()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_a_line_and_a_name_for_each_series() {
        let series = |name: &str, points: &[(f64, f64)]| Series { name: name.into(), points: points.to_vec() };
        let all = [series("one", &[(0.0, 1.0), (5.0, 9.0)]), series("two", &[(2.0, 3.0), (3.0, 4.0)])];
        let svg = |series| Chart { title: "Errors", across: "pass", up: "discs", series }.svg().expect("a picture");
        let (one, both) = (svg(&all[..1]), svg(&all));
        for word in ["Errors", "pass", "discs", "one", "two"] {
            assert!(both.contains(word), "{word}");
        }
        let lines = |svg: &str| svg.matches("<polyline").count();
        assert_eq!(lines(&both), lines(&one) + 2);
    }
}
