//! Late answers: the search thread hangs beyond the hard bound, and the session answers for it. Strength and variety
//! choose the move as usual.

#![cfg(feature = "protocols")]

use flipside::games::connect_four::{ConnectFour, Discs};
use flipside::search::evaluation::Eval;
use flipside::search::types::Score;
use flipside::{Engine, Limits, serve_on};
use std::collections::BTreeSet;
use std::io::{Cursor, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Evaluations before the search hangs: enough for some iterations.
const BEFORE_HANGING: u32 = 2_000;

/// The output that the host has received.
#[derive(Clone, Default)]
struct Output(Arc<(Mutex<String>, Condvar)>);

impl Output {
    /// The move, once it has come; waits up to a minute.
    fn best_move(&self) -> Option<String> {
        let (text, written) = &*self.0;
        let unanswered = |text: &mut String| !text.contains("bestmove");
        let text = text.lock().expect("the text");
        let (text, _) = written.wait_timeout_while(text, Duration::from_secs(60), unanswered).expect("the text");
        let line = text.lines().find_map(|line| line.strip_prefix("bestmove "))?;
        line.split(' ').next().map(str::to_string)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let (text, written) = &*self.0;
        text.lock().expect("the text").push_str(&String::from_utf8_lossy(bytes));
        written.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// All positions are equal; after some evaluations the search hangs until the host has its answer.
struct Hanging {
    evaluations: AtomicU32,
    output: Output,
}

impl Eval<ConnectFour> for Hanging {
    type Accumulator = ();
    fn refresh(&self, _: &Discs) {}
    fn update(&self, (): &(), _: &Discs, _: u8, _: &Discs) {}
    fn evaluate(&self, (): &(), _: &Discs) -> Score {
        if self.evaluations.fetch_add(1, Ordering::Relaxed) >= BEFORE_HANGING {
            let _ = self.output.best_move();
        }
        0
    }
}

/// The answer that the session gives for a search that hangs.
fn late_answer(settings: &str) -> String {
    let output = Output::default();
    let evaluation = Hanging { evaluations: AtomicU32::new(0), output: output.clone() };
    let engine = Engine::builder(ConnectFour).hash_mib(1).evaluation(evaluation);
    let input = format!("uci\n{settings}\ngo movetime 100\n");
    serve_on(engine, Limits::default(), Cursor::new(input), output.clone()).expect("a session");
    output.best_move().expect("an answer")
}

#[test]
fn a_late_answer_is_as_varied_as_any_other() {
    let set = |seed| format!("setoption name Variety value 2000\nsetoption name Seed value {seed}");
    let moves: BTreeSet<String> = (1..=8).map(|seed| late_answer(&set(seed))).collect();
    assert!(moves.len() > 1, "always {moves:?}");
}
