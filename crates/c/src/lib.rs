//! The C front end: C11 with GNU extensions to the program the engines check.
//!
//! The road: [`lex`] cuts characters into tokens, [`preprocess`] expands macros and headers,
//! [`mod@parse`] builds the syntax tree of [`ast`], [`sema`] checks types and builds the typed
//! program of [`hir`] with layouts from [`types`], [`mod@lower`] makes it an [`ir::Program`].
//!
//! [`parse()`] reads a file once, up to the typed program; [`lower()`] makes an [`ir::Program`] of it, in as many
//! [`Mode`]s as are needed; [`compile`] goes all the way. This crate does no I/O of its own: headers that are not built
//! in are read through a function the caller gives.

pub mod annotate;
pub mod ast;
mod contracts;
pub mod headers;
mod hir;
pub mod lex;
mod library;
mod link;
mod literal;
pub mod lower;
pub mod parse;
mod prelude;
pub mod preprocess;
pub mod print;
mod quantifiers;
mod rewrite;
pub mod sema;
mod types;
mod visit;

use std::path::{Path, PathBuf};

use base::{Diagnostic, FileId, SourceMap, Span, with_deep_stack};
use ir::{Program, Property};
use logic::TermPool;
use rustc_hash::FxHashSet;

/// The sizes of the basic types: gcc on x86 with `-m32` or `-m64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    #[default]
    Ilp32,
    Lp64,
}

/// How a program is read.
#[derive(Clone, Debug)]
pub struct Options {
    pub data_model: DataModel,
    /// The functions executions start in, one in each; `*` is every function of the file. None: `main`, or without one,
    /// every function of the file that others can call.
    pub entries: Vec<String>,
    pub include_dirs: Vec<PathBuf>,
    /// Only the headers of this crate can be included; no file is looked for.
    pub builtin_headers_only: bool,
    /// `NAME` or `NAME=VALUE`
    pub defines: Vec<String>,
    /// Calls use the contracts of functions, and bodies are checked against them.
    pub modular: bool,
    /// The other translation units of the program.
    pub linked: Vec<OtherUnit>,
    /// Expressions of a witness at their places.
    pub annotations: Vec<annotate::Annotation>,
    /// Its ghost variables.
    pub ghosts: annotate::Ghosts,
    /// The propositions of a temporal formula, over globals and variables of the entry function ([`ir::Observations`]).
    pub propositions: Vec<base::Excerpt>,
    /// The labels and functions without a body that it speaks about.
    pub events: Vec<ir::Event>,
    /// Follow only executions that take the way of a witness.
    pub guide: Option<annotate::Guide>,
    /// What is taken for granted about the world around the program.
    pub environment: lower::Environment,
}

/// A further translation unit of a program.
#[derive(Clone, Debug)]
pub struct OtherUnit {
    pub file: FileId,
    pub include_dirs: Vec<PathBuf>,
    pub defines: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            data_model: DataModel::Ilp32,
            entries: Vec::new(),
            include_dirs: Vec::new(),
            builtin_headers_only: false,
            defines: Vec::new(),
            modular: false,
            linked: Vec::new(),
            annotations: Vec::new(),
            ghosts: annotate::Ghosts::default(),
            propositions: Vec::new(),
            events: Vec::new(),
            guide: None,
            environment: lower::Environment::default(),
        }
    }
}

/// How a program that was read is translated, and what is checked in it.
#[derive(Clone, Debug)]
pub struct Mode {
    pub properties: Vec<Property>,
    /// How integers are represented.
    pub integers: lower::Integers,
    /// Check that sums, differences and products never wrap around, so that they are plain ones
    /// ([`ir::Subproperty::NoWrap`]).
    pub no_wrap: bool,
    /// With memory safety: check also that pointers do not leave their objects, read or not.
    pub check_pointers: bool,
    /// Check also indices of arrays inside larger objects, and lengths of variable-length arrays.
    pub check_arrays: bool,
    /// What becomes of threads. (For termination only interleaving counts.)
    pub threads: lower::Threads,
}

impl Default for Mode {
    fn default() -> Mode {
        Mode {
            properties: vec![Property::UnreachCall],
            integers: lower::Integers::default(),
            no_wrap: false,
            check_pointers: false,
            check_arrays: false,
            threads: lower::Threads::AtOnce,
        }
    }
}

/// A C file that was read and type-checked: what every translation of it starts from.
pub struct Unit {
    hir: hir::Unit,
    /// The functions executions start in.
    entries: Vec<hir::FuncId>,
    notes: lower::Notes,
    environment: lower::Environment,
}

impl Unit {
    /// The names of the functions that executions start in.
    pub fn entry_names(&self) -> Vec<&str> {
        self.entries.iter().map(|&f| &*self.hir.funcs[f].name).collect()
    }
    /// The names of all functions, with or without a body.
    pub fn function_names(&self) -> Vec<String> {
        self.hir.funcs.values().map(|f| f.name.to_string()).collect()
    }
    /// The names of all labels.
    pub fn label_names(&self) -> Vec<String> {
        self.hir.labels.values().map(|l| l.to_string()).collect()
    }
}

/// Reads, checks and lowers a C file: [`parse()`], then [`lower()`].
pub fn compile(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    mode: &Mode,
    read_file: &(dyn Fn(&Path) -> Option<String> + Sync),
    pool: &mut TermPool,
) -> Result<Program, Vec<Diagnostic>> {
    let unit = parse(sources, file, options, read_file)?;
    Ok(lower(&unit, mode, pool))
}

/// Reads and checks a C file. Errors are what a compiler would reject.
pub fn parse(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    read_file: &(dyn Fn(&Path) -> Option<String> + Sync),
) -> Result<Unit, Vec<Diagnostic>> {
    with_deep_stack(|| parse_here(sources, file, options, read_file))
}

fn parse_here(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    read_file: &(dyn Fn(&Path) -> Option<String> + Sync),
) -> Result<Unit, Vec<Diagnostic>> {
    let mut contracts = contracts::Contracts::default();
    let (hir, target) = front(sources, file, options, read_file, &mut contracts)?;
    let mut units = vec![hir];
    for other in &options.linked {
        // What a witness or a formula says is about the first file.
        let own = Options {
            include_dirs: other.include_dirs.clone(),
            defines: other.defines.clone(),
            annotations: Vec::new(),
            propositions: Vec::new(),
            guide: None,
            linked: Vec::new(),
            ..options.clone()
        };
        units.push(front(sources, other.file, &own, read_file, &mut contracts)?.0);
    }
    let mut hir = link::link(units, &|span| sources.position(span).is_some_and(|(name, ..)| name == LIBRARY))?;
    lower::thread_locals::separate(&mut hir);
    let files: Vec<FileId> = std::iter::once(file).chain(options.linked.iter().map(|o| o.file)).collect();
    contracts.resolve(&mut hir);
    let entries = entry_functions(&hir, &contracts, options, &files)
        .map_err(|message| vec![Diagnostic::error(Span::new(file, 0, 0), message)])?;
    let notes = lower::Notes {
        roles: options.annotations.iter().map(|a| (a.role, a.line, a.expression.clone())).collect(),
        final_segment: options.guide.map(|g| g.final_segment),
        target,
        events: options.events.clone(),
        contracts,
    };
    Ok(Unit { hir, entries, notes, environment: options.environment })
}

/// Makes a program of a unit. What is valid C but not understood is in the program's [`ir::Fidelity`].
pub fn lower(unit: &Unit, how: &Mode, pool: &mut TermPool) -> Program {
    let mut mode = lower::Mode {
        integers: how.integers,
        no_wrap: how.no_wrap,
        environment: unit.environment,
        ..lower::Mode::default()
    };
    for property in &how.properties {
        match property {
            Property::UnreachCall => mode.check_unreach = true,
            Property::UnreachCallOf(name) => {
                mode.check_unreach = true;
                let named = unit.hir.funcs.iter().find(|(_, f)| *f.name == **name).map(|(id, _)| id);
                mode.errors = lower::Errors::CallsOf(named);
            }
            Property::NoOverflow => mode.check_overflow = true,
            Property::ValidMemsafety => {
                mode.check_memsafety = true;
                mode.check_lost_memory = true;
            }
            Property::ValidMemcleanup => mode.check_memcleanup = true,
            Property::NoDataRace => mode.check_races = true,
            Property::NoDeadlock => mode.check_deadlock = true,
            Property::NoDivisionByZero => mode.check_division = true,
            Property::NoInvalidShift => mode.check_shift = true,
            Property::NoUninitialisedRead => mode.check_uninitialised = true,
            Property::NoNullDereference => mode.check_null = true,
            Property::Undefined | Property::All => {
                mode.check_overflow = true;
                mode.check_memsafety = true;
                mode.check_division = true;
                mode.check_shift = true;
                mode.check_uninitialised = true;
                mode.check_arrays = true;
                mode.check_unreach |= *property == Property::All;
                mode.check_lost_memory |= *property == Property::All;
                mode.assumes_no_races = true;
            }
            Property::Ltl(_) => mode.observes = true,
            Property::Termination => {}
        }
    }
    mode.check_pointers = how.check_pointers;
    mode.check_arrays |= how.check_arrays;
    mode.check_signed_ranges = mode.check_overflow && how.properties.contains(&Property::Termination);
    // Threads that run at once show nothing about infinite executions.
    let is_infinite = |p: &Property| matches!(p, Property::Termination | Property::Ltl(_));
    let ends = how.properties.iter().any(is_infinite);
    let is_modelled = |p: &Property| p.is_safety() || is_infinite(p);
    if !how.properties.is_empty()
        && how.properties.iter().all(is_modelled)
        && (!ends || how.threads == lower::Threads::Interleaved)
    {
        mode.threads = how.threads;
    }
    with_deep_stack(|| lower::lower(&unit.hir, &unit.entries, mode, unit.notes.clone(), pool))
}

/// The functions to start in: those asked for, `main`, or those that others can call.
fn entry_functions(
    unit: &hir::Unit,
    contracts: &contracts::Contracts,
    options: &Options,
    files: &[FileId],
) -> Result<Vec<hir::FuncId>, String> {
    let has_text = |f: &hir::Function| f.body.is_some() || f.broken.is_some();
    // Of functions with a contract only the check is entered.
    let stands_for = |id: hir::FuncId, f: &hir::Function| {
        let mut all = contracts.contracts.iter();
        all.any(|c| [c.body, c.check].contains(&Some(id)) || c.function == *f.name && c.span.file == f.span.file)
    };
    let checks = || contracts.contracts.iter().filter_map(|c| Some((c.function.as_str(), c.check?)));
    let own = || {
        let is_own = |f: &hir::Function| has_text(f) && !f.is_library && files.contains(&f.span.file);
        unit.funcs.iter().filter(move |(id, f)| is_own(f) && !stands_for(*id, f))
    };
    let named = |name: &str| {
        let check = checks().find(|(function, _)| *function == name).map(|(_, id)| id);
        check.or_else(|| unit.funcs.iter().find(|(_, f)| *f.name == *name && has_text(f)).map(|(id, _)| id))
    };
    let missing = |name: &str| {
        let names: Vec<&str> = own().map(|(_, f)| &*f.name).take(5).collect();
        let advice = match &names[..] {
            [] => "the program has no functions".to_string(),
            names => format!("name another one with --entry, e.g. {}", names.join(", ")),
        };
        format!("there is no function {name}; {advice}")
    };
    let mut found = Vec::new();
    for name in &options.entries {
        match (name.as_str(), named(name)) {
            ("*", _) => found.extend(own().map(|(id, _)| id).chain(checks().map(|(_, id)| id))),
            (_, Some(entry)) => found.push(entry),
            (name, None) => return Err(missing(name)),
        }
    }
    if options.entries.is_empty() {
        let by_others = || own().filter(|(_, f)| !f.is_internal);
        found.extend(named("main"));
        if found.is_empty() {
            found.extend(by_others().map(|(id, _)| id));
        }
        found.extend(checks().map(|(_, id)| id));
        if found.is_empty() {
            found.extend(own().map(|(id, _)| id));
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|f| seen.insert(*f));
    if found.is_empty() { Err(missing(options.entries.first().map_or("main", |e| e))) } else { Ok(found) }
}

/// More errors than this are not told.
const MAX_ERRORS: usize = 20;

/// The name of the text that holds the library functions written in C.
const LIBRARY: &str = "<library>";

/// Text to the tokens that the parser sees.
fn preprocessed(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    read_file: &dyn Fn(&Path) -> Option<String>,
) -> Result<(Vec<lex::Token>, preprocess::Constants, lex::Interner), Vec<Diagnostic>> {
    let mut interner = lex::Interner::default();
    let mut pp = preprocess::Preprocessor::new(
        sources,
        &mut interner,
        options.data_model,
        options.include_dirs.clone(),
        read_file,
    );
    pp.builtin_headers_only = options.builtin_headers_only;
    for define in &options.defines {
        pp.define(define);
    }
    let (tokens, constants, diagnostics) = pp.run_with_constants(file, options.modular);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut tokens = without_pragmas(tokens, &mut interner).map_err(|d| vec![d])?;
    if !options.modular {
        tokens = contracts::strip(tokens, &interner);
    }
    Ok((tokens, constants, interner))
}

/// Pragmas that change what the program means, beside those that only warn or optimise.
const PRAGMAS_WITH_MEANING: [&str; 6] =
    ["pack", "push_macro", "pop_macro", "scalar_storage_order", "weak", "redefine_extname"];

/// Drops `_Pragma("text")`, as `#pragma` is dropped, unless it changes what the program means: `pack` is handed to the
/// parser.
fn without_pragmas(tokens: Vec<lex::Token>, interner: &mut lex::Interner) -> Result<Vec<lex::Token>, Diagnostic> {
    use lex::{Punct, TokenKind};
    let Some(operator) = interner.find("_Pragma") else { return Ok(tokens) };
    let mut kept = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let is_operator = token.kind == TokenKind::Ident && token.text == operator;
        match tokens.get(i + 1..i + 4) {
            Some([open, text, close])
                if is_operator && open.is(Punct::LParen) && text.kind == TokenKind::Str && close.is(Punct::RParen) =>
            {
                let words = interner.text(text.text).to_string();
                let inner = words.trim_start_matches(|c: char| c != '"').trim_matches('"').trim();
                let name = inner.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                if let Some(argument) = inner.strip_prefix("pack").map(str::trim).filter(|a| a.starts_with('(')) {
                    let argument: String = argument.split_whitespace().collect();
                    let argument = interner.intern(&argument);
                    kept.push(lex::Token { kind: TokenKind::PragmaPack, text: argument, ..*token });
                } else if PRAGMAS_WITH_MEANING.contains(&name) {
                    return Err(Diagnostic::unsupported(text.span, "this pragma is not supported as an operator"));
                }
                i += 4;
            }
            _ => {
                kept.push(*token);
                i += 1;
            }
        }
    }
    Ok(kept)
}

/// Text to syntax tree, with the texts of its names. What does not parse is in it as such.
pub fn parse_file(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    read_file: &dyn Fn(&Path) -> Option<String>,
) -> Result<(ast::TranslationUnit, lex::Interner), Vec<Diagnostic>> {
    let (tokens, _, mut interner) = preprocessed(sources, file, options, read_file)?;
    let (tree, _) = parse::parse(&tokens, &mut interner);
    Ok((tree, interner))
}

/// Text to typed program. What a compiler would reject is an error, wherever it stands; a function with something that
/// is C but not understood here is kept as such.
fn front(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    read_file: &dyn Fn(&Path) -> Option<String>,
    contracts: &mut contracts::Contracts,
) -> Result<(hir::Unit, Option<Span>), Vec<Diagnostic>> {
    let (mut tokens, constants, mut interner) = preprocessed(sources, file, options, read_file)?;
    if options.modular {
        tokens = contracts::weave(sources, &mut interner, tokens, &constants, contracts)?;
    }
    let mut target = None;
    if let Some(place) = options.guide.and_then(|g| g.target) {
        let span = annotate::target_span(sources, &mut interner, file, &tokens, place).map_err(|d| vec![d])?;
        target = Some(span);
    }
    let tokens = quantifiers::unfold(tokens, &mut interner);
    let tokens = annotate::weave(sources, &mut interner, file, tokens, &options.annotations, &options.ghosts)?;
    let tokens = annotate::observe(
        sources,
        &mut interner,
        file,
        tokens,
        options.entries.first().map_or("main", |e| e),
        &options.propositions,
    )?;
    let (mut tree, _) = parse::parse(&tokens, &mut interner);
    let n_own = tree.items.len();
    add_prelude(sources, &mut interner, options.data_model, &mut tree);
    let sema::Checked { unit, mut diagnostics } = sema::check(&tree, n_own, &mut interner, options.data_model);
    let has_entry = unit.funcs.values().any(|f| f.body.is_some() || f.broken.is_some());
    let is_rejected = diagnostics.iter().any(Diagnostic::is_rejection);
    if is_rejected || !diagnostics.is_empty() && !has_entry {
        if is_rejected {
            diagnostics.retain(Diagnostic::is_rejection);
        }
        diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
        diagnostics.dedup();
        diagnostics.truncate(MAX_ERRORS);
        return Err(diagnostics);
    }
    Ok((unit, target))
}

/// Appends the library functions that are mentioned and not defined.
fn add_prelude(
    sources: &mut SourceMap,
    interner: &mut lex::Interner,
    model: DataModel,
    tree: &mut ast::TranslationUnit,
) {
    // Names that mean something else than a library function.
    let mut defined = FxHashSet::default();
    for item in &tree.items {
        match item {
            ast::Item::Function(def) if def.is_for_inlining_only() => {}
            ast::Item::Function(def) => defined.extend(def.declarator.name),
            ast::Item::Declaration(declaration) => {
                let declared = declaration.declarators.iter().map(|d| &d.declarator);
                let others = declared.filter(|d| !matches!(d.parts.last(), Some(ast::DeclaratorPart::Function(_))));
                defined.extend(others.filter_map(|d| d.name));
            }
            ast::Item::Broken { name, .. } => defined.extend(*name),
            ast::Item::StaticAssert(_) | ast::Item::Asm(_) => {}
        }
    }
    let is_defined = |name: &str| interner.find(name).is_some_and(|symbol| defined.contains(&symbol));
    let is_mentioned =
        |name: &str| interner.find(name).is_some() || interner.find(&format!("__builtin_{name}")).is_some();
    let text = prelude::definitions(is_mentioned, is_defined);
    if text.is_empty() {
        return;
    }
    let file = sources.add(LIBRARY, text);
    let none = |_: &Path| None;
    let pp = preprocess::Preprocessor::new(sources, interner, model, Vec::new(), &none);
    let (tokens, _) = pp.run(file);
    let (more, _) = parse::parse(&tokens, interner);
    tree.items.extend(more.items);
}
