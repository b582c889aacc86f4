//! A game between people and the engine: what each word does, and what the engine does by itself.

use super::clocks::{Clocks, TimeControl};
use super::record;
use super::review;
use super::thinking::Value;
use super::view::{self, Marks, View};
use super::words::{HELP, HELP_COLUMN, Word};
use crate::cli::io::interrupt::Interrupt;
use crate::cli::review::{Analyser, DEFAULT_HASH, Effort, Found, MoveValue, search};
use anyhow::{anyhow, bail};
use flipside_core::search::limits::Limits;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::api::command::{GoLimits, PlayedMove, Player};
use flipside_host::api::settings::Settings;
use flipside_host::engine::book_choice::BookChoice;
use flipside_host::engine::clock::{self, Clock};
use flipside_host::engine::dyn_engine::{BookUse, DynEngine, SearchRequest, Start};
use flipside_host::engine::recorded_game;
use flipside_host::engine::registry;
use flipside_host::engine::skill::{Skill, limited};
use std::path::Path;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Seat {
    /// A person.
    Human,
    /// The engine.
    Engine,
}

impl Seat {
    fn opponent(self) -> Seat {
        match self {
            Seat::Human => Seat::Engine,
            Seat::Engine => Seat::Human,
        }
    }
}

/// What a game begins with.
pub struct GameSetup {
    /// The game, its evaluation, the engine's skill.
    pub settings: Settings,
    /// Who plays black, or the side that begins where sides have other names. If only one side is given, the other has
    /// the other kind of player; if none is, a person begins.
    pub black: Option<Seat>,
    /// Who plays white, or the side that follows.
    pub white: Option<Seat>,
    /// Limits of the engine's moves without a clock.
    pub limits: GoLimits,
    /// Time of both sides.
    pub time_control: Option<TimeControl>,
    /// How it is drawn.
    pub view: View,
    /// Ends a search.
    pub interrupt: Interrupt,
}

/// A game under way.
pub struct PlayedGame {
    engine: Box<dyn DynEngine>,
    settings: Settings,
    /// By side, the first mover's first.
    seats: [Seat; 2],
    limits: GoLimits,
    clocks: Option<Clocks>,
    view: View,
    interrupt: Interrupt,
    /// The latest value that a search found.
    value: Option<Value>,
    /// Analyses positions; made for the first one.
    analyser: Option<Analyser>,
    /// The engine waits for `go`: its search was interrupted, or moves were taken back while it plays both sides.
    paused: bool,
    /// Whose time is over.
    out_of_time: Option<Side>,
    /// The end of the game has been told.
    end_told: bool,
}

impl PlayedGame {
    /// A game at its start.
    ///
    /// # Errors
    /// There is no such game or evaluation.
    pub fn new(setup: GameSetup) -> anyhow::Result<PlayedGame> {
        let GameSetup { settings, black, white, limits, time_control, view, interrupt } = setup;
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
        Ok(PlayedGame {
            engine,
            settings,
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
        })
    }

    /// The name of the side to move, for the prompt.
    pub fn to_move(&self) -> &'static str {
        self.engine.side().of(self.engine.sides())
    }

    /// What happens without the person whose turn it is: a move of the engine, a forced pass, the end of the game. The
    /// text tells it; `None` when it is the person's turn.
    ///
    /// # Errors
    /// A search failed inside.
    pub fn advance(&mut self) -> anyhow::Result<Option<String>> {
        if let Some(result) = self.result() {
            if std::mem::replace(&mut self.end_told, true) {
                return Ok(None);
            }
            let costliest = review::costliest(&*self.engine, &self.settings, &self.interrupt)?.unwrap_or_default();
            let costliest = self.view.wrap_list(&costliest, 4);
            return Ok(Some(format!("{result}\n{}{costliest}", self.record_line())));
        }
        let (side, legal) = (self.engine.side(), self.engine.legal_moves(Style::Plain));
        if let [only] = legal.as_slice()
            && self.engine.is_pass(only)
        {
            self.play(only)?;
            return Ok(Some(format!("{} has no move and passes\n", side.of(self.engine.sides()))));
        }
        if side.of(self.seats) == Seat::Human || self.paused { Ok(None) } else { self.engine_moves().map(Some) }
    }

    /// Does what a word asks for and tells it.
    ///
    /// # Errors
    /// Why it cannot be done; the game is as before.
    pub fn execute(&mut self, word: Word) -> anyhow::Result<String> {
        match word {
            Word::Nothing => Ok(String::new()),
            Word::Move(text) => self.person_moves(&text),
            Word::Undo => self.undo(),
            Word::Hint => self.hint(),
            Word::Analyse => self.analyse(),
            Word::Go if self.result().is_some() => bail!("the game is over: new begins another"),
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
                self.settings.strength = percent;
                Ok(format!("the engine plays at {percent} %\n"))
            }
            Word::Board => Ok(self.board()),
            Word::Save(file) => {
                let _saving = self.interrupt.ends_at_once();
                record::save(&*self.engine, &file)
            }
            Word::Load(file) => self.load(&file),
            Word::New => {
                self.engine.new_game();
                self.begin_again();
                Ok(format!("{}{}", self.seats_line(), self.board()))
            }
            Word::Help => Ok(self.view.wrap_list(HELP, HELP_COLUMN)),
            Word::Quit => Ok(String::new()),
        }
    }

    /// Who plays which side, on a line.
    pub fn seats_line(&self) -> String {
        let name = |side: Side| {
            let player = if side.of(self.seats) == Seat::Human { "you" } else { "the engine" };
            format!("{}: {player}", side.of(self.engine.sides()))
        };
        format!("{}, {}\n", name(Side::First), name(Side::Second))
    }

    /// The board with its marks, the points, the clocks and the evaluation.
    pub fn board(&mut self) -> String {
        let marks = self.marks();
        let sides = self.engine.sides();
        let mut text = match self.engine.grid() {
            Some(mut grid) => {
                // Stones look like discs where there are colours.
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
            text.push_str(&self.view.bar(value.share(self.scale()), sides));
        }
        text
    }

    /// The moves so far on lines as wide as the view; nothing before the first move.
    pub fn record_line(&self) -> String {
        match record::moves(&*self.engine) {
            moves if moves.is_empty() => String::new(),
            moves => self.view.wrap(&format!("record: {moves}")) + "\n",
        }
    }

    /// Whether the end of the game has been told, record and all.
    pub fn end_is_told(&self) -> bool {
        self.end_told
    }

    /// A lead, in discs or pawns, that nearly decides the game.
    fn scale(&self) -> f64 {
        if self.engine.points().is_some() { 12.0 } else { 4.0 }
    }

    fn marks(&mut self) -> Marks {
        let Some(present) = self.engine.grid() else { return Marks::default() };
        let mut legal = Vec::new();
        for mv in self.engine.legal_moves(Style::Plain) {
            if self.engine.set_position(Start::Here, &[PlayedMove::new(&mv)], Style::Plain, false).is_ok() {
                legal.extend(self.engine.grid().and_then(|after| view::target(&present, &after)));
                self.engine.undo(1);
            }
        }
        let mut last = None;
        if let Some((side, mv)) = self.engine.history(Style::Plain).pop()
            && self.engine.undo(1)
        {
            last = self.engine.grid().and_then(|before| view::target(&before, &present));
            // It was legal a moment ago.
            let _ = self.engine.set_position(Start::Here, &[PlayedMove::by(side, mv)], Style::Plain, false);
        }
        Marks { legal, last }
    }

    /// The result in words; `None` while the game goes on.
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

    /// Plays a legal move of the side to move, whose turn it ends.
    fn play(&mut self, mv: &str) -> anyhow::Result<()> {
        let side = self.engine.side();
        self.engine.set_position(Start::Here, &[PlayedMove::by(side, mv.to_string())], Style::Plain, false)?;
        if let Some(clocks) = &mut self.clocks
            && !clocks.end_turn(side)
        {
            self.out_of_time = Some(side);
        }
        Ok(())
    }

    fn person_moves(&mut self, text: &str) -> anyhow::Result<String> {
        if let Some(result) = self.result() {
            bail!("the game is over ({result}): new begins another, help lists the words");
        }
        let short = recorded_game::short_move(&*self.engine, text);
        if self.play(text).is_err() && short.is_none_or(|mv| self.play(&mv).is_err()) {
            let legal = self.engine.legal_moves(Style::Plain).join(" ");
            bail!("'{text}' is neither a move nor a word; moves: {legal}; help lists the words");
        }
        self.paused = false;
        Ok(self.board())
    }

    fn request(&self) -> SearchRequest {
        let side = self.engine.side();
        let host = self.clocks.as_ref().map_or_else(GoLimits::default, Clocks::limits);
        let (hint, overhead) = (self.engine.time_hint(), self.settings.move_overhead);
        let limits = clock::limits(&host, &self.limits, &Clock::default(), side, hint, overhead);
        SearchRequest { threads: self.settings.threads, ..SearchRequest::new(limits) }
    }

    fn engine_moves(&mut self) -> anyhow::Result<String> {
        let Settings { level, strength, variety, seed, .. } = self.settings;
        let mut request = self.request();
        request.limits = limited(request.limits, level, strength);
        request.skill = Skill::new(strength, variety, seed);
        request.book = BookUse::Play(BookChoice::new(&self.settings));
        let side = self.engine.side();
        let Some(found) = search(&*self.engine, request, &self.interrupt)? else {
            self.paused = true;
            return Ok("interrupted: go lets the engine move, swap changes sides\n".to_string());
        };
        let mv = found.best_move.mv.ok_or_else(|| anyhow!("the engine finds no move"))?;
        self.play(&mv)?;
        let name = side.of(self.engine.sides());
        let words = found.best_move.info.as_ref().map(|info| {
            let value = Value::new(side, info);
            self.value = Some(value);
            value.words(self.engine.sides())
        });
        let words = words.map_or(String::new(), |words| format!("; {words}"));
        let from_book = if found.best_move.book.is_some() { " from the book" } else { "" };
        let played = self.view.wrap(&format!("{name} plays {mv}{from_book}{words}"));
        Ok(format!("{played}\n{}", self.board()))
    }

    /// Searches at full strength for the person whose turn it is.
    fn think(&mut self) -> anyhow::Result<Found> {
        if let Some(result) = self.result() {
            bail!("the game is over ({result})");
        }
        let request = SearchRequest { limits: self.thinking_limits(), ..self.request() };
        let found = search(&*self.engine, request, &self.interrupt)?;
        let found = found.ok_or_else(|| anyhow!("interrupted"))?;
        self.value = found.lines.first().map(|line| Value::new(self.engine.side(), line));
        Ok(found)
    }

    /// A hint takes as long as a move of the engine without a clock.
    fn thinking_limits(&self) -> Limits {
        let (hint, overhead) = (self.engine.time_hint(), self.settings.move_overhead);
        let side = self.engine.side();
        clock::limits(&GoLimits::default(), &self.limits, &Clock::default(), side, hint, overhead)
    }

    fn hint(&mut self) -> anyhow::Result<String> {
        let found = self.think()?;
        let line = found.lines.first().ok_or_else(|| anyhow!("there was no time for a hint"))?;
        let (side, sides) = (self.engine.side(), self.engine.sides());
        let text = format!("hint: {}; {}", line.pv.join(" "), Value::new(side, line).words(sides));
        Ok(self.view.wrap(&text) + "\n")
    }

    /// The scores of all moves and their verdicts, as `flipside analyze` finds them: whatever was searched before, the same
    /// position has the same scores, and so have symmetric moves.
    fn analyse(&mut self) -> anyhow::Result<String> {
        if let Some(result) = self.result() {
            bail!("the game is over ({result})");
        }
        if let [only] = &self.engine.legal_moves(Style::Plain)[..] {
            return Ok(format!("  {only:5} is the only move\n"));
        }
        let analyser = match &mut self.analyser {
            Some(analyser) => analyser,
            None => {
                let settings = Settings { hash: DEFAULT_HASH, ..self.settings.clone() };
                let effort = Effort::new(self.limits.move_time, self.limits.depth, None);
                self.analyser.insert(Analyser::new(&settings, effort, 1, &self.interrupt)?)
            }
        };
        let found = analyser.analyse(&[self.engine.position(Style::Plain)], || {})?;
        let analysis = found.and_then(|mut found| found.pop()).ok_or_else(|| anyhow!("interrupted"))?;
        let (side, sides) = (self.engine.side(), self.engine.sides());
        let value = |of: &MoveValue| Value { side, score: of.score, certainty: of.certainty, depth: analysis.depth };
        self.value = Some(value(analysis.best()));
        let line = |of: &MoveValue| {
            let verdict = analysis.assess(&of.mv).map_or("", |assessment| assessment.verdict.name());
            format!("  {:5} {}, {verdict}\n", of.mv, value(of).words(sides))
        };
        let lines: String = analysis.moves.iter().map(line).collect();
        Ok(self.view.wrap_list(&lines, 8))
    }

    /// Takes back until it is a person's turn.
    fn undo(&mut self) -> anyhow::Result<String> {
        if !self.engine.undo(1) {
            bail!("there is nothing to take back");
        }
        while self.engine.side().of(self.seats) == Seat::Engine && self.seats.contains(&Seat::Human) {
            if !self.engine.undo(1) {
                break;
            }
        }
        self.paused = !self.seats.contains(&Seat::Human);
        self.resume_at_another_position();
        Ok(self.board())
    }

    fn load(&mut self, file: &Path) -> anyhow::Result<String> {
        let loading = self.interrupt.ends_at_once();
        record::load(&mut *self.engine, file)?;
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
