//! The arguments that choose the techniques of a textbook search.

use anyhow::ensure;
use clap::Args;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::policy::{Technique, TechniqueSet};
use flipside_host::engine::textbook_position::TextbookPosition;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::techniques::{check_offered, default_techniques, technique};

/// The techniques that `pvs` adds and leaves out.
#[derive(Args, Debug, Default)]
pub struct TechniqueArgs {
    /// Techniques that `pvs` adds, separated by commas: quiescence, extensions, null-move, reductions, probcut
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = technique)]
    with: Vec<Technique>,
    /// Techniques that `pvs` leaves out: aspiration
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = technique)]
    without: Vec<Technique>,
}

impl TechniqueArgs {
    /// Checks the techniques against the algorithm and against what the game offers, and the order `rule` against the
    /// game.
    ///
    /// # Errors
    /// The algorithm is not `pvs`, or the game does not offer a technique or the order.
    pub fn checked(
        &self,
        algorithm: Algorithm,
        order: MoveOrder,
        offers: impl Fn(Technique) -> bool,
        has_rule_order: impl FnOnce() -> bool,
    ) -> anyhow::Result<TechniqueSet> {
        let is_default = self.with.is_empty() && self.without.is_empty();
        ensure!(
            is_default || algorithm == Algorithm::Pvs,
            "--with and --without need --algorithm pvs: {algorithm} has no techniques to add or leave out"
        );
        let techniques = self.with.iter().fold(default_techniques(), |set, &technique| set.with(technique));
        check_offered(techniques, order, offers, has_rule_order)?;
        Ok(self.without.iter().fold(techniques, |set, &technique| set.without(technique)))
    }

    /// The same for a position of a game.
    pub fn checked_for(
        &self,
        algorithm: Algorithm,
        order: MoveOrder,
        position: &dyn TextbookPosition,
    ) -> anyhow::Result<TechniqueSet> {
        self.checked(algorithm, order, |technique| position.offers(technique), || position.has_rule_order())
    }
}
