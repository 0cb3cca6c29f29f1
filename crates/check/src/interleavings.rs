//! Proofs about some interleavings of threads: are they enough, and does none of them reach an error?
//!
//! What has to hold is said at [`ReducedNode`]. That actions commute is worked out here, from the actions themselves;
//! nothing that led an engine to leave something out is believed. The annotation is checked action by action.
//!
//! References: Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, 1996 (sleep sets,
//! persistent sets); Farzan, Klumpp, Podelski, *Sound Sequentialization for Concurrent Program Verification*, 2022
//! (membranes, commutativity under a proof).

use crate::{Options, Prover, Rejection};
use base::{Budget, IdVec};
use ir::interleave::concurrent::{ActionId, Concurrent, PlaceId, PlaceKind};
use ir::{Interleavings, ReducedNode, VarId};
use logic::{FastMap, FunId, TermId, TermPool};
use std::collections::{BTreeSet, VecDeque};

pub(crate) fn check(
    pool: &mut TermPool,
    program: &Concurrent,
    proof: &Interleavings,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let error_threads: BTreeSet<usize> =
        program.places.iter().filter(|(p, _)| program.is_error(*p)).filter_map(|(_, place)| place.thread).collect();
    let mut checker = Checker {
        prover: Prover::new(pool, &program.graph, options),
        variables: program.graph.vars.iter().filter_map(|(v, var)| Some((pool.as_symbol(var.term)?, v))).collect(),
        inputs: program.actions.values().flat_map(|a| &a.inputs).filter_map(|i| pool.as_symbol(*i)).collect(),
        futures: (0..program.places.len()).map(|_| None).collect(),
        commute: FastMap::default(),
        triples: FastMap::default(),
        constants: FastMap::default(),
        program,
    };
    for thread in error_threads {
        let Some(nodes) = proof.reductions.get(&thread) else {
            return Err(Rejection::Wrong(format!("nothing is said about the errors of thread {thread}")));
        };
        checker.reduction(pool, thread, nodes, budget)?;
    }
    Ok(())
}

/// What a thread may do from a place on, with all threads that it starts; without what leads to an error.
struct Future {
    actions: Vec<ActionId>,
    /// The threads that get to an error.
    errors: BTreeSet<usize>,
}

struct Checker<'a> {
    program: &'a Concurrent,
    prover: Prover,
    variables: FastMap<FunId, VarId>,
    inputs: BTreeSet<FunId>,
    futures: IdVec<PlaceId, Option<Future>>,
    /// Do two actions commute where a formula holds?
    commute: FastMap<(ActionId, ActionId, TermId), bool>,
    triples: FastMap<(TermId, ActionId, TermId), bool>,
    /// The variables of a conjunct.
    constants: FastMap<TermId, Vec<VarId>>,
}

impl Checker<'_> {
    fn reduction(
        &mut self,
        pool: &mut TermPool,
        thread: usize,
        nodes: &[ReducedNode],
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let Some(first) = nodes.first() else { return Err(wrong("a reduction without a start")) };
        if first.marking != self.program.initial || first.formula != TermId::TRUE || !first.sleep.is_empty() {
            return Err(wrong("a reduction does not begin where the program does"));
        }
        for node in nodes {
            budget.check()?;
            self.vocabulary(pool, node.formula)?;
            self.node(pool, thread, node, nodes, budget)?;
        }
        Ok(())
    }

    /// Formulas speak of variables, not of values that are chosen later, nor of copies.
    fn vocabulary(&mut self, pool: &TermPool, formula: TermId) -> Result<(), Rejection> {
        if self.constants.contains_key(&formula) {
            return Ok(());
        }
        for symbol in pool.free_symbols(formula) {
            if !self.variables.contains_key(&symbol) && pool.fun(symbol).instance_of.is_some() {
                return Err(wrong("a formula speaks of something that is not a variable"));
            }
            if self.inputs.contains(&symbol) {
                return Err(wrong("a formula speaks of an input"));
            }
        }
        self.variables_of(pool, formula);
        Ok(())
    }

    fn variables_of(&mut self, pool: &TermPool, formula: TermId) -> &[VarId] {
        let variables = &self.variables;
        self.constants
            .entry(formula)
            .or_insert_with(|| pool.free_symbols(formula).iter().filter_map(|s| variables.get(s).copied()).collect())
    }

    fn node(
        &mut self,
        pool: &mut TermPool,
        thread: usize,
        node: &ReducedNode,
        nodes: &[ReducedNode],
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let program = self.program;
        let is_error = |p: &PlaceId| program.is_error(*p) && program.places[*p].thread == Some(thread);
        if node.marking.iter().any(is_error) {
            return Err(wrong("an error stays reachable"));
        }
        // An execution that goes through an error of another thread is longer than one to that error.
        let is_foreign = |p: &PlaceId| program.is_error(*p) && program.places[*p].thread != Some(thread);
        let mut enabled = program.enabled(&node.marking);
        enabled.retain(|a| !program.actions[*a].post.iter().any(is_foreign));
        let (inside, outside): (Vec<PlaceId>, Vec<PlaceId>) = node
            .marking
            .iter()
            .copied()
            .filter(|p| matches!(program.places[*p].kind, PlaceKind::At(_)))
            .partition(|p| program.places[*p].thread.is_some_and(|t| node.threads.binary_search(&t).is_ok()));
        let followed: Vec<ActionId> = enabled
            .iter()
            .copied()
            .filter(|a| node.threads.binary_search(&program.actions[*a].thread).is_ok())
            .collect();
        if !outside.is_empty() {
            self.membrane(pool, thread, (&inside, &outside), node, &followed, budget)?;
        }
        for &a in &followed {
            let is_there = node.next.iter().any(|n| n.0 == a) || node.sleep.binary_search(&a).is_ok();
            if !is_there {
                return Err(wrong("an action is left out"));
            }
        }
        for (i, &(a, target)) in node.next.iter().enumerate() {
            if !followed.contains(&a) {
                return Err(wrong("an action that is not possible is followed"));
            }
            let Some(target) = target else {
                if !self.triple(pool, node.formula, a, TermId::FALSE, budget)? {
                    return Err(wrong("an action is possible that is said to be impossible"));
                }
                continue;
            };
            let Some(next) = nodes.get(target) else { return Err(wrong("a node that does not exist")) };
            if program.fire(&node.marking, a).as_ref() != Some(&next.marking) {
                return Err(wrong("an action leads somewhere else"));
            }
            for conjunct in pool.conjuncts(next.formula) {
                if !self.triple(pool, node.formula, a, conjunct, budget)? {
                    return Err(wrong("a formula does not hold after an action"));
                }
            }
            for &b in &next.sleep {
                let was_before = node.sleep.binary_search(&b).is_ok() || node.next[..i].iter().any(|n| n.0 == b);
                if !was_before || !self.commute(pool, a, b, node.formula, budget)? {
                    return Err(wrong("an action sleeps that may not"));
                }
            }
        }
        Ok(())
    }

    /// Must an execution to an error of `thread` do one of the `followed` actions, and commute with it all that may be
    /// done before?
    fn membrane(
        &mut self,
        pool: &mut TermPool,
        thread: usize,
        (inside, outside): (&[PlaceId], &[PlaceId]),
        node: &ReducedNode,
        followed: &[ActionId],
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let program = self.program;
        // An action of a thread inside that waits for a token must not get it from the threads outside. Unless it
        // cannot be taken anyway, and they change nothing of that.
        let mut written: BTreeSet<VarId> = BTreeSet::new();
        for &place in outside {
            self.future(place);
            let future = self.futures[place].as_ref();
            written.extend(future.iter().flat_map(|f| &f.actions).flat_map(|a| &program.actions[*a].writes));
        }
        let mut missing: BTreeSet<PlaceId> = BTreeSet::new();
        for &place in inside {
            for &a in program.actions_from(place) {
                let data = &program.actions[a];
                let lacking: Vec<PlaceId> =
                    data.pre.iter().copied().filter(|p| node.marking.binary_search(p).is_err()).collect();
                let stays = !data.reads.iter().any(|v| written.contains(v));
                if lacking.is_empty() {
                    continue;
                }
                let is_impossible = stays && self.triple(pool, node.formula, a, TermId::FALSE, budget)?;
                if !is_impossible {
                    missing.extend(lacking);
                }
            }
        }
        for &place in outside {
            budget.check()?;
            let Some(future) = self.futures[place].take() else { continue };
            let result = (|| {
                if future.errors.contains(&thread) {
                    return Err(wrong("threads that are not followed reach an error"));
                }
                for &b in &future.actions {
                    if program.actions[b].post.iter().any(|p| missing.contains(p)) {
                        return Err(wrong("a thread waits for one that is not followed"));
                    }
                    for &a in followed {
                        if !self.commute(pool, a, b, TermId::TRUE, budget)? {
                            return Err(wrong("an action depends on threads that are not followed"));
                        }
                    }
                }
                Ok(())
            })();
            self.futures[place] = Some(future);
            result?;
        }
        Ok(())
    }

    fn future(&mut self, place: PlaceId) {
        if self.futures[place].is_some() {
            return;
        }
        let program = self.program;
        let mut seen = BTreeSet::from([place]);
        let mut work = VecDeque::from([place]);
        let mut actions = BTreeSet::new();
        let mut errors = BTreeSet::new();
        while let Some(p) = work.pop_front() {
            if !matches!(program.places[p].kind, PlaceKind::At(_)) {
                continue;
            }
            for &a in program.actions_from(p) {
                let post = &program.actions[a].post;
                // What leads to an error is the last thing that a shortest execution does.
                match post.iter().find(|p| program.is_error(**p)) {
                    Some(error) => errors.extend(program.places[*error].thread),
                    None => {
                        actions.insert(a);
                        work.extend(post.iter().copied().filter(|q| seen.insert(*q)));
                    }
                }
            }
        }
        self.futures[place] = Some(Future { actions: actions.into_iter().collect(), errors });
    }

    fn commute(
        &mut self,
        pool: &mut TermPool,
        a: ActionId,
        b: ActionId,
        formula: TermId,
        budget: &Budget,
    ) -> Result<bool, Rejection> {
        let (a, b) = (a.min(b), a.max(b));
        for key in [(a, b, TermId::TRUE), (a, b, formula)] {
            match self.commute.get(&key) {
                Some(true) => return Ok(true),
                Some(false) if key.2 == formula => return Ok(false),
                _ => {}
            }
        }
        let answer = match self.program.commutation(pool, a, b) {
            None => false,
            Some(TermId::TRUE) => true,
            Some(condition) => {
                let fails = pool.not(condition);
                let fails = pool.and2(formula, fails);
                self.prover.impossible(pool, fails, budget)?
            }
        };
        self.commute.insert((a, b, formula), answer);
        Ok(answer)
    }

    /// Does `post` hold after an action that is taken where `pre` holds?
    fn triple(
        &mut self,
        pool: &mut TermPool,
        pre: TermId,
        action: ActionId,
        post: TermId,
        budget: &Budget,
    ) -> Result<bool, Rejection> {
        if pre == TermId::FALSE || post == TermId::TRUE {
            return Ok(true);
        }
        if let Some(&known) = self.triples.get(&(pre, action, post)) {
            return Ok(known);
        }
        let program = self.program;
        let writes = &program.actions[action].writes;
        let keeps = pool.conjuncts(pre).contains(&post)
            && !self.variables_of(pool, post).iter().any(|v| writes.binary_search(v).is_ok());
        let answer = keeps || {
            let after = program.before(pool, action, post);
            let fails = pool.not(after);
            let question = pool.and(&[pre, program.actions[action].guard, fails]);
            self.prover.impossible(pool, question, budget)?
        };
        self.triples.insert((pre, action, post), answer);
        Ok(answer)
    }
}

fn wrong(what: &str) -> Rejection {
    Rejection::Wrong(what.to_string())
}
