//! Conditionals in assignments as branches.
//!
//! `x := c ? a : b` is one step for a solver, but who goes through states one by one knows nothing of `x` where `c` is
//! unknown. In the graph that is made here control branches instead: `assume c; x := a` or `assume !c; x := b`. Every
//! execution of the one graph is one of the other. Assignments with many conditionals stay as they are, and so do
//! graphs with calls.

use crate::icfg::{Icfg, Label};
use crate::program::{Note, Stmt, VarId};
use logic::{Op, TermId, TermPool};

/// The largest number of assignments that one becomes.
const MAX_CASES: usize = 8;

type Pairs = Vec<(VarId, TermId)>;

/// The graph with branches for conditionals. Locations keep their numbers; edges do not.
pub fn as_branches(icfg: &Icfg, pool: &mut TermPool) -> Icfg {
    if icfg.has_calls() {
        return icfg.clone();
    }
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.axioms = icfg.axioms.clone();
    result.acceptance = icfg.acceptance.clone();
    result.root = icfg.root;
    result.procs = icfg.procs.clone();
    for location in icfg.locs.values() {
        let copy = result.add_loc(location.proc, location.span);
        result.locs[copy] = location.clone();
    }
    for edge in icfg.edges.values() {
        let cases = match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => cases(pool, pairs),
            _ => Vec::new(),
        };
        if cases.len() < 2 {
            result.add_edge(edge.src, edge.dst, edge.label.clone(), edge.span, edge.note);
            continue;
        }
        for (conditions, pairs) in cases {
            let when = pool.and(&conditions);
            let between = result.add_loc(icfg.locs[edge.src].proc, edge.span);
            result.add_edge(edge.src, between, Label::Stmt(Stmt::Assume(when)), edge.span, Note::None);
            result.add_edge(between, edge.dst, Label::Stmt(Stmt::Assign(pairs)), edge.span, edge.note);
        }
    }
    result
}

/// The assignments that one with conditionals stands for, each with its conditions; one of the conjunctions holds in
/// every state. A single one: it is kept unchanged.
fn cases(pool: &mut TermPool, pairs: &Pairs) -> Vec<(Vec<TermId>, Pairs)> {
    let unchanged = || vec![(Vec::new(), pairs.clone())];
    let mut done = Vec::new();
    let mut open = unchanged();
    while let Some((conditions, pairs)) = open.pop() {
        let terms: Vec<TermId> = pairs.iter().map(|p| p.1).collect();
        let condition = match first_condition(pool, &terms) {
            Found::Nothing => {
                done.push((conditions, pairs));
                continue;
            }
            Found::Quantifier => return unchanged(),
            Found::Condition(condition) => condition,
        };
        if done.len() + open.len() + 2 > MAX_CASES {
            return unchanged();
        }
        for truth in [true, false] {
            let value = pool.bool(truth);
            let assigned = pairs.iter().map(|&(v, t)| (v, pool.substitute(t, &[(condition, value)]))).collect();
            let mut known = conditions.clone();
            known.push(if truth { condition } else { pool.not(condition) });
            open.push((known, assigned));
        }
    }
    done
}

enum Found {
    Nothing,
    Condition(TermId),
    /// What it binds cannot be taken out.
    Quantifier,
}

/// The condition of some conditional in the terms that has no conditional in itself.
fn first_condition(pool: &TermPool, terms: &[TermId]) -> Found {
    let mut found = Found::Nothing;
    // Arguments come first, so the first conditional has none in its condition.
    pool.visit_postorder(terms, |t| match (pool.op(t), &found) {
        (Op::Forall(_) | Op::Exists(_), _) => found = Found::Quantifier,
        (Op::Ite, Found::Nothing) => found = Found::Condition(pool.arg(t, 0)),
        _ => {}
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icfg::IcfgProc;
    use crate::program::{VarKind, VarRole, Variable};
    use base::{IdVec, Span};
    use logic::{Model, SortId, Value};

    /// A conditional in the condition of another: all values of the inputs take one way each, and it assigns what the
    /// term says.
    #[test]
    fn exactly_one_branch_is_taken_and_it_assigns_the_value() {
        let mut pool = TermPool::new();
        let name = |pool: &mut TermPool, n: &str| pool.constant(n, SortId::INT);
        let (x, y) = (name(&mut pool, "x"), name(&mut pool, "y"));
        let number = |pool: &mut TermPool, n: i64| pool.int_num(logic::Rational::from(n));
        let (zero, one, two) = (number(&mut pool, 0), number(&mut pool, 1), number(&mut pool, 2));
        let x_is_zero = pool.eq(x, zero);
        let inner = pool.ite(x_is_zero, y, one);
        let inner_is_one = pool.le(inner, one);
        let outer = pool.ite(inner_is_one, x, two);
        let pairs = vec![(VarId(0), outer), (VarId(1), inner)];
        let found = cases(&mut pool, &pairs);
        assert!(found.len() > 1);
        for (a, b) in (-1..3).flat_map(|a| (-1..3).map(move |b| (a, b))) {
            let mut model = Model::new();
            for (t, n) in [(x, a), (y, b)] {
                model.set(pool.as_symbol(t).expect("a symbol"), Value::int(n));
            }
            let holds = |c: &TermId| model.eval(&pool, *c) == Ok(Value::Bool(true));
            let taken: Vec<_> = found.iter().filter(|(conditions, _)| conditions.iter().all(holds)).collect();
            let [(_, assigned)] = taken[..] else { panic!("{} ways for {a}, {b}", taken.len()) };
            for ((_, before), (_, after)) in pairs.iter().zip(assigned) {
                assert_eq!(model.eval(&pool, *before), model.eval(&pool, *after));
            }
        }
    }

    #[test]
    fn locations_stay_and_other_edges_are_copied() {
        let mut pool = TermPool::new();
        let (c, x) = (pool.constant("c", SortId::BOOL), pool.constant("x", SortId::INT));
        let one = pool.int_num(logic::Rational::from(1));
        let chosen = pool.ite(c, one, x);
        let mut icfg = Icfg::new();
        let proc = crate::ProcId(0);
        let [a, b, end] = [(); 3].map(|()| icfg.add_loc(proc, Span::NONE));
        let variable = |name: &str, sort, term| Variable {
            name: name.to_string(),
            sort,
            term,
            kind: VarKind::Global,
            span: Span::NONE,
            role: VarRole::default(),
        };
        icfg.vars = IdVec::from_iter([variable("x", SortId::INT, x)]);
        icfg.procs.push(IcfgProc {
            name: "main".to_string(),
            entry: a,
            exit: end,
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            modifies: Vec::new(),
            span: Span::NONE,
        });
        icfg.root = Some(proc);
        icfg.add_edge(a, b, Label::Stmt(Stmt::Assign(vec![(VarId(0), chosen)])), Span::NONE, Note::None);
        icfg.add_edge(b, end, Label::Stmt(Stmt::Assume(c)), Span::NONE, Note::None);
        let split = as_branches(&icfg, &mut pool);
        assert_eq!((split.locs.len(), split.edges.len()), (5, 5));
        assert_eq!(split.out_edges(a).len(), 2);
        assert_eq!(split.out_edges(b).len(), 1);
    }
}
