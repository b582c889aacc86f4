//! Portable Game Notation: tags as `[Name "text"]`, then moves with numbers, comments and the result. The moves of
//! Reversi are squares (`1. f5 d6`) or Fairy-Stockfish's drops (`P@f5`, ranks counted from below), those of other games
//! UCI's or, for MiniChess, the short algebraic ones of chess.

mod comment;
mod movetext;

use super::fen;
use super::game_record::{CannotHold, Cause, GameRecord, GameResult, RecordMove, StartPosition, date, field};
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use movetext::Movetext;
use nom::{
    IResult, Parser,
    bytes::complete::{escaped_transform, is_not, take_while1},
    character::complete::{anychar, char, multispace0, multispace1},
    combinator::{map, opt},
    multi::many0,
    sequence::{delimited, pair, preceded, terminated},
};

/// A text that is not a PGN game; holds what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PgnError(String);

/// Whether the line may begin a game: a tag.
pub fn is_tag_line(line: &str) -> bool {
    tag_pair(line.trim_start()).is_ok()
}

/// Whether the line of moves ends its game.
pub fn ends_game(line: &str) -> bool {
    ["1-0", "0-1", "1/2-1/2", "*"].iter().any(|result| line.split_whitespace().next_back() == Some(*result))
}

fn tag_pair(input: &str) -> IResult<&str, (String, String)> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let text = opt(escaped_transform(is_not("\\\""), '\\', anychar));
    let text = delimited(char('"'), map(text, Option::unwrap_or_default), char('"'));
    let inner = pair(map(terminated(name, multispace1), str::to_string), terminated(text, multispace0));
    delimited(pair(char('['), multispace0), inner, char(']')).parse(input)
}

/// Reads a game.
///
/// # Errors
/// Says what was expected and where.
pub fn read(text: &str) -> Result<GameRecord, PgnError> {
    let text = without_escape_lines(text)?;
    let parsed: IResult<&str, Vec<(String, String)>> = many0(preceded(multispace0, tag_pair)).parse(&text);
    let (rest, tags) = parsed.map_err(|_| PgnError("expected tags as [Name \"text\"]".into()))?;
    let mut game = Reader::of_tags(&tags)?;
    let Movetext { moves, comment, result } =
        movetext::read(rest).map_err(|fault| PgnError(movetext::place(&text, &fault)))?;
    if moves.is_empty() && result.is_none() {
        return Err(PgnError("expected moves or a result".into()));
    }
    game.record.moves = moves;
    game.record.comment = game.record.comment.take().or(comment);
    if let Some(result) = result {
        game.end(result);
    }
    Ok(game.finish())
}

/// The text without the lines that begin with a per cent sign, which other programs may use for their own data.
fn without_escape_lines(text: &str) -> Result<String, PgnError> {
    let mut kept = String::with_capacity(text.len() + 1);
    for (index, line) in text.lines().enumerate() {
        match line.strip_prefix('%') {
            Some(line) if movetext::is_movetext(line) => {
                return Err(PgnError(format!(
                    "expected no moves behind the per cent sign that begins its line {}",
                    index + 1
                )));
            }
            Some(_) => {}
            None => kept.push_str(line),
        }
        kept.push('\n');
    }
    Ok(kept)
}

/// The state of reading a game.
struct Reader {
    record: GameRecord,
    /// Which side White is.
    white: Side,
}

impl Reader {
    fn of_tags(tags: &[(String, String)]) -> Result<Reader, PgnError> {
        let tag =
            |name: &str| tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, text)| text.as_str());
        let game = match tag("Variant").map(|name| (name, names::find(name))) {
            None => None,
            Some((_, Some(game))) => Some(game.name),
            Some((name, None)) => return Err(PgnError(format!("unknown game in [Variant \"{name}\"]"))),
        };
        // White moves first if the game is named Fairy-Stockfish's flipello; otherwise Black does.
        let is_flipello =
            tag("Variant").is_some_and(|name| names::uci_variants().any(|known| known.eq_ignore_ascii_case(name)));
        let black_begins = game.is_none_or(|game| game == "reversi") && !is_flipello;
        let white = if black_begins { Side::Second } else { Side::First };
        let text = |name| tag(name).and_then(field);
        let difference = tag("Difference").and_then(|text| text.trim().parse().ok());
        let cause = tag("Termination").and_then(read_cause);
        let result = tag("Result").and_then(|text| read_result(text, white, difference, cause));
        let [white_name, black_name] = [text("White"), text("Black")];
        // Who writes Fairy-Stockfish's FEN names the variant; Edax does not.
        let fen = tag("FEN").map(str::to_string);
        let by_edax = fen.as_deref().filter(|_| game.is_none()).and_then(fen::read_as_edax);
        let record = GameRecord {
            game,
            remarks: by_edax.iter().map(|_| fen::AS_EDAX.to_string()).collect(),
            start: by_edax.or(fen).map(|text| StartPosition { text, style: Style::Uci }),
            players: if white == Side::First { [white_name, black_name] } else { [black_name, white_name] },
            date: tag("Date").and_then(date),
            site: text("Site"),
            event: text("Event"),
            round: text("Round"),
            opening: text("Opening"),
            comment: text("Annotation"),
            result,
            ..GameRecord::default()
        };
        Ok(Reader { record, white })
    }

    fn end(&mut self, text: &str) {
        self.record.result = self.record.result.or_else(|| read_result(text, self.white, None, None));
    }

    /// The result by the last comment, as Edax writes it: `{Ann wins 38-26}`. Edax means by 1-0 that Black won.
    fn settle_result(&mut self) {
        let record = &mut self.record;
        let comment = record.moves.last().map_or(&record.comment, |mv| &mv.comment);
        let Some((winner, margin)) = comment.as_deref().and_then(|text| won_by(text, &record.players)) else { return };
        let tag = record.result.map(|result| GameResult::text(result.winner, self.white));
        let name = winner.of(record.players.clone()).unwrap_or_default();
        if tag.is_some_and(|tag| tag != GameResult::text(Some(winner), self.white)) {
            let tag = tag.unwrap_or_default();
            record.remarks.push(format!("its result, {tag}, contradicts its comment: {name} wins by {margin}"));
        }
        let difference = if winner == Side::First { margin } else { -margin };
        let cause = record.result.and_then(|result| result.cause);
        record.result = Some(GameResult::stated(Some(winner), Some(difference), cause));
    }

    fn finish(mut self) -> GameRecord {
        self.settle_result();
        let moves = &self.record.moves;
        let is_uci = moves.iter().any(|mv| mv.text.contains('@') && mv.text != "@@@@");
        let is_reversi = |mv: &RecordMove| super::transcript::is_moves_of_reversi(&mv.text);
        if self.record.game.is_none() && !moves.is_empty() && moves.iter().all(is_reversi) {
            self.record.game = Some("reversi");
        }
        let of_squares = self.record.game.is_none_or(|game| game == "reversi") && !is_uci;
        self.record.style = if of_squares { Style::Ggf } else { Style::Uci };
        if self.record.game.is_some_and(|game| game != "reversi") {
            movetext::take_values(&mut self.record);
        }
        self.record
    }
}

/// Who wins by how many discs by a comment like `Ann wins 38-26`, if it names one of the players.
fn won_by(comment: &str, players: &[Option<String>; 2]) -> Option<(Side, i32)> {
    let (name, counts) = comment.rsplit_once(" wins ")?;
    let is_of = |side: Side| side.of(players.clone()).is_some_and(|player| player == name.trim());
    let winner = [Side::First, Side::Second].into_iter().find(|side| is_of(*side) && !is_of(side.other()))?;
    let (more, fewer) = counts.split_once('-')?;
    let [more, fewer] = [more, fewer].map(|count| count.trim().parse::<u8>().ok().filter(|count| *count <= 64));
    let margin = i32::from(more?) - i32::from(fewer?);
    (margin > 0).then_some((winner, margin))
}

fn read_result(text: &str, white: Side, difference: Option<i32>, cause: Option<Cause>) -> Option<GameResult> {
    GameResult::winner_of(text.trim(), white).map(|winner| GameResult::stated(winner, difference, cause))
}

fn read_cause(text: &str) -> Option<Cause> {
    let text = text.to_ascii_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    if begins(&["time forfeit", "late"]) {
        return Some(Cause::Time);
    }
    if begins(&["resign"]) {
        return Some(Cause::Resigned);
    }
    let left = ["abandoned", "rules infraction", "illegal", "crashed", "stalled", "bad_output", "refused"];
    begins(&left).then_some(Cause::Left)
}

/// Writes a record whose start is a FEN. The moves are squares for Reversi, UCI's for other games. The tags in `more`
/// come last, or replace standard ones.
///
/// # Errors
/// Never; the signature is that of all writers.
pub fn write(record: &GameRecord, more: &[(&str, &str)]) -> Result<String, CannotHold> {
    let game = record.game.unwrap_or("reversi");
    let is_reversi = game == "reversi";
    let white = if is_reversi { Side::Second } else { Side::First };
    let result = record.result.map_or("*", |result| GameResult::text(result.winner, white));
    let name = |side: Side| side.of(record.players.clone()).unwrap_or_else(|| "?".into());
    let unknown = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".into());
    let cause = record.result.and_then(|result| result.cause).map(|cause| match cause {
        Cause::Resigned => "resigned",
        Cause::Time => "time forfeit",
        Cause::Left => "abandoned",
    });
    let difference = record.result.and_then(|result| result.difference);
    let variant = if is_reversi { "reversi" } else { names::uci_variant_of(game).unwrap_or(game) };
    let tags = [
        ("Event", Some(unknown(&record.event))),
        ("Site", Some(unknown(&record.site))),
        ("Date", Some(show_date(record.date.as_deref()))),
        ("Round", Some(unknown(&record.round))),
        ("White", Some(name(white))),
        ("Black", Some(name(white.other()))),
        ("Result", Some(result.to_string())),
        ("Variant", Some(variant.to_string())),
        ("SetUp", record.start.as_ref().map(|_| "1".to_string())),
        ("FEN", record.start.as_ref().map(|start| start.text.clone())),
        ("Opening", record.opening.clone()),
        ("Difference", difference.map(|difference| difference.to_string())),
        ("Termination", cause.map(str::to_string)),
        ("Annotation", record.comment.clone()),
    ];
    let tag = |(name, text): (&str, Option<String>)| {
        Some(format!("[{name} \"{}\"]\n", text?.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")))
    };
    let is_usual = |name: &&str| !more.iter().any(|(other, _)| other == name);
    let usual = tags.into_iter().filter(|(name, _)| is_usual(name));
    let more = more.iter().map(|&(name, text)| (name, Some(text.to_string())));
    let mut text: String = usual.chain(more).filter_map(tag).collect();
    text.push('\n');
    let shown = |mv: &RecordMove| match (is_reversi, mv.text.as_str()) {
        (true, "PA") => "--".to_string(),
        (true, text) => text.to_lowercase(),
        (false, text) => text.to_string(),
    };
    let mut words = movetext::words(&record.moves, 0, &shown);
    words.push(result.to_string());
    text.push_str(&wrapped(&words));
    Ok(text + "\n\n")
}

/// `2024.05.31`, with question marks for what is unknown.
fn show_date(date: Option<&str>) -> String {
    let mut parts = date.unwrap_or_default().split('-').filter(|part| !part.is_empty());
    let mut next = |unknown: &str| parts.next().unwrap_or(unknown).to_string();
    [next("????"), next("??"), next("??")].join(".")
}

/// The words on lines of at most 80 characters; a longer word stands alone.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 80 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const OTHELLO: &str = "[Event \"WOC \\\"final\\\"\"]\n[Site \"Rome\"]\n[Date \"2019.10.??\"]\n[Round \"2\"]\n\
        [White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. f5 {+0.50/12 1.5s, from the book} d6 $1 2. c3 (2. c4 {or (c4)} \
        (2. c5)) d3 ; the end\n% no line\n3. -- 0-1\n";

    #[test]
    fn tags_moves_comments_and_variations() {
        let record = read(OTHELLO).expect("a game");
        assert_eq!(record.players, [Some("Bob".into()), Some("Ann".into())], "Black begins");
        assert_eq!(record.event.as_deref(), Some("WOC \"final\""));
        assert_eq!((record.date.as_deref(), record.round.as_deref()), (Some("2019-10"), Some("2")));
        assert_eq!(record.result.map(|result| result.winner), Some(Some(Side::First)));
        assert_eq!((record.game, record.style), (Some("reversi"), Style::Ggf));
        let moves: Vec<&str> = record.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert_eq!(moves, ["f5", "d6", "c3", "d3", "--"]);
        let first = &record.moves[0];
        assert_eq!((first.score, first.time), (Some(50), Some(Duration::from_millis(1500))));
        assert_eq!(first.comment.as_deref(), Some("from the book"));
        assert_eq!(record.moves[3].comment.as_deref(), Some("the end"));
        assert_eq!(record.moves[1].nags, [1]);
        let other = |mv: &RecordMove| mv.variations.iter().map(|line| line[0].text.clone()).collect::<Vec<_>>();
        assert_eq!(
            (other(&record.moves[2]), other(&record.moves[2].variations[0][0])),
            (vec!["c4".into()], vec!["c5".into()])
        );
        assert_eq!(record.moves[2].variations[0][0].comment.as_deref(), Some("or (c4)"));
        assert_eq!(read(&write(&record, &[]).expect("PGN")), Ok(record));
    }

    /// Edax writes 1-0 where Black won.
    #[test]
    fn a_comment_settles_who_won() {
        let game = |tags: &str, comment: &str| {
            read(&format!("[Black \"Ann\"]\n{tags}\n\n1. f5 d6 {{{comment}}} 1-0\n")).expect("a game")
        };
        let bob = "[White \"Bob\"]\n[Result \"1-0\"]";
        let ann = game(bob, "Ann wins 38-26");
        assert_eq!(ann.result, Some(GameResult::by_difference(12)));
        assert_eq!(ann.remarks, ["its result, 1-0, contradicts its comment: Ann wins by 12"]);
        let agreed = game(bob, "Bob wins 64-0");
        assert_eq!((agreed.result, agreed.remarks.len()), (Some(GameResult::by_difference(-64)), 0));
        let white_won = GameResult { winner: Some(Side::Second), difference: None, cause: None };
        for unclear in ["Eve wins 38-26", "Ann wins 26-38", "Ann wins 65-0", "Ann wins 32-32", "Ann wins", "wins 2-1"] {
            assert_eq!(game(bob, unclear).result, Some(white_won), "{unclear}");
        }
        assert_eq!(game("[White \"Ann\"]", "Ann wins 38-26").result, Some(white_won), "both are called Ann");
    }

    #[test]
    fn a_fen_without_a_variant_is_read_as_edax_writes_it() {
        let start = |tags: &str| {
            let record =
                read(&format!("[FEN \"8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1\"]\n{tags}\n1. d6 *\n")).expect("a game");
            (record.start.expect("a start").text, record.remarks)
        };
        assert_eq!(start(""), ("8/8/8/3pP3/3PPP2/8/8/8 b - - 0 1".into(), vec![fen::AS_EDAX.to_string()]));
        let fairy = ("8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1".to_string(), Vec::new());
        assert_eq!(start("[Variant \"reversi\"]\n"), fairy);
        assert_eq!(start("[Variant \"flipello\"]\n"), fairy);
    }

    #[test]
    fn marks_are_kept() {
        let text = "1. f5! $6 d6?? !? (1... f4?! 2. e3 $146) 2. c3 *\n";
        let record = read(text).expect("a game");
        let nags: Vec<&[u8]> = record.moves.iter().map(|mv| &mv.nags[..]).collect();
        assert_eq!(nags, [&[1, 6][..], &[4, 5], &[]]);
        let written = write(&record, &[]).expect("PGN");
        assert!(written.ends_with("\n1. f5 $1 $6 d6 $4 $5 (1... f4 $6 2. e3 $146) 2. c3 *\n\n"), "{written}");
        assert_eq!(read(&written), Ok(GameRecord { game: Some("reversi"), ..record }));
    }

    #[test]
    fn values_of_lichess_are_for_the_mover() {
        let values = |tags: &str, moves: &str| {
            let game = read(&format!("{tags}\n\n{moves} *\n")).expect("a game");
            game.moves.into_iter().map(|mv| mv.score).collect::<Vec<_>>()
        };
        let moves = "1. b2b3 { [%eval 0.5] } (1. a2a3 { [%eval 1.0] }) c5c4 { [%eval 0.2,18] }";
        assert_eq!(values("[Variant \"minichess\"]", moves), [Some(50), Some(-20)]);
        assert_eq!(values("[Variant \"minichess\"]\n[FEN \"x b 0 1\"]", moves), [Some(-50), Some(20)], "Black begins");
        assert_eq!(values("", "1. f5 { [%eval 0.5] }"), [None], "of Othello nobody says for whom a value is");
    }

    #[test]
    fn white_begins_in_flipello_and_minichess() {
        let flipello = read("[White \"Ann\"]\n[Variant \"flipello\"]\n\n1. P@f5 P@d6 1-0\n").expect("a game");
        assert_eq!((flipello.players[0].as_deref(), flipello.style), (Some("Ann"), Style::Uci));
        assert_eq!(flipello.result.map(|result| result.winner), Some(Some(Side::First)));
        let chess = read("[Variant \"minichess\"]\n[FEN \"x\"]\n\n1. b2b3 c5c4 *\n").expect("a game");
        assert_eq!((chess.game, chess.style, chess.result), (Some("minichess"), Style::Uci, None));
        assert_eq!(chess.start.map(|start| start.text).as_deref(), Some("x"));
        assert!(read("[Variant \"go\"]\n\n1. a1 *").unwrap_err().to_string().contains("go"));
    }

    #[test]
    fn differences_that_cannot_be_negated_are_unknown() {
        let difference = |text: &str| {
            let result = if text.starts_with('-') { "1-0" } else { "0-1" };
            let text = format!("[Result \"{result}\"]\n[Difference \"{text}\"]\n\n1. f5 {result}\n");
            let game = read(&text).expect("a game");
            game.result.and_then(|result| result.difference)
        };
        assert_eq!((difference("1000000"), difference("-1000000")), (Some(1_000_000), Some(-1_000_000)));
        for beyond in ["1000001", "-1000001", "-2147483648", "2147483648"] {
            assert_eq!(difference(beyond), None, "{beyond}");
        }
    }

    #[test]
    fn what_is_not_closed_is_an_error() {
        for bad in ["1. f5 {a comment", "1. f5 (2. d6", "[A \"b\"]\n\n1. f5 )", &"(".repeat(100_000)] {
            assert!(read(bad).is_err(), "{}", &bad[..10.min(bad.len())]);
        }
    }

    /// A damaged sign must not make moves vanish.
    #[test]
    fn moves_are_not_comments() {
        for (bad, place) in [
            ("1. f5 d6 ;2. c3 {good} d3 *", "line 1, column 10"),
            ("1. f5 d6\n% 2. c3 d3 *\n", "line 2"),
            ("1. f5 {good d6 2. c3 {here} d3 *", "line 1, column 7"),
            ("1. f5 d6 * 2. c3 d3 *", "line 1, column 15"),
            ("1. f5 d6\n$x 2. c3", "line 2, column 1"),
            ("$1 1. f5", "line 1, column 1"),
            ("(1. f5) 1. e6", "line 1, column 1"),
        ] {
            let refused = read(bad).expect_err(bad).to_string();
            assert!(refused.ends_with(&format!("its {place}")), "{bad}: {refused}");
        }
        for good in [
            "1. f5 ; here d6 was possible\nd6 *",
            "1. f5 {or {d6} *",
            "1. f5 d6 * {the end} ; 1\n",
            "% an escape\n1. f5",
        ] {
            assert!(read(good).is_ok(), "{good}");
        }
    }
}
