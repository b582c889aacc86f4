//! The weights of the network, and the correction that they give a position.

#![expect(
    clippy::needless_range_loop,
    reason = "iterators are left as calls where the compiler sees one crate in parts, which halves the speed"
)]

use super::super::pattern::geometry::{OFFSETS, PATTERN_WEIGHTS, PATTERNS, PatternIndices};
use super::super::pattern::weights::{MOBILITIES, PatternWeights};
use crate::games::reversi::board::Board;
use crate::games::reversi::probcut::ProbCutModel;
use crate::search::types::Score;
use std::sync::Arc;

/// Neurons of the first layer.
pub const WIDTH: usize = 64;
/// Neurons of the second layer.
pub const HIDDEN: usize = 16;
/// Heads: the layers after the first one, for each number of empty squares.
pub const HEADS: usize = 61;
/// Rows of the first layer, in the order of a stage's linear weights: one for each configuration of each shape, then the
/// numbers of moves of the side to move and of its opponent.
pub const ROWS: usize = PATTERN_WEIGHTS + 2 * MOBILITIES;
/// Quantisation of neurons: the integer that stands for 1. They are clipped to it, and so are its squares.
pub const ONE: i16 = 128;
/// Quantisation of the weights between neurons: the integer that stands for 1.
pub const WEIGHT_ONE: i16 = 256;
/// The network's output 1 in discs.
pub const OUTPUT_DISCS: i32 = 8;
/// The largest weight between neurons, either sign: all sums keep to thirty-two bits.
pub const MAX_WEIGHT: i16 = 2 * WEIGHT_ONE;
/// The largest bias of a first-layer neuron, either sign: with the rows its sum keeps to sixteen bits.
pub const MAX_BIAS: i16 = 8 * ONE;
/// The largest bias of a second-layer neuron or of the output, either sign.
pub const MAX_HEAD_BIAS: i32 = 8 * ONE as i32 * WEIGHT_ONE as i32;
/// The largest correction, either sign, in hundredths of a disc.
pub const MAX_CORRECTION: Score = 2_000;

const _: () = assert!((OFFSETS.len() as i32 + 2) * 128 + (MAX_BIAS as i32) < i16::MAX as i32);
const _: () = assert!(ONE as i32 * ONE as i32 <= i16::MAX as i32 + 1);
const _: () = {
    let most = (WIDTH + HIDDEN) as i64 * ONE as i64 * MAX_WEIGHT as i64 + MAX_HEAD_BIAS as i64;
    assert!(most * OUTPUT_SCALE.0 as i64 <= i32::MAX as i64);
};

/// A factor and a shift that make hundredths of a disc of the output.
const OUTPUT_SCALE: (i32, u32) = (25, 10);
const _: () = assert!(
    (OUTPUT_DISCS * 100) << OUTPUT_SCALE.1 == (ONE as i32 * WEIGHT_ONE as i32) * OUTPUT_SCALE.0,
    "the scale of the output"
);

/// The part that one configuration adds to the neurons of the first layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i8; WIDTH]);

/// The layers after the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Head {
    /// From the squares of the first layer's neurons to each neuron of the second.
    pub hidden: [[i16; WIDTH]; HIDDEN],
    /// From the squares of the first layer's neurons to the output.
    pub skip: [i16; WIDTH],
    /// From the second layer to the output.
    pub output: [i16; HIDDEN],
    /// Biases of the second layer, in units of [`ONE`] times [`WEIGHT_ONE`].
    pub hidden_bias: [i32; HIDDEN],
    /// Bias of the output, in the same unit.
    pub output_bias: i32,
}

/// Configurations of the first shape, and of the second one: no shape has more.
const LARGEST: usize = 2 * OFFSETS[0] as usize + 1;
/// Rows of zeros before and after those of the configurations: wherever an index of sixteen bits
/// leads from a shape's middle, there is a row to read, even for indices of no position. In memory
/// the two largest shapes come first and last, so that few rows are enough.
const MARGIN: usize = (1 << 15) - LARGEST / 2;
const PADDED: usize = MARGIN + PATTERN_WEIGHTS + MARGIN;
/// Where the row of each pattern's configuration 0 is in memory.
const ROW_OFFSETS: [usize; PATTERNS] = {
    let mut offsets = [0; PATTERNS];
    let mut pattern = 0;
    while pattern < PATTERNS {
        let offset = OFFSETS[pattern] as usize;
        offsets[pattern] = MARGIN
            + match offset / LARGEST {
                0 => offset,
                1 => offset + PATTERN_WEIGHTS - 2 * LARGEST,
                _ => offset - LARGEST,
            };
        assert!(
            offsets[pattern] >= i16::MIN.unsigned_abs() as usize && offsets[pattern] + (i16::MAX as usize) < PADDED
        );
        pattern += 1;
    }
    offsets
};

/// A network, with the linear weights whose value it corrects.
#[derive(Clone, Debug)]
pub struct PatternNetwork {
    /// [`MARGIN`], then the rows of the first shape, of the third to the last, and of the second, then [`MARGIN`].
    rows: Box<[Row; PADDED]>,
    mobility: [[Row; MOBILITIES]; 2],
    bias: [i16; WIDTH],
    heads: Box<[Head; HEADS]>,
    /// The linear weights.
    pub linear: Arc<PatternWeights>,
    /// The errors of shallow searches with this evaluation.
    pub probcut_model: ProbCutModel,
}

/// The integers of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkValues {
    /// [`ROWS`] rows.
    pub rows: Vec<Row>,
    /// Biases of the first layer, in units of [`ONE`].
    pub bias: [i16; WIDTH],
    /// [`HEADS`] heads, the one of the full board first.
    pub heads: Vec<Head>,
}

impl NetworkValues {
    /// The first value out of range; a network within all ranges cannot overflow.
    pub fn out_of_range(&self) -> Option<i32> {
        let beyond = |value: i32, limit: i32| (!(-limit..=limit).contains(&value)).then_some(value);
        let of_head = |head: &Head| {
            let weights = head.hidden.as_flattened().iter().chain(&head.skip).chain(&head.output);
            let biases = head.hidden_bias.iter().chain([&head.output_bias]);
            weights
                .filter_map(|&weight| beyond(weight.into(), MAX_WEIGHT.into()))
                .chain(biases.filter_map(|&bias| beyond(bias, MAX_HEAD_BIAS)))
                .next()
        };
        let bias = self.bias.iter().find_map(|&bias| beyond(bias.into(), MAX_BIAS.into()));
        bias.or_else(|| self.heads.iter().find_map(of_head))
    }
}

impl PatternNetwork {
    /// The network of these values; `None` if their number is wrong or one is out of range.
    pub fn new(
        values: &NetworkValues,
        linear: Arc<PatternWeights>,
        probcut_model: ProbCutModel,
    ) -> Option<PatternNetwork> {
        if values.rows.len() != ROWS || values.out_of_range().is_some() {
            return None;
        }
        let margin = vec![Row([0; WIDTH]); MARGIN];
        let (configurations, moves) = values.rows.split_at(PATTERN_WEIGHTS);
        let (first, rest) = configurations.split_at(LARGEST);
        let (second, others) = rest.split_at(LARGEST);
        let rows = [&margin, first, others, second, &margin].concat().into_boxed_slice().try_into().ok()?;
        let mobility = std::array::from_fn(|side| std::array::from_fn(|count| moves[side * MOBILITIES + count]));
        let heads = values.heads.clone().into_boxed_slice().try_into().ok()?;
        Some(PatternNetwork { rows, mobility, bias: values.bias, heads, linear, probcut_model })
    }

    /// The same network with a larger output: `more` gives the addition for a number of discs on the board, in hundredths of
    /// a disc.
    pub fn with_tempo(&self, more: impl Fn(u32) -> Score) -> PatternNetwork {
        let mut changed = self.clone();
        for (empties, head) in (0..).zip(changed.heads.iter_mut()) {
            let addition = (more(64 - empties) << OUTPUT_SCALE.1) / OUTPUT_SCALE.0;
            head.output_bias = (head.output_bias + addition).clamp(-MAX_HEAD_BIAS, MAX_HEAD_BIAS);
        }
        changed
    }

    /// Its integers.
    pub fn values(&self) -> NetworkValues {
        let (first, rest) = self.rows[MARGIN..MARGIN + PATTERN_WEIGHTS].split_at(LARGEST);
        let (others, second) = rest.split_at(rest.len() - LARGEST);
        NetworkValues {
            rows: [first, second, others, self.mobility.as_flattened()].concat(),
            bias: self.bias,
            heads: self.heads.to_vec(),
        }
    }

    /// The error of the linear value, in hundredths of a disc for the side to move, which has
    /// `moves[0]` moves; its opponent has `moves[1]`.
    #[inline(always)]
    pub fn correction(&self, indices: &PatternIndices, board: Board, moves: [u32; 2]) -> Score {
        let mut sums = self.bias;
        for pattern in 0..PATTERNS {
            let at = ROW_OFFSETS[pattern] as isize + isize::from(indices.0[pattern]);
            // SAFETY: the offsets are asserted to be as far from both ends as an index of sixteen bits can lead.
            add(&mut sums, unsafe { self.rows.get_unchecked(at as usize) });
        }
        for side in 0..2 {
            add(&mut sums, &self.mobility[side][(moves[side] as usize).min(MOBILITIES - 1)]);
        }
        let head = &self.heads[(board.empties() as usize).min(HEADS - 1)];
        output(head, &squared(&sums))
    }
}

#[inline(always)]
fn add(sums: &mut [i16; WIDTH], row: &Row) {
    for neuron in 0..WIDTH {
        sums[neuron] = sums[neuron].wrapping_add(i16::from(row.0[neuron]));
    }
}

/// Squared clipped ReLU.
#[inline(always)]
fn squared(sums: &[i16; WIDTH]) -> [i16; WIDTH] {
    let mut squares = [0; WIDTH];
    for neuron in 0..WIDTH {
        let clipped = sums[neuron].clamp(0, ONE);
        // One squared is 16,384, which sixteen bits hold.
        squares[neuron] = clipped.wrapping_mul(clipped) >> 7;
    }
    squares
}

#[inline(always)]
fn dot(left: &[i16; WIDTH], right: &[i16; WIDTH]) -> i32 {
    let mut sum = 0;
    for neuron in 0..WIDTH {
        sum += i32::from(left[neuron]) * i32::from(right[neuron]);
    }
    sum
}

/// The layers after the first one.
#[inline(always)]
fn output(head: &Head, squares: &[i16; WIDTH]) -> Score {
    let mut output = head.output_bias + dot(squares, &head.skip);
    for neuron in 0..HIDDEN {
        let sum = head.hidden_bias[neuron] + dot(squares, &head.hidden[neuron]);
        output += (sum >> 8).clamp(0, ONE.into()) * i32::from(head.output[neuron]);
    }
    ((output * OUTPUT_SCALE.0) >> OUTPUT_SCALE.1).clamp(-MAX_CORRECTION, MAX_CORRECTION)
}
