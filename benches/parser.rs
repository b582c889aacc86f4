//! Lines a second that the parsers read.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flipside::protocol;
use std::hint::black_box;

const GTP: [&str; 6] =
    ["17 play black D3", "genmove white", "time_left b 15.5 0", "# comment", "flipside-analyze b 3", "nonsense 1 2 3"];

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parser");
    let mut protocol = protocol::open("gtp").expect("a protocol");
    group.throughput(Throughput::Elements(GTP.len() as u64));
    group.bench_function("gtp", |bencher| {
        bencher.iter(|| {
            for line in GTP {
                let parsed = protocol.parse(black_box(line));
                black_box(protocol.requests(parsed));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, lines);
criterion_main!(benches);
