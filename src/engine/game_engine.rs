//! The one implementation of [`DynEngine`]: any game with its notation, evaluation and policy.

use super::book_learning::{BookLearning, LearningStop};
use super::dyn_engine::{
    BookLookup, BookOpening, DynEngine, EventSink, OpenError, SearchHandle, SearchRequest, SetupError, Start, TimeHint,
};
use super::engine_book::EngineBook;
use super::game_history::GameHistory;
use super::opened_book::BookPosition;
use super::perft::Perft;
use super::search_runner::SearchRunner;
use super::search_thread::SearchThread;
use crate::api::command::PlayedMove;
use crate::api::event::{BestMove, Outcome, PerftCounts, SearchEvent};
use crate::api::settings::BookSource;
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::{Grid, Notation, PerftRule, Style};
use crate::search::policy::SearchPolicy;
use crate::search::result::SearchParameters;
use crate::search::technique::{ClockHints, EndgameSolver};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Depth, Score, Side, UNIT, WIN_IN_MAX_PLY};
use crate::search::worker::SearchContext;
use crate::support::clock::Instant;
use std::sync::Arc;
use std::time::Duration;

/// The most time spent on prefaulting tables before a game.
const MAX_PREFAULT_TIME: Duration = Duration::from_secs(1);

/// Moves that a side is expected to make still, where the game gives the clock no hints.
const DEFAULT_MOVES_LEFT: u32 = 30;

/// What an engine is made of.
pub struct EngineParts<G: Game, E, T> {
    /// The game, its evaluation, its policy.
    pub context: SearchContext<G, E, T>,
    /// MiB of the transposition table.
    pub hash: usize,
    /// The opening book, if the game has one and the settings name it.
    pub book: EngineBook<G>,
}

/// A game, its evaluation and its policy, with the moves played so far.
pub struct GameEngine<G: Game, E, T> {
    context: Arc<SearchContext<G, E, T>>,
    /// Takes no memory before a search or [`DynEngine::prepare`] touches it: hosts start copies of the engine that never
    /// search.
    table: Arc<TranspositionTable>,
    /// Value of a drawn game for the first player.
    draw: Score,
    algorithm: Algorithm,
    book: EngineBook<G>,
    history: GameHistory<G>,
    runner: SearchRunner,
}

impl<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>> GameEngine<G, E, T> {
    /// An engine at the start position.
    ///
    /// # Errors
    /// There is not so much memory, or no thread for the searches.
    pub fn new(parts: EngineParts<G, E, T>) -> Result<Self, OpenError> {
        let EngineParts { context, hash, book } = parts;
        GameEngine::sharing(Arc::new(context), hash, book)
    }

    /// An engine at the start position with a table of `hash` MiB, which shares its evaluation and policy with others.
    ///
    /// # Errors
    /// As [`GameEngine::new`].
    pub fn sharing(context: Arc<SearchContext<G, E, T>>, hash: usize, book: EngineBook<G>) -> Result<Self, OpenError> {
        let history = GameHistory::new(&context.game);
        let table = Arc::new(TranspositionTable::new(hash)?);
        let runner = SearchRunner::start()?;
        Ok(GameEngine { context, table, draw: 0, algorithm: Algorithm::Pvs, book, history, runner })
    }

    fn game(&self) -> &G {
        &self.context.game
    }

    /// The present position.
    fn current(&self) -> G::Position {
        self.history.current(self.game())
    }

    /// Everything that a search of the present position needs.
    fn search_thread(&self, request: SearchRequest, sink: EventSink) -> SearchThread<G, E, T> {
        SearchThread {
            context: Arc::clone(&self.context),
            table: Arc::clone(&self.table),
            book: self.book.current(),
            root: self.current(),
            draw: self.side().of([self.draw, -self.draw]),
            algorithm: self.algorithm,
            stop: Arc::new(Stop::new(&request.limits).guarded(request.guard)),
            request,
            sink,
        }
    }
}

fn clear_tables<G: Game, E: Eval<G>, T: SearchPolicy<G, E>>(
    context: &SearchContext<G, E, T>,
    table: &TranspositionTable,
) {
    table.clear();
    if let Some(solver) = context.policy.solver() {
        solver.clear();
    }
}

impl<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>> DynEngine for GameEngine<G, E, T> {
    fn game(&self) -> &'static str {
        self.context.game.name()
    }

    fn variant(&self) -> Option<&'static str> {
        self.context.game.variant()
    }

    fn drawing(&self) -> Option<String> {
        self.context.game.drawing()
    }

    fn variant_facts(&self) -> Option<String> {
        self.context.game.variant_facts()
    }

    fn sides(&self) -> [&'static str; 2] {
        self.context.game.sides()
    }

    fn prepare(&self) {
        let until = Instant::now() + MAX_PREFAULT_TIME;
        self.table.prefault(until);
        if let Some(solver) = self.context.policy.solver() {
            solver.prepare(until);
        }
    }

    fn new_game(&mut self) {
        self.history = GameHistory::new(self.game());
        self.clear_hash();
        self.prepare();
    }

    fn clear_hash(&mut self) {
        clear_tables(&self.context, &self.table);
    }

    fn set_contempt(&mut self, value: Score) {
        self.draw = value.clamp(-UNIT, UNIT);
        // The scores in the tables hold for another value of a draw.
        self.clear_hash();
    }

    fn set_algorithm(&mut self, algorithm: Algorithm) {
        self.algorithm = algorithm;
    }

    fn set_position(
        &mut self,
        start: Start<'_>,
        moves: &[PlayedMove],
        style: Style,
        keep_prefix: bool,
    ) -> Result<(), SetupError> {
        self.history.set_position(&self.context.game, start, moves, style, keep_prefix)
    }

    fn play_code(&mut self, code: u16) -> Result<(), String> {
        self.history.play_code(&self.context.game, code)
    }

    fn force_pass(&mut self, side: Side) -> Result<(), String> {
        self.history.force_pass(&self.context.game, side)
    }

    fn undo_forced_pass(&mut self) {
        self.history.undo_forced_pass();
    }

    fn undo(&mut self, count: u32) -> bool {
        self.history.undo(count)
    }

    fn side(&self) -> Side {
        self.history.side()
    }

    fn legal_moves(&self, style: Style) -> Vec<String> {
        let position = self.current();
        if self.game().outcome(&position).is_some() {
            return Vec::new();
        }
        self.game().moves(&position).map(|mv| self.game().show_move(&position, mv, style)).collect()
    }

    fn is_pass(&self, text: &str) -> bool {
        self.game().is_pass_word(text)
    }

    fn outcome(&self) -> Option<Outcome> {
        let score = self.game().outcome(&self.current())?;
        let winner = match score {
            0 => None,
            s if s > 0 => Some(self.side()),
            _ => Some(self.side().other()),
        };
        let counted = score.abs() < WIN_IN_MAX_PLY;
        Some(Outcome { winner, margin: counted.then_some(score.unsigned_abs() / UNIT.unsigned_abs()) })
    }

    fn closing_pass(&self, style: Style) -> Option<String> {
        self.history.closing_pass(self.game(), style).map(|mv| self.game().show_move(&self.current(), mv, style))
    }

    fn points(&self) -> Option<[u32; 2]> {
        self.game().points(&self.current(), self.side())
    }

    fn material(&self) -> Option<[u32; 2]> {
        self.game().material(&self.current())
    }

    fn grid(&self) -> Option<Grid> {
        self.game().grid(&self.current(), self.side())
    }

    fn opening_name(&self) -> Option<&'static str> {
        self.history.opening_name(self.game())
    }

    fn picture(&self, style: Style) -> String {
        let mut picture = match self.grid() {
            Some(grid) if style == Style::Uci && self.game().uci_counts_from_below() => {
                Grid { first_row_on_top: false, ..grid }.draw()
            }
            Some(grid) => grid.draw(),
            None => self.position(Style::Plain) + "\n",
        };
        let status = match self.outcome() {
            Some(_) => "the game is over".to_string(),
            None => format!("{} to move", self.side().of(self.sides())),
        };
        picture.push_str(&status);
        if let Some(points) = self.points() {
            let [first, second] = self.sides();
            let [of_first, of_second] = points;
            picture.push_str(&format!(", {first} {of_first}, {second} {of_second}"));
        }
        if let Some(name) = self.opening_name() {
            picture.push_str(&format!("\nopening: {name}"));
        }
        picture
    }

    fn position(&self, style: Style) -> String {
        self.game().show_position(&self.current(), self.side(), style)
    }

    fn start_position(&self, style: Style) -> String {
        self.history.show_start(self.game(), style)
    }

    fn has_usual_start(&self) -> bool {
        self.history.has_usual_start(self.game())
    }

    fn history(&self, style: Style) -> Vec<(Side, String)> {
        self.history.show_moves(self.game(), style)
    }

    fn search(&self, request: SearchRequest, sink: EventSink) -> SearchHandle {
        let search = self.search_thread(request, sink);
        self.runner.run(Arc::clone(&search.stop), move || search.run())
    }

    fn search_blocking(&self, request: SearchRequest) -> BestMove {
        self.search_thread(request, Arc::new(|_| {})).best_move()
    }

    fn book_opening(&self, source: &BookSource) -> BookOpening {
        self.book.opening(source.clone())
    }

    fn book_lookup(&self, moves_back: usize, style: Style) -> Option<BookLookup> {
        let position = self.history.before(self.game(), moves_back);
        let (book, context) = (self.book.current()?, Arc::clone(&self.context));
        let look_up = move || BookPosition { game: &context.game, book: &*book, position: &position, style }.lines();
        Some(Box::new(look_up))
    }

    fn book_learning(&self) -> Option<BookLearning> {
        let stop = Arc::new(LearningStop::default());
        let (book, context, table) = (self.book.current()?, Arc::clone(&self.context), Arc::clone(&self.table));
        let moves = self.history.has_usual_start(self.game()).then(|| self.history.moves());
        // The tables hold scores under contempt, of which a book knows nothing.
        let (stopped, has_contempt) = (Arc::clone(&stop), self.draw != 0);
        let clear = move |context: &SearchContext<G, E, T>, table: &TranspositionTable| {
            if has_contempt {
                clear_tables(context, table);
            }
        };
        let learn = move || {
            let moves = moves.ok_or("the game does not begin at the usual start")?;
            let search = |position: &G::Position, only: &[G::Move], depth: Depth| {
                let limits = Limits { depth: Some(depth.unsigned_abs()), ..Limits::default() };
                let parameters = SearchParameters { only: only.to_vec(), ..SearchParameters::new(limits) };
                iterative_deepening::search(
                    &context,
                    &table,
                    position,
                    &parameters,
                    &stopped.next_search(),
                    &mut |_| (),
                )
                .best
            };
            clear(&context, &table);
            let learned = book.learn(&moves, &search);
            clear(&context, &table);
            learned
        };
        Some(BookLearning { stop, learn: Box::new(learn) })
    }

    fn time_hint(&self) -> TimeHint {
        let position = self.current();
        let hints = self.context.policy.clock_hints();
        let moves_left = hints.map_or(DEFAULT_MOVES_LEFT, |hints| hints.moves_left(&position));
        TimeHint {
            moves_left: moves_left.max(1),
            moves_to_end: hints.map_or(moves_left, |hints| hints.moves_to_end(&position)).max(1),
            weight: hints.map_or(100, |hints| hints.time_weight(&position)),
            forced: self.game().moves(&position).nth(1).is_none(),
        }
    }

    fn divide(&self, depth: u32, style: Style, sink: EventSink) -> SearchHandle {
        let stop = Arc::new(Stop::new(&Limits::default()));
        let (context, root, end) = (Arc::clone(&self.context), self.current(), Arc::clone(&stop));
        self.runner.run(stop, move || {
            let game = &context.game;
            let counter = Perft::new(context.policy.level(), game, game.perft_rule(), Some(&end));
            let moves = if depth == 0 || game.outcome(&root).is_some() { None } else { Some(game.moves(&root)) };
            let below = |mv| (game.show_move(&root, mv, style), counter.below(&root, mv, depth));
            let divided: Vec<(String, u64)> = moves.into_iter().flatten().map(below).collect();
            let sum = divided.iter().map(|(_, leaves)| leaves).sum();
            let total = if divided.is_empty() { counter.count(&root, depth) } else { sum };
            sink(SearchEvent::Perft(PerftCounts { divided, total }));
        })
    }

    fn perft(&self, depth: u32, rule: Option<PerftRule>) -> u64 {
        let rule = rule.unwrap_or_else(|| self.game().perft_rule());
        Perft::new(self.context.policy.level(), self.game(), rule, None).count(&self.current(), depth)
    }

    fn split_moves(&self, text: &str) -> Vec<String> {
        self.game().split_moves(text)
    }
}
