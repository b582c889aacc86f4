//! Training of the evaluations, from the rules alone to the weights in the binary: self-play, labels, regression.
//!
//! For Reversi, [`selfplay`] plays games from an [`Opening`](opening::Opening) into a
//! [`game_file`], or in several processes into [`shard`]s of one. [`training_games`] reads these
//! games or those of other records, [`relabel`] gives their positions better values, [`samples`]
//! turns positions into regression samples, [`least_squares`] fits the pattern weights to them,
//! [`leaf_errors`] balances them for the side to move, and [`search_errors`] measures the errors of
//! shallow searches for ProbCut. [`wdl`] fits the chances that scores stand for. [`minichess`] trains
//! MiniChess and [`gomoku`] Gomoku, both from [`played_games`]; [`logistic`] fits their linear
//! weights. The subcommands of `flipside train` combine these steps.

#![forbid(unsafe_code)]

pub mod adam;
pub mod enumerated_openings;
pub mod epoch;
pub mod game_file;
pub mod gomoku;
pub mod leaf_errors;
pub mod least_squares;
pub mod logistic;
pub mod minichess;
pub mod network;
pub mod opening;
pub mod played_game;
pub mod played_games;
pub mod regression;
pub mod relabel;
pub mod samples;
pub mod search_errors;
pub mod self_player;
pub mod selfplay;
pub mod shard;
pub mod training_games;
pub mod validation;
pub mod wdl;
