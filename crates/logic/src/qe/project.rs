//! Model-based projection (Bjørner and Janota; Komuravelli, Gurfinkel and Chaki).
//!
//! Given a model of `φ`, the model decides every choice that elimination would have to enumerate:
//! which disjunct, whether two indices are equal, which test point of virtual substitution. The
//! result is a conjunction that holds in the model, implies `∃ x. φ`, and is free of the variables
//! (except of uninterpreted sorts for which no other term has the same value). There are only
//! finitely many results for one formula unless a value had to be plugged in.

use super::arith::TestPoints;
use super::array::occurring;
use super::atoms::mentions;
use super::{Elimination, Exactness, solve};
use crate::linear::Linear;
use crate::model::{EvalError, Model};
use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};
use crate::value::Value;
use crate::{FastSet, Substitution};

/// Projects a formula that holds in the model.
///
/// The result is an under-approximation of `∃ vars. formula` that is true in the model. Fails if the
/// formula is quantified or does not hold in the model.
pub fn project(pool: &mut TermPool, model: &Model, vars: &[TermId], formula: TermId) -> Result<Elimination, EvalError> {
    let mut projection = Projection { pool, model: model.clone(), vars: vars.to_vec(), literals: Vec::new() };
    projection.implicant(formula)?;
    projection.simplify_arrays()?;
    let remaining = projection.eliminate()?;
    let formula = projection.pool.and(&projection.literals);
    Ok(Elimination { formula, remaining, exactness: Exactness::UnderApproximation, universal: false })
}

struct Projection<'a> {
    pool: &'a mut TermPool,
    /// The model, extended by the variables made on the way.
    model: Model,
    vars: Vec<TermId>,
    literals: Vec<TermId>,
}

impl Projection<'_> {
    /// Collects literals that hold in the model and together imply the formula.
    fn implicant(&mut self, formula: TermId) -> Result<(), EvalError> {
        let mut seen: FastSet<TermId> = FastSet::default();
        let mut stack = vec![formula];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let (inner, negated) = match self.pool.op(t) {
                Op::Not => (self.pool.arg(t, 0), true),
                _ => (t, false),
            };
            let args = self.pool.args(inner).to_vec();
            match (self.pool.op(inner), negated) {
                (Op::And, false) => stack.extend(args.into_iter().rev()),
                (Op::Or, true) => {
                    for a in args.into_iter().rev() {
                        let na = self.pool.not(a);
                        stack.push(na);
                    }
                }
                (Op::Or, false) | (Op::And, true) => {
                    let mut chosen = None;
                    for a in args {
                        if self.model.holds(self.pool, a)? != negated {
                            chosen = Some(a);
                            break;
                        }
                    }
                    let Some(chosen) = chosen else { return Err(EvalError::IllSorted(t)) };
                    let chosen = if negated { self.pool.not(chosen) } else { chosen };
                    stack.push(chosen);
                }
                (Op::Ite, _) => {
                    let taken = self.model.holds(self.pool, args[0])?;
                    let condition = if taken { args[0] } else { self.pool.not(args[0]) };
                    let branch = if taken { args[1] } else { args[2] };
                    let branch = if negated { self.pool.not(branch) } else { branch };
                    stack.extend([branch, condition]);
                }
                (Op::Eq, _) if self.pool.is_bool(args[0]) => {
                    for a in args {
                        let literal = if self.model.holds(self.pool, a)? { a } else { self.pool.not(a) };
                        stack.push(literal);
                    }
                }
                (Op::Distinct, true) => {
                    // Some pair is equal.
                    let mut values = Vec::with_capacity(args.len());
                    for &a in &args {
                        values.push(self.model.eval(self.pool, a)?);
                    }
                    let pair = (0..args.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
                    let mut same = pair.filter(|&(i, j)| values[i] == values[j]);
                    let Some((i, j)) = same.next() else { return Err(EvalError::IllSorted(t)) };
                    let equal = self.pool.eq(args[i], args[j]);
                    stack.push(equal);
                }
                (Op::Distinct, false) => {
                    for i in 0..args.len() {
                        for j in 0..i {
                            let equal = self.pool.eq(args[i], args[j]);
                            let different = self.pool.not(equal);
                            stack.push(different);
                        }
                    }
                }
                _ => {
                    if !self.model.holds(self.pool, t)? {
                        return Err(EvalError::IllSorted(t));
                    }
                    self.literals.push(t);
                }
            }
        }
        Ok(())
    }

    /// Adds literals about the model's choice and rewrites the literals accordingly.
    fn replace(&mut self, from: TermId, to: TermId, because: Option<TermId>) -> Result<(), EvalError> {
        let mut substitution = Substitution::from_pairs([(from, to)]);
        let old = std::mem::take(&mut self.literals);
        for literal in old {
            let new = substitution.apply(self.pool, literal);
            self.implicant(new)?;
        }
        if let Some(reason) = because {
            self.implicant(reason)?;
        }
        Ok(())
    }

    /// Resolves, by the model, reads of stored-to arrays and `ite` terms that mention a variable.
    fn simplify_arrays(&mut self) -> Result<(), EvalError> {
        loop {
            let wanted: FastSet<TermId> = self.vars.iter().copied().collect();
            let mut with: FastSet<TermId> = FastSet::default();
            let mut found = None;
            let pool = &*self.pool;
            pool.visit_postorder(&self.literals, |t| {
                if wanted.contains(&t) || pool.args(t).iter().any(|a| with.contains(a)) {
                    with.insert(t);
                    let hides = match pool.op(t) {
                        Op::Select => pool.op(pool.arg(t, 0)) == Op::Store,
                        Op::Ite | Op::Abs => true,
                        _ => false,
                    };
                    if hides && found.is_none() {
                        found = Some(t);
                    }
                }
            });
            let Some(t) = found else { return Ok(()) };
            let (condition, then, otherwise) = match self.pool.op(t) {
                Op::Select => {
                    let (store, j) = (self.pool.arg(t, 0), self.pool.arg(t, 1));
                    let (a, i, v) = (self.pool.arg(store, 0), self.pool.arg(store, 1), self.pool.arg(store, 2));
                    (self.pool.eq(i, j), v, self.pool.select(a, j))
                }
                Op::Abs => {
                    let inner = self.pool.arg(t, 0);
                    let zero = self.pool.num(Rational::zero(), self.pool.sort(inner));
                    (self.pool.ge(inner, zero), inner, self.pool.neg(inner))
                }
                _ => (self.pool.arg(t, 0), self.pool.arg(t, 1), self.pool.arg(t, 2)),
            };
            if self.model.holds(self.pool, condition)? {
                self.replace(t, then, Some(condition))?;
            } else {
                let reason = self.pool.not(condition);
                self.replace(t, otherwise, Some(reason))?;
            }
        }
    }

    /// Eliminates variable by variable; returns those that could not be.
    fn eliminate(&mut self) -> Result<Vec<TermId>, EvalError> {
        let mut stuck = Vec::new();
        loop {
            self.vars = occurring(self.pool, &self.literals, &self.vars);
            self.vars.retain(|v| !stuck.contains(v));
            if self.vars.is_empty() {
                return Ok(stuck);
            }
            if self.solve()? {
                self.simplify_arrays()?;
                continue;
            }
            // Numbers first, then arrays (which turn into elements), then the rest.
            let rank = |pool: &TermPool, v: TermId| match pool.sort(v) {
                s if s.is_arith() => 0,
                s if pool.array_parts(s).is_some() => 1,
                _ => 2,
            };
            let x = self.vars.iter().copied().min_by_key(|&v| (self.is_hidden(v), rank(self.pool, v)));
            let Some(x) = x else { return Ok(stuck) };
            if self.pool.sort(x).is_arith() && self.number(x)? {
                continue;
            }
            if self.pool.array_parts(self.pool.sort(x)).is_some() && self.array(x)? {
                self.simplify_arrays()?;
                continue;
            }
            if !self.plug_in(x)? {
                stuck.push(x);
            }
        }
    }

    /// Does the variable occur where the arithmetic methods do not reach?
    fn is_hidden(&self, x: TermId) -> bool {
        let pool = &*self.pool;
        self.literals
            .iter()
            .any(|&l| mentions(pool, &[l], x).contains(&l) && super::atoms::linear_views(pool, l, x).is_none())
    }

    fn solve(&mut self) -> Result<bool, EvalError> {
        let wanted: FastSet<TermId> = self.vars.iter().copied().collect();
        for i in 0..self.literals.len() {
            if let Some((x, t)) = solve::forced_value(self.pool, self.literals[i], &wanted) {
                self.replace(x, t, None)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn number(&mut self, x: TermId) -> Result<bool, EvalError> {
        self.define_quotients(x)?;
        let pool = &mut *self.pool;
        let (inside, outside): (Vec<TermId>, Vec<TermId>) =
            self.literals.iter().partition(|&&l| mentions(pool, &[l], x).contains(&l));
        let formula = pool.and(&inside);
        let Some(points) = TestPoints::new(pool, formula, x) else { return Ok(false) };
        let Value::Num(value) = self.model.eval(pool, x)? else { return Err(EvalError::IllSorted(x)) };
        let model = &self.model;
        let mut evaluate = |pool: &TermPool, linear: &Linear| {
            let mut sum = linear.constant.clone();
            for (t, c) in &linear.terms {
                sum = &sum + &(c * model.eval(pool, *t).ok()?.as_num()?);
            }
            Some(sum)
        };
        let Some(copy) = points.selected(pool, formula, &value, &mut evaluate) else { return Ok(false) };
        self.literals = outside;
        self.implicant(copy)?;
        Ok(true)
    }

    /// Replaces `t div k` and `t mod k` that mention `x` by their definitions.
    fn define_quotients(&mut self, x: TermId) -> Result<(), EvalError> {
        loop {
            let with = mentions(self.pool, &self.literals, x);
            let mut found: Option<TermId> = None;
            let pool = &*self.pool;
            let divisible: FastSet<TermId> = self
                .literals
                .iter()
                .map(|&l| if pool.op(l) == Op::Not { pool.arg(l, 0) } else { l })
                .filter(|&l| pool.op(l) == Op::Eq && pool.op(pool.arg(l, 0)) == Op::Mod)
                .filter(|&l| pool.number(pool.arg(l, 1)).is_some())
                .map(|l| pool.arg(l, 0))
                .collect();
            pool.visit_postorder(&self.literals, |t| {
                let constant = |t| pool.number(pool.arg(t, 1)).is_some_and(|k| !k.is_zero());
                let quotient = match pool.op(t) {
                    Op::IntDiv => constant(t),
                    Op::Mod => constant(t) && !divisible.contains(&t),
                    _ => false,
                };
                if quotient && with.contains(&t) && found.is_none() {
                    found = Some(t);
                }
            });
            let Some(term) = found else { return Ok(()) };
            let (t, divisor) = (self.pool.arg(term, 0), self.pool.arg(term, 1));
            let Some(k) = self.pool.number(divisor).cloned() else { return Ok(()) };
            let quotient = self.pool.fresh_constant("quot", SortId::INT);
            let Value::Num(value) = self.model.eval(self.pool, t)? else { return Err(EvalError::IllSorted(t)) };
            if let Some(symbol) = self.pool.as_symbol(quotient) {
                self.model.set(symbol, Value::Num(value.div_euclid(&k)));
            }
            self.vars.push(quotient);
            let product = self.pool.scale(quotient, &k);
            let remainder = self.pool.sub(t, product);
            let zero = self.pool.int(0);
            let last = self.pool.int_num(&k.abs() - &Rational::one());
            let (low, high) = (self.pool.le(zero, remainder), self.pool.le(remainder, last));
            let definition = self.pool.and2(low, high);
            let meaning = if self.pool.op(term) == Op::IntDiv { quotient } else { remainder };
            self.replace(term, meaning, Some(definition))?;
        }
    }

    /// Solves for a stored-to array, or names its elements by the model's partition of indices.
    fn array(&mut self, a: TermId) -> Result<bool, EvalError> {
        if let Some(step) = super::array::solve_store(self.pool, &self.literals, a) {
            for (&element, &meaning) in step.new_vars.iter().zip(&step.meanings) {
                let value = self.model.eval(self.pool, meaning)?;
                if let Some(symbol) = self.pool.as_symbol(element) {
                    self.model.set(symbol, value);
                }
            }
            self.vars.extend(&step.new_vars);
            self.literals.clear();
            for conjunct in step.conjuncts {
                self.implicant(conjunct)?;
            }
            return Ok(true);
        }
        // Elements may stand for an array only if nothing else speaks of it.
        let with = mentions(self.pool, &self.literals, a);
        let pool = &*self.pool;
        let mut only_read = true;
        pool.visit_postorder(&self.literals, |t| {
            let is_read = pool.op(t) == Op::Select && pool.arg(t, 0) == a;
            only_read &= !with.contains(&t) || !pool.args(t).iter().skip(usize::from(is_read)).any(|&arg| arg == a);
        });
        if !only_read {
            return Ok(false);
        }
        // Name the elements read; equal indices (in the model) share one.
        let mut known: Vec<(Value, TermId, TermId)> = Vec::new();
        loop {
            let with = mentions(self.pool, &self.literals, a);
            if with.is_empty() {
                return Ok(true);
            }
            let pool = &*self.pool;
            let mut read = None;
            pool.visit_postorder(&self.literals, |t| {
                if read.is_none() && pool.op(t) == Op::Select && pool.arg(t, 0) == a && !with.contains(&pool.arg(t, 1))
                {
                    read = Some(t);
                }
            });
            let Some(read) = read else { return Ok(false) };
            let index = self.pool.arg(read, 1);
            let at = self.model.eval(self.pool, index)?;
            if let Some((_, other, element)) = known.iter().find(|(v, _, _)| *v == at).cloned() {
                let same = self.pool.eq(index, other);
                self.replace(read, element, Some(same))?;
                continue;
            }
            let element = self.pool.fresh_constant("elem", self.pool.sort(read));
            let value = self.model.eval(self.pool, read)?;
            if let Some(symbol) = self.pool.as_symbol(element) {
                self.model.set(symbol, value);
            }
            self.vars.push(element);
            let mut different = Vec::new();
            for (_, other, _) in &known {
                let same = self.pool.eq(index, *other);
                different.push(self.pool.not(same));
            }
            let reason = self.pool.and(&different);
            self.replace(read, element, Some(reason))?;
            known.push((at, index, element));
        }
    }

    /// Replaces a variable by its value, or by another term of the same value.
    fn plug_in(&mut self, x: TermId) -> Result<bool, EvalError> {
        let value = self.model.eval(self.pool, x)?;
        let sort = self.pool.sort(x);
        if let Some(t) = self.pool.value_term(&value, sort) {
            self.replace(x, t, None)?;
            return Ok(true);
        }
        let mut candidates = Vec::new();
        let wanted: FastSet<TermId> = self.vars.iter().copied().collect();
        let mut with: FastSet<TermId> = FastSet::default();
        let pool = &*self.pool;
        pool.visit_postorder(&self.literals, |t| {
            if wanted.contains(&t) || pool.args(t).iter().any(|a| with.contains(a)) {
                with.insert(t);
            } else if pool.sort(t) == sort {
                candidates.push(t);
            }
        });
        for t in candidates {
            if self.model.eval(self.pool, t)? == value {
                self.replace(x, t, None)?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
