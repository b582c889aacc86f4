use super::*;
use proptest::prelude::*;

const SHEET: &str = "(;GM[Othello]PC[]PB[]PW[]RE[?]TI[5:00]TY[8]BO[8 \
                     ---------------------------O*------*O--------------------------- *]B[E6/1.25/0.5]W[F6];)";

#[test]
fn the_game_of_the_fact_sheet() {
    let game = GgfGame::read(SHEET).expect("a game");
    assert_eq!(game.tag("GM"), Some("Othello"));
    assert_eq!(game.result(), None);
    assert_eq!(game.clock(Side::Second).and_then(|clock| clock.main), Some(Duration::from_secs(300)));
    assert_eq!(game.time_left(Side::First), Some(Duration::from_millis(299_500)));
    assert!(game.board.as_ref().is_some_and(|board| board.starts_with("8 ---") && board.ends_with('*')));
    let [first, second] = &game.moves[..] else { panic!("two moves") };
    assert_eq!((first.text.as_str(), first.value, first.side), ("E6", Some(125), Side::First));
    assert_eq!((second.text.as_str(), second.time, second.side), ("F6", None, Side::Second));
    assert_eq!(game.to_string(), SHEET);
}

#[test]
fn escapes_blanks_and_unknown_tags() {
    let game = GgfGame::read("2 ( ; XY[a\\]b\\\\c] \n CO[] B[ f5 // 2 ] ; ) (;GM[Amazons];)").expect("a game");
    assert_eq!(game.tag("XY"), Some("a]b\\c"));
    assert_eq!(game.moves[0].text, "f5");
    assert_eq!(game.moves[0].time, Some(Duration::from_secs(2)));
    assert_eq!(GgfGame::read(&game.to_string()), Ok(game));
}

#[test]
fn clocks_in_all_forms() {
    let seconds = |n| Some(Duration::from_secs(n));
    for (text, main, increment, extension) in [
        ("5:00", seconds(300), None, None),
        ("1:00:00/10/2:00", seconds(3600), seconds(10), seconds(120)),
        ("//2:00", None, None, seconds(120)),
        ("15:00//02:00", seconds(900), None, seconds(120)),
        ("30", seconds(30), None, None),
    ] {
        assert_eq!(GgfClock::read(text), Some(GgfClock { main, increment, extension }), "{text}");
    }
    for bad in ["x", "1:2:3:4", "-1", "-00:03", "1e5"] {
        assert_eq!(GgfClock::read(bad), None, "{bad}");
    }
    let game = GgfGame::read("(;TI[5:00]TB[1:00/5];)").expect("a game");
    assert_eq!(game.clock(Side::First).and_then(|clock| clock.increment), seconds(5));
    assert_eq!(game.clock(Side::Second).and_then(|clock| clock.main), seconds(300));
}

#[test]
fn results() {
    let game = GgfGame::read("(;KO[-3.5]TY[s8r18]RE[+12:t];)").expect("a game");
    assert_eq!(game.result(), Some(GgfResult { margin: 1200, cause: Some(Cause::Time) }));
    assert_eq!(GgfResult::read("-4.00:r").map(|result| result.to_string()), Some("-4.00:r".into()));
}

/// Servers' archives hold other games under the same tags.
#[test]
fn games_of_other_rules_are_refused_by_name() {
    let refused = |tags: &str| GgfGame::read(&format!("(;{tags}B[d3];)")).map_err(|error| error.to_string()).err();
    for (tags, reason) in [
        ("GM[Othello]TY[8a]", "it is an anti game, which the fewer discs win (TY[8a]), not one of Othello"),
        ("TY[s8ar20]", "it is an anti game, which the fewer discs win (TY[s8ar20]), not one of Othello"),
        ("TY[8kr]KM[+1.0]", "it is a game with komi (TY[8kr]), not one of Othello"),
        ("KM[-0.5]", "it is a game with komi (TY[]), not one of Othello"),
        ("TY[10]", "it is a game on another board than 8x8 (TY[10]), not one of Othello"),
        ("TY[88r18]", "it is a game on another board than 8x8 (TY[88r18]), not one of Othello"),
        ("GM[Amazons]", "it is a game of Amazons, not of Othello"),
    ] {
        assert_eq!(refused(tags).as_deref(), Some(reason), "{tags}");
    }
    for own in ["", "GM[]", "GM[othello]TY[8]", "TY[s8r18]", "TY[8r]KM[0.0]", "TY[?]"] {
        assert_eq!(refused(own), None, "{own}");
    }
}

#[test]
fn unknown_margins_stay_unknown() {
    let result = |text: &str| GgfResult::read(text).expect("a result").game_result();
    let shown = |text: &str| GgfResult::of(result(text)).map(|result| result.to_string());
    for (text, difference) in
        [("+12", Some(12)), ("+10.00:l", Some(10)), ("+64:r", None), ("+64", Some(64)), ("-0.50", None), ("0", Some(0))]
    {
        assert_eq!(result(text).difference, difference, "{text}");
    }
    assert_eq!(result("-0.50").winner, Some(Side::Second), "no draw");
    assert_eq!(result("+1000000").difference, Some(1_000_000), "the rules refuse it");
    assert_eq!(GgfResult::read("+1000001"), None);
    for same in ["+12.00", "+10.00:l", "+64.00:r", "-64.00:t", "0.00"] {
        assert_eq!(shown(same).as_deref(), Some(same));
    }
    assert_eq!(shown("-0.50"), None, "who won is known, and no more");
}

#[test]
fn nonsense_is_refused() {
    for bad in ["", "hello", "(;", "(;GM[Othello]", "(;GM[Othello;)", "(;B[];)", "(;GM Othello;)", "(;B[\\"] {
        assert!(GgfGame::read(bad).is_err(), "{bad}");
    }
}

fn any_move() -> impl Strategy<Value = GgfMove> {
    let side = any::<bool>().prop_map(|first| if first { Side::First } else { Side::Second });
    let value = proptest::option::of(-640_000..640_000);
    let time = proptest::option::of((0u64..9_000_000).prop_map(Duration::from_millis));
    (side, "[A-H][1-8]|PA", value, time).prop_map(|(side, text, value, time)| GgfMove { side, text, value, time })
}

fn any_game() -> impl Strategy<Value = GgfGame> {
    let tag = ("(C|T|X)[A-X]", "\\PC{0,12}");
    let board = proptest::option::of("8 [-O*]{64} [O*]");
    (proptest::collection::vec(tag, 0..6), board, proptest::collection::vec(any_move(), 0..60))
        .prop_map(|(tags, board, moves)| GgfGame { tags, board, moves })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(game in any_game()) {
        prop_assert_eq!(GgfGame::read(&game.to_string()), Ok(game));
    }

    #[test]
    fn clocks_are_read_again(main in 0u64..1_000_000_000, increment in 0u64..100_000, extension: Option<u32>) {
        let clock = GgfClock {
            main: Some(Duration::from_millis(main)),
            increment: Some(Duration::from_millis(increment)),
            extension: extension.map(|seconds| Duration::from_secs(u64::from(seconds) % 100_000)),
        };
        prop_assert_eq!(GgfClock::read(&clock.to_string()), Some(clock));
    }

    #[test]
    fn any_text_is_survived(text in "\\PC*|\\(;([A-Z\\[\\]\\\\/:.0-9;)]{0,50})") {
        if let Ok(game) = GgfGame::read(&text) {
            prop_assert_eq!(GgfGame::read(&game.to_string()), Ok(game.clone()));
            let _ = (game.result(), game.time_left(Side::First));
        }
    }
}
