//! Quantifiers by instantiation: E-matching, then models.
//!
//! A quantified formula is an atom to the search. Where it is asserted existentially (`∃` true, `∀` false) its
//! variables become Skolem constants, once per formula. Where it is asserted universally, its body holds for all
//! terms, and instances of it are added as clauses `¬∀x.φ ∨ φ[t]` whenever all other theories are content:
//!
//! 1. **E-matching** (Detlefs, Nelson and Saxe; de Moura and Bjørner): the patterns of the formula, or inferred ones,
//!    are matched against the terms of the congruence closure, modulo its equalities. Sums with one open variable of
//!    coefficient ±1 are matched by solving for it (`a[i+1]`). Reads of stores are followed to the arrays below first.
//! 2. **Model-based instantiation** (Ge and de Moura): if matching finds nothing new, the candidate model is put into
//!    the body, functions as nested conditionals, and a solver of its own looks for values that falsify it. Values
//!    found are instantiated, by a term of that value if there is one. If none exist the formula holds in the model.
//!    An uninterpreted sort has the elements that the model mentions and no others; they are numbers to that solver,
//!    and quantifiers over them inside the body become conjunctions and disjunctions. Quantifiers over words inside the
//!    body are left to that solver, which checks its models in the same way.
//!
//! *Sat* is answered only if step 2 proved every universal formula in the model; otherwise *unknown*. There is no
//! completeness to be had; the number of instances per check is bounded.

use crate::combination::View;
use crate::euf::{NodeId, is_congruent};
use crate::model::build_model;
use crate::proof::Evidence;
use crate::sat::core::Origin;
use crate::sat::types::{LBool, Var};
use crate::solver::SmtSolver;
use crate::theory::FinalCheck;
use logic::{FastMap, FastSet, Model, Op, Rational, SatResult, Solver, Sort, SortId, TermId, TermPool, Value};
use std::time::Duration;

/// A check that needed more instances than this is given up.
const MAX_INSTANCES: usize = 3000;
const MAX_MATCHES: usize = 400;
/// Patterns nested deeper than this are not used.
const MAX_PATTERN_DEPTH: usize = 40;
/// How deep model checks may be nested.
const MAX_MODEL_DEPTH: u32 = 2;
const MODEL_CHECK_TIME: Duration = Duration::from_millis(2000);

#[derive(Default)]
pub(crate) struct Quantifiers {
    active: Vec<Var>,
    is_active: FastSet<Var>,
    /// Formula, terms, and whether these are its Skolem constants in their defining clause.
    instances: FastSet<(TermId, Vec<TermId>, bool)>,
    log: Vec<(TermId, Vec<TermId>, bool)>,
    scopes: Vec<(usize, usize)>,
    /// Skolem constants per formula; the same for ever, so that a formula met again gets the same ones.
    skolems: FastMap<TermId, Vec<TermId>>,
    patterns: FastMap<TermId, Vec<Vec<TermId>>>,
    n_instances_of_check: usize,
    /// Inside how many model checks this solver is: quantifiers inside a formula are checked in models as well, but
    /// not without end.
    pub depth: u32,
}

impl Quantifiers {
    pub(crate) fn push_scope(&mut self) {
        self.scopes.push((self.active.len(), self.log.len()));
    }
    pub(crate) fn pop_scope(&mut self) {
        let Some((n_active, n_log)) = self.scopes.pop() else { return };
        for var in self.active.drain(n_active..) {
            self.is_active.remove(&var);
        }
        for instance in self.log.drain(n_log..) {
            self.instances.remove(&instance);
        }
    }
    pub(crate) fn start_check(&mut self) {
        self.n_instances_of_check = 0;
    }
    pub(crate) fn active(&self) -> &[Var] {
        &self.active
    }
    fn is_new(&mut self, formula: TermId, terms: &[TermId], skolem: bool) -> bool {
        let instance = (formula, terms.to_vec(), skolem);
        if self.instances.insert(instance.clone()) {
            self.log.push(instance);
            self.n_instances_of_check += 1;
            return true;
        }
        false
    }
}

type Match = Vec<Option<TermId>>;

fn bound_vars(pool: &TermPool, formula: TermId) -> Vec<TermId> {
    match pool.op(formula) {
        Op::Forall(q) | Op::Exists(q) => pool.quantifier(q).vars.clone(),
        _ => Vec::new(),
    }
}

impl View<'_> {
    /// Takes over a quantified atom; Skolem constants at once where they are needed.
    pub(crate) fn register_quantifier(&mut self, values: &[LBool], var: Var) {
        let formula = self.atoms.term(var);
        if self.theories.quantifiers.is_active.insert(var) {
            self.theories.quantifiers.active.push(var);
            let ground = self.ground_applications(formula);
            self.register_terms(values, &ground);
        }
        let universal = matches!(self.pool.op(formula), Op::Forall(_));
        let (positive, negative) = self.theories.clausifier.polarities(var);
        if if universal { negative } else { positive } {
            let terms = self.skolem_constants(formula);
            self.add_instance(formula, &terms, true);
        }
    }
    /// Applications in the body without bound variables: terms to match with.
    fn ground_applications(&self, formula: TermId) -> Vec<TermId> {
        let pool = &*self.pool;
        let mut is_ground: FastMap<TermId, bool> = FastMap::default();
        let mut found = Vec::new();
        pool.visit_postorder(&[pool.arg(formula, 0)], |t| {
            let bound = pool.as_symbol(t).is_some_and(|f| pool.fun(f).bound);
            let quantifier = matches!(pool.op(t), Op::Forall(_) | Op::Exists(_));
            let ground = !bound && !quantifier && pool.args(t).iter().all(|a| is_ground[a]);
            is_ground.insert(t, ground);
            if ground && is_congruent(pool, t) {
                found.push(t);
            }
        });
        found
    }
    fn skolem_constants(&mut self, formula: TermId) -> Vec<TermId> {
        if let Some(terms) = self.theories.quantifiers.skolems.get(&formula) {
            return terms.clone();
        }
        let vars = bound_vars(self.pool, formula);
        let terms: Vec<TermId> = vars
            .iter()
            .map(|&v| {
                let sort = self.pool.sort(v);
                self.pool.fresh_constant("sk", sort)
            })
            .collect();
        self.theories.quantifiers.skolems.insert(formula, terms.clone());
        terms
    }
    /// `¬∀x.φ ∨ φ[t]` and its dual; or, for Skolem constants, `∀x.φ ∨ ¬φ[sk]` and its dual. Returns false if known.
    fn add_instance(&mut self, formula: TermId, terms: &[TermId], skolem: bool) -> bool {
        if !self.theories.quantifiers.is_new(formula, terms, skolem) {
            return false;
        }
        let body = self.instance_body(formula, terms);
        let universal = matches!(self.pool.op(formula), Op::Forall(_));
        let positive = universal == skolem;
        let part = if positive { self.pool.not(body) } else { body };
        // The formula's own literal is used as it is: an instance must not count as an occurrence of the formula,
        // which would bring Skolem constants for the opposite polarity.
        let own = self.atoms.intern_quietly(formula).lit(positive);
        let origin = Origin::Lemma(Evidence::Instance { quantified: formula, terms: terms.to_vec() });
        self.theories.clausifier.add_clause_with(self.pool, self.atoms, own, &[part], origin);
        true
    }
    fn instance_body(&mut self, formula: TermId, terms: &[TermId]) -> TermId {
        let vars = bound_vars(self.pool, formula);
        let pairs: Vec<(TermId, TermId)> = vars.into_iter().zip(terms.iter().copied()).collect();
        let body = self.pool.arg(formula, 0);
        self.pool.substitute(body, &pairs)
    }
    /// The body over Skolem constants, if the formula is asserted existentially (with this truth value) and that
    /// matters.
    pub(crate) fn skolem_instance(&mut self, var: Var, holds: bool) -> Option<TermId> {
        let formula = self.atoms.term(var);
        let universal = matches!(self.pool.op(formula), Op::Forall(_));
        let (positive, negative) = self.theories.clausifier.polarities(var);
        let matters = if universal { negative } else { positive };
        if holds == universal || !matters {
            return None;
        }
        let terms = self.skolem_constants(formula);
        Some(self.instance_body(formula, &terms))
    }
    /// The formulas asserted universally at present.
    fn universal_formulas(&self, values: &[LBool]) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for &var in self.theories.quantifiers.active() {
            let formula = self.atoms.term(var);
            let universal = matches!(self.pool.op(formula), Op::Forall(_));
            let (positive, negative) = self.theories.clausifier.polarities(var);
            let needed = if universal { positive } else { negative };
            if needed && values.get(var.index()) == Some(&LBool::from(universal)) {
                formulas.push(formula);
            }
        }
        formulas
    }

    /// The last part of the final check.
    pub(crate) fn check_quantifiers(&mut self, values: &[LBool]) -> FinalCheck {
        let formulas = self.universal_formulas(values);
        if formulas.is_empty() {
            return FinalCheck::Ok;
        }
        let reads = self.reads_below_stores();
        if !reads.is_empty() {
            return FinalCheck::Lemmas(reads);
        }
        let mut progress = false;
        for &formula in &formulas {
            for terms in self.matches(formula) {
                if let Err(stop) = self.budget.check() {
                    return FinalCheck::Stopped(stop);
                }
                progress |= self.add_instance(formula, &terms, false);
            }
        }
        if !progress {
            // An instance that is not new may wait for those of a quantifier inside it, so all formulas get their turn.
            let mut failure = None;
            for &formula in &formulas {
                match self.check_in_model(values, formula) {
                    ModelCheck::Holds => {}
                    ModelCheck::Instance(terms) if self.add_instance(formula, &terms, false) => progress = true,
                    ModelCheck::Instance(_) => failure = Some("quantifiers: no new instance"),
                    ModelCheck::Failed => failure = Some("quantifiers"),
                }
                if let Err(stop) = self.budget.check() {
                    return FinalCheck::Stopped(stop);
                }
            }
            if let (false, Some(why)) = (progress, failure) {
                return FinalCheck::GiveUp(why.to_string());
            }
        }
        if self.theories.quantifiers.n_instances_of_check > MAX_INSTANCES {
            return FinalCheck::GiveUp("quantifiers: too many instances".to_string());
        }
        // Instances wait in the clausifier; with none, the formulas hold in the model.
        if progress { FinalCheck::Lemmas(Vec::new()) } else { FinalCheck::Ok }
    }

    // ---- matching ----

    /// The instantiations that patterns find.
    fn matches(&mut self, formula: TermId) -> Vec<Vec<TermId>> {
        let vars = bound_vars(self.pool, formula);
        let patterns = self.patterns_of(formula, &vars);
        let mut found: Vec<Vec<TermId>> = Vec::new();
        for pattern in patterns {
            let mut partial: Vec<Match> = vec![vec![None; vars.len()]];
            for &p in &pattern {
                let op = self.pool.op(p);
                let mut next = Vec::new();
                for n in self.theories.euf.nodes() {
                    if self.theories.euf.op(n) != op || self.theories.euf.args(n).is_empty() {
                        continue;
                    }
                    for m in &partial {
                        next.extend(self.match_args(p, n, &vars, m, 0));
                    }
                    if next.len() > MAX_MATCHES {
                        break;
                    }
                }
                partial = next;
            }
            for m in partial {
                if let Some(terms) = m.into_iter().collect::<Option<Vec<TermId>>>() {
                    found.push(terms);
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
    fn match_args(&mut self, p: TermId, n: NodeId, vars: &[TermId], m: &Match, depth: usize) -> Vec<Match> {
        let patterns = self.pool.args(p).to_vec();
        let args = self.theories.euf.args(n).to_vec();
        let mut partial = vec![m.clone()];
        for (&p, &a) in patterns.iter().zip(&args) {
            let mut next = Vec::new();
            for m in &partial {
                next.extend(self.match_node(p, a, vars, m, depth + 1));
                if next.len() > MAX_MATCHES {
                    break;
                }
            }
            partial = next;
        }
        partial
    }
    /// Matches a pattern with a class. The recursion is as deep as the pattern.
    fn match_node(&mut self, p: TermId, n: NodeId, vars: &[TermId], m: &Match, depth: usize) -> Vec<Match> {
        if depth > MAX_PATTERN_DEPTH {
            return Vec::new();
        }
        if let Some(k) = vars.iter().position(|&v| v == p) {
            return match m[k] {
                None => {
                    let mut m = m.clone();
                    m[k] = Some(self.theories.euf.term(n));
                    vec![m]
                }
                Some(t) => {
                    let same = t == self.theories.euf.term(n)
                        || self.theories.euf.node(t).is_some_and(|other| self.theories.euf.same(other, n));
                    if same { vec![m.clone()] } else { Vec::new() }
                }
            };
        }
        if let Some(other) = self.theories.euf.node(p) {
            return if self.theories.euf.same(other, n) { vec![m.clone()] } else { Vec::new() };
        }
        if is_congruent(self.pool, p) {
            let op = self.pool.op(p);
            let members: Vec<NodeId> = self.theories.euf.members(n).collect();
            let mut found = Vec::new();
            for member in members {
                if self.theories.euf.op(member) == op && !self.theories.euf.args(member).is_empty() {
                    found.extend(self.match_args(p, member, vars, m, depth));
                }
            }
            return found;
        }
        self.solve_sum(p, n, vars, m)
    }
    /// `c + x + …` with one variable open: the one that makes the sum equal to the node's term.
    fn solve_sum(&mut self, p: TermId, n: NodeId, vars: &[TermId], m: &Match) -> Vec<Match> {
        let sort = self.pool.sort(p);
        if !sort.is_arith() {
            return Vec::new();
        }
        let mut rest = self.pool.linear(self.theories.euf.term(n));
        let minus_one = Rational::from(-1);
        let pattern = self.pool.linear(p);
        rest.add_scaled(&logic::Linear::constant(pattern.constant.clone()), &minus_one);
        let mut open: Option<(usize, Rational)> = None;
        for (t, c) in pattern.terms {
            let value = match vars.iter().position(|&v| v == t) {
                Some(k) => match m[k] {
                    Some(bound) => bound,
                    None if open.is_none() && (c.is_one() || c == minus_one) => {
                        open = Some((k, c));
                        continue;
                    }
                    None => return Vec::new(),
                },
                None => t,
            };
            let linear = self.pool.linear(value);
            rest.add_scaled(&linear, &-&c);
        }
        let Some((k, c)) = open else { return Vec::new() };
        rest.scale(&c);
        let value = self.pool.linear_term(&rest, sort);
        if vars.iter().any(|v| self.mentions(value, *v)) {
            return Vec::new();
        }
        let mut m = m.clone();
        m[k] = Some(value);
        vec![m]
    }
    fn mentions(&self, t: TermId, var: TermId) -> bool {
        let mut found = false;
        self.pool.visit_postorder(&[t], |s| found |= s == var);
        found
    }

    /// The given patterns, or inferred ones: the smallest applications that hold all variables, or a set of
    /// applications that together do.
    fn patterns_of(&mut self, formula: TermId, vars: &[TermId]) -> Vec<Vec<TermId>> {
        if let Some(patterns) = self.theories.quantifiers.patterns.get(&formula) {
            return patterns.clone();
        }
        let given = match self.pool.op(formula) {
            Op::Forall(q) | Op::Exists(q) => self.pool.quantifier(q).patterns.clone(),
            _ => Vec::new(),
        };
        let usable: Vec<Vec<TermId>> = given
            .into_iter()
            .filter(|pattern| !pattern.is_empty() && pattern.iter().all(|&p| is_congruent(self.pool, p)))
            .collect();
        let patterns = if usable.is_empty() { self.inferred_patterns(formula, vars) } else { usable };
        self.theories.quantifiers.patterns.insert(formula, patterns.clone());
        patterns
    }
    fn inferred_patterns(&self, formula: TermId, vars: &[TermId]) -> Vec<Vec<TermId>> {
        // Per subterm: which variables it holds (as a bit set), whether it can be matched, its size.
        let pool = &*self.pool;
        let mut info: FastMap<TermId, (u64, bool, usize)> = FastMap::default();
        let mut candidates: Vec<TermId> = Vec::new();
        pool.visit_postorder(&[pool.arg(formula, 0)], |t| {
            let own = vars.iter().position(|&v| v == t).map_or(0, |k| 1u64 << k.min(63));
            let foreign_bound = pool.as_symbol(t).is_some_and(|f| pool.fun(f).bound) && own == 0;
            let mut holds = own;
            let mut matchable = !foreign_bound;
            let mut size = 1;
            for a in pool.args(t) {
                let (h, m, s) = info[a];
                holds |= h;
                matchable &= m;
                size += s;
            }
            let is_application = is_congruent(pool, t) && matches!(pool.op(t), Op::App(_) | Op::Select);
            if holds != 0 && own == 0 {
                // What holds variables must be an application, or a sum that can be solved.
                matchable &= is_application || matches!(pool.op(t), Op::Add | Op::Mul | Op::Store);
            }
            if matches!(pool.op(t), Op::Forall(_) | Op::Exists(_)) {
                matchable = false;
            }
            info.insert(t, (holds, matchable, size));
            if is_application && matchable && holds != 0 {
                candidates.push(t);
            }
        });
        let all = vars.iter().enumerate().fold(0u64, |acc, (k, _)| acc | 1 << k.min(63));
        let full: Vec<TermId> = candidates.iter().copied().filter(|t| info[t].0 == all).collect();
        let minimal: Vec<Vec<TermId>> =
            full.iter().filter(|&&t| !full.iter().any(|&s| s != t && self.mentions(t, s))).map(|&t| vec![t]).collect();
        if !minimal.is_empty() {
            return minimal;
        }
        candidates.sort_by_key(|t| (info[t].2, *t));
        let mut covered = 0;
        let mut group = Vec::new();
        for t in candidates {
            if info[&t].0 & !covered != 0 {
                covered |= info[&t].0;
                group.push(t);
            }
        }
        if covered == all { vec![group] } else { Vec::new() }
    }

    // ---- models ----

    /// Does the formula hold in the candidate model?
    fn check_in_model(&mut self, values: &[LBool], formula: TermId) -> ModelCheck {
        let body = self.pool.arg(formula, 0);
        let vars = bound_vars(self.pool, formula);
        let limits_domains =
            self.pool.has_quantifier(body) || vars.iter().any(|&v| mentions_elements(self.pool, self.pool.sort(v)));
        if self.theories.quantifiers.depth == MAX_MODEL_DEPTH
            || (limits_domains && self.has_arrays_indexed_by_elements())
        {
            return ModelCheck::Failed;
        }
        let model = build_model(self, values);
        let mut constants = Vec::new();
        let mut known: FastMap<TermId, TermId> = FastMap::default();
        let mut bounds = Vec::new();
        for &v in &vars {
            let sort = self.pool.sort(v);
            let Some(n) = domain_size(self.pool, &model, sort) else {
                if matches!(self.pool.sort_data(sort), Sort::Uninterpreted(_)) {
                    return ModelCheck::Failed;
                }
                let c = self.pool.fresh_constant("mc", sort);
                constants.push(c);
                known.insert(v, c);
                continue;
            };
            let c = self.pool.fresh_constant("mc", SortId::INT);
            let (zero, n) = (self.pool.int(0), self.pool.int(i64::from(n)));
            bounds.push(self.pool.le(zero, c));
            bounds.push(self.pool.lt(c, n));
            constants.push(c);
            known.insert(v, c);
        }
        let Some(instance) = specialise(self.pool, &model, body, known) else { return ModelCheck::Failed };
        let universal = matches!(self.pool.op(formula), Op::Forall(_));
        let wanted = if universal { self.pool.not(instance) } else { instance };
        let mut solver = SmtSolver::without_proofs();
        solver.check_models_from(self.theories.quantifiers.depth + 1);
        solver.assert(self.pool, wanted);
        for bound in bounds {
            solver.assert(self.pool, bound);
        }
        match solver.check(self.pool, &self.budget.child(MODEL_CHECK_TIME)) {
            SatResult::Unsat => ModelCheck::Holds,
            SatResult::Unknown(_) => ModelCheck::Failed,
            SatResult::Sat => {
                let Some(found) = solver.model().cloned() else { return ModelCheck::Failed };
                let mut terms = Vec::new();
                for (&c, &v) in constants.iter().zip(&vars) {
                    let sort = self.pool.sort(v);
                    let Ok(value) = found.eval(self.pool, c) else { return ModelCheck::Failed };
                    let value = match value.as_num().and_then(Rational::to_i64).map(u32::try_from) {
                        Some(Ok(k)) if self.pool.sort(c) != sort => Value::Element(sort, k),
                        _ => value,
                    };
                    let known = self.term_of_value(&model, sort, &value);
                    match known.or_else(|| self.pool.value_term(&value, sort)) {
                        Some(t) => terms.push(t),
                        None => return ModelCheck::Failed,
                    }
                }
                ModelCheck::Instance(terms)
            }
        }
    }
    /// A constant of the problem that has the value in the model; for elements of uninterpreted sorts any term.
    fn term_of_value(&mut self, model: &Model, sort: SortId, value: &Value) -> Option<TermId> {
        let has_value = |t: &TermId| model.eval(self.pool, *t).as_ref() == Ok(value);
        let known = self.theories.symbols.iter().copied().find(|t| self.pool.sort(*t) == sort && has_value(t));
        if known.is_some() || !matches!(value, Value::Element(..)) {
            return known;
        }
        let euf = &self.theories.euf;
        let known = euf.nodes().filter(|&n| euf.sort(n) == sort).map(|n| euf.term(n)).find(has_value);
        // The element of a sort that no term has.
        Some(known.unwrap_or_else(|| self.pool.constant(".element", sort)))
    }
    /// With finitely many indices, arrays that differ nowhere are equal; the candidate model does not know that.
    fn has_arrays_indexed_by_elements(&self) -> bool {
        let euf = &self.theories.euf;
        euf.nodes().any(|n| {
            let mut sort = euf.sort(n);
            while let Some((index, element)) = self.pool.array_parts(sort) {
                if mentions_elements(self.pool, index) {
                    return true;
                }
                sort = element;
            }
            false
        })
    }
}

fn mentions_elements(pool: &TermPool, sort: SortId) -> bool {
    match *pool.sort_data(sort) {
        Sort::Uninterpreted(_) => true,
        Sort::Array(index, element) => mentions_elements(pool, index) || mentions_elements(pool, element),
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => false,
    }
}

/// The number of elements of an uninterpreted sort: those that the model mentions are all there are. `None` for other
/// sorts.
fn domain_size(pool: &TermPool, model: &Model, sort: SortId) -> Option<u32> {
    let is_free = matches!(pool.sort_data(sort), Sort::Uninterpreted(_));
    if !is_free || pool.datatype(sort).is_some() || pool.meaning(sort).is_some() {
        return None;
    }
    let mut n = 1;
    let mut stack: Vec<&Value> = model.constants().map(|(_, v)| v).collect();
    for (_, table) in model.functions() {
        stack.push(&table.default);
        for (key, value) in &table.entries {
            stack.extend(key);
            stack.push(value);
        }
    }
    while let Some(value) = stack.pop() {
        match value {
            Value::Element(s, k) if *s == sort => n = n.max(k + 1),
            Value::Array(array) => {
                stack.push(&array.default);
                for (index, element) in &array.entries {
                    stack.extend([index, element]);
                }
            }
            _ => {}
        }
    }
    Some(n)
}

enum ModelCheck {
    Holds,
    /// The formula is false for these terms.
    Instance(Vec<TermId>),
    Failed,
}

/// The most instances of a quantifier inside a formula.
const MAX_EXPANSION: usize = 200;

/// A value as a term; elements of uninterpreted sorts are numbers.
fn number_or_term(pool: &mut TermPool, value: &Value, sort: SortId) -> Option<TermId> {
    match value {
        Value::Element(_, k) => Some(pool.int(i64::from(*k))),
        _ => pool.value_term(value, sort),
    }
}

/// A formula with all its symbols replaced by what the model says: bound variables by what is `known` of them,
/// constants by values, functions by nested conditionals. `None` if a value has no term.
fn specialise(pool: &mut TermPool, model: &Model, body: TermId, known: FastMap<TermId, TermId>) -> Option<TermId> {
    let mut order = Vec::new();
    pool.visit_postorder(&[body], |t| order.push(t));
    let mut done = known;
    // Variables of quantifiers inside: words stay, elements take the places of the others later.
    for &t in &order {
        for v in bound_vars(pool, t) {
            if ranges_over_words(pool, t) {
                done.insert(v, v);
                continue;
            }
            domain_size(pool, model, pool.sort(v))?;
            let c = pool.fresh_constant("mc", SortId::INT);
            done.insert(v, c);
        }
    }
    for t in order {
        if done.contains_key(&t) {
            continue;
        }
        let args: Vec<TermId> = pool.args(t).iter().map(|a| done.get(a).copied()).collect::<Option<_>>()?;
        let sort = pool.sort(t);
        if pool.array_parts(sort).is_some() && mentions_elements(pool, sort) {
            return None;
        }
        let result = match pool.op(t) {
            Op::App(f) if args.is_empty() => {
                let value = model.get(f).cloned().unwrap_or_else(|| logic::default_value(pool, sort));
                number_or_term(pool, &value, sort)?
            }
            Op::App(f) => {
                let sorts = pool.fun(f).args.clone();
                let (entries, default) = match model.fun(f) {
                    Some(table) => (table.entries.clone(), table.default.clone()),
                    None => (Default::default(), logic::default_value(pool, sort)),
                };
                let mut result = number_or_term(pool, &default, sort)?;
                for (key, value) in entries.iter().rev() {
                    let mut here = Vec::with_capacity(args.len());
                    for ((&arg, value), &sort) in args.iter().zip(key).zip(&sorts) {
                        let value = number_or_term(pool, value, sort)?;
                        here.push(pool.eq(arg, value));
                    }
                    let here = pool.and(&here);
                    let value = number_or_term(pool, value, sort)?;
                    result = pool.ite(here, value, result);
                }
                result
            }
            Op::Forall(_) if ranges_over_words(pool, t) => pool.forall(&bound_vars(pool, t), Vec::new(), args[0]),
            Op::Exists(_) if ranges_over_words(pool, t) => pool.exists(&bound_vars(pool, t), args[0]),
            Op::Forall(_) | Op::Exists(_) => expand(pool, model, t, args[0], &done)?,
            // Division by zero has an interpretation of its own, which is not spelled out here.
            Op::IntDiv | Op::Mod | Op::RealDiv
                if pool.number(args[1]).is_none_or(|n| n.is_zero()) && !model.by_zero.is_empty() =>
            {
                return None;
            }
            Op::ArrayDiff => return None,
            _ => pool.rebuild(t, &args),
        };
        done.insert(t, result);
    }
    done.get(&body).copied()
}

/// Quantifiers over words and Booleans only. A solver inside the model check can decide them: their values are finitely
/// many. (Those over numbers are better eliminated than instantiated.)
fn ranges_over_words(pool: &TermPool, quantifier: TermId) -> bool {
    let is_word = |v: &TermId| matches!(pool.sort_data(pool.sort(*v)), Sort::BitVec(_) | Sort::Bool);
    bound_vars(pool, quantifier).iter().all(is_word)
}

/// A quantifier over uninterpreted sorts, element by element.
fn expand(
    pool: &mut TermPool,
    model: &Model,
    quantifier: TermId,
    body: TermId,
    places: &FastMap<TermId, TermId>,
) -> Option<TermId> {
    let mut parts = vec![body];
    for v in bound_vars(pool, quantifier) {
        let n = domain_size(pool, model, pool.sort(v))?;
        if parts.len() * n as usize > MAX_EXPANSION {
            return None;
        }
        let place = *places.get(&v)?;
        let mut next = Vec::new();
        for part in parts {
            for k in 0..n {
                let element = pool.int(i64::from(k));
                next.push(pool.substitute(part, &[(place, element)]));
            }
        }
        parts = next;
    }
    Some(if matches!(pool.op(quantifier), Op::Forall(_)) { pool.and(&parts) } else { pool.or(&parts) })
}
