//! The host's wish to end a search. A WebAssembly module has no other thread that could raise a
//! search's flag, so the search asks its host.

/// True while the host wants running searches to end.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
#[inline(always)]
pub fn is_requested() -> bool {
    false
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod host {
    #[link(wasm_import_module = "flipside")]
    unsafe extern "C" {
        /// Not 0 if running searches shall end.
        safe fn stops() -> i32;
    }

    /// True while the host wants running searches to end.
    pub fn is_requested() -> bool {
        stops() != 0
    }
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use host::is_requested;
