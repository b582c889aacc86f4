//! The limits of a player for a move or a game.

use super::time_control;
use anyhow::Context;
use flipside_host::api::command::TimeControl;
use flipside_support::seconds::parse_seconds;
use std::time::Duration;

/// Limits of a player; without any of them it is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerLimits {
    /// Depth of a search in plies.
    pub depth: Option<u32>,
    /// Positions a move.
    pub nodes: Option<u64>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Time control of the game.
    pub game_time: Option<TimeControl>,
}

impl PlayerLimits {
    /// These limits, or the others if none of these is set.
    pub fn or(self, others: PlayerLimits) -> PlayerLimits {
        if self == PlayerLimits::default() { others } else { self }
    }

    /// The limits as the words of `--engine`.
    pub fn words(&self) -> Vec<String> {
        let words = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.move_time.map(|time| format!("move-time={}", time.as_secs_f64())),
            self.game_time.map(|control| format!("tc={}", time_control::show(control))),
        ];
        words.into_iter().flatten().collect()
    }

    /// Sets a limit by its key; returns false if the key does not exist.
    ///
    /// # Errors
    /// The value is invalid; the text describes a valid one.
    pub fn set(&mut self, key: &str, value: &str) -> anyhow::Result<bool> {
        match key {
            "depth" => self.depth = Some(value.parse().context("depth takes plies")?),
            "nodes" => self.nodes = Some(value.parse().context("nodes takes a number of positions")?),
            "move-time" => self.move_time = Some(parse_seconds(value).map_err(anyhow::Error::msg)?),
            "tc" => self.game_time = Some(time_control::parse(value).map_err(anyhow::Error::msg)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_limits_come_before_those_of_the_match() {
        let own = PlayerLimits { depth: Some(3), ..PlayerLimits::default() };
        let common = PlayerLimits { nodes: Some(10), ..PlayerLimits::default() };
        assert_eq!(own.or(common), own);
        assert_eq!(PlayerLimits::default().or(common), common);
    }

    #[test]
    fn time_controls() {
        let mut limits = PlayerLimits::default();
        assert!(limits.set("tc", "60+0.5").expect("a time control"));
        assert_eq!(
            limits.game_time,
            Some(TimeControl::Game { main: Duration::from_secs(60), increment: Duration::from_millis(500) })
        );
        assert!(limits.set("tc", "2").is_ok());
        for absurd in ["fast", "1e19", "60+1e19", "0"] {
            assert!(limits.set("tc", absurd).is_err(), "{absurd}");
        }
        assert_eq!(
            limits.game_time,
            Some(TimeControl::Game { main: Duration::from_secs(2), increment: Duration::ZERO })
        );
        assert!(!limits.set("colour", "1").expect("no such key"));
    }
}
