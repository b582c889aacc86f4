//! The one implementation of [`DynEngine`]: any game with its notation, evaluation and policy.

use super::book_learning::{BookLearning, LearningStop};
use super::dyn_engine::{
    BookLookup, BookOpening, DynEngine, EventSink, SavedGame, SearchHandle, SearchRequest, SetupError, Start,
};
use super::dyn_position::{DynPosition, SharedPosition, TypedPosition};
use super::engine_book::EngineBook;
use super::game_history::GameHistory;
use super::opened_book::BookPosition;
use super::search_runner::SearchRunner;
use super::search_thread::SearchThread;
use super::textbook_position::{GamePosition, TextbookPosition};
use crate::api::command::PlayedMove;
use crate::api::event::{BestMove, Iteration, Outcome, PerftCounts, SearchEvent};
use crate::api::settings::{BookSource, Settings};
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::{Grid, Notation, PerftRule, Style};
use flipside_core::search::perft::plies_below;
use flipside_core::search::result::SearchParameters;
use flipside_core::search::searcher::{Searcher, TimeHint};
use flipside_core::search::types::{Depth, Score, Side, UNIT, WIN_IN_MAX_PLY};
use flipside_support::clock::Instant;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Time limit for touching the tables before a game.
const MAX_PREFAULT_TIME: Duration = Duration::from_secs(1);

/// A game and its search, with the moves played so far.
pub struct GameEngine<G: Notation> {
    game: G,
    /// Takes no memory before a search or [`DynEngine::prepare`] touches it, because hosts start copies of the engine
    /// that never search.
    searcher: Arc<dyn Searcher<G>>,
    /// Value of a drawn game for the first player.
    draw: Score,
    algorithm: Algorithm,
    book: EngineBook<G>,
    history: GameHistory<G>,
    runner: SearchRunner,
}

impl<G: Notation + Clone> GameEngine<G> {
    /// An engine at the start position, with the contempt and the algorithm of the settings.
    ///
    /// # Errors
    /// The system cannot start a thread for the searches.
    pub fn new(
        game: G,
        searcher: Arc<dyn Searcher<G>>,
        book: EngineBook<G>,
        settings: &Settings,
    ) -> Result<Self, OpenError> {
        let (history, runner) = (GameHistory::new(&game), SearchRunner::start()?);
        let mut engine = GameEngine { game, searcher, draw: 0, algorithm: settings.algorithm, book, history, runner };
        engine.set_contempt(settings.contempt);
        Ok(engine)
    }

    /// The present position.
    fn current(&self) -> G::Position {
        self.history.current(&self.game)
    }

    /// Everything that a search of the present position needs.
    fn search_thread(&self, request: SearchRequest, sink: EventSink) -> SearchThread<G> {
        SearchThread {
            game: self.game.clone(),
            searcher: Arc::clone(&self.searcher),
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

impl<G: Notation + Clone> DynEngine for GameEngine<G> {
    fn game(&self) -> &'static str {
        self.game.name()
    }

    fn variant(&self) -> Option<&'static str> {
        self.game.variant()
    }

    fn drawing(&self) -> Option<String> {
        self.game.drawing()
    }

    fn variant_facts(&self) -> Option<String> {
        self.game.variant_facts()
    }

    fn sides(&self) -> [&'static str; 2] {
        self.game.sides()
    }

    fn prepare(&self) {
        self.searcher.prefault(Instant::now() + MAX_PREFAULT_TIME);
    }

    fn new_game(&mut self) {
        self.history = GameHistory::new(&self.game);
        self.clear_hash();
        self.prepare();
    }

    fn clear_hash(&mut self) {
        self.searcher.clear();
    }

    fn set_contempt(&mut self, value: Score) {
        self.draw = value.clamp(-UNIT, UNIT);
        // The scores in the tables were computed with another value of a draw.
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
        self.history.set_position(&self.game, start, moves, style, keep_prefix)
    }

    fn suggest(&self, start: &str, moves: &[PlayedMove], style: Style) -> Result<(), SetupError> {
        let mut line = GameHistory::new(&self.game);
        line.set_position(&self.game, Start::Text(start), moves, style, false)?;
        line.steps().for_each(|(position, _, mv)| self.searcher.suggest(position, mv));
        Ok(())
    }

    fn play_code(&mut self, code: u16) -> Result<(), String> {
        self.history.play_code(&self.game, code)
    }

    fn force_pass(&mut self, side: Side) -> Result<(), String> {
        self.history.force_pass(&self.game, side)
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
        if self.game.outcome(&position).is_some() {
            return Vec::new();
        }
        self.game.moves(&position).map(|mv| self.game.show_move(&position, mv, style)).collect()
    }

    fn forbidden_moves(&self) -> Vec<String> {
        self.game.forbidden_moves(&self.current())
    }

    fn is_legal(&self, text: &str, style: Style) -> bool {
        let position = self.current();
        self.game.outcome(&position).is_none() && self.game.read_move(&position, text, style).is_some()
    }

    fn is_pass(&self, text: &str) -> bool {
        self.game.is_pass_word(text)
    }

    fn outcome(&self) -> Option<Outcome> {
        let score = self.game.outcome(&self.current())?;
        let winner = match score {
            0 => None,
            s if s > 0 => Some(self.side()),
            _ => Some(self.side().other()),
        };
        let counted = score.abs() < WIN_IN_MAX_PLY;
        Some(Outcome { winner, margin: counted.then_some(score.unsigned_abs() / UNIT.unsigned_abs()) })
    }

    fn closing_pass(&self, style: Style) -> Option<String> {
        self.history.closing_pass(&self.game, style).map(|mv| self.game.show_move(&self.current(), mv, style))
    }

    fn points(&self) -> Option<[u32; 2]> {
        self.game.points(&self.current(), self.side())
    }

    fn material(&self) -> Option<[u32; 2]> {
        self.game.material(&self.current())
    }

    fn grid(&self) -> Option<Grid> {
        self.game.grid(&self.current(), self.side())
    }

    fn opening_name(&self) -> Option<&'static str> {
        self.history.opening_name(&self.game)
    }

    fn picture(&self, style: Style) -> String {
        let mut picture = match self.grid() {
            Some(grid) if style == Style::Uci && self.game.uci_counts_from_below() => {
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
        self.game.show_position(&self.current(), self.side(), style)
    }

    fn start_position(&self, style: Style) -> String {
        self.history.show_start(&self.game, style)
    }

    fn has_usual_start(&self) -> bool {
        self.history.has_usual_start(&self.game)
    }

    fn history(&self, style: Style) -> Vec<(Side, String)> {
        self.history.show_moves(&self.game, style)
    }

    fn save(&self) -> SavedGame {
        let history = self.history.with_passes_written();
        SavedGame { game: self.game.name(), plies: history.steps().count(), history: Box::new(history) }
    }

    fn resume(&mut self, saved: SavedGame) -> bool {
        let SavedGame { game, history, .. } = saved;
        let history = history.downcast().ok().filter(|_| game == self.game.name());
        history.map(|history| self.history = *history).is_some()
    }

    fn present(&self) -> SharedPosition {
        TypedPosition::shared(self.game.clone(), self.current(), self.side())
    }

    fn course(&self) -> Vec<(SharedPosition, u16)> {
        let steps = self.history.steps().map(|(position, side, mv)| {
            (TypedPosition::shared(self.game.clone(), position.clone(), side), self.game.code(mv))
        });
        steps.collect()
    }

    fn score_moves(
        &self,
        position: &dyn DynPosition,
        moves: &[u16],
        limits: Limits,
        stop: Arc<Stop>,
    ) -> Result<Vec<Iteration<u16>>, String> {
        let root: G::Position = position
            .value()
            .downcast_ref()
            .filter(|_| position.game() == self.game.name())
            .cloned()
            .ok_or("a position of another game")?;
        let (game, searcher, until) = (self.game.clone(), Arc::clone(&self.searcher), Arc::clone(&stop));
        let only: Vec<G::Move> = game.moves(&root).filter(|&mv| moves.contains(&game.code(mv))).collect();
        let draw = position.side().of([self.draw, -self.draw]);
        let parameters = SearchParameters { multipv: only.len(), only, draw, ..SearchParameters::new(limits) };
        let (sender, found) = channel();
        let search = move || {
            let (mut iteration, mut whole) = (Vec::new(), Vec::new());
            searcher.search(&root, &parameters, &until, &mut |line| {
                iteration.truncate(line.rank - 1);
                iteration.push(line.map(|pv| pv.iter().map(|&mv| game.code(mv)).collect()));
                if line.rank == line.multipv {
                    whole.clone_from(&iteration);
                }
            });
            // The receiver is below.
            let _ = sender.send(whole);
        };
        self.runner.run(stop, search).join()?;
        found.recv().map_err(|_| "the search ended without a result".to_string())
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
        let position = self.history.before(&self.game, moves_back);
        let (book, game) = (self.book.current()?, self.game.clone());
        let look_up = move || BookPosition { game: &game, book: &*book, position: &position, style }.lines();
        Some(Box::new(look_up))
    }

    fn book_learning(&self) -> Option<BookLearning> {
        let stop = Arc::new(LearningStop::default());
        let (book, searcher) = (self.book.current()?, Arc::clone(&self.searcher));
        let moves = self.history.has_usual_start(&self.game).then(|| self.history.moves());
        // The tables hold scores under contempt, which a book must not contain.
        let (stopped, has_contempt) = (Arc::clone(&stop), self.draw != 0);
        let learn = move || {
            let moves = moves.ok_or("the game does not begin at the usual start")?;
            let search = |position: &G::Position, only: &[G::Move], depth: Depth| {
                let limits = Limits { depth: Some(depth.unsigned_abs()), ..Limits::default() };
                let parameters = SearchParameters { only: only.to_vec(), ..SearchParameters::new(limits) };
                searcher.search(position, &parameters, &stopped.next_search(), &mut |_| ()).best
            };
            let clear = || {
                if has_contempt {
                    searcher.clear()
                }
            };
            clear();
            let learned = book.learn(&moves, &search);
            clear();
            learned
        };
        Some(BookLearning { stop, learn: Box::new(learn) })
    }

    fn time_hint(&self) -> TimeHint {
        self.searcher.time_hint(&self.current())
    }

    fn static_eval(&self) -> Score {
        let position = self.current();
        self.game.outcome(&position).unwrap_or_else(|| self.searcher.static_eval(&position))
    }

    fn textbook(&self) -> Box<dyn TextbookPosition> {
        Box::new(GamePosition::new(self.game.clone(), Arc::clone(&self.searcher), self.current()))
    }

    fn divide(&self, depth: u32, style: Style, sink: EventSink) -> SearchHandle {
        let stop = Arc::new(Stop::new(&Limits::default()));
        let (game, searcher) = (self.game.clone(), Arc::clone(&self.searcher));
        let (root, end) = (self.current(), Arc::clone(&stop));
        self.runner.run(stop, move || {
            let rule = game.perft_rule();
            let is_leaf = depth == 0 || game.outcome(&root).is_some();
            let moves = if is_leaf { None } else { Some(game.moves(&root)) };
            let below = |mv| {
                let left = plies_below(&game, rule, mv, depth);
                let leaves = searcher.perft(&game.play(&root, mv), left, rule, Some(&end));
                (game.show_move(&root, mv, style), leaves)
            };
            let divided: Vec<(String, u64)> = moves.into_iter().flatten().map(below).collect();
            let sum = divided.iter().map(|(_, leaves)| leaves).sum();
            let total = if divided.is_empty() { searcher.perft(&root, depth, rule, Some(&end)) } else { sum };
            sink(SearchEvent::Perft(PerftCounts { divided, total }));
        })
    }

    fn perft(&self, depth: u32, rule: Option<PerftRule>) -> u64 {
        let rule = rule.unwrap_or_else(|| self.game.perft_rule());
        self.searcher.perft(&self.current(), depth, rule, None)
    }
}
