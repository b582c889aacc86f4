//! Work in threads beside the loop: reading files that a host names (games, weights, books, tables), which may be slow
//! on a network that is down, and teaching the book.

use super::Session;
use super::pending::{Answer, Asked, Pending};
use crate::api::command::CommandError;
use crate::api::event::Event;
use crate::api::settings::{BookSource, Settings};
use crate::engine::dyn_engine::DynEngine;
use crate::engine::message::Message;
use crate::engine::recorded_game;
use crate::record::codec;
use crate::record::game_record::GameRecord;
use flipside_core::games::searcher_settings::OpenError;
use flipside_support::bounded_file;
use flipside_support::file_fault::FileFault;
use flipside_support::thread_pool::STACK;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Largest game record read, in bytes.
const MAX_RECORD_SIZE: usize = 4 << 20;
/// How long the session waits for such work before it serves other lines. Nearly all work finishes within this time, so
/// that `isready` after an option means that it is set.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it waits after the end of input.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

impl<W: Write> Session<W> {
    /// Runs `work` in a thread of its own, then handles its result in the session. If the work takes long, the session
    /// serves urgent lines (a stop, `isready`, the end) meanwhile and queues the rest.
    pub(super) fn beside<T: Send + 'static>(
        &mut self,
        asked: &Asked,
        work: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut Self, T) -> Answer + Send + 'static,
    ) -> Answer {
        self.number += 1;
        let (number, inbox, (sender, result)) = (self.number, self.sender.clone(), channel());
        let run = move || {
            // A session that has ended takes neither.
            drop(sender.send(catch_unwind(AssertUnwindSafe(work))));
            drop(inbox.send(Message::WorkDone(number)));
        };
        let thread = std::thread::Builder::new().name("files".into()).stack_size(STACK).spawn(run);
        thread.map_err(|error| CommandError::Internal(format!("no thread to read files: {error}")))?;
        let quick = result.recv_timeout(PATIENCE).ok();
        let is_done = quick.is_some();
        let finish = move |session: &mut Self| match quick.or_else(|| result.try_recv().ok()) {
            Some(Ok(value)) => then(session, value),
            Some(Err(_)) => Err(CommandError::Internal("reading a file panicked".into())),
            None => Err(CommandError::Unavailable("the session ended before the file came".into())),
        };
        if is_done {
            return finish(self);
        }
        let (request_id, since, finish) = (asked.request_id.clone(), Instant::now(), Box::new(finish));
        self.background.push(Pending { request_id, number, since, finish });
        Ok(None)
    }

    /// After the end of input: when the first of the pending work is given up.
    pub(super) fn work_due(&self) -> Option<Instant> {
        let since = self.background.iter().map(|pending| pending.since).min()?;
        Some(since.max(self.input_ended?) + LAST_PATIENCE)
    }

    /// Gives up work that has taken too long after the end of input.
    pub(super) fn give_up_work(&mut self) {
        let now = Instant::now();
        if self.work_due().is_some_and(|due| due <= now) {
            self.end_learning();
            self.finish_work(|pending| pending.since + LAST_PATIENCE <= now);
        }
    }

    /// Answers requests whose work is done or given up.
    pub(super) fn finish_work(&mut self, is_over: impl Fn(&Pending<Self>) -> bool) {
        while let Some(index) = self.background.iter().position(&is_over) {
            let Pending { request_id, finish, .. } = self.background.remove(index);
            let answer = finish(self);
            self.send_answer(&request_id, answer);
        }
    }

    /// Sets the position after the first `max_moves` moves of the first game of a file in any format.
    pub(super) fn load_sgf(&mut self, asked: &Asked, path: PathBuf, max_moves: usize) -> Answer {
        if !self.settings.host_files {
            return Err(CommandError::FilesForbidden);
        }
        let (game, name) = (self.engine.game(), path.display().to_string());
        let read = move || read_record(&path, game, max_moves);
        self.beside(asked, read, move |session, record| {
            recorded_game::load(&mut *session.engine, &record?)
                .map_err(|error| CommandError::CannotLoad(format!("{name}: {}", error.without_content())))?;
            Ok(Some(Event::Done))
        })
    }

    /// Adds the game so far to the opening book. A line that drops searches ends the learning early.
    pub(super) fn learn_game(&mut self, asked: &Asked) -> Answer {
        if !self.settings.host_files {
            return Err(CommandError::FilesForbidden);
        }
        let learning = self.engine.book_learning().ok_or_else(|| self.no_book())?;
        self.learning = Some(learning.stop);
        self.beside(asked, learning.learn, |_, learned| {
            learned.map(|learned| Some(Event::Learned(learned))).map_err(CommandError::CannotLearn)
        })
    }

    /// Ends the learning early, if it is under way.
    pub(super) fn end_learning(&self) {
        if let Some(learning) = &self.learning {
            learning.raise();
        }
    }

    fn no_book(&self) -> CommandError {
        CommandError::NoBook(match self.settings.book {
            BookSource::None => "the option Book is none".into(),
            _ => format!("{} has none", self.engine.game()),
        })
    }

    /// Looks up the position before the last `moves_back` moves in the opening book.
    pub(super) fn look_up_in_book(&mut self, asked: &Asked, moves_back: usize) -> Answer {
        let lookup = self.engine.book_lookup(moves_back, self.style()).ok_or_else(|| self.no_book())?;
        self.beside(asked, lookup, |_, lines| Ok(Some(Event::Book(lines))))
    }

    /// Opens the engine that the settings name, with its weights, book and tables read.
    pub(super) fn open(
        &mut self,
        asked: &Asked,
        settings: Settings,
        then: impl FnOnce(&mut Self, Result<Box<dyn DynEngine>, OpenError>) -> Answer + Send + 'static,
    ) -> Answer {
        let factory = Arc::clone(&self.factory);
        self.beside(asked, move || factory.open(&settings), then)
    }
}

/// The first game of a file. Moves that name no game belong to `game`.
fn read_record(path: &Path, game: &str, max_moves: usize) -> Result<GameRecord, CommandError> {
    let failed = |reason: &str| CommandError::CannotLoad(format!("{}: {reason}", path.display()));
    let bytes = bounded_file::read(path, MAX_RECORD_SIZE).map_err(|error| failed(&error.without_content()))?;
    let first = codec::read_first(&bytes, game).ok_or_else(|| failed("it holds no game"))?;
    let mut record = first.record.map_err(|_quotes_the_file| {
        failed(&format!("the {} game that begins in line {} cannot be read", first.format.name(), first.line))
    })?;
    record.moves.truncate(max_moves);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::command::GoLimits;
    use crate::engine::dyn_engine::EngineFactory;
    use crate::engine::registry::Registry;
    use crate::engine::session::SessionConfig;
    use crate::protocol;
    use flipside_core::games::names::GameNames;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::mpsc::{Receiver, Sender};

    const TIMEOUT: Duration = Duration::from_secs(60);

    /// Opens the first engine at once, and each further one on a signal.
    struct SlowFiles {
        opened: AtomicBool,
        gate: Mutex<Receiver<()>>,
    }

    impl EngineFactory for SlowFiles {
        fn games(&self) -> &[GameNames] {
            Registry.games()
        }

        fn open(&self, settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
            if self.opened.swap(true, Relaxed) {
                self.gate.lock().expect("the gate").recv().expect("a file that comes at last");
            }
            Registry.open(settings)
        }
    }

    /// What the session writes, text by text.
    struct Texts(Sender<String>);

    impl Write for Texts {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            // The test may have stopped listening.
            drop(self.0.send(String::from_utf8_lossy(bytes).into_owned()));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// A session: the sender of its lines, its output, the sender that releases a file, and a receiver that closes at
    /// its end.
    fn start(protocol: &str) -> (Sender<Message>, Receiver<String>, Sender<()>, Receiver<()>) {
        let ((texts, answers), (open, gate), (running, ended)) = (channel(), channel(), channel());
        let config = SessionConfig {
            settings: Settings { hash: 1, ..Settings::default() },
            is_usual_game: false,
            default_limits: GoLimits { depth: Some(1), ..GoLimits::default() },
            protocol: protocol::open(protocol),
            recognize: protocol::recognize,
            factory: Arc::new(SlowFiles { opened: AtomicBool::new(false), gate: Mutex::new(gate) }),
        };
        let session = Session::new(config, Texts(texts)).expect("a session");
        let (input, _) = session.input();
        std::thread::spawn(move || {
            session.run();
            drop::<Sender<()>>(running);
        });
        (input, answers, open, ended)
    }

    fn send(input: &Sender<Message>, lines: &[&str]) {
        lines.iter().for_each(|line| input.send(Message::Line(line.to_string())).expect("a session"));
    }

    /// The texts up to the first with a line that begins with this word.
    fn until(answers: &Receiver<String>, word: &str) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        while !texts.last().is_some_and(|text| text.lines().any(|line| line.starts_with(word))) {
            let text = answers.recv_timeout(TIMEOUT);
            texts.push(text.unwrap_or_else(|_| panic!("no {word} after {texts:?}")));
        }
        texts
    }

    #[test]
    fn while_a_file_is_read_what_cannot_wait_is_served() {
        let (input, answers, open, ended) = start("uci");
        send(
            &input,
            &["setoption name Hash value 2", "position startpos moves P@d6", "go infinite", "stop", "isready"],
        );
        assert_eq!(until(&answers, "readyok"), ["readyok\n"], "nothing else is answered before the file is there");
        open.send(()).expect("the engine opens");
        assert!(until(&answers, "bestmove").iter().all(|text| !text.contains("illegal")), "in their order");
        send(&input, &["setoption name Hash value 3", "quit"]);
        assert!(
            ended.recv_timeout(TIMEOUT).is_err_and(|error| error == std::sync::mpsc::RecvTimeoutError::Disconnected)
        );
    }

    /// A line served beside an analysis must not overtake the lines that end it.
    #[test]
    fn a_ping_waits_behind_lines_that_wait_for_the_file() {
        let (input, answers, open, _ended) = start("xboard");
        send(&input, &["analyze", "memory 2", "go", "ping 7"]);
        assert!(answers.recv_timeout(2 * PATIENCE).is_err(), "the pong comes after the move");
        open.send(()).expect("the engine opens");
        let texts = until(&answers, "pong");
        assert!(texts.iter().any(|text| text.starts_with("move ")), "{texts:?}");
    }

    #[test]
    fn a_line_that_drops_searches_waits_for_the_file() {
        let (input, answers, open, _ended) = start("nboard");
        send(&input, &["set evaluation discs", "hint 1", "ping 7", "learn"]);
        assert!(answers.recv_timeout(2 * PATIENCE).is_err(), "the pong comes after what was before it");
        open.send(()).expect("the engine opens");
        let texts = until(&answers, "learned");
        assert!(texts.contains(&"pong 7\n".to_string()), "{texts:?}");
    }
}
