//! Gomoku: five in a row on 15x15 or 20x20 points, freestyle, with exactly five, and by the rules of
//! renju and caro.
//!
//! `rules` is the game, `renju` what is forbidden in it. A position carries its lines and, for
//! each point, the patterns that a stone there would make (`position`, `pattern`, `pattern_table`,
//! `geometry`), and what they threaten (`threats`); evaluation and policy read these. `weights`
//! has what a point of each of the `kinds` is worth. `threat_search` proves wins by continuous
//! fours and threes, of one's own before an iteration and of the opponent's.

pub mod chosen_weights;
pub mod evaluation;
pub mod geometry;
pub mod kinds;
pub mod margins;
pub mod notation;
pub mod ordering;
pub mod pattern;
pub mod pattern_table;
#[cfg(test)]
#[allow(dead_code, reason = "the model tests use it as well, and other parts of it")]
mod plain;
pub mod point_set;
pub mod policy;
pub mod position;
pub mod renju;
pub mod rule;
pub mod rules;
pub mod threat_search;
pub mod threats;
pub mod verdicts;
pub mod weights;
