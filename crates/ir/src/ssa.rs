//! Static single assignment of a trace, with call scopes (nested words).
//!
//! Every assignment gives a variable a new constant (`x@1`, `x@2`, …), so a trace becomes a list of formulas,
//! one group a step, whose conjunction is satisfiable iff the trace can be executed. The formula at a
//! position between two steps is over the constants that the variables in scope have there.
//!
//! For a call with a matching return the equations that tie the callee to its caller (parameters are the
//! arguments, `old(g)` is `g` before) belong to the **return** step; the call step only says that the callee
//! starts with `g = old(g)`. Then the steps of the callee share with the rest of the trace nothing but
//! parameters, `old` variables, globals and results, and an interpolant of them is a fact about the callee
//! alone. For a pending call (the trace ends inside the callee) the equations belong to the call step. See
//! [`Ssa::tree_parents`] for the tree of partitions that goes with this.
//!
//! Globals that a callee may change need an `old` variable for it ([`Icfg::ensure_old_vars`]).

use crate::icfg::{EdgeId, Icfg, Label};
use crate::program::{Stmt, VarId, VarKind};
use crate::transition::primed;
use base::IdVec;
use logic::{FastMap, FunId, Model, Substitution, TermId, TermPool, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The index of the symbol of an `old` variable made by [`Icfg::ensure_old_vars`].
const OLD_VALUE: u32 = u32::MAX - 3;

/// The constant of every variable at a position.
pub type Versions = Rc<IdVec<VarId, TermId>>;

#[derive(Clone, Debug, Default)]
pub struct SsaStep {
    /// The formulas of the step: of an assume or block one per conjunct, in the order of
    /// [`TermPool::conjuncts`]; of an assignment one per variable.
    pub formulas: Vec<TermId>,
    /// The constants of values that the step chooses freely.
    pub chosen: Vec<(VarId, TermId)>,
}

#[derive(Clone, Debug)]
pub struct Ssa {
    pub steps: Vec<SsaStep>,
    /// The constants in scope before each step, and after the last.
    pub versions: Vec<Versions>,
    /// For each return step the index of its call step.
    pub call_of: Vec<Option<usize>>,
    /// For each matched call step the index of its return step.
    pub return_of: Vec<Option<usize>>,
    names: Rc<Names>,
}

/// Finds variables.
#[derive(Clone, Debug)]
struct Names {
    /// By the symbol of their constant.
    var_of: FastMap<FunId, VarId>,
    /// The old variable of a global.
    old_of: FastMap<VarId, VarId>,
}

impl Names {
    fn new(pool: &TermPool, icfg: &Icfg) -> Names {
        let var_of = icfg.vars.iter().filter_map(|(v, var)| Some((pool.as_symbol(var.term)?, v))).collect();
        let old_of = icfg
            .vars
            .iter()
            .filter_map(|(v, var)| match var.kind {
                VarKind::Old(global) => Some((global, v)),
                VarKind::Global | VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => None,
            })
            .collect();
        Names { var_of, old_of }
    }
}

/// The trace is not a path of the graph with properly nested returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotATrace;

impl Ssa {
    pub fn of_trace(pool: &mut TermPool, icfg: &Icfg, trace: &[EdgeId]) -> Result<Ssa, NotATrace> {
        let (call_of, return_of) = match_calls(icfg, trace)?;
        let names = Rc::new(Names::new(pool, icfg));
        let mut builder = Builder {
            names: names.clone(),
            pool,
            icfg,
            next: IdVec::from_elem(1, icfg.vars.len()),
            aux_copies: FastMap::default(),
        };
        let mut now: Versions = Rc::new(builder.initial());
        let mut frames: Vec<Versions> = Vec::new();
        let mut steps = Vec::with_capacity(trace.len());
        let mut versions = vec![now.clone()];
        for (i, &edge) in trace.iter().enumerate() {
            let step;
            (step, now) = match &icfg.edges[edge].label {
                Label::Call(_) => {
                    frames.push(now.clone());
                    builder.call(&now, edge, return_of[i].is_some())
                }
                Label::Return(_) => {
                    let before = frames.pop().ok_or(NotATrace)?;
                    builder.ret(&now, &before, edge)
                }
                _ => builder.internal(&now, edge).ok_or(NotATrace)?,
            };
            steps.push(step);
            versions.push(now.clone());
        }
        Ok(Ssa { steps, versions, call_of, return_of, names })
    }

    /// The tree of partitions for nested interpolants: node *k* is step *k* (so the numbering is a
    /// postorder), its formula afterwards is the predicate at position *k+1*. A return has two
    /// children: the step before its call, and the last step of the callee.
    pub fn tree_parents(&self) -> Vec<Option<usize>> {
        let n = self.steps.len();
        (0..n).map(|k| if k + 1 == n { None } else { Some(self.return_of[k + 1].unwrap_or(k + 1)) }).collect()
    }

    /// A formula over program variables as it reads at a position.
    pub fn at_position(&self, pool: &mut TermPool, icfg: &Icfg, position: usize, formula: TermId) -> TermId {
        let versions = &self.versions[position];
        let mut renaming = Substitution::new();
        for constant in pool.free_constants(formula) {
            if let Some(&v) = pool.as_symbol(constant).and_then(|f| self.names.var_of.get(&f)) {
                debug_assert_eq!(icfg.vars[v].term, constant);
                renaming.insert(constant, versions[v]);
            }
        }
        renaming.apply(pool, formula)
    }

    /// Carries a formula over the constants of a position back to program variables. `None` if it
    /// speaks about a constant that no variable in scope has there.
    pub fn to_program(&self, pool: &mut TermPool, icfg: &Icfg, position: usize, formula: TermId) -> Option<TermId> {
        let versions = &self.versions[position];
        let mut back = Substitution::new();
        for constant in pool.free_constants(formula) {
            let symbol = pool.as_symbol(constant)?;
            let Some((base, _)) = pool.fun(symbol).instance_of else { continue };
            // A constant of a global may be the value of the global or, where the callee does not
            // change it, of its old variable too; then the formula is about the global.
            let v = *self.names.var_of.get(&base)?;
            let candidates = [Some(v), self.names.old_of.get(&v).copied()];
            let holder = candidates.into_iter().flatten().find(|&v| versions[v] == constant)?;
            back.insert(constant, icfg.vars[holder].term);
        }
        Some(back.apply(pool, formula))
    }

    /// The values of all variables before the first step.
    pub fn initial_values(&self, pool: &TermPool, model: &Model) -> BTreeMap<VarId, Value> {
        let mut values = BTreeMap::new();
        for (v, &constant) in self.versions[0].iter() {
            if let Ok(value) = model.eval(pool, constant) {
                values.insert(v, value);
            }
        }
        values
    }
}

/// For each step its partner, if it has one.
type Partners = Vec<Option<usize>>;

/// Matches returns with calls; a return must answer the innermost open call, from the same site.
fn match_calls(icfg: &Icfg, trace: &[EdgeId]) -> Result<(Partners, Partners), NotATrace> {
    let mut call_of = vec![None; trace.len()];
    let mut return_of = vec![None; trace.len()];
    let mut open = Vec::new();
    for (i, &edge) in trace.iter().enumerate() {
        match icfg.edges[edge].label {
            Label::Call(site) => open.push((i, site)),
            Label::Return(site) => match open.pop() {
                Some((call, called)) if called == site => {
                    call_of[i] = Some(call);
                    return_of[call] = Some(i);
                }
                _ => return Err(NotATrace),
            },
            _ => {}
        }
    }
    Ok((call_of, return_of))
}

struct Builder<'a> {
    pool: &'a mut TermPool,
    icfg: &'a Icfg,
    names: Rc<Names>,
    /// The index of the next constant of each variable.
    next: IdVec<VarId, u32>,
    /// How often an auxiliary constant was copied.
    aux_copies: FastMap<TermId, u32>,
}

impl Builder<'_> {
    fn initial(&mut self) -> IdVec<VarId, TermId> {
        let (pool, icfg) = (&mut *self.pool, self.icfg);
        icfg.vars.values().map(|v| pool.indexed(v.term, 0)).collect()
    }

    fn fresh(&mut self, v: VarId) -> TermId {
        let index = self.next[v];
        self.next[v] += 1;
        self.pool.indexed(self.icfg.vars[v].term, index)
    }

    fn internal(&mut self, now: &Versions, edge: EdgeId) -> Option<(SsaStep, Versions)> {
        let mut step = SsaStep::default();
        let mut after = (**now).clone();
        let icfg = self.icfg;
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(c)) => {
                for conjunct in self.pool.conjuncts(*c) {
                    step.formulas.push(self.bind(now, conjunct));
                }
                return Some((step, now.clone()));
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                for &(v, e) in pairs {
                    let value = self.bind(now, e);
                    let constant = self.fresh(v);
                    after[v] = constant;
                    step.formulas.push(self.pool.eq(constant, value));
                }
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                for &v in vars {
                    after[v] = self.fresh(v);
                    step.chosen.push((v, after[v]));
                }
            }
            Label::Block(block) => {
                let mut substitution = self.renaming(now, block.formula);
                for &v in &block.assigned {
                    after[v] = self.fresh(v);
                    step.chosen.push((v, after[v]));
                    let prime = primed(self.pool, icfg.vars[v].term);
                    substitution.insert(prime, after[v]);
                }
                for &aux in &block.aux {
                    let n = self.aux_copies.entry(aux).or_insert(0);
                    *n += 1;
                    let copy = self.pool.indexed(aux, *n);
                    substitution.insert(aux, copy);
                }
                for conjunct in self.pool.conjuncts(block.formula) {
                    step.formulas.push(substitution.apply(self.pool, conjunct));
                }
            }
            Label::AtomicBegin | Label::AtomicEnd => return Some((step, now.clone())),
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => return None,
        }
        Some((step, Rc::new(after)))
    }

    /// From the variables in a term to their constants. (Few variables occur in a statement, so they
    /// are looked up; a map of all would make long traces of large programs quadratic.)
    fn renaming(&self, now: &Versions, t: TermId) -> Substitution {
        let mut substitution = Substitution::new();
        for constant in self.pool.free_constants(t) {
            if let Some(&v) = self.pool.as_symbol(constant).and_then(|f| self.names.var_of.get(&f)) {
                substitution.insert(constant, now[v]);
            }
        }
        substitution
    }

    fn bind(&mut self, now: &Versions, t: TermId) -> TermId {
        self.renaming(now, t).apply(self.pool, t)
    }

    fn call(&mut self, now: &Versions, edge: EdgeId, matched: bool) -> (SsaStep, Versions) {
        let Label::Call(site) = self.icfg.edges[edge].label else { unreachable!("a call edge") };
        let site = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[site.callee];
        let mut step = SsaStep::default();
        let mut inside = (**now).clone();
        for &v in callee.params.iter().chain(&callee.locals).chain(&callee.results) {
            inside[v] = self.fresh(v);
        }
        for &v in callee.locals.iter().chain(&callee.results) {
            step.chosen.push((v, inside[v]));
        }
        for (v, var) in self.icfg.vars.iter() {
            if let VarKind::Old(global) = var.kind {
                if callee.modifies.contains(&global) {
                    inside[v] = self.fresh(v);
                    inside[global] = self.fresh(global);
                    step.formulas.push(self.pool.eq(inside[global], inside[v]));
                } else {
                    inside[v] = now[global];
                }
            }
        }
        let inside = Rc::new(inside);
        if !matched {
            let binding = self.binding(now, &inside, edge);
            step.formulas.extend(binding);
        }
        (step, inside)
    }

    /// Parameters are the arguments, `old(g)` is `g` before the call.
    fn binding(&mut self, before: &Versions, inside: &Versions, edge: EdgeId) -> Vec<TermId> {
        let site = self.icfg.call_site(edge).map(|s| &self.icfg.call_sites[s]);
        let Some(site) = site else { unreachable!("a call or return edge") };
        let callee = &self.icfg.procs[site.callee];
        let mut formulas = Vec::new();
        for (&param, &arg) in callee.params.iter().zip(&site.args) {
            let value = self.bind(before, arg);
            formulas.push(self.pool.eq(inside[param], value));
        }
        for (v, var) in self.icfg.vars.iter() {
            if let VarKind::Old(global) = var.kind
                && callee.modifies.contains(&global)
            {
                formulas.push(self.pool.eq(inside[v], before[global]));
            }
        }
        formulas
    }

    fn ret(&mut self, exit: &Versions, before: &Versions, edge: EdgeId) -> (SsaStep, Versions) {
        let Label::Return(site) = self.icfg.edges[edge].label else { unreachable!("a return edge") };
        let site = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[site.callee];
        // Parameters are never assigned, so their constants at the exit are those at the entry.
        let mut step = SsaStep { formulas: self.binding(before, exit, edge), ..SsaStep::default() };
        let mut after = (**before).clone();
        for &global in &self.icfg.globals {
            after[global] = exit[global];
        }
        for (&result, &target) in callee.results.iter().zip(&site.results) {
            let constant = self.fresh(target);
            after[target] = constant;
            step.formulas.push(self.pool.eq(constant, exit[result]));
        }
        (step, Rc::new(after))
    }
}

impl Icfg {
    /// Makes an `old` variable for every global that some procedure may change, so that contracts
    /// can speak about its value at the entry.
    pub fn ensure_old_vars(&mut self, pool: &mut TermPool) {
        let mut modified: Vec<VarId> = self.procs.values().flat_map(|p| p.modifies.iter().copied()).collect();
        modified.sort_unstable();
        modified.dedup();
        let have: std::collections::BTreeSet<VarId> = self
            .vars
            .values()
            .filter_map(|v| match v.kind {
                VarKind::Old(global) => Some(global),
                _ => None,
            })
            .collect();
        for global in modified.into_iter().filter(|g| !have.contains(g)) {
            let (name, sort) = (format!("old({})", self.vars[global].name), self.vars[global].sort);
            // Always the same symbol for a global: the checker may have to make the graph again.
            let term = pool.indexed(self.vars[global].term, OLD_VALUE);
            let kind = VarKind::Old(global);
            self.vars.push(crate::Variable {
                name,
                sort,
                term,
                kind,
                role: crate::VarRole::Plain,
                span: base::Span::NONE,
            });
        }
    }
}
