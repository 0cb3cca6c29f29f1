//! What pointers point to while an execution runs.
//!
//! Objects on the heap have no names; people reach them through pointers. After each step the objects that visible
//! pointers point to are looked up in memory, and what is new is told under the names that C has for it: `p->next`,
//! `*q`, `a[3]`. An element behind a pointer is told only up to the end of its block, which is known from the counter
//! that gives out addresses, and only if the execution fixes it.

use crate::c_expression::value_text;
use crate::trace::number;
use base::Span;
use ir::source::{SourceTable, SourceTarget};
use ir::{Icfg, RunStep, VarId};
use logic::Value;
use std::collections::BTreeMap;

/// The most scalars told of one pointer.
const MAX_SCALARS: usize = 12;
/// What stands for the value of an object that is not there any more.
pub(crate) const NOTHING: &str = "(nothing)";

pub(crate) struct PointedTo<'a> {
    table: &'a SourceTable,
    /// The counter of addresses.
    top: Option<VarId>,
    now: BTreeMap<VarId, Value>,
    /// Start and end of what was allocated.
    blocks: Vec<(i128, i128)>,
    /// What was told of each pointer last.
    told: BTreeMap<VarId, BTreeMap<String, String>>,
}

impl<'a> PointedTo<'a> {
    pub(crate) fn new(table: &'a SourceTable, icfg: &'a Icfg) -> PointedTo<'a> {
        let top = icfg.vars.iter().find(|(_, v)| v.role == ir::VarRole::AddressCounter).map(|(id, _)| id);
        PointedTo { table, top, now: BTreeMap::new(), blocks: Vec::new(), told: BTreeMap::new() }
    }

    /// What memory holds at the start, as far as the execution says so.
    pub(crate) fn start(&mut self, initial: &[(VarId, Value)]) {
        self.now.extend(initial.iter().filter(|(_, v)| matches!(v, Value::Array(_))).cloned());
    }

    /// What is new after a step at a place.
    pub(crate) fn changes(&mut self, step: &RunStep, at: Span) -> Vec<(String, String)> {
        let mut concerned = false;
        for (var, value) in &step.changed {
            if Some(*var) == self.top {
                let before = self.now.get(var).and_then(number);
                if let (Some(start), Some(end)) = (before, number(value)) {
                    self.blocks.push((start, end));
                }
            }
            let is_memory = matches!(value, Value::Array(_));
            concerned |= is_memory || self.table.pointers.contains_key(var);
            if is_memory || Some(*var) == self.top || self.table.pointers.contains_key(var) {
                self.now.insert(*var, value.clone());
            }
        }
        let mut news = Vec::new();
        if !concerned {
            return news;
        }
        for (var, &target) in &self.table.pointers {
            let Some(place) = self.table.places.get(var).filter(|p| self.table.is_visible(p, at)) else { continue };
            let Some(target) = self.table.targets.get(target) else { continue };
            let address = self.now.get(var).and_then(number).unwrap_or(0);
            let found = self.scalars(target, address, &place.text_at(&[]));
            let before = self.told.entry(*var).or_default();
            for (name, value) in &found {
                if before.get(name) != Some(value) {
                    news.push((name.clone(), value.clone()));
                }
            }
            for name in before.keys().filter(|n| !found.iter().any(|(other, _)| other == *n)) {
                news.push((name.clone(), NOTHING.to_string()));
            }
            *before = found.into_iter().collect();
        }
        news
    }

    /// The scalars of the object at an address, and of those behind it in its block.
    fn scalars(&self, target: &SourceTarget, address: i128, pointer: &str) -> Vec<(String, String)> {
        if address == 0 {
            return Vec::new();
        }
        let block = self.blocks.iter().find(|(start, end)| (*start..*end).contains(&address));
        let end = block.map_or(address + target.size, |b| b.1);
        let mut found: BTreeMap<(i128, usize), (String, String)> = BTreeMap::new();
        for (i, scalar) in target.scalars.iter().enumerate() {
            // A number outside of its type was never read.
            let fits = |value: &Value| match (scalar.ty.int_range(), value) {
                (Some((low, high)), Value::Num(_)) => number(value).is_some_and(|n| (low..=high).contains(&n)),
                _ => true,
            };
            let Some(array) = self.now.get(&scalar.array).and_then(Value::as_array) else { continue };
            if block.is_some() {
                let own = array.entries.iter().find(|(k, _)| number(k) == Some(address + scalar.offset));
                let value = own.map_or(&array.default, |(_, value)| value);
                if fits(value) {
                    found.insert((0, i), (scalar.text_behind(pointer, 0), value_text(&scalar.ty, value)));
                }
            }
            for (index, value) in array.entries.iter().filter(|(_, value)| fits(value)) {
                let Some(distance) = number(index).map(|n| n - scalar.offset - address) else { continue };
                if distance >= 0 && distance % target.size == 0 && address + distance + target.size <= end {
                    let position = distance / target.size;
                    let name = scalar.text_behind(pointer, position);
                    found.insert((position, i), (name, value_text(&scalar.ty, value)));
                }
            }
        }
        found.into_values().take(MAX_SCALARS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::source::{DeclaredName, SourcePlace, SourceType, TargetScalar};
    use logic::{ArrayValue, Rational};

    fn num(n: i64) -> Value {
        Value::Num(Rational::from(n as i128))
    }

    #[test]
    fn fields_follow_their_pointer() {
        let (pointer, memory) = (VarId(0), VarId(1));
        let int = SourceType::Int { bits: 32, signed: true, name: "int".to_string() };
        let mut table = SourceTable {
            names: vec![DeclaredName { name: "p".to_string(), scope: Span::NONE }],
            ..SourceTable::default()
        };
        let place =
            SourcePlace { name: 0, pieces: vec!["p".to_string()], lengths: Vec::new(), ty: SourceType::Pointer };
        table.places.insert(pointer, place);
        let scalar = TargetScalar { path: ".f".to_string(), ty: int, array: memory, offset: 0, target: None };
        table.targets.push(SourceTarget { size: 8, scalars: vec![scalar] });
        table.pointers.insert(pointer, 0);
        let icfg = Icfg::new();
        let mut watched = PointedTo::new(&table, &icfg);
        let mut step = |changed: Vec<(VarId, Value)>| {
            let step = RunStep { edge: ir::EdgeId(0), changed, chosen: Vec::new(), depth: 1, n_left_out: 0 };
            watched.changes(&step, Span::NONE)
        };
        let mut array = ArrayValue::constant(num(0));
        array.entries.insert(num(100), num(5));
        array.entries.insert(num(200), num(6));
        let pair = |n: &str, v: &str| (n.to_string(), v.to_string());
        assert_eq!(step(vec![(memory, Value::Array(std::sync::Arc::new(array)))]), []);
        assert_eq!(step(vec![(pointer, num(100))]), [pair("p->f", "5")]);
        assert_eq!(step(vec![(pointer, num(200))]), [pair("p->f", "6")]);
        assert_eq!(step(vec![(pointer, num(0))]), [pair("p->f", NOTHING)]);
        assert_eq!(step(vec![(pointer, num(0))]), []);
    }
}
