//! The abstract state of one thread at a location, and the operations on it that need no program: renaming,
//! substitution, forgetting, escape.

use super::ThreadId;
use crate::program::VarId;
use logic::{Op, Rational, SortId, Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// A shared scalar (no index), or a place of a shared array.
pub type Cell = (VarId, Option<TermId>);

/// What a thread knows at a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Values of locals; others have any.
    pub locals: BTreeMap<VarId, TermId>,
    pub cells: BTreeMap<Cell, TermId>,
    pub conditions: BTreeSet<TermId>,
    /// The locks it owns alone, each under a condition.
    pub owned: BTreeMap<Cell, TermId>,
    /// The reader counts it has its share in.
    pub read_locked: BTreeSet<Cell>,
    /// Its descendants that may be running or be created by those that are.
    pub alive: BTreeSet<ThreadId>,
    /// What `Join` calls its unique children.
    pub ids: BTreeMap<ThreadId, TermId>,
    /// Symbols that are addresses of thread-local objects.
    pub private: BTreeSet<TermId>,
    /// How many atomic sections it is in.
    pub atomic: u32,
}

/// The same facts, place and conditions with other symbols.
pub(super) fn rename(pool: &mut TermPool, facts: &Facts, names: &mut Substitution) -> Facts {
    let mut cell = |pool: &mut TermPool, c: &Cell| (c.0, c.1.map(|i| names.apply(pool, i)));
    let owned = facts.owned.iter().map(|(c, v)| (cell(pool, c), *v)).collect();
    let read_locked = facts.read_locked.iter().map(|c| cell(pool, c)).collect();
    Facts {
        locals: BTreeMap::new(),
        cells: BTreeMap::new(),
        conditions: facts.conditions.iter().map(|c| names.apply(pool, *c)).collect(),
        owned,
        read_locked,
        alive: BTreeSet::new(),
        ids: BTreeMap::new(),
        private: BTreeSet::new(),
        atomic: facts.atomic,
    }
}

/// The symbols that facts speak about.
pub fn symbols(pool: &TermPool, facts: &Facts) -> BTreeSet<TermId> {
    let mut roots: Vec<TermId> = facts.locals.values().copied().collect();
    roots.extend(facts.conditions.iter().chain(facts.ids.values()).chain(&facts.private));
    for (cell, value) in facts.cells.iter().chain(&facts.owned) {
        roots.extend(cell.1);
        roots.push(*value);
    }
    roots.extend(facts.read_locked.iter().filter_map(|c| c.1));
    let mut all = BTreeSet::new();
    pool.visit_postorder(&roots, |t| {
        if pool.as_symbol(t).is_some() && pool.args(t).is_empty() {
            all.insert(t);
        }
    });
    all
}

pub(super) fn escape(pool: &TermPool, facts: &mut Facts, value: TermId) {
    if !facts.private.is_empty() {
        for symbol in pool.free_constants(value) {
            facts.private.remove(&symbol);
        }
    }
}

/// Are two indices of one thread different for sure?
pub fn are_distinct(pool: &mut TermPool, facts: &Facts, a: Option<TermId>, b: Option<TermId>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    if pool.sort(a) != pool.sort(b) {
        return false;
    }
    let same = pool.eq(a, b);
    if same == TermId::FALSE || facts.conditions.contains(&pool.not(same)) {
        return true;
    }
    // Thread-local objects are disjoint from each other and from those at fixed addresses.
    let (left, right) = (pool.free_constants(a), pool.free_constants(b));
    let is_apart = |of: TermId, x: &[TermId], y: &[TermId]| {
        matches!(x, [s] if private_object(pool, facts, of) == Some(*s) && !y.contains(s))
            && y.iter().all(|s| facts.private.contains(s))
    };
    is_apart(a, &left, &right) || is_apart(b, &right, &left)
}

/// The thread-local object that a place is in: the place is its address and an offset that does not depend on such
/// addresses. `ite(c, p, &g)` and `table[p == q]` mention `p` and are elsewhere.
fn private_object(pool: &TermPool, facts: &Facts, index: TermId) -> Option<TermId> {
    if facts.private.is_empty() || pool.sort(index) != SortId::INT {
        return None;
    }
    let mut object = None;
    for (term, factor) in &pool.linear(index).terms {
        if object.is_none() && *factor == Rational::from(1) && facts.private.contains(term) {
            object = Some(*term);
        } else if pool.free_constants(*term).iter().any(|s| facts.private.contains(s)) {
            return None;
        }
    }
    object
}

/// Is the place in a thread-local object?
pub fn is_private(pool: &TermPool, facts: &Facts, index: Option<TermId>) -> bool {
    index.is_some_and(|i| private_object(pool, facts, i).is_some())
}

pub(super) fn kill_aliases(pool: &mut TermPool, facts: &mut Facts, cell: Cell) {
    let same_variable: Vec<Cell> =
        facts.cells.range((cell.0, None)..).take_while(|(c, _)| c.0 == cell.0).map(|(c, _)| *c).collect();
    for other in same_variable {
        if other != cell && !are_distinct(pool, facts, other.1, cell.1) {
            facts.cells.remove(&other);
        }
    }
}

/// Replaces a symbol everywhere; `false` if a condition becomes false.
pub fn replace(pool: &mut TermPool, facts: &mut Facts, symbol: TermId, value: TermId) -> bool {
    let mut s = Substitution::from_pairs([(symbol, value)]);
    for v in facts.locals.values_mut().chain(facts.ids.values_mut()) {
        *v = s.apply(pool, *v);
    }
    let mut cell = |pool: &mut TermPool, c: &Cell| (c.0, c.1.map(|i| s.apply(pool, i)));
    let cells: Vec<(Cell, TermId)> = facts.cells.iter().map(|(c, v)| (*c, *v)).collect();
    let owned: Vec<(Cell, TermId)> = facts.owned.iter().map(|(c, v)| (*c, *v)).collect();
    let read_locked: Vec<Cell> = facts.read_locked.iter().copied().collect();
    let cells: Vec<(Cell, TermId)> = cells.into_iter().map(|(c, v)| (cell(pool, &c), v)).collect();
    let owned: Vec<(Cell, TermId)> = owned.into_iter().map(|(c, v)| (cell(pool, &c), v)).collect();
    facts.read_locked = read_locked.iter().map(|c| cell(pool, c)).collect();
    facts.cells = cells.into_iter().map(|(c, v)| (c, s.apply(pool, v))).collect();
    facts.owned.clear();
    for (c, v) in owned {
        let v = s.apply(pool, v);
        let v = decide_choices(pool, v);
        let known = facts.owned.get(&c).copied();
        if v != TermId::FALSE && known != Some(TermId::TRUE) {
            facts.owned.insert(c, v);
        }
    }
    let conditions: Vec<TermId> = facts.conditions.iter().copied().collect();
    facts.conditions.clear();
    for c in conditions {
        let c = s.apply(pool, c);
        let c = decide_choices(pool, c);
        if c == TermId::FALSE {
            return false;
        }
        for part in pool.conjuncts(c) {
            if part != TermId::TRUE {
                facts.conditions.insert(part);
            }
        }
    }
    true
}

/// Forgets all that speaks about some symbols.
pub fn forget(pool: &TermPool, facts: &mut Facts, gone: &BTreeSet<TermId>) {
    let speaks = |t: TermId| pool.free_constants(t).iter().any(|s| gone.contains(s));
    let speaks_cell = |c: &Cell| c.1.is_some_and(speaks);
    // What a local held that is no longer known may be found in it again, by another name.
    let lost: Vec<TermId> = facts.locals.values().copied().filter(|v| speaks(*v)).collect();
    for value in lost {
        escape(pool, facts, value);
    }
    facts.locals.retain(|_, v| !speaks(*v));
    facts.ids.retain(|_, v| !speaks(*v));
    facts.cells.retain(|c, v| !speaks_cell(c) && !speaks(*v));
    facts.owned.retain(|c, v| !speaks_cell(c) && !speaks(*v));
    facts.read_locked.retain(|c| !speaks_cell(c));
    facts.conditions.retain(|c| !speaks(*c));
    facts.private.retain(|s| !gone.contains(s));
}

/// `ite(c, 0, 16) = 0` is `c`.
pub(super) fn decide_choices(pool: &mut TermPool, t: TermId) -> TermId {
    match pool.op(t) {
        Op::Not => {
            let inner = pool.arg(t, 0);
            let inner = decide_choices(pool, inner);
            pool.not(inner)
        }
        Op::And => {
            let parts: Vec<TermId> = pool.args(t).to_vec();
            let parts: Vec<TermId> = parts.into_iter().map(|p| decide_choices(pool, p)).collect();
            pool.and(&parts)
        }
        Op::Eq => {
            let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
            for (choice, value) in [(a, b), (b, a)] {
                if pool.op(choice) == Op::Ite && pool.is_value(value) {
                    let (c, x, y) = (pool.arg(choice, 0), pool.arg(choice, 1), pool.arg(choice, 2));
                    if pool.is_value(x) && pool.is_value(y) {
                        let not = pool.not(c);
                        return match (x == value, y == value) {
                            (true, true) => TermId::TRUE,
                            (true, false) => c,
                            (false, true) => not,
                            (false, false) => TermId::FALSE,
                        };
                    }
                }
            }
            t
        }
        _ => t,
    }
}
