//! Answers held against the values that a file of positions brings along.

use super::solve::Answer;
use crate::games::reversi::obf::{self, ObfLine};
use std::time::Duration;

/// What the file says against what was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked {
    /// Whether the move is among the best; `None` if the file does not say.
    pub best: Option<bool>,
    /// Discs that the move loses against the best one; `None` if the file does not say.
    pub loss: Option<f64>,
    /// Discs between the scores; `None` if the file does not say.
    pub error: Option<f64>,
    /// The answer claims to be exact.
    pub exact: bool,
    /// Positions entered.
    pub nodes: u64,
}

/// Compares an answer with its line: with the `move:score` pairs, or else with `best=` and `score=`.
pub fn checked(line: &ObfLine, answer: &Answer) -> Checked {
    let wld = answer.kind == "wld";
    let value = |score: i32| f64::from(if wld { score.signum() } else { score });
    let found = answer.score.as_f64().unwrap_or(f64::NAN);
    let top = line.moves.iter().map(|&(_, score)| score).max();
    let known_score = top.or_else(|| line.value("score")?.parse().ok());
    let best_move = answer.best.first();
    let named = |square: u8| best_move.is_some_and(|name| *name == obf::square_name(square));
    let listed = line.moves.iter().find(|&&(square, _)| named(square));
    let loss = listed.zip(top).map(|(&(_, score), top)| value(top) - value(score));
    let best = if let Some(top) = top {
        // Where only one move is known to be best, others may be as good: no verdict on them.
        match listed {
            Some(&(_, score)) => Some(value(score) == value(top)),
            None => (line.moves.len() > 1).then_some(false),
        }
    } else {
        line.value("best")
            .map(|moves| moves.split(',').any(|name| best_move.is_some_and(|found| found.eq_ignore_ascii_case(name))))
    };
    // With every move solved, every listed value has to agree.
    let all = answer.moves.iter().flatten().filter_map(|(name, found)| {
        let (_, score) = line.moves.iter().find(|&&(square, _)| obf::square_name(square) == *name)?;
        Some((f64::from(*found) - value(*score)).abs())
    });
    let error = known_score.map(|score| all.fold((found - value(score)).abs(), f64::max));
    Checked { best, loss, error, exact: answer.kind == "exact" || wld, nodes: answer.nodes }
}

/// Sums over a file.
#[derive(Debug, Default)]
pub struct Tally {
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

impl Tally {
    /// Adds a position.
    pub fn add(&mut self, checked: Checked) {
        self.positions += 1;
        self.nodes += checked.nodes;
        if let Some(best) = checked.best {
            self.best_known += 1;
            self.best += u64::from(best);
        }
        if let Some(loss) = checked.loss {
            self.listed += 1;
            self.loss += loss;
        }
        if let Some(error) = checked.error {
            self.scored += 1;
            self.within_three += u64::from(error <= 3.0);
            self.error += error;
        }
        let differs = checked.best == Some(false) || checked.error.is_some_and(|error| error > 0.0);
        self.wrong += u64::from(checked.exact && differs);
    }

    /// One line for people.
    pub fn summary(&self, time: Duration) -> String {
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

    fn answer(best: &str, score: i32, kind: &str) -> Answer {
        Answer {
            line: 1,
            position: String::new(),
            best: vec![best.to_string()],
            score: score.into(),
            kind: kind.to_string(),
            nodes: 10,
            seconds: 0.1,
            pv: Vec::new(),
            moves: None,
        }
    }

    fn line(rest: &str) -> ObfLine {
        obf::line(&format!("---------------------------OX------XO--------------------------- X; {rest}")).unwrap()
    }

    #[test]
    fn listed_moves_decide() {
        let line = line("d3:+4; c4:+4; f5:-2; # x best=d3 score=+9");
        let check = |best, score, kind| checked(&line, &answer(best, score, kind));
        assert_eq!((check("c4", 4, "exact").best, check("c4", 4, "exact").error), (Some(true), Some(0.0)));
        assert_eq!((check("f5", -2, "exact").best, check("f5", -2, "exact").error), (Some(false), Some(6.0)));
        assert_eq!([check("c4", 4, "exact").loss, check("f5", -2, "exact").loss], [Some(0.0), Some(6.0)]);
        assert_eq!(check("c4", 1, "wld").error, Some(0.0));
    }

    #[test]
    fn the_comment_decides_where_nothing_is_listed() {
        let line = line("# x best=d3,C4 score=-6");
        assert_eq!(checked(&line, &answer("c4", -6, "exact")).best, Some(true));
        assert_eq!(checked(&line, &answer("e6", -4, "exact")).error, Some(2.0));
    }

    #[test]
    fn only_exact_answers_can_be_wrong() {
        let line = line("d3:+4; c4:+2;");
        let mut tally = Tally::default();
        tally.add(checked(&line, &answer("d3", 4, "exact")));
        tally.add(checked(&line, &answer("c4", 2, "73%")));
        assert_eq!(tally.wrong, 0);
        tally.add(checked(&line, &answer("c4", 2, "exact")));
        assert_eq!(tally.wrong, 1);
        assert!(
            tally
                .summary(Duration::from_secs(1))
                .starts_with("3 positions, 1 exact answers differ; best moves 33.3 % of 3, mean loss 1.333 discs;")
        );
    }
}
