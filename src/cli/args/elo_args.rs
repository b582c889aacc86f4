//! The argument that limits the engine to a strength in Elo.

use clap::Args;
use flipside_host::api::elo::UnknownElo;
use flipside_host::api::settings::Settings;

/// A strength in Elo.
#[derive(Args, Clone, Copy, Debug)]
pub struct EloArgs {
    /// Playing strength in Elo on the engine's own scale, instead of --strength (see docs/elo.md) [default: unlimited]
    #[arg(long, value_name = "ELO")]
    elo: Option<u32>,
}

impl EloArgs {
    /// The settings with this strength.
    ///
    /// # Errors
    /// The Elo is outside the scale of the game.
    pub fn apply(self, mut settings: Settings) -> Result<Settings, UnknownElo> {
        if let Some(elo) = self.elo {
            settings.limit_to_elo(elo)?;
        }
        Ok(settings)
    }
}
