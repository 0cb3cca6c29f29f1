//! Locations that compare one variable with many numbers, as a `switch` does: the edges that can be open are looked up
//! instead of being tried one by one, so a state machine with n states costs n steps, not n².
//!
//! Nothing is decided here that an evaluation of the conditions would not decide: an edge is left out only if its
//! condition is `x = c` for another number than the one that `x` has, or says that `x` differs from that one.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Stmt, VarId};
use logic::{FastMap, FastSet, FunId, Op, TermId, TermPool, Value};

/// With fewer edges it costs more to look them up.
const MIN_EDGES: usize = 8;

/// The switches of a graph, found as they are asked for.
#[derive(Default)]
pub struct Switches {
    known: FastMap<LocId, Option<Switch>>,
}

/// The edges that leave a location, by the value of a variable.
pub struct Switch {
    variable: VarId,
    /// Open for one value only.
    cases: FastMap<Value, Vec<EdgeId>>,
    /// Open for all values but these.
    defaults: Vec<(EdgeId, FastSet<Value>)>,
    /// Not decided by the variable alone.
    others: Vec<EdgeId>,
}

impl Switches {
    /// The switch at a location whose outgoing edges are all there.
    pub fn at(&mut self, icfg: &Icfg, pool: &TermPool, loc: LocId) -> Option<&Switch> {
        if icfg.out_edges(loc).len() < MIN_EDGES {
            return None;
        }
        self.known.entry(loc).or_insert_with(|| Switch::of(icfg, pool, loc)).as_ref()
    }
}

/// `symbol = value`.
fn comparison(pool: &TermPool, t: TermId) -> Option<(FunId, Value)> {
    let (Op::Eq, &[a, b]) = (pool.op(t), pool.args(t)) else { return None };
    let sides = [(a, b), (b, a)];
    sides.into_iter().find_map(|(x, c)| Some((pool.as_symbol(x)?, pool.value(c)?)))
}

/// `symbol ≠ value` for some values, at least one.
fn differences(pool: &TermPool, t: TermId) -> Option<(FunId, FastSet<Value>)> {
    let parts = if pool.op(t) == Op::And { pool.args(t) } else { &[t] };
    let compared = |&part: &TermId| match pool.op(part) {
        Op::Not => comparison(pool, pool.arg(part, 0)),
        _ => None,
    };
    let all: Vec<(FunId, Value)> = parts.iter().map(compared).collect::<Option<_>>()?;
    let symbol = all.first()?.0;
    let is_same = all.iter().all(|(s, _)| *s == symbol);
    is_same.then(|| (symbol, all.into_iter().map(|(_, value)| value).collect()))
}

impl Switch {
    fn of(icfg: &Icfg, pool: &TermPool, loc: LocId) -> Option<Switch> {
        let condition = |e: EdgeId| match icfg.edges[e].label {
            Label::Stmt(Stmt::Assume(condition)) => Some(condition),
            _ => None,
        };
        let edges = icfg.out_edges(loc);
        let symbol = edges.iter().find_map(|&e| comparison(pool, condition(e)?))?.0;
        let variable = icfg.vars.iter().find(|(_, v)| pool.as_symbol(v.term) == Some(symbol))?.0;
        let (mut cases, mut defaults, mut others): (FastMap<Value, Vec<EdgeId>>, _, _) =
            (FastMap::default(), Vec::new(), Vec::new());
        for &e in edges {
            let case = condition(e).and_then(|c| comparison(pool, c)).filter(|(s, _)| *s == symbol);
            let default = condition(e).and_then(|c| differences(pool, c)).filter(|(s, _)| *s == symbol);
            match (case, default) {
                (Some((_, value)), _) => cases.entry(value).or_default().push(e),
                (None, Some((_, values))) => defaults.push((e, values)),
                (None, None) => others.push(e),
            }
        }
        Some(Switch { variable, cases, defaults, others })
    }

    /// The variable that is compared.
    pub fn variable(&self) -> VarId {
        self.variable
    }

    /// The edges that may be open when the variable has this value, which is known as a whole; in the order of the
    /// graph.
    pub fn edges(&self, value: &Value) -> Vec<EdgeId> {
        let mut edges = self.others.clone();
        edges.extend(self.cases.get(value).into_iter().flatten());
        edges.extend(self.defaults.iter().filter(|(_, not)| !not.contains(value)).map(|(e, _)| *e));
        edges.sort_unstable();
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Note, ProcId, VarKind, VarRole, Variable};
    use base::Span;
    use logic::{Model, SortId};

    #[test]
    fn an_edge_is_left_out_only_if_it_is_closed() {
        let mut pool = TermPool::new();
        let mut icfg = Icfg::new();
        let proc = ProcId(0);
        let (at, next) = (icfg.add_loc(proc, Span::NONE), icfg.add_loc(proc, Span::NONE));
        let mut variable = |name: &str| {
            let term = pool.fresh_constant(name, SortId::INT);
            let (kind, role, span) = (VarKind::Local(proc), VarRole::Temporary, Span::NONE);
            icfg.vars.push(Variable { name: name.to_string(), sort: SortId::INT, term, kind, role, span });
            term
        };
        let (x, y) = (variable("x"), variable("y"));
        let mut is = |v: TermId, n: i64| {
            let n = pool.int(n);
            pool.eq(v, n)
        };
        let cases: Vec<TermId> = (0..9).map(|n| is(x, n)).collect();
        let (others, twice) = (is(y, 3), is(x, 4));
        let not: Vec<TermId> = cases.iter().map(|&c| pool.not(c)).collect();
        let (default, one, five) = (pool.and(&not), not[1], pool.int(5));
        let above = pool.ge(x, five);
        let conditions: Vec<TermId> = cases.into_iter().chain([others, twice, default, one, above]).collect();
        for &condition in &conditions {
            icfg.add_edge(at, next, Label::Stmt(Stmt::Assume(condition)), Span::NONE, Note::None);
        }
        let mut switches = Switches::default();
        let switch = switches.at(&icfg, &pool, at).expect("there are many cases");
        assert_eq!(icfg.vars[switch.variable()].term, x);
        for n in -2..12 {
            let found = switch.edges(&Value::int(n));
            assert!(found.is_sorted());
            for (e, edge) in icfg.edges.iter() {
                let Label::Stmt(Stmt::Assume(condition)) = edge.label else { continue };
                let mut model = Model::default();
                for (term, value) in [(x, n), (y, 3)] {
                    if let Some(symbol) = pool.as_symbol(term) {
                        model.set(symbol, Value::int(value));
                    }
                }
                if model.holds(&pool, condition) == Ok(true) {
                    assert!(found.contains(&e), "{n}");
                }
            }
            // Two cases at most, the default, what is decided by more, and the comparison.
            assert!(found.len() <= 5, "{n}: {found:?}");
        }
    }
}
