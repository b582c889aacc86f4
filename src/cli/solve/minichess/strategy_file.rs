//! Files of strategies: a first line as of other proofs, then one byte for each move. docs/json.md describes them.

use super::proof_file::Theorem;
use crate::cli::io::proof_lines::ProofLines;
use anyhow::ensure;
use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::proof::strategy::{self, StrategyError, Walked};
use flipside_core::games::minichess::proof::{Leaves, Outcome, Prover};
use flipside_core::games::minichess::tables::EndgameTables;
use flipside_core::search::limits::Stop;
use flipside_support::json;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// The format that this program writes.
pub const FORMAT: &str = "flipside minichess strategy 3";

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrategyHeader {
    /// In the format [`FORMAT`].
    #[serde(flatten)]
    pub theorem: Theorem,
    /// Whether endgame tables decide positions.
    tables: bool,
    /// MiB of the table of positions that the walk has been through.
    hash: usize,
}

/// Writes the strategy that proves an outcome; the walk takes a table of this many MiB.
///
/// # Errors
/// As [`strategy::write`].
pub fn write(
    prover: &mut Prover,
    board: &Board,
    outcome: Outcome,
    hash: usize,
    out: &mut dyn Write,
    stop: &Stop,
) -> Result<Walked, StrategyError> {
    let theorem = Theorem::new(FORMAT, board, outcome);
    let header = StrategyHeader { theorem, tables: prover.tables().is_some(), hash };
    writeln!(out, "{}", json::sealed_line(&header).map_err(io::Error::from)?)?;
    strategy::write(prover, board, outcome, hash, out, stop)
}

/// Reads the first line.
///
/// # Errors
/// It is damaged or another one.
pub fn read(input: impl BufRead) -> anyhow::Result<StrategyHeader> {
    let header: StrategyHeader = ProofLines::new(input).first("a strategy")?;
    header.theorem.check_format(FORMAT)?;
    Ok(header)
}

impl StrategyHeader {
    /// Checks that the moves that follow the first line prove the result.
    ///
    /// # Errors
    /// They do not.
    pub fn check(
        &self,
        input: &mut dyn BufRead,
        tables: Option<&EndgameTables>,
        leaves: Leaves,
        stop: &Stop,
    ) -> anyhow::Result<Walked> {
        let (board, outcome) = self.theorem.read()?;
        let tables = tables.filter(|_| self.tables);
        ensure!(tables.is_some() == self.tables, "it needs the endgame tables, which flipside tables makes");
        Ok(strategy::check(input, &board, outcome, tables, self.hash, leaves, stop)?)
    }
}
