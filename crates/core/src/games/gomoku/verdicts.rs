//! Positions that threat searches have decided, with the plies to their end, in a small table that
//! threads share.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of a slot that store the plies; the others are the key's.
const PLIES: u64 = 0xff;

/// Plies by position. A later position takes the slot of an earlier one.
pub struct Verdicts {
    slots: Box<[AtomicU64]>,
}

impl Verdicts {
    /// An empty table of this many slots.
    pub fn new(slots: usize) -> Verdicts {
        Verdicts { slots: (0..slots.max(1)).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.slots[(key >> PLIES.count_ones()) as usize % self.slots.len()]
    }

    /// Stores the plies to the end of the game, up to 255, for the position of this key.
    pub fn store(&self, key: u64, plies: u32) {
        self.slot(key).store(key & !PLIES | u64::from(plies) & PLIES, Ordering::Relaxed);
    }

    /// The plies stored for the position of this key.
    #[inline(always)]
    pub fn plies(&self, key: u64) -> Option<u32> {
        let known = self.slot(key).load(Ordering::Relaxed);
        (known != 0 && (known ^ key) & !PLIES == 0).then_some((known & PLIES) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_kept_until_its_slot_is_taken() {
        let verdicts = Verdicts::new(4);
        let key = 0x1234_5678_9abc_de00;
        assert_eq!(verdicts.plies(key), None);
        verdicts.store(key, 7);
        assert_eq!((verdicts.plies(key), verdicts.plies(key + 0x100)), (Some(7), None));
        verdicts.store(key + 0x400, 9);
        assert_eq!((verdicts.plies(key), verdicts.plies(key + 0x400)), (None, Some(9)));
    }
}
