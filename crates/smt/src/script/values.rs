//! Values and models as SMT-LIB text.

use crate::real_algebra::Real;
use crate::real_algebra::covering::as_root;
use logic::ieee::Format;
use logic::smtlib::quote_symbol;
use logic::{BigInt, FunId, Meaning, Model, Rational, Sort, SortId, TermPool, Value, default_value};

/// A value of a sort. Elements of uninterpreted sorts are abstract values, `(as @S!0 S)`.
pub(super) fn value_text(pool: &TermPool, model: &Model, value: &Value, sort: SortId) -> String {
    if let Some(meaning) = pool.meaning(sort) {
        return encoded_text(pool, model, value, sort, meaning);
    }
    if let Some(text) = data_text(pool, model, value, sort) {
        return text;
    }
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
                format!("((as const {}) {})", pool.show_sort(sort), value_text(pool, model, &array.default, *element));
            for (i, v) in &array.entries {
                let (i, v) = (value_text(pool, model, i, *index), value_text(pool, model, v, *element));
                text = format!("(store {text} {i} {v})");
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

/// The value of a datatype, if the model says by which constructor it is made. Others may be any value that nothing
/// else has.
fn data_text(pool: &TermPool, model: &Model, value: &Value, sort: SortId) -> Option<String> {
    let key = std::slice::from_ref(value);
    let at = |f: FunId| model.fun(f).and_then(|table| table.entries.get(key));
    let constructors = &pool.datatype(sort)?.constructors;
    let made_by = constructors.iter().find(|c| at(c.tester) == Some(&Value::Bool(true)))?;
    let name = quote_symbol(pool.name(made_by.fun));
    let head = if pool.show_sort(sort).starts_with('(') && made_by.selectors.is_empty() {
        format!("(as {name} {})", pool.show_sort(sort))
    } else {
        name.into_owned()
    };
    if made_by.selectors.is_empty() {
        return Some(head);
    }
    let mut text = format!("({head}");
    for &selector in &made_by.selectors {
        let result = pool.fun(selector).result;
        let default = default_value(pool, result);
        text.push(' ');
        text.push_str(&value_text(pool, model, at(selector).unwrap_or(&default), result));
    }
    text.push(')');
    Some(text)
}

/// A floating-point number or a rounding mode: a word, or in arrays an element whose word is in the model.
fn encoded_text(pool: &TermPool, model: &Model, value: &Value, sort: SortId, meaning: Meaning) -> String {
    let word = match value {
        Value::Bv(word, _) => Some(word.clone()),
        element => {
            let is_bits = |f: FunId| pool.name(f) == Meaning::BITS && pool.fun(f).args == [sort];
            let table = model.functions().find(|(f, _)| is_bits(*f)).map(|(_, table)| table);
            match table.map(|t| t.entries.get(std::slice::from_ref(element)).unwrap_or(&t.default)) {
                Some(Value::Bv(word, _)) => Some(word.clone()),
                _ => None,
            }
        }
    };
    let word = meaning.canonical(&word.unwrap_or_default());
    match meaning {
        Meaning::Float(format) => float_text(&word, format),
        Meaning::RoundingMode => {
            let names = [
                "roundNearestTiesToEven",
                "roundNearestTiesToAway",
                "roundTowardPositive",
                "roundTowardNegative",
                "roundTowardZero",
            ];
            usize::try_from(word).ok().and_then(|code| names.get(code)).unwrap_or(&names[0]).to_string()
        }
    }
}

fn float_text(word: &BigInt, f: Format) -> String {
    let sizes = format!("{} {}", f.exponent, f.fraction + 1);
    let sign = BigInt::ONE << (f.width() as usize - 1);
    let is_negative = *word >= sign;
    let magnitude = if is_negative { word - &sign } else { word.clone() };
    let letter = if is_negative { '-' } else { '+' };
    if *word == f.nan() {
        return format!("(_ NaN {sizes})");
    } else if magnitude == f.infinity() {
        return format!("(_ {letter}oo {sizes})");
    } else if magnitude == BigInt::ZERO {
        return format!("(_ {letter}zero {sizes})");
    }
    let digits = format!("{:0>width$}", in_radix(word, 2), width = f.width() as usize);
    let (exponent, fraction) = digits[1..].split_at(f.exponent as usize);
    format!("(fp #b{} #b{exponent} #b{fraction})", &digits[..1])
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
pub(super) fn definition_text(pool: &TermPool, model: &Model, f: FunId, args: &[SortId], result: SortId) -> String {
    let decl = pool.fun(f);
    let params: Vec<String> = args.iter().enumerate().map(|(i, &s)| format!("(x!{i} {})", pool.show_sort(s))).collect();
    let body = if decl.args.is_empty() {
        let value = model.get(f).cloned().unwrap_or_else(|| default_value(pool, decl.result));
        value_text(pool, model, &value, result)
    } else {
        match model.fun(f) {
            None => value_text(pool, model, &default_value(pool, decl.result), result),
            Some(table) => {
                let mut body = String::new();
                let mut closing = 0;
                for (key, value) in &table.entries {
                    if *value == table.default {
                        continue;
                    }
                    let tests: Vec<String> = key
                        .iter()
                        .zip(args)
                        .enumerate()
                        .map(|(i, (v, &s))| format!("(= x!{i} {})", value_text(pool, model, v, s)))
                        .collect();
                    let test = if tests.len() == 1 { tests[0].clone() } else { format!("(and {})", tests.join(" ")) };
                    body.push_str(&format!("(ite {test} {} ", value_text(pool, model, value, result)));
                    closing += 1;
                }
                body.push_str(&value_text(pool, model, &table.default, result));
                body.push_str(&")".repeat(closing));
                body
            }
        }
    };
    let name = quote_symbol(&decl.name);
    format!("(define-fun {name} ({}) {} {body})", params.join(" "), pool.show_sort(result))
}
