//! Quantifier elimination and projection.
//!
//! [`eliminate_exists`] removes variables from `∃ x… . φ`; [`eliminate_forall`] is its dual. The
//! result says what it is: equivalent, implied by the original (over-approximation), or implying
//! it (under-approximation); and which variables could not be removed. `∃ remaining. formula`
//! always stands in that relation to the input, so giving up is never unsound.
//!
//! The order of the techniques is the one that model checkers found to pay (Ultimate's
//! notes on partial quantifier elimination): disjunctions are split, conjuncts without the
//! variable leave the scope, unconnected parts are treated alone; then equations are solved
//! (`solve`), bounds are combined (`arith`), arrays and hidden occurrences rewritten (`array`), and
//! only then is anything copied: case splits that promise an equation, virtual substitution, and
//! splits without a promise. Every step that copies counts against [`Options::max_cases`], every
//! result against [`Options::max_dag_size`].
//!
//! Model-based projection ([`project`]) is the cheap variant: given a model of `φ` it returns a
//! formula without the variables that is true in the model and implies `∃ x. φ`.

mod arith;
mod array;
mod atoms;
mod project;
mod solve;

pub use project::project;

use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};
use crate::{FastMap, FastSet, Substitution};
use arith::TestPoints;
use array::occurring;
use base::Budget;

/// How a result relates to the formula asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exactness {
    Exact,
    /// Implied by the quantified formula: weaker.
    OverApproximation,
    /// Implies the quantified formula: stronger.
    UnderApproximation,
}

/// What may be done when exact elimination fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fallback {
    /// Keep the variable.
    #[default]
    Keep,
    /// Return something weaker.
    Weaken,
    /// Return something stronger.
    Strengthen,
}

/// Limits of an elimination.
#[derive(Clone, Debug)]
pub struct Options {
    pub fallback: Fallback,
    /// Only techniques that make no copies of formulas.
    pub light: bool,
    /// No intermediate result has more distinct subterms, nor many times more than the input.
    pub max_dag_size: usize,
    /// Roughly how many nodes may be visited in all: a bound on time that is the same on every machine.
    pub max_work: usize,
    /// How many case distinctions may be made in all.
    pub max_cases: usize,
    /// How many copies one virtual substitution may make.
    pub max_copies: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            fallback: Fallback::Keep,
            light: false,
            max_dag_size: 10_000,
            max_work: 1_000_000,
            max_cases: 256,
            max_copies: 100,
        }
    }
}

impl Options {
    /// Exact or not at all, and without copies.
    pub fn light() -> Options {
        Options { light: true, ..Options::default() }
    }
    pub fn with_fallback(self, fallback: Fallback) -> Options {
        Options { fallback, ..self }
    }
}

/// The result of an elimination. The input relates to the formula quantified over `remaining`
/// (with the quantifier of the input) as `exactness` says.
#[derive(Clone, Debug)]
pub struct Elimination {
    pub formula: TermId,
    pub remaining: Vec<TermId>,
    pub exactness: Exactness,
    universal: bool,
}

impl Elimination {
    /// Exact, and nothing remains.
    pub fn is_complete(&self) -> bool {
        self.remaining.is_empty() && self.exactness == Exactness::Exact
    }
    /// The formula with its remaining variables bound by a quantifier.
    pub fn closed(&self, pool: &mut TermPool) -> TermId {
        if self.remaining.is_empty() {
            return self.formula;
        }
        let mut renaming = Substitution::new();
        let mut vars = Vec::with_capacity(self.remaining.len());
        for &x in &self.remaining {
            let hint = pool.as_symbol(x).map_or("x", |f| pool.name(f)).to_string();
            let var = pool.fresh_bound(&hint, pool.sort(x));
            renaming.insert(x, var);
            vars.push(var);
        }
        let body = pool.freshen_binders(self.formula);
        let body = renaming.apply(pool, body);
        if self.universal { pool.forall(&vars, Vec::new(), body) } else { pool.exists(&vars, body) }
    }
}

/// Removes constants from `∃ vars. formula`.
pub fn eliminate_exists(
    pool: &mut TermPool,
    vars: &[TermId],
    formula: TermId,
    options: &Options,
    budget: &Budget,
) -> Elimination {
    let size_limit = options.max_dag_size.min(MAX_GROWTH * pool.dag_size(formula) + MAX_GROWTH_CONSTANT);
    let mut eliminator = Eliminator {
        pool,
        options,
        budget,
        fallback: Fallback::Keep,
        cases_left: options.max_cases,
        work_left: options.max_work,
        size_limit,
        exactness: Exactness::Exact,
    };
    let (mut formula, mut remaining) = eliminator.exists(vars.to_vec(), formula, 0);
    if !remaining.is_empty() && options.fallback != Fallback::Keep {
        // Approximate only after everything exact was tried.
        eliminator.fallback = options.fallback;
        eliminator.cases_left = 0;
        eliminator.work_left = options.max_work;
        (formula, remaining) = eliminator.exists(remaining, formula, 0);
    }
    let exactness = eliminator.exactness;
    Elimination { formula, remaining, exactness, universal: false }
}

/// Removes constants from `∀ vars. formula`. The fallback and the exactness are stated for the
/// universal formula: weaker still means implied by it.
pub fn eliminate_forall(
    pool: &mut TermPool,
    vars: &[TermId],
    formula: TermId,
    options: &Options,
    budget: &Budget,
) -> Elimination {
    let fallback = match options.fallback {
        Fallback::Keep => Fallback::Keep,
        Fallback::Weaken => Fallback::Strengthen,
        Fallback::Strengthen => Fallback::Weaken,
    };
    let negated = pool.not(formula);
    let options = options.clone().with_fallback(fallback);
    let dual = eliminate_exists(pool, vars, negated, &options, budget);
    let exactness = match dual.exactness {
        Exactness::Exact => Exactness::Exact,
        Exactness::OverApproximation => Exactness::UnderApproximation,
        Exactness::UnderApproximation => Exactness::OverApproximation,
    };
    Elimination { formula: pool.not(dual.formula), remaining: dual.remaining, exactness, universal: true }
}

/// Recursion follows the alternation of conjunction and disjunction; no deeper than this.
const MAX_DEPTH: usize = 100;
/// A result may have this many times the nodes of the input, and a few more.
const MAX_GROWTH: usize = 16;
const MAX_GROWTH_CONSTANT: usize = 500;
/// Arrays read at more places are kept.
const MAX_READS: usize = 8;
/// Fourier–Motzkin may make this many conjuncts out of one variable.
const MAX_PAIRS: usize = 64;

/// Cooper's method is preferred to a quotient if it makes no more copies than this.
const MAX_COPIES_BEFORE_DIVISION: usize = 4;

type Partial = (TermId, Vec<TermId>);

struct Eliminator<'a> {
    pool: &'a mut TermPool,
    options: &'a Options,
    budget: &'a Budget,
    fallback: Fallback,
    cases_left: usize,
    work_left: usize,
    size_limit: usize,
    exactness: Exactness,
}

impl Eliminator<'_> {
    fn exists(&mut self, vars: Vec<TermId>, formula: TermId, depth: usize) -> Partial {
        let vars = occurring(self.pool, &[formula], &vars);
        if vars.is_empty() || depth > MAX_DEPTH || self.must_stop() {
            return (formula, vars);
        }
        match self.disjuncts(formula) {
            Some(disjuncts) => self.disjunction(&vars, disjuncts, depth),
            None => {
                let conjuncts = self.conjuncts(formula);
                self.conjunction(vars, conjuncts, depth)
            }
        }
    }

    fn must_stop(&self) -> bool {
        self.work_left == 0 || self.budget.check().is_err()
    }

    /// Accounts for one round in which no equation was solved: most techniques look at the conjuncts once per variable.
    fn spend(&mut self, conjuncts: &[TermId], n_vars: usize) {
        let mut n_nodes: usize = 0;
        self.pool.visit_postorder(conjuncts, |_| n_nodes += 1);
        self.work_left = self.work_left.saturating_sub(n_nodes * (1 + n_vars));
    }

    fn disjunction(&mut self, vars: &[TermId], disjuncts: Vec<TermId>, depth: usize) -> Partial {
        let mut parts = Vec::with_capacity(disjuncts.len());
        let mut remaining = Vec::new();
        for disjunct in disjuncts {
            let (part, rest) = self.exists(vars.to_vec(), disjunct, depth + 1);
            if part == TermId::TRUE {
                return (TermId::TRUE, Vec::new());
            }
            parts.push(part);
            remaining.extend(rest);
        }
        remaining.sort_unstable();
        remaining.dedup();
        (self.pool.or(&parts), remaining)
    }

    /// The parts of a formula that is a disjunction at its top: `or`, a negated conjunction, and
    /// (rewritten) `ite` and equations of formulas.
    fn disjuncts(&mut self, formula: TermId) -> Option<Vec<TermId>> {
        let (t, negated) = match self.pool.op(formula) {
            Op::Not => (self.pool.arg(formula, 0), true),
            _ => (formula, false),
        };
        match (self.pool.op(t), negated) {
            (Op::Or, false) => Some(self.pool.args(t).to_vec()),
            (Op::And, true) => {
                let args = self.pool.args(t).to_vec();
                Some(args.into_iter().map(|a| self.pool.not(a)).collect())
            }
            (Op::Ite, _) if self.pool.is_bool(t) => {
                let (c, a, b) = (self.pool.arg(t, 0), self.pool.arg(t, 1), self.pool.arg(t, 2));
                let (a, b) = if negated { (self.pool.not(a), self.pool.not(b)) } else { (a, b) };
                let nc = self.pool.not(c);
                Some(vec![self.pool.and2(c, a), self.pool.and2(nc, b)])
            }
            (Op::Eq, _) if self.pool.is_bool(self.pool.arg(t, 0)) => {
                let (a, b) = (self.pool.arg(t, 0), self.pool.arg(t, 1));
                let b = if negated { self.pool.not(b) } else { b };
                let (na, nb) = (self.pool.not(a), self.pool.not(b));
                Some(vec![self.pool.and2(a, b), self.pool.and2(na, nb)])
            }
            _ => None,
        }
    }

    fn conjuncts(&mut self, formula: TermId) -> Vec<TermId> {
        let mut result = Vec::new();
        let mut stack = vec![formula];
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

    /// Conjuncts again after a rewriting: flat, without repetition.
    fn flattened(&mut self, conjuncts: Vec<TermId>) -> Vec<TermId> {
        let all = self.pool.and(&conjuncts);
        self.conjuncts(all)
    }

    fn conjunction(&mut self, vars: Vec<TermId>, conjuncts: Vec<TermId>, depth: usize) -> Partial {
        let mut vars = vars;
        let mut conjuncts = conjuncts;
        let mut done: Vec<TermId> = Vec::new();
        loop {
            if conjuncts.contains(&TermId::FALSE) {
                return (TermId::FALSE, Vec::new());
            }
            vars = occurring(self.pool, &conjuncts, &vars);
            let (inside, outside) = self.split_by_mention(&conjuncts, &vars);
            done.extend(outside);
            conjuncts = inside;
            if vars.is_empty() || self.must_stop() {
                break;
            }
            // Before anything else: most variables of a program are defined by an equation.
            if self.solve_equation(&vars, &mut conjuncts) {
                continue;
            }
            self.spend(&conjuncts, vars.len());
            let parts = self.components(&vars, &conjuncts);
            if parts.len() > 1 {
                let mut remaining = Vec::new();
                for (part_vars, part) in parts {
                    let (formula, rest) = self.conjunction(part_vars, part, depth + 1);
                    done.push(formula);
                    remaining.extend(rest);
                }
                return (self.pool.and(&done), remaining);
            }
            if let [only] = conjuncts[..]
                && let Some(disjuncts) = self.disjuncts(only)
                && depth < MAX_DEPTH
            {
                let (formula, rest) = self.disjunction(&vars, disjuncts, depth + 1);
                done.push(formula);
                return (self.pool.and(&done), rest);
            }
            if self.combine_bounds(&vars, &mut conjuncts, false)
                || self.solve_scaled_equation(&vars, &mut conjuncts)
                || self.arrays(&mut vars, &mut conjuncts)
            {
                continue;
            }
            if !self.options.light {
                if self.expose(&mut vars, &mut conjuncts) || self.extreme_witness(&vars, &mut conjuncts) {
                    continue;
                }
                if let Some((formula, rest)) = self.copying_step(&vars, &conjuncts, depth) {
                    done.push(formula);
                    return (self.pool.and(&done), rest);
                }
            }
            if self.approximate(&vars, &mut conjuncts) {
                continue;
            }
            break;
        }
        done.extend(conjuncts);
        (self.pool.and(&done), vars)
    }

    /// Conjuncts that mention one of the variables, and those that do not.
    fn split_by_mention(&self, conjuncts: &[TermId], vars: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        let mut with: FastSet<TermId> = FastSet::default();
        let wanted: FastSet<TermId> = vars.iter().copied().collect();
        self.pool.visit_postorder(conjuncts, |t| {
            if wanted.contains(&t) || self.pool.args(t).iter().any(|a| with.contains(a)) {
                with.insert(t);
            }
        });
        conjuncts.iter().copied().partition(|c| with.contains(c))
    }

    /// Groups variables that occur together, each with its conjuncts.
    fn components(&self, vars: &[TermId], conjuncts: &[TermId]) -> Vec<(Vec<TermId>, Vec<TermId>)> {
        let mut component: FastMap<TermId, usize> = vars.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        let mut homes = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            let here = occurring(self.pool, &[conjunct], vars);
            let Some(&home) = here.iter().map(|v| &component[v]).min() else { continue };
            let joined: FastSet<usize> = here.iter().map(|v| component[v]).collect();
            for &v in vars {
                if joined.contains(&component[&v]) {
                    component.insert(v, home);
                }
            }
            homes.push((here[0], conjunct));
        }
        let mut ids: Vec<usize> = vars.iter().map(|v| component[v]).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter()
            .map(|id| {
                let members = vars.iter().copied().filter(|v| component[v] == id).collect();
                let inside = homes.iter().filter(|(v, _)| component[v] == id).map(|(_, c)| *c).collect();
                (members, inside)
            })
            .collect()
    }

    fn too_large(&self, conjuncts: &[TermId]) -> bool {
        let mut n = 0;
        self.pool.visit_postorder(conjuncts, |_| n += 1);
        n > self.size_limit
    }

    fn substituted(&mut self, conjuncts: &[TermId], x: TermId, t: TermId) -> Vec<TermId> {
        let mut substitution = Substitution::from_pairs([(x, t)]);
        let replaced = conjuncts.iter().map(|&c| substitution.apply(self.pool, c)).collect();
        self.flattened(replaced)
    }

    fn solve_equation(&mut self, vars: &[TermId], conjuncts: &mut Vec<TermId>) -> bool {
        let wanted: FastSet<TermId> = vars.iter().copied().collect();
        for i in 0..conjuncts.len() {
            if let Some((x, t)) = solve::forced_value(self.pool, conjuncts[i], &wanted) {
                let replaced = self.substituted(conjuncts, x, t);
                if self.too_large(&replaced) && !self.too_large(conjuncts) {
                    continue;
                }
                *conjuncts = replaced;
                return true;
            }
        }
        false
    }

    /// `c * x = t` over the integers: scale everything else, and demand that `c` divides `t`.
    fn solve_scaled_equation(&mut self, vars: &[TermId], conjuncts: &mut Vec<TermId>) -> bool {
        let wanted: FastSet<TermId> = vars.iter().copied().collect();
        for i in 0..conjuncts.len() {
            let Some((x, numerator, denominator)) = solve::scaled_equation(self.pool, conjuncts[i], &wanted) else {
                continue;
            };
            let all = self.pool.and(conjuncts);
            let Some(views) = atoms::linear_views(self.pool, all, x) else { continue };
            let mut substitution = Substitution::new();
            for view in &views {
                let replaced = atoms::replace(self.pool, view, &numerator, &denominator, SortId::INT);
                substitution.insert(view.atom, replaced);
            }
            let mut replaced: Vec<TermId> = conjuncts.iter().map(|&c| substitution.apply(self.pool, c)).collect();
            let divides =
                atoms::relation_term(self.pool, atoms::Relation::Divides, numerator, &denominator, SortId::INT);
            replaced.push(divides);
            *conjuncts = self.flattened(replaced);
            return true;
        }
        false
    }

    /// Fourier–Motzkin on the variable for which it makes the fewest conjuncts.
    fn combine_bounds(&mut self, vars: &[TermId], conjuncts: &mut Vec<TermId>, shadow: bool) -> bool {
        let mut best: Option<(usize, TermId)> = None;
        for &x in vars {
            let sort = self.pool.sort(x);
            if !sort.is_arith() {
                continue;
            }
            let (inside, _) = self.split_by_mention(conjuncts, &[x]);
            let Some(bounds) = arith::bounds(self.pool, &inside, x) else { continue };
            let cost = if shadow { Some(bounds.shadow_cost()) } else { bounds.exact_cost(sort) };
            if let Some(cost) = cost
                && cost <= MAX_PAIRS
                && best.is_none_or(|(least, _)| cost < least)
            {
                best = Some((cost, x));
            }
        }
        let Some((_, x)) = best else { return false };
        let (inside, mut rest) = self.split_by_mention(conjuncts, &[x]);
        let Some(bounds) = arith::bounds(self.pool, &inside, x) else { return false };
        rest.extend(bounds.combine(self.pool, self.pool.sort(x)));
        if self.too_large(&rest) && !self.too_large(conjuncts) {
            return false;
        }
        *conjuncts = self.flattened(rest);
        true
    }

    /// Integer bounds that do not combine exactly, met by a quotient; small cases are left to Cooper's method,
    /// whose results are linear.
    fn extreme_witness(&mut self, vars: &[TermId], conjuncts: &mut Vec<TermId>) -> bool {
        for &x in vars {
            if self.pool.sort(x) != SortId::INT {
                continue;
            }
            let (inside, mut rest) = self.split_by_mention(conjuncts, &[x]);
            let Some(bounds) = arith::bounds(self.pool, &inside, x) else { continue };
            let formula = self.pool.and(&inside);
            let n_copies = TestPoints::new(self.pool, formula, x).and_then(|p| p.n_copies());
            if n_copies.is_some_and(|n| n <= MAX_COPIES_BEFORE_DIVISION) {
                continue;
            }
            if let Some(result) = bounds.extreme_witness(self.pool) {
                rest.extend(result);
                *conjuncts = self.flattened(rest);
                return true;
            }
        }
        false
    }

    fn arrays(&mut self, vars: &mut Vec<TermId>, conjuncts: &mut Vec<TermId>) -> bool {
        for i in 0..vars.len() {
            let a = vars[i];
            if self.pool.array_parts(self.pool.sort(a)).is_none() {
                continue;
            }
            let max_reads = if self.options.light { 1 } else { MAX_READS };
            let step = array::solve_store(self.pool, conjuncts, a)
                .or_else(|| array::ackermann(self.pool, conjuncts, a, max_reads));
            if let Some(step) = step
                && !self.too_large(&step.conjuncts)
            {
                vars.extend(step.new_vars);
                *conjuncts = self.flattened(step.conjuncts);
                return true;
            }
        }
        false
    }

    fn expose(&mut self, vars: &mut Vec<TermId>, conjuncts: &mut Vec<TermId>) -> bool {
        if self.cases_left == 0 {
            return false;
        }
        for i in 0..vars.len() {
            if let Some(step) = array::expose(self.pool, conjuncts, vars[i])
                && !self.too_large(&step.conjuncts)
            {
                self.cases_left -= 1;
                vars.extend(step.new_vars);
                *conjuncts = self.flattened(step.conjuncts);
                return true;
            }
        }
        false
    }

    /// The steps that copy: the first that applies is taken, and what it leaves is eliminated.
    fn copying_step(&mut self, vars: &[TermId], conjuncts: &[TermId], depth: usize) -> Option<Partial> {
        if depth >= MAX_DEPTH {
            return None;
        }
        self.promising_split(vars, conjuncts, depth)
            .or_else(|| self.virtual_substitution(vars, conjuncts, depth))
            .or_else(|| self.boolean_split(vars, conjuncts, depth))
            .or_else(|| self.any_split(vars, conjuncts, depth))
    }

    /// Splits a disjunction each of whose parts has an equation to solve.
    fn promising_split(&mut self, vars: &[TermId], conjuncts: &[TermId], depth: usize) -> Option<Partial> {
        let wanted: FastSet<TermId> = vars.iter().copied().collect();
        for &conjunct in conjuncts {
            let Some(disjuncts) = self.disjuncts(conjunct) else { continue };
            let promising = disjuncts.iter().all(|&d| {
                let parts = self.conjuncts(d);
                parts.iter().any(|&c| solve::forced_value(self.pool, c, &wanted).is_some())
            });
            if promising && let Some(result) = self.split(vars, conjuncts, conjunct, disjuncts, depth) {
                return Some(result);
            }
        }
        None
    }

    fn any_split(&mut self, vars: &[TermId], conjuncts: &[TermId], depth: usize) -> Option<Partial> {
        for &conjunct in conjuncts {
            if let Some(disjuncts) = self.disjuncts(conjunct)
                && let Some(result) = self.split(vars, conjuncts, conjunct, disjuncts, depth)
            {
                return Some(result);
            }
            // A disequality of integers: below or above.
            if self.pool.op(conjunct) == Op::Not
                && self.pool.op(self.pool.arg(conjunct, 0)) == Op::Eq
                && self.pool.sort(self.pool.arg(self.pool.arg(conjunct, 0), 0)) == SortId::INT
            {
                let equation = self.pool.arg(conjunct, 0);
                let (a, b) = (self.pool.arg(equation, 0), self.pool.arg(equation, 1));
                let cases = vec![self.pool.lt(a, b), self.pool.gt(a, b)];
                if let Some(result) = self.split(vars, conjuncts, conjunct, cases, depth) {
                    return Some(result);
                }
            }
        }
        None
    }

    /// Distributes a disjunction over the rest; the result counts only if a variable vanished.
    fn split(
        &mut self,
        vars: &[TermId],
        conjuncts: &[TermId],
        split: TermId,
        cases: Vec<TermId>,
        depth: usize,
    ) -> Option<Partial> {
        if cases.len() > self.cases_left {
            return None;
        }
        self.cases_left -= cases.len();
        let rest: Vec<TermId> = conjuncts.iter().copied().filter(|&c| c != split).collect();
        let exactness = self.exactness;
        let copies = cases
            .into_iter()
            .map(|case| {
                let mut all = rest.clone();
                all.push(case);
                self.pool.and(&all)
            })
            .collect();
        let (formula, remaining) = self.disjunction(vars, copies, depth + 1);
        let vanished = vars.iter().any(|v| !remaining.contains(v));
        if !vanished || self.too_large(&[formula]) {
            self.exactness = exactness;
            return None;
        }
        Some((formula, remaining))
    }

    fn virtual_substitution(&mut self, vars: &[TermId], conjuncts: &[TermId], depth: usize) -> Option<Partial> {
        let mut best: Option<(usize, TermId)> = None;
        for &x in vars {
            if !self.pool.sort(x).is_arith() {
                continue;
            }
            let (inside, _) = self.split_by_mention(conjuncts, &[x]);
            let formula = self.pool.and(&inside);
            let Some(n_copies) = TestPoints::new(self.pool, formula, x).and_then(|p| p.n_copies()) else { continue };
            let cost = n_copies.saturating_mul(self.pool.dag_size(formula));
            let affordable = n_copies <= self.options.max_copies.min(self.cases_left);
            if affordable && cost <= self.size_limit && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, x));
            }
        }
        let (_, x) = best?;
        let (inside, outside) = self.split_by_mention(conjuncts, &[x]);
        let formula = self.pool.and(&inside);
        let points = TestPoints::new(self.pool, formula, x)?;
        self.cases_left -= points.n_copies()?.min(self.cases_left);
        let copies = points.disjuncts(self.pool, formula);
        let copies = self.pool.or(&copies);
        let mut all = outside;
        all.push(copies);
        let formula = self.pool.and(&all);
        let rest = vars.iter().copied().filter(|&v| v != x).collect();
        Some(self.exists(rest, formula, depth + 1))
    }

    /// `∃ p. φ` is `φ[true] or φ[false]`.
    fn boolean_split(&mut self, vars: &[TermId], conjuncts: &[TermId], depth: usize) -> Option<Partial> {
        let p = vars.iter().copied().find(|&v| self.pool.is_bool(v))?;
        if self.cases_left < 2 {
            return None;
        }
        self.cases_left -= 2;
        let (inside, outside) = self.split_by_mention(conjuncts, &[p]);
        let formula = self.pool.and(&inside);
        let yes = self.pool.substitute(formula, &[(p, TermId::TRUE)]);
        let no = self.pool.substitute(formula, &[(p, TermId::FALSE)]);
        let either = self.pool.or2(yes, no);
        if self.too_large(&[either]) {
            return None;
        }
        let mut all = outside;
        all.push(either);
        let formula = self.pool.and(&all);
        let rest = vars.iter().copied().filter(|&v| v != p).collect();
        Some(self.exists(rest, formula, depth + 1))
    }

    /// Gives up exactness for one variable, if allowed.
    fn approximate(&mut self, vars: &[TermId], conjuncts: &mut Vec<TermId>) -> bool {
        match self.fallback {
            Fallback::Keep => false,
            Fallback::Weaken => {
                self.exactness = Exactness::OverApproximation;
                if self.combine_bounds(vars, conjuncts, true) {
                    return true;
                }
                // Lose as few conjuncts as possible.
                let kept = vars.iter().map(|&x| self.split_by_mention(conjuncts, &[x]).1).max_by_key(Vec::len);
                *conjuncts = kept.unwrap_or_default();
                true
            }
            Fallback::Strengthen => {
                // Any instance will do; zero is as good as another without a model.
                let x = vars.iter().position(|&x| self.default_term(x).is_some());
                let Some(x) = x.map(|i| vars[i]) else { return false };
                let Some(value) = self.default_term(x) else { return false };
                self.exactness = Exactness::UnderApproximation;
                *conjuncts = self.substituted(conjuncts, x, value);
                true
            }
        }
    }

    fn default_term(&mut self, x: TermId) -> Option<TermId> {
        let sort = self.pool.sort(x);
        let value = crate::default_value(self.pool, sort);
        self.pool.value_term(&value, sort)
    }
}
