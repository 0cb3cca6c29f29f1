//! What the parser builds: C as written, names unresolved, types as their syntax.

use std::rc::Rc;

use base::{Diagnostic, Span};

use crate::lex::Sym;

#[derive(Debug, Default)]
pub struct TranslationUnit {
    pub items: Vec<Item>,
}

#[derive(Debug)]
pub enum Item {
    Function(Box<FunctionDef>),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// `asm` at file scope.
    Asm(Span),
    /// Something that did not parse: skipped, with what was wrong. `name` is the function it seems to
    /// define; using it is an error, ignoring it is not.
    Broken {
        name: Option<Sym>,
        why: Diagnostic,
    },
}

#[derive(Debug)]
pub struct FunctionDef {
    pub specs: Rc<DeclSpecs>,
    pub declarator: Declarator,
    /// The declarations between the declarator and the body of an old-style definition.
    pub old_style: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
}

impl FunctionDef {
    /// `extern inline` with the attribute `gnu_inline`: the function itself is defined elsewhere.
    pub fn is_for_inlining_only(&self) -> bool {
        let has_attribute = self.specs.attrs.gnu_inline || self.declarator.attrs.gnu_inline;
        has_attribute && self.specs.is_inline && self.specs.storage == Storage::Extern
    }
}

#[derive(Debug)]
pub struct StaticAssert {
    pub condition: Expr,
    pub message: Option<String>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Declaration {
    pub specs: Rc<DeclSpecs>,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_atomic: bool,
}

impl Quals {
    pub fn union(self, other: Quals) -> Quals {
        Quals {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_atomic: self.is_atomic || other.is_atomic,
        }
    }
}

#[derive(Debug)]
pub struct DeclSpecs {
    pub storage: Storage,
    pub thread_local: bool,
    /// C23 `constexpr`: a constant with a value that constant expressions may use.
    pub is_constexpr: bool,
    pub is_inline: bool,
    pub is_noreturn: bool,
    pub quals: Quals,
    pub attrs: Attrs,
    pub ty: TypeSpec,
    pub span: Span,
}

/// The attributes that change meaning; the others are read and dropped.
#[derive(Debug, Default, Clone)]
pub struct Attrs {
    pub packed: bool,
    /// `aligned(n)` or `_Alignas`: the greatest of these; `None` inside means "the maximum".
    pub aligned: Vec<AlignSpec>,
    pub mode: Option<Sym>,
    pub noreturn: bool,
    /// With `extern inline`: a body for inlining only; the function is defined elsewhere.
    pub gnu_inline: bool,
    /// `pure` or `const`: no effect, and equal results for equal arguments and memory.
    pub pure_function: bool,
    pub returns_nonnull: bool,
    pub transparent_union: bool,
    /// `vector_size(n)`: a vector of n bytes.
    pub vector_size: Option<Rc<Expr>>,
    /// Runs before `main`.
    pub constructor: Option<Hook>,
    /// Runs when the program has ended in order.
    pub destructor: Option<Hook>,
    /// The function that is called with the address of the object when its scope ends.
    pub cleanup: Option<Sym>,
    /// Without a definition the name may be that of nothing, with the null pointer as its address.
    pub weak: bool,
    /// `asm("name")` after a declarator: what the linker calls it.
    pub link_name: Option<Sym>,
    /// `alias("x")` and others: meaning we do not model.
    pub unsupported: Option<Sym>,
}

/// `constructor(priority)` or `destructor(priority)`.
#[derive(Debug, Clone)]
pub struct Hook {
    pub priority: Option<Rc<Expr>>,
}

#[derive(Debug, Clone)]
pub enum AlignSpec {
    Max,
    Expr(Rc<Expr>),
    Type(Rc<TypeName>),
}

impl Attrs {
    pub fn merge(&mut self, other: Attrs) {
        self.packed |= other.packed;
        self.aligned.extend(other.aligned);
        self.mode = other.mode.or(self.mode);
        self.noreturn |= other.noreturn;
        self.gnu_inline |= other.gnu_inline;
        self.pure_function |= other.pure_function;
        self.returns_nonnull |= other.returns_nonnull;
        self.transparent_union |= other.transparent_union;
        self.vector_size = other.vector_size.or(self.vector_size.take());
        self.constructor = other.constructor.or(self.constructor.take());
        self.destructor = other.destructor.or(self.destructor.take());
        self.cleanup = other.cleanup.or(self.cleanup);
        self.weak |= other.weak;
        self.link_name = other.link_name.or(self.link_name);
        self.unsupported = other.unsupported.or(self.unsupported);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BasicType {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    Float16,
    Float128,
    VaList,
}

#[derive(Debug)]
pub enum TypeSpec {
    Basic(BasicType),
    /// `_Complex` with the type of its parts.
    Complex(BasicType),
    Record(RecordSpec),
    Enum(EnumSpec),
    Typedef(Sym),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `typeof_unqual(T)`: without qualifiers.
    Unqualified(Box<TypeSpec>),
    Atomic(Box<TypeName>),
    /// `__auto_type` and C23 `auto`: the type of the initialiser.
    AutoType,
    /// No type specifier at all: `int`, as before C99.
    Missing,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Sym>,
    pub members: Option<Vec<Member>>,
    pub attrs: Attrs,
    /// `#pragma pack` in force, if any.
    pub pack: Option<u32>,
    pub span: Span,
}

#[derive(Debug)]
pub enum Member {
    Field { specs: Rc<DeclSpecs>, declarator: Option<Declarator>, width: Option<Expr>, span: Span },
    StaticAssert(StaticAssert),
}

#[derive(Debug)]
pub struct EnumSpec {
    pub tag: Option<Sym>,
    pub enumerators: Option<Vec<(Sym, Option<Expr>, Span)>>,
    pub attrs: Attrs,
    /// C23 `enum E : type`.
    pub underlying: Option<Box<TypeName>>,
    pub span: Span,
}

/// A declarator as the list of type constructors to apply to the specified type, in that order.
#[derive(Debug)]
pub struct Declarator {
    pub name: Option<Sym>,
    pub span: Span,
    pub parts: Vec<DeclaratorPart>,
    pub attrs: Attrs,
}

#[derive(Debug)]
pub enum DeclaratorPart {
    Pointer(Quals),
    Array { size: Option<Box<Expr>>, quals: Quals, span: Span },
    Function(FunctionPart),
}

#[derive(Debug, Default)]
pub struct FunctionPart {
    pub params: Vec<Param>,
    pub variadic: bool,
    /// Names of an old-style definition.
    pub names: Vec<(Sym, Span)>,
    /// `()`: nothing is known of the parameters.
    pub unspecified: bool,
}

#[derive(Debug)]
pub struct Param {
    pub specs: Rc<DeclSpecs>,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Debug)]
pub struct TypeName {
    pub specs: Rc<DeclSpecs>,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Debug)]
pub enum Initializer {
    Expr(Expr),
    List(Vec<InitItem>, Span),
}

#[derive(Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub init: Initializer,
}

#[derive(Debug)]
pub enum Designator {
    Field(Sym, Span),
    Index(Expr),
    Range(Expr, Expr),
}

#[derive(Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Declaration(Declaration),
    /// GNU nested function.
    NestedFunction(Box<FunctionDef>),
    StaticAssert(StaticAssert),
    Block(Block),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch(Expr, Box<Stmt>),
    Case(Expr, Option<Expr>, Box<Stmt>),
    Default(Box<Stmt>),
    Label(Sym, Box<Stmt>),
    Goto(Sym),
    ComputedGoto(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm(AsmStmt),
    /// `__label__ a, b;`
    LocalLabels(Vec<Sym>),
}

#[derive(Debug)]
pub struct AsmStmt {
    pub template_is_empty: bool,
    pub outputs: Vec<Expr>,
    pub inputs: Vec<Expr>,
    pub clobbers_memory: bool,
    pub has_labels: bool,
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddrOf,
    Real,
    Imag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
}

impl BinaryOp {
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::LogAnd => "&&",
            BinaryOp::LogOr => "||",
        }
    }
}

#[derive(Debug)]
pub enum ExprKind {
    Ident(Sym),
    /// The spelling of a number.
    Number(Sym),
    Char(Sym),
    /// Adjacent string literals, by their spellings.
    Str(Vec<Sym>),
    Unary(UnaryOp, Box<Expr>),
    /// `++`/`--`: (is increment, is prefix).
    IncDec {
        increment: bool,
        prefix: bool,
        operand: Box<Expr>,
    },
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// The middle is `None` in GNU's `a ?: b`.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member {
        base: Box<Expr>,
        arrow: bool,
        field: Sym,
        field_span: Span,
    },
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, Vec<InitItem>),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    /// The flag is true for GNU's `__alignof__`, which gives the preferred alignment.
    AlignofType(Box<TypeName>, bool),
    StmtExpr(Block),
    LabelAddr(Sym),
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    VaArg(Box<Expr>, Box<TypeName>),
    ConvertVector(Box<Expr>, Box<TypeName>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
}
