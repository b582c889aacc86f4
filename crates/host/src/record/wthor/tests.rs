use super::super::game_record::Cause;
use super::*;
use flipside_core::search::types::Side;

fn game(moves: &str) -> GameRecord {
    GameRecord {
        players: [Some("Ann".into()), Some("Zoë".into())],
        event: Some("Open".into()),
        date: Some("1999-03-04".into()),
        result: Some(GameResult::by_difference(-12)),
        ..super::super::transcript::read(moves, true)
    }
}

fn files(games: &[GameRecord]) -> Files {
    let mut writer = Writer::default();
    games.iter().for_each(|game| writer.add(game).expect("it fits"));
    writer.finish()
}

#[test]
fn games_with_their_names_are_read_again() {
    let games = [game("f5d6c3"), GameRecord { players: [Some("Zoë".into()), None], ..game("f5f6e6f4") }];
    let files = files(&games);
    assert!(is_wthor(&files.games) && files.games.len() == 16 + 2 * 68);
    assert_eq!(files.games.get(16 + 8..16 + 12), Some(&[56, 64, 33, 0][..]), "row and column");
    let names = Names {
        players: read_players(&files.players).expect("players"),
        tournaments: read_tournaments(&files.tournaments).expect("tournaments"),
    };
    assert_eq!(names.players, ["???", "Ann", "Zoë"]);
    let read: Vec<_> =
        read(&files.games, &names).expect("games").into_iter().map(|game| game.expect("a game")).collect();
    let expected = GameRecord { date: Some("1999".into()), ..games[0].clone() };
    assert_eq!(read[0], expected);
    assert_eq!(read[1].players, [Some("Zoë".into()), None]);
}

/// The header of the real collection's `.jou`, and of ours; the earlier place of the count is still read.
#[test]
fn names_are_counted_at_byte_eight() {
    let real = [20, 26, 2, 16, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
    let by_edax = [20, 26, 2, 16, 0, 0, 0, 0, 2, 0, 0xea, 7, 8, 0, 1, 0];
    let earlier = [20, 0, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for header in [real, by_edax, earlier] {
        let mut bytes = header.to_vec();
        bytes.extend(b"???\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0Zo\xeb\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!(read_players(&bytes), Ok(vec!["???".into(), "Zoë".into()]), "{header:?}");
        assert!(read_tournaments(&bytes).is_err_and(|reason| reason == "expected 2 names of 26 bytes, saw 40 bytes"));
        assert!(read(&bytes, &Names::default()).is_err_and(|reason| reason.contains(".jou")));
    }
    let Files { players, tournaments, games } = files(&[game("f5")]);
    let counts = |bytes: &[u8]| bytes.get(4..10).map(<[u8]>::to_vec);
    assert_eq!(counts(&players), Some(vec![0, 0, 0, 0, 3, 0]));
    assert_eq!(counts(&tournaments), Some(vec![0, 0, 0, 0, 2, 0]));
    assert_eq!(counts(&games), Some(vec![1, 0, 0, 0, 0, 0]));
}

/// Windows-1252 has printable characters where Latin-1 has control characters.
#[test]
fn names_are_windows_1252() {
    let name = "O’Žœ Ω";
    let files = files(&[GameRecord { players: [Some(name.into()), None], ..game("f5") }]);
    assert_eq!(files.players.get(16 + 20..16 + 27), Some(&b"O\x92\x8e\x9c ?\0"[..]));
    assert_eq!(read_players(&files.players), Ok(vec!["???".into(), "O’Žœ ?".into()]));
}

/// A file of 60 games whose header counts 5 lost 55 without a word.
#[test]
fn what_the_header_does_not_count_is_read_or_named() {
    let all = files(&[game("f5"), game("d3c5"), game("c4")]).games;
    let read = |bytes: &[u8]| read(bytes, &Names::default()).expect("a file");
    let counting = |count: u8, more: &[u8]| {
        let mut bytes = all.clone();
        bytes[4] = count;
        bytes.extend(more);
        read(&bytes)
    };
    let remarks = |games: &[Result<GameRecord, String>]| -> Vec<String> {
        games.iter().flat_map(|game| game.as_ref().expect("a game").remarks.clone()).collect()
    };
    assert_eq!(remarks(&counting(3, &[])), Vec::<String>::new());
    let games = counting(1, &[]);
    assert_eq!((games.len(), remarks(&games)), (3, vec!["the header of its file counts only 1 of 3 games".into()]));
    assert!(games[1].as_ref().is_ok_and(|game| game.moves.len() == 2 && game.remarks.len() == 1), "told of the first");
    assert_eq!(counting(0, &[]).len(), 3);
    for more in [&[0x1a][..], &[0; 68], &[1; 100]] {
        let games = counting(3, more);
        let told = vec![format!("bytes after it that are no game: {}", more.len())];
        assert_eq!((games.len(), remarks(&games)), (3, told));
    }
    assert!(read(&all[..17])[0].as_ref().is_err_and(|reason| reason.contains("1 of 68 bytes")));
    let mut nothing = all[..17].to_vec();
    nothing[4] = 0;
    assert!(read(&nothing)[0].as_ref().is_err_and(|reason| reason == "there is no game after the header of its file"));
}

/// Every number of the files at both ends of its range and beyond.
#[test]
fn numbers_at_the_ends_of_their_ranges() {
    let first = |at: usize, bytes: &[u8]| {
        let mut file = files(&[game("f5d6")]).games;
        file[at..at + bytes.len()].copy_from_slice(bytes);
        read(&file, &Names::default()).expect("a file").remove(0)
    };
    let discs =
        |discs: u8| first(16 + 6, &[discs]).map(|game| (game.result.and_then(|it| it.difference), game.remarks));
    assert_eq!(discs(0), Ok((Some(-64), vec![])));
    assert_eq!(discs(64), Ok((Some(64), vec![])));
    let impossible = |discs| vec![format!("its {discs} discs of Black are impossible and count as unknown")];
    assert_eq!([65, 255].map(discs), [65, 255].map(|discs| Ok((None, impossible(discs)))));
    let moves = |square| first(16 + 8, &[square]).map(|game| game.moves[0].text.clone());
    for (square, name) in [(11, "a1"), (18, "h1"), (81, "a8"), (88, "h8")] {
        assert_eq!(moves(square).as_deref(), Ok(name));
    }
    for beyond in [0, 1, 10, 19, 20, 80, 89, 90, 99, 255] {
        assert!(moves(beyond).is_err_and(|reason| reason.starts_with("move 1: expected")), "{beyond}: f5 is gone");
    }
    let player = |number: u16| first(16 + 2, &number.to_le_bytes()).map(|game| game.players[0].clone());
    assert_eq!(player(0), Ok(Some("player 0".into())));
    assert_eq!(player(u16::MAX), Ok(Some("player 65535".into())));
    let year = |year: u16| first(10, &year.to_le_bytes()).map(|game| game.date);
    assert_eq!([0, 1, u16::MAX].map(year), [Ok(None), Ok(Some("0001".into())), Ok(Some("65535".into()))]);
    let is_header = |at: usize, bytes: &[u8]| {
        let mut file = files(&[game("f5")]).games;
        file[at..at + bytes.len()].copy_from_slice(bytes);
        is_wthor(&file)
    };
    for (at, ends, beyond) in [
        (0, [19, 20], &[18, 21][..]),
        (2, [0, 12], &[13]),
        (3, [0, 31], &[32]),
        (12, [0, 10], &[7, 9, 11]),
        (13, [0, 1], &[2]),
    ] {
        assert!(
            ends.iter().all(|end| is_header(at, &[*end])) && !beyond.iter().any(|it| is_header(at, &[*it])),
            "{at}"
        );
    }
    let count = |count: u32| is_header(4, &count.to_le_bytes());
    assert_eq!([0, MAX_GAMES, MAX_GAMES + 1, u32::MAX].map(count), [true, true, false, false]);
}

/// Two bytes hold the numbers of names, and how many there are.
#[test]
fn a_file_has_at_most_65535_names() {
    let mut names = Numbers::new();
    let number = |names: &mut Numbers, name: usize| names.of(Some(&name.to_string()));
    for last in 1..65_535 {
        assert_eq!(number(&mut names, last).map(usize::from), Ok(last));
    }
    assert!(number(&mut names, 65_535).is_err_and(|refused| refused.reason == "there are more than 65,534 names"));
    assert_eq!(number(&mut names, 7), Ok(7), "known ones still have theirs");
    assert_eq!(read_players(&names.file(PLAYER_BYTES)).map(|names| names.len()), Ok(65_535));
}

#[test]
fn what_black_had_is_known_or_refused() {
    let discs = |result| discs_of_black(&GameRecord { result, ..game("f5") }).map_err(|refused| refused.reason);
    let by = |difference| discs(Some(GameResult::by_difference(difference)));
    assert_eq!([-64, -12, 0, 64].map(by), [Ok(0), Ok(26), Ok(32), Ok(64)]);
    for impossible in [-65, -66, 13, 65, 66, 1000, i32::MIN, i32::MAX] {
        assert!(by(impossible).is_err_and(|reason| reason.contains("64 discs")), "{impossible}");
    }
    let won = GameResult { winner: Some(Side::First), difference: None, cause: None };
    let left = GameResult { difference: Some(10), cause: Some(Cause::Left), ..won };
    for unknown in [won, left] {
        assert_eq!(discs(Some(unknown)), Err("its result in discs is unknown".into()));
    }
    assert_eq!(discs(None), Err("it has no result".into()));
}

#[test]
fn damaged_games_are_told_and_the_good_ones_pass() {
    let mut bytes = files(&[game("f5"), game("f5d6"), game("f5f6")]).games;
    bytes[16 + 68 + 9] = 99;
    bytes.truncate(bytes.len() - 10);
    let games = read(&bytes, &Names::default()).expect("a file");
    assert!(games[0].is_ok());
    assert!(games[1].as_ref().is_err_and(|reason| reason.contains("move 2") && reason.contains("99")));
    assert!(games[2].as_ref().is_err_and(|reason| reason.contains("58 of 68")));
    bytes.truncate(16 + 68);
    let games = read(&bytes, &Names::default()).expect("a file");
    assert!(games.len() == 2 && games[1].as_ref().is_err_and(|reason| reason.contains("2 more")));
}

#[test]
fn other_files_are_refused_by_name() {
    let files = files(&[game("f5")]);
    assert!(read(&files.players, &Names::default()).unwrap_err().contains(".jou"));
    assert!(!is_wthor(b"f5d6c3f5d6c3f5d6c3") && !is_wthor(b"(;GM[Othello]PC[]PB") && !is_wthor(b""));
    assert!(read_players(&files.games).is_err() && read_tournaments(&files.games).is_err());
}
