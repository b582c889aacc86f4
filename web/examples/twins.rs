//! A module for tests: the SIMD128 kernels against their portable twins, inside WebAssembly. `web/test/twins.test.mjs` runs it.

#[path = "../../tests/kernels/twins.rs"]
mod twins;

use flipside::search::level::Base;
use std::cell::RefCell;

thread_local! {
    static DIFFERENCE: RefCell<String> = RefCell::default();
}

/// Compares the kernels; returns the length in bytes of the first difference's description, 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn compare() -> usize {
    // SAFETY: every processor of the target has the features of this level.
    let compared = unsafe { twins::boards::<Base>() }.and_then(|()| twins::network_sums());
    let description = compared.err().unwrap_or_default();
    DIFFERENCE.with(|difference| difference.replace(description));
    DIFFERENCE.with_borrow(String::len)
}

/// The address of the description, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn difference() -> *const u8 {
    DIFFERENCE.with_borrow(|difference| difference.as_ptr())
}
