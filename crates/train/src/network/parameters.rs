//! The network in floating point: its parameters in one list, evaluation, back-propagation, quantisation.

#![expect(
    clippy::needless_range_loop,
    reason = "iterators are left as calls where the compiler sees one crate in parts, which halves the speed"
)]

use crate::samples::{PLACES, Sampler};
use flipside_core::games::reversi::evaluation::network::weights::{
    HEADS, HIDDEN, Head, MAX_BIAS, MAX_HEAD_BIAS, MAX_WEIGHT, NetworkValues, ONE, OUTPUT_DISCS, ROWS, Row, WEIGHT_ONE,
    WIDTH,
};
use flipside_support::random::Random;

/// Offsets in the list of all parameters. First come the rows, then the biases of the first layer,
pub const BIAS: usize = ROWS * WIDTH;
/// then the heads, each [`HEAD_SIZE`] long.
pub const HEAD: usize = BIAS + WIDTH;
/// Within a head: the weights of the second layer, then those from the first layer to the output,
const SKIP: usize = HIDDEN * WIDTH;
/// those from the second layer to the output,
const OUTPUT: usize = SKIP + WIDTH;
/// the biases of the second layer, and the bias of the output.
const HIDDEN_BIAS: usize = OUTPUT + HIDDEN;
const OUTPUT_BIAS: usize = HIDDEN_BIAS + HIDDEN;
/// Parameters of a head.
pub const HEAD_SIZE: usize = OUTPUT_BIAS + 1;
/// Number of all parameters.
pub const SIZE: usize = HEAD + HEADS * HEAD_SIZE;

/// The most empty squares with an output of their own: no training game has a value of the start position.
const MOST_EMPTIES: u32 = 59;

/// Where the head of a number of empty squares begins.
#[inline(always)]
fn head_at(empties: u32) -> usize {
    HEAD + empties.min(MOST_EMPTIES) as usize * HEAD_SIZE
}

/// Rows begin within this range, either sign. A row that few samples use stays near its beginning, so larger random numbers
/// would be noise in every position that has it.
const ROW_RANGE: f32 = 0.01;

/// The largest weight of a row, either sign, that fits into its eight bits.
const MAX_ROW: f32 = 127.0 / ONE as f32;

type Layer = [f32; WIDTH];

/// A gradient: one sum for each parameter, and the set of used rows.
pub struct Gradient {
    /// The sums of the partial derivatives.
    pub sums: Vec<f32>,
    /// A bit for each row.
    pub used: Vec<u64>,
}

impl Gradient {
    /// A gradient without samples.
    pub fn zero() -> Gradient {
        Gradient { sums: vec![0.0; SIZE], used: vec![0; ROWS.div_ceil(64)] }
    }
}

/// The parameters of a network in training.
pub struct Parameters(pub Vec<f32>);

/// The results of the forward pass for the backward pass.
struct ForwardPass {
    /// First layer, clipped.
    clipped: Layer,
    /// Whether a neuron of the first layer was within its range.
    active: [bool; WIDTH],
    /// Second layer before it is clipped.
    hidden: [f32; HIDDEN],
    /// The output in discs.
    correction: f32,
}

/// The factor by which these rows stand for all of a position.
#[inline(always)]
fn scale(rows: &[u32]) -> f32 {
    PLACES as f32 / rows.len() as f32
}

#[inline(always)]
fn layer(list: &[f32], at: usize) -> &Layer {
    list[at..].first_chunk().expect("the list ends behind the last layer")
}

impl Parameters {
    /// Small random weights; all heads begin alike.
    pub fn new() -> Parameters {
        let mut random = Random(7);
        let mut uniform = |range: f32| ((random.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0) * range;
        let mut list: Vec<f32> = (0..BIAS).map(|_| uniform(ROW_RANGE)).collect();
        list.extend([0.4; WIDTH]);
        let head: Vec<f32> = (0..HEAD_SIZE)
            .map(|at| match at {
                _ if at < SKIP => uniform(0.4),
                _ if at < OUTPUT => uniform(0.05),
                _ if at < HIDDEN_BIAS => uniform(0.3),
                _ if at < OUTPUT_BIAS => 0.3,
                _ => 0.0,
            })
            .collect();
        for _ in 0..HEADS {
            list.extend(&head);
        }
        Parameters(list)
    }

    /// The parameters of these integers.
    pub fn of(values: &NetworkValues) -> Parameters {
        let weight = |&value: &i16| f32::from(value) / f32::from(WEIGHT_ONE);
        let bias = |&value: &i32| value as f32 / (f32::from(WEIGHT_ONE) * f32::from(ONE));
        let mut list: Vec<f32> =
            values.rows.iter().flat_map(|row| row.0).map(|value| f32::from(value) / f32::from(ONE)).collect();
        list.extend(values.bias.iter().map(|&value| f32::from(value) / f32::from(ONE)));
        for head in &values.heads {
            list.extend(head.hidden.as_flattened().iter().chain(&head.skip).chain(&head.output).map(weight));
            list.extend(head.hidden_bias.iter().chain([&head.output_bias]).map(bias));
        }
        Parameters(list)
    }

    /// The mean of some networks, at least one, that learned from the same beginning. It leaves out part of what each has
    /// learned by chance (model soups, Wortsman and others, 2022).
    pub fn mean(networks: &[Parameters]) -> Parameters {
        let share = 1.0 / networks.len() as f32;
        let value = |at: usize| networks.iter().map(|network| network.0[at]).sum::<f32>() * share;
        Parameters((0..SIZE).map(value).collect())
    }

    /// The range of a parameter, so that its integer fits the network.
    pub fn limit(at: usize) -> f32 {
        let weight = f32::from(MAX_WEIGHT) / f32::from(WEIGHT_ONE);
        match at {
            _ if at < BIAS => MAX_ROW,
            _ if at < HEAD => f32::from(MAX_BIAS) / f32::from(ONE),
            _ if (at - HEAD) % HEAD_SIZE < HIDDEN_BIAS => weight,
            _ => MAX_HEAD_BIAS as f32 / (f32::from(WEIGHT_ONE) * f32::from(ONE)),
        }
    }

    #[inline(always)]
    fn forward(&self, rows: &[u32], empties: u32) -> ForwardPass {
        let (list, scale) = (&self.0, scale(rows));
        let mut sums = *layer(list, BIAS);
        for &row in rows {
            let row = layer(list, row as usize * WIDTH);
            for neuron in 0..WIDTH {
                sums[neuron] += scale * row[neuron];
            }
        }
        let mut pass = ForwardPass { clipped: sums, active: [false; WIDTH], hidden: [0.0; HIDDEN], correction: 0.0 };
        let mut squares = [0.0; WIDTH];
        for neuron in 0..WIDTH {
            pass.clipped[neuron] = sums[neuron].clamp(0.0, 1.0);
            pass.active[neuron] = sums[neuron] > 0.0 && sums[neuron] < 1.0;
            squares[neuron] = pass.clipped[neuron] * pass.clipped[neuron];
        }
        let head = &list[head_at(empties)..][..HEAD_SIZE];
        let mut output = head[OUTPUT_BIAS] + dot(&squares, layer(head, SKIP));
        for neuron in 0..HIDDEN {
            pass.hidden[neuron] = head[HIDDEN_BIAS + neuron] + dot(&squares, layer(head, neuron * WIDTH));
            output += pass.hidden[neuron].clamp(0.0, 1.0) * head[OUTPUT + neuron];
        }
        pass.correction = output * OUTPUT_DISCS as f32;
        pass
    }

    /// The correction of a position in discs.
    #[inline(always)]
    pub fn correction(&self, rows: &[u32], empties: u32) -> f32 {
        self.forward(rows, empties).correction
    }

    /// Adds the gradient of half the squared error, times `weight`, in units of the output; returns the error in discs. The
    /// first layer gets its part unless `only_outputs`. The rows may be some of the position's: they then stand for all
    /// (dropout).
    #[inline(always)]
    pub fn add_gradient(
        &self,
        rows: &[u32],
        empties: u32,
        (target, weight): (f32, f32),
        only_outputs: bool,
        gradient: &mut Gradient,
    ) -> f32 {
        let pass = self.forward(rows, empties);
        let error = pass.correction - target;
        let slope = weight * error / OUTPUT_DISCS as f32;
        let at = head_at(empties);
        let head = &self.0[at..][..HEAD_SIZE];
        let head_sums = &mut gradient.sums[at..][..HEAD_SIZE];
        let mut back = [0.0; WIDTH];
        let mut backward = |from: usize, slope: f32, sums: &mut [f32]| {
            for neuron in 0..WIDTH {
                sums[from + neuron] += slope * pass.clipped[neuron] * pass.clipped[neuron];
                back[neuron] += slope * head[from + neuron];
            }
        };
        head_sums[OUTPUT_BIAS] += slope;
        backward(SKIP, slope, head_sums);
        for neuron in 0..HIDDEN {
            let hidden = pass.hidden[neuron];
            head_sums[OUTPUT + neuron] += slope * hidden.clamp(0.0, 1.0);
            if hidden > 0.0 && hidden < 1.0 {
                let slope = slope * head[OUTPUT + neuron];
                head_sums[HIDDEN_BIAS + neuron] += slope;
                backward(neuron * WIDTH, slope, head_sums);
            }
        }
        if only_outputs {
            return error;
        }
        for neuron in 0..WIDTH {
            back[neuron] *= if pass.active[neuron] { 2.0 * pass.clipped[neuron] } else { 0.0 };
        }
        add(&mut gradient.sums, BIAS, &back);
        back = back.map(|slope| slope * scale(rows));
        for &row in rows {
            gradient.used[row as usize / 64] |= 1 << (row % 64);
            add(&mut gradient.sums, row as usize * WIDTH, &back);
        }
        error
    }

    /// The integers of the network.
    pub fn quantised(&self, sampler: &Sampler) -> NetworkValues {
        let list = &self.0;
        let neuron = |value: &f32| (value * f32::from(ONE)).round();
        let weight = |value: &f32| (value * f32::from(WEIGHT_ONE)).round() as i16;
        let bias = |value: &f32| (value * f32::from(ONE) * f32::from(WEIGHT_ONE)).round() as i32;
        let row =
            |row: usize| Row(layer(list, sampler.representative(row) * WIDTH).each_ref().map(|v| neuron(v) as i8));
        let head = |empties: usize| {
            let head = &list[head_at(empties as u32)..][..HEAD_SIZE];
            Head {
                hidden: std::array::from_fn(|neuron| layer(head, neuron * WIDTH).each_ref().map(weight)),
                skip: layer(head, SKIP).each_ref().map(weight),
                output: std::array::from_fn(|neuron| weight(&head[OUTPUT + neuron])),
                hidden_bias: std::array::from_fn(|neuron| bias(&head[HIDDEN_BIAS + neuron])),
                output_bias: bias(&head[OUTPUT_BIAS]),
            }
        };
        NetworkValues {
            rows: (0..ROWS).map(row).collect(),
            bias: layer(list, BIAS).each_ref().map(|value| neuron(value) as i16),
            heads: (0..HEADS).map(head).collect(),
        }
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters::new()
    }
}

#[inline(always)]
fn add(list: &mut [f32], at: usize, values: &Layer) {
    let sums: &mut Layer = list[at..].first_chunk_mut().expect("the list ends behind the last layer");
    for neuron in 0..WIDTH {
        sums[neuron] += values[neuron];
    }
}

/// Eight partial sums, so that the compiler may use vectors.
#[inline(always)]
fn dot(left: &Layer, right: &Layer) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    for at in (0..WIDTH).step_by(LANES) {
        for lane in 0..LANES {
            sums[lane] += left[at + lane] * right[at + lane];
        }
    }
    sums.iter().sum()
}
