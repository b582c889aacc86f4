//! Lines of JSON requests.

#![no_main]

use flipside::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut json) = protocol::open("json") else { return };
    for line in text.lines() {
        let parsed = json.parse(line);
        let requests = json.requests(parsed);
        assert_eq!(requests.is_empty(), line.trim().is_empty());
        assert!(requests.len() <= 8);
    }
});
