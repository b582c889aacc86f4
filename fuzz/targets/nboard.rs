//! Lines of NBoard.

#![no_main]

use flipside::api::command::Command;
use flipside::api::protocol::{Request, Urgency};
use flipside::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(mut nboard) = protocol::open("nboard") else { return };
    for line in text.lines() {
        let parsed = nboard.parse(line);
        let urgency = parsed.urgency;
        let requests = nboard.requests(parsed);
        assert!(requests.len() <= 1);
        // A line that ends a search has exactly one request, which is answered.
        let answered = |request: &Request| matches!(request.command, Command::Reply(_) | Command::Quit);
        assert!(urgency == Urgency::Queue || requests.iter().all(answered) && requests.len() == 1);
    }
});
