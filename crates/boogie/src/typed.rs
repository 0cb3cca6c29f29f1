//! The program after checking: every name is resolved to an id, every expression has its type.
//!
//! Assignments to parts (`m[i]!f := e`) have become assignments of whole variables, and the
//! parameters of an implementation are those of its procedure, whatever they are called there.

use crate::ast::{BinaryOp, Binder, Directive, UnaryOp};
use crate::types::{CtorId, ParamId, TyId, TypePool};
use base::{Diagnostic, IdVec, Span, define_id};

define_id!(
    /// Any variable: constant, global, parameter, local, bound.
    VarId, "v";
    FuncId, "f";
    ProcId, "p"
);

#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub types: TypePool,
    pub ctors: IdVec<CtorId, Ctor>,
    pub params: IdVec<ParamId, String>,
    pub vars: IdVec<VarId, Var>,
    /// In the order of their declaration.
    pub consts: Vec<VarId>,
    pub globals: Vec<VarId>,
    pub functions: IdVec<FuncId, Function>,
    pub axioms: Vec<Expr>,
    /// Constants with `extends`, and what they are below.
    pub order: Vec<(VarId, Vec<VarId>)>,
    pub procs: IdVec<ProcId, Procedure>,
    pub directives: Vec<Directive>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub(crate) struct Ctor {
    pub name: String,
    pub arity: usize,
    /// The constructors, if the type is a datatype.
    pub datatype: Option<Vec<Constructor>>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub(crate) struct Constructor {
    pub name: String,
    /// The names that its declaration gives to the parameters of the datatype.
    pub type_params: Vec<ParamId>,
    pub fields: Vec<(String, TyId)>,
}

/// What a function that comes with a datatype does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Member {
    /// Makes a value by the constructor with this position.
    Constructor(usize),
    /// `f#C`: the field with this position of a constructor.
    Selector(usize, usize),
    /// `is#C`
    Tester(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VarKind {
    Const { unique: bool },
    Global,
    Param,
    Return,
    Local,
    Bound,
}

#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub name: String,
    pub ty: TyId,
    pub kind: VarKind,
    /// The `where` clause.
    pub condition: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub type_params: Vec<ParamId>,
    pub params: Vec<VarId>,
    pub result: TyId,
    pub body: Option<Expr>,
    pub builtin: Option<Builtin>,
    /// The SMT-LIB term of `{:smtdefined "…"}`, over the names of the parameters.
    pub smt_definition: Option<String>,
    /// The tag of `{:overapproximation "…"}`: a counterexample through this function proves nothing.
    pub overapproximation: Option<String>,
    /// Set if the function comes with a datatype.
    pub member: Option<Member>,
    pub span: Span,
}

impl Function {
    /// A name and a type, nothing more.
    pub(crate) fn is_plain(&self) -> bool {
        self.type_params.is_empty()
            && self.body.is_none()
            && self.builtin.is_none()
            && self.smt_definition.is_none()
            && self.overapproximation.is_none()
            && self.member.is_none()
    }
}

/// An SMT-LIB operator by name, with the indices of `(_ name i j)` and the rounding mode of `fp.add RNE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Builtin {
    pub name: String,
    pub indices: Vec<u32>,
    pub rounding: Option<Rounding>,
}

#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub name: String,
    pub type_params: Vec<ParamId>,
    pub params: Vec<VarId>,
    pub returns: Vec<VarId>,
    pub requires: Vec<Condition>,
    pub ensures: Vec<Condition>,
    /// As declared, sorted, without repetition.
    pub modifies: Vec<VarId>,
    /// One for each implementation.
    pub bodies: Vec<Body>,
    /// `{:inline}`
    pub is_inlined: bool,
    /// Not `{:verify false}`.
    pub verify: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub free: bool,
    pub expr: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub locals: Vec<VarId>,
    pub block: Vec<Stmt>,
    pub end: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Label(String),
    Assert(Expr),
    Assume(Expr),
    Havoc(Vec<VarId>),
    /// In parallel.
    Assign(Vec<(VarId, Expr)>),
    /// One after the other.
    Sequence(Vec<Stmt>),
    Call {
        free: bool,
        lhs: Vec<VarId>,
        callee: ProcId,
        type_args: Vec<TyId>,
        args: Vec<Expr>,
    },
    CallForall {
        callee: ProcId,
        type_args: Vec<TyId>,
        args: Vec<Option<Expr>>,
    },
    Fork {
        id: Vec<Expr>,
        callee: ProcId,
        type_args: Vec<TyId>,
        args: Vec<Expr>,
    },
    Join {
        id: Vec<Expr>,
        lhs: Vec<VarId>,
    },
    Atomic(Vec<Stmt>),
    If {
        branches: Vec<(Option<Expr>, Vec<Stmt>)>,
        otherwise: Option<Vec<Stmt>>,
    },
    While {
        guard: Option<Expr>,
        invariants: Vec<Condition>,
        body: Vec<Stmt>,
    },
    Goto(Vec<(String, Span)>),
    Break(Option<String>),
    Return,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub ty: TyId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Bool(bool),
    Int(String),
    Real(String),
    BitVec(String),
    /// As written.
    Float(String),
    /// A rounding mode.
    Rounding(Rounding),
    Var(VarId),
    Apply {
        callee: FuncId,
        type_args: Vec<TyId>,
        args: Vec<Expr>,
    },
    Old(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// A chain, associated as [`BinaryOp::assoc`] says.
    Binary(BinaryOp, Vec<Expr>),
    IfThenElse(Box<[Expr; 3]>),
    /// The type arguments are those of a polymorphic map.
    Select {
        map: Box<Expr>,
        type_args: Vec<TyId>,
        index: Vec<Expr>,
    },
    Store {
        map: Box<Expr>,
        type_args: Vec<TyId>,
        index: Vec<Expr>,
        value: Box<Expr>,
    },
    Extract {
        operand: Box<Expr>,
        high: u32,
        low: u32,
    },
    Quantifier {
        binder: Binder,
        type_params: Vec<ParamId>,
        vars: Vec<VarId>,
        triggers: Vec<Vec<Expr>>,
        body: Box<Expr>,
    },
    ToInt(Box<Expr>),
    ToReal(Box<Expr>),
    /// Values in the order of the type's fields.
    Struct(Vec<Expr>),
    /// The field with this position.
    Field(Box<Expr>, usize),
    /// The struct with the field at this position replaced; from assignments `x!f := e`.
    WithField {
        base: Box<Expr>,
        field: usize,
        value: Box<Expr>,
    },
    /// `e->f`: the field of one of these constructors, given by their and its positions.
    Member {
        base: Box<Expr>,
        places: Vec<(usize, usize)>,
    },
    WithMember {
        base: Box<Expr>,
        places: Vec<(usize, usize)>,
        value: Box<Expr>,
    },
    /// `e is C`, by the position of the constructor.
    Is(Box<Expr>, usize),
    Let {
        vars: Vec<VarId>,
        values: Vec<Expr>,
        body: Box<Expr>,
    },
    /// What was already reported.
    Error,
}

/// The rounding modes of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    NearestEven,
    NearestAway,
    Up,
    Down,
    TowardsZero,
}

impl Rounding {
    /// The mode with this name in Boogie.
    pub(crate) fn named(name: &str) -> Option<Rounding> {
        Some(match name {
            "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
            "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
            "RTP" | "roundTowardPositive" => Rounding::Up,
            "RTN" | "roundTowardNegative" => Rounding::Down,
            "RTZ" | "roundTowardZero" => Rounding::TowardsZero,
            _ => return None,
        })
    }
}
