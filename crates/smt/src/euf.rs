//! Equality with uninterpreted functions: congruence closure that can explain itself.
//!
//! Classes are kept as in Nieuwenhuis and Oliveras, *Fast congruence closure and extensions*: every node knows
//! its root, the smaller class is relabelled on a merge, applications are found by their signature (symbol and
//! roots of the arguments) in a hash table, and a *proof forest* records why nodes were joined: each merge adds
//! one edge, so the path between two equal nodes is unique and never changes until it is undone. An explanation
//! made late therefore uses only what was known at the time. Everything is undone through a log.
//!
//! Departures: applications are not curried; equality atoms hang on the two nodes they join, so that a merge
//! finds the atoms it decides by walking the smaller class, and disequalities need no structure of their own:
//! they are equality atoms that are false. Truth values are two nodes, `true` and `false`, that no merge may join;
//! a Boolean term below a function symbol is a node tied to its literal. Constants (numerals, bit-vector constants)
//! are different by construction.
//!
//! An arithmetic equality atom may join several pairs of nodes: `y = x+1` and `x = y-1` are one atom of the pool.
//!
//! Contracts: nodes are made at decision level 0 only; equality atoms between existing nodes at any level.

use crate::proof::{EqPath, EqStep, EufEvidence, Evidence};
use crate::sat::types::{LBool, Lit, Var};
use crate::theory::{Propagation, TheoryLemma};
use hashbrown::HashTable;
use logic::{FastMap, FastSet, Op, SortId, TermId, TermPool};
use std::hash::{Hash, Hasher};

base::define_id!(
    /// A term known to the congruence closure.
    NodeId, "n";
    /// An equality atom together with a pair of nodes it joins.
    EqId, "eq"
);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Why {
    Literal(Lit),
    Congruence,
}

struct Node {
    term: TermId,
    op: Op,
    sort: SortId,
    args: Box<[NodeId]>,
    /// Does the symbol take part in congruence?
    congruent: bool,
    root: NodeId,
    /// The next member of the class (a ring).
    next: NodeId,
    size: u32,
    /// At roots: applications with an argument in the class.
    parents: Vec<NodeId>,
    /// At roots: the constant in the class.
    constant: Option<NodeId>,
    edge: Option<(NodeId, Why)>,
    eqs: Vec<EqId>,
    /// The literal of a Boolean term.
    lit: Option<Lit>,
}

#[derive(Clone, Copy)]
struct EqAtom {
    lit: Lit,
    a: NodeId,
    b: NodeId,
    /// The next pair of the same atom.
    next_of_var: Option<EqId>,
}

enum Undo {
    NewNode {
        inserted: bool,
    },
    Merge {
        kept: NodeId,
        gone: NodeId,
        n_parents: usize,
        old_constant: Option<NodeId>,
        removed: Vec<NodeId>,
        inserted: Vec<NodeId>,
        edge: (NodeId, NodeId),
    },
}

enum ScopeUndo {
    NewEq,
    Tie(NodeId, Var),
}

/// What existed when a scope began. Work not yet done then must be done again when what was done in the scope is
/// taken back.
struct Scope {
    log: usize,
    propagated: usize,
    scope_log: usize,
    pending: Vec<(NodeId, NodeId, Why)>,
    to_check: Vec<EqId>,
}

#[derive(Clone, Copy, Debug)]
enum Because {
    /// The two sides are in one class.
    Joined(EqId),
    /// The classes of the two sides have different constants (given in the order of the sides).
    Constants(EqId, NodeId, NodeId),
    /// The other equality is false and joins the same two classes.
    /// The flag tells whether its sides are to be swapped to fit.
    Disequality(EqId, EqId, bool),
    /// A Boolean node is in the class of a truth value.
    Truth(NodeId, NodeId),
}

#[derive(Default, Clone)]
struct VarRoles {
    eq: Option<EqId>,
    /// Nodes of the Boolean term and of its negation.
    nodes: Vec<NodeId>,
}

pub(crate) struct Euf {
    nodes: Vec<Node>,
    node_of: FastMap<TermId, NodeId>,
    table: HashTable<NodeId>,
    eqs: Vec<EqAtom>,
    /// Pairs already joined by an atom.
    eq_pairs: FastMap<(NodeId, NodeId), EqId>,
    roles: Vec<VarRoles>,
    pending: Vec<(NodeId, NodeId, Why)>,
    /// Equality atoms to look at: registered late, or told false.
    to_check: Vec<EqId>,
    propagated: Vec<Because>,
    /// Already emitted from `propagated`.
    emitted: usize,
    implied: Vec<Lit>,
    log: Vec<Undo>,
    levels: Vec<(usize, usize)>,
    scope_log: Vec<ScopeUndo>,
    scopes: Vec<Scope>,
    true_node: NodeId,
    false_node: NodeId,
    /// Grows with every merge and every new node; lets others see that something changed.
    pub changes: u64,
}

/// Is this an application whose value the theory of equality derives from its arguments? Operators that other
/// theories define completely (sums, division by a constant) are leaves.
pub(crate) fn is_congruent(pool: &TermPool, term: TermId) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::App(_) => !args.is_empty(),
        Op::Select | Op::Store | Op::ConstArray | Op::ArrayDiff | Op::BvToNat | Op::IntToBv(_) => true,
        Op::IntDiv | Op::Mod | Op::RealDiv => pool.number(args[1]).is_none_or(|n| n.is_zero()),
        Op::Mul => pool.number(args[0]).is_none(),
        _ => false,
    }
}

impl Default for Euf {
    fn default() -> Self {
        Euf::new()
    }
}

impl Euf {
    pub(crate) fn new() -> Euf {
        let mut euf = Euf {
            nodes: Vec::new(),
            node_of: FastMap::default(),
            table: HashTable::new(),
            eqs: Vec::new(),
            eq_pairs: FastMap::default(),
            roles: Vec::new(),
            pending: Vec::new(),
            to_check: Vec::new(),
            propagated: Vec::new(),
            emitted: 0,
            implied: Vec::new(),
            log: Vec::new(),
            levels: Vec::new(),
            scope_log: Vec::new(),
            scopes: Vec::new(),
            true_node: NodeId(0),
            false_node: NodeId(1),
            changes: 0,
        };
        euf.push_node(TermId::TRUE, Op::True, SortId::BOOL, Box::new([]), false, true);
        euf.push_node(TermId::FALSE, Op::False, SortId::BOOL, Box::new([]), false, true);
        euf.log.clear();
        euf
    }

    // ---- looking ----

    pub(crate) fn node(&self, term: TermId) -> Option<NodeId> {
        self.node_of.get(&term).copied()
    }
    pub(crate) fn root(&self, n: NodeId) -> NodeId {
        self.nodes[n.0 as usize].root
    }
    pub(crate) fn term(&self, n: NodeId) -> TermId {
        self.nodes[n.0 as usize].term
    }
    pub(crate) fn op(&self, n: NodeId) -> Op {
        self.nodes[n.0 as usize].op
    }
    pub(crate) fn sort(&self, n: NodeId) -> SortId {
        self.nodes[n.0 as usize].sort
    }
    pub(crate) fn args(&self, n: NodeId) -> &[NodeId] {
        &self.nodes[n.0 as usize].args
    }
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }
    pub(crate) fn same(&self, a: NodeId, b: NodeId) -> bool {
        self.root(a) == self.root(b)
    }
    /// The constant in the class of a node.
    pub(crate) fn constant_of(&self, n: NodeId) -> Option<TermId> {
        self.nodes[self.root(n).0 as usize].constant.map(|c| self.term(c))
    }
    /// The members of a node's class, starting with it.
    pub(crate) fn members(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = Some(n);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.nodes[here.0 as usize].next;
            at = (next != n).then_some(next);
            Some(here)
        })
    }
    /// The application that congruence joined this one with, if the proof forest has such an edge from here.
    pub(crate) fn congruent_to(&self, n: NodeId) -> Option<NodeId> {
        match self.nodes[n.0 as usize].edge {
            Some((to, Why::Congruence)) => Some(to),
            Some((_, Why::Literal(_))) | None => None,
        }
    }
    /// Is the variable the truth value of a node?
    pub(crate) fn is_tied(&self, var: Var) -> bool {
        self.roles.get(var.index()).is_some_and(|r| !r.nodes.is_empty())
    }

    // ---- nodes and atoms ----

    fn push_node(
        &mut self,
        term: TermId,
        op: Op,
        sort: SortId,
        args: Box<[NodeId]>,
        congruent: bool,
        is_value: bool,
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        for (k, a) in args.iter().enumerate() {
            if congruent && !args[..k].contains(a) {
                let root = self.root(*a);
                self.nodes[root.0 as usize].parents.push(id);
            }
        }
        self.nodes.push(Node {
            term,
            op,
            sort,
            args,
            congruent,
            root: id,
            next: id,
            size: 1,
            parents: Vec::new(),
            constant: is_value.then_some(id),
            edge: None,
            eqs: Vec::new(),
            lit: None,
        });
        self.node_of.insert(term, id);
        let mut inserted = false;
        if congruent {
            match self.lookup(id) {
                Some(q) => self.pending.push((id, q, Why::Congruence)),
                None => {
                    self.insert(id);
                    inserted = true;
                }
            }
        }
        self.log.push(Undo::NewNode { inserted });
        self.changes += 1;
        id
    }
    /// Makes the node of a term whose arguments (if it is congruent) have nodes already. Level 0 only.
    pub(crate) fn add_node(&mut self, pool: &TermPool, term: TermId) -> NodeId {
        if let Some(n) = self.node(term) {
            return n;
        }
        debug_assert!(self.levels.is_empty(), "nodes are made at level 0");
        let op = pool.op(term);
        let congruent = is_congruent(pool, term);
        let args: Box<[NodeId]> =
            if congruent { pool.args(term).iter().map(|a| self.node_of[a]).collect() } else { Box::new([]) };
        self.push_node(term, op, pool.sort(term), args, congruent, pool.is_value(term))
    }
    fn roles_mut(&mut self, var: Var) -> &mut VarRoles {
        if self.roles.len() <= var.index() {
            self.roles.resize(var.index() + 1, VarRoles::default());
        }
        &mut self.roles[var.index()]
    }
    /// The equality atom of `lit` joins these nodes. Returns false if that is known.
    pub(crate) fn add_eq(&mut self, lit: Lit, a: NodeId, b: NodeId) -> bool {
        let key = (a.min(b), a.max(b));
        if self.eq_pairs.contains_key(&key) {
            return false;
        }
        let id = EqId(self.eqs.len() as u32);
        let next_of_var = self.roles_mut(lit.var()).eq.replace(id);
        self.eqs.push(EqAtom { lit, a, b, next_of_var });
        self.eq_pairs.insert(key, id);
        self.nodes[a.0 as usize].eqs.push(id);
        self.nodes[b.0 as usize].eqs.push(id);
        self.to_check.push(id);
        self.scope_log.push(ScopeUndo::NewEq);
        true
    }
    /// Ties the node of a Boolean term to its literal. Returns false if it is tied already.
    pub(crate) fn tie(&mut self, node: NodeId, lit: Lit) -> bool {
        if self.nodes[node.0 as usize].lit.is_some() {
            return false;
        }
        self.nodes[node.0 as usize].lit = Some(lit);
        self.roles_mut(lit.var()).nodes.push(node);
        self.scope_log.push(ScopeUndo::Tie(node, lit.var()));
        true
    }
    pub(crate) fn tied(&self, node: NodeId) -> Option<Lit> {
        self.nodes[node.0 as usize].lit
    }

    // ---- levels and scopes ----

    pub(crate) fn push_level(&mut self) {
        self.levels.push((self.log.len(), self.propagated.len()));
    }
    pub(crate) fn backtrack(&mut self, n_levels: usize) {
        let keep = self.levels.len() - n_levels;
        let (log, propagated) = self.levels[keep];
        self.levels.truncate(keep);
        self.undo_to(log, propagated);
    }
    pub(crate) fn push_scope(&mut self) {
        debug_assert!(self.levels.is_empty());
        self.scopes.push(Scope {
            log: self.log.len(),
            propagated: self.propagated.len(),
            scope_log: self.scope_log.len(),
            pending: self.pending.clone(),
            to_check: self.to_check.clone(),
        });
    }
    pub(crate) fn pop_scope(&mut self) {
        debug_assert!(self.levels.is_empty());
        let Some(scope) = self.scopes.pop() else { return };
        for undo in self.scope_log.split_off(scope.scope_log).into_iter().rev() {
            match undo {
                ScopeUndo::NewEq => {
                    let Some(eq) = self.eqs.pop() else { unreachable!("one record per atom") };
                    self.roles[eq.lit.var().index()].eq = eq.next_of_var;
                    self.eq_pairs.remove(&(eq.a.min(eq.b), eq.a.max(eq.b)));
                    self.nodes[eq.a.0 as usize].eqs.pop();
                    self.nodes[eq.b.0 as usize].eqs.pop();
                }
                ScopeUndo::Tie(node, var) => {
                    self.nodes[node.0 as usize].lit = None;
                    self.roles[var.index()].nodes.pop();
                }
            }
        }
        self.undo_to(scope.log, scope.propagated);
        self.pending = scope.pending;
        self.to_check = scope.to_check;
    }
    fn undo_to(&mut self, log: usize, propagated: usize) {
        self.pending.clear();
        self.implied.clear();
        self.propagated.truncate(propagated);
        self.emitted = self.emitted.min(propagated);
        while self.log.len() > log {
            match self.log.pop() {
                Some(Undo::NewNode { inserted }) => self.undo_new_node(inserted),
                Some(Undo::Merge { kept, gone, n_parents, old_constant, removed, inserted, edge }) => {
                    for &p in &inserted {
                        self.remove(p);
                    }
                    self.nodes[kept.0 as usize].parents.truncate(n_parents);
                    self.nodes[kept.0 as usize].constant = old_constant;
                    let gone_size = self.nodes[gone.0 as usize].size;
                    self.nodes[kept.0 as usize].size -= gone_size;
                    self.swap_next(kept, gone);
                    let mut at = gone;
                    loop {
                        self.nodes[at.0 as usize].root = gone;
                        at = self.nodes[at.0 as usize].next;
                        if at == gone {
                            break;
                        }
                    }
                    for &p in &removed {
                        self.insert(p);
                    }
                    // Later merges may have turned the edge round.
                    let (a, b) = edge;
                    if self.nodes[a.0 as usize].edge.is_some_and(|(t, _)| t == b) {
                        self.nodes[a.0 as usize].edge = None;
                    } else {
                        debug_assert!(self.nodes[b.0 as usize].edge.is_some_and(|(t, _)| t == a));
                        self.nodes[b.0 as usize].edge = None;
                    }
                }
                None => break,
            }
        }
        self.changes += 1;
    }
    fn undo_new_node(&mut self, inserted: bool) {
        let id = NodeId(self.nodes.len() as u32 - 1);
        if inserted {
            self.remove(id);
        }
        let Some(node) = self.nodes.pop() else { return };
        self.node_of.remove(&node.term);
        for (k, a) in node.args.iter().enumerate() {
            if node.congruent && !node.args[..k].contains(a) {
                let root = self.root(*a);
                let popped = self.nodes[root.0 as usize].parents.pop();
                debug_assert_eq!(popped, Some(id));
            }
        }
    }

    // ---- the signature table ----

    fn signature(nodes: &[Node], n: NodeId) -> u64 {
        let node = &nodes[n.0 as usize];
        let mut hasher = rustc_hash::FxHasher::default();
        node.op.hash(&mut hasher);
        for a in &node.args {
            nodes[a.0 as usize].root.hash(&mut hasher);
        }
        hasher.finish()
    }
    fn congruent(nodes: &[Node], m: NodeId, n: NodeId) -> bool {
        let (x, y) = (&nodes[m.0 as usize], &nodes[n.0 as usize]);
        x.op == y.op
            && x.sort == y.sort
            && x.args.len() == y.args.len()
            && x.args.iter().zip(&y.args).all(|(a, b)| nodes[a.0 as usize].root == nodes[b.0 as usize].root)
    }
    fn lookup(&self, n: NodeId) -> Option<NodeId> {
        let hash = Self::signature(&self.nodes, n);
        self.table.find(hash, |&m| Self::congruent(&self.nodes, m, n)).copied()
    }
    fn insert(&mut self, n: NodeId) {
        let hash = Self::signature(&self.nodes, n);
        let nodes = &self.nodes;
        self.table.insert_unique(hash, n, |&m| Self::signature(nodes, m));
    }
    /// Takes the node out of the table; false if another one stands there for it.
    fn remove(&mut self, n: NodeId) -> bool {
        let hash = Self::signature(&self.nodes, n);
        match self.table.find_entry(hash, |&m| m == n) {
            Ok(entry) => {
                entry.remove();
                true
            }
            Err(_) => false,
        }
    }

    // ---- asserting and merging ----

    /// Takes note of a literal; the work is done by [`propagate`](Euf::propagate).
    pub(crate) fn assert_lit(&mut self, lit: Lit) {
        let Some(roles) = self.roles.get(lit.var().index()) else { return };
        for &node in &roles.nodes {
            let holds = self.nodes[node.0 as usize].lit == Some(lit);
            let truth = if holds { self.true_node } else { self.false_node };
            self.pending.push((node, truth, Why::Literal(lit)));
        }
        let mut at = roles.eq;
        while let Some(eq) = at {
            let atom = self.eqs[eq.0 as usize];
            if lit.is_positive() {
                self.pending.push((atom.a, atom.b, Why::Literal(lit)));
            } else {
                self.to_check.push(eq);
            }
            at = atom.next_of_var;
        }
    }
    fn swap_next(&mut self, a: NodeId, b: NodeId) {
        let (x, y) = (self.nodes[a.0 as usize].next, self.nodes[b.0 as usize].next);
        self.nodes[a.0 as usize].next = y;
        self.nodes[b.0 as usize].next = x;
    }
    /// Makes `n` the root of its tree in the proof forest.
    fn reroot(&mut self, n: NodeId) {
        let mut at = n;
        let mut incoming: Option<(NodeId, Why)> = None;
        loop {
            let old = std::mem::replace(&mut self.nodes[at.0 as usize].edge, incoming);
            match old {
                None => break,
                Some((target, why)) => {
                    incoming = Some((at, why));
                    at = target;
                }
            }
        }
    }
    fn merge(&mut self, values: &[LBool], a: NodeId, b: NodeId, why: Why) -> Result<(), TheoryLemma> {
        let (ra, rb) = (self.root(a), self.root(b));
        if ra == rb {
            return Ok(());
        }
        let (kept, gone) =
            if self.nodes[ra.0 as usize].size >= self.nodes[rb.0 as usize].size { (ra, rb) } else { (rb, ra) };
        let (from, to) = if gone == ra { (a, b) } else { (b, a) };
        self.reroot(from);
        self.nodes[from.0 as usize].edge = Some((to, why));
        self.changes += 1;

        let removed: Vec<NodeId> = {
            let parents = std::mem::take(&mut self.nodes[gone.0 as usize].parents);
            let removed = parents.iter().copied().filter(|&p| self.remove(p)).collect();
            self.nodes[gone.0 as usize].parents = parents;
            removed
        };
        let old_constant = self.nodes[kept.0 as usize].constant;
        let gone_constant = self.nodes[gone.0 as usize].constant;
        let clash = match (old_constant, gone_constant) {
            (Some(c), Some(d)) => Some((c, d)),
            (None, Some(_)) | (Some(_), None) | (None, None) => None,
        };
        if clash.is_none() {
            // The class that had no constant learns about it.
            match (old_constant, gone_constant) {
                (None, Some(c)) => self.constant_arrives(values, kept, c),
                (Some(c), None) => self.constant_arrives(values, gone, c),
                (None, None) | (Some(_), Some(_)) => {}
            }
        }
        // Atoms between the two classes.
        let mut false_atom = None;
        let mut at = gone;
        loop {
            for k in 0..self.nodes[at.0 as usize].eqs.len() {
                let eq = self.nodes[at.0 as usize].eqs[k];
                let atom = self.eqs[eq.0 as usize];
                let other = if atom.a == at { atom.b } else { atom.a };
                if self.root(other) == kept {
                    match value_of(values, atom.lit) {
                        LBool::True => {}
                        LBool::Undef => self.imply(atom.lit, Because::Joined(eq)),
                        LBool::False => false_atom = false_atom.or(Some(eq)),
                    }
                }
            }
            at = self.nodes[at.0 as usize].next;
            if at == gone {
                break;
            }
        }
        loop {
            self.nodes[at.0 as usize].root = kept;
            at = self.nodes[at.0 as usize].next;
            if at == gone {
                break;
            }
        }
        self.swap_next(kept, gone);
        let gone_size = self.nodes[gone.0 as usize].size;
        self.nodes[kept.0 as usize].size += gone_size;
        self.nodes[kept.0 as usize].constant = old_constant.or(gone_constant);
        let n_parents = self.nodes[kept.0 as usize].parents.len();
        let mut inserted = Vec::new();
        let parents = std::mem::take(&mut self.nodes[gone.0 as usize].parents);
        for &p in &parents {
            match self.lookup(p) {
                Some(q) if q == p => {}
                Some(q) => {
                    if !self.same(p, q) {
                        self.pending.push((p, q, Why::Congruence));
                    }
                }
                None => {
                    self.insert(p);
                    inserted.push(p);
                }
            }
            self.nodes[kept.0 as usize].parents.push(p);
        }
        self.nodes[gone.0 as usize].parents = parents;
        self.log.push(Undo::Merge { kept, gone, n_parents, old_constant, removed, inserted, edge: (from, to) });

        if let Some((c, d)) = clash {
            return Err(self.explain_path(c, d, None));
        }
        if let Some(eq) = false_atom {
            let atom = self.eqs[eq.0 as usize];
            return Err(self.explain_path(atom.a, atom.b, Some(atom.lit)));
        }
        Ok(())
    }
    fn imply(&mut self, lit: Lit, because: Because) {
        self.propagated.push(because);
        self.implied.push(lit);
    }
    /// The class of `root` (before its merge) now has a constant: Boolean members become known, equality atoms
    /// to classes with other constants false.
    fn constant_arrives(&mut self, values: &[LBool], root: NodeId, constant: NodeId) {
        let is_bool = self.nodes[root.0 as usize].sort == SortId::BOOL;
        let mut at = root;
        loop {
            if is_bool {
                if let Some(lit) = self.nodes[at.0 as usize].lit {
                    let lit = lit.flipped_if(constant == self.false_node);
                    if value_of(values, lit) != LBool::True {
                        self.imply(lit, Because::Truth(at, constant));
                    }
                }
            } else {
                for k in 0..self.nodes[at.0 as usize].eqs.len() {
                    let eq = self.nodes[at.0 as usize].eqs[k];
                    let atom = self.eqs[eq.0 as usize];
                    let other = if atom.a == at { atom.b } else { atom.a };
                    if value_of(values, atom.lit) == LBool::Undef
                        && let Some(c) = self.nodes[self.root(other).0 as usize].constant
                        && c != constant
                    {
                        let (x, y) = if atom.a == at { (constant, c) } else { (c, constant) };
                        self.imply(!atom.lit, Because::Constants(eq, x, y));
                    }
                }
            }
            at = self.nodes[at.0 as usize].next;
            if at == root {
                break;
            }
        }
    }
    /// An atom whose sides may be joined or kept apart already.
    fn check_eq(&mut self, values: &[LBool], eq: EqId) -> Result<(), TheoryLemma> {
        let atom = self.eqs[eq.0 as usize];
        let value = value_of(values, atom.lit);
        let (ra, rb) = (self.root(atom.a), self.root(atom.b));
        if ra == rb {
            match value {
                LBool::True => {}
                LBool::Undef => self.imply(atom.lit, Because::Joined(eq)),
                LBool::False => return Err(self.explain_path(atom.a, atom.b, Some(atom.lit))),
            }
            return Ok(());
        }
        if value == LBool::Undef {
            if let (Some(c), Some(d)) = (self.nodes[ra.0 as usize].constant, self.nodes[rb.0 as usize].constant)
                && c != d
            {
                self.imply(!atom.lit, Because::Constants(eq, c, d));
            }
        } else if value == LBool::False {
            // Other atoms between the two classes are false as well.
            let small = if self.nodes[ra.0 as usize].size <= self.nodes[rb.0 as usize].size { ra } else { rb };
            let large = if small == ra { rb } else { ra };
            let mut at = small;
            loop {
                for k in 0..self.nodes[at.0 as usize].eqs.len() {
                    let other_eq = self.nodes[at.0 as usize].eqs[k];
                    let other = self.eqs[other_eq.0 as usize];
                    let far = if other.a == at { other.b } else { other.a };
                    if self.root(far) == large && value_of(values, other.lit) == LBool::Undef {
                        let swapped = self.root(other.a) != ra;
                        self.imply(!other.lit, Because::Disequality(other_eq, eq, swapped));
                    }
                }
                at = self.nodes[at.0 as usize].next;
                if at == small {
                    break;
                }
            }
        }
        Ok(())
    }
    /// Closes under congruence; appends implied literals. A conflict leaves pending work behind, which the
    /// backtracking that must follow clears.
    pub(crate) fn propagate(&mut self, values: &[LBool], out: &mut Vec<Propagation>) -> Result<(), TheoryLemma> {
        loop {
            if let Some((a, b, why)) = self.pending.pop() {
                self.merge(values, a, b, why)?;
            } else if let Some(eq) = self.to_check.pop() {
                self.check_eq(values, eq)?;
            } else {
                break;
            }
        }
        for (lit, k) in self.implied.drain(..).zip(self.emitted..) {
            if value_of(values, lit) != LBool::True {
                out.push(Propagation { lit, token: k as u32 });
            }
        }
        self.emitted = self.propagated.len();
        Ok(())
    }

    // ---- explaining ----

    pub(crate) fn explain(&self, propagation: Propagation) -> TheoryLemma {
        match self.propagated[propagation.token as usize] {
            Because::Joined(eq) => {
                let atom = self.eqs[eq.0 as usize];
                self.explain_path(atom.a, atom.b, Some(atom.lit))
            }
            Because::Truth(node, truth) => self.explain_path(node, truth, Some(propagation.lit)),
            Because::Constants(eq, c, d) => {
                let atom = self.eqs[eq.0 as usize];
                self.explain_with_step(c, atom, d, None, propagation.lit)
            }
            Because::Disequality(eq, diseq, swapped) => {
                let atom = self.eqs[eq.0 as usize];
                let other = self.eqs[diseq.0 as usize];
                let (start, end) = if swapped { (other.b, other.a) } else { (other.a, other.b) };
                self.explain_with_step(start, atom, end, Some(other.lit), propagation.lit)
            }
        }
    }
    /// Clause of a path from `a` to `b`; `conclusion` is the literal that the path proves (placed first), or none
    /// if the ends are different constants.
    fn explain_path(&self, a: NodeId, b: NodeId, conclusion: Option<Lit>) -> TheoryLemma {
        let mut explainer = Explainer::new(self);
        explainer.path(a, b);
        let mut lits: Vec<Lit> = conclusion.into_iter().collect();
        lits.extend(explainer.premises.iter().map(|&l| !l).filter(|l| Some(*l) != conclusion));
        TheoryLemma { lits, evidence: Evidence::Euf(Box::new(explainer.evidence)) }
    }
    /// `start … atom.a = atom.b … end`, where the middle step is the atom, which is not asserted: its negation is
    /// what is implied (`first`).
    fn explain_with_step(
        &self,
        start: NodeId,
        atom: EqAtom,
        end: NodeId,
        conclusion: Option<Lit>,
        first: Lit,
    ) -> TheoryLemma {
        let mut explainer = Explainer::new(self);
        let left = explainer.path_if_needed(start, atom.a);
        let right = explainer.path_if_needed(atom.b, end);
        // Put the three parts together as the main path.
        let mut terms = match left {
            Some(p) => explainer.evidence.paths[p as usize].terms.clone(),
            None => vec![self.term(start)],
        };
        let mut steps = left.map_or(Vec::new(), |p| explainer.evidence.paths[p as usize].steps.clone());
        steps.push(EqStep::Literal(atom.lit));
        match right {
            Some(p) => {
                terms.extend_from_slice(&explainer.evidence.paths[p as usize].terms);
                steps.extend_from_slice(&explainer.evidence.paths[p as usize].steps);
            }
            None => terms.push(self.term(end)),
        }
        explainer.evidence.paths.push(EqPath { terms, steps });
        let mut lits = vec![first];
        lits.extend(conclusion);
        lits.extend(explainer.premises.iter().map(|&l| !l).filter(|l| Some(*l) != conclusion && *l != first));
        TheoryLemma { lits, evidence: Evidence::Euf(Box::new(explainer.evidence)) }
    }
    /// The clause against the equality of two nodes of one class that are different in all models (`x` and `x+1`).
    pub(crate) fn explain_contradiction(&self, a: NodeId, b: NodeId) -> TheoryLemma {
        self.explain_path(a, b, None)
    }
}

fn value_of(values: &[LBool], lit: Lit) -> LBool {
    match values.get(lit.var().index()) {
        None | Some(LBool::Undef) => LBool::Undef,
        Some(&v) => LBool::from((v == LBool::True) == lit.is_positive()),
    }
}

/// Builds the paths of one explanation, sub-paths first.
struct Explainer<'a> {
    euf: &'a Euf,
    evidence: EufEvidence,
    paths: FastMap<(NodeId, NodeId), u32>,
    premises: Vec<Lit>,
    known: FastSet<Lit>,
}

impl<'a> Explainer<'a> {
    fn new(euf: &'a Euf) -> Explainer<'a> {
        Explainer {
            euf,
            evidence: EufEvidence::default(),
            paths: FastMap::default(),
            premises: Vec::new(),
            known: FastSet::default(),
        }
    }
    fn edge(&self, n: NodeId) -> Option<(NodeId, Why)> {
        self.euf.nodes[n.0 as usize].edge
    }
    /// The nodes from `a` to `b` through the proof forest, with the reason of each step.
    fn walk(&self, a: NodeId, b: NodeId) -> (Vec<NodeId>, Vec<Why>) {
        let mut depth_a = 0usize;
        let mut at = a;
        while let Some((next, _)) = self.edge(at) {
            at = next;
            depth_a += 1;
        }
        let mut depth_b = 0usize;
        at = b;
        while let Some((next, _)) = self.edge(at) {
            at = next;
            depth_b += 1;
        }
        let (mut x, mut y) = (a, b);
        let mut left = (vec![a], Vec::new());
        let mut right = (vec![b], Vec::new());
        while x != y {
            let (side, at) = if depth_a >= depth_b { (&mut left, &mut x) } else { (&mut right, &mut y) };
            let Some((next, why)) = self.euf.nodes[at.0 as usize].edge else {
                unreachable!("equal nodes are in one tree")
            };
            side.0.push(next);
            side.1.push(why);
            *at = next;
            if depth_a >= depth_b {
                depth_a -= 1;
            } else {
                depth_b -= 1;
            }
        }
        let (mut nodes, mut whys) = left;
        right.0.pop();
        nodes.extend(right.0.into_iter().rev());
        whys.extend(right.1.into_iter().rev());
        (nodes, whys)
    }
    fn path_if_needed(&mut self, a: NodeId, b: NodeId) -> Option<u32> {
        (a != b).then(|| self.path(a, b))
    }
    /// Adds the path from `a` to `b` and all it needs; returns its index.
    fn path(&mut self, a: NodeId, b: NodeId) -> u32 {
        let mut stack = vec![(a, b)];
        while let Some(&(x, y)) = stack.last() {
            if self.paths.contains_key(&(x, y)) {
                stack.pop();
                continue;
            }
            let (nodes, whys) = self.walk(x, y);
            let before = stack.len();
            for (k, why) in whys.iter().enumerate() {
                if *why == Why::Congruence {
                    let (m, n) = (nodes[k], nodes[k + 1]);
                    for (&p, &q) in self.euf.args(m).iter().zip(self.euf.args(n)) {
                        if p != q && !self.paths.contains_key(&(p, q)) {
                            stack.push((p, q));
                        }
                    }
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut steps = Vec::with_capacity(whys.len());
            for (k, why) in whys.iter().enumerate() {
                steps.push(match *why {
                    Why::Literal(lit) => {
                        if self.known.insert(lit) {
                            self.premises.push(lit);
                        }
                        EqStep::Literal(lit)
                    }
                    Why::Congruence => {
                        let args = self.euf.args(nodes[k]).iter().zip(self.euf.args(nodes[k + 1]));
                        EqStep::Congruence(
                            args.map(|(&p, &q)| if p == q { None } else { Some(self.paths[&(p, q)]) }).collect(),
                        )
                    }
                });
            }
            let terms = nodes.iter().map(|&n| self.euf.term(n)).collect();
            let index = self.evidence.paths.len() as u32;
            self.evidence.paths.push(EqPath { terms, steps });
            self.paths.insert((x, y), index);
        }
        self.paths[&(a, b)]
    }
}
