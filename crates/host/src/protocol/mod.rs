//! The text protocols. A protocol turns lines into requests and events into lines; it owns no position and starts no
//! search.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

pub mod cassio;
pub mod gomocup;
pub mod gtp;
pub mod json;
pub mod nboard;
mod text;
pub mod token;
pub mod uci;
pub mod xboard;

use crate::api::protocol::Protocol;

/// Names for `--protocol`.
pub const NAMES: [&str; 7] = ["gtp", "nboard", "uci", "xboard", "json", "gomocup", "cassio"];

/// The protocol of that name.
pub fn open(name: &str) -> Option<Box<dyn Protocol>> {
    match name {
        "gtp" => Some(Box::new(gtp::Gtp::default())),
        "nboard" => Some(Box::new(nboard::NBoard::default())),
        "uci" => Some(Box::new(uci::Uci::default())),
        "xboard" => Some(Box::new(xboard::XBoard::default())),
        "json" => Some(Box::new(json::Json::default())),
        "cassio" => Some(Box::new(cassio::Cassio::default())),
        "gomocup" => Some(Box::new(gomocup::Gomocup::default())),
        _ => None,
    }
}

/// The protocol that a first line belongs to; blank lines and comments leave it open. Hosts begin with `uci`, `xboard`,
/// `nboard` or `START`; people at a keyboard often begin with a later command.
pub fn recognize(line: &str) -> Option<Box<dyn Protocol>> {
    let clean: String = line.chars().filter(|c| !c.is_control()).collect();
    let meaningful = clean.split('#').next().unwrap_or_default().trim();
    match token::words(meaningful)[..] {
        [] => None,
        [first, ..] if first.starts_with('{') => open("json"),
        [cassio::PREFIX, ..] => open("cassio"),
        ["uci" | "isready" | "ucinewgame"] | ["position" | "go" | "setoption", ..] => open("uci"),
        ["xboard"] | ["protover", _] => open("xboard"),
        ref words if gomocup::begins(words) => open("gomocup"),
        ["set", "game" | "depth" | "contempt", ..] => open("nboard"),
        ["nboard", version] if token::number::<u32>(version).is_some_and(|version| version > 0) => open("nboard"),
        _ => open("gtp"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides() {
        for (line, name) in [
            ("uci", Some("uci")),
            (" uci\t\r", Some("uci")),
            ("nboard 2", Some("nboard")),
            ("xboard", Some("xboard")),
            ("protover 2", Some("xboard")),
            ("protover", Some("gtp")),
            ("nboard 17", Some("nboard")),
            ("nboard 0", Some("gtp")),
            ("nboard", Some("gtp")),
            ("UCI", Some("gtp")),
            ("uci now", Some("gtp")),
            ("isready", Some("uci")),
            ("ucinewgame", Some("uci")),
            ("position startpos moves P@d6", Some("uci")),
            ("go depth 4", Some("uci")),
            ("setoption name Hash value 16", Some("uci")),
            ("set game (;GM[Othello]", Some("nboard")),
            ("set depth 4", Some("nboard")),
            ("set_game Othello", Some("gtp")),
            ("genmove b", Some("gtp")),
            ("{\"command\":\"hello\"}", Some("json")),
            (" { \"command\": \"hello\" }", Some("json")),
            ("protocol_version", Some("gtp")),
            ("1 name", Some("gtp")),
            ("START 15", Some("gomocup")),
            ("START 20\r", Some("gomocup")),
            ("ABOUT", Some("gomocup")),
            ("INFO timeout_turn 0", Some("gomocup")),
            ("RECTSTART 15,15", Some("gomocup")),
            ("START", Some("gtp")),
            ("start 15", Some("gomocup")),
            ("START 15 15", Some("gomocup")),
            ("info rule 1", Some("gomocup")),
            ("begin", Some("gomocup")),
            ("info", Some("gtp")),
            ("begin now", Some("gtp")),
            ("ENGINE-PROTOCOL init", Some("cassio")),
            ("ENGINE-PROTOCOL get-version\r", Some("cassio")),
            ("engine-protocol init", Some("gtp")),
            ("hello", Some("gtp")),
            ("", None),
            ("  # uci", None),
        ] {
            assert_eq!(recognize(line).map(|protocol| protocol.name()), name, "{line:?}");
        }
        for name in NAMES {
            assert_eq!(open(name).map(|protocol| protocol.name()), Some(name));
        }
        assert!(open("telepathy").is_none());
    }
}
