//! Tests of the network evaluation.

use super::super::pattern::weights::PatternWeights;
use super::super::pattern::{PatternEvaluation, open_weights, weights_file};
use super::file::{HEADER, MAGIC, NetworkFileError, identity, load, pack, unpack};
use super::weights::{
    HEADS, Head, MAX_BIAS, MAX_CORRECTION, MAX_HEAD_BIAS, MAX_WEIGHT, NetworkValues, PatternNetwork, ROWS, Row,
};
use super::{LAZY_MARGIN, NetworkEvaluation, open_network};
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::evaluation::ReversiEvaluation;
use crate::games::reversi::evaluation::pattern::geometry::PatternIndices;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::random_games::random_moves;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::searcher::{self, SearcherOptions};
use crate::search::evaluation::Eval;
use crate::search::limits::{Limits, Stop};
use crate::search::solve::SolveTask;
use crate::search::types::UNIT;
use flipside_support::random::Random;
use std::path::Path;
use std::sync::Arc;

/// A network of random values as large as they may be.
fn any_network(seed: u64) -> PatternNetwork {
    let mut random = Random(seed);
    let mut within = |limit: i32| random.below(2 * limit as usize + 1) as i32 - limit;
    let mut head = || Head {
        hidden: std::array::from_fn(|_| std::array::from_fn(|_| within(MAX_WEIGHT.into()) as i16)),
        skip: std::array::from_fn(|_| within(MAX_WEIGHT.into()) as i16),
        output: std::array::from_fn(|_| within(MAX_WEIGHT.into()) as i16),
        hidden_bias: std::array::from_fn(|_| within(MAX_HEAD_BIAS)),
        output_bias: within(MAX_HEAD_BIAS),
    };
    let heads = (0..HEADS).map(|_| head()).collect();
    let bias = std::array::from_fn(|_| within(MAX_BIAS.into()) as i16);
    // Mirror images share their row, as in a file.
    let rows = vec![Row(std::array::from_fn(|_| within(127) as i8)); ROWS];
    let linear = open_weights(None).expect("the weights in the binary");
    PatternNetwork::new(&NetworkValues { rows, bias, heads }, linear, ProbCutModel::UNKNOWN).expect("within range")
}

/// A caller of safe functions may make indices of no position; every index has a row to read.
#[test]
fn indices_of_no_position_lead_to_some_row() {
    let network = any_network(1);
    let mut indices = PatternIndices::of(Board::START);
    let mv = Placement { square: 0, flips: u64::MAX };
    for round in 0..2_000 {
        let board = Board { player: u64::MAX >> (round % 64), opponent: 0 };
        assert!(network.correction(&indices, board, [round, 0]).abs() <= MAX_CORRECTION);
        indices = indices.after(mv);
    }
}

#[test]
fn values_out_of_range_are_refused() {
    let values = any_network(2).values();
    let linear = open_weights(None).expect("the weights in the binary");
    let network = |values: &NetworkValues| PatternNetwork::new(values, linear.clone(), ProbCutModel::UNKNOWN);
    assert!(network(&values).is_some());
    type Set = fn(&mut NetworkValues, i32);
    let kinds: [(i32, i32, Set); 6] = [
        (MAX_BIAS.into(), i16::MIN.into(), |values, value| values.bias[0] = value as i16),
        (MAX_WEIGHT.into(), i16::MIN.into(), |values, value| values.heads[7].skip[3] = value as i16),
        (MAX_WEIGHT.into(), i16::MIN.into(), |values, value| values.heads[0].output[0] = value as i16),
        (MAX_WEIGHT.into(), i16::MAX.into(), |values, value| values.heads[HEADS - 1].hidden[0][0] = value as i16),
        (MAX_HEAD_BIAS, i32::MIN, |values, value| values.heads[1].hidden_bias[0] = value),
        (MAX_HEAD_BIAS, i32::MIN, |values, value| values.heads[2].output_bias = value),
    ];
    for (at, (limit, extreme, set)) in kinds.into_iter().enumerate() {
        let with = |value| {
            let mut changed = values.clone();
            set(&mut changed, value);
            changed
        };
        assert!([-limit, limit].map(with).iter().all(|end| network(end).is_some()), "{at}");
        for beyond in [-limit - 1, limit + 1, extreme] {
            assert_eq!(with(beyond).out_of_range(), Some(beyond), "{at}");
            assert!(network(&with(beyond)).is_none(), "{at}");
        }
    }
    assert!(network(&NetworkValues { rows: Vec::new(), ..values }).is_none());
}

fn linear() -> Arc<PatternWeights> {
    open_weights(None).expect("the weights in the binary")
}

#[test]
fn a_packed_network_is_unpacked() {
    let network = any_network(3);
    let found = unpack(&pack(&network), linear()).expect("a network");
    assert_eq!(found.values(), network.values());
    assert_eq!(found.probcut_model, network.probcut_model);
    assert_eq!(identity(&found), identity(&network));
    assert_ne!(identity(&found), identity(&any_network(4)));
}

#[test]
fn errors_name_what_is_wrong_with_a_file() {
    let error = |bytes: &[u8]| unpack(bytes, linear()).expect_err("no network");
    assert_eq!(error(b"no"), NetworkFileError::Foreign);
    assert_eq!(error(&[7; 99]), NetworkFileError::Foreign);
    let bytes = pack(&any_network(5));
    assert_eq!(error(&bytes[..99]), NetworkFileError::Damaged("it is cut off"));
    assert_eq!(error(&bytes[..5_000]), NetworkFileError::Damaged("it is cut off"));
    let longer = [bytes.as_slice(), b"\0"].concat();
    assert_eq!(error(&longer), NetworkFileError::Damaged("there are bytes after its end"));
    for at in [HEADER - 1, MAGIC.len(), HEADER, bytes.len() - 1] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert_eq!(error(&other), NetworkFileError::Damaged("its checksum is wrong"), "{at}");
    }
    let model = ProbCutModel::from_coefficients([f32::NAN; 24]);
    let unknown = NetworkFileError::Damaged("its error model is out of range");
    let mut network = any_network(6);
    network.probcut_model = model;
    assert_eq!(error(&pack(&network)), unknown);
    assert!(load(Path::new("/nowhere/network"), linear()).unwrap_err().to_string().contains("/nowhere/network"));
}

#[test]
fn a_network_for_other_linear_weights_is_refused() {
    let other = Arc::new(linear().with_tempo(|_| 100));
    let refusal = unpack(&pack(&any_network(6)), Arc::clone(&other)).expect_err("other weights");
    let (found, wanted) = (weights_file::identity(&linear()), weights_file::identity(&other));
    assert_eq!(refusal, NetworkFileError::OtherLinear { found, wanted });
}

/// Far outside the window, and where moves are ordered, the linear value is used alone; inside it
/// is corrected.
#[test]
fn the_correction_is_lazy() {
    let game = Reversi::portable();
    let network = Arc::new(any_network(8));
    let evaluation = NetworkEvaluation::new(&game, Arc::clone(&network)).expect("a small table");
    let linear = PatternEvaluation::new(&game, Arc::clone(&network.linear));
    let board = Board::START;
    let indices = evaluation.refresh(&board);
    let (estimate, full) = (linear.evaluate(&indices, &board), evaluation.evaluate(&indices, &board));
    assert_eq!(full, estimate + network.correction(&indices, board, [4, 4]));
    assert_ne!(full, estimate);
    assert_eq!(evaluation.ordering_eval(&indices, &board), estimate);
    let within = |alpha| evaluation.static_eval_within(&indices, &board, (alpha, alpha + 1));
    assert_eq!([estimate + LAZY_MARGIN, estimate - LAZY_MARGIN - 1].map(within), [estimate; 2]);
    assert_eq!([estimate + LAZY_MARGIN - 1, estimate - LAZY_MARGIN].map(within), [full; 2]);
}

#[test]
fn a_side_without_discs_has_lost_everything() {
    let game = Reversi::portable();
    let evaluation = NetworkEvaluation::new(&game, Arc::new(any_network(9))).expect("a small table");
    let board = Board { player: 0, opponent: 7 };
    let value = |board: Board| evaluation.evaluate(&evaluation.refresh(&board), &board);
    assert_eq!([value(board), value(board.passed())], [-64 * UNIT, 64 * UNIT]);
}

#[cfg(feature = "network")]
#[test]
fn the_network_in_the_binary_is_whole() {
    let network = open_network(None).expect("the network in the binary");
    let boards = random_moves(20);
    let evaluation = NetworkEvaluation::new(&Reversi::portable(), Arc::clone(&network)).expect("a small table");
    let corrections = boards.iter().map(|(board, _)| {
        let indices = evaluation.refresh(board);
        f64::from(evaluation.evaluate(&indices, board) - evaluation.ordering_eval(&indices, board))
    });
    let square = corrections.map(|correction| correction * correction).sum::<f64>() / boards.len() as f64;
    // Discs of correction that are neither nothing nor most of the value.
    assert!((0.5..10.0).contains(&(square.sqrt() / f64::from(UNIT))), "{}", square.sqrt());
}

/// Searches that reach far evaluate positions with few empty squares, too: there the correction must help as it does earlier.
#[cfg(feature = "network")]
#[test]
fn the_network_corrects_positions_near_the_end() {
    let evaluation = ReversiEvaluation::open("network", None).expect("the network in the binary");
    let searcher = searcher::open(&evaluation, &SearcherOptions::with_tables(1, 1)).expect("small tables");
    let network = open_network(None).expect("the network in the binary");
    let linear = PatternEvaluation::new(&Reversi::portable(), Arc::clone(&network.linear));
    let (mut before, mut after, mut count) = (0.0, 0.0, 0);
    for (board, _) in random_moves(300).into_iter().filter(|(board, _)| (2..10).contains(&board.empties())) {
        let solution =
            searcher.solve(&board, &SolveTask::exact(1), &Stop::new(&Limits::default())).expect("not stopped");
        let static_eval = linear.static_eval(&linear.refresh(&board), &board);
        before += f64::from(static_eval - solution.score).powi(2);
        after += f64::from(searcher.static_eval(&board) - solution.score).powi(2);
        count += 1;
    }
    assert!(count > 1_000 && after < 0.97 * before, "{count} positions: {after} for {before}");
}
