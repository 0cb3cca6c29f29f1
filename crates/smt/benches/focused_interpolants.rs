//! The experiment of the PVAIR paper: prints the rows of its Table 2 for our instances.
//!
//! `cargo bench -p smt --bench focused_interpolants [-- --no-sub-problems] [--verify-all] [--assignments N]
//! [--limit SECONDS] [--max-nodes N] [--only NAME]`. Instances that do not end within the limit (an hour) are left out, and named.
//! Each instance prints a line of sums; `--table FILE` makes the table of such lines, collected from several runs.

use base::Budget;
use smt::focused::experiment::{Setup, Totals, run, table};
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
        verify_all: has("--verify-all"),
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
        let started = Instant::now();
        match run(&instance, &setup, &budget) {
            Ok(totals) => {
                let average = totals.plain / totals.n_cuts.max(1) as f64;
                let relative = totals.focused[0].map(|size| format!("{:.1} %", 100.0 * size / totals.plain.max(1.0)));
                let (nodes, took) = (totals.n_nodes, started.elapsed());
                eprintln!("{:<18} {nodes:>9} {average:>12.1} {} {took:.1?}", instance.name, relative.join(" "));
                println!("{:?} {} {}", instance.family, instance.name, totals.line());
                results.push((instance.family, totals));
            }
            Err(error) => eprintln!("{:<18} left out: {error}", instance.name),
        }
    }
    print!("{}", table(&results));
}
