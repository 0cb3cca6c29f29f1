//! The examples of the page: programs of the folder `examples`, by what they show.
//!
//! The head of a program says what is asked and what is answered, as for the tests of the command line: `// property:`,
//! `// expect:` and `// args: --entry f`.

use crate::request::Language;

pub struct Example {
    /// What kind of program it is.
    pub group: &'static str,
    pub title: &'static str,
    /// The path in the repository.
    pub path: &'static str,
    pub text: &'static str,
    /// The text of an older version.
    pub old: Option<&'static str>,
}

macro_rules! example {
    ($group:literal, $title:literal, $path:literal) => {
        Example {
            group: $group,
            title: $title,
            path: $path,
            text: include_str!(concat!("../../../", $path)),
            old: None,
        }
    };
    ($group:literal, $title:literal, $path:literal, $old:literal) => {
        Example { old: Some(include_str!(concat!("../../../", $old))), ..example!($group, $title, $path) }
    };
}

pub const EXAMPLES: &[Example] = &[
    example!("Loops", "A balance that is never negative", "examples/c/account.c"),
    example!("Loops", "A loop that stops in time", "examples/first/max.bpl"),
    example!("Loops", "One iteration too many", "examples/first/off_by_one.bpl"),
    example!("Recursion", "McCarthy's 91 function", "examples/first/mccarthy91.bpl"),
    example!("Overflow", "The middle of two indices", "examples/c/midpoint.c"),
    example!("Overflow", "The same, mended", "examples/c/midpoint_fixed.c"),
    example!("Memory", "A buffer that is forgotten", "examples/c/leak.c"),
    example!("Memory", "Freed in the last iteration", "examples/first/last_round.c"),
    example!("Threads", "A lost update", "examples/threads/lost_update.c"),
    example!("Threads", "An update under a lock", "examples/threads/locked_update.c"),
    example!("Threads", "Two locks in two orders", "examples/c/two_orders.c"),
    example!("Undefined behaviour", "The mean of no numbers", "examples/c/mean.c"),
    example!("Termination", "Two counters", "examples/c/countdown.c"),
    example!("Termination", "Steps of two", "examples/termination/step_of_two.c"),
    example!("Temporal properties", "Requests are answered", "examples/ltl/requests.c"),
    example!("Temporal properties", "A broken lamp", "examples/ltl/lamp.c"),
    example!("Two versions", "A proof that is kept", "examples/upgrade/queue_2.c", "examples/upgrade/queue_1.c"),
    example!("Two versions", "A new violation", "examples/upgrade/queue_3.c", "examples/upgrade/queue_2.c"),
];

impl Example {
    pub fn language(&self) -> Language {
        if self.path.ends_with(".bpl") { Language::Boogie } else { Language::C }
    }

    /// What stands behind a word in the head of the program.
    fn said(&self, word: &str) -> Option<&'static str> {
        let comments = self.text.lines().map_while(|l| l.strip_prefix("//"));
        comments.map(str::trim).find_map(|l| Some(l.strip_prefix(word)?.strip_prefix(':')?.trim()))
    }

    pub fn property(&self) -> &'static str {
        self.said("property").unwrap_or("unreach-call")
    }

    /// The result line.
    pub fn expected(&self) -> &'static str {
        self.said("expect").unwrap_or_default()
    }

    pub fn entry(&self) -> Option<&'static str> {
        self.said("args")?.strip_prefix("--entry ")
    }

    /// The program without what is there for tests.
    pub fn source(&self) -> String {
        for_people(self.text)
    }

    pub fn old_source(&self) -> Option<String> {
        self.old.map(for_people)
    }
}

fn for_people(text: &str) -> String {
    let is_for_tests = |l: &str| ["// expect:", "// property:", "// args:"].iter().any(|w| l.starts_with(w));
    text.lines().skip_while(|l| is_for_tests(l)).map(|l| format!("{l}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Limits, Means, Request, answer};
    use base::Budget;
    use serde_json::json;
    use std::time::Duration;

    /// Every example is answered as its head says, with the means of a browser: one engine at a time.
    #[test]
    fn examples_are_answered() {
        let limits = Limits { source_bytes: 1 << 20, timeout_ms: 60_000, memory_mb: 2_000 };
        let means = Means { spawn: None, n_jobs: 1, creation_time: 0, version: "1" };
        for example in EXAMPLES {
            let request = json!({
                "kind": "check", "language": example.language(), "source": example.source(),
                "property": example.property(), "entry": example.entry(), "timeout_ms": 60_000, "old_source": example.old_source(),
            });
            let request = Request::parse(&request.to_string(), &limits).expect("a request");
            let mut result = String::new();
            answer(&request, &means, &Budget::with_timeout(Duration::from_secs(60)), &mut |event| {
                if let Event::Reply { reply } = event {
                    result = reply["result"]["result"].as_str().unwrap_or_default().to_string();
                }
            });
            let expected = example.expected();
            assert!(result == expected || result.starts_with(&format!("{expected}(")), "{}: {result}", example.path);
        }
    }
}
