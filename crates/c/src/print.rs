//! Syntax trees back to C text.
//!
//! The text parses to the same tree again: `parse(print(t)) = t` up to positions, which the tests check on every
//! program at hand. Parentheses stand only where the grammar needs them, since the tree does not keep the others.
//! What the parser reads and drops (most attributes, `restrict`, the text of `asm`) is not in the tree and so not
//! printed; an item that did not parse cannot be printed either and becomes a comment.

use std::fmt::Write as _;

use crate::ast::*;
use crate::lex::{Interner, Sym};

/// The text of a whole file.
pub fn print(unit: &TranslationUnit, names: &Interner) -> String {
    let mut printer = Printer { names, out: String::new(), indent: 0 };
    for item in &unit.items {
        printer.item(item);
    }
    printer.out
}

struct Printer<'a> {
    names: &'a Interner,
    out: String,
    indent: usize,
}

/// How tightly expressions bind, from the comma to what needs no parentheses.
mod level {
    pub(super) const COMMA: u8 = 0;
    pub(super) const ASSIGN: u8 = 1;
    pub(super) const COND: u8 = 2;
    pub(super) const LOG_OR: u8 = 3;
    pub(super) const UNARY: u8 = 13;
    pub(super) const POSTFIX: u8 = 14;
}

fn binary_level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::LogOr => level::LOG_OR,
        BinaryOp::LogAnd => 4,
        BinaryOp::BitOr => 5,
        BinaryOp::BitXor => 6,
        BinaryOp::BitAnd => 7,
        BinaryOp::Eq | BinaryOp::Ne => 8,
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => 9,
        BinaryOp::Shl | BinaryOp::Shr => 10,
        BinaryOp::Add | BinaryOp::Sub => 11,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 12,
    }
}

fn level_of(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Comma(..) => level::COMMA,
        ExprKind::Assign(..) => level::ASSIGN,
        ExprKind::Cond(..) => level::COND,
        ExprKind::Binary(op, ..) => binary_level(*op),
        ExprKind::Unary(..)
        | ExprKind::IncDec { prefix: true, .. }
        | ExprKind::Cast(..)
        | ExprKind::SizeofExpr(_)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofExpr(_)
        | ExprKind::AlignofType(..)
        | ExprKind::LabelAddr(_)
        // A compound literal is postfix, but `sizeof (T){…}` and `(T){…}.x` read best in parentheses.
        | ExprKind::CompoundLiteral(..) => level::UNARY,
        ExprKind::IncDec { prefix: false, .. }
        | ExprKind::Ident(_)
        | ExprKind::Number(_)
        | ExprKind::Char(_)
        | ExprKind::Str(_)
        | ExprKind::Call(..)
        | ExprKind::Index(..)
        | ExprKind::Member { .. }
        | ExprKind::StmtExpr(_)
        | ExprKind::Generic(..)
        | ExprKind::Offsetof(..)
        | ExprKind::VaArg(..)
        | ExprKind::ConvertVector(..)
        | ExprKind::TypesCompatible(..)
        | ExprKind::ChooseExpr(..) => level::POSTFIX,
    }
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
    fn name(&mut self, name: Sym) {
        let names = self.names;
        self.out.push_str(names.text(name));
    }
    /// A word, apart from a word before it.
    fn word(&mut self, text: &str) {
        if self.out.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | '}' | '"' | '\'')) {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }
    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }
    fn separated<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            each(self, item);
        }
    }

    // ----- items and declarations -----

    fn item(&mut self, item: &Item) {
        match item {
            Item::Function(def) => self.function(def),
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(_) => self.text("asm (\"\");"),
            Item::Broken { why, .. } => {
                let message = why.message.replace("*/", "* /");
                let _ = write!(self.out, "/* {message} */");
            }
        }
        self.line();
    }

    fn function(&mut self, def: &FunctionDef) {
        self.specs(&def.specs);
        self.declarator(&def.declarator);
        for declaration in &def.old_style {
            self.line();
            self.declaration(declaration);
        }
        self.text(" ");
        self.block(&def.body);
    }

    fn static_assert(&mut self, assertion: &StaticAssert) {
        self.text("_Static_assert(");
        self.expr(&assertion.condition, level::COND);
        if let Some(message) = &assertion.message {
            self.text(", \"");
            for byte in message.bytes() {
                match byte {
                    b'"' | b'\\' => self.out.extend(['\\', byte as char]),
                    b' '..=b'~' => self.out.push(byte as char),
                    _ => {
                        let _ = write!(self.out, "\\{byte:03o}");
                    }
                }
            }
            self.text("\"");
        }
        self.text(");");
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let before = self.out.len();
        self.specs(&declaration.specs);
        if self.out.len() == before && declaration.declarators.is_empty() {
            // An attribute alone, as in `__attribute__((fallthrough));`.
            self.text("__attribute__(())");
        }
        self.separated(&declaration.declarators, |p, d| {
            p.declarator(&d.declarator);
            if let Some(init) = &d.init {
                p.text(" = ");
                p.initializer(init);
            }
        });
        self.text(";");
    }

    fn quals(&mut self, quals: Quals) {
        for (is_there, word) in
            [(quals.is_const, "const"), (quals.is_volatile, "volatile"), (quals.is_atomic, "_Atomic")]
        {
            if is_there {
                self.word(word);
                self.text(" ");
            }
        }
    }

    fn attrs(&mut self, attrs: &Attrs) {
        if let Some(name) = attrs.link_name {
            self.word("__asm__(\"");
            self.name(name);
            self.text("\") ");
        }
        let flags = [
            (attrs.packed, "packed"),
            (attrs.noreturn, "noreturn"),
            (attrs.gnu_inline, "gnu_inline"),
            (attrs.pure_function, "pure"),
            (attrs.returns_nonnull, "returns_nonnull"),
            (attrs.transparent_union, "transparent_union"),
            (attrs.weak, "weak"),
        ];
        for (is_there, name) in flags {
            if is_there {
                self.word("__attribute__((");
                self.text(name);
                self.text(")) ");
            }
        }
        if let Some(size) = &attrs.vector_size {
            self.word("__attribute__((vector_size(");
            self.expr(size, level::COND);
            self.text("))) ");
        }
        if let Some(name) = attrs.mode {
            self.word("__attribute__((mode(");
            self.name(name);
            self.text("))) ");
        }
        for (hook, name) in [(&attrs.constructor, "constructor"), (&attrs.destructor, "destructor")] {
            if let Some(hook) = hook {
                self.word("__attribute__((");
                self.text(name);
                if let Some(priority) = &hook.priority {
                    self.text("(");
                    self.expr(priority, 0);
                    self.text(")");
                }
                self.text(")) ");
            }
        }
        if let Some(function) = attrs.cleanup {
            self.word("__attribute__((cleanup(");
            self.name(function);
            self.text("))) ");
        }
        if let Some(name) = attrs.unsupported {
            self.word("__attribute__((");
            self.name(name);
            self.text(")) ");
        }
        for aligned in &attrs.aligned {
            match aligned {
                AlignSpec::Max => self.word("__attribute__((aligned)) "),
                AlignSpec::Expr(e) => {
                    self.word("__attribute__((aligned(");
                    self.expr(e, level::COND);
                    self.text("))) ");
                }
                AlignSpec::Type(ty) => {
                    self.word("_Alignas(");
                    self.type_name(ty);
                    self.text(") ");
                }
            }
        }
    }

    fn specs(&mut self, specs: &DeclSpecs) {
        let storage = match specs.storage {
            Storage::None => "",
            Storage::Typedef => "typedef ",
            Storage::Extern => "extern ",
            Storage::Static => "static ",
            Storage::Auto => "auto ",
            Storage::Register => "register ",
        };
        self.text(storage);
        for (is_there, word) in [
            (specs.thread_local, "_Thread_local "),
            (specs.is_constexpr, "constexpr "),
            (specs.is_inline, "inline "),
            (specs.is_noreturn, "_Noreturn "),
        ] {
            if is_there {
                self.text(word);
            }
        }
        // `_Atomic(T)` says both.
        let is_atomic = specs.quals.is_atomic && !matches!(specs.ty, TypeSpec::Atomic(_));
        self.quals(Quals { is_atomic, ..specs.quals });
        self.attrs(&specs.attrs);
        match &specs.ty {
            TypeSpec::AutoType if specs.storage == Storage::Auto => {}
            ty => self.type_spec(ty),
        }
    }

    fn type_spec(&mut self, ty: &TypeSpec) {
        match ty {
            TypeSpec::Basic(ty) => self.text(basic_name(*ty)),
            TypeSpec::Complex(ty) => {
                self.text("_Complex ");
                self.text(basic_name(*ty));
            }
            TypeSpec::Unqualified(inner) => {
                self.text("typeof_unqual(");
                match &**inner {
                    TypeSpec::TypeofExpr(e) => self.expr(e, level::COMMA),
                    TypeSpec::TypeofType(ty) => self.type_name(ty),
                    other => self.type_spec(other),
                }
                self.text(")");
            }
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(spec) => self.enumeration(spec),
            TypeSpec::Typedef(name) => self.name(*name),
            TypeSpec::TypeofExpr(e) => {
                self.text("__typeof__(");
                self.expr(e, level::COMMA);
                self.text(")");
            }
            TypeSpec::TypeofType(ty) => {
                self.text("__typeof__(");
                self.type_name(ty);
                self.text(")");
            }
            TypeSpec::Atomic(ty) => {
                self.text("_Atomic(");
                self.type_name(ty);
                self.text(")");
            }
            TypeSpec::AutoType => self.text("__auto_type"),
            TypeSpec::Missing => {}
        }
    }

    fn pack(&mut self, pack: Option<u32>) {
        if let Some(n) = pack {
            let _ = write!(self.out, "\n#pragma pack({n})\n");
        }
    }

    fn record(&mut self, record: &RecordSpec) {
        self.pack(record.pack);
        self.text(if record.is_union { "union " } else { "struct " });
        self.attrs(&record.attrs);
        if let Some(tag) = record.tag {
            self.name(tag);
        }
        let Some(members) = &record.members else {
            if record.pack.is_some() {
                self.text("\n#pragma pack()\n");
            }
            return;
        };
        self.text(" {");
        self.indent += 1;
        let mut last: Option<&std::rc::Rc<DeclSpecs>> = None;
        for member in members {
            match member {
                Member::Field { specs, declarator, width, .. } => {
                    // Members declared together share their specifiers; records among those are one type.
                    if last.is_some_and(|l| std::rc::Rc::ptr_eq(l, specs)) && declarator.is_some() {
                        self.out.pop();
                        self.text(", ");
                    } else {
                        self.line();
                        self.specs(specs);
                    }
                    last = Some(specs);
                    // An attribute after the width belongs to the declarator.
                    if let Some(declarator) = declarator {
                        self.declarator_without_attrs(declarator);
                    }
                    if let Some(width) = width {
                        self.text(" : ");
                        self.expr(width, level::COND);
                    }
                    if let Some(declarator) = declarator {
                        self.attrs(&declarator.attrs);
                    }
                    self.text(";");
                }
                Member::StaticAssert(assertion) => {
                    last = None;
                    self.line();
                    self.static_assert(assertion);
                }
            }
        }
        self.indent -= 1;
        self.line();
        self.text("}");
        if record.pack.is_some() {
            self.text("\n#pragma pack()\n");
        }
    }

    fn enumeration(&mut self, spec: &EnumSpec) {
        self.text("enum ");
        self.attrs(&spec.attrs);
        if let Some(tag) = spec.tag {
            self.name(tag);
        }
        if let Some(ty) = &spec.underlying {
            self.text(" : ");
            self.type_name(ty);
        }
        if let Some(enumerators) = &spec.enumerators {
            self.text(" { ");
            self.separated(enumerators, |p, (name, value, _)| {
                p.name(*name);
                if let Some(value) = value {
                    p.text(" = ");
                    p.expr(value, level::COND);
                }
            });
            self.text(" }");
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.declarator_without_attrs(declarator);
        self.attrs(&declarator.attrs);
    }

    /// The last part is what the name is, so it stands next to the name.
    fn declarator_without_attrs(&mut self, declarator: &Declarator) {
        let mut inner = declarator.name.map(|n| self.names.text(n).to_string()).unwrap_or_default();
        for (i, part) in declarator.parts.iter().enumerate().rev() {
            let nearer_is_pointer = matches!(declarator.parts.get(i + 1), Some(DeclaratorPart::Pointer(_)));
            if !matches!(part, DeclaratorPart::Pointer(_)) && nearer_is_pointer {
                inner = format!("({inner})");
            }
            let suffix = |this: &Self, write: &mut dyn FnMut(&mut Printer)| {
                let mut printer = Printer { names: this.names, out: inner.clone(), indent: this.indent };
                write(&mut printer);
                printer.out
            };
            inner = match part {
                DeclaratorPart::Pointer(quals) => {
                    let mut printer = Printer { names: self.names, out: "*".to_string(), indent: self.indent };
                    printer.quals(*quals);
                    printer.out + &inner
                }
                DeclaratorPart::Array { size, quals, .. } => suffix(self, &mut |p| {
                    p.text("[");
                    p.quals(*quals);
                    if let Some(size) = size {
                        p.expr(size, level::ASSIGN);
                    }
                    p.text("]");
                }),
                DeclaratorPart::Function(function) => suffix(self, &mut |p| p.parameters(function)),
            };
        }
        if !inner.is_empty() {
            if !self.out.ends_with([' ', '(', '\n']) {
                self.text(" ");
            }
            self.text(&inner);
        }
    }

    fn parameters(&mut self, function: &FunctionPart) {
        self.text("(");
        if function.unspecified {
            self.separated(&function.names, |p, (name, _)| p.name(*name));
        } else if function.params.is_empty() && !function.variadic {
            self.text("void");
        }
        self.separated(&function.params, |p, param| {
            p.specs(&param.specs);
            p.declarator(&param.declarator);
        });
        if function.variadic {
            self.text(if function.params.is_empty() { "..." } else { ", ..." });
        }
        self.text(")");
    }

    fn type_name(&mut self, ty: &TypeName) {
        self.specs(&ty.specs);
        self.declarator(&ty.declarator);
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Expr(e) => self.expr(e, level::ASSIGN),
            Initializer::List(items, _) => self.init_list(items),
        }
    }

    fn init_list(&mut self, items: &[InitItem]) {
        self.text("{ ");
        self.separated(items, |p, item| {
            for designator in &item.designators {
                p.designator(designator, true);
            }
            if !item.designators.is_empty() {
                p.text(" = ");
            }
            p.initializer(&item.init);
        });
        self.text(" }");
    }

    fn designator(&mut self, designator: &Designator, dotted: bool) {
        match designator {
            Designator::Field(name, _) => {
                if dotted {
                    self.text(".");
                }
                self.name(*name);
            }
            Designator::Index(e) => {
                self.text("[");
                self.expr(e, level::COND);
                self.text("]");
            }
            Designator::Range(from, to) => {
                self.text("[");
                self.expr(from, level::COND);
                self.text(" ... ");
                self.expr(to, level::COND);
                self.text("]");
            }
        }
    }

    // ----- statements -----

    fn block(&mut self, block: &Block) {
        self.text("{");
        self.indent += 1;
        for stmt in &block.stmts {
            self.line();
            self.stmt(stmt);
        }
        self.indent -= 1;
        self.line();
        self.text("}");
    }

    fn condition(&mut self, keyword: &str, e: &Expr) {
        self.text(keyword);
        self.text(" (");
        self.expr(e, level::COMMA);
        self.text(") ");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty => self.text(";"),
            StmtKind::Expr(e) => {
                self.expr(e, level::COMMA);
                self.text(";");
            }
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::NestedFunction(def) => self.function(def),
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(c, then, otherwise) => {
                self.condition("if", c);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.text(" else ");
                    self.stmt(otherwise);
                }
            }
            StmtKind::While(c, body) => {
                self.condition("while", c);
                self.stmt(body);
            }
            StmtKind::DoWhile(body, c) => {
                self.text("do ");
                self.stmt(body);
                self.condition(" while", c);
                self.text(";");
            }
            StmtKind::For { init, condition, step, body } => {
                self.text("for (");
                match init {
                    Some(init) => self.stmt(init),
                    None => self.text(";"),
                }
                if let Some(condition) = condition {
                    self.text(" ");
                    self.expr(condition, level::COMMA);
                }
                self.text(";");
                if let Some(step) = step {
                    self.text(" ");
                    self.expr(step, level::COMMA);
                }
                self.text(") ");
                self.stmt(body);
            }
            StmtKind::Switch(value, body) => {
                self.condition("switch", value);
                self.stmt(body);
            }
            StmtKind::Case(from, to, body) => {
                self.text("case ");
                self.expr(from, level::COND);
                if let Some(to) = to {
                    self.text(" ... ");
                    self.expr(to, level::COND);
                }
                self.text(": ");
                self.stmt(body);
            }
            StmtKind::Default(body) => {
                self.text("default: ");
                self.stmt(body);
            }
            StmtKind::Label(name, body) => {
                self.name(*name);
                self.text(": ");
                self.stmt(body);
            }
            StmtKind::Goto(name) => {
                self.text("goto ");
                self.name(*name);
                self.text(";");
            }
            StmtKind::ComputedGoto(e) => {
                self.text("goto *");
                self.expr(e, level::COMMA);
                self.text(";");
            }
            StmtKind::Break => self.text("break;"),
            StmtKind::Continue => self.text("continue;"),
            StmtKind::Return(value) => {
                self.text("return");
                if let Some(value) = value {
                    self.text(" ");
                    self.expr(value, level::COMMA);
                }
                self.text(";");
            }
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::LocalLabels(names) => {
                self.text("__label__ ");
                self.separated(names, |p, name| p.name(*name));
                self.text(";");
            }
        }
    }

    fn asm(&mut self, asm: &AsmStmt) {
        self.text(if asm.has_labels { "asm goto (" } else { "asm (" });
        self.text(if asm.template_is_empty { "\"\"" } else { "\"#\"" });
        let operand = |p: &mut Self, e: &Expr| {
            p.text("\"\" (");
            p.expr(e, level::COMMA);
            p.text(")");
        };
        self.text(" : ");
        self.separated(&asm.outputs, operand);
        self.text(" : ");
        self.separated(&asm.inputs, operand);
        if asm.clobbers_memory {
            self.text(" : \"memory\"");
        }
        self.text(");");
    }

    // ----- expressions -----

    /// An expression, in parentheses if it binds less tightly than its place asks for.
    fn expr(&mut self, e: &Expr, least: u8) {
        if level_of(e) < least {
            self.text("(");
            self.bare(e);
            self.text(")");
        } else {
            self.bare(e);
        }
    }

    fn bare(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Ident(name) | ExprKind::Number(name) | ExprKind::Char(name) => self.name(*name),
            ExprKind::Str(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.text(" ");
                    }
                    self.name(*part);
                }
            }
            ExprKind::Unary(op, operand) => {
                let text = match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                    UnaryOp::Deref => "*",
                    UnaryOp::AddrOf => "&",
                    UnaryOp::Real => "__real__ ",
                    UnaryOp::Imag => "__imag__ ",
                };
                self.prefix(text);
                self.expr(operand, level::UNARY);
            }
            ExprKind::IncDec { increment, prefix, operand } => {
                let text = if *increment { "++" } else { "--" };
                if *prefix {
                    self.prefix(text);
                    self.expr(operand, level::UNARY);
                } else {
                    self.expr(operand, level::POSTFIX);
                    self.text(text);
                }
            }
            ExprKind::Binary(op, a, b) => {
                let own = binary_level(*op);
                self.expr(a, own);
                let _ = write!(self.out, " {} ", op.text());
                self.expr(b, own + 1);
            }
            ExprKind::Assign(op, place, value) => {
                self.expr(place, level::UNARY);
                let _ = write!(self.out, " {}= ", op.map_or("", BinaryOp::text));
                self.expr(value, level::ASSIGN);
            }
            ExprKind::Cond(c, then, otherwise) => {
                self.expr(c, level::LOG_OR);
                match then {
                    Some(then) => {
                        self.text(" ? ");
                        self.expr(then, level::COMMA);
                        self.text(" : ");
                    }
                    None => self.text(" ?: "),
                }
                self.expr(otherwise, level::COND);
            }
            ExprKind::Comma(a, b) => {
                self.expr(a, level::COMMA);
                self.text(", ");
                self.expr(b, level::ASSIGN);
            }
            ExprKind::Call(callee, args) => {
                self.expr(callee, level::POSTFIX);
                self.text("(");
                self.separated(args, |p, arg| p.expr(arg, level::ASSIGN));
                self.text(")");
            }
            ExprKind::Index(base, index) => {
                self.expr(base, level::POSTFIX);
                self.text("[");
                self.expr(index, level::COMMA);
                self.text("]");
            }
            ExprKind::Member { base, arrow, field, .. } => {
                self.expr(base, level::POSTFIX);
                self.text(if *arrow { "->" } else { "." });
                self.name(*field);
            }
            ExprKind::Cast(ty, operand) => {
                self.text("(");
                self.type_name(ty);
                self.text(")");
                self.expr(operand, level::UNARY);
            }
            ExprKind::CompoundLiteral(ty, items) => {
                self.text("(");
                self.type_name(ty);
                self.text(")");
                self.init_list(items);
            }
            ExprKind::SizeofExpr(operand) => {
                self.word("sizeof ");
                self.expr(operand, level::POSTFIX);
            }
            ExprKind::AlignofExpr(operand) => {
                self.word("_Alignof ");
                self.expr(operand, level::POSTFIX);
            }
            ExprKind::SizeofType(ty) => {
                self.word("sizeof(");
                self.type_name(ty);
                self.text(")");
            }
            ExprKind::AlignofType(ty, is_gnu) => {
                self.word(if *is_gnu { "__alignof__(" } else { "_Alignof(" });
                self.type_name(ty);
                self.text(")");
            }
            ExprKind::StmtExpr(block) => {
                self.text("(");
                self.block(block);
                self.text(")");
            }
            ExprKind::LabelAddr(name) => {
                self.prefix("&&");
                self.name(*name);
            }
            ExprKind::Generic(control, arms) => {
                self.text("_Generic(");
                self.expr(control, level::ASSIGN);
                for (ty, value) in arms {
                    self.text(", ");
                    match ty {
                        Some(ty) => self.type_name(ty),
                        None => self.text("default"),
                    }
                    self.text(": ");
                    self.expr(value, level::ASSIGN);
                }
                self.text(")");
            }
            ExprKind::Offsetof(ty, path) => {
                self.text("__builtin_offsetof(");
                self.type_name(ty);
                self.text(", ");
                for (i, designator) in path.iter().enumerate() {
                    self.designator(designator, i > 0);
                }
                self.text(")");
            }
            ExprKind::VaArg(list, ty) => {
                self.text("__builtin_va_arg(");
                self.expr(list, level::ASSIGN);
                self.text(", ");
                self.type_name(ty);
                self.text(")");
            }
            ExprKind::ConvertVector(e, ty) => {
                self.text("__builtin_convertvector(");
                self.expr(e, level::ASSIGN);
                self.text(", ");
                self.type_name(ty);
                self.text(")");
            }
            ExprKind::TypesCompatible(a, b) => {
                self.text("__builtin_types_compatible_p(");
                self.type_name(a);
                self.text(", ");
                self.type_name(b);
                self.text(")");
            }
            ExprKind::ChooseExpr(c, a, b) => {
                self.text("__builtin_choose_expr(");
                for (i, e) in [c, a, b].into_iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.expr(e, level::ASSIGN);
                }
                self.text(")");
            }
        }
    }

    /// An operator before its operand, which must not run into one before it: `- -x`, `& &&l`.
    fn prefix(&mut self, text: &str) {
        let last = self.out.chars().next_back();
        if last.is_some_and(|c| matches!(c, '+' | '-' | '&') && text.starts_with(c)) {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }
}

fn basic_name(ty: BasicType) -> &'static str {
    match ty {
        BasicType::Void => "void",
        BasicType::Bool => "_Bool",
        BasicType::Char => "char",
        BasicType::SChar => "signed char",
        BasicType::UChar => "unsigned char",
        BasicType::Short => "short",
        BasicType::UShort => "unsigned short",
        BasicType::Int => "int",
        BasicType::UInt => "unsigned int",
        BasicType::Long => "long",
        BasicType::ULong => "unsigned long",
        BasicType::LongLong => "long long",
        BasicType::ULongLong => "unsigned long long",
        BasicType::Int128 => "__int128",
        BasicType::UInt128 => "unsigned __int128",
        BasicType::Float => "float",
        BasicType::Double => "double",
        BasicType::LongDouble => "long double",
        BasicType::Float16 => "_Float16",
        BasicType::Float128 => "_Float128",
        BasicType::VaList => "__builtin_va_list",
    }
}
