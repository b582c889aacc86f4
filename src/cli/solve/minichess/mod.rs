//! `flipside solve --game minichess`: proves the results of MiniChess positions under the move limit.

pub mod answer;
mod proof_file;
mod resume;
pub mod verify;

use super::args::SolveArgs;
use super::input::answer_all;
use super::positions::{Positions, Source};
use super::{Answers, positions_counter};
use crate::cli::io::input_lines::{self, InputLines};
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use answer::ProvenAnswer;
use anyhow::{Context, ensure};
use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::proof::{Prover, Verdict, prove, prove_moves};
use flipside_core::games::minichess::state_text::{read_fen, read_state};
use flipside_core::games::minichess::tables::file;
use flipside_core::search::limits::{Limits, Stop};
use flipside_support::{diagnostics, thread_pool};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

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
    let reader = BoardReader::new(lines, args.file.as_deref(), args.certificate.is_some());
    let mut positions = Positions::new(reader);
    let bar = positions_counter(args, out);
    let mut answers = match &args.resume {
        Some(path) => {
            let check = |answer: &str, line, board: &Board| resume::check(answer, line, board, args);
            Answers::File(positions.resume(path, args, check)?, path.clone())
        }
        None => Answers::Printed(out),
    };
    drop(opening);
    let jobs = thread_pool::useful(usize::from(args.jobs));
    let tables = file::installed();
    let provers: Result<Vec<_>, _> =
        (0..jobs).map(|_| Prover::new(args.hash as usize / jobs, tables.clone())).collect();
    let work = |prover: &mut Prover, board: &Board, line| work(prover, line, board, args, &interrupt).transpose();
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
fn work(
    prover: &mut Prover,
    line: u64,
    board: &Board,
    args: &SolveArgs,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<ProvenAnswer>> {
    let start = Instant::now();
    let stop = interrupt.watch(Stop::new(&Limits::default()));
    // An answer must not depend on the positions before it, or it would depend on the number of jobs.
    prover.clear();
    let verdict = |prover: &mut Prover| prove(prover, board, !args.wld, &stop);
    if args.all_moves {
        let Some(moves) = prove_moves(prover, board, !args.wld, &stop) else { return Ok(None) };
        let Some(verdict) = Verdict::of_moves(&moves).or_else(|| verdict(prover)) else { return Ok(None) };
        let answer = ProvenAnswer::new(line, board, &verdict, prover.nodes(), start.elapsed());
        return Ok(Some(answer.with_moves(board, &moves)));
    }
    let Some(verdict) = verdict(prover) else { return Ok(None) };
    let nodes = prover.nodes();
    if let Some(path) = &args.certificate
        && !write_certificate(path, prover, board, &verdict, &stop)?
    {
        return Ok(None);
    }
    Ok(Some(ProvenAnswer::new(line, board, &verdict, nodes, start.elapsed())))
}

/// Writes the certificate of a verdict; false if interrupted.
fn write_certificate(
    path: &Path,
    prover: &mut Prover,
    board: &Board,
    verdict: &Verdict,
    stop: &Stop,
) -> anyhow::Result<bool> {
    let Some(text) = proof_file::text(prover, board, verdict.outcome, stop)? else { return Ok(false) };
    whole_file::write(path, text.as_bytes())?;
    Ok(true)
}

/// Reads positions: states in one line, or FEN. Empty lines are skipped.
struct BoardReader {
    lines: std::iter::Zip<std::ops::RangeFrom<u64>, InputLines>,
    /// The file that is read, for messages; `None` for standard input.
    file: Option<PathBuf>,
    /// A certificate is of one position.
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
                    ensure!(!self.is_single || self.count == 1, "--certificate: expected one position, found another");
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
