//! The search: it knows no game and no dialect. Read `game` first.

pub mod deepen;
pub mod game;
pub mod level;
pub mod limits;
pub mod order;
pub mod pages;
pub mod pool;
mod quiesce;
pub mod random;
pub mod stages;
pub mod table;
pub mod worker;
