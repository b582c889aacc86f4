//! What searches call exact or proven, checked on random positions of every game: by a plain search that knows only the rules,
//! and by a retrograde table of endgames of MiniChess. An exact value is that of perfect play, the plies to a win or loss
//! included. A proven win or loss is one, and comes at the stated ply at the latest.

#![cfg(feature = "cli")]

use flipside::api::event::{Iteration, SearchEvent};
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{SearchRequest, Start};
use flipside::engine::registry;
use flipside::games::connect_four::ConnectFour;
use flipside::games::gomoku::rules::Gomoku;
use flipside::games::minichess::board::{Board, LAST_NUMBER, Piece};
use flipside::games::minichess::rules::MiniChess;
use flipside::games::open::BuiltIn;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::small::rules::SmallReversi;
use flipside::games::searcher_settings::SearcherSettings;
use flipside::games::tic_tac_toe::TicTacToe;
use flipside::search::algorithm::Algorithm;
use flipside::search::game::Game;
use flipside::search::limits::{Limits, Stop};
use flipside::search::notation::{Notation, Style};
use flipside::search::result::SearchParameters;
use flipside::search::searcher::Searcher;
use flipside::search::types::{Certainty, Score, Side, WIN, WIN_IN_MAX_PLY};
use flipside::support::random::Random;
use std::collections::HashMap;
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};

/// The value of a move for the side that makes it, of the position after it for the other side: a win is a ply further away.
fn before(after: Score) -> Score {
    let distance = if after.abs() >= WIN_IN_MAX_PLY { 1 } else { 0 };
    -(after - after.signum() * distance)
}

/// Values of perfect play by the rules alone.
struct Plain<G> {
    game: G,
    known: HashMap<u64, Score>,
}

impl<G: Game> Plain<G> {
    fn new(game: G) -> Plain<G> {
        Plain { game, known: HashMap::new() }
    }

    /// The value for the side to move, by all lines of play to the end of the game.
    fn value(&mut self, position: &G::Position) -> Score {
        if let Some(score) = self.game.outcome(position) {
            return score;
        }
        let key = self.game.key(position);
        if let Some(&score) = self.known.get(&key) {
            return score;
        }
        let children: Vec<_> = self.game.moves(position).map(|mv| self.game.play(position, mv)).collect();
        let score = children.iter().map(|child| before(self.value(child))).max().expect("a move");
        self.known.insert(key, score);
        score
    }
}

/// The claims that were checked.
#[derive(Default, Debug)]
struct Checked {
    exact: usize,
    /// Those of them with a win or loss in at least three plies.
    distant: usize,
    proven: usize,
    outcomes: usize,
}

impl Checked {
    /// Checks a claim about a position whose best move is worth `best`, and the claim's move `own`.
    fn check<M>(&mut self, claim: &Iteration<M>, best: Score, own: Score, context: &str) {
        let (score, truth) = (claim.score, if claim.rank == 1 { best } else { own });
        let said = format!("{context}: {score} {} by a move worth {own}, the best {best}", claim.certainty);
        let is_no_further = |value: Score| score.signum() == value.signum() && score.abs() <= value.abs();
        match claim.certainty {
            Certainty::Exact => {
                assert_eq!((score, own), (truth, truth), "{said}");
                self.exact += 1;
                self.distant += usize::from((WIN_IN_MAX_PLY..=WIN - 3).contains(&score.abs()));
            }
            Certainty::Proven => {
                assert!(score.abs() >= WIN_IN_MAX_PLY && is_no_further(truth) && is_no_further(own), "{said}");
                self.proven += 1;
            }
            Certainty::WinLossDraw => {
                assert_eq!(score.signum(), truth.signum(), "{said}");
                self.outcomes += 1;
            }
            Certainty::Selective(_) => {}
            Certainty::Estimate(_) => assert!(score.abs() < WIN_IN_MAX_PLY, "{said}"),
        }
    }

    /// Checks all reports of searches with one line and three, with one thread and more, of all moves and of some.
    fn search<G: BuiltIn>(
        &mut self,
        (game, searcher): (&G, &dyn Searcher<G>),
        (position, side): (&G::Position, Side),
        limits: Limits,
        value: &mut dyn FnMut(&G::Position) -> Score,
    ) {
        let moves: Vec<_> = game.moves(position).map(|mv| (mv, before(value(&game.play(position, mv))))).collect();
        let text = game.show_position(position, side, Style::Plain);
        for (multipv, threads, skipped) in [(1, 1, 0), (3, 1, 0), (1, 2, 0), (2, 5, 0), (2, 1, moves.len() / 2)] {
            let asked = &moves[skipped..];
            let only = asked.iter().filter(|_| skipped > 0).map(|(mv, _)| *mv).collect();
            let limits = limits.clone();
            let parameters = SearchParameters { multipv, threads, only, ..SearchParameters::new(limits) };
            let best = asked.iter().map(|(_, value)| *value).max().expect("a move");
            let stop = Stop::new(&parameters.limits);
            searcher.clear();
            searcher.search(position, &parameters, &stop, &mut |iteration| {
                let own = moves.iter().find(|(mv, _)| *mv == iteration.pv[0]).expect("a legal move").1;
                let context = format!("{text}, depth {} of {parameters:?}, rank {}", iteration.depth, iteration.rank);
                self.check(&iteration, best, own, &context);
            });
        }
    }
}

fn open<G: BuiltIn>(game: &G, disabled_techniques: &str) -> Arc<dyn Searcher<G>> {
    game.open(&SearcherSettings { disabled_techniques, ..SearcherSettings::SMALL }).expect("a searcher")
}

/// A position of a random game that `is_wanted` and in which the game is not over.
fn random_position<G: BuiltIn>(
    game: &G,
    random: &mut Random,
    is_wanted: impl Fn(&G::Position) -> bool,
) -> (G::Position, Side) {
    loop {
        let (mut position, mut side) = (game.start(), Side::First);
        while game.outcome(&position).is_none() {
            if is_wanted(&position) {
                return (position, side);
            }
            let moves: Vec<_> = game.moves(&position).collect();
            position = game.play(&position, moves[random.below(moves.len())]);
            side = side.other();
        }
    }
}

/// Checks searches from random positions against the plain search.
fn check_random<G: BuiltIn>(
    game: G,
    disabled: &str,
    count: usize,
    limits: &[Limits],
    is_wanted: impl Fn(&G::Position) -> bool,
) -> Checked {
    let (mut plain, mut random, mut checked) = (Plain::new(game.clone()), Random(50), Checked::default());
    let searcher = open(&game, disabled);
    for number in 0..count {
        let (position, side) = random_position(&game, &mut random, &is_wanted);
        let limits = limits[number % limits.len()].clone();
        checked.search((&game, searcher.as_ref()), (&position, side), limits, &mut |position| plain.value(position));
    }
    checked
}

#[test]
fn claims_in_tic_tac_toe_are_true() {
    for marks in 0..8 {
        let is_wanted = |position: &_| TicTacToe.moves(position).count() == 9 - marks;
        let checked = check_random(TicTacToe, "", 20, &[Limits::depth(9)], is_wanted);
        assert!(marks < 4 || checked.exact > 20, "{marks}: {checked:?}");
    }
}

#[test]
fn claims_in_connect_four_are_true() {
    let discs =
        |position: &_| ConnectFour.show_position(position, Side::First, Style::Plain).matches(['x', 'o']).count();
    let checked = check_random(ConnectFour, "", 60, &[Limits::depth(14)], |position| discs(position) == 31);
    assert!(checked.distant > 100 && checked.proven > 0, "{checked:?}");
}

/// The last plies before the move limit, where a win that takes too long is a draw.
#[test]
fn claims_before_the_limit_of_minichess_are_true() {
    let is_wanted = |board: &Board| board.number() == LAST_NUMBER - 2;
    let checked = check_random(MiniChess, "tables", 40, &[Limits::depth(12)], is_wanted);
    assert!(checked.distant > 20, "{checked:?}");
}

/// Searches of as many positions as the limits say, for the end of the game comes with the first iteration.
#[test]
fn claims_in_reversi_are_true() {
    let mut limits: Vec<_> = [100, 300, 1_000, 3_000, 10_000].map(Limits::nodes).into();
    limits.push(Limits::depth(60));
    let checked = check_random(Reversi::portable(), "", 36, &limits, |board| board.empties() == 9);
    assert!(checked.exact > 50 && checked.outcomes > 5, "{checked:?}");
    for (game, empties) in [(SmallReversi::SIX, 9), (SmallReversi::FOUR, 8), (SmallReversi::FOUR, 10)] {
        let checked = check_random(game, "", 36, &limits, |board| game.empties(*board) == empties);
        assert!(checked.exact > 50, "{empties}: {checked:?}");
    }
}

/// A board of Gomoku that is full but for a few points in the middle, so that the plain search can play it to its end.
fn almost_full(game: &Gomoku, random: &mut Random) -> (<Gomoku as Game>::Position, Side) {
    const SIDE: usize = 7;
    loop {
        // Rows of two around the middle, random stones there.
        let mut points: Vec<char> =
            (0..game.points()).map(|point| ['x', 'x', 'o', 'o'][(point % 15 + 2 * (point / 15)) % 4]).collect();
        let middle = |point: usize| (point / SIDE + 4) * 15 + point % SIDE + 4;
        (0..SIDE * SIDE).for_each(|point| points[middle(point)] = ['x', 'o'][random.below(2)]);
        for _ in 0..9 {
            points[middle(random.below(SIDE * SIDE))] = '1';
        }
        let rows: Vec<String> = points.chunks(15).map(|row| row.iter().collect()).collect();
        let text = format!("{} {}", rows.join("/"), ['x', 'o'][random.below(2)]);
        // The digits of neighbouring empty points are one number.
        let merged = (2..=9).rev().fold(text, |text, run| text.replace(&"1".repeat(run), &run.to_string()));
        let (position, side) = game.read_position(&merged, Style::Plain).expect("a position");
        if game.outcome(&position).is_none() {
            return (position, side);
        }
    }
}

#[test]
fn claims_in_gomoku_are_true() {
    for (name, seed) in [("gomoku", 1), ("gomoku-exactly-five", 2)] {
        let game = Gomoku::named(name).expect("a game");
        let (searcher, mut plain, mut random) = (open(&game, ""), Plain::new(game), Random(seed));
        let mut checked = Checked::default();
        for _ in 0..100 {
            let (position, side) = almost_full(&game, &mut random);
            let value = &mut |position: &_| plain.value(position);
            checked.search((&game, searcher.as_ref()), (&position, side), Limits::depth(8), value);
        }
        assert!(checked.distant > 20, "{checked:?}");
    }
}

/// Wins that a search of fours finds before the first iteration: that they are the shortest is not proven.
#[test]
fn wins_by_threats_in_gomoku_are_called_by_what_is_proven() {
    let game = Gomoku::named("gomoku").expect("a game");
    let searcher = open(&game, "");
    for (position, distance, certainty) in [
        ("15/15/15/15/15/15/15/3oxxxx7/3ooo9/15/15/15/15/15/15 x", 1, Certainty::Exact),
        ("15/15/15/15/15/15/15/5xxx7/3oo10/8o6/15/15/15/15/15 x", 3, Certainty::Exact),
        ("15/15/15/15/15/7x7/7x7/5xx8/3oo10/8oo5/15/15/15/15/15 x", 5, Certainty::Proven),
    ] {
        let root = game.read_position(position, Style::Plain).expect("a position").0;
        let parameters = SearchParameters::new(Limits::depth(6));
        let stop = Stop::new(&parameters.limits);
        let best = searcher.search(&root, &parameters, &stop, &mut |_| ()).best.expect("an iteration");
        assert_eq!((best.score, best.certainty), (WIN - distance, certainty), "{position}");
    }
}

/// Endgames of MiniChess with two kings and at most one queen, rook or pawn of White, solved backwards from their ends.
struct Retrograde {
    boards: Vec<Board>,
    values: HashMap<u64, Score>,
}

/// The same pieces at the first move, as far from the move limit as can be.
fn at_the_start(board: &Board) -> Board {
    let mut same = Board::empty(board.to_move(), 1);
    for square in 0..30 {
        if let Some((side, piece)) = board.piece_at(square) {
            same.put(side, piece, square);
        }
    }
    same
}

static RETROGRADE: LazyLock<Retrograde> = LazyLock::new(|| {
    let mut boards = Vec::new();
    for piece in [None, Some(Piece::Queen), Some(Piece::Rook), Some(Piece::Pawn)] {
        // A pawn is never on the first or the last rank.
        let squares = match piece {
            None => 0..1,
            Some(Piece::Pawn) => 5..25,
            Some(_) => 0..30,
        };
        for (own, other, at, side) in squares.flat_map(|at| {
            (0..30).flat_map(move |own| {
                (0..30).flat_map(move |other| [Side::First, Side::Second].map(|side| (own, other, at, side)))
            })
        }) {
            if own == other || piece.is_some() && [own, other].contains(&at) {
                continue;
            }
            let mut board = Board::empty(side, 1);
            board.put(Side::First, Piece::King, own);
            board.put(Side::Second, Piece::King, other);
            piece.into_iter().for_each(|piece| board.put(Side::First, piece, at));
            boards.push(board);
        }
    }
    let numbers: HashMap<u64, usize> = boards.iter().enumerate().map(|(number, board)| (board.key(), number)).collect();
    let mut values: Vec<Option<Score>> = boards.iter().map(|board| MiniChess.outcome(board)).collect();
    // The values of finished games, or the numbers of the boards.
    let children: Vec<Vec<Result<Score, usize>>> = boards
        .iter()
        .map(|board| {
            let children = MiniChess.moves(board).map(|mv| MiniChess.play(board, mv));
            children
                .map(|child| MiniChess.outcome(&child).ok_or_else(|| numbers[&at_the_start(&child).key()]))
                .collect()
        })
        .collect();
    for plies in 1.. {
        let mut found = Vec::new();
        for (number, children) in children.iter().enumerate().filter(|&(number, _)| values[number].is_none()) {
            let after = children.iter().map(|child| child.map_or_else(|number| values[number], Some));
            let known: Vec<Option<Score>> = after.map(|value| value.map(before)).collect();
            // A win in so many plies, or a loss by every move.
            let best = match known.contains(&Some(WIN - plies)) {
                true => Some(WIN - plies),
                false => known.into_iter().try_fold(-WIN, |best, value| Some(best.max(value?))),
            };
            if let Some(value) = best.filter(|value| value.abs() == WIN - plies) {
                found.push((number, value));
            }
        }
        if found.is_empty() && plies > 4 {
            break;
        }
        found.into_iter().for_each(|(number, value)| values[number] = Some(value));
    }
    let values = boards.iter().zip(values).map(|(board, value)| (board.key(), value.unwrap_or(0))).collect();
    Retrograde { boards, values }
});

#[test]
fn claims_in_endgames_of_minichess_are_true() {
    let Retrograde { boards, values } = &*RETROGRADE;
    let value = |board: &Board| MiniChess.outcome(board).unwrap_or_else(|| values[&at_the_start(board).key()]);
    let longest = values.values().map(|value| value.abs()).filter(|&value| value > 0).min();
    assert!(longest.is_some_and(|value| value <= WIN - 12), "{longest:?}");
    let (searcher, mut random, mut checked) = (open(&MiniChess, "tables"), Random(51), Checked::default());
    for _ in 0..150 {
        let board = boards[random.below(boards.len())];
        if MiniChess.outcome(&board).is_none() {
            let limits = Limits { depth: Some(14), nodes: Some(60_000), ..Limits::default() };
            let context = (&MiniChess, searcher.as_ref());
            checked.search(context, (&board, board.to_move()), limits, &mut |board| value(board));
        }
    }
    assert!(checked.distant > 50 && checked.proven > 50, "{checked:?}");
}

/// The textbook's distances are those of its lines; of an exact one that is the shortest.
#[test]
fn claims_of_the_textbook_are_true() {
    let (mut plain, mut random, mut exact) = (Plain::new(TicTacToe), Random(52), 0);
    for (_, algorithm) in Algorithm::minimax_family() {
        let settings = Settings { game: "tic-tac-toe".into(), hash: 1, algorithm, ..Settings::default() };
        let mut engine = registry::open(&settings).expect("an engine");
        for discs in [3, 4, 5, 6, 7].repeat(6) {
            let (position, side) =
                random_position(&TicTacToe, &mut random, |position| TicTacToe.moves(position).count() == 9 - discs);
            let text = TicTacToe.show_position(&position, side, Style::Plain);
            engine.set_position(Start::Text(&text), &[], Style::Plain, false).expect("a position");
            let (sender, events) = channel();
            engine.search(
                SearchRequest::new(Limits { nodes: Some(5_000), ..Limits::depth(9) }),
                Arc::new(move |event| drop(sender.send(event))),
            );
            let value = plain.value(&position);
            for event in events {
                let SearchEvent::Info(info) = event else { continue };
                match info.certainty {
                    Certainty::Exact => assert_eq!(info.score, value, "{algorithm}: {text}: {info:?}"),
                    Certainty::Proven => {
                        assert_eq!(info.score.signum(), value.signum(), "{algorithm}: {text}: {info:?}")
                    }
                    _ => assert!(info.score.abs() < WIN_IN_MAX_PLY, "{algorithm}: {text}: {info:?}"),
                }
                exact += usize::from(info.certainty == Certainty::Exact);
            }
        }
    }
    assert!(exact > 20, "{exact}");
}
