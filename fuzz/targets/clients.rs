//! Output of foreign engines to the referee: the first byte chooses the protocol, the rest is the engine's whole
//! output, independent of the requests.

#![no_main]

mod common;

use flipside::api::settings::Settings;
use flipside::engine::registry;
use flipside::referee::external::ExternalPlayer;
use flipside::referee::limits::PlayerLimits;
use flipside::referee::player::MatchPlayer;
use flipside::referee::spec::PlayerSpec;
use flipside::referee::types::MoveTimes;
use libfuzzer_sys::fuzz_target;
use std::ffi::c_int;
use std::time::Duration;

const PROTOCOLS: [&str; 4] = ["gtp", "nboard", "uci", "xboard"];
/// Longer than `cat` takes on a busy machine; everything else ends with its output.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);

unsafe extern "C" {
    fn signal(number: c_int, handler: usize) -> usize;
}

/// Ignores SIGPIPE, as Rust's own `main` does, which libFuzzer replaces: writing to an engine that has ended is then an
/// error instead of the end.
fn ignore_sigpipe() {
    const SIGPIPE: c_int = 13;
    const SIG_IGN: usize = 1;
    // SAFETY: no handler is installed, and no other thread runs yet.
    unsafe { signal(SIGPIPE, SIG_IGN) };
}

fuzz_target!(init: ignore_sigpipe(), |bytes: &[u8]| {
    let _threads = common::StartedThreads::new();
    let Some((&first, output)) = bytes.split_first() else { return };
    let protocol = if first & 8 == 0 { PROTOCOLS[usize::from(first) % PROTOCOLS.len()] } else { "gomocup" };
    let game = match protocol {
        "gomocup" => "gomoku",
        _ if first & 4 == 0 => "reversi",
        _ => "minichess",
    };
    let settings = Settings { game: game.into(), hash: 1, ..Settings::default() };
    let board = registry::open(&settings).expect("a game");
    common::with_file(output, |path| {
        let line = format!("cmd='cat {}' protocol={protocol}", path.display());
        let spec = PlayerSpec::from_line(&line).expect("a player");
        let limits = match protocol {
            "gomocup" => PlayerLimits { move_time: Some(Duration::from_secs(1)), ..PlayerLimits::default() },
            _ => PlayerLimits { depth: Some(1), ..PlayerLimits::default() },
        };
        let Ok(mut player) = ExternalPlayer::open(&spec, game, STALL_TIMEOUT) else { return };
        if player.new_game(board.as_ref(), &limits).is_ok() {
            let times = MoveTimes { limits, clocks: [None; 2], stall_timeout: STALL_TIMEOUT };
            while player.choose_move(board.as_ref(), &times).is_ok() {}
        }
    });
});
