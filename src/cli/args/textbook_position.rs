//! The position that the textbook's subcommands search.

use anyhow::Context;
use flipside_core::search::notation::Style;
use flipside_host::api::settings::Settings;
use flipside_host::engine::dyn_engine::{SetupError, Start};
use flipside_host::engine::registry;
use flipside_host::engine::textbook_position::TextbookPosition;

/// Opens the position of `--position`, or the start of the game.
///
/// # Errors
/// The game or evaluation is unknown, or the position cannot be read.
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
