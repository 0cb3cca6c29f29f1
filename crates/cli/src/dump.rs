//! `craig dump`: what a stage of the road from text to graph produced.

use crate::args::{Cli, Command, DumpArgs, DumpFormat, Stage};
use crate::check::{LoadError, load};
use crate::{exit, property};
use base::SourceMap;
use clap::Parser;
use ir::Icfg;
use ir::blocks::{BlockLimits, BlockMode, encode};
use ir::inline::{InlineLimits, inline_calls};
use std::io::Write;

pub fn run(args: &DumpArgs) -> u8 {
    match dump(args) {
        Ok(text) => {
            // A closed pipe (`craig dump … | head`) is no error.
            let _ = std::io::stdout().write_all(text.as_bytes());
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
    if args.to == DumpFormat::Dot && args.stage == Stage::Program {
        return Err("craig: a program has no graph yet; use --stage icfg or --stage blocks for dot\n".to_string());
    }
    let property = property::parse(&args.property).map_err(|e| format!("craig: {e}\n"))?;
    // The front ends take the options of `check`.
    let model = match args.data_model {
        crate::args::DataModel::Ilp32 => "ILP32",
        crate::args::DataModel::Lp64 => "LP64",
    };
    let cli = Cli::parse_from(["craig", "check", "--data-model", model, "--", &args.file.to_string_lossy()]);
    let Command::Check(check) = cli.command else { unreachable!("it was parsed as a check") };
    let mut loaded = load(&args.file, &property, &check).map_err(|e| match e {
        LoadError::BadInput(message) => message,
    })?;
    let pool = &mut loaded.pool;
    if args.stage == Stage::Program {
        return Ok(ir::text::print_program(&loaded.program, pool));
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

fn syntax_tree(args: &DumpArgs) -> Result<String, String> {
    if args.to == DumpFormat::Dot {
        return Err("craig: a syntax tree is printed as text only\n".to_string());
    }
    if args.file.extension().and_then(|e| e.to_str()) != Some("bpl") {
        return Err("craig: --stage ast prints Boogie programs only\n".to_string());
    }
    let text = std::fs::read(&args.file)
        .map_err(|e| format!("craig: cannot read {}: {e}; check the path\n", args.file.display()))?;
    let mut sources = SourceMap::new();
    let file = sources.add(args.file.display().to_string(), String::from_utf8_lossy(&text).into_owned());
    let tree =
        boogie::parse(&sources, file).map_err(|list| list.iter().map(|d| d.render(&sources)).collect::<String>())?;
    Ok(boogie::printer::print(&tree))
}
