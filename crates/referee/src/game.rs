//! One game: the side to move, the clocks, the referee's check of each move, and the end.

use super::effort::Effort;
use super::limits::PlayerLimits;
use super::openings::Opening;
use super::participant::Participant;
use super::record::{GameTerms, MatchGame, MoveRecord};
use super::spec::PlayerSpec;
use super::types::{EndReason, MatchConfig, MoveReply, MoveTimes, PlayerError};
use flipside_core::search::limits::Limits;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Certainty, MAX_DEPTH, Score, Side, UNIT};
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::clock::SideClock;
use flipside_host::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside_host::engine::recorded_result;
use flipside_host::engine::watch::search_and_wait;
use flipside_host::record::game_record::GameResult;
use std::time::Duration;
use time::OffsetDateTime;

/// Length limit of a detail in characters, because a player may refuse a request with megabytes of text.
const MAX_DETAIL: usize = 400;

/// How a game ended.
struct GameEnd {
    winner: Option<Side>,
    difference: Option<i32>,
    reason: EndReason,
    detail: String,
}

impl GameEnd {
    fn lost(side: Side, reason: EndReason, detail: &str) -> GameEnd {
        let detail = detail.chars().take(MAX_DETAIL).collect();
        GameEnd { winner: Some(side.other()), difference: None, reason, detail }
    }
}

/// A running game. The board is the referee's own engine, whose rules decide.
struct GameRunner<'a, 'b> {
    board: &'a mut dyn DynEngine,
    participants: [Participant<'b>; 2],
    config: &'a MatchConfig,
    clocks: [Option<SideClock>; 2],
    moves: Vec<MoveRecord>,
    /// The scores of each player's moves.
    scores: [Vec<Option<Score>>; 2],
    /// What each player's moves took.
    effort: [Effort; 2],
}

/// Plays a game from an opening on the referee's board, which records its moves. The first participant moves first.
///
/// # Errors
/// A player cannot take part at all, or the opening is not legal.
pub fn play(
    number: usize,
    board: &mut dyn DynEngine,
    opening: &Opening,
    participants: [Participant<'_>; 2],
    config: &MatchConfig,
) -> anyhow::Result<MatchGame> {
    opening.set_up(board)?;
    let [first, second] = &participants;
    let terms = terms(board, opening, [first, second].map(|player| (player.spec, &player.limits)), config);
    let clocks = [first, second].map(|participant| participant.limits.game_time.map(SideClock::new));
    let moves = board.history(Style::Plain).into_iter().map(|(_, mv)| MoveRecord { mv, ..MoveRecord::default() });
    let moves = moves.collect();
    let (scores, effort) = <_>::default();
    let mut game = GameRunner { board, participants, config, clocks, moves, scores, effort };
    let end = game.run()?;
    Ok(MatchGame {
        game: number,
        terms,
        date: Some(OffsetDateTime::now_utc().date().to_string()),
        opening_name: game.board.opening_name().map(str::to_string),
        start: game.board.start_position(Style::Plain),
        moves: game.moves,
        effort: game.effort,
        result: GameResult::text(end.winner, Side::First).to_string(),
        difference: end.difference,
        reason: end.reason,
        detail: end.detail,
    })
}

/// The terms of a game between these players, the first mover first.
pub fn terms(
    board: &dyn DynEngine,
    opening: &Opening,
    players: [(&PlayerSpec, &PlayerLimits); 2],
    config: &MatchConfig,
) -> GameTerms {
    GameTerms {
        players: players.map(|(spec, _)| spec.name.clone()),
        rules: board.game().to_string(),
        settings: players.map(|(spec, limits)| spec.settings(limits)),
        adjudicate: config.adjudication.empties,
        adjudicate_by_score: config.adjudication.by_score.map(|rule| rule.to_string()),
        opening: opening.text.clone(),
    }
}

impl GameRunner<'_, '_> {
    fn run(&mut self) -> anyhow::Result<GameEnd> {
        for side in [Side::First, Side::Second] {
            let stall_timeout = self.config.stall_timeout;
            if let Err(error) = self.participants[side.index()].begin_game(self.board, stall_timeout) {
                return self.forfeit(side, &error);
            }
        }
        loop {
            if let Some(end) = self.end_by_rules().or_else(|| self.solve()).or_else(|| self.agree()) {
                return Ok(end);
            }
            let side = self.board.side();
            // The referee makes forced passes itself, because the player has no choice.
            if self.board.force_pass(side.other()).is_ok() {
                let pass = self.last_move();
                self.moves.push(MoveRecord { mv: pass, ..MoveRecord::default() });
                continue;
            }
            if let Some(end) = self.play_move(side)? {
                return Ok(end);
            }
        }
    }

    /// The side loses by an error of its player, which is closed and started again for the next game.
    fn forfeit(&mut self, side: Side, error: &PlayerError) -> anyhow::Result<GameEnd> {
        let participant = &mut self.participants[side.index()];
        if let PlayerError::Unusable(reason) = error {
            anyhow::bail!("player {}: {reason}", participant.spec.name);
        }
        let (reason, detail) = EndReason::of(error);
        if reason.is_fault() {
            *participant.player = None;
        }
        Ok(GameEnd::lost(side, reason, detail))
    }

    /// Plays one move of one player; returns the end of the game if an error, the clock or the move ends it.
    fn play_move(&mut self, side: Side) -> anyhow::Result<Option<GameEnd>> {
        let participant = &mut self.participants[side.index()];
        let MatchConfig { time_margin, stall_timeout, .. } = *self.config;
        let times = MoveTimes { clocks: self.clocks, limits: participant.limits, stall_timeout };
        let Some(player) = participant.player.as_mut() else {
            anyhow::bail!("player {} is not running", participant.spec.name)
        };
        let style = player.style();
        let reply = match player.choose_move(self.board, &times) {
            Ok(reply) => reply,
            Err(error) => return self.forfeit(side, &error).map(Some),
        };
        if let Some(allowed) = times.allowed(side).filter(|allowed| reply.elapsed > *allowed + time_margin) {
            let detail =
                format!("{} after {:.3} s of {:.3} s", reply.mv, reply.elapsed.as_secs_f64(), allowed.as_secs_f64());
            return Ok(Some(GameEnd::lost(side, EndReason::Late, &detail)));
        }
        let played = PlayedMove::by(side, reply.mv.clone());
        if self.board.set_position(Start::Here, &[played], style, false).is_err() {
            *participant.player = None;
            let shown: String = reply.mv.chars().take(MAX_DETAIL / 4).collect();
            let detail = format!("{shown} in {}", self.board.position(Style::Plain));
            return Ok(Some(GameEnd::lost(side, EndReason::Illegal, &detail)));
        }
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.spend(reply.elapsed);
        }
        self.record_move(side, &reply);
        Ok(None)
    }

    fn last_move(&self) -> String {
        self.board.history(Style::Plain).pop().map(|(_, mv)| mv).unwrap_or_default()
    }

    fn record_move(&mut self, side: Side, reply: &MoveReply) {
        let round = |time: Duration| (time.as_secs_f64() * 1e4).round() / 1e4;
        self.scores[side.index()].push(reply.score);
        self.effort[side.index()].add(reply);
        self.moves.push(MoveRecord {
            mv: self.last_move(),
            seconds: Some(round(reply.elapsed)),
            left: self.clocks[side.index()].map(|clock| round(clock.left())),
            value: reply.score,
            depth: reply.depth,
            nodes: reply.nodes,
            book: reply.from_book,
        });
    }

    fn end_by_rules(&self) -> Option<GameEnd> {
        let GameResult { winner, difference, .. } = recorded_result::result(self.board)?;
        Some(GameEnd { winner, difference, reason: EndReason::Rules, detail: String::new() })
    }

    /// Adjudication by the exact score from here, if the match uses it and the game counts squares.
    fn solve(&self) -> Option<GameEnd> {
        let limit = self.config.adjudication.empties?;
        let points = self.board.points()?;
        let squares: usize = self.board.grid()?.rows.iter().map(Vec::len).sum();
        let empties = (squares as u32).checked_sub(points[0] + points[1])?;
        if empties > limit {
            return None;
        }
        let request = SearchRequest::new(Limits { depth: Some(MAX_DEPTH as u32), ..Limits::default() });
        let best = search_and_wait(self.board, request).ok()?.info?;
        if best.certainty != Certainty::Exact {
            return None;
        }
        let score = if self.board.side() == Side::First { best.score } else { -best.score };
        let winner = GameResult::by_difference(score).winner;
        let detail = format!("{empties} empty squares");
        Some(GameEnd { winner, difference: Some(score / UNIT), reason: EndReason::Adjudicated, detail })
    }

    /// Adjudication by the scores that both players report, if the match uses it.
    fn agree(&self) -> Option<GameEnd> {
        let rule = self.config.adjudication.by_score?;
        let winner = rule.winner(self.moves.len(), self.scores.each_ref().map(Vec::as_slice))?;
        let detail = "the scores of both players".to_string();
        Some(GameEnd { winner, difference: None, reason: EndReason::Adjudicated, detail })
    }
}
