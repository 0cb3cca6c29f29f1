//! Other solvers, as programs that read SMT-LIB from standard input: z3 and cvc5 if they are on the path, else cvc5
//! as a package of Python.
//!
//! Many scripts go to one process, each inside a scope of its own, each check with a time limit of its own. (Resetting
//! the solver between scripts costs z3 fifteen times the time of a small check.)

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How much longer a doubtful script may take.
const PATIENCE: u32 = 30;

/// A solver that was found.
pub(super) struct Oracle {
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Z3,
    Cvc5,
    Cvc5InPython,
}

/// What `cvc5 --incremental -` does, for installations that have only the package of Python.
const CVC5_IN_PYTHON: &str = r#"
import cvc5, sys
terms = cvc5.TermManager()
solver = cvc5.Solver(terms)
for option in ["incremental", "arrays-exp", "fresh-declarations"]:
    solver.setOption(option, "true")
symbols = cvc5.SymbolManager(terms)
parser = cvc5.InputParser(solver, symbols)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "stdin")
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    sys.stdout.write(command.invoke(solver, symbols))
    sys.stdout.flush()
"#;

/// What z3 and cvc5 are not asked.
fn understands(kind: Kind, script: &str) -> bool {
    match kind {
        Kind::Z3 => true,
        // Constant arrays must have values as elements, and a name is declared once for all sorts.
        Kind::Cvc5 | Kind::Cvc5InPython => !script.contains("(as const") && !script.contains("@diff"),
    }
}

impl Oracle {
    /// The solvers of this machine.
    pub(super) fn found() -> Vec<Oracle> {
        let works = |kind: &Kind| {
            let script = "(assert false)(check-sat)".to_string();
            Oracle { kind: *kind }.ask(&[&script], Duration::from_secs(1)) == [["unsat"]]
        };
        let z3 = [Kind::Z3].into_iter().find(works);
        let cvc5 = [Kind::Cvc5, Kind::Cvc5InPython].into_iter().find(works);
        z3.into_iter().chain(cvc5).map(|kind| Oracle { kind }).collect()
    }
    pub(super) fn name(&self) -> &'static str {
        match self.kind {
            Kind::Z3 => "z3",
            Kind::Cvc5 | Kind::Cvc5InPython => "cvc5",
        }
    }
    fn program(&self) -> &'static str {
        match self.kind {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
            Kind::Cvc5InPython => "python3",
        }
    }
    fn arguments(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Z3 => &["-in"],
            Kind::Cvc5 => &["--incremental", "--arrays-exp", "--fresh-declarations", "-"],
            Kind::Cvc5InPython => &["-c", CVC5_IN_PYTHON],
        }
    }
    /// The answers to one script that gave rise to doubts: alone, with time. (z3 may say *sat* when its time is over.)
    pub(super) fn ask_again(&self, script: &String, limit: Duration) -> Vec<String> {
        self.ask(&[script], limit * PATIENCE).pop().unwrap_or_default()
    }
    /// The answers (`sat`, `unsat`, anything else is no answer) to the checks of each script.
    pub(super) fn ask(&self, scripts: &[&String], limit: Duration) -> Vec<Vec<String>> {
        let option = match self.kind {
            Kind::Z3 => ":timeout",
            Kind::Cvc5 | Kind::Cvc5InPython => ":tlimit-per",
        };
        let mut input = format!("(set-option {option} {})\n", limit.as_millis());
        if self.kind == Kind::Z3 {
            // Its array solver is not complete for constant arrays over few indices, and says so only when asked.
            input.push_str("(set-option :model_validate true)\n");
        }
        input.push_str("(set-logic ALL)\n");
        for (k, script) in scripts.iter().enumerate().filter(|(_, script)| understands(self.kind, script)) {
            input.push_str(&format!("(push 1)\n(echo \"script {k}\")\n{script}\n(pop 1)\n"));
        }
        let mut answers = vec![Vec::new(); scripts.len()];
        let child = Command::new(self.program())
            .args(self.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = child else { return answers };
        // Written by another thread: the answers would fill the pipe otherwise.
        let writer = child.stdin.take().map(|mut stdin| {
            std::thread::spawn(move || {
                // A solver that ended early has given the answers it had.
                let _ = stdin.write_all(input.as_bytes());
            })
        });
        let Ok(output) = child.wait_with_output() else { return answers };
        if let Some(writer) = writer {
            let _ = writer.join();
        }
        let mut current = None;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some(number) = line.trim_matches('"').strip_prefix("script ") {
                current = number.parse::<usize>().ok();
            } else if matches!(line, "sat" | "unsat" | "unknown" | "timeout")
                && let Some(list) = current.and_then(|k| answers.get_mut(k))
            {
                list.push(line.to_string());
            } else if line.contains("invalid model")
                && let Some(answer) = current.and_then(|k| answers.get_mut(k)?.last_mut())
            {
                *answer = "unknown".to_string();
            }
        }
        answers
    }
}
