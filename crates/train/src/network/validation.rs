//! Errors of a finished network on positions that its fit did not see, by number of empty squares.

use super::samples::NetworkSample;
use crate::samples::move_counts;
use flipside_core::games::reversi::evaluation::network::weights::PatternNetwork;
use flipside_core::games::reversi::evaluation::pattern::geometry::PatternIndices;
use flipside_core::search::types::UNIT;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The errors on the positions with a number of empty squares: root mean squares in discs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmptiesErrors {
    /// Empty squares.
    pub empties: u32,
    /// Positions.
    pub positions: usize,
    /// Of the linear weights alone.
    pub linear: f64,
    /// Of the network from which the fit started, if it was not random numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Of the fitted network.
    pub network: f64,
}

/// The errors of the network and of the one from which its fit started, for each number of empty squares with positions.
pub fn errors_by_empties(
    network: &PatternNetwork,
    start: Option<&PatternNetwork>,
    samples: &[NetworkSample],
) -> Vec<EmptiesErrors> {
    let of = |empties: u32| {
        let samples: Vec<_> = samples.iter().filter(|sample| sample.board.empties() == empties).collect();
        let mean = |network: Option<&PatternNetwork>| {
            let square = |sample: &&NetworkSample| f64::from(error(network, sample)).powi(2);
            (samples.iter().map(square).sum::<f64>() / samples.len() as f64).sqrt()
        };
        (!samples.is_empty()).then(|| EmptiesErrors {
            empties,
            positions: samples.len(),
            linear: mean(None),
            start: start.map(|start| mean(Some(start))),
            network: mean(Some(network)),
        })
    };
    (0..=60).into_par_iter().filter_map(of).collect()
}

/// The error for a position in discs; of the linear weights without a network.
fn error(network: Option<&PatternNetwork>, &NetworkSample { board, target, .. }: &NetworkSample) -> f32 {
    let correction =
        network.map_or(0, |network| network.correction(&PatternIndices::of(board), board, move_counts(board)));
    correction as f32 / UNIT as f32 - target
}

/// The errors as a table.
pub fn table(errors: &[EmptiesErrors]) -> String {
    let has_start = errors.iter().any(|class| class.start.is_some());
    let start = if has_start { ", start" } else { "" };
    let mut text = format!("empty squares: positions: root mean square of linear{start}, network\n");
    for &EmptiesErrors { empties, positions, linear, start, network } in errors {
        let start = start.map_or(String::new(), |start| format!(" {start:6.3}"));
        text += &format!("{empties:3}: {positions:7}: {linear:6.3}{start} {network:6.3}\n");
    }
    text
}
