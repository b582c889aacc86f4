//! Files of pattern weights: one number for each configuration and its mirror image, stored as differences from stage to
//! stage, low and high bytes apart, deflated.

use super::geometry::{PATTERN_WEIGHTS, stored_configurations};
use super::weights::{PatternWeights, STAGE_WEIGHTS, STAGES};
use crate::games::reversi::probcut::ProbCutModel;
use flipside_support::bounded_file;
use flipside_support::byte_planes::{byte_planes, from_byte_planes};
use flipside_support::file_fault::FileFault;
use flipside_support::hash::checksum;
use flipside_support::inflate::inflate;
use std::path::Path;

/// The first bytes of these files, of every version.
pub const FAMILY: &[u8] = b"flipside wts";
const MAGIC: &[u8; 16] = b"flipside wts  2\n";
/// Bytes before the deflated part: the magic word, the ProbCut model and a checksum of all but the magic word.
const HEADER: usize = MAGIC.len() + ProbCutModel::BYTES + 8;

/// Why a weight file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternWeightsError {
    /// It cannot be read: its name and the reason.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// It does not begin like one.
    #[error("not a file of weights (or of another version)")]
    Foreign,
    /// It is too short, or its deflated part is broken.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
}

/// It quotes nothing.
impl FileFault for PatternWeightsError {
    fn without_content(&self) -> String {
        self.to_string()
    }
}

/// The numbers that a file holds for a stage: the index of each and of its mirror image.
fn indices() -> Vec<[usize; 2]> {
    let mut indices: Vec<_> = stored_configurations().iter().map(|pair| pair.map(|place| place as usize)).collect();
    indices.extend((PATTERN_WEIGHTS..STAGE_WEIGHTS).map(|index| [index, index]));
    indices
}

/// The upper bound for the size of a weight file, in bytes.
const MAX_FILE_SIZE: usize = 16 << 20;

/// Packs weights into the bytes of a file.
pub fn pack(weights: &PatternWeights) -> Vec<u8> {
    let indices = indices();
    let mut changes = Vec::new();
    let mut before = vec![0i16; indices.len()];
    for stage in 0..STAGES {
        let values = weights.stage(stage);
        for (last, [index, _]) in before.iter_mut().zip(&indices) {
            changes.push(values[*index].wrapping_sub(*last));
            *last = values[*index];
        }
    }
    let plain = byte_planes(&changes);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(weights.probcut_model.bytes());
    let sum = checksum(&bytes[MAGIC.len()..]) ^ checksum(&plain);
    bytes.extend(sum.to_le_bytes());
    bytes.extend(miniz_oxide::deflate::compress_to_vec(&plain, 10));
    bytes
}

/// Unpacks the bytes of a file.
///
/// # Errors
/// What is wrong with them.
pub fn unpack(bytes: &[u8]) -> Result<PatternWeights, PatternWeightsError> {
    let (magic, rest) = bytes.split_at_checked(MAGIC.len()).ok_or(PatternWeightsError::Foreign)?;
    if magic != MAGIC {
        return Err(PatternWeightsError::Foreign);
    }
    let (header, packed) =
        rest.split_at_checked(HEADER - MAGIC.len()).ok_or(PatternWeightsError::Damaged("it is cut off"))?;
    let (model_bytes, sum) = header.split_at(ProbCutModel::BYTES);
    let indices = indices();
    let mut plain = vec![0; 2 * STAGES * indices.len()];
    inflate(packed, &mut plain).map_err(PatternWeightsError::Damaged)?;
    if (checksum(model_bytes) ^ checksum(&plain)).to_le_bytes() != sum {
        return Err(PatternWeightsError::Damaged("its checksum is wrong"));
    }
    let mut changes = from_byte_planes(&plain);
    let mut values = vec![0i16; STAGES * STAGE_WEIGHTS];
    for stage in 0..STAGES {
        let (done, now) = values.split_at_mut(stage * STAGE_WEIGHTS);
        let before = done.len().checked_sub(STAGE_WEIGHTS).map(|start| &done[start..]);
        for ([index, mirror], change) in indices.iter().zip(changes.by_ref()) {
            let value = before.map_or(0, |before| before[*index]).wrapping_add(change);
            now[*index] = value;
            now[*mirror] = value;
        }
    }
    let probcut_model = ProbCutModel::from_bytes(model_bytes);
    let probcut_model = probcut_model.ok_or(PatternWeightsError::Damaged("its error model is out of range"))?;
    PatternWeights::new(values, probcut_model).ok_or(PatternWeightsError::Damaged("it is too short"))
}

/// Reads a file of weights.
///
/// # Errors
/// It cannot be read, or what is wrong with it.
pub fn load(path: &Path) -> Result<PatternWeights, PatternWeightsError> {
    let bytes = bounded_file::read(path, MAX_FILE_SIZE)
        .map_err(|error| PatternWeightsError::Unreadable(path.display().to_string(), error.to_string()))?;
    unpack(&bytes)
}

/// The checksum of weights as text.
pub fn identity(weights: &PatternWeights) -> String {
    // A network compares it with its own linear weights' checksum whenever an engine opens, so it
    // must be fast: a chain of iterators is slow.
    let mut bytes = Vec::with_capacity(2 * STAGES * STAGE_WEIGHTS);
    for stage in 0..STAGES {
        for weight in weights.stage(stage) {
            bytes.extend_from_slice(&weight.to_le_bytes());
        }
    }
    format!("{:016x}", checksum(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_support::random::Random;

    fn any_weights() -> PatternWeights {
        let mut random = Random(3);
        let mut values = vec![0; STAGES * STAGE_WEIGHTS];
        for stage in values.chunks_mut(STAGE_WEIGHTS) {
            for [index, mirror] in indices() {
                let value = random.bits() as i16 >> random.below(16);
                (stage[index], stage[mirror]) = (value, value);
            }
        }
        PatternWeights::new(values, ProbCutModel::UNKNOWN).expect("as many as there are")
    }

    #[test]
    fn packed_weights_are_unpacked() {
        let weights = any_weights();
        assert_eq!(unpack(&pack(&weights)), Ok(weights));
    }

    #[test]
    fn errors_name_what_is_wrong_with_a_file() {
        assert_eq!(unpack(b"no"), Err(PatternWeightsError::Foreign));
        assert_eq!(unpack(&[7; 99]), Err(PatternWeightsError::Foreign));
        let mut bytes = pack(&any_weights());
        assert_eq!(unpack(&bytes[..99]), Err(PatternWeightsError::Damaged("it is cut off")));
        assert_eq!(unpack(&bytes[..5000]), Err(PatternWeightsError::Damaged("it does not unpack")));
        let longer = [bytes.as_slice(), b"\0"].concat();
        assert_eq!(unpack(&longer), Err(PatternWeightsError::Damaged("there are bytes after its end")));
        bytes[HEADER - 1] ^= 1;
        assert_eq!(unpack(&bytes), Err(PatternWeightsError::Damaged("its checksum is wrong")));
        let mut unknown = any_weights();
        unknown.probcut_model = ProbCutModel::from_coefficients([f32::NAN; 24]);
        assert_eq!(unpack(&pack(&unknown)), Err(PatternWeightsError::Damaged("its error model is out of range")));
        assert!(load(Path::new("/nowhere/weights")).unwrap_err().to_string().contains("/nowhere/weights"));
    }
}
