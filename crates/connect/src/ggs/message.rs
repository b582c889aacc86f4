//! The messages of GGS: a first line, further lines that begin with a bar, and `READY` after them.

/// Lines of one message that are kept; a match of 60 moves takes about 90.
const MOST_LINES: usize = 512;

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its first line.
    pub head: String,
    /// The others, without their bars.
    pub body: Vec<String>,
}

/// What a line completes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A message.
    Message(Message),
    /// The server waits for the next command.
    Ready,
}

/// Puts messages together from lines.
#[derive(Debug, Default)]
pub struct Messages {
    open: Option<Message>,
}

impl Messages {
    /// What this line completes. A message is complete when `READY` or the first line of another one follows.
    pub fn push(&mut self, line: &str) -> Vec<Part> {
        if let Some(rest) = line.strip_prefix('|') {
            if let Some(message) = self.open.as_mut().filter(|message| message.body.len() < MOST_LINES) {
                message.body.push(rest.to_string());
            }
            return Vec::new();
        }
        let before = self.open.take().map(Part::Message);
        let ready = line.trim() == "READY";
        if !ready && !line.trim().is_empty() {
            self.open = Some(Message { head: line.to_string(), body: Vec::new() });
        }
        before.into_iter().chain(ready.then_some(Part::Ready)).collect()
    }
}

/// The news of the Othello service that a client needs.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A request; the words after its sign.
    Request(Vec<String>),
    /// A request of this id is gone.
    RequestGone(String),
    /// A match of this id begins between these players.
    MatchBegins(String, [String; 2]),
    /// A match is over: its id, the first named player, and the words that tell its result.
    MatchOver(String, String, String),
    /// One game of a pair is over: its id, the first named player, and the value for that player.
    GameOver(String, String, String),
    /// The whole of a game.
    Join(String),
    /// A move was played in a game.
    Update(String),
    /// The service rejects what was sent for a game.
    GameError(String, String),
    /// The service rejects a command.
    Error(String),
    /// The stored matches.
    Stored,
    /// The ratings after a match.
    Ratings,
    /// Time of a game is over.
    Timeout(String),
    /// Something else.
    Other,
}

impl News {
    /// The news in the first line of a message.
    pub fn of(head: &str) -> News {
        let Some(text) = head.strip_prefix("/os:") else { return News::Other };
        let words: Vec<&str> = text.split_whitespace().collect();
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let name = |index: usize| words.get(index).map(ToString::to_string).unwrap_or_default();
        let rest = |from: usize| words.get(from..).unwrap_or_default().join(" ");
        match words.as_slice() {
            ["+", "match", id, _, first, _, second, ..] => {
                News::MatchBegins(id.to_string(), [first.to_string(), second.to_string()])
            }
            ["-", "match", id, _, first, ..] => News::MatchOver(id.to_string(), first.to_string(), rest(9)),
            ["end", id, ..] => {
                let first = words.iter().find(|word| !["end", "(", id].contains(*word));
                let first = first.map(|word| word.trim_start_matches('(').to_string()).unwrap_or_default();
                News::GameOver(id.to_string(), first, words.last().map(ToString::to_string).unwrap_or_default())
            }
            ["+", id, ..] if id.starts_with('.') => News::Request(owned(&words[1..])),
            ["-", id, ..] if id.starts_with('.') => News::RequestGone(id.to_string()),
            ["join", id, ..] => News::Join(id.to_string()),
            ["update", id, ..] => News::Update(id.to_string()),
            ["error", id, ..] if id.starts_with('.') => News::GameError(id.to_string(), rest(2)),
            ["error" | "ERR" | "illegal", ..] => News::Error(rest(0)),
            ["watch", "+" | "-", "ERR", ..] => News::Error(rest(0)),
            ["stored", ..] => News::Stored,
            ["rating_update", ..] => News::Ratings,
            ["timeout" | "fatal-timeout", ..] => News::Timeout(format!("{} in {}", name(2), name(1))),
            _ => News::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Part> {
        let mut messages = Messages::default();
        text.lines().flat_map(|line| messages.push(line)).collect()
    }

    #[test]
    fn a_message_ends_at_ready_or_where_the_next_begins() {
        let message = |head: &str, body: &[&str]| {
            Part::Message(Message { head: head.into(), body: body.iter().map(ToString::to_string).collect() })
        };
        assert_eq!(
            parts("/os: join .5 8b K?\n|0 move(s)\n|* to move\nREADY\n"),
            [message("/os: join .5 8b K?", &["0 move(s)", "* to move"]), Part::Ready]
        );
        assert_eq!(
            parts("/os: - .8 x\n: news\n|more\n\nREADY\nREADY\n"),
            [message("/os: - .8 x", &[]), message(": news", &["more"]), Part::Ready, Part::Ready]
        );
        assert_eq!(parts("|a bar without a head\nREADY"), [Part::Ready]);
    }

    #[test]
    fn a_message_without_end_is_bounded() {
        let mut messages = Messages::default();
        messages.push("/os: join .5");
        for _ in 0..10_000 {
            assert!(messages.push("|x").is_empty());
        }
        let [Part::Message(message), Part::Ready] = &messages.push("READY")[..] else { panic!("a message") };
        assert_eq!(message.body.len(), MOST_LINES);
    }

    #[test]
    fn news_are_told_by_their_words() {
        let strings = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        for (line, news) in [
            ("/os: +   .8 1720.0 alice", News::Request(strings(&[".8", "1720.0", "alice"]))),
            ("/os: -   .8 1720.0 alice", News::RequestGone(".8".into())),
            (
                "/os: + match .5 1720 alice 1720 bob 8b U",
                News::MatchBegins(".5".into(), ["alice".into(), "bob".into()]),
            ),
            (
                "/os: - match .5 1720 alice 1720 bob 8b U -64.00:t",
                News::MatchOver(".5".into(), "alice".into(), "-64.00:t".into()),
            ),
            (
                "/os: - match .5 1720 alice 1720 bob 8b U bob left",
                News::MatchOver(".5".into(), "alice".into(), "bob left".into()),
            ),
            ("/os: end .5.0 ( alice vs. bob ) +46.00", News::GameOver(".5.0".into(), "alice".into(), "+46.00".into())),
            ("/os: join .5 (;GM[Othello];)", News::Join(".5".into())),
            ("/os: update .5 F5//3.47", News::Update(".5".into())),
            ("/os: error .5 illegal move", News::GameError(".5".into(), "illegal move".into())),
            ("/os: watch + ERR not found: .3", News::Error("watch + ERR not found: .3".into())),
            ("/os: timeout .5 bob", News::Timeout("bob in .5".into())),
            ("/os: .5 A 1720 bob: good game", News::Other),
            ("bob: /os: join .5 (;GM[Othello];)", News::Other),
            ("/os: +", News::Other),
            ("/os: - match", News::Other),
        ] {
            assert_eq!(News::of(line), news, "{line}");
        }
    }
}
