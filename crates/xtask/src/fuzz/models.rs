//! Brute force: small models of a set of formulas.
//!
//! Where constants of small sorts make at most [`MAX_EXHAUSTIVE`] combinations (Booleans, bit-vectors, small numbers,
//! three elements of an uninterpreted sort), all of them are tried; functions, arrays and what is too many are drawn
//! at random. A formula over Booleans and bit-vectors alone is thereby decided.

use super::generator::Generator;
use logic::{FunValue, Model, Rational, Sort, SortId, TermId, Value};
use std::collections::BTreeMap;

const MAX_EXHAUSTIVE: usize = 512;
const N_RANDOM: usize = 30;

/// A small model of the formulas, if one was found.
pub(super) fn find(g: &mut Generator, formulas: &[TermId]) -> Option<Model> {
    let symbols = g.pool.free_symbols_of(formulas);
    let constants: Vec<TermId> = g.vocabulary().to_vec();
    let used: Vec<TermId> =
        constants.into_iter().filter(|&c| g.pool.as_symbol(c).is_some_and(|f| symbols.contains(&f))).collect();
    let domains: Option<Vec<Vec<Value>>> = used.iter().map(|&c| domain(g, g.pool.sort(c))).collect();
    let has_functions = g.functions.iter().any(|f| symbols.contains(f));
    let n = domains.as_ref().and_then(|d| d.iter().try_fold(1usize, |n, d| n.checked_mul(d.len())));
    match (domains, n) {
        (Some(domains), Some(n)) if n <= MAX_EXHAUSTIVE && !has_functions => {
            for number in 0..n {
                let mut model = Model::new();
                let mut rest = number;
                for (&c, domain) in used.iter().zip(&domains) {
                    if let Some(f) = g.pool.as_symbol(c) {
                        model.set(f, domain[rest % domain.len()].clone());
                    }
                    rest /= domain.len();
                }
                if formulas.iter().all(|&t| model.holds(&g.pool, t) == Ok(true)) {
                    return Some(model);
                }
            }
            None
        }
        _ => (0..N_RANDOM).find_map(|_| {
            let model = random_model(g, &used);
            formulas.iter().all(|&t| model.holds(&g.pool, t) == Ok(true)).then_some(model)
        }),
    }
}

/// All values of a small sort, or the small values of a large one.
fn domain(g: &Generator, sort: SortId) -> Option<Vec<Value>> {
    match g.pool.sort_data(sort) {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Int => Some((-3..=3).map(Value::int).collect()),
        Sort::Real => Some((-3..=3).map(|k| Value::Num(Rational::ratio(k, 2))).collect()),
        Sort::BitVec(w) if *w <= 4 => Some((0..1i64 << w).map(|n| Value::Bv(n.into(), *w)).collect()),
        Sort::BitVec(_) | Sort::Array(..) => None,
        Sort::Uninterpreted(_) => Some((0..3).map(|k| Value::Element(sort, k)).collect()),
    }
}

fn random_value(g: &mut Generator, sort: SortId, spread: i64) -> Value {
    match g.pool.sort_data(sort).clone() {
        Sort::Bool => Value::Bool(g.chance(50)),
        Sort::Int => Value::int(g.below(2 * spread as usize + 1) as i64 - spread),
        Sort::Real => Value::Num(Rational::ratio(g.below(4 * spread as usize + 1) as i64 - 2 * spread, 2)),
        Sort::BitVec(w) => Value::Bv((g.below(1 << w.min(30)) as i64).into(), w),
        Sort::Uninterpreted(_) => Value::Element(sort, g.below(3) as u32),
        Sort::Array(index, element) => {
            let default = random_value(g, element, spread);
            let mut array = logic::ArrayValue::constant(default);
            let n = g.pool.cardinality(index);
            for _ in 0..g.below(4) {
                let (i, v) = (random_value(g, index, spread), random_value(g, element, spread));
                array.set(i, v, n);
            }
            Value::Array(std::sync::Arc::new(array))
        }
    }
}

fn random_model(g: &mut Generator, constants: &[TermId]) -> Model {
    let spread = 1 + g.below(4) as i64;
    let mut model = Model::new();
    for &c in constants {
        let value = random_value(g, g.pool.sort(c), spread);
        if let Some(f) = g.pool.as_symbol(c) {
            model.set(f, value);
        }
    }
    for f in g.functions.clone() {
        let decl = g.pool.fun(f).clone();
        let mut entries = BTreeMap::new();
        for _ in 0..g.below(6) {
            let key = decl.args.iter().map(|&s| random_value(g, s, spread)).collect();
            let value = random_value(g, decl.result, spread);
            entries.insert(key, value);
        }
        let default = random_value(g, decl.result, spread);
        model.set_fun(f, FunValue { entries, default });
    }
    model
}
