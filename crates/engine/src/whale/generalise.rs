//! One guard for all iterations of a chain.
//!
//! The guards that one refutation gives the iterations of a loop follow the values of the unrolled executions, and are
//! large where a body has many paths. But the atoms in them are mostly the right ones. So when the guards of a chain
//! were refuted, the engine searches for an *inductive* guard, a conjunction of clauses over these atoms, which becomes
//! the guard of every iteration: each is then proved by the induction hypothesis.
//!
//! First the *strongest* inductive conjunction of clauses with at most two literals is computed, from below, as a best
//! abstract transformer is (Reps, Sagiv, Yorsh: "Symbolic implementation of the best transformer", VMCAI 2004): a state
//! is asked for that an iteration reaches from what the present conjunction describes and that it does not describe,
//! and the clauses that are false in it are dropped. It is what Houdini (Flanagan, Leino) would leave of all such
//! clauses, but each question removes many of them.
//!
//! If that does not exclude violations, the search is property-directed reachability over predicates (Bradley:
//! "SAT-based model checking without unrolling", VMCAI 2011; Cimatti, Griggio, Mover, Tonetta: "IC3 modulo theories via
//! implicit predicate abstraction", TACAS 2014): a *cube* of literals that leads to a violation is blocked by showing
//! that no iteration leads into it from what is known to hold some iterations earlier, where cubes that stand in the
//! way are blocked first. What is blocked is made as general as the refutation allows. Frames hold clauses for up to
//! `k` iterations; when two frames are the same, they are inductive. A chain of cubes from the start may be spurious,
//! since cubes stand for more than one state: then the refutation of this one abstract execution gives more atoms.
//!
//! Nothing here is trusted: the guards are specifications like those of an interpolant, and are proved like them.

use super::body::{Body, Call};
use super::refine::{Explanation, Specification};
use super::{ArgId, Search};
use crate::framework::Ctx;
use base::Budget;
use ir::{ProcId, Reason};
use logic::{Op, Rational, SatResult, Solver, SortId, TermId, TermPool};
use smt::SmtSolver;
use smt::linear_literal::{Relation, linear_literal};
use std::collections::{BTreeMap, BTreeSet};

/// The most atoms for one procedure.
const MAX_ATOMS: usize = 120;
/// Atoms that are larger are left out.
const MAX_ATOM_SIZE: usize = 24;
/// The divisor of the remaining time.
const TIME_SHARE: u32 = 3;
/// The number of sampled states for clauses with two literals.
const MAX_STATES: usize = 500;
/// So often guards of iterations are refuted before more than two literals are tried.
const PATIENCE: usize = 3;
/// The number of abstract executions that are examined.
const MAX_PATHS: usize = 40;
/// How many frames there are at first: cubes are followed backwards so far before what only holds in the first
/// iterations is learned.
const FIRST_FRAMES: usize = 8;
/// How many frames there may be.
const MAX_FRAMES: usize = 60;

/// A procedure of a chain.
struct Station {
    /// The ARG whose body stands for all.
    arg: ArgId,
    /// What every activation owes.
    owed: TermId,
    atoms: Vec<TermId>,
    /// The activation, with proofs: cores make cubes general.
    solver: SmtSolver,
}

/// A way from one activation of the chain to the next: the call at an index of a body.
struct Way {
    from: ArgId,
    call: usize,
    to: ProcId,
}

/// Literals: an atom's index and whether it holds.
type Cube = Vec<(usize, bool)>;

/// A cube that is unreachable within this number of iterations.
struct Blocked {
    proc: ProcId,
    cube: Cube,
    level: usize,
}

/// A cube that leads to a violation.
struct Obligation {
    proc: ProcId,
    cube: Cube,
    level: usize,
    /// The way to the cube it stands in the way of.
    way: Option<usize>,
}

/// Does an iteration lead into a cube?
enum Entered {
    /// The first one, by this way.
    AtStart(usize),
    /// One from another cube.
    From { way: usize, proc: ProcId, cube: Cube },
    /// None does, because of these literals (by position).
    Never(BTreeSet<usize>),
}

impl Entered {
    fn is_never(&self) -> bool {
        matches!(self, Entered::Never(_))
    }
}

/// All clauses of one or two literals over some atoms that are true in the states seen so far.
struct Pairs {
    atoms: Vec<TermId>,
    /// Per pair of literals (`2k` is atom `k`, `2k + 1` its negation) whether one of them was true in every state. A
    /// pair of equal literals is a clause of one.
    alive: Vec<bool>,
    is_empty: bool,
}

impl Pairs {
    fn new(atoms: Vec<TermId>) -> Pairs {
        let n = 2 * atoms.len();
        Pairs { atoms, alive: vec![true; n * n], is_empty: true }
    }

    fn is_alive(&self, a: usize, b: usize) -> bool {
        self.alive[a * 2 * self.atoms.len() + b]
    }

    /// Drops the clauses that are false in a state, given by the truth of the atoms.
    fn admit(&mut self, state: &[bool]) {
        self.is_empty = false;
        let n = 2 * self.atoms.len();
        let wrong: Vec<usize> = (0..n).filter(|&l| state[l / 2] == (l % 2 == 1)).collect();
        for &a in &wrong {
            for &b in &wrong {
                self.alive[a * n + b] = false;
            }
        }
    }

    fn literal(&self, pool: &mut TermPool, l: usize) -> TermId {
        if l.is_multiple_of(2) { self.atoms[l / 2] } else { pool.not(self.atoms[l / 2]) }
    }

    /// The clauses that are left, without those that others among them imply.
    fn clauses(&self, pool: &mut TermPool) -> Vec<TermId> {
        if self.is_empty {
            return vec![TermId::FALSE];
        }
        let n = 2 * self.atoms.len();
        let n_words = n.div_ceil(64);
        let set = |holds: &dyn Fn(usize) -> bool| {
            let mut words = vec![0u64; n_words];
            for l in (0..n).filter(|&l| holds(l)) {
                words[l / 64] |= 1 << (l % 64);
            }
            words
        };
        let is_fixed = |l: usize| self.is_alive(l, l) || self.is_alive(l ^ 1, l ^ 1);
        let fixed = set(&is_fixed);
        // What a literal implies, and what implies it.
        let implied: Vec<Vec<u64>> = (0..n).map(|x| set(&|y| self.is_alive(x ^ 1, y))).collect();
        let implying: Vec<Vec<u64>> = (0..n).map(|y| set(&|x| self.is_alive(x ^ 1, y))).collect();
        let mut list: Vec<TermId> = Vec::new();
        for l in (0..n).filter(|&l| self.is_alive(l, l)) {
            list.push(self.literal(pool, l));
        }
        for a in 0..n {
            for b in a + 1..n {
                if b == a ^ 1 || !self.is_alive(a, b) || is_fixed(a) || is_fixed(b) {
                    continue;
                }
                // ¬a → b follows from ¬a → c → b if c is strictly between them.
                let (from, to) = (a ^ 1, b);
                let follows = (0..n_words).any(|w| {
                    let between = implied[from][w] & implying[to][w] & !fixed[w];
                    between & !implying[from][w] & !implied[to][w] != 0
                });
                if !follows {
                    let parts = [self.literal(pool, a), self.literal(pool, b)];
                    list.push(pool.or(&parts));
                }
            }
        }
        list.retain(|&c| c != TermId::TRUE);
        list
    }
}

struct Frames<'a, 's> {
    search: &'a Search<'s>,
    top: ArgId,
    state: &'a mut State,
}

/// What stays when more atoms are added.
pub(super) struct State {
    /// The ARG above the chain, with its specification.
    question: (ArgId, TermId, TermId),
    /// The first activation, before the chain.
    entering: SmtSolver,
    stations: BTreeMap<ProcId, Station>,
    ways: Vec<Way>,
    blocked: Vec<Blocked>,
    /// How many atoms there were when clauses with two literals were tried.
    n_atoms_in_pairs: usize,
    budget: Budget,
}

impl State {
    pub(super) fn is_about(&self, top: ArgId) -> bool {
        self.question.0 == top
    }
}

/// One iteration of an abstract execution: the way into it, and the literals that hold then.
pub(super) struct Iteration {
    pub(super) call: usize,
    pub(super) cube: TermId,
}

/// The search ended without guards.
enum Failure {
    GivenUp,
    /// An abstract execution that ends in a violation.
    Path(Vec<Iteration>),
}

/// What a question about one activation gave.
enum Answer {
    /// A state of the inputs, as truth values of the station's atoms.
    State(Cube),
    /// The literals of the goal (by position) that make it impossible.
    Impossible(BTreeSet<usize>),
}

/// What came of looking for one guard for all iterations.
pub(super) enum Generalised {
    Guards(Vec<(ArgId, Specification)>),
    /// The chain does violate what it owes.
    Violation,
    Nothing,
}

impl Search<'_> {
    /// One guard for all iterations of the chain below an ARG, after those that were found for each were refuted.
    pub(super) fn generalise(&mut self, ctx: &mut Ctx<'_>, top: ArgId) -> Result<Generalised, Reason> {
        let Some((stations, ways)) = self.chain(ctx, top)? else { return Ok(Generalised::Nothing) };
        let budget = match ctx.budget.remaining() {
            Some(left) => ctx.budget.child(left / TIME_SHARE),
            None => ctx.budget.clone(),
        };
        let question = (top, self.args[top].guard, self.args[top].summary);
        // What was found out before about the same question stays true.
        let earlier = self.frames.take().filter(|s| s.question == question && s.ways.len() == ways.len());
        let mut state = match earlier {
            Some(state) => State { budget, ..state },
            None => {
                let entering = self.activation(ctx.pool, top, top);
                State { question, entering, stations, ways, blocked: Vec::new(), n_atoms_in_pairs: 0, budget }
            }
        };
        let outcome = self.search_guards(ctx, top, &mut state);
        self.frames = Some(state);
        outcome
    }

    fn search_guards(&mut self, ctx: &mut Ctx<'_>, top: ArgId, state: &mut State) -> Result<Generalised, Reason> {
        for _ in 0..MAX_PATHS {
            for (proc, station) in &mut state.stations {
                station.atoms = self.atoms.get(proc).cloned().unwrap_or_default();
            }
            let mut frames = Frames { search: self, top, state: &mut *state };
            let n_atoms = frames.state.stations.values().map(|s| s.atoms.len()).sum();
            let tried = std::mem::replace(&mut frames.state.n_atoms_in_pairs, n_atoms);
            let mut searched = Err(Failure::GivenUp);
            if tried < n_atoms {
                searched = frames.strongest_pairs(ctx);
            }
            if searched.is_err() && self.args[top].n_refuted >= PATIENCE {
                searched = frames.inductive(ctx);
            }
            ctx.budget.check_now()?;
            let path = match searched {
                Ok(guards) => {
                    ctx.stats.add("inductive guards", 1);
                    return Ok(Generalised::Guards(self.guard_all(ctx.pool, top, &guards, state)));
                }
                Err(Failure::GivenUp) => return Ok(Generalised::Nothing),
                Err(Failure::Path(path)) => path,
            };
            // Is it real? Otherwise its interpolants are more informative.
            let mut along = BTreeMap::new();
            let mut at = top;
            for iteration in path {
                self.expand(ctx, at)?;
                let Some(call) = self.args[at].body.as_ref().and_then(|b| b.calls.get(iteration.call)) else {
                    return Ok(Generalised::Nothing);
                };
                at = call.child;
                along.insert(at, iteration.cube);
            }
            self.expand(ctx, at)?;
            ctx.stats.add("paths of iterations", 1);
            match self.explain_along(ctx, top, &along)? {
                Explanation::Violation(_) => return Ok(Generalised::Violation),
                Explanation::Specifications(found) => {
                    if !self.learn_atoms(ctx.pool, &found) {
                        return Ok(Generalised::Nothing);
                    }
                }
            }
        }
        Ok(Generalised::Nothing)
    }

    /// Adds the atoms of guards, and those next to them, to what is known of their procedures. Were there new ones?
    pub(super) fn learn_atoms(&mut self, pool: &mut TermPool, found: &[(ArgId, Specification)]) -> bool {
        let mut is_new = false;
        for (arg, (guard, _)) in found {
            let mut atoms = BTreeSet::new();
            collect_atoms(pool, *guard, &mut atoms);
            add_neighbours(pool, &mut atoms);
            let mut sized: Vec<(usize, TermId)> = atoms.into_iter().map(|a| (pool.dag_size(a), a)).collect();
            sized.retain(|&(size, _)| size <= MAX_ATOM_SIZE);
            sized.sort_unstable();
            let known = self.atoms.entry(self.args[*arg].proc).or_default();
            for (_, atom) in sized {
                let negation = pool.not(atom);
                if known.len() < MAX_ATOMS && !known.contains(&atom) && !known.contains(&negation) {
                    known.push(atom);
                    is_new = true;
                }
            }
        }
        is_new
    }

    /// The guards for all that is unrolled of a chain.
    fn guard_all(
        &self,
        pool: &mut TermPool,
        top: ArgId,
        guards: &BTreeMap<ProcId, TermId>,
        state: &State,
    ) -> Vec<(ArgId, Specification)> {
        let mut specifications = Vec::new();
        let mut links = vec![top];
        while let Some(link) = links.pop() {
            for call in self.args[link].body.iter().flat_map(|b| &b.calls) {
                let proc = self.args[call.child].proc;
                if self.is_exact(call.child) || !self.is_chain_call(pool, link, call) {
                    continue;
                }
                if let (Some(&guard), Some(station)) = (guards.get(&proc), state.stations.get(&proc)) {
                    specifications.push((call.child, (guard, station.owed)));
                    if self.args[call.child].body.is_some() {
                        links.push(call.child);
                    }
                }
            }
        }
        specifications
    }

    /// The procedures of the chain below an ARG, all expanded, and the ways between them. `None` if there is no loop,
    /// or if one procedure owes different things.
    #[allow(clippy::type_complexity)]
    fn chain(
        &mut self,
        ctx: &mut Ctx<'_>,
        top: ArgId,
    ) -> Result<Option<(BTreeMap<ProcId, Station>, Vec<Way>)>, Reason> {
        let mut stations: BTreeMap<ProcId, Station> = BTreeMap::new();
        let mut ways: Vec<Way> = Vec::new();
        let mut todo = vec![(top, self.args[top].summary)];
        let mut has_loop = false;
        while let Some((from, summary)) = todo.pop() {
            self.expand(ctx, from)?;
            let proc = self.args[from].proc;
            let n_calls = self.args[from].body.as_ref().map_or(0, |b| b.calls.len());
            for index in 0..n_calls {
                let Some(body) = &self.args[from].body else { continue };
                let call = &body.calls[index];
                if !self.recursion.reaches_loops[self.args[call.child].proc] {
                    continue;
                }
                let Some(owed) = self.owed_by_last_call(ctx.pool, proc, call, summary) else { continue };
                let (arg, to) = (call.child, self.args[call.child].proc);
                ways.push(Way { from, call: index, to });
                match stations.get(&to) {
                    Some(known) if known.owed != owed => return Ok(None),
                    Some(_) => has_loop = true,
                    None => {
                        self.expand(ctx, arg)?;
                        let solver = self.activation(ctx.pool, arg, top);
                        stations.insert(to, Station { arg, owed, atoms: Vec::new(), solver });
                        todo.push((arg, owed));
                    }
                }
            }
        }
        let has_atoms = stations.keys().any(|p| self.atoms.get(p).is_some_and(|a| !a.is_empty()));
        Ok((has_loop && has_atoms).then_some((stations, ways)))
    }

    /// One activation: its body, with exact calls inlined and other calls by their specifications. Calls of the chain
    /// may do anything.
    fn activation(&self, pool: &mut TermPool, arg: ArgId, top: ArgId) -> SmtSolver {
        let mut solver = SmtSolver::with_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(pool, axiom);
        }
        let Some(body) = &self.args[arg].body else { return solver };
        solver.assert(pool, body.formula);
        if arg == top {
            let guard = self.bind_guard(pool, self.args[top].guard, &body.inputs);
            solver.assert(pool, guard);
        }
        for call in &body.calls {
            let formula = if self.is_exact(call.child) {
                self.unrolled(pool, call, &mut Vec::new())
            } else if !self.is_chain_call(pool, arg, call) {
                let child = &self.args[call.child];
                self.specified(pool, call, (child.guard, child.summary))
            } else {
                continue;
            };
            solver.assert(pool, formula);
        }
        solver
    }

    fn is_chain_call(&self, pool: &mut TermPool, arg: ArgId, call: &Call) -> bool {
        let summary = pool.not(self.error);
        self.owed_by_last_call(pool, self.args[arg].proc, call, summary).is_some()
    }

    /// That an activation violates what it owes although calls of its chain do not.
    fn violates(&self, pool: &mut TermPool, arg: ArgId, owed: TermId, body: &Body) -> Vec<TermId> {
        let own = self.bind_summary(pool, owed, &body.inputs, &body.outputs, body.error);
        let mut parts = vec![pool.not(own)];
        for call in body.calls.iter().filter(|c| !self.is_exact(c.child)) {
            if let Some(owed) = self.owed_by_last_call(pool, self.args[arg].proc, call, owed) {
                let owed = self.bind_summary(pool, owed, &call.inputs, &call.outputs, call.error);
                parts.push(pool.implies(call.passed, owed));
            }
        }
        parts
    }
}

impl Frames<'_, '_> {
    /// Inductive guards with which no activation violates what it owes.
    fn inductive(&mut self, ctx: &mut Ctx<'_>) -> Result<BTreeMap<ProcId, TermId>, Failure> {
        let procs: Vec<ProcId> = self.state.stations.keys().copied().collect();
        let reached = self.state.blocked.iter().map(|b| b.level).max().unwrap_or(1);
        for last in reached.max(FIRST_FRAMES)..=MAX_FRAMES {
            for &proc in &procs {
                while let Answer::State(cube) = self.violation(ctx, proc, last)? {
                    self.block(ctx, Obligation { proc, cube, level: last, way: None }, last)?;
                }
            }
            // What holds one iteration longer moves on.
            for level in 1..=last {
                for index in 0..self.state.blocked.len() {
                    if self.state.blocked[index].level == level {
                        let (proc, cube) = (self.state.blocked[index].proc, self.state.blocked[index].cube.clone());
                        if self.is_entered(ctx, proc, &cube, level, false)?.is_never() {
                            self.state.blocked[index].level = level + 1;
                        }
                    }
                }
                if !self.state.blocked.iter().any(|b| b.level == level) {
                    let mut frames = BTreeMap::new();
                    for &proc in &procs {
                        frames.insert(proc, self.frame(ctx.pool, proc, level + 1));
                    }
                    return self.needed(ctx, &frames);
                }
            }
        }
        Err(Failure::GivenUp)
    }

    /// The strongest inductive conjunction of clauses with at most two literals, if it excludes violations.
    fn strongest_pairs(&mut self, ctx: &mut Ctx<'_>) -> Result<BTreeMap<ProcId, TermId>, Failure> {
        let search = self.search;
        let mut pairs: BTreeMap<ProcId, Pairs> = BTreeMap::new();
        for (&proc, station) in &self.state.stations {
            pairs.insert(proc, Pairs::new(station.atoms.clone()));
        }
        let mut n_states = 0;
        let mut dirty: BTreeSet<usize> = (0..self.state.ways.len()).collect();
        while let Some(next) = dirty.pop_first() {
            let Way { from, call, to } = self.state.ways[next];
            let Some(body) = &search.args[from].body else { return Err(Failure::GivenUp) };
            let call = &body.calls[call];
            let mut atoms = Vec::new();
            for &atom in &pairs[&to].atoms {
                atoms.push(search.bind_guard(ctx.pool, atom, &call.inputs));
            }
            loop {
                let mut assumptions = through(ctx.pool, body, call);
                if from != self.top {
                    let clauses = pairs[&search.args[from].proc].clauses(ctx.pool);
                    let before = ctx.pool.and(&clauses);
                    assumptions.push(search.bind_guard(ctx.pool, before, &body.inputs));
                }
                let clauses = pairs[&to].clauses(ctx.pool);
                let after = ctx.pool.and(&clauses);
                let after = search.bind_guard(ctx.pool, after, &call.inputs);
                assumptions.push(ctx.pool.not(after));
                ctx.stats.add("solver calls", 1);
                let solver = match self.state.stations.get_mut(&search.args[from].proc) {
                    Some(station) if from != self.top => &mut station.solver,
                    _ => &mut self.state.entering,
                };
                match solver.check_assuming(ctx.pool, &assumptions, &self.state.budget) {
                    SatResult::Unsat => break,
                    SatResult::Sat => {}
                    SatResult::Unknown(_) => return Err(Failure::GivenUp),
                }
                let Some(model) = solver.model() else { return Err(Failure::GivenUp) };
                let state: Result<Vec<bool>, _> = atoms.iter().map(|&a| model.holds(ctx.pool, a)).collect();
                let (Ok(state), Some(known)) = (state, pairs.get_mut(&to)) else { return Err(Failure::GivenUp) };
                known.admit(&state);
                n_states += 1;
                if n_states > MAX_STATES {
                    return Err(Failure::GivenUp);
                }
                let ways = self.state.ways.iter().enumerate();
                let after = ways.filter(|(_, w)| w.from != self.top && search.args[w.from].proc == to);
                dirty.extend(after.map(|(w, _)| w));
            }
        }
        let mut frames = BTreeMap::new();
        for (proc, pairs) in pairs {
            frames.insert(proc, pairs.clauses(ctx.pool));
        }
        self.needed(ctx, &frames)
    }

    /// The guards of an inductive frame, without clauses that the proof can do without: those that exclude violations
    /// are needed, and those because of which iterations keep what is needed.
    fn needed(
        &mut self,
        ctx: &mut Ctx<'_>,
        frames: &BTreeMap<ProcId, Vec<TermId>>,
    ) -> Result<BTreeMap<ProcId, TermId>, Failure> {
        let search = self.search;
        let procs: Vec<ProcId> = self.state.stations.keys().copied().collect();
        let mut needed: BTreeMap<ProcId, BTreeSet<usize>> = procs.iter().map(|&p| (p, BTreeSet::new())).collect();
        // What is to be shown at the end of a procedure, or a clause (by index) after a way.
        let mut todo: Vec<(ProcId, Option<(usize, usize)>)> = procs.iter().map(|&p| (p, None)).collect();
        while let Some((proc, goal)) = todo.pop() {
            let (arg, owed) = (self.state.stations[&proc].arg, self.state.stations[&proc].owed);
            let Some(body) = &search.args[arg].body else { return Err(Failure::GivenUp) };
            let known = match goal {
                None => search.violates(ctx.pool, arg, owed, body),
                Some((way, clause)) => {
                    let Way { call, to, .. } = self.state.ways[way];
                    let call = &body.calls[call];
                    let mut known = through(ctx.pool, body, call);
                    let clause = search.bind_guard(ctx.pool, frames[&to][clause], &call.inputs);
                    known.push(ctx.pool.not(clause));
                    known
                }
            };
            let mut clauses = Vec::new();
            for &clause in &frames[&proc] {
                clauses.push(search.bind_guard(ctx.pool, clause, &body.inputs));
            }
            let Answer::Impossible(used) = self.ask(ctx, arg, &known, &clauses)? else { return Err(Failure::GivenUp) };
            for clause in used {
                if needed.entry(proc).or_default().insert(clause) {
                    let ways = self.state.ways.iter().enumerate();
                    let into = ways.filter(|(_, w)| w.to == proc && w.from != self.top);
                    todo.extend(into.map(|(w, way)| (search.args[way.from].proc, Some((w, clause)))));
                }
            }
        }
        let mut guards = BTreeMap::new();
        for (proc, used) in needed {
            let clauses: Vec<TermId> = used.into_iter().map(|i| frames[&proc][i]).collect();
            guards.insert(proc, ctx.pool.and(&clauses));
        }
        Ok(guards)
    }

    /// Blocks a cube and all that stands in the way.
    fn block(&mut self, ctx: &mut Ctx<'_>, first: Obligation, last: usize) -> Result<(), Failure> {
        let mut todo = vec![first];
        while let Some(next) = todo.pop() {
            let Obligation { proc, cube, level, way } = next;
            let is_known = |b: &Blocked| b.proc == proc && b.level >= level && b.cube.iter().all(|l| cube.contains(l));
            if self.state.blocked.iter().any(is_known) {
                continue;
            }
            match self.is_entered(ctx, proc, &cube, level - 1, true)? {
                Entered::AtStart(start) => {
                    // The remaining obligations are the execution, its end first.
                    todo.push(Obligation { proc, cube, level, way });
                    let mut path = Vec::new();
                    let mut call = self.state.ways[start].call;
                    for obligation in todo.iter().rev() {
                        let literals = self.literals(ctx.pool, obligation.proc, &obligation.cube);
                        path.push(Iteration { call, cube: ctx.pool.and(&literals) });
                        if let Some(way) = obligation.way {
                            call = self.state.ways[way].call;
                        }
                    }
                    return Err(Failure::Path(path));
                }
                Entered::From { way: entering, proc: from, cube: before } => {
                    todo.push(Obligation { proc, cube, level, way });
                    todo.push(Obligation { proc: from, cube: before, level: level - 1, way: Some(entering) });
                }
                Entered::Never(core) => {
                    let cube = self.general(ctx, proc, &cube, core, level - 1)?;
                    // As far as it goes.
                    let mut level = level;
                    while level < last && self.is_entered(ctx, proc, &cube, level, true)?.is_never() {
                        level += 1;
                    }
                    self.state
                        .blocked
                        .retain(|b| b.proc != proc || b.level > level || !cube.iter().all(|l| b.cube.contains(l)));
                    self.state.blocked.push(Blocked { proc, cube, level });
                }
            }
        }
        Ok(())
    }

    /// A cube with fewer literals that is not entered either.
    fn general(
        &mut self,
        ctx: &mut Ctx<'_>,
        proc: ProcId,
        cube: &Cube,
        core: BTreeSet<usize>,
        level: usize,
    ) -> Result<Cube, Failure> {
        let mut best: Cube = core.into_iter().map(|i| cube[i]).collect();
        let mut index = 0;
        while index < best.len() && best.len() > 1 {
            let mut candidate = best.clone();
            candidate.remove(index);
            match self.is_entered(ctx, proc, &candidate, level, true)? {
                Entered::Never(core) if !core.is_empty() => best = core.into_iter().map(|i| candidate[i]).collect(),
                Entered::Never(_) => best = candidate,
                Entered::AtStart(_) | Entered::From { .. } => index += 1,
            }
        }
        Ok(best)
    }

    /// Relative-induction query: is `cube` reachable in one iteration from the frame of a level (and not from the cube
    /// itself, if `relative`)? Returns a predecessor, or the unsat core over the cube's literals.
    fn is_entered(
        &mut self,
        ctx: &mut Ctx<'_>,
        proc: ProcId,
        cube: &Cube,
        level: usize,
        relative: bool,
    ) -> Result<Entered, Failure> {
        let search = self.search;
        let mut core = BTreeSet::new();
        for w in 0..self.state.ways.len() {
            let Way { from, call, to } = self.state.ways[w];
            if to != proc || (from != self.top && level == 0) {
                continue;
            }
            let Some(body) = &search.args[from].body else { return Err(Failure::GivenUp) };
            let call = &body.calls[call];
            let mut known = through(ctx.pool, body, call);
            let source = search.args[from].proc;
            if from != self.top {
                let mut frame = self.frame(ctx.pool, source, level);
                if relative && source == proc {
                    let literals = self.literals(ctx.pool, proc, cube);
                    let inside = ctx.pool.and(&literals);
                    frame.push(ctx.pool.not(inside));
                }
                for clause in frame {
                    known.push(search.bind_guard(ctx.pool, clause, &body.inputs));
                }
            }
            let mut goal = Vec::new();
            for literal in self.literals(ctx.pool, proc, cube) {
                goal.push(search.bind_guard(ctx.pool, literal, &call.inputs));
            }
            match self.ask(ctx, from, &known, &goal)? {
                Answer::State(_) if from == self.top => return Ok(Entered::AtStart(w)),
                Answer::State(before) => return Ok(Entered::From { way: w, proc: source, cube: before }),
                Answer::Impossible(used) => core.extend(used),
            }
        }
        Ok(Entered::Never(core))
    }

    /// Can an activation violate what it owes, from what holds up to a level?
    fn violation(&mut self, ctx: &mut Ctx<'_>, proc: ProcId, level: usize) -> Result<Answer, Failure> {
        let search = self.search;
        let (arg, owed) = (self.state.stations[&proc].arg, self.state.stations[&proc].owed);
        let Some(body) = &search.args[arg].body else { return Err(Failure::GivenUp) };
        let mut known = search.violates(ctx.pool, arg, owed, body);
        for clause in self.frame(ctx.pool, proc, level) {
            known.push(search.bind_guard(ctx.pool, clause, &body.inputs));
        }
        self.ask(ctx, arg, &known, &[])
    }

    fn ask(&mut self, ctx: &mut Ctx<'_>, arg: ArgId, known: &[TermId], goal: &[TermId]) -> Result<Answer, Failure> {
        let search = self.search;
        let station = self.state.stations.get_mut(&search.args[arg].proc);
        let solver = match (&station, arg == self.top) {
            (_, true) => &mut self.state.entering,
            (Some(_), false) => match station {
                Some(station) => &mut station.solver,
                None => return Err(Failure::GivenUp),
            },
            (None, false) => return Err(Failure::GivenUp),
        };
        let assumptions: Vec<TermId> = known.iter().chain(goal).copied().collect();
        ctx.stats.add("solver calls", 1);
        match solver.check_assuming(ctx.pool, &assumptions, &self.state.budget) {
            SatResult::Unknown(_) => Err(Failure::GivenUp),
            SatResult::Unsat => {
                let failed = solver.failed_assumptions().into_iter();
                Ok(Answer::Impossible(failed.filter_map(|i| i.checked_sub(known.len())).collect()))
            }
            SatResult::Sat if arg == self.top => Ok(Answer::State(Cube::new())),
            SatResult::Sat => {
                let Some(model) = solver.model().cloned() else { return Err(Failure::GivenUp) };
                let Some(body) = &search.args[arg].body else { return Err(Failure::GivenUp) };
                let mut cube = Cube::new();
                for (k, &atom) in self.state.stations[&search.args[arg].proc].atoms.iter().enumerate() {
                    let atom = search.bind_guard(ctx.pool, atom, &body.inputs);
                    cube.push((k, model.holds(ctx.pool, atom).map_err(|_| Failure::GivenUp)?));
                }
                Ok(Answer::State(cube))
            }
        }
    }

    /// The clauses that hold up to a level.
    fn frame(&self, pool: &mut TermPool, proc: ProcId, level: usize) -> Vec<TermId> {
        let mut clauses = Vec::new();
        for blocked in self.state.blocked.iter().filter(|b| b.proc == proc && b.level >= level) {
            let literals = self.literals(pool, proc, &blocked.cube);
            let inside = pool.and(&literals);
            clauses.push(pool.not(inside));
        }
        clauses
    }

    fn literals(&self, pool: &mut TermPool, proc: ProcId, cube: &Cube) -> Vec<TermId> {
        let atoms = &self.state.stations[&proc].atoms;
        cube.iter().map(|&(k, holds)| if holds { atoms[k] } else { pool.not(atoms[k]) }).collect()
    }
}

/// That control goes through a call of the chain: it is said to fail, and nothing else does. The flag of a call alone
/// does not say it, since it only has to be true where control goes.
fn through(pool: &mut TermPool, body: &Body, call: &Call) -> Vec<TermId> {
    let mut known = vec![call.passed, call.error, body.error];
    let others = body.calls.iter().map(|c| c.error).filter(|&e| e != call.error).chain(body.fails_here);
    known.extend(others.map(|e| pool.not(e)));
    known
}

/// The Boolean terms of a formula other than conjunctions and disjunctions.
fn collect_atoms(pool: &TermPool, formula: TermId, atoms: &mut BTreeSet<TermId>) {
    let mut seen = BTreeSet::from([formula]);
    let mut todo = vec![formula];
    while let Some(t) = todo.pop() {
        let is_junction = match pool.op(t) {
            Op::And | Op::Or | Op::Not => true,
            Op::Ite | Op::Eq => pool.args(t).iter().all(|&a| pool.is_bool(a)),
            _ => false,
        };
        if is_junction {
            todo.extend(pool.args(t).iter().copied().filter(|&a| seen.insert(a)));
        } else if t != TermId::TRUE && t != TermId::FALSE {
            atoms.insert(t);
        }
    }
}

/// For every bound of an integer, those next to it.
fn add_neighbours(pool: &mut TermPool, atoms: &mut BTreeSet<TermId>) {
    let one = Rational::one();
    let mut more: Vec<TermId> = Vec::new();
    for &atom in atoms.iter() {
        let Some(literal) = linear_literal(pool, atom, true) else { continue };
        let [(x, factor)] = literal.linear.terms.as_slice() else { continue };
        if pool.sort(*x) != SortId::INT || literal.relation == Relation::Below {
            continue;
        }
        let (x, factor) = (*x, factor.clone());
        let bound = &-literal.linear.constant / &factor;
        if !bound.is_integer() {
            continue;
        }
        for value in [&bound - &one, bound.clone(), &bound + &one] {
            let value = pool.int_num(value);
            more.push(pool.le(x, value));
        }
    }
    atoms.extend(more);
}
