//! What the CDCL(T) loop asks of a theory.
//!
//! The loop tells a theory which atoms exist and which literals become true, in trail order, and takes them
//! back level by level. The theory answers with one of four messages:
//!
//! * a *conflict*: a valid clause all of whose literals are false now;
//! * a *propagation*: a literal that the true ones imply, with a token from which the theory can later, and
//!   only if asked, produce the clause ([`Theory::explain`]);
//! * a *lemma*: a valid clause, possibly over atoms nobody has seen before;
//! * a *suggestion*: a literal to decide next (an integer branch `t <= k` or an equality between shared
//!   terms needs no lemma: both phases of one atom cover all cases).
//!
//! Contracts that, broken, give wrong answers:
//! * every clause handed over is valid in the theory and carries its [`Evidence`];
//! * an explanation uses only literals that were true *before* the propagated one;
//! * a conflict or explanation is never empty, except for a contradiction that needs no literal at all;
//! * after [`Theory::backtrack`] no answer depends on a literal that was taken back.
//!
//! Life of an atom: [`Theory::new_atom`] announces it (possibly in the middle of the search, at any decision
//! level). Announcements made since a [`Theory::push_scope`] are forgotten by the matching
//! [`Theory::pop_scope`]; the same atom may then be announced again, with the same variable. Registering an
//! atom survives backtracking within its scope.

use crate::atoms::AtomTable;
use crate::proof::Evidence;
use crate::sat::types::{LBool, Lit, Var};
use base::{Budget, Stop};
use logic::{TermId, TermPool, Value};

/// A valid clause with the reason for its validity.
#[derive(Clone, Debug)]
pub struct TheoryLemma {
    pub lits: Vec<Lit>,
    pub evidence: Evidence,
}

/// What a theory may use while it works.
pub(crate) struct Context<'a> {
    pub pool: &'a mut TermPool,
    /// `cx.atoms.lit(term)` makes a new atom; the loop announces it to the theories before the next call.
    pub atoms: &'a mut AtomTable,
    /// The present truth value per variable (shorter than the table when atoms are new: those are open).
    pub values: &'a [LBool],
    pub budget: &'a Budget,
}

impl Context<'_> {
    /// The present value of a literal.
    pub(crate) fn value(&self, lit: Lit) -> LBool {
        match self.values.get(lit.var().index()) {
            None | Some(LBool::Undef) => LBool::Undef,
            Some(LBool::True) => LBool::from(lit.is_positive()),
            Some(LBool::False) => LBool::from(!lit.is_positive()),
        }
    }
}

/// A literal implied by the true ones; `token` means something to the theory only.
#[derive(Clone, Copy, Debug)]
pub struct Propagation {
    pub lit: Lit,
    pub token: u32,
}

/// The end of a cheap check.
#[derive(Debug)]
pub enum Checked {
    /// Nothing wrong found.
    Ok,
    /// All literals of the clause are false.
    Conflict(TheoryLemma),
    Stopped(Stop),
}

/// The end of a check of a full assignment.
#[derive(Debug)]
pub enum FinalCheck {
    /// The theory has a model of all asserted literals.
    Ok,
    Conflict(TheoryLemma),
    /// Clauses to add (at least one; each may contain new atoms, be unit, or be false now).
    Lemmas(Vec<TheoryLemma>),
    /// Decide this literal next. Its atom is unassigned (usually new).
    Decide(Lit),
    /// The theory cannot tell; the answer will be unknown unless another branch is satisfiable in full.
    GiveUp(String),
    Stopped(Stop),
}

/// A decision procedure below the SAT core.
pub(crate) trait Theory {
    /// Announces an atom that [`owns`](Theory::owns) accepted.
    fn new_atom(&mut self, cx: &mut Context<'_>, var: Var, atom: TermId);

    /// Announces a term whose value other theories look at (an argument of a function, an index or element
    /// of an array, …). From now on [`value`](Theory::value) must give it a value after a final check.
    fn new_shared_term(&mut self, cx: &mut Context<'_>, term: TermId);

    /// A new decision level begins.
    fn push_level(&mut self);
    /// The last `n_levels` decision levels are taken back, with all they asserted.
    fn backtrack(&mut self, n_levels: usize);

    /// A new assertion scope begins (always at decision level 0).
    fn push_scope(&mut self);
    /// The last scope ends: its literals, atoms and shared terms are forgotten.
    fn pop_scope(&mut self);

    /// An announced atom became true or false. Only cheap work; an immediate clash (crossing bounds) may be
    /// reported at once.
    fn assert_lit(&mut self, cx: &mut Context<'_>, lit: Lit) -> Result<(), TheoryLemma>;

    /// Called when unit propagation is done: check what is cheap to check and append implied literals of
    /// announced, unassigned atoms to `out`.
    fn propagate(&mut self, cx: &mut Context<'_>, out: &mut Vec<Propagation>) -> Checked;

    /// The clause of a propagation that is still in force: `lits[0]` is the propagated literal, the others are
    /// false and were so before.
    fn explain(&mut self, cx: &mut Context<'_>, propagation: Propagation) -> TheoryLemma;

    /// Every announced atom is assigned: decide. Before it says Ok the theory should give shared terms
    /// different values where it is free to (fewer equalities are then guessed).
    fn final_check(&mut self, cx: &mut Context<'_>) -> FinalCheck;

    /// After a final check said Ok and until the next change: the value of a shared term, of any term that
    /// occurs in an announced atom, or of a linear combination of such. The values satisfy all asserted
    /// literals (but for those that the theory made only to guide its search, if there are no shared terms), integers
    /// have integer values, and infinitesimals are made concrete. `None` if unknown.
    fn value(&self, pool: &TermPool, term: TermId) -> Option<Value>;
}
