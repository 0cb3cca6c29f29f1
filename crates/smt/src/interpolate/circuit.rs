//! Partial interpolants as circuits of binary conjunctions and disjunctions over literals.
//!
//! An interpolant read off a refutation is a monotone combination of literals (and of formulas that
//! theory lemmas contribute). While it grows it is kept here rather than in the term pool: the pool
//! flattens conjunctions, which would copy argument lists once per resolution step. Nodes are
//! hash-consed; construction propagates constants and applies idempotence, complements, and
//! absorption one level deep. Sizes are counted as the PVAIR paper counts them: literals and
//! operators of the DAG.

use crate::sat::types::Lit;
use logic::TermId;
use rustc_hash::FxHashMap;

/// A node of a [`Circuit`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Gate(pub u32);

impl Gate {
    pub const FALSE: Gate = Gate(0);
    pub const TRUE: Gate = Gate(1);
}

/// What a gate is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GateKind {
    False,
    True,
    /// A propositional literal.
    Literal(Lit),
    /// A formula contributed by a theory lemma.
    Formula(TermId),
    And(Gate, Gate),
    Or(Gate, Gate),
}

/// An arena of hash-consed gates; operands come before the gates that use them.
#[derive(Clone, Debug)]
pub struct Circuit {
    gates: Vec<GateKind>,
    known: FxHashMap<GateKind, Gate>,
}

impl Default for Circuit {
    fn default() -> Self {
        let mut circuit = Circuit { gates: Vec::new(), known: FxHashMap::default() };
        circuit.intern(GateKind::False);
        circuit.intern(GateKind::True);
        circuit
    }
}

impl Circuit {
    pub fn new() -> Circuit {
        Circuit::default()
    }
    fn intern(&mut self, kind: GateKind) -> Gate {
        if let Some(&gate) = self.known.get(&kind) {
            return gate;
        }
        let gate = Gate(u32::try_from(self.gates.len()).expect("more than 2^32 gates"));
        self.gates.push(kind);
        self.known.insert(kind, gate);
        gate
    }
    pub fn kind(&self, gate: Gate) -> GateKind {
        self.gates[gate.0 as usize]
    }
    /// The number of gates ever made; gates are numbered below it.
    pub fn n_gates(&self) -> usize {
        self.gates.len()
    }
    pub fn literal(&mut self, lit: Lit) -> Gate {
        self.intern(GateKind::Literal(lit))
    }
    pub fn formula(&mut self, term: TermId) -> Gate {
        match term {
            TermId::TRUE => Gate::TRUE,
            TermId::FALSE => Gate::FALSE,
            _ => self.intern(GateKind::Formula(term)),
        }
    }
    fn complementary(&self, a: Gate, b: Gate) -> bool {
        matches!((self.kind(a), self.kind(b)), (GateKind::Literal(l), GateKind::Literal(m)) if l == !m)
    }
    pub fn and(&mut self, a: Gate, b: Gate) -> Gate {
        if a == Gate::FALSE || b == Gate::FALSE || self.complementary(a, b) {
            return Gate::FALSE;
        }
        if a == Gate::TRUE || a == b {
            return b;
        }
        if b == Gate::TRUE {
            return a;
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.kind(x) {
                GateKind::And(l, r) if l == y || r == y => return x,
                GateKind::And(l, r) if self.complementary(l, y) || self.complementary(r, y) => return Gate::FALSE,
                GateKind::Or(l, r) if l == y || r == y => return y,
                // x = (l ∨ r), y = ¬l: only r can be true.
                GateKind::Or(l, r) if self.complementary(l, y) => return self.and(r, y),
                GateKind::Or(l, r) if self.complementary(r, y) => return self.and(l, y),
                _ => {}
            }
        }
        self.intern(GateKind::And(a.min(b), a.max(b)))
    }
    pub fn or(&mut self, a: Gate, b: Gate) -> Gate {
        if a == Gate::TRUE || b == Gate::TRUE || self.complementary(a, b) {
            return Gate::TRUE;
        }
        if a == Gate::FALSE || a == b {
            return b;
        }
        if b == Gate::FALSE {
            return a;
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.kind(x) {
                GateKind::Or(l, r) if l == y || r == y => return x,
                GateKind::Or(l, r) if self.complementary(l, y) || self.complementary(r, y) => return Gate::TRUE,
                GateKind::And(l, r) if l == y || r == y => return y,
                GateKind::And(l, r) if self.complementary(l, y) => return self.or(r, y),
                GateKind::And(l, r) if self.complementary(r, y) => return self.or(l, y),
                _ => {}
            }
        }
        self.intern(GateKind::Or(a.min(b), a.max(b)))
    }
    /// The gates `roots` depend on, operands first.
    pub fn cone(&self, roots: &[Gate]) -> Vec<Gate> {
        let mut marked = vec![false; self.gates.len()];
        for root in roots {
            marked[root.0 as usize] = true;
        }
        for index in (0..self.gates.len()).rev() {
            if let (true, GateKind::And(a, b) | GateKind::Or(a, b)) = (marked[index], self.gates[index]) {
                marked[a.0 as usize] = true;
                marked[b.0 as usize] = true;
            }
        }
        (0..self.gates.len()).filter(|&i| marked[i]).map(|i| Gate(i as u32)).collect()
    }
    /// Literals and operators in the DAG below the roots; constants count one.
    pub fn size(&self, roots: &[Gate]) -> usize {
        self.cone(roots).len()
    }
    /// The literals below the roots, sorted.
    pub fn literals(&self, roots: &[Gate]) -> Vec<Lit> {
        let mut lits: Vec<Lit> = self
            .cone(roots)
            .into_iter()
            .filter_map(|g| match self.kind(g) {
                GateKind::Literal(l) => Some(l),
                GateKind::False | GateKind::True | GateKind::Formula(_) | GateKind::And(..) | GateKind::Or(..) => None,
            })
            .collect();
        lits.sort_unstable();
        lits
    }
    /// The value of every gate of the circuit, 64 assignments at a time.
    pub fn simulate(&self, mut literal: impl FnMut(Lit) -> u64, mut formula: impl FnMut(TermId) -> u64) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::with_capacity(self.gates.len());
        for kind in &self.gates {
            values.push(match *kind {
                GateKind::False => 0,
                GateKind::True => u64::MAX,
                GateKind::Literal(l) => literal(l),
                GateKind::Formula(t) => formula(t),
                GateKind::And(a, b) => values[a.0 as usize] & values[b.0 as usize],
                GateKind::Or(a, b) => values[a.0 as usize] | values[b.0 as usize],
            });
        }
        values
    }
    /// The value of one gate under a total assignment; formulas count as false.
    pub fn eval(&self, root: Gate, literal: impl Fn(Lit) -> bool) -> bool {
        let values = self.simulate(|l| if literal(l) { 1 } else { 0 }, |_| 0);
        values[root.0 as usize] & 1 == 1
    }
}
