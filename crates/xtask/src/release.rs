//! `cargo xtask release`: everything that is published of a version, in `dist/`.
//!
//! | file | what it is |
//! |---|---|
//! | `craig` | the static, stripped binary |
//! | `craig-V-linux-ARCH.tar.gz` | binary, manual page, completions, licences |
//! | `craig-V-svcomp.zip` | the archive for SV-COMP |
//! | `craig_V_ARCH.deb` | the Debian package |
//! | `NOTES.md` | the version's part of the changelog |
//! | `SHA256SUMS` | of all archives |
//!
//! The binary is linked statically with glibc (`+crt-static`): it runs on every Linux of its architecture, and the
//! default target suffices. A musl target is not needed, and not to be had from Debian's packages for this compiler.
//!
//! `--binary` packs a binary that exists already, whatever its size and linking; `tests/packages.rs` does so and
//! installs the package in an empty root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const USAGE: &str = "usage: cargo xtask release [--binary FILE] [--output FOLDER]";

/// The size that a stripped binary should have at most.
const WANTED_BYTES: u64 = 15_000_000;

pub(crate) struct Options {
    /// A binary that is built already.
    binary: Option<PathBuf>,
    output: PathBuf,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options { binary: None, output: PathBuf::from("dist") };
        for pair in args.chunks(2) {
            match pair {
                [name, file] if name == "--binary" => options.binary = Some(PathBuf::from(file)),
                [name, folder] if name == "--output" => options.output = PathBuf::from(folder),
                [other, ..] => return Err(format!("unknown option '{other}', or its value is missing")),
                [] => {}
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let version = env!("CARGO_PKG_VERSION");
    let dist = options.output.clone();
    let _ = std::fs::remove_dir_all(&dist);
    let tree = dist.join("tree");
    make(&tree)?;
    let built = match &options.binary {
        Some(binary) => binary.clone(),
        None => build()?,
    };
    let binary = dist.join("craig");
    copy(&built, &binary)?;
    tool("strip", &[&text(&binary)], Path::new("."))?;
    let bytes = std::fs::metadata(&binary).map_err(|e| e.to_string())?.len();
    println!("{}: {:.1} MB", binary.display(), bytes as f64 / 1e6);
    if options.binary.is_none() {
        if bytes > WANTED_BYTES {
            eprintln!("warning: the binary has {bytes} bytes, more than {WANTED_BYTES}; look at the profile `dist`");
        }
        if tool("readelf", &["--program-headers", &text(&binary)], Path::new("."))?.contains("INTERP") {
            return Err("the binary is not static: it names a loader".to_string());
        }
    }
    let architecture = std::env::consts::ARCH;
    let archives = [
        tarball(&dist, &tree, &binary, &format!("craig-{version}-linux-{architecture}"))?,
        competition(&dist, &tree, &binary, &format!("craig-{version}-svcomp"))?,
        debian(&dist, &tree, &binary, version)?,
    ];
    let notes = notes(&read(Path::new("CHANGELOG.md"))?)?;
    write(&dist.join("NOTES.md"), &notes)?;
    let names: Vec<String> = archives.iter().map(|a| text(a.strip_prefix(&dist).unwrap_or(a))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sums = tool("sha256sum", &names, &dist)?;
    write(&dist.join("SHA256SUMS"), &sums)?;
    print!("{sums}");
    std::fs::remove_dir_all(&tree).map_err(|e| e.to_string())?;
    Ok(true)
}

fn build() -> Result<PathBuf, String> {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let status = Command::new("cargo")
        .args(["build", "--profile", "dist", "--locked", "-p", "craig", "--target", &target])
        .env("RUSTFLAGS", "-C target-feature=+crt-static")
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err("the build failed".to_string());
    }
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    Ok(folder.join(target).join("dist/craig"))
}

/// What every user gets besides the binary.
fn install(binary: &Path, root: &Path) -> Result<(), String> {
    for folder in ["bin", "share/man/man1", "share/bash-completion/completions", "share/doc/craig"] {
        make(&root.join(folder))?;
    }
    copy(binary, &root.join("bin/craig"))?;
    let own = text(&binary.canonicalize().map_err(|e| e.to_string())?);
    write(&root.join("share/man/man1/craig.1"), &tool(&own, &["man"], Path::new("."))?)?;
    let completions = tool(&own, &["completions", "bash"], Path::new("."))?;
    write(&root.join("share/bash-completion/completions/craig"), &completions)?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
        copy(Path::new(file), &root.join("share/doc/craig").join(file))?;
    }
    Ok(())
}

fn tarball(dist: &Path, tree: &Path, binary: &Path, name: &str) -> Result<PathBuf, String> {
    install(binary, &tree.join(name))?;
    let archive = dist.join(format!("{name}.tar.gz"));
    let sorted = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
    tool("tar", &[&["-czf", &text(&archive), "-C", &text(tree)][..], &sorted, &[name]].concat(), Path::new("."))?;
    Ok(archive)
}

fn competition(dist: &Path, tree: &Path, binary: &Path, name: &str) -> Result<PathBuf, String> {
    let root = tree.join(name);
    make(&root)?;
    copy(binary, &root.join("craig"))?;
    for file in ["smoketest.sh", "README.md", "craig.xml", "craig.yml"] {
        copy(&Path::new("contrib/svcomp").join(file), &root.join(file))?;
    }
    copy(Path::new("contrib/benchexec/craig/toolinfo.py"), &root.join("toolinfo.py"))?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(Path::new(file), &root.join(file))?;
    }
    tool("./smoketest.sh", &[], &root)?;
    tool("zip", &["-q", "-r", "-X", &format!("../{name}.zip"), name], tree)?;
    Ok(dist.join(format!("{name}.zip")))
}

fn debian(dist: &Path, tree: &Path, binary: &Path, version: &str) -> Result<PathBuf, String> {
    let architecture = tool("dpkg", &["--print-architecture"], Path::new("."))?;
    let architecture = architecture.trim();
    let root = tree.join("debian");
    install(binary, &root.join("usr"))?;
    let page = root.join("usr/share/man/man1/craig.1");
    tool("gzip", &["-9", "-n", &text(&page)], Path::new("."))?;
    let mit = read(Path::new("LICENSE-MIT"))?;
    let copyright = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: craig\n\n\
         Files: *\nCopyright: the authors of Craig\nLicense: MIT or Apache-2.0\n\n{mit}"
    );
    write(&root.join("usr/share/doc/craig/copyright"), &copyright)?;
    let kilobytes = std::fs::metadata(binary).map_err(|e| e.to_string())?.len() / 1024 + 200;
    make(&root.join("DEBIAN"))?;
    let control = format!(
        "Package: craig\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: the authors of Craig <craig@localhost>\n\
         Installed-Size: {kilobytes}\nSection: devel\nPriority: optional\nRecommends: gcc\n\
         Description: software model checker for C and Boogie\n \
         Answers whether a program holds a property, with a proof that a separate\n \
         checker accepts or an execution that was replayed.\n"
    );
    write(&root.join("DEBIAN/control"), &control)?;
    let archive = dist.join(format!("craig_{version}_{architecture}.deb"));
    // Anybody can unpack gzip, and it is done in a second.
    tool("dpkg-deb", &["--root-owner-group", "-Zgzip", "--build", &text(&root), &text(&archive)], Path::new("."))?;
    Ok(archive)
}

/// The part of the changelog about the newest version.
fn notes(changelog: &str) -> Result<String, String> {
    let begin = changelog.find("\n## ").ok_or("the changelog has no version")? + 1;
    let end = changelog[begin + 1..].find("\n## ").map_or(changelog.len(), |i| begin + 1 + i + 1);
    Ok(changelog[begin..end].to_string())
}

fn tool(program: &str, args: &[&str], folder: &Path) -> Result<String, String> {
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{program} cannot be run: {e}; install it"))?;
    if !output.status.success() {
        return Err(format!("{program} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn make(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|e| format!("cannot copy {} to {}: {e}", from.display(), to.display()))
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::notes;

    #[test]
    fn notes_are_those_of_the_newest_version() {
        let log = "# Changelog\n\n## 2\n\n- new\n\n## 1\n\n- old\n";
        assert_eq!(notes(log).as_deref(), Ok("## 2\n\n- new\n\n"));
        assert_eq!(notes("# Changelog\n\n## 1\n\n- old\n").as_deref(), Ok("## 1\n\n- old\n"));
        assert!(notes("nothing").is_err());
    }
}
