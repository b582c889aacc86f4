//! `--evaluation`: the names of the evaluations.

use flipside_core::games::names;

/// The help of `--evaluation`, with the evaluations of every game; those of its other sizes and rules are the same.
pub fn evaluation_help() -> String {
    let with_evaluations = names::GAMES.iter().filter(|game| game.is_usual_variant() && !game.evaluations.is_empty());
    let lists: Vec<_> =
        with_evaluations.map(|game| format!("{}: {}", game.name, game.evaluations.join(", "))).collect();
    format!("Evaluation function; `default` is the game's first. {}. Other games have no evaluation", lists.join("; "))
}
