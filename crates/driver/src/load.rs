//! From a file to a program over terms.
//!
//! A [`Source`] is a file that was read once, with everything it includes. [`Source::translate`] makes a program of it, in one of
//! several [`Translation`]s; all of them are about the same text, whatever happens to the file meanwhile.

use crate::host::Host;
use crate::settings::ReadOptions;
use base::{Diagnostic, SourceMap, Span};
use c::annotate::{Annotation, Guide};
use c::lower::{Integers, Threads};
use ir::{Program, Property};
use logic::TermPool;
use report::Problem;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The languages that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Boogie,
}

impl Language {
    /// The language of a file, by its name.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "bpl" => Some(Language::Boogie),
            _ => None,
        }
    }
    /// Is it a program, by its name?
    pub fn is_program(path: &Path) -> bool {
        Language::of(path).is_some()
    }
}

/// A program as it was read.
pub struct Source {
    pub path: PathBuf,
    pub language: Language,
    pub options: ReadOptions,
    pub host: Arc<dyn Host>,
    /// What the front end reads: the file, or what the user's preprocessor made of it.
    text: String,
    /// Every file that was read or looked for, with its content.
    files: Mutex<BTreeMap<PathBuf, Option<Vec<u8>>>>,
    /// Their hashes, in the order in which they were asked for.
    inputs: Mutex<Vec<report::Input>>,
}

/// How a program is translated. (Only C leaves a choice.)
#[derive(Clone, Debug)]
pub(crate) struct Translation {
    /// The properties whose checks are in the program.
    pub(crate) properties: Vec<Property>,
    pub(crate) integers: Integers,
    pub(crate) threads: Threads,
    /// That arithmetic wraps around counts as a violation.
    pub(crate) no_wrap: bool,
    /// With memory safety: check also that pointers do not leave their objects, read or not.
    pub(crate) check_pointers: bool,
    /// Checks that are settled: executions that fail them end.
    pub(crate) settled: Vec<Settled>,
}

/// A check by what makes it one question: property and place.
pub type Settled = (String, Span);

/// What a witness adds to a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Woven {
    /// Expressions at their places.
    pub(crate) annotations: Vec<Annotation>,
    /// Follow only executions that take the way of the witness.
    pub(crate) guide: Option<Guide>,
}

/// A program after the front end, with everything needed to talk about it.
pub struct Loaded {
    pub sources: SourceMap,
    pub pool: TermPool,
    pub program: Program,
}

/// Why a program cannot be read; displayed ready to print.
#[derive(Debug)]
pub struct BadInput {
    pub problems: Vec<Problem>,
}

/// More errors than this are not printed: the first ones cause the others.
const MAX_SHOWN: usize = 20;

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.problems.iter().take(MAX_SHOWN).try_for_each(|p| f.write_str(&p.rendered))?;
        match self.problems.len().saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            n => writeln!(f, "craig: {n} more errors are not shown; mend the first ones first"),
        }
    }
}

impl BadInput {
    /// A problem that is not at a place in the source.
    fn new(message: String) -> BadInput {
        let rendered = format!("craig: {message}\n");
        BadInput { problems: vec![Problem { message, rendered, range: None }] }
    }
    fn of(sources: &SourceMap, diagnostics: &[Diagnostic]) -> BadInput {
        let problem = |d: &Diagnostic| Problem {
            message: d.message.clone(),
            rendered: d.render(sources),
            range: report::Range::of(sources, d.span),
        };
        BadInput { problems: diagnostics.iter().map(problem).collect() }
    }
}

/// The properties whose checks are in the program when a property is asked for.
pub(crate) fn also_checked(property: &Property) -> &[Property] {
    match property {
        // Whether a loop ends may depend on signed overflow: see `termination`.
        Property::Termination => &[Property::Termination, Property::NoOverflow],
        Property::UnreachCall
        | Property::NoOverflow
        | Property::ValidMemsafety
        | Property::ValidMemcleanup
        | Property::NoDataRace
        | Property::Ltl(_) => std::slice::from_ref(property),
    }
}

impl Source {
    /// Reads a file.
    pub fn read(path: &Path, options: &ReadOptions, host: Arc<dyn Host>) -> Result<Source, BadInput> {
        let bytes = host
            .read_file(path)
            .map_err(|e| BadInput::new(format!("cannot read {}: {e}; check the path", path.display())))?;
        if bytes.contains(&0) {
            let what = "this is binary data; craig reads the text of programs";
            return Err(BadInput::new(format!("{}: {what} (.c, .i, .bpl)", path.display())));
        }
        let Some(language) = Language::of(path) else {
            let what = "unknown kind of file; craig reads .c, .i and .bpl";
            return Err(BadInput::new(format!("{}: {what}", path.display())));
        };
        let text = match (&options.cpp, language) {
            (Some(command), Language::C) => host
                .preprocess(path, command, options)
                .map_err(|what| BadInput::new(format!("--cpp '{command}': {what}")))?,
            _ => String::from_utf8_lossy(&bytes).into_owned(),
        };
        let source = Source {
            path: path.to_path_buf(),
            language,
            options: options.clone(),
            host,
            text,
            files: Mutex::default(),
            inputs: Mutex::default(),
        };
        source.record(path, Some(&bytes));
        Ok(source)
    }

    fn record(&self, path: &Path, content: Option<&[u8]>) {
        let input = report::Input { path: path.display().to_string(), sha256: content.map(report::sha256::hex) };
        lock(&self.inputs).push(input);
    }

    /// A file that the program includes; each is read once.
    fn included(&self, path: &Path) -> Option<String> {
        let known = lock(&self.files).get(path).cloned();
        let content = known.unwrap_or_else(|| {
            let content = self.host.read_file(path).ok();
            self.record(path, content.as_deref());
            lock(&self.files).insert(path.to_path_buf(), content.clone());
            content
        });
        content.and_then(|bytes| String::from_utf8(bytes).ok())
    }

    /// Every file that was read or looked for.
    pub fn inputs(&self) -> Vec<report::Input> {
        match &self.options.cpp {
            // What another preprocessor has read is not known; without inputs no answer is kept.
            Some(_) => Vec::new(),
            None => lock(&self.inputs).clone(),
        }
    }

    /// The SHA-256 of the file.
    pub fn hash(&self) -> String {
        lock(&self.inputs).first().and_then(|i| i.sha256.clone()).unwrap_or_default()
    }

    /// Makes a program of the text and what a witness says about it.
    pub(crate) fn translate(&self, how: &Translation, woven: &Woven) -> Result<Loaded, BadInput> {
        let mut sources = SourceMap::new();
        let mut pool = TermPool::new();
        let (name, text) = (self.path.display().to_string(), self.text.clone());
        let mut program = match self.language {
            Language::Boogie => {
                let file = sources.add(name, text);
                let options = boogie::Options { entry: self.options.entry.clone() };
                boogie::compile_with(&sources, file, &options, &mut pool).map_err(|d| BadInput::of(&sources, &d))?
            }
            Language::C => {
                let file = match &self.options.cpp {
                    Some(_) => sources.add_preprocessed(name, text),
                    None => sources.add(name, text),
                };
                let options = self.c_options(how, woven);
                let read_file = |path: &Path| self.included(path);
                let compiled = c::compile(&mut sources, file, &options, &read_file, &mut pool);
                compiled.map_err(|d| BadInput::of(&sources, &d))?
            }
        };
        end_at_settled(&mut program, &how.settled);
        Ok(Loaded { sources, pool, program })
    }

    fn c_options(&self, how: &Translation, woven: &Woven) -> c::Options {
        c::Options {
            data_model: self.options.data_model,
            properties: how.properties.clone(),
            integers: how.integers,
            no_wrap: how.no_wrap,
            threads: how.threads,
            check_pointers: how.check_pointers,
            entry: self.options.entry.clone().unwrap_or_else(|| "main".to_string()),
            include_dirs: self.options.include_dirs.clone(),
            defines: self.options.defines.clone(),
            annotations: woven.annotations.clone(),
            guide: woven.guide,
        }
    }
}

/// Executions that fail a settled check end there.
fn end_at_settled(program: &mut Program, settled: &[Settled]) {
    if settled.is_empty() {
        return;
    }
    let is_settled = |check: &ir::Check| settled.iter().any(|s| s.0 == check.property && s.1 == check.span);
    for (_, procedure) in program.procs.iter_mut() {
        for instruction in procedure.body.iter_mut().flat_map(|b| &mut b.instrs) {
            if let ir::InstrKind::Assert(condition, check) = &instruction.kind
                && is_settled(check)
            {
                instruction.kind = ir::InstrKind::Stmt(ir::Stmt::Assume(*condition));
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
