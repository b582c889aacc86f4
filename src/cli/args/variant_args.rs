//! `--size` and `--rule`: the board and the rule of a game that has several.

use anyhow::{Context, bail};
use clap::Args;
use flipside_core::games::names;

/// The size of the board and the rule.
#[derive(Args, Clone, Debug, Default)]
pub struct VariantArgs {
    /// Points per side of Gomoku's board: 15 or 20
    #[arg(long, value_name = "POINTS")]
    size: Option<usize>,
    /// Gomoku's rule: freestyle (five or more win), exactly-five, renju, caro or caro-exactly-five
    #[arg(long, value_name = "NAME", value_parser = names::GOMOKU_RULES)]
    rule: Option<String>,
}

impl VariantArgs {
    /// The registry's name of the game with this size and rule. An unknown name is returned unchanged: opening the game
    /// reports it.
    ///
    /// # Errors
    /// The game has no such size or rule.
    pub fn game(&self, name: &str) -> anyhow::Result<String> {
        let Some(named) = names::find(name) else { return Ok(name.to_string()) };
        if let Some(variant) = names::variant_of(name, self.size, self.rule.as_deref()) {
            return Ok(variant.name.to_string());
        }
        let usual = named.variant.with_context(|| format!("{} has one size and one rule", named.name))?;
        let known = names::GAMES.iter().filter_map(|game| game.variant).filter(|variant| variant.of == usual.of);
        let known: Vec<String> = known.map(|variant| format!("{} {}", variant.size, variant.rule)).collect();
        bail!("{} has no such size and rule: one of {}", usual.of, known.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_rule_choose_among_the_variants_of_a_game() {
        let game = |size, rule: Option<&str>, name| {
            VariantArgs { size, rule: rule.map(str::to_string) }.game(name).map_err(|error| error.to_string())
        };
        assert_eq!(game(Some(20), Some("exactly-five"), "gomoku"), Ok("gomoku-20x20-exactly-five".into()));
        assert_eq!(game(Some(15), None, "gomoku-20x20"), Ok("gomoku".into()));
        assert_eq!(game(None, None, "othello"), Ok("reversi".into()));
        assert_eq!(game(Some(8), None, "go"), Ok("go".into()));
        assert!(game(Some(19), None, "gomoku").is_err_and(|error| error.contains("15 freestyle, 20 freestyle")));
        assert!(game(Some(8), None, "reversi").is_err_and(|error| error.contains("one size")));
    }
}
