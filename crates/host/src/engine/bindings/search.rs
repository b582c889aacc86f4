//! A search as plain data: its options with their ranges, and its result.

use super::range::within;
use crate::api::elo;
use crate::api::event::{BestMove, Iteration};
use crate::api::settings::{FULL_LEVEL, FULL_STRENGTH, Settings};
use crate::engine::dyn_engine::{DynEngine, SearchRequest};
use crate::engine::skill::Skill;
use flipside_core::search::limits::Limits;
use flipside_core::search::notation::Style;
use flipside_core::search::types::UNIT;
use flipside_core::search::wdl::Wdl;
use flipside_support::text::listed;
use serde::Serialize;
use std::time::Duration;

/// Largest number of principal variations of a search.
const MAX_LINES: i64 = 64;
/// Largest variety, in hundredths of a unit.
const MAX_VARIETY: i64 = 2000;

/// What limits and shapes a search. Without a limit (`depth`, `nodes`, `time`, `elo`, or a `level` or `strength` below the
/// full one) it has two seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// Plies at most, from 1.
    pub depth: Option<i64>,
    /// Positions at most, from 1.
    pub nodes: Option<i64>,
    /// Time at most; [`Duration::MAX`] has no end.
    pub time: Option<Duration>,
    /// Principal variations, 1 to 64.
    pub lines: Option<i64>,
    /// Effort in plies, 1 to 60; 60 is unlimited.
    pub level: Option<i64>,
    /// Playing strength in percent, 0 to 100.
    pub strength: Option<i64>,
    /// Playing strength in Elo, on the scale of the engine's game; replaces `strength`.
    pub elo: Option<i64>,
    /// How much worse than the best the move may be, in hundredths of a unit, 0 to 2000.
    pub variety: Option<i64>,
    /// Seed of strength and variety; 0 draws another one each time.
    pub seed: u64,
    /// Only these moves; all if empty.
    pub moves: Vec<String>,
}

impl SearchOptions {
    /// The request to an engine, for its present position.
    ///
    /// # Errors
    /// A value is out of its range, or a move is not legal; the text describes what would be right.
    pub fn request(&self, engine: &dyn DynEngine) -> Result<SearchRequest, String> {
        let level = within("level", self.level.unwrap_or(FULL_LEVEL.into()), 1..=FULL_LEVEL.into())?;
        let strength = within("strength", self.strength.unwrap_or(FULL_STRENGTH.into()), 0..=FULL_STRENGTH.into())?;
        let scale = elo::range(engine.game());
        let scale = i64::from(*scale.start())..=i64::from(*scale.end());
        let elo = self.elo.map(|elo| within("elo", elo, scale)).transpose()?;
        let variety = within("variety", self.variety.unwrap_or(0), 0..=MAX_VARIETY)?;
        let lines = within("lines", self.lines.unwrap_or(1), 1..=MAX_LINES)?;
        let depth = self.depth.map(|depth| within("depth", depth, 1..=u32::MAX.into())).transpose()?;
        let nodes = self.nodes.map(|nodes| within("nodes", nodes, 1..=i64::MAX)).transpose()?;
        let legal = engine.legal_moves(Style::Plain);
        let is_legal = |wanted: &String| legal.iter().any(|mv| mv.eq_ignore_ascii_case(wanted));
        if let Some(unknown) = self.moves.iter().find(|wanted| !is_legal(wanted)) {
            return Err(format!("{unknown} is not a legal move here: {}", listed(&legal).to_lowercase()));
        }
        let limits = Limits {
            depth: depth.map(|depth| depth as u32),
            nodes: nodes.map(i64::unsigned_abs),
            hard: self.time,
            ..Limits::default()
        };
        let (level, strength, variety) = (level as u32, strength as u32, variety as i32);
        let skill = Skill::new(&Settings {
            game: engine.game().into(),
            level,
            strength,
            variety,
            seed: self.seed,
            limit_strength: elo.is_some(),
            elo: elo.unwrap_or_default() as u32,
            ..Settings::default()
        });
        Ok(SearchRequest {
            multipv: lines as usize,
            searchmoves: self.moves.clone(),
            skill,
            ..SearchRequest::new(skill.limited(limits).or_default_time())
        })
    }
}

/// A finished iteration of one line of play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IterationView {
    /// 1 for the best line.
    pub rank: usize,
    /// Plies.
    pub depth: u32,
    /// In units (discs, pawns) for the side to move; 300 less a hundredth for each ply is a proven win.
    pub score: f64,
    /// `exact`, `proven`, `wld`, `end@P%` or `mid@P%`.
    pub certainty: String,
    /// Chances of a win, a draw and a loss in thousandths, if the game has a model of them.
    pub wdl: Option<[u16; 3]>,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub time: f64,
    /// Principal variation, in lower case.
    pub line: Vec<String>,
}

impl From<&Iteration<String>> for IterationView {
    fn from(info: &Iteration<String>) -> IterationView {
        IterationView {
            rank: info.rank,
            depth: info.depth,
            score: f64::from(info.score) / f64::from(UNIT),
            certainty: info.certainty.to_string(),
            wdl: info.wdl.map(Wdl::array),
            nodes: info.nodes,
            time: milliseconds(info.time),
            line: info.pv.iter().map(|mv| mv.to_lowercase()).collect(),
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultView {
    /// The best move, in lower case; none when the game is over.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Whether the move is a pass.
    pub pass: bool,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// Milliseconds.
    pub time: f64,
    /// The last finished iteration of the best line.
    pub best: Option<IterationView>,
    /// The failure, if the search failed inside and the move is only the best so far.
    pub failure: Option<String>,
}

impl From<&BestMove> for ResultView {
    fn from(best_move: &BestMove) -> ResultView {
        ResultView {
            mv: best_move.mv.as_ref().map(|mv| mv.to_lowercase()),
            pass: best_move.is_pass,
            nodes: best_move.statistics.nodes,
            time: milliseconds(best_move.statistics.time),
            best: best_move.info.as_ref().map(IterationView::from),
            failure: best_move.failure.clone(),
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::settings::Settings;
    use crate::engine::registry;
    use crate::engine::watch::search_and_wait;
    use flipside_core::search::limits::Stop;

    fn engine() -> Box<dyn DynEngine> {
        registry::open(&Settings { hash: 1, ..Settings::default() }).expect("an engine")
    }

    #[test]
    fn values_out_of_range_say_what_would_be_right() {
        let refused = |options: SearchOptions, words: &str| {
            let error = options.request(engine().as_ref()).expect_err("out of range");
            assert!(error.contains(words), "{error}");
        };
        let none = SearchOptions::default;
        refused(SearchOptions { depth: Some(0), ..none() }, "depth is 0, should be 1 to");
        refused(SearchOptions { nodes: Some(-5), ..none() }, "nodes is -5");
        refused(SearchOptions { strength: Some(101), ..none() }, "0 to 100");
        refused(SearchOptions { elo: Some(499), ..none() }, "elo is 499, should be 500 to 2080");
        refused(SearchOptions { lines: Some(65), ..none() }, "1 to 64");
        refused(SearchOptions { level: Some(61), ..none() }, "1 to 60");
        refused(SearchOptions { variety: Some(-1), ..none() }, "0 to 2000");
        refused(SearchOptions { moves: vec!["a1".into()], ..none() }, "not a legal move here: d3 c4 f5 e6");
    }

    #[test]
    fn a_search_that_nothing_limits_has_two_seconds() {
        let limits = |options: SearchOptions| options.request(engine().as_ref()).expect("all in range").limits;
        let none = SearchOptions::default;
        assert_eq!(limits(none()), Limits::time(Duration::from_secs(2)));
        assert_eq!(limits(SearchOptions { lines: Some(3), variety: Some(9), ..none() }), limits(none()));
        assert_eq!(limits(SearchOptions { depth: Some(9), ..none() }), Limits::depth(9));
        assert_eq!(limits(SearchOptions { nodes: Some(9), ..none() }), Limits::nodes(9));
        assert_eq!(limits(SearchOptions { level: Some(7), ..none() }), Limits::depth(7));
        assert_eq!(limits(SearchOptions { elo: Some(500), ..none() }), Limits::depth(1));
        let endless = limits(SearchOptions { time: Some(Duration::MAX), ..none() });
        assert!(!Stop::new(&endless).is_bounded());
    }

    #[test]
    fn a_search_keeps_to_its_moves_and_is_told_in_units() {
        let (engine, moves) = (engine(), vec!["E6".to_string()]);
        let options = SearchOptions { depth: Some(4), moves, ..SearchOptions::default() };
        let request = options.request(engine.as_ref()).expect("all in range");
        let found = ResultView::from(&search_and_wait(engine.as_ref(), request).expect("a search"));
        let best = found.best.expect("an iteration");
        assert_eq!((found.mv.as_deref(), best.depth, best.line[0].as_str()), (Some("e6"), 4, "e6"));
        assert!(best.score.abs() < 20.0 && best.certainty.starts_with("mid"), "{best:?}");
        assert_eq!(best.wdl.map(|chances| chances.iter().sum()), Some(1000), "{best:?}");
    }
}
