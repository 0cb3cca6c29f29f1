//! Facts of one version as candidates for another: functions, places and variables are matched, formulas are read anew.
//!
//! Functions are matched by name, then by body, then by likeness. Their locations are aligned ([`crate::shape`]); loops
//! that stay without a partner are taken in their order. A copy of a function keeps its chain of calls where the calls
//! are aligned, else it takes the facts of the most similar chain. Variables are matched by role and by name; where
//! these disagree both are offered. Numbers that became others at aligned places (addresses, bounds) become others in
//! facts, again as a second offer. What cannot be expressed in the new version is dropped.

use crate::known::{Contract as StoredContract, Edge as StoredEdge, Facts, Invariant, Position, Role, Variable};
use crate::shape::{Shape, Symbols, Votes, align, kind_name, likeness};
use ir::inline::{ContextId, EdgeRole, InlineMap};
use ir::{Annotation, CallSiteId, Contract, EdgeId, Icfg, Label, LocId, ProcId, VarId, VarKind};
use logic::smtlib::{SExprReader, Signature};
use logic::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The number of similar chains of calls whose facts are offered to a new chain.
const MAX_SIMILAR: usize = 2;
/// Functions that are less similar than this are not versions of each other.
const MIN_LIKENESS: f64 = 0.4;

/// How formulas are read: which partner a variable gets, and whether numbers follow the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    pub(crate) by_name: bool,
    pub(crate) numbers: bool,
}

/// A function of the old version in the new one.
struct Match {
    proc: ProcId,
    shape: Shape,
    /// For each old line the new one.
    lines: Vec<Option<usize>>,
    /// For each old variable its partners by role and by name.
    by_role: Vec<Option<usize>>,
    by_name: Vec<Option<usize>>,
}

/// The way from facts to a graph.
pub(crate) struct Transfer<'a> {
    facts: &'a Facts,
    graph: &'a Icfg,
    map: Option<&'a InlineMap>,
    matches: BTreeMap<usize, Match>,
    /// Globals by their names in the old version: by role, by name.
    globals: BTreeMap<String, (Option<VarId>, Option<VarId>)>,
    old_vars: BTreeMap<VarId, VarId>,
    /// The chains of calls that take the facts of an old one.
    takers: BTreeMap<usize, Vec<ContextId>>,
    /// The place in the new version of each old chain, where calls are aligned.
    exact: BTreeMap<usize, ContextId>,
    copies_of_loc: BTreeMap<(LocId, Option<ContextId>), LocId>,
    copies_of_var: BTreeMap<(VarId, Option<ContextId>), VarId>,
    copies_of_edge: BTreeMap<(EdgeId, Option<ContextId>, Role), EdgeId>,
    numbers: BTreeMap<String, String>,
    signature: Signature,
}

impl<'a> Transfer<'a> {
    pub(crate) fn new(
        pool: &TermPool,
        facts: &'a Facts,
        original: &'a Icfg,
        graph: &'a Icfg,
        map: Option<&'a InlineMap>,
    ) -> Transfer<'a> {
        let symbols = Symbols::new(pool, original);
        let partners = partners(pool, facts, original, &symbols);
        let mut votes = Votes::default();
        let mut matches = BTreeMap::new();
        for (old, (proc, shape)) in partners {
            let function = &facts.functions[old];
            let lines = align(&function.lines, &shape.lines);
            let mut own = Votes::default();
            for (i, j) in lines.iter().enumerate().filter_map(|(i, j)| Some((i, (*j)?))) {
                own.count(&function.lines[i], &shape.lines[j]);
                votes.count(&function.lines[i], &shape.lines[j]);
            }
            let (by_role, by_name) = matched_variables(pool, original, function, &shape, &own);
            matches.insert(old, Match { proc, shape, lines, by_role, by_name });
        }
        let is_flat_copy = |context: ContextId| map.map(|_| context);
        let copies_of_loc = match map {
            None => graph.locs.ids().map(|l| ((l, None), l)).collect(),
            Some(map) => map.locs.iter().map(|(copy, (l, c))| ((*l, is_flat_copy(*c)), copy)).collect(),
        };
        let copies_of_var = match map {
            None => graph.vars.ids().map(|v| ((v, None), v)).collect(),
            Some(map) => map.vars.iter().map(|(copy, (v, c))| ((*v, *c), copy)).collect(),
        };
        let mut signature = Signature::of_pool(pool);
        signature.make_replaceable();
        let mut transfer = Transfer {
            facts,
            graph,
            map,
            matches,
            globals: matched_globals(facts, original, &votes),
            old_vars: BTreeMap::new(),
            takers: BTreeMap::new(),
            exact: BTreeMap::new(),
            copies_of_loc,
            copies_of_var,
            copies_of_edge: BTreeMap::new(),
            numbers: votes.changed_numbers(),
            signature,
        };
        transfer.old_vars = graph
            .vars
            .iter()
            .filter_map(|(id, v)| match v.kind {
                VarKind::Old(global) if map.is_none_or(|m| m.vars.get(id).is_none_or(|o| o.1.is_none())) => {
                    Some((map.and_then(|m| m.vars.get(global)).map_or(global, |o| o.0), id))
                }
                _ => None,
            })
            .collect();
        transfer.copies_of_edge = transfer.copies_of_edges();
        transfer.match_contexts(original);
        transfer
    }

    fn copies_of_edges(&self) -> BTreeMap<(EdgeId, Option<ContextId>, Role), EdgeId> {
        match self.map {
            None => self.graph.edges.ids().map(|e| ((e, None, Role::Same), e)).collect(),
            Some(map) => {
                let role = |r: EdgeRole| match r {
                    EdgeRole::Same => Role::Same,
                    EdgeRole::Enter => Role::Enter,
                    EdgeRole::Arbitrary => Role::Arbitrary,
                    EdgeRole::Leave => Role::Leave,
                };
                map.edges.iter().map(|(copy, o)| ((o.edge, Some(o.context), role(o.role)), copy)).collect()
            }
        }
    }

    /// Readings that may give different formulas, the most likely first.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let disagree = self.matches.values().any(|m| {
            m.by_role.iter().zip(&m.by_name).any(|(role, name)| role.is_some() && name.is_some() && role != name)
        });
        let mut readings = vec![Reading { by_name: false, numbers: false }];
        if !self.numbers.is_empty() {
            readings.push(Reading { by_name: false, numbers: true });
        }
        if disagree {
            readings.push(Reading { by_name: true, numbers: false });
        }
        readings
    }

    fn match_contexts(&mut self, original: &Icfg) {
        let Some(map) = self.map else { return };
        let call_at: BTreeMap<(ProcId, LocId), CallSiteId> = original
            .call_sites
            .iter()
            .map(|(id, site)| ((site.caller, original.edges[site.call_edge].src), id))
            .collect();
        let inner: BTreeMap<(ContextId, CallSiteId), ContextId> =
            map.contexts.iter().filter_map(|(id, c)| c.call.map(|(site, outer)| ((outer, site), id))).collect();
        for (i, context) in self.facts.contexts.iter().enumerate() {
            let Some(matched) = self.matches.get(&context.function) else { continue };
            let found = match context.call {
                None => map.contexts.iter().find(|(_, c)| c.call.is_none() && c.proc == matched.proc).map(|p| p.0),
                // Outer chains come first; a document that says otherwise is malformed.
                Some((outer, line)) => self.exact.get(&outer).and_then(|&outer_there| {
                    let caller = self.matches.get(&self.facts.contexts.get(outer)?.function)?;
                    let there = (*caller.lines.get(line)?)?;
                    let site = call_at.get(&(caller.proc, *caller.shape.locs.get(there)?))?;
                    inner.get(&(outer_there, *site)).copied().filter(|c| map.contexts[*c].proc == matched.proc)
                }),
            };
            if let Some(found) = found {
                self.exact.insert(i, found);
                self.takers.entry(i).or_default().push(found);
            }
        }
        // New chains take the facts of similar ones.
        let taken: BTreeSet<ContextId> = self.exact.values().copied().collect();
        let chain_of_new = |mut id: ContextId| {
            let mut chain = vec![map.contexts[id].proc];
            while let Some((_, outer)) = map.contexts[id].call {
                id = outer;
                chain.push(map.contexts[id].proc);
            }
            chain
        };
        let chain_of_old = |mut i: usize| {
            let mut chain = Vec::new();
            for _ in 0..=self.facts.contexts.len() {
                let Some(context) = self.facts.contexts.get(i) else { break };
                chain.push(self.matches.get(&context.function).map(|m| m.proc));
                match context.call {
                    Some((outer, _)) => i = outer,
                    None => break,
                }
            }
            chain
        };
        let old: Vec<(usize, Vec<Option<ProcId>>)> =
            (0..self.facts.contexts.len()).map(|i| (i, chain_of_old(i))).collect();
        for id in map.contexts.ids().filter(|id| !taken.contains(id)) {
            let chain = chain_of_new(id);
            let in_common =
                |other: &[Option<ProcId>]| chain.iter().zip(other).take_while(|(a, b)| Some(**a) == **b).count();
            let mut similar: Vec<(usize, usize)> =
                old.iter().map(|(i, c)| (in_common(c), *i)).filter(|(n, _)| *n > 0).collect();
            similar.sort_by_key(|&(n, i)| (std::cmp::Reverse(n), i));
            for (_, i) in similar.into_iter().take(MAX_SIMILAR) {
                self.takers.entry(i).or_default().push(id);
            }
        }
    }

    /// The original locations for a position: the aligned one, else loops of the function without a partner.
    fn locations(&self, at: &Position) -> Vec<LocId> {
        let Some(matched) = self.matches.get(&at.function) else { return Vec::new() };
        let shape = &matched.shape;
        let aligned = matched.lines.get(at.line).copied().flatten();
        let is_head = |loc: LocId| {
            let copy = self.copies_of_loc.range((loc, None)..).next().filter(|(k, _)| k.0 == loc).map(|(_, &c)| c);
            copy.is_some_and(|c| self.graph.locs[c].is_loop_head)
        };
        if let Some(j) = aligned
            && (at.head.is_none() || is_head(shape.locs[j]))
        {
            return vec![shape.locs[j]];
        }
        if at.head.is_none() {
            return Vec::new();
        }
        let partners: BTreeSet<usize> = matched.lines.iter().flatten().copied().collect();
        let heads = shape.locs.iter().enumerate().filter(|(_, l)| is_head(**l));
        let free: Vec<LocId> = heads.clone().filter(|(j, _)| !partners.contains(j)).map(|(_, l)| *l).collect();
        if !free.is_empty() {
            return free;
        }
        heads.map(|(_, l)| *l).nth(at.head.unwrap_or(0)).into_iter().collect()
    }

    /// The locations of the graph for a position, each with its chain of calls.
    fn places(&self, at: &Position) -> Vec<(LocId, Option<ContextId>)> {
        let contexts: Vec<Option<ContextId>> = match (self.map, at.context) {
            (None, _) => vec![None],
            (Some(_), Some(c)) => self.takers.get(&c).into_iter().flatten().copied().map(Some).collect(),
            (Some(_), None) => Vec::new(),
        };
        let mut found = Vec::new();
        for loc in self.locations(at) {
            for &context in &contexts {
                found.extend(self.copies_of_loc.get(&(loc, context)).map(|&copy| (copy, context)));
            }
        }
        found
    }

    /// The chain of calls of an old variable, for a fact of an old chain that a new one takes.
    fn context_there(&self, wanted: usize, from: Option<usize>, to: Option<ContextId>) -> Option<ContextId> {
        let map = self.map?;
        let (mut i, mut there) = (from, to);
        for _ in 0..=self.facts.contexts.len() {
            let (Some(old), Some(new)) = (i, there) else { break };
            if old == wanted {
                return Some(new);
            }
            i = self.facts.contexts.get(old)?.call.map(|c| c.0);
            there = map.contexts[new].call.map(|c| c.1);
        }
        self.exact.get(&wanted).copied()
    }

    fn variable(
        &self,
        variable: &Variable,
        (from, to): (Option<usize>, Option<ContextId>),
        reading: Reading,
    ) -> Option<VarId> {
        let global = |name: &str| {
            let (role, named) = self.globals.get(name)?;
            if reading.by_name { named.or(*role) } else { role.or(*named) }
        };
        match variable {
            Variable::Global { name } => self.copies_of_var.get(&(global(name)?, None)).copied(),
            Variable::Old { name, context } => {
                let original = global(name)?;
                match context {
                    None => self.old_vars.get(&original).copied(),
                    Some(c) => {
                        let context = self.context_there(*c, from, to)?;
                        let is_old = |v: VarId| matches!(self.graph.vars[v].kind, VarKind::Old(g) if g == original);
                        let own = |((_, c), v): (&(VarId, Option<ContextId>), &VarId)| {
                            (*c == Some(context) && is_old(*v)).then_some(*v)
                        };
                        self.copies_of_var.iter().find_map(own)
                    }
                }
            }
            Variable::Own { function, index, context } => {
                let matched = self.matches.get(function)?;
                let (role, named) = (*matched.by_role.get(*index)?, *matched.by_name.get(*index)?);
                let there = if reading.by_name { named.or(role) } else { role.or(named) }?;
                let original = *matched.shape.variables.get(there)?;
                let context = match (self.map, context) {
                    (None, _) => None,
                    (Some(_), Some(c)) => Some(self.context_there(*c, from, to)?),
                    (Some(_), None) => None,
                };
                self.copies_of_var.get(&(original, context)).copied()
            }
        }
    }

    /// Reads a term of the old version for a place of the new one.
    fn term(
        &mut self,
        pool: &mut TermPool,
        text: &str,
        place: (Option<usize>, Option<ContextId>),
        reading: Reading,
        ghosts: &[TermId],
    ) -> Option<TermId> {
        let changed;
        let mut text = text;
        if reading.numbers {
            changed = with_numbers(text, &self.numbers);
            text = &changed;
        }
        self.signature.push();
        let read = self.read(pool, text, place, reading, ghosts);
        self.signature.pop();
        read
    }

    fn read(
        &mut self,
        pool: &mut TermPool,
        text: &str,
        place: (Option<usize>, Option<ContextId>),
        reading: Reading,
        ghosts: &[TermId],
    ) -> Option<TermId> {
        let mut defined: BTreeSet<&str> = BTreeSet::new();
        for word in text.split([' ', '(', ')']).filter(|w| w.starts_with('$')) {
            if !defined.insert(word) {
                continue;
            }
            let term = match word.strip_prefix("$v") {
                Some(n) => {
                    let variable = self.facts.variables.get(n.parse::<usize>().ok()?)?;
                    self.graph.vars[self.variable(variable, place, reading)?].term
                }
                None => *ghosts.get(word.strip_prefix("$g")?.parse::<usize>().ok()?)?,
            };
            self.signature.define_constant(pool, word, term).ok()?;
        }
        let mut reader = SExprReader::new(text.as_bytes());
        let expression = reader.next_expr().ok()??;
        self.signature.read_term(pool, &expression, expression.root()).ok()
    }

    fn formulas(
        &mut self,
        pool: &mut TermPool,
        texts: &[String],
        place: (Option<usize>, Option<ContextId>),
        reading: Reading,
    ) -> Vec<TermId> {
        let read: Vec<Option<TermId>> = texts.iter().map(|t| self.term(pool, t, place, reading, &[])).collect();
        read.into_iter().flatten().filter(|&t| pool.is_bool(t)).collect()
    }

    /// An annotation of the old version as one of the new.
    pub(crate) fn annotation(
        &mut self,
        pool: &mut TermPool,
        invariants: &[Invariant],
        contracts: &[StoredContract],
        reading: Reading,
    ) -> Annotation {
        let mut found: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for invariant in invariants {
            for (loc, context) in self.places(&invariant.at) {
                let formulas = self.formulas(pool, &invariant.conjuncts, (invariant.at.context, context), reading);
                found.entry(loc).or_default().extend(formulas);
            }
        }
        let mut annotation = Annotation::default();
        for (loc, mut formulas) in found {
            // That something is unreachable and other facts about it come from different chains of calls.
            if formulas.iter().any(|f| *f != TermId::FALSE) {
                formulas.retain(|f| *f != TermId::FALSE);
            }
            annotation.invariants.insert(loc, pool.and(&formulas));
        }
        let procs: BTreeMap<ProcId, ProcId> = match self.map {
            None => self.graph.procs.ids().map(|p| (p, p)).collect(),
            Some(map) => map.procs.iter().map(|(copy, p)| (*p, copy)).collect(),
        };
        for contract in contracts {
            let there = self.matches.get(&contract.function).and_then(|m| procs.get(&m.proc)).copied();
            let Some(proc) = there else { continue };
            let context = self.map.and_then(|m| {
                let original = m.procs.get(proc)?;
                m.contexts.iter().find(|(_, c)| c.call.is_none() && c.proc == *original).map(|p| p.0)
            });
            let requires = self.formulas(pool, &contract.requires, (None, context), reading);
            let ensures = self.formulas(pool, &contract.ensures, (None, context), reading);
            let contract = Contract { requires: pool.and(&requires), ensures: pool.and(&ensures) };
            annotation.contracts.insert(proc, contract);
        }
        annotation
    }

    /// The location of the graph for a position whose chain of calls is aligned.
    pub(crate) fn location(&self, at: &Position) -> Option<LocId> {
        let context = match (self.map, at.context) {
            (None, _) => None,
            (Some(_), c) => Some(*self.exact.get(&c?)?),
        };
        self.copies_of_loc.get(&(*self.locations(at).first()?, context)).copied()
    }

    /// A step of the graph.
    pub(crate) fn edge(&self, original: &Icfg, edge: &StoredEdge) -> Option<EdgeId> {
        let matched = self.matches.get(&edge.at.function)?;
        let line = (*matched.lines.get(edge.at.line)?)?;
        let src = *matched.shape.locs.get(line)?;
        let named = *original.out_edges(src).get(edge.ordinal)?;
        let context = match (self.map, edge.at.context) {
            (None, _) => None,
            (Some(_), c) => Some(*self.exact.get(&c?)?),
        };
        let as_told = self.copies_of_edge.get(&(named, context, edge.role)).copied();
        as_told.or_else(|| match original.edges[named].label {
            Label::Call(site) => {
                let back = original.call_sites[site].return_edge;
                self.copies_of_edge.get(&(back, context, edge.role)).copied()
            }
            _ => None,
        })
    }

    /// The position of an old choice, as a location and step of the original graph.
    pub(crate) fn original_edge(&self, original: &Icfg, at: &Position, ordinal: usize) -> Option<EdgeId> {
        let matched = self.matches.get(&at.function)?;
        let src = *matched.shape.locs.get((*matched.lines.get(at.line)?)?)?;
        original.out_edges(src).get(ordinal).copied()
    }

    /// The variable of a number, where no chain of calls matters.
    pub(crate) fn numbered(&self, number: usize) -> Option<VarId> {
        let reading = Reading { by_name: false, numbers: false };
        self.variable(self.facts.variables.get(number)?, (None, None), reading)
    }

    /// A term where every chain of calls is aligned.
    pub(crate) fn aligned_term(
        &mut self,
        pool: &mut TermPool,
        text: &str,
        ghosts: &[TermId],
        reading: Reading,
    ) -> Option<TermId> {
        self.term(pool, text, (None, None), reading, ghosts)
    }
}

/// A text with some numbers replaced.
fn with_numbers(text: &str, numbers: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let n = match rest.find(['(', ')', ' ']) {
            Some(0) => 1,
            Some(n) => n,
            None => rest.len(),
        };
        let (token, after) = rest.split_at(n);
        out.push_str(numbers.get(token).map_or(token, String::as_str));
        rest = after;
    }
    out
}

/// The functions of the new version for those of the old one that facts speak of.
fn partners(pool: &TermPool, facts: &Facts, original: &Icfg, symbols: &Symbols) -> BTreeMap<usize, (ProcId, Shape)> {
    let by_name: BTreeMap<&str, ProcId> = original.procs.iter().map(|(id, p)| (p.name.as_str(), id)).collect();
    let old_names: BTreeSet<&str> = facts.functions.iter().map(|f| f.name.as_str()).collect();
    let mut found = BTreeMap::new();
    let mut open = Vec::new();
    for (i, function) in facts.functions.iter().enumerate().filter(|(_, f)| !f.lines.is_empty()) {
        match by_name.get(function.name.as_str()) {
            Some(&proc) => {
                found.insert(i, (proc, Shape::new(pool, original, symbols, proc)));
            }
            None => open.push(i),
        }
    }
    if open.is_empty() {
        return found;
    }
    let mut added: Vec<(ProcId, Shape)> = original
        .procs
        .iter()
        .filter(|(_, p)| !old_names.contains(p.name.as_str()))
        .map(|(id, _)| (id, Shape::new(pool, original, symbols, id)))
        .collect();
    for i in open {
        let function = &facts.functions[i];
        let same = added.iter().position(|(_, shape)| shape.fingerprint() == function.body);
        let nearest = || {
            let likely = added.iter().enumerate().map(|(k, (_, s))| (likeness(&function.lines, &s.lines), k));
            likely.filter(|(l, _)| *l >= MIN_LIKENESS).max_by(|a, b| a.0.total_cmp(&b.0)).map(|p| p.1)
        };
        if let Some(k) = same.or_else(nearest) {
            found.insert(i, added.remove(k));
        }
    }
    found
}

/// For each variable of an old function its partners in the new one: by role, by name.
fn matched_variables(
    pool: &TermPool,
    original: &Icfg,
    function: &crate::known::Function,
    shape: &Shape,
    votes: &Votes,
) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let mut by_role = Vec::new();
    let mut by_name = Vec::new();
    // Of several variables with one name the how many-th.
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, variable) in function.variables.iter().enumerate() {
        let nth = seen.entry(&variable.name).or_default();
        let alike = shape.variables.iter().enumerate().filter(|(_, v)| {
            let new = &original.vars[**v];
            new.name == variable.name && pool.show_sort(new.sort) == variable.sort
        });
        let named = alike.map(|(j, _)| j).nth(*nth);
        *nth += 1;
        let role = votes.winner(&format!("%{i}")).and_then(|w| w.strip_prefix('%')?.parse::<usize>().ok());
        let role = role.filter(|&j| {
            let there = shape.variables.get(j).map(|v| &original.vars[*v]);
            there.is_some_and(|v| pool.show_sort(v.sort) == variable.sort)
        });
        // Parameters and results have their positions.
        let placed = || {
            let of_kind = |kind: &str| kind == variable.kind && kind != "local";
            let nth = function.variables[..i].iter().filter(|v| of_kind(&v.kind)).count();
            let there = shape.variables.iter().enumerate();
            let mut there = there.filter(|(_, v)| of_kind(kind_name(original.vars[**v].kind)));
            there.nth(nth).map(|p| p.0)
        };
        by_role.push(role.or(named).or_else(placed));
        by_name.push(named.or(role));
    }
    (by_role, by_name)
}

fn matched_globals(facts: &Facts, original: &Icfg, votes: &Votes) -> BTreeMap<String, (Option<VarId>, Option<VarId>)> {
    let names = facts.variables.iter().filter_map(|v| match v {
        Variable::Global { name } | Variable::Old { name, .. } => Some(name.clone()),
        Variable::Own { .. } => None,
    });
    let global = |name: &str| original.globals.iter().copied().find(|&g| original.vars[g].name == name);
    let matched = |name: String| {
        let named = global(&name);
        let role = votes.winner(&format!("@{name}")).and_then(|w| global(w.strip_prefix('@')?));
        // A global keeps its name; only what the front end numbers changes it.
        let role = if name.starts_with('#') || named.is_none() { role.or(named) } else { named };
        (name, (role, named))
    };
    names.map(matched).collect()
}
