//! `craig validate`: validation of witnesses. ([`driver::validate`])

use crate::args::{self, DataModel, ValidateArgs};
use crate::host::System;
use crate::{exit, limits, property};
use base::Budget;
use driver::validate::{Judgement, judge};
use driver::{Question, ReadOptions, Settings, Silent, Source};
use ir::Property;
use report::witness::{Content, Entry, read};
use std::path::Path;

pub(crate) fn run(args: &ValidateArgs) -> u8 {
    let budget = Budget::with_timeout(args.timeout).with_memory_limit(args.memory);
    let witness = args.witness.display().to_string();
    let last_words = {
        let witness = witness.clone();
        move |reason: &ir::Reason| limits::LastWords {
            stdout: format!("{witness}: neither confirmed nor rejected: {reason}\nRESULT: unknown({reason})\n"),
            stderr: String::new(),
            status: exit::UNKNOWN,
        }
    };
    let _watcher = limits::Watcher::start(&budget, args.timeout, args.memory, last_words);
    limits::cancel_on_interrupt(&budget);
    let (entries, asked) = match read_all(args) {
        Ok(read) => read,
        Err(message) => {
            eprintln!("craig: {message}");
            return exit::BAD_INPUT;
        }
    };
    // In turns, so that the same witness gets the same answer.
    let settings = Settings { n_jobs: 1, ..Settings::default() };
    let question = Question::new(&asked.source, &asked.property, &settings);
    let judgement = match judge(&question, &entries, &budget, &mut Silent) {
        Ok(judgement) => judgement,
        Err(message) => {
            eprintln!("craig: {witness}: {message}");
            return exit::BAD_INPUT;
        }
    };
    if limits::claim_answer() {
        match &judgement {
            Judgement::Confirmed => {
                let is_violation = entries.iter().any(|entry| matches!(entry.content, Content::Violation(_)));
                let verdict = if is_violation { "is violated" } else { "holds" };
                println!("{witness}: confirmed: {} {verdict}", asked.property.name());
            }
            Judgement::Rejected(why) => println!("{witness}: rejected: {why}"),
            Judgement::Unknown(why) => println!("{witness}: neither confirmed nor rejected: {why}"),
        }
        println!("RESULT: {}", result(&judgement));
    }
    match judgement {
        Judgement::Confirmed => exit::HOLDS,
        Judgement::Rejected(_) => exit::VIOLATED,
        Judgement::Unknown(_) => exit::UNKNOWN,
    }
}

/// The text after `RESULT: `.
fn result(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Confirmed => "confirmed".to_string(),
        Judgement::Rejected(why) => format!("rejected({why})"),
        Judgement::Unknown(why) => format!("unknown({why})"),
    }
}

/// What a witness is about.
struct Asked {
    property: Property,
    source: Source,
}

/// Reads program and witness and checks that they belong together.
fn read_all(args: &ValidateArgs) -> Result<(Vec<Entry>, Asked), String> {
    let name = args.witness.display();
    let program = std::fs::read(&args.program)
        .map_err(|e| format!("cannot read the program {}: {e}; check the path", args.program.display()))?;
    let text =
        std::fs::read(&args.witness).map_err(|e| format!("cannot read the witness {name}: {e}; check the path"))?;
    let entries = read::entries(&String::from_utf8_lossy(&text)).map_err(|why| {
        format!(
            "{name}: {why}\ncraig: a witness looks like what `craig check --witness FILE` writes; see docs/witnesses.md"
        )
    })?;
    let hash = report::sha256::hex(&program);
    let mut asked: Option<(Property, ReadOptions)> = None;
    for entry in &entries {
        check_hash(entry, &args.program, &hash).map_err(|why| format!("{name}: {why}"))?;
        let property = which_property(entry, args).map_err(|why| format!("{name}: {why}"))?;
        let data_model = match (args.data_model, entry.task.data_model.as_str()) {
            (Some(model), _) => model,
            (None, "ILP32" | "") => DataModel::Ilp32,
            (None, "LP64") => DataModel::Lp64,
            (None, other) => {
                return Err(format!("{name}: unknown data model '{other}'; use --data-model ILP32 or LP64"));
            }
        };
        if !matches!(entry.task.language.as_str(), "C" | "") {
            return Err(format!(
                "{name}: it is about a program in {}; craig validates witnesses of C",
                entry.task.language
            ));
        }
        if asked.as_ref().is_some_and(|(other, _)| *other != property) {
            return Err(format!("{name}: its entries are about different properties; name one with --property"));
        }
        asked.get_or_insert_with(|| (property, args::read_options(data_model, &args.c)));
    }
    let (property, options) = asked.ok_or_else(|| format!("{name}: there is no entry in this witness"))?;
    let source = Source::read(&args.program, &options, System::new()).map_err(|why| why.to_string())?;
    Ok((entries, Asked { property, source }))
}

/// The hash of the file with this name, or the only one, must be the program's.
fn check_hash(entry: &Entry, path: &Path, hash: &str) -> Result<(), String> {
    let base = |p: &str| Path::new(p).file_name().map(|n| n.to_os_string());
    let hashes = &entry.task.input_file_hashes;
    let same_name = hashes.iter().find(|(file, _)| base(file).as_deref() == path.file_name());
    let expected = match (same_name, &hashes[..]) {
        (Some((_, expected)), _) | (None, [(_, expected)]) => expected,
        (None, _) => return Ok(()),
    };
    if expected.eq_ignore_ascii_case(hash) {
        return Ok(());
    }
    Err(format!(
        "it was made for another program: it names the SHA-256 {expected}, but {} has {hash}; use the program as it was, or \
         make a new witness",
        path.display()
    ))
}

fn which_property(entry: &Entry, args: &ValidateArgs) -> Result<Property, String> {
    let named = property::from_file_text(&entry.task.specification);
    match &args.property {
        Some(wanted) => {
            let wanted = property::parse(wanted)?;
            if !named.is_empty() && !named.iter().any(|p| p.name() == wanted.name()) {
                let named: Vec<&str> = named.iter().map(|p| p.name()).collect();
                return Err(format!(
                    "it is about {}, not about {}; leave out --property, or use another witness",
                    named.join(", "),
                    wanted.name()
                ));
            }
            Ok(wanted)
        }
        None => match &named[..] {
            // Witnesses for all errors of a program name that function as well.
            [Property::UnreachCallOf(function)] if function == "reach_error" => Ok(Property::UnreachCall),
            [property] => Ok(property.clone()),
            [] => Err(format!(
                "its specification '{}' is not a property that craig knows; name one with --property",
                entry.task.specification
            )),
            _ => Err("it is about several properties; name one with --property".to_string()),
        },
    }
}
