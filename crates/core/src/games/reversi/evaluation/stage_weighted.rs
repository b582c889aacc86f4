//! The stage-weighted sum of the textbook's features, with the weights in the program or those of
//! a TOML file.

use super::features;
use super::single_feature::MAX_VALUE;
use crate::games::reversi::board::Board;
use crate::search::types::Score;
use flipside_support::bounded_file;
use flipside_support::file_fault::FileFault;
use flipside_support::hash::checksum;
#[cfg(feature = "toml")]
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Weights of one stage: hundredths of a disc for one unit of each feature. Between two stages the weights are
/// interpolated. Weights that a file leaves out are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "toml", derive(Deserialize, Serialize))]
#[cfg_attr(feature = "toml", serde(default, deny_unknown_fields, rename_all = "kebab-case"))]
pub struct StageWeights {
    /// The stage: discs on the board, 4 to 64.
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

/// Features of a stage.
pub const FEATURES: usize = 8;
/// Discs on a full board.
const FULL: usize = 64;
/// The upper bound for the size of a weight file, in bytes.
const MAX_FILE_SIZE: usize = 1 << 20;

impl StageWeights {
    /// The stage with these weights, in the order of the fields.
    pub const fn new(discs_on_board: i32, weights: [i32; FEATURES]) -> StageWeights {
        let [discs, mobility, potential_mobility, corners, x_squares, c_squares, stability, positional] = weights;
        StageWeights {
            discs_on_board,
            discs,
            mobility,
            potential_mobility,
            corners,
            x_squares,
            c_squares,
            stability,
            positional,
        }
    }

    /// The weights in the order of the fields.
    fn weights(&self) -> [i32; FEATURES] {
        let StageWeights {
            discs,
            mobility,
            potential_mobility,
            corners,
            x_squares,
            c_squares,
            stability,
            positional,
            ..
        } = *self;
        [discs, mobility, potential_mobility, corners, x_squares, c_squares, stability, positional]
    }
}

/// The features in the order of a stage's weights, the mover's minus the opponent's.
#[inline(always)]
pub fn features(board: Board) -> [i32; FEATURES] {
    [
        features::discs(board),
        features::mobility(board),
        features::potential_mobility(board),
        features::corners(board),
        features::x_squares(board),
        features::c_squares(board),
        features::stability(board),
        features::positional(board),
    ]
}

/// The weights at every number of discs on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InterpolatedWeights([[i32; FEATURES]; FULL + 1]);

/// Linear interpolation: the two stages around a position with this many discs, each with its
/// share, which is the distance to the other one. Before the first stage and after the last one,
/// that stage alone has a share. The stages are at least one and in ascending order of discs.
pub fn interpolation(stages: &[StageWeights], discs_on_board: i32) -> [(usize, i32); 2] {
    let last = stages.len().saturating_sub(1);
    let later = stages.iter().position(|stage| discs_on_board <= stage.discs_on_board).unwrap_or(last);
    let earlier = later.saturating_sub(1);
    if earlier == later {
        return [(earlier, 0), (later, 1)];
    }
    let [from, to] = [earlier, later].map(|stage| stages[stage].discs_on_board);
    let here = discs_on_board.min(to);
    [(earlier, to - here), (later, here - from)]
}

impl InterpolatedWeights {
    /// Interpolated weights from stages that meet the conditions of [`interpolation`].
    fn new(stages: &[StageWeights]) -> InterpolatedWeights {
        InterpolatedWeights(std::array::from_fn(|filled| {
            let [(earlier, left), (later, right)] = interpolation(stages, filled as i32);
            let [earlier, later] = [earlier, later].map(|stage| stages[stage].weights());
            std::array::from_fn(|feature| (earlier[feature] * left + later[feature] * right) / (left + right))
        }))
    }

    /// The value for the side to move; a side without discs has lost all 64.
    #[inline(always)]
    fn value(&self, board: Board) -> Score {
        if board.player == 0 {
            return -MAX_VALUE;
        }
        if board.opponent == 0 {
            return MAX_VALUE;
        }
        let weights = &self.0[FULL - board.empties() as usize];
        let sum: Score = weights.iter().zip(features(board)).map(|(weight, count)| weight * count).sum();
        sum.clamp(-MAX_VALUE, MAX_VALUE)
    }
}

/// Fitted by `flipside train weighted` to the games that the pattern weights were fitted to. Features overlap: a corner
/// is also a square with a weight and a stable disc, which explains negative weights.
const STAGES: [StageWeights; 8] = [
    StageWeights::new(12, [-56, 68, 52, -1218, -455, -67, 95, 26]),
    StageWeights::new(24, [-69, 75, 42, -3, -709, 12, 155, 12]),
    StageWeights::new(32, [-57, 87, 29, 419, -380, 7, 94, 6]),
    StageWeights::new(40, [-43, 110, 15, 350, -172, -33, 90, 2]),
    StageWeights::new(46, [-26, 155, -10, 365, -223, -95, 87, 0]),
    StageWeights::new(52, [-13, 178, -45, 373, -271, -168, 73, -2]),
    StageWeights::new(58, [0, 266, -88, 395, -211, -175, 68, -3]),
    StageWeights::new(64, [-13, 505, -155, 70, -52, -44, 99, -1]),
];

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageWeightsError {
    /// The file cannot be read: its name and the reason.
    #[error("cannot read {0}: {1}")]
    Unreadable(String, String),
    /// It is not TOML of this form.
    #[error("expected [[stage]] tables of weights: {reason}")]
    Syntax {
        /// What is wrong; may quote the file.
        reason: String,
        /// Line and column, from 1, where they are known.
        at: Option<(usize, usize)>,
    },
    /// No stage, stages in disorder, or a number out of range.
    #[error("expected {0}")]
    Range(&'static str),
}

impl FileFault for StageWeightsError {
    fn without_content(&self) -> String {
        match self {
            StageWeightsError::Syntax { at: Some((line, column)), .. } => {
                format!("expected [[stage]] tables of weights: line {line}, column {column}")
            }
            StageWeightsError::Syntax { at: None, .. } => "expected [[stage]] tables of weights".into(),
            other => other.to_string(),
        }
    }
}

/// A file of weights.
#[cfg(feature = "toml")]
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    stage: Vec<StageWeights>,
}

/// The evaluation: built-in weights, or those of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageWeighted {
    stages: Vec<StageWeights>,
    interpolated: InterpolatedWeights,
}

impl StageWeighted {
    /// The first line of its files.
    pub const TABLE: &str = "[[stage]]";

    /// Weights of these stages.
    ///
    /// # Errors
    /// No stage, stages in disorder, weights beyond ±10,000.
    pub fn new(stages: Vec<StageWeights>) -> Result<StageWeighted, StageWeightsError> {
        if stages.is_empty() || stages.iter().any(|stage| !(4..=FULL as i32).contains(&stage.discs_on_board)) {
            return Err(StageWeightsError::Range("at least one stage, each with 4 to 64 discs-on-board"));
        }
        if !stages.is_sorted_by(|one, next| one.discs_on_board < next.discs_on_board) {
            return Err(StageWeightsError::Range("stages with more discs-on-board from each to the next"));
        }
        if stages.iter().flat_map(StageWeights::weights).any(|weight| !(-10_000..=10_000).contains(&weight)) {
            return Err(StageWeightsError::Range("weights from -10000 to 10000"));
        }
        Ok(StageWeighted { interpolated: InterpolatedWeights::new(&stages), stages })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or is not of the form that [`StageWeighted::parse`] takes.
    pub fn open(path: &Path) -> Result<StageWeighted, StageWeightsError> {
        let text = bounded_file::read_text(path, MAX_FILE_SIZE)
            .map_err(|error| StageWeightsError::Unreadable(path.display().to_string(), error.to_string()))?;
        StageWeighted::parse(&text)
    }

    /// Reads `[[stage]]` tables, the one with the fewest discs first.
    ///
    /// # Errors
    /// Another form, or as [`StageWeighted::new`].
    #[cfg(feature = "toml")]
    pub fn parse(text: &str) -> Result<StageWeighted, StageWeightsError> {
        let file: File = toml::from_str(text).map_err(|error| StageWeightsError::Syntax {
            reason: error.message().to_string(),
            at: error.span().map(|span| flipside_support::text::line_and_column(text, span.start)),
        })?;
        StageWeighted::new(file.stage)
    }

    /// Without the feature `toml` the program cannot read TOML.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "toml"))]
    pub fn parse(_text: &str) -> Result<StageWeighted, StageWeightsError> {
        Err(StageWeightsError::Syntax { reason: "this build cannot read TOML (feature `cli`)".into(), at: None })
    }

    /// The text of a file that [`StageWeighted::parse`] reads.
    ///
    /// # Errors
    /// Never: a test serialises the built-in weights.
    #[cfg(feature = "toml")]
    pub fn text(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(&File { stage: self.stages.clone() })
    }

    /// Its name and the checksum of its weights.
    pub fn identity(&self) -> String {
        let numbers = self.stages.iter().flat_map(|stage| [stage.discs_on_board].into_iter().chain(stage.weights()));
        let bytes: Vec<u8> = numbers.flat_map(i32::to_le_bytes).collect();
        format!("weighted {:016x}", checksum(&bytes))
    }

    /// The weights in the binary.
    pub fn built_in() -> StageWeighted {
        StageWeighted { stages: STAGES.to_vec(), interpolated: InterpolatedWeights::new(&STAGES) }
    }

    /// The value for the side to move, in hundredths of a disc within ±6400.
    #[inline(always)]
    pub fn value(&self, board: Board) -> Score {
        self.interpolated.value(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::obf;

    #[test]
    fn a_wipe_out_is_worth_all_squares() {
        let evaluation = StageWeighted::built_in();
        assert_eq!(evaluation.value(Board { player: 7, opponent: 0 }), MAX_VALUE);
        assert_eq!(evaluation.value(Board { player: 0, opponent: 7 }), -MAX_VALUE);
    }

    #[test]
    #[cfg(feature = "toml")]
    fn a_file_with_the_built_in_weights_is_the_same_evaluation() {
        let evaluation = StageWeighted::parse(&StageWeighted::built_in().text().expect("a file")).expect("weights");
        assert_eq!(evaluation, StageWeighted::built_in());
        assert_eq!(evaluation.identity(), StageWeighted::built_in().identity());
    }

    #[test]
    fn values_change_sign_with_the_side() {
        for line in [
            "---------------------------OX------XO--------------------------- X",
            "--------------------------XXX----OOXX----OXO-----XOO----O------- O",
            "-----O-----OO-----XOOX---OOOXXXO--OXXOOO--OXOOO---XOO---------O- X",
            "XOOOOOO-XXOOOOO-XOXOOOO-XOOXOOX-XOOOXXX-XOOOOX--XXOOO-----XXX--- X",
        ] {
            let (board, _) = obf::position(line).expect("a board");
            assert_eq!(
                StageWeighted::built_in().value(board),
                -StageWeighted::built_in().value(board.passed()),
                "{line}"
            );
        }
    }

    #[test]
    fn weights_are_interpolated_between_stages() {
        let text = "[[stage]]\ndiscs-on-board = 10\ndiscs = 100\n[[stage]]\ndiscs-on-board = 20\ndiscs = 200\n";
        let evaluation = StageWeighted::parse(text).expect("weights");
        // One disc more than the opponent, with this many in all.
        let value =
            |pairs: u32| evaluation.value(Board { player: (2 << pairs) - 1, opponent: ((1 << pairs) - 1) << 32 });
        assert_eq!([2, 5, 7, 9, 14].map(value), [100, 110, 150, 190, 200]);
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
            assert!(StageWeighted::parse(text).is_err(), "{text}");
        }
        let is_read = |discs: i64, weight: i64| {
            StageWeighted::parse(&format!("[[stage]]\ndiscs-on-board = {discs}\npositional = {weight}")).is_ok()
        };
        assert!([(4, -10_000), (64, 10_000)].into_iter().all(|(discs, weight)| is_read(discs, weight)));
        for beyond in [3, 65, -1, i64::from(i32::MAX), i64::MIN] {
            assert!(!is_read(beyond, 0), "{beyond} discs");
        }
        for beyond in [-10_001, 10_001, i64::from(i32::MIN), i64::from(i32::MAX) + 1, i64::MAX] {
            assert!(!is_read(4, beyond), "{beyond}");
        }
    }
}
