//! Every position after a number of moves, by symmetry, as openings of training games.

use flipside_core::games::reversi::board::{Board, Placement};
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::symmetry::Symmetry;
use flipside_core::search::game::Game;
use flipside_support::random::Random;
use std::collections::HashSet;

/// The most plies that are enumerated: 2,958,586 positions, the next ply has twenty million.
pub const MAX_PLIES: u32 = 10;

/// A position that was reached first by this move after this position of the ply before.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    square: u8,
}

/// A line of moves to every distinct position after some plies, symmetric positions counted once.
pub struct EnumeratedOpenings {
    /// For each ply the positions after it.
    plies: Vec<Vec<Step>>,
    /// The positions after the last ply, in the order of the games that begin there.
    order: Vec<u32>,
}

impl EnumeratedOpenings {
    /// The positions after this many plies, at most [`MAX_PLIES`], in an order that depends on the seed. Passes are no plies.
    pub fn new(plies: u32, seed: u64) -> EnumeratedOpenings {
        let mut positions = vec![Board::START];
        let mut steps = Vec::new();
        for _ in 0..plies.min(MAX_PLIES) {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            let mut ply = Vec::new();
            for (parent, board) in (0..).zip(&positions) {
                let board = after_pass(*board);
                for mv in Reversi::portable().moves(&board) {
                    let child = board.after(mv);
                    if seen.insert(Symmetry::canonical(child).0) {
                        next.push(child);
                        ply.push(Step { parent, square: mv.square });
                    }
                }
            }
            positions = next;
            steps.push(ply);
        }
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        Random(seed).shuffle(&mut order);
        EnumeratedOpenings { plies: steps, order }
    }

    /// The squares of the moves to the position that the game with this number begins with; after the last position the
    /// first one follows again.
    pub fn line(&self, number: u64) -> Vec<u8> {
        let mut at = self.order[(number % self.order.len() as u64) as usize];
        let mut line: Vec<u8> = self
            .plies
            .iter()
            .rev()
            .map(|ply| {
                let Step { parent, square } = ply[at as usize];
                at = parent;
                square
            })
            .collect();
        line.reverse();
        line
    }
}

/// The position, after a pass if one is needed.
fn after_pass(board: Board) -> Board {
    match Reversi::portable().moves(&board).next() {
        Some(Placement::PASS) => board.passed(),
        _ => board,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_there_once() {
        let counts = [0, 1, 2, 3, 4, 5, 6, 7, 10].map(|plies| EnumeratedOpenings::new(plies, 1).order.len());
        assert_eq!(counts, [1, 1, 3, 14, 60, 322, 1773, 10649, 2958586]);
    }

    #[test]
    fn lines_lead_to_different_positions_in_the_order_of_the_seed() {
        let openings = EnumeratedOpenings::new(4, 1);
        let lines: Vec<_> = (0..60).map(|number| openings.line(number)).collect();
        let position = |line: &Vec<u8>| {
            let board = line.iter().fold(Board::START, |board, &square| {
                let mv = Reversi::portable().moves(&board).find(|mv| mv.square == square);
                board.after(mv.expect("a legal move"))
            });
            Symmetry::canonical(board).0
        };
        assert!(lines.iter().all(|line| line.len() == 4));
        assert_eq!(lines.iter().map(position).collect::<HashSet<_>>().len(), 60);
        assert_eq!(openings.line(60), lines[0]);
        assert_eq!(EnumeratedOpenings::new(4, 1).line(7), lines[7]);
        assert!((0..60).any(|number| EnumeratedOpenings::new(4, 2).line(number) != lines[number as usize]));
    }
}
