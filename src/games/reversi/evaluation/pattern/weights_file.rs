//! Files of weights: one number for each configuration and its mirror image, changes from stage to
//! stage, low and high bytes apart, deflated.

use super::geometry::{GEOMETRY, PATTERN_WEIGHTS};
use super::weights::{PatternWeights, STAGE_WEIGHTS, STAGES};
use crate::games::reversi::probcut::{ProbCutModel, TERMS};
use std::path::Path;

const MAGIC: &[u8; 16] = b"flipside wts  2\n";
/// Bytes of the probcut_model.
const MODEL_BYTES: usize = 4 * 4 * TERMS;
/// Bytes before the deflated part: the magic word, the probcut_model and a checksum of all but the magic word.
const HEADER: usize = MAGIC.len() + MODEL_BYTES + 8;

/// Why a file of weights is not used.
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

/// The numbers that a file holds for a stage: the place of each and of its mirror image.
fn places() -> Vec<[usize; 2]> {
    let mut places = Vec::new();
    for shape in &GEOMETRY.shapes {
        let half = (shape.configurations / 2) as i32;
        for index in -half..=half {
            if shape.representative(index) == index {
                let place = |index: i32| (shape.offset as i32 + index) as usize;
                places.push([place(index), place(shape.mirrored(index))]);
            }
        }
    }
    places.extend((PATTERN_WEIGHTS..STAGE_WEIGHTS).map(|place| [place, place]));
    places
}

/// A number that changes if any of the bytes does (FNV-1a of 64 bits over words of 8).
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    })
}

/// Packs weights into the bytes of a file.
pub fn pack(weights: &PatternWeights) -> Vec<u8> {
    let places = places();
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut before = vec![0i16; places.len()];
    for stage in 0..STAGES {
        let values = weights.stage(stage);
        for (last, [place, _]) in before.iter_mut().zip(&places) {
            let [l, h] = values[*place].wrapping_sub(*last).to_le_bytes();
            low.push(l);
            // Small changes of either sign have the same high byte.
            high.push(h.wrapping_add(l >> 7));
            *last = values[*place];
        }
    }
    low.append(&mut high);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(weights.probcut_model.coefficients().iter().flat_map(|number| number.to_le_bytes()));
    let sum = checksum(&bytes[MAGIC.len()..]) ^ checksum(&low);
    bytes.extend(sum.to_le_bytes());
    bytes.extend(miniz_oxide::deflate::compress_to_vec(&low, 10));
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
    let (probcut_model, sum) = header.split_at(MODEL_BYTES);
    let places = places();
    let count = STAGES * places.len();
    let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, 2 * count)
        .map_err(|_| PatternWeightsError::Damaged("it does not unpack"))?;
    if plain.len() != 2 * count {
        return Err(PatternWeightsError::Damaged("it is too short"));
    }
    if (checksum(probcut_model) ^ checksum(&plain)).to_le_bytes() != sum {
        return Err(PatternWeightsError::Damaged("its checksum is wrong"));
    }
    let (low, high) = plain.split_at(count);
    let mut values = vec![0i16; STAGES * STAGE_WEIGHTS];
    for stage in 0..STAGES {
        let (done, now) = values.split_at_mut(stage * STAGE_WEIGHTS);
        let before = done.len().checked_sub(STAGE_WEIGHTS).map(|start| &done[start..]);
        let part = stage * places.len()..(stage + 1) * places.len();
        for (([place, mirror], &l), &h) in places.iter().zip(&low[part.clone()]).zip(&high[part]) {
            let change = i16::from_le_bytes([l, h.wrapping_sub(l >> 7)]);
            let value = before.map_or(0, |before| before[*place]).wrapping_add(change);
            now[*place] = value;
            now[*mirror] = value;
        }
    }
    let (words, _) = probcut_model.as_chunks::<4>();
    let number = |index: usize| words.get(index).map_or(0.0, |word| f32::from_le_bytes(*word));
    let probcut_model = ProbCutModel::from_coefficients(std::array::from_fn(number));
    PatternWeights::new(values, probcut_model).ok_or(PatternWeightsError::Damaged("it is too short"))
}

/// Reads a file of weights.
///
/// # Errors
/// It cannot be read, or what is wrong with it.
pub fn load(path: &Path) -> Result<PatternWeights, PatternWeightsError> {
    let bytes = std::fs::read(path)
        .map_err(|error| PatternWeightsError::Unreadable(path.display().to_string(), error.to_string()))?;
    unpack(&bytes)
}

/// A short name of weights: their checksum.
pub fn identity(weights: &PatternWeights) -> String {
    let bytes: Vec<u8> =
        (0..STAGES).flat_map(|stage| weights.stage(stage)).flat_map(|weight| weight.to_le_bytes()).collect();
    format!("{:016x}", checksum(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::random::Random;

    fn any_weights() -> PatternWeights {
        let mut random = Random(3);
        let mut values = vec![0; STAGES * STAGE_WEIGHTS];
        for stage in values.chunks_mut(STAGE_WEIGHTS) {
            for [place, mirror] in places() {
                let value = random.bits() as i16 >> random.below(16);
                (stage[place], stage[mirror]) = (value, value);
            }
        }
        PatternWeights::new(values, ProbCutModel::UNKNOWN).expect("as many as there are")
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let weights = any_weights();
        assert_eq!(unpack(&pack(&weights)), Ok(weights));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        assert_eq!(unpack(b"no"), Err(PatternWeightsError::Foreign));
        assert_eq!(unpack(&[7; 99]), Err(PatternWeightsError::Foreign));
        let mut bytes = pack(&any_weights());
        assert_eq!(unpack(&bytes[..99]), Err(PatternWeightsError::Damaged("it is cut off")));
        assert_eq!(unpack(&bytes[..5000]), Err(PatternWeightsError::Damaged("it does not unpack")));
        bytes[HEADER - 1] ^= 1;
        assert_eq!(unpack(&bytes), Err(PatternWeightsError::Damaged("its checksum is wrong")));
        assert!(load(Path::new("/nowhere/weights")).unwrap_err().to_string().contains("/nowhere/weights"));
    }
}
