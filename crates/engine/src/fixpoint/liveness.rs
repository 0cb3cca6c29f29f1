//! Where variables die: after these edges nobody reads their values any more, so a state need not know them.
//!
//! Works variable by variable, backwards from its reads over its live range. A variable whose range is too much work is taken to be
//! alive everywhere, which is always right.

use super::Part;
use base::IdVec;
use ir::{EdgeId, Icfg, LocId, VarId};
use logic::{FastMap, TermId, TermPool};

/// So many locations per location of the graph are visited at most.
const MAX_WORK: usize = 60;

/// The variables that are dead after an edge but were not before it. Nothing for graphs with calls.
pub(crate) fn dead_after(pool: &TermPool, icfg: &Icfg, part: &Part<'_>) -> FastMap<EdgeId, Vec<TermId>> {
    let mut dead: FastMap<EdgeId, Vec<TermId>> = FastMap::default();
    if icfg.has_calls() || icfg.has_threads() {
        return dead;
    }
    let var_of: FastMap<TermId, VarId> = icfg.vars.iter().map(|(id, v)| (v.term, id)).collect();
    let mut reads: FastMap<VarId, Vec<LocId>> = FastMap::default();
    let mut writes: FastMap<VarId, Vec<EdgeId>> = FastMap::default();
    for id in part.ids(icfg) {
        let edge = &icfg.edges[id];
        pool.visit_postorder(&icfg.read_terms(&edge.label), |t| {
            if let Some(&v) = var_of.get(&t) {
                reads.entry(v).or_default().push(edge.src);
            }
        });
        for v in crate::hoare::assigned_by(icfg, id) {
            writes.entry(v).or_default().push(id);
        }
    }
    let mut work_left = MAX_WORK * icfg.locs.len() + 10_000;
    let mut seen: IdVec<LocId, u32> = IdVec::from_elem(0, icfg.locs.len());
    for (stamp, v) in icfg.vars.ids().enumerate() {
        let stamp = stamp as u32 + 1;
        let mut live: Vec<LocId> = Vec::new();
        let mut stack = reads.remove(&v).unwrap_or_default();
        let written = writes.remove(&v).unwrap_or_default();
        while let Some(loc) = stack.pop() {
            if std::mem::replace(&mut seen[loc], stamp) == stamp {
                continue;
            }
            work_left = work_left.saturating_sub(icfg.in_edges(loc).len() + 1);
            if work_left == 0 {
                return dead;
            }
            live.push(loc);
            for &e in icfg.in_edges(loc).iter().filter(|e| part.contains(**e)) {
                if !icfg.writes(&icfg.edges[e].label, v) {
                    stack.push(icfg.edges[e].src);
                }
            }
        }
        let term = icfg.vars[v].term;
        let dies = |e: EdgeId, dead: &mut FastMap<EdgeId, Vec<TermId>>| {
            let list = dead.entry(e).or_default();
            if seen[icfg.edges[e].dst] != stamp && list.last() != Some(&term) {
                list.push(term);
            }
        };
        for &loc in &live {
            for &e in icfg.out_edges(loc).iter().filter(|e| part.contains(**e)) {
                dies(e, &mut dead);
            }
        }
        for &e in &written {
            if seen[icfg.edges[e].src] != stamp {
                dies(e, &mut dead);
            }
        }
    }
    dead
}
