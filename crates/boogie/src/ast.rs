//! The syntax tree of a Boogie file, as written: names are not resolved, types are not checked.
//!
//! Spans are wrapped in [`Loc`], which compares equal to every other `Loc`: two trees are equal when
//! they say the same thing, wherever they stand. Parentheses are not kept; the printer puts back
//! those that are needed.
//!
//! Chains of one operator (`a && b && c`) are one node with many operands, so that generated
//! programs with thousands of conjuncts stay shallow.

use base::Span;

/// A place in the source; not part of what a node says.
#[derive(Clone, Copy, Debug)]
pub struct Loc(pub Span);

impl PartialEq for Loc {
    fn eq(&self, _: &Loc) -> bool {
        true
    }
}

impl Eq for Loc {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    pub name: String,
    pub span: Loc,
}

/// An LTL property stated in a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    pub span: Loc,
    pub formula: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct File {
    pub decls: Vec<Decl>,
    pub directives: Vec<Directive>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decl {
    Type(TypeDecl),
    Datatype(DatatypeDecl),
    Const(ConstDecl),
    Var(VarDecl),
    Function(FunctionDecl),
    Axiom(AxiomDecl),
    /// A procedure, with its implementation if that follows at once.
    Procedure(ProcedureDecl),
    Implementation(ImplementationDecl),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    pub name: String,
    pub args: Vec<AttributeArg>,
    pub span: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeArg {
    Str(String),
    Expr(Expr),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDecl {
    pub attrs: Vec<Attribute>,
    pub name: Ident,
    pub params: Vec<Ident>,
    /// The meaning of a synonym; without it the type is a constructor of its own.
    pub synonym: Option<Type>,
}

/// `datatype List<T> { Nil(), Cons(head: T, tail: List T) }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatatypeDecl {
    pub attrs: Vec<Attribute>,
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub constructors: Vec<(Ident, Vec<TypedNames>)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstDecl {
    pub attrs: Vec<Attribute>,
    pub unique: bool,
    pub names: Vec<Ident>,
    pub ty: Type,
    pub order: Option<OrderSpec>,
}

/// `extends unique a, b complete`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderSpec {
    pub parents: Vec<(bool, Ident)>,
    pub complete: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    pub attrs: Vec<Attribute>,
    pub vars: Vec<TypedNames>,
}

/// `x, y: T where e`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypedNames {
    pub attrs: Vec<Attribute>,
    pub names: Vec<Ident>,
    pub ty: Type,
    pub condition: Option<Expr>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionDecl {
    pub attrs: Vec<Attribute>,
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub params: Vec<FunctionParam>,
    pub result: FunctionParam,
    pub body: Option<Expr>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionParam {
    pub name: Option<Ident>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxiomDecl {
    pub attrs: Vec<Attribute>,
    pub formula: Expr,
}

/// What a procedure and an implementation have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub attrs: Vec<Attribute>,
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub params: Vec<TypedNames>,
    pub returns: Vec<TypedNames>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcedureDecl {
    pub sig: Signature,
    pub specs: Vec<Spec>,
    pub body: Option<Body>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImplementationDecl {
    pub sig: Signature,
    pub body: Body,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spec {
    Requires(Condition),
    Ensures(Condition),
    Modifies(Vec<Ident>),
}

/// A clause of a contract or a loop invariant. A free one is assumed and never checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub free: bool,
    pub attrs: Vec<Attribute>,
    pub expr: Expr,
    pub span: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    pub locals: Vec<VarDecl>,
    pub block: Block,
    /// The closing brace: where control leaves the procedure by falling off its end.
    pub end: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// A label of whatever statement follows it in the list.
    Label(Ident),
    Assert {
        attrs: Vec<Attribute>,
        expr: Expr,
    },
    Assume {
        attrs: Vec<Attribute>,
        expr: Expr,
    },
    Havoc(Vec<Ident>),
    Assign {
        lhs: Vec<Lhs>,
        rhs: Vec<Expr>,
    },
    /// `Cons(x, y) := e`: takes a value apart.
    Unpack {
        constructor: Ident,
        vars: Vec<Ident>,
        value: Expr,
    },
    /// `hide f`, `reveal *`, `push`, `pop`: advice for provers, without meaning here.
    Advice(String),
    Call {
        attrs: Vec<Attribute>,
        free: bool,
        lhs: Vec<Ident>,
        callee: Ident,
        args: Vec<Expr>,
    },
    /// `call forall P(e, *)`; `None` stands for the star.
    CallForall {
        attrs: Vec<Attribute>,
        callee: Ident,
        args: Vec<Option<Expr>>,
    },
    Fork {
        id: Vec<Expr>,
        callee: Ident,
        args: Vec<Expr>,
    },
    Join {
        id: Vec<Expr>,
        lhs: Vec<Ident>,
    },
    Atomic(Block),
    /// `if`, any number of `else if`, and perhaps `else`.
    If {
        branches: Vec<(Guard, Block)>,
        otherwise: Option<Block>,
    },
    While {
        guard: Guard,
        invariants: Vec<Condition>,
        body: Block,
    },
    Goto(Vec<Ident>),
    Break(Option<Ident>),
    Return,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// `*`
    Any,
    Expr(Expr),
}

/// `x[i][j, k]!f`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lhs {
    pub base: Ident,
    pub path: Vec<Access>,
    pub span: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    Index(Vec<Expr>),
    /// `!f`, of a struct
    Field(Ident),
    /// `->f`, of a datatype
    Member(Ident),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Bool,
    Int,
    Real,
    BitVec(u32),
    /// `float24e8`: the widths of significand (with its hidden bit) and exponent.
    Float {
        significand: u32,
        exponent: u32,
    },
    Map {
        type_params: Vec<Ident>,
        domain: Vec<Type>,
        range: Box<Type>,
    },
    /// A constructor, a synonym or a type parameter.
    Named {
        name: Ident,
        args: Vec<Type>,
    },
    /// Ultimate's `{ base : int, offset : int }`
    Struct(Vec<(Ident, Type)>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Loc,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    Bool(bool),
    /// Decimal digits without separators.
    Int(String),
    /// As written, without separators: `3.5`, `1e-3`.
    Real(String),
    BitVec {
        value: String,
        width: u32,
    },
    /// As written: `0x1.8e0f24e8`, `0NaN24e8`, `0+oo53e11`.
    Float(String),
    Var(String),
    Apply {
        callee: Ident,
        args: Vec<Expr>,
    },
    Old(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// At least two operands, exactly two unless the operator [chains](BinaryOp::chains).
    Binary(BinaryOp, Vec<Expr>),
    IfThenElse(Box<[Expr; 3]>),
    Select {
        map: Box<Expr>,
        index: Vec<Expr>,
    },
    Store {
        map: Box<Expr>,
        index: Vec<Expr>,
        value: Box<Expr>,
    },
    /// `e[high:low]`: the bits from `low` (inclusive) to `high` (exclusive).
    Extract {
        operand: Box<Expr>,
        high: u32,
        low: u32,
    },
    Quantifier(Box<Quantifier>),
    /// `int(e)`
    ToInt(Box<Expr>),
    /// `real(e)`
    ToReal(Box<Expr>),
    /// `(e : T)`
    Ascribe(Box<Expr>, Type),
    /// `{ base: e, offset: f }`
    Struct(Vec<(Ident, Expr)>),
    /// `e!f`
    Field(Box<Expr>, Ident),
    /// `e->f`
    Member(Box<Expr>, Ident),
    /// `e->(f := v)`
    WithMember {
        base: Box<Expr>,
        member: Ident,
        value: Box<Expr>,
    },
    /// `e is C`
    Is(Box<Expr>, Ident),
    /// `(var x, y := e, f; body)`
    Let {
        vars: Vec<Ident>,
        values: Vec<Expr>,
        body: Box<Expr>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantifier {
    pub kind: Binder,
    pub type_params: Vec<Ident>,
    pub vars: Vec<TypedNames>,
    pub attrs: Vec<Attribute>,
    pub triggers: Vec<Vec<Expr>>,
    pub body: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binder {
    Forall,
    Exists,
    Lambda,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Not,
    Neg,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Iff,
    Implies,
    Explies,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `<:`, Boogie's partial order on constants.
    Below,
    Concat,
    Add,
    Sub,
    Mul,
    /// `/`: division of reals and, as in Ultimate, of integers.
    Divide,
    Div,
    Mod,
    Pow,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assoc {
    Left,
    Right,
    None,
}

impl BinaryOp {
    pub const ALL: [BinaryOp; 20] = [
        BinaryOp::Iff,
        BinaryOp::Implies,
        BinaryOp::Explies,
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Below,
        BinaryOp::Concat,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Divide,
        BinaryOp::Div,
        BinaryOp::Mod,
        BinaryOp::Pow,
    ];

    pub fn spelling(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<==>",
            BinaryOp::Implies => "==>",
            BinaryOp::Explies => "<==",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Below => "<:",
            BinaryOp::Concat => "++",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Div => "div",
            BinaryOp::Mod => "mod",
            BinaryOp::Pow => "**",
        }
    }

    /// Higher binds tighter. The manual forbids to mix `&&` and `||` without parentheses; here, as
    /// in Ultimate, `&&` binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Iff => 1,
            BinaryOp::Implies | BinaryOp::Explies => 2,
            BinaryOp::Or => 3,
            BinaryOp::And => 4,
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Below => 5,
            BinaryOp::Concat => 6,
            BinaryOp::Add | BinaryOp::Sub => 7,
            BinaryOp::Mul | BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod => 8,
            BinaryOp::Pow => 9,
        }
    }

    pub fn assoc(self) -> Assoc {
        match self {
            BinaryOp::Implies | BinaryOp::Pow => Assoc::Right,
            BinaryOp::Iff
            | BinaryOp::Explies
            | BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::Concat
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Divide
            | BinaryOp::Div
            | BinaryOp::Mod => Assoc::Left,
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Below => Assoc::None,
        }
    }

    /// Whether `a op b op c` is one node with three operands.
    pub fn chains(self) -> bool {
        self.assoc() != Assoc::None
    }
}

/// Binding strength of `is`, just above every binary operator.
pub const IS_PRECEDENCE: u8 = 10;
/// Binding strength of `!` and unary `-`.
pub const UNARY_PRECEDENCE: u8 = 11;
