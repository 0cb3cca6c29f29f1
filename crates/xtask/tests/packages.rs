//! `cargo xtask release`: its files belong together, the archive for SV-COMP passes its smoke test where it is
//! unpacked, and the Debian package can be installed in an empty root, where its program answers.
//!
//! The binary is the one that the tests of crate `craig` use. It is linked dynamically; the libraries that it names
//! are the only other files in that root. The static binary of a release needs none.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a program that must succeed; its standard output.
fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|e| panic!("{program}: {e}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}: {stdout}{stderr}");
    stdout.into_owned()
}

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let found = found.is_ok_and(|o| o.status.success());
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The program that the tests of crate `craig` use, if they were built.
fn craig() -> Option<PathBuf> {
    let program = Path::new(env!("CARGO_BIN_EXE_xtask")).with_file_name("craig");
    if !program.exists() {
        eprintln!("skipped: {} is not built", program.display());
    }
    program.exists().then_some(program)
}

#[test]
fn packages_can_be_installed() {
    let Some(craig) = craig() else { return };
    if !["dpkg-deb", "dpkg", "zip", "strip", "sha256sum"].into_iter().all(is_installed) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let _ = std::fs::remove_dir_all(&folder);
    let dist = folder.join("dist");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let arguments = ["release", "--binary", shown(&craig), "--output", shown(&dist)];
    run(env!("CARGO_BIN_EXE_xtask"), &arguments, &repository);
    let version = env!("CARGO_PKG_VERSION");
    run("sha256sum", &["--check", "--strict", "SHA256SUMS"], &dist);
    let sums = std::fs::read_to_string(dist.join("SHA256SUMS")).expect("sums");
    assert_eq!(sums.lines().count(), 3, "{sums}");
    let notes = std::fs::read_to_string(dist.join("NOTES.md")).expect("notes");
    assert!(notes.starts_with(&format!("## {version}")), "{}", notes.lines().next().unwrap_or_default());

    let archive = format!("craig-{version}-linux-{}", std::env::consts::ARCH);
    run("tar", &["-xzf", shown(&dist.join(format!("{archive}.tar.gz")))], &folder);
    let unpacked = folder.join(archive).join("bin/craig");
    assert_eq!(run(shown(&unpacked), &["--version"], &folder).trim(), format!("craig {version}"));

    let competition = format!("craig-{version}-svcomp");
    if is_installed("unzip") {
        run("unzip", &["-q", shown(&dist.join(format!("{competition}.zip")))], &folder);
        let tested = run("./smoketest.sh", &[], &folder.join(competition));
        assert!(tested.ends_with("smoke test passed\n"), "{tested}");
    }

    let architecture = run("dpkg", &["--print-architecture"], &folder);
    let package = dist.join(format!("craig_{version}_{}.deb", architecture.trim()));
    assert_eq!(run("dpkg-deb", &["--field", shown(&package), "Version"], &folder).trim(), version);
    if run("id", &["-u"], &folder).trim() == "0" {
        installed_in_an_empty_root(&folder.join("root"), &package, &craig);
    } else {
        eprintln!("skipped: the package is installed in an empty root by root only");
    }
    let _ = std::fs::remove_dir_all(&folder);
}

fn installed_in_an_empty_root(root: &Path, package: &Path, craig: &Path) {
    for part in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "tmp"] {
        std::fs::create_dir_all(root.join(part)).expect("made");
    }
    std::fs::write(root.join("var/lib/dpkg/status"), "").expect("written");
    let libraries = Command::new("ldd").arg(craig).output().expect("ldd runs");
    for word in String::from_utf8_lossy(&libraries.stdout).split_whitespace().filter(|w| w.starts_with('/')) {
        let inside = root.join(word.trim_start_matches('/'));
        std::fs::create_dir_all(inside.parent().expect("a folder")).expect("made");
        std::fs::copy(word, inside).expect("copied");
    }
    let at = format!("--root={}", root.display());
    run("dpkg", &[&at, "--install", shown(package)], root);
    let status = run("dpkg", &[&at, "--status", "craig"], root);
    assert!(status.contains("Status: install ok installed"), "{status}");
    let files = run("dpkg", &[&at, "--listfiles", "craig"], root);
    for file in ["/usr/bin/craig", "/usr/share/man/man1/craig.1.gz", "/usr/share/doc/craig/copyright"] {
        assert!(files.lines().any(|l| l == file) && root.join(&file[1..]).is_file(), "{file}: {files}");
    }
    let program = "int main(void) { unsigned n = 0; while (n < 9) n++; if (n != 9) __builtin_abort(); return 0; }\n";
    std::fs::write(root.join("tmp/program.c"), program).expect("written");
    let answer = run("chroot", &[shown(root), "/usr/bin/craig", "check", "/tmp/program.c"], root);
    assert!(answer.ends_with("RESULT: true\n"), "{answer}");
    run("dpkg", &[&at, "--purge", "craig"], root);
    assert!(!root.join("usr/bin/craig").exists());
}
