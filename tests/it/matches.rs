//! `flipside match` against small engines with one fault each, and against itself.
#![cfg(all(unix, feature = "cli"))]

use crate::common::home::Home;
use crate::common::program::without_times;
use crate::faulty::engine;
use flipside::api::command::PlayedMove;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::record::ggf::GgfGame;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use std::process::{Command, Output};

fn flipside(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flipside")).args(arguments).output().expect("flipside runs")
}

/// Two games of a builtin player against the faulty engine over a protocol: the lines of JSON, the report, and whether the
/// status was success. Only an engine that hangs needs a short stall timeout.
fn games_against(fault: &str, protocol: &str) -> (Vec<serde_json::Value>, String, bool) {
    let home = Home::new();
    let file = home.path(&format!("{fault}-{protocol}.json"));
    let program = engine().display();
    let seconds = if fault == "slow" { 1 } else { 1000 };
    let bad = format!("name=bad cmd='{program} {fault} {protocol}' protocol={protocol} tc={seconds}");
    let output = flipside(&[
        "match",
        "--engine",
        "name=good builtin nodes=200 option.Hash=1",
        "--engine",
        &if fault == "hang" { bad.replace("tc=1000", "depth=2 quirk=own-limits") } else { bad },
        "--games",
        "2",
        "--concurrency",
        "2",
        "--stall-timeout",
        if fault == "hang" { "1" } else { "60" },
        "--json",
        &file,
    ]);
    let text = std::fs::read_to_string(&file).expect("the games");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 2), "{fault}: {errors}");
    let failed = errors.contains("bad lost every game (2) by its own fault: ") && errors.contains(" in 2 games");
    assert_eq!(output.status.success(), !failed, "{fault}: {errors}");
    (lines, String::from_utf8_lossy(&output.stdout).to_string(), output.status.success())
}

/// An NBoard engine knows its clock only from the times of the moves.
#[test]
fn moves_are_sent_to_nboard_engines_with_their_times() {
    let home = Home::new();
    let log = home.path("nboard.log");
    let player = format!("name=n protocol=nboard cmd='{} --nboard --hash 1'", env!("CARGO_BIN_EXE_flipside"));
    let output = flipside(&[
        "match",
        "--engine",
        &player,
        "--engine",
        "name=b builtin option.Hash=1",
        "--tc",
        "1+0.01",
        "--games",
        "2",
        "--log",
        &log,
    ]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&log).expect("the traffic");
    let games = text.split("n < set game ").skip(1);
    let mut timed = 0;
    for game in games {
        let moves: Vec<&str> = game.lines().filter_map(|line| Some(line.split_once("n < move ")?.1)).collect();
        let squares = moves.iter().filter(|mv| !mv.starts_with("PA"));
        // The first move may be the opponent's, whose clock was not known before.
        let without = squares.clone().skip(1).find(|mv| mv.rsplit_once('/').is_none_or(|(_, time)| time.is_empty()));
        assert_eq!(without, None, "{moves:?}");
        timed += squares.count();
    }
    assert!(timed > 40, "two games were played: {text}");
}

/// Checks that the faulty player loses both games for this reason, and that the status reports that it finished no
/// game.
fn loses_by(fault: &str, protocol: &str, reason: &str, printed: &str) {
    let (games, report, success) = games_against(fault, protocol);
    assert!(games.len() == 2 && !success, "{fault} {protocol}");
    for game in games {
        assert_eq!(game["reason"], reason, "{game}");
        let bad_is_first = game["players"][0] == "bad";
        assert_eq!(game["result"], if bad_is_first { "0-1" } else { "1-0" }, "{game}");
    }
    assert!(report.contains(&format!("bad: {printed} in 2 games")), "{report}");
}

const PROTOCOLS: [&str; 4] = ["gtp", "nboard", "uci", "xboard"];

#[test]
fn an_illegal_move_loses() {
    PROTOCOLS.into_iter().for_each(|protocol| loses_by("illegal", protocol, "illegal", "illegal move"));
}

#[test]
fn a_stalled_engine_is_not_waited_for() {
    PROTOCOLS.into_iter().for_each(|protocol| loses_by("hang", protocol, "stalled", "stalled"));
}

#[test]
fn a_crashed_engine_loses() {
    PROTOCOLS.into_iter().for_each(|protocol| loses_by("crash", protocol, "crashed", "crashed"));
}

#[test]
fn a_closed_output_is_a_crash() {
    PROTOCOLS.into_iter().for_each(|protocol| loses_by("close", protocol, "crashed", "crashed"));
}

#[test]
fn a_slow_engine_loses_on_time() {
    loses_by("slow", "gtp", "late", "lost on time");
}

#[test]
fn output_that_is_no_answer_loses() {
    loses_by("garbage", "gtp", "bad_output", "bad output");
}

#[test]
fn a_flood_of_output_is_cut_off() {
    PROTOCOLS.into_iter().for_each(|protocol| loses_by("flood", protocol, "bad_output", "bad output"));
    PROTOCOLS.into_iter().for_each(|protocol| loses_by("chatter", protocol, "bad_output", "bad output"));
}

/// GTP and XBoard take a second answer as the answer to the next request; UCI and NBoard have a handshake in between.
#[test]
fn who_answers_twice_is_found_out_or_does_no_harm() {
    loses_by("twice", "gtp", "bad_output", "bad output");
    loses_by("twice", "xboard", "illegal", "illegal move");
    for protocol in ["nboard", "uci"] {
        let (games, ..) = games_against("twice", protocol);
        assert!(games.iter().all(|game| game["reason"] == "rules"), "{games:?}");
    }
}

#[test]
fn an_answer_in_two_writes_is_an_answer() {
    for protocol in PROTOCOLS {
        let (games, _, success) = games_against("split", protocol);
        assert!(success);
        for game in games {
            assert_eq!(game["reason"], "rules", "{game}");
            assert!(game["moves"].as_array().is_some_and(|moves| moves.len() > 20), "{game}");
        }
    }
}

/// The player is started again for the next game, not only the faulty engine asked again.
#[test]
fn a_crashed_engine_is_restarted() {
    let bad = format!("name=bad cmd='{} crash' quirk=own-limits depth=1", engine().display());
    let output = flipside(&["match", "--engine", &bad, "--engine", "name=good builtin depth=1", "--games", "3"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("bad: crashed in 3 games"), "{output:?}");
}

/// The fixed parts of a game: everything but the times.
fn moves(file: &str) -> Vec<(u64, String, Vec<String>)> {
    let text = std::fs::read_to_string(file).expect("the games");
    let mut games: Vec<_> = text
        .lines()
        .map(|line| {
            let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let moves = game["moves"].as_array().expect("moves").iter().map(|mv| mv["move"].to_string()).collect();
            (game["game"].as_u64().expect("a number"), game["result"].to_string(), moves)
        })
        .collect();
    games.sort();
    games
}

const PAIR: [&str; 7] = [
    "match",
    "--engine",
    "name=a builtin nodes=300 option.Hash=1",
    "--engine",
    "name=b builtin nodes=150 option.Hash=1",
    "--concurrency",
    "2",
];

#[test]
fn the_same_match_twice_gives_the_same_games() {
    let home = Home::new();
    let files = [home.path("first.json"), home.path("second.json")];
    for file in &files {
        let output = flipside(&[&PAIR[..], &["--games", "8", "--json", file]].concat());
        assert!(output.status.success());
    }
    assert_eq!(moves(&files[0]).len(), 8);
    assert_eq!(moves(&files[0]), moves(&files[1]));
}

/// Also with the options' earlier names, and after a line that an interruption cut short.
#[test]
fn a_match_goes_on_where_it_was_left() {
    let home = Home::new();
    let (whole, part) = (home.path("whole.json"), home.path("part.json"));
    let run = |file: &str, resume: &[&str]| flipside(&[&PAIR[..], &["--games", "6", "--json", file], resume].concat());
    let report = run(&whole, &[]).stdout;
    let text = std::fs::read_to_string(&whole).expect("the games");
    let kept: String = text.lines().take(3).map(|line| line.to_string() + "\n").collect();
    std::fs::write(&part, kept + &text.lines().nth(3).expect("a fourth game")[..20]).expect("three games");
    let resumed = run(&part, &["--resume", "--grace", "0.2", "--patience", "10"]);
    assert_eq!(without_times(&resumed.stdout), without_times(&report));
    assert_eq!(moves(&part), moves(&whole));
    let other = flipside(&[
        "match",
        "--engine",
        "name=x builtin depth=1",
        "--engine",
        "name=y builtin depth=1",
        "--games",
        "6",
        "--json",
        &part,
        "--resume",
    ]);
    assert!(!other.status.success());
    assert!(String::from_utf8_lossy(&other.stderr).contains("belongs to another match"));
}

/// A deeper search is found to be stronger long before all games are played.
#[test]
fn sprt_ends_the_match_early() {
    let home = Home::new();
    let file = home.path("sprt.json");
    let output = flipside(&[
        "match",
        "--engine",
        "name=a builtin depth=2 option.Hash=1",
        "--engine",
        "name=b builtin depth=1 option.Hash=1",
        "--games",
        "400",
        "--sprt",
        "elo0=0,elo1=100",
        "--json",
        &file,
    ]);
    let report = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(report.contains("elo1 accepted") && report.contains("LOS") && report.contains("Ptnml(0-2): ["), "{report}");
    assert!(moves(&file).len() < 400);
}

/// The GGF file holds the same games as the lines of JSON, and they can be played again.
#[test]
fn records_are_read_again() {
    let home = Home::new();
    let (lines, ggf) = (home.path("recorded.json"), home.path("recorded.ggf"));
    let names = ["--json", &lines, "--record", &ggf];
    assert!(flipside(&[&PAIR[..], &["--games", "2"], &names].concat()).status.success());
    let games = std::fs::read_to_string(&lines).expect("lines");
    let texts = std::fs::read_to_string(&ggf).expect("games");
    assert_eq!((games.lines().count(), texts.lines().count()), (2, 2));
    for (line, text) in games.lines().zip(texts.lines()) {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let game = GgfGame::read(text).expect("GGF");
        let mut engine = registry::open(&Settings { hash: 1, ..Settings::default() }).expect("an engine");
        let turns: Vec<PlayedMove> = game.moves.iter().map(|mv| PlayedMove::by(mv.side, mv.text.clone())).collect();
        let board = game.board.as_deref().expect("a start board");
        engine.set_position(Start::Text(board), &turns, Style::Ggf, false).expect("legal moves");
        let moves: Vec<String> = engine.history(Style::Plain).into_iter().map(|(_, mv)| mv).collect();
        let recorded_moves: Vec<&str> =
            record["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["move"].as_str()).collect();
        assert_eq!(moves, recorded_moves);
        assert!(engine.outcome().is_some());
        let margin = game.result().expect("a result").margin;
        assert_eq!(i64::from(margin), 100 * record["difference"].as_i64().expect("discs"));
        assert_eq!(game.tag("PB"), record["players"][0].as_str());
        let date = record["date"].as_str().expect("a day");
        assert_eq!(
            (game.tag("DT"), game.tag("PC"), game.tag("EV")),
            (Some(date), Some("flipside"), Some("flipside match"))
        );
        assert!(game.moves.iter().any(|mv| mv.value.is_some() && mv.time.is_some()), "{text}");
        let name = record["opening_name"].as_str().expect("every second move has a name");
        assert_eq!((game.tag("ON"), engine.opening_name()), (Some(name), Some(name)));
    }
}

/// GTP names players by their colours, although the first mover differs from game to game.
#[test]
fn every_game_over_gtp() {
    for game in ["minichess", "tic-tac-toe", "connect-four"] {
        let engine = |name: &str| {
            let program = env!("CARGO_BIN_EXE_flipside");
            format!("name={name} cmd='{program} --gtp --game {game} --hash 4 --depth 2' quirk=own-limits")
        };
        let (first, second) = (engine("a"), engine("b"));
        let home = Home::new();
        let lines = home.path(&format!("gtp-{game}.json"));
        let limits = ["--games", "2", "--json", &lines];
        let output =
            flipside(&[&["match", "--game", game, "--engine", &first, "--engine", &second][..], &limits[..]].concat());
        assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
        let games = std::fs::read_to_string(&lines).expect("lines");
        assert_eq!(games.lines().count(), 2, "{game}");
        assert_eq!(games.matches("\"reason\":\"rules\"").count(), 2, "{games}");
    }
}

/// Two games of MiniChess over XBoard's protocol, with openings, a clock, and PGN records.
#[test]
fn minichess_over_xboard() {
    let home = Home::new();
    let (lines, record) = (home.path("xboard.json"), home.path("xboard.pgn"));
    let openings = home.path("xboard.openings");
    std::fs::write(&openings, "b2-b3 b5-b4\n").expect("a file");
    let engine =
        |name: &str| format!("name={name} cmd='{} --hash 4' protocol=xboard depth=4", env!("CARGO_BIN_EXE_flipside"));
    let (first, second) = (engine("a"), engine("b"));
    let output = flipside(&[
        "match",
        "--game",
        "minichess",
        "--engine",
        &first,
        "--engine",
        &second,
        "--games",
        "2",
        "--tc",
        "600",
        "--openings",
        &openings,
        "--json",
        &lines,
        "--record",
        &record,
    ]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let games = std::fs::read_to_string(&lines).expect("lines");
    assert_eq!(games.lines().count(), 2);
    for line in games.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let reason = game["reason"].as_str().expect("a reason");
        assert!(["rules", "resigned"].contains(&reason), "{game}");
        let searched = game["moves"].as_array().expect("moves").iter().filter(|mv| mv["depth"].is_u64()).count();
        assert!(searched > 5, "{game}");
    }
    let record = std::fs::read_to_string(&record).expect("games");
    for tag in
        ["Date \"20", "Site \"flipside", "Event \"flipside match", "FEN \"", "WhiteSettings \"cmd=", "Termination \""]
    {
        assert_eq!(record.matches(&format!("[{tag}")).count(), 2, "{tag}: {record}");
    }
    assert!(record.contains("[Variant \"minichess\"]") && record.contains("1. b2b3 b5b4 "), "{record}");
}

/// The nodes that a builtin player reports for its first move from an opening.
fn nodes_of_first_move(player: &str, opening: &str, name: &str) -> u64 {
    let home = Home::new();
    let (lines, openings) = (home.path(&format!("{name}.json")), home.path(&format!("{name}.txt")));
    std::fs::write(&openings, format!("{opening}\n")).expect("a file");
    let first = format!("name=a builtin option.Hash=16 {player}");
    let files = ["--openings", &openings, "--json", &lines];
    let players = ["match", "--engine", &first, "--engine", "name=b builtin depth=1", "--games", "1"];
    assert!(flipside(&[&players[..], &files[..]].concat()).status.success());
    let text = std::fs::read_to_string(&lines).expect("the game");
    let game: serde_json::Value = serde_json::from_str(text.trim()).expect("JSON");
    let moves = game["moves"].as_array().expect("moves");
    moves.iter().find_map(|mv| mv["nodes"].as_u64()).expect("a searched move")
}

/// The referee's guard against an endless search is no time limit: a search of fixed depth is the same without it.
#[test]
fn a_builtin_player_searches_as_elsewhere() {
    let searched = flipside(&["search", "--algorithm", "alphabeta", "--evaluation", "discs", "--depth", "6", "--json"]);
    let searched: serde_json::Value = serde_json::from_slice(&searched.stdout).expect("JSON");
    let start = "---------------------------OX------XO--------------------------- X";
    let textbook = "option.Algorithm=alphabeta option.Evaluation=discs depth=6";
    assert_eq!(nodes_of_first_move(textbook, start, "textbook"), searched["nodes"].as_u64().expect("nodes"));
    // Near the end the production search decides by its limits whether it solves.
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let mut engine = registry::open(&Settings { hash: 16, ..Settings::default() }).expect("an engine");
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("a position");
    let found = search_and_wait(engine.as_ref(), SearchRequest::new(Limits::depth(9))).expect("a best move");
    assert_eq!(nodes_of_first_move("depth=9", position, "production"), found.statistics.nodes);
}

#[test]
fn absurd_times_are_refused() {
    for (option, value) in [
        ("--stall-timeout", "1e19"),
        ("--patience", "1e19"),
        ("--tc", "1e19"),
        ("--tc", "1+1e19"),
        ("--move-time", "1e19"),
    ] {
        let output = flipside(&[&PAIR[..], &["--games", "1", option, value]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option} {value}: {errors}");
        assert!(errors.contains("expected seconds") && !errors.contains("panicked"), "{errors}");
    }
    let own = flipside(&["match", "--engine", "name=a builtin tc=1e19", "--engine", "name=b builtin depth=1"]);
    assert!(String::from_utf8_lossy(&own.stderr).contains("expected seconds"));
}
