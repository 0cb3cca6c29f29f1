//! Random arithmetic formulas against enumeration of small domains.
//!
//! Each formula confines its variables to a small box, so enumeration decides it. Scripts assert, push and pop at
//! random; every check is compared. `FUZZ_ROUNDS` sets the number of scripts per test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base::Budget;
use base::Random;
use logic::{Model, Rational, SatResult, Solver, SortId, TermId, TermPool, Value};
use smt::{SmtOptions, SmtSolver};
use std::time::Duration;

/// What formulas are made of.
#[derive(Clone, Copy)]
struct Flavour {
    /// `div`, `mod`, `abs` by constants.
    division: bool,
    /// Products of variables, division by variables.
    products: bool,
    /// Real variables (of half-integer values) and mixes.
    reals: bool,
    /// A function of one argument.
    functions: bool,
}

struct Vocabulary {
    ints: Vec<TermId>,
    reals: Vec<TermId>,
    bools: Vec<TermId>,
    function: Option<logic::FunId>,
}

fn vocabulary(pool: &mut TermPool, flavour: Flavour) -> Vocabulary {
    let n_ints = if flavour.functions { 2 } else { 3 };
    Vocabulary {
        ints: (0..n_ints).map(|k| pool.constant(&format!("x{k}"), SortId::INT)).collect(),
        reals: (0..u32::from(flavour.reals)).map(|k| pool.constant(&format!("r{k}"), SortId::REAL)).collect(),
        bools: vec![pool.constant("p", SortId::BOOL)],
        function: flavour.functions.then(|| pool.declare_fun("f", &[SortId::INT], SortId::INT)),
    }
}

fn int_term(pool: &mut TermPool, random: &mut Random, vocabulary: &Vocabulary, flavour: Flavour, depth: u32) -> TermId {
    if depth == 0 || random.below(4) == 0 {
        return match random.below(4) {
            0 => pool.int(random.between(-3, 3)),
            _ => random.one_of(&vocabulary.ints),
        };
    }
    let a = int_term(pool, random, vocabulary, flavour, depth - 1);
    match random.below(10) {
        0..=3 => {
            let b = int_term(pool, random, vocabulary, flavour, depth - 1);
            pool.add(&[a, b])
        }
        4 => pool.scale(a, &Rational::from(random.between(-3, 3))),
        5 => {
            let b = int_term(pool, random, vocabulary, flavour, depth - 1);
            pool.sub(a, b)
        }
        6 if flavour.division => {
            let divisor = pool.int(random.one_of(&[-3, -2, 2, 3]));
            match random.below(3) {
                0 => pool.int_div(a, divisor),
                1 => pool.modulo(a, divisor),
                _ => pool.abs(a),
            }
        }
        7 if flavour.products => {
            let b = int_term(pool, random, vocabulary, flavour, depth - 1);
            // An odd divisor is not zero; division by zero would be more than enumeration can see.
            let twice = pool.scale(b, &Rational::from(2));
            let one = pool.int(1);
            let odd = pool.add(&[twice, one]);
            match random.below(4) {
                0 => pool.int_div(a, odd),
                1 => pool.modulo(a, odd),
                _ => pool.mul(&[a, b]),
            }
        }
        8 if flavour.reals => {
            let r = random.one_of(&vocabulary.reals);
            pool.to_int(r)
        }
        9 => match vocabulary.function {
            Some(f) => {
                // Arguments stay inside the enumerated table.
                let x = random.one_of(&vocabulary.ints);
                pool.app(f, &[x])
            }
            None => {
                let c = atom(pool, random, vocabulary, flavour, depth - 1);
                let b = int_term(pool, random, vocabulary, flavour, depth - 1);
                pool.ite(c, a, b)
            }
        },
        _ => a,
    }
}

fn atom(pool: &mut TermPool, random: &mut Random, vocabulary: &Vocabulary, flavour: Flavour, depth: u32) -> TermId {
    if random.below(12) == 0 {
        return random.one_of(&vocabulary.bools);
    }
    let (mut a, mut b) =
        (int_term(pool, random, vocabulary, flavour, depth), int_term(pool, random, vocabulary, flavour, depth.min(1)));
    if flavour.reals && random.below(2) == 0 {
        let r = random.one_of(&vocabulary.reals);
        if random.below(8) == 0 {
            return pool.is_int(r);
        }
        let real = pool.to_real(a);
        let half = pool.scale(r, &Rational::ratio(random.one_of(&[-3, -1, 1, 2]), 2));
        a = pool.add(&[real, half]);
        b = pool.to_real(b);
    }
    match random.below(5) {
        0 => pool.le(a, b),
        1 => pool.lt(a, b),
        2 => pool.ge(a, b),
        _ => pool.eq(a, b),
    }
}

fn formula(pool: &mut TermPool, random: &mut Random, vocabulary: &Vocabulary, flavour: Flavour, depth: u32) -> TermId {
    if depth == 0 {
        let t = atom(pool, random, vocabulary, flavour, 2);
        return if random.below(2) == 0 { t } else { pool.not(t) };
    }
    let parts: Vec<TermId> =
        (0..2 + random.below(2)).map(|_| formula(pool, random, vocabulary, flavour, depth - 1)).collect();
    match random.below(5) {
        0 => pool.and(&parts),
        1 => pool.xor(parts[0], parts[1]),
        2 => parts[0],
        _ => pool.or(&parts),
    }
}

/// All interpretations of the box.
fn models(pool: &TermPool, vocabulary: &Vocabulary) -> Vec<Model> {
    let mut all = vec![Model::new()];
    let mut extend = |symbol: TermId, values: &[Value]| {
        let Some(symbol) = pool.as_symbol(symbol) else { return };
        all = all
            .iter()
            .flat_map(|model| {
                values.iter().map(move |value| {
                    let mut model = model.clone();
                    model.set(symbol, value.clone());
                    model
                })
            })
            .collect();
    };
    let ints: Vec<Value> = (LOW..=HIGH).map(Value::int).collect();
    for x in &vocabulary.ints {
        extend(*x, &ints);
    }
    for r in &vocabulary.reals {
        extend(*r, &(2 * LOW..=2 * HIGH).map(|n| Value::Num(Rational::ratio(n, 2))).collect::<Vec<_>>());
    }
    for p in &vocabulary.bools {
        extend(*p, &[Value::Bool(false), Value::Bool(true)]);
    }
    let Some(f) = vocabulary.function else { return all };
    let n = (HIGH - LOW + 1) as usize;
    let mut with_tables = Vec::new();
    for code in 0..n.pow(n as u32) {
        let mut rest = code;
        let entries = ints
            .iter()
            .map(|argument| {
                let value = ints[rest % n].clone();
                rest /= n;
                (vec![argument.clone()], value)
            })
            .collect();
        let table = logic::FunValue { entries, default: Value::int(LOW) };
        with_tables.extend(all.iter().map(|model| {
            let mut model = model.clone();
            model.set_fun(f, table.clone());
            model
        }));
    }
    with_tables
}

const LOW: i64 = -1;
const HIGH: i64 = 2;

/// Confines variables (and values of the function) to the box; reals to halves, by an integer that is twice as large.
fn confine(pool: &mut TermPool, vocabulary: &Vocabulary) -> Vec<TermId> {
    let (low, high) = (pool.int(LOW), pool.int(HIGH));
    let mut confined = vocabulary.ints.clone();
    if let Some(f) = vocabulary.function {
        confined.extend(vocabulary.ints.iter().map(|x| pool.app(f, &[*x])));
    }
    let mut facts = Vec::new();
    for t in confined {
        facts.extend([pool.le(low, t), pool.le(t, high)]);
    }
    for r in &vocabulary.reals {
        let twice = pool.scale(*r, &Rational::from(2));
        let (low, high) = (pool.real_num(LOW.into()), pool.real_num(HIGH.into()));
        facts.extend([pool.le(low, *r), pool.le(*r, high), pool.is_int(twice)]);
    }
    facts
}

fn run_script(seed: u64, flavour: Flavour, may_be_unknown: bool) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let vocabulary = vocabulary(&mut pool, flavour);
    let everything = models(&pool, &vocabulary);
    let proofs = random.below(2) == 0;
    let mut solver = SmtSolver::new(SmtOptions { proofs, ..SmtOptions::default() });
    let mut stack: Vec<Vec<TermId>> = vec![Vec::new()];
    for fact in confine(&mut pool, &vocabulary) {
        solver.assert(&mut pool, fact);
        stack[0].push(fact);
    }
    for _ in 0..2 + random.below(8) {
        match random.below(7) {
            0 => {
                solver.push();
                stack.push(Vec::new());
            }
            1 if stack.len() > 1 => {
                solver.pop(1);
                stack.pop();
            }
            2 | 3 => check(seed, &mut pool, &mut solver, &stack, &everything, may_be_unknown),
            _ => {
                let depth = random.below(3) as u32;
                let t = formula(&mut pool, &mut random, &vocabulary, flavour, depth);
                solver.assert(&mut pool, t);
                if let Some(top) = stack.last_mut() {
                    top.push(t);
                }
            }
        }
    }
    check(seed, &mut pool, &mut solver, &stack, &everything, may_be_unknown);
}

fn check(
    seed: u64,
    pool: &mut TermPool,
    solver: &mut SmtSolver,
    stack: &[Vec<TermId>],
    everything: &[Model],
    may_be_unknown: bool,
) {
    let asserted: Vec<TermId> = stack.iter().flatten().copied().collect();
    let expected =
        everything.iter().any(|model| asserted.iter().all(|t| model.holds(pool, *t).expect("no quantifiers here")));
    match solver.check(pool, &Budget::with_timeout(Duration::from_secs(10))) {
        SatResult::Sat => assert!(expected, "seed {seed}: sat, but no model in the box"),
        SatResult::Unsat => {
            assert!(!expected, "seed {seed}: unsat, but there is a model");
            if let Some(checked) = solver.check_refutation(pool) {
                checked.unwrap_or_else(|error| panic!("seed {seed}: bad refutation: {error}"));
            }
        }
        SatResult::Unknown(why) => assert!(may_be_unknown, "seed {seed}: unknown: {why}"),
    }
}

fn rounds(default: u64) -> u64 {
    std::env::var("FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

const PLAIN: Flavour = Flavour { division: false, products: false, reals: false, functions: false };

#[test]
fn linear_integers() {
    for seed in 0..rounds(120) {
        run_script(seed, PLAIN, false);
    }
}

#[test]
fn division_by_constants() {
    for seed in 0..rounds(120) {
        run_script(seed, Flavour { division: true, ..PLAIN }, false);
    }
}

#[test]
fn integers_and_reals() {
    for seed in 0..rounds(120) {
        run_script(seed, Flavour { reals: true, ..PLAIN }, false);
    }
}

#[test]
fn integers_and_functions() {
    for seed in 0..rounds(25) {
        run_script(seed, Flavour { functions: true, division: seed % 2 == 0, ..PLAIN }, false);
    }
}

#[test]
fn products() {
    for seed in 0..rounds(60) {
        run_script(seed, Flavour { products: true, ..PLAIN }, true);
    }
}

/// Sums of powers: equations times the variables of products (`Evidence::Multiplied`).
#[test]
fn sums_of_powers() {
    let problems = [
        // After the loop of Gauss.
        "(<= i (+ n 1)) (> i n) (= (* 2 s) (- (* i i) i)) (not (= (* 2 s) (* n (+ n 1))))",
        // Its body, with squares and cubes.
        "(= t (+ s i)) (= j (+ i 1)) (= (* 2 s) (- (* i i) i)) (not (= (* 2 t) (- (* j j) j)))",
        "(= t (+ s (* i i))) (= j (+ i 1)) (= (* 6 s) (* i (- i 1) (- (* 2 i) 1)))
         (not (= (* 6 t) (* j (- j 1) (- (* 2 j) 1))))",
        "(= t (+ s (* i i i))) (= j (+ i 1)) (= (* 4 s) (* i i (- i 1) (- i 1))) (not (= (* 4 t) (* j j (- j 1) (- j 1))))",
        // Division by subtraction.
        "(= n (+ (* i s) t)) (= k (- t s)) (= j (+ i 1)) (not (= n (+ (* j s) k)))",
    ];
    for problem in problems {
        let mut pool = TermPool::new();
        for name in ["i", "j", "k", "n", "s", "t"] {
            pool.constant(name, SortId::INT);
        }
        let formula = logic::smtlib::parse_term(&mut pool, &format!("(and {problem})")).unwrap();
        let mut solver = SmtSolver::with_proofs();
        solver.assert(&mut pool, formula);
        assert_eq!(solver.check(&mut pool, &Budget::unlimited()), SatResult::Unsat, "{problem}");
        assert!(matches!(solver.check_refutation(&mut pool), Some(Ok(_))), "{problem}");
    }
}
