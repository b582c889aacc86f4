//! The course of a game as an SVG chart: the score over the moves, and the loss of every move.

use super::report::MoveAnalysis;
use crate::search::types::{Side, UNIT};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

/// Width and height in pixels.
const SIZE: (u32, u32) = (960, 480);
/// Moves that lose so many discs are named in the chart.
const NAMED_LOSS: f64 = 3.0;

/// An SVG file of the score for Black as a line over the game, and the loss of every move as a bar.
///
/// # Errors
/// The chart cannot be drawn.
pub fn svg(title: &str, moves: &[MoveAnalysis]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, SIZE).into_drawing_area(), title, moves)?;
    Ok(text)
}

fn draw(area: DrawingArea<SVGBackend<'_>, Shift>, title: &str, moves: &[MoveAnalysis]) -> Result<(), Box<dyn Error>> {
    area.fill(&WHITE)?;
    let last = moves.last().map_or(1, |mv| mv.number) as f64;
    let scores: Vec<(f64, f64)> = moves.iter().map(|mv| (mv.number as f64, black_score(mv))).collect();
    let top = scores.iter().fold(8.0_f64, |top, (_, score)| top.max(score.abs())).ceil().min(64.0);
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
    for mv in moves {
        let (x, loss) = (mv.number as f64, f64::from(mv.loss) / f64::from(UNIT));
        let (end, colour) = if mv.side == Side::First { (-loss, &BLACK) } else { (loss, &RGBColor(150, 150, 150)) };
        chart.draw_series([Rectangle::new([(x - 0.3, 0.0), (x + 0.3, end.clamp(-top, top))], colour.filled())])?;
    }
    chart.draw_series(LineSeries::new(scores.iter().copied(), RGBColor(0, 110, 60).stroke_width(2)))?;
    let bad_moves = moves.iter().filter(|mv| f64::from(mv.loss) >= NAMED_LOSS * f64::from(UNIT));
    let font = ("sans-serif", 12).into_font();
    chart.draw_series(bad_moves.map(|mv| {
        let place = (mv.number as f64 - 0.4, black_score(mv).clamp(-top, top));
        Text::new(mv.played.clone(), place, font.clone().color(&RED))
    }))?;
    area.present()?;
    Ok(())
}

/// Score for Black before the move in discs.
fn black_score(mv: &MoveAnalysis) -> f64 {
    let own = f64::from(mv.score) / f64::from(UNIT);
    if mv.side == Side::First { own } else { -own }
}
