//! Results as BenchExec writes them, for its `table-generator`: one `.xml` file, or `.xml.bz2`.

use super::score::{Outcome, Results, Status};
use base::Stop;
use report::Answer;
use report::escape::xml;
use std::io::Write;
use std::path::Path;

/// Writes the results; compressed if the name says so.
pub(super) fn write(path: &Path, results: &Results) -> Result<(), String> {
    let text = render(results);
    let bytes = if path.extension().is_some_and(|e| e == "bz2") {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).map_err(|e| e.to_string())?
    } else {
        text.into_bytes()
    };
    std::fs::write(path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn render(results: &Results) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\"?>\n\
         <!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN' \
         'https://www.sosy-lab.org/benchexec/result-3.0.dtd'>\n",
    );
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    let now = report::witness::write::iso_8601(now);
    let (day, time) = now.trim_end_matches('Z').split_once('T').unwrap_or_default();
    out.push_str(&format!(
        "<result benchmarkname=\"craig\" date=\"{day} {time} UTC\" starttime=\"{day}T{time}+00:00\" \
         tool=\"Craig\" toolmodule=\"craig.toolinfo\" version=\"{}\" generator=\"craig bench\" options=\"--engine {}\" \
         timelimit=\"{}s\" memlimit=\"{}B\">\n",
        xml(&results.craig),
        xml(&results.engine),
        results.timeout_seconds,
        results.memory_bytes
    ));
    out.push_str("  <columns>\n");
    for title in ["status", "cputime", "walltime", "memory", "host"] {
        out.push_str(&format!("    <column title=\"{title}\"/>\n"));
    }
    out.push_str("  </columns>\n");
    let hosts: std::collections::BTreeSet<&str> = results.tasks.iter().map(|o| o.host.as_str()).collect();
    for host in hosts {
        out.push_str(&system(host));
    }
    for outcome in &results.tasks {
        out.push_str(&run(outcome));
    }
    out.push_str("</result>\n");
    out
}

/// A machine. What it is made of is known of this one only.
fn system(host: &str) -> String {
    let is_here = host == crate::host::name();
    let read = |path: &str| if is_here { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
    let field = |text: &str, name: &str| {
        let value = text.lines().find_map(|l| l.strip_prefix(name)).and_then(|l| l.split_once(':'));
        value.map_or_else(|| "unknown".to_string(), |(_, v)| v.trim().to_string())
    };
    let cpu = read("/proc/cpuinfo");
    let cores = cpu.lines().filter(|l| l.starts_with("processor")).count();
    let cores = if cores == 0 { "unknown".to_string() } else { cores.to_string() };
    let memory = field(&read("/proc/meminfo"), "MemTotal");
    let memory = memory.strip_suffix(" kB").and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) * 1024;
    format!(
        "  <systeminfo hostname=\"{}\">\n    <os name=\"{}\"/>\n    <cpu model=\"{}\" cores=\"{cores}\"/>\n    \
         <ram size=\"{memory}B\"/>\n    <environment/>\n  </systeminfo>\n",
        xml(host),
        std::env::consts::OS,
        xml(&field(&cpu, "model name"))
    )
}

fn run(o: &Outcome) -> String {
    let column = |title: &str, value: &str| format!("    <column title=\"{title}\" value=\"{}\"/>\n", xml(value));
    let expected = match &o.expected {
        Some(verdict) => format!(" expectedVerdict=\"{}\"", xml(verdict)),
        None => String::new(),
    };
    let (status, category) = words(o);
    let mut out = format!(
        "  <run name=\"{}\" files=\"[{}]\" properties=\"{}\"{expected}>\n",
        xml(&o.task),
        xml(&o.file),
        xml(&o.property)
    );
    out.push_str(&format!("    <column title=\"category\" value=\"{category}\" hidden=\"true\"/>\n"));
    out.push_str(&column("status", &status));
    out.push_str(&column("cputime", &format!("{:.3}s", o.cpu_seconds)));
    out.push_str(&column("walltime", &format!("{:.3}s", o.wall_seconds)));
    out.push_str(&column("memory", &format!("{}B", o.memory_bytes)));
    out.push_str(&column("host", &o.host));
    out.push_str("  </run>\n");
    out
}

/// A result in BenchExec's words: the status that is shown, and its category.
fn words(o: &Outcome) -> (String, &'static str) {
    let status = match Answer::from(o.result.clone()) {
        Answer::BadInput => return (o.result.replacen("error", "ERROR", 1), "error"),
        Answer::Unknown(reason) if reason == Stop::Timeout.to_string() => return ("TIMEOUT".to_string(), "error"),
        Answer::Unknown(reason) if reason == Stop::OutOfMemory.to_string() => {
            return ("OUT OF MEMORY".to_string(), "error");
        }
        Answer::Unknown(_) => "unknown".to_string(),
        verdict => verdict.to_string(),
    };
    let category = match o.status {
        Status::CorrectTrue | Status::CorrectFalse => "correct",
        Status::WrongTrue | Status::WrongFalse => "wrong",
        Status::Unknown => "unknown",
        Status::Unrated => "missing",
    };
    (status, category)
}
