//! Which term a SAT variable stands for.
//!
//! Variables are never fresh names: each is the name of one Boolean term, a theory atom or a Boolean
//! combination (Tseitin proxy). The table only grows; a term met again after a pop gets its old variable back.

use crate::sat::types::{Lit, Var};
use logic::TermId;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct AtomTable {
    terms: Vec<TermId>,
    vars: FxHashMap<TermId, Var>,
    /// Variables asked for since the owner last looked ([`AtomTable::take_new`]).
    new: Vec<Var>,
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
    /// The variable of a Boolean term (not a negation, not `true`/`false`), made if need be.
    pub fn intern(&mut self, term: TermId) -> Var {
        if let Some(&var) = self.vars.get(&term) {
            return var;
        }
        let var = Var(self.terms.len() as u32);
        self.terms.push(term);
        self.vars.insert(term, var);
        self.new.push(var);
        var
    }
    /// The positive literal of [`intern`](AtomTable::intern).
    pub fn lit(&mut self, term: TermId) -> Lit {
        self.intern(term).positive()
    }
    pub fn take_new(&mut self) -> Vec<Var> {
        std::mem::take(&mut self.new)
    }
}
