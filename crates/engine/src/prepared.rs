//! The graph as an engine wants it, and the way back: block encoding before the run, expansion of evidence after.

use crate::framework::{Ctx, Task};
use ir::blocks::{BlockLimits, BlockMap, BlockMode, encode};
use ir::compact::{CompactMap, compact};
use ir::{Annotation, Certificate, Counterexample, Icfg, LocId, Reason};
use logic::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// A graph, possibly of blocks, that remembers the way back to the graph it was made from.
pub(crate) struct Prepared {
    pub icfg: Icfg,
    way_back: WayBack,
    /// Loop heads of the original graph.
    loop_heads: BTreeSet<LocId>,
}

enum WayBack {
    /// It is the original graph.
    Same,
    Blocks(BlockMap),
    /// Straight-line code in normal form; the original graph is needed to expand executions.
    Compact(CompactMap, Box<Icfg>),
}

/// Straight-line code in the normal form of [`ir::compact`]: plain statements, short traces.
pub(crate) fn prepare_compact(ctx: &mut Ctx<'_>, task: &Task<'_>) -> Result<Prepared, Reason> {
    ctx.budget.check_now()?;
    let loop_heads = task.icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
    if task.blocks == Some(BlockMode::Off) {
        return Ok(Prepared { icfg: task.icfg.clone(), way_back: WayBack::Same, loop_heads });
    }
    let (icfg, map) = compact(task.icfg, ctx.pool);
    Ok(Prepared { icfg, way_back: WayBack::Compact(map, Box::new(task.icfg.clone())), loop_heads })
}

/// Encodes blocks as the user asked, or else as suits the engine.
pub(crate) fn prepare(ctx: &mut Ctx<'_>, task: &Task<'_>, default: BlockMode) -> Result<Prepared, Reason> {
    ctx.budget.check_now()?;
    let loop_heads = task.icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
    let mode = task.blocks.unwrap_or(default);
    if mode == BlockMode::Off {
        return Ok(Prepared { icfg: task.icfg.clone(), way_back: WayBack::Same, loop_heads });
    }
    let (icfg, map) = encode(task.icfg, ctx.pool, mode, &BlockLimits::default());
    Ok(Prepared { icfg, way_back: WayBack::Blocks(map), loop_heads })
}

impl Prepared {
    /// The same execution on the original graph.
    pub(crate) fn counterexample(&self, pool: &mut TermPool, found: Counterexample) -> Result<Counterexample, Reason> {
        match &self.way_back {
            WayBack::Same => Ok(found),
            WayBack::Blocks(map) => map
                .original_counterexample(&self.icfg, pool, &found)
                .ok_or_else(|| Reason::Incomplete("a block path could not be expanded".to_string())),
            WayBack::Compact(map, original) => Ok(map.original_counterexample(original, &found)),
        }
    }

    /// The location of the original graph that this one stands for.
    pub(crate) fn original(&self, loc: LocId) -> LocId {
        match &self.way_back {
            WayBack::Same => loc,
            WayBack::Blocks(map) => map.locs[loc],
            WayBack::Compact(map, _) => map.locs[loc],
        }
    }

    /// An annotation with contracts, its locations renamed to the original ones.
    pub(crate) fn annotation(&self, found: Annotation) -> Annotation {
        let invariants = found
            .invariants
            .into_iter()
            .filter(|(loc, _)| self.icfg.locs[*loc].is_loop_head)
            .map(|(loc, formula)| (self.original(loc), formula))
            .collect();
        Annotation { invariants, contracts: found.contracts }
    }

    /// The annotation of the original graph's loop heads; the formulas of a location are joined and simplified,
    /// and a location without any cannot be reached.
    pub(crate) fn certificate(&self, pool: &mut TermPool, formulas: BTreeMap<LocId, Vec<TermId>>) -> Certificate {
        let mut annotation = Annotation::default();
        for &loc in &self.loop_heads {
            annotation.invariants.insert(loc, TermId::FALSE);
        }
        for (at, disjuncts) in formulas {
            let loc = self.original(at);
            if self.loop_heads.contains(&loc) && self.icfg.locs[at].is_loop_head {
                let formula = pool.or(&disjuncts);
                annotation.invariants.insert(loc, pool.simplify(formula));
            }
        }
        Certificate::Annotation(annotation)
    }
}
