//! Atomic sections of threads, as one step each.
//!
//! In the product of threads an atomic section is several edges, so that what happens in it can be observed. Between
//! them no other thread can step, but that does not mean that it blocks: for the others the section is one step. And a
//! thread that could not finish its section does not begin it: it waits before.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Note, Stmt};
use logic::{FastMap, FastSet, TermId, TermPool};
use std::collections::BTreeSet;

/// Conditions of more nodes than this are given up.
const MAX_CONDITION: usize = 500;

/// When a step cannot be taken.
#[derive(Clone, Copy)]
pub(super) struct Blocked {
    pub(super) condition: TermId,
    /// Else it may be possible all the same.
    pub(super) is_exact: bool,
}

impl Blocked {
    const NEVER: Blocked = Blocked { condition: TermId::FALSE, is_exact: true };
    const PERHAPS: Blocked = Blocked { condition: TermId::TRUE, is_exact: false };
}

/// The atomic sections of a graph of threads that surely end.
pub(super) struct Sections<'a> {
    icfg: &'a Icfg,
    short: FastSet<LocId>,
    known: FastMap<LocId, Blocked>,
}

impl<'a> Sections<'a> {
    /// `inside`: the locations in sections. Sections with loops are excluded: an execution may stay in one forever.
    pub(super) fn new(icfg: &'a Icfg, inside: &BTreeSet<LocId>) -> Sections<'a> {
        let next = |loc: LocId| {
            let out = icfg.out_edges(loc).iter().map(|e| icfg.edges[*e].dst);
            out.filter(|to| inside.contains(to))
        };
        let mut open: FastMap<LocId, usize> = inside.iter().map(|&loc| (loc, next(loc).count())).collect();
        let mut short = FastSet::default();
        let mut work: Vec<LocId> = inside.iter().copied().filter(|loc| open.get(loc) == Some(&0)).collect();
        while let Some(loc) = work.pop() {
            short.insert(loc);
            for &edge in icfg.in_edges(loc) {
                let from = icfg.edges[edge].src;
                if let Some(n) = open.get_mut(&from) {
                    *n -= 1;
                    if *n == 0 {
                        work.push(from);
                    }
                }
            }
        }
        Sections { icfg, short, known: FastMap::default() }
    }

    /// Is a location in the middle of a step?
    pub(super) fn is_inside(&self, loc: LocId) -> bool {
        self.short.contains(&loc)
    }

    /// When a step, or the section that begins with it, cannot be taken.
    pub(super) fn blocked(&mut self, edge: EdgeId, pool: &mut TermPool) -> Blocked {
        let data = &self.icfg.edges[edge];
        let later = self.blocked_at(data.dst, pool);
        let condition = match &data.label {
            // What holds in every execution blocks none.
            Label::Stmt(Stmt::Assume(_)) if data.note == Note::Fact => later.condition,
            Label::Stmt(Stmt::Assume(condition)) => {
                let fails = pool.not(*condition);
                pool.or2(fails, later.condition)
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let values: Vec<(TermId, TermId)> = pairs.iter().map(|&(v, t)| (self.icfg.term(v), t)).collect();
                pool.substitute(later.condition, &values)
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                let changed: Vec<TermId> = vars.iter().map(|&v| self.icfg.term(v)).collect();
                if pool.free_constants(later.condition).iter().any(|c| changed.contains(c)) {
                    return Blocked::PERHAPS;
                }
                later.condition
            }
            _ => later.condition,
        };
        if pool.dag_size(condition) > MAX_CONDITION {
            return Blocked::PERHAPS;
        }
        Blocked { condition, ..later }
    }

    /// When the rest of a section cannot be finished.
    fn blocked_at(&mut self, loc: LocId, pool: &mut TermPool) -> Blocked {
        if !self.short.contains(&loc) || self.icfg.locs[loc].error.is_some() {
            return Blocked::NEVER;
        }
        if let Some(&known) = self.known.get(&loc) {
            return known;
        }
        let out = self.icfg.out_edges(loc).to_vec();
        // Without a way out nothing is finished.
        let found = self.all_blocked(&out, pool);
        self.known.insert(loc, found);
        found
    }

    /// When none of some steps can be taken.
    pub(super) fn all_blocked(&mut self, edges: &[EdgeId], pool: &mut TermPool) -> Blocked {
        let each: Vec<Blocked> = edges.iter().map(|&e| self.blocked(e, pool)).collect();
        let conditions: Vec<TermId> = each.iter().map(|b| b.condition).collect();
        let is_exact = each.iter().all(|b| b.is_exact) || conditions.contains(&TermId::FALSE);
        Blocked { condition: pool.and(&conditions), is_exact }
    }
}
