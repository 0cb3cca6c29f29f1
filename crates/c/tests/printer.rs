//! A tree printed and parsed again is the same tree, up to positions.
//!
//! Over the test programs and the examples; over the corpus too where it is there (every tenth file, all of them with
//! `CRAIG_WHOLE_CORPUS` set); over what is rare in both; and over random programs.

use std::path::{Path, PathBuf};

use base::SourceMap;
use c::ast::{Item, TranslationUnit};
use c::lex::Interner;

#[path = "random_programs/mod.rs"]
mod random_programs;

fn parse(text: &str, names: &mut Interner) -> TranslationUnit {
    let mut sources = SourceMap::new();
    let file = sources.add("tree.c", text);
    let none = |_: &Path| None;
    let pp = c::preprocess::Preprocessor::new(&mut sources, names, c::DataModel::Lp64, Vec::new(), &none);
    let (tokens, _) = pp.run(file);
    c::parse::parse(&tokens, names).0
}

/// The tree as text, without positions.
fn shape(tree: &TranslationUnit) -> String {
    let text = format!("{tree:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// `None` if something in the text does not parse.
fn differs(text: &str) -> Option<Option<String>> {
    let mut names = Interner::default();
    let tree = parse(text, &mut names);
    if tree.items.iter().any(|i| matches!(i, Item::Broken { .. })) {
        return None;
    }
    let printed = c::print::print(&tree, &names);
    let again = parse(&printed, &mut names);
    let (a, b) = (shape(&tree), shape(&again));
    if a == b {
        return Some(None);
    }
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let cut = |s: &str| {
        String::from_utf8_lossy(&s.as_bytes()[same.saturating_sub(200)..(same + 100).min(s.len())]).into_owned()
    };
    Some(Some(format!("was   {}\nnow   {}\n", cut(&a), cut(&b))))
}

fn c_files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            c_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            out.push(path);
        }
    }
}

/// Deep trees need a deep stack.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("a thread starts");
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}

fn check_files(folders: &[PathBuf], stride: usize) -> usize {
    let mut files = Vec::new();
    for folder in folders {
        c_files(folder, &mut files);
    }
    let (mut n, mut n_broken) = (0, 0);
    for path in files.iter().step_by(stride) {
        let Ok(bytes) = std::fs::read(path) else { continue };
        match differs(&String::from_utf8_lossy(&bytes)) {
            None => n_broken += 1,
            Some(None) => n += 1,
            Some(Some(difference)) => panic!("{}:\n{difference}", path.display()),
        }
    }
    println!("{n} files print and parse to the same tree, {n_broken} do not parse");
    n
}

#[test]
fn programs_of_ours() {
    with_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        assert!(check_files(&[root.join("tests/programs"), root.join("examples")], 1) > 50);
    });
}

#[test]
#[ignore = "needs the corpus"]
fn corpus() {
    with_stack(|| {
        let root = match std::env::var_os("CRAIG_CORPUS") {
            Some(folder) => PathBuf::from(folder),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        };
        let stride = if std::env::var_os("CRAIG_WHOLE_CORPUS").is_some() { 1 } else { 10 };
        assert!(check_files(&[root.join("c"), root.join("ultimate-c")], stride) > 50);
    });
}

#[test]
fn random() {
    with_stack(|| {
        for seed in 0..100 {
            let text = random_programs::program(seed, true, true, true);
            match differs(&text) {
                Some(None) => {}
                other => panic!("seed {seed}: {other:?}\n{text}"),
            }
        }
    });
}

#[test]
fn rare_forms() {
    let text = r#"
        typedef int T; typedef struct P { T x; } P;
        int (*table[3])(int, char *), *(*g(void))[4], (*const cp)(void);
        int old(a, b) int a; char *b; { return a; }
        implicit(void) { return 1; }
        struct __attribute__((packed, aligned(4))) S { unsigned a : 3, : 0; int b : 2 __attribute__((aligned(8))); T T; struct { int q; }; int flex[]; };
        #pragma pack(push, 2)
        struct Q { char c; int i; union { long l; char d; } u; };
        #pragma pack(pop)
        enum E { A, B = 3, C = B ? 4 : 5 } e; enum F : short { D };
        extern __inline__ _Noreturn void stop(void) __attribute__((noreturn));
        static _Thread_local _Atomic int at; _Atomic(int *) ap; volatile const T *restrict vp;
        typedef int word __attribute__((mode(DI)));
        _Static_assert(sizeof(int) == 4, "four \"bytes\"\n");
        int arr[] = { [0 ... 2] = 1, [5] = 7, 8 }; P ps[2] = { { .x = 1 }, [1].x = 2 };
        float _Complex z; long double ld; unsigned __int128 w; __typeof__(1 + 2) ty; __typeof__(T *) ty2;
        asm("nop");
        int f(int n, ...) {
            __label__ l, m;
            T *t = &n; int k = sizeof((int)(1)) + sizeof(int), j = - -k + +(+k) - (-k), *p = &(int){ 3 };
            const char *s = "a" "b\"\n"; P q = (P){ .x = 1 }, *r = &(P){ 2 };
            static void *labels[] = { &&l, &&m };
            if (n) if (k) k = 1; else k = 2;
            for (int i = 0, h = 1; i < 3 && h; i++, h--) continue;
            for (;;) break;
            do k--; while (k > 0);
            switch (n) { case 1 ... 3: k = 1; case A ? 1 : 2: default: ; }
            l: k = (n, k ?: j), k += n ? k : (j = 3);
            m: __attribute__((fallthrough));
            goto *labels[1]; goto l;
            int nested(int y) { return y + n; }
            asm volatile ("nop" : "=r"(k), "+m"(*p) : "r"(n) : "memory", "cc"); asm("");
            __builtin_va_list ap; n = __builtin_va_arg(ap, int *)[0];
            return ({ int y = k; y; }) + __builtin_offsetof(struct Q, u.d) + _Generic(n, int: 1, default: 2)
                + __builtin_types_compatible_p(int, T) + __builtin_choose_expr(1, k, j) + _Alignof(int) + __alignof__(double)
                + ((P){ 3 }).x + r->x + (*r).x + p[1]++ + --*p + !~n + (k << 1 >> 2) - (1 - (2 - 3)) % 4 * (5 / 6) + (a_label(n), 1);
        }
    "#;
    match differs(text) {
        Some(None) => {}
        Some(Some(difference)) => panic!("{difference}"),
        None => {
            let mut names = Interner::default();
            let tree = parse(text, &mut names);
            let broken: Vec<_> = tree.items.iter().filter(|i| matches!(i, Item::Broken { .. })).collect();
            panic!("does not parse: {broken:?}");
        }
    }
}
