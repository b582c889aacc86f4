//! The games. `engine::registry` opens an engine for a game by its name.

pub mod certificate;
pub mod connect_four;
pub mod gomoku;
pub mod minichess;
pub mod names;
pub mod open;
pub mod plain;
pub mod reversi;
pub mod searcher_settings;
pub mod storage;
pub mod tic_tac_toe;
pub mod tree;
pub mod tree_scale;
pub mod weights_kind;
