//! The verifier of programs and graphs. Tests run it after every pass.
//!
//! Programs:
//! 1. A variable's constant is a free 0-ary symbol of its sort that no other variable has.
//! 2. `globals`, and the lists of a procedure, name exactly the variables of their kind; an `Old`
//!    variable belongs to a global and a global has at most one.
//! 3. Every label of a body is defined once.
//! 4. Terms speak only about variables in scope (globals, old variables, the procedure's own), never about
//!    primed or otherwise indexed copies. Conditions are Boolean.
//! 5. What is assigned is in scope, has the sort of its value, is neither a parameter nor an old variable, and occurs
//!    once on the left.
//! 6. A call has an argument for each parameter and a variable for each result, of the same sorts.
//! 7. `requires` speak about globals and parameters; `ensures` also about old variables and
//!    results; axioms about no variable; `initially` about globals.
//!
//! Graphs: 1, 2, 4, 5 and 6, and
//! 8. Every edge but calls and returns joins two locations of one procedure.
//! 9. A call site has one call edge, from a location of the caller to the callee's entry, and one return edge,
//!    from the callee's exit to a location of the caller.
//! 10. Error locations have no outgoing edges; entries have no incoming edges but calls, exits no
//!     outgoing edges but returns. The root is not called.
//! 11. Every cycle within a procedure passes through a loop head.
//! 12. A block's lists are sorted; its formulas speak about variables in scope, primed constants of
//!     the assigned ones, and its own `aux`.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Body, InstrKind, ProcId, Procedure, Program, Stmt, VarId, VarKind, VarRole, Variable};
use base::{Id, IdVec};
use logic::{FastMap, FastSet, SortId, TermId, TermPool};

/// All violations, each as a sentence with its place. Empty: the program is well formed.
pub fn verify_program(program: &Program, pool: &TermPool) -> Vec<String> {
    let mut checker = Checker::new(pool, &program.vars);
    checker.variables(&program.globals);
    checker.axioms(&program.axioms);
    for &t in &program.initially {
        checker.term(t, "an initial condition", &|k| k == VarKind::Global);
        checker.boolean(t, "an initial condition");
    }
    for (id, procedure) in program.procs.iter() {
        checker.owned(id, &procedure.params, &procedure.results, &procedure.locals, &procedure.name);
        checker.contract(id, procedure);
        if let Some(body) = &procedure.body {
            checker.body(program, id, &procedure.name, body);
        }
    }
    for &entry in &program.entries {
        if program.procs.get(entry).is_none() {
            checker.complain(format!("the entry {entry} is not a procedure"));
        }
    }
    checker.violations
}

/// All violations, each as a sentence with its place. Empty: the graph is well formed.
pub fn verify_icfg(icfg: &Icfg, pool: &TermPool) -> Vec<String> {
    let mut checker = Checker::new(pool, &icfg.vars);
    checker.variables(&icfg.globals);
    checker.axioms(&icfg.axioms);
    for (id, p) in icfg.procs.iter() {
        checker.owned(id, &p.params, &p.results, &p.locals, &p.name);
        for loc in [p.entry, p.exit] {
            if icfg.locs.get(loc).is_none_or(|l| l.proc != id) {
                checker.complain(format!("{loc} is not a location of {}", p.name));
                return checker.violations;
            }
        }
    }
    match icfg.root {
        Some(root) if icfg.procs.get(root).is_some() => {}
        _ => checker.complain("there is no root procedure".to_string()),
    }
    for id in icfg.edges.ids() {
        checker.edge(icfg, id);
    }
    checker.call_sites(icfg);
    checker.locations(icfg);
    if checker.violations.is_empty() {
        // Follows calls, so it needs a graph that is sound so far.
        checker.loop_heads(icfg);
    }
    checker.violations
}

struct Checker<'a> {
    pool: &'a TermPool,
    vars: &'a IdVec<VarId, Variable>,
    index: FastMap<TermId, VarId>,
    violations: Vec<String>,
}

impl<'a> Checker<'a> {
    fn new(pool: &'a TermPool, vars: &'a IdVec<VarId, Variable>) -> Checker<'a> {
        let index = vars.iter().map(|(id, v)| (v.term, id)).collect();
        Checker { pool, vars, index, violations: Vec::new() }
    }
    fn complain(&mut self, what: String) {
        self.violations.push(what);
    }

    fn variables(&mut self, globals: &[VarId]) {
        let mut has_old: FastSet<VarId> = FastSet::default();
        let listed: FastSet<VarId> = globals.iter().copied().collect();
        for (id, v) in self.vars.iter() {
            let name = &v.name;
            match self.pool.as_symbol(v.term) {
                Some(f) if self.pool.fun(f).bound => self.complain(format!("{name} is a bound variable")),
                Some(f) if self.pool.fun(f).instance_of.is_some() => {
                    self.complain(format!("{name} is an indexed copy of a constant"));
                }
                Some(_) if self.pool.sort(v.term) != v.sort => self.complain(format!("{name} has another sort")),
                Some(_) if self.index[&v.term] != id => self.complain(format!("{name} shares its constant")),
                Some(_) => {}
                None => self.complain(format!("{name} is not a constant")),
            }
            if let VarRole::BaseOf(of) = v.role {
                let owner = |kind: VarKind| match kind {
                    VarKind::Global | VarKind::Old(_) => None,
                    VarKind::Param(p) | VarKind::Result(p) | VarKind::Local(p) => Some(p),
                };
                if of.index() >= self.vars.len() || owner(self.vars[of].kind) != owner(v.kind) {
                    self.complain(format!("{name} is the base of a variable of another scope"));
                }
            }
            match v.kind {
                VarKind::Old(g) => {
                    if self.vars.get(g).is_none_or(|g| g.kind != VarKind::Global) {
                        self.complain(format!("{name} is the old value of no global"));
                    }
                    if !has_old.insert(g) {
                        self.complain(format!("a second old variable: {name}"));
                    }
                }
                VarKind::Global if !listed.contains(&id) => self.complain(format!("{name} is not listed as global")),
                VarKind::Global | VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => {}
            }
        }
        self.list(globals, "the program", VarKind::Global);
    }

    fn list(&mut self, list: &[VarId], owner: &str, kind: VarKind) {
        let mut seen: FastSet<VarId> = FastSet::default();
        for &v in list {
            if self.vars.get(v).is_none_or(|v| v.kind != kind) || !seen.insert(v) {
                self.complain(format!("{v} is wrongly listed in {owner}"));
            }
        }
    }

    fn owned(&mut self, id: ProcId, params: &[VarId], results: &[VarId], locals: &[VarId], name: &str) {
        self.list(params, name, VarKind::Param(id));
        self.list(results, name, VarKind::Result(id));
        self.list(locals, name, VarKind::Local(id));
    }

    fn axioms(&mut self, axioms: &[TermId]) {
        for &t in axioms {
            self.boolean(t, "an axiom");
            self.term(t, "an axiom", &|_| false);
        }
    }

    /// Checks the variables in a term against a scope.
    fn term(&mut self, t: TermId, place: &str, in_scope: &dyn Fn(VarKind) -> bool) {
        for c in self.pool.free_constants(t) {
            match self.index.get(&c) {
                Some(&v) if !in_scope(self.vars[v].kind) => {
                    self.complain(format!("{} is not in scope in {place}", self.vars[v].name));
                }
                Some(_) => {}
                None => {
                    let is_copy = |f| self.pool.fun(f).instance_of.is_some();
                    if self.pool.as_symbol(c).is_some_and(is_copy) {
                        self.complain(format!("an indexed constant in {place}"));
                    }
                }
            }
        }
    }
    fn boolean(&mut self, t: TermId, place: &str) {
        if !self.pool.is_bool(t) {
            self.complain(format!("{place} is not Boolean"));
        }
    }

    fn contract(&mut self, id: ProcId, procedure: &Procedure) {
        for spec in &procedure.requires {
            let place = format!("a precondition of {}", procedure.name);
            self.boolean(spec.formula, &place);
            self.term(spec.formula, &place, &|k| k == VarKind::Global || k == VarKind::Param(id));
        }
        for spec in &procedure.ensures {
            let place = format!("a postcondition of {}", procedure.name);
            self.boolean(spec.formula, &place);
            self.term(spec.formula, &place, &|k| own_scope(k, id) && k != VarKind::Local(id));
        }
        for &v in &procedure.modifies {
            if self.vars.get(v).is_none_or(|v| v.kind != VarKind::Global) {
                self.complain(format!("{} modifies {v}, which is not a global", procedure.name));
            }
        }
    }

    /// What may be written: variables in scope, distinct, no parameters, no old variables.
    fn written(&mut self, list: &[VarId], id: ProcId, place: &str) {
        let mut seen: FastSet<VarId> = FastSet::default();
        for &v in list {
            match self.vars.get(v).map(|v| v.kind) {
                Some(VarKind::Global) => {}
                Some(VarKind::Local(p) | VarKind::Result(p)) if p == id => {}
                Some(_) => self.complain(format!("{} is assigned in {place}", self.vars[v].name)),
                None => self.complain(format!("{v} is not a variable, in {place}")),
            }
            if !seen.insert(v) {
                self.complain(format!("{v} is assigned twice in {place}"));
            }
        }
    }

    fn read(&mut self, t: TermId, id: ProcId, place: &str) {
        self.term(t, place, &|k| own_scope(k, id));
    }

    fn stmt(&mut self, stmt: &Stmt, id: ProcId, place: &str) {
        match stmt {
            Stmt::Assume(c) => {
                self.boolean(*c, place);
                self.read(*c, id, place);
            }
            Stmt::Assign(pairs) => {
                let left: Vec<VarId> = pairs.iter().map(|p| p.0).collect();
                self.written(&left, id, place);
                for &(v, e) in pairs {
                    self.read(e, id, place);
                    self.same_sort(v, self.pool.sort(e), place);
                }
            }
            Stmt::Havoc(vars, _) => self.written(vars, id, place),
        }
    }

    fn same_sort(&mut self, v: VarId, sort: SortId, place: &str) {
        if self.vars.get(v).is_some_and(|v| v.sort != sort) {
            self.complain(format!("{v} and its value have different sorts in {place}"));
        }
    }

    fn args(&mut self, args: &[TermId], params: &[VarId], id: ProcId, place: &str) {
        if args.len() != params.len() {
            self.complain(format!("{place} has {} arguments for {} parameters", args.len(), params.len()));
        }
        for (&a, &p) in args.iter().zip(params) {
            self.read(a, id, place);
            self.same_sort(p, self.pool.sort(a), place);
        }
    }

    fn results(&mut self, targets: &[VarId], results: &[VarId], id: ProcId, place: &str) {
        if targets.len() != results.len() {
            self.complain(format!("{place} has {} variables for {} results", targets.len(), results.len()));
        }
        self.written(targets, id, place);
        for (&to, &from) in targets.iter().zip(results) {
            if let Some(from) = self.vars.get(from) {
                self.same_sort(to, from.sort, place);
            }
        }
    }

    fn body(&mut self, program: &Program, id: ProcId, name: &str, body: &Body) {
        let mut n_definitions = vec![0usize; body.n_labels as usize];
        for instr in &body.instrs {
            if let InstrKind::Label(l) = instr.kind {
                match n_definitions.get_mut(l.index()) {
                    Some(n) => *n += 1,
                    None => self.complain(format!("{l} of {name} is out of range")),
                }
            }
        }
        for (l, n) in n_definitions.iter().enumerate() {
            if *n > 1 {
                self.complain(format!("L{l} of {name} is defined {n} times"));
            }
        }
        for (i, instr) in body.instrs.iter().enumerate() {
            let place = format!("instruction {i} of {name}");
            match &instr.kind {
                InstrKind::Label(_) | InstrKind::Return | InstrKind::AtomicBegin | InstrKind::AtomicEnd => {}
                InstrKind::Goto(labels) => {
                    for l in labels {
                        if n_definitions.get(l.index()).is_none_or(|&n| n == 0) {
                            self.complain(format!("{l} is not defined, {place}"));
                        }
                    }
                }
                InstrKind::Stmt(stmt) => self.stmt(stmt, id, &place),
                InstrKind::Assert(c, _) => {
                    self.boolean(*c, &place);
                    self.read(*c, id, &place);
                }
                InstrKind::Call { callee, args, results } => match program.procs.get(*callee) {
                    Some(callee) => {
                        self.args(args, &callee.params, id, &place);
                        self.results(results, &callee.results, id, &place);
                    }
                    None => self.complain(format!("{callee} is not a procedure, {place}")),
                },
                InstrKind::Fork { id: thread, callee, args } => match program.procs.get(*callee) {
                    Some(callee) => {
                        self.args(args, &callee.params, id, &place);
                        for &t in thread {
                            self.read(t, id, &place);
                        }
                    }
                    None => self.complain(format!("{callee} is not a procedure, {place}")),
                },
                InstrKind::Join { id: thread, results } => {
                    self.written(results, id, &place);
                    for &t in thread {
                        self.read(t, id, &place);
                    }
                }
            }
        }
    }

    fn edge(&mut self, icfg: &Icfg, id: EdgeId) {
        let edge = &icfg.edges[id];
        if icfg.locs.get(edge.src).is_none() || icfg.locs.get(edge.dst).is_none() {
            self.complain(format!("{id} has an end that is not a location"));
            return;
        }
        let (from, to) = (icfg.locs[edge.src].proc, icfg.locs[edge.dst].proc);
        let place = format!("{id} of {}", icfg.procs[from].name);
        let is_interprocedural = matches!(edge.label, Label::Call(_) | Label::Return(_));
        if !is_interprocedural && from != to {
            self.complain(format!("{place} leaves its procedure"));
        }
        match &edge.label {
            Label::Stmt(stmt) => self.stmt(stmt, from, &place),
            Label::Block(block) => {
                let sorted = |list: &[u32]| list.windows(2).all(|w| w[0] < w[1]);
                let assigned: Vec<u32> = block.assigned.iter().map(|v| v.0).collect();
                let aux: Vec<u32> = block.aux.iter().map(|t| t.0).collect();
                if !sorted(&assigned) || !sorted(&aux) {
                    self.complain(format!("the lists of {place} are not sorted"));
                }
                self.written(&block.assigned, from, &place);
                for formula in [block.formula, block.plain] {
                    self.boolean(formula, &place);
                    self.block_formula(formula, from, &block.assigned, &block.aux, &place);
                }
            }
            Label::Call(site) | Label::Return(site) => {
                if icfg.call_sites.get(*site).is_none() {
                    self.complain(format!("{place} belongs to no call site"));
                }
            }
            Label::Fork { id: thread, callee, args } => match icfg.procs.get(*callee) {
                Some(callee) => {
                    self.args(args, &callee.params, from, &place);
                    for &t in thread {
                        self.read(t, from, &place);
                    }
                }
                None => self.complain(format!("{callee} is not a procedure, {place}")),
            },
            Label::Join { id: thread, results } => {
                self.written(results, from, &place);
                for &t in thread {
                    self.read(t, from, &place);
                }
            }
            Label::AtomicBegin | Label::AtomicEnd => {}
        }
    }

    fn block_formula(&mut self, formula: TermId, id: ProcId, assigned: &[VarId], aux: &[TermId], place: &str) {
        for c in self.pool.free_constants(formula) {
            if aux.binary_search(&c).is_ok() {
                if self.index.contains_key(&c) {
                    self.complain(format!("a variable is auxiliary in {place}"));
                }
                continue;
            }
            if let Some(&v) = self.index.get(&c) {
                if !own_scope(self.vars[v].kind, id) {
                    self.complain(format!("{} is not in scope in {place}", self.vars[v].name));
                }
                continue;
            }
            let Some(f) = self.pool.as_symbol(c) else { continue };
            if let Some((base, _)) = self.pool.fun(f).instance_of {
                let is_assigned = |v: &&VarId| self.pool.as_symbol(self.vars[**v].term) == Some(base);
                if !assigned.iter().any(|v| is_assigned(&v)) {
                    self.complain(format!("a constant of no assigned variable in {place}"));
                }
            }
        }
    }

    fn call_sites(&mut self, icfg: &Icfg) {
        for (id, site) in icfg.call_sites.iter() {
            let (Some(caller), Some(callee)) = (icfg.procs.get(site.caller), icfg.procs.get(site.callee)) else {
                self.complain(format!("{id} names a procedure that does not exist"));
                continue;
            };
            let place = format!("call {id} in {}", caller.name);
            self.args(&site.args, &callee.params, site.caller, &place);
            self.results(&site.results, &callee.results, site.caller, &place);
            let (Some(call), Some(back)) = (icfg.edges.get(site.call_edge), icfg.edges.get(site.return_edge)) else {
                self.complain(format!("{place} lacks an edge"));
                continue;
            };
            let in_caller = |l: LocId| icfg.locs[l].proc == site.caller;
            if call.label != Label::Call(id) || !in_caller(call.src) || call.dst != callee.entry {
                self.complain(format!("{place} has a wrong call edge"));
            }
            if back.label != Label::Return(id) || !in_caller(back.dst) || back.src != callee.exit {
                self.complain(format!("{place} has a wrong return edge"));
            }
            if Some(site.callee) == icfg.root {
                self.complain(format!("{place} calls the root"));
            }
        }
        let n_edges = icfg.edges.values().filter(|e| matches!(e.label, Label::Call(_) | Label::Return(_))).count();
        if n_edges != 2 * icfg.call_sites.len() {
            self.complain(format!("{n_edges} call and return edges for {} call sites", icfg.call_sites.len()));
        }
    }

    fn locations(&mut self, icfg: &Icfg) {
        for (id, loc) in icfg.locs.iter() {
            if loc.error.is_some() && !icfg.out_edges(id).is_empty() {
                self.complain(format!("the error location {id} has outgoing edges"));
            }
        }
        for p in icfg.procs.values() {
            if icfg.in_edges(p.entry).iter().any(|&e| !matches!(icfg.edges[e].label, Label::Call(_))) {
                self.complain(format!("an edge leads to the entry of {}", p.name));
            }
            if icfg.out_edges(p.exit).iter().any(|&e| !matches!(icfg.edges[e].label, Label::Return(_))) {
                self.complain(format!("an edge leaves the exit of {}", p.name));
            }
        }
    }

    /// Without loop heads there is no cycle: peel off locations without predecessors.
    fn loop_heads(&mut self, icfg: &Icfg) {
        let is_plain = |l: LocId| !icfg.locs[l].is_loop_head;
        let mut n_before: IdVec<LocId, usize> = IdVec::from_elem(0, icfg.locs.len());
        for l in icfg.locs.ids().filter(|&l| is_plain(l)) {
            for (_, to) in icfg.local_successors(l) {
                n_before[to] += 1;
            }
        }
        let mut ready: Vec<LocId> = icfg.locs.ids().filter(|&l| is_plain(l) && n_before[l] == 0).collect();
        let mut n_left = icfg.locs.ids().filter(|&l| is_plain(l)).count();
        while let Some(l) = ready.pop() {
            n_left -= 1;
            for (_, to) in icfg.local_successors(l) {
                n_before[to] -= 1;
                if n_before[to] == 0 && is_plain(to) {
                    ready.push(to);
                }
            }
        }
        if n_left > 0 {
            self.complain(format!("{n_left} locations are on or behind a cycle without a loop head"));
        }
    }
}

fn own_scope(kind: VarKind, id: ProcId) -> bool {
    match kind {
        VarKind::Global | VarKind::Old(_) => true,
        VarKind::Param(p) | VarKind::Result(p) | VarKind::Local(p) => p == id,
    }
}
