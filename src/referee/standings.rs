//! The standings of a match: results of the pairings and how they are printed.

use super::record::MatchGame;
use super::schedule::ScheduledGame;
use super::statistics::pairing_results::PairingResults;
use super::statistics::sprt::{Decision, Sprt};
use super::types::EndReason;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// All results so far.
pub struct Standings {
    names: Vec<String>,
    pairings: BTreeMap<(usize, usize), PairingResults>,
    /// Half points of the pairing's first player in games whose reverse game is not yet finished.
    open_pairs: HashMap<(usize, usize, usize), usize>,
    faults: BTreeMap<(usize, EndReason), u64>,
    sprt: Option<Sprt>,
}

impl Standings {
    /// Nothing played yet.
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Standings {
        Standings { names, pairings: BTreeMap::new(), open_pairs: HashMap::new(), faults: BTreeMap::new(), sprt }
    }

    /// Adds a finished game. `pair` numbers the pairs of a pairing that share an opening.
    pub fn add(&mut self, game: &ScheduledGame, pair: usize, record: &MatchGame) {
        let (half_points, sign) = if game.swapped { (2 - record.half_points(), -1) } else { (record.half_points(), 1) };
        let results = self.pairings.entry(game.pairing).or_default();
        results.add(half_points, record.difference.map(|difference| sign * difference));
        let key = (game.pairing.0, game.pairing.1, pair);
        match self.open_pairs.remove(&key) {
            Some(other) => results.add_pair(half_points + other),
            None => drop(self.open_pairs.insert(key, half_points)),
        }
        if record.reason.is_fault() {
            let loser = game.players()[usize::from(record.result == "1-0")];
            *self.faults.entry((loser, record.reason)).or_default() += 1;
        }
    }

    /// Games in all.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(PairingResults::total).sum()
    }

    /// What the SPRT of the first pairing decides, and its log-likelihood ratio.
    pub fn decision(&self) -> Option<(Decision, f64)> {
        let sprt = self.sprt?;
        let ratio = self.pairings.get(&(0, 1)).map_or(0.0, |results| results.log_likelihood_ratio(&sprt));
        Some((sprt.decide(ratio), ratio))
    }

    /// The standings on one line.
    pub fn line(&self) -> String {
        let mut line = match self.pairings.iter().next() {
            Some((&(a, b), results)) if self.names.len() == 2 => {
                let [losses, draws, wins] = results.games;
                format!("{} {wins}-{draws}-{losses} {} {}", self.names[a], self.names[b], elo_text(results))
            }
            _ => self
                .order()
                .iter()
                .map(|&i| format!("{} {}", self.names[i], self.points(i)))
                .collect::<Vec<_>>()
                .join(", "),
        };
        if let Some((_, ratio)) = self.decision() {
            let (lower, upper) = self.sprt.map_or((0.0, 0.0), |sprt| sprt.bounds());
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
            let (lower, upper) = self.sprt.map_or((0.0, 0.0), |sprt| sprt.bounds());
            let decision = match decision {
                Decision::Open => "undecided",
                Decision::Lower => "elo0 accepted",
                Decision::Upper => "elo1 accepted",
            };
            let _ = writeln!(text, "SPRT: {decision}, LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        for (&(player, reason), count) in &self.faults {
            let _ = writeln!(text, "{}: {reason} in {count} {}", self.names[player], plural(*count, "game"));
        }
        text
    }

    /// The results of a pairing on three lines: games, Elo with its 95 % interval, nElo with LOS and pairs.
    fn pairing(&self, a: usize, b: usize, results: &PairingResults) -> String {
        let [losses, draws, wins] = results.games;
        let total = results.total();
        let percent = 100.0 * results.points() / total.max(1) as f64;
        let mut text = format!("{} - {}: +{wins} ={draws} -{losses}, {percent:.1} %", self.names[a], self.names[b]);
        if let Some(mean) = results.mean_difference() {
            let _ = write!(text, ", mean difference {mean:+.2}");
        }
        let _ = writeln!(text, "\n  {}", elo_text(results));
        if let Some(estimate) = results.estimate() {
            let (nelo, los) = (estimate.nelo, 100.0 * estimate.los);
            let _ = writeln!(text, "  nElo {nelo:+.1}, LOS {los:.1} %, Ptnml(0-2): {:?}", results.pairs);
        }
        text
    }

    fn results(&self, a: usize, b: usize) -> Option<PairingResults> {
        self.pairings.get(&(a, b)).cloned().or_else(|| self.pairings.get(&(b, a)).map(PairingResults::reversed))
    }

    /// The results of a player against all others, seen from it.
    fn total(&self, player: usize) -> PairingResults {
        let mut sum = PairingResults::default();
        for other in 0..self.names.len() {
            if let Some(results) = self.results(player, other) {
                (0..3).for_each(|i| sum.games[i] += results.games[i]);
                (0..5).for_each(|i| sum.pairs[i] += results.pairs[i]);
                sum.difference += results.difference;
                sum.counted += results.counted;
            }
        }
        sum
    }

    fn points(&self, player: usize) -> f64 {
        self.total(player).points()
    }

    /// Indices of the players, the best first.
    fn order(&self) -> Vec<usize> {
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

/// `Elo +12.3 [+1.0, +23.6]`.
fn elo_text(results: &PairingResults) -> String {
    let Some(estimate) = results.estimate() else { return "no games".into() };
    let (low, high) = estimate.interval;
    format!("Elo {:+.1} [{low:+.1}, {high:+.1}]", estimate.elo)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: usize, result: &str, difference: i32, reason: EndReason) -> MatchGame {
        MatchGame {
            game,
            players: ["x".into(), "y".into()],
            rules: "reversi".into(),
            opening: String::new(),
            start: String::new(),
            moves: Vec::new(),
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
        standings.add(&swapped, 0, &record(1, "0-1", -10, EndReason::Rules));
        standings.add(&straight, 0, &record(0, "1-0", 4, EndReason::Crashed));
        let results = standings.results(0, 1).expect("games");
        assert_eq!((results.games, results.pairs, results.difference), ([0, 0, 2], [0, 0, 0, 0, 1], 14));
        assert!(standings.report().contains("b: crashed in 1 game"), "{}", standings.report());
    }

    #[test]
    fn the_cross_table_is_sorted() {
        let mut standings = Standings::new(vec!["a".into(), "b".into(), "c".into()], None);
        for (number, pairing) in [(0, (0, 1)), (1, (0, 2)), (2, (1, 2))] {
            let game = ScheduledGame { number, pairing, opening: 0, swapped: false };
            standings.add(&game, 0, &record(number, "0-1", -2, EndReason::Rules));
        }
        assert_eq!(standings.order(), [2, 1, 0]);
        let table = standings.cross_table();
        let first: Vec<&str> = table.lines().nth(2).unwrap_or_default().split_whitespace().collect();
        assert_eq!(first, ["1", "c", "-", "1", "1", "2", "2", "+2.00"], "{table}");
    }
}
