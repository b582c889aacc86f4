//! Flipside for C, and for every language that calls C: boards, games, and an engine that searches, solves, analyses and
//! looks moves up in its book.
//!
//! - Every function returns a [`Status`] or frees something. [`flipside_error`] holds the sentence for the last failure of
//!   the calling thread.
//! - Texts are UTF-8 and end in a zero byte. Those that the library returns belong to the caller, who frees them by
//!   [`flipside_string_free`].
//! - Any thread may call any function. Calls for the same game wait for each other. An engine runs one search at a time,
//!   and answers other calls with `FLIPSIDE_STATUS_BUSY` meanwhile; `flipside_engine_stop` always works.
//! - A null pointer is refused, except where a function says what it means. No panic leaves the library.
//!
//! The version follows Semantic Versioning: functions and fields are added in minor versions, and change or go only in
//! major ones. Structures that grow carry their size.

mod border;
mod engine_calls;
mod game_calls;
mod results;
mod searching;

pub use border::{Status, flipside_error, flipside_string_free, flipside_version};
pub use engine_calls::*;
pub use game_calls::*;
pub use results::{Found, Limits, Review};
