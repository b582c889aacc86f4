//! Files of networks: the integers, those of mirror images once. They are not deflated: that saved
//! two megabytes of seven, and inflating took longer than the rest of opening a network.

use super::super::pattern::geometry::{PATTERN_WEIGHTS, stored_configurations};
use super::super::pattern::weights::{MOBILITIES, PatternWeights};
use super::super::pattern::weights_file;
use super::weights::{HEADS, HIDDEN, Head, NetworkValues, PatternNetwork, ROWS, Row, WIDTH};
use crate::games::reversi::probcut::ProbCutModel;
use flipside_support::bounded_file;
use flipside_support::file_fault::FileFault;
use flipside_support::hash::{checksum, checksum_of_parts};
use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

/// The first bytes of these files, of every version.
pub const FAMILY: &[u8] = b"flipside net";
/// The first bytes of files of this version.
pub const MAGIC: &[u8; 16] = b"flipside net  2\n";
/// Bytes of the identity of the linear weights.
const LINEAR_BYTES: usize = 16;
/// Bytes before the integers: the magic word, the ProbCut model, the identity of the linear weights and a checksum of all but
/// the magic word.
pub const HEADER: usize = MAGIC.len() + ProbCutModel::BYTES + LINEAR_BYTES + 8;
/// The upper bound for the size of a network file, in bytes.
pub const MAX_FILE_SIZE: usize = 32 << 20;
/// Bytes of a head.
const HEAD_BYTES: usize = 2 * (HIDDEN * WIDTH + WIDTH + HIDDEN) + 4 * (HIDDEN + 1);

/// Why a network file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFileError {
    /// It cannot be read: its name and the reason.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// It does not begin like one.
    #[error("not a file of weights of a Reversi network (or of another version)")]
    Foreign,
    /// It is too short or too long, or its checksum is wrong.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
    /// A value is so large that sums with it could overflow.
    #[error("the value {0} is out of range")]
    OutOfRange(i32),
    /// It corrects other linear weights.
    #[error("the network corrects the linear weights {found}, not {wanted}")]
    OtherLinear {
        /// The identity in the file.
        found: String,
        /// That of the weights beside it.
        wanted: String,
    },
}

impl FileFault for NetworkFileError {
    fn without_content(&self) -> String {
        match self {
            NetworkFileError::OutOfRange(_) => "a value is out of range".into(),
            NetworkFileError::OtherLinear { wanted, .. } => {
                format!("the network corrects other linear weights than {wanted}")
            }
            other => other.to_string(),
        }
    }
}

/// The integers as bytes: the rows that are stored, then the biases, then the heads.
fn integers(values: &NetworkValues) -> Vec<u8> {
    let stored = stored_configurations().iter().map(|&[place, _]| place as usize).chain(PATTERN_WEIGHTS..ROWS);
    let mut bytes: Vec<u8> = stored.flat_map(|place| values.rows[place].0.map(|weight| weight as u8)).collect();
    bytes.extend(values.bias.iter().flat_map(|bias| bias.to_le_bytes()));
    for head in &values.heads {
        let weights = head.hidden.as_flattened().iter().chain(&head.skip).chain(&head.output);
        bytes.extend(weights.flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(head.hidden_bias.iter().chain([&head.output_bias]).flat_map(|bias| bias.to_le_bytes()));
    }
    bytes
}

/// Packs a network into the bytes of a file.
pub fn pack(network: &PatternNetwork) -> Vec<u8> {
    let integers = integers(&network.values());
    let mut bytes = MAGIC.to_vec();
    bytes.extend(network.probcut_model.bytes());
    bytes.extend(weights_file::identity(&network.linear).as_bytes());
    let sum = checksum_of_parts([&bytes[MAGIC.len()..], &integers]);
    bytes.extend(sum.to_le_bytes());
    bytes.extend(integers);
    bytes
}

/// Reads numbers from bytes one after another; zeros after the end.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let Some((number, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *number
    }

    fn short(&mut self) -> i16 {
        i16::from_le_bytes(self.next())
    }

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.next())
    }

    fn head(&mut self) -> Head {
        Head {
            hidden: std::array::from_fn(|_| std::array::from_fn(|_| self.short())),
            skip: std::array::from_fn(|_| self.short()),
            output: std::array::from_fn(|_| self.short()),
            hidden_bias: std::array::from_fn(|_| self.long()),
            output_bias: self.long(),
        }
    }
}

/// Unpacks the bytes of a file, for a network that corrects these linear weights.
///
/// # Errors
/// What is wrong with them.
pub fn unpack(bytes: &[u8], linear: Arc<PatternWeights>) -> Result<PatternNetwork, NetworkFileError> {
    let (magic, rest) = bytes.split_at_checked(MAGIC.len()).ok_or(NetworkFileError::Foreign)?;
    if magic != MAGIC {
        return Err(NetworkFileError::Foreign);
    }
    let configurations = stored_configurations();
    let stored = configurations.len() + 2 * MOBILITIES;
    match (HEADER + WIDTH * stored + 2 * WIDTH + HEADS * HEAD_BYTES).cmp(&bytes.len()) {
        Ordering::Greater => return Err(NetworkFileError::Damaged("it is cut off")),
        Ordering::Less => return Err(NetworkFileError::Damaged("there are bytes after its end")),
        Ordering::Equal => {}
    }
    let (header, integers) = rest.split_at(HEADER - MAGIC.len());
    let (described, sum) = header.split_at(ProbCutModel::BYTES + LINEAR_BYTES);
    let (model, identity) = described.split_at(ProbCutModel::BYTES);
    if checksum_of_parts([described, integers]).to_le_bytes() != sum {
        return Err(NetworkFileError::Damaged("its checksum is wrong"));
    }
    let wanted = weights_file::identity(&linear);
    if identity != wanted.as_bytes() {
        return Err(NetworkFileError::OtherLinear { found: String::from_utf8_lossy(identity).into_owned(), wanted });
    }
    let (rows, rest) = integers.split_at(WIDTH * stored);
    let (rows, _) = rows.as_chunks::<WIDTH>();
    let row = |at: usize| Row(rows[at].map(|weight| weight as i8));
    let mut numbers = Numbers(rest);
    let mut values = NetworkValues {
        rows: vec![Row([0; WIDTH]); ROWS],
        bias: std::array::from_fn(|_| numbers.short()),
        heads: (0..HEADS).map(|_| numbers.head()).collect(),
    };
    for (at, [index, mirror]) in configurations.iter().enumerate() {
        values.rows[*index as usize] = row(at);
        values.rows[*mirror as usize] = row(at);
    }
    for count in 0..2 * MOBILITIES {
        values.rows[PATTERN_WEIGHTS + count] = row(configurations.len() + count);
    }
    if let Some(value) = values.out_of_range() {
        return Err(NetworkFileError::OutOfRange(value));
    }
    let model = ProbCutModel::from_bytes(model);
    let model = model.ok_or(NetworkFileError::Damaged("its error model is out of range"))?;
    PatternNetwork::new(&values, linear, model).ok_or(NetworkFileError::Damaged("it is too short"))
}

/// Reads the file of a network that corrects these linear weights.
///
/// # Errors
/// It cannot be read, or what is wrong with it.
pub fn load(path: &Path, linear: Arc<PatternWeights>) -> Result<PatternNetwork, NetworkFileError> {
    let bytes = bounded_file::read(path, MAX_FILE_SIZE)
        .map_err(|error| NetworkFileError::Unreadable(path.display().to_string(), error.to_string()))?;
    unpack(&bytes, linear)
}

/// The checksum of a network as text.
pub fn identity(network: &PatternNetwork) -> String {
    format!("{:016x}", checksum(&integers(&network.values())))
}
