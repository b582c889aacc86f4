//! Files of proofs: a first line, then one claim per line, each with a checksum. docs/cluster.md describes them.

use super::state::State;
use crate::cli::io::proof_lines::{self, ProofLines};
use crate::cli::io::whole_file;
use anyhow::{Context, bail, ensure};
use flipside_core::games::reversi::obf;
use flipside_core::games::reversi::proof::Bounds;
use flipside_core::games::reversi::proof::certificate::{Claim, Reason, Side, claims};
use flipside_core::games::reversi::proof::plan::Question;
use flipside_support::json::PROGRAM;
use serde::{Deserialize, Serialize};
use std::io::BufRead;
use std::path::Path;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// `flipside proof 1`.
    pub format: String,
    /// The program that wrote it.
    pub program: String,
    /// The position.
    pub position: String,
    /// The proven lower and upper bound of its value, in discs for the side to move.
    pub bounds: (i32, i32),
    /// The numbers of the claims about the position itself.
    pub roots: Vec<usize>,
    /// Number of claims in the file.
    pub claims: usize,
}

/// The format that this program writes.
const FORMAT: &str = "flipside proof 1";

/// A claim as a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ClaimLine {
    claim: usize,
    position: String,
    bound: String,
    score: i32,
    reason: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    moves: Vec<(String, usize)>,
}

/// The bounds that a proof of the value, or of the outcome, must show.
fn bounds_to_prove(state: &State) -> Bounds {
    let bounds = state.bounds();
    match state.question {
        Question::Exact => bounds,
        // A win or a loss needs one bound; a draw needs both.
        Question::WinLossDraw if bounds.lower > 0 => Bounds { lower: 2, upper: 64 },
        Question::WinLossDraw if bounds.upper < 0 => Bounds { lower: -64, upper: -2 },
        Question::WinLossDraw => bounds,
    }
}

/// Writes the proof of a proven state.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, state: &State) -> anyhow::Result<()> {
    let bounds = bounds_to_prove(state);
    let roots: Vec<(Side, i32)> = roots_of(bounds).collect();
    let (claims, roots) = claims(&state.tree, &roots).context("the answers do not prove the value")?;
    let proof = Proof {
        format: FORMAT.into(),
        program: PROGRAM.into(),
        position: state.split.position.clone(),
        bounds: (bounds.lower, bounds.upper),
        roots,
        claims: claims.len(),
    };
    let lines = claims.iter().enumerate().map(|(number, claim)| claim_line(number, claim));
    let text = proof_lines::text(&proof, lines)?;
    whole_file::write(path, text.as_bytes())
}

/// The claims about the position that these bounds require.
fn roots_of(bounds: Bounds) -> impl Iterator<Item = (Side, i32)> {
    let lower = (bounds.lower > -64).then_some((Side::AtLeast, bounds.lower));
    let upper = (bounds.upper < 64).then_some((Side::AtMost, bounds.upper));
    lower.into_iter().chain(upper)
}

fn claim_line(number: usize, claim: &Claim) -> ClaimLine {
    let bound = match claim.side {
        Side::AtLeast => "at least",
        Side::AtMost => "at most",
    };
    let (reason, moves) = match &claim.reason {
        Reason::Over => ("over", Vec::new()),
        Reason::Solved => ("solved", Vec::new()),
        Reason::Moves(moves) => {
            ("moves", moves.iter().map(|&(square, next)| (obf::square_name(square), next)).collect())
        }
    };
    ClaimLine {
        claim: number,
        position: obf::show(claim.board, true),
        bound: bound.into(),
        score: claim.score,
        reason: reason.into(),
        moves,
    }
}

/// Reads a proof file. Does not check that the claims follow from each other.
///
/// # Errors
/// The file cannot be read, is damaged, or is not a proof.
pub fn read(input: impl BufRead) -> anyhow::Result<(Proof, Vec<Claim>)> {
    let mut lines = ProofLines::new(input);
    let proof: Proof = lines.first("a proof of flipside join")?;
    ensure!(proof.format == FORMAT, "expected '{FORMAT}', found '{}'", proof.format);
    let (lower, upper) = proof.bounds;
    ensure!(
        [lower, upper].into_iter().all(is_score),
        "line 1: expected bounds of -64 to 64, found {lower} and {upper}"
    );
    let claims = lines.claims(proof.claims, |line: &ClaimLine| line.claim, |line| claim_of(&line))?;
    Ok((proof, claims))
}

fn is_score(score: i32) -> bool {
    Bounds::UNKNOWN.hold(score)
}

fn claim_of(line: &ClaimLine) -> anyhow::Result<Claim> {
    ensure!(is_score(line.score), "expected a score of -64 to 64, found {}", line.score);
    let (board, _) = obf::position(&line.position).map_err(|error| anyhow::anyhow!(error.0))?;
    let side = match line.bound.as_str() {
        "at least" => Side::AtLeast,
        "at most" => Side::AtMost,
        other => bail!("expected 'at least' or 'at most', found '{other}'"),
    };
    let square = |(name, next): &(String, usize)| match obf::square(name) {
        Ok(("", square)) => Ok((square, *next)),
        _ => bail!("expected a square, found '{name}'"),
    };
    let reason = match line.reason.as_str() {
        "over" => Reason::Over,
        "solved" => Reason::Solved,
        "moves" => Reason::Moves(line.moves.iter().map(square).collect::<anyhow::Result<_>>()?),
        other => bail!("expected 'over', 'solved' or 'moves', found '{other}'"),
    };
    Ok(Claim { board, side, score: line.score, reason })
}
