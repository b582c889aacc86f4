//! What searches tell, and the answers that come of it.

use super::Session;
use super::running::{Purpose, Running};
use crate::api::command::{CommandError, Turn};
use crate::api::event::{Choice, Event, Totals};
use crate::api::protocol::RequestId;
use crate::engine::dyn_engine::{News, Start};
use crate::search::types::Side;
use std::io::Write;
use std::time::Instant;

impl<W: Write> Session<W> {
    pub(super) fn news(&mut self, number: u64, news: News) {
        let Some(running) = &mut self.running else { return };
        if running.number != number {
            return;
        }
        match news {
            News::Progress(progress) => {
                if !matches!(running.purpose, Purpose::AnalyzeGame { .. }) {
                    if progress.rank == 1 {
                        running.latest = Some(progress.clone());
                    }
                    let request_id = running.request_id.clone();
                    self.say(&request_id, &Event::Progress(progress));
                }
            }
            News::Done(choice) => {
                running.finished = Some(choice);
                self.deliver();
            }
            News::Divided(divided, total) => {
                let request_id = running.request_id.clone();
                let interrupted = running.handle.stop.is_raised();
                self.running = None;
                let answer = match interrupted {
                    true => Event::Refused(CommandError::Unavailable("interrupted before all was counted".into())),
                    false => Event::Perft { divided, total },
                };
                self.say(&request_id, &answer);
            }
        }
    }

    /// Answers a finished search unless the host holds the answer back.
    pub(super) fn deliver(&mut self) {
        let ready = self.running.as_mut().filter(|running| !running.held);
        if let Some(choice) = ready.and_then(|running| running.finished.take()) {
            self.finish(choice);
        }
    }

    pub(super) fn finish(&mut self, choice: Choice) {
        let Some(Running { request_id, purpose, started, handle, .. }) = self.running.take() else { return };
        // The thread ends by itself; its number is no longer listened to.
        drop(handle);
        self.last = choice.totals.clone();
        if let Some(trouble) = &choice.trouble {
            log::error!("{trouble}");
        }
        match purpose {
            Purpose::Move { side, play } => {
                self.play_choice(&request_id, choice, side, play, started);
                self.follow_up();
            }
            Purpose::Analysis { .. } => {
                self.engine.undo_forced_pass();
                self.say(&request_id, &Event::AnalysisClosed(choice.totals));
            }
            Purpose::AnalyzeGame { mut engine, limits, ply } => {
                let score = choice.best.map_or(0, |best| best.score);
                self.say(&request_id, &Event::AnalyzeGame { ply, score });
                if ply > 0 && engine.undo(1) {
                    self.analyze_ply(request_id, engine, limits, ply - 1);
                } else {
                    self.say(&request_id, &Event::AnalysisClosed(choice.totals));
                }
            }
            Purpose::Perft => {}
        }
    }

    fn play_choice(&mut self, request_id: &RequestId, choice: Choice, side: Side, play: bool, started: Instant) {
        if !play {
            self.engine.undo_forced_pass();
        } else if let Some(mv) = &choice.mv {
            let played = self.engine.set_position(Start::Here, &[Turn::new(mv)], self.style(), false);
            if let Err(misfit) = played {
                let refusal = CommandError::Internal(format!("the search chose what cannot be played: {misfit:?}"));
                return self.say(request_id, &Event::Refused(refusal));
            }
            self.clock.spend(side, started.elapsed());
        }
        self.say(request_id, &Event::Chosen(choice));
    }

    /// What the protocol has the engine do while the host is silent.
    fn follow_up(&mut self) {
        if self.ending || !self.queue.is_empty() {
            return;
        }
        for request in self.protocol.as_mut().map(|protocol| protocol.follow_up()).unwrap_or_default() {
            self.serve(request);
        }
    }

    /// The search has been told to end but has not had the processor to say so: on a busy machine
    /// that may take longer than a host's clock allows. Its latest line is the answer.
    pub(super) fn answer_for_the_search(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.answer_by = None;
        running.handle.stop.raise();
        let Some(best) = running.latest.take() else { return };
        let mut names = best.line.iter().cloned();
        let (mv, ponder) = (names.next(), names.next());
        let pass = mv.as_deref().is_some_and(|mv| self.engine.is_pass(mv));
        let totals = Totals { nodes: best.nodes, time: running.started.elapsed() };
        self.finish(Choice { mv, ponder, pass, best: Some(best), totals, trouble: None });
    }
}
