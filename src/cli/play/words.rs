//! The commands of `flipside play`.

use flipside_host::api::settings::{FULL_ELO, FULL_LEVEL, FULL_STRENGTH};
use std::path::PathBuf;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// An empty line.
    Nothing,
    /// A move, in the game's notation.
    Move(String),
    /// Take back to the person's last turn.
    Undo,
    /// Show the best move.
    Hint,
    /// Score the best moves, or all.
    Analyse {
        /// Whether all are shown.
        all: bool,
    },
    /// Let the engine move for the side to move.
    Go,
    /// Swap the players of the sides.
    Swap,
    /// Most plies of a search.
    Level(u32),
    /// Playing strength in percent.
    Strength(u32),
    /// Playing strength in Elo.
    Elo(u32),
    /// Draw the board again.
    Board,
    /// Write the moves to a file.
    Save(PathBuf),
    /// Read the moves of a file.
    Load(PathBuf),
    /// Start a new game.
    New,
    /// List the commands.
    Help,
    /// Quit.
    Quit,
}

/// The column of [`HELP`] in which the descriptions begin.
pub const HELP_COLUMN: usize = 13;

/// What `help` prints.
pub const HELP: &str = "\
d3           play this move
undo         take back to your last turn
hint         show the best move
analyse      score the ten best moves
analyse all  score every move
go           let the engine move for you
swap         change sides
level N      search at most N plies (60: no limit)
strength N   play at N percent of full strength
elo N        play at this Elo
board        draw the board
save FILE    write the game; .pgn, .ggf, .sgf and .json name its format
load FILE    read a game and continue it
new          start a new game
help         show this list
quit         leave the game
";

/// Reads a line. Anything that is not a command is taken for a move.
///
/// # Errors
/// The command has a wrong argument; the text says what is expected.
pub fn parse(line: &str) -> Result<Word, String> {
    let line = line.trim();
    let (word, argument) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let word = word.to_lowercase();
    let alone = |meaning: Word| match argument {
        "" => Ok(meaning),
        _ => Err(format!("'{word}' takes no argument, saw '{line}'")),
    };
    let file = |meaning: fn(PathBuf) -> Word| match argument {
        "" => Err(format!("expected a file, as in '{word} game.txt'")),
        name => Ok(meaning(PathBuf::from(name))),
    };
    match word.as_str() {
        "" => Ok(Word::Nothing),
        "undo" | "u" => alone(Word::Undo),
        "hint" => alone(Word::Hint),
        "analyse" | "analyze" if argument.eq_ignore_ascii_case("all") => Ok(Word::Analyse { all: true }),
        "analyse" | "analyze" => alone(Word::Analyse { all: false }),
        "go" => alone(Word::Go),
        "swap" => alone(Word::Swap),
        "level" => number(argument, FULL_LEVEL).map(Word::Level).map_err(|why| format!("level takes {why}")),
        "strength" => {
            number(argument, FULL_STRENGTH).map(Word::Strength).map_err(|why| format!("strength takes {why}"))
        }
        "elo" => number(argument, FULL_ELO).map(Word::Elo).map_err(|why| format!("elo takes {why}")),
        "board" | "show" => alone(Word::Board),
        "save" => file(Word::Save),
        "load" => file(Word::Load),
        "new" => alone(Word::New),
        "help" | "?" => alone(Word::Help),
        "quit" | "exit" => alone(Word::Quit),
        _ => Ok(Word::Move(line.to_string())),
    }
}

fn number(text: &str, most: u32) -> Result<u32, String> {
    let expected = || format!("a number from 0 to {most}, saw '{text}'");
    text.parse().ok().filter(|number| *number <= most).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_arguments() {
        assert_eq!(parse("  UNDO "), Ok(Word::Undo));
        assert_eq!([parse("analyze"), parse("Analyse ALL")], [false, true].map(|all| Ok(Word::Analyse { all })));
        assert_eq!(parse("level 60"), Ok(Word::Level(60)));
        assert_eq!(parse("save my game.txt"), Ok(Word::Save("my game.txt".into())));
        assert_eq!(parse("D3"), Ok(Word::Move("D3".into())));
        assert_eq!(parse(""), Ok(Word::Nothing));
    }

    #[test]
    fn a_wrong_argument_says_what_would_be_right() {
        assert_eq!(parse("level 61").unwrap_err(), "level takes a number from 0 to 60, saw '61'");
        assert_eq!(parse("strength").unwrap_err(), "strength takes a number from 0 to 100, saw ''");
        assert_eq!(parse("elo strong").unwrap_err(), "elo takes a number from 0 to 9999, saw 'strong'");
        assert_eq!(parse("load").unwrap_err(), "expected a file, as in 'load game.txt'");
        assert_eq!(parse("undo 3").unwrap_err(), "'undo' takes no argument, saw 'undo 3'");
    }

    /// The help lists exactly the commands that the parser knows.
    #[test]
    fn help_lists_every_word() {
        for line in HELP.lines() {
            let text = line.split("  ").next().unwrap_or_default().replace('N', "7");
            assert_eq!(
                line.find("  ").map(|at| line.len() - line[at..].trim_start().len()),
                Some(HELP_COLUMN),
                "{line}"
            );
            let is_move = text == "d3";
            assert_eq!(matches!(parse(&text), Ok(Word::Move(_))), is_move, "{text}");
        }
    }
}
