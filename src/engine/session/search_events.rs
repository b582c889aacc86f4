//! Events of searches, and the answers that they lead to.

use super::Session;
use super::active_search::{ActiveSearch, Hold, SearchPurpose};
use crate::api::command::{CommandError, PlayedMove};
use crate::api::event::{BestMove, Event, Info, PerftCounts, SearchEvent, SearchStatistics};
use crate::api::protocol::RequestId;
use crate::engine::dyn_engine::Start;
use crate::search::types::Side;
use std::io::Write;
use std::time::Instant;

impl<W: Write> Session<W> {
    /// Takes in an event of the search of that number; those of earlier searches are dropped.
    pub(super) fn search_event(&mut self, number: u64, event: SearchEvent) {
        let Some(active) = &mut self.active else { return };
        if active.number != number {
            return;
        }
        match event {
            SearchEvent::Info(info) => self.info(info),
            SearchEvent::Book(lines) => {
                let request_id = active.request_id.clone();
                self.send(&request_id, &Event::Book(lines));
            }
            SearchEvent::Candidate(best_move) => active.candidate = Some(best_move),
            SearchEvent::BestMove(best_move) => {
                active.finished = Some(best_move);
                self.finish_unless_held();
            }
            SearchEvent::Perft(counts) => self.finish_perft(counts),
        }
    }

    fn info(&mut self, info: Info) {
        let Some(active) = &self.active else { return };
        if matches!(active.purpose, SearchPurpose::GameAnalysis { .. }) {
            return;
        }
        let request_id = active.request_id.clone();
        self.send(&request_id, &Event::Info(info));
    }

    fn finish_perft(&mut self, counts: PerftCounts) {
        let Some(active) = self.active.take() else { return };
        let answer = match active.stop.is_raised() {
            true => Event::Error(CommandError::Unavailable("interrupted before all was counted".into())),
            false => Event::Perft(counts),
        };
        self.send(&active.request_id, &answer);
    }

    /// Answers a finished search unless the host holds the answer back.
    pub(super) fn finish_unless_held(&mut self) {
        let ready = self.active.as_mut().filter(|active| active.hold == Hold::Nothing);
        if let Some(best_move) = ready.and_then(|active| active.finished.take()) {
            self.finish(best_move);
        }
    }

    /// Answers the active search, which is over.
    pub(super) fn finish(&mut self, best_move: BestMove) {
        // The thread ends by itself; events of its number are dropped from now on.
        let Some(ActiveSearch { asked, request_id, purpose, started, .. }) = self.active.take() else { return };
        self.last_statistics = best_move.statistics.clone();
        self.last_book_line = best_move.book.clone();
        if let Some(failure) = &best_move.failure {
            log::error!("{failure}");
        }
        match purpose {
            SearchPurpose::Move { side, play } => {
                self.finish_move(&request_id, best_move, side, play, started);
            }
            SearchPurpose::Analysis { .. } => {
                self.engine.undo_forced_pass();
                self.send(&request_id, &Event::AnalysisFinished(best_move.statistics));
            }
            SearchPurpose::GameAnalysis { mut engine, limits, ply } => {
                if let Some(Info { score, .. }) = best_move.info {
                    self.send(&request_id, &Event::GameAnalysis { ply, score });
                }
                self.serving = asked;
                let answer = match ply > 0 && engine.undo(1) {
                    true => self.analyze_ply(&request_id, engine, limits, ply - 1),
                    false => Ok(Some(Event::AnalysisFinished(best_move.statistics))),
                };
                self.send_answer(&request_id, answer);
                self.heed_later_lines();
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
            // On a finished game: a closing pass, of which one more than a game may have is answered but not kept.
            let finished = self.engine.outcome().is_some();
            let played = self.engine.set_position(Start::Here, &[PlayedMove::new(mv)], self.style(), false);
            if let Err(error) = played
                && !finished
            {
                let error = CommandError::Internal(format!("the best move cannot be played: {error}"));
                return self.send(request_id, &Event::Error(error));
            }
            self.clock.spend(side, started.elapsed());
        }
        self.send(request_id, &Event::BestMove(best_move));
    }

    /// Answers with what the search would have answered after its latest iteration. It was told to end, but its thread
    /// did not get a processor in time: on a busy machine that may take longer than a host's clock allows.
    pub(super) fn answer_for_search(&mut self) {
        let Some(active) = &mut self.active else { return };
        active.answer_by = None;
        active.stop.raise();
        let Some(candidate) = active.candidate.take() else { return };
        let statistics = SearchStatistics { time: active.started.elapsed(), ..candidate.statistics };
        self.finish(BestMove { statistics, ..candidate });
    }
}
