//! The experiment of the PVAIR paper: prints the rows of its Table 2 for our instances.
//!
//! `cargo bench -p smt --bench focused_interpolants [-- --quick] [--verify-all] [--only NAME]`

use base::Budget;
use smt::focused::experiment::{Setup, run, table};
use smt::focused::families::instances;
use std::time::{Duration, Instant};

fn main() {
    let has = |flag: &str| std::env::args().any(|a| a == flag);
    let quick = has("--quick");
    let setup = Setup { verify_all: has("--verify-all"), sub_problems: !quick, ..Setup::default() };
    let mut results = Vec::new();
    let args: Vec<String> = std::env::args().collect();
    let only = args.iter().position(|a| a == "--only").and_then(|k| args.get(k + 1));
    for instance in instances().into_iter().filter(|i| only.is_none_or(|name| i.name.contains(name.as_str()))) {
        let budget = Budget::with_timeout(Duration::from_secs(if quick { 30 } else { 3600 }));
        let started = Instant::now();
        match run(&instance, &setup, &budget) {
            Ok(totals) => {
                let average = totals.plain / totals.n_cuts.max(1) as f64;
                let relative = totals.focused[0].map(|size| format!("{:.1} %", 100.0 * size / totals.plain.max(1.0)));
                let (nodes, took) = (totals.n_nodes, started.elapsed());
                eprintln!("{:<18} {nodes:>9} {average:>12.1} {} {took:.1?}", instance.name, relative.join(" "));
                results.push((instance.family, totals));
            }
            Err(error) => eprintln!("{:<18} left out: {error}", instance.name),
        }
    }
    print!("{}", table(&results));
}
