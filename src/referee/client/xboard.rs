//! The host's side of XBoard's protocol.

use super::{Client, SentPosition, initial_position, read_until};
use crate::engine::dyn_engine::DynEngine;
use crate::referee::limits::PlayerLimits;
use crate::referee::process::Process;
use crate::referee::shell_words;
use crate::referee::spec::{PlayerSpec, Quirks};
use crate::referee::types::{MoveReply, MoveTimes, PlayerError};
use crate::search::notation::Style;
use crate::search::types::{Score, UNIT, WIN};
use std::time::{Duration, Instant};

/// Scores (hundredths of a pawn) from here on announce a mate: what is above counts the moves to it.
const MATE: i64 = 100_000;

/// XBoard's protocol, with the settings and features of one engine.
pub struct XBoardClient {
    options: Vec<(String, String)>,
    send: Vec<String>,
    quirks: Quirks,
    variant: Option<&'static str>,
    features: Vec<(String, String)>,
    pings: u64,
    sent: SentPosition,
    /// Not in force mode: the engine answers `usermove` with a move.
    playing: bool,
}

impl XBoardClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> XBoardClient {
        XBoardClient {
            options: spec.options.clone(),
            send: spec.send.clone(),
            quirks: spec.quirks,
            variant: crate::games::names::uci_variant_of(game),
            features: Vec::new(),
            pings: 0,
            sent: SentPosition::default(),
            playing: false,
        }
    }

    fn feature(&self, name: &str) -> Option<&str> {
        self.features.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Waits until the engine has done everything sent before.
    fn ping(&mut self, process: &mut Process, deadline: Instant) -> Result<(), PlayerError> {
        self.pings += 1;
        let (line, pong) = (format!("ping {}", self.pings), format!("pong {}", self.pings));
        process.send(&line);
        while read_until(process, "pong", &line, deadline, |_| {})?.text.trim() != pong {}
        Ok(())
    }

    /// The line that sets an option; some have commands of their own.
    fn option_line(&self, name: &str, value: &str) -> Result<String, PlayerError> {
        let offered = self.features.iter().any(|(own, text)| {
            own == "option" && text.split(" -").next().is_some_and(|own| own.eq_ignore_ascii_case(name))
        });
        match name {
            "Hash" if self.feature("memory") == Some("1") => Ok(format!("memory {value}")),
            "Threads" if self.feature("smp") == Some("1") => Ok(format!("cores {value}")),
            _ if offered => Ok(format!("option {name}={value}")),
            _ => Err(PlayerError::Unusable(format!("it has no option {name}"))),
        }
    }

    /// `level`, `st` and `sd` for these limits.
    fn limit_lines(&self, limits: &PlayerLimits) -> Result<Vec<String>, PlayerError> {
        if self.quirks.own_limits {
            return Ok(Vec::new());
        }
        let unusable = |text: &str| Err(PlayerError::Unusable(text.into()));
        let mut lines = Vec::new();
        if let Some((main, increment)) = limits.game_time {
            if main < Duration::from_secs(1) {
                return unusable("XBoard's level counts whole seconds: give a second or more");
            }
            let main = main.as_secs();
            lines.push(format!("level 0 {}:{:02} {}", main / 60, main % 60, increment.as_secs_f64()));
        }
        if let Some(time) = limits.move_time {
            if !self.quirks.decimal_clock && time.subsec_nanos() > 0 {
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

    /// Sends the moves that are missing and the clocks; returns the line that makes the engine move, which is to be sent.
    fn prepare_request(
        &mut self,
        process: &mut Process,
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
            process.send("force");
        }
        for (_, text) in earlier {
            process.send(&format!("usermove {text}"));
        }
        let side = board.side();
        if let (Some(own), false) = (times.left[side.index()], self.quirks.own_limits) {
            let other = times.left[side.other().index()].unwrap_or(own);
            process.send(&format!("time {}", own.as_millis() / 10));
            process.send(&format!("otim {}", other.as_millis() / 10));
        }
        let line = last.map_or("go".to_string(), |(_, text)| format!("usermove {text}"));
        self.sent.moves = history;
        self.playing = true;
        Ok(line)
    }
}

/// Names and values of a `feature` line.
pub fn features(line: &str) -> Vec<(String, String)> {
    let Some(rest) = line.trim().strip_prefix("feature ") else { return Vec::new() };
    let pairs = shell_words::split_with_plain_backslashes(rest).unwrap_or_default();
    pairs.iter().filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
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
    // Moves in parentheses are moves of a book.
    reply.from_book = line.split_whitespace().any(|word| word.starts_with('('));
}

/// The move, resignation or refusal in a line; `None` if the line is none of them.
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

    fn handshake(&mut self, process: &mut Process, deadline: Instant) -> Result<(), PlayerError> {
        process.send("xboard");
        process.send("protover 2");
        while self.feature("done") != Some("1") {
            let line = read_until(process, "feature", "protover 2", deadline, |_| {})?;
            self.features.extend(features(&line.text));
        }
        let Some(variant) = self.variant else {
            return Err(PlayerError::Unusable("XBoard has no name for this game".into()));
        };
        let listed = self.feature("variants").unwrap_or_default().split(',').any(|own| own.trim() == variant);
        if !listed || self.feature("ping") != Some("1") || self.feature("usermove") != Some("1") {
            return Err(PlayerError::Unusable(format!(
                "it does not offer ping=1, usermove=1 and the variant {variant}"
            )));
        }
        for (name, value) in self.options.clone() {
            process.send(&self.option_line(&name, &value)?);
        }
        for line in &self.send {
            process.send(line);
        }
        self.ping(process, deadline)
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        process.send("new");
        process.send(&format!("variant {}", self.variant.unwrap_or("normal")));
        process.send("force");
        let start = board.start_position(Style::Uci);
        if start != initial_position(board, Style::Uci) {
            process.send(&format!("setboard {start}"));
        }
        for line in self.limit_lines(limits)? {
            process.send(&line);
        }
        process.send("post");
        process.send("easy");
        (self.sent, self.playing) = (SentPosition::default(), false);
        self.ping(process, deadline)
    }

    fn choose_move(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        let request = self.prepare_request(process, board, times)?;
        let deadline = times.deadline(board.side());
        let begun = Instant::now();
        process.send(&request);
        let mut reply = MoveReply::default();
        loop {
            let line = process.line(deadline).map_err(|error| PlayerError::from_read_error(error, &request))?;
            parse_thinking(&line.text, &mut reply);
            if let Some(answer) = parse_answer(&line.text, &request) {
                let mv = answer?;
                self.sent.moves.push((board.side(), mv.clone()));
                return Ok(MoveReply { mv, elapsed: line.at.saturating_duration_since(begun), ..reply });
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
