//! Executing a graph with the choices of an execution of another graph of the same source.

use crate::compiled::{Compiled, Open};
use crate::interp::{Machine, has_sort};
use base::IdVec;
use ir::{Check, Icfg, Label, NonTermination, Run, Stmt, TraceStep, VarId};
use logic::{TermPool, Value, default_value};
use std::collections::{BTreeMap, VecDeque};

/// A step may be several in a graph with more checks; and this many may be made in any case.
const STEPS_FOR_ONE: u64 = 8;
const MIN_DRIVEN: u64 = 1_000_000;

/// How a driven execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Driven {
    /// It met this violation.
    Error(Check),
    /// It stopped, or no edge could be taken, or too many steps were made.
    NoError,
}

/// Executes a graph with the choices of an execution of another graph of the same source: where that execution made
/// arbitrary values at a place in the source, this one takes them in the same order. Used to execute a program
/// again with more checks in it. Where several edges can be taken the first is.
pub fn drive(icfg: &Icfg, pool: &TermPool, run: &Run, of: &Icfg) -> Driven {
    let mut choices = Choices::default();
    for step in &run.steps {
        choices.add(of.edges[step.edge].span, step.chosen.iter().map(|(_, value)| value.clone()));
    }
    choices.n_steps = run.n_steps();
    drive_by(icfg, pool, choices)
}

/// The arbitrary values of an execution, by the places in the source where they were made, in the order of the
/// execution.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    by_place: BTreeMap<base::Span, VecDeque<Value>>,
    /// The steps of the execution.
    n_steps: u64,
}

impl Choices {
    fn add(&mut self, place: base::Span, values: impl IntoIterator<Item = Value>) {
        self.n_steps += 1;
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.by_place.entry(place).or_default().extend(values);
        }
    }
}

/// The choices of an endless execution in its stem and some turns; `None` if it cannot be executed.
pub fn choices_of_lasso(icfg: &Icfg, pool: &TermPool, lasso: &NonTermination, n_turns: usize) -> Option<Choices> {
    let mut machine = Machine::new(icfg, pool, lasso.stem.symbols.clone());
    for (&v, value) in &lasso.stem.initial {
        machine.set(v, value.clone());
    }
    let mut choices = Choices::default();
    for step in &lasso.stem.steps {
        machine.step(choices.n_steps as usize, step).ok()?;
        choices.add(icfg.edges[step.edge].span, step.chosen.values().cloned());
    }
    for _ in 0..n_turns {
        for step in &lasso.cycle {
            let mut chosen = BTreeMap::new();
            for (&v, &term) in &step.chosen {
                chosen.insert(v, machine.model.eval(pool, term).ok()?);
            }
            choices.add(icfg.edges[step.edge].span, chosen.values().cloned());
            machine.step(choices.n_steps as usize, &TraceStep { edge: step.edge, chosen }).ok()?;
        }
    }
    Some(choices)
}

/// As [`drive`], with these choices.
pub fn drive_by(icfg: &Icfg, pool: &TermPool, choices: Choices) -> Driven {
    let max_steps = (choices.n_steps * STEPS_FOR_ONE).max(MIN_DRIVEN);
    let mut choices = choices.by_place;
    let graph = Compiled::new(icfg, pool);
    let mut state = graph.start();
    let defaults: IdVec<VarId, Value> = icfg.vars.values().map(|v| default_value(pool, v.sort)).collect();
    for v in icfg.vars.ids() {
        graph.set(&mut state, v, &defaults[v]);
    }
    for _ in 0..max_steps {
        if let Some(check) = &icfg.locs[state.loc].error {
            return Driven::Error(check.clone());
        }
        let edge = match graph.open(&mut state, false) {
            Open::None => return Driven::NoError,
            Open::One(edge) => edge,
            Open::Several(edges) => edges[0],
        };
        if !graph.take(&mut state, edge) {
            return Driven::NoError;
        }
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                let mut queue = choices.get_mut(&icfg.edges[edge].span);
                for &v in vars {
                    let next = queue.as_mut().and_then(|q| q.pop_front());
                    let value = next.filter(|value| has_sort(pool, value, icfg.vars[v].sort));
                    graph.set(&mut state, v, value.as_ref().unwrap_or(&defaults[v]));
                }
            }
            Label::Call(site) => {
                let callee = &icfg.procs[icfg.call_sites[*site].callee];
                for &v in callee.results.iter().chain(&callee.locals) {
                    graph.set(&mut state, v, &defaults[v]);
                }
            }
            _ => {}
        }
    }
    Driven::NoError
}
