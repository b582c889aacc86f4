//! Generations of table entries: each entry is tagged with the generation in which it was stored,
//! so a table is cleared in constant time by beginning a new one. Overwriting 64 MiB takes longer
//! than many searches.

use std::sync::atomic::{AtomicU8, Ordering};

/// The bit where an entry's generation begins in its word of data.
const SHIFT: u32 = 56;

/// The present generation of a table: 1 to 255, because 0 is the tag of zeroed memory.
pub struct Generation(AtomicU8);

impl Generation {
    /// The generation of a new table.
    pub fn first() -> Generation {
        Generation(AtomicU8::new(1))
    }

    /// Begins a new generation. True once in 255 times, when the numbers wrap around: the caller must then overwrite all
    /// entries.
    #[must_use]
    pub fn advance(&self) -> bool {
        let last = self.0.load(Ordering::Relaxed);
        self.0.store(last % u8::MAX + 1, Ordering::Relaxed);
        last == u8::MAX
    }

    /// The data, whose uppermost byte is free, tagged with this generation.
    #[inline(always)]
    pub fn tag(&self, data: u64) -> u64 {
        data | u64::from(self.0.load(Ordering::Relaxed)) << SHIFT
    }

    /// True for data tagged with this generation.
    #[inline(always)]
    pub fn is_current(&self, data: u64) -> bool {
        (data >> SHIFT) as u8 == self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tagged_data_is_current_until_the_next_generation() {
        let generation = Generation::first();
        for round in 1..=600 {
            assert!(!generation.is_current(0), "zeroed memory");
            let data = generation.tag(77);
            assert!(generation.is_current(data) && data << 8 == 77 << 8);
            assert_eq!(generation.advance(), round % 255 == 0);
            assert!(!generation.is_current(data));
        }
    }
}
