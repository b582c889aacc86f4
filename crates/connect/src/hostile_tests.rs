//! Clients against servers that send nonsense: true lines with random bytes in them, out of order, again and again.

use crate::client::{Action, Choice, Client, Ending};
use crate::ggs::{GgsClient, GgsSettings, Offer};
use crate::imcs::{ImcsClient, ImcsSettings};
use crate::lines::Lines;
use crate::rules::GameRules;
use flipside_support::random::Random;
use std::time::{Duration, Instant};

const GGS: &[&str] = &[
    ": Enter login (yours, or one you'd like to use).",
    ": Enter your password.",
    "READY",
    "/os: +   .8 1720.0 alice    01:00//02:00       8b U 1720.0 flip",
    "/os: - .8 1720.0 alice 01:00 8 U 1720.0 flip",
    "/os: + match .5 1720 alice 1720 flip s8r18 U",
    "/os: join .5.0 (;GM[Othello]PB[flip]PW[alice]TI[01:00//02:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[d3//1];)",
    "/os: update .5.0 c3//3.47",
    "/os: update .5.0 PA",
    "/os: join .5.1 8b K?",
    "|  1: f5//3.47",
    "|flip    (1720.0 *) 00:59,0:0//02:00,0:0",
    "|alice   (1720.0 O) -01:00,0:0//02:00,0:0",
    "| 1 - - - - - - - - 1",
    "| 2 - - - - - - - - 2",
    "| 3 - - - * - - - - 3",
    "| 4 - - - * * - - - 4",
    "| 5 - - - * O - - - 5",
    "| 6 - - - - - - - - 6",
    "| 7 - - - - - - - - 7",
    "| 8 - - - - - - - - 8",
    "|O to move",
    "/os: error .5.0 illegal move",
    "/os: end .5.0 ( alice vs. flip ) +46.00",
    "/os: - match .5 1720 alice 1720 flip s8r18 U -64.00:t",
    "/os: stored 2 flip",
    "|.78 alice 8 U",
    "/os: rating_update .5",
    "/os: timeout .5 flip",
];

const IMCS: &[&str] = &[
    "100 imcs 2.5",
    "201 hello flip",
    "212 ratings",
    " flip 1000",
    ".",
    "211 1 available games",
    " 1 anna W 2:30 5:00 1000 [offer]",
    "103 2 game waiting for offer acceptance",
    "105 W 5:00 5:00 game starts",
    "106 B 5:00 5:00 game starts",
    "1 W",
    "1 B",
    "kqbnr",
    "ppppp",
    ".....",
    "PPPPP",
    "RNBQK",
    "? 05:00.000 05:00.000",
    "! b2-b3",
    "- illegal move b2-b3",
    "= W wins",
    "231 W wins",
    "421 offer countermanded",
    "X fatal IO error: exiting",
];

fn ggs() -> GgsClient {
    let kind = "8".parse().expect("a type");
    let offer = Some(Offer { kind, clock: "5:00".into(), opponent: None });
    let rules = GameRules { extra_time: true, ..GameRules::default() };
    GgsClient::new(GgsSettings { name: "flip".into(), password: "secret".into(), rules, offer, matches: None })
}

fn imcs() -> ImcsClient {
    let offer = Some(Duration::from_secs(60));
    let rules = GameRules::default();
    ImcsClient::new(ImcsSettings {
        name: "flip".into(),
        password: "secret".into(),
        register: false,
        rules,
        offer,
        games: None,
    })
}

/// A line, mostly as it is, else with a few bytes replaced, cut off, or doubled.
fn mangled(line: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    match random.below(4) {
        0 => (0..=random.below(3)).for_each(|_| {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }),
        1 if random.below(2) == 0 => bytes.truncate(random.below(bytes.len())),
        _ => {}
    }
    bytes.push(b'\n');
    bytes
}

/// Talks nonsense to a client, whose engine plays the first legal move. Returns how many moves it was asked for.
fn torment(client: &mut dyn Client, script: &[&str], seed: u64) -> usize {
    let (mut random, mut lines, mut turns) = (Random(seed), Lines::default(), 0);
    let mut now = Instant::now();
    let _ = client.connected(now);
    let mut next = 0;
    for _ in 0..400 {
        // Mostly in order, so that games come about.
        next = if random.below(6) == 0 { random.below(script.len()) } else { (next + 1) % script.len() };
        let mut actions: Vec<Action> =
            lines.push(&mangled(script[next], &mut random)).iter().flat_map(|line| client.line(line, now)).collect();
        now += Duration::from_secs(1);
        actions.extend(client.tick(now));
        while let Some(action) = actions.pop() {
            match action {
                Action::Think(turn) => {
                    turns += 1;
                    let mv = ["d3", "e3", "b2-b3", "pass", "??"][random.below(5)].to_string();
                    let choice = Choice { number: turn.number, mv, score: Some(100), used: Duration::from_millis(5) };
                    actions.extend(client.chosen(choice, now));
                }
                Action::Close(Ending::Refused(_) | Ending::Again | Ending::Done) => {
                    actions.extend(client.lost());
                    actions.extend(client.connected(now));
                }
                _ => {}
            }
        }
    }
    turns
}

#[test]
fn nonsense_neither_stops_a_client_nor_makes_it_mute() {
    let mut turns = [0; 2];
    for seed in 0..300 {
        turns[0] += torment(&mut ggs(), GGS, seed);
        turns[1] += torment(&mut imcs(), IMCS, seed);
    }
    assert!(turns.iter().all(|&turns| turns > 100), "games came about: {turns:?}");
}
