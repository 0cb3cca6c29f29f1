//! The type checker: syntax tree to typed program.
//!
//! One pass over the items in order, as C is meant to be read: scopes map names to what they mean,
//! declarations extend them, expressions are typed bottom-up with every implicit conversion made
//! explicit. What gcc merely warns about (mixing pointer types, implicit functions, conflicting
//! prototypes) is accepted the way gcc takes it.
//!
//! An error inside a function breaks only that function: it is kept without a body, with the message,
//! and matters only if the program can reach it.

mod builtins;
mod complex;
mod constraints;
mod decl;
mod expr;
mod fold;
mod formats;
mod init;
mod parts;
mod stmt;
mod vector;

use std::sync::Arc;

use base::{Diagnostic, DiagnosticKind, IdVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::DataModel;
use crate::ast;
use crate::hir::*;
use crate::lex::{Interner, Sym};
use crate::types::*;

pub use builtins::is_builtin;

type SResult<T> = Result<T, Diagnostic>;

fn err<T>(span: Span, message: impl Into<String>) -> SResult<T> {
    Err(Diagnostic::error(span, message))
}

/// Something that is C, but not understood here.
fn unsupported<T>(span: Span, message: impl Into<String>) -> SResult<T> {
    Err(Diagnostic::unsupported(span, message))
}

fn internal<T>(span: Span, message: impl Into<String>) -> SResult<T> {
    Err(Diagnostic::internal(span, format!("internal error: {}", message.into())))
}

#[derive(Clone, Debug)]
enum Entity {
    Var(VarId),
    Func(FuncId),
    Typedef(Typedef),
    EnumConst(i128, TypeId),
}

/// What a typedef name stands for.
#[derive(Clone, Copy, Debug)]
struct Typedef {
    ty: Ty,
    /// The alignment that an attribute gives to what is declared with it.
    align: Option<u64>,
    /// May its type be made of an enumeration? Of its type only the underlying integer type is known.
    may_be_enum: bool,
}

#[derive(Clone, Copy, Debug)]
enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Default)]
struct Scope {
    names: FxHashMap<Sym, Entity>,
    tags: FxHashMap<Sym, Tag>,
    /// The labels that `__label__` declares here, and whether they are defined.
    labels: FxHashMap<Sym, (LabelId, bool)>,
}

struct SwitchContext {
    ty: TypeId,
    cases: Vec<(i128, i128, LabelId)>,
    default: Option<LabelId>,
}

/// What is known while checking a function body.
struct FunctionContext {
    func: FuncId,
    ret: Ty,
    labels: FxHashMap<Sym, (LabelId, bool)>,
    switches: Vec<SwitchContext>,
    n_loops: usize,
    func_name_var: Option<VarId>,
    /// The scope of the outermost block; that of the parameters is the one before.
    body_scope: usize,
}

pub struct Sema<'a> {
    interner: &'a mut Interner,
    types: Types,
    vars: IdVec<VarId, Var>,
    funcs: IdVec<FuncId, Function>,
    labels: IdVec<LabelId, Arc<str>>,
    statics: Vec<VarId>,
    scopes: Vec<Scope>,
    /// Objects and functions with linkage, by name.
    linkage: FxHashMap<Sym, Entity>,
    /// Functions whose body is for inlining only, so far.
    inline_only: FxHashSet<FuncId>,
    function: Option<FunctionContext>,
    /// Statements to run before the one being checked (sizes of variable-length arrays).
    pending: Vec<Stmt>,
    /// The objects of the full expression that is being checked.
    temporaries: Vec<VarId>,
    /// Objects with more room than their type has, for what initialises a flexible array: what they are declared as.
    declared_types: FxHashMap<VarId, Ty>,
    strings: FxHashMap<(Vec<u32>, TypeId), VarId>,
    diagnostics: Vec<Diagnostic>,
    /// Names with linkage that the program declares, and whether it is internal.
    internal: FxHashMap<Sym, bool>,
    /// Functions whose types are made up: called without a declaration, or builtins.
    assumed: FxHashSet<FuncId>,
    registers: FxHashSet<VarId>,
    /// Alignments of objects that their declarations ask for.
    var_aligns: FxHashMap<VarId, u64>,
    /// A typedef of the program has an alignment of its own, which types of expressions do not show.
    has_aligned_typedefs: bool,
    /// The underlying types of all enumerations so far.
    enumerations: Vec<TypeId>,
    /// A declaration of the program is not understood, and what it declares is missing.
    is_incomplete: bool,
    /// The functions of the library are being checked, which come after the program.
    in_library: bool,
    n_anonymous: u32,
    /// Names in the program, what the linker calls them, and where that is said.
    link_names: Vec<(Sym, Sym, Span)>,
    /// Functions that were called before they were declared.
    implicit: FxHashSet<FuncId>,
    remarks: Vec<(Span, String)>,
}

/// A typed program, and what is wrong in its text.
pub struct Checked {
    pub unit: Unit,
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a translation unit, of which the first items are the program's own and the others the library's.
pub fn check(unit: &ast::TranslationUnit, n_own: usize, interner: &mut Interner, model: DataModel) -> Checked {
    let mut sema = Sema {
        interner,
        types: Types::new(model),
        vars: IdVec::new(),
        funcs: IdVec::new(),
        labels: IdVec::new(),
        statics: Vec::new(),
        scopes: vec![Scope::default()],
        linkage: FxHashMap::default(),
        inline_only: FxHashSet::default(),
        function: None,
        pending: Vec::new(),
        temporaries: Vec::new(),
        declared_types: FxHashMap::default(),
        strings: FxHashMap::default(),
        diagnostics: Vec::new(),
        internal: FxHashMap::default(),
        assumed: FxHashSet::default(),
        registers: FxHashSet::default(),
        var_aligns: FxHashMap::default(),
        has_aligned_typedefs: false,
        enumerations: Vec::new(),
        is_incomplete: false,
        in_library: false,
        n_anonymous: 0,
        link_names: Vec::new(),
        implicit: FxHashSet::default(),
        remarks: Vec::new(),
    };
    for (i, item) in unit.items.iter().enumerate() {
        if i == n_own {
            sema.check_tentative();
            sema.in_library = true;
        }
        sema.item(item);
    }
    if unit.items.len() <= n_own {
        sema.check_tentative();
    }
    sema.check_link_names();
    for (id, function) in sema.funcs.iter_mut() {
        function.is_assumed = sema.assumed.contains(&id);
    }
    let unit = Unit {
        types: sema.types,
        vars: sema.vars,
        funcs: sema.funcs,
        labels: sema.labels,
        statics: sema.statics,
        remarks: sema.remarks,
        is_linked: false,
    };
    Checked { unit, diagnostics: sema.diagnostics }
}

impl Sema<'_> {
    fn text(&self, sym: Sym) -> Arc<str> {
        self.interner.text(sym).into()
    }

    fn scope(&mut self) -> &mut Scope {
        // There is always the file scope.
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn lookup(&self, name: Sym) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|s| s.names.get(&name).cloned())
    }

    fn lookup_tag(&self, name: Sym) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(&name).copied())
    }

    fn new_var(&mut self, name: &str, ty: Ty, span: Span, storage: Storage, hidden: bool) -> VarId {
        let owner = self.function.as_ref().map(|f| f.func);
        let is_static = matches!(storage, Storage::Static { .. });
        let id = self.vars.push(Var {
            name: name.into(),
            ty,
            span,
            storage,
            owner,
            init: None,
            thread_local: false,
            per_thread: false,
            is_weak: false,
            is_external: false,
            hidden,
            is_string: false,
            is_array_length: false,
        });
        if is_static {
            self.statics.push(id);
        }
        id
    }

    fn item(&mut self, item: &ast::Item) {
        let n_before = self.diagnostics.len();
        self.check_item(item);
        let own = self.diagnostics.split_off(n_before);
        if self.in_library {
            return;
        }
        // What does not fit after something that is not understood may be right.
        let is_valid = own.iter().any(|d| !d.is_rejection());
        let mut kept: Vec<Diagnostic> =
            if is_valid { own.into_iter().filter(|d| !d.is_rejection()).collect() } else { own };
        if self.is_incomplete {
            for diagnostic in kept.iter_mut().filter(|d| d.is_rejection()) {
                diagnostic.kind = DiagnosticKind::Unsupported;
                diagnostic.message.push_str(" (after something that is not supported)");
            }
        }
        self.is_incomplete |= is_valid && matches!(item, ast::Item::Declaration(_));
        self.diagnostics.append(&mut kept);
    }

    fn check_item(&mut self, item: &ast::Item) {
        let result = match item {
            ast::Item::Function(def) => self.function_definition(def),
            ast::Item::Declaration(declaration) => self.global_declaration(declaration),
            ast::Item::StaticAssert(assertion) => self.static_assert(assertion),
            ast::Item::Asm(_) => Ok(()),
            ast::Item::Broken { name, why } => {
                self.diagnostics.push(why.clone());
                if let Some(name) = *name {
                    self.broken_function(name, why.span, why.message.clone());
                }
                Ok(())
            }
        };
        self.scopes.truncate(1);
        self.function = None;
        self.pending.clear();
        if let Err(diagnostic) = result {
            self.diagnostics.push(diagnostic);
        }
    }

    /// What is declared wrongly is forgotten, so that a use of it is an error.
    fn global_declaration(&mut self, declaration: &ast::Declaration) -> SResult<()> {
        let declarators = || declaration.declarators.iter().map(|d| &d.declarator);
        let known = declarators().any(|d| d.name.is_some_and(|n| self.linkage.contains_key(&n)));
        let Err(mut diagnostic) = self.declaration(declaration) else { return Ok(()) };
        // An object that is not understood would be zero to those who have seen it before.
        if known && !diagnostic.is_rejection() {
            diagnostic.kind = DiagnosticKind::Rejected;
            diagnostic.message.push_str(", and it is declared more than once");
        }
        for name in declarators().filter_map(|d| d.name) {
            self.scopes[0].names.remove(&name);
            if !matches!(self.linkage.get(&name), Some(Entity::Func(_))) {
                self.linkage.remove(&name);
            }
        }
        Err(diagnostic)
    }

    /// Two names of the program for one thing of the linker are not understood, wherever they are used.
    fn check_link_names(&mut self) {
        for (name, link, span) in std::mem::take(&mut self.link_names) {
            let Some(other) = self.linkage.get(&link) else { continue };
            let message = format!("{} and {} as names of one thing", self.text(name), self.text(link));
            let functions = [self.linkage.get(&name), Some(other)].map(|entity| match entity {
                Some(Entity::Func(f)) => Some(*f),
                _ => None,
            });
            if functions.contains(&None) {
                self.remarks.push((span, message));
                continue;
            }
            for func in functions.into_iter().flatten() {
                if self.funcs[func].body.is_none() {
                    self.funcs[func].broken = Some((span, message.clone()));
                }
            }
        }
    }

    fn broken_function(&mut self, name: Sym, span: Span, message: String) {
        let func = match self.linkage.get(&name) {
            Some(Entity::Func(f)) => *f,
            Some(_) => return,
            None => {
                let int = Ty::plain(TypeId::INT);
                let ty = FnType { ret: int, params: Vec::new(), variadic: false, prototyped: false };
                let ty = self.types.intern(Type::Function(Arc::new(ty)));
                let f = self.new_function(name, ty, span);
                self.scope().names.insert(name, Entity::Func(f));
                f
            }
        };
        if self.funcs[func].body.is_none() {
            self.funcs[func].broken = Some((span, message));
        }
    }

    fn new_function(&mut self, name: Sym, ty: TypeId, span: Span) -> FuncId {
        let text = self.text(name);
        let id = self.funcs.push(Function { is_inline: true, ..Function::declared(text, ty, span) });
        self.linkage.insert(name, Entity::Func(id));
        id
    }

    fn static_assert(&mut self, assertion: &ast::StaticAssert) -> SResult<()> {
        let condition = self.constant(&assertion.condition)?;
        if condition == 0 {
            let message = assertion.message.clone().unwrap_or_default();
            return err(assertion.span, format!("static assertion failed: {message}"));
        }
        Ok(())
    }

    /// The value of an integer constant expression.
    fn constant(&mut self, e: &ast::Expr) -> SResult<i128> {
        let value = self.rvalue(e)?;
        match value.kind {
            ExprKind::Int(v) => Ok(v),
            _ => err(e.span, "this is not a constant expression"),
        }
    }
}
