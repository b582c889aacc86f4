//! Smart Game Format.

#![no_main]

use flipside::record::sgf;
use flipside::api::command::Command;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(command) = sgf::game(text, usize::MAX) {
        assert!(matches!(command, Command::SetPosition { .. }));
    }
});
