//! Answers. Each kind of answer carries the evidence that was checked before it was given.

use engine::Stats;
use ir::inline::InlineMap;
use ir::{Icfg, Property, Reason, VarId};
use report::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The answer to a question.
pub enum Outcome {
    Holds(Box<Proof>),
    Violated(Box<Violation>),
    NonTerminating(Box<InfiniteExecution>),
    Unknown(Reason),
}

/// A proof that the checker accepted.
pub struct Proof {
    pub certificate: ir::Certificate,
    /// The graph that it speaks about.
    pub graph: Icfg,
    /// From that graph back to the original, if they differ.
    pub map: Option<InlineMap>,
    /// The graph as built from the program, or the product of its threads.
    pub original: Icfg,
    pub copies: Copies,
}

/// An execution that violates a check, and that was replayed.
pub struct Violation {
    pub run: ir::Run,
    /// The graph of the execution: as built from the program, or the product of its threads.
    pub original: Icfg,
    pub copies: Copies,
    /// Whose steps these are, if there are threads.
    pub lanes: Option<ir::interleave::Lanes>,
    /// With threads: the calls that lead to each step, outermost first.
    pub stacks: Vec<Vec<Frame>>,
}

/// A call on the way to a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// What is called.
    pub proc: ir::ProcId,
    pub function: String,
    /// Where; nowhere: a thread starts with it.
    pub call: base::Span,
}

/// An execution that never ends.
pub struct InfiniteExecution {
    /// The property that it violates: termination or a temporal one.
    pub property: Property,
    pub lasso: Box<ir::NonTermination>,
    /// The graph that it speaks about.
    pub graph: Icfg,
    /// From that graph back to the original, if they differ.
    pub map: Option<InlineMap>,
    /// The graph as built from the program, or the product of its threads.
    pub original: Icfg,
    /// Of a temporal property: what the execution shows.
    pub observed: Option<ObservedWord>,
    /// The execution as it was found, if this one is shorter: it counts if this one does something undefined.
    pub longer: Option<Box<InfiniteExecution>>,
    /// Whose steps the edges of the graph are, if there are threads; what is no thread's step has no name.
    pub lanes: Option<ir::interleave::Lanes>,
}

/// What an infinite execution shows to a temporal formula.
pub struct ObservedWord {
    pub formula: String,
    pub propositions: Vec<String>,
    /// By the numbers of the steps after which something is observed.
    pub stem: Vec<(usize, Observation)>,
    pub cycle: Vec<(usize, Observation)>,
}

/// One observation: the truth of the propositions, and where it takes the automaton of the negated formula.
#[derive(Clone, Copy)]
pub struct Observation {
    pub letter: automata::ltl::Letter,
    pub watch: ir::temporal::Watch,
}

/// The variables of a graph: those of the program, or, in a product of threads, copies of them (each with its
/// original).
pub(crate) type Copies = Option<Vec<(VarId, VarId)>>;

impl Violation {
    /// The thread that takes a step; the root is 0.
    pub(crate) fn thread(&self, edge: ir::EdgeId) -> Option<u32> {
        self.lanes.as_ref()?.of_edge.get(base::Id::index(edge)).copied()
    }

    /// The threads that take part, by name.
    pub(crate) fn thread_names(&self) -> BTreeMap<u32, String> {
        let steps = self.run.steps.iter().filter_map(|s| self.thread(s.edge));
        self.lanes.as_ref().map_or(BTreeMap::new(), |lanes| names_of_threads(lanes, steps))
    }
}

/// The names of the threads that take these steps: the function that each runs, with a number if several run it.
pub(crate) fn names_of_threads(
    lanes: &ir::interleave::Lanes,
    steps: impl Iterator<Item = u32>,
) -> BTreeMap<u32, String> {
    let mut seen = BTreeSet::from([0]);
    let mut alike: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for thread in steps {
        if seen.insert(thread)
            && let Some(name) = lanes.procs.get(thread as usize)
        {
            alike.entry(name).or_default().push(thread);
        }
    }
    let mut names = BTreeMap::from([(0, "main".to_string())]);
    for (name, threads) in alike {
        for (i, thread) in threads.iter().enumerate() {
            names.insert(*thread, if threads.len() > 1 { format!("{name} {}", i + 1) } else { name.to_string() });
        }
    }
    names
}

impl Outcome {
    pub fn is_definite(&self) -> bool {
        !matches!(self, Outcome::Unknown(_))
    }
    /// The answer without its evidence.
    pub fn answer(&self) -> Answer {
        match self {
            Outcome::Holds(_) => Answer::Holds,
            Outcome::Violated(violation) => Answer::Violated(violation.run.check.property.to_string()),
            Outcome::NonTerminating(infinite) => Answer::Violated(infinite.property.name().to_string()),
            Outcome::Unknown(reason) => Answer::Unknown(reason.to_string()),
        }
    }
    /// The same answer about a product of threads, whose steps are those of threads.
    /// `graph` is the one with calls, which were inlined by `map` before the threads were multiplied.
    pub(crate) fn in_lanes(mut self, lanes: ir::interleave::Lanes, graph: &Icfg, map: &InlineMap) -> Outcome {
        if let Outcome::Violated(violation) = &mut self {
            let stack = |step: &ir::RunStep| {
                let from = lanes.from.get(base::Id::index(step.edge));
                from.and_then(|loc| map.locs.get(*loc)).map_or(Vec::new(), |&(_, context)| frames(graph, map, context))
            };
            violation.stacks = violation.run.steps.iter().map(stack).collect();
            violation.lanes = Some(lanes);
        }
        self
    }
    /// The same answer about a product of threads, whose variables are copies.
    pub(crate) fn about_copies(mut self, of_variables: Vec<(VarId, VarId)>) -> Outcome {
        match &mut self {
            Outcome::Holds(proof) => proof.copies = Some(of_variables),
            Outcome::Violated(violation) => violation.copies = Some(of_variables),
            Outcome::NonTerminating(_) | Outcome::Unknown(_) => {}
        }
        self
    }
}

/// An answer, who found it, and what that took.
pub struct Finding {
    pub outcome: Outcome,
    pub engine: String,
    pub stats: Stats,
    pub phases: Vec<(String, Duration)>,
    /// No execution with fewer loop iterations violates the property; 0 if nothing is known.
    pub safe_below: u64,
}

impl Finding {
    pub(crate) fn new(outcome: Outcome, engine: &str) -> Finding {
        Finding { outcome, engine: engine.to_string(), stats: Stats::default(), phases: Vec::new(), safe_below: 0 }
    }
    pub(crate) fn unknown(reason: Reason, engine: &str) -> Finding {
        Finding::new(Outcome::Unknown(reason), engine)
    }
}

/// The calls that lead to a context.
fn frames(graph: &Icfg, map: &InlineMap, context: ir::inline::ContextId) -> Vec<Frame> {
    let sites: Vec<&ir::CallSite> = map.call_string(context).iter().map(|s| &graph.call_sites[*s]).collect();
    let first = sites.first().map_or(map.contexts[context].proc, |site| site.caller);
    let frame = |proc: ir::ProcId, call: base::Span| Frame { proc, function: graph.procs[proc].name.clone(), call };
    let calls = sites.iter().map(|s| frame(s.callee, graph.edges[s.call_edge].span));
    std::iter::once(frame(first, base::Span::NONE)).chain(calls).collect()
}
