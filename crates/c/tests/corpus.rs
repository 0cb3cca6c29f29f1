//! Every C file of the public corpus must be understood. The corpus is no part of the repository, so these tests are
//! asked for by name: `CRAIG_CORPUS=DIR cargo test -p c --test corpus --test printer -- --ignored`.

use std::path::{Path, PathBuf};

use base::SourceMap;

fn corpus() -> PathBuf {
    match std::env::var_os("CRAIG_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    }
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
#[ignore = "needs the corpus"]
fn corpus_is_understood() {
    let root = corpus();
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
        let more = c::sema::check(&tree, tree.items.len(), &mut interner, c::DataModel::Ilp32).diagnostics;
        diagnostics.extend(more);
        if let Some(first) = diagnostics.first() {
            n_bad += 1;
            println!("{}", first.render(&sources));
        }
    }
    println!("{n_bad} of {} files are not understood", files.len());
    assert!(!files.is_empty() && n_bad * 100 <= files.len());
}

/// The C tasks of the corpus: file, property, data model.
fn tasks(root: &Path) -> Vec<(PathBuf, ir::Property, c::DataModel)> {
    let index = std::fs::read_to_string(root.join("INDEX.tsv")).unwrap_or_default();
    let task = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[path, "c", property, _, arch, ..] = &columns[..] else { return None };
        let property = match property {
            "unreach-call" => ir::Property::UnreachCall,
            "valid-memsafety" => ir::Property::ValidMemsafety,
            "valid-memcleanup" => ir::Property::ValidMemcleanup,
            "no-overflow" => ir::Property::NoOverflow,
            _ => return None,
        };
        let model = if arch == "LP64" { c::DataModel::Lp64 } else { c::DataModel::Ilp32 };
        Some((root.join(path), property, model))
    };
    index.lines().filter_map(task).collect()
}

/// Every task of the corpus is lowered without a panic; what is not understood is listed. With bit-vectors
/// where integers are not exact.
#[test]
#[ignore = "needs the corpus"]
fn corpus_is_lowered() {
    let root = corpus();
    let stride = if std::env::var_os("CRAIG_WHOLE_CORPUS").is_some() { 1 } else { 10 };
    let mut reasons: std::collections::BTreeMap<String, (usize, String)> = Default::default();
    let mut n_faithful = 0;
    let mut n_all = 0;
    for (path, property, data_model) in tasks(&root).into_iter().step_by(stride) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let compile = |integers: c::lower::Integers| {
            let mut sources = SourceMap::new();
            let file = sources.add(path.to_string_lossy(), text.clone());
            let mut pool = logic::TermPool::new();
            let properties = vec![property.clone()];
            let threads = c::lower::Threads::Interleaved;
            let options = c::Options { data_model, ..c::Options::default() };
            let mode = c::Mode { properties, integers, threads, ..c::Mode::default() };
            let read = |p: &Path| std::fs::read_to_string(p).ok();
            c::compile(&mut sources, file, &options, &mode, &read, &mut pool).ok()
        };
        let Some(mut program) = compile(c::lower::Integers::Unbounded) else { continue };
        if !(program.fidelity.unsound.is_empty() && program.fidelity.imprecise.is_empty()) {
            program = compile(c::lower::Integers::Words).unwrap_or(program);
        }
        n_all += 1;
        n_faithful += program.fidelity.unsound.is_empty() as usize;
        let mut seen = std::collections::BTreeSet::new();
        let (unsound, imprecise) = (&program.fidelity.unsound, &program.fidelity.imprecise);
        let remarks = unsound.iter().map(|r| format!("unsound: {}", r.message));
        for remark in remarks.chain(imprecise.iter().map(|r| format!("imprecise: {}", r.message))) {
            if seen.insert(remark.clone()) {
                let entry = reasons.entry(remark).or_default();
                entry.0 += 1;
                entry.1 = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
            }
        }
    }
    let mut list: Vec<(usize, String, String)> = reasons.into_iter().map(|(r, (n, file))| (n, r, file)).collect();
    list.sort_by(|a, b| b.cmp(a));
    println!("{n_faithful} of {n_all} lowered faithfully");
    assert!(n_all > 100 && n_faithful * 10 > n_all * 9, "{n_faithful} of {n_all} lowered faithfully");
    for (n, reason, file) in list.iter().take(80) {
        println!("{n:5} {reason}, e.g. {file}");
    }
}
