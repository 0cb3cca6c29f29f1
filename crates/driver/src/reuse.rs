//! What is known of an old version, tried on the new one before any engine runs.
//!
//! 1. An execution that violated the old version is executed again with its choices.
//! 2. The certificate of the old version, carried over ([`crate::transfer`]), goes straight to the checker.
//! 3. Of all facts in all readings the largest inductive part is kept ([`check::inductive_part`]: Houdini over loop
//!    invariants and contracts, callees first, conjunct by conjunct); if it excludes every error it is the proof.
//! 4. Engines are offered what is left, first what holds and then what does not: it may be a part of what is needed.
//!
//! Facts are candidates: whatever is answered here was certified like the answer of an engine.

use crate::certify::{Claim, Effort, certify};
use crate::graphs::{Graphs, View};
use crate::known::{
    BoundKind, Contract, Evidence, Execution, Facts, GraphKind, Invariant, LassoStep, Termination, mode_name,
    n_conjuncts,
};
use crate::outcome::Outcome;
use crate::transfer::{Reading, Transfer};
use base::Budget;
use engine::{Predicates, summaries};
use exec::guided::{Chooser, Tester};
use ir::{
    Annotation, Certificate, EdgeId, Icfg, Label, ModuleMode, ModuleState, Nondet, RankingModule, Stmt, VarId, Verdict,
};
use logic::{FastSet, Model, Op, TermId, TermPool, Value, default_value};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The name of the one who answers from facts.
pub(crate) const REUSE: &str = "reuse";
/// Of the time that is left: for what the old version gives as it is, and for its inductive part.
const DIRECT_SHARE: f64 = 0.2;
const INDUCTIVE_SHARE: f64 = 0.25;
/// Trying facts takes at most this many times what it took to find them, and the second on top.
const MAX_FACTOR: u64 = 4;
const MIN_LIMIT: Duration = Duration::from_millis(500);
/// A certificate that only carries a bound is tried with more.
const MORE: u64 = 4;
/// The factor by which an execution may be longer than in the old version.
const MORE_STEPS: u64 = 4;
const MIN_STEPS: u64 = 10_000;

/// How the facts of an old version were used; counts of conjuncts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub offered: usize,
    /// Hold in the new version as they are.
    pub kept: usize,
    /// Hold with other numbers or variables.
    pub repaired: usize,
    /// Do not hold, or cannot be said.
    pub dropped: usize,
}

impl Tally {
    /// Does all that was known hold in the new version? If that is no proof, the new version may well be wrong.
    pub(crate) fn is_all_kept(&self) -> bool {
        self.offered > 0 && self.kept == self.offered
    }
}

/// What facts gave.
pub(crate) struct Reused {
    pub(crate) answer: Option<Outcome>,
    /// For engines: formulas at locations of the flat graph.
    pub(crate) offers: Predicates,
    pub(crate) tally: Tally,
}

/// Tries the facts of an old version on the graphs of a new one.
pub(crate) fn try_facts(pool: &mut TermPool, graphs: &Graphs, facts: &Facts, claim: &Claim, budget: &Budget) -> Reused {
    let n = facts.n_facts();
    let mut reused =
        Reused { answer: None, offers: Predicates::new(), tally: Tally { offered: n, dropped: n, ..Tally::default() } };
    if graphs.original.has_threads() {
        return reused;
    }
    let all = Tally { offered: n, kept: n, ..Tally::default() };
    let limit = Duration::from_millis(facts.milliseconds.saturating_mul(MAX_FACTOR)).saturating_add(MIN_LIMIT);
    let attempt = Attempt { graphs, facts, claim, budget: &budget.child(limit) };
    match &facts.evidence {
        Evidence::Nothing => {}
        Evidence::Violation(execution) => {
            reused.answer = attempt.violation(pool, execution);
        }
        Evidence::Infinite { initial, stem, cycle, recurrence } => {
            reused.answer = attempt.infinite(pool, initial, stem, cycle, recurrence);
        }
        Evidence::Bound { kind, bound } => {
            reused.answer = attempt.bound(pool, *kind, *bound);
        }
        Evidence::Termination(proof) => {
            reused.answer = attempt.termination(pool, proof);
        }
        Evidence::Annotation { graph, invariants, contracts } => {
            return attempt.annotation(pool, *graph, invariants, contracts);
        }
    }
    if reused.answer.is_some() {
        reused.tally = all;
    } else if let Some(modular) = attempt.modular(pool) {
        return modular;
    }
    reused
}

/// Facts as formulas at locations of the flat graph, without a look at their truth.
pub(crate) fn offers_of(pool: &mut TermPool, graphs: &Graphs, facts: &Facts) -> Predicates {
    let Evidence::Annotation { graph: GraphKind::Flat, invariants, contracts } = &facts.evidence else {
        return Predicates::new();
    };
    let map = graphs.map(View::Flat);
    let mut transfer = Transfer::new(pool, facts, &graphs.original, graphs.view(View::Flat), map.as_ref());
    let readings = transfer.readings();
    let all: Vec<Annotation> =
        readings.into_iter().map(|r| transfer.annotation(pool, invariants, contracts, r)).collect();
    let union = united(pool, &all);
    offers(pool, &Annotation::default(), &union)
}

#[derive(Clone, Copy)]
struct Attempt<'a> {
    graphs: &'a Graphs,
    facts: &'a Facts,
    claim: &'a Claim,
    budget: &'a Budget,
}

impl Attempt<'_> {
    /// An answer if the checker accepts the evidence.
    fn certified(&self, pool: &mut TermPool, view: View, verdict: Verdict, share: f64) -> Option<Outcome> {
        let limit = self.budget.share(share);
        let outcome = certify(pool, self.graphs, view, verdict, self.claim, Effort::Plain, &limit);
        outcome.is_definite().then_some(outcome)
    }

    fn transfer<'t>(&'t self, pool: &TermPool, view: View, map: Option<&'t ir::inline::InlineMap>) -> Transfer<'t> {
        Transfer::new(pool, self.facts, &self.graphs.original, self.graphs.view(view), map)
    }

    /// With the contracts of the old version: those of functions that changed are validated, callees before callers,
    /// and repaired conjunct by conjunct. `None`: that is no proof.
    fn modular(&self, pool: &mut TermPool) -> Option<Reused> {
        let modular = self.facts.modular.as_ref()?;
        let reused = self.annotation(pool, GraphKind::Original, &modular.invariants, &modular.contracts);
        reused.answer.is_some().then_some(reused)
    }

    fn annotation(
        &self,
        pool: &mut TermPool,
        kind: GraphKind,
        invariants: &[Invariant],
        contracts: &[Contract],
    ) -> Reused {
        // Formulas about procedures with their calls need the values before a call.
        let with_calls = (kind == GraphKind::Original && self.graphs.original.has_calls())
            .then(|| Graphs::with_calls(pool, &self.graphs.original));
        let attempt = Attempt { graphs: with_calls.as_ref().unwrap_or(self.graphs), ..*self };
        attempt.of_graph(pool, kind, invariants, contracts)
    }

    fn of_graph(
        &self,
        pool: &mut TermPool,
        kind: GraphKind,
        invariants: &[Invariant],
        contracts: &[Contract],
    ) -> Reused {
        let view = match kind {
            GraphKind::Flat => View::Flat,
            GraphKind::Original | GraphKind::TailRecursive => View::Original,
        };
        let map = self.graphs.map(view);
        let recursive = (kind == GraphKind::TailRecursive).then(|| {
            let (mut graph, _) = ir::tail_recursion::loops_to_recursion(self.graphs.view(view), pool);
            graph.ensure_old_vars(pool);
            graph
        });
        let (original, graph) = match &recursive {
            Some(graph) => (graph, graph),
            None => (&self.graphs.original, self.graphs.view(view)),
        };
        let wrap: fn(Annotation) -> Certificate = match kind {
            GraphKind::TailRecursive => Certificate::TailRecursive,
            GraphKind::Flat | GraphKind::Original => Certificate::Annotation,
        };
        let mut transfer = Transfer::new(pool, self.facts, original, graph, map.as_ref());
        let n = n_conjuncts(invariants, contracts);
        let mut all: Vec<Annotation> = Vec::new();
        for reading in transfer.readings() {
            let annotation = transfer.annotation(pool, invariants, contracts, reading);
            if all.contains(&annotation) {
                continue;
            }
            let verdict = Verdict::Holds(wrap(annotation.clone()));
            if let Some(outcome) = self.certified(pool, view, verdict, DIRECT_SHARE) {
                let is_as_it_was = reading == Reading { by_name: false, numbers: false };
                let (kept, repaired) = if is_as_it_was { (n, 0) } else { (0, n) };
                let tally = Tally { offered: n, kept, repaired, dropped: 0 };
                return Reused { answer: Some(outcome), offers: Predicates::new(), tally };
            }
            all.push(annotation);
        }
        drop(transfer);
        if kind == GraphKind::Flat
            && let Some(reused) = self.modular(pool)
        {
            return reused;
        }
        let union = united(pool, &all);
        let options = self.claim.options;
        let limit = self.budget.share(INDUCTIVE_SHARE);
        let part = check::inductive_part(pool, graph, &union, options, &limit).unwrap_or_default();
        let tally = tally(pool, n, &all, &part);
        let has_facts = !part.invariants.is_empty() || !part.contracts.is_empty();
        if has_facts && !all.contains(&part) {
            let verdict = Verdict::Holds(wrap(part.clone()));
            if let Some(outcome) = self.certified(pool, view, verdict, DIRECT_SHARE) {
                return Reused { answer: Some(outcome), offers: Predicates::new(), tally };
            }
        }
        if kind == GraphKind::Original
            && let Some(outcome) = self.interpolated(pool, graph, [all.first(), Some(&part)])
        {
            return Reused { answer: Some(outcome), offers: Predicates::new(), tally };
        }
        let offers = if kind == GraphKind::Flat { offers(pool, &part, &union) } else { Predicates::new() };
        Reused { answer: None, offers, tally }
    }

    /// With the loop invariants of annotations, and new contracts: for functions whose contracts do not hold any more,
    /// and for those that are new.
    fn interpolated(
        &self,
        pool: &mut TermPool,
        graph: &Icfg,
        annotations: [Option<&Annotation>; 2],
    ) -> Option<Outcome> {
        for annotation in annotations.into_iter().flatten() {
            let limit = self.budget.share(DIRECT_SHARE);
            if let Some(found) = summaries::contracts(pool, graph, &annotation.invariants, &limit) {
                let verdict = Verdict::Holds(Certificate::Annotation(found));
                let outcome = self.certified(pool, View::Original, verdict, DIRECT_SHARE);
                if outcome.is_some() {
                    return outcome;
                }
            }
        }
        None
    }

    fn bound(&self, pool: &mut TermPool, kind: BoundKind, bound: u64) -> Option<Outcome> {
        let more = bound.saturating_mul(MORE).max(16);
        let passes = u32::try_from(bound.saturating_mul(2).saturating_add(2)).unwrap_or(u32::MAX);
        let certificate = match kind {
            BoundKind::Unwinding => Certificate::Unwinding(passes),
            BoundKind::FiniteUnwinding => Certificate::FiniteUnwinding(passes),
            BoundKind::Execution => Certificate::Execution(more),
            BoundKind::FiniteExecution => Certificate::FiniteExecution(more),
            BoundKind::States => Certificate::States(more),
            BoundKind::StatesOfBranches => Certificate::StatesOfBranches(more),
            BoundKind::FairStates => Certificate::FairStates { steps: more, wide: Vec::new() },
        };
        self.certified(pool, View::Flat, Verdict::Holds(certificate), DIRECT_SHARE + INDUCTIVE_SHARE)
    }

    fn termination(&self, pool: &mut TermPool, stored: &Termination) -> Option<Outcome> {
        let map = self.graphs.map(View::Flat);
        let graph = self.graphs.view(View::Flat);
        if graph.has_calls() {
            return None;
        }
        let mut transfer = self.transfer(pool, View::Flat, map.as_ref());
        for reading in transfer.readings() {
            if let Some(proof) = self.termination_proof(pool, &mut transfer, stored, reading) {
                let verdict = Verdict::Holds(Certificate::Termination(Box::new(proof)));
                let outcome = self.certified(pool, View::Flat, verdict, DIRECT_SHARE);
                if outcome.is_some() {
                    return outcome;
                }
            }
        }
        None
    }

    fn termination_proof(
        &self,
        pool: &mut TermPool,
        transfer: &mut Transfer<'_>,
        stored: &Termination,
        reading: Reading,
    ) -> Option<ir::TerminationProof> {
        let original = &self.graphs.original;
        let mut proof = ir::TerminationProof::default();
        for at in &stored.cut_points {
            proof.cut_points.insert(transfer.location(at)?);
        }
        for module in &stored.modules {
            let mut rank = Vec::new();
            for text in &module.rank {
                rank.push(transfer.aligned_term(pool, text, &[], reading)?);
            }
            let ghosts: Vec<TermId> = rank
                .iter()
                .map(|&component| {
                    let sort = pool.sort(component);
                    pool.fresh_constant("ghost", sort)
                })
                .collect();
            let mut states = Vec::new();
            for (mode, formula) in &module.states {
                let modes = [ModuleMode::Waiting, ModuleMode::Seed, ModuleMode::Tracking, ModuleMode::Decrease];
                let mode = modes.into_iter().find(|m| mode_name(*m) == mode)?;
                let formula = transfer.aligned_term(pool, formula, &ghosts, reading).filter(|&f| pool.is_bool(f))?;
                states.push(ModuleState { mode, formula });
            }
            let mut edges = BTreeMap::new();
            for (from, path, to) in &module.edges {
                let path: Option<Vec<EdgeId>> = path.iter().map(|e| transfer.edge(original, e)).collect();
                if *from >= states.len() || *to >= states.len() {
                    return None;
                }
                edges.insert((*from, path?), *to);
            }
            proof.modules.push(RankingModule { rank, ghosts, states, edges });
        }
        Some(proof)
    }

    fn violation(&self, pool: &mut TermPool, execution: &Execution) -> Option<Outcome> {
        let original = &self.graphs.original;
        let mut transfer = Transfer::new(pool, self.facts, original, original, None);
        let choices = OldChoices::read(pool, &mut transfer, original, execution);
        let mut old = Replaying { pool, icfg: original, choices };
        let limit = self.budget.share(DIRECT_SHARE);
        let max_steps = execution.n_steps.saturating_mul(MORE_STEPS).max(MIN_STEPS);
        let tester = Tester::new(original, old.pool)?;
        let guide = tester.run_by(&mut old, max_steps, &mut || limit.check_now().is_err())?;
        self.certified(pool, View::Flat, Verdict::ViolatedFar(guide), DIRECT_SHARE)
    }

    fn infinite(
        &self,
        pool: &mut TermPool,
        initial: &[(usize, String)],
        stem: &[LassoStep],
        cycle: &[LassoStep],
        recurrence: &str,
    ) -> Option<Outcome> {
        let map = self.graphs.map(View::Flat);
        let graph = self.graphs.view(View::Flat);
        if graph.has_calls() {
            return None;
        }
        let mut transfer = self.transfer(pool, View::Flat, map.as_ref());
        for reading in transfer.readings() {
            let found = self.lasso(pool, &mut transfer, (initial, stem, cycle, recurrence), reading);
            if let Some(lasso) = found {
                let verdict = Verdict::NonTerminating(Box::new(lasso));
                let outcome = self.certified(pool, View::Flat, verdict, DIRECT_SHARE);
                if outcome.is_some() {
                    return outcome;
                }
            }
        }
        None
    }

    #[allow(clippy::type_complexity)]
    fn lasso(
        &self,
        pool: &mut TermPool,
        transfer: &mut Transfer<'_>,
        (initial, stem, cycle, recurrence): (&[(usize, String)], &[LassoStep], &[LassoStep], &str),
        reading: Reading,
    ) -> Option<ir::NonTermination> {
        let (original, graph) = (&self.graphs.original, self.graphs.view(View::Flat));
        let terms = |pool: &mut TermPool, transfer: &mut Transfer<'_>, list: &[(usize, String)]| {
            let mut found: BTreeMap<VarId, TermId> = BTreeMap::new();
            for (number, text) in list {
                let v = transfer.numbered(*number)?;
                let term = transfer.aligned_term(pool, text, &[], reading)?;
                if pool.sort(term) != graph.vars[v].sort {
                    return None;
                }
                found.insert(v, term);
            }
            Some(found)
        };
        let values = |pool: &mut TermPool, transfer: &mut Transfer<'_>, list: &[(usize, String)]| {
            let terms = terms(pool, transfer, list)?;
            let value = |(v, t)| Some((v, Model::new().eval(pool, t).ok()?));
            terms.into_iter().map(value).collect::<Option<BTreeMap<VarId, Value>>>()
        };
        let initial = values(pool, transfer, initial)?;
        let mut steps = Vec::new();
        for step in stem {
            let chosen = values(pool, transfer, &step.chosen)?;
            steps.push(ir::TraceStep { edge: transfer.edge(original, &step.edge)?, chosen });
        }
        let mut turns = Vec::new();
        for step in cycle {
            let chosen = terms(pool, transfer, &step.chosen)?;
            turns.push(ir::CycleStep { edge: transfer.edge(original, &step.edge)?, chosen });
        }
        let recurrence = transfer.aligned_term(pool, recurrence, &[], reading)?;
        let stem = ir::Counterexample { initial, steps, symbols: Model::new() };
        pool.is_bool(recurrence).then_some(ir::NonTermination { stem, cycle: turns, recurrence })
    }
}

/// The conjuncts of several annotations together.
fn united(pool: &mut TermPool, all: &[Annotation]) -> Annotation {
    let mut union = Annotation::default();
    for annotation in all {
        for (&loc, &formula) in &annotation.invariants {
            let known = union.invariants.entry(loc).or_insert(TermId::TRUE);
            // A place that could not be reached may be reached now.
            if formula != TermId::FALSE {
                *known = pool.and(&[*known, formula]);
            }
        }
        for (&proc, contract) in &annotation.contracts {
            let trivial = ir::Contract { requires: TermId::TRUE, ensures: TermId::TRUE };
            let known = union.contracts.entry(proc).or_insert(trivial);
            known.requires = pool.and(&[known.requires, contract.requires]);
            known.ensures = pool.and(&[known.ensures, contract.ensures]);
        }
    }
    union
}

/// Counts what is left. The first annotation is the facts as they were.
fn tally(pool: &TermPool, n: usize, all: &[Annotation], part: &Annotation) -> Tally {
    let count = |annotation: &Annotation, known: &Annotation| {
        let in_common = |a: TermId, b: TermId| {
            let there = pool.conjuncts(b);
            pool.conjuncts(a).into_iter().filter(|c| there.contains(c)).count()
        };
        let invariants = annotation.invariants.iter();
        let invariants = invariants.filter_map(|(loc, &f)| Some(in_common(f, *known.invariants.get(loc)?)));
        let contracts = annotation.contracts.iter().filter_map(|(proc, c)| {
            let there = known.contracts.get(proc)?;
            Some(in_common(c.requires, there.requires) + in_common(c.ensures, there.ensures))
        });
        invariants.chain(contracts).sum::<usize>()
    };
    let left = count(part, part);
    let kept = all.first().map_or(0, |first| count(part, first)).min(n);
    let repaired = left.saturating_sub(kept).min(n - kept);
    Tally { offered: n, kept, repaired, dropped: n - kept - repaired }
}

/// The atoms of a formula without quantifiers.
fn atoms(pool: &TermPool, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut open = vec![formula];
    let mut seen = FastSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::And | Op::Or | Op::Not => open.extend(pool.args(term).iter().rev()),
            _ if term != TermId::TRUE && term != TermId::FALSE => found.push(term),
            _ => {}
        }
    }
    found
}

/// For engines: what holds, then the rest, then the atoms of both.
fn offers(pool: &TermPool, part: &Annotation, union: &Annotation) -> Predicates {
    let mut offers = Predicates::new();
    for annotation in [part, union] {
        for (&loc, &formula) in &annotation.invariants {
            let known = offers.entry(loc).or_default();
            for conjunct in pool.conjuncts(formula) {
                if conjunct != TermId::FALSE && !known.contains(&conjunct) {
                    known.push(conjunct);
                }
            }
        }
    }
    for formulas in offers.values_mut() {
        let more: Vec<TermId> = formulas.iter().flat_map(|&f| atoms(pool, f)).collect();
        for atom in more {
            if !formulas.contains(&atom) {
                formulas.push(atom);
            }
        }
    }
    offers
}

/// The choices of an execution of the old version.
struct OldChoices {
    initial: BTreeMap<VarId, Value>,
    by_step: BTreeMap<EdgeId, VecDeque<Vec<Option<Value>>>>,
    by_input: BTreeMap<String, VecDeque<Option<Value>>>,
}

impl OldChoices {
    fn read(pool: &mut TermPool, transfer: &mut Transfer<'_>, icfg: &Icfg, execution: &Execution) -> OldChoices {
        let reading = Reading { by_name: false, numbers: false };
        let value = |pool: &mut TermPool, transfer: &mut Transfer<'_>, text: &str| {
            let term = transfer.aligned_term(pool, text, &[], reading)?;
            Model::new().eval(pool, term).ok()
        };
        let mut initial = BTreeMap::new();
        for (number, text) in &execution.initial {
            if let (Some(v), Some(value)) = (transfer.numbered(*number), value(pool, transfer, text)) {
                initial.insert(v, value);
            }
        }
        let mut by_step: BTreeMap<EdgeId, VecDeque<Vec<Option<Value>>>> = BTreeMap::new();
        let mut by_input: BTreeMap<String, VecDeque<Option<Value>>> = BTreeMap::new();
        for choice in &execution.choices {
            let values: Vec<Option<Value>> = choice.values.iter().map(|t| value(pool, transfer, t)).collect();
            match transfer.original_edge(icfg, &choice.at, choice.ordinal) {
                Some(edge) => by_step.entry(edge).or_default().push_back(values),
                None if choice.input.is_empty() => {}
                None => by_input.entry(choice.input.clone()).or_default().extend(values),
            }
        }
        OldChoices { initial, by_step, by_input }
    }
}

/// Makes these choices: at aligned places those that were made there, elsewhere those of the same input.
struct Replaying<'a> {
    pool: &'a TermPool,
    icfg: &'a Icfg,
    choices: OldChoices,
}

impl Replaying<'_> {
    fn fitting(&self, v: VarId, value: Option<Value>) -> Value {
        let sort = self.icfg.vars[v].sort;
        value
            .filter(|value| exec::interp::has_sort(self.pool, value, sort))
            .unwrap_or_else(|| default_value(self.pool, sort))
    }
}

impl Chooser for Replaying<'_> {
    fn initial(&mut self, v: VarId) -> Value {
        let known = self.choices.initial.get(&v).cloned();
        self.fitting(v, known)
    }

    fn step(&mut self, open: &[EdgeId]) -> usize {
        let wanted = open.iter().position(|e| self.choices.by_step.get(e).is_some_and(|queue| !queue.is_empty()));
        let i = wanted.unwrap_or(0);
        // Steps that choose values are taken off the queue when these are asked for.
        if !matches!(self.icfg.edges[open[i]].label, Label::Stmt(Stmt::Havoc(..)) | Label::Call(_))
            && let Some(queue) = self.choices.by_step.get_mut(&open[i])
        {
            queue.pop_front();
        }
        i
    }

    fn values(&mut self, edge: EdgeId, vars: &[VarId]) -> Vec<Value> {
        let mut known = self.choices.by_step.get_mut(&edge).and_then(VecDeque::pop_front).unwrap_or_default();
        if known.is_empty()
            && let Label::Stmt(Stmt::Havoc(_, Nondet::Input(name))) = &self.icfg.edges[edge].label
            && let Some(queue) = self.choices.by_input.get_mut(name)
        {
            known = vars.iter().map(|_| queue.pop_front().flatten()).collect();
        }
        // Values are stored in the order of the variables' ids.
        let mut order: Vec<usize> = (0..vars.len()).collect();
        order.sort_by_key(|&i| vars[i]);
        let mut values: Vec<Value> = vars.iter().map(|&v| self.fitting(v, None)).collect();
        if known.len() == vars.len() {
            for (&i, value) in order.iter().zip(known) {
                values[i] = self.fitting(vars[i], value);
            }
        }
        values
    }
}
