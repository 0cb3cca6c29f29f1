//! Random small programs: the abstract state of a location contains every concrete state in which executions come
//! there.
//!
//! Programs are texts with loops, branches, inlined calls, integers, words, truth values and a map. They are executed
//! here, edge by edge, with random choices; nothing is shared with the analysis but the evaluation of terms.

use super::{Fixpoint, Part, Precision, fixpoint, vocabulary};
use base::{Budget, Random, SourceMap};
use ir::{Icfg, Label, LocId, Stmt, VarId};
use logic::{ArrayValue, BigInt, Model, Rational, SortId, TermPool, Value};
use std::fmt::Write;
use std::sync::Arc;

/// A small number, more often positive.
fn small(r: &mut Random) -> i64 {
    r.between(-4, 8)
}

const INTS: [&str; 4] = ["x", "y", "z", "i"];

fn number(r: &mut Random, depth: u32) -> String {
    match r.below(if depth == 0 { 3 } else { 10 }) {
        0 => small(r).to_string(),
        1 | 2 => r.one_of(&INTS).to_string(),
        3 | 4 => format!("({} + {})", number(r, depth - 1), number(r, depth - 1)),
        5 => format!("({} - {})", number(r, depth - 1), number(r, depth - 1)),
        6 => format!("({} * {})", small(r), number(r, depth - 1)),
        7 => format!("({} {} {})", number(r, depth - 1), r.one_of(&["div", "mod"]), r.one_of(&["2", "3", "7"])),
        8 => format!("a[{}]", number(r, depth - 1)),
        _ => format!("(if {} then {} else {})", condition(r, depth - 1), number(r, depth - 1), number(r, depth - 1)),
    }
}

fn word(r: &mut Random) -> String {
    match r.below(4) {
        0 => format!("{}bv6", r.below(64)),
        1 => "w".to_string(),
        _ => format!("{}(w, {}bv6)", r.one_of(&["add6", "and6", "shl6", "mul6"]), r.below(64)),
    }
}

fn condition(r: &mut Random, depth: u32) -> String {
    match r.below(if depth == 0 { 4 } else { 8 }) {
        0 => "b".to_string(),
        1 => format!("{}(w, {}bv6)", r.one_of(&["ult6", "slt6"]), r.below(64)),
        2..=4 => {
            let order = r.one_of(&["<", "<=", "==", "!=", ">"]);
            format!("{} {order} {}", number(r, depth.min(1)), number(r, depth.min(1)))
        }
        5 => format!("!({})", condition(r, depth - 1)),
        6 => format!("({} && {})", condition(r, depth - 1), condition(r, depth - 1)),
        _ => format!("({} || {})", condition(r, depth - 1), condition(r, depth - 1)),
    }
}

fn statements(r: &mut Random, depth: u32, text: &mut String) {
    for _ in 0..1 + r.below(4) {
        let _ = match r.below(if depth == 0 { 9 } else { 14 }) {
            0..=3 => writeln!(text, "{} := {};", r.one_of(&INTS), number(r, 2)),
            4 => writeln!(text, "a[{}] := {};", number(r, 1), number(r, 1)),
            5 => writeln!(text, "b := {};", condition(r, 1)),
            6 => writeln!(text, "w := {};", word(r)),
            7 => writeln!(text, "havoc {};", r.one_of(&["x", "y", "b", "w"])),
            8 => writeln!(text, "assume {};", condition(r, 1)),
            9 => writeln!(text, "call {} := step({}, {});", r.one_of(&INTS), number(r, 1), number(r, 1)),
            10 | 11 => {
                let _ =
                    writeln!(text, "while ({}) {{", if r.below(4) == 0 { "*".to_string() } else { condition(r, 1) });
                statements(r, depth - 1, text);
                writeln!(text, "}}")
            }
            _ => {
                let _ = writeln!(text, "if ({}) {{", condition(r, 2));
                statements(r, depth - 1, text);
                let _ = writeln!(text, "}} else {{");
                statements(r, depth - 1, text);
                writeln!(text, "}}")
            }
        };
    }
}

fn program(r: &mut Random) -> String {
    let mut text = String::new();
    for (name, operator) in [("add6", "bvadd"), ("and6", "bvand"), ("shl6", "bvshl"), ("mul6", "bvmul")] {
        let _ = writeln!(text, "function {{:bvbuiltin \"{operator}\"}} {name}(bv6, bv6) returns (bv6);");
    }
    for (name, operator) in [("ult6", "bvult"), ("slt6", "bvslt")] {
        let _ = writeln!(text, "function {{:bvbuiltin \"{operator}\"}} {name}(bv6, bv6) returns (bool);");
    }
    text.push_str(
        "procedure step(n: int, m: int) returns (r: int) {
           var k: int;
           k := 0; r := m;
           while (k < n && k < 5) { k := k + 1; if (r > 9) { r := r - m; } else { r := r + k; } }
         }
         procedure main() {
           var x, y, z, i: int; var b: bool; var w: bv6; var a: [int]int;\n",
    );
    let _ = writeln!(text, "x := {}; i := 0;", small(r));
    statements(r, 3, &mut text);
    text.push_str("}\n");
    text
}

fn any_value(r: &mut Random, pool: &TermPool, sort: SortId) -> Value {
    if sort == SortId::BOOL {
        return Value::Bool(r.below(2) == 0);
    }
    if let Some(width) = pool.bitvec_width(sort) {
        return Value::Bv(BigInt::from(r.below(1 << width) as i64), width);
    }
    match pool.array_parts(sort) {
        Some((_, element)) => Value::Array(Arc::new(ArrayValue::constant(any_value(r, pool, element)))),
        None => Value::Num(Rational::from(small(r))),
    }
}

/// Executes a program with random choices, and complains about a state that the analysis does not have.
fn execute(r: &mut Random, pool: &TermPool, icfg: &Icfg, found: &Fixpoint) -> Result<u64, String> {
    let mut model = Model::new();
    let set = |model: &mut Model, v: VarId, value: Value| {
        if let Some(symbol) = pool.as_symbol(icfg.vars[v].term) {
            model.set(symbol, value);
        }
    };
    for v in icfg.vars.ids() {
        let value = any_value(r, pool, icfg.vars[v].sort);
        set(&mut model, v, value);
    }
    let mut at: LocId = icfg.entry();
    for n_steps in 0..150 {
        let state = &found.states[at];
        if !state.as_ref().is_some_and(|s| s.cases().any(|case| case.contains(pool, &model))) {
            return Err(format!("step {n_steps} at {at:?}"));
        }
        let is_open = |e: &&ir::EdgeId| match &icfg.edges[**e].label {
            Label::Stmt(Stmt::Assume(c)) => model.eval(pool, *c) == Ok(Value::Bool(true)),
            _ => true,
        };
        let open: Vec<ir::EdgeId> = icfg.out_edges(at).iter().filter(is_open).copied().collect();
        if open.is_empty() {
            return Ok(n_steps);
        }
        let edge = &icfg.edges[r.one_of(&open)];
        match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                let values: Vec<_> = pairs.iter().map(|(v, t)| (*v, model.eval(pool, *t))).collect();
                for (v, value) in values {
                    set(&mut model, v, value.map_err(|e| format!("{e:?}"))?);
                }
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                for &v in vars {
                    let value = any_value(r, pool, icfg.vars[v].sort);
                    set(&mut model, v, value);
                }
            }
            Label::Stmt(Stmt::Assume(_)) => {}
            other => return Err(format!("an edge of another kind: {other:?}")),
        }
        at = edge.dst;
    }
    Ok(150)
}

fn check_programs(seeds: std::ops::Range<u64>) {
    let mut n_steps = 0;
    for seed in seeds.clone() {
        let mut r = Random::new(seed);
        let text = program(&mut r);
        let mut sources = SourceMap::new();
        let file = sources.add("random.bpl", &text);
        let mut pool = TermPool::new();
        let Ok(program) = boogie::compile(&sources, file, &mut pool) else { panic!("not a program:\n{text}") };
        let graph = Icfg::build(&program, &mut pool);
        let Ok((icfg, _)) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()) else { continue };
        let vocabulary = Arc::new(vocabulary::vocabulary(&pool, &icfg, &Part::All));
        let partition = if seed % 2 == 0 { vocabulary::enumerated(&pool, &icfg, &Part::All) } else { Vec::new() };
        let precision = Precision { partition, max_cases: 4 };
        let budget = Budget::unlimited();
        let Ok(found) = fixpoint(&mut pool, &icfg, vocabulary, precision, &Part::All, &budget) else { continue };
        for _ in 0..10 {
            match execute(&mut r, &pool, &icfg, &found) {
                Ok(n) => n_steps += n,
                Err(problem) => panic!("seed {seed}, {problem}\n{text}"),
            }
        }
    }
    assert!(n_steps > 20 * (seeds.end - seeds.start), "executions are too short: {n_steps} steps");
}

#[test]
fn states_contain_what_executions_do() {
    check_programs(0..300);
}

/// The long run: `cargo test --profile fast -p engine --lib random_programs -- --ignored`.
#[test]
#[ignore = "takes a minute"]
fn states_contain_what_executions_of_many_programs_do() {
    check_programs(300..10_300);
}
