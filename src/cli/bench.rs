//! `flipside bench`: searches a fixed list of positions to fixed depths. The total node count with one thread is the
//! fingerprint of the search: it changes only if the search does.

use super::bench_endgame;
use super::output::Output;
use crate::api::event::BestMove;
use crate::api::settings::Settings;
use crate::engine::dyn_engine::{SearchRequest, SetupError, Start, search_and_wait};
use crate::engine::registry;
use crate::search::limits::Limits;
use crate::search::notation::Style;
use crate::search::types::{Score, UNIT};
use crate::support::json;
use anyhow::bail;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `flipside bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Threads of one search; the fingerprint is that of one thread. More than the processors are not started
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the transposition tables in MiB; the fingerprint is that of 16
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Search the list of this game instead: minichess
    #[arg(long, value_name = "NAME", value_parser = ["minichess"], conflicts_with = "endgame")]
    game: Option<String>,
    /// Measure the endgame solver instead, on one thread: board kernels, 12 empty squares, FFO #40 to #49
    #[arg(long, conflicts_with = "threads")]
    endgame: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "endgame")]
    json: bool,
}

/// A searched position of `--json`.
#[derive(Serialize)]
struct BenchLine {
    game: String,
    bestmove: String,
    /// In the game's unit, for the side to move.
    score: f64,
    depth: u32,
    nodes: u64,
}

impl BenchLine {
    fn new(game: &str, best_move: &BestMove) -> BenchLine {
        let best = best_move.info.as_ref();
        BenchLine {
            game: game.to_string(),
            bestmove: best_move.mv.as_deref().map_or("none".to_string(), str::to_ascii_lowercase),
            score: best.map_or(0.0, |best| f64::from(best.score) / f64::from(UNIT)),
            depth: best.map_or(0, |best| best.depth),
            nodes: best_move.statistics.nodes,
        }
    }
}

/// The object of `--json`.
#[derive(Serialize)]
struct BenchReport {
    nodes: u64,
    seconds: f64,
    positions: Vec<BenchLine>,
}

/// Name of the game, position (empty: the start position), depth in plies.
pub type BenchPosition = (&'static str, &'static str, u32);

/// Reversi from the opening to the endgame, tic-tac-toe and Connect Four.
pub const POSITIONS: [BenchPosition; 12] = [
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

/// MiniChess: positions of games, from the start to the limit of moves. Searched without endgame tables, which would change
/// the nodes where they are installed.
pub const MINICHESS: [BenchPosition; 9] = [
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

/// The result of a bench.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprint {
    /// Positions entered.
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
    /// The score of each position.
    pub scores: Vec<Score>,
}

/// Searches a list of positions; calls `report` with the game and the result of each.
///
/// # Errors
/// A position cannot be read, or a search ends without an answer.
pub fn measure(
    list: &[BenchPosition],
    threads: usize,
    hash: usize,
    mut report: impl FnMut(&str, &BestMove),
) -> anyhow::Result<Fingerprint> {
    let mut sum = Fingerprint::default();
    for &(game, position, depth) in list {
        let disabled = if game == "minichess" { "tables" } else { "" };
        let mut engine = registry::open(&Settings {
            game: game.into(),
            hash,
            disabled_techniques: disabled.into(),
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
        report(game, &best_move);
        sum.nodes += best_move.statistics.nodes;
        sum.time += best_move.statistics.time;
        sum.scores.extend(best_move.info.map(|best| best.score));
    }
    Ok(sum)
}

/// Prints a line for each position and the totals.
///
/// # Errors
/// A search fails, or the output cannot be written.
pub fn run(args: &BenchArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    if args.endgame {
        return bench_endgame::run(args.hash as usize, out);
    }
    let mut written = Ok(());
    let mut positions = Vec::new();
    let list = if args.game.is_some() { &MINICHESS[..] } else { &POSITIONS[..] };
    let sum = measure(list, usize::from(args.threads), args.hash as usize, |game, best_move| {
        let line = BenchLine::new(game, best_move);
        if args.json {
            return positions.push(line);
        }
        let BenchLine { score, depth, nodes, .. } = line;
        let mv = best_move.mv.as_deref().unwrap_or("none");
        if written.is_ok() {
            written = writeln!(out, "{game:13} {mv:5} {score:+8.2} depth {depth:2} nodes {nodes:>10}");
        }
    })?;
    if args.json {
        let report = BenchReport { nodes: sum.nodes, seconds: sum.time.as_secs_f64(), positions };
        writeln!(out, "{}", json::line(&report)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let speed = sum.nodes as f64 / sum.time.as_secs_f64().max(1e-9);
    written?;
    writeln!(out, "nodes {}", sum.nodes)?;
    writeln!(out, "nps {speed:.0}")?;
    Ok(ExitCode::SUCCESS)
}
