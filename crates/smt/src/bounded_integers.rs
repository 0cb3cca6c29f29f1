//! Products of integers, by bits.
//!
//! If the assertions imply bounds of every integer variable, each term has a range, and a bit-vector of the width of
//! its range computes it without overflow: the assertions and their translation have the same solutions, so either
//! answer of the bits is one for the integers. Bounds are read off the assertions that are conjunctions of literals,
//! and propagated through sums and squares; nothing else may justify *unsat*. Where bounds are missing, ranges are
//! guessed, small ones first (Fuhs, Giesl, Middeldorp, Schneider-Kamp, Thiemann and Zankl, *SAT solving for termination
//! analysis with polynomial interpretations*, 2007); then only a model counts, and it is evaluated.
//!
//! Coverings are better at few variables with large values, bits at combinatorial problems.

use crate::solver::SmtSolver;
use base::Budget;
use logic::{BigInt, FastMap, Model, Op, Rational, SatResult, Solver, SortId, TermId, TermPool, Value};
use std::collections::BTreeMap;

/// What the translation may cost: the sum of the squares of the widths of products.
const MAX_MULTIPLIER_BITS: u64 = 100_000;
/// Numbers in ranges stay below this.
const LARGEST: i128 = 1 << 62;
/// Rounds of propagating bounds.
const MAX_ROUNDS: usize = 6;
/// Largest values of variables without bounds, tried in turn.
const GUESSES: [i128; 4] = [3, 15, 127, 2047];

/// The decision of the bits. Without bounds of all variables there is no `Unsat`.
pub(crate) enum Decision {
    Sat(Model),
    Unsat,
}

/// Lower and upper bound, as far as there are any.
type Bounds = (Option<i128>, Option<i128>);
type Range = (i128, i128);

/// The assertions, all of whose terms can be translated.
pub(crate) struct BoundedIntegers {
    assertions: Vec<TermId>,
    /// All terms, arguments first.
    order: Vec<TermId>,
    variables: BTreeMap<TermId, Bounds>,
}

impl BoundedIntegers {
    /// `None` if there is a term that is not translated, or no product.
    pub(crate) fn new(pool: &TermPool, assertions: &[TermId]) -> Option<BoundedIntegers> {
        let mut order = Vec::new();
        pool.visit_postorder(assertions, |t| order.push(t));
        let mut variables = BTreeMap::new();
        let mut has_product = false;
        for &t in &order {
            let args = pool.args(t);
            let ints = |ts: &[TermId]| ts.iter().all(|&a| pool.sort(a) == SortId::INT);
            let is_fine = match pool.op(t) {
                Op::True | Op::False | Op::Not | Op::And | Op::Or => true,
                Op::Num(_) => pool.sort(t) == SortId::INT,
                Op::App(_) if args.is_empty() && pool.sort(t) == SortId::INT => {
                    variables.insert(t, (None, None));
                    true
                }
                Op::App(_) => args.is_empty() && pool.sort(t) == SortId::BOOL,
                Op::Eq => ints(args) || pool.is_bool(args[0]),
                Op::Ite => ints(&args[1..]) || pool.is_bool(args[1]),
                Op::Distinct | Op::Le | Op::Add | Op::Abs => ints(args),
                Op::Mul => {
                    has_product |= pool.number(args[0]).is_none();
                    ints(args)
                }
                Op::IntDiv | Op::Mod => pool.number(args[1]).is_some_and(|n| !n.is_zero()),
                _ => false,
            };
            if !is_fine {
                return None;
            }
        }
        let mut problem = BoundedIntegers { assertions: assertions.to_vec(), order, variables };
        has_product.then(|| {
            problem.propagate(pool);
            problem
        })
    }

    /// Do the assertions bound every variable?
    pub(crate) fn is_bounded(&self) -> bool {
        self.variables.values().all(|(low, high)| low.is_some() && high.is_some())
    }

    /// Decides within the bounds, which all variables must have.
    pub(crate) fn decide(&self, pool: &mut TermPool, budget: &Budget) -> Option<Decision> {
        let exact = |(low, high): Bounds| Some((low?, high?));
        let ranges: Option<BTreeMap<TermId, Range>> =
            self.variables.iter().map(|(&x, &bounds)| Some((x, exact(bounds)?))).collect();
        self.solve(pool, &ranges?, budget)
    }

    /// Looks for a model with small values.
    pub(crate) fn guess(&self, pool: &mut TermPool, budget: &Budget) -> Option<Model> {
        for limit in GUESSES {
            let ranges: BTreeMap<TermId, Range> = self
                .variables
                .iter()
                .map(|(&x, &bounds)| {
                    (
                        x,
                        match bounds {
                            (Some(low), Some(high)) => (low, high),
                            (Some(low), None) => (low, low.max(0) + limit),
                            (None, Some(high)) => (high.min(0) - limit, high),
                            (None, None) => (-limit, limit),
                        },
                    )
                })
                .collect();
            match self.solve(pool, &ranges, budget) {
                Some(Decision::Sat(model)) => return Some(model),
                Some(Decision::Unsat) => {}
                None => return None,
            }
        }
        None
    }

    // ---- bounds ----

    /// Bounds of variables that the literals among the assertions imply.
    fn propagate(&mut self, pool: &TermPool) {
        let mut literals: Vec<(TermId, bool)> = Vec::new();
        let mut stack: Vec<TermId> = self.assertions.clone();
        while let Some(t) = stack.pop() {
            match pool.op(t) {
                Op::And => stack.extend_from_slice(pool.args(t)),
                Op::Not => literals.push((pool.arg(t, 0), false)),
                _ => literals.push((t, true)),
            }
        }
        for _ in 0..MAX_ROUNDS {
            let before = self.variables.clone();
            let bounds = self.bounds_of_terms(pool);
            for &(atom, positive) in &literals {
                let &[left, right] = pool.args(atom) else { continue };
                if pool.sort(left) != SortId::INT {
                    continue;
                }
                let mut difference = pool.linear(left);
                difference.add_scaled(&pool.linear(right), &Rational::MINUS_ONE);
                let mut sum: Vec<(TermId, i128)> = Vec::new();
                for (base, coeff) in &difference.terms {
                    let Some(coeff) = small(coeff) else { break };
                    sum.push((*base, coeff));
                }
                let Some(constant) = small(&difference.constant).filter(|_| sum.len() == difference.terms.len()) else {
                    continue;
                };
                let negated: Vec<(TermId, i128)> = sum.iter().map(|&(t, c)| (t, -c)).collect();
                match (pool.op(atom), positive) {
                    (Op::Le, true) => self.at_most_zero(pool, &bounds, &sum, constant),
                    (Op::Le, false) => self.at_most_zero(pool, &bounds, &negated, 1 - constant),
                    (Op::Eq, true) => {
                        self.at_most_zero(pool, &bounds, &sum, constant);
                        self.at_most_zero(pool, &bounds, &negated, -constant);
                    }
                    _ => {}
                }
            }
            if self.variables == before {
                return;
            }
        }
    }

    /// From `Σ cᵢ·tᵢ + c ≤ 0` follows a bound of each summand whose fellows are bounded from below.
    fn at_most_zero(
        &mut self,
        pool: &TermPool,
        bounds: &FastMap<TermId, Bounds>,
        sum: &[(TermId, i128)],
        constant: i128,
    ) {
        let least = |&(t, c): &(TermId, i128)| {
            let (low, high) = bounds.get(&t).copied().unwrap_or((None, None));
            (if c > 0 { low } else { high })?.checked_mul(c)
        };
        for (k, &(t, c)) in sum.iter().enumerate() {
            let others = sum.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, part)| least(part));
            let Some(rest) = others.sum::<Option<i128>>().and_then(|s| s.checked_add(constant)) else { continue };
            // c·t ≤ −rest.
            let bound = if c > 0 { (-rest).div_euclid(c) } else { -((-rest).div_euclid(-c)) };
            if bound.abs() >= LARGEST {
                continue;
            }
            match pool.op(t) {
                Op::App(_) => self.tighten(t, if c > 0 { (None, Some(bound)) } else { (Some(bound), None) }),
                // An even power is at most this, so its root is not far from zero.
                Op::Mul if c > 0 && is_even_power(pool, t) => {
                    let root = square_root(bound.max(0));
                    self.tighten(pool.arg(t, 0), (Some(-root), Some(root)));
                }
                // A product of positive factors is at most this, so each is at most this by the least of the others.
                Op::Mul if c > 0 => {
                    let lows: Option<Vec<i128>> =
                        pool.args(t).iter().map(|x| bounds.get(x)?.0.filter(|&low| low > 0)).collect();
                    let Some(lows) = lows else { continue };
                    for (k, &factor) in pool.args(t).iter().enumerate() {
                        let others = lows.iter().enumerate().filter(|(j, _)| *j != k);
                        let least = others.fold(1_i128, |product, (_, &low)| product.saturating_mul(low));
                        self.tighten(factor, (None, Some(bound.div_euclid(least))));
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes note of bounds if they are of a variable.
    fn tighten(&mut self, variable: TermId, bounds: Bounds) {
        if let Some(own) = self.variables.get_mut(&variable) {
            own.0 = own.0.max(bounds.0);
            own.1 = match (own.1, bounds.1) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }

    /// Bounds of all integer terms by those of the variables.
    fn bounds_of_terms(&self, pool: &TermPool) -> FastMap<TermId, Bounds> {
        let mut bounds: FastMap<TermId, Bounds> = FastMap::default();
        for &t in &self.order {
            if pool.sort(t) == SortId::INT {
                let (low, high) = match self.variables.get(&t) {
                    Some(&own) => own,
                    None => bounds_of(pool, t, &bounds),
                };
                let sane = |n: Option<i128>| n.filter(|n| n.abs() < LARGEST);
                bounds.insert(t, (sane(low), sane(high)));
            }
        }
        bounds
    }

    // ---- bits ----

    fn solve(&self, pool: &mut TermPool, ranges: &BTreeMap<TermId, Range>, budget: &Budget) -> Option<Decision> {
        if ranges.values().any(|(low, high)| low > high) {
            return Some(Decision::Unsat);
        }
        let within = BoundedIntegers {
            assertions: Vec::new(),
            order: self.order.clone(),
            variables: ranges.iter().map(|(&x, &(low, high))| (x, (Some(low), Some(high)))).collect(),
        };
        let bounds = within.bounds_of_terms(pool);
        let mut blaster = Translation { bounds, terms: FastMap::default(), sides: Vec::new(), multiplier_bits: 0 };
        for &t in &self.order {
            budget.check().ok()?;
            let translated = blaster.translate(pool, t)?;
            blaster.terms.insert(t, translated);
        }
        let mut solver = SmtSolver::without_proofs();
        for &t in &self.assertions {
            let translated = blaster.terms[&t];
            solver.assert(pool, translated);
        }
        for &side in &blaster.sides {
            solver.assert(pool, side);
        }
        match solver.check(pool, budget) {
            SatResult::Unsat => Some(Decision::Unsat),
            SatResult::Unknown(_) => None,
            SatResult::Sat => {
                let bits = solver.model()?;
                let mut model = Model::new();
                for (symbol, value) in bits.constants() {
                    if let Value::Bool(_) = value {
                        model.set(symbol, value.clone());
                    }
                }
                for &x in self.variables.keys() {
                    let Value::Bv(number, width) = bits.eval(pool, blaster.terms[&x]).ok()? else { return None };
                    let sign = BigInt::ONE << (width as usize - 1);
                    let number = if number >= sign { number - (sign << 1) } else { number };
                    model.set(pool.as_symbol(x)?, Value::Num(Rational::from(number)));
                }
                let is_model = self.assertions.iter().all(|&t| model.holds(pool, t) == Ok(true));
                is_model.then_some(Decision::Sat(model))
            }
        }
    }
}

pub(crate) fn small(number: &Rational) -> Option<i128> {
    number.to_i64().map(i128::from)
}

fn is_even_power(pool: &TermPool, t: TermId) -> bool {
    let args = pool.args(t);
    args.len().is_multiple_of(2) && args.iter().all(|&a| a == args[0])
}

/// The largest integer whose square is at most the number (not negative).
fn square_root(n: i128) -> i128 {
    let (mut low, mut high) = (0, 1 << 32);
    while low < high {
        let middle = (low + high + 1) / 2;
        if middle * middle <= n {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

fn bounds_of(pool: &TermPool, t: TermId, bounds: &FastMap<TermId, Bounds>) -> Bounds {
    let of = |a: TermId| bounds.get(&a).copied().unwrap_or((None, None));
    let range = |a: TermId| match of(a) {
        (Some(low), Some(high)) => Some((low, high)),
        _ => None,
    };
    let args = pool.args(t);
    match pool.op(t) {
        Op::Num(_) => {
            let n = pool.number(t).and_then(small);
            (n, n)
        }
        Op::Add => {
            let side = |pick: fn(Bounds) -> Option<i128>| {
                args.iter().map(|&a| pick(of(a))).try_fold(0i128, |sum, n| sum.checked_add(n?))
            };
            (side(|b| b.0), side(|b| b.1))
        }
        Op::Mul => {
            let product = args.iter().try_fold((1i128, 1i128), |(low, high), &a| {
                let (l, h) = range(a)?;
                let corners = [low.checked_mul(l)?, low.checked_mul(h)?, high.checked_mul(l)?, high.checked_mul(h)?];
                Some((*corners.iter().min()?, *corners.iter().max()?))
            });
            match (product, is_even_power(pool, t)) {
                (Some((low, high)), even) => (Some(if even { low.max(0) } else { low }), Some(high)),
                (None, true) => (Some(0), None),
                (None, false) => match (pool.number(args[0]).and_then(small), of(args[args.len() - 1])) {
                    (Some(n), (low, high)) => {
                        let times = |b: Option<i128>| b.and_then(|b| b.checked_mul(n));
                        if n >= 0 { (times(low), times(high)) } else { (times(high), times(low)) }
                    }
                    (None, _) => (None, None),
                },
            }
        }
        Op::Ite => {
            let ((l1, h1), (l2, h2)) = (of(args[1]), of(args[2]));
            (l1.zip(l2).map(|(a, b)| a.min(b)), h1.zip(h2).map(|(a, b)| a.max(b)))
        }
        Op::Abs => match range(args[0]) {
            Some((low, high)) => (Some(0), Some(low.abs().max(high.abs()))),
            None => (Some(0), None),
        },
        Op::Mod => match pool.number(args[1]).and_then(small) {
            Some(n) => (Some(0), Some(n.abs() - 1)),
            None => (Some(0), None),
        },
        Op::IntDiv => match (range(args[0]), pool.number(args[1]).and_then(small)) {
            (Some((low, high)), Some(n)) => {
                let (a, b) = (low.div_euclid(n), high.div_euclid(n));
                (Some(a.min(b)), Some(a.max(b)))
            }
            _ => (None, None),
        },
        _ => (None, None),
    }
}

/// How many bits a signed number between these needs.
fn width_of((low, high): Range) -> u32 {
    let bits = |n: i128| 129 - if n < 0 { n.leading_ones() } else { n.leading_zeros() };
    bits(low).max(bits(high))
}

struct Translation {
    bounds: FastMap<TermId, Bounds>,
    terms: FastMap<TermId, TermId>,
    /// What holds of the bit-vectors that stand for variables, quotients and remainders.
    sides: Vec<TermId>,
    multiplier_bits: u64,
}

impl Translation {
    /// The range of an integer term; `None` if it has none that is small enough.
    fn range(&self, t: TermId) -> Option<Range> {
        match self.bounds.get(&t) {
            Some(&(Some(low), Some(high))) => Some((low, high)),
            _ => None,
        }
    }

    /// The translation of an integer term, with at least so many bits.
    fn wide(&self, pool: &mut TermPool, t: TermId, width: u32) -> Option<TermId> {
        let bits = *self.terms.get(&t)?;
        let own = pool.bitvec_width(pool.sort(bits))?;
        Some(pool.bv(Op::BvSignExt(width.checked_sub(own)?), &[bits]))
    }

    fn constant(pool: &mut TermPool, n: i128, width: u32) -> TermId {
        // Two's complement.
        let n = if n < 0 { (BigInt::ONE << width as usize) + BigInt::from(n) } else { BigInt::from(n) };
        pool.bv_num(n, width)
    }

    /// A new bit-vector for a number in the range.
    fn number(&mut self, pool: &mut TermPool, range: Range) -> TermId {
        let width = width_of(range);
        let sort = pool.bitvec_sort(width);
        let bits = pool.fresh_constant("bits", sort);
        let (low, high) = (Self::constant(pool, range.0, width), Self::constant(pool, range.1, width));
        let sides = [pool.bv(Op::BvSle, &[low, bits]), pool.bv(Op::BvSle, &[bits, high])];
        self.sides.extend(sides);
        bits
    }

    /// All of them with the same width, for a comparison.
    fn level(&self, pool: &mut TermPool, args: &[TermId]) -> Option<Vec<TermId>> {
        let widths: Option<Vec<u32>> = args.iter().map(|&a| Some(width_of(self.range(a)?))).collect();
        let width = widths?.into_iter().max()?;
        args.iter().map(|&a| self.wide(pool, a, width)).collect()
    }

    /// The bits of a term whose arguments are translated, or its translation if it is Boolean.
    fn translate(&mut self, pool: &mut TermPool, t: TermId) -> Option<TermId> {
        let args = pool.args(t).to_vec();
        let op = pool.op(t);
        if pool.sort(t) == SortId::BOOL {
            let about_ints = args.first().is_some_and(|&a| pool.sort(a) == SortId::INT);
            return Some(match op {
                _ if args.is_empty() => t,
                Op::Le => {
                    let sides = self.level(pool, &args)?;
                    pool.bv(Op::BvSle, &sides)
                }
                Op::Eq | Op::Distinct if about_ints => {
                    let sides = self.level(pool, &args)?;
                    pool.rebuild(t, &sides)
                }
                _ => {
                    let args: Option<Vec<TermId>> = args.iter().map(|a| self.terms.get(a).copied()).collect();
                    pool.rebuild(t, &args?)
                }
            });
        }
        let range = self.range(t)?;
        let width = width_of(range);
        let bits = match op {
            Op::Num(_) => Self::constant(pool, range.0, width),
            Op::App(_) => return Some(self.number(pool, range)),
            Op::Add => {
                // Sums wrap around, and come back into their range.
                let wide = args.iter().map(|&a| Some(width_of(self.range(a)?))).collect::<Option<Vec<u32>>>()?;
                let wide = wide.into_iter().max()?.max(width);
                let parts: Option<Vec<TermId>> = args.iter().map(|&a| self.wide(pool, a, wide)).collect();
                let sum = parts?.into_iter().reduce(|a, b| pool.bv(Op::BvAdd, &[a, b]))?;
                pool.bv(Op::BvExtract(width - 1, 0), &[sum])
            }
            Op::Mul => {
                let wide = args.iter().map(|&a| Some(width_of(self.range(a)?))).collect::<Option<Vec<u32>>>()?;
                let wide = wide.into_iter().max()?.max(width);
                self.multiplier_bits += u64::from(wide).pow(2) * (args.len() as u64 - 1);
                if self.multiplier_bits > MAX_MULTIPLIER_BITS {
                    return None;
                }
                let parts: Option<Vec<TermId>> = args.iter().map(|&a| self.wide(pool, a, wide)).collect();
                let product = parts?.into_iter().reduce(|a, b| pool.bv(Op::BvMul, &[a, b]))?;
                pool.bv(Op::BvExtract(width - 1, 0), &[product])
            }
            Op::Ite => {
                let condition = *self.terms.get(&args[0])?;
                let (a, b) = (self.wide(pool, args[1], width)?, self.wide(pool, args[2], width)?);
                pool.ite(condition, a, b)
            }
            Op::Abs => {
                let own = width_of(self.range(args[0])?).max(width);
                let (x, zero) = (self.wide(pool, args[0], own)?, Self::constant(pool, 0, own));
                let (negative, opposite) = (pool.bv(Op::BvSlt, &[x, zero]), pool.bv(Op::BvNeg, &[x]));
                let magnitude = pool.ite(negative, opposite, x);
                pool.bv(Op::BvExtract(width - 1, 0), &[magnitude])
            }
            Op::IntDiv | Op::Mod => {
                // x = n·q + r with 0 ≤ r < |n|: one pair for each x and n.
                let divisor = pool.number(args[1]).and_then(small)?;
                let (low, high) = self.range(args[0])?;
                let (a, b) = (low.div_euclid(divisor), high.div_euclid(divisor));
                let quotients = (a.min(b), a.max(b));
                let remainders = (0, divisor.abs() - 1);
                let q = self.number(pool, quotients);
                let r = self.number(pool, remainders);
                let largest = (quotients.0.abs().max(quotients.1.abs()) + 1).checked_mul(divisor.abs())?;
                let wide = width_of((-largest, largest));
                self.multiplier_bits += u64::from(wide).pow(2);
                let extended = |pool: &mut TermPool, t: TermId, own: u32| pool.bv(Op::BvSignExt(wide - own), &[t]);
                let q_wide = extended(pool, q, width_of(quotients));
                let r_wide = extended(pool, r, width_of(remainders));
                let x = self.wide(pool, args[0], wide)?;
                let n = Self::constant(pool, divisor, wide);
                let product = pool.bv(Op::BvMul, &[n, q_wide]);
                let sum = pool.bv(Op::BvAdd, &[product, r_wide]);
                let definition = pool.eq(x, sum);
                self.sides.push(definition);
                if op == Op::Mod { r } else { q }
            }
            _ => return None,
        };
        Some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of pseudo-random numbers.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }
        fn term(&mut self, pool: &mut TermPool, vars: &[TermId], depth: u32) -> TermId {
            if depth == 0 {
                return match self.roll(4) {
                    0 => pool.int(self.roll(7) as i64 - 3),
                    _ => vars[self.roll(vars.len() as u64) as usize],
                };
            }
            let (a, b) = (self.term(pool, vars, depth - 1), self.term(pool, vars, depth - 1));
            let divisor = pool.int([-3, -2, 2, 3, 5][self.roll(5) as usize]);
            match self.roll(8) {
                0..=2 => pool.mul(&[a, b]),
                3 => pool.add(&[a, b]),
                4 => pool.sub(a, b),
                5 => pool.int_div(a, divisor),
                6 => pool.modulo(a, divisor),
                _ => {
                    let condition = pool.le(a, b);
                    let magnitude = pool.abs(b);
                    pool.ite(condition, a, magnitude)
                }
            }
        }
    }

    #[test]
    fn agrees_with_enumeration() {
        let mut dice = Dice(7);
        let (mut n_sat, mut n_unsat) = (0, 0);
        for _ in 0..150 {
            let mut pool = TermPool::new();
            let vars = ["x", "y", "z"].map(|name| pool.constant(name, SortId::INT));
            let mut formulas = Vec::new();
            let (low, high) = (pool.int(-3), pool.int(4));
            for &x in &vars {
                formulas.extend([pool.ge(x, low), pool.le(x, high)]);
            }
            for _ in 0..=dice.roll(3) {
                let (a, b) = (dice.term(&mut pool, &vars, 2), dice.term(&mut pool, &vars, 2));
                let atom = if dice.roll(2) == 0 { pool.eq(a, b) } else { pool.lt(a, b) };
                formulas.push(atom);
            }
            let Some(problem) = BoundedIntegers::new(&pool, &formulas) else { continue };
            assert!(problem.is_bounded());
            let expected = (0..512i64).any(|point| {
                let mut model = Model::new();
                for (k, &x) in vars.iter().enumerate() {
                    let value = (point >> (3 * k)) % 8 - 3;
                    model.set(pool.as_symbol(x).expect("a constant"), Value::int(value));
                }
                formulas.iter().all(|&t| model.holds(&pool, t) == Ok(true))
            });
            match problem.decide(&mut pool, &Budget::unlimited()) {
                Some(Decision::Sat(_)) => n_sat += usize::from(expected),
                Some(Decision::Unsat) => n_unsat += usize::from(!expected),
                None => panic!("no decision"),
            }
            assert!(matches!(problem.decide(&mut pool, &Budget::unlimited()), Some(Decision::Sat(_))) == expected);
        }
        assert!(n_sat > 10 && n_unsat > 10, "{n_sat} and {n_unsat}");
    }

    /// Bounds come from literals that must hold, not from those of a disjunction; squares bound their roots.
    #[test]
    fn bounds_are_implied() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.constant("x", SortId::INT), pool.constant("y", SortId::INT));
        let (five, fifty) = (pool.int(5), pool.int(50));
        let (xx, yy) = (pool.mul(&[x, x]), pool.mul(&[y, y]));
        let sum = pool.add(&[xx, yy]);
        let small = pool.le(sum, fifty);
        let problem = BoundedIntegers::new(&pool, &[small]).expect("a product");
        assert_eq!(problem.variables[&x], (Some(-7), Some(7)));
        assert!(problem.is_bounded());
        let (below, above) = (pool.le(x, five), pool.ge(y, five));
        let either = pool.or(&[small, below]);
        let problem = BoundedIntegers::new(&pool, &[either, above]).expect("a product");
        assert_eq!(problem.variables[&x], (None, None));
        assert_eq!(problem.variables[&y], (Some(5), None));
        assert!(!problem.is_bounded());
    }
}
