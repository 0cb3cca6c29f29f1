//! Our own programs (`tests/programs`, `examples`): they lower, and random executions agree with what their
//! first line expects (a *true* program has no violating execution, however it is chosen).

use base::SourceMap;
use exec::interp::replay;
use exec::random::{RandomLimits, random_run};
use ir::Icfg;
use logic::TermPool;
use std::path::Path;

#[test]
fn own_programs_lower_and_random_runs_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["tests/programs/boogie", "tests/programs/separating", "examples/table1"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder is there");
        paths.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "bpl")));
    }
    paths.sort();
    assert!(paths.len() >= 110, "{}", paths.len());
    let mut found = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let expectation =
            text.lines().next().and_then(|l| l.strip_prefix("// expect: ")).expect("an expectation").to_string();
        let reachability = !text.contains("// property:");
        let name = path.display().to_string();
        let mut sources = SourceMap::new();
        let file = sources.add(name.clone(), text);
        let mut pool = TermPool::new();
        let entry = sources.file(file).text.lines().find_map(|l| l.strip_prefix("// args: --entry "));
        let options = boogie::Options { entry: entry.map(str::to_string), ..boogie::Options::default() };
        let program = boogie::compile_with(&sources, file, &options, &mut pool).unwrap_or_else(|errors| {
            panic!("{}", errors.iter().map(|e| e.render(&sources)).collect::<String>());
        });
        let icfg = Icfg::build(&program, &mut pool);
        assert_eq!(ir::verify::verify_program(&program, &pool), Vec::<String>::new(), "{name}");
        assert_eq!(ir::verify::verify_icfg(&icfg, &pool), Vec::<String>::new(), "{name}");
        if icfg.has_threads() || !reachability {
            continue;
        }
        let violated = (0..30).any(|seed| {
            random_run(&icfg, &pool, seed, &RandomLimits::default())
                .is_some_and(|trace| replay(&icfg, &pool, &trace).is_ok_and(|run| run.unchecked_axioms.is_empty()))
        });
        assert!(!violated || expectation == "false", "{name}: a random execution violates it");
        found += usize::from(violated);
    }
    assert!(found >= 10, "random executions find the easy violations, but only {found} were found");
}
