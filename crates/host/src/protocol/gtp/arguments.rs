//! Arguments of GTP commands: counts, colours and vertices.

use crate::api::command::{Command, CommandError, PlayedMove, Player};

/// An answer that the protocol gives by itself.
pub fn reply(text: &str) -> Command {
    Command::Reply(text.to_string())
}

/// A syntax error that shows the right form.
pub fn syntax(usage: &str) -> CommandError {
    CommandError::Syntax(format!("expected {usage}"))
}

/// Checks that there are no arguments.
pub fn none(name: &str, list: &[&str]) -> Result<(), CommandError> {
    if list.is_empty() { Ok(()) } else { Err(CommandError::Syntax(format!("{name} takes no arguments"))) }
}

/// Exactly `N` arguments.
pub fn exactly<'a, const N: usize>(list: &[&'a str], usage: &str) -> Result<[&'a str; N], CommandError> {
    list.try_into().map_err(|_| syntax(usage))
}

/// A colour or mark in any case. The game knows which of them moves first.
pub fn player(word: &str) -> Result<Player, CommandError> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::Named("black")),
        "w" | "white" => Ok(Player::Named("white")),
        "x" => Ok(Player::Named("x")),
        "o" => Ok(Player::Named("o")),
        _ => Err(CommandError::Unavailable(format!("invalid color: expected black, white, x or o, saw '{word}'"))),
    }
}

/// A move with its player.
pub fn played_move(colour: &str, vertex: &str) -> Result<PlayedMove, CommandError> {
    Ok(PlayedMove { player: Some(player(colour)?), text: vertex.to_string() })
}
