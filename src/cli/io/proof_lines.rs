//! Files of proofs: a first line, then one claim a line, numbered from 0, each with a checksum.

use anyhow::{Context, bail, ensure};
use flipside_support::json::{self, Seal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{BufRead, Lines};
use std::iter::Enumerate;

/// The text of a proof.
///
/// # Errors
/// A line cannot be written as JSON.
pub fn text<L: Serialize>(first: &impl Serialize, claims: impl Iterator<Item = L>) -> serde_json::Result<String> {
    let mut text = json::sealed_line(first)? + "\n";
    for claim in claims {
        text += &(json::sealed_line(&claim)? + "\n");
    }
    Ok(text)
}

/// Reads the lines of a proof.
pub struct ProofLines<R>(Enumerate<Lines<R>>);

impl<R: BufRead> ProofLines<R> {
    /// The lines of this input.
    pub fn new(input: R) -> ProofLines<R> {
        ProofLines(input.lines().enumerate())
    }

    /// The next line, whose checksum fits.
    fn next(&mut self, expected: &str) -> anyhow::Result<String> {
        let (index, line) = self.0.next().with_context(|| format!("the file ends where {expected} is expected"))?;
        let line = line.with_context(|| format!("line {}", index + 1))?;
        match json::seal(&line) {
            Seal::Right => Ok(line),
            Seal::Wrong => bail!("line {}: the checksum is wrong", index + 1),
            Seal::Missing => bail!("line {}: not a line of a proof", index + 1),
        }
    }

    /// The first line of such a proof.
    ///
    /// # Errors
    /// The line cannot be read, is damaged, or is another one.
    pub fn first<H: DeserializeOwned>(&mut self, proof: &str) -> anyhow::Result<H> {
        serde_json::from_str(&self.next("the first line")?).with_context(|| format!("line 1: not {proof}"))
    }

    /// The claims, so many, to the end of the file.
    ///
    /// # Errors
    /// A line cannot be read, is damaged, or is another one.
    pub fn claims<L: DeserializeOwned, C>(
        mut self,
        count: usize,
        number_of: impl Fn(&L) -> usize,
        claim_of: impl Fn(L) -> anyhow::Result<C>,
    ) -> anyhow::Result<Vec<C>> {
        let mut claims = Vec::new();
        for number in 0..count {
            let line: L = serde_json::from_str(&self.next(&format!("claim {number}"))?)
                .with_context(|| format!("line {}: not a claim", number + 2))?;
            let found = number_of(&line);
            ensure!(found == number, "line {}: expected claim {number}, found {found}", number + 2);
            claims.push(claim_of(line).with_context(|| format!("line {}", number + 2))?);
        }
        ensure!(self.0.next().is_none(), "lines after the last claim");
        Ok(claims)
    }
}
