//! Campaigns: exactly one result for each task, whatever dies.
//!
//! The tests on a cluster need Slurm's daemons and root; they run when `CRAIG_TEST_SLURM` is set (`.ci/run` sets it
//! where Debian's packages slurmctld, slurmd, slurm-client and munge are installed).

mod common;

use common::{craig, stdout};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const SAFE: &str = "procedure main() { var x: int; x := 1; assert x > 0; }\n";
const UNSAFE: &str = "procedure main() { var x: int; assert x != 7; }\n";
/// Never answered; takes its whole time limit.
const HARD: &str = "procedure main() { var x, y, z: int; assume x > 1 && y > 1 && z > 1;\n\
    while (*) { x := x * x + y; y := y * z + x; z := z * x + 1; }\n\
    assert x * x * x + y * y * y != z * z * z + 12345678987654321; }\n";

/// A folder with `n` tasks: most take half a second and are not answered, every fifth holds, every seventh is violated.
fn tasks(name: &str, n: usize) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("campaign-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("tasks")).expect("made");
    let write = |name: &str, text: &str| std::fs::write(folder.join("tasks").join(name), text).expect("written");
    write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    for i in 0..n {
        let (program, verdict) = match i {
            i if i % 5 == 0 => (SAFE, "true"),
            i if i % 7 == 0 => (UNSAFE, "false"),
            _ => (HARD, "true"),
        };
        write(&format!("t{i}.bpl"), program);
        let definition = format!(
            "format_version: '2.0'\ninput_files: t{i}.bpl\nproperties:\n  - property_file: p.prp\n    \
             expected_verdict: {verdict}\n"
        );
        write(&format!("t{i}.yml"), &definition);
    }
    folder
}

fn bench(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = craig();
    command.current_dir(folder).arg("bench").args(arguments);
    command.args(["--timeout", "500ms", "--memory", "1GB"]);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    bench(folder, arguments).output().expect("runs")
}

/// The tasks of a result file with their verdicts.
fn verdicts(path: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(path).expect("a result file");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let tasks = document["tasks"].as_array().expect("tasks");
    let word = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_string();
    tasks.iter().map(|t| (word(&t["task"]), word(&t["result"]))).collect()
}

/// Every task once, with the verdict that it must have.
fn assert_complete(path: &Path, n: usize) {
    let found = verdicts(path);
    let expected = |i: usize| match i {
        i if i % 5 == 0 => "true",
        i if i % 7 == 0 => "false(unreach-call)",
        _ => "unknown(timeout)",
    };
    let mut wanted: Vec<(String, String)> =
        (0..n).map(|i| (format!("tasks/t{i}.yml"), expected(i).to_string())).collect();
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn a_campaign_that_is_killed_goes_on_where_it_was() {
    let folder = tasks("killed", 12);
    let mut child = bench(&folder, &["tasks", "--campaign", "c", "--shards", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    let attempts = || {
        let files = std::fs::read_dir(folder.join("c/shards/0")).into_iter().flatten().flatten();
        files.map(|f| std::fs::read_to_string(f.path()).unwrap_or_default().lines().count()).sum::<usize>()
    };
    let until = Instant::now() + Duration::from_secs(60);
    while attempts() < 2 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let before = attempts();
    assert!(before >= 2);
    // The last write may have been cut off.
    let file = std::fs::read_dir(folder.join("c/shards/0")).expect("a folder").flatten().next().expect("an attempt");
    let text = std::fs::read_to_string(file.path()).expect("text");
    std::fs::write(file.path(), format!("{text}{{\"property_argument\":\"unre")).expect("written");
    let status = run(&folder, &["--campaign", "c", "--status"]);
    assert!(stdout(&status).contains("shards   0 of 2 done"), "{}", stdout(&status));
    let merged = run(&folder, &["--campaign", "c", "--merge"]);
    assert_eq!(merged.status.code(), Some(3), "tasks are missing: {}", stdout(&merged));
    let resumed = run(&folder, &["--campaign", "c", "--resume", "--output", "all.json"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_complete(&folder.join("all.json"), 12);
    assert!(!stdout(&resumed).contains("came twice"), "what had a result was not run again");
    // A second campaign in the same folder, and another program under a name of the first, are refused.
    assert_eq!(run(&folder, &["tasks", "--campaign", "c"]).status.code(), Some(2));
    let without = run(&folder, &["tasks", "--output", "plain.json"]);
    assert_eq!(without.status.code(), Some(0));
    assert_complete(&folder.join("plain.json"), 12);
}

#[test]
fn a_program_that_changed_is_not_mixed_in() {
    let folder = tasks("changed", 2);
    let made = run(&folder, &["tasks", "--campaign", "c"]);
    assert_eq!(made.status.code(), Some(0));
    std::fs::remove_file(folder.join("c/shards/0/done")).expect("removed");
    for file in std::fs::read_dir(folder.join("c/shards/0")).expect("a folder").flatten() {
        std::fs::remove_file(file.path()).expect("removed");
    }
    std::fs::write(folder.join("tasks/t0.bpl"), UNSAFE).expect("written");
    let resumed = run(&folder, &["--campaign", "c", "--resume"]);
    assert_eq!(resumed.status.code(), Some(2));
    let message = String::from_utf8_lossy(&resumed.stderr);
    assert!(message.contains("changed since the campaign was planned"), "{message}");
}

#[test]
fn opposite_results_are_an_error_of_their_own() {
    let folder = tasks("opposite", 1);
    assert_eq!(run(&folder, &["tasks", "--campaign", "c"]).status.code(), Some(0));
    let shard = folder.join("c/shards/0");
    let attempt = std::fs::read_dir(&shard).expect("a folder").flatten().map(|f| f.path());
    let attempt = attempt.into_iter().find(|p| p.extension().is_some_and(|e| e == "jsonl")).expect("an attempt");
    let text = std::fs::read_to_string(attempt).expect("text");
    let other = text.replace("\"result\":\"true\"", "\"result\":\"false(unreach-call)\"");
    assert_ne!(text, other);
    std::fs::write(shard.join("a-9-0-other-1-0.jsonl"), &other).expect("written");
    let merged = run(&folder, &["--campaign", "c", "--merge"]);
    assert_eq!(merged.status.code(), Some(4));
    let message = String::from_utf8_lossy(&merged.stderr);
    assert!(message.contains("contradicting results: tasks/t0.yml"), "{message}");
    // The same answer twice is no contradiction, only counted once.
    std::fs::write(shard.join("a-9-0-other-1-0.jsonl"), &text).expect("written");
    let merged = run(&folder, &["--campaign", "c", "--merge", "--output", "all.json"]);
    assert_eq!(merged.status.code(), Some(0));
    assert!(stdout(&merged).contains("1 results came twice"));
    assert_complete(&folder.join("all.json"), 1);
}

#[test]
fn sets_are_categories() {
    let folder = tasks("sets", 3);
    std::fs::write(folder.join("Easy.set"), "# comment\ntasks/t0.yml\n").expect("written");
    std::fs::write(folder.join("Others.set"), "tasks/t1.yml # a comment\ntasks/t?.yml\n").expect("written");
    let output = run(&folder, &["Easy.set", "Others.set"]);
    let text = stdout(&output);
    let row = |name: &str| text.lines().find(|l| l.starts_with(name)).unwrap_or_default().split_whitespace().nth(1);
    assert_eq!((row("Easy"), row("Others"), row("all")), (Some("1"), Some("2"), Some("3")), "{text}");
    // Two points of one task, none of two: the average 1 times 3 tasks.
    assert!(text.contains("every category with the same weight: 3.0"), "{text}");
    std::fs::write(folder.join("Bad.set"), "tasks/none.yml\n").expect("written");
    assert_eq!(run(&folder, &["Bad.set"]).status.code(), Some(2));
}

/// A program of BenchExec (PyPI `benchexec`): on the path, or in the folder that `CRAIG_TEST_BENCHEXEC` names.
fn benchexec_program(name: &str) -> Option<PathBuf> {
    let given = std::env::var_os("CRAIG_TEST_BENCHEXEC").map(|folder| Path::new(&folder).join(name));
    let program = given.unwrap_or_else(|| PathBuf::from(name));
    let found = Command::new(&program).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: {name} is not installed (`pip install benchexec`)");
    }
    found.then_some(program)
}

#[test]
fn table_generator_reads_the_results() {
    let Some(program) = benchexec_program("table-generator") else { return };
    let folder = tasks("table", 8);
    assert_eq!(run(&folder, &["tasks", "--benchexec", "all.results.xml.bz2"]).status.code(), Some(0));
    let output = Command::new(program).args(["all.results.xml.bz2", "-o", "table"]).current_dir(&folder).output();
    let output = output.expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = std::fs::read_to_string(folder.join("table/all.results.csv")).expect("a table");
    let status = |task: &str| {
        let row = table.lines().find(|l| l.starts_with(task)).unwrap_or_default();
        row.split('\t').nth(1).unwrap_or_default().to_string()
    };
    assert_eq!(status("t0.yml"), "true", "{table}");
    assert_eq!(status("t7.yml"), "false(unreach-call)", "{table}");
    assert_eq!(status("t1.yml"), "TIMEOUT", "{table}");
}

#[test]
fn benchexec_runs_craig_by_its_tool_info_module() {
    let Some(program) = benchexec_program("benchexec") else { return };
    let folder = tasks("benchexec", 8);
    let definition = "<?xml version=\"1.0\"?>\n\
        <!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \
        \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n\
        <benchmark tool=\"craig.toolinfo\" timelimit=\"2s\" memlimit=\"1 GB\" cpuCores=\"1\">\n\
        <rundefinition name=\"run\"/><tasks name=\"all\"><include>tasks/t[057].yml</include>\
        <propertyfile>tasks/p.prp</propertyfile></tasks></benchmark>\n";
    std::fs::write(folder.join("craig.xml"), definition).expect("written");
    let binary = Path::new(env!("CARGO_BIN_EXE_craig")).parent().expect("a folder");
    let output = Command::new(program)
        .args(["--no-container", "--tool-directory"])
        .arg(binary)
        .arg("craig.xml")
        .current_dir(&folder)
        .env("PYTHONPATH", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/benchexec"))
        .output()
        .expect("runs");
    let text = stdout(&output);
    assert!(text.contains("correct:               3"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// A cluster that ends with the test.
struct Cluster {
    folder: PathBuf,
}

impl Cluster {
    fn script(&self, arguments: &[&str]) -> Command {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/cluster.sh");
        let (what, rest) = arguments.split_first().expect("what to do");
        let mut command = Command::new("setsid");
        command.arg(script).arg(what).arg(&self.folder).args(rest);
        command
    }

    fn start() -> Cluster {
        // Short: the socket's path must fit.
        let cluster = Cluster { folder: PathBuf::from(format!("/tmp/craig-slurm-{}", std::process::id())) };
        let _ = std::fs::remove_dir_all(&cluster.folder);
        std::fs::create_dir_all(&cluster.folder).expect("made");
        let log = std::fs::File::create(cluster.folder.join("start.log")).expect("made");
        let status = cluster.script(&["start"]).stdout(Stdio::null()).stderr(log).status().expect("started");
        assert!(status.success(), "the cluster starts; see {}", cluster.folder.display());
        cluster
    }

    fn start_daemon(&self, arguments: &[&str]) {
        let mut command = self.script(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().expect("runs").success());
    }

    fn submit(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = bench(folder, arguments);
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command
    }

    fn pid(&self, daemon: &str) -> String {
        std::fs::read_to_string(self.folder.join(format!("{daemon}.started"))).expect("a number").trim().to_string()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.script(&["stop"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn kill_9(pid: &str) {
    let _ = Command::new("kill").args(["-9", pid]).stderr(Stdio::null()).status();
}

/// The processes of jobs on a node, each with its parent.
fn processes_of(node: &str) -> Vec<(String, String)> {
    let mark = format!("SLURMD_NODENAME={node}\0");
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.windows(mark.len()).any(|w| w == mark.as_bytes()) {
            let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
            let parent = status.lines().find_map(|l| l.strip_prefix("PPid:")).unwrap_or_default().trim().to_string();
            found.push((entry.file_name().to_string_lossy().into_owned(), parent));
        }
    }
    found
}

/// Waits until a campaign has some results, so that a fault strikes in its middle.
fn wait_for_results(campaign: &Path, n: usize) {
    let until = Instant::now() + Duration::from_secs(90);
    while results(campaign) < n {
        assert!(Instant::now() < until, "no results in {}", campaign.display());
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn results(campaign: &Path) -> usize {
    let shards = std::fs::read_dir(campaign.join("shards")).into_iter().flatten().flatten();
    let files = shards.flat_map(|s| std::fs::read_dir(s.path()).into_iter().flatten().flatten());
    files.map(|f| std::fs::read_to_string(f.path()).unwrap_or_default().lines().count()).sum()
}

fn ends_well(child: Child, what: &str) {
    let output = child.wait_with_output().expect("ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{what}: {message}");
}

/// One cluster, one campaign a fault: a node dies; slurmd dies and its job lives on beside the requeued copy; the
/// controller dies and comes back; the jobs are cancelled midway. In the end every task has one result.
#[test]
fn nothing_is_lost_or_doubled_on_a_cluster() {
    if std::env::var_os("CRAIG_TEST_SLURM").is_none() {
        eprintln!("skipped: CRAIG_TEST_SLURM is not set");
        return;
    }
    let cluster = Cluster::start();
    let start = |name: &str, n: usize| {
        let folder = tasks(name, n);
        let arguments =
            ["tasks", "--campaign", "c", "--on", "slurm", "--shards", "6", "--wait", "--output", "all.json"];
        let child = cluster.submit(&folder, &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        (folder, child.expect("started"))
    };
    // No fault.
    let (folder, child) = start("no-fault", 12);
    ends_well(child, "no fault");
    assert_complete(&folder.join("all.json"), 12);
    // One program, a job for each engine: both verdicts, and none.
    for (program, result) in [(SAFE, "true"), (UNSAFE, "false(unreach-call)"), (HARD, "unknown(timeout)")] {
        std::fs::write(folder.join("one.bpl"), program).expect("written");
        let mut command = craig();
        command.current_dir(&folder).env("SLURM_CONF", cluster.folder.join("slurm.conf"));
        command.args(["check", "--on", "slurm", "--timeout", "1s", "--memory", "1GB", "one.bpl"]);
        let output = command.output().expect("runs");
        assert_eq!(common::result(&output), result, "{}", String::from_utf8_lossy(&output.stderr));
    }
    let left = std::fs::read_dir(&folder).expect("a folder").flatten();
    assert_eq!(left.filter(|f| f.file_name().to_string_lossy().starts_with(".craig-")).count(), 0);
    // A node dies: its daemon, its steps, their processes.
    let (folder, child) = start("node", 24);
    wait_for_results(&folder.join("c"), 3);
    kill_9(&cluster.pid("n1"));
    for (process, parent) in processes_of("n1") {
        if parent != "1" {
            kill_9(&parent);
        }
        kill_9(&process);
    }
    ends_well(child, "a node died");
    assert_complete(&folder.join("all.json"), 24);
    cluster.start_daemon(&["slurmd", "n1"]);
    // Only slurmd dies, then the controller.
    let (folder, child) = start("daemons", 24);
    wait_for_results(&folder.join("c"), 3);
    kill_9(&cluster.pid("n2"));
    std::thread::sleep(Duration::from_secs(1));
    kill_9(&cluster.pid("slurmctld"));
    std::thread::sleep(Duration::from_secs(1));
    cluster.start_daemon(&["slurmctld"]);
    cluster.start_daemon(&["slurmd", "n2"]);
    ends_well(child, "daemons died");
    assert_complete(&folder.join("all.json"), 24);
    // Cancelled midway, and resumed by somebody else.
    let (folder, mut child) = start("cancelled", 24);
    wait_for_results(&folder.join("c"), 3);
    child.kill().expect("killed");
    child.wait().expect("ended");
    let cancelled = cluster.submit(&folder, &["--campaign", "c", "--cancel"]).output().expect("runs");
    assert_eq!(cancelled.status.code(), Some(0));
    std::thread::sleep(Duration::from_secs(1));
    let arguments = ["--campaign", "c", "--resume", "--on", "slurm", "--wait", "--output", "all.json"];
    let resumed = cluster.submit(&folder, &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    ends_well(resumed.expect("started"), "cancelled");
    assert_complete(&folder.join("all.json"), 24);
}
