//! The theories together: registration of terms, messages to and from the search, and the final check.
//!
//! **Registration.** When an atom enters, its subterms are walked once per scope. Applications of function symbols,
//! array reads and writes become nodes of the congruence closure; Boolean arguments are tied to their literals; `ite`,
//! `div`, `mod` and the like bring their defining clauses; arithmetic arguments of functions become shared terms of
//! the arithmetic. Arithmetic equalities go to the congruence closure only once there is a function symbol at all.
//!
//! **Combination** is model-based (de Moura and Bjørner): when every atom is assigned and arithmetic has a model, the
//! candidate model is completed. Where it fails, one equality is the cause: two members of one congruence class have
//! different values, or two applications of one function have equal arguments but different results. That equality is
//! proposed as the next decision; no equality is ever made that does not matter to the candidate. Convexity is not
//! assumed.

use crate::arith::{self, Arith};
use crate::arrays::Arrays;
use crate::atoms::AtomTable;
use crate::bitblast::{BitBlaster, as_bit_atom};
use crate::clausify::{Clausifier, Polarity};
use crate::euf::{Euf, NodeId, is_congruent};
use crate::model::ModelBuilder;
use crate::proof::{ArrayAxiom, Evidence};
use crate::quantifiers::Quantifiers;
use crate::sat::core::{Host, Origin, Registered};
use crate::sat::types::{LBool, Lit, Var};
use crate::theory::{Checked, Context, FinalCheck, Propagation, Theory, TheoryLemma};
use base::{Budget, Stop};
use logic::{BigInt, FastMap, FastSet, FunId, Op, SortId, TermId, TermPool, Value};

/// The value of a congruence class in a candidate model: an interpreted value, or "the class itself" where only
/// identity matters (uninterpreted sorts, arrays).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Key {
    Value(Value),
    Class(NodeId),
}

struct Scope {
    n_terms: usize,
    n_interpreted_eqs: usize,
    n_arith_atoms: usize,
    n_shared: usize,
    n_symbols: usize,
    n_late_facts: usize,
    uses_euf: bool,
    unsupported: Option<String>,
}

/// At most so many equalities are replaced by ones of one side.
const MAX_PURE_SPLITS: usize = 64;

/// The symbols of the two sides of an interpolation problem, for a search that shall not mix them.
pub(crate) struct Sides {
    pub vocabularies: [FastSet<FunId>; 2],
    pub n_splits: usize,
}

impl Sides {
    /// Does no side know all symbols of the terms?
    fn is_mixed(&self, pool: &TermPool, terms: &[TermId]) -> bool {
        let symbols = pool.free_symbols_of(terms);
        !self.vocabularies.iter().any(|side| symbols.iter().all(|f| side.contains(f)))
    }
}

#[derive(Default)]
pub(crate) struct Theories {
    pub euf: Euf,
    pub arith: Arith,
    pub clausifier: Clausifier,
    pub arrays: Arrays,
    pub quantifiers: Quantifiers,
    blaster: BitBlaster,
    /// Terms whose subterms, axioms and nodes are in place.
    registered: FastSet<TermId>,
    registered_log: Vec<TermId>,
    /// Is the variable an atom of arithmetic? And the log of those that are.
    is_arith_atom: Vec<bool>,
    arith_atoms: Vec<Var>,
    /// Equality atoms over interpreted sorts (numbers, bit-vectors), which the congruence closure hears of only
    /// once there are functions.
    interpreted_eqs: Vec<Var>,
    /// Nodes of interpreted sort whose value matters to the congruence closure.
    shared: Vec<NodeId>,
    is_shared: FastSet<NodeId>,
    /// Free constants that are not Boolean, for the model.
    pub symbols: Vec<TermId>,
    /// Consequences (literals) that may shorten a long search ([`crate::implied_linear`]).
    pub late_facts: Vec<TermId>,
    uses_euf: bool,
    /// Equality atoms that got a new pair of nodes while they were assigned.
    retell: Vec<Var>,
    scopes: Vec<Scope>,
    /// If equalities between the theories shall not mix the symbols of two sides: these.
    pub sides: Option<Sides>,
    /// Features met that are not decided; a `sat` under them is unknown.
    pub unsupported: Option<String>,
}

impl Theories {
    pub(crate) fn push_level(&mut self) {
        self.euf.push_level();
        self.arith.push_level();
    }
    pub(crate) fn backtrack(&mut self, n_levels: usize) {
        self.euf.backtrack(n_levels);
        self.arith.backtrack(n_levels);
    }
    pub(crate) fn push_scope(&mut self) {
        self.euf.push_scope();
        self.arith.push_scope();
        self.clausifier.push_scope();
        self.arrays.push_scope();
        self.quantifiers.push_scope();
        self.scopes.push(Scope {
            n_terms: self.registered_log.len(),
            n_interpreted_eqs: self.interpreted_eqs.len(),
            n_arith_atoms: self.arith_atoms.len(),
            n_shared: self.shared.len(),
            n_symbols: self.symbols.len(),
            n_late_facts: self.late_facts.len(),
            uses_euf: self.uses_euf,
            unsupported: self.unsupported.clone(),
        });
    }
    pub(crate) fn pop_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        self.euf.pop_scope();
        self.arith.pop_scope();
        self.clausifier.pop_scope();
        self.arrays.pop_scope();
        self.quantifiers.pop_scope();
        for t in self.registered_log.drain(scope.n_terms..) {
            self.registered.remove(&t);
        }
        for var in self.arith_atoms.drain(scope.n_arith_atoms..) {
            self.is_arith_atom[var.index()] = false;
        }
        self.interpreted_eqs.truncate(scope.n_interpreted_eqs);
        for n in self.shared.drain(scope.n_shared..) {
            self.is_shared.remove(&n);
        }
        self.symbols.truncate(scope.n_symbols);
        self.late_facts.truncate(scope.n_late_facts);
        self.retell.clear();
        self.uses_euf = scope.uses_euf;
        self.unsupported = scope.unsupported;
    }
}

/// The theories with everything they may use, for the time of one call.
pub(crate) struct View<'a> {
    pub pool: &'a mut TermPool,
    pub atoms: &'a mut AtomTable,
    pub theories: &'a mut Theories,
    pub budget: &'a Budget,
}

macro_rules! context {
    ($view:expr, $values:expr) => {
        &mut Context { pool: $view.pool, atoms: $view.atoms, values: $values, budget: $view.budget }
    };
}

impl View<'_> {
    // ---- registration ----

    /// Can this atom be registered in the middle of the search? Yes if all its terms are known.
    fn is_light(&self, var: Var) -> bool {
        let atom = self.atoms.term(var);
        match self.pool.op(atom) {
            Op::Le | Op::Lt => self.pool.args(atom).iter().all(|&a| self.is_known_arith(a)),
            Op::Eq => {
                let [a, b] = *self.pool.args(atom) else { return false };
                let have_nodes = self.theories.euf.node(a).is_some() && self.theories.euf.node(b).is_some();
                if self.pool.sort(a).is_arith() {
                    self.is_known_arith(a) && self.is_known_arith(b) && (have_nodes || !self.theories.uses_euf)
                } else {
                    have_nodes
                        && self.pool.sort(a) != SortId::BOOL
                        && self.pool.bitvec_width(self.pool.sort(a)).is_none()
                }
            }
            _ => false,
        }
    }
    fn is_known_arith(&self, t: TermId) -> bool {
        self.pool.linear(t).terms.iter().all(|(base, _)| self.theories.registered.contains(base))
    }
    /// Registers what the clausifier met. If the budget stops it, the rest stays in the clausifier, for the next time.
    fn register_everything(&mut self, values: &[LBool]) -> Result<(), Stop> {
        loop {
            let requested = self.atoms.take_new();
            if !requested.is_empty() {
                for var in requested {
                    self.theories.clausifier.define(self.pool, self.atoms, var, Polarity::BOTH);
                }
            } else if let Some(var) = self.theories.clausifier.theory_atoms.pop() {
                let atom = self.atoms.term(var);
                // Circuits are the one part of registration that can be large; their parts are remembered.
                if let Err(stop) = self.theories.blaster.prepare(self.pool, atom, self.budget) {
                    self.theories.clausifier.theory_atoms.push(var);
                    return Err(stop);
                }
                self.register_atom(values, var, atom);
            } else {
                return Ok(());
            }
        }
    }
    /// Registers what is new, as far as the budget allows.
    pub(crate) fn register_within_budget(&mut self, values: &[LBool]) -> (Registered, Result<(), Stop>) {
        let result = self.register_everything(values);
        let clausifier = &mut self.theories.clausifier;
        let registered =
            Registered { vars: std::mem::take(&mut clausifier.vars), clauses: std::mem::take(&mut clausifier.clauses) };
        (registered, result)
    }
    fn register_atom(&mut self, values: &[LBool], var: Var, atom: TermId) {
        let args = self.pool.args(atom).to_vec();
        match self.pool.op(atom) {
            Op::Le | Op::Lt => {
                self.register_terms(values, &args);
                self.announce_to_arith(values, var, atom);
            }
            Op::Eq => {
                self.register_terms(values, &args);
                let sort = self.pool.sort(args[0]);
                let is_bitvec = self.pool.bitvec_width(sort).is_some();
                if sort.is_arith() {
                    self.announce_to_arith(values, var, atom);
                } else if is_bitvec {
                    match as_bit_atom(self.pool, atom) {
                        None => self.blast(atom),
                        // The bit of a wider word is nothing to the congruence closure.
                        Some(leaf) if !args.contains(&leaf) => return,
                        Some(_) => {}
                    }
                }
                if sort.is_arith() || is_bitvec {
                    self.theories.interpreted_eqs.push(var);
                    if self.theories.uses_euf {
                        self.tell_euf_of_eq(var);
                    }
                } else {
                    self.tell_euf_of_eq(var);
                }
            }
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                self.register_terms(values, &args);
                self.blast(atom);
            }
            Op::IsInt => self.register_terms(values, &[atom]),
            _ if is_congruent(self.pool, atom) => self.register_terms(values, &[atom]),
            Op::Forall(_) | Op::Exists(_) => self.register_quantifier(values, var),
            op => self.unsupported(&format!("the operator {op:?}")),
        }
    }
    /// Ties a comparison of words, or a conversion between words and integers, to the bits.
    fn blast(&mut self, t: TermId) {
        for clause in self.theories.blaster.axioms(self.pool, t) {
            let origin = Origin::Lemma(Evidence::BitBlast(t));
            self.theories.clausifier.add_clause(self.pool, self.atoms, &clause, origin);
        }
    }
    fn unsupported(&mut self, what: &str) {
        self.theories.unsupported.get_or_insert_with(|| format!("{what} are not supported"));
    }
    fn announce_to_arith(&mut self, values: &[LBool], var: Var, atom: TermId) {
        if self.theories.is_arith_atom.len() <= var.index() {
            self.theories.is_arith_atom.resize(var.index() + 1, false);
        }
        self.theories.is_arith_atom[var.index()] = true;
        self.theories.arith_atoms.push(var);
        self.theories.arith.new_atom(context!(self, values), var, atom);
    }
    fn tell_euf_of_eq(&mut self, var: Var) {
        let atom = self.atoms.term(var);
        let (a, b) = (self.pool.arg(atom, 0), self.pool.arg(atom, 1));
        let na = self.theories.euf.add_node(self.pool, a);
        let nb = self.theories.euf.add_node(self.pool, b);
        self.theories.euf.add_eq(var.positive(), na, nb);
    }
    /// Registers the subterms of some terms, and the terms. Boolean terms are registered as such only when they
    /// are applications; otherwise the clausifier sees to them.
    pub(crate) fn register_terms(&mut self, values: &[LBool], roots: &[TermId]) {
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
        while let Some((t, children_done)) = stack.pop() {
            if self.theories.registered.contains(&t) {
                continue;
            }
            if children_done {
                self.register_term(values, t);
                self.theories.registered.insert(t);
                self.theories.registered_log.push(t);
                continue;
            }
            stack.push((t, true));
            let descend = |pool: &TermPool, a: TermId| pool.sort(a) != SortId::BOOL || is_congruent(pool, a);
            for &a in self.pool.args(t).iter().rev() {
                if !self.theories.registered.contains(&a) && descend(self.pool, a) {
                    stack.push((a, false));
                }
            }
        }
    }
    fn register_term(&mut self, values: &[LBool], t: TermId) {
        let op = self.pool.op(t);
        if is_congruent(self.pool, t) {
            self.start_using_euf(values);
            for (k, a) in self.pool.args(t).to_vec().into_iter().enumerate() {
                self.add_argument_node(values, a);
                let is_element = matches!((op, k), (Op::Store, 2) | (Op::ConstArray, _));
                if !is_element {
                    self.theories.arith.new_argument(self.pool, a);
                }
            }
            self.add_argument_node(values, t);
        }
        match op {
            Op::App(_) => {
                if self.pool.args(t).is_empty() {
                    self.theories.symbols.push(t);
                    if self.pool.bitvec_width(self.pool.sort(t)).is_some() {
                        // So that a model can read them.
                        self.theories.blaster.bits(self.pool, t);
                    }
                }
            }
            // Circuits take care of conditionals between bit-vectors.
            Op::Ite if self.pool.bitvec_width(self.pool.sort(t)).is_some() => {}
            Op::Ite if self.pool.sort(t) != SortId::BOOL => {
                let [c, a, b] = *self.pool.args(t) else { unreachable!("ite has three arguments") };
                let not_c = self.pool.not(c);
                let (is_a, is_b) = (self.pool.eq(t, a), self.pool.eq(t, b));
                for clause in [[not_c, is_a], [c, is_b]] {
                    let origin = Origin::Lemma(Evidence::Ite(t));
                    self.theories.clausifier.add_clause(self.pool, self.atoms, &clause, origin);
                }
                self.add_axioms(t);
            }
            Op::Num(_) | Op::BvNum(_) | Op::Add | Op::Mul | Op::ToReal | Op::Select | Op::Store | Op::ConstArray => {}
            // Its own axiom, since the term may be in formulas whose equality of the arrays is no atom.
            Op::ArrayDiff => {
                let (left, right) = (self.pool.arg(t, 0), self.pool.arg(t, 1));
                let same = self.pool.eq(left, right);
                let (x, y) = (self.pool.select_plain(left, t), self.pool.select_plain(right, t));
                let equal = self.pool.eq(x, y);
                let different = self.pool.not(equal);
                let origin = Origin::Lemma(Evidence::Array(ArrayAxiom::Extensionality { left, right, index: t }));
                self.theories.clausifier.add_clause(self.pool, self.atoms, &[same, different], origin);
            }
            Op::BvToNat | Op::IntToBv(_) => self.blast(t),
            _ if self.pool.bitvec_width(self.pool.sort(t)).is_some() => {}
            _ if arith::axioms::has_axioms(op) => self.add_axioms(t),
            _ => self.unsupported(&format!("the operator {op:?}")),
        }
        self.theories.arrays.note_term(self.pool, t);
    }
    fn add_axioms(&mut self, t: TermId) {
        for clause in arith::axioms::axioms(self.pool, t) {
            let origin = Origin::Lemma(Evidence::ArithAxiom(t));
            self.theories.clausifier.add_clause(self.pool, self.atoms, &clause, origin);
        }
    }
    /// The node of a term that is an argument of a function, or an application itself.
    fn add_argument_node(&mut self, values: &[LBool], t: TermId) {
        let node = self.theories.euf.add_node(self.pool, t);
        let sort = self.pool.sort(t);
        if sort == SortId::BOOL {
            if self.pool.is_value(t) || self.theories.euf.tied(node).is_some() {
                return;
            }
            let lit = self.theories.clausifier.literal(self.pool, self.atoms, t, Polarity::BOTH);
            self.theories.euf.tie(node, lit);
            // The literal may be assigned (at level 0) already.
            self.retell(values, lit.var());
        } else if sort.is_arith() && self.theories.is_shared.insert(node) {
            self.theories.shared.push(node);
            self.theories.arith.new_shared_term(context!(self, values), t);
        } else if self.pool.bitvec_width(sort).is_some() && self.theories.is_shared.insert(node) {
            self.theories.shared.push(node);
            for bit in self.theories.blaster.bits(self.pool, t) {
                if !self.pool.is_value(bit) {
                    self.theories.clausifier.literal(self.pool, self.atoms, bit, Polarity::BOTH);
                }
            }
        }
    }
    /// From now on arithmetic equalities are of interest to the congruence closure.
    fn start_using_euf(&mut self, values: &[LBool]) {
        if std::mem::replace(&mut self.theories.uses_euf, true) {
            return;
        }
        for var in self.theories.interpreted_eqs.clone() {
            self.tell_euf_of_eq(var);
            self.retell(values, var);
        }
    }
    /// At level 0: tells the congruence closure (again) of a variable that is assigned.
    fn retell(&mut self, values: &[LBool], var: Var) {
        match values.get(var.index()) {
            Some(LBool::True) => self.theories.euf.assert_lit(var.positive()),
            Some(LBool::False) => self.theories.euf.assert_lit(var.negative()),
            Some(LBool::Undef) | None => {}
        }
    }

    // ---- candidate models ----

    /// The value of a node's class in the candidate model of a full assignment.
    pub(crate) fn key(&self, values: &[LBool], n: NodeId) -> Key {
        let euf = &self.theories.euf;
        let root = euf.root(n);
        if let Some(value) = euf.constant_of(n).and_then(|c| self.pool.value(c)) {
            return Key::Value(value);
        }
        let sort = euf.sort(root);
        if sort.is_arith() {
            for m in euf.members(root) {
                if let Some(value) = self.theories.arith.value(self.pool, euf.term(m)) {
                    return Key::Value(value);
                }
            }
        }
        if self.pool.bitvec_width(sort).is_some() {
            for m in euf.members(root) {
                if self.theories.is_shared.contains(&m)
                    && let Some(value) = self.bitvec_value(values, euf.term(m))
                {
                    return Key::Value(value);
                }
            }
        }
        if sort == SortId::BOOL {
            for m in euf.members(root) {
                if let Some(lit) = euf.tied(m) {
                    match values.get(lit.var().index()) {
                        Some(LBool::True) => return Key::Value(Value::Bool(lit.is_positive())),
                        Some(LBool::False) => return Key::Value(Value::Bool(!lit.is_positive())),
                        Some(LBool::Undef) | None => {}
                    }
                }
            }
        }
        Key::Class(root)
    }
    /// The value that the assignment gives a Boolean term with a variable of its own.
    fn bit_value(&self, values: &[LBool], bit: TermId) -> Option<bool> {
        let (base, negated) = match self.pool.op(bit) {
            Op::True => return Some(true),
            Op::False => return Some(false),
            Op::Not => (self.pool.arg(bit, 0), true),
            _ => (bit, false),
        };
        match values.get(self.atoms.var(base)?.index())? {
            LBool::True => Some(!negated),
            LBool::False => Some(negated),
            LBool::Undef => None,
        }
    }
    /// The value of a bit-vector term with known bits; bits that nobody asked about are zero.
    pub(crate) fn bitvec_value(&self, values: &[LBool], t: TermId) -> Option<Value> {
        let width = self.pool.bitvec_width(self.pool.sort(t))?;
        let mut number = BigInt::ZERO;
        for (i, &bit) in self.theories.blaster.known_bits(t)?.iter().enumerate() {
            if self.bit_value(values, bit).unwrap_or(false) {
                number += BigInt::ONE << i;
            }
        }
        Some(Value::Bv(number, width))
    }
    /// The value arithmetic gives a term.
    pub(crate) fn arith_value(&self, t: TermId) -> Option<Value> {
        self.theories.arith.value(self.pool, t)
    }
    /// Proposes the equality of two nodes. The pair is made known to the congruence closure, whatever the shape
    /// of the atom.
    pub(crate) fn propose_equality(&mut self, values: &[LBool], a: NodeId, b: NodeId) -> FinalCheck {
        if let Some(decision) = self.pure_equality(values, a, b) {
            return decision;
        }
        if let Some(lemmas) = self.implied_equality(values, a, b) {
            return FinalCheck::Lemmas(lemmas);
        }
        let (ta, tb) = (self.theories.euf.term(a), self.theories.euf.term(b));
        let eq = self.pool.eq(ta, tb);
        match self.pool.op(eq) {
            Op::Eq => {
                let lit = self.atoms.lit(eq);
                let is_new = self.theories.euf.add_eq(lit, a, b);
                if is_new && self.atoms.is_active(lit.var()) {
                    // The atom is assigned, but this pair was not told: go back and tell again.
                    self.theories.retell.push(lit.var());
                }
                FinalCheck::Decide(lit)
            }
            // Boolean terms are decided by their own literals; constants differ.
            _ => FinalCheck::GiveUp("the theories do not agree on an equality".to_string()),
        }
    }
    /// Clauses that make two nodes equal, if their equality is open and arithmetic implies it.
    fn implied_equality(&mut self, values: &[LBool], a: NodeId, b: NodeId) -> Option<Vec<TheoryLemma>> {
        let (ta, tb) = (self.theories.euf.term(a), self.theories.euf.term(b));
        if !self.pool.sort(ta).is_arith()
            || self.theories.sides.as_ref().is_some_and(|s| s.is_mixed(self.pool, &[ta, tb]))
        {
            return None;
        }
        let eq = self.pool.eq(ta, tb);
        let value = self.atoms.var(eq).and_then(|var| values.get(var.index()));
        if self.pool.op(eq) != Op::Eq || value.is_some_and(|&value| value != LBool::Undef) {
            return None;
        }
        let lemmas = self.theories.arith.implied_equality(context!(self, values), eq)?;
        let lit = self.atoms.lit(eq);
        self.theories.euf.add_eq(lit, a, b);
        Some(lemmas)
    }
    /// In place of an equality between terms of different sides ([`Sides`]), one that leads there and belongs to one
    /// side: with the numeral that is the value of both, or with a member of their class that both sides know.
    fn pure_equality(&mut self, values: &[LBool], a: NodeId, b: NodeId) -> Option<FinalCheck> {
        let sides = self.theories.sides.as_ref()?;
        let (ta, tb) = (self.theories.euf.term(a), self.theories.euf.term(b));
        if sides.n_splits >= MAX_PURE_SPLITS || !sides.is_mixed(self.pool, &[ta, tb]) {
            return None;
        }
        let mut candidates: Vec<(TermId, TermId)> = Vec::new();
        if self.theories.euf.same(a, b) {
            let known = self.theories.euf.members(a).map(|n| self.theories.euf.term(n));
            let shared =
                known.filter(|&t| !sides.is_mixed(self.pool, &[t, ta]) && !sides.is_mixed(self.pool, &[t, tb]));
            candidates.extend(shared.filter(|&t| t != ta && t != tb).flat_map(|t| [(ta, t), (t, tb)]));
        } else if let (Key::Value(value), true) = (self.key(values, a), self.key(values, a) == self.key(values, b)) {
            let numeral = self.pool.value_term(&value, self.theories.euf.sort(a))?;
            candidates.extend([(ta, numeral), (tb, numeral)]);
        }
        for (left, right) in candidates {
            let equality = self.pool.eq(left, right);
            if self.pool.op(equality) != Op::Eq {
                continue;
            }
            let lit = self.atoms.lit(equality);
            if values.get(lit.var().index()).is_none_or(|&value| value == LBool::Undef) {
                if let Some(sides) = &mut self.theories.sides {
                    sides.n_splits += 1;
                }
                return Some(FinalCheck::Decide(lit));
            }
        }
        None
    }
    /// Is the equality of two nodes an atom that is false?
    pub(crate) fn is_false_equality(&mut self, values: &[LBool], a: NodeId, b: NodeId) -> bool {
        let (ta, tb) = (self.theories.euf.term(a), self.theories.euf.term(b));
        let eq = self.pool.eq(ta, tb);
        let var = self.atoms.var(eq);
        eq == TermId::FALSE || var.is_some_and(|v| values.get(v.index()) == Some(&LBool::False))
    }
    /// Members of one class to which arithmetic or the bits give different values.
    ///
    /// Equalities that are literals are known to the other theories, so at the bottom of each such difference there is
    /// a congruence between two terms that differ. All of those are made atoms at once: they follow, so none is a
    /// guess, and another round of checks would cost more. The same few pairs come back in other candidates, which
    /// pairs of arbitrary members would not.
    fn check_classes(&mut self, values: &[LBool]) -> Option<FinalCheck> {
        let mut first: FastMap<NodeId, (NodeId, Value)> = FastMap::default();
        let mut apart: Option<(NodeId, NodeId)> = None;
        let mut congruent: Vec<(NodeId, NodeId)> = Vec::new();
        for &n in &self.theories.shared {
            let Some(value) = self.interpreted_value(values, n) else { continue };
            if let Some(m) = self.theories.euf.congruent_to(n)
                && self.interpreted_value(values, m).is_some_and(|other| other != value)
            {
                congruent.push((m, n));
            }
            let (m, expected) = first.entry(self.theories.euf.root(n)).or_insert_with(|| (n, value.clone()));
            if *expected != value {
                apart.get_or_insert((*m, n));
            }
        }
        let apart = apart?;
        let mut proposal = None;
        for (m, n) in congruent.into_iter().chain([apart]) {
            let (tm, tn) = (self.theories.euf.term(m), self.theories.euf.term(n));
            if self.pool.eq(tm, tn) == TermId::FALSE {
                return Some(FinalCheck::Conflict(self.theories.euf.explain_contradiction(m, n)));
            }
            if proposal.is_some() && (m, n) == apart {
                break;
            }
            let one = self.propose_equality(values, m, n);
            if let FinalCheck::GiveUp(_) = one {
                return Some(one);
            }
            proposal.get_or_insert(one);
        }
        proposal
    }
    /// The value that arithmetic or the bits give a node's term.
    fn interpreted_value(&self, values: &[LBool], n: NodeId) -> Option<Value> {
        let term = self.theories.euf.term(n);
        self.theories.arith.value(self.pool, term).or_else(|| self.bitvec_value(values, term))
    }
    /// Applications of one function with equal arguments and different results. All equalities that are implied are
    /// told at once; one that is not is proposed.
    fn check_functions(&mut self, values: &[LBool]) -> Option<FinalCheck> {
        let mut lemmas: Vec<TheoryLemma> = Vec::new();
        let mut open: Option<(NodeId, NodeId)> = None;
        let mut table: FastMap<(Op, Vec<Key>), (NodeId, Key)> = FastMap::default();
        for n in self.theories.euf.nodes() {
            let op = self.theories.euf.op(n);
            if self.theories.euf.args(n).is_empty() {
                continue;
            }
            let by_zero = matches!(op, Op::IntDiv | Op::Mod | Op::RealDiv);
            let is_function = match op {
                Op::App(_) => true,
                Op::Select | Op::Store | Op::ConstArray | Op::ArrayDiff => self.theories.arrays.is_uninterpreted,
                _ => by_zero,
            };
            if !is_function {
                continue;
            }
            let args = self.theories.euf.args(n).to_vec();
            let mut keys: Vec<Key> = args.iter().map(|&a| self.key(values, a)).collect();
            if by_zero {
                // Only division by zero is a function of its own.
                match &keys[1] {
                    Key::Value(Value::Num(d)) if d.is_zero() => keys.truncate(1),
                    _ => continue,
                }
            }
            let result = self.key(values, n);
            match table.get(&(op, keys.clone())) {
                None => {
                    table.insert((op, keys), (n, result));
                }
                Some((_, r)) if *r == result => {}
                Some(&(m, _)) => {
                    let others = self.theories.euf.args(m).to_vec();
                    let pair = args.iter().zip(&others).find(|(a, b)| !self.theories.euf.same(**a, **b));
                    let Some((&a, &b)) = pair else {
                        return Some(FinalCheck::GiveUp("congruence closure is not closed".to_string()));
                    };
                    match self.implied_equality(values, a, b) {
                        Some(more) => lemmas.extend(more),
                        None => {
                            open.get_or_insert((a, b));
                        }
                    }
                }
            }
        }
        if lemmas.is_empty() {
            return open.map(|(a, b)| self.propose_equality(values, a, b));
        }
        Some(FinalCheck::Lemmas(lemmas))
    }
}

impl View<'_> {
    /// Different classes of arrays with equal contents, where functions or other arrays could tell: either the
    /// arrays are equal, or a difference must be made.
    fn check_equal_arrays(&mut self, values: &[LBool]) -> Option<FinalCheck> {
        let euf = &self.theories.euf;
        let mut roots: Vec<NodeId> = Vec::new();
        for n in euf.nodes() {
            for (k, &arg) in euf.args(n).iter().enumerate() {
                let is_container = k == 0 && matches!(euf.op(n), Op::Select | Op::Store);
                if !is_container && self.pool.array_parts(euf.sort(arg)).is_some() {
                    roots.push(euf.root(arg));
                }
            }
        }
        if roots.len() < 2 {
            return None;
        }
        roots.sort_unstable();
        roots.dedup();
        let mut builder = ModelBuilder::new(self, values);
        let mut by_value: FastMap<(SortId, Value), NodeId> = FastMap::default();
        let mut pair = None;
        for root in roots {
            let key = (euf.sort(root), builder.class_value(root));
            if let Some(&other) = by_value.get(&key) {
                pair = Some((other, root));
                break;
            }
            by_value.insert(key, root);
        }
        pair.map(|(a, b)| self.propose_equality(values, a, b))
    }
}

const EUF: u32 = 0;
const ARITH: u32 = 1;

impl Host for View<'_> {
    fn push_level(&mut self) {
        self.theories.push_level();
    }
    fn backtrack(&mut self, n_levels: usize) {
        self.theories.backtrack(n_levels);
    }
    fn assert_lit(&mut self, values: &[LBool], lit: Lit) -> Result<(), TheoryLemma> {
        self.theories.euf.assert_lit(lit);
        if self.theories.is_arith_atom.get(lit.var().index()).copied().unwrap_or(false) {
            self.theories.arith.assert_lit(context!(self, values), lit)?;
        }
        Ok(())
    }
    fn propagate(&mut self, values: &[LBool], out: &mut Vec<Propagation>) -> Checked {
        if let Err(lemma) = self.theories.euf.propagate(values, out) {
            return Checked::Conflict(lemma);
        }
        for p in out.iter_mut() {
            p.token = p.token << 1 | EUF;
        }
        // Let the clauses work with what is cheap first.
        if !out.is_empty() {
            return Checked::Ok;
        }
        let checked = self.theories.arith.propagate(context!(self, values), out);
        for p in out.iter_mut() {
            p.token = p.token << 1 | ARITH;
        }
        checked
    }
    fn explain(&mut self, values: &[LBool], propagation: Propagation) -> TheoryLemma {
        let inner = Propagation { lit: propagation.lit, token: propagation.token >> 1 };
        if propagation.token & 1 == EUF {
            self.theories.euf.explain(inner)
        } else {
            self.theories.arith.explain(context!(self, values), inner)
        }
    }
    fn final_check(&mut self, values: &[LBool]) -> FinalCheck {
        if let Some(why) = &self.theories.unsupported {
            return FinalCheck::GiveUp(why.clone());
        }
        match self.theories.arith.final_check(context!(self, values)) {
            FinalCheck::Ok => {}
            other => return other,
        }
        if let Some(answer) = self.check_classes(values) {
            return answer;
        }
        if !self.theories.arrays.is_uninterpreted
            && let Some(answer) = self.check_arrays(values)
        {
            return answer;
        }
        if let Some(answer) = self.check_functions(values) {
            return answer;
        }
        if self.theories.arrays.is_uninterpreted && self.theories.arrays.has_arrays() {
            return FinalCheck::GiveUp("arrays are not interpreted".to_string());
        }
        if let Some(answer) = self.check_equal_arrays(values) {
            return answer;
        }
        self.check_quantifiers(values)
    }
    fn new_atoms(&self) -> Option<bool> {
        if !self.theories.retell.is_empty() {
            return Some(true);
        }
        if !self.theories.clausifier.clauses.is_empty() {
            return Some(true);
        }
        let requested = self.atoms.requested();
        if requested.is_empty() {
            return None;
        }
        Some(!requested.iter().all(|&var| self.is_light(var)))
    }
    fn register(&mut self, values: &[LBool]) -> Registered {
        for var in std::mem::take(&mut self.theories.retell) {
            self.retell(values, var);
        }
        // If the budget stopped it, it will soon stop the search as well.
        self.register_within_budget(values).0
    }
    fn budget(&self) -> &Budget {
        self.budget
    }
    fn late_atoms(&mut self) -> Vec<Lit> {
        let mut doubts = Vec::new();
        for &fact in &self.theories.late_facts {
            let is_negation = self.pool.op(fact) == Op::Not;
            let atom = if is_negation { self.pool.arg(fact, 0) } else { fact };
            if self.atoms.var(atom).is_none() {
                doubts.push(self.atoms.intern(atom).lit(is_negation));
            }
        }
        doubts
    }
    fn first_phase(&self, var: Var) -> Option<bool> {
        self.theories.arith.present_truth(var)
    }
    fn is_optional(&self, var: Var) -> bool {
        self.theories.is_arith_atom.get(var.index()).copied().unwrap_or(false) && !self.theories.euf.is_tied(var)
    }
}
