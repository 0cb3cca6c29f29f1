//! Does an endless execution touch the same memory in every iteration?
//!
//! That an iteration does nothing undefined can be seen by executing it in the program with all checks; that the
//! hundredth does not either cannot, unless it accesses what the second did. Along the cycle everything is an
//! assignment (a choice is one too: its value is a term over the variables before), so the indices of all accesses are
//! functions of those variables at the start of an iteration that flow into them. If these have the same values at the
//! start of two iterations they have them forever, since the set is closed under data dependence; then all accesses
//! repeat. Otherwise something *drifts*: an index that grows, a pointer that walks on. Pointers that are computed from
//! themselves count even if nothing is accessed through them, because moving one out of its object is undefined as
//! well.

use crate::interp::Machine;
use ir::dataflow::VarIndex;
use ir::{Icfg, Label, NonTermination, Stmt, TraceStep, VarId};
use logic::{Op, TermId, TermPool, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What an endless execution does with memory, turn by turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Drift {
    /// The same in every iteration.
    Nothing,
    /// This variable decides what is accessed, or is a pointer, and differs from turn to turn.
    Variable(VarId),
    /// It cannot be executed.
    NotExecutable,
}

/// The indices of all reads and writes of arrays in a term.
fn indices(pool: &TermPool, term: TermId, out: &mut Vec<TermId>) {
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        if matches!(pool.op(t), Op::Select | Op::Store) {
            out.push(pool.arg(t, 1));
        }
        open.extend(pool.args(t));
    }
}

/// A step of the cycle: what it assigns, and the terms whose values are indices in it.
struct Step {
    assigned: Vec<(VarId, TermId)>,
    used: Vec<TermId>,
}

/// Of a graph without calls.
pub fn drift(icfg: &Icfg, pool: &TermPool, lasso: &NonTermination, is_pointer: &dyn Fn(VarId) -> bool) -> Drift {
    let index = VarIndex::new(icfg);
    let mut steps: Vec<Step> = Vec::new();
    for step in &lasso.cycle {
        let mut used = Vec::new();
        let assigned = match &icfg.edges[step.edge].label {
            Label::Stmt(Stmt::Assume(condition)) => {
                indices(pool, *condition, &mut used);
                Vec::new()
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                pairs.iter().for_each(|(_, t)| indices(pool, *t, &mut used));
                pairs.clone()
            }
            Label::Stmt(Stmt::Havoc(..)) => step.chosen.iter().map(|(v, t)| (*v, *t)).collect(),
            Label::AtomicBegin | Label::AtomicEnd => Vec::new(),
            Label::Block(_) | Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                return Drift::NotExecutable;
            }
        };
        steps.push(Step { assigned, used });
    }
    // What flows into some terms at the end of an iteration, and into the indices of all iterations, from the start of
    // an iteration.
    let flows_into = |at_end: &BTreeSet<VarId>, with_indices: bool| -> BTreeSet<VarId> {
        let mut live = at_end.clone();
        for Step { assigned, used } in steps.iter().rev() {
            let read: Vec<TermId> = assigned.iter().filter(|(v, _)| live.contains(v)).map(|(_, t)| *t).collect();
            assigned.iter().for_each(|(v, _)| {
                live.remove(v);
            });
            live.extend(index.vars_of(pool, &read));
            if with_indices {
                live.extend(index.vars_of(pool, used));
            }
        }
        live
    };
    let assigned: BTreeSet<VarId> = steps.iter().flat_map(|s| s.assigned.iter().map(|(v, _)| *v)).collect();
    let walks = |v: &VarId| is_pointer(*v) && flows_into(&BTreeSet::from([*v]), false).contains(v);
    let mut watched: BTreeSet<VarId> = assigned.into_iter().filter(walks).collect();
    loop {
        let more = flows_into(&watched, true);
        if more.is_subset(&watched) {
            break;
        }
        watched.extend(more);
    }

    let mut machine = Machine::new(icfg, pool, lasso.stem.symbols.clone());
    for (&v, value) in &lasso.stem.initial {
        machine.set(v, value.clone());
    }
    let mut n_steps = 0;
    for step in &lasso.stem.steps {
        n_steps += 1;
        if machine.step(n_steps, step).is_err() {
            return Drift::NotExecutable;
        }
    }
    let mut before: Option<Vec<(VarId, Value)>> = None;
    // The first iteration may still differ from all others.
    for turn in 0..3 {
        let now: Vec<(VarId, Value)> = watched.iter().map(|v| (*v, machine.value(*v))).collect();
        if turn == 2
            && let Some(before) = &before
        {
            let differs = before.iter().zip(&now).find(|(b, n)| b.1 != n.1);
            return differs.map_or(Drift::Nothing, |(_, n)| Drift::Variable(n.0));
        }
        before = Some(now);
        for step in &lasso.cycle {
            let mut chosen = BTreeMap::new();
            for (&v, &term) in &step.chosen {
                let Ok(value) = machine.eval(n_steps, term) else { return Drift::NotExecutable };
                chosen.insert(v, value);
            }
            n_steps += 1;
            if machine.step(n_steps, &TraceStep { edge: step.edge, chosen }).is_err() {
                return Drift::NotExecutable;
            }
        }
    }
    Drift::NotExecutable
}
