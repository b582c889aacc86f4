//! `flipside verify`: checks a proof against the rules and solves its leaves again.

use super::bounds_text::bounds_text;
use super::proof_file::{self, Proof};
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::solve::minichess;
use anyhow::{Context, bail, ensure};
use clap::Args;
use flipside_core::games::minichess::proof::Leaves;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::obf;
use flipside_core::games::reversi::proof::Bounds;
use flipside_core::games::reversi::proof::certificate::{Claim, Side, check};
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::games::reversi::symmetry::Symmetry;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::solve::SolveTask;
use flipside_core::search::types::UNIT;
use flipside_support::ordered_pool;
use flipside_support::random::Random;
use flipside_support::thread_pool;
use serde::Serialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside verify`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside verify proof.jsonl", "flipside verify --sample 100 proof.jsonl"])]
pub struct VerifyArgs {
    /// Proof file of flipside join, or of flipside solve --certificate, for which --sample does not count, nor --jobs and
    /// --hash if it is a list of claims
    file: PathBuf,
    /// Solve a random sample of this number of leaves again, instead of all
    #[arg(long, value_name = "NUMBER")]
    sample: Option<usize>,
    /// Seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leaves solved in parallel, at most the number of processors
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Memory of the transposition tables of all jobs together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The result of the check: the object of `--json`.
#[derive(Serialize)]
struct Verdict<'a> {
    position: &'a str,
    proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<(i32, i32)>,
    claims: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Checks the proof and prints what it proves. The status is 1 if it proves nothing.
///
/// # Errors
/// The file cannot be read or is not a proof, or the output cannot be written.
pub fn run(args: &VerifyArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let place = || args.file.display().to_string();
    let file = File::open(&args.file).with_context(|| format!("cannot read {}", place()))?;
    let mut file = BufReader::new(file);
    if minichess::verify::is_proof(file.fill_buf().with_context(place)?) {
        let threads = thread_pool::useful(usize::from(args.jobs));
        let leaves = || Leaves::new(args.hash as usize, threads).context("--hash is too large");
        return minichess::verify::run(file, leaves, args.json, out).with_context(place);
    }
    let (proof, claims) = proof_file::read(file).with_context(place)?;
    let leaves = match check_root(&proof, &claims).and_then(|()| Ok(check(&claims)?)) {
        Ok(leaves) => leaves,
        Err(error) => return args.refuse(&proof, &claims, &error, out),
    };
    let mut drawn = leaves.clone();
    Random(args.seed).shuffle(&mut drawn);
    drawn.truncate(args.sample.unwrap_or(usize::MAX));
    let interrupt = Interrupt::new()?;
    let nodes = match solve_again(args, &claims, &drawn, &interrupt) {
        Ok(nodes) => nodes,
        Err(_) if interrupt.is_raised() => return Ok(ExitCode::from(INTERRUPTED)),
        Err(error) => return args.refuse(&proof, &claims, &error, out),
    };
    let verdict = Verdict {
        proven: true,
        bounds: Some(proof.bounds),
        leaves: Some(leaves.len()),
        solved: Some(drawn.len()),
        nodes: Some(nodes),
        ..Verdict::of(&proof, &claims)
    };
    let (lower, upper) = proof.bounds;
    let words = format_args!(
        "{}: {}, by {} claims; {} of {} leaves solved again, {nodes} nodes",
        proof.position,
        bounds_text(Bounds { lower, upper }),
        claims.len(),
        drawn.len(),
        leaves.len()
    );
    out.print(args.json, &verdict, words)?;
    Ok(ExitCode::SUCCESS)
}

impl Verdict<'_> {
    /// The result for a proof that proves nothing.
    fn of<'a>(proof: &'a Proof, claims: &[Claim]) -> Verdict<'a> {
        Verdict {
            position: &proof.position,
            proven: false,
            bounds: None,
            claims: claims.len(),
            leaves: None,
            solved: None,
            nodes: None,
            reason: None,
        }
    }
}

impl VerifyArgs {
    /// Prints why the file proves nothing.
    fn refuse(
        &self,
        proof: &Proof,
        claims: &[Claim],
        error: &anyhow::Error,
        out: &mut Output,
    ) -> anyhow::Result<ExitCode> {
        let verdict = Verdict { reason: Some(format!("{error:#}")), ..Verdict::of(proof, claims) };
        out.print(self.json, &verdict, format_args!("no proof: {error:#}"))?;
        Ok(ExitCode::FAILURE)
    }
}

/// Checks that the claims named in the first line are about its position and match its bounds.
fn check_root(proof: &Proof, claims: &[Claim]) -> anyhow::Result<()> {
    let (board, _) = obf::position(&proof.position).map_err(|error| anyhow::anyhow!(error.0))?;
    let mut bounds = Bounds::UNKNOWN;
    for &root in &proof.roots {
        let claim = claims.get(root).with_context(|| format!("the first line names claim {root}, which is missing"))?;
        let same = Symmetry::canonical(claim.board).0 == Symmetry::canonical(board).0;
        ensure!(same, "claim {root} is about another position than the first line");
        match claim.side {
            Side::AtLeast => bounds.lower = bounds.lower.max(claim.score),
            Side::AtMost => bounds.upper = bounds.upper.min(claim.score),
        }
    }
    let proven = (bounds.lower, bounds.upper);
    ensure!(proven == proof.bounds, "the first line says {:?}, its claims say {proven:?}", proof.bounds);
    ensure!(!proof.roots.is_empty() && bounds.lower <= bounds.upper, "the claims of the first line prove nothing");
    Ok(())
}

/// Solves leaves again; returns the nodes.
fn solve_again(args: &VerifyArgs, claims: &[Claim], drawn: &[usize], interrupt: &Interrupt) -> anyhow::Result<u64> {
    // The default evaluation: it only orders moves; exact values do not depend on it.
    let evaluation = ReversiEvaluation::open("default", None)?;
    let jobs = thread_pool::useful(usize::from(args.jobs)).min(drawn.len().max(1));
    let options = SearcherOptions::with_tables(1, args.hash as usize / jobs);
    let searchers = (0..jobs).map(|_| searcher::open(&evaluation, &options)).collect::<Result<Vec<_>, _>>();
    let searchers = searchers.context("--hash is too large")?;
    let mut nodes = 0;
    let solve = |searcher: &mut ReversiSearcher, index: usize| {
        let claim = &claims[index];
        let stop = interrupt.watch(Stop::new(&Limits::default()));
        // Only the bound is needed.
        let alpha = if claim.side == Side::AtLeast { claim.score - 1 } else { claim.score };
        let window = (alpha * UNIT, (alpha + 1) * UNIT);
        let task = SolveTask { window, fresh: true, ..SolveTask::exact(1) };
        Some((index, searcher.solve(&claim.board, &task, &stop)?))
    };
    ordered_pool::run(searchers, drawn.iter().copied(), solve, |solved| {
        let (index, solution) = solved.context("the solve was stopped")?;
        let (claim, score) = (&claims[index], solution.score / UNIT);
        nodes += solution.nodes;
        let (holds, words) = match claim.side {
            Side::AtLeast => (score >= claim.score, "at most"),
            Side::AtMost => (score <= claim.score, "at least"),
        };
        if !holds {
            bail!("claim {index}: a solve shows {words} {score:+}, not {:+}", claim.score);
        }
        Ok(())
    })?;
    Ok(nodes)
}
