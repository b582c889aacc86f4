//! A game with its evaluation behind a [`Searcher`], as the textbook's algorithms search it. The compiler therefore
//! builds them once for each game, not once for each of its evaluations and processor levels.

use super::techniques::SharedHeuristics;
use super::types::{MoveScorer, SearchInput};
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::searcher::Searcher;
use flipside_core::search::types::Score;
use std::sync::Arc;

/// The rules of a game, and its evaluation and policy as heuristics. A pass costs a ply like any other move, and an evaluation
/// may replace the final score of a finished game ([`Eval::finished`]).
#[derive(Clone)]
pub struct TextbookGame<G: Game> {
    /// The rules.
    pub rules: G,
    /// The evaluation and the policy.
    pub searcher: Arc<dyn Searcher<G>>,
}

impl<G: Game> TextbookGame<G> {
    /// The game of a searcher.
    pub fn new(rules: G, searcher: Arc<dyn Searcher<G>>) -> TextbookGame<G> {
        TextbookGame { rules, searcher }
    }

    /// A position with everything that the game offers to a search.
    pub fn input<'a>(&'a self, root: &'a G::Position) -> SearchInput<'a, Self, Self> {
        let heuristics: SharedHeuristics<Self> = Arc::<dyn Searcher<G>>::clone(&self.searcher);
        SearchInput { scorer: self.scorer(), heuristics, ..SearchInput::new(self, self, root) }
    }

    /// The move ordering of the game's own policy, for the order `heuristic`.
    pub fn scorer(&self) -> MoveScorer<Self> {
        let searcher = Arc::clone(&self.searcher);
        Arc::new(move |position, mv| searcher.score_move(position, mv))
    }
}

impl<G: Game> Game for TextbookGame<G> {
    type Position = G::Position;
    type Move = G::Move;
    type MoveList<T: Clone> = Vec<T>;

    fn start(&self) -> G::Position {
        self.rules.start()
    }
    fn outcome(&self, position: &G::Position) -> Option<Score> {
        self.rules.outcome(position).map(|rules| self.searcher.finished(position, rules))
    }
    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.rules.moves(position)
    }
    fn play(&self, position: &G::Position, mv: G::Move) -> G::Position {
        self.rules.play(position, mv)
    }
    fn key(&self, position: &G::Position) -> u64 {
        self.rules.key(position)
    }
    fn code(&self, mv: G::Move) -> u16 {
        self.rules.code(mv)
    }
}

/// Evaluates positions afresh instead of incrementally: only leaves are evaluated, so one virtual call for each is
/// enough.
impl<G: Game> Eval<TextbookGame<G>> for TextbookGame<G> {
    type Accumulator = ();

    fn refresh(&self, _: &G::Position) {}
    fn update(&self, (): &(), _: &G::Position, _: G::Move, _: &G::Position) {}
    fn evaluate(&self, (): &(), position: &G::Position) -> Score {
        self.searcher.static_eval(position)
    }
}
