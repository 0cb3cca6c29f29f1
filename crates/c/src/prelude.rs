//! Library functions written in C: used when the program calls them and does not define them.
//!
//! Written plainly, so that memory safety is checked inside them like in any other code. Results of
//! which C fixes only the sign are left open.

/// Runs the functions that `atexit` was given, last first.
pub const EXIT_HANDLERS: &str = "__craig_run_exit_handlers";

/// Name and definition.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("strlen", "__SIZE_TYPE__ strlen(const char *s) { __SIZE_TYPE__ n = 0; while (s[n]) n++; return n; }"),
    (
        "strnlen",
        "__SIZE_TYPE__ strnlen(const char *s, __SIZE_TYPE__ m) { __SIZE_TYPE__ n = 0; while (n < m && s[n]) n++; return n; }",
    ),
    (
        "strcpy",
        "char *strcpy(char *d, const char *s) { __SIZE_TYPE__ i = 0; while (s[i]) { d[i] = s[i]; i++; } d[i] = 0; return d; }",
    ),
    (
        "strncpy",
        "char *strncpy(char *d, const char *s, __SIZE_TYPE__ n) { __SIZE_TYPE__ i = 0; while (i < n && s[i]) { d[i] = s[i]; i++; } while (i < n) { d[i] = 0; i++; } return d; }",
    ),
    (
        "strcat",
        "char *strcat(char *d, const char *s) { __SIZE_TYPE__ n = 0, i = 0; while (d[n]) n++; while (s[i]) { d[n + i] = s[i]; i++; } d[n + i] = 0; return d; }",
    ),
    (
        "strncat",
        "char *strncat(char *d, const char *s, __SIZE_TYPE__ m) { __SIZE_TYPE__ n = 0, i = 0; while (d[n]) n++; while (i < m && s[i]) { d[n + i] = s[i]; i++; } d[n + i] = 0; return d; }",
    ),
    (
        "strcmp",
        "int strcmp(const char *a, const char *b) { __SIZE_TYPE__ i = 0; while (a[i] && a[i] == b[i]) i++; return (int)(unsigned char)a[i] - (int)(unsigned char)b[i]; }",
    ),
    (
        "strncmp",
        "int strncmp(const char *a, const char *b, __SIZE_TYPE__ n) { __SIZE_TYPE__ i = 0; if (n == 0) return 0; while (i < n - 1 && a[i] && a[i] == b[i]) i++; return (int)(unsigned char)a[i] - (int)(unsigned char)b[i]; }",
    ),
    (
        "strchr",
        "char *strchr(const char *s, int c) { while (*s != (char)c) { if (!*s) return (char *)0; s++; } return (char *)s; }",
    ),
    (
        "strrchr",
        "char *strrchr(const char *s, int c) { const char *r = 0; do { if (*s == (char)c) r = s; } while (*s++); return (char *)r; }",
    ),
    (
        "memcmp",
        "int memcmp(const void *a, const void *b, __SIZE_TYPE__ n) { const unsigned char *x = a, *y = b; __SIZE_TYPE__ i; for (i = 0; i < n; i++) if (x[i] != y[i]) return (int)x[i] - (int)y[i]; return 0; }",
    ),
    (
        "atexit",
        "static void (*__craig_exit_handler[256])(void); static int __craig_n_exit_handlers; \
         int atexit(void (*f)(void)) { if (__craig_n_exit_handlers >= 256) return 1; \
         __craig_exit_handler[__craig_n_exit_handlers] = f; __craig_n_exit_handlers++; return 0; } \
         void __craig_run_exit_handlers(void) { while (__craig_n_exit_handlers > 0) { __craig_n_exit_handlers--; \
         __craig_exit_handler[__craig_n_exit_handlers](); } }",
    ),
    ("isdigit", "int isdigit(int c) { return c >= '0' && c <= '9'; }"),
    ("islower", "int islower(int c) { return c >= 'a' && c <= 'z'; }"),
    ("isupper", "int isupper(int c) { return c >= 'A' && c <= 'Z'; }"),
    ("isalpha", "int isalpha(int c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; }"),
    ("isalnum", "int isalnum(int c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'; }"),
    ("isspace", "int isspace(int c) { return c == ' ' || c >= 9 && c <= 13; }"),
    ("toupper", "int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }"),
    ("tolower", "int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }"),
    ("abs", "int abs(int x) { return x < 0 ? -x : x; }"),
    ("labs", "long labs(long x) { return x < 0 ? -x : x; }"),
    ("llabs", "long long llabs(long long x) { return x < 0 ? -x : x; }"),
];
