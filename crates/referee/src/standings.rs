//! The standings of a match: the results of the pairings and their printed form.

use super::effort::Effort;
use super::record::MatchGame;
use super::schedule::ScheduledGame;
use super::statistics::pairing_results::{ENOUGH_PAIRS, EloEstimate, PairingResults, Superiority};
use super::statistics::sprt::{Decision, Sprt};
use super::types::EndReason;
use flipside_core::search::types::Side;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A finished game, seen from the pairing's first player.
struct CountedGame {
    game: ScheduledGame,
    half_points: usize,
    difference: Option<i32>,
    /// Equal for two games with the same players, moves and end.
    identity: u64,
}

/// After losing this many games by its own faults, and finishing none, a player is expected to lose the rest.
const HOPELESS_GAMES: u64 = 20;

/// All results so far. A game that repeats an earlier one adds no information and is not counted again. Which of the
/// two is the earlier one depends on their numbers, not on which ended first.
pub struct Standings {
    names: Vec<String>,
    games: BTreeMap<usize, CountedGame>,
    /// The first game of each identity.
    first: HashMap<u64, usize>,
    pairings: BTreeMap<(usize, usize), PairingResults>,
    /// Half points of the pairing's first player in games whose reverse game is not yet finished.
    open_pairs: HashMap<(usize, usize, usize), usize>,
    faults: BTreeMap<(usize, EndReason), u64>,
    /// What the moves of each player took.
    effort: Vec<Effort>,
    sprt: Option<Sprt>,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Standings {
        Standings {
            effort: vec![Effort::default(); names.len()],
            names,
            games: BTreeMap::new(),
            first: HashMap::new(),
            pairings: BTreeMap::new(),
            open_pairs: HashMap::new(),
            faults: BTreeMap::new(),
            sprt,
        }
    }

    /// Adds a finished game.
    pub fn add(&mut self, game: &ScheduledGame, record: &MatchGame) {
        let (half_points, sign) = if game.swapped { (2 - record.half_points(), -1) } else { (record.half_points(), 1) };
        let difference = record.difference.map(|difference| sign * difference);
        let identity = identity(game, record);
        self.games.insert(game.number, CountedGame { game: *game, half_points, difference, identity });
        if record.reason.is_fault() {
            let loser = game.players()[usize::from(record.winner() == Some(Side::First))];
            *self.faults.entry((loser, record.reason)).or_default() += 1;
        }
        for (player, effort) in game.players().into_iter().zip(record.effort) {
            self.effort[player] += effort;
        }
        match self.first.get(&identity) {
            Some(&first) if first < game.number => {}
            Some(_) => {
                self.first.insert(identity, game.number);
                self.count_again();
            }
            None => {
                self.first.insert(identity, game.number);
                self.count(*game, half_points, difference);
            }
        }
    }

    fn count(&mut self, game: ScheduledGame, half_points: usize, difference: Option<i32>) {
        let results = self.pairings.entry(game.pairing).or_default();
        results.add(half_points, difference);
        let key = (game.pairing.0, game.pairing.1, game.opening);
        match self.open_pairs.remove(&key) {
            Some(other) => results.add_pair(half_points + other),
            None => drop(self.open_pairs.insert(key, half_points)),
        }
    }

    /// Recounts after a game that precedes a counted one has ended.
    fn count_again(&mut self) {
        self.pairings.clear();
        self.open_pairs.clear();
        let counted = self.games.values().filter(|entry| self.first.get(&entry.identity) == Some(&entry.game.number));
        let counted: Vec<_> = counted.map(|entry| (entry.game, entry.half_points, entry.difference)).collect();
        counted.into_iter().for_each(|(game, half_points, difference)| self.count(game, half_points, difference));
    }

    /// Games in all, repeated ones included.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// The names of players that lost all of their games by their own faults, with the number of these games.
    pub fn without_play(&self) -> Vec<(&str, u64)> {
        let of = |player: usize| self.games.values().filter(|entry| entry.game.players().contains(&player)).count();
        let faults = |player| self.faults.range((player, EndReason::Rules)..=(player, EndReason::Resigned));
        let players = self.names.iter().enumerate().filter_map(|(player, name)| {
            let lost: u64 = faults(player).map(|(_, count)| count).sum();
            (lost > 0 && of(player) as u64 == lost).then_some((name.as_str(), lost))
        });
        players.collect()
    }

    /// Whether a player has only lost by its own faults, in enough games to expect the same of the rest.
    pub fn is_hopeless(&self) -> bool {
        self.without_play().iter().any(|&(_, games)| games >= HOPELESS_GAMES)
    }

    /// The games that a player lost by its own faults: `lost on time in 2 games, crashed in 1 game`.
    pub(super) fn forfeits(&self, player: &str) -> String {
        let of_player = self.faults().filter(|&(index, ..)| self.names[index] == player);
        let words = of_player.map(|(_, reason, count)| format!("{reason} in {count} {}", plural(count, "game")));
        words.collect::<Vec<_>>().join(", ")
    }

    /// What the moves of a player took.
    pub(super) fn effort(&self, player: usize) -> Effort {
        self.effort[player]
    }

    /// The decision of the SPRT of the first pairing, and its log-likelihood ratio.
    pub fn decision(&self) -> Option<(Decision, f64)> {
        let sprt = self.sprt?;
        let ratio = self.pairings.get(&(0, 1)).map_or(0.0, |results| results.log_likelihood_ratio(&sprt));
        Some((sprt.decide(ratio), ratio))
    }

    /// The names of the players.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The results of the pairings that have met.
    pub(super) fn pairings(&self) -> &BTreeMap<(usize, usize), PairingResults> {
        &self.pairings
    }

    /// Games of a pairing that are not counted because they repeat earlier ones.
    pub(super) fn repeated(&self, pairing: (usize, usize)) -> u64 {
        let played = self.games.values().filter(|entry| entry.game.pairing == pairing).count() as u64;
        played.saturating_sub(self.pairings.get(&pairing).map_or(0, PairingResults::total))
    }

    /// Players, their faults, and the number of games with each.
    pub(super) fn faults(&self) -> impl Iterator<Item = (usize, EndReason, u64)> {
        self.faults.iter().map(|(&(player, reason), &count)| (player, reason, count))
    }

    /// The bounds of the log-likelihood ratio; 0 without a test.
    pub(super) fn sprt_bounds(&self) -> (f64, f64) {
        self.sprt.map_or((0.0, 0.0), |sprt| sprt.bounds())
    }

    /// The standings on one line.
    pub fn line(&self) -> String {
        let mut line = match self.pairings.iter().next() {
            Some((&(a, b), results)) if self.names.len() == 2 => {
                format!("{}, {}", self.score(a, b, results), elo_text(results))
            }
            _ => self
                .order()
                .iter()
                .map(|&i| format!("{} {}", self.names[i], self.points(i)))
                .collect::<Vec<_>>()
                .join(", "),
        };
        if let Some((_, ratio)) = self.decision() {
            let (lower, upper) = self.sprt_bounds();
            let _ = write!(line, " LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        line
    }

    /// The report at the end of a match.
    pub fn report(&self) -> String {
        let mut text = String::new();
        for (&(a, b), results) in &self.pairings {
            let _ = write!(text, "{}", self.pairing(a, b, results));
        }
        if self.names.len() > 2 {
            text.push_str(&self.cross_table());
        }
        if let Some((decision, ratio)) = self.decision() {
            let (lower, upper) = self.sprt_bounds();
            let decision = decision.name();
            let _ = writeln!(text, "SPRT: {decision}, LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        for (name, effort) in self.names.iter().zip(&self.effort) {
            let lines = [effort.words(), self.forfeits(name)].into_iter().filter(|words| !words.is_empty());
            lines.for_each(|words| text.push_str(&format!("{name}: {words}\n")));
        }
        text
    }

    /// `a - b: +2 =1 -0`: won, drawn and lost by the first of the two.
    fn score(&self, a: usize, b: usize, results: &PairingResults) -> String {
        let [losses, draws, wins] = results.games;
        format!("{} - {}: +{wins} ={draws} -{losses}", self.names[a], self.names[b])
    }

    /// The results of a pairing: games, Elo with its 95 % interval, repeated games, nElo with LOS and pairs.
    fn pairing(&self, a: usize, b: usize, results: &PairingResults) -> String {
        let percent = 100.0 * results.points() / results.total().max(1) as f64;
        let mut text = format!("{}, {percent:.1} %", self.score(a, b, results));
        if let Some(mean) = results.mean_difference() {
            let _ = write!(text, ", mean difference {mean:+.2}");
        }
        let _ = writeln!(text, "\n  {}", elo_text(results));
        let repeated = self.repeated((a, b));
        if repeated > 0 {
            let repetitions = plural(repeated, "repetition");
            let _ = writeln!(text, "  not counted: {repeated} {repetitions} of an earlier game, move by move");
        }
        let pairs: u64 = results.pairs.iter().sum();
        let told = match results.estimate().and_then(|estimate| estimate.superiority) {
            Some(Superiority { nelo, los }) => format!("nElo {nelo:+.1}, LOS {:.1} %", 100.0 * los),
            None if differ(&results.games) && pairs < ENOUGH_PAIRS => {
                let pairs = format!("{pairs} {}", plural(pairs, "pair"));
                format!("no nElo and LOS: fewer than {ENOUGH_PAIRS} pairs of games ({pairs}) can win by luck")
            }
            None => return text,
        };
        let _ = writeln!(text, "  {told}, Ptnml(0-2): {:?}", results.pairs);
        text
    }

    fn results(&self, a: usize, b: usize) -> Option<PairingResults> {
        self.pairings.get(&(a, b)).cloned().or_else(|| self.pairings.get(&(b, a)).map(PairingResults::reversed))
    }

    /// The results of a player against all others, in the player's view.
    pub(super) fn total(&self, player: usize) -> PairingResults {
        let mut sum = PairingResults::default();
        for other in 0..self.names.len() {
            if let Some(results) = self.results(player, other) {
                (0..3).for_each(|i| sum.games[i] += results.games[i]);
                (0..5).for_each(|i| sum.pairs[i] += results.pairs[i]);
                sum.difference += results.difference;
                sum.counted += results.counted;
                sum.decisive += results.decisive;
            }
        }
        sum
    }

    fn points(&self, player: usize) -> f64 {
        self.total(player).points()
    }

    /// Indices of the players, the best first.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| self.points(b).total_cmp(&self.points(a)));
        order
    }

    fn cross_table(&self) -> String {
        let order = self.order();
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!("\n  # {:width$}", "player");
        for rank in 1..=order.len() {
            let _ = write!(text, " {rank:>7}");
        }
        text.push_str("  points  games   mean\n");
        for (rank, &player) in order.iter().enumerate() {
            let _ = write!(text, "{:>3} {:width$}", rank + 1, self.names[player]);
            for &other in &order {
                let cell = self.results(player, other).map_or("-".to_string(), |results| results.points().to_string());
                let _ = write!(text, " {cell:>7}");
            }
            let sum = self.total(player);
            let mean = sum.mean_difference().map_or(String::new(), |mean| format!("{mean:+.2}"));
            let _ = writeln!(text, " {:>7} {:>6} {mean:>6}", sum.points(), sum.total());
        }
        text
    }
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { word.to_string() } else { format!("{word}s") }
}

/// An equal number for two games between the same players, the same one moving first, with the same moves and end.
fn identity(game: &ScheduledGame, record: &MatchGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    (game.players(), &record.start, &record.result, record.reason).hash(&mut hasher);
    record.moves.iter().for_each(|mv| mv.mv.hash(&mut hasher));
    hasher.finish()
}

/// `Elo +12.3 [+1.0, +23.6]`.
fn elo_text(results: &PairingResults) -> String {
    match results.estimate() {
        Some(EloEstimate { elo, interval: (low, high), .. }) => format!("Elo {elo:+.1} [{low:+.1}, {high:+.1}]"),
        None if results.total() == 0 => "no games".into(),
        None => {
            let why = match (differ(&results.games), differ(&results.pairs)) {
                (false, _) => "all results are the same",
                (true, false) if results.pairs.iter().any(|&count| count > 0) => {
                    "all pairs of games have the same result"
                }
                _ => "its interval would have no ends",
            };
            format!("Elo unknown: too few different games, {why}")
        }
    }
}

/// Whether there is more than one kind of result.
fn differ(counts: &[u64]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameTerms, MoveRecord};

    fn record(game: usize, result: &str, difference: i32, reason: EndReason) -> MatchGame {
        MatchGame {
            game,
            terms: GameTerms::default(),
            date: None,
            opening_name: None,
            start: String::new(),
            moves: vec![MoveRecord { mv: game.to_string(), ..MoveRecord::default() }],
            effort: [Effort { moves: 1, seconds: 0.5, searched: 1, plies: 7 }, Effort::default()],
            result: result.into(),
            difference: Some(difference),
            reason,
            detail: String::new(),
        }
    }

    #[test]
    fn colours_are_turned_to_the_first_player() {
        let mut standings = Standings::new(vec!["a".into(), "b".into()], None);
        let straight = ScheduledGame { number: 0, pairing: (0, 1), opening: 0, swapped: false };
        let swapped = ScheduledGame { number: 1, swapped: true, ..straight };
        standings.add(&swapped, &record(1, "0-1", -10, EndReason::Rules));
        standings.add(&straight, &record(0, "1-0", 4, EndReason::Crashed));
        let results = standings.results(0, 1).expect("games");
        assert_eq!((results.games, results.pairs, results.difference), ([0, 0, 2], [0, 0, 0, 0, 1], 14));
        let report = standings.report();
        assert!(report.contains("b: crashed in 1 game"), "{report}");
        // Each of them moved first once.
        for player in ["a", "b"] {
            assert!(report.contains(&format!("{player}: depth 7.0, 0.5000 s a move\n")), "{report}");
        }
        assert!(standings.line().starts_with("a - b: +2 =0 -0, Elo unknown"), "{}", standings.line());
    }

    /// Four games of two openings, in any order; the third repeats the first.
    #[test]
    fn a_repeated_game_is_counted_once() {
        let played = [(0, false, "1-0", "e5"), (1, true, "1-0", "d5"), (2, false, "1-0", "e5"), (3, true, "0-1", "c5")];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 3, 0, 1]] {
            let mut standings = Standings::new(vec!["a".into(), "b".into()], None);
            for (number, swapped, result, mv) in order.map(|index| played[index]) {
                let game = ScheduledGame { number, pairing: (0, 1), opening: number / 2, swapped };
                let moves = vec![MoveRecord { mv: mv.into(), ..MoveRecord::default() }];
                standings.add(&game, &MatchGame { moves, ..record(number, result, 2, EndReason::Rules) });
            }
            let results = standings.results(0, 1).expect("games");
            assert_eq!((results.games, results.pairs), ([1, 0, 2], [0, 0, 1, 0, 0]), "{order:?}");
            assert!(standings.report().contains("not counted: 1 repetition of"), "{}", standings.report());
            assert_eq!(standings.games(), 4);
        }
    }

    #[test]
    fn results_without_a_spread_have_no_interval() {
        let mut standings = Standings::new(vec!["a".into(), "b".into()], None);
        for number in 0..4 {
            let game = ScheduledGame { number, pairing: (0, 1), opening: number, swapped: false };
            standings.add(&game, &record(number, "1/2-1/2", 0, EndReason::Rules));
        }
        let report = standings.report();
        assert!(report.contains("Elo unknown: too few different games"), "{report}");
        assert!(report.contains("all results are the same"), "{report}");
        assert!(!report.contains("LOS") && !report.contains("mean"), "{report}");
        // Each side wins with the same colour: a point for either in every pair.
        let mut standings = Standings::new(vec!["a".into(), "b".into()], None);
        for number in 0..4 {
            let game = ScheduledGame { number, pairing: (0, 1), opening: number / 2, swapped: number % 2 == 1 };
            standings.add(&game, &record(number, "1-0", 2, EndReason::Rules));
        }
        let report = standings.report();
        assert!(report.contains("all pairs of games have the same result"), "{report}");
    }

    #[test]
    fn few_pairs_have_no_likelihood_of_superiority() {
        let mut standings = Standings::new(vec!["a".into(), "b".into()], None);
        for (number, result) in ["1-0", "0-1", "1-0", "1/2-1/2"].into_iter().enumerate() {
            let game = ScheduledGame { number, pairing: (0, 1), opening: number / 2, swapped: number % 2 == 1 };
            standings.add(&game, &record(number, result, 0, EndReason::Rules));
        }
        let report = standings.report();
        assert!(
            report.contains("no nElo and LOS: fewer than 30 pairs of games (2 pairs) can win by luck, Ptnml"),
            "{report}"
        );
        assert!(report.contains("Elo unknown: too few different games, its interval would have no ends"), "{report}");
    }

    #[test]
    fn who_only_fails_does_not_play() {
        let mut standings = Standings::new(vec!["a".into(), "b".into()], None);
        let game = |number| ScheduledGame { number, pairing: (0, 1), opening: number, swapped: false };
        assert_eq!(standings.without_play(), []);
        standings.add(&game(0), &record(0, "1-0", 0, EndReason::Crashed));
        standings.add(&game(1), &record(1, "1-0", 0, EndReason::Late));
        assert_eq!(standings.without_play(), [("b", 2)]);
        standings.add(&game(2), &record(2, "1-0", 4, EndReason::Rules));
        assert_eq!(standings.without_play(), []);
        let mut standings = Standings::new(vec!["a".into(), "b".into()], None);
        for number in 0..HOPELESS_GAMES as usize {
            assert!(!standings.is_hopeless());
            standings.add(&game(number), &record(number, "1-0", 0, EndReason::Crashed));
        }
        assert!(standings.is_hopeless());
        standings.add(&game(HOPELESS_GAMES as usize), &record(HOPELESS_GAMES as usize, "1-0", 4, EndReason::Rules));
        assert!(!standings.is_hopeless());
    }

    #[test]
    fn the_cross_table_is_sorted() {
        let mut standings = Standings::new(vec!["a".into(), "b".into(), "c".into()], None);
        for (number, pairing) in [(0, (0, 1)), (1, (0, 2)), (2, (1, 2))] {
            let game = ScheduledGame { number, pairing, opening: 0, swapped: false };
            standings.add(&game, &record(number, "0-1", -2, EndReason::Rules));
        }
        assert_eq!(standings.order(), [2, 1, 0]);
        let table = standings.cross_table();
        let first: Vec<&str> = table.lines().nth(2).unwrap_or_default().split_whitespace().collect();
        assert_eq!(first, ["1", "c", "-", "1", "1", "2", "2", "+2.00"], "{table}");
    }
}
