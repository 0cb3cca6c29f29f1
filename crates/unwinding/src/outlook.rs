//! Does the end of a loop come nearer?
//!
//! Nobody has to believe the answer: it decides how long a loop is unwound, not what is concluded. Two things tell.
//! Where constants decide that an edge out of the loop is not taken, the distance of the two numbers that it compares
//! shrinks from iteration to iteration. Where the solver has to decide, a condition that is new in the guard of an
//! iteration compares a constant that changes with a term of known range. A condition over values that were chosen in
//! the last iteration brings no end nearer.

use crate::State;
use crate::range;
use crate::values::{Known, Values};
use ir::EdgeId;
use logic::{FastMap, FastSet, Op, TermId, TermPool};

/// What can be said of the end of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// Few iterations are left.
    Near,
    /// Many are, or nothing that decides about the end comes nearer.
    Far,
    Unclear,
}

/// More iterations than these are many.
const NEAR: i128 = 256;
/// More parts of a condition are not looked at.
const MAX_PARTS: usize = 500;

/// What was seen of a loop while it was unwound.
#[derive(Clone, Default)]
pub(crate) struct Progress {
    /// How far edges out of the loop were from being taken.
    distances: FastMap<EdgeId, i128>,
    /// The fewest iterations after which one of them is taken, by the last iteration.
    remaining: Option<i128>,
    /// The constants that terms were compared with, in the last iteration and in the one before.
    compared: FastMap<TermId, i128>,
    before: FastMap<TermId, i128>,
    /// Terms from this one on were made in the last iteration.
    first_new: u32,
}

impl Progress {
    pub(crate) fn new(pool: &TermPool) -> Progress {
        Progress { first_new: pool.n_terms() as u32, ..Progress::default() }
    }

    /// An edge out of the loop is not taken, by this distance.
    pub(crate) fn stays(&mut self, edge: EdgeId, distance: i128) {
        if let Some(before) = self.distances.insert(edge, distance)
            && distance < before
        {
            let left = distance / (before - distance) + 1;
            self.remaining = Some(self.remaining.map_or(left, |other| other.min(left)));
        }
    }

    pub(crate) fn remaining(&self) -> Option<i128> {
        self.remaining
    }

    /// Another iteration begins.
    pub(crate) fn next(&mut self, pool: &TermPool) {
        self.remaining = None;
        self.before = std::mem::take(&mut self.compared);
        self.first_new = pool.n_terms() as u32;
    }

    /// By the conditions that an iteration depends on and the one before did not.
    pub(crate) fn outlook(
        &mut self,
        pool: &TermPool,
        values: &mut Values,
        guard_before: &[TermId],
        state: &State,
    ) -> Outlook {
        let by_constants = self.remaining.map(|left| if left <= NEAR { Outlook::Near } else { Outlook::Far });
        let new = state.guard.iter().copied().filter(|c| guard_before.binary_search(c).is_err());
        let mut parts: Vec<Outlook> = by_constants.into_iter().collect();
        for condition in new {
            parts.push(self.condition(pool, values, &state.known, condition, true, 8));
        }
        all_of(parts)
    }

    fn condition(
        &mut self,
        pool: &TermPool,
        values: &mut Values,
        known: &Known,
        condition: TermId,
        holds: bool,
        depth: u32,
    ) -> Outlook {
        if depth == 0 {
            return Outlook::Unclear;
        }
        let op = pool.op(condition);
        let args = pool.args(condition);
        match op {
            Op::Not => return self.condition(pool, values, known, args[0], !holds, depth - 1),
            Op::And | Op::Or if args.len() <= MAX_PARTS => {
                let parts =
                    args.iter().map(|&a| self.condition(pool, values, known, a, holds, depth - 1)).collect::<Vec<_>>();
                return if (op == Op::And) == holds { all_of(parts) } else { one_of(parts) };
            }
            Op::App(_) if args.is_empty() => {
                if let Some(meaning) = values.meaning(pool, condition) {
                    return self.condition(pool, values, known, meaning, holds, depth - 1);
                }
            }
            _ => {}
        }
        if self.is_new(pool, values, condition) {
            return Outlook::Far;
        }
        self.comparison(pool, values, known, condition, holds).unwrap_or(Outlook::Unclear)
    }

    /// A constant that changes from iteration to iteration is compared with a term: when will it be beyond its range?
    fn comparison(
        &mut self,
        pool: &TermPool,
        values: &mut Values,
        known: &Known,
        atom: TermId,
        holds: bool,
    ) -> Option<Outlook> {
        let op = pool.op(atom);
        let is_unsigned = matches!(op, Op::BvUle | Op::BvUlt);
        if !is_unsigned && !matches!(op, Op::Eq | Op::Le | Op::Lt | Op::BvSle | Op::BvSlt) || (op == Op::Eq && holds) {
            return None;
        }
        let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
        let (constant, term, is_left) = match (range::number(pool, a), range::number(pool, b)) {
            (Some(constant), None) => (constant, b, true),
            (None, Some(constant)) => (constant, a, false),
            _ => return None,
        };
        self.compared.insert(term, constant);
        let step = (constant - self.before.get(&term)?).abs();
        if step == 0 {
            return None;
        }
        let Some(range) = values.range_known(pool, known, term).filter(|r| !is_unsigned || r.low >= 0) else {
            return Some(Outlook::Far);
        };
        let (up, down) = (range.high.saturating_sub(constant), constant.saturating_sub(range.low));
        let room = match op {
            Op::Eq => up.max(down),
            // The constant is below the term.
            _ if is_left == holds => up,
            _ => down,
        };
        Some(if room / step <= NEAR { Outlook::Near } else { Outlook::Far })
    }

    /// Does a condition depend on nothing that was there before the last iteration?
    fn is_new(&self, pool: &TermPool, values: &Values, condition: TermId) -> bool {
        let mut seen = FastSet::default();
        let mut open = vec![condition];
        let mut has_symbol = false;
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            if seen.len() > MAX_PARTS {
                return false;
            }
            open.extend_from_slice(pool.args(t));
            if matches!(pool.op(t), Op::App(_)) {
                has_symbol = true;
                if t.0 < self.first_new {
                    return false;
                }
                if let Some(definitions) = values.definitions.get(&t) {
                    open.extend_from_slice(definitions);
                }
            }
        }
        has_symbol
    }
}

/// Of conditions that all have to hold for another iteration.
fn all_of(parts: Vec<Outlook>) -> Outlook {
    if parts.contains(&Outlook::Near) {
        Outlook::Near
    } else if !parts.is_empty() && parts.iter().all(|p| *p == Outlook::Far) {
        Outlook::Far
    } else {
        Outlook::Unclear
    }
}

/// Of conditions of which one is enough.
fn one_of(parts: Vec<Outlook>) -> Outlook {
    if parts.contains(&Outlook::Far) {
        Outlook::Far
    } else if !parts.is_empty() && parts.iter().all(|p| *p == Outlook::Near) {
        Outlook::Near
    } else {
        Outlook::Unclear
    }
}
