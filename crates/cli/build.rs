//! Names the build: a hash of every source file of the workspace, the lock file, the compiler and its settings. The
//! cache of results uses it, so that an answer of another build is never taken for one of this build.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("Cargo.lock"), root.join("Cargo.toml")];
    collect(&root.join("crates"), &mut files);
    files.sort();
    let mut all = Sha256::new();
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let content = std::fs::read(file).unwrap_or_default();
        all.update(file.to_string_lossy().as_bytes());
        all.update(Sha256::digest(&content));
    }
    println!("cargo::rerun-if-changed={}", root.join("crates").display());
    for name in ["TARGET", "PROFILE", "OPT_LEVEL", "CARGO_ENCODED_RUSTFLAGS", "CARGO_PKG_VERSION"] {
        all.update(format!("{name}={};", std::env::var(name).unwrap_or_default()));
    }
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("-vV").output().map(|o| o.stdout).unwrap_or_default();
    all.update(version);
    let id: String = all.finalize().iter().map(|b| format!("{b:02x}")).collect();
    println!("cargo::rustc-env=CRAIG_BUILD_ID={id}");
}

/// Sources and manifests; tests and examples are no part of the tool.
fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !["tests", "examples", "benches", "target"].contains(&name) {
                collect(&path, out);
            }
        } else if ["rs", "toml", "js", "css", "h"].iter().any(|e| path.extension().is_some_and(|x| x == *e)) {
            out.push(path);
        }
    }
}
