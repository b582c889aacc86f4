//! What a drawn game is worth: through the search, the engine and NBoard's `set contempt`.

mod common;

use common::Engine;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{SearchRequest, Start, search_and_wait};
use flipside::engine::registry;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::iterative_deepening;
use flipside::search::limits::{Limits, Stop};
use flipside::search::notation::Style;
use flipside::search::policy::NoPolicy;
use flipside::search::result::SearchParameters;
use flipside::search::transposition_table::TranspositionTable;
use flipside::search::types::Score;
use flipside::search::worker::SearchContext;

/// A best_move between a draw now and a game that goes on.
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

/// The game that goes on looks like this for the player at the fork.
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
    let request = SearchParameters { limits: limits.clone(), multipv: 1, only: Vec::new(), threads: 1, draw };
    let result = iterative_deepening::search(
        &context,
        &TranspositionTable::new(1),
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

/// Score and certainty of a position, with draws worth so much to the first player.
fn value(game: &str, position: &str, worth: Score) -> (Option<String>, Score) {
    let mut engine =
        registry::open(&Settings { game: game.into(), hash: 4, ..Settings::default() }).expect("an engine");
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("a position");
    engine.set_contempt(worth);
    let limits = Limits { depth: Some(20), ..Limits::default() };
    let best_move = search_and_wait(engine.as_ref(), SearchRequest::new(limits)).expect("a best move");
    (best_move.mv, best_move.info.expect("a finished iteration").score)
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
        let (mv, score) = value("reversi", &format!("{DRAWN} X"), worth);
        assert_eq!((mv.as_deref(), score), (Some("H1"), worth), "the only move that does not lose");
        // The same board with the colours changed.
        let turned: String = DRAWN.chars().map(other_colour).collect();
        assert_eq!(value("reversi", &format!("{turned} O"), worth).1, -worth);
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
    for (contempt, value) in [("100", "1.00"), ("-100", "-1.00"), ("0", "0.00")] {
        engine.send(&format!("set contempt {contempt}"));
        engine.send("go");
        let answer = engine.until(|line| line.starts_with("=== ")).pop().expect("an answer");
        assert_eq!(answer.split('/').take(2).collect::<Vec<_>>(), ["=== H1", value], "{answer}");
    }
    engine.send("set contempt 101\nset contempt much\nping 1");
    let lines = engine.until(|line| line == "pong 1");
    assert_eq!(lines.iter().filter(|line| line.starts_with("status error: bad value for Contempt")).count(), 2);
}
