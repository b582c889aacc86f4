//! The stage-weighted sum of the textbook's features, with the weights in the program or those of a TOML file.

use super::features;
use super::plain::MOST;
use crate::games::reversi::board::{Board, Placement, Reversi};
use crate::games::reversi::kernels::Kernels;
use crate::search::game::{Eval, Score};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Hundredths of a disc for one unit of each feature when so many discs are on the board; between two stages the weights
/// change evenly. What a file leaves out weighs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stage {
    /// From 4 to 64.
    pub discs_on_board: i32,
    /// Discs.
    pub discs: i32,
    /// Legal moves.
    pub mobility: i32,
    /// Empty squares beside the other's discs.
    pub potential_mobility: i32,
    /// Corners held.
    pub corners: i32,
    /// X squares beside empty corners.
    pub x_squares: i32,
    /// C squares beside empty corners.
    pub c_squares: i32,
    /// Stable discs.
    pub stability: i32,
    /// Weights of the squares held.
    pub positional: i32,
}

const BUILT_IN: [Stage; 4] = [
    Stage {
        discs_on_board: 12,
        discs: -25,
        mobility: 110,
        potential_mobility: 55,
        corners: 900,
        x_squares: -350,
        c_squares: -120,
        stability: 60,
        positional: 2,
    },
    Stage {
        discs_on_board: 32,
        discs: -20,
        mobility: 130,
        potential_mobility: 60,
        corners: 800,
        x_squares: -300,
        c_squares: -110,
        stability: 90,
        positional: 2,
    },
    Stage {
        discs_on_board: 48,
        discs: 0,
        mobility: 110,
        potential_mobility: 45,
        corners: 500,
        x_squares: -150,
        c_squares: -70,
        stability: 110,
        positional: 1,
    },
    Stage {
        discs_on_board: 64,
        discs: 100,
        mobility: 20,
        potential_mobility: 10,
        corners: 100,
        x_squares: 0,
        c_squares: 0,
        stability: 40,
        positional: 0,
    },
];

/// The value for the side to move with the weights in the program, in hundredths of a disc within ±6400.
pub fn built_in(board: Board) -> Score {
    value(&BUILT_IN, board)
}

/// The value by these stages, of which there is at least one. Who has no disc has lost them all.
fn value(stages: &[Stage], board: Board) -> Score {
    if board.player == 0 {
        return -MOST;
    }
    if board.opponent == 0 {
        return MOST;
    }
    let filled = 64 - board.empties().cast_signed();
    let next = stages.iter().position(|stage| filled <= stage.discs_on_board).unwrap_or(stages.len() - 1);
    let (low, high) = (stages[next.saturating_sub(1)], stages[next]);
    let (from, to) = (low.discs_on_board, high.discs_on_board);
    let filled = filled.clamp(from, to);
    let mix = |pick: fn(&Stage) -> i32| match to - from {
        0 => pick(&high),
        span => (pick(&low) * (to - filled) + pick(&high) * (filled - from)) / span,
    };
    let sum = mix(|stage| stage.discs) * features::discs(board)
        + mix(|stage| stage.mobility) * features::mobility(board)
        + mix(|stage| stage.potential_mobility) * features::potential_mobility(board)
        + mix(|stage| stage.corners) * features::corners(board)
        + mix(|stage| stage.x_squares) * features::x_squares(board)
        + mix(|stage| stage.c_squares) * features::c_squares(board)
        + mix(|stage| stage.stability) * features::stability(board)
        + mix(|stage| stage.positional) * features::positional(board);
    sum.clamp(-MOST, MOST)
}

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StagedError {
    /// The file cannot be read: its name and the reason.
    #[error("cannot read {0}: {1}")]
    Unreadable(String, String),
    /// It is not TOML of this form.
    #[error("expected [[stage]] tables of weights: {0}")]
    Syntax(String),
    /// No stage, stages in disorder, or a number out of range.
    #[error("expected {0}")]
    Range(&'static str),
}

/// Weights from a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Staged {
    stage: Vec<Stage>,
}

impl Staged {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or is not of the form that [`Staged::parse`] takes.
    pub fn open(path: &Path) -> Result<Staged, StagedError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| StagedError::Unreadable(path.display().to_string(), error.to_string()))?;
        Staged::parse(&text)
    }

    /// Reads `[[stage]]` tables, the one with the fewest discs first.
    ///
    /// # Errors
    /// Another form, no stage, stages in disorder, weights beyond ±10,000.
    pub fn parse(text: &str) -> Result<Staged, StagedError> {
        let staged: Staged = toml::from_str(text).map_err(|error| StagedError::Syntax(error.message().to_string()))?;
        let stages = &staged.stage;
        let weights = |stage: &Stage| {
            let Stage { discs, mobility, potential_mobility, corners, x_squares, c_squares, .. } = *stage;
            [discs, mobility, potential_mobility, corners, x_squares, c_squares, stage.stability, stage.positional]
        };
        if stages.is_empty() || stages.iter().any(|stage| !(4..=64).contains(&stage.discs_on_board)) {
            return Err(StagedError::Range("at least one stage, each with 4 to 64 discs-on-board"));
        }
        if !stages.is_sorted_by(|one, next| one.discs_on_board < next.discs_on_board) {
            return Err(StagedError::Range("stages with more discs-on-board from each to the next"));
        }
        if stages.iter().flat_map(weights).any(|weight| !(-10_000..=10_000).contains(&weight)) {
            return Err(StagedError::Range("weights from -10000 to 10000"));
        }
        Ok(staged)
    }

    /// The value for the side to move, in hundredths of a disc within ±6400.
    pub fn value(&self, board: Board) -> Score {
        value(&self.stage, board)
    }
}

impl<K: Kernels> Eval<Reversi<K>> for Arc<Staged> {
    type State = ();

    fn fresh(&self, _: &Board) {}

    fn advance(&self, (): &(), _: &Board, _: Placement, _: &Board) {}

    fn score(&self, (): &(), board: &Board) -> Score {
        self.value(*board)
    }

    /// As it stands: empty squares are not given away.
    fn finished(&self, board: &Board, _rules: Score) -> Score {
        self.value(*board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::obf;

    #[test]
    fn a_wipe_out_is_worth_all_squares() {
        assert_eq!(built_in(Board { player: 7, opponent: 0 }), MOST);
        assert_eq!(built_in(Board { player: 0, opponent: 7 }), -MOST);
    }

    #[test]
    fn a_file_with_the_weights_of_the_program_judges_like_it() {
        let table = |stage: &Stage| {
            let serde_json::Value::Object(weights) = serde_json::json!(stage) else { panic!("a table") };
            weights.iter().fold("[[stage]]\n".to_string(), |text, (name, value)| text + &format!("{name} = {value}\n"))
        };
        let text: String = BUILT_IN.iter().map(table).collect();
        let staged = Staged::parse(&text).expect("weights");
        for line in [
            "---------------------------OX------XO--------------------------- X",
            "--------------------------XXX----OOXX----OXO-----XOO----O------- O",
            "-----O-----OO-----XOOX---OOOXXXO--OXXOOO--OXOOO---XOO---------O- X",
            "XOOOOOO-XXOOOOO-XOXOOOO-XOOXOOX-XOOOXXX-XOOOOX--XXOOO-----XXX--- X",
        ] {
            let (board, _) = obf::position(line).expect("a board");
            assert_eq!(staged.value(board), built_in(board), "{line}");
        }
    }

    #[test]
    fn weights_change_evenly_between_stages() {
        let text = "[[stage]]\ndiscs-on-board = 10\ndiscs = 100\n[[stage]]\ndiscs-on-board = 20\ndiscs = 200\n";
        let staged = Staged::parse(text).expect("weights");
        // One disc more than the opponent, so many in all.
        let worth = |pairs: u32| staged.value(Board { player: (2 << pairs) - 1, opponent: ((1 << pairs) - 1) << 32 });
        assert_eq!([2, 5, 7, 9, 14].map(worth), [100, 110, 150, 190, 200]);
    }

    #[test]
    fn other_files_are_refused() {
        for text in [
            "",
            "stage = []",
            "[[stage]]\ndiscs = 1",
            "[[stage]]\ndiscs-on-board = 3",
            "[[stage]]\ndiscs-on-board = 20\n[[stage]]\ndiscs-on-board = 20",
            "[[stage]]\ndiscs-on-board = 20\ncorners = 10001",
            "[[stage]]\ndiscs-on-board = 20\ncastles = 1",
            "[[stage]]\ndiscs-on-board = \"many\"",
        ] {
            assert!(Staged::parse(text).is_err(), "{text}");
        }
    }
}
