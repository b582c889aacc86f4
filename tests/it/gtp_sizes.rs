//! GTP on boards of other sizes.

#![cfg(feature = "cli")]

use crate::common::Engine;
use crate::gtp::gtp;

/// Reversi on small boards plays whole games by its rules, with the exact solver at the end.
#[test]
fn small_reversi_is_played_to_its_end() {
    for (game, size, depth) in [("reversi-4x4", "4", "12"), ("reversi-6x6", "6", "4")] {
        let mut engine = Engine::start(&["--gtp", "--game", game, "--depth", depth]);
        assert_eq!(engine.ask(&format!("boardsize {size}")), "=", "{game}");
        assert_eq!(engine.ask("boardsize 5"), "? unacceptable size", "{game}");
        let mut passes = 0;
        for turn in 0..80 {
            let answer = engine.ask(if turn % 2 == 0 { "genmove black" } else { "genmove white" });
            passes = if answer.eq_ignore_ascii_case("= pass") { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
        }
        assert_eq!(passes, 2, "{game} ended");
        let score = engine.ask("final_score");
        assert!(score.starts_with("= "), "{game}: {score}");
        if game == "reversi-4x4" {
            assert_eq!(score, "= W+10", "perfect play from the start");
        }
    }
}

/// Who asks for a size means Reversi on that board, and gets the usual one back by its size.
#[test]
fn a_size_selects_reversi_on_that_board() {
    let mut engine = gtp();
    assert_eq!(engine.ask("play b d3"), "=");
    for (size, position) in [
        ("6", "--------------OX----XO-------------- X"),
        ("4", "-----OX--XO----- X"),
        ("8", "---------------------------OX------XO--------------------------- X"),
    ] {
        assert_eq!(engine.ask(&format!("boardsize {size}")), "=");
        assert_eq!(engine.ask("flipside-position"), format!("= {position}"));
        assert_eq!(engine.ask("gogui-rules_board_size"), format!("= {size}"));
        assert!(engine.ask("genmove b").len() == 4, "a move on {size}");
        assert_eq!(engine.ask("boardsize 7"), "? unacceptable size");
    }
    let mut gomoku = Engine::start(&["--gtp", "--game", "gomoku-exactly-five", "--depth", "1"]);
    assert_eq!(gomoku.ask("boardsize 20"), "=");
    assert_eq!(gomoku.ask("gogui-rules_board_size"), "= 20");
    assert_eq!(gomoku.ask("boardsize 8"), "? unacceptable size");
}
