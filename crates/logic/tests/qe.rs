//! Quantifier elimination and projection against brute force.
//!
//! Random formulas over a few eliminated variables and two free ones. Small coefficients make a
//! bounded search complete: bounds, periods and breakpoints all lie within the range that is tried.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base::Budget;
use logic::qe::{Exactness, Fallback, Options, eliminate_exists, eliminate_forall, project};
use logic::{Model, Rational, SortId, TermId, TermPool, Value};
use proptest::prelude::*;

struct Choices {
    list: Vec<u16>,
    next: usize,
}

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        let c = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        c as usize % n
    }
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    fn sum(&mut self, p: &mut TermPool, vars: &[TermId], size: i64) -> TermId {
        let sort = p.sort(vars[0]);
        let constant = self.between(-5, 5);
        let mut parts = vec![p.num(Rational::from(constant), sort)];
        for &v in vars {
            let c = if self.below(2) == 0 { 0 } else { self.between(-size, size) };
            parts.push(p.scale(v, &Rational::from(c)));
        }
        p.add(&parts)
    }

    fn int_atom(&mut self, p: &mut TermPool, vars: &[TermId], size: i64) -> TermId {
        let t = self.sum(p, vars, size);
        let zero = p.int(0);
        match self.below(7) {
            0 | 1 => p.le(t, zero),
            2 => p.ge(t, zero),
            3 => p.eq(t, zero),
            4 => {
                let e = p.eq(t, zero);
                p.not(e)
            }
            5 => {
                let k = self.between(2, 3);
                let k = p.int(k);
                let m = p.modulo(t, k);
                let r = p.int(1);
                p.eq(m, r)
            }
            _ => {
                let k = self.between(2, 3);
                let k = p.int(k);
                let d = p.int_div(t, k);
                let one = p.int(1);
                p.le(d, one)
            }
        }
    }

    fn real_atom(&mut self, p: &mut TermPool, vars: &[TermId]) -> TermId {
        let t = self.sum(p, vars, 3);
        let zero = p.real_num(Rational::zero());
        match self.below(5) {
            0 => p.le(t, zero),
            1 => p.lt(t, zero),
            2 => p.gt(t, zero),
            3 => p.eq(t, zero),
            _ => {
                let e = p.eq(t, zero);
                p.not(e)
            }
        }
    }

    fn formula(
        &mut self,
        p: &mut TermPool,
        depth: usize,
        atom: &mut dyn FnMut(&mut Choices, &mut TermPool) -> TermId,
    ) -> TermId {
        if depth == 0 {
            return atom(self, p);
        }
        let kind = self.below(8);
        let n = if kind == 5 { 3 } else { 2 + self.below(2) };
        let args: Vec<TermId> = (0..n).map(|_| self.formula(p, depth - 1, atom)).collect();
        match kind {
            0..=2 => p.and(&args),
            3 | 4 => p.or(&args),
            5 => p.ite(args[0], args[1], args[2]),
            6 => p.eq(args[0], args[1]),
            _ => {
                let all = p.and(&args);
                p.not(all)
            }
        }
    }
}

fn with_values(p: &TermPool, pairs: &[(TermId, Value)]) -> Model {
    let mut m = Model::new();
    for (t, v) in pairs {
        m.set(p.as_symbol(*t).unwrap(), v.clone());
    }
    m
}

/// Checks what an elimination claims at every point of the free variables.
fn check(
    p: &TermPool,
    formula: TermId,
    eliminated: TermId,
    exactness: Exactness,
    free: &[(TermId, Vec<Value>)],
    bound: &[(TermId, Vec<Value>)],
) -> Result<(), TestCaseError> {
    let some = |fixed: &[(TermId, Value)]| {
        let mut points: Vec<Vec<(TermId, Value)>> = vec![fixed.to_vec()];
        for (x, values) in bound {
            points = points
                .into_iter()
                .flat_map(|point| values.iter().map(move |v| [point.clone(), vec![(*x, v.clone())]].concat()))
                .collect();
        }
        points.iter().any(|point| with_values(p, point).holds(p, formula) == Ok(true))
    };
    let mut points: Vec<Vec<(TermId, Value)>> = vec![Vec::new()];
    for (y, values) in free {
        points = points
            .into_iter()
            .flat_map(|point| values.iter().map(move |v| [point.clone(), vec![(*y, v.clone())]].concat()))
            .collect();
    }
    for point in points {
        let claimed = with_values(p, &point).holds(p, eliminated).unwrap();
        let wrong = match exactness {
            Exactness::Exact => claimed != some(&point),
            Exactness::OverApproximation => !claimed && some(&point),
            Exactness::UnderApproximation => claimed && !some(&point),
        };
        prop_assert!(
            !wrong,
            "{:?} at {:?}\n  {}\nbecame\n  {}",
            exactness,
            point,
            p.smtlib(formula),
            p.smtlib(eliminated)
        );
    }
    Ok(())
}

fn ints(low: i64, high: i64) -> Vec<Value> {
    (low..=high).map(Value::int).collect()
}

fn choices(n: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..n)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn one_integer(list in choices(60), depth in 0usize..3, universal in any::<bool>()) {
        let mut p = TermPool::new();
        let vars: Vec<TermId> = ["y", "x", "z"].iter().map(|n| p.constant(n, SortId::INT)).collect();
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, depth, &mut |c, p| c.int_atom(p, &vars, 3));
        let (x, budget, options) = (vars[1], Budget::unlimited(), Options::default());
        let free = [(vars[0], ints(-3, 3)), (vars[2], vec![Value::int(-2), Value::int(1)])];
        let bound = [(x, ints(-90, 90))];
        let e = if universal {
            eliminate_forall(&mut p, &[x], f, &options, &budget)
        } else {
            eliminate_exists(&mut p, &[x], f, &options, &budget)
        };
        prop_assume!(e.remaining.is_empty());
        prop_assert_eq!(e.exactness, Exactness::Exact);
        prop_assert!(!p.free_constants(e.formula).contains(&x));
        let (f, formula) = if universal { (p.not(f), p.not(e.formula)) } else { (f, e.formula) };
        check(&p, f, formula, e.exactness, &free, &bound)?;
    }

    #[test]
    fn two_bounded_integers(list in choices(60), depth in 0usize..3) {
        let mut p = TermPool::new();
        let vars: Vec<TermId> = ["x", "y", "z"].iter().map(|n| p.constant(n, SortId::INT)).collect();
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, depth, &mut |c, p| c.int_atom(p, &vars, 2));
        let (low, high) = (p.int(-4), p.int(4));
        let mut parts = vec![f];
        for &x in &[vars[0], vars[2]] {
            parts.push(p.le(low, x));
            parts.push(p.le(x, high));
        }
        let f = p.and(&parts);
        let e = eliminate_exists(&mut p, &[vars[0], vars[2]], f, &Options::default(), &Budget::unlimited());
        prop_assume!(e.remaining.is_empty());
        check(&p, f, e.formula, e.exactness, &[(vars[1], ints(-4, 4))], &[(vars[0], ints(-4, 4)), (vars[2], ints(-4, 4))])?;
    }

    #[test]
    fn one_real(list in choices(60), depth in 0usize..3) {
        let mut p = TermPool::new();
        let vars: Vec<TermId> = ["y", "x", "z"].iter().map(|n| p.constant(n, SortId::REAL)).collect();
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, depth, &mut |c, p| c.real_atom(p, &vars));
        let x = vars[1];
        // Breakpoints are multiples of a sixth for integer y and z.
        let twelfths = (-300..=300).map(|k| Value::Num(Rational::ratio(k, 12))).collect();
        let e = eliminate_exists(&mut p, &[x], f, &Options::default(), &Budget::unlimited());
        prop_assume!(e.remaining.is_empty());
        check(&p, f, e.formula, e.exactness, &[(vars[0], ints(-2, 2)), (vars[2], vec![Value::int(1)])], &[(x, twelfths)])?;
    }

    #[test]
    fn approximations_err_on_the_stated_side(list in choices(60), depth in 0usize..3, weaken in any::<bool>()) {
        let mut p = TermPool::new();
        let vars: Vec<TermId> = ["y", "x", "z"].iter().map(|n| p.constant(n, SortId::INT)).collect();
        let f_symbol = p.declare_fun("f", &[SortId::INT], SortId::INT);
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, depth, &mut |c, p| {
            if c.below(4) == 0 {
                let t = p.app(f_symbol, &[vars[1]]);
                let s = c.sum(p, &vars, 1);
                return p.le(t, s);
            }
            c.int_atom(p, &vars, 3)
        });
        let x = vars[1];
        let fallback = if weaken { Fallback::Weaken } else { Fallback::Strengthen };
        let options = Options { max_cases: 4, ..Options::default() }.with_fallback(fallback);
        let e = eliminate_exists(&mut p, &[x], f, &options, &Budget::unlimited());
        prop_assert!(e.remaining.is_empty());
        let wrong_side = if weaken { Exactness::UnderApproximation } else { Exactness::OverApproximation };
        prop_assert_ne!(e.exactness, wrong_side);
        check(&p, f, e.formula, e.exactness, &[(vars[0], ints(-2, 2)), (vars[2], vec![Value::int(1)])], &[(x, ints(-90, 90))])?;
    }

    #[test]
    fn booleans_and_bit_vectors(list in choices(50), depth in 0usize..3) {
        let mut p = TermPool::new();
        let two = p.bitvec_sort(2);
        let flags: Vec<TermId> = ["p", "q"].iter().map(|n| p.constant(n, SortId::BOOL)).collect();
        let bits: Vec<TermId> = ["u", "v"].iter().map(|n| p.constant(n, two)).collect();
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, depth, &mut |c, p| match c.below(5) {
            0 | 1 => flags[c.below(2)],
            2 => {
                let k = p.bv_num(c.between(0, 3).into(), 2);
                let sum = p.bv(logic::Op::BvAdd, &[bits[0], k]);
                p.eq(sum, bits[1])
            }
            3 => p.bv(logic::Op::BvUlt, &[bits[c.below(2)], bits[c.below(2)]]),
            _ => p.eq(flags[0], flags[1]),
        });
        let e = eliminate_exists(&mut p, &[flags[0], bits[0]], f, &Options::default(), &Budget::unlimited());
        let truths = vec![Value::Bool(false), Value::Bool(true)];
        let all_bits: Vec<Value> = (0..4).map(|i| Value::Bv(i.into(), 2)).collect();
        if e.remaining.is_empty() {
            let free = [(flags[1], truths.clone()), (bits[1], all_bits.clone())];
            check(&p, f, e.formula, e.exactness, &free, &[(flags[0], truths), (bits[0], all_bits)])?;
        }
    }

    /// Arrays indexed and filled by one bit, so that all of them can be tried.
    #[test]
    fn arrays(list in choices(60), depth in 0usize..3) {
        let mut p = TermPool::new();
        let bit = p.bitvec_sort(1);
        let array = p.array_sort(bit, bit);
        let a: Vec<TermId> = ["a", "b"].iter().map(|n| p.constant(n, array)).collect();
        let i: Vec<TermId> = ["i", "j", "k"].iter().map(|n| p.constant(n, bit)).collect();
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, depth, &mut |c, p| {
            let read = |c: &mut Choices, p: &mut TermPool| {
                let (array, index) = (a[c.below(2)], i[c.below(3)]);
                p.select(array, index)
            };
            match c.below(4) {
                0 => {
                    let (x, y) = (read(c, p), i[c.below(3)]);
                    p.eq(x, y)
                }
                1 => {
                    let (x, y) = (read(c, p), read(c, p));
                    let e = p.eq(x, y);
                    p.not(e)
                }
                2 => {
                    let value = if c.below(2) == 0 { i[c.below(3)] } else { read(c, p) };
                    let stored = p.store(a[0], i[c.below(3)], value);
                    p.eq(stored, a[1])
                }
                _ => {
                    let stored = p.store(a[c.below(2)], i[c.below(3)], i[c.below(3)]);
                    let x = p.select(stored, i[c.below(3)]);
                    p.eq(x, i[c.below(3)])
                }
            }
        });
        let bits: Vec<Value> = (0..2).map(|n| Value::Bv(n.into(), 1)).collect();
        let mut arrays = Vec::new();
        for x in &bits {
            for y in &bits {
                let mut value = logic::ArrayValue::constant(x.clone());
                value.set(bits[1].clone(), y.clone(), Some(2));
                arrays.push(Value::Array(value.into()));
            }
        }
        let free = [(a[1], arrays.clone()), (i[0], bits.clone()), (i[1], bits.clone()), (i[2], bits.clone())];
        let e = eliminate_exists(&mut p, &[a[0]], f, &Options::default(), &Budget::unlimited());
        if e.remaining.is_empty() {
            check(&p, f, e.formula, e.exactness, &free, &[(a[0], arrays.clone())])?;
        }
        // And projection from every model.
        for array in &arrays {
            let point = [(a[0], array.clone()), (a[1], arrays[1].clone()), (i[0], bits[0].clone()), (i[1], bits[1].clone()), (i[2], bits[1].clone())];
            let model = with_values(&p, &point);
            if model.holds(&p, f) == Ok(true) {
                let e = project(&mut p, &model, &[a[0]], f).unwrap();
                prop_assert!(e.remaining.is_empty());
                prop_assert_eq!(model.holds(&p, e.formula), Ok(true));
                check(&p, f, e.formula, Exactness::UnderApproximation, &free, &[(a[0], arrays.clone())])?;
            }
        }
    }

    #[test]
    fn projection_of_numbers(
        list in choices(60),
        depth in 0usize..3,
        real in any::<bool>(),
        point in prop::collection::vec(-5i64..=5, 3),
    ) {
        let mut p = TermPool::new();
        let sort = if real { SortId::REAL } else { SortId::INT };
        let vars: Vec<TermId> = ["y", "x", "z"].iter().map(|n| p.constant(n, sort)).collect();
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, depth, &mut |c, p| {
            if real { c.real_atom(p, &vars) } else { c.int_atom(p, &vars, 3) }
        });
        let values: Vec<(TermId, Value)> = vars.iter().zip(&point).map(|(v, n)| (*v, Value::int(*n))).collect();
        let model = with_values(&p, &values);
        let f = if model.holds(&p, f) == Ok(true) { f } else { p.not(f) };
        let e = project(&mut p, &model, &[vars[1]], f).unwrap();
        prop_assert!(e.remaining.is_empty());
        prop_assert!(!p.free_constants(e.formula).contains(&vars[1]));
        prop_assert_eq!(model.holds(&p, e.formula), Ok(true));
        let bound: Vec<Value> = if real {
            (-300..=300).map(|k| Value::Num(Rational::ratio(k, 12))).collect()
        } else {
            ints(-90, 90)
        };
        let free = [(vars[0], ints(-2, 2)), (vars[2], vec![Value::int(1)])];
        check(&p, f, e.formula, Exactness::UnderApproximation, &free, &[(vars[1], bound)])?;
    }
}

/// How often do the exact methods succeed? A loss of power must show.
#[test]
fn linear_integer_formulas_are_always_eliminated() {
    let mut p = TermPool::new();
    let names: Vec<TermId> = ["x", "y", "z"].iter().map(|n| p.constant(n, SortId::INT)).collect();
    for seed in 0..200u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let list = (0..60)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 48) as u16
            })
            .collect();
        let mut c = Choices { list, next: 0 };
        let f = c.formula(&mut p, 1, &mut |c, p| c.int_atom(p, &names, 2));
        let options = Options { max_cases: 2000, ..Options::default() };
        let e = eliminate_exists(&mut p, &[names[0]], f, &options, &Budget::unlimited());
        assert!(e.is_complete(), "{}", p.smtlib(f));
    }
}

/// A machine word wraps: the quotient has a coefficient of 2^32, which Cooper's method cannot afford.
#[test]
fn wrapped_sums_are_eliminated() {
    let mut p = TermPool::new();
    let (x, y) = (p.constant("x", SortId::INT), p.constant("y", SortId::INT));
    let modulus = p.int(1 << 32);
    let (zero, ten) = (p.int(0), p.int(10));
    let sum = p.add(&[x, y]);
    let wrapped = p.modulo(sum, modulus);
    let parts = [p.le(wrapped, ten), p.ge(x, zero), p.lt(x, modulus)];
    let f = p.and(&parts);
    let e = eliminate_exists(&mut p, &[x], f, &Options::default(), &Budget::unlimited());
    assert!(e.is_complete(), "{}", p.smtlib(e.formula));
    for value in [-3i64, 0, 7, 1 << 40] {
        let m = with_values(&p, &[(y, Value::int(value))]);
        assert_eq!(m.holds(&p, e.formula), Ok(true), "{}", p.infix(e.formula));
    }
}

#[test]
fn strongest_postcondition_of_an_array_write() {
    let mut p = TermPool::new();
    let sort = p.array_sort(SortId::INT, SortId::INT);
    let (old, new) = (p.constant("old", sort), p.constant("new", sort));
    let (i, j) = (p.constant("i", SortId::INT), p.constant("j", SortId::INT));
    let zero = p.int(0);
    let read = p.select(old, j);
    let pre = p.eq(read, zero);
    let one = p.int(1);
    let written = p.store(old, i, one);
    let step = p.eq(new, written);
    let f = p.and2(pre, step);
    let e = eliminate_exists(&mut p, &[old], f, &Options::default(), &Budget::unlimited());
    assert!(e.is_complete(), "{}", p.smtlib(e.formula));
    // new[i] == 1, and new[j] == 0 unless i == j.
    let expected =
        logic::smtlib::parse_term(&mut p, "(and (= (select new i) 1) (or (= i j) (= (select new j) 0)))").unwrap();
    let text = p.infix(e.formula);
    for (vi, vj, at_i, at_j) in [(0, 0, 1, 1), (0, 1, 1, 0), (0, 1, 1, 5), (0, 0, 0, 0), (1, 2, 3, 0)] {
        let mut value = logic::ArrayValue::constant(Value::int(9));
        value.set(Value::int(vj), Value::int(at_j), None);
        value.set(Value::int(vi), Value::int(at_i), None);
        let m = with_values(&p, &[(i, Value::int(vi)), (j, Value::int(vj)), (new, Value::Array(value.into()))]);
        assert_eq!(m.holds(&p, e.formula), m.holds(&p, expected), "{text}");
    }
}

#[test]
fn many_assignments_stay_small() {
    let mut p = TermPool::new();
    let mut vars = Vec::new();
    let mut parts = Vec::new();
    let mut last = p.constant("x0", SortId::INT);
    vars.push(last);
    for n in 1..200 {
        let next = p.constant(&format!("x{n}"), SortId::INT);
        let one = p.int(1);
        let sum = p.add(&[last, one]);
        parts.push(p.eq(next, sum));
        vars.push(next);
        last = next;
    }
    let zero = p.int(0);
    parts.push(p.ge(vars[0], zero));
    let f = p.and(&parts);
    vars.pop();
    let e = eliminate_exists(&mut p, &vars, f, &Options::light(), &Budget::unlimited());
    assert!(e.is_complete());
    assert_eq!(p.infix(e.formula), "x199 > 198");
}
