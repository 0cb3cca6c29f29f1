//! Labelled interpolation over resolution refutations, under partial assignments, for all nodes of
//! a tree at once.
//!
//! The labelled interpolation system (D'Silva, Kroening, Purandare, Weissenbacher: "Interpolant
//! strength", VMCAI 2010) gives every literal of a leaf a label *a*, *b* or *ab* and computes a
//! partial interpolant per proof node. Literals local to one side have that side's label; shared
//! ones are free, and the choice decides the strength: all *b* is McMillan's system (strongest),
//! all *ab* Pudlák's, all *a* McMillan's inverse (weakest). LPAIS (Jančík, Kofroň, Rollini,
//! Sharygina: "On interpolants and variable assignments", FMCAD 2014) adds a partial assignment π
//! and the label *d⁺* for literals true in π: satisfied leaves contribute ⊤, a resolution on an
//! assigned variable keeps only the antecedent that π does not satisfy, and a variable counts as
//! shared only if clauses not satisfied by π share it.
//!
//! | node | partial interpolant |
//! |---|---|
//! | leaf of A, not satisfied by π | disjunction of its unassigned literals labelled *b* |
//! | leaf of B, not satisfied by π | conjunction of the negations of its unassigned literals labelled *a* |
//! | leaf satisfied by π | ⊤ |
//! | pivot *a* / *b* | I₁ ∨ I₂ / I₁ ∧ I₂ |
//! | pivot *ab* | (I₁ ∨ p) ∧ (I₂ ∨ ¬p) |
//! | pivot true in π in one antecedent | the partial interpolant of the other |
//!
//! Invariant: π ∧ A ⇒ I ∨ C|a,ab,d⁺ and π ∧ B ∧ I ⇒ C|b,ab,d⁺ for the clause C of the node.
//!
//! Here a label belongs to a literal, not to its occurrences, so it need not be carried along the
//! proof. A vector of partial interpolants, one per tree node, is stored as [`Runs`]; antecedents
//! that a *d⁺* pivot ignores are never visited. McMillan and Pudlák give tree interpolants; the
//! inverse system does so on sequences only (a symbol shared by two siblings alone breaks it).

use super::circuit::{Circuit, Gate};
use super::tree::{Runs, Sides, TreeNode, TreeShape};
use crate::reduce::{Node, NodeIndex, ResolutionDag};
use crate::sat::types::{Lit, Var};
use base::{Budget, Stop};

/// Where an atom lives relative to a subtree A and its complement B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    A,
    B,
    Shared,
    /// Neither side has all symbols of the atom.
    Mixed,
}

impl From<Sides> for Colour {
    fn from(sides: Sides) -> Colour {
        match (sides.inside, sides.outside) {
            (true, true) => Colour::Shared,
            (true, false) => Colour::A,
            (false, true) => Colour::B,
            // A variable of no unsatisfied clause at all: either side will do, the same everywhere.
            (false, false) => Colour::B,
        }
    }
}

/// The label of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    A,
    B,
    Both,
}

impl Label {
    pub fn join(self, other: Label) -> Label {
        if self == other { self } else { Label::Both }
    }
}

/// Where a leaf of the refutation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafOrigin {
    /// A clause of this partition.
    Partition(TreeNode),
    /// A lemma, valid in the theories; a [`TheoryLeaves`] interpolates it.
    Theory,
}

/// Why a refutation could not be interpolated this way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A resolution on an atom that is mixed at some tree node.
    MixedPivot(Var),
    /// A theory lemma whose interpolation is not implemented or not possible by the rules used.
    Leaf {
        tag: u32,
        reason: &'static str,
    },
    /// A shared literal with the label *a* at a tree with branching; see the essay.
    LabellingNeedsSequence,
    Stopped(Stop),
}

impl From<Stop> for Obstacle {
    fn from(stop: Stop) -> Obstacle {
        Obstacle::Stopped(stop)
    }
}

/// Interpolates theory lemmas.
pub trait TheoryLeaves {
    /// Per tree node a formula I such that the conflict's literals on the A side (labels *a*, *ab*)
    /// imply I, and I contradicts those on the B side (labels *b*, *ab*).
    fn leaf(
        &mut self,
        circuit: &mut Circuit,
        tag: u32,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
    ) -> Result<Runs<Gate>, Obstacle>;

    /// The partial interpolant after a resolution on an atom that is mixed: `pivot` is in the clause of `left`.
    fn mixed_pivot(&mut self, _: &mut Circuit, pivot: Lit, _left: Gate, _right: Gate) -> Result<Gate, Obstacle> {
        Err(Obstacle::MixedPivot(pivot.var()))
    }
}

/// The label of a literal at a tree node, if it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelOrMixed {
    Label(Label),
    Mixed,
}

/// A refutation without theory lemmas.
pub struct NoTheory;

impl TheoryLeaves for NoTheory {
    fn leaf(&mut self, _: &mut Circuit, tag: u32, _: &[Lit], _: &[Runs<LabelOrMixed>]) -> Result<Runs<Gate>, Obstacle> {
        Err(Obstacle::Leaf { tag, reason: "a theory lemma in a propositional refutation" })
    }
}

/// Everything the rules depend on.
pub struct LabelledSystem<'a> {
    pub dag: &'a ResolutionDag,
    pub tree: &'a TreeShape,
    /// The origin of a leaf by its tag.
    pub origin: &'a dyn Fn(u32) -> LeafOrigin,
    /// The colour of each variable, indexed by it.
    pub colours: &'a [Runs<Colour>],
    /// The label of a shared literal.
    pub shared_label: &'a dyn Fn(Lit) -> Label,
    pub assignment: &'a Assignment,
}

/// A set of literals without complementary pairs, for quick lookup.
#[derive(Clone, Default, Debug)]
pub struct Assignment {
    values: Vec<Option<bool>>,
    lits: Vec<Lit>,
}

impl Assignment {
    /// `None` if a variable is assigned both ways.
    pub fn new(lits: &[Lit]) -> Option<Assignment> {
        let mut assignment = Assignment::default();
        for &lit in lits {
            let index = lit.var().0 as usize;
            if assignment.values.len() <= index {
                assignment.values.resize(index + 1, None);
            }
            match assignment.values[index] {
                None => {
                    assignment.values[index] = Some(lit.is_positive());
                    assignment.lits.push(lit);
                }
                Some(value) if value == lit.is_positive() => {}
                Some(_) => return None,
            }
        }
        Some(assignment)
    }
    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }
    pub fn is_empty(&self) -> bool {
        self.lits.is_empty()
    }
    /// The value of a literal, if assigned.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        let value = *self.values.get(lit.var().0 as usize)?;
        value.map(|v| v == lit.is_positive())
    }
    pub fn satisfies(&self, clause: &[Lit]) -> bool {
        clause.iter().any(|&l| self.value(l) == Some(true))
    }
    pub fn falsifies(&self, clause: &[Lit]) -> bool {
        clause.iter().all(|&l| self.value(l) == Some(false))
    }
}

/// The colours of `n_vars` variables by their occurrences in the leaves that the assignment does
/// not satisfy. Theory lemmas do not count.
pub fn colours_by_occurrence(
    dag: &ResolutionDag,
    tree: &TreeShape,
    origin: &dyn Fn(u32) -> LeafOrigin,
    assignment: &Assignment,
    n_vars: usize,
) -> Vec<Runs<Colour>> {
    occurrences(dag, origin, assignment, n_vars)
        .iter()
        .map(|partitions| tree.sides(partitions).map(Colour::from))
        .collect()
}

/// Per variable the sorted partitions whose unsatisfied leaves contain it.
pub fn occurrences(
    dag: &ResolutionDag,
    origin: &dyn Fn(u32) -> LeafOrigin,
    assignment: &Assignment,
    n_vars: usize,
) -> Vec<Vec<TreeNode>> {
    let mut partitions: Vec<Vec<TreeNode>> = vec![Vec::new(); n_vars];
    for node in &dag.nodes {
        let Node::Leaf { tag, clause } = node else { continue };
        let LeafOrigin::Partition(p) = origin(*tag) else { continue };
        if assignment.satisfies(clause) {
            continue;
        }
        for lit in clause {
            partitions[lit.var().0 as usize].push(p);
        }
    }
    for list in &mut partitions {
        list.sort_unstable();
        list.dedup();
    }
    partitions
}

impl LabelledSystem<'_> {
    fn label(&self, lit: Lit, colour: Colour) -> LabelOrMixed {
        LabelOrMixed::Label(match colour {
            Colour::A => Label::A,
            Colour::B => Label::B,
            Colour::Shared => (self.shared_label)(lit),
            Colour::Mixed => return LabelOrMixed::Mixed,
        })
    }

    /// One partial interpolant per tree node but the root.
    pub fn interpolate(
        &self,
        circuit: &mut Circuit,
        theory: &mut dyn TheoryLeaves,
        budget: &Budget,
    ) -> Result<Runs<Gate>, Obstacle> {
        self.interpolate_observed(circuit, theory, &mut |_, _| {}, budget)
    }

    /// The same; the partial interpolants of every node that is visited are shown on the way, antecedents first.
    pub fn interpolate_observed(
        &self,
        circuit: &mut Circuit,
        theory: &mut dyn TheoryLeaves,
        observe: &mut dyn FnMut(NodeIndex, &Runs<Gate>),
        budget: &Budget,
    ) -> Result<Runs<Gate>, Obstacle> {
        let nodes = &self.dag.nodes;
        let n = self.tree.n_interpolants() as TreeNode;
        // Uses by the nodes that are visited; a partial interpolant is dropped after its last use.
        let mut uses = vec![0u32; nodes.len()];
        uses[self.dag.root as usize] = 1;
        for index in (0..nodes.len()).rev() {
            if uses[index] == 0 {
                continue;
            }
            if let Node::Resolve { pivot, positive, negative } = nodes[index] {
                match self.assignment.value(pivot) {
                    Some(true) => uses[negative as usize] += 1,
                    Some(false) => uses[positive as usize] += 1,
                    None => {
                        uses[positive as usize] += 1;
                        uses[negative as usize] += 1;
                    }
                }
            }
        }
        let mut partial: Vec<Option<Runs<Gate>>> = vec![None; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            if uses[index] == 0 {
                continue;
            }
            budget.check()?;
            let result = match node {
                Node::Leaf { tag, clause } => self.leaf(circuit, theory, *tag, clause, n)?,
                Node::Resolve { pivot, positive, negative } => match self.assignment.value(*pivot) {
                    Some(true) => take(&mut partial, &mut uses, *negative),
                    Some(false) => take(&mut partial, &mut uses, *positive),
                    None => {
                        let left = take(&mut partial, &mut uses, *positive);
                        let right = take(&mut partial, &mut uses, *negative);
                        self.resolve(circuit, theory, *pivot, &left, &right)?
                    }
                },
            };
            observe(index as NodeIndex, &result);
            partial[index] = Some(result);
        }
        Ok(take(&mut partial, &mut uses, self.dag.root))
    }

    fn leaf(
        &self,
        circuit: &mut Circuit,
        theory: &mut dyn TheoryLeaves,
        tag: u32,
        clause: &[Lit],
        n: TreeNode,
    ) -> Result<Runs<Gate>, Obstacle> {
        if self.assignment.satisfies(clause) {
            return Ok(Runs::constant(n, Gate::TRUE));
        }
        match (self.origin)(tag) {
            LeafOrigin::Theory => {
                let labels: Vec<Runs<LabelOrMixed>> = clause
                    .iter()
                    .map(|&lit| self.colours[lit.var().0 as usize].map(|colour| self.label(lit, colour)))
                    .collect();
                theory.leaf(circuit, tag, clause, &labels)
            }
            LeafOrigin::Partition(p) => {
                let inside = self.tree.sides(&[p]).map(|s| s.inside);
                let mut result = inside.map(|inside| if inside { Gate::FALSE } else { Gate::TRUE });
                for &lit in clause {
                    if self.assignment.value(lit).is_some() {
                        continue;
                    }
                    let labels = self.colours[lit.var().0 as usize].map(|colour| self.label(lit, colour));
                    let contribution = inside.zip(&labels, |inside, label| match (inside, label) {
                        (true, LabelOrMixed::Label(Label::B)) => circuit.literal(lit),
                        (true, _) => Gate::FALSE,
                        (false, LabelOrMixed::Label(Label::A)) => circuit.literal(!lit),
                        (false, _) => Gate::TRUE,
                    });
                    let paired = result.zip(&contribution, |so_far, more| (so_far, more));
                    result =
                        paired.zip(
                            &inside,
                            |(so_far, more), inside| {
                                if inside { circuit.or(so_far, more) } else { circuit.and(so_far, more) }
                            },
                        );
                }
                let mut cut = Runs::default();
                for (_, end, gate) in result.iter() {
                    cut.push(end.min(n), gate);
                }
                Ok(cut)
            }
        }
    }

    fn resolve(
        &self,
        circuit: &mut Circuit,
        theory: &mut dyn TheoryLeaves,
        pivot: Lit,
        left: &Runs<Gate>,
        right: &Runs<Gate>,
    ) -> Result<Runs<Gate>, Obstacle> {
        let colours = &self.colours[pivot.var().0 as usize];
        let pairs = left.zip(right, |l, r| (l, r));
        let mut obstacle = None;
        let result = pairs.zip(colours, |(l, r), colour| {
            // Neutral elements first: they need no label, and a mixed pivot does no harm then.
            if l == r && (l == Gate::TRUE || l == Gate::FALSE) {
                return l;
            }
            match (self.label(pivot, colour), self.label(!pivot, colour)) {
                (LabelOrMixed::Label(p), LabelOrMixed::Label(q)) => match p.join(q) {
                    Label::A => circuit.or(l, r),
                    Label::B => circuit.and(l, r),
                    Label::Both => {
                        let positive = circuit.literal(pivot);
                        let negative = circuit.literal(!pivot);
                        let l = circuit.or(l, positive);
                        let r = circuit.or(r, negative);
                        circuit.and(l, r)
                    }
                },
                _ if obstacle.is_some() => Gate::FALSE,
                _ => theory.mixed_pivot(circuit, pivot, l, r).unwrap_or_else(|found| {
                    obstacle = Some(found);
                    Gate::FALSE
                }),
            }
        });
        obstacle.map_or(Ok(result), Err)
    }
}

fn take(partial: &mut [Option<Runs<Gate>>], uses: &mut [u32], index: u32) -> Runs<Gate> {
    let index = index as usize;
    uses[index] -= 1;
    let result = if uses[index] == 0 { partial[index].take() } else { partial[index].clone() };
    result.expect("antecedents are computed before their uses")
}
