//! Verifying interpolants by the derivations they were read off, without search.
//!
//! To put `π ∧ A ∧ ¬I` to a solver is to solve a problem about as hard as the formula. But the refutation that gave `I`
//! also says why `I` is right: at a node with the clause `C` and the partial interpolants `x` before and `y` after a
//! group of clauses φ, the clause
//!
//! > ¬x ∨ y ∨ { literals of C whose label has *b* before φ and *a* after it }
//!
//! follows from φ, π and the definitions of gates. Before the first group stands ⊤, after the last ⊥, so the groups A
//! and B of one cut give `π ∧ A ⇒ I` and `π ∧ B ∧ I ⇒ ⊥`, and the groups between cuts give the path property. Facts of
//! [`Focus::Propagated`](super::Focus) are derived in the same way, and put into the clause at the root one by one.
//!
//! Nothing of that is believed. [`Checker::follows`] accepts a clause only if assuming its negation leads to a conflict
//! by unit propagation in the few clauses it was given (inputs of φ, definitions of gates near the node, clauses
//! accepted before), possibly with a case distinction on the pivot. A wrong interpolant, or a wrong simplification of a
//! gate, leaves the last clause underivable: then the answer is *no*, which means that a solver must be asked, not that
//! the interpolant is wrong.

use super::Derivation;
use super::cnf::Cnf;
use crate::interpolate::circuit::{Circuit, Gate, GateKind};
use crate::interpolate::labelled::{Assignment, Label, LabelOrMixed};
use crate::interpolate::tree::TreeNode;
use crate::reduce::Node;
use crate::sat::types::{Lit, Var};
use std::ops::Range;

/// Definitions of gates are used down to this distance from the gates of a step.
const MAX_DISTANCE: usize = 6;

/// Unit propagation in small sets of clauses over the variables of the formula and one variable for each gate.
struct Checker<'a> {
    circuit: &'a Circuit,
    assignment: &'a Assignment,
    n_vars: usize,
    values: Vec<Option<bool>>,
    trail: Vec<Var>,
}

/// What unit propagation finds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Propagated {
    Conflict,
    Open,
}

impl<'a> Checker<'a> {
    fn new(circuit: &'a Circuit, assignment: &'a Assignment, n_vars: usize) -> Checker<'a> {
        Checker { circuit, assignment, n_vars, values: vec![None; n_vars + circuit.n_gates()], trail: Vec::new() }
    }
    fn literal(&self, gate: Gate) -> Lit {
        match self.circuit.kind(gate) {
            GateKind::Literal(lit) => lit,
            GateKind::False | GateKind::True | GateKind::Formula(_) | GateKind::And(..) | GateKind::Or(..) => {
                Var((self.n_vars + gate.0 as usize) as u32).positive()
            }
        }
    }
    /// Appends the clauses that define the gate; `end` of each goes to `ends`.
    fn define(&self, gate: Gate, lits: &mut Vec<Lit>, ends: &mut Vec<usize>) {
        let x = self.literal(gate);
        let mut clause = |clause: &[Lit]| {
            lits.extend_from_slice(clause);
            ends.push(lits.len());
        };
        match self.circuit.kind(gate) {
            GateKind::True => clause(&[x]),
            GateKind::False => clause(&[!x]),
            GateKind::Literal(_) | GateKind::Formula(_) => {}
            GateKind::And(a, b) => {
                let (a, b) = (self.literal(a), self.literal(b));
                clause(&[!x, a]);
                clause(&[!x, b]);
                clause(&[x, !a, !b]);
            }
            GateKind::Or(a, b) => {
                let (a, b) = (self.literal(a), self.literal(b));
                clause(&[x, !a]);
                clause(&[x, !b]);
                clause(&[!x, a, b]);
            }
        }
    }
    fn value(&self, lit: Lit) -> Option<bool> {
        match self.assignment.value(lit) {
            Some(value) => Some(value),
            None => self.values[lit.var().index()].map(|v| v == lit.is_positive()),
        }
    }
    /// Makes the literal true; `Conflict` if it is false.
    fn assume(&mut self, lit: Lit) -> Propagated {
        match self.value(lit) {
            Some(true) => Propagated::Open,
            Some(false) => Propagated::Conflict,
            None => {
                self.values[lit.var().index()] = Some(lit.is_positive());
                self.trail.push(lit.var());
                Propagated::Open
            }
        }
    }
    fn undo(&mut self, keep: usize) {
        for var in self.trail.drain(keep..) {
            self.values[var.index()] = None;
        }
    }
    fn propagate_clause(&mut self, clause: &[Lit]) -> Propagated {
        let mut unit = None;
        for &lit in clause {
            match self.value(lit) {
                Some(true) => return Propagated::Open,
                Some(false) => {}
                None if unit.is_some_and(|u| u != lit) => return Propagated::Open,
                None => unit = Some(lit),
            }
        }
        unit.map_or(Propagated::Conflict, |lit| self.assume(lit))
    }
    fn propagate(&mut self, from: &[&[Lit]], lits: &[Lit], ends: &[usize]) -> Propagated {
        loop {
            let n_assigned = self.trail.len();
            let mut start = 0;
            for &end in ends {
                if self.propagate_clause(&lits[start..end]) == Propagated::Conflict {
                    return Propagated::Conflict;
                }
                start = end;
            }
            for clause in from {
                if self.propagate_clause(clause) == Propagated::Conflict {
                    return Propagated::Conflict;
                }
            }
            if self.trail.len() == n_assigned {
                return Propagated::Open;
            }
        }
    }
    /// Does the clause follow, by unit propagation and at most one case distinction, from the given clauses, the
    /// assignment and the definitions of the gates down to some distance?
    fn follows(&mut self, clause: &[Lit], from: &[&[Lit]], gates: &[Gate], cases: Option<Lit>) -> bool {
        let result =
            clause.iter().any(|&lit| self.assume(!lit) == Propagated::Conflict) || self.refute(from, gates, cases);
        self.undo(0);
        result
    }
    fn refute(&mut self, from: &[&[Lit]], gates: &[Gate], cases: Option<Lit>) -> bool {
        let (mut lits, mut ends) = (Vec::new(), Vec::new());
        let mut near: Vec<Gate> = Vec::new();
        let mut next: Vec<Gate> = gates.to_vec();
        for _ in 0..MAX_DISTANCE {
            let from_here = near.len();
            for gate in next.drain(..) {
                if !near.contains(&gate) {
                    near.push(gate);
                    self.define(gate, &mut lits, &mut ends);
                }
            }
            if self.propagate(from, &lits, &ends) == Propagated::Conflict {
                return true;
            }
            if let Some(pivot) = cases {
                let keep = self.trail.len();
                let mut is_refuted = |lit: Lit| {
                    let conflict = self.assume(lit) == Propagated::Conflict
                        || self.propagate(from, &lits, &ends) == Propagated::Conflict;
                    self.undo(keep);
                    conflict
                };
                if is_refuted(pivot) && is_refuted(!pivot) {
                    return true;
                }
            }
            for &gate in &near[from_here..] {
                if let GateKind::And(a, b) | GateKind::Or(a, b) = self.circuit.kind(gate) {
                    next.extend([a, b]);
                }
            }
            if next.is_empty() {
                return false;
            }
        }
        false
    }
}

/// The clauses φ between two cuts, or before the first, or after the last.
struct Group {
    clauses: Range<usize>,
    before: Option<TreeNode>,
    after: Option<TreeNode>,
}

/// Is every interpolant of the derivation verified, and the step from each to the next? `splits` are the cuts, `answer`
/// the interpolants in the circuit.
pub(super) fn certifies(
    derivation: &Derivation<'_>,
    cnf: &Cnf,
    splits: &[usize],
    assignment: &Assignment,
    circuit: &Circuit,
    answer: &[Gate],
) -> bool {
    let n_clauses = cnf.clauses.len();
    let mut groups = Vec::new();
    for (k, &split) in splits.iter().enumerate() {
        let cut = k as TreeNode;
        groups.push(Group { clauses: 0..split, before: None, after: Some(cut) });
        groups.push(Group { clauses: split..n_clauses, before: Some(cut), after: None });
        if let Some(&next) = splits.get(k + 1) {
            groups.push(Group { clauses: split..next, before: Some(cut), after: Some(cut + 1) });
        }
    }
    let mut checker = Checker::new(circuit, assignment, cnf.n_vars);
    groups.iter().all(|group| GroupCheck { derivation, cnf, group }.run(&mut checker, answer).is_some())
}

struct GroupCheck<'a> {
    derivation: &'a Derivation<'a>,
    cnf: &'a Cnf,
    group: &'a Group,
}

fn insert(set: &mut Vec<Lit>, lit: Lit) {
    if let Err(place) = set.binary_search(&lit) {
        set.insert(place, lit);
    }
}

fn union_without(a: &[Lit], b: &[Lit], pivot: Option<Lit>) -> Vec<Lit> {
    let mut out: Vec<Lit> = Vec::with_capacity(a.len() + b.len());
    out.extend(a.iter().filter(|&&l| Some(l) != pivot));
    out.extend(b.iter().filter(|&&l| Some(!l) != pivot));
    out.sort_unstable();
    out.dedup();
    out
}

impl GroupCheck<'_> {
    /// `¬x ∨ y ∨ rest` for the gates before and after the group, and the gates themselves.
    fn clause(&self, checker: &Checker<'_>, gates: [Option<Gate>; 2], rest: &[Lit]) -> Vec<Lit> {
        let [before, after] = gates.map(|gate| gate.map(|g| checker.literal(g)));
        before.map(|x| !x).into_iter().chain(after).chain(rest.iter().copied()).collect()
    }
    fn gates_at(&self, node: u32) -> Option<[Option<Gate>; 2]> {
        let runs = self.derivation.gates.get(node as usize)?.as_ref()?;
        Some([self.group.before.map(|v| runs.at(v)), self.group.after.map(|v| runs.at(v))])
    }
    /// Does a literal stay in the clause of the group: may it still be resolved away by clauses of the group?
    fn stays(&self, lit: Lit) -> bool {
        let label = |v: TreeNode| match self.derivation.label(lit, v) {
            LabelOrMixed::Label(label) => Some(label),
            LabelOrMixed::Mixed => None,
        };
        let with_b = self.group.before.is_none_or(|v| matches!(label(v), Some(Label::B | Label::Both)));
        let with_a = self.group.after.is_none_or(|v| matches!(label(v), Some(Label::A | Label::Both)));
        with_b && with_a
    }
    /// The literals of an input clause that facts make false: those of other groups stay, those of this group are
    /// resolved away with the clauses of the facts, whose rests are added.
    fn under_facts<'f>(&self, clause: &[Lit], facts: &'f [FactClause], rest: &mut Vec<Lit>, from: &mut Vec<&'f [Lit]>) {
        for &lit in clause {
            let Some(known) = facts.iter().position(|f| f.lit == !lit) else { continue };
            match &facts[known].derived {
                Some(derived) => {
                    from.push(derived);
                    for &l in derived.iter().filter(|&&l| l != !lit) {
                        insert(rest, l);
                    }
                }
                None => insert(rest, lit),
            }
        }
    }
    /// `None` if a step is not accepted.
    fn run(&self, checker: &mut Checker<'_>, answer: &[Gate]) -> Option<()> {
        let derivation = self.derivation;
        let mut facts: Vec<FactClause> = Vec::new();
        for fact in &derivation.facts {
            let derived = if self.group.clauses.contains(&(fact.tag as usize)) {
                let input = &self.cnf.clauses[fact.tag as usize];
                let (mut rest, mut from) = (Vec::new(), vec![input.as_slice()]);
                self.under_facts(input, &facts, &mut rest, &mut from);
                insert(&mut rest, fact.lit);
                checker.follows(&rest, &from, &[], None).then_some(())?;
                Some(rest)
            } else {
                None
            };
            facts.push(FactClause { lit: fact.lit, derived });
        }
        let n_nodes = derivation.dag.nodes.len();
        let mut rests: Vec<Vec<Lit>> = vec![Vec::new(); n_nodes];
        let mut clauses: Vec<Vec<Lit>> = vec![Vec::new(); n_nodes];
        for (index, node) in derivation.dag.nodes.iter().enumerate() {
            let Some(gates) = self.gates_at(index as u32) else { continue };
            let (rest, clause) = match node {
                Node::Leaf { tag, clause } => {
                    let input = &self.cnf.clauses[*tag as usize];
                    let mut rest: Vec<Lit> = Vec::new();
                    for &lit in clause.iter().filter(|&&l| checker.assignment.value(l).is_none() && self.stays(l)) {
                        insert(&mut rest, lit);
                    }
                    let mut from: Vec<&[Lit]> = Vec::new();
                    if self.group.clauses.contains(&(*tag as usize)) {
                        from.push(input);
                        self.under_facts(input, &facts, &mut rest, &mut from);
                    }
                    let derived = self.clause(checker, gates, &rest);
                    let cone: Vec<Gate> =
                        gates.into_iter().flatten().flat_map(|g| leaf_cone(checker.circuit, g)).collect();
                    checker.follows(&derived, &from, &cone, None).then_some(())?;
                    (rest, derived)
                }
                Node::Resolve { pivot, positive, negative } => match derivation.by_rules.value(*pivot) {
                    Some(value) => {
                        let kept = if value { *negative } else { *positive } as usize;
                        (rests[kept].clone(), clauses[kept].clone())
                    }
                    None => {
                        let (p, n) = (*positive as usize, *negative as usize);
                        let rest = union_without(&rests[p], &rests[n], Some(*pivot));
                        let derived = self.clause(checker, gates, &rest);
                        let near: Vec<Gate> = [Some(gates), self.gates_at(*positive), self.gates_at(*negative)]
                            .into_iter()
                            .flatten()
                            .flatten()
                            .flatten()
                            .collect();
                        let from = [clauses[p].as_slice(), clauses[n].as_slice()];
                        checker.follows(&derived, &from, &near, Some(*pivot)).then_some(())?;
                        (rest, derived)
                    }
                },
            };
            rests[index] = rest;
            clauses[index] = clause;
        }
        // The facts, last first, with the gates they were put into.
        let root = derivation.dag.root as usize;
        let (mut rest, mut clause) = (std::mem::take(&mut rests[root]), std::mem::take(&mut clauses[root]));
        let mut gates = self.gates_at(root as u32)?;
        for (fact, told) in facts.iter().zip(&derivation.told).rev() {
            let old = gates;
            gates = [self.group.before.map(|v| told[v as usize]), self.group.after.map(|v| told[v as usize])];
            let own: &[Lit] = fact.derived.as_deref().unwrap_or(&[]);
            if gates == old && !rest.contains(&!fact.lit) {
                continue;
            }
            rest.retain(|&l| l != !fact.lit);
            for &l in own.iter().filter(|&&l| l != fact.lit) {
                insert(&mut rest, l);
            }
            let derived = self.clause(checker, gates, &rest);
            let near: Vec<Gate> = gates.into_iter().chain(old).flatten().collect();
            let mut from = vec![clause.as_slice()];
            if !own.is_empty() {
                from.push(own);
            }
            checker.follows(&derived, &from, &near, None).then_some(())?;
            clause = derived;
        }
        let wanted = [self.group.before.map(|v| answer[v as usize]), self.group.after.map(|v| answer[v as usize])];
        // The last clause must say what is claimed, and nothing else: true in every world of the assignment.
        let claim = self.clause(checker, wanted, &[]);
        (rest.is_empty() && gates == wanted && clause == claim).then_some(())
    }
}

/// A literal that follows from the assignment, with its clause if it follows from clauses of the group.
struct FactClause {
    lit: Lit,
    derived: Option<Vec<Lit>>,
}

/// The gates of a leaf's partial interpolant, which are few: a conjunction or disjunction of its literals.
fn leaf_cone(circuit: &Circuit, root: Gate) -> Vec<Gate> {
    let mut cone = vec![root];
    let mut done = 0;
    while let Some(&gate) = cone.get(done) {
        done += 1;
        if let GateKind::And(a, b) | GateKind::Or(a, b) = circuit.kind(gate) {
            for operand in [a, b] {
                if !cone.contains(&operand) {
                    cone.push(operand);
                }
            }
        }
    }
    cone
}
