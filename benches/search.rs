//! Searches to a fixed depth, and how fast the engine hears a stop.

use criterion::{Criterion, criterion_group, criterion_main};
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, News, Order, Start};
use flipside::engine::registry;
use flipside::engine::skill::Skill;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const MIDGAME: &str = "--OX----OXXXX-O-XXXXXO--XXOXXXO-OOOXXO--OOOOX---O-OX--------O--- X";

fn room(game: &str, position: Option<&str>) -> Box<dyn DynEngine> {
    let mut room = registry::open(&Settings { game: game.into(), hash: 16, ..Settings::default() }).expect("a room");
    if let Some(text) = position {
        room.set_position(Start::Text(text), &[], Style::Plain, false).expect("a position");
    }
    room
}

fn order(limits: Limits) -> Order {
    Order { limits, lines: 1, only: Vec::new(), style: Style::Plain, threads: 1, skill: Skill::BEST }
}

/// The nodes of a search that runs to its end.
fn search(room: &mut dyn DynEngine, limits: Limits) -> u64 {
    room.forget();
    let (sender, news) = channel();
    room.search(order(limits), Arc::new(move |item| drop(sender.send(item))));
    news.iter()
        .find_map(|item| if let News::Done(choice) = item { Some(choice.totals.nodes) } else { None })
        .unwrap_or(0)
}

fn fixed_depth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fixed depth");
    group.sample_size(10);
    for (name, game, position, depth) in [
        ("reversi start, 10", "reversi", None, 10),
        ("reversi midgame, 9", "reversi", Some(MIDGAME), 9),
        ("connect four start, 11", "connect-four", None, 11),
    ] {
        let mut room = room(game, position);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        group.bench_function(name, |bencher| bencher.iter(|| black_box(search(room.as_mut(), limits.clone()))));
    }
    group.finish();
}

/// From the raised flag to the answer.
fn stop(criterion: &mut Criterion) {
    let room = room("reversi", Some(MIDGAME));
    criterion.bench_function("stop to answer", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut sum = Duration::ZERO;
            for _ in 0..rounds {
                let (sender, news) = channel();
                let handle = room.search(order(Limits::default()), Arc::new(move |item| drop(sender.send(item))));
                std::thread::sleep(Duration::from_millis(5));
                let start = Instant::now();
                handle.stop.raise();
                news.iter().find(|item| matches!(item, News::Done(_)));
                sum += start.elapsed();
            }
            sum
        });
    });
}

criterion_group!(benches, fixed_depth, stop);
criterion_main!(benches);
