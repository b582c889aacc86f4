//! `flipside` without a subcommand: the engine, which reads commands from standard input and answers on standard
//! output.

use crate::cli::args::evaluation::evaluation_help;
use crate::cli::args::play_book::PlayBookArgs;
use crate::cli::args::strength::StrengthArgs;
use crate::cli::args::variant_args::VariantArgs;
use crate::cli::io::interrupt::INTERRUPTED;
use crate::cli::io::output::Output;
use crate::cli::start::logging;
use crate::library::serve;
use anyhow::{Context, anyhow};
use clap::Args;
use flipside_core::games::names;
use flipside_core::search::algorithm::Algorithm;
use flipside_host::api::command::GoLimits;
use flipside_host::api::protocol::Protocol;
use flipside_host::api::settings::Settings;
use flipside_host::engine::registry::Registry;
use flipside_host::engine::session::SessionConfig;
use flipside_host::engine::stdio;
use flipside_host::protocol;
use flipside_support::seconds::parse_seconds;
use flipside_support::signals;
use std::io::{BufReader, IsTerminal, Read, Write, stderr, stdin};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The help of `--game`, with the games of the registry, each in its usual size and rule.
fn game_help() -> String {
    let usual = names::GAMES.iter().filter(|game| game.is_usual_variant());
    let names: Vec<_> = usual.map(|game| game.name).collect();
    format!("Game to play: {} (default: reversi; XBoard's is minichess)", names.join(", "))
}

/// Arguments of the engine itself.
#[derive(Args, Debug)]
pub struct EngineArgs {
    /// Protocol to speak: gtp, nboard, uci, xboard, gomocup, cassio or json (default: set by the first line)
    #[arg(long, value_name = "NAME", help_heading = "Protocol")]
    protocol: Option<String>,
    /// Speak GTP
    #[arg(long, conflicts_with_all = ["protocol", "nboard", "uci", "xboard"], help_heading = "Protocol")]
    gtp: bool,
    /// Speak NBoard
    #[arg(long, conflicts_with_all = ["protocol", "uci", "xboard"], help_heading = "Protocol")]
    nboard: bool,
    /// Speak UCI
    #[arg(long, conflicts_with_all = ["protocol", "xboard"], help_heading = "Protocol")]
    uci: bool,
    /// Speak XBoard
    #[arg(long, conflicts_with = "protocol", help_heading = "Protocol")]
    xboard: bool,
    #[arg(long, value_name = "NAME", help = game_help(), help_heading = "Engine")]
    game: Option<String>,
    #[command(flatten, next_help_heading = "Engine")]
    variant: VariantArgs,
    /// Threads of one search, at most the number of processors
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Engine")]
    threads: u16,
    /// Memory of the transposition tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536), help_heading = "Engine")]
    hash: u32,
    /// Search algorithm: pvs (full strength), or a textbook algorithm: minimax, alphabeta, alphabeta-hard, negamax,
    /// scout, uct
    #[arg(long, value_name = "NAME", default_value = "pvs", help_heading = "Engine")]
    algorithm: Algorithm,
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help(), help_heading = "Engine")]
    evaluation: String,
    /// File of weights for the evaluation (default: the built-in weights); for Reversi's `network`, `linear` and
    /// `weighted` and MiniChess's `network`, `tuned` and `by-hand`
    #[arg(long, value_name = "FILE", help_heading = "Engine")]
    weights: Option<PathBuf>,
    /// Refuse file names from hosts: the option Weights, a file as Book and the command loadsgf
    #[arg(long, help_heading = "Files")]
    no_files: bool,
    #[command(flatten, next_help_heading = "Strength")]
    strength: StrengthArgs,
    /// Largest loss of a played move against the best one, in hundredths of a disc or pawn
    #[arg(long, value_name = "HUNDREDTHS", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=2000), help_heading = "Strength")]
    variety: i32,
    /// Seed of the random choices of --strength, --variety and --book-variety; 0 takes a new seed each time
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=0x7fff_ffff), help_heading = "Strength")]
    seed: u64,
    #[command(flatten)]
    book: PlayBookArgs,
    /// Show the book's moves at the start of an analysis
    #[arg(long, help_heading = "Opening book")]
    book_analysis: bool,
    /// Search depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Limits where the host sets none")]
    depth: Option<u32>,
    /// Nodes per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits where the host sets none")]
    nodes: Option<u64>,
    /// Seconds per move; fractions allowed (default: 2)
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Limits where the host sets none")]
    move_time: Option<Duration>,
    /// Write diagnostics and the protocol traffic to this file instead of stderr
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    log: Option<PathBuf>,
}

/// Runs the engine until the host ends the session.
///
/// # Errors
/// The protocol, game or evaluation is unknown, or the weights or the log cannot be opened.
pub fn run(args: &EngineArgs, warnings: &[String], out: &mut Output) -> anyhow::Result<ExitCode> {
    let protocol = args.open_protocol()?;
    if protocol.as_ref().is_some_and(|protocol| protocol.wants_silent_stderr()) {
        stdio::silence_stderr();
    }
    logging::start(args.log.as_deref())?;
    warnings.iter().for_each(|warning| log::warn!("{warning}: ignored"));
    // Panics are caught where they happen; their messages go to the diagnostics.
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    let by_hand = stdin().is_terminal() && protocol.is_none();
    if by_hand {
        greet();
    }
    let config = SessionConfig {
        settings: args.settings()?,
        is_usual_game: args.game.is_none(),
        default_limits: args.default_limits(),
        protocol,
        recognize: if by_hand { recognize_by_hand } else { protocol::recognize },
        factory: Arc::new(Registry),
    };
    let input_ended = Arc::new(AtomicBool::new(false));
    if !stdin().is_terminal() {
        ignore_interrupts(&input_ended)?;
    }
    let input = WatchedInput { input: stdin(), ended: input_ended };
    serve::run(config, BufReader::new(input), out)?;
    Ok(ExitCode::SUCCESS)
}

/// Ignores interrupts while a host is connected: XBoard sends them to a thinking engine, and a terminal sends them to
/// every program that a host has started. After the end of the input an interrupt ends the program.
fn ignore_interrupts(input_ended: &Arc<AtomicBool>) -> anyhow::Result<()> {
    let ended = Arc::clone(input_ended);
    let handler = move || {
        if ended.load(Ordering::SeqCst) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    signals::on_interrupt(handler).context("cannot watch for interrupts")
}

/// An input that records its end.
struct WatchedInput<R> {
    input: R,
    ended: Arc<AtomicBool>,
}

impl<R: Read> Read for WatchedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.input.read(buffer)?;
        if length == 0 {
            self.ended.store(true, Ordering::SeqCst);
        }
        Ok(length)
    }
}

impl EngineArgs {
    /// The requested protocol; `None` if the first line selects it.
    fn open_protocol(&self) -> anyhow::Result<Option<Box<dyn Protocol>>> {
        let flags = [(self.gtp, "gtp"), (self.nboard, "nboard"), (self.uci, "uci"), (self.xboard, "xboard")];
        let flag = flags.into_iter().find_map(|(set, name)| set.then_some(name));
        let Some(name) = flag.or(self.protocol.as_deref()) else { return Ok(None) };
        let known = protocol::NAMES.join(", ");
        protocol::open(name).map(Some).ok_or_else(|| anyhow!("unknown protocol '{name}': one of {known}"))
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let settings = self.book.apply(Settings {
            game: self.variant.game(self.game.as_deref().unwrap_or(names::REVERSI.name))?,
            hash: self.hash as usize,
            threads: usize::from(self.threads),
            algorithm: self.algorithm,
            evaluation: self.evaluation.clone(),
            weights: self.weights.clone(),
            host_files: !self.no_files,
            variety: self.variety,
            seed: self.seed,
            book_analysis: self.book_analysis,
            ..Settings::default()
        });
        Ok(self.strength.apply(settings)?)
    }

    /// Limits where the host sets none.
    fn default_limits(&self) -> GoLimits {
        GoLimits { depth: self.depth, nodes: self.nodes, move_time: self.move_time, ..GoLimits::default() }
    }
}

/// The protocol of a first line that a person typed. A move gets a hint at `flipside play`.
fn recognize_by_hand(line: &str) -> Option<Box<dyn Protocol>> {
    let letters_and_digits = |chunk: &[u8]| matches!(chunk, [b'a'..=b'z' | b'A'..=b'Z', b'0'..=b'9']);
    let text = line.trim().as_bytes();
    if !text.is_empty() && text.chunks(2).all(letters_and_digits) {
        // The session goes on even if stderr is closed.
        let _ = writeln!(stderr(), "to play against the engine: flipside play");
    }
    protocol::recognize(line)
}

/// One line of help for a person who started the engine in a terminal.
fn greet() {
    let line = "flipside: type GTP (genmove b, showboard, list_commands), uci, nboard 2, or xboard; quit leaves; flipside --help";
    // The engine runs even if stderr is closed.
    let _ = writeln!(stderr(), "{line}");
}
