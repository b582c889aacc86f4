//! All positions of a book in one row, for exchange with other programs: some 70 bytes a position, so that books of
//! millions of positions fit. Moves are generated whenever they are needed.

use super::entry::{BookEntry, Deviation, Grade, Value};
use super::exchange::{Leaf, Link, NO_MOVE, Record, UNBOUNDED, edax, level};
use super::writer::book_order;
use crate::games::reversi::board::Board;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use crate::search::types::{Score, UNIT};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The positions of a book.
#[derive(Debug)]
pub struct SortedBook {
    /// In the order of a book, each the least of its eight symmetric ones.
    entries: Vec<(Board, BookEntry)>,
    /// The first entry of each range of hashes with the same leading bits, then the number of entries.
    starts: Vec<u32>,
    /// The number of bits behind these leading bits.
    shift: u32,
    /// The entries, each behind those that its moves lead to.
    bottom_up: Vec<u32>,
}

/// Legal moves of a position: how many, and the place of the entry after each that stays in the book.
struct Moves {
    count: usize,
    links: Vec<(u8, usize)>,
}

/// What Edax derives from the positions below one, for its side to move.
#[derive(Clone, Copy)]
struct Summary {
    bounds: [i8; 2],
    /// As in [`Record::lines`].
    lines: [u32; 4],
}

impl SortedBook {
    /// A book of these entries, in any order and any of the symmetric forms. Of a position that comes twice, the surer
    /// value counts.
    pub fn new(mut entries: Vec<(Board, BookEntry)>) -> SortedBook {
        for (board, entry) in &mut entries {
            (*board, *entry) = entry.canonical(*board);
        }
        entries.sort_unstable_by(|(one, first), (other, second)| {
            let searched = |entry: &BookEntry| entry.deviation.map_or(entry.value, |deviation| deviation.value);
            let sureness = |entry: &BookEntry| Reverse((searched(entry).depth, searched(entry).selectivity));
            book_order(*one, *other).then_with(|| sureness(first).cmp(&sureness(second)))
        });
        entries.dedup_by_key(|(board, _)| *board);
        let bits = entries.len().next_power_of_two().ilog2().max(1);
        let shift = u64::BITS - bits;
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        for (place, (board, _)) in entries.iter().enumerate() {
            starts.resize((board.hash() >> shift) as usize + 1, place as u32);
        }
        starts.resize((1 << bits) + 1, entries.len() as u32);
        let mut bottom_up: Vec<u32> = (0..entries.len() as u32).collect();
        let must_pass = |board: Board| Reversi::portable().placements(board) == 0;
        bottom_up.sort_by_cached_key(|&place| {
            let (board, _) = entries[place as usize];
            (board.empties() as u8, must_pass(board))
        });
        SortedBook { entries, starts, shift, bottom_up }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds no position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The fewest empty squares of a position.
    pub fn fewest_empties(&self) -> u32 {
        self.bottom_up.first().map_or(60, |place| self.entries[*place as usize].0.empties())
    }

    /// The entries in the order of a book.
    pub fn into_entries(self) -> Vec<(Board, BookEntry)> {
        self.entries
    }

    fn find(&self, board: Board) -> Option<usize> {
        let (canonical, _) = Symmetry::canonical(board);
        let range = (canonical.hash() >> self.shift) as usize;
        let [start, end] = [self.starts[range] as usize, self.starts[range + 1] as usize];
        self.entries[start..end].iter().position(|(board, _)| *board == canonical).map(|place| start + place)
    }

    fn moves(&self, board: Board) -> Moves {
        let mut moves = Moves { count: 0, links: Vec::new() };
        for mv in Reversi::portable().moves(&board) {
            moves.count += 1;
            moves.links.extend(self.find(board.after(mv)).map(|place| (mv.square, place)));
        }
        moves
    }

    /// Drops deviations that stay in the book, and finds out how sure the values are: what the positions below show, where
    /// they lead to the same score. A score that another program has stored stays; unknown ones are backed up.
    pub fn back_up(&mut self) {
        for place in self.bottom_up.iter().map(|place| *place as usize) {
            let (board, entry) = self.entries[place];
            let Moves { count, links } = self.moves(board);
            let is_open = |deviation: &Deviation| links.iter().all(|(square, _)| *square != deviation.square);
            let deviation = entry.deviation.filter(is_open);
            let below: Vec<Value> = links.iter().map(|&(_, child)| self.entries[child].1.value.negated()).collect();
            let value = if count == 0 {
                Value::of_finished(board)
            } else {
                let backed_up = Value::backed_up(board.empties(), count, &below, deviation.map(|it| it.value));
                let is_same = |value: &Value| entry.value == Value::UNKNOWN || value.score == entry.value.score;
                let grade = entry.value.grade.min(Grade::BackedUp);
                backed_up.filter(is_same).unwrap_or(Value { grade, ..entry.value })
            };
            self.entries[place].1 = BookEntry { value, deviation, ..entry };
        }
    }

    /// The level of most searches; 0 if there are none.
    pub fn usual_level(&self) -> u8 {
        let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
        for (board, entry) in &self.entries {
            let searched = entry.deviation.map(|deviation| level::of(deviation.value, board.empties(), 0));
            *counts.entry(searched.unwrap_or(0)).or_default() += 1;
        }
        counts.remove(&0);
        counts.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(level, _)| level)
    }

    /// The records of the positions for another program, each behind those that its moves lead to. Scores are rounded to
    /// discs. Bounds and lines are derived from the positions below as Edax does.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        let usual = self.usual_level();
        let mut summaries = vec![Summary { bounds: UNBOUNDED, lines: [0; 4] }; self.entries.len()];
        self.bottom_up.iter().map(move |&place| {
            let place = place as usize;
            let (record, summary) = self.record(place, usual, &summaries);
            summaries[place] = summary;
            record
        })
    }

    fn record(&self, place: usize, usual: u8, summaries: &[Summary]) -> (Record, Summary) {
        let (board, entry) = self.entries[place];
        let empties = board.empties();
        let moves = self.moves(board);
        let link =
            |&(square, child): &(u8, usize)| Link { score: -in_discs(self.entries[child].1.value.score), square };
        let mut links: Vec<Link> = moves.links.iter().map(link).collect();
        links.sort_by_key(|link| Reverse(link.score));
        let (leaf, level) = match entry.deviation {
            _ if moves.count == 0 => {
                let level = usual.max(1);
                let leaf = Leaf { score: in_discs(entry.value.score), square: NO_MOVE, level };
                (Some((leaf, level::value(entry.value.score, level, empties))), level)
            }
            Some(Deviation { square, value }) => {
                let level = level::of(value, empties, usual);
                (Some((Leaf { score: in_discs(value.score), square, level }, value)), level)
            }
            None if links.is_empty() => (None, level::of(entry.value, empties, usual)),
            None => (None, usual),
        };
        let below = moves.links.iter().map(|&(_, child)| summaries[child].for_opponent());
        let own = leaf.map(|(leaf, search)| Summary::of_leaf(leaf.score, search, empties));
        let summary = below.chain(own).reduce(Summary::with).unwrap_or(Summary { bounds: UNBOUNDED, lines: [0; 4] });
        let Summary { bounds, lines } = summary;
        let (value, leaf) = (Some(in_discs(entry.value.score)), leaf.map(|(leaf, _)| leaf));
        (Record { board, value, bounds, lines, level, links, leaf }, summary)
    }
}

/// A score in whole discs, halves away from zero.
fn in_discs(score: Score) -> i8 {
    ((score + score.signum() * UNIT / 2) / UNIT).clamp(-64, 64) as i8
}

impl Summary {
    /// Of a move that leads out of the book, or of a finished game, from its score in discs and its search.
    fn of_leaf(score: i8, search: Value, empties: u32) -> Summary {
        let is_exact = search.is_whole(empties);
        let odd_even = i8::from(search.depth % 2 == 1) - i8::from(empties % 2 == 1);
        let (error, bias) = match u32::from(search.depth) >= empties {
            _ if is_exact => (0, 0),
            true => (edax::ENDGAME_ERROR, 0),
            false => (edax::MIDGAME_ERROR, odd_even),
        };
        let result = |is_so: bool| u32::from(is_exact && is_so);
        let lines = [result(score > 0), result(score == 0), result(score < 0), 1];
        Summary { bounds: [score - error - bias, score + error - bias], lines }
    }

    /// The same for the other side.
    fn for_opponent(self) -> Summary {
        let Summary { bounds: [lower, upper], lines: [won, drawn, lost, all] } = self;
        Summary { bounds: [-upper, -lower], lines: [lost, drawn, won, all] }
    }

    /// Of both moves.
    fn with(self, other: Summary) -> Summary {
        let mut both = self;
        for (bound, other) in both.bounds.iter_mut().zip(other.bounds) {
            *bound = (*bound).max(other);
        }
        for (count, other) in both.lines.iter_mut().zip(other.lines) {
            *count = count.saturating_add(other);
        }
        both
    }
}
