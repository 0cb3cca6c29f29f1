//! Propositional problems in DIMACS's format, solved by the SAT core alone; refutations in LRAT.
//!
//! LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT verification, 2017): each line is a new clause with the clauses
//! that refute its negation by unit propagation, in the order in which they become unit. A chain of resolutions is that, read backwards: the last
//! antecedent has one literal that is not in the resolvent, and so on to the first clause, in which nothing is left. Clauses are never deleted, and
//! no step is RAT.

use crate::proof::{ClauseId, Proof, Step};
use crate::sat::{Host, LBool, Lit, Origin, Outcome, Registered, Sat, Var};
use crate::theory::{Checked, FinalCheck, Propagation, TheoryLemma};
use base::{Budget, Stop};
use logic::AssertionId;
use std::fmt::Write;

/// A conjunction of clauses. Literals are nonzero numbers, negative ones are negated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cnf {
    pub n_vars: u32,
    pub clauses: Vec<Vec<i32>>,
}

/// More variables are not taken.
const MAX_VARS: u32 = 1 << 28;

impl Cnf {
    /// Reads `p cnf VARIABLES CLAUSES` and the clauses, each ended by 0. Lines that start with `c` are comments, and what follows
    /// a line `%` is not read (the files of SATLIB end so).
    pub fn parse(text: &str) -> Result<Cnf, String> {
        let mut cnf = Cnf::default();
        let mut n_clauses = None;
        let mut clause = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let fail = |what: &str| Err(format!("line {}: {what}", i + 1));
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["c", ..] => continue,
                [first, ..] if first.starts_with('c') && n_clauses.is_none() => continue,
                ["%", ..] => break,
                ["p", "cnf", vars, clauses] => {
                    let (Ok(vars), Ok(clauses)) = (vars.parse::<u32>(), clauses.parse::<u64>()) else {
                        return fail("expected p cnf VARIABLES CLAUSES");
                    };
                    if n_clauses.is_some() || vars > MAX_VARS {
                        return fail("a second header, or too many variables");
                    }
                    (cnf.n_vars, n_clauses) = (vars, Some(clauses));
                    continue;
                }
                _ => {}
            }
            for word in words {
                let Ok(literal) = word.parse::<i32>() else { return fail(&format!("'{word}' is no literal")) };
                if n_clauses.is_none() {
                    return fail("expected p cnf VARIABLES CLAUSES before the clauses");
                }
                if literal.unsigned_abs() > cnf.n_vars {
                    return fail(&format!("there are {} variables, no {literal}", cnf.n_vars));
                }
                match literal {
                    0 => cnf.clauses.push(std::mem::take(&mut clause)),
                    literal => clause.push(literal),
                }
            }
        }
        let Some(n_clauses) = n_clauses else { return Err("there is no line p cnf VARIABLES CLAUSES".to_string()) };
        if !clause.is_empty() {
            return Err("the last clause does not end with 0".to_string());
        }
        if n_clauses != cnf.clauses.len() as u64 {
            return Err(format!("{n_clauses} clauses are announced, {} follow", cnf.clauses.len()));
        }
        Ok(cnf)
    }

    /// Does an assignment (of variable i + 1 at i) satisfy all clauses?
    pub fn is_satisfied(&self, values: &[bool]) -> bool {
        let holds = |literal: i32| values.get(literal.unsigned_abs() as usize - 1) == Some(&(literal > 0));
        self.clauses.iter().all(|clause| clause.iter().any(|&literal| holds(literal)))
    }
}

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
    let mut host = Propositional { budget: budget.clone() };
    let mut sat = Sat::new(with_refutation);
    let vars = (0..cnf.n_vars).map(Var).collect();
    sat.add_registered(&mut host, Registered { vars, clauses: Vec::new() });
    for (i, clause) in cnf.clauses.iter().enumerate() {
        let literals = clause.iter().map(|&l| Var(l.unsigned_abs() - 1).lit(l > 0)).collect();
        sat.add_clause(&mut host, literals, Origin::Input(AssertionId(i as u32)));
    }
    match sat.search(&mut host) {
        Outcome::Sat => {
            let value = |i: u32| sat.value(Var(i).positive()) == LBool::True;
            Answer::Satisfiable((0..cnf.n_vars).map(value).collect())
        }
        Outcome::Unsat => {
            let root = sat.refutation().filter(|_| with_refutation);
            Answer::Unsatisfiable(root.map(|root| lrat(&sat.proof, root, cnf.clauses.len())))
        }
        Outcome::Stopped(stop) => Answer::Unknown(stop),
        Outcome::GaveUp(_) => Answer::Unknown(Stop::Cancelled),
    }
}

/// The chains that the empty clause depends on. Clauses of the problem are numbered from 1, new ones from there on.
fn lrat(proof: &Proof, root: ClauseId, n_clauses: usize) -> String {
    let number = |l: &Lit| i64::from(l.var().0 + 1) * if l.is_positive() { 1 } else { -1 };
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
                proof.clause(id).iter().for_each(|l| _ = write!(text, " {}", number(l)));
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

/// Checks a refutation in LRAT, by unit propagation along its hints and nothing else. Returns the number of new clauses.
pub fn check_lrat(cnf: &Cnf, text: &str) -> Result<usize, String> {
    let mut clauses: Vec<Option<Vec<i32>>> = vec![None];
    clauses.extend(cnf.clauses.iter().cloned().map(Some));
    // The literals that are true at present, by their variables.
    let mut values: Vec<i8> = vec![0; cnf.n_vars as usize + 1];
    let mut n_new = 0;
    for (i, line) in text.lines().enumerate() {
        let fail = |what: &str| Err(format!("line {}: {what}", i + 1));
        let words: Vec<&str> = line.split_whitespace().collect();
        let [id, rest @ ..] = &words[..] else { continue };
        let Ok(id) = id.parse::<usize>() else { return fail("expected the number of a clause") };
        if rest.first() == Some(&"d") {
            for word in &rest[1..] {
                let Ok(old) = word.parse::<usize>() else { return fail("expected numbers of clauses") };
                if old != 0 {
                    clauses.get_mut(old).iter_mut().for_each(|clause| **clause = None);
                }
            }
            continue;
        }
        let Ok(numbers) = rest.iter().map(|w| w.parse::<i64>()).collect::<Result<Vec<_>, _>>() else {
            return fail("expected numbers");
        };
        let mut parts = numbers.split(|&n| n == 0);
        let (Some(clause), Some(hints)) = (parts.next(), parts.next()) else { return fail("expected two lists") };
        let in_range = |n: &i64| (1..=i64::from(cnf.n_vars)).contains(&n.abs());
        if !clause.iter().all(in_range) || id < clauses.len() {
            return fail("a variable that does not exist, or a number that is taken");
        }
        let clause: Vec<i32> = clause.iter().map(|&n| n as i32).collect();
        let mut trail: Vec<usize> = Vec::new();
        let mut assign = |literal: i32, values: &mut Vec<i8>| {
            let var = literal.unsigned_abs() as usize;
            if values[var] == 0 {
                values[var] = if literal > 0 { 1 } else { -1 };
                trail.push(var);
            }
        };
        let is_true = |literal: i32, values: &[i8]| i32::from(values[literal.unsigned_abs() as usize]) * literal > 0;
        clause.iter().for_each(|&literal| assign(-literal, &mut values));
        let mut is_refuted = clause.iter().any(|&literal| is_true(literal, &values));
        for &hint in hints {
            if is_refuted {
                break;
            }
            let used = usize::try_from(hint).ok().and_then(|n| clauses.get(n)).and_then(Option::as_ref);
            let Some(used) = used else {
                return fail(&format!("{hint} is no clause that can be used (RAT is not supported)"));
            };
            let open: Vec<i32> = used.iter().copied().filter(|&l| !is_true(-l, &values)).collect();
            match open[..] {
                [] => is_refuted = true,
                [literal, ref more @ ..] if more.iter().all(|&l| l == literal) => assign(literal, &mut values),
                _ => return fail(&format!("clause {hint} is not unit")),
            }
        }
        trail.iter().for_each(|&var| values[var] = 0);
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

/// No theories.
struct Propositional {
    budget: Budget,
}

impl Host for Propositional {
    fn push_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn assert_lit(&mut self, _: &[LBool], _: Lit) -> Result<(), TheoryLemma> {
        Ok(())
    }
    fn propagate(&mut self, _: &[LBool], _: &mut Vec<Propagation>) -> Checked {
        Checked::Ok
    }
    fn explain(&mut self, _: &[LBool], _: Propagation) -> TheoryLemma {
        unreachable!("nothing is propagated")
    }
    fn final_check(&mut self, _: &[LBool]) -> FinalCheck {
        FinalCheck::Ok
    }
    fn new_atoms(&self) -> Option<bool> {
        None
    }
    fn register(&mut self, _: &[LBool]) -> Registered {
        Registered::default()
    }
    fn budget(&self) -> &Budget {
        &self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    fn random_cnf(r: &mut Random) -> Cnf {
        let n_vars = 3 + r.below(6) as u32;
        let n_clauses = r.below(5 * n_vars as usize + 8);
        let literal = |r: &mut Random| r.between(1, n_vars.into()) as i32 * if r.flip() { 1 } else { -1 };
        let clauses = (0..n_clauses).map(|_| (0..1 + r.below(3)).map(|_| literal(r)).collect()).collect();
        Cnf { n_vars, clauses }
    }

    fn is_satisfiable(cnf: &Cnf) -> bool {
        (0..1u32 << cnf.n_vars).any(|bits| {
            let values: Vec<bool> = (0..cnf.n_vars).map(|i| bits >> i & 1 == 1).collect();
            cnf.is_satisfied(&values)
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
                    assert!(cnf.is_satisfied(&values), "{cnf:?}");
                    n_sat += 1;
                }
                Answer::Unsatisfiable(Some(proof)) => {
                    assert!(!is_satisfiable(&cnf), "{cnf:?}");
                    assert!(check_lrat(&cnf, &proof).is_ok(), "{cnf:?}\n{proof}");
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
                weaker.clauses[i] = vec![1, -1];
                if is_satisfiable(&weaker) {
                    assert!(check_lrat(&weaker, &proof).is_err(), "{weaker:?}\n{proof}");
                    n_tried += 1;
                }
            }
        }
    }

    #[test]
    fn each_rule_of_the_format() {
        let cnf = Cnf::parse("c a comment\np cnf 2 4\n1 2 0 -1 2 0\n1 -2 0 -1 -2 0\n").expect("a problem");
        assert_eq!(check_lrat(&cnf, "5 1 0 1 3 0\n6 0 5 2 4 0\n"), Ok(2));
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
            let error = check_lrat(&cnf, wrong).expect_err(wrong);
            assert!(error.contains(why), "{wrong}: {error}");
        }
        for wrong in ["p cnf 1 1\n2 0\n", "1 0\n", "p cnf 1 1\n1\n", "p cnf 1 2\n1 0\n", "p cnf 1 1\nx 0\n", ""] {
            assert!(Cnf::parse(wrong).is_err(), "{wrong}");
        }
    }
}
