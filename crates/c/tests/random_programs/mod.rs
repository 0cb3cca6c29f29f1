//! Random C programs without undefined behaviour, folded into a checksum that the function `work` returns.

use std::fmt::Write as _;

struct Random {
    bits: base::Random,
    /// Operations that need words.
    words: bool,
    floats: bool,
    /// Integers of 128 bits.
    wide: bool,
}

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.bits.below(n)
    }
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];

/// What an expression may read.
const READABLE: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "arr[1]",
    "arr[(unsigned)a % 4u]",
    "s.x",
    "s.y",
    "s.in.z",
    "*p",
    "g",
    "garr[2]",
    "s.f",
    "q->y",
    "u.i",
    "u.c[1]",
    "u.c[(unsigned)a % 4u]",
    "u.b.low",
    "u.b.middle",
    "u.b.high",
    "u.h[1]",
    "k.first",
    "k.second",
    "k.third",
    "((unsigned char *)&k)[(unsigned)b % sizeof k]",
    "((signed char *)&ll)[5]",
    "ll",
    "of(u).h[0]",
    "of(u).b.middle",
];
const WRITABLE: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "arr[0]",
    "arr[(unsigned)b % 4u]",
    "s.x",
    "s.y",
    "s.in.z",
    "*p",
    "g",
    "s.f",
    "q->x",
    "u.i",
    "u.c[2]",
    "u.c[(unsigned)a % 4u]",
    "u.b.low",
    "u.b.middle",
    "u.b.high",
    "u.h[0]",
    "k.first",
    "k.second",
    "k.third",
    "ll",
    "((unsigned char *)&k)[(unsigned)b % sizeof k]",
    "((unsigned char *)&ll)[6]",
];
/// The same with 128 bits: nothing is undefined with `-fwrapv`.
const WIDE: &[&str] = &[
    "(unsigned long long)(wu >> 64)",
    "(unsigned long long)wu",
    "(long long)(wi >> 70)",
    "(wi < (__int128)wu)",
    "(wu > 5)",
    "(wi == -1)",
    "(long long)(wi / 7)",
    "(long long)(wi % -13)",
    "(unsigned long long)(wu % 1000000007u)",
    "(unsigned long long)(wu / 3u >> 60)",
    "(unsigned long long)((wu & 0xfff000ff0fu) >> 8)",
    "(unsigned long long)(~wu >> 100)",
    "(unsigned long long)(-wi)",
    "((unsigned char *)&wu)[13]",
];
const WIDE_STEPS: &[&str] = &[
    "wu = wu * 6364136223846793005ull + (@);",
    "wu += (unsigned __int128)(@) << 64;",
    "wi = (__int128)wu - (@);",
    "wi -= (long long)(@);",
    "wi *= 77;",
    "wi = -wi;",
    "wu <<= 7;",
    "wi >>= 3;",
    "wu ^= 0xff00;",
    "((unsigned char *)&wu)[15] = (@);",
    "wu = (@) ? wu - 1 : wu + 1;",
];

/// An expression of unsigned long long, where nothing is undefined.
fn expression(r: &mut Random, depth: u32) -> String {
    if depth == 0 || r.below(6) == 0 {
        return match r.below(3) {
            0 if r.wide && r.below(2) == 0 => r.pick(WIDE).to_string(),
            0 => format!("{}", r.below(300)),
            1 => format!("({})({})", r.pick(TYPES), r.pick(READABLE)),
            _ => r.pick(READABLE).to_string(),
        };
    }
    let x = expression(r, depth - 1);
    // Two operands that assign to one variable would have no defined order.
    let floats = r.floats;
    r.floats &= !x.contains(" = ");
    let y = expression(r, depth - 1);
    r.floats = floats && !x.contains(" = ") && !y.contains(" = ");
    let result = combined(r, x, y);
    r.floats = floats;
    result
}

fn combined(r: &mut Random, x: String, y: String) -> String {
    if r.words && r.below(3) == 0 {
        // Next to a floating variable nothing may change it.
        let z = expression(r, 0);
        return match r.below(if r.floats { 8 } else { 3 }) {
            0 => format!("(({x}) {} ({y}))", r.pick(&["&", "|", "^"])),
            1 => format!("((unsigned)({x}) << (({y}) & 31))"),
            2 => format!("((long long)({x}) >> (({y}) & 63))"),
            3 => format!("(fl = (float)({x}), mix(*(unsigned *)&fl), fl < (float)({z}))"),
            4 => format!("(db = (int)({x}), db = db {} (double)(int)({z}), bits(db))", r.pick(&["+", "-", "*", "/"])),
            5 => format!("(db = db {} ({z}), bits(db))", r.pick(&["+", "-", "*", "/"])),
            6 => format!(
                "(fl = fl {} (float)({z}), fl {} (int)({z}))",
                r.pick(&["+", "-", "*", "/"]),
                r.pick(&["<", ">=", "==", "!="])
            ),
            _ => format!("((long long)(float)(short)({x}) + (int)(double)(int)({y}))"),
        };
    }
    match r.below(16) {
        0 | 1 => format!("((unsigned long long)({x}) + ({y}))"),
        2 => format!("((unsigned)({x}) - ({y}))"),
        3 => format!("((unsigned long long)({x}) * ({y}))"),
        // Neither a zero divisor nor the least value by minus one.
        4 => format!("((long long)({x}) / (1 + (int)(({y}) & 7)))"),
        5 => format!("((int)({x}) % (1 + (int)(({y}) & 15)))"),
        6 => format!("(({x}) & {})", r.pick(&["1", "7", "255", "0xf0", "~3", "0x5a"])),
        7 => format!("(({x}) | {})", r.pick(&["1", "8", "0x30"])),
        8 => format!("(({x}) ^ {})", r.pick(&["1", "0xff", "-1"])),
        9 => format!("((unsigned)({x}) << {})", r.below(20)),
        10 => format!("((int)({x}) >> {})", r.below(20)),
        11 => format!("(({x}) {} ({y}))", r.pick(&["<", "<=", ">", ">=", "==", "!="])),
        12 => format!("(({x}) {} ({y}))", r.pick(&["&&", "||"])),
        13 => format!("(({x}) ? ({y}) : {})", r.pick(READABLE)),
        14 => format!("(~({x}))"),
        _ => format!("(({})({x}))", r.pick(TYPES)),
    }
}

fn statement(r: &mut Random, depth: u32, indent: usize, out: &mut String) {
    let pad = "    ".repeat(indent);
    match r.below(if depth == 0 { 7 } else { 14 }) {
        5 if r.wide => {
            let value = expression(r, 1);
            let _ = writeln!(out, "{pad}{}", r.pick(WIDE_STEPS).replace('@', &value));
        }
        5 | 6 => {
            const COPIES: &[&str] = &[
                "__builtin_memcpy(&u, &d, 2);",
                "__builtin_memset((char *)&ll + 1, 0x5a, 3);",
                "__builtin_memset(&k, 0xff, 4);",
                "__builtin_memmove((char *)&ll + 1, &ll, 5);",
                "__builtin_memmove(garr + 1, garr, 3 * sizeof(int));",
                "__builtin_memmove(&u.c[0], &u.c[1], 3);",
                "__builtin_memcpy(&k, &ll, 8);",
                "w = u; w.c[2] += 3; u = of(w);",
                "j = k; k.second--; k = j;",
                "u = (d & 1) ? of(u) : w;",
            ];
            let _ = writeln!(out, "{pad}{}", r.pick(COPIES));
        }
        0 | 1 => {
            let (place, value) = (r.pick(WRITABLE), expression(r, 2));
            let _ = writeln!(out, "{pad}{place} = {value};");
        }
        2 => {
            let (place, value) = (r.pick(WRITABLE), expression(r, 1));
            let op = r.pick(&["&=", "|="]);
            let mask = r.below(256);
            let _ = value;
            let _ = writeln!(out, "{pad}{place} {op} {mask};");
        }
        3 => {
            let value = expression(r, 2);
            let _ = writeln!(out, "{pad}mix({value});");
        }
        4 => {
            let (name, op) = (r.pick(&["ub", "uc"]), r.pick(&["++", "--"]));
            let _ = writeln!(out, "{pad}mix({name}{op}); mix({op}{name});");
        }
        7 => {
            let condition = expression(r, 2);
            let _ = writeln!(out, "{pad}if ({condition}) {{");
            statement(r, depth - 1, indent + 1, out);
            let _ = writeln!(out, "{pad}}} else {{");
            statement(r, depth - 1, indent + 1, out);
            let _ = writeln!(out, "{pad}}}");
        }
        8 => {
            let n = 1 + r.below(4);
            let _ = writeln!(out, "{pad}for (int i{indent} = 0; i{indent} < {n}; i{indent}++) {{");
            statement(r, depth - 1, indent + 1, out);
            let _ = writeln!(out, "{pad}    if (i{indent} == 2) continue;\n{pad}    mix(i{indent});\n{pad}}}");
        }
        9 | 10 => {
            let value = expression(r, 1);
            let _ = writeln!(
                out,
                "{pad}switch ((int)(({value}) & 3)) {{ case 0: mix(10); case 1: mix(11); break; case 2: mix(12); break; default: mix(13); }}"
            );
        }
        11 => {
            let _ = writeln!(out, "{pad}p = {};", r.pick(&["&d", "&arr[2]", "&s.x", "arr + 3"]));
        }
        _ => {
            let value = expression(r, 1);
            let _ = writeln!(out, "{pad}t = s; t.x = (int)({value}); s = pass(t);");
        }
    }
}

pub(crate) fn program(seed: u64, words: bool, floats: bool, wide: bool) -> String {
    let mut r = Random { bits: base::Random::new(seed), words, floats, wide };
    let mut out = String::new();
    if wide {
        out.push_str("static __int128 wi = -5; static unsigned __int128 wu = 12345678901ull;\n");
    }
    let (ta, tb, tc) = (r.pick(TYPES), r.pick(TYPES), r.pick(TYPES));
    let _ = writeln!(
        out,
        "struct In {{ short z; }};\nstruct S {{ int x; unsigned y; struct In in; unsigned f : 5; }};\n\
         static unsigned long long sum = 7;\nstatic unsigned g = 5;\nstatic int garr[4] = {{ 1, -2, [3] = 9 }};\n\
         static void mix(unsigned long long v) {{ sum = sum * 31u + v; sum = sum ^ 0xffu; }}\n\
         static unsigned long long bits(double d) {{ union {{ double d; unsigned long long u; }} v; v.d = d; return d == d ? v.u : 1; }}\n\
         union U {{ int i; unsigned char c[4]; struct {{ unsigned low : 5; int middle : 9; unsigned high : 18; }} b; unsigned short h[2]; }};\n\
         struct __attribute__((packed)) K {{ unsigned char tag; unsigned first : 3; int second : 20; unsigned long long third : 41; }};\n\
         static union U of(union U v) {{ v.c[1] ^= 5; v.b.middle -= 1; return v; }}\n\
         static float fl = 1.5f;\nstatic double db = -0.375;\n\
         static struct S pass(struct S v) {{ v.y += 3; v.in.z = (short)(v.in.z - 1); return v; }}\n\
         static unsigned long long work(void) {{\n    {ta} a = {};\n    {tb} b = {};\n    {tc} c = {};\n    int d = {};\n    \
         int arr[4] = {{ 3, 1, 4, 1 }};\n    struct S s = {{ 1, 2, {{ -3 }}, 17 }}, t, *q = &s;\n    int *p = &d;\n    \
         unsigned char ub = 254; unsigned short uc = 1;\n    \
         union U u = {{ 0x12345678 }}, w = u; struct K k = {{ 1, 2, -3, 4 }}, j = k; long long ll = -77;",
        r.below(100),
        r.below(100),
        r.below(100),
        r.below(1000),
    );
    for _ in 0..4 + r.below(5) {
        statement(&mut r, 2, 1, &mut out);
    }
    let _ = writeln!(
        out,
        "    mix(a); mix(b); mix(c); mix(d); mix(arr[0]); mix(arr[1]); mix(arr[2]); mix(arr[3]);\n    \
         mix(s.x); mix(s.y); mix(s.in.z); mix(s.f); mix(g); mix(garr[1]); mix(sizeof(struct S)); mix(sizeof(a + b));\n    \
         mix(u.i); mix(u.b.middle); mix(u.h[1]); mix(k.first); mix(k.second); mix(k.third); mix(ll); mix(w.i); mix(sizeof k);\n    \
         for (unsigned i = 0; i < sizeof k; i++) mix(((unsigned char *)&k)[i]);\n    \
         return sum;\n}}"
    );
    out
}
