//! Checked program to [`ir::Program`].
//!
//! **Values.** A struct is the row of its fields, so every Boogie value is a row of terms and every
//! Boogie variable a row of IR variables (usually one). A map from `D1, …, Dn` to a row of sorts is a row of
//! nested arrays, one per element of the range: `[int, bool]real` is `(Array Int (Array Bool Real))`. Both
//! encodings keep equality: two values are equal iff their rows are.
//!
//! **Types.** Constructors are uninterpreted sorts, one per instance (`Seq int`); datatypes are in [`datatypes`].
//! Polymorphic functions and procedures are instantiated for the type arguments they are used with; polymorphic maps
//! and quantifiers over types are in [`polymorphism`]. The type parameters of an entry procedure are sorts nothing is
//! known about; where it matters whether they are one of the program's types, the procedure is an entry for those too.
//!
//! **Functions.** One with a body is expanded, unless it is recursive: then it is an uninterpreted
//! function with a defining axiom. Conversely, an axiom `forall x :: f(x) == e` is the body of `f`. `{:builtin}`
//! functions are the operators they name; those with an unknown name, and `{:overapproximation}` ones, are
//! uninterpreted, and each statement that applies one is marked.
//!
//! **Statements.** `where` clauses are assumed when their variables get arbitrary values. A loop invariant is
//! asserted each time control is at the head of the loop, before the condition. Contracts go to the IR as they are, but
//! a procedure with a body asks itself whether its `free requires` hold: if they do not, the caller sees what the
//! contract says and the body is not entered.
//!
//! **Entry points.** `ULTIMATE.start`, else `main`, else every procedure with a body. A procedure named in a
//! `call forall` is one too: its contract is used as a lemma, so it must be proved.

mod builtin;
mod datatypes;
mod expr;
mod floats;
mod polymorphism;
mod stmt;
mod witnesses;

use crate::typed;
use crate::types::{ParamId, Ty, TyId};
use base::{Diagnostic, FileId, SourceMap, Span};
use hashbrown::HashMap;
use ir::{Program, Remark, Spec, VarId, VarKind};
use logic::{FunId, SortId, TermId, TermPool};
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// An error that is already in the list.
struct Reported;
type Lower<T> = Result<T, Reported>;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// The most terms a value may consist of.
const MAX_ROW: usize = 4096;
/// The most instances of polymorphic procedures and functions, which may call for ever new ones.
const MAX_INSTANCES: usize = 2000;
/// The most instances of one type-quantified axiom.
const MAX_AXIOM_INSTANCES: usize = 64;
/// How much deeper than the types that are written down the types of instances may be.
const MAX_EXTRA_DEPTH: u32 = 8;
/// How often a program is lowered anew because types turned up late.
const MAX_ROUNDS: usize = 8;

/// What the names of a program stand for; kept after lowering for properties that speak about it.
#[derive(Default)]
pub(crate) struct Symbols {
    pub(crate) typed: typed::Program,
    /// The terms of each variable in scope. Bound variables and those of procedures are overwritten
    /// with each instance.
    env: Map<typed::VarId, Vec<TermId>>,
    /// The IR variables behind globals and the variables of the present procedure.
    ir_vars: Map<typed::VarId, Vec<VarId>>,
    rows: Map<TyId, Vec<SortId>>,
    functions: Map<(typed::FuncId, Vec<TyId>), Definition>,
    recursive: Vec<bool>,
    layouts: Map<TyId, Arc<datatypes::Layout>>,
    /// A term of each sort that stands where nothing is said.
    defaults: Map<SortId, TermId>,
    /// The partial order `<:` of each type that has one.
    orders: Map<TyId, FunId>,
    /// Functions for results that an operator leaves open, by the operator and its sorts.
    unspecified: Map<(&'static str, SortId, SortId), FunId>,
    polymorphism: polymorphism::Known,
}

/// How a procedure is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct CallKind {
    /// `free call`: what it requires is assumed.
    is_free: bool,
    /// The body is not entered.
    by_contract: bool,
}

/// What a body has to do with the contract of its procedure; the rest is done by `ir`.
struct Contract {
    /// Where this does not hold the body is not entered.
    assumed_inside: TermId,
    ensures: Vec<TermId>,
    /// Postconditions to assert at the end, and where they stand.
    obligations: Vec<(TermId, Span)>,
}

/// What a function stands for, and what that approximates.
#[derive(Clone)]
struct Definition {
    meaning: FunctionMeaning,
    approximation: Option<String>,
}

#[derive(Clone)]
enum FunctionMeaning {
    /// One symbol per element of the result's row.
    Symbols(Vec<FunId>),
    /// The body, over these stand-ins for the parameters.
    Body { params: Vec<TermId>, body: Vec<TermId> },
}

pub(crate) struct Lowerer<'a> {
    sources: &'a SourceMap,
    pub(crate) pool: &'a mut TermPool,
    pub(crate) symbols: Symbols,
    pub(crate) out: Program,
    errors: Vec<Diagnostic>,
    /// The type arguments of the declaration being lowered.
    type_args: Vec<(ParamId, TyId)>,
    /// Instances by their type arguments and kinds of calls.
    procs: Map<(typed::ProcId, Vec<TyId>, CallKind), ir::ProcId>,
    /// Instances whose contract and body are still to be lowered.
    waiting: Vec<(typed::ProcId, Vec<TyId>, CallKind, ir::ProcId)>,
    /// What the expression being lowered approximates, if it does.
    approximation: Option<String>,
    /// The same for axioms and contracts: it concerns every execution.
    axiom_approximation: Option<String>,
    /// For each typed procedure, the globals it may change (callees included).
    modifies: Vec<Vec<typed::VarId>>,
    /// The body being lowered may see other threads change globals.
    has_threads: bool,
    /// In `old(…)`.
    in_old: bool,
    /// Globals the procedure being lowered may change.
    changing: Vec<typed::VarId>,
    /// Type arguments that instances of polymorphic functions were made for.
    instance_types: Vec<TyId>,
    /// The deepest type that an instance may have.
    max_depth: u32,
    /// Calls use contracts.
    is_modular: bool,
    /// The labels that a temporal property speaks about.
    events: Vec<ir::Event>,
}

/// A program and what its names mean.
pub(crate) fn lower(
    sources: &SourceMap,
    file: FileId,
    typed: typed::Program,
    options: &crate::Options,
    pool: &mut TermPool,
) -> Result<(Program, Symbols), Vec<Diagnostic>> {
    let entries = named_entry(&typed, options, file)?;
    let mut known = polymorphism::Known::default();
    let mut types = typed.types.clone();
    let max_depth = types.max_depth() + MAX_EXTRA_DEPTH;
    let mut round = 0;
    let mut lowerer = loop {
        round += 1;
        let mut program = typed.clone();
        // Types keep their ids from round to round.
        program.types = types;
        let symbols = Symbols { typed: program, polymorphism: known, ..Symbols::default() };
        let mut lowerer = Lowerer::new(sources, pool, symbols);
        lowerer.max_depth = max_depth;
        lowerer.is_modular = options.modular;
        lowerer.events = options.events.clone();
        lowerer.program(entries);
        let more = lowerer.learn_types();
        if !more || !lowerer.errors.is_empty() {
            break lowerer;
        }
        if round == MAX_ROUNDS {
            lowerer.unsupported(Span::new(file, 0, 0), "polymorphism that needs ever more types");
            break lowerer;
        }
        known = std::mem::take(&mut lowerer.symbols.polymorphism);
        types = std::mem::take(&mut lowerer.symbols.typed.types);
    };
    if lowerer.errors.is_empty() {
        return Ok((lowerer.out, lowerer.symbols));
    }
    lowerer.errors.sort_by_key(|e| e.span.start);
    lowerer.errors.dedup();
    lowerer.errors.truncate(crate::parser::MAX_ERRORS);
    Err(lowerer.errors)
}

/// The procedure that the options name; what is wrong with it is said about the whole file.
fn named_entry(
    typed: &typed::Program,
    options: &crate::Options,
    file: FileId,
) -> Result<Option<typed::ProcId>, Vec<Diagnostic>> {
    let Some(name) = &options.entry else { return Ok(None) };
    let found = typed.procs.iter().find(|(_, p)| p.name == *name);
    let message = match found {
        Some((id, proc)) if !proc.bodies.is_empty() => return Ok(Some(id)),
        Some((_, proc)) => {
            let message = format!("--entry {name}: this procedure has no body");
            return Err(vec![Diagnostic::error(proc.span, message)]);
        }
        None => format!("--entry {name}: there is no procedure of this name"),
    };
    let with_body: Vec<&str> =
        typed.procs.values().filter(|p| !p.bodies.is_empty()).map(|p| p.name.as_str()).take(8).collect();
    let hint = match with_body.as_slice() {
        [] => "no procedure has a body".to_string(),
        names => format!("procedures with a body are {}", names.join(", ")),
    };
    Err(vec![Diagnostic::error(Span::new(file, 0, 0), format!("{message}; {hint}"))])
}

/// A proposition over the globals of a lowered program.
pub(crate) fn lower_proposition(
    sources: &SourceMap,
    symbols: &mut Symbols,
    pool: &mut TermPool,
    expr: &typed::Expr,
) -> Result<TermId, Vec<Diagnostic>> {
    let mut lowerer = Lowerer::new(sources, pool, std::mem::take(symbols));
    lowerer.max_depth = u32::MAX;
    let term = lowerer.formula(expr);
    if let Some(what) = lowerer.approximation.take() {
        lowerer.unsupported(expr.span, &format!("{what} in a property"));
    }
    let new_axioms = !lowerer.out.axioms.is_empty();
    if new_axioms {
        lowerer.unsupported(expr.span, "a function in a property that the program does not use");
    }
    let errors = std::mem::take(&mut lowerer.errors);
    *symbols = lowerer.symbols;
    match term {
        Ok(term) if errors.is_empty() => Ok(term),
        Ok(_) | Err(Reported) => Err(errors),
    }
}

impl<'a> Lowerer<'a> {
    fn new(sources: &'a SourceMap, pool: &'a mut TermPool, symbols: Symbols) -> Lowerer<'a> {
        Lowerer {
            sources,
            pool,
            symbols,
            out: Program::new(),
            errors: Vec::new(),
            type_args: Vec::new(),
            procs: Map::default(),
            waiting: Vec::new(),
            approximation: None,
            axiom_approximation: None,
            modifies: Vec::new(),
            has_threads: false,
            in_old: false,
            changing: Vec::new(),
            instance_types: Vec::new(),
            max_depth: 0,
            is_modular: false,
            events: Vec::new(),
        }
    }

    fn unsupported(&mut self, span: Span, what: &str) -> Reported {
        self.errors.push(Diagnostic::error(span, format!("unsupported: {what}")));
        Reported
    }

    // ---- types --------------------------------------------------------------------------------

    /// The type under the present type arguments, with nothing left open.
    fn ty(&mut self, ty: TyId) -> TyId {
        let ty = self.symbols.typed.types.resolve(ty);
        let (params, args): (Vec<ParamId>, Vec<TyId>) = self.type_args.iter().copied().unzip();
        self.symbols.typed.types.subst(ty, &params, &args)
    }

    /// The sorts of the row that makes up a value.
    fn row(&mut self, ty: TyId, span: Span) -> Lower<Vec<SortId>> {
        let ty = self.ty(ty);
        if let Some(row) = self.symbols.rows.get(&ty) {
            return Ok(row.clone());
        }
        let row = match self.symbols.typed.types.view(ty).clone() {
            Ty::Bool => vec![SortId::BOOL],
            Ty::Int => vec![SortId::INT],
            Ty::Real => vec![SortId::REAL],
            // There is one value without bits, and nothing to say about it.
            Ty::BitVec(0) => Vec::new(),
            Ty::BitVec(width) => vec![self.pool.bitvec_sort(width)],
            Ty::Float(significand, exponent) => vec![self.pool.bitvec_sort(significand + exponent)],
            Ty::Rounding => vec![SortId::INT],
            Ty::Map { n_params, .. } if n_params > 0 => self.polymorphic_map_row(ty, span)?,
            Ty::Map { domain, range, .. } => {
                let mut indices = Vec::new();
                for index in domain {
                    indices.extend(self.row(index, span)?);
                }
                let elements = self.row(range, span)?;
                elements
                    .into_iter()
                    .map(|element| indices.iter().rev().fold(element, |e, &i| self.pool.array_sort(i, e)))
                    .collect()
            }
            Ty::Ctor(..) if self.is_datatype(ty) => return Ok(self.layout(ty, span)?.sorts.clone()),
            Ty::Ctor(..) | Ty::Param(_) => {
                let mut name = crate::check::show_type(&self.symbols.typed, ty);
                // A type parameter may be called like a type, about which axioms may speak.
                if self.symbols.typed.types.has_params(ty) {
                    name = format!("{name}#{}", ty.0);
                }
                vec![self.pool.uninterpreted_sort(&name)]
            }
            Ty::Struct(fields) => {
                let mut row = Vec::new();
                for (_, field) in fields {
                    row.extend(self.row(field, span)?);
                    if row.len() > MAX_ROW {
                        return Err(self.unsupported(span, &format!("structs with more than {MAX_ROW} parts")));
                    }
                }
                row
            }
            Ty::Bound { .. } | Ty::Hole(_) | Ty::Error => {
                return Err(self.unsupported(span, "this type"));
            }
        };
        self.symbols.rows.insert(ty, row.clone());
        Ok(row)
    }

    /// Names for the parts of a variable: `p!base`, `p!offset`.
    fn part_names(&mut self, name: &str, ty: TyId) -> Vec<String> {
        let ty = self.ty(ty);
        let names = self.struct_names(name, ty);
        let n_parts = self.row(ty, Span::NONE).map_or(0, |row| row.len());
        if names.len() == n_parts {
            return names;
        }
        // The parts of datatypes and polymorphic maps are numbered.
        (0..n_parts).map(|i| if n_parts == 1 { name.to_string() } else { format!("{name}#{i}") }).collect()
    }

    fn struct_names(&mut self, name: &str, ty: TyId) -> Vec<String> {
        match self.symbols.typed.types.view(ty).clone() {
            Ty::Struct(fields) => {
                let mut out = Vec::new();
                for (field, ty) in fields {
                    if out.len() > MAX_ROW {
                        break;
                    }
                    out.extend(self.struct_names(&format!("{name}!{field}"), ty));
                }
                out
            }
            Ty::Map { n_params: 0, range, .. } => self.struct_names(name, range),
            _ => vec![name.to_string()],
        }
    }

    // ---- declarations -------------------------------------------------------------------------

    fn program(&mut self, entry: Option<typed::ProcId>) {
        self.adopt_definitions();
        self.analyse();
        for var in self.symbols.typed.consts.clone() {
            let (name, ty, span) = self.var_parts(var);
            let Ok(row) = self.row(ty, span) else { continue };
            let names = self.part_names(&name, ty);
            let terms: Vec<TermId> = names.iter().zip(row).map(|(n, sort)| self.pool.fresh_constant(n, sort)).collect();
            let canonical = self.canonical(ty, &terms);
            if canonical != TermId::TRUE {
                self.out.axioms.push(canonical);
            }
            self.symbols.env.insert(var, terms);
        }
        for var in self.symbols.typed.globals.clone() {
            self.declare_var(var, VarKind::Global);
        }
        self.unique_constants();
        for var in self.symbols.typed.globals.clone() {
            let conditions = self.typing(var).into_iter().chain(self.where_clause(var));
            for term in conditions.collect::<Vec<_>>() {
                if !self.out.initially.contains(&term) {
                    self.out.initially.push(term);
                }
            }
        }
        self.axiom_approximation = self.approximation.take();
        self.extend_orders();
        self.entry_points(entry);
        while let Some((proc, type_args, kind, id)) = self.waiting.pop() {
            self.procedure(proc, &type_args, kind, id);
        }
        self.axioms();
        self.mark_entries();
        let warnings = std::mem::take(&mut self.symbols.typed.warnings);
        self.out.assumptions.extend(warnings.into_iter().map(|w| Remark {
            kind: ir::RemarkKind::Other,
            span: w.span,
            message: w.message,
        }));
    }

    fn var_parts(&self, var: typed::VarId) -> (String, TyId, Span) {
        let var = &self.symbols.typed.vars[var];
        (var.name.clone(), var.ty, var.span)
    }

    fn declare_var(&mut self, var: typed::VarId, kind: VarKind) -> Vec<VarId> {
        let (name, ty, span) = self.var_parts(var);
        // Without a row the variable stays undeclared, and so does all that mentions it.
        let Ok(row) = self.row(ty, span) else {
            self.symbols.ir_vars.insert(var, Vec::new());
            return Vec::new();
        };
        let names = self.part_names(&name, ty);
        let ids: Vec<VarId> =
            names.iter().zip(row).map(|(n, sort)| self.out.add_var(self.pool, n, sort, kind, span)).collect();
        let terms = ids.iter().map(|&v| self.out.term(v)).collect();
        self.symbols.env.insert(var, terms);
        self.symbols.ir_vars.insert(var, ids.clone());
        ids
    }

    fn unique_constants(&mut self) {
        let mut groups: Vec<(TyId, Vec<Vec<TermId>>)> = Vec::new();
        for var in self.symbols.typed.consts.clone() {
            if self.symbols.typed.vars[var].kind != (typed::VarKind::Const { unique: true }) {
                continue;
            }
            let ty = self.ty(self.symbols.typed.vars[var].ty);
            let Some(terms) = self.symbols.env.get(&var).cloned() else { continue };
            match groups.iter_mut().find(|(t, _)| *t == ty) {
                Some((_, group)) => group.push(terms),
                None => groups.push((ty, vec![terms])),
            }
        }
        for (ty, group) in groups {
            if self.has_ambiguous_maps(ty) {
                self.approximation.get_or_insert("equality of maps of datatypes or floating-point numbers".to_string());
            }
            if group[0].len() == 1 {
                let terms: Vec<TermId> = group.into_iter().flatten().collect();
                if terms.len() > 1 {
                    let distinct = self.pool.distinct(&terms);
                    self.out.axioms.push(distinct);
                }
                continue;
            }
            for (i, a) in group.iter().enumerate() {
                for b in &group[i + 1..] {
                    let equal = self.row_eq(a, b);
                    let different = self.pool.not(equal);
                    self.out.axioms.push(different);
                }
            }
        }
    }

    /// Makes defining axioms bodies: they say the same, and bodies need no quantifier.
    fn adopt_definitions(&mut self) {
        let mut kept = Vec::new();
        for axiom in std::mem::take(&mut self.symbols.typed.axioms) {
            match defining_axiom(&axiom) {
                Some((id, params, body)) if self.symbols.typed.functions[id].is_plain() => {
                    let function = &mut self.symbols.typed.functions[id];
                    function.params = params;
                    function.body = Some(body.clone());
                }
                Some(_) | None => kept.push(axiom),
            }
        }
        self.symbols.typed.axioms = kept;
    }

    /// Finds recursive functions, threads, and what each procedure changes.
    fn analyse(&mut self) {
        let n_functions = self.symbols.typed.functions.len();
        let mut calls: Vec<Vec<usize>> = vec![Vec::new(); n_functions];
        for (id, function) in self.symbols.typed.functions.iter() {
            if let Some(body) = &function.body {
                applied_functions(body, &mut calls[id.0 as usize]);
            }
        }
        self.symbols.recursive = (0..n_functions).map(|f| reaches(&calls, f, f)).collect();

        let procs = &self.symbols.typed.procs;
        let mut changes: Vec<Vec<typed::VarId>> = Vec::new();
        let mut callees: Vec<Vec<usize>> = Vec::new();
        for (_, proc) in procs.iter() {
            let mut effects = Effects::default();
            effects.changed.extend_from_slice(&proc.modifies);
            for body in &proc.bodies {
                effects.block(&body.block);
            }
            self.has_threads |= effects.threads;
            let vars = &self.symbols.typed.vars;
            effects.changed.retain(|&v| vars[v].kind == typed::VarKind::Global);
            effects.changed.sort_unstable();
            effects.changed.dedup();
            changes.push(effects.changed);
            callees.push(effects.callees);
        }
        // Few procedures, few globals: iterate until nothing changes.
        loop {
            let mut stable = true;
            for p in 0..changes.len() {
                let mut all = changes[p].clone();
                for &q in &callees[p] {
                    all.extend_from_slice(&changes[q]);
                }
                all.sort_unstable();
                all.dedup();
                stable &= all.len() == changes[p].len();
                changes[p] = all;
            }
            if stable {
                break;
            }
        }
        self.modifies = changes;
    }

    fn entry_points(&mut self, named: Option<typed::ProcId>) {
        let procs = &self.symbols.typed.procs;
        let is_entry = |p: &typed::Procedure| !p.bodies.is_empty() && p.verify;
        let implemented = |name: &str| procs.iter().find(|(_, p)| p.name == name && is_entry(p)).map(|(id, _)| id);
        let usual = || implemented("ULTIMATE.start").or_else(|| implemented("main")).filter(|_| !self.is_modular);
        let (entries, note) = match named.or_else(usual) {
            Some(entry) => (vec![entry], format!("entry point: {}", procs[entry].name)),
            None => {
                let all: Vec<typed::ProcId> = procs.iter().filter(|(_, p)| is_entry(p)).map(|(id, _)| id).collect();
                let names: Vec<&str> = all.iter().map(|&p| procs[p].name.as_str()).collect();
                let note = match names.len() {
                    0 => "entry points: none, as no procedure has a body".to_string(),
                    1 => format!("entry point: {}", names[0]),
                    2..=8 => format!("entry points: every procedure ({})", names.join(", ")),
                    n => format!("entry points: every procedure ({n} of them)"),
                };
                (all, note)
            }
        };
        self.out.entry_note = note;
        for entry in entries {
            self.add_entry(entry);
        }
    }

    fn add_entry(&mut self, entry: typed::ProcId) {
        // The parameters of a polymorphic entry stay themselves: sorts of their own.
        let (params, span) = {
            let proc = &self.symbols.typed.procs[entry];
            (proc.type_params.clone(), proc.span)
        };
        let Ok(combinations) = self.entry_types(&params, span) else { return };
        for args in combinations {
            let id = self.instance(entry, args, CallKind::default(), span);
            if !self.out.entries.contains(&id) {
                self.out.entries.push(id);
            }
        }
    }

    /// The IR procedure for these type arguments, declared on first use. For a `free call` it requires nothing. `span`
    /// is the place that wants it.
    fn instance(&mut self, proc: typed::ProcId, type_args: Vec<TyId>, kind: CallKind, span_of_use: Span) -> ir::ProcId {
        if let Some(&id) = self.procs.get(&(proc, type_args.clone(), kind)) {
            return id;
        }
        let decl = &self.symbols.typed.procs[proc];
        let (mut name, span) = (decl.name.clone(), decl.span);
        if !type_args.is_empty() {
            let args: Vec<String> =
                type_args.iter().map(|&t| crate::check::show_type(&self.symbols.typed, t)).collect();
            name = format!("{name}<{}>", args.join(", "));
        }
        let too_deep = type_args.iter().any(|&t| self.symbols.typed.types.depth(t) > self.max_depth);
        if self.procs.len() >= MAX_INSTANCES || too_deep {
            self.unsupported(span_of_use, "polymorphic recursion (calls at ever larger types)");
        }
        let id = self.out.procs.push(ir::Procedure {
            name,
            span,
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            modifies: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            body: None,
        });
        // The signature is declared at once: callers need its shape.
        self.procs.insert((proc, type_args.clone(), kind), id);
        if self.procs.len() <= MAX_INSTANCES && !too_deep {
            self.waiting.push((proc, type_args, kind, id));
        }
        id
    }

    fn procedure(&mut self, proc: typed::ProcId, type_args: &[TyId], kind: CallKind, id: ir::ProcId) {
        let mut decl = self.symbols.typed.procs[proc].clone();
        if kind.is_free {
            decl.requires.iter_mut().for_each(|c| c.free = true);
        }
        if kind.by_contract {
            decl.bodies.clear();
        }
        self.type_args = decl.type_params.iter().copied().zip(type_args.iter().copied()).collect();
        self.changing = self.modifies[proc.0 as usize].clone();

        let mut params = Vec::new();
        let mut results = Vec::new();
        for &var in &decl.params {
            params.extend(self.declare_var(var, VarKind::Param(id)));
        }
        for &var in &decl.returns {
            results.extend(self.declare_var(var, VarKind::Result(id)));
        }
        let mut modifies = Vec::new();
        for var in self.changing.clone() {
            modifies.extend(self.symbols.ir_vars[&var].iter().copied());
        }

        let mut requires = Vec::new();
        let mut ensures = Vec::new();
        let mut obligations = Vec::new();
        // What is free holds where an execution starts; at calls it says nothing.
        let mut assumed_inside = Vec::new();
        for &param in &decl.params {
            let span = self.symbols.typed.vars[param].span;
            let conditions: Vec<TermId> = self.where_clause(param).into_iter().collect();
            assumed_inside.extend(conditions.iter().copied());
            let all = self.typing(param).into_iter().chain(conditions);
            requires.extend(all.map(|formula| Spec { formula, free: true, span }));
        }
        for var in decl.returns.iter().copied().chain(self.changing.clone()) {
            let span = self.symbols.typed.vars[var].span;
            let typing = if decl.bodies.is_empty() { self.typing(var) } else { None };
            let all = typing.into_iter().chain(self.where_clause(var));
            ensures.extend(all.map(|formula| Spec { formula, free: true, span }));
        }
        for c in &decl.requires {
            if let Ok(formula) = self.formula(&c.expr) {
                // Those with quantifiers are asserted in [`witnesses`].
                let free = c.free || self.has_quantifiers(&c.expr);
                requires.push(Spec { formula, free, span: c.span });
                if c.free {
                    assumed_inside.push(formula);
                }
            }
        }
        for c in &decl.ensures {
            if let Ok(formula) = self.formula(&c.expr) {
                let asserted_here = !c.free && !decl.bodies.is_empty() && self.has_quantifiers(&c.expr);
                if asserted_here {
                    obligations.push((formula, c.span));
                }
                ensures.push(Spec { formula, free: c.free || asserted_here, span: c.span });
            }
        }
        // A contract is used inside and outside of the procedure: one that approximates concerns all.
        if let Some(what) = self.approximation.take() {
            self.axiom_approximation.get_or_insert(what);
        }
        let (locals, body) = if decl.bodies.is_empty() {
            (Vec::new(), None)
        } else {
            let assumed_inside = self.pool.and(&assumed_inside);
            let contract =
                Contract { assumed_inside, ensures: ensures.iter().map(|s| s.formula).collect(), obligations };
            let (locals, body) = self.body(id, &decl, &contract);
            (locals, Some(body))
        };
        let out = &mut self.out.procs[id];
        out.params = params;
        out.results = results;
        out.locals = locals;
        out.modifies = modifies;
        out.requires = requires;
        out.ensures = ensures;
        out.body = body;
    }

    /// The `where` clause of a variable.
    fn where_clause(&mut self, var: typed::VarId) -> Option<TermId> {
        let condition = self.symbols.typed.vars[var].condition.clone()?;
        self.formula(&condition).ok()
    }

    /// That a variable has a value of its type, if its sorts do not say so.
    fn typing(&mut self, var: typed::VarId) -> Option<TermId> {
        let ty = self.symbols.typed.vars[var].ty;
        let terms = self.symbols.env.get(&var)?.clone();
        let canonical = self.canonical(ty, &terms);
        (canonical != TermId::TRUE).then_some(canonical)
    }

    // ---- the partial order --------------------------------------------------------------------

    /// `<:` on a type, with the axioms of a partial order.
    fn order(&mut self, ty: TyId, span: Span) -> Lower<FunId> {
        let ty = self.ty(ty);
        if let Some(&symbol) = self.symbols.orders.get(&ty) {
            return Ok(symbol);
        }
        let row = self.row(ty, span)?;
        let sorts: Vec<SortId> = row.iter().chain(&row).copied().collect();
        let symbol = self.pool.fresh_fun("<:", &sorts, SortId::BOOL);
        self.symbols.orders.insert(ty, symbol);
        let [x, y, z] = ["x", "y", "z"]
            .map(|name| row.iter().map(|&sort| self.pool.fresh_bound(name, sort)).collect::<Vec<TermId>>());
        let [xx, xy, yx, yz, xz] = [(&x, &x), (&x, &y), (&y, &x), (&y, &z), (&x, &z)]
            .map(|(a, b)| self.pool.app(symbol, &[a.as_slice(), b.as_slice()].concat()));
        let reflexive = self.pool.forall(&x, vec![vec![xx]], xx);
        let premise = self.pool.and2(xy, yx);
        let same = self.row_eq(&x, &y);
        let antisymmetric = self.pool.implies(premise, same);
        let antisymmetric = self.pool.forall(&[x.clone(), y.clone()].concat(), vec![vec![xy, yx]], antisymmetric);
        let premise = self.pool.and2(xy, yz);
        let transitive = self.pool.implies(premise, xz);
        let transitive = self.pool.forall(&[x, y, z].concat(), vec![vec![xy, yz]], transitive);
        self.out.axioms.extend([reflexive, antisymmetric, transitive]);
        Ok(symbol)
    }

    /// `extends`: constants are below others. That nothing lies between, and that nothing else is below, is not said.
    fn extend_orders(&mut self) {
        for (child, parents) in self.symbols.typed.order.clone() {
            let (_, ty, span) = self.var_parts(child);
            let what = "the partial order of constants".to_string();
            self.axiom_approximation.get_or_insert(what);
            let Ok(symbol) = self.order(ty, span) else { continue };
            for parent in parents {
                let (Some(a), Some(b)) = (self.symbols.env.get(&child), self.symbols.env.get(&parent)) else {
                    continue;
                };
                let args = [a.as_slice(), b.as_slice()].concat();
                let below = self.pool.app(symbol, &args);
                self.out.axioms.push(below);
            }
        }
    }

    /// A function for results that an operator leaves open.
    fn unspecified(&mut self, operator: &'static str, from: SortId, to: SortId) -> FunId {
        if let Some(&symbol) = self.symbols.unspecified.get(&(operator, from, to)) {
            return symbol;
        }
        let symbol = self.pool.fresh_fun(operator, &[from], to);
        self.symbols.unspecified.insert((operator, from, to), symbol);
        symbol
    }

    // ---- axioms -------------------------------------------------------------------------------

    fn axioms(&mut self) {
        self.type_args.clear();
        self.changing.clear();
        let axioms = self.symbols.typed.axioms.clone();
        let mut polymorphic = Vec::new();
        for axiom in &axioms {
            match &axiom.kind {
                typed::ExprKind::Quantifier { binder: crate::ast::Binder::Forall, type_params, .. }
                    if !type_params.is_empty() =>
                {
                    polymorphic.push(axiom);
                }
                _ => {
                    let term = self.formula(axiom);
                    self.out.axioms.extend(term.ok());
                }
            }
        }
        // Types that only axioms bring in do not bring in more of them.
        self.symbols.polymorphism.note(&self.instance_types);
        for axiom in polymorphic {
            self.polymorphic_axiom(axiom);
        }
        if let Some(what) = self.approximation.take() {
            self.axiom_approximation.get_or_insert(what);
        }
    }

    /// When axioms or contracts approximate, every execution does.
    fn mark_entries(&mut self) {
        let Some(what) = self.axiom_approximation.take() else { return };
        for entry in self.out.entries.clone() {
            let span = self.out.procs[entry].span;
            let marker = self.out.add_var(self.pool, "approximation", SortId::BOOL, VarKind::Local(entry), Span::NONE);
            let proc = &mut self.out.procs[entry];
            proc.locals.push(marker);
            if let Some(body) = &mut proc.body {
                let stmt = ir::Stmt::Havoc(vec![marker], ir::Nondet::Overapproximation(what.clone()));
                let instr = ir::Instr { kind: ir::InstrKind::Stmt(stmt), span, note: ir::Note::Hidden };
                body.instrs.insert(0, instr);
            }
        }
    }
}

/// The function, its parameters and its value, if a formula is `forall x, y :: f(y, x) == e` (or `<==>`) with each
/// variable once.
fn defining_axiom(axiom: &typed::Expr) -> Option<(typed::FuncId, Vec<typed::VarId>, &typed::Expr)> {
    use crate::ast::{BinaryOp, Binder};
    let typed::ExprKind::Quantifier { binder: Binder::Forall, type_params, vars, body, .. } = &axiom.kind else {
        return None;
    };
    let typed::ExprKind::Binary(BinaryOp::Eq | BinaryOp::Iff, sides) = &body.kind else { return None };
    let [left, right] = sides.as_slice() else { return None };
    let typed::ExprKind::Apply { callee, type_args, args } = &left.kind else { return None };
    let mut params = Vec::new();
    for arg in args {
        match arg.kind {
            typed::ExprKind::Var(var) if vars.contains(&var) && !params.contains(&var) => params.push(var),
            _ => return None,
        }
    }
    let plain = type_params.is_empty() && type_args.is_empty() && params.len() == vars.len();
    plain.then_some((*callee, params, right))
}

/// Whether `to` can be reached from `from` in one step or more.
fn reaches(graph: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut stack = graph[from].clone();
    while let Some(n) = stack.pop() {
        if n == to {
            return true;
        }
        if !std::mem::replace(&mut seen[n], true) {
            stack.extend_from_slice(&graph[n]);
        }
    }
    false
}

fn applied_functions(e: &typed::Expr, out: &mut Vec<usize>) {
    use typed::ExprKind::*;
    match &e.kind {
        Apply { callee, args, .. } => {
            out.push(callee.0 as usize);
            args.iter().for_each(|a| applied_functions(a, out));
        }
        Bool(_) | Int(_) | Real(_) | BitVec(_) | Float(_) | Rounding(_) | Var(_) | Error => {}
        Old(e) | Unary(_, e) | ToInt(e) | ToReal(e) | Field(e, _) | Is(e, _) => applied_functions(e, out),
        Member { base, .. } => applied_functions(base, out),
        WithMember { base, value, .. } => {
            applied_functions(base, out);
            applied_functions(value, out);
        }
        Let { values, body, .. } => {
            values.iter().for_each(|a| applied_functions(a, out));
            applied_functions(body, out);
        }
        Extract { operand, .. } => applied_functions(operand, out),
        Quantifier { triggers, body, .. } => {
            triggers.iter().flatten().for_each(|t| applied_functions(t, out));
            applied_functions(body, out);
        }
        Binary(_, operands) | Struct(operands) => operands.iter().for_each(|a| applied_functions(a, out)),
        IfThenElse(parts) => parts.iter().for_each(|a| applied_functions(a, out)),
        Select { map, index, .. } => {
            applied_functions(map, out);
            index.iter().for_each(|a| applied_functions(a, out));
        }
        Store { map, index, value, .. } => {
            applied_functions(map, out);
            index.iter().for_each(|a| applied_functions(a, out));
            applied_functions(value, out);
        }
        WithField { base, value, .. } => {
            applied_functions(base, out);
            applied_functions(value, out);
        }
    }
}

/// What a body does besides computing.
#[derive(Default)]
struct Effects {
    changed: Vec<typed::VarId>,
    callees: Vec<usize>,
    threads: bool,
}

impl Effects {
    fn block(&mut self, block: &[typed::Stmt]) {
        use typed::StmtKind::*;
        for stmt in block {
            match &stmt.kind {
                Label(_) | Assert(_) | Assume(_) | Goto(_) | Break(_) | Return | CallForall { .. } => {}
                Havoc(vars) => self.changed.extend_from_slice(vars),
                Assign(pairs) => self.changed.extend(pairs.iter().map(|(v, _)| *v)),
                Call { lhs, callee, .. } => {
                    self.changed.extend_from_slice(lhs);
                    self.callees.push(callee.0 as usize);
                }
                Fork { .. } => self.threads = true,
                Join { lhs, .. } => {
                    self.threads = true;
                    self.changed.extend_from_slice(lhs);
                }
                Atomic(body) | Sequence(body) | While { body, .. } => self.block(body),
                If { branches, otherwise } => {
                    branches.iter().for_each(|(_, b)| self.block(b));
                    if let Some(b) = otherwise {
                        self.block(b);
                    }
                }
            }
        }
    }
}
