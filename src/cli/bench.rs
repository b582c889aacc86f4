//! `flipside bench`: a fixed list of positions, searched to fixed depths. The sum of the nodes at one
//! thread is the fingerprint of the search: it changes only if the search does.

use super::bench_endgame;
use crate::api::event::BestMove;
use crate::api::settings::Settings;
use crate::engine::dyn_engine::{SearchRequest, SetupError, Start, search_and_wait};
use crate::engine::registry;
use crate::search::limits::Limits;
use crate::search::notation::Style;
use crate::search::types::Score;
use anyhow::bail;
use clap::Args;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `flipside bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Threads (the fingerprint is that of one)
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the search tables in MiB (the fingerprint is that of 16)
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Search the list of this game instead: minichess
    #[arg(long, value_name = "NAME", value_parser = ["minichess"], conflicts_with = "endgame")]
    game: Option<String>,
    /// Measure the endgame instead: kernels, 12 empty squares, FFO #40 to #49 on one thread
    #[arg(long, conflicts_with = "threads")]
    endgame: bool,
}

/// Game, position (empty: the start), depth.
pub type Position = (&'static str, &'static str, u32);

/// Reversi from the opening to the end, and the games of the textbook.
pub const POSITIONS: [Position; 12] = [
    ("reversi", "", 11),
    ("reversi", "--------------------------XXX----OOXX----OXO-----XOO----O------- O", 11),
    ("reversi", "--OX----OXXXX-O-XXXXXO--XXOXXXO-OOOXXO--OOOOX---O-OX--------O--- X", 11),
    ("reversi", "-----O-----OO-----XOOX---OOOXXXO--OXXOOO--OXOOO---XOO---------O- X", 10),
    ("reversi", "----XX----XXX----XXOXO--OOXXOXX-OOOXOXXX-OOXXX----OOX----------- O", 10),
    ("reversi", "---O------OO-X--XXOOXX--XXXXXOO-XXXOOXO-XXXOXOO---OOO---------O- O", 9),
    ("reversi", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 14),
    ("reversi", "XOOOOOO-XXOOOOO-XOXOOOO-XOOXOOX-XOOOXXX-XOOOOX--XXOOO-----XXX--- X", 60),
    ("tic-tac-toe", "", 9),
    ("connect-four", "", 13),
    ("connect-four", "......./......./...o.../...x.../..oxo../.xxox.. o", 13),
    ("connect-four", "......./..x..../..o.x../..xoo../o.oxx../xxoox.. o", 14),
];

/// MiniChess from the start to the limit, positions of games that were played; what endgame tables
/// know would change the nodes, so they are left out.
pub const MINICHESS: [Position; 9] = [
    ("minichess", "", 12),
    ("minichess", "5 B kq..r/p.pbp/.pp../.P..P/P.PP./RB.QK", 11),
    ("minichess", "8 B k.bnr/...qp/pBpp./N.P.P/P..PK/R..Q.", 11),
    ("minichess", "12 B .k..r/q.b.p/pp.p./P..PP/..PB./R..KQ", 11),
    ("minichess", "14 W k...q/.pQ../p..p./.P.../P..../RN.Kr", 11),
    ("minichess", "16 B k..../p..../q..../.pB../.P..P/...K.", 12),
    ("minichess", "26 B ..b.r/Rk.../....p/..B.P/...P./...K.", 10),
    ("minichess", "31 B .b.nq/p..k./Pp.p./.PpPp/N.P.P/.R.QK", 12),
    ("minichess", "34 B ..r../.kn.p/R..../..N../...../....K", 12),
];

/// What a bench came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprint {
    /// Positions entered.
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
    /// The value of each position.
    pub scores: Vec<Score>,
}

/// Searches a list, telling of each position.
///
/// # Errors
/// A position cannot be read, or a search ends without an answer.
pub fn measure(
    list: &[Position],
    threads: usize,
    hash: usize,
    mut tell: impl FnMut(&str, &BestMove),
) -> anyhow::Result<Fingerprint> {
    let mut sum = Fingerprint::default();
    for &(game, position, depth) in list {
        let without = if game == "minichess" { "tables" } else { "" };
        let mut engine = registry::open(&Settings {
            game: game.into(),
            hash,
            disabled_techniques: without.into(),
            ..Settings::default()
        })?;
        if !position.is_empty()
            && let Err(SetupError::Position(error)) =
                engine.set_position(Start::Text(position), &[], Style::Plain, false)
        {
            bail!("{position}: {error}");
        }
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let request = SearchRequest { threads, ..SearchRequest::new(limits) };
        let best_move = search_and_wait(engine.as_ref(), request).map_err(anyhow::Error::msg)?;
        tell(game, &best_move);
        sum.nodes += best_move.statistics.nodes;
        sum.time += best_move.statistics.time;
        sum.scores.extend(best_move.info.map(|best| best.score));
    }
    Ok(sum)
}

/// Prints a line a position and the sum.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    if args.endgame {
        return bench_endgame::run(args.hash as usize);
    }
    let mut out = stdout().lock();
    let mut written = Ok(());
    let list = if args.game.is_some() { &MINICHESS[..] } else { &POSITIONS[..] };
    let sum = measure(list, usize::from(args.threads), args.hash as usize, |game, best_move| {
        let best = best_move.info.as_ref();
        let line = format!(
            "{game:13} {:5} {:+8.2} depth {:2} nodes {:>10}",
            best_move.mv.as_deref().unwrap_or("none"),
            best.map_or(0.0, |best| f64::from(best.score) / 100.0),
            best.map_or(0, |best| best.depth),
            best_move.statistics.nodes
        );
        if written.is_ok() {
            written = writeln!(out, "{line}");
        }
    })?;
    let speed = sum.nodes as f64 / sum.time.as_secs_f64().max(1e-9);
    written?;
    writeln!(out, "nodes {}", sum.nodes)?;
    writeln!(out, "nps {speed:.0}")?;
    Ok(ExitCode::SUCCESS)
}
