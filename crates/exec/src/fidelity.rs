//! Which values of an execution are not what they would be in the program that was written.
//!
//! The front end marks the values that it does not model exactly: [`Nondet::Inexact`] (any value, where only some can
//! occur) and [`Note::Layout`] (the number of an address, which depends on where objects lie). An execution stands if
//! nothing that it does depends on such a value: no assumption but facts of the front end itself, and so no branch and
//! no check. What is computed from a doubtful value is doubtful, unless the rest decides it; arrays are followed cell
//! by cell. This is taint tracking, for one execution, with the values at hand.
//!
//! The number of an address moves with the layout, but what it leads to does not: as an index, and in sums with exact
//! numbers, it is as good as a pointer.

use crate::interp::{Machine, ReplayError};
use ir::{CallSiteId, Icfg, Label, Nondet, Note, Stmt, VarId, VarKind};
use logic::{Op, Sort, TermId, TermPool, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How far a value can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trust {
    Exact,
    /// An address as a number: other layouts give other numbers for the same thing.
    Address,
    None,
}

/// The trust in a variable, or in an array and those of its cells that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shade {
    rest: Trust,
    cells: BTreeMap<Value, Trust>,
}

impl Shade {
    const NONE: Shade = Shade { rest: Trust::None, cells: BTreeMap::new() };

    fn plain(rest: Trust) -> Shade {
        Shade { rest, cells: BTreeMap::new() }
    }
    fn is_exact(&self) -> bool {
        self.rest == Trust::Exact && self.cells.values().all(|t| *t == Trust::Exact)
    }
    fn worst(&self) -> Trust {
        self.cells.values().copied().fold(self.rest, Trust::max)
    }
}

/// The doubtful values at some point of an execution.
pub(crate) struct Doubts<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    by_term: FxHashMap<TermId, VarId>,
    /// Variables that are not listed are exact.
    shades: BTreeMap<VarId, Shade>,
    /// What the variables of the callee were before each call that is open.
    stack: Vec<Vec<(VarId, Option<Shade>)>>,
    /// What was not modelled first.
    source: Option<String>,
}

/// The trust in the terms of one step.
struct Terms<'d, 'a> {
    doubts: &'d Doubts<'a>,
    machine: &'d Machine<'a>,
    step: usize,
    known: FxHashMap<TermId, Trust>,
}

impl<'a> Doubts<'a> {
    pub(crate) fn new(icfg: &'a Icfg, pool: &'a TermPool) -> Doubts<'a> {
        let by_term = icfg.vars.iter().map(|(id, v)| (v.term, id)).collect();
        Doubts { icfg, pool, by_term, shades: BTreeMap::new(), stack: Vec::new(), source: None }
    }

    /// Follows a step that the machine is about to make; an error if it depends on a doubtful value.
    pub(crate) fn step(&mut self, machine: &Machine<'a>, i: usize, step: ir::EdgeId) -> Result<(), ReplayError> {
        let Some(edge) = self.icfg.edges.get(step) else { return Ok(()) };
        match &edge.label {
            Label::Stmt(Stmt::Havoc(vars, why)) => {
                for &v in vars {
                    match why {
                        Nondet::Inexact(what) => {
                            self.source.get_or_insert_with(|| what.clone());
                            self.shades.insert(v, Shade::NONE);
                        }
                        // Nothing after an `Overapproximation` counts anyway.
                        Nondet::Choice | Nondet::Input(_) | Nondet::Read(_) | Nondet::Overapproximation(_) => {
                            self.shades.remove(&v);
                        }
                    }
                }
                Ok(())
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let is_address = edge.note == Note::Layout;
                if self.shades.is_empty() && !is_address {
                    return Ok(());
                }
                let mut terms = self.terms(machine, i);
                let mut new = Vec::with_capacity(pairs.len());
                for &(v, t) in pairs {
                    let mut shade = terms.of_any(t)?;
                    if is_address {
                        shade.rest = shade.rest.max(Trust::Address);
                    }
                    new.push((v, shade));
                }
                if is_address {
                    self.source.get_or_insert_with(|| "the numerical value of an address".to_string());
                }
                self.set(new);
                Ok(())
            }
            Label::Stmt(Stmt::Assume(condition)) => {
                if self.shades.is_empty() || edge.note == Note::Fact {
                    return Ok(());
                }
                match self.terms(machine, i).of(*condition)? {
                    Trust::Exact => Ok(()),
                    Trust::Address | Trust::None => {
                        let what = self.source.clone().unwrap_or_default();
                        Err(ReplayError::Overapproximation(i, what))
                    }
                }
            }
            Label::Call(site) => self.call(machine, i, *site),
            Label::Return(site) => {
                self.leave(*site);
                Ok(())
            }
            Label::Block(_) | Label::Fork { .. } | Label::Join { .. } | Label::AtomicBegin | Label::AtomicEnd => Ok(()),
        }
    }

    fn terms<'d>(&'d self, machine: &'d Machine<'a>, step: usize) -> Terms<'d, 'a> {
        Terms { doubts: self, machine, step, known: FxHashMap::default() }
    }

    fn set(&mut self, shades: Vec<(VarId, Shade)>) {
        for (v, shade) in shades {
            if shade.is_exact() {
                self.shades.remove(&v);
            } else {
                self.shades.insert(v, shade);
            }
        }
    }

    fn call(&mut self, machine: &Machine<'a>, i: usize, site: CallSiteId) -> Result<(), ReplayError> {
        let call = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[call.callee];
        let mut new = Vec::new();
        if !self.shades.is_empty() {
            let mut terms = self.terms(machine, i);
            for (&p, &a) in callee.params.iter().zip(&call.args) {
                new.push((p, terms.of_any(a)?));
            }
        } else {
            new.extend(callee.params.iter().map(|&p| (p, Shade::plain(Trust::Exact))));
        }
        new.extend(callee.results.iter().chain(&callee.locals).map(|&v| (v, Shade::plain(Trust::Exact))));
        for (old, variable) in self.icfg.vars.iter() {
            if let VarKind::Old(global) = variable.kind
                && let Some(shade) = self.shades.get(&global)
            {
                new.push((old, shade.clone()));
            }
        }
        self.stack.push(new.iter().map(|(v, _)| (*v, self.shades.get(v).cloned())).collect());
        self.set(new);
        Ok(())
    }

    fn leave(&mut self, site: CallSiteId) {
        let call = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[call.callee];
        let shade = |v: &VarId| self.shades.get(v).cloned().unwrap_or(Shade::plain(Trust::Exact));
        let results: Vec<(VarId, Shade)> =
            call.results.iter().zip(&callee.results).map(|(&to, from)| (to, shade(from))).collect();
        for (v, saved) in self.stack.pop().unwrap_or_default() {
            match saved {
                Some(shade) => self.shades.insert(v, shade),
                None => self.shades.remove(&v),
            };
        }
        self.set(results);
    }
}

impl Terms<'_, '_> {
    fn is_array(&self, t: TermId) -> bool {
        let pool = self.doubts.pool;
        matches!(pool.sort_data(pool.sort(t)), Sort::Array(..))
    }

    fn of_any(&mut self, t: TermId) -> Result<Shade, ReplayError> {
        if self.is_array(t) { self.of_array(t) } else { Ok(Shade::plain(self.of(t)?)) }
    }

    fn value(&self, t: TermId) -> Result<Value, ReplayError> {
        self.machine.eval(self.step, t)
    }

    fn args(&self, t: TermId) -> Vec<TermId> {
        self.doubts.pool.args(t).to_vec()
    }

    /// The trust in a term; of an array the worst of its cells.
    fn of(&mut self, t: TermId) -> Result<Trust, ReplayError> {
        if let Some(&trust) = self.known.get(&t) {
            return Ok(trust);
        }
        let trust = self.compute(t)?;
        self.known.insert(t, trust);
        Ok(trust)
    }

    fn compute(&mut self, t: TermId) -> Result<Trust, ReplayError> {
        if let Some(v) = self.doubts.by_term.get(&t) {
            return Ok(self.doubts.shades.get(v).map_or(Trust::Exact, Shade::worst));
        }
        if self.is_array(t) {
            return Ok(self.of_array(t)?.worst());
        }
        let args = self.args(t);
        let op = self.doubts.pool.op(t);
        match (op, &args[..]) {
            (Op::Select, &[array, index]) => {
                let (shade, at) = (self.of_array(array)?, self.of(index)?);
                if shade.is_exact() && at != Trust::None {
                    return Ok(Trust::Exact);
                }
                if at == Trust::None {
                    return Ok(Trust::None);
                }
                let index = self.value(index)?;
                return Ok(shade.cells.get(&index).copied().unwrap_or(shade.rest));
            }
            (Op::Ite, &[condition, yes, no]) => {
                if self.of(condition)? == Trust::Exact {
                    let taken = if self.value(condition)? == Value::Bool(true) { yes } else { no };
                    return self.of(taken);
                }
                let both = self.of(yes)?.max(self.of(no)?);
                return Ok(if self.value(yes)? == self.value(no)? { both } else { Trust::None });
            }
            _ => {}
        }
        let mut trusts = Vec::with_capacity(args.len());
        for &arg in &args {
            trusts.push(self.of(arg)?);
        }
        let worst = trusts.iter().copied().max().unwrap_or(Trust::Exact);
        if worst == Trust::Exact {
            return Ok(Trust::Exact);
        }
        let n_doubtful = trusts.iter().filter(|t| **t != Trust::Exact).count();
        Ok(match op {
            Op::Not => worst,
            Op::And | Op::Or => {
                // An exact operand may decide.
                let deciding = Value::Bool(op == Op::Or);
                let mut decides = false;
                for (&arg, &trust) in args.iter().zip(&trusts) {
                    decides |= trust == Trust::Exact && self.value(arg)? == deciding;
                }
                if decides { Trust::Exact } else { Trust::None }
            }
            Op::Add | Op::BvAdd if worst == Trust::Address && n_doubtful == 1 => Trust::Address,
            Op::BvSub if trusts == [Trust::Address, Trust::Exact] => Trust::Address,
            Op::Eq if worst == Trust::Address => match n_doubtful {
                2 => Trust::Exact,
                // No object is at null; and one that has this number here has another elsewhere.
                _ => {
                    let (a, b) = (self.value(args[0])?, self.value(args[1])?);
                    if a == b { Trust::None } else { Trust::Exact }
                }
            },
            _ => Trust::None,
        })
    }

    fn of_array(&mut self, t: TermId) -> Result<Shade, ReplayError> {
        if let Some(v) = self.doubts.by_term.get(&t) {
            return Ok(self.doubts.shades.get(v).cloned().unwrap_or(Shade::plain(Trust::Exact)));
        }
        let args = self.args(t);
        match (self.doubts.pool.op(t), &args[..]) {
            (Op::Store, &[array, index, value]) => {
                let mut shade = self.of_array(array)?;
                let (at, trust) = (self.of(index)?, self.of(value)?);
                if at == Trust::None {
                    return Ok(Shade::NONE);
                }
                if trust != shade.rest || !shade.cells.is_empty() {
                    shade.cells.insert(self.value(index)?, trust);
                }
                Ok(shade)
            }
            (Op::ConstArray, &[value]) => Ok(Shade::plain(self.of(value)?)),
            (Op::Ite, &[condition, yes, no]) if self.of(condition)? == Trust::Exact => {
                let taken = if self.value(condition)? == Value::Bool(true) { yes } else { no };
                self.of_array(taken)
            }
            _ => {
                let mut worst = Trust::Exact;
                for &arg in &args {
                    worst = worst.max(self.of(arg)?);
                }
                Ok(if worst == Trust::Exact { Shade::plain(Trust::Exact) } else { Shade::NONE })
            }
        }
    }
}
