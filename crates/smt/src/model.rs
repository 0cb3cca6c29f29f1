//! Models: from a full assignment that the theories accept to an interpretation of all symbols.
//!
//! Each congruence class gets a value: what its constant, arithmetic or its Boolean literal say, a new element of an
//! uninterpreted sort, or the table that the array check built. Function symbols become tables over their
//! applications. Nothing here is trusted: the solver evaluates every assertion in the result.

use crate::arrays::Table;
use crate::combination::{Key, View};
use crate::euf::NodeId;
use crate::sat::types::LBool;
use logic::{ArrayValue, FastMap, FunValue, Model, Op, Sort, SortId, Value, default_value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Completes the assignment of a successful search to an interpretation of all symbols.
pub(crate) fn build_model(view: &View<'_>, values: &[LBool]) -> Model {
    let mut builder = ModelBuilder::new(view, values);
    let mut model = Model::new();
    for &var in view.atoms.active_vars() {
        // An atom that instances have brought since has no value yet; then the model is only a candidate.
        let term = view.atoms.term(var);
        if let Some(f) = view.pool.as_symbol(term) {
            model.set(f, Value::Bool(values.get(var.index()) == Some(&LBool::True)));
        }
    }
    for &t in &view.theories.symbols {
        let Some(f) = view.pool.as_symbol(t) else { continue };
        let value = view
            .arith_value(t)
            .or_else(|| view.bitvec_value(values, t))
            .or_else(|| view.theories.euf.node(t).map(|n| builder.class_value(n)));
        model.set(f, value.unwrap_or_else(|| default_value(view.pool, view.pool.sort(t))));
    }
    let mut functions: BTreeMap<logic::FunId, BTreeMap<Vec<Value>, Value>> = BTreeMap::new();
    for n in view.theories.euf.nodes() {
        let args = view.theories.euf.args(n);
        match view.theories.euf.op(n) {
            Op::App(f) if !args.is_empty() => {
                let key = args.iter().map(|&a| builder.class_value(a)).collect();
                let value = builder.class_value(n);
                functions.entry(f).or_default().insert(key, value);
            }
            op @ (Op::IntDiv | Op::Mod | Op::RealDiv) if !args.is_empty() => {
                let (dividend, divisor) = (builder.class_value(args[0]), builder.class_value(args[1]));
                if divisor.as_num().is_some_and(|d| d.is_zero()) {
                    let value = builder.class_value(n);
                    model.by_zero.insert((op, dividend), value);
                }
            }
            Op::ArrayDiff => {
                let (left, right) = (builder.class_value(args[0]), builder.class_value(args[1]));
                let index = builder.class_value(n);
                if let (Value::Array(a), Value::Array(b)) = (&left, &right)
                    && (a == b || a.select(&index) != b.select(&index))
                {
                    model.differences.insert((left, right), index);
                }
            }
            _ => {}
        }
    }
    for (f, entries) in functions {
        // The commonest value elsewhere: a good guess where quantified formulas must hold everywhere.
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        for v in entries.values() {
            *counts.entry(v).or_insert(0) += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let default = entries
            .values()
            .rfind(|v| counts[v] == most)
            .cloned()
            .unwrap_or_else(|| default_value(view.pool, view.pool.fun(f).result));
        model.set_fun(f, FunValue { entries, default });
    }
    model
}

pub(crate) struct ModelBuilder<'v, 'a> {
    view: &'v View<'a>,
    values: &'v [LBool],
    tables: FastMap<NodeId, Table>,
    classes: FastMap<NodeId, Value>,
    n_elements: BTreeMap<SortId, u32>,
}

impl<'v, 'a> ModelBuilder<'v, 'a> {
    pub(crate) fn new(view: &'v View<'a>, values: &'v [LBool]) -> ModelBuilder<'v, 'a> {
        let tables = view.array_tables(values);
        ModelBuilder { view, values, tables, classes: FastMap::default(), n_elements: BTreeMap::new() }
    }
    pub(crate) fn class_value(&mut self, n: NodeId) -> Value {
        let key = self.view.key(self.values, n);
        self.key_value(key)
    }
    /// Recursion goes into element and index sorts only, so it is as deep as the sort.
    fn key_value(&mut self, key: Key) -> Value {
        let root = match key {
            Key::Value(v) => return v,
            Key::Class(root) => root,
        };
        if let Some(v) = self.classes.get(&root) {
            return v.clone();
        }
        let sort = self.view.theories.euf.sort(root);
        let value = match self.view.pool.sort_data(sort) {
            Sort::Uninterpreted(_) => {
                let n = self.n_elements.entry(sort).or_insert(0);
                *n += 1;
                Value::Element(sort, *n - 1)
            }
            &Sort::Array(index, element) => {
                let table = self.tables.get(&root).cloned().unwrap_or_default();
                let default = match table.default {
                    Some(key) => self.key_value(key),
                    None => default_value(self.view.pool, element),
                };
                let n_indices = self.view.pool.cardinality(index);
                let mut array = ArrayValue::constant(default);
                for (i, v) in table.entries {
                    let (i, v) = (self.key_value(i), self.key_value(v));
                    array.set(i, v, n_indices);
                }
                Value::Array(Arc::new(array))
            }
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => default_value(self.view.pool, sort),
        };
        self.classes.insert(root, value.clone());
        value
    }
}
