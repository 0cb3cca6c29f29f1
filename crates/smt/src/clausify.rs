//! From formulas to clauses: Tseitin's translation with polarities (Plaisted and Greenbaum), on the shared DAG.
//!
//! A Boolean combination gets the variable of its own term; only the implications that its occurrences need are
//! made (a formula that occurs positively must imply its definition, one that occurs negatively be implied).
//! Definitions are made once per scope: what was defined in a scope is forgotten with it, and made again when the
//! term comes back.
//!
//! The result is a stream of clauses, and of theory atoms for which the theories must be told.

use crate::atoms::AtomTable;
use crate::sat::core::Origin;
use crate::sat::types::{Lit, Var};
use logic::{AssertionId, Op, SortId, TermId, TermPool};

/// In which ways a Boolean term occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Polarity(u8);

impl Polarity {
    pub(crate) const POSITIVE: Polarity = Polarity(1);
    pub(crate) const NEGATIVE: Polarity = Polarity(2);
    pub(crate) const BOTH: Polarity = Polarity(3);
    fn flipped_if(self, flip: bool) -> Polarity {
        if flip { Polarity((self.0 & 1) << 1 | self.0 >> 1) } else { self }
    }
}

#[derive(Default)]
pub(crate) struct Clausifier {
    /// The polarities in which a variable is defined.
    defined: Vec<u8>,
    log: Vec<(Var, u8)>,
    scopes: Vec<usize>,
    work: Vec<(Var, u8)>,
    /// Results, to be taken by the owner.
    pub clauses: Vec<(Vec<Lit>, Origin)>,
    pub vars: Vec<Var>,
    /// Theory atoms (and quantified formulas) met for the first time in their scope.
    pub theory_atoms: Vec<Var>,
}

impl Clausifier {
    pub(crate) fn push_scope(&mut self) {
        self.scopes.push(self.log.len());
    }
    pub(crate) fn pop_scope(&mut self) {
        let Some(n) = self.scopes.pop() else { return };
        for (var, old) in self.log.drain(n..).rev() {
            self.defined[var.index()] = old;
        }
        self.work.clear();
        self.clauses.clear();
        self.vars.clear();
        self.theory_atoms.clear();
    }

    /// Adds the clauses of an asserted formula.
    pub(crate) fn assert(&mut self, pool: &mut TermPool, atoms: &mut AtomTable, formula: TermId, id: AssertionId) {
        let mut stack = vec![(formula, true)];
        while let Some((t, positive)) = stack.pop() {
            match (pool.op(t), positive) {
                (Op::Not, _) => stack.push((pool.arg(t, 0), !positive)),
                (Op::True, true) | (Op::False, false) => {}
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(pool.args(t).iter().rev().map(|&a| (a, positive)));
                }
                (Op::Or, true) | (Op::And, false) => {
                    let args = pool.args(t).to_vec();
                    let mut disjuncts: Vec<(TermId, bool)> = args.into_iter().map(|a| (a, positive)).collect();
                    self.flatten(pool, &mut disjuncts);
                    self.emit(pool, atoms, &disjuncts, Origin::Input(id));
                }
                _ => self.emit(pool, atoms, &[(t, positive)], Origin::Input(id)),
            }
        }
        self.run(pool, atoms);
    }
    /// Splices disjunctions that hide behind negations (`not (and ..)` under `or`).
    fn flatten(&self, pool: &TermPool, disjuncts: &mut Vec<(TermId, bool)>) {
        let mut k = 0;
        while k < disjuncts.len() {
            let (t, positive) = disjuncts[k];
            match (pool.op(t), positive) {
                (Op::Not, _) => disjuncts[k] = (pool.arg(t, 0), !positive),
                (Op::Or, true) | (Op::And, false) => {
                    disjuncts.swap_remove(k);
                    disjuncts.extend(pool.args(t).iter().map(|&a| (a, positive)));
                }
                _ => k += 1,
            }
        }
    }
    /// A valid clause given by terms (atoms or negations).
    pub(crate) fn add_clause(&mut self, pool: &mut TermPool, atoms: &mut AtomTable, clause: &[TermId], origin: Origin) {
        let parts: Vec<(TermId, bool)> = clause.iter().map(|&t| (t, true)).collect();
        self.emit(pool, atoms, &parts, origin);
        self.run(pool, atoms);
    }
    /// A valid clause of a literal that needs no (further) definition, and terms.
    pub(crate) fn add_clause_with(
        &mut self,
        pool: &mut TermPool,
        atoms: &mut AtomTable,
        lit: Lit,
        clause: &[TermId],
        origin: Origin,
    ) {
        let n_clauses = self.clauses.len();
        let parts: Vec<(TermId, bool)> = clause.iter().map(|&t| (t, true)).collect();
        self.emit(pool, atoms, &parts, origin);
        if let Some((lits, _)) = self.clauses.get_mut(n_clauses) {
            lits.insert(0, lit);
        }
        self.run(pool, atoms);
    }
    /// The literal of a Boolean term other than `true` and `false`; its definition follows.
    pub(crate) fn literal(&mut self, pool: &mut TermPool, atoms: &mut AtomTable, t: TermId, polarity: Polarity) -> Lit {
        let lit = self.request(pool, atoms, t, polarity);
        self.run(pool, atoms);
        lit
    }
    pub(crate) fn define(&mut self, pool: &mut TermPool, atoms: &mut AtomTable, var: Var, polarity: Polarity) {
        self.work.push((var, polarity.0));
        self.run(pool, atoms);
    }

    fn request(&mut self, pool: &TermPool, atoms: &mut AtomTable, t: TermId, polarity: Polarity) -> Lit {
        let (mut base, mut negated) = (t, false);
        while pool.op(base) == Op::Not {
            base = pool.arg(base, 0);
            negated = !negated;
        }
        let var = atoms.intern_quietly(base);
        self.work.push((var, polarity.flipped_if(negated).0));
        var.lit(!negated)
    }
    /// Makes a clause of terms, requesting definitions in the polarity of their occurrence.
    fn emit(&mut self, pool: &TermPool, atoms: &mut AtomTable, parts: &[(TermId, bool)], origin: Origin) {
        let mut lits = Vec::with_capacity(parts.len());
        for &(t, positive) in parts {
            match (pool.op(t), positive) {
                (Op::True, true) | (Op::False, false) => return,
                (Op::True, false) | (Op::False, true) => {}
                _ => {
                    let polarity = if positive { Polarity::POSITIVE } else { Polarity::NEGATIVE };
                    lits.push(self.request(pool, atoms, t, polarity).flipped_if(!positive));
                }
            }
        }
        self.clauses.push((lits, origin));
    }

    fn run(&mut self, pool: &mut TermPool, atoms: &mut AtomTable) {
        while let Some((var, wanted)) = self.work.pop() {
            if self.defined.len() <= var.index() {
                self.defined.resize(atoms.n_vars().max(var.index() + 1), 0);
            }
            let have = self.defined[var.index()];
            let missing = wanted & !have;
            if missing == 0 {
                continue;
            }
            self.log.push((var, have));
            self.defined[var.index()] = have | wanted;
            if atoms.activate(var) {
                self.vars.push(var);
            }
            let t = atoms.term(var);
            let (up, down) = (missing & Polarity::POSITIVE.0 != 0, missing & Polarity::NEGATIVE.0 != 0);
            let origin = Origin::Definition(t);
            let mut clauses: Vec<Vec<(TermId, bool)>> = Vec::new();
            let args = pool.args(t).to_vec();
            match pool.op(t) {
                op @ (Op::And | Op::Or) => {
                    // An `or` is an `and` with all signs turned.
                    let sign = op == Op::And;
                    let (each, all) = if sign { (up, down) } else { (down, up) };
                    if each {
                        clauses.extend(args.iter().map(|&a| vec![(t, !sign), (a, sign)]));
                    }
                    if all {
                        let mut clause = vec![(t, sign)];
                        clause.extend(args.iter().map(|&a| (a, !sign)));
                        clauses.push(clause);
                    }
                }
                Op::Eq if pool.sort(args[0]) == SortId::BOOL => {
                    let (x, y) = (args[0], args[1]);
                    if up {
                        clauses.push(vec![(t, false), (x, false), (y, true)]);
                        clauses.push(vec![(t, false), (x, true), (y, false)]);
                    }
                    if down {
                        clauses.push(vec![(t, true), (x, true), (y, true)]);
                        clauses.push(vec![(t, true), (x, false), (y, false)]);
                    }
                }
                Op::Ite => {
                    let (c, x, y) = (args[0], args[1], args[2]);
                    if up {
                        clauses.push(vec![(t, false), (c, false), (x, true)]);
                        clauses.push(vec![(t, false), (c, true), (y, true)]);
                    }
                    if down {
                        clauses.push(vec![(t, true), (c, false), (x, false)]);
                        clauses.push(vec![(t, true), (c, true), (y, false)]);
                    }
                }
                Op::Distinct => {
                    let mut some = vec![(t, true)];
                    for (k, &x) in args.iter().enumerate() {
                        for &y in &args[k + 1..] {
                            let eq = pool.eq(x, y);
                            if up {
                                clauses.push(vec![(t, false), (eq, false)]);
                            }
                            some.push((eq, true));
                        }
                    }
                    if down {
                        clauses.push(some);
                    }
                }
                Op::App(_) if args.is_empty() => {}
                _ => {
                    if have == 0 || matches!(pool.op(t), Op::Forall(_) | Op::Exists(_)) {
                        self.theory_atoms.push(var);
                    }
                }
            }
            for clause in clauses {
                self.emit(pool, atoms, &clause, origin.clone());
            }
        }
    }
    /// The polarities in which a variable is used at present.
    pub(crate) fn polarities(&self, var: Var) -> (bool, bool) {
        let d = self.defined.get(var.index()).copied().unwrap_or(0);
        (d & 1 != 0, d & 2 != 0)
    }
}
