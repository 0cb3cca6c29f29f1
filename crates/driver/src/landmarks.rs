//! The places of a program that searches get stuck at: loops and the inputs that bound them, recursion, products. Found
//! once, before anything runs, so that a run that is ended from outside can still say what was in its way.

use crate::load::Loaded;
use base::{SourceMap, Span};
use ir::{Icfg, Label, Nondet, ProcId, Stmt, VarId};
use logic::{Op, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Default, Debug)]
pub(crate) struct Landmarks {
    pub(crate) loops: Vec<Loop>,
    /// Functions that call themselves, perhaps through others.
    pub(crate) recursive: Vec<Recursion>,
    pub(crate) has_threads: bool,
    pub(crate) is_c: bool,
    /// Calls of functions without a body that something is not known of.
    pub(crate) without_body: Vec<(String, Span)>,
    /// A product of variables.
    pub(crate) product: Option<Span>,
    /// The functions of the program, in the order of its text, by where they start.
    functions: Vec<(Span, String)>,
    /// Where executions start.
    entries: Vec<String>,
}

/// A loop of the source.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The whole statement.
    pub(crate) span: Span,
    /// The first statement of its body.
    first: Option<Span>,
    /// Its condition compares with a number as large as this.
    pub(crate) largest_number: u64,
    /// What its heads in the graph are called.
    heads: BTreeSet<Span>,
    /// The inputs that its condition depends on.
    pub(crate) inputs: Vec<Input>,
    /// Whether it goes on is read from outside in every iteration.
    pub(crate) is_chosen: bool,
}

/// A function that calls itself.
#[derive(Clone, Debug)]
pub(crate) struct Recursion {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The inputs that it is called with.
    pub(crate) inputs: Vec<Input>,
}

/// A variable that holds an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    is_signed: bool,
    /// The call that returned it, and the statement that the call stands in.
    pub(crate) span: Span,
    statement: Option<Span>,
}

/// A variable that is computed from an input by more than this is none.
const MAX_DERIVED_SIZE: usize = 12;

impl Landmarks {
    pub(crate) fn of(loaded: &Loaded, graph: &Icfg) -> Landmarks {
        let table = &loaded.program.source;
        let is_ours = |span: Span| span.is_none() || loaded.is_library(span);
        let mut functions: Vec<(Span, String)> =
            table.functions.values().filter(|f| !is_ours(f.span)).map(|f| (f.span, f.name.clone())).collect();
        functions.sort();
        let inputs = inputs(loaded, graph);
        // What prepares the world before the program starts calls the function that it starts in.
        let starts = |p: &ProcId| -> Vec<ProcId> {
            match table.functions.contains_key(p) {
                true => vec![*p],
                false => graph.call_sites.values().filter(|s| s.caller == *p).map(|s| s.callee).collect(),
            }
        };
        let entries = loaded.program.entries.iter().flat_map(starts);
        let entries = entries.filter_map(|p| table.functions.get(&p)).map(|f| f.name.clone()).collect();
        let product = graph.edges.values().find(|e| !is_ours(e.span) && has_product(&loaded.pool, &e.label));
        Landmarks {
            loops: loops(loaded, graph, &inputs).into_iter().filter(|l| !is_ours(l.span)).collect(),
            recursive: recursive(graph, &inputs).into_iter().filter(|r| !is_ours(r.span)).collect(),
            without_body: without_body(loaded),
            has_threads: loaded.program.has_threads(),
            is_c: !table.is_empty(),
            product: product.map(|e| e.span),
            functions,
            entries,
        }
    }

    /// The loop that a head of the graph belongs to.
    pub(crate) fn loop_of(&self, head: Span) -> Option<&Loop> {
        self.loops.iter().find(|l| l.heads.contains(&head))
    }

    /// The function whose body a span lies in, if executions do not start there.
    pub(crate) fn inner_function(&self, span: Span) -> Option<&str> {
        let before = self.functions.iter().filter(|(f, _)| f.file == span.file && f.start <= span.start);
        let name = before.max_by_key(|(f, _)| f.start).map(|(_, name)| name.as_str())?;
        (!self.entries.iter().any(|e| e == name)).then_some(name)
    }
}

impl Loop {
    /// The line after which a statement can be inserted that is executed first in every iteration.
    pub(crate) fn line_before_body(&self, sources: &SourceMap) -> Option<(String, u32)> {
        let first = self.first?;
        let file = sources.file(first.file);
        // A declaration starts at its declarator, so the line is that of the brace.
        let text = file.text.get(self.span.start as usize..first.start as usize)?;
        let brace = self.span.start as usize + text.rfind('{')?;
        let rest = file.text.get(brace + 1..)?.lines().next()?.trim();
        (rest.is_empty() || rest.starts_with("//")).then(|| (file.name.clone(), file.line_col(brace as u32).0))
    }
}

/// A restriction of inputs.
pub(crate) struct Bound {
    pub(crate) file: String,
    /// It stands after this line.
    pub(crate) after_line: u32,
    pub(crate) condition: String,
    pub(crate) names: Vec<String>,
    pub(crate) span: Span,
}

/// Restricts inputs to a few small values, behind the last of them: all that are read in the same block.
pub(crate) fn bounded(inputs: &[Input], bound: u32, sources: &SourceMap) -> Option<Bound> {
    let last = inputs.iter().filter(|i| i.line_after(sources).is_some()).max_by_key(|i| i.span.start)?;
    let (file, after_line) = last.line_after(sources)?;
    let end = last.statement?.end;
    let is_beside = |input: &&Input| {
        let Some(statement) = input.statement.filter(|s| s.file == last.span.file && s.end <= end) else {
            return false;
        };
        let between = sources.file(statement.file).text.get(statement.end as usize..end as usize).unwrap_or("}");
        let mut depth = 0;
        let stays = between.chars().all(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth >= 0
        });
        stays && depth == 0
    };
    let beside: Vec<&Input> = inputs.iter().filter(is_beside).collect();
    Some(Bound {
        file,
        after_line,
        condition: beside.iter().map(|i| i.bounded(bound)).collect::<Vec<_>>().join(" && "),
        names: beside.iter().map(|i| i.name.clone()).collect(),
        span: last.span,
    })
}

impl Input {
    /// The input and a few small values of it.
    fn bounded(&self, bound: u32) -> String {
        let name = &self.name;
        if self.is_signed { format!("-{bound} <= {name} && {name} <= {bound}") } else { format!("{name} <= {bound}") }
    }

    /// The line after which a statement can be inserted that restricts it: the physical one on which its own statement
    /// ends.
    fn line_after(&self, sources: &SourceMap) -> Option<(String, u32)> {
        let statement = self.statement?;
        let file = sources.file(statement.file);
        let text = &file.text;
        let end = text.get(statement.end as usize..)?.find(';')? + statement.end as usize;
        let rest = text.get(end + 1..)?;
        let on_line = rest.lines().next().unwrap_or_default();
        let is_plain = !on_line.contains(['{', '}', '(']) && !rest.trim_start().starts_with("else");
        let between = text.get(statement.end as usize..end)?;
        (is_plain && !between.contains(['{', '}'])).then(|| (file.name.clone(), file.line_col(end as u32).0))
    }
}

/// The variables of the source that hold inputs, by their constants, with the value's own statement.
fn inputs(loaded: &Loaded, graph: &Icfg) -> BTreeMap<TermId, Input> {
    let pool = &loaded.pool;
    let mut holds: BTreeMap<TermId, Span> = BTreeMap::new();
    for edge in graph.edges.values() {
        if let Label::Stmt(Stmt::Havoc(vars, Nondet::Input(_))) = &edge.label {
            holds.extend(vars.iter().map(|&v| (graph.term(v), edge.span)));
        }
    }
    // Through temporaries, conversions and calls of small functions.
    for _ in 0..4 {
        let before = holds.len();
        let mut flows = |to: VarId, from: TermId| {
            if pool.dag_size(from) <= MAX_DERIVED_SIZE
                && let Some(&span) = pool.free_constants(from).iter().find_map(|t| holds.get(t))
            {
                holds.entry(graph.term(to)).or_insert(span);
            }
        };
        for edge in graph.edges.values() {
            if let Label::Stmt(Stmt::Assign(pairs)) = &edge.label {
                pairs.iter().for_each(|&(v, t)| flows(v, t));
            }
        }
        for site in graph.call_sites.values() {
            let params = graph.procs[site.callee].params.clone();
            params.iter().zip(&site.args).for_each(|(&p, &a)| flows(p, a));
        }
        if holds.len() == before {
            break;
        }
    }
    let mut found = BTreeMap::new();
    for (&var, place) in &loaded.program.source.places {
        let signed = match &place.ty {
            ir::source::SourceType::Int { signed, .. } => *signed,
            _ => continue,
        };
        let term = graph.term(var);
        if let Some(&span) = holds.get(&term).filter(|_| place.is_scalar()) {
            let table = &loaded.program.source;
            let statement = table.statement_around(span);
            // Behind its statement the variable has to hold the input, and its name has to mean it.
            let is_inside = |s: Span, edge: Span| s.file == edge.file && s.start <= edge.start && edge.end <= s.end;
            let is_set = |s: Span| graph.edges.values().any(|e| is_inside(s, e.span) && graph.writes(&e.label, var));
            if statement.is_some_and(|s| table.is_visible(place, Span { start: s.end, ..s }) && is_set(s)) {
                found.insert(term, Input { name: place.text_at(&[]), is_signed: signed, span, statement });
            }
        }
    }
    // What is computed from a variable that holds an input is bounded by bounding that.
    let own: BTreeMap<Span, Input> = found.values().rev().map(|i| (i.span, i.clone())).collect();
    for (&term, span) in &holds {
        if let Some(input) = own.get(span) {
            found.entry(term).or_insert_with(|| input.clone());
        }
    }
    found
}

fn loops(loaded: &Loaded, graph: &Icfg, inputs: &BTreeMap<TermId, Input>) -> Vec<Loop> {
    let table = &loaded.program.source;
    let heads = graph.locs.values().filter(|l| l.is_loop_head && !l.span.is_none());
    let mut found: BTreeMap<Span, Loop> = BTreeMap::new();
    for head in heads {
        let source = table.loop_at(head.span);
        let span = source.map_or(head.span, |l| l.span);
        let entry = found.entry(span).or_insert_with(|| {
            let input_in = |part: Span| {
                let inside = |s: Span| s.file == part.file && part.start <= s.start && s.end <= part.end;
                let mut read = BTreeSet::new();
                for edge in graph.edges.values().filter(|e| inside(e.span)) {
                    if let Label::Stmt(Stmt::Assume(condition)) = &edge.label {
                        read.extend(loaded.pool.free_constants(*condition));
                    }
                }
                // One that is read anew in every iteration bounds nothing.
                let is_before =
                    |i: &&Input| !(i.span.file == span.file && span.start <= i.span.start && i.span.end <= span.end);
                distinct(read.iter().filter_map(|t| inputs.get(t)).filter(is_before))
            };
            let condition = source.and_then(|l| l.condition);
            let of_condition = condition.map_or(Vec::new(), input_in);
            let inputs = if of_condition.is_empty() { input_in(span) } else { of_condition };
            // Without a condition that says something, whatever is read decides.
            let is_constant = condition.is_none_or(|c| loaded.sources.text(c).trim().parse::<i64>().is_ok());
            let decided_by = condition.filter(|_| !is_constant).unwrap_or(span);
            let is_read = |e: &ir::Edge| {
                let is_inside =
                    e.span.file == decided_by.file && decided_by.start <= e.span.start && e.span.end <= decided_by.end;
                is_inside && matches!(e.label, Label::Stmt(Stmt::Havoc(_, Nondet::Input(_))))
            };
            let is_chosen = graph.edges.values().any(is_read);
            let largest_number = source.and_then(|l| l.condition).map_or(0, |c| largest_number(&loaded.pool, graph, c));
            let first = source.map(|l| l.first);
            Loop { span, first, largest_number, heads: BTreeSet::new(), inputs, is_chosen }
        });
        entry.heads.insert(head.span);
    }
    found.into_values().collect()
}

/// At most so many inputs are bounded together.
const MAX_INPUTS: usize = 4;

/// The first few inputs, each once.
fn distinct<'a>(inputs: impl Iterator<Item = &'a Input>) -> Vec<Input> {
    let mut found: Vec<Input> = Vec::new();
    for input in inputs {
        if found.len() < MAX_INPUTS && !found.contains(input) {
            found.push(input.clone());
        }
    }
    found
}

/// The calls that remarks of the front end stand at, of functions that the program does not define.
fn without_body(loaded: &Loaded) -> Vec<(String, Span)> {
    let fidelity = &loaded.program.fidelity;
    let remarks = fidelity.unsound.iter().chain(&fidelity.imprecise).filter(|r| !r.span.is_none());
    let called = remarks.filter_map(|r| {
        let (name, _) = loaded.sources.text(r.span).split_once('(')?;
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_defined = loaded.program.source.functions.values().any(|f| name == f.name);
        (is_name && !is_defined).then(|| (name.to_string(), r.span))
    });
    called.collect()
}

/// The largest number in the conditions that stand in a part of the text.
fn largest_number(pool: &TermPool, graph: &Icfg, part: Span) -> u64 {
    let inside = |s: Span| s.file == part.file && part.start <= s.start && s.end <= part.end;
    let mut largest = 0;
    for edge in graph.edges.values().filter(|e| inside(e.span)) {
        if let Label::Stmt(Stmt::Assume(condition)) = &edge.label {
            pool.visit_postorder(&[*condition], |t| {
                let number = pool.number(t).and_then(|n| n.to_i64()).map_or(0, i64::unsigned_abs);
                largest = largest.max(number);
            });
        }
    }
    largest
}

fn has_product(pool: &TermPool, label: &Label) -> bool {
    let roots: Vec<TermId> = match label {
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|(_, t)| *t).collect(),
        Label::Stmt(Stmt::Assume(condition)) => vec![*condition],
        _ => return false,
    };
    let mut found = false;
    pool.visit_postorder(&roots, |t| {
        let is_constant = |t: TermId| matches!(pool.op(t), Op::Num(_) | Op::BvNum(_));
        if matches!(pool.op(t), Op::Mul | Op::BvMul) {
            found |= pool.args(t).iter().filter(|&&a| !is_constant(a)).count() > 1;
        }
    });
    found
}

/// The procedures that are in a cycle of calls.
fn recursive(graph: &Icfg, inputs: &BTreeMap<TermId, Input>) -> Vec<Recursion> {
    let mut callees: BTreeMap<ProcId, BTreeSet<ProcId>> = BTreeMap::new();
    for site in graph.call_sites.values() {
        callees.entry(site.caller).or_default().insert(site.callee);
    }
    let reaches_itself = |p: ProcId| {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<ProcId> = callees.get(&p).into_iter().flatten().copied().collect();
        while let Some(q) = waiting.pop() {
            if q == p {
                return true;
            }
            if seen.insert(q) {
                waiting.extend(callees.get(&q).into_iter().flatten());
            }
        }
        false
    };
    let found = graph.procs.iter().filter(|(p, _)| reaches_itself(*p));
    let recursion = |p: &ir::IcfgProc| Recursion {
        name: p.name.clone(),
        span: p.span,
        inputs: distinct(p.params.iter().filter_map(|&v| inputs.get(&graph.term(v)))),
    };
    found.map(|(_, procedure)| recursion(procedure)).collect()
}
