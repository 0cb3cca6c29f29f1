//! Name resolution and type checking: [`ast::File`] to [`typed::Program`].
//!
//! The rules are those of the Boogie 2 manual: polymorphic functions, procedures and map types are
//! instantiated by unification; `old` needs two states; constants and parameters cannot be assigned.
//!
//! Three departures follow Ultimate. `/` and `%` also work on integers (there they are `div` and `mod`). A variable
//! that is changed without standing in the `modifies` clause gives a warning, not an error, and the
//! clause is completed. A bit-vector literal that does not fit is reduced modulo its width, with a
//! warning.
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

pub fn check(file: &ast::File) -> Result<Program, Vec<Diagnostic>> {
    let mut checker = Checker::default();
    checker.program.directives = file.directives.clone();
    checker.declare_types(file);
    checker.declare_values(file);
    checker.define(file);
    if checker.errors.is_empty() {
        return Ok(checker.program);
    }
    checker.errors.sort_by_key(|e| e.span.start);
    checker.errors.dedup();
    checker.errors.truncate(MAX_ERRORS);
    Err(checker.errors)
}

/// Checks a Boolean expression over the constants and globals of a checked program.
pub fn check_proposition(program: &mut Program, expr: &ast::Expr) -> Result<Expr, Vec<Diagnostic>> {
    let mut checker = Checker { program: std::mem::take(program), ..Checker::default() };
    for &var in checker.program.consts.iter().chain(&checker.program.globals) {
        checker.globals.insert(checker.program.vars[var].name.clone(), var);
    }
    for (id, function) in checker.program.functions.iter() {
        checker.functions.insert(function.name.clone(), id);
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
    /// Holes made since the last [`Checker::finish_holes`], with the place that made them.
    open_holes: Vec<(TyId, Span)>,
}

impl Checker {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
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

    fn declare_types(&mut self, file: &ast::File) {
        for decl in &file.decls {
            let ast::Decl::Type(d) = decl else { continue };
            let span = d.name.span.0;
            if let Some((_, first)) = self.type_names.get(&d.name.name) {
                let first = *first;
                self.duplicate("the type", &d.name.name, span, first);
                continue;
            }
            let entry = if d.synonym.is_some() {
                self.synonyms.push((d.clone(), Synonym::Waiting));
                TypeName::Synonym(self.synonyms.len() - 1)
            } else {
                let builtin = builtin_attribute(&d.attrs).map(|b| b.name);
                let ctor = Ctor { name: d.name.name.clone(), arity: d.params.len(), builtin, span };
                TypeName::Ctor(self.program.ctors.push(ctor))
            };
            self.type_names.insert(d.name.name.clone(), (entry, span));
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
            ast::TypeKind::BitVec(0) => {
                self.error(span, "unsupported: bit vectors without bits");
                self.error_ty()
            }
            ast::TypeKind::BitVec(width) => self.mk(Ty::BitVec(*width)),
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

    fn declare_values(&mut self, file: &ast::File) {
        for decl in &file.decls {
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
                ast::Decl::Function(d) => self.declare_function(d),
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
            span,
        };
        let id = self.program.functions.push(function);
        self.functions.insert(d.name.name.clone(), id);
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
            body: None,
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

    fn define(&mut self, file: &ast::File) {
        for decl in &file.decls {
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
                    let axiom = self.formula(&d.formula);
                    self.program.axioms.push(axiom);
                }
                // All contracts first: bodies check calls against the callees' `modifies`.
                ast::Decl::Procedure(d) => self.define_contract(d),
                ast::Decl::Type(_) | ast::Decl::Implementation(_) => {}
            }
        }
        for decl in &file.decls {
            match decl {
                ast::Decl::Procedure(ast::ProcedureDecl { sig, body: Some(body), .. }) => {
                    self.define_body(sig, body, false);
                }
                ast::Decl::Implementation(d) => self.define_body(&d.sig, &d.body, true),
                ast::Decl::Procedure(_)
                | ast::Decl::Type(_)
                | ast::Decl::Const(_)
                | ast::Decl::Var(_)
                | ast::Decl::Function(_)
                | ast::Decl::Axiom(_) => {}
            }
        }
    }

    fn check_order(&mut self, d: &ast::ConstDecl) {
        if d.order.is_some() {
            let span = d.names.first().map_or(Span::NONE, |n| n.span.0);
            self.error(span, "unsupported: the partial order on constants (`extends`, `complete`, `<:`)");
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
        let body = self.expr(body);
        self.fits(&body, result, "the body of the function");
        self.finish_holes();
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
        if self.program.procs[id].body.is_some() {
            return self.error(span, format!("unsupported: `{}` has more than one implementation", sig.name.name));
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
        self.program.procs[id].body = Some(Body { locals, block, end: body.end.0 });
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

fn string_argument(attr: &ast::Attribute) -> Option<String> {
    match attr.args.first() {
        Some(ast::AttributeArg::Str(text)) => Some(text.clone()),
        Some(ast::AttributeArg::Expr(_)) | None => None,
    }
}

/// `{:builtin "name i j"}`, `{:smtbuiltin …}`, `{:bvbuiltin …}`, with the indices possibly in `{:indices i, j}`.
fn builtin_attribute(attrs: &[ast::Attribute]) -> Option<Builtin> {
    let attr = attrs.iter().find(|a| matches!(a.name.as_str(), "builtin" | "smtbuiltin" | "bvbuiltin"))?;
    let text = string_argument(attr)?;
    let text = text.trim().trim_start_matches("(_").trim_end_matches(')');
    let mut words = text.split_whitespace();
    let name = words.next()?.to_string();
    let mut indices: Vec<u32> = words.filter_map(|w| w.parse().ok()).collect();
    for attr in attrs.iter().filter(|a| a.name == "indices") {
        for arg in &attr.args {
            if let ast::AttributeArg::Expr(ast::Expr { kind: ast::ExprKind::Int(n), .. }) = arg {
                indices.extend(n.parse::<u32>().ok());
            }
        }
    }
    Some(Builtin { name, indices })
}

/// A resolved type as the user would write it.
pub fn show_type(program: &Program, ty: TyId) -> String {
    match program.types.view(ty) {
        Ty::Bool => "bool".to_string(),
        Ty::Int => "int".to_string(),
        Ty::Real => "real".to_string(),
        Ty::BitVec(width) => format!("bv{width}"),
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
