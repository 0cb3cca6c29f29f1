//! Interpolants of arithmetic lemmas from their certificates.
//!
//! *Inequalities.* A Farkas certificate multiplies the literals of a conflict so that they sum up
//! to `0 ≤ c` with `c < 0`. The sum of the A-part alone is an interpolant: A-local terms cancel
//! because B has none of them (McMillan, TCAS 2005). Its dual is the negated sum of the B-part,
//! which is weaker. The *decomposed* one (Blicha, Hyvärinen, Kofroň, Sharygina, TACAS 2019) splits
//! the A-sum into a conjunction of sums each free of A-local terms: stronger, and of simpler shape.
//! Over the integers the pool rounds each of them.
//!
//! *Equations without integer solution.* The multipliers make all coefficients integers and the
//! constant a fraction. In the A-part only shared terms can have fractional coefficients, so their
//! sum is an integer: a congruence modulo the common denominator (Jain, Clarke, Grumberg, FMSD 2009).
//! With real terms in the sum it is the statement `is_int(sum)`.
//!
//! In a tree only the literals that are A-*local* at a node are summed (shared ones count as B),
//! so that sums of children and of the node's own literals add up to the node's sum. The dual and
//! the decomposed form do not add up that way across siblings: the dual is used on sequences, the
//! decomposed one for a single cut; elsewhere both give way to the plain sum.

use crate::linear_literal::{LinearLiteral, Relation, form_atom, form_term, is_integral};
use logic::{Linear, Rational, SortId, TermId, TermPool};

/// A running sum of multiplied constraints.
#[derive(Clone, Default, Debug)]
pub struct WeightedSum {
    linear: Linear,
    /// How many strict constraints with a positive multiplier are in it.
    n_strict: usize,
}

impl WeightedSum {
    pub fn add(&mut self, literal: &LinearLiteral, factor: &Rational) {
        self.linear.add_scaled(&literal.linear, factor);
        self.n_strict += usize::from(literal.relation == Relation::Below && !factor.is_zero());
    }
    pub fn remove(&mut self, literal: &LinearLiteral, factor: &Rational) {
        self.linear.add_scaled(&literal.linear, &-factor);
        self.n_strict -= usize::from(literal.relation == Relation::Below && !factor.is_zero());
    }
    pub fn is_strict(&self) -> bool {
        self.n_strict > 0
    }
    pub fn linear(&self) -> &Linear {
        &self.linear
    }
    /// `sum ≤ 0`, strict if a strict constraint is in it.
    pub fn atom(&self, pool: &mut TermPool) -> TermId {
        form_atom(pool, &self.linear, self.n_strict > 0)
    }
    /// The sum as a statement about integers: it is one. Integer terms with integer coefficients,
    /// among them all A-local ones, do not matter.
    ///
    /// `total` is the constant of the whole certificate, given if there is a single cut.
    pub fn congruence(&self, pool: &mut TermPool, total: Option<&Rational>) -> TermId {
        if self.linear.terms.iter().any(|(t, _)| !is_integral(pool, *t)) {
            return match total {
                Some(total) => self.rounded_congruence(pool, total),
                None => self.integrality(pool),
            };
        }
        let mut modulus = self.linear.constant.denom_rational();
        for (_, c) in &self.linear.terms {
            modulus = modulus.lcm(&c.denom_rational());
        }
        if modulus.is_one() {
            return TermId::TRUE;
        }
        let mut scaled = self.linear.clone();
        scaled.scale(&modulus);
        // (Σ cᵢtᵢ + c) mod m = 0 is (Σ cᵢtᵢ) mod m = -c mod m; the residue reads better.
        let residue = (-&std::mem::take(&mut scaled.constant)).rem_euclid(&modulus);
        // Multiplying by a unit modulo m makes the leading coefficient one where it is invertible.
        let unit = scaled
            .terms
            .iter()
            .map(|(_, c)| c.rem_euclid(&modulus))
            .find(|c| !c.is_zero())
            .and_then(|c| inverse_modulo(&c, &modulus));
        let (residue, factor) = match unit {
            Some(u) => ((&residue * &u).rem_euclid(&modulus), u),
            None => (residue, Rational::one()),
        };
        scaled.scale(&factor);
        for (_, c) in &mut scaled.terms {
            *c = c.rem_euclid(&modulus);
        }
        scaled.terms.retain(|(_, c)| !c.is_zero());
        let (sum, _) = form_term(pool, &scaled);
        let m = pool.int_num(modulus);
        let left = pool.modulo(sum, m);
        let right = pool.int_num(residue);
        pool.eq(left, right)
    }
}

impl WeightedSum {
    /// The same for a sum with real terms, which must be shared.
    fn integrality(&self, pool: &mut TermPool) -> TermId {
        let mut sum = self.linear.clone();
        sum.constant = sum.constant.rem_euclid(&Rational::one());
        sum.terms.retain(|(t, c)| !(is_integral(pool, *t) && c.is_integer()));
        let (term, sort) = form_term(pool, &sum);
        if sort == SortId::INT { TermId::TRUE } else { pool.is_int(term) }
    }
    /// The same without `is_int`: with a modulus that clears the denominators of both sides, A and
    /// B both make the scaled sum of shared terms an integer, so rounding it down changes nothing.
    /// Along a tree with siblings that would not add up.
    fn rounded_congruence(&self, pool: &mut TermPool, total: &Rational) -> TermId {
        let mut modulus = total.denom_rational().lcm(&self.linear.constant.denom_rational());
        for (_, c) in &self.linear.terms {
            modulus = modulus.lcm(&c.denom_rational());
        }
        let mut sum = self.linear.clone();
        sum.terms.retain(|(t, c)| !(is_integral(pool, *t) && c.is_integer()));
        sum.scale(&modulus);
        let residue = (-&std::mem::take(&mut sum.constant)).rem_euclid(&modulus);
        let (term, sort) = form_term(pool, &sum);
        let rounded = if sort == SortId::INT { term } else { pool.to_int(term) };
        let m = pool.int_num(modulus);
        let left = pool.modulo(rounded, m);
        let right = pool.int_num(residue);
        pool.eq(left, right)
    }
}

/// The inverse of `a` modulo `m` (both integers, 0 < a < m), if there is one.
fn inverse_modulo(a: &Rational, m: &Rational) -> Option<Rational> {
    let (mut r0, mut r1) = (m.clone(), a.clone());
    let (mut s0, mut s1) = (Rational::zero(), Rational::one());
    while !r1.is_zero() {
        let q = (&r0 / &r1).floor();
        let r2 = &r0 - &(&q * &r1);
        let s2 = &s0 - &(&q * &s1);
        (r0, r1) = (r1, r2);
        (s0, s1) = (s1, s2);
    }
    r0.is_one().then(|| s0.rem_euclid(m))
}

/// The decomposed interpolant: weights of the A-literals are split into nonnegative vectors under
/// each of which the A-local terms cancel; one conjunct per vector.
///
/// `is_local(t)` says whether a term must not remain. Falls back to one sum when the certificate
/// does not decompose.
pub fn decomposed(
    pool: &mut TermPool,
    literals: &[(LinearLiteral, Rational)],
    is_local: &mut dyn FnMut(&TermPool, TermId) -> bool,
) -> TermId {
    // Connected components first: literals that share no local term are independent. Within a
    // component, vectors of the null space of the local columns with nonnegative coordinates are
    // found by taking away, again and again, a minimal-support dependency.
    let mut conjuncts = Vec::new();
    let mut weights: Vec<Rational> = literals.iter().map(|(_, w)| w.clone()).collect();
    let locals: Vec<Vec<(TermId, Rational)>> = literals
        .iter()
        .map(|(l, _)| l.linear.terms.iter().filter(|(t, _)| is_local(pool, *t)).cloned().collect())
        .collect();
    while let Some(seed) = (0..weights.len()).find(|&i| !weights[i].is_zero()) {
        let part = minimal_part(&locals, &weights, seed);
        let mut sum = WeightedSum::default();
        // The largest multiple of the part that keeps the remaining weights on their side of zero.
        let mut step: Option<Rational> = None;
        for (i, w) in part.iter().enumerate() {
            if !w.is_zero() {
                let ratio = &weights[i] / w;
                if step.as_ref().is_none_or(|s| ratio < *s) {
                    step = Some(ratio);
                }
            }
        }
        let Some(step) = step.filter(Rational::is_positive) else {
            return whole(pool, literals);
        };
        for (i, w) in part.iter().enumerate() {
            if !w.is_zero() {
                sum.add(&literals[i].0, w);
                weights[i] = &weights[i] - &(w * &step);
            }
        }
        conjuncts.push(sum.atom(pool));
    }
    pool.and(&conjuncts)
}

fn whole(pool: &mut TermPool, literals: &[(LinearLiteral, Rational)]) -> TermId {
    let mut sum = WeightedSum::default();
    for (literal, weight) in literals {
        sum.add(literal, weight);
    }
    sum.atom(pool)
}

/// A vector with minimal support, containing `seed`, of the same signs as `weights`, under which
/// the local terms cancel. Starts from `weights` itself and eliminates literals one by one.
fn minimal_part(locals: &[Vec<(TermId, Rational)>], weights: &[Rational], seed: usize) -> Vec<Rational> {
    let mut part = weights.to_vec();
    // Each round looks for a dependency among the literals of the support and moves along it until
    // a weight becomes zero; the support shrinks, so this ends.
    while let Some(direction) = another_dependency(locals, &part, seed) {
        let mut step: Option<Rational> = None;
        for (i, d) in direction.iter().enumerate() {
            // part - s*direction must keep its sign: s <= part/d where they have the same sign.
            if !d.is_zero() && d.signum() == part[i].signum() {
                let ratio = &part[i] / d;
                if step.as_ref().is_none_or(|s| ratio < *s) {
                    step = Some(ratio);
                }
            }
        }
        let Some(step) = step else { break };
        for (i, d) in direction.iter().enumerate() {
            part[i] = &part[i] - &(d * &step);
        }
        if part[seed].is_zero() {
            break;
        }
    }
    if part[seed].is_zero() { weights.to_vec() } else { part }
}

/// A nonzero vector over the support of `part` without `seed`, in the null space of the local
/// columns, some entry of which has the sign of `part`.
fn another_dependency(locals: &[Vec<(TermId, Rational)>], part: &[Rational], seed: usize) -> Option<Vec<Rational>> {
    let support: Vec<usize> = (0..part.len()).filter(|&i| !part[i].is_zero() && i != seed).collect();
    // Gaussian elimination on the rows of local coefficients, remembering the combination.
    let mut basis: Vec<(Linear, Vec<(usize, Rational)>)> = Vec::new();
    for &i in &support {
        let mut row = Linear { terms: locals[i].clone(), constant: Rational::zero() };
        let mut combination = vec![(i, Rational::one())];
        for (reduced, used) in &basis {
            let lead = reduced.terms[0].0;
            if let Some(c) = row.coefficient(lead).cloned() {
                let factor = -&(&c / &reduced.terms[0].1);
                row.add_scaled(reduced, &factor);
                combination.extend(used.iter().map(|(j, d)| (*j, d * &factor)));
            }
        }
        if row.terms.is_empty() {
            let mut direction = vec![Rational::zero(); part.len()];
            for (j, d) in combination {
                direction[j] = &direction[j] + &d;
            }
            let agrees = |d: &[Rational]| (0..part.len()).any(|k| !d[k].is_zero() && d[k].signum() == part[k].signum());
            if !agrees(&direction) {
                direction.iter_mut().for_each(|d| *d = -&*d);
            }
            return Some(direction);
        }
        basis.push((row, combination));
    }
    None
}
