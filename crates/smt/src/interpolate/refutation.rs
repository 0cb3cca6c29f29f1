//! Reading tree interpolants off a refutation of the solver.
//!
//! The refutation becomes a [`ResolutionDag`]; its leaves are clauses of partitions, definitions
//! of Boolean terms, and theory lemmas.
//!
//! * A clause of an assertion belongs to the assertion's partition.
//! * Definitions and axiom instances are valid, so they may be added to any partition that has all
//!   their symbols, their *home*. Their proxies are terms, not names, so nothing needs unfolding.
//! * Arithmetic and equality lemmas are interpolated from their certificates, node by node of the
//!   tree but only where some label changes ([`Runs`]).
//! * Other lemmas without a home, say `t ≤ 3 ∨ t ≥ 4` over a term shared by all: the literals of the
//!   A side themselves are an interpolant if they are over shared symbols; on a sequence also the
//!   negated literals of the B side, provided the nodes above do the same.
//!
//! Atoms that occur in leaves with a partition are coloured by these partitions; others by their
//! symbols. What remains mixed is an [`Obstacle`], unless the caller wants auxiliary variables ([`super::mixed`]):
//! these come with larger formulas, so other ways are tried first.

use super::circuit::{Circuit, Gate, GateKind};
use super::colour::SymbolColours;
use super::labelled::{Assignment, Colour, Label, LabelOrMixed, LabelledSystem, LeafOrigin, Obstacle, TheoryLeaves};
use super::mixed::MixedAtoms;
use super::tree::{Runs, Sides, TreeNode, TreeShape};
use super::{euf, farkas};
use crate::atoms::AtomTable;
use crate::linear_literal::{LinearLiteral, Relation, form_term, linear_form, linear_literal};
use crate::proof::{ClauseId, Evidence, Proof, Step};
use crate::reduce::{Node, NodeIndex, ResolutionDag};
use crate::sat::types::{Lit, Var};
use base::Budget;
use logic::{AssertionId, Farkas, FastMap, ItpOptions, Labelling, Linear, Rational, SortId, TermId, TermPool};

/// A refutation as the solver keeps it.
#[derive(Clone, Copy)]
pub struct Refutation<'a> {
    pub proof: &'a Proof,
    /// The empty clause.
    pub root: ClauseId,
    pub atoms: &'a AtomTable,
}

/// The assertions by tree node, in postorder.
#[derive(Clone, Debug)]
pub struct Partitions {
    pub tree: TreeShape,
    /// The formulas of each node.
    pub formulas: Vec<Vec<TermId>>,
    /// The node of each assertion in a partition.
    pub node_of: FastMap<AssertionId, TreeNode>,
    /// Formulas that are in no partition: they hold everywhere.
    pub background: Vec<TermId>,
    /// The formula of every assertion.
    pub terms: FastMap<AssertionId, TermId>,
}

/// The resolution steps of a refutation. Leaf tags are clause ids.
pub fn resolution_dag(proof: &Proof, root: ClauseId) -> ResolutionDag {
    let mut nodes: Vec<Node> = Vec::new();
    let mut node_of: FastMap<ClauseId, NodeIndex> = FastMap::default();
    for id in proof.cone(root) {
        let node = match proof.step(id) {
            Step::Input(_) | Step::Definition(_) | Step::Lemma(_) => {
                nodes.push(Node::Leaf { tag: id.0, clause: proof.clause(id).into() });
                nodes.len() as NodeIndex - 1
            }
            Step::Chain { first, links } => {
                let mut running = node_of[&first];
                for link in links {
                    nodes.push(Node::Resolve {
                        pivot: link.pivot,
                        positive: running,
                        negative: node_of[&link.antecedent],
                    });
                    running = nodes.len() as NodeIndex - 1;
                }
                running
            }
        };
        node_of.insert(id, node);
    }
    let root = node_of[&root];
    ResolutionDag { nodes, root }
}

/// What is done about literals that mix local symbols of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MixedLiterals {
    Refused,
    CutInTwo,
}

/// Tree interpolants, one per node but the root, straight from the refutation.
#[allow(clippy::too_many_arguments)]
pub fn interpolate(
    pool: &mut TermPool,
    refutation: Refutation<'_>,
    dag: &ResolutionDag,
    partitions: &Partitions,
    assignment: &Assignment,
    options: ItpOptions,
    mixed: MixedLiterals,
    budget: &Budget,
) -> Result<Vec<TermId>, Obstacle> {
    let tree = &partitions.tree;
    let is_sequence = tree.is_sequence();
    let label = match options.labelling {
        Labelling::McMillan => Label::B,
        Labelling::Pudlak => Label::Both,
        Labelling::McMillanPrime if is_sequence => Label::A,
        // The inverse system has no tree property; Pudlák's is the weakest of the others.
        Labelling::McMillanPrime => Label::Both,
    };
    let mut symbols = SymbolColours::new(pool, tree, &partitions.formulas, &partitions.background);
    let plan = LeafPlan::new(pool, refutation, dag, partitions, &symbols, assignment);
    let n_vars = refutation.atoms.n_vars();
    let mut colours: Vec<Runs<Colour>> = Vec::with_capacity(n_vars);
    let used = used_variables(dag, n_vars);
    for (v, is_used) in used.into_iter().enumerate() {
        colours.push(if !is_used {
            Runs::default()
        } else if !plan.occurrences[v].is_empty() {
            tree.sides(&plan.occurrences[v]).map(Colour::from)
        } else {
            let sides = symbols.sides(pool, tree, refutation.atoms.term(Var(v as u32)));
            sides.map(|s| match (s.inside, s.outside) {
                (true, true) => Colour::Shared,
                (true, false) => Colour::A,
                (false, true) => Colour::B,
                (false, false) => Colour::Mixed,
            })
        });
    }
    let origin = |tag: u32| plan.origin.get(&tag).copied().unwrap_or(LeafOrigin::Theory);
    let shared_label = |_: Lit| label;
    let system =
        LabelledSystem { dag, tree, origin: &origin, colours: &colours, shared_label: &shared_label, assignment };
    let mut circuit = Circuit::new();
    let mixed = (mixed == MixedLiterals::CutInTwo).then(MixedAtoms::default);
    let mut leaves =
        SmtLeaves { pool, refutation, tree, symbols: &mut symbols, farkas: options.farkas, is_sequence, mixed };
    let mut result = system.interpolate(&mut circuit, &mut leaves, budget)?;
    if let Some(mut mixed) = leaves.mixed {
        let mut finished = Runs::default();
        for (_, end, gate) in result.iter() {
            finished.push(end, mixed.finish(pool, &mut circuit, gate)?);
        }
        result = finished;
    }
    let mut memo = vec![None; circuit.n_gates()];
    let mut formulas = Vec::with_capacity(tree.n_interpolants());
    for v in 0..tree.n_interpolants() as TreeNode {
        formulas.push(gate_term(pool, &circuit, refutation.atoms, result.at(v), &mut memo));
    }
    Ok(formulas)
}

fn used_variables(dag: &ResolutionDag, n_vars: usize) -> Vec<bool> {
    let mut used = vec![false; n_vars];
    for node in &dag.nodes {
        if let Node::Leaf { clause, .. } = node {
            for lit in clause {
                used[lit.var().index()] = true;
            }
        }
    }
    used
}

/// The formula of a literal.
pub fn literal_term(pool: &mut TermPool, atoms: &AtomTable, lit: Lit) -> TermId {
    let atom = atoms.term(lit.var());
    if lit.is_positive() { atom } else { pool.not(atom) }
}

/// The formula of a gate. Nested conjunctions (disjunctions) become one with many arguments.
fn gate_term(
    pool: &mut TermPool,
    circuit: &Circuit,
    atoms: &AtomTable,
    root: Gate,
    memo: &mut [Option<TermId>],
) -> TermId {
    let mut stack = vec![root];
    while let Some(&gate) = stack.last() {
        if memo[gate.0 as usize].is_some() {
            stack.pop();
            continue;
        }
        let kind = circuit.kind(gate);
        let term = match kind {
            GateKind::False => TermId::FALSE,
            GateKind::True => TermId::TRUE,
            GateKind::Literal(lit) => literal_term(pool, atoms, lit),
            GateKind::Formula(t) => t,
            GateKind::And(..) | GateKind::Or(..) => {
                let operands = spread(circuit, gate);
                let missing: Vec<Gate> = operands.iter().copied().filter(|g| memo[g.0 as usize].is_none()).collect();
                if !missing.is_empty() {
                    stack.extend(missing);
                    continue;
                }
                let args: Vec<TermId> = operands.iter().filter_map(|g| memo[g.0 as usize]).collect();
                if matches!(kind, GateKind::And(..)) { pool.and(&args) } else { pool.or(&args) }
            }
        };
        memo[gate.0 as usize] = Some(term);
        stack.pop();
    }
    memo[root.0 as usize].unwrap_or(TermId::TRUE)
}

/// The operands of a maximal nest of gates of one kind, without repetition.
fn spread(circuit: &Circuit, root: Gate) -> Vec<Gate> {
    let is_and = matches!(circuit.kind(root), GateKind::And(..));
    let mut seen: FastMap<Gate, ()> = FastMap::default();
    let mut operands = Vec::new();
    let mut stack = vec![root];
    while let Some(gate) = stack.pop() {
        if seen.insert(gate, ()).is_some() {
            continue;
        }
        match circuit.kind(gate) {
            GateKind::And(a, b) if is_and => stack.extend([b, a]),
            GateKind::Or(a, b) if !is_and => stack.extend([b, a]),
            _ => operands.push(gate),
        }
    }
    operands
}

/// Which leaf is treated as a clause of which partition, and where atoms occur as a consequence.
struct LeafPlan {
    origin: FastMap<u32, LeafOrigin>,
    occurrences: Vec<Vec<TreeNode>>,
}

impl LeafPlan {
    fn new(
        pool: &TermPool,
        refutation: Refutation<'_>,
        dag: &ResolutionDag,
        partitions: &Partitions,
        symbols: &SymbolColours,
        assignment: &Assignment,
    ) -> LeafPlan {
        let tree = &partitions.tree;
        let mut plan =
            LeafPlan { origin: FastMap::default(), occurrences: vec![Vec::new(); refutation.atoms.n_vars()] };
        let mut homeless: Vec<(TermId, u32, &[Lit])> = Vec::new();
        for node in &dag.nodes {
            let Node::Leaf { tag, clause } = node else { continue };
            let id = ClauseId(*tag);
            match refutation.proof.step(id) {
                Step::Input(assertion) => match partitions.node_of.get(&assertion) {
                    Some(&v) => plan.place(*tag, clause, v, assignment),
                    // A background assertion: put it at the root, where it is outside of every
                    // subtree; its atoms are over symbols that are shared everywhere.
                    None => {
                        plan.origin.insert(*tag, LeafOrigin::Partition(tree.root()));
                        if !assignment.satisfies(clause) {
                            for lit in clause.iter() {
                                plan.occurrences[lit.var().index()].extend(0..tree.n_nodes() as TreeNode);
                            }
                        }
                    }
                },
                Step::Definition(term) => homeless.push((term, *tag, clause)),
                Step::Lemma(evidence) => match evidence {
                    Evidence::Farkas(_)
                    | Evidence::IntegerEqualities(_)
                    | Evidence::Trichotomy
                    | Evidence::Split
                    | Evidence::Euf(_)
                    | Evidence::Bridge => {}
                    Evidence::Ite(term)
                    | Evidence::ArithAxiom(term)
                    | Evidence::Distinct(term)
                    | Evidence::BitBlast(term)
                    | Evidence::Nonlinear(term) => homeless.push((*term, *tag, clause)),
                    Evidence::Multiplied { equality, .. } => homeless.push((*equality, *tag, clause)),
                    Evidence::Instance { quantified, .. } => homeless.push((*quantified, *tag, clause)),
                    Evidence::Array(_) | Evidence::Covering => {
                        let term = clause.first().map_or(TermId::TRUE, |l| refutation.atoms.term(l.var()));
                        homeless.push((term, *tag, clause));
                    }
                },
                Step::Chain { .. } => {}
            }
        }
        // Larger terms first: a definition's proxy then has occurrences, and its parts follow it.
        homeless.sort_by_key(|&(term, tag, _)| (std::cmp::Reverse(term), tag));
        for (_, tag, clause) in homeless {
            let terms: Vec<TermId> = clause.iter().map(|l| refutation.atoms.term(l.var())).collect();
            let home = match symbols.homes(pool, &terms) {
                None => Some(tree.root()),
                Some(candidates) => {
                    let familiar =
                        |p: &TreeNode| clause.iter().filter(|l| plan.occurrences[l.var().index()].contains(p)).count();
                    candidates.into_iter().max_by_key(|p| (familiar(p), std::cmp::Reverse(*p)))
                }
            };
            if let Some(v) = home {
                plan.place(tag, clause, v, assignment);
            }
        }
        for list in &mut plan.occurrences {
            list.sort_unstable();
            list.dedup();
        }
        plan
    }
    fn place(&mut self, tag: u32, clause: &[Lit], v: TreeNode, assignment: &Assignment) {
        self.origin.insert(tag, LeafOrigin::Partition(v));
        if assignment.satisfies(clause) {
            return;
        }
        for lit in clause {
            let list = &mut self.occurrences[lit.var().index()];
            if list.last() != Some(&v) {
                list.push(v);
            }
        }
    }
}

/// Interpolates theory lemmas by their evidence.
struct SmtLeaves<'a> {
    pool: &'a mut TermPool,
    refutation: Refutation<'a>,
    tree: &'a TreeShape,
    symbols: &'a mut SymbolColours,
    farkas: Farkas,
    is_sequence: bool,
    /// Auxiliary variables, if mixed literals are cut in two.
    mixed: Option<MixedAtoms>,
}

impl TheoryLeaves for SmtLeaves<'_> {
    fn mixed_pivot(&mut self, circuit: &mut Circuit, pivot: Lit, left: Gate, right: Gate) -> Result<Gate, Obstacle> {
        match &mut self.mixed {
            Some(mixed) => mixed.resolve(self.pool, circuit, pivot, left, right),
            None => Err(Obstacle::MixedPivot(pivot.var())),
        }
    }

    fn leaf(
        &mut self,
        circuit: &mut Circuit,
        tag: u32,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
    ) -> Result<Runs<Gate>, Obstacle> {
        let proof = self.refutation.proof;
        let Step::Lemma(evidence) = proof.step(ClauseId(tag)) else {
            // A definition with no home: its symbols are not together in any one partition.
            return self.by_literals(circuit, tag, clause, labels);
        };
        match evidence {
            Evidence::Farkas(coefficients) => {
                self.by_sum(circuit, tag, clause, labels, coefficients, Certificate::Farkas)
            }
            Evidence::IntegerEqualities(coefficients) => {
                self.by_sum(circuit, tag, clause, labels, coefficients, Certificate::IntegerEqualities)
            }
            Evidence::Euf(paths) => self.by_paths(circuit, tag, clause, labels, paths),
            Evidence::Trichotomy | Evidence::Split | Evidence::Bridge => self.by_forms(circuit, tag, clause, labels),
            Evidence::Array(_)
            | Evidence::Ite(_)
            | Evidence::ArithAxiom(_)
            | Evidence::Distinct(_)
            | Evidence::BitBlast(_)
            | Evidence::Instance { .. }
            | Evidence::Nonlinear(_)
            | Evidence::Covering
            | Evidence::Multiplied { .. } => self.by_literals(circuit, tag, clause, labels),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Certificate {
    Farkas,
    IntegerEqualities,
}

/// The side a literal is used on at a node of the tree; `None` if it is mixed.
fn side(label: LabelOrMixed) -> Option<bool> {
    match label {
        LabelOrMixed::Label(Label::A) => Some(true),
        // Shared literals count as B: see the essay of the Farkas module on trees.
        LabelOrMixed::Label(Label::B | Label::Both) => Some(false),
        LabelOrMixed::Mixed => None,
    }
}

/// The places along the tree where the side of some relevant literal changes: `(start, end)`.
fn intervals(labels: &[Runs<LabelOrMixed>], relevant: &[bool], n: TreeNode) -> Vec<(TreeNode, TreeNode)> {
    let mut ends: Vec<TreeNode> = vec![n];
    for (runs, _) in labels.iter().zip(relevant).filter(|(_, r)| **r) {
        ends.extend(runs.map(side).iter().map(|(_, end, _)| end.min(n)));
    }
    between(ends)
}

/// The intervals that end at the given places.
fn between(mut ends: Vec<TreeNode>) -> Vec<(TreeNode, TreeNode)> {
    ends.sort_unstable();
    ends.dedup();
    let mut start = 0;
    let mut out = Vec::with_capacity(ends.len());
    for end in ends {
        if end > start {
            out.push((start, end));
            start = end;
        }
    }
    out
}

/// The sides of the literals at one node.
struct SidesAt {
    a: Vec<usize>,
    b: Vec<usize>,
    n_mixed: usize,
}

fn sides_at(labels: &[Runs<LabelOrMixed>], relevant: &[bool], v: TreeNode) -> SidesAt {
    let mut sides = SidesAt { a: Vec::new(), b: Vec::new(), n_mixed: 0 };
    for (k, runs) in labels.iter().enumerate() {
        if !relevant[k] {
            continue;
        }
        match side(runs.at(v)) {
            Some(true) => sides.a.push(k),
            Some(false) => sides.b.push(k),
            None => sides.n_mixed += 1,
        }
    }
    sides
}

impl SidesAt {
    /// All literals are (or, being mixed and not cut in two, may be taken to be) on one side.
    fn trivial(&self, cut_in_two: bool) -> Option<Gate> {
        if self.n_mixed > 0 && cut_in_two {
            None
        } else if self.a.is_empty() {
            Some(Gate::TRUE)
        } else if self.b.is_empty() {
            Some(Gate::FALSE)
        } else {
            None
        }
    }
}

impl SmtLeaves<'_> {
    fn n(&self) -> TreeNode {
        self.tree.n_interpolants() as TreeNode
    }

    fn by_sum(
        &mut self,
        circuit: &mut Circuit,
        tag: u32,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
        coefficients: &[Rational],
        certificate: Certificate,
    ) -> Result<Runs<Gate>, Obstacle> {
        let mut literals: Vec<Option<LinearLiteral>> = Vec::with_capacity(clause.len());
        for (lit, coefficient) in clause.iter().zip(coefficients) {
            if coefficient.is_zero() {
                literals.push(None);
                continue;
            }
            let atom = self.refutation.atoms.term(lit.var());
            let literal = linear_literal(self.pool, atom, !lit.is_positive())
                .ok_or(Obstacle::Leaf { tag, reason: "a certificate with a literal that is not linear" })?;
            literals.push(Some(literal));
        }
        let relevant: Vec<bool> = literals.iter().map(Option::is_some).collect();
        let mut out = Runs::default();
        // The sum is kept up to date from one interval to the next.
        let mut sum = farkas::WeightedSum::default();
        let mut summed = vec![false; clause.len()];
        for (start, end) in self.mixed_intervals(clause, labels, &relevant) {
            let sides = sides_at(labels, &relevant, start);
            if let Some(gate) = sides.trivial(self.mixed.is_some()) {
                out.push(end, gate);
                continue;
            }
            if sides.n_mixed > 0 {
                let gate = self.mixed_sum(circuit, clause, labels, &literals, coefficients, certificate, start);
                out.push(end, gate.ok_or(Obstacle::Leaf { tag, reason: "a mixed literal in an arithmetic lemma" })?);
                continue;
            }
            for (k, literal) in literals.iter().enumerate() {
                let Some(literal) = literal else { continue };
                let wanted = side(labels[k].at(start)) == Some(true);
                if wanted != summed[k] {
                    if wanted {
                        sum.add(literal, &coefficients[k]);
                    } else {
                        sum.remove(literal, &coefficients[k]);
                    }
                    summed[k] = wanted;
                }
            }
            let term = match (certificate, self.farkas) {
                (Certificate::IntegerEqualities, _) => {
                    let mut whole = farkas::WeightedSum::default();
                    for (literal, coefficient) in literals.iter().zip(coefficients) {
                        if let Some(literal) = literal {
                            whole.add(literal, coefficient);
                        }
                    }
                    let total = (self.n() == 1).then_some(&whole.linear().constant);
                    sum.congruence(self.pool, total)
                }
                (Certificate::Farkas, Farkas::Weak) if self.is_sequence => {
                    let mut rest = farkas::WeightedSum::default();
                    for &k in &sides.b {
                        if let Some(literal) = &literals[k] {
                            rest.add(literal, &coefficients[k]);
                        }
                    }
                    let contradicting = rest.atom(self.pool);
                    self.pool.not(contradicting)
                }
                (Certificate::Farkas, Farkas::Decomposed) if self.n() == 1 => {
                    let parts: Vec<(LinearLiteral, Rational)> =
                        sides.a.iter().filter_map(|&k| Some((literals[k].clone()?, coefficients[k].clone()))).collect();
                    let (symbols, tree) = (&mut *self.symbols, self.tree);
                    let mut is_local = |pool: &TermPool, t: TermId| !symbols.sides(pool, tree, t).at(start).outside;
                    farkas::decomposed(self.pool, &parts, &mut is_local)
                }
                (Certificate::Farkas, Farkas::Strong | Farkas::Weak | Farkas::Decomposed) => sum.atom(self.pool),
            };
            out.push(end, circuit.formula(term));
        }
        Ok(out)
    }

    fn by_paths(
        &mut self,
        circuit: &mut Circuit,
        tag: u32,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
        evidence: &crate::proof::EufEvidence,
    ) -> Result<Runs<Gate>, Obstacle> {
        let relevant = vec![true; clause.len()];
        let conclusion = self.conclusion(clause, evidence);
        let place: FastMap<Var, usize> = clause.iter().enumerate().map(|(k, l)| (l.var(), k)).collect();
        let mut out = Runs::default();
        for (start, end) in self.path_intervals(labels, &relevant, evidence) {
            let sides = sides_at(labels, &relevant, start);
            if let Some(gate) = sides.trivial(self.mixed.is_some()) {
                out.push(end, gate);
                continue;
            }
            let mut cut = CutAt {
                symbols: self.symbols,
                tree: self.tree,
                atoms: self.refutation.atoms,
                mixed: self.mixed.as_mut(),
                node: start,
                place: &place,
                labels,
                conclusion: conclusion.map(|k| (clause[k].var(), labels[k].at(start))),
            };
            let term =
                euf::interpolate(self.pool, evidence, &mut cut).map_err(|reason| Obstacle::Leaf { tag, reason })?;
            let gate = match &mut self.mixed {
                Some(mixed) => mixed.formula(self.pool, circuit, term),
                None => circuit.formula(term),
            };
            out.push(end, gate);
        }
        Ok(out)
    }

    /// Like [`intervals`], but the sides of the terms on the paths matter as well.
    fn path_intervals(
        &mut self,
        labels: &[Runs<LabelOrMixed>],
        relevant: &[bool],
        evidence: &crate::proof::EufEvidence,
    ) -> Vec<(TreeNode, TreeNode)> {
        let n = self.n();
        let mut ends: Vec<TreeNode> = intervals(labels, relevant, n).into_iter().map(|(_, end)| end).collect();
        for path in &evidence.paths {
            for &t in &path.terms {
                let sides = self.symbols.sides(self.pool, self.tree, t);
                ends.extend(sides.iter().map(|(_, end, _)| end.min(n)));
            }
        }
        between(ends)
    }

    /// The literal of the clause that the main path proves, if it is not a contradiction.
    fn conclusion(&mut self, clause: &[Lit], evidence: &crate::proof::EufEvidence) -> Option<usize> {
        let main = evidence.paths.last()?;
        let (&first, &last) = (main.terms.first()?, main.terms.last()?);
        clause.iter().position(|&lit| {
            let atom = self.refutation.atoms.term(lit.var());
            let is_equality = self.pool.op(atom) == logic::Op::Eq;
            // Arithmetic equalities are normalised, so the sides need not be the ends themselves.
            if lit.is_positive() && is_equality && self.pool.eq(first, last) == atom {
                return true;
            }
            let truth = if lit.is_positive() { TermId::TRUE } else { TermId::FALSE };
            (first, last) == (atom, truth) || (last, first) == (atom, truth)
        })
    }

    /// [`intervals`], with the places where the parts of mixed literals change.
    fn mixed_intervals(
        &mut self,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
        relevant: &[bool],
    ) -> Vec<(TreeNode, TreeNode)> {
        let n = self.n();
        let plain = intervals(labels, relevant, n);
        let mut ends: Vec<TreeNode> = plain.iter().map(|(_, end)| *end).collect();
        if self.mixed.is_none() {
            return plain;
        }
        for (lit, runs) in clause.iter().zip(labels) {
            if runs.values().all(|label| label != LabelOrMixed::Mixed) {
                continue;
            }
            let atom = self.refutation.atoms.term(lit.var());
            let Some(form) = linear_literal(self.pool, atom, true) else { continue };
            for (t, _) in &form.linear.terms {
                let sides = self.symbols.sides(self.pool, self.tree, *t);
                ends.extend(sides.iter().map(|(_, end, _)| end.min(n)));
            }
        }
        between(ends)
    }

    /// The A-part of a mixed literal of a lemma, with the auxiliary variable in place of the rest.
    fn told_to_a(&mut self, lit: Lit, node: TreeNode) -> Option<Linear> {
        let atom = self.refutation.atoms.term(lit.var());
        let mut part = a_part(self.pool, self.symbols, self.tree, atom, node)?;
        let x = self.mixed.as_mut()?.variable(self.pool, lit.var(), atom);
        self.symbols.share(self.pool.as_symbol(x)?);
        part.add_term(x, &Rational::from(-1));
        // The conflict has the atom itself where the clause has its negation.
        if lit.is_positive() {
            part.scale(&Rational::from(-1));
        }
        Some(part)
    }

    /// The sum of A's part of a certificate with mixed literals.
    #[allow(clippy::too_many_arguments)]
    fn mixed_sum(
        &mut self,
        circuit: &mut Circuit,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
        literals: &[Option<LinearLiteral>],
        coefficients: &[Rational],
        certificate: Certificate,
        node: TreeNode,
    ) -> Option<Gate> {
        self.mixed.as_ref()?;
        let mut sum = farkas::WeightedSum::default();
        for (k, literal) in literals.iter().enumerate() {
            let Some(literal) = literal else { continue };
            match side(labels[k].at(node)) {
                Some(true) => sum.add(literal, &coefficients[k]),
                Some(false) => {}
                None => {
                    let linear = self.told_to_a(clause[k], node)?;
                    let relation = Relation::AtMost;
                    sum.add(&LinearLiteral { linear, relation }, &coefficients[k]);
                }
            }
        }
        if certificate == Certificate::IntegerEqualities {
            let term = sum.congruence(self.pool, None);
            return Some(circuit.formula(term));
        }
        let gate = self.mixed.as_mut()?.inequality(self.pool, circuit, sum.linear(), sum.is_strict());
        Some(gate)
    }

    /// Lemmas about one linear form: `t < c ∨ t = c ∨ t > c`, two bounds that cover all values, the same equality
    /// twice.
    fn by_forms(
        &mut self,
        circuit: &mut Circuit,
        tag: u32,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
    ) -> Result<Runs<Gate>, Obstacle> {
        let is_mixed = labels.iter().any(|runs| runs.values().any(|label| label == LabelOrMixed::Mixed));
        if self.mixed.is_none() || !is_mixed {
            return self.by_literals(circuit, tag, clause, labels);
        }
        let relevant = vec![true; clause.len()];
        let mut out = Runs::default();
        for (start, end) in self.mixed_intervals(clause, labels, &relevant) {
            let sides = sides_at(labels, &relevant, start);
            let gate = if sides.n_mixed == clause.len() {
                self.mixed_form(circuit, clause, start)
            } else {
                sides.trivial(true)
            };
            out.push(end, gate.ok_or(Obstacle::Leaf { tag, reason: "a lemma with mixed and other literals" })?);
        }
        Ok(out)
    }

    /// All literals are mixed. A is told `a ≤ e` of each inequality; of the equality it knows the relation EQ.
    fn mixed_form(&mut self, circuit: &mut Circuit, clause: &[Lit], node: TreeNode) -> Option<Gate> {
        let is_equality = |this: &Self, lit: Lit| this.pool.op(this.refutation.atoms.term(lit.var())) == logic::Op::Eq;
        let mut inequalities = Vec::new();
        let (mut disequality, mut equality) = (None, None);
        for &lit in clause {
            match (is_equality(self, lit), lit.is_positive()) {
                (true, true) => disequality = Some(lit),
                (true, false) => equality = Some(lit),
                (false, _) => inequalities.push(lit),
            }
        }
        match (disequality, equality, inequalities.as_slice()) {
            (None, None, &[first, second]) => {
                let (first, second) = (self.told_to_a(first, node)?, self.told_to_a(second, node)?);
                let sum = self.opposite_sum(&first, &second)?;
                let gate = self.mixed.as_mut()?.inequality(self.pool, circuit, &sum, false);
                Some(gate)
            }
            (Some(disequality), None, &[first, second]) => {
                let (first, second) = (self.told_to_a(first, node)?, self.told_to_a(second, node)?);
                let sum = self.opposite_sum(&first, &second)?;
                let relation = self.relation_of(disequality, &first, node)?;
                let gate = self.mixed.as_mut()?.inequality_with_boundary(self.pool, circuit, &sum, relation);
                Some(gate)
            }
            (Some(disequality), Some(equality), []) => {
                let told = self.told_to_a(equality, node)?;
                let relation = self.relation_of(disequality, &told, node)?;
                let gate = self.mixed.as_mut()?.formula(self.pool, circuit, relation);
                Some(gate)
            }
            _ => None,
        }
    }

    /// The sum of two inequalities whose A-local parts are opposite: these cancel.
    fn opposite_sum(&mut self, first: &Linear, second: &Linear) -> Option<Linear> {
        let mixed = self.mixed.as_ref()?;
        let local = first.terms.iter().map(|(t, _)| *t).find(|&t| !mixed.is_variable(t))?;
        let factor = -&(first.coefficient(local)? / second.coefficient(local)?);
        if !factor.is_positive() {
            return None;
        }
        let mut sum = first.clone();
        sum.add_scaled(second, &factor);
        Some(sum)
    }

    /// The relation EQ of a mixed disequality, if A is told that `told = a - e` is zero.
    fn relation_of(&mut self, disequality: Lit, told: &Linear, node: TreeNode) -> Option<TermId> {
        let atom = self.refutation.atoms.term(disequality.var());
        let part = a_part(self.pool, self.symbols, self.tree, atom, node)?;
        let mixed = self.mixed.as_mut()?;
        let local = told.terms.iter().map(|(t, _)| *t).find(|&t| !mixed.is_variable(t))?;
        let factor = part.coefficient(local)? / told.coefficient(local)?;
        // part = factor·a, and a = e where told = 0: value = part - factor·told.
        let mut value = part;
        value.add_scaled(told, &-&factor);
        mixed.relation_at(self.pool, disequality.var(), atom, &value)
    }

    /// The literals of one side as they are, where their symbols allow it.
    fn by_literals(
        &mut self,
        circuit: &mut Circuit,
        tag: u32,
        clause: &[Lit],
        labels: &[Runs<LabelOrMixed>],
    ) -> Result<Runs<Gate>, Obstacle> {
        let obstacle = |reason: &'static str| Obstacle::Leaf { tag, reason };
        let relevant = vec![true; clause.len()];
        let atom_sides: Vec<std::rc::Rc<Runs<Sides>>> = clause
            .iter()
            .map(|l| self.symbols.sides(self.pool, self.tree, self.refutation.atoms.term(l.var())))
            .collect();
        let mut out = Runs::default();
        let mut negated_b_below = false;
        for (start, end) in intervals(labels, &relevant, self.n()) {
            let sides = sides_at(labels, &relevant, start);
            if let Some(gate) = sides.trivial(self.mixed.is_some()) {
                out.push(end, gate);
                continue;
            }
            if sides.n_mixed > 0 {
                return Err(obstacle("a mixed literal in a lemma"));
            }
            // Sides of symbols can change inside an interval of equal labels, so ask everywhere.
            let all = |at: &dyn Fn(Sides) -> bool, which: &[usize]| {
                which.iter().all(|&k| (start..end).all(|v| at(atom_sides[k].at(v))))
            };
            let gate = if !negated_b_below && all(&|s| s.outside, &sides.a) {
                let mut gate = Gate::TRUE;
                for &k in &sides.a {
                    let lit = circuit.literal(!clause[k]);
                    gate = circuit.and(gate, lit);
                }
                gate
            } else if self.is_sequence && all(&|s| s.inside, &sides.b) {
                negated_b_below = true;
                let mut gate = Gate::FALSE;
                for &k in &sides.b {
                    let lit = circuit.literal(clause[k]);
                    gate = circuit.or(gate, lit);
                }
                gate
            } else {
                return Err(obstacle("a lemma whose literals are local to both sides"));
            };
            out.push(end, gate);
        }
        Ok(out)
    }
}

/// The part of an arithmetic atom's linear form (as it is without a negation) over terms that are local to A at a node;
/// `None` if a term belongs to neither side.
fn a_part(
    pool: &TermPool,
    symbols: &mut SymbolColours,
    tree: &TreeShape,
    atom: TermId,
    node: TreeNode,
) -> Option<Linear> {
    let form = linear_literal(pool, atom, true)?.linear;
    let mut part = Linear::default();
    for (t, c) in &form.terms {
        let sides = symbols.sides(pool, tree, *t).at(node);
        match (sides.inside, sides.outside) {
            (true, false) => part.add_term(*t, c),
            (false, false) => return None,
            (_, true) => {}
        }
    }
    Some(part)
}

/// The cut at one node of the tree, for equality lemmas.
struct CutAt<'a> {
    symbols: &'a mut SymbolColours,
    tree: &'a TreeShape,
    atoms: &'a AtomTable,
    mixed: Option<&'a mut MixedAtoms>,
    node: TreeNode,
    place: &'a FastMap<Var, usize>,
    labels: &'a [Runs<LabelOrMixed>],
    conclusion: Option<(Var, LabelOrMixed)>,
}

impl CutAt<'_> {
    /// For an arithmetic equality between two terms, `left - right = κ·(part + rest)`: κ, and its A-local part.
    fn parts(&mut self, pool: &TermPool, atom: TermId, left: TermId, right: TermId) -> Option<(Rational, Linear)> {
        let part = a_part(pool, self.symbols, self.tree, atom, self.node)?;
        let form = linear_literal(pool, atom, true)?.linear;
        let mut difference = linear_form(pool, left);
        difference.add_scaled(&linear_form(pool, right), &Rational::from(-1));
        let (t, c) = form.terms.first()?;
        let factor = difference.coefficient(*t)? / c;
        let mut check = form.clone();
        check.scale(&factor);
        (check == difference).then_some((factor, part))
    }
}

impl euf::Cut for CutAt<'_> {
    fn sides(&mut self, pool: &TermPool, t: TermId) -> Sides {
        self.symbols.sides(pool, self.tree, t).at(self.node)
    }
    fn label(&self, lit: Lit) -> LabelOrMixed {
        match self.place.get(&lit.var()) {
            Some(&k) => self.labels[k].at(self.node),
            None => LabelOrMixed::Mixed,
        }
    }
    fn conclusion(&self) -> Option<LabelOrMixed> {
        self.conclusion.map(|(_, label)| label)
    }
    fn middle(&mut self, pool: &mut TermPool, lit: Lit, from: TermId, to: TermId) -> Option<TermId> {
        let atom = self.atoms.term(lit.var());
        if pool.op(atom) != logic::Op::Eq {
            return None;
        }
        let x = self.mixed.as_deref_mut()?.variable(pool, lit.var(), atom);
        self.symbols.share(pool.as_symbol(x)?);
        let sort = pool.sort(from);
        if !sort.is_arith() {
            return (pool.sort(x) == sort).then_some(x);
        }
        let of_a = if self.sides(pool, from).inside { from } else { to };
        let of_b = if of_a == from { to } else { from };
        let (factor, part) = self.parts(pool, atom, of_a, of_b)?;
        let mut middle = linear_form(pool, of_a);
        middle.add_scaled(&part, &-&factor);
        middle.add_term(x, &factor);
        let (term, term_sort) = form_term(pool, &middle);
        match (term_sort == sort, sort == SortId::REAL) {
            (true, _) => Some(term),
            (false, true) => Some(pool.to_real(term)),
            (false, false) => None,
        }
    }
    fn relation(&mut self, pool: &mut TermPool, of_a: TermId, equal: TermId, of_b: TermId) -> Option<TermId> {
        let (var, _) = self.conclusion?;
        let atom = self.atoms.term(var);
        if pool.op(atom) != logic::Op::Eq {
            return None;
        }
        if !pool.sort(of_a).is_arith() {
            return self.mixed.as_deref_mut()?.relation(pool, var, atom, equal);
        }
        let (factor, part) = self.parts(pool, atom, of_a, of_b)?;
        // of_a = factor·part + shared terms, so part = (equal - of_a)/factor + part.
        let mut value = linear_form(pool, equal);
        value.add_scaled(&linear_form(pool, of_a), &Rational::from(-1));
        value.scale(&factor.recip());
        value.add_scaled(&part, &Rational::one());
        self.mixed.as_deref_mut()?.relation_at(pool, var, atom, &value)
    }
}
