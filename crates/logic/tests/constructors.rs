//! Constructors normalise, and must not change meaning. Random plain trees are evaluated twice:
//! by a tiny evaluator written from the definitions of SMT-LIB, and by building the term with the
//! pool's constructors and evaluating that. Printing, reading and substitution are held to the
//! same trees.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use logic::smtlib::parse_term;
use logic::{ArrayValue, BigInt, FunValue, Model, Op, Rational, SortId, TermId, TermPool, Value};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Bool,
    Int,
    Real,
    Bv(u32),
    /// Int to Int.
    IntArray,
    /// Two bits to Bool.
    BitArray,
}

#[derive(Clone, Debug)]
enum Plain {
    Var(Kind, usize),
    Bool(bool),
    Int(i64),
    Real(i64, i64),
    Bv(u64, u32),
    Op(&'static str, Kind, Vec<Plain>),
}

/// The value of a plain tree. Int arrays are a default and exceptions, compared extensionally.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum V {
    Bool(bool),
    Num(Rational),
    Bv(u64, u32),
    IntArray(Rational, BTreeMap<Rational, Rational>),
    BitArray([bool; 4]),
}

const N_VARS: usize = 3;

/// Choices drawn from a list; when it is exhausted, always the first (simplest) alternative.
struct Choices<'a> {
    list: &'a [u16],
    next: usize,
}

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        let c = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        c as usize % n
    }
    fn leaf(&mut self, kind: Kind) -> Plain {
        if self.below(3) < 2 {
            return Plain::Var(kind, self.below(N_VARS));
        }
        let small = self.below(11) as i64 - 5;
        match kind {
            Kind::Bool => Plain::Bool(self.below(2) == 0),
            Kind::Int => Plain::Int(small),
            Kind::Real => Plain::Real(small, self.below(3) as i64 + 1),
            Kind::Bv(w) => Plain::Bv(self.below(1 << w) as u64, w),
            Kind::IntArray => Plain::Op("const", kind, vec![Plain::Int(small)]),
            Kind::BitArray => Plain::Op("const", kind, vec![Plain::Bool(small > 0)]),
        }
    }
    fn tree(&mut self, kind: Kind, depth: usize) -> Plain {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(kind);
        }
        let choices: &[(&'static str, &[Kind])] = match kind {
            Kind::Bool => BOOL_OPS,
            Kind::Int => INT_OPS,
            Kind::Real => REAL_OPS,
            Kind::Bv(3) => BV3_OPS,
            Kind::Bv(4) => BV4_OPS,
            Kind::Bv(1) => BV1_OPS,
            Kind::Bv(_) => BV2_OPS,
            Kind::IntArray => INT_ARRAY_OPS,
            Kind::BitArray => BIT_ARRAY_OPS,
        };
        let (name, kinds) = choices[self.below(choices.len())];
        let args = kinds.iter().map(|&k| self.tree(k, depth - 1)).collect();
        Plain::Op(name, kind, args)
    }
}

use Kind::{BitArray, Bool, Bv, Int, IntArray, Real};
const BOOL_OPS: &[(&str, &[Kind])] = &[
    ("<=", &[Int, Int]),
    ("<", &[Int, Int]),
    (">=", &[Int, Int]),
    (">", &[Int, Int]),
    ("=", &[Int, Int]),
    ("<=", &[Real, Real]),
    ("<", &[Real, Real]),
    (">", &[Real, Real]),
    ("=", &[Real, Real]),
    ("and", &[Bool, Bool]),
    ("or", &[Bool, Bool, Bool]),
    ("not", &[Bool]),
    ("xor", &[Bool, Bool]),
    ("=>", &[Bool, Bool]),
    ("=", &[Bool, Bool]),
    ("ite", &[Bool, Bool, Bool]),
    ("=", &[Bv(3), Bv(3)]),
    ("=", &[Bv(4), Bv(4)]),
    ("bvult", &[Bv(4), Bv(4)]),
    ("bvule", &[Bv(3), Bv(3)]),
    ("bvslt", &[Bv(3), Bv(3)]),
    ("bvsle", &[Bv(4), Bv(4)]),
    ("distinct", &[Int, Int, Int]),
    ("distinct", &[Bv(1), Bv(1), Bv(1)]),
    ("distinct", &[Bool, Bool]),
    ("=", &[IntArray, IntArray]),
    ("=", &[BitArray, BitArray]),
    ("select", &[BitArray, Bv(2)]),
    ("is_int", &[Real]),
    ("pred", &[Int, Int]),
];
const INT_OPS: &[(&str, &[Kind])] = &[
    ("+", &[Int, Int]),
    ("-", &[Int, Int]),
    ("-", &[Int]),
    ("*", &[Int, Int]),
    ("+", &[Int, Int, Int]),
    ("div", &[Int, Int]),
    ("mod", &[Int, Int]),
    ("abs", &[Int]),
    ("ite", &[Bool, Int, Int]),
    ("select", &[IntArray, Int]),
    ("select", &[IntArray, Int]),
    ("to_int", &[Real]),
    ("bv2nat", &[Bv(3)]),
    ("fun", &[Int]),
    ("triple", &[Int]),
];
const REAL_OPS: &[(&str, &[Kind])] = &[
    ("+", &[Real, Real]),
    ("-", &[Real, Real]),
    ("*", &[Real, Real]),
    ("/", &[Real, Real]),
    ("to_real", &[Int]),
    ("ite", &[Bool, Real, Real]),
    ("-", &[Real]),
];
const BV4_OPS: &[(&str, &[Kind])] = &[
    ("bvadd", &[Bv(4), Bv(4)]),
    ("bvsub", &[Bv(4), Bv(4)]),
    ("bvmul", &[Bv(4), Bv(4)]),
    ("bvudiv", &[Bv(4), Bv(4)]),
    ("bvurem", &[Bv(4), Bv(4)]),
    ("bvsdiv", &[Bv(4), Bv(4)]),
    ("bvsrem", &[Bv(4), Bv(4)]),
    ("bvsmod", &[Bv(4), Bv(4)]),
    ("bvand", &[Bv(4), Bv(4)]),
    ("bvor", &[Bv(4), Bv(4)]),
    ("bvxor", &[Bv(4), Bv(4)]),
    ("bvshl", &[Bv(4), Bv(4)]),
    ("bvlshr", &[Bv(4), Bv(4)]),
    ("bvashr", &[Bv(4), Bv(4)]),
    ("bvnot", &[Bv(4)]),
    ("bvneg", &[Bv(4)]),
    ("concat", &[Bv(1), Bv(3)]),
    ("concat", &[Bv(2), Bv(2)]),
    ("zero_extend1", &[Bv(3)]),
    ("sign_extend1", &[Bv(3)]),
    ("sign_extend2", &[Bv(2)]),
    ("int2bv", &[Int]),
    ("ite", &[Bool, Bv(4), Bv(4)]),
];
const BV3_OPS: &[(&str, &[Kind])] =
    &[("extract2:0", &[Bv(4)]), ("extract3:1", &[Bv(4)]), ("bvadd", &[Bv(3), Bv(3)]), ("concat", &[Bv(1), Bv(2)])];
const BV2_OPS: &[(&str, &[Kind])] =
    &[("extract2:1", &[Bv(4)]), ("bvadd", &[Bv(2), Bv(2)]), ("concat", &[Bv(1), Bv(1)])];
const BV1_OPS: &[(&str, &[Kind])] = &[("extract0:0", &[Bv(4)]), ("extract2:2", &[Bv(3)]), ("bvnot", &[Bv(1)])];
const INT_ARRAY_OPS: &[(&str, &[Kind])] =
    &[("store", &[IntArray, Int, Int]), ("const", &[Int]), ("ite", &[Bool, IntArray, IntArray])];
const BIT_ARRAY_OPS: &[(&str, &[Kind])] =
    &[("store", &[BitArray, Bv(2), Bool]), ("store", &[BitArray, Bv(2), Bool]), ("const", &[Bool])];

// ---- the definitions ----

type Env = dyn Fn(Kind, usize) -> V;

fn num(v: &V) -> Rational {
    match v {
        V::Num(n) => n.clone(),
        other => panic!("not a number: {other:?}"),
    }
}
fn truth(v: &V) -> bool {
    matches!(v, V::Bool(true))
}
fn bits(v: &V) -> (u64, u32) {
    match v {
        V::Bv(n, w) => (*n, *w),
        other => panic!("not bits: {other:?}"),
    }
}
fn by_zero(a: &Rational) -> Rational {
    if *a == Rational::from(2) { Rational::from(7) } else { Rational::zero() }
}
fn fun_table(a: &Rational) -> Rational {
    if *a == Rational::from(1) { Rational::from(-3) } else { Rational::from(2) }
}
fn pred_table(a: &Rational, b: &Rational) -> bool {
    *a == Rational::from(1) && *b == Rational::from(2)
}
fn int_array(default: Rational, mut entries: BTreeMap<Rational, Rational>) -> V {
    entries.retain(|_, v| *v != default);
    V::IntArray(default, entries)
}
fn to_signed(n: u64, w: u32) -> i64 {
    if n >> (w - 1) & 1 == 1 { n as i64 - (1 << w) } else { n as i64 }
}

fn eval(t: &Plain, env: &Env) -> V {
    let (name, kind, args) = match t {
        Plain::Var(kind, i) => return env(*kind, *i),
        Plain::Bool(b) => return V::Bool(*b),
        Plain::Int(n) => return V::Num(Rational::from(*n)),
        Plain::Real(n, d) => return V::Num(Rational::ratio(*n, *d)),
        Plain::Bv(n, w) => return V::Bv(*n, *w),
        Plain::Op(name, kind, args) => (*name, *kind, args),
    };
    let v: Vec<V> = args.iter().map(|a| eval(a, env)).collect();
    let mask = |n: i64, w: u32| V::Bv((n & ((1 << w) - 1)) as u64, w);
    match name {
        "not" => V::Bool(!truth(&v[0])),
        "and" => V::Bool(v.iter().all(truth)),
        "or" => V::Bool(v.iter().any(truth)),
        "xor" => V::Bool(truth(&v[0]) != truth(&v[1])),
        "=>" => V::Bool(!truth(&v[0]) || truth(&v[1])),
        "=" => V::Bool(v[0] == v[1]),
        "distinct" => V::Bool((0..v.len()).all(|i| (0..i).all(|j| v[i] != v[j]))),
        "ite" => v[if truth(&v[0]) { 1 } else { 2 }].clone(),
        "<=" => V::Bool(num(&v[0]) <= num(&v[1])),
        "<" => V::Bool(num(&v[0]) < num(&v[1])),
        ">=" => V::Bool(num(&v[0]) >= num(&v[1])),
        ">" => V::Bool(num(&v[0]) > num(&v[1])),
        "+" => V::Num(v.iter().map(num).fold(Rational::zero(), |a, b| a + b)),
        "-" if v.len() == 1 => V::Num(-num(&v[0])),
        "-" => V::Num(num(&v[0]) - num(&v[1])),
        "*" => V::Num(num(&v[0]) * num(&v[1])),
        "/" => {
            let (a, b) = (num(&v[0]), num(&v[1]));
            V::Num(if b.is_zero() { by_zero(&a) } else { a / b })
        }
        "div" | "mod" => {
            let (a, b) = (num(&v[0]), num(&v[1]));
            if b.is_zero() {
                return V::Num(by_zero(&a));
            }
            // The quotient rounds down for positive divisors, up for negative ones.
            let exact = &a / &b;
            let q = if b.is_positive() { exact.floor() } else { exact.ceil() };
            V::Num(if name == "div" { q } else { a - b * q })
        }
        "abs" => V::Num(if num(&v[0]) < Rational::zero() { -num(&v[0]) } else { num(&v[0]) }),
        "triple" => V::Num(num(&v[0]) * Rational::from(3)),
        "to_real" => v[0].clone(),
        "to_int" => V::Num(num(&v[0]).floor()),
        "is_int" => V::Bool(num(&v[0]).floor() == num(&v[0])),
        "fun" => V::Num(fun_table(&num(&v[0]))),
        "pred" => V::Bool(pred_table(&num(&v[0]), &num(&v[1]))),
        "const" => match kind {
            Kind::IntArray => V::IntArray(num(&v[0]), BTreeMap::new()),
            _ => V::BitArray([truth(&v[0]); 4]),
        },
        "select" => match &v[0] {
            V::IntArray(default, entries) => V::Num(entries.get(&num(&v[1])).unwrap_or(default).clone()),
            V::BitArray(table) => V::Bool(table[bits(&v[1]).0 as usize]),
            other => panic!("{other:?}"),
        },
        "store" => match v[0].clone() {
            V::IntArray(default, mut entries) => {
                entries.insert(num(&v[1]), num(&v[2]));
                int_array(default, entries)
            }
            V::BitArray(mut table) => {
                table[bits(&v[1]).0 as usize] = truth(&v[2]);
                V::BitArray(table)
            }
            other => panic!("{other:?}"),
        },
        "bv2nat" => V::Num(Rational::from(bits(&v[0]).0)),
        "int2bv" => {
            let n = num(&v[0]);
            let sixteen = Rational::from(16);
            let rest = &n - &(&sixteen * &(&n / &sixteen).floor());
            V::Bv(rest.to_i64().unwrap() as u64, 4)
        }
        _ => {
            let (a, w) = bits(&v[0]);
            let (b, wb) = v.get(1).map_or((0, 1), bits);
            let (sa, sb) = (to_signed(a, w), to_signed(b, wb));
            let n = a as i64;
            let m = b as i64;
            match name {
                "bvult" => V::Bool(a < b),
                "bvule" => V::Bool(a <= b),
                "bvslt" => V::Bool(sa < sb),
                "bvsle" => V::Bool(sa <= sb),
                "bvadd" => mask(n + m, w),
                "bvsub" => mask(n - m, w),
                "bvmul" => mask(n * m, w),
                "bvudiv" => mask(if b == 0 { -1 } else { n / m }, w),
                "bvurem" => mask(if b == 0 { n } else { n % m }, w),
                // The standard defines these by cases on the signs, from the unsigned ones.
                "bvsdiv" | "bvsrem" => {
                    let udiv = |x: i64, y: i64| if y == 0 { (1 << w) - 1 } else { x / y };
                    let urem = |x: i64, y: i64| if y == 0 { x } else { x % y };
                    let (x, y) = ((sa.abs()) & ((1 << w) - 1), (sb.abs()) & ((1 << w) - 1));
                    match (name, sa < 0, sb < 0) {
                        ("bvsdiv", p, q) if p == q => mask(udiv(x, y), w),
                        ("bvsdiv", ..) => mask(-udiv(x, y), w),
                        (_, true, _) => mask(-urem(x, y), w),
                        (_, false, _) => mask(urem(x, y), w),
                    }
                }
                "bvsmod" => {
                    if sb == 0 {
                        v[0].clone()
                    } else {
                        let r = sa.rem_euclid(sb.abs());
                        mask(if sb < 0 && r != 0 { r + sb } else { r }, w)
                    }
                }
                "bvand" => V::Bv(a & b, w),
                "bvor" => V::Bv(a | b, w),
                "bvxor" => V::Bv(a ^ b, w),
                "bvshl" => {
                    if b >= u64::from(w) {
                        V::Bv(0, w)
                    } else {
                        mask(n << b, w)
                    }
                }
                "bvlshr" => V::Bv(if b >= u64::from(w) { 0 } else { a >> b }, w),
                "bvashr" => mask(sa >> b.min(10), w),
                "bvnot" => mask(!n, w),
                "bvneg" => mask(-n, w),
                "concat" => V::Bv(a << wb | b, w + wb),
                "zero_extend1" => V::Bv(a, w + 1),
                "sign_extend1" => mask(sa, w + 1),
                "sign_extend2" => mask(sa, w + 2),
                "extract2:0" => V::Bv(a & 7, 3),
                "extract3:1" => V::Bv(a >> 1 & 7, 3),
                "extract2:1" => V::Bv(a >> 1 & 3, 2),
                "extract0:0" => V::Bv(a & 1, 1),
                "extract2:2" => V::Bv(a >> 2 & 1, 1),
                other => panic!("{other}"),
            }
        }
    }
}

// ---- the constructors ----

fn sort_of(p: &mut TermPool, kind: Kind) -> SortId {
    match kind {
        Kind::Bool => SortId::BOOL,
        Kind::Int => SortId::INT,
        Kind::Real => SortId::REAL,
        Kind::Bv(w) => p.bitvec_sort(w),
        Kind::IntArray => p.array_sort(SortId::INT, SortId::INT),
        Kind::BitArray => {
            let two = p.bitvec_sort(2);
            p.array_sort(two, SortId::BOOL)
        }
    }
}

fn variable(p: &mut TermPool, kind: Kind, i: usize) -> TermId {
    let sort = sort_of(p, kind);
    p.constant(&format!("{kind:?}{i}"), sort)
}

fn build(p: &mut TermPool, t: &Plain) -> TermId {
    let (name, kind, args) = match t {
        Plain::Var(kind, i) => return variable(p, *kind, *i),
        Plain::Bool(b) => return p.bool(*b),
        Plain::Int(n) => return p.int(*n),
        Plain::Real(n, d) => return p.real_num(Rational::ratio(*n, *d)),
        Plain::Bv(n, w) => return p.bv_num(BigInt::from(*n), *w),
        Plain::Op(name, kind, args) => (*name, *kind, args),
    };
    let a: Vec<TermId> = args.iter().map(|t| build(p, t)).collect();
    match name {
        "not" => p.not(a[0]),
        "and" => p.and(&a),
        "or" => p.or(&a),
        "xor" => p.xor(a[0], a[1]),
        "=>" => p.implies(a[0], a[1]),
        "=" => p.eq(a[0], a[1]),
        "distinct" => p.distinct(&a),
        "ite" => p.ite(a[0], a[1], a[2]),
        "<=" => p.le(a[0], a[1]),
        "<" => p.lt(a[0], a[1]),
        ">=" => p.ge(a[0], a[1]),
        ">" => p.gt(a[0], a[1]),
        "+" => p.add(&a),
        "-" if a.len() == 1 => p.neg(a[0]),
        "-" => p.sub(a[0], a[1]),
        "*" => p.mul(&a),
        "/" => p.real_div(a[0], a[1]),
        "div" => p.int_div(a[0], a[1]),
        "mod" => p.modulo(a[0], a[1]),
        "abs" => p.abs(a[0]),
        "triple" => p.scale(a[0], &Rational::from(3)),
        "to_real" => p.to_real(a[0]),
        "to_int" => p.to_int(a[0]),
        "is_int" => p.is_int(a[0]),
        "fun" => {
            let f = p.declare_fun("fun", &[SortId::INT], SortId::INT);
            p.app(f, &a)
        }
        "pred" => {
            let f = p.declare_fun("pred", &[SortId::INT, SortId::INT], SortId::BOOL);
            p.app(f, &a)
        }
        "const" => {
            let sort = sort_of(p, kind);
            p.const_array(sort, a[0])
        }
        "select" => p.select(a[0], a[1]),
        "store" => p.store(a[0], a[1], a[2]),
        _ => {
            let op = match name {
                "bv2nat" => Op::BvToNat,
                "int2bv" => Op::IntToBv(4),
                "bvult" => Op::BvUlt,
                "bvule" => Op::BvUle,
                "bvslt" => Op::BvSlt,
                "bvsle" => Op::BvSle,
                "bvadd" => Op::BvAdd,
                "bvsub" => Op::BvSub,
                "bvmul" => Op::BvMul,
                "bvudiv" => Op::BvUdiv,
                "bvurem" => Op::BvUrem,
                "bvsdiv" => Op::BvSdiv,
                "bvsrem" => Op::BvSrem,
                "bvsmod" => Op::BvSmod,
                "bvand" => Op::BvAnd,
                "bvor" => Op::BvOr,
                "bvxor" => Op::BvXor,
                "bvshl" => Op::BvShl,
                "bvlshr" => Op::BvLshr,
                "bvashr" => Op::BvAshr,
                "bvnot" => Op::BvNot,
                "bvneg" => Op::BvNeg,
                "concat" => Op::BvConcat,
                "zero_extend1" => Op::BvZeroExt(1),
                "sign_extend1" => Op::BvSignExt(1),
                "sign_extend2" => Op::BvSignExt(2),
                "extract2:0" => Op::BvExtract(2, 0),
                "extract3:1" => Op::BvExtract(3, 1),
                "extract2:1" => Op::BvExtract(2, 1),
                "extract0:0" => Op::BvExtract(0, 0),
                "extract2:2" => Op::BvExtract(2, 2),
                other => panic!("{other}"),
            };
            p.bv(op, &a)
        }
    }
}

// ---- models ----

/// The value of the i-th variable of a kind, from a list of small numbers.
fn variable_value(seed: &[i64], kind: Kind, i: usize) -> V {
    let pick = |k: usize| seed[(i * 7 + k) % seed.len()];
    match kind {
        Kind::Bool => V::Bool(pick(0) > 0),
        Kind::Int => V::Num(Rational::from(pick(1))),
        Kind::Real => V::Num(Rational::ratio(pick(2), pick(3).abs() % 3 + 1)),
        Kind::Bv(w) => V::Bv((pick(w as usize) & ((1 << w) - 1)) as u64, w),
        Kind::IntArray => {
            let entries = (0..2).map(|k| (Rational::from(pick(k)), Rational::from(pick(k + 2)))).collect();
            int_array(Rational::from(pick(5)), entries)
        }
        Kind::BitArray => V::BitArray([pick(0) > 0, pick(1) > 0, pick(2) > 0, pick(3) > 0]),
    }
}

fn to_value(v: &V) -> Value {
    match v {
        V::Bool(b) => Value::Bool(*b),
        V::Num(n) => Value::Num(n.clone()),
        V::Bv(n, w) => Value::Bv(BigInt::from(*n), *w),
        V::IntArray(default, entries) => {
            let entries = entries.iter().map(|(i, v)| (Value::Num(i.clone()), Value::Num(v.clone()))).collect();
            Value::Array(Arc::new(ArrayValue { default: Value::Num(default.clone()), entries }))
        }
        V::BitArray(table) => {
            let mut array = ArrayValue::constant(Value::Bool(table[0]));
            for (i, &b) in table.iter().enumerate() {
                array.set(Value::Bv(BigInt::from(i), 2), Value::Bool(b), Some(4));
            }
            Value::Array(Arc::new(array))
        }
    }
}

const KINDS: [Kind; 9] = [Bool, Int, Real, Bv(1), Bv(2), Bv(3), Bv(4), IntArray, BitArray];

fn model(p: &mut TermPool, env: &Env) -> Model {
    let mut m = Model::new();
    for kind in KINDS {
        for i in 0..N_VARS {
            let t = variable(p, kind, i);
            m.set(p.as_symbol(t).unwrap(), to_value(&env(kind, i)));
        }
    }
    let f = p.declare_fun("fun", &[SortId::INT], SortId::INT);
    let one = vec![Value::int(1)];
    m.set_fun(f, FunValue { entries: BTreeMap::from([(one, Value::int(-3))]), default: Value::int(2) });
    let f = p.declare_fun("pred", &[SortId::INT, SortId::INT], SortId::BOOL);
    let key = vec![Value::int(1), Value::int(2)];
    m.set_fun(f, FunValue { entries: BTreeMap::from([(key, Value::Bool(true))]), default: Value::Bool(false) });
    for op in [Op::IntDiv, Op::Mod, Op::RealDiv] {
        m.by_zero.insert((op, Value::int(2)), Value::int(7));
    }
    m
}

fn plain(kind: Kind, list: &[u16]) -> Plain {
    Choices { list, next: 0 }.tree(kind, 5)
}

fn any_kind() -> impl Strategy<Value = Kind> {
    prop_oneof![4 => Just(Bool), 2 => Just(Int), 1 => Just(Real), 1 => Just(Bv(4)), 1 => Just(Bv(3)), 1 => Just(IntArray), 1 => Just(BitArray)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn constructors_keep_the_meaning(
        kind in any_kind(),
        list in prop::collection::vec(any::<u16>(), 0..200),
        seeds in prop::collection::vec(prop::collection::vec(-4i64..5, 9), 4),
    ) {
        let tree = plain(kind, &list);
        let mut p = TermPool::new();
        let t = build(&mut p, &tree);
        for seed in seeds {
            let env = move |kind: Kind, i: usize| variable_value(&seed, kind, i);
            let m = model(&mut p, &env);
            prop_assert_eq!(m.eval(&p, t), Ok(to_value(&eval(&tree, &env))), "{}", p.smtlib(t));
        }
    }

    #[test]
    fn printing_and_reading_come_back(kind in any_kind(), list in prop::collection::vec(any::<u16>(), 0..120)) {
        let tree = plain(kind, &list);
        let mut p = TermPool::new();
        let t = build(&mut p, &tree);
        let text = p.smtlib(t);
        let back = parse_term(&mut p, &text).map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        prop_assert_eq!(back, t, "{} became {}", text, p.smtlib(back));
        // A pool with the symbols made in another order normalises differently, but not wrongly.
        let mut q = TermPool::new();
        for kind in KINDS.iter().rev() {
            for i in (0..N_VARS).rev() {
                variable(&mut q, *kind, i);
            }
        }
        q.declare_fun("pred", &[SortId::INT, SortId::INT], SortId::BOOL);
        q.declare_fun("fun", &[SortId::INT], SortId::INT);
        let other = parse_term(&mut q, &text).map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        let env = |kind: Kind, i: usize| variable_value(&[3, -1, 0, 2, -4, 1, 2, 0, 4], kind, i);
        let m = model(&mut q, &env);
        prop_assert_eq!(m.eval(&q, other), Ok(to_value(&eval(&tree, &env))));
        prop_assert!(!p.infix(t).is_empty());
    }

    #[test]
    fn substitution_is_evaluation_in_a_changed_environment(
        kind in any_kind(),
        list in prop::collection::vec(any::<u16>(), 0..200),
        replacement_kind in any_kind(),
        replacement in prop::collection::vec(any::<u16>(), 0..20),
        seed in prop::collection::vec(-4i64..5, 9),
    ) {
        let tree = plain(kind, &list);
        let new = plain(replacement_kind, &replacement);
        let mut p = TermPool::new();
        let t = build(&mut p, &tree);
        let from = variable(&mut p, replacement_kind, 0);
        let to = build(&mut p, &new);
        let result = p.substitute(t, &[(from, to)]);
        let env = move |kind: Kind, i: usize| variable_value(&seed, kind, i);
        let m = model(&mut p, &env);
        let value = eval(&new, &env);
        let changed = move |kind: Kind, i: usize| {
            if (kind, i) == (replacement_kind, 0) { value.clone() } else { env(kind, i) }
        };
        prop_assert_eq!(m.eval(&p, result), Ok(to_value(&eval(&tree, &changed))));
    }
}
