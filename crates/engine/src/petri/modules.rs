//! What is known along executions, in modules that speak of different variables.
//!
//! Each module is a deterministic automaton over actions whose states are sets of predicates. Predicates that have a
//! variable in common are in one module. An action that touches no variable of a module leaves it unchanged (a
//! *universal looper*), so it needs no token of it, and stays concurrent to those that do.

use crate::framework::Ctx;
use crate::hoare::HoareChecker;
use crate::threads::predicates::{Predicates, SetId};
use crate::threads::reduction::Annotator;
use base::IdVec;
use ir::VarId;
use ir::VarIndex;
use ir::interleave::concurrent::{ActionId, Concurrent};
use logic::TermId;
use std::collections::BTreeSet;

pub(super) struct Modules {
    index: VarIndex,
    /// The predicates and variables of each module.
    parts: Vec<(Vec<TermId>, BTreeSet<VarId>)>,
    automata: Vec<Predicates>,
    /// The modules that an action touches.
    of: IdVec<ActionId, Vec<usize>>,
    users: Vec<Vec<ActionId>>,
}

impl Modules {
    pub(super) const NOTHING: SetId = Predicates::NOTHING;

    pub(super) fn new(program: &Concurrent) -> Modules {
        Modules {
            index: VarIndex::new(&program.graph),
            parts: Vec::new(),
            automata: Vec::new(),
            of: IdVec::from_elem(Vec::new(), program.actions.len()),
            users: Vec::new(),
        }
    }
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }
    pub(super) fn n_predicates(&self) -> usize {
        self.parts.iter().map(|p| p.0.len()).sum()
    }
    pub(super) fn of(&self, action: ActionId) -> &[usize] {
        &self.of[action]
    }
    pub(super) fn users(&self, module: usize) -> &[ActionId] {
        &self.users[module]
    }

    /// Adds predicates; modules that share a variable then become one. Was there a new predicate?
    pub(super) fn add(&mut self, ctx: &Ctx<'_>, program: &Concurrent, predicates: &[TermId]) -> bool {
        let mut is_new = false;
        for &p in predicates {
            if self.parts.iter().any(|(list, _)| list.contains(&p)) {
                continue;
            }
            is_new = true;
            let mut vars: BTreeSet<VarId> = self.index.vars_of(ctx.pool, &[p]).into_iter().collect();
            let mut list = vec![p];
            let (shared, others): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.parts).into_iter().partition(|(_, of)| !of.is_disjoint(&vars));
            for (more, of) in shared {
                list.extend(more);
                vars.extend(of);
            }
            self.parts = others;
            self.parts.push((list, vars));
        }
        if is_new {
            self.automata = self
                .parts
                .iter()
                .map(|(list, _)| {
                    let mut automaton = Predicates::new(program);
                    automaton.add(ctx, list);
                    automaton
                })
                .collect();
            self.users = vec![Vec::new(); self.parts.len()];
            for (id, action) in program.actions.iter() {
                let touches = |of: &BTreeSet<VarId>| action.reads.iter().chain(&action.writes).any(|v| of.contains(v));
                self.of[id] = (0..self.parts.len()).filter(|m| touches(&self.parts[*m].1)).collect();
                for &m in &self.of[id] {
                    self.users[m].push(id);
                }
            }
        }
        is_new
    }

    /// The states of the modules that an action touches after it, from those before; `None` if it cannot be taken.
    pub(super) fn step(
        &mut self,
        ctx: &mut Ctx<'_>,
        hoare: &mut HoareChecker<'_>,
        program: &Concurrent,
        states: &[(usize, SetId)],
        action: ActionId,
    ) -> Option<Vec<(usize, SetId)>> {
        let formulas: Vec<TermId> = states.iter().map(|&(m, s)| self.automata[m].formula(s)).collect();
        if states.is_empty() {
            let mut nothing = Predicates::new(program);
            nothing.step(ctx, hoare, program, (Predicates::NOTHING, TermId::TRUE), action)?;
            return Some(Vec::new());
        }
        let mut after = Vec::with_capacity(states.len());
        for (i, &(m, s)) in states.iter().enumerate() {
            let others: Vec<TermId> = formulas.iter().enumerate().filter(|f| f.0 != i).map(|f| *f.1).collect();
            let context = ctx.pool.and(&others);
            after.push((m, self.automata[m].step(ctx, hoare, program, (s, context), action)?));
        }
        Some(after)
    }
}

/// All modules, along interleavings.
pub(super) struct ByModules<'a, 'b, 'c> {
    pub(super) modules: &'b mut Modules,
    pub(super) hoare: &'b mut HoareChecker<'c>,
    pub(super) program: &'a Concurrent,
}

impl Annotator for ByModules<'_, '_, '_> {
    type State = Vec<SetId>;
    fn start(&mut self) -> Vec<SetId> {
        vec![Modules::NOTHING; self.modules.len()]
    }
    fn step(&mut self, ctx: &mut Ctx<'_>, state: &Vec<SetId>, action: ActionId) -> Option<Vec<SetId>> {
        let states: Vec<(usize, SetId)> = self.modules.of(action).iter().map(|&m| (m, state[m])).collect();
        let after = self.modules.step(ctx, self.hoare, self.program, &states, action)?;
        let mut next = state.clone();
        for (m, s) in after {
            next[m] = s;
        }
        Some(next)
    }
    fn formula(&mut self, ctx: &mut Ctx<'_>, state: &Vec<SetId>) -> TermId {
        let formulas: Vec<TermId> =
            state.iter().enumerate().map(|(m, s)| self.modules.automata[m].formula(*s)).collect();
        ctx.pool.and(&formulas)
    }
}
