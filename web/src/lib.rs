//! Flipside as a WebAssembly module: requests and responses are JSON objects, in UTF-8, in two buffers of the module.
//!
//! The host writes a request of `n` bytes to `flipside_request(n)`, calls `flipside_call()`, and reads as many bytes as that
//! returns from `flipside_response()`. A running search calls the imported function `flipside.event` with its iterations,
//! and asks `flipside.stops`, about a thousand times a second, whether it shall end.
//! A bad request gets `{"error": "…"}`; no input of a host causes a panic. `npm/index.d.ts` describes the messages, and its
//! classes wrap them.

mod calls;
mod exercise;
mod request;
mod trace;

use calls::Engines;
use serde_json::{Value, json};
use std::cell::RefCell;

/// Longest request in bytes: a tree of a few hundred thousand leaves.
const MAX_REQUEST: usize = 4 << 20;

#[link(wasm_import_module = "flipside")]
unsafe extern "C" {
    /// Receives an iteration: `length` bytes of JSON at `address` in the module's memory, valid during the call.
    fn event(address: *const u8, length: usize);
}

/// Sends an event to the host.
fn send(event_value: &Value) {
    let text = event_value.to_string();
    // SAFETY: the host only reads the text, which outlives the call.
    unsafe { event(text.as_ptr(), text.len()) };
}

#[derive(Default)]
struct Module {
    request: Vec<u8>,
    response: Vec<u8>,
    engines: Engines,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Makes room for a request of `length` bytes and returns its address. Returns 0 if it is longer than 4 MiB, or while a
/// call is being answered (an event's receiver makes another one).
#[unsafe(no_mangle)]
pub extern "C" fn flipside_request(length: usize) -> *mut u8 {
    MODULE.with(|module| match module.try_borrow_mut() {
        Ok(mut module) if length <= MAX_REQUEST => {
            module.request.clear();
            module.request.resize(length, 0);
            module.request.as_mut_ptr()
        }
        _ => std::ptr::null_mut(),
    })
}

/// Answers the request; returns the length of the response in bytes, 0 while another call is being answered.
#[unsafe(no_mangle)]
pub extern "C" fn flipside_call() -> usize {
    MODULE.with(|module| {
        let Ok(mut module) = module.try_borrow_mut() else { return 0 };
        let answer = request::read(&module.request).and_then(|request| module.engines.answer(request));
        let value = answer.unwrap_or_else(|error| json!({ "error": error }));
        module.response = value.to_string().into_bytes();
        module.response.len()
    })
}

/// The address of the latest response; 0 while a call is being answered.
#[unsafe(no_mangle)]
pub extern "C" fn flipside_response() -> *const u8 {
    MODULE.with(|module| module.try_borrow().map_or(std::ptr::null(), |module| module.response.as_ptr()))
}
