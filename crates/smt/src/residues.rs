//! Integer equations that have no solution modulo a number.
//!
//! `x² = 7·y + 3` has no solution because no square is 3 modulo 7. Neither bounds nor coverings see that; bits do not,
//! because nothing bounds `x`. A solution of the assertions gives residues of all their variables that solve the
//! assertions' literals modulo any number, so it is enough to go through all residues of the variables of one literal
//! for a few small moduli. Literals that say something about residues are equations, and what compares remainders: the
//! value of `(mod t n)` is known if the modulus is a multiple of `n`.

use crate::bounded_integers::small;
use base::Budget;
use logic::{FastMap, Op, SortId, TermId, TermPool};

/// Moduli that are tried, besides those that the assertions name.
const MODULI: [i128; 10] = [2, 3, 4, 5, 7, 8, 9, 11, 13, 16];
/// The largest one that is taken from the assertions.
const LARGEST_MODULUS: i128 = 64;
/// Residues of several variables are gone through if there are at most so many combinations.
const MAX_POINTS: i128 = 20_000;
/// Literals with more subterms are left out.
const MAX_SIZE: usize = 100;

/// A literal about integers.
struct Literal {
    atom: TermId,
    positive: bool,
}

/// What is known about a term: its residue, and its value if that is known.
#[derive(Clone, Copy)]
struct Known {
    residue: i128,
    value: Option<i128>,
}

/// Do the assertions contradict each other because of residues? `false` says nothing.
pub(crate) fn refute(pool: &TermPool, assertions: &[TermId], budget: &Budget) -> bool {
    let literals = literals(pool, assertions);
    for modulus in moduli(pool, &literals) {
        let variables: Vec<Vec<TermId>> = literals.iter().map(|l| variables(pool, l.atom, modulus)).collect();
        for own in &variables {
            let n_points = own.iter().try_fold(1_i128, |n, _| Some(n * modulus).filter(|&n| n <= MAX_POINTS));
            let (Some(n_points), Ok(())) = (n_points, budget.check()) else { continue };
            let within: Vec<&Literal> = literals
                .iter()
                .zip(&variables)
                .filter(|(_, others)| others.iter().all(|x| own.contains(x)))
                .map(|(literal, _)| literal)
                .collect();
            let has_solution = (0..n_points).any(|point| {
                let mut known: FastMap<TermId, Known> = FastMap::default();
                let mut rest = point;
                for &x in own {
                    known.insert(x, Known { residue: rest % modulus, value: None });
                    rest /= modulus;
                }
                within.iter().all(|literal| may_hold(pool, literal, modulus, &mut known))
            });
            if !has_solution {
                return true;
            }
        }
    }
    false
}

/// The literals among the assertions that compare integers.
fn literals(pool: &TermPool, assertions: &[TermId]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut stack = assertions.to_vec();
    while let Some(t) = stack.pop() {
        let (atom, positive) = match pool.op(t) {
            Op::And => {
                stack.extend_from_slice(pool.args(t));
                continue;
            }
            Op::Not => (pool.arg(t, 0), false),
            _ => (t, true),
        };
        let compares = matches!(pool.op(atom), Op::Eq | Op::Le) && pool.sort(pool.arg(atom, 0)) == SortId::INT;
        if compares && pool.dag_size(atom) <= MAX_SIZE {
            found.push(Literal { atom, positive });
        }
    }
    found
}

fn moduli(pool: &TermPool, literals: &[Literal]) -> Vec<i128> {
    let mut found = MODULI.to_vec();
    let atoms: Vec<TermId> = literals.iter().map(|l| l.atom).collect();
    pool.visit_postorder(&atoms, |t| found.extend(pool.number(t).and_then(small).map(i128::abs)));
    found.retain(|n| (2..=LARGEST_MODULUS).contains(n));
    found.sort_unstable();
    found.dedup();
    found
}

/// The number by which a term takes the remainder, if that number divides the modulus.
fn known_divisor(pool: &TermPool, t: TermId, modulus: i128) -> Option<i128> {
    let divisor = pool.number(pool.arg(t, 1)).and_then(small)?;
    (divisor > 0 && modulus % divisor == 0).then_some(divisor)
}

/// Terms whose residue is not that of their arguments.
fn variables(pool: &TermPool, atom: TermId, modulus: i128) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = pool.args(atom).to_vec();
    while let Some(t) = stack.pop() {
        match pool.op(t) {
            Op::Add | Op::Mul => stack.extend_from_slice(pool.args(t)),
            Op::Mod if known_divisor(pool, t, modulus).is_some() => stack.push(pool.arg(t, 0)),
            Op::Num(_) if pool.number(t).and_then(small).is_some() => {}
            _ if found.contains(&t) => {}
            _ => found.push(t),
        }
    }
    found
}

fn may_hold(pool: &TermPool, literal: &Literal, modulus: i128, known: &mut FastMap<TermId, Known>) -> bool {
    let sides = [0, 1].map(|k| evaluate(pool, pool.arg(literal.atom, k), modulus, known));
    match (pool.op(literal.atom), sides.map(|side| side.value)) {
        (Op::Eq, [Some(a), Some(b)]) => (a == b) == literal.positive,
        (Op::Le, [Some(a), Some(b)]) => (a <= b) == literal.positive,
        (Op::Eq, _) if literal.positive => sides[0].residue == sides[1].residue,
        _ => true,
    }
}

fn evaluate(pool: &TermPool, t: TermId, modulus: i128, known: &mut FastMap<TermId, Known>) -> Known {
    if let Some(&known) = known.get(&t) {
        return known;
    }
    let result = match pool.op(t) {
        op @ (Op::Add | Op::Mul) => {
            let mut total = Known { residue: i128::from(op == Op::Mul), value: Some(i128::from(op == Op::Mul)) };
            for &arg in pool.args(t) {
                let arg = evaluate(pool, arg, modulus, known);
                let values = total.value.zip(arg.value);
                let (residue, value) = if op == Op::Add {
                    (total.residue + arg.residue, values.and_then(|(a, b)| a.checked_add(b)))
                } else {
                    (total.residue * arg.residue, values.and_then(|(a, b)| a.checked_mul(b)))
                };
                total = Known { residue: residue % modulus, value };
            }
            total
        }
        Op::Mod => {
            let residue = evaluate(pool, pool.arg(t, 0), modulus, known).residue;
            let value = known_divisor(pool, t, modulus).map(|divisor| residue % divisor);
            Known { residue: value.unwrap_or(residue), value }
        }
        // What is neither is a variable, and known.
        _ => {
            let value = pool.number(t).and_then(small);
            Known { residue: value.unwrap_or(0).rem_euclid(modulus), value }
        }
    };
    known.insert(t, result);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Rational;

    /// Random equations over two variables against all values in a box: what is refuted has no solution there, and the
    /// known cases are refuted.
    #[test]
    fn residues() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.constant(name, SortId::INT));
        let square = pool.mul(&[x, x]);
        let budget = Budget::unlimited();
        let mut n_refuted = 0;
        let mut random = base::Random::new(3);
        for _ in 0..300 {
            let n = 2 + random.below(9) as i64;
            let [a, c] = [0; 2].map(|_| random.below(11) as i64 - 5);
            let shift = pool.scale(y, &Rational::from(n));
            let linear = pool.scale(x, &Rational::from(a));
            let left = pool.add(&[square, linear]);
            let constant = pool.int(c);
            let right = pool.add(&[shift, constant]);
            let equation = pool.eq(left, right);
            let is_solvable = (0..n).any(|x| (x * x + a * x - c).rem_euclid(n) == 0);
            let refuted = refute(&pool, &[equation], &budget);
            assert!(!(refuted && is_solvable), "x² + {a}x = {n}y + {c}");
            n_refuted += u32::from(refuted);
            let divisor = pool.int(n);
            let remainder = pool.modulo(left, divisor);
            let wanted = pool.int(c.rem_euclid(n));
            let equation = pool.eq(remainder, wanted);
            assert_eq!(refute(&pool, &[equation], &budget), !is_solvable, "x² + {a}x mod {n} = {c}");
        }
        assert!(n_refuted > 20);
    }
}
