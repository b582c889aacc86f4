//! Engines: searches that a call waits for or that tell a callback, exact solutions, analyses, the book.

use crate::border::{Failure, Status, call, give, give_text, object, optional, text};
use crate::game_calls::Game;
use crate::results::{Found, Limits, Review};
pub use crate::searching::Engine;
use engine::api::event::{BestMove, Iteration, SearchEvent};
use engine::api::settings::Settings;
use engine::engine::book_choice::BookChoice;
use engine::engine::dyn_engine::{BookUse, DynEngine, SearchRequest};
use engine::engine::registry;
use engine::engine::watch::watch;
use engine::games::names;
use engine::search::limits::{Limits as SearchLimits, Stop};
use engine::search::notation::Style;
use engine::search::types::Certainty;
use serde_json::json;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::{Arc, MutexGuard};

/// Opens an engine for a game.
///
/// `options` is null, or sets options of the engine: `Hash=64 Threads=2 Book=none`. Names and ranges are those of the
/// protocols. A value with blanks cannot be set. Options that limit or vary the engine's play, such as `Strength`, have
/// no effect here: `FlipsideLimits` limits each search.
///
/// # Safety
/// The texts are null or end in a zero byte; `engine` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_engine_new(
    game: *const c_char,
    options: *const c_char,
    engine: *mut *mut Engine,
) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (game, options) = unsafe { (text("game", game)?, optional("options", options)?) };
        let mut settings = Settings { game: game.to_string(), ..Settings::default() };
        for option in options.unwrap_or_default().split_whitespace() {
            let wrong = || Failure::invalid(format!("'{option}' is not an option with its value: expected NAME=VALUE"));
            let (name, value) = option.split_once('=').ok_or_else(wrong)?;
            settings.set(names::GAMES, name, Some(value)).map_err(Failure::invalid)?;
        }
        let opened = registry::open(&settings).map_err(Failure::failed)?;
        if engine.is_null() {
            return Err(Failure::invalid("engine is null"));
        }
        // SAFETY: promised by the caller.
        unsafe { give(engine, Box::into_raw(Box::new(Engine::new(opened, settings.threads)))) }
    })
}

/// Stops the running search, waits for its end, and frees the engine; a null pointer is allowed. A callback must not call
/// this.
///
/// # Safety
/// The engine comes from `flipside_engine_new`, was not freed before, and no other call uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_engine_free(engine: *mut Engine) {
    if !engine.is_null() {
        // SAFETY: promised by the caller; `flipside_engine_new` made it.
        drop(unsafe { Box::from_raw(engine) });
    }
}

/// Stops the running search, from any thread or from its callback. Without a search it does nothing.
///
/// # Safety
/// `engine` is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_engine_stop(engine: *const Engine) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe { object("engine", engine)? }.stop();
        Ok(())
    })
}

/// Forgets earlier searches, so that the next one does not depend on them.
///
/// # Safety
/// `engine` is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_engine_clear(engine: *const Engine) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe { object("engine", engine)? }.at_rest()?.clear_hash();
        Ok(())
    })
}

/// The engine at a game's present position, with the moves that led to it.
fn at<'a>(engine: &'a Engine, game: &Game) -> Result<MutexGuard<'a, Box<dyn DynEngine>>, Failure> {
    let mut at = engine.at_rest()?;
    let saved = game.board().save();
    match at.resume(saved) {
        true => Ok(at),
        false => Err(Failure::invalid(format!("the game is not {}, the engine's", at.game()))),
    }
}

fn request(engine: &Engine, at: &dyn DynEngine, limits: Option<&Limits>) -> Result<SearchRequest, Failure> {
    let request = Limits::options(limits)?.request(at).map_err(Failure::invalid)?;
    let book = BookUse::Play(BookChoice::new(&Settings::default()));
    Ok(SearchRequest { threads: engine.threads, book, ..request })
}

/// Searches and waits; `flipside_engine_stop` ends it early.
fn search(
    engine: &Engine,
    at: &dyn DynEngine,
    request: SearchRequest,
    hear: &mut dyn FnMut(Iteration<String>),
) -> Result<BestMove, Failure> {
    let mut found = None;
    let begin = |sink| {
        let handle = at.search(request, sink);
        engine.begin(Some(Arc::clone(&handle.stop)));
        handle
    };
    let ended = watch(begin, &mut |_, event| match event {
        Some(SearchEvent::Info(iteration)) => hear(iteration),
        Some(SearchEvent::BestMove(best)) => found = Some(best),
        _ => {}
    });
    engine.begin(None);
    ended.map_err(Failure::failed)?;
    let best = found.ok_or_else(|| Failure::failed("the search ended without a best move"))?;
    match best.failure {
        Some(reason) => Err(Failure::failed(reason)),
        None => Ok(best),
    }
}

/// Searches a game's present position and waits for the result. `limits` may be null.
///
/// # Safety
/// The objects are null or alive; `limits` is null or valid; `found` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_search(
    engine: *const Engine,
    game: *const Game,
    limits: *const Limits,
    found: *mut Found,
) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (engine, game, limits) = unsafe { (object("engine", engine)?, object("game", game)?, limits.as_ref()) };
        let at = at(engine, game)?;
        let request = request(engine, &**at, limits)?;
        let best = search(engine, &**at, request, &mut |_| ())?;
        // SAFETY: promised by the caller.
        unsafe { give(found, Found::end(&best)) }
    })
}

/// Finds the best moves of a game's present position: the search follows `limits.lines` principal variations. The last
/// iteration of each is written to `found`, the best first. `count` is the room there, and afterwards the number written.
///
/// # Safety
/// As `flipside_search`; `found` has room for `*count` structures.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_hints(
    engine: *const Engine,
    game: *const Game,
    limits: *const Limits,
    found: *mut Found,
    count: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (engine, game, limits) = unsafe { (object("engine", engine)?, object("game", game)?, limits.as_ref()) };
        // SAFETY: promised by the caller.
        let room = *unsafe { object("count", count)? };
        let at = at(engine, game)?;
        let request = SearchRequest { book: BookUse::Nothing, ..request(engine, &**at, limits)? };
        let mut hints: Vec<Found> = Vec::new();
        search(engine, &**at, request, &mut |iteration| {
            hints.truncate(iteration.rank.saturating_sub(1));
            hints.push(Found::iteration(&iteration));
        })?;
        // SAFETY: promised by the caller.
        unsafe { give_all(found, room, count, &hints) }
    })
}

/// Gives as many values as there is room for, and their number.
///
/// # Safety
/// `place` has room for `room` values, or is null where `room` is 0; `count` may be written to.
unsafe fn give_all<T: Copy>(place: *mut T, room: usize, count: *mut usize, values: &[T]) -> Result<(), Failure> {
    let length = values.len().min(room);
    if length > 0 && place.is_null() {
        return Err(Failure::invalid("the place for the results is null"));
    }
    if length > 0 {
        // SAFETY: there is room for them, and fresh values do not overlap the caller's.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), place, length) };
    }
    // SAFETY: promised by the caller.
    unsafe { give(count, length) }
}

/// Receives every iteration of a running search, and its end. A thread of the engine calls it. It may call
/// `flipside_engine_stop`. `found` is valid during the call.
pub type Callback = Option<unsafe extern "C" fn(found: *const Found, user: *mut c_void)>;

/// The caller's pointer, which the engine's thread only passes on.
struct User(*mut c_void);

// SAFETY: the caller promises that the callback may be called with it on another thread.
unsafe impl Send for User {}
// SAFETY: as above; the search calls its callback from one thread.
unsafe impl Sync for User {}

/// Begins to search a game's present position and returns at once. `callback` receives every iteration and, with `done`
/// set, the end. Until then the engine is busy; `flipside_search_wait` waits for the end.
///
/// # Safety
/// As `flipside_search`; `callback` may be called with `user` on another thread until the end of the search.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_search_start(
    engine: *const Engine,
    game: *const Game,
    limits: *const Limits,
    callback: Callback,
    user: *mut c_void,
) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (engine, game, limits) = unsafe { (object("engine", engine)?, object("game", game)?, limits.as_ref()) };
        let callback = callback.ok_or_else(|| Failure::invalid("callback is null"))?;
        let at = at(engine, game)?;
        let request = request(engine, &**at, limits)?;
        let user = User(user);
        let sink = move |event| {
            let user = &user;
            let found = match event {
                SearchEvent::Info(iteration) => Found::iteration(&iteration),
                SearchEvent::BestMove(best) => Found::end(&best),
                _ => return,
            };
            // SAFETY: promised by the caller.
            unsafe { callback(&found, user.0) };
        };
        engine.leave_running(at.search(request, Arc::new(sink)));
        Ok(())
    })
}

/// Waits for the end of the search that `flipside_search_start` began. Its callback must not call this.
///
/// # Safety
/// `engine` is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_search_wait(engine: *const Engine) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe { object("engine", engine)? }.wait()
    })
}

/// Solves a game's present position: finds the value of perfect play, however long it takes. If `flipside_engine_stop`
/// ends it, it fails.
///
/// # Safety
/// As `flipside_search`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_solve(engine: *const Engine, game: *const Game, found: *mut Found) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (engine, game) = unsafe { (object("engine", engine)?, object("game", game)?) };
        let at = at(engine, game)?;
        let request = SearchRequest { threads: engine.threads, ..SearchRequest::new(SearchLimits::default()) };
        let best = search(engine, &**at, request, &mut |_| ())?;
        let is_exact = best.info.as_ref().is_none_or(|info| info.certainty == Certainty::Exact);
        if !is_exact {
            return Err(Failure::failed("the search ended before the position was solved"));
        }
        // SAFETY: promised by the caller.
        unsafe { give(found, Found::end(&best)) }
    })
}

/// Says what each move of a game was worth: it searches every position within these limits, each from empty tables.
/// `count` is the room at `reviews`, and afterwards the number written; passes have no review. If `flipside_engine_stop`
/// ends it, it fails.
///
/// # Safety
/// As `flipside_hints`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_analyze(
    engine: *const Engine,
    game: *const Game,
    limits: *const Limits,
    reviews: *mut Review,
    count: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (engine, game, limits) = unsafe { (object("engine", engine)?, object("game", game)?, limits.as_ref()) };
        // SAFETY: promised by the caller.
        let room = *unsafe { object("count", count)? };
        let mut at = at(engine, game)?;
        let limits = request(engine, &**at, limits)?.limits;
        engine.begin(Some(Arc::new(Stop::new(&limits))));
        let reviewed = review(engine, &mut **at, &limits);
        engine.begin(None);
        // SAFETY: promised by the caller.
        unsafe { give_all(reviews, room, count, &reviewed?) }
    })
}

/// The moves of the engine's game, each beside all others of its position.
fn review(engine: &Engine, at: &mut dyn DynEngine, limits: &SearchLimits) -> Result<Vec<Review>, Failure> {
    let go_on = |stop: &Arc<Stop>| match engine.go_on(stop) {
        true => Ok(()),
        false => Err(Failure::failed("the analysis was stopped before its end")),
    };
    let mut reviews = Vec::new();
    for (ply, (position, played)) in at.course().into_iter().enumerate() {
        if position.forced_pass().is_some() {
            continue;
        }
        // A search spends its stop: clock and count of positions run from its start, and its end raises it.
        let stop = Arc::new(Stop::new(limits));
        go_on(&stop)?;
        at.clear_hash();
        let scored = at.score_moves(&*position, &position.moves(), limits.clone(), Arc::clone(&stop));
        let scored = scored.map_err(Failure::failed)?;
        go_on(&stop)?;
        let is_played = |found: &&Iteration<u16>| found.pv.first() == Some(&played);
        let (Some(best), Some(own)) = (scored.first(), scored.iter().find(is_played)) else {
            return Err(Failure::failed(format!("the limits are too small for move {}", ply + 1)));
        };
        let name = |found: &Iteration<u16>| position.names(&found.pv[..1], Style::Plain).concat();
        reviews.push(Review::new(ply, position.side().index() as i32, (&name(own), own), (&name(best), best)));
    }
    Ok(reviews)
}

/// What the engine's opening book knows of a game's present position, as a JSON array of moves, the best first: `move`,
/// `score` (hundredths), `line`, `depth`, `certainty`, `grade`, `games`. It is empty where the book knows nothing or the
/// game has no book. The caller frees the text.
///
/// # Safety
/// The objects are null or alive; `json` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_book(engine: *const Engine, game: *const Game, json: *mut *mut c_char) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (engine, game) = unsafe { (object("engine", engine)?, object("game", game)?) };
        let at = at(engine, game)?;
        let lines = at.book_lookup(0, Style::Plain).map(|look_up| look_up()).unwrap_or_default();
        let moves = lines.iter().map(|line| {
            let lower: Vec<String> = line.info.pv.iter().map(|mv| mv.to_lowercase()).collect();
            json!({
                "move": lower.first(), "score": line.info.score, "line": lower, "depth": line.info.depth,
                "certainty": line.info.certainty.to_string(), "grade": line.grade.to_string(), "games": line.games,
            })
        });
        let text = serde_json::Value::Array(moves.collect()).to_string();
        // SAFETY: promised by the caller.
        unsafe { give_text(json, &text) }
    })
}
