//! Limits and results as C structures.

use crate::border::Failure;
use engine::api::event::{BestMove, Iteration};
use engine::engine::bindings::SearchOptions;
use engine::search::limits::DEFAULT_TIME;
use engine::search::types::Certainty;
use engine::search::wdl::Wdl;
use std::ffi::c_char;
use std::mem::size_of;
use std::time::Duration;

/// What limits a search. A field of 0 sets no limit; without any limit a search has two seconds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// `sizeof(FlipsideLimits)`.
    pub size: usize,
    /// Plies at most.
    pub depth: u32,
    /// Positions at most.
    pub nodes: u64,
    /// Seconds at most; infinite for a search until `flipside_engine_stop`, or until nothing more can be learnt.
    pub seconds: f64,
    /// Principal variations, up to 64; 0 is one.
    pub lines: u32,
    /// Playing strength in percent, 1 to 100; 0 is full strength.
    pub strength: u32,
    /// Playing strength in Elo, on the scale of the engine's game; 0 is full strength. It replaces `strength`.
    pub elo: u32,
}

impl Limits {
    /// The options of a search; `None` stands for no limit.
    pub(crate) fn options(limits: Option<&Limits>) -> Result<SearchOptions, Failure> {
        let Some(limits) = limits else {
            return Ok(SearchOptions { time: Some(DEFAULT_TIME), ..SearchOptions::default() });
        };
        if limits.size < size_of::<Limits>() {
            return Err(Failure::invalid(format!("limits.size is {}, should be sizeof(FlipsideLimits)", limits.size)));
        }
        let some = |number: u64| (number > 0).then(|| i64::try_from(number).unwrap_or(i64::MAX));
        let time =
            match limits.seconds {
                0.0 => None,
                f64::INFINITY => Some(Duration::MAX),
                seconds => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
                    Failure::invalid(format!("limits.seconds is {seconds}, should be seconds, 0 or more"))
                })?),
            };
        let is_open = limits.depth == 0 && limits.nodes == 0 && time.is_none();
        Ok(SearchOptions {
            depth: some(limits.depth.into()),
            nodes: some(limits.nodes),
            time: if is_open { Some(DEFAULT_TIME) } else { time },
            lines: some(limits.lines.into()),
            strength: some(limits.strength.into()),
            elo: some(limits.elo.into()),
            ..SearchOptions::default()
        })
    }
}

/// What a search has found: an iteration, or its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Found {
    /// The best move, such as `f5`, `b2-b3` or `pass`; empty when the game is over.
    pub best: [c_char; 16],
    /// The principal variation, moves separated by blanks; a longer one is cut between moves.
    pub line: [c_char; 512],
    /// How sure the score is: `exact`, `wld`, `end@95%`, `mid@80%`, or `book`.
    pub certainty: [c_char; 16],
    /// In hundredths of a disc or pawn, for the side to move.
    pub score: i32,
    /// Plies.
    pub depth: u32,
    /// 1 for the best line, 2 for the second.
    pub rank: u32,
    /// Chances of a win, a draw and a loss in thousandths; all 0 if the game has no model of them.
    pub wdl: [u16; 3],
    /// Whether this is the end of the search.
    pub done: bool,
    /// Positions searched.
    pub nodes: u64,
    /// Seconds since the search began.
    pub seconds: f64,
}

impl Found {
    const NOTHING: Found = Found {
        best: [0; 16],
        line: [0; 512],
        certainty: [0; 16],
        score: 0,
        depth: 0,
        rank: 1,
        wdl: [0; 3],
        done: false,
        nodes: 0,
        seconds: 0.0,
    };

    /// An iteration of a running search.
    pub(crate) fn iteration(iteration: &Iteration<String>) -> Found {
        Found {
            best: array(iteration.pv.first().map_or("", String::as_str)),
            line: array(&iteration.pv.join(" ")),
            certainty: array(&iteration.certainty.to_string()),
            score: iteration.score,
            depth: iteration.depth,
            rank: iteration.rank as u32,
            wdl: iteration.wdl.map_or([0; 3], Wdl::array),
            nodes: iteration.nodes,
            seconds: iteration.time.as_secs_f64(),
            ..Found::NOTHING
        }
    }

    /// The end of a search.
    pub(crate) fn end(best: &BestMove) -> Found {
        let info = best.book.as_ref().map(|book| &book.info).or(best.info.as_ref());
        let found = info.map_or(Found::NOTHING, Found::iteration);
        let certainty = if best.book.is_some() { array("book") } else { found.certainty };
        Found {
            best: array(best.mv.as_deref().unwrap_or_default()),
            certainty,
            done: true,
            nodes: best.statistics.nodes,
            seconds: best.statistics.time.as_secs_f64(),
            ..found
        }
    }
}

/// What one move of a game was worth.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Review {
    /// Moves before it, passes included.
    pub ply: u32,
    /// The side that moved: 0 or 1.
    pub side: i32,
    /// The move.
    pub played: [c_char; 16],
    /// The best move.
    pub best: [c_char; 16],
    /// The score of the move played, in hundredths for the mover.
    pub played_score: i32,
    /// The score of the best move.
    pub best_score: i32,
    /// Whether both scores are exact.
    pub exact: bool,
}

impl Review {
    /// The review of a move from the two searches.
    pub(crate) fn new(ply: usize, side: i32, played: (&str, &Iteration<u16>), best: (&str, &Iteration<u16>)) -> Review {
        Review {
            ply: ply as u32,
            side,
            played: array(played.0),
            best: array(best.0),
            played_score: played.1.score,
            best_score: best.1.score,
            exact: [played.1, best.1].iter().all(|found| found.certainty == Certainty::Exact),
        }
    }
}

/// A text in lower case in an array that ends in a zero byte; what does not fit is cut off at a blank.
fn array<const N: usize>(text: &str) -> [c_char; N] {
    let text = text.to_lowercase();
    let fits = match text.len() < N {
        true => text.as_str(),
        false => text.get(..N - 1).and_then(|start| start.rsplit_once(' ')).map_or("", |(start, _)| start),
    };
    let mut array = [0; N];
    array.iter_mut().zip(fits.bytes()).for_each(|(place, byte)| *place = byte as c_char);
    array
}
