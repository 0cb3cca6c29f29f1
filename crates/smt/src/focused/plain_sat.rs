//! The SAT core without theories.

use crate::sat::types::{LBool, Lit, Var};
use crate::sat::{Host, Origin, Outcome, Registered, Sat};
use crate::theory::{Checked, FinalCheck, Propagation, TheoryLemma};
use base::Budget;
use logic::AssertionId;

struct NoTheories {
    budget: Budget,
}

impl Host for NoTheories {
    fn push_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn assert_lit(&mut self, _: &[LBool], _: Lit) -> Result<(), TheoryLemma> {
        Ok(())
    }
    fn propagate(&mut self, _: &[LBool], _: &mut Vec<Propagation>) -> Checked {
        Checked::Ok
    }
    fn explain(&mut self, _: &[LBool], _: Propagation) -> TheoryLemma {
        unreachable!("there is no theory that propagates")
    }
    fn final_check(&mut self, _: &[LBool]) -> FinalCheck {
        FinalCheck::Ok
    }
    fn new_atoms(&self) -> Option<bool> {
        None
    }
    fn register(&mut self, _: &[LBool]) -> Registered {
        Registered::default()
    }
    fn budget(&self) -> &Budget {
        &self.budget
    }
}

/// Searches for a model of the clauses. With proofs, the refutation is in the returned core, and
/// the assertion of a leaf is the number of the clause.
pub fn solve<'a>(
    n_vars: usize,
    clauses: impl IntoIterator<Item = &'a [Lit]>,
    proofs: bool,
    budget: &Budget,
) -> (Outcome, Sat) {
    let mut host = NoTheories { budget: budget.clone() };
    let mut sat = Sat::new(proofs);
    for v in 0..n_vars {
        sat.activate(Var(v as u32));
    }
    for (index, clause) in clauses.into_iter().enumerate() {
        sat.add_clause(&mut host, clause.to_vec(), Origin::Input(AssertionId(index as u32)));
    }
    let outcome = sat.search(&mut host);
    (outcome, sat)
}
