//! Bounds of a position's value.

/// The bounds of a value in discs for the side to move, both inclusive. Final scores are even, and so are the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl Bounds {
    /// No bound.
    pub const UNKNOWN: Bounds = Bounds { lower: -64, upper: 64 };

    /// Whether a score is within them. Scores from files are checked with this before any arithmetic: `i32::MIN`, for
    /// example, cannot be negated.
    pub fn hold(self, score: i32) -> bool {
        (self.lower..=self.upper).contains(&score)
    }

    /// Whether these are alpha and beta of a search for a final score.
    pub fn is_window((alpha, beta): (i32, i32)) -> bool {
        alpha < beta && Bounds::UNKNOWN.hold(alpha) && Bounds::UNKNOWN.hold(beta)
    }

    /// The value is known exactly.
    pub fn exact(score: i32) -> Bounds {
        Bounds { lower: score, upper: score }
    }

    /// The result of a search in the window `(alpha, beta)` that returned this score (fail-soft).
    pub fn of_search(score: i32, (alpha, beta): (i32, i32)) -> Bounds {
        let lower = if score > alpha { score } else { -64 };
        let upper = if score < beta { score } else { 64 };
        // No final score is odd: take the next even number inside.
        Bounds { lower: lower + (lower & 1), upper: upper - (upper & 1) }
    }

    /// The same value for the other side.
    pub fn negated(self) -> Bounds {
        Bounds { lower: -self.upper, upper: -self.lower }
    }

    /// The intersection; nothing if they contradict each other.
    pub fn and(self, other: Bounds) -> Option<Bounds> {
        let both = Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        (both.lower <= both.upper).then_some(both)
    }

    /// The value is known.
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Whether the window is answered: the value is known to be above, below, or at which point
    /// inside.
    pub fn decide(self, (alpha, beta): (i32, i32)) -> bool {
        self.is_exact() || self.lower >= beta || self.upper <= alpha
    }

    /// The part of the window that is still open.
    pub fn narrow(self, (alpha, beta): (i32, i32)) -> (i32, i32) {
        // One below the lower bound, so that the bound itself is inside and can be found exactly.
        (alpha.max(self.lower - 1), beta.min(self.upper + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_shows_a_bound_or_the_value() {
        assert_eq!(Bounds::of_search(4, (2, 6)), Bounds::exact(4));
        assert_eq!(Bounds::of_search(2, (2, 6)), Bounds { lower: -64, upper: 2 });
        assert_eq!(Bounds::of_search(8, (2, 6)), Bounds { lower: 8, upper: 64 });
        assert_eq!(Bounds::of_search(-3, (-2, -1)), Bounds { lower: -64, upper: -4 });
        assert_eq!(Bounds::of_search(3, (2, 3)), Bounds { lower: 4, upper: 64 });
        assert_eq!(Bounds::of_search(64, (63, 64)), Bounds::exact(64));
    }

    #[test]
    fn scores_and_windows_end_at_the_board() {
        for (score, held) in [(-65, false), (-64, true), (64, true), (65, false), (i32::MIN, false), (i32::MAX, false)]
        {
            assert_eq!(Bounds::UNKNOWN.hold(score), held, "{score}");
        }
        for (window, is_one) in [
            ((-64, 64), true),
            ((63, 64), true),
            ((-65, 0), false),
            ((0, 65), false),
            ((2, 2), false),
            ((i32::MIN, i32::MAX), false),
        ] {
            assert_eq!(Bounds::is_window(window), is_one, "{window:?}");
        }
    }

    #[test]
    fn bounds_meet_or_contradict() {
        let at_least = Bounds { lower: 4, upper: 64 };
        assert_eq!(at_least.and(Bounds { lower: -64, upper: 4 }), Some(Bounds::exact(4)));
        assert_eq!(at_least.and(Bounds { lower: -64, upper: 2 }), None);
        assert_eq!(at_least.negated(), Bounds { lower: -64, upper: -4 });
        assert!(at_least.decide((2, 4)) && !at_least.decide((3, 5)));
        assert_eq!(at_least.narrow((-64, 10)), (3, 10));
    }
}
