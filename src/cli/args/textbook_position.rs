//! The position that the textbook's subcommands search.

use crate::api::settings::Settings;
use crate::engine::dyn_engine::{SetupError, Start};
use crate::engine::registry;
use crate::engine::textbook_position::TextbookPosition;
use crate::search::notation::Style;
use anyhow::Context;

/// Opens the position of `--position`, or the start of the game.
///
/// # Errors
/// There is no such game or evaluation, or the position cannot be read.
pub fn open(settings: &Settings, position: Option<&str>) -> anyhow::Result<Box<dyn TextbookPosition>> {
    let mut engine = registry::open(settings)?;
    if let Some(text) = position {
        engine
            .set_position(Start::Text(text), &[], Style::Plain, false)
            .map_err(|error| match error {
                SetupError::Position(error) => anyhow::Error::new(error),
                other => anyhow::Error::new(other),
            })
            .context("--position")?;
    }
    Ok(engine.textbook())
}
