//! The experiment of the PVAIR paper: prints the rows of its Table 2 for our instances.
//!
//! `cargo bench -p smt --bench focused_interpolants [-- --quick] [--reduce] [--restricted] [--verify] [--only NAME]`

use base::Budget;
use smt::focused::Focus;
use smt::focused::experiment::{Setup, run, table};
use smt::focused::families::instances;
use smt::reduce::Pass;
use std::time::Duration;

fn main() {
    let has = |flag: &str| std::env::args().any(|a| a == flag);
    let quick = has("--quick");
    let setup = Setup {
        passes: if has("--reduce") { Pass::RECOMMENDED.to_vec() } else { Vec::new() },
        focus: if has("--restricted") { Focus::Restricted } else { Focus::Lpais },
        verify: has("--verify"),
        sub_problems: !quick,
        ..Setup::default()
    };
    let mut results = Vec::new();
    let args: Vec<String> = std::env::args().collect();
    let only = args.iter().position(|a| a == "--only").and_then(|k| args.get(k + 1));
    for instance in instances().into_iter().filter(|i| only.is_none_or(|name| i.name.contains(name.as_str()))) {
        let budget = Budget::with_timeout(Duration::from_secs(if quick { 30 } else { 600 }));
        match run(&instance, &setup, &budget) {
            Ok(totals) => {
                let average = totals.plain / totals.n_cuts.max(1) as f64;
                let relative = totals.focused.map(|size| format!("{:.1} %", 100.0 * size / totals.plain.max(1.0)));
                eprintln!("{:<18} {average:>12.1} {}", instance.name, relative.join(" "));
                results.push((instance.family, totals));
            }
            Err(error) => eprintln!("{:<18} left out: {error}", instance.name),
        }
    }
    print!("{}", table(&results));
}
