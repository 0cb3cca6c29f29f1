//! `focus`: what focused interpolants save when a change removes behaviour: the experiment of Table 3 of Jančík, Alt,
//! Fedyukovich, Hyvärinen, Kofroň and Sharygina, *PVAIR: Partial Variable Assignment InterpolatoR*, FASE 2016, on
//! programs of our own.
//!
//! A program is a function with one to three guards and its caller, over words. A guard decides which of two
//! polynomials of its inputs the function computes; the function tells which, and the caller asserts that the result is
//! right, in another form of the polynomial: nonlinear arithmetic on bits. Two more functions do not change.
//! *Bootstrap* refutes the old version and makes the summary of the function, an interpolant. In the new version all
//! guards are fixed. *Upgrade* proves that the function still implies its summary: the one of the old version as it is,
//! or the one focused on the new version, which the same refutation gives. Every summary is checked against its
//! definition by another solver, outside the times. Times are those of the processor.

use base::{Budget, Random};
use logic::{BigInt, ItpOptions, ItpTree, Labelling, Op, SatResult, Solver, SortId, TermId, TermPool};
use smt::interpolate::partitions;
use smt::interpolate::verify::verify_under;
use smt::{SmtOptions, SmtSolver};

pub(crate) const USAGE: &str =
    "usage: cargo xtask focus [--programs N] [--width BITS] [--labelling mcmillan|pudlak|mcmillan-prime]";

/// How many functions a program has that do not change.
const N_OTHERS: usize = 2;
/// How often an upgrade is made, as it takes milliseconds.
const REPEATS: u32 = 5;

pub(crate) struct Options {
    programs: u64,
    width: u32,
    labelling: Labelling,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options { programs: 10, width: 5, labelling: Labelling::default() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let value = args.next().ok_or_else(|| format!("{arg} wants a value"))?;
            let number = || value.parse().map_err(|_| format!("{arg} wants a number, not '{value}'"));
            match arg.as_str() {
                "--programs" => options.programs = number()?,
                "--width" => options.width = number()? as u32,
                "--labelling" => {
                    options.labelling = match value.as_str() {
                        "mcmillan" => Labelling::McMillan,
                        "pudlak" => Labelling::Pudlak,
                        "mcmillan-prime" => Labelling::McMillanPrime,
                        _ => return Err(format!("unknown labelling {value}")),
                    }
                }
                _ => return Err(format!("unknown option {arg}")),
            }
        }
        if options.programs == 0 || !(2..=32).contains(&options.width) {
            return Err("at least one program, and words of 2 to 32 bits".to_string());
        }
        Ok(options)
    }
}

/// A function with guards and its caller.
struct Pair {
    function: TermId,
    /// What contradicts the caller's assertions.
    caller: TermId,
    guards: Vec<TermId>,
}

/// The polynomial `x * y + c * x` in one of several ways.
fn polynomial(pool: &mut TermPool, way: usize, (x, y, c): (TermId, TermId, TermId)) -> TermId {
    let mul = |pool: &mut TermPool, a, b| pool.bv(Op::BvMul, &[a, b]);
    let add = |pool: &mut TermPool, a, b| pool.bv(Op::BvAdd, &[a, b]);
    let sub = |pool: &mut TermPool, a, b| {
        let minus = pool.bv(Op::BvNeg, &[b]);
        pool.bv(Op::BvAdd, &[a, minus])
    };
    match way % 4 {
        0 => {
            let sum = add(pool, y, c);
            mul(pool, x, sum)
        }
        1 => {
            let (xy, cx) = (mul(pool, x, y), mul(pool, c, x));
            add(pool, xy, cx)
        }
        2 => {
            // (x + c) * y + c * x - c * y
            let shifted = add(pool, x, c);
            let (product, cx, cy) = (mul(pool, shifted, y), mul(pool, c, x), mul(pool, c, y));
            let sum = add(pool, product, cx);
            sub(pool, sum, cy)
        }
        _ => {
            // x * (x + y) - x * (x - c)
            let (sum, difference) = (add(pool, x, y), sub(pool, x, c));
            let (a, b) = (mul(pool, x, sum), mul(pool, x, difference));
            sub(pool, a, b)
        }
    }
}

fn pair(pool: &mut TermPool, seed: u64, width: u32) -> Pair {
    let mut random = Random::new(seed);
    let sort = pool.bitvec_sort(width);
    let n_guards = 1 + random.below(3);
    let mut function = Vec::new();
    let mut right = Vec::new();
    let mut guards = Vec::new();
    let mut arguments = Vec::new();
    for i in 0..n_guards {
        let word = |pool: &mut TermPool, name: &str| pool.constant(&format!("{name}{i}"), sort);
        let (x, y, z, result) = (word(pool, "x"), word(pool, "y"), word(pool, "z"), word(pool, "result"));
        let c = pool.bv_num(BigInt::from(random.between(1, (1 << (width - 1)) - 1)), width);
        let guard = pool.constant(&format!("guard{i}"), SortId::BOOL);
        // Each polynomial in two different ways: of the function and of the caller.
        let d = pool.bv_num(BigInt::from(random.between(1, (1 << (width - 1)) - 1)), width);
        let (first, step) = (random.below(4), 1 + random.below(3));
        let [with, asserted] = [first, first + step].map(|way| polynomial(pool, way, (x, y, c)));
        let (first, step) = (random.below(4), 1 + random.below(3));
        let [without, otherwise] = [first, first + step].map(|way| polynomial(pool, way, (x, z, d)));
        let mode = pool.constant(&format!("mode{i}"), SortId::BOOL);
        let computed = pool.ite(guard, with, without);
        let (same_mode, same_result) = (pool.eq(mode, guard), pool.eq(result, computed));
        function.extend([same_mode, same_result]);
        // The caller's argument is a square of its own, so that what it asserts cannot be said without that.
        let own = word(pool, "own");
        let square = pool.bv(Op::BvMul, &[own, own]);
        arguments.push(pool.eq(x, square));
        let wanted = pool.ite(mode, asserted, otherwise);
        right.push(pool.eq(result, wanted));
        guards.push(if random.flip() { guard } else { pool.not(guard) });
    }
    for i in 0..N_OTHERS {
        let word = |pool: &mut TermPool, name: &str| pool.constant(&format!("other_{name}{i}"), sort);
        let (x, y, result) = (word(pool, "x"), word(pool, "y"), word(pool, "result"));
        let c = pool.bv_num(BigInt::from(random.between(1, (1 << (width - 1)) - 1)), width);
        let (first, step) = (random.below(4), 1 + random.below(3));
        let [computed, asserted] = [first, first + step].map(|way| polynomial(pool, way, (x, y, c)));
        arguments.push(pool.eq(result, computed));
        right.push(pool.eq(result, asserted));
    }
    let (function, right) = (pool.and(&function), pool.and(&right));
    arguments.push(pool.not(right));
    Pair { function, caller: pool.and(&arguments), guards }
}

/// Processor time of this thread in seconds.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok()).unwrap_or_default() / 1e9
}

struct Measured {
    n_guards: usize,
    /// Of the summary as it is and focused.
    size: [usize; 2],
    bootstrap: [f64; 2],
    upgrade: [f64; 2],
}

fn measure(seed: u64, width: u32, labelling: Labelling) -> Result<Measured, String> {
    let budget = Budget::unlimited();
    let itp_options = ItpOptions { labelling, ..ItpOptions::default() };
    let mut pool = TermPool::new();
    let Pair { function, caller, guards } = pair(&mut pool, seed, width);
    let start = cpu();
    let mut solver = SmtSolver::with_proofs();
    let ids = [function, caller].map(|t| solver.assert(&mut pool, t));
    if !matches!(solver.check(&mut pool, &budget), SatResult::Unsat) {
        return Err(format!("program {seed}: the old version is not refuted"));
    }
    let refuted = cpu() - start;
    let tree = ItpTree::sequence(ids.iter().map(|&id| vec![id]).collect());
    let (mut size, mut bootstrap, mut upgrade) = ([0; 2], [0.0; 2], [0.0; 2]);
    for (i, assigned) in [&[][..], &guards[..]].into_iter().enumerate() {
        let start = cpu();
        let found = solver.interpolate_focused(&mut pool, &tree, assigned, itp_options, &budget);
        let summary = found.map_err(|e| format!("program {seed}: {e}"))?[0];
        bootstrap[i] = refuted + cpu() - start;
        size[i] = pool.dag_size(summary);
        let parts = partitions(&tree, solver.assertions()).map_err(|e| e.to_string())?;
        if let Err(flaw) = verify_under(&mut pool, &parts, assigned, &[summary], &budget) {
            return Err(format!("program {seed}: the summary is wrong: {flaw:?}"));
        }
        // The new version of the function implies the summary.
        let fails = pool.not(summary);
        let start = cpu();
        for _ in 0..REPEATS {
            let mut checker = SmtSolver::new(SmtOptions { proofs: false, ..SmtOptions::default() });
            for t in [&guards[..], &[function, fails]].concat() {
                checker.assert(&mut pool, t);
            }
            if !matches!(checker.check(&mut pool, &budget), SatResult::Unsat) {
                return Err(format!("program {seed}: the new version does not imply the summary"));
            }
        }
        upgrade[i] = (cpu() - start) / f64::from(REPEATS);
    }
    Ok(Measured { n_guards: guards.len(), size, bootstrap, upgrade })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 { 0.0 } else { (values[(n - 1) / 2] + values[n / 2]) / 2.0 }
}

/// Prints the table; false if a program gave none.
pub(crate) fn run(options: &Options) -> bool {
    println!(
        "| program | guards | summary | focused | bootstrap | upgrade | focused | speed-up | upgrade/bootstrap | focused |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let (mut sizes, mut speedups, mut ratios, mut plain_ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut all = true;
    for seed in 0..options.programs {
        let Measured { n_guards, size, bootstrap, upgrade } = match measure(seed, options.width, options.labelling) {
            Ok(measured) => measured,
            Err(message) => {
                eprintln!("{message}");
                all = false;
                continue;
            }
        };
        let share = size[1] as f64 / size[0] as f64;
        let speedup = upgrade[0] / upgrade[1];
        let [plain, focused] = [0, 1].map(|i| upgrade[i] / bootstrap[i]);
        println!(
            "| {seed} | {n_guards} | {} | {:.0} % | {:.2} s | {:.3} s | {:.3} s | {speedup:.2} | {:.1} % | {:.1} % |",
            size[0],
            100.0 * share,
            bootstrap[1],
            upgrade[0],
            upgrade[1],
            100.0 * plain,
            100.0 * focused
        );
        sizes.push(share);
        speedups.push(speedup);
        plain_ratios.push(plain);
        ratios.push(focused);
    }
    println!(
        "| median | | | {:.0} % | | | | {:.2} | {:.1} % | {:.1} % |",
        100.0 * median(sizes),
        median(speedups),
        100.0 * median(plain_ratios),
        100.0 * median(ratios)
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Summaries of all programs are right, and focusing never makes them larger.
    #[test]
    fn focused_summaries_are_right() {
        for seed in 0..10 {
            let measured = measure(seed, 3, Labelling::default()).expect("summaries");
            assert!((1..=3).contains(&measured.n_guards));
            assert!(measured.size[1] <= measured.size[0], "program {seed}: {:?}", measured.size);
        }
    }

    /// All ways give the same number, for all inputs.
    #[test]
    fn polynomials_are_equal() {
        let mut pool = TermPool::new();
        for (x, y, c) in (0..512).map(|n| (n & 7, n >> 3 & 7, n >> 6)) {
            let word = |pool: &mut TermPool, n: i64| pool.bv_num(BigInt::from(n), 3);
            let inputs = (word(&mut pool, x), word(&mut pool, y), word(&mut pool, c));
            let expected = word(&mut pool, x * y + c * x);
            for way in 0..4 {
                assert_eq!(polynomial(&mut pool, way, inputs), expected, "way {way} of {x}, {y}, {c}");
            }
        }
    }
}
