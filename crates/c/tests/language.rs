//! What is accepted, what is refused, and that nothing makes the front end panic.

use std::path::Path;

use base::SourceMap;
use logic::TermPool;

/// Compiles a program; the first error as one line, if any.
fn compile(source: &str) -> Result<ir::Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", source);
    let mut pool = TermPool::new();
    let none = |_: &Path| None;
    let options = c::Options::default();
    c::compile(&mut sources, file, &options, &c::Mode::default(), &none, &mut pool).map_err(|diagnostics| {
        let text = diagnostics.first().map_or(String::new(), |d| d.render(&sources));
        text.lines().next().unwrap_or("").to_string()
    })
}

fn faithful(source: &str) {
    match compile(source) {
        Ok(program) => assert!(program.fidelity.unsound.is_empty(), "{source}\n{:?}", program.fidelity.unsound),
        Err(message) => panic!("{source}\n{message}"),
    }
}

#[test]
fn declarations_as_people_write_them() {
    faithful("int (*f(int (*g)(void)))(void) { return g; } int h(void) { return 3; } int main() { return f(h)(); }");
    faithful("typedef int T; int main() { T T = 1; { int T = 2; (void)T; } return T; }");
    faithful("int main() { typedef struct { int a[2]; } S; S s = { { 1, 2 } }; return s.a[1]; }");
    faithful("f(a, b) int a; char b; { return a + b; } main() { return f(1, 'b'); }");
    faithful(
        "extern __inline __attribute__((__gnu_inline__)) int f(int x) { return x; } int main(void) { return f(1); }",
    );
    faithful(
        "void * __attribute__((cdecl)) g(void); int (__attribute__((x)) * p)(void); int main(void) { return p == 0; }",
    );
    faithful("enum { A, B = A + 5, C }; _Static_assert(C == 6, \"six\"); int main(void) { return C; }");
    faithful(
        "struct S { int a; struct { int b; union { int c; int d; }; }; }; int main(void) { struct S s = { 1, { 2, { 3 } } }; return s.d; }",
    );
    faithful(
        "int a[] = { [3] = 1, 2, [1] = 7 }; _Static_assert(sizeof a == 5 * sizeof(int), \"\"); int main(void) { return a[4]; }",
    );
    faithful(
        "int main(void) { int x = 3; return ({ __typeof__(x) y = x; y + 1; }) + _Generic(x, int: 1, default: 2); }",
    );
    faithful("int f(int n, int a[n]) { return a[n - 1]; } int main(void) { int a[3] = { 1, 2, 3 }; return f(3, a); }");
    faithful("int main(void) { switch (3) { case 1 ... 5: return 1; default: return 0; } }");
    faithful("# 1 \"x.c\"\nint main(void) {\n# 7 \"x.c\" 3 4\nreturn 0; }");
}

#[test]
fn layouts_of_gcc() {
    for (text, size) in [
        ("struct { char c; int b : 5; }", 4),
        ("struct { int a : 5; int b : 28; }", 8),
        ("struct { char c; int a : 20; short s; }", 8),
        ("struct { char c; int a : 9; int b : 17; }", 8),
        ("struct { unsigned char a : 4; unsigned short b : 12; }", 2),
        ("struct { int a : 3; char c; }", 4),
        ("struct { char a; int : 0; char b; }", 5),
        ("struct { long long a : 33; int b : 20; }", 8),
        ("struct __attribute__((packed)) { char c; int a : 20; int b; }", 8),
        ("struct { char c; double d; }", 12),
        ("struct { int n; char tail[]; }", 4),
        ("union { char c[5]; int i; }", 8),
    ] {
        faithful(&format!(
            "typedef {text} T; _Static_assert(sizeof(T) == {size}, \"size\"); int main(void) {{ return 0; }}"
        ));
    }
}

#[test]
fn errors_have_a_place() {
    for (source, message) in [
        ("int main(void) { return x; }", "t.c:1:25: error: x is not declared"),
        ("int main(void) { return 1 }", "t.c:1:27: error: expected ';' before '}'"),
        ("int main(void) { break; }", "t.c:1:18: error: break outside a loop or switch"),
        ("int f(void);", "t.c:1:1: error: there is no function main; the program has no functions"),
        ("#if 1\nint main(void) { return 0; }", "t.c:1:1: error: unterminated conditional directive"),
        ("int main(void) { struct S s; return 0; }", "t.c:1:27: error: the size of s is not known"),
        ("int main(void) { switch (1) { case 1: case 1: ; } }", "t.c:1:39: error: duplicate case value"),
        ("int main(void) { exit(); }", "t.c:1:18: error: too few arguments to function exit: 0, it takes 1"),
        ("int main(void) { int x; int x; }", "t.c:1:29: error: x is declared twice in one scope"),
        ("int x = 1; int x = 2; int main(void) { return x; }", "t.c:1:16: error: x is defined twice"),
        ("int f(void) {} int f(void) {} int main(void) {}", "t.c:1:20: error: f is defined twice"),
        ("int main(void) { const int x = 1; x = 2; }", "t.c:1:35: error: assignment of read-only variable 'x'"),
        ("int main(void) { return 08; }", "t.c:1:25: error: bad number 08"),
        ("enum e { A, B, A }; int main(void) { return A; }", "t.c:1:16: error: A is declared twice"),
        ("int main(void) { int n = 3; static int a[n]; }", "t.c:1:40: error: the size of a is not constant"),
    ] {
        assert_eq!(compile(source).err().as_deref(), Some(message), "{source}");
    }
}

#[test]
fn names_may_be_declared_again() {
    faithful("extern int x; int x; int x = 3; extern int x; int main(void) { extern int x; extern int x; return x; }");
    faithful(
        "int f(int x) { { int x = 1; for (int x = 2; x; ) return x; } return x; } int main(void) { return f(1); }",
    );
    faithful("typedef int T; typedef int T; int f(void); int f(void); int main(void) { int T = 1; return T; }");
    faithful("const int limit; const int limit = 3; int main(void) { const int *p = &limit; p = 0; return p == 0; }");
    faithful(
        "int main(void) { _Pragma(\"GCC diagnostic push\") int x = 0; _Pragma(\"GCC diagnostic pop\") return x; }",
    );
}

#[test]
fn broken_functions_matter_only_when_reached() {
    faithful("void broken(void) { int inner(void) { return 1; } } int main(void) { return 0; }");
    let program = compile("void broken(void) { int inner(void) { return 1; } } int main(void) { broken(); return 0; }");
    assert!(program.is_ok_and(|p| !p.fidelity.unsound.is_empty()));
    // A mistake is one wherever it stands, but not what only follows from something that is not understood.
    assert!(compile("void broken(void) { return y; } int main(void) { return 0; }").is_err());
    let after = "struct S { int a; } s __attribute__((alias(\"t\"))); int main(void) { return s.a; }";
    assert!(compile(after).is_ok_and(|p| !p.fidelity.unsound.is_empty()));
}

#[test]
fn deep_and_long_programs_do_not_overflow_the_stack() {
    for n in [1_000, 100_000] {
        let nested = format!("int main(void) {{ return {}1{}; }}", "(".repeat(n), ")".repeat(n));
        let blocks = format!("int main(void) {{ {}{} }}", "{".repeat(n), "}".repeat(n));
        let unary = format!("int main(void) {{ return {}1; }}", "- ".repeat(n));
        for text in [nested, blocks, unary] {
            // Compiled, or refused with a message; what must not happen is the end of this process.
            if let Err(message) = compile(&text) {
                assert!(!message.is_empty());
            }
        }
    }
    let sum = format!("int main(void) {{ unsigned x = 1; x = x{}; return 0; }}", " + x".repeat(3_000));
    faithful(&sum);
    let _ = compile("int a[1000000000000]; int main(void) { return a[5]; }");
    let _ = compile("#define A A A\nA int main(void) { return 0; }");
}
