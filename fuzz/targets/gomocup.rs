//! Lines of Gomocup.

#![no_main]

use flipside::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut gomocup) = protocol::open("gomocup") else { return };
    for line in text.lines() {
        // A position and the search for a move.
        let parsed = gomocup.parse(line);
        assert!(gomocup.requests(parsed).len() <= 2);
    }
});
