//! The speed of the endgame solver: FFO #1 and #40, and #1 played down to 12 empty squares.

use criterion::{Criterion, criterion_group, criterion_main};
use flipside::games::reversi::board::Board;
use flipside::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use flipside::games::reversi::obf;
use flipside::games::reversi::probcut::ProbCutModel;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::solver::Solver;
use flipside::games::reversi::solver::level::SolverLevel;
use flipside::games::reversi::solver::root::{RootSolver, SolveTask};
use flipside::games::reversi::solver::settings::SolverSettings;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::limits::{Limits, Stop};
use std::sync::atomic::AtomicU64;

const POSITIONS: [(&str, &str); 2] = [
    ("FFO #1, 14 empty squares", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"),
    ("FFO #40, 20 empty squares", "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"),
];

struct Bench<'a>(&'a mut Criterion);

impl WithEvaluation for Bench<'_> {
    type Output = ();

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) {
        let settings = SolverSettings::with_probcut(probcut_model);
        let solve = |solver: &mut Solver, board: Board| {
            // Every round starts with empty tables.
            solver.clear();
            let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
            let task = SolveTask::exact(1);
            RootSolver { solver, game: &game, eval: &eval, stop: &stop, nodes: &nodes, task }.score(board)
        };
        let mut group = self.0.benchmark_group("solve");
        group.sample_size(10);
        for (name, text) in POSITIONS {
            let Ok((board, _)) = obf::position(text) else { panic!("{name} is a position") };
            let mut solver = Solver::with_settings(16, settings).expect("a small table");
            group.bench_function(name, |bencher| bencher.iter(|| solve(&mut solver, board)));
        }
        let Ok((mut board, _)) = obf::position(POSITIONS[0].1) else { panic!("a position") };
        while board.empties() > 12 {
            let Some(mv) = game.moves(&board).next() else { break };
            board = board.after(mv);
        }
        let mut solver = Solver::with_settings(1, settings).expect("a small table");
        group.bench_function("12 empty squares", |bencher| bencher.iter(|| solve(&mut solver, board)));
        group.finish();
    }
}

fn endgame(criterion: &mut Criterion) {
    match ReversiEvaluation::open("default", None) {
        Ok(evaluation) => with_evaluation(&evaluation, Bench(criterion)),
        Err(error) => panic!("{error}"),
    }
}

criterion_group!(benches, endgame);
criterion_main!(benches);
