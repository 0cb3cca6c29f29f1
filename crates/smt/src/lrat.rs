//! Refutations of propositional problems in LRAT.
//!
//! LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT verification, 2017): each line is
//! a new clause with the clauses that refute its negation by unit propagation, in the order in which they become unit.
//! A chain of resolutions is that, read backwards: the last antecedent has one literal that is not in the resolvent,
//! and so on to the first clause, in which nothing is left. Clauses are never deleted, and no step is RAT.

use crate::focused::cnf::{Cnf, literal, number};
use crate::focused::plain_sat;
use crate::proof::{ClauseId, Proof, Step};
use crate::sat::{LBool, Lit, Outcome, Var};
use base::{Budget, Stop};
use logic::AssertionId;
use std::fmt::Write;

/// The answer to a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// With the value of each variable.
    Satisfiable(Vec<bool>),
    /// With a refutation in LRAT, if it was asked for.
    Unsatisfiable(Option<String>),
    Unknown(Stop),
}

/// Solves a problem.
pub fn solve(cnf: &Cnf, with_refutation: bool, budget: &Budget) -> Answer {
    let clauses = cnf.clauses.iter().map(Vec::as_slice);
    let (outcome, sat) = plain_sat::solve(cnf.n_vars, clauses, with_refutation, budget);
    match outcome {
        Outcome::Sat => {
            let value = |i: usize| sat.value(Var(i as u32).positive()) == LBool::True;
            Answer::Satisfiable((0..cnf.n_vars).map(value).collect())
        }
        Outcome::Unsat => {
            let root = sat.refutation().filter(|_| with_refutation);
            Answer::Unsatisfiable(root.map(|root| print(&sat.proof, root, cnf.clauses.len())))
        }
        Outcome::Stopped(stop) => Answer::Unknown(stop),
        Outcome::GaveUp(_) => unreachable!("only theories give up"),
    }
}

/// The chains that the empty clause depends on. Clauses of the problem are numbered from 1, new ones from there on.
fn print(proof: &Proof, root: ClauseId, n_clauses: usize) -> String {
    let mut numbers: Vec<usize> = vec![0; root.0 as usize + 1];
    let mut n_lines = n_clauses;
    let mut text = String::new();
    for id in proof.cone(root) {
        match proof.step(id) {
            Step::Input(AssertionId(i)) => numbers[id.0 as usize] = i as usize + 1,
            Step::Chain { first, links } => {
                n_lines += 1;
                numbers[id.0 as usize] = n_lines;
                let _ = write!(text, "{n_lines}");
                proof.clause(id).iter().for_each(|&l| _ = write!(text, " {}", number(l)));
                text.push_str(" 0");
                for link in links.iter().rev() {
                    let _ = write!(text, " {}", numbers[link.antecedent.0 as usize]);
                }
                let _ = writeln!(text, " {} 0", numbers[first.0 as usize]);
            }
            // There are no theories here.
            Step::Definition(_) | Step::Lemma(_) => {}
        }
    }
    text
}

/// Checks a refutation, by unit propagation along its hints and nothing else. Returns the number of new clauses.
pub fn check(cnf: &Cnf, text: &str) -> Result<usize, String> {
    let mut clauses: Vec<Option<Vec<Lit>>> = vec![None];
    clauses.extend(cnf.clauses.iter().cloned().map(Some));
    let mut is_true = vec![false; 2 * cnf.n_vars];
    let mut n_new = 0;
    for (i, line) in text.lines().enumerate() {
        let fail = |what: &str| Err(format!("line {}: {what}", i + 1));
        let words: Vec<&str> = line.split_whitespace().collect();
        let [id, rest @ ..] = &words[..] else { continue };
        let Ok(id) = id.parse::<usize>() else { return fail("expected the number of a clause") };
        let is_deletion = rest.first() == Some(&"d");
        let numbers = rest[usize::from(is_deletion)..].iter().map(|w| w.parse::<i64>()).collect::<Result<Vec<_>, _>>();
        let Ok(numbers) = numbers else { return fail("expected numbers") };
        let index = |n: i64| usize::try_from(n).unwrap_or(0);
        if is_deletion {
            for &old in &numbers {
                clauses.get_mut(index(old)).into_iter().for_each(|clause| *clause = None);
            }
            continue;
        }
        let mut parts = numbers.split(|&n| n == 0);
        let (Some(clause), Some(hints)) = (parts.next(), parts.next()) else { return fail("expected two lists") };
        let clause: Option<Vec<Lit>> = clause.iter().map(|&n| literal(n)).collect();
        let Some(clause) = clause.filter(|c| c.iter().all(|l| l.var().index() < cnf.n_vars)) else {
            return fail("a variable that does not exist");
        };
        if id < clauses.len() {
            return fail("a number that is taken");
        }
        let mut assigned: Vec<Lit> = clause.iter().map(|&l| !l).collect();
        assigned.iter().for_each(|l| is_true[l.index()] = true);
        let mut is_refuted = clause.iter().any(|l| is_true[l.index()]);
        for &hint in hints {
            if is_refuted {
                break;
            }
            let Some(used) = clauses.get(index(hint)).and_then(Option::as_ref) else {
                return fail(&format!("{hint} is no clause that can be used (RAT is not supported)"));
            };
            let mut open = used.iter().copied().filter(|&l| !is_true[(!l).index()]);
            match open.next() {
                None => is_refuted = true,
                Some(unit) if open.all(|l| l == unit) => {
                    is_true[unit.index()] = true;
                    assigned.push(unit);
                }
                Some(_) => return fail(&format!("clause {hint} is not unit")),
            }
        }
        assigned.iter().for_each(|l| is_true[l.index()] = false);
        if !is_refuted {
            return fail("its hints do not refute the negation of the clause");
        }
        n_new += 1;
        if clause.is_empty() {
            return Ok(n_new);
        }
        clauses.resize(id, None);
        clauses.push(Some(clause));
    }
    if cnf.clauses.iter().any(Vec::is_empty) {
        return Ok(n_new);
    }
    Err("the empty clause is never derived".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    fn random_cnf(r: &mut Random) -> Cnf {
        let n_vars = 3 + r.below(6);
        let n_clauses = r.below(5 * n_vars + 8);
        let literal = |r: &mut Random| Var(r.below(n_vars) as u32).lit(r.flip());
        let clauses = (0..n_clauses).map(|_| (0..1 + r.below(3)).map(|_| literal(r)).collect()).collect();
        Cnf { n_vars, clauses }
    }

    fn is_satisfied(cnf: &Cnf, values: &[bool]) -> bool {
        let holds = |l: &Lit| values[l.var().index()] == l.is_positive();
        cnf.clauses.iter().all(|clause| clause.iter().any(holds))
    }

    fn is_satisfiable(cnf: &Cnf) -> bool {
        (0..1u32 << cnf.n_vars).any(|bits| {
            let values: Vec<bool> = (0..cnf.n_vars).map(|i| bits >> i & 1 == 1).collect();
            is_satisfied(cnf, &values)
        })
    }

    #[test]
    fn answers_are_those_of_enumeration_and_refutations_are_accepted() {
        let mut r = Random::new(11);
        let (mut n_sat, mut n_unsat) = (0, 0);
        for _ in 0..600 {
            let cnf = random_cnf(&mut r);
            match solve(&cnf, true, &Budget::unlimited()) {
                Answer::Satisfiable(values) => {
                    assert!(is_satisfied(&cnf, &values), "{cnf:?}");
                    n_sat += 1;
                }
                Answer::Unsatisfiable(Some(proof)) => {
                    assert!(!is_satisfiable(&cnf), "{cnf:?}");
                    assert!(check(&cnf, &proof).is_ok(), "{cnf:?}\n{proof}");
                    n_unsat += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
    }

    #[test]
    fn refutations_of_satisfiable_problems_are_never_accepted() {
        // Lines of a right refutation against a problem that lacks one of its clauses and can be satisfied.
        let mut r = Random::new(5);
        let mut n_tried = 0;
        while n_tried < 100 {
            let cnf = random_cnf(&mut r);
            let Answer::Unsatisfiable(Some(proof)) = solve(&cnf, true, &Budget::unlimited()) else { continue };
            for i in 0..cnf.clauses.len() {
                let mut weaker = cnf.clone();
                // A tautology in its place.
                weaker.clauses[i] = vec![Var(0).positive(), Var(0).negative()];
                if is_satisfiable(&weaker) {
                    assert!(check(&weaker, &proof).is_err(), "{weaker:?}\n{proof}");
                    n_tried += 1;
                }
            }
        }
    }

    #[test]
    fn each_rule_of_the_format() {
        let cnf = Cnf::parse("c a comment\np cnf 2 4\n1 2 0 -1 2 0\n1 -2 0 -1 -2 0\n").expect("a problem");
        assert_eq!(check(&cnf, "5 1 0 1 3 0\n6 0 5 2 4 0\n"), Ok(2));
        for (wrong, why) in [
            ("5 1 0 1 3 0\n", "never derived"),
            ("5 0 1 2 0\n", "not unit"),
            ("5 1 0 1 9 0\n", "no clause"),
            ("5 1 0 1 0\n", "do not refute"),
            ("4 1 0 1 3 0\n", "taken"),
            ("5 3 0 1 3 0\n", "does not exist"),
            ("5 1 0 -1 3 0\n", "RAT"),
            ("5 d 1 0\n5 1 0 1 3 0\n", "no clause"),
        ] {
            let error = check(&cnf, wrong).expect_err(wrong);
            assert!(error.contains(why), "{wrong}: {error}");
        }
    }
}
