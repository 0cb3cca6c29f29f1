//! How long 100,000 lines of preprocessed C take to become a syntax tree: lexer, preprocessor and parser.
//!
//! `cargo bench -p c --bench parse [FILE...]`. Without files the text is made of functions of many shapes; with files,
//! of theirs, repeated. The aim is less than a second.

use std::path::Path;
use std::time::{Duration, Instant};

use base::SourceMap;

const N_LINES: usize = 100_000;
const N_RUNS: usize = 7;

/// Declarations and functions such as preprocessed programs have.
fn made_up() -> String {
    let mut text = String::new();
    for i in 0.. {
        if text.lines().count() >= N_LINES {
            break;
        }
        for k in 0..100 {
            let n = 100 * i + k;
            text.push_str(&format!(
                "# {n} \"/usr/include/header{i}.h\" 3 4\n\
                 typedef unsigned long int size{n}_t;\n\
                 extern int library{n} (const char *__restrict __s, size{n}_t __n, void *__arg)\n\
                 \x20    __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));\n\
                 struct node{n} {{\n    int key;\n    struct node{n} *next, *prev;\n    unsigned flags : 3;\n    union {{ long l; char c[8]; }} u;\n}};\n\
                 static struct node{n} *find{n}(struct node{n} *head, int key) {{\n\
                 \x20   while (head != ((void *)0) && head->key != key) {{\n\
                 \x20       head = head->next;\n    }}\n    return head;\n}}\n\
                 int compute{n}(int a, unsigned b, const char *s) {{\n\
                 \x20   int sum = 0, i;\n    for (i = 0; i < 10; i++) {{\n\
                 \x20       if (a > 0x{n:x} && (b & 0xffU) != 3u || s[i] == 'x')\n\
                 \x20           sum += (int)(b << 2) - a * (i + 1) / 3;\n\
                 \x20       else if (!(sum % 7)) goto out;\n\
                 \x20       switch (sum) {{ case 1: sum++; break; case 2: sum--; default: sum ^= a ? 1 : 2; }}\n    }}\n\
                 out:\n    return library{n}(\"text\", sizeof(struct node{n}), &sum) + sum;\n}}\n"
            ));
        }
    }
    text
}

/// The processor time of this thread, where the system tells it: on a busy machine the better measure.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let texts: Vec<String> = match &files[..] {
        [] => vec![made_up()],
        files => files.iter().filter_map(|f| std::fs::read_to_string(f).ok()).collect(),
    };
    let n_lines: usize = texts.iter().map(|t| t.lines().count()).sum();
    let mut times: Vec<Duration> = Vec::new();
    let mut busy = Duration::ZERO;
    for _ in 0..N_RUNS {
        let mut elapsed = Duration::ZERO;
        for text in &texts {
            let mut sources = SourceMap::new();
            let file = sources.add("bench.i", text.as_str());
            let none = |_: &Path| None;
            let (began, busy_before) = (Instant::now(), processor_time());
            let parsed = c::parse_file(&mut sources, file, &c::Options::default(), &none);
            elapsed += began.elapsed();
            if let (Some(before), Some(after)) = (busy_before, processor_time()) {
                busy += after - before;
            }
            assert!(parsed.is_ok_and(|(tree, _)| !tree.items.is_empty()));
        }
        times.push(elapsed);
    }
    times.sort_unstable();
    let median = times[times.len() / 2];
    let scaled = median.as_secs_f64() * N_LINES as f64 / n_lines.max(1) as f64;
    println!("{n_lines} lines: median {median:.1?}, fastest {:.1?}; {N_LINES} lines in {scaled:.3} s", times[0]);
    println!("processor time of a run: {:.1?}", busy / N_RUNS as u32);
}
