//! `craig check --explain-plan`: what would be tried for a program, in which order and for how long.

use driver::Question;
use driver::plan::{self, Choice, When};
use std::fmt::Write;

/// The plan for a question as text.
pub(crate) fn text(question: &Question<'_>) -> String {
    let explained = driver::explain(question);
    let mut out = String::new();
    let file = question.source.path.display();
    let features: Vec<&str> = explained.features.iter().map(|f| f.name()).collect();
    let features = if features.is_empty() { "none that engines ask for".to_string() } else { features.join(", ") };
    let _ = writeln!(out, "{file}: {}; features of the program: {features}", question.property.name());
    let _ = writeln!(out, "{:>2}  {:36} {:18} {:>6}  {:12} when", "#", "translation", "engines", "share", "accepts");
    let engines = |choice: Choice| match choice {
        Choice::Lanes => match question.settings.engines {
            driver::Engines::Auto => "lanes".to_string(),
            driver::Engines::Only(engine) => engine.name().to_string(),
        },
        Choice::One(name) => name.to_string(),
    };
    for (i, stage) in explained.stages.iter().enumerate() {
        let when: Vec<String> = stage.when.iter().map(|w: &When| w.name()).collect();
        let when = if when.is_empty() { "always".to_string() } else { when.join(", ") };
        let _ = writeln!(
            out,
            "{:>2}  {:36} {:18} {:>5.0}%  {:12} {when}",
            i + 1,
            stage.form.name(),
            engines(stage.engines),
            100.0 * stage.share,
            stage.accept.name()
        );
    }
    let _ = writeln!(out, "Shares are of the time that is left. The first accepted answer ends the run.");
    if *question.property == ir::Property::Termination {
        let _ = writeln!(out, "Where signed arithmetic may overflow, a stage has these steps:");
        for step in plan::OVERFLOWING {
            let numbers = if step.ends_at_overflow { "executions end at overflow" } else { "numbers go on growing" };
            let beside = if step.beside { ", beside the others if --jobs allows it" } else { "" };
            let (share, engines) = (100.0 * step.share, engines(step.engines));
            let _ = writeln!(out, "  {numbers:28} {engines:8} {share:>4.0}%  {}{beside}", step.accept.name());
        }
    }
    if question.settings.engines.is_auto() {
        let how = match question.settings.n_jobs {
            0 | 1 => "take turns, quick engines first (--jobs 1)".to_string(),
            n => format!("run side by side (--jobs {n})"),
        };
        if question.property.is_safety() {
            let (name, share) = plan::PRELUDE;
            let _ = writeln!(out, "First {name} {:.0}%: what it proves is left out for the lanes.", 100.0 * share);
        }
        let _ = writeln!(out, "The lanes {how}; engines that need what the program does not have are left out:");
        for lane in plan::lanes(question.property) {
            let has = |name: &str| {
                let profile = engine::engine_by_name(name).map(|e| e.profile());
                profile.is_some_and(|p| {
                    let follows =
                        p.wants != engine::Wants::NoCalls || !explained.features.contains(&engine::Feature::Recursion);
                    follows && p.missing(&explained.features).is_none()
                })
            };
            let legs = lane.iter().filter(|leg| has(leg.0));
            let legs: Vec<String> = legs.map(|(name, share)| format!("{name} {:.0}%", 100.0 * share)).collect();
            let _ = writeln!(out, "  {}", legs.join(", "));
        }
    }
    out
}
