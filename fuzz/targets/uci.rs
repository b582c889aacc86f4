//! Lines of UCI.

#![no_main]

use flipside::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut uci) = protocol::open("uci") else { return };
    for line in text.lines() {
        let parsed = uci.parse(line);
        assert!(uci.requests(parsed).len() <= 1);
    }
});
