//! Does a generated loop end? The right answer, by running it with gcc's traps and comparing exact states.
//!
//! *Runs*: for every input; a state (place and all variables) that comes back proves that the run never ends, since
//! nothing is chosen after the inputs (Brent's method: the state is compared with one that is replaced after 1, 2, 4, …
//! steps). Recursion is a chain of single calls of a function of its argument, so an argument that comes back within
//! one chain proves the same. *Choices*: all states that the choices can lead to, as a graph; a cycle is an endless
//! execution. Undefined behaviour ends a run or a branch of the graph: what comes after says nothing.

use super::jumps::CELLS;
use super::loops::{LoopProgram, Shape};
use std::path::Path;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Endings {
    pub n_undefined: u64,
    /// Stopped after many steps or states: may run for ever.
    pub n_long: u64,
    pub n_endless: u64,
}

impl Endings {
    /// The right verdict, as far as the runs tell it.
    pub(super) fn expected(self) -> Option<bool> {
        if self.n_endless > 0 { Some(false) } else { (self.n_long == 0 && self.n_undefined == 0).then_some(true) }
    }
    /// Every defined execution ends: the answer *false* would be wrong.
    pub(super) fn no_endless_run(self) -> bool {
        self.n_endless == 0 && self.n_long == 0
    }
}

/// The program as craig sees it.
pub(super) fn source(program: &LoopProgram) -> String {
    let LoopProgram { declarations, start, shape, state: _ } = program;
    let body = match shape {
        Shape::Runs(body) => body.clone(),
        Shape::Choices { condition, body } => {
            format!("  while ({condition}) {{\n    int CH = __VERIFIER_nondet_uchar() & 3;\n{body}  }}\n")
        }
    };
    format!(
        "extern signed char __VERIFIER_nondet_char(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
         #define STEP(l)\n#define STEPF(l)\n#define CHAIN(n)\n#define REC(n) rec(n)\n#define K(n) n\n#define ENTER(f)\n\
         #define RETURN(e) return (e)\n#define A(i) arr[i]\n#define P_ADD(n) p += (n)\n#define DEREF (*p)\n\
         {declarations}int main(void) {{\n  \
         int IN0 = __VERIFIER_nondet_char(), IN1 = __VERIFIER_nondet_uchar();\n{start}{body}  return 0;\n}}\n"
    )
}

const HEAD: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <setjmp.h>
#include <string.h>
static sigjmp_buf back;
static void trap(int s) { (void)s; siglongjmp(back, 1); }
__attribute__((noinline)) static int K(int n) { __asm__ volatile("" : "+r"(n)); return n; }
static void catch_traps(void) {
  struct sigaction on; memset(&on, 0, sizeof on); on.sa_handler = trap; on.sa_flags = SA_NODEFER;
  sigaction(SIGILL, &on, 0); sigaction(SIGTRAP, &on, 0); sigaction(SIGFPE, &on, 0);
}
"#;

/// Prints how many runs ended well, in undefined behaviour, not in time, never.
fn harness_of_runs(program: &LoopProgram, body: &str) -> String {
    let LoopProgram { declarations, start, shape: _, state } = program;
    // Functions see the globals only, and their parameter and variable.
    let globals: String =
        state.iter().filter(|v| v.starts_with('g') || v.starts_with("arr[")).map(|v| format!("{v}, ")).collect();
    let (n, values) = (state.len() + 5, state.join(", "));
    format!(
        r#"{HEAD}
typedef struct {{ long long v[{n}]; }} State;
static State saved; static long n_steps, replace_at; static long chain_length, chain_replace_at; static long long chain_saved;
static void step(State now) {{
  if (n_steps > 0 && !memcmp(&now, &saved, sizeof now)) siglongjmp(back, 3);
  if (++n_steps > 60000) siglongjmp(back, 2);
  if (n_steps == replace_at) {{ saved = now; replace_at *= 2; }}
}}
/* Activations that are open: a call with the argument and globals of one of them never ends. */
enum {{ DEEPEST = 20000 }};
static State open[DEEPEST]; static long serial_of[DEEPEST + 1]; static long depth, n_serials;
static void enter(State now) {{
  long power = 1;
  while (2 * power <= depth) power *= 2;
  if (depth > 0 && !memcmp(&now, &open[power - 1], sizeof now)) siglongjmp(back, 3);
  if (depth == DEEPEST || ++n_steps > 60000) siglongjmp(back, 2);
  open[depth++] = now;
  serial_of[depth] = ++n_serials;
}}
static long checked(long long i) {{ if (i < 0 || i >= {CELLS}) siglongjmp(back, 1); return i; }}
#define A(i) arr[checked(i)]
#define DEREF (arr[checked(p - arr)])
#define P_ADD(n) do {{ if (p - arr + (n) < 0 || p - arr + (n) > {CELLS}) siglongjmp(back, 1); p += (n); }} while (0)
#define ENTER(f) enter((State){{{{f, {globals} n}}}})
#define RETURN(e) do {{ int value = (e); depth--; return value; }} while (0)
#define STEPF(l) step((State){{{{l, serial_of[depth], {globals} n, r}}}})
static void chain(long long n) {{
  if (chain_length > 0 && n == chain_saved) siglongjmp(back, 3);
  if (++chain_length > 20000) siglongjmp(back, 2);
  if (chain_length == chain_replace_at) {{ chain_saved = n; chain_replace_at *= 2; }}
}}
#define STEP(l) step((State){{{{l, 0, {values}}}}})
#define CHAIN(n) chain(n)
#define REC(n) (chain_length = 0, chain_replace_at = 1, rec(n))
{declarations}static int run(int IN0, int IN1) {{
{start}{body}  return 0;
}}
int main(void) {{
  catch_traps();
  static volatile long count[4]; static volatile int x, y;
  for (x = -128; x < 128; x++) for (y = 0; y < 256; y++) {{
    int kind = sigsetjmp(back, 0);
    if (kind == 0) {{ n_steps = 0; replace_at = 1; depth = 0; n_serials = 0; kind = run(x, y); }}
    count[kind]++;
    if (count[2] > 100 || count[3] > 100) goto done;
  }}
done:
  for (int k = 0; k < 4; k++) printf("%ld ", count[k]);
}}
"#
    )
}

/// The same for the graph of states, by depth-first search: a state that is met while it is still open closes a cycle.
fn harness_of_choices(program: &LoopProgram, condition: &str, body: &str) -> String {
    let LoopProgram { declarations: _, start, shape: _, state } = program;
    let n = state.len();
    let load: String = state.iter().enumerate().map(|(i, name)| format!("{name} = s->v[{i}]; ")).collect();
    let save = state.join(", ");
    format!(
        r#"{HEAD}
typedef struct {{ long long v[{n}]; }} State;
enum {{ SLOTS = 1 << 20, MOST = 400000 }};
static State table[SLOTS]; static char colour[SLOTS]; /* 1 open, 2 closed */
static long n_states;
static long slot(const State *s) {{
  unsigned long long h = 1469598103934665603ull;
  for (int i = 0; i < {n}; i++) h = (h ^ (unsigned long long)s->v[i]) * 1099511628211ull;
  long at = (long)(h % SLOTS);
  while (colour[at] && memcmp(&table[at], s, sizeof *s)) at = (at + 1) % SLOTS;
  return at;
}}
static State first(int IN0, int IN1) {{
{start}  return (State){{{{{save}}}}};
}}
/* One turn; 0 if the loop is left. */
static int turn(const State *s, int CH, State *next) {{
  int IN0 = 0, IN1 = 0;
{start}  {load}
  if (!({condition})) return 0;
{body}  *next = (State){{{{{save}}}}};
  return 1;
}}
static volatile long count[4];
static struct {{ long at; volatile int choice; }} stack[MOST + 1];
static void explore(State root) {{
  volatile long depth = 0;
  long at = slot(&root);
  if (colour[at]) return;
  table[at] = root; colour[at] = 1; n_states++;
  stack[depth].at = at; stack[depth++].choice = 0;
  while (depth > 0) {{
    int CH = stack[depth - 1].choice++;
    if (CH == 4) {{ colour[stack[--depth].at] = 2; continue; }}
    static State next;
    int kind = sigsetjmp(back, 0);
    if (kind) {{ count[1]++; continue; }}
    if (!turn(&table[stack[depth - 1].at], CH, &next)) continue;
    long to = slot(&next);
    if (colour[to] == 1) {{ count[3]++; return; }}
    if (colour[to] == 2) continue;
    if (n_states >= MOST) {{ count[2]++; return; }}
    table[to] = next; colour[to] = 1; n_states++;
    stack[depth].at = to; stack[depth++].choice = 0;
  }}
}}
int main(void) {{
  catch_traps();
  static volatile int x, y;
  for (x = -128; x < 128; x++) for (y = 0; y < 256; y++) {{
    explore(first(x, y)); count[0]++;
    if (count[2] || count[3]) goto done;
  }}
done:
  for (int k = 0; k < 4; k++) printf("%ld ", count[k]);
}}
"#
    )
}

/// `None` where gcc does not take the program.
pub(super) fn endings(
    program: &LoopProgram,
    model: super::DataModel,
    folder: &Path,
) -> Result<Option<Endings>, String> {
    let text = match &program.shape {
        Shape::Runs(body) => harness_of_runs(program, body),
        Shape::Choices { condition, body } => harness_of_choices(program, condition, body),
    };
    Ok(match super::reference::compile_and_run(&text, model, folder)?.as_deref() {
        Some(&[_, n_undefined, n_long, n_endless]) => Some(Endings { n_undefined, n_long, n_endless }),
        Some(_) | None => None,
    })
}
