//! Fuzzing of refutations and interpolants.
//!
//!     cargo run -p smt --example fuzz_itp -- [--logic NAME] [--seed N] [--count N] [--z3 PERCENT]
//!
//! Random groups of formulas, each over symbols of its own and symbols shared with its neighbours,
//! are asserted until they contradict each other. Then: the refutation is checked step by step;
//! sequence and tree interpolants are computed for several labellings and Farkas strengths; and
//! each is verified against its definition (vocabulary, every step of the tree) by a fresh solver
//! without proofs, and by `z3`, if it is on the path, for a given share of the queries. Exits with
//! status 1 at the first failure and prints the problem. Queries for which no interpolant was
//! found are counted, not hidden.

use base::Budget;
use logic::{
    AssertionId, Farkas, FunId, ItpError, ItpOptions, ItpTree, Labelling, Rational, SatResult, Solver, SortId, TermId,
    TermPool,
};
use smt::SmtSolver;
use smt::interpolate::verify::{Flaw, verify};
use smt::interpolate::{Partitions, partitions};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::Duration;

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

#[derive(Clone, Copy, Default)]
struct Fragment {
    ints: bool,
    reals: bool,
    functions: bool,
    arrays: bool,
    sorts: bool,
    division: bool,
    bitvectors: bool,
}

const LOGICS: [(&str, Fragment); 11] = {
    let none = Fragment {
        ints: false,
        reals: false,
        functions: false,
        arrays: false,
        sorts: false,
        division: false,
        bitvectors: false,
    };
    [
        ("bool", none),
        ("uf", Fragment { functions: true, sorts: true, ..none }),
        ("lra", Fragment { reals: true, ..none }),
        ("lia", Fragment { ints: true, ..none }),
        ("lia-div", Fragment { ints: true, division: true, ..none }),
        ("uflia", Fragment { ints: true, functions: true, ..none }),
        ("uflra", Fragment { reals: true, functions: true, ..none }),
        ("ax", Fragment { arrays: true, sorts: true, ..none }),
        ("alia", Fragment { ints: true, arrays: true, ..none }),
        ("lira", Fragment { ints: true, reals: true, ..none }),
        ("bv", Fragment { bitvectors: true, ..none }),
    ]
};

/// Symbols of one group: its own and those it has in common with its neighbours.
struct Vocabulary {
    bools: Vec<TermId>,
    ints: Vec<TermId>,
    reals: Vec<TermId>,
    elements: Vec<TermId>,
    arrays: Vec<TermId>,
    words: Vec<TermId>,
}

struct Generator<'a> {
    rng: &'a mut Rng,
    pool: &'a mut TermPool,
    fragment: Fragment,
    functions: BTreeMap<SortId, FunId>,
}

impl Generator<'_> {
    fn pick(&mut self, from: &[TermId]) -> TermId {
        from[self.rng.below(from.len())]
    }
    fn term(&mut self, v: &Vocabulary, sort: SortId, depth: usize) -> TermId {
        if depth > 0 && self.rng.chance(30) && self.functions.contains_key(&sort) {
            let f = self.functions[&sort];
            let argument = self.term(v, sort, depth - 1);
            return self.pool.app(f, &[argument]);
        }
        if depth > 0 && self.rng.chance(30) && !v.arrays.is_empty() {
            let (index, element) = self.pool.array_parts(self.pool.sort(v.arrays[0])).expect("arrays");
            if element == sort {
                let array = self.array(v, depth - 1);
                let i = self.term(v, index, depth - 1);
                return self.pool.select(array, i);
            }
        }
        if self.fragment.bitvectors && self.pool.bitvec_width(sort).is_some() {
            use logic::Op;
            let a = self.pick(&v.words);
            let ops = [Op::BvAdd, Op::BvSub, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvMul];
            return match self.rng.below(10) {
                0 | 1 => {
                    let n = self.rng.below(16) as i64;
                    self.pool.bv_num(n.into(), 4)
                }
                2..=4 if depth > 0 => {
                    let b = self.term(v, sort, depth - 1);
                    let op = ops[self.rng.below(ops.len())];
                    self.pool.bv(op, &[a, b])
                }
                _ => a,
            };
        }
        if sort == SortId::INT {
            if self.fragment.division && depth > 0 && self.rng.chance(25) {
                let t = self.term(v, sort, depth - 1);
                let k = 2 + self.rng.below(3) as i64;
                let k = self.pool.int(k);
                return if self.rng.chance(50) { self.pool.modulo(t, k) } else { self.pool.int_div(t, k) };
            }
            return match self.rng.below(10) {
                0 | 1 => {
                    let n = self.rng.below(9) as i64 - 4;
                    self.pool.int(n)
                }
                2 | 3 if depth > 0 => {
                    let (a, b) = (self.term(v, sort, depth - 1), self.term(v, sort, depth - 1));
                    let k = self.rng.below(7) as i64 - 3;
                    let b = self.pool.scale(b, &Rational::from(k));
                    self.pool.add(&[a, b])
                }
                _ => self.pick(&v.ints),
            };
        }
        if sort == SortId::REAL {
            if self.fragment.ints && depth > 0 && self.rng.chance(35) {
                let t = self.term(v, SortId::INT, depth - 1);
                return self.pool.to_real(t);
            }
            return match self.rng.below(10) {
                0 | 1 => {
                    let n = self.rng.below(9) as i64 - 4;
                    self.pool.real_num(Rational::ratio(n, 2))
                }
                2 | 3 if depth > 0 => {
                    let (a, b) = (self.term(v, sort, depth - 1), self.term(v, sort, depth - 1));
                    let k = self.rng.below(7) as i64 - 3;
                    let b = self.pool.scale(b, &Rational::from(k));
                    self.pool.add(&[a, b])
                }
                _ => self.pick(&v.reals),
            };
        }
        self.pick(&v.elements)
    }
    fn array(&mut self, v: &Vocabulary, depth: usize) -> TermId {
        let array = self.pick(&v.arrays);
        if depth > 0 && self.rng.chance(50) {
            let (index, element) = self.pool.array_parts(self.pool.sort(array)).expect("an array");
            let (i, x) = (self.term(v, index, depth - 1), self.term(v, element, depth - 1));
            return self.pool.store(array, i, x);
        }
        array
    }
    fn atom(&mut self, v: &Vocabulary) -> TermId {
        let mut kinds = vec![0];
        if self.fragment.ints {
            kinds.extend([1, 1, 1]);
        }
        if self.fragment.reals {
            kinds.extend([2, 2, 2]);
        }
        if self.fragment.sorts {
            kinds.extend([3, 3, 3]);
        }
        if self.fragment.arrays {
            kinds.extend([4, 4]);
        }
        if self.fragment.bitvectors {
            kinds.extend([5, 5, 5]);
        }
        let kind = kinds[self.rng.below(kinds.len())];
        match kind {
            5 => {
                let sort = self.pool.sort(v.words[0]);
                let (a, b) = (self.term(v, sort, 2), self.term(v, sort, 1));
                match self.rng.below(4) {
                    0 => self.pool.bv(logic::Op::BvUlt, &[a, b]),
                    1 => self.pool.bv(logic::Op::BvSle, &[a, b]),
                    _ => self.pool.eq(a, b),
                }
            }
            1 | 2 => {
                let sort = if kind == 1 { SortId::INT } else { SortId::REAL };
                let (a, b) = (self.term(v, sort, 2), self.term(v, sort, 2));
                match self.rng.below(4) {
                    0 => self.pool.le(a, b),
                    1 => self.pool.lt(a, b),
                    _ => self.pool.eq(a, b),
                }
            }
            3 => {
                let sort = self.pool.sort(v.elements[0]);
                let (a, b) = (self.term(v, sort, 2), self.term(v, sort, 2));
                self.pool.eq(a, b)
            }
            4 => {
                let (a, b) = (self.array(v, 2), self.array(v, 1));
                self.pool.eq(a, b)
            }
            _ => self.pick(&v.bools),
        }
    }
    fn formula(&mut self, v: &Vocabulary) -> TermId {
        let n = [1, 1, 2, 2, 3][self.rng.below(5)];
        let mut literals = Vec::new();
        for _ in 0..n {
            let atom = self.atom(v);
            literals.push(if self.rng.chance(35) { self.pool.not(atom) } else { atom });
        }
        if self.rng.chance(15) { self.pool.and(&literals) } else { self.pool.or(&literals) }
    }
}

struct Problem {
    pool: TermPool,
    groups: Vec<Vec<TermId>>,
}

/// Groups over a chain of vocabularies; group `k` sees the symbols `k` and `k + 1`.
fn problem(seed: u64, fragment: Fragment) -> (Problem, Rng) {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    rng.next();
    let mut pool = TermPool::new();
    let n_groups = 2 + rng.below(4);
    let u = pool.uninterpreted_sort("U");
    let word = pool.bitvec_sort(4);
    let array_sort = if fragment.ints { pool.array_sort(SortId::INT, SortId::INT) } else { pool.array_sort(u, u) };
    let mut functions = BTreeMap::new();
    if fragment.functions {
        for (name, sort, wanted) in
            [("f", SortId::INT, fragment.ints), ("h", SortId::REAL, fragment.reals), ("e", u, fragment.sorts)]
        {
            if wanted {
                functions.insert(sort, pool.declare_fun(name, &[sort], sort));
            }
        }
    }
    let names = |pool: &mut TermPool, wanted: bool, hint: &str, sort: SortId, k: usize, n: usize| -> Vec<TermId> {
        (0..if wanted { n } else { 0 }).map(|j| pool.constant(&format!("{hint}{k}_{j}"), sort)).collect()
    };
    let layers: Vec<Vocabulary> = (0..=n_groups)
        .map(|k| Vocabulary {
            bools: names(&mut pool, true, "p", SortId::BOOL, k, 2),
            ints: names(&mut pool, fragment.ints, "x", SortId::INT, k, 2),
            reals: names(&mut pool, fragment.reals, "r", SortId::REAL, k, 2),
            elements: names(&mut pool, fragment.sorts, "u", u, k, 2),
            arrays: names(&mut pool, fragment.arrays, "a", array_sort, k, 1),
            words: names(&mut pool, fragment.bitvectors, "w", word, k, 1),
        })
        .collect();
    let mut groups = vec![Vec::new(); n_groups];
    let mut generator = Generator { rng: &mut rng, pool: &mut pool, fragment, functions };
    for _ in 0..4 + generator.rng.below(8) * n_groups {
        let k = generator.rng.below(n_groups);
        // Mostly neighbours; sometimes far away, so that trees have symbols shared by siblings.
        let other = if generator.rng.chance(80) { k + 1 } else { generator.rng.below(n_groups + 1) };
        let (a, b) = (&layers[k], &layers[other]);
        let both = |x: &[TermId], y: &[TermId]| x.iter().chain(y).copied().collect::<Vec<_>>();
        let vocabulary = Vocabulary {
            bools: both(&a.bools, &b.bools),
            ints: both(&a.ints, &b.ints),
            reals: both(&a.reals, &b.reals),
            elements: both(&a.elements, &b.elements),
            arrays: both(&a.arrays, &b.arrays),
            words: both(&a.words, &b.words),
        };
        let formula = generator.formula(&vocabulary);
        groups[k].push(formula);
    }
    (Problem { pool, groups }, rng)
}

fn random_parents(rng: &mut Rng, n: usize) -> Vec<Option<usize>> {
    if rng.chance(50) {
        return (1..=n).map(|v| (v < n).then_some(v)).collect();
    }
    // A random postorder: each new node adopts some of the roots so far, the last one all.
    let mut parent: Vec<Option<usize>> = vec![None; n];
    let mut roots: Vec<usize> = Vec::new();
    for v in 0..n {
        let adopted = if v + 1 == n { roots.len() } else { rng.below(roots.len() + 1) };
        for child in roots.split_off(roots.len() - adopted) {
            parent[child] = Some(v);
        }
        roots.push(v);
    }
    parent
}

fn z3_refutes(pool: &TermPool, formulas: &[TermId]) -> Option<bool> {
    let mut text = String::from("(set-logic ALL)\n");
    text.push_str(&pool.smtlib_declarations(formulas));
    for &f in formulas {
        text.push_str(&format!("(assert {})\n", pool.smtlib(f)));
    }
    text.push_str("(check-sat)\n");
    if text.contains("@diff") {
        return None;
    }
    let mut child = std::process::Command::new("z3")
        .args(["-in", "-T:5"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    match String::from_utf8_lossy(&output.stdout).trim() {
        "unsat" => Some(true),
        "sat" => Some(false),
        _ => None,
    }
}

fn z3_verifies(pool: &mut TermPool, partitions: &Partitions, interpolants: &[TermId]) -> bool {
    (0..partitions.tree.n_nodes() as u32).all(|v| {
        let mut premises = partitions.formulas[v as usize].clone();
        premises.extend(partitions.tree.children(v).iter().map(|&c| interpolants[c as usize]));
        if v != partitions.tree.root() {
            premises.push(pool.not(interpolants[v as usize]));
        }
        z3_refutes(pool, &premises) != Some(false)
    })
}

#[derive(Default)]
struct Counts {
    problems: usize,
    refutations: usize,
    queries: usize,
    not_found: BTreeMap<String, usize>,
    undecided: usize,
}

fn run(seed: u64, fragment: Fragment, z3_percent: usize, counts: &mut Counts) -> Result<(), String> {
    let (mut problem, mut rng) = problem(seed, fragment);
    counts.problems += 1;
    let pool = &mut problem.pool;
    let mut solver = SmtSolver::with_proofs();
    let mut ids: Vec<Vec<AssertionId>> = Vec::new();
    for group in &problem.groups {
        ids.push(group.iter().map(|&f| solver.assert(pool, f)).collect());
    }
    let budget = Budget::with_timeout(Duration::from_secs(2));
    if solver.check(pool, &budget) != SatResult::Unsat {
        return Ok(());
    }
    counts.refutations += 1;
    let show = |pool: &TermPool| {
        let all: Vec<TermId> = problem.groups.iter().flatten().copied().collect();
        let mut text = pool.smtlib_declarations(&all);
        for (k, group) in problem.groups.iter().enumerate() {
            for &f in group {
                text.push_str(&format!("(assert {}) ; group {k}\n", pool.smtlib(f)));
            }
        }
        text
    };
    match solver.check_refutation(pool) {
        Some(Ok(_)) => {}
        Some(Err(error)) => return Err(format!("{}\nthe proof checker says: {error}", show(pool))),
        None => return Err(format!("{}\nno refutation", show(pool))),
    }
    for _ in 0..3 {
        let parent = random_parents(&mut rng, ids.len());
        let tree = ItpTree { groups: ids.clone(), parent };
        let options = ItpOptions {
            labelling: [Labelling::McMillan, Labelling::Pudlak, Labelling::McMillanPrime][rng.below(3)],
            farkas: [Farkas::Strong, Farkas::Weak, Farkas::Decomposed][rng.below(3)],
        };
        counts.queries += 1;
        let budget = Budget::with_timeout(Duration::from_secs(5));
        let interpolants = match solver.interpolate(pool, &tree, options, &budget) {
            Ok(interpolants) => interpolants,
            Err(ItpError::NotFound(why)) => {
                *counts.not_found.entry(why).or_default() += 1;
                continue;
            }
            Err(ItpError::Stopped(stop)) => {
                *counts.not_found.entry(stop.to_string()).or_default() += 1;
                continue;
            }
            Err(error) => return Err(format!("{}\n{tree:?}\n{error}", show(pool))),
        };
        let assertions: Vec<(AssertionId, TermId)> = solver.assertions().to_vec();
        let parts = partitions(&tree, &assertions).map_err(|e| e.to_string())?;
        let told = |pool: &TermPool, what: &str| {
            let shown: Vec<String> = interpolants.iter().map(|&i| pool.smtlib(i)).collect();
            format!("{}\n{tree:?}\n{options:?}\n{shown:#?}\n{what}", show(pool))
        };
        match verify(pool, &parts, &interpolants, &budget) {
            Ok(()) => {}
            Err(Flaw::Undecided(_)) => counts.undecided += 1,
            Err(flaw) => return Err(told(pool, &format!("{flaw:?}"))),
        }
        if rng.chance(z3_percent) && !z3_verifies(pool, &parts, &interpolants) {
            return Err(told(pool, "z3 disagrees"));
        }
    }
    Ok(())
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|k| args.get(k + 1));
    let number = |name: &str, default: u64| option(name).and_then(|s| s.parse().ok()).unwrap_or(default);
    let (seed, count, z3_percent) = (number("--seed", 1), number("--count", 1000), number("--z3", 5) as usize);
    for (name, fragment) in LOGICS {
        if option("--logic").is_some_and(|wanted| wanted != name) {
            continue;
        }
        let mut counts = Counts::default();
        for k in 0..count {
            if let Err(report) = run(seed + k, fragment, z3_percent, &mut counts) {
                println!("{report}\nFAILURE: --logic {name} --seed {} --count 1", seed + k);
                std::process::exit(1);
            }
        }
        println!(
            "{name:8} {} problems, {} refutations, {} queries, {} undecided, not found: {:?}",
            counts.problems, counts.refutations, counts.queries, counts.undecided, counts.not_found
        );
    }
}
