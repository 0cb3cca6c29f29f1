//! Compiled executions against the meaning of terms, and executions stored as their choices against the interpreter.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base::Random;
use base::Span;
use exec::execution::{Limits, Outcome, execute};
use exec::guided::{Tested, Tester, follow, listed};
use exec::interp::replay;
use exec::random::RandomLimits;
use ir::{Body, Check, Icfg, InstrKind, Nondet, ProcId, Procedure, Program, Stmt, VarId, VarKind};
use logic::{BigInt, Model, Op, Rational, Sort, SortId, TermId, TermPool, Value};
use proptest::prelude::*;

/// Numbers at the borders of what fits into a machine word.
const NUMBERS: [i64; 14] = [0, 1, 2, 3, -1, -2, 7, 31, 32, 33, i32::MAX as i64, i64::MAX - 1, i64::MAX, i64::MIN];

struct Making {
    pool: TermPool,
    random: Random,
    program: Program,
    vars: Vec<VarId>,
}

impl Making {
    fn new(seed: u64) -> Making {
        let mut pool = TermPool::new();
        let mut program = Program::new();
        let (byte, word, long) = (pool.bitvec_sort(8), pool.bitvec_sort(64), pool.bitvec_sort(70));
        let (int, flag) = (SortId::INT, SortId::BOOL);
        let sorts = [
            ("i", int),
            ("j", int),
            ("k", int),
            ("p", flag),
            ("q", flag),
            ("c", byte),
            ("d", byte),
            ("w", word),
            ("l", long),
            ("a", pool.array_sort(int, int)),
            ("b", pool.array_sort(int, int)),
            ("t", pool.array_sort(byte, int)),
        ];
        let mut add = |(name, sort)| program.add_var(&mut pool, name, sort, VarKind::Global, Span::NONE);
        let vars = sorts.into_iter().map(&mut add).collect();
        Making { pool, random: Random::new(seed), program, vars }
    }

    fn constant(&mut self, sort: SortId) -> TermId {
        match *self.pool.sort_data(sort) {
            Sort::Bool => {
                let b = self.random.below(2) == 1;
                self.pool.bool(b)
            }
            Sort::Int => {
                let n = self.random.one_of(&NUMBERS);
                self.pool.int(n)
            }
            Sort::BitVec(width) => {
                let n = BigInt::from(self.random.one_of(&NUMBERS) as u64) % (BigInt::from(1) << width as usize);
                self.pool.bv_num(n, width)
            }
            Sort::Array(_, element) => {
                let value = self.constant(element);
                self.pool.const_array(sort, value)
            }
            Sort::Real | Sort::Uninterpreted(_) => panic!("no such variables"),
        }
    }

    fn leaf(&mut self, sort: SortId) -> TermId {
        let vars: Vec<VarId> =
            self.vars.iter().copied().filter(|&v| self.pool.sort(self.program.term(v)) == sort).collect();
        if vars.is_empty() || self.random.below(4) == 0 {
            return self.constant(sort);
        }
        let v = self.random.one_of(&vars);
        self.program.term(v)
    }

    fn term(&mut self, sort: SortId, depth: u32) -> TermId {
        if depth == 0 || self.random.below(6) == 0 {
            return self.leaf(sort);
        }
        if self.random.below(5) == 0 {
            let condition = self.term(SortId::BOOL, depth - 1);
            let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
            return self.pool.ite(condition, a, b);
        }
        let (byte, word, long) = (self.pool.bitvec_sort(8), self.pool.bitvec_sort(64), self.pool.bitvec_sort(70));
        match *self.pool.sort_data(sort) {
            Sort::Bool => {
                let int = self.random.one_of(&[SortId::INT, byte, word, long, SortId::BOOL]);
                let other = self.random.one_of(&self.vars.clone());
                let any = self.pool.sort(self.program.term(other));
                match self.random.below(6) {
                    0 | 1 if int != SortId::BOOL => {
                        let (a, b) = (self.term(int, depth - 1), self.term(int, depth - 1));
                        let op = self.random.one_of(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]);
                        match int {
                            SortId::INT if self.random.below(2) == 0 => self.pool.le(a, b),
                            SortId::INT => self.pool.lt(a, b),
                            _ => self.pool.bv(op, &[a, b]),
                        }
                    }
                    2 | 3 => {
                        let (a, b) = (self.term(any, depth - 1), self.term(any, depth - 1));
                        self.pool.eq(a, b)
                    }
                    4 => {
                        let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                        self.pool.and2(a, b)
                    }
                    _ => {
                        let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                        let both = self.pool.or(&[a, b]);
                        self.pool.not(both)
                    }
                }
            }
            Sort::Int => {
                let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                match self.random.below(7) {
                    0 | 1 => self.pool.add(&[a, b]),
                    2 => self.pool.mul(&[a, b]),
                    // Divisors are never zero: nobody says what that gives.
                    3 | 4 => {
                        let divisor = self.random.one_of(&[1, 2, 3, -1, -3, 256, i64::MAX, i64::MIN]);
                        let divisor = self.pool.int(divisor);
                        if self.random.below(2) == 0 {
                            self.pool.int_div(a, divisor)
                        } else {
                            self.pool.modulo(a, divisor)
                        }
                    }
                    5 => {
                        let array = self.pool.array_sort(SortId::INT, SortId::INT);
                        let array = self.term(array, depth - 1);
                        self.pool.select(array, b)
                    }
                    _ => {
                        let array = self.pool.array_sort(byte, SortId::INT);
                        let (array, index) = (self.term(array, depth - 1), self.term(byte, depth - 1));
                        self.pool.select(array, index)
                    }
                }
            }
            Sort::BitVec(width) => {
                let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
                let op = self.random.one_of(&[
                    Op::BvAdd,
                    Op::BvSub,
                    Op::BvMul,
                    Op::BvAnd,
                    Op::BvOr,
                    Op::BvXor,
                    Op::BvShl,
                    Op::BvLshr,
                    Op::BvAshr,
                    Op::BvUdiv,
                    Op::BvSrem,
                    Op::BvNot,
                    Op::BvNeg,
                    Op::BvConcat,
                    Op::BvSignExt(0),
                    Op::BvZeroExt(0),
                ]);
                match (op, width) {
                    (Op::BvNot | Op::BvNeg, _) => self.pool.bv(op, &[a]),
                    (Op::BvConcat, 8) => {
                        let (high, low) =
                            (self.pool.bv(Op::BvExtract(6, 2), &[a]), self.pool.bv(Op::BvExtract(7, 5), &[b]));
                        self.pool.bv(op, &[high, low])
                    }
                    (Op::BvConcat, _) => self.pool.bv(Op::BvXor, &[a, b]),
                    (Op::BvSignExt(_) | Op::BvZeroExt(_), 8) => {
                        let word = self.term(word, depth - 1);
                        self.pool.bv(Op::BvExtract(40, 33), &[word])
                    }
                    (Op::BvSignExt(_), _) => {
                        let byte = self.term(byte, depth - 1);
                        self.pool.bv(Op::BvSignExt(width - 8), &[byte])
                    }
                    (Op::BvZeroExt(_), _) => {
                        let byte = self.term(byte, depth - 1);
                        self.pool.bv(Op::BvZeroExt(width - 8), &[byte])
                    }
                    (op, _) => self.pool.bv(op, &[a, b]),
                }
            }
            Sort::Array(index, element) => {
                let array = self.term(sort, depth - 1);
                let (index, value) = (self.term(index, depth - 1), self.term(element, depth - 1));
                self.pool.store(array, index, value)
            }
            Sort::Real | Sort::Uninterpreted(_) => panic!("no such variables"),
        }
    }

    fn graph(&mut self, body: Body) -> Icfg {
        self.program.procs.push(Procedure {
            name: "main".to_string(),
            span: Span::NONE,
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            modifies: self.vars.clone(),
            requires: Vec::new(),
            ensures: Vec::new(),
            body: Some(body),
        });
        self.program.entries.push(ProcId(0));
        Icfg::build(&self.program, &mut self.pool)
    }
}

fn check(message: &str) -> Check {
    Check::new(ir::Subproperty::UnreachCall, message, Span::NONE)
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    /// After random assignments every variable is what the terms mean.
    #[test]
    fn code_computes_what_terms_mean(seed in any::<u64>()) {
        let mut making = Making::new(seed);
        let mut body = Body::default();
        let mut model = Model::new();
        let symbol = |making: &Making, v: VarId| making.pool.as_symbol(making.program.term(v)).unwrap();
        for v in making.vars.clone() {
            let constant = making.constant(making.pool.sort(making.program.term(v)));
            body.stmt(Stmt::Assign(vec![(v, constant)]), Span::NONE);
            model.set(symbol(&making, v), model.eval(&making.pool, constant).unwrap());
        }
        for _ in 0..6 {
            let mut changed: Vec<VarId> = Vec::new();
            for _ in 0..=making.random.below(3) {
                let v = making.random.one_of(&making.vars.clone());
                if !changed.contains(&v) {
                    changed.push(v);
                }
            }
            let mut pairs = Vec::new();
            for v in changed {
                let sort = making.pool.sort(making.program.term(v));
                pairs.push((v, making.term(sort, 4)));
            }
            let values: Vec<Value> = pairs.iter().map(|&(_, e)| model.eval(&making.pool, e).unwrap()).collect();
            for (&(v, _), value) in pairs.iter().zip(values) {
                model.set(symbol(&making, v), value);
            }
            body.stmt(Stmt::Assign(pairs), Span::NONE);
        }
        for v in making.vars.clone() {
            let term = making.program.term(v);
            let value = model.get(symbol(&making, v)).unwrap().clone();
            let value = making.pool.value_term(&value, making.pool.sort(term)).unwrap();
            let same = making.pool.eq(term, value);
            body.push(InstrKind::Assert(same, check(&making.program.vars[v].name)), Span::NONE);
        }
        let icfg = making.graph(body);
        let limits = Limits { max_steps: 1_000, max_branches: 0, max_depth: 10, errors_end: false };
        let outcome = execute(&icfg, &making.pool, &limits, &mut || false);
        if let Outcome::ErrorPossible { at, .. } = outcome {
            prop_assert!(false, "{} is something else", icfg.locs[at].error.as_ref().unwrap().message);
        }
        prop_assert!(matches!(outcome, Outcome::Ends(_)), "{outcome:?}");
    }
}

/// `k` rounds, each of which stores an input into an array; then the last input is looked up again and found to be
/// small.
fn rounds(n_rounds: i64) -> (TermPool, Icfg) {
    let mut making = Making::new(0);
    let [i, j, a] = [0, 1, 9].map(|n: usize| making.vars[n]);
    let mut body = Body::default();
    let (again, inside, after) = (body.new_label(), body.new_label(), body.new_label());
    let none = Span::NONE;
    let pool = &mut making.pool;
    let (ti, tj, ta) = (making.program.term(i), making.program.term(j), making.program.term(a));
    let (zero, one, end) = (pool.int(0), pool.int(1), pool.int(n_rounds));
    let more = pool.lt(ti, end);
    let done = pool.not(more);
    let next = pool.add(&[ti, one]);
    let stored = pool.store(ta, ti, tj);
    let before = pool.sub(ti, one);
    let last = pool.select(ta, before);
    let is_small = pool.le(last, zero);
    body.stmt(Stmt::Assign(vec![(i, zero)]), none);
    body.label(again, none);
    body.goto(vec![inside, after], none);
    body.label(inside, none);
    body.stmt(Stmt::Assume(more), none);
    body.stmt(Stmt::Havoc(vec![j], Nondet::Input("input".to_string())), none);
    body.stmt(Stmt::Assign(vec![(a, stored), (i, next)]), none);
    body.goto(vec![again], none);
    body.label(after, none);
    body.stmt(Stmt::Assume(done), none);
    body.push(InstrKind::Assert(is_small, check("small")), none);
    let icfg = making.graph(body);
    (making.pool, icfg)
}

#[test]
fn far_violations_are_followed() {
    for n_rounds in [3, 100, 3_000] {
        let (pool, icfg) = rounds(n_rounds);
        let tester = Tester::new(&icfg, &pool).expect("nothing but numbers and arrays");
        let limits = RandomLimits { max_steps: 100_000, max_depth: 10 };
        let found = (0..50).find_map(|seed| match tester.run(seed, &limits, &mut || false) {
            Tested::Error(guide) => Some(guide),
            Tested::NoError { .. } => None,
        });
        let guide = found.expect("every other execution or so");
        let whole = replay(&icfg, &pool, &listed(&icfg, &pool, &guide).expect("an execution")).expect("a violation");
        let run = follow(&icfg, &pool, &guide, 0, &mut || false).expect("nobody stops it").expect("a violation");
        assert_eq!(run.check, whole.check);
        assert_eq!(run.n_steps(), whole.n_steps());
        assert_eq!(run.is_whole(), n_rounds < 1_000);
        assert_eq!(run.steps.last(), whole.steps.last());
        let chosen = |run: &ir::Run| -> Vec<Value> {
            run.steps.iter().flat_map(|s| s.chosen.iter().map(|c| c.1.clone())).collect()
        };
        assert_eq!(chosen(&run), chosen(&whole));
        // Where steps are left out, what changed meanwhile is told.
        let number = |value: &Value| value.as_num().and_then(Rational::to_i64);
        let counted = |run: &ir::Run| -> Option<i64> {
            let changes = run.steps.iter().flat_map(|s| &s.changed).filter(|(v, _)| v.0 == 0);
            changes.filter_map(|(_, value)| number(value)).next_back()
        };
        assert_eq!(counted(&run), Some(n_rounds));
    }
}

#[test]
fn wrong_guides_are_rejected() {
    let (pool, icfg) = rounds(500);
    let tester = Tester::new(&icfg, &pool).expect("nothing but numbers and arrays");
    let limits = RandomLimits { max_steps: 100_000, max_depth: 10 };
    let found = (0..50).find_map(|seed| match tester.run(seed, &limits, &mut || false) {
        Tested::Error(guide) => Some(guide),
        Tested::NoError { .. } => None,
    });
    let guide = found.expect("every other execution or so");
    let is_rejected = |guide: &ir::Guide| follow(&icfg, &pool, guide, 0, &mut || false).is_some_and(|r| r.is_err());
    assert!(!is_rejected(&guide));
    let mut short = guide.clone();
    short.n_steps -= 1;
    assert!(is_rejected(&short), "ends before the error");
    let mut other = guide.clone();
    let last = other.choices.pop().expect("there are choices");
    assert!(is_rejected(&other), "an input is missing");
    let ir::Choice::Values(values) = last else { panic!("an input") };
    other.choices.push(ir::Choice::Values(values.iter().map(|_| Value::int(-1)).collect()));
    assert!(is_rejected(&other), "the last input is small");
}
