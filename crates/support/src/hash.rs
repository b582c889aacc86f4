//! Hash functions whose values never change, because files contain them.

/// The checksum of some bytes; see [`checksum_of_parts`].
pub fn checksum(bytes: &[u8]) -> u64 {
    checksum_of_parts([bytes])
}

/// A checksum of 64 bits after FNV-1a (Fowler, Noll, Vo), by words of eight bytes, least significant byte first, with a
/// rotation after each. The last word of each part is padded with zeros.
pub fn checksum_of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let words = parts.into_iter().flat_map(|part| part.chunks(8));
    words.fold(0xcbf2_9ce4_8422_2325, |hash, chunk| {
        // A short word is rare, and copying a variable length is slow.
        let word = chunk.try_into().map_or_else(|_| short_word(chunk), u64::from_le_bytes);
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    })
}

#[cold]
fn short_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_depend_on_every_byte() {
        let bytes: Vec<u8> = (0..29).collect();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(checksum(&changed), checksum(&bytes), "{at}");
        }
        assert_eq!(checksum_of_parts([&bytes[..16], &bytes[16..]]), checksum(&bytes));
    }
}
