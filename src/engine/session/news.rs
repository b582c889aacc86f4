//! What searches tell, and the answers that come of it.

use super::Session;
use super::running::{Purpose, Running};
use crate::dialect::Ticket;
use crate::engine::command::{Refusal, Turn};
use crate::engine::event::{Choice, Event, Totals};
use crate::engine::room::{News, Start};
use crate::search::game::Side;
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
                if !matches!(running.purpose, Purpose::Retrograde { .. }) {
                    if progress.rank == 1 {
                        running.latest = Some(progress.clone());
                    }
                    let ticket = running.ticket.clone();
                    self.say(&ticket, &Event::Progress(progress));
                }
            }
            News::Done(choice) => {
                running.finished = Some(choice);
                self.deliver();
            }
            News::Divided(divided, total) => {
                let ticket = running.ticket.clone();
                let interrupted = running.handle.stop.is_raised();
                self.running = None;
                let answer = match interrupted {
                    true => Event::Refused(Refusal::Unavailable("interrupted before all was counted".into())),
                    false => Event::Perft { divided, total },
                };
                self.say(&ticket, &answer);
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
        let Some(Running { ticket, purpose, started, handle, .. }) = self.running.take() else { return };
        // The thread ends by itself; its number is no longer listened to.
        drop(handle);
        self.last = choice.totals.clone();
        if let Some(trouble) = &choice.trouble {
            log::error!("{trouble}");
        }
        match purpose {
            Purpose::Move { side, play } => {
                self.play_choice(&ticket, choice, side, play, started);
                self.follow_up();
            }
            Purpose::Analysis { .. } => {
                self.room.return_turn();
                self.say(&ticket, &Event::AnalysisClosed(choice.totals));
            }
            Purpose::Retrograde { mut room, limits, ply } => {
                let score = choice.best.map_or(0, |best| best.score);
                self.say(&ticket, &Event::Retrograde { ply, score });
                if ply > 0 && room.undo(1) {
                    self.look_back(ticket, room, limits, ply - 1);
                } else {
                    self.say(&ticket, &Event::AnalysisClosed(choice.totals));
                }
            }
            Purpose::Perft => {}
        }
    }

    fn play_choice(&mut self, ticket: &Ticket, choice: Choice, side: Side, play: bool, started: Instant) {
        if !play {
            self.room.return_turn();
        } else if let Some(mv) = &choice.mv {
            let played = self.room.arrange(Start::Here, &[Turn::new(mv)], self.style(), false);
            if let Err(misfit) = played {
                let refusal = Refusal::Internal(format!("the search chose what cannot be played: {misfit:?}"));
                return self.say(ticket, &Event::Refused(refusal));
            }
            self.clock.spend(side, started.elapsed());
        }
        self.say(ticket, &Event::Chosen(choice));
    }

    /// What the dialect has the engine do while the host is silent.
    fn follow_up(&mut self) {
        if self.ending || !self.queue.is_empty() {
            return;
        }
        for request in self.dialect.as_mut().map(|dialect| dialect.follow_up()).unwrap_or_default() {
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
        let pass = mv.as_deref().is_some_and(|mv| self.room.is_pass(mv));
        let totals = Totals { nodes: best.nodes, time: running.started.elapsed() };
        self.finish(Choice { mv, ponder, pass, best: Some(best), totals, trouble: None });
    }
}
