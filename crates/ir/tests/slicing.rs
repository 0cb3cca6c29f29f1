//! Slices allow what the program allows, and leave out what no check depends on.

use base::{Random, SourceMap};
use ir::slicing::{Depth, slice, weakened};
use ir::{Icfg, Label, LocId, Stmt, VarId};
use logic::{Model, TermId, TermPool, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

fn variable(r: &mut Random) -> char {
    r.one_of(&['p', 'q', 'r', 's', 't'])
}

fn condition(r: &mut Random) -> String {
    match r.below(4) {
        0 => variable(r).to_string(),
        1 => format!("!{}", variable(r)),
        2 => format!("({} && !{})", variable(r), variable(r)),
        _ => format!("({} || {})", variable(r), variable(r)),
    }
}

fn statements(r: &mut Random, depth: u32, text: &mut String) {
    for _ in 0..1 + r.below(4) {
        let _ = match r.below(if depth == 0 { 6 } else { 9 }) {
            0..=2 => writeln!(text, "{} := {};", variable(r), condition(r)),
            3 => writeln!(text, "havoc {};", variable(r)),
            4 => writeln!(text, "assume {};", condition(r)),
            5 => writeln!(text, "call {} := flip({});", variable(r), condition(r)),
            6 => writeln!(text, "assert {} || {};", condition(r), condition(r)),
            7 => {
                let _ = writeln!(text, "if ({}) {{", condition(r));
                statements(r, depth - 1, text);
                text.push_str("} else {\n");
                statements(r, depth - 1, text);
                writeln!(text, "}}")
            }
            _ => {
                let _ = writeln!(text, "while ({}) {{", condition(r));
                statements(r, depth - 1, text);
                writeln!(text, "}}")
            }
        };
    }
}

fn graph(text: &str, pool: &mut TermPool) -> Icfg {
    let mut sources = SourceMap::new();
    let file = sources.add("random.bpl", text);
    let Ok(program) = boogie::compile(&sources, file, pool) else { panic!("not a program:\n{text}") };
    Icfg::build(&program, pool)
}

/// The checks that fail in some execution: all states of a program of truth values are looked at.
fn failing(pool: &mut TermPool, graph: &Icfg) -> BTreeSet<base::Span> {
    let Ok((icfg, _)) = ir::inline::inline_calls(graph, pool, &Default::default()) else { panic!("no recursion") };
    let vars: Vec<VarId> = icfg.vars.ids().collect();
    let n_states = 1usize << vars.len();
    let model = |state: usize| {
        let mut model = Model::new();
        for (i, v) in vars.iter().enumerate() {
            if let Some(symbol) = pool.as_symbol(icfg.vars[*v].term) {
                model.set(symbol, Value::Bool(state >> i & 1 == 1));
            }
        }
        model
    };
    let mut seen: BTreeSet<(LocId, usize)> = BTreeSet::new();
    let mut work: Vec<(LocId, usize)> = (0..n_states).map(|s| (icfg.entry(), s)).collect();
    while let Some((loc, state)) = work.pop() {
        if !seen.insert((loc, state)) {
            continue;
        }
        let model = model(state);
        let holds = |t: TermId| model.eval(pool, t) == Ok(Value::Bool(true));
        let with = |state: usize, v: VarId, value: bool| {
            state & !(1 << v.index_in(&vars)) | usize::from(value) << v.index_in(&vars)
        };
        for e in icfg.out_edges(loc) {
            let edge = &icfg.edges[*e];
            match &edge.label {
                Label::Stmt(Stmt::Assume(c)) => work.extend(holds(*c).then_some((edge.dst, state))),
                Label::Stmt(Stmt::Assign(pairs)) => {
                    let next = pairs.iter().fold(state, |s, (v, t)| with(s, *v, holds(*t)));
                    work.push((edge.dst, next));
                }
                Label::Stmt(Stmt::Havoc(havocked, _)) => {
                    let choose = |states: Vec<usize>, v: &VarId| -> Vec<usize> {
                        states.iter().flat_map(|s| [with(*s, *v, false), with(*s, *v, true)]).collect()
                    };
                    let states = havocked.iter().fold(vec![state], choose);
                    work.extend(states.into_iter().map(|s| (edge.dst, s)));
                }
                other => panic!("an edge of another kind: {other:?}"),
            }
        }
    }
    let reached = seen.iter().filter_map(|(loc, _)| icfg.locs[*loc].error.as_ref());
    reached.map(|check| check.span).collect()
}

trait Index {
    fn index_in(self, vars: &[VarId]) -> usize;
}
impl Index for VarId {
    fn index_in(self, vars: &[VarId]) -> usize {
        vars.iter().position(|v| *v == self).unwrap_or(0)
    }
}

#[test]
fn what_fails_in_a_program_fails_in_its_slices() {
    let (mut n_failing, mut n_smaller, mut n_weaker) = (0, 0, 0);
    for seed in 1..150u64 {
        let mut r = Random::new(seed);
        let mut text = "var p, q, r, s, t: bool;
            procedure flip(b: bool) returns (c: bool) modifies s; { c := !b; s := b; }
            procedure main() modifies p, q, r, s, t;\n{\n"
            .to_string();
        statements(&mut r, 2, &mut text);
        let _ = writeln!(text, "assert {};\n}}", condition(&mut r));
        let mut pool = TermPool::new();
        let whole = graph(&text, &mut pool);
        let fails = failing(&mut pool, &whole);
        n_failing += fails.len();
        for depth in [Depth::Data, Depth::Guards] {
            let sliced = slice(&mut pool, &whole, depth);
            n_smaller += usize::from(sliced.edges.len() < whole.edges.len());
            let fails_there = failing(&mut pool, &sliced);
            assert!(fails.is_subset(&fails_there), "{depth:?}: {fails:?}, {fails_there:?}\n{text}");
        }
        let Ok((flat, _)) = ir::inline::inline_calls(&whole, &mut pool, &Default::default()) else {
            panic!("no recursion")
        };
        if let Some(weaker) = weakened(&mut pool, &flat, Depth::Guards) {
            n_weaker += 1;
            let fails_there = failing(&mut pool, &weaker);
            assert!(fails.is_subset(&fails_there), "weakened: {fails:?}, {fails_there:?}\n{text}");
        }
    }
    assert!(n_failing > 100 && n_smaller > 100, "{n_failing} checks fail, {n_smaller} slices are smaller");
    assert!(n_weaker > 50, "{n_weaker} graphs are weaker");
}

#[test]
fn what_does_not_matter_is_dropped() {
    let text = "var x, y, z: int;
        procedure noise() modifies y, z; { y := y + z; if (y > 7) { z := y; } }
        procedure main() modifies x, y, z; {
          x := 0; y := 3;
          while (x < 10) { call noise(); x := x + 1; if (z > 3) { z := 0; } }
          assert x <= 10;
        }";
    let mut pool = TermPool::new();
    let whole = graph(text, &mut pool);
    for depth in [Depth::Data, Depth::Guards] {
        let sliced = slice(&mut pool, &whole, depth);
        let assigned = sliced.edges.values().filter_map(|e| match &e.label {
            Label::Stmt(Stmt::Assign(pairs)) => Some(pairs.iter().map(|(v, _)| sliced.vars[*v].name.clone())),
            _ => None,
        });
        let names: BTreeSet<String> = assigned.flatten().collect();
        assert_eq!(names, BTreeSet::from(["x".to_string()]));
        assert!(sliced.edges.len() <= 12, "{} edges", sliced.edges.len());
    }
}
