//! Properties of single steps in both directions: what programs do is known from the definition of C, and for
//! divisions, shifts and null pointers gcc's sanitizers agree with every violation.

mod common;

/// A name, what is expected (`true`, or the check that is violated), further arguments, the program.
type Case = (&'static str, &'static str, &'static [&'static str], &'static str);

/// What the programs take their inputs from.
const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n";

fn check(property: &str, cases: &[Case]) {
    let mut wrong = Vec::new();
    for &(name, expected, arguments, program) in cases {
        let path = common::file(&format!("property_{property}_{name}.c"), &format!("{INPUTS}{program}\n"));
        let mut command = common::craig();
        command.args(["check", "--timeout", "30s", "--property", property]).args(arguments).arg(&path);
        let result = common::result(&command.output().expect("craig runs"));
        let wanted = if expected == "true" { "true".to_string() } else { format!("false({expected})") };
        if result != wanted {
            wrong.push(format!("{name}: {result} instead of {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{property}:\n{}", wrong.join("\n"));
}

#[test]
fn divisions_by_zero() {
    check(
        "no-division-by-zero",
        &[
            (
                "divisor_is_tested",
                "true",
                &[],
                r"int main(void) { int x = __VERIFIER_nondet_int(); if (x != 0) return 100 / x; return 0; }",
            ),
            (
                "divisor_is_any",
                "no-division-by-zero",
                &[],
                r"int main(void) { int x = __VERIFIER_nondet_int(); return 100 / x; }",
            ),
            (
                "remainder_by_a_counter",
                "true",
                &[],
                r"int main(void) { int sum = 0; for (int i = 1; i < 20; i++) sum += 100 % i; return sum; }",
            ),
            (
                "remainder_by_a_counter_from_zero",
                "no-division-by-zero",
                &[],
                r"int main(void) { int sum = 0; for (int i = 0; i < 20; i++) sum += 100 % i; return sum; }",
            ),
            (
                "mean_of_none",
                "no-division-by-zero",
                &[],
                r"static int mean(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s / n; }
int main(void) { int a[3] = {1, 2, 3}; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) return 0; return mean(a, n); }",
            ),
            (
                "mean_of_some",
                "true",
                &[],
                r"static int mean(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s / n; }
int main(void) { int a[3] = {1, 2, 3}; int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; return mean(a, n); }",
            ),
            (
                "division_of_floats",
                "true",
                &[],
                r"int main(void) { double x = 1.0, zero = 0.0; return x / zero > 1.0; }",
            ),
            (
                "divisor_wraps_to_zero",
                "no-division-by-zero",
                &[],
                r"int main(void) { unsigned char c = 255; c++; return 7 / c; }",
            ),
            (
                "unsigned_divisor_is_odd",
                "true",
                &[],
                r"int main(void) { unsigned x = __VERIFIER_nondet_uint(); return (int)(x / (x % 2 + 1)); }",
            ),
            (
                "compound_division",
                "no-division-by-zero",
                &[],
                r"int main(void) { int x = 5, y = __VERIFIER_nondet_int(); if (y >= 0 && y < 3) x /= y; return x; }",
            ),
            (
                "constant_zero",
                "no-division-by-zero",
                &[],
                r"int main(int argc, char **argv) { int x = 5; if (argc > 0) x %= 0; return x; }",
            ),
            (
                "only_overflow",
                "true",
                &[],
                r"#include <limits.h>
int main(void) { int x = __VERIFIER_nondet_int(); int y = x < 0 ? -1 : 1; return INT_MIN / y; }",
            ),
            (
                "divisor_in_memory",
                "true",
                &[],
                r"struct rate { int num, den; };
static int apply(const struct rate *r, int x) { return x * r->num / r->den; }
int main(void) { struct rate r = {1, 2}; return apply(&r, 10); }",
            ),
            (
                "divisor_in_memory_is_not_set",
                "no-division-by-zero",
                &[],
                r"struct rate { int num, den; };
static int apply(const struct rate *r, int x) { return x * r->num / r->den; }
int main(void) { struct rate r = {1}; return apply(&r, 10); }",
            ),
            (
                "long_divisor",
                "no-division-by-zero",
                &[],
                r"int main(void) { long long x = __VERIFIER_nondet_int(); return 9 / (x * 2 + 4) > 1; }",
            ),
            (
                "long_divisor_is_odd",
                "true",
                &[],
                r"int main(void) { long long x = __VERIFIER_nondet_int(); return 9 / (x * 2 + 5) > 1; }",
            ),
            ("not_reached", "true", &[], r"int main(void) { int z = 0; if (z) return 1 / z; return 0; }"),
            (
                "short_circuit",
                "true",
                &[],
                r"int main(void) { int x = __VERIFIER_nondet_int(); return x != 0 && 10 / x > 2; }",
            ),
            (
                "short_circuit_the_wrong_way",
                "no-division-by-zero",
                &[],
                r"int main(void) { int x = __VERIFIER_nondet_int(); return x != 0 || 10 / x > 2; }",
            ),
            (
                "digits",
                "true",
                &[],
                r"int main(void) { unsigned n = __VERIFIER_nondet_uint(), base = 10, sum = 0; while (n > 0) { sum += n % base; n /= base; } return (int)sum; }",
            ),
            (
                "base_is_read",
                "no-division-by-zero",
                &[],
                r"int main(void) { unsigned n = 77, base = __VERIFIER_nondet_uint(), sum = 0; while (n > 0) { sum += n % base; n /= base; } return (int)sum; }",
            ),
        ],
    );
}

#[test]
fn invalid_shifts() {
    check(
        "no-invalid-shift",
        &[
            (
                "amount_is_masked",
                "true",
                &[],
                r"int main(void) { unsigned x = __VERIFIER_nondet_uint(); return (int)(1u << (x & 31)); }",
            ),
            (
                "amount_is_masked_too_wide",
                "no-invalid-shift",
                &[],
                r"int main(void) { unsigned x = __VERIFIER_nondet_uint(); return (int)(1u << (x & 63)); }",
            ),
            (
                "negative_amount",
                "no-invalid-shift",
                &[],
                r"int main(void) { int x = __VERIFIER_nondet_int(); if (x > 10) return 0; return 8 >> x; }",
            ),
            (
                "amount_between",
                "true",
                &[],
                r"int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 31) return 0; return 8 >> x; }",
            ),
            (
                "width_of_long",
                "true",
                &[],
                r"int main(void) { unsigned long x = 1; for (int i = 0; i < 8 * (int)sizeof x; i++) if (x << i == 0) return 1; return 0; }",
            ),
            (
                "width_of_int",
                "no-invalid-shift",
                &[],
                r"int main(void) { unsigned x = 1; for (int i = 0; i <= 32; i++) if (x << i == 7) return 1; return 0; }",
            ),
            ("promoted_operand", "true", &[], r"int main(void) { unsigned char c = 200; return c << 20; }"),
            (
                "promoted_operand_by_too_much",
                "no-invalid-shift",
                &[],
                r"int main(void) { unsigned char c = 200; int n = 24; for (int i = 0; i < 8; i++) n++; return c >> n; }",
            ),
            (
                "value_overflows_only",
                "true",
                &[],
                r"int main(void) { int x = __VERIFIER_nondet_int(); return x << 31; }",
            ),
            (
                "rotation",
                "no-invalid-shift",
                &[],
                r"static unsigned rotl(unsigned x, unsigned n) { return x << n | x >> (32 - n); }
int main(void) { return (int)rotl(5, __VERIFIER_nondet_uint() % 32); }",
            ),
            (
                "rotation_masked",
                "true",
                &[],
                r"static unsigned rotl(unsigned x, unsigned n) { return x << n | x >> (-n & 31); }
int main(void) { return (int)rotl(5, __VERIFIER_nondet_uint() % 32); }",
            ),
            (
                "compound_shift",
                "no-invalid-shift",
                &[],
                r"int main(void) { unsigned x = 1; unsigned n = __VERIFIER_nondet_uint(); x <<= n; return (int)x; }",
            ),
            (
                "compound_shift_by_a_constant",
                "true",
                &[],
                r"int main(void) { unsigned x = __VERIFIER_nondet_uint(); x >>= 31; return (int)x; }",
            ),
            (
                "bits_of_zero",
                "no-invalid-shift",
                &[],
                r"int main(void) { return __builtin_clz(__VERIFIER_nondet_uint()); }",
            ),
            ("bits_of_nonzero", "true", &[], r"int main(void) { return __builtin_ctz(__VERIFIER_nondet_uint() | 8); }"),
            (
                "amount_from_a_table",
                "true",
                &[],
                r"static const int by[4] = {0, 8, 16, 24};
int main(void) { unsigned i = __VERIFIER_nondet_uint() % 4; return (int)(0xffu << by[i]); }",
            ),
            (
                "amount_from_a_bad_table",
                "no-invalid-shift",
                &[],
                r"static const int by[4] = {0, 8, 16, 32};
int main(void) { unsigned i = __VERIFIER_nondet_uint() % 4; return (int)(0xffu << by[i]); }",
            ),
            (
                "long_long_shift",
                "true",
                &[],
                r"int main(void) { unsigned n = __VERIFIER_nondet_uint() % 64; return (1ull << n) == 0; }",
            ),
            (
                "int_where_long_was_meant",
                "no-invalid-shift",
                &[],
                r"int main(void) { unsigned n = __VERIFIER_nondet_uint() % 64; unsigned long long mask = 1 << n; return mask == 0; }",
            ),
            (
                "guarded",
                "true",
                &[],
                r"int main(void) { int n = __VERIFIER_nondet_int(); return n >= 0 && n < 32 && (1u << n) > 4; }",
            ),
            (
                "guarded_by_less",
                "no-invalid-shift",
                &[],
                r"int main(void) { int n = __VERIFIER_nondet_int(); return n < 32 && (1u << n) > 4; }",
            ),
        ],
    );
}

#[test]
fn null_pointers() {
    check(
        "no-null-dereference",
        &[
            (
                "tested",
                "true",
                &[],
                r"static int get(const int *p) { return p ? *p : 0; }
int main(void) { int x = 3; return get(__VERIFIER_nondet_int() ? &x : 0); }",
            ),
            (
                "not_tested",
                "no-null-dereference",
                &[],
                r"static int get(const int *p) { return *p; }
int main(void) { int x = 3; return get(__VERIFIER_nondet_int() ? &x : 0); }",
            ),
            (
                "member_of_null",
                "no-null-dereference",
                &[],
                r"struct s { int a, b; };
int main(void) { struct s x = {1, 2}; struct s *p = __VERIFIER_nondet_int() ? &x : 0; return p->b; }",
            ),
            (
                "member",
                "true",
                &[],
                r"struct s { int a, b; };
int main(void) { struct s x = {1, 2}; struct s *p = &x; if (__VERIFIER_nondet_int()) p = 0; return p ? p->b : 0; }",
            ),
            (
                "element_of_null",
                "no-null-dereference",
                &[],
                r"int main(void) { int a[4] = {0}; int *p = __VERIFIER_nondet_int() ? a : 0; return p[3]; }",
            ),
            (
                "list",
                "true",
                &[],
                r"#include <stdlib.h>
struct n { struct n *next; };
int main(void) { struct n c = {0}, b = {&c}, a = {&b}; int k = 0; for (struct n *p = &a; p; p = p->next) k++; return k; }",
            ),
            (
                "list_one_too_far",
                "no-null-dereference",
                &[],
                r"#include <stdlib.h>
struct n { struct n *next; };
int main(void) { struct n c = {0}, b = {&c}, a = {&b}; struct n *p = &a; for (int i = 0; i < 4; i++) p = p->next; return p != 0; }",
            ),
            (
                "malloc_never_fails",
                "true",
                &[],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); *p = 1; free(p); return 0; }",
            ),
            (
                "malloc_may_fail",
                "no-null-dereference",
                &["--malloc-may-fail"],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); *p = 1; free(p); return 0; }",
            ),
            (
                "malloc_may_fail_and_is_tested",
                "true",
                &["--malloc-may-fail"],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); if (!p) return 1; *p = 1; free(p); return 0; }",
            ),
            (
                "call_of_null",
                "no-null-dereference",
                &[],
                r"static int one(void) { return 1; }
int main(void) { int (*f)(void) = __VERIFIER_nondet_int() ? one : 0; return f(); }",
            ),
            (
                "call",
                "true",
                &[],
                r"static int one(void) { return 1; }
int main(void) { int (*f)(void) = __VERIFIER_nondet_int() ? one : 0; return f ? f() : 0; }",
            ),
            (
                "address_of_what_null_points_to",
                "true",
                &[],
                r"int main(void) { int *p = 0; int *q = &*p; return q != 0; }",
            ),
            (
                "end_of_an_empty_range",
                "true",
                &[],
                r"int main(void) { const char *p = 0; unsigned n = 0; const char *end = p + n; int k = 0; while (p < end) k += *p++; return k; }",
            ),
            (
                "strlen_of_null",
                "no-null-dereference",
                &[],
                r#"#include <string.h>
int main(void) { const char *s = __VERIFIER_nondet_int() ? "abc" : 0; return (int)strlen(s); }"#,
            ),
            (
                "strlen",
                "true",
                &[],
                r#"#include <string.h>
int main(void) { const char *s = __VERIFIER_nondet_int() ? "abc" : ""; return (int)strlen(s); }"#,
            ),
            (
                "memcpy_to_null",
                "no-null-dereference",
                &[],
                r"#include <string.h>
int main(void) { int a[2] = {1, 2}, b[2]; int *to = __VERIFIER_nondet_int() ? b : 0; memcpy(to, a, sizeof a); return 0; }",
            ),
            (
                "offset_of",
                "true",
                &[],
                r"#include <stddef.h>
struct s { int a, b; };
int main(void) { return (int)offsetof(struct s, b); }",
            ),
            (
                "out_of_bounds_is_another_matter",
                "true",
                &[],
                r"int main(void) { int a[2] = {1, 2}; int *p = a; int i = 0; while (i < 2) i++; return *(p + i - 1); }",
            ),
            (
                "null_in_a_struct",
                "no-null-dereference",
                &[],
                r"struct s { int *p; };
static void set(struct s *s, int *p) { s->p = p; }
int main(void) { struct s s; set(&s, 0); *s.p = 1; return 0; }",
            ),
            (
                "pointer_is_set_in_the_loop",
                "true",
                &[],
                r"int main(void) { int x = 1, *p = 0; for (int i = 0; i < 3; i++) { if (i > 0) x += *p; p = &x; } return x; }",
            ),
            (
                "pointer_is_set_too_late",
                "no-null-dereference",
                &[],
                r"int main(void) { int x = 1, *p = 0; for (int i = 0; i < 3; i++) { if (i >= 0) x += *p; p = &x; } return x; }",
            ),
            (
                "free_of_null",
                "true",
                &[],
                r"#include <stdlib.h>
int main(void) { free(0); return 0; }",
            ),
        ],
    );
}

#[test]
fn uninitialised_reads() {
    check(
        "no-uninitialised-read",
        &[
            (
                "set_on_both_ways",
                "true",
                &[],
                r"int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; else x = 2; return x; }",
            ),
            (
                "set_on_one_way",
                "no-uninitialised-read",
                &[],
                r"int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; return x; }",
            ),
            (
                "array_is_filled",
                "true",
                &[],
                r"int main(void) { int a[5], s = 0; for (int i = 0; i < 5; i++) a[i] = i; for (int i = 0; i < 5; i++) s += a[i]; return s; }",
            ),
            (
                "array_is_filled_up_to_the_last",
                "no-uninitialised-read",
                &[],
                r"int main(void) { int a[5], s = 0; for (int i = 0; i < 4; i++) a[i] = i; for (int i = 0; i < 5; i++) s += a[i]; return s; }",
            ),
            (
                "malloc",
                "no-uninitialised-read",
                &[],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(4 * sizeof *p); int r = p[2]; free(p); return r; }",
            ),
            (
                "calloc",
                "true",
                &[],
                r"#include <stdlib.h>
int main(void) { int *p = calloc(4, sizeof *p); int r = p[2]; free(p); return r; }",
            ),
            (
                "memset",
                "true",
                &[],
                r"#include <string.h>
struct s { int a; char b; };
int main(void) { struct s s; memset(&s, 0, sizeof s); return s.a + s.b; }",
            ),
            (
                "copy_is_no_read",
                "true",
                &[],
                r"struct s { int a, b; };
int main(void) { struct s x, y; x.a = 1; y = x; return y.a; }",
            ),
            (
                "copy_carries_nothing",
                "no-uninitialised-read",
                &[],
                r"struct s { int a, b; };
int main(void) { struct s x, y; x.a = 1; y = x; return y.b; }",
            ),
            (
                "memcpy",
                "no-uninitialised-read",
                &[],
                r"#include <string.h>
int main(void) { int a[3], b[3]; a[0] = a[1] = 1; memcpy(b, a, sizeof b); return b[2]; }",
            ),
            (
                "memcpy_of_what_is_set",
                "true",
                &[],
                r"#include <string.h>
int main(void) { int a[3], b[3]; a[0] = a[1] = 1; memcpy(b, a, sizeof b); return b[1]; }",
            ),
            (
                "by_address",
                "true",
                &[],
                r"static void get(int *to) { *to = 4; }
int main(void) { int x; get(&x); return x; }",
            ),
            (
                "by_address_perhaps",
                "no-uninitialised-read",
                &[],
                r"static int get(int *to) { if (__VERIFIER_nondet_int()) { *to = 4; return 1; } return 0; }
int main(void) { int x; get(&x); return x; }",
            ),
            (
                "by_address_and_tested",
                "true",
                &[],
                r"static int get(int *to) { if (__VERIFIER_nondet_int()) { *to = 4; return 1; } return 0; }
int main(void) { int x; if (get(&x)) return x; return 0; }",
            ),
            (
                "static_is_zero",
                "true",
                &[],
                r"static int a[3];
int main(void) { static int k; return a[2] + k; }",
            ),
            (
                "switch_jumps_over",
                "no-uninitialised-read",
                &[],
                r"int main(void) { switch (__VERIFIER_nondet_int()) { int y; case 1: y = 1; case 2: return y; } return 0; }",
            ),
            (
                "switch_sets_all",
                "true",
                &[],
                r"int main(void) { int y; switch (__VERIFIER_nondet_int()) { case 1: y = 1; break; default: y = 2; } return y; }",
            ),
            (
                "forgotten_in_each_turn",
                "no-uninitialised-read",
                &[],
                r"int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x; if (i == 0) x = 1; s += x; } return s; }",
            ),
            (
                "counted_sum",
                "no-uninitialised-read",
                &[],
                r"int main(void) { int sum; for (int i = 0; i < 3; i++) sum += i; return sum; }",
            ),
            ("initialised_with_itself", "no-uninitialised-read", &[], r"int main(void) { int x = x; return x; }"),
            ("only_named", "true", &[], r"int main(void) { int x; (void)x; return 0; }"),
            ("size_is_no_read", "true", &[], r"int main(void) { int x; return (int)sizeof x; }"),
            (
                "text",
                "true",
                &[],
                r#"#include <string.h>
int main(void) { char s[8]; strcpy(s, "abc"); return (int)strlen(s); }"#,
            ),
            (
                "text_without_end",
                "no-uninitialised-read",
                &[],
                r"#include <string.h>
int main(void) { char s[8]; s[0] = 'a'; s[1] = 'b'; return (int)strlen(s); }",
            ),
            (
                "realloc_keeps_and_adds",
                "no-uninitialised-read",
                &[],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); *p = 1; p = realloc(p, 2 * sizeof *p); int r = p[1]; free(p); return r; }",
            ),
            (
                "realloc_keeps",
                "true",
                &[],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); *p = 1; p = realloc(p, 2 * sizeof *p); int r = p[0]; free(p); return r; }",
            ),
            (
                "union_by_another_member",
                "true",
                &[],
                r"union u { unsigned i; unsigned char c[4]; };
int main(void) { union u u; u.i = 7; return u.c[3]; }",
            ),
            (
                "union_by_a_larger_member",
                "no-uninitialised-read",
                &[],
                r"union u { unsigned i; unsigned char c[4]; };
int main(void) { union u u; u.c[0] = u.c[1] = 1; return u.i > 5; }",
            ),
        ],
    );
}

#[test]
fn everything_undefined() {
    check(
        "undefined",
        &[
            (
                "undefined_access",
                "valid-deref",
                &[],
                r"int main(void) { int a[2] = {1, 2}; int i = __VERIFIER_nondet_int(); return i >= 0 && i < 3 ? a[i] : 0; }",
            ),
            (
                "undefined_clean",
                "true",
                &[],
                r"int main(void) { int a[2] = {1, 2}; int i = __VERIFIER_nondet_int(); return i >= 0 && i < 2 ? a[i] / (i + 1) : 0; }",
            ),
            (
                "undefined_division",
                "no-division-by-zero",
                &[],
                r"int main(void) { int i = __VERIFIER_nondet_int(); return 5 / i; }",
            ),
            (
                "undefined_shift",
                "no-invalid-shift",
                &[],
                r"int main(void) { int i = __VERIFIER_nondet_int(); return 5 >> i; }",
            ),
            (
                "undefined_overflow",
                "no-overflow",
                &[],
                r"int main(void) { int i = __VERIFIER_nondet_int(); return i + 1; }",
            ),
            ("undefined_uninitialised", "no-uninitialised-read", &[], r"int main(void) { int x; return x; }"),
            (
                "undefined_null",
                "valid-deref",
                &[],
                r"int main(void) { int x = 1, *p = __VERIFIER_nondet_int() ? &x : 0; return *p; }",
            ),
            (
                "undefined_is_no_assertion",
                "true",
                &[],
                r"#include <assert.h>
int main(void) { assert(__VERIFIER_nondet_int() < 5); return 0; }",
            ),
            (
                "undefined_is_no_leak",
                "true",
                &[],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(4); *p = 1; return 0; }",
            ),
        ],
    );
}

#[test]
fn everything() {
    check(
        "all",
        &[
            (
                "all_access",
                "valid-deref",
                &[],
                r"int main(void) { int a[2] = {1, 2}; int i = __VERIFIER_nondet_int(); return i >= 0 && i < 3 ? a[i] : 0; }",
            ),
            (
                "all_clean",
                "true",
                &[],
                r"int main(void) { int a[2] = {1, 2}; int i = __VERIFIER_nondet_int(); return i >= 0 && i < 2 ? a[i] / (i + 1) : 0; }",
            ),
            (
                "all_division",
                "no-division-by-zero",
                &[],
                r"int main(void) { int i = __VERIFIER_nondet_int(); return 5 / i; }",
            ),
            (
                "all_shift",
                "no-invalid-shift",
                &[],
                r"int main(void) { int i = __VERIFIER_nondet_int(); return 5 >> i; }",
            ),
            ("all_overflow", "no-overflow", &[], r"int main(void) { int i = __VERIFIER_nondet_int(); return i + 1; }"),
            ("all_uninitialised", "no-uninitialised-read", &[], r"int main(void) { int x; return x; }"),
            (
                "all_null",
                "valid-deref",
                &[],
                r"int main(void) { int x = 1, *p = __VERIFIER_nondet_int() ? &x : 0; return *p; }",
            ),
            (
                "all_assertion",
                "unreach-call",
                &[],
                r"#include <assert.h>
int main(void) { assert(__VERIFIER_nondet_int() < 5); return 0; }",
            ),
            (
                "all_leak",
                "valid-memtrack",
                &[],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(4); *p = 1; return 0; }",
            ),
            (
                "all_malloc_may_fail",
                "true",
                &["--malloc-may-fail"],
                r"#include <stdlib.h>
int main(void) { int *p = malloc(4); if (!p) return 1; *p = 1; int r = *p; free(p); return r - 1; }",
            ),
        ],
    );
}
