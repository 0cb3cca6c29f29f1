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

use crate::ast::{self, BinaryOp, Binder, Ident, UnaryOp};
use crate::parser::MAX_ERRORS;
use crate::typed::*;
use crate::types::*;
use base::{Diagnostic, Span};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// The largest exponent of a real literal; beyond it the number would fill the memory.
const MAX_EXPONENT: i32 = 5_000;

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

/// What holds inside one implementation.
struct BodyContext {
    modifies: Vec<VarId>,
    proc_name: String,
    labels: Map<String, Span>,
    /// Labels of the enclosing statements, for `break`.
    enclosing: Vec<String>,
    loops: usize,
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

    // ---- statements ---------------------------------------------------------------------------

    fn collect_labels(&mut self, block: &ast::Block, context: &mut BodyContext) {
        for stmt in &block.stmts {
            match &stmt.kind {
                ast::StmtKind::Label(label) => {
                    if let Some(&first) = context.labels.get(&label.name) {
                        self.duplicate("the label", &label.name, label.span.0, first);
                    }
                    context.labels.insert(label.name.clone(), label.span.0);
                }
                ast::StmtKind::Atomic(body) | ast::StmtKind::While { body, .. } => self.collect_labels(body, context),
                ast::StmtKind::If { branches, otherwise } => {
                    for (_, block) in branches {
                        self.collect_labels(block, context);
                    }
                    if let Some(block) = otherwise {
                        self.collect_labels(block, context);
                    }
                }
                ast::StmtKind::Assert { .. }
                | ast::StmtKind::Assume { .. }
                | ast::StmtKind::Havoc(_)
                | ast::StmtKind::Assign { .. }
                | ast::StmtKind::Call { .. }
                | ast::StmtKind::CallForall { .. }
                | ast::StmtKind::Fork { .. }
                | ast::StmtKind::Join { .. }
                | ast::StmtKind::Goto(_)
                | ast::StmtKind::Break(_)
                | ast::StmtKind::Return => {}
            }
        }
    }

    fn block(&mut self, block: &ast::Block, context: &mut BodyContext) -> Vec<Stmt> {
        let mut out = Vec::new();
        // Labels directly before a statement name it for `break`.
        let n_enclosing = context.enclosing.len();
        for stmt in &block.stmts {
            if let ast::StmtKind::Label(label) = &stmt.kind {
                context.enclosing.push(label.name.clone());
            }
            if let Some(kind) = self.stmt(stmt, context) {
                out.push(Stmt { kind, span: stmt.span.0 });
            }
            if !matches!(stmt.kind, ast::StmtKind::Label(_)) {
                context.enclosing.truncate(n_enclosing);
            }
        }
        context.enclosing.truncate(n_enclosing);
        out
    }

    fn stmt(&mut self, stmt: &ast::Stmt, context: &mut BodyContext) -> Option<StmtKind> {
        let span = stmt.span.0;
        Some(match &stmt.kind {
            ast::StmtKind::Label(label) => StmtKind::Label(label.name.clone()),
            ast::StmtKind::Assert { expr, .. } => StmtKind::Assert(self.formula(expr)),
            ast::StmtKind::Assume { expr, .. } => StmtKind::Assume(self.formula(expr)),
            ast::StmtKind::Havoc(names) => {
                StmtKind::Havoc(names.iter().filter_map(|n| self.target(n, context)).collect())
            }
            ast::StmtKind::Assign { lhs, rhs } => self.assign(lhs, rhs, span, context)?,
            ast::StmtKind::Call { free, lhs, callee, args, .. } => {
                let args: Vec<Option<&ast::Expr>> = args.iter().map(Some).collect();
                let call = self.call(callee, &args, Some(lhs), true, context);
                self.finish_holes();
                let (callee, type_args, args, lhs) = call?;
                let args = args.into_iter().flatten().collect();
                StmtKind::Call { free: *free, lhs, callee, type_args, args }
            }
            ast::StmtKind::CallForall { callee, args, .. } => {
                let args: Vec<Option<&ast::Expr>> = args.iter().map(Option::as_ref).collect();
                let call = self.call(callee, &args, None, true, context);
                self.finish_holes();
                let (callee_id, type_args, args, _) = call?;
                if !self.program.procs[callee_id].returns.is_empty()
                    || !self.program.procs[callee_id].modifies.is_empty()
                {
                    self.error(callee.span.0, "`call forall` needs a procedure without results that modifies nothing");
                }
                StmtKind::CallForall { callee: callee_id, type_args, args }
            }
            ast::StmtKind::Fork { id, callee, args } => {
                let id: Vec<Expr> = id.iter().map(|e| self.expr(e)).collect();
                let args: Vec<Option<&ast::Expr>> = args.iter().map(Some).collect();
                // The thread's writes are checked where the thread is declared.
                let call = self.call(callee, &args, None, false, context);
                self.finish_holes();
                let (callee, type_args, args, _) = call?;
                StmtKind::Fork { id, callee, type_args, args: args.into_iter().flatten().collect() }
            }
            ast::StmtKind::Join { id, lhs } => {
                let id: Vec<Expr> = id.iter().map(|e| self.expr(e)).collect();
                self.finish_holes();
                let lhs = lhs.iter().filter_map(|n| self.target(n, context)).collect();
                StmtKind::Join { id, lhs }
            }
            ast::StmtKind::Atomic(block) => StmtKind::Atomic(self.block(block, context)),
            ast::StmtKind::If { branches, otherwise } => {
                let mut out = Vec::new();
                for (guard, block) in branches {
                    out.push((self.guard(guard), self.block(block, context)));
                }
                let otherwise = otherwise.as_ref().map(|block| self.block(block, context));
                StmtKind::If { branches: out, otherwise }
            }
            ast::StmtKind::While { guard, invariants, body } => {
                let guard = self.guard(guard);
                let invariants = invariants.iter().map(|c| self.condition(c)).collect();
                context.loops += 1;
                let body = self.block(body, context);
                context.loops -= 1;
                StmtKind::While { guard, invariants, body }
            }
            ast::StmtKind::Goto(labels) => {
                for label in labels {
                    if !context.labels.contains_key(&label.name) {
                        self.error(label.span.0, format!("there is no label `{}` in this procedure", label.name));
                    }
                }
                StmtKind::Goto(labels.iter().map(|l| (l.name.clone(), l.span.0)).collect())
            }
            ast::StmtKind::Break(None) => {
                if context.loops == 0 {
                    self.error(span, "`break` outside of a loop");
                }
                StmtKind::Break(None)
            }
            ast::StmtKind::Break(Some(label)) => {
                if !context.enclosing.contains(&label.name) {
                    self.error(label.span.0, format!("no enclosing statement has the label `{}`", label.name));
                }
                StmtKind::Break(Some(label.name.clone()))
            }
            ast::StmtKind::Return => StmtKind::Return,
        })
    }

    fn guard(&mut self, guard: &ast::Guard) -> Option<Expr> {
        match guard {
            ast::Guard::Any => None,
            ast::Guard::Expr(e) => Some(self.formula(e)),
        }
    }

    /// A variable that is about to change.
    fn target(&mut self, name: &Ident, context: &BodyContext) -> Option<VarId> {
        let span = name.span.0;
        let Some(var) = self.lookup(&name.name) else {
            self.error(span, format!("there is no variable `{}`", name.name));
            return None;
        };
        match self.program.vars[var].kind {
            VarKind::Local | VarKind::Return => {}
            VarKind::Global => {
                if context.modifies.binary_search(&var).is_err() {
                    let message = format!(
                        "`{}` is changed here, but the `modifies` clause of `{}` does not name it",
                        name.name, context.proc_name
                    );
                    self.warning(span, message);
                }
            }
            VarKind::Const { .. } => self.error(span, format!("the constant `{}` cannot be changed", name.name)),
            VarKind::Param => self.error(span, format!("the parameter `{}` cannot be changed", name.name)),
            VarKind::Bound => self.error(span, format!("the bound variable `{}` cannot be changed", name.name)),
        }
        Some(var)
    }

    fn assign(&mut self, lhs: &[ast::Lhs], rhs: &[ast::Expr], span: Span, context: &BodyContext) -> Option<StmtKind> {
        if lhs.len() != rhs.len() {
            let message = format!("{} target(s), but {} value(s)", lhs.len(), rhs.len());
            self.error(span, message);
            return None;
        }
        let mut out: Vec<(VarId, Expr)> = Vec::new();
        for (lhs, rhs) in lhs.iter().zip(rhs) {
            let var = self.target(&lhs.base, context);
            let value = self.expr(rhs);
            let Some(var) = var else { continue };
            if out.iter().any(|(v, _)| *v == var) {
                self.error(lhs.span.0, format!("`{}` is assigned twice in one statement", lhs.base.name));
                continue;
            }
            let ty = self.program.vars[var].ty;
            let old = Expr { kind: ExprKind::Var(var), ty, span: lhs.base.span.0 };
            let value = self.update(old, &lhs.path, value, lhs.span.0);
            out.push((var, value));
        }
        self.finish_holes();
        Some(StmtKind::Assign(out))
    }

    /// `base` with the part that `path` leads to replaced by `value`.
    fn update(&mut self, base: Expr, path: &[ast::Access], value: Expr, span: Span) -> Expr {
        let Some((first, rest)) = path.split_first() else {
            self.fits(&value, base.ty, "the assigned value");
            return value;
        };
        let ty = base.ty;
        match first {
            ast::Access::Index(index) => {
                let index: Vec<Expr> = index.iter().map(|e| self.expr(e)).collect();
                let Some(range) = self.map_range(&base, &index, span) else { return self.error_expr(span) };
                let kind = ExprKind::Select { map: Box::new(base.clone()), index: index.clone() };
                let part = Expr { kind, ty: range, span };
                let value = Box::new(self.update(part, rest, value, span));
                Expr { kind: ExprKind::Store { map: Box::new(base), index, value }, ty, span }
            }
            ast::Access::Field(name) => {
                let Some((field, field_ty)) = self.field(&base, name) else { return self.error_expr(span) };
                let part = Expr { kind: ExprKind::Field(Box::new(base.clone()), field), ty: field_ty, span };
                let value = Box::new(self.update(part, rest, value, span));
                Expr { kind: ExprKind::WithField { base: Box::new(base), field, value }, ty, span }
            }
        }
    }

    /// Checks arguments and results; `None` when the callee is unknown or the counts do not fit.
    #[allow(clippy::type_complexity)]
    fn call(
        &mut self,
        callee: &Ident,
        args: &[Option<&ast::Expr>],
        lhs: Option<&[Ident]>,
        check_modifies: bool,
        context: &BodyContext,
    ) -> Option<(ProcId, Vec<TyId>, Vec<Option<Expr>>, Vec<VarId>)> {
        let span = callee.span.0;
        let typed_args: Vec<Option<Expr>> = args.iter().map(|a| a.map(|e| self.expr(e))).collect();
        let Some(&id) = self.procs.get(&callee.name) else {
            self.error(span, format!("there is no procedure `{}`", callee.name));
            return None;
        };
        let proc = &self.program.procs[id];
        let (type_params, params, returns) = (proc.type_params.clone(), proc.params.clone(), proc.returns.clone());
        let modifies = proc.modifies.clone();
        if params.len() != args.len() {
            let message = format!("`{}` takes {} argument(s), not {}", callee.name, params.len(), args.len());
            self.error(span, message);
            return None;
        }
        let type_args: Vec<TyId> = type_params.iter().map(|_| self.hole(span)).collect();
        for (arg, &param) in typed_args.iter().zip(&params) {
            let expected = self.program.types.subst(self.program.vars[param].ty, &type_params, &type_args);
            if let Some(arg) = arg {
                self.fits(arg, expected, "this argument");
            }
        }
        let mut targets = Vec::new();
        // Ultimate allows to ignore the results altogether.
        if let Some(lhs) = lhs.filter(|lhs| !lhs.is_empty()) {
            if lhs.len() != returns.len() {
                let message = format!("`{}` has {} result(s), not {}", callee.name, returns.len(), lhs.len());
                self.error(span, message);
                return None;
            }
            for (name, &result) in lhs.iter().zip(&returns) {
                let Some(var) = self.target(name, context) else { continue };
                if targets.contains(&var) {
                    self.error(name.span.0, format!("`{}` receives two results", name.name));
                }
                targets.push(var);
                let have = self.program.types.subst(self.program.vars[result].ty, &type_params, &type_args);
                let want = self.program.vars[var].ty;
                if !self.program.types.unify(have, want) {
                    let (have, want) = (self.show(have), self.show(want));
                    self.error(name.span.0, format!("the result has the type {have}, `{}` the type {want}", name.name));
                }
            }
            if targets.len() != returns.len() {
                return None;
            }
        }
        let unnamed = modifies.iter().find(|v| context.modifies.binary_search(v).is_err());
        if let Some(&var) = unnamed.filter(|_| check_modifies) {
            let message = format!(
                "`{}` may change `{}`, but the `modifies` clause of `{}` does not name it",
                callee.name, self.program.vars[var].name, context.proc_name
            );
            self.warning(span, message);
        }
        Some((id, type_args, typed_args, targets))
    }

    // ---- expressions --------------------------------------------------------------------------

    fn lookup(&self, name: &str) -> Option<VarId> {
        self.scopes.iter().rev().find_map(|s| s.get(name)).or_else(|| self.globals.get(name)).copied()
    }

    fn error_expr(&mut self, span: Span) -> Expr {
        Expr { kind: ExprKind::Error, ty: self.error_ty(), span }
    }

    /// A Boolean expression with all its types inferred.
    fn formula(&mut self, e: &ast::Expr) -> Expr {
        let typed = self.expr(e);
        let bool_ty = self.mk(Ty::Bool);
        self.fits(&typed, bool_ty, "this");
        self.finish_holes();
        typed
    }

    fn fits(&mut self, e: &Expr, expected: TyId, what: &str) {
        if !self.program.types.unify(e.ty, expected) {
            let (have, want) = (self.show(e.ty), self.show(expected));
            self.error(e.span, format!("{what} should have the type {want}, but has the type {have}"));
        }
    }

    fn expr(&mut self, e: &ast::Expr) -> Expr {
        let span = e.span.0;
        let (kind, ty) = match &e.kind {
            ast::ExprKind::Bool(b) => (ExprKind::Bool(*b), self.mk(Ty::Bool)),
            ast::ExprKind::Int(digits) => (ExprKind::Int(digits.clone()), self.mk(Ty::Int)),
            ast::ExprKind::Real(text) => {
                let exponent = text.split_once('e').map_or(Ok(0), |(_, exponent)| exponent.parse::<i32>());
                if !exponent.is_ok_and(|e| e.abs() <= MAX_EXPONENT) {
                    self.error(span, format!("exponents beyond {MAX_EXPONENT} are not supported"));
                }
                (ExprKind::Real(text.clone()), self.mk(Ty::Real))
            }
            ast::ExprKind::BitVec { width: 0, .. } => {
                self.error(span, "unsupported: bit vectors without bits");
                return self.error_expr(span);
            }
            ast::ExprKind::BitVec { value, width } => {
                if !fits_in_bits(value, *width) {
                    self.warning(span, format!("{value} does not fit into {width} bits and is reduced"));
                }
                (ExprKind::BitVec(value.clone()), self.mk(Ty::BitVec(*width)))
            }
            ast::ExprKind::Var(name) => match self.lookup(name) {
                Some(var) => (ExprKind::Var(var), self.program.vars[var].ty),
                None => {
                    self.error(span, format!("there is no variable `{name}`"));
                    return self.error_expr(span);
                }
            },
            ast::ExprKind::Apply { callee, args } => return self.apply(callee, args, span),
            ast::ExprKind::Old(inner) => {
                if !self.two_states {
                    self.error(span, "`old` has no meaning here: there is only one state");
                }
                let inner = self.expr(inner);
                let ty = inner.ty;
                (ExprKind::Old(Box::new(inner)), ty)
            }
            ast::ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand);
                let ty = match op {
                    UnaryOp::Not => {
                        let bool_ty = self.mk(Ty::Bool);
                        self.fits(&operand, bool_ty, "the operand of `!`");
                        bool_ty
                    }
                    UnaryOp::Neg => {
                        self.numeric(&operand, "-");
                        operand.ty
                    }
                };
                (ExprKind::Unary(*op, Box::new(operand)), ty)
            }
            ast::ExprKind::Binary(op, operands) => return self.binary(*op, operands, span),
            ast::ExprKind::IfThenElse(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.expr(condition);
                let bool_ty = self.mk(Ty::Bool);
                self.fits(&condition, bool_ty, "the condition");
                let yes = self.expr(yes);
                let no = self.expr(no);
                let ty = yes.ty;
                self.fits(&no, ty, "the `else` part");
                (ExprKind::IfThenElse(Box::new([condition, yes, no])), ty)
            }
            ast::ExprKind::Select { map, index } => {
                let map = self.expr(map);
                let index: Vec<Expr> = index.iter().map(|e| self.expr(e)).collect();
                let Some(range) = self.map_range(&map, &index, span) else { return self.error_expr(span) };
                (ExprKind::Select { map: Box::new(map), index }, range)
            }
            ast::ExprKind::Store { map, index, value } => {
                let map = self.expr(map);
                let index: Vec<Expr> = index.iter().map(|e| self.expr(e)).collect();
                let value = self.expr(value);
                let Some(range) = self.map_range(&map, &index, span) else { return self.error_expr(span) };
                self.fits(&value, range, "the stored value");
                let ty = map.ty;
                (ExprKind::Store { map: Box::new(map), index, value: Box::new(value) }, ty)
            }
            ast::ExprKind::Extract { operand, high, low } => {
                let operand = self.expr(operand);
                match self.program.types.view(operand.ty) {
                    Ty::BitVec(width) if low < high && high <= width => {}
                    Ty::BitVec(width) => {
                        let message = format!("the bits {high}:{low} are not a part of a bv{width}");
                        self.error(span, message);
                        return self.error_expr(span);
                    }
                    Ty::Error => return self.error_expr(span),
                    _ => {
                        let have = self.show(operand.ty);
                        self.error(
                            operand.span,
                            format!("bits can be extracted from bit vectors only, not from {have}"),
                        );
                        return self.error_expr(span);
                    }
                }
                let ty = self.mk(Ty::BitVec(high - low));
                (ExprKind::Extract { operand: Box::new(operand), high: *high, low: *low }, ty)
            }
            ast::ExprKind::Quantifier(q) => return self.quantifier(q, span),
            ast::ExprKind::ToInt(inner) => {
                let inner = self.expr(inner);
                let (real, int) = (self.mk(Ty::Real), self.mk(Ty::Int));
                self.fits(&inner, real, "the operand of `int`");
                (ExprKind::ToInt(Box::new(inner)), int)
            }
            ast::ExprKind::ToReal(inner) => {
                let inner = self.expr(inner);
                let (real, int) = (self.mk(Ty::Real), self.mk(Ty::Int));
                self.fits(&inner, int, "the operand of `real`");
                (ExprKind::ToReal(Box::new(inner)), real)
            }
            ast::ExprKind::Ascribe(inner, ty) => {
                let inner = self.expr(inner);
                let ty = self.ty(ty);
                self.fits(&inner, ty, "this");
                return Expr { span, ..inner };
            }
            ast::ExprKind::Struct(fields) => {
                let mut types = Vec::new();
                let mut values = Vec::new();
                for (name, value) in fields {
                    if types.iter().any(|(n, _)| *n == name.name) {
                        self.error(name.span.0, format!("the field `{}` is given twice", name.name));
                    }
                    let value = self.expr(value);
                    types.push((name.name.clone(), value.ty));
                    values.push(value);
                }
                (ExprKind::Struct(values), self.mk(Ty::Struct(types)))
            }
            ast::ExprKind::Field(inner, name) => {
                let inner = self.expr(inner);
                let Some((field, ty)) = self.field(&inner, name) else { return self.error_expr(span) };
                (ExprKind::Field(Box::new(inner), field), ty)
            }
        };
        Expr { kind, ty, span }
    }

    fn field(&mut self, base: &Expr, name: &Ident) -> Option<(usize, TyId)> {
        let ty = self.program.types.shallow(base.ty);
        match self.program.types.get(ty) {
            Ty::Struct(fields) => {
                let found = fields.iter().position(|(n, _)| *n == name.name).map(|i| (i, fields[i].1));
                if found.is_none() {
                    let have = self.show(ty);
                    self.error(name.span.0, format!("{have} has no field `{}`", name.name));
                }
                found
            }
            Ty::Error => None,
            _ => {
                let have = self.show(ty);
                self.error(base.span, format!("only structs have fields, not {have}"));
                None
            }
        }
    }

    /// The type of `map[index]`, after checking that the index fits.
    fn map_range(&mut self, map: &Expr, index: &[Expr], span: Span) -> Option<TyId> {
        let ty = self.program.types.shallow(map.ty);
        match self.program.types.get(ty).clone() {
            Ty::Map { n_params, domain, range } => {
                if domain.len() != index.len() {
                    let message = format!("this map takes {} index(es), not {}", domain.len(), index.len());
                    self.error(span, message);
                    return None;
                }
                let type_args: Vec<TyId> = (0..n_params).map(|_| self.hole(span)).collect();
                for (index, expected) in index.iter().zip(domain) {
                    let expected = self.program.types.open(expected, &type_args);
                    self.fits(index, expected, "this index");
                }
                Some(self.program.types.open(range, &type_args))
            }
            Ty::Error => None,
            _ => {
                let have = self.show(ty);
                self.error(map.span, format!("only maps can be indexed, not {have}"));
                None
            }
        }
    }

    fn apply(&mut self, callee: &Ident, args: &[ast::Expr], span: Span) -> Expr {
        let args: Vec<Expr> = args.iter().map(|e| self.expr(e)).collect();
        let Some(&id) = self.functions.get(&callee.name) else {
            let what = if self.procs.contains_key(&callee.name) {
                format!("`{}` is a procedure; use a `call` statement", callee.name)
            } else {
                format!("there is no function `{}`", callee.name)
            };
            self.error(callee.span.0, what);
            return self.error_expr(span);
        };
        let function = &self.program.functions[id];
        let (type_params, params, result) = (function.type_params.clone(), function.params.clone(), function.result);
        if params.len() != args.len() {
            let message = format!("`{}` takes {} argument(s), not {}", callee.name, params.len(), args.len());
            self.error(span, message);
            return self.error_expr(span);
        }
        let type_args: Vec<TyId> = type_params.iter().map(|_| self.hole(span)).collect();
        for (arg, &param) in args.iter().zip(&params) {
            let expected = self.program.types.subst(self.program.vars[param].ty, &type_params, &type_args);
            self.fits(arg, expected, "this argument");
        }
        let ty = self.program.types.subst(result, &type_params, &type_args);
        Expr { kind: ExprKind::Apply { callee: id, type_args, args }, ty, span }
    }

    /// Whether an operand is an `int` or a `real`; a hole becomes an `int`.
    fn numeric(&mut self, e: &Expr, op: &str) -> bool {
        match self.program.types.view(e.ty) {
            Ty::Int | Ty::Real | Ty::Error => true,
            Ty::Hole(_) => {
                let int = self.mk(Ty::Int);
                self.program.types.unify(e.ty, int)
            }
            _ => {
                let have = self.show(e.ty);
                self.error(e.span, format!("`{op}` needs numbers, not {have}"));
                false
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, operands: &[ast::Expr], span: Span) -> Expr {
        let operands: Vec<Expr> = operands.iter().map(|e| self.expr(e)).collect();
        let bool_ty = self.mk(Ty::Bool);
        let ty = match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => {
                for operand in &operands {
                    self.fits(operand, bool_ty, &format!("the operand of `{}`", op.spelling()));
                }
                bool_ty
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                if !self.program.types.unify(operands[0].ty, operands[1].ty) {
                    let (a, b) = (self.show(operands[0].ty), self.show(operands[1].ty));
                    self.error(span, format!("`{}` compares two values of one type, not {a} and {b}", op.spelling()));
                }
                bool_ty
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.same_numeric(op, &operands);
                bool_ty
            }
            BinaryOp::Below => {
                self.error(span, "unsupported: the partial order on constants (`<:`)");
                bool_ty
            }
            BinaryOp::Concat => {
                let mut width = 0u32;
                for operand in &operands {
                    match self.program.types.view(operand.ty) {
                        Ty::BitVec(w) => width = width.saturating_add(*w),
                        Ty::Error => return self.error_expr(span),
                        _ => {
                            let have = self.show(operand.ty);
                            self.error(operand.span, format!("`++` joins bit vectors, not {have}"));
                            return self.error_expr(span);
                        }
                    }
                }
                if width > crate::parser::MAX_BV_WIDTH {
                    self.error(span, "this bit vector is too wide");
                    return self.error_expr(span);
                }
                self.mk(Ty::BitVec(width))
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Divide => self.same_numeric(op, &operands),
            BinaryOp::Div | BinaryOp::Mod => {
                let int = self.mk(Ty::Int);
                for operand in &operands {
                    self.fits(operand, int, &format!("the operand of `{}`", op.spelling()));
                }
                int
            }
            BinaryOp::Pow => {
                let real = self.mk(Ty::Real);
                for operand in &operands {
                    self.fits(operand, real, "the operand of `**`");
                }
                real
            }
        };
        Expr { kind: ExprKind::Binary(op, operands), ty, span }
    }

    /// All operands must be of one numeric type, which is returned.
    fn same_numeric(&mut self, op: BinaryOp, operands: &[Expr]) -> TyId {
        // A known operand decides before the holes do.
        let decisive = operands
            .iter()
            .find(|e| !matches!(self.program.types.view(e.ty), Ty::Hole(_) | Ty::Error))
            .unwrap_or(&operands[0]);
        if !self.numeric(decisive, op.spelling()) {
            return self.error_ty();
        }
        let ty = decisive.ty;
        for operand in operands {
            self.fits(operand, ty, &format!("the operand of `{}`", op.spelling()));
        }
        ty
    }

    fn quantifier(&mut self, q: &ast::Quantifier, span: Span) -> Expr {
        let type_params = self.new_type_params(&q.type_params);
        let depth = self.enter_type_scope(&q.type_params, &type_params);
        let vars = self.signature_vars(&q.vars, VarKind::Bound);
        let names = zip_names(&q.vars, &vars);
        self.enter_scope(&names);
        let triggers: Vec<Vec<Expr>> =
            q.triggers.iter().map(|trigger| trigger.iter().map(|e| self.expr(e)).collect()).collect();
        let body = self.expr(&q.body);
        let ty = match q.kind {
            Binder::Forall | Binder::Exists => {
                let bool_ty = self.mk(Ty::Bool);
                self.fits(&body, bool_ty, "the body of the quantifier");
                bool_ty
            }
            Binder::Lambda => {
                let domain: Vec<TyId> =
                    vars.iter().map(|&v| self.program.types.bind(self.program.vars[v].ty, &type_params)).collect();
                let range = self.program.types.bind(body.ty, &type_params);
                self.mk(Ty::Map { n_params: type_params.len() as u32, domain, range })
            }
        };
        self.scopes.pop();
        self.type_scope.truncate(depth);
        let kind = ExprKind::Quantifier { binder: q.kind, type_params, vars, triggers, body: Box::new(body) };
        Expr { kind, ty, span }
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

/// Whether a decimal numeral is below two to the given power.
fn fits_in_bits(digits: &str, width: u32) -> bool {
    digits.parse::<logic::Rational>().is_ok_and(|n| n < logic::Rational::pow2(width))
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
