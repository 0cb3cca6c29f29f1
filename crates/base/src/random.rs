//! Pseudo-random numbers, the same on every machine: for random tests, random runs and simulation.

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..n`, 0 if that is empty.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }

    /// One of `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let n = high.wrapping_sub(low).wrapping_add(1) as u64;
        let offset = if n == 0 { self.bits() } else { self.bits() % n };
        low.wrapping_add(offset as i64)
    }

    pub fn flip(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// One of a list that is not empty.
    pub fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// One of a list, if there is one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation (Vigna's splitmix64.c) for the seed 1234567.
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1234567);
        let found: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(found, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn numbers_stay_in_their_ranges() {
        let mut random = Random::new(0);
        assert_eq!(random.below(0), 0);
        let mut seen = [false; 5];
        for _ in 0..200 {
            assert!(random.below(3) < 3);
            seen[(random.between(-2, 2) + 2) as usize] = true;
        }
        assert_eq!(seen, [true; 5]);
        random.between(i64::MIN, i64::MAX);
    }
}
