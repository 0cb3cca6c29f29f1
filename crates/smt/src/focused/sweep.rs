//! Equivalence sweeping: merging gates of an interpolant that compute the same function.
//!
//! Random simulation puts gates with equal signatures into one class; the SAT solver is asked for
//! each gate whether it equals the first of its class (or a constant), with a limit on the number
//! of questions; a counterexample refines the signatures (Kuehlmann, Krohm 1997; Mishchenko et al.
//! 2005). Gates are rebuilt in order over already merged operands, so the circuit only shrinks.

use super::{export, plain_sat};
use crate::interpolate::circuit::{Circuit, Gate, GateKind};
use crate::sat::Outcome;
use crate::sat::types::{LBool, Lit, Var};
use base::Budget;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// At most this many questions to the SAT solver.
const MAX_QUERIES: usize = 2_000;
/// Words of 64 random assignments each.
const N_WORDS: usize = 4;

/// An equivalent circuit with equivalent gates merged where the solver found them equal.
pub fn sweep(circuit: &Circuit, roots: &[Gate], n_vars: usize, budget: &Budget) -> (Circuit, Vec<Gate>) {
    let mut patterns: Vec<Vec<u64>> = (0..N_WORDS).map(|w| random_words(n_vars, w as u64 + 1)).collect();
    let mut out = Circuit::new();
    let mut renamed: BTreeMap<Gate, Gate> = BTreeMap::new();
    // Per gate of the new circuit one representative per signature.
    let mut signatures: FxHashMap<Vec<u64>, Gate> = FxHashMap::default();
    let mut queries = 0;
    let mut known: Vec<Gate> = vec![Gate::FALSE, Gate::TRUE];
    rehash(&out, &known, &patterns, &mut signatures);
    for gate in circuit.cone(roots) {
        let mut new = match circuit.kind(gate) {
            GateKind::False => Gate::FALSE,
            GateKind::True => Gate::TRUE,
            GateKind::Literal(l) => out.literal(l),
            GateKind::Formula(t) => out.formula(t),
            GateKind::And(a, b) => out.and(renamed[&a], renamed[&b]),
            GateKind::Or(a, b) => out.or(renamed[&a], renamed[&b]),
        };
        let has_formula = matches!(circuit.kind(gate), GateKind::Formula(_));
        while !has_formula && queries < MAX_QUERIES && budget.check().is_ok() {
            let signature = signature(&out, new, &patterns);
            let Some(&candidate) = signatures.get(&signature) else {
                signatures.insert(signature, new);
                known.push(new);
                break;
            };
            if candidate == new {
                break;
            }
            queries += 1;
            match difference(&out, candidate, new, n_vars, budget) {
                None => break,
                Some(Err(())) => {
                    new = candidate;
                    break;
                }
                Some(Ok(model)) => {
                    let last = patterns.len() - 1;
                    // The newest counterexamples replace the oldest bits of the last word.
                    for (v, word) in patterns[last].iter_mut().enumerate() {
                        *word = *word << 1 | u64::from(model[v]);
                    }
                    rehash(&out, &known, &patterns, &mut signatures);
                }
            }
        }
        renamed.insert(gate, new);
    }
    let gates = roots.iter().map(|r| renamed[r]).collect();
    (out, gates)
}

fn random_words(n_vars: usize, seed: u64) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..n_vars)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
        .collect()
}

fn signature(circuit: &Circuit, gate: Gate, patterns: &[Vec<u64>]) -> Vec<u64> {
    let cone = circuit.cone(&[gate]);
    patterns
        .iter()
        .map(|words| {
            let mut values: FxHashMap<Gate, u64> = FxHashMap::default();
            for &g in &cone {
                let value = match circuit.kind(g) {
                    GateKind::False | GateKind::Formula(_) => 0,
                    GateKind::True => u64::MAX,
                    GateKind::Literal(l) => {
                        let word = words.get(l.var().index()).copied().unwrap_or(0);
                        if l.is_positive() { word } else { !word }
                    }
                    GateKind::And(a, b) => values[&a] & values[&b],
                    GateKind::Or(a, b) => values[&a] | values[&b],
                };
                values.insert(g, value);
            }
            values[&gate]
        })
        .collect()
}

fn rehash(circuit: &Circuit, known: &[Gate], patterns: &[Vec<u64>], table: &mut FxHashMap<Vec<u64>, Gate>) {
    table.clear();
    for &gate in known {
        table.entry(signature(circuit, gate, patterns)).or_insert(gate);
    }
}

/// An assignment where the gates differ; `Err` if there is none; `None` if the solver gave up.
fn difference(circuit: &Circuit, a: Gate, b: Gate, n_vars: usize, budget: &Budget) -> Option<Result<Vec<bool>, ()>> {
    let (mut clauses, x, n) = export::definition(circuit, a, n_vars);
    let (more, y, n) = export::definition(circuit, b, n);
    clauses.extend(more);
    clauses.push(vec![x, y]);
    clauses.push(vec![!x, !y]);
    let lits: Vec<&[Lit]> = clauses.iter().map(Vec::as_slice).collect();
    let (outcome, sat) = plain_sat::solve(n, lits, false, budget);
    match outcome {
        Outcome::Unsat => Some(Err(())),
        Outcome::Sat => Some(Ok((0..n_vars).map(|v| sat.value(Var(v as u32).positive()) == LBool::True).collect())),
        Outcome::GaveUp(_) | Outcome::Stopped(_) => None,
    }
}
