//! What the property tests share: small random programs over finite domains, their executions by
//! enumeration, and satisfiability by enumeration. Independent of the interpreter in `src`.

use base::{Id, Span};
use ir::{
    Body, Check, Icfg, InstrKind, Label, LocId, Nondet, ProcId, Procedure, Program, Spec, Stmt, TraceStep, VarId,
    VarKind, primed,
};
use logic::{BigInt, Model, Op, Sort, SortId, TermId, TermPool, Value};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

// ---- programs ----

/// An expression of the global's sort (two bits).
#[derive(Clone, Debug)]
pub(crate) enum Wide {
    Const(u8),
    Global,
    Old,
    Add(Box<Wide>, Box<Wide>),
    Of(Box<Flag>),
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) enum Flag {
    Const(bool),
    Var(u8),
    Not(Box<Flag>),
    And(Box<Flag>, Box<Flag>),
    Xor(Box<Flag>, Box<Flag>),
    Below(Box<Wide>, Box<Wide>),
    Same(Box<Wide>, Box<Wide>),
}

#[derive(Clone, Debug)]
pub(crate) enum S {
    Set(u8, Flag),
    SetGlobal(Wide),
    Swap,
    Havoc(u8),
    HavocGlobal,
    Assume(Flag),
    Assert(Flag),
    If(Option<Flag>, Vec<S>, Vec<S>),
    While(Option<Flag>, Vec<S>),
    Call(u8, Flag, u8),
    Return,
}

#[derive(Clone, Debug)]
pub(crate) struct P {
    pub bodies: Vec<Vec<S>>,
    pub requires: Option<Flag>,
    pub ensures: Option<Flag>,
    pub may_recur: bool,
    pub abstract_last: bool,
}

fn flag() -> impl Strategy<Value = Flag> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Flag::Const),
        6 => (0u8..3).prop_map(Flag::Var),
        3 => wide_leaf().prop_flat_map(|a| wide_leaf().prop_map(move |b| Flag::Same(Box::new(a.clone()), Box::new(b)))),
        2 => wide_leaf().prop_flat_map(|a| wide_leaf().prop_map(move |b| Flag::Below(Box::new(a.clone()), Box::new(b)))),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Flag::Not(Box::new(a))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Flag::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Flag::Xor(Box::new(a), Box::new(b))),
        ]
    })
}

fn wide_leaf() -> impl Strategy<Value = Wide> {
    prop_oneof![(0u8..4).prop_map(Wide::Const), Just(Wide::Global), Just(Wide::Old)]
}

fn wide() -> impl Strategy<Value = Wide> {
    prop_oneof![
        wide_leaf(),
        (wide_leaf(), wide_leaf()).prop_map(|(a, b)| Wide::Add(Box::new(a), Box::new(b))),
        flag().prop_map(|f| Wide::Of(Box::new(f))),
    ]
}

fn stmts(depth: u32) -> BoxedStrategy<Vec<S>> {
    let leaf = prop_oneof![
        4 => (0u8..2, flag()).prop_map(|(v, e)| S::Set(v, e)),
        3 => wide().prop_map(S::SetGlobal),
        1 => Just(S::Swap),
        1 => (0u8..2).prop_map(S::Havoc),
        1 => Just(S::HavocGlobal),
        2 => flag().prop_map(S::Assume),
        3 => flag().prop_map(S::Assert),
        3 => (0u8..3, flag(), 0u8..3).prop_map(|(p, a, r)| S::Call(p, a, r)),
        1 => Just(S::Return),
    ];
    if depth == 0 {
        return prop::collection::vec(leaf, 0..3).boxed();
    }
    let one = prop_oneof![
        6 => leaf,
        2 => (prop::option::of(flag()), stmts(depth - 1), stmts(depth - 1)).prop_map(|(c, a, b)| S::If(c, a, b)),
        1 => (prop::option::of(flag()), stmts(depth - 1)).prop_map(|(c, a)| S::While(c, a)),
    ];
    prop::collection::vec(one, 0..5).boxed()
}

pub(crate) fn program() -> impl Strategy<Value = P> {
    (
        (stmts(2), stmts(1), stmts(1)),
        prop::option::of(flag()),
        prop::option::of(flag()),
        prop::bool::weighted(0.25),
        prop::bool::weighted(0.2),
    )
        .prop_map(|((a, b, c), requires, ensures, may_recur, abstract_last)| P {
            bodies: vec![a, b, c],
            requires,
            ensures,
            may_recur,
            abstract_last,
        })
}

struct Lowering<'a> {
    pool: &'a mut TermPool,
    program: Program,
    /// Local, result and parameter of each procedure.
    own: Vec<[VarId; 3]>,
    global: VarId,
    old: VarId,
    n_checks: usize,
}

/// The program of a random tree.
pub(crate) fn lower(pool: &mut TermPool, p: &P) -> Program {
    let mut program = Program::new();
    let bits = pool.bitvec_sort(2);
    let global = program.add_var(pool, "g", bits, VarKind::Global, Span::NONE);
    let old = program.old_var(pool, global);
    let mut own = Vec::new();
    for i in 0..p.bodies.len() {
        let id = ProcId::from_index(i);
        let mut var = |pool: &mut TermPool, name: &str, kind| {
            program.add_var(pool, &format!("{name}{i}"), SortId::BOOL, kind, Span::NONE)
        };
        own.push([
            var(pool, "l", VarKind::Local(id)),
            var(pool, "r", VarKind::Result(id)),
            var(pool, "a", VarKind::Param(id)),
        ]);
    }
    let mut lowering = Lowering { pool, program, own, global, old, n_checks: 0 };
    for (i, body) in p.bodies.iter().enumerate() {
        let mut lowered = Body::default();
        lowering.block(&mut lowered, body, i, p);
        let [local, result, param] = lowering.own[i];
        let is_abstract = p.abstract_last && i + 1 == p.bodies.len();
        let mut specs = [Vec::new(), Vec::new()];
        if i + 1 == p.bodies.len() {
            for (flag, list) in [&p.requires, &p.ensures].into_iter().zip(&mut specs) {
                if let Some(flag) = flag {
                    // Contracts speak of parameters, and after the call of results.
                    let formula = lowering.flag(flag, i);
                    list.push(Spec { formula, free: false, span: Span::NONE });
                }
            }
        }
        let [mut requires, ensures] = specs;
        let term = lowering.program.term(param);
        for spec in &mut requires {
            let [l, r, _] = lowering.own[i];
            let pairs = [
                (lowering.program.term(l), term),
                (lowering.program.term(r), term),
                (lowering.program.term(old), lowering.program.term(global)),
            ];
            spec.formula = lowering.pool.substitute(spec.formula, &pairs);
        }
        let ensures = ensures
            .into_iter()
            .map(|mut spec| {
                let l = lowering.program.term(lowering.own[i][0]);
                spec.formula = lowering.pool.substitute(spec.formula, &[(l, term)]);
                spec
            })
            .collect();
        lowering.program.procs.push(Procedure {
            name: format!("p{i}"),
            span: Span::NONE,
            params: vec![param],
            results: vec![result],
            locals: vec![local],
            modifies: vec![global],
            requires,
            ensures,
            body: (!is_abstract).then_some(lowered),
        });
    }
    lowering.program.entries.push(ProcId(0));
    lowering.program
}

impl Lowering<'_> {
    fn wide(&mut self, e: &Wide, proc: usize) -> TermId {
        match e {
            Wide::Const(c) => self.pool.bv_num(BigInt::from(*c), 2),
            Wide::Global => self.program.term(self.global),
            Wide::Old => self.program.term(self.old),
            Wide::Add(a, b) => {
                let (a, b) = (self.wide(a, proc), self.wide(b, proc));
                self.pool.bv(Op::BvAdd, &[a, b])
            }
            Wide::Of(f) => {
                let f = self.flag(f, proc);
                let (one, two) = (self.pool.bv_num(BigInt::from(1), 2), self.pool.bv_num(BigInt::from(2), 2));
                self.pool.ite(f, one, two)
            }
        }
    }
    fn flag(&mut self, f: &Flag, proc: usize) -> TermId {
        match f {
            Flag::Const(b) => self.pool.bool(*b),
            Flag::Var(i) => self.program.term(self.own[proc][*i as usize % 3]),
            Flag::Not(a) => {
                let a = self.flag(a, proc);
                self.pool.not(a)
            }
            Flag::And(a, b) => {
                let (a, b) = (self.flag(a, proc), self.flag(b, proc));
                self.pool.and2(a, b)
            }
            Flag::Xor(a, b) => {
                let (a, b) = (self.flag(a, proc), self.flag(b, proc));
                self.pool.xor(a, b)
            }
            Flag::Below(a, b) => {
                let (a, b) = (self.wide(a, proc), self.wide(b, proc));
                self.pool.bv(Op::BvUlt, &[a, b])
            }
            Flag::Same(a, b) => {
                let (a, b) = (self.wide(a, proc), self.wide(b, proc));
                self.pool.eq(a, b)
            }
        }
    }
    fn block(&mut self, body: &mut Body, list: &[S], proc: usize, p: &P) {
        for s in list {
            self.stmt(body, s, proc, p);
        }
    }
    fn branch(&mut self, body: &mut Body, condition: &Option<Flag>, proc: usize, outcome: bool) {
        if let Some(f) = condition {
            let mut c = self.flag(f, proc);
            if !outcome {
                c = self.pool.not(c);
            }
            body.push_noted(InstrKind::Stmt(Stmt::Assume(c)), Span::NONE, ir::Note::Branch(outcome));
        }
    }
    fn stmt(&mut self, body: &mut Body, s: &S, proc: usize, p: &P) {
        let none = Span::NONE;
        let [local, result, _] = self.own[proc];
        let settable = [local, result];
        match s {
            S::Set(v, e) => {
                let e = self.flag(e, proc);
                body.stmt(Stmt::Assign(vec![(settable[*v as usize % 2], e)]), none);
            }
            S::SetGlobal(e) => {
                let e = self.wide(e, proc);
                body.stmt(Stmt::Assign(vec![(self.global, e)]), none);
            }
            S::Swap => {
                let (a, b) = (self.program.term(local), self.program.term(result));
                body.stmt(Stmt::Assign(vec![(local, b), (result, a)]), none);
            }
            S::Havoc(v) => body.stmt(Stmt::Havoc(vec![settable[*v as usize % 2]], Nondet::Choice), none),
            S::HavocGlobal => body.stmt(Stmt::Havoc(vec![self.global], Nondet::Choice), none),
            S::Assume(f) => {
                let f = self.flag(f, proc);
                body.stmt(Stmt::Assume(f), none);
            }
            S::Assert(f) => {
                let f = self.flag(f, proc);
                self.n_checks += 1;
                let message = format!("check {}", self.n_checks);
                body.push(InstrKind::Assert(f, Check::new(ir::Subproperty::UnreachCall, message, none)), none);
            }
            S::If(c, a, b) => {
                let (yes, no, end) = (body.new_label(), body.new_label(), body.new_label());
                body.goto(vec![yes, no], none);
                body.label(yes, none);
                self.branch(body, c, proc, true);
                self.block(body, a, proc, p);
                body.goto(vec![end], none);
                body.label(no, none);
                self.branch(body, c, proc, false);
                self.block(body, b, proc, p);
                body.label(end, none);
            }
            S::While(c, a) => {
                let (head, inside, end) = (body.new_label(), body.new_label(), body.new_label());
                body.label(head, none);
                body.goto(vec![inside, end], none);
                body.label(inside, none);
                self.branch(body, c, proc, true);
                self.block(body, a, proc, p);
                body.goto(vec![head], none);
                body.label(end, none);
                self.branch(body, c, proc, false);
            }
            S::Call(callee, arg, target) => {
                let n = p.bodies.len();
                let callee = *callee as usize % n;
                if callee <= proc && !(p.may_recur && callee != 0) {
                    return;
                }
                let arg = self.flag(arg, proc);
                let results = vec![settable[*target as usize % 2]];
                let callee = ProcId::from_index(callee);
                body.push(InstrKind::Call { callee, args: vec![arg], results }, none);
            }
            S::Return => body.push(InstrKind::Return, none),
        }
    }
}

// ---- satisfiability by enumeration ----

pub(crate) fn all_values(pool: &TermPool, sort: SortId) -> Vec<Value> {
    match pool.sort_data(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(w) => (0..1u32 << w).map(|i| Value::Bv(BigInt::from(i), *w)).collect(),
        other => panic!("no finite sort: {other:?}"),
    }
}

thread_local! {
    /// How many nodes enumeration may still visit in the present test case.
    static FUEL: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Enumeration is exponential: each test case gets this much of it.
pub(crate) fn refuel() {
    FUEL.set(15_000);
}
/// Was enumeration cut off? Then its answers mean nothing, and the case shows nothing.
pub(crate) fn exhausted() -> bool {
    FUEL.get() == 0
}

/// Calls `found` with models of the formulas: all of them as far as `first` is concerned, one each
/// for the other constants. Stops when `found` says so.
pub(crate) fn models(
    pool: &mut TermPool,
    formulas: Vec<TermId>,
    first: &[TermId],
    found: &mut dyn FnMut(&TermPool, &Model) -> bool,
) -> bool {
    search(pool, formulas, first, &mut Model::new(), found).1
}

pub(crate) fn solve(pool: &mut TermPool, formulas: &[TermId]) -> Option<Model> {
    let mut result = None;
    models(pool, formulas.to_vec(), &[], &mut |_, m| {
        result = Some(m.clone());
        true
    });
    result
}

/// Returns whether there was a model, and whether to stop.
fn search(
    pool: &mut TermPool,
    formulas: Vec<TermId>,
    first: &[TermId],
    model: &mut Model,
    found: &mut dyn FnMut(&TermPool, &Model) -> bool,
) -> (bool, bool) {
    FUEL.set(FUEL.get().saturating_sub(1));
    let conjunction = pool.and(&formulas);
    if conjunction == TermId::FALSE || exhausted() {
        return (false, false);
    }
    let (constant, rest, is_first) = match first.split_first() {
        Some((&c, rest)) => (Some(c), rest, true),
        None => (smallest(pool, conjunction), first, false),
    };
    let Some(constant) = constant else {
        return (true, found(pool, model));
    };
    let sort = pool.sort(constant);
    let symbol = pool.as_symbol(constant).unwrap();
    let mut any = false;
    for value in all_values(pool, sort) {
        let term = pool.value_term(&value, sort).unwrap();
        let rest_formula = pool.substitute(conjunction, &[(constant, term)]);
        model.set(symbol, value);
        let (some, stop) = search(pool, vec![rest_formula], rest, model, found);
        any |= some;
        if stop || (some && !is_first) {
            return (any, stop);
        }
    }
    (any, false)
}

/// A constant of the smallest conjunct.
fn smallest(pool: &TermPool, conjunction: TermId) -> Option<TermId> {
    pool.conjuncts(conjunction).into_iter().map(|c| pool.free_constants(c)).min_by_key(|c| c.len())?.first().copied()
}

// ---- executions by enumeration ----

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct State {
    pub loc: LocId,
    pub globals: BTreeMap<VarId, Value>,
    /// Open activations: the site they were entered by, and their own and old variables.
    pub frames: Vec<(Option<ir::CallSiteId>, BTreeMap<VarId, Value>)>,
}

impl State {
    fn model(&self, icfg: &Icfg, pool: &TermPool) -> Model {
        let mut model = Model::new();
        for (v, value) in self.globals.iter().chain(&self.frames.last().unwrap().1) {
            model.set(pool.as_symbol(icfg.vars[*v].term).unwrap(), value.clone());
        }
        model
    }
    fn set(&mut self, icfg: &Icfg, v: VarId, value: Value) {
        if icfg.vars[v].kind == VarKind::Global {
            self.globals.insert(v, value);
        } else {
            self.frames.last_mut().unwrap().1.insert(v, value);
        }
    }
    /// Gives these variables all combinations of values.
    fn choose(self, icfg: &Icfg, pool: &TermPool, vars: &[VarId]) -> Vec<(State, BTreeMap<VarId, Value>)> {
        let mut states = vec![(self, BTreeMap::new())];
        for &v in vars {
            let mut next = Vec::new();
            for (state, chosen) in states {
                for value in all_values(pool, icfg.vars[v].sort) {
                    let (mut state, mut chosen) = (state.clone(), chosen.clone());
                    state.set(icfg, v, value.clone());
                    chosen.insert(v, value);
                    next.push((state, chosen));
                }
            }
            states = next;
        }
        states
    }
}

pub(crate) fn initial_states(icfg: &Icfg, pool: &TermPool) -> Vec<(State, BTreeMap<VarId, Value>)> {
    let root = icfg.root.unwrap();
    let state = State { loc: icfg.entry(), globals: BTreeMap::new(), frames: vec![(None, BTreeMap::new())] };
    let mut vars = icfg.globals.clone();
    // Locals of the root are set before they are read; old variables of the root are not read.
    vars.extend(icfg.procs[root].params.iter());
    let mut states = state.choose(icfg, pool, &vars);
    for (state, _) in &mut states {
        for (v, var) in icfg.vars.iter() {
            if matches!(var.kind, VarKind::Old(_)) || var.kind == VarKind::Local(root) {
                state.set(icfg, v, logic::default_value(pool, var.sort));
            }
        }
    }
    states
}

/// The states after an edge, with the values chosen.
pub(crate) fn step(
    icfg: &Icfg,
    pool: &mut TermPool,
    state: &State,
    edge: ir::EdgeId,
) -> Vec<(State, BTreeMap<VarId, Value>)> {
    let e = &icfg.edges[edge];
    assert_eq!(e.src, state.loc);
    let model = state.model(icfg, pool);
    let mut next = state.clone();
    next.loc = e.dst;
    match &e.label {
        Label::Stmt(Stmt::Assume(c)) => {
            if model.holds(pool, *c).unwrap() {
                vec![(next, BTreeMap::new())]
            } else {
                vec![]
            }
        }
        Label::Stmt(Stmt::Assign(pairs)) => {
            for (v, t) in pairs {
                next.set(icfg, *v, model.eval(pool, *t).unwrap());
            }
            vec![(next, BTreeMap::new())]
        }
        Label::Stmt(Stmt::Havoc(vars, _)) => next.choose(icfg, pool, vars),
        Label::Block(block) => {
            let mut pairs = Vec::new();
            for (symbol, value) in model.constants() {
                let (sort, term) = (pool.fun(symbol).result, symbol);
                pairs.push((term, value.clone(), sort));
            }
            let pairs: Vec<(TermId, TermId)> =
                pairs.into_iter().map(|(f, v, s)| (pool.symbol_term(f), pool.value_term(&v, s).unwrap())).collect();
            let mut results: Option<BTreeSet<_>> = None;
            let mut primes = Vec::new();
            for &v in &block.assigned {
                primes.push(primed(pool, icfg.vars[v].term));
            }
            for formula in [block.formula, block.plain] {
                let formula = pool.substitute(formula, &pairs);
                let mut here = BTreeSet::new();
                models(pool, vec![formula], &primes, &mut |pool, m| {
                    let mut after = next.clone();
                    let mut chosen = BTreeMap::new();
                    for (&v, &p) in block.assigned.iter().zip(&primes) {
                        let value = m.get(pool.as_symbol(p).unwrap()).unwrap().clone();
                        after.set(icfg, v, value.clone());
                        chosen.insert(v, value);
                    }
                    here.insert((after, chosen));
                    false
                });
                match &results {
                    None => results = Some(here),
                    Some(_) if exhausted() => {}
                    Some(first) => assert_eq!(first, &here, "the plain form of a block agrees with the other"),
                }
            }
            results.unwrap_or_default().into_iter().collect()
        }
        Label::Call(site) => {
            let call = &icfg.call_sites[*site];
            let callee = &icfg.procs[call.callee];
            let mut own = BTreeMap::new();
            for (&p, &a) in callee.params.iter().zip(&call.args) {
                own.insert(p, model.eval(pool, a).unwrap());
            }
            for (v, var) in icfg.vars.iter() {
                if let VarKind::Old(g) = var.kind {
                    own.insert(v, state.globals[&g].clone());
                }
            }
            next.frames.push((Some(*site), own));
            let arbitrary: Vec<VarId> = callee.results.iter().chain(&callee.locals).copied().collect();
            next.choose(icfg, pool, &arbitrary)
        }
        Label::Return(site) => {
            if next.frames.last().unwrap().0 != Some(*site) {
                return vec![];
            }
            let (_, own) = next.frames.pop().unwrap();
            let call = &icfg.call_sites[*site];
            for (&to, from) in call.results.iter().zip(&icfg.procs[call.callee].results) {
                next.set(icfg, to, own[from].clone());
            }
            vec![(next, BTreeMap::new())]
        }
        Label::AtomicBegin | Label::AtomicEnd => vec![(next, BTreeMap::new())],
        Label::Fork { .. } | Label::Join { .. } => vec![],
    }
}

/// What enumeration found.
pub(crate) struct Explored {
    /// The messages of the checks that can be violated, each with one execution.
    pub errors: BTreeMap<String, (BTreeMap<VarId, Value>, Vec<TraceStep>)>,
    /// Nothing was cut off.
    pub complete: bool,
}

pub(crate) fn explore(icfg: &Icfg, pool: &mut TermPool, max_states: usize, max_depth: usize) -> Explored {
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut nodes: Vec<(Option<usize>, Option<TraceStep>, State)> = Vec::new();
    let mut starts: Vec<BTreeMap<VarId, Value>> = Vec::new();
    let mut queue = VecDeque::new();
    for (state, chosen) in initial_states(icfg, pool) {
        if seen.insert(state.clone()) {
            queue.push_back(nodes.len());
            nodes.push((None, None, state));
            starts.push(chosen);
        }
    }
    let mut result = Explored { errors: BTreeMap::new(), complete: true };
    while let Some(i) = queue.pop_front() {
        let state = nodes[i].2.clone();
        if let Some(check) = &icfg.locs[state.loc].error {
            result.errors.entry(check.message.clone()).or_insert_with(|| {
                let (mut steps, mut at) = (Vec::new(), i);
                while let (Some(parent), Some(step), _) = &nodes[at] {
                    steps.push(step.clone());
                    at = *parent;
                }
                steps.reverse();
                (starts[at].clone(), steps)
            });
            continue;
        }
        if nodes.len() > max_states || state.frames.len() > max_depth || exhausted() {
            result.complete = false;
            continue;
        }
        for &e in icfg.out_edges(state.loc) {
            for (next, chosen) in step(icfg, pool, &state, e) {
                if seen.insert(next.clone()) {
                    queue.push_back(nodes.len());
                    nodes.push((Some(i), Some(TraceStep { edge: e, chosen }), next));
                }
            }
        }
    }
    result.complete &= !exhausted();
    result
}
