//! `flipside solve --check`: compares answers with the scores in the file of positions.

use super::answer::SolveAnswer;
use flipside_core::games::reversi::obf::{self, ObfLine};
use flipside_core::games::reversi::proof::Bounds;
use flipside_core::search::types::Certainty;
use std::time::Duration;

/// An answer compared with the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Whether the best move is among the best of the file; `None` if the file does not say.
    pub best: Option<bool>,
    /// Discs that the move loses against the best one of the file; `None` if the file does not say.
    pub loss: Option<f64>,
    /// Absolute difference of the scores in discs; `None` if the file does not say.
    pub error: Option<f64>,
    /// Whether the answer is exact, or an exact win, loss or draw.
    pub exact: bool,
    /// Positions entered by the search.
    pub nodes: u64,
}

/// Compares an answer with its line in the file: with the `move:score` pairs, or else with `best=` and `score=`.
pub fn compare(line: &ObfLine, answer: &SolveAnswer) -> Comparison {
    let wld = answer.certainty == Certainty::WinLossDraw;
    let value = |score: i32| f64::from(if wld { score.signum() } else { score });
    let found = answer.score.as_f64().unwrap_or(f64::NAN);
    let top = line.moves.iter().map(|&(_, score)| score).max();
    let known_score = top.or_else(|| line.value("score")?.parse().ok().filter(|score| Bounds::UNKNOWN.hold(*score)));
    let best_move = answer.best.first();
    let named = |square: u8| best_move.is_some_and(|name| *name == obf::square_name(square));
    let listed = line.moves.iter().find(|&&(square, _)| named(square));
    let loss = listed.zip(top).map(|(&(_, score), top)| value(top) - value(score));
    let best = if let Some(top) = top {
        // If the file lists only one move, others may be as good, so they get no result.
        match listed {
            Some(&(_, score)) => Some(value(score) == value(top)),
            None => (line.moves.len() > 1).then_some(false),
        }
    } else {
        line.value("best")
            .map(|moves| moves.split(',').any(|name| best_move.is_some_and(|found| found.eq_ignore_ascii_case(name))))
    };
    // With --all-moves every listed score must agree.
    let all = answer.moves.iter().flatten().filter_map(|(name, found)| {
        let (_, score) = line.moves.iter().find(|&&(square, _)| obf::square_name(square) == *name)?;
        Some((f64::from(*found) - value(*score)).abs())
    });
    let error = known_score.map(|score| all.fold((found - value(score)).abs(), f64::max));
    Comparison { best, loss, error, exact: answer.certainty == Certainty::Exact || wld, nodes: answer.nodes }
}

/// Totals over all answers.
#[derive(Debug, Default)]
pub struct CheckSummary {
    positions: u64,
    best_known: u64,
    best: u64,
    listed: u64,
    loss: f64,
    scored: u64,
    within_three: u64,
    error: f64,
    nodes: u64,
    /// Exact answers that differ from the file.
    pub wrong: u64,
}

impl CheckSummary {
    /// Adds an answer.
    pub fn add(&mut self, comparison: Comparison) {
        self.positions += 1;
        self.nodes = self.nodes.saturating_add(comparison.nodes);
        if let Some(best) = comparison.best {
            self.best_known += 1;
            self.best += u64::from(best);
        }
        if let Some(loss) = comparison.loss {
            self.listed += 1;
            self.loss += loss;
        }
        if let Some(error) = comparison.error {
            self.scored += 1;
            self.within_three += u64::from(error <= 3.0);
            self.error += error;
        }
        let differs = comparison.best == Some(false) || comparison.error.is_some_and(|error| error > 0.0);
        self.wrong += u64::from(comparison.exact && differs);
    }

    /// The summary as a line of text.
    pub fn text(&self, time: Duration) -> String {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        format!(
            "{} positions, {} exact answers differ; best moves {:.1} % of {}, mean loss {:.3} discs; scores within 3 discs {:.1} % of {}; \
             mean absolute error {:.3} discs; {} nodes, {:.2} s",
            self.positions,
            self.wrong,
            share(self.best, self.best_known),
            self.best_known,
            self.loss / self.listed.max(1) as f64,
            share(self.within_three, self.scored),
            self.scored,
            self.error / self.scored.max(1) as f64,
            self.nodes,
            time.as_secs_f64()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(best: &str, score: i32, certainty: Certainty) -> SolveAnswer {
        SolveAnswer {
            line: 1,
            position: String::new(),
            best: vec![best.to_string()],
            score: score.into(),
            certainty,
            depth: 60,
            nodes: 10,
            seconds: 0.1,
            pv: Vec::new(),
            moves: None,
            task: None,
        }
    }

    fn line(rest: &str) -> ObfLine {
        obf::line(&format!("---------------------------OX------XO--------------------------- X; {rest}")).unwrap()
    }

    #[test]
    fn listed_moves_decide() {
        let line = line("d3:+4; c4:+4; f5:-2; # x best=d3 score=+9");
        let check = |best, score, certainty| compare(&line, &answer(best, score, certainty));
        assert_eq!(
            (check("c4", 4, Certainty::Exact).best, check("c4", 4, Certainty::Exact).error),
            (Some(true), Some(0.0))
        );
        assert_eq!(
            (check("f5", -2, Certainty::Exact).best, check("f5", -2, Certainty::Exact).error),
            (Some(false), Some(6.0))
        );
        assert_eq!(
            [check("c4", 4, Certainty::Exact).loss, check("f5", -2, Certainty::Exact).loss],
            [Some(0.0), Some(6.0)]
        );
        assert_eq!(check("c4", 1, Certainty::WinLossDraw).error, Some(0.0));
    }

    #[test]
    fn the_comment_decides_where_nothing_is_listed() {
        let line = line("# x best=d3,C4 score=-6");
        assert_eq!(compare(&line, &answer("c4", -6, Certainty::Exact)).best, Some(true));
        assert_eq!(compare(&line, &answer("e6", -4, Certainty::Exact)).error, Some(2.0));
    }

    #[test]
    fn only_exact_answers_can_be_wrong() {
        let line = line("d3:+4; c4:+2;");
        let mut summary = CheckSummary::default();
        summary.add(compare(&line, &answer("d3", 4, Certainty::Exact)));
        summary.add(compare(&line, &answer("c4", 2, Certainty::Selective(73))));
        assert_eq!(summary.wrong, 0);
        summary.add(compare(&line, &answer("c4", 2, Certainty::Exact)));
        assert_eq!(summary.wrong, 1);
        assert!(
            summary
                .text(Duration::from_secs(1))
                .starts_with("3 positions, 1 exact answers differ; best moves 33.3 % of 3, mean loss 1.333 discs;")
        );
    }
}
