//! Linear facts that every branch of a disjunction implies.
//!
//! `(x' = x+1 ∧ y' = y+2) ∨ (x' = x+2 ∧ y' = y+1)` implies `x'+y' = x+y+3`, but no clause says so, and without atoms
//! for it a chain of `n` such steps has only refutations of exponential size. The equations that hold in all branches
//! are those in the intersection of the branches' row spaces (the affine hull of the union of their solutions; Karr,
//! *Affine relationships among variables of a program*, 1976). In the same way `b' = b ∨ b' > b + 1` implies `b' ≥ b`:
//! a linear form that every branch bounds has the loosest of these bounds.
//!
//! The facts (an equation is two bounds) become atoms: decided false first, each branch contradicts them, and they are
//! learnt. Nothing is added to the meaning of the formula. Most formulas are decided before this would pay, so the
//! solver makes the atoms only after a number of conflicts.

use crate::linear_literal::{Relation, form_atom, linear_form, linear_literal};
use logic::{FastMap, FastSet, Linear, Op, Rational, TermId, TermPool};

/// Disjunctions with more equations, or more branches, than this are left alone.
const MAX_EQUATIONS: usize = 64;
const MAX_BRANCHES: usize = 16;
/// At most so many equations and bounds are taken from one disjunction, with numbers of at most so many bits.
const MAX_FOUND: usize = 4;
const MAX_BITS: usize = 16;

/// Literals that all branches of a disjunctive conjunct of the formula imply.
pub(crate) fn implied_linear(pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    for conjunct in pool.conjuncts(formula) {
        if pool.op(conjunct) != Op::Or || pool.args(conjunct).len() > MAX_BRANCHES {
            continue;
        }
        for mut equation in common_equations(pool, conjunct) {
            found.push(form_atom(pool, &equation, false));
            equation.scale(&Rational::MINUS_ONE);
            found.push(form_atom(pool, &equation, false));
        }
        for (bound, strict) in common_bounds(pool, conjunct) {
            found.push(form_atom(pool, &bound, strict));
        }
    }
    found.retain(|&t| !pool.is_value(t));
    found
}

/// The loosest bounds (forms that are at most, or below, zero) of the forms that all branches bound from one side, if
/// the branches do not all say the same. Where all of them have equations, conflicts ask for the bound
/// (`arith::weakening`).
fn common_bounds(pool: &TermPool, disjunction: TermId) -> Vec<(Linear, bool)> {
    // By form without its constant: the constants and strictness of the branches so far.
    let mut bounds: FastMap<Linear, Vec<(Rational, bool)>> = FastMap::default();
    let mut has_inequality: FastSet<Linear> = FastSet::default();
    let mut forms: Vec<Linear> = Vec::new();
    for (n_before, &branch) in pool.args(disjunction).iter().enumerate() {
        for literal in pool.conjuncts(branch) {
            let positive = pool.op(literal) != Op::Not;
            let atom = if positive { literal } else { pool.arg(literal, 0) };
            let Some(constraint) = linear_literal(pool, atom, positive) else { continue };
            let strict = constraint.relation == Relation::Below;
            let mut sides = vec![constraint.linear];
            let is_equation = constraint.relation == Relation::Equal;
            if is_equation {
                let mut opposite = sides[0].clone();
                opposite.scale(&Rational::MINUS_ONE);
                sides.push(opposite);
            }
            for mut form in sides.into_iter().filter(|form| !form.is_constant()) {
                if form.make_primitive().is_negative() {
                    form.scale(&Rational::MINUS_ONE);
                }
                let constant = std::mem::take(&mut form.constant);
                if n_before == 0 && !bounds.contains_key(&form) {
                    forms.push(form.clone());
                    bounds.insert(form.clone(), Vec::new());
                }
                // One bound for each branch, and none if an earlier branch has none.
                if let Some(list) = bounds.get_mut(&form).filter(|list| list.len() == n_before) {
                    list.push((constant, strict));
                    if !is_equation {
                        has_inequality.insert(form);
                    }
                }
            }
        }
    }
    let mut found = Vec::new();
    for mut form in forms {
        let list = &bounds[&form];
        // A larger constant is a tighter bound; of equal ones the strict one is.
        let (Some(loosest), Some(tightest)) = (list.iter().min(), list.iter().max()) else { continue };
        let is_complete = list.len() == pool.args(disjunction).len() && has_inequality.contains(&form);
        if is_complete && loosest != tightest && loosest.0.bit_size() <= MAX_BITS && found.len() < MAX_FOUND {
            let (constant, strict) = loosest.clone();
            form.constant = constant;
            found.push((form, strict));
        }
    }
    found
}

/// The equations (as forms that are zero) of all branches that are not combinations of those they share as written.
fn common_equations(pool: &TermPool, disjunction: TermId) -> Vec<Linear> {
    let mut branches: Vec<Vec<Linear>> = Vec::new();
    let mut n_equations = 0;
    for &branch in pool.args(disjunction) {
        let equations: Vec<Linear> = pool.conjuncts(branch).iter().filter_map(|&t| equation(pool, t)).collect();
        n_equations += equations.len();
        // A branch with one equation shares that one, or nothing.
        if equations.len() < 2 || n_equations > MAX_EQUATIONS {
            return Vec::new();
        }
        branches.push(equations);
    }
    let Some((first, rest)) = branches.split_first() else { return Vec::new() };
    let mut written = Echelon::default();
    for equation in first {
        if rest.iter().all(|branch| branch.contains(equation)) {
            written.add(equation.clone());
        }
    }
    let mut common = Echelon::default();
    for equation in first {
        common.add(equation.clone());
    }
    for branch in rest {
        if common.rows.len() <= written.rows.len() {
            return Vec::new();
        }
        common = common.intersection(branch);
    }
    if common.is_inconsistent() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for row in common.rows {
        let mut new = written.reduced(row);
        new.make_primitive();
        let is_short = new.terms.iter().map(|(_, c)| c).chain([&new.constant]).all(|c| c.bit_size() <= MAX_BITS);
        if !new.is_constant() && is_short && found.len() < MAX_FOUND {
            written.add(new.clone());
            found.push(new);
        }
    }
    found
}

fn equation(pool: &TermPool, t: TermId) -> Option<Linear> {
    if pool.op(t) != Op::Eq || !pool.sort(pool.arg(t, 0)).is_arith() {
        return None;
    }
    let mut linear = linear_form(pool, pool.arg(t, 0));
    linear.add_scaled(&linear_form(pool, pool.arg(t, 1)), &Rational::MINUS_ONE);
    linear.make_primitive();
    (!linear.is_constant()).then_some(linear)
}

/// Independent forms, none of which has the leading term of an earlier one.
#[derive(Default)]
struct Echelon {
    rows: Vec<Linear>,
}

impl Echelon {
    fn reduced(&self, mut form: Linear) -> Linear {
        for row in &self.rows {
            if let Some(factor) = cancelling(row, &form) {
                form.add_scaled(row, &factor);
            }
        }
        form
    }
    fn add(&mut self, form: Linear) {
        let form = self.reduced(form);
        if form != Linear::default() {
            self.rows.push(form);
        }
    }
    /// Does it say that a number other than zero is zero?
    fn is_inconsistent(&self) -> bool {
        self.rows.iter().any(Linear::is_constant)
    }
    /// The combinations of these forms that are also combinations of others.
    fn intersection(&self, others: &[Linear]) -> Echelon {
        // What is left of each combination of the others; where nothing is, the combination is in both spaces.
        let mut rests: Vec<(Linear, Linear)> = Vec::new();
        let mut both = Echelon::default();
        for other in others {
            let (mut rest, mut combination) = (self.reduced(other.clone()), other.clone());
            for (earlier_rest, earlier) in &rests {
                if let Some(factor) = cancelling(earlier_rest, &rest) {
                    rest.add_scaled(earlier_rest, &factor);
                    combination.add_scaled(earlier, &factor);
                }
            }
            if rest == Linear::default() {
                both.add(combination);
            } else {
                rests.push((rest, combination));
            }
        }
        both
    }
}

/// The factor with which the row cancels its leading term (a constant leads where there is no other) in the form.
fn cancelling(row: &Linear, form: &Linear) -> Option<Rational> {
    match row.terms.first() {
        Some((leading, own)) => form.coefficient(*leading).map(|c| -(c / own)),
        None if row.constant.is_zero() || form.constant.is_zero() => None,
        None => Some(-(&form.constant / &row.constant)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::SortId;
    use logic::smtlib::parse_term;

    fn check(text: &str, expected: &[&str]) {
        let mut pool = TermPool::new();
        for name in ["x", "y", "z", "u", "v", "w"] {
            pool.constant(name, SortId::INT);
        }
        for name in ["p", "q"] {
            pool.constant(name, SortId::BOOL);
        }
        let t = parse_term(&mut pool, text).expect("a term");
        let found: Vec<String> = implied_linear(&mut pool, t).into_iter().map(|t| pool.smtlib(t)).collect();
        let wanted: Vec<String> = expected
            .iter()
            .map(|t| {
                let t = parse_term(&mut pool, t).expect("a term");
                pool.smtlib(t)
            })
            .collect();
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn bounds_that_both_branches_keep() {
        check("(or (= x u) (> x (+ u 1)))", &["(>= x u)"]);
        check("(or (= x (+ u 1)) (<= x (+ u 2)) (and (= x (+ u 5)) p))", &["(<= x (+ u 5))"]);
        check("(or (= x (+ u 1)) (= x (+ u 2)))", &[]);
        check("(or (and p (<= x 3)) (and q (<= x 3)))", &[]);
        check("(or (<= x 3) (>= x 5))", &[]);
        check("(or (<= (* 2 x) 3) (and (<= x 7) (< y x)))", &["(<= x 7)"]);
    }

    #[test]
    fn sums_that_both_branches_keep() {
        let step = "(or (and (= x (+ u 1)) (= y (+ v 2))) (and (= x (+ u 2)) (= y (+ v 1))))";
        check(step, &["(<= (+ x y) (+ u v 3))", "(>= (+ x y) (+ u v 3))"]);
        // What stands in both branches is no news, nor are its combinations.
        let framed = "(or (and (= x (+ u 1)) (= y v) (= z w)) (and (= x (+ u 2)) (= y v) (= z w)))";
        check(framed, &[]);
        let three = "(or (and (= x u) (= y v)) (and (= x (+ u 1)) (= y (+ v 2))) (and (= x (+ u 3)) (= y (+ v 6))))";
        check(three, &["(<= (- (* 2 x) y) (- (* 2 u) v))", "(>= (- (* 2 x) y) (- (* 2 u) v))"]);
        check("(or (and (= x 1) (= y 2)) (= z 0))", &[]);
        check("(or (and (= x 1) (= y 2)) (and (= z 0) (= w 1)))", &[]);
    }
}
