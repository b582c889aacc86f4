//! The registry: opens an engine for each built-in game by name. A game with rules and notation only takes a line in
//! `games/plain.rs`. A game with an evaluation or a policy takes a row of [`names::GAMES`],
//! an `impl` of [`BuiltIn`], and a line here.

use super::dyn_engine::{DynEngine, EngineFactory};
use super::engine_book::{EngineBook, SharedBook};
use super::game_engine::GameEngine;
use crate::api::settings::{BookSource, Settings};
use flipside_core::games::gomoku::rules::Gomoku;
use flipside_core::games::minichess::rules::MiniChess;
use flipside_core::games::names::{self, GameNames};
use flipside_core::games::open::BuiltIn;
use flipside_core::games::plain::plain_games;
use flipside_core::games::reversi::book::play::PlayBook;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::small::rules::SmallReversi;
use flipside_core::games::searcher_settings::OpenError;
use flipside_support::file_fault::FileFault;
use std::sync::Arc;

/// The factory of the built-in games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Registry;

impl EngineFactory for Registry {
    fn games(&self) -> &[GameNames] {
        names::GAMES
    }

    fn open(&self, settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
        open(settings)
    }
}

/// Opens the engine that the settings name, at its start position.
///
/// # Errors
/// The game or evaluation does not exist, its weights or its book cannot be used, or there is not enough memory.
pub fn open(settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
    let unknown = || OpenError::UnknownGame { name: settings.game.clone(), known: names::games().collect() };
    let game = names::find(&settings.game).ok_or_else(unknown)?.name;
    if let Some(gomoku) = Gomoku::named(game) {
        return without_book(gomoku, settings);
    }
    macro_rules! open {
        ($($plain:literal [$($alias:literal),*] => $value:path,)*) => {
            match game {
                "reversi" => engine(Reversi::portable(), settings, || EngineBook::open(&settings.book, reversi_book)),
                "minichess" => without_book(MiniChess, settings),
                "reversi-6x6" => without_book(SmallReversi::SIX, settings),
                "reversi-4x4" => without_book(SmallReversi::FOUR, settings),
                $($plain => without_book($value, settings),)*
                _ => Err(unknown()),
            }
        };
    }
    plain_games!(open)
}

/// A board that knows the rules of a game but does not search: the engine with the evaluation that opens fastest.
///
/// # Errors
/// The game does not exist, or there is not enough memory.
pub fn rules(game: &str) -> Result<Box<dyn DynEngine>, OpenError> {
    // The last evaluation is the simplest.
    let evaluation = names::find(game).and_then(|game| game.evaluations.last()).unwrap_or(&"default");
    open(&Settings { game: game.into(), evaluation: evaluation.to_string(), hash: 1, ..Settings::default() })
}

/// The engine of a game without opening books.
fn without_book<G: BuiltIn>(game: G, settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
    let name = game.name();
    engine(game, settings, || EngineBook::absent(name, &settings.book))
}

fn engine<G: BuiltIn>(
    game: G,
    settings: &Settings,
    book: impl FnOnce() -> Result<EngineBook<G>, OpenError>,
) -> Result<Box<dyn DynEngine>, OpenError> {
    let searcher = game.open(&settings.of_searcher())?;
    Ok(Box::new(GameEngine::new(game, searcher, book()?, settings)?))
}

fn reversi_book(source: &BookSource) -> Result<Option<SharedBook<Reversi>>, OpenError> {
    let book = match source {
        BookSource::None => return Ok(None),
        BookSource::Embedded => PlayBook::Embedded,
        BookSource::File(path) => {
            let file = path.display().to_string();
            PlayBook::open(path).map_err(|error| OpenError::Book {
                file,
                reason: error.to_string(),
                reason_for_host: error.without_content(),
            })?
        }
    };
    Ok(Some(Arc::new(book)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_bears_the_name_of_its_row() {
        for row in names::GAMES {
            let settings = Settings { game: row.name.to_string(), hash: 1, ..Settings::default() };
            assert_eq!(open(&settings).expect("a game of the house").game(), row.name);
        }
    }
}
