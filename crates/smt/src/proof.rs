//! Refutations kept in memory.
//!
//! A [`Proof`] is an arena of clauses. Each clause has its literals and the [`Step`] that justifies it:
//!
//! * *Input*: the clause follows from one asserted formula by the fixed rules of the clausifier
//!   (conjunctions are split, a disjunction gives its disjuncts; a unit assertion gives itself).
//! * *Definition*: one of the Tseitin clauses of a Boolean term. A proxy variable is never a fresh name: its
//!   atom **is** the term, so that a definition is valid in every model and needs no partition of its own.
//! * *Lemma*: valid in the theories, with its own [`Evidence`].
//! * *Chain*: learnt by resolution. The running resolvent starts as `first`; link k resolves it with its
//!   antecedent on `pivot`. The pivot is the literal *as it occurs in the running resolvent*; the antecedent
//!   holds its negation. There are no intermediate clauses.
//!
//! A refutation is a chain (or leaf) with no literals. Every antecedent has a smaller [`ClauseId`] than the
//! clause that uses it, so a pass in id order is a topological pass; nothing here is recursive.
//!
//! Logging can be switched off; then every clause gets [`ClauseId::NONE`] and nothing is stored.

use crate::sat::types::{Lit, Var};
use logic::{AssertionId, Rational, TermId};

base::define_id!(
    /// A clause of a [`Proof`].
    ClauseId, "c"
);

impl ClauseId {
    /// What clauses are called when no proof is kept.
    pub const NONE: ClauseId = ClauseId(u32::MAX);
}

/// One resolution of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The literal of the running resolvent that is resolved away; `!pivot` is in the antecedent.
    pub pivot: Lit,
    pub antecedent: ClauseId,
}

/// The reason why a clause holds.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Follows from the assertion (or assumption) with this id.
    Input(AssertionId),
    /// A defining clause of the Boolean term, whose variable is in the clause.
    Definition(TermId),
    Lemma(&'a Evidence),
    Chain {
        first: ClauseId,
        links: &'a [Link],
    },
}

/// Why a theory lemma is valid. "Conflict" means the negations of the clause's literals.
#[derive(Clone, PartialEq, Debug)]
pub enum Evidence {
    /// One coefficient per literal of the clause, in its order: the sum of the conflict's (in)equalities
    /// multiplied by them is `0 <= c` with `c < 0`, or `0 < 0`. Inequalities have coefficients >= 0
    /// (0: unused), equalities any sign. Over Int a strict or negated inequality is first made weak.
    Farkas(Vec<Rational>),
    /// One coefficient per literal: the combination of the conflict's equalities has integer
    /// coefficients on integer terms and a constant that is no integer.
    IntegerEqualities(Vec<Rational>),
    /// `t = c ∨ t < c ∨ t > c` in whatever order and normal form (Int: `t <= c-1`, `t >= c+1`).
    Trichotomy,
    /// Two literals that cover all values: `t <= k ∨ t >= k'` with `k' <= k` (Int: `k' <= k + 1`).
    Split,
    /// Equality reasoning with explicit paths.
    Euf(Box<EufEvidence>),
    /// An instance of an axiom of the theory of arrays.
    Array(ArrayAxiom),
    /// `c ⇒ ite(c,a,b) = a` or `¬c ⇒ ite(c,a,b) = b`, for the non-Boolean term `ite(c,a,b)`.
    Ite(TermId),
    /// One of the axioms of a term `div`, `mod`, `abs`, `to_int`, `is_int` (divisor: a nonzero constant, or
    /// guarded by a literal `divisor = 0`).
    ArithAxiom(TermId),
    /// Bool-sorted term, equality or `distinct` spelled out: the clause is a propositional tautology of
    /// the definition of the atom (e.g. `distinct` of n terms against its pairs).
    Distinct(TermId),
    /// The same equality in two shapes: the literals' atoms differ by a rational factor or by moving terms
    /// from side to side, or the atom is trivially decided (constant difference, divisibility).
    Bridge,
    /// A clause of the circuit of this bit-vector term, or of this bit-vector atom.
    BitBlast(TermId),
    /// The quantified term and the terms put in: `¬∀x.φ ∨ φ[t]`, `∃x.φ ∨ ¬φ[t]`; or, if the terms are Skolem constants
    /// of the formula, `∀x.φ ∨ ¬φ[sk]`, `¬∃x.φ ∨ φ[sk]`.
    Instance { quantified: TermId, terms: Vec<TermId> },
    /// A valid fact about a nonlinear product (sign, monotonicity, tangent, model value).
    Nonlinear(TermId),
    /// The conflict's polynomial constraints have no solution over the reals, which a covering showed. There is no
    /// certificate: the checker decides it again.
    Covering,
    /// An equation multiplied by a term: `a ≠ b ∨ a·factor = b·factor`, both sides expanded.
    Multiplied { equality: TermId, factor: TermId },
}

/// Paths of equalities that explain an equality or a contradiction.
///
/// Sub-paths come before the paths that use them; the last path is the main one. If the pool's `eq` of its
/// ends is a positive equality literal of the clause, or if they are a Bool term and `true`/`false` whose literal is
/// in the clause (for the term `not p` that is the literal of `p`, turned), that literal is the conclusion. If the
/// pool's `eq` of its ends is `false` (different constants, `x` and `x+1`), there is no conclusion literal: the path
/// is contradictory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EufEvidence {
    pub paths: Vec<EqPath>,
}

/// `terms[0] = terms[1] = …`, where `steps[k]` is the reason of `terms[k] = terms[k+1]`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EqPath {
    pub terms: Vec<TermId>,
    pub steps: Vec<EqStep>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum EqStep {
    /// The conflict contains this literal (the clause its negation): a positive equality atom which is what
    /// the pool's `eq` makes of the two terms (arithmetic equalities are normalised, so that its sides may
    /// look different: `y = x+1` is `x = y-1`); or a literal of a Bool term, one of the two terms, the other one
    /// being `true` (literal positive) or `false`; for the term `not p`, turned.
    Literal(Lit),
    /// Same symbol applied to equal arguments: for each argument the index of the path that joins them,
    /// or `None` when they are the same term.
    Congruence(Vec<Option<u32>>),
}

/// Axiom instances of the theory of arrays, as clauses over equality atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArrayAxiom {
    /// `store(a,i,v)[i] = v` (the select may also be written with any index term syntactically equal).
    ReadOverWriteSame { store: TermId },
    /// `i = j ∨ store(a,i,v)[j] = a[j]`.
    ReadOverWriteOther { store: TermId, index: TermId },
    /// `const(v)[i] = v`.
    ReadConst { array: TermId, index: TermId },
    /// `a = b ∨ a[diff(a,b)] ≠ b[diff(a,b)]`.
    Extensionality { left: TermId, right: TermId, index: TermId },
    /// `ite(c,a,b)` under a read, pushed: `c ⇒ ite(c,a,b)[i] = a[i]`; `¬c ⇒ …= b[i]`.
    ReadOverIte { array: TermId, index: TermId },
}

#[derive(Clone, Copy)]
enum Kind {
    Input(AssertionId),
    Definition(TermId),
    Lemma(u32),
    Chain { first: ClauseId, links_start: u32, links_len: u32 },
}

struct Record {
    lits_start: u32,
    lits_len: u32,
    kind: Kind,
}

/// An arena of justified clauses.
pub struct Proof {
    enabled: bool,
    records: Vec<Record>,
    lits: Vec<Lit>,
    links: Vec<Link>,
    evidence: Vec<Evidence>,
}

impl Proof {
    pub fn new(enabled: bool) -> Proof {
        Proof { enabled, records: Vec::new(), lits: Vec::new(), links: Vec::new(), evidence: Vec::new() }
    }
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }
    pub fn n_clauses(&self) -> usize {
        self.records.len()
    }
    /// Words of memory in use, roughly; to decide when to compact.
    pub fn size(&self) -> usize {
        self.records.len() * 5 + self.lits.len() + self.links.len() * 2 + self.evidence.len() * 16
    }
    fn record(&mut self, lits: &[Lit], kind: Kind) -> ClauseId {
        let id = ClauseId(self.records.len() as u32);
        self.records.push(Record { lits_start: self.lits.len() as u32, lits_len: lits.len() as u32, kind });
        self.lits.extend_from_slice(lits);
        id
    }
    pub fn input(&mut self, lits: &[Lit], assertion: AssertionId) -> ClauseId {
        if !self.enabled {
            return ClauseId::NONE;
        }
        self.record(lits, Kind::Input(assertion))
    }
    pub fn definition(&mut self, lits: &[Lit], term: TermId) -> ClauseId {
        if !self.enabled {
            return ClauseId::NONE;
        }
        self.record(lits, Kind::Definition(term))
    }
    pub fn lemma(&mut self, lits: &[Lit], evidence: Evidence) -> ClauseId {
        if !self.enabled {
            return ClauseId::NONE;
        }
        let index = self.evidence.len() as u32;
        self.evidence.push(evidence);
        self.record(lits, Kind::Lemma(index))
    }
    pub fn chain(&mut self, lits: &[Lit], first: ClauseId, links: &[Link]) -> ClauseId {
        if !self.enabled {
            return ClauseId::NONE;
        }
        let links_start = self.links.len() as u32;
        self.links.extend_from_slice(links);
        self.record(lits, Kind::Chain { first, links_start, links_len: links.len() as u32 })
    }
    pub fn clause(&self, id: ClauseId) -> &[Lit] {
        let r = &self.records[id.0 as usize];
        &self.lits[r.lits_start as usize..(r.lits_start + r.lits_len) as usize]
    }
    pub fn step(&self, id: ClauseId) -> Step<'_> {
        match self.records[id.0 as usize].kind {
            Kind::Input(a) => Step::Input(a),
            Kind::Definition(t) => Step::Definition(t),
            Kind::Lemma(e) => Step::Lemma(&self.evidence[e as usize]),
            Kind::Chain { first, links_start, links_len } => {
                Step::Chain { first, links: &self.links[links_start as usize..(links_start + links_len) as usize] }
            }
        }
    }
    /// All clauses that `root` depends on, itself included, in id (hence topological) order.
    pub fn cone(&self, root: ClauseId) -> Vec<ClauseId> {
        let marked = self.mark(&[root]);
        (0..self.records.len()).filter(|&i| marked[i]).map(|i| ClauseId(i as u32)).collect()
    }
    /// The assertions a clause was derived from, sorted.
    pub fn assertions_below(&self, root: ClauseId) -> Vec<AssertionId> {
        let mut ids: Vec<AssertionId> = self
            .cone(root)
            .into_iter()
            .filter_map(|c| match self.step(c) {
                Step::Input(a) => Some(a),
                Step::Definition(_) | Step::Lemma(_) | Step::Chain { .. } => None,
            })
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
    fn mark(&self, roots: &[ClauseId]) -> Vec<bool> {
        let mut marked = vec![false; self.records.len()];
        for root in roots {
            if *root != ClauseId::NONE {
                marked[root.0 as usize] = true;
            }
        }
        for i in (0..self.records.len()).rev() {
            if !marked[i] {
                continue;
            }
            if let Kind::Chain { first, links_start, links_len } = self.records[i].kind {
                marked[first.0 as usize] = true;
                for link in &self.links[links_start as usize..(links_start + links_len) as usize] {
                    marked[link.antecedent.0 as usize] = true;
                }
            }
        }
        marked
    }
    /// Forgets every clause that no root depends on. Returns the new id of each old clause
    /// ([`ClauseId::NONE`] if it is gone); order is kept.
    pub fn compact(&mut self, roots: &[ClauseId]) -> Vec<ClauseId> {
        let marked = self.mark(roots);
        let mut renamed = vec![ClauseId::NONE; self.records.len()];
        let mut fresh = Proof::new(self.enabled);
        let mut old_evidence: Vec<Option<Evidence>> = self.evidence.drain(..).map(Some).collect();
        for i in 0..self.records.len() {
            if !marked[i] {
                continue;
            }
            let r = &self.records[i];
            let lits = &self.lits[r.lits_start as usize..(r.lits_start + r.lits_len) as usize];
            renamed[i] = match r.kind {
                Kind::Input(a) => fresh.input(lits, a),
                Kind::Definition(t) => fresh.definition(lits, t),
                Kind::Lemma(e) => match old_evidence[e as usize].take() {
                    Some(evidence) => fresh.lemma(lits, evidence),
                    None => unreachable!("each lemma owns its evidence"),
                },
                Kind::Chain { first, links_start, links_len } => {
                    let links: Vec<Link> = self.links[links_start as usize..(links_start + links_len) as usize]
                        .iter()
                        .map(|l| Link { pivot: l.pivot, antecedent: renamed[l.antecedent.0 as usize] })
                        .collect();
                    fresh.chain(lits, renamed[first.0 as usize], &links)
                }
            };
        }
        *self = fresh;
        renamed
    }
    /// The variables that occur in the cone of `root`, sorted.
    pub fn variables(&self, root: ClauseId) -> Vec<Var> {
        let mut vars: Vec<Var> =
            self.cone(root).into_iter().flat_map(|c| self.clause(c).iter().map(|l| l.var())).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}
