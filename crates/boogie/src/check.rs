//! Name resolution and type checking: [`crate::ast::File`] to [`crate::typed::Program`].
//!
//! The rules are those of the Boogie 2 manual: polymorphic functions, procedures and map types are
//! instantiated by unification; `old` needs two states; constants and parameters cannot be assigned.
//!
//! `/` on integers depends on the [`Dialect`]: a `real` in Boogie, an `int` in Ultimate.
//!
//! Two departures follow Ultimate. A variable that is changed without standing in the `modifies` clause gives a
//! warning, not an error, and the clause is completed. A bit-vector literal that does not fit is reduced modulo its
//! width, with a warning.
//!
//! An error gives the expression the type [`Ty::Error`], which fits everywhere, so that one mistake is
//! reported once and checking goes on.

mod expr;
mod stmt;

use crate::ast::{self, Ident};
use crate::parser::MAX_ERRORS;
use crate::typed::*;
use crate::types::*;
use base::{Diagnostic, Span};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use stmt::BodyContext;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// The widest floating-point types that are accepted.
const MAX_SIGNIFICAND: u32 = 256;
const MAX_FLOAT_EXPONENT: u32 = 20;

/// Whose programs are read: they differ in what `/` means for integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Division of integers gives a `real`.
    #[default]
    Boogie,
    /// Division of integers is `div`.
    Ultimate,
}

/// Checks a file in a dialect; without one, in the first of Boogie's and Ultimate's that accepts it. A program whose
/// meaning depends on the choice says so among its warnings.
pub(crate) fn check(file: &ast::File, dialect: Option<Dialect>) -> Result<Program, Vec<Diagnostic>> {
    match dialect {
        Some(dialect) => check_in(file, dialect).map(|(program, _)| program).map_err(|(errors, _)| errors),
        None => match check_in(file, Dialect::Boogie) {
            Ok((program, _)) => Ok(program),
            Err((errors, None)) => Err(errors),
            Err((errors, Some(division))) => match check_in(file, Dialect::Ultimate) {
                Ok((mut program, _)) => {
                    let message = "`/` on integers is taken for integer division, as in Ultimate; with `--dialect boogie` it is real division";
                    program.warnings.push(Diagnostic::warning(division, message));
                    Ok(program)
                }
                // What is wrong in both dialects is wrong for another reason: say that alone.
                Err((others, _)) if others.len() < errors.len() => Err(others),
                Err(_) => Err(errors),
            },
        },
    }
}

/// The program or what is wrong, and where integers are first divided by `/`.
#[allow(clippy::type_complexity)]
fn check_in(file: &ast::File, dialect: Dialect) -> Result<(Program, Option<Span>), (Vec<Diagnostic>, Option<Span>)> {
    let mut checker = Checker { dialect, ..Checker::default() };
    checker.program.directives = file.directives.clone();
    let decls = without_extern_duplicates(file);
    checker.declare_types(&decls);
    checker.declare_values(&decls);
    checker.define(&decls);
    if checker.errors.is_empty() {
        return Ok((checker.program, checker.integer_division));
    }
    checker.errors.sort_by_key(|e| e.span.start);
    checker.errors.dedup();
    checker.errors.truncate(MAX_ERRORS);
    Err((checker.errors, checker.integer_division))
}

/// The declarations but `{:extern}` ones of names that are declared elsewhere as well.
fn without_extern_duplicates(file: &ast::File) -> Vec<&ast::Decl> {
    let parts = |decl: &ast::Decl| -> Option<(u8, Vec<String>, bool)> {
        let (space, names, attrs): (u8, Vec<&Ident>, &[ast::Attribute]) = match decl {
            ast::Decl::Type(d) => (0, vec![&d.name], &d.attrs),
            ast::Decl::Datatype(d) => (0, vec![&d.name], &d.attrs),
            ast::Decl::Const(d) => (1, d.names.iter().collect(), &d.attrs),
            ast::Decl::Var(d) => (1, d.vars.iter().flat_map(|v| &v.names).collect(), &d.attrs),
            ast::Decl::Function(d) => (2, vec![&d.name], &d.attrs),
            ast::Decl::Procedure(d) => (3, vec![&d.sig.name], &d.sig.attrs),
            ast::Decl::Axiom(_) | ast::Decl::Implementation(_) => return None,
        };
        let is_extern = attrs.iter().any(|a| a.name == "extern");
        Some((space, names.into_iter().map(|n| n.name.clone()).collect(), is_extern))
    };
    let mut declared: HashSet<(u8, String), FxBuildHasher> = HashSet::default();
    for (space, names, is_extern) in file.decls.iter().filter_map(&parts) {
        if !is_extern {
            declared.extend(names.into_iter().map(|n| (space, n)));
        }
    }
    let mut out = Vec::new();
    for decl in &file.decls {
        if let Some((space, names, true)) = parts(decl) {
            if names.iter().all(|n| declared.contains(&(space, n.clone()))) {
                continue;
            }
            declared.extend(names.into_iter().map(|n| (space, n)));
        }
        out.push(decl);
    }
    out
}

/// Checks a Boolean expression over the constants and globals of a checked program, and over the variables of a
/// procedure that there is once.
pub(crate) fn check_proposition(
    program: &mut Program,
    entry: Option<&str>,
    expr: &ast::Expr,
) -> Result<Expr, Vec<Diagnostic>> {
    let mut checker = Checker { program: std::mem::take(program), ..Checker::default() };
    for &var in checker.program.consts.iter().chain(&checker.program.globals) {
        checker.globals.insert(checker.program.vars[var].name.clone(), var);
    }
    for (id, function) in checker.program.functions.iter() {
        checker.functions.insert(function.name.clone(), id);
    }
    let entry = checker.program.procs.values().find(|p| Some(p.name.as_str()) == entry);
    if let Some(procedure) = entry
        && let [body] = &procedure.bodies[..]
        && procedure.type_params.is_empty()
    {
        let own = procedure.params.iter().chain(&procedure.returns).chain(&body.locals);
        let scope = own.map(|&v| (checker.program.vars[v].name.clone(), v)).collect();
        checker.scopes.push(scope);
    }
    let typed = checker.formula(expr);
    *program = checker.program;
    if checker.errors.is_empty() { Ok(typed) } else { Err(checker.errors) }
}

/// What a type name stands for.
enum TypeName {
    Ctor(CtorId),
    /// Index of the declaration among those of the file.
    Synonym(usize),
}

enum Synonym {
    Waiting,
    /// Being expanded: meeting it again is a cycle.
    Open,
    Done(Vec<ParamId>, TyId),
}

#[derive(Default)]
struct Checker {
    program: Program,
    errors: Vec<Diagnostic>,
    type_names: Map<String, (TypeName, Span)>,
    synonyms: Vec<(ast::TypeDecl, Synonym)>,
    functions: Map<String, FuncId>,
    globals: Map<String, VarId>,
    procs: Map<String, ProcId>,
    /// Innermost last.
    scopes: Vec<Map<String, VarId>>,
    type_scope: Vec<(String, ParamId)>,
    /// Whether `old` makes sense here.
    two_states: bool,
    /// What is being defined for all states at once, so that it cannot mention variables.
    stateless: Option<&'static str>,
    dialect: Dialect,
    /// Where two integers are divided by `/`.
    integer_division: Option<Span>,
    /// Holes made since the last [`Checker::finish_holes`], with the place that made them.
    open_holes: Vec<(TyId, Span)>,
}

impl Checker {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    /// Attributes that change what Boogie checks, and that are not modelled.
    fn refuse(&mut self, attrs: &[ast::Attribute], names: &[&str]) {
        for attr in attrs.iter().filter(|a| names.contains(&a.name.as_str())) {
            self.error(
                attr.span.0,
                format!("unsupported: the attribute `{{:{}}}` here, which changes what is checked", attr.name),
            );
        }
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.program.warnings.push(Diagnostic::warning(span, message));
    }

    fn duplicate(&mut self, what: &str, name: &str, span: Span, first: Span) {
        self.errors.push(
            Diagnostic::error(span, format!("{what} `{name}` is declared twice"))
                .with_note(first, "first declared here"),
        );
    }

    fn mk(&mut self, ty: Ty) -> TyId {
        self.program.types.mk(ty)
    }

    fn error_ty(&mut self) -> TyId {
        self.mk(Ty::Error)
    }

    fn hole(&mut self, span: Span) -> TyId {
        let hole = self.program.types.new_hole();
        self.open_holes.push((hole, span));
        hole
    }

    /// Every hole of a finished expression must be filled.
    fn finish_holes(&mut self) {
        for (hole, span) in std::mem::take(&mut self.open_holes) {
            if !self.program.types.is_ground(hole) {
                self.error(span, "the type arguments of this cannot be inferred; write `(e : T)`");
                let error = self.error_ty();
                self.program.types.unify(hole, error);
            }
        }
    }

    fn show(&mut self, ty: TyId) -> String {
        let ty = self.program.types.resolve(ty);
        show_type(&self.program, ty)
    }

    // ---- declarations -------------------------------------------------------------------------

    fn declare_types(&mut self, decls: &[&ast::Decl]) {
        for decl in decls {
            let (name, arity) = match decl {
                ast::Decl::Type(d) => (&d.name, d.params.len()),
                ast::Decl::Datatype(d) => (&d.name, d.type_params.len()),
                _ => continue,
            };
            let span = name.span.0;
            if let Some((_, first)) = self.type_names.get(&name.name) {
                let first = *first;
                self.duplicate("the type", &name.name, span, first);
                continue;
            }
            let is_datatype = match decl {
                ast::Decl::Type(d) => d.attrs.iter().any(|a| a.name == "datatype"),
                _ => true,
            };
            let entry = match decl {
                ast::Decl::Type(d) if d.synonym.is_some() => {
                    self.synonyms.push((d.clone(), Synonym::Waiting));
                    TypeName::Synonym(self.synonyms.len() - 1)
                }
                _ => {
                    let datatype = is_datatype.then(Vec::new);
                    let ctor = Ctor { name: name.name.clone(), arity, datatype };
                    TypeName::Ctor(self.program.ctors.push(ctor))
                }
            };
            self.type_names.insert(name.name.clone(), (entry, span));
        }
        for i in 0..self.synonyms.len() {
            self.synonym(i);
        }
    }

    fn new_type_params(&mut self, names: &[Ident]) -> Vec<ParamId> {
        let mut seen: Map<&str, Span> = Map::default();
        let mut out = Vec::new();
        for name in names {
            if let Some(&first) = seen.get(name.name.as_str()) {
                self.duplicate("the type parameter", &name.name, name.span.0, first);
            }
            seen.insert(&name.name, name.span.0);
            out.push(self.program.params.push(name.name.clone()));
        }
        out
    }

    fn enter_type_scope(&mut self, names: &[Ident], params: &[ParamId]) -> usize {
        let depth = self.type_scope.len();
        self.type_scope.extend(names.iter().map(|n| n.name.clone()).zip(params.iter().copied()));
        depth
    }

    fn synonym(&mut self, index: usize) -> Option<(Vec<ParamId>, TyId)> {
        match &self.synonyms[index].1 {
            Synonym::Done(params, ty) => return Some((params.clone(), *ty)),
            Synonym::Open => return None,
            Synonym::Waiting => {}
        }
        self.synonyms[index].1 = Synonym::Open;
        let decl = self.synonyms[index].0.clone();
        let params = self.new_type_params(&decl.params);
        let saved = std::mem::take(&mut self.type_scope);
        self.enter_type_scope(&decl.params, &params);
        let ty = match &decl.synonym {
            Some(ty) => self.ty(ty),
            None => self.error_ty(),
        };
        self.type_scope = saved;
        self.synonyms[index].1 = Synonym::Done(params.clone(), ty);
        Some((params, ty))
    }

    fn ty(&mut self, ty: &ast::Type) -> TyId {
        let span = ty.span.0;
        match &ty.kind {
            ast::TypeKind::Bool => self.mk(Ty::Bool),
            ast::TypeKind::Int => self.mk(Ty::Int),
            ast::TypeKind::Real => self.mk(Ty::Real),
            ast::TypeKind::BitVec(width) => self.mk(Ty::BitVec(*width)),
            ast::TypeKind::Float { significand, exponent } => {
                if !(2..=MAX_SIGNIFICAND).contains(significand) || !(2..=MAX_FLOAT_EXPONENT).contains(exponent) {
                    let most = format!("{MAX_SIGNIFICAND} bits of significand and {MAX_FLOAT_EXPONENT} of exponent");
                    self.error(span, format!("unsupported: floating-point types beyond {most}"));
                    return self.error_ty();
                }
                self.mk(Ty::Float(*significand, *exponent))
            }
            ast::TypeKind::Map { type_params, domain, range } => {
                let params = self.new_type_params(type_params);
                let depth = self.enter_type_scope(type_params, &params);
                let domain: Vec<TyId> = domain.iter().map(|t| self.ty(t)).collect();
                let range = self.ty(range);
                self.type_scope.truncate(depth);
                let domain = domain.into_iter().map(|t| self.program.types.bind(t, &params)).collect();
                let range = self.program.types.bind(range, &params);
                self.mk(Ty::Map { n_params: params.len() as u32, domain, range })
            }
            ast::TypeKind::Struct(fields) => {
                let mut seen: HashSet<&str, FxBuildHasher> = HashSet::default();
                let mut out = Vec::new();
                for (name, ty) in fields {
                    if !seen.insert(&name.name) {
                        self.error(name.span.0, format!("the field `{}` is declared twice", name.name));
                    }
                    out.push((name.name.clone(), self.ty(ty)));
                }
                self.mk(Ty::Struct(out))
            }
            ast::TypeKind::Named { name, args } => {
                let args: Vec<TyId> = args.iter().map(|t| self.ty(t)).collect();
                if let Some(&(_, param)) = self.type_scope.iter().rev().find(|(n, _)| *n == name.name) {
                    self.check_type_arity(&name.name, 0, args.len(), span);
                    return self.mk(Ty::Param(param));
                }
                match self.type_names.get(&name.name).map(|(entry, _)| entry) {
                    Some(&TypeName::Ctor(ctor)) => {
                        let arity = self.program.ctors[ctor].arity;
                        if !self.check_type_arity(&name.name, arity, args.len(), span) {
                            return self.error_ty();
                        }
                        self.mk(Ty::Ctor(ctor, args))
                    }
                    Some(&TypeName::Synonym(index)) => match self.synonym(index) {
                        Some((params, ty)) => {
                            if !self.check_type_arity(&name.name, params.len(), args.len(), span) {
                                return self.error_ty();
                            }
                            self.program.types.subst(ty, &params, &args)
                        }
                        None => {
                            self.error(span, format!("the type `{}` is defined by itself", name.name));
                            self.error_ty()
                        }
                    },
                    None if name.name == "rmode" && args.is_empty() => self.mk(Ty::Rounding),
                    None if matches!(name.name.as_str(), "string" | "regex") && args.is_empty() => {
                        // Types of Boogie about which nothing is known here.
                        let ctor = Ctor { name: name.name.clone(), arity: 0, datatype: None };
                        let ctor = self.program.ctors.push(ctor);
                        self.type_names.insert(name.name.clone(), (TypeName::Ctor(ctor), span));
                        self.mk(Ty::Ctor(ctor, Vec::new()))
                    }
                    None => {
                        self.error(span, format!("there is no type `{}`", name.name));
                        self.error_ty()
                    }
                }
            }
        }
    }

    fn check_type_arity(&mut self, name: &str, want: usize, have: usize, span: Span) -> bool {
        if want != have {
            self.error(span, format!("the type `{name}` takes {want} argument(s), not {have}"));
        }
        want == have
    }

    fn new_var(&mut self, name: &Ident, ty: TyId, kind: VarKind) -> VarId {
        self.program.vars.push(Var { name: name.name.clone(), ty, kind, condition: None, span: name.span.0 })
    }

    fn declare_global(&mut self, name: &Ident, ty: TyId, kind: VarKind) -> Option<VarId> {
        if let Some(&first) = self.globals.get(&name.name) {
            let first = self.program.vars[first].span;
            self.duplicate("the variable", &name.name, name.span.0, first);
            return None;
        }
        let var = self.new_var(name, ty, kind);
        self.globals.insert(name.name.clone(), var);
        Some(var)
    }

    fn declare_values(&mut self, decls: &[&ast::Decl]) {
        for decl in decls {
            match decl {
                ast::Decl::Const(d) => {
                    let ty = self.ty(&d.ty);
                    for name in &d.names {
                        if let Some(var) = self.declare_global(name, ty, VarKind::Const { unique: d.unique }) {
                            self.program.consts.push(var);
                        }
                    }
                }
                ast::Decl::Var(d) => {
                    for names in &d.vars {
                        let ty = self.ty(&names.ty);
                        for name in &names.names {
                            if let Some(var) = self.declare_global(name, ty, VarKind::Global) {
                                self.program.globals.push(var);
                            }
                        }
                    }
                }
                ast::Decl::Function(d) => {
                    self.declare_function(d);
                    if d.attrs.iter().any(|a| a.name == "constructor") {
                        self.declare_old_constructor(d);
                    }
                }
                ast::Decl::Datatype(d) => self.declare_constructors(d),
                ast::Decl::Procedure(d) => self.declare_procedure(&d.sig),
                ast::Decl::Type(_) | ast::Decl::Axiom(_) | ast::Decl::Implementation(_) => {}
            }
        }
    }

    fn declare_function(&mut self, d: &ast::FunctionDecl) {
        let span = d.name.span.0;
        if let Some(&first) = self.functions.get(&d.name.name) {
            let first = self.program.functions[first].span;
            return self.duplicate("the function", &d.name.name, span, first);
        }
        let type_params = self.new_type_params(&d.type_params);
        let depth = self.enter_type_scope(&d.type_params, &type_params);
        let mut params = Vec::new();
        for (i, param) in d.params.iter().enumerate() {
            let ty = self.ty(&param.ty);
            let unnamed = Ident { name: format!("arg{i}"), span: param.ty.span };
            params.push(self.new_var(param.name.as_ref().unwrap_or(&unnamed), ty, VarKind::Bound));
        }
        let result = self.ty(&d.result.ty);
        self.type_scope.truncate(depth);
        let overapproximation = d
            .attrs
            .iter()
            .find(|a| a.name == "overapproximation")
            .map(|a| string_argument(a).unwrap_or_else(|| d.name.name.clone()));
        let function = Function {
            name: d.name.name.clone(),
            type_params,
            params,
            result,
            body: None,
            builtin: builtin_attribute(&d.attrs),
            smt_definition: d.attrs.iter().find(|a| a.name == "smtdefined").and_then(string_argument),
            overapproximation,
            member: None,
            span,
        };
        let id = self.program.functions.push(function);
        self.functions.insert(d.name.name.clone(), id);
    }

    /// `datatype T { … }`
    fn declare_constructors(&mut self, d: &ast::DatatypeDecl) {
        let Some(&(TypeName::Ctor(ctor), span)) = self.type_names.get(&d.name.name) else { return };
        if span != d.name.span.0 {
            return;
        }
        for (name, fields) in &d.constructors {
            let type_params = self.new_type_params(&d.type_params);
            let depth = self.enter_type_scope(&d.type_params, &type_params);
            let params = self.signature_vars(fields, VarKind::Bound);
            self.type_scope.truncate(depth);
            let args = type_params.iter().map(|&p| self.program.types.mk(Ty::Param(p))).collect();
            let result = self.mk(Ty::Ctor(ctor, args));
            let function = self.plain_function(&name.name, type_params, params, result, name.span.0);
            if let Some(function) = self.add_function(function) {
                self.add_constructor(ctor, function);
            }
        }
    }

    /// `function {:constructor} C(…): T` of a type with the attribute `{:datatype}`.
    fn declare_old_constructor(&mut self, d: &ast::FunctionDecl) {
        let Some(&id) = self.functions.get(&d.name.name) else { return };
        let function = &self.program.functions[id];
        if function.span != d.name.span.0 {
            return;
        }
        let (result, type_params) = (function.result, function.type_params.clone());
        let span = d.result.ty.span.0;
        let Ty::Ctor(ctor, args) = self.program.types.view(result).clone() else {
            return self.error(span, "a constructor makes a value of a datatype");
        };
        if self.program.ctors[ctor].datatype.is_none() {
            let name = self.program.ctors[ctor].name.clone();
            return self
                .error(span, format!("`{name}` is not a datatype; declare it with `type {{:datatype}} {name};`"));
        }
        let in_order: Option<Vec<ParamId>> = args
            .iter()
            .map(|&t| match self.program.types.view(t) {
                Ty::Param(p) => Some(*p),
                _ => None,
            })
            .collect();
        match in_order {
            Some(params) if params.len() == type_params.len() && type_params.iter().all(|p| params.contains(p)) => {
                self.program.functions[id].type_params = params;
                self.add_constructor(ctor, id);
            }
            _ => self.error(span, "unsupported: a constructor for some instances of a datatype only"),
        }
    }

    fn plain_function(
        &self,
        name: &str,
        type_params: Vec<ParamId>,
        params: Vec<VarId>,
        result: TyId,
        span: Span,
    ) -> Function {
        Function {
            name: name.to_string(),
            type_params,
            params,
            result,
            body: None,
            builtin: None,
            smt_definition: None,
            overapproximation: None,
            member: None,
            span,
        }
    }

    fn add_function(&mut self, function: Function) -> Option<FuncId> {
        if let Some(&first) = self.functions.get(&function.name) {
            let first = self.program.functions[first].span;
            self.duplicate("the function", &function.name, function.span, first);
            return None;
        }
        let name = function.name.clone();
        let id = self.program.functions.push(function);
        self.functions.insert(name, id);
        Some(id)
    }

    /// Makes a function a constructor, and declares its selectors `f#C` and its tester `is#C`.
    fn add_constructor(&mut self, ctor: CtorId, id: FuncId) {
        let function = self.program.functions[id].clone();
        let fields: Vec<(String, TyId)> =
            function.params.iter().map(|&p| (self.program.vars[p].name.clone(), self.program.vars[p].ty)).collect();
        let constructor = Constructor {
            name: function.name.clone(),
            type_params: function.type_params.clone(),
            fields: fields.clone(),
        };
        let Some(constructors) = &mut self.program.ctors[ctor].datatype else { return };
        let index = constructors.len();
        constructors.push(constructor);
        self.program.functions[id].member = Some(Member::Constructor(index));
        let bool_ty = self.mk(Ty::Bool);
        let names = fields
            .into_iter()
            .enumerate()
            .map(|(i, (field, ty))| (format!("{field}#{}", function.name), ty, Member::Selector(index, i)));
        let tester = (format!("is#{}", function.name), bool_ty, Member::Tester(index));
        for (name, result, member) in names.chain([tester]).collect::<Vec<_>>() {
            let of = Ident { name: "value".to_string(), span: ast::Loc(function.span) };
            let param = self.new_var(&of, function.result, VarKind::Bound);
            let type_params = function.type_params.clone();
            let mut derived = self.plain_function(&name, type_params, vec![param], result, function.span);
            derived.member = Some(member);
            // A function of the program may have this name; then that one is meant.
            if !self.functions.contains_key(&name) {
                self.add_function(derived);
            }
        }
    }

    fn declare_procedure(&mut self, sig: &ast::Signature) {
        let span = sig.name.span.0;
        if let Some(&first) = self.procs.get(&sig.name.name) {
            let first = self.program.procs[first].span;
            return self.duplicate("the procedure", &sig.name.name, span, first);
        }
        let type_params = self.new_type_params(&sig.type_params);
        let depth = self.enter_type_scope(&sig.type_params, &type_params);
        let params = self.signature_vars(&sig.params, VarKind::Param);
        let returns = self.signature_vars(&sig.returns, VarKind::Return);
        self.type_scope.truncate(depth);
        let proc = Procedure {
            name: sig.name.name.clone(),
            type_params,
            params,
            returns,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: Vec::new(),
            is_inlined: sig.attrs.iter().any(|a| a.name == "inline"),
            verify: is_verified(&sig.attrs),
            span,
        };
        let id = self.program.procs.push(proc);
        self.procs.insert(sig.name.name.clone(), id);
    }

    fn signature_vars(&mut self, groups: &[ast::TypedNames], kind: VarKind) -> Vec<VarId> {
        let mut out = Vec::new();
        for names in groups {
            let ty = self.ty(&names.ty);
            out.extend(names.names.iter().map(|name| self.new_var(name, ty, kind)));
        }
        out
    }

    // ---- definitions --------------------------------------------------------------------------

    fn define(&mut self, decls: &[&ast::Decl]) {
        // `type {:datatype} T` without a constructor is a type like any other.
        for ctor in self.program.ctors.ids().collect::<Vec<_>>() {
            let ctor = &mut self.program.ctors[ctor];
            ctor.datatype = ctor.datatype.take().filter(|constructors| !constructors.is_empty());
        }
        for decl in decls {
            match decl {
                ast::Decl::Const(d) => self.check_order(d),
                ast::Decl::Var(d) => {
                    for names in &d.vars {
                        let vars: Vec<VarId> =
                            names.names.iter().filter_map(|n| self.globals.get(&n.name).copied()).collect();
                        self.where_clause(names, &vars);
                    }
                }
                ast::Decl::Function(d) => self.define_function(d),
                ast::Decl::Axiom(d) => {
                    self.stateless = Some("an axiom");
                    let axiom = self.formula(&d.formula);
                    self.stateless = None;
                    self.program.axioms.push(axiom);
                }
                // All contracts first: bodies check calls against the callees' `modifies`.
                ast::Decl::Procedure(d) => self.define_contract(d),
                ast::Decl::Type(_) | ast::Decl::Datatype(_) | ast::Decl::Implementation(_) => {}
            }
        }
        for decl in decls {
            match decl {
                ast::Decl::Procedure(ast::ProcedureDecl { sig, body: Some(body), .. }) => {
                    self.define_body(sig, body, false);
                }
                ast::Decl::Implementation(d) => self.define_body(&d.sig, &d.body, true),
                ast::Decl::Procedure(_)
                | ast::Decl::Type(_)
                | ast::Decl::Datatype(_)
                | ast::Decl::Const(_)
                | ast::Decl::Var(_)
                | ast::Decl::Function(_)
                | ast::Decl::Axiom(_) => {}
            }
        }
    }

    /// `extends p, q`: the constant is below each of these.
    fn check_order(&mut self, d: &ast::ConstDecl) {
        let Some(order) = &d.order else { return };
        for name in &d.names {
            let Some(&child) = self.globals.get(&name.name) else { continue };
            let mut parents = Vec::new();
            for (_, parent) in &order.parents {
                let Some(&parent_var) = self.globals.get(&parent.name) else {
                    self.error(parent.span.0, format!("there is no constant `{}`", parent.name));
                    continue;
                };
                if !self.program.types.unify(self.program.vars[child].ty, self.program.vars[parent_var].ty) {
                    self.error(parent.span.0, format!("`{}` has another type than `{}`", parent.name, name.name));
                    continue;
                }
                parents.push(parent_var);
            }
            self.program.order.push((child, parents));
        }
    }

    fn where_clause(&mut self, names: &ast::TypedNames, vars: &[VarId]) {
        if let Some(condition) = &names.condition {
            let condition = self.formula(condition);
            for &var in vars {
                self.program.vars[var].condition = Some(condition.clone());
            }
        }
    }

    fn define_function(&mut self, d: &ast::FunctionDecl) {
        let Some(&id) = self.functions.get(&d.name.name) else { return };
        let function = &self.program.functions[id];
        if function.span != d.name.span.0 {
            return;
        }
        let (type_params, params, result) = (function.type_params.clone(), function.params.clone(), function.result);
        let Some(body) = &d.body else { return };
        let depth = self.enter_type_scope(&d.type_params, &type_params);
        let named: Vec<(Ident, VarId)> =
            d.params.iter().zip(&params).filter_map(|(p, &v)| p.name.clone().map(|n| (n, v))).collect();
        self.enter_scope(&named);
        self.stateless = Some("the body of a function");
        let body = self.expr(body);
        self.fits(&body, result, "the body of the function");
        self.finish_holes();
        self.stateless = None;
        self.scopes.pop();
        self.type_scope.truncate(depth);
        self.program.functions[id].body = Some(body);
    }

    fn enter_scope(&mut self, names: &[(Ident, VarId)]) {
        let mut scope: Map<String, VarId> = Map::default();
        for (name, var) in names {
            if let Some(&first) = scope.get(&name.name) {
                let first = self.program.vars[first].span;
                self.duplicate("the variable", &name.name, name.span.0, first);
            }
            scope.insert(name.name.clone(), *var);
        }
        self.scopes.push(scope);
    }

    fn define_contract(&mut self, d: &ast::ProcedureDecl) {
        let Some(&id) = self.procs.get(&d.sig.name.name) else { return };
        if self.program.procs[id].span != d.sig.name.span.0 {
            return;
        }
        let type_params = self.program.procs[id].type_params.clone();
        let depth = self.enter_type_scope(&d.sig.type_params, &type_params);
        let (params, returns) = (self.program.procs[id].params.clone(), self.program.procs[id].returns.clone());
        let param_names = zip_names(&d.sig.params, &params);
        let all_names: Vec<_> = param_names.iter().cloned().chain(zip_names(&d.sig.returns, &returns)).collect();

        self.enter_scope(&all_names);
        let mut rest = params.as_slice();
        for names in &d.sig.params {
            let (these, others) = rest.split_at(names.names.len().min(rest.len()));
            self.where_clause(names, these);
            rest = others;
        }
        let mut rest = returns.as_slice();
        for names in &d.sig.returns {
            let (these, others) = rest.split_at(names.names.len().min(rest.len()));
            self.where_clause(names, these);
            rest = others;
        }
        self.two_states = true;
        for spec in &d.specs {
            if let ast::Spec::Ensures(c) = spec {
                let condition = self.condition(c);
                self.program.procs[id].ensures.push(condition);
            }
        }
        self.two_states = false;
        self.scopes.pop();

        // The result does not exist yet when the precondition is evaluated.
        self.enter_scope(&param_names);
        let mut modifies = Vec::new();
        for spec in &d.specs {
            match spec {
                ast::Spec::Requires(c) => {
                    let condition = self.condition(c);
                    self.program.procs[id].requires.push(condition);
                }
                ast::Spec::Modifies(names) => {
                    for name in names {
                        match self.globals.get(&name.name) {
                            Some(&var) if self.program.vars[var].kind == VarKind::Global => modifies.push(var),
                            Some(_) => {
                                self.error(name.span.0, format!("the constant `{}` cannot be modified", name.name))
                            }
                            None => self.error(name.span.0, format!("there is no global variable `{}`", name.name)),
                        }
                    }
                }
                ast::Spec::Ensures(_) => {}
            }
        }
        self.scopes.pop();
        modifies.sort_unstable();
        modifies.dedup();
        self.program.procs[id].modifies = modifies;
        self.type_scope.truncate(depth);
    }

    fn condition(&mut self, c: &ast::Condition) -> Condition {
        self.refuse(&c.attrs, &["verified_under"]);
        Condition { free: c.free, expr: self.formula(&c.expr), span: c.expr.span.0 }
    }

    fn define_body(&mut self, sig: &ast::Signature, body: &ast::Body, is_implementation: bool) {
        let span = sig.name.span.0;
        let Some(&id) = self.procs.get(&sig.name.name) else {
            return self.error(span, format!("there is no procedure `{}` to implement", sig.name.name));
        };
        if !is_implementation && self.program.procs[id].span != span {
            return;
        }
        self.program.procs[id].verify &= is_verified(&sig.attrs);
        self.refuse(&sig.attrs, &["selective_checking"]);
        for declaration in &body.locals {
            self.refuse(&declaration.attrs, &["assumption"]);
        }
        let type_params = self.program.procs[id].type_params.clone();
        if type_params.len() != sig.type_params.len() {
            return self.error(span, "the implementation has other type parameters than its procedure");
        }
        let depth = self.enter_type_scope(&sig.type_params, &type_params);
        let (params, returns) = (self.program.procs[id].params.clone(), self.program.procs[id].returns.clone());
        if is_implementation {
            self.compare_signature("parameters", &sig.params, &params, span);
            self.compare_signature("results", &sig.returns, &returns, span);
        }
        let names: Vec<_> =
            zip_names(&sig.params, &params).into_iter().chain(zip_names(&sig.returns, &returns)).collect();
        self.enter_scope(&names);

        let mut locals = Vec::new();
        let mut local_names: Vec<(Ident, VarId)> = Vec::new();
        let mut groups = Vec::new();
        for names in body.locals.iter().flat_map(|d| &d.vars) {
            let ty = self.ty(&names.ty);
            let these: Vec<VarId> = names.names.iter().map(|name| self.new_var(name, ty, VarKind::Local)).collect();
            local_names.extend(names.names.iter().cloned().zip(these.iter().copied()));
            locals.extend_from_slice(&these);
            groups.push((names, these));
        }
        for (name, _) in &local_names {
            let outer = self.scopes.last().and_then(|s| s.get(&name.name)).copied();
            if let Some(first) = outer {
                let first = self.program.vars[first].span;
                self.duplicate("the variable", &name.name, name.span.0, first);
            }
        }
        self.enter_scope(&local_names);
        for (names, these) in groups {
            self.where_clause(names, &these);
        }

        let mut context = BodyContext {
            modifies: self.program.procs[id].modifies.clone(),
            proc_name: sig.name.name.clone(),
            labels: Map::default(),
            enclosing: Vec::new(),
            loops: 0,
        };
        self.collect_labels(&body.block, &mut context);
        self.two_states = true;
        let block = self.block(&body.block, &mut context);
        self.two_states = false;
        self.scopes.pop();
        self.scopes.pop();
        self.type_scope.truncate(depth);
        self.program.procs[id].bodies.push(Body { locals, block, end: body.end.0 });
    }

    fn compare_signature(&mut self, what: &str, have: &[ast::TypedNames], want: &[VarId], span: Span) {
        let mut types = Vec::new();
        for names in have {
            let ty = self.ty(&names.ty);
            types.extend(names.names.iter().map(|n| (ty, n.span.0)));
        }
        if types.len() != want.len() {
            let message = format!("the procedure has {} {what}, its implementation {}", want.len(), types.len());
            return self.error(span, message);
        }
        for ((ty, span), &var) in types.into_iter().zip(want) {
            let expected = self.program.vars[var].ty;
            if !self.program.types.unify(ty, expected) {
                let (have, want) = (self.show(ty), self.show(expected));
                self.error(span, format!("the procedure gives this the type {want}, the implementation {have}"));
            }
        }
    }
}

fn zip_names(groups: &[ast::TypedNames], vars: &[VarId]) -> Vec<(Ident, VarId)> {
    groups.iter().flat_map(|g| g.names.iter().cloned()).zip(vars.iter().copied()).collect()
}

/// Whether the attributes do not say `{:verify false}`.
fn is_verified(attrs: &[ast::Attribute]) -> bool {
    let says_no = |a: &ast::Attribute| {
        a.name == "verify"
            && matches!(a.args.first(), Some(ast::AttributeArg::Expr(e)) if e.kind == ast::ExprKind::Bool(false))
    };
    !attrs.iter().any(says_no)
}

fn string_argument(attr: &ast::Attribute) -> Option<String> {
    match attr.args.first() {
        Some(ast::AttributeArg::Str(text)) => Some(text.clone()),
        Some(ast::AttributeArg::Expr(_)) | None => None,
    }
}

/// `{:builtin "name i j"}`, `{:builtin "(_ name i j) RNE"}`, `{:smtbuiltin …}`, `{:bvbuiltin …}`, with the indices
/// possibly in `{:indices i, j}`.
fn builtin_attribute(attrs: &[ast::Attribute]) -> Option<Builtin> {
    let attr = attrs.iter().find(|a| matches!(a.name.as_str(), "builtin" | "smtbuiltin" | "bvbuiltin"))?;
    let text = string_argument(attr)?;
    let mut words =
        text.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty() && *w != "_");
    let name = words.next()?.to_string();
    let rest: Vec<&str> = words.collect();
    let rounding = rest.iter().find_map(|w| Rounding::named(w));
    let mut indices: Vec<u32> = rest.iter().filter_map(|w| w.parse().ok()).collect();
    for attr in attrs.iter().filter(|a| a.name == "indices") {
        for arg in &attr.args {
            if let ast::AttributeArg::Expr(ast::Expr { kind: ast::ExprKind::Int(n), .. }) = arg {
                indices.extend(n.parse::<u32>().ok());
            }
        }
    }
    Some(Builtin { name, indices, rounding })
}

/// A resolved type as the user would write it.
pub(crate) fn show_type(program: &Program, ty: TyId) -> String {
    match program.types.view(ty) {
        Ty::Bool => "bool".to_string(),
        Ty::Int => "int".to_string(),
        Ty::Real => "real".to_string(),
        Ty::BitVec(width) => format!("bv{width}"),
        Ty::Float(significand, exponent) => format!("float{significand}e{exponent}"),
        Ty::Rounding => "rmode".to_string(),
        Ty::Map { n_params, domain, range } => {
            let binder = if *n_params > 0 {
                let names: Vec<String> = (0..*n_params).map(|i| format!("'{i}")).collect();
                format!("<{}>", names.join(", "))
            } else {
                String::new()
            };
            let domain: Vec<String> = domain.iter().map(|t| show_type(program, *t)).collect();
            format!("{binder}[{}]{}", domain.join(", "), show_type(program, *range))
        }
        Ty::Ctor(ctor, args) => {
            let mut out = program.ctors[*ctor].name.clone();
            for &arg in args {
                let text = show_type(program, arg);
                let simple = !text.contains([' ', '[']);
                out.push_str(&if simple { format!(" {text}") } else { format!(" ({text})") });
            }
            out
        }
        Ty::Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(|(n, t)| format!("{n}: {}", show_type(program, *t))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Ty::Param(param) => program.params[*param].clone(),
        Ty::Bound { index, .. } => format!("'{index}"),
        Ty::Hole(_) => "_".to_string(),
        Ty::Error => "?".to_string(),
    }
}
