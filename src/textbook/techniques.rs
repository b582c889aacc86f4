//! The techniques of a game as the textbook's search asks for them: without the types of the game's policy and evaluation.

use crate::search::game::Game;
use crate::search::policy::{Technique, TechniqueSet};
use crate::search::technique::ProbCutTest;
use crate::search::types::{Depth, Score};
use std::sync::Arc;

/// What a game offers to the textbook's search, for positions `P` and moves `M`. The defaults are a game that offers nothing.
pub trait GameTechniques<P, M>: Send + Sync {
    /// Whether the game has what a technique needs.
    fn offers(&self, technique: Technique) -> bool {
        matches!(technique, Technique::Aspiration | Technique::Reductions)
    }
    /// The class of a move for the order `rule`; none where the game has no such rule.
    fn move_class(&self, _position: &P, _mv: M) -> Option<u8> {
        None
    }
    /// As [`CaptureSearch::is_noisy`](crate::search::technique::CaptureSearch::is_noisy).
    fn is_noisy(&self, _position: &P, _mv: M) -> bool {
        false
    }
    /// As [`CaptureSearch::see_ge`](crate::search::technique::CaptureSearch::see_ge).
    fn see_ge(&self, _position: &P, _mv: M, _threshold: Score) -> bool {
        true
    }
    /// As [`CaptureSearch::capture_gain`](crate::search::technique::CaptureSearch::capture_gain).
    fn capture_gain(&self, _position: &P, _mv: M) -> Score {
        0
    }
    /// As [`CaptureSearch::in_check`](crate::search::technique::CaptureSearch::in_check).
    fn in_check(&self, _position: &P) -> bool {
        false
    }
    /// The position after a null move and the plies less for its search, at a node of this depth whose static evaluation
    /// is above beta by so much; none where a null move is no sound test.
    fn null_move(&self, _position: &P) -> Option<P> {
        None
    }
    /// As [`NullMove::reduction`](crate::search::technique::NullMove::reduction).
    fn null_move_reduction(&self, _depth: Depth, _above_beta: Score) -> Depth {
        0
    }
    /// As [`NullMove::min_depth`](crate::search::technique::NullMove::min_depth).
    fn null_move_min_depth(&self) -> Depth {
        Depth::MAX
    }
    /// ProbCut's tests at this depth, at the selectivity of play.
    fn probcut_tests(&self, _position: &P, _depth: Depth) -> Vec<ProbCutTest> {
        Vec::new()
    }
}

/// A game that offers nothing: a tree.
struct NoTechniques;

impl<P, M> GameTechniques<P, M> for NoTechniques {}

/// The techniques of a game, shared.
pub type SharedTechniques<G> = Arc<dyn GameTechniques<<G as Game>::Position, <G as Game>::Move>>;

/// The techniques of a game that offers nothing.
pub fn no_techniques<G: Game>() -> SharedTechniques<G> {
    Arc::new(NoTechniques)
}

/// The techniques that a textbook search may add, in the order in which their story is told.
const ADDED: [Technique; 6] = [
    Technique::Aspiration,
    Technique::Quiescence,
    Technique::CheckExtensions,
    Technique::NullMove,
    Technique::Reductions,
    Technique::ProbCut,
];

/// What [`Algorithm::Pvs`](crate::search::algorithm::Algorithm::Pvs) uses by default: techniques that change no value, so that it
/// agrees with every other algorithm.
pub fn default_techniques() -> TechniqueSet {
    [Technique::Aspiration].into_iter().collect()
}

/// A technique that a textbook search may add, by its name.
///
/// # Errors
/// There is none, with a sentence that says which there are.
pub fn technique(name: &str) -> Result<Technique, String> {
    let names = || ADDED.map(Technique::name).join(", ");
    let found = ADDED.into_iter().find(|technique| technique.name() == name);
    found.ok_or_else(|| format!("expected one of {}, saw '{name}'", names()))
}

/// Whether the search must know captures and checks.
pub(super) fn needs_captures(techniques: TechniqueSet) -> bool {
    use Technique::{CheckExtensions, NullMove, Quiescence, Reductions};
    [Quiescence, CheckExtensions, NullMove, Reductions].into_iter().any(|technique| techniques.contains(technique))
}
