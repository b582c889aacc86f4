//! The search: it knows no game and no dialect. Read `game` first.
//!
//! Most numbers of its pruning, reductions and history were found by SPSA (Spall, 1992) on games of MiniChess (README).

pub mod busy;
pub mod deepen;
pub mod epoch;
pub mod game;
mod guess;
pub mod lead;
pub mod level;
pub mod limits;
pub mod order;
pub mod pages;
pub mod pool;
mod pvs;
mod quiesce;
pub mod random;
pub mod stages;
pub mod table;
pub mod worker;
