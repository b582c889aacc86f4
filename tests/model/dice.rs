//! Random choices, and damage to lines.

use flipside::support::random::Random;

pub struct Dice(Random);

/// Numbers at the edges of what integers and clocks hold.
const EDGES: [&str; 14] = [
    "0",
    "-1",
    "1",
    "00",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999",
    "1e19",
    "0x7",
    "0.0000001",
];

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Random(seed))
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    pub fn of<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        (!list.is_empty()).then(|| list[self.below(list.len())].clone())
    }

    pub fn edge(&mut self) -> &'static str {
        self.pick(&EDGES)
    }

    /// Spoils a line: cut, doubled, other numbers, control bytes, bytes that are no UTF-8, far too long.
    pub fn mangle(&mut self, line: &str) -> Vec<u8> {
        let words: Vec<&str> = line.split(' ').collect();
        let at = self.below(words.len());
        let mut bytes = line.as_bytes().to_vec();
        let cut = self.below(bytes.len() + 1);
        match self.below(12) {
            0 => bytes.truncate(cut),
            1 => bytes = splice(&words, at, &[words[at], words[at]]),
            2 => bytes = splice(&words, at, &[]),
            3 | 4 => bytes = splice(&words, at, &[self.edge()]),
            5 => bytes.insert(cut, self.below(32) as u8),
            6 => bytes.insert(cut, 0x80 + self.below(128) as u8),
            7 => bytes = line.to_ascii_uppercase().into_bytes(),
            8 => bytes.extend(std::iter::repeat_n(b'x', 1 << self.below(17))),
            9 => bytes = [b"\xef\xbb\xbf".as_slice(), &bytes].concat(),
            10 => bytes = [b" \t ", bytes.as_slice(), b" \r"].concat(),
            _ => bytes.extend(b" 7"),
        }
        bytes.retain(|&byte| byte != b'\n');
        bytes
    }
}

/// The line with other words in the place of one.
fn splice(words: &[&str], at: usize, instead: &[&str]) -> Vec<u8> {
    [&words[..at], instead, &words[at + 1..]].concat().join(" ").into_bytes()
}
