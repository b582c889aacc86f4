//! Binary files: pattern weights, the network of MiniChess, endgame tables, training games. The first byte chooses one;
//! then the input is the file itself, or a list of changes to a good one.

#![no_main]

mod common;

use common::with_file;
use flipside::games::minichess::evaluation::network::Network;
use flipside::games::minichess::rules::MiniChess;
use flipside::games::minichess::tables::EndgameTables;
use flipside::games::reversi::evaluation::pattern::weights_file;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::types::WIN_IN_MAX_PLY;
use flipside::train::game_file::GameFileReader;
use libfuzzer_sys::fuzz_target;

/// The good file after each change: four bytes are an offset, the fifth is the new byte.
fn changed(good: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for change in changes.chunks_exact(5) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % bytes.len();
        bytes[place] = change[4];
    }
    bytes
}

fn network(bytes: &[u8]) {
    if let Ok(network) = Network::read(bytes) {
        let start = MiniChess.start();
        let score = network.evaluate(&network.refresh(&start), &start);
        assert!(score.abs() < WIN_IN_MAX_PLY, "{score} is the score of a win");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    match kind % 5 {
        0 => drop(weights_file::unpack(rest)),
        1 => network(rest),
        2 => network(&changed(Network::FILE, rest)),
        3 => drop(with_file(rest, EndgameTables::load)),
        _ => with_file(rest, |path| {
            if let Ok(games) = GameFileReader::open(path) {
                games.filter_map(Result::ok).for_each(|game| drop(game.positions()));
            }
        }),
    }
});
