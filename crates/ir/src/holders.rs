//! Auxiliary variables that say which cell points to a block of the heap, for proofs about linked data.
//!
//! Beside each array of pointers `next` stands a *holder*: the address of the cell of `next` that was the last to be
//! pointed to a block (0: none was, since the block was made). What a list needs is local with it: "if `next[k]` leads
//! to a block, its holder is `k`" says that no two cells lead to the same block, so a block that is unlinked and freed
//! leaves no pointer behind. And every block has a *rank*; when a cell is pointed to a block, one of the two ranks is
//! moved, if need be, so that the block that points ranks above the one that is pointed to. (Ranks are rational
//! numbers, so there is always one in between.) Auxiliary variables (Owicki, Gries 1976) change nothing: no statement
//! of the program reads them.
//!
//! One thing is more than that. Where the program ends the translation of C chooses a block that is still there and
//! reports it as lost (`havoc b; assume state[b] = heap`). If there is such a block there is one of highest rank among
//! those that are lost, as blocks are finitely many. So the graph made here may choose that one: no other lost block
//! ranks above it. A block that points to it, is alive and ranks higher is therefore not lost, and then neither is the
//! block it points to. That is assumed, for the cell that the holder names. So a list whose first block is known, and
//! whose others are all held, loses nothing.

use crate::icfg::{EdgeId, Icfg, Label};
use crate::program::{Nondet, Stmt, Subproperty, VarId, VarKind, VarRole, Variable};
use crate::source::HEAP_BLOCK;
use base::Span;
use logic::{Op, Rational, Sort, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The most distances of cells from the starts of their blocks, for one array.
const MAX_OFFSETS: usize = 3;

/// An array of pointers, and what is kept beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    pub array: TermId,
    /// Where the blocks start that its elements point into.
    pub base: TermId,
    /// By the start of a block, the address of a cell of the array.
    pub holder: TermId,
    /// Distances of cells of the array from the starts of blocks.
    pub offsets: Vec<Rational>,
}

/// A graph with holders and ranks; locations and edges keep their numbers.
pub struct WithHolders {
    pub icfg: Icfg,
    pub links: Vec<Link>,
    /// By the start of a block, its rank.
    pub rank: TermId,
}

/// The arrays of pointers that can have holders.
pub fn links(icfg: &Icfg, pool: &TermPool) -> Vec<VarId> {
    let bases = icfg.vars.values().filter_map(|v| match v.role {
        VarRole::BaseOf(of) => Some(of),
        _ => None,
    });
    let mut found: Vec<VarId> = bases.filter(|&of| icfg.globals.contains(&of) && is_memory(pool, icfg, of)).collect();
    found.retain(|&of| is_written_whole(icfg, of));
    found.sort_unstable();
    found.dedup();
    found
}

/// Are the bases of an array only written together with its elements? Where bytes of pointers are, one alone says
/// little.
fn is_written_whole(icfg: &Icfg, of: VarId) -> bool {
    let is_base = |v: VarId| icfg.vars[v].role == VarRole::BaseOf(of);
    icfg.edges.values().all(|e| match &e.label {
        Label::Stmt(Stmt::Assign(pairs)) => !pairs.iter().any(|p| is_base(p.0)) || pairs.iter().any(|p| p.0 == of),
        _ => true,
    })
}

/// Adds holders for the elements of some arrays, and one rank for all. `None`: the graph has calls or threads, or keeps
/// no states of blocks.
pub fn with_holders(icfg: &Icfg, pool: &mut TermPool, chosen: &[VarId]) -> Option<WithHolders> {
    if icfg.has_calls() || icfg.has_threads() {
        return None;
    }
    let with_role = |role: VarRole| icfg.vars.iter().find(|(_, v)| v.role == role).map(|(id, _)| id);
    let (states, sizes) = (with_role(VarRole::BlockStates)?, with_role(VarRole::BlockSizes)?);
    if !is_memory(pool, icfg, states) || !is_memory(pool, icfg, sizes) {
        return None;
    }
    let allowed = links(icfg, pool);
    let bases = Bases::new(icfg);
    let mut graph = icfg.clone();
    let real_array = pool.array_sort(SortId::INT, SortId::REAL);
    let int_array = pool.array_sort(SortId::INT, SortId::INT);
    let rank = add_ghost(&mut graph, pool, "#rank", real_array);
    let mut found = Vec::new();
    for &var in chosen.iter().filter(|v| allowed.contains(v)) {
        let array = icfg.vars[var].term;
        let base = *bases.of.get(&array)?;
        let name = format!("#holder({})", icfg.vars[var].name);
        let holder = add_ghost(&mut graph, pool, &name, int_array);
        let base_var = icfg.vars.iter().find(|(_, v)| v.term == base).map(|(id, _)| id)?;
        let offsets = offsets(icfg, pool, &bases, array);
        let link = Link { array, base, holder: graph.vars[holder].term, offsets };
        found.push((var, base_var, holder, link));
    }
    let rank_term = graph.vars[rank].term;
    for edge in graph.edges.ids().collect::<Vec<_>>() {
        let Label::Stmt(Stmt::Assign(pairs)) = &icfg.edges[edge].label else { continue };
        let mut more = Vec::new();
        if let Some(block) = made(pool, pairs, states, icfg.vars[states].term) {
            let nowhere = pool.int(0);
            for (_, _, holder, link) in &found {
                more.push((*holder, pool.store(link.holder, block, nowhere)));
            }
        }
        let n_made = more.len();
        for (var, base_var, holder, link) in found.iter().filter(|_| n_made == 0) {
            let stored = |v: VarId, old: TermId| {
                let value = pairs.iter().find(|p| p.0 == v)?.1;
                let is_one = pool.op(value) == Op::Store && pool.arg(value, 0) == old;
                is_one.then(|| (pool.arg(value, 1), pool.arg(value, 2)))
            };
            let (Some((cell, _)), Some((same, block))) = (stored(*var, link.array), stored(*base_var, link.base))
            else {
                continue;
            };
            if cell != same || pool.number(block).is_some() {
                continue;
            }
            more.push((*holder, pool.store(link.holder, block, cell)));
            // One assignment moves one rank.
            if more.iter().all(|m| m.0 != rank) {
                let from = bases.block_of(pool, cell);
                more.push((rank, ranked(pool, rank_term, link, from, block)));
            }
        }
        if let Label::Stmt(Stmt::Assign(pairs)) = &mut graph.edges[edge].label {
            pairs.extend(more);
        }
    }
    let links: Vec<Link> = found.into_iter().map(|f| f.3).collect();
    let (state, size) = (icfg.vars[states].term, icfg.vars[sizes].term);
    for (edge, block) in choices_of_blocks(icfg, pool, states) {
        let highest = is_highest(pool, &links, rank_term, (state, size), block);
        if let Label::Stmt(Stmt::Assume(condition)) = &mut graph.edges[edge].label {
            *condition = pool.and2(*condition, highest);
        }
    }
    Some(WithHolders { icfg: graph, links, rank: rank_term })
}

/// The block that an assignment makes.
fn made(pool: &mut TermPool, pairs: &[(VarId, TermId)], states: VarId, term: TermId) -> Option<TermId> {
    let heap = pool.int(HEAP_BLOCK);
    let value = pairs.iter().find(|p| p.0 == states)?.1;
    let is_new = pool.op(value) == Op::Store && pool.arg(value, 0) == term && pool.arg(value, 2) == heap;
    is_new.then(|| pool.arg(value, 1))
}

fn add_ghost(graph: &mut Icfg, pool: &mut TermPool, name: &str, sort: SortId) -> VarId {
    let term = pool.constant(name, sort);
    let variable = Variable {
        name: name.to_string(),
        sort,
        term,
        kind: VarKind::Global,
        role: VarRole::Temporary,
        span: Span::NONE,
    };
    let id = graph.vars.push(variable);
    graph.globals.push(id);
    for proc in graph.procs.ids().collect::<Vec<_>>() {
        graph.procs[proc].modifies.push(id);
    }
    id
}

fn is_memory(pool: &TermPool, icfg: &Icfg, var: VarId) -> bool {
    matches!(*pool.sort_data(icfg.vars[var].sort), Sort::Array(SortId::INT, SortId::INT))
}

/// Where the blocks of pointers start.
struct Bases {
    /// By variables, also arrays.
    of: BTreeMap<TermId, TermId>,
    addresses: BTreeSet<TermId>,
}

impl Bases {
    fn new(icfg: &Icfg) -> Bases {
        let of = icfg.vars.values().filter_map(|v| match v.role {
            VarRole::BaseOf(of) => Some((icfg.vars[of].term, v.term)),
            _ => None,
        });
        let addresses = icfg.vars.values().filter(|v| v.role == VarRole::AddressOfLocal).map(|v| v.term);
        Bases { of: of.collect(), addresses: addresses.collect() }
    }

    /// Where the block of an address starts, as far as its text says; else the address itself.
    fn block_of(&self, pool: &mut TermPool, address: TermId) -> TermId {
        let linear = pool.linear(address);
        let [(pointer, one)] = &linear.terms[..] else { return address };
        if !one.is_one() {
            return address;
        }
        if let Some(&base) = self.of.get(pointer) {
            return base;
        }
        if self.addresses.contains(pointer) {
            return *pointer;
        }
        if pool.op(*pointer) == Op::Select
            && let Some(&base) = self.of.get(&pool.arg(*pointer, 0))
        {
            return pool.select(base, pool.arg(*pointer, 1));
        }
        address
    }
}

/// The distances of cells of the array from the starts of blocks, as far as the text says. A pointer is taken to lead
/// to the start of a block, unless it is assigned a distance from another one: `link = &node->next`. They decide what
/// can be proved, not what is true: [`is_highest`] asks whether a cell at the distance lies in a block that is alive.
fn offsets(icfg: &Icfg, pool: &TermPool, bases: &Bases, array: TermId) -> Vec<Rational> {
    let mut terms = Vec::new();
    let mut assigned: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
    for edge in icfg.edges.values() {
        match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                terms.extend(pairs.iter().map(|p| p.1));
                for &(var, value) in pairs {
                    assigned.entry(icfg.vars[var].term).or_default().push(value);
                }
            }
            Label::Stmt(Stmt::Assume(condition)) => terms.push(*condition),
            _ => {}
        }
    }
    let zero = Rational::from(0i64);
    // Where a pointer leads to within blocks; nothing if it is assigned none.
    let within = |pointer: TermId| -> Vec<Rational> {
        let mut found = Vec::new();
        for &value in assigned.get(&pointer).into_iter().flatten() {
            let linear = pool.linear(value);
            match &linear.terms[..] {
                [] => {}
                [(from, _)] if bases.addresses.contains(from) => {}
                [(from, one)] if *from != pointer && one.is_one() => found.push(linear.constant.clone()),
                _ => found.push(zero.clone()),
            }
        }
        if assigned.contains_key(&pointer) { found } else { vec![zero.clone()] }
    };
    let mut found = BTreeSet::new();
    pool.visit_postorder(&terms, |t| {
        if matches!(pool.op(t), Op::Select | Op::Store) && pool.arg(t, 0) == array {
            let linear = pool.linear(pool.arg(t, 1));
            if let [(pointer, one)] = &linear.terms[..]
                && one.is_one()
                && !bases.addresses.contains(pointer)
            {
                let distances = within(*pointer).into_iter().map(|distance| &distance + &linear.constant);
                found.extend(distances.filter(|distance| !distance.is_negative()));
            }
        }
    });
    // The distance 0 may also be that of a pointer to the cell itself, from elsewhere.
    if found.len() > 1 && found.remove(&zero) {
        found.into_iter().take(MAX_OFFSETS - 1).chain([zero]).collect()
    } else {
        found.into_iter().take(MAX_OFFSETS).collect()
    }
}

/// The ranks after a cell of the block `from` was pointed to the block `to`: that of `to` goes down, as long as it
/// stays above the block that `to` itself points to; else that of `from` goes up.
fn ranked(pool: &mut TermPool, rank: TermId, link: &Link, from: TermId, to: TermId) -> TermId {
    let zero = pool.int(0);
    let next = match link.offsets.first() {
        Some(offset) => {
            let offset = pool.int_num(offset.clone());
            let cell = pool.add(&[to, offset]);
            pool.select(link.base, cell)
        }
        None => zero,
    };
    let (of_from, of_to, of_next) = (pool.select(rank, from), pool.select(rank, to), pool.select(rank, next));
    let one = pool.real_num(Rational::from(1i64));
    let half = Rational::from(1i64) / Rational::from(2i64);
    let is_last = pool.eq(next, zero);
    let below = pool.sub(of_from, one);
    let sum = pool.add(&[of_from, of_next]);
    let between = pool.scale(sum, &half);
    let lowered = pool.ite(is_last, below, between);
    let lowered = pool.store(rank, to, lowered);
    let above = pool.add(&[of_to, one]);
    let raised = pool.store(rank, from, above);
    let has_room = pool.lt(of_next, of_from);
    let has_room = pool.or2(is_last, has_room);
    let moved = pool.ite(has_room, lowered, raised);
    let is_null = pool.eq(to, zero);
    let is_below = pool.lt(of_to, of_from);
    let is_fine = pool.or2(is_null, is_below);
    pool.ite(is_fine, rank, moved)
}

/// "The block is not held by a block that is alive and ranks higher."
fn is_highest(
    pool: &mut TermPool,
    links: &[Link],
    rank: TermId,
    (states, sizes): (TermId, TermId),
    block: TermId,
) -> TermId {
    let heap = pool.int(HEAP_BLOCK);
    let mut conjuncts = Vec::new();
    for link in links {
        let cell = pool.select(link.holder, block);
        for offset in &link.offsets {
            let offset = pool.int_num(offset.clone());
            let from = pool.sub(cell, offset);
            let state = pool.select(states, from);
            let is_alive = pool.eq(state, heap);
            let size = pool.select(sizes, from);
            let lies_inside = pool.lt(offset, size);
            let leads_to = pool.select(link.base, cell);
            let points = pool.eq(leads_to, block);
            let (high, low) = (pool.select(rank, from), pool.select(rank, block));
            let is_above = pool.lt(low, high);
            let is_held = pool.and(&[is_alive, lies_inside, points, is_above]);
            conjuncts.push(pool.not(is_held));
        }
    }
    pool.and(&conjuncts)
}

/// The assumptions `state[b] = heap` about a block that was chosen right before and is mentioned nowhere else, if
/// blocks are finitely many: at first there are none, and they are made one by one.
fn choices_of_blocks(icfg: &Icfg, pool: &mut TermPool, states: VarId) -> Vec<(EdgeId, TermId)> {
    if !finitely_many(icfg, pool, states) {
        return Vec::new();
    }
    let heap = pool.int(HEAP_BLOCK);
    let mut mentions: BTreeMap<TermId, usize> = BTreeMap::new();
    for edge in icfg.edges.values() {
        let terms: Vec<TermId> = match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                pairs.iter().flat_map(|&(v, t)| pool.free_constants(t).into_iter().chain([icfg.vars[v].term])).collect()
            }
            Label::Stmt(Stmt::Assume(condition)) => pool.free_constants(*condition).into_iter().collect(),
            Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().map(|v| icfg.vars[*v].term).collect(),
            // What a block says is not looked into.
            _ => return Vec::new(),
        };
        for term in terms.into_iter().collect::<BTreeSet<_>>() {
            *mentions.entry(term).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    for edge in icfg.edges.values() {
        let Label::Stmt(Stmt::Havoc(vars, Nondet::Choice)) = &edge.label else { continue };
        let (&[var], &[assume], &[_]) = (&vars[..], icfg.out_edges(edge.dst), icfg.in_edges(edge.dst)) else {
            continue;
        };
        let block = icfg.vars[var].term;
        let Label::Stmt(Stmt::Assume(condition)) = icfg.edges[assume].label else { continue };
        let state = pool.select(icfg.vars[states].term, block);
        let is_alive = pool.eq(state, heap);
        let is_part =
            condition == is_alive || pool.op(condition) == Op::And && pool.args(condition).contains(&is_alive);
        if is_part && mentions.get(&block) == Some(&2) && reports_lost_memory(icfg, assume) {
            found.push((assume, block));
        }
    }
    found
}

/// Does the only way on from the edge lead to a report of memory that is lost or not freed?
fn reports_lost_memory(icfg: &Icfg, edge: EdgeId) -> bool {
    let mut at = icfg.edges[edge].dst;
    let mut seen = BTreeSet::new();
    while seen.insert(at) {
        if let Some(check) = &icfg.locs[at].error {
            return matches!(check.property, Subproperty::ValidMemtrack | Subproperty::ValidMemcleanup);
        }
        let &[edge] = icfg.out_edges(at) else { return false };
        at = icfg.edges[edge].dst;
    }
    false
}

/// Before the first branch all states are set to one number that is not that of blocks, and later one by one.
fn finitely_many(icfg: &Icfg, pool: &TermPool, states: VarId) -> bool {
    let term = icfg.vars[states].term;
    let heap = Rational::from(HEAP_BLOCK);
    let is_empty = |value: TermId| {
        pool.op(value) == Op::ConstArray && pool.number(pool.arg(value, 0)).is_some_and(|number| *number != heap)
    };
    let assigned = |edge: EdgeId| match &icfg.edges[edge].label {
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().find(|p| p.0 == states).map(|p| p.1),
        _ => None,
    };
    let mut at = icfg.entry();
    let mut seen = BTreeSet::new();
    loop {
        let &[edge] = icfg.out_edges(at) else { return false };
        if assigned(edge).is_some_and(is_empty) {
            break;
        }
        at = icfg.edges[edge].dst;
        if !seen.insert(at) {
            return false;
        }
    }
    icfg.edges.iter().all(|(id, edge)| match &edge.label {
        Label::Stmt(Stmt::Havoc(vars, _)) => !vars.contains(&states),
        Label::Stmt(_) => assigned(id).is_none_or(|value| {
            let mut array = value;
            while pool.op(array) == Op::Store {
                array = pool.arg(array, 0);
            }
            array == term || is_empty(array)
        }),
        _ => false,
    })
}
