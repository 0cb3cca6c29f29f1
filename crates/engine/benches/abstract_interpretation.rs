//! How the cost of abstract interpretation grows: `cargo bench -p engine --bench abstract_interpretation`.
//!
//! Generated programs of 1,000 to 100,000 lines: procedures with two loops, counters, branches and a map, called one
//! after the other. For each size the time, the steps per edge, and the exponent between neighbouring sizes (1 is
//! linear).

use base::{Budget, SourceMap};
use engine::{Ctx, Silent, Task, engine_by_name};
use ir::{Icfg, Property};
use logic::TermPool;
use std::fmt::Write;
use std::time::Instant;

/// Lines of one block, and blocks of one procedure.
const LINES: usize = 12;
const BLOCKS: usize = 20;

fn generated(n_lines: usize) -> String {
    let mut text = String::from("var g: [int]int;\n");
    let n = n_lines.div_ceil(LINES * BLOCKS);
    for k in 0..n {
        let _ =
            write!(text, "procedure f{k}(p: int) returns (r: int) modifies g;\n{{\n  var i, s, x: int;\n  r := p;\n");
        for block in 0..BLOCKS {
            let _ = write!(
                text,
                "  x := r; s := 0; i := 0;\n  if (x < 0) {{ x := 0; }}\n  while (i < 16) {{\n    if (x > i) {{ s := s + 1; }}\n    i := i + 1;\n  }}\n  \
                 i := 0;\n  while (i < {}) {{\n    g[i] := x;\n    i := i + 1;\n  }}\n  r := s; assert s <= 16;\n",
                3 + (k + block) % 50
            );
        }
        text.push_str("}\n");
    }
    text.push_str("procedure main() modifies g;\n{\n  var r: int;\n  havoc r;\n");
    for k in 0..n {
        let _ = writeln!(text, "  call r := f{k}(r);");
    }
    text.push_str("}\n");
    text
}

fn main() {
    println!("{:>8} {:>8} {:>10} {:>9} {:>9} {:>9}", "lines", "edges", "steps", "seconds", "exponent", "open");
    let mut last: Option<(f64, f64)> = None;
    for n_lines in [1_000, 3_000, 10_000, 30_000, 100_000] {
        let text = generated(n_lines);
        let (mut sources, mut pool) = (SourceMap::new(), TermPool::new());
        let file = sources.add("generated.bpl", text.clone());
        let Ok(program) = boogie::compile(&sources, file, &mut pool) else {
            println!("the generated program is not one");
            return;
        };
        let graph = Icfg::build(&program, &mut pool);
        let limits = ir::inline::InlineLimits::default();
        let Ok((graph, _)) = ir::inline::inline_calls(&graph, &mut pool, &limits) else {
            println!("{n_lines:>8} is too much to inline");
            return;
        };
        let Some(engine) = engine_by_name("abstract-interpretation") else { return };
        let (budget, mut observer) = (Budget::unlimited(), Silent);
        let mut ctx = Ctx::new(&mut pool, &budget, &mut observer);
        let began = Instant::now();
        let _ = engine.run(&mut ctx, &Task::new(&graph, &Property::UnreachCall));
        let seconds = began.elapsed().as_secs_f64();
        let lines = text.lines().count() as f64;
        let exponent = last.map_or(0.0, |(l, s)| (seconds / s).ln() / (lines / l).ln());
        let (steps, open) = (ctx.stats.get("abstract steps"), ctx.stats.get("errors not excluded"));
        println!("{lines:>8} {:>8} {steps:>10} {seconds:>9.2} {exponent:>9.2} {open:>9}", graph.edges.len());
        last = Some((lines, seconds));
    }
}
