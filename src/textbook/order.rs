//! In which order a textbook searcher tries the moves.

use std::str::FromStr;

/// A way to sort the moves of a position; equals keep the game's own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the game lists them.
    Natural,
    /// The last first.
    Reverse,
    /// Shuffled, the same way for the same seed.
    Random(u64),
    /// By the evaluation of the position after the move.
    Static,
    /// By the game's own ranks.
    Heuristic,
    /// Moves that cut at the same ply first.
    Killers,
    /// Moves that cut anywhere first.
    History,
    /// The best move of the previous iteration first.
    Previous,
    /// By the true value, found beforehand and not counted.
    Perfect,
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Order, String> {
        Ok(match text {
            "natural" => Order::Natural,
            "reverse" => Order::Reverse,
            "static" => Order::Static,
            "heuristic" => Order::Heuristic,
            "killers" => Order::Killers,
            "history" => Order::History,
            "previous" => Order::Previous,
            "perfect" => Order::Perfect,
            _ => {
                let seed = text.strip_prefix("random:").and_then(|seed| seed.parse().ok());
                let words = "natural, reverse, random:SEED, static, heuristic, killers, history, previous or perfect";
                Order::Random(seed.ok_or_else(|| format!("expected {words}, saw '{text}'"))?)
            }
        })
    }
}

/// Scrambles a number (the finaliser of splitmix64, public domain).
pub fn scramble(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
