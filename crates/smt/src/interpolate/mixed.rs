//! Resolution on literals that mix local symbols of both sides.
//!
//! A literal such as `i ≤ j` with `i` of A and `j` of B belongs to neither side. Following Christ, Hoenicke and Nutz
//! ("Proof tree preserving interpolation", TACAS 2013) it is cut in two by an *auxiliary variable* x that both sides
//! know; for an arithmetic atom `s + t ⋈ 0`, with `s` its part over A-local terms:
//!
//! | literal of the conflict | A is told | B is told |
//! |---|---|---|
//! | `s + t ≤ 0`, `s + t < 0` | `s ≤ x` | `x + t ≤ 0`, `x + t < 0` |
//! | its negation | `x ≤ s` | `x + t > 0`, `x + t ≥ 0` |
//! | `s + t = 0`, `a = b` | `s = x`, `a = x` | `x + t = 0`, `x = b` |
//! | its negation | `EQ(x, s)` | `¬EQ(x, -t)` |
//!
//! where EQ is an unknown relation, one for each atom. A partial interpolant may use x as if it were shared, and EQ
//! positively.
//!
//! **Resolution on a mixed equality.** I₁ is that of the clause with the equality, I₂ that of the other. Replace every
//! `EQ(x, e)` in I₁ by `I₂` with `e` for x: A knows `e = s`, so I₂ holds for `x = e`; B has refuted both EQ(x, -t) and
//! I₂ for `x = -t`.
//!
//! **Resolution on a mixed inequality.** `∃x. I₁ ∧ I₂` has both properties, straight from the definition: A takes
//! `s` for x, and B, whatever x is, has `x + t ≤ 0` or its negation. In I₁ (of the clause with the atom) x occurs in
//! bounds from above only, in I₂ in bounds from below only, so that the quantifier goes inwards to pairs of bounds:
//! `∃x. I₁ ∧ I₂ = I₁[u := I₂[l := ∃x. u ∧ l]]`. A [`Bound`] is a formula F that is decided by a linear `sum` outside a
//! gap: false if `sum > 0`, true if `sum < -gap`. Over the reals `∃x` is exact with gap 0; over the integers the
//! candidates for x are the finitely many at the end of the upper (or lower) bound, which brings in `div`.

use super::circuit::{Circuit, Gate, GateKind};
use super::labelled::Obstacle;
use crate::linear_literal::{form_atom, form_equality, form_term, is_integral};
use crate::sat::types::{Lit, Var};
use logic::{FastMap, FunId, Linear, Op, Rational, SortId, TermId, TermPool};

/// With more candidates for an auxiliary integer the formula would be too large.
const MAX_CANDIDATES: i64 = 40;
/// More gates than this, made by one query, end it.
const MAX_GATES: usize = 400_000;

/// A formula over auxiliary variables that a linear sum decides outside a gap.
#[derive(Clone, Debug)]
struct Bound {
    sum: Linear,
    kind: BoundKind,
}

#[derive(Clone, Debug)]
enum BoundKind {
    /// The formula is `sum ≤ 0`, or `sum < 0`.
    Exact { strict: bool },
    /// False if `sum > 0`, true if `sum < -gap`, and else as the formula says.
    Decided { gap: Rational, formula: Gate },
}

/// What stands for a mixed atom.
#[derive(Clone, Copy, Debug)]
struct Auxiliary {
    variable: TermId,
    /// The relation EQ, of equalities.
    relation: Option<FunId>,
}

/// The auxiliary variables of a query, and the bounds over them. Bounds and relations are formulas of a [`Circuit`],
/// under names that never leave it.
#[derive(Default)]
pub struct MixedAtoms {
    auxiliaries: FastMap<Var, Auxiliary>,
    atom_of: FastMap<FunId, Var>,
    bounds: FastMap<TermId, Bound>,
    /// The variables of inequalities: those that occur in bounds only.
    ordered: FastMap<TermId, ()>,
    n_gates_at_start: Option<usize>,
}

fn obstacle(reason: &'static str) -> Obstacle {
    Obstacle::Leaf { tag: 0, reason }
}

impl MixedAtoms {
    fn auxiliary(&mut self, pool: &mut TermPool, var: Var, atom: TermId) -> Auxiliary {
        if let Some(&known) = self.auxiliaries.get(&var) {
            return known;
        }
        let sort = pool.sort(pool.arg(atom, 0));
        let variable = pool.fresh_constant("@x", sort);
        let relation = (pool.op(atom) == Op::Eq).then(|| pool.fresh_fun("@eq", &[sort], SortId::BOOL));
        let made = Auxiliary { variable, relation };
        match relation {
            Some(f) => drop(self.atom_of.insert(f, var)),
            None => drop(self.ordered.insert(variable, ())),
        }
        self.auxiliaries.insert(var, made);
        made
    }
    /// The auxiliary variable of an atom.
    pub fn variable(&mut self, pool: &mut TermPool, var: Var, atom: TermId) -> TermId {
        self.auxiliary(pool, var, atom).variable
    }
    /// The formula `EQ(x, value)` for the auxiliary variable of an equality.
    pub fn relation(&mut self, pool: &mut TermPool, var: Var, atom: TermId, value: TermId) -> Option<TermId> {
        let Auxiliary { variable, relation } = self.auxiliary(pool, var, atom);
        let sort = pool.sort(variable);
        let value = if sort == SortId::REAL && pool.sort(value) == SortId::INT { pool.to_real(value) } else { value };
        (pool.sort(value) == sort).then(|| relation.map(|f| pool.app(f, &[value])))?
    }
    /// The same for a linear value, with the condition that it is an integer if the variable is one.
    pub fn relation_at(&mut self, pool: &mut TermPool, var: Var, atom: TermId, value: &Linear) -> Option<TermId> {
        let is_real = pool.sort(pool.arg(atom, 0)) == SortId::REAL;
        if is_real || all_integers(pool, value) {
            let (term, _) = form_term(pool, value);
            return self.relation(pool, var, atom, term);
        }
        let rounded = floor(pool, value);
        let mut rest = value.clone();
        rest.add_scaled(&rounded, &Rational::from(-1));
        let is_whole = form_equality(pool, &rest);
        let term = pool.linear_term(&rounded, SortId::INT);
        let relation = self.relation(pool, var, atom, term)?;
        Some(pool.and2(is_whole, relation))
    }
    pub fn is_variable(&self, t: TermId) -> bool {
        self.auxiliaries.values().any(|a| a.variable == t)
    }

    /// The gate of `sum ≤ 0` or `sum < 0`: a bound if auxiliary variables of inequalities occur.
    pub fn inequality(&mut self, pool: &mut TermPool, circuit: &mut Circuit, sum: &Linear, strict: bool) -> Gate {
        self.bound(pool, circuit, Bound { sum: sum.clone(), kind: BoundKind::Exact { strict } })
    }
    /// The gate of `sum < 0 ∨ sum = 0 ∧ boundary`.
    pub fn inequality_with_boundary(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        sum: &Linear,
        boundary: TermId,
    ) -> Gate {
        let boundary = self.formula(pool, circuit, boundary);
        let formula = below_or_at(pool, circuit, sum, boundary);
        self.bound(
            pool,
            circuit,
            Bound { sum: sum.clone(), kind: BoundKind::Decided { gap: Rational::zero(), formula } },
        )
    }
    /// The gate of a term whose conjunctions and disjunctions become gates, so that relations can be found in it.
    pub fn formula(&mut self, pool: &TermPool, circuit: &mut Circuit, term: TermId) -> Gate {
        match pool.op(term) {
            op @ (Op::And | Op::Or) => {
                let mut gate = if op == Op::And { Gate::TRUE } else { Gate::FALSE };
                for &arg in pool.args(term) {
                    let part = self.formula(pool, circuit, arg);
                    gate = if op == Op::And { circuit.and(gate, part) } else { circuit.or(gate, part) };
                }
                gate
            }
            _ => circuit.formula(term),
        }
    }

    fn bound(&mut self, pool: &mut TermPool, circuit: &mut Circuit, mut bound: Bound) -> Gate {
        if let BoundKind::Exact { strict } = &mut bound.kind
            && !bound.sum.is_constant()
            && bound.sum.terms.iter().all(|(t, _)| is_integral(pool, *t))
        {
            // Integers: coprime coefficients, and the constant rounded.
            let divisor = bound.sum.terms.iter().fold(Rational::zero(), |acc, (_, c)| acc.gcd(c));
            bound.sum.scale(&divisor.recip());
            if *strict {
                bound.sum.constant = bound.sum.constant.floor() + Rational::one();
                *strict = false;
            } else {
                bound.sum.constant = bound.sum.constant.ceil();
            }
        }
        if !bound.sum.terms.iter().any(|(t, _)| self.ordered.contains_key(t)) {
            return formula_of(pool, circuit, &bound);
        }
        let name = pool.fresh_constant("@bound", SortId::BOOL);
        self.bounds.insert(name, bound);
        circuit.formula(name)
    }

    /// The partial interpolant after a resolution on a mixed atom: `pivot` is in the clause of `left`, its negation in
    /// that of `right`.
    pub fn resolve(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        pivot: Lit,
        left: Gate,
        right: Gate,
    ) -> Result<Gate, Obstacle> {
        let start = *self.n_gates_at_start.get_or_insert(circuit.n_gates());
        if circuit.n_gates() > start + MAX_GATES {
            return Err(obstacle("too many mixed literals"));
        }
        // A clause of a lemma that does not need the atom leaves no trace of it.
        let Some(&Auxiliary { variable, relation }) = self.auxiliaries.get(&pivot.var()) else {
            return Ok(circuit.and(left, right));
        };
        let (with_atom, without) = if pivot.is_positive() { (left, right) } else { (right, left) };
        match relation {
            Some(relation) => {
                let mut memo = FastMap::default();
                self.replace_relation(pool, circuit, with_atom, relation, variable, without, &mut memo)
            }
            None => {
                let mut memo = FastMap::default();
                self.pair_upper(pool, circuit, with_atom, variable, without, &mut memo)
            }
        }
    }

    /// `root` with every `relation(e)` replaced by `value` with `e` for the variable.
    #[allow(clippy::too_many_arguments)]
    fn replace_relation(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        root: Gate,
        relation: FunId,
        variable: TermId,
        value: Gate,
        memo: &mut FastMap<Gate, Gate>,
    ) -> Result<Gate, Obstacle> {
        self.map(pool, circuit, root, memo, &mut |this, pool, circuit, t| {
            if pool.op(t) == Op::App(relation) {
                let linear = pool.arg(t, 0);
                return this.substitute(pool, circuit, value, variable, &Value::of(pool, linear)).map(Some);
            }
            if let Some(bound) = this.bounds.get(&t).cloned()
                && let BoundKind::Decided { gap, formula } = bound.kind
            {
                let mut inner = FastMap::default();
                let changed = this.replace_relation(pool, circuit, formula, relation, variable, value, &mut inner)?;
                if changed != formula {
                    let kind = BoundKind::Decided { gap, formula: changed };
                    return Ok(Some(this.bound(pool, circuit, Bound { sum: bound.sum, kind })));
                }
            }
            Ok(None)
        })
    }

    /// `upper` with each of its bounds on the variable replaced by `lower`, in which each bound is replaced by what the
    /// two together imply.
    fn pair_upper(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        upper: Gate,
        variable: TermId,
        lower: Gate,
        memo: &mut FastMap<Gate, Gate>,
    ) -> Result<Gate, Obstacle> {
        self.map(pool, circuit, upper, memo, &mut |this, pool, circuit, t| {
            this.at_bound(pool, circuit, t, variable, &mut |this, pool, circuit, bound| match bound {
                Some(u) => {
                    let mut memo = FastMap::default();
                    this.pair_lower(pool, circuit, u, variable, lower, &mut memo)
                }
                None => Err(obstacle("an auxiliary variable outside of a bound")),
            })
        })
    }

    fn pair_lower(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        upper: &Bound,
        variable: TermId,
        lower: Gate,
        memo: &mut FastMap<Gate, Gate>,
    ) -> Result<Gate, Obstacle> {
        self.map(pool, circuit, lower, memo, &mut |this, pool, circuit, t| {
            this.at_bound(pool, circuit, t, variable, &mut |this, pool, circuit, bound| match bound {
                Some(l) => this.combine(pool, circuit, variable, upper, l),
                None => Err(obstacle("an auxiliary variable outside of a bound")),
            })
        })
    }

    /// Applies `change` to a leaf that is a bound on the variable; bounds that have it only in their formulas are
    /// entered.
    #[allow(clippy::type_complexity)]
    fn at_bound(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        t: TermId,
        variable: TermId,
        change: &mut dyn FnMut(&mut Self, &mut TermPool, &mut Circuit, Option<&Bound>) -> Result<Gate, Obstacle>,
    ) -> Result<Option<Gate>, Obstacle> {
        let Some(bound) = self.bounds.get(&t).cloned() else {
            let symbol = pool.as_symbol(variable);
            if symbol.is_some_and(|f| pool.free_symbols(t).contains(&f)) {
                return change(self, pool, circuit, None).map(Some);
            }
            return Ok(None);
        };
        if bound.sum.coefficient(variable).is_some() {
            return change(self, pool, circuit, Some(&bound)).map(Some);
        }
        let BoundKind::Decided { gap, formula } = bound.kind else { return Ok(None) };
        let mut memo = FastMap::default();
        let changed = self.map(pool, circuit, formula, &mut memo, &mut |this, pool, circuit, inner| {
            this.at_bound(pool, circuit, inner, variable, change)
        })?;
        if changed == formula {
            return Ok(None);
        }
        let kind = BoundKind::Decided { gap, formula: changed };
        Ok(Some(self.bound(pool, circuit, Bound { sum: bound.sum, kind })))
    }

    /// `∃x. upper ∧ lower`.
    fn combine(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        x: TermId,
        upper: &Bound,
        lower: &Bound,
    ) -> Result<Gate, Obstacle> {
        // upper: c·x + s, lower: -d·x + t.
        let (Some(c), Some(d)) = (upper.sum.coefficient(x).cloned(), lower.sum.coefficient(x).map(|d| -d)) else {
            return Err(obstacle("a bound without its variable"));
        };
        if !c.is_positive() || !d.is_positive() {
            return Err(obstacle("a bound from the wrong side"));
        }
        let (mut s, mut t) = (upper.sum.clone(), lower.sum.clone());
        s.add_term(x, &-&c);
        t.add_term(x, &d);
        let mut sum = s.clone();
        sum.scale(&d);
        sum.add_scaled(&t, &c);
        let bound = if pool.sort(x) == SortId::INT {
            self.combine_integers(pool, circuit, x, [(upper, &c, &s), (lower, &d, &t)], sum)?
        } else {
            self.combine_reals(pool, circuit, x, [(upper, &c, &s), (lower, &d, &t)], sum)?
        };
        Ok(self.bound(pool, circuit, bound))
    }

    fn combine_reals(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        x: TermId,
        [upper, lower]: [(&Bound, &Rational, &Linear); 2],
        sum: Linear,
    ) -> Result<Bound, Obstacle> {
        // x = -s/c or t/d, where the bounds end.
        let (mut upper_end, mut lower_end) = (upper.2.clone(), lower.2.clone());
        upper_end.scale(&-&upper.1.recip());
        lower_end.scale(&lower.1.recip());
        let (upper_end, lower_end) = (Value::linear(&upper_end), Value::linear(&lower_end));
        let kind = match (&upper.0.kind, &lower.0.kind) {
            (BoundKind::Exact { strict: a }, BoundKind::Exact { strict: b }) => BoundKind::Exact { strict: *a || *b },
            (BoundKind::Exact { strict: false }, BoundKind::Decided { gap, .. }) => {
                let formula = self.at(pool, circuit, lower.0, x, &upper_end)?;
                BoundKind::Decided { gap: gap * upper.1, formula }
            }
            (BoundKind::Decided { gap, .. }, BoundKind::Exact { strict: false }) => {
                let formula = self.at(pool, circuit, upper.0, x, &lower_end)?;
                BoundKind::Decided { gap: gap * lower.1, formula }
            }
            (BoundKind::Decided { gap, .. }, _) | (_, BoundKind::Decided { gap, .. }) if !gap.is_zero() => {
                return Err(obstacle("a real number between bounds on integers"));
            }
            (BoundKind::Exact { strict: true }, _) | (_, BoundKind::Exact { strict: true }) => {
                BoundKind::Exact { strict: true }
            }
            (BoundKind::Decided { .. }, BoundKind::Decided { gap, .. }) => {
                if !gap.is_zero() {
                    return Err(obstacle("a real number between bounds on integers"));
                }
                let at_upper = self.at(pool, circuit, upper.0, x, &upper_end)?;
                let at_lower = self.at(pool, circuit, lower.0, x, &upper_end)?;
                let both = circuit.and(at_upper, at_lower);
                let formula = below_or_at(pool, circuit, &sum, both);
                BoundKind::Decided { gap: Rational::zero(), formula }
            }
        };
        Ok(Bound { sum, kind })
    }

    fn combine_integers(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        x: TermId,
        [upper, lower]: [(&Bound, &Rational, &Linear); 2],
        sum: Linear,
    ) -> Result<Bound, Obstacle> {
        let exact = |bound: &Bound| matches!(bound.kind, BoundKind::Exact { .. });
        let unit = |pool: &TermPool, side: (&Bound, &Rational, &Linear)| side.1.is_one() && all_integers(pool, side.2);
        let is_weak = |bound: &Bound| matches!(bound.kind, BoundKind::Exact { strict: false });
        if is_weak(upper.0) && is_weak(lower.0) && (unit(pool, upper) || unit(pool, lower)) {
            return Ok(Bound { sum, kind: BoundKind::Exact { strict: false } });
        }
        let gap_of = |pool: &TermPool, bound: &Bound| match &bound.kind {
            BoundKind::Exact { .. } if all_integers(pool, &bound.sum) => Rational::from(-1),
            BoundKind::Exact { .. } => Rational::zero(),
            BoundKind::Decided { gap, .. } => gap.clone(),
        };
        // How many integers below (above) the end of a bound may have to be tried besides the first one.
        let further = |pool: &TermPool, (bound, coefficient, _): (&Bound, &Rational, &Linear)| -> Rational {
            if exact(bound) {
                Rational::zero()
            } else if all_integers(pool, &bound.sum) {
                (&(gap_of(pool, bound) + Rational::one()) / coefficient).ceil()
            } else {
                (&gap_of(pool, bound) / coefficient).floor() + Rational::one()
            }
        };
        let (down, up) = (further(pool, upper), further(pool, lower));
        let from_upper = down <= up;
        let n = if from_upper { &down } else { &up };
        if *n > Rational::from(MAX_CANDIDATES) {
            return Err(obstacle("too many candidates for an auxiliary variable"));
        }
        let n = (0..=MAX_CANDIDATES).find(|k| Rational::from(*k) >= *n).unwrap_or(MAX_CANDIDATES);
        let (first, other) = if from_upper { (upper, lower) } else { (lower, upper) };
        let (bound, coefficient, rest) = first;
        let strict = matches!(bound.kind, BoundKind::Exact { strict: true });
        // Upper: the largest x with c·x + s ≤ 0 is ⌊-s/c⌋, the largest with < 0 is -⌊s/c⌋ - 1; lower: turned round.
        let mut quotient = rest.clone();
        let end = if !strict && !from_upper && all_integers(pool, rest) && coefficient.is_integer() {
            // ⌈t/d⌉ reads better as ⌊(t + d - 1)/d⌋.
            quotient.constant = &quotient.constant + &(coefficient - &Rational::one());
            quotient.scale(&coefficient.recip());
            floor(pool, &quotient)
        } else {
            let sign = Rational::from(if strict { 1 } else { -1 });
            quotient.scale(&(&sign * &coefficient.recip()));
            let mut end = floor(pool, &quotient);
            if strict {
                end.scale(&Rational::from(-1));
                end.constant = &end.constant - &Rational::one();
            }
            if !from_upper {
                end.scale(&Rational::from(-1));
            }
            end
        };
        let mut formula = Gate::FALSE;
        for k in 0..=n {
            let mut candidate = end.clone();
            let step = Rational::from(if from_upper { -k } else { k });
            candidate.constant = &candidate.constant + &step;
            let value = Value::linear(&candidate);
            let here = if k == n { Gate::TRUE } else { self.at(pool, circuit, bound, x, &value)? };
            let there = self.at(pool, circuit, other.0, x, &value)?;
            let both = circuit.and(here, there);
            formula = circuit.or(formula, both);
        }
        let (c, d) = (upper.1, lower.1);
        let gap = d * &gap_of(pool, upper.0) + c * &gap_of(pool, lower.0) + c * d;
        let gap = if gap.is_negative() { Rational::zero() } else { gap };
        Ok(Bound { sum, kind: BoundKind::Decided { gap, formula } })
    }

    /// The formula of a bound with a value for the variable.
    fn at(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        bound: &Bound,
        x: TermId,
        value: &Value,
    ) -> Result<Gate, Obstacle> {
        match &bound.kind {
            BoundKind::Exact { strict } => {
                let sum = value.put_into(&bound.sum, x);
                let term = form_atom(pool, &sum, *strict);
                Ok(circuit.formula(term))
            }
            BoundKind::Decided { formula, .. } => self.substitute(pool, circuit, *formula, x, value),
        }
    }

    /// A gate with a value for a variable.
    fn substitute(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        root: Gate,
        x: TermId,
        value: &Value,
    ) -> Result<Gate, Obstacle> {
        let term = value.term(pool, pool.sort(x)).ok_or_else(|| obstacle("a value of another sort"))?;
        let Some(symbol) = pool.as_symbol(x) else { return Ok(root) };
        let mut memo = FastMap::default();
        self.map(pool, circuit, root, &mut memo, &mut |this, pool, circuit, t| {
            if let Some(bound) = this.bounds.get(&t).cloned() {
                let sum = value.put_into(&bound.sum, x);
                let (kind, is_same) = match bound.kind {
                    BoundKind::Exact { strict } => (BoundKind::Exact { strict }, true),
                    BoundKind::Decided { gap, formula } => {
                        let changed = this.substitute(pool, circuit, formula, x, value)?;
                        (BoundKind::Decided { gap, formula: changed }, changed == formula)
                    }
                };
                if is_same && sum == bound.sum {
                    return Ok(None);
                }
                return Ok(Some(this.bound(pool, circuit, Bound { sum, kind })));
            }
            if !pool.free_symbols(t).contains(&symbol) {
                return Ok(None);
            }
            let changed = pool.substitute(t, &[(x, term)]);
            Ok(Some(circuit.formula(changed)))
        })
    }

    /// The final formula: bounds become ordinary formulas. An obstacle if a relation or a variable is left.
    pub fn finish(&mut self, pool: &mut TermPool, circuit: &mut Circuit, root: Gate) -> Result<Gate, Obstacle> {
        if self.auxiliaries.is_empty() {
            return Ok(root);
        }
        let mut memo = FastMap::default();
        self.map(pool, circuit, root, &mut memo, &mut |this, pool, circuit, t| {
            if let Some(bound) = this.bounds.get(&t).cloned() {
                let formula = formula_of(pool, circuit, &bound);
                return this.finish(pool, circuit, formula).map(Some);
            }
            let is_ours = |f: &FunId| {
                this.atom_of.contains_key(f)
                    || this.auxiliaries.values().any(|a| pool.as_symbol(a.variable) == Some(*f))
            };
            if pool.free_symbols(t).iter().any(is_ours) {
                return Err(obstacle("an auxiliary variable was not eliminated"));
            }
            Ok(None)
        })
    }

    /// The gate with leaves replaced as `change` says, operands first.
    #[allow(clippy::type_complexity)]
    fn map(
        &mut self,
        pool: &mut TermPool,
        circuit: &mut Circuit,
        root: Gate,
        memo: &mut FastMap<Gate, Gate>,
        change: &mut dyn FnMut(&mut Self, &mut TermPool, &mut Circuit, TermId) -> Result<Option<Gate>, Obstacle>,
    ) -> Result<Gate, Obstacle> {
        let mut stack = vec![root];
        while let Some(&gate) = stack.last() {
            if memo.contains_key(&gate) {
                stack.pop();
                continue;
            }
            let result = match circuit.kind(gate) {
                GateKind::False | GateKind::True | GateKind::Literal(_) => gate,
                GateKind::Formula(t) => change(self, pool, circuit, t)?.unwrap_or(gate),
                kind @ (GateKind::And(a, b) | GateKind::Or(a, b)) => match (memo.get(&a), memo.get(&b)) {
                    (Some(&x), Some(&y)) => match kind {
                        _ if (x, y) == (a, b) => gate,
                        GateKind::And(..) => circuit.and(x, y),
                        _ => circuit.or(x, y),
                    },
                    (x, y) => {
                        let (x, y) = (x.is_none(), y.is_none());
                        stack.extend(x.then_some(a));
                        stack.extend(y.then_some(b));
                        continue;
                    }
                },
            };
            memo.insert(gate, result);
            stack.pop();
        }
        Ok(memo[&root])
    }
}

/// What is put in place of a variable.
struct Value {
    term: Option<TermId>,
    linear: Option<Linear>,
}

impl Value {
    fn of(pool: &TermPool, term: TermId) -> Value {
        let linear = pool.sort(term).is_arith().then(|| crate::linear_literal::linear_form(pool, term));
        Value { term: Some(term), linear }
    }
    fn linear(linear: &Linear) -> Value {
        Value { term: None, linear: Some(linear.clone()) }
    }
    fn term(&self, pool: &mut TermPool, sort: SortId) -> Option<TermId> {
        let term = match (self.term, &self.linear) {
            (Some(term), _) => term,
            (None, Some(linear)) => form_term(pool, linear).0,
            (None, None) => return None,
        };
        let term = if sort == SortId::REAL && pool.sort(term) == SortId::INT { pool.to_real(term) } else { term };
        (pool.sort(term) == sort).then_some(term)
    }
    fn put_into(&self, sum: &Linear, x: TermId) -> Linear {
        let mut result = Linear::constant(sum.constant.clone());
        for (t, c) in &sum.terms {
            match (&self.linear, *t == x) {
                (Some(linear), true) => result.add_scaled(linear, c),
                _ => result.add_term(*t, c),
            }
        }
        result
    }
}

/// Does the form take integer values only, its coefficients being integers?
fn all_integers(pool: &TermPool, linear: &Linear) -> bool {
    linear.constant.is_integer() && linear.terms.iter().all(|(t, c)| is_integral(pool, *t) && c.is_integer())
}

/// `⌊linear⌋`.
fn floor(pool: &mut TermPool, linear: &Linear) -> Linear {
    if all_integers(pool, linear) {
        return linear.clone();
    }
    let rounded = if linear.terms.iter().all(|(t, _)| is_integral(pool, *t)) {
        let mut divisor = linear.constant.denom_rational();
        for (_, c) in &linear.terms {
            divisor = divisor.lcm(&c.denom_rational());
        }
        let mut numerator = linear.clone();
        numerator.scale(&divisor);
        let numerator = pool.linear_term(&numerator, SortId::INT);
        let divisor = pool.int_num(divisor);
        pool.int_div(numerator, divisor)
    } else {
        let (term, _) = form_term(pool, linear);
        pool.to_int(term)
    };
    pool.linear(rounded)
}

/// `sum < 0 ∨ sum = 0 ∧ boundary`.
fn below_or_at(pool: &mut TermPool, circuit: &mut Circuit, sum: &Linear, boundary: Gate) -> Gate {
    if boundary == Gate::TRUE {
        let term = form_atom(pool, sum, false);
        return circuit.formula(term);
    }
    let below = form_atom(pool, sum, true);
    let below = circuit.formula(below);
    let at = form_equality(pool, sum);
    let at = circuit.formula(at);
    let at = circuit.and(at, boundary);
    circuit.or(below, at)
}

fn formula_of(pool: &mut TermPool, circuit: &mut Circuit, bound: &Bound) -> Gate {
    match &bound.kind {
        BoundKind::Exact { strict } => {
            let term = form_atom(pool, &bound.sum, *strict);
            circuit.formula(term)
        }
        BoundKind::Decided { formula, .. } => *formula,
    }
}
