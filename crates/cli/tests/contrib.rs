//! What lies in `contrib/` works: the CI example fails on its bug and passes without it, the BenchExec module
//! understands our output, the editor extension knows the settings of the server.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

fn contrib() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib")
}

#[test]
fn the_ci_example_fails_on_a_real_bug_and_passes_without_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ci-example");
    let _ = std::fs::remove_dir_all(&folder);
    let status = Command::new("cp").arg("-r").arg(contrib().join("ci-example")).arg(&folder).status();
    assert!(status.expect("cp runs").success());
    let run = |format: &str| {
        let mut script = Command::new(folder.join("verify.sh"));
        script.env("CRAIG", env!("CARGO_BIN_EXE_craig")).env("FORMAT", format);
        script.env("CRAIG_CACHE_DIR", folder.join(".cache"));
        let output = script.output().expect("bash runs the script");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, text) = run("github");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("::error file=src/queue_proof.c,line="), "{text}");
    let queue = folder.join("src/queue.c");
    let code = std::fs::read_to_string(&queue).expect("readable");
    std::fs::write(&queue, code.replace("q->length > CAPACITY", "q->length >= CAPACITY")).expect("written");
    let (status, text) = run("text");
    assert_eq!(status, Some(0), "{text}");
    assert!(text.ends_with("RESULT: true\n"), "{text}");
}

/// A small history: the bug is there from the start, is mended, code around it is renamed, and the bug comes back.
#[test]
fn the_ci_example_tells_new_violations_from_old_ones() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ci-history");
    let _ = std::fs::remove_dir_all(&folder);
    let status = Command::new("cp").arg("-r").arg(contrib().join("ci-example")).arg(&folder).status();
    assert!(status.expect("cp runs").success());
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&folder).args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words);
        assert!(command.output().expect("git runs").status.success(), "{words:?}");
    };
    git(&["init", "-q"]);
    let queue = folder.join("src/queue.c");
    let commit = |change: &dyn Fn(&str) -> String| {
        let code = std::fs::read_to_string(&queue).expect("readable");
        std::fs::write(&queue, change(&code)).expect("written");
        git(&["add", "."]);
        git(&["commit", "-q", "--allow-empty", "-m", "a version"]);
    };
    let upgrade = |format: &str| {
        let mut script = Command::new(folder.join("upgrade.sh"));
        script.env("CRAIG", env!("CARGO_BIN_EXE_craig")).env("FORMAT", format);
        let output = script.output().expect("bash runs the script");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    commit(&|code| code.to_string());
    commit(&|code| format!("{code}\nint unused(void) {{ return 1; }}\n"));
    let (status, text) = upgrade("text");
    assert_eq!(status, Some(0), "an old violation does not fail: {text}");
    assert!(text.contains(": old\n") && text.ends_with("RESULT: false(unreach-call)\n"), "{text}");
    commit(&|code| code.replace("q->length > CAPACITY", "q->length >= CAPACITY"));
    let (status, text) = upgrade("text");
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains(": fixed\n") && text.ends_with("RESULT: true\n"), "{text}");
    commit(&|code| code.replace("int unused", "int not_used"));
    let (status, text) = upgrade("text");
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("(engine reuse)"), "{text}");
    commit(&|code| code.replace("q->length >= CAPACITY", "q->length > CAPACITY"));
    let (status, text) = upgrade("github");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("::error file=src/queue_proof.c,line="), "{text}");
}

/// Stands in for BenchExec, of which the module uses little.
const STAND_IN: &str = r#"
import sys, types
def module(name, **content):
    m = types.ModuleType(name); m.__dict__.update(content); sys.modules[name] = m
    return m
module("benchexec"); module("benchexec.tools")
sys.modules["benchexec"].result = module("benchexec.result", RESULT_TRUE_PROP="true", RESULT_FALSE_PROP="false", RESULT_UNKNOWN="unknown", RESULT_ERROR="ERROR")
class BaseTool2: pass
sys.modules["benchexec"].tools = sys.modules["benchexec.tools"]
sys.modules["benchexec.tools"].template = module("benchexec.tools.template", BaseTool2=BaseTool2)
module("benchexec.tools.sv_benchmarks_util", ILP32="ILP32", LP64="LP64", get_data_model_from_task=lambda task, table: table[task.model])
sys.path.insert(0, sys.argv[1])
from craig.toolinfo import Tool
tool = Tool()
space = types.SimpleNamespace
task = space(property_file="p.prp", model="LP64", input_files_or_identifier=["a.c"])
line = tool.cmdline("craig", ["--engine", "bmc"], task, space(cputime=100, memory=1000))
assert line == ["craig", "check", "--timeout", "97s", "--memory", "950", "--property", "p.prp", "--data-model", "LP64", "--engine", "bmc", "a.c"], line
line = tool.cmdline("craig", ["validate", "--witness", "w.yml"], task, space(cputime=None, memory=None))
assert line == ["craig", "validate", "--property", "p.prp", "--data-model", "LP64", "a.c", "w.yml"], line
def answer(*output, code=0):
    return tool.determine_result(space(output=list(output), exit_code=space(value=code)))
assert answer("x", "RESULT: true\n") == "true"
assert answer("RESULT: false(valid-deref)\n") == "false(valid-deref)"
assert answer("RESULT: unknown(timeout)\n") == "TIMEOUT"
assert answer("RESULT: unknown(unsupported: a (b))\n") == "unknown(unsupported: a (b))"
assert answer("w.yml: confirmed: no-overflow is violated\n", "RESULT: confirmed\n") == "false(no-overflow)"
assert answer("w.yml: confirmed: termination holds\n", "RESULT: confirmed\n") == "true"
assert answer("w.yml: rejected: x\n", "RESULT: rejected(x)\n") == "ERROR(witness rejected)"
assert answer("error", code=2) == "ERROR(bad input)"
"#;

#[test]
fn the_benchexec_module_understands_our_output() {
    if !common::is_installed("python3") {
        return;
    }
    let python = Command::new("python3").arg("-B").arg("-c").arg(STAND_IN).arg(contrib().join("benchexec")).output();
    let output = python.expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Stands in for the editor and its language client: what does the extension do with them?
const EDITOR: &str = r#"
const Module = require("node:module"), assert = require("node:assert/strict");
const said = [], commands = {}, load = Module._load;
let client, fails = false;
const vscode = {
  workspace: { getConfiguration: (section) => (assert.equal(section, "craig"), { path: "/bin/craig", get: (k, d) => (k === "path" ? "/bin/craig" : d) }) },
  commands: { registerCommand: (name, run) => ((commands[name] = run), { dispose() {} }) },
  window: {
    activeTextEditor: { document: { uri: "file:///a.c" } },
    showInformationMessage: (m) => said.push(m), showWarningMessage: (m) => said.push(m), showErrorMessage: (m) => said.push(m),
  },
};
class LanguageClient {
  constructor(id, name, server, options) { client = this; Object.assign(this, { server, options }); this.code2ProtocolConverter = { asUri: (u) => u }; }
  async start() { if (fails) throw new Error("no such program"); }
  async stop() { this.stopped = true; }
  async sendRequest(method, params) {
    assert.deepEqual([method, params], ["workspace/executeCommand", { command: "craig.check", arguments: ["file:///a.c"] }]);
    if (this.refuses) throw new Error("cancelled");
    return { message: "holds" };
  }
}
Module._load = (name, ...rest) => name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
const package_ = JSON.parse(require("node:fs").readFileSync(process.argv[1] + "/package.json"));
const extension = require(process.argv[1] + "/" + package_.main);
(async () => {
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.deepEqual(client.server.run, { command: "/bin/craig", args: ["lsp"] });
  assert.deepEqual(client.options.documentSelector.map((s) => s.language), ["c", "boogie"]);
  assert.deepEqual(Object.keys(commands), package_.contributes.commands.map((c) => c.command));
  assert.equal(context.subscriptions.length, 1);
  await commands["craig.checkNow"]();
  client.refuses = true;
  await commands["craig.checkNow"]();
  await extension.deactivate();
  assert.ok(client.stopped);
  fails = true;
  await extension.activate(context);
  assert.deepEqual(said.slice(0, 2), ["Craig: holds", "Craig: cancelled"]);
  assert.match(said[2], /no such program.*craig\.path/);
})().catch((problem) => { console.error(problem); process.exit(1); });
"#;

#[test]
fn the_editor_extension_starts_the_server() {
    let folder = contrib().join("vscode").canonicalize().expect("the extension is there");
    if !common::is_installed("node") {
        return;
    }
    let output = Command::new("node").arg("-e").arg(EDITOR).arg(folder).output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_editor_extension_knows_the_settings_of_the_server() {
    let text = std::fs::read_to_string(contrib().join("vscode/package.json")).expect("readable");
    let package: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let settings = package["contributes"]["configuration"]["properties"].as_object().expect("settings");
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lsp.rs");
    let server = std::fs::read_to_string(server).expect("readable");
    for name in settings.keys().filter_map(|k| k.strip_prefix("craig.")).filter(|n| *n != "path") {
        assert!(server.contains(&format!("\"{name}\"")), "the server does not read {name}");
    }
}

/// A folder of this test's own.
fn scratch(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("contrib-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("made");
    folder
}

#[test]
fn the_smoke_test_of_the_competition_passes() {
    let folder = scratch("svcomp");
    let script = folder.join("smoketest.sh");
    std::fs::copy(contrib().join("svcomp/smoketest.sh"), &script).expect("copied");
    std::fs::hard_link(env!("CARGO_BIN_EXE_craig"), folder.join("craig")).expect("linked");
    let output = Command::new(&script).output().expect("runs");
    let text = common::stdout(&output);
    assert!(output.status.success() && text.ends_with("smoke test passed\n"), "{text}");
    // A binary that answers nothing does not pass.
    std::fs::remove_file(folder.join("craig")).expect("removed");
    std::os::unix::fs::symlink("/bin/true", folder.join("craig")).expect("linked");
    assert!(!Command::new(&script).output().expect("runs").status.success());
}

#[test]
fn the_action_checks_what_a_pull_request_changes() {
    if !common::is_installed("git") {
        return;
    }
    let folder = scratch("action");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
        let output = Command::new("git").current_dir(&folder).args(identity).args(arguments).output().expect("runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        common::stdout(&output).trim().to_string()
    };
    write("old_proof.c", "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n");
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "old"]);
    let base = git(&["rev-parse", "HEAD"]);
    write("new_proof.c", "extern void reach_error(void);\nint main(void) { return 0; }\n");
    git(&["add", "."]);
    let run = |variables: &[(&str, &str)]| {
        let script = contrib().join("packages/action.sh").canonicalize().expect("the script is there");
        let mut command = Command::new("bash");
        command.arg(script).current_dir(&folder).env("CRAIG", env!("CARGO_BIN_EXE_craig"));
        command.env("CRAIG_CACHE_DIR", folder.join("cache")).envs(variables.iter().copied());
        command.env("GITHUB_OUTPUT", folder.join("output"));
        command.output().expect("runs")
    };
    // Only the new file is checked, and it holds.
    let output = run(&[("CRAIG_BASE", &base), ("CRAIG_SARIF", "craig.sarif")]);
    assert_eq!(output.status.code(), Some(0), "{}", common::stdout(&output));
    let sarif = std::fs::read_to_string(folder.join("craig.sarif")).expect("written");
    assert!(serde_json::from_str::<serde_json::Value>(&sarif).is_ok());
    // Everything: the old one is violated, and marked.
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", common::stdout(&output));
    assert!(common::stdout(&output).contains("::error file=old_proof.c"), "{}", common::stdout(&output));
    let outputs = std::fs::read_to_string(folder.join("output")).expect("written");
    assert_eq!(outputs.lines().last(), Some("result=false(unreach-call)"), "{outputs}");
    // Nothing to check is no failure.
    assert_eq!(run(&[("CRAIG_BASE", &base), ("CRAIG_FILES", "")]).status.code(), Some(0));
}

#[test]
fn definitions_for_other_programs_can_be_read() {
    let read = |name: &str| std::fs::read_to_string(contrib().join(name)).expect("readable");
    for name in ["svcomp/craig.yml", "../action.yml", "../.pre-commit-hooks.yaml"] {
        let document: Result<serde_json::Value, _> = serde_saphyr::from_str(&read(name));
        assert!(document.is_ok(), "{name}: {:?}", document.err());
    }
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("svcomp/craig.yml").contains(&format!("version: \"{version}\"")));
    assert!(read("packages/homebrew/craig.rb").contains(&format!("craig-{version}.tar.gz")));
    assert!(read("../docs/packages.md").contains(&format!("craig@v{version}")));
}
