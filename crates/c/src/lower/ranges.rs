//! Intervals of variables, to drop corrections that can never apply.
//!
//! Every signed sum may wrap, so lowering writes `if s > MAX then s − 2³² else s` in many places. Most of these
//! cannot happen: in `for (i = 0; i < n; i++)` the guard keeps `i` below the greatest int. This pass runs
//! a plain interval analysis (Cousot and Cousot 1976; widening to the constants that the procedure
//! compares with, then two descending passes) over each procedure and removes conditional
//! corrections and remainders whose outcome the intervals decide.
//!
//! A variable that stands for a C integer lies in its type's range whenever the program reads it; this is what "no
//! information" means for it. The hidden assumptions that state such ranges to the solver are never touched: dropping
//! them would allow executions that C does not have.

use base::{Id, IdVec};
use ir::{Body, Instr, InstrKind, LabelId, ProcId, Program, Stmt, VarKind};
use logic::{FunId, Op, Rational, SortId, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Procedures with more instructions than this are left as they are.
const MAX_INSTRS: usize = 30_000;
/// A label is visited this often before its bounds are widened.
const PATIENCE: u32 = 3;
/// More visits than this to one label: give up on the procedure.
const MAX_VISITS: u32 = 60;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Interval {
    lo: Option<i128>,
    hi: Option<i128>,
}

impl Interval {
    const TOP: Interval = Interval { lo: None, hi: None };
    fn new(lo: i128, hi: i128) -> Interval {
        Interval { lo: Some(lo), hi: Some(hi) }
    }
    fn is_empty(self) -> bool {
        matches!((self.lo, self.hi), (Some(a), Some(b)) if a > b)
    }
    fn hull(self, other: Interval) -> Interval {
        let lo = match (self.lo, other.lo) {
            (Some(a), Some(b)) => Some(a.min(b)),
            _ => None,
        };
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(a.max(b)),
            _ => None,
        };
        Interval { lo, hi }
    }
    fn meet(self, other: Interval) -> Interval {
        let lo = match (self.lo, other.lo) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Interval { lo, hi }
    }
    fn add(self, other: Interval) -> Interval {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Interval { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi) }
    }
    fn scale(self, factor: i128) -> Interval {
        let times = |a: Option<i128>| a?.checked_mul(factor);
        if factor >= 0 {
            Interval { lo: times(self.lo), hi: times(self.hi) }
        } else {
            Interval { lo: times(self.hi), hi: times(self.lo) }
        }
    }
    fn within(self, lo: i128, hi: i128) -> bool {
        matches!((self.lo, self.hi), (Some(a), Some(b)) if a >= lo && b <= hi)
    }
}

type State = FxHashMap<ir::VarId, Interval>;

/// What is known of variables from their C types.
#[derive(Default)]
pub(super) struct TypeRanges {
    pub values: FxHashMap<ir::VarId, (i128, i128)>,
    pub elements: FxHashMap<ir::VarId, (i128, i128)>,
}

struct Analysis<'a> {
    pool: &'a mut TermPool,
    ranges: &'a TypeRanges,
    vars: &'a FxHashMap<FunId, ir::VarId>,
    sorts: &'a IdVec<ir::VarId, ir::Variable>,
    modifies: &'a [Vec<ir::VarId>],
    /// With threads a global may change at any time.
    has_threads: bool,
    memo: FxHashMap<TermId, Interval>,
}

/// Simplifies all procedures.
pub(super) fn simplify(program: &mut Program, pool: &mut TermPool, ranges: &TypeRanges) {
    let mut vars = FxHashMap::default();
    for (id, var) in program.vars.iter() {
        if let Some(symbol) = pool.as_symbol(var.term) {
            vars.insert(symbol, id);
        }
    }
    let modifies: Vec<Vec<ir::VarId>> = program.procs.values().map(|p| p.modifies.clone()).collect();
    let has_threads = program
        .procs
        .values()
        .filter_map(|p| p.body.as_ref())
        .any(|b| b.instrs.iter().any(|i| matches!(i.kind, InstrKind::Fork { .. })));
    let ids: Vec<ProcId> = program.procs.ids().collect();
    for id in ids {
        let Some(mut body) = program.procs[id].body.take() else { continue };
        if body.instrs.len() <= MAX_INSTRS {
            let mut analysis = Analysis {
                pool,
                ranges,
                vars: &vars,
                sorts: &program.vars,
                modifies: &modifies,
                has_threads,
                memo: FxHashMap::default(),
            };
            if let Some(states) = analysis.fixpoint(&body) {
                analysis.rewrite(&mut body, &states);
            }
        }
        program.procs[id].body = Some(body);
    }
}

impl Analysis<'_> {
    fn top_of(&self, var: ir::VarId) -> Interval {
        match self.ranges.values.get(&var) {
            Some(&(lo, hi)) => Interval::new(lo, hi),
            None => Interval::TOP,
        }
    }
    fn tracked(&self, var: ir::VarId) -> bool {
        let data = &self.sorts[var];
        data.sort == SortId::INT && !(self.has_threads && data.kind == VarKind::Global)
    }
    fn get(&self, state: &State, var: ir::VarId) -> Interval {
        state.get(&var).copied().unwrap_or_else(|| self.top_of(var))
    }
    fn set(&self, state: &mut State, var: ir::VarId, value: Interval) {
        let value = value.meet(self.top_of(var));
        if !self.tracked(var) || value == self.top_of(var) {
            state.remove(&var);
        } else {
            state.insert(var, value);
        }
    }

    // ----- evaluation -----

    fn eval(&mut self, state: &State, t: TermId) -> Interval {
        if let Some(&known) = self.memo.get(&t) {
            return known;
        }
        let result = self.eval_inner(state, t);
        self.memo.insert(t, result);
        result
    }

    fn number(&self, t: TermId) -> Option<i128> {
        to_i128(self.pool.number(t)?)
    }

    fn eval_inner(&mut self, state: &State, t: TermId) -> Interval {
        if let Some(n) = self.pool.number(t) {
            return match to_i128(n) {
                Some(n) => Interval::new(n, n),
                None => Interval::TOP,
            };
        }
        let args: Vec<TermId> = self.pool.args(t).to_vec();
        match self.pool.op(t) {
            Op::App(symbol) if args.is_empty() => match self.vars.get(&symbol) {
                Some(&var) => self.get(state, var),
                None => Interval::TOP,
            },
            Op::Add => {
                let mut sum = Interval::new(0, 0);
                for a in args {
                    let v = self.eval(state, a);
                    sum = sum.add(v);
                }
                sum
            }
            Op::Mul => {
                let mut product = Interval::new(1, 1);
                for a in args {
                    let v = self.eval(state, a);
                    product = multiply(product, v);
                }
                product
            }
            Op::Ite => match self.decide(state, args[0]) {
                Some(true) => self.eval(state, args[1]),
                Some(false) => self.eval(state, args[2]),
                None => {
                    let (a, b) = (self.eval(state, args[1]), self.eval(state, args[2]));
                    a.hull(b)
                }
            },
            Op::IntDiv => {
                let v = self.eval(state, args[0]);
                match self.number(args[1]) {
                    Some(d) if d > 0 => {
                        Interval { lo: v.lo.map(|x| x.div_euclid(d)), hi: v.hi.map(|x| x.div_euclid(d)) }
                    }
                    _ => Interval::TOP,
                }
            }
            Op::Mod => {
                let v = self.eval(state, args[0]);
                match self.number(args[1]) {
                    Some(d) if d > 0 && v.within(0, d - 1) => v,
                    Some(d) if d > 0 => Interval::new(0, d - 1),
                    _ => Interval::TOP,
                }
            }
            Op::Select => match self.pool.as_symbol(args[0]).and_then(|s| self.vars.get(&s)) {
                Some(array) => match self.ranges.elements.get(array) {
                    Some(&(lo, hi)) => Interval::new(lo, hi),
                    None => Interval::TOP,
                },
                None => Interval::TOP,
            },
            _ => Interval::TOP,
        }
    }

    /// The difference of two terms, with what they share cancelled.
    fn difference(&mut self, state: &State, a: TermId, b: TermId) -> Interval {
        let mut linear = self.pool.linear(a);
        let other = self.pool.linear(b);
        linear.add_scaled(&other, &Rational::from(-1i64));
        self.eval_linear(state, &linear)
    }

    fn eval_linear(&mut self, state: &State, linear: &logic::Linear) -> Interval {
        let Some(constant) = to_i128(&linear.constant) else { return Interval::TOP };
        let mut sum = Interval::new(constant, constant);
        for (t, factor) in linear.terms.clone() {
            let Some(factor) = to_i128(&factor) else { return Interval::TOP };
            let v = self.eval(state, t);
            sum = sum.add(v.scale(factor));
        }
        sum
    }

    fn decide(&mut self, state: &State, c: TermId) -> Option<bool> {
        match self.pool.op(c) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Not => {
                let inner = self.pool.arg(c, 0);
                self.decide(state, inner).map(|b| !b)
            }
            Op::And | Op::Or => {
                let is_and = self.pool.op(c) == Op::And;
                let mut all_known = true;
                for a in self.pool.args(c).to_vec() {
                    match self.decide(state, a) {
                        Some(b) if b != is_and => return Some(!is_and),
                        Some(_) => {}
                        None => all_known = false,
                    }
                }
                all_known.then_some(is_and)
            }
            op @ (Op::Le | Op::Lt) => {
                let (a, b) = (self.pool.arg(c, 0), self.pool.arg(c, 1));
                if self.pool.sort(a) != SortId::INT {
                    return None;
                }
                let d = self.difference(state, a, b);
                let limit = if op == Op::Le { 0 } else { -1 };
                if d.hi.is_some_and(|h| h <= limit) {
                    Some(true)
                } else if d.lo.is_some_and(|l| l > limit) {
                    Some(false)
                } else {
                    None
                }
            }
            Op::Eq => {
                let (a, b) = (self.pool.arg(c, 0), self.pool.arg(c, 1));
                if self.pool.sort(a) != SortId::INT {
                    return None;
                }
                let d = self.difference(state, a, b);
                if d.lo.is_some_and(|l| l > 0) || d.hi.is_some_and(|h| h < 0) {
                    Some(false)
                } else if d == Interval::new(0, 0) {
                    Some(true)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    // ----- refinement by assumptions -----

    /// The states that satisfy a condition; `None` if there are none.
    fn refine(&mut self, mut state: State, c: TermId, truth: bool) -> Option<State> {
        match self.pool.op(c) {
            Op::True => truth.then_some(state),
            Op::False => (!truth).then_some(state),
            Op::Not => {
                let inner = self.pool.arg(c, 0);
                self.refine(state, inner, !truth)
            }
            op @ (Op::And | Op::Or) => {
                let args = self.pool.args(c).to_vec();
                if (op == Op::And) == truth {
                    for a in args {
                        state = self.refine(state, a, truth)?;
                    }
                    return Some(state);
                }
                let mut joined: Option<State> = None;
                for a in args {
                    if let Some(one) = self.refine(state.clone(), a, truth) {
                        joined = Some(match joined {
                            None => one,
                            Some(old) => self.join(&old, &one),
                        });
                    }
                }
                joined
            }
            op @ (Op::Le | Op::Lt) => {
                let (a, b) = (self.pool.arg(c, 0), self.pool.arg(c, 1));
                if self.pool.sort(a) != SortId::INT {
                    return Some(state);
                }
                // a ≤ b as a − b ≤ 0; a < b as a − b + 1 ≤ 0; negations turn round.
                let mut linear = self.pool.linear(a);
                let other = self.pool.linear(b);
                linear.add_scaled(&other, &Rational::from(-1i64));
                let strict = op == Op::Lt;
                if !truth {
                    linear.scale(&Rational::from(-1i64));
                }
                if strict == truth {
                    linear.constant = &linear.constant + &Rational::from(1i64);
                }
                self.refine_le(state, &linear)
            }
            Op::Eq => {
                let (a, b) = (self.pool.arg(c, 0), self.pool.arg(c, 1));
                if self.pool.sort(a) != SortId::INT {
                    return Some(state);
                }
                let mut linear = self.pool.linear(a);
                let other = self.pool.linear(b);
                linear.add_scaled(&other, &Rational::from(-1i64));
                if truth {
                    let state = self.refine_le(state, &linear)?;
                    linear.scale(&Rational::from(-1i64));
                    return self.refine_le(state, &linear);
                }
                // x ≠ c moves a bound that equals c.
                if let [(t, factor)] = &linear.terms[..]
                    && let Some(var) = self.var_of(*t)
                    && let (Some(k), Some(f)) = (to_i128(&linear.constant), to_i128(factor))
                    && f != 0
                    && k % f == 0
                {
                    let c = -(k / f);
                    let mut v = self.get(&state, var);
                    if v.lo == Some(c) {
                        v.lo = Some(c + 1);
                    }
                    if v.hi == Some(c) {
                        v.hi = Some(c - 1);
                    }
                    if v.is_empty() {
                        return None;
                    }
                    self.set(&mut state, var, v);
                }
                Some(state)
            }
            _ => Some(state),
        }
    }

    fn var_of(&self, t: TermId) -> Option<ir::VarId> {
        let symbol = self.pool.as_symbol(t)?;
        self.vars.get(&symbol).copied()
    }

    fn refine_le(&mut self, mut state: State, linear: &logic::Linear) -> Option<State> {
        self.memo.clear();
        let total = self.eval_linear(&state, linear);
        if total.lo.is_some_and(|l| l > 0) {
            return None;
        }
        for (t, factor) in linear.terms.clone() {
            let Some(var) = self.var_of(t) else { continue };
            let Some(f) = to_i128(&factor) else { continue };
            if f == 0 || !self.tracked(var) {
                continue;
            }
            let mut rest = linear.clone();
            rest.terms.retain(|(other, _)| *other != t);
            self.memo.clear();
            let rest = self.eval_linear(&state, &rest);
            // f·x ≤ −rest
            let Some(bound) = rest.lo.and_then(|l| l.checked_neg()) else { continue };
            let limit = if f > 0 {
                Interval { lo: None, hi: Some(bound.div_euclid(f)) }
            } else {
                // x ≥ bound / f, rounded up
                let negated = -f;
                Interval {
                    lo: Some((-bound).div_euclid(negated) + ((-bound).rem_euclid(negated) != 0) as i128),
                    hi: None,
                }
            };
            let value = self.get(&state, var).meet(limit);
            if value.is_empty() {
                return None;
            }
            self.set(&mut state, var, value);
        }
        self.memo.clear();
        Some(state)
    }

    fn join(&self, a: &State, b: &State) -> State {
        let mut out = State::default();
        for (&var, &x) in a {
            if let Some(&y) = b.get(&var) {
                let hull = x.hull(y).meet(self.top_of(var));
                if hull != self.top_of(var) {
                    out.insert(var, hull);
                }
            }
        }
        out
    }

    /// Bounds that moved go to the next constant of the procedure, or as far as the type allows.
    fn widen(&self, old: &State, new: &State, thresholds: &[i128]) -> State {
        let mut out = State::default();
        for (&var, &x) in old {
            let Some(&y) = new.get(&var) else { continue };
            let mut w = x.hull(y);
            if w.lo != x.lo {
                w.lo = w.lo.and_then(|l| thresholds.iter().rev().copied().find(|&t| t <= l));
            }
            if w.hi != x.hi {
                w.hi = w.hi.and_then(|h| thresholds.iter().copied().find(|&t| t >= h));
            }
            let w = w.meet(self.top_of(var));
            if w != self.top_of(var) {
                out.insert(var, w);
            }
        }
        out
    }

    // ----- the fixpoint -----

    fn step(&mut self, mut state: State, instr: &Instr) -> Option<State> {
        self.memo.clear();
        match &instr.kind {
            // The number that an address has here is nothing to conclude from.
            InstrKind::Stmt(Stmt::Assign(list)) if instr.note == ir::Note::Layout => {
                for (v, _) in list {
                    state.remove(v);
                }
            }
            InstrKind::Stmt(Stmt::Assign(list)) => {
                let values: Vec<(ir::VarId, Interval)> = list.iter().map(|&(v, t)| (v, self.eval(&state, t))).collect();
                for (var, value) in values {
                    self.set(&mut state, var, value);
                }
            }
            InstrKind::Stmt(Stmt::Assume(c)) => return self.refine(state, *c, true),
            InstrKind::Assert(c, _) => return self.refine(state, *c, true),
            InstrKind::Stmt(Stmt::Havoc(list, _)) => {
                for v in list {
                    state.remove(v);
                }
            }
            InstrKind::Call { callee, results, .. } => {
                for v in &self.modifies[callee.index()] {
                    state.remove(v);
                }
                for v in results {
                    state.remove(v);
                }
            }
            InstrKind::Join { results, .. } => {
                for v in results {
                    state.remove(v);
                }
            }
            InstrKind::Fork { .. } | InstrKind::AtomicBegin | InstrKind::AtomicEnd | InstrKind::Label(_) => {}
            InstrKind::Goto(_) | InstrKind::Return => {}
        }
        Some(state)
    }

    /// The state at each label that can be reached; `None` if it takes too long.
    fn fixpoint(&mut self, body: &Body) -> Option<FxHashMap<LabelId, State>> {
        let mut at: FxHashMap<LabelId, usize> = FxHashMap::default();
        for (i, instr) in body.instrs.iter().enumerate() {
            if let InstrKind::Label(l) = instr.kind {
                at.insert(l, i);
            }
        }
        let thresholds = self.thresholds(body);
        let mut states: FxHashMap<LabelId, State> = FxHashMap::default();
        let mut visits: FxHashMap<LabelId, u32> = FxHashMap::default();
        let mut work: std::collections::BTreeSet<usize> = Default::default();
        let mut start: Option<State> = Some(State::default());
        loop {
            let (mut i, mut state) = match start.take() {
                Some(state) => (0, state),
                None => {
                    let Some(i) = work.pop_first() else { break };
                    let InstrKind::Label(l) = body.instrs[i].kind else { continue };
                    let Some(state) = states.get(&l).cloned() else { continue };
                    (i + 1, state)
                }
            };
            let mut alive = true;
            while alive && i < body.instrs.len() {
                let instr = &body.instrs[i];
                let targets: Vec<LabelId> = match &instr.kind {
                    InstrKind::Goto(targets) => {
                        alive = false;
                        targets.clone()
                    }
                    InstrKind::Label(l) => {
                        alive = false;
                        vec![*l]
                    }
                    InstrKind::Return => {
                        alive = false;
                        Vec::new()
                    }
                    _ => {
                        match self.step(std::mem::take(&mut state), instr) {
                            Some(next) => state = next,
                            None => alive = false,
                        }
                        Vec::new()
                    }
                };
                for l in targets {
                    let n = visits.entry(l).or_insert(0);
                    let changed = match states.get(&l) {
                        None => Some(state.clone()),
                        Some(old) => {
                            let joined = self.join(old, &state);
                            if joined == *old {
                                None
                            } else {
                                *n += 1;
                                Some(if *n > PATIENCE { self.widen(old, &joined, &thresholds) } else { joined })
                            }
                        }
                    };
                    if *n > MAX_VISITS {
                        return None;
                    }
                    if let Some(new) = changed {
                        states.insert(l, new);
                        if let Some(&position) = at.get(&l) {
                            work.insert(position);
                        }
                    }
                }
                i += 1;
            }
        }
        for _ in 0..2 {
            states = self.descend(body, &states);
        }
        Some(states)
    }

    /// One pass that recomputes every label's state from its predecessors, which only tightens.
    fn descend(&mut self, body: &Body, states: &FxHashMap<LabelId, State>) -> FxHashMap<LabelId, State> {
        let mut next: FxHashMap<LabelId, State> = FxHashMap::default();
        let mut state: Option<State> = Some(State::default());
        for instr in &body.instrs {
            match &instr.kind {
                InstrKind::Goto(targets) => {
                    if let Some(s) = state.take() {
                        for l in targets {
                            self.merge_into(&mut next, *l, &s);
                        }
                    }
                }
                InstrKind::Label(l) => {
                    if let Some(s) = state.take() {
                        self.merge_into(&mut next, *l, &s);
                    }
                    state = states.get(l).cloned();
                }
                InstrKind::Return => state = None,
                _ => {
                    if let Some(s) = state.take() {
                        state = self.step(s, instr);
                    }
                }
            }
        }
        next
    }

    fn merge_into(&self, map: &mut FxHashMap<LabelId, State>, label: LabelId, state: &State) {
        let merged = match map.get(&label) {
            Some(old) => self.join(old, state),
            None => state.clone(),
        };
        map.insert(label, merged);
    }

    /// The numbers that the procedure compares with, and their neighbours.
    fn thresholds(&mut self, body: &Body) -> Vec<i128> {
        let mut terms = Vec::new();
        for instr in &body.instrs {
            match &instr.kind {
                InstrKind::Stmt(Stmt::Assume(c)) if !instr.note.is_hidden() => terms.push(*c),
                InstrKind::Stmt(Stmt::Assign(list)) => terms.extend(list.iter().map(|&(_, t)| t)),
                _ => {}
            }
        }
        let mut out = vec![-1, 0, 1];
        let pool = &*self.pool;
        pool.visit_postorder(&terms, |t| {
            if out.len() < 600
                && let Some(n) = pool.number(t).and_then(to_i128)
            {
                out.extend([n.saturating_sub(1), n, n.saturating_add(1), n.saturating_neg()]);
            }
        });
        out.sort_unstable();
        out.dedup();
        out
    }

    // ----- rewriting -----

    fn rewrite(&mut self, body: &mut Body, states: &FxHashMap<LabelId, State>) {
        self.rewrite_terms(body, states);
        body.instrs.retain(|i| !matches!(i.kind, InstrKind::Assert(TermId::TRUE, _)));
    }

    fn rewrite_terms(&mut self, body: &mut Body, states: &FxHashMap<LabelId, State>) {
        let mut state: Option<State> = Some(State::default());
        for instr in &mut body.instrs {
            if let InstrKind::Label(l) = instr.kind {
                state = states.get(&l).cloned();
                continue;
            }
            let Some(current) = state.take() else { continue };
            self.memo.clear();
            let mut done = FxHashMap::default();
            match &mut instr.kind {
                InstrKind::Stmt(Stmt::Assign(list)) => {
                    for (_, t) in list.iter_mut() {
                        *t = self.simplify(&current, *t, &mut done);
                    }
                }
                InstrKind::Stmt(Stmt::Assume(c)) if !instr.note.is_hidden() => {
                    *c = self.simplify(&current, *c, &mut done);
                }
                InstrKind::Assert(c, _) => *c = self.simplify(&current, *c, &mut done),
                InstrKind::Call { args, .. } | InstrKind::Fork { args, .. } => {
                    for t in args.iter_mut() {
                        *t = self.simplify(&current, *t, &mut done);
                    }
                }
                _ => {}
            }
            state = match instr.kind {
                InstrKind::Goto(_) | InstrKind::Return => None,
                _ => self.step(current, instr),
            };
        }
    }

    /// The term with decided conditions and idle remainders removed.
    fn simplify(&mut self, state: &State, t: TermId, done: &mut FxHashMap<TermId, TermId>) -> TermId {
        if let Some(&known) = done.get(&t) {
            return known;
        }
        let args: Vec<TermId> = self.pool.args(t).to_vec();
        let result = match self.pool.op(t) {
            _ if args.is_empty() => t,
            Op::Ite if self.pool.sort(t) != SortId::BOOL => match self.decide(state, args[0]) {
                Some(true) => self.simplify(state, args[1], done),
                Some(false) => self.simplify(state, args[2], done),
                None => self.rebuild(state, t, &args, done),
            },
            Op::Mod => match self.number(args[1]) {
                Some(d) if d > 0 && self.eval(state, args[0]).within(0, d - 1) => self.simplify(state, args[0], done),
                _ => self.rebuild(state, t, &args, done),
            },
            Op::Le | Op::Lt | Op::Eq => match self.decide(state, t) {
                Some(true) => TermId::TRUE,
                Some(false) => TermId::FALSE,
                None => self.rebuild(state, t, &args, done),
            },
            Op::Forall(_) | Op::Exists(_) => t,
            _ => self.rebuild(state, t, &args, done),
        };
        done.insert(t, result);
        result
    }

    fn rebuild(&mut self, state: &State, t: TermId, args: &[TermId], done: &mut FxHashMap<TermId, TermId>) -> TermId {
        let new: Vec<TermId> = args.iter().map(|&a| self.simplify(state, a, done)).collect();
        if new == args { t } else { self.pool.rebuild(t, &new) }
    }
}

fn to_i128(n: &Rational) -> Option<i128> {
    if !n.is_integer() {
        return None;
    }
    if let Some(small) = n.to_i64() {
        return Some(small as i128);
    }
    i128::try_from(n.to_bigint()?).ok()
}

fn multiply(a: Interval, b: Interval) -> Interval {
    let (Some(al), Some(ah), Some(bl), Some(bh)) = (a.lo, a.hi, b.lo, b.hi) else {
        // One factor constant: the other may be half open.
        return match (a, b) {
            (Interval { lo: Some(x), hi: Some(y) }, other) | (other, Interval { lo: Some(x), hi: Some(y) })
                if x == y =>
            {
                other.scale(x)
            }
            _ => Interval::TOP,
        };
    };
    let corners = [al.checked_mul(bl), al.checked_mul(bh), ah.checked_mul(bl), ah.checked_mul(bh)];
    let mut lo = i128::MAX;
    let mut hi = i128::MIN;
    for c in corners {
        let Some(c) = c else { return Interval::TOP };
        lo = lo.min(c);
        hi = hi.max(c);
    }
    Interval::new(lo, hi)
}
