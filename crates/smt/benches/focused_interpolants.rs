//! The experiment of the PVAIR paper: prints the rows of its Table 2 for our instances.
//!
//! `cargo bench -p craig-smt --bench focused_interpolants [-- --no-sub-problems] [--assignments N] [--limit SECONDS]
//! [--max-nodes N] [--only NAME,NAME] [--list]`.
//! Instances that do not end within the limit (an hour) are left out, and named. Each instance prints a line of sums;
//! `--table FILE` makes the table of such lines, collected from several runs.
//!
//! Protocol, as in the paper: 47 formulas in three families; for each six random cuts of its list of clauses; for each
//! cut five random assignments of 1, 5 and 20 variables out of all of the formula; McMillan's labelling; literals and
//! operators of the DAG; sums of sizes relative to the sum without an assignment. Not as in the paper: the formulas,
//! which are smaller (see `smt::focused::experiment`); every interpolant is verified; rows with proof reduction, which
//! are relative to interpolants of the same reduced proof.

use base::Budget;
use smt::focused::experiment::{Setup, Totals, WAYS, run, table};
use smt::focused::families::{Family, instances};
use std::time::{Duration, Instant};

/// The lines that runs print, one for each instance.
fn read(text: &str) -> Vec<(Family, Totals)> {
    let one = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let family = match words.next()? {
            "Application" => Family::Application,
            "Random" => Family::Random,
            "Crafted" => Family::Crafted,
            "WideRandom" => Family::WideRandom,
            _ => return None,
        };
        Some((family, Totals::from_line(words.nth(1)?)?))
    };
    text.lines().filter_map(one).collect()
}

fn main() {
    let has = |flag: &str| std::env::args().any(|a| a == flag);
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| args.iter().position(|a| a == flag).and_then(|k| args.get(k + 1));
    let number = |flag: &str, default: u64| value(flag).and_then(|text| text.parse().ok()).unwrap_or(default);
    let setup = Setup {
        sub_problems: !has("--no-sub-problems"),
        n_assignments: number("--assignments", 5) as usize,
        max_nodes: number("--max-nodes", 3_000_000) as usize,
        ..Setup::default()
    };
    let limit = Duration::from_secs(number("--limit", 3600));
    let mut results = Vec::new();
    if let Some(path) = value("--table") {
        print!("{}", table(&read(&std::fs::read_to_string(path).expect("a file with the lines of earlier runs"))));
        return;
    }
    let only = value("--only");
    for instance in
        instances().into_iter().filter(|i| only.is_none_or(|name| name.split(',').any(|part| i.name.contains(part))))
    {
        let budget = Budget::with_timeout(limit);
        if has("--list") {
            println!("{}: {} variables, {} clauses", instance.name, instance.cnf.n_vars, instance.cnf.clauses.len());
            continue;
        }
        let started = Instant::now();
        match run(&instance, &setup, &budget) {
            Ok(totals) => {
                let average = totals.plain / totals.n_cuts.max(1) as f64;
                let percent =
                    |sizes: [f64; 3], of: f64| sizes.map(|s| format!("{:.1}", 100.0 * s / of.max(1.0))).join("/");
                let plain = percent(totals.focused[0], totals.plain);
                let best = percent(totals.focused[WAYS.len() - 1], totals.plain_reduced);
                let (nodes, took) = (totals.n_nodes, started.elapsed());
                eprintln!("{:<18} {nodes:>9} {average:>12.1} {plain:>16} {best:>16} {took:.1?}", instance.name);
                println!("{:?} {} {}", instance.family, instance.name, totals.line());
                results.push((instance.family, totals));
            }
            Err(error) => eprintln!("{:<18} left out: {error}", instance.name),
        }
    }
    print!("{}", table(&results));
}
