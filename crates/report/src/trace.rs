//! Executions in the words of a C program: which inputs it read, and what became of its variables.

use crate::c_expression::value_text;
use crate::pointed_to::PointedTo;
use base::Span;
use ir::source::{SourcePlace, SourceTable, SourceType};
use ir::{Icfg, Label, Nondet, Run, RunStep, Stmt, VarId};
use logic::{BigInt, Rational, Value};
use std::collections::BTreeMap;

/// The most elements of an array that are shown.
const MAX_ELEMENTS: usize = 8;

/// A value that an execution took from outside.
#[derive(Clone, PartialEq, Debug)]
pub struct InputValue {
    /// The function that returned it, or the parameter of the function that was entered.
    pub function: String,
    /// The call.
    pub span: Span,
    pub value: Value,
}

/// The inputs of an execution in order.
pub fn inputs(icfg: &Icfg, run: &Run) -> Vec<InputValue> {
    run.steps.iter().filter_map(|step| input(icfg, step)).collect()
}

/// The input that a step read.
pub fn input(icfg: &Icfg, step: &RunStep) -> Option<InputValue> {
    let edge = &icfg.edges[step.edge];
    match &edge.label {
        Label::Stmt(Stmt::Havoc(_, Nondet::Input(function))) => {
            let (_, value) = step.chosen.first()?;
            Some(InputValue { function: function.clone(), span: edge.span, value: value.clone() })
        }
        _ => None,
    }
}

/// What variables became, as texts; remembers arrays to show only what changed in them.
pub struct Values<'a> {
    table: &'a SourceTable,
    icfg: &'a Icfg,
    arrays: BTreeMap<VarId, Value>,
    /// The addresses of objects that each activation has an own one of.
    addresses: BTreeMap<VarId, Value>,
    /// Scalars as they were last.
    scalars: BTreeMap<VarId, Value>,
    pointed_to: PointedTo<'a>,
}

/// The name of what a function returns, among values.
pub const RETURN_VALUE: &str = "return value";

impl<'a> Values<'a> {
    pub fn new(table: &'a SourceTable, icfg: &'a Icfg) -> Values<'a> {
        let pointed_to = PointedTo::new(table, icfg);
        Values {
            table,
            icfg,
            arrays: BTreeMap::new(),
            addresses: BTreeMap::new(),
            scalars: BTreeMap::new(),
            pointed_to,
        }
    }

    /// The values at the start, as far as the execution says them.
    pub fn start(&mut self, initial: &[(VarId, Value)]) {
        self.pointed_to.start(initial);
        self.scalars.extend(initial.iter().filter(|(_, v)| !matches!(v, Value::Array(_))).cloned());
    }

    /// The places that a step changed with their values, fields of one record together.
    pub fn changes(&mut self, step: &RunStep) -> Vec<(String, String)> {
        let mut shown: Vec<(String, String)> = Vec::new();
        if let Some(input) = input(self.icfg, step) {
            let ty = self.input_type(&input);
            let is_call = input.function != ir::STANDARD_INPUT
                && !self.table.functions.values().any(|f| f.params.iter().any(|p| p.0 == input.function));
            let name = if is_call { format!("{}()", input.function) } else { input.function.clone() };
            shown.push((name, value_text(&ty, &input.value)));
        }
        // A call says what the locals of a function start with.
        for (var, value) in step.chosen.iter().chain(&step.changed) {
            if !matches!(value, Value::Array(_)) {
                self.scalars.insert(*var, value.clone());
            }
        }
        // What is assigned is told even if it was so before.
        if let Label::Stmt(Stmt::Assign(pairs)) = &self.icfg.edges[step.edge].label {
            for (var, _) in pairs {
                let value = self.scalars.get(var).cloned().unwrap_or_else(|| Value::Num(Rational::from(0i128)));
                if let Some(ty) = self.table.results.get(var) {
                    shown.push((RETURN_VALUE.to_string(), value_text(ty, &value)));
                } else if let Some(place) = self.table.places.get(var).filter(|p| p.is_scalar()) {
                    shown.push((place.text_at(&[]), value_text(&place.ty, &value)));
                }
            }
        }
        for (var, value) in &step.changed {
            if self.table.places.get(var).is_some_and(SourcePlace::is_scalar)
                && self.icfg.writes(&self.icfg.edges[step.edge].label, *var)
                && matches!(self.icfg.edges[step.edge].label, Label::Stmt(Stmt::Assign(_)))
            {
                continue;
            }
            if let Some(place) = self.table.places.get(var) {
                self.change(*var, place, value, &mut shown);
            } else if let Some((_, ty)) = self.table.arguments.get(var) {
                shown.push((self.icfg.vars[*var].name.clone(), value_text(ty, value)));
            } else if self.table.cells.iter().any(|c| c.array == *var) {
                self.change_in_memory(*var, value, &mut shown);
            } else if self.table.cells.iter().any(|c| c.base == Some(*var)) {
                self.addresses.insert(*var, value.clone());
            }
        }
        shown.extend(self.pointed_to.changes(step, self.icfg.edges[step.edge].span));
        group_fields(shown)
    }

    /// The named objects whose values in an array of memory are new.
    fn change_in_memory(&mut self, var: VarId, value: &Value, shown: &mut Vec<(String, String)>) {
        let Value::Array(new) = value else { return };
        let old = self.arrays.insert(var, value.clone());
        let old = old.as_ref().and_then(Value::as_array);
        for cell in self.table.cells.iter().filter(|c| c.array == var) {
            let base = match cell.base {
                None => 0,
                Some(base) => match self.addresses.get(&base).and_then(number) {
                    Some(address) => address,
                    None => continue,
                },
            };
            let address = base + cell.offset;
            let known = new.entries.last_key_value().or(old.and_then(|o| o.entries.last_key_value()));
            let index = match known {
                Some((Value::Bv(_, width), _)) => Value::Bv(BigInt::from(address), *width),
                _ => Value::Num(Rational::from(address)),
            };
            let (now, before) = (new.select(&index), old.map(|o| o.select(&index)));
            // What was never written is no change.
            if before != Some(now) && (before.is_some() || new.entries.get(&index).is_some()) {
                shown.push((cell.place.text_at(&[]), value_text(&cell.place.ty, now)));
            }
        }
    }

    fn change(&mut self, var: VarId, place: &SourcePlace, value: &Value, shown: &mut Vec<(String, String)>) {
        let Value::Array(new) = value else {
            shown.push((place.text_at(&[]), value_text(&place.ty, value)));
            return;
        };
        let old = self.arrays.insert(var, value.clone());
        let old = old.as_ref().and_then(Value::as_array);
        let mut elements: Vec<(u64, &Value)> = Vec::new();
        let differing = match old {
            Some(old) => new.entries.differing_keys(&old.entries),
            None => new.entries.keys().collect(),
        };
        for index in differing {
            let position = number(index).and_then(|n| u64::try_from(n).ok());
            let (now, before) = (new.select(index), old.map(|o| o.select(index)));
            if let Some(position) = position.filter(|_| before != Some(now)) {
                elements.push((position, now));
            }
        }
        elements.sort_by_key(|e| e.0);
        elements.dedup_by_key(|e| e.0);
        for (position, element) in elements.into_iter().take(MAX_ELEMENTS) {
            if let Some(indices) = place.indices_of(position) {
                let indices: Vec<String> = indices.iter().map(u64::to_string).collect();
                shown.push((place.text_at(&indices), value_text(&place.ty, element)));
            }
        }
    }

    fn input_type(&self, input: &InputValue) -> SourceType {
        input_type(self.table, &input.function)
    }
}

/// An integer value.
pub fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Num(n) => n.to_i64().map(i128::from),
        Value::Bv(n, _) => i128::try_from(n.clone()).ok(),
        Value::Bool(_) | Value::Array(_) | Value::Element(..) => None,
    }
}

/// The type of the values that an input function returns, by its declaration or its name.
pub fn input_type(table: &SourceTable, function: &str) -> SourceType {
    if let Some(ty) = table.inputs.get(function) {
        return ty.clone();
    }
    SourceType::Int { bits: 32, signed: true, name: "int".to_string() }
}

/// `s.a = 1, s.b = 2` as `s = {.a = 1, .b = 2}`.
fn group_fields(shown: Vec<(String, String)>) -> Vec<(String, String)> {
    let record = |name: &str| name.split_once('.').map(|(r, f)| (r.to_string(), f.to_string()));
    let mut grouped: Vec<(String, String)> = Vec::new();
    let mut i = 0;
    while i < shown.len() {
        let Some((name, _)) = record(&shown[i].0) else {
            grouped.push(shown[i].clone());
            i += 1;
            continue;
        };
        let same = shown[i..].iter().take_while(|(n, _)| record(n).is_some_and(|(r, _)| r == name)).count();
        if same == 1 {
            grouped.push(shown[i].clone());
        } else {
            let fields: Vec<String> = shown[i..i + same]
                .iter()
                .filter_map(|(n, v)| record(n).map(|(_, field)| format!(".{field} = {v}")))
                .collect();
            grouped.push((name, format!("{{{}}}", fields.join(", "))));
        }
        i += same;
    }
    grouped
}

/// An integer constant as C reads it back.
pub fn literal(ty: &SourceType, value: &Value) -> String {
    let number: i128 = match value {
        Value::Num(n) => match n.to_bigint().and_then(|b| i128::try_from(b).ok()) {
            Some(n) => n,
            None => return value.show(),
        },
        Value::Bv(n, width) => {
            let is_signed = matches!(ty, SourceType::Int { signed: true, .. });
            let modulus = (n.clone() - n.clone() + 1u32) << *width as usize;
            let is_negative = is_signed && n.clone() * 2u32 >= modulus;
            let number = if is_negative { n.clone() - modulus } else { n.clone() };
            match i128::try_from(number) {
                Ok(n) => n,
                Err(_) => return value.show(),
            }
        }
        Value::Bool(b) => i128::from(*b),
        Value::Array(_) | Value::Element(..) => return value.show(),
    };
    if let SourceType::Float(bits) = ty {
        return float_literal(number, *bits);
    }
    let (min, max) = (i128::from(i64::MIN), i128::from(i64::MAX));
    if number == min {
        "(-9223372036854775807LL - 1)".to_string()
    } else if number > max {
        format!("{number}ULL")
    } else if i32::try_from(number).is_ok_and(|n| n != i32::MIN) {
        number.to_string()
    } else {
        format!("{number}LL")
    }
}

/// A number of 15 bits of exponent and 63 of fraction, rounded to double; one that fits into 64 bits is a double
/// already, as where numbers are opaque.
pub(crate) fn extended_number(bits: i128) -> f64 {
    let (fraction, rest) = (bits & ((1 << 63) - 1), bits >> 63);
    let (exponent, is_negative) = (rest & 0x7fff, rest >> 15 & 1 == 1);
    if bits >> 64 == 0 {
        return f64::from_bits(bits as u64);
    }
    let size = match exponent {
        0x7fff if fraction == 0 => f64::INFINITY,
        0x7fff => f64::NAN,
        _ => {
            let scale = (exponent - 16383).clamp(-1100, 1100) as i32;
            (1.0 + fraction as f64 / 2f64.powi(63)) * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2)
        }
    };
    if is_negative { -size } else { size }
}

/// The bits of a floating number as a constant expression.
fn float_literal(bits: i128, width: u32) -> String {
    let value = if width == 32 && u32::try_from(bits).is_ok() {
        f64::from(f32::from_bits(bits as u32))
    } else if width == 80 {
        extended_number(bits)
    } else {
        f64::from_bits(bits as u64)
    };
    if value.is_nan() {
        "(0.0 / 0.0)".to_string()
    } else if value.is_infinite() {
        if value > 0.0 { "(1.0 / 0.0)".to_string() } else { "(-1.0 / 0.0)".to_string() }
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_read_back_as_themselves() {
        let int = SourceType::Int { bits: 64, signed: true, name: "long long".into() };
        let num = |n: i128| Value::Num(logic::Rational::from(n));
        assert_eq!(literal(&int, &num(-5)), "-5");
        assert_eq!(literal(&int, &num(i128::from(i64::MIN))), "(-9223372036854775807LL - 1)");
        assert_eq!(literal(&int, &num(-2147483648)), "-2147483648LL");
        assert_eq!(literal(&int, &num(u64::MAX as i128)), "18446744073709551615ULL");
        assert_eq!(literal(&SourceType::Float(64), &num(i128::from(1.5f64.to_bits()))), "1.5");
    }

    #[test]
    fn fields_of_a_record_are_shown_together() {
        let pair = |n: &str, v: &str| (n.to_string(), v.to_string());
        let grouped = group_fields(vec![pair("x", "1"), pair("s.a", "2"), pair("s.b", "3"), pair("t.a", "4")]);
        assert_eq!(grouped, [pair("x", "1"), pair("s", "{.a = 2, .b = 3}"), pair("t.a", "4")]);
    }
}
