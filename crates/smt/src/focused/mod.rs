//! Focused interpolants of propositional formulas: many from one refutation.
//!
//! What PVAIR does (Jančík, Alt, Fedyukovich, Hyvärinen, Kofroň, Sharygina, FASE 2016), as a
//! library: [`Refuted::prove`] calls the SAT solver once; the refutation may be reduced; then any
//! number of [`Query`]s, each a sequence of cuts of the clause list, a partial assignment and a
//! labelling, are answered from it ([`Refuted::interpolate`]).
//!
//! Ways to focus on an assignment π:
//!
//! * [`Focus::Lpais`], the paper's: the rules of Table 1 on the unchanged proof. Interpolants for
//!   different assignments keep the path property as far as the paper proves it.
//! * [`Focus::Restricted`]: the proof itself is restricted to π (satisfied leaves and false literals
//!   go, resolutions that lose their pivot collapse), then interpolated without π. Smaller, because a resolution whose
//!   pivot has vanished is dropped as well; for one and the same π it has the path property too, since all cuts see the
//!   same proof.
//! * [`Focus::Propagated`]: the proof is restricted further, to the facts that follow from π by unit propagation in it.
//!   A fact `l` read off a clause of A becomes a conjunct `l` of the interpolant of the rest, one of B a disjunct `¬l`,
//!   if both sides mention its variable; otherwise nothing is said about it. Path property: let `J` be the interpolants
//!   of the rest at a cut and `J'` at the next, φ the clauses between. Under `l` the step `J ∧ φ ⇒ J'` is known. If `l`
//!   is in A at both cuts, or comes in with φ, the premises imply `l` unless B, and so φ, does not mention it. If it is
//!   in B at both, the conclusion has the disjunct `¬l` unless A', and so φ, does not mention it. What remains of the
//!   proof is reduced: clauses without false literals subsume others, propagate more, and collapsed resolutions leave
//!   pivots to recycle.
//! * [`Focus::Smallest`]: all of these, and the smallest result (all cuts of a query from the same way).
//!
//! Guarantee in all: π ∧ A ⇒ I, π ∧ B ∧ I ⇒ ⊥, and I is over unassigned variables shared by the
//! clauses of A and of B that π does not satisfy. [`verify`](Refuted::verify) checks just that with a solver,
//! [`interpolate_verified`](Refuted::interpolate_verified) by the derivation of the interpolant, and with a solver only
//! if that says too little.

mod certificate;
pub mod cnf;
pub mod experiment;
pub mod export;
pub mod families;
pub mod plain_sat;
pub mod sweep;

use crate::interpolate::circuit::{Circuit, Gate, GateKind};
use crate::interpolate::labelled::{
    Assignment, Colour, Label, LabelOrMixed, LabelledSystem, LeafOrigin, NoTheory, Obstacle, colours_by_occurrence,
};
use crate::interpolate::refutation::resolution_dag;
use crate::interpolate::tree::{Runs, TreeNode, TreeShape};
use crate::proof::{ClauseId, Step};
use crate::reduce::{DagError, Fact, Node, Pass, ReductionStats, ResolutionDag, propagate, restrict};
use crate::sat::Outcome;
use crate::sat::types::{Lit, Var};
use base::{Budget, Stop};
use cnf::Cnf;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// How shared literals are labelled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Labels {
    #[default]
    McMillan,
    Pudlak,
    McMillanPrime,
    /// A label per literal, and one for all others.
    PerLiteral {
        labels: BTreeMap<Lit, Label>,
        otherwise: Label,
    },
}

impl Labels {
    pub fn label(&self, lit: Lit) -> Label {
        match self {
            Labels::McMillan => Label::B,
            Labels::Pudlak => Label::Both,
            Labels::McMillanPrime => Label::A,
            Labels::PerLiteral { labels, otherwise } => labels.get(&lit).copied().unwrap_or(*otherwise),
        }
    }
    pub fn from_name(name: &str) -> Option<Labels> {
        match name {
            "mcmillan" => Some(Labels::McMillan),
            "pudlak" => Some(Labels::Pudlak),
            "mcmillan-prime" => Some(Labels::McMillanPrime),
            _ => None,
        }
    }
}

/// How an assignment is taken into account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Focus {
    #[default]
    Lpais,
    Restricted,
    Propagated,
    Smallest,
}

impl Focus {
    pub const ALL: [Focus; 4] = [Focus::Lpais, Focus::Restricted, Focus::Propagated, Focus::Smallest];
}

/// What to interpolate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// Cut positions, increasing: the first `n` clauses are A, the others B.
    pub splits: Vec<usize>,
    pub assignment: Vec<Lit>,
    pub labels: Labels,
    pub focus: Focus,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FocusError {
    Satisfiable(Vec<Lit>),
    GaveUp(String),
    Stopped(Stop),
    SplitOutOfRange {
        split: usize,
        n_clauses: usize,
    },
    SplitsNotIncreasing,
    AssignedBothWays(i64),
    UnknownVariable(i64),
    /// The assignment makes this clause (counted from one) false, so everything is an interpolant.
    ClauseFalsified(usize),
    /// A defect of the refutation; never seen by users unless the solver has one.
    BadProof(String),
}

impl fmt::Display for FocusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FocusError::Satisfiable(_) => f.write_str("the formula is satisfiable, so it has no interpolant"),
            FocusError::GaveUp(why) => f.write_str(why),
            FocusError::Stopped(stop) => write!(f, "{stop}"),
            FocusError::SplitOutOfRange { split, n_clauses } => {
                write!(f, "cannot split after clause {split}: the formula has {n_clauses} clauses")
            }
            FocusError::SplitsNotIncreasing => f.write_str("the splits must increase"),
            FocusError::AssignedBothWays(n) => write!(f, "the variable {n} is assigned both ways"),
            FocusError::UnknownVariable(n) => write!(f, "the assigned variable {n} does not occur in the formula"),
            FocusError::ClauseFalsified(n) => write!(f, "the assignment falsifies clause {n}"),
            FocusError::BadProof(why) => write!(f, "the refutation is defective: {why}"),
        }
    }
}

impl From<DagError> for FocusError {
    fn from(error: DagError) -> FocusError {
        FocusError::BadProof(format!("{error:?}"))
    }
}

/// A formula with its refutation.
#[derive(Clone, Debug)]
pub struct Refuted {
    pub cnf: Cnf,
    /// Leaf tags are clause numbers, from zero.
    pub dag: ResolutionDag,
}

/// The passes that reduce what a restriction left, and how often they are tried.
const AFTER_RESTRICTION: [Pass; 3] = [Pass::Subsumption, Pass::Trim, Pass::RecyclePivotsWithIntersection];
const ROUNDS_AFTER_RESTRICTION: usize = 3;

/// How an answer was verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerifiedBy {
    /// Step by step along the proof it was read off, without search.
    Derivation,
    /// Each implication put to the SAT solver.
    Solver,
}

/// What is kept of the way to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Record {
    Nothing,
    /// The partial interpolants of every node.
    Gates,
}

/// How an answer came about: what is needed to verify it along the way.
#[derive(Debug)]
struct Derivation<'a> {
    dag: Cow<'a, ResolutionDag>,
    /// The assignment the rules were applied under; empty if the proof was restricted to it.
    by_rules: Assignment,
    /// The partial interpolants of the nodes that were visited, if recorded.
    gates: Vec<Option<Runs<Gate>>>,
    colours: Vec<Runs<Colour>>,
    labels: Labels,
    /// Facts by unit propagation, in the order of derivation; and for each the interpolants once it was put into them,
    /// which happens in the reverse order.
    facts: Vec<Fact>,
    told: Vec<Vec<Gate>>,
}

impl Derivation<'_> {
    /// The label of a literal at a cut.
    fn label(&self, lit: Lit, cut: TreeNode) -> LabelOrMixed {
        LabelOrMixed::Label(match self.colours[lit.var().index()].at(cut) {
            Colour::A => Label::A,
            Colour::B => Label::B,
            Colour::Shared => self.labels.label(lit),
            Colour::Mixed => return LabelOrMixed::Mixed,
        })
    }
}

/// The answer to a [`Query`]: one gate per split.
#[derive(Clone, Debug)]
pub struct Interpolants {
    pub circuit: Circuit,
    pub gates: Vec<Gate>,
}

impl Interpolants {
    /// Literals and operators of each interpolant as a DAG.
    pub fn sizes(&self) -> Vec<usize> {
        self.gates.iter().map(|&g| self.circuit.size(&[g])).collect()
    }
}

impl Refuted {
    /// Refutes the formula, or says why not.
    pub fn prove(cnf: Cnf, budget: &Budget) -> Result<Refuted, FocusError> {
        let (outcome, sat) = plain_sat::solve(cnf.n_vars, cnf.clauses.iter().map(Vec::as_slice), true, budget);
        match outcome {
            Outcome::Unsat => {}
            Outcome::Sat => {
                let model = (0..cnf.n_vars as u32)
                    .map(|v| Var(v).lit(sat.value(Var(v).positive()) == crate::sat::types::LBool::True))
                    .collect();
                return Err(FocusError::Satisfiable(model));
            }
            Outcome::GaveUp(why) => return Err(FocusError::GaveUp(why)),
            Outcome::Stopped(stop) => return Err(FocusError::Stopped(stop)),
        }
        let root = sat.refutation().ok_or_else(|| FocusError::BadProof("there is none".to_string()))?;
        let mut dag = resolution_dag(&sat.proof, root);
        for node in &mut dag.nodes {
            if let Node::Leaf { tag, .. } = node {
                match sat.proof.step(ClauseId(*tag)) {
                    Step::Input(assertion) => *tag = assertion.0,
                    Step::Definition(_) | Step::Lemma(_) | Step::Chain { .. } => {
                        return Err(FocusError::BadProof("a leaf that is no input clause".to_string()));
                    }
                }
            }
        }
        Ok(Refuted { cnf, dag })
    }

    /// Reduces the refutation in place.
    pub fn reduce(
        &mut self,
        passes: &[Pass],
        max_rounds: usize,
        budget: &Budget,
    ) -> Result<ReductionStats, FocusError> {
        let (dag, stats) = crate::reduce::reduce(&self.dag, passes, max_rounds, budget)?;
        self.dag = dag;
        Ok(stats)
    }

    fn check_query(&self, query: &Query) -> Result<Assignment, FocusError> {
        let n_clauses = self.cnf.clauses.len();
        if let Some(&split) = query.splits.iter().find(|&&s| s == 0 || s >= n_clauses) {
            return Err(FocusError::SplitOutOfRange { split, n_clauses });
        }
        if query.splits.windows(2).any(|w| w[0] >= w[1]) {
            return Err(FocusError::SplitsNotIncreasing);
        }
        for &lit in &query.assignment {
            if lit.var().index() >= self.cnf.n_vars {
                return Err(FocusError::UnknownVariable(cnf::number(lit.var().positive())));
            }
            if query.assignment.contains(&!lit) {
                return Err(FocusError::AssignedBothWays(cnf::number(lit.var().positive())));
            }
        }
        let assignment = Assignment::new(&query.assignment).unwrap_or_default();
        // The empty clause is false without an assignment, and a refutation by itself.
        if let Some(k) = self.cnf.clauses.iter().position(|c| !c.is_empty() && assignment.falsifies(c)) {
            return Err(FocusError::ClauseFalsified(k + 1));
        }
        Ok(assignment)
    }

    fn partition(splits: &[usize], clause: u32) -> TreeNode {
        splits.partition_point(|&s| s <= clause as usize) as TreeNode
    }

    /// Answers a query from the refutation; the solver is not called.
    pub fn interpolate(&self, query: &Query, budget: &Budget) -> Result<Interpolants, FocusError> {
        let assignment = self.check_query(query)?;
        Ok(self.derive(&assignment, query, Record::Nothing, budget)?.0)
    }

    /// The same, verified: both implications of the definition at every cut, the step from each cut to the next, and
    /// the vocabulary. A wrong answer is a [`FocusError::BadProof`].
    pub fn interpolate_verified(
        &self,
        query: &Query,
        budget: &Budget,
    ) -> Result<(Interpolants, VerifiedBy), FocusError> {
        let assignment = self.check_query(query)?;
        let (answer, derivation) = self.derive(&assignment, query, Record::Gates, budget)?;
        self.check_vocabulary(query, &assignment, &answer).map_err(FocusError::BadProof)?;
        let Interpolants { circuit, gates } = &answer;
        if certificate::certifies(&derivation, &self.cnf, &query.splits, &assignment, circuit, gates) {
            return Ok((answer, VerifiedBy::Derivation));
        }
        self.verify(query, &answer, budget).map_err(FocusError::BadProof)?;
        Ok((answer, VerifiedBy::Solver))
    }

    fn derive(
        &self,
        assignment: &Assignment,
        query: &Query,
        record: Record,
        budget: &Budget,
    ) -> Result<(Interpolants, Derivation<'_>), FocusError> {
        if assignment.is_empty() {
            return self.read_off(Cow::Borrowed(&self.dag), assignment, query, record, budget);
        }
        match query.focus {
            Focus::Lpais => self.read_off(Cow::Borrowed(&self.dag), assignment, query, record, budget),
            Focus::Restricted => {
                let open = restrict(&self.dag, assignment).ok_or_else(satisfied)?;
                self.read_off(Cow::Owned(open), &Assignment::default(), query, record, budget)
            }
            Focus::Propagated => self.propagated(assignment, query, record, budget),
            Focus::Smallest => {
                let size = |answer: &Interpolants| answer.sizes().iter().sum::<usize>();
                let mut best: Option<(Interpolants, Derivation<'_>)> = None;
                for focus in [Focus::Lpais, Focus::Restricted, Focus::Propagated] {
                    let one = self.derive(assignment, &Query { focus, ..query.clone() }, record, budget)?;
                    if best.as_ref().is_none_or(|(answer, _)| size(&one.0) < size(answer)) {
                        best = Some(one);
                    }
                }
                best.ok_or_else(satisfied)
            }
        }
    }

    fn propagated(
        &self,
        assignment: &Assignment,
        query: &Query,
        record: Record,
        budget: &Budget,
    ) -> Result<(Interpolants, Derivation<'_>), FocusError> {
        let (open, facts) = propagate(&self.dag, assignment).ok_or_else(satisfied)?;
        let (open, _) = crate::reduce::reduce(&open, &AFTER_RESTRICTION, ROUNDS_AFTER_RESTRICTION, budget)?;
        let (Interpolants { mut circuit, mut gates }, mut derivation) =
            self.read_off(Cow::Owned(open), &Assignment::default(), query, record, budget)?;
        let mut told: Vec<Vec<Gate>> = Vec::with_capacity(facts.len());
        for fact in facts.iter().rev() {
            for (&split, gate) in query.splits.iter().zip(&mut gates) {
                let in_a = |tag: &u32| (*tag as usize) < split;
                if fact.mentioned.iter().all(in_a) || !fact.mentioned.iter().any(in_a) {
                    continue;
                }
                if in_a(&fact.tag) {
                    let lit = circuit.literal(fact.lit);
                    *gate = circuit.and(lit, *gate);
                } else {
                    let lit = circuit.literal(!fact.lit);
                    *gate = circuit.or(lit, *gate);
                }
            }
            told.push(gates.clone());
        }
        told.reverse();
        derivation.facts = facts;
        derivation.told = told;
        Ok((Interpolants { circuit, gates }, derivation))
    }

    /// Labelled interpolation of one refutation.
    fn read_off<'a>(
        &'a self,
        dag: Cow<'a, ResolutionDag>,
        assignment: &Assignment,
        query: &Query,
        record: Record,
        budget: &Budget,
    ) -> Result<(Interpolants, Derivation<'a>), FocusError> {
        let tree = TreeShape::sequence(query.splits.len() + 1);
        let origin = |tag: u32| LeafOrigin::Partition(Refuted::partition(&query.splits, tag));
        let colours = colours_by_occurrence(&dag, &tree, &origin, assignment, self.cnf.n_vars);
        let label = |lit: Lit| query.labels.label(lit);
        let system = LabelledSystem {
            dag: &dag,
            tree: &tree,
            origin: &origin,
            colours: &colours,
            shared_label: &label,
            assignment,
        };
        let mut circuit = Circuit::new();
        let mut of_nodes: Vec<Option<Runs<Gate>>> = match record {
            Record::Nothing => Vec::new(),
            Record::Gates => vec![None; dag.len()],
        };
        let mut observe = |node: u32, gates: &Runs<Gate>| {
            if let Some(place) = of_nodes.get_mut(node as usize) {
                *place = Some(gates.clone());
            }
        };
        let result =
            system.interpolate_observed(&mut circuit, &mut NoTheory, &mut observe, budget).map_err(|obstacle| {
                match obstacle {
                    Obstacle::Stopped(stop) => FocusError::Stopped(stop),
                    other => FocusError::BadProof(format!("{other:?}")),
                }
            })?;
        let gates = (0..query.splits.len() as TreeNode).map(|v| result.at(v)).collect();
        let derivation = Derivation {
            by_rules: assignment.clone(),
            gates: of_nodes,
            colours,
            labels: query.labels.clone(),
            facts: Vec::new(),
            told: Vec::new(),
            dag,
        };
        Ok((Interpolants { circuit, gates }, derivation))
    }

    /// Every variable of an interpolant is unassigned and shared by clauses of A and B that the assignment leaves open.
    fn check_vocabulary(&self, query: &Query, assignment: &Assignment, answer: &Interpolants) -> Result<(), String> {
        // The first and the last clause that is open and has the variable.
        let mut range: Vec<Option<(usize, usize)>> = vec![None; self.cnf.n_vars];
        for (k, clause) in self.cnf.clauses.iter().enumerate().filter(|(_, c)| !assignment.satisfies(c)) {
            for lit in clause.iter().filter(|&&l| assignment.value(l).is_none()) {
                let known = &mut range[lit.var().index()];
                *known = Some((known.map_or(k, |(first, _)| first), k));
            }
        }
        for (k, (&split, &gate)) in query.splits.iter().zip(&answer.gates).enumerate() {
            for lit in answer.circuit.literals(&[gate]) {
                let is_shared = |(first, last): (usize, usize)| first < split && last >= split;
                if !range[lit.var().index()].is_some_and(is_shared) {
                    return Err(format!("interpolant {}: the variable {} is not shared", k + 1, cnf::number(lit)));
                }
            }
        }
        Ok(())
    }

    /// Checks an answer against the definition, and the path property, with the SAT solver.
    pub fn verify(&self, query: &Query, answer: &Interpolants, budget: &Budget) -> Result<(), String> {
        let assignment = self.check_query(query).map_err(|e| e.to_string())?;
        let unsat = |clauses: Vec<Vec<Lit>>, n_vars: usize, what: &str| -> Result<(), String> {
            match plain_sat::solve(n_vars, clauses.iter().map(Vec::as_slice), false, budget).0 {
                Outcome::Unsat => Ok(()),
                Outcome::Sat => Err(format!("{what} fails")),
                Outcome::GaveUp(why) => Err(why),
                Outcome::Stopped(stop) => Err(stop.to_string()),
            }
        };
        self.check_vocabulary(query, &assignment, answer)?;
        for (k, (&split, &gate)) in query.splits.iter().zip(&answer.gates).enumerate() {
            let units = || query.assignment.iter().map(|&l| vec![l]);
            let (definition, root, n_vars) = export::definition(&answer.circuit, gate, self.cnf.n_vars);
            let with = |part: &[Vec<Lit>], goal: Lit| -> Vec<Vec<Lit>> {
                part.iter().cloned().chain(definition.iter().cloned()).chain(units()).chain([vec![goal]]).collect()
            };
            unsat(with(&self.cnf.clauses[..split], !root), n_vars, &format!("interpolant {}: A implies I", k + 1))?;
            unsat(with(&self.cnf.clauses[split..], root), n_vars, &format!("interpolant {}: I contradicts B", k + 1))?;
            if let (Some(&next_split), Some(&next)) = (query.splits.get(k + 1), answer.gates.get(k + 1)) {
                let (more, next_root, n_vars) = export::definition(&answer.circuit, next, n_vars);
                let mut clauses = with(&self.cnf.clauses[split..next_split], root);
                clauses.extend(more);
                clauses.push(vec![!next_root]);
                unsat(clauses, n_vars, &format!("the step from interpolant {} to the next", k + 1))?;
            }
        }
        Ok(())
    }
}

fn satisfied() -> FocusError {
    FocusError::BadProof("the assignment satisfies it".to_string())
}

/// Does this gate need no literal at all?
pub fn is_constant(circuit: &Circuit, gate: Gate) -> bool {
    matches!(circuit.kind(gate), GateKind::True | GateKind::False)
}

#[cfg(test)]
mod tests;
