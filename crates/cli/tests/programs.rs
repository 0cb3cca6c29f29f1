//! One test for every program under `tests/programs` and `examples`: the built `craig` runs as the head of the file
//! says, and its verdict, witness, page and test that fails are examined together.
//!
//! ```text
//! cargo test --test programs                          # all
//! cargo test --test programs c::far_violation         # those whose names contain this
//! cargo test --test programs -- --list
//! ```
//!
//! The head is the comment lines at the start of the file, `// key: value`; lines without a known key are
//! prose. Keys:
//!
//! | key | value | default |
//! |---|---|---|
//! | expect | `true`, `false`, `false(subproperty)`, `unknown` | the file is not run |
//! | may | another answer that is allowed, e.g. `unknown`; never the opposite of what is expected | none |
//! | gives-up | of the engines, those that may answer `unknown`; they get one second | none |
//! | property | as for `--property` | unreach-call |
//! | data-model | as for `--data-model` | ILP32, as in SV-COMP |
//! | engine | as for `--engine`; several, separated by commas, run one after the other | auto |
//! | timeout | as for `--timeout` | 20s |
//! | args | further arguments, separated by blanks | none |
//!
//! Every verdict passes the checker inside `craig` before it is printed, and the exit status must agree with it. The
//! first run of a program also writes a page and, for C, a witness and a test. The witness of a verdict must fit the
//! schema and be confirmed by `craig validate`; the test of a violation must fail when gcc has compiled it. gcc makes
//! no 32-bit programs on many machines: then the program is checked again as a 64-bit one, for which the verdict may
//! differ.

mod common;
#[path = "common/gcc.rs"]
mod gcc;
#[path = "common/schema.rs"]
mod schema;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::sync::LazyLock;

/// Programs whose witnesses `craig validate` does not confirm yet.
const NOT_CONFIRMED: &[(&str, &str)] = &[
    ("buffered_store.c", "depends on a pointer from outside"),
    ("deadlock_one_signal_for_two.c", "depends on which of two threads a signal wakes"),
    ("race_of_atomic_read_and_write.c", "the schedule of an access in an atomic section is not forced"),
    ("race_of_read_in_section_and_write.c", "the schedule of an access in an atomic section is not forced"),
    ("weak_exchange_fails.c", "an exchange of gcc does not fail for no reason"),
    ("cprover_havoc_object.c", "what a function writes into an object has no place in a witness"),
    ("klee_make_symbolic.c", "what a function writes into an object has no place in a witness"),
    ("word_is_too_long.c", "what scanf reads into an object has no place in a witness"),
    ("entry_reads_a_number.c", "what a parameter points to has no place in a witness"),
    ("entry_with_a_list.c", "what a parameter points to has no place in a witness"),
    ("comparison_of_texts_is_no_difference.c", "the result of strcmp has no place in a witness"),
];

/// Violations that gcc's sanitizers do not see, or that need more than inputs.
const NOT_REPEATED: &[(&str, &str)] = &[
    ("address_is_printed_before_an_overflow.c", "gcc compares x with 0 and adds nothing"),
    ("integer_may_be_an_address.c", "depends on an address"),
    ("qsort_is_not_stable.c", "depends on an order that the standard leaves open"),
    ("malloc_of_zero.c", "the sanitizer allocates a byte"),
    ("uninitialised_values.c", "depends on uninitialised memory"),
    ("uninitialised_locals_of_two_threads.c", "depends on uninitialised memory"),
    ("uninitialised_is_arbitrary.c", "depends on uninitialised memory"),
    ("alloca_dies_with_its_function.c", "the sanitizer does not see the end of memory from alloca"),
    ("alloca_in_a_loop_dies.c", "the sanitizer does not see the end of memory from alloca"),
    ("alloca_in_an_inline_function.c", "the sanitizer does not see the end of memory from alloca"),
    ("alloca_in_recursion.c", "the sanitizer does not see the end of memory from alloca"),
    ("vla_dies_at_a_jump_back.c", "the sanitizer does not see the end of an array of variable length"),
    ("vla_dies_at_continue.c", "the sanitizer does not see the end of an array of variable length"),
    ("vla_dies_at_goto.c", "the sanitizer does not see the end of an array of variable length"),
    ("vla_dies_with_its_block.c", "the sanitizer does not see the end of an array of variable length"),
    ("computed_goto_leaves_a_block.c", "the sanitizer does not see that the block is left"),
    ("bytes_behind_long_double.c", "depends on uninitialised memory"),
    ("unset_pointer_writes.c", "depends on uninitialised memory"),
    ("memcpy_overlaps_in_a_member.c", "the sanitizer does not look at a copy that the compiler makes itself"),
    ("cprover_types.c", "gcc does not know the types of another verifier"),
    ("cprover_access_beyond.c", "gcc does not know the functions of another verifier"),
    ("cprover_exists_fails.c", "gcc does not know the functions of another verifier"),
    ("cprover_havoc_object.c", "gcc does not know the functions of another verifier"),
    ("cprover_quantifier_fails.c", "gcc does not know the functions of another verifier"),
    ("esbmc_assert.c", "gcc does not know the functions of another verifier"),
    ("frama_c_interval.c", "gcc does not know the functions of another verifier"),
    ("klee_report_error.c", "gcc does not know the functions of another verifier"),
    ("buffered_store.c", "depends on a pointer from outside"),
    ("cleanup_handler_runs_at_exit.c", "a thread would have to stop inside a macro of the library"),
    ("deadlock_one_signal_for_two.c", "depends on which of two threads a signal wakes"),
    ("race_of_atomic_read_and_write.c", "the schedule of an access in an atomic section is not forced"),
    ("race_of_read_in_section_and_write.c", "the schedule of an access in an atomic section is not forced"),
    ("weak_exchange_fails.c", "an exchange of gcc does not fail for no reason"),
    ("klee_make_symbolic.c", "the test does not write what the function of another verifier would"),
];

#[derive(Clone, Default, Debug)]
struct Expectation {
    expect: String,
    may: Option<String>,
    gives_up: Vec<String>,
    property: Option<String>,
    data_model: Option<String>,
    engines: Vec<String>,
    timeout: Option<String>,
    args: Vec<String>,
}

/// What the head of a file says, if it expects anything.
fn expectation(text: &str) -> Option<Expectation> {
    let mut out = Expectation::default();
    for line in text.lines() {
        let Some(comment) = line.strip_prefix("//") else { break };
        let Some((key, value)) = comment.split_once(':') else { continue };
        let value = value.trim().to_string();
        match key.trim() {
            "expect" => out.expect = value,
            "may" => out.may = Some(value),
            "gives-up" => out.gives_up = value.split(',').map(|e| e.trim().to_string()).collect(),
            "property" => out.property = Some(value),
            "data-model" => out.data_model = Some(value),
            "engine" => out.engines = value.split(',').map(|e| e.trim().to_string()).collect(),
            "timeout" => out.timeout = Some(value),
            "args" => out.args = value.split_whitespace().map(str::to_string).collect(),
            _ => {}
        }
    }
    (!out.expect.is_empty()).then_some(out)
}

/// Whether an answer (`true`, `false(…)`, `unknown(…)`) is the wanted one.
fn matches(answer: &str, wanted: &str) -> bool {
    answer == wanted || answer.split_once('(').is_some_and(|(head, _)| head == wanted)
}

fn status_of(answer: &str) -> i32 {
    match answer.split('(').next() {
        Some("true") => 0,
        Some("false") => 1,
        _ => 3,
    }
}

/// A program and what is expected of it.
#[derive(Clone)]
struct Program {
    /// From the root of the repository.
    path: PathBuf,
    wanted: Expectation,
}

/// The files that a run writes.
struct Files {
    page: PathBuf,
    witness: PathBuf,
    test: PathBuf,
}

impl Program {
    fn is_c(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "c" || e == "i")
    }

    fn file_name(&self) -> &str {
        self.path.file_name().and_then(|n| n.to_str()).unwrap_or_default()
    }

    fn property(&self) -> &str {
        self.wanted.property.as_deref().unwrap_or("unreach-call")
    }

    fn files(&self) -> Files {
        let name = self.path.to_string_lossy().replace(['/', '.'], "_");
        let file = |extension: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("suite_{name}{extension}"));
        Files { page: file(".html"), witness: file(".yml"), test: file("_test.c") }
    }

    /// The command that checks the program with an engine.
    fn command(&self, engine: Option<&str>, data_model: Option<&str>) -> Command {
        let mut command = common::craig();
        command.current_dir(root()).arg("check");
        let timeout = if self.gives_up(engine) { "1s" } else { self.wanted.timeout.as_deref().unwrap_or("20s") };
        command.args(["--timeout", timeout, "--property", self.property()]);
        let model = data_model.or(self.wanted.data_model.as_deref()).unwrap_or("ILP32");
        command.args(["--data-model", model]);
        if let Some(engine) = engine {
            command.args(["--engine", engine]);
        }
        command.args(&self.wanted.args);
        command
    }

    fn gives_up(&self, engine: Option<&str>) -> bool {
        self.wanted.gives_up.iter().any(|e| Some(e.as_str()) == engine)
    }

    fn run(&self) -> Result<(), String> {
        let engines: Vec<Option<&str>> = match &self.wanted.engines[..] {
            [] => vec![None],
            engines => engines.iter().map(|e| Some(e.as_str())).collect(),
        };
        for (i, engine) in engines.into_iter().enumerate() {
            let in_engine = |why: String| format!("{}{why}", engine.map_or(String::new(), |e| format!("engine {e}: ")));
            if i == 0 {
                self.run_with_files(engine).map_err(in_engine)?;
            } else {
                let output = self.command(engine, None).arg(&self.path).output().map_err(|e| e.to_string())?;
                self.check_answer(&output, engine).map_err(in_engine)?;
            }
        }
        Ok(())
    }

    /// The answer of a run, if it is one that is allowed.
    fn check_answer(&self, output: &Output, engine: Option<&str>) -> Result<String, String> {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let shown = || format!("\n{stdout}{}", String::from_utf8_lossy(&output.stderr));
        let Some(answer) = stdout.lines().last().and_then(|line| line.strip_prefix("RESULT: ")) else {
            return Err(format!("no RESULT line{}", shown()));
        };
        let allowed = matches(answer, &self.wanted.expect)
            || self.wanted.may.as_ref().is_some_and(|may| matches(answer, may))
            || self.gives_up(engine) && matches(answer, "unknown");
        if !allowed {
            return Err(format!("expected {}, answered {answer}{}", self.wanted.expect, shown()));
        }
        if answer.starts_with("unknown(certificate rejected") {
            return Err(format!("evidence was rejected: {answer}{}", shown()));
        }
        if output.status.code() != Some(status_of(answer)) {
            return Err(format!("{answer} with exit status {:?}", output.status.code()));
        }
        Ok(answer.to_string())
    }

    /// Checks the program once and examines all that was written.
    fn run_with_files(&self, engine: Option<&str>) -> Result<(), String> {
        let files = self.files();
        for file in [&files.page, &files.witness, &files.test] {
            let _ = std::fs::remove_file(file);
        }
        let mut command = self.command(engine, None);
        command.arg("--report").arg(&files.page);
        let wants_witness = self.is_c() && !self.is_temporal();
        if wants_witness {
            command.arg("--witness").arg(&files.witness);
        }
        let wants_test = self.is_repeated();
        if wants_test && self.model_of_gcc().is_none() {
            command.arg("--harness").arg(&files.test);
        }
        let output = command.arg(&self.path).output().map_err(|e| e.to_string())?;
        let answer = self.check_answer(&output, engine)?;
        self.check_page(&files.page, &answer)?;
        let is_confirmed = !NOT_CONFIRMED.iter().any(|(name, _)| *name == self.file_name());
        if !answer.starts_with("unknown") && wants_witness && is_confirmed {
            self.check_witness(&files.witness, &output)?;
        }
        if answer.starts_with("false") && wants_test {
            self.check_test(engine, &files.test)?;
        }
        // What went wrong stays for who looks for the reason.
        for file in [files.page, files.witness, files.test.with_extension("out"), files.test] {
            let _ = std::fs::remove_file(file);
        }
        Ok(())
    }

    /// Temporal properties have neither witnesses nor tests.
    fn is_temporal(&self) -> bool {
        self.wanted.property.as_ref().is_some_and(|p| p == "ltl" || p.starts_with("LTL("))
    }

    fn check_page(&self, page: &Path, answer: &str) -> Result<(), String> {
        let page = std::fs::read_to_string(page).map_err(|e| format!("no page: {e}"))?;
        let verdict = match answer.split('(').next() {
            Some("true") => "holds",
            Some("false") => "violated",
            _ => "unknown",
        };
        let title = format!("<title>{verdict}: {}</title>", self.path.display());
        let is_whole = page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>");
        if is_whole && page.contains(&title) { Ok(()) } else { Err(format!("the page lacks its end or {title}")) }
    }

    fn check_witness(&self, witness: &Path, checked: &Output) -> Result<(), String> {
        if !witness.exists() {
            return Err(format!("no witness: {}", String::from_utf8_lossy(&checked.stderr)));
        }
        let problems = schema::problems(witness);
        if !problems.is_empty() {
            return Err(problems.join("\n"));
        }
        // How the program is read is a question to both sides, how it is proved only to one.
        let mut reading = Vec::new();
        let mut words = self.wanted.args.iter();
        while let Some(word) = words.next() {
            if ["-I", "-D", "--entry", "--cpp", "--pointers", "--globals"].contains(&word.as_str()) {
                reading.extend(std::iter::once(word).chain(words.next()));
            }
        }
        let mut command = common::craig();
        command.current_dir(root()).args(["validate", "--timeout", "60s"]).args(reading);
        if let Some(property) = self.wanted.property.as_ref().filter(|p| p.starts_with("unreach-call:")) {
            command.args(["--property", property]);
        }
        let output = command.args([&self.path, witness]).output().map_err(|e| e.to_string())?;
        let said = common::stdout(&output);
        if said.contains("RESULT: confirmed") {
            return Ok(());
        }
        let shown = std::fs::read_to_string(witness).unwrap_or_default();
        Err(format!("the witness is not confirmed\n{said}{}\n{shown}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Is there a test that fails, which gcc and its sanitizers can repeat?
    fn is_repeated(&self) -> bool {
        let has_threads = self.path.parent() == Some(Path::new("tests/programs/threads"));
        let is_of_c = (has_threads || self.path.parent() == Some(Path::new("tests/programs/c")))
            && self.path.extension().is_some_and(|e| e == "c");
        let is_violated = self.wanted.expect.starts_with("false") && self.wanted.args.is_empty();
        let is_endless = self.property() == "termination";
        let by_luck = NOT_REPEATED.iter().any(|(name, _)| *name == self.file_name());
        is_of_c && is_violated && !self.is_temporal() && !is_endless && !by_luck && *HAS_GCC
    }

    /// The data model that gcc makes programs of, if it is another than the program's.
    fn model_of_gcc(&self) -> Option<&'static str> {
        (self.wanted.data_model.as_deref() != Some("LP64") && !*HAS_32_BITS).then_some("LP64")
    }

    fn check_test(&self, engine: Option<&str>, test: &Path) -> Result<(), String> {
        if let Some(model) = self.model_of_gcc() {
            let mut command = self.command(engine, Some(model));
            let output = command.arg("--harness").args([test, &self.path]).output().map_err(|e| e.to_string())?;
            if !common::stdout(&output).contains("RESULT: false") {
                return Ok(());
            }
        }
        match gcc::fails(test, &root().join(&self.path))? {
            true => Ok(()),
            false => Err(format!("the test passes: {}", test.display())),
        }
    }
}

static HAS_GCC: LazyLock<bool> = LazyLock::new(|| gcc::makes("-m64"));
static HAS_32_BITS: LazyLock<bool> = LazyLock::new(|| gcc::makes("-m32"));

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "bpl" || e == "c" || e == "i") {
            out.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

fn programs() -> Vec<Program> {
    let root = root();
    let mut paths = Vec::new();
    collect(&root.join("tests/programs"), &mut paths);
    collect(&root.join("examples"), &mut paths);
    paths.sort();
    let mut programs = Vec::new();
    for path in paths {
        let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let Some(wanted) = expectation(&String::from_utf8_lossy(&text)) else { continue };
        let path = path.strip_prefix(&root).map(Path::to_path_buf).unwrap_or(path);
        assert!(
            !matches!(
                (wanted.expect.as_str(), wanted.may.as_deref()),
                ("true", Some("false")) | ("false", Some("true"))
            ),
            "{}: a wrong answer is never allowed",
            path.display()
        );
        programs.push(Program { path, wanted });
    }
    programs
}

/// `tests/programs/c/far_violation.c` is `c::far_violation`; the ending is added where that is the name of two.
fn names(programs: &[Program]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let name = |program: &Program| {
        let path = program.path.strip_prefix("tests/programs").unwrap_or(&program.path);
        let name = path.with_extension("").to_string_lossy().replace('/', "::");
        if seen.insert(name.clone()) {
            return name;
        }
        format!("{name}_{}", path.extension().and_then(|e| e.to_str()).unwrap_or_default())
    };
    programs.iter().map(name).collect()
}

/// The same answer when every refutation of the checker's solver is checked again, step by step. Some rules of the
/// solver cannot be re-checked; then the answer is `unknown` and says so, but no proof is ever wrong.
fn in_paranoid_mode(program: &Program) -> Result<(), String> {
    let mut program = program.clone();
    program.wanted.args.push("--paranoid".to_string());
    program.wanted.may = Some("unknown".to_string());
    program.wanted.timeout = Some("5s".to_string());
    let output = program.command(None, None).arg(&program.path).output().map_err(|e| e.to_string())?;
    program.check_answer(&output, None).map(drop)
}

fn trials() -> Vec<Trial> {
    let programs = programs();
    // A test that runs nothing tests nothing.
    assert!(programs.len() > 400, "only {} programs were found", programs.len());
    let names = names(&programs);
    let mut trials = vec![Trial::test("heads_are_read", heads_are_read)];
    let mut n_proofs = 0;
    for (program, name) in programs.into_iter().zip(names) {
        let is_proof =
            program.wanted.expect == "true" && program.wanted.may.is_none() && program.wanted.engines.is_empty();
        n_proofs += usize::from(is_proof);
        if is_proof && n_proofs % 4 == 1 {
            let program = program.clone();
            trials.push(Trial::test(format!("paranoid::{name}"), move || {
                in_paranoid_mode(&program).map_err(Failed::from)
            }));
        }
        trials.push(Trial::test(name, move || program.run().map_err(Failed::from)));
    }
    trials
}

fn main() -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}

fn heads_are_read() -> Result<(), Failed> {
    let head = "// expect: false(valid-deref)\n// may: unknown\n// engine: bmc, kojak\n// Prose: with a colon.\nint x; // expect: true\n";
    let wanted = expectation(head).expect("an expectation");
    assert_eq!(wanted.expect, "false(valid-deref)");
    assert_eq!(wanted.may.as_deref(), Some("unknown"));
    assert_eq!(wanted.engines, ["bmc", "kojak"]);
    assert!(matches("false(valid-deref)", &wanted.expect) && matches("false(valid-deref)", "false"));
    assert!(!matches("false(valid-free)", &wanted.expect) && !matches("unknown(timeout)", "true"));
    assert!(expectation("int main() {}").is_none());
    Ok(())
}
