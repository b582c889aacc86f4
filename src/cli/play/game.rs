//! A game against the engine: the effect of each command, and the moves of the engine.

use super::clocks::Clocks;
use super::record;
use super::review;
use super::setup::{GameSetup, Seat};
use super::thinking::Value;
use super::view::{self, Marks, View};
use super::words::{HELP, HELP_COLUMN, Word};
use crate::cli::io::interrupt::Interrupt;
use crate::cli::io::progress;
use crate::cli::review::{Analyser, DEFAULT_HASH, Effort, MoveValue};
use anyhow::{anyhow, bail};
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::api::command::{GoLimits, PlayedMove, Player};
use flipside_host::api::event::{BestMove, Iteration};
use flipside_host::api::settings::Settings;
use flipside_host::engine::clock::{self, Clock};
use flipside_host::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside_host::engine::recorded_game;
use flipside_host::engine::registry;
use flipside_host::engine::watch::search_until;
use flipside_host::record::game_record::{Cause, GameRecord, GameResult};
use flipside_referee::openings::Openings;
use flipside_support::text::listed;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Moves that `analyse` shows.
const BEST: usize = 10;
/// What a person at a terminal sees while the engine thinks.
const THINKING: &str = "{spinner} thinking, {elapsed}";
/// A search that ends within this time shows nothing.
const QUIET: Duration = Duration::from_millis(300);

/// A game under way.
pub struct PlayedGame {
    engine: Box<dyn DynEngine>,
    settings: Settings,
    /// The set moves of each game, the number of games that began with some, and the moves that were set in this one.
    openings: Option<Openings>,
    begun: usize,
    set_moves: usize,
    /// The players, the first side's first.
    seats: [Seat; 2],
    limits: GoLimits,
    clocks: Option<Clocks>,
    view: View,
    interrupt: Interrupt,
    /// The value of the last search.
    value: Option<Value>,
    /// Analyses positions; created at the first one.
    analyser: Option<Analyser>,
    /// The engine waits for `go`: its search was interrupted, or moves were taken back while it plays both sides.
    paused: bool,
    /// The side that has exceeded its time.
    out_of_time: Option<Side>,
    /// Whether the end of the game has been reported.
    end_told: bool,
}

impl PlayedGame {
    /// A game at its start, or after its set moves.
    ///
    /// # Errors
    /// The game or evaluation is unknown.
    pub fn new(setup: GameSetup) -> anyhow::Result<PlayedGame> {
        let GameSetup { settings, openings, black, white, limits, time_control, view, interrupt } = setup;
        let engine = registry::open(&settings)?;
        let mut seats = [None; 2];
        seats[Player::Named("black").side(engine.sides())?.index()] = black;
        seats[Player::Named("white").side(engine.sides())?.index()] = white;
        let seats = match seats {
            [None, None] => [Seat::Human, Seat::Engine],
            [first, second] => {
                let other = |seat: Option<Seat>| seat.map_or(Seat::Human, Seat::opponent);
                [first.unwrap_or_else(|| other(second)), second.unwrap_or_else(|| other(first))]
            }
        };
        let mut game = PlayedGame {
            engine,
            settings,
            openings,
            begun: 0,
            set_moves: 0,
            seats,
            limits,
            clocks: time_control.map(Clocks::new),
            view,
            interrupt,
            value: None,
            analyser: None,
            paused: false,
            out_of_time: None,
            end_told: false,
        };
        game.set_moves()?;
        Ok(game)
    }

    /// Makes the set moves of a game at its start.
    fn set_moves(&mut self) -> anyhow::Result<()> {
        if let Some(openings) = &mut self.openings {
            openings.get(self.begun).set_up(&mut *self.engine)?;
            (self.begun, self.set_moves) = (self.begun + 1, self.engine.course().len());
        }
        Ok(())
    }

    /// The name of the side to move, for the prompt.
    pub fn to_move(&self) -> &'static str {
        self.engine.side().of(self.engine.sides())
    }

    /// Makes the next step that needs no person (a move of the engine, a forced pass, the end of the game) and
    /// describes it; `None` when it is a person's turn.
    ///
    /// # Errors
    /// A search failed inside.
    pub fn advance(&mut self) -> anyhow::Result<Option<String>> {
        if let Some(result) = self.result() {
            if std::mem::replace(&mut self.end_told, true) {
                return Ok(None);
            }
            let costliest =
                review::costliest(&*self.engine, self.set_moves, &self.settings, &self.interrupt)?.unwrap_or_default();
            let costliest = self.view.wrap_list(&costliest, 4);
            return Ok(Some(format!("{result}\n{}{costliest}", self.record_line())));
        }
        let side = self.engine.side();
        if let Some(pass) = self.engine.present().forced_pass() {
            self.play_code(pass)?;
            return Ok(Some(format!("{} has no move and passes\n", side.of(self.engine.sides()))));
        }
        if side.of(self.seats) == Seat::Human || self.paused { Ok(None) } else { self.engine_moves().map(Some) }
    }

    /// Executes a command and returns its output.
    ///
    /// # Errors
    /// The command cannot be executed; the game is unchanged.
    pub fn execute(&mut self, word: Word) -> anyhow::Result<String> {
        match word {
            Word::Nothing => Ok(String::new()),
            Word::Move(text) => self.person_moves(&text),
            Word::Undo => self.undo(),
            Word::Hint => self.hint(),
            Word::Analyse { all } => self.analyse(all),
            Word::Go if self.result().is_some() => bail!("the game is over: new starts another"),
            Word::Go => {
                self.paused = false;
                self.engine_moves()
            }
            Word::Swap => {
                self.seats.reverse();
                self.paused = false;
                Ok(self.seats_line())
            }
            Word::Level(plies) => {
                self.settings.level = plies;
                Ok(format!("the engine searches at most {plies} plies\n"))
            }
            Word::Strength(percent) => {
                (self.settings.limit_strength, self.settings.strength) = (false, percent);
                Ok(format!("the engine plays at {percent} %\n"))
            }
            Word::Elo(elo) => Ok(format!("the engine plays at {} Elo\n", self.settings.limit_to_elo(elo)?.elo)),
            Word::Board => Ok(self.board()),
            Word::Save(file) => {
                let _saving = self.interrupt.ends_at_once();
                record::save(&*self.engine, self.facts(), &file)
            }
            Word::Load(file) => self.load(&file),
            Word::New => {
                self.engine.new_game();
                self.set_moves()?;
                self.begin_again();
                Ok(format!("{}{}", self.seats_line(), self.board()))
            }
            Word::Help => Ok(self.view.wrap_list(HELP, HELP_COLUMN)),
            Word::Quit => Ok(String::new()),
        }
    }

    /// The players of both sides, on one line.
    pub fn seats_line(&self) -> String {
        let name = |side: Side| {
            let player = if side.of(self.seats) == Seat::Human { "you" } else { "the engine" };
            format!("{}: {player}", side.of(self.engine.sides()))
        };
        format!("{}, {}\n", name(Side::First), name(Side::Second))
    }

    /// The board with its marks, the points, the clocks and the evaluation.
    pub fn board(&self) -> String {
        let marks = self.marks();
        let sides = self.engine.sides();
        let mut text = match self.engine.grid() {
            Some(mut grid) => {
                // With colours, stones look like discs.
                if self.view.colours && sides == ["black", "white"] {
                    grid.rows.iter_mut().flatten().for_each(char::make_ascii_uppercase);
                }
                self.view.board(&grid, &marks)
            }
            None => self.engine.position(Style::Plain) + "\n",
        };
        let mut facts = vec![match self.result() {
            Some(_) => "the game is over".to_string(),
            None => format!("{} to move", self.to_move()),
        }];
        let pair = |[first, second]: [String; 2]| format!("{} {first}, {} {second}", sides[0], sides[1]);
        facts.extend(self.engine.points().map(|points| pair(points.map(|points| points.to_string()))));
        let material = self.engine.material().map(|pawns| pair(pawns.map(|pawns| pawns.to_string())));
        facts.extend(material.map(|pawns| format!("material: {pawns}")));
        facts.extend(self.clocks.as_ref().map(|clocks| pair(clocks.show())));
        text.push_str(&self.view.facts(&facts));
        if let Some(name) = self.engine.opening_name() {
            text.push_str(&(self.view.wrap(&format!("opening: {name}")) + "\n"));
        }
        if let Some(value) = self.value {
            text.push_str(&self.view.bar(value.share(self.scale()), value.chances(), sides));
        }
        text
    }

    /// The moves so far, wrapped to the view's width; empty before the first move.
    fn record_line(&self) -> String {
        match record::moves(&*self.engine) {
            moves if moves.is_empty() => String::new(),
            moves => self.view.wrap(&format!("record: {moves}")) + "\n",
        }
    }

    /// What the program prints when it stops: the record, unless it was printed with the result.
    pub fn farewell(&self) -> String {
        if self.end_told { String::new() } else { self.record_line() }
    }

    /// A lead, in discs or pawns, that nearly decides the game.
    fn scale(&self) -> f64 {
        if self.engine.points().is_some() { 12.0 } else { 4.0 }
    }

    fn marks(&self) -> Marks {
        let position = self.engine.present();
        let Some(present) = position.grid() else { return Marks::default() };
        let target = |mv: u16| view::target(&present, &position.after(mv)?.grid()?);
        let before = self.engine.course().pop().and_then(|(before, _)| before.grid());
        Marks {
            legal: position.moves().into_iter().filter_map(target).collect(),
            last: before.and_then(|before| view::target(&before, &present)),
        }
    }

    /// The result as text; `None` while the game goes on.
    fn result(&self) -> Option<String> {
        let sides = self.engine.sides();
        if let Some(late) = self.out_of_time {
            return Some(format!("{} is out of time: {} wins", late.of(sides), late.other().of(sides)));
        }
        let outcome = self.engine.outcome()?;
        Some(match (outcome.winner, outcome.margin) {
            (None, _) => "a draw".to_string(),
            (Some(winner), None) => format!("{} wins", winner.of(sides)),
            (Some(winner), Some(margin)) => format!("{} wins by {margin}", winner.of(sides)),
        })
    }

    /// The players and the result, for a record.
    fn facts(&self) -> GameRecord {
        let lost_on_time =
            |late: Side| GameResult { winner: Some(late.other()), difference: None, cause: Some(Cause::Time) };
        GameRecord {
            players: self.seats.map(|seat| Some(if seat == Seat::Human { "human" } else { "flipside" }.to_string())),
            result: self.out_of_time.map(lost_on_time),
            ..GameRecord::default()
        }
    }

    /// Plays a move in the form that a person writes.
    fn play(&mut self, mv: &str) -> anyhow::Result<()> {
        let side = self.engine.side();
        self.engine.set_position(Start::Here, &[PlayedMove::by(side, mv.to_string())], Style::Plain, false)?;
        self.end_turn(side);
        Ok(())
    }

    /// Plays a legal move.
    fn play_code(&mut self, mv: u16) -> anyhow::Result<()> {
        let side = self.engine.side();
        self.engine.play_code(mv).map_err(anyhow::Error::msg)?;
        self.end_turn(side);
        Ok(())
    }

    /// Stops the clock of the side that has moved.
    fn end_turn(&mut self, side: Side) {
        if let Some(clocks) = &mut self.clocks
            && !clocks.end_turn(side)
        {
            self.out_of_time = Some(side);
        }
    }

    /// Searches the current position; `None` if interrupted.
    fn search(&self, request: SearchRequest) -> anyhow::Result<Option<BestMove>> {
        let (activity, begun) = (progress::counter(THINKING), Instant::now());
        let ask = &mut |stop: &Stop| {
            if self.interrupt.is_raised() {
                stop.raise();
            }
            if begun.elapsed() > QUIET {
                activity.tick();
            }
        };
        let found = search_until(&*self.engine, request, ask);
        activity.finish_and_clear();
        let found = found.map_err(anyhow::Error::msg)?;
        Ok((!self.interrupt.is_raised()).then_some(found))
    }

    fn person_moves(&mut self, text: &str) -> anyhow::Result<String> {
        if let Some(result) = self.result() {
            bail!("the game is over ({result}): new starts another, help lists the commands");
        }
        let short = recorded_game::short_move(&*self.engine, text);
        if self.play(text).is_err() && short.is_none_or(|mv| self.play(&mv).is_err()) {
            let legal = listed(&self.engine.legal_moves(Style::Plain));
            bail!("'{text}' is neither a move nor a command; moves: {legal}; help lists the commands");
        }
        self.paused = false;
        Ok(self.board())
    }

    fn engine_moves(&mut self) -> anyhow::Result<String> {
        let clocks = self.clocks.as_ref().map_or_else(GoLimits::default, Clocks::limits);
        let request = SearchRequest::played(&self.settings, self.limits_on(&clocks));
        let side = self.engine.side();
        let Some(found) = self.search(request)? else {
            self.paused = true;
            return Ok("interrupted: go lets the engine move, swap changes sides\n".to_string());
        };
        let (Some(mv), Some(code)) = (found.mv, found.code) else { bail!("the engine found no move") };
        self.play_code(code)?;
        let name = side.of(self.engine.sides());
        let words = found.info.as_ref().map(|info| {
            let value = Value::new(side, info);
            self.value = Some(value);
            value.words(self.engine.sides())
        });
        let words = words.map_or(String::new(), |words| format!("; {words}"));
        let from_book = if found.book.is_some() { " from the book" } else { "" };
        let played = self.view.wrap(&format!("{name} plays {mv}{from_book}{words}"));
        Ok(format!("{played}\n{}", self.board()))
    }

    /// Searches at full strength for the person to move.
    fn think(&mut self) -> anyhow::Result<Option<Iteration<String>>> {
        if let Some(result) = self.result() {
            bail!("the game is over ({result})");
        }
        let request = SearchRequest { threads: self.settings.threads, ..SearchRequest::new(self.thinking_limits()) };
        let found = self.search(request)?.ok_or_else(|| anyhow!("interrupted"))?;
        self.value = found.info.as_ref().map(|line| Value::new(self.engine.side(), line));
        Ok(found.info)
    }

    /// A hint takes as long as a move of the engine without a clock.
    fn thinking_limits(&self) -> Limits {
        self.limits_on(&GoLimits::default())
    }

    fn limits_on(&self, clocks: &GoLimits) -> Limits {
        let (side, hint, overhead) = (self.engine.side(), self.engine.time_hint(), self.settings.move_overhead);
        clock::limits(clocks, &self.limits, &Clock::default(), side, hint, overhead)
    }

    fn hint(&mut self) -> anyhow::Result<String> {
        let line = self.think()?.ok_or_else(|| anyhow!("there was no time for a hint"))?;
        let (side, sides) = (self.engine.side(), self.engine.sides());
        let text = format!("hint: {}; {}", line.pv.join(" "), Value::new(side, &line).words(sides));
        Ok(self.view.wrap(&text) + "\n")
    }

    /// The scores of the best moves, or of all, and their verdicts, as in `flipside analyze`. They do not depend on
    /// earlier searches, and symmetric moves have equal scores.
    fn analyse(&mut self, all: bool) -> anyhow::Result<String> {
        if let Some(result) = self.result() {
            bail!("the game is over ({result})");
        }
        let position = self.engine.present();
        let name = |mv: u16| position.names(&[mv], Style::Plain).concat();
        if let [only] = position.moves()[..] {
            return Ok(format!("  {:5} is the only move\n", name(only)));
        }
        let analyser = match &mut self.analyser {
            Some(analyser) => analyser,
            None => {
                let settings = Settings { hash: DEFAULT_HASH, ..self.settings.clone() };
                let effort = Effort::new(self.limits.move_time, self.limits.depth, None);
                self.analyser.insert(Analyser::new(&settings, effort, 1, &self.interrupt)?)
            }
        };
        let activity = progress::counter(THINKING);
        activity.enable_steady_tick(QUIET);
        let found = analyser.analyse(&[Arc::clone(&position)], || {});
        activity.finish_and_clear();
        let analysis = found?.and_then(|mut found| found.pop()).ok_or_else(|| anyhow!("interrupted"))?;
        let (side, sides) = (self.engine.side(), self.engine.sides());
        let wdl = |of: &MoveValue| position.wdl(of.score, of.certainty);
        let value = |of: &MoveValue| Value {
            side,
            score: of.score,
            certainty: of.certainty,
            depth: analysis.depth,
            wdl: wdl(of),
        };
        self.value = Some(value(analysis.best()));
        let line = |of: &MoveValue| {
            let verdict = analysis.assess(of.mv).map_or("", |assessment| assessment.verdict.name());
            format!("  {:5} {}, {verdict}\n", name(of.mv), value(of).words(sides))
        };
        let shown = if all { usize::MAX } else { BEST };
        let mut lines: String = analysis.moves.iter().take(shown).map(line).collect();
        if let more @ 1.. = analysis.moves.len().saturating_sub(shown) {
            lines += &format!("  and {more} more: analyse all\n");
        }
        Ok(self.view.wrap_list(&lines, 8))
    }

    /// Takes back moves until a person has a choice, or any side if the engine plays both.
    fn undo(&mut self) -> anyhow::Result<String> {
        let (before, is_watched) = (self.engine.save(), !self.seats.contains(&Seat::Human));
        loop {
            if !self.engine.undo(1) {
                self.engine.resume(before);
                bail!("there is nothing to take back");
            }
            let is_turn = is_watched || self.engine.side().of(self.seats) == Seat::Human;
            // A forced pass would be played again at once.
            if is_turn && self.engine.present().forced_pass().is_none() {
                break;
            }
        }
        self.paused = is_watched;
        self.resume_at_another_position();
        Ok(self.board())
    }

    fn load(&mut self, file: &Path) -> anyhow::Result<String> {
        let loading = self.interrupt.ends_at_once();
        record::load(&mut *self.engine, file)?;
        self.set_moves = 0;
        drop(loading);
        self.begin_again();
        Ok(self.board())
    }

    fn begin_again(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.reset();
        }
        self.paused = false;
        self.resume_at_another_position();
    }

    fn resume_at_another_position(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.begin_turn();
        }
        (self.value, self.out_of_time, self.end_told) = (None, None, false);
    }
}
