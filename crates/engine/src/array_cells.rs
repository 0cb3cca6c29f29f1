//! Invariants for all cells of a part of an array (Flanagan, Qadeer 2002; Monniaux, Gonnord 2016).
//!
//! A loop that works through an array needs an invariant with a quantifier: `∀k. 0 ≤ k < i ⇒ a[k] = 7`. Interpolants of
//! unrollings name single cells, so they never get there. Here such invariants are guessed from the text of the program:
//!
//! - *what holds of a cell* is what a statement stores there (`a[i] = v`), what a condition asks about it (`a[i] ≤ m`), or
//!   the opposite;
//! - *of which cells* it holds are those that a loop has already passed (`first ≤ k < i`, or `i < k < n` on the way down), or
//!   all up to a limit with which the index is compared (`first ≤ k < n`).
//!
//! Of the guesses, with bounds of the indices and with what other engines offer, the inductive ones are kept
//! ([`offers::inductive_candidates`]), one fact about cells after the other, so that a fact may use those before it.
//!
//! In C an index is an address `base + size·i`. The quantifier ranges over the index terms themselves (`p` with
//! `(p − base) mod size = 0`), because then `a[p]` is a pattern that every read and write of the array matches.

use crate::framework::{Ctx, Engine, Task};
use crate::hoare::HoareChecker;
use crate::offers;
use crate::prepared::{Prepared, prepare};
use ir::blocks::BlockMode;
use ir::{Icfg, Label, LocId, Note, Reason, Stmt, Verdict};
use logic::{Linear, Op, Rational, Sort, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub struct ArrayCells;

/// The most facts about cells that are tried, and the most ranges for each.
const MAX_FACTS: usize = 24;
const MAX_RANGES: usize = 24;
/// The time for one question to the solver.
const QUERY_LIMIT: Duration = Duration::from_millis(300);
/// The share of the time left for one fact.
const FACT_SHARE: u32 = 3;

impl Engine for ArrayCells {
    fn name(&self) -> &'static str {
        "array-cells"
    }
    fn summary(&self) -> &'static str {
        "invariants for all cells of a part of an array, guessed from the program's text"
    }
    fn run(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        if task.icfg.has_threads() {
            return Verdict::Unknown(Reason::Unsupported("threads (engine array-cells)".to_string()));
        }
        let text = Text::read(ctx.pool, task.icfg);
        if text.facts.is_empty() || task.icfg.locs.values().all(|l| !l.is_loop_head) {
            return Verdict::Unknown(Reason::Incomplete("no arrays in loops".to_string()));
        }
        let verdict = prepare(ctx, task, BlockMode::Large).and_then(|prepared| prove(ctx, task, &prepared, &text));
        verdict.unwrap_or_else(Verdict::Unknown)
    }
}

fn prove(ctx: &mut Ctx<'_>, task: &Task<'_>, prepared: &Prepared, text: &Text) -> Result<Verdict, Reason> {
    let icfg = &prepared.icfg;
    let mut hoare = HoareChecker::new(ctx.pool, icfg).with_query_limit(QUERY_LIMIT);
    let heads: Vec<LocId> = icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(loc, _)| loc).collect();
    let mut known = prepared.offered(task);
    let bounds = text.bounds(ctx.pool);
    for &head in &heads {
        let list = known.entry(head).or_default();
        list.extend(&bounds);
        list.sort_unstable();
        list.dedup();
    }
    known = offers::inductive_candidates(ctx, &mut hoare, icfg, known, FACT_SHARE).unwrap_or_default();
    let bound = ctx.pool.fresh_bound("p", SortId::INT);
    for fact in &text.facts {
        ctx.budget.check_now()?;
        let guesses = text.guesses(ctx.pool, fact, bound);
        let mut candidates = known.clone();
        for &head in &heads {
            candidates.entry(head).or_default().extend(&guesses);
        }
        let Some(kept) = offers::inductive_candidates(ctx, &mut hoare, icfg, candidates, FACT_SHARE) else { continue };
        let is_news = kept.values().flatten().any(|t| guesses.contains(t));
        known = kept;
        if is_news && offers::excludes_errors(ctx, &mut hoare, icfg, &known) {
            let all = icfg.locs.ids().map(|loc| {
                let conjuncts = known.get(&loc).map_or(&[][..], Vec::as_slice);
                (loc, vec![ctx.pool.and(conjuncts)])
            });
            let formulas = all.collect();
            return Ok(Verdict::Holds(prepared.certificate(ctx.pool, formulas)));
        }
    }
    Err(Reason::Incomplete("no invariant about cells of arrays was found".to_string()))
}

/// How a variable runs through the cells of an array: the index is `base + step·variable`.
#[derive(Clone, PartialEq, Eq)]
struct Walk {
    variable: TermId,
    step: Rational,
    base: Linear,
}

impl Walk {
    /// The index where the variable has this value.
    fn index(&self, pool: &mut TermPool, value: TermId) -> TermId {
        let mut sum = self.base.clone();
        sum.add_scaled(&pool.linear(value), &self.step);
        pool.linear_term(&sum, SortId::INT)
    }
}

/// Something that may hold of the cells along a walk: a formula that reads them at the walk's index.
struct Fact {
    array: TermId,
    walk: Walk,
    formula: TermId,
}

/// What the text of a program suggests.
#[derive(Default)]
struct Text {
    facts: Vec<Fact>,
    /// The walks of each array.
    walks: BTreeMap<TermId, Vec<Walk>>,
    /// What is assigned to a variable that does not depend on it: where it may begin.
    starts: BTreeMap<TermId, BTreeSet<TermId>>,
    /// What a variable is compared with: where it may end.
    limits: BTreeMap<TermId, BTreeSet<TermId>>,
    /// Variables that are made smaller.
    falling: BTreeSet<TermId>,
}

impl Text {
    fn read(pool: &mut TermPool, icfg: &Icfg) -> Text {
        let mut text = Text::default();
        let mut assigned: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
        let mut hidden = BTreeSet::new();
        let mut formulas = Vec::new();
        for edge in icfg.edges.values() {
            match &edge.label {
                // The range of a type is no news about cells.
                Label::Stmt(Stmt::Assume(_)) if edge.note == Note::Fact => {}
                Label::Stmt(Stmt::Assume(condition)) => formulas.push(*condition),
                Label::Stmt(Stmt::Assign(pairs)) => {
                    for &(var, value) in pairs {
                        assigned.entry(icfg.vars[var].term).or_default().push(value);
                        if edge.note.is_hidden() {
                            hidden.insert(icfg.vars[var].term);
                        }
                    }
                }
                Label::Stmt(Stmt::Havoc(..)) | Label::AtomicBegin | Label::AtomicEnd => {}
                Label::Block(_) | Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {}
            }
        }
        // Variables of the front end that are assigned once are names for what they are assigned.
        let names: Vec<(TermId, TermId)> = assigned
            .iter()
            .filter(|(var, values)| {
                hidden.contains(*var) && values.len() == 1 && !pool.free_constants(values[0]).contains(var)
            })
            .map(|(&var, values)| (var, values[0]))
            .filter(|&(_, value)| pool.sort(value) == SortId::INT && reads(pool, value).is_empty())
            .collect();
        for formula in formulas.iter_mut().chain(assigned.values_mut().flatten()) {
            *formula = pool.substitute(*formula, &names);
        }
        for (&var, values) in &assigned {
            formulas.extend(values);
            for &value in values.iter().filter(|_| pool.sort(var) == SortId::INT) {
                let linear = pool.linear(value);
                if linear.coefficient(var).is_some() {
                    if linear.constant.is_negative() {
                        text.falling.insert(var);
                    }
                } else if linear.terms.iter().all(|(t, _)| pool.as_symbol(*t).is_some()) {
                    text.starts.entry(var).or_default().insert(value);
                }
            }
        }
        let mut order = Vec::new();
        pool.visit_postorder(&formulas, |t| order.push(t));
        // Stores first: what holds of cells is usually what was stored.
        let mut stored = Vec::new();
        let mut asked = Vec::new();
        for t in order {
            match pool.op(t) {
                Op::Store => {
                    if let Some(array) = root(pool, t) {
                        let (index, value) = (pool.arg(t, 1), pool.arg(t, 2));
                        if pool.sort(value) == SortId::INT {
                            let cell = pool.select(array, index);
                            stored.push((array, index, pool.eq(cell, value)));
                        }
                    }
                }
                Op::Le | Op::Lt | Op::Eq if pool.sort(pool.arg(t, 0)) == SortId::INT => {
                    text.note_limits(pool, t);
                    for (array, index) in reads(pool, t) {
                        asked.push((array, index, t));
                        asked.push((array, index, pool.not(t)));
                    }
                }
                _ => {}
            }
        }
        for (array, index, formula) in stored.into_iter().chain(asked) {
            text.note_fact(pool, array, index, formula);
        }
        text.facts.truncate(MAX_FACTS);
        text
    }

    /// From `variable ≤ limit` and the like.
    fn note_limits(&mut self, pool: &mut TermPool, comparison: TermId) {
        let (left, right) = (pool.arg(comparison, 0), pool.arg(comparison, 1));
        let mut difference = pool.linear(left);
        difference.add_scaled(&pool.linear(right), &Rational::from(-1i64));
        for (variable, factor) in difference.terms.clone() {
            if factor.abs() != Rational::from(1i64) || pool.as_symbol(variable).is_none() {
                continue;
            }
            let mut rest = difference.clone();
            rest.add_term(variable, &-factor.clone());
            rest.scale(&-factor);
            // One step further, for comparisons that include the limit.
            for further in [0i64, 1] {
                let mut limit = rest.clone();
                limit.constant = &limit.constant + &Rational::from(further);
                let limit = pool.linear_term(&limit, SortId::INT);
                self.limits.entry(variable).or_default().insert(limit);
            }
        }
    }

    fn note_fact(&mut self, pool: &mut TermPool, array: TermId, index: TermId, formula: TermId) {
        let linear = pool.linear(index);
        for (variable, step) in linear.terms.clone() {
            let is_counter = pool.as_symbol(variable).is_some() && self.starts.contains_key(&variable);
            if !is_counter || !step.is_integer() {
                continue;
            }
            let mut base = linear.clone();
            base.add_term(variable, &-step.clone());
            let walk = Walk { variable, step, base };
            let walks = self.walks.entry(array).or_default();
            if !walks.contains(&walk) {
                walks.push(walk.clone());
            }
            let is_known = |f: &Fact| f.array == array && f.walk == walk && f.formula == formula;
            if !self.facts.iter().any(is_known) {
                self.facts.push(Fact { array, walk, formula });
            }
        }
    }

    /// Bounds of the counters, and of what is compared with numbers.
    fn bounds(&self, pool: &mut TermPool) -> Vec<TermId> {
        let counters: BTreeSet<TermId> = self.walks.values().flatten().map(|w| w.variable).collect();
        let mut bounds = Vec::new();
        for &variable in &counters {
            for &start in self.starts.get(&variable).into_iter().flatten() {
                bounds.push(pool.ge(variable, start));
                bounds.push(pool.le(variable, start));
            }
        }
        for (&variable, limits) in &self.limits {
            for &limit in limits {
                if counters.contains(&variable) || pool.number(limit).is_some() {
                    bounds.push(pool.le(variable, limit));
                    bounds.push(pool.ge(variable, limit));
                }
            }
        }
        bounds
    }

    /// The fact for ranges of cells, `bound` standing for their index.
    fn guesses(&self, pool: &mut TermPool, fact: &Fact, bound: TermId) -> Vec<TermId> {
        let Some(body) = self.at_index(pool, fact, bound) else { return Vec::new() };
        let cell = pool.select(fact.array, bound);
        let step = fact.walk.step.abs();
        let aligned = if step == Rational::from(1i64) {
            TermId::TRUE
        } else {
            let mut offset = pool.linear(bound);
            offset.add_scaled(&fact.walk.base, &Rational::from(-1i64));
            let (offset, step) = (pool.linear_term(&offset, SortId::INT), pool.int_num(step));
            let rest = pool.modulo(offset, step);
            let zero = pool.int(0);
            pool.eq(rest, zero)
        };
        let mut guesses: Vec<TermId> = Vec::new();
        for (first, end) in self.ranges(pool, fact) {
            let (mut low, mut high) = (fact.walk.index(pool, first), fact.walk.index(pool, end));
            if fact.walk.step.is_negative() {
                // The cells of first, …, end − 1 lie above that of end.
                let one = pool.int(1);
                (low, high) = (pool.add(&[high, one]), pool.add(&[low, one]));
            }
            let above = pool.le(low, bound);
            let below = pool.lt(bound, high);
            let range = pool.and(&[above, below, aligned]);
            let holds = pool.implies(range, body);
            if holds == TermId::TRUE || !pool.free_constants(holds).contains(&fact.array) {
                continue;
            }
            guesses.push(pool.forall(&[bound], vec![vec![cell]], holds));
        }
        guesses.sort_unstable();
        guesses.dedup();
        guesses.truncate(MAX_RANGES);
        guesses
    }

    /// The values of the counter, from the first to before the last, for which the fact may hold.
    fn ranges(&self, pool: &mut TermPool, fact: &Fact) -> Vec<(TermId, TermId)> {
        let is_parallel = |w: &&Walk| w.step == fact.walk.step && w.base == fact.walk.base;
        let counters: Vec<TermId> = self.walks[&fact.array].iter().filter(is_parallel).map(|w| w.variable).collect();
        let zero = pool.int(0);
        let mut starts = BTreeSet::from([zero]);
        let mut limits = BTreeSet::new();
        for counter in &counters {
            starts.extend(self.starts.get(counter).into_iter().flatten());
            limits.extend(self.limits.get(counter).into_iter().flatten());
        }
        let one = pool.int(1);
        let mut ranges = Vec::new();
        for &counter in &counters {
            // What was passed on the way up, or on the way down.
            ranges.extend(starts.iter().map(|&start| (start, counter)));
            if !self.falling.contains(&counter) {
                continue;
            }
            let next = pool.add(&[counter, one]);
            ranges.extend(limits.iter().map(|&limit| (next, limit)));
            ranges.extend(limits.iter().map(|&limit| (counter, limit)));
        }
        for &start in &starts {
            ranges.extend(limits.iter().map(|&limit| (start, limit)));
        }
        ranges
    }

    /// The formula of a fact with the bound variable as index instead of the walk's.
    fn at_index(&self, pool: &mut TermPool, fact: &Fact, bound: TermId) -> Option<TermId> {
        let Walk { variable, step, base } = &fact.walk;
        let one = Rational::from(1i64);
        if step.abs() == one {
            // variable = (bound − base) / step
            let mut value = pool.linear(bound);
            value.add_scaled(base, &Rational::from(-1i64));
            value.scale(step);
            let value = pool.linear_term(&value, SortId::INT);
            return Some(pool.substitute(fact.formula, &[(*variable, value)]));
        }
        // Indices that go the same way keep their distance.
        let here = fact.walk.index(pool, *variable);
        let mut renamed = Vec::new();
        for (_, index) in reads(pool, fact.formula) {
            let mut distance = pool.linear(index);
            distance.add_scaled(&pool.linear(here), &Rational::from(-1i64));
            if distance.coefficient(*variable).is_some() {
                return None;
            }
            distance.add_term(bound, &one);
            renamed.push((index, pool.linear_term(&distance, SortId::INT)));
        }
        let body = pool.substitute(fact.formula, &renamed);
        if pool.free_constants(body).contains(variable) {
            let mut offset = pool.linear(bound);
            offset.add_scaled(base, &Rational::from(-1i64));
            let (offset, size) = (pool.linear_term(&offset, SortId::INT), pool.int_num(step.clone()));
            let value = pool.int_div(offset, size);
            return Some(pool.substitute(body, &[(*variable, value)]));
        }
        Some(body)
    }
}

/// The variable of an array that stores were made to.
fn root(pool: &TermPool, mut array: TermId) -> Option<TermId> {
    while pool.op(array) == Op::Store {
        array = pool.arg(array, 0);
    }
    let is_cells = *pool.sort_data(pool.sort(array)) == Sort::Array(SortId::INT, SortId::INT);
    (is_cells && pool.as_symbol(array).is_some()).then_some(array)
}

/// The reads of array variables in a term: array and index.
fn reads(pool: &TermPool, t: TermId) -> Vec<(TermId, TermId)> {
    let mut found = Vec::new();
    pool.visit_postorder(&[t], |t| {
        if pool.op(t) == Op::Select
            && let Some(array) = root(pool, pool.arg(t, 0)).filter(|&a| a == pool.arg(t, 0))
        {
            found.push((array, pool.arg(t, 1)));
        }
    });
    found
}
