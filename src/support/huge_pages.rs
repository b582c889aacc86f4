//! Memory for large tables that are read at random: zeroed by the system page by page as it is
//! prefaulted, or all at once beforehand, and in large pages where the system has them, which spares most of the address
//! translation (some 10 % of a MiniChess search on the machine it was tried on).

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

/// Size and alignment of a large page on x86-64 and most others.
const LARGE: usize = 2 << 20;
/// Size of the smallest pages.
const SMALL: usize = 4 << 10;

/// Types for which all bytes zero are a value, and which may be shared and changed through shared
/// references.
///
/// # Safety
/// Zero bytes must be a value; every byte must lie in an atomic; the type must not need dropping.
pub unsafe trait Zeros: Sync {}

// SAFETY: zero is a value of an atomic integer, and nothing is dropped.
unsafe impl Zeros for AtomicU64 {}

/// A fixed number of values that begin as zero bytes.
pub struct HugePages<T: Zeros> {
    bytes: Box<[AtomicU8]>,
    /// Where the first value lies in `bytes`, aligned for large pages or at least for `T`.
    start: usize,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Zeros> HugePages<T> {
    /// So many values.
    pub fn zeroed(len: usize) -> HugePages<T> {
        let size = len * size_of::<T>();
        let align = if size >= 2 * LARGE { LARGE } else { align_of::<T>() };
        // Memory of alignment 1 comes from the system untouched.
        let bytes = Box::<[AtomicU8]>::new_zeroed_slice(size + align);
        // SAFETY: zero is a value of an atomic byte.
        let bytes = unsafe { bytes.assume_init() };
        let start = bytes.as_ptr().align_offset(align);
        if align == LARGE {
            ask_for_large_pages(&bytes[start..][..size / LARGE * LARGE]);
        }
        HugePages { bytes, start, len, values: PhantomData }
    }

    /// Has the system bring the memory, as much of it as comes by then, so that nobody waits for it later; nothing in it
    /// changes.
    pub fn touch(&self, until: Instant) {
        for part in self.bytes.chunks(LARGE).take_while(|_| Instant::now() < until) {
            for byte in part.iter().step_by(SMALL) {
                // Memory is brought to who writes; a reader is shown a page of zeros that is nobody's. Zero is exchanged
                // for zero because a compiler makes a load of simpler writes that change nothing.
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
fn ask_for_large_pages(memory: &[AtomicU8]) {
    use std::ffi::{c_int, c_void};
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    // SAFETY: the memory is ours, begins at a page, and this advice changes nothing a program can see.
    // A system without large pages refuses, which is no loss.
    let _ = unsafe { madvise(memory.as_ptr().cast_mut().cast(), memory.len(), MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: &[AtomicU8]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::Duration;

    const PATIENCE: Duration = Duration::from_secs(60);

    #[test]
    fn pages_of_any_size_hold_their_values() {
        for len in [0, 1, 1_000, LARGE, 3 * LARGE / 8 + 5] {
            let pages = HugePages::<AtomicU64>::zeroed(len);
            assert_eq!(pages.len(), len);
            assert_eq!(pages.as_ptr() as usize % if len >= LARGE { LARGE } else { 8 }, 0);
            assert!(pages.iter().all(|value| value.load(Relaxed) == 0));
            pages.iter().enumerate().for_each(|(index, value)| value.store(index as u64, Relaxed));
            pages.touch(Instant::now() + PATIENCE);
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
    fn what_is_touched_is_in_memory() {
        let size = 64 << 20;
        let pages = HugePages::<AtomicU64>::zeroed(size / 8);
        let middle = pages.as_ptr() as usize + size / 2;
        let before = resident(middle);
        pages.touch(Instant::now());
        assert!(resident(middle) < before + (size >> 10) / 4, "there was no time");
        pages.touch(Instant::now() + PATIENCE);
        // Other tests may give memory back meanwhile, though seldom in the same mapping.
        assert!(resident(middle) >= before + (size >> 10) * 3 / 4);
    }
}
