//! Events of searches, their answers, and the effect of later lines on the active search.

use super::Session;
use super::active_search::{ActiveSearch, Hold, SearchPurpose};
use crate::api::command::{CommandError, PlayedMove};
use crate::api::event::{BestMove, Event, Iteration, PerftCounts, SearchEvent, SearchStatistics};
use crate::api::protocol::RequestId;
use crate::engine::clock;
use crate::engine::dyn_engine::Start;
use flipside_core::search::types::Side;
use std::io::Write;
use std::time::Instant;

impl<W: Write> Session<W> {
    /// Handles an event of the search with this number; events of earlier searches are dropped.
    pub(super) fn search_event(&mut self, number: u64, event: SearchEvent) {
        let Some(active) = &mut self.active else { return };
        if active.number != number {
            return;
        }
        let request_id = active.asked.request_id.clone();
        match event {
            SearchEvent::Info(_) if matches!(active.purpose, SearchPurpose::GameAnalysis { .. }) => {}
            SearchEvent::Info(info) => self.send(&request_id, &Event::Info(info)),
            SearchEvent::Book(lines) => self.send(&request_id, &Event::Book(lines)),
            SearchEvent::Candidate(best_move) => active.candidate = Some(best_move),
            SearchEvent::BestMove(best_move) => active.finished = Some(best_move),
            SearchEvent::Perft(counts) => self.finish_perft(counts),
        }
    }

    /// Applies later lines and the end of input to the active search, and answers for it once it is over, unless the
    /// host holds the answer back.
    pub(super) fn update_search(&mut self) {
        while let Some(active) = &mut self.active {
            let until_input = matches!(active.purpose, SearchPurpose::Analysis { until_input: true });
            if self.last_stop > active.asked.line || until_input && self.lines > active.asked.line {
                active.stop();
            } else if self.last_ponder_hit > active.asked.line
                && active.hold == Hold::PonderHit
                && let SearchPurpose::Move { side, .. } = active.purpose
            {
                let (hint, overhead) = (self.engine.time_hint(), self.settings.move_overhead);
                let limits = clock::limits(&active.limits, &self.default_limits, &self.clock, side, hint, overhead);
                active.start_clock(&limits);
            }
            if let Some(ended) = self.input_ended {
                active.end_by_itself(ended);
            }
            match active.finished.take_if(|_| active.hold == Hold::Nothing) {
                Some(best_move) => self.finish(best_move),
                None => return,
            }
        }
    }

    fn finish_perft(&mut self, counts: PerftCounts) {
        let Some(active) = self.active.take() else { return };
        let answer = match active.stop.is_raised() {
            true => Event::Error(CommandError::Unavailable("interrupted before all was counted".into())),
            false => Event::Perft(counts),
        };
        self.send(&active.asked.request_id, &answer);
    }

    /// Answers the active search, which is over.
    fn finish(&mut self, best_move: BestMove) {
        // The thread ends by itself; from now on events with its number are dropped.
        let Some(ActiveSearch { asked, purpose, started, .. }) = self.active.take() else { return };
        let request_id = &asked.request_id;
        self.last_statistics = best_move.statistics.clone();
        self.last_book_line = best_move.book.clone();
        if let Some(failure) = &best_move.failure {
            log::error!("{failure}");
        }
        match purpose {
            SearchPurpose::Move { side, play } => {
                self.finish_move(request_id, best_move, side, play, started);
            }
            SearchPurpose::Analysis { .. } => {
                self.engine.undo_forced_pass();
                self.send(request_id, &Event::AnalysisFinished(best_move.statistics));
            }
            SearchPurpose::GameAnalysis { mut engine, limits, ply, began } => {
                if let Some(Iteration { score, wdl, .. }) = best_move.info {
                    self.send(request_id, &Event::GameAnalysis { ply, score, wdl });
                }
                let answer = match ply > 0 && engine.undo(1) {
                    true => self.analyze_ply(&asked, engine, limits, ply - 1, began),
                    false => Ok(Some(Event::AnalysisFinished(best_move.statistics))),
                };
                self.send_answer(request_id, answer);
            }
            SearchPurpose::Perft => {}
        }
    }

    fn finish_move(&mut self, request_id: &RequestId, best_move: BestMove, side: Side, play: bool, started: Instant) {
        if !play {
            self.engine.undo_forced_pass();
        } else if let Some(mv) = &best_move.mv
            && self.protocol.as_ref().is_none_or(|protocol| protocol.tells(&best_move))
        {
            if let Some(code) = best_move.code {
                if let Err(reason) = self.engine.play_code(code) {
                    let error = format!("the best move cannot be played: illegal move: {mv}: {reason}");
                    return self.send(request_id, &Event::Error(CommandError::Internal(error)));
                }
            } else {
                // A closing pass beyond the limit of passes is answered but not played.
                drop(self.engine.set_position(Start::Here, &[PlayedMove::new(mv)], self.style(), false));
            }
            self.clock.spend(side, started.elapsed());
        }
        self.send(request_id, &Event::BestMove(best_move));
    }

    /// Answers with the result of the latest iteration. The search was stopped, but its thread did not get a processor
    /// in time: on a busy machine that may take longer than a host's clock allows.
    pub(super) fn answer_for_search(&mut self) {
        let Some(active) = &mut self.active else { return };
        active.answer_by = None;
        active.stop.raise();
        let Some(candidate) = active.candidate.take() else { return };
        let statistics = SearchStatistics { time: active.started.elapsed(), ..candidate.statistics };
        self.finish(BestMove { statistics, ..candidate });
    }
}
