//! The graph as an engine wants it, and the way back: block encoding before the run, expansion of evidence after.

use crate::framework::{Ctx, Task};
use ir::blocks::{BlockLimits, BlockMap, BlockMode, encode};
use ir::{Annotation, Certificate, Counterexample, Icfg, LocId, Reason};
use logic::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// A graph, possibly of blocks, that remembers the way back to the graph it was made from.
pub struct Prepared {
    pub icfg: Icfg,
    /// `None`: it is the original graph.
    map: Option<BlockMap>,
    /// Loop heads of the original graph.
    loop_heads: BTreeSet<LocId>,
}

/// Encodes blocks as the user asked, or else as suits the engine.
pub fn prepare(ctx: &mut Ctx<'_>, task: &Task<'_>, default: BlockMode) -> Result<Prepared, Reason> {
    ctx.budget.check_now()?;
    let loop_heads = task.icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
    let mode = task.blocks.unwrap_or(default);
    if mode == BlockMode::Off {
        return Ok(Prepared { icfg: task.icfg.clone(), map: None, loop_heads });
    }
    let (icfg, map) = encode(task.icfg, ctx.pool, mode, &BlockLimits::default());
    Ok(Prepared { icfg, map: Some(map), loop_heads })
}

impl Prepared {
    /// The same execution on the original graph.
    pub fn counterexample(&self, pool: &mut TermPool, found: Counterexample) -> Result<Counterexample, Reason> {
        match &self.map {
            None => Ok(found),
            Some(map) => map
                .original_counterexample(&self.icfg, pool, &found)
                .ok_or_else(|| Reason::Incomplete("a block path could not be expanded".to_string())),
        }
    }

    fn original(&self, loc: LocId) -> LocId {
        self.map.as_ref().map_or(loc, |m| m.locs[loc])
    }

    /// The annotation of the original graph's loop heads; the formulas of a location are joined, and a
    /// location without any cannot be reached.
    pub fn certificate(&self, pool: &mut TermPool, formulas: BTreeMap<LocId, Vec<TermId>>) -> Certificate {
        let mut annotation = Annotation::default();
        for &loc in &self.loop_heads {
            annotation.invariants.insert(loc, TermId::FALSE);
        }
        for (loc, disjuncts) in formulas {
            let loc = self.original(loc);
            if self.loop_heads.contains(&loc) {
                annotation.invariants.insert(loc, pool.or(&disjuncts));
            }
        }
        Certificate::Annotation(annotation)
    }
}
