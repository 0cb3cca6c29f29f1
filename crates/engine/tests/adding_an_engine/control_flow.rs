//! Errors that no path of the control-flow graph leads to: a proof without a solver.
//!
//! Textbook reachability. An edge is followed unless it is `assume false`. If no error location is reached, the empty
//! annotation (`true` everywhere) is inductive and proves the property.

use engine::{Cost, Ctx, Engine, Gives, Profile, Task, Wants};
use ir::{Annotation, Certificate, Label, Reason, Stmt, Verdict};
use logic::TermId;
use std::collections::BTreeSet;

pub(crate) struct ControlFlow;

impl Engine for ControlFlow {
    fn name(&self) -> &'static str {
        "control-flow"
    }
    fn summary(&self) -> &'static str {
        "proves programs in which no path leads to an error"
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Quick, wants: Wants::NoCalls, needs: &[], gives: &[Gives::Proofs] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let icfg = task.icfg;
        let mut reached = BTreeSet::from([icfg.entry()]);
        let mut waiting = vec![icfg.entry()];
        while let Some(loc) = waiting.pop() {
            if let Err(stop) = ctx.budget.check() {
                return Verdict::Unknown(stop.into());
            }
            if icfg.locs[loc].error.is_some() {
                return Verdict::Unknown(Reason::Exhausted("a path leads to an error".to_string()));
            }
            for &edge in icfg.out_edges(loc) {
                let edge = &icfg.edges[edge];
                let is_blocked = matches!(edge.label, Label::Stmt(Stmt::Assume(TermId::FALSE)));
                if !is_blocked && reached.insert(edge.dst) {
                    waiting.push(edge.dst);
                }
            }
        }
        ctx.stats.set("reached locations", reached.len() as u64);
        Verdict::Holds(Certificate::Annotation(Annotation::default()))
    }
}
