//! Checkpoints of a fit: a line of JSON that begins with its request, then 32-bit numbers.

use crate::cli::io::whole_file;
use anyhow::{Context, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The part that all records of checkpoints share.
#[derive(Deserialize)]
struct Request {
    request: String,
}

/// The files of a request: kind, name and size of each, with a blank before each word. Do not change the words: the
/// checkpoints of unfinished fits contain them.
///
/// # Errors
/// A file cannot be read.
pub fn words(kind: &str, files: &[PathBuf]) -> anyhow::Result<String> {
    let mut words = String::new();
    for path in files {
        let size = path.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
        words += &format!(" {kind} {} {size}", path.display());
    }
    Ok(words)
}

/// The message for a checkpoint that cannot be resumed.
pub fn damaged(path: &Path) -> String {
    format!("{} is damaged: remove it to start again", path.display())
}

/// The record and the bytes after it, if there is a checkpoint.
///
/// # Errors
/// It cannot be read, is damaged, or belongs to another request.
pub fn read<T: DeserializeOwned>(path: &Path, request: &str) -> anyhow::Result<Option<(T, Vec<u8>)>> {
    let mut bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let end = bytes.iter().position(|&byte| byte == b'\n').with_context(|| damaged(path))?;
    let rest = bytes.split_off(end + 1);
    let found: Request = serde_json::from_slice(&bytes).with_context(|| damaged(path))?;
    ensure!(found.request == request, "{} belongs to another fit: {}", path.display(), found.request);
    Ok(Some((serde_json::from_slice(&bytes).with_context(|| damaged(path))?, rest)))
}

/// Writes a checkpoint in place of the previous one.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, record: &impl Serialize, numbers: impl Iterator<Item = f32>) -> anyhow::Result<()> {
    let mut bytes = serde_json::to_vec(record)?;
    bytes.push(b'\n');
    bytes.extend(numbers.flat_map(f32::to_le_bytes));
    whole_file::write(path, &bytes)
}

/// The numbers in the bytes after a record.
pub fn numbers(bytes: &[u8]) -> Vec<f32> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|word| f32::from_le_bytes(*word)).collect()
}
