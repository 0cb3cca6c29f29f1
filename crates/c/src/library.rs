//! The functions of the library that lowering knows: one row for each.
//!
//! A row has the declaration, what the function does with each pointer that it is given (may it be null, is it read or
//! written, how far), what its result points to, and which model computes the result. Memory safety, data races and the
//! points-to analysis all read the same row, and a model is found by way of its row only: a function without a row is a
//! function that nothing is known of; if a header declares it, nothing is proved of the memory that it is given. The
//! tests hold that every pointer parameter is described, and that the declarations are those of the built-in headers
//! and of [`crate::prelude`].

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::hir::{Expr, ExprKind};
use crate::types::Types;

/// How far from where it points a pointer is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// One object of the type that it points to.
    Object,
    /// Characters up to a zero.
    Text,
    /// As many bytes as the argument of this number says.
    Bytes(usize),
    /// The product of two arguments.
    Items(usize, usize),
    /// A stream that is open.
    Stream,
    /// A lock or another object that only the library looks into: accesses of several threads do not race.
    Shared,
    /// The model knows, and accesses the memory like code of the program does.
    Model,
}

/// What a function does with an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// No pointer.
    Value,
    /// A pointer that is not followed: compared, kept, or null.
    Kept,
    /// A function that is called.
    Function,
    Pointer {
        may_be_null: bool,
        reads: bool,
        writes: bool,
        extent: Extent,
    },
}

impl Argument {
    /// Or null.
    const fn or_null(self) -> Argument {
        match self {
            Argument::Pointer { reads, writes, extent, .. } => {
                Argument::Pointer { may_be_null: true, reads, writes, extent }
            }
            other => other,
        }
    }

    pub fn is_written(self) -> bool {
        matches!(self, Argument::Pointer { writes: true, .. })
    }
}

const VALUE: Argument = Argument::Value;
const KEPT: Argument = Argument::Kept;
const FUNCTION: Argument = Argument::Function;
const STREAM: Argument = Argument::Pointer { may_be_null: false, reads: true, writes: true, extent: Extent::Stream };
const SHARED: Argument = Argument::Pointer { may_be_null: false, reads: true, writes: true, extent: Extent::Shared };
const TEXT: Argument = reads(Extent::Text);

const fn reads(extent: Extent) -> Argument {
    Argument::Pointer { may_be_null: false, reads: true, writes: false, extent }
}
const fn writes(extent: Extent) -> Argument {
    Argument::Pointer { may_be_null: false, reads: false, writes: true, extent }
}
const fn changes(extent: Extent) -> Argument {
    Argument::Pointer { may_be_null: false, reads: true, writes: true, extent }
}

/// What a pointer that is returned points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// No pointer.
    Value,
    /// A new object.
    Fresh,
    /// Into what this argument points to.
    Argument(usize),
    /// An object of the library, by name. Later calls may return it again, with other contents.
    Own(&'static str),
}

/// The result of a function whose effects are all in its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// Any value of its type can occur, or nothing is returned.
    Any,
    Between(i64, i64),
    /// The same where not every value can occur at every call.
    Within(i64, i64),
    /// More values than can occur: an execution through such a call proves nothing.
    Unknown,
    /// Nothing is returned, but what the function does is not modelled either.
    Effect,
    /// A valid object with contents that are not modelled.
    Object,
    /// Null, or an object with contents that are not modelled: both occur.
    NullOrObject,
    /// Likewise, but when it is null is not modelled.
    PerhapsNull,
}

/// What other tools let programs ask about pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerFact {
    /// May so many bytes be accessed? Without a number: those of the type that it points to.
    Accessible,
    SameObject,
    /// Is its object on the heap?
    IsDynamic,
    /// The size of its object.
    Size,
    /// The distance from the start of its object.
    Offset,
    /// The number of its object.
    Object,
}

/// Which code computes what the function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// C, in `prelude/functions.c`.
    Prelude,
    /// The accesses of the row, and such a result.
    Plain(Gives),
    /// `__VERIFIER_assume`
    Assume,
    /// `__VERIFIER_ltl_step`: temporal properties observe the state.
    Observe,
    /// Ends the program; in order with what `atexit` was given, or at once.
    Stop {
        runs_handlers: bool,
    },
    Unreachable,
    Allocate,
    AllocateOnStack,
    AllocateZeroed,
    Reallocate,
    Free,
    /// To a byte, or to zero where there are two arguments only.
    Fill,
    /// So many bytes at two places must not overlap.
    Disjoint,
    /// For contracts: an object of so many bytes, whether there is one, and whether two overlap.
    Object,
    Valid,
    Separate,
    /// What is asked about a pointer.
    Pointer(PointerFact),
    /// To the argument of this number, from the other one of the first two.
    Copy {
        to: usize,
        may_overlap: bool,
    },
    BeginAtomic,
    EndAtomic,
    /// Known and not supported.
    Unsupported,
    /// `scanf`: the number of the format.
    Scan(usize),
    /// `printf`: the number of the format.
    Print(usize),
    /// `vprintf` and its like.
    PrintList,
    /// Output of the characters in the arguments.
    Put,
    /// A new stream, or null.
    Open,
    /// A stream ends; with such a result.
    Close(Gives),
    /// A byte of input, or the end.
    NextByte,
    Random,
    ByteSwap,
    CountBits,
    Float,
    NotANumber,
    Infinity,
    Rounding,
    SetRounding,
    /// POSIX threads and semaphores ([`mod@crate::lower`]'s `threads`).
    Thread,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct LibraryFunction {
    /// As the standard has it; of families on floating numbers the one on `double`.
    pub declaration: &'static str,
    /// What becomes of the arguments; more than these, of a variadic function, are the model's.
    pub arguments: &'static [Argument],
    pub returns: Returns,
    pub model: Model,
    /// May set `errno` (where the model does not).
    pub sets_errno: bool,
    /// Calls from two threads may race in memory of the library (C11 7.1.4, 7.24.5.8 and others).
    pub is_thread_safe: bool,
    /// There are variants for `float` and `long double`, with the letters f and l after the name.
    pub is_family: bool,
}

const fn row(
    declaration: &'static str,
    arguments: &'static [Argument],
    returns: Returns,
    model: Model,
) -> LibraryFunction {
    LibraryFunction {
        declaration,
        arguments,
        returns,
        model,
        sets_errno: false,
        is_thread_safe: true,
        is_family: false,
    }
}

impl LibraryFunction {
    const fn errno(mut self) -> LibraryFunction {
        self.sets_errno = true;
        self
    }
    const fn unsafe_in_threads(mut self) -> LibraryFunction {
        self.is_thread_safe = false;
        self
    }
    const fn family(mut self) -> LibraryFunction {
        self.is_family = true;
        self
    }

    /// The name in the declaration.
    pub fn name(&self) -> &'static str {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut parentheses = self.declaration.match_indices('(').map(|(at, _)| &self.declaration[..at]);
        let head = parentheses.find(|head| head.ends_with(is_word)).unwrap_or(self.declaration);
        let start = head.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
        &head[start..]
    }

    /// Can it be called with these arguments? Programs have functions of their own by many of these names. Without a
    /// declaration a null pointer is the number 0.
    pub fn takes(&self, types: &Types, arguments: &[Expr]) -> bool {
        let is_pointer = |e: &Expr| types.is_pointer(e.ty);
        let fits = |(what, e): (&Argument, &Expr)| match what {
            Argument::Value => !is_pointer(e),
            Argument::Kept | Argument::Function | Argument::Pointer { .. } => {
                is_pointer(e) || matches!(e.kind, ExprKind::Int(0))
            }
        };
        // Some programs call `exit()` and the like with nothing.
        if matches!(self.model, Model::Stop { .. }) {
            return true;
        }
        let is_variadic = self.declaration.contains("...");
        arguments.len() >= self.arguments.len()
            && (is_variadic || arguments.len() == self.arguments.len())
            && self.arguments.iter().zip(arguments).all(fits)
    }

    /// What becomes of an argument; those of `...` are the model's.
    pub fn argument(&self, i: usize) -> Option<Argument> {
        self.arguments.get(i).copied()
    }
}

/// The row of a function, also by the names that compilers and glibc have for it.
pub(crate) fn find(name: &str) -> Option<&'static LibraryFunction> {
    static ROWS: OnceLock<FxHashMap<&'static str, &'static LibraryFunction>> = OnceLock::new();
    let rows = ROWS.get_or_init(|| FUNCTIONS.iter().flat_map(|list| list.iter()).map(|f| (f.name(), f)).collect());
    let family = |name: &str| {
        let stem = name.strip_suffix(['f', 'l'])?;
        rows.get(stem).copied().filter(|f| f.is_family)
    };
    let known = |name: &str| rows.get(name).copied().or_else(|| family(name));
    known(name).or_else(|| {
        let inner = name.strip_prefix("__builtin_").or_else(|| name.strip_prefix("__isoc99_"));
        let inner = inner.or_else(|| name.strip_prefix("__").filter(|n| known(n).is_some_and(|f| f.is_family)));
        inner.and_then(known)
    })
}

use Extent::{Bytes, Items, Model as ByModel, Object, Text};
use Gives::{Any, Between, Effect, NullOrObject, PerhapsNull, Unknown, Within};
use Model::*;
use Returns::{Argument as Into, Fresh, Own, Value};

/// All rows, by header.
static FUNCTIONS: &[&[LibraryFunction]] = &[
    VERIFIER, CTYPE, ERRNO, FENV, MATH, SETJMP, SIGNAL, STDIO, STDLIB, STRING, TIME, UNISTD, WIDE, NETINET, CBMC,
    THREADS, BUILTINS,
];

const VERIFIER: &[LibraryFunction] = &[
    row("void __VERIFIER_assume(int)", &[VALUE], Value, Assume),
    row("void __VERIFIER_ltl_step(...)", &[], Value, Observe),
    row("void __VERIFIER_error(...)", &[], Value, Stop { runs_handlers: false }),
    row("void __VERIFIER_atomic_begin(void)", &[], Value, BeginAtomic),
    row("void __VERIFIER_atomic_end(void)", &[], Value, EndAtomic),
    row("void reach_error(...)", &[], Value, Stop { runs_handlers: false }),
    row(
        "void __assert_fail(const char *, const char *, unsigned int, const char *)",
        &[KEPT, KEPT, VALUE, KEPT],
        Value,
        Stop { runs_handlers: false },
    ),
    row("void __assert(const char *, const char *, int)", &[KEPT, KEPT, VALUE], Value, Stop { runs_handlers: false }),
    row(
        "void __assert_rtn(const char *, const char *, int, const char *)",
        &[KEPT, KEPT, VALUE, KEPT],
        Value,
        Stop { runs_handlers: false },
    ),
    // What `prelude/functions.c` is made of.
    row("int __craig_next_byte(void)", &[], Value, NextByte),
    row("void __craig_use_stream(void *)", &[STREAM], Value, Plain(Any)),
    row("void __craig_forget_errno(void)", &[], Value, Plain(Any)).errno(),
    row("void *__craig_object(__SIZE_TYPE__)", &[VALUE], Fresh, Model::Object),
    row("int __craig_valid(const void *, long long)", &[KEPT, VALUE], Value, Valid),
    row(
        "int __craig_separate(const void *, long long, const void *, long long)",
        &[KEPT, VALUE, KEPT, VALUE],
        Value,
        Separate,
    ),
    row("void __craig_disjoint(void *, const void *, __SIZE_TYPE__)", &[KEPT, KEPT, VALUE], Value, Disjoint),
];

const CTYPE: &[LibraryFunction] = &[
    row("int isalnum(int)", &[VALUE], Value, Prelude),
    row("int isalpha(int)", &[VALUE], Value, Prelude),
    row("int isblank(int)", &[VALUE], Value, Prelude),
    row("int iscntrl(int)", &[VALUE], Value, Prelude),
    row("int isdigit(int)", &[VALUE], Value, Prelude),
    row("int isgraph(int)", &[VALUE], Value, Prelude),
    row("int islower(int)", &[VALUE], Value, Prelude),
    row("int isprint(int)", &[VALUE], Value, Prelude),
    row("int ispunct(int)", &[VALUE], Value, Prelude),
    row("int isspace(int)", &[VALUE], Value, Prelude),
    row("int isupper(int)", &[VALUE], Value, Prelude),
    row("int isxdigit(int)", &[VALUE], Value, Prelude),
    row("const unsigned short **__ctype_b_loc(void)", &[], Own("classes"), Prelude),
    row("const int **__ctype_toupper_loc(void)", &[], Own("upper"), Prelude),
    row("const int **__ctype_tolower_loc(void)", &[], Own("lower"), Prelude),
    row("int tolower(int)", &[VALUE], Value, Prelude),
    row("int toupper(int)", &[VALUE], Value, Prelude),
];

const ERRNO: &[LibraryFunction] = &[row("int *__errno_location(void)", &[], Own("errno"), Prelude)];

const FENV: &[LibraryFunction] = &[
    row("int fegetround(void)", &[], Value, Rounding),
    row("int fesetround(int)", &[VALUE], Value, SetRounding),
    row("int feclearexcept(int)", &[VALUE], Value, Plain(Unknown)),
    row("int fetestexcept(int)", &[VALUE], Value, Plain(Unknown)),
    row("int feraiseexcept(int)", &[VALUE], Value, Plain(Unknown)),
];

const MATH: &[LibraryFunction] = &[
    row("double sin(double)", &[VALUE], Value, Float).errno().family(),
    row("double cos(double)", &[VALUE], Value, Float).errno().family(),
    row("double tan(double)", &[VALUE], Value, Float).errno().family(),
    row("double asin(double)", &[VALUE], Value, Float).errno().family(),
    row("double acos(double)", &[VALUE], Value, Float).errno().family(),
    row("double atan(double)", &[VALUE], Value, Float).errno().family(),
    row("double sinh(double)", &[VALUE], Value, Float).errno().family(),
    row("double cosh(double)", &[VALUE], Value, Float).errno().family(),
    row("double tanh(double)", &[VALUE], Value, Float).errno().family(),
    row("double asinh(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double acosh(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double atanh(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double exp(double)", &[VALUE], Value, Float).errno().family(),
    row("double exp2(double)", &[VALUE], Value, Float).errno().family(),
    row("double expm1(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double log(double)", &[VALUE], Value, Float).errno().family(),
    row("double log2(double)", &[VALUE], Value, Float).errno().family(),
    row("double log10(double)", &[VALUE], Value, Float).errno().family(),
    row("double log1p(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double sqrt(double)", &[VALUE], Value, Float).errno().family(),
    row("double cbrt(double)", &[VALUE], Value, Float).errno().family(),
    row("double fabs(double)", &[VALUE], Value, Float).family(),
    row("double floor(double)", &[VALUE], Value, Float).family(),
    row("double ceil(double)", &[VALUE], Value, Float).family(),
    row("double trunc(double)", &[VALUE], Value, Float).family(),
    row("double round(double)", &[VALUE], Value, Float).family(),
    row("double rint(double)", &[VALUE], Value, Float).family(),
    row("double nearbyint(double)", &[VALUE], Value, Float).family(),
    row("double erf(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double erfc(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double tgamma(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double lgamma(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double logb(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double pow(double, double)", &[VALUE, VALUE], Value, Float).errno().family(),
    row("double atan2(double, double)", &[VALUE, VALUE], Value, Float).errno().family(),
    row("double hypot(double, double)", &[VALUE, VALUE], Value, Float).errno().family(),
    row("double fmod(double, double)", &[VALUE, VALUE], Value, Prelude),
    row("float fmodf(float, float)", &[VALUE, VALUE], Value, Prelude),
    row("double creal(double _Complex)", &[VALUE], Value, Prelude),
    row("float crealf(float _Complex)", &[VALUE], Value, Prelude),
    row("long double creall(long double _Complex)", &[VALUE], Value, Prelude),
    row("double cimag(double _Complex)", &[VALUE], Value, Prelude),
    row("float cimagf(float _Complex)", &[VALUE], Value, Prelude),
    row("long double cimagl(long double _Complex)", &[VALUE], Value, Prelude),
    row("double _Complex conj(double _Complex)", &[VALUE], Value, Prelude),
    row("float _Complex conjf(float _Complex)", &[VALUE], Value, Prelude),
    row("long double _Complex conjl(long double _Complex)", &[VALUE], Value, Prelude),
    row("double cabs(double _Complex)", &[VALUE], Value, Prelude),
    row("float cabsf(float _Complex)", &[VALUE], Value, Prelude),
    row("double carg(double _Complex)", &[VALUE], Value, Prelude),
    row("float cargf(float _Complex)", &[VALUE], Value, Prelude),
    row("long double fmodl(long double, long double)", &[VALUE, VALUE], Value, Float).errno(),
    row("double remainder(double, double)", &[VALUE, VALUE], Value, Float).errno().family(),
    row("double fmin(double, double)", &[VALUE, VALUE], Value, Float).family(),
    row("double fmax(double, double)", &[VALUE, VALUE], Value, Float).family(),
    row("double fdim(double, double)", &[VALUE, VALUE], Value, Float).errno().family(),
    row("double copysign(double, double)", &[VALUE, VALUE], Value, Float).family(),
    row("double nextafter(double, double)", &[VALUE, VALUE], Value, Plain(Unknown)).errno().family(),
    row("double nexttoward(double, long double)", &[VALUE, VALUE], Value, Plain(Unknown)).errno().family(),
    row("double modf(double, double *)", &[VALUE, writes(Object)], Value, Plain(Unknown)).family(),
    row("double frexp(double, int *)", &[VALUE, writes(Object)], Value, Plain(Unknown)).family(),
    row("double ldexp(double, int)", &[VALUE, VALUE], Value, Plain(Unknown)).errno().family(),
    row("double scalbn(double, int)", &[VALUE, VALUE], Value, Plain(Unknown)).errno().family(),
    row("double scalbln(double, long)", &[VALUE, VALUE], Value, Plain(Unknown)).errno().family(),
    row("double remquo(double, double, int *)", &[VALUE, VALUE, writes(Object)], Value, Plain(Unknown))
        .errno()
        .family(),
    row("double fma(double, double, double)", &[VALUE, VALUE, VALUE], Value, Plain(Unknown)).errno().family(),
    row("void sincos(double, double *, double *)", &[VALUE, writes(Object), writes(Object)], Value, Plain(Effect))
        .errno()
        .family(),
    row("long lround(double)", &[VALUE], Value, Float).family(),
    row("long long llround(double)", &[VALUE], Value, Float).family(),
    row("long lrint(double)", &[VALUE], Value, Float).family(),
    row("long long llrint(double)", &[VALUE], Value, Float).family(),
    row("int ilogb(double)", &[VALUE], Value, Plain(Unknown)).errno().family(),
    row("double nan(const char *)", &[TEXT], Value, NotANumber).family(),
    row("int isnan(double)", &[VALUE], Value, Float).family(),
    row("int isinf(double)", &[VALUE], Value, Float).family(),
    row("int isfinite(double)", &[VALUE], Value, Float).family(),
    row("int finite(double)", &[VALUE], Value, Float).family(),
    row("int isnormal(double)", &[VALUE], Value, Float).family(),
    row("int signbit(double)", &[VALUE], Value, Float).family(),
    row("int fpclassify(double, ...)", &[VALUE], Value, Float).family(),
    row("int __builtin_isinf_sign(double)", &[VALUE], Value, Float),
    row("int isgreater(double, double)", &[VALUE, VALUE], Value, Float),
    row("int isgreaterequal(double, double)", &[VALUE, VALUE], Value, Float),
    row("int isless(double, double)", &[VALUE, VALUE], Value, Float),
    row("int islessequal(double, double)", &[VALUE, VALUE], Value, Float),
    row("int islessgreater(double, double)", &[VALUE, VALUE], Value, Float),
    row("int isunordered(double, double)", &[VALUE, VALUE], Value, Float),
];

const SETJMP: &[LibraryFunction] = &[
    row("int setjmp(jmp_buf)", &[writes(ByModel)], Value, Unsupported),
    row("int _setjmp(jmp_buf)", &[writes(ByModel)], Value, Unsupported),
    row("int sigsetjmp(jmp_buf, int)", &[writes(ByModel), VALUE], Value, Unsupported),
    row("void longjmp(jmp_buf, int)", &[reads(ByModel), VALUE], Value, Unsupported),
    row("void siglongjmp(jmp_buf, int)", &[reads(ByModel), VALUE], Value, Unsupported),
    row("int __sigsetjmp(jmp_buf, int)", &[writes(ByModel), VALUE], Value, Unsupported),
    row("void _longjmp(jmp_buf, int)", &[reads(ByModel), VALUE], Value, Unsupported),
    row("int getcontext(ucontext_t *)", &[writes(ByModel)], Value, Unsupported),
    row("int setcontext(const ucontext_t *)", &[reads(ByModel)], Value, Unsupported),
    row("int swapcontext(ucontext_t *, const ucontext_t *)", &[writes(ByModel), reads(ByModel)], Value, Unsupported),
    row(
        "void makecontext(ucontext_t *, void (*)(void), int, ...)",
        &[writes(ByModel), FUNCTION, VALUE],
        Value,
        Unsupported,
    ),
];

const SIGNAL: &[LibraryFunction] = &[
    row("void (*signal(int, void (*)(int)))(int)", &[VALUE, FUNCTION], Own("handler"), Unsupported),
    row("int raise(int)", &[VALUE], Value, Unsupported),
    row(
        "int sigaction(int, const struct sigaction *, struct sigaction *)",
        &[VALUE, reads(ByModel).or_null(), writes(ByModel).or_null()],
        Value,
        Unsupported,
    ),
];

const STDIO: &[LibraryFunction] = &[
    row("int printf(const char *, ...)", &[reads(ByModel)], Value, Print(0)).errno(),
    row("int fprintf(FILE *, const char *, ...)", &[STREAM, reads(ByModel)], Value, Print(1)).errno(),
    row("int dprintf(int, const char *, ...)", &[VALUE, reads(ByModel)], Value, Print(1)).errno(),
    row("int sprintf(char *, const char *, ...)", &[writes(ByModel), reads(ByModel)], Value, Plain(Unknown)),
    row(
        "int snprintf(char *, size_t, const char *, ...)",
        &[writes(ByModel), VALUE, reads(ByModel)],
        Value,
        Plain(Unknown),
    ),
    row("int vprintf(const char *, va_list)", &[reads(ByModel), VALUE], Value, PrintList).errno(),
    row("int vfprintf(FILE *, const char *, va_list)", &[STREAM, reads(ByModel), VALUE], Value, PrintList).errno(),
    row(
        "int vsnprintf(char *, size_t, const char *, va_list)",
        &[writes(ByModel), VALUE, reads(ByModel), VALUE],
        Value,
        Plain(Unknown),
    ),
    row(
        "int vsprintf(char *, const char *, va_list)",
        &[writes(ByModel), reads(ByModel), VALUE],
        Value,
        Plain(Unknown),
    ),
    row("int scanf(const char *, ...)", &[reads(ByModel)], Value, Scan(0)).errno(),
    row("int fscanf(FILE *, const char *, ...)", &[STREAM, reads(ByModel)], Value, Scan(1)).errno(),
    row("int sscanf(const char *, const char *, ...)", &[TEXT, reads(ByModel)], Value, Scan(1)),
    row("int puts(const char *)", &[TEXT], Value, Put).errno(),
    row("int fputs(const char *, FILE *)", &[TEXT, STREAM], Value, Put).errno(),
    row("void perror(const char *)", &[TEXT.or_null()], Value, Put).errno(),
    row("int putchar(int)", &[VALUE], Value, Put).errno(),
    row("int putc(int, FILE *)", &[VALUE, STREAM], Value, Put).errno(),
    row("int fputc(int, FILE *)", &[VALUE, STREAM], Value, Put).errno(),
    row("size_t fwrite(const void *, size_t, size_t, FILE *)", &[reads(Items(1, 2)), VALUE, VALUE, STREAM], Value, Put)
        .errno(),
    row("int getchar(void)", &[], Value, NextByte).errno(),
    row("int getc(FILE *)", &[STREAM], Value, NextByte).errno(),
    row("int fgetc(FILE *)", &[STREAM], Value, NextByte).errno(),
    row("char *fgets(char *, int, FILE *)", &[writes(ByModel), VALUE, STREAM], Into(0), Prelude),
    row("char *gets(char *)", &[writes(ByModel)], Into(0), Prelude),
    row("int ungetc(int, FILE *)", &[VALUE, STREAM], Value, Plain(Unknown)),
    row("size_t fread(void *, size_t, size_t, FILE *)", &[writes(Items(1, 2)), VALUE, VALUE, STREAM], Value, Prelude),
    row("FILE *fopen(const char *, const char *)", &[TEXT, TEXT], Fresh, Open).errno(),
    row("FILE *fdopen(int, const char *)", &[VALUE, TEXT], Fresh, Open).errno(),
    row("FILE *freopen(const char *, const char *, FILE *)", &[TEXT.or_null(), TEXT, STREAM], Into(2), Plain(Unknown))
        .errno(),
    row("FILE *popen(const char *, const char *)", &[TEXT, TEXT], Fresh, Open).errno(),
    row("FILE *tmpfile(void)", &[], Fresh, Open).errno(),
    row("int fclose(FILE *)", &[STREAM], Value, Close(Between(-1, 0))).errno(),
    row("int pclose(FILE *)", &[STREAM], Value, Close(Unknown)).errno(),
    row("int fflush(FILE *)", &[STREAM.or_null()], Value, Plain(Between(-1, 0))).errno(),
    row("int feof(FILE *)", &[STREAM], Value, Plain(Unknown)),
    row("int ferror(FILE *)", &[STREAM], Value, Plain(Unknown)),
    row("void clearerr(FILE *)", &[STREAM], Value, Plain(Any)),
    row("int fileno(FILE *)", &[STREAM], Value, Plain(Unknown)).errno(),
    row("int fseek(FILE *, long, int)", &[STREAM, VALUE, VALUE], Value, Plain(Between(-1, 0))).errno(),
    row("long ftell(FILE *)", &[STREAM], Value, Plain(Unknown)).errno(),
    row("void rewind(FILE *)", &[STREAM], Value, Plain(Any)).errno(),
    row("void setbuf(FILE *, char *)", &[STREAM, KEPT], Value, Unsupported),
    row("int setvbuf(FILE *, char *, int, size_t)", &[STREAM, KEPT, VALUE, VALUE], Value, Unsupported),
    row("void setbuffer(FILE *, char *, size_t)", &[STREAM, KEPT, VALUE], Value, Unsupported),
    row("int remove(const char *)", &[TEXT], Value, Plain(Between(-1, 0))).errno(),
    row("int rename(const char *, const char *)", &[TEXT, TEXT], Value, Plain(Between(-1, 0))).errno(),
    row("ssize_t getline(char **, size_t *, FILE *)", &[changes(ByModel), changes(Object), STREAM], Value, Unsupported),
    row(
        "ssize_t getdelim(char **, size_t *, int, FILE *)",
        &[changes(ByModel), changes(Object), VALUE, STREAM],
        Value,
        Unsupported,
    ),
    row("int vsscanf(const char *, const char *, va_list)", &[TEXT, TEXT, VALUE], Value, Unsupported),
];

const STDLIB: &[LibraryFunction] = &[
    row("void *malloc(size_t)", &[VALUE], Fresh, Allocate),
    row("void *valloc(size_t)", &[VALUE], Fresh, Allocate),
    row("void *calloc(size_t, size_t)", &[VALUE, VALUE], Fresh, AllocateZeroed),
    row("size_t __ctype_get_mb_cur_max(void)", &[], Value, Plain(Within(1, 6))),
    row("void *realloc(void *, size_t)", &[changes(ByModel).or_null(), VALUE], Fresh, Reallocate),
    row("void *aligned_alloc(size_t, size_t)", &[VALUE, VALUE], Fresh, Allocate),
    row("void *memalign(size_t, size_t)", &[VALUE, VALUE], Fresh, Allocate),
    row("int posix_memalign(void **, size_t, size_t)", &[writes(Object), VALUE, VALUE], Value, Prelude),
    row("void *alloca(size_t)", &[VALUE], Fresh, AllocateOnStack),
    row("void free(void *)", &[changes(ByModel).or_null()], Value, Free),
    row("void cfree(void *)", &[changes(ByModel).or_null()], Value, Free),
    row("void abort(void)", &[], Value, Stop { runs_handlers: false }),
    row("void exit(int)", &[VALUE], Value, Stop { runs_handlers: true }),
    row("void _exit(int)", &[VALUE], Value, Stop { runs_handlers: false }),
    row("void _Exit(int)", &[VALUE], Value, Stop { runs_handlers: false }),
    row("int atexit(void (*)(void))", &[FUNCTION], Value, Prelude),
    row("char *getenv(const char *)", &[TEXT], Own("environment"), Plain(NullOrObject)).unsafe_in_threads(),
    row("int setenv(const char *, const char *, int)", &[TEXT, TEXT, VALUE], Value, Plain(Within(-1, 0)))
        .errno()
        .unsafe_in_threads(),
    row("int unsetenv(const char *)", &[TEXT], Value, Plain(Within(-1, 0))).errno().unsafe_in_threads(),
    row("int putenv(char *)", &[KEPT], Value, Unsupported),
    row("int system(const char *)", &[TEXT.or_null()], Value, Plain(Unknown)).errno(),
    row("int abs(int)", &[VALUE], Value, Prelude),
    row("long labs(long)", &[VALUE], Value, Prelude),
    row("long long llabs(long long)", &[VALUE], Value, Prelude),
    row("intmax_t imaxabs(intmax_t)", &[VALUE], Value, Prelude),
    row("imaxdiv_t imaxdiv(intmax_t, intmax_t)", &[VALUE, VALUE], Value, Prelude),
    row("div_t div(int, int)", &[VALUE, VALUE], Value, Prelude),
    row("ldiv_t ldiv(long, long)", &[VALUE, VALUE], Value, Prelude),
    row("lldiv_t lldiv(long long, long long)", &[VALUE, VALUE], Value, Prelude),
    row("int atoi(const char *)", &[TEXT], Value, Prelude),
    row("long atol(const char *)", &[TEXT], Value, Prelude),
    row("long long atoll(const char *)", &[TEXT], Value, Prelude),
    row("double atof(const char *)", &[TEXT], Value, Prelude),
    row("long strtol(const char *, char **, int)", &[TEXT, writes(Object).or_null(), VALUE], Value, Prelude),
    row("unsigned long strtoul(const char *, char **, int)", &[TEXT, writes(Object).or_null(), VALUE], Value, Prelude),
    row("long long strtoll(const char *, char **, int)", &[TEXT, writes(Object).or_null(), VALUE], Value, Prelude),
    row(
        "unsigned long long strtoull(const char *, char **, int)",
        &[TEXT, writes(Object).or_null(), VALUE],
        Value,
        Prelude,
    ),
    row("intmax_t strtoimax(const char *, char **, int)", &[TEXT, writes(Object).or_null(), VALUE], Value, Prelude),
    row("uintmax_t strtoumax(const char *, char **, int)", &[TEXT, writes(Object).or_null(), VALUE], Value, Prelude),
    row("double strtod(const char *, char **)", &[TEXT, writes(Object).or_null()], Value, Prelude),
    row("int rand(void)", &[], Value, Random),
    row("long random(void)", &[], Value, Random),
    row("void srand(unsigned int)", &[VALUE], Value, Plain(Any)),
    row("void srandom(unsigned int)", &[VALUE], Value, Plain(Any)),
    row(
        "void qsort(void *, size_t, size_t, int (*)(const void *, const void *))",
        &[changes(Items(1, 2)), VALUE, VALUE, FUNCTION],
        Value,
        Prelude,
    ),
    row(
        "void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *))",
        &[reads(ByModel), reads(ByModel), VALUE, VALUE, FUNCTION],
        Into(1),
        Prelude,
    ),
    row("char *realpath(const char *, char *)", &[TEXT, KEPT], Own("path"), Unsupported),
    row("size_t mbstowcs(wchar_t *, const char *, size_t)", &[writes(ByModel), TEXT, VALUE], Value, Unsupported),
    row(
        "size_t wcstombs(char *, const wchar_t *, size_t)",
        &[writes(Bytes(2)), reads(ByModel), VALUE],
        Value,
        Unsupported,
    ),
];

const STRING: &[LibraryFunction] = &[
    row(
        "void *memcpy(void *, const void *, size_t)",
        &[writes(Bytes(2)), reads(Bytes(2)), VALUE],
        Into(0),
        Copy { to: 0, may_overlap: false },
    ),
    row(
        "void *memmove(void *, const void *, size_t)",
        &[writes(Bytes(2)), reads(Bytes(2)), VALUE],
        Into(0),
        Copy { to: 0, may_overlap: true },
    ),
    row("void *memset(void *, int, size_t)", &[writes(Bytes(2)), VALUE, VALUE], Into(0), Fill),
    row("int memcmp(const void *, const void *, size_t)", &[reads(Bytes(2)), reads(Bytes(2)), VALUE], Value, Prelude),
    row("void *memchr(const void *, int, size_t)", &[reads(ByModel), VALUE, VALUE], Into(0), Prelude),
    row("size_t strlen(const char *)", &[TEXT], Value, Prelude),
    row("size_t strnlen(const char *, size_t)", &[reads(ByModel), VALUE], Value, Prelude),
    row("char *strcpy(char *, const char *)", &[writes(ByModel), TEXT], Into(0), Prelude),
    row("char *stpcpy(char *, const char *)", &[writes(ByModel), TEXT], Into(0), Prelude),
    row("char *strncpy(char *, const char *, size_t)", &[writes(Bytes(2)), reads(ByModel), VALUE], Into(0), Prelude),
    row("char *strcat(char *, const char *)", &[changes(ByModel), TEXT], Into(0), Prelude),
    row("char *strncat(char *, const char *, size_t)", &[changes(ByModel), reads(ByModel), VALUE], Into(0), Prelude),
    row("int strcmp(const char *, const char *)", &[TEXT, TEXT], Value, Prelude),
    row("int strcoll(const char *, const char *)", &[TEXT, TEXT], Value, Prelude),
    row("int strncmp(const char *, const char *, size_t)", &[reads(ByModel), reads(ByModel), VALUE], Value, Prelude),
    row("char *strchr(const char *, int)", &[TEXT, VALUE], Into(0), Prelude),
    row("char *strrchr(const char *, int)", &[TEXT, VALUE], Into(0), Prelude),
    row("char *strstr(const char *, const char *)", &[TEXT, TEXT], Into(0), Prelude),
    row("size_t strspn(const char *, const char *)", &[TEXT, TEXT], Value, Prelude),
    row("size_t strcspn(const char *, const char *)", &[TEXT, TEXT], Value, Prelude),
    row("char *strpbrk(const char *, const char *)", &[TEXT, TEXT], Into(0), Prelude),
    row("char *strtok(char *, const char *)", &[changes(Text).or_null(), TEXT], Into(0), Prelude),
    row(
        "char *strtok_r(char *, const char *, char **)",
        &[changes(Text).or_null(), TEXT, changes(Object)],
        Into(0),
        Prelude,
    ),
    row("char *strdup(const char *)", &[TEXT], Fresh, Prelude),
    row("char *strndup(const char *, size_t)", &[reads(ByModel), VALUE], Fresh, Prelude),
    row("char *strerror(int)", &[VALUE], Own("message"), Plain(Gives::Object)).unsafe_in_threads(),
    row("size_t strxfrm(char *, const char *, size_t)", &[writes(ByModel).or_null(), TEXT, VALUE], Value, Unsupported),
    row(
        "void *memccpy(void *, const void *, int, size_t)",
        &[writes(ByModel), reads(ByModel), VALUE, VALUE],
        Into(0),
        Unsupported,
    ),
    row(
        "void *mempcpy(void *, const void *, size_t)",
        &[writes(Bytes(2)), reads(Bytes(2)), VALUE],
        Into(0),
        Unsupported,
    ),
    row("void *memrchr(const void *, int, size_t)", &[reads(ByModel), VALUE, VALUE], Into(0), Prelude),
    row("void *rawmemchr(const void *, int)", &[reads(ByModel), VALUE], Into(0), Prelude),
    row("size_t strlcpy(char *, const char *, size_t)", &[writes(ByModel), TEXT, VALUE], Value, Prelude),
    row("size_t strlcat(char *, const char *, size_t)", &[changes(ByModel), TEXT, VALUE], Value, Prelude),
    row("int strcasecmp(const char *, const char *)", &[TEXT, TEXT], Value, Prelude),
    row(
        "int strncasecmp(const char *, const char *, size_t)",
        &[reads(ByModel), reads(ByModel), VALUE],
        Value,
        Prelude,
    ),
    row("void bzero(void *, size_t)", &[writes(Bytes(1)), VALUE], Value, Fill),
    row("void explicit_bzero(void *, size_t)", &[writes(Bytes(1)), VALUE], Value, Fill),
    row(
        "void bcopy(const void *, void *, size_t)",
        &[reads(Bytes(2)), writes(Bytes(2)), VALUE],
        Value,
        Copy { to: 1, may_overlap: true },
    ),
    row("void swab(const void *, void *, ssize_t)", &[reads(ByModel), writes(ByModel), VALUE], Value, Unsupported),
    row("int ffs(int)", &[VALUE], Value, Prelude),
];

const TIME: &[LibraryFunction] = &[
    row("time_t time(time_t *)", &[writes(Object).or_null()], Value, Prelude),
    row("clock_t clock(void)", &[], Value, Plain(Unknown)),
    row("double difftime(time_t, time_t)", &[VALUE, VALUE], Value, Plain(Unknown)),
    row(
        "int nanosleep(const struct timespec *, struct timespec *)",
        &[reads(Object), writes(Object).or_null()],
        Value,
        Plain(Within(-1, 0)),
    )
    .errno(),
    row("struct tm *gmtime(const time_t *)", &[reads(Object)], Own("calendar"), Plain(PerhapsNull))
        .errno()
        .unsafe_in_threads(),
    row("struct tm *localtime(const time_t *)", &[reads(Object)], Own("calendar"), Plain(PerhapsNull))
        .errno()
        .unsafe_in_threads(),
    row("struct tm *gmtime_r(const time_t *, struct tm *)", &[reads(Object), writes(Object)], Into(1), Plain(Unknown))
        .errno(),
    row(
        "struct tm *localtime_r(const time_t *, struct tm *)",
        &[reads(Object), writes(Object)],
        Into(1),
        Plain(Unknown),
    )
    .errno(),
    row("time_t mktime(struct tm *)", &[changes(Object)], Value, Plain(Unknown)).errno(),
    row("char *asctime(const struct tm *)", &[reads(Object)], Own("date"), Plain(PerhapsNull))
        .errno()
        .unsafe_in_threads(),
    row("char *ctime(const time_t *)", &[reads(Object)], Own("date"), Plain(PerhapsNull)).errno().unsafe_in_threads(),
    row(
        "size_t strftime(char *, size_t, const char *, const struct tm *)",
        &[writes(ByModel), VALUE, TEXT, reads(Object)],
        Value,
        Plain(Unknown),
    ),
    row("int clock_gettime(int, struct timespec *)", &[VALUE, writes(Object)], Value, Plain(Within(-1, 0))).errno(),
    row("int gettimeofday(struct timeval *, void *)", &[writes(Object).or_null(), KEPT], Value, Plain(Within(-1, 0)))
        .errno(),
];

const UNISTD: &[LibraryFunction] = &[
    row("unsigned int sleep(unsigned int)", &[VALUE], Value, Plain(Unknown)),
    row("int usleep(unsigned int)", &[VALUE], Value, Plain(Within(-1, 0))).errno(),
    row("int getpid(void)", &[], Value, Plain(Within(1, 1 << 22))),
    row("int getppid(void)", &[], Value, Plain(Within(0, 1 << 22))),
    row("int fork(void)", &[], Value, Unsupported),
    row("int vfork(void)", &[], Value, Unsupported),
    // They end by a signal only.
    row("int pause(void)", &[], Value, Unsupported),
    row("int sigsuspend(const sigset_t *)", &[reads(Object)], Value, Unsupported),
    row("ssize_t read(int, void *, size_t)", &[VALUE, writes(Bytes(2)), VALUE], Value, Prelude),
    row("ssize_t write(int, const void *, size_t)", &[VALUE, reads(Bytes(2)), VALUE], Value, Plain(Unknown)).errno(),
    row("ssize_t pread(int, void *, size_t, off_t)", &[VALUE, writes(Bytes(2)), VALUE, VALUE], Value, Plain(Unknown))
        .errno(),
    row(
        "ssize_t pwrite(int, const void *, size_t, off_t)",
        &[VALUE, reads(Bytes(2)), VALUE, VALUE],
        Value,
        Plain(Unknown),
    )
    .errno(),
    row("int close(int)", &[VALUE], Value, Plain(Between(-1, 0))).errno(),
    row("int unlink(const char *)", &[TEXT], Value, Plain(Between(-1, 0))).errno(),
    row("char *getcwd(char *, size_t)", &[KEPT, VALUE], Into(0), Unsupported),
    row("char *getwd(char *)", &[writes(ByModel)], Into(0), Unsupported),
    row("ssize_t readlink(const char *, char *, size_t)", &[TEXT, writes(Bytes(2)), VALUE], Value, Plain(Unknown))
        .errno(),
    row("int gethostname(char *, size_t)", &[writes(ByModel), VALUE], Value, Plain(Between(-1, 0))).errno(),
    row("size_t confstr(int, char *, size_t)", &[VALUE, KEPT, VALUE], Value, Unsupported),
    row("ssize_t recv(int, void *, size_t, int)", &[VALUE, writes(Bytes(2)), VALUE, VALUE], Value, Plain(Unknown))
        .errno(),
    row("ssize_t send(int, const void *, size_t, int)", &[VALUE, reads(Bytes(2)), VALUE, VALUE], Value, Plain(Unknown))
        .errno(),
    row("char *setlocale(int, const char *)", &[VALUE, TEXT.or_null()], Own("locale"), Plain(PerhapsNull))
        .unsafe_in_threads(),
    row("int sched_yield(void)", &[], Value, Plain(Between(-1, 0))),
];

const WIDE: &[LibraryFunction] = &[
    row("size_t wcslen(const wchar_t *)", &[reads(ByModel)], Value, Prelude),
    row("size_t wcsnlen(const wchar_t *, size_t)", &[reads(ByModel), VALUE], Value, Prelude),
    row("wchar_t *wcscpy(wchar_t *, const wchar_t *)", &[writes(ByModel), reads(ByModel)], Into(0), Prelude),
    row(
        "wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t)",
        &[writes(ByModel), reads(ByModel), VALUE],
        Into(0),
        Prelude,
    ),
    row("wchar_t *wcscat(wchar_t *, const wchar_t *)", &[changes(ByModel), reads(ByModel)], Into(0), Prelude),
    row(
        "wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t)",
        &[changes(ByModel), reads(ByModel), VALUE],
        Into(0),
        Prelude,
    ),
    row("int wcscmp(const wchar_t *, const wchar_t *)", &[reads(ByModel), reads(ByModel)], Value, Prelude),
    row(
        "int wcsncmp(const wchar_t *, const wchar_t *, size_t)",
        &[reads(ByModel), reads(ByModel), VALUE],
        Value,
        Prelude,
    ),
    row("wchar_t *wcschr(const wchar_t *, wchar_t)", &[reads(ByModel), VALUE], Into(0), Prelude),
    row("wchar_t *wcsrchr(const wchar_t *, wchar_t)", &[reads(ByModel), VALUE], Into(0), Prelude),
    row("wchar_t *wcsstr(const wchar_t *, const wchar_t *)", &[reads(ByModel), reads(ByModel)], Into(0), Prelude),
    row("wchar_t *wmemset(wchar_t *, wchar_t, size_t)", &[writes(ByModel), VALUE, VALUE], Into(0), Prelude),
    row(
        "wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t)",
        &[writes(ByModel), reads(ByModel), VALUE],
        Into(0),
        Prelude,
    ),
    row(
        "int wmemcmp(const wchar_t *, const wchar_t *, size_t)",
        &[reads(ByModel), reads(ByModel), VALUE],
        Value,
        Prelude,
    ),
    row("wchar_t *wmemchr(const wchar_t *, wchar_t, size_t)", &[reads(ByModel), VALUE, VALUE], Into(0), Prelude),
];

const NETINET: &[LibraryFunction] = &[
    row("unsigned short htons(unsigned short)", &[VALUE], Value, Prelude),
    row("unsigned short ntohs(unsigned short)", &[VALUE], Value, Prelude),
    row("unsigned htonl(unsigned)", &[VALUE], Value, Prelude),
    row("unsigned ntohl(unsigned)", &[VALUE], Value, Prelude),
];

/// What CBMC calls by names of its own.
const CBMC: &[LibraryFunction] = &[
    // What CBMC and ESBMC answer about pointers.
    row("_Bool __CPROVER_r_ok(const void *, ...)", &[KEPT], Value, Pointer(PointerFact::Accessible)),
    row("_Bool __CPROVER_w_ok(const void *, ...)", &[KEPT], Value, Pointer(PointerFact::Accessible)),
    row("_Bool __CPROVER_rw_ok(const void *, ...)", &[KEPT], Value, Pointer(PointerFact::Accessible)),
    row("_Bool __ESBMC_r_ok(const void *, ...)", &[KEPT], Value, Pointer(PointerFact::Accessible)),
    row(
        "_Bool __CPROVER_same_object(const void *, const void *)",
        &[KEPT, KEPT],
        Value,
        Pointer(PointerFact::SameObject),
    ),
    row(
        "_Bool __ESBMC_same_object(const void *, const void *)",
        &[KEPT, KEPT],
        Value,
        Pointer(PointerFact::SameObject),
    ),
    row("_Bool __CPROVER_DYNAMIC_OBJECT(const void *)", &[KEPT], Value, Pointer(PointerFact::IsDynamic)),
    row("_Bool __ESBMC_is_dynamic(const void *)", &[KEPT], Value, Pointer(PointerFact::IsDynamic)),
    row("__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const void *)", &[KEPT], Value, Pointer(PointerFact::Size)),
    row("__SIZE_TYPE__ __ESBMC_get_object_size(const void *)", &[KEPT], Value, Pointer(PointerFact::Size)),
    row("long __CPROVER_POINTER_OFFSET(const void *)", &[KEPT], Value, Pointer(PointerFact::Offset)),
    row("long __ESBMC_POINTER_OFFSET(const void *)", &[KEPT], Value, Pointer(PointerFact::Offset)),
    row("__SIZE_TYPE__ __CPROVER_POINTER_OBJECT(const void *)", &[KEPT], Value, Pointer(PointerFact::Object)),
    row("__SIZE_TYPE__ __ESBMC_POINTER_OBJECT(const void *)", &[KEPT], Value, Pointer(PointerFact::Object)),
    row("int __CPROVER_isnanf(float)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isinff(float)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isfinitef(float)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isnormalf(float)", &[VALUE], Value, Prelude),
    row("int __CPROVER_signf(float)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isnand(double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isinfd(double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isfinited(double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isnormald(double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_signd(double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isnanld(long double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isinfld(long double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isfiniteld(long double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_isnormalld(long double)", &[VALUE], Value, Prelude),
    row("int __CPROVER_signld(long double)", &[VALUE], Value, Prelude),
    row("double __CPROVER_fabs(double)", &[VALUE], Value, Prelude),
    row("float __CPROVER_fabsf(float)", &[VALUE], Value, Prelude),
    row("long double __CPROVER_fabsl(long double)", &[VALUE], Value, Prelude),
];

const THREADS: &[LibraryFunction] = &[
    row(
        "int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)",
        &[writes(Object), SHARED.or_null(), FUNCTION, KEPT],
        Value,
        Thread,
    ),
    row("int pthread_join(pthread_t, void **)", &[VALUE, writes(Object).or_null()], Value, Thread),
    row("int pthread_detach(pthread_t)", &[VALUE], Value, Thread),
    row("void pthread_exit(void *)", &[KEPT], Value, Thread),
    row("pthread_t pthread_self(void)", &[], Value, Thread),
    row("unsigned long __craig_thread(void)", &[], Value, Thread),
    row("int thrd_create(thrd_t *, thrd_start_t, void *)", &[writes(Object), FUNCTION, KEPT], Value, Thread),
    row("int thrd_join(thrd_t, int *)", &[VALUE, writes(Object).or_null()], Value, Thread),
    row("void thrd_exit(int)", &[VALUE], Value, Thread),
    row("int thrd_equal(thrd_t, thrd_t)", &[VALUE, VALUE], Value, Thread),
    row("thrd_t thrd_current(void)", &[], Value, Thread),
    row("int thrd_detach(thrd_t)", &[VALUE], Value, Thread),
    row("void thrd_yield(void)", &[], Value, Thread),
    row("int mtx_init(mtx_t *, int)", &[SHARED, VALUE], Value, Thread),
    row("int mtx_lock(mtx_t *)", &[SHARED], Value, Thread),
    row("int mtx_trylock(mtx_t *)", &[SHARED], Value, Thread),
    row("int mtx_timedlock(mtx_t *, const struct timespec *)", &[SHARED, reads(Object)], Value, Thread),
    row("int mtx_unlock(mtx_t *)", &[SHARED], Value, Thread),
    row("void mtx_destroy(mtx_t *)", &[SHARED], Value, Thread),
    row("int cnd_init(cnd_t *)", &[SHARED], Value, Thread),
    row("int cnd_signal(cnd_t *)", &[SHARED], Value, Thread),
    row("int cnd_broadcast(cnd_t *)", &[SHARED], Value, Thread),
    row("int cnd_wait(cnd_t *, mtx_t *)", &[SHARED, SHARED], Value, Thread),
    row(
        "int cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *)",
        &[SHARED, SHARED, reads(Object)],
        Value,
        Thread,
    ),
    row("void cnd_destroy(cnd_t *)", &[SHARED], Value, Thread),
    row("void call_once(once_flag *, void (*)(void))", &[SHARED, FUNCTION], Value, Thread),
    row("int pthread_equal(pthread_t, pthread_t)", &[VALUE, VALUE], Value, Thread),
    row("int pthread_cancel(pthread_t)", &[VALUE], Value, Thread),
    row("int pthread_setconcurrency(int)", &[VALUE], Value, Thread),
    row("int pthread_attr_init(pthread_attr_t *)", &[SHARED], Value, Thread),
    row("int pthread_attr_destroy(pthread_attr_t *)", &[SHARED], Value, Thread),
    row("int pthread_attr_setdetachstate(pthread_attr_t *, int)", &[SHARED, VALUE], Value, Thread),
    row("int pthread_attr_setstacksize(pthread_attr_t *, size_t)", &[SHARED, VALUE], Value, Thread),
    row(
        "int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *)",
        &[SHARED, SHARED.or_null()],
        Value,
        Thread,
    ),
    row("int pthread_mutex_destroy(pthread_mutex_t *)", &[SHARED], Value, Thread),
    row("int pthread_mutex_lock(pthread_mutex_t *)", &[SHARED], Value, Thread),
    row("int pthread_mutex_trylock(pthread_mutex_t *)", &[SHARED], Value, Thread),
    row(
        "int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *)",
        &[SHARED, reads(Object)],
        Value,
        Thread,
    ),
    row("int pthread_mutex_unlock(pthread_mutex_t *)", &[SHARED], Value, Thread),
    row("int pthread_mutexattr_init(pthread_mutexattr_t *)", &[SHARED], Value, Thread),
    row("int pthread_mutexattr_destroy(pthread_mutexattr_t *)", &[SHARED], Value, Thread),
    row("int pthread_mutexattr_settype(pthread_mutexattr_t *, int)", &[SHARED, VALUE], Value, Thread),
    row("int pthread_mutexattr_gettype(const pthread_mutexattr_t *, int *)", &[SHARED, writes(Object)], Value, Thread),
    row(
        "int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *)",
        &[SHARED, SHARED.or_null()],
        Value,
        Thread,
    ),
    row("int pthread_cond_destroy(pthread_cond_t *)", &[SHARED], Value, Thread),
    row("int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *)", &[SHARED, SHARED], Value, Thread),
    row(
        "int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *)",
        &[SHARED, SHARED, reads(Object)],
        Value,
        Thread,
    ),
    row("int pthread_cond_signal(pthread_cond_t *)", &[SHARED], Value, Thread),
    row("int pthread_cond_broadcast(pthread_cond_t *)", &[SHARED], Value, Thread),
    row("int pthread_condattr_init(pthread_condattr_t *)", &[SHARED], Value, Thread),
    row("int pthread_condattr_destroy(pthread_condattr_t *)", &[SHARED], Value, Thread),
    row(
        "int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *)",
        &[SHARED, SHARED.or_null()],
        Value,
        Thread,
    ),
    row("int pthread_rwlock_destroy(pthread_rwlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_rwlock_rdlock(pthread_rwlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_rwlock_wrlock(pthread_rwlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_rwlock_tryrdlock(pthread_rwlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_rwlock_trywrlock(pthread_rwlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_rwlock_unlock(pthread_rwlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned)", &[SHARED, KEPT, VALUE], Value, Thread),
    row("int pthread_barrier_wait(pthread_barrier_t *)", &[SHARED], Value, Thread),
    row("int pthread_barrier_destroy(pthread_barrier_t *)", &[SHARED], Value, Thread),
    row("int pthread_spin_init(pthread_spinlock_t *, int)", &[SHARED, VALUE], Value, Thread),
    row("int pthread_spin_destroy(volatile pthread_spinlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_spin_lock(pthread_spinlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_spin_trylock(volatile pthread_spinlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_spin_unlock(pthread_spinlock_t *)", &[SHARED], Value, Thread),
    row("int pthread_once(pthread_once_t *, void (*)(void))", &[SHARED, FUNCTION], Value, Thread),
    row("int pthread_key_create(pthread_key_t *, void (*)(void *))", &[writes(Object), FUNCTION], Value, Prelude),
    row("int pthread_key_delete(pthread_key_t)", &[VALUE], Value, Prelude),
    row("void *pthread_getspecific(pthread_key_t)", &[VALUE], Own("specific"), Prelude),
    row("int pthread_setspecific(pthread_key_t, const void *)", &[VALUE, KEPT], Value, Prelude),
    row("int tss_create(tss_t *, tss_dtor_t)", &[writes(Object), FUNCTION], Value, Prelude),
    row("void tss_delete(tss_t)", &[VALUE], Value, Prelude),
    row("void *tss_get(tss_t)", &[VALUE], Own("specific"), Prelude),
    row("int tss_set(tss_t, void *)", &[VALUE, KEPT], Value, Prelude),
    row("int sem_init(sem_t *, int, unsigned int)", &[SHARED, VALUE, VALUE], Value, Thread),
    row("int sem_destroy(sem_t *)", &[SHARED], Value, Thread),
    row("int sem_wait(sem_t *)", &[SHARED], Value, Thread).errno(),
    row("int sem_trywait(sem_t *)", &[SHARED], Value, Thread).errno(),
    row("int sem_post(sem_t *)", &[SHARED], Value, Thread),
    row("int sem_getvalue(sem_t *, int *)", &[SHARED, writes(Object)], Value, Thread),
];

const BUILTINS: &[LibraryFunction] = &[
    row("void __builtin_unreachable(void)", &[], Value, Unreachable),
    row("void __builtin_trap(void)", &[], Value, Stop { runs_handlers: false }),
    row("void __builtin_prefetch(const void *, ...)", &[KEPT], Value, Plain(Any)),
    row("void *__builtin_alloca_with_align(size_t, size_t)", &[VALUE, VALUE], Fresh, AllocateOnStack),
    row("unsigned short __builtin_bswap16(unsigned short)", &[VALUE], Value, ByteSwap),
    row("unsigned int __builtin_bswap32(unsigned int)", &[VALUE], Value, ByteSwap),
    row("unsigned long long __builtin_bswap64(unsigned long long)", &[VALUE], Value, ByteSwap),
    row("int __builtin_popcount(unsigned int)", &[VALUE], Value, CountBits),
    row("int __builtin_popcountl(unsigned long)", &[VALUE], Value, CountBits),
    row("int __builtin_popcountll(unsigned long long)", &[VALUE], Value, CountBits),
    row("int __builtin_parity(unsigned int)", &[VALUE], Value, CountBits),
    row("int __builtin_parityl(unsigned long)", &[VALUE], Value, CountBits),
    row("int __builtin_parityll(unsigned long long)", &[VALUE], Value, CountBits),
    row("int __builtin_clz(unsigned int)", &[VALUE], Value, CountBits),
    row("int __builtin_clzl(unsigned long)", &[VALUE], Value, CountBits),
    row("int __builtin_clzll(unsigned long long)", &[VALUE], Value, CountBits),
    row("int __builtin_ctz(unsigned int)", &[VALUE], Value, CountBits),
    row("int __builtin_ctzl(unsigned long)", &[VALUE], Value, CountBits),
    row("int __builtin_ctzll(unsigned long long)", &[VALUE], Value, CountBits),
    row("int __builtin_ffs(int)", &[VALUE], Value, CountBits),
    row("int __builtin_ffsl(long)", &[VALUE], Value, CountBits),
    row("int __builtin_ffsll(long long)", &[VALUE], Value, CountBits),
    row("double __builtin_inf(void)", &[], Value, Infinity).family(),
    row("double __builtin_huge_val(void)", &[], Value, Infinity).family(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::{Function, Unit};
    use crate::types::{FnType, TypeId};
    use base::SourceMap;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    /// The prefix of the functions that are declared as their rows say.
    const ROW: &str = "__row_";

    const HEADERS: &[&str] = &[
        "alloca.h",
        "ctype.h",
        "errno.h",
        "fenv.h",
        "locale.h",
        "malloc.h",
        "math.h",
        "netinet/in.h",
        "pthread.h",
        "inttypes.h",
        "sched.h",
        "semaphore.h",
        "setjmp.h",
        "signal.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "strings.h",
        "sys/socket.h",
        "sys/time.h",
        "sys/types.h",
        "threads.h",
        "time.h",
        "ucontext.h",
        "unistd.h",
        "wchar.h",
    ];

    fn rows() -> impl Iterator<Item = &'static LibraryFunction> {
        FUNCTIONS.iter().flat_map(|list| list.iter())
    }

    /// The built-in headers with functions, and every row as the declaration of another function.
    fn declared() -> Unit {
        let mut text = String::new();
        for header in HEADERS {
            text.push_str(&format!("#include <{header}>\n"));
        }
        text.push_str("#undef isnan\n#undef isinf\n#undef isfinite\n#undef isnormal\n#undef signbit\n");
        text.push_str(
            "#undef fpclassify\n#undef isgreater\n#undef isgreaterequal\n#undef isless\n#undef islessequal\n",
        );
        text.push_str("#undef isunordered\n");
        for row in rows() {
            let (name, call) = (row.name(), format!("{}(", row.name()));
            let own = row.declaration.replacen(&call, &format!("{ROW}{name}("), 1);
            text.push_str(&format!("{own};\n"));
        }
        text.push_str("int main(void) { return 0; }\n");
        let mut sources = SourceMap::new();
        let file = sources.add("rows.c", text);
        let options = crate::Options { data_model: crate::DataModel::Lp64, ..Default::default() };
        match crate::front(&mut sources, file, &options, &|_| None, &mut crate::contracts::Contracts::default()) {
            Ok((unit, _)) => unit,
            Err(diagnostics) => panic!("{}", diagnostics[0].message),
        }
    }

    fn function<'u>(unit: &'u Unit, name: &str) -> Option<&'u Function> {
        unit.funcs.values().find(|f| *f.name == *name)
    }

    fn type_of(unit: &Unit, row: &LibraryFunction) -> Arc<FnType> {
        let function = function(unit, &format!("{ROW}{}", row.name()));
        let ty = function.and_then(|f| unit.types.function(f.ty));
        ty.unwrap_or_else(|| panic!("{} does not declare a function", row.declaration))
    }

    #[test]
    fn every_name_has_one_row() {
        let mut seen = BTreeSet::new();
        for row in rows() {
            assert!(seen.insert(row.name()), "two rows of {}", row.name());
            assert!(find(row.name()).is_some_and(|found| std::ptr::eq(found, row)), "{}", row.name());
        }
        assert!(find("no_such_function").is_none());
        assert_eq!(find("sinf").map(LibraryFunction::name), Some("sin"));
        assert_eq!(find("__builtin_memcpy").map(LibraryFunction::name), Some("memcpy"));
        assert_eq!(find("__isoc99_sscanf").map(LibraryFunction::name), Some("sscanf"));
        assert_eq!(find("__isnanl").map(LibraryFunction::name), Some("isnan"));
        assert!(find("__strlen").is_none());
    }

    /// What is forgotten here is forgotten by memory safety, data races and the points-to analysis.
    #[test]
    fn every_pointer_is_described() {
        let unit = declared();
        for row in rows() {
            let (ty, name) = (type_of(&unit, row), row.name());
            assert!(ty.params.len() == row.arguments.len(), "{name}: a description for each parameter");
            for (i, (param, &what)) in ty.params.iter().zip(row.arguments).enumerate() {
                let pointee = unit.types.pointee(param.id);
                let is_function = pointee.is_some_and(|p| unit.types.is_function(p.id));
                assert_eq!(pointee.is_some(), what != Argument::Value, "{name}: argument {i}");
                assert_eq!(is_function, what == Argument::Function, "{name}: argument {i}");
                let is_const = pointee.is_some_and(|p| p.quals.is_const);
                let is_shared = matches!(what, Argument::Pointer { extent: Extent::Shared, .. });
                assert!(!(is_const && what.is_written()) || is_shared, "{name}: argument {i} is written");
                match what {
                    Argument::Pointer { extent: Extent::Bytes(n), .. } => assert!(n < ty.params.len(), "{name}"),
                    Argument::Pointer { extent: Extent::Items(n, m), .. } => {
                        assert!(n.max(m) < ty.params.len(), "{name}");
                    }
                    _ => {}
                }
            }
            let returns_pointer = unit.types.is_pointer(ty.ret.id);
            assert_eq!(returns_pointer, row.returns != Returns::Value, "{name}: what the result points to");
            if let Returns::Argument(i) = row.returns {
                assert!(unit.types.is_pointer(ty.params[i].id), "{name}: the result points into argument {i}");
            }
            let one = |ty: TypeId| Expr { kind: ExprKind::Int(1), ty, span: base::Span::NONE };
            let arguments: Vec<_> = ty.params.iter().map(|p| one(p.id)).collect();
            assert!(row.takes(&unit.types, &arguments), "{name} takes its own parameters");
        }
    }

    #[test]
    fn headers_declare_what_the_rows_say() {
        let unit = declared();
        for row in rows() {
            // A jump buffer is an array here and a record there.
            let Some(header) = function(&unit, row.name()).filter(|_| row.model != Model::Unsupported) else {
                continue;
            };
            let (own, name) = (type_of(&unit, row), row.name());
            let Some(header) = unit.types.function(header.ty) else { panic!("{name} is no function") };
            // In C a stream is any pointer.
            let is_void = |ty: TypeId| unit.types.pointee(ty).is_some_and(|p| p.id == TypeId::VOID);
            let is_same = |a: TypeId, b: TypeId| a == b || is_void(a) && unit.types.is_pointer(b);
            assert_eq!(header.params.len(), own.params.len(), "{name}");
            assert!(is_same(header.ret.id, own.ret.id), "the result of {name}");
            for (i, (a, b)) in header.params.iter().zip(&own.params).enumerate() {
                assert!(is_same(a.id, b.id), "{name}: argument {i} in the headers and in its row");
            }
        }
    }

    #[test]
    fn functions_in_c_are_those_with_that_model() {
        let of_rows: BTreeSet<&str> = rows().filter(|r| r.model == Model::Prelude).map(|r| r.name()).collect();
        let in_c: BTreeSet<&str> = crate::prelude::names().filter(|n| !n.starts_with("__craig_")).collect();
        // By pieces where the format is known, else not.
        let by_pieces = ["sprintf", "snprintf", "sscanf", "__isoc99_sscanf"];
        let in_c: BTreeSet<&str> = in_c.into_iter().filter(|n| !by_pieces.contains(n)).collect();
        assert_eq!(of_rows, in_c);
    }
}
