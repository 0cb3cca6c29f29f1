//! Algebraic datatypes, reduced to uninterpreted functions and an order.
//!
//! A datatype is an uninterpreted sort to the solver; constructors, selectors and testers are functions. What they have
//! to satisfy is said for the terms that occur (Hojjat and Rümmer, *Deciding and interpolating algebraic data types by
//! reduction*, SYNASC 2017):
//!
//! * A term `C(t…)` is a C and no other, its selectors give the `t`, and its rank is greater than theirs. So
//!   constructors are injective and different, and no value contains itself. Ranks are reals; only their order counts.
//! * A term to which a selector or tester is applied is *expanded*: it is exactly one of `C(sel(t)…)`.
//!
//! Terms that are not expanded can be given values that nothing else has, if their sort has infinitely many; terms of
//! finite sorts are all expanded, down to their last parts. So a model of the reduction is one of datatypes, and the
//! reduction decides formulas without quantifiers. A selector applied to a term of another constructor has any value,
//! the same for equal terms.
//!
//! Bound variables of datatypes that are not recursive are replaced by their constructors first: `∀x. φ` becomes
//! `∀y… φ[C(y…)] ∧ …`, one part for each constructor. Where terms have other bound variables the axioms are quantified;
//! then models are not found, only contradictions.

use crate::sort::{Sort, SortId};
use crate::term::{FunId, Op, TermId, TermPool};
use crate::{FastMap, FastSet};
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct Constructor {
    pub fun: FunId,
    pub tester: FunId,
    pub selectors: Vec<FunId>,
}

#[derive(Clone, Debug, Default)]
pub struct Datatype {
    pub constructors: Vec<Constructor>,
}

/// What a function symbol is to a datatype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// With its number.
    Constructor(usize),
    /// Of the constructor of this number.
    Tester(usize),
    /// Of the constructor of this number, with its place.
    Selector(usize, usize),
}

/// More axioms than this for one formula are an error of whoever wrote it: finite datatypes can be huge.
const MAX_AXIOMS: usize = 100_000;

/// A quantifier is not split into more parts than this.
const MAX_PARTS: usize = 64;

/// The datatypes of a pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Datatypes {
    by_sort: FastMap<SortId, Datatype>,
    roles: FastMap<FunId, (SortId, Role)>,
    /// The sorts made from each declaration, by its number.
    instances: Vec<Vec<SortId>>,
}

impl Datatypes {
    pub(crate) fn is_used(&self) -> bool {
        !self.by_sort.is_empty()
    }
}

impl TermPool {
    /// A number for a declaration that differs from all others.
    pub(crate) fn next_number(&mut self) -> usize {
        self.datatypes.instances.push(Vec::new());
        self.datatypes.instances.len() - 1
    }
    /// The sorts of a declaration that were made so far.
    pub(crate) fn data_instances(&self, declaration: usize) -> Vec<SortId> {
        self.datatypes.instances[declaration].clone()
    }
    /// The sort of this name that belongs to a declaration; another one than a sort of the same name that was declared
    /// before.
    pub(crate) fn data_sort(&mut self, name: &str, declaration: usize) -> SortId {
        let mut candidate = name.to_string();
        let mut k = 1;
        loop {
            let sort = self.uninterpreted_sort(&candidate);
            if self.datatypes.instances[declaration].contains(&sort) {
                return sort;
            }
            if self.datatype(sort).is_none() {
                self.datatypes.instances[declaration].push(sort);
                return sort;
            }
            k += 1;
            candidate = format!("{name}!{k}");
        }
    }
    /// Makes a sort (that is uninterpreted so far) a datatype; constructors are added one by one.
    pub fn declare_datatype(&mut self, sort: SortId) {
        self.datatypes.by_sort.insert(sort, Datatype::default());
    }
    /// Adds a constructor with the names and sorts of its selectors.
    pub fn add_constructor(&mut self, sort: SortId, name: &str, fields: &[(String, SortId)]) {
        let sorts: Vec<SortId> = fields.iter().map(|(_, s)| *s).collect();
        let fun = self.declare_fun(name, &sorts, sort);
        let tester = self.declare_fun(&format!("is-{name}"), &[sort], SortId::BOOL);
        let selectors: Vec<FunId> =
            fields.iter().map(|(field, result)| self.declare_fun(field, &[sort], *result)).collect();
        let datatype = self.datatypes.by_sort.entry(sort).or_default();
        let number = datatype.constructors.len();
        datatype.constructors.push(Constructor { fun, tester, selectors: selectors.clone() });
        let roles = &mut self.datatypes.roles;
        roles.insert(fun, (sort, Role::Constructor(number)));
        roles.insert(tester, (sort, Role::Tester(number)));
        for (place, selector) in selectors.into_iter().enumerate() {
            roles.insert(selector, (sort, Role::Selector(number, place)));
        }
    }
    pub fn datatype(&self, sort: SortId) -> Option<&Datatype> {
        self.datatypes.by_sort.get(&sort)
    }
    pub fn data_role(&self, f: FunId) -> Option<(SortId, Role)> {
        self.datatypes.roles.get(&f).copied()
    }
    /// The constructor that a term is made by, with its number.
    fn constructor_of(&self, t: TermId) -> Option<usize> {
        match self.op(t) {
            Op::App(f) => match self.data_role(f) {
                Some((_, Role::Constructor(number))) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }
    /// A constructor, selector or tester applied. Selectors and testers of terms with a constructor are evaluated.
    pub fn data_app(&mut self, f: FunId, args: &[TermId]) -> TermId {
        if let (Some((_, role)), &[t]) = (self.data_role(f), args)
            && let Some(made_by) = self.constructor_of(t)
        {
            match role {
                Role::Tester(number) => return self.bool(number == made_by),
                Role::Selector(number, place) if number == made_by => return self.arg(t, place),
                Role::Selector(..) | Role::Constructor(_) => {}
            }
        }
        self.app(f, args)
    }

    /// Does every datatype have a value of finite size? The first that has none is the error.
    pub fn empty_datatype(&self, sorts: &[SortId]) -> Option<SortId> {
        let mut inhabited: FastSet<SortId> = FastSet::default();
        loop {
            let before = inhabited.len();
            for &sort in sorts {
                let Some(datatype) = self.datatype(sort) else { continue };
                let has_value = datatype
                    .constructors
                    .iter()
                    .any(|c| self.fun(c.fun).args.iter().all(|&s| !sorts.contains(&s) || inhabited.contains(&s)));
                if has_value {
                    inhabited.insert(sort);
                }
            }
            if inhabited.len() == before {
                return sorts.iter().copied().find(|s| self.datatype(*s).is_some() && !inhabited.contains(s));
            }
        }
    }
    /// Can values of the datatype contain others of the same sort?
    pub fn is_recursive(&self, sort: SortId) -> bool {
        self.data_parts(sort).contains(&sort)
    }
    /// The sorts that values of a datatype contain, arrays of them included.
    pub fn data_parts(&self, sort: SortId) -> Vec<SortId> {
        let mut parts = Vec::new();
        let mut seen: FastSet<SortId> = FastSet::default();
        let mut stack = vec![sort];
        while let Some(s) = stack.pop() {
            let inner: Vec<SortId> = match (self.datatype(s), self.sort_data(s)) {
                (Some(d), _) => d.constructors.iter().flat_map(|c| self.fun(c.fun).args.iter().copied()).collect(),
                (None, Sort::Array(index, element)) => vec![*index, *element],
                (None, _) => Vec::new(),
            };
            for part in inner {
                if seen.insert(part) {
                    parts.push(part);
                    stack.push(part);
                }
            }
        }
        parts
    }
    /// Is this a datatype with finitely many values?
    fn is_finite_datatype(&self, sort: SortId) -> bool {
        self.datatype(sort).is_some()
            && !self.is_recursive(sort)
            && self.data_parts(sort).into_iter().all(|part| match self.sort_data(part) {
                Sort::Bool | Sort::BitVec(_) | Sort::Array(..) => true,
                Sort::Int | Sort::Real => false,
                Sort::Uninterpreted(_) => self.meaning(part).is_some() || self.datatype(part).is_some(),
            })
    }

    /// The formula without bound variables of datatypes that are not recursive: one part for each way to make their
    /// values.
    pub fn split_data_quantifiers(&mut self, formula: TermId) -> TermId {
        if !self.datatypes.is_used() || !self.has_quantifier(formula) {
            return formula;
        }
        let mut order = Vec::new();
        self.visit_postorder(&[formula], |t| order.push(t));
        let mut done: FastMap<TermId, TermId> = FastMap::default();
        for t in order {
            let args: Vec<TermId> = self.args(t).iter().map(|a| done[a]).collect();
            let result = match self.op(t) {
                op @ (Op::Forall(q) | Op::Exists(q)) => {
                    let vars = self.quantifier(q).vars.clone();
                    let parts = self.constructed(vars.clone(), args[0]);
                    match &parts[..] {
                        [(left, _)] if *left == vars => self.rebuild(t, &args),
                        _ => {
                            let is_universal = matches!(op, Op::Forall(_));
                            let mut split = Vec::with_capacity(parts.len());
                            for (vars, body) in parts {
                                let part = if is_universal {
                                    self.forall(&vars, Vec::new(), body)
                                } else {
                                    self.exists(&vars, body)
                                };
                                split.push(part);
                            }
                            if is_universal { self.and(&split) } else { self.or(&split) }
                        }
                    }
                }
                _ => self.rebuild(t, &args),
            };
            done.insert(t, result);
        }
        done[&formula]
    }
    /// The variables and bodies of a quantifier's parts; the whole if there is nothing to split or there would be too
    /// many.
    fn constructed(&mut self, vars: Vec<TermId>, body: TermId) -> Vec<(Vec<TermId>, TermId)> {
        let mut parts = vec![(vars, body)];
        loop {
            let is_split = |v: TermId| {
                let sort = self.sort(v);
                self.datatype(sort).is_some() && !self.is_recursive(sort)
            };
            let next = parts.iter().enumerate().find_map(|(i, (vars, _))| {
                let k = vars.iter().position(|&v| is_split(v))?;
                Some((i, k, vars[k]))
            });
            let Some((i, k, v)) = next else { return parts };
            let constructors = self.datatype(self.sort(v)).map(|d| d.constructors.clone()).unwrap_or_default();
            if parts.len() + constructors.len() > MAX_PARTS {
                return parts;
            }
            let (mut others, body) = parts.remove(i);
            others.remove(k);
            for c in constructors {
                let sorts = self.fun(c.fun).args.clone();
                let fields: Vec<TermId> = sorts.into_iter().map(|s| self.fresh_bound("x", s)).collect();
                let value = self.app(c.fun, &fields);
                let body = self.substitute(body, &[(v, value)]);
                // A quantifier inside keeps its variables, and a part is a formula of its own.
                let body = self.freshen_binders(body);
                let body = self.evaluate_data(body);
                parts.push((others.iter().copied().chain(fields).collect(), body));
            }
        }
    }
    /// Selectors, testers and equations of terms whose constructors are known, evaluated.
    fn evaluate_data(&mut self, root: TermId) -> TermId {
        let mut order = Vec::new();
        self.visit_postorder(&[root], |t| order.push(t));
        let mut done: FastMap<TermId, TermId> = FastMap::default();
        for t in order {
            let args: Vec<TermId> = self.args(t).iter().map(|a| done[a]).collect();
            let result = match self.op(t) {
                Op::App(f) if self.data_role(f).is_some() => self.data_app(f, &args),
                Op::Eq => self.data_equation(args[0], args[1]),
                _ => self.rebuild(t, &args),
            };
            done.insert(t, result);
        }
        done[&root]
    }
    fn data_equation(&mut self, left: TermId, right: TermId) -> TermId {
        let mut open = vec![(left, right)];
        let mut parts = Vec::new();
        while let Some((a, b)) = open.pop() {
            match (self.constructor_of(a), self.constructor_of(b)) {
                (Some(c), Some(d)) if c != d => return TermId::FALSE,
                (Some(_), Some(_)) => open.extend(self.args(a).iter().copied().zip(self.args(b).iter().copied())),
                _ => parts.push(self.eq(a, b)),
            }
        }
        self.and(&parts)
    }

    /// What constructors, selectors and testers have to satisfy for the terms of a formula; `None` if it would be too
    /// much.
    pub fn datatype_axioms(&mut self, formula: TermId) -> Option<Vec<TermId>> {
        if !self.datatypes.is_used() {
            return Some(Vec::new());
        }
        let order = self.terms_and_differences(formula);
        let mut axioms = Axioms::default();
        let mut bound: FastSet<TermId> = FastSet::default();
        let mut quantified: Vec<SortId> = Vec::new();
        for t in order {
            let is_variable = self.as_symbol(t).is_some_and(|f| self.fun(f).bound);
            let is_bound = is_variable || self.args(t).iter().any(|a| bound.contains(a));
            if is_bound {
                bound.insert(t);
            }
            let applied_to = match self.op(t) {
                Op::App(f) => match self.data_role(f) {
                    Some((_, Role::Tester(_) | Role::Selector(..))) => Some(self.arg(t, 0)),
                    _ => None,
                },
                _ => None,
            };
            for (part, is_expanded) in [(Some(t), false), (applied_to, true)] {
                let Some(part) = part else { continue };
                let sort = self.sort(part);
                if self.datatype(sort).is_none() {
                    continue;
                }
                if bound.contains(&part) {
                    quantified.push(sort);
                } else {
                    axioms.todo.push_back((part, is_expanded));
                }
            }
        }
        while let Some((t, is_expanded)) = axioms.todo.pop_front() {
            self.axioms_of_data(t, is_expanded, &mut axioms);
            if axioms.found.len() > MAX_AXIOMS {
                return None;
            }
        }
        let mut known: FastSet<SortId> = FastSet::default();
        while let Some(sort) = quantified.pop() {
            if self.datatype(sort).is_some() && known.insert(sort) {
                self.quantified_axioms(sort, &mut axioms.found);
                quantified.extend(self.data_parts(sort));
            }
        }
        Some(axioms.found)
    }

    fn axioms_of_data(&mut self, t: TermId, is_expanded: bool, axioms: &mut Axioms) {
        let sort = self.sort(t);
        if let Some(number) = self.constructor_of(t) {
            if axioms.made.insert(t) {
                let facts = self.facts_of_constructor(t, sort, number);
                axioms.found.extend(facts);
                let args = self.args(t).to_vec();
                axioms
                    .todo
                    .extend(args.into_iter().filter(|&a| self.datatype(self.sort(a)).is_some()).map(|a| (a, false)));
            }
            return;
        }
        if !(is_expanded || self.is_finite_datatype(sort)) || !axioms.expanded.insert(t) {
            return;
        }
        let (cases, made) = self.expansion(t, sort);
        axioms.found.extend(cases);
        axioms.todo.extend(made.into_iter().map(|c| (c, false)));
    }
    /// The facts about one term that a constructor makes.
    fn facts_of_constructor(&mut self, t: TermId, sort: SortId, number: usize) -> Vec<TermId> {
        let constructors = self.datatype(sort).map(|d| d.constructors.clone()).unwrap_or_default();
        let args = self.args(t).to_vec();
        let mut facts = Vec::new();
        for (k, c) in constructors.iter().enumerate() {
            let test = self.app(c.tester, &[t]);
            facts.push(if k == number { test } else { self.not(test) });
        }
        for (&selector, &arg) in constructors[number].selectors.iter().zip(&args) {
            let selected = self.app(selector, &[t]);
            facts.push(self.eq(selected, arg));
            if self.datatype(self.sort(arg)).is_some() && self.data_parts(self.sort(arg)).contains(&sort) {
                let (whole, part) = (self.rank(t), self.rank(arg));
                facts.push(self.lt(part, whole));
            }
        }
        facts
    }
    fn rank(&mut self, t: TermId) -> TermId {
        let sort = self.sort(t);
        let f = self.declare_fun(".rank", &[sort], SortId::REAL);
        self.app(f, &[t])
    }
    /// A term is made by exactly one constructor: the cases, and the terms in them.
    fn expansion(&mut self, t: TermId, sort: SortId) -> (Vec<TermId>, Vec<TermId>) {
        let constructors = self.datatype(sort).map(|d| d.constructors.clone()).unwrap_or_default();
        let mut facts = Vec::new();
        let mut made = Vec::new();
        let mut tests = Vec::new();
        for c in &constructors {
            let test = self.app(c.tester, &[t]);
            let parts: Vec<TermId> = c.selectors.iter().map(|&s| self.app(s, &[t])).collect();
            let again = self.app(c.fun, &parts);
            let same = self.eq(t, again);
            let not = self.not(test);
            facts.push(self.or2(not, same));
            for &other in &tests {
                let other_not = self.not(other);
                facts.push(self.or2(not, other_not));
            }
            tests.push(test);
            made.push(again);
        }
        facts.push(self.or(&tests));
        (facts, made)
    }
    fn quantified_axioms(&mut self, sort: SortId, found: &mut Vec<TermId>) {
        let constructors = self.datatype(sort).map(|d| d.constructors.clone()).unwrap_or_default();
        for (number, c) in constructors.iter().enumerate() {
            let sorts = self.fun(c.fun).args.clone();
            let vars: Vec<TermId> = sorts.iter().map(|&s| self.fresh_bound("x", s)).collect();
            let t = self.app(c.fun, &vars);
            let facts = self.facts_of_constructor(t, sort, number);
            let body = self.and(&facts);
            found.push(if vars.is_empty() { body } else { self.forall(&vars, vec![vec![t]], body) });
        }
        let x = self.fresh_bound("x", sort);
        let (facts, _) = self.expansion(x, sort);
        let body = self.and(&facts);
        let mut patterns = Vec::new();
        for c in &constructors {
            for f in [c.tester].into_iter().chain(c.selectors.iter().copied()) {
                patterns.push(vec![self.app(f, &[x])]);
            }
        }
        found.push(self.forall(&[x], patterns, body));
    }
}

#[derive(Default)]
struct Axioms {
    found: Vec<TermId>,
    /// Terms, and whether they are to be expanded even if their sort is infinite.
    todo: VecDeque<(TermId, bool)>,
    made: FastSet<TermId>,
    expanded: FastSet<TermId>,
}
