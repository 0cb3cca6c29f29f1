//! Where variables die: after these edges their values are not read any more, so a state need not store them.
//!
//! A variable whose live range is too much work is taken to be alive everywhere, which is always right.

use super::Part;
use ir::dataflow::LiveRanges;
use ir::{EdgeId, Icfg, VarId};
use logic::{FastMap, TermId, TermPool};

/// The largest number of visited edges per location of the graph.
const MAX_WORK: usize = 60;

/// The variables that are dead after an edge but were not before it. Nothing for graphs with calls.
pub(crate) fn dead_after(pool: &TermPool, icfg: &Icfg, part: &Part<'_>) -> FastMap<EdgeId, Vec<TermId>> {
    let mut dead: FastMap<EdgeId, Vec<TermId>> = FastMap::default();
    if icfg.has_calls() || icfg.has_threads() {
        return dead;
    }
    let mut writes: FastMap<VarId, Vec<EdgeId>> = FastMap::default();
    for id in part.ids(icfg) {
        for v in crate::hoare::assigned_by(icfg, id) {
            writes.entry(v).or_default().push(id);
        }
    }
    let follows = |e: EdgeId| part.contains(e);
    let mut ranges = LiveRanges::new(icfg, pool, &follows, MAX_WORK * icfg.locs.len() + 10_000);
    for (v, variable) in icfg.vars.iter() {
        let Some(live) = ranges.of(v) else { return dead };
        let leaving = live.iter().flat_map(|loc| icfg.out_edges(*loc)).copied().filter(|e| follows(*e));
        let written = writes.remove(&v).unwrap_or_default();
        let written = written.into_iter().filter(|e| !ranges.is_live(icfg.edges[*e].src));
        for e in leaving.chain(written).filter(|e| !ranges.is_live(icfg.edges[*e].dst)) {
            let list = dead.entry(e).or_default();
            if list.last() != Some(&variable.term) {
                list.push(variable.term);
            }
        }
    }
    dead
}
