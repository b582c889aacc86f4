//! The calibration of virtual processors: two threads of the middle game, which were also measured on two real cores.

use super::evaluation::{PatternEvaluation, ReversiEvaluation};
use super::obf;
use super::policy::ReversiPolicy;
use super::rules::Reversi;
use super::solver::settings::SolverSettings;
use crate::search::iterative_deepening::search_sharing;
use crate::search::limits::{Limits, Stop};
use crate::search::parallel::Parallel;
use crate::search::result::SearchParameters;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::Selectivity;
use crate::search::worker::SearchContext;
use flipside_support::virtual_processors::{Clock, Model, measure};
use std::time::Duration;

/// Positions of the fingerprint's list.
const POSITIONS: [&str; 3] = [
    "--OX----OXXXX-O-XXXXXO--XXOXXXO-OOOXXO--OOOOX---O-OX--------O--- X",
    "-----O-----OO-----XOOX---OOOXXXO--OXXOOO--OXOOO---XOO---------O- X",
    "----XX----XXX----XXOXO--OOXXOXX-OOOXOXXX-OOXXX----OOX----------- O",
];

/// Nodes and time of all positions by so many threads.
fn search(threads: usize, parallel: impl Fn() -> Option<Parallel<Reversi>>) -> (f64, f64) {
    let ReversiEvaluation::Pattern(weights) = ReversiEvaluation::open("linear", None).expect("the built-in weights")
    else {
        panic!("another evaluation");
    };
    let game = Reversi::portable();
    let policy =
        ReversiPolicy::new(&game, 1, SolverSettings::default(), Some(&weights.probcut_model)).expect("small tables");
    let context = SearchContext { eval: PatternEvaluation::new(&game, weights), game, policy };
    let parameters = SearchParameters {
        threads,
        selectivity: Selectivity::from_percent(80),
        ..SearchParameters::new(Limits::depth(15))
    };
    let model = Model { clock: Clock::Position(Duration::from_nanos(450)), quantum: Duration::from_micros(2) };
    let (mut nodes, mut seconds) = (0.0, 0.0);
    for position in POSITIONS {
        let (root, _) = obf::position(position).expect("a position");
        let (table, stop) = (TranspositionTable::new(8).expect("a small table"), Stop::new(&parameters.limits));
        let ((), time) = measure(model, || {
            search_sharing(&context, &table, &root, &parameters, &stop, &mut |_| {}, parallel());
        });
        (nodes, seconds) = (nodes + stop.entered() as f64, seconds + time.as_secs_f64());
    }
    (nodes, seconds)
}

/// On two real cores two threads search 1.11 to 1.23 times the nodes of one where they defer moves, and 1.97 times, in
/// more than 0.9 of the time, where they share nothing but the tables.
#[test]
fn two_virtual_threads_do_what_two_real_ones_do() {
    let one = search(1, || None);
    let deferring = search(2, || Some(Parallel::new(2)));
    let alone = search(2, || Some(Parallel::tables_only(2)));
    let ratios = |other: (f64, f64)| (other.0 / one.0, other.1 / one.1);
    let (nodes, time) = ratios(deferring);
    assert!(
        (1.05..1.4).contains(&nodes) && (0.5..0.75).contains(&time),
        "deferring: {nodes} of the nodes, {time} of the time"
    );
    let (nodes, time) = ratios(alone);
    assert!(
        (1.7..2.1).contains(&nodes) && (0.85..1.1).contains(&time),
        "alone: {nodes} of the nodes, {time} of the time"
    );
}
