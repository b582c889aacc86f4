//! Points as a Gomocup manager writes them: on a board of 15 points a side, `7,7` is `h8`.

use crate::protocol::token::number;
use flipside_core::search::notation::{column_letter, column_of};
use std::fmt;

/// A point as the manager writes it: to the right and down from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Columns to the left of it.
    pub x: usize,
    /// Rows above it.
    pub y: usize,
}

impl Coordinates {
    /// Reads `X,Y`.
    pub fn parse(text: &str) -> Option<Coordinates> {
        let (x, y) = text.split_once(',')?;
        Some(Coordinates { x: number(x.trim())?, y: number(y.trim())? })
    }

    /// The point of a name in the game's own notation, on a board with `size` points a side.
    pub fn of_name(name: &str, size: usize) -> Option<Coordinates> {
        let x = column_of(name.chars().next()?, size)?;
        let row: usize = name.get(1..)?.parse().ok()?;
        size.checked_sub(row).filter(|&y| y < size).map(|y| Coordinates { x, y })
    }

    /// Its name in the game's own notation, if it is on a board with `size` points a side.
    pub fn name(self, size: usize) -> Option<String> {
        let Coordinates { x, y } = self;
        (x < size && y < size).then(|| format!("{}{}", column_letter(x), size - y))
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_names_and_coordinates() {
        for (text, name, size) in [
            ("0,0", "a15", 15),
            ("7,7", "h8", 15),
            ("8,7", "j8", 15),
            ("14,14", "p1", 15),
            ("8,14", "j1", 15),
            ("19,19", "u1", 20),
        ] {
            let at = Coordinates::parse(text).expect("coordinates");
            assert_eq!((at.to_string().as_str(), at.name(size).as_deref()), (text, Some(name)));
            assert_eq!(Coordinates::of_name(name, size), Some(at));
        }
        assert_eq!(Coordinates { x: 15, y: 0 }.name(15), None);
        for bad in ["", "i8", "h16", "h0", "h", "é"] {
            assert_eq!(Coordinates::of_name(bad, 15), None, "{bad}");
        }
        for bad in ["1", "OK", "", "a,b", "-1,2"] {
            assert_eq!(Coordinates::parse(bad), None, "{bad}");
        }
    }
}
