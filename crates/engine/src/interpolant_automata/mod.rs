//! Refutation of error traces by interpolant automata: what trace abstraction and Taipan share.
//!
//! The program is an automaton whose words are the traces to error locations. Each iteration takes one such
//! trace; if it cannot be executed, its predicates become an *interpolant automaton*, which accepts only
//! infeasible traces, and that automaton's language is subtracted. When nothing is left, every error trace is
//! infeasible. Where the predicates come from is the engine's business ([`Refine`]).
//!
//! The interpolant automaton is deterministic and made on demand: its states are sets of predicates of the
//! trace (read as conjunctions), the successor of a set `P` under an edge `e` is the set of all predicates `q`
//! with `{∧P} e {q}`. The difference drives it, so only triples that some remaining trace needs are checked.
//! A state that contains *false* accepts every continuation.
//!
//! **The proof.** Every state of the present automaton carries a location and a formula: the disjunction over
//! what was merged of the conjunctions of its components' predicates. States that can no longer reach an error
//! are removed after each iteration; before they go, their formula is added to the annotation of their location.
//! A successor of a removed state is removed in the same iteration, was removed earlier (with a
//! weaker formula), or is infeasible; hence the annotation collected in the end is inductive.
//!
//! **Procedures.** For recursive programs traces are nested words: the automata have call and return edges,
//! interpolants come from one tree-interpolation call, and the proof is made of contracts; see [`contracts`].

use crate::framework::{Ctx, Phase, Task};
use crate::hoare::{HoareChecker, Validity};
use crate::prepared::{Prepared, prepare_compact};
use crate::refinement::{Refine, Refinement};
use automata::{DeterministicNwa, Nwa, StateId, Symbol, difference, minimise, remove_dead_ends, shortest_accepted};
use base::{Id, IdVec, Stop};
use ir::{Certificate, EdgeId, Icfg, Label, LocId, ProcId, Reason, VarKind, Verdict};
use logic::{FastMap, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

mod contracts;

/// Refutes the error traces of a task one after the other; `engine` is the name that progress shows.
pub(crate) fn search(ctx: &mut Ctx<'_>, task: &Task<'_>, engine: &'static str, refine: &mut dyn Refine) -> Verdict {
    let verdict = prepare_compact(ctx, task)
        .and_then(|prepared| (Search { icfg: &prepared.icfg, prepared: &prepared, engine }).run(ctx, task, refine));
    verdict.unwrap_or_else(Verdict::Unknown)
}

/// A disjunction of conjunctions of predicates; each conjunction is a sorted set.
type Dnf = Vec<Vec<TermId>>;

/// Minimise only while the automaton is larger than this.
const MINIMISE_ABOVE: usize = 64;

/// An interpolant automaton with more states takes only the steps of its own trace.
const MAX_STATES: usize = 1000;

struct Search<'a> {
    icfg: &'a Icfg,
    prepared: &'a Prepared,
    engine: &'static str,
}

/// The automaton of the error traces not yet refuted.
struct Abstraction {
    automaton: Nwa<EdgeId>,
    locs: IdVec<StateId, LocId>,
    formulas: IdVec<StateId, Dnf>,
}

impl Search<'_> {
    fn run(&self, ctx: &mut Ctx<'_>, task: &Task<'_>, refine: &mut dyn Refine) -> Result<Verdict, Reason> {
        let mut proof: BTreeMap<LocId, Dnf> = BTreeMap::new();
        let mut hoare = HoareChecker::new(ctx.pool, self.icfg);
        let mut subtracted: Vec<Interpolant> = Vec::new();
        let mut abstraction = self.program_automaton();
        abstraction = self.trim(ctx, abstraction, &mut proof)?;
        let offered: BTreeSet<TermId> = self.prepared.offered(task).into_values().flatten().collect();
        if !offered.is_empty() && !self.icfg.has_calls() {
            // As if they came from a trace: what they refute by themselves is gone before the first iteration.
            let mut interpolant =
                Interpolant::new(ctx.pool, &mut hoare, self.icfg, &[], &[offered.into_iter().collect()]);
            abstraction = self.subtract(ctx, &mut hoare, &abstraction, &mut interpolant)?;
            abstraction = self.trim(ctx, abstraction, &mut proof)?;
        }
        for round in 1.. {
            ctx.budget.check_now()?;
            ctx.stats.set("iterations", round);
            ctx.stats.max("largest automaton", abstraction.automaton.n_states() as u64);
            let Some(run) = shortest_accepted(&abstraction.automaton, ctx.budget)? else {
                if self.icfg.has_calls() {
                    let annotation = contracts::annotate(ctx, &mut hoare, self.icfg, &mut subtracted)?;
                    return Ok(Verdict::Holds(Certificate::Annotation(self.prepared.annotation(annotation))));
                }
                return Ok(Verdict::Holds(self.certificate(ctx.pool, &proof)));
            };
            let trace: Vec<EdgeId> = run.letters();
            ctx.observer.progress(round, self.engine);
            let predicates = match refine.refine(ctx, self.icfg, &trace, &mut hoare)? {
                Refinement::Feasible(counterexample) => {
                    return Ok(Verdict::Violated(self.prepared.counterexample(ctx.pool, counterexample)?));
                }
                Refinement::Predicates(sequences) => sequences,
            };
            self.prepared.offer(ctx, &trace, &predicates);
            let mut interpolant = Interpolant::new(ctx.pool, &mut hoare, self.icfg, &trace, &predicates);
            let mut next = self.subtract(ctx, &mut hoare, &abstraction, &mut interpolant)?;
            if accepts(&next.automaton, &trace, &run.word) {
                return Err(Reason::Incomplete("a refuted trace was not excluded".to_string()));
            }
            if self.icfg.has_calls() {
                subtracted.push(interpolant);
            }
            next = self.trim(ctx, next, &mut proof)?;
            if next.automaton.n_states() > MINIMISE_ABOVE {
                next = self.minimise(ctx, next)?;
            }
            abstraction = next;
        }
        unreachable!("the loop ends by return")
    }

    /// The traces that an interpolant automaton does not accept.
    fn subtract(
        &self,
        ctx: &mut Ctx<'_>,
        hoare: &mut HoareChecker<'_>,
        from: &Abstraction,
        interpolant: &mut Interpolant,
    ) -> Result<Abstraction, Reason> {
        let mut asking = Asking { ctx: &mut *ctx, hoare, icfg: self.icfg, automaton: interpolant };
        let unlimited = base::Budget::unlimited(); // `asking` polls the budget
        let product = difference(&from.automaton, &mut asking, &unlimited).map_err(|e| e.0)?;
        let states = &interpolant.states;
        ctx.stats.add("interpolant automaton states", states.len() as u64);
        let formula = |&(a, b): &(StateId, StateId)| conjoin(&from.formulas[a], &states[b].predicates);
        Ok(Abstraction {
            locs: product.pairs.values().map(|&(a, _)| from.locs[a]).collect(),
            formulas: product.pairs.values().map(formula).collect(),
            automaton: product.automaton,
        })
    }

    fn program_automaton(&self) -> Abstraction {
        let icfg = self.icfg;
        let mut automaton = Nwa::new();
        for loc in icfg.locs.ids() {
            let state = automaton.add_state(icfg.locs[loc].error.is_some());
            debug_assert_eq!(state.index(), loc.index());
        }
        let state = |loc: LocId| StateId::from_index(loc.index());
        automaton.add_initial(state(icfg.entry()));
        for (id, edge) in icfg.edges.iter() {
            match edge.label {
                Label::Call(_) => {
                    automaton.add_call(state(edge.src), id, state(edge.dst));
                }
                Label::Return(site) => {
                    let call = &icfg.edges[icfg.call_sites[site].call_edge];
                    automaton.add_return(state(edge.src), state(call.src), id, state(edge.dst));
                }
                _ => {
                    automaton.add_internal(state(edge.src), id, state(edge.dst));
                }
            }
        }
        let n = icfg.locs.len();
        Abstraction { automaton, locs: icfg.locs.ids().collect(), formulas: IdVec::from_elem(vec![Vec::new()], n) }
    }

    /// Removes what cannot reach an error, keeping its formulas for the proof.
    fn trim(
        &self,
        ctx: &mut Ctx<'_>,
        abstraction: Abstraction,
        proof: &mut BTreeMap<LocId, Dnf>,
    ) -> Result<Abstraction, Reason> {
        let trimmed = ctx.phase(Phase::Automata, |ctx| remove_dead_ends(&abstraction.automaton, ctx.budget))?;
        for (old, new) in trimmed.renaming.iter() {
            let loc = abstraction.locs[old];
            if new.is_none() && self.icfg.locs[loc].is_loop_head {
                let dnf = proof.entry(loc).or_default();
                for conjunction in &abstraction.formulas[old] {
                    add_disjunct(dnf, conjunction.clone());
                }
            }
        }
        let origin = trimmed.origin();
        Ok(Abstraction {
            automaton: trimmed.automaton,
            locs: origin.values().map(|&old| abstraction.locs[old]).collect(),
            formulas: origin.values().map(|&old| abstraction.formulas[old].clone()).collect(),
        })
    }

    /// Merges states of the same location with the same future.
    fn minimise(&self, ctx: &mut Ctx<'_>, abstraction: Abstraction) -> Result<Abstraction, Reason> {
        let locs = &abstraction.locs;
        let small =
            ctx.phase(Phase::Automata, |ctx| minimise(&abstraction.automaton, |q| u64::from(locs[q].0), ctx.budget))?;
        let n = small.automaton.n_states();
        let mut merged_locs = IdVec::from_elem(LocId(0), n);
        let mut formulas: IdVec<StateId, Dnf> = IdVec::from_elem(Vec::new(), n);
        for (old, &new) in small.renaming.iter() {
            merged_locs[new] = locs[old];
            for conjunction in &abstraction.formulas[old] {
                add_disjunct(&mut formulas[new], conjunction.clone());
            }
        }
        Ok(Abstraction { automaton: small.automaton, locs: merged_locs, formulas })
    }

    fn certificate(&self, pool: &mut TermPool, proof: &BTreeMap<LocId, Dnf>) -> Certificate {
        let formulas = proof
            .iter()
            .map(|(&loc, dnf)| (loc, dnf.iter().map(|conjunction| pool.and(conjunction)).collect()))
            .collect();
        self.prepared.certificate(pool, formulas)
    }
}

fn conjoin(dnf: &Dnf, predicates: &[TermId]) -> Dnf {
    let mut result = Dnf::new();
    for conjunction in dnf {
        let mut joined = conjunction.clone();
        joined.extend_from_slice(predicates);
        joined.sort_unstable();
        joined.dedup();
        add_disjunct(&mut result, joined);
    }
    result
}

/// Adds a conjunction unless a weaker one is there; drops stronger ones.
fn add_disjunct(dnf: &mut Dnf, conjunction: Vec<TermId>) {
    let includes = |big: &[TermId], small: &[TermId]| small.iter().all(|t| big.binary_search(t).is_ok());
    if dnf.iter().any(|weaker| includes(&conjunction, weaker)) {
        return;
    }
    dnf.retain(|other| !includes(other, &conjunction));
    dnf.push(conjunction);
}

/// Does a path labelled with this trace lead from an initial to an accepting state? (Progress check; traces
/// with calls are trusted.)
fn accepts(automaton: &Nwa<EdgeId>, trace: &[EdgeId], word: &[Symbol<EdgeId>]) -> bool {
    if word.iter().any(|s| !matches!(s, Symbol::Internal(_))) {
        return false;
    }
    let mut states: Vec<StateId> = automaton.initial().to_vec();
    for &letter in trace {
        let mut next: Vec<StateId> =
            states.iter().flat_map(|&q| automaton.internal_successors(q, letter).collect::<Vec<_>>()).collect();
        next.sort_unstable();
        next.dedup();
        states = next;
    }
    states.iter().any(|&q| automaton.is_accepting(q))
}

/// Why a successor could not be computed.
struct Failure(Reason);

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure(Reason::Stopped(stop))
    }
}

struct State {
    /// Sorted terms of the predicates that hold (never true or false).
    predicates: Vec<TermId>,
    formula: TermId,
}

/// The predicates of a trace as a deterministic automaton on demand: what is known of it.
struct Interpolant {
    /// Distinct predicates with the procedure they belong to, if they speak of its variables.
    predicates: Vec<(TermId, Option<ProcId>)>,
    /// Triples that hold by construction: from one predicate over an edge to another.
    known: FastMap<(TermId, EdgeId), Vec<TermId>>,
    states: IdVec<StateId, State>,
    ids: FastMap<Vec<TermId>, StateId>,
    false_state: StateId,
    internal_memo: FastMap<(StateId, EdgeId), StateId>,
    return_memo: FastMap<(StateId, StateId, EdgeId), StateId>,
}

/// The automaton with what it needs to answer new questions.
struct Asking<'a, 'c, 'h> {
    ctx: &'a mut Ctx<'c>,
    hoare: &'a mut HoareChecker<'h>,
    icfg: &'a Icfg,
    automaton: &'a mut Interpolant,
}

impl Interpolant {
    fn new(
        pool: &TermPool,
        hoare: &mut HoareChecker<'_>,
        icfg: &Icfg,
        trace: &[EdgeId],
        sequences: &[Vec<TermId>],
    ) -> Interpolant {
        let mut distinct: Vec<TermId> = Vec::new();
        let mut known: FastMap<(TermId, EdgeId), Vec<TermId>> = FastMap::default();
        for sequence in sequences {
            for &p in sequence {
                if p != TermId::TRUE && p != TermId::FALSE && !distinct.contains(&p) {
                    distinct.push(p);
                }
            }
            for (i, &edge) in trace.iter().enumerate() {
                let targets = known.entry((sequence[i], edge)).or_default();
                if !targets.contains(&sequence[i + 1]) {
                    targets.push(sequence[i + 1]);
                }
            }
        }
        let predicates = distinct.into_iter().filter_map(|p| Some((p, scope_of(pool, hoare, icfg, p)?))).collect();
        let mut states = IdVec::new();
        let initial: StateId = states.push(State { predicates: Vec::new(), formula: TermId::TRUE });
        let false_state = states.push(State { predicates: vec![TermId::FALSE], formula: TermId::FALSE });
        let ids = FastMap::from_iter([(Vec::new(), initial)]);
        Interpolant {
            predicates,
            known,
            states,
            ids,
            false_state,
            internal_memo: FastMap::default(),
            return_memo: FastMap::default(),
        }
    }

    fn state(&mut self, pool: &mut TermPool, mut predicates: Vec<TermId>) -> StateId {
        predicates.sort_unstable();
        if let Some(&id) = self.ids.get(&predicates) {
            return id;
        }
        let formula = pool.and(&predicates);
        if formula == TermId::FALSE {
            return self.false_state;
        }
        let id = self.states.push(State { predicates: predicates.clone(), formula });
        self.ids.insert(predicates, id);
        id
    }
}

impl Asking<'_, '_, '_> {
    /// The set of all predicates that hold after a step, by a check of one.
    fn successor(
        &mut self,
        from: StateId,
        edge: EdgeId,
        target_proc: ProcId,
        check: impl Fn(&mut Self, TermId) -> Validity,
    ) -> Result<StateId, Failure> {
        self.ctx.budget.check_now()?;
        let mut by_construction: Vec<TermId> = Vec::new();
        let sources = self.automaton.states[from].predicates.iter().copied().chain([TermId::TRUE]);
        let internal = !matches!(self.icfg.edges[edge].label, Label::Return(_));
        for source in sources {
            if internal && let Some(targets) = self.automaton.known.get(&(source, edge)) {
                by_construction.extend_from_slice(targets);
            }
        }
        if by_construction.contains(&TermId::FALSE) || check(self, TermId::FALSE) == Validity::Valid {
            return Ok(self.automaton.false_state);
        }
        if self.automaton.states.len() > MAX_STATES {
            // Too many combinations: only what the trace itself says.
            by_construction.retain(|p| *p != TermId::TRUE);
            by_construction.sort_unstable();
            by_construction.dedup();
            return Ok(self.automaton.state(self.ctx.pool, by_construction));
        }
        let mut holding = Vec::new();
        for i in 0..self.automaton.predicates.len() {
            let (p, scope) = self.automaton.predicates[i];
            if scope.is_some_and(|s| s != target_proc) {
                continue;
            }
            if by_construction.contains(&p) || check(self, p) == Validity::Valid {
                holding.push(p);
            }
        }
        Ok(self.automaton.state(self.ctx.pool, holding))
    }
}

/// The procedure whose variables a formula speaks about, `Some(None)` if only of globals; `None` if it mixes
/// procedures, which no position can have.
fn scope_of(pool: &TermPool, hoare: &mut HoareChecker<'_>, icfg: &Icfg, p: TermId) -> Option<Option<ProcId>> {
    let constants: Vec<TermId> = hoare.constants_of(pool, p).to_vec();
    let mut scope = None;
    for constant in constants {
        let Some(v) = hoare.variable(constant) else { continue };
        match icfg.vars[v].kind {
            VarKind::Global | VarKind::Old(_) => {}
            VarKind::Param(q) | VarKind::Result(q) | VarKind::Local(q) => {
                if scope.is_some_and(|s| s != q) {
                    return None;
                }
                scope = Some(q);
            }
        }
    }
    Some(scope)
}

impl DeterministicNwa<EdgeId> for Asking<'_, '_, '_> {
    type Error = Failure;
    fn initial(&mut self) -> Result<StateId, Failure> {
        Ok(StateId::from_index(0))
    }
    fn is_accepting(&self, state: StateId) -> bool {
        state == self.automaton.false_state
    }
    fn is_accepting_trap(&self, state: StateId) -> bool {
        state == self.automaton.false_state
    }
    fn internal(&mut self, state: StateId, edge: EdgeId) -> Result<StateId, Failure> {
        if let Some(&known) = self.automaton.internal_memo.get(&(state, edge)) {
            return Ok(known);
        }
        let pre = self.automaton.states[state].formula;
        let proc = self.icfg.locs[self.icfg.edges[edge].dst].proc;
        let result = self.successor(state, edge, proc, |this, post| this.hoare.internal(this.ctx, pre, edge, post))?;
        self.automaton.internal_memo.insert((state, edge), result);
        Ok(result)
    }
    fn call(&mut self, state: StateId, edge: EdgeId) -> Result<StateId, Failure> {
        if let Some(&known) = self.automaton.internal_memo.get(&(state, edge)) {
            return Ok(known);
        }
        let pre = self.automaton.states[state].formula;
        let proc = self.icfg.locs[self.icfg.edges[edge].dst].proc;
        let result = self.successor(state, edge, proc, |this, post| this.hoare.call(this.ctx, pre, edge, post))?;
        self.automaton.internal_memo.insert((state, edge), result);
        Ok(result)
    }
    fn ret(&mut self, state: StateId, hier: StateId, edge: EdgeId) -> Result<StateId, Failure> {
        if let Some(&known) = self.automaton.return_memo.get(&(state, hier, edge)) {
            return Ok(known);
        }
        let (exit, before) = (self.automaton.states[state].formula, self.automaton.states[hier].formula);
        let proc = self.icfg.locs[self.icfg.edges[edge].dst].proc;
        let result =
            self.successor(state, edge, proc, |this, post| this.hoare.ret(this.ctx, exit, before, edge, post))?;
        self.automaton.return_memo.insert((state, hier, edge), result);
        Ok(result)
    }
}
