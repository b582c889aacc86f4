//! The arguments that say which techniques a textbook search uses, for the subcommands that search.

use crate::search::algorithm::Algorithm;
use crate::search::game::Game;
use crate::search::policy::{Technique, TechniqueSet};
use crate::textbook::move_order::MoveOrder;
use crate::textbook::techniques::{default_techniques, technique};
use crate::textbook::types::SearchInput;
use anyhow::{anyhow, ensure};
use clap::Args;

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
    /// The techniques of a search of this game.
    ///
    /// # Errors
    /// Another algorithm than `pvs`, or a technique or an order that the game does not offer.
    pub fn checked<G: Game, E>(
        &self,
        input: &SearchInput<'_, G, E>,
        algorithm: Algorithm,
        order: MoveOrder,
    ) -> anyhow::Result<TechniqueSet> {
        let is_default = self.with.is_empty() && self.without.is_empty();
        ensure!(
            is_default || algorithm == Algorithm::Pvs,
            "--with and --without need --algorithm pvs: {algorithm} has no techniques to add or to leave out"
        );
        check_order(input, order)?;
        let mut techniques = default_techniques();
        for &technique in &self.with {
            ensure!(input.techniques.offers(technique), "the game has no {}", technique.name());
            techniques = techniques.with(technique);
        }
        Ok(self.without.iter().fold(techniques, |techniques, &technique| techniques.without(technique)))
    }
}

/// Refuses the order `rule` where the game has no such rule.
fn check_order<G: Game, E>(input: &SearchInput<'_, G, E>, order: MoveOrder) -> anyhow::Result<()> {
    if order != MoveOrder::Rule {
        return Ok(());
    }
    let unknown = input.game.moves(input.root).find(|&mv| input.techniques.move_class(input.root, mv).is_none());
    unknown.map_or(Ok(()), |_| Err(anyhow!("the game has no order 'rule': MiniChess has one")))
}
