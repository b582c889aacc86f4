//! The course of a game as a picture: the score as a line, the losses of the moves as bars, and the boards of the worst
//! moves.

use super::analysed_game::{AnalysedGame, MoveAnalysis, discs, side_name};
use super::board_picture;
use crate::cli::review::Verdict;
use flipside_core::search::types::Side;
use flipside_support::svg::{Anchor, Area, Elements, Look, Point};
use flipside_support::text::shortened;

/// Width and height of the chart in pixels.
const SIZE: (f64, f64) = (900.0, 400.0);
/// The plot: the area inside the axes.
const PLOT: Area = Area { x: 52.0, y: 62.0, width: 836.0, height: 290.0 };
/// Most moves named in the chart.
const NAMED: usize = 10;
/// Most boards drawn below the chart.
const BOARDS: usize = 3;
/// Fewest discs of the vertical axis in each direction.
const LEAST_RANGE: f64 = 8.0;
/// Most characters of a title.
const TITLE_LENGTH: usize = 70;

const TITLE: Look = Look { class: "ink", attributes: "font-size=\"17\" fill=\"#222\"" };
const LEGEND: Look = Look { class: "ink", attributes: "font-size=\"12\" fill=\"#222\"" };
const FAINT: Look = Look { class: "faint", attributes: "font-size=\"12\" fill=\"#666\"" };
const RULE: Look = Look { class: "rule", attributes: "stroke=\"#e2e2e2\" stroke-width=\"1\"" };
const ZERO: Look = Look { class: "zero", attributes: "stroke=\"#888\" stroke-width=\"1\"" };
const LEADER: Look = Look { class: "leader", attributes: "stroke=\"#999\" stroke-width=\"0.8\"" };
const SCORE: Look =
    Look { class: "score", attributes: "stroke=\"#0a6b4d\" stroke-width=\"2.2\" stroke-linejoin=\"round\"" };
const NAME: Look = Look {
    class: "name",
    attributes: "font-size=\"11\" fill=\"#222\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"",
};

/// The style of a verdict's bar.
fn bar_look(verdict: Verdict) -> Look {
    match verdict {
        Verdict::Best | Verdict::Equal => Look { class: "equal", attributes: "fill=\"#c9c9c9\"" },
        Verdict::Inaccuracy => Look { class: "inaccuracy", attributes: "fill=\"#e0b000\"" },
        Verdict::Mistake => Look { class: "mistake", attributes: "fill=\"#e07000\"" },
        Verdict::Blunder => Look { class: "blunder", attributes: "fill=\"#c62828\"" },
    }
}

/// A complete file: title, chart, and the boards of the worst moves.
pub fn svg(game: &AnalysedGame) -> String {
    const HEAD: f64 = 34.0;
    let worst = game.worst(BOARDS);
    let (width, boards_top) = (SIZE.0, HEAD + SIZE.1 + 26.0);
    let height = if worst.is_empty() { HEAD + SIZE.1 } else { boards_top + board_picture::SIZE.1 + 10.0 };
    let mut all = Elements::on_paper((width, height));
    all.text(TITLE, (width / 2.0, 24.0), Anchor::Middle, &shortened(&heading(game), TITLE_LENGTH));
    all.place(&chart(game), (0.0, HEAD));
    if !worst.is_empty() {
        let words = "the costliest moves: a cross marks the played move, a ring the best one";
        all.text(LEGEND, (width / 2.0, boards_top - 8.0), Anchor::Middle, words);
    }
    for (index, mv) in worst.into_iter().enumerate() {
        let x = (index as f64 + 0.5) * width / BOARDS as f64 - board_picture::SIZE.0 / 2.0;
        all.place(&board_picture::elements(mv), (x, boards_top));
    }
    all.picture((width, height), &game.title)
}

/// The chart alone, to embed in a page.
pub fn inline(game: &AnalysedGame) -> String {
    chart(game).picture(SIZE, &format!("the course of {}", game.title))
}

/// Title and opening of a game.
fn heading(game: &AnalysedGame) -> String {
    let opening = game.opening.map_or(String::new(), |opening| format!(" ({opening})"));
    let whole = game.title.clone() + &opening;
    if whole.chars().count() <= TITLE_LENGTH { whole } else { game.short_title.clone() + &opening }
}

/// The pixels of moves and scores.
struct Scales {
    moves: f64,
    /// Discs of the vertical axis in each direction, and the discs between its lines.
    range: f64,
    step: f64,
}

/// The number of the last move.
fn last_number(moves: &[MoveAnalysis]) -> usize {
    moves.last().map_or(0, |mv| mv.number)
}

impl Scales {
    fn new(moves: &[MoveAnalysis]) -> Scales {
        let extent = |mv: &MoveAnalysis| mv.black_score().abs().max(discs(mv.loss));
        let most = moves.iter().map(extent).fold(LEAST_RANGE, f64::max);
        let step = [2.0, 4.0, 8.0, 16.0].into_iter().find(|step| most / step <= 4.0).unwrap_or(32.0);
        // Leaves room for the names of bars that reach the top.
        let range = ((most * 1.1) / step).ceil() * step;
        Scales { moves: last_number(moves).max(1) as f64, range, step }
    }

    /// The middle of a move's column.
    fn x(&self, number: usize) -> f64 {
        PLOT.x + (number as f64 - 0.5) * PLOT.width / self.moves
    }

    fn y(&self, discs: f64) -> f64 {
        PLOT.y + PLOT.height / 2.0 * (1.0 - discs / self.range)
    }

    /// The bar of a move's loss, from zero towards the other side's advantage.
    fn bar(&self, mv: &MoveAnalysis) -> Area {
        let width = (PLOT.width / self.moves * 0.6).min(24.0);
        let (zero, end) = (self.y(0.0), self.y(toward_other(mv.side) * discs(mv.loss)));
        Area { x: self.x(mv.number) - width / 2.0, y: zero.min(end), width, height: (zero - end).abs() }
    }
}

/// -1 for Black's losses, which go down.
fn toward_other(side: Side) -> f64 {
    side.of([-1.0, 1.0])
}

fn chart(game: &AnalysedGame) -> Elements {
    let (moves, scales) = (&game.moves, Scales::new(&game.moves));
    let mut elements = Elements::default();
    axes(&mut elements, &scales, last_number(moves));
    for mv in moves.iter().filter(|mv| mv.loss > 0) {
        let tip = format!("{}. {} ({}) lost {:.2}", mv.number, mv.played, side_name(mv.side), discs(mv.loss));
        elements.rectangle(bar_look(mv.verdict), scales.bar(mv), &tip);
    }
    let course: Vec<_> = moves.iter().map(|mv| (scales.x(mv.number), scales.y(mv.black_score()))).collect();
    elements.polyline(SCORE, &course);
    let names = names(game, &scales, &course);
    // Drawn first: the outlines of the names keep them readable on top.
    for (from, to) in names.iter().filter_map(|name| name.leader) {
        elements.line(LEADER, from, to);
    }
    for name in &names {
        let (x, y) = (name.area.x + name.area.width / 2.0, name.area.bottom() - 3.0);
        elements.text(NAME, (x, y), Anchor::Middle, &name.words);
    }
    legend(&mut elements);
    elements
}

fn axes(elements: &mut Elements, scales: &Scales, moves: usize) {
    let (right, bottom) = (PLOT.right(), PLOT.bottom());
    let lines = (scales.range / scales.step) as i32;
    for line in -lines..=lines {
        let (value, y) = (f64::from(line) * scales.step, scales.y(f64::from(line) * scales.step));
        elements.line(if line == 0 { ZERO } else { RULE }, (PLOT.x, y), (right, y));
        let label = if line == 0 { "0".to_string() } else { format!("{value:+.0}") };
        elements.text(FAINT, (PLOT.x - 6.0, y + 4.0), Anchor::End, &label);
    }
    let every = if moves > 30 { 10 } else { 5 };
    for number in (1..=moves).filter(|number| *number == 1 || number % every == 0) {
        let x = scales.x(number);
        elements.line(FAINT_TICK, (x, bottom), (x, bottom + 4.0));
        elements.text(FAINT, (x, bottom + 18.0), Anchor::Middle, &number.to_string());
    }
    elements.text(FAINT, (PLOT.x + PLOT.width / 2.0, bottom + 38.0), Anchor::Middle, "move");
}

const FAINT_TICK: Look = Look { class: "rule", attributes: "stroke=\"#999\" stroke-width=\"1\"" };

/// Two lines above the plot.
fn legend(elements: &mut Elements) {
    let top = 14.0;
    elements.line(SCORE, (PLOT.x, top), (PLOT.x + 22.0, top));
    let score = "score for Black in discs, before the move; up is good for Black";
    elements.text(LEGEND, (PLOT.x + 28.0, top + 4.0), Anchor::Start, score);
    let (mut x, y) = (PLOT.x, top + 22.0);
    let kinds = [
        (Verdict::Equal, "within the noise", 132.0),
        (Verdict::Inaccuracy, "inaccuracy", 96.0),
        (Verdict::Mistake, "mistake", 80.0),
        (Verdict::Blunder, "blunder", 80.0),
    ];
    for (verdict, words, width) in kinds {
        elements.rectangle(bar_look(verdict), Area { x, y: y - 6.0, width: 12.0, height: 12.0 }, "");
        elements.text(LEGEND, (x + 17.0, y + 4.0), Anchor::Start, words);
        x += width;
    }
    elements.text(LEGEND, (x, y + 4.0), Anchor::Start, "bars: the loss of a move, Black's down, White's up");
}

/// The name of a costly move and its place.
struct PlacedName {
    words: String,
    area: Area,
    /// The line from the bar to a name that is not at its end.
    leader: Option<(Point, Point)>,
}

/// The names of the costliest moves, each at the free place nearest to the end of its bar. A move without a free place
/// gets no name.
fn names(game: &AnalysedGame, scales: &Scales, course: &[Point]) -> Vec<PlacedName> {
    let mut placed: Vec<PlacedName> = Vec::new();
    let bars: Vec<Area> = game.moves.iter().filter(|mv| mv.loss > 0).map(|mv| scales.bar(mv)).collect();
    let segments: Vec<Area> = course.windows(2).map(|pair| around(pair[0], pair[1])).collect();
    for mv in game.worst(NAMED) {
        let words = format!("{}. {}", mv.number, mv.played);
        let free = |area: &Area| {
            PLOT.contains(*area)
                && !placed.iter().any(|name| name.area.overlaps(*area))
                && !bars.iter().chain(&segments).any(|other| other.overlaps(*area))
        };
        let (bar, direction) = (scales.bar(mv), -toward_other(mv.side));
        if let Some(area) = places(&words, bar, direction).find(free) {
            let end = (bar.x + bar.width / 2.0, if direction > 0.0 { bar.bottom() } else { bar.y });
            let near = if direction > 0.0 { area.y } else { area.bottom() };
            let name_end = (area.x + area.width / 2.0, near);
            let is_far = (end.1 - near).abs() > 4.0 || (end.0 - name_end.0).abs() > 1.0;
            placed.push(PlacedName { words, area, leader: is_far.then_some((end, name_end)) });
        }
    }
    placed
}

/// Places for a name, the nearest to the end of the bar first. `direction` is 1 if the bar goes down.
fn places(words: &str, bar: Area, direction: f64) -> impl Iterator<Item = Area> + use<> {
    let (width, height) = (words.chars().count() as f64 * 7.0 + 2.0, 14.0);
    let end = if direction > 0.0 { bar.bottom() + 2.0 } else { bar.y - 2.0 - height };
    (0..18).flat_map(move |step| {
        [0.0, -14.0, 14.0, -28.0, 28.0].into_iter().map(move |aside| Area {
            x: bar.x + (bar.width - width) / 2.0 + aside,
            y: end + direction * f64::from(step) * 8.0,
            width,
            height,
        })
    })
}

/// The area around a piece of the course, as wide as its line.
fn around(from: Point, to: Point) -> Area {
    let (x, y) = (from.0.min(to.0), from.1.min(to.1) - 2.0);
    Area { x, y, width: (to.0 - from.0).abs(), height: (to.1 - from.1).abs() + 4.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::io::reversi_games::RecordedMove;
    use flipside_core::games::reversi::board::{Board, Placement};
    use flipside_core::search::types::Certainty;

    /// A game of sixty moves in which every third one loses many discs.
    fn game() -> AnalysedGame {
        let moves = (1..=60).map(|number| {
            let loss = if number % 3 == 0 { 400 + 50 * (number as i32 % 11) } else { 0 };
            let mv = Placement { square: 19, flips: 1 << 27 };
            MoveAnalysis {
                game: 1,
                number,
                side: if number % 2 == 0 { Side::Second } else { Side::First },
                recorded: RecordedMove { side: Side::First, board: Board::START, mv, score: None },
                best_square: 26,
                opening: Some("Tiger"),
                played: "d3".into(),
                best: "c4".into(),
                score: (number as i32 * 7919) % 3000 - 1500,
                wdl: None,
                loss,
                verdict: if loss > 0 { Verdict::Mistake } else { Verdict::Best },
                depth: 12,
                certainty: Certainty::Estimate(80),
                pv: Vec::new(),
                moves: None,
            }
        });
        AnalysedGame {
            title: "game 1: <A> - B".into(),
            short_title: String::new(),
            opening: Some("Tiger"),
            set_moves: 0,
            moves: moves.collect(),
        }
    }

    #[test]
    fn names_stand_apart_inside_the_plot() {
        let game = game();
        let scales = Scales::new(&game.moves);
        let course: Vec<_> = game.moves.iter().map(|mv| (scales.x(mv.number), scales.y(mv.black_score()))).collect();
        let placed = names(&game, &scales, &course);
        assert!(placed.len() >= NAMED / 2, "{} of {NAMED} found a place", placed.len());
        for (index, name) in placed.iter().enumerate() {
            assert!(PLOT.contains(name.area), "{:?}", name.area);
            assert!(!placed[..index].iter().any(|other| other.area.overlaps(name.area)), "{}", name.words);
        }
    }

    #[test]
    fn nothing_leaves_the_plot() {
        let game = game();
        let scales = Scales::new(&game.moves);
        for mv in &game.moves {
            assert!(PLOT.contains(scales.bar(mv)), "{mv:?}");
            let (x, y) = (scales.x(mv.number), scales.y(mv.black_score()));
            assert!(PLOT.contains(Area { x, y, width: 0.0, height: 0.0 }));
        }
    }

    #[test]
    fn a_picture_has_title_legend_course_and_the_worst_boards() {
        let svg = svg(&game());
        for part in
            ["game 1: &lt;A&gt; - B (Tiger)", "score for Black", "blunder", "class=\"score\"", "class=\"mistake\""]
        {
            assert!(svg.contains(part), "{part}");
        }
        assert_eq!(svg.matches("class=\"field\"").count(), BOARDS);
        let empty = AnalysedGame {
            title: "game 2".into(),
            short_title: String::new(),
            opening: None,
            set_moves: 0,
            moves: Vec::new(),
        };
        assert!(super::svg(&empty).contains("game 2"));
    }
}
