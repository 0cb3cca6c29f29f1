//! Interpolants as SMT-LIB, AIGER and DIMACS text.

use super::cnf::{Cnf, number};
use crate::interpolate::circuit::{Circuit, Gate, GateKind};
use crate::sat::types::{Lit, Var};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Clauses over new variables from `n_vars` on that define the gate; its literal; and the number
/// of variables then. Constants are defined by a unit clause.
pub fn definition(circuit: &Circuit, root: Gate, n_vars: usize) -> (Vec<Vec<Lit>>, Lit, usize) {
    let mut clauses = Vec::new();
    let mut lit_of: BTreeMap<Gate, Lit> = BTreeMap::new();
    let mut next = n_vars;
    for gate in circuit.cone(&[root]) {
        let mut fresh = || {
            next += 1;
            Var(next as u32 - 1).positive()
        };
        let lit = match circuit.kind(gate) {
            GateKind::Literal(lit) => lit,
            GateKind::True => {
                let x = fresh();
                clauses.push(vec![x]);
                x
            }
            GateKind::False => {
                let x = fresh();
                clauses.push(vec![!x]);
                x
            }
            GateKind::And(a, b) => {
                let (x, a, b) = (fresh(), lit_of[&a], lit_of[&b]);
                clauses.extend([vec![!x, a], vec![!x, b], vec![x, !a, !b]]);
                x
            }
            GateKind::Or(a, b) => {
                let (x, a, b) = (fresh(), lit_of[&a], lit_of[&b]);
                clauses.extend([vec![x, !a], vec![x, !b], vec![!x, a, b]]);
                x
            }
            // Propositional circuits have no theory formulas; an unconstrained variable is what
            // any formula is to a SAT solver.
            GateKind::Formula(_) => fresh(),
        };
        lit_of.insert(gate, lit);
    }
    (clauses, lit_of[&root], next)
}

/// The interpolant as a DIMACS formula that is satisfiable exactly where the interpolant is true.
pub fn dimacs(circuit: &Circuit, root: Gate, n_vars: usize) -> String {
    let (mut clauses, lit, n_vars) = definition(circuit, root, n_vars);
    clauses.push(vec![lit]);
    Cnf { n_vars, clauses }.print()
}

fn smt_literal(lit: Lit) -> String {
    let name = format!("x{}", number(lit.var().positive()));
    if lit.is_positive() { name } else { format!("(not {name})") }
}

/// The interpolant as one SMT-LIB term over `x1`, `x2`, …; shared gates are bound by `let`.
pub fn smtlib(circuit: &Circuit, root: Gate) -> String {
    let cone = circuit.cone(&[root]);
    let mut uses: BTreeMap<Gate, usize> = BTreeMap::new();
    for &gate in &cone {
        if let GateKind::And(a, b) | GateKind::Or(a, b) = circuit.kind(gate) {
            *uses.entry(a).or_default() += 1;
            *uses.entry(b).or_default() += 1;
        }
    }
    // Every gate that is used twice gets a name; names are bound one inside the other, so the
    // text is linear in the DAG. Gates used once are written in place, but not beyond a nesting
    // depth that readers might not survive.
    const MAX_DEPTH: usize = 64;
    let mut text: BTreeMap<Gate, (String, usize)> = BTreeMap::new();
    let mut out = String::new();
    let mut n_lets = 0;
    for gate in cone {
        let (body, depth) = match circuit.kind(gate) {
            GateKind::True => ("true".to_string(), 0),
            GateKind::False => ("false".to_string(), 0),
            GateKind::Literal(lit) => (smt_literal(lit), 0),
            GateKind::Formula(t) => (format!("{t}"), 0),
            kind @ (GateKind::And(a, b) | GateKind::Or(a, b)) => {
                let op = if matches!(kind, GateKind::And(..)) { "and" } else { "or" };
                let mut take =
                    |g: Gate| if uses[&g] == 1 { text.remove(&g) } else { text.get(&g).cloned() }.unwrap_or_default();
                let ((x, dx), (y, dy)) = (take(a), take(b));
                (format!("({op} {x} {y})"), 1 + dx.max(dy))
            }
        };
        let is_operator = matches!(circuit.kind(gate), GateKind::And(..) | GateKind::Or(..));
        let named = gate != root && is_operator && (uses.get(&gate).copied().unwrap_or(0) > 1 || depth > MAX_DEPTH);
        if named {
            let name = format!("g{}", gate.0);
            let _ = write!(out, "(let (({name} {body}))\n ");
            n_lets += 1;
            text.insert(gate, (name, 0));
        } else {
            text.insert(gate, (body, depth));
        }
    }
    let (body, _) = text.remove(&root).unwrap_or_default();
    out.push_str(&body);
    out.push_str(&")".repeat(n_lets));
    out
}

/// The interpolants as an ASCII AIGER circuit: one input per variable of the formula that occurs,
/// one output per interpolant, with a symbol table.
pub fn aiger(circuit: &Circuit, roots: &[Gate]) -> String {
    let lits = circuit.literals(roots);
    let mut vars: Vec<Var> = lits.iter().map(|l| l.var()).collect();
    vars.dedup();
    let mut code: BTreeMap<Gate, u64> = BTreeMap::new();
    let input = |var: Var| 2 * (vars.binary_search(&var).unwrap_or(0) as u64 + 1);
    let mut next = vars.len() as u64 + 1;
    let mut ands = String::new();
    let mut n_ands = 0;
    for gate in circuit.cone(roots) {
        let value = match circuit.kind(gate) {
            GateKind::False => 0,
            GateKind::True => 1,
            GateKind::Literal(l) => input(l.var()) ^ u64::from(!l.is_positive()),
            GateKind::Formula(_) => 0,
            GateKind::And(a, b) => {
                let (x, y) = (code[&a].max(code[&b]), code[&a].min(code[&b]));
                let _ = writeln!(ands, "{} {x} {y}", 2 * next);
                next += 1;
                n_ands += 1;
                2 * (next - 1)
            }
            GateKind::Or(a, b) => {
                let (x, y) = ((code[&a] ^ 1).max(code[&b] ^ 1), (code[&a] ^ 1).min(code[&b] ^ 1));
                let _ = writeln!(ands, "{} {x} {y}", 2 * next);
                next += 1;
                n_ands += 1;
                (2 * (next - 1)) ^ 1
            }
        };
        code.insert(gate, value);
    }
    let mut out = format!("aag {} {} 0 {} {n_ands}\n", vars.len() + n_ands, vars.len(), roots.len());
    for k in 0..vars.len() {
        let _ = writeln!(out, "{}", 2 * (k + 1));
    }
    for root in roots {
        let _ = writeln!(out, "{}", code[root]);
    }
    out.push_str(&ands);
    for (k, var) in vars.iter().enumerate() {
        let _ = writeln!(out, "i{k} x{}", number(var.positive()));
    }
    for k in 0..roots.len() {
        let _ = writeln!(out, "o{k} I{}", k + 1);
    }
    out
}
