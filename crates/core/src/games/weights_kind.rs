//! Recognises weight files by their first bytes, so that a file for another evaluation is refused
//! with the option that it needs.

use super::gomoku::weights::PatternWeights;
use super::minichess::evaluation::network::Network;
use super::minichess::evaluation::weights::TermWeights;
use super::names::{GOMOKU, MINICHESS, REVERSI};
use super::reversi::evaluation::network;
use super::reversi::evaluation::pattern::weights_file;
use super::reversi::evaluation::stage_weighted::StageWeighted;
use flipside_support::bounded_file;
use flipside_support::file_fault::FileFault;
use std::fmt::{self, Display};
use std::path::Path;

/// Longer files are not weight files of this program: those of networks of Reversi are the longest.
const LONGEST: usize = network::file::MAX_FILE_SIZE;

/// A kind of weight file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightsKind {
    /// Own name of the game.
    pub game: &'static str,
    /// Name of the evaluation that reads it; `by-hand` of MiniChess reads the files of `tuned`.
    pub evaluation: &'static str,
}

/// Files of linear pattern weights.
pub const LINEAR: WeightsKind = WeightsKind { game: REVERSI.name, evaluation: "linear" };
/// Files of networks of Reversi.
pub const REVERSI_NETWORK: WeightsKind = WeightsKind { game: REVERSI.name, evaluation: "network" };
/// Files of features weighted by stage.
pub const WEIGHTED: WeightsKind = WeightsKind { game: REVERSI.name, evaluation: "weighted" };
/// Files of networks of MiniChess.
pub const NETWORK: WeightsKind = WeightsKind { game: MINICHESS.name, evaluation: "network" };
/// Files of terms.
pub const TUNED: WeightsKind = WeightsKind { game: MINICHESS.name, evaluation: "tuned" };
/// Files of line patterns; `by-hand` of Gomoku reads them, too.
pub const PATTERNS: WeightsKind = WeightsKind { game: GOMOKU[0].name, evaluation: "patterns" };

/// A weight file that another evaluation reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongKind {
    file: String,
    holds: WeightsKind,
    wanted: WeightsKind,
}

impl Display for WrongKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongKind { file, holds: WeightsKind { game, evaluation }, wanted } = self;
        let other = wanted.evaluation;
        write!(f, "{file} holds weights of the evaluation '{evaluation}', not '{other}': --evaluation {evaluation}")?;
        if *game == wanted.game { Ok(()) } else { write!(f, " --game {game}") }
    }
}

impl std::error::Error for WrongKind {}

/// It names the kind of the file.
impl FileFault for WrongKind {
    fn without_content(&self) -> String {
        self.to_string()
    }
}

/// Refuses a weight file that belongs to another evaluation. A file that is not a weight file or
/// cannot be read is left to the reader of the wanted kind.
///
/// # Errors
/// The file is for another evaluation.
pub fn check(path: &Path, wanted: WeightsKind) -> Result<(), WrongKind> {
    match of_file(path) {
        Some(holds) if holds != wanted => Err(WrongKind { file: path.display().to_string(), holds, wanted }),
        _ => Ok(()),
    }
}

/// The evaluation that reads a weight file, by its first bytes; `None` if the file is none or
/// cannot be read.
pub fn of_file(path: &Path) -> Option<WeightsKind> {
    bounded_file::read(path, LONGEST).ok().and_then(|bytes| kind_of(&bytes))
}

fn kind_of(bytes: &[u8]) -> Option<WeightsKind> {
    if bytes.starts_with(weights_file::FAMILY) {
        return Some(LINEAR);
    }
    if bytes.starts_with(network::file::FAMILY) {
        return Some(REVERSI_NETWORK);
    }
    if bytes.starts_with(Network::FAMILY) {
        return Some(NETWORK);
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let is_content = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = text.lines().map(str::trim).find(is_content)?;
    match first {
        StageWeighted::TABLE => Some(WEIGHTED),
        PatternWeights::HEADER => Some(PATTERNS),
        line => TermWeights::is_line(line).then_some(TUNED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_for_another_evaluation_names_it() {
        let path = std::env::temp_dir().join(format!("flipside-kind-{}", std::process::id()));
        for (bytes, holds) in [
            (b"flipside wts  1\n..." as &[u8], LINEAR),
            (b"# fitted\n\n[[stage]]\ndiscs-on-board = 12\n", WEIGHTED),
            (b"MCNET 3\n...", NETWORK),
            (b"flipside net  1\n...", REVERSI_NETWORK),
            (TermWeights::by_hand().show().as_bytes(), TUNED),
            (PatternWeights::by_hand().show().as_bytes(), PATTERNS),
        ] {
            std::fs::write(&path, bytes).expect("a file");
            for wanted in [LINEAR, WEIGHTED, NETWORK, REVERSI_NETWORK, TUNED, PATTERNS] {
                let said = check(&path, wanted).map_err(|error| error.to_string());
                assert_eq!(said.is_ok(), wanted == holds, "{said:?}");
                let missing = format!("--evaluation {}", holds.evaluation);
                assert!(said.is_ok() || said.is_err_and(|text| text.contains(&missing)), "{missing}");
            }
        }
        for other in [b"" as &[u8], b"root:x:0:0", b"\xff\xfe"] {
            std::fs::write(&path, other).expect("a file");
            assert_eq!(check(&path, LINEAR), Ok(()), "the reader says what is wrong");
        }
        std::fs::remove_file(&path).expect("the file");
        assert_eq!(check(&path, LINEAR), Ok(()));
    }
}
