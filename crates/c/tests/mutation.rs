//! Broken C programs never make the front end panic: texts are cut, doubled, spliced and sprinkled with
//! tokens, then compiled as far as they go, for a property, a data model and numbers that change from one to the next.
//!
//! `CRAIG_MUTATIONS=100000 cargo test -p c --test mutation` runs many; by default a few.

#[path = "../../../tests/support/languages.rs"]
mod languages;
#[path = "../../../tests/support/mutate.rs"]
mod mutate;

use base::SourceMap;
use ir::Property;
use logic::TermPool;
use std::path::Path;

#[test]
fn mutated_programs_do_not_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("tests/programs/c"), root.join("../shared/corpus/c")];
    let mut texts = mutate::texts(&folders, &["c", "i"]);
    // Generated programs of megabytes take long and are all alike.
    texts.retain(|t| t.len() < 20_000);
    let n = mutate::n_mutations(400);
    let properties = [
        Property::UnreachCall,
        Property::NoOverflow,
        Property::ValidMemsafety,
        Property::ValidMemcleanup,
        Property::NoDataRace,
    ];
    let mut compiled = 0;
    for seed in 1..=n {
        let text = mutate::mutate(&mut base::Random::new(seed), &texts, &languages::C);
        let property = properties[seed as usize % properties.len()].clone();
        let result = std::panic::catch_unwind(|| {
            let mut sources = SourceMap::new();
            let file = sources.add("mutated.c", text.as_str());
            let data_model = if seed % 2 == 0 { c::DataModel::Ilp32 } else { c::DataModel::Lp64 };
            let options = c::Options { data_model, ..c::Options::default() };
            let mode = c::Mode {
                properties: vec![property],
                integers: if seed % 3 == 0 { c::lower::Integers::Words } else { c::lower::Integers::Unbounded },
                threads: c::lower::Threads::Interleaved,
                ..c::Mode::default()
            };
            let mut pool = TermPool::new();
            match c::compile(&mut sources, file, &options, &mode, &|_| None, &mut pool) {
                Ok(program) => {
                    assert_eq!(ir::verify::verify_program(&program, &pool), Vec::<String>::new());
                    let icfg = ir::Icfg::build(&program, &mut pool);
                    assert_eq!(ir::verify::verify_icfg(&icfg, &pool), Vec::<String>::new());
                    true
                }
                Err(errors) => {
                    assert!(!errors.is_empty());
                    errors.iter().for_each(|e| drop(e.render(&sources)));
                    false
                }
            }
        });
        match result {
            Ok(ok) => compiled += u64::from(ok),
            Err(_) => panic!("seed {seed} panics:\n{text}"),
        }
    }
    eprintln!("{compiled} of {n} mutants compile");
    assert!(2 * compiled > n, "only {compiled} of {n} mutants compile: they are too broken to test much");
}
