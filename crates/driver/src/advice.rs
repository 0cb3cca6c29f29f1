//! What blocked a run that ended without an answer, and the two or three measures that are most likely to help.
//!
//! Everything is computed from the run: which loop the examined paths went around, which engines of the plan were cut
//! off or not reached, which checks are open and where they stand. Nothing is advised that the run shows to be useless:
//! no more time if every engine gave up by itself, no engine that gave up by itself.

use crate::checks::Status;
use crate::landmarks::{Landmarks, Loop, bounded};
use crate::observer::{EngineRun, Situation};
use crate::settings::Settings;
use base::{SourceMap, Span, Stop};
use ir::{Property, Reason, Subproperty};
use report::{Advice, AdviceKind, Answer, Insertion, Obstacle, ObstacleKind, Range, ReasonKind};
use std::collections::BTreeMap;
use std::time::Duration;

/// More would not be read.
const MAX_ADVICE: usize = 3;
/// A loop that paths iterated more often than this was unrolled in vain.
const MIN_UNROLLED: u32 = 3;
/// Values of an input that unwinding gets through, and of each of several.
const SMALL: u32 = 3;
const SMALLER: u32 = 2;
/// In a program with more loops, one that nobody went around is not what blocks.
const FEW_LOOPS: usize = 3;
/// The factor by which the limit is increased.
const MORE_TIME: u32 = 6;

/// The run that ended.
pub struct Run<'a> {
    pub situation: &'a Situation,
    pub property: &'a Property,
    pub settings: &'a Settings,
    pub sources: &'a SourceMap,
    pub reason: &'a Reason,
}

impl Run<'_> {
    fn landmarks(&self) -> &Landmarks {
        &self.situation.landmarks
    }

    /// The loop that was unrolled the furthest, if any was.
    fn blocking_loop(&self) -> Option<(&Loop, crate::observer::Unrolled)> {
        let found = self.situation.unrolled.iter().filter(|(_, u)| u.times >= MIN_UNROLLED);
        let found = found.filter_map(|(&head, &u)| Some((self.landmarks().loop_of(head)?, u)));
        found.max_by_key(|(_, u)| (u.times, u.n_paths))
    }

    fn is_search(&self) -> bool {
        matches!(ReasonKind::of(self.reason), ReasonKind::Timeout | ReasonKind::OutOfMemory | ReasonKind::Incomplete)
    }

    /// The obstacle.
    pub fn obstacles(&self) -> Vec<Obstacle> {
        let mut found = Vec::new();
        if !self.is_search() {
            return found;
        }
        let mut add = |kind: ObstacleKind, span: Span, message: String| {
            let (place, range) = (self.sources.show(span), Range::of(self.sources, span));
            found.push(Obstacle { kind, message, place, range });
        };
        if let Some((l, u)) = self.blocking_loop() {
            let message = format!(
                "this loop: {} followed it for {} iterations and found nothing that holds after any number of them",
                u.engine, u.times
            );
            add(ObstacleKind::Loop, l.span, message);
        }
        for r in self.landmarks().recursive.iter().take(2) {
            add(ObstacleKind::Recursion, r.span, format!("the recursion of {}: its calls are not inlined", r.name));
        }
        if let Some(span) = self.landmarks().product.filter(|_| !self.landmarks().loops.is_empty()) {
            add(
                ObstacleKind::Product,
                span,
                "a product of variables: invariants with products are searched for in few forms".to_string(),
            );
        }
        found
    }

    /// What is most likely to help, the best first.
    pub fn advice(&self) -> Vec<Advice> {
        let mut advice = match ReasonKind::of(self.reason) {
            ReasonKind::Cancelled => Vec::new(),
            ReasonKind::Internal | ReasonKind::Rejected => {
                let mut advice =
                    vec![plain(AdviceKind::Report, "reporting it with the program: it is a bug in craig".to_string())];
                advice.extend(self.engine());
                advice
            }
            ReasonKind::Undefined => self.undefined(),
            ReasonKind::Unsupported | ReasonKind::NotExact => self.not_modelled(),
            ReasonKind::UnsupportedProperty => self.engine(),
            ReasonKind::OutOfMemory => {
                let mut advice = self.memory();
                advice.extend(self.bound_input());
                advice.extend(self.engine());
                advice.extend(self.part());
                advice
            }
            ReasonKind::Timeout | ReasonKind::Incomplete => {
                let is_auto = self.settings.engines.is_auto();
                let mut advice = if is_auto { Vec::new() } else { self.engine() };
                let bounds = self.bound_input();
                advice.extend(if bounds.is_empty() { self.bound_loop() } else { bounds });
                advice.extend(self.time());
                advice.extend(self.part());
                if is_auto {
                    advice.extend(self.engine());
                }
                advice
            }
        };
        advice.truncate(MAX_ADVICE);
        advice
    }

    /// More time, if something was cut off.
    fn time(&self) -> Vec<Advice> {
        let Some(limit) = self.settings.timeout else { return Vec::new() };
        let cut_off = self.cut_off();
        let more = format!("--timeout {}s", more_seconds(limit));
        let Some((engine, took)) = cut_off.iter().max_by_key(|(name, took)| (is_search(name), **took)) else {
            // Between engines: a translation, a product of threads.
            let message = "the limit came while the program was being translated".to_string();
            let is_timeout = ReasonKind::of(self.reason) == ReasonKind::Timeout;
            return is_timeout.then(|| with_arguments(AdviceKind::Timeout, more, message)).into_iter().collect();
        };
        let n_proved = self.situation.checks.iter().filter(|c| c.status == Status::Proved).count();
        let (n_cut, n_checks) = (cut_off.len(), self.situation.checks.len());
        let round = self
            .situation
            .rounds
            .get(engine)
            .filter(|r| **r > 0)
            .map_or(String::new(), |r| format!(", in iteration {r}"));
        let checks = match n_proved {
            0 => String::new(),
            _ => format!("; {n_proved} of {n_checks} checks are proved so far"),
        };
        let engines = if n_cut == 1 { "engine was" } else { "engines were" };
        let message = format!(
            "{n_cut} {engines} stopped by the limit, {engine} after {:.1} s{round}{checks}",
            took.as_secs_f64()
        );
        vec![with_arguments(AdviceKind::Timeout, more, message)]
    }

    /// Twice the memory.
    fn memory(&self) -> Vec<Advice> {
        let Some(memory) = self.settings.memory else { return Vec::new() };
        let message = "the search was stopped by the limit".to_string();
        vec![with_arguments(AdviceKind::Memory, format!("--memory {}MB", memory / 1_000_000 * 2), message)]
    }

    /// The engines that ran out of time, with the time that they had.
    fn cut_off(&self) -> BTreeMap<&'static str, Duration> {
        let mut found: BTreeMap<&'static str, Duration> = BTreeMap::new();
        for run in self.situation.timeline.iter().filter(|r| is_cut_off(r)) {
            *found.entry(run.engine).or_default() += run.took;
        }
        found
    }

    /// One engine with all the time: one that was not reached, or the one that had the least.
    fn engine(&self) -> Vec<Advice> {
        if !self.settings.engines.is_auto() {
            let message = format!("there are other engines than {}", self.settings.engines.name());
            return vec![with_arguments(AdviceKind::Engine, "--engine auto".to_string(), message)];
        }
        let ran = |name: &str| self.situation.timeline.iter().any(|r| r.engine == name);
        let missed = self.situation.planned.iter().find(|name| !ran(name) && is_search(name));
        if let Some(name) = missed {
            let message = "the plan has it, but the limit came first".to_string();
            return vec![with_arguments(AdviceKind::Engine, format!("--engine {name}{}", self.more_time()), message)];
        }
        let cut_off = self.cut_off();
        let planned = cut_off.iter().filter(|(name, _)| self.situation.planned.contains(name) && is_search(name));
        let Some((name, took)) = planned.min_by_key(|(_, took)| **took) else { return Vec::new() };
        let message = format!("it was stopped after {:.1} s, the least of all that were stopped", took.as_secs_f64());
        vec![with_arguments(AdviceKind::Engine, format!("--engine {name}{}", self.more_time()), message)]
    }

    /// The limit for one engine alone.
    fn more_time(&self) -> String {
        self.settings.timeout.map_or(String::new(), |limit| format!(" --timeout {}s", more_seconds(limit)))
    }

    /// Fewer values of the inputs that the blocking loop depends on.
    fn bound_input(&self) -> Vec<Advice> {
        // With threads it is the interleavings that are many.
        if self.landmarks().has_threads {
            return Vec::new();
        }
        // Where nothing was unrolled, one of few loops is the one.
        let loops = &self.landmarks().loops;
        let others = if loops.len() <= FEW_LOOPS { &loops[..] } else { &[] };
        let unrolled = self.blocking_loop().map(|(l, _)| l);
        let of_loop = unrolled.into_iter().chain(others).find(|l| !l.inputs.is_empty()).map(|l| {
            let line = self.sources.line_of(l.span).map_or(String::new(), |l| format!(" at line {l}"));
            (&l.inputs, format!("the loop{line} then ends after few iterations"))
        });
        let recursive = self.landmarks().recursive.iter().find(|r| !r.inputs.is_empty());
        let of_recursion =
            recursive.map(|r| (&r.inputs, format!("the recursion of {} then ends after few calls", r.name)));
        let Some((inputs, effect)) = of_loop.or(of_recursion) else { return Vec::new() };
        let small = if inputs.len() > 1 { SMALLER } else { SMALL };
        let Some(bound) = bounded(inputs, small, self.sources) else { return Vec::new() };
        let names: Vec<String> = bound.names.iter().map(|n| format!("`{n}`")).collect();
        let message = format!("{effect}; the answer is about these values of {} only", names.join(" and "));
        let text = format!("__VERIFIER_assume({});\n", bound.condition);
        vec![Advice {
            kind: AdviceKind::BoundInput,
            message,
            arguments: None,
            edit: Some(Insertion { file: bound.file, after_line: bound.after_line, text }),
            range: Range::of(self.sources, bound.span),
        }]
    }

    /// Fewer iterations of the blocking loop, if no input bounds them.
    fn bound_loop(&self) -> Vec<Advice> {
        // Whatever is cut off ends.
        if matches!(self.property, Property::Termination | Property::Ltl(_)) {
            return Vec::new();
        }
        if self.landmarks().has_threads {
            return Vec::new();
        }
        // A loop that is left when the environment says so, or that was unrolled. One that goes around many times in
        // every execution would never be left.
        let loops = &self.landmarks().loops;
        let chosen = loops.iter().filter(|l| l.is_chosen);
        let unrolled = self.blocking_loop().map(|(l, _)| l);
        let is_fit = |l: &&Loop| l.inputs.is_empty() && l.largest_number <= u64::from(SMALL);
        let mut fit = unrolled.into_iter().chain(chosen).filter(is_fit);
        let placed = fit.find_map(|l| Some((l, l.line_before_body(self.sources)?)));
        let Some((l, (file, after_line))) = placed else { return Vec::new() };
        let message = format!("the answer is about executions with at most {SMALL} iterations of this loop");
        let text = format!("{{ static int craig_iterations; __VERIFIER_assume(++craig_iterations <= {SMALL}); }}\n");
        vec![Advice {
            kind: AdviceKind::BoundLoop,
            message,
            arguments: None,
            edit: Some(Insertion { file, after_line, text }),
            range: Range::of(self.sources, l.span),
        }]
    }

    /// A part of the question: the function with all that is open, or the part of the property that is.
    fn part(&self) -> Vec<Advice> {
        let mut advice = Vec::new();
        let open: Vec<&ir::Check> =
            self.situation.checks.iter().filter(|c| c.status == Status::Open).map(|c| &c.check).collect();
        if open.len() == self.situation.checks.len() && open.len() > 1 || self.property.subproperties().len() > 1 {
            advice.extend(self.narrower(&open));
        }
        let functions: Vec<Option<&str>> = open.iter().map(|c| self.landmarks().inner_function(c.span)).collect();
        let has_loop =
            |f: &str| self.landmarks().loops.iter().any(|l| self.landmarks().inner_function(l.span) == Some(f));
        if let Some(Some(function)) = functions.first()
            && functions.iter().all(|f| *f == Some(function))
            && has_loop(function)
        {
            let message = format!("every open check stands in {function}; alone, it is checked with any arguments");
            advice.push(with_arguments(AdviceKind::Entry, format!("--entry {function}"), message));
        }
        advice
    }

    /// A property with fewer of the open checks.
    fn narrower(&self, open: &[&ir::Check]) -> Option<Advice> {
        let own = self.property.subproperties();
        let mut count: BTreeMap<Subproperty, usize> = BTreeMap::new();
        open.iter().for_each(|c| *count.entry(c.property).or_default() += 1);
        let alone = |s: Subproperty| {
            let property = crate::property::NAMES.iter().filter_map(|n| crate::property::by_name(n));
            property.into_iter().find(|p| p.subproperties() == [s] && p != self.property)
        };
        let candidates = own.iter().filter_map(|&s| Some((alone(s)?, count.get(&s).copied().unwrap_or(0))));
        let (property, n) = candidates.filter(|(_, n)| *n > 0).min_by_key(|(_, n)| *n)?;
        (n < open.len()).then(|| {
            let message = format!("it has {n} of the {} open checks, and what is found of them stays true", open.len());
            with_arguments(AdviceKind::Property, format!("-p {}", property.name()), message)
        })
    }

    /// The property that has the undefined behaviour as a violation.
    fn undefined(&self) -> Vec<Advice> {
        let message = "it finds the undefined behaviour, with inputs, or shows that there is none".to_string();
        vec![with_arguments(AdviceKind::Property, "-p undefined".to_string(), message)]
    }

    /// An alternative for the construct that is not modelled.
    fn not_modelled(&self) -> Vec<Advice> {
        let mut advice = Vec::new();
        match self.landmarks().without_body.first() {
            Some((name, span)) => advice.push(Advice {
                range: Range::of(self.sources, *span),
                ..plain(
                    AdviceKind::Define,
                    format!(
                        "a model of {name}, a definition with a body: it is called at {} and has none; docs/c.md lists what is modelled",
                        self.sources.show(*span)
                    ),
                )
            }),
            None => {
                let page = if self.landmarks().is_c { "docs/c.md" } else { "docs/boogie.md" };
                let message = format!("another way to write what is named above: {page} lists what is modelled");
                advice.push(plain(AdviceKind::Rewrite, message));
            }
        }
        advice.extend(self.part());
        advice
    }
}

/// Does an engine search until it has an answer? The others had their time.
fn is_search(name: &str) -> bool {
    engine::engine_by_name(name).is_some_and(|e| e.profile().cost == engine::Cost::Search)
}

fn is_cut_off(run: &EngineRun) -> bool {
    // What has taken no time was running when the run was ended.
    run.took.is_zero()
        || [Stop::Timeout, Stop::Cancelled]
            .iter()
            .any(|stop| Answer::from(run.result.clone()) == Answer::Unknown(stop.to_string()))
}

/// So many seconds are more than a limit.
fn more_seconds(limit: Duration) -> u64 {
    (limit * MORE_TIME).as_secs().max(60)
}

fn plain(kind: AdviceKind, message: String) -> Advice {
    Advice { kind, message, arguments: None, edit: None, range: None }
}

fn with_arguments(kind: AdviceKind, arguments: String, message: String) -> Advice {
    Advice { kind, message, arguments: Some(arguments), edit: None, range: None }
}
