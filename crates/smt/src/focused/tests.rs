//! Focused interpolants against their definition, on small refutations.

use super::families::{instances, pigeonhole};
use super::*;
use crate::interpolate::labelled::Label;
use crate::test_support::random_cnf;
use base::Random;

fn unlimited() -> Budget {
    Budget::unlimited()
}

#[test]
fn random_formulas_with_random_assignments_are_interpolated_and_verified() {
    let mut rng = Random::new(11);
    let mut n_answered = 0;
    for _ in 0..150 {
        let n_vars = 6 + rng.below(10);
        let clauses = random_cnf(&mut rng, n_vars, 6 * n_vars);
        let n_clauses = clauses.len();
        let mut refuted = match Refuted::prove(Cnf { n_vars, clauses }, &unlimited()) {
            Ok(refuted) => refuted,
            Err(FocusError::Satisfiable(_)) => continue,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(refuted.dag.check(), Ok(()));
        if rng.flip() {
            refuted.reduce(&Pass::RECOMMENDED, 3, &unlimited()).expect("a refutation");
            assert_eq!(refuted.dag.check(), Ok(()));
        }
        for labels in [Labels::McMillan, Labels::Pudlak, Labels::McMillanPrime] {
            for focus in Focus::ALL {
                let mut splits: Vec<usize> = (0..1 + rng.below(3)).map(|_| 1 + rng.below(n_clauses - 1)).collect();
                splits.sort_unstable();
                splits.dedup();
                let mut assignment = Vec::new();
                for v in 0..n_vars as u32 {
                    if rng.below(6) == 0 {
                        assignment.push(Var(v).lit(rng.flip()));
                    }
                }
                let query = Query { splits, assignment, labels: labels.clone(), focus };
                match refuted.interpolate_verified(&query, &unlimited()) {
                    Ok((answer, by)) => {
                        assert_eq!(by, VerifiedBy::Derivation, "{query:?}");
                        refuted.verify(&query, &answer, &unlimited()).expect("an interpolant");
                        let (swept, gates) = sweep::sweep(&answer.circuit, &answer.gates, n_vars, &unlimited());
                        assert!(swept.size(&gates) <= answer.circuit.size(&answer.gates));
                        let swept = Interpolants { circuit: swept, gates };
                        refuted.verify(&query, &swept, &unlimited()).expect("sweeping keeps the function");
                        n_answered += 1;
                    }
                    Err(FocusError::ClauseFalsified(_)) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    assert!(n_answered > 100, "{n_answered}");
}

#[test]
fn bad_input_gets_a_clear_message() {
    let text = |error: FocusError| error.to_string();
    let refuted = Refuted::prove(pigeonhole(2), &unlimited()).expect("unsatisfiable");
    let ask = |query: Query| refuted.interpolate(&query, &unlimited()).map(|_| ()).map_err(text);
    let lit = |n: i64| cnf::literal(n).expect("a literal");
    assert!(ask(Query { splits: vec![100], ..Query::default() }).unwrap_err().contains("has 9 clauses"));
    assert!(ask(Query { splits: vec![0], ..Query::default() }).unwrap_err().contains("cannot split"));
    assert!(ask(Query { splits: vec![3, 2], ..Query::default() }).unwrap_err().contains("increase"));
    let assigned = |numbers: &[i64]| Query {
        splits: vec![3],
        assignment: numbers.iter().map(|&n| lit(n)).collect(),
        ..Query::default()
    };
    assert_eq!(ask(assigned(&[-1, -2])), Err("the assignment falsifies clause 1".to_string()));
    assert_eq!(ask(assigned(&[1, -1])), Err("the variable 1 is assigned both ways".to_string()));
    assert!(ask(assigned(&[99])).unwrap_err().contains("does not occur"));
    let satisfiable = Cnf::parse("1 2 0").expect("well-formed");
    assert!(text(Refuted::prove(satisfiable, &unlimited()).unwrap_err()).contains("satisfiable"));
}

#[test]
fn labels_per_literal_lie_between_the_named_ones() {
    let refuted = Refuted::prove(pigeonhole(4), &unlimited()).expect("unsatisfiable");
    let labels = (0..20u32).map(|v| (Var(v).lit(v % 3 == 0), if v % 2 == 0 { Label::A } else { Label::B })).collect();
    let query =
        Query { splits: vec![20], labels: Labels::PerLiteral { labels, otherwise: Label::Both }, ..Query::default() };
    let answer = refuted.interpolate(&query, &unlimited()).expect("an interpolant");
    refuted.verify(&query, &answer, &unlimited()).expect("verified");
}

#[test]
fn every_family_member_is_unsatisfiable_and_many_queries_need_one_proof() {
    for instance in instances().into_iter().filter(|i| i.cnf.clauses.len() < 400) {
        let refuted = match Refuted::prove(instance.cnf, &unlimited()) {
            Ok(refuted) => refuted,
            Err(error) => panic!("{}: {error}", instance.name),
        };
        let n = refuted.cnf.clauses.len();
        let query = Query { splits: vec![n / 4, n / 2, 3 * n / 4], ..Query::default() };
        let answer = refuted.interpolate(&query, &unlimited()).expect("interpolants");
        assert_eq!(answer.gates.len(), 3);
    }
}

#[test]
fn exports_agree_with_the_circuit() {
    let refuted = Refuted::prove(pigeonhole(3), &unlimited()).expect("unsatisfiable");
    let query = Query { splits: vec![10], labels: Labels::Pudlak, ..Query::default() };
    let answer = refuted.interpolate(&query, &unlimited()).expect("an interpolant");
    let gate = answer.gates[0];
    let n_vars = refuted.cnf.n_vars;
    // DIMACS: satisfiable under a total assignment exactly where the interpolant is true.
    let exported = Cnf::parse(&export::dimacs(&answer.circuit, gate, n_vars)).expect("well-formed");
    for world in (0u32..1 << n_vars).step_by(37) {
        let value = answer.circuit.eval(gate, |l| crate::test_support::holds(l, world));
        let mut clauses = exported.clauses.clone();
        clauses.extend((0..n_vars as u32).map(|v| vec![Var(v).lit(world >> v & 1 == 1)]));
        let (outcome, _) = plain_sat::solve(exported.n_vars, clauses.iter().map(Vec::as_slice), false, &unlimited());
        assert_eq!(outcome == Outcome::Sat, value);
    }
    // AIGER: the header counts what follows.
    let aiger = export::aiger(&answer.circuit, &[gate]);
    let header: Vec<usize> =
        aiger.lines().next().unwrap_or("").split(' ').skip(1).filter_map(|w| w.parse().ok()).collect();
    assert_eq!(header.len(), 5);
    assert_eq!(header[0], header[1] + header[4]);
    assert!(export::smtlib(&answer.circuit, gate).contains("x"));
}

/// A derivation does not certify an interpolant that is wrong, or another one that is right.
#[test]
fn derivations_certify_their_own_interpolants_only() {
    let refuted = Refuted::prove(pigeonhole(4), &unlimited()).expect("unsatisfiable");
    let lit = |n: i64| cnf::literal(n).expect("a literal");
    for focus in Focus::ALL {
        let query = Query { splits: vec![12, 25], assignment: vec![lit(1), lit(-7)], focus, ..Query::default() };
        let assignment = refuted.check_query(&query).expect("a good query");
        let (answer, mut derivation) =
            refuted.derive(&assignment, &query, Record::Gates, &unlimited()).expect("interpolants");
        let certifies = |derivation: &Derivation<'_>, circuit: &Circuit, gates: &[Gate]| {
            certificate::certifies(derivation, &refuted.cnf, &query.splits, &assignment, circuit, gates)
        };
        assert!(certifies(&derivation, &answer.circuit, &answer.gates), "{focus:?}");
        let swapped = [answer.gates[1], answer.gates[0]];
        assert!(!certifies(&derivation, &answer.circuit, &swapped), "{focus:?}");
        for wrong in [Gate::TRUE, Gate::FALSE] {
            assert!(!certifies(&derivation, &answer.circuit, &[wrong, answer.gates[1]]), "{focus:?}");
        }
        // A partial interpolant that is wrong anywhere on the way is found, wherever it matters.
        let visited: Vec<usize> = (0..derivation.gates.len()).filter(|&k| derivation.gates[k].is_some()).collect();
        let mut n_found = 0;
        for &node in &visited {
            let right = derivation.gates[node].clone();
            for wrong in [Gate::TRUE, Gate::FALSE] {
                derivation.gates[node] = Some(Runs::constant(2, wrong));
                n_found += usize::from(!certifies(&derivation, &answer.circuit, &answer.gates));
            }
            derivation.gates[node] = right;
        }
        assert!(n_found > visited.len() / 2, "{focus:?}: {n_found} of {}", visited.len());
    }
}

#[test]
fn the_empty_clause_among_the_clauses_is_a_refutation() {
    for (text, value) in [("0\n1 0\n2 0\n", false), ("1 0\n2 0\n0\n", true)] {
        let refuted = Refuted::prove(Cnf::parse(text).expect("well-formed"), &unlimited()).expect("unsatisfiable");
        for assignment in [Vec::new(), vec![Var(0).positive()]] {
            for focus in Focus::ALL {
                let query = Query { splits: vec![1], assignment: assignment.clone(), focus, ..Query::default() };
                let (answer, _) = refuted.interpolate_verified(&query, &unlimited()).expect("an interpolant");
                assert_eq!(answer.gates, [if value { Gate::TRUE } else { Gate::FALSE }]);
            }
        }
    }
}
