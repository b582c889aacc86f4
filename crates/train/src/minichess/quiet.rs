//! The quiet positions of games, with the points that White is expected to score.

use crate::played_game::PlayedGame;
use anyhow::Context;
use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::rules::MiniChess;
use flipside_core::search::game::Game;
use flipside_core::search::notation::{Notation, Style};
use flipside_core::search::types::Side;
use std::path::Path;

/// Scale of the sigmoid that turns scores in hundredths into expected points: `1 / (1 + exp(-score * SIGMOID_SCALE))`.
/// Fitted to games of the hand-made evaluation.
pub const SIGMOID_SCALE: f64 = 0.0060;

/// Calls `each` with every quiet position of all games of these files: the game's number, the board, and the target,
/// the points that White is expected to score. `lambda` is the share of the game's result in the target; the rest is
/// the value of the search. Returns the numbers of positions and games. `read` reads a file.
///
/// # Errors
/// A file cannot be read, or a move is not legal.
pub fn gather<'a>(
    files: impl Iterator<Item = &'a Path>,
    mut read: impl FnMut(&Path) -> anyhow::Result<Vec<PlayedGame>>,
    lambda: f64,
    mut each: impl FnMut(u32, &Board, f64),
) -> anyhow::Result<(usize, usize)> {
    let (mut games, mut positions) = (0, 0);
    for path in files {
        for (index, game) in read(path)?.iter().enumerate() {
            let add = |board: &Board, points: f64| {
                positions += 1;
                each(games, board, points);
            };
            quiet_positions(game, lambda, add).with_context(|| format!("{}: game {}", path.display(), index + 1))?;
            games += 1;
        }
    }
    Ok((positions, games as usize))
}

/// Calls `each` with every quiet position of a game after its random plies, and with its target as in [`gather`].
///
/// # Errors
/// A move is not legal.
pub fn quiet_positions(game: &PlayedGame, lambda: f64, mut each: impl FnMut(&Board, f64)) -> anyhow::Result<()> {
    let mut board = MiniChess.start();
    for (ply, (text, value)) in game.moves.iter().enumerate() {
        let mv = MiniChess.read_move(&board, text, Style::Uci).with_context(|| format!("{text} is not legal"))?;
        let side = board.to_move();
        let quiet = mv.captured.is_none() && !mv.promotes() && !board.attacks_king(side.other());
        if ply >= game.random && quiet {
            let white = if side == Side::First { *value } else { -value };
            let expected = 1.0 / (1.0 + (-f64::from(white) * SIGMOID_SCALE).exp());
            each(&board, lambda * f64::from(game.halves) / 2.0 + (1.0 - lambda) * expected);
        }
        board = MiniChess.play(&board, mv);
    }
    Ok(())
}
