//! Sweeps the solver's thresholds: `cargo bench --bench sweep -- FILE.obf [name=value[,value...]]`.
//!
//! `evaluation=NAME` orders moves with another evaluation than the default. Every value of the last argument is tried while
//! the others stay fixed. Each setting prints one line: nodes and wall time of one thread over the file. The run fails if
//! the scores of two settings differ.
#![allow(clippy::print_stdout, reason = "a program for people")]

use anyhow::{Context, bail, ensure};
use flipside::games::reversi::evaluation::ReversiEvaluation;
use flipside::games::reversi::obf::{self, ObfLine};
use flipside::games::reversi::searcher::{self, SearcherOptions};
use flipside::games::reversi::solver::settings::SolverSettings;
use flipside::search::limits::{Limits, Stop};
use flipside::search::solve::SolveTask;
use flipside::search::types::Selectivity;
use std::time::Instant;

fn main() -> anyhow::Result<()> {
    // Cargo adds `--bench`; without a file there is nothing to sweep.
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let Some(file) = words.next() else { return Ok(()) };
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {file}"))?;
    let data = text.lines().filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
    let lines = data.map(obf::line).collect::<Result<Vec<_>, _>>()?;
    let mut settings = SolverSettings::default();
    let mut rows = vec![(String::from("default"), settings)];
    let mut evaluation = String::from("linear");
    for word in words {
        let (name, values) = word.split_once('=').context("expected name=value[,value...]")?;
        if name == "evaluation" {
            evaluation = values.to_string();
            continue;
        }
        rows.clear();
        for value in values.split(',') {
            set(&mut settings, name, value.parse().with_context(|| format!("not a number: {value}"))?)?;
            rows.push((format!("{name}={value}"), settings));
        }
    }
    sweep(&ReversiEvaluation::open(&evaluation, None)?, &lines, rows)
}

fn set(settings: &mut SolverSettings, name: &str, value: i32) -> anyhow::Result<()> {
    match name {
        "evaluation_from" => settings.evaluation_from = value as u32,
        "shared_from" => settings.shared_from = value as u32,
        "stability_base" => settings.stability_base = value,
        "stability_slope" => settings.stability_slope = value,
        "reply_weight" => settings.reply_weight = value,
        "open_weight" => settings.open_weight = value,
        "parity_bonus" => settings.parity_bonus = value,
        "speed_weight" => settings.speed_weight = value,
        "second_bonus" => settings.second_bonus = value,
        "sort_from" => settings.sort_from = value as u32,
        "sort_step" => settings.sort_step = value as u32,
        "sort_window" => settings.sort_window = value,
        "sort_most" => settings.sort_most = value as u32,
        "value_from" => settings.value_from = value as u32,
        "first_pass" => settings.passes[0].0 = Selectivity::from_percent(value as u8),
        "first_from" => settings.passes[0].1 = value as u32,
        "second_pass" => settings.passes[1].0 = Selectivity::from_percent(value as u8),
        "second_from" => settings.passes[1].1 = value as u32,
        "root_width" => settings.root_width = value,
        other => bail!("no threshold of the name {other}"),
    }
    Ok(())
}

fn sweep(evaluation: &ReversiEvaluation, lines: &[ObfLine], rows: Vec<(String, SolverSettings)>) -> anyhow::Result<()> {
    let mut expected = None;
    for (name, solver) in rows {
        let options = SearcherOptions { solver, ..SearcherOptions::with_tables(1, 256) };
        let searcher = searcher::open(evaluation, &options)?;
        let task = SolveTask { fresh: true, ..SolveTask::exact(1) };
        let (start, mut nodes, mut scores) = (Instant::now(), 0, Vec::new());
        for line in lines {
            let solution = searcher.solve(&line.board, &task, &Stop::new(&Limits::default()));
            let solution = solution.context("nobody stops a solve")?;
            nodes += solution.nodes;
            scores.push(solution.score);
        }
        println!("{name:24} {nodes:12} nodes {:8.2} s", start.elapsed().as_secs_f64());
        ensure!(*expected.get_or_insert_with(|| scores.clone()) == scores, "{name} changed a score");
    }
    Ok(())
}
