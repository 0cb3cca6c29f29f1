//! Model-based projection: what a model of a formula says about some of its symbols.
//!
//! Given formulas, a model of them, and the symbols to keep, [`project`] finds literals over the
//! kept symbols that are true in the model and, wherever the theory allows it, imply that values
//! for the other symbols exist. First a set of literals that the model satisfies and that implies
//! the formulas (an implicant) is read off; then the other symbols are eliminated one by one:
//!
//! * by equations, where one can be solved for the symbol;
//! * arrays: `b = store(a, i, v)` is solved for `a` as `store(b, i, w)` with a new element `w`, and
//!   says `b[i] = v`; reads over writes are decided by the model; arrays that are only read become
//!   one new element per index (Ackermann); `a ≠ b` becomes a new index where they differ;
//! * a local value or index in `b = store(a, i, v)` is `b[i]`, or `diff(a, b)` if it must be;
//! * applications of functions to terms that must go become new constants (Ackermann), unless the
//!   model gives the argument the value of a term that stays;
//! * reals: the model picks the greatest lower bound (Loos, Weispfenning 1993);
//! * integers: the same, with divisibility (Cooper 1972, model-guided as in Komuravelli, Gurfinkel,
//!   Chaki, CAV 2014); `div`, `mod`, `abs` are resolved by the model first;
//! * finite sorts: by their value.
//!
//! Functions and uninterpreted sorts have no quantifier elimination, so the result may be too weak
//! there; callers check what they need. In return every literal returned is evaluated, and only
//! those true in the model are kept, so a wrong step costs strength, never soundness.

use crate::linear_literal::{
    LinearLiteral, Relation, form_atom, form_equality, form_term, is_integral, linear_form, linear_literal,
};
use base::Budget;
use logic::{
    FastMap, FastSet, FunId, Linear, Model, Op, Rational, Sort, SortId, Substitution, TermId, TermPool, Value,
};

/// Literals over symbols that `keep` accepts, true in the model. `None` if something cannot be
/// evaluated (quantifiers).
pub fn project(
    pool: &mut TermPool,
    model: &Model,
    formulas: &[TermId],
    keep: &dyn Fn(FunId) -> bool,
    budget: &Budget,
) -> Option<Vec<TermId>> {
    let mut projection =
        Projection { pool, model: model.clone(), keep, literals: Vec::new(), fresh: FastSet::default() };
    projection.implicant(formulas)?;
    projection.eliminate(budget)?;
    let Projection { pool, model, mut literals, .. } = projection;
    literals.retain(|&l| pool.free_symbols(l).iter().all(|&f| keep(f)) && model.holds(pool, l) == Ok(true));
    literals.sort_unstable();
    literals.dedup();
    Some(literals)
}

struct Projection<'a> {
    pool: &'a mut TermPool,
    /// The given model, extended to new constants.
    model: Model,
    keep: &'a dyn Fn(FunId) -> bool,
    literals: Vec<TermId>,
    /// New constants; all must go.
    fresh: FastSet<FunId>,
}

impl Projection<'_> {
    fn is_local_symbol(&self, f: FunId) -> bool {
        self.fresh.contains(&f) || !(self.keep)(f)
    }
    fn is_local(&self, t: TermId) -> bool {
        self.pool.free_symbols(t).iter().any(|&f| self.is_local_symbol(f))
    }
    fn value(&self, t: TermId) -> Option<Value> {
        self.model.eval(self.pool, t).ok()
    }
    fn number(&self, t: TermId) -> Option<Rational> {
        self.value(t)?.as_num().cloned()
    }
    fn truth(&self, t: TermId) -> Option<bool> {
        self.value(t)?.as_bool()
    }
    fn new_constant(&mut self, hint: &str, sort: SortId, value: Value) -> Option<TermId> {
        let t = self.pool.fresh_constant(hint, sort);
        let f = self.pool.as_symbol(t)?;
        self.model.set(f, value);
        self.fresh.insert(f);
        Some(t)
    }
    fn add(&mut self, literal: TermId) {
        if literal != TermId::TRUE && !self.literals.contains(&literal) {
            self.literals.push(literal);
        }
    }
    /// `a = b` or its negation, whichever the model says.
    fn add_comparison(&mut self, a: TermId, b: TermId) -> Option<bool> {
        let eq = self.pool.eq(a, b);
        let equal = self.truth(eq)?;
        let literal = if equal { eq } else { self.pool.not(eq) };
        self.add(literal);
        Some(equal)
    }

    // ---- implicant ----

    fn implicant(&mut self, formulas: &[TermId]) -> Option<()> {
        let mut seen: FastSet<(TermId, bool)> = FastSet::default();
        let mut stack: Vec<(TermId, bool)> = formulas.iter().rev().map(|&t| (t, true)).collect();
        while let Some((t, wanted)) = stack.pop() {
            if !seen.insert((t, wanted)) {
                continue;
            }
            let args = self.pool.args(t).to_vec();
            match self.pool.op(t) {
                Op::True | Op::False => {}
                Op::Not => stack.push((args[0], !wanted)),
                Op::And | Op::Or => {
                    let all = (self.pool.op(t) == Op::And) == wanted;
                    if all {
                        stack.extend(args.iter().rev().map(|&a| (a, wanted)));
                    } else {
                        let mut chosen = None;
                        for &a in &args {
                            // A witness that needs no elimination is the better one.
                            if self.truth(a)? == wanted {
                                let local = self.is_local(a);
                                if chosen.is_none() || !local {
                                    chosen = Some(a);
                                }
                                if !local {
                                    break;
                                }
                            }
                        }
                        stack.push((chosen?, wanted));
                    }
                }
                Op::Ite if self.pool.is_bool(t) => {
                    let taken = self.truth(args[0])?;
                    stack.push((args[0], taken));
                    stack.push((if taken { args[1] } else { args[2] }, wanted));
                }
                Op::Eq if self.pool.is_bool(args[0]) => {
                    for a in args {
                        let value = self.truth(a)?;
                        stack.push((a, value));
                    }
                }
                Op::Distinct => {
                    if wanted {
                        for i in 0..args.len() {
                            for j in i + 1..args.len() {
                                let eq = self.pool.eq(args[i], args[j]);
                                stack.push((eq, false));
                            }
                        }
                    } else {
                        'pairs: for i in 0..args.len() {
                            for j in i + 1..args.len() {
                                let eq = self.pool.eq(args[i], args[j]);
                                if self.truth(eq)? {
                                    stack.push((eq, true));
                                    break 'pairs;
                                }
                            }
                        }
                    }
                }
                Op::Forall(_) | Op::Exists(_) => return None,
                _ => {
                    let (atom, conditions) = self.without_ites(t)?;
                    for (condition, value) in conditions {
                        stack.push((condition, value));
                    }
                    let literal = if wanted { atom } else { self.pool.not(atom) };
                    self.add(literal);
                }
            }
        }
        Some(())
    }

    /// The term with each `ite` replaced by the branch the model takes, and the conditions.
    #[allow(clippy::type_complexity)]
    fn without_ites(&mut self, root: TermId) -> Option<(TermId, Vec<(TermId, bool)>)> {
        let mut conditions = Vec::new();
        let mut memo: FastMap<TermId, TermId> = FastMap::default();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            if self.pool.op(t) == Op::Ite && !self.pool.is_bool(t) {
                let (c, a, b) = (self.pool.arg(t, 0), self.pool.arg(t, 1), self.pool.arg(t, 2));
                let taken = self.truth(c)?;
                let branch = if taken { a } else { b };
                match memo.get(&branch) {
                    Some(&done) => {
                        conditions.push((c, taken));
                        memo.insert(t, done);
                        stack.pop();
                    }
                    None => stack.push(branch),
                }
                continue;
            }
            let args = self.pool.args(t).to_vec();
            let missing: Vec<TermId> = args.iter().copied().filter(|a| !memo.contains_key(a)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let new_args: Vec<TermId> = args.iter().map(|a| memo[a]).collect();
            let new = if new_args == args { t } else { self.pool.rebuild(t, &new_args) };
            memo.insert(t, new);
            stack.pop();
        }
        Some((memo[&root], conditions))
    }

    // ---- elimination ----

    fn eliminate(&mut self, budget: &Budget) -> Option<()> {
        // Each round removes a symbol or a term, but arrays may bring new ones. The bounds on rounds and size are a
        // safety net against a rewriting loop, after which the final filter drops what still has local symbols.
        let size = |p: &Self| {
            let mut n = 0;
            p.pool.visit_postorder(&p.literals, |_| n += 1);
            n
        };
        let start = size(self);
        for _ in 0..200 + 4 * start {
            if budget.check().is_err() || size(self) > 2000 + 20 * start {
                break;
            }
            self.literals.retain(|&l| l != TermId::TRUE);
            if self.solve_an_equation()?
                || self.solve_a_stored_value()?
                || self.solve_an_array_equation()?
                || self.solve_a_stored_index()?
                || self.decide_a_read_over_write()?
                || self.split_an_array_disequality()?
                || self.name_array_reads()?
                || self.resolve_integer_operators()?
                || self.identify_an_argument()?
                || self.name_applications()?
                || self.drop_a_boolean()?
                || self.eliminate_a_number()?
                || self.fix_a_finite_value()?
            {
                continue;
            }
            break;
        }
        Some(())
    }

    fn substitute(&mut self, from: TermId, to: TermId) {
        let mut substitution = Substitution::from_pairs([(from, to)]);
        let old = std::mem::take(&mut self.literals);
        for literal in old {
            let new = substitution.apply(self.pool, literal);
            self.add(new);
        }
    }

    /// Local constants that occur in the literals, in the order of their ids.
    fn local_constants(&self) -> Vec<TermId> {
        let mut constants = Vec::new();
        self.pool.visit_postorder(&self.literals, |t| {
            if let Some(f) = self.pool.as_symbol(t)
                && self.is_local_symbol(f)
            {
                constants.push(t);
            }
        });
        constants.sort_unstable();
        constants
    }
    fn occurs(&self, needle: TermId, hay: TermId) -> bool {
        let mut found = false;
        self.pool.visit_postorder(&[hay], |t| found |= t == needle);
        found
    }

    fn solve_an_equation(&mut self) -> Option<bool> {
        let mut choice: Option<(TermId, TermId, bool)> = None;
        for &literal in &self.literals.clone() {
            if self.pool.op(literal) != Op::Eq {
                continue;
            }
            let (a, b) = (self.pool.arg(literal, 0), self.pool.arg(literal, 1));
            if self.pool.sort(a).is_arith() {
                let constraint = linear_literal(self.pool, literal, true)?;
                let candidates: Vec<(TermId, Rational)> = constraint.linear.terms.clone();
                for (x, c) in candidates {
                    let local = self.pool.as_symbol(x).is_some_and(|f| self.is_local_symbol(f));
                    let solvable = if is_integral(self.pool, x) {
                        // c·x = …: only if dividing leaves an integer term.
                        constraint.linear.terms.iter().all(|(t, d)| is_integral(self.pool, *t) && (d / &c).is_integer())
                            && (&constraint.linear.constant / &c).is_integer()
                    } else {
                        true
                    };
                    let elsewhere = constraint.linear.terms.iter().any(|(t, _)| *t != x && self.occurs(x, *t));
                    if !local || !solvable || elsewhere {
                        continue;
                    }
                    let mut rest = constraint.linear.clone();
                    rest.add_term(x, &-&c);
                    rest.scale(&-&c.recip());
                    let (mut term, sort) = form_term(self.pool, &rest);
                    if sort != self.pool.sort(x) {
                        if self.pool.sort(x) == SortId::REAL {
                            term = self.pool.to_real(term);
                        } else {
                            continue;
                        }
                    }
                    let clean = !self.is_local(term);
                    if choice.is_none() || (clean && choice.is_some_and(|c| !c.2)) {
                        choice = Some((x, term, clean));
                    }
                }
            } else {
                for (x, t) in [(a, b), (b, a)] {
                    let local = self.pool.as_symbol(x).is_some_and(|f| self.is_local_symbol(f));
                    if local && !self.occurs(x, t) {
                        let clean = !self.is_local(t);
                        if choice.is_none() || (clean && choice.is_some_and(|c| !c.2)) {
                            choice = Some((x, t, clean));
                        }
                    }
                }
            }
            if choice.is_some_and(|c| c.2) {
                break;
            }
        }
        let Some((x, t, _)) = choice else { return Some(false) };
        self.substitute(x, t);
        Some(true)
    }

    fn solve_an_array_equation(&mut self) -> Option<bool> {
        for literal in self.literals.clone() {
            if self.pool.op(literal) != Op::Eq {
                continue;
            }
            let (a, b) = (self.pool.arg(literal, 0), self.pool.arg(literal, 1));
            if self.pool.array_parts(self.pool.sort(a)).is_none() {
                continue;
            }
            for (stored, other) in [(a, b), (b, a)] {
                // A chain of stores whose base is a local constant.
                let mut base = stored;
                while self.pool.op(base) == Op::Store {
                    base = self.pool.arg(base, 0);
                }
                let local = self.pool.as_symbol(base).is_some_and(|f| self.is_local_symbol(f));
                if base == stored || !local || self.occurs(base, other) {
                    continue;
                }
                let mut clean = true;
                let mut chain = stored;
                while self.pool.op(chain) == Op::Store {
                    clean &= !self.occurs(base, self.pool.arg(chain, 1)) && !self.occurs(base, self.pool.arg(chain, 2));
                    chain = self.pool.arg(chain, 0);
                }
                if !clean {
                    continue;
                }
                self.literals.retain(|&l| l != literal);
                let (mut layer, mut solution) = (stored, other);
                while self.pool.op(layer) == Op::Store {
                    let (inner, i, v) = (self.pool.arg(layer, 0), self.pool.arg(layer, 1), self.pool.arg(layer, 2));
                    let read = self.pool.select(solution, i);
                    let says = self.pool.eq(read, v);
                    self.add(says);
                    let hidden = self.pool.select(inner, i);
                    let value = self.value(hidden)?;
                    let sort = self.pool.sort(v);
                    let w = self.new_constant("w", sort, value)?;
                    solution = self.pool.store(solution, i, w);
                    layer = inner;
                }
                self.substitute(base, solution);
                return Some(true);
            }
        }
        Some(false)
    }

    /// `b = … store(…, i, v) …` with a local `v`: it is `b[i]` if no outer store writes there, and
    /// does not matter otherwise.
    fn solve_a_stored_value(&mut self) -> Option<bool> {
        for literal in self.literals.clone() {
            let Some((a, b)) = self.array_equation(literal) else { continue };
            for (stored, other) in [(a, b), (b, a)] {
                let mut layers = Vec::new();
                let mut base = stored;
                while self.pool.op(base) == Op::Store {
                    layers.push((self.pool.arg(base, 1), self.pool.arg(base, 2)));
                    base = self.pool.arg(base, 0);
                }
                let is_named = |t: TermId| self.pool.op(t) == Op::Select && self.pool.arg(t, 0) == other;
                if self.is_local(other) {
                    continue;
                }
                let Some(k) = (0..layers.len()).find(|&k| self.is_local(layers[k].1) && !is_named(layers[k].1)) else {
                    continue;
                };
                let (index, value) = layers[k];
                let mut overwritten = false;
                for (outer, _) in &layers[..k] {
                    overwritten |= self.add_comparison(*outer, index)?;
                }
                if overwritten {
                    layers.remove(k);
                } else {
                    let read = self.pool.select(other, index);
                    let says = self.pool.eq(read, value);
                    self.add(says);
                    layers[k].1 = read;
                }
                let mut rebuilt = base;
                for (i, v) in layers.into_iter().rev() {
                    rebuilt = self.pool.store(rebuilt, i, v);
                }
                let equation = self.pool.eq(other, rebuilt);
                self.literals.retain(|&l| l != literal);
                self.add(equation);
                return Some(true);
            }
        }
        Some(false)
    }
    fn array_equation(&self, literal: TermId) -> Option<(TermId, TermId)> {
        if self.pool.op(literal) != Op::Eq {
            return None;
        }
        let (a, b) = (self.pool.arg(literal, 0), self.pool.arg(literal, 1));
        self.pool.array_parts(self.pool.sort(a)).map(|_| (a, b))
    }

    /// `b = store(a, i, b[i])` with a local index: if the arrays differ, they do so at `i`, which
    /// is then `diff(a, b)`; otherwise they are equal. Only for a single store: with several, the
    /// model would have to name the differences one by one.
    fn solve_a_stored_index(&mut self) -> Option<bool> {
        for literal in self.literals.clone() {
            let Some((a, b)) = self.array_equation(literal) else { continue };
            for (stored, other) in [(a, b), (b, a)] {
                if self.pool.op(stored) != Op::Store || self.is_local(other) {
                    continue;
                }
                let (inner, index) = (self.pool.arg(stored, 0), self.pool.arg(stored, 1));
                let local_index = self.pool.as_symbol(index).is_some_and(|f| self.is_local_symbol(f));
                if self.is_local(inner) || !local_index {
                    continue;
                }
                let same = self.pool.eq(inner, other);
                if self.truth(same)? {
                    self.literals.retain(|&l| l != literal);
                    self.add(same);
                    return Some(true);
                }
                let difference = self.pool.array_diff(inner, other);
                if self.value(difference) != self.value(index) {
                    continue;
                }
                self.substitute(index, difference);
                return Some(true);
            }
        }
        Some(false)
    }

    /// A local constant under a function that has the value of a kept term becomes that term: the
    /// application then survives.
    fn identify_an_argument(&mut self) -> Option<bool> {
        let mut arguments: Vec<TermId> = Vec::new();
        self.pool.visit_postorder(&self.literals, |t| {
            let is_application = match self.pool.op(t) {
                Op::App(_) => !self.pool.args(t).is_empty(),
                Op::Select => true,
                _ => false,
            };
            if is_application {
                for &a in self.pool.args(t) {
                    if self.pool.as_symbol(a).is_some_and(|f| self.is_local_symbol(f)) {
                        arguments.push(a);
                    }
                }
            }
        });
        arguments.sort_unstable();
        arguments.dedup();
        for x in arguments {
            let (sort, value) = (self.pool.sort(x), self.value(x)?);
            let mut candidates = Vec::new();
            self.pool.visit_postorder(&self.literals, |t| {
                if self.pool.sort(t) == sort && !self.pool.is_value(t) {
                    candidates.push(t);
                }
            });
            for t in candidates {
                if !self.is_local(t) && self.value(t).as_ref() == Some(&value) {
                    self.substitute(x, t);
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// `select(store(a, i, v), j)` by what the model says about `i = j`, where something must go.
    fn decide_a_read_over_write(&mut self) -> Option<bool> {
        let mut target = None;
        for &literal in &self.literals {
            if !self.is_local(literal) {
                continue;
            }
            self.pool.visit_postorder(&[literal], |t| {
                if target.is_none() && self.pool.op(t) == Op::Select && self.pool.op(self.pool.arg(t, 0)) == Op::Store {
                    target = Some(t);
                }
            });
            if target.is_some() {
                break;
            }
        }
        let Some(read) = target else { return Some(false) };
        let (store, j) = (self.pool.arg(read, 0), self.pool.arg(read, 1));
        let (inner, i, v) = (self.pool.arg(store, 0), self.pool.arg(store, 1), self.pool.arg(store, 2));
        let equal = self.add_comparison(i, j)?;
        let result = if equal { v } else { self.pool.select(inner, j) };
        self.substitute(read, result);
        Some(true)
    }

    fn split_an_array_disequality(&mut self) -> Option<bool> {
        for literal in self.literals.clone() {
            if self.pool.op(literal) != Op::Not || !self.is_local(literal) {
                continue;
            }
            let atom = self.pool.arg(literal, 0);
            if self.pool.op(atom) != Op::Eq {
                continue;
            }
            let (a, b) = (self.pool.arg(atom, 0), self.pool.arg(atom, 1));
            let Some((index, _)) = self.pool.array_parts(self.pool.sort(a)) else { continue };
            let (Some(Value::Array(x)), Some(Value::Array(y))) = (self.value(a), self.value(b)) else { return None };
            let witness = x.entries.keys().chain(y.entries.keys()).find(|i| x.select(i) != y.select(i)).cloned();
            self.literals.retain(|&l| l != literal);
            if let Some(witness) = witness {
                let k = self.new_constant("k", index, witness)?;
                let (left, right) = (self.pool.select(a, k), self.pool.select(b, k));
                let eq = self.pool.eq(left, right);
                let different = self.pool.not(eq);
                self.add(different);
            }
            return Some(true);
        }
        Some(false)
    }

    /// A local array constant that is only read: one new element per different index.
    fn name_array_reads(&mut self) -> Option<bool> {
        for a in self.local_constants() {
            if self.pool.array_parts(self.pool.sort(a)).is_none() {
                continue;
            }
            let mut reads: Vec<TermId> = Vec::new();
            let mut only_read = true;
            self.pool.visit_postorder(&self.literals, |t| {
                for (k, &arg) in self.pool.args(t).iter().enumerate() {
                    if arg == a {
                        if self.pool.op(t) == Op::Select && k == 0 {
                            reads.push(t);
                        } else {
                            only_read = false;
                        }
                    }
                }
            });
            if reads.is_empty() {
                continue;
            }
            // Elsewhere the array occurs in literals we cannot solve: those are dropped.
            if !only_read {
                let kept: Vec<TermId> = self.literals.iter().copied().filter(|&l| !self.occurs_unread(a, l)).collect();
                self.literals = kept;
            }
            self.ackermannise(&reads, |pool, t| vec![pool.arg(t, 1)])?;
            return Some(true);
        }
        Some(false)
    }
    fn occurs_unread(&self, a: TermId, literal: TermId) -> bool {
        let mut found = false;
        self.pool.visit_postorder(&[literal], |t| {
            for (k, &arg) in self.pool.args(t).iter().enumerate() {
                found |= arg == a && !(self.pool.op(t) == Op::Select && k == 0);
            }
        });
        found
    }

    /// Replaces each of the terms, which are one function at different arguments, by a constant,
    /// and says what the model says about equality of the arguments.
    fn ackermannise(&mut self, terms: &[TermId], arguments: impl Fn(&TermPool, TermId) -> Vec<TermId>) -> Option<()> {
        // Inner terms first, since replacing them changes the outer ones; hence one at a time.
        let first = *terms.first()?;
        let args = arguments(self.pool, first);
        for &other in &terms[1..] {
            let other_args = arguments(self.pool, other);
            let mut all_equal = true;
            for (&x, &y) in args.iter().zip(&other_args) {
                let eq = self.pool.eq(x, y);
                if !self.truth(eq)? {
                    all_equal = false;
                    let different = self.pool.not(eq);
                    self.add(different);
                    break;
                }
            }
            if all_equal {
                for (&x, &y) in args.iter().zip(&other_args) {
                    let eq = self.pool.eq(x, y);
                    self.add(eq);
                }
                self.substitute(first, other);
                return Some(());
            }
        }
        let value = self.value(first)?;
        let sort = self.pool.sort(first);
        let u = self.new_constant("u", sort, value)?;
        self.substitute(first, u);
        Some(())
    }

    /// Function applications (and reads of kept arrays) with local symbols become constants.
    fn name_applications(&mut self) -> Option<bool> {
        let mut target = None;
        for &literal in &self.literals {
            self.pool.visit_postorder(&[literal], |t| {
                let is_application = match self.pool.op(t) {
                    Op::App(_) => !self.pool.args(t).is_empty(),
                    Op::Select => true,
                    _ => false,
                };
                if target.is_none() && is_application && self.is_local(t) {
                    target = Some(t);
                }
            });
        }
        let Some(target) = target else { return Some(false) };
        let op = self.pool.op(target);
        let array = (op == Op::Select).then(|| self.pool.arg(target, 0));
        let mut same: Vec<TermId> = vec![target];
        self.pool.visit_postorder(&self.literals, |t| {
            let matches = self.pool.op(t) == op && array.is_none_or(|a| self.pool.arg(t, 0) == a);
            // Terms inside the arguments of the target are not compared with it.
            if matches && t != target && !self.occurs(t, target) {
                same.push(t);
            }
        });
        let skip = usize::from(array.is_some());
        self.ackermannise(&same, |pool, t| pool.args(t)[skip..].to_vec())?;
        Some(true)
    }

    fn drop_a_boolean(&mut self) -> Option<bool> {
        let before = self.literals.len();
        let kept: Vec<TermId> = self
            .literals
            .iter()
            .copied()
            .filter(|&l| {
                let atom = if self.pool.op(l) == Op::Not { self.pool.arg(l, 0) } else { l };
                !self.pool.as_symbol(atom).is_some_and(|f| self.is_local_symbol(f))
            })
            .collect();
        self.literals = kept;
        Some(self.literals.len() < before)
    }

    /// `div`, `mod`, `abs`, `to_int` over local terms, by the model.
    fn resolve_integer_operators(&mut self) -> Option<bool> {
        let mut target = None;
        let divisibility: FastSet<TermId> =
            self.literals.iter().copied().filter(|&l| self.divisibility(l).is_some()).collect();
        for &literal in &self.literals {
            if divisibility.contains(&literal) {
                continue;
            }
            self.pool.visit_postorder(&[literal], |t| {
                let resolvable = match self.pool.op(t) {
                    Op::IntDiv | Op::Mod => self.pool.number(self.pool.arg(t, 1)).is_some_and(|d| !d.is_zero()),
                    Op::Abs | Op::ToInt => true,
                    _ => false,
                };
                if target.is_none() && resolvable && self.is_local(t) {
                    target = Some(t);
                }
            });
        }
        let Some(t) = target else { return Some(false) };
        let x = self.pool.arg(t, 0);
        match self.pool.op(t) {
            Op::IntDiv | Op::Mod => {
                let divisor = self.pool.arg(t, 1);
                let d = self.pool.number(divisor)?.clone();
                let (q_value, r_value) = {
                    let value = self.number(x)?;
                    (value.div_euclid(&d), value.rem_euclid(&d))
                };
                // x mod d = r as a divisibility literal; x div d is (x - r) / d, a new constant.
                let mut shifted = linear_form(self.pool, x);
                shifted.constant = &shifted.constant - &r_value;
                if self.pool.op(t) == Op::Mod {
                    let r = self.pool.int_num(r_value);
                    let says = divisibility_term(self.pool, &d.abs(), &shifted);
                    self.add_after_substituting(t, r, says);
                } else {
                    let q = self.new_constant("q", SortId::INT, Value::Num(q_value))?;
                    shifted.add_term(q, &-&d);
                    let says = form_equality(self.pool, &shifted);
                    self.add_after_substituting(t, q, says);
                }
            }
            Op::Abs => {
                let sort = self.pool.sort(x);
                let zero = self.pool.num(Rational::zero(), sort);
                let negative = self.number(x)?.is_negative();
                let (result, says) =
                    if negative { (self.pool.neg(x), self.pool.lt(x, zero)) } else { (x, self.pool.ge(x, zero)) };
                self.add_after_substituting(t, result, says);
            }
            _ => {
                let value = self.number(t)?;
                let n = self.new_constant("n", SortId::INT, Value::Num(value))?;
                let real = self.pool.to_real(n);
                let one = self.pool.real_num(Rational::one());
                let above = self.pool.add(&[real, one]);
                let (low, high) = (self.pool.le(real, x), self.pool.lt(x, above));
                let both = self.pool.and(&[low, high]);
                self.add_after_substituting(t, n, both);
            }
        }
        Some(true)
    }
    fn add_after_substituting(&mut self, from: TermId, to: TermId, literals: TermId) {
        self.substitute(from, to);
        for literal in self.pool.conjuncts(literals) {
            self.add(literal);
        }
    }

    /// Reads `t mod d = r` with a numeral `r` as `d | t - r`.
    fn divisibility(&self, literal: TermId) -> Option<(Rational, Linear)> {
        if self.pool.op(literal) != Op::Eq {
            return None;
        }
        let (a, b) = (self.pool.arg(literal, 0), self.pool.arg(literal, 1));
        let (m, r) = if self.pool.op(a) == Op::Mod { (a, b) } else { (b, a) };
        if self.pool.op(m) != Op::Mod {
            return None;
        }
        let r = self.pool.number(r)?;
        let d = self.pool.number(self.pool.arg(m, 1)).filter(|d| !d.is_zero())?;
        let mut linear = linear_form(self.pool, self.pool.arg(m, 0));
        linear.constant = &linear.constant - r;
        Some((d.abs(), linear))
    }

    /// Eliminates one local numeric constant by its bounds.
    fn eliminate_a_number(&mut self) -> Option<bool> {
        let Some(x) = self.local_constants().into_iter().find(|&t| self.pool.sort(t).is_arith()) else {
            return Some(false);
        };
        let integral = is_integral(self.pool, x);
        let x_value = self.number(x)?;
        let mut bounds: Vec<LinearLiteral> = Vec::new();
        let mut divisors: Vec<(Rational, Linear)> = Vec::new();
        let mut rest = Vec::new();
        let mut exact = true;
        // Does x occur only as a term of linear constraints?
        let mut separate = true;
        for literal in self.literals.clone() {
            if !self.occurs(x, literal) {
                rest.push(literal);
                continue;
            }
            if let Some((d, linear)) = self.divisibility(literal) {
                separate &= !self.nested(x, &linear);
                exact &= linear.terms.iter().all(|(t, c)| is_integral(self.pool, *t) && c.is_integer());
                divisors.push((d, linear));
                continue;
            }
            let positive = self.pool.op(literal) != Op::Not;
            let atom = if positive { literal } else { self.pool.arg(literal, 0) };
            if let Some(constraint) = linear_literal(self.pool, atom, positive) {
                separate &= !self.nested(x, &constraint.linear);
                if integral {
                    exact &= constraint.linear.terms.iter().all(|(t, c)| is_integral(self.pool, *t) && c.is_integer());
                }
                bounds.push(constraint);
                continue;
            }
            // A disequality: the model says which side.
            if self.pool.op(atom) == Op::Eq && self.pool.sort(self.pool.arg(atom, 0)).is_arith() {
                let (a, b) = (self.pool.arg(atom, 0), self.pool.arg(atom, 1));
                let below = self.pool.lt(a, b);
                let literal = if self.truth(below)? { below } else { self.pool.gt(a, b) };
                let positive = self.pool.op(literal) != Op::Not;
                let atom = if positive { literal } else { self.pool.arg(literal, 0) };
                match linear_literal(self.pool, atom, positive) {
                    Some(constraint) => {
                        separate &= !self.nested(x, &constraint.linear);
                        if integral {
                            let all = |(t, c): &(TermId, Rational)| is_integral(self.pool, *t) && c.is_integer();
                            exact &= constraint.linear.terms.iter().all(all);
                        }
                        bounds.push(constraint);
                    }
                    None => separate = false,
                }
                continue;
            }
            separate = false;
        }
        if integral && separate && !exact && self.eliminate_integer_among_reals(x, &x_value, &bounds, &divisors)? {
            return Some(true);
        }
        if !exact || !separate {
            let sort = self.pool.sort(x);
            let value = self.pool.num(x_value, sort);
            self.substitute(x, value);
            return Some(true);
        }
        self.literals = rest;
        if integral {
            self.eliminate_integer(x, &x_value, bounds, divisors)?;
        } else {
            self.eliminate_real(x, bounds)?;
        }
        Some(true)
    }

    /// An integer constant that is bounded by reals: it can be the one that an equation names, `x := ⌊t⌋` where t must
    /// be an integer; or the first above the greatest lower bound (below the least upper one) with the right residue.
    fn eliminate_integer_among_reals(
        &mut self,
        x: TermId,
        x_value: &Rational,
        bounds: &[LinearLiteral],
        divisors: &[(Rational, Linear)],
    ) -> Option<bool> {
        // Each bound solved for x.
        let mut solved: Vec<(Linear, bool, Relation)> = Vec::new();
        for bound in bounds {
            let c = bound.linear.coefficient(x)?.clone();
            let mut rest = bound.linear.clone();
            rest.add_term(x, &-&c);
            rest.scale(&-&c.recip());
            solved.push((rest, c.is_negative(), bound.relation));
        }
        if let Some((term, _, _)) = solved.iter().find(|(_, _, relation)| *relation == Relation::Equal) {
            let term = self.real_term(term);
            let whole = self.pool.is_int(term);
            let floor = self.pool.to_int(term);
            self.substitute(x, floor);
            self.add(whole);
            return Some(true);
        }
        let from_below = solved.iter().any(|(_, is_lower, _)| *is_lower);
        let mut best: Option<(Rational, &Linear, bool)> = None;
        for (term, _, relation) in solved.iter().filter(|(_, is_lower, _)| *is_lower == from_below) {
            let (value, strict) = (self.evaluate(term)?, *relation == Relation::Below);
            let nearer = best.as_ref().is_none_or(|(v, _, s)| {
                value == *v && strict && !s || if from_below { value > *v } else { value < *v }
            });
            if nearer {
                best = Some((value, term, strict));
            }
        }
        let Some((_, bound, strict)) = best else { return Some(false) };
        // The first integer above t is ⌊t⌋ + 1 if it must not be t, else −⌊−t⌋; below t it is −⌊−t⌋ − 1 or ⌊t⌋.
        let mut form = bound.clone();
        let negated = from_below != strict;
        if negated {
            form.scale(&Rational::from(-1));
        }
        let term = self.real_term(&form);
        let floor = self.pool.to_int(term);
        let first = if negated { self.pool.neg(floor) } else { floor };
        let step = if from_below { Rational::one() } else { Rational::from(-1) };
        let one = self.pool.int_num(step.clone());
        let first = if strict { self.pool.add(&[first, one]) } else { first };
        let period = divisors.iter().fold(Rational::one(), |period, (d, _)| period.lcm(d));
        let distance = ((x_value - &self.number(first)?) * &step).rem_euclid(&period) * step;
        let offset = self.pool.int_num(distance);
        let witness = self.pool.add(&[first, offset]);
        self.substitute(x, witness);
        Some(true)
    }
    fn real_term(&mut self, form: &Linear) -> TermId {
        let (term, sort) = form_term(self.pool, form);
        if sort == SortId::INT { self.pool.to_real(term) } else { term }
    }

    /// Does `x` occur inside another term of the linear form?
    fn nested(&self, x: TermId, linear: &Linear) -> bool {
        linear.terms.iter().any(|(t, _)| *t != x && self.occurs(x, *t))
    }

    fn evaluate(&self, linear: &Linear) -> Option<Rational> {
        let mut sum = linear.constant.clone();
        for (t, c) in &linear.terms {
            sum = &sum + &(&self.number(*t)? * c);
        }
        Some(sum)
    }

    fn eliminate_real(&mut self, x: TermId, bounds: Vec<LinearLiteral>) -> Option<()> {
        // Each bound as (x relation linear, strict): solved for x.
        let mut lower: Vec<(Linear, bool)> = Vec::new();
        let mut upper: Vec<(Linear, bool)> = Vec::new();
        for bound in bounds {
            let c = bound.linear.coefficient(x)?.clone();
            let mut solved = bound.linear.clone();
            solved.add_term(x, &-&c);
            solved.scale(&-&c.recip());
            let strict = bound.relation == Relation::Below;
            match bound.relation {
                Relation::Equal => {
                    lower.push((solved.clone(), false));
                    upper.push((solved, false));
                }
                Relation::AtMost | Relation::Below if c.is_positive() => upper.push((solved, strict)),
                Relation::AtMost | Relation::Below => lower.push((solved, strict)),
            }
        }
        if lower.is_empty() || upper.is_empty() {
            return Some(());
        }
        // Work with the side that has fewer bounds; `sign` turns uppers into lowers.
        let sign = if lower.len() <= upper.len() { Rational::one() } else { Rational::from(-1) };
        let (near, far) = if lower.len() <= upper.len() { (lower, upper) } else { (upper, lower) };
        let mut best: Option<(usize, Rational)> = None;
        for (k, (bound, strict)) in near.iter().enumerate() {
            let value = &self.evaluate(bound)? * &sign;
            let better = match &best {
                None => true,
                Some((b, v)) => value > *v || (value == *v && *strict && !near[*b].1),
            };
            if better {
                best = Some((k, value));
            }
        }
        let (best, _) = best?;
        let (witness, witness_strict) = near[best].clone();
        for (k, (bound, strict)) in near.iter().enumerate() {
            if k != best {
                // bound ≤ witness, strictly if the bound is strict and the witness is not.
                let mut difference = bound.clone();
                difference.add_scaled(&witness, &Rational::from(-1));
                difference.scale(&sign);
                let literal = form_atom(self.pool, &difference, *strict && !witness_strict);
                self.add(literal);
            }
        }
        for (bound, strict) in &far {
            let mut difference = witness.clone();
            difference.add_scaled(bound, &Rational::from(-1));
            difference.scale(&sign);
            let literal = form_atom(self.pool, &difference, *strict || witness_strict);
            self.add(literal);
        }
        Some(())
    }

    fn eliminate_integer(
        &mut self,
        x: TermId,
        x_value: &Rational,
        bounds: Vec<LinearLiteral>,
        divisors: Vec<(Rational, Linear)>,
    ) -> Option<()> {
        let mut period = Rational::one();
        for (d, _) in &divisors {
            period = period.lcm(d);
        }
        let equalities: Vec<LinearLiteral> = bounds.iter().filter(|b| b.relation == Relation::Equal).cloned().collect();
        let is_lower = |b: &LinearLiteral| b.linear.coefficient(x).is_some_and(Rational::is_negative);
        let is_upper = |b: &LinearLiteral| b.linear.coefficient(x).is_some_and(Rational::is_positive);
        let inequalities: Vec<LinearLiteral> =
            bounds.iter().filter(|b| b.relation != Relation::Equal).cloned().collect();
        let n_lower = inequalities.iter().filter(|b| is_lower(b)).count();
        let n_upper = inequalities.len() - n_lower;
        // a·x = target, where the target is a linear form over other terms.
        let (a, target) = if let Some(equality) = equalities.first() {
            let c = equality.linear.coefficient(x)?.clone();
            let mut target = equality.linear.clone();
            target.add_term(x, &-&c);
            target.scale(&Rational::from(-1));
            if c.is_negative() {
                target.scale(&Rational::from(-1));
            }
            (c.abs(), target)
        } else if n_lower == 0 || n_upper == 0 {
            // Unbounded on one side: only divisibility matters, and any value of the right residue does.
            let residue = x_value.rem_euclid(&period);
            for (d, linear) in &divisors {
                let c = linear.coefficient(x)?.clone();
                let mut shifted = linear.clone();
                shifted.add_term(x, &-&c);
                shifted.constant = &shifted.constant + &(&c * &residue);
                let literal = divisibility_term(self.pool, d, &shifted);
                self.add(literal);
            }
            return Some(());
        } else {
            // The nearest bound on the side with fewer of them, and the distance of x from it,
            // which may be shortened by whole periods.
            let from_below = n_lower <= n_upper;
            let mut best: Option<(Rational, Rational, Linear)> = None;
            for bound in inequalities.iter().filter(|b| if from_below { is_lower(b) } else { is_upper(b) }) {
                let c = bound.linear.coefficient(x)?.clone();
                let mut rest = bound.linear.clone();
                rest.add_term(x, &-&c);
                // below: c<0, rest ≤ |c|·x. above: c·x ≤ -rest.
                if !from_below {
                    rest.scale(&Rational::from(-1));
                }
                let a = c.abs();
                let value = &self.evaluate(&rest)? / &a;
                let nearer = match &best {
                    None => true,
                    Some((v, ..)) => (from_below && value > *v) || (!from_below && value < *v),
                };
                if nearer {
                    best = Some((value, a, rest));
                }
            }
            let (value, a, mut rest) = best?;
            let distance = (&(x_value - &value) * &a).abs();
            let shortened = distance.rem_euclid(&(&a * &period));
            rest.constant = if from_below { &rest.constant + &shortened } else { &rest.constant - &shortened };
            (a, rest)
        };
        let literal = divisibility_term(self.pool, &a, &target);
        self.add(literal);
        let replaced = |linear: &Linear| -> Option<Linear> {
            let c = linear.coefficient(x)?.clone();
            let mut out = linear.clone();
            out.add_term(x, &-&c);
            out.scale(&a);
            out.add_scaled(&target, &c);
            Some(out)
        };
        for bound in &bounds {
            let linear = replaced(&bound.linear)?;
            let literal = match bound.relation {
                Relation::Equal => form_equality(self.pool, &linear),
                Relation::AtMost => form_atom(self.pool, &linear, false),
                Relation::Below => form_atom(self.pool, &linear, true),
            };
            self.add(literal);
        }
        for (d, linear) in &divisors {
            let linear = replaced(linear)?;
            let literal = divisibility_term(self.pool, &(d * &a), &linear);
            self.add(literal);
        }
        Some(())
    }

    /// What is left: constants of finite sorts by their value; literals over uninterpreted ones go.
    fn fix_a_finite_value(&mut self) -> Option<bool> {
        for x in self.local_constants() {
            let sort = self.pool.sort(x);
            if matches!(self.pool.sort_data(sort), Sort::BitVec(_) | Sort::Bool)
                && let Some(value) = self.value(x)
                && let Some(term) = self.pool.value_term(&value, sort)
            {
                self.substitute(x, term);
                return Some(true);
            }
        }
        Some(false)
    }
}

/// `d` divides `linear`, as `linear' mod d = r`.
fn divisibility_term(pool: &mut TermPool, d: &Rational, linear: &Linear) -> TermId {
    if d.is_one() {
        return TermId::TRUE;
    }
    let mut sum = linear.clone();
    let r = (-&std::mem::take(&mut sum.constant)).rem_euclid(d);
    // gcd of the coefficients and the divisor can be divided out if it divides the residue.
    let mut common = d.clone();
    for (_, c) in &sum.terms {
        common = common.gcd(c);
    }
    let (mut d, mut r) = (d.clone(), r);
    if !common.is_one() && !common.is_zero() {
        if !r.rem_euclid(&common).is_zero() {
            return TermId::FALSE;
        }
        d = &d / &common;
        r = &r / &common;
        sum.scale(&common.recip());
    }
    if d.is_one() {
        return TermId::TRUE;
    }
    for (_, c) in &mut sum.terms {
        *c = c.rem_euclid(&d);
    }
    sum.terms.retain(|(_, c)| !c.is_zero());
    if sum.terms.is_empty() {
        return pool.bool(r.is_zero());
    }
    let (term, _) = form_term(pool, &sum);
    let modulus = pool.int_num(d);
    let left = pool.modulo(term, modulus);
    let right = pool.int_num(r);
    pool.eq(left, right)
}
