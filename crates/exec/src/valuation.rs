//! Values of all variables, made to be copied, compared and changed in few places, and the evaluation of terms over
//! them.
//!
//! Variables are put into chunks; copies share the chunks that do not differ. A value may be a *gap*: it stands for all
//! values of its sort. What is computed from gaps is a gap too, unless the rest fixes it (`false && ?` is false,
//! storing into a gap gives an array that is known in one place). Uninterpreted functions, division by zero and
//! quantifiers give gaps.

use base::IdVec;
use ir::{Icfg, Stmt, VarId};
use logic::{ArrayValue, FastMap, Op, Sort, SortId, TermId, TermPool, Value, apply};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// The value that stands for all values of a sort. No sort has it: Boolean is not uninterpreted.
pub(crate) fn gap() -> Value {
    Value::Element(SortId::BOOL, u32::MAX)
}

/// An unknown with a known range ([`crate::ranges`]), by number.
pub(crate) fn interval_gap(number: u32) -> Value {
    Value::Element(SortId::BOOL, number)
}

/// The number of such a gap.
pub(crate) fn interval_number(value: &Value) -> Option<u32> {
    match value {
        Value::Element(SortId::BOOL, number) if *number != u32::MAX => Some(*number),
        _ => None,
    }
}

fn is_gap(value: &Value) -> bool {
    matches!(value, Value::Element(SortId::BOOL, _))
}

/// Is any part of the value a gap?
pub(crate) fn has_gaps(value: &Value) -> bool {
    match value {
        Value::Array(array) => has_gaps(&array.default) || array.entries.iter().any(|(_, v)| has_gaps(v)),
        other => is_gap(other),
    }
}

/// Chunk and position.
type Place = (u32, u32);

/// Where the value of each variable is.
pub(crate) struct Layout {
    by_symbol: Vec<Option<Place>>,
    by_var: IdVec<VarId, Place>,
    /// What the variables of each chunk are at first.
    initial: Vec<Arc<Vec<Value>>>,
}

impl Layout {
    /// `chunks`: the chunk of each variable; `first`: the value that a variable of a sort has at first.
    pub(crate) fn new(
        icfg: &Icfg,
        pool: &TermPool,
        chunks: &IdVec<VarId, u32>,
        first: impl Fn(SortId) -> Value,
    ) -> Layout {
        let (mut by_symbol, mut by_var) = (Vec::new(), IdVec::new());
        let mut initial: Vec<Vec<Value>> = Vec::new();
        for (v, data) in icfg.vars.iter() {
            let chunk = chunks[v] as usize;
            if initial.len() <= chunk {
                initial.resize(chunk + 1, Vec::new());
            }
            let place = (chunk as u32, initial[chunk].len() as u32);
            initial[chunk].push(first(data.sort));
            by_var.push(place);
            if let Some(symbol) = pool.as_symbol(data.term) {
                let i = symbol.0 as usize;
                if by_symbol.len() <= i {
                    by_symbol.resize(i + 1, None);
                }
                by_symbol[i] = Some(place);
            }
        }
        Layout { by_symbol, by_var, initial: initial.into_iter().map(Arc::new).collect() }
    }

    pub(crate) fn start(&self) -> Values {
        let chunk = |values: &Arc<Vec<Value>>| Chunk { values: values.clone(), hash: 0, number: None };
        Values { chunks: self.initial.iter().map(chunk).collect() }
    }
}

/// The values of all variables.
#[derive(Clone)]
pub(crate) struct Values {
    chunks: Vec<Chunk>,
}

#[derive(Clone)]
pub(crate) struct Chunk {
    pub values: Arc<Vec<Value>>,
    /// The exclusive or of the hashes of all variables that do not have their first value.
    pub hash: u64,
    /// The number given to its contents by the visited set.
    pub number: Option<u32>,
}

/// Hashes that are combined by exclusive or must have nothing to do with each other: SplitMix64's mixing makes them so.
fn hash_at(place: Place, value: &Value) -> u64 {
    let mut z = FxBuildHasher.hash_one((place, value));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Values {
    pub(crate) fn hash(&self) -> u64 {
        self.chunks.iter().fold(0, |all, chunk| all ^ chunk.hash)
    }
    pub(crate) fn chunks_mut(&mut self) -> &mut [Chunk] {
        &mut self.chunks
    }
    pub(crate) fn get(&self, layout: &Layout, v: VarId) -> &Value {
        let (chunk, i) = layout.by_var[v];
        &self.chunks[chunk as usize].values[i as usize]
    }
    pub(crate) fn set(&mut self, layout: &Layout, v: VarId, value: Value) {
        let place = layout.by_var[v];
        let i = place.1 as usize;
        let chunk = &mut self.chunks[place.0 as usize];
        let old = &chunk.values[i];
        if *old == value {
            return;
        }
        let first = &layout.initial[place.0 as usize][i];
        if old != first {
            chunk.hash ^= hash_at(place, old);
        }
        if value != *first {
            chunk.hash ^= hash_at(place, &value);
        }
        chunk.number = None;
        Arc::make_mut(&mut chunk.values)[i] = value;
    }
    /// What a statement makes of the values. A choice gives its variables this number, or gaps; an assumption changes
    /// nothing.
    pub(crate) fn execute(&mut self, layout: &Layout, pool: &TermPool, stmt: &Stmt, choice: Option<i64>) {
        match stmt {
            Stmt::Assign(pairs) => {
                let evaluator = Evaluator { pool, layout, values: self };
                let results: Vec<(VarId, Value)> = pairs.iter().map(|&(v, t)| (v, evaluator.eval(t))).collect();
                for (v, value) in results {
                    self.set(layout, v, value);
                }
            }
            Stmt::Havoc(vars, _) => {
                for &v in vars {
                    self.set(layout, v, choice.map_or_else(gap, Value::int));
                }
            }
            Stmt::Assume(_) => {}
        }
    }
    /// Gives a variable the value that it had at first.
    pub(crate) fn reset(&mut self, layout: &Layout, v: VarId) {
        let (chunk, i) = layout.by_var[v];
        self.set(layout, v, layout.initial[chunk as usize][i as usize].clone());
    }
}

/// The largest term that is evaluated without remembering what its parts are, and the deepest.
const MAX_TREE: u32 = 400;
const MAX_DEPTH: u32 = 200;

pub(crate) struct Evaluator<'a> {
    pub pool: &'a TermPool,
    pub layout: &'a Layout,
    pub values: &'a Values,
}

/// A term is too large to be evaluated as a tree.
struct TooLarge;

impl Evaluator<'_> {
    pub(crate) fn eval(&self, t: TermId) -> Value {
        let mut fuel = MAX_TREE;
        self.tree(t, MAX_DEPTH, &mut fuel).unwrap_or_else(|TooLarge| self.shared(t))
    }
    /// Is the formula surely true?
    pub(crate) fn holds(&self, t: TermId) -> bool {
        t == TermId::TRUE || self.eval(t) == Value::Bool(true)
    }
    /// Is it not surely false?
    pub(crate) fn may_hold(&self, t: TermId) -> bool {
        t == TermId::TRUE || self.eval(t) != Value::Bool(false)
    }

    fn tree(&self, t: TermId, depth: u32, fuel: &mut u32) -> Result<Value, TooLarge> {
        if depth == 0 || *fuel == 0 {
            return Err(TooLarge);
        }
        *fuel -= 1;
        let (op, args) = (self.pool.op(t), self.pool.args(t));
        match (op, args) {
            (Op::Forall(_) | Op::Exists(_), _) => Ok(gap()),
            (Op::Ite, &[c, a, b]) => match self.tree(c, depth - 1, fuel)? {
                Value::Bool(true) => self.tree(a, depth - 1, fuel),
                Value::Bool(false) => self.tree(b, depth - 1, fuel),
                _ => Ok(gap()),
            },
            (Op::And | Op::Or, _) => {
                let decisive = op == Op::Or;
                let mut result = Value::Bool(!decisive);
                for &arg in args {
                    match self.tree(arg, depth - 1, fuel)? {
                        Value::Bool(b) if b == decisive => return Ok(Value::Bool(decisive)),
                        Value::Bool(_) => {}
                        _ => result = gap(),
                    }
                }
                Ok(result)
            }
            (_, []) => Ok(self.node(t, &[])),
            (_, &[a]) => Ok(self.node(t, &[self.tree(a, depth - 1, fuel)?])),
            (_, &[a, b]) => {
                let pair = [self.tree(a, depth - 1, fuel)?, self.tree(b, depth - 1, fuel)?];
                Ok(self.node(t, &pair))
            }
            _ => {
                let mut values = Vec::with_capacity(args.len());
                for &arg in args {
                    values.push(self.tree(arg, depth - 1, fuel)?);
                }
                Ok(self.node(t, &values))
            }
        }
    }

    fn shared(&self, root: TermId) -> Value {
        let mut memo: FastMap<TermId, Value> = FastMap::default();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if !matches!(self.pool.op(t), Op::Forall(_) | Op::Exists(_)) {
                stack.extend(self.pool.args(t).iter().filter(|a| !memo.contains_key(*a)));
            }
            if stack.len() > before {
                continue;
            }
            let known = |a: &TermId| memo.get(a).cloned().unwrap_or_else(gap);
            let values: Vec<Value> = self.pool.args(t).iter().map(known).collect();
            memo.insert(t, self.node(t, &values));
            stack.pop();
        }
        memo.remove(&root).unwrap_or_else(gap)
    }

    /// The value of a term whose arguments have these values.
    fn node(&self, t: TermId, args: &[Value]) -> Value {
        let (op, sort) = (self.pool.op(t), self.pool.sort(t));
        match (op, args) {
            (Op::App(symbol), []) => match self.layout.by_symbol.get(symbol.0 as usize).copied().flatten() {
                Some((chunk, i)) => self.values.chunks[chunk as usize].values[i as usize].clone(),
                None => gap(),
            },
            (Op::App(_) | Op::Forall(_) | Op::Exists(_) | Op::ArrayDiff, _) => gap(),
            (_, []) => self.pool.value(t).unwrap_or_else(gap),
            (Op::Ite, [Value::Bool(c), a, b]) => if *c { a } else { b }.clone(),
            (Op::And, _) if args.contains(&Value::Bool(false)) => Value::Bool(false),
            (Op::Or, _) if args.contains(&Value::Bool(true)) => Value::Bool(true),
            (Op::Select, [array, index]) => match array.as_array() {
                Some(array) if !has_gaps(index) => array.select(index).clone(),
                _ => gap(),
            },
            (Op::Store, [array, index, value]) => {
                let Sort::Array(index_sort, _) = *self.pool.sort_data(sort) else { return gap() };
                if has_gaps(index) {
                    return gap();
                }
                let nothing = || Arc::new(ArrayValue::constant(gap()));
                let array = array.as_array().cloned().unwrap_or_else(nothing);
                let value = if is_gap(value) { &gap() } else { value };
                Value::Array(Arc::new(array.store(index.clone(), value.clone(), self.pool.cardinality(index_sort))))
            }
            (Op::ConstArray, [value]) if is_gap(value) => Value::Array(Arc::new(ArrayValue::constant(gap()))),
            (Op::ConstArray, [value]) => Value::Array(Arc::new(ArrayValue::constant(value.clone()))),
            _ if args.iter().any(has_gaps) => gap(),
            // Division by zero has no value of its own.
            _ => apply(self.pool, op, sort, args).unwrap_or_else(gap),
        }
    }
}
