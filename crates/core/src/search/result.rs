//! A search request at the root, and its result.

use super::game::Game;
use super::limits::Limits;
use super::notation::{Notation, Style};
use super::transposition_table::Bound;
use super::types::{Certainty, INFINITE, Score, Selectivity};
use super::wdl::{self, Wdl, WdlModel};
use std::time::Duration;

/// A search to make.
#[derive(Clone, Debug)]
pub struct SearchParameters<M> {
    /// When the search must end.
    pub limits: Limits,
    /// Principal variations to search, at least 1.
    pub multipv: usize,
    /// Search only these root moves; all if empty.
    pub only: Vec<M>,
    /// Threads to start, at least 1; [`thread_pool::useful`](flipside_support::thread_pool::useful)
    /// says how many pay.
    pub threads: usize,
    /// What a drawn game is worth to the side to move in hundredths, within a unit of zero.
    pub draw: Score,
    /// Selectivity of ProbCut; where the limits set a depth, that of the last iteration.
    pub selectivity: Selectivity,
    /// Selectivity of the last pass of a solve.
    pub solve_selectivity: Selectivity,
    /// In hundredths for the side to move; scores outside are bounds.
    pub window: (Score, Score),
}

impl<M> SearchParameters<M> {
    /// One principal variation of all moves by one thread.
    pub fn new(limits: Limits) -> SearchParameters<M> {
        SearchParameters {
            limits,
            multipv: 1,
            only: Vec::new(),
            threads: 1,
            draw: 0,
            selectivity: Selectivity::PLAY,
            solve_selectivity: Selectivity::EXACT,
            window: (-INFINITE, INFINITE),
        }
    }
}

/// A finished iteration of one principal variation. The moves are a game's moves, or their names for protocols.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<M> {
    /// 1 for the best variation.
    pub rank: usize,
    /// Variations searched.
    pub multipv: usize,
    /// Plies of the iteration.
    pub depth: u32,
    /// Deepest ply reached in it.
    pub seldepth: u32,
    /// For the side to move at the root, in hundredths.
    pub score: Score,
    /// Whether the score is only a bound.
    pub bound: Bound,
    /// The certainty of the score.
    pub certainty: Certainty,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Thousandths of the transposition table in use.
    pub hashfull: u32,
    /// The principal variation; its first move is the move to make.
    pub pv: Vec<M>,
    /// Whether the game is over at the end of the variation.
    pub pv_ends_game: bool,
    /// The chances for the side to move at the root. The search leaves them out; the engine adds them for its hosts.
    pub wdl: Option<Wdl>,
}

impl<M> Iteration<M> {
    /// An iteration for a position whose value is known without a search.
    pub fn known(score: Score, certainty: Certainty, depth: u32, pv: Vec<M>) -> Iteration<M> {
        Iteration {
            rank: 1,
            multipv: 1,
            depth,
            seldepth: depth,
            score,
            bound: Bound::Exact,
            certainty,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
            pv_ends_game: false,
            wdl: None,
        }
    }

    /// The same with the moves in another form.
    pub fn map<N>(&self, form: impl FnOnce(&[M]) -> Vec<N>) -> Iteration<N> {
        let Iteration { rank, multipv, depth, seldepth, score, bound, certainty, nodes, time, hashfull, wdl, .. } =
            *self;
        let (pv, pv_ends_game) = (form(&self.pv), self.pv_ends_game);
        Iteration {
            rank,
            multipv,
            depth,
            seldepth,
            score,
            bound,
            certainty,
            nodes,
            time,
            hashfull,
            pv,
            pv_ends_game,
            wdl,
        }
    }
}

impl<M> Iteration<M> {
    /// The same with its chances by this model, where a drawn game is worth `draw` to the side to move.
    pub fn with_chances(self, model: Option<WdlModel>, draw: Score) -> Iteration<M> {
        // A move that ends the game wins as surely as a proven value.
        let wins_now = self.pv_ends_game && self.pv.len() == 1 && self.score > draw;
        let certainty = if wins_now { Certainty::Exact } else { self.certainty };
        Iteration { wdl: wdl::of_value(self.score, self.bound, certainty, model, draw), ..self }
    }
}

impl<M: Copy> Iteration<M> {
    /// The same with the names of the moves.
    pub fn in_text<G: Notation<Move = M>>(&self, game: &G, root: &G::Position, style: Style) -> Iteration<String> {
        self.map(|pv| game.show_line(root, pv, style))
    }

    /// Truncates the variation at the end of the game, and records whether it gets there.
    pub fn end_with_the_game<G: Game<Move = M>>(&mut self, game: &G, root: &G::Position) {
        self.pv_ends_game = end_with_the_game(game, root, &mut self.pv);
    }
}

impl<M: Copy> SearchResult<M> {
    /// Truncates the variations at the end of the game.
    pub fn end_with_the_game<G: Game<Move = M>>(&mut self, game: &G, root: &G::Position) {
        end_with_the_game(game, root, &mut self.pv);
        if let Some(best) = &mut self.best {
            best.end_with_the_game(game, root);
        }
    }
}

/// Truncates a line at the end of the game; true if the line reaches it.
fn end_with_the_game<G: Game>(game: &G, root: &G::Position, line: &mut Vec<G::Move>) -> bool {
    let mut position = root.clone();
    for played in 0..line.len() {
        if game.outcome(&position).is_some() {
            line.truncate(played);
            return true;
        }
        position = game.play(&position, line[played]);
    }
    game.outcome(&position).is_some()
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// The best move with the expected variation after it; empty only if no move is legal.
    pub pv: Vec<M>,
    /// The last iteration of the best variation.
    pub best: Option<Iteration<M>>,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}
