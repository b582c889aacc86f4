//! Model-based tests of the protocols: random conversations, legal and mangled, pipelined, with stops anywhere, against
//! a small model of a host: the position under plain rules, the answers owed and their order, the mode.
//!
//! `FLIPSIDE_MODEL_COMMANDS=1000000 cargo test --release --test model` is a long run; `FLIPSIDE_MODEL_SEED=N` begins with
//! another conversation. A failure names the seed of its conversation and shows the shortest failing one that was found.

mod board;
mod cassio;
mod dice;
mod game;
mod gomocup;
#[allow(dead_code, reason = "some of its questions are for the tests of the rules")]
#[path = "../../crates/core/src/games/gomoku/plain.rs"]
mod gomoku_twin;
mod gtp;
mod gtp_command;
mod host;
mod json;
mod json_lines;
mod json_request;
mod json_search;
#[path = "../twins/minichess.rs"]
mod minichess_twin;
mod nboard;
mod options;
#[path = "../twins/reversi.rs"]
mod reversi_twin;
mod session;
mod shrink;
mod uci;
mod uci_go;
mod words;
mod xboard;
mod xboard_lines;

use shrink::run;

#[test]
fn cassio() {
    run::<cassio::Cassio>(&["ENGINE-PROTOCOL init", " ENGINE-PROTOCOL get-version\r", "\u{feff}ENGINE-PROTOCOL init"]);
}

#[test]
fn gtp() {
    run::<gtp::Gtp>(&["protocol_version", "\u{feff}name", "# a comment", "1 list_commands"]);
}

#[test]
fn json() {
    run::<json::Json>(&[
        "{\"command\":\"hello\"}",
        " { \"id\": 0, \"command\": \"ready\" }\r",
        "\u{feff}{\"command\":\"games\"}",
    ]);
}

#[test]
fn gomocup() {
    run::<gomocup::Gomocup>(&["START 15", "ABOUT", " START 20\r", "\u{feff}START 15", "INFO rule 1"]);
}

#[test]
fn nboard() {
    run::<nboard::NBoard>(&["nboard 2", "\tnboard 1\r", "\u{feff}nboard 2"]);
}

#[test]
fn uci() {
    run::<uci::Uci>(&["uci", " uci\t", "\u{feff}uci"]);
}

#[test]
fn xboard() {
    run::<xboard::XBoard>(&["xboard", "protover 2", "\u{feff}xboard"]);
}
