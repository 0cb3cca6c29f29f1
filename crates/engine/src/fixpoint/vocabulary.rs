//! The vocabulary of an analysis: which variables to relate, the thresholds of widening, and the variables to partition
//! by. All of it is in the text of the program.

use super::Part;
use domains::{Thresholds, Vocabulary};
use ir::{EdgeId, Icfg, Label, LocId, Stmt, VarId, VarRole, Variable};
use logic::{FastMap, FastSet, Op, Rational, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use unwinding::order::{Element, weak_topological_order};

/// The most thresholds of a loop.
const MAX_THRESHOLDS: usize = 32;
/// The most counters of a loop that are related to each other.
const MAX_COUNTERS: usize = 6;
/// The largest number of values of a partitioning variable, and of such variables.
const MAX_ENUMERATED: usize = 10;
const MAX_PARTITIONED: usize = 2;

fn terms_of(label: &Label) -> Vec<TermId> {
    match label {
        Label::Stmt(Stmt::Assume(c)) => vec![*c],
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|p| p.1).collect(),
        Label::Block(block) => vec![block.plain],
        Label::Stmt(Stmt::Havoc(..)) | Label::Call(_) | Label::Return(_) => Vec::new(),
        Label::Fork { .. } | Label::Join { .. } | Label::AtomicBegin | Label::AtomicEnd => Vec::new(),
    }
}

/// The variables that share octagons: those that conditions compare and assignments and calls relate.
pub(crate) fn vocabulary(pool: &TermPool, icfg: &Icfg, part: &Part<'_>) -> Vocabulary {
    let mut weights: FastMap<(TermId, TermId), u32> = FastMap::default();
    let mut relate = |a: TermId, b: TermId, weight: u32| {
        if a != b {
            *weights.entry((a.min(b), a.max(b))).or_default() += weight;
        }
    };
    let temporaries = temporaries(pool, icfg, part);
    let own_of = |t: TermId| temporaries.get(&t).copied().unwrap_or(t);
    let variables_of = |t: TermId| -> Vec<TermId> {
        let linear = pool.linear(t);
        let is_plain = |(t, f): &&(TermId, Rational)| pool.as_symbol(*t).is_some() && (f.is_one() || f.is_minus_one());
        linear.terms.iter().filter(is_plain).map(|(t, _)| own_of(*t)).collect()
    };
    for edge in part.edges(icfg) {
        let label = &edge.label;
        pool.visit_postorder(&terms_of(label), |t| {
            let compared = match pool.op(t) {
                Op::Le => variables_of(pool.arg(t, 0)),
                Op::Eq if pool.sort(pool.arg(t, 0)) == SortId::INT => {
                    let mut both = variables_of(pool.arg(t, 0));
                    both.extend(variables_of(pool.arg(t, 1)));
                    both
                }
                _ => return,
            };
            if compared.len() <= 4 {
                for (i, &a) in compared.iter().enumerate() {
                    for &b in &compared[..i] {
                        relate(a, b, 3);
                    }
                }
            }
        });
        if let Label::Stmt(Stmt::Assign(pairs)) = label {
            for &(v, t) in pairs {
                let own = icfg.vars[v].term;
                if pool.sort(own) != SortId::INT || temporaries.contains_key(&own) {
                    continue;
                }
                let read = variables_of(t);
                if read.len() <= 3 {
                    for other in read {
                        relate(own, other, 1);
                    }
                }
                for &(w, u) in pairs.iter().filter(|(w, _)| *w < v) {
                    if u == t {
                        relate(own, icfg.vars[w].term, 3);
                    }
                }
            }
        }
    }
    // Counters of one loop go up together.
    let mut counters: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
    let loops = innermost_loops(icfg, part);
    for edge in part.edges(icfg) {
        let (Label::Stmt(Stmt::Assign(pairs)), Some(&head)) = (&edge.label, loops.get(&edge.src)) else { continue };
        for &(v, t) in pairs {
            let own = icfg.vars[v].term;
            let is_step = pool.sort(own) == SortId::INT && variables_of(t) == [own] && !temporaries.contains_key(&own);
            let list = counters.entry(head).or_default();
            if is_step && !list.contains(&own) && list.len() < MAX_COUNTERS {
                list.push(own);
            }
        }
    }
    for list in counters.values() {
        for (i, &a) in list.iter().enumerate() {
            for &b in &list[..i] {
                relate(a, b, 2);
            }
        }
    }
    // What recursive procedures are given changes together, and what they return depends on it.
    for site in icfg.call_sites.values().filter(|s| part.contains(s.call_edge)) {
        let callee = &icfg.procs[site.callee];
        let terms = |vars: &[VarId]| -> Vec<TermId> {
            let numbers = vars.iter().map(|v| icfg.vars[*v].term).filter(|t| pool.sort(*t) == SortId::INT);
            numbers.take(MAX_COUNTERS).collect()
        };
        let (params, results) = (terms(&callee.params), terms(&callee.results));
        for (i, &a) in params.iter().enumerate() {
            params[..i].iter().chain(&results).for_each(|&b| relate(a, b, 2));
        }
        for &target in &terms(&site.results) {
            let given = site.args.iter().filter(|a| pool.sort(**a) == SortId::INT).flat_map(|a| variables_of(*a));
            given.take(MAX_COUNTERS).for_each(|v| relate(own_of(target), v, 2));
        }
    }
    let mut order: Vec<((TermId, TermId), u32)> = weights.into_iter().collect();
    order.sort_by_key(|&(pair, weight)| (std::cmp::Reverse(weight), pair));
    Vocabulary::new(pool, order.into_iter().map(|(pair, _)| pair))
}

/// The head of the innermost loop around each location.
fn innermost_loops(icfg: &Icfg, part: &Part<'_>) -> FastMap<LocId, LocId> {
    fn collect(elements: &[Element], head: Option<LocId>, found: &mut FastMap<LocId, LocId>) {
        for element in elements {
            match element {
                Element::Location(loc) => found.extend(head.map(|h| (*loc, h))),
                Element::Component(own, body) => {
                    found.insert(*own, *own);
                    collect(body, Some(*own), found);
                }
            }
        }
    }
    let is_used = |e: &&EdgeId| part.contains(**e);
    let successors = |loc: LocId| icfg.out_edges(loc).iter().filter(is_used).map(|e| icfg.edges[*e].dst).collect();
    let mut found = FastMap::default();
    collect(&weak_topological_order(icfg.locs.len(), icfg.entry(), &successors), None, &mut found);
    found
}

/// Variables that are assigned once, as a copy of another one: what is known about them is known through that one.
/// Temporaries of the translation do not outlive the statement, so they are known through the first variable of the
/// program that they are copied to.
fn temporaries(pool: &TermPool, icfg: &Icfg, part: &Part<'_>) -> FastMap<TermId, TermId> {
    let mut copies: FastMap<TermId, Option<TermId>> = FastMap::default();
    let mut order: Vec<TermId> = Vec::new();
    for edge in part.edges(icfg) {
        // A havoc is how a local begins.
        let Label::Stmt(Stmt::Assign(pairs)) = &edge.label else { continue };
        for &(v, t) in pairs {
            let linear = pool.linear(t);
            let of = match &linear.terms[..] {
                [(of, f)] if f.is_one() && pool.as_symbol(*of).is_some() && linear.constant.is_zero() => Some(*of),
                _ => None,
            };
            let own = icfg.vars[v].term;
            order.push(own);
            copies.entry(own).and_modify(|known| *known = None).or_insert(of);
        }
    }
    let resolve = |mut t: TermId| {
        for _ in 0..8 {
            match copies.get(&t) {
                Some(Some(of)) => t = *of,
                _ => break,
            }
        }
        t
    };
    // What a call returns is known of the variable that it is returned to, before it is copied.
    let returned: FastSet<TermId> =
        icfg.call_sites.values().flat_map(|site| &site.results).map(|v| icfg.vars[*v].term).collect();
    let is_temporary = |v: &&Variable| v.role == VarRole::Temporary && !returned.contains(&v.term);
    let short_lived: FastSet<TermId> = icfg.vars.values().filter(is_temporary).map(|v| v.term).collect();
    let mut stands_for: FastMap<TermId, TermId> = FastMap::default();
    for &own in &order {
        let of = resolve(own);
        if of != own && short_lived.contains(&of) && !short_lived.contains(&own) {
            stands_for.entry(of).or_insert(own);
        }
    }
    let root_of = |t: TermId| {
        let root = resolve(t);
        stands_for.get(&root).copied().unwrap_or(root)
    };
    let known = copies.iter().filter(|(_, of)| of.is_some()).map(|(t, _)| *t).chain(stands_for.keys().copied());
    known.map(|t| (t, root_of(t))).filter(|(t, root)| t != root).collect()
}

/// The numbers of some edges, as places where widening stops.
pub(crate) fn thresholds(pool: &TermPool, icfg: &Icfg, edges: &[EdgeId]) -> Thresholds {
    let mut numbers: BTreeSet<Rational> = BTreeSet::new();
    let terms: Vec<TermId> = edges.iter().flat_map(|e| terms_of(&icfg.edges[*e].label)).collect();
    pool.visit_postorder(&terms, |t| match pool.op(t) {
        Op::Le | Op::Lt => numbers.extend(pool.number(pool.arg(t, 1)).cloned()),
        Op::Eq => numbers.extend(pool.args(t).iter().filter_map(|a| pool.number(*a)).cloned()),
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
            numbers.extend(pool.args(t).iter().filter_map(|a| pool.bv_number(*a)).map(|(n, _)| n.clone()));
        }
        _ => {}
    });
    // Comparisons of a scaled or negated term have the number of the term itself, too.
    let negated: Vec<Rational> = numbers.iter().map(|n| -n.clone()).collect();
    numbers.extend(negated);
    if numbers.len() > MAX_THRESHOLDS {
        let mut all: Vec<Rational> = numbers.into_iter().collect();
        all.sort_by_key(Rational::abs);
        let large = all.split_off(MAX_THRESHOLDS - 4);
        let n = large.len();
        all.extend(large.into_iter().skip(n - 4));
        return Thresholds::new(all);
    }
    Thresholds::new(numbers)
}

/// Variables that are only ever set to a few numbers and compared with them: the states of automata that the program
/// encodes.
pub(crate) fn enumerated(pool: &TermPool, icfg: &Icfg, part: &Part<'_>) -> Vec<TermId> {
    let mut values: BTreeMap<TermId, Option<BTreeSet<TermId>>> = BTreeMap::new();
    let mut uses: FastMap<TermId, u32> = FastMap::default();
    for edge in part.edges(icfg) {
        match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                for &(v, t) in pairs {
                    let entry = values.entry(icfg.vars[v].term).or_insert_with(|| Some(BTreeSet::new()));
                    match entry {
                        Some(set) if pool.is_value(t) => {
                            set.insert(t);
                        }
                        // `if (c) x = 1;` may be one step.
                        Some(set) if pool.op(t) == Op::Ite && pool.args(t)[1..].iter().all(|a| pool.is_value(*a)) => {
                            set.extend(&pool.args(t)[1..]);
                        }
                        other => *other = None,
                    }
                }
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                for v in vars {
                    // A local without an initial value; what it holds then is not compared.
                    values.entry(icfg.vars[*v].term).or_insert_with(|| Some(BTreeSet::new()));
                }
            }
            Label::Stmt(Stmt::Assume(c)) => pool.visit_postorder(&[*c], |t| {
                if pool.op(t) == Op::Eq {
                    for side in [0, 1] {
                        if pool.is_value(pool.arg(t, 1 - side)) {
                            *uses.entry(pool.arg(t, side)).or_default() += 1;
                        }
                    }
                }
            }),
            _ => {}
        }
    }
    let mut chosen: Vec<(std::cmp::Reverse<u32>, TermId)> = values
        .into_iter()
        .filter(|(_, set)| set.as_ref().is_some_and(|s| (2..=MAX_ENUMERATED).contains(&s.len())))
        .filter_map(|(t, _)| Some((std::cmp::Reverse(*uses.get(&t)?), t)))
        .collect();
    chosen.sort_unstable();
    chosen.into_iter().take(MAX_PARTITIONED).map(|(_, t)| t).collect()
}

/// The return addresses of procedures that share their code.
pub(crate) fn return_addresses(icfg: &Icfg) -> Vec<TermId> {
    icfg.vars.values().filter(|v| ir::linking::is_return_address(v)).map(|v| v.term).collect()
}
