//! The games, and the registry that opens their rooms by name.

pub mod reversi;

/// UCI name of a game.
pub fn variant_of(game: &str) -> Option<String> {
    (game == "reversi").then(|| "flipello".to_string())
}

/// Game of a UCI name.
pub fn game_of_variant(variant: &str) -> Option<&'static str> {
    (variant == "flipello").then_some("reversi")
}
