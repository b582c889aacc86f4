//! `flipside analyze`: the best move, its score and the loss of the played move, for every move of a game.

mod analysed_game;
mod board_picture;
mod game_chart;
mod html;
mod report;

use crate::cli::args::xot::{FirstMove, XotArgs};
use crate::cli::io::game_input::NameFiles;
use crate::cli::io::input_lines;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::progress;
use crate::cli::io::reversi_games::ReversiGames;
use crate::cli::io::whole_file;
use crate::cli::review::{Analyser, DEFAULT_HASH, Effort};
use analysed_game::AnalysedGame;
use anyhow::anyhow;
use clap::Args;
use flipside_core::games::searcher_settings::OpenError;
use flipside_host::api::settings::Settings;
use flipside_support::seconds::parse_seconds;
use flipside_support::{json, thread_pool};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `flipside analyze`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside analyze game.ggf --html report.html",
    "flipside analyze --time 2 --json --all-moves games.txt",
    "flipside analyze --from xot tournament.ggf",
    "echo f5d6c3d3c4 | flipside analyze --depth 10 --svg game.svg",
])]
pub struct AnalyzeArgs {
    /// File of games in any format that `flipside convert` reads, recognised by content; `-` or no file reads standard
    /// input
    file: Option<PathBuf>,
    /// Work per move, in seconds of a typical processor; counted in positions, so verdicts are the same on every
    /// machine [default: 0.5, without --depth]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Search depth in plies before the exact endgame [default: as deep as the time allows]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Solve positions with at most this many empty squares exactly [default: 20; 1 more each time --time doubles]
    #[arg(long, value_name = "EMPTIES", alias = "exact", value_parser = clap::value_parser!(u32).range(0..=60))]
    exact_from: Option<u32>,
    /// First move to judge: the number of a move, `xot` for the ninth, or `auto` for the ninth of a game that begins with
    /// the eight set moves of XOT
    #[arg(long, value_name = "PLY|xot|auto", default_value = "auto")]
    from: FirstMove,
    #[command(flatten)]
    xot: XotArgs,
    /// Report the scores of all moves
    #[arg(long)]
    all_moves: bool,
    /// Positions analysed in parallel, at most the number of processors
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the transposition tables of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH as u32, value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    hash: u32,
    /// Evaluation function
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// File of weights for the evaluation `network`, `linear` or `weighted` (default: the built-in weights)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Print one JSON object per move
    #[arg(long)]
    json: bool,
    /// Draw the course of the game in this SVG file; later games get -2, -3, ... before the file's extension
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a report of all games to this self-contained HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    names: NameFiles,
}

/// Analyses the games of the file or of standard input.
///
/// # Errors
/// A file cannot be read or written. A game that cannot be read is reported and skipped.
pub fn run(args: &AnalyzeArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let mut analyser = args.analyser(&interrupt)?;
    input_lines::announce(args.file.as_deref(), "games in any format, such as a line of moves f5d6c3");
    let mut games = ReversiGames::open(args.file.as_deref(), &args.names, &interrupt)?;
    let xot_starts = args.xot.starts()?;
    drop(opening);
    let mut count = 0;
    let mut sections = Vec::new();
    while let Some((found, recorded)) = games.next_game()? {
        count += 1;
        let set_moves = args.from.set_moves(&recorded, found.record()?, &xot_starts);
        let bar =
            progress::bar((recorded.moves.len() - set_moves) as u64, "{msg} {bar:30} {pos}/{len} moves, {eta} left");
        bar.set_message(format!("game {count}"));
        let analysed = AnalysedGame::new(&mut analyser, &recorded, set_moves, count, args.all_moves, || bar.inc(1))?;
        bar.finish_and_clear();
        let Some(analysed) = analysed else { break };
        args.print(&analysed, out)?;
        if let Some(path) = &args.svg {
            whole_file::write(&whole_file::numbered(path, count), game_chart::svg(&analysed).as_bytes())?;
        }
        if args.html.is_some() {
            sections.push(html::section(&analysed));
        }
    }
    if let Some(path) = &args.html {
        whole_file::write(path, html::page(&sections).as_bytes())?;
    }
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::from(u8::from(games.has_bad_game())))
}

impl AnalyzeArgs {
    fn analyser(&self, interrupt: &Interrupt) -> anyhow::Result<Analyser> {
        let settings = Settings {
            evaluation: self.evaluation.clone(),
            weights: self.weights.clone(),
            hash: self.hash as usize,
            ..Settings::default()
        };
        let effort = Effort::new(self.time, self.depth, self.exact_from);
        let analyser = Analyser::new(&settings, effort, thread_pool::useful(usize::from(self.threads)), interrupt);
        analyser.map_err(|error| match error {
            OpenError::Memory(error) => anyhow!("--hash is too large: {error}"),
            OpenError::Thread(_) => error.into(),
            other => anyhow::Error::new(other).context("cannot use the evaluation"),
        })
    }

    fn print(&self, game: &AnalysedGame, out: &mut Output) -> anyhow::Result<()> {
        if !self.json {
            return Ok(out.write_all(report::text(game).as_bytes())?);
        }
        for mv in &game.moves {
            writeln!(out, "{}", json::line(mv)?)?;
        }
        Ok(())
    }
}
