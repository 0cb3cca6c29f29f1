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

/// At most this many questions to the SAT solver.
const MAX_QUERIES: usize = 2_000;
/// Words of 64 random assignments each.
const N_WORDS: usize = 4;

/// The value of a gate under all simulated assignments.
type Signature = [u64; N_WORDS];

/// Simulation of a circuit that grows.
struct Simulation {
    /// Per variable its value in each assignment.
    inputs: Vec<Signature>,
    /// Per gate of the circuit.
    gates: Vec<Signature>,
}

impl Simulation {
    fn new(n_vars: usize) -> Simulation {
        let mut random = base::Random::new(0);
        Simulation { inputs: (0..n_vars).map(|_| std::array::from_fn(|_| random.bits())).collect(), gates: Vec::new() }
    }
    /// Simulates the gates that are new.
    fn extend(&mut self, circuit: &Circuit) {
        for index in self.gates.len()..circuit.n_gates() {
            let value = match circuit.kind(Gate(index as u32)) {
                GateKind::False | GateKind::Formula(_) => [0; N_WORDS],
                GateKind::True => [u64::MAX; N_WORDS],
                GateKind::Literal(l) => {
                    let words = self.inputs.get(l.var().index()).copied().unwrap_or_default();
                    if l.is_positive() { words } else { words.map(|w| !w) }
                }
                GateKind::And(a, b) => self.both(a, b, |x, y| x & y),
                GateKind::Or(a, b) => self.both(a, b, |x, y| x | y),
            };
            self.gates.push(value);
        }
    }
    fn both(&self, a: Gate, b: Gate, op: impl Fn(u64, u64) -> u64) -> Signature {
        let (a, b) = (&self.gates[a.0 as usize], &self.gates[b.0 as usize]);
        std::array::from_fn(|w| op(a[w], b[w]))
    }
    /// Adds an assignment, in the place of the oldest one of the last word, and simulates everything anew.
    fn learn(&mut self, circuit: &Circuit, model: &[bool]) {
        for (words, &value) in self.inputs.iter_mut().zip(model) {
            words[N_WORDS - 1] = words[N_WORDS - 1] << 1 | u64::from(value);
        }
        self.gates.clear();
        self.extend(circuit);
    }
}

/// An equivalent circuit with equivalent gates merged where the solver found them equal.
pub fn sweep(circuit: &Circuit, roots: &[Gate], n_vars: usize, budget: &Budget) -> (Circuit, Vec<Gate>) {
    let mut out = Circuit::new();
    let mut simulation = Simulation::new(n_vars);
    let mut renamed: Vec<Gate> = vec![Gate::FALSE; circuit.n_gates()];
    // One representative for each signature, among the gates of the new circuit that are in use.
    let mut known: Vec<Gate> = vec![Gate::FALSE, Gate::TRUE];
    let mut representative: FxHashMap<Signature, Gate> = FxHashMap::default();
    let classes = |simulation: &Simulation, known: &[Gate], table: &mut FxHashMap<Signature, Gate>| {
        table.clear();
        for &gate in known {
            table.entry(simulation.gates[gate.0 as usize]).or_insert(gate);
        }
    };
    simulation.extend(&out);
    classes(&simulation, &known, &mut representative);
    let mut queries = 0;
    for gate in circuit.cone(roots) {
        let mut new = match circuit.kind(gate) {
            GateKind::False => Gate::FALSE,
            GateKind::True => Gate::TRUE,
            GateKind::Literal(l) => out.literal(l),
            GateKind::Formula(t) => out.formula(t),
            GateKind::And(a, b) => out.and(renamed[a.0 as usize], renamed[b.0 as usize]),
            GateKind::Or(a, b) => out.or(renamed[a.0 as usize], renamed[b.0 as usize]),
        };
        simulation.extend(&out);
        let has_formula = matches!(circuit.kind(gate), GateKind::Formula(_));
        while !has_formula && queries < MAX_QUERIES && budget.check_now().is_ok() {
            let signature = simulation.gates[new.0 as usize];
            let Some(&candidate) = representative.get(&signature) else {
                representative.insert(signature, new);
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
                    simulation.learn(&out, &model);
                    classes(&simulation, &known, &mut representative);
                }
            }
        }
        renamed[gate.0 as usize] = new;
    }
    let gates = roots.iter().map(|r| renamed[r.0 as usize]).collect();
    (out, gates)
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
