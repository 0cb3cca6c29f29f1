//! Values and models as SMT-LIB text.

use crate::real_algebra::Real;
use crate::real_algebra::covering::as_root;
use logic::smtlib::quote_symbol;
use logic::{FunId, Model, Rational, Sort, SortId, TermPool, Value, default_value};

/// A value of a sort. Elements of uninterpreted sorts are abstract values, `(as @S!0 S)`.
pub(super) fn value_text(pool: &TermPool, value: &Value, sort: SortId) -> String {
    match (value, pool.sort_data(sort)) {
        (Value::Bool(b), _) => b.to_string(),
        (Value::Num(n), Sort::Real) => real_text(n),
        (Value::Num(n), _) if n.is_negative() => format!("(- {})", -n),
        (Value::Num(n), _) => n.to_string(),
        (Value::Bv(v, width), _) => {
            let width = *width as usize;
            if width.is_multiple_of(4) {
                format!("#x{:0>pad$}", in_radix(v, 16), pad = width / 4)
            } else {
                format!("#b{:0>width$}", in_radix(v, 2))
            }
        }
        (Value::Array(array), Sort::Array(index, element)) => {
            let mut text =
                format!("((as const {}) {})", pool.show_sort(sort), value_text(pool, &array.default, *element));
            for (i, v) in &array.entries {
                text = format!("(store {text} {} {})", value_text(pool, i, *index), value_text(pool, v, *element));
            }
            text
        }
        (Value::Element(_, n), _) => {
            let name = pool.show_sort(sort);
            let plain: String = name.chars().filter(|c| !"|() ".contains(*c)).collect();
            format!("(as {} {name})", quote_symbol(&format!("@{plain}!{n}")))
        }
        // An ill-sorted value, which no evaluation returns.
        (Value::Array(_), _) => value.show(),
    }
}

/// An irrational number, as z3 writes it: a polynomial, and which of its real roots it is.
pub(super) fn root_text(value: &Real) -> String {
    let Some((poly, index)) = as_root(value) else { return value.bounds().0.to_string() };
    let integer = |c: &Rational| if c.is_negative() { format!("(- {})", -c) } else { c.to_string() };
    let mut summands = Vec::new();
    for (k, c) in poly.coefficients.iter().enumerate().rev().filter(|(_, c)| !c.is_zero()) {
        let power = match k {
            0 => None,
            1 => Some("x".to_string()),
            _ => Some(format!("(^ x {k})")),
        };
        summands.push(match power {
            None => integer(c),
            Some(power) if c.is_one() => power,
            Some(power) => format!("(* {} {power})", integer(c)),
        });
    }
    format!("(root-obj (+ {}) {index})", summands.join(" "))
}

/// Digits of a value that is not negative.
fn in_radix(value: &logic::BigInt, radix: u32) -> String {
    value.in_radix(radix).to_string()
}

fn real_text(n: &Rational) -> String {
    let magnitude = n.abs();
    let text = if magnitude.is_integer() {
        format!("{magnitude}.0")
    } else {
        format!("(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom())
    };
    if n.is_negative() { format!("(- {text})") } else { text }
}

/// `(define-fun …)` of a symbol in a model.
pub(super) fn definition_text(pool: &TermPool, model: &Model, f: FunId) -> String {
    let decl = pool.fun(f);
    let result = decl.result;
    let params: Vec<String> =
        decl.args.iter().enumerate().map(|(i, &s)| format!("(x!{i} {})", pool.show_sort(s))).collect();
    let body = if decl.args.is_empty() {
        let value = model.get(f).cloned().unwrap_or_else(|| default_value(pool, result));
        value_text(pool, &value, result)
    } else {
        match model.fun(f) {
            None => value_text(pool, &default_value(pool, result), result),
            Some(table) => {
                let mut body = String::new();
                let mut closing = 0;
                for (key, value) in &table.entries {
                    if *value == table.default {
                        continue;
                    }
                    let tests: Vec<String> = key
                        .iter()
                        .zip(&decl.args)
                        .enumerate()
                        .map(|(i, (v, &s))| format!("(= x!{i} {})", value_text(pool, v, s)))
                        .collect();
                    let test = if tests.len() == 1 { tests[0].clone() } else { format!("(and {})", tests.join(" ")) };
                    body.push_str(&format!("(ite {test} {} ", value_text(pool, value, result)));
                    closing += 1;
                }
                body.push_str(&value_text(pool, &table.default, result));
                body.push_str(&")".repeat(closing));
                body
            }
        }
    };
    let name = quote_symbol(&decl.name);
    format!("(define-fun {name} ({}) {} {body})", params.join(" "), pool.show_sort(result))
}
