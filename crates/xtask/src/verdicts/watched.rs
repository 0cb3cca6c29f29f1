//! What the runs of programs made of pieces show, for every input: many programs in one executable, each run in a
//! process of its own.
//!
//! *Sanitized*: gcc's address and undefined-behaviour sanitizers. Blocks are counted by wrappers of `malloc` and its
//! like, which also see wrong `free`s and, at the end, which blocks can be reached from static objects. Memory that
//! nobody wrote is filled with two patterns: where the outcomes differ, nothing is known. *Threads*: the thread
//! sanitizer, several runs. *Freestanding*: `gcc -m32` without any library (it is rarely installed), the handlers of
//! the undefined-behaviour sanitizer being a part of the harness; only for programs that access memory well.

use super::DataModel;
use super::assembled::{N_CHOICES, N_FIRST, N_SECOND, Program};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// How programs are watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Watch {
    Sanitized(DataModel),
    Threads,
    Freestanding,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Outcome {
    /// With this `acc`; are there blocks at the end, and some that nothing points to?
    Ended {
        acc: i64,
        live: bool,
        lost: bool,
    },
    /// By an assumption, `exit` or `abort`.
    Stopped,
    Assertion,
    Overflow,
    Deref,
    Free,
    Race,
    /// Undefined, but no matter of the properties; or nothing is known.
    Other,
}

pub(super) const HEADERS: [&str; 20] = [
    "alloca.h",
    "assert.h",
    "ctype.h",
    "errno.h",
    "limits.h",
    "math.h",
    "pthread.h",
    "semaphore.h",
    "stdarg.h",
    "stdatomic.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "sys/wait.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "signal.h",
];

/// What pieces may ask of the harness: events, and names of other tools.
const EVENTS: &str = r#"
#define DEREF event("DEREF");
#define FREE event("FREE");
#define OVERFLOW event("OVERFLOW");
#define OTHER event("OTHER");
#define reach_error() event("ASSERT")
#define assert(e) ((e) ? (void)0 : event("ASSERT"))
#define __CPROVER_assert(e, text) assert(e)
#define __ESBMC_assert(e, text) assert(e)
#define __CPROVER_assume(e) ((e) ? (void)0 : event("STOP"))
#define __ESBMC_assume(e) __CPROVER_assume(e)
#define __VERIFIER_assume(e) __CPROVER_assume(e)
#define __CPROVER_bool _Bool
static void my_abort(void) { event("STOP"); }
static void my_exit(int n) { (void)n; event("STOP"); }
#define abort my_abort
#define exit my_exit
#define _Exit my_exit
#define __builtin_trap my_abort
static int CHOICE;
"#;

const BLOCKS: &str = r#"
static struct { char *base; size_t size; int live, reached; } blocks[1000]; static int n_blocks;
static void event(const char *what) { fprintf(stderr, "EVENT %s\n", what); _exit(0); }
static int block_of(void *p) { for (int i = n_blocks - 1; i >= 0; i--) if (blocks[i].base == (char *)p) return i; return -1; }
static void *note(void *p, size_t n) { blocks[n_blocks].base = p; blocks[n_blocks].size = n; blocks[n_blocks++].live = 1; return p; }
static void *my_malloc(size_t n) { return note(malloc(n), n); }
static void *my_calloc(size_t n, size_t m) { return note(calloc(n, m), n * m); }
static void my_free(void *p) { if (!p) return; int b = block_of(p); if (b < 0 || !blocks[b].live) event("FREE"); blocks[b].live = 0; free(p); }
static void *my_realloc(void *p, size_t n) { if (!p) return my_malloc(n); int b = block_of(p); if (b < 0 || !blocks[b].live) event("FREE"); blocks[b].live = 0; return note(realloc(p, n), n); }
static char *my_strdup(const char *s) { return note(strdup(s), strlen(s) + 1); }
static char *my_strndup(const char *s, size_t n) { char *p = strndup(s, n); return note(p, strlen(p) + 1); }
static int my_posix_memalign(void **at, size_t a, size_t n) { int r = posix_memalign(at, a, n); if (!r) note(*at, n); return r; }
struct root { void *at; size_t size; };
__attribute__((no_sanitize("address"))) static void scan(char *from, size_t size) {
  for (size_t i = 0; i + sizeof(char *) <= size; i += sizeof(char *)) {
    char *p = *(char **)(from + i);
    for (int b = 0; b < n_blocks; b++) if (blocks[b].live && !blocks[b].reached && p >= blocks[b].base && p <= blocks[b].base + blocks[b].size) {
      blocks[b].reached = 1; scan(blocks[b].base, blocks[b].size);
    }
  }
}
"#;

const WRAPPERS: &str = r#"
#define malloc my_malloc
#define calloc my_calloc
#define free my_free
#define realloc my_realloc
#define strdup my_strdup
#define strndup my_strndup
#define posix_memalign my_posix_memalign
"#;

const SANITIZED_MAIN: &str = r#"
#undef exit
__attribute__((no_sanitize("address"), noinline)) static void scribble(int fill) { volatile char room[16384]; for (unsigned i = 0; i < sizeof room; i++) room[i] = (char)fill; }
static void report(int acc, struct root *roots) {
  for (; roots && roots->at; roots++) scan(roots->at, roots->size);
  int live = 0, lost = 0;
  for (int b = 0; b < n_blocks; b++) { live |= blocks[b].live; lost |= blocks[b].live && !blocks[b].reached; }
  fprintf(stderr, "VALUE %d %d %d\n", acc, live, lost);
}
int main(int argc, char **argv) {
  int fill = atoi(argv[1]), repeat = atoi(argv[2]);
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
    for (int in = 0; in < (programs[i].has_inputs ? N_FIRST * N_SECOND : 1); in++)
      for (int choice = 0; choice < (programs[i].has_choice ? N_CHOICES : 1); choice++)
        for (int again = 0; again < repeat; again++) {
          fprintf(stderr, "RUN %u\n", i);
          int child = fork(), status = 0;
          if (child == 0) {
            alarm(4); CHOICE = choice; scribble(fill);
            report(programs[i].run(in / N_SECOND, in % N_SECOND), programs[i].roots);
            _exit(0);
          }
          waitpid(child, &status, 0);
          if (WIFSIGNALED(status)) fprintf(stderr, "SIGNAL %d\n", WTERMSIG(status));
        }
  return 0;
}
"#;

const FREESTANDING_HEAD: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>
#define PLAIN __attribute__((no_sanitize("undefined")))
PLAIN static int call(int n, int a, int b, int c) { int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory"); return r; }
PLAIN void *memcpy(void *to, const void *from, size_t n) { for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i]; return to; }
PLAIN void *memset(void *to, int c, size_t n) { for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = (char)c; return to; }
PLAIN int memcmp(const void *a, const void *b, size_t n) { for (size_t i = 0; i < n; i++) if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i]) return ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i]; return 0; }
PLAIN size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
PLAIN static void text(const char *s) { call(4, 2, (int)s, (int)strlen(s)); }
PLAIN static void number(int n) { char b[12]; int i = 12, minus = n < 0; unsigned u = minus ? -(unsigned)n : (unsigned)n; b[--i] = 0; do b[--i] = (char)('0' + u % 10); while (u /= 10); if (minus) b[--i] = '-'; text(b + i); }
PLAIN static void event(const char *what) { text("EVENT "); text(what); text("\n"); call(1, 0, 0, 0); for (;;) ; }
PLAIN unsigned long long __udivmoddi4(unsigned long long a, unsigned long long b, unsigned long long *r) {
  unsigned long long q = 0, m = 0; for (int i = 63; i >= 0; i--) { m = m << 1 | (a >> i & 1); q <<= 1; if (m >= b) { m -= b; q |= 1; } } if (r) *r = m; return q; }
PLAIN unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return __udivmoddi4(a, b, 0); }
PLAIN unsigned long long __umoddi3(unsigned long long a, unsigned long long b) { unsigned long long r; __udivmoddi4(a, b, &r); return r; }
PLAIN long long __divdi3(long long a, long long b) { unsigned long long q = __udivmoddi4(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, 0); return (a < 0) != (b < 0) ? -q : q; }
PLAIN long long __moddi3(long long a, long long b) { unsigned long long r; __udivmoddi4(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, &r); return a < 0 ? -r : r; }
#define HANDLER(name, what) PLAIN void __ubsan_handle_##name##_abort(void) { event(what); }
HANDLER(add_overflow, "OVERFLOW") HANDLER(sub_overflow, "OVERFLOW") HANDLER(mul_overflow, "OVERFLOW") HANDLER(negate_overflow, "OVERFLOW")
HANDLER(shift_out_of_bounds, "OTHER") HANDLER(out_of_bounds, "OTHER") HANDLER(vla_bound_not_positive, "OTHER") HANDLER(pointer_overflow, "OTHER") HANDLER(type_mismatch_v1, "DEREF")
PLAIN void __ubsan_handle_divrem_overflow_abort(void *data, unsigned left, unsigned right) { (void)data; (void)left; event(right ? "OVERFLOW" : "OTHER"); }
#define alloca __builtin_alloca
struct root { void *at; size_t size; };
"#;

const FREESTANDING_MAIN: &str = r#"
PLAIN void begin(void) {
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
    for (int in = 0; in < (programs[i].has_inputs ? N_FIRST * N_SECOND : 1); in++)
      for (int choice = 0; choice < (programs[i].has_choice ? N_CHOICES : 1); choice++) {
        text("RUN "); number((int)i); text("\n");
        int child = call(2, 0, 0, 0), status = 0;
        if (child == 0) {
          call(27, 4, 0, 0); CHOICE = choice;
          int acc = programs[i].run(in / N_SECOND, in % N_SECOND);
          text("VALUE "); number(acc); text(" 0 0\n"); call(1, 0, 0, 0);
        }
        call(7, child, (int)&status, 0);
        if (status & 127) { text("SIGNAL "); number(status & 127); text("\n"); }
      }
  call(1, 0, 0, 0);
}
__asm__(".globl _start\n_start: andl $-16, %esp\n call begin\n");
"#;

impl Watch {
    fn harness(self, programs: &[&Program]) -> String {
        let mut text = String::new();
        match self {
            Watch::Freestanding => text.push_str(FREESTANDING_HEAD),
            Watch::Sanitized(_) | Watch::Threads => {
                text.push_str("#define _GNU_SOURCE\n");
                for header in HEADERS {
                    let _ = writeln!(text, "#include <{header}>");
                }
                text.push_str(BLOCKS);
            }
        }
        text.push_str("#undef assert\n");
        text.push_str(EVENTS);
        if matches!(self, Watch::Sanitized(_)) {
            text.push_str(WRAPPERS);
        }
        let mut table = String::new();
        for (i, program) in programs.iter().enumerate() {
            let _ = write!(text, "{}", program.for_the_reference(i));
            let _ = writeln!(
                table,
                "  {{ run_{i}, roots_{i}, {}, {} }},",
                u8::from(program.has_inputs),
                u8::from(program.has_choice)
            );
        }
        let _ = writeln!(
            text,
            "enum {{ N_FIRST = {N_FIRST}, N_SECOND = {N_SECOND}, N_CHOICES = {N_CHOICES} }};\n\
             static struct {{ int (*run)(int, int); struct root *roots; int has_inputs, has_choice; }} programs[] = {{\n{table}}};"
        );
        text.push_str(if self == Watch::Freestanding { FREESTANDING_MAIN } else { SANITIZED_MAIN });
        text
    }

    fn flags(self) -> Vec<&'static str> {
        let mut flags = vec!["-std=gnu11", "-O0", "-w", "-fno-builtin"];
        flags.extend(match self {
            Watch::Sanitized(model) => vec![
                model.gcc_flag(),
                "-msse2",
                "-mfpmath=sse",
                "-fsanitize=address,signed-integer-overflow,shift,integer-divide-by-zero,bounds,null,vla-bound,pointer-overflow",
                "-fno-sanitize-recover=all",
                "-fsanitize-recover=bounds",
            ],
            Watch::Threads => vec!["-fsanitize=thread"],
            Watch::Freestanding => vec![
                "-m32",
                "-msse2",
                "-mfpmath=sse",
                "-ffreestanding",
                "-nostdlib",
                "-static",
                "-fno-pie",
                "-no-pie",
                "-fno-stack-protector",
                "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds,null,vla-bound",
                "-fno-sanitize-recover=all",
            ],
        });
        flags
    }
    /// The arguments of the runs: what fills memory, and how often.
    fn executions(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Watch::Sanitized(_) => &[("170", "1"), ("0", "1")],
            Watch::Threads => &[("0", "2")],
            Watch::Freestanding => &[("0", "1")],
        }
    }
}

fn classify(report: &str) -> Outcome {
    let any = |texts: &[&str]| texts.iter().any(|t| report.contains(t));
    if any(&["WARNING: ThreadSanitizer: data race"]) {
        return Outcome::Race;
    }
    if let Some(event) = report.lines().find_map(|l| l.strip_prefix("EVENT ")) {
        return match event {
            "FREE" => Outcome::Free,
            "DEREF" => Outcome::Deref,
            "OVERFLOW" => Outcome::Overflow,
            "ASSERT" => Outcome::Assertion,
            "STOP" => Outcome::Stopped,
            _ => Outcome::Other,
        };
    }
    if any(&["runtime error: signed integer overflow", "runtime error: negation of", "runtime error: division of"]) {
        Outcome::Overflow
    } else if any(&[
        "null pointer of type",
        "within null pointer",
        "buffer-overflow",
        "buffer-underflow",
        "use-after",
        "SEGV",
        "SIGNAL 11",
        "dynamic-stack",
        "unknown-crash",
        "underwrite",
    ]) {
        Outcome::Deref
    } else if any(&["runtime error", "ERROR: ", "WARNING: ", "SIGNAL "]) {
        Outcome::Other
    } else if let Some(line) = report.lines().find_map(|l| l.strip_prefix("VALUE ")) {
        let numbers: Vec<i64> = line.split(' ').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [acc, live, lost] => Outcome::Ended { acc, live: live != 0, lost: lost != 0 },
            _ => Outcome::Other,
        }
    } else {
        Outcome::Other
    }
}

/// The outcomes of each program for all inputs and choices; `None` for those that gcc does not take.
pub(super) fn outcomes(
    programs: &[&Program],
    watch: Watch,
    folder: &Path,
) -> Result<Vec<Option<BTreeSet<Outcome>>>, String> {
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let (source, binary) = (folder.join("watched.c"), folder.join("watched"));
    std::fs::write(&source, watch.harness(programs)).map_err(|e| e.to_string())?;
    let compiled = Command::new("gcc")
        .args(watch.flags())
        .arg("-o")
        .args([&binary, &source])
        .args(if watch == Watch::Freestanding { &[][..] } else { &["-lm", "-lpthread"] })
        .output()
        .map_err(|e| format!("gcc does not start: {e}"))?;
    if !compiled.status.success() {
        if programs.len() == 1 {
            let message = String::from_utf8_lossy(&compiled.stderr);
            let errors: Vec<&str> = message.lines().filter(|l| l.contains("error")).take(3).collect();
            eprintln!("gcc: {}", errors.join("\n"));
            return Ok(vec![None]);
        }
        let (left, right) = programs.split_at(programs.len() / 2);
        let mut all = outcomes(left, watch, folder)?;
        all.extend(outcomes(right, watch, folder)?);
        return Ok(all);
    }
    let mut executions = Vec::new();
    for (fill, repeat) in watch.executions() {
        let output = Command::new(&binary)
            .args([fill, repeat])
            .env("ASAN_OPTIONS", format!("symbolize=0:detect_leaks=0:detect_stack_use_after_return=1:max_malloc_fill_size=4096:malloc_fill_byte={fill}"))
            .env("UBSAN_OPTIONS", "symbolize=0:print_stacktrace=0")
            .env("TSAN_OPTIONS", "symbolize=0:atexit_sleep_ms=0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .map_err(|e| e.to_string())?;
        executions.push(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let runs: Vec<Vec<(usize, Outcome)>> = executions.iter().map(|text| runs_of(text)).collect();
    let mut all: Vec<BTreeSet<Outcome>> = vec![BTreeSet::new(); programs.len()];
    for (number, (program, outcome)) in runs[0].iter().enumerate() {
        let same = runs.iter().all(|other| other.get(number) == Some(&(*program, *outcome)));
        if let Some(set) = all.get_mut(*program) {
            set.insert(if same { *outcome } else { Outcome::Other });
        }
    }
    Ok(all.into_iter().map(|set| (!set.is_empty()).then_some(set)).collect())
}

/// The reports of an execution, by program.
fn runs_of(text: &str) -> Vec<(usize, Outcome)> {
    text.split("RUN ")
        .skip(1)
        .filter_map(|report| {
            let (number, rest) = report.split_once('\n')?;
            Some((number.parse().ok()?, classify(rest)))
        })
        .collect()
}
