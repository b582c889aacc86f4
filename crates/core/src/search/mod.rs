//! The search, independent of games and protocols. Read `game` first.
//!
//! Most numbers of its pruning, reductions and history were found by SPSA (Spall, 1992) on games of MiniChess
//! (docs/experiments/minichess.md).

pub mod abdada;
pub mod algorithm;
pub mod evaluation;
pub mod game;
pub mod heuristics;
pub mod history;
pub mod iterative_deepening;
pub mod level;
pub mod limits;
pub mod margins;
pub mod move_picker;
mod move_pruning;
pub mod node;
pub mod notation;
pub mod opening_book;
pub mod parallel;
pub mod perft;
pub mod policy;
mod pruning;
mod pvs;
mod quiescence;
pub mod result;
pub mod root_broadcast;
pub mod searcher;
pub mod solve;
pub mod split_point;
pub mod split_pool;
pub mod technique;
pub mod transposition_table;
pub mod types;
pub mod wdl;
pub mod worker;
