//! `flipside connect`: plays on a game server.

mod args;

use crate::cli::args::play_book::PlayBookArgs;
use crate::cli::io::interrupt::Interrupt;
use crate::cli::io::output::Output;
use anyhow::Context;
use args::{LoginArgs, PlayerArgs, RuleArgs};
use clap::{Args, Subcommand, ValueEnum};
use flipside_connect::client::Client;
use flipside_connect::event::Event;
use flipside_connect::ggs::{self, GgsClient, GgsSettings, MatchType};
use flipside_connect::imcs::{ImcsClient, ImcsSettings};
use flipside_connect::rules::{GameRules, StartRule};
use flipside_connect::run::{self, News, Server};
use flipside_core::games::names;
use flipside_host::api::settings::Settings;
use flipside_host::record::codec;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::ggf::GgfClock;
use flipside_support::seconds::parse_seconds;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Arguments of `flipside connect`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside connect ggs --name flip --password-file secret.txt --record games.ggf",
    "flipside connect imcs --host localhost --name flip --offer 300",
])]
pub struct ConnectArgs {
    #[command(subcommand)]
    server: ServerCommand,
}

/// The servers.
#[derive(Subcommand, Debug)]
enum ServerCommand {
    /// Play Othello on GGS, the Generic Game Server
    Ggs(Box<GgsArgs>),
    /// Play MiniChess on an IMCS server
    Imcs(Box<ImcsArgs>),
}

/// Arguments of `flipside connect ggs`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside connect ggs --name flip --password-file secret.txt --opponents alice,bob --rated no",
    "flipside connect ggs --name flip --offer s8r18 --clock 5:00 --to alice --games 1",
])]
struct GgsArgs {
    /// Host of the server
    #[arg(long, default_value = "skatgame.net", help_heading = "Server")]
    host: String,
    #[command(flatten)]
    login: LoginArgs,
    #[command(flatten)]
    rules: RuleArgs,
    /// Play rated games, unrated ones, or both
    #[arg(long, value_name = "WHICH", default_value = "any", help_heading = "Games")]
    rated: Rated,
    /// Starts of the games: any, usual, random, or pairs (two games at once with the colours swapped)
    #[arg(long, value_name = "KIND", default_value = "any", help_heading = "Games")]
    start: Start,
    /// Accept clocks with an increment
    #[arg(long, help_heading = "Games")]
    increments: bool,
    /// Accept clocks with extra time. The engine does not count on it
    #[arg(long, help_heading = "Games")]
    extra_time: bool,
    /// Offer matches of this type while none is played: 8, 8b, s8r18
    #[arg(long, value_name = "TYPE", help_heading = "Games")]
    offer: Option<MatchType>,
    /// Clock of the matches that are offered, in the server's words: minutes:seconds, then /increment and /extra time
    #[arg(long, value_name = "CLOCK", default_value = "5:00", value_parser = ggs_clock, help_heading = "Games")]
    clock: String,
    /// Offer matches to this player only
    #[arg(long, value_name = "NAME", requires = "offer", help_heading = "Games")]
    to: Option<String>,
    #[command(flatten)]
    player: PlayerArgs,
    #[command(flatten)]
    book: PlayBookArgs,
}

/// Which games are rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rated {
    Yes,
    No,
    Any,
}

/// The starts that suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Start {
    Any,
    Usual,
    Random,
    Pairs,
}

/// Arguments of `flipside connect imcs`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside connect imcs --host imcs.example.org --name flip --password-file secret.txt --register",
    "flipside connect imcs --host localhost --name flip --offer 300 --games 1 --record games.pgn",
])]
struct ImcsArgs {
    /// Host of the server
    #[arg(long, default_value = "localhost", help_heading = "Server")]
    host: String,
    #[command(flatten)]
    login: LoginArgs,
    /// Register the name if the server does not know it
    #[arg(long, help_heading = "Server")]
    register: bool,
    #[command(flatten)]
    rules: RuleArgs,
    /// Offer games with this many seconds for each side where no offer of others suits
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Games")]
    offer: Option<Duration>,
    #[command(flatten)]
    player: PlayerArgs,
}

/// Checks a clock in the words of GGS.
fn ggs_clock(text: &str) -> Result<String, String> {
    let is_clock = GgfClock::read(text).is_some_and(|clock| clock.main.is_some_and(|main| !main.is_zero()));
    let has_blank = text.contains(char::is_whitespace);
    let wrong = || format!("expected minutes:seconds such as 5:00, or 5:00/0:05/2:00, saw '{text}'");
    if is_clock && !has_blank { Ok(text.to_string()) } else { Err(wrong()) }
}

/// Plays until the server or the user ends it.
///
/// # Errors
/// The server cannot be reached or does not accept the login, or a game cannot be written.
pub fn run(args: &ConnectArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    match &args.server {
        ServerCommand::Ggs(args) => {
            let (name, password) = args.login.credentials()?;
            let offer = args.offer.clone().map(|kind| ggs::Offer {
                kind,
                clock: args.clock.clone(),
                opponent: args.to.clone(),
            });
            if let Some(reason) = offer.as_ref().and_then(|offer| offer.kind.refusal()) {
                anyhow::bail!("--offer: the engine cannot play it: {reason}");
            }
            let settings = GgsSettings { name, password, rules: args.rules(), offer, matches: args.login.games() };
            let server = args.login.server(&args.host, 5000);
            let engine = args.book.apply(args.player.settings(names::REVERSI.name)?);
            play(&mut GgsClient::new(settings), &server, engine, (args.login.record.as_deref(), Format::Ggf), out)
        }
        ServerCommand::Imcs(args) => {
            let (name, password) = args.login.credentials()?;
            let settings = ImcsSettings {
                name,
                password,
                register: args.register,
                rules: args.rules.rules(),
                offer: args.offer,
                games: args.login.games(),
            };
            let server = args.login.server(&args.host, 3589);
            let engine = args.player.settings(names::MINICHESS.name)?;
            play(&mut ImcsClient::new(settings), &server, engine, (args.login.record.as_deref(), Format::Pgn), out)
        }
    }
}

impl GgsArgs {
    fn rules(&self) -> GameRules {
        GameRules {
            rated: match self.rated {
                Rated::Yes => Some(true),
                Rated::No => Some(false),
                Rated::Any => None,
            },
            start: match self.start {
                Start::Any => StartRule::Any,
                Start::Usual => StartRule::Usual,
                Start::Random => StartRule::Random,
                Start::Pairs => StartRule::Pairs,
            },
            increments: self.increments,
            extra_time: self.extra_time,
            ..self.rules.rules()
        }
    }
}

/// Runs a client, and shows its news: a line for each event, and boards on a terminal.
fn play(
    client: &mut dyn Client,
    server: &Server,
    settings: Settings,
    (file, format): (Option<&Path>, Format),
    out: &mut Output,
) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new()?;
    let (sender, events) = channel();
    let stop = sender.clone();
    // A client that has ended hears nothing.
    interrupt.on_raise(move || drop(stop.send(Event::Stop)));
    // Opened before the first game, so that a file that cannot be written is reported at once.
    let mut record = file.map(open).transpose()?;
    let shows_boards = out.is_terminal();
    let mut tell = |news: News<'_>| -> anyhow::Result<()> {
        match news {
            News::Line(line) => writeln!(out, "{line}")?,
            News::Board(board) if shows_boards => writeln!(out, "{board}")?,
            News::Board(_) => {}
            News::Game(game) => {
                if let Some(record) = &mut record {
                    append(record, game, format)?;
                }
            }
        }
        Ok(out.flush()?)
    };
    let mut failure = None;
    let ended = run::run(client, server, settings, (sender, events), &mut |news| {
        tell(news).map_err(|error| {
            let said = error.to_string();
            failure = Some(error);
            said
        })
    });
    match (ended, failure) {
        (_, Some(error)) => Err(error),
        (Ok(()), None) => Ok(ExitCode::SUCCESS),
        (Err(error), None) => Err(error.into()),
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    let file = File::options().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write the games to {}", path.display()))
}

/// Appends a game in one write, so that a file that is cut short has whole games before the cut.
fn append(file: &mut File, game: &GameRecord, format: Format) -> anyhow::Result<()> {
    let mut text = codec::write(game, format)?;
    if format == Format::Pgn {
        text.push('\n');
    }
    file.write_all(text.as_bytes()).context("cannot write the game")
}
