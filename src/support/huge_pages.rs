//! Memory for large tables that are read at random. The system zeroes it page by page as it is first touched, or ahead of
//! time by [`HugePages::prefault`]. Huge pages, where the system has them, save most TLB misses: 10 % of a MiniChess search
//! where it was measured.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

/// Size and alignment of a huge page on x86-64 and most others, in bytes.
const LARGE: usize = 2 << 20;
/// Size of the smallest pages, in bytes.
const SMALL: usize = 4 << 10;

/// Types for which all bytes zero are a valid value, and which may be changed through shared references.
///
/// # Safety
/// Zero bytes must be a value; every byte must lie in an atomic; the type must not need dropping.
pub unsafe trait Zeros: Sync {}

// SAFETY: zero is a value of an atomic integer, and nothing is dropped.
unsafe impl Zeros for AtomicU64 {}

/// A fixed number of values, zero bytes at first.
pub struct HugePages<T: Zeros> {
    bytes: Box<[AtomicU8]>,
    /// The index of the first value in `bytes`, aligned for huge pages or at least for `T`.
    start: usize,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Zeros> HugePages<T> {
    /// Memory for `len` values.
    pub fn zeroed(len: usize) -> HugePages<T> {
        let size = len * size_of::<T>();
        let align = if size >= 2 * LARGE { LARGE } else { align_of::<T>() };
        // The allocator takes memory of alignment 1 straight from the system, without writing zeros itself.
        let bytes = Box::<[AtomicU8]>::new_zeroed_slice(size + align);
        // SAFETY: zero is a value of an atomic byte.
        let bytes = unsafe { bytes.assume_init() };
        let start = bytes.as_ptr().align_offset(align);
        if align == LARGE {
            advise_huge_pages(&bytes[start..][..size / LARGE * LARGE]);
        }
        HugePages { bytes, start, len, values: PhantomData }
    }

    /// Prefaulting: has the system provide the pages before they are needed, for as long as there is time. The values do
    /// not change.
    pub fn prefault(&self, until: Instant) {
        for part in self.bytes.chunks(LARGE).take_while(|_| Instant::now() < until) {
            for byte in part.iter().step_by(SMALL) {
                // Only a write makes the system provide a page; a read maps a shared page of zeros. Zero is exchanged for
                // zero because the compiler reduces simpler writes that change nothing to loads.
                let _ = byte.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    }
}

impl<T: Zeros> Deref for HugePages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` is aligned for `T`, and `len` values fit behind it; the bytes began as zero,
        // which is a value of `T`, and are atomics, so that they may change while they are shared.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().add(self.start).cast(), self.len) }
    }
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(memory: &[AtomicU8]) {
    use std::ffi::{c_int, c_void};
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    // SAFETY: the memory belongs to the caller and begins at a page, and this advice changes nothing a program can see.
    // A system without huge pages refuses, which does no harm.
    let _ = unsafe { madvise(memory.as_ptr().cast_mut().cast(), memory.len(), MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &[AtomicU8]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::Duration;

    const ENOUGH_TIME: Duration = Duration::from_secs(60);

    #[test]
    fn pages_of_any_size_hold_their_values() {
        for len in [0, 1, 1_000, LARGE, 3 * LARGE / 8 + 5] {
            let pages = HugePages::<AtomicU64>::zeroed(len);
            assert_eq!(pages.len(), len);
            assert_eq!(pages.as_ptr() as usize % if len >= LARGE { LARGE } else { 8 }, 0);
            assert!(pages.iter().all(|value| value.load(Relaxed) == 0));
            pages.iter().enumerate().for_each(|(index, value)| value.store(index as u64, Relaxed));
            pages.prefault(Instant::now() + ENOUGH_TIME);
            assert!(pages.iter().enumerate().all(|(index, value)| value.load(Relaxed) == index as u64));
        }
    }

    /// KiB in memory of the mapping that begins at or before `address` and ends behind it.
    #[cfg(target_os = "linux")]
    fn resident(address: usize) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux tells of its mappings");
        let mut inside = false;
        for line in maps.lines() {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            if let Some((from, to)) = range
                && let (Ok(from), Ok(to)) = (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16))
            {
                inside = (from..to).contains(&address);
            } else if inside && let Some(rest) = line.strip_prefix("Rss:") {
                return rest.trim().trim_end_matches(" kB").parse().expect("a number");
            }
        }
        panic!("no mapping holds {address:x}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn prefaulted_pages_are_in_memory() {
        let size = 64 << 20;
        let pages = HugePages::<AtomicU64>::zeroed(size / 8);
        let middle = pages.as_ptr() as usize + size / 2;
        let before = resident(middle);
        pages.prefault(Instant::now());
        assert!(resident(middle) < before + (size >> 10) / 4, "there was no time");
        pages.prefault(Instant::now() + ENOUGH_TIME);
        // Other tests may give memory back meanwhile, though seldom in the same mapping.
        assert!(resident(middle) >= before + (size >> 10) * 3 / 4);
    }
}
