//! The solver against plain enumeration on small domains, with scopes, with and without proofs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base::Budget;
use logic::{Model, Rational, SatResult, Solver, SortId, TermId, TermPool, Value};
use proptest::prelude::*;
use smt::{SmtOptions, SmtSolver};

/// Numbers that drive the choice of a formula.
type Choices = Vec<u8>;

struct Source<'a> {
    choices: &'a [u8],
    at: usize,
}

impl Source<'_> {
    fn below(&mut self, n: usize) -> usize {
        let c = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(c) % n
    }
}

const N_BOOLS: usize = 3;
const N_INTS: usize = 3;
/// Integers range over `0..SIZE`.
const SIZE: i64 = 3;

fn atom(pool: &mut TermPool, s: &mut Source<'_>, ints: &[TermId], bools: &[TermId]) -> TermId {
    if s.below(3) == 0 {
        return bools[s.below(N_BOOLS)];
    }
    let mut sum = pool.int(s.below(7) as i64 - 3);
    for &x in ints {
        let scaled = pool.scale(x, &Rational::from(s.below(5) as i64 - 2));
        sum = pool.add(&[sum, scaled]);
    }
    let zero = pool.int(0);
    match s.below(4) {
        0 => pool.le(sum, zero),
        1 => pool.eq(sum, zero),
        2 => {
            let three = pool.int(3);
            let rest = pool.modulo(sum, three);
            pool.eq(rest, zero)
        }
        _ => {
            let c = bools[s.below(N_BOOLS)];
            let chosen = pool.ite(c, sum, ints[0]);
            pool.le(chosen, ints[1])
        }
    }
}

fn formula(pool: &mut TermPool, s: &mut Source<'_>, ints: &[TermId], bools: &[TermId], depth: usize) -> TermId {
    if depth == 0 {
        return atom(pool, s, ints, bools);
    }
    let a = formula(pool, s, ints, bools, depth - 1);
    let b = formula(pool, s, ints, bools, depth - 1);
    match s.below(5) {
        0 => pool.and2(a, b),
        1 => pool.or2(a, b),
        2 => pool.eq(a, b),
        3 => pool.not(a),
        _ => pool.implies(a, b),
    }
}

fn has_model(pool: &TermPool, live: &[TermId], ints: &[TermId], bools: &[TermId]) -> bool {
    let n_ints = (SIZE as usize).pow(N_INTS as u32);
    (0..n_ints << N_BOOLS).any(|code| {
        let mut model = Model::new();
        let mut rest = code >> N_BOOLS;
        for &x in ints {
            model.set(pool.as_symbol(x).unwrap(), Value::int((rest % SIZE as usize) as i64));
            rest /= SIZE as usize;
        }
        for (k, &p) in bools.iter().enumerate() {
            model.set(pool.as_symbol(p).unwrap(), Value::Bool(code >> k & 1 == 1));
        }
        live.iter().all(|&t| model.holds(pool, t) == Ok(true))
    })
}

fn run(scripts: &[(u8, Choices)], proofs: bool) {
    let mut pool = TermPool::new();
    let ints: Vec<TermId> = ["x", "y", "z"].iter().map(|n| pool.constant(n, SortId::INT)).collect();
    let bools: Vec<TermId> = ["p", "q", "r"].iter().map(|n| pool.constant(n, SortId::BOOL)).collect();
    let mut solver = SmtSolver::new(SmtOptions { proofs, ..SmtOptions::default() });
    let mut live = Vec::new();
    let mut marks = Vec::new();
    let (zero, last) = (pool.int(0), pool.int(SIZE - 1));
    for &x in &ints {
        for bound in [pool.le(zero, x), pool.le(x, last)] {
            solver.assert(&mut pool, bound);
            live.push(bound);
        }
    }
    for (command, choices) in scripts {
        match command % 8 {
            0 => {
                solver.push();
                marks.push(live.len());
            }
            1 if !marks.is_empty() => {
                solver.pop(1);
                live.truncate(marks.pop().unwrap());
            }
            _ => {
                let t = formula(&mut pool, &mut Source { choices, at: 0 }, &ints, &bools, 2);
                solver.assert(&mut pool, t);
                live.push(t);
            }
        }
        let expected = if has_model(&pool, &live, &ints, &bools) { SatResult::Sat } else { SatResult::Unsat };
        assert_eq!(solver.check(&mut pool, &Budget::unlimited()), expected);
        if expected == SatResult::Unsat && proofs {
            // The core is unsatisfiable by itself.
            let core: Vec<TermId> = solver.unsat_core().iter().filter_map(|&id| solver.formula(id)).collect();
            let domain = &live[..2 * N_INTS];
            let with_domain: Vec<TermId> = core.iter().chain(domain).copied().collect();
            assert!(!has_model(&pool, &with_domain, &ints, &bools));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn agrees_with_enumeration(scripts in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 60)), 1..10)) {
        run(&scripts, true);
        run(&scripts, false);
    }
}
