//! Making formulas small, exactly and without a solver.
//!
//! * Local context (the cheap part of Dillig, Dillig and Aiken's "Small formulas for large programs"):
//!   inside a conjunction every part may assume the other parts that are literals, inside a disjunction
//!   their negations, inside the branches of `ite` the condition.
//! * Bounds on one linear form are merged: the tightest stays, meeting bounds become an equation,
//!   contradicting ones make the whole false, excluded end points tighten integer bounds.
//! * A variable that equals a value in a conjunction is replaced by it in the other parts.
//! * What all parts of a disjunction (conjunction) share is factored out.
//! * `ite` terms whose condition is known, or whose branches decide the atom, are lifted away.
//!
//! Disjunctions are handled as negated conjunctions, so every rule works for both. The work is
//! bounded by a number of visited nodes; what is not visited stays as it is, so the result is
//! always equivalent to the input.

use crate::FastMap;
use crate::linear::Linear;
use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};

/// How many nodes one simplification may visit.
const MAX_VISITS: usize = 50_000;
/// How deep contexts may nest.
const MAX_DEPTH: usize = 150;

impl TermPool {
    /// An equivalent formula, smaller if the rules of `simplify.rs` find something.
    pub fn simplify(&mut self, t: TermId) -> TermId {
        if !self.is_bool(t) {
            return t;
        }
        let mut simplifier = Simplifier { pool: self, context: Context::default(), visits_left: MAX_VISITS };
        simplifier.formula(t, 0)
    }
}

/// One side of an interval.
#[derive(Clone, PartialEq, Eq, Debug)]
struct End {
    value: Rational,
    strict: bool,
}

/// What is known about a linear form.
#[derive(Clone, Default, Debug)]
struct Interval {
    lower: Option<End>,
    upper: Option<End>,
}

impl Interval {
    /// Keeps the tighter of the old and the new lower end.
    fn raise(&mut self, value: Rational, strict: bool) {
        let tighter = self.lower.as_ref().is_none_or(|l| value > l.value || (value == l.value && strict && !l.strict));
        if tighter {
            self.lower = Some(End { value, strict });
        }
    }
    fn lower_to(&mut self, value: Rational, strict: bool) {
        let tighter = self.upper.as_ref().is_none_or(|u| value < u.value || (value == u.value && strict && !u.strict));
        if tighter {
            self.upper = Some(End { value, strict });
        }
    }
    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) => l.value > u.value || (l.value == u.value && (l.strict || u.strict)),
            _ => false,
        }
    }
    fn point(&self) -> Option<&Rational> {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) if l.value == u.value && !l.strict && !u.strict => Some(&l.value),
            _ => None,
        }
    }
    fn excludes(&self, value: &Rational) -> bool {
        let below = self.lower.as_ref().is_some_and(|l| *value < l.value || (l.strict && *value == l.value));
        let above = self.upper.as_ref().is_some_and(|u| *value > u.value || (u.strict && *value == u.value));
        below || above
    }
    /// Does every value here satisfy the other interval?
    fn inside(&self, other: &Interval) -> bool {
        let lower = other.lower.as_ref().is_none_or(|o| {
            self.lower.as_ref().is_some_and(|l| l.value > o.value || (l.value == o.value && (l.strict || !o.strict)))
        });
        let upper = other.upper.as_ref().is_none_or(|o| {
            self.upper.as_ref().is_some_and(|u| u.value < o.value || (u.value == o.value && (u.strict || !o.strict)))
        });
        lower && upper
    }
    fn meet(&self, other: &Interval) -> Interval {
        let mut result = self.clone();
        if let Some(l) = &other.lower {
            result.raise(l.value.clone(), l.strict);
        }
        if let Some(u) = &other.upper {
            result.lower_to(u.value.clone(), u.strict);
        }
        result
    }
}

/// A literal about a linear form: it lies in an interval, or differs from a value.
enum Fact {
    In(TermId, Interval),
    Not(TermId, Rational),
}

/// What may be assumed at a place, with a trail to take it back.
#[derive(Default)]
struct Context {
    truth: FastMap<TermId, bool>,
    intervals: FastMap<TermId, Interval>,
    trail: Vec<Undo>,
}

enum Undo {
    Truth(TermId, Option<bool>),
    Interval(TermId, Option<Interval>),
}

impl Context {
    fn restore(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Truth(t, Some(old))) => {
                    self.truth.insert(t, old);
                }
                Some(Undo::Truth(t, None)) => {
                    self.truth.remove(&t);
                }
                Some(Undo::Interval(t, Some(old))) => {
                    self.intervals.insert(t, old);
                }
                Some(Undo::Interval(t, None)) => {
                    self.intervals.remove(&t);
                }
                None => return,
            }
        }
    }
}

struct Simplifier<'a> {
    pool: &'a mut TermPool,
    context: Context,
    visits_left: usize,
}

impl Simplifier<'_> {
    // ---- the context ----

    fn assume(&mut self, literal: TermId) {
        let (atom, value) = match self.pool.op(literal) {
            Op::Not => (self.pool.arg(literal, 0), false),
            _ => (literal, true),
        };
        let old = self.context.truth.insert(atom, value);
        self.context.trail.push(Undo::Truth(atom, old));
        if let Some(Fact::In(form, interval)) = self.fact(literal) {
            let old = self.context.intervals.get(&form).cloned();
            let new = old.as_ref().map_or_else(|| interval.clone(), |o| o.meet(&interval));
            self.context.intervals.insert(form, new);
            self.context.trail.push(Undo::Interval(form, old));
        }
    }

    /// Is the formula true or false in the present context, as far as can be seen at once?
    fn known(&mut self, t: TermId) -> Option<bool> {
        let (atom, positive) = match self.pool.op(t) {
            Op::Not => (self.pool.arg(t, 0), false),
            _ => (t, true),
        };
        if let Some(&value) = self.context.truth.get(&atom) {
            return Some(value == positive);
        }
        match self.fact(t)? {
            Fact::In(form, interval) => {
                let known = self.context.intervals.get(&form)?;
                if known.inside(&interval) {
                    Some(true)
                } else if known.meet(&interval).is_empty() {
                    Some(false)
                } else {
                    None
                }
            }
            Fact::Not(form, value) => {
                let known = self.context.intervals.get(&form)?;
                if known.excludes(&value) {
                    Some(true)
                } else if known.point() == Some(&value) {
                    Some(false)
                } else {
                    None
                }
            }
        }
    }

    /// Reads an arithmetic literal.
    fn fact(&mut self, literal: TermId) -> Option<Fact> {
        let (atom, negated) = match self.pool.op(literal) {
            Op::Not => (self.pool.arg(literal, 0), true),
            _ => (literal, false),
        };
        let op = self.pool.op(atom);
        if !matches!(op, Op::Le | Op::Lt | Op::Eq) || !self.pool.sort(self.pool.arg(atom, 0)).is_arith() {
            return None;
        }
        let (left, right) = (self.pool.arg(atom, 0), self.pool.arg(atom, 1));
        let sort = self.pool.sort(left);
        let mut interval = Interval::default();
        if op == Op::Eq {
            let mut linear = self.pool.linear(left);
            linear.add_scaled(&self.pool.linear(right), &Rational::from(-1));
            linear.make_primitive();
            let value = -std::mem::take(&mut linear.constant);
            let form = self.pool.linear_term(&linear, sort);
            if negated {
                return Some(Fact::Not(form, value));
            }
            interval.raise(value.clone(), false);
            interval.lower_to(value, false);
            return Some(Fact::In(form, interval));
        }
        let bound = self.pool.number(right)?.clone();
        match (op == Op::Lt, negated) {
            (strict, false) => interval.lower_to(bound, strict),
            (false, true) if sort == SortId::INT => interval.raise(bound + Rational::one(), false),
            (strict, true) => interval.raise(bound, !strict),
        }
        Some(Fact::In(left, interval))
    }

    // ---- formulas ----

    fn formula(&mut self, t: TermId, depth: usize) -> TermId {
        if self.visits_left == 0 || depth > MAX_DEPTH {
            return t;
        }
        self.visits_left -= 1;
        if let Some(value) = self.known(t) {
            return self.pool.bool(value);
        }
        match self.pool.op(t) {
            Op::Not => {
                let inner = self.formula(self.pool.arg(t, 0), depth + 1);
                self.pool.not(inner)
            }
            Op::And => {
                let parts = self.pool.args(t).to_vec();
                let parts = self.conjunction(parts, depth);
                self.pool.and(&parts)
            }
            Op::Or => {
                let parts = self.pool.args(t).to_vec();
                let negated = parts.into_iter().map(|p| self.pool.not(p)).collect();
                let parts = self.conjunction(negated, depth);
                let parts: Vec<TermId> = parts.into_iter().map(|p| self.negation(p, depth)).collect();
                self.pool.or(&parts)
            }
            Op::Ite => {
                let (c, a, b) = (self.pool.arg(t, 0), self.pool.arg(t, 1), self.pool.arg(t, 2));
                let c = self.formula(c, depth + 1);
                let a = self.under(c, a, depth);
                let nc = self.pool.not(c);
                let b = self.under(nc, b, depth);
                self.pool.ite(c, a, b)
            }
            Op::Eq if self.pool.is_bool(self.pool.arg(t, 0)) => {
                let (a, b) = (self.pool.arg(t, 0), self.pool.arg(t, 1));
                let (a, b) = (self.formula(a, depth + 1), self.formula(b, depth + 1));
                self.pool.eq(a, b)
            }
            _ => self.atom(t, depth),
        }
    }

    /// The negation, pushed through disjunctions (which factoring may have made).
    fn negation(&mut self, t: TermId, depth: usize) -> TermId {
        if self.pool.op(t) != Op::Or || depth > MAX_DEPTH {
            return self.pool.not(t);
        }
        let parts = self.pool.args(t).to_vec();
        let parts: Vec<TermId> = parts
            .into_iter()
            .map(|p| {
                if self.pool.op(p) == Op::And {
                    let inner = self.pool.args(p).to_vec();
                    let inner: Vec<TermId> = inner.into_iter().map(|q| self.negation(q, depth + 1)).collect();
                    self.pool.or(&inner)
                } else {
                    self.pool.not(p)
                }
            })
            .collect();
        self.pool.and(&parts)
    }

    /// A formula where another one holds.
    fn under(&mut self, condition: TermId, t: TermId, depth: usize) -> TermId {
        let mark = self.context.trail.len();
        for literal in self.flat(vec![condition]) {
            self.assume(literal);
        }
        let result = self.formula(t, depth + 1);
        self.context.restore(mark);
        result
    }

    /// The `ite` terms at the top of an atom's sides.
    fn choices(&self, atom: TermId) -> Vec<TermId> {
        let mut choices: Vec<TermId> = Vec::new();
        for &side in self.pool.args(atom) {
            if self.pool.op(side) == Op::Ite {
                choices.push(side);
            } else if matches!(self.pool.op(side), Op::Add | Op::Mul) {
                let bases = self.pool.linear(side).terms.into_iter().map(|(base, _)| base);
                choices.extend(bases.filter(|&base| self.pool.op(base) == Op::Ite));
            }
        }
        choices
    }

    /// Lifts an `ite` out of an atom if its condition is known or a branch decides the atom.
    fn atom(&mut self, t: TermId, depth: usize) -> TermId {
        for choice in self.choices(t) {
            let (c, a, b) = (self.pool.arg(choice, 0), self.pool.arg(choice, 1), self.pool.arg(choice, 2));
            if let Some(value) = self.known(c) {
                let lifted = self.pool.substitute(t, &[(choice, if value { a } else { b })]);
                return self.formula(lifted, depth + 1);
            }
            let then = self.pool.substitute(t, &[(choice, a)]);
            let otherwise = self.pool.substitute(t, &[(choice, b)]);
            if self.pool.is_value(then) || self.pool.is_value(otherwise) {
                let lifted = self.pool.ite(c, then, otherwise);
                return self.formula(lifted, depth + 1);
            }
        }
        t
    }

    /// Conjuncts without nested conjunctions.
    fn flat(&mut self, parts: Vec<TermId>) -> Vec<TermId> {
        let all = self.pool.and(&parts);
        let mut result = Vec::new();
        let mut stack = vec![all];
        while let Some(t) = stack.pop() {
            match self.pool.op(t) {
                Op::True => {}
                Op::And => stack.extend(self.pool.args(t).iter().rev()),
                Op::Not if self.pool.op(self.pool.arg(t, 0)) == Op::Or => {
                    let args = self.pool.args(self.pool.arg(t, 0)).to_vec();
                    for a in args.into_iter().rev() {
                        let na = self.pool.not(a);
                        stack.push(na);
                    }
                }
                _ => result.push(t),
            }
        }
        result
    }

    /// Can this be assumed as it stands? Atoms with `ite` terms are first simplified in the context of the others.
    fn is_literal(&self, t: TermId) -> bool {
        let atom = if self.pool.op(t) == Op::Not { self.pool.arg(t, 0) } else { t };
        match self.pool.op(atom) {
            Op::And | Op::Or | Op::Ite | Op::True | Op::False => false,
            Op::Eq if self.pool.is_bool(self.pool.arg(atom, 0)) => false,
            _ => self.choices(atom).is_empty(),
        }
    }

    /// Simplifies the parts of a conjunction; `[FALSE]` if they contradict each other.
    fn conjunction(&mut self, parts: Vec<TermId>, depth: usize) -> Vec<TermId> {
        let mut parts = parts;
        // Each round works with the literals that the round before laid bare.
        for _ in 0..4 {
            let flat = self.flat(parts);
            let (mut literals, compound): (Vec<TermId>, Vec<TermId>) =
                flat.iter().copied().partition(|&t| self.is_literal(t));
            for literal in &mut literals {
                *literal = self.formula(*literal, depth + 1);
            }
            let Some(literals) = self.merge(literals) else { return vec![TermId::FALSE] };
            let (literals, compound, substituted) = self.plug_in_values(literals, compound);
            let mark = self.context.trail.len();
            for &literal in &literals {
                if self.is_literal(literal) {
                    self.assume(literal);
                }
            }
            let mut rest = Vec::with_capacity(compound.len());
            for t in compound {
                rest.push(self.formula(t, depth + 1));
            }
            self.context.restore(mark);
            let more = substituted || rest.iter().any(|&t| self.is_literal(t) || self.pool.op(t) == Op::And);
            let mut next = literals;
            next.extend(rest);
            let next_flat = self.flat(next);
            if next_flat.contains(&TermId::FALSE) {
                return vec![TermId::FALSE];
            }
            parts = next_flat;
            if !more || self.visits_left == 0 {
                break;
            }
        }
        self.factor(parts)
    }

    /// Merges literals about one linear form; `None` if they contradict each other or the context.
    fn merge(&mut self, literals: Vec<TermId>) -> Option<Vec<TermId>> {
        let mut result: Vec<TermId> = Vec::new();
        let mut order: Vec<TermId> = Vec::new();
        let mut groups: FastMap<TermId, (Interval, Vec<Rational>)> = FastMap::default();
        for literal in literals {
            match literal {
                TermId::FALSE => return None,
                TermId::TRUE => continue,
                _ => {}
            }
            let (form, interval, excluded) = match self.fact(literal) {
                None => {
                    result.push(literal);
                    continue;
                }
                Some(Fact::In(form, interval)) => (form, interval, None),
                Some(Fact::Not(form, value)) => (form, Interval::default(), Some(value)),
            };
            let group = groups.entry(form).or_insert_with(|| {
                order.push(form);
                Default::default()
            });
            group.0 = group.0.meet(&interval);
            group.1.extend(excluded);
        }
        for form in order {
            let (interval, excluded) = groups.remove(&form)?;
            self.emit_group(form, interval, excluded, &mut result)?;
        }
        Some(result)
    }

    fn emit_group(
        &mut self,
        form: TermId,
        interval: Interval,
        excluded: Vec<Rational>,
        out: &mut Vec<TermId>,
    ) -> Option<()> {
        let sort = self.pool.sort(form);
        let mut interval = interval;
        let mut excluded = excluded;
        excluded.sort();
        excluded.dedup();
        // An excluded end point moves the end; that may reach the next excluded point.
        loop {
            if interval.is_empty() {
                return None;
            }
            let on_end = |end: &Option<End>| {
                end.as_ref().filter(|e| !e.strict).and_then(|e| excluded.iter().position(|v| *v == e.value))
            };
            let one = Rational::one();
            if let (Some(i), Some(l)) = (on_end(&interval.lower), interval.lower.clone()) {
                excluded.remove(i);
                if sort == SortId::INT { interval.raise(&l.value + &one, false) } else { interval.raise(l.value, true) }
            } else if let (Some(i), Some(u)) = (on_end(&interval.upper), interval.upper.clone()) {
                excluded.remove(i);
                if sort == SortId::INT {
                    interval.lower_to(&u.value - &one, false);
                } else {
                    interval.lower_to(u.value, true);
                }
            } else {
                break;
            }
        }
        let linear = self.pool.linear(form);
        if let Some(value) = interval.point().cloned() {
            let n = self.pool.num(value, sort);
            out.push(self.pool.eq(form, n));
            return Some(());
        }
        if let Some(l) = &interval.lower {
            // form >= value, as value - form <= 0.
            let mut negated = linear.clone();
            negated.scale(&Rational::from(-1));
            negated.constant = &negated.constant + &l.value;
            out.push(self.pool.linear_le(negated, l.strict, sort));
        }
        if let Some(u) = &interval.upper {
            let mut shifted: Linear = linear;
            shifted.constant = &shifted.constant - &u.value;
            out.push(self.pool.linear_le(shifted, u.strict, sort));
        }
        for value in excluded {
            if interval.excludes(&value) {
                continue;
            }
            let n = self.pool.num(value, sort);
            let equal = self.pool.eq(form, n);
            out.push(self.pool.not(equal));
        }
        Some(())
    }

    /// Where a literal says `x = value`, the other parts need not mention `x`.
    fn plug_in_values(&mut self, literals: Vec<TermId>, compound: Vec<TermId>) -> (Vec<TermId>, Vec<TermId>, bool) {
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        let mut keep: Vec<TermId> = Vec::new();
        let mut others: Vec<TermId> = Vec::new();
        for literal in literals {
            let pair = (self.pool.op(literal) == Op::Eq)
                .then(|| (self.pool.arg(literal, 0), self.pool.arg(literal, 1)))
                .filter(|&(x, v)| self.pool.as_symbol(x).is_some() && self.pool.is_value(v));
            match pair {
                Some(pair) if !pairs.iter().any(|(x, _)| *x == pair.0) => {
                    pairs.push(pair);
                    keep.push(literal);
                }
                _ => others.push(literal),
            }
        }
        if pairs.is_empty() {
            return (others, compound, false);
        }
        let mut changed = false;
        let mut replace = |pool: &mut TermPool, t: TermId| {
            let new = pool.substitute(t, &pairs);
            changed |= new != t;
            new
        };
        keep.extend(others.into_iter().map(|t| replace(self.pool, t)));
        let compound = compound.into_iter().map(|t| replace(self.pool, t)).collect();
        (keep, compound, changed)
    }

    /// `(a or b) and (a or c)` is `a or (b and c)`.
    fn factor(&mut self, parts: Vec<TermId>) -> Vec<TermId> {
        if parts.len() < 2 {
            return parts;
        }
        let clauses: Vec<Vec<TermId>> = parts.iter().map(|&t| self.clause(t)).collect();
        let common: Vec<TermId> =
            clauses[0].iter().copied().filter(|l| clauses[1..].iter().all(|c| c.contains(l))).collect();
        if common.is_empty() {
            return parts;
        }
        let rests: Vec<TermId> = clauses
            .into_iter()
            .map(|clause| {
                let rest: Vec<TermId> = clause.into_iter().filter(|l| !common.contains(l)).collect();
                self.pool.or(&rest)
            })
            .collect();
        let rest = self.pool.and(&rests);
        let mut clause = common;
        clause.push(rest);
        vec![self.pool.or(&clause)]
    }

    /// The parts of a disjunction.
    fn clause(&mut self, t: TermId) -> Vec<TermId> {
        match self.pool.op(t) {
            Op::Or => self.pool.args(t).to_vec(),
            Op::Not if self.pool.op(self.pool.arg(t, 0)) == Op::And => {
                let args = self.pool.args(self.pool.arg(t, 0)).to_vec();
                args.into_iter().map(|a| self.pool.not(a)).collect()
            }
            _ => vec![t],
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::smtlib::parse_term;
    use crate::{SortId, TermPool};

    #[test]
    fn becomes_small() {
        let mut p = TermPool::new();
        for name in ["x", "y", "z"] {
            p.constant(name, SortId::INT);
        }
        p.constant("r", SortId::REAL);
        for name in ["a", "b", "c"] {
            p.constant(name, SortId::BOOL);
        }
        for (before, after) in [
            ("(and (<= x 5) (<= x 7) (>= x 2))", "(and (<= x 5) (>= x 2))"),
            ("(and (<= x 5) (>= x 5))", "(= x 5)"),
            ("(and (<= x 5) (distinct x 5) (distinct x 4))", "(<= x 3)"),
            ("(and (<= r 5.0) (distinct r 5.0))", "(< r 5.0)"),
            ("(or (<= x 5) (<= x 7))", "(<= x 7)"),
            ("(or (<= x 5) (> x 3))", "true"),
            ("(or (< x 5) (> x 5))", "(distinct x 5)"),
            ("(and (<= x 5) (or (<= x 6) a))", "(<= x 5)"),
            ("(and (<= x 5) (or (> x 6) a))", "(and (<= x 5) a)"),
            ("(or (and a b) (and a c))", "(and a (or b c))"),
            ("(or a (and a b))", "a"),
            ("(and a (or (not a) b))", "(and a b)"),
            ("(and (= x 3) (< y x))", "(and (= x 3) (< y 3))"),
            ("(= (ite a 1 0) 1)", "a"),
            ("(and a (<= (ite a x y) 4))", "(and a (<= x 4))"),
            ("(and (<= (- x y) 3) (<= (- y x) (- 3)))", "(= x (+ y 3))"),
            ("(ite (<= x 3) (<= x 5) b)", "(or (<= x 3) b)"),
        ] {
            let t = parse_term(&mut p, before).unwrap();
            let expected = parse_term(&mut p, after).unwrap();
            let simplified = p.simplify(t);
            assert_eq!(simplified, expected, "{before} became {}", p.smtlib(simplified));
        }
    }
}
