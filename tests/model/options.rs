//! The engine's options in its handshakes.

use crate::dice::Dice;

/// Numbers with their ranges, reduced to cheap values.
const NUMBERS: [(&str, i64, i64); 12] = [
    ("hash", 1, 65_536),
    ("threads", 1, 256),
    ("multipv", 1, 64),
    ("move overhead", 0, 10_000),
    ("level", 0, 60),
    ("strength", 0, 100),
    ("variety", 0, 2_000),
    ("seed", 0, 2_147_483_647),
    ("contempt", -100, 100),
    ("bookerror", 0, 6_400),
    ("bookvariety", 0, 100),
    ("bookdepth", 0, 60),
];

/// Whether an option takes a value. The variant is handled separately.
pub fn takes(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let lower = value.to_ascii_lowercase();
    match NUMBERS.iter().find(|(known, ..)| *known == name) {
        Some((_, min, max)) => value.parse::<i64>().is_ok_and(|number| (*min..=*max).contains(&number)),
        None => match name.as_str() {
            // Any other word names a file that does not exist.
            "book" | "ownbook" => {
                ["embedded", "none", "true", "false", "on", "off", "", "<empty>"].contains(&lower.as_str())
            }
            "ponder" | "bookanalysis" | "uci_limitstrength" | "uci_showwdl" => {
                ["true", "false", "0", "1", "on", "off"].contains(&lower.as_str())
            }
            "algorithm" => {
                ["pvs", "minimax", "alphabeta", "alphabeta-hard", "negamax", "scout"].contains(&lower.as_str())
            }
            "evaluation" => ["best", "default"].contains(&lower.as_str()),
            "clear hash" => true,
            "weights" | "disable" | "without" => value.is_empty() || lower == "<empty>",
            _ => false,
        },
    }
}

/// A name and a value, mostly a proper one.
pub fn random(dice: &mut Dice) -> (&'static str, &'static str) {
    let proper = [
        ("Hash", "1"),
        ("Hash", "2"),
        ("Threads", "1"),
        ("threads", "2"),
        ("MultiPV", "1"),
        ("MultiPV", "3"),
        ("Move Overhead", "0"),
        ("Level", "60"),
        ("Level", "1"),
        ("Strength", "100"),
        ("Strength", "50"),
        ("UCI_LimitStrength", "true"),
        ("UCI_LimitStrength", "false"),
        ("UCI_ShowWDL", "true"),
        ("Variety", "200"),
        ("Variety", "0"),
        ("Seed", "7"),
        ("Contempt", "-100"),
        ("Contempt", "0"),
        ("Ponder", "true"),
        ("Algorithm", "pvs"),
        ("Algorithm", "scout"),
        ("Evaluation", "default"),
        ("Evaluation", "best"),
        ("Clear Hash", ""),
        // UCI's spelling of an empty text, which others leave empty.
        ("Weights", "<empty>"),
        ("Disable", ""),
        ("Book", "none"),
        ("Book", "embedded"),
        ("Book", "nowhere.book"),
        ("OwnBook", "true"),
        ("BookError", "300"),
        ("BookVariety", "100"),
        ("BookDepth", "3"),
        ("BookAnalysis", "true"),
    ];
    let (name, value) = proper[dice.below(proper.len())];
    match dice.below(10) {
        0 if name != "Hash" && name != "Threads" => (name, dice.edge()),
        1 => (dice.pick(&["Speed", "Threads", "", "Evaluation", "name"]), "0"),
        _ => (name, value),
    }
}
