//! Lines of NBoard.

#![no_main]

use flipside::api::protocol::Urgency;
use flipside::protocol;
use flipside::api::command::Command;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut nboard) = protocol::open("nboard") else { return };
    for line in text.lines() {
        let requests = nboard.parse(line);
        assert!(requests.len() <= 1);
        for request in requests.iter().filter(|request| request.urgency == Urgency::Now) {
            assert!(matches!(request.command, Command::Cancel(_) | Command::Quit));
        }
    }
});
