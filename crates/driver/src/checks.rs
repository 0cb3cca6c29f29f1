//! Answers per check: a program has many (each addition, each access, each assertion), and the result for one is worth
//! reporting even if there is no answer for all.
//!
//! A check is *proved* if it does not fail in any execution in which no other check has failed before. So if all are
//! proved, none fails: in an execution that fails one, some check fails first.

use crate::load::Settled;
use ir::{Check, Icfg};

/// What is known of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Proved,
    Violated,
    /// Neither.
    Open,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckAnswer {
    pub check: Check,
    pub status: Status,
}

/// A check by what makes it one question.
pub(crate) fn settled(check: &Check) -> Settled {
    (check.property, check.span)
}

/// The checks of a program, all open, in the order of its text.
pub(crate) fn of_graph(graph: &Icfg) -> Vec<CheckAnswer> {
    let mut checks: Vec<&Check> = graph.locs.values().filter_map(|l| l.error.as_ref()).collect();
    checks.sort_by_key(|c| (c.span, c.property));
    checks.dedup_by_key(|c| settled(c));
    checks.into_iter().map(|c| CheckAnswer { check: c.clone(), status: Status::Open }).collect()
}

/// How many checks have a status.
pub(crate) fn count(table: &[CheckAnswer], status: Status) -> usize {
    table.iter().filter(|c| c.status == status).count()
}
