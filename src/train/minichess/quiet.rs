//! What games teach: their quiet positions, and what each of them is worth.

use super::games::{Played, read};
use crate::games::minichess::board::Board;
use crate::games::minichess::rules::MiniChess;
use crate::search::game::Game;
use crate::search::notation::{Notation, Style};
use crate::search::types::Side;
use anyhow::Context;
use std::path::Path;

/// What a search value in hundredths says about the result: White's expected points are
/// `1 / (1 + exp(-value * SCALE))`. Fitted to games of the evaluation made by hand.
pub const SCALE: f64 = 0.0060;

/// Calls `each` with every quiet position of all games of these files: the game's number, the board, and
/// the points that White is to expect there; `result` is the share of the game's result in them, the
/// rest is what the search thought. Prints how many there were.
///
/// # Errors
/// A file cannot be read, or a move is not legal.
pub fn gather<'a>(
    files: impl Iterator<Item = &'a Path>,
    result: f64,
    mut each: impl FnMut(u32, &Board, f64),
) -> anyhow::Result<()> {
    let (mut games, mut positions) = (0, 0);
    for path in files {
        for (index, game) in read(path)?.iter().enumerate() {
            let add = |board: &Board, points: f64| {
                positions += 1;
                each(games, board, points);
            };
            quiet_positions(game, result, add).with_context(|| format!("{}: game {}", path.display(), index + 1))?;
            games += 1;
        }
    }
    println!("{positions} positions of {games} games");
    Ok(())
}

/// Calls `each` with every quiet position of a game after its random plies, and with the points that
/// White is to expect there: by this share of the game's result, and for the rest by the search's value.
///
/// # Errors
/// A move is not legal.
pub fn quiet_positions(game: &Played, result: f64, mut each: impl FnMut(&Board, f64)) -> anyhow::Result<()> {
    let mut board = MiniChess.start();
    for (ply, (text, value)) in game.moves.iter().enumerate() {
        let mv = MiniChess.read_move(&board, text, Style::Uci).with_context(|| format!("{text} is not legal"))?;
        let side = board.to_move();
        let quiet = mv.taken.is_none() && !mv.promotes() && !board.attacks_king(side.other());
        if ply >= game.random && quiet {
            let white = if side == Side::First { *value } else { -value };
            let thought = 1.0 / (1.0 + (-f64::from(white) * SCALE).exp());
            each(&board, result * f64::from(game.halves) / 2.0 + (1.0 - result) * thought);
        }
        board = MiniChess.play(&board, mv);
    }
    Ok(())
}

/// What predicting this many points cost where that many were scored: the cross entropy.
pub fn cross_entropy(predicted: f64, target: f64) -> f64 {
    let predicted = predicted.clamp(1e-6, 1.0 - 1e-6);
    -(target * predicted.ln() + (1.0 - target) * (1.0 - predicted).ln())
}
