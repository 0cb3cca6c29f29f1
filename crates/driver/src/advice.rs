//! What blocked a run that ended without an answer, and the two or three measures that are most likely to help.
//!
//! Everything is computed from the run: which loop the examined paths went around, which engines of the plan were cut
//! off or not reached, which checks are open and where they stand. Nothing is advised that the run shows to be useless:
//! no more time if every engine gave up by itself, no engine that gave up by itself.

use crate::checks::Status;
use crate::landmarks::{Landmarks, Loop};
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
/// The number of input values that unwinding can enumerate.
const SMALL: u32 = 3;
/// In a program with more loops, a loop that was never iterated is not the obstacle.
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
                advice.extend(self.bound_input());
                advice.extend(self.time());
                advice.extend(self.part());
                if advice.len() < MAX_ADVICE {
                    advice.extend(self.bound_loop());
                }
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
        let Some((engine, took)) = cut_off.iter().max_by_key(|(name, took)| (is_search(name), **took)) else {
            return Vec::new();
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
        let more = (limit * MORE_TIME).as_secs().max(60);
        vec![with_arguments(AdviceKind::Timeout, format!("--timeout {more}s"), message)]
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
            return vec![with_arguments(AdviceKind::Engine, format!("--engine {name}"), message)];
        }
        let cut_off = self.cut_off();
        let planned = cut_off.iter().filter(|(name, _)| self.situation.planned.contains(name) && is_search(name));
        let Some((name, took)) = planned.min_by_key(|(_, took)| **took) else { return Vec::new() };
        let message = format!("it was stopped after {:.1} s, the least of all that were stopped", took.as_secs_f64());
        vec![with_arguments(AdviceKind::Engine, format!("--engine {name}"), message)]
    }

    /// Fewer values of the input that the blocking loop depends on.
    fn bound_input(&self) -> Vec<Advice> {
        // With threads it is the interleavings that are many.
        if self.landmarks().has_threads {
            return Vec::new();
        }
        // Where nothing was unrolled, one of few loops is the one.
        let loops = &self.landmarks().loops;
        let others = if loops.len() <= FEW_LOOPS { &loops[..] } else { &[] };
        let unrolled = self.blocking_loop().map(|(l, _)| l);
        let of_loop = unrolled.into_iter().chain(others).find_map(|l| {
            let line = self.sources.line_of(l.span).map_or(String::new(), |l| format!(" at line {l}"));
            Some((l.input.as_ref()?, format!("the loop{line} then ends after few iterations")))
        });
        let of_recursion =
            self.landmarks().recursive.iter().find_map(|r| {
                Some((r.input.as_ref()?, format!("the recursion of {} then ends after few calls", r.name)))
            });
        let Some((input, effect)) = of_loop.or(of_recursion) else { return Vec::new() };
        let Some((file, after_line)) = input.line_after(self.sources) else { return Vec::new() };
        let message = format!("{effect}; the answer is about these values of `{}` only", input.name);
        let text = format!("__VERIFIER_assume({});\n", input.bounded(SMALL));
        vec![Advice {
            kind: AdviceKind::BoundInput,
            message,
            arguments: None,
            edit: Some(Insertion { file, after_line, text }),
            range: Range::of(self.sources, input.span),
        }]
    }

    /// Fewer iterations of the blocking loop, if no input bounds them.
    fn bound_loop(&self) -> Vec<Advice> {
        let Some((l, _)) = self.blocking_loop() else { return Vec::new() };
        let Some((file, after_line)) = l.line_before_body(self.sources) else { return Vec::new() };
        // A loop with many iterations in every execution would never be left.
        if l.input.is_some() || l.largest_number > u64::from(SMALL) {
            return Vec::new();
        }
        let message = format!("the answer is about executions that go around the loop {SMALL} times at most");
        let text = format!("{{ static int craig_rounds; __VERIFIER_assume(++craig_rounds <= {SMALL}); }}\n");
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
        let message = "it finds the undefined behaviour that the execution depends on, with inputs".to_string();
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
                        "a model of {name}, which has no body (called at {}): docs/c.md has what is modelled",
                        self.sources.show(*span)
                    ),
                )
            }),
            None => {
                let message = "saying it otherwise: docs/c.md has what is modelled, and how".to_string();
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

fn plain(kind: AdviceKind, message: String) -> Advice {
    Advice { kind, message, arguments: None, edit: None, range: None }
}

fn with_arguments(kind: AdviceKind, arguments: String, message: String) -> Advice {
    Advice { kind, message, arguments: Some(arguments), edit: None, range: None }
}
