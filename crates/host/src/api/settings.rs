//! The settings of an engine and its session as plain values. `options` defines how a host sees and sets them.

use flipside_core::games::searcher_settings::SearcherSettings;
use flipside_core::search::algorithm::Algorithm;
use std::convert::Infallible;
use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The effort level without a depth limit.
pub const FULL_LEVEL: u32 = 60;
/// Full playing strength, in percent.
pub const FULL_STRENGTH: u32 = 100;

/// More Elo than any game's scale has: its strongest step.
pub const FULL_ELO: u32 = 9_999;

/// The default number of plies within which the opening book is used: as long as it knows the position.
pub const FULL_BOOK_DEPTH: u32 = 60;

/// The source of the opening book. Its text is the value of the option `Book`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BookSource {
    /// The book inside the program, if the game has one.
    #[default]
    Embedded,
    /// No book.
    None,
    /// The book in this file.
    File(PathBuf),
}

impl FromStr for BookSource {
    type Err = Infallible;

    /// Reads `embedded`, `none`, the values of other engines' `OwnBook` (`true`, `false`), or the name of a file. An
    /// empty name means no book.
    fn from_str(text: &str) -> Result<BookSource, Infallible> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "embedded" | "true" | "on" => BookSource::Embedded,
            "none" | "false" | "off" | "" => BookSource::None,
            _ => BookSource::File(PathBuf::from(text)),
        })
    }
}

impl Display for BookSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookSource::Embedded => formatter.pad("embedded"),
            BookSource::None => formatter.pad("none"),
            BookSource::File(path) => path.display().fmt(formatter),
        }
    }
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Name of the game.
    pub game: String,
    /// Memory of the search tables in MiB.
    pub hash: usize,
    /// Threads of one search.
    pub threads: usize,
    /// Principal variations that a search for a move follows.
    pub multipv: usize,
    /// Whether the host may ask for pondering.
    pub ponder: bool,
    /// Time kept back from every move for the host's lag.
    pub move_overhead: Duration,
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// Name of the evaluation; `default` is the game's best.
    pub evaluation: String,
    /// Weights to load instead of those in the binary.
    pub weights: Option<PathBuf>,
    /// Whether a host may name files to be read.
    pub host_files: bool,
    /// Search techniques to disable, separated by commas.
    pub disabled_techniques: String,
    /// Depth limit of a move in plies; [`FULL_LEVEL`] is unlimited.
    pub level: u32,
    /// Playing strength in percent, up to [`FULL_STRENGTH`].
    pub strength: u32,
    /// Whether the engine plays at [`Settings::elo`] instead of this strength.
    pub limit_strength: bool,
    /// Playing strength in Elo on the scale of [`super::elo`]; one outside the game's range counts as its nearest end.
    pub elo: u32,
    /// How much worse than the best a chosen move may be, in hundredths of a unit.
    pub variety: i32,
    /// Seed of the random choices of strength and variety; 0 draws another one each time.
    pub seed: u64,
    /// Value of a drawn game for the first player in hundredths of a unit (NBoard's contempt).
    pub contempt: i32,
    /// The opening book.
    pub book: BookSource,
    /// How much worse than the best move a book move may be, in hundredths of a unit.
    pub book_error: i32,
    /// How equal the chances of the book's moves within that error are, in percent; 0 always plays the best.
    pub book_variety: u32,
    /// Plies from the start of a game within which the book is used.
    pub book_depth: u32,
    /// Whether an analysis shows what the book knows before it searches.
    pub book_analysis: bool,
    /// Whether UCI shows chances beside scores.
    pub show_wdl: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            game: "reversi".into(),
            hash: 64,
            threads: 1,
            multipv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(20),
            algorithm: Algorithm::Pvs,
            evaluation: "default".into(),
            weights: None,
            host_files: true,
            disabled_techniques: String::new(),
            level: FULL_LEVEL,
            strength: FULL_STRENGTH,
            limit_strength: false,
            elo: FULL_ELO,
            variety: 0,
            seed: 0,
            contempt: 0,
            book: BookSource::Embedded,
            book_error: 100,
            book_variety: 0,
            book_depth: FULL_BOOK_DEPTH,
            book_analysis: false,
            show_wdl: false,
        }
    }
}

impl Settings {
    /// The settings with which the game's search is opened.
    pub fn of_searcher(&self) -> SearcherSettings<'_> {
        SearcherSettings {
            evaluation: &self.evaluation,
            weights: self.weights.as_deref(),
            hash: self.hash,
            disabled_techniques: &self.disabled_techniques,
        }
    }

    /// The settings for another game: those that belong to one game only get their defaults.
    pub fn for_game(&self, game: &str) -> Settings {
        let Settings { evaluation, weights, disabled_techniques, .. } = Settings::default();
        let book = match &self.book {
            BookSource::File(_) => BookSource::Embedded,
            other => other.clone(),
        };
        Settings { game: game.to_string(), evaluation, weights, disabled_techniques, book, ..self.clone() }
    }
}
