//! Pages of the program's file that are read once.

/// Hands the memory of bytes of the program's file back to the system; they are read from the file again when they are
/// needed. Only whole pages, and only on Linux.
///
/// # Safety
/// The bytes must lie in the program, as those of `include_bytes!` do: memory of any other origin would become zero.
pub unsafe fn release(bytes: &'static [u8]) {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: the call only answers.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let start = bytes.as_ptr().align_offset(page);
        let length = bytes.len().saturating_sub(start) / page * page;
        if length > 0 {
            // SAFETY: these pages lie inside the bytes, which nobody can have changed, so that the file has the same content.
            let _ = unsafe { libc::madvise(bytes[start..].as_ptr().cast_mut().cast(), length, libc::MADV_DONTNEED) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn released_bytes_are_read_again() {
        static SOURCE: &[u8] = include_bytes!("json.rs");
        static LOCK: &[u8] = include_bytes!("../../../Cargo.lock");
        for bytes in [SOURCE, LOCK, &[]] {
            let before = bytes.to_vec();
            // SAFETY: the bytes lie in the program.
            unsafe { release(bytes) };
            assert_eq!(bytes, before);
        }
    }
}
