//! Lines of GTP.

#![no_main]

use flipside::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut gtp) = protocol::open("gtp") else { return };
    for line in text.lines().filter(|line| !line.contains("loadsgf")) {
        let parsed = gtp.parse(line);
        assert!(gtp.requests(parsed).len() <= 1);
    }
});
