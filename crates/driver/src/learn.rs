//! From an answer to facts for the next version.

use crate::known::{
    BoundKind, CheckName, Choice, Context, Contract, Edge, Evidence, Execution, FORMAT, Facts, Function, GraphKind,
    Invariant, LassoStep, Mode, Modular, Module, Outline, Position, Role, Termination, VERSION, Variable, mode_name,
};
use crate::outcome::{InfiniteExecution, Outcome, Proof, Violation};
use crate::question::{Answered, Question};
use crate::reuse::REUSE;
use crate::settings::{Integers, Settings};
use crate::shape::{Shape, Symbols, term_text};
use base::{Budget, SourceMap};
use ir::inline::{ContextId, EdgeRole, InlineMap};
use ir::{Annotation, Certificate, EdgeId, Icfg, Label, LocId, Nondet, Note, ProcId, Stmt, VarId, VarKind};
use logic::smtlib::quote_symbol;
use logic::{TermId, TermPool, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// Larger formulas are not kept.
const MAX_SIZE: usize = 4_000;
/// Executions with more choices are not kept.
const MAX_CHOICES: usize = 20_000;
/// The time for contracts.
const CONTRACTS_LIMIT: Duration = Duration::from_secs(2);

/// What facts depend on besides the program.
pub fn mode(question: &Question<'_>) -> Mode {
    mode_of(question.property, question.settings, &question.source.options)
}

/// The same without a program.
pub fn mode_of(property: &ir::Property, settings: &Settings, options: &crate::settings::ReadOptions) -> Mode {
    Mode {
        property: match property {
            ir::Property::Ltl(Some(formula)) => format!("LTL({formula})"),
            other => other.name().to_string(),
        },
        data_model: format!("{:?}", options.data_model).to_uppercase(),
        integers: match settings.integers {
            Integers::Int => "int",
            Integers::Bitvec => "bitvec",
            Integers::Auto => "auto",
        }
        .to_string(),
        entry: options.entries.join(","),
    }
}

/// What facts are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To be compared with those of another version.
    Report,
    /// To be kept for the next version: contracts are looked for.
    Store,
}

/// The facts of an answer. `cpu`: what it cost.
pub fn facts(question: &Question<'_>, answered: &mut Answered, cpu: Duration, purpose: Purpose) -> Facts {
    let outline = outline(question);
    let Answered { outcome, loaded, engine, form, .. } = answered;
    let pool = &mut loaded.pool;
    let mut facts = Facts {
        format: FORMAT.to_string(),
        version: VERSION,
        program: question.source.path.display().to_string(),
        mode: mode(question),
        result: outcome.answer(),
        // Who answered from facts had them from an engine.
        engine: if *engine == REUSE { found_by(question) } else { engine.clone() },
        milliseconds: (cpu.as_millis() as u64).max(1).next_power_of_two(),
        translation: form.name().to_string(),
        outline,
        ..Facts::default()
    };
    match outcome {
        Outcome::Holds(proof) => of_proof(pool, &loaded.sources, proof, purpose, &mut facts),
        Outcome::Violated(violation) => of_violation(pool, &loaded.sources, violation, &mut facts),
        Outcome::NonTerminating(infinite) => of_infinite(pool, infinite, &mut facts),
        Outcome::Unknown(_) => {
            let graph = Icfg::build(&loaded.program, pool);
            let learner = Learner::new(pool, &graph, &graph, None);
            learner.finish(pool, &mut facts);
        }
    }
    facts
}

fn found_by(question: &Question<'_>) -> String {
    question.reuse.first().map(|f| f.engine.clone()).unwrap_or_default()
}

/// The functions of a program as it is translated first, in the order of their text.
pub fn outline(question: &Question<'_>) -> Vec<Outline> {
    let mut loaded = question.load();
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    let symbols = Symbols::new(&loaded.pool, &graph);
    let mut procs: Vec<ProcId> = graph.procs.ids().filter(|p| Some(*p) != graph.root).collect();
    procs.sort_by_key(|p| graph.procs[*p].span);
    let outline = |p: ProcId| {
        let shape = Shape::new(&loaded.pool, &graph, &symbols, p);
        Outline { name: shape.name.clone(), body: shape.fingerprint() }
    };
    procs.into_iter().map(outline).collect()
}

fn of_proof(pool: &mut TermPool, sources: &SourceMap, proof: &Proof, purpose: Purpose, facts: &mut Facts) {
    let (original, graph) = (&proof.original, &proof.graph);
    facts.checks = checks(original, sources);
    if let Certificate::TailRecursive(annotation) = &proof.certificate {
        let (mut recursive, _) = ir::tail_recursion::loops_to_recursion(graph, pool);
        recursive.ensure_old_vars(pool);
        let mut learner = Learner::new(pool, &recursive, &recursive, None);
        facts.evidence = learner.annotation(pool, annotation, GraphKind::TailRecursive);
        learner.finish(pool, facts);
        return;
    }
    let mut learner = Learner::new(pool, original, graph, proof.map.as_ref());
    facts.evidence = match &proof.certificate {
        // The proof is about a product of threads: nothing of it is about places of the program.
        _ if proof.copies.is_some() => Evidence::Nothing,
        Certificate::Annotation(annotation) | Certificate::TailRecursive(annotation) => {
            let kind = if proof.map.is_some() { GraphKind::Flat } else { GraphKind::Original };
            learner.annotation(pool, annotation, kind)
        }
        Certificate::Unwinding(n) => bound(BoundKind::Unwinding, u64::from(*n)),
        Certificate::Execution(n) => bound(BoundKind::Execution, *n),
        Certificate::FiniteExecution(n) => bound(BoundKind::FiniteExecution, *n),
        Certificate::FiniteUnwinding(n) => bound(BoundKind::FiniteUnwinding, u64::from(*n)),
        Certificate::States(n) => bound(BoundKind::States, *n),
        Certificate::StatesOfBranches(n) => bound(BoundKind::StatesOfBranches, *n),
        // Cells of integers are cut anew for another program.
        Certificate::FairStates { wide, .. } if !wide.is_empty() => Evidence::Nothing,
        Certificate::FairStates { steps, .. } => bound(BoundKind::FairStates, *steps),
        // Proofs about threads, and with auxiliary variables, are not carried over.
        Certificate::Holders(..) => Evidence::Nothing,
        Certificate::Threads(_) | Certificate::Interleavings(_) | Certificate::OwickiGries(_) => Evidence::Nothing,
        Certificate::Termination(proof) => learner.termination(pool, proof),
    };
    let limit = Budget::with_timeout(CONTRACTS_LIMIT);
    if purpose == Purpose::Store
        && let Some((with_calls, annotation)) = crate::modular::of_proof(pool, proof, &limit)
    {
        let mut learner = learner.about(pool, &with_calls);
        let (invariants, contracts) = (learner.invariants(pool, &annotation), learner.contracts(pool, &annotation));
        facts.modular = Some(Modular { invariants, contracts });
        learner.finish(pool, facts);
    } else {
        learner.finish(pool, facts);
    }
}

/// A power of two, as a limit need not be exact.
fn bound(kind: BoundKind, bound: u64) -> Evidence {
    let bound = match kind {
        BoundKind::Unwinding | BoundKind::FiniteUnwinding => bound,
        _ => bound.max(1).checked_next_power_of_two().unwrap_or(bound),
    };
    Evidence::Bound { kind, bound }
}

/// The checks of a graph by names that survive changes elsewhere.
pub(crate) fn checks(graph: &Icfg, sources: &SourceMap) -> Vec<CheckName> {
    let mut found: Vec<CheckName> = Vec::new();
    for (loc, location) in graph.locs.iter() {
        if location.error.is_some() {
            found.extend(check_at(graph, sources, loc));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What is checked, in the words of the message and of the program, whatever its layout.
fn text_of(check: &ir::Check, sources: &SourceMap) -> String {
    let message = check.message.trim_end();
    let expression = crate::cause::expression(sources, check.span);
    if expression.is_empty() { message.to_string() } else { format!("{message}: {expression}") }
}

/// So far back a condition is looked for.
const MAX_BACK: usize = 30;

/// The last branch on the only way to an error location.
fn condition_of(graph: &Icfg, sources: &SourceMap, mut loc: LocId) -> String {
    for _ in 0..MAX_BACK {
        let &[edge] = graph.in_edges(loc) else { break };
        let edge = &graph.edges[edge];
        if let Note::Branch(outcome) = edge.note {
            let text = crate::cause::expression(sources, edge.span);
            return if outcome { text } else { format!("not {text}") };
        }
        loc = edge.src;
    }
    String::new()
}

/// The name of the check at an error location.
pub(crate) fn check_at(graph: &Icfg, sources: &SourceMap, loc: LocId) -> Option<CheckName> {
    let alike = |l: LocId| -> Option<(String, String, String, String)> {
        let check = graph.locs[l].error.as_ref()?;
        let function = graph.procs[graph.locs[l].proc].name.clone();
        Some((check.property.to_string(), function, text_of(check, sources), condition_of(graph, sources, l)))
    };
    let own = alike(loc)?;
    let span = |l: LocId| graph.locs[l].error.as_ref().map(|c| c.span);
    // Several locations may stand for one check.
    let mut before: Vec<_> = graph.locs.ids().filter(|&l| alike(l).as_ref() == Some(&own)).map(span).collect();
    before.sort();
    before.dedup();
    let ordinal = before.iter().position(|s| *s == span(loc)).unwrap_or(0);
    let (property, function, text, condition) = own;
    Some(CheckName { property, function, text, condition, ordinal })
}

fn of_violation(pool: &mut TermPool, sources: &SourceMap, violation: &Violation, facts: &mut Facts) {
    let original = &violation.original;
    let mut learner = Learner::new(pool, original, original, None);
    let at = violation.run.steps.last().map(|s| original.edges[s.edge].dst);
    facts.checks = checks(original, sources);
    facts.violated = at.and_then(|loc| check_at(original, sources, loc));
    if violation.copies.is_none()
        && let Some(execution) = learner.execution(pool, &violation.run)
    {
        facts.evidence = Evidence::Violation(execution);
    }
    learner.finish(pool, facts);
}

fn of_infinite(pool: &mut TermPool, infinite: &InfiniteExecution, facts: &mut Facts) {
    let mut learner = Learner::new(pool, &infinite.original, &infinite.graph, infinite.map.as_ref());
    if !infinite.graph.has_calls()
        && let Some(evidence) = learner.infinite(pool, &infinite.lasso)
    {
        facts.evidence = evidence;
    }
    learner.finish(pool, facts);
}

/// Writes what is about a graph in terms of functions, positions and names.
struct Learner<'a> {
    original: &'a Icfg,
    graph: &'a Icfg,
    map: Option<&'a InlineMap>,
    symbols: Symbols,
    symbols_of_original: Option<Symbols>,
    /// The functions that facts speak of.
    shapes: BTreeMap<ProcId, Shape>,
    functions: BTreeMap<ProcId, usize>,
    contexts: Vec<Context>,
    context_numbers: BTreeMap<ContextId, usize>,
    variables: Vec<Variable>,
    variable_numbers: BTreeMap<VarId, usize>,
}

impl<'a> Learner<'a> {
    fn new(pool: &TermPool, original: &'a Icfg, graph: &'a Icfg, map: Option<&'a InlineMap>) -> Learner<'a> {
        let functions = original.procs.ids().enumerate().map(|(i, p)| (p, i)).collect();
        let symbols_of_original = map.is_some().then(|| Symbols::new(pool, original));
        Learner {
            original,
            graph,
            map,
            symbols: Symbols::new(pool, graph),
            symbols_of_original,
            shapes: BTreeMap::new(),
            functions,
            contexts: Vec::new(),
            context_numbers: BTreeMap::new(),
            variables: Vec::new(),
            variable_numbers: BTreeMap::new(),
        }
    }

    /// Goes on with facts about a graph with all calls, whose functions, locations and variables are those of the
    /// original.
    fn about(self, pool: &TermPool, graph: &'a Icfg) -> Learner<'a> {
        let Learner { shapes, functions, contexts, variables, .. } = self;
        let (context_numbers, variable_numbers) = (BTreeMap::new(), BTreeMap::new());
        let (symbols, symbols_of_original) = (Symbols::new(pool, graph), None);
        let (original, map) = (graph, None);
        Learner {
            original,
            graph,
            map,
            symbols,
            symbols_of_original,
            shapes,
            functions,
            contexts,
            context_numbers,
            variables,
            variable_numbers,
        }
    }

    fn shape(&mut self, pool: &TermPool, proc: ProcId) -> &Shape {
        let symbols = self.symbols_of_original.as_ref().unwrap_or(&self.symbols);
        let original = self.original;
        self.shapes.entry(proc).or_insert_with(|| Shape::new(pool, original, symbols, proc))
    }

    fn finish(mut self, pool: &TermPool, facts: &mut Facts) {
        let needed: Vec<ProcId> = self.shapes.keys().copied().collect();
        for proc in self.original.procs.ids() {
            let keep = needed.contains(&proc);
            let original = self.original;
            let mut function: Function = self.shape(pool, proc).stored(pool, original);
            if !keep {
                (function.lines, function.variables) = (Vec::new(), Vec::new());
            }
            facts.functions.push(function);
        }
        facts.contexts = self.contexts;
        facts.variables = self.variables;
    }

    /// A location of the original graph as a position.
    fn original_position(&mut self, pool: &TermPool, loc: LocId, context: Option<usize>) -> Option<Position> {
        let proc = self.original.locs[loc].proc;
        let function = *self.functions.get(&proc)?;
        let heads: Vec<LocId> = {
            let original = self.original;
            let shape = self.shape(pool, proc);
            shape.locs.iter().copied().filter(|&l| original.locs[l].is_loop_head).collect()
        };
        let line = self.shape(pool, proc).locs.iter().position(|&l| l == loc)?;
        Some(Position { function, line, context, head: heads.iter().position(|&l| l == loc) })
    }

    fn position(&mut self, pool: &TermPool, loc: LocId) -> Option<Position> {
        match self.map {
            None => self.original_position(pool, loc, None),
            Some(map) => {
                let (original, context) = *map.locs.get(loc)?;
                let context = self.context(pool, context)?;
                self.original_position(pool, original, Some(context))
            }
        }
    }

    fn context(&mut self, pool: &TermPool, id: ContextId) -> Option<usize> {
        if let Some(&n) = self.context_numbers.get(&id) {
            return Some(n);
        }
        let context = self.map?.contexts[id];
        let call = match context.call {
            None => None,
            Some((site, outer)) => {
                let at = self.original.edges[self.original.call_sites[site].call_edge].src;
                let outer = self.context(pool, outer)?;
                Some((outer, self.original_position(pool, at, None)?.line))
            }
        };
        let function = *self.functions.get(&context.proc)?;
        self.contexts.push(Context { function, call });
        self.context_numbers.insert(id, self.contexts.len() - 1);
        Some(self.contexts.len() - 1)
    }

    /// The number of a variable of the graph among those that facts speak of.
    fn variable(&mut self, pool: &TermPool, v: VarId) -> Option<usize> {
        if let Some(&n) = self.variable_numbers.get(&v) {
            return Some(n);
        }
        let (original, context) = match self.map {
            None => (v, None),
            Some(map) => match map.vars.get(v) {
                Some((original, context)) => (*original, *context),
                // Added to the graph later.
                None => (v, None),
            },
        };
        let is_late = self.map.is_some_and(|m| m.vars.get(v).is_none());
        let of = if is_late { self.graph } else { self.original };
        let global_name = |g: VarId| of.vars.get(g).map(|var| var.name.clone());
        let context = match context {
            Some(id) => Some(self.context(pool, id)?),
            None => None,
        };
        let variable = match of.vars.get(original)?.kind {
            VarKind::Global => Variable::Global { name: global_name(original)? },
            VarKind::Old(global) => Variable::Old { name: global_name(global)?, context },
            VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) if is_late => return None,
            VarKind::Param(proc) | VarKind::Result(proc) | VarKind::Local(proc) => {
                let function = *self.functions.get(&proc)?;
                let index = self.shape(pool, proc).variables.iter().position(|&o| o == original)?;
                Variable::Own { function, index, context }
            }
        };
        let number = self.variables.iter().position(|known| *known == variable).unwrap_or(self.variables.len());
        if number == self.variables.len() {
            self.variables.push(variable);
        }
        self.variable_numbers.insert(v, number);
        Some(number)
    }

    /// A term as text; `None` if it speaks of something that has no name in other versions.
    fn term(&mut self, pool: &TermPool, term: TermId, ghosts: &[TermId]) -> Option<String> {
        if pool.dag_size(term) > MAX_SIZE {
            return None;
        }
        let ghost_names: Vec<String> = ghosts
            .iter()
            .map(|&g| pool.as_symbol(g).map(|f| quote_symbol(pool.name(f)).into_owned()).unwrap_or_default())
            .collect();
        let mut numbers: BTreeMap<VarId, usize> = BTreeMap::new();
        for constant in pool.free_constants(term) {
            let symbol = pool.as_symbol(constant)?;
            let token = quote_symbol(pool.name(symbol)).into_owned();
            if let Some(v) = self.symbols.variable(&token) {
                numbers.insert(v, self.variable(pool, v)?);
            } else if pool.fun(symbol).instance_of.is_some() && !ghost_names.contains(&token) {
                return None;
            }
        }
        let symbols = &self.symbols;
        let mut write = |token: &str| match symbols.variable(token) {
            Some(v) => numbers.get(&v).map(|n| format!("$v{n}")),
            None => ghost_names.iter().position(|g| g == token).map(|i| format!("$g{i}")),
        };
        Some(term_text(pool, term, &mut write))
    }

    fn conjuncts(&mut self, pool: &TermPool, formula: TermId) -> Vec<String> {
        let all = if formula == TermId::FALSE { vec![formula] } else { pool.conjuncts(formula) };
        all.into_iter().filter_map(|c| self.term(pool, c, &[])).collect()
    }

    fn annotation(&mut self, pool: &TermPool, annotation: &Annotation, graph: GraphKind) -> Evidence {
        let invariants = self.invariants(pool, annotation);
        let contracts = self.contracts(pool, annotation);
        Evidence::Annotation { graph, invariants, contracts }
    }

    fn invariants(&mut self, pool: &TermPool, annotation: &Annotation) -> Vec<Invariant> {
        let mut invariants = Vec::new();
        for (&loc, &formula) in &annotation.invariants {
            if let Some(at) = self.position(pool, loc) {
                invariants.push(Invariant { at, conjuncts: self.conjuncts(pool, formula) });
            }
        }
        invariants
    }

    fn contracts(&mut self, pool: &TermPool, annotation: &Annotation) -> Vec<Contract> {
        let mut contracts = Vec::new();
        for (&proc, contract) in &annotation.contracts {
            let original = self.map.map_or(Some(proc), |m| m.procs.get(proc).copied());
            let Some(function) = original.and_then(|p| self.functions.get(&p).copied()) else { continue };
            if let Some(proc) = original {
                self.shape(pool, proc);
            }
            let requires = self.conjuncts(pool, contract.requires);
            let ensures = self.conjuncts(pool, contract.ensures);
            contracts.push(Contract { function, requires, ensures, under: Vec::new() });
        }
        contracts
    }

    fn edge(&mut self, pool: &TermPool, edge: EdgeId) -> Option<Edge> {
        let (original, context, role) = match self.map {
            None => (edge, None, Role::Same),
            Some(map) => {
                let origin = *map.edges.get(edge)?;
                let role = match origin.role {
                    EdgeRole::Same => Role::Same,
                    EdgeRole::Enter => Role::Enter,
                    EdgeRole::Arbitrary => Role::Arbitrary,
                    EdgeRole::Leave => Role::Leave,
                };
                (origin.edge, Some(self.context(pool, origin.context)?), role)
            }
        };
        // A return is told by its call.
        let named = match self.original.edges[original].label {
            Label::Return(site) => self.original.call_sites[site].call_edge,
            _ => original,
        };
        let src = self.original.edges[named].src;
        let ordinal = self.original.out_edges(src).iter().position(|&e| e == named)?;
        Some(Edge { at: self.original_position(pool, src, context)?, ordinal, role })
    }

    fn termination(&mut self, pool: &TermPool, proof: &ir::TerminationProof) -> Evidence {
        let mut stored = Termination {
            contracts: self.contracts(pool, &proof.summaries),
            invariants: self.invariants(pool, &proof.summaries),
            ..Termination::default()
        };
        // With calls the modules are about another graph: ranks are candidates all the same.
        let is_about_graph = !self.graph.has_calls();
        for &loc in proof.cut_points.iter().filter(|_| is_about_graph) {
            stored.cut_points.extend(self.position(pool, loc));
        }
        for module in &proof.modules {
            let rank = module.rank.iter().filter_map(|&t| self.term(pool, t, &[])).collect();
            let mut kept = Module { rank, states: Vec::new(), edges: Vec::new() };
            if is_about_graph {
                for state in &module.states {
                    let formula = self.term(pool, state.formula, &module.ghosts).unwrap_or_else(|| "?".to_string());
                    kept.states.push((mode_name(state.mode).to_string(), formula));
                }
                for ((from, path), to) in &module.edges {
                    let path: Option<Vec<Edge>> = path.iter().map(|&e| self.edge(pool, e)).collect();
                    kept.edges.extend(path.map(|path| (*from, path, *to)));
                }
            }
            stored.modules.push(kept);
        }
        Evidence::Termination(stored)
    }

    fn value(&mut self, pool: &mut TermPool, v: VarId, value: &Value) -> Option<String> {
        let term = pool.value_term(value, self.graph.vars[v].sort)?;
        (pool.dag_size(term) <= MAX_SIZE).then(|| pool.smtlib(term))
    }

    fn values<'v>(
        &mut self,
        pool: &mut TermPool,
        values: impl IntoIterator<Item = (&'v VarId, &'v Value)>,
    ) -> Vec<(usize, String)> {
        let mut known = Vec::new();
        for (&v, value) in values {
            if let (Some(n), Some(text)) = (self.variable(pool, v), self.value(pool, v, value)) {
                known.push((n, text));
            }
        }
        known
    }

    fn execution(&mut self, pool: &mut TermPool, run: &ir::Run) -> Option<Execution> {
        let initial: BTreeMap<VarId, Value> = run.initial.iter().cloned().collect();
        let mut execution =
            Execution { initial: self.values(pool, &initial), choices: Vec::new(), n_steps: run.n_steps() };
        for step in &run.steps {
            let graph = self.graph;
            let edge = &graph.edges[step.edge];
            let input = match &edge.label {
                Label::Stmt(Stmt::Havoc(_, Nondet::Input(name))) => name.clone(),
                _ => String::new(),
            };
            if step.chosen.is_empty() && !is_free_choice(graph, edge.src) {
                continue;
            }
            if execution.choices.len() >= MAX_CHOICES {
                return None;
            }
            let Some(stored) = self.edge(pool, step.edge) else { continue };
            let values = step.chosen.iter().map(|(v, value)| self.value(pool, *v, value).unwrap_or_default()).collect();
            execution.choices.push(Choice { at: stored.at, ordinal: stored.ordinal, input, values });
        }
        Some(execution)
    }

    fn infinite(&mut self, pool: &mut TermPool, lasso: &ir::NonTermination) -> Option<Evidence> {
        let mut stem = Vec::new();
        for step in &lasso.stem.steps {
            let edge = self.edge(pool, step.edge)?;
            stem.push(LassoStep { edge, chosen: self.values(pool, &step.chosen) });
        }
        let mut cycle = Vec::new();
        for step in &lasso.cycle {
            let edge = self.edge(pool, step.edge)?;
            let mut chosen = Vec::new();
            for (&v, &term) in &step.chosen {
                chosen.push((self.variable(pool, v)?, self.term(pool, term, &[])?));
            }
            cycle.push(LassoStep { edge, chosen });
        }
        let initial = self.values(pool, &lasso.stem.initial);
        let recurrence = self.term(pool, lasso.recurrence, &[])?;
        Some(Evidence::Infinite { initial, stem, cycle, recurrence })
    }
}

/// Can several steps be open at a location at the same time?
pub(crate) fn is_free_choice(graph: &Icfg, loc: LocId) -> bool {
    let out = graph.out_edges(loc);
    let is_guarded = |e: &EdgeId| matches!(graph.edges[*e].label, Label::Stmt(Stmt::Assume(t)) if t != TermId::TRUE);
    let returns = |e: &EdgeId| matches!(graph.edges[*e].label, Label::Return(_));
    out.len() > 1 && !out.iter().all(is_guarded) && !out.iter().all(returns)
}
