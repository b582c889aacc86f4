//! The kernels of the best level of this processor, and the portable ones, in comparison.

use criterion::{Criterion, criterion_group, criterion_main};
use flipside::games::reversi::board::Board;
use flipside::games::reversi::level::{ForLevel, at_best_level};
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::solver::level::SolverLevel;
use flipside::games::reversi::stability::Stability;
use flipside::search::game::Game;
use flipside::search::level::Supported;
use std::hint::black_box;

/// Positions of a game in which both sides play the middle one of their moves.
fn positions<K: SolverLevel>(game: &Reversi<K>) -> Vec<Board> {
    let mut board = Board::START;
    let mut seen = Vec::new();
    loop {
        let moves: Vec<_> = game.moves(&board).collect();
        if moves.is_empty() {
            return seen;
        }
        seen.push(board);
        board = board.after(moves[moves.len() / 2]);
    }
}

/// A kernel over all boards, compiled for the level.
fn inside<K: SolverLevel>(level: Supported<K>, boards: &[Board], kernel: impl Fn(&Board) -> u64) -> u64 {
    level.inside(
        #[inline(always)]
        || boards.iter().fold(0, |sum, board| sum ^ kernel(board)),
    )
}

struct Bench<'a>(&'a mut Criterion, &'static str);

impl ForLevel for Bench<'_> {
    type Output = ();

    fn run<K: SolverLevel>(self, game: Reversi<K>) {
        let Bench(criterion, level) = self;
        let boards = positions(&game);
        criterion.bench_function(&format!("moves of a game, {level}"), |bencher| {
            bencher.iter(|| {
                inside(
                    game.level(),
                    black_box(&boards),
                    #[inline(always)]
                    |board: &Board| game.placements(*board),
                )
            });
        });
        criterion.bench_function(&format!("moves and flips of a game, {level}"), |bencher| {
            bencher.iter(|| {
                inside(
                    game.level(),
                    black_box(&boards),
                    #[inline(always)]
                    |board: &Board| game.moves(board).fold(0, |sum, mv| sum ^ mv.flips),
                )
            });
        });
        let stability = Stability::new();
        criterion.bench_function(&format!("stable discs of a game, {level}"), |bencher| {
            bencher.iter(|| {
                inside(
                    game.level(),
                    black_box(&boards),
                    #[inline(always)]
                    |board: &Board| stability.stable(board.player, board.opponent),
                )
            });
        });
    }
}

fn kernels(criterion: &mut Criterion) {
    Bench(criterion, "portable").run(Reversi::portable());
    at_best_level(Bench(criterion, "best level"));
}

criterion_group!(benches, kernels);
criterion_main!(benches);
