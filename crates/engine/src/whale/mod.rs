//! WHALE (Albarghouthi, Gurfinkel, Chechik, *Whale: an interpolation-based algorithm for inter-procedural
//! verification*, VMCAI 2012): inter-procedural verification with summaries from interpolants.
//!
//! The program is a set of acyclic procedures (loops are tail recursion, [`ir::tail_recursion`]). An **ARG** stands for
//! a procedure under a specification: a *guard* `G` over its inputs (parameters, globals) and a *summary* `S` over
//! inputs and outputs (results, globals, and whether an error was met). ARGs form a tree: each call in an expanded ARG
//! is *justified* by an ARG of its own, which starts with `G = S = true`. The root's summary is "no error".
//!
//! * `expand` ([`body`]): the body of an ARG as one formula (DAGCOND), all paths at once, with a child for every call.
//! * `cover`: an ARG is covered by another one of the same procedure whose specification implies its own (`G_i ⇒ G_j`
//!   and `G_i ∧ S_j ⇒ S_i`); ancestors may cover, which closes recursion.
//! * `refine` ([`refine`]): first SPECCOND: does the body satisfy the specification if calls do as their ARGs say? If
//!   not, IDAGCOND: calls are *under*-approximated by what is unrolled below. If that is unsatisfiable with `G ∧ ¬S`,
//!   one refutation gives state/transition interpolants `g_k`, `s_k` for every call `k` (tree interpolation on a
//!   caterpillar), which become the guard and summary of its ARG. If it is satisfiable, the specification of this ARG
//!   is refuted: for the root this is a real execution, otherwise the parent has to find other specifications.
//! * ARGs are processed first in, first out, so that every ARG is tried again for covering.
//!
//! When nothing is left to do, the specifications of uncovered ARGs are contracts ([`evidence`]): `requires ⋁G_i`,
//! `ensures ⋀ (G_i ⇒ S_i)`.
//!
//! Departures:
//!
//! * A procedure that reaches no recursion is unrolled to the bottom: what is unrolled is *exact*. Calls of such
//!   procedures take part in all questions as they are, until specifications for the others are found with which every
//!   body is [`Progress::Plausible`]; only then exact calls get specifications, and only those that the proof needs. A
//!   summary read off what is exact is true, so none is refuted.
//! * Before IDAGCOND the *induction hypothesis* is tried: recursive calls do what an ARG of their procedure above
//!   claims (the nearest first). The child with such a claim is covered next.
//! * Loops are chains of last calls: one refutation gives the guards of all unrolled iterations ([`refine`]). When the
//!   specification of an iteration is refuted, the whole chain is refined, and unrolled further when that happens
//!   often.
//! * What is claimed in the end is recomputed from the root (`relied_on`), so stale specifications below unneeded ARGs
//!   play no part. Guards are projected to the inputs by (weakening) quantifier elimination rather than kept
//!   quantified, so UPDATEGUARD is not needed.

mod body;
mod evidence;
mod generalise;
mod refine;

use crate::framework::{Ctx, Engine, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use base::IdVec;
use body::Body;
use generalise::Generalised;
use ir::tail_recursion::{TailMap, loops_to_recursion};
use ir::{Icfg, ProcId, Reason, VarId, Verdict, primed};
use logic::{FastMap, SatResult, Solver, SortId, Substitution, TermId, TermPool, UnknownReason};
use refine::{Calls, Explanation, Specification};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(crate) struct Whale;

impl Engine for Whale {
    fn name(&self) -> &'static str {
        "whale"
    }
    fn summary(&self) -> &'static str {
        "WHALE: procedure summaries from state/transition interpolants, also for recursion"
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Search, wants: Wants::AllCalls, needs: &[], gives: &[Gives::Proofs, Gives::Violations] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let (mut icfg, map) = loops_to_recursion(task.icfg, ctx.pool);
        icfg.ensure_old_vars(ctx.pool);
        let error = ctx.pool.fresh_constant("error", SortId::BOOL);
        let mut search = Search {
            icfg: &icfg,
            map: &map,
            error,
            args: IdVec::new(),
            queues: [VecDeque::new(), VecDeque::new()],
            guards: FastMap::default(),
            rigid: rigid_constants(&icfg, ctx.pool),
            recursion: Recursion::new(&icfg),
            ahead: None,
            error_is_near: false,
            atoms: BTreeMap::new(),
            frames: None,
        };
        match search.run(ctx) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

base::define_id!(ArgId, "A");

/// A procedure under a specification.
struct Arg {
    proc: ProcId,
    parent: Option<ArgId>,
    /// Over parameters and globals (before).
    guard: TermId,
    /// Over parameters, globals before (unprimed), globals and results after (primed), and the error flag.
    summary: TermId,
    body: Option<Body>,
    progress: Progress,
    covered_by: Option<ArgId>,
    queued: bool,
    /// How often its calls were given new specifications: the strength of interpolants alternates.
    n_refined: u32,
    /// How often the calls of its chain were found to violate theirs.
    n_refuted: usize,
    /// How far its chain is followed.
    n_links: usize,
}

/// What is known of an ARG's own body, given the specifications of its calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Open,
    /// It satisfies its specification if exact calls do what they do, and others what they claim.
    Plausible,
    /// It satisfies its specification if all calls do what they claim.
    Proved,
}

/// How many iterations below an ARG say whether its guard is good, as long as no more were needed to refute one.
const SHORT_CHAIN: usize = 2;

/// How many specifications of ancestors are tried as induction hypotheses.
const MAX_HYPOTHESES: usize = 6;

/// How many more ARGs are unrolled at most when specifications are refuted: one more each time; this number more in a
/// loop.
const MAX_AHEAD: usize = 3;
const AHEAD_IN_LOOPS: usize = 3;
const MAX_AHEAD_IN_LOOPS: usize = 12;

/// An ARG whose chain is unrolled, with the question whether its specification is violated.
struct Ahead {
    top: ArgId,
    specification: Specification,
    solver: SmtSolver,
    /// The links that are asserted.
    asserted: BTreeSet<ArgId>,
}

/// What is known of the call graph.
struct Recursion {
    /// The procedures that are unrolled wherever they are called: no recursion of their own, and not too large.
    unrolled: IdVec<ProcId, bool>,
    /// Of those the ones that reach only such: what is unrolled of them is all of them.
    exact: IdVec<ProcId, bool>,
    /// The procedures that are recursive, or call one that is.
    reaches_loops: IdVec<ProcId, bool>,
    /// The procedures that reach an error location.
    fallible: IdVec<ProcId, bool>,
}

/// A procedure that calls more than this number of others, directly or through them and each as often as it is called,
/// is not unrolled as a whole.
const MAX_EXACT: usize = 150;

impl Recursion {
    fn new(icfg: &Icfg) -> Recursion {
        let mut callees: IdVec<ProcId, BTreeSet<ProcId>> = IdVec::from_elem(BTreeSet::new(), icfg.procs.len());
        for site in icfg.call_sites.values() {
            callees[site.caller].insert(site.callee);
        }
        let reached = |p: ProcId| {
            let mut seen: BTreeSet<ProcId> = BTreeSet::new();
            let mut todo: Vec<ProcId> = callees[p].iter().copied().collect();
            while let Some(q) = todo.pop() {
                if seen.insert(q) {
                    todo.extend(callees[q].iter().copied());
                }
            }
            seen
        };
        let reached: IdVec<ProcId, BTreeSet<ProcId>> = icfg.procs.ids().map(reached).collect();
        let recursive: IdVec<ProcId, bool> = icfg.procs.ids().map(|p| reached[p].contains(&p)).collect();
        // Without recursion, callees have smaller sets.
        let mut by_reach: Vec<ProcId> = icfg.procs.ids().filter(|&p| !recursive[p]).collect();
        by_reach.sort_by_key(|&p| reached[p].len());
        let mut n_calls: IdVec<ProcId, usize> = IdVec::from_elem(0, icfg.procs.len());
        for p in by_reach {
            let sites = icfg.call_sites.values().filter(|s| s.caller == p);
            n_calls[p] = sites.fold(0, |n, s| n.saturating_add(1).saturating_add(n_calls[s.callee]));
        }
        let unrolled: IdVec<ProcId, bool> =
            icfg.procs.ids().map(|p| !recursive[p] && n_calls[p] <= MAX_EXACT).collect();
        let exact = icfg.procs.ids().map(|p| unrolled[p] && reached[p].iter().all(|&q| unrolled[q])).collect();
        let own_errors: BTreeSet<ProcId> = icfg.locs.values().filter(|l| l.error.is_some()).map(|l| l.proc).collect();
        let is_fallible = |p: ProcId| own_errors.contains(&p) || reached[p].iter().any(|q| own_errors.contains(q));
        let fallible = icfg.procs.ids().map(is_fallible).collect();
        let is_looping = |p: ProcId| recursive[p] || reached[p].iter().any(|q| recursive[*q]);
        let reaches_loops = icfg.procs.ids().map(is_looping).collect();
        Recursion { unrolled, exact, reaches_loops, fallible }
    }
}

/// Constants of the program itself, which mean the same everywhere.
fn rigid_constants(icfg: &Icfg, pool: &TermPool) -> BTreeSet<TermId> {
    let mut constants: BTreeSet<TermId> = BTreeSet::new();
    for edge in icfg.edges.values() {
        for t in icfg.read_terms(&edge.label) {
            constants.extend(pool.free_constants(t));
        }
    }
    for &axiom in &icfg.axioms {
        constants.extend(pool.free_constants(axiom));
    }
    for var in icfg.vars.values() {
        constants.remove(&var.term);
    }
    constants
}

struct Search<'a> {
    icfg: &'a Icfg,
    map: &'a TailMap,
    /// The error flag in summaries.
    error: TermId,
    args: IdVec<ArgId, Arg>,
    /// ARGs to process; the exact ones, whose specifications are true, in the second.
    queues: [VecDeque<ArgId>; 2],
    /// Whether a guard is satisfiable.
    guards: FastMap<TermId, bool>,
    rigid: BTreeSet<TermId>,
    recursion: Recursion,
    ahead: Option<Ahead>,
    /// What is unrolled violates a specification: chains are followed to their ends.
    error_is_near: bool,
    /// The atoms of guards that were found for each procedure.
    atoms: BTreeMap<ProcId, Vec<TermId>>,
    /// Where the search for guards that hold in every iteration stands.
    frames: Option<generalise::State>,
}

impl Search<'_> {
    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Verdict, Reason> {
        let root = self.icfg.root.ok_or_else(|| Reason::Incomplete("no root procedure".to_string()))?;
        let no_error = ctx.pool.not(self.error);
        let main = self.add_arg(root, None);
        self.args[main].summary = no_error;
        let mut rounds = 0;
        while let Some(arg) = self.next(ctx, main)? {
            ctx.budget.check_now()?;
            rounds += 1;
            ctx.observer.progress(rounds, "whale");
            ctx.stats.set("ARGs", self.args.len() as u64);
            if arg != main && self.cover(ctx, arg, main)? {
                continue;
            }
            self.expand(ctx, arg)?;
            if self.args[arg].progress == Progress::Plausible {
                self.specify_exact_calls(ctx, arg)?;
                continue;
            }
            if self.is_exact(arg) {
                if self.satisfies_by_specifications(ctx, arg)? {
                    self.advance(arg, Progress::Proved);
                    continue;
                }
            } else if self.satisfies_by_hypotheses(ctx, arg)? {
                self.advance(arg, Progress::Plausible);
                continue;
            }
            ctx.stats.add("refinements", 1);
            for child in self.children(arg) {
                self.expand(ctx, child)?;
            }
            if let Some(verdict) = self.refine(ctx, arg, main)? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Holds(self.certificate(ctx, main)?))
    }

    /// The ARG to work on: the first in the queues that the proof relies on and that is open; exact ones when nothing
    /// else is left. `None` if there is none at all, which is the end of the proof.
    fn next(&mut self, ctx: &mut Ctx<'_>, main: ArgId) -> Result<Option<ArgId>, Reason> {
        let relied = self.relied_on(ctx, main)?;
        for exact in [false, true] {
            while let Some(arg) = self.queues[usize::from(exact)].pop_front() {
                self.args[arg].queued = false;
                if relied.contains(&arg) && self.args[arg].progress == Progress::Open {
                    return Ok(Some(arg));
                }
            }
            for progress in [Progress::Open, Progress::Plausible] {
                let mut relied = relied.iter().copied();
                let forgotten = relied.find(|&a| self.args[a].progress == progress && self.is_exact(a) == exact);
                if forgotten.is_some() {
                    return Ok(forgotten);
                }
            }
        }
        Ok(None)
    }

    fn is_exact(&self, arg: ArgId) -> bool {
        self.recursion.exact[self.args[arg].proc]
    }

    fn children(&self, arg: ArgId) -> Vec<ArgId> {
        self.args[arg].body.iter().flat_map(|b| b.calls.iter().map(|c| c.child)).collect()
    }

    fn advance(&mut self, arg: ArgId, progress: Progress) {
        self.args[arg].progress = progress;
        for child in self.children(arg) {
            if self.args[child].progress == Progress::Open {
                self.enqueue(child);
            }
        }
    }

    /// The specifications of the calls that are not exact.
    fn claims(&self, arg: ArgId) -> BTreeMap<ArgId, Specification> {
        let claimed = self.children(arg).into_iter().filter(|&c| !self.is_exact(c));
        claimed.map(|c| (c, (self.args[c].guard, self.args[c].summary))).collect()
    }

    /// Gives the exact calls of a plausible ARG specifications with which it is proved.
    fn specify_exact_calls(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<(), Reason> {
        if !self.satisfies_by_specifications(ctx, arg)? && !self.specify_what_is_kept(ctx, arg)? {
            let claims = self.claims(arg);
            let Explanation::Specifications(found) = self.explain(ctx, arg, &claims, Calls::Each)? else {
                return Err(Reason::Incomplete("a procedure that is too large to be unrolled".to_string()));
            };
            self.specify(found);
            if !self.satisfies_by_specifications(ctx, arg)? {
                return Err(Reason::Incomplete("projected specifications are too weak".to_string()));
            }
        }
        self.advance(arg, Progress::Proved);
        Ok(())
    }

    /// Guesses for a chain that are refuted again and again may mean that there is an error further down. Unrolls the
    /// chain by some more ARGs and asks without proofs, in one solver that keeps what it learned. An error that is
    /// found is left to REFINEARG.
    fn look_ahead(&mut self, ctx: &mut Ctx<'_>, top: ArgId) -> Result<bool, Reason> {
        let n_times = self.args[top].n_refuted.saturating_sub(1);
        let is_loop = self.frames.as_ref().is_some_and(|f| f.is_about(top));
        let n_more = if is_loop { (AHEAD_IN_LOOPS * n_times).min(MAX_AHEAD_IN_LOOPS) } else { n_times.min(MAX_AHEAD) };
        for _ in 0..n_more {
            // The nearest ARG that is not unrolled.
            let mut todo = VecDeque::from([top]);
            let mut leaf = None;
            while let Some(next) = todo.pop_front()
                && leaf.is_none()
            {
                if self.args[next].body.is_none() {
                    leaf = Some(next);
                }
                todo.extend(self.children(next).into_iter().filter(|&c| !self.is_exact(c)));
            }
            let Some(leaf) = leaf else { return Ok(false) };
            self.expand(ctx, leaf)?;
            if self.has_violation(ctx, top)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The uncovered ARGs whose specifications the root's needs: those of its calls, what covers them, and so on. An
    /// ARG with a specification that every procedure satisfies needs nothing below it, whatever is still written there.
    fn relied_on(&mut self, ctx: &mut Ctx<'_>, main: ArgId) -> Result<BTreeSet<ArgId>, Reason> {
        let mut relied = BTreeSet::new();
        let mut todo = vec![main];
        while let Some(mut arg) = todo.pop() {
            while let Some(by) = self.args[arg].covered_by {
                arg = by;
            }
            if relied.contains(&arg) || self.is_trivial(ctx, arg)? {
                continue;
            }
            relied.insert(arg);
            todo.extend(self.args[arg].body.iter().flat_map(|b| b.calls.iter().map(|c| c.child)));
        }
        Ok(relied)
    }

    fn add_arg(&mut self, proc: ProcId, parent: Option<ArgId>) -> ArgId {
        let id = self.args.push(Arg {
            proc,
            parent,
            guard: TermId::TRUE,
            summary: TermId::TRUE,
            body: None,
            progress: Progress::Open,
            covered_by: None,
            queued: false,
            n_refined: 0,
            n_refuted: 0,
            n_links: SHORT_CHAIN,
        });
        self.enqueue(id);
        id
    }

    fn enqueue(&mut self, arg: ArgId) {
        if !std::mem::replace(&mut self.args[arg].queued, true) {
            let queue = usize::from(self.is_exact(arg));
            self.queues[queue].push_back(arg);
        }
    }

    /// A specification that every procedure satisfies: no input satisfies the guard, or the summary is true.
    fn is_trivial(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<bool, Reason> {
        let Arg { guard, summary, .. } = self.args[arg];
        if summary == TermId::TRUE || guard == TermId::FALSE {
            return Ok(true);
        }
        if guard == TermId::TRUE {
            return Ok(false);
        }
        if let Some(&satisfiable) = self.guards.get(&guard) {
            return Ok(!satisfiable);
        }
        let satisfiable = self.satisfiable(ctx, &[guard])?;
        self.guards.insert(guard, satisfiable);
        Ok(!satisfiable)
    }

    fn satisfiable(&self, ctx: &mut Ctx<'_>, formulas: &[TermId]) -> Result<bool, Reason> {
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        ctx.stats.add("solver calls", 1);
        match solver.check_assuming(ctx.pool, formulas, ctx.budget) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(UnknownReason::Stopped(stop)) => Err(Reason::Stopped(stop)),
            SatResult::Unknown(UnknownReason::Incomplete(why)) => Err(Reason::Incomplete(why)),
        }
    }

    /// COVERARG.
    fn cover(&mut self, ctx: &mut Ctx<'_>, arg: ArgId, main: ArgId) -> Result<bool, Reason> {
        let relied = self.relied_on(ctx, main)?;
        // Only earlier ones, which may be ancestors: the order keeps covering from going in circles.
        let candidates: Vec<ArgId> = relied.range(..arg).copied().collect();
        for other in candidates {
            if self.args[other].proc != self.args[arg].proc {
                continue;
            }
            let (g_i, s_i) = (self.args[arg].guard, self.args[arg].summary);
            let (g_j, s_j) = (self.args[other].guard, self.args[other].summary);
            let (not_g, not_s) = (ctx.pool.not(g_j), ctx.pool.not(s_i));
            if !self.satisfiable(ctx, &[g_i, not_g])? && !self.satisfiable(ctx, &[g_i, s_j, not_s])? {
                self.uncover_all(arg);
                self.args[arg].covered_by = Some(other);
                ctx.stats.add("covers", 1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the cover away from what an ARG covers: its specification is about to change, or proves nothing any more.
    fn uncover_all(&mut self, by: ArgId) {
        let covered: Vec<ArgId> = self.args.ids().filter(|&a| self.args[a].covered_by == Some(by)).collect();
        for arg in covered {
            self.args[arg].covered_by = None;
            self.enqueue(arg);
        }
    }

    /// Is the specification satisfied if exact calls do what they do, and others what they claim; or else (the
    /// induction hypothesis) if recursive calls do what an ARG of their procedure above, or this one, claims? Then
    /// those become the specifications of the calls, which will be covered.
    fn satisfies_by_hypotheses(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<bool, Reason> {
        let current = self.claims(arg);
        let mut hypotheses: BTreeMap<ArgId, Vec<Specification>> = BTreeMap::new();
        for &child in current.keys() {
            let mut claims: Vec<Specification> = Vec::new();
            let mut above = Some(arg);
            while let Some(a) = above
                && claims.len() < MAX_HYPOTHESES
            {
                let claim = (self.args[a].guard, self.args[a].summary);
                if self.args[a].proc == self.args[child].proc && claim.1 != TermId::TRUE && !claims.contains(&claim) {
                    claims.push(claim);
                }
                above = self.args[a].parent;
            }
            if !claims.is_empty() {
                hypotheses.insert(child, claims);
            }
        }
        let n_rounds = hypotheses.values().map(Vec::len).max().unwrap_or(0);
        let mut rounds = vec![current.clone()];
        for round in 0..n_rounds {
            let mut claims = current.clone();
            claims.extend(hypotheses.iter().map(|(&child, c)| (child, c[round.min(c.len() - 1)])));
            rounds.push(claims);
        }
        let Some(sufficient) = self.first_sufficient(ctx, arg, &rounds)? else { return Ok(false) };
        if sufficient > 0 {
            ctx.stats.add("induction hypotheses", 1);
            self.specify(rounds.swap_remove(sufficient).into_iter().collect());
        }
        Ok(true)
    }

    /// Gives ARGs new specifications. They belong together: none may be mixed with older guesses. What was known
    /// because of an old specification is not known any more.
    fn specify(&mut self, specifications: Vec<(ArgId, Specification)>) {
        for (arg, (guard, summary)) in specifications {
            if (guard, summary) == (self.args[arg].guard, self.args[arg].summary) {
                continue;
            }
            (self.args[arg].guard, self.args[arg].summary) = (guard, summary);
            self.args[arg].covered_by = None;
            self.args[arg].progress = Progress::Open;
            self.uncover_all(arg);
            self.enqueue(arg);
            if let Some(parent) = self.args[arg].parent {
                self.args[parent].progress = Progress::Open;
                self.enqueue(parent);
            }
        }
    }

    /// REFINEARG by state/transition interpolants.
    fn refine(&mut self, ctx: &mut Ctx<'_>, arg: ArgId, main: ArgId) -> Result<Option<Verdict>, Reason> {
        let is_exact = self.is_exact(arg);
        if is_exact && self.specify_what_is_kept(ctx, arg)? {
            self.advance(arg, Progress::Proved);
            return Ok(None);
        }
        // What was guessed for each iteration was refuted: one guess for all of them comes first.
        if !is_exact && self.args[arg].n_refuted > 0 {
            match self.generalise(ctx, arg)? {
                Generalised::Guards(found) => {
                    if self.suffices(ctx, arg, found)? {
                        return Ok(None);
                    }
                }
                Generalised::Violation if arg == main => self.error_is_near = true,
                Generalised::Violation => {
                    self.error_is_near = true;
                    self.refuted(ctx, arg);
                    return Ok(None);
                }
                Generalised::Nothing => {}
            }
        }
        if self.look_ahead(ctx, arg)? {
            self.error_is_near = true;
            if arg != main {
                self.refuted(ctx, arg);
                return Ok(None);
            }
        }
        for calls in if is_exact { [Calls::Each, Calls::Each] } else { [Calls::Chains, Calls::Claimed] } {
            match self.explain(ctx, arg, &BTreeMap::new(), calls)? {
                Explanation::Violation(model) if arg == main => {
                    let found = self.execution(ctx.pool, &model, main)?;
                    return Ok(Some(Verdict::Violated(self.map.original_counterexample(&found))));
                }
                Explanation::Violation(_) => {
                    self.refuted(ctx, arg);
                    return Ok(None);
                }
                Explanation::Specifications(found) => {
                    self.args[arg].n_refined += 1;
                    self.learn_atoms(ctx.pool, &found);
                    if self.suffices(ctx, arg, found)? {
                        return Ok(None);
                    }
                }
            }
        }
        Err(Reason::Incomplete("projected specifications are too weak".to_string()))
    }

    /// The simplest specifications for exact calls: what holds of global variables when the ARG is entered holds before
    /// and after each of them. Calls for which this is not true get theirs from a refutation, given what the others
    /// keep. Is the ARG satisfied with that?
    fn specify_what_is_kept(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<bool, Reason> {
        let icfg = self.icfg;
        let globals: BTreeSet<TermId> = icfg.globals.iter().map(|v| icfg.vars[*v].term).collect();
        let mut facts = ctx.pool.conjuncts(self.args[arg].guard);
        facts.retain(|&f| {
            let constants = ctx.pool.free_constants(f);
            constants.iter().any(|t| globals.contains(t))
                && constants.iter().all(|t| globals.contains(t) || self.rigid.contains(t))
        });
        if facts.is_empty() {
            return Ok(false);
        }
        let facts = ctx.pool.and(&facts);
        let mut kept: BTreeMap<ArgId, Specification> = BTreeMap::new();
        let n_calls = self.args[arg].body.as_ref().map_or(0, |b| b.calls.len());
        for index in 0..n_calls {
            let Some(call) = self.args[arg].body.as_ref().and_then(|b| b.calls.get(index)) else { continue };
            let child = call.child;
            if !self.is_exact(child) {
                continue;
            }
            let proc = self.args[child].proc;
            let mut after = Substitution::new();
            for &v in &icfg.procs[proc].modifies {
                let term = icfg.vars[v].term;
                after.insert(term, primed(ctx.pool, term));
            }
            let mut parts = vec![after.apply(ctx.pool, facts)];
            if self.recursion.fallible[proc] {
                parts.push(ctx.pool.not(self.error));
            }
            let summary = ctx.pool.and(&parts);
            // Where nothing changes and nothing fails, nothing needs to be said.
            let specification = if summary == facts { (TermId::TRUE, TermId::TRUE) } else { (facts, summary) };
            let before = self.bind_guard(ctx.pool, facts, &call.inputs);
            let owed = self.bind_summary(ctx.pool, summary, &call.inputs, &call.outputs, call.error);
            let unrolled = self.unrolled(ctx.pool, call, &mut Vec::new());
            let question = [before, call.passed, unrolled, ctx.pool.not(owed)];
            if !self.satisfiable(ctx, &question)? {
                kept.insert(child, specification);
            }
        }
        if kept.is_empty() {
            return Ok(false);
        }
        let mut claims = self.claims(arg);
        claims.extend(kept.iter().map(|(&child, &specification)| (child, specification)));
        let mut specifications: Vec<(ArgId, Specification)> = kept.into_iter().collect();
        match self.explain(ctx, arg, &claims, Calls::Each)? {
            Explanation::Violation(_) => return Ok(false),
            Explanation::Specifications(found) => specifications.extend(found),
        }
        self.specify(specifications);
        ctx.stats.add("kept facts", 1);
        self.satisfies_by_specifications(ctx, arg)
    }

    /// Gives the calls of an ARG new specifications. Is it satisfied with them?
    fn suffices(
        &mut self,
        ctx: &mut Ctx<'_>,
        arg: ArgId,
        specifications: Vec<(ArgId, Specification)>,
    ) -> Result<bool, Reason> {
        self.specify(specifications);
        let (is_enough, progress) = match self.is_exact(arg) {
            true => (self.satisfies_by_specifications(ctx, arg)?, Progress::Proved),
            false => {
                let claims = self.claims(arg);
                (self.first_sufficient(ctx, arg, &[claims])?.is_some(), Progress::Plausible)
            }
        };
        if is_enough {
            self.advance(arg, progress);
        }
        Ok(is_enough)
    }

    /// The specification of an ARG is refuted: an ancestor has to find another one. That is the first of the chain of
    /// its parent: what the iterations before claim was guessed together, and is mostly refuted together.
    fn refuted(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) {
        self.uncover_all(arg);
        let Some(mut to) = self.args[arg].parent else { return };
        let mut n_links = 1 + self.args[arg].n_links;
        while let Some(parent) = self.args[to].parent
            && self.is_last_call(ctx.pool, parent, to)
        {
            to = parent;
            n_links += 1;
        }
        // The chain has to exclude what refuted this ARG.
        self.args[to].n_links = self.args[to].n_links.max(n_links);
        // RESET: the specifications of its calls were not good; they start anew, and the ARG is refined again.
        let anew: Vec<(ArgId, Specification)> =
            self.children(to).into_iter().map(|child| (child, (TermId::TRUE, TermId::TRUE))).collect();
        self.specify(anew);
        self.args[to].progress = Progress::Open;
        self.args[to].n_refuted += 1;
        self.enqueue(to);
    }

    /// Does an ARG continue the chain of its parent?
    fn is_last_call(&self, pool: &mut TermPool, parent: ArgId, child: ArgId) -> bool {
        let Arg { proc, summary, .. } = self.args[parent];
        let mut calls = self.args[parent].body.iter().flat_map(|b| &b.calls);
        let call = calls.find(|c| c.child == child);
        call.is_some_and(|call| self.owed_by_last_call(pool, proc, call, summary).is_some())
    }

    /// A guard over the constants of some inputs.
    fn bind_guard(&self, pool: &mut TermPool, guard: TermId, inputs: &BTreeMap<VarId, TermId>) -> TermId {
        let pairs = inputs.iter().map(|(v, &c)| (self.icfg.vars[*v].term, c));
        Substitution::from_pairs(pairs).apply(pool, guard)
    }

    fn bind_summary(
        &self,
        pool: &mut TermPool,
        summary: TermId,
        inputs: &BTreeMap<VarId, TermId>,
        outputs: &BTreeMap<VarId, TermId>,
        error: TermId,
    ) -> TermId {
        let mut substitution = Substitution::new();
        for (v, &c) in inputs {
            substitution.insert(self.icfg.vars[*v].term, c);
        }
        for (v, &c) in outputs {
            let after = primed(pool, self.icfg.vars[*v].term);
            substitution.insert(after, c);
        }
        substitution.insert(self.error, error);
        substitution.apply(pool, summary)
    }
}
