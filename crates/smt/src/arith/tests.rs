//! The theory against exhaustive search, under a search loop so naive that it can be trusted.
//!
//! Every clause that the theory hands out is checked against its certificate.

use base::Budget;
use logic::{Linear, Op, Rational, SortId, TermId, TermPool, Value};
use proptest::prelude::*;

use super::Arith;
use super::axioms::axioms;
use super::nonlinear::is_fact;
use crate::atoms::AtomTable;
use crate::linear_literal::{Relation, linear_literal};
use crate::proof::Evidence;
use crate::sat::types::{LBool, Lit, Var};
use crate::theory::{Checked, Context, FinalCheck, Theory, TheoryLemma};

/// A DPLL search without any cleverness.
struct Naive<'a> {
    pool: &'a mut TermPool,
    atoms: AtomTable,
    arith: Arith,
    values: Vec<LBool>,
    clauses: Vec<Vec<Lit>>,
    trail: Vec<Lit>,
    with_axioms: Vec<TermId>,
    budget: Budget,
    n_steps: usize,
}

#[derive(PartialEq, Eq, Debug, Clone, Copy)]
enum Answer {
    Sat,
    Unsat,
    GaveUp,
}

impl<'a> Naive<'a> {
    fn new(pool: &'a mut TermPool) -> Naive<'a> {
        Naive {
            pool,
            atoms: AtomTable::default(),
            arith: Arith::new(),
            values: Vec::new(),
            clauses: Vec::new(),
            trail: Vec::new(),
            with_axioms: Vec::new(),
            budget: Budget::unlimited(),
            n_steps: 0,
        }
    }

    fn lit(&mut self, term: TermId) -> Lit {
        match self.pool.op(term) {
            logic::Op::Not => {
                let inner = self.pool.arg(term, 0);
                !self.atoms.lit(inner)
            }
            _ => self.atoms.lit(term),
        }
    }

    fn require(&mut self, clause: &[TermId]) {
        if clause.contains(&TermId::TRUE) {
            return;
        }
        let lits = clause.iter().filter(|t| **t != TermId::FALSE).map(|t| self.lit(*t)).collect();
        self.clauses.push(lits);
    }

    fn with<R>(&mut self, run: impl FnOnce(&mut Arith, &mut Context<'_>) -> R) -> R {
        let mut cx = Context { pool: self.pool, atoms: &mut self.atoms, values: &self.values, budget: &self.budget };
        run(&mut self.arith, &mut cx)
    }

    /// Announces new atoms and adds the axioms of new terms.
    fn register(&mut self) {
        loop {
            let fresh = self.atoms.take_new();
            if fresh.is_empty() {
                return;
            }
            for var in fresh {
                self.atoms.activate(var);
                self.values.resize(self.atoms.n_vars(), LBool::Undef);
                let term = self.atoms.term(var);
                let mut stack = vec![term];
                while let Some(sub) = stack.pop() {
                    stack.extend_from_slice(self.pool.args(sub));
                    if !self.with_axioms.contains(&sub) {
                        self.with_axioms.push(sub);
                        for clause in axioms(self.pool, sub) {
                            self.require(&clause);
                        }
                    }
                }
                let is_arith = match self.pool.op(term) {
                    Op::Le | Op::Lt => true,
                    Op::Eq => self.pool.sort(self.pool.arg(term, 0)).is_arith(),
                    _ => false,
                };
                if is_arith {
                    self.with(|arith, cx| arith.new_atom(cx, var, term));
                }
            }
        }
    }

    fn value(&self, lit: Lit) -> LBool {
        match self.values[lit.var().index()] {
            LBool::Undef => LBool::Undef,
            LBool::True => LBool::from(lit.is_positive()),
            LBool::False => LBool::from(!lit.is_positive()),
        }
    }

    /// `false` on a conflict.
    fn assign(&mut self, lit: Lit) -> bool {
        self.values[lit.var().index()] = LBool::from(lit.is_positive());
        self.trail.push(lit);
        match self.with(|arith, cx| arith.assert_lit(cx, lit)) {
            Ok(()) => true,
            Err(lemma) => {
                self.check_conflict(&lemma);
                false
            }
        }
    }

    fn check_conflict(&self, lemma: &TheoryLemma) {
        assert!(lemma.lits.iter().all(|lit| self.value(*lit) == LBool::False), "{lemma:?}");
        self.check_evidence(lemma);
    }

    fn check_evidence(&self, lemma: &TheoryLemma) {
        assert!(certified(self.pool, &self.atoms, lemma), "{lemma:?} {:?}", self.show(&lemma.lits));
    }

    fn show(&self, lits: &[Lit]) -> Vec<String> {
        lits.iter()
            .map(|lit| {
                let literal = linear_literal(self.pool, self.atoms.term(lit.var()), !lit.is_positive());
                format!("not {literal:?}")
            })
            .collect()
    }

    /// `false` on a conflict.
    fn propagate(&mut self) -> bool {
        loop {
            self.register();
            let unit = self.clauses.iter().find_map(|clause| {
                if clause.iter().any(|lit| self.value(*lit) == LBool::True) {
                    return None;
                }
                let open: Vec<Lit> = clause.iter().copied().filter(|lit| self.value(*lit) == LBool::Undef).collect();
                (open.len() <= 1).then(|| open.first().copied())
            });
            match unit {
                Some(None) => return false,
                Some(Some(lit)) => {
                    if !self.assign(lit) {
                        return false;
                    }
                    continue;
                }
                None => {}
            }
            let mut out = Vec::new();
            match self.with(|arith, cx| arith.propagate(cx, &mut out)) {
                Checked::Ok => {}
                Checked::Conflict(lemma) => {
                    self.check_conflict(&lemma);
                    return false;
                }
                Checked::Stopped(_) => unreachable!(),
            }
            if out.is_empty() {
                return true;
            }
            for propagation in out {
                if self.value(propagation.lit) == LBool::True {
                    continue;
                }
                let lemma = self.with(|arith, cx| arith.explain(cx, propagation));
                assert_eq!(lemma.lits[0], propagation.lit);
                assert!(lemma.lits[1..].iter().all(|lit| self.value(*lit) == LBool::False), "{lemma:?}");
                self.check_evidence(&lemma);
                if self.value(propagation.lit) == LBool::False || !self.assign(propagation.lit) {
                    return false;
                }
            }
        }
    }

    fn branch(&mut self, lit: Lit) -> Answer {
        for choice in [lit, !lit] {
            let height = self.trail.len();
            self.arith.push_level();
            let answer = if self.assign(choice) { self.solve() } else { Answer::Unsat };
            if answer != Answer::Unsat {
                return answer;
            }
            self.arith.backtrack(1);
            for lit in self.trail.drain(height..) {
                self.values[lit.var().index()] = LBool::Undef;
            }
        }
        Answer::Unsat
    }

    fn solve(&mut self) -> Answer {
        self.n_steps += 1;
        if self.n_steps > 3000 {
            return Answer::GaveUp;
        }
        loop {
            if !self.propagate() {
                return Answer::Unsat;
            }
            let open = (0..self.values.len()).find(|v| self.values[*v] == LBool::Undef);
            if let Some(open) = open {
                return self.branch(Var(open as u32).negative());
            }
            match self.with(|arith, cx| arith.final_check(cx)) {
                FinalCheck::Ok => {
                    self.check_model();
                    return Answer::Sat;
                }
                FinalCheck::Conflict(lemma) => {
                    self.check_conflict(&lemma);
                    return Answer::Unsat;
                }
                FinalCheck::Lemmas(lemmas) => {
                    assert!(!lemmas.is_empty());
                    for lemma in lemmas {
                        self.check_evidence(&lemma);
                        self.clauses.push(lemma.lits);
                    }
                }
                FinalCheck::Decide(lit) => {
                    self.register();
                    assert_eq!(self.value(lit), LBool::Undef);
                    return self.branch(lit);
                }
                FinalCheck::GiveUp(_) => return Answer::GaveUp,
                FinalCheck::Stopped(_) => unreachable!(),
            }
        }
    }

    /// The values of the variables satisfy all arithmetic literals as assigned, but for those that only guide the
    /// search.
    fn check_model(&self) {
        let mut model = logic::Model::new();
        for (term, value) in self.arith.model() {
            if let Some(symbol) = self.pool.as_symbol(term) {
                assert!(self.pool.sort(term) != SortId::INT || value.is_integer());
                model.set(symbol, Value::Num(value.clone()));
            }
        }
        for (term, value) in self.arith.model() {
            if self.pool.op(term) == logic::Op::Mod || self.pool.op(term) == logic::Op::IntDiv {
                assert_eq!(model.eval(self.pool, term), Ok(Value::Num(value.clone())));
            }
        }
        for var in 0..self.values.len() {
            if self.arith.auxiliary.contains(&Var(var as u32)) {
                continue;
            }
            let term = self.atoms.term(Var(var as u32));
            assert_eq!(model.holds(self.pool, term), Ok(self.values[var] == LBool::True));
        }
    }
}

/// Checks the certificate of a clause, by arithmetic on its literals alone.
fn certified(pool: &TermPool, atoms: &AtomTable, lemma: &TheoryLemma) -> bool {
    let literals: Vec<_> =
        lemma.lits.iter().map(|lit| linear_literal(pool, atoms.term(lit.var()), !lit.is_positive())).collect();
    match &lemma.evidence {
        Evidence::Farkas(coefficients) => {
            let mut sum = Linear::default();
            let mut strict = false;
            for (literal, coefficient) in literals.iter().zip(coefficients) {
                let Some(literal) = literal else { return false };
                if literal.relation != Relation::Equal && coefficient.is_negative() {
                    return false;
                }
                strict |= literal.relation == Relation::Below && coefficient.is_positive();
                sum.add_scaled(&literal.linear, coefficient);
            }
            coefficients.len() == lemma.lits.len()
                && sum.is_constant()
                && (sum.constant.is_positive() || strict && sum.constant.is_zero())
        }
        Evidence::IntegerEqualities(coefficients) => {
            let mut sum = Linear::default();
            for (literal, coefficient) in literals.iter().zip(coefficients) {
                let Some(literal) = literal else { return false };
                if literal.relation != Relation::Equal {
                    return false;
                }
                sum.add_scaled(&literal.linear, coefficient);
            }
            coefficients.len() == lemma.lits.len()
                && sum.terms.iter().all(|(t, c)| pool.sort(*t) == SortId::INT && c.is_integer())
                && !sum.constant.is_integer()
        }
        Evidence::Trichotomy => {
            // In the conflict: a disequality t ≠ c, t ≤ c and t ≥ c.
            let [a, b, c] = &lemma.lits[..] else { return false };
            let Some(equality) =
                [a, b, c].into_iter().find(|lit| lit.is_positive() && pool.op(atoms.term(lit.var())) == logic::Op::Eq)
            else {
                return false;
            };
            let Some(form) = linear_literal(pool, atoms.term(equality.var()), true) else { return false };
            let mut sides = Vec::new();
            for lit in lemma.lits.iter().filter(|lit| *lit != equality) {
                let Some(bound) = linear_literal(pool, atoms.term(lit.var()), !lit.is_positive()) else {
                    return false;
                };
                let mut same = bound.linear.clone();
                same.add_scaled(&form.linear, &Rational::MINUS_ONE);
                let mut opposite = bound.linear.clone();
                opposite.add_scaled(&form.linear, &Rational::ONE);
                let is_zero = |l: &Linear| l.is_constant() && l.constant.is_zero();
                if bound.relation != Relation::AtMost || !(is_zero(&same) || is_zero(&opposite)) {
                    return false;
                }
                sides.push(is_zero(&same));
            }
            sides.len() == 2 && sides[0] != sides[1]
        }
        Evidence::Bridge => {
            let [a, b] = &lemma.lits[..] else { return false };
            let forms = [a, b].map(|lit| linear_literal(pool, atoms.term(lit.var()), true));
            a.is_positive() != b.is_positive() && forms[0] == forms[1]
        }
        Evidence::Multiplied { equality, factor } => {
            let mut pool = pool.clone();
            let product = super::nonlinear::multiplied(&mut pool, *equality, *factor);
            let [premise, conclusion] = &lemma.lits[..] else { return false };
            !premise.is_positive()
                && conclusion.is_positive()
                && atoms.term(premise.var()) == *equality
                && Some(atoms.term(conclusion.var())) == product
        }
        Evidence::Covering => {
            let clause: Vec<(TermId, bool)> =
                lemma.lits.iter().map(|lit| (atoms.term(lit.var()), lit.is_positive())).collect();
            super::algebraic::is_valid_clause(pool, &clause, &base::Budget::unlimited())
        }
        Evidence::Nonlinear(product) => {
            let mut pool = pool.clone();
            let clause: Vec<TermId> = lemma
                .lits
                .iter()
                .map(|lit| {
                    let term = atoms.term(lit.var());
                    if lit.is_positive() { term } else { pool.not(term) }
                })
                .collect();
            is_fact(&mut pool, *product, &clause)
        }
        _ => false,
    }
}

fn terms(pool: &mut TermPool, sort: SortId, n: usize) -> Vec<TermId> {
    (0..n).map(|k| pool.constant(&format!("x{k}"), sort)).collect()
}

fn combination(pool: &mut TermPool, vars: &[TermId], coeffs: &[i64], sort: SortId) -> TermId {
    let mut linear = Linear::default();
    for (var, coeff) in vars.iter().zip(coeffs) {
        linear.add_term(*var, &Rational::from(*coeff));
    }
    pool.linear_term(&linear, sort)
}

fn comparison(pool: &mut TermPool, kind: u8, left: TermId, right: TermId) -> TermId {
    match kind {
        0 => pool.le(left, right),
        1 => pool.lt(left, right),
        2 => pool.ge(left, right),
        3 => pool.eq(left, right),
        _ => {
            let equal = pool.eq(left, right);
            pool.not(equal)
        }
    }
}

/// Is the clause set true for some integer point of the box?
fn brute_force(pool: &TermPool, vars: &[TermId], clauses: &[Vec<TermId>], values: &[Value]) -> bool {
    let n = values.len().pow(vars.len() as u32);
    (0..n).any(|mut code| {
        let mut model = logic::Model::new();
        for var in vars {
            model.set(pool.as_symbol(*var).unwrap(), values[code % values.len()].clone());
            code /= values.len();
        }
        clauses.iter().all(|clause| clause.iter().any(|lit| model.holds(pool, *lit).unwrap()))
    })
}

type RawLiteral = ([i64; 3], u8, i64);

fn literals(max: usize) -> impl Strategy<Value = Vec<Vec<RawLiteral>>> {
    let literal = (proptest::array::uniform3(-4i64..=4), 0u8..5, -6i64..=6);
    proptest::collection::vec(proptest::collection::vec(literal, 1..3), 1..max)
}

fn build(pool: &mut TermPool, vars: &[TermId], raw: &[Vec<RawLiteral>], sort: SortId) -> Vec<Vec<TermId>> {
    raw.iter()
        .map(|clause| {
            clause
                .iter()
                .map(|(coeffs, kind, constant)| {
                    let left = combination(pool, vars, coeffs, sort);
                    let right = pool.num(Rational::from(*constant), sort);
                    comparison(pool, *kind, left, right)
                })
                .collect()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounded_integers_agree_with_enumeration(raw in literals(7)) {
        let mut pool = TermPool::new();
        let vars = terms(&mut pool, SortId::INT, 3);
        let mut clauses = build(&mut pool, &vars, &raw, SortId::INT);
        let (low, high) = (pool.int(-3), pool.int(3));
        for var in &vars {
            clauses.push(vec![pool.le(low, *var)]);
            clauses.push(vec![pool.le(*var, high)]);
        }
        let values: Vec<Value> = (-3..=3).map(Value::int).collect();
        let expected = brute_force(&pool, &vars, &clauses, &values);
        let mut naive = Naive::new(&mut pool);
        for clause in &clauses {
            naive.require(clause);
        }
        prop_assert_eq!(naive.solve(), if expected { Answer::Sat } else { Answer::Unsat });
    }

    /// Without bounds a small solution must not be missed; refutations certify themselves.
    #[test]
    fn unbounded_integers(raw in literals(6)) {
        let mut pool = TermPool::new();
        let vars = terms(&mut pool, SortId::INT, 3);
        let clauses = build(&mut pool, &vars, &raw, SortId::INT);
        let values: Vec<Value> = (-4..=4).map(Value::int).collect();
        let expected = brute_force(&pool, &vars, &clauses, &values);
        let mut naive = Naive::new(&mut pool);
        for clause in &clauses {
            naive.require(clause);
        }
        let answer = naive.solve();
        prop_assert!(answer != Answer::GaveUp);
        if expected {
            prop_assert_eq!(answer, Answer::Sat);
        }
    }

    #[test]
    fn reals(raw in literals(7)) {
        let mut pool = TermPool::new();
        let vars = terms(&mut pool, SortId::REAL, 3);
        let clauses = build(&mut pool, &vars, &raw, SortId::REAL);
        let values: Vec<Value> = (-6..=6).map(|n| Value::Num(Rational::ratio(n, 2))).collect();
        let expected = brute_force(&pool, &vars, &clauses, &values);
        let mut naive = Naive::new(&mut pool);
        for clause in &clauses {
            naive.require(clause);
        }
        let answer = naive.solve();
        prop_assert!(answer != Answer::GaveUp);
        if expected {
            prop_assert_eq!(answer, Answer::Sat);
        }
    }

    /// `div` and `mod` by constants, and integers mixed with reals.
    #[test]
    fn division_agrees_with_enumeration(
        raw in literals(4), divisors in proptest::array::uniform3(-4i64..=4), coeffs in proptest::array::uniform3(-3i64..=3),
        kinds in proptest::array::uniform3(0u8..5), constants in proptest::array::uniform3(-3i64..=3),
    ) {
        let mut pool = TermPool::new();
        let vars = terms(&mut pool, SortId::INT, 3);
        let mut clauses = build(&mut pool, &vars, &raw, SortId::INT);
        for k in 0..3 {
            if divisors[k] == 0 {
                continue;
            }
            let divisor = pool.int(divisors[k]);
            let dividend = combination(&mut pool, &vars[k..], &coeffs[k..], SortId::INT);
            let term = match k {
                0 => pool.int_div(dividend, divisor),
                1 => pool.modulo(dividend, divisor),
                _ => {
                    let real = pool.to_real(dividend);
                    let fraction = pool.scale(real, &Rational::ratio(1, divisors[k]));
                    pool.to_int(fraction)
                }
            };
            let constant = pool.int(constants[k]);
            clauses.push(vec![comparison(&mut pool, kinds[k], term, constant)]);
        }
        let (low, high) = (pool.int(-3), pool.int(3));
        for var in &vars {
            clauses.push(vec![pool.le(low, *var)]);
            clauses.push(vec![pool.le(*var, high)]);
        }
        let values: Vec<Value> = (-3..=3).map(Value::int).collect();
        let expected = brute_force(&pool, &vars, &clauses, &values);
        let mut naive = Naive::new(&mut pool);
        for clause in &clauses {
            naive.require(clause);
        }
        prop_assert_eq!(naive.solve(), if expected { Answer::Sat } else { Answer::Unsat });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Products and quotients of bounded variables.
    #[test]
    fn products_agree_with_enumeration(
        raw in literals(4), kinds in proptest::array::uniform3(0u8..5), constants in proptest::array::uniform3(-9i64..=9),
        pick in 0u8..4,
    ) {
        let mut pool = TermPool::new();
        let vars = terms(&mut pool, SortId::INT, 3);
        let mut clauses = build(&mut pool, &vars, &raw, SortId::INT);
        let products = [
            pool.mul(&[vars[0], vars[1]]),
            pool.mul(&[vars[1], vars[1], vars[2]]),
            match pick {
                0 => pool.mul(&[vars[2], vars[2]]),
                1 => pool.mul(&[vars[0], vars[1], vars[2]]),
                2 => pool.int_div(vars[2], vars[0]),
                _ => pool.modulo(vars[2], vars[1]),
            },
        ];
        for k in 0..3 {
            let constant = pool.int(constants[k]);
            clauses.push(vec![comparison(&mut pool, kinds[k], products[k], constant)]);
        }
        let (low, high) = (pool.int(-3), pool.int(3));
        for var in &vars {
            clauses.push(vec![pool.le(low, *var)]);
            clauses.push(vec![pool.le(*var, high)]);
        }
        // Division by zero means whatever suits; the theory alone does not make it a function.
        if pick >= 2 {
            let zero = pool.int(0);
            for var in &vars {
                clauses.push(vec![comparison(&mut pool, 4, *var, zero)]);
            }
        }
        let values: Vec<Value> = (-3..=3).map(Value::int).collect();
        let expected = brute_force(&pool, &vars, &clauses, &values);
        let mut naive = Naive::new(&mut pool);
        for clause in &clauses {
            naive.require(clause);
        }
        // Without learning the search may run out of steps; it must not be wrong.
        let answer = naive.solve();
        prop_assert!(answer == Answer::GaveUp || (answer == Answer::Sat) == expected, "{answer:?}, expected {expected}");
    }
}

/// Problems on which plain branching does not end.
#[test]
fn divergent_for_branching() {
    type Row<'a> = (&'a [i64], i64, i64);
    let systems: [&[Row<'_>]; 4] = [
        &[(&[3, -3], 1, 2)],
        &[(&[4, 2, -6], 1, 1)],
        &[(&[11, 13], 27, 45), (&[7, -9], -10, 4)],
        &[(&[1, -2], 0, 0), (&[1, 0, -2], 1, 1)],
    ];
    for rows in systems {
        let mut pool = TermPool::new();
        let vars = terms(&mut pool, SortId::INT, 3);
        let mut naive_clauses = Vec::new();
        for (coeffs, low, high) in rows {
            let form = combination(&mut pool, &vars, coeffs, SortId::INT);
            let (low, high) = (pool.int(*low), pool.int(*high));
            naive_clauses.push(pool.le(low, form));
            naive_clauses.push(pool.le(form, high));
        }
        let mut naive = Naive::new(&mut pool);
        for lit in naive_clauses {
            if lit == TermId::FALSE {
                naive.clauses.push(Vec::new());
            } else {
                naive.require(&[lit]);
            }
        }
        assert_eq!(naive.solve(), Answer::Unsat, "{rows:?}");
        assert!(naive.n_steps < 100, "{rows:?} took {} steps", naive.n_steps);
    }
}
