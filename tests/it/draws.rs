//! The value of a drawn game: through the search, the engine and NBoard's `set contempt`.

#![cfg(feature = "cli")]

use crate::common::Engine;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::search::evaluation::{Eval, ZeroEval};
use flipside::search::game::Game;
use flipside::search::iterative_deepening;
use flipside::search::level::{Base, Supported};
use flipside::search::limits::{Budget, Limits, RemainingBudget, Stop};
use flipside::search::notation::Style;
use flipside::search::policy::{NoPolicy, SearchPolicy};
use flipside::search::result::SearchParameters;
use flipside::search::technique::EndgameSolver;
use flipside::search::transposition_table::TranspositionTable;
use flipside::search::types::{Certainty, Depth, IterationGoal, IterationPlan, Score};
use flipside::search::worker::SearchContext;
use std::time::Instant;

/// A best move between a draw now and a game that goes on.
struct Crossroads;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Fork,
    Drawn,
    Onwards(u8),
}

impl Game for Crossroads {
    type Position = Place;
    type Move = Place;
    type MoveList<T: Clone> = Vec<T>;

    fn start(&self) -> Place {
        Place::Fork
    }

    fn outcome(&self, place: &Place) -> Option<Score> {
        (*place == Place::Drawn).then_some(0)
    }

    fn moves(&self, place: &Place) -> impl Iterator<Item = Place> {
        let list = match place {
            Place::Fork => vec![Place::Drawn, Place::Onwards(0)],
            Place::Drawn => vec![],
            Place::Onwards(plies) => vec![Place::Onwards(plies + 1)],
        };
        list.into_iter()
    }

    fn play(&self, _: &Place, next: Place) -> Place {
        next
    }

    fn key(&self, place: &Place) -> u64 {
        u64::from(self.code(*place)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn code(&self, place: Place) -> u16 {
        match place {
            Place::Fork => 1,
            Place::Drawn => 2,
            Place::Onwards(plies) => 3 + u16::from(plies),
        }
    }
}

/// The score of the game that goes on, for the player at the fork.
struct Outlook(Score);

impl Eval<Crossroads> for Outlook {
    type Accumulator = ();
    fn refresh(&self, _: &Place) {}
    fn update(&self, (): &(), _: &Place, _: Place, _: &Place) {}
    fn evaluate(&self, (): &(), place: &Place) -> Score {
        match place {
            Place::Onwards(plies) if plies.is_multiple_of(2) => -self.0,
            _ => self.0,
        }
    }
}

fn chosen(outlook: Score, draw: Score) -> (Place, Score) {
    let context = SearchContext { game: Crossroads, eval: Outlook(outlook), policy: NoPolicy };
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let request = SearchParameters { draw, ..SearchParameters::new(limits.clone()) };
    let result = iterative_deepening::search(
        &context,
        &TranspositionTable::new(1).expect("a small table"),
        &Place::Fork,
        &request,
        &Stop::new(&limits),
        &mut |_| (),
    );
    (result.pv[0], result.best.expect("a finished iteration").score)
}

#[test]
fn a_draw_is_weighed_against_an_estimate() {
    assert_eq!(chosen(30, 0), (Place::Onwards(0), 30));
    assert_eq!(chosen(30, 50), (Place::Drawn, 50), "a draw is worth half a unit");
    assert_eq!(chosen(-30, 0), (Place::Drawn, 0));
    assert_eq!(chosen(-30, -50), (Place::Onwards(0), -30), "better to play on");
}

/// A choice between finished games, which a win/loss/draw solve makes: their results for the player who chooses.
struct Endings(&'static [Score]);

impl Game for Endings {
    type Position = usize;
    type Move = usize;
    type MoveList<T: Clone> = Vec<T>;

    fn start(&self) -> usize {
        0
    }

    fn outcome(&self, place: &usize) -> Option<Score> {
        Some(-self.0[place.checked_sub(1)?])
    }

    fn moves(&self, place: &usize) -> impl Iterator<Item = usize> {
        1..=if *place == 0 { self.0.len() } else { 0 }
    }

    fn play(&self, _: &usize, next: usize) -> usize {
        next
    }

    fn key(&self, place: &usize) -> u64 {
        *place as u64
    }

    fn code(&self, place: usize) -> u16 {
        place as u16
    }
}

struct WinLossDraw;

impl<E: Eval<Endings>> SearchPolicy<Endings, E> for WinLossDraw {
    type Level = Base;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }

    fn next_iteration(
        &self,
        _: &usize,
        last: Option<IterationPlan>,
        _: IterationGoal,
        _: RemainingBudget<'_>,
    ) -> Option<IterationPlan> {
        last.is_none().then_some(IterationPlan { wld: true, ..IterationPlan::plies(1) })
    }

    fn solver(&self) -> Option<&impl EndgameSolver<Endings, E>> {
        Some(self)
    }
}

impl<E: Eval<Endings>> EndgameSolver<Endings, E> for WinLossDraw {
    fn plies_to_end(&self, _: &usize) -> Depth {
        1
    }

    fn solve(&self, _: &E, _: &E::Accumulator, _: &usize, _: (Score, Score), _: &mut Budget<'_>) -> Option<Score> {
        None
    }

    fn best_move(&self, _: &Endings, _: &usize) -> Option<usize> {
        None
    }

    fn prepare(&self, _: Instant) {}

    fn new_search(&self) {}

    fn clear(&self) {}
}

/// The ending that is chosen, and the sign of the score.
fn chosen_ending(endings: &'static [Score], draw: Score) -> (usize, Score) {
    let context = SearchContext { game: Endings(endings), eval: ZeroEval, policy: WinLossDraw };
    let parameters = SearchParameters { draw, ..SearchParameters::new(Limits::default()) };
    let (table, stop) = (TranspositionTable::new(1).expect("a small table"), Stop::new(&Limits::default()));
    let result = iterative_deepening::search(&context, &table, &0, &parameters, &stop, &mut |_| ());
    let best = result.best.expect("a finished iteration");
    assert_eq!(best.certainty, Certainty::WinLossDraw);
    (result.pv[0], best.score.signum())
}

#[test]
fn a_draw_of_a_win_loss_search_is_neither_a_win_nor_a_loss() {
    for draw in [-100, -35, 0, 35, 100] {
        assert_eq!(chosen_ending(&[-200, 0, -300], draw), (2, 0), "draws worth {draw}");
        assert_eq!(chosen_ending(&[0, -200, 200], draw), (3, 1), "draws worth {draw}");
        assert_eq!(chosen_ending(&[-200, -300], draw).1, -1, "draws worth {draw}");
    }
}

/// Best move, score and certainty.
type Claim = (String, Score, Certainty);

/// The claim about a position after an iteration, with this value of draws for the first player.
fn claim(game: &str, position: &str, worth: Score, limits: Limits) -> Option<Claim> {
    let mut engine =
        registry::open(&Settings { game: game.into(), hash: 4, ..Settings::default() }).expect("an engine");
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("a position");
    engine.set_contempt(worth);
    let best_move = search_and_wait(engine.as_ref(), SearchRequest::new(limits)).expect("a best move");
    let info = best_move.info?;
    Some((best_move.mv?, info.score, info.certainty))
}

/// Best move and score of a search to the end.
fn value(game: &str, position: &str, worth: Score) -> (Option<String>, Score) {
    let (mv, score, _) = claim(game, position, worth, Limits::depth(20)).expect("a finished iteration");
    (Some(mv), score)
}

/// Ten empty squares, a draw with best play: H1 is the only move that does not lose.
const DRAWN: &str = "-XXXXXO-XXXXXO-OOOOOOXXO-OOOXO-OOOOXOOO-OXXXXO-OXXXXXXXX--XXXXX-";

fn other_colour(square: char) -> char {
    match square {
        'X' => 'O',
        'O' => 'X',
        empty => empty,
    }
}

#[test]
fn the_worth_belongs_to_the_first_player() {
    for worth in [-100, -1, 0, 35, 100] {
        assert_eq!(value("tic-tac-toe", "......... x", worth).1, worth);
        assert_eq!(value("tic-tac-toe", "x........ o", worth).1, -worth);
    }
}

#[test]
fn a_draw_that_is_certain_is_a_draw_whatever_it_is_worth() {
    // The same board with the colours changed.
    let turned: String = DRAWN.chars().map(other_colour).collect();
    for worth in [-100, -1, 0, 35, 100] {
        for board in [format!("{DRAWN} X"), format!("{turned} O")] {
            let exact = claim("reversi", &board, worth, Limits::depth(20));
            assert_eq!(exact, Some(("H1".into(), 0, Certainty::Exact)));
        }
        // The last move of a game.
        let last = claim("tic-tac-toe", "xoxxooox. x", worth, Limits::depth(2));
        assert_eq!(last, Some(("c3".into(), 0, Certainty::Exact)));
    }
}

#[test]
fn wins_and_losses_stay_what_they_are() {
    // FFO 40 with 20 empty squares: A2 wins by 38.
    let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    for worth in [-100, 0, 100] {
        assert_eq!(value("reversi", board, worth), (Some("A2".into()), 3800));
    }
}

#[test]
fn nboard_sets_it() {
    let mut engine = Engine::start(&["--nboard"]);
    let board: String = DRAWN.replace('X', "*");
    engine.send(&format!("set game (;GM[Othello]BO[8 {board} *];)"));
    engine.send("set depth 20");
    for (contempt, value) in [("100", "0.00"), ("-100", "0.00"), ("0", "0.00")] {
        engine.send(&format!("set contempt {contempt}"));
        engine.send("go");
        let answer = engine.until(|line| line.starts_with("=== ")).pop().expect("an answer");
        assert_eq!(answer.split('/').take(2).collect::<Vec<_>>(), ["=== H1", value], "{answer}");
    }
    engine.send("set contempt 101\nset contempt much\nping 1");
    let lines = engine.until(|line| line == "pong 1");
    assert_eq!(lines.iter().filter(|line| line.starts_with("status error: bad value for Contempt")).count(), 2);
}
