//! Conflict-driven clause learning over a theory host.
//!
//! The classical loop: propagate with two watched literals, learn the first unique implication point of each
//! conflict, jump back, decide by activity (VSIDS) with saved phases; restart when recent conflicts are worse
//! (by their number of decision levels, LBD) than the long-run average; forget half of the worse learnt clauses
//! every now and then. Around it, per fixpoint of unit propagation, the theories see the new literals.
//!
//! **Scopes.** Push and pop need no selector literals. Every clause has a *scope*: the deepest assertion scope it
//! was derived from. A learnt clause takes the maximum over its antecedents, and over the scopes of the level-0
//! literals that were dropped from it. Pop deletes the clauses of the scopes that end, takes the level-0 trail back
//! to where it was at the push, and puts variables that were activated since to sleep: they are no longer decided
//! and cost nothing, but keep their number, phase and activity for the day their term comes back.
//! Invariant: a clause's scope is at least the scope in which each of its variables was activated.
//!
//! **Proofs.** Each learnt clause records the chain of resolutions that gave it, in reverse trail order: first the
//! literals between conflict and implication point, then the literals removed by minimisation and those false at
//! level 0, the latter against a unit clause that is derived once and remembered.

use super::clauses::{ClauseDb, ClauseKind, ClauseRef};
use super::heap::VarHeap;
use super::types::{LBool, Lit, Var};
use crate::proof::{ClauseId, Evidence, Link, Proof};
use crate::theory::{Checked, FinalCheck, Propagation, TheoryLemma};
use base::{Budget, Stop};
use logic::{AssertionId, TermId};

/// Where a clause given to the core comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    Input(AssertionId),
    Definition(TermId),
    Lemma(Evidence),
}

/// What [`Host::register`] made: variables to be decided from now on, and clauses.
#[derive(Default)]
pub struct Registered {
    pub vars: Vec<Var>,
    pub clauses: Vec<(Vec<Lit>, Origin)>,
}

/// The theories, as the search sees them. See [`crate::theory::Theory`] for the contracts.
pub trait Host {
    fn push_level(&mut self);
    fn backtrack(&mut self, n_levels: usize);
    fn assert_lit(&mut self, values: &[LBool], lit: Lit) -> Result<(), TheoryLemma>;
    fn propagate(&mut self, values: &[LBool], out: &mut Vec<Propagation>) -> Checked;
    fn explain(&mut self, values: &[LBool], propagation: Propagation) -> TheoryLemma;
    fn final_check(&mut self, values: &[LBool]) -> FinalCheck;
    /// Did the last call make atoms that are not registered yet? `Some(true)` if they can be registered
    /// only at level 0.
    fn new_atoms(&self) -> Option<bool>;
    fn register(&mut self, values: &[LBool]) -> Registered;
    fn budget(&self) -> &Budget;
    /// Literals of new atoms that may shorten a long search if they are refuted early.
    fn late_atoms(&mut self) -> Vec<Lit> {
        Vec::new()
    }
    /// May the variable stay unassigned if all clauses are satisfied without it? True of atoms whose theory has
    /// models either way.
    fn is_optional(&self, _var: Var) -> bool {
        false
    }
    /// The value to try first for a variable that never had one, if the theories have an opinion.
    fn first_phase(&self, _var: Var) -> Option<bool> {
        None
    }
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All clauses are satisfied, all active variables but optional ones assigned, and the theories agree. The
    /// assignment stays until the next change.
    Sat,
    Unsat,
    GaveUp(String),
    Stopped(Stop),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    /// A decision, or not assigned.
    None,
    Clause(ClauseRef),
    /// Propagated by the theories; the token is theirs.
    Theory(u32),
    /// A unit clause of the proof.
    Unit(ClauseId),
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    /// Some other literal of the clause: if true, the clause need not be looked at.
    blocker: Lit,
}

struct Scope {
    trail_len: usize,
    qhead: usize,
    theory_head: usize,
    n_activated: usize,
    n_originals: usize,
}

#[derive(Clone, Copy)]
struct Unit {
    lit: Lit,
    proof: ClauseId,
    scope: u32,
}

#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    pub restarts: u64,
    pub theory_conflicts: u64,
    pub theory_propagations: u64,
    pub theory_lemmas: u64,
    pub final_checks: u64,
}

pub struct Sat {
    db: ClauseDb,
    watches: Vec<Vec<Watch>>,
    values: Vec<LBool>,
    level: Vec<u32>,
    reason: Vec<Reason>,
    trail_position: Vec<u32>,
    /// For variables assigned at level 0: the scope the assignment depends on.
    assigned_scope: Vec<u32>,
    /// For variables assigned at level 0: the unit clause, once derived.
    unit_proof: Vec<ClauseId>,
    /// The last value of a variable, if it had one.
    phase: Vec<Option<bool>>,
    /// One more than the scope of activation; 0 when asleep.
    active: Vec<u32>,
    activated: Vec<Var>,
    seen: Vec<Seen>,
    heap: VarHeap,
    trail: Vec<Lit>,
    level_starts: Vec<usize>,
    qhead: usize,
    theory_head: usize,
    scopes: Vec<Scope>,
    originals: Vec<ClauseRef>,
    /// Original clauses added in a deeper scope than they belong to, by scope.
    older_originals: Vec<Vec<ClauseRef>>,
    /// Where the last unsatisfied original clause was found.
    unsatisfied_hint: usize,
    /// The original clauses of each variable, while they are up to date.
    occurrences: Option<Vec<Vec<ClauseRef>>>,
    /// Optional variables that no clause wants, kept out of the heap until something is taken back or added.
    passed_over: Vec<Var>,
    /// The number of conflicts when the search began.
    conflicts_before_search: u64,
    /// Learnt clauses by scope.
    learnts: Vec<Vec<ClauseRef>>,
    units: Vec<Unit>,
    /// The empty clause, and the scope it depends on.
    refutation: Option<(ClauseId, u32)>,
    suggestion: Option<Lit>,
    pub proof: Proof,
    pub stats: Stats,
    lbd_fast: f64,
    lbd_slow: f64,
    conflicts_since_restart: u64,
    next_reduce: u64,
    reduce_interval: u64,
    proof_size_limit: usize,
    /// Stamps for counting distinct levels.
    level_stamp: Vec<u64>,
    stamp: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    No,
    /// In the clause being built, or resolved away on the way.
    Source,
    /// Known to be redundant (implied by the rest of the clause).
    Redundant,
    /// Known to be needed.
    Needed,
}

/// After so many conflicts a search decides optional variables only if some clause wants them.
const CONFLICTS_BEFORE_RELEVANCE: u64 = 4;
/// Searches that end before this many conflicts do without late atoms.
const CONFLICTS_BEFORE_LATE_ATOMS: u64 = 30;
const PREFERENCE: usize = 10;
const FIRST_REDUCE: u64 = 2000;
const REDUCE_GROWTH: u64 = 500;
const MIN_RESTART_INTERVAL: u64 = 20;
const FIRST_PROOF_COMPACTION: usize = 1 << 24;

impl Sat {
    pub fn new(proofs: bool) -> Sat {
        Sat {
            db: ClauseDb::default(),
            watches: Vec::new(),
            values: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            trail_position: Vec::new(),
            assigned_scope: Vec::new(),
            unit_proof: Vec::new(),
            phase: Vec::new(),
            active: Vec::new(),
            activated: Vec::new(),
            seen: Vec::new(),
            heap: VarHeap::new(),
            trail: Vec::new(),
            level_starts: Vec::new(),
            qhead: 0,
            theory_head: 0,
            scopes: Vec::new(),
            originals: Vec::new(),
            older_originals: vec![Vec::new()],
            unsatisfied_hint: 0,
            occurrences: None,
            passed_over: Vec::new(),
            conflicts_before_search: 0,
            learnts: vec![Vec::new()],
            units: Vec::new(),
            refutation: None,
            suggestion: None,
            proof: Proof::new(proofs),
            stats: Stats::default(),
            lbd_fast: 0.0,
            lbd_slow: 0.0,
            conflicts_since_restart: 0,
            next_reduce: FIRST_REDUCE,
            reduce_interval: FIRST_REDUCE,
            proof_size_limit: FIRST_PROOF_COMPACTION,
            level_stamp: Vec::new(),
            stamp: 0,
        }
    }

    // ---- looking ----

    #[inline]
    pub fn value(&self, lit: Lit) -> LBool {
        match self.values[lit.var().index()] {
            LBool::Undef => LBool::Undef,
            v => LBool::from((v == LBool::True) == lit.is_positive()),
        }
    }
    pub fn values(&self) -> &[LBool] {
        &self.values
    }
    pub fn is_active(&self, var: Var) -> bool {
        self.active.get(var.index()).is_some_and(|&a| a > 0)
    }
    /// The empty clause of the present assertions, if it was derived.
    pub fn refutation(&self) -> Option<ClauseId> {
        self.refutation.map(|(id, _)| id)
    }
    pub fn n_scopes(&self) -> usize {
        self.scopes.len()
    }
    fn scope(&self) -> u32 {
        self.scopes.len() as u32
    }
    fn decision_level(&self) -> u32 {
        self.level_starts.len() as u32
    }
    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    // ---- variables and scopes ----

    fn grow(&mut self, n_vars: usize) {
        if self.values.len() < n_vars {
            self.watches.resize_with(2 * n_vars, Vec::new);
            self.values.resize(n_vars, LBool::Undef);
            self.level.resize(n_vars, 0);
            self.reason.resize(n_vars, Reason::None);
            self.trail_position.resize(n_vars, 0);
            self.assigned_scope.resize(n_vars, 0);
            self.unit_proof.resize(n_vars, ClauseId::NONE);
            self.phase.resize(n_vars, None);
            self.active.resize(n_vars, 0);
            self.seen.resize(n_vars, Seen::No);
            self.level_stamp.resize(n_vars + 2, 0);
            self.heap.grow(n_vars);
        }
    }
    /// From now on, until the present scope ends, the variable is assigned in every model.
    pub fn activate(&mut self, var: Var) {
        self.grow(var.index() + 1);
        if self.active[var.index()] == 0 {
            self.active[var.index()] = self.scope() + 1;
            self.activated.push(var);
            self.heap.insert(var);
        }
    }
    /// Lets the variable be decided before others.
    pub fn prefer(&mut self, var: Var) {
        for _ in 0..PREFERENCE {
            self.heap.bump(var);
        }
    }
    /// What to try first when the variable is decided.
    pub fn set_phase(&mut self, lit: Lit) {
        self.phase[lit.var().index()] = Some(lit.is_positive());
    }
    pub fn push_scope(&mut self, host: &mut impl Host) {
        self.cancel_until(0, host);
        self.scopes.push(Scope {
            trail_len: self.trail.len(),
            qhead: self.qhead,
            theory_head: self.theory_head,
            n_activated: self.activated.len(),
            n_originals: self.originals.len(),
        });
        self.learnts.push(Vec::new());
        self.older_originals.push(Vec::new());
    }
    /// Ends the last scope. The host takes back its own state.
    pub fn pop_scope(&mut self, host: &mut impl Host) {
        self.cancel_until(0, host);
        let Some(scope) = self.scopes.pop() else { return };
        self.reconsider();
        let depth = self.scope();
        self.suggestion = None;
        if self.refutation.is_some_and(|(_, s)| s > depth) {
            self.refutation = None;
        }
        while self.trail.len() > scope.trail_len {
            self.unassign_last();
        }
        self.qhead = scope.qhead.min(self.trail.len());
        self.theory_head = scope.theory_head.min(self.trail.len());
        self.occurrences = None;
        for c in self.originals.drain(scope.n_originals..) {
            self.db.delete(c);
        }
        let ended = self.learnts.pop().into_iter().chain(self.older_originals.pop());
        for c in ended.flatten() {
            self.db.delete(c);
        }
        for var in self.activated.drain(scope.n_activated..) {
            self.active[var.index()] = 0;
            // Every clause that mentions the variable is gone.
            self.watches[var.positive().index()].clear();
            self.watches[var.negative().index()].clear();
        }
        self.units.retain(|u| u.scope <= depth);
        // Units of a surviving scope that were learnt in the one that ended.
        let units = std::mem::take(&mut self.units);
        for u in &units {
            if self.refutation.is_none() && self.value(u.lit) == LBool::Undef {
                self.enqueue_unit(*u);
            }
        }
        self.units = units;
        if self.db.should_collect() {
            self.collect_garbage();
        }
        if self.should_compact_proof() {
            self.compact_proof();
        }
    }

    // ---- clauses ----

    /// Adds a clause at any level. A falsified or unit clause is dealt with by the next search.
    pub fn add_clause(&mut self, host: &mut impl Host, mut lits: Vec<Lit>, origin: Origin) {
        // The proof of a lemma may speak of its literals in their order.
        let as_given = lits.clone();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|w| w[0] == !w[1]) {
            return;
        }
        let scope = match origin {
            Origin::Input(_) | Origin::Definition(_) => self.scope(),
            // A lemma is valid anyway; it lives as long as its variables do.
            Origin::Lemma(_) => self.activation_scope(&lits),
        };
        let proof = match origin {
            Origin::Input(assertion) => self.proof.input(&lits, assertion),
            Origin::Definition(term) => self.proof.definition(&lits, term),
            Origin::Lemma(evidence) => {
                self.stats.theory_lemmas += 1;
                self.proof.lemma(&as_given, evidence)
            }
        };
        if let Some(conflict) = self.attach(host, lits, ClauseKind::Original, 0, scope, proof) {
            // Everything is false: go back to where the clause is no longer so.
            let level = self.db.lits(conflict).map(|l| self.level[l.var().index()]).max().unwrap_or(0);
            if level == 0 {
                self.refute(host, conflict);
            } else {
                self.cancel_until(level - 1, host);
                self.requeue(conflict, host);
            }
        }
    }
    /// A clause that had all literals false before some levels were taken back: watch it well, and propagate
    /// if it is unit now.
    fn requeue(&mut self, c: ClauseRef, host: &mut impl Host) {
        let lits: Vec<Lit> = self.db.lits(c).collect();
        let (kind, lbd, scope, proof) = (ClauseKind::Original, 0, self.db.scope(c), self.db.proof(c));
        self.occurrences = None;
        self.originals.retain(|&o| o != c);
        if let Some(list) = self.older_originals.get_mut(scope as usize) {
            list.retain(|&o| o != c);
        }
        self.db.delete(c);
        let again = self.attach(host, lits, kind, lbd, scope, proof);
        debug_assert!(again.is_none());
    }
    fn activation_scope(&self, lits: &[Lit]) -> u32 {
        lits.iter().map(|l| self.active[l.var().index()].saturating_sub(1)).max().unwrap_or(0)
    }
    /// Puts a clause into the database, watches it, and propagates it if it is unit (after going back to the
    /// level where it became so). Returns it if all its literals are false.
    fn attach(
        &mut self,
        host: &mut impl Host,
        mut lits: Vec<Lit>,
        kind: ClauseKind,
        lbd: u32,
        scope: u32,
        proof: ClauseId,
    ) -> Option<ClauseRef> {
        if lits.is_empty() {
            if self.refutation.is_none_or(|(_, s)| s > scope) {
                self.refutation = Some((proof, scope));
            }
            return None;
        }
        if lits.len() == 1 {
            let unit = Unit { lit: lits[0], proof, scope };
            self.units.push(unit);
            self.cancel_until(0, host);
            match self.value(unit.lit) {
                LBool::True => {}
                LBool::Undef => self.enqueue_unit(unit),
                LBool::False => {
                    let c = self.db.add(&lits, ClauseKind::Ephemeral, 0, scope, proof);
                    self.refute(host, c);
                }
            }
            return None;
        }
        // Watch literals that are not false, else those falsified last.
        let rank = |s: &Sat, l: Lit| match s.value(l) {
            LBool::True | LBool::Undef => u32::MAX,
            LBool::False => s.level[l.var().index()],
        };
        for i in 0..2 {
            let mut best = i;
            for j in i + 1..lits.len() {
                if rank(self, lits[j]) > rank(self, lits[best]) {
                    best = j;
                }
            }
            lits.swap(i, best);
        }
        let c = self.db.add(&lits, kind, lbd, scope, proof);
        match kind {
            ClauseKind::Original => {
                debug_assert!(self.scopes.is_empty() || scope <= self.scope());
                self.add_original(c, scope);
            }
            ClauseKind::Learnt => self.learnts[scope as usize].push(c),
            ClauseKind::Ephemeral => {}
        }
        self.watches[lits[0].index()].push(Watch { clause: c, blocker: lits[1] });
        self.watches[lits[1].index()].push(Watch { clause: c, blocker: lits[0] });
        match (self.value(lits[0]), self.value(lits[1])) {
            (LBool::False, _) => Some(c),
            (LBool::Undef, LBool::False) => {
                let level = self.level[lits[1].var().index()];
                self.cancel_until(level, host);
                self.enqueue(lits[0], Reason::Clause(c));
                None
            }
            _ => None,
        }
    }
    /// Original clauses are kept in the order of addition; one whose scope is lower than the present one must
    /// survive the pop.
    fn add_original(&mut self, c: ClauseRef, scope: u32) {
        self.reconsider();
        if let Some(lists) = &mut self.occurrences {
            lists.resize(self.values.len(), Vec::new());
            for lit in self.db.lits(c) {
                lists[lit.var().index()].push(c);
            }
        }
        if scope == self.scope() {
            self.originals.push(c);
        } else {
            self.older_originals[scope as usize].push(c);
        }
    }
    /// Is every original clause true?
    fn all_satisfied(&mut self) -> bool {
        let satisfied = |s: &Sat, c: ClauseRef| s.db.lits(c).any(|l| s.value(l) == LBool::True);
        let n = self.originals.len();
        for k in 0..n {
            let at = (self.unsatisfied_hint + k) % n;
            if !satisfied(self, self.originals[at]) {
                self.unsatisfied_hint = at;
                return false;
            }
        }
        self.older_originals.iter().flatten().all(|&c| satisfied(self, c))
    }
    /// Is the variable in an original clause that is not true yet, or in none at all (then a theory wanted it)? To
    /// others no value has to be given, and the bound that a value would be may be in the way of those that matter.
    fn is_wanted(&mut self, var: Var) -> bool {
        let occurrences = match self.occurrences.take() {
            Some(known) => known,
            None => {
                let mut lists = vec![Vec::new(); self.values.len()];
                for &c in self.originals.iter().chain(self.older_originals.iter().flatten()) {
                    for lit in self.db.lits(c) {
                        lists[lit.var().index()].push(c);
                    }
                }
                lists
            }
        };
        let is_open = |c: &ClauseRef| !self.db.lits(*c).any(|l| self.value(l) == LBool::True);
        let wanted = occurrences.get(var.index()).is_none_or(|list| list.is_empty() || list.iter().any(is_open));
        self.occurrences = Some(occurrences);
        wanted
    }
    /// Puts back into the heap what was passed over.
    fn reconsider(&mut self) {
        while let Some(var) = self.passed_over.pop() {
            self.heap.insert(var);
        }
    }
    fn temporary_clause(&mut self, lemma: TheoryLemma) -> ClauseRef {
        let scope = self.activation_scope(&lemma.lits);
        let proof = self.proof.lemma(&lemma.lits, lemma.evidence);
        self.db.add(&lemma.lits, ClauseKind::Ephemeral, 0, scope, proof)
    }

    // ---- assigning ----

    fn enqueue(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.value(lit), LBool::Undef);
        let v = lit.var().index();
        self.values[v] = LBool::from(lit.is_positive());
        self.level[v] = self.decision_level();
        self.reason[v] = reason;
        self.trail_position[v] = self.trail.len() as u32;
        self.trail.push(lit);
        if self.level_starts.is_empty() {
            self.unit_proof[v] = ClauseId::NONE;
            self.assigned_scope[v] = match reason {
                Reason::Clause(c) => self
                    .db
                    .lits(c)
                    .filter(|&l| l != lit)
                    .map(|l| self.assigned_scope[l.var().index()])
                    .max()
                    .unwrap_or(0)
                    .max(self.db.scope(c)),
                Reason::None | Reason::Theory(_) | Reason::Unit(_) => self.scope(),
            };
        }
    }
    fn enqueue_unit(&mut self, unit: Unit) {
        debug_assert!(self.level_starts.is_empty());
        self.enqueue(unit.lit, Reason::Unit(unit.proof));
        let v = unit.lit.var().index();
        self.assigned_scope[v] = unit.scope;
        self.unit_proof[v] = unit.proof;
    }
    fn unassign_last(&mut self) {
        let Some(lit) = self.trail.pop() else { return };
        let var = lit.var();
        let v = var.index();
        self.values[v] = LBool::Undef;
        self.phase[v] = Some(lit.is_positive());
        if let Reason::Clause(c) = self.reason[v]
            && self.db.is_ephemeral(c)
        {
            self.db.delete(c);
        }
        self.reason[v] = Reason::None;
        self.unit_proof[v] = ClauseId::NONE;
        if self.active[v] > 0 {
            self.heap.insert(var);
        }
    }
    pub fn cancel_until(&mut self, level: u32, host: &mut impl Host) {
        let present = self.decision_level();
        if present <= level {
            return;
        }
        self.reconsider();
        let start = self.level_starts[level as usize];
        while self.trail.len() > start {
            self.unassign_last();
        }
        self.level_starts.truncate(level as usize);
        self.qhead = self.qhead.min(start);
        self.theory_head = self.theory_head.min(start);
        host.backtrack((present - level) as usize);
    }
    fn decide(&mut self, lit: Lit, host: &mut impl Host) {
        self.stats.decisions += 1;
        self.level_starts.push(self.trail.len());
        host.push_level();
        self.enqueue(lit, Reason::None);
    }

    // ---- propagation ----

    /// Unit propagation to the fixpoint, or to a falsified clause.
    fn propagate_clauses(&mut self) -> Option<ClauseRef> {
        while self.qhead < self.trail.len() {
            let falsified = !self.trail[self.qhead];
            self.qhead += 1;
            self.stats.propagations += 1;
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut i = 0;
            let mut conflict = None;
            while i < list.len() {
                let watch = list[i];
                i += 1;
                if self.value(watch.blocker) == LBool::True {
                    list[kept] = watch;
                    kept += 1;
                    continue;
                }
                let c = watch.clause;
                if self.db.is_deleted(c) {
                    continue;
                }
                if self.db.lit(c, 0) == falsified {
                    self.db.swap(c, 0, 1);
                }
                let first = self.db.lit(c, 0);
                let new_watch = Watch { clause: c, blocker: first };
                if first != watch.blocker && self.value(first) == LBool::True {
                    list[kept] = new_watch;
                    kept += 1;
                    continue;
                }
                let replacement = (2..self.db.len(c)).find(|&k| self.value(self.db.lit(c, k)) != LBool::False);
                if let Some(k) = replacement {
                    self.db.swap(c, 1, k);
                    let lit = self.db.lit(c, 1);
                    self.watches[lit.index()].push(new_watch);
                    continue;
                }
                list[kept] = new_watch;
                kept += 1;
                if self.value(first) == LBool::False {
                    conflict = Some(c);
                    self.qhead = self.trail.len();
                    break;
                }
                self.enqueue(first, Reason::Clause(c));
            }
            while i < list.len() {
                list[kept] = list[i];
                kept += 1;
                i += 1;
            }
            list.truncate(kept);
            // Nothing was pushed onto this list meanwhile: a new watch is never the falsified literal.
            self.watches[falsified.index()] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Clauses and theories to the common fixpoint.
    fn propagate(&mut self, host: &mut impl Host) -> Result<Option<ClauseRef>, Stop> {
        let mut implied = Vec::new();
        loop {
            if let Some(c) = self.propagate_clauses() {
                return Ok(Some(c));
            }
            while self.theory_head < self.trail.len() {
                let lit = self.trail[self.theory_head];
                self.theory_head += 1;
                if let Err(lemma) = host.assert_lit(&self.values, lit) {
                    self.stats.theory_conflicts += 1;
                    return Ok(Some(self.theory_conflict(lemma)));
                }
            }
            implied.clear();
            match host.propagate(&self.values, &mut implied) {
                Checked::Ok => {}
                Checked::Conflict(lemma) => {
                    self.stats.theory_conflicts += 1;
                    return Ok(Some(self.theory_conflict(lemma)));
                }
                Checked::Stopped(stop) => return Err(stop),
            }
            for &p in &implied {
                // An atom that a theory has just made is not known here yet; once it is, the theory is told what it
                // becomes.
                if p.lit.var().index() >= self.values.len() {
                    continue;
                }
                match self.value(p.lit) {
                    LBool::True => {}
                    LBool::Undef => {
                        self.stats.theory_propagations += 1;
                        self.enqueue(p.lit, Reason::Theory(p.token));
                    }
                    LBool::False => {
                        let lemma = host.explain(&self.values, p);
                        debug_assert_eq!(lemma.lits[0], p.lit);
                        self.stats.theory_conflicts += 1;
                        return Ok(Some(self.theory_conflict(lemma)));
                    }
                }
            }
            if self.qhead == self.trail.len() {
                return Ok(None);
            }
        }
    }
    fn theory_conflict(&mut self, lemma: TheoryLemma) -> ClauseRef {
        debug_assert!(
            lemma.lits.iter().all(|&l| self.value(l) == LBool::False),
            "a theory conflict has a literal that is not false: {lemma:?}"
        );
        self.temporary_clause(lemma)
    }

    /// The clause that implied a literal; `None` for decisions. Asks the theories if they have not been asked.
    fn reason_clause(&mut self, var: Var, host: &mut impl Host) -> Option<ClauseRef> {
        match self.reason[var.index()] {
            Reason::None => None,
            Reason::Clause(c) => Some(c),
            Reason::Unit(proof) => {
                let lit = var.lit(self.values[var.index()] == LBool::True);
                let scope = self.assigned_scope[var.index()];
                let c = self.db.add(&[lit], ClauseKind::Ephemeral, 0, scope, proof);
                self.reason[var.index()] = Reason::Clause(c);
                Some(c)
            }
            Reason::Theory(token) => {
                let lit = var.lit(self.values[var.index()] == LBool::True);
                let lemma = host.explain(&self.values, Propagation { lit, token });
                debug_assert_eq!(lemma.lits[0], lit, "an explanation starts with what it explains");
                debug_assert!(
                    lemma.lits[1..].iter().all(|&l| self.value(l) == LBool::False
                        && self.trail_position[l.var().index()] < self.trail_position[var.index()]),
                    "an explanation uses literals that are not false, or later than what it explains"
                );
                let c = self.temporary_clause(lemma);
                self.reason[var.index()] = Reason::Clause(c);
                Some(c)
            }
        }
    }

    // ---- conflicts ----

    /// The unit clause of a literal that is true at level 0, derived on first use.
    fn unit_clause(&mut self, lit: Lit, host: &mut impl Host) -> ClauseId {
        if !self.proof.is_enabled() {
            return ClauseId::NONE;
        }
        let mut stack = vec![lit];
        while let Some(&top) = stack.last() {
            let v = top.var();
            if self.unit_proof[v.index()] != ClauseId::NONE {
                stack.pop();
                continue;
            }
            let Some(c) = self.reason_clause(v, host) else { unreachable!("level 0 has no decisions") };
            let others: Vec<Lit> = self.db.lits(c).filter(|&l| l != top).collect();
            let before = stack.len();
            stack.extend(others.iter().filter(|l| self.unit_proof[l.var().index()] == ClauseId::NONE).map(|&l| !l));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            self.unit_proof[v.index()] = if others.is_empty() {
                self.db.proof(c)
            } else {
                let links: Vec<Link> =
                    others.iter().map(|&l| Link { pivot: l, antecedent: self.unit_proof[l.var().index()] }).collect();
                self.proof.chain(&[top], self.db.proof(c), &links)
            };
        }
        self.unit_proof[lit.var().index()]
    }
    /// A clause whose literals are all false at level 0: the assertions are unsatisfiable.
    fn refute(&mut self, host: &mut impl Host, conflict: ClauseRef) {
        if self.refutation.is_some() {
            // The one at hand may belong to an outer scope, and must survive this one.
            return;
        }
        let lits: Vec<Lit> = self.db.lits(conflict).collect();
        let mut scope = self.db.scope(conflict);
        let mut links = Vec::new();
        for &l in &lits {
            scope = scope.max(self.assigned_scope[l.var().index()]);
            let antecedent = self.unit_clause(!l, host);
            links.push(Link { pivot: l, antecedent });
        }
        let first = self.db.proof(conflict);
        let empty = if links.is_empty() { first } else { self.proof.chain(&[], first, &links) };
        self.refutation = Some((empty, scope));
    }

    /// Learns from a falsified clause. Returns false if the assertions are refuted.
    fn resolve_conflict(&mut self, mut conflict: ClauseRef, host: &mut impl Host) -> bool {
        self.stats.conflicts += 1;
        self.conflicts_since_restart += 1;
        // The conflict may lie below the present level (theories speak late).
        let top = self.db.lits(conflict).map(|l| self.level[l.var().index()]).max().unwrap_or(0);
        if top == 0 {
            self.refute(host, conflict);
            return false;
        }
        self.cancel_until(top, host);
        let n_top = self.db.lits(conflict).filter(|l| self.level[l.var().index()] == top).count();
        if n_top == 1 {
            // No conflict of its own level: the clause propagates further down.
            let lits: Vec<Lit> = self.db.lits(conflict).collect();
            let (scope, proof) = (self.db.scope(conflict), self.db.proof(conflict));
            let was_temporary = self.db.is_ephemeral(conflict);
            self.cancel_until(top - 1, host);
            if was_temporary {
                self.db.delete(conflict);
                self.learn(host, lits, scope, proof);
            } else {
                let second = lits.iter().filter(|&&l| self.value(l) == LBool::False);
                let level = second.map(|l| self.level[l.var().index()]).max().unwrap_or(0);
                self.cancel_until(level, host);
                self.rewatch_unit(conflict);
            }
            return true;
        }

        let mut learnt: Vec<Lit> = vec![Lit(0)];
        let mut links: Vec<Link> = Vec::new();
        let mut touched: Vec<Var> = Vec::new();
        let mut zero_level: Vec<Lit> = Vec::new();
        let mut scope = 0;
        let first = self.db.proof(conflict);
        let mut open = 0;
        let mut index = self.trail.len();
        let mut pivot: Option<Lit> = None;
        let uip = loop {
            scope = scope.max(self.db.scope(conflict));
            if self.db.is_learnt(conflict) {
                self.refresh_lbd(conflict);
            }
            if let Some(p) = pivot {
                links.push(Link { pivot: !p, antecedent: self.db.proof(conflict) });
            }
            for k in 0..self.db.len(conflict) {
                let l = self.db.lit(conflict, k);
                if Some(l) == pivot {
                    continue;
                }
                let v = l.var();
                if self.seen[v.index()] != Seen::No {
                    continue;
                }
                self.seen[v.index()] = Seen::Source;
                touched.push(v);
                let level = self.level[v.index()];
                if level == 0 {
                    zero_level.push(l);
                } else {
                    self.heap.bump(v);
                    if level == top {
                        open += 1;
                    } else {
                        learnt.push(l);
                    }
                }
            }
            // The next literal of the resolvent, from the end of the trail.
            let p = loop {
                index -= 1;
                let l = self.trail[index];
                if self.seen[l.var().index()] == Seen::Source && self.level[l.var().index()] == top {
                    break l;
                }
            };
            open -= 1;
            if open == 0 {
                break p;
            }
            let Some(c) = self.reason_clause(p.var(), host) else {
                unreachable!("the decision is the last literal of its level")
            };
            conflict = c;
            pivot = Some(p);
        };
        learnt[0] = !uip;

        self.minimise(&mut learnt, &mut links, &mut zero_level, &mut touched, &mut scope, host);
        for &l in &zero_level {
            scope = scope.max(self.assigned_scope[l.var().index()]);
            let antecedent = self.unit_clause(!l, host);
            if self.proof.is_enabled() {
                links.push(Link { pivot: l, antecedent });
            }
        }
        for v in touched {
            self.seen[v.index()] = Seen::No;
        }
        self.heap.decay();

        let proof = if links.is_empty() { first } else { self.proof.chain(&learnt, first, &links) };
        let back = learnt[1..].iter().map(|l| self.level[l.var().index()]).max().unwrap_or(0);
        let lbd = self.n_levels(&learnt);
        self.note_lbd(lbd);
        self.cancel_until(back, host);
        self.learn_with_lbd(host, learnt, lbd, scope, proof);
        true
    }

    /// A watched clause that has become unit after going back: move the open literal to the front and propagate.
    fn rewatch_unit(&mut self, c: ClauseRef) {
        // Its watches are among the literals falsified last, which include the one that is open now.
        let open = (0..self.db.len(c)).find(|&k| self.value(self.db.lit(c, k)) == LBool::Undef);
        let Some(k) = open else { return };
        debug_assert!(k < 2, "the literal falsified last is watched");
        if k == 1 {
            self.db.swap(c, 0, 1);
        }
        let lit = self.db.lit(c, 0);
        self.enqueue(lit, Reason::Clause(c));
    }

    fn learn(&mut self, host: &mut impl Host, lits: Vec<Lit>, scope: u32, proof: ClauseId) {
        let lbd = self.n_levels(&lits);
        self.learn_with_lbd(host, lits, lbd, scope, proof);
    }
    fn learn_with_lbd(&mut self, host: &mut impl Host, lits: Vec<Lit>, lbd: u32, scope: u32, proof: ClauseId) {
        let falsified = self.attach(host, lits, ClauseKind::Learnt, lbd.max(1), scope, proof);
        debug_assert!(falsified.is_none());
    }

    /// Removes literals that the others imply (their reasons, followed back, end in the clause or at level 0).
    /// The resolutions that justify it are appended to `links`.
    fn minimise(
        &mut self,
        learnt: &mut Vec<Lit>,
        links: &mut Vec<Link>,
        zero_level: &mut Vec<Lit>,
        touched: &mut Vec<Var>,
        scope: &mut u32,
        host: &mut impl Host,
    ) {
        let candidates: Vec<Lit> = learnt[1..].to_vec();
        let mut removed: Vec<Var> = Vec::new();
        for &l in &candidates {
            if self.is_redundant(l, touched, host) {
                removed.push(l.var());
            }
        }
        if removed.is_empty() {
            return;
        }
        learnt.retain(|l| !removed.contains(&l.var()));
        // All literals resolved away on the way, the latest first.
        let in_clause: Vec<Var> = learnt.iter().map(|l| l.var()).collect();
        let mut heap: std::collections::BinaryHeap<(u32, Var)> =
            removed.iter().map(|v| (self.trail_position[v.index()], *v)).collect();
        let mut queued: Vec<Var> = removed;
        let mut queued_set: logic::FastSet<Var> = queued.iter().copied().collect();
        let keep: logic::FastSet<Var> = in_clause.into_iter().collect();
        let zero: logic::FastSet<Var> = zero_level.iter().map(|l| l.var()).collect();
        let mut zero = zero;
        while let Some((_, v)) = heap.pop() {
            let Some(c) = self.reason_clause(v, host) else { unreachable!("decisions are not redundant") };
            *scope = (*scope).max(self.db.scope(c));
            let true_lit = v.lit(self.values[v.index()] == LBool::True);
            if self.proof.is_enabled() {
                links.push(Link { pivot: !true_lit, antecedent: self.db.proof(c) });
            }
            for k in 0..self.db.len(c) {
                let l = self.db.lit(c, k);
                let w = l.var();
                if w == v || keep.contains(&w) {
                    continue;
                }
                if self.level[w.index()] == 0 {
                    if zero.insert(w) {
                        zero_level.push(l);
                    }
                } else if queued_set.insert(w) {
                    queued.push(w);
                    heap.push((self.trail_position[w.index()], w));
                }
            }
        }
    }
    /// Is the (false) literal implied by other literals of the clause? Iterative depth-first search with memo
    /// in `seen`.
    fn is_redundant(&mut self, lit: Lit, touched: &mut Vec<Var>, host: &mut impl Host) -> bool {
        if self.reason[lit.var().index()] == Reason::None {
            return false;
        }
        // Frames: a variable and the position of the next literal of its reason to look at.
        let mut stack: Vec<(Var, usize)> = vec![(lit.var(), 0)];
        while let Some(&(v, k)) = stack.last() {
            let Some(c) = self.reason_clause(v, host) else { unreachable!("only implied variables are on the stack") };
            if k == self.db.len(c) {
                if v != lit.var() {
                    self.seen[v.index()] = Seen::Redundant;
                    touched.push(v);
                }
                stack.pop();
                continue;
            }
            if let Some(frame) = stack.last_mut() {
                frame.1 += 1;
            }
            let w = self.db.lit(c, k).var();
            if w == v || self.level[w.index()] == 0 {
                continue;
            }
            match self.seen[w.index()] {
                Seen::Source | Seen::Redundant => {}
                Seen::No if self.reason[w.index()] != Reason::None => stack.push((w, 0)),
                Seen::No | Seen::Needed => {
                    for &(u, _) in &stack {
                        if self.seen[u.index()] == Seen::No {
                            self.seen[u.index()] = Seen::Needed;
                            touched.push(u);
                        }
                    }
                    return false;
                }
            }
        }
        true
    }

    // ---- heuristics ----

    fn n_levels(&mut self, lits: &[Lit]) -> u32 {
        self.stamp += 1;
        let mut n = 0;
        for l in lits {
            let level = self.level[l.var().index()] as usize;
            if self.level_stamp.len() <= level {
                self.level_stamp.resize(level + 1, 0);
            }
            if self.level_stamp[level] != self.stamp {
                self.level_stamp[level] = self.stamp;
                n += 1;
            }
        }
        n
    }
    fn refresh_lbd(&mut self, c: ClauseRef) {
        if self.db.lbd(c) > 2 {
            let lits: Vec<Lit> = self.db.lits(c).collect();
            let lbd = self.n_levels(&lits);
            if lbd < self.db.lbd(c) {
                self.db.set_lbd(c, lbd);
            }
        }
    }
    fn note_lbd(&mut self, lbd: u32) {
        let lbd = f64::from(lbd);
        self.lbd_fast += (lbd - self.lbd_fast) / 32.0;
        self.lbd_slow += (lbd - self.lbd_slow) / 4096.0_f64.min(self.stats.conflicts as f64);
    }
    fn should_restart(&self) -> bool {
        self.conflicts_since_restart >= MIN_RESTART_INTERVAL && self.lbd_fast > 1.15 * self.lbd_slow
    }
    fn restart(&mut self, host: &mut impl Host) {
        self.stats.restarts += 1;
        self.conflicts_since_restart = 0;
        self.cancel_until(0, host);
    }
    fn should_reduce(&self) -> bool {
        self.stats.conflicts >= self.next_reduce
    }
    fn is_reason(&self, c: ClauseRef) -> bool {
        let v = self.db.lit(c, 0).var().index();
        self.values[v] != LBool::Undef && self.reason[v] == Reason::Clause(c)
    }
    /// Forgets the worse half of the learnt clauses.
    fn reduce(&mut self) {
        self.reduce_interval += REDUCE_GROWTH;
        self.next_reduce = self.stats.conflicts + self.reduce_interval;
        let mut candidates: Vec<ClauseRef> = self
            .learnts
            .iter()
            .flatten()
            .copied()
            .filter(|&c| self.db.is_learnt(c) && self.db.lbd(c) > 2 && self.db.len(c) > 2 && !self.is_reason(c))
            .collect();
        candidates.sort_by_key(|&c| std::cmp::Reverse((self.db.lbd(c), self.db.len(c), c)));
        for &c in &candidates[..candidates.len() / 2] {
            self.db.delete(c);
        }
        for list in &mut self.learnts {
            list.retain(|&c| !self.db.is_deleted(c));
        }
        if self.db.should_collect() {
            self.collect_garbage();
        }
        if self.should_compact_proof() {
            self.compact_proof();
        }
    }
    fn collect_garbage(&mut self) {
        for list in &mut self.watches {
            let db = &self.db;
            list.retain(|w| !db.is_deleted(w.clause));
        }
        let mut moved: logic::FastMap<ClauseRef, ClauseRef> = logic::FastMap::default();
        self.db.collect(|old, new| {
            moved.insert(old, new);
        });
        for list in &mut self.watches {
            for w in list {
                w.clause = moved[&w.clause];
            }
        }
        self.occurrences = None;
        let older = self.older_originals.iter_mut().flatten();
        for c in self.originals.iter_mut().chain(self.learnts.iter_mut().flatten()).chain(older) {
            *c = moved[c];
        }
        for lit in &self.trail {
            if let Reason::Clause(c) = &mut self.reason[lit.var().index()] {
                *c = moved[c];
            }
        }
    }
    fn should_compact_proof(&self) -> bool {
        self.proof.is_enabled() && self.proof.size() > self.proof_size_limit
    }
    fn compact_proof(&mut self) {
        let clauses = self.db.refs();
        let mut roots: Vec<ClauseId> = clauses.iter().map(|&c| self.db.proof(c)).collect();
        roots.extend(self.units.iter().map(|u| u.proof));
        roots.extend(self.refutation.map(|(id, _)| id));
        for lit in &self.trail {
            roots.push(self.unit_proof[lit.var().index()]);
            if let Reason::Unit(id) = self.reason[lit.var().index()] {
                roots.push(id);
            }
        }
        let renamed = self.proof.compact(&roots);
        let rename = |id: ClauseId| if id == ClauseId::NONE { id } else { renamed[id.0 as usize] };
        for c in clauses {
            self.db.set_proof(c, rename(self.db.proof(c)));
        }
        for u in &mut self.units {
            u.proof = rename(u.proof);
        }
        if let Some((id, _)) = &mut self.refutation {
            *id = rename(*id);
        }
        for lit in &self.trail {
            let v = lit.var().index();
            self.unit_proof[v] = rename(self.unit_proof[v]);
            if let Reason::Unit(id) = &mut self.reason[v] {
                *id = rename(*id);
            }
        }
        self.proof_size_limit = FIRST_PROOF_COMPACTION.max(2 * self.proof.size());
    }

    // ---- the search ----

    fn next_decision(&mut self, host: &impl Host) -> Option<Lit> {
        if let Some(lit) = self.suggestion.take()
            && self.value(lit) == LBool::Undef
        {
            return Some(lit);
        }
        let mut satisfied = None;
        let mut skipped = Vec::new();
        let mut decision = None;
        while let Some(var) = self.heap.pop() {
            if self.active[var.index()] == 0 || self.values[var.index()] != LBool::Undef {
                continue;
            }
            if host.is_optional(var) {
                let satisfied = *satisfied.get_or_insert_with(|| self.all_satisfied());
                let is_long = self.stats.conflicts >= self.conflicts_before_search + CONFLICTS_BEFORE_RELEVANCE;
                if satisfied {
                    skipped.push(var);
                    continue;
                }
                if is_long && !self.is_wanted(var) {
                    self.passed_over.push(var);
                    continue;
                }
            }
            let phase = self.phase[var.index()].or_else(|| host.first_phase(var));
            decision = Some(var.lit(phase.unwrap_or(false)));
            break;
        }
        for var in skipped {
            self.heap.insert(var);
        }
        decision
    }
    /// Takes over the atoms that the theories made. They may call for going back to level 0.
    pub fn register_new_atoms(&mut self, host: &mut impl Host) {
        while let Some(needs_level_zero) = host.new_atoms() {
            if needs_level_zero {
                self.cancel_until(0, host);
            }
            let registered = host.register(&self.values);
            self.add_registered(host, registered);
        }
    }
    fn take_late_atoms(&mut self, host: &mut impl Host) {
        let lits = host.late_atoms();
        if lits.is_empty() {
            return;
        }
        self.cancel_until(0, host);
        self.register_new_atoms(host);
        // Before all that conflicts were about so far.
        for lit in lits {
            for _ in 0..10 {
                self.prefer(lit.var());
            }
            self.set_phase(lit);
        }
    }
    /// Activates variables, then adds clauses.
    pub fn add_registered(&mut self, host: &mut impl Host, registered: Registered) {
        for var in registered.vars {
            self.activate(var);
        }
        for (lits, origin) in registered.clauses {
            self.add_clause(host, lits, origin);
        }
    }
    /// Is there an assignment that satisfies all clauses and theories? On `Sat` the assignment is kept.
    pub fn search(&mut self, host: &mut impl Host) -> Outcome {
        self.register_new_atoms(host);
        self.conflicts_since_restart = 0;
        self.reconsider();
        self.conflicts_before_search = self.stats.conflicts;
        let mut until_late = Some(self.stats.conflicts + CONFLICTS_BEFORE_LATE_ATOMS);
        loop {
            if until_late.is_some_and(|n| self.stats.conflicts >= n) {
                until_late = None;
                self.take_late_atoms(host);
            }
            if self.refutation.is_some() {
                return Outcome::Unsat;
            }
            if let Err(stop) = host.budget().check() {
                return Outcome::Stopped(stop);
            }
            let conflict = match self.propagate(host) {
                Ok(conflict) => conflict,
                Err(stop) => return Outcome::Stopped(stop),
            };
            if conflict.is_none() && host.new_atoms().is_some() {
                // A conflict has no new atoms in it; those asked for by the way are registered when it is resolved.
                self.register_new_atoms(host);
                continue;
            }
            if let Some(conflict) = conflict {
                if !self.resolve_conflict(conflict, host) {
                    return Outcome::Unsat;
                }
                if self.should_restart() {
                    self.restart(host);
                }
                if self.should_reduce() {
                    self.reduce();
                }
                continue;
            }
            if let Some(lit) = self.next_decision(host) {
                self.decide(lit, host);
                continue;
            }
            self.stats.final_checks += 1;
            match host.final_check(&self.values) {
                FinalCheck::Ok => return Outcome::Sat,
                FinalCheck::Conflict(lemma) => {
                    let conflict = self.theory_conflict(lemma);
                    if !self.resolve_conflict(conflict, host) {
                        return Outcome::Unsat;
                    }
                }
                FinalCheck::Lemmas(lemmas) => {
                    self.register_new_atoms(host);
                    for lemma in lemmas {
                        self.add_clause(host, lemma.lits, Origin::Lemma(lemma.evidence));
                    }
                }
                FinalCheck::Decide(lit) => {
                    if host.new_atoms().is_none() && self.value(lit) != LBool::Undef {
                        // Would be proposed for ever.
                        return Outcome::GaveUp("a theory proposes a literal that is decided".to_string());
                    }
                    self.register_new_atoms(host);
                    self.set_phase(lit);
                    if self.value(lit) == LBool::Undef {
                        self.suggestion = Some(lit);
                    }
                }
                FinalCheck::GiveUp(why) => return Outcome::GaveUp(why),
                FinalCheck::Stopped(stop) => return Outcome::Stopped(stop),
            }
        }
    }
}
