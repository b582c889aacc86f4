//! A value with a cache line of its own, so that no other value is slow to read because this one is written.

use std::ops::Deref;

/// A value alone on its cache line; on two of them, because processors fetch lines in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct CacheLine<T>(pub T);

impl<T> Deref for CacheLine<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
