//! Cell morphing (Monniaux, Gonnord: Cell Morphing: From Array Programs to Array-Free Horn Clauses, SAS 2016).
//!
//! What holds of an arbitrary cell of an array holds of all. So a program with arrays is turned into one without: of
//! each array a few *cells* are watched, whose places depend on an arbitrary number `k` (`a[k]`, `a[k - 1]`,
//! `b[2k + 1]`). A store to a place becomes "if the place is a watched one, its value changes"; what is read elsewhere
//! may be anything. Invariants of that program speak of its variables, `k` and the values of the watched cells, such as
//! `k < i ⇒ cell = 7`; quantified over `k` they are invariants of the program with arrays: `∀k. k < i ⇒ a[k] = 7`.
//!
//! An execution violates the property because of what it reads last. As `k` may be any number, it may be the place of
//! that read: at the steps into an error the reads are taken to be of watched cells ([`Watched::hits`]).
//!
//! The steps are those of large blocks, so a formula that stores and reads in one go is translated as a whole
//! ([`scalars`]). Invariants are guessed from the program's text ([`text`]; Flanagan, Qadeer: Predicate Abstraction for
//! Software Verification, POPL 2002), and the inductive ones kept ([`offers`]): without quantifiers that takes a
//! moment. Interpolants of unrollings do not help here: where a loop runs to a large number they count its iterations.
//! What is found is reduced to what the proof needs, quantified, and tried once more on the program with arrays before
//! a certificate is given out.
//!
//! Departures: the paper watches the same number of cells of every array, here the program's own index terms say which;
//! it leaves the search for invariants to solvers of Horn clauses. Nested arrays are not followed.

mod candidates;
mod cells;
mod scalars;

use crate::framework::{Ctx, Engine, Predicates, Task};
use crate::hoare::HoareChecker;
use crate::predicate_exchange;
use crate::prepared::{Prepared, prepare};
use crate::profile::{Cost, Feature, Gives, Profile, Wants};
use candidates::Text;
use cells::Watched;
use ir::blocks::BlockMode;
use ir::{Certificate, EdgeId, Icfg, LocId, Reason, Transition, Verdict};
use logic::{Op, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub(crate) struct CellMorphing;

/// The time for one question about the program without arrays, and about quantified formulas.
const QUERY_LIMIT: Duration = Duration::from_millis(300);
const QUANTIFIED_LIMIT: Duration = Duration::from_millis(1000);
/// The share of the time left for one fact, and for the inductivity of quantified formulas: one part in this number.
const FACT_SHARE: u32 = 4;
const PROOF_SHARE: u32 = 2;

impl Engine for CellMorphing {
    fn name(&self) -> &'static str {
        "cell-morphing"
    }
    fn summary(&self) -> &'static str {
        "watches arbitrary cells of arrays: what is inductive about them holds of all cells"
    }
    fn profile(&self) -> Profile {
        Profile {
            cost: Cost::Quick,
            wants: Wants::NoCalls,
            needs: &[Feature::Loops, Feature::Arrays],
            gives: &[Gives::Proofs],
        }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let verdict = prepare(ctx, task, BlockMode::Large).and_then(|prepared| self.prove(ctx, task, &prepared));
        verdict.unwrap_or_else(Verdict::Unknown)
    }
}

impl CellMorphing {
    fn prove(&self, ctx: &mut Ctx<'_>, task: &Task<'_>, prepared: &Prepared) -> Result<Verdict, Reason> {
        let steps = steps(ctx.pool, &prepared.icfg);
        let watched = Watched::choose(ctx.pool, &prepared.icfg, &steps);
        if watched.cells.is_empty() {
            return Err(Reason::Incomplete("no arrays that a loop works through".to_string()));
        }
        let text = Text::read(ctx.pool, &prepared.icfg, &steps, &watched);
        for preferred in 0..watched.n_choices() {
            let Some(icfg) = scalars::morph(ctx.pool, &prepared.icfg, &steps, &watched, preferred) else {
                return Err(Reason::Unsupported("a step with quantifiers (engine cell-morphing)".to_string()));
            };
            let morphed = Morphed { icfg: &icfg, watched: &watched, prepared };
            if let Some(certificate) = morphed.guess(ctx, &text, prepared.offered(task))? {
                return Ok(Verdict::Holds(certificate));
            }
        }
        Err(Reason::Incomplete("no invariant about all cells was found".to_string()))
    }
}

/// What each edge does. Variables that only the first step assigns, and always the same number, are that number in all
/// other steps: sizes of arrays usually are, and indices are sums then instead of products.
fn steps(pool: &mut TermPool, icfg: &Icfg) -> BTreeMap<EdgeId, Transition> {
    let mut steps = BTreeMap::new();
    let mut numbers: BTreeMap<TermId, BTreeSet<TermId>> = BTreeMap::new();
    let mut others = BTreeSet::new();
    for edge in icfg.edges.ids() {
        let Some(step) = Transition::of_edge(pool, icfg, edge) else { continue };
        for term in step.assigned.iter().map(|&v| icfg.vars[v].term) {
            let after = ir::primed(pool, term);
            let number = pool.conjuncts(step.plain).into_iter().find_map(|c| is_number(pool, c, after));
            match number.filter(|_| icfg.edges[edge].src == icfg.entry()) {
                Some(number) => {
                    numbers.entry(term).or_default().insert(number);
                }
                None => {
                    others.insert(term);
                }
            }
        }
        steps.insert(edge, step);
    }
    numbers.retain(|term, values| values.len() == 1 && !others.contains(term));
    let known: Vec<(TermId, TermId)> =
        numbers.into_iter().flat_map(|(t, n)| n.into_iter().map(move |n| (t, n))).collect();
    for (&edge, step) in &mut steps {
        if icfg.edges[edge].src != icfg.entry() {
            step.formula = pool.substitute(step.formula, &known);
            step.plain = pool.substitute(step.plain, &known);
        }
    }
    steps
}

/// The number that an equation says a constant is.
fn is_number(pool: &TermPool, equation: TermId, constant: TermId) -> Option<TermId> {
    if pool.op(equation) != Op::Eq {
        return None;
    }
    let (left, right) = (pool.arg(equation, 0), pool.arg(equation, 1));
    let other = if left == constant { right } else { left };
    ((left == constant || right == constant) && pool.number(other).is_some()).then_some(other)
}

/// A program without arrays, and the way back.
struct Morphed<'a> {
    icfg: &'a Icfg,
    watched: &'a Watched,
    prepared: &'a Prepared,
}

impl Morphed<'_> {
    fn heads(&self) -> impl Iterator<Item = LocId> {
        self.icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(loc, _)| loc)
    }

    /// Tries what the text suggests, one fact after the other, so that a fact may use those before it.
    fn guess(&self, ctx: &mut Ctx<'_>, text: &Text, offered: Predicates) -> Result<Option<Certificate>, Reason> {
        let mut hoare = HoareChecker::new(ctx.pool, self.icfg).with_query_limit(QUERY_LIMIT);
        let bounds = text.bounds(ctx.pool);
        let mut candidates = offered;
        for head in self.heads() {
            let list = candidates.entry(head).or_default();
            list.extend(&bounds);
            list.sort_unstable();
            list.dedup();
        }
        let mut known = predicate_exchange::inductive_candidates(ctx, &mut hoare, self.icfg, candidates, FACT_SHARE)
            .unwrap_or_default();
        for (i, &fact) in text.facts.iter().enumerate() {
            ctx.budget.check_now()?;
            ctx.observer.progress(i as u64, "facts about cells");
            let guesses = text.guesses(ctx.pool, fact, self.watched.k);
            let mut candidates = known.clone();
            for head in self.heads() {
                candidates.entry(head).or_default().extend(&guesses);
            }
            let Some(kept) =
                predicate_exchange::inductive_candidates(ctx, &mut hoare, self.icfg, candidates, FACT_SHARE)
            else {
                continue;
            };
            let is_news = kept.values().flatten().any(|t| guesses.contains(t));
            known = kept;
            if is_news && predicate_exchange::excludes_errors(ctx, &mut hoare, self.icfg, &known) {
                let needed = self.needed(ctx, &mut hoare, known.clone());
                if let Some(certificate) = self.proof(ctx, needed) {
                    return Ok(Some(certificate));
                }
            }
        }
        Ok(None)
    }

    /// Formulas about cells that the proof can do without are taken away.
    fn needed(&self, ctx: &mut Ctx<'_>, hoare: &mut HoareChecker<'_>, mut proof: Predicates) -> Predicates {
        for head in self.heads() {
            let mut i = 0;
            while let Some(&formula) = proof.get(&head).and_then(|list| list.get(i)) {
                let constants = ctx.pool.free_constants(formula);
                let is_about_cells = self.watched.cells.iter().any(|c| constants.contains(&c.value));
                let mut fewer = proof.clone();
                fewer.entry(head).or_default().remove(i);
                let stands = |kept: &Predicates| kept.values().map(Vec::len).sum::<usize>();
                if is_about_cells
                    && let Some(kept) =
                        predicate_exchange::inductive_candidates(ctx, hoare, self.icfg, fewer.clone(), FACT_SHARE)
                    && stands(&kept) == stands(&fewer)
                    && predicate_exchange::excludes_errors(ctx, hoare, self.icfg, &kept)
                {
                    proof = fewer;
                } else {
                    i += 1;
                }
            }
        }
        proof
    }

    /// The certificate that formulas about watched cells give, if they prove the property when they hold of all cells.
    fn proof(&self, ctx: &mut Ctx<'_>, found: Predicates) -> Option<Certificate> {
        let icfg = &self.prepared.icfg;
        let mut hoare = HoareChecker::new(ctx.pool, icfg).with_query_limit(QUANTIFIED_LIMIT);
        let candidates = found
            .into_iter()
            .filter(|(loc, _)| icfg.locs[*loc].is_loop_head)
            .map(|(loc, list)| (loc, self.watched.for_all_cells(ctx.pool, &list)))
            .collect();
        let known = predicate_exchange::inductive_candidates(ctx, &mut hoare, icfg, candidates, PROOF_SHARE)?;
        if !predicate_exchange::excludes_errors(ctx, &mut hoare, icfg, &known) {
            return None;
        }
        let formulas = icfg.locs.ids().map(|loc| {
            let conjuncts = known.get(&loc).map_or(&[][..], Vec::as_slice);
            (loc, vec![ctx.pool.and(conjuncts)])
        });
        let formulas = formulas.collect();
        Some(self.prepared.certificate(ctx.pool, formulas))
    }
}
