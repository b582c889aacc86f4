//! `flipside tables --men 5`, `--material`, `--check`: tables of five pieces.

use super::{Extent, generate as generate_four, open, tell};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::{Context, bail, ensure};
use flipside_core::games::minichess::state_text::one_line;
use flipside_core::games::minichess::tables::MaterialClass;
use flipside_core::games::minichess::tables::build::build_five;
use flipside_core::games::minichess::tables::check::{Mismatch, check_class, mismatch, random_board};
use flipside_core::games::minichess::tables::five::{self, classes_of, file_of, in_order, is_made, memory, placements};
use flipside_support::random::Random;
use flipside_support::thread_pool;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Seconds of a processor for each placement, and bytes of the file: measured (docs/training.md).
const SECONDS: f64 = 1.7e-6;
const BYTES: f64 = 0.15;

/// The tables that were made: the object of `--json`.
#[derive(Serialize)]
struct MadeFive {
    folder: String,
    materials: usize,
    made: usize,
    bytes: u64,
    seconds: f64,
}

/// The result of a check: the object of `--check --json`.
#[derive(Serialize)]
struct Checked {
    materials: usize,
    positions: u64,
    wrong: usize,
}

/// Makes the tables of these materials, and of those that they need; files that are there already are kept.
///
/// # Errors
/// A file cannot be written, or the tables of four pieces cannot be made.
pub fn generate(
    wanted: impl IntoIterator<Item = MaterialClass>,
    path: &Path,
    json: bool,
    out: &mut Output,
) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let folder = five::folder(path);
    let all = in_order(wanted);
    let missing: Vec<MaterialClass> = all.iter().copied().filter(|&class| !is_made(&folder, class)).collect();
    tell(out, json, format_args!("{}", plan(&all, &missing)))?;
    if !path.exists() {
        generate_four(path, json, out)?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (index, &class) in missing.iter().enumerate() {
        let begun = Instant::now();
        // Opened anew for each material: it may need those that were just made.
        let tables = open(path)?;
        let content = five::packed(class, &build_five(class, &tables));
        whole_file::write(&file_of(&folder, class), &content)?;
        let (bytes, seconds, number) = (content.len(), begun.elapsed().as_secs_f64(), index + 1);
        let name = class.name();
        tell(out, json, format_args!("{name}: {bytes} bytes, {seconds:.1} s ({number} of {})", missing.len()))?;
    }
    let size = |&class: &MaterialClass| std::fs::metadata(file_of(&folder, class)).map_or(0, |file| file.len());
    let (bytes, seconds) = (all.iter().map(size).sum(), started.elapsed().as_secs_f64());
    let folder = folder.display().to_string();
    let words = format!("{} materials, {bytes} bytes in {folder}, {seconds:.1} s", all.len());
    out.print(json, &MadeFive { folder, materials: all.len(), made: missing.len(), bytes, seconds }, words)?;
    Ok(ExitCode::SUCCESS)
}

/// What will be done: hours, size and memory.
fn plan(all: &[MaterialClass], missing: &[MaterialClass]) -> String {
    let placements: usize = missing.iter().map(|&class| placements(class)).sum();
    let processors = thread_pool::useful(usize::MAX);
    let minutes = placements as f64 * SECONDS / 60.0 / processors as f64;
    let memory = missing.iter().map(|&class| memory(class)).max().unwrap_or(0) >> 20;
    format!(
        "{} of {} materials to make: about {minutes:.0} minutes on {processors} processors, {:.0} MB of files, \
         {memory} MiB of memory beside the tables; after an interruption the same command continues",
        missing.len(),
        all.len(),
        placements as f64 * BYTES / 1e6
    )
}

/// Checks positions of the materials of five pieces that are there, or of these.
///
/// # Errors
/// There are none, one of these is missing, or the output cannot be written.
pub fn check(
    extent: Extent,
    wanted: &[MaterialClass],
    path: &Path,
    json: bool,
    out: &mut Output,
) -> anyhow::Result<ExitCode> {
    let tables = open(path)?;
    let mut materials: Vec<MaterialClass> = tables.five().collect();
    if let Some(missing) = wanted.iter().find(|class| !materials.contains(&class.pair())) {
        bail!("there is no table of {} beside {}", missing.name(), path.display());
    }
    materials.retain(|class| wanted.is_empty() || wanted.iter().any(|wanted| wanted.pair() == *class));
    materials.sort();
    ensure!(!materials.is_empty(), "there are no tables of five pieces beside {}", path.display());
    let (mut checked, mut wrong) = (0, 0);
    let mut report = |out: &mut Output, mismatches: Vec<Mismatch>| {
        wrong += mismatches.len();
        mismatches.into_iter().try_for_each(|Mismatch { board, found, expected }| {
            tell(out, json, format_args!("{}: {found:?}, but its moves give {expected:?}", one_line(&board)))
        })
    };
    match extent {
        Extent::Random(positions) => {
            let mut random = Random(1);
            for _ in 0..positions {
                let class = materials[random.below(materials.len())];
                let class = if random.below(2) == 0 { class } else { class.reversed() };
                report(out, mismatch(&tables, random_board(&mut random, class)).into_iter().collect())?;
            }
            checked = positions;
        }
        Extent::All => {
            for class in materials.iter().flat_map(|&class| classes_of(class)) {
                let (positions, mismatches) = check_class(&tables, class);
                checked += positions as u64;
                tell(out, json, format_args!("{}: {positions} positions", class.name()))?;
                report(out, mismatches)?;
            }
        }
    }
    let words = format!("{checked} positions of {} materials, {wrong} wrong", materials.len());
    out.print(json, &Checked { materials: materials.len(), positions: checked, wrong }, words)?;
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
