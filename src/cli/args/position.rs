//! The position of `--position`.

use anyhow::Context;
use flipside_core::search::notation::Style;
use flipside_host::api::settings::Settings;
use flipside_host::engine::dyn_engine::{DynEngine, SetupError, Start};
use flipside_host::engine::registry;

/// Opens an engine at the position of `--position`; without one, or with an empty one, at the start of the game.
///
/// # Errors
/// The game or evaluation is unknown, or the position cannot be read.
pub fn open(settings: &Settings, position: Option<&str>) -> anyhow::Result<Box<dyn DynEngine>> {
    let mut engine = registry::open(settings)?;
    if let Some(text) = position.filter(|text| !text.trim().is_empty()) {
        engine
            .set_position(Start::Text(text), &[], Style::Plain, false)
            .map_err(|error| match error {
                SetupError::Position(error) => anyhow::Error::new(error),
                other => anyhow::Error::new(other),
            })
            .context("--position")?;
    }
    Ok(engine)
}
