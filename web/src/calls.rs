//! The engines of a module, and the answers to requests.

use crate::request::{Open, Request, Search};
use crate::{exercise, send, trace};
use flipside::api::event::SearchEvent;
use flipside::api::settings::Settings;
use flipside::engine::bench;
use flipside::engine::bindings::{IterationView, PositionView, ResultView, set_position, within};
use flipside::engine::dyn_engine::DynEngine;
use flipside::engine::registry;
use flipside::games::names::GAMES;
use flipside::search::algorithm::Algorithm;
use flipside::search::notation::Style;
use flipside::search::policy::Technique;
use flipside::textbook::techniques::ADDED;
use flipside::textbook::window::Window;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::channel;

/// MiB of tables: the default, and the largest request. A module has 4 GiB in all.
const HASH: (usize, usize) = (16, 1024);
/// Deepest perft, because a page would wait for minutes beyond it.
const MAX_PERFT: u32 = 12;

/// The engines by number.
#[derive(Default)]
pub struct Engines {
    open: HashMap<u32, Box<dyn DynEngine>>,
    last: u32,
}

impl Engines {
    /// The answer to a request.
    pub fn answer(&mut self, request: Request) -> Result<Value, String> {
        match request {
            Request::Info => Ok(info()),
            Request::Open(open) => self.open(open),
            Request::Close { engine } => Ok(json!({ "closed": self.open.remove(&engine).is_some() })),
            Request::Position(wanted) => {
                let engine = self.engine(wanted.engine)?;
                let set = set_position(engine.as_mut(), wanted.start.as_deref(), &wanted.moves);
                set.map_err(|error| error.to_string())?;
                Ok(json!(PositionView::of(engine.as_ref())))
            }
            Request::Search(search) => search_position(self.engine(search.engine)?.as_ref(), &search),
            Request::Perft { engine, depth } => {
                let depth = within("depth", depth, 0..=MAX_PERFT)?;
                perft(self.engine(engine)?.as_ref(), depth)
            }
            Request::Clear { engine } => {
                self.engine(engine)?.clear_hash();
                Ok(json!({}))
            }
            Request::Trace(wanted) => trace::run(&wanted),
            Request::Exercise(wanted) => exercise::make(&wanted),
            Request::Bench { game } => fingerprint(game.as_deref()),
        }
    }

    fn engine(&mut self, number: u32) -> Result<&mut Box<dyn DynEngine>, String> {
        self.open.get_mut(&number).ok_or_else(|| format!("no engine {number}: it was never opened, or is closed"))
    }

    fn open(&mut self, open: Open) -> Result<Value, String> {
        let settings = Settings {
            game: open.game.unwrap_or_else(|| "reversi".into()),
            evaluation: open.evaluation.unwrap_or_else(|| "default".into()),
            hash: within("hash", open.hash.unwrap_or(HASH.0), 1..=HASH.1)?,
            ..Settings::default()
        };
        let engine = registry::open(&settings).map_err(|error| error.to_string())?;
        self.last += 1;
        let described = PositionView::of(engine.as_ref());
        self.open.insert(self.last, engine);
        Ok(json!({ "engine": self.last, "position": described }))
    }
}

/// The answer to `info`.
fn info() -> Value {
    let games: Vec<Value> =
        GAMES.iter().map(|game| json!({ "name": game.name, "evaluations": game.evaluations })).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "games": games,
        "algorithms": Algorithm::ALL.map(|(name, _)| name),
        "windowed": Algorithm::ALL.iter().filter(|(_, known)| Window::is_for(*known)).map(|(name, _)| name).collect::<Vec<_>>(),
        "orders": trace::ORDERS,
        "techniques": ADDED.map(Technique::name),
    })
}

fn search_position(engine: &dyn DynEngine, search: &Search) -> Result<Value, String> {
    let request = search.options().request(engine)?;
    let (sender, results) = channel();
    let sink = move |event| match event {
        SearchEvent::Info(info) => send(&json!(IterationView::from(&info))),
        SearchEvent::BestMove(best_move) => drop(sender.send(best_move)),
        SearchEvent::Candidate(_) | SearchEvent::Perft(_) | SearchEvent::Book(_) => {}
    };
    engine.search(request, Arc::new(sink)).join()?;
    let best_move = results.try_recv().map_err(|_| "the search ended without a best move".to_string())?;
    Ok(json!(ResultView::from(&best_move)))
}

/// Counts leaves until the host stops it.
fn perft(engine: &dyn DynEngine, depth: u32) -> Result<Value, String> {
    let (sender, results) = channel();
    let sink = move |event| {
        if let SearchEvent::Perft(counts) = event {
            let _ = sender.send(counts.total);
        }
    };
    let handle = engine.divide(depth, Style::Plain, Arc::new(sink));
    let stopped = handle.stop.is_raised();
    handle.join()?;
    match results.try_recv() {
        Ok(leaves) if !stopped => Ok(json!({ "leaves": leaves })),
        _ => Err("the count was stopped".to_string()),
    }
}

fn fingerprint(game: Option<&str>) -> Result<Value, String> {
    let game = game.unwrap_or("reversi");
    let list = bench::of_game(game).ok_or_else(|| format!("no bench of {game}: one of reversi, minichess, gomoku"))?;
    let sum = bench::measure(list, bench::EVALUATION, 1, 16, |_, _| ())?;
    Ok(json!({ "nodes": sum.nodes, "time": sum.time.as_secs_f64() * 1e3 }))
}
