//! The speed of the endgame solver: FFO #1 and #40, and #1 played down to 12 empty squares.

use criterion::{Criterion, criterion_group, criterion_main};
use flipside::games::reversi::evaluation::ReversiEvaluation;
use flipside::games::reversi::obf;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::searcher::{self, SearcherOptions};
use flipside::search::game::Game;
use flipside::search::limits::{Limits, Stop};
use flipside::search::solve::SolveTask;

const POSITIONS: [(&str, &str); 2] = [
    ("FFO #1, 14 empty squares", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"),
    ("FFO #40, 20 empty squares", "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"),
];

fn endgame(criterion: &mut Criterion) {
    let evaluation = ReversiEvaluation::open("default", None).expect("the weights in the library");
    let searcher = searcher::open(&evaluation, &SearcherOptions::with_tables(1, 16)).expect("small tables");
    // Every round starts with empty tables.
    let task = SolveTask { fresh: true, ..SolveTask::exact(1) };
    let solve = |board| searcher.solve(&board, &task, &Stop::new(&Limits::default()));
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10);
    for (name, text) in POSITIONS {
        let (board, _) = obf::position(text).expect("a position");
        group.bench_function(name, |bencher| bencher.iter(|| solve(board)));
    }
    let (mut board, _) = obf::position(POSITIONS[0].1).expect("a position");
    while board.empties() > 12 {
        let Some(mv) = Reversi::portable().moves(&board).next() else { break };
        board = board.after(mv);
    }
    group.bench_function("12 empty squares", |bencher| bencher.iter(|| solve(board)));
    group.finish();
}

criterion_group!(benches, endgame);
criterion_main!(benches);
