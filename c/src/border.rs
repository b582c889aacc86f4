//! What every call does at the border: texts, the last error, panics.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It succeeded.
    Ok = 0,
    /// An argument is wrong: a null pointer, a text that is not UTF-8, a number out of its range, an illegal move.
    Invalid = 1,
    /// The engine is searching.
    Busy = 2,
    /// The engine cannot do it: a file or memory is missing, or the search failed.
    Failed = 3,
    /// The library has a fault; the object may no longer be used, except to free it.
    Panic = 4,
}

/// Why a call fails.
#[derive(Debug)]
pub struct Failure(pub Status, pub String);

impl Failure {
    /// An argument is wrong.
    pub fn invalid(reason: impl ToString) -> Failure {
        Failure(Status::Invalid, reason.to_string())
    }

    /// The engine cannot do it.
    pub fn failed(reason: impl ToString) -> Failure {
        Failure(Status::Failed, reason.to_string())
    }
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Runs a call; keeps its failure for [`flipside_error`].
pub fn call(body: impl FnOnce() -> Result<(), Failure>) -> Status {
    let Failure(status, reason) = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(_) => Failure(Status::Panic, "the library has a fault".into()),
    };
    ERROR.with(|error| *error.borrow_mut() = c_string(&reason));
    status
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// A text of the caller.
///
/// # Safety
/// The pointer is null or points to a text that ends in a zero byte.
pub unsafe fn text<'a>(name: &str, pointer: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: promised by the caller.
    unsafe { optional(name, pointer) }?.ok_or_else(|| Failure::invalid(format!("{name} is null")))
}

/// A text of the caller, who may leave it out by a null pointer.
///
/// # Safety
/// As [`text`].
pub unsafe fn optional<'a>(name: &str, pointer: *const c_char) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: not null, and the caller promises that it ends.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|_| Failure::invalid(format!("{name} is not UTF-8")))
}

/// A reference to an object or structure of the caller.
///
/// # Safety
/// The pointer is null or points to a live value, which nobody changes meanwhile.
pub unsafe fn object<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: promised by the caller.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::invalid(format!("{name} is null")))
}

/// Hands a value to the caller.
///
/// # Safety
/// The pointer is null or may be written to.
pub unsafe fn give<T>(pointer: *mut T, value: T) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::invalid("the place for the result is null"));
    }
    // SAFETY: not null, and the caller promises that it may be written to.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Hands a text to the caller, who frees it.
///
/// # Safety
/// As [`give`].
pub unsafe fn give_text(pointer: *mut *mut c_char, value: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::invalid("the place for the result is null"));
    }
    // SAFETY: promised by the caller.
    unsafe { give(pointer, c_string(value).into_raw()) }
}

/// The version of the library, such as `0.2.0`; not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn flipside_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// Why the last failed call of this thread failed, as a sentence. The text belongs to the library and is valid until
/// the next failure of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn flipside_error() -> *const c_char {
    ERROR.with(|error| error.borrow().as_ptr())
}

/// Frees a text that the library returned; a null pointer is allowed.
///
/// # Safety
/// The text comes from this library and was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: promised by the caller; `give_text` made it.
        drop(unsafe { CString::from_raw(text) });
    }
}
