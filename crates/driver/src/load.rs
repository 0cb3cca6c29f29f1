//! From a file to a program over terms.
//!
//! A [`Source`] is a file that was read, preprocessed, parsed and type-checked once, with everything it includes.
//! [`Source::translate`] makes a program of it, in one of several [`Translation`]s; so a proof and the replay of an
//! execution never see two versions of a file.

use crate::calls;
use crate::formula;
use crate::host::Host;
use crate::settings::ReadOptions;
use base::{Diagnostic, SourceMap, Span};
use c::annotate::{Annotation, Ghosts, Guide};
use ir::{Program, Property};
use logic::TermPool;
use report::Problem;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
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
    sources: Arc<SourceMap>,
    parsed: Parsed,
    files: Arc<Files>,
    /// How often the text was parsed, and how often a program was made of it.
    n_parses: AtomicU64,
    n_translations: AtomicU64,
}

/// What translations start from.
enum Parsed {
    C(c::Unit),
    /// There is one translation only.
    Boogie(TermPool, Box<Program>),
}

/// The files of a program.
struct Files {
    /// What the front end reads: the file, or what the user's preprocessor made of it.
    text: String,
    /// The same of the other files of the program.
    others: Vec<String>,
    /// Every file that was included or searched for.
    included: Mutex<BTreeMap<PathBuf, Option<Vec<u8>>>>,
    /// Every file that was read or looked for, in that order; the program itself is the first.
    inputs: Mutex<Vec<report::Input>>,
}

/// How a program is translated. (Only C leaves a choice.)
#[derive(Clone, Debug)]
pub(crate) struct Translation {
    pub(crate) mode: c::Mode,
    /// Checks that are decided already: executions that fail them end.
    pub(crate) settled: Vec<Settled>,
}

/// A check by what makes it one question: property and place.
pub type Settled = (ir::Subproperty, Span);

/// What a witness adds to a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Woven {
    /// Expressions at their places.
    pub(crate) annotations: Vec<Annotation>,
    /// Variables of its own.
    pub(crate) ghosts: Ghosts,
    /// Follow only executions that take the way of the witness.
    pub(crate) guide: Option<Guide>,
    /// The propositions of a temporal formula, as expressions of the language.
    pub(crate) propositions: Vec<base::Excerpt>,
    /// The labels and functions without a body that the formula speaks about.
    pub(crate) events: Vec<ir::Event>,
}

/// A program after the front end, with everything needed to talk about it.
pub struct Loaded {
    pub sources: Arc<SourceMap>,
    pub pool: TermPool,
    pub program: Program,
}

/// Why a program cannot be read; displayed ready to print.
#[derive(Debug)]
pub struct BadInput {
    pub problems: Vec<Problem>,
    /// The program may be valid, but a construct is not supported.
    pub(crate) is_unsupported: bool,
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
    pub(crate) fn new(message: String) -> BadInput {
        let rendered = format!("craig: {message}\n");
        BadInput { problems: vec![Problem { message, rendered, range: None }], is_unsupported: false }
    }
    fn of(sources: &SourceMap, diagnostics: &[Diagnostic]) -> BadInput {
        let problem = |d: &Diagnostic| Problem {
            message: d.message.clone(),
            rendered: d.render(sources),
            range: report::Range::of(sources, d.span),
        };
        let is_unsupported = !diagnostics.iter().any(Diagnostic::is_rejection);
        BadInput { problems: diagnostics.iter().map(problem).collect(), is_unsupported }
    }
}

/// The properties whose checks are in the program when a property is asked for.
pub(crate) fn also_checked(property: &Property) -> &[Property] {
    match property {
        // Whether a loop ends may depend on signed overflow: see `termination`.
        Property::Termination => &[Property::Termination, Property::NoOverflow],
        // The formula does not matter for the translation, its propositions do (see `Woven`).
        Property::Ltl(_) => &[Property::Ltl(None), Property::NoOverflow],
        _ => std::slice::from_ref(property),
    }
}

impl Loaded {
    /// Is it one of our own sources, which model the C library?
    pub(crate) fn is_library(&self, span: base::Span) -> bool {
        !span.is_none() && self.sources.file(span.file).name.starts_with('<')
    }
}

impl Source {
    /// Reads, parses and checks a file.
    pub fn read(path: &Path, options: &ReadOptions, host: Arc<dyn Host>) -> Result<Source, BadInput> {
        let (language, bytes, text) = read_one(path, options, &*host)?;
        let mut files = Files { text, others: Vec::new(), included: Mutex::default(), inputs: Mutex::default() };
        files.record(path, Some(&bytes));
        for other in &options.linked {
            let own = ReadOptions {
                include_dirs: other.include_dirs.clone(),
                defines: other.defines.clone(),
                linked: Vec::new(),
                ..options.clone()
            };
            let (its_language, bytes, text) = read_one(&other.path, &own, &*host)?;
            if (language, its_language) != (Language::C, Language::C) {
                let what = "only C files are linked; leave it out or check it without --link";
                let path = if language == Language::C { &other.path } else { path };
                return Err(BadInput::new(format!("{}: {what}", path.display())));
            }
            files.record(&other.path, Some(&bytes));
            files.others.push(text);
        }
        Source::parse(path, language, options, host, Arc::new(files), &Woven::default())
    }

    /// The same program with what a property speaks about, for temporal properties.
    pub fn for_property(self, property: &Property) -> Result<Source, BadInput> {
        let name = self.path.display().to_string();
        match formula::parsed(&name, self.text(), property).map_err(BadInput::new)? {
            Some(formula) => {
                let events = formula.events();
                let source = self.with(&Woven {
                    propositions: formula.expressions(),
                    events: events.clone(),
                    ..Woven::default()
                })?;
                match events.iter().find_map(|e| source.without_such_name(e)) {
                    Some(problem) => Err(BadInput::new(formula.at_event(&problem.0, &problem.1))),
                    None => Ok(source),
                }
            }
            None => Ok(self),
        }
    }

    /// If a formula mentions a function or label that does not exist: which one, and a hint.
    fn without_such_name(&self, event: &ir::Event) -> Option<(ir::Event, String)> {
        let (functions, labels): (Vec<String>, Vec<String>) = match &self.parsed {
            Parsed::C(unit) => (unit.function_names(), unit.label_names()),
            Parsed::Boogie(_, program) => {
                (program.procs.values().map(|p| p.name.clone()).collect(), program.label_names.clone())
            }
        };
        let (what, known) = match event.kind {
            ir::EventKind::Call | ir::EventKind::Return => ("function", functions),
            ir::EventKind::At => ("label", labels),
        };
        if known.contains(&event.name) {
            return None;
        }
        let near = base::nearest(&event.name, known.iter().map(String::as_str));
        let hint = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
        Some((event.clone(), format!("there is no {what} {}{hint}", event.name)))
    }

    /// The same program with what a witness says about it.
    pub(crate) fn with(&self, woven: &Woven) -> Result<Source, BadInput> {
        let (options, host, files) = (&self.options, self.host.clone(), self.files.clone());
        Source::parse(&self.path, self.language, options, host, files, woven)
    }

    fn parse(
        path: &Path,
        language: Language,
        options: &ReadOptions,
        host: Arc<dyn Host>,
        files: Arc<Files>,
        woven: &Woven,
    ) -> Result<Source, BadInput> {
        let mut sources = SourceMap::new();
        let (name, text) = (path.display().to_string(), files.text.clone());
        let parsed = match language {
            Language::Boogie => {
                let mut pool = TermPool::new();
                let file = sources.add(name, text);
                if options.entries.len() > 1 {
                    return Err(BadInput::new("several --entry are for C; name one procedure".to_string()));
                }
                let options = boogie::Options {
                    entry: options.entries.first().cloned(),
                    dialect: options.dialect,
                    modular: options.modular,
                    events: woven.events.clone(),
                };
                boogie::Compilation::new(&sources, file, &options, &mut pool).and_then(|mut compiled| {
                    observe(&mut compiled, &mut sources, &woven.propositions, &mut pool)?;
                    Ok(Parsed::Boogie(pool, Box::new(compiled.program)))
                })
            }
            Language::C => {
                let mut add = |name: String, text: String| match &options.cpp {
                    Some(_) => sources.add_preprocessed(name, text),
                    None => sources.add(name, text),
                };
                let file = add(name, text);
                let linked = options.linked.iter().zip(&files.others).map(|(other, text)| c::OtherUnit {
                    file: add(other.path.display().to_string(), text.clone()),
                    include_dirs: other.include_dirs.clone(),
                    defines: other.defines.clone(),
                });
                let linked = linked.collect();
                let options = c::Options {
                    modular: options.modular,
                    linked,
                    data_model: options.data_model,
                    entries: options.entries.clone(),
                    include_dirs: options.include_dirs.clone(),
                    builtin_headers_only: options.builtin_headers_only,
                    defines: options.defines.clone(),
                    annotations: woven.annotations.clone(),
                    ghosts: woven.ghosts.clone(),
                    guide: woven.guide,
                    propositions: woven.propositions.clone(),
                    events: woven.events.clone(),
                    environment: options.environment,
                };
                let read_file = |path: &Path| files.included(path, &*host);
                c::parse(&mut sources, file, &options, &read_file).map(Parsed::C)
            }
        };
        let parsed = parsed.map_err(|diagnostics| BadInput::of(&sources, &diagnostics))?;
        Ok(Source {
            path: path.to_path_buf(),
            language,
            options: options.clone(),
            host,
            sources: Arc::new(sources),
            parsed,
            files,
            n_parses: AtomicU64::new(1),
            n_translations: AtomicU64::new(0),
        })
    }

    /// The function that executions start in, if it is one only.
    pub fn entry(&self) -> Option<&str> {
        match &self.parsed {
            Parsed::C(unit) => match unit.entry_names()[..] {
                [only] => Some(only),
                _ => None,
            },
            Parsed::Boogie(..) => Some(self.options.entries.first().map_or("main", String::as_str)),
        }
    }

    /// What the front end reads.
    pub(crate) fn text(&self) -> &str {
        &self.files.text
    }

    /// The texts that places of the program stand in.
    pub fn sources(&self) -> Arc<SourceMap> {
        self.sources.clone()
    }

    /// Every file that was read or looked for.
    pub fn inputs(&self) -> Vec<report::Input> {
        match &self.options.cpp {
            // What an external preprocessor reads is unknown; without the list of inputs no answer is cached.
            Some(_) => Vec::new(),
            None => lock(&self.files.inputs).clone(),
        }
    }

    /// The SHA-256 of the file.
    pub fn hash(&self) -> String {
        lock(&self.files.inputs).first().and_then(|i| i.sha256.clone()).unwrap_or_default()
    }

    /// Makes a program of the text.
    pub(crate) fn translate(&self, how: &Translation) -> Loaded {
        self.n_translations.fetch_add(1, Ordering::Relaxed);
        let (pool, mut program) = match &self.parsed {
            Parsed::Boogie(pool, program) => {
                let mut program = (**program).clone();
                if let [Property::UnreachCallOf(name)] = &how.mode.properties[..] {
                    calls::only_calls_of(&mut program, name);
                }
                let mut pool = pool.clone();
                if how.mode.properties.contains(&Property::NoDeadlock) {
                    boogie::check_deadlocks(&mut program, &mut pool);
                }
                (pool, program)
            }
            Parsed::C(unit) => {
                let mut pool = TermPool::new();
                let program = c::lower(unit, &how.mode, &mut pool);
                (pool, program)
            }
        };
        end_at_settled(&mut program, &how.settled);
        Loaded { sources: self.sources.clone(), pool, program }
    }

    /// How often the text was parsed, and how often a program was made of it.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.n_parses.load(Ordering::Relaxed), self.n_translations.load(Ordering::Relaxed))
    }
}

impl Files {
    fn record(&self, path: &Path, content: Option<&[u8]>) {
        let sha256 = content.map(report::sha256::hex);
        lock(&self.inputs).push(report::Input { path: path.display().to_string(), sha256 });
    }

    /// A file that the program includes; each is read once.
    fn included(&self, path: &Path, host: &dyn Host) -> Option<String> {
        let known = lock(&self.included).get(path).cloned();
        let content = known.unwrap_or_else(|| {
            let content = host.read_file(path).ok();
            self.record(path, content.as_deref());
            lock(&self.included).insert(path.to_path_buf(), content.clone());
            content
        });
        content.and_then(|bytes| String::from_utf8(bytes).ok())
    }
}

/// Reads a file: its language, its bytes, and what the front end reads of it.
fn read_one(path: &Path, options: &ReadOptions, host: &dyn Host) -> Result<(Language, Vec<u8>, String), BadInput> {
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
    Ok((language, bytes, text))
}

/// Makes the propositions of a temporal formula part of a Boogie program.
fn observe(
    compiled: &mut boogie::Compilation,
    sources: &mut SourceMap,
    propositions: &[base::Excerpt],
    pool: &mut TermPool,
) -> Result<(), Vec<Diagnostic>> {
    let mut terms = Vec::with_capacity(propositions.len());
    for proposition in propositions {
        let term = compiled.proposition(sources, proposition, pool)?;
        terms.push(ir::Observed::State(term));
    }
    if let Some(&entry) = compiled.program.entries.first() {
        let observations = ir::Observations { propositions: terms, entry, has_marked_steps: false };
        compiled.program.observations = Some(observations);
    }
    Ok(())
}

/// Executions that fail a decided check end there.
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
