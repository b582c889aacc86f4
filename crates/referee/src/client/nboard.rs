//! The host's side of NBoard 2.

use super::{Client, SentPosition};
use crate::dialogue::Dialogue;
use crate::limits::PlayerLimits;
use crate::record;
use crate::spec::PlayerSpec;
use crate::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::engine::clock::SideClock;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::record::ggf::{GgfClock, GgfMove};
use std::time::Duration;

/// NBoard, with the settings of one engine.
pub struct NBoardClient {
    spec: PlayerSpec,
    sent: SentPosition,
    clock: Option<GgfClock>,
    /// Both clocks when the engine was last asked for a move, if they run.
    clocks: [Option<SideClock>; 2],
}

impl NBoardClient {
    /// A client for this player.
    pub fn new(spec: &PlayerSpec) -> NBoardClient {
        NBoardClient { spec: spec.clone(), sent: SentPosition::default(), clock: None, clocks: [None; 2] }
    }

    /// Sends the moves that the engine does not have yet, or else the whole game.
    fn sync(&mut self, engine: &mut Dialogue, board: &dyn DynEngine, times: &MoveTimes) {
        let history = board.history(Style::Ggf);
        match self.sent.unsent(&history) {
            Some(unsent) => {
                for (side, text) in unsent {
                    if !board.is_pass(text) {
                        let time = self.time_used(*side, times);
                        engine
                            .send(&format!("move {}", GgfMove { side: *side, text: text.clone(), value: None, time }));
                    } else if !self.spec.quirks.no_passes {
                        engine.send(&format!("move {text}"));
                    }
                }
            }
            None => {
                // A game that GGF cannot hold was refused when it began.
                if let Ok(game) = record::ggf(board, self.clock) {
                    engine.send(&format!("set game {game}"));
                }
            }
        }
        self.sent.moves = history;
        self.clocks = times.clocks;
    }

    /// The time of a side's move since the engine was last asked for one: an NBoard engine learns nothing else about
    /// its clock during a game. In whole milliseconds, the precision of records, rounded up.
    fn time_used(&self, side: Side, times: &MoveTimes) -> Option<Duration> {
        let [before, now] = [self.clocks, times.clocks].map(|clocks| clocks[side.index()]);
        let had = before.filter(|_| !self.spec.quirks.own_limits)?;
        let micros = (had.left() + had.increment()).saturating_sub(now?.left()).as_micros() as u64;
        Some(Duration::from_millis(micros.div_ceil(1000)))
    }
}

/// Reads `=== MOVE/SCORE/TIME`, with or without blanks: the move and its score in hundredths of a disc.
pub fn parse_reply(line: &str) -> Option<(String, Option<i32>)> {
    let mut parts = line.strip_prefix("===")?.trim().split(['/', ' ']);
    let mv = parts.next().filter(|mv| !mv.is_empty())?;
    let score = parts.next().and_then(|score| score.parse::<f64>().ok()).filter(|score| score.is_finite());
    Some((mv.to_string(), score.map(|discs| (discs * 100.0).round() as i32)))
}

impl Client for NBoardClient {
    fn style(&self) -> Style {
        Style::Ggf
    }

    fn handshake(&mut self, engine: &mut Dialogue) -> Result<(), PlayerError> {
        engine.send("nboard 2");
        for (name, value) in &self.spec.options {
            engine.send(&format!("set {name} {value}"));
        }
        self.spec.send.iter().for_each(|line| engine.send(line));
        Ok(engine.ping()?)
    }

    fn new_game(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
    ) -> Result<(), PlayerError> {
        self.clock = record::ggf_clock(limits);
        let game = record::ggf(board, self.clock).map_err(|error| PlayerError::Unusable(error.to_string()))?;
        engine.send(&format!("set game {game}"));
        self.sent.moves = board.history(Style::Ggf);
        self.clocks = [None; 2];
        if !self.spec.quirks.own_limits {
            if limits.game_time.is_some() && self.clock.is_none() {
                return Err(PlayerError::Unusable(
                    "NBoard's clock has neither sessions nor periods: use tc=MAIN+INC or quirk=own-limits".into(),
                ));
            }
            if limits.nodes.is_some() || limits.move_time.is_some() && limits.depth.is_none() {
                return Err(PlayerError::Unusable(
                    "NBoard has no command for nodes or move-time: use depth or tc, or quirk=own-limits".into(),
                ));
            }
            if let Some(depth) = limits.depth {
                engine.send(&format!("set depth {depth}"));
            }
        }
        Ok(engine.ping()?)
    }

    fn choose_move(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        self.sync(engine, board, times);
        engine.ping()?;
        engine.set_deadline(times.deadline(board.side()));
        engine.request("go");
        let (mut nodes, mut from_book) = (None, false);
        loop {
            let line = engine.line("=== MOVE")?;
            if let Some(numbers) = line.text.strip_prefix("nodestats ") {
                nodes = numbers.split_whitespace().next().and_then(|word| word.parse().ok());
            }
            // Flipside's wording, because the protocol defines none.
            from_book |= line.text.starts_with("status book ");
            if let Some((mv, score)) = parse_reply(&line.text) {
                return Ok(MoveReply { mv, elapsed: engine.elapsed(line.at), score, depth: None, nodes, from_book });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse_reply;

    #[test]
    fn replies_in_every_form() {
        assert_eq!(parse_reply("=== F5"), Some(("F5".into(), None)));
        assert_eq!(parse_reply("=== F5/1.25/0.5"), Some(("F5".into(), Some(125))));
        assert_eq!(parse_reply("=== f5 -1.00 0.0"), Some(("f5".into(), Some(-100))));
        assert_eq!(parse_reply("=== PA//0.5"), Some(("PA".into(), None)));
        assert_eq!(parse_reply("==="), None);
        assert_eq!(parse_reply("status x"), None);
    }
}
