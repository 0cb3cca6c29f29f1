//! Formulas printed as C mean in C what they mean as formulas.
//!
//! Random formulas over variables of all integer types are printed, put back into a program whose variables have
//! random values, often at the ends of their ranges, and executed in exact machine semantics with overflow checks: the
//! text must follow from the formula, be equivalent to it where nothing was left out, and must never overflow.

use base::Random;
use base::SourceMap;
use exec::interp::replay;
use exec::random::{RandomLimits, random_run};
use ir::source::{SourceTable, SourceType};
use ir::{Icfg, Property};
use logic::{Model, Rational, SortId, TermId, TermPool, Value};
use report::c_expression::{Named, Writer};
use std::path::Path;

const TYPES: &[(&str, u32, bool)] = &[
    ("int", 32, true),
    ("int", 32, true),
    ("char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned int", 32, false),
    ("long long", 64, true),
    ("unsigned long long", 64, false),
];

fn source_type(i: usize) -> SourceType {
    let (name, bits, signed) = TYPES[i];
    SourceType::Int { bits, signed, name: name.to_string() }
}

struct Generator {
    random: Random,
    pool: TermPool,
    vars: Vec<TermId>,
}

impl Generator {
    fn constant(&mut self) -> TermId {
        let n = match self.random.below(5) {
            0 => (self.random.bits() % 20) as i64 - 10,
            1 => i64::from(i32::MAX) - self.random.below(2) as i64,
            2 => i64::from(u32::MAX),
            3 => i64::from(i32::MIN),
            _ => self.random.below(300) as i64,
        };
        self.pool.int(n)
    }
    fn integer(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.random.below(3) == 0 {
            let i = self.random.below(self.vars.len());
            return self.vars[i];
        }
        match self.random.below(8) {
            0..=2 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                self.pool.add(&[a, b])
            }
            3 | 4 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                self.pool.sub(a, b)
            }
            5 => {
                let a = self.integer(depth - 1);
                let factor = self.pool.int(self.random.below(9) as i64 - 4);
                self.pool.mul(&[factor, a])
            }
            6 => {
                let a = self.integer(depth - 1);
                let m = self.pool.int(self.random.below(6) as i64 + 1);
                if self.random.below(2) == 0 { self.pool.modulo(a, m) } else { self.pool.int_div(a, m) }
            }
            _ => {
                let c = self.formula(0);
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                self.pool.ite(c, a, b)
            }
        }
    }
    fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            let a = self.integer(2);
            let b = if self.random.below(2) == 0 { self.constant() } else { self.integer(1) };
            return match self.random.below(3) {
                0 => self.pool.le(a, b),
                1 => self.pool.lt(a, b),
                _ => self.pool.eq(a, b),
            };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.random.below(4) {
            0 => self.pool.and2(a, b),
            1 => self.pool.or(&[a, b]),
            2 => self.pool.not(a),
            _ => self.pool.eq(a, b),
        }
    }
    /// A value of a type, often the first or last one.
    fn value(&mut self, i: usize) -> i128 {
        let (min, max) = source_type(i).int_range().expect("an integer type");
        match self.random.below(5) {
            0 => min,
            1 => max,
            2 => (max - self.random.below(3) as i128).max(min),
            _ => (self.random.below(12) as i128 - 4).clamp(min, max),
        }
    }
}

/// What the execution of a program meets: the property of its violation.
fn execute(source: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", source);
    let mut pool = TermPool::new();
    let options = c::Options::default();
    let mode = c::Mode { properties: vec![Property::UnreachCall, Property::NoOverflow], ..c::Mode::default() };
    let none = |_: &Path| None;
    let program = c::compile(&mut sources, file, &options, &mode, &none, &mut pool).unwrap_or_else(|d| {
        panic!("{source}\n{}", d.iter().map(|d| d.render(&sources)).collect::<String>());
    });
    assert!(program.fidelity.unsound.is_empty(), "{source}\n{:?}", program.fidelity.unsound);
    let icfg = Icfg::build(&program, &mut pool);
    // Nothing is chosen, so one of a few random ways through the graph is the execution.
    (0..64).find_map(|seed| {
        let trace = random_run(&icfg, &pool, seed, &RandomLimits::default())?;
        Some(replay(&icfg, &pool, &trace).expect("random executions replay").check.property.to_string())
    })
}

#[test]
fn the_text_means_what_the_formula_means() {
    let table = SourceTable::default();
    let types: Vec<SourceType> = (0..TYPES.len()).map(source_type).collect();
    let mut n_exact = 0;
    for seed in 0..250 {
        let mut g = Generator { random: Random::new(seed), pool: TermPool::new(), vars: Vec::new() };
        g.vars = (0..TYPES.len()).map(|i| g.pool.constant(&format!("v{i}"), SortId::INT)).collect();
        let formula = g.formula(1);
        let names =
            g.vars.iter().enumerate().map(|(i, &t)| (t, Named::Scalar { text: format!("v{i}"), ty: &types[i] }));
        let written = Writer::with_names(&g.pool, &table, names.collect()).formula(formula);
        let values: Vec<i128> = (0..TYPES.len()).map(|i| g.value(i)).collect();
        let mut model = Model::new();
        for (&t, &v) in g.vars.iter().zip(&values) {
            model.set(g.pool.as_symbol(t).expect("a constant"), Value::Num(Rational::from(v)));
        }
        let holds = model.holds(&g.pool, formula).expect("it can be evaluated");
        let mut source = "extern void reach_error(void);\nextern void abort(void);\nint main(void) {\n".to_string();
        for (i, v) in values.iter().enumerate() {
            let literal = report::trace::literal(&types[i], &Value::Num(Rational::from(*v)));
            source.push_str(&format!("  {} v{i} = {literal};\n", TYPES[i].0));
        }
        source.push_str(&format!("  if ({}) reach_error();\n  return 0;\n}}\n", written.text));
        let met = execute(&source);
        let text_holds = met.as_deref() == Some("unreach-call");
        let shown = || format!("{}\n{met:?}\n{source}", g.pool.infix(formula));
        assert_ne!(met.as_deref(), Some("no-overflow"), "{}", shown());
        assert!(text_holds || !holds, "the text is stronger than the formula\n{}", shown());
        if written.n_dropped == 0 {
            assert_eq!(text_holds, holds, "{}", shown());
            n_exact += 1;
        }
    }
    assert!(n_exact > 100, "only {n_exact} formulas were printed in full");
}
