//! The simplifier against evaluation at every point of a small grid.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

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

    fn atom(&mut self, p: &mut TermPool, vars: &[TermId], flags: &[TermId]) -> TermId {
        let sort = p.sort(vars[0]);
        let k = self.below(7) as i64 - 3;
        let bound = p.num(Rational::from(k), sort);
        let x = vars[self.below(2)];
        let form = match self.below(4) {
            0 => p.sub(vars[0], vars[1]),
            1 => {
                let c = flags[self.below(2)];
                p.ite(c, vars[0], bound)
            }
            _ => x,
        };
        match self.below(6) {
            0 => p.le(form, bound),
            1 => p.lt(form, bound),
            2 => p.ge(form, bound),
            3 => p.eq(form, bound),
            4 => flags[self.below(2)],
            _ => {
                let e = p.eq(form, bound);
                p.not(e)
            }
        }
    }

    fn formula(&mut self, p: &mut TermPool, depth: usize, vars: &[TermId], flags: &[TermId]) -> TermId {
        if depth == 0 || self.below(5) == 0 {
            return self.atom(p, vars, flags);
        }
        let kind = self.below(8);
        let n = if kind == 6 { 3 } else { 2 + self.below(3) };
        let args: Vec<TermId> = (0..n).map(|_| self.formula(p, depth - 1, vars, flags)).collect();
        match kind {
            0..=2 => p.and(&args),
            3..=5 => p.or(&args),
            6 => p.ite(args[0], args[1], args[2]),
            _ => p.eq(args[0], args[1]),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn simplified_formulas_are_equivalent(
        list in prop::collection::vec(any::<u16>(), 0..150),
        depth in 1usize..5,
        real in any::<bool>(),
    ) {
        let mut p = TermPool::new();
        let sort = if real { SortId::REAL } else { SortId::INT };
        let vars: Vec<TermId> = ["x", "y"].iter().map(|n| p.constant(n, sort)).collect();
        let flags: Vec<TermId> = ["p", "q"].iter().map(|n| p.constant(n, SortId::BOOL)).collect();
        let f = Choices { list, next: 0 }.formula(&mut p, depth, &vars, &flags);
        let s = p.simplify(f);
        let grid: Vec<Value> = if real {
            (-9..=9).map(|k| Value::Num(Rational::ratio(k, 2))).collect()
        } else {
            (-5..=5).map(Value::int).collect()
        };
        for x in &grid {
            for y in &grid {
                for bits in 0..4 {
                    let mut m = Model::new();
                    m.set(p.as_symbol(vars[0]).unwrap(), x.clone());
                    m.set(p.as_symbol(vars[1]).unwrap(), y.clone());
                    m.set(p.as_symbol(flags[0]).unwrap(), Value::Bool(bits & 1 == 1));
                    m.set(p.as_symbol(flags[1]).unwrap(), Value::Bool(bits & 2 == 2));
                    prop_assert_eq!(m.holds(&p, f), m.holds(&p, s), "{} became {}", p.smtlib(f), p.smtlib(s));
                }
            }
        }
        // Little is ever added.
        prop_assert!(p.dag_size(s) <= p.dag_size(f) + 8, "{} became {}", p.smtlib(f), p.smtlib(s));
    }
}

#[test]
fn long_and_deep_formulas_are_no_problem() {
    let mut p = TermPool::new();
    let mut t = p.constant("a", SortId::BOOL);
    for n in 0..20_000 {
        let b = p.constant(&format!("b{n}"), SortId::BOOL);
        t = if n % 2 == 0 { p.and2(t, b) } else { p.or2(t, b) };
    }
    let s = p.simplify(t);
    assert!(p.dag_size(s) <= p.dag_size(t));
}
