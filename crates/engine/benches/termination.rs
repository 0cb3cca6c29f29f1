//! Ranking templates and Büchi complements side by side:
//! `cargo bench -p engine --bench termination [-- FILE or FOLDER …]`.
//!
//! Each set of templates is tried on every Boogie program of the folders (by default the termination tests of the
//! project): how many programs it decides, in how much time. Then the same for each way to subtract modules:
//! multiplying them, the complement that fits, NCSB, ranks. Last, the modules of each proof are subtracted from the
//! program as semi-deterministic Büchi automata by NCSB and by ranks: how many states the differences have, in how much
//! time. `CRAIG_BENCH_SECONDS` is the limit for each program (5).

use automata::buchi::{Ncsb, RankBased};
use automata::{Nwa, buchi_intersection, remove_non_live};
use base::{Budget, SourceMap};
use engine::buchi::{Complement, Settings, buchi_automata, prove_termination, prove_termination_with};
use engine::lasso_ranking::{RankingOptions, Template};
use ir::{Certificate, Icfg, TerminationProof, Verdict};
use logic::TermPool;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn limit() -> Duration {
    let seconds = std::env::var("CRAIG_BENCH_SECONDS").ok().and_then(|s| s.parse().ok());
    Duration::from_secs_f64(seconds.unwrap_or(5.0))
}

/// The Boogie programs among some files and in some folders.
fn programs(places: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = places.to_vec();
    while let Some(place) = open.pop() {
        match std::fs::read_dir(&place) {
            Ok(entries) => open.extend(entries.filter_map(|e| Some(e.ok()?.path()))),
            Err(_) if place.extension().is_some_and(|e| e == "bpl") => found.push(place),
            Err(_) => {}
        }
    }
    found.sort();
    found
}

fn load(path: &Path) -> Option<(TermPool, Icfg)> {
    let mut sources = SourceMap::new();
    let file = sources.add(path.display().to_string(), std::fs::read_to_string(path).ok()?);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).ok()?;
    let graph = Icfg::build(&program, &mut pool);
    let (mut icfg, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).ok()?;
    if icfg.has_calls() {
        icfg.ensure_old_vars(&mut pool);
    }
    Some((pool, icfg))
}

fn templates(files: &[PathBuf]) {
    let affine = Template::Affine;
    let sets: [(&str, Vec<Template>); 7] = [
        ("affine", vec![affine]),
        ("nested", vec![affine, Template::Nested(2), Template::Nested(3), Template::Nested(4)]),
        ("multiphase", vec![affine, Template::Multiphase(2), Template::Multiphase(3)]),
        ("lexicographic", vec![affine, Template::Lexicographic(4)]),
        ("parallel", vec![affine, Template::Parallel(4)]),
        ("piecewise", vec![affine, Template::Piecewise]),
        ("all", RankingOptions::default().templates),
    ];
    println!(
        "{:<16} {:>11} {:>13} {:>8} {:>8} {:>9}",
        "templates", "terminating", "not", "unknown", "modules", "seconds"
    );
    for (name, templates) in sets {
        let ranking = RankingOptions { templates, invariants: true };
        let options = Settings { ranking, complement: Complement::None };
        let (mut n_proofs, mut n_endless, mut n_unknown, mut n_modules) = (0, 0, 0, 0);
        let start = Instant::now();
        for file in files {
            let Some((mut pool, icfg)) = load(file) else { continue };
            let (verdict, counts) = prove_termination_with(&mut pool, &icfg, &options, &Budget::with_timeout(limit()));
            match verdict {
                Verdict::Holds(_) => {
                    n_proofs += 1;
                    n_modules += counts.rank_modules + counts.infeasible_modules;
                }
                Verdict::NonTerminating(_) => n_endless += 1,
                Verdict::Violated(_) | Verdict::ViolatedFar(_) | Verdict::Unknown(_) => n_unknown += 1,
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:<16} {n_proofs:>11} {n_endless:>13} {n_unknown:>8} {n_modules:>8} {seconds:>9.2}");
    }
}

/// The whole engine with every way to subtract.
fn differences(files: &[PathBuf]) {
    println!(
        "\n{:<12} {:>11} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9}",
        "difference", "terminating", "not", "unknown", "lassos", "modules", "queries", "nodes", "seconds"
    );
    let ways = [
        ("product", Complement::None),
        ("auto", Complement::Auto),
        ("NCSB", Complement::Ncsb),
        ("rank-based", Complement::Rank),
    ];
    for (name, complement) in ways {
        let options = Settings { complement, ..Settings::default() };
        let (mut n_proofs, mut n_endless, mut n_unknown) = (0, 0, 0);
        let (mut n_lassos, mut n_modules, mut n_queries, mut n_nodes) = (0, 0, 0, 0);
        let mut used = [0; 3];
        let start = Instant::now();
        for file in files {
            let Some((mut pool, icfg)) = load(file) else { continue };
            let (verdict, counts) = prove_termination_with(&mut pool, &icfg, &options, &Budget::with_timeout(limit()));
            match verdict {
                Verdict::Holds(_) => {
                    n_proofs += 1;
                    n_lassos += counts.rounds;
                    n_modules += counts.rank_modules + counts.infeasible_modules;
                    n_queries += counts.hoare_queries;
                    n_nodes += counts.nodes;
                    let by = counts.complements;
                    used.iter_mut().zip([by.deterministic, by.ncsb, by.rank]).for_each(|(sum, n)| *sum += n);
                }
                Verdict::NonTerminating(_) => n_endless += 1,
                Verdict::Violated(_) | Verdict::ViolatedFar(_) | Verdict::Unknown(_) => n_unknown += 1,
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name:<12} {n_proofs:>11} {n_endless:>8} {n_unknown:>8} {n_lassos:>8} {n_modules:>8} {n_queries:>9} {n_nodes:>9} {seconds:>9.2}  (deterministic {}, NCSB {}, rank-based {})",
            used[0], used[1], used[2]
        );
    }
}

/// A way to subtract one automaton from another, within a budget.
type Difference = dyn Fn(&Nwa<u32>, &Nwa<u32>, &Budget) -> Option<Nwa<u32>>;

/// Subtracts all modules; the number of states of the largest difference, if time suffices.
fn subtract_all(icfg: &Icfg, proof: &TerminationProof, difference: &Difference) -> Option<usize> {
    let budget = Budget::with_timeout(limit());
    let (mut rest, modules) = buchi_automata(icfg, proof);
    let mut largest = 0;
    for module in &modules {
        let all = difference(&rest, module, &budget)?;
        largest = largest.max(all.n_states());
        rest = remove_non_live(&all, &budget).ok()?.automaton;
    }
    Some(largest)
}

fn complements(files: &[PathBuf]) {
    println!("\n{:<16} {:>8} {:>10} {:>14} {:>9}", "complement", "proofs", "given up", "states in all", "seconds");
    let mut proofs = Vec::new();
    for file in files {
        let Some((mut pool, icfg)) = load(file) else { continue };
        if icfg.has_calls() {
            continue;
        }
        let (verdict, _) = prove_termination(&mut pool, &icfg, &Budget::with_timeout(limit()));
        if let Verdict::Holds(Certificate::Termination(proof)) = verdict {
            proofs.push((icfg, proof));
        }
    }
    let ncsb: &Difference = &|a, b, budget| Some(buchi_intersection(a, &mut Ncsb::new(b), budget).ok()?.automaton);
    let ranks: &Difference =
        &|a, b, budget| Some(buchi_intersection(a, &mut RankBased::new(b), budget).ok()?.automaton);
    for (name, difference) in [("NCSB", ncsb), ("rank-based", ranks)] {
        let (mut n_given_up, mut n_states) = (0, 0);
        let start = Instant::now();
        for (icfg, proof) in &proofs {
            match subtract_all(icfg, proof, difference) {
                Some(states) => n_states += states,
                None => n_given_up += 1,
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:<16} {:>8} {n_given_up:>10} {n_states:>14} {seconds:>9.2}", proofs.len());
    }
}

fn main() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs/termination");
    let mut places: Vec<PathBuf> =
        std::env::args().skip(1).filter(|a| !a.starts_with('-')).map(PathBuf::from).collect();
    if places.is_empty() {
        places.push(PathBuf::from(own));
    }
    let files = programs(&places);
    println!("{} programs", files.len());
    templates(&files);
    differences(&files);
    complements(&files);
}
