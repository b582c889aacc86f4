//! One game: whose turn it is, the clocks, the legality of moves by our own rules, and the end.

use super::openings::Opening;
use super::player::{self, Fault, Player, Thought, Times};
use super::record::{GameRecord, MoveRecord};
use super::spec::{PlayerSpec, Terms};
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, SearchRequest, Start, search_and_wait};
use crate::search::limits::Limits;
use crate::search::notation::Style;
use crate::search::types::{MAX_DEPTH, Side, UNIT};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// By the rules of the game.
    Rules,
    /// By our exact solver.
    Adjudicated,
    /// A move that is not legal.
    Illegal,
    /// An answer after the time and the grace.
    Late,
    /// The process ended or closed its output.
    Crashed,
    /// No answer at all.
    Hung,
    /// Output that is no answer.
    Babbled,
    /// A refusal of a correct request.
    Refused,
    /// A player gave the game up.
    Resigned,
}

impl Reason {
    /// True if a player lost by its own fault.
    pub fn is_fault(self) -> bool {
        !matches!(self, Reason::Rules | Reason::Adjudicated | Reason::Resigned)
    }

    fn of(fault: &Fault) -> (Reason, &str) {
        match fault {
            Fault::Crashed(text) => (Reason::Crashed, text),
            Fault::Hung(text) => (Reason::Hung, text),
            Fault::Babbled(text) => (Reason::Babbled, text),
            Fault::Refused(text) | Fault::Unusable(text) => (Reason::Refused, text),
            Fault::Resigned => (Reason::Resigned, ""),
        }
    }
}

/// What holds for every game of a match.
#[derive(Clone, Debug)]
pub struct Conduct {
    /// The game's name.
    pub rules: String,
    /// Overstepping that is forgiven.
    pub grace: Duration,
    /// How long after its time a silent player is waited for.
    pub patience: Duration,
    /// From so many empty squares on our solver decides.
    pub adjudicate: Option<u32>,
}

/// A player's place at the board.
pub struct Seat<'a> {
    /// Who sits there.
    pub spec: &'a PlayerSpec,
    /// What it may use.
    pub terms: Terms,
    /// The player, once opened; a fallen one is gone.
    pub player: &'a mut Option<Box<dyn Player>>,
}

/// How a game ended.
struct End {
    winner: Option<Side>,
    difference: Option<i32>,
    reason: Reason,
    detail: String,
}

impl End {
    fn lost(side: Side, reason: Reason, detail: &str) -> End {
        End { winner: Some(side.other()), difference: None, reason, detail: detail.to_string() }
    }
}

/// A game under way.
struct Table<'a, 'b> {
    room: &'a mut dyn DynEngine,
    seats: [Seat<'b>; 2],
    conduct: &'a Conduct,
    left: [Option<Duration>; 2],
    moves: Vec<MoveRecord>,
}

/// Plays a game from an opening in the referee's room, which keeps its course. The first seat moves
/// first.
///
/// # Errors
/// Only when a player cannot take part at all, or the opening is not legal.
pub fn play(
    number: usize,
    room: &mut dyn DynEngine,
    opening: &Opening,
    seats: [Seat<'_>; 2],
    conduct: &Conduct,
) -> anyhow::Result<GameRecord> {
    opening.set_position(room)?;
    let players = [&seats[0], &seats[1]].map(|seat| seat.spec.name.clone());
    let left = [&seats[0], &seats[1]].map(|seat| seat.terms.game_time.map(|(main, _)| main));
    let moves = room.history(Style::Plain).into_iter().map(|(_, mv)| MoveRecord { mv, ..MoveRecord::default() });
    let moves = moves.collect();
    let mut table = Table { room, seats, conduct, left, moves };
    let end = table.run()?;
    let result = match end.winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    };
    Ok(GameRecord {
        game: number,
        players,
        rules: conduct.rules.clone(),
        opening: opening.text.clone(),
        start: table.room.start_position(Style::Plain),
        moves: table.moves,
        result: result.to_string(),
        difference: end.difference,
        reason: end.reason,
        detail: end.detail,
    })
}

impl Table<'_, '_> {
    fn run(&mut self) -> anyhow::Result<End> {
        for side in [Side::First, Side::Second] {
            if let Err(fault) = self.seat_down(side) {
                return self.fall(side, &fault);
            }
        }
        loop {
            if let Some(end) = self.end_by_rules().or_else(|| self.adjudicate()) {
                return Ok(end);
            }
            let side = self.room.side();
            // Forced passes are made for the players: there is nothing to choose.
            if self.room.force_pass(side.other()).is_ok() {
                let pass = self.room.history(Style::Plain).pop().map(|(_, mv)| mv).unwrap_or_default();
                self.moves.push(MoveRecord { mv: pass, ..MoveRecord::default() });
                continue;
            }
            if let Some(end) = self.turn(side)? {
                return Ok(end);
            }
        }
    }

    /// Opens a player if it is not there, and tells it of the new game.
    fn seat_down(&mut self, side: Side) -> Result<(), Fault> {
        let seat = &mut self.seats[side.index()];
        if seat.player.is_none() {
            *seat.player = Some(player::open(seat.spec, &self.conduct.rules, self.conduct.patience)?);
        }
        match seat.player.as_mut() {
            Some(player) => player.new_game(self.room, &seat.terms),
            None => Ok(()),
        }
    }

    /// A player is out of this game; it starts anew for the next one.
    fn fall(&mut self, side: Side, fault: &Fault) -> anyhow::Result<End> {
        let seat = &mut self.seats[side.index()];
        if let Fault::Unusable(reason) = fault {
            anyhow::bail!("player {}: {reason}", seat.spec.name);
        }
        let (reason, detail) = Reason::of(fault);
        if reason.is_fault() {
            *seat.player = None;
        }
        Ok(End::lost(side, reason, detail))
    }

    /// One move of one player; the end of the game if it brings it about by its own fault.
    fn turn(&mut self, side: Side) -> anyhow::Result<Option<End>> {
        let increments = [0, 1].map(|index| self.seats[index].terms.game_time.map_or(Duration::ZERO, |(_, add)| add));
        let seat = &mut self.seats[side.index()];
        let times = Times { left: self.left, increments, terms: seat.terms, patience: self.conduct.patience };
        let Some(player) = seat.player.as_mut() else { anyhow::bail!("player {} is not there", seat.spec.name) };
        let style = player.style();
        let thought = match player.think(self.room, &times) {
            Ok(thought) => thought,
            Err(fault) => return self.fall(side, &fault).map(Some),
        };
        let allowed = self.left[side.index()].or(seat.terms.move_time);
        if let Some(allowed) = allowed.filter(|allowed| thought.used > *allowed + self.conduct.grace) {
            let detail =
                format!("{} after {:.3} s of {:.3} s", thought.mv, thought.used.as_secs_f64(), allowed.as_secs_f64());
            return Ok(Some(End::lost(side, Reason::Late, &detail)));
        }
        let turn = PlayedMove::by(side, thought.mv.clone());
        if self.room.set_position(Start::Here, &[turn], style, false).is_err() {
            *seat.player = None;
            let detail =
                format!("{} in {}", thought.mv.chars().take(40).collect::<String>(), self.room.position(Style::Plain));
            return Ok(Some(End::lost(side, Reason::Illegal, &detail)));
        }
        if let Some(left) = &mut self.left[side.index()] {
            *left = left.saturating_sub(thought.used) + increments[side.index()];
        }
        self.remember(side, &thought);
        Ok(None)
    }

    fn remember(&mut self, side: Side, thought: &Thought) {
        let mv = self.room.history(Style::Plain).pop().map(|(_, mv)| mv).unwrap_or_default();
        let round = |time: Duration| (time.as_secs_f64() * 1e4).round() / 1e4;
        self.moves.push(MoveRecord {
            mv,
            seconds: Some(round(thought.used)),
            left: self.left[side.index()].map(round),
            value: thought.value,
            depth: thought.depth,
            nodes: thought.nodes,
        });
    }

    fn end_by_rules(&self) -> Option<End> {
        let outcome = self.room.outcome()?;
        let sign = match outcome.winner {
            Some(Side::First) => 1,
            Some(Side::Second) => -1,
            None => 0,
        };
        let difference = outcome.margin.map(|margin| sign * margin as i32);
        Some(End { winner: outcome.winner, difference, reason: Reason::Rules, detail: String::new() })
    }

    /// The value of perfect play from here, where the match asks for it and the game counts squares.
    fn adjudicate(&self) -> Option<End> {
        let limit = self.conduct.adjudicate?;
        let points = self.room.points()?;
        let squares: usize = self.room.grid()?.rows.iter().map(Vec::len).sum();
        let empty = (squares as u32).checked_sub(points[0] + points[1])?;
        if empty > limit {
            return None;
        }
        let request = SearchRequest::new(Limits { depth: Some(MAX_DEPTH as u32), ..Limits::default() });
        let best = search_and_wait(self.room, request).ok()?.info;
        let best = best.filter(|info| info.certainty == crate::search::types::Certainty::Exact)?;
        let score = if self.room.side() == Side::First { best.score } else { -best.score };
        let winner = match score {
            0 => None,
            score if score > 0 => Some(Side::First),
            _ => Some(Side::Second),
        };
        let detail = format!("{empty} empty squares");
        Some(End { winner, difference: Some(score / UNIT), reason: Reason::Adjudicated, detail })
    }
}
