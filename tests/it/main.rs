//! Tests through the program and through the library, one file for each subject. Each file names the feature that it
//! needs; the default features compile them all. `cargo test --test it gtp::` runs one file.
//!
//! Three more test programs stand beside this one: `fingerprint` (the node counts that a refactoring must not move),
//! `kernels` (also built for other processors and run in an emulator) and `model` (random conversations, also run for hours).

mod algorithms;
mod analyze;
mod bench;
mod book;
mod book_exchange;
mod book_play;
mod bounds;
mod breakthrough;
mod certainty;
mod cluster;
mod cluster_workers;
mod command_line;
#[cfg(feature = "cli")]
mod common;
#[cfg(feature = "cli")]
mod connect;
mod convert;
mod course;
mod damaged_records;
mod documents;
mod draws;
mod endgame;
mod exactness;
#[cfg(all(unix, feature = "cli"))]
mod faulty;
mod files;
mod foreign_records;
mod gomoku;
mod growth;
mod gtp;
mod gtp_sizes;
mod invariants;
mod json;
mod late_answers;
mod layers;
mod library;
mod lint;
mod long_lines;
mod mangled;
mod match_files;
mod match_processes;
mod match_terms;
mod matches;
mod memory;
mod minichess_outputs;
mod minichess_perft;
mod minichess_rules;
mod minichess_search;
mod minichess_solve;
#[path = "../twins/minichess.rs"]
mod minichess_twin;
mod nboard;
mod number_ranges;
mod outputs;
mod pasted;
mod perft;
mod plain_searchers;
mod play;
mod play_undo;
mod protocol_md;
mod records;
mod search;
#[path = "../twins/searchers.rs"]
mod searcher_twin;
mod strength;
mod tables;
mod techniques;
mod textbook;
mod threads;
mod trace;
mod trace_pictures;
mod trace_steps;
mod training;
mod uci;
mod wide_game;
mod xboard;
mod xot;
