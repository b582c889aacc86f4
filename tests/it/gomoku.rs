//! Gomoku's provable strength: wins by continuous fours are found, threats that would win are answered.

#![cfg(feature = "protocols")]

#[path = "../../examples/gomoku_fours/plain.rs"]
mod plain;

use flipside::api::command::PlayedMove;
use flipside::api::event::SearchEvent;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use flipside::search::types::{WIN, WIN_IN_MAX_PLY};
use flipside::support::random::Random;
use plain::{FoursSearch, Plain, SIZE};
use std::sync::Arc;
use std::sync::mpsc::channel;

fn engine(evaluation: &str) -> Box<dyn DynEngine> {
    let settings = Settings { game: "gomoku".into(), hash: 4, evaluation: evaluation.into(), ..Settings::default() };
    registry::open(&settings).expect("the engine opens")
}

fn set(engine: &mut dyn DynEngine, position: &str) {
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("a position");
}

/// A sample of what `examples/gomoku_fours` measures: every win that the plain search verifies is found by the first
/// iteration, and is no longer than the shortest.
#[test]
fn wins_by_continuous_fours_are_found() {
    let (mut random, mut search, mut engine) = (Random(2), FoursSearch::new(), engine("default"));
    for number in 0..40 {
        let win = search.generate(&mut random, (5 + 2 * (number % 4), 21));
        set(engine.as_mut(), &win.board.text());
        let best_move = search_and_wait(engine.as_ref(), SearchRequest::new(Limits::depth(4))).expect("a move");
        let score = best_move.info.expect("an iteration").score;
        assert_eq!(score, WIN - win.plies as i32, "{}", win.board.text());
    }
}

/// A plain search of five plies that knows only the rules: whether the side to move makes five within a number of its
/// own moves, whatever the opponent does. It tries only stones beside others, without loss: a five in three moves needs
/// two stones that are on the board already.
struct Fives {
    windows: Vec<[usize; 5]>,
}

impl Fives {
    fn new() -> Fives {
        let point = |column: usize, row: usize| row * SIZE + column;
        let mut windows = Vec::new();
        for row in 0..SIZE {
            for column in 0..SIZE {
                let (right, down) = (column + 5 <= SIZE, row + 5 <= SIZE);
                let mut add = |fits: bool, at: fn(usize, usize, usize) -> (usize, usize)| {
                    if fits {
                        windows.push(std::array::from_fn(|step| {
                            let (column, row) = at(column, row, step);
                            point(column, row)
                        }));
                    }
                };
                add(right, |column, row, step| (column + step, row));
                add(down, |column, row, step| (column, row + step));
                add(right && down, |column, row, step| (column + step, row + step));
                add(down && column >= 4, |column, row, step| (column - step, row + step));
            }
        }
        Fives { windows }
    }

    /// The empty points that make five for the player.
    fn five_points(&self, board: &Plain, player: u8) -> Vec<usize> {
        let mut points = Vec::new();
        for window in &self.windows {
            let own = window.iter().filter(|&&point| board.0[point] == player).count();
            let empty = window.iter().find(|&&point| board.0[point] == 0);
            if let (4, Some(&point)) = (own, empty)
                && !points.contains(&point)
            {
                points.push(point);
            }
        }
        points
    }

    /// Points of windows with at least `stones` stones of the player and none of the other.
    fn useful(&self, board: &Plain, player: u8, stones: usize) -> Vec<usize> {
        let mut points = Vec::new();
        for window in &self.windows {
            let count = |stone: u8| window.iter().filter(|&&point| board.0[point] == stone).count();
            if count(player) >= stones && count(player) + count(0) == 5 {
                points.extend(window.iter().copied().filter(|&point| board.0[point] == 0));
            }
        }
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Whether the player, who is to move, makes five with its `moves`-th stone at the latest.
    fn wins(&self, board: &mut Plain, player: u8, moves: usize) -> bool {
        if !self.five_points(board, player).is_empty() {
            return true;
        }
        if moves < 2 {
            return false;
        }
        let forced = self.five_points(board, 3 - player);
        let tries = self.useful(board, player, 5 - moves);
        tries.into_iter().filter(|point| forced.is_empty() || forced == [*point]).any(|point| {
            board.0[point] = player;
            let wins = self.loses(board, 3 - player, moves - 1);
            board.0[point] = 0;
            wins
        })
    }

    /// Whether the player, who is to move, cannot keep the other from making five with its next `moves` stones.
    fn loses(&self, board: &mut Plain, player: u8, moves: usize) -> bool {
        if !self.five_points(board, player).is_empty() {
            return false;
        }
        let threats = self.five_points(board, 3 - player);
        let answers = match threats.len() {
            0 if moves < 2 => return false,
            // A stone that is in no row of the opponent's stones, and makes no four, changes nothing.
            0 => [self.useful(board, 3 - player, 5 - moves), self.useful(board, player, 3)].concat(),
            1 => threats,
            _ => return true,
        };
        !answers.is_empty()
            && answers.into_iter().all(|point| {
                board.0[point] = player;
                let wins = self.wins(board, 3 - player, moves);
                board.0[point] = 0;
                wins
            })
    }
}

/// Positions of random stones in the middle: if any move prevents every win of five plies, the engine's move does, too.
#[test]
fn what_a_plain_search_of_five_plies_holds_is_held() {
    let (mut random, fives, mut engine) = (Random(5), Fives::new(), engine("default"));
    let (mut held, mut lost) = (0, 0);
    while held < 20 {
        let mut board = Plain([0; SIZE * SIZE]);
        let stones = 5 + random.below(8);
        for index in 0..2 * stones {
            let point = (4 + random.below(7)) * SIZE + 4 + random.below(7);
            if board.0[point] == 0 {
                board.0[point] = 1 + (index % 2) as u8;
            }
        }
        // The opponent threatens to win in five plies, and the side to move does not win first.
        if !fives.wins(&mut board.clone(), 2, 3) || fives.wins(&mut board.clone(), 1, 3) {
            continue;
        }
        let holds = |board: &Plain, point: usize| {
            let mut after = board.clone();
            after.0[point] = 1;
            !fives.wins(&mut after, 2, 3)
        };
        set(engine.as_mut(), &board.text());
        let request = SearchRequest::new(Limits { nodes: Some(50_000), ..Limits::default() });
        let mv = search_and_wait(engine.as_ref(), request).expect("an answer").mv.expect("a move");
        let before = engine.grid().expect("a board");
        engine.set_position(Start::Here, &[PlayedMove::new(&mv)], Style::Plain, false).expect("a legal move");
        let after = engine.grid().expect("a board");
        let squares = before.rows.concat().into_iter().zip(after.rows.concat());
        let point = squares.enumerate().find(|(_, (old, new))| old != new).map(|(point, _)| point).expect("a stone");
        if holds(&board, point) {
            held += 1;
        } else {
            lost += 1;
            let better = (0..SIZE * SIZE).find(|&point| board.0[point] == 0 && holds(&board, point));
            assert_eq!(better, None, "{mv} loses {}", board.text());
        }
    }
    assert!(lost < 10 * held, "{lost} positions were lost, {held} held");
}

/// Checks the engine's claims of a win or a loss.
struct Claims {
    fives: Fives,
    engine: Box<dyn DynEngine>,
}

impl Claims {
    /// The engine's score for a player, who is to move, and its move.
    fn search(&mut self, board: &Plain, player: u8, nodes: u64) -> (i32, usize) {
        let seen = board.0.map(|stone| if stone == 0 || player == 1 { stone } else { 3 - stone });
        set(self.engine.as_mut(), &Plain(seen).text());
        let request = SearchRequest::new(Limits { nodes: Some(nodes), ..Limits::default() });
        let best_move = search_and_wait(self.engine.as_ref(), request).expect("an answer");
        let name = best_move.mv.expect("a move");
        let column = "abcdefghjklmnop".find(&name[..1]).expect("a column");
        let row: usize = name[1..].parse().expect("a row");
        (best_move.info.expect("an iteration").score, (SIZE - row) * SIZE + column)
    }

    /// Whether the player, who is to move, wins within so many plies. The last five are searched plainly; before them the
    /// engine names the player's moves, and the other tries every point near a stone and one far from all.
    fn wins(&mut self, board: &mut Plain, player: u8, plies: i32) -> bool {
        if plies <= 5 {
            return self.fives.wins(board, player, (plies as usize).div_ceil(2));
        }
        let (score, point) = self.search(board, player, 20_000);
        if score < WIN - plies {
            return false;
        }
        board.0[point] = player;
        let wins = self.loses(board, 3 - player, plies - 1);
        board.0[point] = 0;
        wins
    }

    /// Whether the player, who is to move, loses within so many plies.
    fn loses(&mut self, board: &mut Plain, player: u8, plies: i32) -> bool {
        if !self.fives.five_points(board, player).is_empty() {
            return false;
        }
        let threats = self.fives.five_points(board, 3 - player);
        let replies = match threats.len() {
            0 => replies(board),
            1 => threats,
            _ => return true,
        };
        replies.into_iter().all(|point| {
            board.0[point] = player;
            let wins = self.wins(board, 3 - player, plies - 1);
            board.0[point] = 0;
            wins
        })
    }
}

/// The empty points within two of a stone, and one that is not.
fn replies(board: &Plain) -> Vec<usize> {
    let near = |point: usize| {
        let beside =
            |other: usize| (point % SIZE).abs_diff(other % SIZE) <= 2 && (point / SIZE).abs_diff(other / SIZE) <= 2;
        (0..SIZE * SIZE).any(|other| board.0[other] != 0 && beside(other))
    };
    let (mut near, far): (Vec<usize>, Vec<usize>) =
        (0..SIZE * SIZE).filter(|&point| board.0[point] == 0).partition(|&point| near(point));
    near.extend(far.first());
    near
}

/// Positions of random stones in the middle: no defence refutes a win that the engine claims, and no move a loss.
/// `FLIPSIDE_CLAIMS=2000` checks as many claims.
#[test]
fn claims_hold_against_every_defence() {
    let wanted = std::env::var("FLIPSIDE_CLAIMS").map_or(40, |number| number.parse().expect("a number"));
    let mut random = Random(9);
    let mut claims = Claims { fives: Fives::new(), engine: engine("default") };
    let (mut wins, mut losses, mut long) = (0, 0, 0);
    while wins + losses < wanted {
        let mut board = Plain([0; SIZE * SIZE]);
        for index in 0..2 * (4 + random.below(7)) {
            let point = (4 + random.below(7)) * SIZE + 4 + random.below(7);
            if board.0[point] == 0 {
                board.0[point] = 1 + (index % 2) as u8;
            }
        }
        if [1, 2].into_iter().any(|player| !claims.fives.five_points(&board, player).is_empty()) {
            continue;
        }
        let (score, _) = claims.search(&board, 1, 3_000);
        let plies = WIN - score.abs();
        if !(3..=13).contains(&plies) {
            continue;
        }
        // Most wins are short.
        if plies > 5 {
            long += 1;
        } else if long < (wins + losses) / 4 {
            continue;
        }
        if score > 0 {
            wins += 1;
            assert!(claims.wins(&mut board, 1, plies), "no win in {plies}: {}", board.text());
        } else {
            losses += 1;
            assert!(claims.loses(&mut board, 1, plies), "no loss in {plies}: {}", board.text());
        }
    }
    println!("{wins} wins, {losses} losses, {long} of them longer than five plies");
    assert!(wins > wanted / 8 && losses > wanted / 20, "{wins} {losses}");
}

/// The search without its threats, and the evaluation alone, still know five in a row.
#[test]
fn a_five_is_made_and_a_four_is_answered_at_every_depth() {
    let mut engine = engine("patterns");
    for (position, moves) in [
        ("15/15/15/15/15/15/15/3oxxxx7/3ooo9/15/15/15/15/15/15 x", &["j8"][..]),
        ("15/15/15/15/15/15/15/3xoooo7/3xxx9/15/15/15/15/15/15 x", &["j8"]),
        ("15/15/15/15/15/15/15/5ooo7/3xxx9/15/15/15/15/15/15 x", &["c7", "g7"]),
        ("15/15/15/15/15/15/15/5ooo7/3x11/15/10x4/15/15/15/2x12 x", &["e8", "j8", "d8", "k8"]),
    ] {
        set(engine.as_mut(), position);
        for depth in 1..=4 {
            let best_move = search_and_wait(engine.as_ref(), SearchRequest::new(Limits::depth(depth))).expect("a move");
            let mv = best_move.mv.expect("a move");
            assert!(moves.contains(&mv.as_str()), "depth {depth}: {mv} in {position}");
        }
    }
}

/// A game up to a position with a known win by threats; c13 wins, too.
const TWO_WINS: [&str; 14] = ["d11", "f9", "e9", "h4", "b13", "g3", "d12", "g6", "k6", "h9", "f10", "f8", "a13", "l7"];

/// A known win by threats ends only the search for the best of all moves: what was asked of other moves is searched.
#[test]
fn a_known_win_does_not_end_the_search_of_other_moves() {
    let mut engine = engine("default");
    engine.set_position(Start::Here, &TWO_WINS.map(PlayedMove::new), Style::Plain, false).expect("a position");
    let search = |request: SearchRequest| {
        let (sender, events) = channel();
        engine.search(request, Arc::new(move |event| drop(sender.send(event))));
        let mut lines = Vec::new();
        for event in events {
            if let SearchEvent::Info(info) = event {
                lines.truncate(info.rank - 1);
                lines.push((info.depth, info.score));
            }
        }
        lines
    };
    let request = |depth| SearchRequest::new(Limits::depth(depth));
    let best = search(request(8));
    assert!(matches!(best[..], [(1, score)] if score >= WIN_IN_MAX_PLY), "found at once: {best:?}");
    let alone = search(SearchRequest { searchmoves: vec!["c13".into()], ..request(8) });
    assert!(matches!(alone[..], [(_, score)] if score >= WIN_IN_MAX_PLY), "{alone:?}");
    let lines = search(SearchRequest { multipv: 5, ..request(4) });
    assert!(lines.len() == 5 && lines.iter().all(|&(depth, _)| depth == 4), "{lines:?}");
}
