//! Verdicts as text for people and as JSON for programs.

use crate::args::Format;
use crate::check::{Answer, Loaded, Outcome};
use base::SourceMap;
use ir::{Certificate, Icfg, Note, Property};
use logic::{TermId, TermPool};
use report::c_expression::CExpression;
use report::facts::{CFact, InvariantPlace, Proof};
use report::trace::Values;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Formulas larger than this are not printed.
const MAX_FORMULA: u64 = 2_000;

/// A loop or procedure fact of a proof, in the words of the program.
pub struct Fact {
    pub line: Option<u32>,
    pub place: String,
    pub formula: String,
}

/// A step of an execution that a person wants to see.
pub struct ShownStep {
    pub place: String,
    pub line: Option<u32>,
    pub source: String,
    pub values: Vec<(String, String)>,
    pub depth: usize,
}

pub fn text(path: &Path, property: &Property, loaded: Option<&Loaded>, outcome: &Outcome, stats: bool) -> String {
    let mut out = String::new();
    let file = path.display();
    if let Some(loaded) = loaded {
        if !loaded.program.entry_note.is_empty() {
            let _ = writeln!(out, "{file}: {}", loaded.program.entry_note);
        }
        for remark in &loaded.program.assumptions {
            let _ = writeln!(out, "{}: assumed: {}", loaded.sources.show(remark.span), remark.message);
        }
    }
    match &outcome.answer {
        Answer::Holds(_) => {
            let _ = writeln!(out, "{file}: {} holds (engine {})", property.name(), outcome.engine);
            if let Some(loaded) = loaded {
                for fact in facts(loaded, outcome) {
                    let _ = writeln!(out, "  {}: {}", fact.place, fact.formula);
                }
            }
        }
        Answer::Violated(run) => {
            let check = &run.check;
            let _ = writeln!(out, "{file}: {} is violated (engine {})", property.name(), outcome.engine);
            if let Some(loaded) = loaded {
                let _ = writeln!(out, "{}: {}", loaded.sources.show(check.span), check.message);
                let _ = writeln!(out, "execution:");
                for step in shown_steps(loaded, outcome, run) {
                    let indent = "  ".repeat(step.depth);
                    let values: Vec<String> = step.values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                    let values = if values.is_empty() { String::new() } else { format!("    [{}]", values.join(", ")) };
                    let _ = writeln!(out, "  {:24} {indent}{}{values}", step.place, step.source);
                }
            }
        }
        Answer::NonTerminating(found) => {
            let _ = writeln!(out, "{file}: {} is violated (engine {})", property.name(), outcome.engine);
            if let Some(lasso) = loaded.and_then(|loaded| lasso(loaded, outcome, found)) {
                let _ = writeln!(out, "execution:");
                for (place, source, values) in lasso.stem {
                    let values: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                    let values = if values.is_empty() { String::new() } else { format!("    [{}]", values.join(", ")) };
                    let _ = writeln!(out, "  {place:24} {source}{values}");
                }
                let _ = writeln!(out, "then for ever, always with {}:", lasso.recurrence);
                for (place, source, values) in lasso.cycle {
                    let values: Vec<String> = values.iter().map(|(n, v)| format!("{n} := {v}")).collect();
                    let values = if values.is_empty() { String::new() } else { format!("    [{}]", values.join(", ")) };
                    let _ = writeln!(out, "  {place:24} {source}{values}");
                }
            }
        }
        Answer::Unknown(reason) => {
            let _ = writeln!(out, "{file}: no answer: {reason}");
            for fact in &outcome.known {
                let _ = writeln!(out, "{file}: known: {fact}");
            }
            if let Some(loaded) = loaded {
                for remark in &loaded.program.fidelity.unsound {
                    let _ = writeln!(out, "{}: not modelled: {}", loaded.sources.show(remark.span), remark.message);
                }
            }
        }
    }
    if stats {
        let _ = writeln!(out, "statistics:");
        let _ = writeln!(out, "  {:32} {:>12.3}", "wall seconds", outcome.wall.as_secs_f64());
        for (name, count) in outcome.stats.iter() {
            let _ = writeln!(out, "  {name:32} {count:>12}");
        }
        for (phase, time) in &outcome.phases {
            let _ = writeln!(out, "  {:32} {:>12.3}", format!("seconds in {phase}"), time.as_secs_f64());
        }
    }
    out
}

pub fn json(path: &Path, property: &Property, loaded: Option<&Loaded>, outcome: &Outcome) -> String {
    let mut object = json!({
        "version": 1,
        "file": path.display().to_string(),
        "property": property.name(),
        "result": outcome.answer.result(),
        "engine": outcome.engine,
        "wall_seconds": outcome.wall.as_secs_f64(),
        "statistics": outcome.stats.iter().map(|(k, v)| (k.to_string(), v)).collect::<BTreeMap<String, u64>>(),
    });
    if let Some(loaded) = loaded {
        match &outcome.answer {
            Answer::Holds(_) => {
                object["invariants"] = facts(loaded, outcome)
                    .into_iter()
                    .map(|f| json!({ "place": f.place, "line": f.line, "formula": f.formula }))
                    .collect();
            }
            Answer::Violated(run) => {
                let check = &run.check;
                object["violation"] = json!({
                    "property": check.property,
                    "message": check.message,
                    "place": loaded.sources.show(check.span),
                    "line": loaded.sources.line_of(check.span),
                });
                object["execution"] = shown_steps(loaded, outcome, run)
                    .into_iter()
                    .map(|s| {
                        let values: BTreeMap<String, String> = s.values.into_iter().collect();
                        json!({ "place": s.place, "line": s.line, "source": s.source, "values": values, "depth": s.depth })
                    })
                    .collect();
            }
            Answer::NonTerminating(found) => {
                if let Some(lasso) = lasso(loaded, outcome, found) {
                    let shown = |steps: Vec<LassoStep>| -> serde_json::Value {
                        steps
                            .into_iter()
                            .map(|(place, source, values)| {
                                let values: BTreeMap<String, String> = values.into_iter().collect();
                                json!({ "place": place, "source": source, "values": values })
                            })
                            .collect()
                    };
                    object["stem"] = shown(lasso.stem);
                    object["cycle"] = shown(lasso.cycle);
                    object["recurrence"] = json!(lasso.recurrence);
                }
            }
            Answer::Unknown(reason) => {
                object["reason"] = json!(reason.to_string());
                object["known"] = json!(outcome.known);
            }
        }
        object["assumptions"] = loaded
            .program
            .assumptions
            .iter()
            .map(|r| json!({ "place": loaded.sources.show(r.span), "message": r.message }))
            .collect();
    }
    format!("{object:#}\n")
}

/// What is printed before the RESULT line when a run had to be ended from outside.
pub fn last_words(path: &Path, property: &Property, format: Format, reason: &str) -> String {
    let file = path.display().to_string();
    match format {
        Format::Text => format!("{file}: no answer: {reason}\n"),
        Format::Json => {
            let result = format!("unknown({reason})");
            let object = json!({
                "version": 1, "file": file, "property": property.name(), "result": result, "reason": reason,
            });
            format!("{object:#}\n")
        }
    }
}

/// The facts a proof found, per loop and per procedure.
pub fn facts(loaded: &Loaded, outcome: &Outcome) -> Vec<Fact> {
    let (Answer::Holds(certificate), Some(icfg)) = (&outcome.answer, &outcome.icfg) else { return Vec::new() };
    let pool = outcome.pool.as_ref().unwrap_or(&loaded.pool);
    if !loaded.program.source.is_empty() {
        return c_facts(loaded, outcome, icfg, pool, certificate);
    }
    let mut facts = Vec::new();
    match certificate {
        Certificate::Annotation(annotation) => {
            for (&loc, &formula) in &annotation.invariants {
                let span = icfg.locs[loc].span;
                if formula == TermId::FALSE || !icfg.locs[loc].is_loop_head {
                    continue;
                }
                facts.push(Fact {
                    line: loaded.sources.line_of(span),
                    place: format!("loop at {}", place(&loaded.sources, span)),
                    formula: formula_text(pool, icfg, formula),
                });
            }
            facts.extend(contract_facts(loaded, pool, icfg, annotation, |_| None));
        }
        Certificate::TailRecursive(annotation) => {
            // The same graph that the checker makes.
            let mut own = pool.clone();
            let (mut graph, map) = ir::tail_recursion::loops_to_recursion(icfg, &mut own);
            graph.ensure_old_vars(&mut own);
            facts.extend(contract_facts(loaded, &own, &graph, annotation, |p| map.loops.get(&p).copied()));
        }
        Certificate::Termination(proof) => {
            let mut own = pool.clone();
            let expanded;
            let icfg = if icfg.has_calls() {
                facts.extend(contract_facts(loaded, pool, icfg, &proof.summaries, |_| None));
                // The same graph that the checker makes.
                (expanded, _) = ir::pending_calls::without_returns(icfg, &proof.summaries.contracts, &mut own);
                &expanded
            } else {
                icfg
            };
            let pool = &own;
            for module in proof.modules.iter().filter(|m| !m.rank.is_empty()) {
                // The rank falls where a path into a decreasing state ends.
                let decreasing = |state: &usize| module.states[*state].mode == ir::ModuleMode::Decrease;
                let honda = module.edges.iter().find(|(_, to)| decreasing(to)).and_then(|((_, path), _)| path.last());
                let Some(&edge) = honda else { continue };
                let span = icfg.locs[icfg.edges[edge].dst].span;
                let rank: Vec<String> = module.rank.iter().map(|t| formula_text(pool, icfg, *t)).collect();
                facts.push(Fact {
                    line: loaded.sources.line_of(span),
                    place: format!("loop at {}", place(&loaded.sources, span)),
                    formula: match &rank[..] {
                        [single] => format!("{single} decreases"),
                        several => format!("({}) decreases lexicographically", several.join(", ")),
                    },
                });
            }
        }
        Certificate::Unwinding(0) => {}
        Certificate::Unwinding(n) => facts.push(Fact {
            line: None,
            place: "all loops".to_string(),
            formula: format!("together at most {n} iterations, all of them examined"),
        }),
    }
    facts
}

/// The facts of a proof about a C program as C.
fn c_facts(
    loaded: &Loaded,
    outcome: &Outcome,
    icfg: &Icfg,
    pool: &TermPool,
    certificate: &Certificate,
) -> Vec<Fact> {
    let table = &loaded.program.source;
    let proof = Proof { pool, icfg, map: outcome.map.as_ref(), table, certificate };
    let said = |e: &CExpression| match e.n_dropped {
        0 => e.text.clone(),
        n => format!("{} (and {n} parts that C cannot say here)", e.text),
    };
    let at_line = |what: &str, span: base::Span| format!("{what} at {}", place(&loaded.sources, span));
    let mut shown = Vec::new();
    for fact in report::facts::facts(&proof) {
        let (span, place, formula) = match &fact {
            CFact::Invariant { at, expression } => {
                let what = if matches!(at, InvariantPlace::Loop(_)) { "loop" } else { "statement" };
                (at.span(), at_line(what, at.span()), said(expression))
            }
            CFact::Contract { span, name, requires, ensures, .. } => {
                let formula = format!("requires {}; ensures {}", said(requires), said(ensures));
                (*span, format!("function {name}"), formula)
            }
            CFact::Rank { at, components, .. } => {
                let formula = match &components[..] {
                    [single] => format!("{single} decreases"),
                    several => format!("({}) decreases lexicographically", several.join(", ")),
                };
                (at.span(), at_line("loop", at.span()), formula)
            }
            CFact::Bound(n) => {
                let formula = format!("together at most {n} iterations, all of them examined");
                (base::Span::NONE, "all loops".to_string(), formula)
            }
        };
        shown.push(Fact { line: loaded.sources.line_of(span), place, formula });
    }
    shown
}

/// A step as place, source text and values.
type LassoStep = (String, String, Vec<(String, String)>);

/// An execution that never ends, in the words of the program.
struct Lasso {
    stem: Vec<LassoStep>,
    cycle: Vec<LassoStep>,
    recurrence: String,
}

fn lasso(loaded: &Loaded, outcome: &Outcome, found: &ir::NonTermination) -> Option<Lasso> {
    let icfg = outcome.icfg.as_ref()?;
    let mut pool = outcome.pool.as_ref().unwrap_or(&loaded.pool).clone();
    let expanded;
    let icfg = if icfg.has_calls() {
        (expanded, _) = ir::pending_calls::without_returns(icfg, &BTreeMap::new(), &mut pool);
        &expanded
    } else {
        icfg
    };
    let pool = &pool;
    let step = |edge: ir::EdgeId, values: Vec<(String, String)>| -> Option<LassoStep> {
        let edge = &icfg.edges[edge];
        let hidden = edge.span.is_none() || edge.note == Note::Hidden;
        if hidden && values.is_empty() {
            return None;
        }
        let source = loaded.sources.text(edge.span).lines().next().unwrap_or("").trim().to_string();
        Some((loaded.sources.show(edge.span), source, values))
    };
    let named = |v: &ir::VarId| (!icfg.vars[*v].span.is_none()).then(|| icfg.vars[*v].name.clone());
    let stem = found.stem.steps.iter().filter_map(|s| {
        step(s.edge, s.chosen.iter().filter_map(|(v, value)| Some((named(v)?, value.show()))).collect())
    });
    let cycle = found.cycle.iter().filter_map(|s| {
        let values = s.chosen.iter().filter_map(|(v, t)| Some((named(v)?, formula_text(pool, icfg, *t))));
        step(s.edge, values.collect())
    });
    let recurrence = formula_text(pool, icfg, found.recurrence);
    Some(Lasso { stem: stem.collect(), cycle: cycle.collect(), recurrence })
}

/// Contracts as facts; `loop_of` says which procedures stand for loops.
fn contract_facts(
    loaded: &Loaded,
    pool: &TermPool,
    icfg: &Icfg,
    annotation: &ir::Annotation,
    loop_of: impl Fn(ir::ProcId) -> Option<ir::LocId>,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (&proc, contract) in &annotation.contracts {
        if contract.requires == TermId::FALSE {
            continue; // never called
        }
        let p = &icfg.procs[proc];
        let (requires, ensures) =
            (formula_text(pool, icfg, contract.requires), formula_text(pool, icfg, contract.ensures));
        let place = match loop_of(proc) {
            Some(_) => format!("loop at {}, until the procedure returns", place(&loaded.sources, p.span)),
            None => format!("procedure {}", p.name),
        };
        facts.push(Fact {
            line: loaded.sources.line_of(p.span),
            place,
            formula: format!("requires {requires}; ensures {ensures}"),
        });
    }
    facts
}

fn place(sources: &SourceMap, span: base::Span) -> String {
    match sources.position(span) {
        Some((_, line, _)) => format!("line {line}"),
        None => "an unknown place".to_string(),
    }
}

/// A formula with the names of the program's variables.
pub fn formula_text(pool: &TermPool, icfg: &Icfg, formula: TermId) -> String {
    let names: BTreeMap<TermId, &str> = icfg.vars.values().map(|v| (v.term, v.name.as_str())).collect();
    let rename = |_: &TermPool, t: TermId| names.get(&t).map(|n| n.to_string());
    pool.infix_with(formula, MAX_FORMULA, &rename).unwrap_or_else(|| "(a large formula)".to_string())
}

/// The steps of an execution that stand in the source, with the values that changed.
pub fn shown_steps(loaded: &Loaded, outcome: &Outcome, run: &ir::interp::Run) -> Vec<ShownStep> {
    let Some(icfg) = &outcome.original else { return Vec::new() };
    let mut steps: Vec<ShownStep> = Vec::new();
    let table = &loaded.program.source;
    let mut c_values = Values::new(table, icfg);
    for step in &run.steps {
        let edge = &icfg.edges[step.edge];
        let values: Vec<(String, String)> = if table.is_empty() {
            let named = step.changed.iter().filter(|(v, _)| !icfg.vars[*v].span.is_none());
            named.map(|(v, value)| (icfg.vars[*v].name.clone(), value.show())).collect()
        } else {
            c_values.changes(step)
        };
        let hidden = edge.span.is_none() || edge.note == Note::Hidden;
        if hidden && values.is_empty() {
            continue;
        }
        let source = loaded.sources.text(edge.span).lines().next().unwrap_or("").trim().to_string();
        let source = match edge.note {
            Note::Branch(taken) => format!("{source}  ({})", if taken { "yes" } else { "no" }),
            Note::None | Note::Hidden => source,
        };
        steps.push(ShownStep {
            place: loaded.sources.show(edge.span),
            line: loaded.sources.line_of(edge.span),
            source,
            values,
            depth: step.depth.saturating_sub(2),
        });
    }
    steps
}
