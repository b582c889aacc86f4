//! Weights as text: the terms of MiniChess, and the stages of Reversi's `weighted` in TOML.

#![no_main]

use flipside::games::minichess::evaluation::tapered::TaperedEvaluation;
use flipside::games::minichess::evaluation::weights::TermWeights;
use flipside::games::minichess::rules::MiniChess;
use flipside::games::reversi::evaluation::stage_weighted::StageWeighted;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::types::WIN_IN_MAX_PLY;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(weights) = TermWeights::read(text) {
        assert_eq!(TermWeights::read(&weights.show()).as_ref(), Ok(&weights));
        let evaluation = TaperedEvaluation::new(&weights);
        let start = MiniChess.start();
        let score = evaluation.evaluate(&evaluation.refresh(&start), &start);
        assert!(score.abs() < WIN_IN_MAX_PLY, "{score} is the score of a win");
    }
    if let Ok(weights) = StageWeighted::parse(text) {
        let shown = weights.text().expect("weights are written");
        let again = StageWeighted::parse(&shown).expect("what was written is read");
        assert_eq!(again.identity(), weights.identity());
    }
});
