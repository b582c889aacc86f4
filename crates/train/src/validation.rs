//! The split of games into a training set and a validation set.

/// One game in this many belongs to the validation set, which training does not see.
const VALIDATION_INTERVAL: u32 = 20;

/// Whether the game with this number belongs to the validation set.
pub fn is_validation(game: u32) -> bool {
    game.is_multiple_of(VALIDATION_INTERVAL)
}
