//! The course of a game as a picture: who led, and which moves gave discs away.

use super::analyze::Verdict;
use crate::search::types::{Side, UNIT};
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// Width and height in pixels.
const SIZE: (u32, u32) = (960, 480);
/// A move that costs so many discs is named in the picture.
const NAMED: f64 = 3.0;

/// Draws the evaluation over the game, Black's lead upwards, and a bar for what each move lost.
///
/// # Errors
/// When the file cannot be written.
pub fn draw(path: &Path, title: &str, verdicts: &[Verdict]) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let last = verdicts.last().map_or(1, |verdict| verdict.number) as f64;
    let leads: Vec<(f64, f64)> = verdicts.iter().map(|verdict| (verdict.number as f64, lead(verdict))).collect();
    let top = leads.iter().fold(8.0_f64, |top, (_, lead)| top.max(lead.abs())).ceil().min(64.0);
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.5..last + 0.5, -top..top)?;
    chart
        .configure_mesh()
        .x_desc("move")
        .y_desc("discs for Black")
        .x_label_formatter(&|number| format!("{number:.0}"))
        .y_label_formatter(&|discs| format!("{discs:+.0}"))
        .light_line_style(RGBColor(235, 235, 235))
        .draw()?;
    for verdict in verdicts {
        let (x, loss) = (verdict.number as f64, f64::from(verdict.loss) / f64::from(UNIT));
        let (end, colour) =
            if verdict.side == Side::First { (-loss, &BLACK) } else { (loss, &RGBColor(150, 150, 150)) };
        chart.draw_series([Rectangle::new([(x - 0.3, 0.0), (x + 0.3, end.clamp(-top, top))], colour.filled())])?;
    }
    chart.draw_series(LineSeries::new(leads.iter().copied(), RGBColor(0, 110, 60).stroke_width(2)))?;
    let grave = verdicts.iter().filter(|verdict| f64::from(verdict.loss) >= NAMED * f64::from(UNIT));
    let font = ("sans-serif", 12).into_font();
    chart.draw_series(grave.map(|verdict| {
        let place = (verdict.number as f64 - 0.4, lead(verdict).clamp(-top, top));
        Text::new(verdict.played.clone(), place, font.clone().color(&RED))
    }))?;
    area.present()?;
    Ok(())
}

/// Discs by which Black leads before the move, with best play.
fn lead(verdict: &Verdict) -> f64 {
    let own = f64::from(verdict.score) / f64::from(UNIT);
    if verdict.side == Side::First { own } else { -own }
}
