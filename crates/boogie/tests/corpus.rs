//! Every Boogie file of the public corpus, which is no part of the repository:
//! `CRAIG_CORPUS=DIR cargo test -p boogie --test corpus -- --ignored`.

use base::SourceMap;
use logic::TermPool;
use std::path::{Path, PathBuf};

fn corpus() -> Vec<PathBuf> {
    let root = match std::env::var_os("CRAIG_CORPUS") {
        Some(folder) => PathBuf::from(folder).join("boogie"),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/boogie"),
    };
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "bpl") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "there is no corpus");
    files
}

#[test]
#[ignore = "needs the corpus"]
fn every_corpus_file_lowers_and_prints_back() {
    let mut failures = Vec::new();
    for path in corpus() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let mut sources = SourceMap::new();
        let file = sources.add(path.display().to_string(), text);
        match boogie::parser::parse(&sources, file) {
            Err(errors) => failures.extend(errors.iter().map(|e| e.render(&sources))),
            Ok(ast) => {
                let mut pool = TermPool::new();
                match boogie::compile(&sources, file, &mut pool) {
                    Ok(program) => {
                        let icfg = ir::Icfg::build(&program, &mut pool);
                        let mut wrong = ir::verify::verify_program(&program, &pool);
                        wrong.extend(ir::verify::verify_icfg(&icfg, &pool));
                        failures.extend(wrong.iter().map(|w| format!("{}: {w}", path.display())));
                    }
                    Err(errors) => failures.extend(errors.iter().map(|e| e.render(&sources))),
                }
                let printed = boogie::printer::print(&ast);
                let again = sources.add("printed", printed);
                match boogie::parser::parse(&sources, again) {
                    Ok(reparsed) if reparsed == ast => {}
                    Ok(_) => failures.push(format!("{}: the printed form means something else", path.display())),
                    Err(errors) => failures.extend(errors.iter().map(|e| e.render(&sources))),
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}
