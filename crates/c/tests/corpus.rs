//! Every C file of the public corpus must be understood; skipped where the corpus is absent.

use std::path::{Path, PathBuf};

use base::SourceMap;

fn corpus() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    root.is_dir().then_some(root)
}

fn c_files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            c_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            out.push(path);
        }
    }
}

#[test]
fn corpus_is_understood() {
    let Some(root) = corpus() else { return };
    let mut files = Vec::new();
    c_files(&root.join("c"), &mut files);
    c_files(&root.join("ultimate-c"), &mut files);
    let mut n_bad = 0;
    for path in &files {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut sources = SourceMap::new();
        let file = sources.add(path.to_string_lossy(), text);
        let mut interner = c::lex::Interner::default();
        let read = |p: &Path| std::fs::read_to_string(p).ok();
        let pp = c::preprocess::Preprocessor::new(&mut sources, &mut interner, c::DataModel::Ilp32, Vec::new(), &read);
        let (tokens, mut diagnostics) = pp.run(file);
        let (tree, more) = c::parse::parse(&tokens, &mut interner);
        diagnostics.extend(more);
        let (_, more) = c::sema::check(&tree, &mut interner, c::DataModel::Ilp32);
        diagnostics.extend(more);
        if let Some(first) = diagnostics.first() {
            n_bad += 1;
            println!("{}", first.render(&sources));
        }
    }
    println!("{n_bad} of {} files are not understood", files.len());
    assert!(n_bad * 100 <= files.len());
}

/// Every program of the corpus is lowered without a panic; what is not understood is listed.
#[test]
fn corpus_is_lowered() {
    let Some(root) = corpus() else { return };
    let mut files = Vec::new();
    c_files(&root.join("c"), &mut files);
    let stride = if std::env::var_os("CRAIG_WHOLE_CORPUS").is_some() { 1 } else { 10 };
    let mut reasons: std::collections::BTreeMap<String, usize> = Default::default();
    let mut n_faithful = 0;
    let mut n_all = 0;
    for path in files.iter().step_by(stride) {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for property in [ir::Property::UnreachCall, ir::Property::ValidMemsafety, ir::Property::NoOverflow] {
            let mut sources = SourceMap::new();
            let file = sources.add(path.to_string_lossy(), text.clone());
            let mut pool = logic::TermPool::new();
            let options = c::Options { properties: vec![property], ..c::Options::default() };
            let read = |p: &Path| std::fs::read_to_string(p).ok();
            let Ok(program) = c::compile(&mut sources, file, &options, &read, &mut pool) else { continue };
            n_all += 1;
            n_faithful += program.fidelity.unsound.is_empty() as usize;
            let mut seen = std::collections::BTreeSet::new();
            for remark in &program.fidelity.unsound {
                if seen.insert(remark.message.clone()) {
                    *reasons.entry(remark.message.clone()).or_default() += 1;
                }
            }
        }
    }
    let mut list: Vec<(usize, String)> = reasons.into_iter().map(|(r, n)| (n, r)).collect();
    list.sort_by(|a, b| b.cmp(a));
    println!("{n_faithful} of {n_all} lowered faithfully");
    for (n, reason) in list.iter().take(60) {
        println!("{n:5} {reason}");
    }
}
