//! Which term a SAT variable stands for.
//!
//! Variables are never fresh names: each is the name of one Boolean term, a theory atom or a Boolean
//! combination (Tseitin proxy). The table only grows; a term met again after a pop gets its old variable back.
//! A variable is *active* while some live scope uses it.

use crate::sat::types::{Lit, Var};
use logic::{FastMap, TermId};

#[derive(Default)]
pub struct AtomTable {
    terms: Vec<TermId>,
    vars: FastMap<TermId, Var>,
    active: Vec<bool>,
    activated: Vec<Var>,
    scopes: Vec<usize>,
    /// Inactive variables that a theory asked for.
    requested: Vec<Var>,
}

impl AtomTable {
    pub fn n_vars(&self) -> usize {
        self.terms.len()
    }
    /// The Boolean term a variable stands for.
    pub fn term(&self, var: Var) -> TermId {
        self.terms[var.index()]
    }
    pub fn var(&self, term: TermId) -> Option<Var> {
        self.vars.get(&term).copied()
    }
    /// The variable of a Boolean term (not a negation, not `true`/`false`), made if need be. If it is not active,
    /// it will be before the search goes on.
    pub fn intern(&mut self, term: TermId) -> Var {
        let var = self.intern_quietly(term);
        if !self.active[var.index()] {
            self.requested.push(var);
        }
        var
    }
    pub(crate) fn intern_quietly(&mut self, term: TermId) -> Var {
        if let Some(&var) = self.vars.get(&term) {
            return var;
        }
        let var = Var(self.terms.len() as u32);
        self.terms.push(term);
        self.active.push(false);
        self.vars.insert(term, var);
        var
    }
    /// The positive literal of [`intern`](AtomTable::intern).
    pub fn lit(&mut self, term: TermId) -> Lit {
        self.intern(term).positive()
    }
    pub fn is_active(&self, var: Var) -> bool {
        self.active[var.index()]
    }
    /// Returns false if the variable is active already.
    pub(crate) fn activate(&mut self, var: Var) -> bool {
        if std::mem::replace(&mut self.active[var.index()], true) {
            return false;
        }
        self.activated.push(var);
        true
    }
    /// The active variables, in the order of activation.
    pub fn active_vars(&self) -> &[Var] {
        &self.activated
    }
    pub(crate) fn requested(&self) -> &[Var] {
        &self.requested
    }
    pub fn take_new(&mut self) -> Vec<Var> {
        std::mem::take(&mut self.requested)
    }
    pub(crate) fn push_scope(&mut self) {
        self.scopes.push(self.activated.len());
    }
    pub(crate) fn pop_scope(&mut self) {
        let Some(n) = self.scopes.pop() else { return };
        for var in self.activated.drain(n..) {
            self.active[var.index()] = false;
        }
        self.requested.clear();
    }
}
