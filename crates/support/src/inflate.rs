//! Inflating parts of files whose length is known beforehand.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

/// Fills `plain` with what was deflated into `packed`.
///
/// # Errors
/// What is wrong with `packed`: it inflates to another length, has bytes after its end, or is broken.
pub fn inflate(packed: &[u8], plain: &mut [u8]) -> Result<(), &'static str> {
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    match decompress(&mut DecompressorOxide::new(), packed, plain, 0, flags) {
        (TINFLStatus::Done, _, written) if written != plain.len() => Err("it is too short"),
        (TINFLStatus::Done, read, _) if read != packed.len() => Err("there are bytes after its end"),
        (TINFLStatus::Done, ..) => Ok(()),
        _ => Err("it does not unpack"),
    }
}
