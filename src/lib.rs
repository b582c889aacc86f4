//! Flipside is a game engine and a library: Reversi above all, MiniChess, small games, and games of your own.
//!
//! # The library
//!
//! Parse a typed board, search it, and play the best move:
//!
//! ```
//! use flipside::reversi::{Board, Reversi};
//! use flipside::{Engine, Limits};
//!
//! let board: Board = "---------------------------OX------XO--------------------------- X".parse()?;
//! let mut engine = Engine::builder(Reversi).hash_mib(16).build()?;
//! let found = engine.search(&board, Limits::depth(10));
//! let best = found.best_move.expect("the game goes on");
//! println!("{best}: {:+.2} discs, {} positions", found.units(), found.nodes);
//! let board = board.play(best)?;
//! println!("{board:#}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`reversi`] and [`minichess`]: boards with a side to move, squares, moves, and their text.
//! - [`Engine`]: searches boards within [`Limits`] and returns an [`Analysis`]: best move, score with its certainty,
//!   depth, nodes, principal variation. `Engine::iterations` reports a search while it runs; [`Engine::solve`] solves
//!   Reversi positions exactly.
//! - [`Game`](search::game::Game): implement it, and [`Engine`] searches your own game. Implement also
//!   [`Notation`](search::notation::Notation), and `flipside::serve` makes it an engine for GTP, NBoard, UCI and XBoard
//!   hosts; `examples/breakthrough.rs` is a complete one in a single file.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none (`default-features = false`) | rules, search, evaluations, solver; starts no thread, uses a dozen crates |
//! | `network` (default) | Reversi's network inside the binary (7 MB), as the default evaluation |
//! | `threads` | several threads in one search, `Engine::iterations` |
//! | `engine` | engines with a text interface (`engine::registry`), game records, the textbook's searchers and their traces; starts no thread, so it works in a browser |
//! | `protocols` | sessions with hosts (`flipside::serve`); implies `engine` and `threads` |
//! | `cli` (default) | the program: command line, matches, training, pictures, logging; implies `protocols` |
//!
//! A search keeps its path on the stack: half a MiB in an optimised build. Unoptimised builds need more stack and are
//! slow; `[profile.dev.package."*"] opt-level = 3` in your manifest solves both problems.
//!
//! # The path of a line
//!
//! ```text
//!  stdin ──► stdio ──► protocol::parse ──► Command ──► session ──► DynEngine ──► Searcher ──► search threads
//!  (thread)  lines     (nom)               (typed)      │   ▲      (any game)    (one game)      │
//!                                                       │   └─────── SearchEvent ◄──────────────┘ (the channel of the lines)
//!  stdout ◄── stdio ◄── protocol::write ◄── Event ◄─────┘
//! ```
//!
//! The protocol's parser turns a host's line into a typed command. The session executes it; only the session owns the
//! engine, the settings and the clock. A search runs on its own threads and reports through the channel that carries
//! the lines. Its results become events, and the protocol's writer turns them into lines.
//!
//! # The crates
//!
//! This package is the program and the facade of a workspace. Each crate depends only on crates above it in the table.
//!
//! | crate | here as | what it holds |
//! |---|---|---|
//! | `flipside-support` | [`support`] | random numbers, huge pages, thread pools, files that grow, JSON lines |
//! | `flipside-core` | [`search`], [`games`] | the game-independent search (read [`search::game`] first); rules, evaluation, policy and solver of each game; [`search::searcher::Searcher`], the interface to both |
//! | `flipside-textbook` | `textbook` | searchers for students, from minimax to Scout and UCT, and their traces |
//! | `flipside-host` | `api`, `protocol`, `record`, `engine` | plain data between protocols and engines; GTP, NBoard, UCI, XBoard, Gomocup, Cassio, JSON; game records; session, clock, engines of any game |
//! | `flipside-train` | `train` | training of evaluations |
//! | `flipside-referee` | `referee` | matches between engines |
//! | `flipside-connect` | `connect` | clients of game servers |
//! | `flipside` | [`library`], `cli` | the library on this page; the subcommands |
//!
//! The modules below [`library`] are public for experiments; their interfaces may change.

#[cfg(all(feature = "cli", not(fuzzing)))]
mod cli;
// The fuzz targets read what the subcommands read.
#[cfg(all(feature = "cli", fuzzing))]
#[allow(missing_docs)]
pub mod cli;
#[forbid(unsafe_code)]
pub mod library;
#[cfg(feature = "engine")]
pub mod tour;

#[cfg(feature = "cli")]
pub use cli::main;
#[cfg(feature = "cli")]
pub use flipside_connect as connect;
pub use flipside_core::{games, search};
#[cfg(feature = "protocols")]
pub use flipside_host::protocol;
#[cfg(feature = "engine")]
pub use flipside_host::{api, engine, record};
#[cfg(feature = "cli")]
pub use flipside_referee as referee;
pub use flipside_support as support;
#[cfg(feature = "engine")]
pub use flipside_textbook as textbook;
#[cfg(feature = "cli")]
pub use flipside_train as train;

#[doc(inline)]
pub use library::{Analysis, Color, CustomGame, Engine, EngineBuilder, EngineError, Searchable, minichess, reversi};
#[cfg(feature = "threads")]
#[doc(inline)]
pub use library::{Iterations, StopHandle};
#[cfg(feature = "protocols")]
#[doc(inline)]
pub use library::{Servable, ServeError, serve, serve_on};
#[doc(inline)]
pub use search::limits::Limits;

#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
