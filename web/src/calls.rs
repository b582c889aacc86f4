//! The engines of a module, and the answers to requests.

use crate::request::{Open, Request, Search};
use crate::{position, send, trace};
use flipside::api::event::{BestMove, Info, SearchEvent};
use flipside::api::settings::{FULL_LEVEL, FULL_STRENGTH, Settings};
use flipside::engine::bench;
use flipside::engine::dyn_engine::{DynEngine, SearchRequest};
use flipside::engine::registry;
use flipside::engine::skill::{self, Skill};
use flipside::games::names::GAMES;
use flipside::search::algorithm::Algorithm;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// MiB of tables where a request names none, and the most that it may name: a module has 4 GiB in all.
const HASH: (usize, usize) = (16, 1024);
/// Deepest perft: a page that asks for more would wait for minutes.
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
                position::set(engine.as_mut(), wanted.start.as_deref(), &wanted.moves)?;
                Ok(position::describe(engine.as_ref()))
            }
            Request::Search(search) => search_position(self.engine(search.engine)?.as_ref(), &search),
            Request::Perft { engine, depth } => {
                let depth = within("depth", depth, 0..=MAX_PERFT)?;
                Ok(json!({ "leaves": self.engine(engine)?.perft(depth, None) }))
            }
            Request::Clear { engine } => {
                self.engine(engine)?.clear_hash();
                Ok(json!({}))
            }
            Request::Trace(wanted) => trace::run(&wanted),
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
        let described = position::describe(engine.as_ref());
        self.open.insert(self.last, engine);
        Ok(json!({ "engine": self.last, "position": described }))
    }
}

fn within<T: PartialOrd + std::fmt::Display>(name: &str, value: T, range: RangeInclusive<T>) -> Result<T, String> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(format!("{name} is {value}, should be {} to {}", range.start(), range.end()))
}

/// What can be asked for.
fn info() -> Value {
    let games: Vec<Value> =
        GAMES.iter().map(|game| json!({ "name": game.name, "evaluations": game.evaluations })).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "games": games,
        "algorithms": Algorithm::ALL.map(|(name, _)| name),
        "orders": trace::ORDERS,
    })
}

fn search_position(engine: &dyn DynEngine, search: &Search) -> Result<Value, String> {
    let level = within("level", search.level.unwrap_or(FULL_LEVEL), 1..=FULL_LEVEL)?;
    let strength = within("strength", search.strength.unwrap_or(FULL_STRENGTH), 0..=FULL_STRENGTH)?;
    let variety = within("variety", search.variety.unwrap_or(0), 0..=2000)?;
    let multipv = within("lines", search.lines.unwrap_or(1), 1..=64)?;
    let legal = engine.legal_moves(Style::Plain);
    if let Some(unknown) = search.moves.iter().find(|wanted| !legal.iter().any(|mv| mv.eq_ignore_ascii_case(wanted))) {
        return Err(format!("{unknown} is no legal move here: {}", legal.join(" ").to_lowercase()));
    }
    let limits = Limits {
        depth: search.depth.map(|depth| depth.max(1)),
        nodes: search.nodes.map(|nodes| nodes.max(1)),
        hard: search.time.map(Duration::from_millis),
        ..Limits::default()
    };
    let request = SearchRequest {
        multipv,
        searchmoves: search.moves.clone(),
        skill: Skill::new(strength, variety, search.seed),
        ..SearchRequest::new(skill::limited(limits, level, strength))
    };
    let (sender, results) = channel();
    let sink = move |event| match event {
        SearchEvent::Info(info) => send(&iteration(&info)),
        SearchEvent::BestMove(best_move) => drop(sender.send(best_move)),
        SearchEvent::Candidate(_) | SearchEvent::Perft(_) | SearchEvent::Book(_) => {}
    };
    engine.search(request, Arc::new(sink)).join()?;
    let best_move = results.try_recv().map_err(|_| "the search ended without a best move".to_string())?;
    Ok(result(&best_move))
}

/// A finished iteration of one line.
fn iteration(info: &Info) -> Value {
    json!({
        "rank": info.rank,
        "depth": info.depth,
        "score": f64::from(info.score) / 100.0,
        "certainty": info.certainty.to_string(),
        "nodes": info.nodes,
        "time": info.time.as_secs_f64() * 1e3,
        "line": info.pv.iter().map(|mv| mv.to_lowercase()).collect::<Vec<_>>(),
    })
}

fn result(best_move: &BestMove) -> Value {
    json!({
        "move": best_move.mv.as_ref().map(|mv| mv.to_lowercase()),
        "pass": best_move.is_pass,
        "nodes": best_move.statistics.nodes,
        "time": best_move.statistics.time.as_secs_f64() * 1e3,
        "best": best_move.info.as_ref().map(iteration),
        "failure": best_move.failure,
    })
}

fn fingerprint(game: Option<&str>) -> Result<Value, String> {
    let list = match game {
        None | Some("reversi") => &bench::POSITIONS[..],
        Some("minichess") => &bench::MINICHESS[..],
        Some(other) => return Err(format!("no bench of {other}: one of reversi, minichess")),
    };
    let sum = bench::measure(list, 1, 16, |_, _| ())?;
    Ok(json!({ "nodes": sum.nodes, "time": sum.time.as_secs_f64() * 1e3 }))
}
