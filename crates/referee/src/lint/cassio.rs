//! Checks of Cassio's protocol: the rules that Cassio relies on.

use super::board::{board_at, expect_legal};
use super::expect::{Violation, expect_within, violation};
use super::{Check, check};
use crate::dialogue::Dialogue;
use flipside_core::search::notation::Style;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 12] = [
    check("init", "init answers 'ready.'", init),
    check("get-version", "get-version answers 'version: ...', then 'ready.'", get_version),
    check("search", "midgame-search answers a line with a legal move, then 'ready.'", search),
    check("endgame", "endgame-search answers the value of perfect play", endgame),
    check("window", "a value outside the window is answered by a bound", window),
    check("pass", "a side that must pass gets the move 'pa'", pass),
    check("finished", "a finished game has the move '--' and its value", finished),
    check("sign-of-life", "a blank line is answered: 'ready.', during a search 'ok.'", sign_of_life),
    check("stop", "stop ends a search at once: 'ready.' and no result", stop),
    check("silent", "feed-hash and empty-hash are not answered", silent),
    check("bad-input", "errors begin with ERROR, and 'ready.' follows those of known commands", bad_input),
    check("end", "quit answers 'bye bye.', and the engine leaves at quit and at the end of input", end),
];

/// Black's start position.
const START: &str = "---------------------------OX------XO---------------------------X";
/// White must pass, and then Black takes the last disc but one.
const PASS: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-O";
/// Nobody can move: Black has won by 14 with the empty squares.
const FINISHED: &str = "XXXXXXX-XXXXXXXOXXXXXXOOXXXXXOOOXXXXOXXOXXXOOOXOX-OOOOOO-OOOOOOOX";

/// A result line.
struct Found {
    line: String,
    mv: String,
    lower: f64,
    upper: f64,
}

impl Found {
    /// Reads `POS, move M, depth D, @P%, cL <= v <= cU, PV, node N, time T`.
    fn read(line: &str, position: &str) -> Option<Found> {
        let parts: Vec<&str> = line.split(',').map(str::trim).collect();
        let [start, mv, depth, percent, bounds, _, nodes, time] = parts[..] else { return None };
        let colour = if position.ends_with('X') { 'B' } else { 'W' };
        let (lower, upper) = bounds.split_once(" <= v <= ")?;
        let value = |text: &str| text.strip_prefix(colour)?.parse::<f64>().ok();
        depth.strip_prefix("depth ")?.parse::<u32>().ok()?;
        percent.strip_prefix('@')?.strip_suffix('%')?.parse::<u32>().ok()?;
        nodes.strip_prefix("node ")?.parse::<u64>().ok()?;
        time.strip_prefix("time ")?.parse::<f64>().ok()?;
        let mv = mv.strip_prefix("move ").filter(|_| start == position)?.to_string();
        Some(Found { line: line.to_string(), mv, lower: value(lower)?, upper: value(upper)? })
    }
}

fn command(engine: &mut Dialogue, command: &str) {
    engine.request(&format!("ENGINE-PROTOCOL {command}"));
}

/// Reads the lines before `ready.`.
fn before_ready(engine: &mut Dialogue) -> Result<Vec<String>, Violation> {
    let mut lines = Vec::new();
    engine.until("ready.", |line| lines.push(line.to_string()))?;
    Ok(lines)
}

fn begin(engine: &mut Dialogue) -> Result<(), Violation> {
    command(engine, "init");
    match before_ready(engine)?.first() {
        None => Ok(()),
        Some(line) => violation("ready. alone", line),
    }
}

/// The last result of a search of this position.
fn found(engine: &mut Dialogue, word: &str, position: &str, parameters: &str) -> Result<Found, Violation> {
    command(engine, &format!("{word} {position} {parameters}"));
    let lines = before_ready(engine)?;
    let last = lines.last().map_or("nothing", String::as_str);
    Found::read(last, position).ok_or_else(|| Violation::new(format!("{position}, move M, depth D, ..."), last))
}

fn expect_value(found: &Found, value: f64) -> Result<(), Violation> {
    if (found.lower, found.upper) == (value, value) {
        return Ok(());
    }
    violation(format!("bounds of {value:+.2} on both sides"), &found.line)
}

fn expect_move(found: &Found, mv: &str) -> Result<(), Violation> {
    if found.mv.eq_ignore_ascii_case(mv) { Ok(()) } else { violation(format!("move {mv}"), &found.line) }
}

fn init(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    command(engine, "new-position");
    before_ready(engine).map(drop)
}

fn get_version(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    command(engine, "get-version");
    match before_ready(engine)?.first() {
        Some(line) if line.starts_with("version: ") => Ok(()),
        other => violation("version: ...", other.map_or("nothing", String::as_str)),
    }
}

fn search(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    for text in [START, "-------------------X-------XX------XO---------------------------O"] {
        let found = found(engine, "midgame-search", text, "-64 64 4 100")?;
        let (squares, side) = text.split_at(64);
        let board = board_at("reversi", &format!("{squares} {side}"), Style::Plain)?;
        expect_legal(board.as_ref(), &found.mv, Style::Plain, &found.line)?;
        let is_capital = found.mv.chars().all(|c| !c.is_ascii_lowercase());
        if is_capital != (side == "X") {
            return violation("Black's move in capitals, White's in small letters", found.line);
        }
    }
    Ok(())
}

fn endgame(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    expect_value(&found(engine, "endgame-search", PASS, "-64 64 100")?, -64.0)
}

fn window(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    let found = found(engine, "endgame-search", PASS, "0 1 100")?;
    if found.lower <= -64.0 && (-64.0..=0.0).contains(&found.upper) {
        return Ok(());
    }
    violation("an upper bound of 0 at most, and a lower one that the value keeps", found.line)
}

fn pass(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    expect_move(&found(engine, "midgame-search", PASS, "-64 64 2 100")?, "pa")
}

fn finished(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    let found = found(engine, "endgame-search", FINISHED, "-64 64 100")?;
    expect_move(&found, "--")?;
    expect_value(&found, 14.0)
}

/// Begins a search that takes longer than the check.
fn think(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    command(engine, &format!("endgame-search {START} -64 64 100"));
    Ok(())
}

fn sign_of_life(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    engine.request("");
    before_ready(engine)?;
    think(engine)?;
    engine.ask("", "ok.")?;
    engine.request("ENGINE-PROTOCOL get-search-infos");
    engine.until("node", |_| {})?;
    Ok(())
}

fn stop(engine: &mut Dialogue) -> Result<(), Violation> {
    think(engine)?;
    command(engine, "new-position");
    command(engine, "stop");
    let line = engine.line("ready.")?;
    if line.text.trim() != "ready." {
        return violation("ready. without a result", line.text);
    }
    expect_within(engine.elapsed(line.at), 500, "ready. within half a second")?;
    engine.expect_silence(Duration::from_millis(300), "nothing of the commands before stop")
}

fn silent(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    command(engine, &format!("feed-hash {START} 0 0 10 73 d3c5"));
    command(engine, "empty-hash");
    engine.expect_silence(Duration::from_millis(300), "no answer")?;
    found(engine, "midgame-search", START, "-64 64 2 100").map(drop)
}

fn bad_input(engine: &mut Dialogue) -> Result<(), Violation> {
    begin(engine)?;
    for bad in ["midgame-search bad", "no-such-command"] {
        command(engine, bad);
        match before_ready(engine)?.first() {
            Some(line) if line.starts_with("ERROR:") => {}
            other => return violation(format!("ERROR: ... to {bad}"), other.map_or("nothing", String::as_str)),
        }
    }
    engine.ask("no-such-protocol", "ERROR:")?;
    begin(engine)
}

fn end(engine: &mut Dialogue) -> Result<(), Violation> {
    think(engine)?;
    engine.ask("ENGINE-PROTOCOL quit", "bye")?;
    engine.expect_exit()?;
    expect_within(engine.elapsed(Instant::now()), 5_000, "the end within five seconds")
}
