//! Lines of GTP.

#![no_main]

use flipside::dialect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut gtp) = dialect::open("gtp") else { return };
    for line in text.lines().filter(|line| !line.contains("loadsgf")) {
        assert!(gtp.parse(line).len() <= 1);
    }
});
