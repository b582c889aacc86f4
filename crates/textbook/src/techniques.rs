//! The techniques that a textbook search may add.

use super::move_order::MoveOrder;
use flipside_core::search::game::Game;
use flipside_core::search::heuristics::Heuristics;
use flipside_core::search::policy::{Technique, TechniqueSet};
use std::sync::Arc;

/// The heuristics of a game, shared.
pub type SharedHeuristics<G> = Arc<dyn Heuristics<<G as Game>::Position, <G as Game>::Move>>;

/// The techniques that a textbook search may add, in the order in which the textbook explains them.
pub const ADDED: [Technique; 6] = [
    Technique::Aspiration,
    Technique::Quiescence,
    Technique::CheckExtensions,
    Technique::NullMove,
    Technique::Reductions,
    Technique::ProbCut,
];

/// The default techniques of [`Algorithm::Pvs`](flipside_core::search::algorithm::Algorithm::Pvs): those that change no
/// value, so that it agrees with every other algorithm.
pub fn default_techniques() -> TechniqueSet {
    [Technique::Aspiration].into_iter().collect()
}

/// The technique of this name, if a textbook search may add it.
///
/// # Errors
/// No such technique; the text lists the techniques.
pub fn technique(name: &str) -> Result<Technique, String> {
    let names = || ADDED.map(Technique::name).join(", ");
    let found = ADDED.into_iter().find(|technique| technique.name() == name);
    found.ok_or_else(|| format!("expected one of {}, saw '{name}'", names()))
}

/// What a game does not offer to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOffered {
    /// A technique.
    #[error("the game has no {}", .0.name())]
    Technique(Technique),
    /// The order `rule`.
    #[error("the game has no order 'rule': only MiniChess has it")]
    RuleOrder,
}

/// Checks techniques and order against what the game offers.
///
/// # Errors
/// The game does not offer one of them.
pub fn check_offered(
    techniques: TechniqueSet,
    order: MoveOrder,
    offers: impl Fn(Technique) -> bool,
    has_rule_order: impl FnOnce() -> bool,
) -> Result<(), NotOffered> {
    if order == MoveOrder::Rule && !has_rule_order() {
        return Err(NotOffered::RuleOrder);
    }
    let missing = ADDED.into_iter().find(|&technique| techniques.contains(technique) && !offers(technique));
    missing.map_or(Ok(()), |technique| Err(NotOffered::Technique(technique)))
}

/// Whether the search needs captures and checks.
pub(super) fn needs_captures(techniques: TechniqueSet) -> bool {
    use Technique::{CheckExtensions, NullMove, Quiescence, Reductions};
    [Quiescence, CheckExtensions, NullMove, Reductions].into_iter().any(|technique| techniques.contains(technique))
}
