//! Gomoku's kernels: a stone with the patterns that it changes, the evaluation's update, and the search of threats.

use criterion::{Criterion, criterion_group, criterion_main};
use flipside::games::gomoku::evaluation::PatternEvaluation;
use flipside::games::gomoku::position::Position;
use flipside::games::gomoku::rules::{Gomoku, Point};
use flipside::games::gomoku::threat_search::{MAX_PLIES, ThreatKind, ThreatSearch, ThreatSearchEnd};
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::limits::{Limits, Stop};
use std::hint::black_box;

/// Positions of a game with the move played in each: the best by the order of moves, so that threats arise.
fn positions(game: &Gomoku) -> Vec<(Position, Point)> {
    let mut position = game.start();
    let mut seen = Vec::new();
    while game.outcome(&position).is_none() {
        let worth = |point: &Point| game.worth_for_both(&position, usize::from(*point));
        let Some(best) = game.moves(&position).max_by_key(worth) else { break };
        seen.push((position.clone(), best));
        position = game.play(&position, best);
    }
    seen
}

fn kernels(criterion: &mut Criterion) {
    for name in ["gomoku", "gomoku-20x20", "gomoku-renju"] {
        let game = Gomoku::named(name).expect("a game");
        let eval = PatternEvaluation::named(game, "patterns").expect("an evaluation");
        let moves = positions(&game);
        criterion.bench_function(&format!("stones of a game, {name}"), |bencher| {
            let played = |(position, mv): &(Position, Point)| game.play(position, *mv).key();
            bencher.iter(|| black_box(&moves).iter().fold(0, |sum, mv| sum ^ played(mv)));
        });
        let children: Vec<Position> = moves.iter().map(|(position, mv)| game.play(position, *mv)).collect();
        criterion.bench_function(&format!("evaluations of a game, {name}"), |bencher| {
            bencher.iter(|| {
                let mut sums = eval.refresh(&game.start());
                let mut score = 0;
                for ((position, mv), child) in black_box(&moves).iter().zip(&children) {
                    sums = eval.update(&sums, position, *mv, child);
                    score ^= eval.evaluate(&sums, child);
                }
                score
            });
        });
        let stop = Stop::new(&Limits::default());
        let solve = |position: &Position, kind: ThreatKind| {
            let end = ThreatSearchEnd { deadline: None, stop: &stop };
            ThreatSearch::new(&game, kind, 1_000, end).solve(position, MAX_PLIES).map_or(0, |win| win.plies)
        };
        for (kind, threats) in [(ThreatKind::Fours, "fours"), (ThreatKind::FoursAndThrees, "fours and threes")] {
            criterion.bench_function(&format!("{threats} in a game, {name}"), |bencher| {
                bencher.iter(|| black_box(&moves).iter().map(|(position, _)| solve(position, kind)).sum::<u32>());
            });
        }
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
