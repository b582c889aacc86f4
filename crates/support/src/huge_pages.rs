//! Memory for large tables that are read at random. The system zeroes it page by page at the first
//! touch, or [`HugePages::prefault`] does so ahead of time. Huge pages, where the system has them,
//! save most TLB misses: 10 % of a MiniChess search in one measurement.

use super::clock::Instant;
use super::memory::{MemoryError, Reservation};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Size and alignment of a huge page on x86-64 and most others, in bytes.
const LARGE: usize = 2 << 20;
/// Size of the smallest pages, in bytes.
const SMALL: usize = 4 << 10;

/// Types for which all bytes zero are a valid value, and which shared references may change.
///
/// # Safety
/// Zero bytes must be a value, every byte must lie in an atomic, and the type must not need
/// dropping.
pub unsafe trait Zeros: Send + Sync {
    /// Writes to the value's memory without changing the value, through one of its own atomics:
    /// other threads may use it meanwhile, and atomics of another size at the same place would be
    /// a data race.
    fn touch(&self);
}

// SAFETY: zero is a value of an atomic integer, and nothing is dropped.
unsafe impl Zeros for AtomicU64 {
    fn touch(&self) {
        // Only a write makes the system provide a page; a read maps a shared page of zeros. Zero
        // is exchanged for zero because the compiler reduces simpler writes that change nothing to
        // loads.
        let _ = self.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// A fixed number of values, zero bytes at first.
pub struct HugePages<T: Zeros> {
    /// Of `len` values; aligned for huge pages where there are enough of them.
    first: NonNull<T>,
    len: usize,
    /// Values before this one have been prefaulted.
    touched: AtomicUsize,
    memory: NonNull<u8>,
    layout: Layout,
    _reservation: Reservation,
}

// SAFETY: the values are owned, and `Zeros` can be sent.
unsafe impl<T: Zeros> Send for HugePages<T> {}
// SAFETY: shared access gives shared access to the values, and `Zeros` can be shared.
unsafe impl<T: Zeros> Sync for HugePages<T> {}

impl<T: Zeros> HugePages<T> {
    /// Memory for `len` values, at least one.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn zeroed(len: usize) -> Result<HugePages<T>, MemoryError> {
        let len = len.max(1);
        let size = len.saturating_mul(size_of::<T>());
        let align = if size >= 2 * LARGE { LARGE } else { align_of::<T>() };
        let reservation = Reservation::new(size)?;
        // The allocator takes memory of alignment 1 straight from the system, without writing zeros itself.
        let layout = Layout::from_size_align(size.saturating_add(align), 1).map_err(|_| reservation.refused())?;
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(|| reservation.refused())?;
        let offset = memory.as_ptr().align_offset(align);
        // SAFETY: an aligned address is less than `align` bytes away, and the memory is that much larger than the values.
        let first = unsafe { memory.add(offset) };
        if align == LARGE {
            advise_huge_pages(first, size / LARGE * LARGE);
        }
        let (first, touched) = (first.cast(), AtomicUsize::new(0));
        Ok(HugePages { first, len, touched, memory, layout, _reservation: reservation })
    }

    /// Prefaults memory: has the system provide pages before they are needed, for as long as time
    /// allows; the next call continues. The values do not change.
    pub fn prefault(&self, until: Instant) {
        let step = const { SMALL / size_of::<T>() };
        let mut next = self.touched.load(Ordering::Relaxed);
        while next < self.len && Instant::now() < until {
            let end = self.len.min(next + LARGE / SMALL * step);
            self[next..end].iter().step_by(step).for_each(T::touch);
            next = end;
            self.touched.fetch_max(next, Ordering::Relaxed);
        }
    }
}

impl<T: Zeros> Drop for HugePages<T> {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout, and its values need no dropping.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

impl<T: Zeros> Deref for HugePages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `first` is aligned for `T`, and `len` values fit behind it; the bytes began as zero,
        // which is a value of `T`, and are atomics, so that they may change while they are shared.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(memory: NonNull<u8>, length: usize) {
    use std::ffi::{c_int, c_void};
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    // SAFETY: the memory belongs to the caller and begins at a page, and this advice has no
    // visible effect. A system without huge pages refuses it, which does no harm.
    let _ = unsafe { madvise(memory.as_ptr().cast(), length, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::Duration;

    const ENOUGH_TIME: Duration = Duration::from_secs(60);

    #[test]
    fn pages_of_any_size_hold_their_values() {
        for len in [1, 1_000, LARGE, 3 * LARGE / 8 + 5] {
            let pages = HugePages::<AtomicU64>::zeroed(len).expect("some pages");
            assert_eq!(pages.len(), len);
            assert_eq!(pages.as_ptr() as usize % if len >= LARGE { LARGE } else { 8 }, 0);
            assert!(pages.iter().all(|value| value.load(Relaxed) == 0));
            pages.iter().enumerate().for_each(|(index, value)| value.store(index as u64, Relaxed));
            pages.prefault(Instant::now() + ENOUGH_TIME);
            assert!(pages.iter().enumerate().all(|(index, value)| value.load(Relaxed) == index as u64));
        }
    }

    #[test]
    fn more_pages_than_there_are_are_refused() {
        for len in [usize::MAX, usize::MAX / 8, 1 << 56] {
            assert!(HugePages::<AtomicU64>::zeroed(len).is_err());
        }
    }

    /// How many pages of the values are in memory, and how many there are.
    #[cfg(target_os = "linux")]
    fn in_memory(pages: &HugePages<AtomicU64>) -> (usize, usize) {
        // SAFETY: the call only answers.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let size = pages.len * size_of::<AtomicU64>();
        let mut states = vec![0u8; size.div_ceil(page)];
        // SAFETY: the values begin at a page, their memory is mapped, and there is a byte for each of their pages.
        let status = unsafe { libc::mincore(pages.first.as_ptr().cast(), size, states.as_mut_ptr()) };
        assert_eq!(status, 0, "the system tells of mapped memory");
        (states.iter().filter(|state| **state & 1 == 1).count(), states.len())
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn prefaulted_pages_are_in_memory() {
        let pages = HugePages::<AtomicU64>::zeroed((64 << 20) / 8).expect("some pages");
        let (before, all) = in_memory(&pages);
        pages.prefault(Instant::now());
        assert!(in_memory(&pages).0 < before + all / 4, "there was no time");
        pages.prefault(Instant::now() + ENOUGH_TIME);
        assert_eq!(in_memory(&pages), (all, all));
    }
}
