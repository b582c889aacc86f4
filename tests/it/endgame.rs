//! The solver against plain alpha-beta over the rules, on all eight symmetries of a position, at every processor level,
//! with several threads, and with a clock.

use flipside::games::reversi::board::Board;
use flipside::games::reversi::evaluation::PlainEvaluation;
use flipside::games::reversi::evaluation::pattern::{PatternEvaluation, open_weights};
use flipside::games::reversi::evaluation::stage_weighted::StageWeighted;
use flipside::games::reversi::level::{ForLevel, at_best_level};
use flipside::games::reversi::obf;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::solver::Solver;
use flipside::games::reversi::solver::level::SolverLevel;
use flipside::games::reversi::solver::root::RootSolver;
use flipside::games::reversi::solver::settings::SolverSettings;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::limits::{Budget, Limits, Stop};
use flipside::search::solve::Wanted;
use flipside::search::types::Selectivity;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static EVAL: LazyLock<PlainEvaluation> =
    LazyLock::new(|| PlainEvaluation::StageWeighted(Arc::new(StageWeighted::built_in())));

/// FFO #40, 20 empty squares: a2 +38 is best.
const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
/// FFO #49, 26 empty squares, a solve of a second and more.
const FFO_49: &str = "--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X";
/// FFO #1 to #3 with their scores.
const EASY: [(&str, i32); 3] = [
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18),
    ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X", 10),
    ("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X", 2),
];

/// A small generator of random numbers (xorshift, Marsaglia 2003), so that failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound) as usize
    }
}

/// A position of a random game with this many empty squares; `None` if the game ended earlier.
fn random_position<K: SolverLevel>(game: &Reversi<K>, random: &mut Random, empties: u32) -> Option<Board> {
    let mut board = Board::START;
    while board.empties() > empties {
        let moves: Vec<_> = game.moves(&board).collect();
        if moves.is_empty() {
            return None;
        }
        board = board.after(moves[random.below(moves.len() as u64)]);
    }
    Some(board)
}

/// Alpha-beta over the rules, without a table or move ordering.
fn plain<K: SolverLevel>(game: &Reversi<K>, board: Board, mut alpha: i32, beta: i32) -> i32 {
    let mut over = true;
    for mv in game.moves(&board) {
        over = false;
        alpha = alpha.max(-plain(game, board.after(mv), -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    if over { board.final_discs() } else { alpha }
}

fn solve<K: SolverLevel>(game: &Reversi<K>, solver: &Solver, board: Board, window: (i32, i32)) -> (i32, u64) {
    let (stop, shared) = (Stop::new(&Limits::default()), AtomicU64::new(0));
    let mut budget = Budget::new(&stop, &shared);
    let score = solver
        .solve(game, &*EVAL, &Eval::<Reversi<K>>::refresh(&*EVAL, &board), board, window, &mut budget)
        .expect("no limit was set");
    (score, budget.nodes)
}

fn root<'a, K: SolverLevel>(
    game: &'a Reversi<K>,
    solver: &'a Solver,
    stop: &'a Stop,
    nodes: &'a AtomicU64,
    threads: usize,
) -> RootSolver<'a, K, PlainEvaluation> {
    root_with(game, &EVAL, solver, stop, nodes, threads)
}

fn root_with<'a, K: SolverLevel, E: Eval<Reversi<K>>>(
    game: &'a Reversi<K>,
    eval: &'a E,
    solver: &'a Solver,
    stop: &'a Stop,
    nodes: &'a AtomicU64,
    threads: usize,
) -> RootSolver<'a, K, E> {
    let (window, selectivity) = ((-64, 64), Selectivity::EXACT);
    RootSolver { solver, game, eval, stop, nodes, window, selectivity, threads }
}

/// The symmetries of the board as maps of (column, row) to a square.
const SYMMETRIES: [fn(u32, u32) -> u32; 8] = [
    |x, y| y * 8 + x,
    |x, y| y * 8 + 7 - x,
    |x, y| (7 - y) * 8 + x,
    |x, y| (7 - y) * 8 + 7 - x,
    |x, y| x * 8 + y,
    |x, y| x * 8 + 7 - y,
    |x, y| (7 - x) * 8 + y,
    |x, y| (7 - x) * 8 + 7 - y,
];

/// Runs a test at the best level of the processor.
macro_rules! at_level {
    ($game:ident, $body:block) => {{
        struct Job;
        impl ForLevel for Job {
            type Output = ();
            fn run<K: SolverLevel>(self, $game: Reversi<K>) $body
        }
        at_best_level(Job);
    }};
}

/// How many random positions a test solves: `FLIPSIDE_POSITIONS`, or so many.
fn positions(usual: usize) -> usize {
    std::env::var("FLIPSIDE_POSITIONS").map_or(usual, |text| text.parse().expect("a number"))
}

#[test]
fn random_positions_agree_with_plain_search() {
    at_level!(game, {
        let mut random = Random(0x5eed_0f0f);
        let solver = Solver::new(4).expect("a small table");
        let positions = positions(100_000);
        let mut done = 0;
        // Mostly small ones: a plain search of ten empty squares takes ten thousand times as long as one of three.
        while done < positions {
            let empties = match done % 1000 {
                0 => 10,
                1..3 => 9,
                3..10 => 8,
                10..60 => 7,
                _ => 1 + random.below(6) as u32,
            };
            let Some(board) = random_position(&game, &mut random, empties) else { continue };
            let expected = plain(&game, board, -64, 64);
            assert_eq!(solve(&game, &solver, board, (-64, 64)).0, expected, "{}", obf::show(board, true));
            done += 1;
        }
    });
}

/// The solver with all its parts: selective passes with ProbCut before the exact one, ordering by the linear evaluation, one
/// thread and two, tables that keep earlier positions. Half of the positions are solved with the usual thresholds, half with
/// such that small positions pass through the parts for large ones, too. Two null windows of the plain search prove a score.
#[test]
fn selective_passes_and_two_threads_agree_with_plain_search() {
    at_level!(game, {
        let weights = open_weights(None).expect("the weights in the binary");
        let eval = PatternEvaluation::new(&game, Arc::clone(&weights));
        let usual = SolverSettings::default().with_probcut(Some(&weights.probcut_model));
        let passes = [(Selectivity::BOLDEST, 4), (Selectivity::from_percent(95), 6)];
        let low = SolverSettings { evaluation_from: 6, shared_from: 5, split_from: 6, passes, ..usual };
        let low = SolverSettings { split_small_from: 6, offer_from: 6, ..low };
        let solvers = [SolverSettings { passes, ..usual }, low]
            .map(|settings| Solver::with_settings(4, settings).expect("a small table"));
        let mut random = Random(0x0c0f_fee0_0054);
        let mut done = 0;
        while done < positions(1_000) {
            let empties = match done % 1_000 {
                999 => 14,
                997..999 => 13,
                992..997 => 12,
                980..992 => 11,
                950..980 => 10,
                900..950 => 9,
                _ => 4 + random.below(5) as u32,
            };
            let Some(board) = random_position(&game, &mut random, empties) else { continue };
            let (solver, threads) = (&solvers[random.below(2)], 1 + random.below(2));
            let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
            let root = root_with(&game, &eval, solver, &stop, &nodes, threads);
            let score = root.score(board).expect("no limit was set");
            let reaches = |score| plain(&game, board, score - 1, score) >= score;
            let proven = reaches(score) && !reaches(score + 1);
            assert!(proven, "{score} by {threads} threads: {}", obf::show(board, true));
            done += 1;
        }
    });
}

#[test]
fn every_window_answers_on_its_own_side() {
    at_level!(game, {
        let mut random = Random(77);
        let solver = Solver::new(1).expect("a small table");
        for _ in 0..300 {
            let Some(board) = random_position(&game, &mut random, 7) else { continue };
            let exact = plain(&game, board, -64, 64);
            for alpha in (-64..64).step_by(7) {
                let (score, _) = solve(&game, &solver, board, (alpha, alpha + 1));
                assert_eq!(score > alpha, exact > alpha, "alpha {alpha}, exact {exact}, {}", obf::show(board, true));
                assert!(if score > alpha { score <= exact } else { score >= exact }, "a bound on the wrong side");
            }
        }
    });
}

#[test]
fn eight_symmetries_have_one_score() {
    fn transformed(set: u64, square: impl Fn(u32, u32) -> u32) -> u64 {
        (0..64).filter(|at| set >> at & 1 == 1).fold(0, |all, at| all | 1 << square(at % 8, at / 8))
    }
    at_level!(game, {
        let mut random = Random(4711);
        let mut done = 0;
        while done < 50 {
            let Some(board) = random_position(&game, &mut random, 14) else { continue };
            done += 1;
            let scores = SYMMETRIES.map(|square| {
                let board =
                    Board { player: transformed(board.player, square), opponent: transformed(board.opponent, square) };
                solve(&game, &Solver::new(1).expect("a small table"), board, (-64, 64)).0
            });
            assert_eq!(scores, [scores[0]; 8], "{}", obf::show(board, true));
        }
    });
}

#[test]
fn published_positions_at_the_portable_and_at_the_best_level() {
    fn all<K: SolverLevel>(game: &Reversi<K>) -> Vec<(i32, u64)> {
        EASY.map(|(text, _)| {
            solve(game, &Solver::new(8).expect("a small table"), obf::position(text).unwrap().0, (-64, 64))
        })
        .to_vec()
    }
    struct Job;
    impl ForLevel for Job {
        type Output = Vec<(i32, u64)>;
        fn run<K: SolverLevel>(self, game: Reversi<K>) -> Self::Output {
            all(&game)
        }
    }
    let portable = all(&Reversi::portable());
    assert_eq!(portable.iter().map(|&(score, _)| score).collect::<Vec<_>>(), EASY.map(|(_, score)| score));
    assert_eq!(portable, at_best_level(Job), "scores and nodes do not depend on the level");
}

#[test]
fn all_moves_the_best_move_and_the_line_agree_with_the_score() {
    at_level!(game, {
        let (solver, stop, nodes) =
            (Solver::new(8).expect("a small table"), Stop::new(&Limits::default()), AtomicU64::new(0));
        let root = root(&game, &solver, &stop, &nodes, 1);
        for (text, expected) in EASY {
            let (board, _) = obf::position(text).unwrap();
            assert_eq!(root.score(board), Some(expected));
            let solution = root.solve(board, Wanted::AllMoves).unwrap();
            assert_eq!(solution.moves.len(), game.moves(&board).count());
            assert_eq!(solution.moves[0].1, expected * 100);
            let end = solution.line.into_iter().fold((board, 1), |(board, sign), mv| {
                assert!(game.moves(&board).any(|legal| legal == mv));
                (board.after(mv), -sign)
            });
            assert_eq!(game.outcome(&end.0), Some(end.1 * expected * 100), "the line is played to the end");
        }
    });
}

#[test]
fn several_threads_find_the_same_score() {
    at_level!(game, {
        let mut random = Random(31337);
        let mut done = 0;
        while done < 12 {
            let Some(board) = random_position(&game, &mut random, 17) else { continue };
            done += 1;
            let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
            let scores = [1, 2, 8, 64].map(|threads| {
                root(&game, &Solver::new(4).expect("a small table"), &stop, &nodes, threads).score(board)
            });
            assert_eq!(scores, [scores[0]; 4], "{}", obf::show(board, true));
        }
    });
}

#[test]
fn a_raised_flag_a_deadline_and_a_node_limit_end_it() {
    at_level!(game, {
        let (board, _) = obf::position(FFO_40).unwrap();
        let solver = Solver::new(1).expect("a small table");
        let limits = Limits { nodes: Some(50_000), ..Limits::default() };
        let (stop, nodes) = (Stop::new(&limits), AtomicU64::new(0));
        assert_eq!(root(&game, &solver, &stop, &nodes, 1).score(board), None);
        let spent = nodes.load(Ordering::Relaxed);
        assert!((50_000..55_000).contains(&spent), "{spent} nodes");

        let limits = Limits { hard: Some(Duration::from_millis(20)), ..Limits::default() };
        let stop = Stop::new(&limits);
        assert_eq!(
            root(&game, &Solver::new(1).expect("a small table"), &stop, &AtomicU64::new(0), 2).score(board),
            None
        );
    });
}

/// However many threads wait for each other, on few processors.
#[test]
fn a_raised_flag_ends_all_threads() {
    at_level!(game, {
        let (board, _) = obf::position(FFO_49).expect("a position");
        for (threads, pause) in [(16, 0), (64, 30), (64, 60)] {
            let stop = Stop::new(&Limits::default());
            let solver = Solver::new(16).expect("a table");
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(pause));
                    stop.raise();
                });
                assert_eq!(root(&game, &solver, &stop, &AtomicU64::new(0), threads).score(board), None);
            });
        }
    });
}

/// A host may set up a position with more moves than any game has; the solver lists them all.
#[test]
fn a_position_with_35_moves_is_searched() {
    at_level!(game, {
        let board = Board { player: 0x0004_9430_2264_0800, opponent: 0x00aa_2206_5002_7600 };
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let (solver, stop, nodes) = (Solver::new(1).expect("a small table"), Stop::new(&limits), AtomicU64::new(0));
        assert_eq!(root(&game, &solver, &stop, &nodes, 1).score(board), None);
        assert!(nodes.into_inner() >= 20_000);
    });
}
