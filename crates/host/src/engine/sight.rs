//! Sight: what a player of limited skill does not overlook. Noise alone would make mistakes that no person makes who
//! knows the rules: a win in one missed, the opponent's left open, a corner given away for nothing.

use crate::api::elo::Sight;
use flipside_core::search::notation::Notation;
use std::cmp::Ordering;

/// The first move, in the order of the noisy scores, that the player would really make: its index. `moves` are in the
/// order of their true scores, the best first.
pub(super) fn first_seen<G: Notation>(
    game: &G,
    root: &G::Position,
    sight: Sight,
    moves: &[G::Move],
    order: &[usize],
) -> Option<usize> {
    let preferred = || order.iter().filter_map(|&index| Some((index, *moves.get(index)?)));
    // A finished game counts for the side to move, who is the other one after the move.
    let wins = |position: &G::Position, mv| sign(game.outcome(&game.play(position, mv))) == Some(Ordering::Less);
    let allows_win = |mv| {
        let after = game.play(root, mv);
        game.outcome(&after).is_none() && game.moves(&after).any(|reply| wins(&after, reply))
    };
    let first = |accepts: &dyn Fn(usize, G::Move) -> bool| {
        preferred().find(|&(index, mv)| accepts(index, mv)).map(|(index, _)| index)
    };
    let sees_threats = sight >= Sight::Threats;
    // A search that finds nothing better may give the corner away.
    let careful = |index: usize, mv| index == 0 || !game.gives_away(root, mv);
    first(&|_, mv| wins(root, mv))
        .or_else(|| first(&|index, mv| sees_threats && careful(index, mv) && !allows_win(mv)))
        .or_else(|| first(&|_, mv| sees_threats && !allows_win(mv)))
        .or_else(|| order.first().copied())
}

fn sign(score: Option<i32>) -> Option<Ordering> {
    score.map(|score| score.cmp(&0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::skill::Skill;
    use flipside_core::games::gomoku::rules::Gomoku;
    use flipside_core::games::minichess::rules::MiniChess;
    use flipside_core::games::reversi::rules::Reversi;
    use flipside_core::search::game::Game;
    use flipside_core::search::notation::Style;
    use flipside_core::search::types::Side;

    /// The moves that the noisiest player with this sight makes, over many seeds, where `best` has the best score and
    /// all others are equally good.
    fn played<G: Notation>(game: &G, position: &str, best: &str, sight: Sight) -> Vec<String> {
        let (root, _) = game.read_position(position, Style::Plain).expect("a position");
        let mut moves: Vec<G::Move> = game.moves(&root).collect();
        let name = |mv: G::Move| game.show_move(&root, mv, Style::Plain).to_lowercase();
        moves.sort_by_key(|&mv| name(mv) != best);
        let scores: Vec<i32> = (0..moves.len()).map(|index| if index == 0 { 1 } else { 0 }).collect();
        let choice = |seed| {
            let order = Skill { noise: 2_000, seed, ..Skill::BEST }.order(&scores, 3);
            name(moves[first_seen(game, &root, sight, &moves, &order).expect("a move")])
        };
        let mut names: Vec<String> = (1..300).map(choice).collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn a_win_in_one_is_never_missed() {
        // The rook takes the king.
        let mate = "5 W ..k../...../...../...../...../R.R.K";
        assert_eq!(played(&MiniChess, mate, "a1-a2", Sight::Wins), ["c1-c6"]);
    }

    #[test]
    fn a_loss_in_one_is_seen_from_the_step_of_threats_on() {
        // Black's rook attacks the king, which has to leave the file or take.
        let check = "5 W k.r../...../...../...../P..../..K.R";
        let blind = played(&MiniChess, check, "a2-a3", Sight::Wins);
        assert!(blind.contains(&"a2-a3".to_string()), "{blind:?}");
        let seen = played(&MiniChess, check, "a2-a3", Sight::Threats);
        assert!(!seen.is_empty() && seen.iter().all(|mv| mv.starts_with("c1-")), "{seen:?}");
        assert!(seen.iter().all(|mv| !mv.contains("-c")), "{seen:?}");
    }

    #[test]
    fn five_in_a_row_is_made_and_blocked() {
        let game = Gomoku::named("gomoku").expect("the game");
        let after = |line: &str, side: Side| {
            let play = |root, text| game.play(&root, game.read_move(&root, text, Style::Plain).expect("a move"));
            game.show_position(&line.split(' ').fold(game.start(), play), side, Style::Plain)
        };
        let four = after("h8 a1 h9 a2 h10 a3 h11 a4", Side::First);
        assert_eq!(played(&game, &four, "c9", Sight::Wins), ["h12", "h7"]);
        let both_four = after("h8 a1 h9 a2 h10 a3 h11 a4 o15", Side::Second);
        assert_eq!(played(&game, &both_four, "c9", Sight::Threats), ["a5"], "their own five comes first");
        let three = after("h8 a1 h9 a2 h10 a3 o15 a4", Side::First);
        assert_eq!(played(&game, &three, "c9", Sight::Threats), ["a5"]);
        assert!(played(&game, &three, "c9", Sight::Wins).len() > 100);
    }

    #[test]
    fn a_corner_is_not_given_away_unless_the_search_says_so() {
        let game = Reversi::portable();
        // After b2 White may take a1. After d7 or f6 White can end the game and win it.
        let position =
            ["--------", "--------", "--O-----", "---XO--X", "---OO---", "--------", "----OX--", "--------", " X"]
                .concat();
        assert_eq!(played(&game, &position, "f4", Sight::Wins), ["b2", "d6", "d7", "f4", "f6"]);
        assert_eq!(played(&game, &position, "f4", Sight::Threats), ["d6", "f4"]);
        // The search knows better than to keep the corner, but not than to lose all discs.
        assert_eq!(played(&game, &position, "b2", Sight::Threats), ["b2", "d6", "f4"]);
        assert_eq!(played(&game, &position, "f6", Sight::Threats), ["d6", "f4"]);
    }
}
