//! The core of the engine Flipside: the search, which knows no game, and the games with their evaluations and solvers. No
//! thread is started without the feature `threads`, and nothing is read but weights, books and tables that are named.

pub mod games;
pub mod search;
