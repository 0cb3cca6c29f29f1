//! The transfer function: the abstract state after a step of a thread, and the shared cells that the step writes.

use super::facts::{escape, kill_aliases};
use super::{Cell, Facts, NewSymbol, ThreadId, Threads};
use crate::icfg::{EdgeId, Label};
use crate::program::{Stmt, VarId};
use base::Id;
use logic::{Op, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Which part of a variable a step writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// All of it: a scalar, or an array about whose places nothing is known.
    Whole,
    At(TermId),
}

/// What a step does.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is known afterwards, before others interfere.
    pub after: Facts,
    /// The shared variables it writes.
    pub writes: Vec<(VarId, Place)>,
    /// Variables that are no locks, nor counts of readers, if the step is possible.
    pub broken: BTreeSet<VarId>,
    /// No other thread is running.
    pub(super) is_alone: bool,
}

impl Threads<'_> {
    /// What a step of a thread does, except calls and returns; `None` if it is impossible. `at_exit`: the threads that
    /// may be alive when a thread has ended, besides itself.
    pub fn step(
        &self,
        pool: &mut TermPool,
        (thread, edge): (ThreadId, EdgeId),
        before: &Facts,
        at_exit: &dyn Fn(ThreadId) -> BTreeSet<ThreadId>,
        new_symbol: &mut NewSymbol<'_>,
    ) -> Option<Step> {
        let mut step = Step {
            after: before.clone(),
            writes: Vec::new(),
            broken: BTreeSet::new(),
            is_alone: thread.index() == 0 && before.alive.is_empty(),
        };
        match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                let may_repeat = self.cyclic.contains(&self.icfg.edges[edge].src);
                self.assign(pool, (pairs, may_repeat), &mut step, new_symbol);
            }
            Label::Stmt(Stmt::Assume(c)) => {
                let c = self.value(pool, &mut step.after, *c, new_symbol);
                if !self.assume(pool, &mut step.after, c) {
                    return None;
                }
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                for &v in vars {
                    self.forget_variable(v, &mut step);
                }
            }
            Label::AtomicBegin => step.after.atomic += 1,
            Label::AtomicEnd => step.after.atomic = step.after.atomic.saturating_sub(1),
            Label::Fork { id, args, .. } => {
                let child = self.forks[&(thread, edge)];
                for &arg in args {
                    let value = self.value(pool, &mut step.after, arg, new_symbol);
                    escape(pool, &mut step.after, value);
                }
                step.after.ids.remove(&child);
                if self.thread(child).is_unique && self.named_forks.contains(&edge) {
                    let id = self.value(pool, &mut step.after, id[0], new_symbol);
                    step.after.ids.insert(child, id);
                }
                step.after.alive.extend(self.subtree(child));
            }
            Label::Join { id, results } => {
                let ended = match &id[..] {
                    &[id] => {
                        let id = self.value(pool, &mut step.after, id, new_symbol);
                        step.after.ids.iter().find(|(_, known)| **known == id).map(|(child, _)| *child)
                    }
                    _ => None,
                };
                if let Some(child) = ended {
                    let gone = self.subtree(child);
                    let left = at_exit(child);
                    step.after.alive.retain(|t| !gone.contains(t) || left.contains(t));
                    step.after.ids.remove(&child);
                }
                for &v in results {
                    self.forget_variable(v, &mut step);
                }
            }
            // Composed statements are not looked into.
            Label::Block(transition) => {
                for &v in &transition.assigned {
                    self.forget_variable(v, &mut step);
                }
                // What it stores where is not looked at.
                step.after.private.clear();
            }
            Label::Call(_) | Label::Return(_) => return None,
        }
        Some(step)
    }

    /// What a new thread knows at its entry, from what its creator knows.
    pub fn entry(&self, pool: &mut TermPool, edge: EdgeId, before: &Facts, new_symbol: &mut NewSymbol<'_>) -> Facts {
        let Label::Fork { callee, args, .. } = &self.icfg.edges[edge].label else { return Facts::default() };
        let mut before = before.clone();
        let mut locals = BTreeMap::new();
        for (&param, &arg) in self.icfg.procs[*callee].params.iter().zip(args) {
            locals.insert(param, self.value(pool, &mut before, arg, new_symbol));
        }
        Facts { locals, cells: before.cells, conditions: before.conditions, ..Facts::default() }
    }

    /// What is known at the entry of a procedure that is called.
    pub fn called(&self, pool: &mut TermPool, edge: EdgeId, before: &Facts, new_symbol: &mut NewSymbol<'_>) -> Facts {
        let Label::Call(site) = self.icfg.edges[edge].label else { return Facts::default() };
        let site = &self.icfg.call_sites[site];
        let mut before = before.clone();
        let mut locals = BTreeMap::new();
        for (&param, &arg) in self.icfg.procs[site.callee].params.iter().zip(&site.args) {
            locals.insert(param, self.value(pool, &mut before, arg, new_symbol));
        }
        Facts { locals, ..before }
    }

    /// What is known after a call, from what was known before it and at the exit of the procedure: facts with symbols
    /// of the procedure are lost.
    pub fn returned(&self, pool: &TermPool, edge: EdgeId, before: &Facts, exit: &Facts) -> Facts {
        let Label::Return(site) = self.icfg.edges[edge].label else { return Facts::default() };
        let site = &self.icfg.call_sites[site];
        let is_fixed = |t: TermId| pool.free_constants(t).iter().all(|c| self.pinned.contains(c));
        let fixed_cell = |cell: &Cell| cell.1.is_none_or(is_fixed);
        let mut after = Facts {
            locals: before.locals.clone(),
            conditions: before.conditions.clone(),
            cells: exit.cells.iter().filter(|(c, v)| fixed_cell(c) && is_fixed(**v)).map(|(c, v)| (*c, *v)).collect(),
            owned: exit.owned.iter().filter(|(c, v)| fixed_cell(c) && is_fixed(**v)).map(|(c, v)| (*c, *v)).collect(),
            read_locked: exit.read_locked.iter().filter(|c| fixed_cell(c)).copied().collect(),
            alive: exit.alive.clone(),
            ids: BTreeMap::new(),
            private: BTreeSet::new(),
            atomic: exit.atomic,
        };
        for v in &site.results {
            after.locals.remove(v);
            if self.is_global(*v) {
                after.cells.retain(|cell, _| cell.0 != *v);
            }
        }
        after
    }

    fn forget_variable(&self, v: VarId, step: &mut Step) {
        if self.is_global(v) {
            step.after.cells.retain(|cell, _| cell.0 != v);
            step.after.owned.retain(|cell, _| cell.0 != v);
            step.after.read_locked.retain(|cell| cell.0 != v);
            step.writes.push((v, Place::Whole));
            if !step.is_alone {
                step.broken.insert(v);
            }
        } else {
            step.after.locals.remove(&v);
        }
    }

    fn assign(
        &self,
        pool: &mut TermPool,
        (pairs, may_repeat): (&[(VarId, TermId)], bool),
        step: &mut Step,
        new_symbol: &mut NewSymbol<'_>,
    ) {
        let facts = &mut step.after;
        let mut values: Vec<(VarId, TermId)> = Vec::with_capacity(pairs.len());
        for &(v, term) in pairs {
            values.push((v, self.evaluate(pool, facts, term, new_symbol)));
        }
        if let Some(counter) = self.allocator
            && let Some((local, _)) = self.taken_from(pairs, counter, pool)
            && (may_repeat || values.iter().any(|p| p.0 == local && !pool.is_value(p.1)))
        {
            // A new object.
            let address = new_symbol(pool, pool.sort(self.icfg.term(local)));
            facts.private.insert(address);
            facts.locals.insert(local, address);
            facts.cells.remove(&(counter, None));
            step.writes.push((counter, Place::Whole));
            values.retain(|p| p.0 != local && p.0 != counter);
        }
        for (v, value) in values {
            if !self.is_global(v) {
                let value = self.closed(pool, &mut step.after, value, new_symbol);
                step.after.locals.insert(v, value);
                continue;
            }
            if !is_array(pool, value) {
                let value = self.closed(pool, &mut step.after, value, new_symbol);
                self.write_cell(pool, (v, None), value, step);
                continue;
            }
            let mut stores = Vec::new();
            let mut base = value;
            while pool.op(base) == Op::Store {
                stores.push((pool.arg(base, 1), pool.arg(base, 2)));
                base = pool.arg(base, 0);
            }
            if base != self.icfg.term(v) || stores.len() > 64 {
                self.forget_variable(v, step);
                let escaping: Vec<TermId> = step.after.private.iter().copied().collect();
                let mentioned = pool.free_constants(value);
                for symbol in escaping.into_iter().filter(|s| mentioned.contains(s)) {
                    step.after.private.remove(&symbol);
                }
                continue;
            }
            for (index, value) in stores.into_iter().rev() {
                let index = self.closed(pool, &mut step.after, index, new_symbol);
                let value = self.closed(pool, &mut step.after, value, new_symbol);
                self.write_cell(pool, (v, Some(index)), value, step);
            }
        }
    }

    /// A shared cell gets a value.
    fn write_cell(&self, pool: &mut TermPool, cell: Cell, value: TermId, step: &mut Step) {
        if self.locks.contains_key(&cell.0) {
            self.write_lock(pool, cell, value, step);
        } else if self.locks.values().any(|readers| *readers == Some(cell.0)) {
            self.write_readers(pool, cell, value, step);
        }
        escape(pool, &mut step.after, value);
        let Step { after, writes, .. } = step;
        kill_aliases(pool, after, cell);
        after.cells.insert(cell, value);
        writes.push((cell.0, cell.1.map_or(Place::Whole, Place::At)));
    }
}

fn is_array(pool: &TermPool, value: TermId) -> bool {
    pool.array_parts(pool.sort(value)).is_some()
}
