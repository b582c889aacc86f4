use super::*;
use flipside_core::games::names::GAMES;

/// A UCI host splits a line of an option at these words.
#[test]
fn no_name_and_no_value_is_a_keyword_of_uci() {
    let keywords = ["name", "type", "default", "min", "max", "var", "value"];
    for game in GAMES {
        let settings = Settings { game: game.name.to_string(), ..Settings::default() };
        for option in settings.describe(GAMES) {
            let OptionInfo { name, kind, default, value, .. } = option;
            let listed = if let OptionKind::Combo(words) = kind { words } else { Vec::new() };
            let words = listed.iter().chain([&default, &value]).flat_map(|text| text.split(' ')).chain(name.split(' '));
            for word in words {
                assert!(!keywords.iter().any(|keyword| keyword.eq_ignore_ascii_case(word)), "{name}: {word}");
            }
            assert!(listed.is_empty() || listed.contains(&default) && listed.contains(&value), "{name}: {listed:?}");
        }
    }
}

#[test]
fn the_best_evaluation_has_an_old_name() {
    let mut settings = Settings::default();
    for word in ["linear", "default", "linear", "best", "LINEAR", "Default"] {
        let (info, _) = settings.set(GAMES, "Evaluation", Some(word)).expect("a value");
        let is_linear = word.eq_ignore_ascii_case("linear");
        assert_eq!(info.value, if is_linear { "linear" } else { "best" });
        assert_eq!(settings.evaluation, if is_linear { "linear" } else { "default" });
    }
}

#[test]
fn options_are_found_by_name_and_alias() {
    let mut settings = Settings::default();
    for name in ["Disable", "disable", "Without"] {
        let (info, effect) = settings.set(GAMES, name, Some("null-move")).expect("an option");
        assert_eq!((info.name, info.value.as_str(), effect), ("Disable", "null-move", Effect::Reopen));
    }
    assert!(settings.describe(GAMES).iter().all(|info| info.name != "Without"), "an alias is not listed");
    assert!(matches!(settings.set(GAMES, "Speed", None), Err(CommandError::UnknownOption(_))));
}

#[test]
fn files_are_named_only_where_they_may_be() {
    let mut settings = Settings { host_files: false, ..Settings::default() };
    for value in ["/dev/null", ""] {
        assert_eq!(settings.set(GAMES, "weights", Some(value)), Err(CommandError::FilesForbidden));
    }
    assert!(settings.describe(GAMES).iter().all(|info| info.name != "Weights"));
    settings.host_files = true;
    assert!(settings.set(GAMES, "weights", Some("/dev/null")).is_ok());
    assert!(settings.describe(GAMES).iter().any(|info| (info.name, &*info.value) == ("Weights", "/dev/null")));
}

#[test]
fn the_book_is_a_word_or_a_file() {
    let mut settings = Settings::default();
    let book = |settings: &Settings| {
        let options = settings.describe(GAMES);
        options.into_iter().find(|info| info.name == "Book").map(|info| (info.value, info.kind)).expect("an option")
    };
    for (name, value, seen) in [
        ("Book", "None", "none"),
        ("Book", "EMBEDDED", "embedded"),
        ("OwnBook", "false", "none"),
        ("ownbook", "true", "embedded"),
        ("Book", "", "none"),
        ("Book", "my books/a.book", "my books/a.book"),
    ] {
        settings.set(GAMES, name, Some(value)).expect("a value");
        assert_eq!(book(&settings), (seen.to_string(), OptionKind::Text), "{value}");
    }
    assert_eq!(settings.for_game("minichess").book, BookSource::Embedded, "the file is of another game");
    settings.host_files = false;
    let words = |words: &[&str]| OptionKind::Combo(words.iter().map(|word| word.to_string()).collect());
    assert_eq!(book(&settings), ("file".into(), words(&["embedded", "none", "file"])));
    assert_eq!(settings.set(GAMES, "Book", Some("my books/a.book")), Err(CommandError::FilesForbidden));
    assert!(settings.set(GAMES, "Book", Some("file")).is_ok(), "as it is");
    assert!(settings.set(GAMES, "Book", Some("none")).is_ok());
    assert_eq!(book(&settings), ("none".into(), words(&["embedded", "none"])));
    assert_eq!(settings.set(GAMES, "Book", Some("file")), Err(CommandError::FilesForbidden), "it has no name");
}

#[test]
fn values_out_of_range_change_nothing() {
    let mut settings = Settings::default();
    for (name, value) in [("Hash", "0"), ("Hash", "x"), ("Ponder", "maybe"), ("Evaluation", "none"), ("Algorithm", "")]
    {
        assert!(matches!(settings.set(GAMES, name, Some(value)), Err(CommandError::BadValue(..))), "{name} {value}");
    }
    assert_eq!(settings, Settings::default());
    settings.set(GAMES, "UCI_Variant", Some("MiniChess")).expect("a variant");
    assert_eq!(settings.game, "minichess");
}
