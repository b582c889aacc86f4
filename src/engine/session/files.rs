//! Files: the games that a host names, and the weights, books and tables that engines are opened with. A file may be long in
//! coming (a network that is down), so all of it is done in threads beside the loop.

use super::Session;
use crate::api::command::CommandError;
use crate::api::event::Event;
use crate::api::settings::{BookSource, Settings};
use crate::engine::dyn_engine::DynEngine;
use crate::engine::message::Message;
use crate::engine::recorded_game;
use crate::games::open::OpenError;
use crate::record::codec;
use crate::record::game_record::GameRecord;
use crate::record::texts;
use crate::record::wthor::Names;
use crate::support::bounded_file;
use crate::support::thread_pool::STACK;
use std::fmt::Display;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Largest game record read, in bytes.
const MAX_RECORD_SIZE: usize = 4 << 20;
/// How long the session waits for such work and nothing else: nearly all of it is done by then, so that `isready` after an
/// option says that it is set.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it waits after the end of input.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

impl<W: Write> Session<W> {
    /// Sets the position after the first `max_moves` moves of the first game of a file in any format.
    pub(super) fn load_sgf(&mut self, path: PathBuf, max_moves: usize) -> Result<Event, CommandError> {
        if !self.settings.host_files {
            return Err(CommandError::FilesForbidden);
        }
        let (game, name) = (self.engine.game(), path.display().to_string());
        let record = self.beside(move || read_record(&path, game, max_moves))??;
        recorded_game::load(&mut *self.engine, &record)
            .map_err(|error| CommandError::CannotLoad(format!("{name}: {error}")))?;
        Ok(Event::Done)
    }

    /// Teaches the opening book the game so far. A line that drops searches ends it early.
    pub(super) fn learn_game(&mut self) -> Result<Event, CommandError> {
        if !self.settings.host_files {
            return Err(CommandError::FilesForbidden);
        }
        let learning = self.engine.book_learning().ok_or_else(|| self.no_book())?;
        self.learning = Some(Arc::clone(&learning.stop));
        let learned = self.beside(learning.learn);
        // Nobody waits for it any more if the session has ended.
        learning.stop.raise();
        self.learning = None;
        learned?.map(Event::Learned).map_err(CommandError::CannotLearn)
    }

    fn no_book(&self) -> CommandError {
        CommandError::NoBook(match self.settings.book {
            BookSource::None => "the option Book is none".into(),
            _ => format!("{} has none", self.engine.game()),
        })
    }

    /// What the opening book knows of the position before the last so many moves.
    pub(super) fn look_up_in_book(&mut self, moves_back: usize) -> Result<Event, CommandError> {
        let lookup = self.engine.book_lookup(moves_back, self.style()).ok_or_else(|| self.no_book())?;
        self.beside(lookup).map(Event::Book)
    }

    /// The engine that the settings name, with its weights, book and tables read.
    pub(super) fn open(&mut self, settings: &Settings) -> Result<Result<Box<dyn DynEngine>, OpenError>, CommandError> {
        let (factory, settings) = (Arc::clone(&self.factory), settings.clone());
        self.beside(move || factory.open(&settings))
    }

    /// Does work in a thread of its own and waits for it. Meanwhile what cannot wait (a stop, `isready`, the end) is
    /// served, and the rest waits.
    pub(super) fn beside<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, CommandError> {
        let (sender, result) = channel();
        let session = self.sender.clone();
        let run = move || {
            // A session that has ended takes neither.
            drop(sender.send(catch_unwind(AssertUnwindSafe(work))));
            drop(session.send(Message::WorkDone));
        };
        let thread = std::thread::Builder::new().name("files".into()).stack_size(STACK).spawn(run);
        thread.map_err(|error| CommandError::Internal(format!("no thread to read files: {error}")))?;
        let mut done = result.recv_timeout(PATIENCE).ok();
        // A line that is served meanwhile may ask for another file.
        let (serving, busy) = (self.serving, std::mem::replace(&mut self.busy, true));
        while done.is_none() && !self.closed {
            if self.input_ended {
                done = result.recv_timeout(LAST_PATIENCE).ok();
                break;
            }
            match self.receive() {
                Some(Message::Line(text)) => self.line(text),
                Some(Message::End) => self.input_ended = true,
                // A line that is served at once may have asked for the file, beside a search.
                Some(Message::Search(number, event)) => self.search_event(number, *event),
                Some(Message::WorkDone) => {}
                None => self.answer_for_search(),
            }
            done = result.try_recv().ok();
        }
        (self.serving, self.busy) = (serving, busy);
        match done {
            Some(Ok(value)) => Ok(value),
            Some(Err(_)) => Err(CommandError::Internal("reading a file panicked".into())),
            None => Err(CommandError::Unavailable("the session ended before the file came".into())),
        }
    }
}

/// The first game of a file. Moves that name no game are of `game`.
fn read_record(path: &Path, game: &str, max_moves: usize) -> Result<GameRecord, CommandError> {
    let failed = |error: &dyn Display| CommandError::CannotLoad(format!("{}: {error}", path.display()));
    let bytes = bounded_file::read(path, MAX_RECORD_SIZE).map_err(|error| failed(&error))?;
    let text = texts::in_bytes(&bytes).next();
    let first = text.and_then(|text| codec::read(&text, game, &Names::default()).into_iter().next());
    let read = first.unwrap_or_else(|| Err("it holds no game".into()));
    let mut record = read.map_err(|reason| failed(&reason))?;
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
    use crate::games::names::GameNames;
    use crate::protocol;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::mpsc::{Receiver, Sender};

    const TIMEOUT: Duration = Duration::from_secs(60);

    /// Opens the first engine at once, and each further one when it is told to.
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
            // A test that has seen enough listens no more.
            drop(self.0.send(String::from_utf8_lossy(bytes).into_owned()));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// A session: where lines go in, what comes out, what lets a file come, and what hangs up when the session has ended.
    fn start(protocol: &str) -> (Sender<Message>, Receiver<String>, Sender<()>, Receiver<()>) {
        let ((texts, answers), (open, gate), (running, ended)) = (channel(), channel(), channel());
        let config = SessionConfig {
            settings: Settings { hash: 1, ..Settings::default() },
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

    /// What is served beside an analysis must not overtake the lines that end it.
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
