//! The target of converted games: standard output, one file that is written when it is complete, or several files.

use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::{Context, bail, ensure};
use flipside_host::engine::diagram;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::record::codec;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::{svg, wthor};
use std::io::Write;
use std::path::PathBuf;

/// Collects or prints converted games.
pub struct Target {
    format: Format,
    file: Option<PathBuf>,
    /// The text of the file, until it is complete.
    text: String,
    wthor: wthor::Writer,
    pictures: usize,
}

impl Target {
    /// Games of this format for a file, or for standard output.
    ///
    /// # Errors
    /// Binary output would go to a terminal.
    pub fn new(format: Format, file: Option<PathBuf>, out: &Output) -> anyhow::Result<Target> {
        let shown = format == Format::Wthor && file.is_none() && out.is_terminal();
        ensure!(!shown, "WTHOR is binary and cannot go to a terminal: name a file with --out FILE");
        Ok(Target { format, file, text: String::new(), wthor: wthor::Writer::default(), pictures: 0 })
    }

    /// Adds a game; `board` is at its end.
    ///
    /// # Errors
    /// The format cannot hold the game, or the output cannot be written.
    pub fn add(&mut self, record: &GameRecord, board: &dyn DynEngine, out: &mut Output) -> anyhow::Result<()> {
        match self.format {
            Format::Wthor => return Ok(self.wthor.add(record)?),
            Format::Svg => {
                let diagram = diagram::of(record, board);
                let diagram = diagram.with_context(|| format!("{} has no board to draw", board.game()))?;
                return self.add_picture(&svg::draw(&diagram), out);
            }
            _ => {}
        }
        let text = codec::write(record, self.format)?;
        match &self.file {
            Some(_) => self.text.push_str(&text),
            None => out.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    fn add_picture(&mut self, picture: &str, out: &mut Output) -> anyhow::Result<()> {
        self.pictures += 1;
        match &self.file {
            Some(file) => whole_file::write(&whole_file::numbered(file, self.pictures), picture.as_bytes()),
            None if self.pictures == 1 => Ok(out.write_all(picture.as_bytes())?),
            None => bail!("a picture holds one game: --out FILE.svg makes a file for each"),
        }
    }

    /// Writes the collected games.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(self, out: &mut Output) -> anyhow::Result<()> {
        match (self.format, self.file) {
            (Format::Svg, _) => Ok(()),
            (Format::Wthor, file) => {
                let files = self.wthor.finish();
                let Some(file) = file else { return Ok(out.write_all(&files.games)?) };
                whole_file::write(&file.with_extension("jou"), &files.players)?;
                whole_file::write(&file.with_extension("trn"), &files.tournaments)?;
                whole_file::write(&file, &files.games)
            }
            (_, Some(file)) => whole_file::write(&file, self.text.as_bytes()),
            (_, None) => Ok(()),
        }
    }
}
