//! Lines of Cassio.

#![no_main]

use flipside::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut cassio) = protocol::open("cassio") else { return };
    for line in text.lines() {
        let parsed = cassio.parse(line);
        assert_eq!(cassio.requests(parsed).len(), 1);
    }
});
