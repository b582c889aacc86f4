//! Exercises, the same as on the sheets of `flipside trace --exercise`.

use crate::request::Exercise as Wanted;
use flipside::engine::bindings::{algorithm, side, within};
use flipside::search::algorithm::Algorithm;
use flipside::textbook::exercise::{Difficulty, HARDEST, exercise, seed_on_sheet};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// Moves and plies of a tree that fits a sheet.
const SIZES: RangeInclusive<usize> = 2..=4;

/// The exercise of a seed and a level.
pub fn make(wanted: &Wanted) -> Result<Value, String> {
    let level = within("level", wanted.level, 0..=HARDEST)?;
    let (algorithm, side) = (algorithm(wanted.algorithm.as_deref())?, side(wanted.root.as_deref())?);
    if algorithm == Algorithm::Uct {
        return Err("uct samples: choose another searcher for exercises".into());
    }
    let rising = Difficulty::rising(level);
    let difficulty = Difficulty {
        branching: within("branching", wanted.branching.unwrap_or(rising.branching), SIZES)?,
        plies: within("plies", wanted.plies.unwrap_or(rising.plies), SIZES)?,
        ordering: wanted.ordering.as_deref().map_or(Ok(rising.ordering), str::parse)?,
    };
    let made = exercise(seed_on_sheet(wanted.seed, level), difficulty, algorithm, side);
    let questions: Vec<Value> =
        made.questions.iter().map(|asked| json!({ "text": asked.text, "answer": asked.answer })).collect();
    Ok(json!({ "tree": made.tree, "difficulty": difficulty.to_string(), "questions": questions }))
}
