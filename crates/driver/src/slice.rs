//! Graphs without what the checks do not depend on (Weiser: Program Slicing, 1981), for proofs.
//!
//! Some variables are chosen. Assignments to the others are dropped, conditions about the others may hold or not, and calls without an effect on
//! the chosen ones are passed over. What flows into chosen variables is chosen, or else they may have any value there; so every execution of the program is one of the smaller
//! graph, as far as locations and chosen variables go: what is proved there holds. What is violated there need not be violated. The
//! dropping is trusted like inlining.
//!
//! Chosen are the variables of the checks and all that flows into them. Departure from the paper: conditions that merely decide whether
//! a step is made do not count, but for those that speak about a chosen number anyway, and ([`Depth::Guards`]) the last ones that lead to the checks and
//! those that end the loops in which chosen variables change. With all of them hardly anything could be dropped.

use base::IdVec;
use ir::{Edge, EdgeId, Icfg, Label, LocId, Nondet, Note, ProcId, Stmt, VarId, VarKind};
use logic::{FastMap, FastSet, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// How much is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// What flows into the conditions of the checks; memory only if a check reads it.
    Data,
    /// Also what decides whether a check is made, and how often loops go round.
    Guards,
}

/// So many conditions that lead to a check are looked at.
const N_GUARDS: usize = 4;
/// A slice is worth looking at if it has at most this part of the steps.
const MAX_PART: f64 = 0.7;

/// The graph without what the checks do not depend on; `None` if that is hardly anything.
pub(crate) fn slice(pool: &mut TermPool, icfg: &Icfg, depth: Depth) -> Option<Icfg> {
    if icfg.edges.values().any(|e| matches!(e.label, Label::Block(_))) {
        return None;
    }
    let chosen = Choice::new(pool, icfg, depth).chosen;
    let sliced = Smaller::new(pool, icfg, &chosen).graph();
    let n_steps = |graph: &Icfg| graph.edges.values().filter(|e| !is_skip(e)).count() as f64;
    (n_steps(&sliced) <= MAX_PART * n_steps(icfg)).then_some(sliced)
}

fn is_skip(edge: &Edge) -> bool {
    matches!(edge.label, Label::Stmt(Stmt::Assume(TermId::TRUE)))
}

/// Which variables are chosen.
struct Choice<'a> {
    pool: &'a TermPool,
    icfg: &'a Icfg,
    variables: FastMap<TermId, VarId>,
    reads: FastMap<TermId, Vec<VarId>>,
    chosen: IdVec<VarId, bool>,
    /// Never chosen: what is assigned from them is any value.
    barred: IdVec<VarId, bool>,
    has_changed: bool,
}

impl<'a> Choice<'a> {
    fn new(pool: &'a TermPool, icfg: &'a Icfg, depth: Depth) -> Choice<'a> {
        let variables = icfg.vars.iter().map(|(id, v)| (v.term, id)).collect();
        let chosen = IdVec::from_elem(false, icfg.vars.len());
        let (barred, reads) = (chosen.clone(), FastMap::default());
        let mut choice = Choice { pool, icfg, variables, reads, chosen, barred, has_changed: true };
        if depth == Depth::Data && !icfg.has_threads() {
            choice.bar_maps();
        }
        choice.checks(if depth == Depth::Guards { N_GUARDS } else { 1 });
        let loops: Vec<BTreeSet<LocId>> = match depth {
            Depth::Data => Vec::new(),
            Depth::Guards => {
                icfg.procs.values().flat_map(|p| icfg.loop_bodies(p.entry)).map(|(_, body)| body).collect()
            }
        };
        while choice.has_changed {
            choice.has_changed = false;
            choice.flow();
            choice.shared_conditions();
            if !loops.is_empty() {
                choice.ends_of_loops(&loops);
            }
        }
        choice
    }

    fn choose(&mut self, v: VarId) {
        if !self.barred[v] {
            self.has_changed |= !self.chosen[v];
            self.chosen[v] = true;
        }
    }

    fn is_scalar(&self, v: VarId) -> bool {
        self.pool.array_parts(self.pool.sort(self.icfg.vars[v].term)).is_none()
    }

    /// Where no check reads memory, memory is not followed, nor parameters that are given what stands there.
    fn bar_maps(&mut self) {
        let icfg = self.icfg;
        for loc in icfg.error_locs() {
            for e in icfg.in_edges(loc) {
                if let Label::Stmt(Stmt::Assume(condition)) = icfg.edges[*e].label
                    && self.read(condition).iter().any(|v| !self.is_scalar(*v))
                {
                    return;
                }
            }
        }
        for (v, variable) in icfg.vars.iter() {
            self.barred[v] = !self.is_scalar(v);
            if let VarKind::Old(global) = variable.kind {
                self.barred[v] |= !self.is_scalar(global);
            }
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for site in icfg.call_sites.values() {
                for (&param, &arg) in icfg.procs[site.callee].params.iter().zip(&site.args) {
                    if !self.barred[param] && self.read(arg).iter().any(|v| self.barred[*v]) {
                        self.barred[param] = true;
                        has_changed = true;
                    }
                }
            }
        }
    }

    /// The variables of a term.
    fn read(&mut self, term: TermId) -> Vec<VarId> {
        if let Some(known) = self.reads.get(&term) {
            return known.clone();
        }
        let constants = self.pool.free_constants(term);
        let read: Vec<VarId> = constants.iter().filter_map(|c| self.variables.get(c)).copied().collect();
        self.reads.insert(term, read.clone());
        read
    }

    fn choose_all_of(&mut self, term: TermId) {
        for v in self.read(term) {
            self.choose(v);
        }
    }

    /// The last conditions that every way to an error passes, so many, also those in callers.
    fn checks(&mut self, n_conditions: usize) {
        let icfg = self.icfg;
        let mut dominators: BTreeMap<ProcId, Dominators> = BTreeMap::new();
        let mut left: BTreeMap<LocId, usize> = BTreeMap::new();
        let mut work: Vec<(LocId, usize)> = icfg.error_locs().map(|loc| (loc, n_conditions)).collect();
        while let Some((loc, n)) = work.pop() {
            if n == 0 || left.get(&loc).is_some_and(|known| *known >= n) {
                continue;
            }
            left.insert(loc, n);
            let proc = icfg.locs[loc].proc;
            let own = dominators.entry(proc).or_insert_with(|| Dominators::new(icfg, icfg.procs[proc].entry));
            let before = own.before.get(&loc).map_or(&[][..], Vec::as_slice);
            if before.len() == 1 || icfg.locs[loc].error.is_some() {
                for &(src, e) in before {
                    let mut rest = n;
                    let edge = &icfg.edges[e];
                    if let (Label::Stmt(Stmt::Assume(condition)), true) = (&edge.label, edge.note != Note::Fact) {
                        let read = self.read(*condition);
                        rest -= usize::from(!read.is_empty());
                        read.into_iter().for_each(|v| self.choose(v));
                    }
                    work.push((src, rest));
                }
            } else if let Some(&dominator) = own.nearest.get(&loc) {
                work.push((dominator, n));
            }
            if loc == icfg.procs[proc].entry {
                let callers = icfg.call_sites.values().filter(|site| site.callee == proc);
                work.extend(callers.map(|site| (icfg.edges[site.call_edge].src, n)));
            }
        }
        for edge in icfg.edges.values() {
            // Which threads are meant always matters.
            if let Label::Fork { id, .. } | Label::Join { id, .. } = &edge.label {
                id.iter().for_each(|t| self.choose_all_of(*t));
            }
        }
    }

    /// What flows into chosen variables is chosen.
    fn flow(&mut self) {
        let icfg = self.icfg;
        let mut forked: BTreeSet<ProcId> = BTreeSet::new();
        for edge in icfg.edges.values() {
            match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => {
                    for &(v, term) in pairs {
                        if self.chosen[v] {
                            self.choose_all_of(term);
                        }
                    }
                }
                Label::Fork { callee, args, .. } => {
                    forked.insert(*callee);
                    self.arguments(*callee, args);
                }
                _ => {}
            }
        }
        for site in icfg.call_sites.values() {
            self.arguments(site.callee, &site.args);
            for (target, result) in site.results.iter().zip(&icfg.procs[site.callee].results) {
                if self.chosen[*target] {
                    self.choose(*result);
                }
            }
        }
        for edge in icfg.edges.values() {
            let Label::Join { results, .. } = &edge.label else { continue };
            for (i, &target) in results.iter().enumerate() {
                let passed = forked.iter().filter_map(|proc| icfg.procs[*proc].results.get(i));
                if self.chosen[target] {
                    passed.for_each(|result| self.choose(*result));
                }
            }
        }
        for (v, variable) in icfg.vars.iter() {
            if let (VarKind::Old(global), true) = (variable.kind, self.chosen[v]) {
                self.choose(global);
            }
        }
    }

    fn arguments(&mut self, callee: ProcId, args: &[TermId]) {
        let icfg = self.icfg;
        for (param, arg) in icfg.procs[callee].params.iter().zip(args) {
            if self.chosen[*param] {
                self.choose_all_of(*arg);
            }
        }
    }

    /// Conditions that compare a chosen number with other numbers.
    fn shared_conditions(&mut self) {
        let (pool, icfg) = (self.pool, self.icfg);
        for edge in icfg.edges.values() {
            let Label::Stmt(Stmt::Assume(condition)) = edge.label else { continue };
            if edge.note == Note::Fact {
                continue;
            }
            for part in pool.conjuncts(condition) {
                let read = self.read(part);
                let (own, others): (Vec<VarId>, Vec<VarId>) = read.into_iter().partition(|v| self.chosen[*v]);
                if own.iter().any(|v| self.is_scalar(*v)) && others.iter().all(|v| self.is_scalar(*v)) {
                    others.into_iter().for_each(|v| self.choose(v));
                }
            }
        }
    }

    /// The conditions that end loops in which chosen variables change.
    fn ends_of_loops(&mut self, loops: &[BTreeSet<LocId>]) {
        let icfg = self.icfg;
        let relevant = relevant_procedures(icfg, &self.chosen);
        for body in loops {
            let edges = || body.iter().flat_map(|loc| icfg.out_edges(*loc)).map(|e| &icfg.edges[*e]);
            let matters = |edge: &Edge| match &edge.label {
                Label::Call(site) => relevant.contains(&icfg.call_sites[*site].callee),
                _ => is_effect(icfg, edge, &self.chosen) || icfg.locs[edge.dst].error.is_some(),
            };
            if !edges().any(matters) {
                continue;
            }
            for edge in edges().filter(|e| !body.contains(&e.dst)) {
                if let Label::Stmt(Stmt::Assume(condition)) = edge.label {
                    self.choose_all_of(condition);
                }
            }
        }
    }
}

/// What every way to a location in a procedure passes (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, 2001).
struct Dominators {
    /// The last such location before it.
    nearest: FastMap<LocId, LocId>,
    /// The edges that lead to a location, and where they come from; calls are passed over.
    before: FastMap<LocId, Vec<(LocId, EdgeId)>>,
}

impl Dominators {
    fn new(icfg: &Icfg, entry: LocId) -> Dominators {
        let rank = icfg.local_order(entry).rank;
        let mut order: Vec<LocId> = icfg.locs.ids().filter(|l| rank[*l] != u32::MAX).collect();
        order.sort_unstable_by_key(|l| rank[*l]);
        let mut before: FastMap<LocId, Vec<(LocId, EdgeId)>> = FastMap::default();
        for &loc in &order {
            for (edge, next) in icfg.local_successors(loc) {
                before.entry(next).or_default().push((loc, edge));
            }
        }
        let mut nearest: FastMap<LocId, LocId> = FastMap::from_iter([(entry, entry)]);
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &loc in order.iter().filter(|l| **l != entry) {
                let ways = before.get(&loc).into_iter().flatten().map(|(src, _)| *src);
                let meet = |a: LocId, b: LocId| {
                    let (mut a, mut b) = (a, b);
                    while a != b {
                        if rank[a] > rank[b] {
                            a = nearest[&a];
                        } else {
                            b = nearest[&b];
                        }
                    }
                    a
                };
                let found = ways.filter(|src| nearest.contains_key(src)).reduce(meet);
                if let Some(found) = found
                    && nearest.get(&loc) != Some(&found)
                {
                    nearest.insert(loc, found);
                    has_changed = true;
                }
            }
        }
        nearest.remove(&entry);
        Dominators { nearest, before }
    }
}

/// Does an edge change a chosen variable, or what threads do?
fn is_effect(icfg: &Icfg, edge: &Edge, chosen: &IdVec<VarId, bool>) -> bool {
    match &edge.label {
        Label::Stmt(Stmt::Assume(_)) => false,
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().any(|(v, _)| chosen[*v]),
        Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().any(|v| chosen[*v]),
        Label::Return(site) => icfg.call_sites[*site].results.iter().any(|v| chosen[*v]),
        Label::Call(_) => false,
        Label::Block(_) | Label::Fork { .. } | Label::Join { .. } | Label::AtomicBegin | Label::AtomicEnd => true,
    }
}

/// The procedures that change a chosen variable or make a check, callees included.
fn relevant_procedures(icfg: &Icfg, chosen: &IdVec<VarId, bool>) -> FastSet<ProcId> {
    let mut relevant: FastSet<ProcId> = FastSet::default();
    for loc in icfg.error_locs() {
        relevant.insert(icfg.locs[loc].proc);
    }
    for edge in icfg.edges.values() {
        if let Label::Return(site) = edge.label {
            let site = &icfg.call_sites[site];
            if site.results.iter().any(|v| chosen[*v]) {
                relevant.extend([site.callee, site.caller]);
            }
        } else if is_effect(icfg, edge, chosen) {
            relevant.insert(icfg.locs[edge.src].proc);
        }
    }
    loop {
        let n = relevant.len();
        for site in icfg.call_sites.values() {
            if relevant.contains(&site.callee) {
                relevant.insert(site.caller);
            }
        }
        if relevant.len() == n {
            return relevant;
        }
    }
}

/// A graph with only the chosen variables, while it is made.
struct Smaller<'a> {
    icfg: &'a Icfg,
    chosen: &'a IdVec<VarId, bool>,
    /// The edges that stay, by their old numbers.
    edges: BTreeMap<EdgeId, Edge>,
}

impl<'a> Smaller<'a> {
    fn new(pool: &mut TermPool, icfg: &'a Icfg, chosen: &'a IdVec<VarId, bool>) -> Smaller<'a> {
        let by_term: FastMap<TermId, VarId> = icfg.vars.iter().map(|(id, v)| (v.term, id)).collect();
        let relevant = relevant_procedures(icfg, chosen);
        let skip = || Label::Stmt(Stmt::Assume(TermId::TRUE));
        let is_about_chosen = |pool: &TermPool, t: TermId| {
            pool.free_constants(t).iter().all(|c| by_term.get(c).is_none_or(|v| chosen[*v]))
        };
        let mut edges = BTreeMap::new();
        for (id, edge) in icfg.edges.iter() {
            let mut edge = edge.clone();
            edge.label = match edge.label {
                Label::Stmt(Stmt::Assume(condition)) => {
                    let mut parts = pool.conjuncts(condition);
                    parts.retain(|p| is_about_chosen(pool, *p));
                    Label::Stmt(Stmt::Assume(pool.and(&parts)))
                }
                Label::Stmt(Stmt::Assign(mut pairs)) => {
                    pairs.retain(|(v, _)| chosen[*v]);
                    if pairs.is_empty() {
                        skip()
                    } else if pairs.iter().all(|(_, t)| is_about_chosen(pool, *t)) {
                        Label::Stmt(Stmt::Assign(pairs))
                    } else {
                        let vars = pairs.iter().map(|(v, _)| *v).collect();
                        Label::Stmt(Stmt::Havoc(vars, Nondet::Choice))
                    }
                }
                Label::Stmt(Stmt::Havoc(mut vars, why)) => {
                    vars.retain(|v| chosen[*v]);
                    if vars.is_empty() { skip() } else { Label::Stmt(Stmt::Havoc(vars, why)) }
                }
                // Past calls without effect.
                Label::Call(site) if !relevant.contains(&icfg.call_sites[site].callee) => {
                    edge.dst = icfg.edges[icfg.call_sites[site].return_edge].dst;
                    skip()
                }
                Label::Return(site) if !relevant.contains(&icfg.call_sites[site].callee) => continue,
                other => other,
            };
            edges.insert(id, edge);
        }
        Smaller { icfg, chosen, edges }
    }

    fn graph(mut self) -> Icfg {
        self.keep_reachable();
        // Branches that come together again become one edge, and that may make others meet.
        for _ in 0..MAX_ROUNDS {
            if !self.pass_over() {
                break;
            }
            self.keep_reachable();
        }
        self.build()
    }

    /// Drops the edges of places where no execution comes, as far as the shape of the graph says.
    fn keep_reachable(&mut self) {
        let mut next: FastMap<LocId, Vec<LocId>> = FastMap::default();
        for edge in self.edges.values() {
            let targets = next.entry(edge.src).or_default();
            targets.push(edge.dst);
            if let Label::Fork { callee, .. } = &edge.label {
                targets.push(self.icfg.procs[*callee].entry);
            }
        }
        let mut reached: FastSet<LocId> = FastSet::default();
        let mut work = vec![self.icfg.entry()];
        while let Some(loc) = work.pop() {
            if reached.insert(loc) {
                work.extend(next.get(&loc).into_iter().flatten());
            }
        }
        // A call and its return stay together.
        let sites = &self.icfg.call_sites;
        let is_left = |edge: &Edge| match edge.label {
            Label::Return(site) => reached.contains(&self.icfg.edges[sites[site].call_edge].src),
            _ => reached.contains(&edge.src),
        };
        self.edges.retain(|_, edge| is_left(edge));
    }

    /// Leaves out locations where nothing happens and drops edges that are there twice. Did that change anything?
    fn pass_over(&mut self) -> bool {
        let n_before = self.edges.len();
        let mut out: FastMap<LocId, Vec<EdgeId>> = FastMap::default();
        for (id, edge) in &self.edges {
            out.entry(edge.src).or_default().push(*id);
        }
        let fixed: FastSet<LocId> = self.icfg.procs.values().flat_map(|p| [p.entry, p.exit]).collect();
        // Where an execution is at once after it came to a location.
        let mut passed: FastMap<LocId, LocId> = FastMap::default();
        for (loc, edges) in &out {
            if let [edge] = edges[..]
                && is_skip(&self.edges[&edge])
                && !fixed.contains(loc)
                && self.edges[&edge].dst != *loc
            {
                passed.insert(*loc, self.edges[&edge].dst);
            }
        }
        let end = |start: LocId| {
            let mut loc = start;
            let mut seen: FastSet<LocId> = FastSet::default();
            while let Some(&next) = passed.get(&loc) {
                if !seen.insert(loc) {
                    break;
                }
                loc = next;
            }
            loc
        };
        let mut has_changed = false;
        for edge in self.edges.values_mut() {
            // Calls lead to entries, which stay.
            let dst = end(edge.dst);
            has_changed |= dst != edge.dst;
            edge.dst = dst;
        }
        let mut seen: FastSet<(LocId, LocId)> = FastSet::default();
        self.edges.retain(|_, edge| !is_skip(edge) || edge.src != edge.dst && seen.insert((edge.src, edge.dst)));
        has_changed || self.edges.len() != n_before
    }

    fn build(self) -> Icfg {
        let icfg = self.icfg;
        let mut graph = Icfg::new();
        graph.vars = icfg.vars.clone();
        graph.globals.clone_from(&icfg.globals);
        graph.procs = icfg.procs.clone();
        for (_, proc) in graph.procs.iter_mut() {
            proc.modifies.retain(|v| self.chosen[*v]);
        }
        graph.root = icfg.root;
        graph.axioms.clone_from(&icfg.axioms);
        for data in icfg.locs.values() {
            let loc = graph.add_loc(data.proc, data.span);
            graph.locs[loc] = data.clone();
        }
        let mut renumbered: FastMap<EdgeId, EdgeId> = FastMap::default();
        for (id, edge) in &self.edges {
            let new = graph.add_edge(edge.src, edge.dst, edge.label.clone(), edge.span, edge.note);
            renumbered.insert(*id, new);
        }
        for site in icfg.call_sites.values() {
            let (Some(&call_edge), Some(&return_edge)) =
                (renumbered.get(&site.call_edge), renumbered.get(&site.return_edge))
            else {
                continue;
            };
            if !matches!(graph.edges[call_edge].label, Label::Call(_)) {
                continue;
            }
            let own = graph.call_sites.push(ir::CallSite { call_edge, return_edge, ..site.clone() });
            graph.edges[call_edge].label = Label::Call(own);
            graph.edges[return_edge].label = Label::Return(own);
        }
        graph.mark_loop_heads();
        graph
    }
}

/// How often locations are left out.
const MAX_ROUNDS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Random, SourceMap};
    use logic::{Model, Value};
    use std::fmt::Write;

    fn variable(r: &mut Random) -> char {
        r.one_of(&['p', 'q', 'r', 's', 't'])
    }

    fn condition(r: &mut Random) -> String {
        match r.below(4) {
            0 => variable(r).to_string(),
            1 => format!("!{}", variable(r)),
            2 => format!("({} && !{})", variable(r), variable(r)),
            _ => format!("({} || {})", variable(r), variable(r)),
        }
    }

    fn statements(r: &mut Random, depth: u32, text: &mut String) {
        for _ in 0..1 + r.below(4) {
            let _ = match r.below(if depth == 0 { 6 } else { 9 }) {
                0..=2 => writeln!(text, "{} := {};", variable(r), condition(r)),
                3 => writeln!(text, "havoc {};", variable(r)),
                4 => writeln!(text, "assume {};", condition(r)),
                5 => writeln!(text, "call {} := flip({});", variable(r), condition(r)),
                6 => writeln!(text, "assert {} || {};", condition(r), condition(r)),
                7 => {
                    let _ = writeln!(text, "if ({}) {{", condition(r));
                    statements(r, depth - 1, text);
                    text.push_str("} else {\n");
                    statements(r, depth - 1, text);
                    writeln!(text, "}}")
                }
                _ => {
                    let _ = writeln!(text, "while ({}) {{", condition(r));
                    statements(r, depth - 1, text);
                    writeln!(text, "}}")
                }
            };
        }
    }

    fn graph(text: &str, pool: &mut TermPool) -> Icfg {
        let mut sources = SourceMap::new();
        let file = sources.add("random.bpl", text);
        let Ok(program) = boogie::compile(&sources, file, pool) else { panic!("not a program:\n{text}") };
        Icfg::build(&program, pool)
    }

    /// The checks that fail in some execution: all states of a program of truth values are looked at.
    fn failing(pool: &mut TermPool, graph: &Icfg) -> BTreeSet<base::Span> {
        let Ok((icfg, _)) = ir::inline::inline_calls(graph, pool, &Default::default()) else { panic!("no recursion") };
        let vars: Vec<VarId> = icfg.vars.ids().collect();
        let n_states = 1usize << vars.len();
        let model = |state: usize| {
            let mut model = Model::new();
            for (i, v) in vars.iter().enumerate() {
                if let Some(symbol) = pool.as_symbol(icfg.vars[*v].term) {
                    model.set(symbol, Value::Bool(state >> i & 1 == 1));
                }
            }
            model
        };
        let mut seen: BTreeSet<(LocId, usize)> = BTreeSet::new();
        let mut work: Vec<(LocId, usize)> = (0..n_states).map(|s| (icfg.entry(), s)).collect();
        while let Some((loc, state)) = work.pop() {
            if !seen.insert((loc, state)) {
                continue;
            }
            let model = model(state);
            let holds = |t: TermId| model.eval(pool, t) == Ok(Value::Bool(true));
            let with = |state: usize, v: VarId, value: bool| {
                state & !(1 << v.index_in(&vars)) | usize::from(value) << v.index_in(&vars)
            };
            for e in icfg.out_edges(loc) {
                let edge = &icfg.edges[*e];
                match &edge.label {
                    Label::Stmt(Stmt::Assume(c)) => work.extend(holds(*c).then_some((edge.dst, state))),
                    Label::Stmt(Stmt::Assign(pairs)) => {
                        let next = pairs.iter().fold(state, |s, (v, t)| with(s, *v, holds(*t)));
                        work.push((edge.dst, next));
                    }
                    Label::Stmt(Stmt::Havoc(havocked, _)) => {
                        let choose = |states: Vec<usize>, v: &VarId| -> Vec<usize> {
                            states.iter().flat_map(|s| [with(*s, *v, false), with(*s, *v, true)]).collect()
                        };
                        let states = havocked.iter().fold(vec![state], choose);
                        work.extend(states.into_iter().map(|s| (edge.dst, s)));
                    }
                    other => panic!("an edge of another kind: {other:?}"),
                }
            }
        }
        let reached = seen.iter().filter_map(|(loc, _)| icfg.locs[*loc].error.as_ref());
        reached.map(|check| check.span).collect()
    }

    trait Index {
        fn index_in(self, vars: &[VarId]) -> usize;
    }
    impl Index for VarId {
        fn index_in(self, vars: &[VarId]) -> usize {
            vars.iter().position(|v| *v == self).unwrap_or(0)
        }
    }

    #[test]
    fn what_fails_in_a_program_fails_in_its_slices() {
        let (mut n_failing, mut n_smaller) = (0, 0);
        for seed in 1..150u64 {
            let mut r = Random::new(seed);
            let mut text = "var p, q, r, s, t: bool;
                procedure flip(b: bool) returns (c: bool) modifies s; { c := !b; s := b; }
                procedure main() modifies p, q, r, s, t;\n{\n"
                .to_string();
            statements(&mut r, 2, &mut text);
            let _ = writeln!(text, "assert {};\n}}", condition(&mut r));
            let mut pool = TermPool::new();
            let whole = graph(&text, &mut pool);
            let fails = failing(&mut pool, &whole);
            n_failing += fails.len();
            for depth in [Depth::Data, Depth::Guards] {
                let chosen = Choice::new(&pool, &whole, depth).chosen;
                let sliced = Smaller::new(&mut pool, &whole, &chosen).graph();
                n_smaller += usize::from(sliced.edges.len() < whole.edges.len());
                let fails_there = failing(&mut pool, &sliced);
                assert!(fails.is_subset(&fails_there), "{depth:?}: {fails:?}, {fails_there:?}\n{text}");
            }
        }
        assert!(n_failing > 100 && n_smaller > 100, "{n_failing} checks fail, {n_smaller} slices are smaller");
    }

    #[test]
    fn what_does_not_matter_is_dropped() {
        let text = "var x, y, z: int;
            procedure noise() modifies y, z; { y := y + z; if (y > 7) { z := y; } }
            procedure main() modifies x, y, z; {
              x := 0; y := 3;
              while (x < 10) { call noise(); x := x + 1; if (z > 3) { z := 0; } }
              assert x <= 10;
            }";
        let mut pool = TermPool::new();
        let whole = graph(text, &mut pool);
        for depth in [Depth::Data, Depth::Guards] {
            let Some(sliced) = slice(&mut pool, &whole, depth) else { panic!("nothing was dropped") };
            let assigned = sliced.edges.values().filter_map(|e| match &e.label {
                Label::Stmt(Stmt::Assign(pairs)) => Some(pairs.iter().map(|(v, _)| sliced.vars[*v].name.clone())),
                _ => None,
            });
            let names: BTreeSet<String> = assigned.flatten().collect();
            assert_eq!(names, BTreeSet::from(["x".to_string()]));
            assert!(sliced.edges.len() <= 12, "{} edges", sliced.edges.len());
        }
    }
}
