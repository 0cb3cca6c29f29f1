//! What a proof about a C program found, as C: invariants of loops, contracts of functions, ranks that fall.
//!
//! Certificates speak about the graph with calls inlined, in which a loop may occur in several copies. What holds
//! at a loop is the disjunction over its copies. A copy's formula may mention variables of other
//! activations and temporaries: they are projected away where that is exact, and otherwise left out by
//! [`Writer`], which only weakens.

use crate::c_expression::{CExpression, Named, Writer};
use crate::proof_text::{Vocabulary, Word, with_validity, words_of_memory};
use base::{Budget, Span};
use ir::inline::{ContextId, InlineMap};
use ir::source::{LoopKind, SourcePlace, SourceTable, SourceType};
use ir::{Annotation, Certificate, Icfg, LocId, ModuleMode, ProcId, VarId, VarKind};
use logic::{FastMap, FastSet, Op, Sort, SortId, TermId, TermPool, Value, qe};
use std::collections::BTreeMap;
use std::time::Duration;

/// Larger ranks are not shown.
const MAX_RANK_SIZE: u64 = 200;

/// How long the projection of all formulas of one proof may take.
const PROJECTION_TIME: Duration = Duration::from_secs(2);

/// A certificate and what it speaks about.
pub struct Proof<'a> {
    pub pool: &'a TermPool,
    pub icfg: &'a Icfg,
    /// How `icfg` came from the program's graph; `None`: it is that graph.
    pub map: Option<&'a InlineMap>,
    pub table: &'a SourceTable,
    pub certificate: &'a Certificate,
    /// May facts read what pointers point to? That is only defined where they are valid.
    pub through_pointers: bool,
}

/// A fact in the words of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CFact {
    Invariant {
        at: InvariantPlace,
        expression: CExpression,
    },
    Contract {
        function: ProcId,
        span: Span,
        name: String,
        requires: CExpression,
        ensures: CExpression,
    },
    /// A rank that falls lexicographically.
    Rank {
        /// The loop that ends because of it.
        of: InvariantPlace,
        /// In mathematical integers.
        plain: Vec<String>,
        /// Where it is compared with itself, and its components now and before as expressions, if C can say that.
        exact: Option<(InvariantPlace, Vec<String>, Vec<String>)>,
    },
    /// All loops together make at most this many iterations.
    Bound(u32),
    /// All executions were made, in so many steps.
    Executed(u64),
    /// All states were made, with so many steps between them.
    Enumerated(u64),
}

/// Where an invariant is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InvariantPlace {
    /// Before each evaluation of the condition of the loop that starts there.
    Loop(Span),
    /// Before the statement that starts there.
    Statement(Span),
}

impl InvariantPlace {
    pub fn span(self) -> Span {
        match self {
            InvariantPlace::Loop(span) | InvariantPlace::Statement(span) => span,
        }
    }
}

pub fn facts(proof: &Proof<'_>) -> Vec<CFact> {
    match proof.certificate {
        // Parts that speak of auxiliary variables are not shown.
        Certificate::Annotation(annotation) | Certificate::Holders(_, annotation) => {
            let mut facts = invariants(proof, annotation);
            facts.extend(contracts(proof, annotation));
            facts
        }
        Certificate::TailRecursive(annotation) => tail_recursive(proof, annotation),
        // With recursion it speaks about a graph in which calls stay pending.
        Certificate::Termination(_) if proof.icfg.has_calls() => Vec::new(),
        Certificate::Termination(found) => ranks(proof, found),
        Certificate::Execution(n) | Certificate::FiniteExecution(n) => vec![CFact::Executed(*n)],
        Certificate::States(n) | Certificate::StatesOfBranches(n) | Certificate::FairStates { steps: n, .. } => {
            vec![CFact::Enumerated(*n)]
        }
        // What holds while threads are where is no fact about one place of the program.
        Certificate::Unwinding(0)
        | Certificate::FiniteUnwinding(0)
        | Certificate::Threads(_)
        | Certificate::Interleavings(_)
        | Certificate::OwickiGries(_) => Vec::new(),
        Certificate::Unwinding(n) | Certificate::FiniteUnwinding(n) => vec![CFact::Bound(*n)],
    }
}

/// Contracts of a graph in which loops are procedures: what such a one requires holds whenever control is at the loop
/// head.
fn tail_recursive(proof: &Proof<'_>, annotation: &Annotation) -> Vec<CFact> {
    let mut own = proof.pool.clone();
    // The same graph that the checker makes.
    let (mut graph, map) = ir::tail_recursion::loops_to_recursion(proof.icfg, &mut own);
    graph.ensure_old_vars(&mut own);
    let mut at_loops = Annotation::default();
    let mut of_functions = Annotation::default();
    for (&proc, contract) in &annotation.contracts {
        match map.loops.get(&proc) {
            Some(&head) => {
                let formula = map.at_loop_head(&mut own, proof.icfg, &graph, contract.requires);
                at_loops.invariants.insert(head, formula);
            }
            None => {
                of_functions.contracts.insert(proc, *contract);
            }
        }
    }
    let Proof { map, table, certificate, through_pointers, .. } = *proof;
    let mut facts =
        invariants(&Proof { pool: &own, icfg: proof.icfg, map, table, certificate, through_pointers }, &at_loops);
    let with_old_values = Proof { pool: &own, icfg: &graph, map, table, certificate, through_pointers };
    facts.extend(contracts(&with_old_values, &of_functions));
    facts
}

/// Where the invariant of a location is evaluated, and where its names are looked up.
fn place_of(table: &SourceTable, span: Span) -> Option<(InvariantPlace, Span)> {
    if let Some(found) = table.loop_at(span) {
        return Some(match found.kind {
            LoopKind::While | LoopKind::For => (InvariantPlace::Loop(found.span), found.scope_at),
            // Its condition is evaluated at the end of an iteration, control is at the start.
            LoopKind::DoWhile => (InvariantPlace::Statement(found.first), found.first),
        });
    }
    let exact = table.statements.iter().find(|s| s.file == span.file && s.start == span.start)?;
    Some((InvariantPlace::Statement(*exact), *exact))
}

impl Proof<'_> {
    fn origin(&self, loc: LocId) -> (LocId, Option<ContextId>) {
        match self.map {
            Some(map) => map.locs.get(loc).map_or((loc, None), |&(l, c)| (l, Some(c))),
            None => (loc, None),
        }
    }

    /// The terms that read objects in memory that have a name: their own, or through a pointer if that is wanted.
    fn cells_at(
        &self,
        own: &mut TermPool,
        at: Span,
        terms: &BTreeMap<VarId, TermId>,
    ) -> Vec<(TermId, String, &SourceType)> {
        let mut cells = Vec::new();
        for cell in self.table.cells.iter().filter(|c| self.table.is_visible(&c.place, at)) {
            let Some(&array) = terms.get(&cell.array) else { continue };
            let Sort::Array(index_sort, _) = *own.sort_data(own.sort(array)) else { continue };
            let offset = match own.sort_data(index_sort) {
                Sort::BitVec(width) => Value::Bv(cell.offset.into(), *width),
                _ => Value::Num(cell.offset.into()),
            };
            let index = match cell.base {
                None => own.value_term(&offset, index_sort),
                Some(base) => match (terms.get(&base).copied(), cell.offset) {
                    (Some(base), 0) => Some(base),
                    (Some(base), _) if index_sort == SortId::INT => {
                        let offset = own.value_term(&offset, index_sort);
                        offset.map(|offset| own.add(&[base, offset]))
                    }
                    _ => None,
                },
            };
            if let Some(index) = index {
                cells.push((own.select(array, index), cell.place.text_at(&[]), &cell.place.ty));
            }
        }
        if self.through_pointers {
            self.add_pointed_to(own, at, terms, &mut cells);
        }
        cells
    }

    /// What visible pointers point to, and what is one pointer further.
    fn add_pointed_to<'a>(
        &'a self,
        own: &mut TermPool,
        at: Span,
        terms: &BTreeMap<VarId, TermId>,
        cells: &mut Vec<(TermId, String, &'a SourceType)>,
    ) {
        let mut pointers: Vec<(TermId, String, usize)> = Vec::new();
        for (var, &target) in &self.table.pointers {
            let Some(place) = self.table.places.get(var).filter(|p| self.table.is_visible(p, at)) else { continue };
            pointers.extend(terms.get(var).map(|&t| (t, place.text_at(&[]), target)));
        }
        for round in 0..2 {
            for (pointer, text, target) in std::mem::take(&mut pointers) {
                for scalar in self.table.targets.get(target).iter().flat_map(|t| &t.scalars) {
                    let Some(&array) = terms.get(&scalar.array) else { continue };
                    let Sort::Array(index_sort, _) = *own.sort_data(own.sort(array)) else { continue };
                    if own.sort(pointer) != index_sort || index_sort != SortId::INT {
                        continue;
                    }
                    let Some(offset) = own.value_term(&Value::Num(scalar.offset.into()), index_sort) else { continue };
                    let index = own.add(&[pointer, offset]);
                    let (term, text) = (own.select(array, index), scalar.text_behind(&text, 0));
                    if round == 0
                        && let Some(next) = scalar.target
                    {
                        pointers.push((term, text.clone(), next));
                    }
                    cells.push((term, text, &scalar.ty));
                }
            }
        }
    }

    /// Words for the variables that have one at a place in an activation, and for those of a formula.
    fn vocabulary<'b>(
        &'b self,
        pool: &'b TermPool,
        context: Option<ContextId>,
        at: Span,
        formula: TermId,
    ) -> Vocabulary<'b> {
        let origin = |id: VarId| self.map.and_then(|m| m.vars.get(id).copied()).unwrap_or((id, None));
        let read: FastSet<TermId> = pool.free_constants(formula).into_iter().collect();
        let mut words = words_of_memory(pool, self.icfg, self.table, |id| origin(id).0);
        for (id, variable) in self.icfg.vars.iter() {
            let (original, own) = origin(id);
            if own.is_some() && own != context && !read.contains(&variable.term) {
                continue;
            }
            let Some(place) = self.table.places.get(&original) else { continue };
            let is_here = (own.is_none() || own == context) && self.table.is_visible(place, at);
            let word = match (is_here, place.is_scalar()) {
                (true, true) if place.ty == SourceType::Pointer => Word::Pointer(place.text_at(&[])),
                (true, true) => Word::Value(place.text_at(&[])),
                (true, false) => Word::Array(place),
                // Of another activation, or hidden by another one of the name.
                (false, true) => {
                    let function = own.zip(self.map).and_then(|(own, map)| {
                        self.table.functions.get(&map.contexts.get(own)?.proc).map(|f| f.name.as_str())
                    });
                    Word::Outside(format!("{}::{}", function.unwrap_or_default(), place.text_at(&[])))
                }
                (false, false) => continue,
            };
            words.insert(variable.term, word);
        }
        Vocabulary::new(pool, words)
    }

    /// The constants of the variables of one activation, by the variables of the program.
    fn terms_in(&self, context: Option<ContextId>) -> BTreeMap<VarId, TermId> {
        match self.map {
            None => self.icfg.vars.iter().map(|(id, v)| (id, v.term)).collect(),
            Some(map) => map
                .vars
                .iter()
                .filter(|(_, (_, c))| c.is_none() || *c == context)
                .map(|(id, &(original, _))| (original, self.icfg.vars[id].term))
                .collect(),
        }
    }

    /// The variable of the program that one of the graph stands for.
    fn original(&self, id: VarId) -> VarId {
        self.map.and_then(|m| m.vars.get(id)).map_or(id, |&(original, _)| original)
    }
}

fn invariants(proof: &Proof<'_>, annotation: &Annotation) -> Vec<CFact> {
    let mut own = proof.pool.clone();
    let budget = Budget::with_timeout(PROJECTION_TIME);
    // Texts of the copies of a loop; a copy without a text makes the whole trivial.
    let mut copies: BTreeMap<InvariantPlace, Vec<CExpression>> = BTreeMap::new();
    for (&loc, &formula) in &annotation.invariants {
        let location = &proof.icfg.locs[loc];
        if formula == TermId::FALSE || !location.is_loop_head {
            continue;
        }
        let Some((place, scope)) = place_of(proof.table, location.span) else { continue };
        let (_, context) = proof.origin(loc);
        let terms = proof.terms_in(context);
        let cells = proof.cells_at(&mut own, scope, &terms);
        // What a cell is found by must stay: projecting memory away would lose its value.
        let mut kept: FastSet<TermId> = cells.iter().flat_map(|c| own.free_constants(c.0)).collect();
        if proof.through_pointers {
            let with_a_word = proof.vocabulary(&own, context, scope, formula);
            kept.extend(own.free_constants(formula).into_iter().filter(|t| with_a_word.is_here(*t)));
        }
        let visible = Writer::at(proof.pool, proof.table, scope, |v| terms.get(&v).copied());
        let foreign: Vec<TermId> =
            own.free_constants(formula).into_iter().filter(|t| !visible.is_named(*t) && !kept.contains(t)).collect();
        let projected = if foreign.is_empty() {
            formula
        } else {
            qe::eliminate_exists(&mut own, &foreign, formula, &qe::Options::light(), &budget).formula
        };
        let mut writer = Writer::at(&own, proof.table, scope, |v| terms.get(&v).copied());
        for (term, text, ty) in &cells {
            writer.name(*term, Named::Scalar { text: text.clone(), ty });
        }
        let said = match proof.through_pointers {
            false => writer.formula(projected),
            true => in_words(&mut writer, &proof.vocabulary(&own, context, scope, projected), &own, projected),
        };
        copies.entry(place).or_default().push(said);
    }
    let facts = copies.into_iter().map(|(at, texts)| (at, any_of(texts)));
    // What is always true is no news.
    let facts = facts.filter(|(_, expression)| !expression.is_trivial() || expression.n_dropped > 0);
    facts.map(|(at, expression)| CFact::Invariant { at, expression }).collect()
}

/// The longest text of a formula for people.
const MAX_WORDS: usize = 20_000;

/// A formula for people: its parts as C where C can say them, otherwise in the words for memory.
fn in_words(writer: &mut Writer<'_>, words: &Vocabulary<'_>, pool: &TermPool, formula: TermId) -> CExpression {
    let parts = if pool.op(formula) == Op::And { pool.args(formula).to_vec() } else { vec![formula] };
    let (mut texts, mut n_dropped, mut n_bytes) = (Vec::new(), 0, 0);
    for part in parts {
        if writer.follows_from_type(part) {
            continue;
        }
        let as_c = writer.formula(part);
        let said = if as_c.n_dropped == 0 { Some(as_c.clone()) } else { None };
        let text = match said {
            Some(said) => said.text,
            None => match words.formula(part) {
                Some(text) if n_bytes + text.len() <= MAX_WORDS => text,
                _ => {
                    n_dropped += as_c.n_dropped;
                    as_c.text
                }
            },
        };
        n_bytes += text.len();
        if text != "1" && !texts.contains(&text) {
            texts.push(text);
        }
    }
    with_validity(&mut texts);
    let text = match &texts[..] {
        [] => "1".to_string(),
        [single] => single.clone(),
        several => several
            .iter()
            .map(|t| if has_or(t) { format!("({t})") } else { t.clone() })
            .collect::<Vec<_>>()
            .join(" && "),
    };
    CExpression { text, n_dropped }
}

/// Is there a disjunction or a choice outside parentheses?
fn has_or(text: &str) -> bool {
    let mut depth = 0usize;
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '|' if before == '|' && depth == 0 => return true,
            '?' if depth == 0 => return true,
            _ => {}
        }
        before = c;
    }
    false
}

/// The disjunction of the copies of one formula.
fn any_of(mut texts: Vec<CExpression>) -> CExpression {
    let n_dropped = texts.iter().map(|t| t.n_dropped).sum();
    if texts.iter().any(CExpression::is_trivial) {
        return CExpression { text: "1".to_string(), n_dropped };
    }
    let mut seen = Vec::new();
    texts.retain(|t| {
        !seen.contains(&t.text) && {
            seen.push(t.text.clone());
            true
        }
    });
    let text = match &texts[..] {
        [single] => single.text.clone(),
        several => several.iter().map(|t| format!("({})", t.text)).collect::<Vec<_>>().join(" || "),
    };
    CExpression { text, n_dropped }
}

fn contracts(proof: &Proof<'_>, annotation: &Annotation) -> Vec<CFact> {
    let mut facts = Vec::new();
    if annotation.contracts.is_empty() {
        return facts;
    }
    // Words for globals, before and after.
    let mut of_globals: Vec<(TermId, Named<'_>)> = Vec::new();
    let mut of_olds: Vec<(TermId, Named<'_>)> = Vec::new();
    for (id, variable) in proof.icfg.vars.iter() {
        let place_of = |id: VarId| proof.table.places.get(&proof.original(id)).filter(|p| p.is_scalar());
        let is_global = |p: &&SourcePlace| proof.table.names.get(p.name).is_some_and(|n| n.scope.is_none());
        match variable.kind {
            VarKind::Global => of_globals.extend(
                place_of(id)
                    .filter(is_global)
                    .map(|p| (variable.term, Named::Scalar { text: p.text_at(&[]), ty: &p.ty })),
            ),
            VarKind::Old(global) => of_olds.extend(place_of(global).map(|p| {
                let text = format!("\\at({}, Pre)", p.text_at(&[]));
                (variable.term, Named::Scalar { text, ty: &p.ty })
            })),
            VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => {}
        }
    }
    for (&proc, contract) in &annotation.contracts {
        if contract.requires == TermId::FALSE {
            continue; // never called
        }
        let original = proof.map.and_then(|m| m.procs.get(proc).copied()).unwrap_or(proc);
        let Some(function) = proof.table.functions.get(&original) else { continue };
        let mut requires: FastMap<TermId, Named<'_>> = of_globals.iter().cloned().collect();
        let mut ensures = requires.clone();
        ensures.extend(of_olds.iter().cloned());
        for &param in &proof.icfg.procs[proc].params {
            let Some((index, ty)) = proof.table.arguments.get(&proof.original(param)) else { continue };
            let Some((name, _)) = function.params.get(*index) else { continue };
            let term = proof.icfg.term(param);
            requires.insert(term, Named::Scalar { text: name.clone(), ty });
            ensures.insert(term, Named::Scalar { text: format!("\\at({name}, Old)"), ty });
        }
        for &result in &proof.icfg.procs[proc].results {
            if let Some(ty) = proof.table.results.get(&proof.original(result)) {
                ensures.insert(proof.icfg.term(result), Named::Scalar { text: "\\result".to_string(), ty });
            }
        }
        facts.push(CFact::Contract {
            function: original,
            span: function.span,
            name: function.name.clone(),
            requires: Writer::with_names(proof.pool, proof.table, requires).formula(contract.requires),
            ensures: Writer::with_names(proof.pool, proof.table, ensures).formula(contract.ensures),
        });
    }
    facts
}

fn ranks(proof: &Proof<'_>, found: &ir::TerminationProof) -> Vec<CFact> {
    let mut facts: Vec<CFact> = Vec::new();
    if proof.icfg.has_calls() {
        // The modules speak about another graph (`ir::pending_calls`); recursion has no place for a rank in C.
        return facts;
    }
    for module in found.modules.iter().filter(|m| !m.rank.is_empty()) {
        // The rank falls where a path into a decreasing state ends.
        let decreasing = |state: &usize| module.states[*state].mode == ModuleMode::Decrease;
        let honda = module.edges.iter().find(|(_, to)| decreasing(to)).and_then(|((_, path), _)| path.last());
        let Some(&edge) = honda else { continue };
        let loc = proof.icfg.edges[edge].dst;
        let Some((at, scope)) = place_of(proof.table, proof.icfg.locs[loc].span) else { continue };
        let (_, context) = proof.origin(loc);
        let terms = proof.terms_in(context);
        let mut now = Writer::at(proof.pool, proof.table, scope, |v| terms.get(&v).copied());
        let components: Option<Vec<String>> = module.rank.iter().map(|&t| now.integer(t)).collect();
        let mut earlier = now.renamed(|text| format!("\\at({text}, AnyPrev)"));
        let before: Option<Vec<String>> = module.rank.iter().map(|&t| earlier.integer(t)).collect();
        let names: BTreeMap<TermId, &str> = proof.icfg.vars.values().map(|v| (v.term, v.name.as_str())).collect();
        let name = |_: &TermPool, t: TermId| names.get(&t).map(|n| n.to_string());
        let infix =
            |t: TermId| proof.pool.infix_with(t, MAX_RANK_SIZE, &name).unwrap_or_else(|| "a number".to_string());
        let plain = module.rank.iter().map(|&t| now.mathematical(t).unwrap_or_else(|| infix(t))).collect();
        let head = module.loop_head(proof.icfg, proof.pool).unwrap_or(loc);
        let of = place_of(proof.table, proof.icfg.locs[head].span).map_or(at, |place| place.0);
        let fact = CFact::Rank { of, plain, exact: components.zip(before).map(|(now, before)| (at, now, before)) };
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_loop_are_joined() {
        let text = |t: &str| CExpression { text: t.to_string(), n_dropped: 0 };
        assert_eq!(any_of(vec![text("x > 0"), text("x > 0")]).text, "x > 0");
        assert_eq!(any_of(vec![text("x > 0"), text("y > 0")]).text, "(x > 0) || (y > 0)");
        assert_eq!(any_of(vec![text("x > 0"), text("1")]).text, "1");
    }
}
