//! Games and positions of any format from a file or from standard input, one after another.

use super::input_lines::{self, InputLines};
use super::interrupt::Interrupt;
use anyhow::{Context, anyhow};
use clap::Args;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::recorded_game;
use flipside_host::record::codec;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::texts::{RecordText, RecordTexts};
use flipside_host::record::wthor::{self, Names};
use flipside_support::diagnostics;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of names that belong to a WTHOR file.
#[derive(Args, Clone, Debug, Default)]
pub struct NameFiles {
    /// File of players' names for WTHOR games (default: the one beside the file of games)
    #[arg(long, value_name = "FILE.jou")]
    players: Option<PathBuf>,
    /// File of tournament names for WTHOR games (default: the one beside the file of games)
    #[arg(long, value_name = "FILE.trn")]
    tournaments: Option<PathBuf>,
}

/// A game of the input.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundGame {
    /// Its number in the input, from 1.
    pub number: u64,
    /// The file that holds it, for messages; `None` for standard input.
    file: Option<PathBuf>,
    /// Its place in the file: `game 3 (line 12)`, or `game 3` in a WTHOR file.
    place: String,
    /// The record, or the reason why it cannot be read. Its moves have not been checked against the rules.
    pub record: Result<GameRecord, String>,
}

impl FoundGame {
    /// The record.
    ///
    /// # Errors
    /// The text could not be read as a game.
    pub fn record(&self) -> anyhow::Result<&GameRecord> {
        self.record.as_ref().map_err(|reason| anyhow!("{reason}"))
    }

    /// Replays the game on a board, which is then at its end. What is remarkable in it is reported on stderr.
    ///
    /// # Errors
    /// The text could not be read as a game, its start or a move is illegal, or stderr is closed.
    pub fn replay(&self, board: &mut dyn DynEngine) -> anyhow::Result<GameRecord> {
        let record = recorded_game::replay(board, self.record()?)?;
        self.report_all(&record.remarks)?;
        Ok(record)
    }

    /// Reports remarks on the game on stderr.
    ///
    /// # Errors
    /// stderr is closed.
    pub fn report_all(&self, remarks: &[String]) -> anyhow::Result<()> {
        remarks.iter().try_for_each(|remark| self.report(&anyhow!(remark.clone())))
    }

    /// Reports the game and its fault on stderr.
    ///
    /// # Errors
    /// stderr is closed.
    pub fn report(&self, reason: &anyhow::Error) -> anyhow::Result<()> {
        diagnostics::report(self.file.as_deref(), format_args!("{}: {reason:#}", self.place))
            .context("cannot report a bad game")
    }
}

/// Reads games.
pub struct GameInput {
    texts: RecordTexts<InputLines>,
    default_game: String,
    games_file: Option<PathBuf>,
    name_files: NameFiles,
    interrupt: Interrupt,
    /// Games found so far.
    count: u64,
    found: VecDeque<FoundGame>,
}

impl GameInput {
    /// Opens a file, or standard input for `-` or `None`. Transcripts that do not name their game belong to
    /// `default_game`.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(
        file: Option<&Path>,
        name_files: &NameFiles,
        default_game: &str,
        interrupt: &Interrupt,
    ) -> anyhow::Result<GameInput> {
        Ok(GameInput {
            texts: RecordTexts::new(input_lines::open(file, interrupt)?),
            default_game: default_game.to_string(),
            games_file: file.filter(|file| *file != Path::new("-")).map(Path::to_path_buf),
            name_files: name_files.clone(),
            interrupt: interrupt.clone(),
            count: 0,
            found: VecDeque::new(),
        })
    }

    /// The next game.
    ///
    /// # Errors
    /// The input, or a file of names, cannot be read.
    pub fn next_game(&mut self) -> anyhow::Result<Option<FoundGame>> {
        while self.found.is_empty() {
            let Some(text) = self.texts.next().transpose().context("cannot read the games")? else { return Ok(None) };
            self.add(&text)?;
        }
        Ok(self.found.pop_front())
    }

    fn add(&mut self, text: &RecordText) -> anyhow::Result<()> {
        let is_wthor = text.format == Format::Wthor;
        let names = if is_wthor { self.names()? } else { Names::default() };
        let games = codec::read(text, &self.default_game, &names);
        let place =
            |number| if is_wthor { format!("game {number}") } else { format!("game {number} (line {})", text.line) };
        let file = &self.games_file;
        let found = |(number, record)| FoundGame { number, file: file.clone(), place: place(number), record };
        self.found = (self.count + 1..).zip(games).map(found).collect();
        if let (Some(warning), Some(found)) = (&text.warning, self.found.front()) {
            found.report(&anyhow!("{warning}"))?;
        }
        self.count += self.found.len() as u64;
        Ok(())
    }

    /// The names for the games of a WTHOR file.
    fn names(&self) -> anyhow::Result<Names> {
        let _reading = self.interrupt.ends_at_once();
        let players = self.names_of(self.name_files.players.as_deref(), "jou", wthor::read_players)?;
        let tournaments = self.names_of(self.name_files.tournaments.as_deref(), "trn", wthor::read_tournaments)?;
        Ok(Names { players, tournaments })
    }

    /// The names of a file that the user gave, or of the one beside the games. A file that holds no such names is
    /// reported on stderr, and the games have numbers instead.
    fn names_of(
        &self,
        given: Option<&Path>,
        extension: &str,
        read: fn(&[u8]) -> Result<Vec<String>, String>,
    ) -> anyhow::Result<Vec<String>> {
        let beside = || self.games_file.as_deref().and_then(|file| file_beside(file, extension));
        let Some(file) = given.map(Path::to_path_buf).or_else(beside) else { return Ok(Vec::new()) };
        let names = match fs::read(&file) {
            Err(error) if given.is_some() => Err(error).with_context(|| format!("cannot read {}", file.display()))?,
            bytes => bytes.map_err(|error| error.to_string()).and_then(|bytes| read(&bytes)),
        };
        names.or_else(|reason| {
            diagnostics::report(Some(&file), format_args!("{reason}: its names are left out"))
                .context("cannot report a bad file of names")?;
            Ok(Vec::new())
        })
    }
}

/// The file with this extension (in any case) beside another file: the one with the same name, or else the only one.
fn file_beside(file: &Path, extension: &str) -> Option<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).ok()?.filter_map(io::Result::ok).map(|entry| entry.path());
    let has_extension = |path: &PathBuf| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    let mut files: Vec<PathBuf> = entries.filter(has_extension).collect();
    match files.iter().position(|found| found.file_stem() == file.file_stem()) {
        Some(index) => Some(files.swap_remove(index)),
        None if files.len() == 1 => files.pop(),
        None => None,
    }
}
