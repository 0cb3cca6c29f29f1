//! Thresholds of widening: where a bound that keeps moving may stop before it becomes infinite (Blanchet et al.: A
//! Static Analyzer for Large Safety-Critical Software, PLDI 2003).

use logic::Rational;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    numbers: BTreeSet<Rational>,
}

impl Thresholds {
    /// The numbers, their neighbours, and −1, 0 and 1.
    pub fn new(numbers: impl IntoIterator<Item = Rational>) -> Thresholds {
        let one = Rational::one();
        let mut all = BTreeSet::from([Rational::MINUS_ONE, Rational::ZERO, Rational::ONE]);
        for n in numbers {
            all.insert(&n - &one);
            all.insert(&n + &one);
            all.insert(n);
        }
        Thresholds { numbers: all }
    }
    /// Only these numbers.
    pub fn exactly(numbers: impl IntoIterator<Item = Rational>) -> Thresholds {
        Thresholds { numbers: numbers.into_iter().collect() }
    }
    /// The next threshold that is not above a number.
    pub fn below(&self, number: &Rational) -> Option<Rational> {
        self.numbers.range(..=number.clone()).next_back().cloned()
    }
    /// The next threshold that is not below a number.
    pub fn above(&self, number: &Rational) -> Option<Rational> {
        self.numbers.range(number.clone()..).next().cloned()
    }
}
