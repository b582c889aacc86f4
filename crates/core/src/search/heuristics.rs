//! A game's evaluation and policy for single positions and moves behind one object-safe trait: the textbook's searchers
//! need these beside the rules.

use super::policy::Technique;
use super::technique::ProbCutTest;
use super::types::{Depth, Score};

/// Evaluation, move ordering and techniques of a game with positions `P` and moves `M`. Every method is a virtual call,
/// so the production search does not use this trait. The defaults fit a game without any of them, such as a drawn tree.
pub trait Heuristics<P, M>: Send + Sync {
    /// The static evaluation for the side to move, in hundredths.
    fn static_eval(&self, _position: &P) -> Score {
        0
    }
    /// The value of a finished position for the side to move, with the score `rules` by the rules:
    /// [`Eval::finished`](super::evaluation::Eval::finished).
    fn finished(&self, _position: &P, rules: Score) -> Score {
        rules
    }
    /// The policy's score of a move: moves with higher scores are searched earlier.
    fn score_move(&self, _position: &P, _mv: M) -> i32 {
        0
    }
    /// Whether the game has what a technique needs.
    fn offers(&self, technique: Technique) -> bool {
        matches!(technique, Technique::Aspiration | Technique::Reductions)
    }
    /// The class of a move for the order `rule`; `None` if the game has no such rule.
    fn move_class(&self, _position: &P, _mv: M) -> Option<u8> {
        None
    }
    /// As [`CaptureSearch::is_noisy`](super::technique::CaptureSearch::is_noisy).
    fn is_noisy(&self, _position: &P, _mv: M) -> bool {
        false
    }
    /// As [`CaptureSearch::see_ge`](super::technique::CaptureSearch::see_ge).
    fn see_ge(&self, _position: &P, _mv: M, _threshold: Score) -> bool {
        true
    }
    /// As [`CaptureSearch::capture_gain`](super::technique::CaptureSearch::capture_gain).
    fn capture_gain(&self, _position: &P, _mv: M) -> Score {
        0
    }
    /// As [`CaptureSearch::in_check`](super::technique::CaptureSearch::in_check).
    fn in_check(&self, _position: &P) -> bool {
        false
    }
    /// The position after a null move; `None` if a null move would not be a sound test.
    fn null_move(&self, _position: &P) -> Option<P> {
        None
    }
    /// As [`NullMove::reduction`](super::technique::NullMove::reduction).
    fn null_move_reduction(&self, _depth: Depth, _above_beta: Score) -> Depth {
        0
    }
    /// As [`NullMove::min_depth`](super::technique::NullMove::min_depth).
    fn null_move_min_depth(&self) -> Depth {
        Depth::MAX
    }
    /// ProbCut's tests at this depth, at the selectivity of play.
    fn probcut_tests(&self, _position: &P, _depth: Depth) -> Vec<ProbCutTest> {
        Vec::new()
    }
}

/// A game without evaluation and policy.
#[derive(Clone, Copy, Debug)]
pub struct NoHeuristics;

impl<P, M> Heuristics<P, M> for NoHeuristics {}
