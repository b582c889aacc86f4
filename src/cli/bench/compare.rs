//! `flipside bench --compare OTHER`: runs this program and another one alternately, so that other load on the machine
//! affects both, and prints the ratio of their times with its confidence interval.

use super::cost::{Cost, Stopwatch};
use crate::cli::io::output::Output;
use anyhow::{Context, ensure};
use flipside_support::json;
use flipside_support::processor_time::Whose;
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// The comparison to make.
pub struct Comparison<'a> {
    /// The other program.
    pub other: &'a Path,
    /// Measured runs of each program.
    pub rounds: usize,
    /// The arguments of both programs.
    pub arguments: Vec<OsString>,
    /// Whether to print one JSON object instead of text.
    pub json: bool,
}

/// One run of each program, directly after one another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Round {
    own: Cost,
    other: Cost,
}

/// A geometric mean of ratios with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Ratio {
    ratio: f64,
    low: f64,
    high: f64,
}

/// The object of `--json`. Ratios are this program's figure divided by the other one's.
#[derive(Serialize)]
struct Report {
    other: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_ratio: Option<Ratio>,
    seconds_ratio: Ratio,
    nodes_ratio: f64,
    rounds: Vec<Round>,
}

/// Runs both programs alternately, after one unmeasured run each to warm up, and prints the ratios.
///
/// # Errors
/// A program cannot be run, fails, or does not print its number of nodes.
pub fn run(comparison: &Comparison<'_>, out: &mut Output) -> anyhow::Result<ExitCode> {
    let own = std::env::current_exe().context("cannot find this program")?;
    let time = |program: &Path| time(program, &comparison.arguments);
    let warm = Round { own: time(&own)?, other: time(comparison.other)? };
    ensure!(warm.own.nodes > 0 && warm.other.nodes > 0, "a program searched no nodes");
    let mut rounds = Vec::new();
    for number in 0..comparison.rounds {
        // The order alternates, because the machine may slow down or speed up during the runs.
        let round = if number % 2 == 0 {
            let own = time(&own)?;
            Round { own, other: time(comparison.other)? }
        } else {
            let other = time(comparison.other)?;
            Round { own: time(&own)?, other }
        };
        if !comparison.json {
            writeln!(out, "{:3} this {} | other {}", number + 1, text(round.own), text(round.other))?;
        }
        rounds.push(round);
    }
    let report = report(comparison.other, rounds)?;
    if comparison.json {
        writeln!(out, "{}", json::line(&report)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(ratio) = report.user_ratio {
        writeln!(out, "user time  {}", ratio_text(ratio))?;
    }
    writeln!(out, "wall time  {}", ratio_text(report.seconds_ratio))?;
    writeln!(out, "nodes      {:.4}", report.nodes_ratio)?;
    Ok(ExitCode::SUCCESS)
}

fn report(other: &Path, rounds: Vec<Round>) -> anyhow::Result<Report> {
    let ratios = |figure: fn(Cost) -> Option<f64>| -> Option<Vec<f64>> {
        rounds.iter().map(|round| Some(figure(round.own)? / figure(round.other)?)).collect()
    };
    let user_ratio = ratios(|run| run.user_seconds).as_deref().and_then(geometric_mean);
    let seconds_ratio = ratios(|run| Some(run.seconds)).as_deref().and_then(geometric_mean);
    let nodes_ratio = ratios(|run| Some(run.nodes as f64)).as_deref().and_then(geometric_mean);
    Ok(Report {
        other: other.display().to_string(),
        user_ratio,
        seconds_ratio: seconds_ratio.context("the runs took no time")?,
        nodes_ratio: nodes_ratio.context("the runs had no nodes")?.ratio,
        rounds,
    })
}

/// One run of a program.
fn time(program: &Path, arguments: &[OsString]) -> anyhow::Result<Cost> {
    let name = program.display();
    let stopwatch = Stopwatch::start(Whose::Children);
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {name}"))?;
    let cost = stopwatch.cost(0);
    ensure!(output.status.success(), "{name} failed ({})", output.status);
    let printed = String::from_utf8_lossy(&output.stdout);
    let nodes = last_nodes(&printed).with_context(|| format!("{name} does not print a number of nodes"))?;
    Ok(Cost { nodes, ..cost })
}

/// The number after the last word `nodes`, which is the total in all versions of `bench`.
fn last_nodes(printed: &str) -> Option<u64> {
    let words: Vec<&str> = printed.split_whitespace().collect();
    words.windows(2).rev().find_map(|pair| (pair[0] == "nodes").then(|| pair[1].parse().ok())?)
}

fn text(cost: Cost) -> String {
    format!("{:.2} s{} nodes {}", cost.seconds, cost.processor_text(), cost.nodes)
}

fn ratio_text(Ratio { ratio, low, high }: Ratio) -> String {
    format!("{ratio:.3} of the other's, 95 % interval {low:.3} to {high:.3}")
}

/// The 97.5 % quantiles of Student's t distribution for one to ten degrees of freedom.
const STUDENT: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/// The geometric mean with its interval; `None` unless there are at least two ratios and all are positive numbers.
fn geometric_mean(ratios: &[f64]) -> Option<Ratio> {
    if ratios.len() < 2 || !ratios.iter().all(|&ratio| ratio > 0.0 && ratio.is_finite()) {
        return None;
    }
    let count = ratios.len() as f64;
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let mean = logs.iter().sum::<f64>() / count;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0);
    // Above ten degrees of freedom this formula gives the quantile, from 2.2 down to 1.96, to within 0.01.
    let degrees = ratios.len() - 1;
    let quantile = STUDENT.get(degrees - 1).copied().unwrap_or(1.96 + 2.7 / degrees as f64);
    let half = quantile * (variance / count).sqrt();
    Some(Ratio { ratio: mean.exp(), low: (mean - half).exp(), high: (mean + half).exp() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_of_nodes_is_the_sum() {
        let old = "FFO #40 +38 nodes     8138977    0.20 s  40.8 M/s\nFFO #40-#49 nodes 489558558 23.26 s 21.0 M/s\n";
        assert_eq!(last_nodes(old), Some(489_558_558));
        assert_eq!(last_nodes("reversi d3 depth 11 nodes 20319\nnodes 248684\nnps 1923228\n"), Some(248_684));
        assert_eq!(last_nodes("usage: nodes"), None);
        assert_eq!(last_nodes(""), None);
    }

    #[test]
    fn the_interval_is_that_of_student() {
        assert_eq!(geometric_mean(&[0.5]), None);
        assert_eq!(geometric_mean(&[0.5, 0.0]), None);
        let same = geometric_mean(&[0.8; 5]).expect("a mean");
        assert!([same.ratio, same.low, same.high].iter().all(|bound| (bound - 0.8).abs() < 1e-9), "{same:?}");
        // Logarithms -0.1, 0 and 0.1: standard error 0.1 / sqrt 3, two degrees of freedom.
        let ratio = geometric_mean(&[(-0.1_f64).exp(), 1.0, 0.1_f64.exp()]).expect("a mean");
        let half = 4.303 * 0.1 / 3.0_f64.sqrt();
        assert!((ratio.ratio - 1.0).abs() < 1e-9, "{ratio:?}");
        assert!((ratio.low.ln() + half).abs() < 1e-9 && (ratio.high.ln() - half).abs() < 1e-9, "{ratio:?}");
    }
}
