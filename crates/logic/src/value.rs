//! Values: what closed terms evaluate to.

use crate::rational::{BigInt, Rational};
use crate::sort::{Sort, SortId};
use crate::term::TermPool;
use base::SharedMap;
use std::sync::Arc;

/// A value of some sort. Equal values of one sort are equal as Rust values: array values are kept
/// in a canonical form (see [`ArrayValue`]).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    /// An Int or a Real.
    Num(Rational),
    /// A bit-vector: its unsigned value and its width.
    Bv(BigInt, u32),
    Array(Arc<ArrayValue>),
    /// The n-th element of an uninterpreted sort.
    Element(SortId, u32),
}

/// A map with a default and finitely many exceptions, none of which equals the default. Over a
/// finite index sort that is covered by exceptions, the default is the value at the largest index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    pub default: Value,
    pub entries: SharedMap<Value, Value>,
}

impl ArrayValue {
    pub fn constant(default: Value) -> ArrayValue {
        ArrayValue { default, entries: SharedMap::new() }
    }
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }
    /// The array with one entry changed; `n_indices` is the size of the index sort if finite.
    pub fn store(&self, index: Value, value: Value, n_indices: Option<u64>) -> ArrayValue {
        let mut result = self.clone();
        result.set(index, value, n_indices);
        result
    }
    pub fn set(&mut self, index: Value, value: Value, n_indices: Option<u64>) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
        if n_indices == Some(self.entries.len() as u64) {
            let (_, last) = self.entries.last_key_value().expect("a sort is not empty");
            self.default = last.clone();
            let default = self.default.clone();
            self.entries.retain(|_, v| *v != default);
        } else if n_indices.is_some_and(|n| n <= 1 << 10) {
            self.canonical_small(n_indices.unwrap_or(0));
        }
    }
    /// Over a small finite index sort two maps may agree everywhere but differ in their default
    /// only where it is unused or in the minority; nothing to do unless all indices are covered,
    /// or the default is used by the largest index already.
    fn canonical_small(&mut self, n_indices: u64) {
        // The default is used by at least one index here. The canonical default is the value at
        // the largest index, so that equality is extensional.
        let Some((sample, _)) = self.entries.last_key_value() else { return };
        let Some(largest) = largest_index(sample, n_indices) else { return };
        let Some(at_largest) = self.entries.get(&largest).cloned() else { return };
        let old_default = std::mem::replace(&mut self.default, at_largest.clone());
        for index in all_indices(&largest, n_indices) {
            if !self.entries.contains_key(&index) {
                self.entries.insert(index, old_default.clone());
            }
        }
        self.entries.retain(|_, v| *v != at_largest);
    }
}

fn largest_index(sample: &Value, n_indices: u64) -> Option<Value> {
    match sample {
        Value::Bool(_) => Some(Value::Bool(true)),
        Value::Bv(_, width) => Some(Value::Bv(BigInt::from(n_indices - 1), *width)),
        Value::Num(_) | Value::Array(_) | Value::Element(..) => None,
    }
}

fn all_indices(largest: &Value, n_indices: u64) -> Vec<Value> {
    match largest {
        Value::Bool(_) => vec![Value::Bool(false), Value::Bool(true)],
        Value::Bv(_, width) => (0..n_indices).map(|i| Value::Bv(BigInt::from(i), *width)).collect(),
        Value::Num(_) | Value::Array(_) | Value::Element(..) => Vec::new(),
    }
}

impl Value {
    pub fn int(value: i64) -> Value {
        Value::Num(Rational::from(value))
    }
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }
    pub fn as_num(&self) -> Option<&Rational> {
        match self {
            Value::Num(n) => Some(n),
            _ => None,
        }
    }
    pub fn as_array(&self) -> Option<&Arc<ArrayValue>> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }
    /// SMT-LIB-like text, for people.
    pub fn show(&self) -> String {
        match self {
            Value::Bool(b) => b.to_string(),
            Value::Num(n) => n.to_string(),
            Value::Bv(v, width) => format!("{v}bv{width}"),
            Value::Array(a) => {
                let entries: Vec<String> =
                    a.entries.iter().map(|(i, v)| format!("{}: {}", i.show(), v.show())).collect();
                if entries.is_empty() {
                    format!("[else: {}]", a.default.show())
                } else {
                    format!("[{}, else: {}]", entries.join(", "), a.default.show())
                }
            }
            Value::Element(_, n) => format!("@{n}"),
        }
    }
}

impl TermPool {
    /// The term of a value of the given sort. Elements of uninterpreted sorts have no term.
    pub fn value_term(&mut self, value: &Value, sort: SortId) -> Option<crate::TermId> {
        match (value, self.sort_data(sort).clone()) {
            (Value::Bool(b), Sort::Bool) => Some(self.bool(*b)),
            (Value::Num(n), Sort::Int) if n.is_integer() => Some(self.int_num(n.clone())),
            (Value::Num(n), Sort::Real) => Some(self.real_num(n.clone())),
            (Value::Bv(v, width), Sort::BitVec(w)) if *width == w => Some(self.bv_num(v.clone(), w)),
            (Value::Array(a), Sort::Array(index, element)) => {
                let default = self.value_term(&a.default, element)?;
                let mut term = self.const_array(sort, default);
                for (i, v) in &a.entries {
                    let i = self.value_term(i, index)?;
                    let v = self.value_term(v, element)?;
                    term = self.store(term, i, v);
                }
                Some(term)
            }
            _ => None,
        }
    }
}
