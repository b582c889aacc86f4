//! What is known of a position: bounds of the plies in which an attacker wins.

/// In [`Facts::win`]: no win is known.
pub const UNKNOWN: u8 = u8::MAX;
/// In [`Facts::hold`]: the attacker never wins.
pub const FOREVER: u8 = u8::MAX - 1;

/// Bounds of the plies in which the attacker forces a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// It does within this many, or [`UNKNOWN`].
    pub win: u8,
    /// It does not within this many, or [`FOREVER`].
    pub hold: u8,
}

impl Facts {
    /// The attacker never wins.
    pub const HELD: Facts = Facts { win: UNKNOWN, hold: FOREVER };

    /// Nothing.
    pub const NONE: Facts = Facts { win: UNKNOWN, hold: 0 };

    /// The answer for a number of plies, if it is known.
    pub fn answer(self, plies: u8) -> Option<bool> {
        match () {
            () if self.win <= plies => Some(true),
            () if self.hold >= plies => Some(false),
            () => None,
        }
    }

    /// What both say together.
    pub fn and(self, other: Facts) -> Facts {
        Facts { win: self.win.min(other.win), hold: self.hold.max(other.hold) }
    }

    /// The facts of a position from those after its moves.
    pub fn of_moves(attacker_moves: bool, mut after: impl Iterator<Item = Facts>) -> Facts {
        let longer = |plies: u8, most: u8| if plies >= most { plies } else { plies + 1 };
        let Some(first) = after.next() else { return Facts::HELD };
        let all = after.fold(first, |all, one| match attacker_moves {
            true => Facts { win: all.win.min(one.win), hold: all.hold.min(one.hold) },
            false => Facts { win: all.win.max(one.win), hold: all.hold.max(one.hold) },
        });
        Facts { win: longer(all.win, FOREVER), hold: longer(all.hold, FOREVER) }
    }
}
