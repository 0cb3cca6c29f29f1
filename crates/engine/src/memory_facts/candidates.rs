//! The guesses: what the text of a program suggests about its pointers and its memory.

use crate::candidate_atoms::{local_constants, names_after, with_room};
use crate::houdini::Step;
use ir::Icfg;
use logic::{FastSet, Linear, Op, Rational, Sort, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The most guesses of all.
const MAX_GUESSES: usize = 400;
/// The most cells whose content is known that pointers are compared with, and the most pairs of running variables.
const MAX_ENDS: usize = 12;
const MAX_PAIRS: usize = 12;
/// Limit on atoms instantiated for copied variables.
const MAX_COPIED: usize = 30;

/// What the text says.
#[derive(Default)]
struct Text {
    /// Comparisons over variables before a step, or after it.
    atoms: BTreeSet<TermId>,
    /// What is stored where, under the names that variables have after the step: array, index, value.
    stored: BTreeSet<(TermId, TermId, TermId)>,
    /// Variables that steps move by a number.
    running: BTreeMap<TermId, BTreeSet<Rational>>,
    /// Variables that one step moves by the same number, and those that it moves towards each other.
    together: BTreeSet<(TermId, TermId)>,
    opposite: BTreeSet<(TermId, TermId)>,
    /// Where variables start: what they are set to that does not depend on them.
    starts: BTreeMap<TermId, BTreeSet<TermId>>,
}

/// Formulas that may hold at loop heads.
pub(super) fn guesses(pool: &mut TermPool, icfg: &Icfg, steps: &[Step]) -> Vec<TermId> {
    let mut text = Text::default();
    for step in steps {
        text.read(pool, icfg, step);
    }
    if text.stored.is_empty() {
        return Vec::new();
    }
    text.guesses(pool)
}

impl Text {
    fn read(&mut self, pool: &mut TermPool, icfg: &Icfg, step: &Step) {
        let mut local = local_constants(pool, icfg, &step.transition);
        // Temporaries of an expression are not facts about memory.
        local.extend(icfg.vars.values().filter(|v| v.role == ir::VarRole::Temporary).map(|v| v.term));
        let names = names_after(pool, icfg, &step.transition);
        let is_known = |pool: &TermPool, t: TermId| pool.free_constants(t).iter().all(|c| !local.contains(c));
        let mut order = Vec::new();
        pool.visit_postorder(&[step.transition.plain], |t| {
            if matches!(pool.op(t), Op::Le | Op::Lt | Op::Eq) {
                order.push(t);
            }
        });
        for t in order {
            let after = pool.substitute(t, &names);
            if pool.op(t) == Op::Eq && matches!(pool.sort_data(pool.sort(pool.arg(t, 0))), Sort::Array(..)) {
                if pool.op(after) == Op::Eq {
                    let (left, right) = (pool.arg(after, 0), pool.arg(after, 1));
                    self.note_stores(pool, left, right, &local);
                    self.note_stores(pool, right, left, &local);
                }
                continue;
            }
            if pool.sort(pool.arg(t, 0)) != SortId::INT {
                continue;
            }
            for form in [t, after] {
                if is_known(pool, form) && matches!(pool.op(form), Op::Le | Op::Lt | Op::Eq) && !is_range(pool, form) {
                    self.atoms.insert(form);
                }
            }
        }
        self.note_moves(pool, step, &local);
    }

    fn note_stores(&mut self, pool: &TermPool, array: TermId, value: TermId, local: &FastSet<TermId>) {
        if pool.as_symbol(array).is_none() || local.contains(&array) {
            return;
        }
        let mut stack = vec![value];
        let mut n_seen = 0;
        while let Some(t) = stack.pop() {
            n_seen += 1;
            if n_seen > 100 {
                return;
            }
            match pool.op(t) {
                Op::Store => {
                    let (index, value) = (pool.arg(t, 1), pool.arg(t, 2));
                    let constants = [index, value].map(|t| pool.free_constants(t));
                    if constants.iter().flatten().all(|c| !local.contains(c)) {
                        self.stored.insert((array, index, value));
                    }
                    stack.push(pool.arg(t, 0));
                }
                Op::Ite => stack.extend([pool.arg(t, 1), pool.arg(t, 2)]),
                _ => {}
            }
        }
    }

    fn note_moves(&mut self, pool: &mut TermPool, step: &Step, local: &FastSet<TermId>) {
        let mut moved: Vec<(TermId, Rational)> = Vec::new();
        for equation in pool.conjuncts(step.transition.plain) {
            if pool.op(equation) != Op::Eq || pool.sort(pool.arg(equation, 0)) != SortId::INT {
                continue;
            }
            let mut difference = pool.linear(pool.arg(equation, 0));
            difference.add_scaled(&pool.linear(pool.arg(equation, 1)), &Rational::from(-1i64));
            for &(variable, after) in &step.after {
                let Some(factor) = difference.coefficient(after).cloned() else { continue };
                if factor.abs() != Rational::from(1i64) {
                    continue;
                }
                let mut value = difference.clone();
                value.add_term(after, &-factor.clone());
                value.scale(&-factor);
                let is_local = |t: TermId| pool.free_constants(t).iter().any(|c| local.contains(c));
                if value.terms.iter().any(|(t, _)| is_local(*t)) {
                    continue;
                }
                match &value.terms[..] {
                    [(of, one)] if *of == variable && one.is_one() && !value.constant.is_zero() => {
                        moved.push((variable, value.constant.clone()));
                    }
                    _ if value.coefficient(variable).is_none() => {
                        let value = pool.linear_term(&value, SortId::INT);
                        self.starts.entry(variable).or_default().insert(value);
                    }
                    _ => {}
                }
            }
        }
        for (i, (x, by)) in moved.iter().enumerate() {
            self.running.entry(*x).or_default().insert(by.clone());
            for (y, other) in &moved[i + 1..] {
                if other == by {
                    self.together.insert((*x, *y));
                    self.together.insert((*y, *x));
                } else if *other == -by.clone() {
                    self.opposite.insert((*x, *y));
                    self.opposite.insert((*y, *x));
                }
            }
        }
    }

    fn guesses(&self, pool: &mut TermPool) -> Vec<TermId> {
        let mut guesses = Vec::new();
        let mut ends = BTreeSet::new();
        for &(array, index, value) in &self.stored {
            let read = pool.select(array, index);
            guesses.push(pool.eq(read, value));
            let is_simple = pool.linear(index).terms.iter().all(|(t, _)| pool.as_symbol(*t).is_some());
            let runs = pool.linear(index).terms.iter().any(|(t, _)| self.running.contains_key(t));
            if is_simple && !runs && pool.number(value).is_some() {
                ends.insert(index);
            }
        }
        for &atom in &self.atoms {
            guesses.push(atom);
            guesses.push(pool.not(atom));
            guesses.extend(with_room(pool, atom));
        }
        // What is asked of a variable may hold of its copies.
        let mut of_copies = Vec::new();
        for (&copy, starts) in &self.starts {
            for &of in starts.iter().filter(|&&t| pool.as_symbol(t).is_some()) {
                for &atom in self.atoms.iter().filter(|&&a| pool.free_constants(a) == [of]) {
                    of_copies.push((atom, of, copy));
                }
            }
        }
        for (atom, of, copy) in of_copies.into_iter().take(MAX_COPIED) {
            let atom = pool.substitute(atom, &[(of, copy)]);
            guesses.push(atom);
            guesses.push(pool.not(atom));
            guesses.extend(with_room(pool, atom));
        }
        let ends: Vec<TermId> = ends.into_iter().take(MAX_ENDS).collect();
        for (&x, moves) in &self.running {
            let up = moves.iter().any(Rational::is_positive);
            for &start in self.starts.get(&x).into_iter().flatten() {
                guesses.push(if up { pool.ge(x, start) } else { pool.le(x, start) });
            }
            for &end in &ends {
                guesses.push(if up { pool.le(x, end) } else { pool.ge(x, end) });
            }
        }
        for &(x, y) in self.together.iter().take(MAX_PAIRS) {
            for &start in self.starts.get(&y).into_iter().flatten() {
                for &other in self.starts.get(&x).into_iter().flatten() {
                    let (left, right) = (pool.sub(x, other), pool.sub(y, start));
                    guesses.push(pool.eq(left, right));
                }
                for &end in &ends {
                    // x - end ≤ y - start
                    let (left, right) = (pool.sub(x, end), pool.sub(y, start));
                    guesses.push(pool.le(left, right));
                }
            }
        }
        for &(x, y) in self.opposite.iter().take(MAX_PAIRS) {
            for &start in self.starts.get(&y).into_iter().flatten() {
                for &end in &ends {
                    // x - end ≤ start - y
                    let (left, right) = (pool.sub(x, end), pool.sub(start, y));
                    guesses.push(pool.le(left, right));
                }
            }
        }
        let mut seen = FastSet::default();
        guesses.retain(|&g| g != TermId::TRUE && g != TermId::FALSE && seen.insert(g));
        guesses.truncate(MAX_GUESSES);
        guesses
    }
}

/// A comparison with the end of the range of a type.
fn is_range(pool: &TermPool, atom: TermId) -> bool {
    let mut difference: Linear = pool.linear(pool.arg(atom, 0));
    difference.add_scaled(&pool.linear(pool.arg(atom, 1)), &Rational::from(-1i64));
    let near = [-1i64, 0, 1].map(|d| &difference.constant.abs() + &Rational::from(d));
    pool.op(atom) != Op::Eq
        && difference.terms.len() == 1
        && [7, 8, 15, 16, 31, 32, 63, 64].iter().any(|&bits| near.contains(&Rational::pow2(bits)))
}
