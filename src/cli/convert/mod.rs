//! `flipside convert`: converts games and positions between formats.

mod target;

use crate::cli::io::game_input::{FoundGame, GameInput, NameFiles};
use crate::cli::io::input_lines;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use flipside_core::games::names;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::recorded_game;
use flipside_host::engine::registry;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::ggf::GgfResult;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;
use std::process::ExitCode;
use target::Target;

/// Arguments of `flipside convert`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside convert --to ggf WTH_2001.wtb --out wth2001.ggf",
    "echo f5d6c3d3c4 | flipside convert --to pgn",
    "flipside convert --to svg --ply 20 game.sgf --out game.svg",
])]
pub struct ConvertArgs {
    /// File of games or positions in any of the formats, recognised by content; `-` or no file reads standard input
    file: Option<PathBuf>,
    /// Format to convert to
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Format,
    /// File to write to (default: standard output); WTHOR's names go to files beside it, pictures of later games to
    /// FILE-2, FILE-3, ...
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Cut each game after this ply, passes included; a position is taken here instead of at the game's end
    #[arg(long, value_name = "PLY")]
    ply: Option<usize>,
    /// Game of transcripts that do not name their game
    #[arg(long, value_name = "NAME", default_value = names::REVERSI.name)]
    game: String,
    #[command(flatten)]
    names: NameFiles,
}

/// Reads the name of a format.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let named = |name: String| Format::ALL.into_iter().find(|format| format.name() == name);
    PossibleValuesParser::new(Format::ALL.map(Format::name)).map(move |name| named(name).expect("a possible value"))
}

/// Converts the games of the input. Games that cannot be read or written are reported on stderr, and the status is then
/// 1.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn run(args: &ConvertArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let game = names::find(&args.game).with_context(|| {
        format!("unknown game '{}': one of {}", args.game, names::games().collect::<Vec<_>>().join(", "))
    })?;
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    input_lines::announce(args.file.as_deref(), "games or positions in any format");
    let mut input = GameInput::open(args.file.as_deref(), &args.names, game.name, &interrupt)?;
    let mut target = Target::new(args.to, args.out.clone(), out)?;
    drop(opening);
    let mut boards = Boards::default();
    let mut has_bad_game = false;
    while let Some(found) = input.next_game()? {
        let converted = boards.convert(&found, args, game.name);
        if let Err(reason) = converted.and_then(|(record, board)| target.add(&record, board, out)) {
            if reason.downcast_ref::<std::io::Error>().is_some() {
                return Err(reason);
            }
            has_bad_game = true;
            found.report(&reason)?;
        }
    }
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    target.finish(out)?;
    Ok(ExitCode::from(u8::from(has_bad_game)))
}

/// A board for each game of the input.
#[derive(Default)]
struct Boards(HashMap<&'static str, Box<dyn DynEngine>>);

impl Boards {
    fn of(&mut self, game: &'static str) -> anyhow::Result<&mut dyn DynEngine> {
        let board = match self.0.entry(game) {
            Entry::Occupied(board) => board.into_mut(),
            Entry::Vacant(place) => place.insert(registry::rules(game)?),
        };
        Ok(&mut **board)
    }

    /// The record in the target's notation, and the board at its end.
    fn convert(
        &mut self,
        found: &FoundGame,
        args: &ConvertArgs,
        default_game: &'static str,
    ) -> anyhow::Result<(GameRecord, &dyn DynEngine)> {
        let board = self.of(found.record()?.game.unwrap_or(default_game))?;
        let mut record = found.replay(board)?;
        if let Some(ply) = args.ply {
            let plies = record.moves.len();
            ensure!(ply <= plies, "it has only {plies} plies");
            if ply < plies {
                record.moves.truncate(ply);
                (record.result, record.opening) = (None, None);
                record = recorded_game::replay(board, &record)?;
            }
        }
        if args.to == Format::Ggf && record.result.is_some_and(|result| GgfResult::of(result).is_none()) {
            found.report(&anyhow!("ggf cannot say who won without a margin: its result is left out"))?;
        }
        let (start, moves) = (args.to.start_style(), args.to.move_style(board.game()));
        let record = match args.to {
            Format::Obf | Format::Fen => recorded_game::position(board, &record, start),
            Format::Svg => record,
            _ => recorded_game::restyled(board, &record, start, moves),
        };
        Ok((record, board))
    }
}
