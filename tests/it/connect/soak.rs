//! Match after match on a server that tears its lines, rejects moves and breaks the connection at random. It lasts a few
//! seconds; `FLIPSIDE_SOAK=7200 cargo test soak` makes it two hours.

use super::ggs_server::{self, Form, Game};
use super::server::{Conn, listener};
use super::{BEGIN, REQUEST, client, ended};
use flipside_core::search::types::Side;
use flipside_support::random::Random;
use std::thread;
use std::time::{Duration, Instant};

/// The resident memory of a process in KiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a running client");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn soak_matches_go_on_for_hours_without_growing() {
    let seconds = std::env::var("FLIPSIDE_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let until = Instant::now() + Duration::from_secs(seconds);
    let (listener, port) = listener();
    let client = client("ggs", &port, &["--attempts", "1"]);
    let process = client.id();
    let server = thread::spawn(move || {
        let (mut random, mut whole, mut broken) = (Random(5), 0, 0);
        let mut memory = None;
        while Instant::now() < until {
            let mut conn = Conn::accept(&listener, [0, 1, 7, 64][random.below(4)]);
            ggs_server::log_in(&mut conn, "flip", "geheim");
            conn.send("/os: stored 0 flip\r\nREADY\r\n");
            for _ in 0..1 + random.below(6) {
                conn.send(REQUEST);
                conn.until("tell /os accept .8", "READY\r\n");
                conn.send(BEGIN);
                let form = [Form::Ggf, Form::Picture][random.below(2)];
                let side = [Side::First, Side::Second][random.below(2)];
                let mut game = [Game::new(".5", side, random.below(40), form)];
                if random.below(4) == 0 {
                    game[0].tell("join", &mut conn);
                    broken += 1;
                    break;
                }
                let rejects = random.below(5) == 0;
                ggs_server::play(&mut conn, &mut game, rejects, whole);
                whole += 1;
            }
            memory = memory.or_else(|| Some(resident(process)));
        }
        (whole, broken, resident(process).saturating_sub(memory.unwrap_or_default()))
    });
    let (ok, said, errors) = ended(client);
    let (whole, broken, growth) = server.join().expect("the server is content");
    assert!(!ok && errors.contains("(2 times)"), "the server is gone in the end: {errors}");
    assert_eq!(said.matches("match .5 is over").count() as u64, whole, "{said}");
    assert!(whole > 0 && growth < 8192, "{whole} matches, {broken} broken off, {growth} KiB more");
}
