//! Questions about programs.

use crate::host::Sealed;
use crate::request::{Check, DataModel, Integers, Language};
use crate::{Event, Means};
use base::Budget;
use driver::{
    Answered, Engines, Observer, Question, ReadOptions, Settings, Situation, Source, Status, artifacts, present,
    property,
};
use ir::Property;
use report::{Answer, FileResult, Problem};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What the program is called in messages and witnesses.
pub fn file_name(language: Language) -> &'static str {
    match language {
        Language::C => "program.c",
        Language::Boogie => "program.bpl",
    }
}

/// The same for its old version.
fn old_file_name(language: Language) -> &'static str {
    match language {
        Language::C => "old.c",
        Language::Boogie => "old.bpl",
    }
}

/// What is said about the change from an old version, and its text.
struct Versions {
    upgrade: report::upgrade::Upgrade,
    old_text: String,
}

/// Answers a question about a program.
pub fn reply(asked: &Check, means: &Means, budget: &Budget, tell: &mut dyn FnMut(Event)) -> Value {
    let (property, settings, options) = match understood(asked, means) {
        Ok(understood) => understood,
        Err(message) => return not_read(asked, message),
    };
    tell(Event::Stage { stage: "reading" });
    let name = Path::new(file_name(asked.language));
    let host = Arc::new(Sealed::new(file_name(asked.language), &asked.source, means.spawn));
    let source = match Source::read(name, &options, host).and_then(|source| source.for_property(&property)) {
        Ok(source) => source,
        Err(why) => return short_reply(&present::bad_input(name, &property, &why)),
    };
    let mut question = Question::new(&source, &property, &settings);
    let Some(old_text) = &asked.old_source else {
        tell(Event::Stage { stage: "checking" });
        let answered = driver::check(&question, budget, &mut Watcher::new(tell, &source));
        tell(Event::Stage { stage: "writing" });
        return full_reply(asked, &question, &answered, None, means, budget);
    };
    // The old version first; what was found about it are candidates for the new one.
    let name = Path::new(old_file_name(asked.language));
    let host = Arc::new(Sealed::new(old_file_name(asked.language), old_text, means.spawn));
    let old = match Source::read(name, &options, host).and_then(|source| source.for_property(&property)) {
        Ok(source) => source,
        Err(why) => return short_reply(&present::bad_input(name, &property, &why)),
    };
    tell(Event::Stage { stage: "checking the old version" });
    let old_question = Question::new(&old, &property, &settings);
    let half = budget.child(Duration::from_millis(asked.timeout_ms / 2));
    let mut old_answered = driver::check(&old_question, &half, &mut Watcher::new(tell, &old));
    let old_time = old_answered.wall;
    let known = driver::learn(&old_question, &mut old_answered, old_time, driver::Purpose::Store);
    question.reuse = vec![Arc::new(known)];
    tell(Event::Stage { stage: "checking the new version" });
    let mut answered = driver::check(&question, budget, &mut Watcher::new(tell, &source));
    let time = answered.wall;
    let facts = driver::learn(&question, &mut answered, time, driver::Purpose::Report);
    let old_has_it = matches!(facts.result, Answer::Violated(_))
        && driver::upgrade::also_violated(&old_question, &facts, &budget.child(TIME_FOR_OLD));
    let upgrade = driver::upgrade::compare(&question.reuse[0], &facts, &answered, time, old_has_it);
    tell(Event::Stage { stage: "writing" });
    let versions = Versions { upgrade, old_text: old_text.clone() };
    full_reply(asked, &question, &answered, Some(versions), means, budget)
}

/// So much time for a look whether the old version has the new one's violation.
const TIME_FOR_OLD: Duration = Duration::from_secs(2);

/// A reply without an answer, and why there is none.
pub fn unknown_reply(asked: &Check, reason: &str) -> Value {
    let answer = Answer::Unknown(reason.to_string());
    short_reply(&FileResult::bare(file_name(asked.language), &asked.property, answer))
}

/// The settings that were asked for, or what is wrong with them.
fn understood(asked: &Check, means: &Means) -> Result<(Property, Settings, ReadOptions), String> {
    let names = || property::NAMES.join(", ");
    let property = property::by_name(&asked.property)
        .ok_or_else(|| format!("unknown property '{}'; there are {}", asked.property, names()))?;
    let engines = Engines::by_name(&asked.engine).ok_or_else(|| format!("unknown engine '{}'", asked.engine))?;
    let settings = Settings {
        engines,
        integers: match asked.integers {
            Integers::Int => driver::Integers::Int,
            Integers::Bitvec => driver::Integers::Bitvec,
            Integers::Auto => driver::Integers::Auto,
        },
        n_jobs: means.n_jobs.max(1),
        ..Settings::default()
    };
    let options = ReadOptions {
        data_model: match asked.data_model {
            DataModel::Ilp32 => c::DataModel::Ilp32,
            DataModel::Lp64 => c::DataModel::Lp64,
        },
        builtin_headers_only: true,
        entries: asked.entry.iter().filter(|e| !e.is_empty()).cloned().collect(),
        ..ReadOptions::default()
    };
    Ok((property, settings, options))
}

fn not_read(asked: &Check, message: String) -> Value {
    let mut found = FileResult::bare(file_name(asked.language), &asked.property, Answer::BadInput);
    found.problems = vec![Problem { rendered: format!("craig: {message}\n"), message, range: None }];
    short_reply(&found)
}

fn short_reply(found: &FileResult) -> Value {
    json!({ "kind": "check", "result": found, "message": found.message(), "advice": found.advice.iter().map(ToString::to_string).collect::<Vec<_>>(), "text": report::text::render(found, false) })
}

fn full_reply(
    asked: &Check,
    question: &Question<'_>,
    answered: &Answered,
    versions: Option<Versions>,
    means: &Means,
    budget: &Budget,
) -> Value {
    let mut found = present::result(question.source, question.property, answered);
    let (upgrade, old_text) = versions.map_or((None, None), |v| (Some(v.upgrade), Some(v.old_text)));
    found.upgrade = upgrade;
    let pictures = present::pictures(answered);
    let drawn = |graphs: &[(String, report::svg::Graph)]| -> Vec<Value> {
        let draw = |(title, graph): &(String, report::svg::Graph)| json!({ "title": title, "svg": report::svg::draw(graph, title), "nodes": graph.nodes.len() });
        graphs.iter().map(draw).collect()
    };
    // The numbers of the edges, for the pictures; documents that are kept do not have them.
    let edges: Vec<Option<u32>> = found.steps().map(|(step, _)| step.edge).collect();
    let entry = question.source.entry().unwrap_or("main");
    let specification = property::specification(question.property, entry).join("\n");
    let witness = match question.property {
        Property::Ltl(_) => Err("there are no witnesses for temporal properties".to_string()),
        _ => artifacts::witness(question, answered, &specification, means.creation_time, budget).map(|w| w.text),
    };
    let page = present::html_page(answered, &found, means.version, &|f| f.text.clone(), old_text);
    let mut reply = short_reply(&found);
    reply["text"] = json!(report::text::render(&found, true));
    reply["edges"] = json!(edges);
    reply["pictures"] =
        json!({ "control_flow": drawn(&pictures.control_flow), "abstraction": drawn(&pictures.abstraction) });
    let stem = file_name(asked.language).split('.').next().unwrap_or_default();
    let download = |name: String, kind: &str, made: Result<String, String>| match made {
        Ok(text) => json!({ "name": name, "type": kind, "text": text }),
        Err(why) => json!({ "name": name, "why": why }),
    };
    reply["downloads"] = json!({
        "report": download(format!("{stem}.html"), "text/html", Ok(page)),
        "witness": download(format!("{stem}.witness.yml"), "text/yaml", witness),
        "harness": download(format!("{stem}.harness.c"), "text/x-c", artifacts::harness(question, answered)),
        "sarif": download(format!("{stem}.sarif"), "application/json", Ok(report::sarif::render(std::slice::from_ref(&found), means.version))),
        "json": download(format!("{stem}.json"), "application/json", Ok(report::json::one(&found))),
    });
    reply
}

/// Passes on what engines report, not too often.
struct Watcher<'a> {
    tell: &'a mut dyn FnMut(Event),
    source: &'a Source,
    /// Who was heard last, and when.
    told: Option<(String, Duration)>,
}

const PAUSE: Duration = Duration::from_millis(100);

impl<'a> Watcher<'a> {
    fn new(tell: &'a mut dyn FnMut(Event), source: &'a Source) -> Watcher<'a> {
        Watcher { tell, source, told: None }
    }
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, engine: &str, round: u64, detail: &str) {
        let now = self.source.host.now();
        let is_news = |(last, when): &(String, Duration)| last != engine || now.saturating_sub(*when) > PAUSE;
        if self.told.as_ref().is_none_or(is_news) {
            let (engine, detail) = (engine.to_string(), detail.to_string());
            self.told = Some((engine.clone(), now));
            (self.tell)(Event::Progress { engine, round, detail });
        }
    }
    fn situation(&mut self, now: &Situation) {
        if now.checks.is_empty() {
            return;
        }
        let count = |status: Status| now.checks.iter().filter(|c| c.status == status).count();
        let (proved, violated, open) = (count(Status::Proved), count(Status::Violated), count(Status::Open));
        (self.tell)(Event::Checks { proved, violated, open });
    }
    fn ended(&mut self, engine: &str) {
        (self.tell)(Event::Ended { engine: engine.to_string() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Request, answer};

    fn asked(request: &Value) -> Value {
        let limits = Limits { source_bytes: 1 << 20, timeout_ms: 20_000, memory_mb: 1_000 };
        let request = Request::parse(&request.to_string(), &limits).expect("a request");
        let means = Means { spawn: None, n_jobs: 1, creation_time: 0, version: "1" };
        let mut last = Value::Null;
        answer(&request, &means, &Budget::with_timeout(Duration::from_secs(20)), &mut |event| {
            if let Event::Reply { reply } = event {
                last = reply;
            }
        });
        last
    }

    #[test]
    fn a_violation_has_all_that_the_page_shows() {
        let source = "int main(void) { int x = 2147483647; x = x + 1; return x; }";
        let reply = asked(&json!({ "kind": "check", "language": "c", "source": source, "property": "no-overflow" }));
        assert_eq!(reply["result"]["result"], "false(no-overflow)");
        assert_eq!(reply["result"]["violation"]["range"]["line"], 1);
        assert_eq!(reply["edges"].as_array().map(Vec::len), reply["result"]["execution"].as_array().map(Vec::len));
        assert!(reply["pictures"]["control_flow"][0]["svg"].as_str().is_some_and(|s| s.starts_with("<svg")));
        for name in ["report", "witness", "harness", "sarif", "json"] {
            assert!(reply["downloads"][name]["text"].is_string(), "{name}: {}", reply["downloads"][name]);
        }
    }

    #[test]
    fn a_proof_has_invariants_at_lines() {
        let source =
            "procedure main()\n{\n  var x: int;\n  x := 0;\n  while (*) { x := x + 1; }\n  assert x >= 0;\n}\n";
        let reply =
            asked(&json!({ "kind": "check", "language": "boogie", "source": source, "property": "unreach-call" }));
        assert_eq!(reply["result"]["result"], "true");
        assert_eq!(reply["result"]["invariants"][0]["line"], 5);
    }

    /// A violation that the old version does not have is new; one that it has is not.
    #[test]
    fn versions_are_compared() {
        let version = |limit: u32| {
            format!(
                "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint get(void) {{ return __VERIFIER_nondet_int(); }}\n\
                 int main(void) {{ int x = get(); if (x > 3 && x < {limit}) reach_error(); return 0; }}\n"
            )
        };
        for (old, new, result, state) in [
            (4, 4, "true", None),
            (4, 9, "false(unreach-call)", Some("new")),
            (9, 9, "false(unreach-call)", Some("old")),
            (9, 4, "true", Some("fixed")),
        ] {
            let request = json!({
                "kind": "check", "language": "c", "source": version(new), "old_source": version(old), "property": "unreach-call",
            });
            let reply = asked(&request);
            assert_eq!(reply["result"]["result"], result, "{old} to {new}");
            assert_eq!(reply["result"]["upgrade"]["violations"][0]["state"].as_str(), state, "{old} to {new}: {reply}");
            assert!(reply["downloads"]["report"]["text"].as_str().is_some_and(|t| t.contains("class=\"versions\"")));
        }
    }

    /// No path leads out: neither absolute nor relative ones, nor devices, nor a name that a macro makes.
    #[test]
    fn nothing_outside_the_request_is_read() {
        let includes = [
            "#include \"/etc/passwd\"",
            "#include </etc/passwd>",
            "#include \"../../../../../../etc/passwd\"",
            "#include \"/dev/zero\"",
            "#include \"/proc/self/environ\"",
            "#define NAME \"/etc/passwd\"\n#include NAME",
            "#include_next </etc/passwd>",
            "#include \"program.c\"",
            "#include \"Cargo.toml\"",
        ];
        for include in includes {
            let source = format!("{include}\nint main(void) {{ return 0; }}\n");
            let reply =
                asked(&json!({ "kind": "check", "language": "c", "source": source, "property": "unreach-call" }));
            assert_eq!(reply["result"]["result"], "error", "{include}");
            let message = reply["result"]["problems"][0]["message"].as_str().unwrap_or_default();
            assert!(message.contains("not available: only the headers of the C library"), "{include}: {message}");
            assert!(!reply.to_string().contains("root:"), "{reply}");
        }
        let has = "#if __has_include(\"/etc/passwd\") || __has_include(</etc/passwd>)\n#error leak\n#endif\nint main(void) { return 0; }\n";
        let reply = asked(&json!({ "kind": "check", "language": "c", "source": has, "property": "unreach-call" }));
        assert_eq!(reply["result"]["result"], "true", "{reply}");
    }

    #[test]
    fn wrong_settings_are_told() {
        let with = |property: &str, engine: &str| {
            let request =
                json!({ "kind": "check", "language": "c", "source": "", "property": property, "engine": engine });
            asked(&request)["result"]["problems"][0]["message"].as_str().unwrap_or_default().to_string()
        };
        assert!(with("correctness", "auto").starts_with("unknown property 'correctness'; there are unreach-call"));
        assert_eq!(with("termination", "z3"), "unknown engine 'z3'");
        assert!(with("/etc/passwd.prp", "auto").starts_with("unknown property"));
    }
}
