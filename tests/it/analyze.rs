//! `flipside analyze` on a random game, as a transcript and as GGF; one verdict for one position in twenty games; reports.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program;
use flipside::games::reversi::board::Board;
use flipside::games::reversi::notation::square_name;
use flipside::games::reversi::obf;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::symmetry::Symmetry;
use flipside::search::game::Game;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::process::Output;

/// Sixty random moves; White wins by thirty.
const GAME: &str = "f5f4f3f6d3f2g6c3b3b2g4g3b1d2c4c5f1g2g1g5c6a1h6a2b5c7f7d6c2h5\
                    b8e7d1a4a3g7h4e3e6h1d8e1e8b4f8h2c1h8a6b6h3g8a5h7b7c8d7a7a8e2";

fn analyze(games: &str, arguments: &[&str]) -> Output {
    run(games, &[&["analyze", "--depth", "4", "--exact-from", "12", "--hash", "4"], arguments].concat())
}

fn run(games: &str, arguments: &[&str]) -> Output {
    program::run(arguments, games)
}

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn discs(mv: &Value, key: &str) -> f64 {
    mv[key].as_f64().expect("discs")
}

/// The score of the best move less the loss of the played move is the negated score of the next position.
#[test]
fn exact_losses_add_up_to_the_result() {
    let output = analyze(GAME, &["--json"]);
    assert!(output.status.success());
    let moves = objects(&output);
    assert_eq!(moves.len(), 60);
    let exact: Vec<_> = moves.iter().filter(|mv| mv["certainty"] == "exact").collect();
    assert_eq!(exact.len(), 12, "{exact:?}");
    let mut losing = 0;
    for pair in exact.windows(2) {
        let sign = if pair[0]["side"] == pair[1]["side"] { 1.0 } else { -1.0 };
        let after = discs(pair[0], "score") - discs(pair[0], "loss");
        assert!((after - sign * discs(pair[1], "score")).abs() < 1e-9, "{pair:?}");
        losing += usize::from(discs(pair[0], "loss") > 0.0);
    }
    assert!(losing > 0, "a random game loses discs");
    for mv in &moves {
        let chances: Vec<u64> = mv["wdl"].as_array().expect("chances").iter().filter_map(Value::as_u64).collect();
        assert_eq!((chances.len(), chances.iter().sum::<u64>()), (3, 1000), "{mv}");
        let certain = [0.0 < discs(mv, "score"), discs(mv, "score") == 0.0, discs(mv, "score") < 0.0];
        assert_eq!(chances == certain.map(|is| 1000 * u64::from(is)), mv["certainty"] == "exact", "{mv}");
    }
    let last = exact.last().expect("a last move");
    let black = if last["side"] == "black" { 1.0 } else { -1.0 };
    assert_eq!(black * (discs(last, "score") - discs(last, "loss")), -30.0);
}

#[test]
fn a_ggf_record_and_its_transcript_have_the_same_analysis() {
    let mut record = String::from("(;GM[Othello]PB[Ann]PW[Bob]\n");
    for mv in objects(&analyze(GAME, &["--json"])) {
        let colour = if mv["side"] == "black" { 'B' } else { 'W' };
        write!(record, "{colour}[{}]", mv["played"].as_str().expect("a move")).expect("engine");
    }
    record += ";)\n";
    let strip = |output: Output| String::from_utf8_lossy(&output.stdout).lines().skip(1).collect::<Vec<_>>().join("\n");
    let ggf = analyze(&record, &[]);
    assert!(String::from_utf8_lossy(&ggf.stdout).starts_with("game 1: Ann - Bob\n"));
    assert_eq!(strip(ggf), strip(analyze(GAME, &[])));
}

#[test]
fn a_bad_game_is_reported_and_the_rest_goes_on() {
    let output = analyze("f5d6\nf5f5\n\nd3c3\n", &["--json"]);
    let moves = objects(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(moves.iter().map(|mv| mv["game"].as_u64()).collect::<Vec<_>>(), [1, 1, 2, 2].map(Some));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "flipside: game 2 (line 2): move 2: 'f5' is not legal for white; legal: f4 d6 f6\n");
}

#[test]
fn every_game_gets_its_chart() {
    let home = Home::new();
    let output = analyze(&format!("{GAME}\nf5d6c3\n"), &["--svg", &home.path("game.svg")]);
    assert!(output.status.success(), "{output:?}");
    let pictures = [("game.svg", "game 1"), ("game-2.svg", "game 2")].map(|(name, title)| (home.read(name), title));
    for (svg, title) in &pictures {
        for part in ["<svg", title, "polyline", "score for Black"] {
            assert!(svg.contains(part), "{part}");
        }
    }
    assert_eq!(pictures[0].0.matches("class=\"field\"").count(), 3, "the boards of the worst moves");
}

#[test]
fn a_report_is_one_page_that_needs_no_other() {
    let home = Home::new();
    let games = format!("{GAME}\n(;GM[Othello]PB[<Ann>]PW[Bob & Co]B[f5]W[d6];)\n");
    let output = analyze(&games, &["--all-moves", "--html", &home.path("report.html")]);
    assert!(output.status.success(), "{output:?}");
    let page = home.read("report.html");
    for outside in ["<script", "<link", "<img", "@import", "src=", "href="] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("http").count(), page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
    assert_eq!((page.matches("<section>").count(), page.matches("</section>").count()), (2, 2));
    let rows = page.matches("<tr><td>").count();
    assert_eq!(rows, 60 + 2, "a row for each move");
    for part in ["&lt;Ann&gt; - Bob &amp; Co", "Opening: Perpendicular", "color-scheme", "viewport"] {
        assert!(page.contains(part), "{part}");
    }
    // The four first moves are worth the same.
    let score = page.split("f5 ").nth(1).and_then(|rest| rest.split(',').next()).expect("a score of f5");
    assert!(score.starts_with(['+', '-']) && score.parse::<f32>().is_ok(), "{score}");
    let all = format!("d3 {score}, c4 {score}, f5 {score}, e6 {score}");
    assert!(page.contains(&all), "{all}");
    for (open, close) in
        [("<svg", "</svg>"), ("<table", "</table>"), ("<tr>", "</tr>"), ("<td", "</td>"), ("<div", "</div>")]
    {
        assert_eq!(page.matches(open).count(), page.matches(close).count(), "{open}");
    }
}

#[test]
fn the_text_fits_eighty_columns() {
    let output = analyze(GAME, &["--all-moves"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.starts_with("game 1\nopening: "), "{text}");
    let counted = ["black: ", "white: ", "costliest: "].iter().all(|word| text.contains(word));
    assert!(counted && text.contains(" blunders; ") && text.contains("exact"), "{text}");
}

#[test]
fn verdicts_follow_from_losses() {
    let moves = objects(&analyze(GAME, &["--json"]));
    let mut seen = BTreeSet::new();
    for mv in &moves {
        let (loss, verdict) = (discs(mv, "loss"), mv["verdict"].as_str().expect("a word"));
        seen.insert(verdict.to_string());
        // At depth four the noise is less than four discs.
        let fits = match verdict {
            "best" => loss == 0.0,
            "equal" => loss > 0.0 && loss <= 4.0 && mv["certainty"] != "exact",
            "inaccuracy" => loss > 0.0 && loss < 3.0,
            "mistake" => (3.0..8.0).contains(&loss),
            "blunder" => loss >= 8.0,
            _ => false,
        };
        assert!(fits, "{mv}");
        assert_eq!(mv["pv"][0], mv["best"]);
        let (_, black) = obf::position(mv["position"].as_str().expect("a position")).expect("a position");
        assert_eq!(black, mv["side"] == "black");
    }
    assert!(["best", "equal", "mistake", "blunder"].iter().all(|word| seen.contains(*word)), "{seen:?}");
}

#[test]
fn openings_are_named_from_the_move_that_reaches_them() {
    let moves = objects(&analyze("c4e3f6e6f5\n", &["--json"]));
    let names: Vec<_> = moves.iter().map(|mv| mv["opening"].as_str()).collect();
    assert_eq!(names, [None, Some("Perpendicular"), Some("Perpendicular"), Some("Perpendicular"), Some("Tiger")]);
}

/// The number of exact moves at the end.
fn exact_from(arguments: &[&str]) -> usize {
    let arguments = [&["analyze", "--json", "--hash", "4"], arguments].concat();
    let moves = objects(&run(GAME, &arguments));
    let exact = moves.iter().rev().take_while(|mv| mv["certainty"] == "exact").count();
    assert!(moves.iter().rev().skip(exact).all(|mv| mv["certainty"] != "exact"), "{arguments:?}");
    exact
}

#[test]
fn positions_are_exact_from_so_many_empty_squares_on() {
    assert_eq!(exact_from(&["--depth", "1", "--exact-from", "7"]), 7);
    assert_eq!(exact_from(&["--depth", "1", "--exact", "9"]), 9, "the earlier name");
    assert_eq!(exact_from(&["--time", "0.001", "--exact-from", "0"]), 1, "one ply reaches the end");
    assert_eq!(exact_from(&["--depth", "6", "--exact-from", "0"]), 6, "so deep a search reaches the end");
    assert_eq!(exact_from(&["--time", "0.002"]), 12, "less than for half a second");
}

#[test]
fn time_and_depth_limit_the_search() {
    let depths = |arguments: &[&str]| -> Vec<u64> {
        let moves = objects(&run("f5d6c3d3c4\n", &[&["analyze", "--json", "--hash", "4"], arguments].concat()));
        moves.iter().map(|mv| mv["depth"].as_u64().expect("plies")).collect()
    };
    assert_eq!(depths(&["--depth", "3"]), [3; 5]);
    assert_eq!(depths(&["--depth", "3", "--time", "0.01"]), [3; 5]);
    let (short, long) = (depths(&["--time", "0.000001"]), depths(&["--time", "0.05"]));
    assert!(short.iter().zip(&long).all(|(short, long)| 1 <= *short && short < long), "{short:?} {long:?}");
    assert_eq!(depths(&["--time", "0.000001"]), short, "the same work again");
    for wrong in [&["--time", "0"][..], &["--time", "fast"], &["--depth", "0"], &["--exact-from", "61"]] {
        assert_eq!(run("", &[&["analyze"], wrong].concat()).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn all_moves_are_told_on_request() {
    let rules = Reversi::portable();
    for mv in objects(&analyze(GAME, &["--json", "--all-moves"])) {
        let (board, _) = obf::position(mv["position"].as_str().expect("a position")).expect("a position");
        let legal: BTreeSet<_> = rules.moves(&board).map(|mv| square_name(mv.square).to_lowercase()).collect();
        let scored = mv["moves"].as_array().expect("moves");
        let scores: HashMap<_, _> =
            scored.iter().map(|pair| (pair[0].as_str().expect("a move"), pair[1].as_f64())).collect();
        assert_eq!(scores.keys().map(|name| name.to_string()).collect::<BTreeSet<_>>(), legal);
        assert!(scored.is_sorted_by(|one, two| one[1].as_f64() >= two[1].as_f64()), "{mv}");
        let (best, played) =
            (scores[mv["best"].as_str().expect("a move")], scores[mv["played"].as_str().expect("a move")]);
        let loss = best.expect("a score") - played.expect("a score");
        assert!(best == mv["score"].as_f64() && (loss - discs(&mv, "loss")).abs() < 1e-9, "{mv}");
    }
}

/// The move sequences of `plies` plies that lead from the start to each position, by canonical position.
fn ways(plies: usize) -> HashMap<(u64, u64), Vec<(String, Board)>> {
    let rules = Reversi::portable();
    let mut games = vec![(String::new(), Board::START)];
    for _ in 0..plies {
        let longer = |(moves, board): &(String, Board)| {
            let board = *board;
            let moves = moves.clone();
            rules
                .moves(&board)
                .map(move |mv| (moves.clone() + &square_name(mv.square), board.after(mv)))
                .collect::<Vec<_>>()
        };
        games = games.iter().flat_map(longer).collect();
    }
    let mut ways: HashMap<_, Vec<_>> = HashMap::new();
    for (moves, board) in games {
        let (canonical, _) = Symmetry::canonical(board);
        ways.entry((canonical.player, canonical.opponent)).or_default().push((moves, board));
    }
    ways
}

/// A position whose eight images are all different.
fn is_lopsided((player, opponent): &(u64, u64)) -> bool {
    let board = Board { player: *player, opponent: *opponent };
    Symmetry::ALL.iter().filter(|symmetry| symmetry.board(board) == board).count() == 1
}

/// What a move's analysis says about its position, turned to the canonical image.
fn verdict_on_position(mv: &Value) -> (String, Value, Value, BTreeMap<String, String>) {
    let (board, _) = obf::position(mv["position"].as_str().expect("a position")).expect("a position");
    let (canonical, symmetry) = Symmetry::canonical(board);
    let turned = |name: &Value| {
        let (_, square) = obf::square(name.as_str().expect("a move")).expect("a move");
        obf::square_name(symmetry.square(square))
    };
    let moves = mv["moves"].as_array().expect("moves").iter().map(|pair| (turned(&pair[0]), pair[1].to_string()));
    (obf::show(canonical, true) + &turned(&mv["best"]), mv["score"].clone(), mv["certainty"].clone(), moves.collect())
}

/// The same position has one analysis in twenty games that reach it by other moves, mirrored, and leave it by other
/// moves; also with the games in another order and two threads, and for a game alone.
#[test]
fn a_position_has_one_verdict_in_twenty_games() {
    const PLIES: usize = 7;
    let mut ways: Vec<_> =
        ways(PLIES).into_iter().filter(|(position, ways)| ways.len() >= 20 && is_lopsided(position)).collect();
    ways.sort_by_key(|(position, _)| *position);
    let (_, games) = ways.first().expect("a position with twenty ways to it");
    // Spread over all sequences, so that mirrored games and transpositions occur.
    let spread = (0..20).map(|index| &games[index * games.len() / 20]);
    let boards: BTreeSet<_> = spread.clone().map(|(_, board)| (board.player, board.opponent)).collect();
    assert!(boards.len() > 1, "mirrored positions");
    let rules = Reversi::portable();
    let continued = spread.enumerate().map(|(index, (moves, board))| {
        let (mut moves, mut board) = (moves.clone(), *board);
        for _ in 0..3 {
            let legal: Vec<_> = rules.moves(&board).collect();
            let mv = legal[index % legal.len()];
            moves += &square_name(mv.square);
            board = board.after(mv);
        }
        moves
    });
    let games: Vec<String> = continued.collect();
    assert_eq!(games.iter().collect::<BTreeSet<_>>().len(), 20, "{games:?}");
    let analysed = |games: &[String], arguments: &[&str]| {
        let arguments = [&["analyze", "--json", "--all-moves", "--time", "0.005", "--hash", "4"], arguments].concat();
        let moves = objects(&run(&(games.join("\n") + "\n"), &arguments));
        moves.into_iter().filter(|mv| mv["number"] == PLIES + 1).collect::<Vec<_>>()
    };
    let reversed: Vec<String> = games.iter().rev().cloned().collect();
    let all = [analysed(&games, &[]), analysed(&reversed, &["--threads", "2"]), analysed(&games[7..8], &[])].concat();
    assert_eq!(all.len(), 41);
    let first = verdict_on_position(&all[0]);
    let mut by_move: HashMap<String, (Value, Value)> = HashMap::new();
    for mv in &all {
        assert_eq!(verdict_on_position(mv), first);
        let (board, _) = obf::position(mv["position"].as_str().expect("a position")).expect("a position");
        let (_, square) = obf::square(mv["played"].as_str().expect("a move")).expect("a move");
        let played = obf::square_name(Symmetry::canonical(board).1.square(square));
        let cost = (mv["loss"].clone(), mv["verdict"].clone());
        assert_eq!(by_move.entry(played).or_insert_with(|| cost.clone()), &cost, "{mv}");
    }
    assert!(by_move.len() > 3, "several moves were played there: {by_move:?}");
}

/// The review at the end of a game of `flipside play` names the moves that `flipside analyze` finds the costliest.
#[test]
fn the_review_of_a_played_game_says_the_same() {
    let (moves, last) = (&GAME[..24], &GAME[24..26]);
    let home = Home::new();
    let path = home.write("played.txt", moves);
    // The game ends by the clock.
    let words = format!("load {path}\n{last}\n");
    let played = run(&words, &["play", "--black", "human", "--white", "human", "--tc", "0.000000001"]);
    let text = String::from_utf8_lossy(&played.stdout).to_lowercase();
    let (_, named) = text.split_once("costliest moves:\n").expect("a review");
    let mut analysed = objects(&run(&GAME[..26], &["analyze", "--json", "--time", "0.05"]));
    assert_eq!(analysed.len(), 13);
    analysed.sort_by(|one, two| discs(two, "loss").total_cmp(&discs(one, "loss")));
    let said = |mv: &Value| {
        let [side, played, best, verdict] =
            ["side", "played", "best", "verdict"].map(|key| mv[key].as_str().expect("a word"));
        format!("  {}. {played} ({side}) lost {:.2}; best was {best} ({verdict})\n", mv["number"], discs(mv, "loss"))
    };
    let expected: String = analysed.iter().take(3).map(said).collect();
    assert!(named.starts_with(&expected), "{expected}{named}");
}
