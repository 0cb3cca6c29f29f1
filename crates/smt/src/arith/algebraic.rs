//! Products that linear clauses do not settle, decided by coverings ([`crate::real_algebra`]).
//!
//! The true literals that have to do with products become polynomial constraints over the reals. If they contradict
//! each other, the ones needed make a conflict ([`crate::proof::Evidence::Covering`]). Otherwise there is a point: an
//! integer variable whose value is no integer is branched on; otherwise the point is the model, of which other theories
//! hear as of any. One with irrational coordinates is kept beside the model, for clients that can do something with it.
//! Clauses that only guide the search (tangents and the like) take no part unless other theories look at values, so a
//! point need not satisfy them: the assertions are evaluated in the end.

use super::delta::Delta;
use super::nonlinear::is_product;
use super::simplex::{LinVar, Side};
use super::theory::{Arith, literal};
use crate::proof::Evidence;
use crate::real_algebra::{Answer, Constraint, Halt, Poly, Real, Relation, decide};
use crate::sat::types::{LBool, Lit};
use crate::theory::{Context, FinalCheck, TheoryLemma};
use base::{Budget, Stop};
use logic::{FastMap, Op, Rational, SortId, TermId, TermPool};

/// Larger problems are not tried.
const MAX_CONSTRAINTS: usize = 300;
const MAX_VARIABLES: usize = 60;
/// Intervals that a covering may have; few of them if the solver serves a program that has other things to do.
const MAX_INTERVALS: u32 = 5000;
const FEW_INTERVALS: u32 = 300;
/// After so many failures in a row nothing more is tried until products have changed.
const MAX_FAILURES: u32 = 3;

/// The variables of polynomials: terms that are no sums and no products.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub terms: Vec<TermId>,
    numbers: FastMap<TermId, usize>,
}

impl Names {
    fn number(&mut self, term: TermId) -> usize {
        let next = self.terms.len();
        *self.numbers.entry(term).or_insert_with(|| {
            self.terms.push(term);
            next
        })
    }
    /// An arithmetic term as a polynomial.
    pub(crate) fn poly(&mut self, pool: &TermPool, term: TermId) -> Poly {
        let linear = pool.linear(term);
        let mut sum = Poly::constant(linear.constant);
        for (base, coefficient) in &linear.terms {
            let base = if pool.op(*base) == Op::ToReal { pool.arg(*base, 0) } else { *base };
            let mut product = Poly::constant(coefficient.clone());
            if is_product(pool, base) {
                for &factor in pool.args(base) {
                    product = product.mul(&self.poly(pool, factor));
                }
            } else if matches!(pool.op(base), Op::Add | Op::Mul | Op::Num(_)) {
                product = product.mul(&self.poly(pool, base));
            } else {
                product = product.mul(&Poly::variable(self.number(base)));
            }
            sum = sum.add(&product);
        }
        sum
    }
    /// What a literal over an arithmetic atom says.
    pub(crate) fn constraint(&mut self, pool: &TermPool, atom: TermId, positive: bool) -> Option<Constraint> {
        let &[left, right] = pool.args(atom) else { return None };
        if !pool.sort(left).is_arith() {
            return None;
        }
        let is_int = pool.sort(left) == SortId::INT;
        let mut poly = self.poly(pool, left).sub(&self.poly(pool, right));
        let relation = match (pool.op(atom), positive) {
            (Op::Le, true) => Relation::LessEqual,
            (Op::Le, false) if is_int => {
                poly = poly.sub(&Poly::constant(Rational::ONE));
                Relation::GreaterEqual
            }
            (Op::Le, false) => Relation::Greater,
            (Op::Lt, true) => Relation::Less,
            (Op::Lt, false) => Relation::GreaterEqual,
            (Op::Eq, true) => Relation::Equal,
            (Op::Eq, false) => Relation::NotEqual,
            _ => return None,
        };
        Some(Constraint { poly, relation })
    }
}

/// Whether a clause of arithmetic literals is valid over the reals: its negation has no solution. This decides anew.
pub fn is_valid_clause(pool: &TermPool, clause: &[(TermId, bool)], budget: &Budget) -> bool {
    let mut names = Names::default();
    let negated: Option<Vec<Constraint>> =
        clause.iter().map(|&(atom, positive)| names.constraint(pool, atom, !positive)).collect();
    let Some(constraints) = negated else { return false };
    matches!(decide(&constraints, names.terms.len(), MAX_INTERVALS, budget), Ok(Answer::Unsat(_)))
}

/// Polynomial constraints with their literals.
struct Problem {
    names: Names,
    lits: Vec<Lit>,
    constraints: Vec<Constraint>,
    /// The variables that occur in the constraints.
    concerned: Vec<bool>,
}

impl Arith {
    /// Decides the products by coverings; `None` if that failed or the present values are as good as any.
    pub(super) fn decide_products(&mut self, cx: &mut Context<'_>) -> Result<Option<FinalCheck>, Stop> {
        if self.covering_failures >= MAX_FAILURES {
            return Ok(None);
        }
        let Problem { names, lits, constraints, concerned } = self.product_constraints(cx);
        let n_concerned = concerned.iter().filter(|c| **c).count();
        if constraints.len() > MAX_CONSTRAINTS || n_concerned > MAX_VARIABLES {
            self.covering_failures = MAX_FAILURES;
            return Ok(None);
        }
        self.covering_helped = false;
        let max_intervals = if self.accepts_irrational { MAX_INTERVALS } else { FEW_INTERVALS };
        match decide(&constraints, names.terms.len(), max_intervals, cx.budget) {
            Err(Halt::Stopped(stop)) => Err(stop),
            Err(Halt::GaveUp(_)) => {
                self.covering_failures += 1;
                Ok(None)
            }
            Ok(Answer::Unsat(core)) => {
                self.covering_failures = 0;
                self.covering_helped = true;
                self.stats.conflicts += 1;
                let lits = core.iter().map(|&k| !lits[k]).collect();
                Ok(Some(FinalCheck::Conflict(TheoryLemma { lits, evidence: Evidence::Covering })))
            }
            Ok(Answer::Sat(point)) => {
                let point = names.terms.into_iter().zip(point).zip(concerned);
                Ok(self.follow(cx, point.filter(|(_, concerned)| *concerned).map(|(pair, _)| pair).collect()))
            }
        }
    }

    /// The strongest true literals over variables that are connected with products.
    fn product_constraints(&self, cx: &Context<'_>) -> Problem {
        // The simplex has the strongest bounds, but those may be auxiliary.
        let mut all: Vec<Lit> = Vec::new();
        let mut strongest: FastMap<(LinVar, bool), (Delta, Lit)> = FastMap::default();
        for &var in &self.announced {
            let Some(atom) = self.atom(var) else { continue };
            // Where other theories know of auxiliary literals as well, values must agree with them.
            if self.shared.is_empty() && self.auxiliary.contains(&var) {
                continue;
            }
            let lit = match cx.value(var.positive()) {
                LBool::True => var.positive(),
                LBool::False => !var.positive(),
                LBool::Undef => continue,
            };
            match atom.bound(lit.is_positive()) {
                None => all.push(lit),
                Some((side, value)) => {
                    let place = strongest.entry((atom.form, side == Side::Upper)).or_insert((value.clone(), lit));
                    let is_stronger = if side == Side::Upper { value < place.0 } else { value > place.0 };
                    if is_stronger {
                        *place = (value, lit);
                    }
                }
            }
        }
        all.extend(strongest.into_values().map(|(_, lit)| lit));
        all.sort_unstable();
        all.dedup();
        let mut names = Names::default();
        let mut read: Vec<(Lit, Constraint, Vec<bool>)> = Vec::new();
        for lit in all {
            if let Some(c) = names.constraint(cx.pool, cx.atoms.term(lit.var()), lit.is_positive()) {
                let mut seen = Vec::new();
                c.poly.note_variables(&mut seen);
                read.push((lit, c, seen));
            }
        }
        let mut concerned = vec![false; names.terms.len()];
        for (_, c, seen) in &read {
            if total_degree(&c.poly) > 1 {
                concerned.iter_mut().zip(seen).for_each(|(c, s)| *c |= *s);
            }
        }
        // Whatever has a variable in common with these.
        let meets = |seen: &[bool], concerned: &[bool]| seen.iter().zip(concerned).any(|(s, c)| *s && *c);
        loop {
            let mut grew = false;
            for (_, _, seen) in &read {
                if meets(seen, &concerned) {
                    for (c, s) in concerned.iter_mut().zip(seen) {
                        grew |= *s && !*c;
                        *c |= *s;
                    }
                }
            }
            if !grew {
                break;
            }
        }
        read.retain(|(_, _, seen)| meets(seen, &concerned));
        let (lits, constraints) = read.into_iter().map(|(lit, c, _)| (lit, c)).unzip();
        Problem { names, lits, constraints, concerned }
    }

    /// Makes the model go where the products are right.
    fn follow(&mut self, cx: &mut Context<'_>, point: Vec<(TermId, Real)>) -> Option<FinalCheck> {
        for (term, value) in &point {
            let is_integral = value.as_rational().is_some_and(Rational::is_integer);
            if cx.pool.sort(*term) == SortId::INT && !is_integral {
                let below = cx.pool.int_num(value.floor());
                let atom = cx.pool.le(*term, below);
                let lit = literal(cx, atom);
                if cx.value(lit) == LBool::Undef {
                    self.stats.branches += 1;
                    self.covering_helped = true;
                    return Some(FinalCheck::Decide(lit));
                }
                self.covering_failures += 1;
                return None;
            }
        }
        if point.iter().any(|(_, value)| value.as_rational().is_none()) && !self.accepts_irrational {
            self.covering_failures = MAX_FAILURES;
            return None;
        }
        for (term, value) in &point {
            if let Some(column) = self.known_column(cx.pool, *term) {
                self.values.insert(column, value.bounds().0.clone());
            }
        }
        for product in self.products.clone() {
            if let (Some(column), Some(value)) =
                (self.known_column(cx.pool, product), self.multiplied_out(cx.pool, product))
            {
                self.values.insert(column, value);
            }
        }
        self.irrational = point;
        self.product_rounds = 0;
        Some(FinalCheck::Ok)
    }

    /// The value of a term by those of its variables, products included.
    fn multiplied_out(&self, pool: &TermPool, term: TermId) -> Option<Rational> {
        let linear = pool.linear(term);
        let mut value = linear.constant;
        for (base, coefficient) in &linear.terms {
            if is_product(pool, *base) {
                let mut product = coefficient.clone();
                for &factor in pool.args(*base) {
                    product *= self.multiplied_out(pool, factor)?;
                }
                value += product;
            } else {
                value.add_mul(coefficient, self.values.get(&self.known_column(pool, *base)?)?);
            }
        }
        Some(value)
    }
}

fn total_degree(poly: &Poly) -> usize {
    match poly {
        Poly::Const(_) => 0,
        Poly::In { coefficients, .. } => coefficients
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_zero())
            .map(|(k, c)| k + total_degree(c))
            .max()
            .unwrap_or(0),
    }
}
