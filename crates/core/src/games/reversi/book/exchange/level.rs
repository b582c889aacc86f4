//! Levels of searches, as Edax counts them: each stands for a depth and a selectivity that depend on the number of empty
//! squares. Egaroucid's levels, which have the same range, are read by the same table.

use crate::games::reversi::book::entry::{Grade, Value};
use crate::search::types::{Score, Selectivity};

/// The highest level.
pub const HIGHEST: u8 = 60;

/// Per cent and most empty squares of each selective solve.
type SelectiveSolves = &'static [(u8, u32)];

/// Up to a level: the most empty squares that are solved exactly, then the selective solves.
const SOLVES: [(u8, u32, SelectiveSolves); 9] = [
    (12, 21, &[(98, 24)]),
    (18, 21, &[(98, 24), (87, 27)]),
    (21, 24, &[(98, 27), (87, 30)]),
    (24, 24, &[(99, 27), (95, 30), (73, 33)]),
    (27, 27, &[(98, 30), (87, 33)]),
    (29, 27, &[(99, 30), (95, 33), (73, 36)]),
    (31, 30, &[(98, 33), (87, 36)]),
    (33, 30, &[(99, 33), (95, 36), (73, 39)]),
    (35, 30, &[(99, 33), (98, 36), (87, 39)]),
];

/// Depth and selectivity of a level's search at this number of empty squares.
pub fn search(level: u8, empties: u32) -> (u8, u8) {
    let wide = u32::from(level);
    let solve = |percent| (empties as u8, percent);
    let exact = Selectivity::EXACT.percent();
    let selective = |steps: &[(u8, u32)]| {
        let step = steps.iter().find(|(_, most)| empties <= *most);
        step.map_or((level, Selectivity::PERCENT[0]), |(percent, _)| solve(*percent))
    };
    match level {
        0 => (0, Selectivity::PERCENT[0]),
        1..=10 if empties <= 2 * wide => solve(exact),
        1..=10 => (level, exact),
        36..=59 if empties + 6 <= wide => solve(exact),
        36..=59 => selective(&[(99, wide - 3), (98, wide), (95, wide + 3), (87, wide + 6), (73, wide + 9)]),
        _ => match SOLVES.iter().find(|(last, ..)| level <= *last) {
            Some((_, most, steps)) if empties > *most => selective(steps),
            _ => solve(exact),
        },
    }
}

/// A score in hundredths as a search of this level gives it.
pub fn value(score: Score, level: u8, empties: u32) -> Value {
    let (depth, selectivity) = search(level, empties);
    let searched = Value { score, depth, selectivity, grade: Grade::Searched };
    if searched.is_whole(empties) { Value { grade: Grade::Exact, ..searched } } else { searched }
}

/// The level of a search that gave a value: `usual` if that explains it, else the lowest that does, else the highest that
/// searches no more.
pub fn of(value: Value, empties: u32, usual: u8) -> u8 {
    let explains = |level: &u8| search(*level, empties) == (value.depth, value.selectivity);
    let is_within = |level: &u8| {
        let (depth, selectivity) = search(*level, empties);
        depth <= value.depth && selectivity <= value.selectivity
    };
    let mut levels = std::iter::once(usual).chain(0..=HIGHEST);
    levels.find(explains).or_else(|| (0..=HIGHEST).rev().find(is_within)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_search_as_deep_as_edax_does() {
        let cases = [
            ((2, 5), (2, 100)),
            ((2, 4), (4, 100)),
            ((10, 20), (20, 100)),
            ((12, 24), (24, 98)),
            ((12, 25), (12, 73)),
            ((18, 27), (27, 87)),
            ((24, 33), (33, 73)),
            ((24, 34), (24, 73)),
            ((35, 30), (30, 100)),
            ((36, 30), (30, 100)),
            ((36, 31), (31, 99)),
            ((36, 45), (45, 73)),
            ((36, 46), (36, 73)),
            ((60, 60), (60, 100)),
            ((0, 12), (0, 73)),
        ];
        for ((level, empties), expected) in cases {
            assert_eq!(search(level, empties), expected, "level {level}, {empties} empty squares");
        }
    }

    #[test]
    fn a_level_is_found_again_from_its_search() {
        for level in 1..=HIGHEST {
            for empties in 0..=60 {
                let searched = value(0, level, empties);
                assert_eq!(of(searched, empties, level), level);
                let lowest = of(searched, empties, 0);
                assert!(lowest <= level && value(0, lowest, empties) == searched, "{level}, {empties}");
            }
        }
        // No level searches 24 plies at 95 %: level 24 searches them at 73 %.
        let ours = Value { score: 0, depth: 24, selectivity: 95, grade: Grade::Searched };
        assert_eq!(of(ours, 50, 6), 24);
        assert_eq!(of(Value::UNKNOWN, 50, 6), 0);
    }
}
