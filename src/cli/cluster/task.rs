//! A task: a position to solve in a window. `flipside split` and `join` write it, `flipside solve` reads it.

use flipside_core::games::reversi::obf::{self, ObfLine};
use flipside_core::games::reversi::proof::Bounds;
use flipside_support::json::{self, PROGRAM, Seal};
use serde::{Deserialize, Serialize};

/// A task as a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Its number in the state file, from 1.
    pub task: u64,
    /// The position.
    pub position: String,
    /// Alpha and beta in discs for the side to move. The question is where the value lies in this window.
    pub window: (i32, i32),
    /// Positions that the solver will probably enter.
    pub cost: u64,
    /// The program that asks.
    pub program: String,
    /// Name of its evaluation, with the checksum of its weights if it has any.
    pub evaluation: String,
}

impl Task {
    /// Reads a line, which must have its checksum.
    ///
    /// # Errors
    /// The line is not a task, or its checksum or window is wrong.
    pub fn read(text: &str) -> Result<(Task, ObfLine), String> {
        let task: Task =
            serde_json::from_str(text).map_err(|error| format!("not a task of flipside split: {error}"))?;
        match json::seal(text) {
            Seal::Right => {}
            Seal::Wrong => return Err(format!("task {}: the checksum is wrong, the line was changed", task.task)),
            Seal::Missing => return Err(format!("task {}: the checksum is missing", task.task)),
        }
        let line = obf::line(&task.position).map_err(|error| format!("task {}: {}", task.task, error.0))?;
        let (alpha, beta) = task.window;
        if !Bounds::is_window(task.window) {
            return Err(format!("task {}: expected a window within -64 and 64, found {alpha}, {beta}", task.task));
        }
        Ok((task, line))
    }

    /// Refuses a task of another program or other weights.
    ///
    /// # Errors
    /// The program or the weights differ; the text names both.
    pub fn check_origin(&self, evaluation: &str) -> Result<(), String> {
        let (own, other) = ((PROGRAM, evaluation), (self.program.as_str(), self.evaluation.as_str()));
        if own == other {
            return Ok(());
        }
        Err(format!("task {} is from {} with {}, this is {} with {}", self.task, other.0, other.1, own.0, own.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(window: (i32, i32)) -> String {
        let position = format!("{} X", "-".repeat(27) + "OX------XO" + &"-".repeat(27));
        let task = Task { task: 7, position, window, cost: 12, program: PROGRAM.into(), evaluation: "linear 1".into() };
        json::sealed_line(&task).expect("JSON")
    }

    #[test]
    fn a_task_is_read_as_it_was_written() {
        let (read, line) = Task::read(&task((-3, -2))).expect("a task");
        assert_eq!((read.task, read.window, line.board.empties()), (7, (-3, -2), 60));
        assert_eq!(Task::read(&task((-64, 64))).map(|(read, _)| read.window), Ok((-64, 64)));
        assert_eq!(read.check_origin("linear 1"), Ok(()));
        assert!(read.check_origin("linear 2").expect_err("other weights").contains("linear 2"));
    }

    #[test]
    fn what_is_no_task_is_named() {
        let whole = task((-3, -2));
        for (line, named) in [
            (whole.replace("[-3,", "[-4,"), "checksum is wrong"),
            (whole[..whole.len() / 2].to_string(), "not a task"),
            (task((2, 2)), "window"),
            (task((-65, 2)), "window"),
            (task((-2, 65)), "window"),
            (task((i32::MIN, i32::MAX)), "window"),
            ("{\"task\":1}".into(), "not a task"),
        ] {
            let error = Task::read(&line).expect_err(named);
            assert!(error.contains(named), "{error}");
        }
    }
}
