//! What the text of a program suggests about its watched cells.
//!
//! - *What holds of a cell* is, first of all, that the program does not go wrong there; what had to hold before a store
//!   so that this holds after it; what is stored (`a[i] = v`); and what a condition asks about it (`a[i] ≤ m`), or the
//!   opposite.
//! - *Of which cells* it holds are those that a loop has already passed (`first ≤ k < i`, or `i < k < n` on the way
//!   down), or all up to a limit with which the index is compared (`first ≤ k < n`). Where several counters make an
//!   index, as `n·i + j`, they count together.
//!
//! All is read off the steps of large blocks, in which temporary variables are gone.

use super::cells::{Watched, root};
use crate::candidate_atoms::{local_constants, names_after};
use ir::{EdgeId, Icfg, Transition};
use logic::{FastSet, Linear, Op, Rational, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The most facts about cells that are tried, and the most ranges for each.
const MAX_FACTS: usize = 60;
const MAX_RANGES: usize = 40;
/// How often what is stored is put into what must hold.
const N_PULLED_BACK: usize = 3;

/// What the text of a program suggests.
#[derive(Default)]
pub(super) struct Text {
    /// What may hold of watched cells, over their values and `k`.
    pub facts: Vec<TermId>,
    /// What is compared with `k`: the variables that make an index, without what stays.
    units: Vec<Linear>,
    /// Indices that go in larger steps, for cells in between.
    indices: Vec<Linear>,
    /// What is assigned to a variable that does not depend on it: where it may begin.
    starts: BTreeMap<TermId, BTreeSet<TermId>>,
    /// What a variable is compared with: where it may end.
    limits: BTreeMap<TermId, BTreeSet<TermId>>,
    /// Variables that are made smaller.
    falling: BTreeSet<TermId>,
    /// By how much variables are made larger, if not by one.
    strides: BTreeSet<Rational>,
    /// What holds after the first step, over variables.
    established: BTreeSet<TermId>,
}

/// What single steps say, before it is put in terms of `k`.
#[derive(Default)]
struct Sayings {
    goals: Vec<TermId>,
    stored: Vec<(TermId, TermId)>,
    asked: Vec<TermId>,
}

impl Text {
    pub(super) fn read(
        pool: &mut TermPool,
        blocks: &Icfg,
        steps: &BTreeMap<EdgeId, Transition>,
        watched: &Watched,
    ) -> Text {
        let mut text = Text::default();
        let mut sayings = Sayings::default();
        for (&edge, step) in steps {
            let is_first = blocks.edges[edge].src == blocks.entry();
            text.read_step(pool, blocks, step, is_first, &mut sayings);
            for (_, index) in watched.accesses(pool, step) {
                let Some(unit) = watched.unit(pool, index).filter(|u| !u.is_constant()) else { continue };
                let whole = pool.linear(index);
                let is_running = whole.terms.len() == unit.terms.len();
                if is_running && whole.terms != unit.terms && !text.indices.contains(&whole) {
                    text.indices.push(whole);
                }
                if !text.units.contains(&unit) {
                    text.units.push(unit);
                }
            }
            if blocks.locs[blocks.edges[edge].dst].error.is_some() {
                let local = local_constants(pool, blocks, step);
                sayings.goals.extend(goal(pool, step, &local));
            }
        }
        text.facts = text.facts_about_cells(pool, watched, &sayings);
        text
    }

    fn read_step(
        &mut self,
        pool: &mut TermPool,
        blocks: &Icfg,
        step: &Transition,
        is_first: bool,
        sayings: &mut Sayings,
    ) {
        let local = local_constants(pool, blocks, step);
        let is_known = |pool: &TermPool, t: TermId| pool.free_constants(t).iter().all(|c| !local.contains(c));
        let names = names_after(pool, blocks, step);
        let mut order = Vec::new();
        pool.visit_postorder(&[step.plain], |t| order.push(t));
        for t in order {
            match pool.op(t) {
                Op::Store => {
                    let (index, value) = (pool.arg(t, 1), pool.arg(t, 2));
                    if let Some(array) = root(pool, t)
                        && is_known(pool, index)
                        && is_known(pool, value)
                    {
                        sayings.stored.push((pool.select(array, index), value));
                    }
                }
                Op::Le | Op::Lt | Op::Eq if pool.sort(pool.arg(t, 0)) == SortId::INT => {
                    let mut difference = pool.linear(pool.arg(t, 0));
                    difference.add_scaled(&pool.linear(pool.arg(t, 1)), &Rational::from(-1i64));
                    if is_known(pool, t) {
                        self.note_limits(pool, &difference);
                        if !reads(pool, t).is_empty() && !is_range_of_type(pool, t) {
                            sayings.asked.push(t);
                            sayings.asked.push(pool.not(t));
                        }
                        continue;
                    }
                    if pool.op(t) == Op::Eq {
                        for &v in &step.assigned {
                            self.note_assignment(pool, blocks.vars[v].term, &difference, &local);
                        }
                    }
                    let after = pool.substitute(t, &names);
                    if is_known(pool, after) && matches!(pool.op(after), Op::Le | Op::Lt | Op::Eq) {
                        if is_first && reads(pool, after).is_empty() {
                            self.established.insert(after);
                        }
                        let mut difference = pool.linear(pool.arg(after, 0));
                        difference.add_scaled(&pool.linear(pool.arg(after, 1)), &Rational::from(-1i64));
                        self.note_limits(pool, &difference);
                    }
                }
                _ => {}
            }
        }
    }

    /// From `variable ≤ limit` and the like.
    fn note_limits(&mut self, pool: &mut TermPool, difference: &Linear) {
        for (variable, factor) in &difference.terms {
            if factor.abs() != Rational::from(1i64) || pool.as_symbol(*variable).is_none() {
                continue;
            }
            let rest = solved(difference, *variable, factor);
            let is_range = rest.is_constant() && is_end_of_type(&rest.constant);
            if is_range || rest.terms.iter().any(|(t, _)| pool.as_symbol(*t).is_none()) {
                continue;
            }
            // One step further, for comparisons that include the limit.
            for further in [0i64, 1] {
                let mut limit = rest.clone();
                limit.constant = &limit.constant + &Rational::from(further);
                let limit = pool.linear_term(&limit, SortId::INT);
                self.limits.entry(*variable).or_default().insert(limit);
            }
        }
    }

    /// From `variable' = …`.
    fn note_assignment(&mut self, pool: &mut TermPool, variable: TermId, difference: &Linear, local: &FastSet<TermId>) {
        let after = ir::primed(pool, variable);
        let Some(factor) = difference.coefficient(after).cloned() else { return };
        if factor.abs() != Rational::from(1i64) {
            return;
        }
        let value = solved(difference, after, &factor);
        if value.terms.iter().any(|(t, _)| local.contains(t) || pool.as_symbol(*t).is_none()) {
            return;
        }
        if value.coefficient(variable).is_none() {
            let value = pool.linear_term(&value, SortId::INT);
            self.starts.entry(variable).or_default().insert(value);
        } else if value.constant.is_negative() {
            self.falling.insert(variable);
        } else if value.constant > Rational::from(1i64) {
            self.strides.insert(value.constant);
        }
    }

    fn facts_about_cells(&self, pool: &mut TermPool, watched: &Watched, sayings: &Sayings) -> Vec<TermId> {
        let forms = |pool: &mut TermPool, formula: TermId| -> Vec<TermId> {
            self.units.iter().filter_map(|unit| watched.in_terms_of_k(pool, formula, unit)).collect()
        };
        let mut goals: Vec<TermId> = Vec::new();
        for &goal in &sayings.goals {
            goals.extend(forms(pool, goal));
        }
        let mut stored = Vec::new();
        for &(cell, value) in &sayings.stored {
            for unit in &self.units {
                if let Some(cell) = watched.in_terms_of_k(pool, cell, unit)
                    && let Some(value) = watched.in_terms_of_k(pool, value, unit)
                {
                    stored.push((cell, value));
                }
            }
        }
        let mut pulled_back = goals.clone();
        for _ in 0..N_PULLED_BACK {
            let mut before = Vec::new();
            for &goal in &pulled_back {
                for &(cell, value) in &stored {
                    let needed = pool.substitute(goal, &[(cell, value)]);
                    if needed != goal && needed != TermId::TRUE && needed != TermId::FALSE {
                        before.push(needed);
                    }
                }
            }
            before.truncate(MAX_FACTS);
            goals.extend(&before);
            pulled_back = before;
        }
        let mut facts = Vec::new();
        // What is stored first: what must hold often follows.
        facts.extend(stored.iter().map(|&(cell, value)| pool.eq(cell, value)));
        facts.extend(goals);
        for &asked in &sayings.asked {
            facts.extend(forms(pool, asked));
        }
        let mut seen = FastSet::default();
        facts.retain(|&f| f != TermId::TRUE && f != TermId::FALSE && seen.insert(f));
        facts.truncate(MAX_FACTS);
        facts
    }

    /// Bounds of the counters, and of what is compared with numbers.
    pub(super) fn bounds(&self, pool: &mut TermPool) -> Vec<TermId> {
        let counters: BTreeSet<TermId> = self.units.iter().flat_map(|u| u.terms.iter().map(|(t, _)| *t)).collect();
        let mut bounds: Vec<TermId> = self.established.iter().copied().collect();
        for &variable in &counters {
            for &start in self.starts.get(&variable).into_iter().flatten() {
                bounds.push(pool.ge(variable, start));
                bounds.push(pool.le(variable, start));
                bounds.extend(self.strides.iter().map(|stride| is_multiple(pool, variable, start, stride)));
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

    /// A fact for ranges of cells.
    pub(super) fn guesses(&self, pool: &mut TermPool, fact: TermId, k: TermId) -> Vec<TermId> {
        let mut guesses = Vec::new();
        for (first, end) in self.ranges(pool) {
            let (above, below) = (pool.le(first, k), pool.lt(k, end));
            let range = pool.and2(above, below);
            guesses.push(pool.implies(range, fact));
            for stride in &self.strides {
                // Only every n-th cell was passed.
                let is_passed = is_multiple(pool, k, first, stride);
                let range = pool.and2(range, is_passed);
                guesses.push(pool.implies(range, fact));
            }
        }
        let mut seen = FastSet::default();
        guesses.retain(|&g| g != TermId::TRUE && seen.insert(g));
        guesses.truncate(MAX_RANGES);
        guesses
    }

    /// The values of `k`, from the first to before the last, for which a fact may hold.
    fn ranges(&self, pool: &mut TermPool) -> Vec<(TermId, TermId)> {
        let (zero, one) = (pool.int(0), pool.int(1));
        let mut ranges = Vec::new();
        for counter in self.units.iter().chain(&self.indices) {
            let whole = pool.linear_term(counter, SortId::INT);
            let mut firsts = vec![zero];
            let mut ends = vec![whole];
            for (variable, _) in &counter.terms {
                let starts: Vec<TermId> = self.starts.get(variable).into_iter().flatten().copied().collect();
                let limits: Vec<TermId> = self.limits.get(variable).into_iter().flatten().copied().collect();
                let at_start = |pool: &mut TermPool, t: TermId, skipped: TermId| {
                    let others = counter.terms.iter().map(|(v, _)| *v).filter(|&v| v != skipped);
                    let starts: Vec<(TermId, TermId)> =
                        others.filter_map(|v| Some((v, *self.starts.get(&v)?.first()?))).collect();
                    pool.substitute(t, &starts)
                };
                if counter.terms.len() == 1 {
                    firsts.extend(starts.iter().map(|&s| pool.substitute(whole, &[(*variable, s)])));
                } else {
                    // A counter starts again; or the others do.
                    ends.extend(starts.iter().map(|&s| pool.substitute(whole, &[(*variable, s)])));
                    ends.push(at_start(pool, whole, *variable));
                }
                for limit in limits {
                    let end = pool.substitute(whole, &[(*variable, limit)]);
                    ends.push(at_start(pool, end, *variable));
                }
            }
            for &first in &firsts {
                ranges.extend(ends.iter().map(|&end| (first, end)));
            }
            if let [(variable, _)] = counter.terms[..]
                && self.falling.contains(&variable)
            {
                let next = pool.add(&[variable, one]);
                for &limit in self.limits.get(&variable).into_iter().flatten() {
                    ranges.extend([(next, limit), (variable, limit)]);
                }
            }
        }
        ranges.retain(|&(first, end)| match (pool.number(first), pool.number(end)) {
            (Some(first), Some(end)) => first < end,
            _ => first != end,
        });
        ranges
    }
}

/// Is the distance a multiple of a number?
fn is_multiple(pool: &mut TermPool, from: TermId, to: TermId, of: &Rational) -> TermId {
    let (distance, of) = (pool.sub(from, to), pool.int_num(of.clone()));
    let (remainder, zero) = (pool.modulo(distance, of), pool.int(0));
    pool.eq(remainder, zero)
}

/// `variable = …`, from `difference = 0`, in which it has a factor of 1 or -1.
fn solved(difference: &Linear, variable: TermId, factor: &Rational) -> Linear {
    let mut rest = difference.clone();
    rest.add_term(variable, &-factor.clone());
    rest.scale(&-factor.clone());
    rest
}

/// What must hold of the cells that are read on a step into an error, so that it cannot be taken.
fn goal(pool: &mut TermPool, step: &Transition, local: &FastSet<TermId>) -> Option<TermId> {
    // Constants that are equated with something known are that.
    let conjuncts = pool.conjuncts(step.plain);
    let mut meant = Vec::new();
    for &c in conjuncts.iter().filter(|&&c| pool.op(c) == Op::Eq) {
        for (constant, value) in [(pool.arg(c, 0), pool.arg(c, 1)), (pool.arg(c, 1), pool.arg(c, 0))] {
            let is_known = pool.free_constants(value).iter().all(|t| !local.contains(t));
            if step.aux.contains(&constant) && is_known && pool.number(value).is_none() {
                meant.push((constant, value));
            }
        }
    }
    let conjuncts: Vec<TermId> = conjuncts.into_iter().map(|c| pool.substitute(c, &meant)).collect();
    let about_cells: Vec<TermId> = conjuncts
        .into_iter()
        .filter(|&c| !reads(pool, c).is_empty() && !is_range_of_type(pool, c))
        .filter(|&c| pool.free_constants(c).iter().all(|t| !local.contains(t)))
        .collect();
    if about_cells.is_empty() {
        return None;
    }
    let violated = pool.and(&about_cells);
    let goal = pool.not(violated);
    Some(pool.simplify(goal))
}

/// A comparison with a limit of a type says nothing about cells.
fn is_range_of_type(pool: &TermPool, t: TermId) -> bool {
    let atom = if pool.op(t) == Op::Not { pool.arg(t, 0) } else { t };
    if !matches!(pool.op(atom), Op::Le | Op::Lt) {
        return false;
    }
    pool.args(atom).iter().filter_map(|&side| pool.number(side)).any(is_end_of_type)
}

fn is_end_of_type(number: &Rational) -> bool {
    let near = [-1i64, 0, 1].map(|d| &number.abs() + &Rational::from(d));
    [15, 16, 31, 32, 63, 64].iter().any(|&bits| near.contains(&Rational::pow2(bits)))
}

/// The reads of array variables in a term: array and index.
pub(super) fn reads(pool: &TermPool, t: TermId) -> Vec<(TermId, TermId)> {
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
