//! Making interpolants small without changing what they say.
//!
//! Each interpolant is replaced by an equivalent formula, so every property of a tree interpolant
//! (implications, vocabulary) is kept without asking anybody:
//!
//! * *Bounds*: in a conjunction the tightest bound per linear form is kept, in a disjunction the
//!   loosest; `s ≤ c ∧ s ≥ c` becomes `s = c`, `s < c ∨ s > c` becomes `s ≠ c`, bounds that exclude
//!   (cover) each other become ⊥ (⊤).
//! * *Absorption*: a conjunct makes disjunctions that contain it superfluous, and is false inside
//!   disjunctions that contain its negation; the same with the roles exchanged.
//! * *Resolution*: `(a ∨ b) ∧ (a ∨ ¬b)` is `a`, and `(a ∨ b) ∧ (a ∨ c)` is `a ∨ (b ∧ c)`; dually.
//! * *Siblings*: inside an argument of a conjunction the others are taken to be true, inside one of a disjunction to be
//!   false, wherever they occur as they stand. Formulas are graphs and this goes along their paths, so it has a limit.
//! * *Context* (Dillig, Dillig, Aiken: "Small formulas for large programs", SAS 2010): a literal
//!   that its siblings imply or refute is replaced by a constant. Asks a solver, so it is done for
//!   small formulas only, with a limit on the number of questions: no clock, same input, same output.

use crate::linear_literal::{Relation, form_atom, form_equality, is_integral, linear_literal};
use crate::solver::SmtSolver;
use base::Budget;
use logic::{FastMap, FastSet, Linear, Op, Rational, SatResult, Solver, TermId, TermPool};

/// Formulas with more literals than this are not simplified by context.
const MAX_LITERALS_FOR_CONTEXT: usize = 10;
/// At most this many questions to the solver for one list of interpolants.
const MAX_QUESTIONS: usize = 300;
/// At most this many visits of subformulas with their siblings at hand, for one list of interpolants.
const MAX_VISITS: usize = 20_000;
/// Junctions with more arguments than this are not searched for resolvents.
const MAX_RESOLVED: usize = 64;
/// Nesting beyond which formulas are left as they are.
const MAX_DEPTH: usize = 60;

/// Equivalent formulas, smaller where that is cheap.
pub fn simplify(pool: &mut TermPool, interpolants: Vec<TermId>, budget: &Budget) -> Vec<TermId> {
    let mut memo: FastMap<TermId, TermId> = FastMap::default();
    let mut by_context: FastMap<TermId, TermId> = FastMap::default();
    let mut questions = MAX_QUESTIONS;
    let mut visits = MAX_VISITS;
    let mut out = Vec::with_capacity(interpolants.len());
    for interpolant in interpolants {
        let plain = by_siblings(pool, interpolant, &mut visits, &mut memo, budget);
        let done = match by_context.get(&plain) {
            Some(&known) => known,
            None => {
                let done = if worth_asking(pool, plain) && questions > 0 && budget.check().is_ok() {
                    let mut context =
                        Context { pool, solver: SmtSolver::without_proofs(), questions: &mut questions, budget };
                    let smaller = context.simplify(plain, 0);
                    structural(pool, smaller, &mut memo, budget)
                } else {
                    plain
                };
                by_context.insert(plain, done);
                done
            }
        };
        out.push(done);
    }
    out
}

fn is_junction(pool: &TermPool, t: TermId) -> bool {
    matches!(pool.op(t), Op::And | Op::Or) || (pool.op(t) == Op::Not && is_and_or(pool, pool.arg(t, 0)))
}
fn is_and_or(pool: &TermPool, t: TermId) -> bool {
    matches!(pool.op(t), Op::And | Op::Or)
}

fn worth_asking(pool: &TermPool, t: TermId) -> bool {
    if !is_junction(pool, t) {
        return false;
    }
    let mut n = 0;
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        match pool.op(t) {
            Op::And | Op::Or => stack.extend(pool.args(t)),
            Op::Not => stack.push(pool.arg(t, 0)),
            Op::Forall(_) | Op::Exists(_) => return false,
            _ => n += 1,
        }
        if n > MAX_LITERALS_FOR_CONTEXT {
            return false;
        }
    }
    true
}

/// Rules for one junction and for siblings in turn, until nothing changes.
fn by_siblings(
    pool: &mut TermPool,
    interpolant: TermId,
    visits: &mut usize,
    memo: &mut FastMap<TermId, TermId>,
    budget: &Budget,
) -> TermId {
    let mut t = structural(pool, interpolant, memo, budget);
    for _ in 0..3 {
        let mut known = Siblings { known: FastMap::default(), visits };
        let next = known.simplify(pool, t, 0);
        if next == t {
            break;
        }
        t = structural(pool, next, memo, budget);
    }
    t
}

/// The formulas that stand next to the present one or next to those around it, with their truth values there.
struct Siblings<'a> {
    known: FastMap<TermId, bool>,
    visits: &'a mut usize,
}

impl Siblings<'_> {
    fn simplify(&mut self, pool: &mut TermPool, t: TermId, depth: usize) -> TermId {
        if let Some(&value) = self.known.get(&t) {
            return pool.bool(value);
        }
        if depth > MAX_DEPTH || *self.visits == 0 {
            return t;
        }
        *self.visits -= 1;
        let op = pool.op(t);
        match op {
            Op::And | Op::Or => {
                let mut args = pool.args(t).to_vec();
                // Long conjunctions of literals have nothing to tell each other: equal and opposite ones are gone
                // already.
                if args.iter().all(|&a| !is_junction(pool, a)) && self.known.is_empty() {
                    return t;
                }
                for k in 0..args.len() {
                    if self.known.is_empty() && !is_junction(pool, args[k]) {
                        continue;
                    }
                    // The earlier ones as they are now: two arguments must not both vanish because of each other.
                    let siblings: Vec<TermId> =
                        args.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, &a)| a).collect();
                    let added = self.assume(pool, &siblings, op == Op::And);
                    args[k] = self.simplify(pool, args[k], depth + 1);
                    for a in added {
                        self.known.remove(&a);
                    }
                }
                build(pool, &args, op == Op::And)
            }
            Op::Not => {
                let inner = self.simplify(pool, pool.arg(t, 0), depth + 1);
                pool.not(inner)
            }
            _ => t,
        }
    }
    /// Takes formulas to have a value; returns what is new.
    fn assume(&mut self, pool: &mut TermPool, formulas: &[TermId], value: bool) -> Vec<TermId> {
        let mut added = Vec::new();
        for &t in formulas {
            let (t, value) = if pool.op(t) == Op::Not { (pool.arg(t, 0), !value) } else { (t, value) };
            let negation = pool.not(t);
            for (t, value) in [(t, value), (negation, !value)] {
                if let hashbrown::hash_map::Entry::Vacant(place) = self.known.entry(t) {
                    place.insert(value);
                    added.push(t);
                }
            }
        }
        added
    }
}

/// Bounds and absorption, bottom up over the Boolean structure.
/// When the time is over, the rest stays as it is.
fn structural(pool: &mut TermPool, root: TermId, memo: &mut FastMap<TermId, TermId>, budget: &Budget) -> TermId {
    let mut stack = vec![root];
    while let Some(&t) = stack.last() {
        if memo.contains_key(&t) {
            stack.pop();
            continue;
        }
        let op = pool.op(t);
        let inner: Vec<TermId> = match op {
            Op::And | Op::Or => pool.args(t).to_vec(),
            Op::Not if is_and_or(pool, pool.arg(t, 0)) => vec![pool.arg(t, 0)],
            _ => Vec::new(),
        };
        let missing: Vec<TermId> = inner.iter().copied().filter(|a| !memo.contains_key(a)).collect();
        if !missing.is_empty() {
            stack.extend(missing);
            continue;
        }
        let result = match op {
            Op::And | Op::Or if budget.check().is_ok() => {
                let args: Vec<TermId> = inner.iter().map(|a| memo[a]).collect();
                junction(pool, &args, op == Op::And)
            }
            Op::Not if !inner.is_empty() => {
                let positive = memo[&inner[0]];
                pool.not(positive)
            }
            _ => t,
        };
        memo.insert(t, result);
        stack.pop();
    }
    memo[&root]
}

fn build(pool: &mut TermPool, args: &[TermId], is_and: bool) -> TermId {
    if is_and { pool.and(args) } else { pool.or(args) }
}

/// A conjunction or disjunction of simplified arguments.
fn junction(pool: &mut TermPool, args: &[TermId], is_and: bool) -> TermId {
    let mut t = build(pool, args, is_and);
    // Each round can uncover work for the next; the number of arguments only falls.
    for _ in 0..4 {
        let wanted = if is_and { Op::And } else { Op::Or };
        if pool.op(t) != wanted {
            return t;
        }
        let args = pool.args(t).to_vec();
        let absorbed = absorb(pool, &args, is_and);
        let absorbed = resolve(pool, absorbed, is_and);
        let merged = match merge_bounds(pool, &absorbed, is_and) {
            Some(merged) => merged,
            None => return pool.bool(!is_and),
        };
        let next = build(pool, &merged, is_and);
        if next == t {
            return t;
        }
        t = next;
    }
    t
}

/// `a ∧ (a ∨ b)` is `a`; `a ∧ (¬a ∨ b)` is `a ∧ b`; dually for disjunctions.
fn absorb(pool: &mut TermPool, args: &[TermId], is_and: bool) -> Vec<TermId> {
    let inner = if is_and { Op::Or } else { Op::And };
    if args.iter().all(|&a| pool.op(a) != inner) {
        return args.to_vec();
    }
    let outer: FastSet<TermId> = args.iter().copied().collect();
    let mut out = Vec::with_capacity(args.len());
    for &a in args {
        if pool.op(a) != inner {
            out.push(a);
            continue;
        }
        let parts = pool.args(a).to_vec();
        if parts.iter().any(|p| outer.contains(p)) {
            continue;
        }
        let mut kept = Vec::with_capacity(parts.len());
        for p in parts {
            let negation = pool.not(p);
            if !outer.contains(&negation) {
                kept.push(p);
            }
        }
        out.push(build(pool, &kept, !is_and));
    }
    out
}

/// For a conjunction: `(a ∨ b) ∧ (a ∨ ¬b ∨ c)` is `(a ∨ b) ∧ (a ∨ c)`, a disjunction that contains another is
/// superfluous, and what several have in common is written once: `(a ∨ b) ∧ (a ∨ c)` is `a ∨ (b ∧ c)`. Dually for
/// disjunctions.
fn resolve(pool: &mut TermPool, args: Vec<TermId>, is_and: bool) -> Vec<TermId> {
    let inner = if is_and { Op::Or } else { Op::And };
    let (nested, mut out): (Vec<TermId>, Vec<TermId>) = args.iter().partition(|&&a| pool.op(a) == inner);
    if nested.len() < 2 || nested.len() > MAX_RESOLVED {
        return args;
    }
    let mut sets: Vec<Vec<TermId>> = nested.iter().map(|&a| pool.args(a).to_vec()).collect();
    for set in &mut sets {
        set.sort_unstable();
    }
    for i in 0..sets.len() {
        for j in 0..sets.len() {
            if i == j || sets[i].is_empty() || sets[i].len() > sets[j].len() {
                continue;
            }
            // The members of the shorter one that the longer one lacks: none, or one that it has negated.
            let lacking: Vec<TermId> =
                sets[i].iter().copied().filter(|p| sets[j].binary_search(p).is_err()).take(2).collect();
            match lacking[..] {
                [] => sets[j].clear(),
                [p] => {
                    let negation = pool.not(p);
                    if let Ok(place) = sets[j].binary_search(&negation) {
                        sets[j].remove(place);
                        if sets[j].is_empty() {
                            return vec![pool.bool(!is_and)];
                        }
                    }
                }
                _ => {}
            }
        }
    }
    sets.retain(|set| !set.is_empty());
    while let Some(common) = worth_sharing(pool, &sets) {
        let (with, without): (Vec<Vec<TermId>>, Vec<Vec<TermId>>) =
            sets.into_iter().partition(|set| set.binary_search(&common).is_ok());
        let rests: Vec<TermId> = with
            .iter()
            .map(|set| {
                let rest: Vec<TermId> = set.iter().copied().filter(|&p| p != common).collect();
                build(pool, &rest, !is_and)
            })
            .collect();
        sets = without;
        let rest = junction(pool, &rests, is_and);
        out.push(build(pool, &[common, rest], !is_and));
    }
    for set in sets {
        out.push(build(pool, &set, !is_and));
    }
    out
}

/// The member of several sets that takes most room.
fn worth_sharing(pool: &TermPool, sets: &[Vec<TermId>]) -> Option<TermId> {
    let mut n_sets: FastMap<TermId, usize> = FastMap::default();
    for &p in sets.iter().flatten() {
        *n_sets.entry(p).or_default() += 1;
    }
    let shared = n_sets.into_iter().filter(|&(_, n)| n > 1);
    shared.max_by_key(|&(p, n)| ((n - 1) * room(pool, p), std::cmp::Reverse(p))).map(|(p, _)| p)
}

/// Formulas larger than this all take the same room: to count their nodes again and again would take too long.
const MAX_ROOM: usize = 100;

/// The number of distinct subterms, up to a limit.
fn room(pool: &TermPool, t: TermId) -> usize {
    let mut seen: FastSet<TermId> = FastSet::default();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        if seen.len() >= MAX_ROOM {
            break;
        }
        if seen.insert(t) {
            stack.extend(pool.args(t));
        }
    }
    seen.len()
}

/// What is known about one linear form: `form ≥ lower`, `form ≤ upper`, each perhaps strictly.
#[derive(Clone, Default)]
struct Bounds {
    lower: Option<(Rational, bool)>,
    upper: Option<(Rational, bool)>,
    equal: Vec<Rational>,
    /// The literals as they came, in case nothing changes.
    n_literals: usize,
}

/// Merges bounds on equal linear forms. `None`: the whole is trivial (⊥ for a conjunction, ⊤ for a
/// disjunction).
fn merge_bounds(pool: &mut TermPool, args: &[TermId], is_and: bool) -> Option<Vec<TermId>> {
    let mut forms: Vec<(Linear, Bounds, Vec<TermId>)> = Vec::new();
    let mut place: FastMap<Linear, usize> = FastMap::default();
    let mut out = Vec::with_capacity(args.len());
    for &literal in args {
        let positive = pool.op(literal) != Op::Not;
        let atom = if positive { literal } else { pool.arg(literal, 0) };
        let Some(constraint) = linear_literal(pool, atom, positive).filter(|c| !c.linear.is_constant()) else {
            out.push(literal);
            continue;
        };
        let mut form = constraint.linear.clone();
        let flipped = form.make_primitive().is_negative();
        let bound = -&std::mem::take(&mut form.constant);
        let k = *place.entry(form.clone()).or_insert_with(|| {
            forms.push((form, Bounds::default(), Vec::new()));
            forms.len() - 1
        });
        let (_, bounds, literals) = &mut forms[k];
        literals.push(literal);
        bounds.n_literals += 1;
        let strict = constraint.relation == Relation::Below;
        match constraint.relation {
            Relation::Equal => bounds.equal.push(bound),
            Relation::AtMost | Relation::Below if flipped => {
                let tighter = bounds.lower.as_ref().is_none_or(|(old, s)| (&bound, strict) > (old, *s));
                if bounds.lower.is_none() || tighter == is_and {
                    bounds.lower = Some((bound, strict));
                }
            }
            Relation::AtMost | Relation::Below => {
                let tighter =
                    bounds.upper.as_ref().is_none_or(|(old, s)| bound < *old || (bound == *old && strict && !s));
                if bounds.upper.is_none() || tighter == is_and {
                    bounds.upper = Some((bound, strict));
                }
            }
        }
    }
    for (form, bounds, literals) in forms {
        if bounds.n_literals == 1 {
            out.extend(literals);
            continue;
        }
        let integral = form.terms.iter().all(|(t, _)| is_integral(pool, *t));
        let merged = if is_and { conjoined(pool, &form, &bounds) } else { disjoined(pool, &form, &bounds, integral) };
        out.extend(merged?);
    }
    Some(out)
}

fn at_most(pool: &mut TermPool, form: &Linear, bound: &(Rational, bool)) -> TermId {
    let mut linear = form.clone();
    linear.constant = -&bound.0;
    form_atom(pool, &linear, bound.1)
}
fn at_least(pool: &mut TermPool, form: &Linear, bound: &(Rational, bool)) -> TermId {
    let mut linear = form.clone();
    linear.constant = -&bound.0;
    linear.scale(&Rational::from(-1));
    form_atom(pool, &linear, bound.1)
}
fn equals(pool: &mut TermPool, form: &Linear, value: &Rational) -> TermId {
    let mut linear = form.clone();
    linear.constant = -value;
    form_equality(pool, &linear)
}

fn conjoined(pool: &mut TermPool, form: &Linear, bounds: &Bounds) -> Option<Vec<TermId>> {
    let above = |value: &Rational| bounds.lower.as_ref().is_none_or(|(l, strict)| value > l || (value == l && !strict));
    let below = |value: &Rational| bounds.upper.as_ref().is_none_or(|(u, strict)| value < u || (value == u && !strict));
    if let Some(value) = bounds.equal.first() {
        let consistent = bounds.equal.iter().all(|v| v == value) && above(value) && below(value);
        return consistent.then(|| vec![equals(pool, form, value)]);
    }
    if let (Some((l, l_strict)), Some((u, u_strict))) = (&bounds.lower, &bounds.upper) {
        if l > u || (l == u && (*l_strict || *u_strict)) {
            return None;
        }
        if l == u {
            return Some(vec![equals(pool, form, l)]);
        }
    }
    let mut out = Vec::new();
    if let Some(lower) = &bounds.lower {
        out.push(at_least(pool, form, lower));
    }
    if let Some(upper) = &bounds.upper {
        out.push(at_most(pool, form, upper));
    }
    Some(out)
}

fn disjoined(pool: &mut TermPool, form: &Linear, bounds: &Bounds, integral: bool) -> Option<Vec<TermId>> {
    let one = Rational::one();
    let (mut lower, mut upper) = (bounds.lower.clone(), bounds.upper.clone());
    let mut values = bounds.equal.clone();
    values.sort();
    values.dedup();
    // A value next to a bound extends it; others that a bound covers are superfluous.
    loop {
        let before = values.len();
        values.retain(|v| {
            if let Some((u, strict)) = &mut upper {
                if v < u || (v == u && !*strict) {
                    return false;
                }
                if v == u || (integral && *v == &*u + &one) {
                    (*u, *strict) = (v.clone(), false);
                    return false;
                }
            }
            if let Some((l, strict)) = &mut lower {
                if v > l || (v == l && !*strict) {
                    return false;
                }
                if v == l || (integral && *v == &*l - &one) {
                    (*l, *strict) = (v.clone(), false);
                    return false;
                }
            }
            true
        });
        if values.len() == before {
            break;
        }
    }
    if let (Some((l, l_strict)), Some((u, u_strict))) = (&lower, &upper) {
        let covered = l < u || (l == u && !(*l_strict && *u_strict)) || (integral && *l <= u + &one);
        if covered {
            return None;
        }
        // Only one value is left out.
        let hole = if l == u {
            Some(l.clone())
        } else if integral && *l == &(u + &one) + &one {
            Some(u + &one)
        } else {
            None
        };
        if let Some(hole) = hole {
            let equal = equals(pool, form, &hole);
            return Some(vec![pool.not(equal)]);
        }
    }
    let mut out = Vec::new();
    if let Some(lower) = &lower {
        out.push(at_least(pool, form, lower));
    }
    if let Some(upper) = &upper {
        out.push(at_most(pool, form, upper));
    }
    for value in &values {
        out.push(equals(pool, form, value));
    }
    Some(out)
}

/// Simplification of literals by what stands next to them.
struct Context<'a> {
    pool: &'a mut TermPool,
    solver: SmtSolver,
    questions: &'a mut usize,
    budget: &'a Budget,
}

impl Context<'_> {
    /// Is the present context together with this formula contradictory?
    fn refuted(&mut self, t: TermId) -> bool {
        if *self.questions == 0 {
            return false;
        }
        *self.questions -= 1;
        self.solver.check_assuming(self.pool, &[t], self.budget) == SatResult::Unsat
    }
    fn simplify(&mut self, t: TermId, depth: usize) -> TermId {
        if depth > MAX_DEPTH || *self.questions == 0 {
            return t;
        }
        let op = self.pool.op(t);
        match op {
            Op::True | Op::False => t,
            Op::And | Op::Or => {
                let mut args = self.pool.args(t).to_vec();
                for k in 0..args.len() {
                    self.solver.push();
                    for (j, &arg) in args.iter().enumerate() {
                        if j != k {
                            let sibling = if op == Op::And { arg } else { self.pool.not(arg) };
                            self.solver.assert(self.pool, sibling);
                        }
                    }
                    args[k] = self.simplify(args[k], depth + 1);
                    self.solver.pop(1);
                }
                build(self.pool, &args, op == Op::And)
            }
            Op::Not if is_and_or(self.pool, self.pool.arg(t, 0)) => {
                let inner = self.pool.arg(t, 0);
                let inner = self.simplify(inner, depth + 1);
                self.pool.not(inner)
            }
            _ => {
                let negation = self.pool.not(t);
                if self.refuted(negation) {
                    TermId::TRUE
                } else if self.refuted(t) {
                    TermId::FALSE
                } else {
                    t
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::SortId;
    use logic::smtlib::parse_term;

    fn check(text: &str, expected: &str) {
        let mut pool = TermPool::new();
        for name in ["x", "y"] {
            pool.constant(name, SortId::INT);
        }
        for name in ["r", "s"] {
            pool.constant(name, SortId::REAL);
        }
        for name in ["p", "q"] {
            pool.constant(name, SortId::BOOL);
        }
        let t = parse_term(&mut pool, text).expect("a term");
        let wanted = parse_term(&mut pool, expected).expect("a term");
        let got = simplify(&mut pool, vec![t], &Budget::unlimited())[0];
        assert_eq!(pool.smtlib(got), pool.smtlib(wanted), "{text}");
    }

    #[test]
    fn bounds_are_merged() {
        check("(or (<= x 0) (<= x 1) (<= x 2))", "(<= x 2)");
        check("(and (<= x 0) (<= x 1) (>= x 0))", "(= x 0)");
        check("(or (< x 3) (> x 3))", "(not (= x 3))");
        check("(or (< r 3.0) (> r 3.0))", "(not (= r 3.0))");
        check("(and (< r 3.0) (>= r 3.0))", "false");
        check("(or (<= x 4) (>= x 5))", "true");
        check("(or (= x 5) (<= x 4))", "(<= x 5)");
        check("(and (= x 5) (<= x 7) p)", "(and (= x 5) p)");
        check("(or (< r 1.0) (= r 1.0))", "(<= r 1.0)");
    }

    #[test]
    fn siblings_are_used() {
        check("(and p (or p q))", "p");
        check("(and p (or (not p) q))", "(and p q)");
        check("(or p (and (not p) q))", "(or p q)");
        check("(and (<= x 3) (or (<= x 5) q))", "(<= x 3)");
        check("(and (= x y) (or (<= x y) q))", "(= x y)");
        check("(and p q (or (not (and p q)) (= x y)))", "(and p q (= x y))");
        check("(or (and p q (not (and p q))) (<= x 3))", "(<= x 3)");
    }

    #[test]
    fn what_is_common_is_said_once() {
        check("(and (or p q) (or p (not q)))", "p");
        check("(and (or p q) (or p (not q) (= x y)))", "(or p (and q (= x y)))");
        check("(and (or p (= x 0)) (or p (= y 0)))", "(or p (and (= x 0) (= y 0)))");
        check("(and (or p q (= x 7)) (or q (= x 7)))", "(or q (= x 7))");
        check("(and (or p (= x 7)) (or q (= x 7)) (or (not (and p q)) (= x 7)))", "(= x 7)");
    }

    /// Simplified formulas say the same: all assignments of four variables, random formulas.
    #[test]
    fn nothing_is_lost() {
        let mut pool = TermPool::new();
        let vars: Vec<TermId> = (0..4).map(|k| pool.constant(&format!("b{k}"), SortId::BOOL)).collect();
        let mut random = base::Random::new(7);
        for _ in 0..400 {
            let mut formulas = vars.clone();
            for _ in 0..14 {
                let mut pick = || formulas[random.below(formulas.len())];
                let (a, b, c) = (pick(), pick(), pick());
                let next = match random.below(3) {
                    0 => pool.and(&[a, b, c]),
                    1 => pool.or(&[a, b, c]),
                    _ => pool.not(a),
                };
                formulas.push(next);
            }
            let Some(&formula) = formulas.last() else { continue };
            let simple = simplify(&mut pool, vec![formula], &Budget::unlimited())[0];
            assert!(pool.dag_size(simple) <= pool.dag_size(formula));
            for assignment in 0..16u32 {
                let mut model = logic::Model::new();
                for (k, &v) in vars.iter().enumerate() {
                    model.set(pool.as_symbol(v).expect("a symbol"), logic::Value::Bool(assignment >> k & 1 == 1));
                }
                assert_eq!(model.holds(&pool, simple), model.holds(&pool, formula), "{}", pool.smtlib(formula));
            }
        }
    }
}
