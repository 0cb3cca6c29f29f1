//! Differential fuzzing of the solver.
//!
//!     cargo run -p smt --example fuzz_smt -- [--logic NAME] [--seed N] [--count N] [--no-z3] [--proofs on|off]
//!
//! Random incremental scripts (asserts, pushes, pops, checks) over a chosen fragment are answered three times: by the
//! solver, by evaluation in many small random models (a model of formulas that were called unsatisfiable is a bug),
//! and by `z3` if it is on the path. A *sat* answer needs no oracle: the solver has evaluated its model. Exits with
//! status 1 on the first disagreement and prints the script.

use base::Budget;
use logic::{FunId, FunValue, Model, Rational, SatResult, Solver, SortId, TermId, TermPool, Value};
use smt::{SmtOptions, SmtSolver};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 16) % n.max(1) as u64) as usize
    }
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Which kinds of terms occur.
#[derive(Clone, Copy, Default)]
struct Fragment {
    ints: bool,
    reals: bool,
    functions: bool,
    arrays: bool,
    sorts: bool,
    division: bool,
    bitvectors: bool,
    nonlinear: bool,
}

fn fragment(name: &str) -> Option<Fragment> {
    let none = Fragment::default();
    Some(match name {
        "bool" => none,
        "uf" => Fragment { functions: true, sorts: true, ..none },
        "lra" => Fragment { reals: true, ..none },
        "lia" => Fragment { ints: true, division: true, ..none },
        "lira" => Fragment { ints: true, reals: true, division: true, ..none },
        "uflia" => Fragment { ints: true, functions: true, division: true, ..none },
        "uflra" => Fragment { reals: true, functions: true, sorts: true, ..none },
        "ax" => Fragment { arrays: true, sorts: true, ..none },
        "auflia" => Fragment { ints: true, functions: true, arrays: true, ..none },
        "bv" => Fragment { bitvectors: true, ..none },
        "abv" => Fragment { bitvectors: true, arrays: true, functions: true, ..none },
        "nia" => Fragment { ints: true, nonlinear: true, division: true, ..none },
        "all" => Fragment {
            ints: true,
            reals: true,
            functions: true,
            arrays: true,
            sorts: true,
            division: true,
            bitvectors: false,
            nonlinear: false,
        },
        _ => return None,
    })
}

const ALL: [&str; 10] = ["bool", "uf", "lra", "lia", "lira", "uflia", "uflra", "ax", "auflia", "all"];

struct Generator {
    rng: Rng,
    fragment: Fragment,
    pool: TermPool,
    constants: Vec<TermId>,
    functions: Vec<FunId>,
    bv: SortId,
}

impl Generator {
    fn new(seed: u64, fragment: Fragment) -> Generator {
        let mut pool = TermPool::new();
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        rng.next();
        let u = pool.uninterpreted_sort("U");
        let bv = pool.bitvec_sort(1 + (seed % 4) as u32);
        let (int, real, bool_) = (SortId::INT, SortId::REAL, SortId::BOOL);
        let mut constants = Vec::new();
        let mut add = |pool: &mut TermPool, names: &[&str], sort: SortId| {
            for n in names {
                constants.push(pool.constant(n, sort));
            }
        };
        add(&mut pool, &["p", "q", "r"], bool_);
        let mut functions = Vec::new();
        if fragment.ints {
            add(&mut pool, &["x", "y", "z"], int);
        }
        if fragment.reals {
            add(&mut pool, &["s", "t"], real);
        }
        if fragment.sorts {
            add(&mut pool, &["u", "v", "w"], u);
        }
        if fragment.bitvectors {
            add(&mut pool, &["m", "n"], bv);
        }
        if fragment.functions {
            functions.push(pool.declare_fun("g", &[bool_], bool_));
            if fragment.ints {
                functions.push(pool.declare_fun("f", &[int], int));
                functions.push(pool.declare_fun("f2", &[int, bool_], int));
            }
            if fragment.reals {
                functions.push(pool.declare_fun("h", &[real], real));
            }
            if fragment.sorts {
                functions.push(pool.declare_fun("e", &[u], u));
                functions.push(pool.declare_fun("e2", &[u, u], u));
                functions.push(pool.declare_fun("ep", &[u], bool_));
            }
            if fragment.bitvectors {
                functions.push(pool.declare_fun("fb", &[bv], bv));
            }
        }
        if fragment.arrays {
            if fragment.ints {
                let sort = pool.array_sort(int, int);
                add(&mut pool, &["a", "b"], sort);
                let sort = pool.array_sort(int, bool_);
                add(&mut pool, &["c"], sort);
            }
            if fragment.sorts {
                let sort = pool.array_sort(u, u);
                add(&mut pool, &["d", "dd"], sort);
            }
            if fragment.bitvectors {
                let sort = pool.array_sort(bv, bv);
                add(&mut pool, &["ab", "ac"], sort);
            }
            let sort = pool.array_sort(bool_, bool_);
            add(&mut pool, &["k"], sort);
        }
        Generator { rng, fragment, pool, constants, functions, bv }
    }
    fn sorts(&self) -> Vec<SortId> {
        let mut sorts: Vec<SortId> = self.constants.iter().map(|&c| self.pool.sort(c)).collect();
        sorts.sort_unstable();
        sorts.dedup();
        sorts
    }
    fn leaf(&mut self, sort: SortId) -> TermId {
        let candidates: Vec<TermId> = self.constants.iter().copied().filter(|&c| self.pool.sort(c) == sort).collect();
        if sort == SortId::INT && (candidates.is_empty() || self.rng.chance(35)) {
            let n = self.rng.below(7) as i64 - 3;
            return self.pool.int(n);
        }
        if sort == SortId::REAL && (candidates.is_empty() || self.rng.chance(35)) {
            let n = self.rng.below(9) as i64 - 4;
            return self.pool.real_num(Rational::ratio(n, 2));
        }
        if let Some(w) = self.pool.bitvec_width(sort)
            && (candidates.is_empty() || self.rng.chance(35))
        {
            let n = self.rng.below(1 << w) as i64;
            return self.pool.bv_num(n.into(), w);
        }
        if sort == SortId::BOOL && self.rng.chance(3) {
            let b = self.rng.chance(50);
            return self.pool.bool(b);
        }
        candidates[self.rng.below(candidates.len())]
    }
    fn term(&mut self, sort: SortId, depth: usize) -> TermId {
        if sort == SortId::BOOL {
            return self.formula(depth);
        }
        if depth == 0 || self.rng.chance(25) {
            return self.leaf(sort);
        }
        let d = depth - 1;
        if self.rng.chance(12) {
            let c = self.formula(d);
            let (a, b) = (self.term(sort, d), self.term(sort, d));
            return self.pool.ite(c, a, b);
        }
        let functions: Vec<FunId> =
            self.functions.iter().copied().filter(|&f| self.pool.fun(f).result == sort).collect();
        if !functions.is_empty() && self.rng.chance(35) {
            let f = functions[self.rng.below(functions.len())];
            return self.apply(f, d);
        }
        if let Some((index, element)) = self.pool.array_parts(sort) {
            if self.rng.chance(12) {
                let v = self.term(element, d);
                return self.pool.const_array(sort, v);
            }
            let (a, i, v) = (self.term(sort, d), self.term(index, d), self.term(element, d));
            return self.pool.store(a, i, v);
        }
        if let Some(t) = self.read(sort, d) {
            return t;
        }
        if sort == SortId::INT {
            return self.int_term(d);
        }
        if sort == SortId::REAL {
            return self.real_term(d);
        }
        if sort == self.bv && self.fragment.bitvectors {
            return self.bv_term(d);
        }
        self.leaf(sort)
    }
    /// Sometimes a read of an array with this element sort.
    fn read(&mut self, element: SortId, depth: usize) -> Option<TermId> {
        if !self.fragment.arrays || !self.rng.chance(40) {
            return None;
        }
        let arrays: Vec<SortId> =
            self.sorts().into_iter().filter(|&s| self.pool.array_parts(s).is_some_and(|(_, e)| e == element)).collect();
        if arrays.is_empty() {
            return None;
        }
        let sort = arrays[self.rng.below(arrays.len())];
        let (index, _) = self.pool.array_parts(sort)?;
        let (a, i) = (self.term(sort, depth), self.term(index, depth));
        Some(self.pool.select(a, i))
    }
    fn apply(&mut self, f: FunId, depth: usize) -> TermId {
        let sorts = self.pool.fun(f).args.clone();
        let args: Vec<TermId> = sorts.into_iter().map(|s| self.term(s, depth)).collect();
        self.pool.app(f, &args)
    }
    fn int_term(&mut self, d: usize) -> TermId {
        let a = self.term(SortId::INT, d);
        match self.rng.below(10) {
            0..=2 => {
                let b = self.term(SortId::INT, d);
                self.pool.add(&[a, b])
            }
            3 | 4 => {
                let b = self.term(SortId::INT, d);
                self.pool.sub(a, b)
            }
            5 => {
                let k = self.rng.below(9) as i64 - 4;
                self.pool.scale(a, &Rational::from(k))
            }
            6 if self.fragment.division => {
                let k = self.rng.below(7) as i64 - 3;
                let k = self.pool.int(if k == 0 && self.rng.chance(80) { 4 } else { k });
                self.pool.int_div(a, k)
            }
            7 if self.fragment.division => {
                let k = self.rng.below(7) as i64 - 3;
                let k = self.pool.int(if k == 0 && self.rng.chance(80) { 4 } else { k });
                self.pool.modulo(a, k)
            }
            8 if self.fragment.division => self.pool.abs(a),
            9 if self.fragment.reals => {
                let r = self.term(SortId::REAL, d);
                self.pool.to_int(r)
            }
            _ if self.fragment.nonlinear => {
                let b = self.term(SortId::INT, d);
                self.pool.mul(&[a, b])
            }
            _ => a,
        }
    }
    fn real_term(&mut self, d: usize) -> TermId {
        let a = self.term(SortId::REAL, d);
        match self.rng.below(6) {
            0 | 1 => {
                let b = self.term(SortId::REAL, d);
                self.pool.add(&[a, b])
            }
            2 => {
                let b = self.term(SortId::REAL, d);
                self.pool.sub(a, b)
            }
            3 => {
                let k = self.rng.below(9) as i64 - 4;
                self.pool.scale(a, &Rational::ratio(k, 3))
            }
            4 if self.fragment.ints => {
                let i = self.term(SortId::INT, d);
                self.pool.to_real(i)
            }
            _ => a,
        }
    }
    fn bv_term(&mut self, d: usize) -> TermId {
        use logic::Op::*;
        let w = self.pool.bitvec_width(self.bv).unwrap();
        let a = self.term(self.bv, d);
        let binary =
            [BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl, BvLshr, BvAshr];
        match self.rng.below(binary.len() + 4) {
            k if k < binary.len() => {
                let b = self.term(self.bv, d);
                self.pool.bv(binary[k], &[a, b])
            }
            k if k == binary.len() => self.pool.bv(BvNot, &[a]),
            k if k == binary.len() + 1 => self.pool.bv(BvNeg, &[a]),
            k if k == binary.len() + 2 => {
                let lo = self.rng.below(w as usize) as u32;
                let hi = lo + self.rng.below((w - lo) as usize) as u32;
                let e = self.pool.bv(BvExtract(hi, lo), &[a]);
                let missing = w - (hi - lo + 1);
                let op = if self.rng.chance(50) { BvZeroExt(missing) } else { BvSignExt(missing) };
                self.pool.bv(op, &[e])
            }
            _ => {
                let b = self.term(self.bv, d);
                let c = self.pool.bv(BvConcat, &[a, b]);
                let lo = self.rng.below(w as usize + 1) as u32;
                self.pool.bv(BvExtract(lo + w - 1, lo), &[c])
            }
        }
    }
    fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.leaf(SortId::BOOL);
        }
        let d = depth - 1;
        match self.rng.below(20) {
            0 | 1 => {
                let a = self.formula(d);
                self.pool.not(a)
            }
            2..=4 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.pool.and2(a, b)
            }
            5..=7 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.pool.or2(a, b)
            }
            8 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.pool.eq(a, b)
            }
            9 => {
                let (c, a, b) = (self.formula(d), self.formula(d), self.formula(d));
                self.pool.ite(c, a, b)
            }
            _ => self.atom(d),
        }
    }
    fn atom(&mut self, d: usize) -> TermId {
        let predicates: Vec<FunId> =
            self.functions.iter().copied().filter(|&f| self.pool.fun(f).result == SortId::BOOL).collect();
        if !predicates.is_empty() && self.rng.chance(15) {
            let f = predicates[self.rng.below(predicates.len())];
            return self.apply(f, d);
        }
        if let Some(t) = (self.rng.chance(20)).then(|| self.read(SortId::BOOL, d)).flatten() {
            return t;
        }
        let sorts = self.sorts();
        let sort = sorts[self.rng.below(sorts.len())];
        let (a, b) = (self.term(sort, d), self.term(sort, d));
        if sort.is_arith() && self.rng.chance(60) {
            return match self.rng.below(5) {
                0 | 1 => self.pool.le(a, b),
                2 => self.pool.lt(a, b),
                3 => self.pool.ge(a, b),
                _ if sort == SortId::REAL && self.fragment.ints => self.pool.is_int(a),
                _ => self.pool.gt(a, b),
            };
        }
        if sort == self.bv && self.fragment.bitvectors && self.rng.chance(60) {
            use logic::Op::*;
            let op = [BvUlt, BvUle, BvSlt, BvSle][self.rng.below(4)];
            return self.pool.bv(op, &[a, b]);
        }
        if self.rng.chance(12) {
            let c = self.term(sort, d);
            return self.pool.distinct(&[a, b, c]);
        }
        self.pool.eq(a, b)
    }

    fn random_value(&mut self, sort: SortId, spread: i64) -> Value {
        match self.pool.sort_data(sort).clone() {
            logic::Sort::Bool => Value::Bool(self.rng.chance(50)),
            logic::Sort::Int => Value::int(self.rng.below(2 * spread as usize + 1) as i64 - spread),
            logic::Sort::Real => {
                Value::Num(Rational::ratio(self.rng.below(4 * spread as usize + 1) as i64 - 2 * spread, 2))
            }
            logic::Sort::BitVec(w) => Value::Bv((self.rng.below(1 << w) as i64).into(), w),
            logic::Sort::Uninterpreted(_) => Value::Element(sort, self.rng.below(3) as u32),
            logic::Sort::Array(index, element) => {
                let default = self.random_value(element, spread);
                let mut array = logic::ArrayValue::constant(default);
                let n = self.pool.cardinality(index);
                for _ in 0..self.rng.below(4) {
                    let (i, v) = (self.random_value(index, spread), self.random_value(element, spread));
                    array.set(i, v, n);
                }
                Value::Array(std::sync::Arc::new(array))
            }
        }
    }
    fn random_model(&mut self) -> Model {
        let spread = 1 + self.rng.below(4) as i64;
        let mut model = Model::new();
        for k in 0..self.constants.len() {
            let c = self.constants[k];
            let f = self.pool.as_symbol(c).expect("a constant");
            let value = self.random_value(self.pool.sort(c), spread);
            model.set(f, value);
        }
        for k in 0..self.functions.len() {
            let f = self.functions[k];
            let decl = self.pool.fun(f).clone();
            let mut entries = BTreeMap::new();
            for _ in 0..self.rng.below(6) {
                let key = decl.args.iter().map(|&s| self.random_value(s, spread)).collect();
                let value = self.random_value(decl.result, spread);
                entries.insert(key, value);
            }
            let default = self.random_value(decl.result, spread);
            model.set_fun(f, FunValue { entries, default });
        }
        model
    }
}

enum Command {
    Push,
    Pop(usize),
    Assert(TermId),
    Check,
}

fn script(g: &mut Generator) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut depth = 0;
    let n = 3 + g.rng.below(8);
    for _ in 0..n {
        match g.rng.below(12) {
            0 => {
                commands.push(Command::Push);
                depth += 1;
            }
            1 if depth > 0 => {
                let n = 1 + g.rng.below(depth);
                commands.push(Command::Pop(n));
                depth -= n;
            }
            2 | 3 => commands.push(Command::Check),
            _ => {
                let d = 1 + g.rng.below(4);
                commands.push(Command::Assert(g.formula(d)));
            }
        }
    }
    commands.push(Command::Check);
    commands
}

fn text(g: &Generator, commands: &[Command]) -> String {
    let terms: Vec<TermId> =
        commands.iter().filter_map(|c| if let Command::Assert(t) = c { Some(*t) } else { None }).collect();
    let mut out = g.pool.smtlib_declarations(&terms);
    for c in commands {
        let _ = match c {
            Command::Push => writeln!(out, "(push 1)"),
            Command::Pop(n) => writeln!(out, "(pop {n})"),
            Command::Assert(t) => writeln!(out, "(assert {})", g.pool.smtlib(*t)),
            Command::Check => writeln!(out, "(check-sat)"),
        };
    }
    out
}

fn answer_name(r: &SatResult) -> &'static str {
    match r {
        SatResult::Sat => "sat",
        SatResult::Unsat => "unsat",
        SatResult::Unknown(_) => "unknown",
    }
}

fn fail(kind: &str, seed: u64, logic: &str, script: &str) -> ! {
    println!("DISAGREEMENT ({kind}), logic {logic}, seed {seed}\n{script}");
    std::process::exit(1);
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|k| args.get(k + 1)).cloned();
    let first: u64 = option("--seed").and_then(|s| s.parse().ok()).unwrap_or(1);
    let count: u64 = option("--count").and_then(|s| s.parse().ok()).unwrap_or(1000);
    let logics: Vec<String> = match option("--logic") {
        Some(l) => l.split(',').map(str::to_string).collect(),
        None => ALL.iter().map(|s| s.to_string()).collect(),
    };
    let use_z3 = !args.iter().any(|a| a == "--no-z3");
    let show = args.iter().any(|a| a == "--show");
    let proofs = option("--proofs");
    for logic in &logics {
        let Some(fragment) = fragment(logic) else {
            println!("unknown logic {logic}");
            std::process::exit(2);
        };
        let (mut n_sat, mut n_unsat, mut n_unknown) = (0u64, 0u64, 0u64);
        let mut slowest = (Duration::ZERO, 0);
        let mut time = Duration::ZERO;
        let mut batch: Vec<(u64, String, Vec<&'static str>)> = Vec::new();
        for seed in first..first + count {
            let mut g = Generator::new(seed, fragment);
            let commands = script(&mut g);
            let text = text(&g, &commands);
            if show {
                println!("{text}");
            }
            let with_proofs = match proofs.as_deref() {
                Some("on") => true,
                Some("off") => false,
                _ => seed % 2 == 0,
            };
            let mut solver = SmtSolver::new(SmtOptions { proofs: with_proofs });
            let mut live: Vec<TermId> = Vec::new();
            let mut marks: Vec<usize> = Vec::new();
            let mut answers = Vec::new();
            let started = Instant::now();
            for c in &commands {
                match c {
                    Command::Push => {
                        solver.push();
                        marks.push(live.len());
                    }
                    Command::Pop(n) => {
                        solver.pop(*n);
                        for _ in 0..*n {
                            live.truncate(marks.pop().expect("scopes match"));
                        }
                    }
                    Command::Assert(t) => {
                        solver.assert(&mut g.pool, *t);
                        live.push(*t);
                    }
                    Command::Check => {
                        let budget = Budget::with_timeout(Duration::from_secs(5));
                        let r = solver.check(&mut g.pool, &budget);
                        match &r {
                            SatResult::Sat => n_sat += 1,
                            SatResult::Unsat => {
                                n_unsat += 1;
                                for _ in 0..30 {
                                    let model = g.random_model();
                                    if live.iter().all(|&t| model.holds(&g.pool, t) == Ok(true)) {
                                        fail("a model exists", seed, logic, &text);
                                    }
                                }
                            }
                            SatResult::Unknown(why) => {
                                n_unknown += 1;
                                if args.iter().any(|a| a == "--unknowns") {
                                    println!("unknown ({why}), seed {seed}");
                                }
                            }
                        }
                        answers.push(answer_name(&r));
                    }
                }
            }
            let took = started.elapsed();
            time += took;
            if took > slowest.0 {
                slowest = (took, seed);
            }
            batch.push((seed, text, answers));
            if use_z3 && (batch.len() == 200 || seed + 1 == first + count) {
                compare_with_z3(logic, &batch);
                batch.clear();
            }
        }
        println!(
            "{logic}: {count} scripts, {n_sat} sat, {n_unsat} unsat, {n_unknown} unknown, {time:.1?} in total, \
             slowest {:.1?} (seed {})",
            slowest.0, slowest.1
        );
    }
}

fn compare_with_z3(logic: &str, batch: &[(u64, String, Vec<&'static str>)]) {
    let mut input = String::new();
    for (seed, text, _) in batch {
        let _ = write!(input, "(reset)\n(set-option :timeout 2000)\n(echo \"seed {seed}\")\n{text}");
    }
    let child = std::process::Command::new("z3")
        .arg("-in")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let Ok(mut child) = child else { return };
    let mut stdin = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let Ok(output) = child.wait_with_output() else { return };
    let _ = writer.join();
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut answers: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    let mut current = 0;
    for line in output.lines() {
        if let Some(seed) = line.strip_prefix("seed ") {
            current = seed.parse().unwrap_or(0);
        } else if matches!(line, "sat" | "unsat" | "unknown" | "timeout") {
            answers.entry(current).or_default().push(line);
        } else if line.starts_with("(error") {
            println!("z3 says {line} (seed {current})");
        }
    }
    for (seed, text, ours) in batch {
        let theirs = answers.get(seed).cloned().unwrap_or_default();
        for (k, our) in ours.iter().enumerate() {
            let their = theirs.get(k).copied().unwrap_or("unknown");
            if matches!((*our, their), ("sat", "unsat") | ("unsat", "sat")) {
                fail(&format!("check {k}: we say {our}, z3 says {their}"), *seed, logic, text);
            }
        }
    }
}
