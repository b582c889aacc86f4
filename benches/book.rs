//! The time to open and to probe an opening book of 1 GiB: mapped, as `flipside book` reads it, and block by block, as
//! the engine does. The book is generated once (24 million random positions; needs 2 GiB of memory and of disk) and
//! removed at the end.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use flipside::games::reversi::board::Board;
use flipside::games::reversi::book::entry::{BookEntry, GameCounts, Grade, Value};
use flipside::games::reversi::book::reader::Book;
use flipside::games::reversi::book::writer::{book_order, write_book};
use flipside::games::reversi::symmetry::Symmetry;
use flipside::support::random::Random;
use std::fs::File;
use std::hint::black_box;
use std::io::BufWriter;

/// Records of 44 bytes, 92 in a block of 4096 bytes: 1 GiB.
const POSITIONS: usize = (1 << 30) / 4096 * 92;
/// Positions to probe one after another; the book has half of them.
const ASKED: usize = 10_000;

/// A random position, not necessarily a reachable one: a book only reads its bits.
fn position(random: &mut Random) -> Board {
    let player = random.bits();
    Symmetry::canonical(Board { player, opponent: random.bits() & !player }).0
}

fn bench(criterion: &mut Criterion) {
    let mut random = Random(30);
    let mut boards: Vec<_> = (0..POSITIONS).map(|_| position(&mut random)).collect();
    boards.sort_unstable_by(|one, other| book_order(*one, *other));
    boards.dedup();
    let value = Value { score: 0, depth: 16, selectivity: 73, grade: Grade::Searched };
    let entry = BookEntry { value, leaves: 1, deviation: None, games: GameCounts::default() };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.book");
    let out = BufWriter::new(File::create(&path).expect("a file"));
    write_book(boards.iter().map(|board| (*board, entry)), "a bench", [1, 0], out).expect("a book");
    let known = |random: &mut Random| boards[random.below(boards.len())];
    let asked: Vec<_> =
        (0..ASKED).map(|turn| if turn % 2 == 0 { known(&mut random) } else { position(&mut random) }).collect();

    let mut group = criterion.benchmark_group("a book of 1 GiB");
    let read = || Book::from_file(File::open(&path).expect("the file")).expect("a book");
    group.bench_function("open, mapped", |bencher| bencher.iter(|| Book::open(&path).expect("a book")));
    group.bench_function("open, by blocks", |bencher| bencher.iter(read));
    for (name, book) in [("look up, mapped", Book::open(&path).expect("a book")), ("look up, by blocks", read())] {
        let mut turns = asked.iter().cycle();
        group.bench_function(name, |bencher| {
            let next = || *turns.next().expect("a position");
            bencher.iter_batched(
                next,
                |board| black_box(book.lookup(board).expect("a sound block")),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = bench
}
criterion_main!(benches);
