//! `craig dump`: what a stage of the road from text to graph produced.

use crate::args::{self, DumpArgs, DumpFormat, Stage};
use crate::host::System;
use crate::{exit, property, tree};
use base::SourceMap;
use driver::{Question, Settings, Source};
use ir::blocks::{BlockLimits, BlockMode, encode};
use ir::inline::{InlineLimits, inline_calls};
use ir::{Icfg, InstrKind};
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(crate) fn run(args: &DumpArgs) -> u8 {
    match dump(args) {
        Ok(text) => {
            // A closed pipe (`craig dump … | head`) is not an error.
            crate::output::write(text.as_bytes());
            exit::HOLDS
        }
        Err(message) => {
            eprint!("{message}");
            exit::BAD_INPUT
        }
    }
}

fn dump(args: &DumpArgs) -> Result<String, String> {
    if args.stage == Stage::Ast {
        return syntax_tree(args);
    }
    let property = property::parse(&args.property).map_err(|e| format!("craig: {e}\n"))?;
    let options = args::read_options(args.data_model, &args.c);
    let source = Source::read(&args.file, &options, System::new()).map_err(|why| why.to_string())?;
    let settings = Settings::default();
    let mut loaded = Question::new(&source, &property, &settings).load();
    let pool = &mut loaded.pool;
    if args.stage == Stage::Program {
        return Ok(match args.to {
            DumpFormat::Text => ir::text::print_program(&loaded.program, pool),
            DumpFormat::Dot => call_graph(&loaded.program),
        });
    }
    let mut icfg = Icfg::build(&loaded.program, pool);
    if args.stage == Stage::Blocks {
        if let Ok((inlined, _)) = inline_calls(&icfg, pool, &InlineLimits::default()) {
            icfg = inlined;
        }
        icfg = encode(&icfg, pool, BlockMode::Large, &BlockLimits::default()).0;
    }
    Ok(match args.to {
        DumpFormat::Text => ir::text::print_icfg(&icfg, pool),
        DumpFormat::Dot => ir::dot::print_dot(&icfg, pool),
    })
}

/// Boogie as text is Boogie; everything else is the tree.
fn syntax_tree(args: &DumpArgs) -> Result<String, String> {
    let text = std::fs::read(&args.file)
        .map_err(|e| format!("craig: cannot read {}: {e}; check the path\n", args.file.display()))?;
    let mut sources = SourceMap::new();
    let file = sources.add(args.file.display().to_string(), String::from_utf8_lossy(&text).into_owned());
    let rendered = |sources: &SourceMap, list: Vec<base::Diagnostic>| -> String {
        list.iter().map(|d| d.render(sources)).collect()
    };
    let tree = match args.file.extension().and_then(|e| e.to_str()) {
        Some("bpl") => {
            let parsed = boogie::parse(&sources, file).map_err(|list| rendered(&sources, list))?;
            if args.to == DumpFormat::Text {
                return Ok(boogie::printer::print(&parsed));
            }
            tree::of_debug(&format!("{parsed:?}"), &|_, _| None)
        }
        Some("c" | "i") => {
            let options = c::Options {
                data_model: match args.data_model {
                    crate::args::DataModel::Ilp32 => c::DataModel::Ilp32,
                    crate::args::DataModel::Lp64 => c::DataModel::Lp64,
                },
                ..c::Options::default()
            };
            let read_file = |path: &std::path::Path| std::fs::read_to_string(path).ok();
            let (unit, names) = match c::parse_file(&mut sources, file, &options, &read_file) {
                Ok(parsed) => parsed,
                Err(list) => return Err(rendered(&sources, list)),
            };
            let name = |kind: &str, id: &str| {
                let id = if kind == "Sym" { id.parse().ok()? } else { return None };
                Some(names.text(c::lex::Sym(id)).to_string())
            };
            tree::of_debug(&format!("{unit:?}"), &name)
        }
        _ => return Err(format!("craig: {}: craig reads .c, .i and .bpl\n", args.file.display())),
    };
    let tree = tree.ok_or_else(|| "craig: the tree could not be printed\n".to_string())?;
    Ok(match args.to {
        DumpFormat::Text => tree.text(),
        DumpFormat::Dot => tree.dot(),
    })
}

/// Which procedure calls which.
fn call_graph(program: &ir::Program) -> String {
    let mut out = "digraph calls {\n  node [shape=box, fontname=monospace];\n".to_string();
    for (id, proc) in program.procs.iter() {
        let _ = writeln!(out, "  {id} [label=\"{}\"];", proc.name.replace('\\', "\\\\").replace('"', "\\\""));
    }
    for (caller, proc) in program.procs.iter() {
        let callees: BTreeSet<ir::ProcId> = proc
            .body
            .iter()
            .flat_map(|body| &body.instrs)
            .filter_map(|instr| match instr.kind {
                InstrKind::Call { callee, .. } | InstrKind::Fork { callee, .. } => Some(callee),
                _ => None,
            })
            .collect();
        for callee in callees {
            let _ = writeln!(out, "  {caller} -> {callee};");
        }
    }
    out.push_str("}\n");
    out
}
