//! # From minimax to PVS in seven steps
//!
//! Every example below runs when the documentation is tested. `flipside trace` draws the trees, `flipside search` and
//! `flipside growth` count on real positions.
//!
//! ## 1. Static evaluation
//!
//! A game is seldom searched to its end. Where the search stops, an *evaluation* reads a number off the position, here in
//! hundredths of a disc for the side to move. It is a guess, and different guesses disagree:
//!
//! ```
//! use flipside::games::reversi::{evaluation::SingleFeature, obf};
//!
//! let text = "--------------------------XXX----OOXX----OXO-----XOO----O------- O";
//! let (board, _) = obf::position(text).expect("64 squares and the side to move");
//! let says = |name| SingleFeature::named(name).expect("a known evaluation").value(board);
//! assert_eq!(says("discs"), 0); // eight discs each
//! assert_eq!(says("mobility"), -300); // White has three moves fewer than Black
//! ```
//!
//! ## 2. Minimax
//!
//! Max takes the best of the moves, Min the worst, down to the leaves. From each player's own side both do the same thing:
//! take the greatest of the *negated* values below (negamax). That is how all searchers here are written.
//!
//! ```
//! use flipside::games::tree::Tree;
//! use flipside::search::types::Side;
//! use flipside::textbook::{order::Order, plan::{Algorithm, Plan, Silent, Task}, searcher::search};
//!
//! let tree = Tree::read("(((1 5 6) (8 3)) (L (1 W)))", Side::First).expect("a tree");
//! let task = Task::new(&tree, &tree, &0);
//! let answer = search(&task, Plan::fixed(Algorithm::Minimax, Order::Natural, 9), &mut Silent);
//! assert_eq!((answer.score, answer.nodes), (600, 14)); // worth 6, every node visited
//! ```
//!
//! ## 3. Alpha-beta
//!
//! Each node is called with a *window*: what Max has for sure and what Min has for sure. As soon as a value reaches the
//! far edge, the player on the way there will avoid this node, and its other moves need no look. The trace prints
//! `value[min,max]`, and `X` for what was pruned:
//!
//! ```
//! # use flipside::games::tree::Tree;
//! # use flipside::search::types::Side;
//! # use flipside::textbook::{order::Order, plan::{Algorithm, Plan, Task}, searcher::search};
//! use flipside::textbook::{sketch::Sketch, trace::Trace};
//!
//! # let tree = Tree::read("(((1 5 6) (8 3)) (L (1 W)))", Side::First).expect("a tree");
//! # let task = Task::new(&tree, &tree, &0);
//! let mut trace = Trace::new(Side::First);
//! let answer = search(&task, Plan::fixed(Algorithm::AlphaBetaHard, Order::Natural, 9), &mut trace);
//! let sketch = trace.sketch(&answer.line, &|_, _| None, &|_, _| Sketch::default()).expect("a search");
//! assert_eq!(sketch.diagram(), "\
//! max 6[L,W] =
//! ├─ min 6[L,W] =
//! │  ├─ max 6[L,W] =
//! │  │  ├─ 1[L,W] =
//! │  │  ├─ 5[1,W] =
//! │  │  └─ 6[5,W] =
//! │  └─ max 6[L,6] >=
//! │     ├─ 8[L,6] =
//! │     └─ X
//! └─ min 6[6,W] <=
//!    ├─ L[6,W] =
//!    └─ X
//! ");
//! assert_eq!((answer.score, answer.nodes), (600, 10)); // the same value, four nodes fewer
//! ```
//!
//! This one is *fail-hard*: values stay inside the window. [`AlphaBeta`](super::plan::Algorithm::AlphaBeta) is
//! *fail-soft*: a value outside the window still says how far the true one is away at least.
//!
//! ## 4. Ordering
//!
//! How much is pruned depends on the order of the moves alone. In a tree with `b` moves a node and `d` plies, the best
//! order visits `b^⌈d/2⌉ + b^⌊d/2⌋ - 1` leaves (twice the depth for the same work), the worst all `b^d`.
//!
//! ```
//! use flipside::search::game::{ZeroEval, Game};
//! use flipside::textbook::{order::Order, plan::{Algorithm, Plan, Silent, Task}, searcher::search, uniform::Uniform};
//!
//! let tree = Uniform::random(4, 6, 1);
//! let (start, plan) = (tree.start(), |order| Plan::fixed(Algorithm::AlphaBeta, order, 6));
//! let best = Task { rank: tree.rank(true), ..Task::new(&tree, &ZeroEval, &start) };
//! assert_eq!(search(&best, plan(Order::Heuristic), &mut Silent).leaves, 64 + 64 - 1);
//! let chance = search(&best, plan(Order::Natural), &mut Silent).leaves;
//! assert!(127 < chance && chance < 4096);
//! let uncut = Uniform::uncut(4, 6);
//! assert_eq!(search(&Task::new(&uncut, &ZeroEval, &start), plan(Order::Natural), &mut Silent).leaves, 4096);
//! ```
//!
//! A real game does not know its best moves beforehand; it has a guess (corners first, few replies for the opponent), and
//! it can remember: moves that cut elsewhere (killers, history).
//!
//! ## 5. Deepening
//!
//! Search one ply, then two, then three. The last round costs more than all before it together, so little is lost; won
//! are an answer at any time, and the best move of each round as the first of the next.
//!
//! ```
//! use flipside::games::reversi::{board::Reversi, evaluation::stage_weighted::StageWeighted, policy::ReversiPolicy};
//! use flipside::search::{game::Game, limits::{Limits, Stop}, worker::SearchContext};
//! use flipside::textbook::{order::Order, plan::{Algorithm, Plan, Silent, Task}, searcher, stand::AsItStands};
//! use std::sync::Arc;
//!
//! let game = Reversi::portable();
//! let policy = ReversiPolicy::new(&game, 1);
//! let game = AsItStands::new(Arc::new(SearchContext { game, eval: Arc::new(StageWeighted::built_in()), policy }));
//! let start = game.start();
//! let task = Task { rank: game.rank(), ..Task::new(&game, &game, &start) };
//! let plan = Plan { deepen: true, ..Plan::fixed(Algorithm::AlphaBeta, Order::Previous, 5) };
//! let mut depths = Vec::new();
//! let stop = Stop::new(&Limits::default()); // a time limit would go here
//! searcher::named(&task, plan, &stop, &mut Silent, &mut |answer| depths.push(answer.depth));
//! assert_eq!(depths, [1, 2, 3, 4, 5]);
//! ```
//!
//! ## 6. Hashing
//!
//! Different orders of the same moves lead to the same position. A *table* remembers what was found, by a number that
//! stands for the position. Zobrist's way to such a key (1970): one random number for every piece on every square, all
//! those on the board xored together. A move changes the key by the numbers of what it touches, and the order of the
//! moves does not matter:
//!
//! ```
//! use flipside::textbook::order::scramble;
//!
//! let number = |player: u64, square: u64| scramble(9 * player + square);
//! let whole = |board: &[(u64, u64)]| board.iter().fold(0, |key, &(player, square)| key ^ number(player, square));
//! let (x, o) = (0, 1);
//! let one_way = whole(&[(x, 4), (o, 0), (x, 8)]);
//! let other_way = whole(&[(x, 8), (o, 0), (x, 4)]);
//! assert_eq!(one_way, other_way);
//! assert_eq!(one_way ^ number(o, 2), whole(&[(x, 4), (o, 0), (x, 8), (o, 2)])); // one more move, one xor
//! ```
//!
//! (Positions of Reversi are so small that two multiplications hash them whole; MiniChess goes Zobrist's way.) An entry
//! stores the key, the best move, the value, the depth it was searched to, and whether the value is exact or a bound: a
//! value from a cut is only "at least", and helps only where that is enough.
//!
//! ```
//! use flipside::search::{game::Selectivity, table::{Entry, Kind, Table}};
//!
//! let table = Table::new(1); // MiB
//! let entry = Entry { mv: Some(19), score: 250, depth: 6, kind: Kind::Lower, selectivity: Selectivity::EXACT };
//! table.store(0x1234_5678_9abc_def0, entry);
//! assert_eq!(table.probe(0x1234_5678_9abc_def0), Some(entry));
//! assert_eq!(table.probe(0x1234_5678_9abc_def1), None);
//! ```
//!
//! ## 7. Null windows
//!
//! With good ordering the first move is the best one most of the time. For all others one question is enough: *are you
//! better than that?* A window without room between its edges asks just this, and cuts more than a wide one. Only where
//! the answer is yes is the move searched again for its value: Scout, and in the engine PVS, which is all seven steps
//! together.
//!
//! ```
//! # use flipside::games::reversi::{board::Reversi, evaluation::stage_weighted::StageWeighted, obf, policy::ReversiPolicy};
//! # use flipside::search::worker::SearchContext;
//! # use flipside::textbook::{order::Order, plan::{Algorithm, Plan, Silent, Task}, searcher::search, stand::AsItStands};
//! # use std::sync::Arc;
//! # let game = Reversi::portable();
//! # let policy = ReversiPolicy::new(&game, 1);
//! # let game = AsItStands::new(Arc::new(SearchContext { game, eval: Arc::new(StageWeighted::built_in()), policy }));
//! let text = "---O------OO-X--XXOOXX--XXXXXOO-XXXOOXO-XXXOXOO---OOO---------O- O";
//! let (board, _) = obf::position(text).expect("a position");
//! let task = Task { rank: game.rank(), ..Task::new(&game, &game, &board) };
//! let find = |algorithm, order, table| search(&task, Plan { table, ..Plan::fixed(algorithm, order, 6) }, &mut Silent);
//! let plain = find(Algorithm::AlphaBeta, Order::Natural, false);
//! let ordered = find(Algorithm::AlphaBeta, Order::Heuristic, false);
//! let remembered = find(Algorithm::AlphaBeta, Order::Heuristic, true);
//! let scout = find(Algorithm::Scout, Order::Heuristic, true); // a second search meets the first in the table
//! let pvs = find(Algorithm::Pvs, Order::Heuristic, true);
//! let all = [plain, ordered, remembered, scout];
//! assert!(all.iter().all(|answer| answer.score == pvs.score));
//! assert!(all.windows(2).all(|pair| pair[1].nodes < pair[0].nodes));
//! ```
//!
//! ## Why positions are copied
//!
//! [`Game::play`](crate::search::game::Game::play) takes a position and returns another: nothing is ever undone. A board
//! of Reversi is two words, and copying them is cheaper than remembering what to put back; a searcher that returns in the
//! middle, a trace that keeps what it saw, and a thread that takes a position along need no care at all.
//!
//! ```
//! use flipside::games::reversi::board::{Board, Reversi};
//! use flipside::search::game::Game;
//!
//! let game = Reversi::portable();
//! let before = Board::START;
//! let mv = game.moves(&before).next().expect("d3");
//! let after = game.play(&before, mv);
//! assert_eq!(size_of::<Board>(), 16); // bytes
//! assert!(after != before && before == Board::START);
//! ```
