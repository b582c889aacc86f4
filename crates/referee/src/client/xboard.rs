//! The host's side of XBoard's protocol.

use super::{Client, SentPosition};
use crate::dialogue::{Dialogue, NoAnswer};
use crate::limits::PlayerLimits;
use crate::shell_words;
use crate::spec::PlayerSpec;
use crate::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::games::names::uci_variant_of;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, UNIT, WIN};
use flipside_host::api::command::TimeControl;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::Duration;

/// Scores (hundredths of a pawn) from this value on announce a mate; the excess counts the moves to it.
const MATE: i64 = 100_000;

/// XBoard's protocol, with the settings and features of one engine.
pub struct XBoardClient {
    spec: PlayerSpec,
    variant: Option<&'static str>,
    features: Vec<(String, String)>,
    sent: SentPosition,
    /// Whether the engine answers `usermove` with a move, because it is not in force mode.
    playing: bool,
}

impl XBoardClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> XBoardClient {
        XBoardClient {
            spec: spec.clone(),
            variant: uci_variant_of(game),
            features: Vec::new(),
            sent: SentPosition::default(),
            playing: false,
        }
    }

    fn feature(&self, name: &str) -> Option<&str> {
        self.features.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The line that sets an option; some have commands of their own.
    fn option_line(&self, name: &str, value: &str) -> Result<String, PlayerError> {
        // Some engines write an underscore for each blank of a name.
        let is_meant = |own: &&str| own.replace('_', " ").eq_ignore_ascii_case(&name.replace('_', " "));
        let options = self.features.iter().filter(|(own, _)| own == "option");
        let offered = options.filter_map(|(_, text)| text.split(" -").next()).find(is_meant);
        match name {
            "Hash" if self.feature("memory") == Some("1") => Ok(format!("memory {value}")),
            "Threads" if self.feature("smp") == Some("1") => Ok(format!("cores {value}")),
            _ => match offered {
                Some(own) => Ok(format!("option {own}={value}")),
                None => Err(PlayerError::Unusable(format!("it has no option {name}"))),
            },
        }
    }

    /// `level`, `st` and `sd` for these limits.
    fn limit_lines(&self, limits: &PlayerLimits) -> Result<Vec<String>, PlayerError> {
        if self.spec.quirks.own_limits {
            return Ok(Vec::new());
        }
        let unusable = |text: &str| Err(PlayerError::Unusable(text.into()));
        let mut lines = Vec::new();
        let level = match limits.game_time {
            None | Some(TimeControl::Unlimited) => None,
            Some(TimeControl::Game { main, increment }) => Some((0, main, increment)),
            Some(TimeControl::Classical { moves, main, increment }) => Some((moves, main, increment)),
            Some(TimeControl::Canadian { main, period, stones }) if main.is_zero() => {
                Some((stones, period, Duration::ZERO))
            }
            Some(_) => return unusable("XBoard has no periods after main time: give tc=MAIN+INC or MOVES/MAIN"),
        };
        if let Some((moves, main, increment)) = level {
            if main < Duration::from_secs(1) {
                return unusable("XBoard's level counts whole seconds: give a second or more");
            }
            let main = main.as_secs();
            lines.push(format!("level {moves} {}:{:02} {}", main / 60, main % 60, increment.as_secs_f64()));
        }
        if let Some(time) = limits.move_time {
            if !self.spec.quirks.decimal_clock && time.subsec_nanos() > 0 {
                return unusable("XBoard's st counts whole seconds: give move-time=1 or more, or quirk=decimal-clock");
            }
            lines.push(format!("st {}", time.as_secs_f64()));
        }
        lines.extend(limits.depth.map(|depth| format!("sd {depth}")));
        if lines.is_empty() {
            return unusable("XBoard has no command for nodes: use depth, move-time or tc, or quirk=own-limits");
        }
        Ok(lines)
    }

    /// Sends the missing moves and the clocks. Returns the line that makes the engine move; the caller sends it.
    fn prepare_request(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<String, PlayerError> {
        let history = board.history(Style::Uci);
        let Some(unsent) = self.sent.unsent(&history) else {
            return Err(PlayerError::Refused("the moves sent are not those of the game".into()));
        };
        let (last, earlier) = match unsent.split_last() {
            Some((last, earlier)) if self.playing && earlier.is_empty() => (Some(last), earlier),
            _ => (None, unsent),
        };
        if last.is_none() {
            engine.send("force");
        }
        for (_, text) in earlier {
            engine.send(&format!("usermove {text}"));
        }
        let side = board.side();
        let [own, other] = [side, side.other()].map(|side| times.clocks[side.index()].map(|clock| clock.left()));
        if let (Some(own), false) = (own, self.spec.quirks.own_limits) {
            let other = other.unwrap_or(own);
            engine.send(&format!("time {}", own.as_millis() / 10));
            engine.send(&format!("otim {}", other.as_millis() / 10));
        }
        let line = last.map_or("go".to_string(), |(_, text)| format!("usermove {text}"));
        self.sent.moves = history;
        self.playing = true;
        Ok(line)
    }
}

/// Names and values of a `feature` line.
fn features(line: &str) -> Vec<(String, String)> {
    let Some(rest) = line.trim().strip_prefix("feature ") else { return Vec::new() };
    let pairs = shell_words::split_with_plain_backslashes(rest).unwrap_or_default();
    pairs.iter().filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
}

/// Begins the dialogue and returns the features that the engine offers.
pub fn offered_features(engine: &mut Dialogue) -> Result<Vec<(String, String)>, NoAnswer> {
    engine.send("xboard");
    engine.request("protover 2");
    let mut offered = Vec::new();
    while !offered.iter().any(|(name, value)| name == "done" && value == "1") {
        offered.extend(features(&engine.until("feature", |_| {})?.text));
    }
    Ok(offered)
}

/// Reads a line of thinking output: ply, score, hundredths of a second, nodes.
fn parse_thinking(line: &str, reply: &mut MoveReply) {
    let mut numbers = line.split_whitespace().map_while(|word| word.parse::<i64>().ok());
    let (Some(depth), Some(score), Some(_), Some(nodes)) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
    else {
        return;
    };
    let moves = score.saturating_abs() - MATE;
    let value = if moves >= 0 {
        score.signum() * i64::from(WIN).saturating_sub(moves.saturating_mul(2)).max(0)
    } else {
        score * i64::from(UNIT) / 100
    };
    reply.depth = u32::try_from(depth).ok();
    reply.score = Score::try_from(value).ok();
    reply.nodes = u64::try_from(nodes).ok();
    // Moves in parentheses come from a book.
    reply.from_book = line.split_whitespace().any(|word| word.starts_with('('));
}

/// The move, resignation or refusal in a line; `None` for other lines.
fn parse_answer(line: &str, request: &str) -> Option<Result<String, PlayerError>> {
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    match word {
        "move" => Some(Ok(rest.trim().to_string())),
        "resign" => Some(Err(PlayerError::Resigned)),
        "1-0" | "0-1" | "1/2-1/2" | "Illegal" | "Error" | "tellusererror" => {
            Some(Err(PlayerError::Refused(format!("{request}: {line}"))))
        }
        _ => None,
    }
}

impl Client for XBoardClient {
    fn style(&self) -> Style {
        Style::Uci
    }

    fn handshake(&mut self, engine: &mut Dialogue) -> Result<(), PlayerError> {
        self.features = offered_features(engine)?;
        let Some(variant) = self.variant else {
            return Err(PlayerError::Unusable("XBoard has no name for this game".into()));
        };
        let listed = self.feature("variants").unwrap_or_default().split(',').any(|own| own.trim() == variant);
        if !listed || self.feature("ping") != Some("1") || self.feature("usermove") != Some("1") {
            return Err(PlayerError::Unusable(format!(
                "it does not offer ping=1, usermove=1 and the variant {variant}"
            )));
        }
        for (name, value) in &self.spec.options {
            engine.send(&self.option_line(name, value)?);
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
        engine.send("new");
        engine.send(&format!("variant {}", self.variant.unwrap_or("normal")));
        engine.send("force");
        if !board.has_usual_start() {
            engine.send(&format!("setboard {}", board.start_position(Style::Uci)));
        }
        self.limit_lines(limits)?.iter().for_each(|line| engine.send(line));
        engine.send("post");
        engine.send("easy");
        (self.sent, self.playing) = (SentPosition::default(), false);
        Ok(engine.ping()?)
    }

    fn choose_move(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        let request = self.prepare_request(engine, board, times)?;
        engine.set_deadline(times.deadline(board.side()));
        engine.request(&request);
        let mut reply = MoveReply::default();
        loop {
            let line = engine.line("a move")?;
            parse_thinking(&line.text, &mut reply);
            if let Some(answer) = parse_answer(&line.text, &request) {
                let mv = answer?;
                self.sent.moves.push((board.side(), mv.clone()));
                return Ok(MoveReply { mv, elapsed: engine.elapsed(line.at), ..reply });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_may_hold_blanks() {
        let read = features("feature myname=\"Mini 0.1\" ping=1 option=\"Level -spin 3 1 9\" done=1");
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let wanted =
            [pair("myname", "Mini 0.1"), pair("ping", "1"), pair("option", "Level -spin 3 1 9"), pair("done", "1")];
        assert_eq!(read, wanted);
        assert_eq!(features("feature option=\"Book -file C:\\books\\a\""), [pair("option", r"Book -file C:\books\a")]);
        assert_eq!(features("move e2e4"), []);
    }

    #[test]
    fn thinking_output() {
        let mut reply = MoveReply::default();
        parse_thinking("12 -35 25 3000 9 12000 0\tb2b3 b5b4", &mut reply);
        assert_eq!((reply.depth, reply.score, reply.nodes), (Some(12), Some(-35), Some(3000)));
        parse_thinking("3 100002 1 44 b2b3", &mut reply);
        assert_eq!(reply.score, Some(WIN - 4));
        for score in [i64::MIN, i64::MAX] {
            parse_thinking(&format!("3 {score} 1 44 b2b3"), &mut reply);
            assert_eq!(reply.score, Some(0), "a mate further away than any game is long");
        }
        parse_thinking("# certainty exact", &mut reply);
        assert_eq!(reply.depth, Some(3));
    }

    #[test]
    fn answers() {
        assert_eq!(parse_answer("move b2b3", "go"), Some(Ok("b2b3".into())));
        assert_eq!(parse_answer("resign", "go"), Some(Err(PlayerError::Resigned)));
        assert!(matches!(parse_answer("1-0 {king captured}", "go"), Some(Err(PlayerError::Refused(_)))));
        assert!(matches!(parse_answer("Illegal move: b2b9", "usermove b2b9"), Some(Err(PlayerError::Refused(_)))));
        for other in ["offer draw", "5 0 1 2 e2e4", "# moves", "tellall hello", ""] {
            assert_eq!(parse_answer(other, "go"), None, "{other}");
        }
    }
}
