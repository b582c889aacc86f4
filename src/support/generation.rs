//! A table is cleared in no time: its entries name the generation that they are of, and a new one begins. To wipe 64 MiB
//! takes longer than many a search.

use std::sync::atomic::{AtomicU8, Ordering};

/// Where an entry's generation lies in its word of data.
const SHIFT: u32 = 56;

/// The present generation of a table: never 0, which is what untouched memory says.
pub struct Generation(AtomicU8);

impl Generation {
    /// That of untouched memory.
    pub fn first() -> Generation {
        Generation(AtomicU8::new(1))
    }

    /// A new one begins. True once in 255 times, when the numbers begin anew: whatever is left in memory must go.
    #[must_use]
    pub fn advance(&self) -> bool {
        let last = self.0.load(Ordering::Relaxed);
        self.0.store(last % u8::MAX + 1, Ordering::Relaxed);
        last == u8::MAX
    }

    /// The data, whose uppermost byte is free, as of this generation.
    #[inline(always)]
    pub fn sign(&self, data: u64) -> u64 {
        data | u64::from(self.0.load(Ordering::Relaxed)) << SHIFT
    }

    /// True for data signed in this generation.
    #[inline(always)]
    pub fn signed(&self, data: u64) -> bool {
        (data >> SHIFT) as u8 == self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_signed_counts_until_the_next_epoch() {
        let generation = Generation::first();
        for round in 1..=600 {
            assert!(!generation.signed(0), "untouched memory");
            let data = generation.sign(77);
            assert!(generation.signed(data) && data << 8 == 77 << 8);
            assert_eq!(generation.advance(), round % 255 == 0);
            assert!(!generation.signed(data));
        }
    }
}
