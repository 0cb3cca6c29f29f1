//! The solver for programs in Rust: terms with checked sorts, and nothing that panics on a wrong call.
//!
//! A [`Context`] owns its terms and its solver. A [`Term`] knows its context, so a term of another one, an argument of
//! a wrong sort and a formula that is no formula are errors ([`Misuse`]), in release builds as well. Terms are small
//! and can be copied.
//!
//! ```
//! use smt::context::{Answer, Context};
//!
//! # fn main() -> Result<(), smt::context::Misuse> {
//! let mut cx = Context::new();
//! let (x, y) = (cx.int("x"), cx.int("y"));
//! let (two, seven) = (cx.integer(2), cx.integer(7));
//! let double = cx.mul(&[two, x])?;
//! let sum = cx.add(&[double, y])?;
//! let equation = cx.eq(sum, seven)?;
//! let below = cx.lt(y, x)?;
//! cx.assert(equation)?;
//! cx.assert(below)?;
//! assert_eq!(cx.check(), Answer::Sat);
//! assert_eq!(cx.value(sum)?.as_deref(), Some("7"));
//! // An Int is no formula.
//! assert!(cx.assert(x).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! The docs compare the calls with those of the crates `z3` and `easy-smt` (`docs/rust.md`).

use crate::solver::SmtSolver;
use base::Budget;
use logic::{
    AssertionId, FunId, ItpError, ItpOptions, ItpTree, Op, Rational, SatResult, Solver, SortId, TermId, TermPool,
    UnknownReason,
};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A call that makes no sense: what was wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misuse(String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

fn misuse<T>(what: impl Into<String>) -> Result<T, Misuse> {
    Err(Misuse(what.into()))
}

/// A term of a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    context: u64,
    id: TermId,
}

/// A sort of a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TermSort {
    context: u64,
    id: SortId,
}

/// A declared function of a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    context: u64,
    id: FunId,
}

/// An assertion, for cores and interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Assertion {
    context: u64,
    id: AssertionId,
}

/// The answer to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    /// With the reason, for people.
    Unknown(String),
}

/// An operation on two bit-vectors of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
    /// The comparisons give a Boolean.
    Ult,
    Ule,
    Slt,
    Sle,
}

/// Terms and a solver for them.
pub struct Context {
    id: u64,
    pool: TermPool,
    solver: SmtSolver,
    n_scopes: usize,
    budget: Budget,
}

impl Default for Context {
    fn default() -> Self {
        Context::new()
    }
}

static CONTEXTS: AtomicU64 = AtomicU64::new(0);

impl Context {
    /// A context that keeps refutations, for cores and interpolants.
    pub fn new() -> Context {
        Context::with_solver(SmtSolver::with_proofs())
    }
    /// A context for satisfiability and models alone, which is somewhat faster. There are no interpolants, and a core
    /// is all assertions.
    pub fn without_proofs() -> Context {
        Context::with_solver(SmtSolver::without_proofs())
    }
    fn with_solver(solver: SmtSolver) -> Context {
        let id = CONTEXTS.fetch_add(1, Ordering::Relaxed);
        Context { id, pool: TermPool::new(), solver, n_scopes: 0, budget: Budget::unlimited() }
    }
    /// The limits of the calls that follow. Whoever keeps a clone of the budget can cancel them from another thread.
    ///
    /// ```
    /// use base::Budget;
    /// use smt::context::{Answer, Context};
    /// let mut cx = Context::new();
    /// let budget = Budget::unlimited();
    /// cx.set_budget(budget.clone());
    /// budget.cancel();
    /// assert!(matches!(cx.check(), Answer::Unknown(_)));
    /// ```
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    // ---- sorts ----

    fn own_sort(&self, id: SortId) -> TermSort {
        TermSort { context: self.id, id }
    }
    pub fn bool_sort(&self) -> TermSort {
        self.own_sort(SortId::BOOL)
    }
    pub fn int_sort(&self) -> TermSort {
        self.own_sort(SortId::INT)
    }
    pub fn real_sort(&self) -> TermSort {
        self.own_sort(SortId::REAL)
    }
    pub fn bitvec_sort(&mut self, width: u32) -> Result<TermSort, Misuse> {
        if width == 0 {
            return misuse("a bit-vector has at least one bit");
        }
        let id = self.pool.bitvec_sort(width);
        Ok(self.own_sort(id))
    }
    pub fn array_sort(&mut self, index: TermSort, element: TermSort) -> Result<TermSort, Misuse> {
        let (index, element) = (self.sort_id(index)?, self.sort_id(element)?);
        let id = self.pool.array_sort(index, element);
        Ok(self.own_sort(id))
    }
    /// A sort of which nothing is known.
    pub fn uninterpreted_sort(&mut self, name: &str) -> TermSort {
        let id = self.pool.uninterpreted_sort(name);
        self.own_sort(id)
    }
    pub fn sort(&self, t: Term) -> Result<TermSort, Misuse> {
        Ok(self.own_sort(self.pool.sort(self.id(t)?)))
    }

    // ---- checks ----

    fn id(&self, t: Term) -> Result<TermId, Misuse> {
        if t.context == self.id { Ok(t.id) } else { misuse("the term belongs to another context") }
    }
    fn ids(&self, terms: &[Term]) -> Result<Vec<TermId>, Misuse> {
        terms.iter().map(|&t| self.id(t)).collect()
    }
    fn sort_id(&self, sort: TermSort) -> Result<SortId, Misuse> {
        if sort.context == self.id { Ok(sort.id) } else { misuse("the sort belongs to another context") }
    }
    fn own(&self, id: TermId) -> Term {
        Term { context: self.id, id }
    }
    fn require(&self, t: TermId, sort: SortId) -> Result<(), Misuse> {
        let found = self.pool.sort(t);
        if found == sort {
            return Ok(());
        }
        misuse(format!(
            "{} is of sort {}, but {} is wanted here",
            self.pool.smtlib(t),
            self.pool.show_sort(found),
            self.pool.show_sort(sort)
        ))
    }
    fn booleans(&self, terms: &[Term]) -> Result<Vec<TermId>, Misuse> {
        let ids = self.ids(terms)?;
        ids.iter().try_for_each(|&t| self.require(t, SortId::BOOL))?;
        Ok(ids)
    }
    /// At least one term, all of them Int or all of them Real.
    fn numbers(&self, terms: &[Term]) -> Result<Vec<TermId>, Misuse> {
        let ids = self.ids(terms)?;
        let Some(&first) = ids.first() else { return misuse("an operation of arithmetic needs an argument") };
        let sort = self.pool.sort(first);
        if !sort.is_arith() {
            self.require(first, SortId::INT)?;
        }
        ids.iter().try_for_each(|&t| self.require(t, sort))?;
        Ok(ids)
    }
    fn pair_of_numbers(&self, a: Term, b: Term) -> Result<(TermId, TermId), Misuse> {
        let ids = self.numbers(&[a, b])?;
        Ok((ids[0], ids[1]))
    }
    fn pair_of_one_sort(&self, a: Term, b: Term) -> Result<(TermId, TermId), Misuse> {
        let (a, b) = (self.id(a)?, self.id(b)?);
        self.require(b, self.pool.sort(a))?;
        Ok((a, b))
    }
    fn array_parts(&self, array: TermId) -> Result<(SortId, SortId), Misuse> {
        let sort = self.pool.sort(array);
        match self.pool.array_parts(sort) {
            Some(parts) => Ok(parts),
            None => misuse(format!("{} is no array, but {}", self.pool.smtlib(array), self.pool.show_sort(sort))),
        }
    }

    // ---- terms ----

    /// The constant of this name and sort.
    pub fn constant(&mut self, name: &str, sort: TermSort) -> Result<Term, Misuse> {
        let sort = self.sort_id(sort)?;
        let id = self.pool.constant(name, sort);
        Ok(self.own(id))
    }
    pub fn boolean(&mut self, name: &str) -> Term {
        let id = self.pool.constant(name, SortId::BOOL);
        self.own(id)
    }
    pub fn int(&mut self, name: &str) -> Term {
        let id = self.pool.constant(name, SortId::INT);
        self.own(id)
    }
    pub fn real(&mut self, name: &str) -> Term {
        let id = self.pool.constant(name, SortId::REAL);
        self.own(id)
    }
    pub fn truth(&mut self, value: bool) -> Term {
        let id = self.pool.bool(value);
        self.own(id)
    }
    pub fn integer(&mut self, value: i64) -> Term {
        let id = self.pool.int(value);
        self.own(id)
    }
    /// The real number `numerator / denominator`.
    pub fn fraction(&mut self, numerator: i64, denominator: i64) -> Result<Term, Misuse> {
        if denominator == 0 {
            return misuse("a fraction with denominator zero");
        }
        let id = self.pool.real_num(Rational::from(numerator) / Rational::from(denominator));
        Ok(self.own(id))
    }
    /// A bit-vector constant, modulo two to the width.
    pub fn bits(&mut self, value: u64, width: u32) -> Result<Term, Misuse> {
        self.bitvec_sort(width)?;
        let id = self.pool.bv_num(value.into(), width);
        Ok(self.own(id))
    }
    pub fn function(&mut self, name: &str, args: &[TermSort], result: TermSort) -> Result<Function, Misuse> {
        let args: Vec<SortId> = args.iter().map(|&s| self.sort_id(s)).collect::<Result<_, _>>()?;
        let result = self.sort_id(result)?;
        Ok(Function { context: self.id, id: self.pool.declare_fun(name, &args, result) })
    }
    /// ```
    /// # use smt::context::{Answer, Context};
    /// # fn main() -> Result<(), smt::context::Misuse> {
    /// let mut cx = Context::new();
    /// let f = cx.function("f", &[cx.int_sort()], cx.int_sort())?;
    /// let (x, y) = (cx.int("x"), cx.int("y"));
    /// let (fx, fy) = (cx.apply(f, &[x])?, cx.apply(f, &[y])?);
    /// let (same, different) = (cx.eq(x, y)?, cx.distinct(&[fx, fy])?);
    /// assert_eq!(cx.check_assuming(&[same, different])?, Answer::Unsat);
    /// assert!(cx.apply(f, &[same]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn apply(&mut self, f: Function, args: &[Term]) -> Result<Term, Misuse> {
        if f.context != self.id {
            return misuse("the function belongs to another context");
        }
        let args = self.ids(args)?;
        let expected = self.pool.fun(f.id).args.clone();
        if args.len() != expected.len() {
            return misuse(format!("{} takes {} arguments, not {}", self.pool.name(f.id), expected.len(), args.len()));
        }
        args.iter().zip(expected).try_for_each(|(&t, sort)| self.require(t, sort))?;
        let id = self.pool.app(f.id, &args);
        Ok(self.own(id))
    }

    pub fn not(&mut self, t: Term) -> Result<Term, Misuse> {
        let ids = self.booleans(&[t])?;
        let id = self.pool.not(ids[0]);
        Ok(self.own(id))
    }
    pub fn and(&mut self, terms: &[Term]) -> Result<Term, Misuse> {
        let ids = self.booleans(terms)?;
        let id = self.pool.and(&ids);
        Ok(self.own(id))
    }
    pub fn or(&mut self, terms: &[Term]) -> Result<Term, Misuse> {
        let ids = self.booleans(terms)?;
        let id = self.pool.or(&ids);
        Ok(self.own(id))
    }
    pub fn implies(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let ids = self.booleans(&[a, b])?;
        let id = self.pool.implies(ids[0], ids[1]);
        Ok(self.own(id))
    }
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Result<Term, Misuse> {
        let conditions = self.booleans(&[condition])?;
        let (a, b) = self.pair_of_one_sort(a, b)?;
        let id = self.pool.ite(conditions[0], a, b);
        Ok(self.own(id))
    }
    pub fn eq(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let (a, b) = self.pair_of_one_sort(a, b)?;
        let id = self.pool.eq(a, b);
        Ok(self.own(id))
    }
    /// Pairwise different.
    pub fn distinct(&mut self, terms: &[Term]) -> Result<Term, Misuse> {
        let ids = self.ids(terms)?;
        if let Some(&first) = ids.first() {
            let sort = self.pool.sort(first);
            ids.iter().try_for_each(|&t| self.require(t, sort))?;
        }
        let mut parts = Vec::new();
        for (k, &a) in ids.iter().enumerate() {
            for &b in &ids[k + 1..] {
                let same = self.pool.eq(a, b);
                parts.push(self.pool.not(same));
            }
        }
        let id = self.pool.and(&parts);
        Ok(self.own(id))
    }
    pub fn add(&mut self, terms: &[Term]) -> Result<Term, Misuse> {
        let ids = self.numbers(terms)?;
        let id = self.pool.add(&ids);
        Ok(self.own(id))
    }
    pub fn mul(&mut self, terms: &[Term]) -> Result<Term, Misuse> {
        let ids = self.numbers(terms)?;
        let id = self.pool.mul(&ids);
        Ok(self.own(id))
    }
    pub fn sub(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let (a, b) = self.pair_of_numbers(a, b)?;
        let id = self.pool.sub(a, b);
        Ok(self.own(id))
    }
    pub fn neg(&mut self, a: Term) -> Result<Term, Misuse> {
        let ids = self.numbers(&[a])?;
        let id = self.pool.neg(ids[0]);
        Ok(self.own(id))
    }
    /// The quotient: of integers the Euclidean one, as in SMT-LIB.
    pub fn div(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let (a, b) = self.pair_of_numbers(a, b)?;
        let id = if self.pool.sort(a) == SortId::INT { self.pool.int_div(a, b) } else { self.pool.real_div(a, b) };
        Ok(self.own(id))
    }
    /// The remainder of integers, which is never negative.
    pub fn modulo(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let (a, b) = (self.id(a)?, self.id(b)?);
        self.require(a, SortId::INT)?;
        self.require(b, SortId::INT)?;
        let id = self.pool.modulo(a, b);
        Ok(self.own(id))
    }
    pub fn to_real(&mut self, a: Term) -> Result<Term, Misuse> {
        let a = self.id(a)?;
        self.require(a, SortId::INT)?;
        let id = self.pool.to_real(a);
        Ok(self.own(id))
    }
    pub fn le(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let (a, b) = self.pair_of_numbers(a, b)?;
        let id = self.pool.le(a, b);
        Ok(self.own(id))
    }
    pub fn lt(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let (a, b) = self.pair_of_numbers(a, b)?;
        let id = self.pool.lt(a, b);
        Ok(self.own(id))
    }
    pub fn ge(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        self.le(b, a)
    }
    pub fn gt(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        self.lt(b, a)
    }
    pub fn select(&mut self, array: Term, index: Term) -> Result<Term, Misuse> {
        let (array, index) = (self.id(array)?, self.id(index)?);
        self.require(index, self.array_parts(array)?.0)?;
        let id = self.pool.select(array, index);
        Ok(self.own(id))
    }
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Result<Term, Misuse> {
        let (array, index, value) = (self.id(array)?, self.id(index)?, self.id(value)?);
        let (index_sort, element_sort) = self.array_parts(array)?;
        self.require(index, index_sort)?;
        self.require(value, element_sort)?;
        let id = self.pool.store(array, index, value);
        Ok(self.own(id))
    }
    /// An operation on two bit-vectors of the same width.
    ///
    /// ```
    /// # use smt::context::{Answer, BvOp, Context};
    /// # fn main() -> Result<(), smt::context::Misuse> {
    /// let mut cx = Context::new();
    /// let byte = cx.bitvec_sort(8)?;
    /// let x = cx.constant("x", byte)?;
    /// let one = cx.bits(1, 8)?;
    /// let next = cx.bv(BvOp::Add, x, one)?;
    /// let wraps = cx.bv(BvOp::Ult, next, x)?;
    /// cx.assert(wraps)?;
    /// assert_eq!(cx.check(), Answer::Sat);
    /// assert_eq!(cx.value(x)?.as_deref(), Some("#xff"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn bv(&mut self, op: BvOp, a: Term, b: Term) -> Result<Term, Misuse> {
        let (a, b) = self.pair_of_one_sort(a, b)?;
        if self.pool.bitvec_width(self.pool.sort(a)).is_none() {
            return misuse(format!("{} is no bit-vector", self.pool.smtlib(a)));
        }
        let op = match op {
            BvOp::Add => Op::BvAdd,
            BvOp::Sub => Op::BvSub,
            BvOp::Mul => Op::BvMul,
            BvOp::Udiv => Op::BvUdiv,
            BvOp::Urem => Op::BvUrem,
            BvOp::Sdiv => Op::BvSdiv,
            BvOp::Srem => Op::BvSrem,
            BvOp::And => Op::BvAnd,
            BvOp::Or => Op::BvOr,
            BvOp::Xor => Op::BvXor,
            BvOp::Shl => Op::BvShl,
            BvOp::Lshr => Op::BvLshr,
            BvOp::Ashr => Op::BvAshr,
            BvOp::Ult => Op::BvUlt,
            BvOp::Ule => Op::BvUle,
            BvOp::Slt => Op::BvSlt,
            BvOp::Sle => Op::BvSle,
        };
        let id = self.pool.bv(op, &[a, b]);
        Ok(self.own(id))
    }
    /// The term in SMT-LIB.
    pub fn show(&self, t: Term) -> Result<String, Misuse> {
        Ok(self.pool.smtlib(self.id(t)?))
    }

    // ---- solving ----

    pub fn assert(&mut self, t: Term) -> Result<Assertion, Misuse> {
        let ids = self.booleans(&[t])?;
        Ok(Assertion { context: self.id, id: self.solver.assert(&mut self.pool, ids[0]) })
    }
    pub fn push(&mut self) {
        self.n_scopes += 1;
        self.solver.push();
    }
    /// Forgets what was asserted since the last `n` calls of [`push`](Context::push).
    pub fn pop(&mut self, n: usize) -> Result<(), Misuse> {
        if n > self.n_scopes {
            return misuse(format!("there are {} scopes, not {n}", self.n_scopes));
        }
        self.n_scopes -= n;
        self.solver.pop(n);
        Ok(())
    }
    pub fn check(&mut self) -> Answer {
        answer(self.solver.check(&mut self.pool, &self.budget))
    }
    /// Checks under further assumptions, any formulas, for this call only.
    pub fn check_assuming(&mut self, assumptions: &[Term]) -> Result<Answer, Misuse> {
        let ids = self.booleans(assumptions)?;
        Ok(answer(self.solver.check_assuming(&mut self.pool, &ids, &self.budget)))
    }
    /// After *sat*: the value of a term, in SMT-LIB. `None` where SMT-LIB has no such constant (arrays, uninterpreted
    /// sorts).
    pub fn value(&mut self, t: Term) -> Result<Option<String>, Misuse> {
        let id = self.id(t)?;
        let Some(model) = self.solver.model() else { return misuse("the last check did not say sat") };
        let Ok(value) = model.eval(&self.pool, id) else { return Ok(None) };
        let sort = self.pool.sort(id);
        Ok(self.pool.value_term(&value, sort).map(|constant| self.pool.smtlib(constant)))
    }
    /// After *unsat*: assertions that contradict each other, together with the failed assumptions.
    pub fn unsat_core(&self) -> Vec<Assertion> {
        self.solver.unsat_core().into_iter().map(|id| Assertion { context: self.id, id }).collect()
    }
    /// After *unsat* of [`check_assuming`](Context::check_assuming): the indices of assumptions that are part of the
    /// contradiction.
    pub fn failed_assumptions(&self) -> Vec<usize> {
        self.solver.failed_assumptions()
    }
    /// After *unsat*: interpolants of a sequence of groups of assertions, one between each group and the next.
    ///
    /// ```
    /// # use smt::context::{Answer, Context};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut cx = Context::new();
    /// let (x, y, z) = (cx.int("x"), cx.int("y"), cx.int("z"));
    /// let first = cx.lt(x, y)?;
    /// let second = cx.lt(y, z)?;
    /// let third = cx.lt(z, x)?;
    /// let a = cx.assert(first)?;
    /// let b = [cx.assert(second)?, cx.assert(third)?];
    /// assert_eq!(cx.check(), Answer::Unsat);
    /// let between = cx.interpolants(&[&[a], &b])?;
    /// assert_eq!(between.len(), 1);
    /// let not_implied = cx.not(between[0])?;
    /// assert_eq!(cx.check_assuming(&[not_implied])?, Answer::Unsat);
    /// # Ok(())
    /// # }
    /// ```
    pub fn interpolants(&mut self, groups: &[&[Assertion]]) -> Result<Vec<Term>, Misuse> {
        if groups.iter().copied().flatten().any(|a| a.context != self.id) {
            return misuse("an assertion belongs to another context");
        }
        let tree = ItpTree::sequence(groups.iter().map(|group| group.iter().map(|a| a.id).collect()).collect());
        match self.solver.interpolate(&mut self.pool, &tree, ItpOptions::default(), &self.budget) {
            Ok(formulas) => Ok(formulas.into_iter().map(|id| self.own(id)).collect()),
            Err(ItpError::NoRefutation) => misuse("the last check did not say unsat, or the context keeps no proofs"),
            Err(error) => misuse(error.to_string()),
        }
    }
}

fn answer(result: SatResult) -> Answer {
    match result {
        SatResult::Sat => Answer::Sat,
        SatResult::Unsat => Answer::Unsat,
        SatResult::Unknown(UnknownReason::Stopped(stop)) => Answer::Unknown(stop.to_string()),
        SatResult::Unknown(UnknownReason::Incomplete(why)) => Answer::Unknown(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_other_contexts_and_wrong_sorts_are_errors() -> Result<(), Misuse> {
        let (mut here, mut there) = (Context::new(), Context::without_proofs());
        let (x, p) = (here.int("x"), here.boolean("p"));
        // More terms than `here` has, so that an id of it would be out of range.
        let far = (0..50).map(|k| there.int(&format!("y{k}"))).last().ok_or(Misuse(String::new()))?;
        assert!(here.add(&[x, far]).is_err());
        assert!(here.value(far).is_err());
        assert!(here.add(&[x, p]).is_err());
        assert!(here.add(&[]).is_err());
        assert!(here.and(&[x]).is_err());
        assert!(here.select(x, x).is_err());
        assert!(here.bv(BvOp::Add, x, x).is_err());
        assert!(here.assert(x).is_err());
        assert!(here.check_assuming(&[x]).is_err());
        assert!(here.pop(1).is_err());
        let half = here.fraction(1, 2)?;
        assert!(here.lt(x, half).is_err());
        assert!(here.fraction(1, 0).is_err());
        assert!(here.bitvec_sort(0).is_err());
        let sort = there.int_sort();
        assert!(here.constant("z", sort).is_err());
        assert!(here.interpolants(&[&[], &[]]).is_err());
        assert!(here.value(x).is_err());
        Ok(())
    }

    #[test]
    fn scopes_cores_and_values() -> Result<(), Misuse> {
        let mut cx = Context::new();
        let (x, zero) = (cx.int("x"), cx.integer(0));
        let (positive, negative, even) = {
            let two = cx.integer(2);
            let rest = cx.modulo(x, two)?;
            (cx.gt(x, zero)?, cx.lt(x, zero)?, cx.eq(rest, zero)?)
        };
        let first = cx.assert(positive)?;
        cx.assert(even)?;
        cx.push();
        let second = cx.assert(negative)?;
        assert_eq!(cx.check(), Answer::Unsat);
        assert_eq!(cx.unsat_core(), [first, second]);
        cx.pop(1)?;
        assert_eq!(cx.check(), Answer::Sat);
        let value: i64 = cx.value(x)?.and_then(|v| v.parse().ok()).unwrap_or(0);
        assert!(value > 0 && value % 2 == 0);
        assert_eq!(cx.check_assuming(&[positive, negative])?, Answer::Unsat);
        assert!(cx.failed_assumptions().contains(&1));
        Ok(())
    }
}
