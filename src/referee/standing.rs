//! The standing of a match: tallies of the pairings and how they are shown.

use super::game::Reason;
use super::record::GameRecord;
use super::schedule::Fixture;
use super::statistics::Tally;
use super::statistics::sprt::{Decision, Sprt};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// All results so far.
pub struct Standing {
    names: Vec<String>,
    tallies: BTreeMap<(usize, usize), Tally>,
    /// Half points of the pairing's first player in games whose twin is not yet finished.
    halves: HashMap<(usize, usize, usize), usize>,
    faults: BTreeMap<(usize, Reason), u64>,
    sprt: Option<Sprt>,
}

impl Standing {
    /// Nothing played yet.
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Standing {
        Standing { names, tallies: BTreeMap::new(), halves: HashMap::new(), faults: BTreeMap::new(), sprt }
    }

    /// Adds a finished game. `pair` numbers the pairs of a pairing that share an opening.
    pub fn add(&mut self, fixture: &Fixture, pair: usize, record: &GameRecord) {
        let (half_points, sign) =
            if fixture.swapped { (2 - record.half_points(), -1) } else { (record.half_points(), 1) };
        let tally = self.tallies.entry(fixture.pairing).or_default();
        tally.add(half_points, record.difference.map(|difference| sign * difference));
        let key = (fixture.pairing.0, fixture.pairing.1, pair);
        match self.halves.remove(&key) {
            Some(other) => tally.add_pair(half_points + other),
            None => drop(self.halves.insert(key, half_points)),
        }
        if record.reason.is_fault() {
            let loser = fixture.seats()[usize::from(record.result == "1-0")];
            *self.faults.entry((loser, record.reason)).or_default() += 1;
        }
    }

    /// Games in all.
    pub fn games(&self) -> u64 {
        self.tallies.values().map(Tally::total).sum()
    }

    /// What the test of the first pairing says, and the likelihood ratio.
    pub fn decision(&self) -> Option<(Decision, f64)> {
        let sprt = self.sprt?;
        let ratio = self.tallies.get(&(0, 1)).map_or(0.0, |tally| tally.log_likelihood_ratio(&sprt));
        Some((sprt.decide(ratio), ratio))
    }

    /// The state on one line.
    pub fn line(&self) -> String {
        let mut line = match self.tallies.iter().next() {
            Some((&(a, b), tally)) if self.names.len() == 2 => {
                let [losses, draws, wins] = tally.games;
                format!("{} {wins}-{draws}-{losses} {} {}", self.names[a], self.names[b], elo_words(tally))
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

    /// The whole report.
    pub fn report(&self) -> String {
        let mut text = String::new();
        for (&(a, b), tally) in &self.tallies {
            let _ = write!(text, "{}", self.pairing(a, b, tally));
        }
        if self.names.len() > 2 {
            text.push_str(&self.cross_table());
        }
        if let Some((decision, ratio)) = self.decision() {
            let (lower, upper) = self.sprt.map_or((0.0, 0.0), |sprt| sprt.bounds());
            let words = match decision {
                Decision::Open => "undecided",
                Decision::Lower => "elo0 accepted",
                Decision::Upper => "elo1 accepted",
            };
            let _ = writeln!(text, "SPRT: {words}, LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        for (&(player, reason), count) in &self.faults {
            let reason = format!("{reason:?}").to_lowercase();
            let _ = writeln!(text, "{}: {reason} in {count} {}", self.names[player], plural(*count, "game"));
        }
        text
    }

    fn pairing(&self, a: usize, b: usize, tally: &Tally) -> String {
        let [losses, draws, wins] = tally.games;
        let total = tally.total();
        let percent = 100.0 * tally.points() / total.max(1) as f64;
        let mut text = format!("{} - {}: +{wins} ={draws} -{losses}, {percent:.1} %", self.names[a], self.names[b]);
        if let Some(mean) = tally.mean_difference() {
            let _ = write!(text, ", mean difference {mean:+.2}");
        }
        let _ = writeln!(text, "\n  {}", elo_words(tally));
        if let Some(verdict) = tally.verdict() {
            let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
            let _ = writeln!(
                text,
                "  normalised {:+.1}, superiority {:.1} %, pairs by points (0 0.5 1 1.5 2): {pairs}",
                verdict.normalised,
                100.0 * verdict.superiority
            );
        }
        text
    }

    fn tally(&self, a: usize, b: usize) -> Option<Tally> {
        self.tallies.get(&(a, b)).cloned().or_else(|| self.tallies.get(&(b, a)).map(Tally::reversed))
    }

    /// Everything a player has won, seen from it.
    fn total(&self, player: usize) -> Tally {
        let mut sum = Tally::default();
        for other in 0..self.names.len() {
            if let Some(tally) = self.tally(player, other) {
                (0..3).for_each(|i| sum.games[i] += tally.games[i]);
                (0..5).for_each(|i| sum.pairs[i] += tally.pairs[i]);
                sum.difference += tally.difference;
                sum.counted += tally.counted;
            }
        }
        sum
    }

    fn points(&self, player: usize) -> f64 {
        self.total(player).points()
    }

    /// The players, the best first.
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
                let cell = self.tally(player, other).map_or("-".to_string(), |tally| tally.points().to_string());
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
fn elo_words(tally: &Tally) -> String {
    let Some(verdict) = tally.verdict() else { return "no games".into() };
    let (low, high) = verdict.interval;
    format!("Elo {:+.1} [{low:+.1}, {high:+.1}]", verdict.elo)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: usize, result: &str, difference: i32, reason: Reason) -> GameRecord {
        GameRecord {
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
        let mut standing = Standing::new(vec!["a".into(), "b".into()], None);
        let straight = Fixture { number: 0, pairing: (0, 1), opening: 0, swapped: false };
        let swapped = Fixture { number: 1, swapped: true, ..straight };
        standing.add(&swapped, 0, &record(1, "0-1", -10, Reason::Rules));
        standing.add(&straight, 0, &record(0, "1-0", 4, Reason::Crashed));
        let tally = standing.tally(0, 1).expect("games");
        assert_eq!((tally.games, tally.pairs, tally.difference), ([0, 0, 2], [0, 0, 0, 0, 1], 14));
        assert!(standing.report().contains("b: crashed in 1 game"), "{}", standing.report());
    }

    #[test]
    fn the_cross_table_is_sorted() {
        let mut standing = Standing::new(vec!["a".into(), "b".into(), "c".into()], None);
        for (number, pairing) in [(0, (0, 1)), (1, (0, 2)), (2, (1, 2))] {
            let fixture = Fixture { number, pairing, opening: 0, swapped: false };
            standing.add(&fixture, 0, &record(number, "0-1", -2, Reason::Rules));
        }
        assert_eq!(standing.order(), [2, 1, 0]);
        let table = standing.cross_table();
        let first: Vec<&str> = table.lines().nth(2).unwrap_or_default().split_whitespace().collect();
        assert_eq!(first, ["1", "c", "-", "1", "1", "2", "2", "+2.00"], "{table}");
    }
}
