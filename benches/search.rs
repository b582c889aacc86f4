//! Searches to a fixed depth, and the delay between a stop and the answer.

use criterion::{Criterion, criterion_group, criterion_main};
use flipside::api::event::SearchEvent;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const MIDGAME: &str = "--OX----OXXXX-O-XXXXXO--XXOXXXO-OOOXXO--OOOOX---O-OX--------O--- X";
const GOMOKU: &str = "15/15/15/15/15/7o7/6oxx6/5xox7/6x1o6/15/15/15/15/15/15 o";

fn open(game: &str, position: Option<&str>) -> Box<dyn DynEngine> {
    let mut engine =
        registry::open(&Settings { game: game.into(), hash: 16, ..Settings::default() }).expect("an engine");
    if let Some(text) = position {
        engine.set_position(Start::Text(text), &[], Style::Plain, false).expect("a position");
    }
    engine
}

/// The nodes of a search that runs to its end.
fn search(engine: &mut dyn DynEngine, limits: Limits) -> u64 {
    engine.clear_hash();
    search_and_wait(engine, SearchRequest::new(limits)).map_or(0, |best_move| best_move.statistics.nodes)
}

fn fixed_depth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fixed depth");
    group.sample_size(10);
    for (name, game, position, depth) in [
        ("reversi start, 10", "reversi", None, 10),
        ("reversi midgame, 9", "reversi", Some(MIDGAME), 9),
        ("connect four start, 11", "connect-four", None, 11),
        ("gomoku, 7", "gomoku", Some(GOMOKU), 7),
    ] {
        let mut engine = open(game, position);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        group.bench_function(name, |bencher| bencher.iter(|| black_box(search(engine.as_mut(), limits.clone()))));
    }
    group.finish();
}

/// The time from the raised flag to the answer.
fn stop(criterion: &mut Criterion) {
    let engine = open("reversi", Some(MIDGAME));
    criterion.bench_function("stop to answer", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut sum = Duration::ZERO;
            for _ in 0..rounds {
                let (sender, events) = channel();
                let handle =
                    engine.search(SearchRequest::new(Limits::default()), Arc::new(move |item| drop(sender.send(item))));
                std::thread::sleep(Duration::from_millis(5));
                let start = Instant::now();
                handle.stop.raise();
                events.iter().find(|item| matches!(item, SearchEvent::BestMove(_)));
                sum += start.elapsed();
            }
            sum
        });
    });
}

criterion_group!(benches, fixed_depth, stop);
criterion_main!(benches);
