//! Geometric non-termination arguments (Leike and Heizmann, "Geometric nontermination arguments", 2018).
//!
//! A loop whose iterations satisfy `A (x, x') ≤ b` is executed forever from `x₁` if there are rays `y₁ … yₙ` and
//! numbers `λᵢ ≥ 0`, `νᵢ ∈ {0, 1}` with
//!
//! ```text
//! A (x₁, x₁ + y₁ + … + yₙ) ≤ b        A (yᵢ, λᵢ yᵢ + νᵢ yᵢ₊₁) ≤ 0
//! ```
//!
//! since then from every `x₁ + Σ cᵢ yᵢ` with `cᵢ ≥ 0` an iteration leads to another such point: the rays are
//! (generalised) eigenvectors of the loop. With the `λ` taken from a list (the eigenvalues of the iteration, 0, 1, 2,
//! ratios of its coefficients) everything else is linear, and one solver query finds `x₁` and the rays together with an
//! execution of the stem.
//!
//! *What is reported* is the cone `{ x₁ + Σ cᵢ yᵢ | cᵢ ≥ 0 }` as a recurrence set, with the choices of the loop as
//! affine functions of the state; so it is checked like every other recurrence set, and nothing here has to be trusted.
//! Rays must be linearly independent for this (the `cᵢ` are then functions of the state).

use super::recurrence::Search;
use crate::lasso_ranking::{Polyhedron, RowKind, dnf_rows, rational_eigenvalues};
use base::Stop;
use ir::ssa::Ssa;
use ir::{EdgeId, NonTermination, VarId};
use logic::{FastMap, FastSet, Model, Rational, SatResult, Solver, SortId, TermId, TermPool, Value};
use smt::SmtSolver;
use std::collections::BTreeMap;
use std::time::Duration;

const QUERY_LIMIT: Duration = Duration::from_millis(400);
/// All queries for one lasso together.
const TOTAL_LIMIT: Duration = Duration::from_millis(2500);
/// How many disjuncts of an iteration are tried.
const MAX_DISJUNCTS: usize = 4;
/// Loops with more variables than this are left alone.
const MAX_COLUMNS: usize = 80;
const MAX_EIGENVALUES: usize = 6;

/// One choice of the numbers.
struct Shape {
    lambda: Vec<Rational>,
    /// Is the next ray added?
    nu: Vec<bool>,
}

/// A variable of the state with its constants at the start and the end of the iteration.
struct StateColumn {
    variable: VarId,
    start: TermId,
    end: TermId,
}

/// `Σ factor · (variable - origin)`, scaled so that the factors are integers: the coefficient of a ray times `scale`.
struct Coordinate {
    factors: Vec<Rational>,
    scale: Rational,
}

impl Search<'_> {
    /// A geometric argument for the lasso, as a recurrence set.
    pub(super) fn geometric(&mut self, stem: &[EdgeId], cycle: &[EdgeId]) -> Result<Option<NonTermination>, Stop> {
        let limit = self.budget.child(TOTAL_LIMIT);
        let outer = self.budget;
        let mut inner = Search { pool: &mut *self.pool, icfg: self.icfg, budget: &limit };
        match inner.geometric_within(stem, cycle) {
            Err(Stop::Timeout) => {
                outer.check_now()?;
                Ok(None)
            }
            other => other,
        }
    }

    fn geometric_within(&mut self, stem: &[EdgeId], cycle: &[EdgeId]) -> Result<Option<NonTermination>, Stop> {
        let whole: Vec<EdgeId> = stem.iter().chain(cycle).copied().collect();
        let Ok(ssa) = Ssa::of_trace(self.pool, self.icfg, &whole) else { return Ok(None) };
        let formulas: Vec<TermId> = ssa.steps[stem.len()..].iter().flat_map(|s| s.formulas.iter().copied()).collect();
        let Some(state) = self.state_columns(&ssa, stem.len(), &formulas) else { return Ok(None) };
        let extraction = dnf_rows(self.pool, &formulas, &[], self.budget)?;
        if !extraction.exact || extraction.columns.len() > MAX_COLUMNS {
            return Ok(None);
        }
        for disjunct in extraction.disjuncts.iter().take(MAX_DISJUNCTS) {
            for shape in shapes(&eigenvalues(disjunct, &extraction.columns, &state)) {
                self.budget.check_now()?;
                let mut query = Query::new(self.pool, &extraction.columns, &state, shape.lambda.len());
                let constraints = query.constraints(self.pool, disjunct, &shape);
                let mut solver = SmtSolver::without_proofs();
                let before = ssa.steps.iter().flat_map(|s| &s.formulas);
                for &t in self.icfg.axioms.iter().chain(before).chain(&constraints) {
                    solver.assert(self.pool, t);
                }
                match solver.check(self.pool, &self.budget.child(QUERY_LIMIT)) {
                    SatResult::Sat => {}
                    SatResult::Unsat => continue,
                    SatResult::Unknown(_) => {
                        self.budget.check_now()?;
                        continue;
                    }
                }
                let Some(model) = solver.model().cloned() else { continue };
                if let Some(found) = self.cone(stem, cycle, &ssa, &model, &query)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The variables that the iteration reads or changes; `None` if some are not numbers.
    fn state_columns(&self, ssa: &Ssa, start: usize, formulas: &[TermId]) -> Option<Vec<StateColumn>> {
        let mut read: FastSet<TermId> = FastSet::default();
        for &f in formulas {
            read.extend(self.pool.free_constants(f));
        }
        let end = ssa.versions.len() - 1;
        let mut columns = Vec::new();
        for (variable, info) in self.icfg.vars.iter() {
            let (first, last) = (ssa.versions[start][variable], ssa.versions[end][variable]);
            if !read.contains(&first) && first == last {
                continue;
            }
            if !info.sort.is_arith() || info.sort == SortId::BOOL {
                return None;
            }
            columns.push(StateColumn { variable, start: first, end: last });
        }
        Some(columns)
    }

    /// The cone of a solution as a recurrence set.
    fn cone(
        &mut self,
        stem: &[EdgeId],
        cycle: &[EdgeId],
        ssa: &Ssa,
        model: &Model,
        query: &Query<'_>,
    ) -> Result<Option<NonTermination>, Stop> {
        let number = |search: &Search<'_>, t: TermId| match model.eval(search.pool, t) {
            Ok(Value::Num(n)) => Some(n),
            _ => None,
        };
        let state = query.state;
        let Some(origin): Option<Vec<Rational>> = state.iter().map(|c| number(self, c.start)).collect() else {
            return Ok(None);
        };
        let (mut rays, mut used): (Vec<Vec<Rational>>, Vec<usize>) = (Vec::new(), Vec::new());
        for (i, ray) in query.rays.iter().enumerate() {
            let values: Option<Vec<Rational>> = state.iter().map(|c| number(self, ray[&c.start])).collect();
            let Some(values) = values else { return Ok(None) };
            if values.iter().any(|v| !v.is_zero()) {
                rays.push(values);
                used.push(i);
            }
        }
        let Some((coordinates, equations)) = coordinates(&rays, state.len()) else { return Ok(None) };

        // The set: the equations of the subspace, and coordinates that are not negative.
        let variables: Vec<TermId> = state.iter().map(|c| self.icfg.vars[c.variable].term).collect();
        let mut conjuncts = Vec::new();
        for factors in &equations {
            let value = combination(self.pool, factors, &variables, &origin);
            let zero = self.pool.num(Rational::ZERO, self.pool.sort(value));
            conjuncts.push(self.pool.eq(value, zero));
        }
        let mut values = Vec::new();
        for coordinate in &coordinates {
            let value = combination(self.pool, &coordinate.factors, &variables, &origin);
            let zero = self.pool.num(Rational::ZERO, self.pool.sort(value));
            conjuncts.push(self.pool.ge(value, zero));
            values.push(value);
        }
        let recurrence = self.pool.and(&conjuncts);

        // Choices are affine in the coordinates.
        let start = stem.len();
        let choose = |search: &mut Search<'_>, position: usize, v: VarId, _: TermId| -> Option<TermId> {
            let constant = ssa.versions[start + position + 1][v];
            let sort = search.icfg.vars[v].sort;
            if !sort.is_arith() || sort == SortId::BOOL {
                let value = model.eval(search.pool, constant).ok()?;
                return search.pool.value_term(&value, sort);
            }
            let mut sum = vec![search.pool.num(number(search, constant)?, sort)];
            for ((&i, coordinate), &value) in used.iter().zip(&coordinates).zip(&values) {
                let Some(&ray) = query.rays[i].get(&constant) else { continue };
                let factor = number(search, ray)? / &coordinate.scale;
                if factor.is_zero() {
                    continue;
                }
                if sort == SortId::INT && (!factor.is_integer() || search.pool.sort(value) != SortId::INT) {
                    return None;
                }
                let value = if search.pool.sort(value) == sort { value } else { search.pool.to_real(value) };
                sum.push(search.pool.scale(value, &factor));
            }
            let over_start = search.pool.add(&sum);
            search.over_state_before(cycle, position, over_start)
        };
        let Some(turn) = self.turn(cycle, &choose) else { return Ok(None) };
        let stem = self.counterexample(stem, ssa, model);
        Ok(Some(NonTermination { stem, cycle: turn.steps, recurrence }))
    }
}

/// `Σ factor · (variable - origin)`.
fn combination(pool: &mut TermPool, factors: &[Rational], variables: &[TermId], origin: &[Rational]) -> TermId {
    let real = variables.iter().zip(factors).any(|(v, f)| !f.is_zero() && pool.sort(*v) == SortId::REAL);
    let sort = if real { SortId::REAL } else { SortId::INT };
    let constant: Rational = factors.iter().zip(origin).map(|(f, o)| -(f * o)).sum();
    let mut sum = vec![pool.num(constant, sort)];
    for (&variable, factor) in variables.iter().zip(factors).filter(|(_, f)| !f.is_zero()) {
        let number = if real && pool.sort(variable) == SortId::INT { pool.to_real(variable) } else { variable };
        sum.push(pool.scale(number, factor));
    }
    pool.add(&sum)
}

/// For linearly independent rays: the coordinate of each as a combination of the components, and combinations that
/// vanish on all rays and, together, only on their span. `None` if the rays are dependent.
fn coordinates(rays: &[Vec<Rational>], n: usize) -> Option<(Vec<Coordinate>, Vec<Vec<Rational>>)> {
    let k = rays.len();
    // Gauss–Jordan on [Y | I]: rows are components; the left part becomes the identity on k rows and 0 below.
    let mut rows: Vec<Vec<Rational>> = (0..n)
        .map(|i| {
            let unit = (0..n).map(|j| if i == j { Rational::one() } else { Rational::zero() });
            rays.iter().map(|r| r[i].clone()).chain(unit).collect()
        })
        .collect();
    for column in 0..k {
        let pivot = (column..n).find(|r| !rows[*r][column].is_zero())?;
        rows.swap(column, pivot);
        let inverse = rows[column][column].recip();
        rows[column].iter_mut().for_each(|x| *x = &*x * &inverse);
        let pivot_row = rows[column].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != column && !row[column].is_zero() {
                let factor = row[column].clone();
                for (x, p) in row.iter_mut().zip(&pivot_row) {
                    *x -= &factor * p;
                }
            }
        }
    }
    let scaled = |row: &[Rational]| -> (Vec<Rational>, Rational) {
        let scale = row.iter().fold(Rational::one(), |acc, c| acc.lcm(&c.denom_rational()));
        (row.iter().map(|c| c * &scale).collect(), scale)
    };
    let coordinates = rows[..k]
        .iter()
        .map(|row| {
            let (factors, scale) = scaled(&row[k..]);
            Coordinate { factors, scale }
        })
        .collect();
    let equations = rows[k..].iter().map(|row| scaled(&row[k..]).0).collect();
    Some((coordinates, equations))
}

/// Candidates for the factor by which a ray grows in an iteration: rational eigenvalues where the iteration is a
/// function, by how much variables are multiplied, then small numbers and other ratios.
fn eigenvalues(turn: &Polyhedron, columns: &[TermId], state: &[StateColumn]) -> Vec<Rational> {
    let equations = || turn.rows.iter().filter(|r| r.kind == RowKind::Equal);
    let mut found: Vec<Rational> = Vec::new();
    let mut add = |value: Rational| {
        if !value.is_negative() && !found.contains(&value) && found.len() < MAX_EIGENVALUES {
            found.push(value);
        }
    };
    let place = |t: TermId| columns.iter().position(|c| *c == t);
    let both = |c: &StateColumn| Some((place(c.start)?, place(c.end)?));
    let (before, after): (Vec<usize>, Vec<usize>) = state.iter().filter_map(both).unzip();
    rational_eigenvalues(turn, &before, &after).into_iter().for_each(&mut add);
    for column in state {
        for row in equations() {
            let factor_of = |t: TermId| row.coefficients.iter().find(|(c, _)| columns[*c] == t).map(|(_, f)| f);
            if let (Some(before), Some(after)) = (factor_of(column.start), factor_of(column.end)) {
                add(-(before / after));
            }
        }
    }
    for small in [1, 2, 0] {
        add(Rational::from(small));
    }
    for row in equations() {
        for (_, a) in &row.coefficients {
            for (_, b) in &row.coefficients {
                add(-(a / b));
            }
        }
    }
    found
}

/// One ray with each eigenvalue; three with the first ones; two with all pairs, joined or not; three joined with
/// eigenvalue 1.
fn shapes(eigenvalues: &[Rational]) -> Vec<Shape> {
    let mut shapes: Vec<Shape> =
        eigenvalues.iter().map(|l| Shape { lambda: vec![l.clone()], nu: vec![false] }).collect();
    if let [a, b, c, ..] = eigenvalues {
        shapes.push(Shape { lambda: vec![a.clone(), b.clone(), c.clone()], nu: vec![false; 3] });
    }
    for joined in [true, false] {
        for (i, a) in eigenvalues.iter().enumerate() {
            // Rays that are not joined can be swapped.
            for b in &eigenvalues[if joined { 0 } else { i + 1 }..] {
                shapes.push(Shape { lambda: vec![a.clone(), b.clone()], nu: vec![joined, false] });
            }
        }
    }
    shapes.push(Shape { lambda: vec![Rational::one(); 3], nu: vec![true, true, false] });
    shapes
}

/// The constraints of one shape: which constants stand for what.
struct Query<'a> {
    columns: &'a [TermId],
    state: &'a [StateColumn],
    /// For each ray the constant of its part in each column.
    rays: Vec<FastMap<TermId, TermId>>,
}

impl<'a> Query<'a> {
    fn new(pool: &mut TermPool, columns: &'a [TermId], state: &'a [StateColumn], n_rays: usize) -> Query<'a> {
        let mut all: BTreeMap<TermId, ()> = columns.iter().map(|c| (*c, ())).collect();
        all.extend(state.iter().flat_map(|c| [(c.start, ()), (c.end, ())]));
        let mut rays = Vec::with_capacity(n_rays);
        for _ in 0..n_rays {
            let mut ray = FastMap::default();
            for &column in all.keys() {
                let sort = if pool.sort(column) == SortId::REAL { SortId::REAL } else { SortId::INT };
                ray.insert(column, pool.fresh_constant("ray", sort));
            }
            rays.push(ray);
        }
        Query { columns, state, rays }
    }

    fn constraints(&mut self, pool: &mut TermPool, turn: &Polyhedron, shape: &Shape) -> Vec<TermId> {
        let mut out = Vec::new();
        // The iteration from x₁ goes through this disjunct.
        for row in &turn.rows {
            let sum = self.row_value(pool, row, None);
            out.push(compared(pool, sum, row.kind));
            for i in 0..self.rays.len() {
                let sum = self.row_value(pool, row, Some(i));
                let kind = if row.kind == RowKind::Above { RowKind::AtLeast } else { row.kind };
                out.push(compared(pool, sum, kind));
            }
        }
        for column in self.state {
            let mut end = vec![column.start];
            end.extend(self.rays.iter().map(|r| r[&column.start]));
            let end = pool.add(&end);
            out.push(pool.eq(column.end, end));
            for i in 0..self.rays.len() {
                // Multiplied by the denominator of λ, so that integers stay integers.
                let denominator = shape.lambda[i].denom_rational();
                let numerator = &shape.lambda[i] * &denominator;
                let mut next = vec![pool.scale(self.rays[i][&column.start], &numerator)];
                if shape.nu[i]
                    && let Some(following) = self.rays.get(i + 1)
                {
                    next.push(pool.scale(following[&column.start], &denominator));
                }
                let next = pool.add(&next);
                let arrives = pool.scale(self.rays[i][&column.end], &denominator);
                out.push(pool.eq(arrives, next));
            }
        }
        out
    }

    /// The value of a row at the base point, or of its linear part along a ray.
    fn row_value(&self, pool: &mut TermPool, row: &crate::lasso_ranking::Row, ray: Option<usize>) -> TermId {
        let mut real = false;
        let mut parts = Vec::new();
        for (column, coefficient) in &row.coefficients {
            let term = self.columns[*column];
            let term = match ray {
                Some(i) => self.rays[i][&term],
                None if pool.sort(term) == SortId::BOOL => {
                    let (one, zero) = (pool.int(1), pool.int(0));
                    pool.ite(term, one, zero)
                }
                None => term,
            };
            real |= pool.sort(term) == SortId::REAL;
            parts.push((term, coefficient.clone()));
        }
        let integral = parts.iter().all(|(_, c)| c.is_integer()) && row.constant.is_integer();
        let real = real || !integral;
        let sort = if real { SortId::REAL } else { SortId::INT };
        let constant = if ray.is_none() { row.constant.clone() } else { Rational::zero() };
        let mut sum = vec![pool.num(constant, sort)];
        for (term, coefficient) in parts {
            let term = if real && pool.sort(term) == SortId::INT { pool.to_real(term) } else { term };
            sum.push(pool.scale(term, &coefficient));
        }
        pool.add(&sum)
    }
}

fn compared(pool: &mut TermPool, sum: TermId, kind: RowKind) -> TermId {
    let zero = pool.num(Rational::ZERO, pool.sort(sum));
    match kind {
        RowKind::AtLeast => pool.ge(sum, zero),
        RowKind::Above => pool.gt(sum, zero),
        RowKind::Equal => pool.eq(sum, zero),
    }
}
