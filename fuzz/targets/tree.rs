//! Explicit trees of the textbook.

#![no_main]

use flipside::games::tree::Tree;
use flipside::search::game::Game;
use flipside::search::types::Side;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(tree) = Tree::read(text, Side::First) else { return };
    let mut open = vec![tree.start()];
    while let Some(node) = open.pop() {
        assert_eq!(tree.outcome(&node).is_some(), tree.moves(&node).next().is_none());
        open.extend(tree.moves(&node).map(|mv| tree.play(&node, mv)));
    }
});
