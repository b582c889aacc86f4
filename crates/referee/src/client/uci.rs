//! The host's side of UCI with variants.

use super::Client;
use crate::dialogue::{Dialogue, NoAnswer};
use crate::limits::PlayerLimits;
use crate::spec::PlayerSpec;
use crate::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::games::names::uci_variant_of;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Side, UNIT, WIN};
use flipside_host::engine::dyn_engine::DynEngine;

/// UCI, with the settings of one engine.
pub struct UciClient {
    spec: PlayerSpec,
    variant: Option<&'static str>,
}

/// `position startpos|fen F moves ...`.
pub fn position(board: &dyn DynEngine) -> String {
    let mut line = if board.has_usual_start() {
        "position startpos".to_string()
    } else {
        format!("position fen {}", board.start_position(Style::Uci))
    };
    let history = board.history(Style::Uci);
    if !history.is_empty() {
        line.push_str(" moves");
    }
    for (_, text) in history {
        line.push(' ');
        line.push_str(&text);
    }
    line
}

impl UciClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> UciClient {
        UciClient { spec: spec.clone(), variant: uci_variant_of(game) }
    }

    fn go(&self, side: Side, times: &MoveTimes) -> String {
        let mut line = "go".to_string();
        if self.spec.quirks.own_limits {
            return line;
        }
        for (time, inc, clock) in [("wtime", "winc", times.clocks[0]), ("btime", "binc", times.clocks[1])] {
            if let Some((left, increment, _)) = clock.and_then(|clock| clock.remaining()) {
                line.push_str(&format!(" {time} {} {inc} {}", left.as_millis().max(1), increment.as_millis()));
            }
        }
        if let Some((.., Some(moves))) = times.clocks[side.index()].and_then(|clock| clock.remaining()) {
            line.push_str(&format!(" movestogo {moves}"));
        }
        if let Some(time) = times.limits.move_time {
            line.push_str(&format!(" movetime {}", time.as_millis().max(1)));
        }
        if let Some(depth) = times.limits.depth {
            line.push_str(&format!(" depth {depth}"));
        }
        if let Some(nodes) = times.limits.nodes {
            line.push_str(&format!(" nodes {nodes}"));
        }
        line
    }
}

/// The lines of the answer to `uci`.
pub fn handshake_lines(engine: &mut Dialogue) -> Result<Vec<String>, NoAnswer> {
    let mut lines = Vec::new();
    engine.request("uci");
    engine.until("uciok", |line| lines.push(line.to_string()))?;
    Ok(lines)
}

/// The options that the engine offers, each as `NAME type ...`.
fn offered_options(engine: &mut Dialogue) -> Result<Vec<String>, NoAnswer> {
    let lines = handshake_lines(engine)?;
    Ok(lines.iter().filter_map(|line| line.trim().strip_prefix("option name ")).map(str::to_string).collect())
}

/// Reads score, depth and nodes of the first principal variation from an info line, and whether the engine reports a
/// book move, as Flipside does.
fn parse_info(line: &str, reply: &mut MoveReply) {
    let words: Vec<&str> = line.split_whitespace().collect();
    reply.from_book |= words.starts_with(&["info", "string", "book"]);
    let after = |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1)).copied();
    if words.first() != Some(&"info") || words.contains(&"string") || after("multipv").is_some_and(|rank| rank != "1") {
        return;
    }
    let number = |name: &str| after(name).and_then(|word| word.parse::<i64>().ok());
    if let Some(nodes) = number("nodes") {
        reply.nodes = u64::try_from(nodes).ok();
    }
    let score = match after("score") {
        Some("cp") => number("cp").and_then(|score| Some(score.checked_mul(i64::from(UNIT))? / 100)),
        Some("mate") => number("mate").map(|moves| {
            let plies = moves.saturating_mul(2);
            (i64::from(WIN) * if moves > 0 { 1 } else { -1 }).saturating_sub(plies)
        }),
        _ => None,
    };
    if let Some(score) = score {
        reply.score = i32::try_from(score).ok();
        reply.depth = number("depth").and_then(|depth| u32::try_from(depth).ok());
    }
}

impl Client for UciClient {
    fn style(&self) -> Style {
        Style::Uci
    }

    fn handshake(&mut self, engine: &mut Dialogue) -> Result<(), PlayerError> {
        let mut options = offered_options(engine)?;
        // A file of variants is loaded first, because it may define the game.
        let (files, others): (Vec<_>, Vec<_>) =
            self.spec.options.iter().partition(|(name, _)| name.eq_ignore_ascii_case("VariantPath"));
        for (name, value) in files {
            engine.send(&format!("setoption name {name} value {value}"));
            options = offered_options(engine)?;
        }
        let offered = |name: &str| {
            options
                .iter()
                .find(|option| option.split(" type ").next().is_some_and(|own| own.eq_ignore_ascii_case(name)))
        };
        if let (Some(variant), Some(option)) = (self.variant, offered("UCI_Variant")) {
            if !option.split_whitespace().any(|word| word == variant) {
                return Err(PlayerError::Unusable(format!("it does not offer the variant {variant}")));
            }
            engine.send(&format!("setoption name UCI_Variant value {variant}"));
        }
        for (name, value) in others {
            if offered(name).is_none() {
                return Err(PlayerError::Unusable(format!("it has no option {name}")));
            }
            engine.send(&format!("setoption name {name} value {value}"));
        }
        self.spec.send.iter().for_each(|line| engine.send(line));
        engine.ask("isready", "readyok")?;
        Ok(())
    }

    fn new_game(
        &mut self,
        engine: &mut Dialogue,
        _board: &dyn DynEngine,
        _limits: &PlayerLimits,
    ) -> Result<(), PlayerError> {
        engine.send("ucinewgame");
        engine.ask("isready", "readyok")?;
        Ok(())
    }

    fn choose_move(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        engine.send(&position(board));
        engine.ask("isready", "readyok")?;
        let go = self.go(board.side(), times);
        engine.set_deadline(times.deadline(board.side()));
        engine.request(&go);
        let mut reply = MoveReply::default();
        let line = engine.until("bestmove", |line| parse_info(line, &mut reply))?;
        reply.elapsed = engine.elapsed(line.at);
        match line.text.split_whitespace().nth(1) {
            None | Some("(none)" | "resign") => Err(PlayerError::Refused(format!("{go}: {}", line.text))),
            Some(mv) => Ok(MoveReply { mv: mv.to_string(), ..reply }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines() {
        let mut reply = MoveReply::default();
        parse_info("info depth 8 seldepth 9 multipv 2 score cp 684 nodes 1591 time 118 pv P@f3", &mut reply);
        parse_info("info string score cp 5", &mut reply);
        assert_eq!(reply, MoveReply::default());
        parse_info("info string book P@e6 score cp 0 depth 24 certainty mid@95% grade searched games 0", &mut reply);
        assert_eq!(reply, MoveReply { from_book: true, ..MoveReply::default() });
        parse_info("info depth 9 multipv 1 score cp -576 upperbound nodes 2236 nps 11180 pv P@e3", &mut reply);
        assert_eq!((reply.depth, reply.score, reply.nodes), (Some(9), Some(-576), Some(2236)));
        parse_info("info score cp 9223372036854775807", &mut reply);
        parse_info("info score mate -9223372036854775808", &mut reply);
        assert_eq!(reply.score, None, "numbers beyond all scores are no scores");
        parse_info("info depth 9 score cp -576", &mut reply);
        parse_info("info nodes 3000", &mut reply);
        assert_eq!((reply.depth, reply.score, reply.nodes), (Some(9), Some(-576), Some(3000)));
    }
}
