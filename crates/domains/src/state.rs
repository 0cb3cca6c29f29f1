//! The reduced product: values of terms, copies, cells of maps, and octagons over packs of variables.
//!
//! * `values` knows single terms: variables, and *cells* `a[i]` of a map variable at an index that is a small term over
//!   variables.
//! * `copies` knows `x = y + c`: temporaries are copies of the variables that matter. The right side never has a copy
//!   itself, and terms are rewritten to right sides before they are looked at (Miné: Symbolic Methods to Enhance the
//!   Precision of Numerical Abstract Domains, VMCAI 2006). When `y` changes, one of its copies takes its place, also in
//!   the indices of cells.
//! * A write `a[i] := v` keeps the cells whose index is known to differ from `i`, and weakens the others.
//! * Each variable is in at most one pack.
//!
//! All parts are maps that share what they have in common, so a step costs what it changes and a join what differs.

use crate::octagon::{Form, Octagon};
use crate::value::{Truth, Value};
use crate::{Domain, Thresholds};
use base::SharedMap;
use logic::{FastMap, Linear, Op, Rational, SortId, TermId, TermPool};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The most cells that are known of one map.
const MAX_CELLS: usize = 24;
/// The most variables of an octagon.
pub(crate) const MAX_PACK: usize = 10;
/// So many parts of terms are looked at in one step.
const MAX_WORK: u32 = 4000;
/// Indices of cells are not larger than this.
const MAX_INDEX: usize = 8;

/// Which variables share an octagon.
#[derive(Debug, Default)]
pub struct Vocabulary {
    place: FastMap<TermId, (u32, usize)>,
    packs: Vec<Vec<TermId>>,
}

impl Vocabulary {
    /// Pairs of integer variables that the program relates, those that matter most first: they share a pack as long as
    /// there is room.
    pub fn new(pool: &TermPool, related: impl IntoIterator<Item = (TermId, TermId)>) -> Vocabulary {
        let mut packs: Vec<Vec<TermId>> = Vec::new();
        let mut of: FastMap<TermId, usize> = FastMap::default();
        for (a, b) in related {
            if a == b || pool.sort(a) != SortId::INT || pool.sort(b) != SortId::INT {
                continue;
            }
            let mut pack = |v: TermId| {
                *of.entry(v).or_insert_with(|| {
                    packs.push(vec![v]);
                    packs.len() - 1
                })
            };
            let (i, k) = (pack(a), pack(b));
            if i != k && packs[i].len() + packs[k].len() <= MAX_PACK {
                let moved = std::mem::take(&mut packs[k]);
                for &v in &moved {
                    of.insert(v, i);
                }
                packs[i].extend(moved);
            }
        }
        packs.retain(|p| p.len() > 1);
        let places = packs
            .iter()
            .enumerate()
            .flat_map(|(p, vars)| vars.iter().enumerate().map(move |(i, &v)| (v, (p as u32, i))));
        Vocabulary { place: places.collect(), packs }
    }
    pub fn place(&self, variable: TermId) -> Option<(u32, usize)> {
        self.place.get(&variable).copied()
    }
    pub fn pack(&self, pack: u32) -> &[TermId] {
        &self.packs[pack as usize]
    }
}

#[derive(Clone, Debug)]
pub struct State {
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) is_bottom: bool,
    pub(crate) values: SharedMap<TermId, Value>,
    pub(crate) copies: SharedMap<TermId, (TermId, Rational)>,
    /// Cells that are known to be a small term: `size[p] = 4·n`. Terms are rewritten to it, too.
    pub(crate) definitions: SharedMap<TermId, TermId>,
    /// For a variable: the variables that are copies of it, and the cells that mention it or are defined by it.
    pub(crate) dependents: SharedMap<TermId, Arc<Vec<TermId>>>,
    pub(crate) packs: SharedMap<u32, Arc<Octagon>>,
    /// Packs whose octagons do not know yet what was found out about their variables.
    pub(crate) touched: Vec<u32>,
    /// Are all octagons closed?
    is_closed: bool,
    /// In how many conditions of a term this state is looked at.
    pub(crate) n_splits: u8,
    work: Work,
}

/// How many parts of terms may still be looked at in the present step; shared by all copies of a state. Terms can be
/// circuits of floating-point operations with thousands of parts, and to look at a condition in each of its branches
/// would take as long as there are paths.
#[derive(Clone, Debug)]
struct Work(Arc<AtomicU32>);

impl Work {
    fn new() -> Work {
        Work(Arc::new(AtomicU32::new(MAX_WORK)))
    }
    fn refill(&self) {
        self.0.store(MAX_WORK, Ordering::Relaxed);
    }
    fn spend(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }
}

impl State {
    /// All states.
    pub fn all(vocabulary: Arc<Vocabulary>) -> State {
        State {
            vocabulary,
            is_bottom: false,
            values: SharedMap::new(),
            copies: SharedMap::new(),
            definitions: SharedMap::new(),
            dependents: SharedMap::new(),
            packs: SharedMap::new(),
            touched: Vec::new(),
            is_closed: true,
            n_splits: 0,
            work: Work::new(),
        }
    }
    /// Looks at one more part of a term, unless that were too many in one step: then nothing is said about it.
    pub(crate) fn may_look(&self) -> bool {
        self.work.spend()
    }
    /// No state.
    pub fn none(vocabulary: Arc<Vocabulary>) -> State {
        State { is_bottom: true, ..State::all(vocabulary) }
    }
    pub(crate) fn fail(&mut self) {
        *self = State { work: self.work.clone(), ..State::none(self.vocabulary.clone()) };
    }
    pub(crate) fn octagon(&self, pack: u32) -> Option<&Arc<Octagon>> {
        self.packs.get(&pack)
    }
    /// Does a concrete state belong to this one, as far as it is told?
    pub fn contains(&self, pool: &TermPool, model: &logic::Model) -> bool {
        if self.is_bottom {
            return false;
        }
        let value = |t: TermId| model.eval(pool, t).ok();
        let has_values = self.values.iter().all(|(t, known)| value(*t).is_none_or(|v| known.contains(&v)));
        let has_copies = self.copies.iter().all(|(x, (y, c))| match (value(*x), value(*y)) {
            (Some(logic::Value::Num(x)), Some(logic::Value::Num(y))) => x == &y + c,
            _ => true,
        });
        let has_definitions = self.definitions.iter().all(|(cell, term)| match (value(*cell), value(*term)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        });
        let has_relations = self.packs.iter().all(|(pack, octagon)| {
            let point: Option<Vec<i128>> =
                self.vocabulary.pack(*pack).iter().map(|v| value(*v)?.as_num()?.to_i64().map(i128::from)).collect();
            point.is_none_or(|p| octagon.contains(&p))
        });
        has_values && has_copies && has_definitions && has_relations
    }

    pub(crate) fn depend(&mut self, on: TermId, dependent: TermId) {
        let list = self.dependents.get(&on).cloned().unwrap_or_default();
        if !list.contains(&dependent) {
            let mut longer = (*list).clone();
            longer.push(dependent);
            self.dependents.insert(on, Arc::new(longer));
        }
    }
    fn no_longer_depend(&mut self, on: TermId, dependent: TermId) {
        if let Some(list) = self.dependents.get(&on) {
            let rest: Vec<TermId> = list.iter().copied().filter(|t| *t != dependent).collect();
            if rest.is_empty() {
                self.dependents.remove(&on);
            } else {
                self.dependents.insert(on, Arc::new(rest));
            }
        }
    }
    /// What all elements of a map have in common is not kept: it could not be said without a quantifier.
    pub(crate) fn set_value(&mut self, term: TermId, value: Value) {
        if value.is_all() || matches!(value, Value::Map(_)) {
            self.values.remove(&term);
        } else {
            self.values.insert(term, value);
        }
    }

    /// May this select be a key: is it a cell of a map variable at a small index?
    pub(crate) fn is_cell(pool: &TermPool, term: TermId) -> bool {
        if pool.op(term) != Op::Select || pool.as_symbol(pool.arg(term, 0)).is_none() || pool.has_quantifier(term) {
            return false;
        }
        let index = pool.arg(term, 1);
        let read = pool.free_constants(index);
        let is_scalar = |v: &TermId| pool.array_parts(pool.sort(*v)).is_none();
        pool.dag_size(index) <= MAX_INDEX && read.len() <= 2 && read.iter().all(is_scalar)
    }
    /// The variables that a cell depends on.
    fn mentioned(pool: &TermPool, cell: TermId) -> Vec<TermId> {
        pool.free_constants(cell)
    }
    pub(crate) fn set_cell(&mut self, pool: &TermPool, cell: TermId, value: Value) {
        if value.is_all() {
            return self.drop_cell(pool, cell);
        }
        let map = pool.arg(cell, 0);
        if !self.values.contains_key(&cell) {
            let cells = self.cells_of(map);
            if cells.len() >= MAX_CELLS {
                self.drop_cell(pool, cells[0]);
            }
            for v in State::mentioned(pool, cell) {
                self.depend(v, cell);
            }
        }
        self.values.insert(cell, value);
    }
    fn drop_cell(&mut self, pool: &TermPool, cell: TermId) {
        self.undefine(pool, cell);
        if self.values.remove(&cell).is_some() {
            for v in State::mentioned(pool, cell) {
                self.no_longer_depend(v, cell);
            }
        }
    }
    /// The cell is this term, if that is small enough to be worth knowing. The cell is a known one.
    fn define(&mut self, pool: &TermPool, cell: TermId, term: TermId) {
        let read = pool.free_constants(term);
        let is_scalar = |v: &TermId| pool.sort(*v) == SortId::INT;
        let is_small = pool.sort(term) == SortId::INT && !pool.is_value(term) && pool.dag_size(term) <= MAX_INDEX;
        if is_small && read.len() <= 3 && read.iter().all(is_scalar) && self.values.contains_key(&cell) {
            self.definitions.insert(cell, term);
            for v in read {
                self.depend(v, cell);
            }
        }
    }
    fn undefine(&mut self, pool: &TermPool, cell: TermId) {
        if let Some(term) = self.definitions.remove(&cell) {
            let own = State::mentioned(pool, cell);
            for v in pool.free_constants(term) {
                if !own.contains(&v) {
                    self.no_longer_depend(v, cell);
                }
            }
        }
    }
    /// The known cells of a map variable.
    pub(crate) fn cells_of(&self, map: TermId) -> Vec<TermId> {
        match self.dependents.get(&map) {
            Some(list) => list
                .iter()
                .copied()
                .filter(|t| *t != map && self.values.contains_key(t) && !self.copies.contains_key(t))
                .collect(),
            None => Vec::new(),
        }
    }

    /// The term with copies replaced by what they are copies of, and conditions decided that are known.
    fn canonical(&self, pool: &mut TermPool, term: TermId) -> TermId {
        self.canonical_within(pool, term, &mut FastMap::default(), 0)
    }
    fn canonical_within(
        &self,
        pool: &mut TermPool,
        term: TermId,
        memo: &mut FastMap<TermId, TermId>,
        depth: usize,
    ) -> TermId {
        if pool.is_value(term) || depth > 200 || matches!(pool.op(term), Op::Forall(_) | Op::Exists(_)) {
            return term;
        }
        if pool.as_symbol(term).is_some() {
            return match self.copies.get(&term) {
                Some((of, offset)) => {
                    let sort = pool.sort(term);
                    let offset = pool.num(offset.clone(), sort);
                    pool.add(&[*of, offset])
                }
                None => term,
            };
        }
        if let Some(&known) = memo.get(&term) {
            return known;
        }
        let args = pool.args(term).to_vec();
        let result = if pool.op(term) == Op::Ite {
            let condition = self.canonical_within(pool, args[0], memo, depth + 1);
            let truth = self.evaluate(pool, condition).truth();
            let mut part = |pool: &mut TermPool, t| self.canonical_within(pool, t, memo, depth + 1);
            if truth.is_true() {
                part(pool, args[1])
            } else if truth.is_false() {
                part(pool, args[2])
            } else {
                let (a, b) = (part(pool, args[1]), part(pool, args[2]));
                pool.ite(condition, a, b)
            }
        } else {
            let new: Vec<TermId> = args.iter().map(|&a| self.canonical_within(pool, a, memo, depth + 1)).collect();
            let rebuilt = if new == args { term } else { pool.rebuild(term, &new) };
            self.definitions.get(&rebuilt).copied().unwrap_or(rebuilt)
        };
        memo.insert(term, result);
        result
    }

    /// Forgets variables that nobody reads any more, but for those whose octagon is all that is known about a copy.
    pub fn release(&mut self, pool: &mut TermPool, variables: &[TermId]) {
        for &v in variables {
            let has_copy = self.dependents.get(&v).is_some_and(|list| list.iter().any(|t| self.copies.contains_key(t)));
            let is_placed = has_copy && self.vocabulary.place(v).is_some();
            if !self.is_bottom && !is_placed {
                self.kill(pool, v);
            }
        }
    }

    /// Nothing is known about a variable any more. A copy of it takes its place.
    fn kill(&mut self, pool: &mut TermPool, variable: TermId) {
        if let Some((of, _)) = self.copies.remove(&variable) {
            self.no_longer_depend(of, variable);
        }
        if let Some(dependents) = self.dependents.remove(&variable) {
            let heir = dependents.iter().copied().find(|t| self.copies.get(t).is_some_and(|c| c.0 == variable));
            let heir = heir.and_then(|t| Some((t, self.copies.get(&t)?.1.clone())));
            for &dependent in dependents.iter() {
                if let Some((of, offset)) = self.copies.get(&dependent).cloned() {
                    if of != variable {
                        continue;
                    }
                    self.copies.remove(&dependent);
                    if let Some((heir, by)) = &heir
                        && dependent != *heir
                    {
                        self.copies.insert(dependent, (*heir, &offset - by));
                        self.depend(*heir, dependent);
                    }
                } else if let Some(value) = self.values.get(&dependent).cloned() {
                    let definition = self.definitions.get(&dependent).copied();
                    let is_mentioned = State::mentioned(pool, dependent).contains(&variable);
                    if is_mentioned {
                        self.drop_cell(pool, dependent);
                    } else {
                        self.undefine(pool, dependent);
                    }
                    // Of a map itself nothing is left.
                    if let Some((heir, by)) = &heir
                        && pool.arg(dependent, 0) != variable
                    {
                        let sort = pool.sort(*heir);
                        let by = pool.num(by.clone(), sort);
                        let instead = pool.sub(*heir, by);
                        self.rename_cell(pool, dependent, value, definition, (variable, instead));
                    }
                }
            }
        }
        self.values.remove(&variable);
        if let Some((pack, index)) = self.vocabulary.place(variable)
            && let Some(octagon) = self.packs.get(&pack)
        {
            let mut octagon = (**octagon).clone();
            if !octagon.close() {
                return self.fail();
            }
            octagon.forget(index);
            self.set_octagon(pack, octagon);
        }
    }
    /// Knows a cell by another name: the variable is now that term.
    fn rename_cell(
        &mut self,
        pool: &mut TermPool,
        cell: TermId,
        value: Value,
        definition: Option<TermId>,
        renaming: (TermId, TermId),
    ) {
        let renamed = pool.substitute(cell, &[renaming]);
        if State::is_cell(pool, renamed) {
            self.set_cell(pool, renamed, value);
            if let Some(definition) = definition {
                let definition = pool.substitute(definition, &[renaming]);
                self.define(pool, renamed, definition);
            }
        }
    }
    pub(crate) fn set_octagon(&mut self, pack: u32, octagon: Octagon) {
        if octagon.is_all() {
            self.packs.remove(&pack);
        } else {
            self.packs.insert(pack, Arc::new(octagon));
        }
    }

    /// `variable := term`, with the value of the term.
    fn assign_one(&mut self, pool: &mut TermPool, variable: TermId, term: TermId, value: Value) {
        if term == variable {
            return;
        }
        let sort = pool.sort(variable);
        if matches!(value, Value::Map(_)) {
            return self.assign_map(pool, variable, term, value);
        }
        if sort != SortId::INT {
            self.kill(pool, variable);
            self.set_value(variable, value);
            return;
        }
        let linear = pool.linear(term);
        match &linear.terms[..] {
            [(of, factor)] if factor.is_one() && *of == variable => {
                self.shift(pool, variable, &linear.constant);
                self.set_value(variable, value);
            }
            [(of, factor)] if factor.is_one() && pool.as_symbol(*of).is_some() => {
                let bounds = self.relations_of(pool, variable, &linear);
                self.kill(pool, variable);
                self.set_value(variable, value);
                self.copies.insert(variable, (*of, linear.constant.clone()));
                self.depend(*of, variable);
                self.add_relations(bounds);
            }
            _ => {
                let bounds = self.relations_of(pool, variable, &linear);
                self.kill(pool, variable);
                self.set_value(variable, value);
                self.add_relations(bounds);
            }
        }
    }

    /// `x := x + c`: everything that is known stays known.
    fn shift(&mut self, pool: &mut TermPool, variable: TermId, by: &Rational) {
        if let Some((of, offset)) = self.copies.get(&variable).cloned() {
            self.copies.insert(variable, (of, &offset + by));
        }
        let dependents = self.dependents.get(&variable).cloned().unwrap_or_default();
        let mut renamed: Vec<(TermId, Value, Option<TermId>)> = Vec::new();
        for &dependent in dependents.iter() {
            if let Some((of, offset)) = self.copies.get(&dependent).cloned() {
                if of == variable {
                    self.copies.insert(dependent, (of, &offset - by));
                }
            } else if let Some(value) = self.values.get(&dependent).cloned() {
                renamed.push((dependent, value, self.definitions.get(&dependent).copied()));
            }
        }
        let sort = pool.sort(variable);
        let offset = pool.num(by.clone(), sort);
        let before = pool.sub(variable, offset);
        for (cell, ..) in &renamed {
            self.drop_cell(pool, *cell);
        }
        for (cell, value, definition) in renamed {
            self.rename_cell(pool, cell, value, definition, (variable, before));
        }
        if let Some((pack, index)) = self.vocabulary.place(variable)
            && let Some(octagon) = self.packs.get(&pack)
        {
            let mut octagon = (**octagon).clone();
            octagon.shift(index, by);
            self.set_octagon(pack, octagon);
        }
    }

    /// Bounds on the differences and sums of a term with members of the variable's pack that it mentions.
    fn relations_of(&self, pool: &TermPool, variable: TermId, linear: &Linear) -> Vec<(u32, Form, Form, Rational)> {
        let mut bounds = Vec::new();
        let Some((pack, own)) = self.vocabulary.place(variable) else { return bounds };
        for (term, factor) in &linear.terms {
            let Some((p, other)) = self.vocabulary.place(*term) else { continue };
            if p != pack || *term == variable || !(factor.is_one() || factor.is_minus_one()) {
                continue;
            }
            // variable ∓ term = the rest of the linear combination
            let mut rest = linear.clone();
            rest.add_term(*term, &-factor.clone());
            let rest = self.linear_value(pool, &rest, true).interval;
            let of = Form { variable: other, negative: factor.is_minus_one() };
            if let Some(hi) = rest.hi {
                bounds.push((pack, Form::plus(own), of, hi));
            }
            if let Some(lo) = rest.lo {
                bounds.push((pack, of, Form::plus(own), -lo));
            }
        }
        let range = self.linear_value(pool, linear, true).interval;
        let two = Rational::from(2i64);
        if let Some(hi) = range.hi {
            bounds.push((pack, Form::plus(own), Form::minus(own), &hi * &two));
        }
        if let Some(lo) = range.lo {
            bounds.push((pack, Form::minus(own), Form::plus(own), -(&lo * &two)));
        }
        bounds
    }
    fn add_relations(&mut self, bounds: Vec<(u32, Form, Form, Rational)>) {
        let Some(&(pack, ..)) = bounds.first() else { return };
        let n = self.vocabulary.pack(pack).len();
        let mut octagon = self.packs.get(&pack).map_or_else(|| Octagon::all(n), |o| (**o).clone());
        for (_, a, b, bound) in bounds {
            octagon.add(a, b, &bound);
        }
        if !octagon.close() {
            return self.fail();
        }
        self.set_octagon(pack, octagon);
    }

    /// `map := term`, for a chain of writes to a map variable.
    fn assign_map(&mut self, pool: &mut TermPool, variable: TermId, term: TermId, value: Value) {
        let mut writes = Vec::new();
        let mut of = term;
        while pool.op(of) == Op::Store {
            writes.push((pool.arg(of, 1), pool.arg(of, 2)));
            of = pool.arg(of, 0);
        }
        if of != variable {
            let cells: Vec<(TermId, Value)> = self
                .cells_of(of)
                .into_iter()
                .filter(|c| !pool.free_constants(pool.arg(*c, 1)).contains(&variable))
                .filter_map(|c| Some((c, self.values.get(&c)?.clone())))
                .collect();
            let before = self.clone();
            self.kill(pool, variable);
            if pool.as_symbol(of).is_some() {
                for (cell, value) in cells {
                    let index = pool.arg(cell, 1);
                    let own = pool.select_plain(variable, index);
                    if State::is_cell(pool, own) {
                        self.set_cell(pool, own, value);
                    }
                }
            }
            // Indices and values are those before.
            let known = writes.iter().map(|(i, v)| (*i, *v, before.evaluate(pool, *v))).collect();
            self.write_all(pool, variable, known);
            self.set_value(variable, value);
            return;
        }
        let known = writes.iter().map(|(i, v)| (*i, *v, self.evaluate(pool, *v))).collect();
        self.write_all(pool, variable, known);
        self.set_value(variable, value);
    }
    /// Writes to a map variable, the last one first.
    fn write_all(&mut self, pool: &mut TermPool, map: TermId, writes: Vec<(TermId, TermId, Value)>) {
        for (index, term, written) in writes.into_iter().rev() {
            // If the index reads the map that changes, which cell is meant cannot be said afterwards.
            let is_lost = pool.free_constants(index).contains(&map);
            for cell in self.cells_of(map) {
                let same = if is_lost { Truth::ANY } else { self.same(pool, pool.arg(cell, 1), index) };
                if same.is_false() {
                    continue;
                }
                self.undefine(pool, cell);
                if same.is_true() {
                    self.set_cell(pool, cell, written.clone());
                } else if let Some(joined) = self.values.get(&cell).map(|old| old.join(&written)) {
                    self.set_cell(pool, cell, joined);
                }
            }
            let cell = pool.select_plain(map, index);
            if !is_lost && State::is_cell(pool, cell) {
                self.undefine(pool, cell);
                self.set_cell(pool, cell, written);
                self.define(pool, cell, term);
            }
        }
    }
    /// Are two terms equal?
    pub(crate) fn same(&self, pool: &TermPool, a: TermId, b: TermId) -> Truth {
        if a == b {
            return Truth::known(true);
        }
        if pool.sort(a) == SortId::INT {
            let mut difference = pool.linear(a);
            difference.add_scaled(&pool.linear(b), &Rational::MINUS_ONE);
            let value = self.linear_value(pool, &difference, true);
            return match value.single() {
                Some(x) => Truth::known(x.is_zero()),
                None => Truth { may_be_true: value.contains(&Rational::zero()), may_be_false: true },
            };
        }
        match self.evaluate(pool, a).meet(&self.evaluate(pool, b)) {
            None => Truth::known(false),
            Some(_) => Truth::ANY,
        }
    }
}

impl Domain for State {
    fn is_bottom(&self) -> bool {
        self.is_bottom
    }

    fn join(&self, pool: &TermPool, other: &State) -> State {
        self.merged(pool, other, true, &|a, b| a.join(b), &|a, b| a.join(b))
    }

    fn widen(&self, pool: &TermPool, next: &State, thresholds: &Thresholds) -> State {
        // A cell that is new would be followed by another new one, for ever.
        self.merged(pool, next, false, &|a, b| a.widen(b, thresholds), &|a, b| a.widen(b, thresholds))
    }

    fn narrow(&self, pool: &TermPool, next: &State) -> State {
        if self.is_bottom || next.is_bottom {
            return next.clone();
        }
        let mut result = self.clone();
        for key in self.values.differing_keys(&next.values) {
            match (self.values.get(key), next.values.get(key)) {
                (Some(a), Some(b)) => result.set_value(*key, a.narrow(b)),
                (None, Some(b)) if pool.as_symbol(*key).is_some() => result.set_value(*key, b.clone()),
                (None, Some(b)) => result.set_cell(pool, *key, b.clone()),
                _ => {}
            }
        }
        result.is_closed = false;
        for pack in self.packs.differing_keys(&next.packs) {
            match (self.packs.get(pack), next.packs.get(pack)) {
                (Some(a), Some(b)) => result.set_octagon(*pack, a.narrow(b)),
                (None, Some(b)) => result.set_octagon(*pack, (**b).clone()),
                _ => {}
            }
        }
        result
    }

    fn is_within(&self, pool: &TermPool, other: &State) -> bool {
        if self.is_bottom || other.is_bottom {
            return self.is_bottom;
        }
        let values = self.values.differing_keys(&other.values).into_iter().all(|key| match other.values.get(key) {
            None => true,
            Some(b) => match self.values.get(key) {
                Some(a) => a.is_within(b),
                None => self.evaluate(pool, *key).is_within(b),
            },
        });
        let copies = self.copies.differing_keys(&other.copies).into_iter().all(|key| match other.copies.get(key) {
            None => true,
            Some((of, offset)) => self.is_copy(pool, *key, *of, offset),
        });
        let definitions = self.definitions.differing_keys(&other.definitions);
        values
            && copies
            && definitions.into_iter().all(|key| !other.definitions.contains_key(key))
            && self.packs.differing_keys(&other.packs).into_iter().all(|pack| match other.packs.get(pack) {
                None => true,
                Some(b) => self.packs.get(pack).is_some_and(|a| a.is_within(b)),
            })
    }

    fn reduce(&mut self, pool: &TermPool) {
        if self.is_closed || self.is_bottom {
            return;
        }
        let packs: Vec<u32> = self.packs.iter().filter(|(_, o)| !o.is_closed()).map(|(p, _)| *p).collect();
        for pack in packs {
            let Some(octagon) = self.packs.get(&pack) else { continue };
            match octagon.closed() {
                Some(closed) => {
                    self.set_octagon(pack, closed);
                    self.propagate(pool, pack);
                }
                None => self.fail(),
            }
            if self.is_bottom {
                return;
            }
        }
        self.is_closed = true;
    }

    fn assume(&mut self, pool: &mut TermPool, condition: TermId) {
        if self.is_bottom || condition == TermId::TRUE {
            return;
        }
        self.work.refill();
        let condition = self.canonical(pool, condition);
        self.refine(pool, condition, true);
        self.work.refill();
    }

    fn assign(&mut self, pool: &mut TermPool, pairs: &[(TermId, TermId)]) {
        if self.is_bottom {
            return;
        }
        let mut waiting: Vec<(TermId, TermId, Value)> = pairs
            .iter()
            .map(|&(v, t)| {
                self.work.refill();
                let t = self.canonical(pool, t);
                let value = self.evaluate(pool, t);
                (v, t, value)
            })
            .collect();
        self.work.refill();
        // One after the other, each when no other term needs the value before any more.
        while !waiting.is_empty() && !self.is_bottom {
            let mentions = |t: TermId, v: TermId| pool.free_constants(t).contains(&v);
            let next = (0..waiting.len()).find(|&i| {
                (0..waiting.len()).all(|k| k == i || waiting.len() == 1 || !mentions(waiting[k].1, waiting[i].0))
            });
            match next {
                Some(i) => {
                    let (variable, term, value) = waiting.remove(i);
                    self.assign_one(pool, variable, term, value);
                }
                None => {
                    for (variable, ..) in &waiting {
                        self.kill(pool, *variable);
                    }
                    if self.is_bottom {
                        return;
                    }
                    for (variable, _, value) in waiting.drain(..) {
                        self.set_value(variable, value);
                    }
                }
            }
        }
    }

    fn forget(&mut self, pool: &mut TermPool, variables: &[TermId]) {
        for &v in variables {
            if !self.is_bottom {
                self.kill(pool, v);
            }
        }
    }

    fn formulas(&self, pool: &mut TermPool) -> Vec<TermId> {
        crate::formulas::formulas(self, pool)
    }
}

type Merge<'a, T> = &'a dyn Fn(&T, &T) -> T;

impl State {
    /// What both know, with values and octagons merged; `gains`: also about cells that only the other one knows by
    /// their names.
    fn merged(
        &self,
        pool: &TermPool,
        other: &State,
        gains: bool,
        values: Merge<'_, Value>,
        octagons: Merge<'_, Octagon>,
    ) -> State {
        if self.is_bottom {
            return other.clone();
        }
        if other.is_bottom {
            return self.clone();
        }
        let mut result = self.clone();
        for key in self.copies.differing_keys(&other.copies) {
            let Some((of, offset)) = self.copies.get(key) else { continue };
            if !other.is_copy(pool, *key, *of, offset) {
                result.copies.remove(key);
                result.no_longer_depend(*of, *key);
            }
        }
        for key in self.definitions.differing_keys(&other.definitions) {
            result.undefine(pool, *key);
        }
        for key in self.values.differing_keys(&other.values) {
            if !gains && !self.values.contains_key(key) {
                continue;
            }
            let is_variable = pool.as_symbol(*key).is_some();
            // A cell that only one side knows by this name may be known to the other by another one.
            let known = |side: &State| match side.values.get(key) {
                Some(value) => Some(value.clone()),
                None if is_variable && !side.copies.contains_key(key) => None,
                None => Some(side.evaluate(pool, *key)).filter(|v| !v.is_all()),
            };
            let merged = match (known(self), known(other)) {
                (Some(a), Some(b)) => Some(values(&a, &b)).filter(|v| !v.is_all()),
                _ => None,
            };
            match (merged, is_variable) {
                (Some(value), true) => result.set_value(*key, value),
                (Some(value), false) => result.set_cell(pool, *key, value),
                (None, true) => result.set_value(*key, Value::Unknown),
                (None, false) => result.drop_cell(pool, *key),
            }
        }
        for pack in self.packs.differing_keys(&other.packs) {
            match (self.packs.get(pack), other.packs.get(pack)) {
                (Some(a), Some(b)) => {
                    let merged = octagons(a, b);
                    result.is_closed &= merged.is_closed();
                    result.set_octagon(*pack, merged);
                }
                _ => {
                    result.packs.remove(pack);
                }
            }
        }
        result
    }
    /// Is `x = y + c` known?
    fn is_copy(&self, pool: &TermPool, x: TermId, y: TermId, offset: &Rational) -> bool {
        match (self.copies.get(&x), self.copies.get(&y)) {
            (Some((of, own)), None) if *of == y => own == offset,
            (Some((of, own)), Some((also, its))) if of == also => own == &(its + offset),
            (None, Some((of, own))) if *of == x => (own + offset).is_zero(),
            _ => {
                let single = |t: TermId| self.evaluate(pool, t).number().and_then(|n| n.single().cloned());
                matches!((single(x), single(y)), (Some(a), Some(b)) if a == &b + offset)
            }
        }
    }
    /// Bounds that the octagon of a pack knows become bounds of its variables.
    pub(crate) fn propagate(&mut self, pool: &TermPool, pack: u32) {
        let Some(octagon) = self.packs.get(&pack).cloned() else { return };
        let vocabulary = self.vocabulary.clone();
        for (i, &variable) in vocabulary.pack(pack).iter().enumerate() {
            let hi = octagon.upper(Form::plus(i));
            let lo = octagon.upper(Form::minus(i)).map(|x| -x);
            if hi.is_none() && lo.is_none() {
                continue;
            }
            let now = self.evaluate(pool, variable);
            let Some(known) = crate::interval::Interval::new(lo, hi) else { return self.fail() };
            let bound = Value::Number(crate::number::Number::within(known, true));
            match now.meet(&bound) {
                Some(met) if met != now => self.set_value(variable, met),
                Some(_) => {}
                None => return self.fail(),
            }
        }
    }
}
