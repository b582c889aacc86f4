//! The options of the engine, declared once; each protocol shows and sets them in its way.

use super::registry;
use super::skill;
use crate::api::command::CommandError;
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
    /// The engine has to be opened anew (table size, evaluation, game).
    Reopen,
    /// The engine forgets what it learned.
    Forget,
    /// The engine values draws otherwise.
    Draws,
    /// The engine searches by another algorithm.
    Algorithm,
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Name of the game's engine.
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
    /// Effort of a move, in plies at most; [`skill::FULL_LEVEL`] is unlimited.
    pub level: u32,
    /// How well the engine plays, up to [`skill::FULL_STRENGTH`].
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
            level: skill::FULL_LEVEL,
            strength: skill::FULL_STRENGTH,
            variety: 0,
            seed: 0,
            contempt: 0,
        }
    }
}

impl Settings {
    /// The settings for another game: what belongs to one game only is as in a fresh engine.
    pub fn for_game(&self, game: &str) -> Settings {
        let Settings { evaluation, weights, without, .. } = Settings::default();
        Settings { game: game.to_string(), evaluation, weights, without, ..self.clone() }
    }

    /// Every option with its range and present value. `evaluations` are the names of those of the present engine.
    pub fn describe(&self, evaluations: &[&str]) -> Vec<OptionInfo> {
        let fresh = Settings { game: self.game.clone(), ..Settings::default() };
        let info = |row: &Row| OptionInfo {
            name: row.name,
            kind: row.takes.kind(evaluations),
            default: row.takes.show(&fresh),
            value: row.takes.show(self),
            help: row.help,
        };
        OPTIONS.iter().map(info).collect()
    }

    /// Sets an option by name. Nothing changes on an error. `evaluations` are the names of those of the present engine.
    pub fn set(&mut self, evaluations: &[&str], name: &str, value: Option<&str>) -> Result<Effect, CommandError> {
        let row = OPTIONS.iter().find(|row| row.name.eq_ignore_ascii_case(name));
        let row = row.ok_or_else(|| CommandError::UnknownOption(name.to_string()))?;
        let value = value.unwrap_or_default();
        let bad = || CommandError::BadValue(row.name.to_string(), value.to_string());
        row.takes.set(self, evaluations, value).ok_or_else(bad)?;
        Ok(row.effect)
    }
}

/// An option: what is said of it, and how it is read and set.
struct Row {
    name: &'static str,
    takes: Takes,
    effect: Effect,
    help: &'static str,
}

type Get<V> = fn(&Settings) -> V;
type Set<V> = fn(&mut Settings, V);

/// What an option takes, and where in the settings it lies.
enum Takes {
    Number(i64, i64, Get<i64>, Set<i64>),
    Truth(Get<bool>, Set<bool>),
    Text(Get<String>, fn(&mut Settings, &str)),
    Algorithm,
    Evaluation,
    Variant,
    Nothing,
}

/// All options, in the order in which hosts show them.
const OPTIONS: [Row; 16] = [
    Row {
        name: "Hash",
        takes: Takes::Number(1, 65_536, |all| all.hash as i64, |all, mib| all.hash = mib as usize),
        effect: Effect::Reopen,
        help: "memory of the search tables in MiB",
    },
    Row { name: "Clear Hash", takes: Takes::Nothing, effect: Effect::Forget, help: "forget what was searched" },
    Row {
        name: "Threads",
        takes: Takes::Number(1, 256, |all| all.threads as i64, |all, number| all.threads = number as usize),
        effect: Effect::None,
        help: "threads of one search",
    },
    Row {
        name: "MultiPV",
        takes: Takes::Number(1, 64, |all| all.multi_pv as i64, |all, lines| all.multi_pv = lines as usize),
        effect: Effect::None,
        help: "lines of play to follow",
    },
    Row {
        name: "Ponder",
        takes: Takes::Truth(|all| all.ponder, |all, may| all.ponder = may),
        effect: Effect::None,
        help: "the host may ask to think on the opponent's time",
    },
    Row {
        name: "Move Overhead",
        takes: Takes::Number(
            0,
            10_000,
            |all| all.overhead.as_millis() as i64,
            |all, milliseconds| all.overhead = Duration::from_millis(milliseconds as u64),
        ),
        effect: Effect::None,
        help: "milliseconds kept back for the host's lag",
    },
    Row {
        name: "Algorithm",
        takes: Takes::Algorithm,
        effect: Effect::Algorithm,
        help: "who searches: pvs in full strength, the others as in the textbook, one line with one thread",
    },
    Row { name: "Evaluation", takes: Takes::Evaluation, effect: Effect::Reopen, help: "how positions are judged" },
    Row {
        name: "Weights",
        takes: Takes::Text(
            |all| all.weights.as_ref().map_or(String::new(), |path| path.display().to_string()),
            |all, path| all.weights = (!path.is_empty()).then(|| PathBuf::from(path)),
        ),
        effect: Effect::Reopen,
        help: "file of weights to use instead of the built-in ones",
    },
    Row {
        name: "Without",
        takes: Takes::Text(|all| all.without.clone(), |all, tricks| all.without = tricks.to_string()),
        effect: Effect::Reopen,
        help: "tricks of the search to do without, for experiments: null-move,reductions,...",
    },
    Row {
        name: "Level",
        takes: Takes::Number(
            0,
            skill::FULL_LEVEL as i64,
            |all| all.level.into(),
            |all, level| all.level = level as u32,
        ),
        effect: Effect::None,
        help: "effort of a move in plies at most; 60 is unlimited",
    },
    Row {
        name: "Strength",
        takes: Takes::Number(
            0,
            skill::FULL_STRENGTH as i64,
            |all| all.strength.into(),
            |all, percent| all.strength = percent as u32,
        ),
        effect: Effect::None,
        help: "playing strength in percent; less looks less far and judges a little wrong",
    },
    Row {
        name: "Variety",
        takes: Takes::Number(0, 2_000, |all| all.variety.into(), |all, worse| all.variety = worse as i32),
        effect: Effect::None,
        help: "how much worse than the best a move may be, in hundredths of a disc or pawn",
    },
    Row {
        name: "Seed",
        takes: Takes::Number(0, i32::MAX as i64, |all| all.seed as i64, |all, seed| all.seed = seed as u64),
        effect: Effect::None,
        help: "decides what is chosen where strength or variety leave a choice; 0 is another each time",
    },
    Row {
        name: "Contempt",
        takes: Takes::Number(-100, 100, |all| all.contempt.into(), |all, worth| all.contempt = worth as i32),
        effect: Effect::Draws,
        help: "worth of a drawn game to the first player in hundredths of a disc or pawn",
    },
    Row { name: "UCI_Variant", takes: Takes::Variant, effect: Effect::Reopen, help: "the game" },
];

impl Takes {
    fn kind(&self, evaluations: &[&str]) -> OptionKind {
        match *self {
            Takes::Number(min, max, ..) => OptionKind::Spin { min, max },
            Takes::Truth(..) => OptionKind::Check,
            Takes::Text(..) => OptionKind::Text,
            Takes::Algorithm => OptionKind::Combo(Algorithm::ALL.map(|(name, _)| name.to_string()).to_vec()),
            Takes::Evaluation => {
                let words = ["default"].iter().chain(evaluations).map(|name| name.to_string());
                OptionKind::Combo(words.collect())
            }
            Takes::Variant => OptionKind::Combo(registry::variants()),
            Takes::Nothing => OptionKind::Button,
        }
    }

    fn show(&self, settings: &Settings) -> String {
        match self {
            Takes::Number(.., get, _) => get(settings).to_string(),
            Takes::Truth(get, _) => get(settings).to_string(),
            Takes::Text(get, _) => get(settings),
            Takes::Algorithm => settings.algorithm.to_string(),
            Takes::Evaluation => settings.evaluation.clone(),
            Takes::Variant => {
                let present = registry::variant_of(&settings.game).map(str::to_string);
                present.or_else(|| registry::variants().into_iter().next()).unwrap_or_default()
            }
            Takes::Nothing => String::new(),
        }
    }

    /// `None`, and nothing changed, for a value that the option does not take.
    fn set(&self, settings: &mut Settings, evaluations: &[&str], text: &str) -> Option<()> {
        let word = || match self.kind(evaluations) {
            OptionKind::Combo(words) => words.into_iter().find(|word| word.eq_ignore_ascii_case(text)),
            _ => None,
        };
        match self {
            Takes::Number(min, max, _, set) => {
                set(settings, text.parse().ok().filter(|number| (min..=max).contains(&number))?);
            }
            Takes::Truth(_, set) => set(settings, truth(text)?),
            Takes::Text(_, set) => set(settings, text),
            Takes::Algorithm => settings.algorithm = word()?.parse().ok()?,
            Takes::Evaluation => settings.evaluation = word()?,
            Takes::Variant => settings.game = registry::game_of_variant(&word()?)?.to_string(),
            Takes::Nothing => {}
        }
        Some(())
    }
}

fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" => Some(true),
        "false" | "0" | "off" => Some(false),
        _ => None,
    }
}
