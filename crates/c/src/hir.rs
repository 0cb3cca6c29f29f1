//! The typed program: names resolved, conversions explicit, constants folded, initialisers flat.
//!
//! Invariants, which the type checker establishes and lowering relies on:
//! * Both operands of `Binary` (but shifts), `Compare` and both arms of `Cond` have the same type, and
//!   integer operands are promoted; everything else is an explicit `Convert`.
//! * An expression of array or function type never occurs: both have decayed to pointers.
//! * An `Int` constant lies in the range of its type.
//! * The types of expressions carry no qualifiers; those of places do.

use std::sync::Arc;

use base::{IdVec, Span};

use crate::types::{Ty, Type, TypeId, Types};

base::define_id!(
    /// A C variable: global, static, local, parameter, or hidden.
    VarId, "cv";
    FuncId, "cf";
    /// A label, unique in the unit.
    LabelId, "lab"
);

pub struct Unit {
    pub types: Types,
    pub vars: IdVec<VarId, Var>,
    pub funcs: IdVec<FuncId, Function>,
    pub labels: IdVec<LabelId, Arc<str>>,
    /// Objects with static storage in order of definition: globals, static locals, string literals.
    pub statics: Vec<VarId>,
    /// What is not understood of the whole, wherever executions go.
    pub remarks: Vec<(Span, String)>,
    /// Made of several translation units ([`crate::link`]).
    pub is_linked: bool,
}

impl Unit {
    /// Does a function with a body understand a call through a pointer, going by the number of arguments and how they
    /// and the result are passed? C also wants the types to be compatible; compilers do not mind other integers, or
    /// pointers to something else.
    pub fn understands_call(&self, func: FuncId, args: &[Expr], result: TypeId) -> bool {
        let function = &self.funcs[func];
        let Some(ty) = self.types.function(function.ty) else { return false };
        let n_params = function.params.len();
        let takes_more = ty.variadic || !ty.prototyped;
        let is_alike = |a: TypeId, b: TypeId| match (self.types.get(a), self.types.get(b)) {
            (Type::Int(_), Type::Int(_)) | (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Int(k), Type::Pointer(_)) | (Type::Pointer(_), Type::Int(k)) => {
                self.types.int_size(*k) == self.types.pointer_size()
            }
            _ => self.types.compatible(a, b),
        };
        let is_passed_alike = |(param, arg): (&VarId, &Expr)| is_alike(self.vars[*param].ty.id, arg.ty);
        (n_params == args.len() || takes_more && n_params <= args.len())
            && function.params.iter().zip(args).all(is_passed_alike)
            && (result == TypeId::VOID || is_alike(ty.ret.id, result))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Lives as long as the program. `defined` is false for an `extern` without a definition.
    Static {
        defined: bool,
    },
    Local,
    Param,
}

#[derive(Clone)]
pub struct Var {
    pub name: Arc<str>,
    pub ty: Ty,
    pub span: Span,
    pub storage: Storage,
    /// The function it belongs to.
    pub owner: Option<FuncId>,
    /// Of a static object; absent means zero.
    pub init: Option<Init>,
    pub thread_local: bool,
    /// An array of what was one variable for each thread.
    pub per_thread: bool,
    /// A weak declaration: there may be no such object.
    pub is_weak: bool,
    /// Other translation units can name it.
    pub is_external: bool,
    /// Made up by the front end: string literals, sizes of variable-length arrays, compound literals.
    pub hidden: bool,
    pub is_string: bool,
    /// Holds the number of elements of a variable-length array.
    pub is_array_length: bool,
}

#[derive(Clone)]
pub struct Function {
    pub name: Arc<str>,
    pub ty: TypeId,
    pub span: Span,
    pub params: Vec<VarId>,
    pub body: Option<Vec<Stmt>>,
    /// Where the closing brace is.
    pub end: Span,
    /// Why there is no usable body although the program has one.
    pub broken: Option<(Span, String)>,
    pub noreturn: bool,
    /// It is declared to have no effect, and to give equal results for equal arguments and memory.
    pub is_pure: bool,
    /// It is declared never to return null.
    pub returns_nonnull: bool,
    pub address_taken: bool,
    /// Runs before the function that executions start in; the least priority first.
    pub constructor: Option<i128>,
    /// Runs after it, the greatest priority first.
    pub destructor: Option<i128>,
    /// Without a body its address may be null.
    pub is_weak: bool,
    /// No other file can call it by name.
    pub is_internal: bool,
    /// The body is ours ([`crate::prelude`]).
    pub is_library: bool,
    /// All declarations are inline without extern: a body is that of this unit alone.
    pub is_inline: bool,
    /// The program does not declare it: its type is made up.
    pub is_assumed: bool,
}

impl Function {
    /// A declaration of which nothing more is known.
    pub(crate) fn declared(name: Arc<str>, ty: TypeId, span: Span) -> Function {
        Function {
            name,
            ty,
            span,
            params: Vec::new(),
            body: None,
            end: span,
            broken: None,
            noreturn: false,
            is_pure: false,
            returns_nonnull: false,
            address_taken: false,
            constructor: None,
            destructor: None,
            is_weak: false,
            is_internal: false,
            is_library: false,
            is_inline: false,
            is_assumed: false,
        }
    }
}

/// A flat initialiser: the values of leaves; with `zero_rest` the others are zero.
#[derive(Clone, Debug, Default)]
pub struct Init {
    pub items: Vec<InitItem>,
    pub zero_rest: bool,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    pub path: Vec<Step>,
    pub ty: Ty,
    pub value: Expr,
}

/// A step from an aggregate to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    Field(u32),
    Index(u64),
    /// A byte of a union that is seen as bytes. Only lowering makes these.
    Byte(u64),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// The object comes into being here (its lifetime began with the block) and is initialised.
    Decl(VarId, Option<Init>),
    /// To be evaluated whenever control leaves the innermost block around it from here on.
    Cleanup(Expr),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
        /// Inclusive ranges in the type of `value`, with the label to go to.
        cases: Vec<(i128, i128, LabelId)>,
        default: Option<LabelId>,
    },
    Label(LabelId, Box<Stmt>),
    Goto(LabelId),
    ComputedGoto(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm {
        outputs: Vec<Place>,
        inputs: Vec<Expr>,
        is_empty: bool,
        clobbers_memory: bool,
        has_labels: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Var(VarId),
    Deref(Box<Expr>),
    /// A member of the record at the place.
    Field(Box<Place>, u32),
    /// An element of the array at the place.
    Index(Box<Place>, Box<Expr>),
    /// The record value of an expression, put into a temporary object.
    Temp(Box<Expr>),
    /// A compound literal: initialises the hidden object each time it is reached.
    Compound(VarId, Box<Init>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnOp {
    Neg,
    BitNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CmpOp {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

#[derive(Clone, Debug)]
pub enum Callee {
    Direct(FuncId),
    Indirect(Box<Expr>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

impl Expr {
    /// The expression whose value is converted, if it is, once or several times.
    pub fn without_conversions(&self) -> &Expr {
        let mut e = self;
        while let ExprKind::Convert(inner) = &e.kind {
            e = inner;
        }
        e
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i128),
    /// Already rounded to its type (`long double` to double).
    Float(f64),
    Load(Place),
    AddrOf(Place),
    /// The address of a function.
    Func(FuncId),
    LabelAddr(LabelId),
    Unary(UnOp, Box<Expr>),
    /// `!e`, of type int.
    Not(Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Compare(CmpOp, Box<Expr>, Box<Expr>),
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU `a ?: b`: the first operand is evaluated once. `then` is it, converted, over the hidden
    /// variable that holds its value.
    Elvis {
        value: Box<Expr>,
        var: VarId,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// `ptr ± index · size`
    PtrAdd {
        ptr: Box<Expr>,
        index: Box<Expr>,
        size: Box<Expr>,
        negative: bool,
    },
    /// `(left − right) / size`
    PtrDiff {
        left: Box<Expr>,
        right: Box<Expr>,
        size: Box<Expr>,
    },
    Assign(Box<Place>, Box<Expr>),
    /// `place = (type of place)((compute)place op rhs)`; for shifts `rhs` keeps its own type.
    CompoundAssign {
        op: BinOp,
        place: Box<Place>,
        rhs: Box<Expr>,
        compute: TypeId,
    },
    /// `place ±= index · size` on a pointer.
    PtrAssign {
        place: Box<Place>,
        index: Box<Expr>,
        size: Box<Expr>,
        negative: bool,
    },
    /// On arithmetic types; pointers step by `size`.
    IncDec {
        place: Box<Place>,
        increment: bool,
        prefix: bool,
        size: Option<Box<Expr>>,
    },
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    Convert(Box<Expr>),
    /// The value is that of the last expression, if the type is not void.
    StmtExpr(Vec<Stmt>, Option<Box<Expr>>),
    /// The place is the `va_list`.
    VaArg(Box<Place>),
    VaStart(Box<Place>),
    VaEnd(Box<Place>),
    VaCopy(Box<Place>, Box<Place>),
}

/// May evaluating the expression change anything?
pub(crate) fn has_effects(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Func(_) | ExprKind::LabelAddr(_) => false,
        ExprKind::Load(place) | ExprKind::AddrOf(place) => place_has_effects(place),
        ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Convert(a) => has_effects(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b) => has_effects(a) || has_effects(b),
        ExprKind::Cond(a, b, c) => has_effects(a) || has_effects(b) || has_effects(c),
        ExprKind::PtrAdd { ptr, index, .. } => has_effects(ptr) || has_effects(index),
        ExprKind::PtrDiff { left, right, .. } => has_effects(left) || has_effects(right),
        ExprKind::Elvis { .. }
        | ExprKind::Assign(..)
        | ExprKind::CompoundAssign { .. }
        | ExprKind::PtrAssign { .. }
        | ExprKind::IncDec { .. }
        | ExprKind::Call { .. }
        | ExprKind::StmtExpr(..)
        | ExprKind::VaArg(_)
        | ExprKind::VaStart(_)
        | ExprKind::VaEnd(_)
        | ExprKind::VaCopy(..) => true,
    }
}

pub(crate) fn place_has_effects(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) => false,
        PlaceKind::Deref(e) => has_effects(e),
        PlaceKind::Field(base, _) => place_has_effects(base),
        PlaceKind::Index(base, index) => place_has_effects(base) || has_effects(index),
        PlaceKind::Temp(_) | PlaceKind::Compound(..) => true,
    }
}
