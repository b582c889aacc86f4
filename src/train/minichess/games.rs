//! Games of the engine against itself, one a line: the result for White, the number of random
//! plies at the beginning, and the moves, each with the value that its search gave it.
//!
//! A game depends on the seed and its number alone, and games are written in order: a file is the
//! same however many threads wrote it and however often it was interrupted.

use crate::games::minichess::board::Board;
use crate::games::minichess::policy::MiniChessPolicy;
use crate::games::minichess::rules::MiniChess;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening::{self, Request};
use crate::search::level::{Base, Level, LevelName};
use crate::search::limits::{Limits, Stop};
use crate::search::notation::{Notation, Style};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Score, Side, UNIT, WIN_IN_MAX_PLY};
use crate::search::worker::SearchContext;
use crate::support::random::Random;
use crate::support::{ordered_pool, resume};
use crate::train::watch::bar;
use anyhow::{Context, bail};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What decides the games of a file, and how many are played at a time.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// For the random plies.
    pub seed: u64,
    /// Positions searched for each move.
    pub nodes: u64,
    /// Games side by side.
    pub threads: usize,
}

/// Most random plies at the beginning of a game.
const MOST_RANDOM: usize = 10;
/// An opening that a short search values higher than this is thrown away.
const FAIR: Score = 2 * UNIT;
/// Once both sides have seen so much for so many plies, the game counts as won.
const DECIDED: Score = 20 * UNIT;
const DECIDED_PLIES: usize = 4;

/// A game as its file holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// White's points: 0, 1 or 2 halves.
    pub halves: u8,
    /// Random plies at the beginning, which have no values.
    pub random: usize,
    /// Moves and their values for the side that made them.
    pub moves: Vec<(String, Score)>,
}

impl Played {
    fn show(&self) -> String {
        let mut line = format!("{} {}", self.halves, self.random);
        for (mv, value) in &self.moves {
            // Writing to a string cannot fail.
            let _ = write!(line, " {mv}={value}");
        }
        line
    }

    /// Reads a line.
    ///
    /// # Errors
    /// Says what was expected.
    pub fn read(line: &str) -> anyhow::Result<Played> {
        let mut words = line.split_whitespace();
        let mut number = |what: &str| -> anyhow::Result<usize> {
            words.next().and_then(|word| word.parse().ok()).with_context(|| format!("expected {what}"))
        };
        let (halves, random) = (number("a result of 0, 1 or 2")?, number("a number of random plies")?);
        let mut moves = Vec::new();
        for word in words {
            let parts = word.split_once('=').and_then(|(mv, value)| Some((mv.to_string(), value.parse().ok()?)));
            moves.push(parts.with_context(|| format!("expected MOVE=VALUE, saw '{word}'"))?);
        }
        if halves > 2 {
            bail!("expected a result of 0, 1 or 2");
        }
        Ok(Played { halves: halves as u8, random, moves })
    }
}

/// Who plays: an evaluation, and the bytes of its file, which name it.
#[derive(Debug)]
pub struct Judge<'a, E> {
    /// The evaluation.
    pub eval: &'a E,
    /// Its file.
    pub bytes: &'a [u8],
}

/// Plays until the file holds so many games; false if it was interrupted before.
///
/// # Errors
/// The file cannot be read or written, or was played on other terms.
pub fn play<E: Eval<MiniChess> + Clone>(
    path: &Path,
    count: usize,
    terms: &Terms,
    judge: &Judge<'_, E>,
    interrupted: &AtomicBool,
) -> anyhow::Result<bool> {
    let header = header(terms, judge.bytes);
    let done = games_in(path, &header)?;
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    if done.is_none() {
        writeln!(file, "{header}")?;
    }
    let done = done.unwrap_or(0);
    let bar = bar(count as u64, done as u64);
    let numbers = (done..count).take_while(|_| !interrupted.load(Ordering::Relaxed));
    let worker = || player(judge.eval.clone(), *terms);
    ordered_pool::run(
        terms.threads,
        numbers,
        worker,
        |play, number| play(number),
        |game| {
            bar.inc(1);
            writeln!(file, "{}", game.show())
        },
    )?;
    bar.abandon();
    Ok(!interrupted.load(Ordering::Relaxed))
}

/// Plays the game of a number, at whatever level the processor has.
fn player<E: Eval<MiniChess>>(eval: E, terms: Terms) -> Box<dyn FnMut(usize) -> Played + Send> {
    match LevelName::detect() {
        #[cfg(target_arch = "x86_64")]
        LevelName::V3 | LevelName::V4 => {
            let mut player = SelfPlayer::<E, crate::search::level::V3>::new(eval, terms.nodes);
            Box::new(move |number| player.play(terms.seed, number))
        }
        _ => {
            let mut player = SelfPlayer::<E, Base>::new(eval, terms.nodes);
            Box::new(move |number| player.play(terms.seed, number))
        }
    }
}

fn header(terms: &Terms, bytes: &[u8]) -> String {
    // Fowler, Noll and Vo's hash names the weights.
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    format!("# minichess seed {} nodes {} weights {hash:016x}", terms.seed, terms.nodes)
}

/// Games that the file holds; none if there is no file yet. A last line without its end is cut off.
fn games_in(path: &Path, header: &str) -> anyhow::Result<Option<usize>> {
    let Ok(file) = File::open(path) else { return Ok(None) };
    let mut first = String::new();
    if BufReader::new(file).read_line(&mut first)? == 0 {
        return Ok(None);
    }
    if first.trim_end() != header {
        bail!("{} holds games played on other terms: not '{header}'", path.display());
    }
    let lines = resume::lines(path, |_| std::io::Result::Ok(true))?;
    Ok((lines as usize).checked_sub(1))
}

/// All games of a file, with their lines' numbers.
///
/// # Errors
/// The file cannot be read, or a line is no game.
pub fn read(path: &Path) -> anyhow::Result<Vec<Played>> {
    let mut games = Vec::new();
    for (index, line) in BufReader::new(File::open(path)?).lines().enumerate() {
        let line = line?;
        if !line.starts_with('#') {
            games.push(Played::read(&line).with_context(|| format!("line {}", index + 1))?);
        }
    }
    Ok(games)
}

/// Plays games against itself.
pub struct SelfPlayer<E, L> {
    context: SearchContext<MiniChess, E, MiniChessPolicy<L>>,
    table: TranspositionTable,
    nodes: u64,
}

impl<E: Eval<MiniChess>, L: Level> SelfPlayer<E, L> {
    /// A player that searches so many positions for a move.
    pub fn new(eval: E, nodes: u64) -> Self {
        let context = SearchContext { game: MiniChess, eval, policy: MiniChessPolicy::new(&[], None) };
        SelfPlayer { context, table: TranspositionTable::new(1), nodes }
    }

    /// The game of that number.
    pub fn play(&mut self, seed: u64, number: usize) -> Played {
        self.table.clear();
        let mut random = Random(seed ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95));
        random.bits();
        let (mut board, mut moves) = self.opening(&mut random);
        let plies = moves.len();
        let mut decided = [0; 2];
        let halves = loop {
            if let Some(score) = MiniChess.outcome(&board) {
                break points(board.to_move(), score);
            }
            let (mv, value) = self.search(&board, self.nodes);
            if value.abs() >= WIN_IN_MAX_PLY {
                break points(board.to_move(), value);
            }
            let winner = usize::from(value < 0) ^ board.to_move().index();
            decided = if value.abs() < DECIDED {
                [0; 2]
            } else {
                [(decided[0] + 1) * (1 - winner), (decided[1] + 1) * winner]
            };
            if let Some(winner) = decided.iter().position(|&plies| plies >= DECIDED_PLIES) {
                break if winner == 0 { 2 } else { 0 };
            }
            moves.push((MiniChess.show_move(&board, mv, Style::Uci), value));
            board = MiniChess.play(&board, mv);
        };
        Played { halves, random: plies, moves }
    }

    /// Some random plies after which nobody is far ahead.
    fn opening(&mut self, random: &mut Random) -> (Board, Vec<(String, Score)>) {
        loop {
            let mut board = MiniChess.start();
            let mut moves = Vec::new();
            for _ in 0..2 + random.below(MOST_RANDOM - 1) {
                let legal: Vec<_> = MiniChess.moves(&board).collect();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[random.below(legal.len())];
                moves.push((MiniChess.show_move(&board, mv, Style::Uci), 0));
                board = MiniChess.play(&board, mv);
            }
            if MiniChess.outcome(&board).is_none() && self.search(&board, self.nodes / 2).1.abs() <= FAIR {
                return (board, moves);
            }
        }
    }

    fn search(&self, board: &Board, nodes: u64) -> (crate::games::minichess::board::Move, Score) {
        let limits = Limits { nodes: Some(nodes.max(100)), ..Limits::default() };
        let stop = Stop::new(&limits);
        let request = Request { limits, multipv: 1, only: Vec::new(), threads: 1, draw: 0 };
        let found = iterative_deepening::search(&self.context, &self.table, board, &request, &stop, &mut |_| ());
        (found.line[0], found.best.map_or(0, |best| best.score))
    }
}

/// White's half points when the side to move has this score.
fn points(side: Side, score: Score) -> u8 {
    match score {
        0 => 1,
        score if (score > 0) == (side == Side::First) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::evaluation::TaperedEvaluation;
    use crate::games::minichess::evaluation::weights::TermWeights;

    #[test]
    fn a_file_is_the_same_however_it_came_about() {
        let path = std::env::temp_dir().join(format!("flipside-minichess-{}.games", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let weights = TermWeights::by_hand();
        let text = weights.show();
        let terms = Terms { seed: 3, nodes: 150, threads: 2 };
        assert_eq!(games_in(&path, "x").ok(), Some(None));
        let eval = TaperedEvaluation::new(&weights);
        let judge = Judge { eval: &eval, bytes: text.as_bytes() };
        let mut player = SelfPlayer::<_, Base>::new(eval.clone(), terms.nodes);
        let expected: Vec<Played> = (0..3).map(|number| player.play(terms.seed, number)).collect();
        let head = header(&terms, judge.bytes);
        // One whole game and a piece of the next.
        let begun = format!("{head}\n{}\n{}", expected[0].show(), &expected[1].show()[..9]);
        std::fs::write(&path, begun).expect("a file");
        let go_on = AtomicBool::new(false);
        assert!(play(&path, 3, &terms, &judge, &go_on).expect("games"));
        let read = read(&path).expect("games");
        let other = play(&path, 4, &Terms { nodes: 151, ..terms }, &judge, &go_on);
        std::fs::remove_file(&path).expect("the file");
        assert_eq!(read, expected);
        assert!(other.is_err(), "other terms");
        for game in &read {
            assert_eq!(Played::read(&game.show()).ok().as_ref(), Some(game));
        }
    }

    #[test]
    fn lines_that_are_no_games() {
        for line in ["", "3 2 a2-a3=5", "1 x", "1 2 a2a3"] {
            assert!(Played::read(line).is_err(), "{line}");
        }
    }
}
