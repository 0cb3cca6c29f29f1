//! The ranking templates.
//!
//! With `f` for the value before an iteration and `f'` after it:
//!
//! - *affine*: `f ≥ 0`, `f - f' ≥ 1`;
//! - *nested* of depth k: `f₀ - f₀' ≥ 1`, `fᵢ + fᵢ₋₁ - fᵢ' ≥ 1`, `fₖ₋₁ ≥ 1`. Once `fᵢ₋₁` is at most 0, `fᵢ` falls. The
//!   value is (k - i, fᵢ) for the first i with `fᵢ > 0`;
//! - *lexicographic*: a sequence of functions. Each one is found so that it does not rise on any disjunct of the loop
//!   that is left, and falls by 1 and is bounded on as many as possible; these are then taken away. Taking greedily is
//!   complete: a disjunct that can be taken now can be taken later too, but taking it never hurts;
//! - *multiphase*: as nested, but the condition `fᵢ₋₁ ≤ 0` of "then `fᵢ` falls" may be used on some disjuncts and not
//!   on others. The factor with which it enters is 0 or 1 (functions can be scaled), and all such choices are tried;
//! - *parallel*: none of the functions ever rises, and on every disjunct some function falls and is at least 1. The
//!   value is `Σ max(0, fᵢ)`. Other than for lexicographic functions no bound is needed where a function does not fall.
//!   Each function is a linear program of its own, which covers one disjunct and then as many others as it can;
//! - *piecewise*: one function where a discriminator `g` is at least 0, another where it is at most 0. The
//!   discriminator is taken from the guards of the loop, the signs and differences of variables; with that fixed the
//!   functions are one linear program.
//!
//! The published templates for the last three (Leike and Heizmann 2015) multiply unknowns by unknowns; what is done
//! here is their linear part, with the remaining factors enumerated.
//!
//! Templates are tried from simple to complex, each first without the stem, then with supporting invariants.
//! An invariant belongs to one application of Farkas' lemma; all are required at once.

use super::eigenvalues::rational_eigenvalues;
use super::farkas::{Form, Unknown, is_satisfiable, require_implication, require_strict_implication};
use super::linear::{Affine, LinearLasso, Polyhedron, Row, RowKind};
use base::{Budget, Stop};
use logic::Rational;
use smt::arith::lp::{LinearProgram, Optimum, Relation, Solution};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Template {
    Affine,
    Nested(usize),
    /// With at most this many components.
    Lexicographic(usize),
    Multiphase(usize),
    /// With at most this many functions.
    Parallel(usize),
    /// Two pieces.
    Piecewise,
}

/// A ranking argument. The coefficients are integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    pub template: Template,
    pub functions: Vec<Affine>,
    /// `≥ 0` after the stem and preserved by the loop. Empty if the loop alone terminates.
    pub invariants: Vec<Affine>,
    /// The same with `> 0`.
    pub strict_invariants: Vec<Affine>,
    /// For piecewise functions: the first function counts where this is at least 0, the second elsewhere.
    pub discriminator: Option<Affine>,
}

impl Ranking {
    /// The value of a state as a tuple, compared lexicographically; it falls with every iteration, in a
    /// component that was at least 0 before. For tests.
    pub fn value(&self, point: &[Rational]) -> Vec<Rational> {
        let values: Vec<Rational> = self.functions.iter().map(|f| f.value(point)).collect();
        match self.template {
            Template::Affine | Template::Lexicographic(_) => values,
            Template::Nested(k) | Template::Multiphase(k) => {
                let phase = values.iter().position(Rational::is_positive).unwrap_or(k.saturating_sub(1));
                vec![Rational::from((k - phase) as i64), values[phase].clone()]
            }
            Template::Parallel(_) => vec![values.into_iter().filter(Rational::is_positive).sum()],
            Template::Piecewise => {
                let second = self.discriminator.as_ref().is_some_and(|g| g.value(point).is_negative());
                vec![values[usize::from(second)].clone()]
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct RankingOptions {
    pub templates: Vec<Template>,
    /// Look for supporting invariants too.
    pub invariants: bool,
}

impl Default for RankingOptions {
    fn default() -> Self {
        RankingOptions {
            templates: vec![
                Template::Affine,
                Template::Nested(2),
                Template::Lexicographic(4),
                Template::Nested(3),
                Template::Parallel(4),
                Template::Multiphase(2),
                Template::Piecewise,
                Template::Nested(4),
                Template::Nested(5),
            ],
            invariants: true,
        }
    }
}

/// How the multiplier of an invariant in its own preservation is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Invariants {
    None,
    /// An iteration multiplies the value by at least this factor: 1 for invariants that do not fall, 0 for those that
    /// each iteration establishes anew, other factors for variables that grow or shrink geometrically.
    Multiplied(Rational),
}

/// Factors by which an iteration may multiply an invariant: 1, 0, the eigenvalues of the iteration and the ratios of
/// coefficients in its equations.
fn multipliers(lasso: &LinearLasso) -> Vec<Rational> {
    let mut factors = vec![Rational::one(), Rational::zero()];
    let n = lasso.n;
    let (before, after): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..2 * n).collect());
    for turn in &lasso.turn {
        for value in rational_eigenvalues(turn, &before, &after) {
            if !factors.contains(&value) && factors.len() < MAX_MULTIPLIERS {
                factors.push(value);
            }
        }
    }
    for row in lasso.turn.iter().flat_map(|p| &p.rows).filter(|r| r.kind == RowKind::Equal) {
        for (_, after) in row.coefficients.iter().filter(|(c, _)| (n..2 * n).contains(c)) {
            for (_, before) in row.coefficients.iter().filter(|(c, _)| *c < n) {
                let ratio = -(before / after);
                if ratio.is_positive() && !factors.contains(&ratio) && factors.len() < MAX_MULTIPLIERS {
                    factors.push(ratio);
                }
            }
        }
    }
    factors
}

const MAX_MULTIPLIERS: usize = 5;

/// A ranking argument for the lasso, if some template has one.
pub fn rank(lasso: &LinearLasso, options: &RankingOptions, budget: &Budget) -> Result<Option<Ranking>, Stop> {
    let feasible = |disjuncts: &[Polyhedron]| -> Result<Vec<Polyhedron>, Stop> {
        let mut kept = Vec::new();
        for polyhedron in disjuncts {
            if is_satisfiable(polyhedron, budget)? {
                kept.push(polyhedron.clone());
            }
        }
        Ok(kept)
    };
    // Farkas' lemma speaks about satisfiable premises.
    let mut lasso = LinearLasso { n: lasso.n, stem: feasible(&lasso.stem)?, turn: feasible(&lasso.turn)? };
    let mut strict_invariants = Vec::new();
    if options.invariants && lasso.turn.len() > 1 {
        strict_invariants = excluding_invariants(&mut lasso, budget)?;
    }
    let lasso = lasso;
    if lasso.turn.is_empty() || lasso.stem.is_empty() {
        // Nothing to rank: any constant will do, the loop is never taken.
        let zero = Affine { coefficients: vec![Rational::zero(); lasso.n], constant: Rational::zero() };
        return Ok(Some(Ranking {
            template: Template::Affine,
            functions: vec![zero],
            invariants: Vec::new(),
            strict_invariants,
            discriminator: None,
        }));
    }
    let mut modes = vec![Invariants::None];
    if options.invariants && lasso.stem.iter().all(|p| !p.rows.is_empty()) {
        modes.extend(multipliers(&lasso).into_iter().map(Invariants::Multiplied));
    }
    for mode in &modes {
        for &template in &options.templates {
            budget.check()?;
            if template != Template::Affine && lasso.n == 0 {
                continue;
            }
            let branching = lasso.turn.len() > 1;
            let mut discriminator = None;
            let found = match template {
                Template::Affine => nested(&lasso, 1, mode, budget)?,
                Template::Nested(k) => nested(&lasso, k, mode, budget)?,
                Template::Lexicographic(k) if branching => lexicographic(&lasso, k, mode, budget)?,
                Template::Multiphase(k) if branching => multiphase(&lasso, k, mode, budget)?,
                Template::Parallel(k) if branching => parallel(&lasso, k, mode, budget)?,
                Template::Piecewise if branching => match piecewise(&lasso, mode, budget)? {
                    Some((g, found)) => {
                        discriminator = Some(g);
                        Some(found)
                    }
                    None => None,
                },
                // On a single disjunct they are not stronger than nested functions.
                Template::Lexicographic(_) | Template::Multiphase(_) | Template::Parallel(_) | Template::Piecewise => {
                    None
                }
            };
            if let Some((functions, invariants)) = found {
                let functions = integral(functions);
                let invariants = invariants.iter().map(|i| i.scaled(&i.denominator())).collect();
                let invariants = without_trivial(invariants);
                return Ok(Some(Ranking { template, functions, invariants, strict_invariants, discriminator }));
            }
        }
    }
    Ok(None)
}

/// Strict supporting invariants that rule out disjuncts of the loop, which are taken away. A non-strict invariant that
/// does so is found together with the ranking function (its multiplier is part of the linear program); a strict one
/// does more only by its strictness, so it is searched for where the stem or the loop has strict rows, which after
/// tightening only comparisons of reals are.
fn excluding_invariants(lasso: &mut LinearLasso, budget: &Budget) -> Result<Vec<Affine>, Stop> {
    let strict = |p: &Polyhedron| p.rows.iter().any(|r| r.kind == RowKind::Above);
    if lasso.stem.is_empty() || !lasso.stem.iter().all(strict) {
        return Ok(Vec::new());
    }
    let factors = multipliers(lasso);
    let mut found = Vec::new();
    let mut candidate = 0;
    while candidate < lasso.turn.len() {
        let mut invariant = None;
        for factor in &factors {
            budget.check()?;
            let mode = Invariants::None;
            let mut builder = Builder::new(lasso, &mode);
            let function = builder.function();
            let (before, after) = (function.form(), function.form().shifted(lasso.n));
            for stem in &lasso.stem {
                require_strict_implication(&mut builder.program, stem, &before);
            }
            for turn in &lasso.turn {
                // after - factor·before > 0, or ≥ 0 if the factor carries the strictness over.
                let grown = after.clone().plus_scaled(&before, &-factor);
                if factor.is_zero() {
                    require_strict_implication(&mut builder.program, turn, &grown);
                } else {
                    require_implication(&mut builder.program, turn, &[], &grown);
                }
            }
            let negated = Form::default().plus(&before, -1);
            require_implication(&mut builder.program, &lasso.turn[candidate], &[], &negated);
            if let Some(solution) = builder.solve(&builder.weight, budget)? {
                let affine = function.read(&solution);
                invariant = Some(affine.scaled(&affine.denominator()));
                break;
            }
        }
        match invariant {
            Some(invariant) => {
                found.push(invariant);
                lasso.turn.remove(candidate);
            }
            None => candidate += 1,
        }
    }
    Ok(found)
}

/// Integer coefficients by a common factor, so that sums of different functions keep their meaning.
fn integral(functions: Vec<Affine>) -> Vec<Affine> {
    let factor = functions.iter().fold(Rational::one(), |acc, f| acc.lcm(&f.denominator()));
    functions.iter().map(|f| f.scaled(&factor)).collect()
}

fn without_trivial(mut invariants: Vec<Affine>) -> Vec<Affine> {
    invariants.retain(|i| !i.is_constant());
    let mut distinct: Vec<Affine> = Vec::new();
    for invariant in invariants {
        if !distinct.contains(&invariant) {
            distinct.push(invariant);
        }
    }
    distinct
}

/// A program under construction, with what has to be read off its solution.
#[derive(Clone)]
struct Builder<'a> {
    lasso: &'a LinearLasso,
    mode: &'a Invariants,
    program: LinearProgram,
    invariants: Vec<FunctionUnknowns>,
    /// Minimised in the end, so that what is not needed vanishes.
    weight: Vec<(usize, Rational)>,
}

/// Each coefficient is a difference of two non-negative unknowns, so that its size can be minimised.
#[derive(Clone)]
struct FunctionUnknowns {
    coefficients: Vec<(usize, usize)>,
    constant: (usize, usize),
}

impl FunctionUnknowns {
    fn form(&self) -> Form {
        let difference = |(plus, minus): (usize, usize)| {
            let mut unknown = Unknown::variable(plus);
            unknown.add_scaled(&Unknown::variable(minus), &Rational::from(-1));
            unknown
        };
        Form {
            columns: self.coefficients.iter().enumerate().map(|(i, c)| (i, difference(*c))).collect(),
            constant: difference(self.constant),
        }
    }
    fn read(&self, solution: &[Rational]) -> Affine {
        Affine {
            coefficients: self.coefficients.iter().map(|(p, m)| &solution[*p] - &solution[*m]).collect(),
            constant: &solution[self.constant.0] - &solution[self.constant.1],
        }
    }
}

impl<'a> Builder<'a> {
    fn new(lasso: &'a LinearLasso, mode: &'a Invariants) -> Self {
        Builder { lasso, mode, program: LinearProgram::new(), invariants: Vec::new(), weight: Vec::new() }
    }

    fn function(&mut self) -> FunctionUnknowns {
        let mut pair = |weight: i64| {
            let pair = (self.program.nonnegative(), self.program.nonnegative());
            self.weight.extend([(pair.0, Rational::from(weight)), (pair.1, Rational::from(weight))]);
            pair
        };
        FunctionUnknowns { coefficients: (0..self.lasso.n).map(|_| pair(2)).collect(), constant: pair(3) }
    }

    /// Requires that every iteration through one disjunct makes `goal ≥ 0`, with a supporting invariant of its own.
    fn require(&mut self, disjunct: &Polyhedron, goal: &Form) {
        let factor = match self.mode {
            Invariants::None => {
                require_implication(&mut self.program, disjunct, &[], goal);
                return;
            }
            Invariants::Multiplied(factor) => factor.clone(),
        };
        let invariant = self.function();
        let before = invariant.form();
        let after = before.shifted(self.lasso.n);
        for stem in &self.lasso.stem {
            require_implication(&mut self.program, stem, &[], &before);
        }
        let grown = Form::default().plus_scaled(&before, &factor);
        for turn in &self.lasso.turn {
            require_implication(&mut self.program, turn, &[&grown], &after);
        }
        require_implication(&mut self.program, disjunct, &[&before], goal);
        self.invariants.push(invariant);
    }

    fn solve(&self, objective: &[(usize, Rational)], budget: &Budget) -> Result<Option<Vec<Rational>>, Stop> {
        budget.check_now()?;
        match self.program.minimize(objective, budget) {
            Optimum::Attained { point, .. } | Optimum::Unbounded(point) => Ok(Some(point)),
            Optimum::Infeasible(_) => Ok(None),
            Optimum::Stopped(stop) => Err(stop),
        }
    }

    /// A solution with simple functions: constants and coefficients are 0 where possible, else 1 or -1 where possible,
    /// in this order. Minimising their sizes instead would prefer `3/4 n - i` to `n - i` where the former happens to
    /// suffice, and such functions fit fewer iterations of a loop.
    fn simplest(&mut self, functions: &[FunctionUnknowns], budget: &Budget) -> Result<Option<Vec<Rational>>, Stop> {
        if self.solve(&[], budget)?.is_none() {
            return Ok(None);
        }
        let constants = functions.iter().map(|f| f.constant);
        let coefficients: Vec<(usize, usize)> = functions.iter().flat_map(|f| f.coefficients.iter().copied()).collect();
        let mut free = Vec::new();
        for pair in constants.chain(coefficients.iter().copied()) {
            if !self.fix(pair, 0, budget)? && coefficients.contains(&pair) {
                free.push(pair);
            }
        }
        for pair in free {
            if !self.fix(pair, 1, budget)? {
                self.fix(pair, -1, budget)?;
            }
        }
        self.solve(&self.weight, budget)
    }

    /// Requires a coefficient to have this value, if that leaves a solution.
    fn fix(&mut self, (plus, minus): (usize, usize), value: i64, budget: &Budget) -> Result<bool, Stop> {
        budget.check_now()?;
        let mut fixed = self.program.clone();
        let difference = [(plus, Rational::one()), (minus, Rational::from(-1))];
        fixed.require(&difference, Relation::Equal, Rational::from(value));
        match fixed.solve(budget) {
            Solution::Found(_) => {
                self.program = fixed;
                Ok(true)
            }
            Solution::Infeasible(_) => Ok(false),
            Solution::Stopped(stop) => Err(stop),
        }
    }

    fn read_invariants(&self, solution: &[Rational]) -> Vec<Affine> {
        self.invariants.iter().map(|i| i.read(solution)).collect()
    }
}

type Found = Option<(Vec<Affine>, Vec<Affine>)>;

/// A nested ranking function of depth `k`; depth 1 is affine.
fn nested(lasso: &LinearLasso, k: usize, mode: &Invariants, budget: &Budget) -> Result<Found, Stop> {
    let mut builder = Builder::new(lasso, mode);
    let functions: Vec<FunctionUnknowns> = (0..k).map(|_| builder.function()).collect();
    let lower_bound = if k == 1 { 0 } else { 1 };
    for disjunct in &lasso.turn {
        budget.check()?;
        for i in 0..k {
            let f = functions[i].form();
            let mut goal = f.clone().plus(&f.shifted(lasso.n), -1).plus_constant(-1);
            if i > 0 {
                goal = goal.plus(&functions[i - 1].form(), 1);
            }
            builder.require(disjunct, &goal);
        }
        let bounded = functions[k - 1].form().plus_constant(-lower_bound);
        builder.require(disjunct, &bounded);
    }
    let Some(solution) = builder.simplest(&functions, budget)? else { return Ok(None) };
    let functions = functions.iter().map(|f| f.read(&solution)).collect();
    Ok(Some((functions, builder.read_invariants(&solution))))
}

/// A lexicographic ranking function with at most `k` components.
fn lexicographic(lasso: &LinearLasso, k: usize, mode: &Invariants, budget: &Budget) -> Result<Found, Stop> {
    let mut left: Vec<Polyhedron> = lasso.turn.clone();
    let (mut functions, mut invariants) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        budget.check()?;
        if functions.len() == k {
            return Ok(None);
        }
        let mut builder = Builder::new(lasso, mode);
        let function = builder.function();
        let f = function.form();
        let mut taken = Vec::new();
        for disjunct in &left {
            // 0 ≤ e ≤ 1 is the amount by which the function falls; it must be bounded where e is 1. The bound is
            // f ≥ e - 1, so that with e = 0 it asks for no more than f ≥ -1 on every disjunct.
            let e = builder.program.nonnegative();
            builder.program.require(&[(e, Rational::one())], Relation::AtMost, Rational::one());
            let falls = f.clone().plus(&f.shifted(lasso.n), -1).plus_unknown(e, -1);
            builder.require(disjunct, &falls);
            let bounded = f.clone().plus_constant(1).plus_unknown(e, -1);
            builder.require(disjunct, &bounded);
            taken.push(e);
        }
        // First take as much as possible; size matters only after that.
        let objective: Vec<(usize, Rational)> = taken.iter().map(|e| (*e, Rational::from(-1))).collect();
        let Some(solution) = builder.solve(&objective, budget)? else { return Ok(None) };
        let rest: Vec<Polyhedron> = left
            .iter()
            .zip(&taken)
            .filter(|(_, e)| !solution[**e].is_one())
            .map(|(polyhedron, _)| polyhedron.clone())
            .collect();
        if rest.len() == left.len() {
            return Ok(None);
        }
        for e in &taken {
            let value = if solution[*e].is_one() { Rational::one() } else { Rational::zero() };
            builder.program.require(&[(*e, Rational::one())], Relation::Equal, value);
        }
        let solution = builder.simplest(std::slice::from_ref(&function), budget)?.unwrap_or(solution);
        left = rest;
        functions.push(function.read(&solution));
        invariants.extend(builder.read_invariants(&solution));
    }
    Ok(Some((functions, invariants)))
}

/// At most this number of disjuncts get multipliers of their own: each doubles the number of programs.
const MAX_FREE_MULTIPLIERS: usize = 6;

/// A multiphase ranking function of `k` phases: nested, with a multiplier 0 or 1 of its own for every use of
/// `fᵢ₋₁ ≤ 0`.
fn multiphase(lasso: &LinearLasso, k: usize, mode: &Invariants, budget: &Budget) -> Result<Found, Stop> {
    let n_free = lasso.turn.len() * k.saturating_sub(1);
    if k < 2 || n_free > MAX_FREE_MULTIPLIERS {
        return Ok(None);
    }
    // All ones is the nested template, which has been tried.
    for choice in 1..1u32 << n_free {
        budget.check()?;
        let mut builder = Builder::new(lasso, mode);
        let functions: Vec<FunctionUnknowns> = (0..k).map(|_| builder.function()).collect();
        for (d, disjunct) in lasso.turn.iter().enumerate() {
            for i in 0..k {
                let f = functions[i].form();
                let mut goal = f.clone().plus(&f.shifted(lasso.n), -1).plus_constant(-1);
                if i > 0 && (choice >> (d * (k - 1) + i - 1)) & 1 == 0 {
                    goal = goal.plus(&functions[i - 1].form(), 1);
                }
                builder.require(disjunct, &goal);
            }
            builder.require(disjunct, &functions[k - 1].form().plus_constant(-1));
        }
        if let Some(solution) = builder.simplest(&functions, budget)? {
            let functions = functions.iter().map(|f| f.read(&solution)).collect();
            return Ok(Some((functions, builder.read_invariants(&solution))));
        }
    }
    Ok(None)
}

/// A parallel ranking function with at most `k` parts.
fn parallel(lasso: &LinearLasso, k: usize, mode: &Invariants, budget: &Budget) -> Result<Found, Stop> {
    let mut uncovered: Vec<usize> = (0..lasso.turn.len()).collect();
    let (mut functions, mut invariants) = (Vec::new(), Vec::new());
    while let Some(&first) = uncovered.first() {
        budget.check()?;
        if functions.len() == k {
            return Ok(None);
        }
        let mut builder = Builder::new(lasso, mode);
        let function = builder.function();
        let f = function.form();
        let falls_by = |least: i64| f.clone().plus(&f.shifted(lasso.n), -1).plus_constant(-least);
        for disjunct in &lasso.turn {
            builder.require(disjunct, &falls_by(0));
        }
        let mut covered = Vec::new();
        for &d in &uncovered {
            let mut wider = builder.clone();
            wider.require(&lasso.turn[d], &falls_by(1));
            wider.require(&lasso.turn[d], &f.clone().plus_constant(-1));
            if wider.solve(&[], budget)?.is_some() {
                builder = wider;
                covered.push(d);
            } else if d == first {
                return Ok(None);
            }
        }
        let Some(solution) = builder.simplest(std::slice::from_ref(&function), budget)? else { return Ok(None) };
        uncovered.retain(|d| !covered.contains(d));
        functions.push(function.read(&solution));
        invariants.extend(builder.read_invariants(&solution));
    }
    Ok(Some((functions, invariants)))
}

const MAX_DISCRIMINATORS: usize = 24;

/// Where pieces may meet: guards of the loop, signs of variables, differences of two.
fn discriminators(lasso: &LinearLasso) -> Vec<Affine> {
    let n = lasso.n;
    let mut found: Vec<Affine> = Vec::new();
    let mut add = |affine: Affine| {
        let negated = affine.scaled(&Rational::from(-1));
        if found.len() < MAX_DISCRIMINATORS && !found.contains(&affine) && !found.contains(&negated) {
            found.push(affine);
        }
    };
    let zero = || Affine { coefficients: vec![Rational::zero(); n], constant: Rational::zero() };
    for row in lasso.turn.iter().flat_map(|p| &p.rows) {
        if !row.coefficients.is_empty() && row.max_column().is_some_and(|c| c < n) && row.kind != RowKind::Equal {
            let mut affine = zero();
            row.coefficients.iter().for_each(|(c, k)| affine.coefficients[*c] = k.clone());
            affine.constant = row.constant.clone();
            add(affine);
        }
    }
    for i in 0..n {
        let mut affine = zero();
        affine.coefficients[i] = Rational::one();
        add(affine);
    }
    for i in 0..n {
        for j in i + 1..n {
            let mut affine = zero();
            affine.coefficients[i] = Rational::one();
            affine.coefficients[j] = Rational::from(-1);
            add(affine);
        }
    }
    found
}

/// The discriminator, the functions and the invariants.
type Pieces = (Affine, (Vec<Affine>, Vec<Affine>));

/// A ranking function of two pieces, and the discriminator.
fn piecewise(lasso: &LinearLasso, mode: &Invariants, budget: &Budget) -> Result<Option<Pieces>, Stop> {
    for g in discriminators(lasso) {
        budget.check()?;
        let mut builder = Builder::new(lasso, mode);
        let functions = [builder.function(), builder.function()];
        let sides = [g.clone(), g.scaled(&Rational::from(-1))];
        for disjunct in &lasso.turn {
            for (i, here) in sides.iter().enumerate() {
                let mut starting = disjunct.clone();
                starting.rows.push(half_space(here, 0));
                if !is_satisfiable(&starting, budget)? {
                    continue;
                }
                builder.require(&starting, &functions[i].form());
                for (j, there) in sides.iter().enumerate() {
                    let mut turn = starting.clone();
                    turn.rows.push(half_space(there, lasso.n));
                    if is_satisfiable(&turn, budget)? {
                        let after = functions[j].form().shifted(lasso.n);
                        builder.require(&turn, &functions[i].form().plus(&after, -1).plus_constant(-1));
                    }
                }
            }
        }
        if let Some(solution) = builder.simplest(&functions, budget)? {
            let functions = functions.iter().map(|f| f.read(&solution)).collect();
            let scaled = g.scaled(&g.denominator());
            return Ok(Some((scaled, (functions, builder.read_invariants(&solution)))));
        }
    }
    Ok(None)
}

/// `affine ≥ 0` over columns from `offset` on.
fn half_space(affine: &Affine, offset: usize) -> Row {
    let columns = affine.coefficients.iter().enumerate().map(|(i, c)| (i + offset, c.clone()));
    Row::new(columns, affine.constant.clone(), RowKind::AtLeast)
}
