//! What the moves of a player took: depth and time.

use super::types::MoveReply;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Sums over the moves that a player chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves chosen.
    pub moves: u64,
    /// Their wall time in seconds, measured by the referee.
    pub seconds: f64,
    /// Moves for which the player reported a depth.
    pub searched: u64,
    /// The sum of these depths in plies.
    pub plies: u64,
}

impl Effort {
    /// Counts a move.
    pub fn add(&mut self, reply: &MoveReply) {
        self.moves += 1;
        self.seconds += reply.elapsed.as_secs_f64();
        self.searched += u64::from(reply.depth.is_some());
        self.plies += u64::from(reply.depth.unwrap_or_default());
    }

    /// The mean depth in plies of the moves with a depth; `None` without one.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.searched > 0).then(|| self.plies as f64 / self.searched as f64)
    }

    /// The mean time of a move in seconds; `None` without a move.
    pub fn mean_seconds(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.seconds / self.moves as f64)
    }

    /// `depth 9.3, 0.0210 s a move`, as far as it is known.
    pub fn words(&self) -> String {
        let depth = self.mean_depth().map(|depth| format!("depth {depth:.1}"));
        let seconds = self.mean_seconds().map(|seconds| format!("{seconds:.4} s a move"));
        depth.into_iter().chain(seconds).collect::<Vec<_>>().join(", ")
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.moves += other.moves;
        self.seconds += other.seconds;
        self.searched += other.searched;
        self.plies += other.plies;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn means_are_over_the_moves_that_tell() {
        let reply = |millis, depth| MoveReply { elapsed: Duration::from_millis(millis), depth, ..MoveReply::default() };
        let (mut first, mut second) = (Effort::default(), Effort::default());
        assert_eq!(first.words(), "");
        first.add(&reply(300, Some(9)));
        first.add(&reply(0, None));
        second.add(&reply(150, Some(12)));
        first += second;
        assert_eq!(first.words(), "depth 10.5, 0.1500 s a move");
        assert_eq!(Effort { searched: 0, ..first }.words(), "0.1500 s a move");
    }
}
