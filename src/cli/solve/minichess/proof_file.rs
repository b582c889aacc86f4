//! Files of MiniChess proofs: a first line, then one claim per line, each with a checksum. docs/json.md describes them.

use super::answer::GameResult;
use crate::cli::io::proof_lines::{self, ProofLines};
use anyhow::{Context, bail, ensure};
use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::proof::certificate::{Claim, Reason, claims, roots};
use flipside_core::games::minichess::proof::{Outcome, Prover};
use flipside_core::games::minichess::state_text::{one_line, read_state};
use flipside_core::search::limits::Stop;
use flipside_core::search::types::Side;
use flipside_support::json::PROGRAM;
use serde::{Deserialize, Serialize};
use std::io::BufRead;

/// The format that this program writes.
pub const FORMAT: &str = "flipside minichess proof 1";

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofHeader {
    /// In the format [`FORMAT`].
    #[serde(flatten)]
    pub theorem: Theorem,
    /// The numbers of the claims about the position itself.
    roots: Vec<usize>,
    /// Number of claims in the file.
    claims: usize,
}

/// What a file proves, in which format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Theorem {
    format: String,
    program: String,
    /// The position.
    pub position: String,
    /// The result for the side to move.
    result: GameResult,
    /// Plies to the end of a game that is won.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    plies: Option<u32>,
    /// Whether the proof excludes a shorter win.
    shortest: bool,
}

impl Theorem {
    /// That a position has this outcome, in this format.
    pub fn new(format: &str, board: &Board, outcome: Outcome) -> Theorem {
        let (result, plies) = GameResult::of(board, outcome);
        let shortest = !matches!(outcome, Outcome::Win { is_shortest: false, .. });
        Theorem { format: format.into(), program: PROGRAM.into(), position: one_line(board), result, plies, shortest }
    }

    /// Checks that it is in this format.
    ///
    /// # Errors
    /// It is in another one.
    pub fn check_format(&self, format: &str) -> anyhow::Result<()> {
        ensure!(self.format == format, "expected '{format}', found '{}'", self.format);
        Ok(())
    }

    /// The position and its outcome.
    ///
    /// # Errors
    /// The position is none, or the result lacks its plies.
    pub fn read(&self) -> anyhow::Result<(Board, Outcome)> {
        let board = read_state(&self.position).map_err(|error| anyhow::anyhow!(error.0))?;
        let outcome = self.result.outcome(&board, self.plies, self.shortest);
        Ok((board, outcome.context("the first line names no result")?))
    }

    /// The result in words.
    pub fn words(&self) -> String {
        self.result.words(self.plies, self.shortest)
    }
}

#[derive(Serialize, Deserialize)]
struct ClaimLine {
    claim: usize,
    position: String,
    side: String,
    plies: u32,
    forces: bool,
    reason: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    moves: Vec<(String, usize)>,
}

fn side_name(side: Side) -> &'static str {
    side.of(["white", "black"])
}

/// The text of a proof of an outcome; none if stopped.
pub fn text(prover: &mut Prover, board: &Board, outcome: Outcome, stop: &Stop) -> anyhow::Result<Option<String>> {
    let Some((claims, roots)) = claims(prover, board, outcome, stop) else { return Ok(None) };
    let header = ProofHeader { theorem: Theorem::new(FORMAT, board, outcome), roots, claims: claims.len() };
    let lines = claims.into_iter().enumerate().map(|(number, claim)| claim_line(number, claim));
    Ok(Some(proof_lines::text(&header, lines)?))
}

fn claim_line(number: usize, claim: Claim) -> ClaimLine {
    let (reason, moves) = match claim.reason {
        Reason::Rules => ("rules", Vec::new()),
        Reason::Table => ("table", Vec::new()),
        Reason::Moves(moves) => ("moves", moves),
    };
    let (position, side, reason) = (one_line(&claim.board), side_name(claim.attacker).into(), reason.into());
    let Claim { plies, forces, .. } = claim;
    ClaimLine { claim: number, position, side, plies, forces, reason, moves }
}

/// Reads a proof. Checks that its claims about the position are those that its result needs, but not that they follow
/// from each other.
///
/// # Errors
/// The file cannot be read, is damaged, or is not a proof.
pub fn read(input: impl BufRead) -> anyhow::Result<(ProofHeader, Vec<Claim>)> {
    let mut lines = ProofLines::new(input);
    let header: ProofHeader = lines.first("a proof")?;
    header.theorem.check_format(FORMAT)?;
    let claims = lines.claims(header.claims, |line: &ClaimLine| line.claim, claim_of)?;
    Ok((header, claims))
}

fn claim_of(line: ClaimLine) -> anyhow::Result<Claim> {
    let board = read_state(&line.position).map_err(|error| anyhow::anyhow!(error.0))?;
    let attacker = [Side::First, Side::Second].into_iter().find(|&side| side_name(side) == line.side);
    let attacker = attacker.with_context(|| format!("expected 'white' or 'black', found '{}'", line.side))?;
    let reason = match line.reason.as_str() {
        "rules" => Reason::Rules,
        "table" => Reason::Table,
        "moves" => Reason::Moves(line.moves),
        other => bail!("expected 'rules', 'table' or 'moves', found '{other}'"),
    };
    Ok(Claim { board, attacker, plies: line.plies, forces: line.forces, reason })
}

/// Checks that the claims named in the first line are those that its result needs of its position.
///
/// # Errors
/// Says what is missing.
pub fn check_roots(header: &ProofHeader, claims: &[Claim]) -> anyhow::Result<()> {
    let (board, outcome) = header.theorem.read()?;
    for (attacker, plies, forces) in roots(&board, outcome) {
        let mut named = header.roots.iter().filter_map(|&number| claims.get(number));
        let is_named = named
            .any(|claim| (claim.board, claim.attacker, claim.plies, claim.forces) == (board, attacker, plies, forces));
        let verb = if forces { "wins" } else { "does not win" };
        ensure!(is_named, "the first line names no claim that {} {verb} within {plies} plies", side_name(attacker));
    }
    Ok(())
}
