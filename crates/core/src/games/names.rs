//! The games by name: aliases, the UCI variant, evaluations. Plain data: option parser, protocols
//! and referee know the names, but not the games.

use super::plain::plain_games;

/// The names of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNames {
    /// The engine's own name of the game.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// The value of `UCI_Variant`, for a game that UCI hosts know.
    pub uci_variant: Option<&'static str>,
    /// True if XBoard can draw the game after the engine's `setup` command.
    pub drawn_by_xboard: bool,
    /// Names of the evaluations, the default first; empty if the game has none.
    pub evaluations: &'static [&'static str],
    /// For a game with several sizes and rules: which this one is.
    pub variant: Option<GameVariant>,
}

/// One size and rule of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameVariant {
    /// The name of the game in its usual size and rule.
    pub of: &'static str,
    /// Points a side.
    pub size: usize,
    /// The rule.
    pub rule: &'static str,
}

/// The evaluations of Reversi, the network first: a build without it begins with the next one.
const REVERSI_EVALUATIONS: &[&str] =
    &["network", "linear", "weighted", "discs", "mobility", "corners", "positional", "potential-mobility", "stability"];

/// Reversi, the default game.
pub const REVERSI: GameNames = GameNames {
    name: "reversi",
    aliases: &["othello"],
    uci_variant: Some("flipello"),
    drawn_by_xboard: false,
    evaluations: if cfg!(feature = "network") { REVERSI_EVALUATIONS } else { REVERSI_EVALUATIONS.split_at(1).1 },
    variant: None,
};

/// The evaluations of small Reversi.
const SMALL_REVERSI_EVALUATIONS: &[&str] =
    &["positional", "discs", "mobility", "corners", "potential-mobility", "stability"];

/// Reversi on 6x6.
pub const REVERSI_6X6: GameNames =
    GameNames { evaluations: SMALL_REVERSI_EVALUATIONS, ..GameNames::plain("reversi-6x6") };

/// Reversi on 4x4.
pub const REVERSI_4X4: GameNames =
    GameNames { evaluations: SMALL_REVERSI_EVALUATIONS, ..GameNames::plain("reversi-4x4") };

/// MiniChess 5x6.
pub const MINICHESS: GameNames = GameNames {
    name: "minichess",
    aliases: &[],
    uci_variant: Some("minichess"),
    drawn_by_xboard: true,
    evaluations: &["network", "tuned", "by-hand", "material", "material-ratio"],
    variant: None,
};

/// Gomoku's rules: five stones or more win; exactly five; renju, where Black's forks and overlines are forbidden; caro,
/// where a five between two stones of the opponent does not win; and caro with exactly five.
pub const GOMOKU_RULES: [&str; 5] = ["freestyle", "exactly-five", "renju", "caro", "caro-exactly-five"];

const fn gomoku(name: &'static str, size: usize, rule: &'static str) -> GameNames {
    let variant = Some(GameVariant { of: "gomoku", size, rule });
    GameNames { evaluations: &["patterns", "by-hand"], variant, ..GameNames::plain(name) }
}

/// Gomoku in its sizes and rules, the usual ones first.
pub const GOMOKU: &[GameNames; 10] = &[
    gomoku("gomoku", 15, GOMOKU_RULES[0]),
    gomoku("gomoku-20x20", 20, GOMOKU_RULES[0]),
    gomoku("gomoku-exactly-five", 15, GOMOKU_RULES[1]),
    gomoku("gomoku-20x20-exactly-five", 20, GOMOKU_RULES[1]),
    gomoku("gomoku-renju", 15, GOMOKU_RULES[2]),
    gomoku("gomoku-20x20-renju", 20, GOMOKU_RULES[2]),
    gomoku("gomoku-caro", 15, GOMOKU_RULES[3]),
    gomoku("gomoku-20x20-caro", 20, GOMOKU_RULES[3]),
    gomoku("gomoku-caro-exactly-five", 15, GOMOKU_RULES[4]),
    gomoku("gomoku-20x20-caro-exactly-five", 20, GOMOKU_RULES[4]),
];

macro_rules! all_games {
    ($($plain:literal [$($alias:literal),*] => $game:path,)*) => {
        /// All games, the default first.
        pub const GAMES: &[GameNames] =
            &[REVERSI, MINICHESS, REVERSI_6X6, REVERSI_4X4, GOMOKU[0], GOMOKU[1], GOMOKU[2], GOMOKU[3], GOMOKU[4], GOMOKU[5], GOMOKU[6], GOMOKU[7], GOMOKU[8], GOMOKU[9], $(GameNames { aliases: &[$($alias),*], ..GameNames::plain($plain) },)*];
    };
}

plain_games!(all_games);

impl GameNames {
    /// A game with one name, unknown to UCI and XBoard hosts, without an evaluation.
    pub const fn plain(name: &'static str) -> GameNames {
        GameNames { name, aliases: &[], uci_variant: None, drawn_by_xboard: false, evaluations: &[], variant: None }
    }

    /// Whether the game is in its usual size and rule.
    pub fn is_usual_variant(&self) -> bool {
        self.variant.is_none_or(|variant| variant.of == self.name)
    }

    /// True for the name, an alias or the UCI variant, in any case.
    pub fn is_called(&self, name: &str) -> bool {
        let names = self.aliases.iter().chain(&self.uci_variant).chain([&self.name]);
        names.into_iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// The engine's own names of the games, the default first.
pub fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.name)
}

/// The game of that name, alias or UCI variant, in any case.
pub fn find(name: &str) -> Option<&'static GameNames> {
    GAMES.iter().find(|game| game.is_called(name))
}

/// The game of that name in another size or under another rule; what is not given is as usual in
/// that game. `None` if that game, size or rule does not exist.
pub fn variant_of(name: &str, size: Option<usize>, rule: Option<&str>) -> Option<&'static GameNames> {
    let named = find(name)?;
    if size.is_none() && rule.is_none() {
        return Some(named);
    }
    let known = named.variant?;
    let (size, rule) = (size.unwrap_or(known.size), rule.unwrap_or(known.rule));
    GAMES
        .iter()
        .find(|game| game.variant.is_some_and(|other| other.of == known.of && other.size == size && other.rule == rule))
}

/// The game of that own name on a square board of another size: Reversi, or Gomoku under the same rule.
pub fn in_size(game: &str, size: usize) -> Option<&'static GameNames> {
    let reversi: [(usize, &'static GameNames); 3] = [(8, &REVERSI), (6, &REVERSI_6X6), (4, &REVERSI_4X4)];
    if !reversi.iter().any(|(_, known)| known.name == game) {
        return variant_of(game, Some(size), None);
    }
    reversi.into_iter().find(|&(known, _)| known == size).map(|(_, names)| names)
}

/// UCI names of the games, the default first.
pub fn uci_variants() -> impl Iterator<Item = &'static str> {
    GAMES.iter().filter_map(|game| game.uci_variant)
}

/// The UCI name of the game with that own name.
pub fn uci_variant_of(game: &str) -> Option<&'static str> {
    GAMES.iter().find(|known| known.name == game)?.uci_variant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_game() {
        for game in GAMES {
            for name in game.aliases.iter().chain(&game.uci_variant).chain([&game.name]) {
                assert_eq!(find(&name.to_uppercase()), Some(game), "{name}");
            }
            assert_eq!(uci_variant_of(game.name), game.uci_variant);
        }
        for (alias, name) in [("tictactoe", "tic-tac-toe"), ("connect4", "connect-four"), ("othello", "reversi")] {
            assert_eq!(find(alias).map(|game| game.name), Some(name));
        }
        assert_eq!(find("go"), None);
        for (size, rule, name) in [
            (None, None, Some("gomoku")),
            (Some(20), None, Some("gomoku-20x20")),
            (None, Some("exactly-five"), Some("gomoku-exactly-five")),
            (Some(20), Some("exactly-five"), Some("gomoku-20x20-exactly-five")),
            (Some(19), None, None),
            (None, Some("renju"), Some("gomoku-renju")),
            (Some(20), Some("caro"), Some("gomoku-20x20-caro")),
            (None, Some("pente"), None),
        ] {
            assert_eq!(variant_of("gomoku", size, rule).map(|game| game.name), name, "{size:?} {rule:?}");
        }
        assert_eq!(variant_of("reversi", Some(8), None), None);
        let drawn_by_xboard = GAMES.iter().find(|game| game.drawn_by_xboard).map(|game| game.name);
        assert_eq!((uci_variants().next(), drawn_by_xboard), (Some("flipello"), Some("minichess")));
    }
}
