//! The standard headers, as declarations and macros of our own, and the predefined macros.
//!
//! Only what programs need to compile is declared; the meaning of the functions lives in the library
//! models. Every header guards itself, and types that several headers share come from one
//! internal header.

use crate::DataModel;

/// The macros a compiler for x86 predefines under the data model.
pub fn predefined(model: DataModel) -> String {
    let mut text = String::from(COMMON);
    text.push_str(match model {
        DataModel::Lp64 => LP64,
        DataModel::Ilp32 => ILP32,
    });
    text
}

const COMMON: &str = "
#define __STDC__ 1
#define __STDC_VERSION__ 201112L
#define __STDC_HOSTED__ 1
#define __STDC_NO_COMPLEX__ 1
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 0
#define __VERSION__ \"12.2.0\"
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 127
#define __SHRT_MAX__ 32767
#define __INT_MAX__ 2147483647
#define __LONG_LONG_MAX__ 9223372036854775807LL
#define __WCHAR_MAX__ 2147483647
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_WCHAR_T__ 4
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __FLT_MAX__ 3.40282346638528859811704183484516925e+38F
#define __FLT_MIN__ 1.17549435082228750796873653722224568e-38F
#define __FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
#define __DBL_MAX__ 1.79769313486231570814527423731704357e+308
#define __DBL_MIN__ 2.22507385850720138309023271733240406e-308
#define __DBL_EPSILON__ 2.22044604925031308084726333618164062e-16
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
#define __linux__ 1
#define __unix__ 1
#define linux 1
#define unix 1
#define __ELF__ 1
#define __INT8_TYPE__ signed char
#define __UINT8_TYPE__ unsigned char
#define __INT16_TYPE__ short
#define __UINT16_TYPE__ unsigned short
#define __INT32_TYPE__ int
#define __UINT32_TYPE__ unsigned int
";

const LP64: &str = "
#define __x86_64__ 1
#define __x86_64 1
#define __amd64__ 1
#define __LP64__ 1
#define _LP64 1
#define __LONG_MAX__ 9223372036854775807L
#define __SIZE_MAX__ 18446744073709551615UL
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_LONG_DOUBLE__ 16
#define __SIZEOF_INT128__ 16
#define __SIZE_TYPE__ unsigned long
#define __PTRDIFF_TYPE__ long
#define __INTPTR_TYPE__ long
#define __UINTPTR_TYPE__ unsigned long
#define __WCHAR_TYPE__ int
#define __INT64_TYPE__ long
#define __UINT64_TYPE__ unsigned long
#define __INTMAX_TYPE__ long
#define __UINTMAX_TYPE__ unsigned long
";

const ILP32: &str = "
#define __i386__ 1
#define __i386 1
#define i386 1
#define __ILP32__ 1
#define _ILP32 1
#define __LONG_MAX__ 2147483647L
#define __SIZE_MAX__ 4294967295U
#define __SIZEOF_LONG__ 4
#define __SIZEOF_POINTER__ 4
#define __SIZEOF_SIZE_T__ 4
#define __SIZEOF_LONG_DOUBLE__ 12
#define __SIZE_TYPE__ unsigned int
#define __PTRDIFF_TYPE__ int
#define __INTPTR_TYPE__ int
#define __UINTPTR_TYPE__ unsigned int
#define __WCHAR_TYPE__ long
#define __INT64_TYPE__ long long
#define __UINT64_TYPE__ unsigned long long
#define __INTMAX_TYPE__ long long
#define __UINTMAX_TYPE__ unsigned long long
";

/// The headers of functions that work with memory and numbers of the program.
const LIBRARY: &[&str] = &[
    "ctype.h",
    "fenv.h",
    "inttypes.h",
    "math.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
    "unistd.h",
    "wchar.h",
];

/// Functions on buffers that the built-in headers do not declare.
const OTHERS: &[&str] = &[
    "confstr",
    "fgetws",
    "fputws",
    "getcwd",
    "getdelim",
    "gethostname",
    "getline",
    "gets",
    "getwd",
    "mbsrtowcs",
    "mbstowcs",
    "memccpy",
    "mempcpy",
    "memrchr",
    "pread",
    "pwrite",
    "rawmemchr",
    "readlink",
    "realpath",
    "recv",
    "recvfrom",
    "send",
    "sendto",
    "strcoll",
    "strfmon",
    "strftime",
    "strlcat",
    "strlcpy",
    "strverscmp",
    "strxfrm",
    "swab",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    "wcsrtombs",
    "wcstombs",
    "wmemcmp",
    "wmemcpy",
    "wmemmove",
    "wmemset",
    "write",
];

/// Whether the standard library has a function of this name: one of the built-in headers declares it.
pub fn declares(function: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let declared_in = |header: &str| {
        let text = builtin(header).unwrap_or_default();
        text.match_indices(function).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + function.len()..]);
            !before.ends_with(is_word)
                && (after.trim_start().starts_with('(') || before.ends_with("__F1(") || before.ends_with("__F2("))
                && !after.starts_with(is_word)
        })
    };
    let stem = function.strip_suffix(['f', 'l']).filter(|s| !s.is_empty());
    !function.is_empty()
        && (OTHERS.contains(&function) || LIBRARY.iter().any(|h| declared_in(h)) || declares_as_family(stem))
}

/// Whether `math.h` declares a function for all three types of floating numbers.
fn declares_as_family(stem: Option<&str>) -> bool {
    let text = builtin("math.h").unwrap_or_default();
    stem.is_some_and(|s| text.contains(&format!("__F1({s})")) || text.contains(&format!("__F2({s})")))
}

/// The text of a built-in header.
pub fn builtin(name: &str) -> Option<&'static str> {
    Some(match name {
        "craig/types.h" => TYPES,
        "assert.h" => ASSERT,
        "errno.h" => ERRNO,
        "ctype.h" => CTYPE,
        "fenv.h" => FENV,
        "float.h" => FLOAT,
        "inttypes.h" => INTTYPES,
        "limits.h" => LIMITS,
        "math.h" => MATH,
        "pthread.h" => PTHREAD,
        "sched.h" => "#pragma once\nint sched_yield(void);\n",
        "semaphore.h" => SEMAPHORE,
        "setjmp.h" => SETJMP,
        "signal.h" => SIGNAL,
        "stdalign.h" => "#pragma once\n#define alignas _Alignas\n#define alignof _Alignof\n",
        "stdarg.h" => STDARG,
        "stdatomic.h" => STDATOMIC,
        "stdbool.h" => {
            "#pragma once\n#define bool _Bool\n#define true 1\n#define false 0\n#define __bool_true_false_are_defined 1\n"
        }
        "stddef.h" => STDDEF,
        "stdint.h" => STDINT,
        "stdio.h" => STDIO,
        "stdlib.h" => STDLIB,
        "stdnoreturn.h" => "#pragma once\n#define noreturn _Noreturn\n",
        "string.h" | "memory.h" => STRING,
        "strings.h" => STRINGS,
        "time.h" | "sys/time.h" => TIME,
        "unistd.h" => UNISTD,
        "alloca.h" => "#pragma once\n#include <craig/types.h>\nvoid *alloca(size_t);\n",
        "malloc.h" => "#pragma once\n#include <stdlib.h>\n",
        "sys/types.h" => {
            "#pragma once\n#include <craig/types.h>\n#include <stdint.h>\ntypedef int pid_t;\ntypedef unsigned int uid_t;\ntypedef unsigned int gid_t;\ntypedef long off_t;\ntypedef unsigned int mode_t;\n"
        }
        "wchar.h" => {
            "#pragma once\n#include <craig/types.h>\ntypedef unsigned int wint_t;\nsize_t wcslen(const wchar_t *);\n"
        }
        "locale.h" => "#pragma once\n#define LC_ALL 6\nchar *setlocale(int, const char *);\n",
        "complex.h" => "#pragma once\n#define complex _Complex\n",
        _ => return None,
    })
}

const TYPES: &str = "#pragma once
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
";

const STDDEF: &str = "#pragma once
#include <craig/types.h>
#define offsetof(t, m) __builtin_offsetof(t, m)
typedef struct { long long __a __attribute__((__aligned__(__alignof__(long long)))); long double __b __attribute__((__aligned__(__alignof__(long double)))); } max_align_t;
";

// `assert` has no guard: NDEBUG may change between two inclusions.
const ASSERT: &str = "
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
#undef static_assert
#define static_assert _Static_assert
";

const ERRNO: &str = "#pragma once
int *__errno_location(void);
#define errno (*__errno_location())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define EINVAL 22
#define EDOM 33
#define ERANGE 34
#define EDEADLK 35
#define ETIMEDOUT 110
";

const CTYPE: &str = "#pragma once
int isalnum(int); int isalpha(int); int isblank(int); int iscntrl(int); int isdigit(int); int isgraph(int);
int islower(int); int isprint(int); int ispunct(int); int isspace(int); int isupper(int); int isxdigit(int);
int tolower(int); int toupper(int);
";

const FENV: &str = "#pragma once
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
typedef struct { int __control; } fenv_t;
int fegetround(void); int fesetround(int); int feclearexcept(int); int fetestexcept(int); int feraiseexcept(int);
";

const FLOAT: &str = "#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define DBL_MANT_DIG 53
#define LDBL_MANT_DIG 64
#define FLT_DIG 6
#define DBL_DIG 15
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define FLT_MAX_EXP 128
#define DBL_MAX_EXP 1024
#define FLT_MIN_EXP (-125)
#define DBL_MIN_EXP (-1021)
#define FLT_EVAL_METHOD 0
";

const LIMITS: &str = "#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define LONG_LONG_MAX LLONG_MAX
#define LONG_LONG_MIN LLONG_MIN
#define SSIZE_MAX LONG_MAX
#define PATH_MAX 4096
";

const STDINT: &str = "#pragma once
typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t; typedef __INT64_TYPE__ int64_t; typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t; typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t; typedef __UINTMAX_TYPE__ uintmax_t;
typedef signed char int_least8_t; typedef unsigned char uint_least8_t; typedef short int_least16_t;
typedef unsigned short uint_least16_t; typedef int int_least32_t; typedef unsigned int uint_least32_t;
typedef __INT64_TYPE__ int_least64_t; typedef __UINT64_TYPE__ uint_least64_t;
typedef signed char int_fast8_t; typedef unsigned char uint_fast8_t;
typedef __INTPTR_TYPE__ int_fast16_t; typedef __UINTPTR_TYPE__ uint_fast16_t;
typedef __INTPTR_TYPE__ int_fast32_t; typedef __UINTPTR_TYPE__ uint_fast32_t;
typedef __INT64_TYPE__ int_fast64_t; typedef __UINT64_TYPE__ uint_fast64_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#ifdef __LP64__
#define INT64_C(c) c##L
#define UINT64_C(c) c##UL
#else
#define INT64_C(c) c##LL
#define UINT64_C(c) c##ULL
#endif
#define INT32_C(c) c
#define UINT32_C(c) c##U
#define INT64_MAX INT64_C(9223372036854775807)
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX UINT64_C(18446744073709551615)
#define INTPTR_MAX __LONG_MAX__
#define INTPTR_MIN (-INTPTR_MAX - 1)
#define UINTPTR_MAX __SIZE_MAX__
#define SIZE_MAX __SIZE_MAX__
#define PTRDIFF_MAX __LONG_MAX__
#define PTRDIFF_MIN (-PTRDIFF_MAX - 1)
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
";

const INTTYPES: &str = "#pragma once
#include <stdint.h>
#define PRId8 \"d\"
#define PRId16 \"d\"
#define PRId32 \"d\"
#define PRIu8 \"u\"
#define PRIu16 \"u\"
#define PRIu32 \"u\"
#define PRIx32 \"x\"
#ifdef __LP64__
#define PRId64 \"ld\"
#define PRIu64 \"lu\"
#define PRIx64 \"lx\"
#else
#define PRId64 \"lld\"
#define PRIu64 \"llu\"
#define PRIx64 \"llx\"
#endif
";

const MATH: &str = "#pragma once
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf(\"\")
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#define __F1(n) double n(double); float n##f(float); long double n##l(long double);
#define __F2(n) double n(double, double); float n##f(float, float); long double n##l(long double, long double);
__F1(sin) __F1(cos) __F1(tan) __F1(asin) __F1(acos) __F1(atan) __F1(sinh) __F1(cosh) __F1(tanh) __F1(exp) __F1(exp2)
__F1(expm1) __F1(log) __F1(log2) __F1(log10) __F1(log1p) __F1(sqrt) __F1(cbrt) __F1(fabs) __F1(floor) __F1(ceil)
__F1(trunc) __F1(round) __F1(rint) __F1(nearbyint) __F1(erf) __F1(tgamma) __F1(lgamma) __F1(logb)
__F2(pow) __F2(atan2) __F2(hypot) __F2(fmod) __F2(remainder) __F2(fmin) __F2(fmax) __F2(fdim) __F2(copysign) __F2(nextafter)
#undef __F1
#undef __F2
double modf(double, double *); float modff(float, float *); double frexp(double, int *); double ldexp(double, int);
long lround(double); long long llround(double); long lrint(double); int ilogb(double); double nan(const char *);
double fma(double, double, double); int abs(int);
";

const PTHREAD: &str = "#pragma once
#include <craig/types.h>
#include <sched.h>
typedef unsigned long pthread_t;
typedef struct { int __craig_kind; } pthread_attr_t;
typedef struct { int __craig_kind; } pthread_mutexattr_t;
typedef struct { int __craig_kind; } pthread_condattr_t;
typedef struct { int __craig_kind; } pthread_rwlockattr_t;
typedef struct { int __craig_lock; } pthread_mutex_t;
typedef struct { int __craig_cond; } pthread_cond_t;
typedef struct { int __craig_lock; int __craig_readers; } pthread_rwlock_t;
typedef struct { int __craig_count; int __craig_wanted; } pthread_barrier_t;
typedef struct { int __craig_lock; } pthread_spinlock_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
struct timespec;
#define PTHREAD_MUTEX_INITIALIZER { 0 }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); int pthread_detach(pthread_t);
void pthread_exit(void *) __attribute__((__noreturn__));
pthread_t pthread_self(void); int pthread_equal(pthread_t, pthread_t); int pthread_cancel(pthread_t);
int pthread_attr_init(pthread_attr_t *); int pthread_attr_destroy(pthread_attr_t *); int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *); int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *); int pthread_mutexattr_settype(pthread_mutexattr_t *, int); int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *); int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *); int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *); int pthread_rwlock_destroy(pthread_rwlock_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_wrlock(pthread_rwlock_t *); int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned); int pthread_barrier_wait(pthread_barrier_t *); int pthread_barrier_destroy(pthread_barrier_t *);
int pthread_spin_init(pthread_spinlock_t *, int); int pthread_spin_lock(pthread_spinlock_t *); int pthread_spin_unlock(pthread_spinlock_t *);
int pthread_once(pthread_once_t *, void (*)(void));
int pthread_key_create(pthread_key_t *, void (*)(void *)); void *pthread_getspecific(pthread_key_t); int pthread_setspecific(pthread_key_t, const void *); int pthread_key_delete(pthread_key_t);
";

const SEMAPHORE: &str = "#pragma once
typedef struct { int __craig_count; } sem_t;
int sem_init(sem_t *, int, unsigned int); int sem_destroy(sem_t *); int sem_wait(sem_t *); int sem_trywait(sem_t *); int sem_post(sem_t *); int sem_getvalue(sem_t *, int *);
";

const SETJMP: &str = "#pragma once
typedef struct { int __craig_state[16]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf); void longjmp(jmp_buf, int) __attribute__((__noreturn__));
";

const SIGNAL: &str = "#pragma once
typedef int sig_atomic_t;
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIGINT 2
#define SIGABRT 6
#define SIGSEGV 11
#define SIGTERM 15
void (*signal(int, void (*)(int)))(int); int raise(int);
";

const STDARG: &str = "#pragma once
typedef __builtin_va_list va_list;
#define va_start(l, a) __builtin_va_start(l, a)
#define va_end(l) __builtin_va_end(l)
#define va_arg(l, t) __builtin_va_arg(l, t)
#define va_copy(d, s) __builtin_va_copy(d, s)
";

const STDATOMIC: &str = "#pragma once
#include <stdint.h>
#include <craig/types.h>
typedef int memory_order;
#define memory_order_relaxed 0
#define memory_order_consume 1
#define memory_order_acquire 2
#define memory_order_release 3
#define memory_order_acq_rel 4
#define memory_order_seq_cst 5
typedef _Atomic _Bool atomic_bool; typedef _Atomic char atomic_char; typedef _Atomic signed char atomic_schar;
typedef _Atomic unsigned char atomic_uchar; typedef _Atomic short atomic_short; typedef _Atomic unsigned short atomic_ushort;
typedef _Atomic int atomic_int; typedef _Atomic unsigned int atomic_uint; typedef _Atomic long atomic_long;
typedef _Atomic unsigned long atomic_ulong; typedef _Atomic long long atomic_llong; typedef _Atomic unsigned long long atomic_ullong;
typedef _Atomic size_t atomic_size_t; typedef _Atomic ptrdiff_t atomic_ptrdiff_t; typedef _Atomic intptr_t atomic_intptr_t;
typedef _Atomic uintptr_t atomic_uintptr_t; typedef _Atomic intmax_t atomic_intmax_t; typedef _Atomic uintmax_t atomic_uintmax_t;
typedef struct { _Bool __val; } atomic_flag;
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(v) (v)
#define atomic_init(p, v) __atomic_store_n(p, v, 5)
#define atomic_load(p) __atomic_load_n(p, 5)
#define atomic_load_explicit(p, o) __atomic_load_n(p, o)
#define atomic_store(p, v) __atomic_store_n(p, v, 5)
#define atomic_store_explicit(p, v, o) __atomic_store_n(p, v, o)
#define atomic_exchange(p, v) __atomic_exchange_n(p, v, 5)
#define atomic_exchange_explicit(p, v, o) __atomic_exchange_n(p, v, o)
#define atomic_compare_exchange_strong(p, e, d) __atomic_compare_exchange_n(p, e, d, 0, 5, 5)
#define atomic_compare_exchange_weak(p, e, d) __atomic_compare_exchange_n(p, e, d, 1, 5, 5)
#define atomic_compare_exchange_strong_explicit(p, e, d, s, f) __atomic_compare_exchange_n(p, e, d, 0, s, f)
#define atomic_compare_exchange_weak_explicit(p, e, d, s, f) __atomic_compare_exchange_n(p, e, d, 1, s, f)
#define atomic_fetch_add(p, v) __atomic_fetch_add(p, v, 5)
#define atomic_fetch_sub(p, v) __atomic_fetch_sub(p, v, 5)
#define atomic_fetch_or(p, v) __atomic_fetch_or(p, v, 5)
#define atomic_fetch_and(p, v) __atomic_fetch_and(p, v, 5)
#define atomic_fetch_xor(p, v) __atomic_fetch_xor(p, v, 5)
#define atomic_fetch_add_explicit(p, v, o) __atomic_fetch_add(p, v, o)
#define atomic_fetch_sub_explicit(p, v, o) __atomic_fetch_sub(p, v, o)
#define atomic_fetch_or_explicit(p, v, o) __atomic_fetch_or(p, v, o)
#define atomic_fetch_and_explicit(p, v, o) __atomic_fetch_and(p, v, o)
#define atomic_fetch_xor_explicit(p, v, o) __atomic_fetch_xor(p, v, o)
#define atomic_flag_test_and_set(p) __atomic_test_and_set(&(p)->__val, 5)
#define atomic_flag_clear(p) __atomic_clear(&(p)->__val, 5)
#define atomic_flag_test_and_set_explicit(p, o) __atomic_test_and_set(&(p)->__val, o)
#define atomic_flag_clear_explicit(p, o) __atomic_clear(&(p)->__val, o)
#define atomic_thread_fence(o) __atomic_thread_fence(o)
#define atomic_signal_fence(o) __atomic_signal_fence(o)
#define atomic_is_lock_free(p) 1
";

const STDIO: &str = "#pragma once
#include <craig/types.h>
#include <stdarg.h>
typedef struct __craig_FILE FILE;
struct __craig_FILE { int __craig_state; };
extern FILE *stdin; extern FILE *stdout; extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...); int vprintf(const char *, va_list); int vfprintf(FILE *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list); int vsprintf(char *, const char *, va_list);
int scanf(const char *, ...); int fscanf(FILE *, const char *, ...); int sscanf(const char *, const char *, ...);
int puts(const char *); int putchar(int); int putc(int, FILE *); int fputc(int, FILE *); int fputs(const char *, FILE *);
int getchar(void); int getc(FILE *); int fgetc(FILE *); char *fgets(char *, int, FILE *); int ungetc(int, FILE *);
FILE *fopen(const char *, const char *); int fclose(FILE *); int fflush(FILE *); int feof(FILE *); int ferror(FILE *);
size_t fread(void *, size_t, size_t, FILE *); size_t fwrite(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int); long ftell(FILE *); void rewind(FILE *); void perror(const char *); int remove(const char *);
";

const STDLIB: &str = "#pragma once
#include <craig/types.h>
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *aligned_alloc(size_t, size_t); int posix_memalign(void **, size_t, size_t); void *alloca(size_t);
void abort(void) __attribute__((__noreturn__)); void exit(int) __attribute__((__noreturn__)); void _Exit(int) __attribute__((__noreturn__));
int atexit(void (*)(void)); char *getenv(const char *); int system(const char *);
int abs(int); long labs(long); long long llabs(long long); div_t div(int, int); ldiv_t ldiv(long, long); lldiv_t lldiv(long long, long long);
int atoi(const char *); long atol(const char *); long long atoll(const char *); double atof(const char *);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int); double strtod(const char *, char **);
int rand(void); void srand(unsigned int); long random(void); void srandom(unsigned int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
";

const STRING: &str = "#pragma once
#include <craig/types.h>
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t);
size_t strlen(const char *); size_t strnlen(const char *, size_t); char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *); char *strncat(char *, const char *, size_t); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); char *strchr(const char *, int); char *strrchr(const char *, int);
char *strstr(const char *, const char *); size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *); char *strtok(char *, const char *); char *strtok_r(char *, const char *, char **); char *stpcpy(char *, const char *); char *strdup(const char *); char *strndup(const char *, size_t);
char *strerror(int); int strcoll(const char *, const char *);
";

const STRINGS: &str = "#pragma once
#include <string.h>
int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, size_t); void bzero(void *, size_t); void bcopy(const void *, void *, size_t); int ffs(int);
";

const TIME: &str = "#pragma once
#include <craig/types.h>
typedef long time_t; typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; long tv_usec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define CLOCKS_PER_SEC 1000000L
time_t time(time_t *); clock_t clock(void); double difftime(time_t, time_t); int nanosleep(const struct timespec *, struct timespec *);
";

const UNISTD: &str = "#pragma once
#include <craig/types.h>
typedef int pid_t;
unsigned int sleep(unsigned int); int usleep(unsigned int); pid_t getpid(void); pid_t fork(void); void _exit(int) __attribute__((__noreturn__));
ssize_t read(int, void *, size_t); ssize_t write(int, const void *, size_t); int close(int); int unlink(const char *);
";
