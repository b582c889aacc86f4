//! # From minimax to PVS and UCT in eight steps
//!
//! Every example below runs when the documentation is tested. `flipside trace` draws the trees, `flipside search` and
//! `flipside growth` count on real positions.
//!
//! ## 1. Static evaluation
//!
//! A search seldom reaches the end of the game. Where it stops, an *evaluation function* estimates the value of the
//! position, here in hundredths of a disc for the side to move. Different evaluations disagree:
//!
//! ```
//! use flipside::games::reversi::{evaluation::SingleFeature, obf};
//!
//! let text = "--------------------------XXX----OOXX----OXO-----XOO----O------- O";
//! let (board, _) = obf::position(text).expect("64 squares and the side to move");
//! let evaluate = |name| SingleFeature::named(name).expect("a known evaluation").value(board);
//! assert_eq!(evaluate("discs"), 0); // eight discs each
//! assert_eq!(evaluate("mobility"), -300); // White has three moves fewer than Black
//! ```
//!
//! ## 2. Minimax
//!
//! At each node Max takes the greatest value of the moves, and Min the smallest, down to the leaves. From the side to
//! move's point of view both do the same: they take the greatest of the *negated* values of the children (negamax). All
//! searches here are written that way.
//!
//! ```
//! use flipside::games::tree::Tree;
//! use flipside::search::types::Side;
//! use flipside::search::algorithm::Algorithm;
//! use flipside::textbook::types::{SearchConfig, SearchInput};
//! use flipside::textbook::{move_order::MoveOrder, searcher::search, tracer::NoTracer};
//!
//! let tree = Tree::read("(((1 5 6) (8 3)) (L (1 W)))", Side::First).expect("a tree");
//! let input = SearchInput::new(&tree, &tree, &0);
//! let output = search(&input, SearchConfig::fixed(Algorithm::Minimax, MoveOrder::Natural, 9), &mut NoTracer);
//! assert_eq!((output.score, output.nodes), (600, 14)); // worth 6, every node visited
//! ```
//!
//! ## 3. Alpha-beta
//!
//! Each node is searched with a *window*: alpha, the value that Max already has elsewhere in the tree, and beta, the
//! value that Min already has. When the value of a Max node reaches beta, Min will avoid the node, so its other moves
//! are pruned: a *beta cutoff*. The trace prints `value[alpha,beta]`, and `X` for pruned subtrees:
//!
//! ```
//! # use flipside::games::tree::Tree;
//! # use flipside::search::types::Side;
//! # use flipside::search::algorithm::Algorithm;
//! # use flipside::textbook::types::{SearchConfig, SearchInput};
//! # use flipside::textbook::{move_order::MoveOrder, searcher::search};
//! use flipside::textbook::{trace::{Presentation, Trace}, trace_tree::TraceTree, units::Units};
//!
//! # let tree = Tree::read("(((1 5 6) (8 3)) (L (1 W)))", Side::First).expect("a tree");
//! # let input = SearchInput::new(&tree, &tree, &0);
//! let mut trace = Trace::new(Side::First);
//! let output = search(&input, SearchConfig::fixed(Algorithm::AlphaBetaHard, MoveOrder::Natural, 9), &mut trace);
//! let shown = Presentation { names: &|_, _| None, pruned: &|_, _| TraceTree::default(), units: &Units::from };
//! let visited = trace.tree(&tree, &output.pv, &shown).expect("a search");
//! assert_eq!(visited.diagram(), "\
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
//! assert_eq!((output.score, output.nodes), (600, 10)); // the same value, four nodes fewer
//! ```
//!
//! This is *fail-hard* alpha-beta: values are clamped to the window.
//! [`AlphaBeta`](flipside_core::search::algorithm::Algorithm::AlphaBeta) is *fail-soft*: it returns a value outside the
//! window unchanged, which is a tighter bound of the true value.
//!
//! ## 4. Ordering
//!
//! The order of the moves alone decides how much is pruned. In a tree with `b` moves per node and `d` plies, a perfect
//! order visits `b^⌈d/2⌉ + b^⌊d/2⌋ - 1` leaves (twice the depth for the same work), and the worst order all `b^d`.
//!
//! ```
//! use flipside::search::{evaluation::ZeroEval, game::Game};
//! use flipside::search::algorithm::Algorithm;
//! use flipside::textbook::types::{SearchConfig, SearchInput};
//! use flipside::textbook::{move_order::MoveOrder, searcher::search, tracer::NoTracer, uniform::UniformTree};
//!
//! let tree = UniformTree::random(4, 6, 1);
//! let (start, config) = (tree.start(), |order| SearchConfig::fixed(Algorithm::AlphaBeta, order, 6));
//! let best = SearchInput { scorer: tree.scorer(true), ..SearchInput::new(&tree, &ZeroEval, &start) };
//! assert_eq!(search(&best, config(MoveOrder::Heuristic), &mut NoTracer).leaves, 64 + 64 - 1);
//! let unordered = search(&best, config(MoveOrder::Natural), &mut NoTracer).leaves;
//! assert!(127 < unordered && unordered < 4096);
//! let worst_case = UniformTree::worst_case(4, 6);
//! let worst = search(&SearchInput::new(&worst_case, &ZeroEval, &start), config(MoveOrder::Natural), &mut NoTracer);
//! assert_eq!(worst.leaves, 4096);
//! ```
//!
//! In a real game the best moves are not known in advance. A static *move ordering* helps (in Reversi corners first,
//! then moves that leave the opponent few replies). Moves that caused cutoffs elsewhere in the tree also help: the
//! *killer* and the *history heuristic*.
//!
//! ## 5. Iterative deepening
//!
//! Search to depth one, then two, then three. The last iteration costs more than all earlier ones together, so little
//! is lost. In return a best move is known at any time, and each iteration searches the previous best move first.
//!
//! ```
//! use flipside::games::{open::BuiltIn, searcher_settings::SearcherSettings};
//! use flipside::games::reversi::rules::Reversi;
//! use flipside::search::{game::Game, limits::{Limits, Stop}};
//! use flipside::search::algorithm::Algorithm;
//! use flipside::textbook::types::{SearchConfig, SearchInput};
//! use flipside::textbook::{move_order::MoveOrder, searcher, tracer::NoTracer, game::TextbookGame};
//!
//! let settings = SearcherSettings { evaluation: "weighted", ..SearcherSettings::SMALL };
//! let searcher = Reversi::portable().open(&settings).expect("a known evaluation");
//! let game = TextbookGame::new(Reversi::portable(), searcher);
//! let start = game.start();
//! let input = SearchInput { scorer: game.scorer(), ..SearchInput::new(&game, &game, &start) };
//! let config = SearchConfig { deepen: true, ..SearchConfig::fixed(Algorithm::AlphaBeta, MoveOrder::Previous, 5) };
//! let mut depths = Vec::new();
//! let stop = Stop::new(&Limits::default()); // a time limit would go here
//! searcher::search_iterations(&input, config, &stop, &mut NoTracer, &mut |output| depths.push(output.depth));
//! assert_eq!(depths, [1, 2, 3, 4, 5]);
//! ```
//!
//! ## 6. Transposition table
//!
//! Different orders of the same moves lead to the same position: a *transposition*. A hash table keeps the results of
//! searched positions. Its key is *Zobrist's* (1970): every piece on every square has a random number, and the key is
//! the exclusive or of the numbers of the pieces on the board. A move changes the key by the numbers of the changed
//! squares, so the order of the moves does not matter:
//!
//! ```
//! use flipside::support::random::splitmix64;
//!
//! let number = |player: u64, square: u64| splitmix64(9 * player + square);
//! let key = |board: &[(u64, u64)]| board.iter().fold(0, |sum, &(player, square)| sum ^ number(player, square));
//! let (x, o) = (0, 1);
//! let one_way = key(&[(x, 4), (o, 0), (x, 8)]);
//! let other_way = key(&[(x, 8), (o, 0), (x, 4)]);
//! assert_eq!(one_way, other_way);
//! assert_eq!(one_way ^ number(o, 2), key(&[(x, 4), (o, 0), (x, 8), (o, 2)])); // one more move, one xor
//! ```
//!
//! (A position of Reversi is so small that two multiplications hash it; MiniChess uses Zobrist keys.) An entry holds
//! the key, the best move, the score, the depth of the search, and whether the score is exact or a bound. After a beta
//! cutoff the score is a lower bound; it replaces a later search only if it is at least beta there too.
//!
//! ```
//! use flipside::search::{transposition_table::{Bound, Entry, TranspositionTable}, types::Selectivity};
//!
//! let table = TranspositionTable::new(1).expect("a small table"); // MiB
//! let entry = Entry { mv: Some(19), score: 250, depth: 6, bound: Bound::Lower, selectivity: Selectivity::EXACT };
//! table.store(0x1234_5678_9abc_def0, entry);
//! assert_eq!(table.probe(0x1234_5678_9abc_def0), Some(entry));
//! assert_eq!(table.probe(0x1234_5678_9abc_def1), None);
//! ```
//!
//! ## 7. Null windows: Scout and PVS
//!
//! With good ordering the first move is usually the best one. For every other move it is enough to prove that it is not
//! better. A *null window*, with beta = alpha + 1, does just that and cuts more than a wide one. Only a move that fails
//! high is searched again, with the full window, for its value. This is Scout; the engine's search, PVS, combines all
//! these steps.
//!
//! ```
//! # use flipside::games::{open::BuiltIn, searcher_settings::SearcherSettings};
//! # use flipside::games::reversi::{rules::Reversi, obf};
//! # use flipside::search::algorithm::Algorithm;
//! # use flipside::textbook::types::{SearchConfig, SearchInput};
//! # use flipside::textbook::{move_order::MoveOrder, searcher::search, tracer::NoTracer, game::TextbookGame};
//! # let settings = SearcherSettings { evaluation: "weighted", ..SearcherSettings::SMALL };
//! # let searcher = Reversi::portable().open(&settings).expect("a known evaluation");
//! # let game = TextbookGame::new(Reversi::portable(), searcher);
//! let text = "---O------OO-X--XXOOXX--XXXXXOO-XXXOOXO-XXXOXOO---OOO---------O- O";
//! let (board, _) = obf::position(text).expect("a position");
//! let input = SearchInput { scorer: game.scorer(), ..SearchInput::new(&game, &game, &board) };
//! let find = |algorithm, order, table| {
//!     search(&input, SearchConfig { table, ..SearchConfig::fixed(algorithm, order, 6) }, &mut NoTracer)
//! };
//! let plain = find(Algorithm::AlphaBeta, MoveOrder::Natural, false);
//! let ordered = find(Algorithm::AlphaBeta, MoveOrder::Heuristic, false);
//! let with_table = find(Algorithm::AlphaBeta, MoveOrder::Heuristic, true);
//! let scout = find(Algorithm::Scout, MoveOrder::Heuristic, true); // the table serves the second search
//! let pvs = find(Algorithm::Pvs, MoveOrder::Heuristic, true);
//! let all = [plain, ordered, with_table, scout];
//! assert!(all.iter().all(|output| output.score == pvs.score));
//! assert!(all.windows(2).all(|pair| pair[1].nodes < pair[0].nodes));
//! ```
//!
//! ## 8. The other way: UCT
//!
//! Alpha-beta needs a reliable evaluation and a good move order. Without them, a program can play random moves to the
//! end of the game and see who wins. A thousand such *playouts* say more about a move than one, and more of them should
//! go to the moves that matter. UCT (Kocsis and Szepesvári, 2006) treats each node as a gambler's choice among slot
//! machines. It plays the move with the highest `mean + sqrt(2 ln N / n)`, where `n` of the node's `N` playouts tried
//! the move. Good moves are tried often; rarely tried moves get another chance. In time the means approach the value of
//! minimax, here from below, because Min's worse moves are also tried.
//!
//! ```
//! # use flipside::games::tree::Tree;
//! # use flipside::search::types::Side;
//! # use flipside::search::algorithm::Algorithm;
//! # use flipside::textbook::types::{SearchConfig, SearchInput};
//! # use flipside::textbook::{move_order::MoveOrder, searcher::search, tracer::NoTracer};
//! let tree = Tree::read("((W W W L) (W W L W) (W W L L) (W (W L) W W))", Side::First).expect("a tree");
//! let input = SearchInput::new(&tree, &tree, &0);
//! let mean = |playouts| {
//!     let config = SearchConfig::fixed(Algorithm::Uct, MoveOrder::Natural, 9);
//!     search(&input, SearchConfig { playouts: Some(playouts), ..config }, &mut NoTracer)
//! };
//! // Only the last move wins against every answer of Min. UCT finds it, and its certainty grows with the playouts.
//! assert_eq!(mean(2_000).best(), Some(16));
//! assert!(mean(20_000).score > mean(2_000).score && mean(2_000).score > 60);
//! ```
//!
//! `flipside trace --algorithm uct` shows visits and means at the nodes; `flipside match` plays UCT against the others.
//!
//! ## Why positions are copied
//!
//! [`Game::play`](flipside_core::search::game::Game::play) takes a position and returns another (*copy-make*): moves
//! are never taken back. A board of Reversi is two words, and copying them is cheaper than storing what a take-back
//! needs. A search may stop at any point, a trace may keep positions, and threads may share them, all without special
//! care.
//!
//! ```
//! use flipside::games::reversi::board::Board;
//! use flipside::games::reversi::rules::Reversi;
//! use flipside::search::game::Game;
//!
//! let game = Reversi::portable();
//! let before = Board::START;
//! let mv = game.moves(&before).next().expect("d3");
//! let after = game.play(&before, mv);
//! assert_eq!(size_of::<Board>(), 16); // bytes
//! assert!(after != before && before == Board::START);
//! ```
