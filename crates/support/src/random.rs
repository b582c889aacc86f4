//! Random numbers whose stream never changes: games, matches and training are reproducible from a seed.

/// Steele, Lea and Flood's SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// Shuffles a list, all orders equally likely (Durstenfeld's form of the Fisher-Yates shuffle).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// SplitMix64's output for a state: scatters the bits of a number.
pub fn splitmix64(state: u64) -> u64 {
    Random(state).bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first outputs for the seed 1234567.
    #[test]
    fn the_generator_is_splitmix() {
        let mut random = Random(1_234_567);
        assert_eq!([random.bits(), random.bits()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
