//! Other solvers, as programs on the path that read SMT-LIB from standard input.
//!
//! Many scripts go to one process, separated by `(reset)`, each with a time limit of its own.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// A solver that was found.
pub struct Oracle {
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Z3,
    Cvc5,
}

impl Oracle {
    /// The solvers on the path.
    pub fn found() -> Vec<Oracle> {
        [Kind::Z3, Kind::Cvc5]
            .into_iter()
            .map(|kind| Oracle { kind })
            .filter(|oracle| oracle.ask(&["(assert false)(check-sat)".to_string()]) == [["unsat"]])
            .collect()
    }
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
        }
    }
    fn arguments(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Z3 => &["-in"],
            Kind::Cvc5 => &["--incremental", "--arrays-exp", "--fresh-declarations", "-"],
        }
    }
    /// The answers (`sat`, `unsat`, anything else is no answer) to the checks of each script.
    pub fn ask(&self, scripts: &[String]) -> Vec<Vec<String>> {
        let mut input = String::new();
        for (k, script) in scripts.iter().enumerate() {
            let limit = match self.kind {
                Kind::Z3 => ":timeout 2000",
                Kind::Cvc5 => ":tlimit-per 2000",
            };
            input.push_str(&format!(
                "(reset)\n(set-option {limit})\n(set-logic ALL)\n(echo \"script {k}\")\n{script}\n"
            ));
        }
        let mut answers = vec![Vec::new(); scripts.len()];
        let child = Command::new(self.name())
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
            }
        }
        answers
    }
}
