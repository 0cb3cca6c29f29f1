//! Integer solutions of a feasible relaxation.
//!
//! When the simplex is content but an integer variable has a fractional value, these are tried in this order:
//!
//! 1. *Patching.* Unbounded variables with unit coefficients enter the basis, nonbasic variables are rounded or moved
//!    within their bounds so that fractional basic ones become integers. Costs no search, and settles most of what is
//!    satisfiable at all.
//! 2. *Equations.* All forms that are fixed by their bounds are equations over the integers. The Hermite normal form
//!    finds a combination with integer coefficients and a fractional constant if they have no solution; the multipliers
//!    are the certificate. An equation that comes from two bounds is first turned into an equality atom by a
//!    trichotomy clause, so the proof speaks of equalities only. Equations with real columns take part as far as
//!    combinations of them are free of real columns (`r = i ∧ s = r + 1/2 ∧ s = j`).
//! 3. *Hidden forms.* A bounded row with real columns may hide an integer form: with `s = 3k`, the row `0 < 2s − m < 1`
//!    says `0 < 6k − m < 1`. Branching on `k` and `m` would go on forever; branching on `6k − m` ends at once.
//! 4. *Branching on a variable.* The atom `x ≤ ⌊value⌋` is suggested to the search; no clause is needed since its two
//!    phases cover the integers. Single variables keep interpolation simple, so this has preference.
//! 5. *Cuts from proofs.* When branching alone does not get there (it cannot end on unbounded problems such as
//!    `27 ≤ 11x + 13y ≤ 45 ∧ −10 ≤ 7x − 9y ≤ 4`), branch on a linear form with a fractional value taken from the
//!    Hermite normal form of the constraints that are tight at the vertex.
//! 6. *Differences.* Integer variables that are tied by inequalities over reals (`i ≤ x < i + 1/4`,
//!    `j + 1/4 < x < j + 1/2`) are bounded only relative to each other. After long branching in vain, differences and
//!    sums of two of them are branched on.

use logic::{Linear, Rational, SortId};

use super::delta::Delta;
use super::hermite::{Equation, FractionalRow, fractional_rows};
use super::simplex::{Feasibility, LinVar, Side};
use super::theory::{Arith, Origin, literal};
use crate::proof::Evidence;
use crate::sat::LBool;
use crate::theory::{Context, FinalCheck, TheoryLemma};

/// So many branches on variables before forms are tried.
const PATIENCE: u32 = 6;
/// So many pairs of variables are looked at before branching on one.
const MAX_DIFFERENCES: usize = 64;
/// How many ways to move one variable are tried.
const MAX_STEPS: usize = 8;
/// How many candidate cuts are compared.
const MAX_CANDIDATES: usize = 8;

/// More equations with real columns than this are not combined.
const MAX_MIXED_EQUATIONS: usize = 60;
/// The values of forms with a smaller range than this may be tried one by one.
const SMALL_RANGE: i64 = 8;
/// In more rows with real columns than this no hidden forms are looked for.
const MAX_MIXED_ROWS: usize = 200;

/// An integer form that a row with real columns amounts to.
struct HiddenForm {
    form: Vec<(LinVar, Rational)>,
    value: Delta,
    /// The distance between its bounds.
    range: Rational,
    /// Its upper bound is less than its value plus one; its lower bound more than its value less one.
    below_next: bool,
    above_previous: bool,
}

impl Arith {
    pub(super) fn check_integers(&mut self, cx: &mut Context<'_>) -> Option<FinalCheck> {
        if !self.has_fractional_column() {
            return None;
        }
        self.free_units_into_basis();
        if let Some(answer) = self.round_nonbasics(cx) {
            return Some(answer);
        }
        let fractional = self.patched_columns();
        if fractional.is_empty() {
            return None;
        }
        if let Some(answer) = self.check_equations(cx) {
            return Some(answer);
        }
        self.branches_in_a_row += 1;
        if let Some(answer) = self.branch_on_hidden_form(cx) {
            self.stats.cuts += 1;
            return Some(answer);
        }
        if self.branches_in_a_row > PATIENCE
            && let Some(answer) = self.cut(cx)
        {
            return Some(answer);
        }
        if self.branches_in_a_row > 2 * PATIENCE
            && let Some(answer) = self.branch_on_difference(cx, &fractional)
        {
            return Some(answer);
        }
        Some(self.branch(cx, &fractional))
    }

    /// Branches on a fractional difference or sum of two integer columns, if there are reals that may tie them. Which
    /// one depends on the number of branches so far, so that all have their turn.
    fn branch_on_difference(&mut self, cx: &mut Context<'_>, fractional: &[LinVar]) -> Option<FinalCheck> {
        let is_column = |var: &LinVar| matches!(self.origins[*var], Origin::Column(_));
        let (integers, reals): (Vec<LinVar>, Vec<LinVar>) =
            self.created.iter().copied().filter(is_column).partition(|&var| self.simplex.is_int(var));
        if reals.is_empty() {
            return None;
        }
        let mut candidates: Vec<(LinVar, LinVar, Rational)> = Vec::new();
        for &x in fractional {
            for &y in integers.iter().filter(|y| **y != x) {
                for sign in [Rational::MINUS_ONE, Rational::ONE] {
                    candidates.push((x, y, sign));
                }
            }
        }
        let n = candidates.len();
        for k in 0..n.min(MAX_DIFFERENCES) {
            let (x, y, sign) = &candidates[(self.branches_in_a_row as usize + k) % n];
            let (at_x, at_y) = (self.simplex.value(*x), self.simplex.value(*y));
            let mut value = at_x.clone();
            value.add_mul(sign, at_y);
            if value.is_integer() {
                continue;
            }
            let below = value.real.is_integer() && value.infinitesimal.is_negative();
            let point = if below { &value.real - Rational::ratio(1, 2) } else { value.real };
            let (linear, _) = self.linear_of(cx.pool, &[(*x, Rational::ONE), (*y, sign.clone())]);
            self.stats.cuts += 1;
            return Some(self.branch_on(cx, &linear, &point));
        }
        None
    }

    fn is_fractional(&self, var: LinVar) -> bool {
        matches!(self.origins[var], Origin::Column(_))
            && self.simplex.is_int(var)
            && !self.simplex.value(var).is_integer()
    }

    fn has_fractional_column(&self) -> bool {
        self.created.iter().any(|&var| self.is_fractional(var))
    }

    fn fractional_columns(&self) -> Vec<LinVar> {
        self.created.iter().copied().filter(|&var| self.is_fractional(var)).collect()
    }

    /// A fractional basic variable changes places with an unbounded integer variable that has coefficient ±1 in its
    /// row: that one is then an integer whenever the others are. Settles equations such as `2x − 2y + z = −1`, where
    /// branching would go on forever.
    fn free_units_into_basis(&mut self) {
        for fractional in self.fractional_columns() {
            let Some(row) = self.simplex.row_of(fractional) else { continue };
            let entries: Vec<(LinVar, Rational)> = row.map(|(var, coeff)| (var, coeff.clone())).collect();
            if !entries.iter().all(|(var, _)| self.simplex.is_int(*var)) {
                continue;
            }
            let free_unit = entries.iter().find(|(var, coeff)| {
                coeff.abs().is_one()
                    && *var != fractional
                    && self.simplex.lower(*var).is_none()
                    && self.simplex.upper(*var).is_none()
            });
            if let Some((unit, _)) = free_unit {
                self.simplex.swap_basis(fractional, *unit);
            }
        }
    }

    /// Nonbasic variables that may be integers should be.
    fn round_nonbasics(&mut self, cx: &mut Context<'_>) -> Option<FinalCheck> {
        let mut moved = false;
        for index in 0..self.created.len() {
            let var = self.created[index];
            if self.simplex.is_basic(var) || !self.simplex.is_int(var) || self.simplex.value(var).is_integer() {
                continue;
            }
            let value = self.simplex.value(var).real.clone();
            let candidates = [value.floor(), value.floor() + Rational::ONE].map(Delta::from);
            let allowed = candidates.into_iter().find(|target| {
                self.simplex.lower(var).is_none_or(|bound| bound.value <= *target)
                    && self.simplex.upper(var).is_none_or(|bound| bound.value >= *target)
            });
            if let Some(target) = allowed {
                self.simplex.move_nonbasic(var, target);
                moved = true;
            }
        }
        if !moved {
            return None;
        }
        match self.simplex.check(cx.budget) {
            Feasibility::Feasible => None,
            Feasibility::Infeasible(farkas) => Some(FinalCheck::Conflict(self.conflict(cx, &farkas))),
            Feasibility::Stopped(stop) => Some(FinalCheck::Stopped(stop)),
        }
    }

    /// Moves nonbasic integer variables, within what all bounds allow, by steps that make a fractional basic variable
    /// an integer, as long as fewer fractional columns remain. Returns those that do.
    fn patched_columns(&mut self) -> Vec<LinVar> {
        let mut fractional = self.fractional_columns();
        for index in 0..self.created.len() {
            if fractional.is_empty() {
                break;
            }
            let var = self.created[index];
            if self.simplex.is_basic(var) || !self.simplex.is_int(var) || self.simplex.is_fixed(var) {
                continue;
            }
            let steps = self.integralising_steps(var);
            if steps.is_empty() {
                continue;
            }
            let (down, up) = self.simplex.freedom(var);
            for step in steps {
                let room = if step.is_positive() { &up } else { &down };
                if room.as_ref().is_some_and(|room| Delta::from(step.abs()) > *room) {
                    continue;
                }
                let old = self.simplex.value(var).clone();
                self.simplex.move_nonbasic(var, old.plus(&Delta::from(step)));
                let remaining = self.fractional_columns();
                if remaining.len() < fractional.len() {
                    fractional = remaining;
                    break;
                }
                self.simplex.move_nonbasic(var, old);
            }
        }
        fractional
    }

    /// The least steps up and down of a nonbasic integer variable that make some fractional basic column an integer.
    fn integralising_steps(&self, var: LinVar) -> Vec<Rational> {
        let mut steps = Vec::new();
        for (basic, coeff, own) in self.simplex.column_of(var) {
            if !self.is_fractional(basic) || !self.simplex.value(basic).is_rational() {
                continue;
            }
            // The basic variable moves by slope = p/q per step: find k with value + k·p/q an integer.
            let slope = -(coeff / own);
            let (p, q) = (slope.numer_rational(), slope.denom_rational());
            let target = -(&self.simplex.value(basic).real * &q);
            if !target.is_integer() {
                continue;
            }
            if let Some(inverse) = modular_inverse(&p, &q) {
                let up = (target * inverse).rem_euclid(&q);
                let down = &up - &q;
                for step in [up, down] {
                    if !step.is_zero() && !steps.contains(&step) {
                        steps.push(step);
                    }
                }
            }
            if steps.len() >= MAX_STEPS {
                break;
            }
        }
        steps
    }

    /// The equation of a form that its bounds fix.
    fn fixed_equation(&self, var: LinVar) -> Option<Equation> {
        let bound = self.simplex.lower(var).filter(|_| self.simplex.is_fixed(var))?;
        bound.value.is_rational().then(|| Equation { form: self.definition(var), constant: bound.value.real.clone() })
    }

    /// Branches on the hidden form with a fractional value and the smallest range; or says of one that has room for
    /// one integer only that it is this integer, which makes it an equation. If that does not help, the values of forms
    /// with a small range are tried: equations with residues need it (`s`, `s − 1/3`, `s − 2/3` are no integers, but
    /// `3s` is).
    fn branch_on_hidden_form(&self, cx: &mut Context<'_>) -> Option<FinalCheck> {
        let forms = self.hidden_forms();
        if let Some(form) = forms.iter().filter(|f| !f.value.is_integer()).min_by_key(|f| &f.range) {
            let (linear, _) = self.linear_of(cx.pool, &form.form);
            // Only an infinitesimal away from an integer: on which side?
            let point = match (form.value.real.is_integer(), form.value.infinitesimal.is_negative()) {
                (false, _) => form.value.real.clone(),
                (true, true) => &form.value.real - Rational::ratio(1, 2),
                (true, false) => &form.value.real + Rational::ratio(1, 2),
            };
            return Some(self.branch_on(cx, &linear, &point));
        }
        let try_values = self.branches_in_a_row > PATIENCE;
        let mut small: Vec<&HiddenForm> = forms.iter().filter(|f| f.range < Rational::from(SMALL_RANGE)).collect();
        small.sort_by_key(|f| &f.range);
        for form in small {
            let (linear, _) = self.linear_of(cx.pool, &form.form);
            let left = cx.pool.linear_term(&linear, SortId::INT);
            let value = cx.pool.int_num(form.value.real.clone());
            let mut atoms = Vec::new();
            if form.below_next || try_values {
                atoms.push(cx.pool.le(left, value));
            }
            if form.above_previous || try_values {
                atoms.push(cx.pool.ge(left, value));
            }
            for atom in atoms {
                let lit = literal(cx, atom);
                if cx.value(lit) == LBool::Undef {
                    return Some(FinalCheck::Decide(lit));
                }
            }
        }
        None
    }

    /// The integer forms that bounded rows with real columns amount to once the equations are used to eliminate the
    /// real columns.
    fn hidden_forms(&self) -> Vec<HiddenForm> {
        let is_real = |column: LinVar| !self.simplex.is_int(column);
        // Equations solved for a real column each; later ones do not contain the columns of earlier ones.
        let mut solved: Vec<(LinVar, Vec<(LinVar, Rational)>)> = Vec::new();
        let reduce = |mut form: Vec<(LinVar, Rational)>, solved: &[(LinVar, Vec<(LinVar, Rational)>)]| {
            for (column, equation) in solved {
                if let Some((_, coeff)) = form.iter().find(|(x, _)| x == column) {
                    let factor = -coeff.clone();
                    form = sum_with(&form, equation, &factor);
                }
            }
            form
        };
        let rows: Vec<LinVar> = self.created.iter().copied().filter(|&var| is_real(var)).collect();
        if rows.len() > MAX_MIXED_ROWS {
            return Vec::new();
        }
        for &var in &rows {
            let Some(equation) = self.fixed_equation(var) else { continue };
            let form = reduce(equation.form, &solved);
            if let Some((column, own)) = form.iter().find(|(x, _)| is_real(*x)).cloned() {
                solved.push((column, form.iter().map(|(x, c)| (*x, c / &own)).collect()));
            }
        }
        let mut forms = Vec::new();
        for &var in &rows {
            let (Some(lower), Some(upper)) = (self.simplex.lower(var), self.simplex.upper(var)) else { continue };
            if self.simplex.is_fixed(var) {
                continue;
            }
            let mut form = reduce(self.definition(var), &solved);
            if form.is_empty() || form.iter().any(|(x, _)| is_real(*x)) {
                continue;
            }
            let common = form.iter().fold(Rational::ONE, |scale, (_, c)| scale.lcm(&c.denom_rational()));
            let divisor = form.iter().fold(Rational::ZERO, |divisor, (_, c)| divisor.gcd(&(c * &common)));
            let scale = common / divisor;
            let mut value = Delta::from(Rational::ZERO);
            for (column, coeff) in &mut form {
                *coeff = &*coeff * &scale;
                value = value.plus(&self.simplex.value(*column).times(coeff));
            }
            // The form and the row differ by a factor and a constant.
            let offset = value.minus(&self.simplex.value(var).times(&scale));
            let at = |bound: &Delta| bound.times(&scale).plus(&offset);
            let (low, high) = (at(&lower.value), at(&upper.value));
            let (low, high) = if scale.is_negative() { (high, low) } else { (low, high) };
            let unit = Delta::from(Rational::ONE);
            forms.push(HiddenForm {
                range: &high.real - &low.real,
                below_next: high < value.plus(&unit),
                above_previous: low > value.minus(&unit),
                form,
                value,
            });
        }
        forms
    }

    /// The integer forms that their bounds fix, as equations, each with the fixed forms it combines. Fixed forms with
    /// real columns count as well, as far as combinations of them are free of real columns.
    fn fixed_equations(&self) -> (Vec<Vec<(LinVar, Rational)>>, Vec<Equation>) {
        let mut names = Vec::new();
        let mut equations = Vec::new();
        let mut mixed: Vec<(Vec<(LinVar, Rational)>, Equation)> = Vec::new();
        for &var in &self.created {
            let Some(equation) = self.fixed_equation(var) else { continue };
            let name = vec![(var, Rational::ONE)];
            if self.simplex.is_int(var) {
                names.push(name);
                equations.push(equation);
            } else {
                mixed.push((name, equation));
            }
        }
        if mixed.len() <= MAX_MIXED_EQUATIONS {
            for (name, equation) in self.without_real_columns(mixed) {
                names.push(name);
                equations.push(equation);
            }
        }
        (names, equations)
    }

    /// Combinations of the equations in which only integer columns remain, with integer coefficients.
    fn without_real_columns(
        &self,
        mut rows: Vec<(Vec<(LinVar, Rational)>, Equation)>,
    ) -> Vec<(Vec<(LinVar, Rational)>, Equation)> {
        let is_real = |(column, _): &&(LinVar, Rational)| !self.simplex.is_int(*column);
        let mut done = Vec::new();
        while let Some((name, equation)) = rows.pop() {
            let Some((column, own)) = equation.form.iter().find(is_real).cloned() else {
                let mut scale = Rational::ONE;
                for (_, coeff) in &equation.form {
                    scale = scale.lcm(&coeff.denom_rational());
                }
                let scaled = |terms: &[(LinVar, Rational)]| terms.iter().map(|(x, c)| (*x, c * &scale)).collect();
                if !equation.form.is_empty() {
                    let constant = &equation.constant * &scale;
                    done.push((scaled(&name), Equation { form: scaled(&equation.form), constant }));
                }
                continue;
            };
            for (other_name, other) in &mut rows {
                let Some((_, coeff)) = other.form.iter().find(|(x, _)| *x == column) else { continue };
                let factor = -(coeff / &own);
                other.form = sum_with(&other.form, &equation.form, &factor);
                *other_name = sum_with(other_name, &name, &factor);
                other.constant = &other.constant + &(&equation.constant * &factor);
            }
        }
        done
    }

    fn check_equations(&mut self, cx: &mut Context<'_>) -> Option<FinalCheck> {
        let (names, equations) = self.fixed_equations();
        let row = match fractional_rows(&equations, 1, cx.budget) {
            Ok(rows) => rows.into_iter().next()?,
            Err(stop) => return Some(FinalCheck::Stopped(stop)),
        };
        let mut combination: Vec<(LinVar, Rational)> = Vec::new();
        for (index, multiplier) in &row.multipliers {
            combination = sum_with(&combination, &names[*index], multiplier);
        }
        self.stats.divisibility_conflicts += 1;
        let mut lits = Vec::with_capacity(combination.len());
        let mut coefficients = Vec::with_capacity(combination.len());
        let mut definitions: Vec<TheoryLemma> = Vec::new();
        for (form, multiplier) in &combination {
            let form = *form;
            let constant = &self.simplex.lower(form)?.value.real.clone();
            match self.holding_equality(cx, form, constant) {
                Some(equality) => {
                    lits.push(!equality);
                    coefficients.push(multiplier.clone());
                }
                None if !constant.is_integer() && self.simplex.is_int(form) => {
                    // Bounds of real atoms over integer columns: a fractional fixed value is cut off by branching.
                    self.stats.divisibility_conflicts -= 1;
                    return None;
                }
                None => {
                    let equality = self.equality_literal(cx, form, constant);
                    definitions.push(self.trichotomy(cx, form, constant, equality));
                }
            }
        }
        if !definitions.is_empty() {
            return Some(FinalCheck::Lemmas(definitions));
        }
        Some(FinalCheck::Conflict(TheoryLemma { lits, evidence: Evidence::IntegerEqualities(coefficients) }))
    }

    /// Branches on an integer form with a fractional value at this vertex.
    fn cut(&mut self, cx: &mut Context<'_>) -> Option<FinalCheck> {
        let (_, mut equations) = self.fixed_equations();
        for &var in &self.created {
            if !self.simplex.is_int(var) || self.simplex.is_basic(var) || self.simplex.is_fixed(var) {
                continue;
            }
            let value = self.simplex.value(var);
            let tight = [Side::Lower, Side::Upper]
                .into_iter()
                .any(|side| self.simplex.bound_id(var, side).is_some_and(|id| self.simplex.bound(id).value == *value));
            if tight && value.is_rational() {
                equations.push(Equation { form: self.definition(var), constant: value.real.clone() });
            }
        }
        let rows = match fractional_rows(&equations, MAX_CANDIDATES, cx.budget) {
            Ok(rows) => rows,
            Err(stop) => return Some(FinalCheck::Stopped(stop)),
        };
        let cost = |row: &FractionalRow| {
            let largest = row.form.iter().map(|(_, coeff)| coeff.abs()).max().unwrap_or_default();
            (row.form.len(), largest)
        };
        let best = rows.into_iter().filter(|row| !row.form.is_empty()).min_by_key(cost)?;
        self.stats.cuts += 1;
        let (linear, sort) = self.linear_of(cx.pool, &best.form);
        debug_assert_eq!(sort, SortId::INT);
        Some(self.branch_on(cx, &linear, &best.constant))
    }

    fn branch(&mut self, cx: &mut Context<'_>, fractional: &[LinVar]) -> FinalCheck {
        self.stats.branches += 1;
        // A bounded variable with a small range ends soonest.
        let range = |var: LinVar| match (self.simplex.lower(var), self.simplex.upper(var)) {
            (Some(lower), Some(upper)) => Some(&upper.value.real - &lower.value.real),
            (Some(_), None) | (None, _) => None,
        };
        let chosen = fractional.iter().copied().min_by(|&a, &b| match (range(a), range(b)) {
            (Some(x), Some(y)) => x.cmp(&y),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => std::cmp::Ordering::Equal,
        });
        match chosen {
            Some(var) => {
                let value = self.simplex.value(var).clone();
                let (linear, _) = self.linear_of(cx.pool, &[(var, Rational::ONE)]);
                // Just below an integer the floor is one less.
                let below = value.real.is_integer() && value.infinitesimal.is_negative();
                let point = if below { &value.real - Rational::ratio(1, 2) } else { value.real };
                self.branch_on(cx, &linear, &point)
            }
            None => FinalCheck::GiveUp("no variable to branch on".to_string()),
        }
    }

    /// Suggests `form ≤ ⌊value⌋` or its negation: the nearer one at first. Later the one nearer to zero, for a series
    /// of branches without conflict could otherwise run off to infinity.
    fn branch_on(&self, cx: &mut Context<'_>, form: &Linear, value: &Rational) -> FinalCheck {
        let left = cx.pool.linear_term(form, SortId::INT);
        let floor = cx.pool.int_num(value.floor());
        let atom = cx.pool.le(left, floor);
        let lit = literal(cx, atom);
        let down = match self.branches_in_a_row <= PATIENCE {
            true => value.fract() <= Rational::ratio(1, 2),
            false => value.is_positive(),
        };
        FinalCheck::Decide(lit.flipped_if(!down))
    }
}

/// `a + factor · b`.
fn sum_with(a: &[(LinVar, Rational)], b: &[(LinVar, Rational)], factor: &Rational) -> Vec<(LinVar, Rational)> {
    let mut sum = a.to_vec();
    for (x, c) in b {
        match sum.iter_mut().find(|(y, _)| y == x) {
            Some((_, d)) => *d = &*d + &(c * factor),
            None => sum.push((*x, c * factor)),
        }
    }
    sum.retain(|(_, c)| !c.is_zero());
    sum
}

/// The `x` in `0..modulus` with `number · x ≡ 1`, if there is one; by the extended Euclidean algorithm.
fn modular_inverse(number: &Rational, modulus: &Rational) -> Option<Rational> {
    let (mut old_rest, mut rest) = (number.rem_euclid(modulus), modulus.clone());
    let (mut old_factor, mut factor) = (Rational::ONE, Rational::ZERO);
    while !rest.is_zero() {
        let quotient = old_rest.div_euclid(&rest);
        let next_rest = &old_rest - &quotient * &rest;
        let next_factor = &old_factor - &quotient * &factor;
        (old_rest, rest) = (rest, next_rest);
        (old_factor, factor) = (factor, next_factor);
    }
    old_rest.is_one().then(|| old_factor.rem_euclid(modulus))
}
