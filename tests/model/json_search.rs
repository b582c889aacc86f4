//! A search requested by JSON lines.

use crate::board::{Board, Style};
use crate::game::Game;
use crate::uci_go::Go;
use crate::words::words;
use serde_json::Value;

const STYLE: Style = Style::Gtp;

/// What is searched.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A move, among `only` if there are any; played or not.
    Move { only: Vec<String>, play: bool },
    /// This many variations of the position.
    Position(u64),
    /// Every position of the game.
    Game,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    kind: Kind,
    /// Its limits and its state.
    pub go: Go,
}

impl Search {
    /// A search with limits in the words of UCI.
    pub fn new(kind: Kind, limits: &str) -> Search {
        Search { kind, go: Go::read(limits).expect("no perft") }
    }

    /// Takes in a report; returns false if it does not belong to this search.
    pub fn takes_info(&mut self, report: &Value, board: &Board) -> bool {
        if self.kind == Kind::Game {
            return report["ply"].is_u64() && has_score(report);
        }
        let (rank, depth, nodes) = (&report["rank"], &report["depth"], &report["nodes"]);
        let (Some(rank), Some(depth), Some(nodes)) = (rank.as_u64(), depth.as_u64(), nodes.as_u64()) else {
            return false;
        };
        if rank == 1 {
            let certain = report["certainty"] == "exact" || report["certainty"] == "wld";
            let forced = report["win_in"].is_u64() || report["loss_in"].is_u64();
            self.go.reached(depth, nodes, certain || forced || report["book"].is_object());
        }
        let line = moves(&report["pv"]);
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        rank >= 1 && has_score(report) && (words.is_empty() || board.is_over() || board.follows(&words, STYLE))
    }

    /// The game after this answer; `None` if it does not answer this search, or may not come now.
    pub fn answered(&self, answer: &Value, game: &Game, plain: bool, ended: bool) -> Option<Game> {
        let counted = answer["nodes"].is_u64() && answer["seconds"].is_number();
        // An analysis ends by itself when it can find out nothing more. A textbook searcher does not report that it has
        // seen everything.
        let is_known = self.go.has_seen_all(game.now()) || game.now().is_over() || !plain;
        let is_over = !matches!(self.kind, Kind::Move { .. }) && is_known;
        if !counted || !is_over && !self.go.may_answer(ended) {
            return None;
        }
        let Kind::Move { only, play } = &self.kind else {
            return answer["lines"].is_array().then(|| game.clone());
        };
        let board = game.now();
        if board.is_over() {
            return answer["move"].is_null().then(|| game.clone());
        }
        let best = board.written(&answer["move"].as_str()?.in_case_of(board), STYLE)?;
        let wanted: Vec<_> = only.iter().filter_map(|text| board.meant(text, STYLE)).collect();
        let reply = answer["ponder"].as_str().map(|reply| reply.in_case_of(board));
        let is_reply = |reply: String| board.play(best).written(&reply, STYLE).is_some();
        let mut go = self.go.clone();
        go.reached(answer["depth"].as_u64().unwrap_or(0), answer["nodes"].as_u64()?, false);
        let fits = (wanted.is_empty() || wanted.contains(&best))
            && reply.is_none_or(is_reply)
            && (!plain || ended || go.is_complete(board));
        fits.then(|| {
            let mut game = game.clone();
            if *play {
                game.push(best);
            }
            game
        })
    }
}

/// Reversi's moves are written in upper case by the model, and in lower case in JSON.
trait OwnCase {
    fn in_case_of(&self, board: &Board) -> String;
}

impl OwnCase for str {
    fn in_case_of(&self, board: &Board) -> String {
        if board.is_reversi() { self.to_ascii_uppercase() } else { self.to_string() }
    }
}

/// The moves of an array in the model's case.
fn moves(list: &Value) -> Vec<String> {
    let text: Vec<&str> =
        list.as_array().map(|list| list.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    let own = |mv: &str| if mv.contains('-') { mv.to_string() } else { mv.to_ascii_uppercase() };
    words(&text.join(" ")).into_iter().map(own).collect()
}

fn has_score(report: &Value) -> bool {
    ["score", "win_in", "loss_in"].iter().filter(|name| report[**name].is_number()).count() == 1
}
