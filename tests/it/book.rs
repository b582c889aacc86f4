//! `flipside book`: small books are built, asked, taught and exchanged; reported results are never lost.
#![cfg(all(unix, feature = "cli"))]

use crate::common::books;
use crate::common::home::Home;
use crate::common::program::{run, stderr, stdout};
use flipside::games::reversi::board::{Board, PASS};
use flipside::games::reversi::book::reader::Book;
use flipside::games::reversi::book::store::BookStore;
use flipside::games::reversi::obf;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::symmetry::Symmetry;
use flipside::search::game::Game;
use flipside::support::random::Random;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn flipside(words: &[&str]) -> Output {
    run(words, "")
}

impl Home {
    /// A book of `positions` positions by shallow searches.
    fn book(&self, name: &str, positions: &str) -> String {
        let path = self.path(name);
        let depths = ["--quick-depth", "4", "--depth", "5", "--best", "10", "--best-depth", "6"];
        let built = flipside(&[&["book", "build", "--book", &path, "--positions", positions], &depths[..]].concat());
        assert!(built.status.success(), "{}", stderr(&built));
        path
    }
}

#[test]
fn a_book_is_built_asked_and_built_on() {
    let home = Home::new();
    let book = home.book("b", "60");
    let stats = stdout(&flipside(&["book", "stats", "--book", &book]));
    assert!(stats.starts_with("60 positions, 8192 bytes, 1 blocks, 0 damaged"), "{stats}");
    // Symmetric first moves have one value.
    let ask = |position: &str| flipside(&["book", "ask", "--book", &book, position]);
    let scores: BTreeSet<_> = ["f5", "d3", "c4", "e6"]
        .iter()
        .map(|first| stdout(&ask(first)).lines().nth(1).expect("a value").to_string())
        .collect();
    assert_eq!(scores.len(), 1, "{scores:?}");
    // The answers equal those of the reader.
    let start = Book::open(Path::new(&book)).expect("a book").probe(Board::START).expect("the start");
    let answer = stdout(&flipside(&["book", "ask", "--book", &book]));
    assert!(answer.contains(&format!("{:+.2}  backed-up", f64::from(start.value.score) / 100.0)), "{answer}");
    assert_eq!(stdout(&ask("")), answer, "an empty text is the start");
    let unknown = ask("f5f6e6d6c5e3d3g5f3c3");
    assert!(unknown.status.code() == Some(1) && stdout(&unknown).ends_with("not in the book\n"));
    let wrong = ask("f5f5");
    assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains("'f5' is not legal"), "{}", stderr(&wrong));
    // The same book grows.
    assert!(
        stdout(&flipside(&["book", "build", "--book", &book, "--positions", "60", "--depth", "5", "--best", "0"]))
            .starts_with("60 positions of 60")
    );
    assert_eq!(Book::open(Path::new(&home.book("b", "80"))).expect("a book").positions(), 80);
}

#[test]
fn a_book_survives_export_import_merge_and_prune() {
    let home = Home::new();
    let (book, copy) = (home.book("b", "60"), home.path("copy"));
    let exported = stdout(&flipside(&["book", "export", "--book", &book]));
    fs::write(home.path("lines"), &exported).expect("a file");
    let imported = flipside(&["book", "import", "--book", &copy, &home.path("lines")]);
    assert_eq!(stdout(&imported), "60 positions imported, 60 in the book\n", "{}", stderr(&imported));
    assert_eq!(stdout(&flipside(&["book", "export", "--book", &copy])), exported);
    // A bad line leaves the book as it is.
    let bad = exported.replacen("\"score\":", "\"score\":99999", 1);
    fs::write(home.path("bad"), bad).expect("a file");
    let refused = flipside(&["book", "import", "--book", &copy, &home.path("bad")]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("line 1"), "{}", stderr(&refused));
    assert_eq!(stdout(&flipside(&["book", "export", "--book", &copy])), exported);
    let merged = flipside(&["book", "merge", "--book", &copy, &book]);
    assert!(stdout(&merged).starts_with("60 positions, 0 of them"), "{}", stdout(&merged));
    let value = |path: &str| Book::open(Path::new(path)).expect("a book").probe(Board::START).expect("the start").value;
    let before = value(&copy);
    let pruned = stdout(&flipside(&["book", "prune", "--book", &copy, "--plies", "3"]));
    assert!(pruned.ends_with(" removed\n") && !pruned.starts_with("60 "), "{pruned}");
    // What it rests on now stands for several moves: it is no surer than any of them.
    let after = value(&copy);
    assert_eq!((after.score, after.grade), (before.score, before.grade));
    assert!(after.depth <= before.depth && after.selectivity <= before.selectivity, "{after:?} {before:?}");
    let book = Book::open(Path::new(&copy)).expect("a book");
    assert!(book.entries().all(|entry| entry.expect("sound").0.empties() >= 57));
}

#[test]
fn an_export_as_obf_holds_every_position_with_the_values_of_its_moves() {
    let home = Home::new();
    let path = home.book("b", "60");
    let book = Book::open(Path::new(&path)).expect("a book");
    let exported = stdout(&flipside(&["book", "export", "--book", &path, "--format", "obf"]));
    let mut positions = 0;
    for (line, entry) in exported.lines().zip(book.entries()) {
        let (board, entry) = entry.expect("sound");
        let found = obf::line(line).expect("OBF");
        let whole = |score: i32| (f64::from(score) / 100.0).round() as i32;
        let moves: Vec<(u8, i32)> = book.moves(board).iter().map(|mv| (mv.square, whole(mv.value.score))).collect();
        assert_eq!((found.board, found.black_to_move, found.moves), (board, true, moves), "{line}");
        assert!(found.comment.starts_with(&entry.value.grade.to_string()), "{line}");
        positions += 1;
    }
    assert_eq!((positions, exported.lines().count()), (60, 60));
    fs::write(home.path("lines.obf"), &exported).expect("a file");
    let converted = stdout(&flipside(&["convert", "--to", "fen", &home.path("lines.obf")]));
    assert_eq!(converted.lines().count(), 60, "other readers take it: {converted}");
}

/// The lines of a book by its definition, as sequences of canonical positions; uses only the reader's moves.
fn brute_lines(book: &Book, board: Board, left: i32, path: &mut Vec<Board>, found: &mut BTreeSet<Vec<[u64; 2]>>) {
    let entry = book.probe(board).expect("a position of the book");
    let mut is_end = true;
    for mv in book.moves(board).iter().filter(|mv| mv.in_book) {
        let loss = entry.value.score - mv.value.score;
        if loss <= left {
            is_end = false;
            let child = after(board, mv.square);
            path.push(Symmetry::canonical(child).0);
            brute_lines(book, child, left - loss, path, found);
            path.pop();
        }
    }
    if is_end && !path.is_empty() {
        found.insert(path.iter().map(|board| [board.player, board.opponent]).collect());
    }
}

fn after(board: Board, square: u8) -> Board {
    board.after(Reversi::portable().moves(&board).find(|mv| mv.square == square).expect("a legal move"))
}

fn canonical_line(transcript: &str) -> Vec<[u64; 2]> {
    let mut board = Board::START;
    let squares = transcript.as_bytes().chunks(2).map(|word| (word[1] - b'1') * 8 + word[0] - b'a');
    let canonical = |square| {
        board = after(board, square);
        let (canonical, _) = Symmetry::canonical(board);
        [canonical.player, canonical.opponent]
    };
    squares.map(canonical).collect()
}

/// The positions that a player meets who always makes the first best move; uses only the reader's moves.
fn brute_repertoire(book: &Book, board: Board, is_own: bool, left: i32, met: &mut HashSet<Board>) {
    let Some(entry) = book.probe(board) else { return };
    if is_own && Reversi::portable().placements(board) != 0 {
        met.insert(Symmetry::canonical(board).0);
    }
    let moves = book.moves(board);
    let own = moves.iter().filter(|mv| mv.in_book && mv.value.score == entry.value.score);
    if is_own {
        let first = own.min_by_key(|mv| {
            let (canonical, _) = Symmetry::canonical(after(board, mv.square));
            (canonical.player, canonical.opponent)
        });
        let Some(best) = first else { return };
        return brute_repertoire(book, after(board, best.square), false, left, met);
    }
    for mv in moves.iter().filter(|mv| mv.in_book && entry.value.score - mv.value.score <= left) {
        brute_repertoire(book, after(board, mv.square), true, left - (entry.value.score - mv.value.score), met);
    }
}

#[test]
fn lines_are_those_of_brute_force() {
    let home = Home::new();
    let path = home.book("b", "150");
    let book = Book::open(Path::new(&path)).expect("a book");
    for within in ["0", "1", "2.5"] {
        let left = (within.parse::<f64>().expect("a number") * 100.0) as i32;
        let mut expected = BTreeSet::new();
        brute_lines(&book, Board::START, left, &mut Vec::new(), &mut expected);
        let printed = stdout(&flipside(&["book", "lines", "--book", &path, "--within", within]));
        let lines: Vec<_> = printed.lines().collect();
        let (shown, summary) = lines.split_at(lines.len() - 2);
        let found: Vec<_> = shown.iter().map(|line| line.split('\t').next().expect("moves")).collect();
        assert_eq!(found.iter().map(|line| canonical_line(line)).collect::<BTreeSet<_>>(), expected, "{within}");
        assert_eq!(found.len(), expected.len(), "each once");
        assert!(summary[0].starts_with(&format!("{} lines within", expected.len())), "{summary:?}");
        let counts = [true, false].map(|is_own| {
            let mut met = HashSet::new();
            brute_repertoire(&book, Board::START, is_own, left, &mut met);
            met.len()
        });
        assert_eq!(summary[1], format!("positions to remember: black {}, white {}", counts[0], counts[1]));
    }
    let svg = home.path("tree.svg");
    assert!(flipside(&["book", "draw", "--book", &path, "--out", &svg]).status.success());
    assert!(fs::read_to_string(&svg).expect("a picture").ends_with("</svg>\n"));
}

/// A random whole game as a transcript.
fn game(random: &mut Random) -> String {
    let rules = Reversi::portable();
    let (mut board, mut transcript) = (Board::START, String::new());
    loop {
        let moves: Vec<_> = rules.moves(&board).collect();
        if moves.is_empty() {
            return transcript;
        }
        let mv = moves[random.below(moves.len())];
        if mv.square != PASS {
            transcript.push((b'a' + mv.square % 8) as char);
            transcript.push((b'1' + mv.square / 8) as char);
        }
        board = board.after(mv);
    }
}

fn games(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    (0..count).map(|_| game(&mut random)).collect()
}

/// `learn` from standard input, in a shell whose `before` may set limits.
fn learn(before: &str, book: &str, plies: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("{before} exec \"$0\" book learn --book \"$1\" --plies {plies} --depth 1 --hash 2");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_flipside"), book]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// All positions of the games' first moves and all games are in the book with its journal.
fn assert_learned(book: &Path, games: &[String], plies: usize, at_most: u64) {
    if book.exists() {
        Book::open(book).expect("a book");
    }
    let store = BookStore::open(book).expect("a book with its journal");
    let start = store.graph.get(Board::START);
    let counted = start.map_or(0, |start| start.games.total());
    assert!((games.len() as u64..=at_most).contains(&counted), "{} reported, {counted} counted", games.len());
    for game in games {
        let mut board = Board::START;
        for word in game.as_bytes().chunks(2).take(plies) {
            board = after(board, (word[1] - b'1') * 8 + word[0] - b'a');
            assert!(store.graph.get(board).is_some(), "{game}");
            if Reversi::portable().placements(board) == 0 {
                break;
            }
        }
    }
}

#[test]
fn games_and_better_moves_are_learned() {
    let home = Home::new();
    let book = home.path("b");
    let file = home.path("games");
    fs::write(&file, format!("{}\nf5f5\nf5d6c3\n", games(1, 5)[0])).expect("a file");
    let learned = flipside(&["book", "learn", "--book", &book, "--plies", "10", "--depth", "2", &file]);
    let lines = stdout(&learned);
    assert!(lines.starts_with("game 1: 12 new positions"), "{lines}");
    assert!(lines.contains("the loser had") && lines.contains("game 2: "), "{lines}");
    assert!(lines.ends_with("unfinished\n"), "{lines}");
    assert!(
        learned.status.code() == Some(1)
            && stderr(&learned).starts_with(&format!("flipside: {file}: game 2 (line 2): move 2: 'f5' is not legal"))
    );
    assert_eq!(Book::open(Path::new(&book)).expect("a book").probe(Board::START).expect("the start").games.total(), 1);
}

/// Kills at random moments: a few, or `FLIPSIDE_KILLS`.
#[test]
fn kills_lose_nothing_that_was_learned() {
    let kills: usize = std::env::var("FLIPSIDE_KILLS").map_or(4, |text| text.parse().expect("a number"));
    let home = Home::new();
    let book = PathBuf::from(home.path("b"));
    let mut random = Random(3);
    let (mut reported, mut runs) = (Vec::new(), 0);
    let mut run_time = Duration::from_millis(200);
    for kill in 0..=kills {
        let batch = games(6, 100 + kill as u64);
        let begun = Instant::now();
        let mut child = learn("", book.to_str().expect("a path"), "6").spawn().expect("the program");
        child.stdin.take().expect("a pipe").write_all((batch.join("\n") + "\n").as_bytes()).expect("games");
        if kill > 0 {
            std::thread::sleep(run_time.mul_f64(random.below(1000) as f64 / 1000.0));
            child.kill().expect("a child");
        }
        let output = child.wait_with_output().expect("an end");
        if kill == 0 {
            run_time = begun.elapsed();
        }
        let told = stdout(&output);
        let whole = told.rfind('\n').map_or("", |end| &told[..end]);
        reported.extend(batch.into_iter().take(whole.lines().count()));
        runs += 1;
        // The journal may hold one game more than was reported.
        assert_learned(&book, &reported, 6, reported.len() as u64 + runs);
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_learned() {
    let home = Home::new();
    let book = home.path("b");
    let batch = games(40, 9);
    let mut child = learn("trap '' XFSZ; ulimit -f 12;", &book, "8").spawn().expect("the program");
    child.stdin.take().expect("a pipe").write_all((batch.join("\n") + "\n").as_bytes()).expect("games");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.code() == Some(2) && !stderr(&output).is_empty(), "{}", stderr(&output));
    let told = stdout(&output).lines().count();
    assert!((1..40).contains(&told), "{told}");
    assert_learned(Path::new(&book), &batch[..told], 8, told as u64 + 1);
}

#[test]
fn a_check_reports_what_changes() {
    let home = Home::new();
    let book = home.book("b", "30");
    let checked = stdout(&flipside(&["book", "check", "--book", &book, "--count", "5", "--deeper", "2"]));
    assert!(checked.contains("5 values searched again: mean absolute change "), "{checked}");
    let stats = stdout(&flipside(&["book", "stats", "--book", &book]));
    assert!(stats.contains("searches: ") && stats.starts_with("30 positions"), "{stats}");
    // The earlier value is the book's value of the best move out of it.
    let object = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("an object");
    let exported = stdout(&flipside(&["book", "export", "--book", &book]));
    let before: Vec<_> = exported.lines().map(object).collect();
    let args = ["book", "check", "--book", &book, "--count", "9", "--deeper", "1", "--threads", "2", "--json"];
    let found = object(&stdout(&flipside(&args)));
    let changes = found["changes"].as_array().expect("changes");
    for change in changes {
        let known = before.iter().find(|entry| entry["position"] == change["position"]).expect("a position");
        assert_eq!(change["score_before"], known["deviation"]["score"], "{change}");
    }
    assert_eq!(changes.len(), 9);
    // Solves would take too long, so positions that a deeper search would solve are left out.
    let none = stdout(&flipside(&["book", "check", "--book", &book, "--count", "5", "--deeper", "60"]));
    assert!(none.starts_with("0 values searched again"), "{none}");
    // With nothing left to deepen, nothing changes; the embedded book stays as it is.
    let again = stdout(&flipside(&["book", "check", "--count", "1", "--deeper", "0", "--selectivity", "73"]));
    assert!(again.contains("1 values searched again"), "{again}");
}

/// Three positions; in the first, perfect play is +12 by g3. f2 is solved, c3 searched to two plies for all other moves.
const PRUNE_EXACT: &str = include_str!("../data/prune_exact.jsonl");

#[test]
fn what_a_removed_move_leaves_behind_is_as_sure_as_the_least_sure_move() {
    let home = Home::new();
    let (book, lines) = (home.path("b"), home.write("lines", PRUNE_EXACT));
    let imported = flipside(&["book", "import", "--book", &book, &lines]);
    assert_eq!(stdout(&imported), "3 positions imported, 3 in the book\n", "{}", stderr(&imported));
    let pruned = flipside(&["book", "prune", "--plies", "52", "--book", &book]);
    assert_eq!(stdout(&pruned), "1 positions, 2 removed\n", "{}", stderr(&pruned));
    let exported = stdout(&flipside(&["book", "export", "--book", &book]));
    let entry: serde_json::Value = serde_json::from_str(exported.trim()).expect("an object");
    for value in [&entry, &entry["deviation"]] {
        assert_eq!((&value["score"], &value["grade"]), (&2.0.into(), &"searched".into()), "{entry}");
        assert_eq!((&value["depth"], &value["selectivity"]), (&3.into(), &73.into()), "{entry}");
    }
}

#[test]
fn a_check_finds_values_that_claim_more_than_the_book_shows() {
    let home = Home::new();
    let book = home.write("b", books::claiming_bytes());
    let check =
        |words: &[&str]| stdout(&flipside(&[&["book", "check", "--book", &book, "--count", "0"], words].concat()));
    let copy = fs::read(&book).expect("the book");
    let found: serde_json::Value = serde_json::from_str(&check(&["--json"])).expect("an object");
    let claims = found["unfounded"].as_array().expect("an array");
    assert_eq!(claims.len(), 2, "{found}");
    assert_eq!((&claims[0]["grade"], &claims[0]["shown"]), (&"proven".into(), &"backed-up".into()), "{found}");
    assert_eq!((&claims[1]["grade"], claims[1].get("move")), (&"exact".into(), None), "{found}");
    // The book has taken what is shown; before, the words say the same.
    assert!(!check(&[]).contains("claim"), "{}", check(&[]));
    fs::write(&book, copy).expect("the book");
    assert!(check(&[]).ends_with("2 values claim more than the book shows\n"));
    // The book inside the program claims nothing of the kind.
    let own = stdout(&flipside(&["book", "check", "--count", "0", "--json"]));
    assert!(own.contains("\"unfounded\":[]"), "{own}");
}

#[test]
fn stats_count_every_block_that_is_missing() {
    let (home, mut bytes) = (Home::new(), books::bytes(7, 3));
    let blocks = bytes.len() / 4096 - 1;
    assert!(blocks > 3, "{blocks}");
    bytes.truncate(4096 * 2);
    let book = home.write("cut", bytes);
    let output = flipside(&["book", "stats", "--book", &book]);
    let expected = format!(", 8192 bytes, {blocks} blocks, {} damaged", blocks - 1);
    assert!(output.status.code() == Some(1) && stdout(&output).contains(&expected), "{}", stdout(&output));
}
