//! Parsing lines of Cassio.

use crate::api::command::{Command, CommandError, Go, GoLimits, PlayedMove, Query, ValueQuestion};
use crate::api::protocol::{ParsedLine, Request, RequestId, Urgency};
use crate::protocol::text::{one_line, without_controls};
use crate::protocol::token::{clamped_count, is_decimal, word_and_rest, words};
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, Selectivity, UNIT};

/// The first word of every line of the host.
pub const PREFIX: &str = "ENGINE-PROTOCOL";
/// What stands for the word of a blank line, by which the host asks for a sign of life.
pub(super) const BLANK: &str = "a blank line";
/// What stands for the word of a line that does not begin with [`PREFIX`].
const FOREIGN: &str = "another protocol";
/// A window beyond all values, in discs, for parameters that the host leaves out.
const WIDEST: f64 = 127.0;
/// The depth that the host leaves out, and the depth of an endgame search: to the end of the game.
const TO_THE_END: u32 = 60;

/// The words of a line: the command in lower case, and its parameters. Signs of life and `quit` are served beside a
/// search, and `stop` drops everything before it.
pub(super) fn line(line: &str) -> ParsedLine {
    let clean = without_controls(line);
    let Some((first, rest)) = word_and_rest(&clean) else { return ParsedLine::of_words(Urgency::Now, BLANK, "") };
    if first != PREFIX {
        return ParsedLine::of_words(Urgency::Queue, FOREIGN, clean.trim());
    }
    let (word, parameters) = word_and_rest(rest).unwrap_or_default();
    let lower = word.to_ascii_lowercase();
    let urgency = match lower.as_str() {
        "get-search-infos" | "quit" => Urgency::Now,
        "stop" => Urgency::Clear,
        _ => Urgency::Queue,
    };
    let is_known = COMMANDS.contains(&lower.as_str());
    ParsedLine::of_words(urgency, if is_known { &lower } else { word }, parameters)
}

/// All commands.
const COMMANDS: [&str; 10] = [
    "init",
    "get-version",
    "new-position",
    "midgame-search",
    "endgame-search",
    "get-search-infos",
    "stop",
    "feed-hash",
    "empty-hash",
    "quit",
];

/// The position of a search, as the host wrote it.
pub(super) fn searched_position<'a>(word: &str, parameters: &'a str) -> Option<&'a str> {
    ["midgame-search", "endgame-search"].contains(&word).then(|| words(parameters).first().copied())?
}

/// The request of a command.
pub(super) fn request(word: &str, parameters: &str) -> Request {
    let command = match word {
        BLANK | "get-search-infos" => Command::Show(Query::Progress),
        FOREIGN => Command::Reply(format!("ERROR: Unknown protocol \"{}\"", one_line(parameters))),
        "init" => Command::Ready,
        "get-version" => Command::Reply(format!("version: Flipside {}\nready.", env!("CARGO_PKG_VERSION"))),
        "new-position" | "stop" => Command::Reply("ready.".into()),
        "midgame-search" => search(&words(parameters), true).unwrap_or_else(invalid),
        "endgame-search" => search(&words(parameters), false).unwrap_or_else(invalid),
        "feed-hash" => feed_hash(&words(parameters)).unwrap_or_else(invalid),
        "empty-hash" => Command::SetOption { name: "Clear Hash".into(), value: None },
        "quit" => Command::Quit,
        _ => Command::Invalid(CommandError::UnknownCommand(word.to_string())),
    };
    Request { request_id: RequestId { id: None, word: word.to_string() }, command }
}

/// A parameter that cannot be read, by its name.
struct Unreadable(&'static str);

fn invalid(Unreadable(parameter): Unreadable) -> Command {
    Command::Invalid(CommandError::Syntax(parameter.into()))
}

/// `POS ALPHA BETA [DEPTH] PRECISION`; parameters at the end may be missing.
fn search(parameters: &[&str], has_depth: bool) -> Result<Command, Unreadable> {
    let mut parameters = parameters.iter().copied();
    let start = position(parameters.next())?;
    let window = window(parameters.next(), parameters.next())?;
    let depth = if has_depth { depth(parameters.next())? } else { TO_THE_END };
    let selectivity = precision(parameters.next())?;
    let limits = GoLimits { depth: Some(depth), ..GoLimits::default() };
    let go = Go { limits, value: Some(ValueQuestion { window, selectivity }), ..Go::default() };
    Ok(Command::SetAndGo { start, style: Style::Plain, go })
}

/// `POS LOWER UPPER DEPTH PRECISION MOVES`: the moves are suggested. The values of the host prove nothing to a search.
fn feed_hash(parameters: &[&str]) -> Result<Command, Unreadable> {
    let mut parameters = parameters.iter().copied();
    let start = position(parameters.next())?;
    window(parameters.next(), parameters.next())?;
    depth(parameters.next())?;
    precision(parameters.next())?;
    let moves = parameters.next().map(PlayedMove::new).into_iter().collect();
    Ok(Command::Suggest { start, moves, style: Style::Plain })
}

/// 64 squares and the side to move without a blank, as the engine's position text.
fn position(text: Option<&str>) -> Result<String, Unreadable> {
    let text = text.filter(|text| text.len() == 65).ok_or(Unreadable("position"))?;
    match text.split_at_checked(64) {
        Some((squares, side @ ("X" | "O"))) if squares.bytes().all(|square| b"XO-*.".contains(&square)) => {
            Ok(format!("{} {side}", squares.replace('*', "X")))
        }
        _ => Err(Unreadable("position")),
    }
}

/// Bounds in discs, rounded outwards to whole discs, at least one disc apart; the window in hundredths.
fn window(alpha: Option<&str>, beta: Option<&str>) -> Result<(Score, Score), Unreadable> {
    let discs = |text: Option<&str>, missing: f64| match text {
        None => Some(missing),
        Some(text) => text.parse().ok().filter(|_| is_decimal(text)).map(|value: f64| value.clamp(-WIDEST, WIDEST)),
    };
    let alpha = discs(alpha, -WIDEST).ok_or(Unreadable("alpha"))?.floor() as Score;
    let beta = discs(beta, WIDEST).ok_or(Unreadable("beta"))?.ceil() as Score;
    Ok((alpha * UNIT, beta.max(alpha + 1) * UNIT))
}

/// Plies, at least 1.
fn depth(text: Option<&str>) -> Result<u32, Unreadable> {
    text.map_or(Some(TO_THE_END), clamped_count).map(|depth| depth.clamp(1, TO_THE_END)).ok_or(Unreadable("depth"))
}

/// A percentage, or the next surer one that the engine has.
fn precision(text: Option<&str>) -> Result<Selectivity, Unreadable> {
    let percent = text.map_or(Some(100), clamped_count).ok_or(Unreadable("precision"))?;
    Ok(Selectivity::from_percent(percent.min(100) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::protocol::{LineContent, Protocol};
    use crate::protocol::cassio::Cassio;
    use proptest::prelude::*;

    const START: &str = "---------------------------OX------XO---------------------------X";

    /// The command of a line.
    fn command(text: &str) -> Command {
        let LineContent::Words(word, parameters) = line(text).content else { panic!("words") };
        request(&word, &parameters).command
    }

    fn question(parameters: &str) -> (u32, ValueQuestion) {
        match command(&format!("ENGINE-PROTOCOL {parameters}")) {
            Command::SetAndGo { go, .. } => (go.limits.depth.expect("a depth"), go.value.expect("a question")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_search_names_position_window_depth_and_precision() {
        let asked = |window, percent| ValueQuestion { window, selectivity: Selectivity::from_percent(percent) };
        for (parameters, depth, window, percent) in [
            ("midgame-search POS -64 64 10 73", 10, (-6400, 6400), 73),
            ("MidGame-Search POS -1.5 0.5 10 95", 10, (-200, 100), 95),
            ("midgame-search POS 4.5 4.9 99 100", 60, (400, 500), 100),
            ("midgame-search POS 4 4 0 74", 1, (400, 500), 80),
            ("midgame-search POS 4 -4", 60, (400, 500), 100),
            ("midgame-search POS", 60, (-12700, 12700), 100),
            ("endgame-search POS 37 38 73", 60, (3700, 3800), 73),
            ("endgame-search POS -1e99 1e99 1000", 60, (-12700, 12700), 100),
        ] {
            assert_eq!(question(&parameters.replace("POS", START)), (depth, asked(window, percent)), "{parameters}");
        }
        let stars = START.replace('X', "*").replace('-', ".");
        let text = format!("ENGINE-PROTOCOL endgame-search {}X", &stars[..64]);
        let Command::SetAndGo { start, .. } = command(&text) else { panic!("a search") };
        assert_eq!(start, START.replace('-', ".")[..64].to_string() + " X");
    }

    #[test]
    fn a_parameter_that_cannot_be_read_is_named() {
        for (line, parameter) in [
            ("midgame-search", "position"),
            ("midgame-search bad", "position"),
            ("midgame-search POSX", "position"),
            ("midgame-search POS x", "alpha"),
            ("midgame-search POS nan", "alpha"),
            ("midgame-search POS -64 x", "beta"),
            ("midgame-search POS -64 64 x", "depth"),
            ("midgame-search POS -64 64 10 1.5", "precision"),
            ("endgame-search POS -64 64 x", "precision"),
            ("feed-hash POS 0 0 x 100 d3", "depth"),
        ] {
            let wanted = Command::Invalid(CommandError::Syntax(parameter.into()));
            assert_eq!(command(&format!("ENGINE-PROTOCOL {}", line.replace("POS", START))), wanted, "{line}");
        }
        let side = START.replacen("-X", "-Y", 2);
        assert!(matches!(command(&format!("ENGINE-PROTOCOL midgame-search {side}Y")), Command::Invalid(_)));
    }

    #[test]
    fn what_must_not_wait_does_not() {
        for (text, urgency) in [
            ("", Urgency::Now),
            (" \r", Urgency::Now),
            ("ENGINE-PROTOCOL get-search-infos", Urgency::Now),
            ("ENGINE-PROTOCOL QUIT", Urgency::Now),
            ("ENGINE-PROTOCOL stop", Urgency::Clear),
            ("stop", Urgency::Queue),
            ("ENGINE-PROTOCOL midgame-search", Urgency::Queue),
            ("ENGINE-PROTOCOL", Urgency::Queue),
        ] {
            assert_eq!(line(text).urgency, urgency, "{text:?}");
        }
    }

    #[test]
    fn lines_of_another_protocol_and_unknown_commands() {
        let reply = |text: &str| Command::Reply(text.into());
        assert_eq!(command(" hello  you"), reply("ERROR: Unknown protocol \"hello  you\""));
        assert_eq!(command("engine-protocol init"), reply("ERROR: Unknown protocol \"engine-protocol init\""));
        let unknown = |word: &str| Command::Invalid(CommandError::UnknownCommand(word.into()));
        assert_eq!(command("ENGINE-PROTOCOL Frobnicate 3"), unknown("Frobnicate"));
        assert_eq!(command("ENGINE-PROTOCOL"), unknown(""));
    }

    proptest! {
        #[test]
        fn any_line_is_survived(text in "\\PC*|ENGINE-PROTOCOL (midgame-search|endgame-search|feed-hash) [ -~]{0,90}") {
            let mut cassio = Cassio::default();
            let parsed = cassio.parse(&text);
            prop_assert_eq!(cassio.requests(parsed).len(), 1);
        }
    }
}
