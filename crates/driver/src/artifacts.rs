//! The artifacts of an answer: witnesses, and failing test harnesses.

use crate::cause;
use crate::graphs::graph_of_lasso;
use crate::load::Loaded;
use crate::outcome::{Outcome, Violation};
use crate::present::proof_in_c;
use crate::question::{Answered, Question};
use crate::validate;
use base::{Budget, FileId, Id, Span};
use ir::Subproperty;
use report::scheduled::{self, Ending, Scheduled, ThreadStep};
use report::witness::{self, Content, InvariantKind, Item, Task};
use report::{harness, standard_input, trace};
use std::collections::BTreeMap;
use std::time::Duration;

/// The file that was given is the first one read.
fn given_file(loaded: &Loaded) -> Option<FileId> {
    loaded.sources.files().map(|(id, _)| id).next()
}

/// A witness, and the number of parts of a proof that it cannot express.
pub struct Witness {
    pub text: String,
    pub n_dropped: usize,
}

/// The witness of an answer, or why there is none. `specification`: the property as SV-COMP writes it; `budget`: for
/// the relations that have to be checked before they are written.
pub fn witness(
    question: &Question<'_>,
    answered: &Answered,
    specification: &str,
    creation_time: u64,
    budget: &Budget,
) -> Result<Witness, String> {
    let loaded = &answered.loaded;
    let table = &loaded.program.source;
    let (false, Some(given)) = (table.is_empty(), given_file(loaded)) else {
        return Err("witnesses speak about C programs; no witness was written".to_string());
    };
    let subject = witness::write::Subject { sources: &loaded.sources, file: given, table };
    let mut n_dropped = 0;
    let content = match &answered.outcome {
        Outcome::Holds(proof) => {
            // A pointer may be invalid, and then a witness would be undefined.
            let (mut content, n_unsaid) = witness::write::correctness(&subject, &proof_in_c(loaded, proof, false));
            n_dropped = n_unsaid + drop_unproved(&mut content, question, budget);
            Some(content)
        }
        Outcome::Violated(violation) => {
            let threads = thread_numbers(violation);
            let thread = |step: &ir::RunStep| {
                let number = violation.thread(step.edge).and_then(|lane| threads.get(&lane));
                number.filter(|_| threads.len() > 1).map(|&n| n as u64)
            };
            witness::write::violation(&subject, &violation.original, &violation.run, &thread)
        }
        Outcome::NonTerminating(infinite) => {
            let (icfg, pool) = graph_of_lasso(&infinite.graph, &loaded.pool);
            witness::write::non_termination(&subject, &icfg, &pool, &infinite.lasso)
        }
        Outcome::Unknown(_) => return Err("there is no verdict; no witness was written".to_string()),
    };
    let content = content.ok_or("the verdict has no place in the program; no witness was written")?;
    let task = task(question, specification);
    let text = witness::write::text(&content, &task, &witness::write::iso_8601(creation_time))?;
    Ok(Witness { text, n_dropped })
}

/// The most time for relations that have to be checked before they are written.
const CHECK_TIME: Duration = Duration::from_secs(3);

/// Ranks explain why paths end, but a relation must hold between any two iterations: it is written only if it does.
/// How many were left out.
fn drop_unproved(content: &mut Content, question: &Question<'_>, budget: &Budget) -> usize {
    let Content::Invariants(items) = content else { return 0 };
    let budget = budget.child(budget.remaining().map_or(CHECK_TIME, |left| (left / 2).min(CHECK_TIME)));
    let before = items.len();
    items.retain(|item| match item {
        Item::Invariant { kind: InvariantKind::LoopTransition, .. } => validate::holds(question, item, &budget),
        Item::Invariant { .. } | Item::Contract { .. } => true,
    });
    before - items.len()
}

/// The task of a question.
fn task(question: &Question<'_>, specification: &str) -> Task {
    let source = question.source;
    let name = source.path.display().to_string();
    Task {
        input_files: vec![name.clone()],
        input_file_hashes: vec![(name, source.hash())],
        specification: specification.to_string(),
        data_model: match source.options.data_model {
            c::DataModel::Ilp32 => "ILP32",
            c::DataModel::Lp64 => "LP64",
        }
        .to_string(),
        language: "C".to_string(),
    }
}

/// A C test that fails when it is linked with the program and run, or why there is none.
pub fn harness(question: &Question<'_>, answered: &Answered) -> Result<String, String> {
    let loaded = &answered.loaded;
    let table = &loaded.program.source;
    if table.is_empty() {
        return Err("tests are made of C programs; none was written".to_string());
    }
    let Outcome::Violated(violation) = &answered.outcome else {
        return Err("there is no finite execution that fails; no test was written".to_string());
    };
    let Some(entry) = question.source.entry() else {
        return Err("a test begins in one function: name it with --entry; no test was written".to_string());
    };
    let (run, original) = (&violation.run, &violation.original);
    let message = format!("{}: {}", loaded.sources.show(run.check.span), run.check.message);
    let source = question.source;
    let others = source.options.linked.iter().map(|o| &o.path);
    let files: Vec<String> = std::iter::once(&source.path).chain(others).map(|p| p.display().to_string()).collect();
    let program = files.join(" ");
    let subject = harness::Subject {
        program: &program,
        violated: run.check.property,
        message: &message,
        entry: Some(entry).filter(|e| *e != "main"),
        table,
        standard_input: standard_input::of(original, run, &loaded.sources),
        malloc_may_fail: source.options.environment.malloc_may_fail,
    };
    let threads = thread_numbers(violation);
    let is_deadlock = run.check.property == Subproperty::NoDeadlock;
    // A single waiting thread may wake up spuriously.
    let waits = |file: FileId| loaded.sources.file(file).text.contains("pthread_cond_wait");
    if threads.len() < 2 && !is_deadlock && !given_file(loaded).is_some_and(waits) {
        return Ok(harness::text(&subject, &trace::inputs(original, run)));
    }
    let (None, [_], Some(file)) = (subject.entry, &files[..], given_file(loaded)) else {
        return Err("tests with threads are made of one file that begins in main; none was written".to_string());
    };
    let ending = match run.check.property {
        Subproperty::NoDataRace => match cause::racing_steps(loaded, violation) {
            Some(accesses) => Ending::Race(accesses),
            None => return Err("the accesses that race are not known; no test was written".to_string()),
        },
        Subproperty::NoDeadlock => Ending::Deadlock,
        _ => Ending::Failure,
    };
    let number = |edge: ir::EdgeId| violation.thread(edge).and_then(|t| threads.get(&t).copied()).unwrap_or(0);
    // Steps before the entry have no program text; the failing step is always shown.
    let is_entry =
        |s: &ir::RunStep| table.functions.values().any(|f| f.name == entry && f.span == original.edges[s.edge].span);
    let start = run.steps.iter().position(is_entry).unwrap_or(0);
    let step = |(i, step): (usize, &ir::RunStep)| {
        let span = original.edges[step.edge].span;
        let shared = violation.lanes.as_ref().and_then(|l| l.shared.get(step.edge.index()).copied().flatten());
        let shared = shared.or((i + 1 == run.steps.len()).then_some(span));
        let shared = shared.filter(|place| i >= start && !place.is_none() && !loaded.is_library(*place));
        let place = if i < start { Span::NONE } else { shared.unwrap_or(span) };
        ThreadStep { thread: number(step.edge), place, edge: step.edge.0, is_shared: shared.is_some() }
    };
    let steps: Vec<ThreadStep> = run.steps.iter().enumerate().map(step).collect();
    let inputs: Vec<(usize, trace::InputValue)> =
        run.steps.iter().filter_map(|s| Some((number(s.edge), trace::input(original, s)?))).collect();
    let source = &loaded.sources.file(file).text;
    let scheduled = Scheduled { subject, file, source, steps: &steps, inputs: &inputs, ending };
    scheduled::text(&scheduled).map_err(|why| format!("{why}; no test was written"))
}

/// The threads of an execution, numbered as they are created.
fn thread_numbers(violation: &Violation) -> BTreeMap<u32, usize> {
    let mut numbers = BTreeMap::from([(0, 0)]);
    let Some(lanes) = &violation.lanes else { return numbers };
    let icfg = &violation.original;
    for step in &violation.run.steps {
        let ir::Label::Stmt(ir::Stmt::Assign(pairs)) = &icfg.edges[step.edge].label else { continue };
        for (var, _) in pairs {
            if let Some(lane) = lanes.started_by(&icfg.vars[*var].name) {
                let next = numbers.len();
                numbers.entry(lane).or_insert(next);
            }
        }
    }
    numbers
}
