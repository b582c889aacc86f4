//! The command line as a newcomer meets it: help, errors, shells, and prompts at a terminal.
//!
//! Other files test the rest of a person's experience: `play.rs` (a game in the terminal, the hint at the bare prompt),
//! `analyze.rs` (one verdict for a position, time, exact endgames, reports and pictures), `records.rs` and `convert.rs` (every
//! format into every other, damaged files), `json.rs` (outputs), `match.rs` and `match_files.rs` (openings, repeated games, date,
//! site and event of records), `gtp.rs` (the opening's name below the board), `outputs.rs` (interrupts, files that cannot be
//! written).

#![cfg(feature = "cli")]

use crate::library::FFO_1;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Runs the program with nothing on its input and without a file of defaults.
fn flipside(arguments: &[&str]) -> Output {
    with_variables(arguments, &[("XDG_CONFIG_HOME", "/nonexistent")])
}

fn with_variables(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
    command.args(arguments).envs(variables.iter().copied()).stdin(Stdio::null()).output().expect("flipside runs")
}

/// The output of a run that must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = flipside(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The text on stderr of a run that must fail with status 2 and print nothing.
fn refused(arguments: &[&str]) -> String {
    let output = flipside(arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.starts_with("flipside: "), "{said}");
    said
}

/// A file of this text that no other test uses.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("command-line-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    path
}

const POSITION: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn a_position_may_begin_with_a_hyphen() {
    assert_eq!(printed(&["perft", "3", "--position", POSITION]), "1 4\n2 12\n3 56\n");
    assert!(printed(&["search", "--depth", "1", "--position", POSITION]).starts_with("bestmove "));
    assert!(printed(&["trace", "--depth", "1", "--position", POSITION]).contains("value "));
    assert!(printed(&["trace", "--tree", "-3"]).contains("value -3"));
    assert!(printed(&["book", "ask", POSITION]).starts_with(POSITION));
    assert!(printed(&["book", "lines", "--count", "--plies", "2", POSITION]).contains(" lines within "));
    let tree = file("tree.svg", "");
    let drawn = ["book", "draw", "--plies", "1", "--out", tree.to_str().expect("a path"), POSITION];
    assert!(printed(&drawn).ends_with(" lines drawn\n"));
    std::fs::remove_file(&tree).expect("the picture");
    let state = tree.with_extension("state");
    let split = ["split", "--depth", "1", "--state", state.to_str().expect("a path"), FFO_1];
    assert!(printed(&split).starts_with("{\"version\":2,\"task\":1,"));
    std::fs::remove_file(state).expect("the state");
    assert!(refused(&["tables", "--probe", "-x"]).contains("--probe: -x: "));
    assert!(refused(&["perft", "3", "--position", "-"]).contains("--position: "));
}

#[test]
fn options_of_the_engine_before_a_subcommand_are_refused() {
    assert!(refused(&["--threads", "3", "perft", "2"]).contains("--threads is an option of the engine"));
    assert!(refused(&["--game", "minichess", "perft", "2"]).contains("flipside perft --game ..."));
}

/// The words for each page of the program's manual, or of one subcommand with subcommands.
fn pages(name: Option<&str>) -> Vec<Vec<String>> {
    let page = printed(&[&["man"][..], name.as_slice()].concat());
    let names = page.lines().filter_map(|line| line.strip_prefix("flipside\\-")?.strip_suffix("(1)"));
    names
        .map(|words| words.split("\\-").map(str::to_string).collect())
        .filter(|words: &Vec<_>| words[words.len() - 1] != "help")
        .collect()
}

#[test]
fn every_subcommand_that_prints_a_result_can_print_json() {
    let pages = pages(None).into_iter().flat_map(|page| match page[0].as_str() {
        name @ ("book" | "train") => pages(Some(name)),
        _ => vec![page],
    });
    let pages: Vec<_> = pages.collect();
    assert!(pages.len() > 30, "{pages:?}");
    for page in pages {
        let page: Vec<&str> = page.iter().map(String::as_str).collect();
        // Exceptions: games for people, a script, pages of a manual, and JSON without the option or by --to.
        let is_other = matches!(
            page[..],
            ["play" | "connect" | "completions" | "man" | "convert" | "split" | "join"] | ["book", "export"]
        );
        let help = printed(&[&page[..], &["--help"]].concat());
        assert_eq!(help.contains("\n      --json"), !is_other, "{page:?}: {help}");
    }
}

#[test]
fn errors_have_one_form() {
    for arguments in [
        &["perft", "0"][..],
        &["solve", "--hash", "x"],
        &["solve", "/nonexistent/positions.obf"],
        &["search", "--game", "chess"],
        &["search", "--evaluation", "guess"],
        &["--evaluation", "guess"],
        &["--protocol", "telepathy"],
        &["lint", "--cmd", "x", "--protocol", "telepathy"],
        &["perft"],
        &["nonsense"],
        &["match"],
        &["man", "nonsense"],
        &["completions", "nonsense"],
    ] {
        let said = refused(arguments);
        assert!(!said.contains("error:") && said.ends_with('\n'), "{said}");
    }
    for (arguments, expected) in [
        (["perft", "x"], "'<DEPTH>': expected a whole number\n"),
        (["play", "--seed="], "'--seed <SEED>': expected a whole number\n"),
        (["play", "--level=1.5"], "'--level <PLIES>': expected a whole number\n"),
    ] {
        let said = refused(&arguments);
        assert!(said.contains(expected), "{said}");
    }
    assert!(
        refused(&["search", "--game", "chess"]).contains(
            "one of reversi, minichess, reversi-6x6, reversi-4x4, gomoku, gomoku-20x20, gomoku-exactly-five, "
        )
    );
    assert!(refused(&["--game", "gomoku", "--size", "19"]).contains("one of 15 freestyle, 20 freestyle"));
    assert!(refused(&["search", "--game", "reversi", "--rule", "freestyle"]).contains("has one size and one rule"));
    assert!(refused(&["--game", "gomoku", "--rule", "pente"]).contains("exactly-five"));
    let said = refused(&["--game", "minichess", "--evaluation", "guess"]);
    assert!(said.contains("'guess': one of default, network, tuned, by-hand"), "{said}");
}

#[test]
fn weights_of_another_kind_name_the_evaluation_that_is_missing() {
    let path = file("stages.toml", "[[stage]]\ndiscs-on-board = 4\ndiscs = 100\n");
    let weights = path.to_str().expect("a path");
    for arguments in [&["search"][..], &["solve"], &["analyze"], &[]] {
        let said = refused(&[arguments, &["--evaluation", "linear", "--weights", weights]].concat());
        assert!(said.contains("holds weights of the evaluation 'weighted', not 'linear'"), "{said}");
        assert!(said.contains("--evaluation weighted"), "{said}");
    }
    // Without a name, the file determines the evaluation.
    let search = ["search", "--depth", "3", "--weights", weights];
    let by_name = printed(&[&search[..], &["--evaluation", "weighted"]].concat());
    let nodes =
        |text: &str| text.lines().filter(|line| !line.starts_with("seconds")).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(nodes(&printed(&search)), nodes(&by_name));
    assert!(by_name.contains("bestmove"), "{by_name}");
    let said = refused(&["--game", "minichess", "--weights", weights]);
    assert!(said.contains("--evaluation weighted --game reversi"), "{said}");
    assert!(refused(&["--game", "connect4", "--weights", weights]).contains("no evaluation with weights"));
    std::fs::remove_file(path).expect("the file");
}

#[test]
fn games_have_other_names() {
    for (alias, name) in [("tictactoe", "tic-tac-toe"), ("connect4", "connect-four"), ("Othello", "reversi")] {
        assert_eq!(printed(&["perft", "2", "--game", alias]), printed(&["perft", "2", "--game", name]));
    }
}

#[test]
fn tables_that_are_missing_can_be_made() {
    let said = refused(&["tables", "--file", "/nonexistent/x", "--ask", "9 W ..k../...../...../...../...../R...K"]);
    assert!(said.contains("no file /nonexistent/x; flipside tables --file /nonexistent/x makes the tables"), "{said}");
}

#[test]
fn the_help_has_groups_examples_and_every_evaluation() {
    let help = printed(&["--help"]);
    for part in ["Engines against each other:\n", "\n  solve ", "flipside perft 9", "\nProtocol:\n", "Examples:\n"] {
        assert!(help.contains(part), "{part}: {help}");
    }
    for arguments in [&["--help"][..], &["search", "--help"], &["trace", "--help"], &["play", "--help"]] {
        let words = printed(arguments).split_whitespace().collect::<Vec<_>>().join(" ");
        for name in ["potential-mobility", "weighted", "minichess: network, tuned, by-hand"] {
            assert!(words.contains(name), "{name}: {arguments:?}");
        }
    }
    assert!(printed(&["analyze", "--help"]).contains("[default: 0.5,"));
    let narrow = with_variables(&["solve", "--help"], &[("COLUMNS", "40")]);
    let narrow = String::from_utf8(narrow.stdout).expect("text");
    assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
}

#[test]
fn the_version_says_what_a_report_of_a_fault_needs() {
    let text = printed(&["--version"]);
    let fields: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(fields, ["commit", "target", "processor level", "weights", "config"], "{text}");
    assert!(text.starts_with(concat!("flipside ", env!("CARGO_PKG_VERSION"), "\n")), "{text}");
    assert!(!text.contains("target: unknown"), "{text}");
    let bogus = with_variables(&["perft", "1"], &[("FLIPSIDE_CPU", "bogus")]);
    assert_eq!(bogus.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bogus.stderr).contains("FLIPSIDE_CPU: expected base, v3 or v4, saw 'bogus'"));
    assert!(with_variables(&["perft", "1"], &[("FLIPSIDE_CPU", "")]).status.success(), "empty is not set");
    let base = with_variables(&["--version"], &[("FLIPSIDE_CPU", "base")]);
    let base = String::from_utf8(base.stdout).expect("text");
    assert!(base.contains("processor level: base\nweights: reversi network "), "{base}");
    assert_eq!(printed(&["-V"]), text);
}

#[test]
fn shells_and_readers_get_their_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("selectivity") && script.contains("completions"), "{shell}");
    }
    let script = printed(&["completions", "bash"]);
    let offered = |option: &str| {
        let (_, rest) = script.split_once(&format!("                {option})\n")).expect("the option");
        rest.lines().next().expect("what it offers").trim().to_string()
    };
    for (option, words) in [
        ("--protocol", "gomocup"),
        ("--algorithm", "alphabeta-hard"),
        ("--evaluation", "material-ratio"),
        ("--game", "gomoku-20x20"),
    ] {
        let offer = offered(option);
        assert!(offer.contains("compgen -W") && offer.contains(words), "{option}: {offer}");
    }
    assert_eq!(offered("--seed"), "COMPREPLY=(\"${cur}\")", "no files for a number");
    assert!(script.contains("compgen -f"), "files where they are meant");
    for name in ["Gomocup", "JSON"] {
        assert!(printed(&["--help"]).contains(name) && printed(&["man"]).contains(name), "{name}");
    }
    let page = printed(&["man"]);
    assert!(page.contains(".TH flipside 1") && page.contains("flipside\\-solve(1)"), "{page:.400}");
    let page = printed(&["man", "solve"]);
    assert!(page.contains(".TH flipside-solve 1") && page.contains("\\-\\-selectivity"), "{page:.400}");
    assert!(refused(&["man", "nonsense"]).contains("no subcommand is called 'nonsense': one of play, "));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("man-{}", std::process::id()));
    printed(&["man", "--dir", folder.to_str().expect("a path")]);
    let pages = std::fs::read_dir(&folder).expect("the folder").count();
    assert!(pages > 14, "{pages}");
    assert!(folder.join("flipside-solve.1").exists());
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn a_file_of_defaults_stands_between_the_command_line_and_the_program() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("config-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("flipside")).expect("a folder");
    let path = folder.join("flipside/config.toml");
    std::fs::write(&path, "game = 'minichess'\n[perft]\ngame = 'tictactoe'\n").expect("a file");
    let home = [("XDG_CONFIG_HOME", folder.to_str().expect("a path"))];
    let perft = |more: &[&str]| {
        let output = with_variables(&[&["perft", "1"], more].concat(), &home);
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(perft(&[]), "1 9\n");
    assert_eq!(perft(&["--game", "connect4"]), "1 7\n");
    assert_eq!(perft(&["--no-config"]), "1 4\n");
    let named = file("named.toml", "[perft]\ngame = 'connect4'\n");
    assert_eq!(perft(&["--config", named.to_str().expect("a path")]), "1 7\n");
    let version = with_variables(&["--version"], &home);
    assert!(String::from_utf8_lossy(&version.stdout).ends_with("flipside/config.toml\n"));

    // An error in the file ends a subcommand, whose user can correct it, but not the session of a host.
    std::fs::write(&path, "threads = 1\nhash = 'big'\ngame = 'minichess'\n").expect("a file");
    let output = with_variables(&["perft", "1"], &home);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("config.toml: line 2: hash: invalid value 'big' for '--hash <MIB>'"), "{said}");
    let mut engine = crate::common::Engine::start_with(&["--gtp"], &home);
    assert_eq!(engine.ask("boardsize 8"), "? unacceptable size", "MiniChess: the rest of the file holds");
    let log = file("log", "");
    let arguments = ["--gtp", "--log", log.to_str().expect("a path")];
    crate::common::Engine::start_with(&arguments, &home).ask("quit");
    let logged = std::fs::read_to_string(&log).expect("the log");
    assert!(logged.contains("line 2: hash: invalid value 'big'"), "{logged}");

    assert!(
        refused(&["--config", "/nonexistent/x", "perft", "1"]).contains("cannot read the defaults of /nonexistent/x")
    );
    std::fs::remove_dir_all(folder).expect("the folder");
    std::fs::remove_file(named).expect("the file");
    std::fs::remove_file(log).expect("the file");
}

#[test]
fn a_first_line_of_any_protocol_is_recognised() {
    for (line, answer) in [
        ("isready", "readyok"),
        ("position startpos moves P@d6\nisready", "readyok"),
        ("go depth 1", "info "),
        ("ucinewgame\nisready", "readyok"),
        (
            "set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)\nping 3",
            "pong 3",
        ),
    ] {
        let mut engine = crate::common::Engine::start(&["--no-config"]);
        engine.send(line);
        let first = engine.line();
        assert!(first.starts_with(answer), "{line}: {first}");
    }
}

#[test]
fn the_drawing_of_uci_has_the_ranks_of_its_moves() {
    let mut engine = crate::common::Engine::start(&["--uci", "--no-config"]);
    engine.send("position startpos moves P@d6\nd");
    // The move d6 is three ranks below the top and turns d5.
    let drawn = engine.until(|line| line.ends_with("white 1"));
    assert_eq!(drawn[1], " 8 . . . . . . . . 8");
    assert_eq!(drawn[3], " 6 . . . X . . . . 6");
    let mut engine = crate::common::Engine::start(&["--gtp", "--no-config"]);
    engine.send("play b d3\nshowboard");
    let drawn = engine.until(|line| line.ends_with("white 1"));
    assert!(drawn.contains(&" 3 . . . X . . . . 3".to_string()), "{drawn:?}");
}

#[test]
fn gtp_names_the_command_that_lists_commands() {
    let output = crate::common::program::run(&["--gtp", "--no-config"], "help\n");
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(answer.starts_with("? unknown command: help") && answer.contains("list_commands"), "{answer}");
    assert!(output.stderr.is_empty(), "no line of a log");
}

#[test]
fn a_tree_needs_no_blanks_and_errors_name_the_column() {
    assert!(printed(&["trace", "--tree", "((3 5)(2 9))"]).contains("value 3"));
    assert!(refused(&["trace", "--tree", "((3 5)(2 x))"]).contains("line 1, column 10: expected"));
}

#[test]
fn a_search_shows_its_depth_time_line_and_hundredths() {
    let text = printed(&["search", "--depth", "3"]);
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap_or_default();
    assert_eq!((value("depth"), value("bestmove")), ("3", "d3"), "{text}");
    assert!(value("score").split_once('.').is_some_and(|(_, hundredths)| hundredths.len() == 2), "{text}");
    assert!(value("seconds").parse::<f64>().is_ok() && value("pv").starts_with("d3 "), "{text}");
}

/// The output of a match, and its status.
fn played(engines: [&str; 2], more: &[&str]) -> (String, Option<i32>) {
    let players = ["match", "--engine", engines[0], "--engine", engines[1], "--depth", "1"];
    let output = flipside(&[&players, more].concat());
    (String::from_utf8(output.stdout).expect("text") + &String::from_utf8_lossy(&output.stderr), output.status.code())
}

#[test]
fn a_match_claims_no_more_than_its_games_show() {
    let builtin = ["name=a builtin option.Hash=1", "name=b builtin option.Hash=1"];
    for games in ["1", "2"] {
        let (report, status) = played(builtin, &["--games", games]);
        assert!(report.contains("too few different games") && !report.contains("inf"), "{report}");
        assert_eq!(status, Some(0));
    }
    let (report, status) = played([builtin[0], "name=b cmd=false protocol=gtp"], &["--games", "3"]);
    assert!(report.contains("b lost every game (3) by its own fault: crashed in 3 games"), "{report}");
    assert_eq!(status, Some(1));
    // A long match ends early.
    let (report, status) = played([builtin[0], "name=b cmd=false protocol=gtp"], &["--games", "1000"]);
    assert!(report.contains("b lost every game (20) by its own fault: crashed in 20 games"), "{report}");
    assert_eq!(status, Some(1));
}

#[test]
fn minichess_has_openings_in_a_match() {
    let games = file("games.jsonl", "");
    std::fs::remove_file(&games).expect("the file");
    let builtin = ["name=a builtin option.Hash=1", "name=b builtin option.Hash=1"];
    let path = games.to_str().expect("a path");
    let (report, status) = played(builtin, &["--game", "minichess", "--games", "4", "--json", path]);
    assert_eq!(status, Some(0), "{report}");
    let text = std::fs::read_to_string(&games).expect("the games");
    let openings: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["opening"].to_string())
        .collect();
    assert_eq!(openings.len(), 4);
    assert!(openings[0].len() > 4 && openings[0] == openings[1] && openings[0] != openings[2], "{openings:?}");
    std::fs::remove_file(games).expect("the games");
}

#[cfg(unix)]
mod terminal {
    use super::*;
    use crate::common::terminal::{Terminal, without_styles};

    #[test]
    fn who_waits_for_lines_says_so_and_control_c_ends_it() {
        let folder = crate::common::home::Home::new();
        let book = folder.0.path().join("some.book");
        for (arguments, wanted) in [
            (&["solve"][..], "waiting for positions"),
            (&["analyze"], "waiting for games"),
            (&["convert", "--to", "pgn"], "waiting for games or positions"),
            (&["book", "import", "--book", book.to_str().expect("a path")], "waiting for positions"),
            (&["trace"], "waiting for a tree"),
        ] {
            let mut terminal = Terminal::start(&[arguments, &["--no-config"]].concat(), 80);
            terminal.until(&[wanted]);
            if arguments[0] == "trace" {
                terminal.type_line("((3 5)(2 9))\n\u{4}");
                terminal.until(&["value 3"]);
                continue;
            }
            // The signal that a terminal sends for Ctrl-C.
            let status = Command::new("kill").args(["-INT", &terminal.child.id().to_string()]).status();
            assert!(status.expect("kill runs").success());
            assert_eq!(terminal.child.wait().expect("a status").code(), Some(130), "{arguments:?}");
        }
    }

    #[test]
    fn an_analysis_shows_its_progress_at_a_terminal() {
        let game = file("game.txt", "f5d6c3d3c4f4\n");
        let name = game.to_str().expect("a path");
        let shown = Terminal::start(&["analyze", "--no-config", "--time", "0.02", name], 80).rest();
        assert!(shown.contains("game 1 ") && shown.contains("/6 moves, "), "{shown}");
        let (_, report) = shown.rsplit_once("opening: ").expect("the report");
        assert!(report.starts_with("Tiger") && report.contains("costliest") || report.contains(" lost"), "{shown}");
        std::fs::remove_file(game).expect("the game");
    }

    #[test]
    fn the_help_is_as_wide_as_the_terminal() {
        for columns in [40, 80] {
            let shown = without_styles(&Terminal::start(&["--help"], columns).rest());
            assert!(shown.contains("flipside perft 9"), "{shown}");
            let widest = shown.lines().map(|line| line.trim_end().chars().count()).max().expect("lines");
            assert!(widest <= usize::from(columns) && widest > usize::from(columns) / 2, "{widest}: {shown}");
        }
    }

    /// Generating takes minutes; the first second shows that it has begun.
    #[test]
    fn tables_show_progress_from_the_first_second() {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tables-{}", std::process::id()));
        let mut terminal = Terminal::start(&["tables", "--no-config", "--file", path.to_str().expect("a path")], 80);
        terminal.until(&["66 material classes"]);
        terminal.until(&["/66 material classes"]);
        assert!(!path.exists(), "it is still at work");
    }
}
