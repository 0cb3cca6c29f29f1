//! Syntax tree to text, in a form that parses back to an equal tree.
//!
//! One statement a line, four spaces an indentation level, parentheses exactly where precedence
//! demands them.

use crate::ast::*;
use crate::lexer::is_keyword;
use std::fmt::Write;

pub fn print(file: &File) -> String {
    let mut p = Printer { out: String::new(), indent: 0 };
    for directive in &file.directives {
        p.line(&format!("//#LTLProperty: {}", directive.formula));
    }
    for decl in &file.decls {
        p.decl(decl);
    }
    p.out
}

pub fn print_expr(expr: &Expr) -> String {
    let mut p = Printer { out: String::new(), indent: 0 };
    p.expr(expr, 0);
    p.out
}

struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn start_line(&mut self) {
        self.out.extend(std::iter::repeat_n("    ", self.indent));
    }

    fn line(&mut self, text: &str) {
        self.start_line();
        self.put(text);
        self.put("\n");
    }

    fn separated<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            each(self, item);
        }
    }

    fn ident(&mut self, ident: &Ident) {
        self.name(&ident.name);
    }

    fn name(&mut self, name: &str) {
        if is_keyword(name) {
            self.put("\\");
        }
        self.put(name);
    }

    fn idents(&mut self, idents: &[Ident]) {
        self.separated(idents, |p, i| p.ident(i));
    }

    fn attributes(&mut self, attrs: &[Attribute]) {
        for attr in attrs {
            let _ = write!(self.out, "{{:{}", attr.name);
            for (i, arg) in attr.args.iter().enumerate() {
                self.put(if i == 0 { " " } else { ", " });
                match arg {
                    AttributeArg::Str(s) => {
                        let _ = write!(self.out, "\"{s}\"");
                    }
                    AttributeArg::Expr(e) => self.expr(e, 0),
                }
            }
            self.put("} ");
        }
    }

    fn type_params(&mut self, params: &[Ident]) {
        if !params.is_empty() {
            self.put("<");
            self.idents(params);
            self.put(">");
        }
    }

    // ---- declarations -------------------------------------------------------------------------

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Type(d) => {
                self.put("type ");
                self.attributes(&d.attrs);
                self.ident(&d.name);
                for param in &d.params {
                    self.put(" ");
                    self.ident(param);
                }
                if let Some(ty) = &d.synonym {
                    self.put(" = ");
                    self.ty(ty);
                }
                self.put(";\n");
            }
            Decl::Datatype(d) => {
                self.put("datatype ");
                self.attributes(&d.attrs);
                self.ident(&d.name);
                self.type_params(&d.type_params);
                self.put(" { ");
                self.separated(&d.constructors, |p, (name, fields)| {
                    p.ident(name);
                    p.put("(");
                    p.separated(fields, Self::typed_names);
                    p.put(")");
                });
                self.put(" }\n");
            }
            Decl::Const(d) => {
                self.put("const ");
                self.attributes(&d.attrs);
                if d.unique {
                    self.put("unique ");
                }
                self.idents(&d.names);
                self.put(": ");
                self.ty(&d.ty);
                if let Some(order) = &d.order {
                    self.put(" extends");
                    for (i, (unique, parent)) in order.parents.iter().enumerate() {
                        self.put(if i == 0 { " " } else { ", " });
                        if *unique {
                            self.put("unique ");
                        }
                        self.ident(parent);
                    }
                    if order.complete {
                        self.put(" complete");
                    }
                }
                self.put(";\n");
            }
            Decl::Var(d) => self.var_decl(d),
            Decl::Function(d) => self.function(d),
            Decl::Axiom(d) => {
                self.put("axiom ");
                self.attributes(&d.attrs);
                self.expr(&d.formula, 0);
                self.put(";\n");
            }
            Decl::Procedure(d) => {
                self.put("procedure ");
                self.signature(&d.sig);
                if d.body.is_none() {
                    self.put(";");
                }
                self.put("\n");
                self.indent += 1;
                for spec in &d.specs {
                    self.spec(spec);
                }
                self.indent -= 1;
                if let Some(body) = &d.body {
                    self.body(body);
                }
            }
            Decl::Implementation(d) => {
                self.put("implementation ");
                self.signature(&d.sig);
                self.put("\n");
                self.body(&d.body);
            }
        }
    }

    fn var_decl(&mut self, d: &VarDecl) {
        self.start_line();
        self.put("var ");
        self.attributes(&d.attrs);
        self.separated(&d.vars, Self::typed_names);
        self.put(";\n");
    }

    fn typed_names(&mut self, names: &TypedNames) {
        self.attributes(&names.attrs);
        self.idents(&names.names);
        self.put(": ");
        self.ty(&names.ty);
        if let Some(condition) = &names.condition {
            self.put(" where ");
            self.expr(condition, 0);
        }
    }

    fn function(&mut self, d: &FunctionDecl) {
        self.put("function ");
        self.attributes(&d.attrs);
        self.ident(&d.name);
        self.type_params(&d.type_params);
        self.put("(");
        self.separated(&d.params, Self::function_param);
        self.put(") returns (");
        self.function_param(&d.result);
        self.put(")");
        match &d.body {
            Some(body) => {
                self.put(" { ");
                self.expr(body, 0);
                self.put(" }\n");
            }
            None => self.put(";\n"),
        }
    }

    fn function_param(&mut self, param: &FunctionParam) {
        match &param.name {
            Some(name) => {
                self.ident(name);
                self.put(": ");
                self.ty(&param.ty);
            }
            // In `(T, x: int)` the `T` would be read as a second name of type int.
            None if matches!(&param.ty.kind, TypeKind::Named { args, .. } if args.is_empty()) => {
                self.put("(");
                self.ty(&param.ty);
                self.put(")");
            }
            None => self.ty(&param.ty),
        }
    }

    fn signature(&mut self, sig: &Signature) {
        self.attributes(&sig.attrs);
        self.ident(&sig.name);
        self.type_params(&sig.type_params);
        self.put("(");
        self.separated(&sig.params, Self::typed_names);
        self.put(")");
        if !sig.returns.is_empty() {
            self.put(" returns (");
            self.separated(&sig.returns, Self::typed_names);
            self.put(")");
        }
    }

    fn spec(&mut self, spec: &Spec) {
        self.start_line();
        match spec {
            Spec::Requires(c) => self.condition("requires", c),
            Spec::Ensures(c) => self.condition("ensures", c),
            Spec::Modifies(names) => {
                self.put("modifies ");
                self.idents(names);
                self.put(";\n");
            }
        }
    }

    fn condition(&mut self, word: &str, c: &Condition) {
        if c.free {
            self.put("free ");
        }
        self.put(word);
        self.put(" ");
        self.attributes(&c.attrs);
        self.expr(&c.expr, 0);
        self.put(";\n");
    }

    // ---- statements ---------------------------------------------------------------------------

    fn body(&mut self, body: &Body) {
        self.put("{\n");
        self.indent += 1;
        for local in &body.locals {
            self.var_decl(local);
        }
        self.stmts(&body.block);
        self.indent -= 1;
        self.put("}\n");
    }

    fn stmts(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    /// `{ … }`, without the line break after it.
    fn block(&mut self, block: &Block) {
        self.put("{\n");
        self.indent += 1;
        self.stmts(block);
        self.indent -= 1;
        self.start_line();
        self.put("}");
    }

    fn guard(&mut self, guard: &Guard) {
        self.put("(");
        match guard {
            Guard::Any => self.put("*"),
            Guard::Expr(e) => self.expr(e, 0),
        }
        self.put(") ");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.start_line();
        match &stmt.kind {
            StmtKind::Label(label) => {
                self.ident(label);
                self.put(":\n");
                return;
            }
            StmtKind::Assert { attrs, expr } => {
                self.put("assert ");
                self.attributes(attrs);
                self.expr(expr, 0);
            }
            StmtKind::Assume { attrs, expr } => {
                self.put("assume ");
                self.attributes(attrs);
                self.expr(expr, 0);
            }
            StmtKind::Havoc(names) => {
                self.put("havoc ");
                self.idents(names);
            }
            StmtKind::Assign { lhs, rhs } => {
                self.separated(lhs, Self::lhs);
                self.put(" := ");
                self.exprs(rhs);
            }
            StmtKind::Unpack { constructor, vars, value } => {
                self.ident(constructor);
                self.put("(");
                self.idents(vars);
                self.put(") := ");
                self.expr(value, 0);
            }
            StmtKind::Advice(text) => self.put(text),
            StmtKind::Call { attrs, free, lhs, callee, args } => {
                self.put(if *free { "free call " } else { "call " });
                self.attributes(attrs);
                if !lhs.is_empty() {
                    self.idents(lhs);
                    self.put(" := ");
                }
                self.ident(callee);
                self.put("(");
                self.exprs(args);
                self.put(")");
            }
            StmtKind::CallForall { attrs, callee, args } => {
                self.put("call ");
                self.attributes(attrs);
                self.put("forall ");
                self.ident(callee);
                self.put("(");
                self.separated(args, |p, arg| match arg {
                    Some(e) => p.expr(e, 0),
                    None => p.put("*"),
                });
                self.put(")");
            }
            StmtKind::Fork { id, callee, args } => {
                self.put("fork ");
                self.exprs(id);
                self.put(" ");
                self.ident(callee);
                self.put("(");
                self.exprs(args);
                self.put(")");
            }
            StmtKind::Join { id, lhs } => {
                self.put("join ");
                self.exprs(id);
                if !lhs.is_empty() {
                    self.put(" assign ");
                    self.idents(lhs);
                }
            }
            StmtKind::Atomic(block) => {
                self.put("atomic ");
                self.block(block);
                self.put("\n");
                return;
            }
            StmtKind::If { branches, otherwise } => {
                for (i, (guard, block)) in branches.iter().enumerate() {
                    self.put(if i == 0 { "if " } else { " else if " });
                    self.guard(guard);
                    self.block(block);
                }
                if let Some(block) = otherwise {
                    self.put(" else ");
                    self.block(block);
                }
                self.put("\n");
                return;
            }
            StmtKind::While { guard, invariants, body } => {
                self.put("while ");
                self.guard(guard);
                if !invariants.is_empty() {
                    self.put("\n");
                    self.indent += 1;
                    for invariant in invariants {
                        self.start_line();
                        self.condition("invariant", invariant);
                    }
                    self.indent -= 1;
                    self.start_line();
                }
                self.block(body);
                self.put("\n");
                return;
            }
            StmtKind::Goto(labels) => {
                self.put("goto ");
                self.idents(labels);
            }
            StmtKind::Break(label) => {
                self.put("break");
                if let Some(label) = label {
                    self.put(" ");
                    self.ident(label);
                }
            }
            StmtKind::Return => self.put("return"),
        }
        self.put(";\n");
    }

    fn lhs(&mut self, lhs: &Lhs) {
        self.ident(&lhs.base);
        for access in &lhs.path {
            match access {
                Access::Index(index) => {
                    self.put("[");
                    self.exprs(index);
                    self.put("]");
                }
                Access::Field(field) => {
                    self.put("!");
                    self.ident(field);
                }
                Access::Member(field) => {
                    self.put("->");
                    self.ident(field);
                }
            }
        }
    }

    // ---- types --------------------------------------------------------------------------------

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Bool => self.put("bool"),
            TypeKind::Int => self.put("int"),
            TypeKind::Real => self.put("real"),
            TypeKind::BitVec(width) => {
                let _ = write!(self.out, "bv{width}");
            }
            TypeKind::Float { significand, exponent } => {
                let _ = write!(self.out, "float{significand}e{exponent}");
            }
            TypeKind::Map { type_params, domain, range } => {
                self.type_params(type_params);
                self.put("[");
                self.separated(domain, Self::ty);
                self.put("]");
                self.ty(range);
            }
            TypeKind::Named { name, args } => {
                self.ident(name);
                for arg in args {
                    self.put(" ");
                    let simple = match &arg.kind {
                        TypeKind::Bool
                        | TypeKind::Int
                        | TypeKind::Real
                        | TypeKind::BitVec(_)
                        | TypeKind::Float { .. } => true,
                        TypeKind::Named { args, .. } => args.is_empty(),
                        TypeKind::Map { .. } | TypeKind::Struct(_) => false,
                    };
                    if simple {
                        self.ty(arg);
                    } else {
                        self.put("(");
                        self.ty(arg);
                        self.put(")");
                    }
                }
            }
            TypeKind::Struct(fields) => {
                self.put("{ ");
                self.separated(fields, |p, (name, ty)| {
                    p.ident(name);
                    p.put(": ");
                    p.ty(ty);
                });
                self.put(" }");
            }
        }
    }

    // ---- expressions --------------------------------------------------------------------------

    fn exprs(&mut self, exprs: &[Expr]) {
        self.separated(exprs, |p, e| p.expr(e, 0));
    }

    /// Prints an expression as an operand of something that binds with the given strength.
    fn expr(&mut self, e: &Expr, context: u8) {
        let strength = match &e.kind {
            ExprKind::Binary(op, _) => op.precedence(),
            ExprKind::Is(..) => IS_PRECEDENCE,
            ExprKind::Unary(..) => UNARY_PRECEDENCE,
            // `if` reaches as far to the right as it can.
            ExprKind::IfThenElse(_) => 0,
            _ => u8::MAX,
        };
        let parens = strength < context;
        if parens {
            self.put("(");
        }
        self.bare_expr(e);
        if parens {
            self.put(")");
        }
    }

    fn bare_expr(&mut self, e: &Expr) {
        const POSTFIX: u8 = UNARY_PRECEDENCE + 1;
        match &e.kind {
            ExprKind::Bool(b) => self.put(if *b { "true" } else { "false" }),
            ExprKind::Int(digits) | ExprKind::Real(digits) | ExprKind::Float(digits) => self.put(digits),
            ExprKind::BitVec { value, width } => {
                let _ = write!(self.out, "{value}bv{width}");
            }
            ExprKind::Var(name) => self.name(name),
            ExprKind::Apply { callee, args } => {
                self.ident(callee);
                self.put("(");
                self.exprs(args);
                self.put(")");
            }
            ExprKind::Old(e) => self.wrapped("old", e),
            ExprKind::ToInt(e) => self.wrapped("int", e),
            ExprKind::ToReal(e) => self.wrapped("real", e),
            ExprKind::Unary(op, operand) => {
                self.put(match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Neg => "-",
                });
                self.expr(operand, UNARY_PRECEDENCE);
            }
            ExprKind::Binary(op, operands) => {
                let strength = op.precedence();
                for (i, operand) in operands.iter().enumerate() {
                    if i > 0 {
                        let _ = write!(self.out, " {} ", op.spelling());
                    }
                    // Operators of one level associate to the left; a different one may stand there bare.
                    let bare_left = i == 0
                        && op.assoc() == Assoc::Left
                        && matches!(&operand.kind, ExprKind::Binary(inner, _)
                            if inner != op && inner.assoc() == Assoc::Left && inner.precedence() == strength);
                    self.expr(operand, if bare_left { strength } else { strength + 1 });
                }
            }
            ExprKind::IfThenElse(parts) => {
                let [condition, yes, no] = &**parts;
                self.put("if ");
                self.expr(condition, 0);
                self.put(" then ");
                self.expr(yes, 0);
                self.put(" else ");
                self.expr(no, 0);
            }
            ExprKind::Select { map, index } => {
                self.expr(map, POSTFIX);
                self.put("[");
                self.exprs(index);
                self.put("]");
            }
            ExprKind::Store { map, index, value } => {
                self.expr(map, POSTFIX);
                self.put("[");
                self.exprs(index);
                self.put(" := ");
                self.expr(value, 0);
                self.put("]");
            }
            ExprKind::Extract { operand, high, low } => {
                self.expr(operand, POSTFIX);
                let _ = write!(self.out, "[{high}:{low}]");
            }
            ExprKind::Quantifier(q) => self.quantifier(q),
            ExprKind::Ascribe(e, ty) => {
                self.put("(");
                self.expr(e, POSTFIX);
                self.put(" : ");
                self.ty(ty);
                self.put(")");
            }
            ExprKind::Struct(fields) => {
                self.put("{ ");
                self.separated(fields, |p, (name, value)| {
                    p.ident(name);
                    p.put(": ");
                    p.expr(value, 0);
                });
                self.put(" }");
            }
            ExprKind::Field(e, field) => {
                self.expr(e, POSTFIX);
                self.put("!");
                self.ident(field);
            }
            ExprKind::Member(e, field) => {
                self.expr(e, POSTFIX);
                self.put("->");
                self.ident(field);
            }
            ExprKind::WithMember { base, member, value } => {
                self.expr(base, POSTFIX);
                self.put("->(");
                self.ident(member);
                self.put(" := ");
                self.expr(value, 0);
                self.put(")");
            }
            ExprKind::Is(e, constructor) => {
                self.expr(e, UNARY_PRECEDENCE);
                self.put(" is ");
                self.ident(constructor);
            }
            ExprKind::Let { vars, values, body } => {
                self.put("(var ");
                self.idents(vars);
                self.put(" := ");
                self.exprs(values);
                self.put("; ");
                self.expr(body, 0);
                self.put(")");
            }
        }
    }

    fn wrapped(&mut self, word: &str, e: &Expr) {
        self.put(word);
        self.put("(");
        self.expr(e, 0);
        self.put(")");
    }

    fn quantifier(&mut self, q: &Quantifier) {
        self.put("(");
        self.put(match q.kind {
            Binder::Forall => "forall",
            Binder::Exists => "exists",
            Binder::Lambda => "lambda",
        });
        self.type_params(&q.type_params);
        self.put(" ");
        self.separated(&q.vars, Self::typed_names);
        self.put(" :: ");
        self.attributes(&q.attrs);
        for trigger in &q.triggers {
            self.put("{ ");
            self.exprs(trigger);
            self.put(" } ");
        }
        self.expr(&q.body, 0);
        self.put(")");
    }
}
