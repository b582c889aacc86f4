//! The arguments that limit the engine's strength.

use clap::Args;
use flipside_host::api::elo::UnknownElo;
use flipside_host::api::settings::{FULL_LEVEL, FULL_STRENGTH, Settings};

/// A strength: plies, percent or Elo.
#[derive(Args, Clone, Copy, Debug)]
pub struct StrengthArgs {
    /// Maximum depth of the engine's searches in plies; 60 is unlimited
    #[arg(long, value_name = "PLIES", default_value_t = FULL_LEVEL, value_parser = clap::value_parser!(u32).range(0..=i64::from(FULL_LEVEL)))]
    level: u32,
    /// Playing strength in percent; below 100 the engine makes mistakes
    #[arg(long, value_name = "PERCENT", default_value_t = FULL_STRENGTH, value_parser = clap::value_parser!(u32).range(0..=i64::from(FULL_STRENGTH)))]
    strength: u32,
    /// Playing strength in Elo on the engine's own scale, instead of --strength (see docs/elo.md) [default: unlimited]
    #[arg(long, value_name = "ELO")]
    elo: Option<u32>,
}

impl StrengthArgs {
    /// The settings with this strength.
    ///
    /// # Errors
    /// The Elo is outside the scale of the game.
    pub fn apply(self, settings: Settings) -> Result<Settings, UnknownElo> {
        let mut settings = Settings { level: self.level, strength: self.strength, ..settings };
        if let Some(elo) = self.elo {
            settings.limit_to_elo(elo)?;
        }
        Ok(settings)
    }
}
