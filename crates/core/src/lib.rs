//! The core of the engine Flipside: the search, which knows no game, and the games with their evaluations and solvers.
//! No thread is started without the feature `threads`. Files are read only if they are named, except the endgame tables
//! of MiniChess (feature `files`; see [`games::minichess::tables::file::path`]).

pub mod games;
pub mod search;
