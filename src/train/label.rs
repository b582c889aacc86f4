//! `flipside train label`: the same games with values by other weights.
//!
//! Training goes backwards: the last squares are exact, weights fitted to them judge the ends of
//! searches from the squares before, and so on. Positions of the opening, which nobody searched when
//! the game was played, get values as well.

use super::judge::Judge;
use super::opening::BLIND;
use super::record::{FORMAT, GameReader, GameRecord, GameWriter, Header, halves};
use super::selfplay::SelfPlayer;
use super::watch::{bar, watch_interrupts};
use crate::games::reversi::board::Reversi;
use crate::games::reversi::evaluation::{WithEvaluation, with_evaluation};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::probcut::ProbCutModel;
use crate::search::evaluation::Eval;
use crate::search::types::UNIT;
use crate::support::ordered_pool;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `flipside train label`.
#[derive(Args, Debug)]
pub struct LabelArgs {
    /// File of games
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// File of the same games with new values; an interrupted one is continued
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plies of the searches that give values
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Empty squares from which every value is exact
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    exact: u32,
    /// Games side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    judge: Judge,
}

/// Labels all games of the file.
///
/// # Errors
/// Files that cannot be read or written; the evaluation cannot be opened.
pub fn run(args: &LabelArgs) -> anyhow::Result<ExitCode> {
    let evaluation = args.judge.open()?;
    let games = GameReader::open(&args.games)?;
    let header = Header {
        format: FORMAT.into(),
        seed: games.header.seed,
        depth: args.depth,
        exact: args.exact,
        evaluation: format!("{} for games by {}", evaluation.identity(), games.header.evaluation),
    };
    let writer = GameWriter::open(&args.out, &header)?;
    let interrupted = watch_interrupts()?;
    with_evaluation(&evaluation, Labelling { args, games, writer, interrupted: &interrupted })?;
    Ok(ExitCode::from(if interrupted.load(Ordering::Relaxed) { 130 } else { 0 }))
}

struct Labelling<'a> {
    args: &'a LabelArgs,
    games: GameReader,
    writer: GameWriter,
    interrupted: &'a AtomicBool,
}

impl WithEvaluation for Labelling<'_> {
    type Output = anyhow::Result<()>;

    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<()> {
        let Labelling { args, games, mut writer, interrupted } = self;
        let total = games.count_all()?;
        let bar = bar(total, writer.games);
        let rest = games.skip(writer.games as usize).take_while(|_| !interrupted.load(Ordering::Relaxed));
        let player = || SelfPlayer::new(game.clone(), eval.clone(), probcut_model, args.depth, args.exact);
        let label =
            |player: &mut SelfPlayer<K, E>, game: anyhow::Result<GameRecord>| game.map(|game| player.label(game));
        ordered_pool::run(usize::from(args.threads), rest, player, label, |game| -> anyhow::Result<()> {
            bar.inc(1);
            Ok(writer.write(&game?)?)
        })?;
        bar.abandon();
        Ok(())
    }
}

impl<K: Kernels, E: Eval<Reversi<K>>> SelfPlayer<K, E> {
    /// The same game with this player's values. What was exact stays as it is.
    pub fn label(&mut self, mut game: GameRecord) -> GameRecord {
        self.forget();
        let played = usize::from(game.exact);
        let moments = game.moments();
        game.opening = game.opening.min(BLIND as u8);
        game.exact = game.squares.len() as u8;
        for (ply, moment) in moments.iter().enumerate() {
            let exact = ply >= played || moment.board.empties() <= self.exact;
            if exact && ply < usize::from(game.exact) {
                game.exact = ply as u8;
            }
            if ply < usize::from(game.opening) || ply >= played {
                continue;
            }
            let value = if exact { self.solved(moment.board).1 * UNIT } else { self.searched(moment.board).1 };
            game.values[ply] = halves(value);
        }
        if let Some(moment) = moments.get(usize::from(game.exact)) {
            let value = f32::from(game.values[usize::from(game.exact)]) / 2.0;
            game.result = (if moment.first { value } else { -value }) as i8;
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::evaluation::stage_weighted::StageWeighted;
    use crate::search::level::Base;
    use std::sync::Arc;

    fn player(depth: u32, exact: u32) -> SelfPlayer<Base, Arc<StageWeighted>> {
        let game = Reversi::portable();
        SelfPlayer::new(game, Arc::new(StageWeighted::built_in()), None, depth, exact)
    }

    #[test]
    fn labels_replace_estimates_and_keep_what_is_exact() {
        let game = player(1, 6).play(1, 0);
        let labelled = player(2, 8).label(game.clone());
        assert_eq!(labelled.squares, game.squares);
        assert_eq!(labelled.exact + 2, game.exact, "two more squares are exact");
        assert_eq!(labelled.opening, 6);
        let old = usize::from(game.exact);
        assert_eq!(labelled.values[old..], game.values[old..]);
        assert!(game.opening > 6 && game.values[7] == 0);
        assert!(labelled.values[6..usize::from(game.opening)].iter().any(|&value| value != 0));
        let first = labelled.moments()[usize::from(labelled.exact)];
        assert_eq!(f32::from(labelled.result), if first.first { first.value } else { -first.value });
    }
}
