//! The extensional theory of arrays, by instances of its axioms where a candidate model violates them.
//!
//! The idea is that of weak equivalence (Christ and Hoenicke): congruence classes of arrays are joined by their
//! stores; two classes joined by stores at indices other than `k` hold the same value at `k`. The check works on a
//! candidate model: for each index value `k`, classes joined by stores at other values form a group, and all that is
//! known about position `k` in a group (reads, the value of a store at `k`, constant arrays) must agree. If two facts
//! disagree, the axiom `i = j ∨ store(a,i,v)[j] = a[j]` is instantiated for the stores on one path between them: no
//! other instance is made. Each instance speaks of one store and one index term, so it can be interpolated like any
//! equality clause.
//!
//! False equalities between arrays get the axiom of extensionality with the witness `diff(a,b)`. Two constant arrays
//! in one component must agree at an index that no store on the path touches: of `n+1` numerals one is such for any
//! `n` stores, so instances at these suffice (finite index sorts: at their values).
//!
//! When no fact disagrees, the tables built here are the values of the arrays: the facts of the group at each index,
//! the default of the component elsewhere.

use crate::combination::{Key, View};
use crate::euf::NodeId;
use crate::proof::{ArrayAxiom, Evidence};
use crate::sat::types::{LBool, Lit};
use crate::theory::{FinalCheck, TheoryLemma};
use logic::{FastMap, FastSet, Op, Sort, SortId, TermId, TermPool};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Instance {
    Same(TermId),
    Other(TermId, TermId),
    Const(TermId, TermId),
    Extensional(TermId, TermId),
}

/// What is remembered between checks: the instances that are clauses already, and whether there are arrays at all.
#[derive(Default)]
pub(crate) struct Arrays {
    /// Take `select`, `store`, … as functions without axioms; whoever wants this asserts instances.
    pub is_uninterpreted: bool,
    instances: FastSet<Instance>,
    log: Vec<Instance>,
    n_array_terms: usize,
    scopes: Vec<(usize, usize)>,
}

impl Arrays {
    pub(crate) fn push_scope(&mut self) {
        self.scopes.push((self.log.len(), self.n_array_terms));
    }
    pub(crate) fn pop_scope(&mut self) {
        let Some((n, n_terms)) = self.scopes.pop() else { return };
        for instance in self.log.drain(n..) {
            self.instances.remove(&instance);
        }
        self.n_array_terms = n_terms;
    }
    pub(crate) fn note_term(&mut self, pool: &TermPool, t: TermId) {
        if pool.array_parts(pool.sort(t)).is_some() {
            self.n_array_terms += 1;
        }
    }
    pub(crate) fn has_arrays(&self) -> bool {
        self.n_array_terms > 0
    }
    fn is_new(&mut self, instance: Instance) -> bool {
        if self.instances.insert(instance) {
            self.log.push(instance);
            return true;
        }
        false
    }
}

/// Something known about one position of an array class.
#[derive(Clone, Debug)]
struct Fact {
    class: NodeId,
    /// The node of the index term; `None` for a constant array.
    index: Option<NodeId>,
    value: Key,
    source: Source,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// A select node.
    Read,
    /// A store node: its own value at its own index.
    Store(NodeId),
    Const(NodeId),
}

#[derive(Clone)]
struct Edge {
    to: NodeId,
    store: NodeId,
    index_key: Key,
}

/// The array classes of a candidate model with all that is known about them.
struct Graph {
    /// Classes in order, grouped by component.
    components: Vec<Vec<NodeId>>,
    edges: FastMap<NodeId, Vec<Edge>>,
    /// Facts at an index, by index value; and constant arrays.
    facts: FastMap<NodeId, Vec<(Key, Fact)>>,
    constants: FastMap<NodeId, Vec<Fact>>,
}

/// The content of an array class in a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub entries: BTreeMap<Key, Key>,
    /// The value elsewhere; `None` if anything will do.
    pub default: Option<Key>,
}

impl Graph {
    fn build(view: &View<'_>, values: &[LBool]) -> Graph {
        let euf = &view.theories.euf;
        let mut known: FastMap<NodeId, Key> = FastMap::default();
        let mut key = |n: NodeId| known.entry(euf.root(n)).or_insert_with(|| view.key(values, n)).clone();
        let mut edges: FastMap<NodeId, Vec<Edge>> = FastMap::default();
        let mut facts: FastMap<NodeId, Vec<(Key, Fact)>> = FastMap::default();
        let mut constants: FastMap<NodeId, Vec<Fact>> = FastMap::default();
        let mut classes = Vec::new();
        for n in euf.nodes() {
            if euf.root(n) == n && view.pool.array_parts(euf.sort(n)).is_some() {
                classes.push(n);
            }
            match euf.op(n) {
                Op::Select => {
                    let (array, index) = (euf.args(n)[0], euf.args(n)[1]);
                    let fact = Fact { class: euf.root(array), index: Some(index), value: key(n), source: Source::Read };
                    facts.entry(fact.class).or_default().push((key(index), fact));
                }
                Op::Store => {
                    let (array, index, value) = (euf.args(n)[0], euf.args(n)[1], euf.args(n)[2]);
                    let (from, to) = (euf.root(n), euf.root(array));
                    let index_key = key(index);
                    let fact = Fact { class: from, index: Some(index), value: key(value), source: Source::Store(n) };
                    facts.entry(from).or_default().push((index_key.clone(), fact));
                    edges.entry(from).or_default().push(Edge { to, store: n, index_key: index_key.clone() });
                    edges.entry(to).or_default().push(Edge { to: from, store: n, index_key });
                }
                Op::ConstArray => {
                    let fact =
                        Fact { class: euf.root(n), index: None, value: key(euf.args(n)[0]), source: Source::Const(n) };
                    constants.entry(fact.class).or_default().push(fact);
                }
                _ => {}
            }
        }
        let mut graph = Graph { components: Vec::new(), edges, facts, constants };
        let mut seen: FastSet<NodeId> = FastSet::default();
        for &c in &classes {
            if !seen.contains(&c) {
                let component = graph.reach(c, None);
                seen.extend(component.iter().copied());
                graph.components.push(component);
            }
        }
        graph
    }
    fn edges(&self, class: NodeId) -> &[Edge] {
        self.edges.get(&class).map_or(&[], Vec::as_slice)
    }
    /// The classes reachable by stores at other index values than `avoiding`.
    fn reach(&self, start: NodeId, avoiding: Option<&Key>) -> Vec<NodeId> {
        let mut seen: FastSet<NodeId> = FastSet::default();
        seen.insert(start);
        let mut order = vec![start];
        let mut at = 0;
        while at < order.len() {
            for edge in self.edges(order[at]) {
                if Some(&edge.index_key) != avoiding && seen.insert(edge.to) {
                    order.push(edge.to);
                }
            }
            at += 1;
        }
        order
    }
    /// The stores on a shortest path between two classes, avoiding stores at an index value.
    fn path(&self, from: NodeId, to: NodeId, avoiding: Option<&Key>) -> Vec<NodeId> {
        let mut came: FastMap<NodeId, (NodeId, NodeId)> = FastMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(c) = queue.pop_front() {
            if c == to {
                break;
            }
            for edge in self.edges(c) {
                if Some(&edge.index_key) != avoiding && edge.to != from && !came.contains_key(&edge.to) {
                    came.insert(edge.to, (c, edge.store));
                    queue.push_back(edge.to);
                }
            }
        }
        let mut stores = Vec::new();
        let mut at = to;
        while at != from {
            let Some(&(previous, store)) = came.get(&at) else { break };
            stores.push(store);
            at = previous;
        }
        stores
    }
    /// The index values that anything is known about in a component, in order.
    fn index_keys(&self, component: &[NodeId]) -> Vec<Key> {
        let mut keys: Vec<Key> =
            component.iter().flat_map(|c| self.facts.get(c).into_iter().flatten().map(|(k, _)| k.clone())).collect();
        keys.sort();
        keys.dedup();
        keys
    }
    /// The groups of a component at an index value, with the facts of each.
    fn groups<'g>(&'g self, component: &[NodeId], key: &Key) -> Vec<(Vec<NodeId>, Vec<&'g Fact>)> {
        let mut seen: FastSet<NodeId> = FastSet::default();
        let mut groups = Vec::new();
        for &c in component {
            if seen.contains(&c) {
                continue;
            }
            let group = self.reach(c, Some(key));
            let mut facts = Vec::new();
            for d in &group {
                seen.insert(*d);
                facts.extend(self.facts.get(d).into_iter().flatten().filter(|(k, _)| k == key).map(|(_, f)| f));
            }
            for d in &group {
                facts.extend(self.constants.get(d).into_iter().flatten());
            }
            groups.push((group, facts));
        }
        groups
    }
}

impl View<'_> {
    /// Lemmas that the candidate model violates, or an equality to try.
    pub(crate) fn check_arrays(&mut self, values: &[LBool]) -> Option<FinalCheck> {
        if self.theories.arrays.n_array_terms == 0 {
            return None;
        }
        let mut lemmas = Vec::new();
        self.extensionality(values, &mut lemmas);
        let graph = Graph::build(self, values);
        let mut proposal = None;
        for component in &graph.components {
            for key in graph.index_keys(component) {
                for (_, facts) in graph.groups(component, &key) {
                    let Some((first, rest)) = facts.split_first() else { continue };
                    for &fact in rest {
                        // Constant arrays among themselves are compared below.
                        let comparable = first.index.is_some() || fact.index.is_some();
                        if fact.value != first.value && comparable {
                            let before = lemmas.len();
                            self.explain_clash(&graph, &key, first, fact, &mut lemmas);
                            if lemmas.len() == before && proposal.is_none() {
                                proposal = match (first.index, fact.index) {
                                    (Some(i), Some(j)) if !self.theories.euf.same(i, j) => Some((i, j)),
                                    _ => None,
                                };
                                if proposal.is_none() {
                                    return Some(FinalCheck::GiveUp("array reads disagree".to_string()));
                                }
                            }
                            break;
                        }
                    }
                }
            }
            proposal = self.constant_arrays(&graph, component, &mut lemmas).or(proposal);
        }
        if !lemmas.is_empty() {
            return Some(FinalCheck::Lemmas(lemmas));
        }
        let (i, j) = proposal?;
        if self.is_false_equality(values, i, j) {
            return Some(FinalCheck::GiveUp("constant arrays over an uninterpreted index sort".to_string()));
        }
        Some(self.propose_equality(values, i, j))
    }

    /// The reads below stores that patterns of quantifiers may want: what is read from an array that is a store
    /// elsewhere is what the array before has. Models do without most of these instances, matching does not.
    pub(crate) fn reads_below_stores(&mut self) -> Vec<TheoryLemma> {
        let mut lemmas = Vec::new();
        if self.theories.arrays.is_uninterpreted || self.theories.arrays.n_array_terms == 0 {
            return lemmas;
        }
        let euf = &self.theories.euf;
        let mut stores: FastMap<NodeId, Vec<TermId>> = FastMap::default();
        let mut reads = Vec::new();
        for n in euf.nodes() {
            match euf.op(n) {
                Op::Store => stores.entry(euf.root(n)).or_default().push(euf.term(n)),
                Op::Select => reads.push((euf.root(euf.args(n)[0]), euf.term(euf.args(n)[1]))),
                _ => {}
            }
        }
        for (array, index) in reads {
            for &store in stores.get(&array).into_iter().flatten() {
                self.read_over_other(store, index, &mut lemmas);
            }
        }
        lemmas
    }

    /// A clause of terms as a lemma, unless it is trivially true.
    fn array_lemma(&mut self, clause: &[TermId], axiom: ArrayAxiom, lemmas: &mut Vec<TheoryLemma>) {
        let mut lits: Vec<Lit> = Vec::new();
        for &t in clause {
            match self.pool.op(t) {
                Op::True => return,
                Op::False => {}
                Op::Not => {
                    let inner = self.pool.arg(t, 0);
                    lits.push(!self.atoms.lit(inner));
                }
                _ => lits.push(self.atoms.lit(t)),
            }
        }
        lemmas.push(TheoryLemma { lits, evidence: Evidence::Array(axiom) });
    }
    /// An equality between elements as a literal-like term: Boolean elements give a Boolean equality.
    fn read_over_other(&mut self, store: TermId, index: TermId, lemmas: &mut Vec<TheoryLemma>) {
        if !self.theories.arrays.is_new(Instance::Other(store, index)) {
            return;
        }
        let (array, i) = (self.pool.arg(store, 0), self.pool.arg(store, 1));
        let same_index = self.pool.eq(i, index);
        let left = self.pool.select_plain(store, index);
        let right = self.pool.select_plain(array, index);
        let same_value = self.pool.eq(left, right);
        self.array_lemma(&[same_index, same_value], ArrayAxiom::ReadOverWriteOther { store, index }, lemmas);
    }
    fn read_over_same(&mut self, store: TermId, lemmas: &mut Vec<TheoryLemma>) {
        if !self.theories.arrays.is_new(Instance::Same(store)) {
            return;
        }
        let (index, value) = (self.pool.arg(store, 1), self.pool.arg(store, 2));
        let read = self.pool.select_plain(store, index);
        let equal = self.pool.eq(read, value);
        self.array_lemma(&[equal], ArrayAxiom::ReadOverWriteSame { store }, lemmas);
    }
    fn read_over_const(&mut self, array: TermId, index: TermId, lemmas: &mut Vec<TheoryLemma>) {
        if !self.theories.arrays.is_new(Instance::Const(array, index)) {
            return;
        }
        let value = self.pool.arg(array, 0);
        let read = self.pool.select_plain(array, index);
        let equal = self.pool.eq(read, value);
        self.array_lemma(&[equal], ArrayAxiom::ReadConst { array, index }, lemmas);
    }
    /// Instances that make the two facts clash inside the congruence closure.
    ///
    /// The facts may be about different terms for the index. The one with fewer instances still to be made is taken,
    /// then the one of a read: reads come back at other values of their index, and find the instances made.
    fn explain_clash(&mut self, graph: &Graph, key: &Key, a: &Fact, b: &Fact, lemmas: &mut Vec<TheoryLemma>) {
        let stores: Vec<TermId> =
            graph.path(a.class, b.class, Some(key)).into_iter().map(|store| self.theories.euf.term(store)).collect();
        let candidates = [a, b].into_iter().filter_map(|fact| Some((self.theories.euf.term(fact.index?), fact.source)));
        let chosen = candidates.min_by_key(|&(index, source)| {
            let known = &self.theories.arrays.instances;
            let n_missing = stores.iter().filter(|&&store| !known.contains(&Instance::Other(store, index))).count();
            (n_missing, !matches!(source, Source::Read))
        });
        let Some((index, _)) = chosen else { return };
        for &store in &stores {
            self.read_over_other(store, index, lemmas);
        }
        for fact in [a, b] {
            match fact.source {
                Source::Read => {}
                Source::Store(n) => {
                    let store = self.theories.euf.term(n);
                    self.read_over_same(store, lemmas);
                }
                Source::Const(n) => {
                    let array = self.theories.euf.term(n);
                    self.read_over_const(array, index, lemmas);
                }
            }
        }
    }
    /// Constant arrays of one component, compared at an index that no store between them touches. If there is no
    /// such index term (uninterpreted index sorts), the equality of their elements is to be tried.
    fn constant_arrays(
        &mut self,
        graph: &Graph,
        component: &[NodeId],
        lemmas: &mut Vec<TheoryLemma>,
    ) -> Option<(NodeId, NodeId)> {
        let constants: Vec<Fact> =
            component.iter().flat_map(|c| graph.constants.get(c).into_iter().flatten().cloned()).collect();
        let (first, rest) = constants.split_first()?;
        let Source::Const(first_node) = first.source else { return None };
        for fact in rest {
            let Source::Const(node) = fact.source else { continue };
            if fact.value == first.value {
                continue;
            }
            let path = graph.path(first.class, fact.class, None);
            let (left, right) = (self.theories.euf.term(first_node), self.theories.euf.term(node));
            let (index_sort, _) = self.pool.array_parts(self.pool.sort(left))?;
            let touched: Vec<Key> = path
                .iter()
                .flat_map(|&store| graph.edges(self.theories.euf.root(store)).iter().filter(move |e| e.store == store))
                .map(|edge| edge.index_key.clone())
                .collect();
            let is_finite = self.pool.cardinality(index_sort).is_some();
            let index = match self.untouched_index(index_sort, &touched) {
                Some(index) => index,
                // All indices are touched: nothing follows.
                None if is_finite => continue,
                None => {
                    if self.compare_constants_at_terms(graph, (first, left), (fact, right), lemmas) {
                        continue;
                    }
                    self.pool.array_diff(left, right)
                }
            };
            let before = lemmas.len();
            for &store in &path {
                let store = self.theories.euf.term(store);
                self.read_over_other(store, index, lemmas);
            }
            for array in [left, right] {
                self.read_over_const(array, index, lemmas);
            }
            if lemmas.len() == before {
                return Some((self.theories.euf.args(first_node)[0], self.theories.euf.args(node)[0]));
            }
        }
        None
    }
    /// Two constant arrays in a component, over an uninterpreted index sort: compared at each term of that sort that
    /// no store on some path touches. Without any such term a domain of no other elements would do.
    fn compare_constants_at_terms(
        &mut self,
        graph: &Graph,
        (first, left): (&Fact, TermId),
        (second, right): (&Fact, TermId),
        lemmas: &mut Vec<TheoryLemma>,
    ) -> bool {
        let Some((index_sort, _)) = self.pool.array_parts(self.pool.sort(left)) else { return false };
        let euf = &self.theories.euf;
        let elements: Vec<NodeId> = euf.nodes().filter(|&n| euf.sort(n) == index_sort && euf.root(n) == n).collect();
        for element in elements {
            let key = Key::Class(element);
            if !graph.reach(first.class, Some(&key)).contains(&second.class) {
                continue;
            }
            let before = lemmas.len();
            let index = self.theories.euf.term(element);
            for store in graph.path(first.class, second.class, Some(&key)) {
                let store = self.theories.euf.term(store);
                self.read_over_other(store, index, lemmas);
            }
            for array in [left, right] {
                self.read_over_const(array, index, lemmas);
            }
            if lemmas.len() > before {
                return true;
            }
        }
        false
    }
    /// The first of the sort's values (numerals 0, 1, …) that is none of the keys.
    fn untouched_index(&mut self, sort: SortId, touched: &[Key]) -> Option<TermId> {
        let n = touched.len() as i64;
        let candidates: Vec<TermId> = match self.pool.sort_data(sort) {
            Sort::Bool => vec![TermId::FALSE, TermId::TRUE],
            Sort::Int => (0..=n).map(|k| self.pool.int(k)).collect(),
            Sort::Real => (0..=n).map(|k| self.pool.real_num(k.into())).collect(),
            &Sort::BitVec(w) => {
                let last = if w < 32 { n.min((1 << w) - 1) } else { n };
                (0..=last).map(|k| self.pool.bv_num(k.into(), w)).collect()
            }
            Sort::Array(..) | Sort::Uninterpreted(_) => return None,
        };
        candidates.into_iter().find(|&t| self.pool.value(t).is_some_and(|v| !touched.contains(&Key::Value(v))))
    }
    /// Every false equality between arrays has a witness.
    fn extensionality(&mut self, values: &[LBool], lemmas: &mut Vec<TheoryLemma>) {
        for k in 0..self.atoms.active_vars().len() {
            let var = self.atoms.active_vars()[k];
            if values.get(var.index()) != Some(&LBool::False) {
                continue;
            }
            let atom = self.atoms.term(var);
            if self.pool.op(atom) != Op::Eq {
                continue;
            }
            let (a, b) = (self.pool.arg(atom, 0), self.pool.arg(atom, 1));
            if self.pool.array_parts(self.pool.sort(a)).is_none()
                || !self.theories.arrays.is_new(Instance::Extensional(a, b))
            {
                continue;
            }
            let index = self.pool.array_diff(a, b);
            let (left, right) = (self.pool.select_plain(a, index), self.pool.select_plain(b, index));
            let equal = self.pool.eq(left, right);
            let different = self.pool.not(equal);
            self.array_lemma(&[atom, different], ArrayAxiom::Extensionality { left: a, right: b, index }, lemmas);
        }
    }

    /// Where quantified formulas must hold at every index, the commonest known element is a good guess for the others.
    fn guessed_default(&self, graph: &Graph, component: &[NodeId]) -> Option<Key> {
        if self.theories.quantifiers.active().is_empty() {
            return None;
        }
        let mut counts: BTreeMap<&Key, usize> = BTreeMap::new();
        for (_, fact) in component.iter().flat_map(|c| graph.facts.get(c).into_iter().flatten()) {
            *counts.entry(&fact.value).or_insert(0) += 1;
        }
        counts.into_iter().max_by_key(|(_, n)| *n).map(|(key, _)| key.clone())
    }

    /// The contents of all array classes, after a check that found nothing to complain about.
    pub(crate) fn array_tables(&self, values: &[LBool]) -> FastMap<NodeId, Table> {
        let mut tables: FastMap<NodeId, Table> = FastMap::default();
        if self.theories.arrays.n_array_terms == 0 {
            return tables;
        }
        let graph = Graph::build(self, values);
        for component in &graph.components {
            let default = component
                .iter()
                .flat_map(|c| graph.constants.get(c).into_iter().flatten())
                .map(|f| f.value.clone())
                .next()
                .or_else(|| self.guessed_default(&graph, component));
            for &c in component {
                tables.insert(c, Table { entries: BTreeMap::new(), default: default.clone() });
            }
            for key in graph.index_keys(component) {
                for (group, facts) in graph.groups(component, &key) {
                    if let Some(fact) = facts.first() {
                        for c in group {
                            if let Some(table) = tables.get_mut(&c) {
                                table.entries.insert(key.clone(), fact.value.clone());
                            }
                        }
                    }
                }
            }
        }
        tables
    }
}
