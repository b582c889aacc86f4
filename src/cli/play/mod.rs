//! `flipside play`: a game against the engine in a terminal, or with the same commands from a pipe.

mod clocks;
mod game;
mod record;
mod review;
mod setup;
mod thinking;
mod view;
mod words;

use crate::cli::args::evaluation::evaluation_help;
use crate::cli::args::play_book::PlayBookArgs;
use crate::cli::args::strength::StrengthArgs;
use crate::cli::args::variant_args::VariantArgs;
use crate::cli::args::xot::XotArgs;
use crate::cli::io::input_lines::{self, InputLines};
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt, lock};
use crate::cli::io::output::Output;
use anyhow::Context;
use clap::{Args, ValueEnum};
use clocks::TimeControl;
use console::Term;
use flipside_host::api::command::GoLimits;
use flipside_host::api::settings::Settings;
use flipside_support::seconds::parse_seconds;
use game::PlayedGame;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use setup::{GameSetup, Seat};
use std::io::{IsTerminal, Write, stdin};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use view::View;
use words::Word;

/// Columns where there is no terminal.
const PIPE_WIDTH: usize = 80;

/// Arguments of `flipside play`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside play",
    "flipside play --elo 1200",
    "flipside play --game minichess --black human --strength 60",
    "flipside play --black engine --white engine --tc 1+1",
    "flipside play --opening xot",
])]
pub struct PlayArgs {
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = "reversi")]
    game: String,
    #[command(flatten)]
    variant: VariantArgs,
    /// Begin each game of Reversi after set moves that favour neither side
    #[arg(long, value_enum, value_name = "LINES")]
    opening: Option<SetOpening>,
    #[command(flatten)]
    xot: XotArgs,
    /// Player of black, or of the side that begins in games without black and white [default: a person, who begins,
    /// against the engine]
    #[arg(long, value_name = "PLAYER")]
    black: Option<Seat>,
    /// Player of white, or of the other side
    #[arg(long, value_name = "PLAYER")]
    white: Option<Seat>,
    #[command(flatten)]
    strength: StrengthArgs,
    /// Largest loss of an engine's move against the best one, in hundredths of a disc or pawn
    #[arg(long, value_name = "HUNDREDTHS", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=2000))]
    variety: i32,
    /// Seed of the random choices of --strength, --variety and --book-variety; 0 takes a new seed each time
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=0x7fff_ffff))]
    seed: u64,
    #[command(flatten)]
    book: PlayBookArgs,
    /// Time control: minutes for each side, and seconds added per move [default: no clock]
    #[arg(long, value_name = "MIN+SEC")]
    tc: Option<TimeControl>,
    /// Seconds for a move of the engine or a hint without a clock, and for an analysis
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    move_time: Duration,
    /// Threads of one search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help())]
    evaluation: String,
}

/// The set moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SetOpening {
    /// Eight moves, another line for each game
    Xot,
}

/// Plays until the person quits or the input ends.
///
/// # Errors
/// The game or evaluation is unknown, the terminal or the output cannot be used, or a search fails.
pub fn run(args: &PlayArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let on_terminal = stdin().is_terminal() && out.is_terminal();
    let width = Term::stdout().size_checked().map_or(PIPE_WIDTH, |(_, columns)| usize::from(columns));
    let view = View { colours: out.is_terminal() && console::colors_enabled(), width };
    let mut game = PlayedGame::new(args.setup(view, interrupt.clone())?)?;
    drop(opening);
    let mut input = if on_terminal { Input::terminal(&interrupt)? } else { Input::pipe(&interrupt)? };
    out.write_all(game.seats_line().as_bytes())?;
    if on_terminal {
        writeln!(out, "type a move, or help")?;
    }
    out.write_all(game.board().as_bytes())?;
    let status = loop {
        while let Some(text) = game.advance()? {
            out.write_all(text.as_bytes())?;
        }
        // At a terminal, Ctrl-C during a search ends only the search.
        if interrupt.take() && !on_terminal {
            break ExitCode::from(INTERRUPTED);
        }
        out.flush()?;
        let word = match input.line(game.to_move(), || game.farewell())? {
            Line::Text(line) => words::parse(&line).map_err(anyhow::Error::msg),
            Line::End => Ok(Word::Quit),
            Line::Interrupted => break ExitCode::from(INTERRUPTED),
        };
        match word.and_then(|word| if word == Word::Quit { Ok(None) } else { game.execute(word).map(Some) }) {
            Ok(None) => break ExitCode::SUCCESS,
            Ok(Some(text)) => out.write_all(text.as_bytes())?,
            Err(error) => writeln!(out, "{}", view.wrap(&format!("{error:#}")))?,
        }
    };
    out.write_all(game.farewell().as_bytes())?;
    Ok(status)
}

impl PlayArgs {
    fn setup(&self, view: View, interrupt: Interrupt) -> anyhow::Result<GameSetup> {
        let game = self.variant.game(&self.game)?;
        let openings = self.opening.map(|SetOpening::Xot| self.xot.openings(&game, self.seed)).transpose()?;
        Ok(GameSetup {
            settings: self.strength.apply(self.book.apply(Settings {
                game,
                evaluation: self.evaluation.clone(),
                threads: usize::from(self.threads),
                variety: self.variety,
                seed: self.seed,
                ..Settings::default()
            }))?,
            openings,
            black: self.black,
            white: self.white,
            limits: GoLimits { move_time: Some(self.move_time), ..GoLimits::default() },
            time_control: self.tc,
            view,
            interrupt,
        })
    }
}

/// The source of the commands.
enum Input {
    /// A person, with line editing and a history, and what a signal prints while the prompt waits for input.
    Terminal(DefaultEditor, Arc<Mutex<Option<String>>>),
    /// A program or a file.
    Pipe(InputLines, Interrupt),
}

/// The result of reading a line.
enum Line {
    Text(String),
    End,
    Interrupted,
}

impl Input {
    fn terminal(interrupt: &Interrupt) -> anyhow::Result<Input> {
        let farewell = Arc::new(Mutex::new(None::<String>));
        let at_prompt = Arc::clone(&farewell);
        // At the prompt Ctrl-C is a key. Other signals do not wake the editor while it reads.
        interrupt.on_raise(move || {
            if let Some(text) = lock(&at_prompt).take() {
                drop(write!(Output::of_process(), "\n{text}"));
                std::process::exit(INTERRUPTED.into());
            }
        });
        Ok(Input::Terminal(DefaultEditor::new()?, farewell))
    }

    fn pipe(interrupt: &Interrupt) -> anyhow::Result<Input> {
        Ok(Input::Pipe(input_lines::open(None, interrupt)?, interrupt.clone()))
    }

    /// The next line; the prompt, shown to a person, is the side to move. A signal at the prompt prints `farewell`.
    fn line(&mut self, to_move: &str, farewell: impl FnOnce() -> String) -> anyhow::Result<Line> {
        match self {
            Input::Terminal(editor, at_prompt) => {
                *lock(at_prompt) = Some(farewell());
                let line = editor.readline(&format!("{to_move}> "));
                *lock(at_prompt) = None;
                match line {
                    Ok(line) => {
                        editor.add_history_entry(&line)?;
                        Ok(Line::Text(line))
                    }
                    Err(ReadlineError::Eof) => Ok(Line::End),
                    Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
                    Err(error) => Err(error).context("cannot read from the terminal"),
                }
            }
            Input::Pipe(lines, interrupt) => match lines.next() {
                Some(line) => {
                    let line = line.context("cannot read standard input")?;
                    Ok(Line::Text(String::from_utf8_lossy(&line).into_owned()))
                }
                None if interrupt.is_raised() => Ok(Line::Interrupted),
                None => Ok(Line::End),
            },
        }
    }
}
