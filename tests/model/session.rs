//! One session: bursts of lines go to the engine, and every output line must fit the model.

use crate::dice::Dice;
use crate::host::{Heard, Host};
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// The model of a host: the state, and the answers still owed. If the protocol leaves the result open (a dropped search
/// may have answered just before), several models are possible at once.
pub trait Model: Clone + PartialEq + Debug {
    /// Whether the protocol has no other game.
    const REVERSI_ONLY: bool = false;
    /// A test run sends one in this many of the lines of other protocols, if a line costs a search.
    const SHARE: usize = 1;

    /// Starts the engine.
    fn start(reversi: bool) -> Host {
        Host::start(reversi)
    }

    /// A session that has not begun.
    fn new(reversi: bool) -> Self;
    /// Lines that the host sends at once. `last` marks the last ones before the end of input.
    fn burst(&self, dice: &mut Dice, last: bool) -> Vec<Vec<u8>>;
    /// Takes in a line that the host sends.
    fn sent(&mut self, line: &str);
    /// Takes in the end of input.
    fn ended(&mut self);
    /// The possible models after a line of output, which belongs to the first waiting request or may come at any time.
    /// Empty if it may not come now.
    fn heard(&self, line: &str) -> Vec<Self>;
    /// The possible models if the first waiting request has no output, or no more.
    fn silent(&self) -> Vec<Self>;
    /// Whether output must come, whatever the host does next.
    fn owes(&self) -> bool;
    /// Whether the engine may leave now.
    fn may_leave(&self) -> bool;
}

/// Lines sent at once, after a pause.
#[derive(Clone, Debug)]
pub struct Burst {
    pub pause: Duration,
    pub lines: Vec<Vec<u8>>,
    /// Whether the input ends here.
    pub last: bool,
}

/// A failed conversation.
pub struct Failure {
    pub bursts: Vec<Burst>,
    /// Lines sent and received, in order.
    pub record: Vec<String>,
    pub reason: &'static str,
    /// The models that were possible.
    pub models: String,
}

/// Where bursts come from: a generator, or a conversation to repeat.
pub type Source<'a, M> = &'a mut dyn FnMut(&M) -> Option<Burst>;

struct Conversation<M> {
    host: Host,
    worlds: Vec<M>,
    bursts: Vec<Burst>,
    record: Vec<String>,
    patience: Duration,
}

/// Holds a conversation and returns the number of lines sent.
pub fn converse<M: Model>(reversi: bool, patience: Duration, source: Source<M>) -> Result<usize, Failure> {
    let (bursts, record) = (Vec::new(), Vec::new());
    let mut talk = Conversation { host: M::start(reversi), worlds: vec![M::new(reversi)], bursts, record, patience };
    match talk.run(source) {
        Ok(()) => Ok(talk.bursts.iter().map(|burst| burst.lines.len()).sum()),
        Err(reason) => {
            let models = format!("{:?}", talk.worlds);
            Err(Failure { bursts: talk.bursts, record: talk.record, reason, models })
        }
    }
}

impl<M: Model> Conversation<M> {
    fn run(&mut self, source: Source<M>) -> Result<(), &'static str> {
        while let Some(burst) = source(&self.worlds[0]) {
            self.send(&burst);
            let last = burst.last;
            self.bursts.push(burst);
            if self.listen(last)? {
                return Ok(());
            }
        }
        Ok(())
    }

    fn send(&mut self, burst: &Burst) {
        if !burst.pause.is_zero() {
            std::thread::sleep(burst.pause);
        }
        let mut bytes = Vec::new();
        for (index, line) in burst.lines.iter().enumerate() {
            let text = String::from_utf8_lossy(line).trim_end_matches('\r').to_string();
            // A byte-order mark before the first line is not part of it.
            let is_first = self.bursts.is_empty() && index == 0;
            let heard = text.strip_prefix('\u{feff}').filter(|_| is_first).unwrap_or(&text);
            self.worlds.iter_mut().for_each(|world| world.sent(heard));
            self.record.push(format!("> {}", shown(&text)));
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        self.host.send(&bytes);
        if burst.last {
            self.worlds.iter_mut().for_each(M::ended);
            self.record.push("> (end of input)".into());
            self.host.close();
        }
    }

    /// Takes in output until nothing more is owed, or until the end, which must come if the input has ended. Returns
    /// true at the end.
    fn listen(&mut self, to_the_end: bool) -> Result<bool, &'static str> {
        // A search that should have ended may report iterations for ever.
        let end = Instant::now() + self.patience;
        while to_the_end || self.worlds.iter().any(owes) {
            if to_the_end && self.has_time() {
                return Ok(true);
            }
            match self.host.hear(end.saturating_duration_since(Instant::now())) {
                Heard::Line(line) => self.hear(&line)?,
                Heard::Nothing if to_the_end => return Err("the session does not end"),
                Heard::Nothing => {
                    let content: Vec<M> = self.worlds.iter().filter(|world| !owes(*world)).cloned().collect();
                    if content.is_empty() {
                        return Err("an answer is owed and does not come");
                    }
                    self.worlds = content;
                }
                Heard::End if self.worlds.iter().flat_map(reachable).any(|world| world.may_leave()) => return Ok(true),
                Heard::End => return Err("the session has ended and should not"),
            }
        }
        Ok(false)
    }

    /// Whether the owed answers may take any time: a host that gives an engine hours has to wait.
    fn has_time(&self) -> bool {
        !self.worlds.iter().any(|world| owes(world) || reachable(world).iter().any(M::may_leave))
    }

    fn hear(&mut self, line: &str) -> Result<(), &'static str> {
        self.record.push(format!("< {}", shown(line)));
        let mut next: Vec<M> = Vec::new();
        for world in self.worlds.iter().flat_map(reachable).flat_map(|world| world.heard(line)) {
            if !next.contains(&world) {
                next.push(world);
            }
        }
        if next.is_empty() {
            return Err("this line may not come now");
        }
        self.worlds = next;
        Ok(())
    }
}

/// The model, and its states as requests without output are served one after the other.
fn reachable<M: Model>(world: &M) -> Vec<M> {
    let mut all = vec![world.clone()];
    let mut at = 0;
    while at < all.len() {
        let more = all[at].silent();
        all.extend(more);
        at += 1;
    }
    all
}

fn owes<M: Model>(world: &M) -> bool {
    reachable(world).iter().all(|world| world.owes() || !world.silent().is_empty())
}

/// A line for reading, cut if it is long.
pub fn shown(text: &str) -> String {
    let short: String = text.chars().take(200).flat_map(char::escape_debug).collect();
    if text.chars().nth(200).is_some() { format!("{short}… ({} bytes)", text.len()) } else { short }
}
