//! How suites say what they expect.
//!
//! | style | where | expectation |
//! |---|---|---|
//! | CBMC, ESBMC | `test.desc` | `VERIFICATION SUCCESSFUL` or `FAILED`; options name the checks: [`super::test_desc`] |
//! | SV-COMP | `NAME.yml` | `expected_verdict` of each property: [`super::task_definition`] |
//! | Goblint | comments | `RACE!` and `NORACE`; `__goblint_check(e)`, with `FAIL` or `UNKNOWN` behind it or not |
//! | SeaHorn | comments | `// CHECK: ^unsat$` holds, `^sat$` is violated |
//! | names | `NAME_true-PROPERTY.c`, `NAME_false-PROPERTY.c` | as they say |

use super::{task_definition, test_desc};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// By what is in the folder; `test.desc` is ESBMC's where a path says so, else CBMC's.
    Auto,
    Cbmc,
    Esbmc,
    SvComp,
    Goblint,
    SeaHorn,
    Names,
}

impl Style {
    pub(super) fn parse(text: &str) -> Result<Style, String> {
        Ok(match text {
            "auto" => Style::Auto,
            "cbmc" => Style::Cbmc,
            "esbmc" => Style::Esbmc,
            "sv-comp" => Style::SvComp,
            "goblint" => Style::Goblint,
            "seahorn" => Style::SeaHorn,
            "names" => Style::Names,
            other => {
                return Err(format!("--style is auto, cbmc, esbmc, sv-comp, goblint, seahorn or names, not '{other}'"));
            }
        })
    }
}

#[derive(Clone, Debug)]
pub(super) enum Program {
    File(PathBuf),
    /// With definitions of what the other tool knows by itself.
    Rewritten {
        text: String,
        /// Where its own headers are.
        folder: PathBuf,
    },
}

/// One question.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub name: String,
    /// The folder of folders that it belongs to, in the table.
    pub suite: String,
    pub program: Program,
    pub properties: Vec<String>,
    /// Options of craig.
    pub options: Vec<String>,
    pub expected: Option<bool>,
    /// Violations that the other tool was not asked for: parts of a property, as in `false(part)`.
    pub ignored: Vec<&'static str>,
}

/// Either tests, or the reason why there are none.
pub(super) type Found = Result<Vec<Test>, String>;

/// All tests below a folder, and how many were left out for which reason.
pub(super) fn tests_of(folder: &Path, style: Style) -> Result<(Vec<Test>, BTreeMap<String, usize>), String> {
    let mut files = Vec::new();
    collect(folder, &mut files).map_err(|e| format!("{}: {e}", folder.display()))?;
    files.sort();
    let (mut tests, mut skipped) = (Vec::new(), BTreeMap::new());
    for file in &files {
        let found = match read(file, style) {
            Some(Ok(found)) => found,
            Some(Err(reason)) => {
                *skipped.entry(reason).or_default() += 1;
                continue;
            }
            None => continue,
        };
        let inside = file.strip_prefix(folder).unwrap_or(file);
        let suite = match inside.components().count() {
            0 | 1 => ".".to_string(),
            n => {
                let depth = if n > 2 { n - 2 } else { 1 };
                inside.components().take(depth).map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
            }
        };
        for mut test in found {
            test.suite.clone_from(&suite);
            tests.push(test);
        }
    }
    Ok((tests, skipped))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// `None` for what is no test of the style.
fn read(file: &Path, style: Style) -> Option<Found> {
    let name = file.file_name()?.to_string_lossy().into_owned();
    let text = || std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).ok();
    if name == "test.desc" {
        let is_esbmc = match style {
            Style::Auto => file.to_string_lossy().contains("esbmc"),
            Style::Cbmc => false,
            Style::Esbmc => true,
            _ => return None,
        };
        return Some(test_desc::read(file, &text()?, is_esbmc));
    }
    if name.ends_with(".yml") && matches!(style, Style::Auto | Style::SvComp) {
        return Some(task_definition::read(file, &text()?));
    }
    if !name.ends_with(".c") && !name.ends_with(".i") {
        return None;
    }
    let is = |one: Style| style == one || style == Style::Auto;
    if is(Style::Names)
        && let Some(test) = by_name(file, &name)
    {
        return Some(Ok(vec![test]));
    }
    let text = text()?;
    if is(Style::Goblint) && text.contains("PARAM:") || style == Style::Goblint {
        return Some(goblint(file, &text));
    }
    if is(Style::SeaHorn) && text.contains("// CHECK: ^") {
        return Some(seahorn(file, &text));
    }
    None
}

pub(super) fn test(file: &Path, property: &str, expected: Option<bool>, model: &str) -> Test {
    Test {
        name: format!("{} {property}", file.display()),
        suite: String::new(),
        program: Program::File(file.to_path_buf()),
        properties: vec![property.to_string()],
        options: vec!["--data-model".to_string(), model.to_string()],
        expected,
        ignored: Vec::new(),
    }
}

/// `NAME_true-unreach-call.c`, `NAME_false-valid-deref.i`.
fn by_name(file: &Path, name: &str) -> Option<Test> {
    let (at, expected) = match (name.find("_true-"), name.find("_false-")) {
        (Some(at), None) => (at + "_true-".len(), true),
        (None, Some(at)) => (at + "_false-".len(), false),
        _ => return None,
    };
    let property = name[at..].split(['.', '_']).next()?;
    let property = match property {
        "unreach-call" | "unreach-label" | "assert" => "unreach-call",
        "valid-deref" | "valid-free" | "valid-memtrack" | "valid-memsafety" => "valid-memsafety",
        "no-overflow" | "termination" | "valid-memcleanup" | "no-data-race" => property,
        _ => return None,
    };
    Some(test(file, property, Some(expected), "ILP32"))
}

fn goblint(file: &Path, text: &str) -> Found {
    let mut tests = Vec::new();
    let comments: Vec<&str> = text.lines().filter_map(|l| Some(l.split_once("//")?.1.trim())).collect();
    let any = |word: &str| comments.iter().any(|c| c.contains(word));
    if any("RACE") {
        let expected = if any("RACE!") { Some(false) } else { (!comments.iter().any(|c| is_race(c))).then_some(true) };
        tests.push(test(file, "no-data-race", expected, "LP64"));
    }
    let checks: Vec<&str> = text.lines().filter(|l| l.contains("__goblint_check(")).collect();
    if !checks.is_empty() {
        let says = |line: &&&str, word: &str| line.split_once("//").is_some_and(|(_, c)| c.contains(word));
        let n_open = checks.iter().filter(|l| says(l, "UNKNOWN") || says(l, "TODO") || says(l, "NOWARN")).count();
        let expected = if checks.iter().any(|l| says(&l, "FAIL") && !says(&l, "TODO")) {
            Some(false)
        } else {
            (n_open == 0).then_some(true)
        };
        let mut one = test(file, "unreach-call", expected, "LP64");
        one.program = Program::Rewritten {
            text: format!("{GOBLINT}{}", text.replace("#include <goblint.h>", "")),
            folder: file.parent().unwrap_or(Path::new(".")).to_path_buf(),
        };
        tests.push(one);
    }
    if tests.is_empty() { Err("Goblint: neither races nor checks".into()) } else { Ok(tests) }
}

/// A race that the other tool reports, rightly or not.
fn is_race(comment: &str) -> bool {
    comment.split(|c: char| !c.is_ascii_alphanumeric() && c != '!').any(|word| word == "RACE" || word == "RACE!")
}

const GOBLINT: &str = "extern void reach_error(void);\n#define __goblint_check(e) ((e) ? (void)0 : reach_error())\n#define __goblint_assume(e) __VERIFIER_assume(e)\nextern void __VERIFIER_assume(int);\n";

fn seahorn(file: &Path, text: &str) -> Found {
    let expected = match (text.contains("CHECK: ^unsat$"), text.contains("CHECK: ^sat$")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => return Err("SeaHorn: several expectations".into()),
    };
    let mut one = test(file, "unreach-call", expected, "LP64");
    one.program = Program::Rewritten {
        text: format!(
            "{SEAHORN}{}",
            text.replace("#include \"seahorn/seahorn.h\"", "").replace("#include <seahorn/seahorn.h>", "")
        ),
        folder: file.parent().unwrap_or(Path::new(".")).to_path_buf(),
    };
    Ok(vec![one])
}

const SEAHORN: &str = "extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n#define sassert(e) ((e) ? (void)0 : reach_error())\n#define assume(e) __VERIFIER_assume(e)\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn suite() -> (Vec<Test>, BTreeMap<String, usize>) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers");
        tests_of(&folder, Style::Auto).unwrap_or_default()
    }

    /// What each test of our own suite asks and expects.
    #[test]
    fn every_convention_is_read() {
        let (tests, skipped) = suite();
        let shown: Vec<String> = tests
            .iter()
            .map(|t| {
                let name = t.name.rsplit("tests/peers/").next().unwrap_or("");
                format!("{name}: {} {:?} {}", t.properties.join("+"), t.expected, t.options.join(" "))
            })
            .collect();
        let wanted = [
            "cbmc/assertion/test.desc: unreach-call+valid-memsafety+no-overflow Some(false) --data-model LP64",
            "cbmc/entry/test.desc: unreach-call+valid-memsafety+no-overflow Some(true) --data-model ILP32 --entry f -D N=3",
            "cbmc/unwound/test.desc: unreach-call None --data-model LP64",
            "esbmc/bounds/test.desc: unreach-call+valid-memsafety Some(false) --data-model LP64",
            "esbmc/overflow/test.desc: unreach-call+no-overflow Some(true) --data-model LP64",
            "goblint/01-race.c no-data-race: no-data-race Some(false) --data-model LP64",
            "goblint/02-check.c unreach-call: unreach-call Some(true) --data-model LP64",
            "names/sum_false-unreach-call.c unreach-call: unreach-call Some(false) --data-model ILP32",
            "seahorn/safe.c unreach-call: unreach-call Some(true) --data-model LP64",
            "sv-comp/memory.yml valid-memsafety: valid-memsafety Some(false) --data-model LP64",
            "sv-comp/memory.yml unreach-call: unreach-call Some(true) --data-model LP64",
        ];
        assert_eq!(shown, wanted);
        assert_eq!(skipped.into_iter().collect::<Vec<_>>(), [("--show-goto-functions".to_string(), 1)]);
    }
}
