//! Lines of XBoard.

#![no_main]

use flipside::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut xboard) = protocol::open("xboard") else { return };
    for line in text.lines() {
        // Taking a predicted move back, the command itself, and a new search.
        let parsed = xboard.parse(line);
        assert!(xboard.requests(parsed).len() <= 3);
    }
});
