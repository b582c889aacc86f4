//! Values, losses and journals of random books against plain recursions over the rules.

use super::audit::unfounded;
use super::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use super::graph::{BookGraph, UNREACHED};
use super::journal::{JournalLine, game_positions};
use super::reader::Book;
use super::store::BookStore;
use crate::games::reversi::board::{Board, PASS};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use crate::search::types::UNIT;
use flipside_support::random::Random;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Late positions: their subtrees are small and full of passes and ends of games.
fn late(random: &mut Random, empties: u32) -> Board {
    let game = Reversi::portable();
    loop {
        let mut board = Board::START;
        while board.empties() > empties {
            let moves: Vec<_> = game.moves(&board).collect();
            match moves.len() {
                0 => break,
                count => board = board.after(moves[random.below(count)]),
            }
        }
        if board.empties() == empties && game.outcome(&board).is_none() {
            return board;
        }
    }
}

/// Adds a random part of the tree below a position, each with a deviation where one is possible.
fn grow(graph: &mut BookGraph, board: Board, random: &mut Random, known: &mut Vec<Board>) {
    let game = Reversi::portable();
    known.push(board);
    graph.set_deviation(board, None);
    for mv in game.moves(&board) {
        if mv.square == PASS || random.below(3) > 0 && known.len() < 400 {
            grow(graph, board.after(mv), random, known);
        }
    }
}

fn random_book(seed: u64) -> (BookGraph, Board) {
    let mut random = Random(seed);
    let (mut graph, mut known) = (BookGraph::default(), Vec::new());
    let root = late(&mut random, 7);
    grow(&mut graph, root, &mut random, &mut known);
    for board in known {
        let open = graph.open_moves(board);
        if !open.is_empty() {
            let score = random.below(4001) as i32 - 2000;
            let value = Value { score, depth: 3, selectivity: 95, grade: Grade::Searched };
            graph.set_deviation(board, Some(Deviation { square: open[random.below(open.len())], value }));
        }
    }
    graph.refresh();
    (graph, root)
}

/// Negamax by the definition.
fn negamax(graph: &BookGraph, board: Board) -> i32 {
    let game = Reversi::portable();
    let node = graph.get(board).expect("a position of the book");
    if let Some(score) = game.outcome(&board) {
        return score;
    }
    let inside = game.moves(&board).map(|mv| board.after(mv)).filter(|child| graph.get(*child).is_some());
    let inside = inside.map(|child| -negamax(graph, child));
    let outside = graph.deviation(node).map(|deviation| deviation.value.score);
    inside.chain(outside).max().expect("a value")
}

/// The least sum of losses of all lines to each position.
fn losses(graph: &BookGraph, board: Board, loss: i32, least: &mut HashMap<Board, i32>) {
    let known = least.entry(Symmetry::canonical(board).0).or_insert(loss);
    *known = loss.min(*known);
    for mv in Reversi::portable().moves(&board) {
        let child = board.after(mv);
        if graph.get(child).is_some() {
            let lost = negamax(graph, board) + negamax(graph, child);
            losses(graph, child, loss + lost, least);
        }
    }
}

#[test]
fn values_and_losses_are_those_of_plain_recursions() {
    let (mut passes, mut ends) = (0, 0);
    for seed in 0..60 {
        let (graph, root) = random_book(seed);
        let mut least = HashMap::new();
        losses(&graph, root, 0, &mut least);
        for node in graph.nodes() {
            assert_eq!(node.value.score, negamax(&graph, node.board), "{seed}: {:?}", node.board);
            assert_eq!(Some(&node.loss), least.get(&node.board), "{seed}: {:?}", node.board);
            passes += usize::from(node.successors.iter().any(|(square, _)| *square == PASS));
            ends += usize::from(node.successors.is_empty());
        }
    }
    assert!(passes > 20 && ends > 20, "{passes} {ends}");
}

#[test]
fn leaves_are_the_positions_below_that_were_searched() {
    let (graph, _) = random_book(3);
    for (board, entry) in graph.entries() {
        let mut below = vec![board];
        let mut next = 0;
        while let Some(&board) = below.get(next) {
            next += 1;
            for (_, child) in &graph.get(board).expect("a position").links {
                let child = graph.nodes()[*child].board;
                if !below.contains(&child) {
                    below.push(child);
                }
            }
        }
        let leaves = below.iter().filter(|board| {
            let node = graph.get(**board).expect("a position");
            node.successors.is_empty() || !graph.open_moves(**board).is_empty()
        });
        assert_eq!(entry.leaves as usize, leaves.count());
    }
}

/// A book of one move whose values have these grades and scores, for the mover: the move in the book, and the deviation.
fn grade_of(inside: (i32, Grade), outside: (i32, Grade)) -> (i32, Grade) {
    let game = Reversi::portable();
    let board = late(&mut Random(5), 9);
    let moves: Vec<_> = game.moves(&board).collect();
    let value = |score: i32, grade| Value { score: score * UNIT, depth: 9, selectivity: 100, grade };
    let child = board.after(moves[0]);
    let mut graph = BookGraph::default();
    let reply = game.moves(&child).next().expect("a reply").square;
    graph.set_deviation(child, Some(Deviation { square: reply, value: value(-inside.0, inside.1) }));
    graph.set_deviation(board, Some(Deviation { square: moves[1].square, value: value(outside.0, outside.1) }));
    graph.refresh();
    let seen = graph.get(board).expect("the position").value;
    (seen.score / UNIT, seen.grade)
}

#[test]
fn grades_say_no_more_than_is_known() {
    use Grade::{BackedUp, Exact, Proven, Searched};
    assert_eq!(grade_of((4, Exact), (2, Exact)), (4, Exact));
    // A win is a win, even if something else is better.
    assert_eq!(grade_of((4, Exact), (2, Searched)), (4, Proven));
    assert_eq!(grade_of((4, Exact), (6, Searched)), (6, Proven));
    assert_eq!(grade_of((-4, Exact), (2, Searched)), (2, BackedUp));
    assert_eq!(grade_of((-4, Exact), (-6, Searched)), (-4, BackedUp));
    assert_eq!(grade_of((-4, Proven), (-2, Exact)), (-2, Proven));
    assert_eq!(grade_of((0, Searched), (0, Searched)), (0, BackedUp));
}

#[test]
fn a_deviation_that_joins_the_book_must_be_searched_anew() {
    let game = Reversi::portable();
    let mut graph = BookGraph::default();
    let value = Value { score: 50, depth: 10, selectivity: 95, grade: Grade::Searched };
    let mv = game.moves(&Board::START).next().expect("a move");
    graph.set_deviation(Board::START, Some(Deviation { square: mv.square, value }));
    assert!(!graph.needs_search(graph.get(Board::START).expect("the start")));
    let child = board_after(Board::START, mv.square);
    graph.set_deviation(child, Some(Deviation { square: game.moves(&child).next().expect("a move").square, value }));
    graph.refresh();
    let start = graph.get(Board::START).expect("the start");
    // By symmetry all first moves are one: nothing leads out of the book.
    assert_eq!((graph.deviation(start), graph.open_moves(Board::START)), (None, vec![]));
    assert!(!graph.needs_search(start) && start.value.score == -50 && start.value.grade == Grade::BackedUp);
    let second = graph.open_moves(child);
    graph.set_deviation(board_after(child, second[0]), None);
    assert!(graph.needs_search(graph.get(child).expect("a position")));
}

fn board_after(board: Board, square: u8) -> Board {
    board.after(Reversi::portable().moves(&board).find(|mv| mv.square == square).expect("legal"))
}

#[test]
fn what_is_pruned_counts_as_a_deviation() {
    let (mut graph, root) = random_book(11);
    let before = negamax(&graph, root);
    let empties = root.empties() - 1;
    graph.prune(|node| node.board.empties() >= empties);
    graph.refresh();
    assert!(graph.nodes().iter().all(|node| node.board.empties() >= empties));
    assert_eq!(graph.get(root).expect("the root").value.score, before);
    assert!(graph.nodes().iter().all(|node| node.loss != UNREACHED));
}

/// The value of perfect play, in hundredths.
fn truth(board: Board, known: &mut HashMap<Board, i32>) -> i32 {
    let (board, _) = Symmetry::canonical(board);
    if let Some(&value) = known.get(&board) {
        return value;
    }
    let game = Reversi::portable();
    let best = game.moves(&board).map(|mv| -truth(board.after(mv), known)).max();
    let value = best.unwrap_or_else(|| board.final_discs() * UNIT);
    known.insert(board, value);
    value
}

/// A part of the tree below a position. Some of its deviations are solved and right, the others are searched and wrong.
fn half_solved_book(root: Board, random: &mut Random, known: &mut HashMap<Board, i32>) -> BookGraph {
    let (mut graph, mut boards) = (BookGraph::default(), Vec::new());
    grow(&mut graph, root, random, &mut boards);
    for board in boards {
        let open = graph.open_moves(board);
        let Some(&any) = open.first() else { continue };
        let best = open.iter().map(|&square| (-truth(board_after(board, square), known), square)).max();
        let (score, square) = best.unwrap_or((0, any));
        let solved = Value { score, depth: board.empties() as u8, selectivity: 100, grade: Grade::Exact };
        let value = match random.below(4) {
            0 => Value { score: random.below(1601) as i32 - 800, depth: 3, selectivity: 95, grade: Grade::Searched },
            1 => Value { score: score.signum() * 200, grade: Grade::Proven, ..solved },
            _ => solved,
        };
        graph.set_deviation(board, Some(Deviation { square, value }));
    }
    graph.refresh();
    graph
}

/// Values, those of deviations included, that are graded exact or proven are so. The numbers of both kinds.
fn assert_true(graph: &BookGraph, known: &mut HashMap<Board, i32>) -> [usize; 2] {
    let mut counts = [0; 2];
    for node in graph.nodes() {
        let outside = graph.deviation(node).map(|deviation| {
            let open = graph.open_moves(node.board);
            let best = open.iter().map(|&square| -truth(board_after(node.board, square), known)).max();
            (deviation.value, best.expect("an open move"))
        });
        for (value, truth) in [(node.value, truth(node.board, known))].into_iter().chain(outside) {
            match value.grade {
                Grade::Exact => assert_eq!(value.score, truth, "{:?}", node.board),
                Grade::Proven => assert_eq!(value.score.signum(), truth.signum(), "{:?}", node.board),
                Grade::Searched | Grade::BackedUp => {}
            }
            counts[0] += usize::from(value.grade == Grade::Exact);
            counts[1] += usize::from(value.grade == Grade::Proven);
        }
    }
    counts
}

#[test]
fn what_is_graded_exact_or_proven_is_so_after_prunes_and_mergers() {
    let (mut pruned_counts, mut merged_counts) = ([0; 2], [0; 2]);
    for seed in 0..60 {
        let (mut random, mut known) = (Random(seed), HashMap::new());
        let root = late(&mut random, 7);
        let [mut one, other] = [(); 2].map(|()| half_solved_book(root, &mut random, &mut known));
        assert_true(&one, &mut known);
        let mut pruned = one.clone();
        pruned.prune(|node| node.board == Symmetry::canonical(root).0 || random.below(3) > 0);
        pruned.refresh();
        let counts = assert_true(&pruned, &mut known);
        assert_eq!(unfounded(&pruned.entries()), [], "{seed}");
        // Pruned twice, and merged with a book that knows other moves.
        pruned.prune(|node| node.board.empties() >= 5);
        pruned.refresh();
        assert_true(&pruned, &mut known);
        for (board, entry) in other.entries().into_iter().chain(pruned.entries()) {
            one.add(board, &entry);
        }
        one.refresh();
        let merged = assert_true(&one, &mut known);
        assert_eq!(unfounded(&one.entries()), [], "{seed}");
        for (sum, count) in pruned_counts.iter_mut().zip(counts).chain(merged_counts.iter_mut().zip(merged)) {
            *sum += count;
        }
    }
    assert!(
        pruned_counts.into_iter().chain(merged_counts).all(|count| count > 100),
        "{pruned_counts:?} {merged_counts:?}"
    );
}

#[test]
fn a_deviation_that_stands_for_a_removed_move_is_as_sure_as_the_least_sure_one() {
    let game = Reversi::portable();
    let board = late(&mut Random(5), 9);
    let moves: Vec<_> = game.moves(&board).collect();
    let child = board.after(moves[0]);
    let reply = game.moves(&child).next().expect("a reply").square;
    let exact = Value { score: -4 * UNIT, depth: 8, selectivity: 100, grade: Grade::Exact };
    let searched = Value { score: 2 * UNIT, depth: 6, selectivity: 87, grade: Grade::Searched };
    let mut graph = BookGraph::default();
    graph.set_deviation(child, Some(Deviation { square: reply, value: exact }));
    let whole = graph.clone();
    let pruned = |mut graph: BookGraph| {
        graph.refresh();
        graph.prune(|node| node.board.empties() == 9);
        let node = graph.get(board).expect("the position");
        graph.deviation(node).expect("a deviation").value
    };
    graph.set_deviation(board, Some(Deviation { square: moves[1].square, value: searched }));
    assert_eq!(pruned(graph), Value { score: 4 * UNIT, ..searched });
    // Moves that nobody has searched are the least sure.
    let mut open = whole;
    open.set_deviation(board, None);
    assert_eq!(pruned(open), Value { score: 4 * UNIT, ..Value::UNKNOWN });
}

#[test]
fn values_that_claim_more_than_the_book_shows_are_found() {
    let board = late(&mut Random(5), 9);
    let square = Reversi::portable().moves(&board).next().expect("a move").square;
    let (board, symmetry) = Symmetry::canonical(board);
    let square = symmetry.square(square);
    let entry = |value, outside| BookEntry {
        value,
        leaves: 1,
        deviation: Some(Deviation { square, value: outside }),
        games: GameCounts::default(),
    };
    let exact = Value { score: 400, depth: 9, selectivity: 100, grade: Grade::Exact };
    let searched = Value { depth: 6, grade: Grade::Searched, ..exact };
    let found = |value, outside| unfounded(&[(board, entry(value, outside))]).len();
    assert_eq!((found(exact, exact), found(searched, exact), found(searched, searched)), (0, 0, 0));
    assert_eq!(found(Value { grade: Grade::Proven, ..searched }, exact), 0);
    assert_eq!(found(exact, searched), 1, "an exact value that rests on a searched one");
    assert_eq!(found(Value { score: 200, ..exact }, exact), 1, "another score");
    assert_eq!(found(Value { score: -200, grade: Grade::Proven, ..exact }, exact), 1, "the other side wins");
    assert_eq!(found(searched, Value { depth: 8, ..exact }), 1, "a search that did not reach the end");
    assert_eq!(found(searched, Value { selectivity: 99, ..exact }), 1, "a selective search");
    let alone = BookEntry { deviation: None, ..entry(exact, exact) };
    assert_eq!(unfounded(&[(board, alone)]).len(), 1, "nothing is known of any move");
}

#[test]
fn a_position_of_which_nothing_is_known_is_not_exact() {
    let mut graph = BookGraph::default();
    graph.set_deviation(Board::START, None);
    graph.refresh();
    assert_eq!(graph.get(Board::START).expect("the start").value, Value::UNKNOWN);
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("flipside-store-{}-{name}", std::process::id()));
    for suffix in ["", ".journal", ".part"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    path
}

fn search_line(random: &mut Random, plies: usize) -> JournalLine {
    let game = Reversi::portable();
    let mut board = Board::START;
    for _ in 0..plies {
        let moves: Vec<_> = game.moves(&board).collect();
        board = board.after(moves[random.below(moves.len())]);
    }
    let square = game.moves(&board).next().expect("a move").square;
    let value = Value { score: random.below(999) as i32 - 500, depth: 9, selectivity: 73, grade: Grade::Searched };
    JournalLine::Search(board, Some(Deviation { square, value }))
}

fn sorted(store: &BookStore) -> Vec<(Board, BookEntry)> {
    let mut graph = store.graph.clone();
    graph.refresh();
    let mut entries = graph.entries();
    entries.sort_by_key(|(board, _)| (board.player, board.opponent));
    entries
}

fn journal(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.journal", path.display()))
}

#[test]
fn what_was_added_outlives_the_process_and_is_merged_once() {
    let path = scratch("merged");
    let mut random = Random(1);
    let game = JournalLine::Game(vec![19, 18, 44], 12);
    let mut store = BookStore::open(&path).expect("a new book");
    for plies in [0, 1, 2, 4, 6, 6, 8] {
        store.add(&search_line(&mut random, plies)).expect("a line");
    }
    store.add(&game).expect("a game");
    let learned = sorted(&store);
    drop(store);
    // As after a kill: the journal alone.
    let mut store = BookStore::open(&path).expect("the journal");
    assert_eq!(sorted(&store), learned);
    assert!(matches!(BookStore::open(&path), Err(error) if error.to_string().contains("another process")));
    let written = std::fs::read(journal(&path)).expect("the journal");
    store.merge().expect("a book");
    drop(store);
    let book = Book::open(&path).expect("the book");
    assert_eq!(book.positions(), learned.len() as u64);
    let start = book.probe(Board::START).expect("the start");
    assert_eq!(start.games, GameCounts { won: 1, drawn: 0, lost: 0 });
    drop(book);
    // As after a kill between the renaming and the emptying of the journal, which must not count again.
    std::fs::write(journal(&path), &written).expect("the old journal");
    let mut store = BookStore::open(&path).expect("the book");
    assert_eq!(sorted(&store), learned);
    store.add(&game).expect("another game");
    store.merge().expect("a book");
    drop(store);
    let start = Book::open(&path).expect("the book").probe(Board::START).expect("the start");
    assert_eq!(start.games.won, 2);
    // Now the journal belongs to neither this book nor the one before.
    std::fs::write(journal(&path), &written).expect("the old journal");
    let error = BookStore::open(&path).expect_err("a foreign journal").to_string();
    assert!(error.contains("it belongs to another book"), "{error}");
    assert_eq!(std::fs::read(journal(&path)).expect("untouched"), written);
    std::fs::remove_file(journal(&path)).expect("the journal");
    std::fs::remove_file(&path).expect("the book");
}

#[test]
fn a_journal_that_is_cut_anywhere_keeps_its_whole_lines() {
    let path = scratch("cut");
    let mut random = Random(2);
    let mut store = BookStore::open(&path).expect("a new book");
    let mut states = vec![(0, sorted(&store))];
    for plies in 0..6 {
        store.add(&search_line(&mut random, plies)).expect("a line");
        states.push((std::fs::metadata(journal(&path)).expect("a journal").len(), sorted(&store)));
    }
    drop(store);
    let whole = std::fs::read(journal(&path)).expect("the journal");
    for end in 0..=whole.len() {
        std::fs::write(journal(&path), &whole[..end]).expect("a cut journal");
        let store = BookStore::open(&path).expect("whole lines");
        let expected = states.iter().rev().find(|(length, _)| *length as usize <= end).expect("a state");
        assert_eq!(sorted(&store), expected.1, "{end}");
    }
    std::fs::remove_file(journal(&path)).expect("the journal");
}

#[test]
fn journals_say_what_they_cannot_be() {
    let path = scratch("foreign");
    for text in ["hello\n", "flipside book journal 1 of 00000000000000ff\n"] {
        std::fs::write(journal(&path), text).expect("a file");
        assert!(BookStore::open(&path).is_err(), "{text}");
    }
    let head = "flipside book journal 1 of 0000000000000000\n";
    let beyond = ["19 6401 9 73", "19 -6401 9 73", "19 0 65 73", "19 0 -1 73", "19 0 9 72", "19 0 9 101", "65 0 9 73"];
    let beyond = beyond.map(|numbers| format!("search 1 2 {numbers} searched"));
    let bad = ["search 1 1 none", "game 65 3", "game -65 3", "game 3 64", "game 3 -1", "search 1", "x", ""];
    for line in bad.into_iter().chain(beyond.iter().map(String::as_str)) {
        std::fs::write(journal(&path), format!("{head}{line}\n")).expect("a file");
        let error = BookStore::open(&path).expect_err(line).to_string();
        assert!(error.contains("a line cannot be read"), "{line}: {error}");
    }
    std::fs::remove_file(journal(&path)).expect("the journal");
}

#[test]
fn lines_are_read_as_they_were_written() {
    let mut random = Random(3);
    let mut lines: Vec<_> = (0..20).map(|plies| search_line(&mut random, plies)).collect();
    lines.push(JournalLine::Search(Board::START, None));
    lines.extend([
        JournalLine::Game(vec![], 0),
        JournalLine::Game(vec![0, 63, 19], -64),
        JournalLine::Game(vec![], 64),
    ]);
    for (score, depth, selectivity) in [(-6400, 0, 73), (6400, 64, 100)] {
        let value = Value { score, depth, selectivity, grade: Grade::Searched };
        lines.push(JournalLine::Search(Board::START, Some(Deviation { square: PASS, value })));
    }
    for line in lines {
        assert_eq!(line.to_string().parse(), Ok(line));
    }
}

#[test]
fn a_game_goes_through_its_passes() {
    let squares = |text: &str| -> Vec<u8> {
        text.as_bytes().chunks(2).map(|word| (word[1] - b'1') * 8 + word[0] - b'a').collect()
    };
    // White must pass after c1.
    let positions = game_positions(&squares("d3c3e6d2d1e1b2c1a3"));
    let sides: Vec<_> = positions.iter().map(|(_, is_first)| *is_first).collect();
    assert_eq!(positions.len(), 11);
    assert_eq!(sides[8..], [true, false, true]);
    assert_eq!(positions[9].0, positions[8].0.passed());
    assert_eq!(game_positions(&squares("d3d3")).len(), 2);
}
