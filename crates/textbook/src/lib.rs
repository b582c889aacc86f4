//! The algorithms of the textbook on any game, from minimax to PVS, and traces of their work. The library's module
//! `tour` introduces them.

#![forbid(unsafe_code)]

pub mod count;
mod cut;
pub mod exercise;
pub mod fold;
pub mod game;
pub mod move_order;
mod oracle;
pub mod policy_tree;
mod production;
mod replay;
mod search_tables;
pub mod searcher;
mod stored_score;
pub mod svg;
pub mod techniques;
mod textbook_policy;
pub mod trace;
mod trace_drawing;
pub mod trace_graph;
pub mod trace_tree;
pub mod traced_search;
pub mod tracer;
pub mod types;
mod uct;
pub mod uniform;
pub mod units;
pub mod window;
