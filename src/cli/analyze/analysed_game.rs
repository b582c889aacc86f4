//! The analysis of a game, move by move.

use crate::cli::io::reversi_games::{RecordedGame, RecordedMove};
use crate::cli::review::{Analyser, MoveValue, PositionAnalysis, Verdict};
use anyhow::Context;
use flipside_core::games::reversi::{obf, opening_names};
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Certainty, Score, Side, UNIT};
use flipside_core::search::wdl::Wdl;
use flipside_support::json;
use flipside_support::text::shortened;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;

/// The analysis of one move. Scores are for the side that moved.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnalysis {
    /// The game, counted from 1.
    pub game: usize,
    /// The move, counted from 1 without passes.
    pub number: usize,
    /// The side that moved.
    #[serde(serialize_with = "named_side")]
    pub side: Side,
    /// The move as it was recorded, told by the position before it.
    #[serde(rename = "position", serialize_with = "as_position")]
    pub recorded: RecordedMove,
    /// The square of the best move.
    #[serde(skip)]
    pub best_square: u16,
    /// The latest named opening of the game, up to and including this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// The move that was played, in lower case.
    pub played: String,
    /// The best move of the search; other moves may be equally good.
    pub best: String,
    /// Score of the best move.
    #[serde(serialize_with = "in_discs")]
    pub score: Score,
    /// The chances of the best move in thousandths: win, draw, loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u16; 3]>,
    /// Score of the best move minus that of the played move, at least 0.
    #[serde(serialize_with = "in_discs")]
    pub loss: Score,
    /// The verdict on the loss.
    pub verdict: Verdict,
    /// Depth of the search in plies.
    pub depth: u32,
    /// Certainty of the scores.
    #[serde(serialize_with = "json::as_text")]
    pub certainty: Certainty,
    /// Principal variation.
    pub pv: Vec<String>,
    /// All moves with their scores in discs, the best first, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<(String, f64)>>,
}

fn named_side<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side_name(*side))
}

fn as_position<S: Serializer>(mv: &RecordedMove, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&obf::show(mv.board, mv.side == Side::First))
}

fn in_discs<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(discs(*score))
}

/// A score in discs.
pub fn discs(score: Score) -> f64 {
    f64::from(score) / f64::from(UNIT)
}

/// `black` or `white`.
pub fn side_name(side: Side) -> &'static str {
    side.of(["black", "white"])
}

impl MoveAnalysis {
    fn new(
        game: usize,
        number: usize,
        mv: &RecordedMove,
        analysis: &PositionAnalysis,
        all_moves: bool,
    ) -> Option<MoveAnalysis> {
        let assessment = analysis.assess(mv.code())?;
        let best = analysis.best();
        let position = mv.position();
        let names = |line: &[u16]| -> Vec<String> {
            position.names(line, Style::Plain).into_iter().map(|name| name.to_lowercase()).collect()
        };
        let name = |mv: u16| names(&[mv]).concat();
        let named = |value: &MoveValue| (name(value.mv), discs(value.score));
        Some(MoveAnalysis {
            game,
            number,
            side: mv.side,
            recorded: *mv,
            best_square: best.mv,
            opening: None,
            played: name(mv.code()),
            best: name(best.mv),
            score: best.score,
            wdl: position.wdl(best.score, best.certainty).map(Wdl::array),
            loss: assessment.loss,
            verdict: assessment.verdict,
            depth: analysis.depth,
            certainty: best.certainty,
            pv: names(&analysis.pv),
            moves: all_moves.then(|| analysis.moves.iter().map(named).collect()),
        })
    }

    /// Score of the best move for Black, in discs.
    pub fn black_score(&self) -> f64 {
        self.side.of([1.0, -1.0]) * discs(self.score)
    }

    /// The chances of the best move in percent: win/draw/loss.
    pub fn chances(&self) -> String {
        let percent = |thousandths: u16| ((thousandths + 5) / 10).to_string();
        self.wdl.map_or(String::new(), |chances| chances.map(percent).join("/"))
    }

    /// How the score was found: `exact`, `proven`, or the depth.
    pub fn how(&self) -> String {
        match self.certainty {
            certain @ (Certainty::Exact | Certainty::Proven) => certain.to_string(),
            _ => format!("depth {}", self.depth),
        }
    }
}

/// The analysis of a game.
#[derive(Clone, Debug)]
pub struct AnalysedGame {
    /// The number of the game, from 1, and its players if the record names them.
    pub title: String,
    /// The same with long names cut, for narrow places.
    pub short_title: String,
    /// The last named opening of the game.
    pub opening: Option<&'static str>,
    /// The number of moves at the beginning that belong to nobody and are not judged.
    pub set_moves: usize,
    /// The other moves, passes left out.
    pub moves: Vec<MoveAnalysis>,
}

impl AnalysedGame {
    /// The words about the set moves; none without them.
    pub fn set_moves_words(&self) -> Option<String> {
        match self.set_moves {
            0 => None,
            1 => Some("move 1 is set and belongs to nobody".into()),
            last => Some(format!("moves 1 to {last} are set and belong to nobody")),
        }
    }

    /// Analyses a game after its set moves; `None` if interrupted. Calls `done` after every move.
    ///
    /// # Errors
    /// A search failed inside.
    pub fn new(
        analyser: &mut Analyser,
        recorded: &RecordedGame,
        set_moves: usize,
        game: usize,
        all_moves: bool,
        done: impl FnMut(),
    ) -> anyhow::Result<Option<AnalysedGame>> {
        let (set, judged) = recorded.moves.split_at(set_moves);
        let positions: Vec<_> = judged.iter().map(RecordedMove::position).collect();
        let Some(analyses) = analyser.analyse(&positions, done)? else { return Ok(None) };
        let mut moves = Vec::new();
        let opening_after = |mv: &RecordedMove| opening_names::at(mv.board.after(mv.mv)).map(|found| found.name);
        let mut opening = set.iter().rev().find_map(opening_after);
        for ((number, mv), analysis) in (set_moves + 1..).zip(judged).zip(&analyses) {
            opening = opening_after(mv).or(opening);
            let analysed = MoveAnalysis::new(game, number, mv, analysis, all_moves);
            moves.push(MoveAnalysis { opening, ..analysed.context("a move of the record was not analysed")? });
        }
        let (title, short_title) = (title(recorded, game, usize::MAX), title(recorded, game, SHORT_NAME));
        Ok(Some(AnalysedGame { title, short_title, opening, set_moves, moves }))
    }

    /// The costliest moves, the worst first; inaccuracies and worse only.
    pub fn worst(&self, count: usize) -> Vec<&MoveAnalysis> {
        let mut worst: Vec<_> = self.moves.iter().filter(|mv| mv.verdict >= Verdict::Inaccuracy).collect();
        worst.sort_by_key(|mv| (Reverse(mv.loss), mv.number));
        worst.truncate(count);
        worst
    }

    /// The totals of a side's moves.
    pub fn summary(&self, side: Side) -> SideSummary {
        let own = || self.moves.iter().filter(move |mv| mv.side == side);
        let count = |verdict| own().filter(|mv| mv.verdict == verdict).count();
        let lost: Score = own().filter(|mv| mv.verdict > Verdict::Equal).map(|mv| mv.loss).sum();
        SideSummary {
            moves: own().count(),
            counts: Verdict::ALL.map(|verdict| (verdict, count(verdict))),
            lost: discs(lost),
        }
    }
}

/// The totals of a side's moves.
#[derive(Clone, Debug, PartialEq)]
pub struct SideSummary {
    /// Number of its moves.
    pub moves: usize,
    /// How many got each verdict, the best first.
    pub counts: [(Verdict, usize); 5],
    /// Discs lost by inaccuracies, mistakes and blunders.
    pub lost: f64,
}

impl SideSummary {
    /// Discs lost per move.
    pub fn mean(&self) -> f64 {
        self.lost / self.moves.max(1) as f64
    }
}

/// Most characters of a name in narrow places.
const SHORT_NAME: usize = 20;

fn title(recorded: &RecordedGame, game: usize, most: usize) -> String {
    match &recorded.players {
        [None, None] => format!("game {game}"),
        [black, white] => {
            let name = |player: &Option<String>| shortened(player.as_deref().unwrap_or("?"), most);
            format!("game {game}: {} - {}", name(black), name(white))
        }
    }
}
