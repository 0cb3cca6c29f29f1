//! The right verdicts of a generated program, by running it for all 65,536 inputs.
//!
//! gcc traps on signed overflow, bad shifts and division by zero (`-O0`, so that nothing unused is dropped; literals
//! pass through an opaque function, so that nothing is folded); array accesses are compared with their bounds; loops
//! and recursive calls count their steps. The first event of a run is its outcome: what comes after undefined behaviour
//! says nothing.

use super::DataModel;
use super::generator::Program;
use std::path::Path;
use std::process::Command;

/// How many of the runs ended in which way; the others reached the end of `main`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcomes {
    pub n_arithmetic: u64,
    pub n_out_of_bounds: u64,
    /// Stopped after many steps: may run for ever.
    pub n_long: u64,
    pub n_assertion: u64,
}

impl Outcomes {
    pub(super) fn is_defined(self) -> bool {
        self.n_arithmetic == 0 && self.n_out_of_bounds == 0
    }

    /// The right verdict, as far as the runs tell it.
    pub(super) fn expected(self, property: &str) -> Option<bool> {
        let total = self.n_long == 0;
        match property {
            "unreach-call" if self.n_assertion > 0 => Some(false),
            "unreach-call" => (total && self.is_defined()).then_some(true),
            "no-overflow" if self.n_arithmetic > 0 => Some(false),
            "no-overflow" => (total && self.n_out_of_bounds == 0).then_some(true),
            "valid-memsafety" if self.n_out_of_bounds > 0 => Some(false),
            "valid-memsafety" => (total && self.n_arithmetic == 0).then_some(true),
            "termination" => (total && self.is_defined()).then_some(true),
            _ => None,
        }
    }
}

const STEP_LIMIT: u32 = 20_000;

fn harness(program: &Program) -> String {
    let (declarations, body) = (&program.declarations, &program.body);
    format!(
        r#"#include <stdio.h>
#include <signal.h>
#include <setjmp.h>
#include <string.h>
static sigjmp_buf back; static long steps;
static void trap(int s) {{ (void)s; siglongjmp(back, 1); }}
static void outcome(int kind) {{ siglongjmp(back, kind); }}
__attribute__((noinline)) static int K(int n) {{ __asm__ volatile("" : "+r"(n)); return n; }}
static long checked(long long i) {{ if (i < 0 || i >= 4) outcome(2); return i; }}
#define STEP do {{ if (++steps > {STEP_LIMIT}) outcome(3); }} while (0)
#define A(x, i) x[checked(i)]
#define CHECK(e) if (!(e)) outcome(4)
{declarations}static int run(int IN0, int IN1) {{
{body}  return 0;
}}
int main(void) {{
  struct sigaction on; memset(&on, 0, sizeof on); on.sa_handler = trap; on.sa_flags = SA_NODEFER;
  sigaction(SIGILL, &on, 0); sigaction(SIGTRAP, &on, 0); sigaction(SIGFPE, &on, 0);
  static volatile long count[5]; static volatile int x, y;
  for (x = -128; x < 128; x++) for (y = 0; y < 256; y++) {{
    int kind = sigsetjmp(back, 0);
    if (kind == 0) {{ steps = 0; kind = run(x, y); }}
    count[kind]++;
  }}
  for (int k = 0; k < 5; k++) printf("%ld ", count[k]);
}}
"#
    )
}

/// `None` where gcc does not take the program.
pub(super) fn outcomes(program: &Program, model: DataModel, folder: &Path) -> Result<Option<Outcomes>, String> {
    Ok(match compile_and_run(&harness(program), model, folder)?.as_deref() {
        Some(&[_, n_arithmetic, n_out_of_bounds, n_long, n_assertion]) => {
            Some(Outcomes { n_arithmetic, n_out_of_bounds, n_long, n_assertion })
        }
        Some(_) | None => None,
    })
}

/// Compiles a harness with gcc's traps, runs it, and reads the numbers that it prints.
pub(super) fn compile_and_run(harness: &str, model: DataModel, folder: &Path) -> Result<Option<Vec<u64>>, String> {
    let (source, binary) = (folder.join("reference.c"), folder.join("reference"));
    std::fs::write(&source, harness).map_err(|e| e.to_string())?;
    let compiled = Command::new("gcc")
        .args([model.gcc_flag(), "-O0", "-w", "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero"])
        .args(["-fsanitize-undefined-trap-on-error", "-o"])
        .args([&binary, &source])
        .output()
        .map_err(|e| format!("gcc does not start: {e}"))?;
    if !compiled.status.success() {
        return Ok(None);
    }
    let run = Command::new(&binary).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&run.stdout);
    Ok(Some(text.split_whitespace().filter_map(|n| n.parse().ok()).collect()))
}
