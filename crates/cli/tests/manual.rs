//! Every command in the manual and the README is run, and what is shown is what is printed.
//!
//! A block ```` ```console ```` has commands (`$ craig …`) with their output. Lines must appear in this order; a line
//! `…` stands for any lines, and `…` within a line for any text. The name of the engine that was first and numbers with
//! a decimal point are not compared. `[exit status: n]` is compared where it is shown, and RESULT lines must be exactly
//! those printed unless `…` stands between. Commands run in a directory of their own that has the repository's
//! `examples`.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(root().join("docs")).expect("docs").flatten().map(|e| e.path()).collect();
    pages.retain(|p| p.extension().is_some_and(|e| e == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

struct Example {
    page: String,
    line: usize,
    command: String,
    shown: Vec<String>,
}

fn examples(page: &Path) -> Vec<Example> {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for (i, line) in text.lines().enumerate() {
        match line.trim_end() {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            other => match other.strip_prefix("$ ") {
                Some(command) => found.push(Example {
                    page: page.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
                    line: i + 1,
                    command: command.to_string(),
                    shown: Vec::new(),
                }),
                None => {
                    if let Some(example) = found.last_mut() {
                        example.shown.push(other.to_string());
                    }
                }
            },
        }
    }
    found
}

/// What two runs may differ in is made the same: the engine that was first, and times.
fn comparable(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("(engine ") {
        let end = rest[at..].find(')').map_or(rest.len(), |e| at + e + 1);
        out.push_str(&rest[..at]);
        out.push_str("(engine)");
        rest = &rest[end..];
    }
    out.push_str(rest);
    let words: Vec<String> = out
        .split_whitespace()
        .map(|w| {
            if w.contains('.') && w.trim_end_matches('s').parse::<f64>().is_ok() {
                "#".to_string()
            } else {
                w.to_string()
            }
        })
        .collect();
    words.join(" ")
}

/// Does a line match a pattern in which `…` is any text?
fn matches(pattern: &str, line: &str) -> bool {
    let (pattern, line) = (comparable(pattern), comparable(line));
    let parts: Vec<&str> = pattern.split('…').map(str::trim).collect();
    let [first, rest @ ..] = &parts[..] else { return true };
    if rest.is_empty() {
        return *first == line;
    }
    let Some(mut left) = line.strip_prefix(first) else { return false };
    for (i, part) in rest.iter().enumerate() {
        let last = i + 1 == rest.len();
        match (last, left.find(part)) {
            (true, _) => return left.ends_with(part),
            (false, Some(at)) => left = &left[at + part.len()..],
            (false, None) => return false,
        }
    }
    true
}

/// The words of a command; single quotes keep what they enclose together.
fn shell_words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for c in command.chars() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn check(example: &Example, folder: &Path) -> Result<(), String> {
    let mut words = Vec::new();
    let mut output_file = None;
    let mut parts = shell_words(&example.command).into_iter();
    while let Some(word) = parts.next() {
        if word == ">" {
            output_file = parts.next();
        } else {
            words.push(word);
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["craig", arguments @ ..] = &words[..] else { return Err("only craig is run here".to_string()) };
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    command.args(arguments).current_dir(folder).env("CRAIG_CACHE_DIR", folder.join("cache"));
    let output = command.output().map_err(|e| e.to_string())?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut printed = match output_file {
        Some(file) => {
            std::fs::write(folder.join(file), &stdout).map_err(|e| e.to_string())?;
            String::new()
        }
        None => stdout,
    };
    printed.push_str(&String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = printed.lines().collect();
    let mut at = 0;
    let mut skipping = false;
    for wanted in &example.shown {
        if wanted.trim() == "…" {
            skipping = true;
            continue;
        }
        if let Some(status) = wanted.strip_prefix("[exit status: ").and_then(|s| s.strip_suffix(']')) {
            if output.status.code().map(|c| c.to_string()).as_deref() != Some(status) {
                return Err(format!("exit status {:?}, shown is {status}", output.status.code()));
            }
            continue;
        }
        let found = lines[at..].iter().position(|line| matches(wanted, line));
        match found {
            Some(0) => at += 1,
            Some(n) if skipping => at += n + 1,
            _ => return Err(format!("'{wanted}' is not printed here:\n{}", lines[at..].join("\n"))),
        }
        skipping = false;
    }
    Ok(())
}

#[test]
fn every_command_of_the_manual_does_what_it_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::os::unix::fs::symlink(root().join("examples"), folder.join("examples")).expect("a link");
    let examples: Vec<Example> = pages().iter().flat_map(|p| examples(p)).collect();
    assert!(examples.len() >= 15, "the manual has commands");
    let failures: Vec<String> = examples
        .iter()
        .filter_map(|e| Some(format!("{}:{}: $ {}\n{}", e.page, e.line, e.command, check(e, &folder).err()?)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The line that leads to the page in a browser with a command's program and settings; nothing for commands that the
/// page cannot repeat.
fn try_it(command: &str) -> Option<String> {
    let words = shell_words(command);
    let ["craig", "check", arguments @ ..] = &words.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
        return None;
    };
    let (mut file, mut settings) = (None, String::new());
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let field = match *word {
            "-p" | "--property" => "property",
            "--engine" => "engine",
            "--entry" => "entry",
            name if file.is_none() && web::examples::EXAMPLES.iter().any(|e| e.path == name) => {
                file = Some(name);
                continue;
            }
            _ => return None,
        };
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._/".contains(&b);
        let value =
            rest.next()?.bytes().map(|b| if is_plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") });
        settings.push_str(&format!("&{field}={}", value.collect::<String>()));
    }
    Some(format!("[Try it in the browser](../web/craig.html#example={}{settings})", file?))
}

/// Below each block that starts with such a command stands the link, and there are no other links to the page: they
/// cannot rot.
#[test]
fn examples_can_be_tried_in_the_browser() {
    let mut n_links = 0;
    for page in pages().iter().filter(|p| p.parent().is_some_and(|f| f.ends_with("docs"))) {
        let text = std::fs::read_to_string(page).expect("a page");
        let lines: Vec<&str> = text.lines().collect();
        let mut expected = BTreeSet::new();
        for (start, _) in lines.iter().enumerate().filter(|(_, l)| **l == "```console") {
            let length = lines[start..].iter().position(|l| *l == "```").expect("the end of a block");
            let (block, end) = (&lines[start..start + length], start + length);
            let link = block.get(1).and_then(|l| try_it(l.strip_prefix("$ ")?));
            // Blocks without a RESULT show mistakes.
            let link = link.filter(|_| block.iter().any(|l| l.starts_with("RESULT: ")));
            if let Some(link) = link {
                let shown = lines.get(end + 2).copied().unwrap_or_default();
                assert_eq!(
                    shown,
                    link,
                    "{}:{}: this line belongs below the block, after an empty one",
                    page.display(),
                    end + 1
                );
                expected.insert(end + 2);
            }
        }
        for (n, line) in lines.iter().enumerate() {
            assert!(
                !line.contains("](../web/craig.html#") || expected.contains(&n),
                "{}:{}: no block for this link",
                page.display(),
                n + 1
            );
        }
        n_links += expected.len();
    }
    assert!(n_links >= 8, "{n_links} examples of the manual can be tried");
}

#[test]
fn the_table_of_contents_lists_every_page() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("a table of contents");
    let linked: BTreeSet<String> =
        summary.split("](").skip(1).filter_map(|s| s.split(')').next()).map(str::to_string).collect();
    for page in &linked {
        assert!(root().join("docs").join(page).exists(), "SUMMARY.md lists {page}, which does not exist");
    }
    for page in pages().iter().filter(|p| p.parent().is_some_and(|f| f.ends_with("docs"))) {
        let name = page.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        assert!(name == "SUMMARY.md" || linked.contains(&name), "SUMMARY.md does not list {name}");
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|s| s.split(')').next()) {
            let target = link.split('#').next().unwrap_or("");
            if target.ends_with(".md") && !target.contains("://") {
                let folder = page.parent().expect("a folder");
                assert!(folder.join(target).exists(), "{}: {link}", page.display());
            }
        }
    }
}

#[test]
fn patterns_match_as_described() {
    assert!(matches("a …: b", "a x y: b") && !matches("a …: b", "a x: c"));
    assert!(matches("x holds (engine …)", "x holds (engine bmc)"));
    assert!(matches("done 0.123 s", "done   4.5 s") && !matches("done", "done now"));
    assert!(matches("…", "anything"));
}
