//! Effort levels, playing strength and variety, over GTP and through the built-in player.

#![cfg(feature = "cli")]

use crate::common::Engine;
use std::process::Command;

/// The first moves of a game that the engine plays against itself.
fn opening(options: &[&str]) -> Vec<String> {
    let mut engine = Engine::start(&[&["--gtp", "--depth", "4"], options].concat());
    let mut play = |number: usize| engine.ask(["genmove black", "genmove white"][number % 2]);
    (0..8).map(|number| play(number).trim_start_matches("= ").to_string()).collect()
}

#[test]
fn the_seed_decides_a_varied_game() {
    let varied = |seed: &str| opening(&["--variety", "300", "--seed", seed]);
    assert_eq!(varied("5"), varied("5"));
    assert!((6..10).any(|seed: u32| varied(&seed.to_string()) != varied("5")), "other seeds, other games");
    assert_eq!(opening(&[]), opening(&["--seed", "8"]), "without variety there is nothing to choose");
}

/// Points of the first of two settings in percent, in Reversi.
fn points(first: &str, second: &str) -> f64 {
    points_in("reversi", first, second)
}

fn points_in(game: &str, first: &str, second: &str) -> f64 {
    let player = |name: &str, options: &str| format!("name={name} builtin option.Hash=1 {options}");
    let (one, two) = (player("one", first), player("two", second));
    let words =
        ["match", "--game", game, "--engine", &one, "--engine", &two, "--depth", "6", "--games", "20", "--seed", "2"];
    let output = Command::new(env!("CARGO_BIN_EXE_flipside")).args(words).output().expect("the binary");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let percent = text.split([',', '\n']).find_map(|part| part.trim().strip_suffix(" %"));
    percent.and_then(|percent| percent.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn more_strength_and_higher_levels_win() {
    assert!(points("option.Strength=70 option.Seed=1", "option.Strength=10 option.Seed=2") > 75.0);
    assert!(points("option.Level=6", "option.Level=1") > 60.0);
}

/// Each step of the scales beats the third one below it.
#[test]
fn a_higher_elo_wins() {
    for (game, pairs) in [("reversi", [(700, 1_200), (1_200, 1_800)]), ("minichess", [(500, 900), (1_100, 1_700)])] {
        for (weaker, stronger) in pairs {
            let elo = |elo: u32| format!("option.UCI_LimitStrength=true option.UCI_Elo={elo} option.Seed={elo}");
            let percent = points_in(game, &elo(stronger), &elo(weaker));
            assert!(percent > 65.0, "{game} {stronger} against {weaker}: {percent} %");
        }
    }
}

#[test]
fn options_are_offered_and_their_ranges_kept() {
    let mut engine = Engine::start(&["--gtp"]);
    let options = engine.ask("flipside-options");
    for name in ["Level 60", "Strength 100", "Variety 0", "Seed 0"] {
        assert!(options.contains(name), "{name} in {options}");
    }
    assert!(engine.ask("flipside-option Strength 101").starts_with('?'));
    assert!(engine.ask("flipside-option Level 12").starts_with('='));
    assert!(engine.ask("flipside-options").contains("Level 12"));
}
