//! `flipside connect` against fake servers, which tear their lines, reject moves, vanish and refuse.

mod ggs_server;
mod imcs_server;
mod server;
#[cfg(target_os = "linux")]
mod soak;

use crate::common::home::Home;
use crate::common::program;
use flipside_core::search::types::Side;
use ggs_server::{Form, Game};
use server::{Conn, listener};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// Starts a client of this server with the password `geheim`, and all that it logs.
fn client(server: &str, port: &str, more: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
    command.args(["connect", server, "--no-config", "--host", "127.0.0.1", "--port", port, "--name", "flip"]);
    command.args(["--level", "1", "--hash", "1"]).args(more);
    command.env("FLIPSIDE_PASSWORD", "geheim").env("RUST_LOG", "debug");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the client starts")
}

/// What a client has printed, and whether it was content; the password is nowhere in it.
fn ended(client: Child) -> (bool, String, String) {
    let Output { status, stdout, stderr } = client.wait_with_output().expect("the client ends");
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(!stdout.contains("geheim") && !stderr.contains("geheim"), "{stdout}{stderr}");
    (status.success(), stdout, stderr)
}

/// Runs a client against a server that serves its connections one after the other.
fn against(
    server: &str,
    more: &[&str],
    serve: impl FnOnce(&mut dyn FnMut(usize) -> Conn) + Send + 'static,
) -> (bool, String, String) {
    let (listener, port) = listener();
    let server_thread = thread::spawn(move || serve(&mut |packet| Conn::accept(&listener, packet)));
    let ended = ended(client(server, &port, more));
    server_thread.join().expect("the server is content");
    ended
}

/// The games in a file, as `flipside convert` reads them: each with its moves checked.
fn games(file: &str) -> Vec<String> {
    let (ok, text) = program::flipside(&["convert", file, "--to", "json"]);
    assert!(ok, "{text}");
    text.lines().map(str::to_string).collect()
}

const REQUEST: &str = "/os: +   .8 1720.0 alice    01:00//00:00       8 U 1720.0 flip\r\nREADY\r\n";
const BEGIN: &str =
    "/os: -   .8 1720.0 alice 01:00 8 U 1720.0 flip\r\n/os: + match .5 1720 flip 1720 alice 8 U\r\nREADY\r\n";

#[test]
fn ggs_a_match_is_accepted_played_and_recorded_however_lines_are_torn() {
    for (packet, form, side) in [(3, Form::Ggf, Side::First), (0, Form::Picture, Side::Second)] {
        let home = Home::new();
        let file = home.path("games.ggf");
        let (ok, said, _) = against("ggs", &["--games", "1", "--record", &file], move |accept| {
            let mut conn = accept(packet);
            ggs_server::log_in(&mut conn, "flip", "geheim");
            conn.send(REQUEST);
            conn.until("tell /os accept .8", "READY\r\n");
            conn.send(BEGIN);
            let rejects = form == Form::Ggf;
            let others = ggs_server::play(&mut conn, &mut [Game::new(".5", side, 0, form)], rejects, 1);
            assert!(others.is_empty(), "{others:?}");
            assert_eq!(conn.line().as_deref(), Some("quit"));
        });
        assert!(ok, "{said}");
        assert!(said.contains("logged in as flip\naccepting 8 from alice\nmatch .5 against alice begins\n"), "{said}");
        assert!(said.contains("game .5 against alice is over: "), "{said}");
        let games = games(&file);
        assert_eq!(games.len(), 1);
        assert!(games[0].contains("\"alice\"") && games[0].contains("\"flip\""), "{}", games[0]);
        assert!(games[0].contains("\"result\""), "{}", games[0]);
    }
}

#[test]
fn ggs_a_pair_of_games_from_a_random_start_is_played_side_by_side() {
    let home = Home::new();
    let file = home.path("games.ggf");
    let (ok, said, _) = against(
        "ggs",
        &["--games", "1", "--record", &file, "--offer", "s8r18", "--to", "alice"],
        |accept| {
            let mut conn = accept(0);
            ggs_server::log_in(&mut conn, "flip", "geheim");
            conn.send("READY\r\n");
            assert_eq!(conn.until("tell /os ask", "READY\r\n"), "tell /os ask s8r18 5:00 alice");
            conn.send("/os: + .9 1720 flip 05:00 s8r18 U 1720 alice\r\nREADY\r\n");
            conn.send("/os: - .9 1720 flip 05:00 s8r18 U 1720 alice\r\n/os: + match .5 1720 flip 1720 alice s8r18 U\r\nREADY\r\n");
            let pair = [(".5.0", Side::First), (".5.1", Side::Second)];
            let mut pair = pair.map(|(id, side)| Game::new(id, side, 14, Form::Ggf));
            ggs_server::play(&mut conn, &mut pair, false, 2);
            assert_eq!(conn.line().as_deref(), Some("quit"));
        },
    );
    assert!(ok, "{said}");
    assert_eq!(games(&file).len(), 2, "{said}");
    assert!(said.contains("game .5.0 against alice is over") && said.contains("game .5.1 against alice"), "{said}");
}

#[test]
fn ggs_a_slow_prompt_is_read_as_a_whole() {
    let (ok, said, errors) = against("ggs", &["--attempts", "0"], |accept| {
        let mut conn = accept(0);
        for piece in ["hello\r\n: Ent", "er log", "in (yours).\r\n"] {
            conn.send(piece);
            thread::sleep(Duration::from_millis(700));
        }
        assert_eq!(conn.line().as_deref(), Some("flip"));
        for piece in [": Enter you", "r password."] {
            conn.send(piece);
            thread::sleep(Duration::from_millis(700));
        }
        assert_eq!(conn.line().as_deref(), Some("geheim"));
        conn.send("\r\nREADY\r\n");
        conn.until("tell /os open 1", "READY\r\n");
    });
    assert!(!ok && said.contains("logged in as flip"), "{said}{errors}");
}

#[test]
fn ggs_what_does_not_suit_is_declined_with_the_reason() {
    let rules = ["--never", "mallory", "--rated", "no", "--attempts", "0"];
    let (ok, said, _) = against("ggs", &rules, |accept| {
        let mut conn = accept(0);
        ggs_server::log_in(&mut conn, "flip", "geheim");
        for (request, id) in [
            (".1 1720 alice 05:00 8k U 1720 flip", ".1"),
            (".2 1720 alice 05:00/00:05 8 U 1720 flip", ".2"),
            (".3 1720 alice 05:00//02:00 8 U 1720 flip", ".3"),
            (".4 1720 mallory 05:00 8 U 1720 flip", ".4"),
            (".5 1720 alice 05:00 8 R 1720 flip", ".5"),
            (".6 1720 alice 05:00 10 U 1720 flip", ".6"),
            (".7 1720 alice 05:00 8a U 1720 flip", ".7"),
        ] {
            conn.send(&format!("/os: + {request}\r\nREADY\r\n"));
            assert_eq!(conn.until("tell /os decline", "READY\r\n"), format!("tell /os decline {id}"));
        }
        // Requests to others and to anybody that do not suit are not answered.
        conn.send("/os: + .10 1720 alice 05:00 8k U 1720 bob\r\n/os: + .11 1720 alice 05:00 8k U 1720 *\r\n");
        conn.send("/os: + .12 1720 alice 05:00 8 U\r\nREADY\r\n");
        assert_eq!(conn.until("tell /os", "READY\r\n"), "tell /os accept .12", "to anybody, and it suits");
        conn.send(
            "/os: + match .5 1720 flip 1720 alice 8 U\r\nREADY\r\n/os: + .13 1 bob 05:00 8 U 1 flip\r\nREADY\r\n",
        );
        assert_eq!(conn.until("tell /os", "READY\r\n"), "tell /os decline .13", "a match is being played");
        // The match vanishes without a game: nothing is repeated.
        conn.send("/os: - match .5 1720 flip 1720 alice 8 U aborted\r\nREADY\r\n");
        conn.send("/os: + .14 1720 alice 05:00 8 U 1720 flip\r\nREADY\r\n");
        assert_eq!(conn.until("tell /os", "READY\r\n"), "tell /os accept .14");
    });
    assert!(!ok, "the server has closed the connection, and does not come back");
    for reason in [
        "declining 8k from alice: it is a komi game",
        "its clock has an increment",
        "its clock has extra time",
        "declining 8 from mallory: the opponent is on the list of those to refuse",
        "rating mode",
        "declining 10 from alice: its board is not 8x8",
        "it is an anti game",
        "another match is being played",
    ] {
        assert!(said.contains(reason), "{reason} in {said}");
    }
}

#[test]
fn a_login_that_is_refused_ends_with_one_sentence() {
    for (server, answers, sentence) in [
        (
            "ggs",
            vec!["hello\r\n: Enter login (yours).", ": Enter your password.\r\n", ": Bad password.\r\n"],
            "refuses the login: Bad password.",
        ),
        ("ggs", vec![": Enter login (yours).", ": flip is in use.\r\n"], "refuses the login: flip is in use."),
        ("imcs", vec!["100 imcs 2.5\r\n", "401 wrong password\r\n"], "the server refuses: wrong password"),
        (
            "imcs",
            vec!["503 server shutdown, come back later\r\n"],
            "the server refuses: server shutdown, come back later",
        ),
        (
            "imcs",
            vec!["100 imcs 2.5\r\n", "400 no such username: please use register command\r\n"],
            "--register creates the name",
        ),
    ] {
        let (ok, said, errors) = against(server, &[], move |accept| {
            let mut conn = accept(0);
            let mut answers = answers.into_iter();
            conn.send(answers.next().expect("a banner"));
            for answer in answers {
                conn.line().expect("a login");
                conn.send(answer);
            }
            assert_eq!(conn.line(), None, "the client leaves");
        });
        assert!(!ok && said.is_empty(), "{said}");
        let last = errors.lines().last().unwrap_or_default();
        assert!(last.starts_with("flipside: ") && last.contains(sentence), "{sentence} in {errors}");
    }
}

#[test]
fn ggs_a_lost_connection_is_made_again_and_the_match_resumed() {
    let home = Home::new();
    let file = home.path("games.ggf");
    let (ok, said, _) = against("ggs", &["--games", "1", "--record", &file], |accept| {
        let mut conn = accept(0);
        ggs_server::log_in(&mut conn, "flip", "geheim");
        conn.send(REQUEST);
        conn.until("tell /os accept .8", "READY\r\n");
        conn.send(BEGIN);
        Game::new(".5", Side::First, 0, Form::Ggf).tell("join", &mut conn);
        conn.until("tell /os play .5", "READY\r\n");
        drop(conn);
        let mut conn = accept(0);
        ggs_server::log_in(&mut conn, "flip", "geheim");
        conn.until("tell /os stored", "READY\r\n");
        conn.send("/os: stored 2 flip\r\n|.77 26 Nov 2026 bob 8 U\r\n|.78 26 Nov 2026 alice 8 U\r\nREADY\r\n");
        assert_eq!(conn.until("tell /os ask", "READY\r\n"), "tell /os ask .78");
        conn.send("/os: + match .5 1720 flip 1720 alice 8 S\r\nREADY\r\n");
        ggs_server::play(&mut conn, &mut [Game::new(".5", Side::First, 10, Form::Ggf)], false, 3);
        conn.until("quit", "READY\r\n");
    });
    assert!(ok, "{said}");
    assert!(said.contains("the match against alice is interrupted\n"), "{said}");
    assert!(said.contains("is lost: the server closed it; trying again\n"), "{said}");
    assert_eq!(games(&file).len(), 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_game_or_resigns_it_as_asked() {
    for on_stop in ["finish", "resign"] {
        let (listener, port) = listener();
        let client = client("ggs", &port, &["--on-stop", on_stop]);
        let id = client.id();
        let server = thread::spawn(move || {
            let mut conn = Conn::accept(&listener, 0);
            ggs_server::log_in(&mut conn, "flip", "geheim");
            conn.send(REQUEST);
            conn.until("tell /os accept .8", "READY\r\n");
            conn.send(BEGIN);
            let mut game = [Game::new(".5", Side::First, 0, Form::Ggf)];
            game[0].tell("join", &mut conn);
            conn.until("tell /os play", "READY\r\n");
            Command::new("kill").args(["-INT", &id.to_string()]).status().expect("kill");
            assert_eq!(conn.line().as_deref(), Some("tell /os open 0"));
            if on_stop == "resign" {
                assert_eq!(conn.line().as_deref(), Some("tell /os resign .5"));
                conn.send("/os: - match .5 1720 flip 1720 alice 8 U -64.00:r\r\nREADY\r\n");
            } else {
                game[0] = Game::new(".5", Side::First, 20, Form::Ggf);
                ggs_server::play(&mut conn, &mut game, false, 4);
            }
            assert_eq!(conn.line().as_deref(), Some("quit"));
        });
        let (ok, said, errors) = ended(client);
        server.join().expect("the server is content");
        assert!(ok, "{said}{errors}");
        let expected = if on_stop == "resign" { "leaving at once" } else { "leaving after the present game" };
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn imcs_games_are_accepted_and_offered_and_recorded() {
    let home = Home::new();
    let file = home.path("games.pgn");
    let (ok, said, _) = against("imcs", &["--games", "2", "--offer", "30", "--record", &file], |accept| {
        let mut conn = accept(3);
        imcs_server::log_in(&mut conn);
        conn.send("211 3 available games\r\n 1 x y (1000/1000)  [in-progress]\r\n 2 flip W 0:30 0:30 984 [offer]\r\n");
        conn.send(" 3 anna W 0:30 0:30 1016 [offer]\r\n.\r\n");
        assert_eq!(conn.line().as_deref(), Some("accept 3"));
        imcs_server::play(&mut conn, Side::Second, true, None);
        drop(conn);
        let mut conn = accept(0);
        imcs_server::log_in(&mut conn);
        conn.send("211 0 available games\r\n.\r\n");
        assert_eq!(conn.line().as_deref(), Some("offer ? 30 30"));
        conn.send("103 4 game waiting for offer acceptance\r\n");
        conn.send("421 offer countermanded\r\n");
        assert_eq!(conn.line().as_deref(), Some("list"));
        conn.send("211 0 available games\r\n.\r\n");
        assert_eq!(conn.line().as_deref(), Some("offer ? 30 30"));
        conn.send("103 5 game waiting for offer acceptance\r\n");
        imcs_server::play(&mut conn, Side::First, false, None);
    });
    assert!(ok, "{said}");
    assert!(said.contains("rating: 984\naccepting the game of anna\nthe game begins, with black\n"), "{said}");
    assert_eq!(said.matches("is over: ").count(), 2, "{said}");
    assert_eq!(games(&file).len(), 2);
}

#[test]
fn imcs_a_server_that_vanishes_costs_the_game_and_no_loop() {
    let (ok, said, errors) = against("imcs", &["--attempts", "1"], |accept| {
        let mut conn = accept(0);
        imcs_server::log_in(&mut conn);
        conn.send("211 1 available games\r\n 3 anna B 0:30 0:30 1016 [offer]\r\n.\r\n");
        assert_eq!(conn.line().as_deref(), Some("accept 3"));
        imcs_server::play(&mut conn, Side::First, false, Some(4));
        drop(conn);
        // It comes back once and closes without a word, and is away then.
        drop(accept(0));
    });
    assert!(!ok);
    assert!(said.contains("the game against anna is lost with the connection\n"), "{said}");
    assert!(errors.lines().last().is_some_and(|line| line.contains("(2 times)")), "{errors}");
}

#[test]
fn the_password_comes_from_a_file_or_the_environment_and_never_from_the_command_line() {
    let run = |words: &[&str]| program::stderr(&program::run(words, ""));
    assert!(run(&["connect", "ggs", "--password", "x"]).contains("unexpected argument '--password'"));
    assert!(run(&["connect", "ggs", "--no-config"]).contains("--name is missing"));
    assert!(run(&["connect", "imcs", "--name", "flip"]).contains("no password: put it into a file"));
    let home = Home::new();
    let file = home.write("secret", "two words\n");
    let said = run(&["connect", "imcs", "--name", "flip", "--password-file", &file]);
    assert!(said.contains("the password has blanks") && !said.contains("two words"), "{said}");
    let file = home.write("secret", "word\nsecond line\n");
    let said = run(&["connect", "imcs", "--name", "flip", "--password-file", &file, "--port", "1"]);
    assert!(said.contains("cannot connect to localhost:1"), "{said}");
}
