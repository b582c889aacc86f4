//! Flipside: a game engine and its library. Reversi at its best, MiniChess, small games, and games of your own.
//!
//! # The library
//!
//! A typed board is read, played on and searched:
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
//! - [`reversi`] and [`minichess`]: boards that know whose turn it is, squares, moves, text in and out.
//! - [`Engine`]: searches them within [`Limits`], and gives an [`Analysis`]: best move, score with its certainty, depth,
//!   nodes, principal variation. `Engine::iterations` watches a search while it runs;
//!   [`Engine::solve`] plays Reversi out.
//! - [`Game`](search::game::Game): implement it, and [`Engine`] searches a game of your own. With
//!   [`Notation`](search::notation::Notation) on top, `flipside::serve` makes it an engine for GTP, NBoard, UCI and XBoard
//!   hosts; `examples/breakthrough.rs` is one in a single file.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none (`default-features = false`) | rules, search, evaluations, solver; no thread is started, a dozen crates |
//! | `threads` | several threads in one search, `Engine::iterations` |
//! | `engine` | engines behind text (`engine::registry`), the textbook's searchers and their traces; no thread, as in a browser |
//! | `protocols` | sessions with hosts (`flipside::serve`); implies `engine` and `threads` |
//! | `cli` (default) | the program: command line, progress bars, pictures, logging; implies `protocols` |
//! | `train` (default) | `flipside train`; implies `cli` |
//!
//! A search keeps its path on the stack: half a MiB in an optimised build. Builds without optimisation are slow and need
//! more; `[profile.dev.package.flipside] opt-level = 3` in your manifest cures both.
//!
//! # The way of a line
//!
//! ```text
//!  stdin ──► stdio ──► protocol::parse ──► Command ──► session ──► DynEngine ──► search threads
//!  (thread)  lines     (nom)               (typed)      │   ▲      (type-erased)      │
//!                                                       │   └─────── SearchEvent ◄────┘ (the channel of the lines)
//!  stdout ◄── stdio ◄── protocol::write ◄── Event ◄─────┘
//! ```
//!
//! A line of a host becomes a typed command; the session, which alone owns the engine, the settings and the clock, serves
//! it; a search runs in threads of its own and reports through the channel that the lines come by; what comes of it is an
//! event, and the protocol finds its words.
//!
//! # The floors
//!
//! Each knows only those below it.
//!
//! | module | what stands there |
//! |---|---|
//! | `cli`, `referee` | the subcommands; matches between engines |
//! | [`library`] | what this page shows, re-exported at the root |
//! | `engine` | session, clock, type-erased engine, registry of the games |
//! | `protocol`, [`record`] | GTP, NBoard, UCI, XBoard; game records |
//! | `textbook`, `train` | searchers for students of search, minimax to scout; training of evaluations |
//! | `api` | plain data between protocols and the engine: commands, events, options |
//! | [`games`] | rules, evaluation and policy of each game; Reversi's solver |
//! | [`search`] | the search, which knows no game: read [`search::game`] first |
//! | [`support`] | random numbers, huge pages, thread pool |
//!
//! The modules below [`library`] are open for experiments but promise no stable interface.

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
