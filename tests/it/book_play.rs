//! Playing from an opening book: the answers of every protocol, the cases in which the book is not used, and unusable
//! files.

#![cfg(feature = "cli")]

use crate::common::Engine;
use crate::common::books::{self, BookFile};
use crate::common::home::Home;
use crate::common::program;
use flipside::api::command::PlayedMove;
use flipside::api::event::BestMove;
use flipside::api::settings::{BookSource, Settings};
use flipside::engine::book_choice::BookChoice;
use flipside::engine::dyn_engine::{BookUse, DynEngine, SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::skill::Skill;
use flipside::engine::watch::search_and_wait;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use std::collections::HashSet;
use std::process::Output;
use std::sync::LazyLock;

/// Plies in the book of these tests, and moves from each of its positions.
const PLIES: u32 = 12;
const WIDTH: usize = 2;

/// The book's bytes, computed once.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| books::bytes(PLIES, WIDTH));

fn book(name: &str) -> BookFile {
    BookFile::new(name, &BYTES)
}

fn flipside(arguments: &[&str]) -> Output {
    program::run(arguments, "")
}

/// The answer to `go` and the lines before it.
fn go(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.send(line);
    engine.until(|line| line.starts_with("bestmove "))
}

/// The nodes of the last `info` that counts them.
fn nodes(lines: &[String]) -> u64 {
    let words = |line: &String| line.split_whitespace().skip_while(|word| *word != "nodes").nth(1)?.parse().ok();
    lines.iter().rev().find_map(words).expect("nodes")
}

fn is_from_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("info string book "))
}

/// A repeated search of the same position finds its values in the table.
#[test]
fn another_book_leaves_the_search_tables_as_they_are() {
    let file = book("swap");
    let mut engine = Engine::start(&["--uci", "--hash", "8", "--book", "none"]);
    let first = nodes(&go(&mut engine, "go depth 14"));
    engine.send(&format!("setoption name Book value {}", file.name()));
    assert!(is_from_book(&go(&mut engine, "go depth 14")), "the file is in use");
    engine.send("setoption name Book value no-such.book");
    assert!(is_from_book(&go(&mut engine, "go depth 14")), "what cannot be opened changes nothing");
    engine.send("setoption name Book value none");
    let lines = go(&mut engine, "go depth 14");
    assert!(!is_from_book(&lines));
    assert!(nodes(&lines) < first, "{} nodes after {first}", nodes(&lines));
    engine.send("setoption name Clear Hash");
    assert_eq!(nodes(&go(&mut engine, "go depth 14")), first, "a search from empty tables");
}

#[test]
fn gtp_answers_from_the_book_and_says_so_when_asked() {
    let file = book("gtp");
    let mut engine = Engine::start(&["--gtp", "--depth", "1", "--book", file.name(), "--book-depth", "3"]);
    let moves = engine.ask("flipside-book");
    let first = moves.lines().next().expect("a move");
    assert!(first.starts_with("= book 1 score ") && first.contains(" certainty mid@95% grade "), "{moves}");
    assert_eq!(moves.lines().count(), 4, "four moves lead to the same position: {moves}");
    let best = first.rsplit(" pv ").next().and_then(|pv| pv.split(' ').next()).expect("a line of play");
    for (number, colour) in ["black", "white", "black"].into_iter().enumerate() {
        let mv = engine.ask(&format!("genmove {colour}"));
        assert_eq!(mv.split_whitespace().count(), 2, "the bare move: {mv}");
        assert!(number > 0 || mv == format!("= {best}"), "{mv} is not the best: {moves}");
        let statistics = engine.ask("flipside-statistics");
        assert!(statistics.starts_with("= nodes 0 ") && statistics.contains(" book score "), "{statistics}");
    }
    assert!(engine.ask("flipside-book").starts_with("= book 1 "), "the book knows more");
    engine.ask("genmove white");
    let statistics = engine.ask("flipside-statistics");
    assert!(!statistics.contains("book") && !statistics.contains("nodes 0 "), "beyond BookDepth: {statistics}");
    assert_eq!(engine.ask("flipside-option Book none"), "=");
    assert_eq!(engine.ask("flipside-book"), "? no opening book: the option Book is none");
    assert_eq!(engine.ask("clear_board"), "=");
    engine.ask("genmove black");
    assert!(!engine.ask("flipside-statistics").contains("book"));
}

#[test]
fn uci_answers_from_the_book_unless_a_search_is_asked_for() {
    let file = book("uci");
    let mut engine = Engine::start(&["--uci", "--book", file.name()]);
    let lines = go(&mut engine, "go depth 3");
    assert!(is_from_book(&lines), "{lines:?}");
    let [.., info, best] = &lines[..] else { panic!("{lines:?}") };
    assert!(info.contains(" nodes 0 ") && info.contains(" score cp ") && best.contains(" ponder "), "{lines:?}");
    let reply = best.split(' ').nth(1).expect("a move");
    assert!(info.contains(&format!(" pv {reply} ")), "{lines:?}");
    for line in ["go mate 1", "go depth 1 infinite"] {
        engine.send(line);
        engine.send("stop");
        assert!(!is_from_book(&engine.until(|line| line.starts_with("bestmove "))), "{line}");
    }
    // White has three moves after D3; the book has two of them.
    engine.send("position startpos moves P@d6");
    let asked = |engine: &mut Engine, mv: &str| {
        let lines = go(engine, &format!("go depth 1 searchmoves {mv}"));
        assert!(lines.last().is_some_and(|line| line.starts_with(&format!("bestmove {mv}"))), "{lines:?}");
        is_from_book(&lines)
    };
    let known = ["P@c6", "P@e6", "P@c4"].into_iter().filter(|mv| asked(&mut engine, mv)).count();
    assert_eq!(known, WIDTH);
    engine.send("setoption name OwnBook value false");
    assert!(!is_from_book(&go(&mut engine, "go depth 1")));
    engine.send(&format!("setoption name Book value {}", file.name()));
    assert!(is_from_book(&go(&mut engine, "go depth 1")));
    engine.send("setoption name Algorithm value minimax");
    assert!(!is_from_book(&go(&mut engine, "go depth 1")), "the textbook's searchers are asked for to search");
}

#[test]
fn a_pondered_book_move_waits_for_the_hit() {
    let file = book("ponder");
    let mut engine = Engine::start(&["--uci", "--book", file.name()]);
    for (end, clock) in [("ponderhit", "wtime 60000 btime 60000"), ("stop", "movetime 1")] {
        engine.send(&format!("go ponder {clock}"));
        engine.until(|line| line.starts_with("info string book "));
        engine.send("isready");
        assert_eq!(engine.until(|line| line == "readyok").len(), 1, "no answer before the {end}");
        engine.send(end);
        assert!(engine.until(|line| line.starts_with("bestmove ")).len() <= 3);
    }
}

#[test]
fn an_analysis_shows_the_book_only_if_it_is_asked_to() {
    let file = book("analysis");
    let mut engine = Engine::start(&["--gtp", "--book", file.name(), "--book-analysis"]);
    engine.send("flipside-analyze black 1 0.001");
    let lines = engine.until(str::is_empty);
    assert_eq!(lines[0], "=");
    assert!(lines[1].starts_with("book 1 score ") && lines.iter().any(|line| line.starts_with("rank 1 ")), "{lines:?}");
    assert_eq!(engine.ask("flipside-option BookAnalysis false"), "=");
    engine.send("flipside-analyze black 1 0.001");
    assert!(engine.until(str::is_empty).iter().all(|line| !line.starts_with("book")));
}

#[test]
fn nboard_says_in_its_status_that_a_move_is_from_the_book() {
    let file = book("nboard");
    let mut engine = Engine::start(&["--nboard", "--book", file.name()]);
    engine.send("set depth 1");
    engine.line();
    let mut asked = |lines: &[&str], end: &str| {
        lines.iter().for_each(|line| engine.send(line));
        engine.until(|line| line.starts_with(end))
    };
    let said = asked(&["go"], "=== ");
    assert!(said[1].starts_with("status book ") && said[1].contains(" certainty mid@95% grade "), "{said:?}");
    assert!(said[2].starts_with("nodestats 0 ") && said[3].starts_with("=== "), "{said:?}");
    assert!(asked(&["hint 2"], "nodestats").iter().all(|line| !line.starts_with("book")));
    let hints = asked(&["ping 1", "set bookanalysis true", "hint 2"], "nodestats");
    let known: Vec<_> = hints.iter().filter(|line| line.starts_with("book ")).collect();
    assert_eq!(known.len(), 4, "{hints:?}");
    let words: Vec<_> = known[0].split(' ').collect();
    assert!(matches!(words[..], ["book", _, _, "12", "24", "backed-up"]), "games and depth: {words:?}");
    let said = asked(&["ping 2", "set book none", "go"], "=== ");
    assert!(said.iter().all(|line| !line.contains("book")), "{said:?}");
}

#[test]
fn xboard_marks_moves_of_the_book() {
    let file = book("xboard");
    let mut engine = Engine::start(&["--xboard", "--game", "reversi", "--book", file.name()]);
    engine.send("new");
    engine.send("sd 1");
    engine.send("bk");
    let moves = engine.until(str::is_empty);
    assert_eq!(moves.len(), 5, "{moves:?}");
    assert!(moves[0].starts_with(" P@") && moves[0].contains(" grade backed-up games 12"), "{moves:?}");
    engine.send("post");
    engine.send("hard");
    engine.send("go");
    let lines = engine.until(|line| line.starts_with("move "));
    assert!(lines[0].starts_with("# book depth 24 ") && lines[1].contains("\t(P@"), "{lines:?}");
    // The engine ponders on the expected answer, but the user sees the position before it.
    engine.send("hint");
    let expected = engine.until(|line| line.starts_with("Hint: "));
    let expected = expected.last().and_then(|line| line.strip_prefix("Hint: ")).expect("a move");
    engine.send("bk");
    let moves = engine.until(str::is_empty);
    assert!(moves.len() == 1 + WIDTH && moves[0].starts_with(&format!(" {expected} ")), "{moves:?}");
    engine.send("option Book=none");
    engine.send("bk");
    engine.until(|line| line == " no book");
}

#[test]
fn json_has_a_field_for_it() {
    let file = book("json");
    let mut engine = Engine::start(&["--protocol", "json", "--book", file.name()]);
    let mut ask = |line: &str| -> Vec<serde_json::Value> {
        engine.send(line);
        let lines = engine.until(|line| line.contains("\"event\":\"answer\"") || line.contains("\"event\":\"error\""));
        lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let known = ask(r#"{"command":"book"}"#).remove(0);
    assert_eq!(known["lines"].as_array().map(Vec::len), Some(4));
    let lines = ask(r#"{"command":"go","depth":2}"#);
    let [info, answer] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((&info["book"], &info["pv"]), (&answer["book"], &answer["pv"]));
    assert_eq!((&answer["book"]["grade"], &answer["book"]["games"]), (&"backed-up".into(), &12.into()));
    assert_eq!((&answer["nodes"], &answer["move"]), (&0.into(), &known["lines"][0]["pv"][0]));
    assert_eq!(ask(r#"{"command":"set","name":"Book","value":"none"}"#)[0]["value"], "none");
    assert_eq!(ask(r#"{"command":"book"}"#)[0]["error"], "no_book");
    assert!(ask(r#"{"command":"go","depth":1}"#).iter().all(|line| line["book"].is_null()));
}

#[test]
fn other_games_have_no_book_and_say_so() {
    let file = book("minichess");
    let refused = flipside(&["--game", "minichess", "--book", file.name()]);
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && text.contains("minichess has no opening book"), "{text}");
    let mut engine = Engine::start_plainly(&["--gtp", "--depth", "1", "--game", "minichess"]);
    assert_eq!(engine.ask("flipside-book"), "? no opening book: minichess has none");
    let answer = engine.ask(&format!("flipside-option Book {}", file.name()));
    assert!(answer.starts_with("? bad value for Book: minichess has no opening book"), "{answer}");
    assert!(engine.ask("genmove white").starts_with("= "));
    assert_eq!(engine.ask("set_game Othello"), "=");
    assert_eq!(engine.ask(&format!("flipside-option Book {}", file.name())), "=");
    assert!(engine.ask("flipside-book").starts_with("= book 1 "));
}

#[test]
fn a_host_that_may_name_no_files_may_choose_no_other_book_file() {
    let file = book("no-files");
    let mut engine = Engine::start(&["--gtp", "--no-files", "--book", file.name()]);
    let shown = engine.ask("flipside-options");
    assert!(shown.contains("Book file (embedded|none|file)") && !shown.contains(file.name()), "{shown}");
    assert!(engine.ask("flipside-option Book /dev/zero").starts_with("? files are forbidden"));
    assert!(engine.ask("flipside-book").starts_with("= book 1 "), "the user's own book is there");
    assert_eq!(engine.ask("flipside-option Book none"), "=");
    assert!(engine.ask("flipside-option Book file").starts_with("? files are forbidden"));
    assert_eq!(engine.ask("flipside-option Book embedded"), "=");
}

#[test]
fn files_that_are_no_books_are_refused_and_change_nothing() {
    let good = book("good");
    let mut damaged = books::bytes(2, 2);
    damaged[30] ^= 1;
    let (damaged, foreign) = (BookFile::new("damaged", &damaged), BookFile::new("foreign", b"(;GM[Othello];)"));
    let mut engine = Engine::start(&["--gtp", "--book", good.name()]);
    for (file, reason) in [
        (damaged.name(), "the header is damaged"),
        (foreign.name(), "not an opening book"),
        ("/nowhere/x.book", ""),
        ("/", "not a regular file"),
    ] {
        let answer = engine.ask(&format!("flipside-option Book {file}"));
        assert!(answer.starts_with(&format!("? bad value for Book: cannot use the book {file}: {reason}")), "{answer}");
        assert!(engine.ask("flipside-book").starts_with("= book 1 "), "the good one is still there");
        let started = flipside(&["--gtp", "--book", file]);
        assert_eq!(started.status.code(), Some(2), "{file}");
        assert!(String::from_utf8_lossy(&started.stderr).contains("cannot use the book"), "{file}");
    }
}

#[test]
fn a_damaged_block_costs_its_positions_only() {
    let mut bytes = BYTES.clone();
    let blocks = bytes.len() / 4096 - 1;
    assert!(blocks > 3, "{blocks}");
    (1..blocks).for_each(|block| bytes[4096 * (1 + block) + 100] ^= 1);
    let file = BookFile::new("block", &bytes);
    let mut engine = Engine::start(&["--gtp", "--depth", "1", "--book", file.name()]);
    let mut searched = 0;
    for colour in ["b", "w"].into_iter().cycle().take(8) {
        assert!(engine.ask(&format!("genmove {colour}")).starts_with("= "));
        searched += usize::from(!engine.ask("flipside-statistics").contains("book"));
    }
    assert!(searched > 0, "most of the book is damaged");
}

#[test]
fn a_file_that_vanishes_or_is_cut_short_ends_the_book_and_not_the_game() {
    let file = book("vanishing");
    let mut engine = Engine::start(&["--gtp", "--depth", "1", "--book", file.name()]);
    engine.ask("genmove b");
    assert!(engine.ask("flipside-statistics").contains("book"));
    #[cfg(unix)]
    {
        std::fs::remove_file(&file.0).expect("the file");
        engine.ask("genmove w");
        assert!(engine.ask("flipside-statistics").contains("book"), "an open file is still there");
        let answer = engine.ask("flipside-option Hash 2");
        assert!(answer.starts_with("? ") && answer.contains(file.name()), "{answer}");
        assert!(engine.ask("flipside-options").lines().any(|line| line.contains("Hash 64 ")), "nothing has changed");
        std::fs::write(&file.0, &*BYTES).expect("the file");
        assert_eq!(engine.ask(&format!("flipside-option Book {}", file.name())), "=");
        std::fs::write(&file.0, b"").expect("cut short");
        assert!(engine.ask("genmove b").starts_with("= "));
        assert!(!engine.ask("flipside-statistics").contains("book"), "it searches");
    }
    assert!(engine.ask("genmove w").starts_with("= "));
}

/// An engine with the book of a file.
fn engine(settings: &Settings) -> Box<dyn DynEngine> {
    registry::open(settings).expect("an engine")
}

fn answer(engine: &dyn DynEngine, settings: &Settings) -> BestMove {
    let request = SearchRequest {
        skill: Skill::new(settings),
        book: BookUse::Play(BookChoice::new(settings)),
        ..SearchRequest::new(Limits { depth: Some(1), ..Limits::default() })
    };
    search_and_wait(engine, request).expect("an answer")
}

/// The first 20 plies of a game of the engine against itself.
fn opening(engine: &mut dyn DynEngine, settings: &Settings) -> String {
    engine.set_position(Start::Initial, &[], Style::Plain, false).expect("the start");
    for _ in 0..20 {
        // A game of such moves may end early.
        let Some(mv) = answer(engine, settings).mv else { break };
        engine.set_position(Start::Here, &[PlayedMove::new(&mv)], Style::Plain, false).expect("a legal move");
    }
    engine.history(Style::Plain).into_iter().map(|(_, mv)| mv).collect()
}

#[test]
fn games_differ_as_the_variety_promises_and_are_repeated_by_their_seed() {
    let file = book("variety");
    let fixed = Settings { book: BookSource::File(file.0.clone()), hash: 1, ..Settings::default() };
    let mut engine = engine(&fixed);
    let mut openings = |error: i32, variety: u32| -> Vec<String> {
        let settings = |seed| Settings { book_error: error, book_variety: variety, seed, ..fixed.clone() };
        (1..=200).map(|seed| opening(engine.as_mut(), &settings(seed))).collect()
    };
    let different = |openings: &[String]| openings.iter().collect::<HashSet<_>>().len();
    assert_eq!(different(&openings(200, 0)), 1, "no variety");
    let (varied, again) = (openings(200, 100), openings(200, 100));
    assert_eq!(varied, again, "the same seeds, the same games");
    assert!(different(&varied) >= 180, "{} of 200 games differ", different(&varied));
    let equals = different(&openings(0, 100));
    assert!((4..180).contains(&equals), "among equally good moves alone, four of them at the start: {equals}");
}

#[test]
fn a_move_from_the_book_is_within_the_error() {
    let file = book("error");
    let fixed = Settings { book: BookSource::File(file.0.clone()), hash: 1, ..Settings::default() };
    let mut engine = engine(&fixed);
    engine.set_position(Start::Initial, &[PlayedMove::new("d3")], Style::Plain, false).expect("a legal move");
    let known = engine.book_lookup(0, Style::Plain).expect("a book")();
    let [best, worse] = &known[..] else { panic!("two moves: {known:?}") };
    let loss = best.info.score - worse.info.score;
    assert!(loss > 0);
    for (error, moves) in [(loss - 1, 1), (loss, 2)] {
        let settings = |seed| Settings { book_error: error, book_variety: 50, seed, ..fixed.clone() };
        let chosen: HashSet<_> = (1..100).map(|seed| answer(engine.as_ref(), &settings(seed)).mv).collect();
        assert_eq!(chosen.len(), moves, "{error} of {loss}");
    }
}

#[test]
fn play_says_that_a_move_is_from_the_book() {
    let file = book("play");
    let both = ["play", "--black", "engine", "--white", "human", "--move-time", "0.01"];
    let told =
        |book: &str| String::from_utf8_lossy(&flipside(&[&both[..], &["--book", book]].concat()).stdout).into_owned();
    let (with, without) = (told(file.name()), told("none"));
    assert!(with.contains("black plays ") && with.contains(" from the book; "), "{with}");
    assert!(without.contains("black plays ") && !without.contains("book"), "{without}");
}

#[test]
fn the_players_of_a_match_use_a_book_if_they_are_told_to() {
    let file = book("match");
    let games = BookFile(file.0.with_extension("json"));
    let with_book = format!("name=a builtin option.Book={}", file.name());
    let outside = format!(
        "name=c protocol=uci 'cmd={} --uci --book {}'",
        env!("CARGO_BIN_EXE_flipside").replace('\\', "/"),
        file.name()
    );
    let start = BookFile::new("start", b"---------------------------OX------XO--------------------------- X\n");
    let arguments = ["match", "--depth", "1", "--games", "2", "--openings", start.name(), "--json", games.name()];
    let engines = ["--engine", &with_book, "--engine", "name=b builtin", "--engine", &outside];
    let done = flipside(&[&arguments[..], &engines[..]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(&games.0).expect("the games");
    for line in text.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for (index, player) in game["players"].as_array().expect("players").iter().enumerate() {
            let moves = game["moves"].as_array().expect("moves").iter().skip(index).step_by(2).take(1);
            let from_book = moves.filter(|mv| mv["book"] == true).count();
            // The second player may face a move that the book does not have.
            let expected = if player == "b" { 0..=0 } else { 1 - index..=1 };
            assert!(expected.contains(&from_book), "{player}: {line}");
        }
    }
}

#[test]
fn ask_and_the_engine_agree() {
    let mut engine = engine(&Settings { hash: 1, ..Settings::default() });
    for moves in ["", "f5", "f5d6c3", "f5f6e6", "c4c3d3c5", "e6f4c3c4d3", "d3c5f6f5e6e3"] {
        let position = Some(moves).filter(|moves| !moves.is_empty());
        let asked = flipside(&["book", "ask", "--json"].into_iter().chain(position).collect::<Vec<_>>());
        let played = |text: &[u8]| PlayedMove::new(std::str::from_utf8(text).expect("a move"));
        let played: Vec<_> = moves.as_bytes().chunks(2).map(played).collect();
        engine.set_position(Start::Initial, &played, Style::Plain, false).expect("legal moves");
        let asked: serde_json::Value = serde_json::from_slice(&asked.stdout).expect("an object");
        let asked: Vec<_> = asked["moves"].as_array().expect("a list").iter().collect();
        let known = engine.book_lookup(0, Style::Plain).expect("a book")();
        assert!(!known.is_empty() && known.len() == asked.len(), "{moves}: {known:?} {asked:?}");
        for (line, asked) in known.iter().zip(asked) {
            assert_eq!(asked["move"], line.info.pv[0].to_lowercase());
            assert_eq!(asked["score"].as_f64(), Some(f64::from(line.info.score) / 100.0));
            assert_eq!(asked["grade"], line.grade.name());
            assert_eq!(asked["depth"].as_i64(), Some(i64::from(line.info.depth)));
            let games: u64 =
                asked["games"].as_array().expect("counts").iter().filter_map(serde_json::Value::as_u64).sum();
            assert_eq!(games, line.games);
        }
    }
}

#[test]
fn nboard_teaches_a_book_in_a_file() {
    let home = Home::new();
    let name = &home.write("small.book", books::bytes(2, WIDTH));
    let mut engine = Engine::start(&["--nboard", "--hash", "2", "--book", name]);
    let learn = |engine: &mut Engine| {
        engine.send("learn");
        engine.until(|line| line == "learned").join("\n")
    };
    for mv in ["F5", "F6", "D3", "G5", "H5", "H4", "F7", "H6", "E7"] {
        engine.send(&format!("move {mv}"));
    }
    let unfinished = learn(&mut engine);
    assert!(unfinished.starts_with("status learned: ") && unfinished.contains("unfinished"), "{unfinished}");
    assert!(unfinished.contains(" new positions"), "{unfinished}");
    let known = flipside(&["book", "ask", "--book", name, "f5f6d3"]);
    assert!(known.status.success(), "{known:?}");
    // A learned game is used at once.
    engine.send("new");
    for mv in ["F5", "F6", "D3"] {
        engine.send(&format!("move {mv}"));
    }
    engine.send("set depth 1");
    engine.send("go");
    let lines = engine.until(|line| line.starts_with("=== "));
    assert!(lines.iter().any(|line| line.starts_with("status book ")), "{lines:?}");
    // A ping during the learning is answered, however much was learned.
    engine.send("new\nmove E6\nmove F6\nmove F5\nlearn\nping 7");
    let lines = engine.until(|line| line == "pong 7");
    assert!(lines.iter().any(|line| line == "learned"), "{lines:?}");
    engine.send("set book none");
    let refused = learn(&mut engine);
    assert_eq!(refused, "status error: no opening book: the option Book is none\nlearned");
    engine.send("set book embedded");
    assert!(learn(&mut engine).contains("the book inside the program learns nothing"));
}

#[test]
fn a_host_that_may_not_open_files_teaches_none() {
    let file = book("forbidden");
    let mut engine = Engine::start(&["--nboard", "--hash", "2", "--book", file.name(), "--no-files"]);
    engine.send("learn");
    assert_eq!(engine.until(|line| line == "learned")[0], "status error: files are forbidden (--no-files)");
}
