//! XBoard's protocol against the real process: games, force mode, analysis, pondering, bad input.

#![cfg(feature = "cli")]

use crate::common::Engine;
use proptest::prelude::*;
use std::time::Duration;

/// An engine in a game of MiniChess, four plies a move.
fn minichess() -> Engine {
    let mut engine = Engine::start(&["--hash", "4"]);
    for line in
        ["xboard", "protover 2", "accepted done", "new", "random", "variant minichess", "easy", "sd 4", "ping 1"]
    {
        engine.send(line);
    }
    engine.until(|line| line == "pong 1");
    engine
}

/// The move that answers a line.
fn answer(engine: &mut Engine, line: &str) -> String {
    engine.send(line);
    let last = engine.until(|line| line.starts_with("move ") || line == "resign").pop().expect("an answer");
    last.strip_prefix("move ").unwrap_or(&last).to_string()
}

/// All lines up to the pong.
fn sync(engine: &mut Engine, number: u32) -> Vec<String> {
    engine.send(&format!("ping {number}"));
    let mut lines = engine.until(|line| line == format!("pong {number}"));
    lines.pop();
    lines
}

/// Two squares of the board of five files and six ranks.
fn is_move(text: &str) -> bool {
    let square = |file: u8, rank: u8| (b'a'..=b'e').contains(&file) && (b'1'..=b'6').contains(&rank);
    matches!(*text.as_bytes(), [file, rank, to_file, to_rank] if square(file, rank) && square(to_file, to_rank))
}

#[test]
fn the_burst_that_xboard_sends() {
    let mut engine = Engine::start(&[]);
    for line in ["xboard", "protover 2"] {
        engine.send(line);
    }
    let features = engine.until(|line| line == "feature done=1");
    assert_eq!(features[0], "feature done=0");
    for wanted in ["setboard=1", "usermove=1", "ping=1", "colors=0", "sigint=0", "variants=\"minichess\"", "analyze=1"]
    {
        assert!(features[1].split(' ').any(|feature| feature == wanted), "{wanted}");
    }
    for wanted in ["feature option=\"Clear_Hash -button\"", "feature option=\"Move_Overhead -spin 20 0 10000\""] {
        assert!(features.iter().any(|line| line == wanted), "{wanted} in {features:?}");
    }
    assert!(!features.iter().any(|line| line.contains("\"Hash ") || line.contains("\"Threads ")), "memory and cores");
    for line in
        ["memory 8", "cores 1", "new", "random", "variant minichess", "level 40 0:20 0", "post", "easy", "ping 1"]
    {
        engine.send(line);
    }
    let lines = engine.until(|line| line == "pong 1");
    assert_eq!(
        lines[0],
        "setup (PNBRQ.....K...........pnbrq.....k...........) 5x6+0_fairy kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1"
    );
    assert_eq!(lines[1..], ["piece P& fmWfcF", "piece B& BmW", "pong 1"]);
    for line in ["time 2000", "otim 2000", "go"] {
        engine.send(line);
    }
    let lines = engine.until(|line| line.starts_with("move "));
    let play = lines.iter().rev().nth(1).expect("a line of play");
    let (numbers, moves) = play.split_once('\t').expect("a tab before the moves");
    assert!(numbers.split(' ').all(|number| number.parse::<i64>().is_ok()), "{play}");
    assert!(moves.split(' ').all(is_move), "{play}");
    // An iteration cut short by the clock may have found a better move than the last line shows.
    assert!(lines.last().is_some_and(|line| is_move(&line[5..])), "{lines:?}");
    assert!(lines.iter().any(|line| line == "# certainty mid@100%"));
}

#[test]
fn moves_are_answered_only_in_play() {
    let mut engine = minichess();
    // The clock decides which move Black prefers; the test requires only that it is a move of Black's.
    let of_black = |reply: String| is_move(&reply) && matches!(reply.as_bytes()[1], b'5' | b'6');
    assert!(of_black(answer(&mut engine, "usermove b2b3")));
    engine.send("force");
    engine.send("usermove a2a3");
    assert_eq!(sync(&mut engine, 2), Vec::<String>::new());
    answer(&mut engine, "go");
    engine.send("force\nundo\nundo\nundo\nundo");
    assert_eq!(sync(&mut engine, 3), Vec::<String>::new());
    engine.send("undo");
    assert_eq!(sync(&mut engine, 4), ["Error (cannot undo): undo"]);
    engine.send("playother");
    assert_eq!(sync(&mut engine, 5), Vec::<String>::new());
    assert!(of_black(answer(&mut engine, "usermove b2b3")));
    engine.send("remove");
    assert!(of_black(answer(&mut engine, "usermove b2b3")));
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut engine = minichess();
    for (line, said) in [
        ("usermove a1a6", "Illegal move (not a legal move): a1a6"),
        ("fly", "Error (unknown command): fly"),
        ("setboard 8/8", "tellusererror Illegal position: expected six rows of five squares"),
        ("level 40", "Error (syntax error: expected level MOVES BASE INCREMENT or st SECONDS): level"),
        ("option Nothing=1", "Error (unknown option: Nothing): option"),
        ("variant crazyhouse", "Error (unsupported game: crazyhouse): variant"),
        ("memory 0", "Error (bad value for Hash: 0): memory"),
    ] {
        engine.send(line);
        assert_eq!(engine.line(), said);
    }
    assert_eq!(sync(&mut engine, 2), Vec::<String>::new());
    assert_eq!(answer(&mut engine, "b2b3").len(), 4, "bare moves are read, too");
}

#[test]
fn the_loser_says_so_and_the_winner_just_moves() {
    let mut engine = minichess();
    engine.send("force\nsetboard k4/1Q3/5/5/5/4K w - - 0 1");
    assert_eq!(answer(&mut engine, "go"), "b5a6");
    engine.send("force\nsetboard Q4/4p/5/5/5/4K b - - 0 1");
    assert_eq!(answer(&mut engine, "go"), "resign");
    // The king is captured wherever it goes.
    engine.send("force\nsetboard k4/2Q2/1R3/5/5/4K b - - 0 1");
    assert_eq!(answer(&mut engine, "go"), "resign");
    assert_eq!(sync(&mut engine, 2), Vec::<String>::new());
    // A move that was not reported was not played.
    engine.send("undo");
    assert_eq!(engine.line(), "Error (cannot undo): undo");
}

#[test]
fn a_draw_by_rule_is_offered_by_both() {
    let mut engine = minichess();
    engine.send("force\nsetboard k4/5/5/5/5/4K b - - 0 40\ngo");
    assert_eq!(engine.until(|line| line.starts_with("move "))[0], "offer draw");
    let mut engine = minichess();
    engine.send("force\nsetboard k4/5/5/5/5/4K b - - 0 40\nplayother\nusermove a6a5");
    assert_eq!(engine.line(), "offer draw");
}

/// With a single legal move and a clock the search ends after one ply, at whose horizon the game is over.
#[test]
fn a_move_that_wins_the_game_is_no_draw() {
    let mut engine = Engine::start(&["--xboard", "--hash", "4"]);
    for line in [
        "protover 2",
        "variant flipello",
        "setboard 8/7p/1P3P2/1P6/1P6/1p1P4/p7/pp2p2p b - - 0 1",
        "level 40 5 0",
        "post",
    ] {
        engine.send(line);
    }
    engine.send("go");
    let lines = engine.until(|line| line.starts_with("move "));
    assert!(lines.iter().any(|line| line.starts_with("1 6000 ")) && !lines.contains(&"offer draw".into()), "{lines:?}");
}

#[test]
fn analysis_follows_the_moves() {
    let mut engine = minichess();
    engine.send("post\nanalyze");
    engine.until(|line| line.contains('\t'));
    engine.send("usermove b2b3");
    // Lines of the old position may still be on their way.
    engine.until(|line| line.contains('\t') && line.split('\t').nth(1).is_some_and(|moves| moves.as_bytes()[1] > b'4'));
    engine.send(".");
    let status = engine.until(|line| line.starts_with("stat01: ")).pop().expect("a status");
    assert_eq!(status.split(' ').count(), 7, "{status}");
    sync(&mut engine, 2);
    engine.send("undo\nexit");
    assert!(!sync(&mut engine, 3).iter().any(|line| line.starts_with("move ")));
    let first = answer(&mut engine, "go");
    assert!(first.as_bytes()[1] <= b'2', "White moves first again: {first}");
}

#[test]
fn the_opponents_time_is_used() {
    let mut engine = minichess();
    engine.send("post\nhard");
    let mut hits = 0;
    let mut line = "usermove b2b3".to_string();
    for _ in 0..6 {
        answer(&mut engine, &line);
        engine.send("hint");
        // Nothing else is shown and nothing is played before the move comes.
        let shown = sync(&mut engine, 7);
        let [hint] = &shown[..] else { break };
        hits += 1;
        line = hint.replace("Hint: ", "usermove ");
    }
    assert!(hits >= 4, "the moves that were expected were played");
    // Another move than the expected one: the game must continue from it.
    engine.send("force\nnew\nvariant minichess\nsd 4");
    answer(&mut engine, "usermove b2b3");
    engine.send("hint");
    let hint = engine.until(|line| line.starts_with("Hint: ")).pop().expect("a hint");
    let other = ["a2a3", "e2e3"].into_iter().find(|mv| !hint.ends_with(mv)).expect("another move");
    assert_eq!(answer(&mut engine, &format!("usermove {other}")).len(), 4);
    engine.send("force\nundo\nundo\nundo\nundo");
    assert_eq!(sync(&mut engine, 8), Vec::<String>::new());
    engine.send("undo");
    assert_eq!(engine.line(), "Error (cannot undo): undo");
    // The end of input ends the search quietly.
    answer(&mut engine, "go");
    let (rest, status) = engine.finish();
    assert!(status.success() && rest.is_empty(), "{rest:?}");
}

#[test]
fn a_call_to_order_ends_the_thinking() {
    let mut engine = minichess();
    engine.send("new\nvariant minichess\nst 3600");
    engine.until(|line| line.starts_with("piece B"));
    engine.send("go");
    std::thread::sleep(Duration::from_millis(200));
    engine.send("?");
    assert!(engine.line().starts_with("move "));
    // The move that came before `force` is kept; its answer is not computed.
    engine.send("usermove b5b4\nforce");
    assert_eq!(sync(&mut engine, 2), Vec::<String>::new());
    engine.send("undo\nundo\nundo");
    assert_eq!(engine.line(), "Error (cannot undo): undo");
}

/// An engine that ponders, and the move that it ponders on.
fn pondering() -> (Engine, String) {
    let mut engine = minichess();
    engine.send("hard");
    answer(&mut engine, "usermove b2b3");
    engine.send("hint");
    let hint = engine.line().replace("Hint: ", "");
    (engine, hint)
}

#[test]
fn a_call_to_order_does_nothing_while_pondering() {
    let (mut engine, hint) = pondering();
    engine.send("?\n?");
    assert_eq!(sync(&mut engine, 2), Vec::<String>::new());
    assert!(is_move(&answer(&mut engine, &format!("usermove {hint}"))), "the predicted move is answered");
}

#[test]
fn errors_while_pondering_come_at_once_and_in_order() {
    let (mut engine, hint) = pondering();
    engine.send("fly\nusermoves\nping 4\ntime x");
    assert_eq!(engine.line(), "Error (unknown command): fly");
    assert_eq!(engine.line(), "Error (unknown command): usermoves");
    assert_eq!(engine.line(), "pong 4");
    assert!(engine.line().starts_with("Error (syntax error: expected time "));
    // An option ends the pondering, which begins again.
    engine.send("option Nothing=1\noption Clear Hash");
    assert_eq!(engine.line(), "Error (unknown option: Nothing): option");
    assert_eq!(sync(&mut engine, 5), Vec::<String>::new());
    engine.send("hint");
    assert_eq!(engine.line(), format!("Hint: {hint}"));
    assert!(is_move(&answer(&mut engine, &format!("usermove {hint}"))));
    engine.send("force\nundo\nundo\nundo\nundo\nundo");
    assert_eq!(engine.line(), "Error (cannot undo): undo", "four moves were played");
}

#[test]
fn an_analysis_ends_when_the_engine_is_to_play() {
    let mut engine = minichess();
    engine.send("analyze");
    let first = answer(&mut engine, "go");
    assert!(is_move(&first) && first.as_bytes()[1] <= b'2', "White moves: {first}");
    assert!(is_move(&answer(&mut engine, "usermove b5b4")));
    engine.send("force\nnew\nvariant minichess\nsd 4\nanalyze\nplayother");
    let reply = answer(&mut engine, "usermove b2b3");
    assert!(is_move(&reply) && reply.as_bytes()[1] >= b'5', "Black answers: {reply}");
    engine.send("exit");
    let again = ["a2a3", "c2c3", "d2d3", "e2e3"].map(|mv| format!("usermove {mv}"));
    assert!(
        again.iter().any(|line| {
            engine.send(line);
            engine.line().starts_with("move ")
        }),
        "there was nothing to leave, so the engine still plays"
    );
}

#[test]
fn a_call_to_order_does_nothing_in_an_analysis() {
    let mut engine = minichess();
    engine.send("post\nanalyze\n?\nbk");
    engine.until(|line| line == " no book");
    // The analysis goes on, and follows the game.
    engine.until(|line| line.split_once(' ').and_then(|(ply, _)| ply.parse().ok()).is_some_and(|ply: u32| ply >= 8));
    engine.send("usermove b2b3");
    engine.until(|line| line.contains('\t') && line.split('\t').nth(1).is_some_and(|moves| moves.as_bytes()[1] > b'4'));
}

#[test]
fn a_pong_comes_after_everything_before_it() {
    let mut engine = minichess();
    engine.send("usermove b2b3\nfly\nping 2");
    let lines = engine.until(|line| line == "pong 2");
    assert!(lines[0].starts_with("move ") && lines[1] == "Error (unknown command): fly", "{lines:?}");
}

#[test]
fn depths_beyond_every_range_are_no_small_ones() {
    for depth in ["3000000000", "99999999999999999999"] {
        let mut engine = minichess();
        engine.send(&format!("post\nst 0.5\nsd {depth}\ngo"));
        let lines = engine.until(|line| line.starts_with("move "));
        assert!(lines.iter().any(|line| line.starts_with("3 ")), "{lines:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_ignored_while_a_host_is_there() {
    let mut engine = minichess();
    engine.send("st 60\nsd 30");
    engine.send("go");
    sync_urgent(&mut engine);
    engine.interrupt();
    sync_urgent(&mut engine);
    engine.send("?");
    assert!(is_move(&engine.line()["move ".len()..]));
    // Without a host, the command ends the program.
    engine.send("usermove b5b4");
    engine.close_input();
    let deadline = std::time::Instant::now() + crate::common::TIMEOUT;
    while engine.is_running() {
        assert!(std::time::Instant::now() < deadline, "nobody is there to interrupt");
        engine.interrupt();
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// `bk` is answered beside a search.
fn sync_urgent(engine: &mut Engine) {
    engine.send("bk");
    assert_eq!((engine.line().as_str(), engine.line().as_str()), (" no book", ""));
}

fn careless_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,20}",
        "(usermove|setboard|level|st|sd|time|option|memory|variant) [ -~]{0,12}",
        "(usermove )?[a-e][1-6][a-e][1-6]q?",
        "new|force|go|playother|undo|remove|analyze|exit|hard|easy|post|nopost|\\?|\\.|hint|bk|result 1-0 \\{x\\}|sd 2|st 0.01",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_the_engine_goes_on(lines in prop::collection::vec(careless_line(), 1..40)) {
        let mut engine = minichess();
        for line in lines.iter().filter(|line| !line.trim_start().starts_with("quit")) {
            // A host that asks for hours gets hours of thinking.
            if !["st ", "memory ", "level "].iter().any(|word| line.starts_with(word)) {
                engine.send(line);
            }
        }
        engine.send("result * {enough}\nnew\nvariant minichess\nsd 2\neasy\nping 99");
        engine.until(|line| line == "pong 99");
        engine.send("force");
        prop_assert!(!answer(&mut engine, "go").is_empty());
    }
}

/// XBoard plays one game of the house, so its session begins with it, and its dialogue lists what that game has.
#[test]
fn a_session_begins_with_the_game_that_xboard_plays() {
    let evaluations = "feature option=\"Evaluation -combo *best /// network /// tuned";
    for arguments in [&[][..], &["--xboard"], &["--protocol", "xboard"], &["--evaluation", "default"]] {
        let mut engine = Engine::start(&[arguments, &["--hash", "1"]].concat());
        engine.send("xboard\nprotover 2");
        let features = engine.until(|line| line == "feature done=1");
        assert!(features.iter().any(|line| line.starts_with(evaluations)), "{arguments:?}: {features:?}");
        for name in features.iter().filter_map(|line| line.strip_prefix("feature option=\"")) {
            assert!(name.split_once(' ').is_some_and(|(_, kind)| kind.starts_with('-')), "a blank in {name}");
        }
        engine.send("option Evaluation=tuned\noption Clear_Hash\nsd 1\ngo");
        assert!(is_move(engine.line().trim_start_matches("move ")), "MiniChess without a word about the variant");
        engine.send("variant minichess\nping 1");
        let lines = engine.until(|line| line == "pong 1");
        assert!(lines[0].starts_with("setup ") && !lines.iter().any(|line| line.starts_with("feature")), "{lines:?}");
    }
    // A game that was chosen stays until the host chooses another, whose options it then hears of.
    let mut engine = Engine::start(&["--xboard", "--game", "reversi", "--hash", "1"]);
    engine.send("protover 2");
    let features = engine.until(|line| line == "feature done=1");
    assert!(features.iter().any(|line| line.contains(" /// mobility")), "{features:?}");
    engine.send("variant minichess\nping 1");
    let lines = engine.until(|line| line == "pong 1");
    assert!(lines.iter().any(|line| line.starts_with(evaluations)), "{lines:?}");
}
