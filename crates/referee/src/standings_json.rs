//! The closing report of a match as one object (docs/json.md).

use super::standings::Standings;
use super::statistics::pairing_results::PairingResults;
use super::types::EndReason;
use serde::Serialize;

/// The closing report.
#[derive(Debug, Serialize)]
pub struct MatchReport<'a> {
    /// The players in the order of the command line.
    players: &'a [String],
    /// Games in all, repeated ones included.
    games: u64,
    /// The pairings that met.
    pairings: Vec<PairingReport<'a>>,
    /// Points of each player against all others, the best first.
    standings: Vec<Standing<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    faults: Vec<Fault<'a>>,
}

/// The results of a pairing, seen from its first player.
#[derive(Debug, Serialize)]
struct PairingReport<'a> {
    players: [&'a str; 2],
    wins: u64,
    draws: u64,
    losses: u64,
    /// Games that repeat an earlier one move by move and do not count.
    repeated: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_difference: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nelo: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    los: Option<f64>,
    pairs: [u64; 5],
}

#[derive(Debug, Serialize)]
struct Standing<'a> {
    player: &'a str,
    points: f64,
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_difference: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
struct SprtReport {
    decision: &'static str,
    llr: f64,
    bounds: [f64; 2],
}

#[derive(Debug, Serialize)]
struct Fault<'a> {
    player: &'a str,
    reason: EndReason,
    games: u64,
}

/// A number that JSON can express; an interval may be infinite.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

impl<'a> PairingReport<'a> {
    fn new(players: [&'a str; 2], results: &PairingResults, repeated: u64) -> PairingReport<'a> {
        let [losses, draws, wins] = results.games;
        let estimate = results.estimate();
        let superiority = estimate.and_then(|estimate| estimate.superiority);
        let interval = estimate.and_then(|estimate| {
            let (low, high) = estimate.interval;
            Some([finite(low)?, finite(high)?])
        });
        PairingReport {
            players,
            wins,
            draws,
            losses,
            repeated,
            mean_difference: results.mean_difference(),
            elo: estimate.and_then(|estimate| finite(estimate.elo)),
            interval,
            nelo: superiority.and_then(|superiority| finite(superiority.nelo)),
            los: superiority.and_then(|superiority| finite(superiority.los)),
            pairs: results.pairs,
        }
    }
}

impl Standings {
    /// The closing report as data.
    pub fn json_report(&self) -> MatchReport<'_> {
        let name = |player: usize| self.names()[player].as_str();
        let pairing = |(&(a, b), results): (&(usize, usize), &PairingResults)| {
            PairingReport::new([name(a), name(b)], results, self.repeated((a, b)))
        };
        let standing = |player: usize| {
            let total = self.total(player);
            let effort = self.effort(player);
            Standing {
                player: name(player),
                points: total.points(),
                games: total.total(),
                mean_difference: total.mean_difference(),
                mean_depth: effort.mean_depth(),
                mean_seconds: effort.mean_seconds(),
            }
        };
        let sprt = self.decision().map(|(decision, llr)| {
            let (lower, upper) = self.sprt_bounds();
            SprtReport { decision: decision.name(), llr, bounds: [lower, upper] }
        });
        let faults = self.faults().map(|(player, reason, games)| Fault { player: name(player), reason, games });
        MatchReport {
            players: self.names(),
            games: self.games(),
            pairings: self.pairings().iter().map(pairing).collect(),
            standings: self.order().into_iter().map(standing).collect(),
            sprt,
            faults: faults.collect(),
        }
    }
}
