//! Exact linear programming over the rationals.
//!
//! A thin layer over the simplex core for clients that need a solution rather than a verdict: synthesis of ranking
//! functions and of linear invariants by Farkas' lemma. A program is a list of constraints over numbered unknowns;
//! [`LinearProgram::solve`] finds some solution or Farkas multipliers that show there is none, and
//! [`LinearProgram::minimize`] finds a best one by the primal simplex with Bland's rule.
//!
//! ```
//! use base::Budget;
//! use logic::Rational;
//! use smt::arith::lp::{LinearProgram, Relation, Solution};
//! let mut program = LinearProgram::new();
//! let (x, y) = (program.unknown(), program.nonnegative());
//! program.require(&[(x, 1.into()), (y, 2.into())], Relation::AtLeast, 4.into());
//! program.require(&[(x, 1.into())], Relation::Below, 2.into());
//! let Solution::Found(values) = program.solve(&Budget::unlimited()) else { panic!() };
//! assert!(values[x] < Rational::from(2) && &values[x] + Rational::from(2) * &values[y] >= Rational::from(4));
//! ```

use base::{Budget, Id, Stop};
use logic::Rational;
use rustc_hash::FxHashMap;

use super::delta::Delta;
use super::simplex::{Feasibility, LinVar, Side, Simplex};

/// How the linear form of a constraint compares with its constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    AtMost,
    Below,
    AtLeast,
    Above,
    Equal,
}

#[derive(Clone, Debug)]
struct Constraint {
    form: Vec<(usize, Rational)>,
    relation: Relation,
    constant: Rational,
}

/// Constraints over unknowns `0..n`.
#[derive(Clone, Debug, Default)]
pub struct LinearProgram {
    n_unknowns: usize,
    constraints: Vec<Constraint>,
}

/// The answer to a feasibility question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// A value for each unknown.
    Found(Vec<Rational>),
    /// Indices of constraints (in the order of [`LinearProgram::require`]) with multipliers whose sum is absurd.
    /// Inequalities have positive multipliers (of the form read as `≤` after flipping `≥`), equalities any.
    Infeasible(Vec<(usize, Rational)>),
    Stopped(Stop),
}

/// The answer to an optimisation question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// The optimal value and a point where it is attained, or approached as nearly as strict constraints allow.
    Attained {
        value: Rational,
        point: Vec<Rational>,
        strictly: bool,
    },
    /// The objective has no bound; the point is some solution.
    Unbounded(Vec<Rational>),
    Infeasible(Vec<(usize, Rational)>),
    Stopped(Stop),
}

/// The program loaded into a simplex.
struct Loaded {
    simplex: Simplex,
    columns: Vec<LinVar>,
}

impl LinearProgram {
    pub fn new() -> LinearProgram {
        LinearProgram::default()
    }

    /// A new unknown of any sign.
    pub fn unknown(&mut self) -> usize {
        self.n_unknowns += 1;
        self.n_unknowns - 1
    }

    /// A new unknown that is at least 0 (this counts as a constraint).
    pub fn nonnegative(&mut self) -> usize {
        let unknown = self.unknown();
        self.require(&[(unknown, Rational::ONE)], Relation::AtLeast, Rational::ZERO);
        unknown
    }

    pub fn n_unknowns(&self) -> usize {
        self.n_unknowns
    }

    /// Adds `form relation constant` and returns the index of the constraint. Repeated unknowns are added up.
    pub fn require(&mut self, form: &[(usize, Rational)], relation: Relation, constant: Rational) -> usize {
        let form = collect(form);
        debug_assert!(form.iter().all(|(unknown, _)| *unknown < self.n_unknowns));
        self.constraints.push(Constraint { form, relation, constant });
        self.constraints.len() - 1
    }

    /// Some solution, or the reason why there is none.
    pub fn solve(&self, budget: &Budget) -> Solution {
        match self.load(budget) {
            Ok(loaded) => Solution::Found(loaded.point()),
            Err(failure) => failure,
        }
    }

    /// A solution with the least value of the objective.
    pub fn minimize(&self, objective: &[(usize, Rational)], budget: &Budget) -> Optimum {
        let mut loaded = match self.load(budget) {
            Ok(loaded) => loaded,
            Err(Solution::Infeasible(multipliers)) => return Optimum::Infeasible(multipliers),
            Err(Solution::Stopped(stop)) => return Optimum::Stopped(stop),
            Err(Solution::Found(point)) => return Optimum::Unbounded(point),
        };
        let objective = collect(objective);
        if objective.is_empty() {
            return Optimum::Attained { value: Rational::ZERO, point: loaded.point(), strictly: true };
        }
        let form: Vec<_> = objective.iter().map(|(unknown, coeff)| (loaded.columns[*unknown], coeff.clone())).collect();
        let goal = loaded.simplex.new_form(&form, false);
        loop {
            if let Err(stop) = budget.check() {
                return Optimum::Stopped(stop);
            }
            match loaded.improve(goal) {
                Improvement::Done => break,
                Improvement::Unbounded => return Optimum::Unbounded(loaded.point()),
                Improvement::Stepped => {}
            }
        }
        let value = loaded.simplex.value(goal);
        let strictly = value.is_rational();
        let limit = value.real.clone();
        Optimum::Attained { value: limit, point: loaded.point(), strictly }
    }

    fn load(&self, budget: &Budget) -> Result<Loaded, Solution> {
        let mut simplex = Simplex::new();
        let columns: Vec<LinVar> = (0..self.n_unknowns).map(|_| simplex.new_var(false)).collect();
        let mut forms: FxHashMap<Vec<(usize, Rational)>, LinVar> = FxHashMap::default();
        for (index, constraint) in self.constraints.iter().enumerate() {
            let Some((_, lead)) = constraint.form.first() else {
                let holds = match constraint.relation {
                    Relation::AtMost => !constraint.constant.is_negative(),
                    Relation::Below => constraint.constant.is_positive(),
                    Relation::AtLeast => !constraint.constant.is_positive(),
                    Relation::Above => constraint.constant.is_negative(),
                    Relation::Equal => constraint.constant.is_zero(),
                };
                if holds {
                    continue;
                }
                // Read as `0 = c`: the multiplier makes the constant negative.
                let wrong_way = constraint.relation == Relation::Equal && constraint.constant.is_positive();
                let multiplier = if wrong_way { Rational::MINUS_ONE } else { Rational::ONE };
                return Err(Solution::Infeasible(vec![(index, multiplier)]));
            };
            let scale = lead.recip();
            let monic: Vec<_> = constraint.form.iter().map(|(x, coeff)| (*x, coeff * &scale)).collect();
            let var = match &monic[..] {
                [(unknown, _)] => columns[*unknown],
                _ => *forms.entry(monic).or_insert_with_key(|monic| {
                    let form: Vec<_> = monic.iter().map(|(x, coeff)| (columns[*x], coeff.clone())).collect();
                    simplex.new_form(&form, false)
                }),
            };
            let constant = &constraint.constant * &scale;
            let flipped = scale.is_negative();
            let reason = index as u32;
            let at_most =
                |strict: bool| if strict { Delta::below(constant.clone()) } else { Delta::from(constant.clone()) };
            let at_least =
                |strict: bool| if strict { Delta::above(constant.clone()) } else { Delta::from(constant.clone()) };
            let one_sided = |upper: bool, strict: bool| match upper != flipped {
                true => vec![(Side::Upper, at_most(strict))],
                false => vec![(Side::Lower, at_least(strict))],
            };
            let bounds = match constraint.relation {
                Relation::AtMost => one_sided(true, false),
                Relation::Below => one_sided(true, true),
                Relation::AtLeast => one_sided(false, false),
                Relation::Above => one_sided(false, true),
                Relation::Equal => vec![(Side::Upper, at_most(false)), (Side::Lower, at_least(false))],
            };
            for (side, value) in bounds {
                if let Err(farkas) = simplex.assert_bound(var, side, value, reason) {
                    return Err(self.infeasible(&simplex, &farkas));
                }
            }
        }
        match simplex.check(budget) {
            Feasibility::Feasible => Ok(Loaded { simplex, columns }),
            Feasibility::Infeasible(farkas) => Err(self.infeasible(&simplex, &farkas)),
            Feasibility::Stopped(stop) => Err(Solution::Stopped(stop)),
        }
    }

    /// Translates multipliers of monic bounds into multipliers of the constraints as given.
    fn infeasible(&self, simplex: &Simplex, farkas: &[(super::simplex::BoundId, Rational)]) -> Solution {
        let mut multipliers: Vec<(usize, Rational)> = Vec::new();
        for (id, multiplier) in farkas {
            let bound = simplex.bound(*id);
            let index = bound.reason as usize;
            let constraint = &self.constraints[index];
            let scale = constraint.form.first().map_or(Rational::ONE, |(_, lead)| lead.recip());
            let multiplier = match constraint.relation {
                // An upper bound on the monic form uses the equality as it stands, a lower bound its negative.
                Relation::Equal => match bound.side {
                    Side::Upper => multiplier * scale,
                    Side::Lower => -(multiplier * scale),
                },
                Relation::AtMost | Relation::Below | Relation::AtLeast | Relation::Above => multiplier * scale.abs(),
            };
            match multipliers.iter_mut().find(|(other, _)| *other == index) {
                Some((_, sum)) => *sum += multiplier,
                None => multipliers.push((index, multiplier)),
            }
        }
        multipliers.retain(|(_, multiplier)| !multiplier.is_zero());
        multipliers.sort_by_key(|(index, _)| *index);
        Solution::Infeasible(multipliers)
    }
}

enum Improvement {
    Done,
    Stepped,
    Unbounded,
}

impl Loaded {
    fn point(&self) -> Vec<Rational> {
        let delta = self.simplex.largest_delta();
        self.columns.iter().map(|&column| self.simplex.value(column).at(&delta)).collect()
    }

    /// One step of the primal simplex that lowers `goal`, by the least index that can (Bland).
    fn improve(&mut self, goal: LinVar) -> Improvement {
        let Some(row) = self.simplex.row_of(goal) else { return Improvement::Done };
        let row: Vec<(LinVar, Rational)> = row.map(|(var, coeff)| (var, coeff.clone())).collect();
        let goal_positive = row.iter().any(|(var, coeff)| *var == goal && coeff.is_positive());
        let mut candidates: Vec<(LinVar, bool)> = row
            .iter()
            .filter(|(var, _)| *var != goal)
            .map(|(var, coeff)| (*var, coeff.is_positive() == goal_positive))
            .collect();
        candidates.sort_by_key(|(var, _)| var.index());
        for (var, upwards) in candidates {
            // Equal signs in the row mean that the goal falls when the variable rises.
            let own_bound = if upwards { self.simplex.upper(var) } else { self.simplex.lower(var) };
            let own_room = own_bound.map(|bound| {
                if upwards {
                    bound.value.minus(self.simplex.value(var))
                } else {
                    self.simplex.value(var).minus(&bound.value)
                }
            });
            if own_room.as_ref().is_some_and(|room| *room == Delta::ZERO) {
                continue;
            }
            let (down, up) = self.simplex.freedom(var);
            let Some(step) = (if upwards { up } else { down }) else { return Improvement::Unbounded };
            let change = if upwards { step.clone() } else { Delta::ZERO.minus(&step) };
            let target = self.simplex.value(var).plus(&change);
            self.simplex.move_nonbasic(var, target);
            if own_room != Some(step) {
                // Some basic variable has reached its bound: it leaves, the least one first.
                let blocking = self
                    .simplex
                    .column_of(var)
                    .filter(|(basic, coeff, own)| {
                        let rises = (coeff.is_positive() != own.is_positive()) == upwards;
                        let bound = if rises { self.simplex.upper(*basic) } else { self.simplex.lower(*basic) };
                        bound.is_some_and(|bound| bound.value == *self.simplex.value(*basic))
                    })
                    .map(|(basic, _, _)| basic)
                    .min();
                if let Some(leaving) = blocking {
                    self.simplex.swap_basis(leaving, var);
                }
            }
            return Improvement::Stepped;
        }
        Improvement::Done
    }
}

/// Adds up repeated unknowns, drops zeros, sorts.
fn collect(form: &[(usize, Rational)]) -> Vec<(usize, Rational)> {
    let mut sorted: Vec<_> = form.to_vec();
    sorted.sort_by_key(|(unknown, _)| *unknown);
    let mut sum: Vec<(usize, Rational)> = Vec::with_capacity(sorted.len());
    for (unknown, coeff) in sorted {
        match sum.last_mut() {
            Some((last, total)) if *last == unknown => *total += coeff,
            Some(_) | None => sum.push((unknown, coeff)),
        }
    }
    sum.retain(|(_, coeff)| !coeff.is_zero());
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn satisfies(program: &LinearProgram, point: &[Rational]) -> bool {
        program.constraints.iter().all(|constraint| {
            let value: Rational = constraint.form.iter().map(|(x, coeff)| coeff * &point[*x]).sum();
            match constraint.relation {
                Relation::AtMost => value <= constraint.constant,
                Relation::Below => value < constraint.constant,
                Relation::AtLeast => value >= constraint.constant,
                Relation::Above => value > constraint.constant,
                Relation::Equal => value == constraint.constant,
            }
        })
    }

    /// The sum of the constraints, read as `form ≤ constant`, has no unknowns and is absurd.
    fn refutes(program: &LinearProgram, multipliers: &[(usize, Rational)]) -> bool {
        let mut sum = vec![Rational::ZERO; program.n_unknowns];
        let mut constant = Rational::ZERO;
        let mut strict = false;
        for (index, multiplier) in multipliers {
            let constraint = &program.constraints[*index];
            let sign = match constraint.relation {
                Relation::AtMost | Relation::Below | Relation::Equal => Rational::ONE,
                Relation::AtLeast | Relation::Above => Rational::MINUS_ONE,
            };
            if constraint.relation != Relation::Equal && !multiplier.is_positive() {
                return false;
            }
            strict |= matches!(constraint.relation, Relation::Below | Relation::Above);
            let factor = multiplier * &sign;
            for (x, coeff) in &constraint.form {
                sum[*x].add_mul(&factor, coeff);
            }
            constant.add_mul(&factor, &constraint.constant);
        }
        sum.iter().all(Rational::is_zero) && (constant.is_negative() || strict && constant.is_zero())
    }

    fn programs() -> impl Strategy<Value = (LinearProgram, Vec<(usize, Rational)>)> {
        let form = || proptest::collection::vec((0usize..4, -4i64..=4), 1..4);
        let relation = prop_oneof![
            3 => Just(Relation::AtMost),
            1 => Just(Relation::Below),
            3 => Just(Relation::AtLeast),
            1 => Just(Relation::Above),
            2 => Just(Relation::Equal),
        ];
        (proptest::collection::vec((form(), relation, -6i64..=6), 1..9), form()).prop_map(|(constraints, objective)| {
            let mut program = LinearProgram { n_unknowns: 4, constraints: Vec::new() };
            let rational = |form: &[(usize, i64)]| -> Vec<(usize, Rational)> {
                form.iter().map(|(x, coeff)| (*x, Rational::from(*coeff))).collect()
            };
            for (form, relation, constant) in constraints {
                program.require(&rational(&form), relation, Rational::from(constant));
            }
            (program, rational(&objective))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Solutions and refutations certify themselves; optima are certified by asking for something better.
        #[test]
        fn answers_are_certified((program, objective) in programs()) {
            let budget = Budget::unlimited();
            match program.solve(&budget) {
                Solution::Found(point) => prop_assert!(satisfies(&program, &point)),
                Solution::Infeasible(multipliers) => prop_assert!(refutes(&program, &multipliers)),
                Solution::Stopped(_) => prop_assert!(false),
            }
            let bounded_by = |relation, bound: Rational| {
                let mut stricter = program.clone();
                stricter.require(&objective, relation, bound);
                matches!(stricter.solve(&budget), Solution::Found(_))
            };
            match program.minimize(&objective, &budget) {
                Optimum::Attained { value, point, strictly } => {
                    prop_assert!(satisfies(&program, &point));
                    prop_assert!(!bounded_by(Relation::Below, value.clone()));
                    prop_assert_eq!(bounded_by(Relation::AtMost, value.clone()), strictly);
                    prop_assert!(bounded_by(Relation::AtMost, value + Rational::ratio(1, 1000)));
                }
                Optimum::Unbounded(point) => {
                    prop_assert!(satisfies(&program, &point));
                    prop_assert!(bounded_by(Relation::Below, Rational::from(-1_000_000)));
                }
                Optimum::Infeasible(multipliers) => prop_assert!(refutes(&program, &multipliers)),
                Optimum::Stopped(_) => prop_assert!(false),
            }
        }
    }
}
