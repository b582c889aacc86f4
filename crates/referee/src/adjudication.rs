//! Adjudication: games that the exact solver, or the scores of both players, decide before their end by the rules.

use flipside_core::search::types::{Score, Side, UNIT};
use std::fmt;
use std::str::FromStr;

/// Moves of each player whose scores must agree, if nothing else is given.
const MOVES: usize = 4;
/// The first ply at which a score counts, if nothing else is given: before it, scores near zero mean little.
const FROM: usize = 30;
/// The largest score that can be given, in units.
const MOST_UNITS: f64 = 1e6;

/// What ends games early. The default ends none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Empty squares at which the exact solver decides.
    pub empties: Option<u32>,
    /// The scores that decide.
    pub by_score: Option<ScoreRule>,
}

/// The scores of both players that end a game: those of their last moves agree on a loss or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreRule {
    /// A side that both players see behind by this much has lost, in hundredths.
    loss: Option<Score>,
    /// If no player sees a lead beyond this, the game is drawn, in hundredths.
    draw: Option<Score>,
    /// Moves of each player that must agree, at least 1.
    moves: usize,
    /// The first ply at which a game may end so.
    from: usize,
}

impl ScoreRule {
    /// The winner of a game (`None` for a draw) after so many plies, if the scores of both players' moves decide it.
    /// Scores are in hundredths for the mover; a move without one decides nothing.
    pub fn winner(&self, plies: usize, scores: [&[Option<Score>]; 2]) -> Option<Option<Side>> {
        if plies < self.from {
            return None;
        }
        let last = |scores: &[Option<Score>]| {
            let start = scores.len().checked_sub(self.moves)?;
            scores.get(start..)?.iter().copied().collect::<Option<Vec<Score>>>()
        };
        let [first, second] = [last(scores[0])?, last(scores[1])?];
        let all = |scores: &[Score], holds: &dyn Fn(Score) -> bool| scores.iter().all(|&score| holds(score));
        let wins = |winner: &[Score], loser: &[Score]| {
            self.loss.is_some_and(|loss| all(winner, &|score| score >= loss) && all(loser, &|score| score <= -loss))
        };
        if wins(&first, &second) {
            return Some(Some(Side::First));
        }
        if wins(&second, &first) {
            return Some(Some(Side::Second));
        }
        let is_near = |score: Score| self.draw.is_some_and(|draw| score.unsigned_abs() <= draw.unsigned_abs());
        (all(&first, &is_near) && all(&second, &is_near)).then_some(None)
    }
}

impl FromStr for Adjudication {
    type Err = String;

    /// `20` or `empties=20`, `loss=24`, `draw=0.5`, `moves=4`, `from=30`, separated by commas.
    fn from_str(text: &str) -> Result<Adjudication, String> {
        let mut adjudication = Adjudication::default();
        let unset = ScoreRule { loss: None, draw: None, moves: MOVES, from: FROM };
        let mut rule = unset;
        for setting in text.split(',') {
            let (name, value) = setting.split_once('=').unwrap_or(("empties", setting));
            let expected = |what: &str| format!("expected {what}, saw '{value}' in '{setting}'");
            let count = || value.parse().map_err(|_| expected("a whole number"));
            let score = || {
                let units = value.parse::<f64>().ok().filter(|units| (0.0..=MOST_UNITS).contains(units));
                units
                    .map(|units| (units * f64::from(UNIT)).round() as Score)
                    .ok_or_else(|| expected("a score of 0 or more"))
            };
            match name {
                "empties" => {
                    adjudication.empties = Some(value.parse().map_err(|_| expected("a number of empty squares"))?)
                }
                "loss" => match score()? {
                    0 => return Err(expected("a score above 0")),
                    loss => rule.loss = Some(loss),
                },
                "draw" => rule.draw = Some(score()?),
                "moves" => {
                    rule.moves = Some(count()?).filter(|&moves| moves > 0).ok_or_else(|| expected("1 or more"))?
                }
                "from" => rule.from = count()?,
                _ => return Err(format!("expected empties, loss, draw, moves or from, saw '{name}'")),
            }
        }
        let decides = rule.loss.is_some() || rule.draw.is_some();
        if !decides && rule != unset {
            return Err("moves and from belong to loss or draw".into());
        }
        adjudication.by_score = decides.then_some(rule);
        Ok(adjudication)
    }
}

impl fmt::Display for ScoreRule {
    /// In the words of [`Adjudication::from_str`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = |score: Score| f64::from(score) / f64::from(UNIT);
        if let Some(loss) = self.loss {
            write!(f, "loss={},", units(loss))?;
        }
        if let Some(draw) = self.draw {
            write!(f, "draw={},", units(draw))?;
        }
        write!(f, "moves={},from={}", self.moves, self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> ScoreRule {
        text.parse::<Adjudication>().expect(text).by_score.expect("a rule of scores")
    }

    #[test]
    fn words_are_read_and_shown() {
        assert_eq!("20".parse(), Ok(Adjudication { empties: Some(20), by_score: None }));
        let both: Adjudication = "empties=12,loss=24,draw=0.5,moves=3".parse().expect("words");
        assert_eq!(both.empties, Some(12));
        let shown = both.by_score.expect("a rule").to_string();
        assert_eq!((shown.as_str(), both.by_score), ("loss=24,draw=0.5,moves=3,from=30", Some(rule(&shown))));
        for (text, message) in [
            ("", "a number of empty squares"),
            ("x", "a number of empty squares"),
            ("loss=0", "a score above 0"),
            ("loss=-3", "a score of 0 or more"),
            ("draw=nan", "a score of 0 or more"),
            ("draw=1e9", "a score of 0 or more"),
            ("loss=3,moves=0", "1 or more"),
            ("moves=3", "belong to loss or draw"),
            ("won=3", "expected empties, loss, draw, moves or from, saw 'won'"),
        ] {
            let error = text.parse::<Adjudication>().expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    /// Both players must see it, in all of the last moves.
    #[test]
    fn only_agreement_decides() {
        let rule = rule("loss=5,draw=0.2,moves=2,from=10");
        let winner = |plies, first: &[i32], second: &[i32]| {
            let [first, second] =
                [first, second].map(|scores| scores.iter().map(|&score| Some(score)).collect::<Vec<_>>());
            rule.winner(plies, [&first, &second])
        };
        assert_eq!(winner(10, &[0, 500, 600], &[-500, -700]), Some(Some(Side::First)));
        assert_eq!(winner(10, &[-500, -600], &[500, 700]), Some(Some(Side::Second)));
        assert_eq!(winner(9, &[500, 600], &[-500, -700]), None, "too early");
        assert_eq!(winner(10, &[500, 600], &[-499, -700]), None, "the loser does not see it yet");
        assert_eq!(winner(10, &[500, 600], &[-700]), None, "too few moves");
        assert_eq!(winner(10, &[90, 20, -20], &[0, 20]), Some(None));
        assert_eq!(winner(10, &[20, -21], &[0, 20]), None);
        assert_eq!(rule.winner(10, [&[None, Some(0)], &[Some(0), Some(0)]]), None, "a move without a score");
    }
}
