//! Facts about memory, guessed and kept where they are inductive (Flanagan, Leino 2001; see [`crate::houdini`]).
//!
//! What makes pointer programs safe is often quantifier-free: the pointer stays between the start of its object and a
//! known cell, and that cell is the zero that ends the text; the object is alive and as large as the variable says that
//! was given to `malloc`; two pointers run along together. All of it is in the program's text:
//!
//! - comparisons in the program, and those that memory safety asks for, hold or do not, perhaps with one more step of
//!   room;
//! - what was stored is still there (`memory[text + n - 1] = 0`, `size[block] = n`);
//! - a pointer that runs started somewhere and does not pass the cells whose content is known;
//! - two that run together keep their distance: what the one can still go, the other can, too.
//!
//! Nothing else is tried: the engine is quick where it is of no use.

mod candidates;

use crate::framework::{Ctx, Engine, Predicates, Task};
use crate::houdini::{Houdini, steps};
use crate::prepared::{Prepared, prepare};
use crate::profile::{Cost, Feature, Gives, Profile, Wants};
use ir::blocks::BlockMode;
use ir::{LocId, Reason, Verdict};
use std::time::Duration;

pub(crate) struct MemoryFacts;

/// The time for one question.
const QUERY_LIMIT: Duration = Duration::from_millis(300);

impl Engine for MemoryFacts {
    fn name(&self) -> &'static str {
        "memory-facts"
    }
    fn summary(&self) -> &'static str {
        "facts about pointers and cells of memory, guessed from the text and kept where inductive"
    }
    fn profile(&self) -> Profile {
        Profile {
            cost: Cost::Quick,
            wants: Wants::NoCalls,
            needs: &[Feature::Loops],
            gives: &[Gives::Proofs, Gives::Predicates],
        }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let verdict = prepare(ctx, task, BlockMode::Large).and_then(|prepared| self.prove(ctx, task, &prepared));
        verdict.unwrap_or_else(Verdict::Unknown)
    }
}

impl MemoryFacts {
    fn prove(&self, ctx: &mut Ctx<'_>, task: &Task<'_>, prepared: &Prepared) -> Result<Verdict, Reason> {
        let icfg = &prepared.icfg;
        let Some(steps) = steps(ctx.pool, icfg) else {
            return Err(Reason::Unsupported("calls (engine memory-facts)".to_string()));
        };
        let guesses = candidates::guesses(ctx.pool, icfg, &steps);
        if guesses.is_empty() {
            return Err(Reason::Incomplete("no memory in loops".to_string()));
        }
        ctx.stats.max("guessed facts", guesses.len() as u64);
        let heads: Vec<LocId> = icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(loc, _)| loc).collect();
        let mut candidates: Predicates = prepared.offered(task);
        for &head in &heads {
            let list = candidates.entry(head).or_default();
            for &guess in &guesses {
                if !list.contains(&guess) {
                    list.push(guess);
                }
            }
        }
        let mut houdini = Houdini::new(ctx.pool, icfg, &steps, QUERY_LIMIT);
        let Some(kept) = houdini.inductive(ctx, candidates) else {
            ctx.budget.check_now()?;
            return Err(Reason::Incomplete("the facts were not sorted out in time".to_string()));
        };
        ctx.stats.max("inductive facts", kept.values().map(|list| list.len() as u64).sum());
        if !houdini.excludes_errors(ctx, &kept) {
            return Err(Reason::Incomplete("no facts about memory that prove the property".to_string()));
        }
        let formulas = heads.iter().map(|loc| {
            let list = kept.get(loc).map_or(&[][..], Vec::as_slice);
            (*loc, vec![ctx.pool.and(list)])
        });
        let formulas = formulas.collect();
        Ok(Verdict::Holds(prepared.certificate(ctx.pool, formulas)))
    }
}
