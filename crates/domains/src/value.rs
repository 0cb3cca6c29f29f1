//! What is known about the value of one term, whatever its sort.

use crate::Thresholds;
use crate::interval::Interval;
use crate::number::Number;
use crate::word::Word;
use logic::{Sort, SortId, TermPool};
use std::sync::Arc;

/// Which truth values are possible; at least one is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    pub may_be_true: bool,
    pub may_be_false: bool,
}

impl Truth {
    pub const ANY: Truth = Truth { may_be_true: true, may_be_false: true };

    pub fn known(value: bool) -> Truth {
        Truth { may_be_true: value, may_be_false: !value }
    }
    pub fn negated(self) -> Truth {
        Truth { may_be_true: self.may_be_false, may_be_false: self.may_be_true }
    }
    pub fn is_true(self) -> bool {
        !self.may_be_false
    }
    pub fn is_false(self) -> bool {
        !self.may_be_true
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Truth(Truth),
    Number(Number),
    Word(Word),
    /// A map all of whose elements are such.
    Map(Arc<Value>),
    /// An element of a sort that nothing is known about.
    Unknown,
}

impl Value {
    /// Anything of a sort.
    pub fn all(pool: &TermPool, sort: SortId) -> Value {
        match pool.sort_data(sort) {
            Sort::Bool => Value::Truth(Truth::ANY),
            Sort::Int => Value::Number(Number::all(true)),
            Sort::Real => Value::Number(Number::all(false)),
            Sort::BitVec(width) => Value::Word(Word::all(*width)),
            Sort::Array(_, element) => Value::Map(Arc::new(Value::all(pool, *element))),
            Sort::Uninterpreted(_) => Value::Unknown,
        }
    }
    pub fn truth(&self) -> Truth {
        match self {
            Value::Truth(truth) => *truth,
            _ => Truth::ANY,
        }
    }
    pub fn number(&self) -> Option<&Number> {
        match self {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }
    pub fn interval(&self) -> Interval {
        self.number().map_or(Interval::ALL, |n| n.interval.clone())
    }
    /// The only value it can be.
    pub fn single(&self) -> Option<logic::Value> {
        match self {
            Value::Truth(t) if *t != Truth::ANY => Some(logic::Value::Bool(t.is_true())),
            Value::Number(n) => n.single().cloned().map(logic::Value::Num),
            Value::Word(w) => w.single().map(|v| logic::Value::Bv(v.clone(), w.width)),
            Value::Truth(_) | Value::Map(_) | Value::Unknown => None,
        }
    }
    /// Nothing is known.
    pub fn is_all(&self) -> bool {
        match self {
            Value::Truth(t) => *t == Truth::ANY,
            Value::Number(n) => n.is_all(),
            Value::Word(w) => w.is_all(),
            Value::Map(element) => element.is_all(),
            Value::Unknown => true,
        }
    }
    pub fn contains(&self, value: &logic::Value) -> bool {
        match (self, value) {
            (Value::Truth(t), logic::Value::Bool(b)) => {
                if *b {
                    t.may_be_true
                } else {
                    t.may_be_false
                }
            }
            (Value::Number(n), logic::Value::Num(x)) => n.contains(x),
            (Value::Word(w), logic::Value::Bv(x, width)) => w.width == *width && w.contains(x),
            (Value::Map(element), logic::Value::Array(map)) => {
                element.contains(&map.default) && map.entries.iter().all(|(_, v)| element.contains(v))
            }
            (Value::Unknown, _) => true,
            _ => false,
        }
    }
    pub fn is_within(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Truth(a), Value::Truth(b)) => {
                (b.may_be_true || !a.may_be_true) && (b.may_be_false || !a.may_be_false)
            }
            (Value::Number(a), Value::Number(b)) => a.is_within(b),
            (Value::Word(a), Value::Word(b)) => a.is_within(b),
            (Value::Map(a), Value::Map(b)) => a.is_within(b),
            (_, Value::Unknown) => true,
            _ => other.is_all(),
        }
    }
    pub fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Truth(a), Value::Truth(b)) => Value::Truth(Truth {
                may_be_true: a.may_be_true || b.may_be_true,
                may_be_false: a.may_be_false || b.may_be_false,
            }),
            (Value::Number(a), Value::Number(b)) => Value::Number(a.join(b)),
            (Value::Word(a), Value::Word(b)) => Value::Word(a.join(b)),
            (Value::Map(a), Value::Map(b)) => Value::Map(Arc::new(a.join(b))),
            _ => Value::Unknown,
        }
    }
    /// `None`: there is no such value.
    pub fn meet(&self, other: &Value) -> Option<Value> {
        Some(match (self, other) {
            (Value::Truth(a), Value::Truth(b)) => {
                let both = Truth {
                    may_be_true: a.may_be_true && b.may_be_true,
                    may_be_false: a.may_be_false && b.may_be_false,
                };
                return (both.may_be_true || both.may_be_false).then_some(Value::Truth(both));
            }
            (Value::Number(a), Value::Number(b)) => Value::Number(a.meet(b)?),
            (Value::Word(a), Value::Word(b)) => Value::Word(a.meet(b)?),
            (Value::Map(a), Value::Map(b)) => Value::Map(Arc::new(a.meet(b)?)),
            (Value::Unknown, b) => b.clone(),
            (a, _) => a.clone(),
        })
    }
    pub fn widen(&self, next: &Value, thresholds: &Thresholds) -> Value {
        match (self, next) {
            (Value::Number(a), Value::Number(b)) => Value::Number(a.widen(b, thresholds)),
            (Value::Word(a), Value::Word(b)) => Value::Word(a.widen(b, thresholds)),
            (Value::Map(a), Value::Map(b)) => Value::Map(Arc::new(a.widen(b, thresholds))),
            _ => self.join(next),
        }
    }
    pub fn narrow(&self, next: &Value) -> Value {
        match (self, next) {
            (Value::Number(a), Value::Number(b)) => Value::Number(a.narrow(b)),
            (Value::Word(a), Value::Word(b)) => Value::Word(a.narrow(b)),
            (Value::Map(a), Value::Map(b)) => Value::Map(Arc::new(a.narrow(b))),
            _ => self.clone(),
        }
    }
}
