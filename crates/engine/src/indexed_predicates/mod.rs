//! Indexed predicate abstraction (Lahiri, Bryant: Constructing Quantified Invariants via Predicate Abstraction, VMCAI
//! 2004), for linked data.
//!
//! The predicates speak of the variables and of one object of the heap, the block at address `k`: `next[k] = 0`,
//! `next[k]` is a block again, `data[k] ≤ max`, `k < end`. For every loop head the engine collects which *combinations*
//! of their truth values some block can have there; that every block has one of them is the invariant,
//! `∀k. alive(k) ⇒ …`. Combinations are added only because a step leads to them, so that nothing is given away that the
//! predicates can express. Beside it stand facts about the variables alone ([`crate::houdini`]), which are dropped by
//! the same models.
//!
//! A step from there to there is asked about with the invariant instantiated at the addresses that the step itself
//! uses, and at the block `k` in question; so the questions have no quantifiers, and a model gives the combination to
//! add. The certificate has the quantifiers, and is checked with them.
//!
//! Addresses of blocks only grow in our model of memory, so `next[k] < k` says that a list is acyclic, and
//! `next[k] = k + 32` that no block is missing in it: that every block is freed at the end can be shown without
//! counting.
//!
//! Departures: the predicates are guessed from the text and tried in stages, from few to many; the paper computes the
//! sets with binary decision diagrams, here models are asked for until there are none.

mod cubes;
mod heap;
mod held;
mod vocabulary;

use crate::candidate_atoms::live_variables;
use crate::framework::{Ctx, Engine, Predicates, Task};
use crate::houdini::{Houdini, Step, steps};
use crate::prepared::{Prepared, prepare};
use crate::profile::{Cost, Feature, Gives, Profile, Wants};
use cubes::Cubes;
use heap::Heap;
use held::Held;
use ir::blocks::BlockMode;
use ir::{Certificate, Icfg, LocId, Reason, VarId, Verdict};
use logic::{FastMap, FastSet, Op, SatResult, SortId, TermId, TermPool, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use vocabulary::{Stage, Vocabulary};

pub(crate) struct IndexedPredicates;

/// The time for one question, and for one with auxiliary variables.
const QUERY_LIMIT: Duration = Duration::from_millis(500);
const LONG_QUERY_LIMIT: Duration = Duration::from_millis(3000);
/// The most combinations at a location, and the most questions of a stage.
const MAX_CUBES: usize = 1000;
const MAX_QUESTIONS: usize = 5000;
/// The most arrays of pointers that have holders.
const MAX_LINKS: usize = 3;
/// The most places at which the invariant is instantiated for a step.
const MAX_PLACES: usize = 14;

impl Engine for IndexedPredicates {
    fn name(&self) -> &'static str {
        "indexed-predicates"
    }
    fn summary(&self) -> &'static str {
        "predicates about an arbitrary block of the heap: what all blocks have in common is the invariant"
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Quick, wants: Wants::NoCalls, needs: &[Feature::Loops], gives: &[Gives::Proofs] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let verdict = prepare(ctx, task, BlockMode::Large).and_then(|prepared| self.prove(ctx, task, &prepared));
        verdict.unwrap_or_else(Verdict::Unknown)
    }
}

impl IndexedPredicates {
    fn prove(&self, ctx: &mut Ctx<'_>, task: &Task<'_>, prepared: &Prepared) -> Result<Verdict, Reason> {
        let icfg = &prepared.icfg;
        let Some(steps) = steps(ctx.pool, icfg) else {
            return Err(Reason::Unsupported("calls (engine indexed-predicates)".to_string()));
        };
        let Some(heap) = Heap::read(ctx.pool, task.icfg, icfg, &steps, None) else {
            return Err(Reason::Incomplete("no blocks of the heap in loops".to_string()));
        };
        let live = live_variables(ctx.pool, &steps);
        let offered = prepared.offered(task);
        for &stage in Stage::all(&heap) {
            ctx.budget.check_now()?;
            if stage == Stage::Related
                && let Some(verdict) = self.prove_with_any_holders(ctx, task, &heap)?
            {
                return Ok(verdict);
            }
            let vocabulary = Vocabulary::new(ctx.pool, icfg, &steps, &heap, stage);
            let houdini = Houdini::new(ctx.pool, icfg, &steps, QUERY_LIMIT);
            let (live, offered) = (&live, &offered);
            let held = None;
            let analysis =
                Analysis { icfg, steps: &steps, heap: &heap, held, live, offered, vocabulary, houdini, n_questions: 0 };
            if let Some(formulas) = analysis.run(ctx)? {
                return Ok(Verdict::Holds(prepared.certificate(ctx.pool, formulas)));
            }
        }
        Err(Reason::Incomplete("no invariant about all blocks was found".to_string()))
    }

    /// The same with auxiliary variables that say what points to blocks: for all links, and for each alone.
    fn prove_with_any_holders(
        &self,
        ctx: &mut Ctx<'_>,
        task: &Task<'_>,
        heap: &Heap,
    ) -> Result<Option<Verdict>, Reason> {
        if heap.states.is_none() {
            return Ok(None);
        }
        let links: Vec<VarId> = ir::holders::links(task.icfg, ctx.pool);
        let is_link = |var: &VarId| heap.is_link(task.icfg.vars[*var].term);
        let links: Vec<VarId> = links.into_iter().filter(is_link).take(MAX_LINKS).collect();
        let alone = if links.len() > 1 { &links[..] } else { &[] };
        for chosen in [links.clone()].into_iter().chain(alone.iter().map(|&link| vec![link])) {
            if let Some(verdict) = self.prove_with_holders(ctx, task, chosen)? {
                return Ok(Some(verdict));
            }
        }
        Ok(None)
    }

    fn prove_with_holders(
        &self,
        ctx: &mut Ctx<'_>,
        task: &Task<'_>,
        links: Vec<VarId>,
    ) -> Result<Option<Verdict>, Reason> {
        ctx.budget.check_now()?;
        let Some(with) = ir::holders::with_holders(task.icfg, ctx.pool, &links) else { return Ok(None) };
        let task = Task { icfg: &with.icfg, ..*task };
        let prepared = prepare(ctx, &task, BlockMode::Large)?;
        let icfg = &prepared.icfg;
        let Some(steps) = steps(ctx.pool, icfg) else { return Ok(None) };
        let live = live_variables(ctx.pool, &steps);
        let Some(mut heap) = Heap::read(ctx.pool, &with.icfg, icfg, &steps, Some(&live)) else { return Ok(None) };
        let held = Held::new(ctx.pool, &with, &mut heap);
        let offered = prepared.offered(&task);
        let vocabulary = Vocabulary::new(ctx.pool, icfg, &steps, &heap, Stage::Closed);
        let vocabulary = held.vocabulary(ctx.pool, &heap, vocabulary);
        let houdini = Houdini::new(ctx.pool, icfg, &steps, LONG_QUERY_LIMIT);
        let (heap, live, offered, held) = (&heap, &live, &offered, Some(&held));
        let analysis = Analysis { icfg, steps: &steps, heap, held, live, offered, vocabulary, houdini, n_questions: 0 };
        let Some(formulas) = analysis.run(ctx)? else { return Ok(None) };
        match prepared.certificate(ctx.pool, formulas) {
            Certificate::Annotation(annotation) => Ok(Some(Verdict::Holds(Certificate::Holders(links, annotation)))),
            _ => Ok(None),
        }
    }
}

/// What is known at a location.
#[derive(Clone, Default)]
struct Known {
    /// Facts about the variables.
    facts: Vec<TermId>,
    /// For each kind of block, the combinations that blocks have.
    cubes: Vec<Cubes>,
}

struct Analysis<'a> {
    icfg: &'a Icfg,
    steps: &'a [Step],
    heap: &'a Heap,
    /// Auxiliary variables, if there are any.
    held: Option<&'a Held>,
    /// For each location the variables whose values there matter later.
    live: &'a BTreeMap<LocId, FastSet<TermId>>,
    /// Facts that others suggest.
    offered: &'a Predicates,
    vocabulary: Vocabulary,
    houdini: Houdini<'a>,
    n_questions: usize,
}

/// What a step leads to.
enum Outcome {
    Nothing,
    Changed,
    /// An error is reached, or the limits are.
    Fails,
}

impl Analysis<'_> {
    /// The invariants of all loop heads, if they prove the property.
    fn run(mut self, ctx: &mut Ctx<'_>) -> Result<Option<BTreeMap<LocId, Vec<TermId>>>, Reason> {
        let mut known: BTreeMap<LocId, Known> = BTreeMap::new();
        let mut dirty: BTreeSet<usize> =
            (0..self.steps.len()).filter(|&i| self.steps[i].src == self.icfg.entry()).collect();
        while let Some(i) = dirty.pop_first() {
            let dst = self.steps[i].dst;
            loop {
                ctx.budget.check_now()?;
                ctx.observer.progress(self.n_questions as u64, "combinations of predicates");
                match self.follow(ctx, i, &mut known) {
                    Outcome::Nothing => break,
                    Outcome::Fails => return Ok(None),
                    Outcome::Changed => {
                        dirty.extend((0..self.steps.len()).filter(|&j| self.steps[j].src == dst && j != i));
                    }
                }
            }
        }
        ctx.stats.max("combinations", known.values().flat_map(|k| &k.cubes).map(|c| c.len() as u64).sum());
        let formulas = known.iter().filter(|(loc, _)| self.icfg.locs[**loc].is_loop_head);
        let formulas = formulas.map(|(&loc, at)| (loc, vec![self.quantified(ctx.pool, at)])).collect();
        Ok(Some(formulas))
    }

    /// Asks for a state after the step that is not known yet, and adds it.
    fn follow(&mut self, ctx: &mut Ctx<'_>, i: usize, known: &mut BTreeMap<LocId, Known>) -> Outcome {
        self.n_questions += 1;
        if self.n_questions > MAX_QUESTIONS {
            return Outcome::Fails;
        }
        let step = &self.steps[i];
        let places = match self.held {
            Some(held) => held.places(ctx.pool, self.heap, step),
            None => places(ctx.pool, self.heap, step),
        };
        let beside = self.held.map_or_else(Vec::new, |held| held.beside(ctx.pool, self.heap, step));
        let k = self.heap.k;
        let mut question = vec![step.transition.formula];
        if step.src != self.icfg.entry() {
            let Some(before) = known.get(&step.src) else { return Outcome::Nothing };
            question.extend(&before.facts);
            for (kind, cubes) in before.cubes.iter().enumerate() {
                let everywhere = self.about_k(ctx.pool, kind, cubes);
                question.push(everywhere);
                let at = places.iter().chain(&beside);
                question.extend(at.map(|&t| ctx.pool.substitute(everywhere, &[(k, t)])));
            }
        }
        if self.icfg.locs[step.dst].error.is_some() {
            let is_excluded = self.houdini.ask(ctx, &question) == SatResult::Unsat;
            return if is_excluded { Outcome::Nothing } else { Outcome::Fails };
        }
        let is_first = !known.contains_key(&step.dst);
        if is_first {
            known.insert(step.dst, self.nothing_reached(ctx.pool, step.dst));
        }
        let Some(after) = known.get_mut(&step.dst) else { return Outcome::Fails };
        let mut expected = vec![ctx.pool.and(&after.facts)];
        for (kind, cubes) in after.cubes.iter().enumerate() {
            expected.push(self.about_k(ctx.pool, kind, cubes));
        }
        let expected = ctx.pool.and(&expected);
        let expected = step.image(ctx.pool, expected);
        question.push(ctx.pool.not(expected));
        let answer = self.houdini.ask(ctx, &question);
        match answer {
            SatResult::Unsat => {
                if is_first {
                    known.remove(&step.dst);
                }
                return Outcome::Nothing;
            }
            SatResult::Unknown(_) => return Outcome::Fails,
            SatResult::Sat => {}
        }
        let Some(model) = self.houdini.model() else { return Outcome::Fails };
        let mut memo = FastMap::default();
        let mut holds = |pool: &mut TermPool, formula: TermId, at: TermId| {
            let formula = step.image(pool, formula);
            let formula = if at == k { formula } else { pool.substitute(formula, &[(k, at)]) };
            model.eval_memo(pool, formula, &mut memo) == Ok(Value::Bool(true))
        };
        let n_facts = after.facts.len();
        after.facts.retain(|&fact| holds(ctx.pool, fact, k));
        let mut is_news = after.facts.len() < n_facts;
        for (kind, cubes) in self.vocabulary.kinds.iter().zip(&mut after.cubes) {
            for &at in places.iter().chain([&k]) {
                if holds(ctx.pool, kind.guard, at) {
                    let values = kind.predicates.iter().map(|&p| holds(ctx.pool, p, at));
                    is_news |= cubes.add(values);
                }
            }
            if cubes.len() > MAX_CUBES {
                return Outcome::Fails;
            }
        }
        if is_news { Outcome::Changed } else { Outcome::Fails }
    }

    /// What is known of a location that nothing is known to reach: everything that matters there.
    fn nothing_reached(&self, pool: &TermPool, loc: LocId) -> Known {
        let live = self.live.get(&loc);
        let matters = |formula: TermId| {
            pool.free_constants(formula).into_iter().all(|c| {
                let is_dead = pool.sort(c) == SortId::INT && c != self.heap.k && !live.is_some_and(|l| l.contains(&c));
                !is_dead || c == self.heap.top
            })
        };
        let offered = self.offered.get(&loc).into_iter().flatten().filter(|&&f| !pool.has_quantifier(f));
        let facts = self.vocabulary.facts.iter().chain(offered).copied().filter(|&f| matters(f)).collect();
        let kinds = self.vocabulary.kinds.iter();
        let cubes = kinds.map(|kind| Cubes::new(kind.predicates.iter().map(|&p| matters(p)))).collect();
        Known { facts, cubes }
    }

    /// "If there is a block of this kind at `k`, it has one of the combinations."
    fn about_k(&self, pool: &mut TermPool, kind: usize, cubes: &Cubes) -> TermId {
        let kind = &self.vocabulary.kinds[kind];
        let one_of_them = cubes.formula(pool, &kind.predicates);
        pool.implies(kind.guard, one_of_them)
    }

    fn quantified(&self, pool: &mut TermPool, at: &Known) -> TermId {
        let mut conjuncts = at.facts.clone();
        for (kind, cubes) in at.cubes.iter().enumerate() {
            let body = self.about_k(pool, kind, cubes);
            let arrays = &self.vocabulary.kinds[kind].arrays;
            let bound = pool.fresh_bound("p", SortId::INT);
            let body = pool.substitute(body, &[(self.heap.k, bound)]);
            let patterns = arrays.iter().map(|&a| vec![pool.select(a, bound)]).collect();
            conjuncts.push(if pool.free_constants(body).is_empty() && body == TermId::TRUE {
                TermId::TRUE
            } else {
                pool.forall(&[bound], patterns, body)
            });
        }
        pool.and(&conjuncts)
    }
}

/// The addresses that a step uses. Where a pointer says that its block starts, states and sizes are looked up; blocks
/// are reached by the pointer itself.
fn places(pool: &TermPool, heap: &Heap, step: &Step) -> Vec<TermId> {
    let mut places = Vec::new();
    let mut seen = FastSet::default();
    pool.visit_postorder(&[step.transition.formula], |t| {
        let is_look_up =
            pool.op(t) == Op::Select && heap.is_bookkeeping(pool.arg(t, 0)) && heap.is_start(pool, pool.arg(t, 1));
        if matches!(pool.op(t), Op::Select | Op::Store) && !is_look_up {
            let index = pool.arg(t, 1);
            if pool.sort(index) == SortId::INT && seen.insert(index) {
                places.push(index);
            }
        }
    });
    // A link may be set to a block that the step does not look into.
    let constants = pool.free_constants(step.transition.formula);
    let mentioned = heap.pointers.iter().map(|p| p.0).filter(|p| constants.contains(p));
    places.extend(mentioned.filter(|p| seen.insert(*p)));
    places.truncate(MAX_PLACES);
    places
}
