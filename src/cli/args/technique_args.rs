//! The arguments that say which techniques a textbook search uses, for the subcommands that search.

use anyhow::ensure;
use clap::Args;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::policy::{Technique, TechniqueSet};
use flipside_host::engine::textbook_position::TextbookPosition;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::techniques::{default_techniques, technique};

/// What `pvs` adds and leaves out.
#[derive(Args, Debug, Default)]
pub struct TechniqueArgs {
    /// Techniques that `pvs` adds, with commas between them: quiescence, extensions, null-move, reductions, probcut
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = technique)]
    with: Vec<Technique>,
    /// Techniques that `pvs` leaves out: aspiration
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = technique)]
    without: Vec<Technique>,
}

impl TechniqueArgs {
    /// The techniques of a search of a game that offers some of them and may have the order `rule`.
    ///
    /// # Errors
    /// Another algorithm than `pvs`, or a technique or an order that the game does not offer.
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
            "--with and --without need --algorithm pvs: {algorithm} has no techniques to add or to leave out"
        );
        ensure!(order != MoveOrder::Rule || has_rule_order(), "the game has no order 'rule': MiniChess has one");
        let mut techniques = default_techniques();
        for &technique in &self.with {
            ensure!(offers(technique), "the game has no {}", technique.name());
            techniques = techniques.with(technique);
        }
        Ok(self.without.iter().fold(techniques, |techniques, &technique| techniques.without(technique)))
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
