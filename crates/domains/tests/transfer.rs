//! Every transfer function against concrete execution: random statements are executed on a random state and on the
//! abstract one, and the abstract state must contain the concrete one after each. Joins and widenings must contain both
//! sides; widening must end.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use domains::{Disjunction, Domain, Partition, State, Thresholds, Vocabulary};
use logic::{BigInt, Model, Op, Rational, SortId, TermId, TermPool, Value};
use proptest::prelude::*;
use std::sync::Arc;

const N_INTS: usize = 4;
const WIDTH: u32 = 6;

/// The variables of the random programs.
struct Vars {
    ints: Vec<TermId>,
    reals: Vec<TermId>,
    bools: Vec<TermId>,
    words: Vec<TermId>,
    map: TermId,
    other_map: TermId,
}

impl Vars {
    fn new(pool: &mut TermPool) -> Vars {
        let map_sort = pool.array_sort(SortId::INT, SortId::INT);
        let word = pool.bitvec_sort(WIDTH);
        Vars {
            ints: (0..N_INTS).map(|i| pool.constant(&format!("x{i}"), SortId::INT)).collect(),
            reals: (0..2).map(|i| pool.constant(&format!("r{i}"), SortId::REAL)).collect(),
            bools: (0..2).map(|i| pool.constant(&format!("b{i}"), SortId::BOOL)).collect(),
            words: (0..2).map(|i| pool.constant(&format!("w{i}"), word)).collect(),
            map: pool.constant("a", map_sort),
            other_map: pool.constant("c", map_sort),
        }
    }
    fn all(&self) -> Vec<TermId> {
        let scalars = self.ints.iter().chain(&self.reals).chain(&self.bools).chain(&self.words);
        scalars.chain([&self.map, &self.other_map]).copied().collect()
    }
    fn vocabulary(&self, pool: &TermPool) -> Arc<Vocabulary> {
        let pairs = (1..N_INTS).map(|i| (self.ints[0], self.ints[i]));
        Arc::new(Vocabulary::new(pool, pairs))
    }
}

/// Decisions, from a list of bytes.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |b| *b as usize) % n
    }
    fn small(&mut self) -> i64 {
        self.below(11) as i64 - 5
    }
    fn is_over(&self) -> bool {
        self.0.len() == 0
    }
}

fn int(pool: &mut TermPool, vars: &Vars, c: &mut Choices<'_>, depth: usize) -> TermId {
    if depth == 0 {
        return match c.below(3) {
            0 => {
                let n = c.small();
                pool.int(n)
            }
            _ => vars.ints[c.below(N_INTS)],
        };
    }
    let one = |pool: &mut TermPool, c: &mut Choices<'_>| int(pool, vars, c, depth - 1);
    match c.below(12) {
        0 | 1 => {
            let (a, b) = (one(pool, c), one(pool, c));
            pool.add(&[a, b])
        }
        2 => {
            let (a, b) = (one(pool, c), one(pool, c));
            pool.sub(a, b)
        }
        3 => {
            let (a, b) = (one(pool, c), one(pool, c));
            pool.mul(&[a, b])
        }
        4 => {
            let (a, b) = (one(pool, c), one(pool, c));
            pool.int_div(a, b)
        }
        5 => {
            let (a, b) = (one(pool, c), one(pool, c));
            pool.modulo(a, b)
        }
        6 => {
            let a = one(pool, c);
            let n = c.below(7) as i64 + 1;
            let n = pool.int(n);
            pool.modulo(a, n)
        }
        7 => {
            let condition = truth(pool, vars, c, depth - 1);
            let (a, b) = (one(pool, c), one(pool, c));
            pool.ite(condition, a, b)
        }
        8 | 9 => {
            let index = one(pool, c);
            pool.select(vars.map, index)
        }
        10 => {
            let w = word(pool, vars, c, depth - 1);
            pool.bv(Op::BvToNat, &[w])
        }
        _ => int(pool, vars, c, 0),
    }
}

fn real(pool: &mut TermPool, vars: &Vars, c: &mut Choices<'_>, depth: usize) -> TermId {
    if depth == 0 {
        return match c.below(3) {
            0 => {
                let (n, d) = (c.small(), c.below(3) as i64 + 1);
                pool.real_num(Rational::ratio(n, d))
            }
            _ => vars.reals[c.below(2)],
        };
    }
    match c.below(5) {
        0 => {
            let (a, b) = (real(pool, vars, c, depth - 1), real(pool, vars, c, depth - 1));
            pool.add(&[a, b])
        }
        1 => {
            let (a, b) = (real(pool, vars, c, depth - 1), real(pool, vars, c, depth - 1));
            pool.mul(&[a, b])
        }
        2 => {
            let (a, b) = (real(pool, vars, c, depth - 1), real(pool, vars, c, depth - 1));
            pool.real_div(a, b)
        }
        3 => {
            let a = int(pool, vars, c, depth - 1);
            pool.to_real(a)
        }
        _ => real(pool, vars, c, 0),
    }
}

fn word(pool: &mut TermPool, vars: &Vars, c: &mut Choices<'_>, depth: usize) -> TermId {
    if depth == 0 {
        return match c.below(3) {
            0 => {
                let n = c.below(1 << WIDTH) as i64;
                pool.bv_num(BigInt::from(n), WIDTH)
            }
            _ => vars.words[c.below(2)],
        };
    }
    const BINARY: [Op; 15] = [
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvAdd,
    ];
    match c.below(10) {
        0 => {
            let a = word(pool, vars, c, depth - 1);
            pool.bv(Op::BvNot, &[a])
        }
        1 => {
            let a = word(pool, vars, c, depth - 1);
            pool.bv(Op::BvNeg, &[a])
        }
        2 => {
            let a = word(pool, vars, c, depth - 1);
            let low = pool.bv(Op::BvExtract(2, 0), &[a]);
            pool.bv(Op::BvSignExt(3), &[low])
        }
        3 => {
            let a = word(pool, vars, c, depth - 1);
            let high = pool.bv(Op::BvExtract(5, 2), &[a]);
            pool.bv(Op::BvZeroExt(2), &[high])
        }
        4 => {
            let (a, b) = (word(pool, vars, c, depth - 1), word(pool, vars, c, depth - 1));
            let (a, b) = (pool.bv(Op::BvExtract(4, 2), &[a]), pool.bv(Op::BvExtract(2, 0), &[b]));
            pool.bv(Op::BvConcat, &[a, b])
        }
        5 => {
            let a = int(pool, vars, c, depth - 1);
            pool.bv(Op::IntToBv(WIDTH), &[a])
        }
        _ => {
            let op = BINARY[c.below(BINARY.len())];
            let (a, b) = (word(pool, vars, c, depth - 1), word(pool, vars, c, depth - 1));
            pool.bv(op, &[a, b])
        }
    }
}

fn truth(pool: &mut TermPool, vars: &Vars, c: &mut Choices<'_>, depth: usize) -> TermId {
    let below = depth.saturating_sub(1);
    match c.below(if depth == 0 { 6 } else { 12 }) {
        0 => vars.bools[c.below(2)],
        1 | 2 => {
            let (a, b) = (int(pool, vars, c, below), int(pool, vars, c, below));
            pool.le(a, b)
        }
        3 => {
            let (a, b) = (int(pool, vars, c, below), int(pool, vars, c, below));
            pool.eq(a, b)
        }
        4 => {
            let op = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle][c.below(4)];
            let (a, b) = (word(pool, vars, c, below), word(pool, vars, c, below));
            pool.bv(op, &[a, b])
        }
        5 => {
            let (a, b) = (word(pool, vars, c, below), word(pool, vars, c, below));
            pool.eq(a, b)
        }
        6 => {
            let (a, b) = (real(pool, vars, c, below), real(pool, vars, c, below));
            pool.lt(a, b)
        }
        7 => {
            let a = truth(pool, vars, c, below);
            pool.not(a)
        }
        8 | 9 => {
            let (a, b) = (truth(pool, vars, c, below), truth(pool, vars, c, below));
            pool.and(&[a, b])
        }
        10 => {
            let (a, b) = (truth(pool, vars, c, below), truth(pool, vars, c, below));
            pool.or(&[a, b])
        }
        _ => {
            let (a, b) = (real(pool, vars, c, below), real(pool, vars, c, below));
            pool.eq(a, b)
        }
    }
}

/// A value for a variable.
fn any_value(pool: &TermPool, c: &mut Choices<'_>, variable: TermId) -> Value {
    match pool.sort_data(pool.sort(variable)) {
        logic::Sort::Bool => Value::Bool(c.below(2) == 0),
        logic::Sort::Int => Value::int(c.small()),
        logic::Sort::Real => Value::Num(Rational::ratio(c.small(), c.below(3) as i64 + 1)),
        logic::Sort::BitVec(width) => Value::Bv(BigInt::from(c.below(1 << width) as i64), *width),
        _ => {
            let mut map = logic::ArrayValue::constant(Value::int(c.small()));
            for _ in 0..c.below(3) {
                map.set(Value::int(c.small()), Value::int(c.small()), None);
            }
            Value::Array(Arc::new(map))
        }
    }
}

/// A random statement.
enum Statement {
    Assume(TermId),
    Assign(Vec<(TermId, TermId)>),
    Havoc(TermId, Value),
}

fn statement(pool: &mut TermPool, vars: &Vars, c: &mut Choices<'_>) -> Statement {
    let all = vars.all();
    match c.below(10) {
        0..=3 => Statement::Assume(truth(pool, vars, c, 2)),
        4..=7 => {
            let mut pairs: Vec<(TermId, TermId)> = Vec::new();
            for _ in 0..1 + c.below(3) {
                let v = all[c.below(all.len())];
                if pairs.iter().any(|p| p.0 == v) {
                    continue;
                }
                let t = match pool.sort_data(pool.sort(v)).clone() {
                    logic::Sort::Bool => truth(pool, vars, c, 2),
                    logic::Sort::Int => int(pool, vars, c, 2),
                    logic::Sort::Real => real(pool, vars, c, 2),
                    logic::Sort::BitVec(_) => word(pool, vars, c, 2),
                    _ => {
                        let of = if c.below(4) == 0 { vars.other_map } else { vars.map };
                        let (i, e) = (int(pool, vars, c, 1), int(pool, vars, c, 1));
                        pool.store(of, i, e)
                    }
                };
                pairs.push((v, t));
            }
            Statement::Assign(pairs)
        }
        _ => {
            let v = all[c.below(all.len())];
            let value = any_value(pool, c, v);
            Statement::Havoc(v, value)
        }
    }
}

fn step<D: Domain>(pool: &mut TermPool, abstraction: &mut D, statement: &Statement) {
    match statement {
        Statement::Assume(condition) => abstraction.assume(pool, *condition),
        Statement::Assign(pairs) => abstraction.assign(pool, pairs),
        Statement::Havoc(v, _) => abstraction.forget(pool, &[*v]),
    }
}

/// Executes random statements on both; `false` when an assumption fails.
fn steps<D: Domain>(
    pool: &mut TermPool,
    vars: &Vars,
    c: &mut Choices<'_>,
    abstraction: &mut D,
    model: &mut Model,
    contains: &dyn Fn(&TermPool, &D, &Model) -> bool,
) -> Result<bool, TestCaseError> {
    while !c.is_over() {
        let statement = statement(pool, vars, c);
        match &statement {
            Statement::Assume(condition) => {
                if model.eval(pool, *condition).unwrap() != Value::Bool(true) {
                    return Ok(false);
                }
            }
            Statement::Assign(pairs) => {
                let values: Vec<Value> = pairs.iter().map(|p| model.eval(pool, p.1).unwrap()).collect();
                for ((v, _), value) in pairs.iter().zip(values) {
                    model.set(pool.as_symbol(*v).unwrap(), value);
                }
            }
            Statement::Havoc(v, value) => model.set(pool.as_symbol(*v).unwrap(), value.clone()),
        }
        step(pool, abstraction, &statement);
        prop_assert!(!abstraction.is_bottom());
        prop_assert!(contains(pool, abstraction, model), "{}", show(pool, abstraction));
        for formula in abstraction.formulas(pool) {
            let holds = model.eval(pool, formula);
            prop_assert_eq!(holds, Ok(Value::Bool(true)), "{}", pool.infix(formula));
        }
    }
    Ok(true)
}

fn show<D: Domain>(pool: &mut TermPool, abstraction: &D) -> String {
    let formulas = abstraction.formulas(pool);
    formulas.iter().map(|f| format!("{}\n", pool.infix(*f))).collect()
}

fn initial(pool: &TermPool, vars: &Vars, c: &mut Choices<'_>) -> Model {
    let mut model = Model::new();
    for v in vars.all() {
        let value = any_value(pool, c, v);
        model.set(pool.as_symbol(v).unwrap(), value);
    }
    model
}

/// Circuits: each part depends on the truth of the part before, so there are as many paths as there are subsets. What
/// is said is still true.
#[test]
fn large_terms_cost_bounded_work() {
    let mut pool = TermPool::new();
    let vars = Vars::new(&mut pool);
    let mut term = vars.ints[0];
    for i in 0..400 {
        let (one, bound) = (pool.int(1), pool.int(i % 7 - 3));
        let (condition, up, down) = (pool.le(term, bound), pool.add(&[term, one]), pool.sub(term, one));
        term = pool.ite(condition, up, down);
    }
    let mut model = Model::new();
    model.set(pool.as_symbol(vars.ints[0]).unwrap(), Value::Num(Rational::from(2i64)));
    let last = model.eval(&pool, term).unwrap();
    let last = pool.value_term(&last, SortId::INT).unwrap();
    let condition = pool.le(term, last);
    let begin = std::time::Instant::now();
    let mut state = State::all(vars.vocabulary(&pool));
    state.assume(&mut pool, condition);
    state.assign(&mut pool, &[(vars.ints[1], term)]);
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
    model.set(pool.as_symbol(vars.ints[1]).unwrap(), model.eval(&pool, term).unwrap());
    assert!(state.contains(&pool, &model));
    // The next step is looked at as carefully as ever.
    let (zero, three) = (pool.int(0), pool.int(3));
    let (low, high) = (pool.le(zero, vars.ints[0]), pool.le(vars.ints[0], three));
    let both = pool.and(&[low, high]);
    state.assume(&mut pool, both);
    let outside = pool.lt(three, vars.ints[0]);
    state.assume(&mut pool, outside);
    assert!(state.is_bottom());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn states_contain_concrete_executions(start in proptest::collection::vec(any::<u8>(), 30), bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut pool = TermPool::new();
        let vars = Vars::new(&mut pool);
        let mut state = State::all(vars.vocabulary(&pool));
        let mut model = initial(&pool, &vars, &mut Choices(start.iter()));
        steps(&mut pool, &vars, &mut Choices(bytes.iter()), &mut state, &mut model, &|p, s: &State, m| s.contains(p, m))?;
    }

    #[test]
    fn disjunctions_contain_concrete_executions(start in proptest::collection::vec(any::<u8>(), 30), bytes in proptest::collection::vec(any::<u8>(), 0..150)) {
        let mut pool = TermPool::new();
        let vars = Vars::new(&mut pool);
        let partition = Arc::new(Partition { terms: vec![vars.bools[0], vars.ints[1]], max_cases: 3 });
        let mut both = Disjunction::new(partition, State::all(vars.vocabulary(&pool)));
        let mut model = initial(&pool, &vars, &mut Choices(start.iter()));
        steps(&mut pool, &vars, &mut Choices(bytes.iter()), &mut both, &mut model, &|p, d: &Disjunction, m| {
            d.cases().any(|s| s.contains(p, m))
        })?;
    }

    /// Two executions: their join and widening contain the ends of both, and each state is within the join.
    #[test]
    fn joins_and_widenings_contain_both(starts in proptest::collection::vec(any::<u8>(), 60), a in proptest::collection::vec(any::<u8>(), 0..80), b in proptest::collection::vec(any::<u8>(), 0..80), more in proptest::collection::vec(any::<u8>(), 0..60)) {
        let mut pool = TermPool::new();
        let vars = Vars::new(&mut pool);
        let vocabulary = vars.vocabulary(&pool);
        let contains: &dyn Fn(&TermPool, &State, &Model) -> bool = &|p, s, m| s.contains(p, m);
        let run = |pool: &mut TermPool, start: &[u8], bytes: &[u8]| -> Result<Option<(State, Model)>, TestCaseError> {
            let mut state = State::all(vocabulary.clone());
            let mut model = initial(pool, &vars, &mut Choices(start.iter()));
            let ended = steps(pool, &vars, &mut Choices(bytes.iter()), &mut state, &mut model, contains)?;
            Ok(ended.then_some((state, model)))
        };
        let (Some((x, m)), Some((y, n))) = (run(&mut pool, &starts[..30], &a)?, run(&mut pool, &starts[30..], &b)?) else { return Ok(()) };
        let joined = x.join(&pool, &y);
        prop_assert!(joined.contains(&pool, &m) && joined.contains(&pool, &n));
        prop_assert!(x.is_within(&pool, &x) && joined.is_within(&pool, &joined));
        let thresholds = Thresholds::new([Rational::from(3i64)]);
        let widened = x.widen(&pool, &joined, &thresholds);
        prop_assert!(widened.contains(&pool, &m) && widened.contains(&pool, &n));
        let narrowed = widened.narrow(&pool, &joined);
        prop_assert!(narrowed.contains(&pool, &m) && narrowed.contains(&pool, &n));
        let mut reduced = widened.clone();
        reduced.reduce(&pool);
        prop_assert!(reduced.contains(&pool, &m) && reduced.contains(&pool, &n));
        // The joined state is as good a start as any.
        let (mut state, mut model) = (joined, n);
        steps(&mut pool, &vars, &mut Choices(more.iter()), &mut state, &mut model, contains)?;
    }

    /// A loop around random statements: widening becomes stable, and then contains every iteration.
    #[test]
    fn widening_ends(start in proptest::collection::vec(any::<u8>(), 30), body in proptest::collection::vec(any::<u8>(), 0..80)) {
        let mut pool = TermPool::new();
        let vars = Vars::new(&mut pool);
        let mut head = State::all(vars.vocabulary(&pool));
        let zero = pool.int(0);
        let pairs: Vec<(TermId, TermId)> = vars.ints.iter().map(|v| (*v, zero)).collect();
        head.assign(&mut pool, &pairs);
        let thresholds = Thresholds::new([Rational::from(4i64), Rational::from(40i64)]);
        let mut n_rounds = 0;
        loop {
            let mut state = head.clone();
            state.reduce(&pool);
            let mut choices = Choices(body.iter());
            while !choices.is_over() {
                let statement = statement(&mut pool, &vars, &mut choices);
                step(&mut pool, &mut state, &statement);
            }
            if state.is_bottom() || state.is_within(&pool, &head) {
                break;
            }
            head = head.widen(&pool, &state, &thresholds);
            n_rounds += 1;
            prop_assert!(n_rounds < 200, "{}", show(&mut pool, &head));
        }
        let mut model = initial(&pool, &vars, &mut Choices(start.iter()));
        for v in &vars.ints {
            model.set(pool.as_symbol(*v).unwrap(), Value::int(0));
        }
        for _ in 0..6 {
            prop_assert!(head.contains(&pool, &model), "{}", show(&mut pool, &head));
            let mut state = head.clone();
            let goes_on = steps(&mut pool, &vars, &mut Choices(body.iter()), &mut state, &mut model, &|p, s: &State, m| s.contains(p, m))?;
            if !goes_on {
                break;
            }
        }
    }
}
