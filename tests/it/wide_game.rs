//! The search does not limit the size of games: 225 moves a position and move codes of thirteen bits need only an `impl
//! Game`.

use arrayvec::ArrayVec;
use flipside::search::evaluation::ZeroEval;
use flipside::search::game::Game;
use flipside::search::iterative_deepening;
use flipside::search::level::{Base, Supported};
use flipside::search::limits::{Limits, Stop};
use flipside::search::margins::{HistoryMargins, Margins, OrderingMargins};
use flipside::search::policy::{NoPolicy, SearchPolicy};
use flipside::search::result::{SearchParameters, SearchResult};
use flipside::search::transposition_table::TranspositionTable;
use flipside::search::types::{Score, WIN};
use flipside::search::worker::SearchContext;
use flipside::support::random::splitmix64;

/// Squares of a board of 15x15.
const SQUARES: u16 = 225;
/// The squares that win, generated last: the first player gets one of them with his second stone.
const TARGETS: [u16; 2] = [SQUARES - 2, SQUARES - 1];

/// Players take free squares in turn; taking a target from the third stone on wins. `CAPACITY` is the length of the
/// move lists that the game requests.
struct Fifteen<const CAPACITY: usize>;

#[derive(Clone, Debug, Default, PartialEq)]
struct Stones {
    taken: [u64; 4],
    count: u32,
    won: bool,
}

impl Stones {
    fn is_free(&self, square: u16) -> bool {
        self.taken[usize::from(square / 64)] >> (square % 64) & 1 == 0
    }
}

impl<const CAPACITY: usize> Game for Fifteen<CAPACITY> {
    type Position = Stones;
    type Move = u16;
    type MoveList<T: Clone> = ArrayVec<T, CAPACITY>;
    const MOVE_CODES: usize = 1 << 13;

    fn start(&self) -> Stones {
        Stones::default()
    }

    fn outcome(&self, stones: &Stones) -> Option<Score> {
        stones.won.then_some(-WIN).or((stones.count == u32::from(SQUARES)).then_some(0))
    }

    fn moves(&self, stones: &Stones) -> impl Iterator<Item = u16> {
        (0..SQUARES).filter(|&square| stones.is_free(square))
    }

    fn play(&self, stones: &Stones, square: u16) -> Stones {
        let mut child = stones.clone();
        child.taken[usize::from(square / 64)] |= 1 << (square % 64);
        child.count += 1;
        child.won = child.count > 2 && TARGETS.contains(&square);
        child
    }

    fn key(&self, stones: &Stones) -> u64 {
        stones.taken.iter().fold(u64::from(stones.won), |key, &word| splitmix64(key ^ word))
    }

    /// Codes up to 8099.
    fn code(&self, square: u16) -> u16 {
        36 * square + 35
    }
}

/// Killers and the history heuristic, whose tables are indexed by the codes.
struct Learning;

impl<G: Game> SearchPolicy<G, ZeroEval> for Learning {
    type Level = Base;
    const MARGINS: Margins = Margins {
        ordering: OrderingMargins { killers: true, history: Some(HistoryMargins::DEFAULT), ..OrderingMargins::NONE },
        ..Margins::NONE
    };

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }
}

/// A search to the depth at which the win is seen.
fn search<const CAPACITY: usize>(
    policy: impl SearchPolicy<Fifteen<CAPACITY>, ZeroEval>,
    threads: usize,
) -> SearchResult<u16> {
    let context = SearchContext { game: Fifteen, eval: ZeroEval, policy };
    let limits = Limits::depth(3);
    let parameters = SearchParameters { threads, ..SearchParameters::new(limits.clone()) };
    let (table, stop) = (TranspositionTable::new(4).expect("a small table"), Stop::new(&limits));
    iterative_deepening::search(&context, &table, &context.game.start(), &parameters, &stop, &mut |_| ())
}

#[test]
fn the_last_of_225_moves_is_searched() {
    for threads in [1, 2] {
        for result in [search::<225>(NoPolicy, threads), search::<225>(Learning, threads)] {
            assert_eq!(result.best.expect("a finished iteration").score, WIN - 3);
            assert!(!TARGETS.contains(&result.pv[0]) && TARGETS.contains(&result.pv[2]), "{:?}", result.pv);
        }
    }
}

#[test]
fn the_history_orders_moves_of_large_codes() {
    let (plain, learning) = (search::<225>(NoPolicy, 1), search::<225>(Learning, 1));
    assert!(learning.nodes * 4 < plain.nodes, "{} of {}", learning.nodes, plain.nodes);
}

#[test]
#[should_panic(expected = "CapacityError")]
fn a_list_that_is_too_short_is_not_silent() {
    search::<128>(NoPolicy, 1);
}
