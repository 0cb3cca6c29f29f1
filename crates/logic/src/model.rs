//! Models and exact evaluation.
//!
//! Evaluation is total: symbols without a value have the default of their sort, and division by
//! zero is a function of the dividend that the model may fix. Quantified terms are not evaluated.

use crate::rational::{BigInt, Rational};
use crate::sort::{Sort, SortId};
use crate::term::{FunId, Op, TermId, TermPool};
use crate::value::{ArrayValue, Value};
use crate::{FastMap, bitvec};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The interpretation of a function symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunValue {
    pub entries: BTreeMap<Vec<Value>, Value>,
    pub default: Value,
}

/// An interpretation of symbols.
#[derive(Clone, Debug, Default)]
pub struct Model {
    constants: BTreeMap<FunId, Value>,
    functions: BTreeMap<FunId, FunValue>,
    /// `x div 0`, `x mod 0`, `x / 0` by operator and dividend; 0 where absent.
    pub by_zero: BTreeMap<(Op, Value), Value>,
    /// Where two arrays are said to differ; their first difference where absent. An entry for different
    /// arrays must be a difference.
    pub differences: BTreeMap<(Value, Value), Value>,
}

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// The term contains a quantifier.
    Quantified(TermId),
    /// A value has the wrong kind: the term is ill-sorted.
    IllSorted(TermId),
}

/// Some value of a sort.
pub fn default_value(pool: &TermPool, sort: SortId) -> Value {
    match pool.sort_data(sort) {
        Sort::Bool => Value::Bool(false),
        Sort::Int | Sort::Real => Value::Num(Rational::zero()),
        Sort::BitVec(width) => Value::Bv(BigInt::ZERO, *width),
        Sort::Array(_, element) => Value::Array(Arc::new(ArrayValue::constant(default_value(pool, *element)))),
        Sort::Uninterpreted(_) => Value::Element(sort, 0),
    }
}

/// The largest term that is evaluated without remembering what its parts are.
const MAX_TREE: u32 = 100;

impl Model {
    pub fn new() -> Model {
        Model::default()
    }
    pub fn set(&mut self, symbol: FunId, value: Value) {
        self.constants.insert(symbol, value);
    }
    pub fn get(&self, symbol: FunId) -> Option<&Value> {
        self.constants.get(&symbol)
    }
    pub fn set_fun(&mut self, symbol: FunId, value: FunValue) {
        self.functions.insert(symbol, value);
    }
    pub fn fun(&self, symbol: FunId) -> Option<&FunValue> {
        self.functions.get(&symbol)
    }
    /// All constants with a value, in the order of their symbols.
    pub fn constants(&self) -> impl Iterator<Item = (FunId, &Value)> {
        self.constants.iter().map(|(f, v)| (*f, v))
    }
    pub fn functions(&self) -> impl Iterator<Item = (FunId, &FunValue)> {
        self.functions.iter().map(|(f, v)| (*f, v))
    }

    pub fn eval(&self, pool: &TermPool, t: TermId) -> Result<Value, EvalError> {
        let mut fuel = MAX_TREE;
        match self.eval_tree(pool, t, &mut fuel) {
            Some(result) => result,
            None => self.eval_memo(pool, t, &mut FastMap::default()),
        }
    }
    /// Evaluates a small term as a tree, which is faster than to remember results. `None` if there are more nodes
    /// than `fuel`.
    fn eval_tree(&self, pool: &TermPool, t: TermId, fuel: &mut u32) -> Option<Result<Value, EvalError>> {
        *fuel = fuel.checked_sub(1)?;
        let args = pool.args(t);
        if matches!(pool.op(t), Op::Forall(_) | Op::Exists(_)) {
            return Some(Err(EvalError::Quantified(t)));
        }
        // Only the branch taken of an ite is needed.
        if let (Op::Ite, [c, a, b]) = (pool.op(t), args) {
            return match self.eval_tree(pool, *c, fuel)? {
                Ok(Value::Bool(taken)) => self.eval_tree(pool, if taken { *a } else { *b }, fuel),
                Ok(_) => Some(Err(EvalError::IllSorted(t))),
                Err(error) => Some(Err(error)),
            };
        }
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            match self.eval_tree(pool, arg, fuel)? {
                Ok(value) => values.push(value),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(self.eval_node(pool, t, values))
    }
    /// Is this formula true here? Quantified formulas are an error.
    pub fn holds(&self, pool: &TermPool, t: TermId) -> Result<bool, EvalError> {
        self.eval(pool, t)?.as_bool().ok_or(EvalError::IllSorted(t))
    }
    /// Evaluates with a memo that may be shared by several terms (of the same model).
    pub fn eval_memo(
        &self,
        pool: &TermPool,
        root: TermId,
        memo: &mut FastMap<TermId, Value>,
    ) -> Result<Value, EvalError> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            if matches!(pool.op(t), Op::Forall(_) | Op::Exists(_)) {
                return Err(EvalError::Quantified(t));
            }
            // Only the branch taken of an ite is needed.
            if pool.op(t) == Op::Ite {
                let [c, a, b] = *pool.args(t) else { return Err(EvalError::IllSorted(t)) };
                match memo.get(&c) {
                    None => stack.push(c),
                    Some(Value::Bool(taken)) => {
                        let branch = if *taken { a } else { b };
                        match memo.get(&branch).cloned() {
                            None => stack.push(branch),
                            Some(v) => {
                                memo.insert(t, v);
                            }
                        }
                    }
                    Some(_) => return Err(EvalError::IllSorted(t)),
                }
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(t).iter().filter(|a| !memo.contains_key(*a)));
            if stack.len() > before {
                continue;
            }
            let args = pool.args(t).iter().map(|a| memo[a].clone()).collect();
            let value = self.eval_node(pool, t, args)?;
            memo.insert(t, value);
            stack.pop();
        }
        Ok(memo[&root].clone())
    }

    /// The value of a term whose arguments have these values.
    fn eval_node(&self, pool: &TermPool, t: TermId, args: Vec<Value>) -> Result<Value, EvalError> {
        let op = pool.op(t);
        let sort = pool.sort(t);
        if let Op::App(f) = op {
            if args.is_empty() {
                return Ok(self.constants.get(&f).cloned().unwrap_or_else(|| default_value(pool, sort)));
            }
            return Ok(match self.functions.get(&f) {
                Some(table) => table.entries.get(&args).unwrap_or(&table.default).clone(),
                None => default_value(pool, sort),
            });
        }
        if let Some(value) = pool.value(t) {
            return Ok(value);
        }
        if let (Op::IntDiv | Op::Mod | Op::RealDiv, [a, Value::Num(divisor)]) = (op, args.as_slice())
            && divisor.is_zero()
        {
            return Ok(self.by_zero.get(&(op, a.clone())).cloned().unwrap_or_else(|| default_value(pool, sort)));
        }
        if let (Op::ArrayDiff, [a, b]) = (op, args.as_slice())
            && let Some(index) = self.differences.get(&(a.clone(), b.clone()))
        {
            return Ok(index.clone());
        }
        apply(pool, op, sort, &args).ok_or(EvalError::IllSorted(t))
    }
}

/// An interpreted operator applied to values. `None` for symbols, quantifiers, division by zero,
/// and arguments of the wrong kind.
pub fn apply(pool: &TermPool, op: Op, sort: SortId, args: &[Value]) -> Option<Value> {
    use Value::{Array, Bool, Bv, Num};
    let flag = |b: bool| Some(Bool(b));
    match (op, args) {
        (Op::True, []) => flag(true),
        (Op::False, []) => flag(false),
        (Op::Not, [Bool(b)]) => flag(!b),
        (Op::And, _) => args.iter().try_fold(true, |acc, v| Some(acc & v.as_bool()?)).map(Bool),
        (Op::Or, _) => args.iter().try_fold(false, |acc, v| Some(acc | v.as_bool()?)).map(Bool),
        (Op::Eq, [a, b]) => flag(a == b),
        (Op::Distinct, _) => {
            let mut sorted: Vec<&Value> = args.iter().collect();
            sorted.sort();
            flag(sorted.windows(2).all(|w| w[0] != w[1]))
        }
        (Op::Ite, [Bool(c), a, b]) => Some(if *c { a.clone() } else { b.clone() }),
        (Op::Add, _) => args.iter().try_fold(Rational::zero(), |acc, v| Some(&acc + v.as_num()?)).map(Num),
        (Op::Mul, _) => args.iter().try_fold(Rational::one(), |acc, v| Some(&acc * v.as_num()?)).map(Num),
        (Op::Le, [Num(a), Num(b)]) => flag(a <= b),
        (Op::Lt, [Num(a), Num(b)]) => flag(a < b),
        (Op::RealDiv, [Num(a), Num(b)]) if !b.is_zero() => Some(Num(a / b)),
        (Op::IntDiv, [Num(a), Num(b)]) if !b.is_zero() => Some(Num(a.div_euclid(b))),
        (Op::Mod, [Num(a), Num(b)]) if !b.is_zero() => Some(Num(a.rem_euclid(b))),
        (Op::Abs, [Num(a)]) => Some(Num(a.abs())),
        (Op::ToReal, [Num(a)]) => Some(Num(a.clone())),
        (Op::ToInt, [Num(a)]) => Some(Num(a.floor())),
        (Op::IsInt, [Num(a)]) => flag(a.is_integer()),
        (Op::Select, [Array(a), i]) => Some(a.select(i).clone()),
        (Op::Store, [Array(a), i, v]) => {
            let (index, _) = pool.array_parts(sort)?;
            Some(Array(Arc::new(a.store(i.clone(), v.clone(), pool.cardinality(index)))))
        }
        (Op::ConstArray, [v]) => Some(Array(Arc::new(ArrayValue::constant(v.clone())))),
        (Op::ArrayDiff, [Array(a), Array(b)]) => {
            let differing =
                a.entries.keys().chain(b.entries.keys()).filter(|i| a.select(i) != b.select(i)).min().cloned();
            match differing {
                Some(i) => Some(i),
                None if a.default == b.default => Some(default_value(pool, sort)),
                None => unused_index(pool, sort, a, b),
            }
        }
        (Op::BvConcat, [Bv(a, m), Bv(b, n)]) => Some(Bv((a << *n as usize) | b, m + n)),
        (Op::BvExtract(hi, lo), [Bv(a, _)]) => Some(Bv(bitvec::extract(a, hi, lo), hi - lo + 1)),
        (Op::BvNot, [Bv(a, w)]) => Some(Bv(bitvec::not(a, *w), *w)),
        (Op::BvNeg, [Bv(a, w)]) => Some(Bv(bitvec::wrap(-a.clone(), *w), *w)),
        (Op::BvZeroExt(n), [Bv(a, w)]) => Some(Bv(a.clone(), w + n)),
        (Op::BvSignExt(n), [Bv(a, w)]) => Some(Bv(bitvec::wrap(bitvec::signed(a, *w), w + n), w + n)),
        (Op::BvToNat, [Bv(a, _)]) => Some(Num(Rational::from(a.clone()))),
        (Op::IntToBv(w), [Num(a)]) => Some(Bv(bitvec::wrap(a.to_bigint()?, w), w)),
        (_, [Bv(a, w), Bv(b, v)]) if w == v => match bitvec::compare(op, a, b, *w) {
            Some(b) => flag(b),
            None => bitvec::binary(op, a, b, *w).map(|r| Bv(r, *w)),
        },
        _ => None,
    }
}

/// An index at which neither array has an exception, so that their (different) defaults show.
fn unused_index(pool: &TermPool, sort: SortId, a: &ArrayValue, b: &ArrayValue) -> Option<Value> {
    let used = |i: &Value| a.entries.contains_key(i) || b.entries.contains_key(i);
    let n = (a.entries.len() + b.entries.len()) as i64;
    let candidates: Vec<Value> = match pool.sort_data(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int | Sort::Real => (0..=n).map(Value::int).collect(),
        Sort::BitVec(w) => (0..=n).map(|i| Value::Bv(bitvec::wrap(BigInt::from(i), *w), *w)).collect(),
        Sort::Uninterpreted(_) => (0..=n as u32).map(|i| Value::Element(sort, i)).collect(),
        Sort::Array(..) => return None,
    };
    candidates.into_iter().find(|i| !used(i))
}
