//! The options of the engine, declared once in the table `OPTIONS`; each protocol shows and sets them in its own form.

use super::command::CommandError;
use super::elo;
use super::settings::{BookSource, FULL_BOOK_DEPTH, FULL_LEVEL, FULL_STRENGTH, Settings};
use flipside_core::games::names::GameNames;
use flipside_core::search::algorithm::Algorithm;
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
    /// No value: setting it triggers an action.
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
    /// Nothing: the value is read where it is needed.
    None,
    /// Open the engine anew (table size, evaluation, game).
    Reopen,
    /// Open another opening book for the engine.
    Book,
    /// Clear the search tables and histories.
    ClearHash,
    /// Pass the new value of a draw to the engine.
    Contempt,
    /// Pass the new search algorithm to the engine.
    Algorithm,
}

/// Whether an option has this name or alias, in any spelling of upper and lower case.
pub fn is_option(name: &str) -> bool {
    find(name).is_some()
}

fn find(name: &str) -> Option<&'static EngineOption> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    OPTIONS.iter().find(|option| is(option.name) || option.alias.is_some_and(is))
}

impl Settings {
    /// Every listed option with its range and present value. `games` are those that can be opened. Options that name
    /// files are left out if the host may not name files.
    pub fn describe(&self, games: &[GameNames]) -> Vec<OptionInfo> {
        let listed = OPTIONS.iter().filter(|option| self.host_files || !matches!(option.access, Access::File(..)));
        listed.map(|option| self.info(option, games)).collect()
    }

    /// The options whose values depend on the game, as they are in the present one.
    pub fn describe_of_game(&self, games: &[GameNames]) -> Vec<OptionInfo> {
        let of_game = OPTIONS.iter().filter(|option| matches!(option.access, Access::Evaluation | Access::Elo));
        of_game.map(|option| self.info(option, games)).collect()
    }

    /// Sets an option by its name or alias. Nothing changes on an error. The option as it stands now comes back with
    /// what there is to do.
    ///
    /// # Errors
    /// There is no such option, it does not take this value, or it names a file and the host may not name files.
    pub fn set(
        &mut self,
        games: &[GameNames],
        name: &str,
        value: Option<&str>,
    ) -> Result<(OptionInfo, Effect), CommandError> {
        let option = find(name).ok_or_else(|| CommandError::UnknownOption(name.to_string()))?;
        let value = value.unwrap_or_default();
        if !self.host_files && option.access.names_file(self, value) {
            return Err(CommandError::FilesForbidden);
        }
        let bad = || CommandError::BadValue(option.name.to_string(), value.to_string());
        option.access.set(self, games, value).ok_or_else(bad)?;
        Ok((self.info(option, games), option.effect))
    }

    fn info(&self, option: &EngineOption, games: &[GameNames]) -> OptionInfo {
        let fresh = Settings { game: self.game.clone(), ..Settings::default() };
        OptionInfo {
            name: option.name,
            kind: option.access.kind(self, games),
            default: option.access.show(&fresh, games),
            value: option.access.show(self, games),
            help: option.help,
        }
    }
}

/// The option of UCI that shows chances beside scores.
pub const SHOW_WDL: &str = "UCI_ShowWDL";

/// The declaration of an option.
struct EngineOption {
    name: &'static str,
    /// An older name, accepted but not listed.
    alias: Option<&'static str>,
    access: Access,
    effect: Effect,
    help: &'static str,
}

impl EngineOption {
    const fn new(name: &'static str, access: Access, effect: Effect, help: &'static str) -> EngineOption {
        EngineOption { name, alias: None, access, effect, help }
    }

    const fn with_alias(self, alias: &'static str) -> EngineOption {
        EngineOption { alias: Some(alias), ..self }
    }
}

type Get<V> = fn(&Settings) -> V;
type Set<V> = fn(&mut Settings, V);

/// The kind of an option's value, and how the settings are read and changed by it.
enum Access {
    Number(i64, i64, Get<i64>, Set<i64>),
    Flag(Get<bool>, Set<bool>),
    Text(Get<String>, fn(&mut Settings, &str)),
    File(fn(&Settings) -> Option<&PathBuf>, Set<Option<PathBuf>>),
    /// A file, or one of the words for a book without a file.
    Book,
    Algorithm,
    Evaluation,
    /// A number in the range of the game's scale.
    Elo,
    Variant,
    Button,
}

/// All options, in the order in which hosts show them.
const OPTIONS: [EngineOption; 24] = [
    EngineOption::new(
        "Hash",
        Access::Number(1, 65_536, |all| all.hash as i64, |all, mib| all.hash = mib as usize),
        Effect::Reopen,
        "memory of the search tables in MiB",
    ),
    EngineOption::new("Clear Hash", Access::Button, Effect::ClearHash, "clear the search tables"),
    EngineOption::new(
        "Threads",
        Access::Number(1, 256, |all| all.threads as i64, |all, threads| all.threads = threads as usize),
        Effect::None,
        "threads of one search; at most one for each processor is started",
    ),
    EngineOption::new(
        "MultiPV",
        Access::Number(1, 64, |all| all.multipv as i64, |all, multipv| all.multipv = multipv as usize),
        Effect::None,
        "principal variations to search",
    ),
    EngineOption::new(
        "Ponder",
        Access::Flag(|all| all.ponder, |all, ponder| all.ponder = ponder),
        Effect::None,
        "whether the host may ask for thinking on the opponent's time",
    ),
    EngineOption::new(
        "Move Overhead",
        Access::Number(
            0,
            10_000,
            |all| all.move_overhead.as_millis() as i64,
            |all, milliseconds| all.move_overhead = Duration::from_millis(milliseconds as u64),
        ),
        Effect::None,
        "milliseconds kept back for the host's lag",
    ),
    EngineOption::new(
        "Algorithm",
        Access::Algorithm,
        Effect::Algorithm,
        "search algorithm: pvs is the production search, the others are the textbook's (one variation, one thread)",
    ),
    EngineOption::new("Evaluation", Access::Evaluation, Effect::Reopen, "evaluation function"),
    EngineOption::new(
        "Weights",
        Access::File(|all| all.weights.as_ref(), |all, path| all.weights = path),
        Effect::Reopen,
        "file of weights to use instead of the built-in ones",
    ),
    EngineOption::new(
        "Disable",
        Access::Text(
            |all| all.disabled_techniques.clone(),
            |all, techniques| all.disabled_techniques = techniques.to_string(),
        ),
        Effect::Reopen,
        "search techniques to disable, for experiments: null-move,reductions,...",
    )
    .with_alias("Without"),
    EngineOption::new(
        "Level",
        Access::Number(0, FULL_LEVEL as i64, |all| all.level.into(), |all, level| all.level = level as u32),
        Effect::None,
        "depth limit of a move in plies; 60 is unlimited",
    ),
    EngineOption::new(
        "Strength",
        Access::Number(
            0,
            FULL_STRENGTH as i64,
            |all| all.strength.into(),
            |all, percent| all.strength = percent as u32,
        ),
        Effect::None,
        "playing strength in percent; lower values search fewer plies and add noise to the scores",
    ),
    EngineOption::new(
        "UCI_LimitStrength",
        Access::Flag(|all| all.limit_strength, |all, limited| all.limit_strength = limited),
        Effect::None,
        "whether to play at the strength of UCI_Elo instead of Strength",
    ),
    EngineOption::new("UCI_Elo", Access::Elo, Effect::None, "playing strength in Elo on the engine's own scale"),
    EngineOption::new(
        "Variety",
        Access::Number(0, 2_000, |all| all.variety.into(), |all, worse| all.variety = worse as i32),
        Effect::None,
        "how much worse than the best a move may be, in hundredths of a disc or pawn",
    ),
    EngineOption::new(
        "Seed",
        Access::Number(0, i32::MAX as i64, |all| all.seed as i64, |all, seed| all.seed = seed as u64),
        Effect::None,
        "seed of the random choices of Strength and Variety; 0 draws another one each time",
    ),
    EngineOption::new(
        "Contempt",
        Access::Number(-100, 100, |all| all.contempt.into(), |all, value| all.contempt = value as i32),
        Effect::Contempt,
        "value of a drawn game for the first player in hundredths of a disc or pawn",
    ),
    EngineOption::new(
        "Book",
        Access::Book,
        Effect::Book,
        "opening book to play from: embedded (the program's own), none, or a file",
    )
    .with_alias("OwnBook"),
    EngineOption::new(
        "BookError",
        Access::Number(0, 6_400, |all| all.book_error.into(), |all, worse| all.book_error = worse as i32),
        Effect::None,
        "how much worse than the best a book move may be, in hundredths of a disc; needs a BookVariety above 0",
    ),
    EngineOption::new(
        "BookVariety",
        Access::Number(0, 100, |all| all.book_variety.into(), |all, percent| all.book_variety = percent as u32),
        Effect::None,
        "how equal the chances of moves within BookError are, in percent: 0 plays the best, 100 any equally often",
    ),
    EngineOption::new(
        "BookDepth",
        Access::Number(
            0,
            FULL_BOOK_DEPTH as i64,
            |all| all.book_depth.into(),
            |all, plies| all.book_depth = plies as u32,
        ),
        Effect::None,
        "plies from the start of a game within which the book is used",
    ),
    EngineOption::new(
        "BookAnalysis",
        Access::Flag(|all| all.book_analysis, |all, shown| all.book_analysis = shown),
        Effect::None,
        "whether an analysis shows the book's moves before it searches",
    ),
    EngineOption::new(
        SHOW_WDL,
        Access::Flag(|all| all.show_wdl, |all, shown| all.show_wdl = shown),
        Effect::None,
        "whether UCI's scores come with the chances of a win, a draw and a loss in thousandths",
    ),
    EngineOption::new("UCI_Variant", Access::Variant, Effect::Reopen, "the game"),
];

/// How hosts name the game's best evaluation. The command line's word is a keyword of UCI: a host that splits at keywords
/// reads an empty value. It is still understood.
const BEST_EVALUATION: &str = "best";
/// The same on the command line and in the settings.
const DEFAULT_EVALUATION: &str = "default";

/// What a host that may name no files sees of the book in a file that the command line names. It may choose another, but not
/// come back.
const UNNAMED_FILE: &str = "file";

fn of_unnamed_file(settings: &Settings) -> bool {
    !settings.host_files && matches!(settings.book, BookSource::File(_))
}

impl Access {
    /// Whether this value is the name of a file.
    fn names_file(&self, settings: &Settings, value: &str) -> bool {
        match self {
            Access::File(..) => true,
            Access::Book if of_unnamed_file(settings) && value == UNNAMED_FILE => false,
            Access::Book => matches!(value.parse(), Ok(BookSource::File(_))),
            _ => false,
        }
    }

    fn kind(&self, settings: &Settings, games: &[GameNames]) -> OptionKind {
        match *self {
            Access::Number(min, max, ..) => OptionKind::Spin { min, max },
            Access::Elo => {
                let range = elo::range(&settings.game);
                OptionKind::Spin { min: (*range.start()).into(), max: (*range.end()).into() }
            }
            Access::Flag(..) => OptionKind::Check,
            Access::Text(..) | Access::File(..) => OptionKind::Text,
            Access::Book if settings.host_files => OptionKind::Text,
            Access::Book => {
                let mut words = [BookSource::Embedded, BookSource::None].map(|source| source.to_string()).to_vec();
                words.extend(of_unnamed_file(settings).then(|| UNNAMED_FILE.to_string()));
                OptionKind::Combo(words)
            }
            Access::Algorithm => OptionKind::Combo(Algorithm::ALL.map(|(name, _)| name.to_string()).to_vec()),
            Access::Evaluation => {
                let game = games.iter().find(|game| game.name == settings.game);
                let evaluations = game.map_or(&[][..], |game| game.evaluations);
                let words = [BEST_EVALUATION].iter().chain(evaluations).map(|name| name.to_string());
                OptionKind::Combo(words.collect())
            }
            Access::Variant => OptionKind::Combo(variants(games).map(str::to_string).collect()),
            Access::Button => OptionKind::Button,
        }
    }

    fn show(&self, settings: &Settings, games: &[GameNames]) -> String {
        match self {
            Access::Number(.., get, _) => get(settings).to_string(),
            Access::Elo => {
                let range = elo::range(&settings.game);
                settings.elo.clamp(*range.start(), *range.end()).to_string()
            }
            Access::Flag(get, _) => get(settings).to_string(),
            Access::Text(get, _) => get(settings),
            Access::File(get, _) => get(settings).map_or(String::new(), |path| path.display().to_string()),
            Access::Book if of_unnamed_file(settings) => UNNAMED_FILE.into(),
            Access::Book => settings.book.to_string(),
            Access::Algorithm => settings.algorithm.to_string(),
            Access::Evaluation if settings.evaluation == DEFAULT_EVALUATION => BEST_EVALUATION.into(),
            Access::Evaluation => settings.evaluation.clone(),
            Access::Variant => {
                let present = games.iter().find(|game| game.name == settings.game);
                let variant = present.and_then(|game| game.uci_variant).or_else(|| variants(games).next());
                variant.unwrap_or_default().to_string()
            }
            Access::Button => String::new(),
        }
    }

    /// Returns `None`, and changes nothing, if the option does not take this value.
    fn set(&self, settings: &mut Settings, games: &[GameNames], text: &str) -> Option<()> {
        let word = || match self.kind(settings, games) {
            OptionKind::Combo(words) => words.into_iter().find(|word| word.eq_ignore_ascii_case(text)),
            _ => None,
        };
        match self {
            Access::Number(min, max, _, set) => {
                set(settings, text.parse().ok().filter(|number| (min..=max).contains(&number))?);
            }
            Access::Elo => {
                settings.elo = text.parse().ok().filter(|elo| elo::range(&settings.game).contains(elo))?;
            }
            Access::Flag(_, set) => set(settings, flag(text)?),
            Access::Text(_, set) => set(settings, text),
            Access::File(_, set) => set(settings, (!text.is_empty()).then(|| PathBuf::from(text))),
            Access::Book if of_unnamed_file(settings) && text == UNNAMED_FILE => {}
            Access::Book => settings.book = text.parse().ok()?,
            Access::Algorithm => settings.algorithm = word()?.parse().ok()?,
            Access::Evaluation
                if [BEST_EVALUATION, DEFAULT_EVALUATION].iter().any(|word| word.eq_ignore_ascii_case(text)) =>
            {
                settings.evaluation = DEFAULT_EVALUATION.into();
            }
            Access::Evaluation => settings.evaluation = word()?,
            Access::Variant => {
                let variant = word()?;
                let game = games.iter().find(|game| game.uci_variant == Some(variant.as_str()))?;
                settings.game = game.name.to_string();
            }
            Access::Button => {}
        }
        Some(())
    }
}

/// The values of `UCI_Variant`, the default first.
fn variants(games: &[GameNames]) -> impl Iterator<Item = &'static str> {
    games.iter().filter_map(|game| game.uci_variant)
}

fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" => Some(true),
        "false" | "0" | "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
