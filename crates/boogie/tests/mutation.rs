//! Broken programs never make the front end panic: texts are cut, doubled, spliced and sprinkled with
//! tokens, then compiled as far as they go.
//!
//! `CRAIG_MUTATIONS=100000 cargo test -p boogie --test mutation` runs many; by default a few.

#[path = "../../../tests/support/languages.rs"]
mod languages;
#[path = "../../../tests/support/mutate.rs"]
mod mutate;

use base::SourceMap;
use logic::TermPool;
use std::path::Path;

#[test]
fn mutated_programs_do_not_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("tests/programs/boogie"), root.join("../shared/corpus/boogie")];
    let (texts, n) = (mutate::texts(&folders, &["bpl"]), mutate::n_mutations(2_000));
    let mut compiled = 0;
    for seed in 1..=n {
        let text = mutate::mutate(&mut base::Random::new(seed), &texts, &languages::BOOGIE);
        let result = std::panic::catch_unwind(|| {
            let mut sources = SourceMap::new();
            let file = sources.add("mutated.bpl", text.as_str());
            let mut pool = TermPool::new();
            match boogie::compile(&sources, file, &mut pool) {
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
