//! The rules of each game: one small engine for each, which boards of Python use. It never searches.

use crate::{bad_value, failure};
use flipside::api::settings::{BookSource, Settings};
use flipside::engine::dyn_engine::DynEngine;
use flipside::engine::registry;
use flipside::games::names;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

static RULES: LazyLock<Mutex<HashMap<&'static str, Box<dyn DynEngine>>>> = LazyLock::new(Mutex::default);

/// The settings of an engine without a book, which no search here uses.
pub fn settings(game: &str) -> Settings {
    Settings { game: game.to_string(), book: BookSource::None, hash: 1, ..Settings::default() }
}

/// Opens an engine.
///
/// # Errors
/// `ValueError` if the settings name something that does not exist.
pub fn open(settings: &Settings) -> PyResult<Box<dyn DynEngine>> {
    registry::open(settings).map_err(bad_value)
}

/// Runs a job with the rules of a game.
///
/// # Errors
/// `ValueError` for an unknown game, and those of the job.
pub fn with_rules<R>(game: &str, job: impl FnOnce(&mut dyn DynEngine) -> PyResult<R>) -> PyResult<R> {
    let mut engines = RULES.lock().unwrap_or_else(PoisonError::into_inner);
    let name = names::find(game).map(|names| names.name);
    if let Some(engine) = name.and_then(|name| engines.get_mut(name)) {
        return job(engine.as_mut());
    }
    let engine = registry::rules(game).map_err(bad_value)?;
    let name = name.ok_or_else(|| failure("a game without a name"))?;
    job(engines.entry(name).or_insert(engine).as_mut())
}
