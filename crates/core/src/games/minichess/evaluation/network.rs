//! A neural network: one hidden layer for each side's perspective, updated move by move, and an output layer of one neuron
//! for each [`output_bucket`].
//!
//! NNUE, "efficiently updatable neural networks" (Yu Nasu, 2018): the inputs are pieces on squares, so that a move changes
//! two or three of them and the accumulators of the hidden layer follow by additions. Each side sees the board from its
//! own corner with its own pieces first, mirrored where its king stands on the right, and with other weights for each
//! bucket of its king's square. The perspective of the side to move comes first in the output layer.

use super::limit::limit_scale;
use super::sums;
pub use super::sums::NEURONS;
use crate::games::minichess::board::{Board, Move, Piece, own_square};
use crate::games::minichess::rules::MiniChess;
use crate::games::minichess::squares::{FILES, SQUARES, Square, Squares, file_of, mirrored, rank_of};
use crate::search::evaluation::Eval;
use crate::search::types::{Score, Side};
use flipside_support::byte_planes::{byte_planes, from_byte_planes};
use flipside_support::file_fault::FileFault;
use flipside_support::hash::checksum;
use flipside_support::inflate::inflate;
use miniz_oxide::deflate::compress_to_vec;

/// The most pieces on a board.
pub const MAX_PIECES: usize = 20;
/// Output buckets: neurons of the output layer, one for each [`output_bucket`].
pub const OUTPUT_BUCKETS: usize = 12;
/// King buckets: three files, counted from the edge, on the first, the second or a later rank.
pub const KING_BUCKETS: usize = 9;
/// Pieces on squares: own and the opponent's, six kinds, thirty squares.
pub const PIECE_SQUARES: usize = 2 * 6 * SQUARES;
/// Inputs of a perspective: pieces on squares, for each bucket of the own king.
pub const INPUTS: usize = KING_BUCKETS * PIECE_SQUARES;
/// Quantisation of the hidden layer: the integer that stands for 1.
pub const QA: i16 = 255;
/// Quantisation of the output layer's weights: the integer that stands for 1.
pub const QB: i16 = 64;
/// The network's output 1 in hundredths of a pawn.
pub const OUTPUT_SCALE: i32 = 167;
/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"MCNET 5\n";
/// Bytes before the packed values: the magic word and a checksum of what is packed.
const HEADER: usize = MAGIC.len() + 8;
/// Values in a file: those of the hidden layer,
const HIDDEN_VALUES: usize = INPUTS * NEURONS + NEURONS;
/// and those of the output layer.
const OUTPUT_VALUES: usize = OUTPUT_BUCKETS * (2 * NEURONS + 1);
/// All of them.
const VALUES: usize = HIDDEN_VALUES + OUTPUT_VALUES;
/// Values of a king bucket's inputs. Those of the next bucket are similar, so files hold the
/// differences.
const BUCKET_VALUES: usize = PIECE_SQUARES * NEURONS;

/// The largest value of the hidden layer in a file, either sign: no sum of a board's pieces leaves sixteen bits.
const MAX_HIDDEN: i16 = 4 * QA;
const _: () = assert!((MAX_PIECES as i32 + 1) * MAX_HIDDEN as i32 <= i16::MAX as i32);
/// The largest value of the output layer: a neuron's product with it keeps to sixteen bits, and the scaled sum of all
/// neurons to thirty-two.
const MAX_OUTPUT: i16 = 2 * QB;
const _: () = assert!(QA as i32 * MAX_OUTPUT as i32 <= i16::MAX as i32);
const _: () = {
    let neurons = 2 * NEURONS as i64 * (QA as i64 * QA as i64 * MAX_OUTPUT as i64);
    let scaled = (neurons / QA as i64 + MAX_OUTPUT as i64 * QA as i64) * OUTPUT_SCALE as i64;
    assert!(neurons <= i32::MAX as i64 && scaled <= i32::MAX as i64);
};

/// Why a file holds no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// It does not begin like one.
    #[error("not a MiniChess network of {NEURONS} neurons (or of another version)")]
    Foreign,
    /// It is too short or too long, or its checksum is wrong.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
    /// A value is so large that sums with it would overflow.
    #[error(
        "the value {0} is out of range: at most {MAX_HIDDEN} in the hidden layer, {MAX_OUTPUT} in the output layer"
    )]
    OutOfRange(i16),
}

impl FileFault for NetworkError {
    fn without_content(&self) -> String {
        match self {
            NetworkError::OutOfRange(_) => "a value is out of range".into(),
            other => other.to_string(),
        }
    }
}

/// The hidden layer of one perspective before its activation; also a column of its weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Accumulator([i16; NEURONS]);

/// The accumulators of White's perspective and of Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccumulatorPair([Accumulator; 2]);

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    inputs: Box<[Accumulator; INPUTS]>,
    bias: Accumulator,
    /// By output bucket, for the perspective of the side to move and for the other one.
    output: [[Accumulator; 2]; OUTPUT_BUCKETS],
    output_bias: [i16; OUTPUT_BUCKETS],
}

/// The output bucket of a board: three ranges of the plies to the limit, the last plies first, each divided into four
/// ranges of the number of pieces, the fewest first.
#[inline(always)]
pub fn output_bucket(board: &Board) -> usize {
    const PIECE_RANGES: usize = 4;
    let pieces = board.occupied().count_ones() as usize;
    let limit_range = match board.plies_left() {
        0..10 => 0,
        10..26 => 1,
        _ => 2,
    };
    limit_range * PIECE_RANGES + (pieces.max(1) - 1) * PIECE_RANGES / MAX_PIECES % PIECE_RANGES
}

/// How a side sees the board: from its own corner, mirrored where its king stands on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    side: Side,
    mirrored: bool,
    king_bucket: u8,
}

/// The perspective of each side by the square of its king.
static PERSPECTIVES: [[Perspective; SQUARES]; 2] = {
    let mut perspectives = [[Perspective { side: Side::First, mirrored: false, king_bucket: 0 }; SQUARES]; 2];
    let mut square = 0;
    while square < SQUARES {
        perspectives[0][square] = Perspective::with_king(Side::First, square as Square);
        perspectives[1][square] = Perspective::with_king(Side::Second, square as Square);
        square += 1;
    }
    perspectives
};

/// Inputs within a king bucket, by the side of the perspective, by whether it is mirrored, and by the piece: White's six
/// kinds, then Black's.
static PIECE_INPUTS: [[[[u16; SQUARES]; 12]; 2]; 2] = {
    let mut inputs = [[[[0; SQUARES]; 12]; 2]; 2];
    let mut at = 0;
    while at < 2 * 2 * PIECE_SQUARES {
        let (square, piece, is_mirrored, perspective) =
            (at % SQUARES, at / SQUARES % 12, at / PIECE_SQUARES % 2, at / PIECE_SQUARES / 2);
        let own = own_square([Side::First, Side::Second][perspective], square as Square);
        let seen = if is_mirrored == 0 { own } else { mirrored(own) };
        let owner = (piece / 6) ^ perspective;
        inputs[perspective][is_mirrored][piece][square] = ((owner * 6 + piece % 6) * SQUARES + seen as usize) as u16;
        at += 1;
    }
    inputs
};

impl Perspective {
    const fn with_king(side: Side, square: Square) -> Perspective {
        let seen = own_square(side, square);
        let (file, rank) = (file_of(seen), rank_of(seen));
        let mirrored = file > FILES / 2;
        let from_edge = if mirrored { FILES - 1 - file } else { file };
        let row = if rank < 2 { rank } else { 2 };
        Perspective { side, mirrored, king_bucket: (3 * row + from_edge) as u8 }
    }

    /// The perspective of a side; one that has lost its king sees as if it stood in the far corner.
    #[inline(always)]
    pub fn of(board: &Board, side: Side) -> Perspective {
        let square = board.king(side).unwrap_or(own_square(side, SQUARES as Square - 1));
        PERSPECTIVES[side.index()][usize::from(square)]
    }

    /// The input of a piece on a square.
    #[inline(always)]
    pub fn input(self, side: Side, kind: Piece, square: Square) -> usize {
        let piece = side.index() * 6 + kind as usize;
        let input = PIECE_INPUTS[self.side.index()][usize::from(self.mirrored)][piece][usize::from(square)];
        usize::from(self.king_bucket) * PIECE_SQUARES + usize::from(input)
    }

    /// The inputs of all pieces of a board.
    #[inline(always)]
    pub fn inputs(self, board: &Board) -> impl Iterator<Item = usize> {
        Squares(board.occupied()).map(move |square| self.input(board.side_at(square), board.kind_at(square), square))
    }
}

impl Network {
    /// The first bytes of its files, of every version.
    pub const FAMILY: &[u8] = b"MCNET ";
    /// Its name among the evaluations.
    pub const NAME: &'static str = "network";

    /// The file of the network inside the binary.
    pub const FILE: &'static [u8] = include_bytes!("network.bin");

    /// The upper bound for the size of a network file, in bytes.
    pub const MAX_FILE_SIZE: usize = 4 << 20;

    /// The network inside the binary.
    ///
    /// # Errors
    /// Never: a test reads it.
    pub fn built_in() -> Result<Network, NetworkError> {
        Network::read(Network::FILE)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// The bytes are not a network of this size.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Foreign)?;
        let (sum, packed) =
            rest.split_at_checked(HEADER - MAGIC.len()).ok_or(NetworkError::Damaged("it is cut off"))?;
        let values = unpacked(packed).map_err(NetworkError::Damaged)?;
        if checksum(packed).to_le_bytes() != sum {
            return Err(NetworkError::Damaged("its checksum is wrong"));
        }
        let mut values = values.into_iter();
        let limits = std::iter::repeat_n(MAX_HIDDEN, HIDDEN_VALUES).chain(std::iter::repeat(MAX_OUTPUT));
        if let Some((value, _)) = values.clone().zip(limits).find(|&(value, limit)| !(-limit..=limit).contains(&value))
        {
            return Err(NetworkError::OutOfRange(value));
        }
        let mut column = || Accumulator(std::array::from_fn(|_| values.next().unwrap_or_default()));
        let inputs: Box<[Accumulator]> = (0..INPUTS).map(|_| column()).collect();
        let bias = column();
        let output = std::array::from_fn(|_| [column(), column()]);
        let output_bias = std::array::from_fn(|_| values.next().unwrap_or_default());
        let inputs = inputs.try_into().map_err(|_| NetworkError::Damaged("it is cut off"))?;
        Ok(Network { inputs, bias, output, output_bias })
    }

    /// The accumulator of a perspective, computed from scratch.
    #[inline(always)]
    fn accumulator(&self, board: &Board, perspective: Perspective) -> Accumulator {
        let mut accumulator = self.bias;
        for input in perspective.inputs(board) {
            sums::add(&mut accumulator.0, &self.inputs[input].0);
        }
        accumulator
    }

    /// Updates the accumulator of a side's perspective after a move.
    #[inline(always)]
    fn update_perspective(&self, accumulator: &mut Accumulator, side: Side, before: &Board, mv: Move, after: &Board) {
        let perspective = Perspective::of(after, side);
        // Only the own king changes a perspective: its side moves it, or the other side captures it.
        let king_goes = if side == mv.side { mv.piece == Piece::King } else { mv.captured == Some(Piece::King) };
        if king_goes && perspective != Perspective::of(before, side) {
            *accumulator = self.accumulator(after, perspective);
            return;
        }
        let removed = &self.inputs[perspective.input(mv.side, mv.piece, mv.from)];
        let added = &self.inputs[perspective.input(mv.side, mv.arrives, mv.to)];
        sums::exchange(&mut accumulator.0, &removed.0, &added.0);
        if let Some(captured) = mv.captured {
            let taken = &self.inputs[perspective.input(mv.side.other(), captured, mv.to)];
            sums::subtract(&mut accumulator.0, &taken.0);
        }
    }

    /// The bytes of a file, quantised from weights near 1: those of the inputs (the neurons of an input together), the
    /// biases of the neurons, those of the output layer by bucket, and its biases.
    pub fn bytes(inputs: &[f32], bias: &[f32], output: &[f32], output_bias: &[f32]) -> Vec<u8> {
        let layers = [(inputs, QA), (bias, QA), (output, QB), (output_bias, QB)];
        let quantised = |(layer, one): (&[f32], i16)| -> Vec<i16> {
            layer.iter().map(|value| (value * f32::from(one)).round() as i16).collect()
        };
        packed_file(&layers.map(quantised).concat())
    }
}

/// The file of these values, in the order of [`Network::bytes`].
fn packed_file(values: &[i16]) -> Vec<u8> {
    let before =
        |at: usize| if (BUCKET_VALUES..INPUTS * NEURONS).contains(&at) { values[at - BUCKET_VALUES] } else { 0 };
    let differences: Vec<i16> = values.iter().enumerate().map(|(at, value)| value.wrapping_sub(before(at))).collect();
    let packed = compress_to_vec(&byte_planes(&differences), 10);
    [MAGIC.as_slice(), &checksum(&packed).to_le_bytes(), &packed].concat()
}

/// Unpacks the values that [`packed_file`] packed.
fn unpacked(packed: &[u8]) -> Result<Vec<i16>, &'static str> {
    let mut bytes = vec![0; 2 * VALUES];
    inflate(packed, &mut bytes)?;
    let mut values: Vec<i16> = from_byte_planes(&bytes).collect();
    for at in BUCKET_VALUES..INPUTS * NEURONS {
        values[at] = values[at].wrapping_add(values[at - BUCKET_VALUES]);
    }
    Ok(values)
}

impl Eval<MiniChess> for Network {
    type Accumulator = AccumulatorPair;

    fn refresh(&self, board: &Board) -> AccumulatorPair {
        AccumulatorPair([Side::First, Side::Second].map(|side| self.accumulator(board, Perspective::of(board, side))))
    }

    #[inline(always)]
    fn update(&self, state: &AccumulatorPair, before: &Board, mv: Move, after: &Board) -> AccumulatorPair {
        let mut next = *state;
        let [white, black] = &mut next.0;
        self.update_perspective(white, Side::First, before, mv, after);
        self.update_perspective(black, Side::Second, before, mv, after);
        next
    }

    /// A null move changes no perspective.
    #[inline(always)]
    fn pass(&self, state: &AccumulatorPair, _: &Board) -> AccumulatorPair {
        *state
    }

    #[inline(always)]
    fn evaluate(&self, state: &AccumulatorPair, board: &Board) -> Score {
        const UNITS: i32 = QA as i32 * QB as i32;
        let (side, output_bucket) = (board.to_move(), output_bucket(board));
        // The products keep to sixteen bits: see `MAX_OUTPUT`.
        let [own_weights, other_weights] = &self.output[output_bucket];
        let own = sums::screlu_dot(&state.0[side.index()].0, &own_weights.0, QA);
        let other = sums::screlu_dot(&state.0[side.other().index()].0, &other_weights.0, QA);
        let sum = (own + other) / i32::from(QA) + i32::from(self.output_bias[output_bucket]) * i32::from(QA);
        sum * OUTPUT_SCALE / UNITS * limit_scale(board.plies_left()) / 64
    }
}

#[cfg(test)]
mod tests {
    use super::super::consistency::check_random_games;
    use super::*;
    use crate::games::minichess::state_text::read_state;
    use crate::search::game::Game;
    use crate::search::types::UNIT;
    use flipside_support::random::Random;

    fn network() -> Network {
        Network::built_in().expect("the network inside the binary")
    }

    fn score(state: &str) -> Score {
        let board = board(state);
        network().evaluate(&network().refresh(&board), &board)
    }

    #[test]
    fn written_networks_are_read() {
        let mut inputs = vec![0.0; INPUTS * NEURONS];
        (inputs[0], inputs[NEURONS + 1]) = (1.0, -0.5);
        let bytes =
            Network::bytes(&inputs, &[0.2; NEURONS], &[-1.5; OUTPUT_BUCKETS * 2 * NEURONS], &[0.25; OUTPUT_BUCKETS]);
        let network = Network::read(&bytes).expect("a network");
        assert_eq!((network.inputs[0].0[0], network.inputs[1].0[1], network.bias.0[5]), (255, -128, 51));
        assert_eq!(
            (network.output[OUTPUT_BUCKETS - 1][1].0[NEURONS - 1], network.output_bias[OUTPUT_BUCKETS - 1]),
            (-96, 16)
        );
        assert_eq!(Network::read(&bytes[1..]), Err(NetworkError::Foreign));
    }

    /// The file of these bytes with the correct checksum.
    fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
        let sum = checksum(&bytes[HEADER..]).to_le_bytes();
        bytes[MAGIC.len()..HEADER].copy_from_slice(&sum);
        bytes
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = Network::FILE;
        assert_eq!(with_checksum(whole.to_vec()), whole);
        let mut random = Random(30);
        for case in 0..300 {
            let mut bytes = whole.to_vec();
            // The first bytes one by one, then any of them.
            let at = if case < 20 { case } else { random.below(whole.len()) };
            bytes[at] ^= 1 << random.below(8);
            assert!(Network::read(&bytes).is_err(), "a bit of byte {at}");
        }
        for length in (0..30).chain((0..50).map(|_| random.below(whole.len()))) {
            assert!(Network::read(&whole[..length]).is_err(), "{length} bytes");
        }
        assert_eq!(
            Network::read(&[whole, b"\0"].concat()),
            Err(NetworkError::Damaged("there are bytes after its end"))
        );
    }

    /// A file whose values are all alike but for their layers.
    fn extreme(hidden: i16, output: i16) -> Vec<u8> {
        let values = std::iter::repeat_n(hidden, HIDDEN_VALUES).chain(std::iter::repeat_n(output, OUTPUT_VALUES));
        packed_file(&values.collect::<Vec<i16>>())
    }

    /// Hostile files: no value overflows a sum (a debug build would panic), and no score passes for a win.
    #[test]
    fn no_network_reaches_the_scores_of_wins() {
        for (hidden, output) in [(MAX_HIDDEN, MAX_OUTPUT), (MAX_HIDDEN, -MAX_OUTPUT), (-MAX_HIDDEN, MAX_OUTPUT)] {
            let network = Network::read(&extreme(hidden, output)).expect("values within their range");
            check_random_games(&network, |board| (limit_scale(board.plies_left()), output_bucket(board)));
        }
        for (hidden, output, seen) in [(MAX_HIDDEN + 1, 0, MAX_HIDDEN + 1), (0, i16::MIN, i16::MIN)] {
            assert_eq!(Network::read(&extreme(hidden, output)), Err(NetworkError::OutOfRange(seen)));
        }
    }

    /// Accumulators of 1, weights of 1 for the mover and -1/2 for the other where the board is
    /// full: 1/2 for each neuron, in hundredths.
    #[test]
    fn the_last_layer_by_hand() {
        let mut output = [0.0; OUTPUT_BUCKETS * 2 * NEURONS];
        output[(OUTPUT_BUCKETS - 1) * 2 * NEURONS..].fill(1.0);
        output[(OUTPUT_BUCKETS * 2 - 1) * NEURONS..].fill(-0.5);
        let bytes = Network::bytes(&[0.0; INPUTS * NEURONS], &[1.0; NEURONS], &output, &[1.0; OUTPUT_BUCKETS]);
        let network = Network::read(&bytes).expect("a network");
        let board = MiniChess.start();
        let expected = (NEURONS as Score / 2 + 1) * OUTPUT_SCALE;
        assert_eq!(network.evaluate(&network.refresh(&board), &board), expected);
    }

    fn board(state: &str) -> Board {
        read_state(state).expect("a position")
    }

    #[test]
    fn output_buckets_divide_pieces_and_plies() {
        let of =
            |number: u32, pieces: &str| output_bucket(&board(&format!("{number} W k..../...../...../...../{pieces}")));
        assert_eq!([of(5, "...../K...."), of(5, "PPP../K...."), of(5, "PPPPP/KRNB.")], [8, 8, 9]);
        assert_eq!([of(20, "...../K...."), of(30, "...../K...."), of(38, "...../K....")], [8, 4, 0]);
        assert_eq!(output_bucket(&MiniChess.start()), OUTPUT_BUCKETS - 1);
    }

    /// The inputs of a board from a side's perspective, sorted.
    fn seen(state: &str, side: Side) -> Vec<usize> {
        let board = board(state);
        let mut inputs: Vec<usize> = Perspective::of(&board, side).inputs(&board).collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn the_king_decides_how_a_side_sees_the_board() {
        let right = "9 W ..k.b/..p../...../.N.../..P../...KR";
        let left = "9 W b.k../..p../...../...N./..P../RK...";
        let flipped = "9 B ...kr/..p../.n.../...../..P../..K.B";
        assert_eq!(seen(right, Side::First), seen(left, Side::First), "left and right");
        assert_ne!(seen(right, Side::Second), seen(left, Side::Second), "the king on the middle file");
        assert_eq!(seen(left, Side::First), seen(flipped, Side::Second), "the colours");
        let king_bucket = |state: &str| Perspective::of(&board(state), Side::First).king_bucket;
        let buckets = ["K....", ".K...", "..K..", "...K.", "....K"]
            .map(|rank| king_bucket(&format!("9 W ..k../...../...../...../...../{rank}")));
        assert_eq!(buckets, [0, 1, 2, 1, 0]);
        let higher = ["..k../...../...../...../K..../.....", "..k../..K../...../...../...../....."];
        assert_eq!(higher.map(|rows| king_bucket(&format!("9 W {rows}"))), [3, 8]);
    }

    #[test]
    fn scores_depend_neither_on_the_line_of_play_nor_on_colours() {
        check_random_games(&network(), |board| (limit_scale(board.plies_left()), output_bucket(board)));
    }

    #[test]
    fn material_counts_less_near_the_limit() {
        let early = score("5 W k..../ppp../...../...../PPP../R...K");
        assert!(early > 2 * UNIT, "{early}");
        let late = score("40 W k..../ppp../...../...../PPP../R...K");
        assert!(late > 0 && late < early / 2, "{late} {early}");
        assert!(score("5 B k..../ppp../...../...../PPP../R...K") < -2 * UNIT);
    }
}
