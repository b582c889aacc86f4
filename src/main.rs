//! The command line: no subcommand is the engine.

use clap::{Args, Parser, Subcommand};
use flipside::api::command::GoLimits;
use flipside::engine::options::Settings;
use flipside::engine::session::Session;
use flipside::engine::{skill, stdio};
use flipside::protocol::{self, Protocol};
use flipside::textbook::plan::Algorithm;
#[cfg(feature = "train")]
use flipside::train;
use flipside::{cli, referee};
use std::io::{BufReader, IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// A game engine that talks: Reversi, MiniChess and more, over GTP, NBoard, UCI and XBoard.
///
/// Without a subcommand the engine reads commands from standard input and answers on standard
/// output; the first line decides the protocol.
#[derive(Parser)]
#[command(name = "flipside", version)]
struct Cli {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Args)]
struct EngineArgs {
    /// Protocol to speak: gtp, nboard, uci or xboard (default: the first line decides)
    #[arg(long, value_name = "NAME")]
    protocol: Option<String>,
    /// Speak GTP
    #[arg(long, conflicts_with_all = ["protocol", "nboard", "uci", "xboard"])]
    gtp: bool,
    /// Speak NBoard
    #[arg(long, conflicts_with_all = ["protocol", "uci", "xboard"])]
    nboard: bool,
    /// Speak UCI
    #[arg(long, conflicts_with_all = ["protocol", "xboard"])]
    uci: bool,
    /// Speak XBoard's protocol
    #[arg(long, conflicts_with = "protocol")]
    xboard: bool,
    /// Game to play: reversi, minichess, tic-tac-toe or connect-four
    #[arg(long, default_value = "reversi")]
    game: String,
    /// Threads of one search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the search tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Who searches: pvs in full strength, or as in the textbook minimax, alphabeta, alphabeta-hard, negamax, scout
    #[arg(long, value_name = "NAME", default_value = "pvs")]
    algorithm: Algorithm,
    /// How positions are judged (the game's own best if not given)
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// File of weights for Reversi's evaluation, learned or weighted (default: those in the program)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Effort of a move in plies at most; 60 is unlimited
    #[arg(long, value_name = "PLIES", default_value_t = skill::FULL_LEVEL, value_parser = clap::value_parser!(u32).range(0..=60))]
    level: u32,
    /// Playing strength in percent; less looks less far and judges a little wrong
    #[arg(long, value_name = "PERCENT", default_value_t = skill::FULL_STRENGTH, value_parser = clap::value_parser!(u32).range(0..=100))]
    strength: u32,
    /// How much worse than the best a move may be, in hundredths of a disc or pawn
    #[arg(long, value_name = "HUNDREDTHS", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=2000))]
    variety: i32,
    /// Decides what is chosen where strength or variety leave a choice; 0 is another each time
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=0x7fff_ffff))]
    seed: u64,
    /// Search depth in plies when the host sets no limit
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Positions a move when the host sets no limit
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds a move when the host sets no limit; fractions allowed (default: 2)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Write diagnostics and the traffic to this file instead of stderr
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// What can be done besides playing.
#[derive(Subcommand)]
enum Task {
    /// Search a fixed list of positions; the node count is the fingerprint of the search
    Bench(cli::bench::BenchArgs),
    /// Count the leaves of the game tree
    Perft(cli::perft::PerftArgs),
    /// Run engines against each other and give a verdict
    Match(Box<referee::MatchArgs>),
    /// Check that an engine keeps the rules of its protocol
    Lint(referee::lint::LintArgs),
    /// Search random lines and print those that favour nobody
    Openings(referee::find_openings::OpeningsArgs),
    /// Solve Reversi positions exactly, one answer a line
    Solve(cli::solve::SolveArgs),
    /// Judge the moves of Reversi games: what was played, what was best, what it cost
    Analyze(cli::analyze::AnalyzeArgs),
    /// Search a position with a searcher of the textbook
    Search(cli::search::SearchArgs),
    /// Show what a searcher of the textbook does on a drawn tree or a position
    Trace(cli::trace::TraceArgs),
    /// Count how fast searched trees grow with depth
    Growth(cli::growth::GrowthArgs),
    /// Make the endgame tables of MiniChess, or ask them
    Tables(cli::tables::TablesArgs),
    /// Make weights for the evaluations of Reversi and MiniChess: self-play, samples, fitting
    #[cfg(feature = "train")]
    Train(train::TrainArgs),
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| format!("expected seconds such as 0.5, saw '{text}'"))?;
    Duration::try_from_secs_f64(value)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected more than 0 seconds".into())
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.task {
        None => play(&cli.engine).map(|()| ExitCode::SUCCESS),
        Some(Task::Bench(args)) => start_log(None).and_then(|()| cli::bench::run(&args)),
        Some(Task::Perft(args)) => start_log(None).and_then(|()| cli::perft::run(&args)),
        Some(Task::Match(args)) => start_log(args.log()).and_then(|()| referee::run(&args)),
        Some(Task::Lint(args)) => start_log(None).and_then(|()| referee::lint::run(&args)),
        Some(Task::Openings(args)) => start_log(None).and_then(|()| referee::find_openings::run(&args)),
        Some(Task::Solve(args)) => start_log(None).and_then(|()| cli::solve::run(&args)),
        Some(Task::Analyze(args)) => start_log(None).and_then(|()| cli::analyze::run(&args)),
        Some(Task::Search(args)) => start_log(None).and_then(|()| cli::search::run(&args)),
        Some(Task::Trace(args)) => start_log(None).and_then(|()| cli::trace::run(&args)),
        Some(Task::Growth(args)) => start_log(None).and_then(|()| cli::growth::run(&args)),
        Some(Task::Tables(args)) => start_log(None).and_then(|()| cli::tables::run(&args)),
        #[cfg(feature = "train")]
        Some(Task::Train(args)) => start_log(None).and_then(|()| train::run(&args)),
    };
    outcome.unwrap_or_else(|error| {
        // Nothing is left to do if even stderr is gone.
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("flipside: {error:#}\n"));
        ExitCode::from(2)
    })
}

/// Diagnostics go to stderr as `RUST_LOG` asks (warnings if it does not), or all of them with the
/// traffic to a file.
fn start_log(file: Option<&Path>) -> anyhow::Result<()> {
    use anyhow::Context;
    let default = if file.is_some() { "debug" } else { "warn" };
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(default));
    builder.target(env_logger::Target::Pipe(Box::new(stdio::Diagnostics)));
    if let Some(path) = file {
        let file = std::fs::File::create(path).with_context(|| format!("cannot write the log {}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    builder.try_init().context("cannot start the log")
}

fn play(args: &EngineArgs) -> anyhow::Result<()> {
    let protocol = chosen_dialect(args)?;
    if protocol.as_ref().is_some_and(|protocol| protocol.wants_silent_stderr()) {
        stdio::silence_stderr();
    }
    start_log(args.log.as_deref())?;
    // A panic is caught where it happens; its message belongs to the diagnostics.
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    if stdin().is_terminal() && protocol.is_none() {
        cli::greet();
    }
    let settings = Settings {
        game: args.game.clone(),
        hash: args.hash as usize,
        threads: usize::from(args.threads),
        algorithm: args.algorithm,
        evaluation: args.evaluation.clone(),
        weights: args.weights.clone(),
        level: args.level,
        strength: args.strength,
        variety: args.variety,
        seed: args.seed,
        ..Settings::default()
    };
    let defaults = GoLimits { depth: args.depth, nodes: args.nodes, move_time: args.move_time, ..GoLimits::default() };
    let session = Session::new(settings, defaults, protocol, stdout().lock())?;
    let (inbox, backpressure) = session.door();
    // The reader ends with the process: it may be waiting for a line that never comes.
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || stdio::read(BufReader::new(stdin()), &inbox, &backpressure))?;
    session.run();
    Ok(())
}

fn chosen_dialect(args: &EngineArgs) -> anyhow::Result<Option<Box<dyn Protocol>>> {
    let flags = [(args.gtp, "gtp"), (args.nboard, "nboard"), (args.uci, "uci"), (args.xboard, "xboard")];
    let flag = flags.into_iter().find_map(|(set, name)| set.then_some(name));
    let Some(name) = flag.or(args.protocol.as_deref()) else { return Ok(None) };
    let known = protocol::NAMES.join(", ");
    protocol::open(name).map(Some).ok_or_else(|| anyhow::anyhow!("unknown protocol '{name}': one of {known}"))
}
