//! The question whether a procedure of a Boogie program is called, as errors at its calls.

use ir::{Check, InstrKind, ProcId, Program, Stmt, Subproperty};
use logic::TermId;
use std::collections::BTreeSet;

/// The error functions of C programs. Boogie programs have assertions for that.
const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Makes the calls of a procedure the only errors of a program. An assertion that fails ends the execution, and
/// contracts are not checked.
///
/// If no procedure with the name of C's error functions is called, the assertions remain the errors: that is what a
/// property file for C means.
pub(crate) fn only_calls_of(program: &mut Program, name: &str) {
    let is_named = |of: &str| of == name || of.strip_prefix(name).is_some_and(|rest| rest.starts_with('<'));
    let named: BTreeSet<ProcId> = program.procs.iter().filter(|(_, p)| is_named(&p.name)).map(|(id, _)| id).collect();
    if named.is_empty() && ERROR_FUNCTIONS.contains(&name) {
        return;
    }
    for (_, procedure) in program.procs.iter_mut() {
        procedure.requires.iter_mut().chain(&mut procedure.ensures).for_each(|clause| clause.free = true);
        let Some(body) = &mut procedure.body else { continue };
        for mut instruction in std::mem::take(&mut body.instrs) {
            match &instruction.kind {
                InstrKind::Assert(condition, _) => instruction.kind = InstrKind::Stmt(Stmt::Assume(*condition)),
                InstrKind::Call { callee, .. } | InstrKind::Fork { callee, .. } if named.contains(callee) => {
                    let check = Check::new(Subproperty::UnreachCall, format!("{name} is called"), instruction.span);
                    let mut error = instruction.clone();
                    error.kind = InstrKind::Assert(TermId::FALSE, check);
                    body.instrs.push(error);
                }
                _ => {}
            }
            body.instrs.push(instruction);
        }
    }
}
