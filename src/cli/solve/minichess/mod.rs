//! `flipside solve --game minichess`: proves the results of MiniChess positions under the move limit.

pub mod answer;
mod long_proof;
mod proof_file;
mod resume;
mod strategy_file;
pub mod verify;

use super::args::{Ask, SolveArgs};
use super::input::answer_all;
use super::positions::{Positions, Source};
use super::{Answers, shows_progress};
use crate::cli::io::input_lines::{self, InputLines};
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use answer::ProvenAnswer;
use anyhow::{Context, ensure};
use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::proof::strategy::StrategyError;
use flipside_core::games::minichess::proof::{Outcome, Prover, Verdict, prove_for, prove_moves};
use flipside_core::games::minichess::state_text::{read_fen, read_state};
use flipside_core::games::minichess::tables::file;
use flipside_core::search::limits::Stop;
use flipside_support::{diagnostics, thread_pool};
use indicatif::ProgressBar;
use long_proof::Watch;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Bytes that a certificate or a checkpoint takes at least, about: long work should not end with a full disk.
const LEAST_ROOM: usize = 1 << 20;

/// Proves the results of the positions of a file or of standard input.
///
/// # Errors
/// An option is Reversi's, or a file cannot be read or written.
pub fn run(args: &SolveArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    args.check_for_minichess()?;
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    input_lines::announce(args.file.as_deref(), "positions, one a line");
    let lines = input_lines::open(args.file.as_deref(), &interrupt)?;
    let reader = BoardReader::new(lines, args.file.as_deref(), args.takes_one_position());
    let mut positions = Positions::new(reader);
    let watch = Watch::new(&interrupt);
    let bar = match shows_progress(args, out) {
        true => watch.counter("{pos} proven, {searched} positions searched, {elapsed}"),
        false => ProgressBar::hidden(),
    };
    let mut answers = match &args.resume {
        Some(path) => {
            let check = |answer: &str, line, board: &Board| resume::check(answer, line, board, args);
            Answers::File(positions.resume(path, args, check)?, path.clone())
        }
        None => Answers::Printed(out),
    };
    for path in [&args.certificate, &args.checkpoint].into_iter().flatten() {
        whole_file::check_room(path, LEAST_ROOM)?;
    }
    drop(opening);
    let jobs = thread_pool::useful(usize::from(args.jobs));
    let threads = thread_pool::useful(usize::from(args.threads));
    let tables = file::installed();
    let provers: Result<Vec<_>, _> =
        (0..jobs).map(|_| Prover::new(table_mebibytes(args), threads, tables.clone())).collect();
    let work = |prover: &mut Prover, board: &Board, line| answer(prover, line, board, args, &watch).transpose();
    let provers = provers.context("--hash is too large")?;
    let written = answer_all(&mut positions, provers, &interrupt, work, |_, answer| {
        bar.inc(1);
        answers.write(&answer?.line(args.json)?)
    });
    bar.finish_and_clear();
    written?;
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::from(u8::from(positions.finish()? > 0)))
}

/// The answer to a position, whose certificate is written if it is wanted; none if interrupted.
fn answer(
    prover: &mut Prover,
    line: u64,
    board: &Board,
    args: &SolveArgs,
    watch: &Watch,
) -> anyhow::Result<Option<ProvenAnswer>> {
    let start = Instant::now();
    let only = args.ask.map(|ask| match ask {
        Ask::Win => board.to_move(),
        Ask::Loss => board.to_move().other(),
    });
    let verdict = |prover: &mut Prover, stop: &Stop| prove_for(prover, board, only, !args.wld, stop);
    let proven = long_proof::run(prover, args.checkpoint.as_deref(), watch, |prover, stop| {
        if !args.all_moves {
            return Some((verdict(prover, stop)?, None));
        }
        let moves = prove_moves(prover, board, !args.wld, stop)?;
        Some((Verdict::of_moves(&moves).or_else(|| verdict(prover, stop))?, Some(moves)))
    });
    let Some((verdict, moves)) = proven? else { return Ok(None) };
    let answer = ProvenAnswer::new(line, board, &verdict, prover.nodes(), start.elapsed());
    if let Some(path) = &args.certificate
        && !write_certificate(path, prover, board, verdict.outcome, args, watch)?
    {
        return Ok(None);
    }
    Ok(Some(match moves {
        Some(moves) => answer.with_moves(board, &moves),
        None => answer,
    }))
}

/// Writes the certificate of an outcome; false if interrupted.
fn write_certificate(
    path: &Path,
    prover: &mut Prover,
    board: &Board,
    outcome: Outcome,
    args: &SolveArgs,
    watch: &Watch,
) -> anyhow::Result<bool> {
    let stop = watch.stop(None);
    if !args.compact {
        let Some(text) = proof_file::text(prover, board, outcome, &stop)? else { return Ok(false) };
        whole_file::write(path, text.as_bytes())?;
        return Ok(true);
    }
    let hash = walk_mebibytes(args);
    let written = whole_file::write_with(path, |out| {
        strategy_file::write(prover, board, outcome, hash, out, &stop).map(|_| ()).map_err(|error| match error {
            StrategyError::Io(error) => error,
            error => io::Error::other(error),
        })
    });
    if stop.is_raised() { Ok(false) } else { written.map(|()| true) }
}

/// MiB of the table of a prover.
fn table_mebibytes(args: &SolveArgs) -> usize {
    (args.hash as usize - walk_mebibytes(args)) / thread_pool::useful(usize::from(args.jobs))
}

/// MiB of the table of a strategy's walk.
fn walk_mebibytes(args: &SolveArgs) -> usize {
    if args.compact { args.hash as usize / 8 } else { 0 }
}

/// Reads positions: states in one line, or FEN. Empty lines are skipped.
struct BoardReader {
    lines: std::iter::Zip<std::ops::RangeFrom<u64>, InputLines>,
    /// The file that is read, for messages; `None` for standard input.
    file: Option<PathBuf>,
    /// A certificate and a checkpoint are of one position.
    is_single: bool,
    count: u64,
}

impl BoardReader {
    fn new(lines: InputLines, file: Option<&Path>, is_single: bool) -> BoardReader {
        BoardReader { lines: (1..).zip(lines), file: file.map(Path::to_path_buf), is_single, count: 0 }
    }
}

impl Source for BoardReader {
    type Position = Board;

    fn read(&mut self, found: &mut VecDeque<(u64, Board)>) -> anyhow::Result<u64> {
        let mut bad = 0;
        for (number, line) in self.lines.by_ref() {
            let line = line.context("cannot read the positions")?;
            let text = String::from_utf8_lossy(&line);
            if text.trim().is_empty() {
                continue;
            }
            // A state begins with the number of the move, a FEN with a row.
            let is_state = text.split_whitespace().next().is_some_and(|word| word.parse::<u8>().is_ok());
            match if is_state { read_state(&text) } else { read_fen(&text) } {
                Ok(board) => {
                    self.count += 1;
                    ensure!(
                        !self.is_single || self.count == 1,
                        "expected one position for --certificate or --checkpoint, found another"
                    );
                    found.push_back((number, board));
                    break;
                }
                Err(reason) => {
                    bad += 1;
                    diagnostics::report(self.file.as_deref(), format_args!("line {number}: {reason}"))
                        .context("cannot report a bad line")?;
                }
            }
        }
        Ok(bad)
    }
}
