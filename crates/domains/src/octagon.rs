//! Octagons: bounds on `±x ± y` over integers (Miné: The Octagon Abstract Domain, 2006).
//!
//! Variable `i` has two forms, `+xᵢ` (index 2i) and `−xᵢ` (index 2i+1); entry `(a, b)` bounds `form a − form b` from
//! above. Entry `(a, b)` is the same bound as `(b̄, ā)` and is kept equal to it. Bounds are `i128`; a bound that would
//! not fit becomes infinite, which is always right. Integers are closed tightly: the bounds `2·xᵢ ≤ c` are even before
//! they strengthen the others.
//!
//! The left side of a widening must not be closed again before it is widened, or widening may never end; so closing is
//! never done behind the back of whoever keeps the octagon: [`Octagon::close`] is called by operations that need it, on
//! their own copy.

use crate::Thresholds;
use logic::Rational;

/// No bound.
const INFINITE: i128 = i128::MAX;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Octagon {
    n: usize,
    bounds: Vec<i128>,
    is_closed: bool,
}

/// `sign·x`: a form of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    pub variable: usize,
    pub negative: bool,
}

impl Form {
    fn index(self) -> usize {
        2 * self.variable + usize::from(self.negative)
    }
    pub fn plus(variable: usize) -> Form {
        Form { variable, negative: false }
    }
    pub fn minus(variable: usize) -> Form {
        Form { variable, negative: true }
    }
}

fn sum(a: i128, b: i128) -> i128 {
    if a == INFINITE || b == INFINITE { INFINITE } else { a.checked_add(b).unwrap_or(INFINITE) }
}

/// A bound on a sum from above, rounded to an integer.
fn bound_of(number: &Rational) -> i128 {
    number
        .floor()
        .to_bigint()
        .and_then(|b| i128::try_from(b).ok())
        .filter(|b| b.unsigned_abs() < 1 << 120)
        .unwrap_or(INFINITE)
}

impl Octagon {
    pub fn all(n: usize) -> Octagon {
        let mut bounds = vec![INFINITE; 4 * n * n];
        for i in 0..2 * n {
            bounds[i * 2 * n + i] = 0;
        }
        Octagon { n, bounds, is_closed: true }
    }
    fn at(&self, a: usize, b: usize) -> i128 {
        self.bounds[a * 2 * self.n + b]
    }
    fn set(&mut self, a: usize, b: usize, bound: i128) {
        let side = 2 * self.n;
        self.bounds[a * side + b] = bound;
        self.bounds[(b ^ 1) * side + (a ^ 1)] = bound;
    }
    pub fn is_all(&self) -> bool {
        let side = 2 * self.n;
        (0..side).all(|a| (0..side).all(|b| a == b || self.at(a, b) == INFINITE))
    }
    /// All bounds that follow; `false` if there is no point.
    pub fn close(&mut self) -> bool {
        if self.is_closed {
            return true;
        }
        let side = 2 * self.n;
        for k in 0..side {
            for a in 0..side {
                let first = self.at(a, k);
                if first == INFINITE {
                    continue;
                }
                for b in 0..side {
                    let through = sum(first, self.at(k, b));
                    if through < self.at(a, b) {
                        self.bounds[a * side + b] = through;
                    }
                }
            }
        }
        self.finish()
    }
    /// The last part of closing: bounds on single variables are tightened and strengthen the others; `false` if there
    /// is no point.
    fn finish(&mut self) -> bool {
        let side = 2 * self.n;
        // 2·x ≤ c is 2·x ≤ 2·⌊c/2⌋ of integers.
        for a in 0..side {
            let twice = self.at(a, a ^ 1);
            if twice != INFINITE {
                self.bounds[a * side + (a ^ 1)] = twice.div_euclid(2) * 2;
            }
        }
        for a in 0..side {
            for b in 0..side {
                let (left, right) = (self.at(a, a ^ 1), self.at(b ^ 1, b));
                let through = sum(left, right);
                if through != INFINITE && through.div_euclid(2) < self.at(a, b) {
                    self.bounds[a * side + b] = through.div_euclid(2);
                }
            }
        }
        for a in 0..side {
            if self.at(a, a) < 0 || sum(self.at(a, a ^ 1), self.at(a ^ 1, a)) < 0 {
                return false;
            }
            self.bounds[a * side + a] = 0;
        }
        self.is_closed = true;
        true
    }
    /// Does nothing follow that is not said?
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
    pub fn closed(&self) -> Option<Octagon> {
        let mut copy = self.clone();
        copy.close().then_some(copy)
    }
    /// `a − b ≤ bound`. A closed octagon stays closed, unless there is no point any more.
    pub fn add(&mut self, a: Form, b: Form, bound: &Rational) {
        let (a, b, bound) = (a.index(), b.index(), bound_of(bound));
        if bound >= self.at(a, b) {
            return;
        }
        if !self.is_closed || a == b {
            self.set(a, b, bound);
            self.is_closed = false;
            return;
        }
        // Shortest paths use the new bound and its twin (b̄, ā) at most once each.
        let side = 2 * self.n;
        let (not_a, not_b) = (a ^ 1, b ^ 1);
        let (back, turn) = (self.at(not_a, a), self.at(b, not_b));
        let after_b: Vec<i128> = (0..side).map(|k| self.at(b, k)).collect();
        let after_not_a: Vec<i128> = (0..side).map(|k| self.at(not_a, k)).collect();
        for i in 0..side {
            let (first, second) = (sum(self.at(i, a), bound), sum(self.at(i, not_b), bound));
            let to_b = first.min(sum(sum(second, back), bound));
            let to_not_a = second.min(sum(sum(first, turn), bound));
            if to_b == INFINITE && to_not_a == INFINITE {
                continue;
            }
            for k in 0..side {
                let through = sum(to_b, after_b[k]).min(sum(to_not_a, after_not_a[k]));
                if through < self.at(i, k) {
                    self.bounds[i * side + k] = through;
                }
            }
        }
        self.is_closed = false;
        if !self.finish() {
            // No point is left; closing finds that again.
            self.set(a, b, bound);
        }
    }
    /// `form ≤ bound`.
    pub fn add_unary(&mut self, a: Form, bound: &Rational) {
        self.add(a, Form { negative: !a.negative, ..a }, &(bound * &Rational::from(2i64)));
    }
    /// The largest value of `a − b`; exact if the octagon is closed.
    pub fn difference(&self, a: Form, b: Form) -> Option<Rational> {
        let bound = self.at(a.index(), b.index());
        (bound != INFINITE).then(|| Rational::from(bound))
    }
    /// The largest value of a form.
    pub fn upper(&self, a: Form) -> Option<Rational> {
        let bound = self.at(a.index(), a.index() ^ 1);
        (bound != INFINITE).then(|| Rational::from(bound.div_euclid(2)))
    }
    /// The variable may be anything. (The octagon should be closed.)
    pub fn forget(&mut self, variable: usize) {
        let side = 2 * self.n;
        for own in [2 * variable, 2 * variable + 1] {
            for other in 0..side {
                if own != other {
                    self.bounds[own * side + other] = INFINITE;
                    self.bounds[other * side + own] = INFINITE;
                }
            }
        }
    }
    /// `x := x + c`.
    pub fn shift(&mut self, variable: usize, by: &Rational) {
        let Some(by) = by.to_bigint().and_then(|b| i128::try_from(b).ok()).filter(|b| b.unsigned_abs() < 1 << 120)
        else {
            return self.forget(variable);
        };
        let side = 2 * self.n;
        let moved = |a: usize, sign: i128| {
            if a / 2 != variable {
                0
            } else if a.is_multiple_of(2) {
                sign * by
            } else {
                -sign * by
            }
        };
        for a in 0..side {
            for b in 0..side {
                let by = moved(a, 1) + moved(b, -1);
                let bound = self.at(a, b);
                if bound != INFINITE && by != 0 {
                    self.bounds[a * side + b] = bound.checked_add(by).unwrap_or(INFINITE);
                }
            }
        }
    }
    /// Is every point of this octagon one of the other? `self` should be closed.
    pub fn is_within(&self, other: &Octagon) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(a, b)| a <= b)
    }
    /// Both should be closed.
    pub fn join(&self, other: &Octagon) -> Octagon {
        let bounds = self.bounds.iter().zip(&other.bounds).map(|(a, b)| *a.max(b)).collect();
        Octagon { n: self.n, bounds, is_closed: self.is_closed && other.is_closed }
    }
    /// `self` as it was kept, `next` closed. Bounds on single variables go to the next threshold, the others to
    /// infinity or to a threshold.
    pub fn widen(&self, next: &Octagon, thresholds: &Thresholds) -> Octagon {
        let side = 2 * self.n;
        let mut bounds = self.bounds.clone();
        for a in 0..side {
            for b in 0..side {
                let (old, new) = (self.at(a, b), next.at(a, b));
                if new > old {
                    let two = Rational::from(2i64);
                    let is_unary = a == b ^ 1;
                    bounds[a * side + b] = if new == INFINITE {
                        INFINITE
                    } else if is_unary {
                        thresholds.above(&(&Rational::from(new) / &two)).map_or(INFINITE, |t| bound_of(&(&t * &two)))
                    } else {
                        thresholds.above(&Rational::from(new)).map_or(INFINITE, |t| bound_of(&t))
                    };
                }
            }
        }
        Octagon { n: self.n, bounds, is_closed: false }
    }
    pub fn narrow(&self, next: &Octagon) -> Octagon {
        let bounds = self.bounds.iter().zip(&next.bounds).map(|(a, b)| if *a == INFINITE { *b } else { *a }).collect();
        Octagon { n: self.n, bounds, is_closed: false }
    }
    pub fn n_variables(&self) -> usize {
        self.n
    }
    pub fn contains(&self, point: &[i128]) -> bool {
        let form = |a: usize| if a.is_multiple_of(2) { point[a / 2] } else { -point[a / 2] };
        let side = 2 * self.n;
        (0..side).all(|a| (0..side).all(|b| self.at(a, b) == INFINITE || form(a) - form(b) <= self.at(a, b)))
    }
}
