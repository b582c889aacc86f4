//! The line that answers a search: `POS, move M, depth D, @P%, cL <= v <= cU, PV, node N, time T`.

use crate::api::event::{BestMove, Bound, Iteration};
use flipside_core::search::types::{Certainty, Score, UNIT};
use std::time::Duration;

/// The largest value, in hundredths of a disc.
const MOST: Score = 64 * UNIT;

/// The result of a search of the position that the host sent; `None` if the search ended before it had one.
pub(super) fn result_line(position: &str, best_move: &BestMove) -> Option<String> {
    let info = best_move.info.as_ref()?;
    let black_to_move = position.ends_with('X');
    let (mv, depth) = match &best_move.mv {
        Some(mv) => (cased(mv, black_to_move), info.depth),
        // A finished game: what is left of it are its empty squares.
        None => ("--".into(), position.chars().filter(|square| "-.".contains(*square)).count() as u32),
    };
    let percent = match info.certainty {
        Certainty::Estimate(percent) | Certainty::Selective(percent) => percent,
        Certainty::WinLossDraw | Certainty::Proven | Certainty::Exact => 100,
    };
    let blacks = [black_to_move, !black_to_move].into_iter().cycle();
    let pv: String = info.pv.iter().zip(blacks).map(|(mv, black)| cased(mv, black)).collect();
    let (lower, upper) = bounds(info);
    let colour = if black_to_move { 'B' } else { 'W' };
    let (nodes, seconds) = cost(best_move.statistics.nodes, best_move.statistics.time);
    Some(format!(
        "{position}, move {mv}, depth {depth}, @{percent}%, \
         {colour}{lower} <= v <= {colour}{upper}, {pv}, node {nodes}, time {seconds}"
    ))
}

/// Nodes, and seconds with three decimals.
pub(super) fn cost(nodes: u64, time: Duration) -> (u64, String) {
    (nodes, format!("{:.3}", time.as_secs_f64()))
}

/// A move in capitals for Black and in small letters for White; a pass is always `pa`.
fn cased(mv: &str, black: bool) -> String {
    match mv.to_ascii_lowercase() {
        lower if lower == "pass" => "pa".into(),
        lower if !black => lower,
        lower => lower.to_ascii_uppercase(),
    }
}

/// The bounds of the value in discs, with sign and two decimals.
fn bounds(info: &Iteration<String>) -> (String, String) {
    let discs = |value: Score| format!("{:+.2}", f64::from(value) / f64::from(UNIT));
    let (lower, upper) = match info.bound {
        Bound::Exact => (info.score, info.score),
        Bound::Lower => (info.score, MOST),
        Bound::Upper => (-MOST, info.score),
    };
    (discs(lower), discs(upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::event::{SearchStatistics, example};

    fn best_move(score: Score, bound: Bound, certainty: Certainty, pv: &[&str]) -> BestMove {
        BestMove {
            mv: pv.first().map(|mv| mv.to_string()),
            info: Some(Iteration { bound, certainty, ..example(score, pv) }),
            statistics: SearchStatistics { nodes: 12, time: Duration::from_millis(250) },
            ..BestMove::default()
        }
    }

    #[test]
    fn a_line_has_the_colour_of_the_side_to_move() {
        let (black, white) = (format!("{:->64}X", ""), format!("{:->64}O", ""));
        let exact = best_move(3800, Bound::Exact, Certainty::Exact, &["A2", "B1", "PASS", "A7"]);
        let rest = ", move A2, depth 8, @100%, B+38.00 <= v <= B+38.00, A2b1paa7, node 12, time 0.250";
        assert_eq!(result_line(&black, &exact), Some(format!("{black}{rest}")));
        let low = best_move(100, Bound::Upper, Certainty::Estimate(73), &["C5", "F6"]);
        let rest = ", move c5, depth 8, @73%, W-64.00 <= v <= W+1.00, c5F6, node 12, time 0.250";
        assert_eq!(result_line(&white, &low), Some(format!("{white}{rest}")));
        let high = best_move(-50, Bound::Lower, Certainty::Selective(95), &["PASS"]);
        let rest = ", move pa, depth 8, @95%, W-0.50 <= v <= W+64.00, pa, node 12, time 0.250";
        assert_eq!(result_line(&white, &high), Some(format!("{white}{rest}")));
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let position = format!("{:X>61}---O", "");
        let over = best_move(-6400, Bound::Exact, Certainty::Exact, &[]);
        let line = result_line(&position, &over).expect("a line");
        assert!(line.contains(", move --, depth 3, @100%, W-64.00 <= v <= W-64.00, , node"), "{line}");
        assert_eq!(result_line(&position, &BestMove::default()), None);
    }
}
