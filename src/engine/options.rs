//! The options of the engine, declared once; each dialect shows and sets them in its way.

use super::command::Refusal;
use super::{registry, taste};
use crate::textbook::plan::Algorithm;
use std::path::PathBuf;
use std::time::Duration;

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A whole number within a range.
    Spin {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// `true` or `false`.
    Check,
    /// One of these words.
    Combo(Vec<String>),
    /// Any text; may be empty.
    Text,
    /// No value: setting it does something.
    Button,
}

/// An option as a host sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// As UCI writes it; compared without regard to case.
    pub name: &'static str,
    /// What it takes.
    pub kind: OptionKind,
    /// Value of a fresh engine.
    pub default: String,
    /// Present value.
    pub value: String,
    /// One line of help, with the unit.
    pub help: &'static str,
}

/// What the session must do after an option changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it is read where it is needed.
    None,
    /// The room has to be opened anew (table size, evaluation, game).
    Reopen,
    /// The room forgets what it learned.
    Forget,
    /// The room values draws otherwise.
    Draws,
    /// The room searches by another algorithm.
    Algorithm,
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Name of the game's room.
    pub game: String,
    /// Memory of the search tables in MiB.
    pub hash: usize,
    /// Threads of one search.
    pub threads: usize,
    /// Lines of play that a search for a move follows.
    pub multi_pv: usize,
    /// Whether the host may ask for pondering.
    pub ponder: bool,
    /// Reserve for the host's lag, taken off every move.
    pub overhead: Duration,
    /// Who searches.
    pub algorithm: Algorithm,
    /// Name of the evaluation.
    pub evaluation: String,
    /// Weights to load instead of those in the binary.
    pub weights: Option<PathBuf>,
    /// Tricks of the search to do without, separated by commas.
    pub without: String,
    /// Effort of a move, in plies at most; [`taste::FULL_LEVEL`] is unlimited.
    pub level: u32,
    /// How well the engine plays, up to [`taste::FULL_STRENGTH`].
    pub strength: u32,
    /// How much worse than the best a move may be, in hundredths of a unit.
    pub variety: i32,
    /// Decides what is chosen where strength or variety leave a choice; 0 is another each time.
    pub seed: u64,
    /// Worth of a drawn game to the first player in hundredths of a unit (NBoard's contempt).
    pub contempt: i32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            game: "reversi".into(),
            hash: 64,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            overhead: Duration::from_millis(20),
            algorithm: Algorithm::Pvs,
            evaluation: "default".into(),
            weights: None,
            without: String::new(),
            level: taste::FULL_LEVEL,
            strength: taste::FULL_STRENGTH,
            variety: 0,
            seed: 0,
            contempt: 0,
        }
    }
}

/// Largest table, in MiB.
pub const MAX_HASH: i64 = 65_536;
/// Most threads.
pub const MAX_THREADS: i64 = 256;
/// Most variety, in hundredths of a unit.
pub const MAX_VARIETY: i64 = 2_000;
/// Most lines of play.
pub const MAX_LINES: i64 = 64;

impl Settings {
    /// The settings for another game: what belongs to one game only is as in a fresh engine.
    pub fn for_game(&self, game: &str) -> Settings {
        let Settings { evaluation, weights, without, .. } = Settings::default();
        Settings { game: game.to_string(), evaluation, weights, without, ..self.clone() }
    }

    /// Every option with its range and present value. `variants` are the UCI names of the games,
    /// `evaluations` those of the present room.
    pub fn describe(&self, variants: &[String], evaluations: &[&str]) -> Vec<OptionInfo> {
        let fresh = Settings::default();
        let info = |name, kind, default: String, value: String, help| OptionInfo { name, kind, default, value, help };
        let path = |settings: &Settings| settings.weights.as_ref().map_or(String::new(), |p| p.display().to_string());
        let mut evaluation_names = vec!["default".to_string()];
        evaluation_names.extend(evaluations.iter().map(|name| name.to_string()));
        let mut list = vec![
            info(
                "Hash",
                OptionKind::Spin { min: 1, max: MAX_HASH },
                fresh.hash.to_string(),
                self.hash.to_string(),
                "memory of the search tables in MiB",
            ),
            info("Clear Hash", OptionKind::Button, String::new(), String::new(), "forget what was searched"),
            info(
                "Threads",
                OptionKind::Spin { min: 1, max: MAX_THREADS },
                fresh.threads.to_string(),
                self.threads.to_string(),
                "threads of one search",
            ),
            info(
                "MultiPV",
                OptionKind::Spin { min: 1, max: MAX_LINES },
                fresh.multi_pv.to_string(),
                self.multi_pv.to_string(),
                "lines of play to follow",
            ),
            info(
                "Ponder",
                OptionKind::Check,
                fresh.ponder.to_string(),
                self.ponder.to_string(),
                "the host may ask to think on the opponent's time",
            ),
            info(
                "Move Overhead",
                OptionKind::Spin { min: 0, max: 10_000 },
                fresh.overhead.as_millis().to_string(),
                self.overhead.as_millis().to_string(),
                "milliseconds kept back for the host's lag",
            ),
            info(
                "Algorithm",
                OptionKind::Combo(Algorithm::ALL.map(|(name, _)| name.to_string()).to_vec()),
                fresh.algorithm.to_string(),
                self.algorithm.to_string(),
                "who searches: pvs in full strength, the others as in the textbook, one line with one thread",
            ),
            info(
                "Evaluation",
                OptionKind::Combo(evaluation_names),
                fresh.evaluation.clone(),
                self.evaluation.clone(),
                "how positions are judged",
            ),
            info(
                "Weights",
                OptionKind::Text,
                path(&fresh),
                path(self),
                "file of weights to use instead of the built-in ones",
            ),
            info(
                "Without",
                OptionKind::Text,
                fresh.without.clone(),
                self.without.clone(),
                "tricks of the search to do without, for experiments: null-move,reductions,...",
            ),
            info(
                "Level",
                OptionKind::Spin { min: 0, max: taste::FULL_LEVEL.into() },
                fresh.level.to_string(),
                self.level.to_string(),
                "effort of a move in plies at most; 60 is unlimited",
            ),
            info(
                "Strength",
                OptionKind::Spin { min: 0, max: taste::FULL_STRENGTH.into() },
                fresh.strength.to_string(),
                self.strength.to_string(),
                "playing strength in percent; less looks less far and judges a little wrong",
            ),
            info(
                "Variety",
                OptionKind::Spin { min: 0, max: MAX_VARIETY },
                fresh.variety.to_string(),
                self.variety.to_string(),
                "how much worse than the best a move may be, in hundredths of a disc or pawn",
            ),
            info(
                "Seed",
                OptionKind::Spin { min: 0, max: i32::MAX.into() },
                fresh.seed.to_string(),
                self.seed.to_string(),
                "decides what is chosen where strength or variety leave a choice; 0 is another each time",
            ),
            info(
                "Contempt",
                OptionKind::Spin { min: -100, max: 100 },
                fresh.contempt.to_string(),
                self.contempt.to_string(),
                "worth of a drawn game to the first player in hundredths of a disc or pawn",
            ),
        ];
        if let Some(first) = variants.first() {
            let present = registry::variant_of(&self.game).unwrap_or(first);
            let help = "the game";
            list.push(info(
                "UCI_Variant",
                OptionKind::Combo(variants.to_vec()),
                present.to_string(),
                present.to_string(),
                help,
            ));
        }
        list
    }

    /// Sets an option by name. Nothing changes on an error.
    pub fn set(&mut self, options: &[OptionInfo], name: &str, value: Option<&str>) -> Result<Effect, Refusal> {
        let Some(info) = options.iter().find(|info| info.name.eq_ignore_ascii_case(name)) else {
            return Err(Refusal::UnknownOption(name.to_string()));
        };
        let value = value.unwrap_or_default();
        let bad = || Refusal::BadValue(info.name.to_string(), value.to_string());
        let number = |info: &OptionInfo| match info.kind {
            OptionKind::Spin { min, max } => value.parse::<i64>().ok().filter(|n| (min..=max).contains(n)),
            _ => None,
        };
        let truth = || match value.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" => Some(true),
            "false" | "0" | "off" => Some(false),
            _ => None,
        };
        let word = |info: &OptionInfo| match &info.kind {
            OptionKind::Combo(words) => words.iter().find(|w| w.eq_ignore_ascii_case(value)).cloned(),
            _ => None,
        };
        match info.name {
            "Hash" => {
                self.hash = number(info).ok_or_else(bad)? as usize;
                Ok(Effect::Reopen)
            }
            "Clear Hash" => Ok(Effect::Forget),
            "Threads" => {
                self.threads = number(info).ok_or_else(bad)? as usize;
                Ok(Effect::None)
            }
            "MultiPV" => {
                self.multi_pv = number(info).ok_or_else(bad)? as usize;
                Ok(Effect::None)
            }
            "Ponder" => {
                self.ponder = truth().ok_or_else(bad)?;
                Ok(Effect::None)
            }
            "Move Overhead" => {
                self.overhead = Duration::from_millis(number(info).ok_or_else(bad)? as u64);
                Ok(Effect::None)
            }
            "Algorithm" => {
                self.algorithm = word(info).and_then(|name| name.parse().ok()).ok_or_else(bad)?;
                Ok(Effect::Algorithm)
            }
            "Evaluation" => {
                self.evaluation = word(info).ok_or_else(bad)?;
                Ok(Effect::Reopen)
            }
            "Weights" => {
                self.weights = (!value.is_empty()).then(|| PathBuf::from(value));
                Ok(Effect::Reopen)
            }
            "Without" => {
                self.without = value.to_string();
                Ok(Effect::Reopen)
            }
            "Level" => {
                self.level = number(info).ok_or_else(bad)? as u32;
                Ok(Effect::None)
            }
            "Strength" => {
                self.strength = number(info).ok_or_else(bad)? as u32;
                Ok(Effect::None)
            }
            "Variety" => {
                self.variety = number(info).ok_or_else(bad)? as i32;
                Ok(Effect::None)
            }
            "Seed" => {
                self.seed = number(info).ok_or_else(bad)? as u64;
                Ok(Effect::None)
            }
            "Contempt" => {
                self.contempt = number(info).ok_or_else(bad)? as i32;
                Ok(Effect::Draws)
            }
            "UCI_Variant" => {
                let variant = word(info).ok_or_else(bad)?;
                self.game = registry::game_of_variant(&variant).ok_or_else(bad)?.to_string();
                Ok(Effect::Reopen)
            }
            _ => Err(Refusal::UnknownOption(name.to_string())),
        }
    }
}
