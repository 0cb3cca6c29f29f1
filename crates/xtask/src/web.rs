//! `cargo xtask web`: the page without a server.
//!
//! Builds crate `web` as a WASI program, and writes to `target/web`
//!
//! * a static folder: the files of `web/`, told that the checker is in the tab, and the checker, compressed;
//! * `craig.html` and `craig-formulas.html`: the same pages with everything inside, for opening from the disk.
//!
//! The toolchain (`web/toolchain.sh`) comes from Debian's packages; the standard library is built from its sources with
//! our own rustc. The modules of the page become one script by a small bundler ([`bundle`]) that knows the few forms of
//! `import` and `export` that they use, so no npm is needed.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const USAGE: &str = "cargo xtask web [--no-build]   (--no-build: only write the pages again)";

pub(crate) fn run(arguments: &[String]) -> Result<bool, String> {
    let build_too = match arguments {
        [] => true,
        [one] if one == "--no-build" => false,
        _ => return Err("web takes no arguments but --no-build".to_string()),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().map_err(|e| e.to_string())?;
    let target = target_folder(&root);
    let out = target.join("web");
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let wasm = out.join("craig.wasm");
    if build_too {
        build(&root, &target, &wasm)?;
    }
    write_pages(&root.join("web"), &out)?;
    for name in ["craig.wasm", "craig.wasm.gz", "craig.html"] {
        let bytes = std::fs::metadata(out.join(name)).map_or(0, |m| m.len());
        println!("{name:16} {:>8.2} MB", bytes as f64 / 1e6);
    }
    println!("the page is {}", out.join("craig.html").display());
    Ok(true)
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown}: {status}")),
        Err(e) => Err(format!("{shown}: {e}; is it installed?")),
    }
}

fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => Ok(output.stdout),
        Ok(output) => Err(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr))),
        Err(e) => Err(format!("{shown}: {e}; is it installed?")),
    }
}

/// The stack that the program itself uses; the browser's own is another one, and the smaller.
const STACK_BYTES: usize = 16 << 20;

/// Where cargo builds.
fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

fn build(root: &Path, target: &Path, wasm: &Path) -> Result<(), String> {
    let tools = target.join("web-toolchain");
    succeed(Command::new(root.join("web/toolchain.sh")).arg(&tools))?;
    let library = tools.join("rust-src/usr/lib/rustlib/src/rust/library").canonicalize().map_err(|e| e.to_string())?;
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot).trim());
    let host = output(Command::new("rustc").arg("-vV"))?;
    let host = String::from_utf8_lossy(&host).lines().find_map(|l| l.strip_prefix("host: ").map(str::to_string));
    let own = sysroot.join("lib/rustlib").join(host.unwrap_or_default()).join("bin/rust-lld");
    // Debian's rustc has none of its own.
    let linker = if own.exists() { own } else { PathBuf::from("wasm-ld") };
    let c_library = tools.join("wasi-libc/usr/lib/wasm32-wasi");
    let flags = [
        "-Clink-self-contained=no".to_string(),
        format!("-Clinker={}", linker.display()),
        format!("-L{}", c_library.display()),
        format!("-Clink-arg=-zstack-size={STACK_BYTES}"),
        "-Ctarget-feature=+bulk-memory,+sign-ext,+nontrapping-fptoint".to_string(),
        // The place of a panic costs a string and a record for each of them.
        "-Zlocation-detail=none".to_string(),
    ];
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(root)
        .args(["rustc", "--profile", "web", "-Zbuild-std=std,panic_abort"])
        .args(["--target", "wasm32-wasip1"])
        .args(["-p", "web", "--bin", "craig-web", "--features", "browser"])
        // What calls `main`; given to the program alone, for the libraries need not be built again if it changes.
        .args(["--".to_string(), format!("-Clink-arg={}", c_library.join("crt1-command.o").display())])
        // There are no threads; this library says so when one is wanted.
        .arg("-Clink-arg=-lwasi-emulated-pthread")
        // The standard library of a stable compiler can be built only so; the second says where its sources are without
        // touching the compiler's folder.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("__CARGO_TESTS_ONLY_SRC_ROOT", library)
        .env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", flags.join(" "));
    succeed(&mut cargo)?;
    let built = target.join("wasm32-wasip1/web/craig-web.wasm");
    let mut optimise = Command::new("wasm-opt");
    optimise.args(["-O3", "--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int"]);
    optimise.args(["--enable-mutable-globals", "--strip-debug", "--strip-producers"]).arg(&built).arg("-o").arg(wasm);
    if let Err(why) = succeed(&mut optimise) {
        println!("NOT OPTIMISED: {why} (Debian's package binaryen has it)");
        std::fs::copy(&built, wasm).map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    }
    std::fs::write(path, content).map_err(|e| format!("{}: {e}", path.display()))
}

const CONFIG: &str = "export const CHECKER = \"wasm\";\n";
const STATIC_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/// The pages, with the script that each starts with, and what it is called when it stands alone.
const PAGES: [(&str, &str, &str); 2] =
    [("index.html", "main.js", "craig.html"), ("solver.html", "solver.js", "craig-formulas.html")];

fn write_pages(web: &Path, out: &Path) -> Result<(), String> {
    let compressed = output(Command::new("gzip").args(["-9", "--no-name", "--stdout"]).arg(out.join("craig.wasm")))?;
    write(&out.join("craig.wasm.gz"), &compressed)?;
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    for entry in std::fs::read_dir(web).map_err(|e| e.to_string())?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".js") && name != "worker.js" {
            modules.insert(name, read(&entry.path())?);
        }
    }
    modules.insert("vendor/codemirror.js".to_string(), read(&web.join("vendor/codemirror.js"))?);
    modules.insert("config.js".to_string(), CONFIG.to_string());
    for (name, text) in &modules {
        write(&out.join(name), text.as_bytes())?;
    }
    for name in ["answer.css", "style.css", "icon.svg", "worker.js"] {
        write(&out.join(name), read(&web.join(name))?.as_bytes())?;
    }
    let style = [read(&web.join("answer.css"))?, read(&web.join("style.css"))?].concat();
    let worker = read(&web.join("worker.js"))?;
    let checker = base64(&compressed);
    for (page, script, alone) in PAGES {
        let html = read(&web.join(page))?;
        write(
            &out.join(page),
            replaced(&html, "<meta charset", &[&meta(STATIC_POLICY), "\n<meta charset"])?.as_bytes(),
        )?;
        let bundled = bundle(&modules, script)?;
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval'; style-src 'sha256-{}'; worker-src blob:; base-uri 'none'; form-action 'none'",
            base64(&Sha256::digest(bundled.as_bytes())),
            base64(&Sha256::digest(style.as_bytes())),
        );
        let html = replaced(&html, "<meta charset", &[&meta(&policy), "\n<meta charset"])?;
        let html = replaced(&html, "<link rel=\"icon\" href=\"icon.svg\" type=\"image/svg+xml\">\n", &[""])?;
        let html = replaced(&html, "<link rel=\"stylesheet\" href=\"answer.css\">\n", &[""])?;
        let html = replaced(&html, "<link rel=\"stylesheet\" href=\"style.css\">", &["<style>", &style, "</style>"])?;
        let html = replaced(&html, &format!("<script type=\"module\" src=\"{script}\"></script>\n"), &[""])?;
        let html = html.replace("href=\"index.html\"", "href=\"craig.html\"");
        let html = html.replace("href=\"solver.html\"", "href=\"craig-formulas.html\"");
        let end = [
            "<script type=\"text/plain\" id=\"craig-worker\">",
            &worker,
            "</script>\n<script type=\"text/plain\" id=\"craig-wasm\">",
            &checker,
            "</script>\n<script>",
            &bundled,
            "</script>\n</body>",
        ];
        write(&out.join(alone), replaced(&html, "</body>", &end)?.as_bytes())?;
    }
    Ok(())
}

fn meta(policy: &str) -> String {
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")
}

/// Replaces what must occur once.
fn replaced(text: &str, old: &str, new: &[&str]) -> Result<String, String> {
    match text.split_once(old) {
        Some((before, after)) if !after.contains(old) => Ok([before, &new.concat(), after].concat()),
        _ => Err(format!("'{old}' is expected once in a page")),
    }
}

/// Makes one script of modules: each becomes a function that returns what it exports.
fn bundle(modules: &BTreeMap<String, String>, entry: &str) -> Result<String, String> {
    let mut order = Vec::new();
    visit(modules, entry, &mut order)?;
    let mut out = String::from("\"use strict\";\nconst modules = {};\n");
    for name in order {
        let text = modules.get(&name).ok_or_else(|| format!("{name}: no such module"))?;
        out.push_str(&format!("modules[\"{name}\"] = (() => {{\n{}}})();\n", module(&name, text)?));
    }
    if out.contains("</script") {
        return Err("a module holds the end of a script element".to_string());
    }
    Ok(out)
}

/// Modules after those they import.
fn visit(modules: &BTreeMap<String, String>, name: &str, order: &mut Vec<String>) -> Result<(), String> {
    if order.iter().any(|n| n == name) {
        return Ok(());
    }
    let text = modules.get(name).ok_or_else(|| format!("{name}: no such module"))?;
    for (_, from, _) in imports(name, text)?.0 {
        visit(modules, &from, order)?;
    }
    order.push(name.to_string());
    Ok(())
}

/// The imports at the start of lines: names, module, and where the statement ends; and the text behind the last of
/// them.
type Imports<'a> = (Vec<(&'a str, String, usize)>, &'a str);

fn imports<'a>(name: &str, text: &'a str) -> Result<Imports<'a>, String> {
    let mut found = Vec::new();
    let mut rest = 0;
    loop {
        let here = &text[rest..];
        let Some(start) = here.find("import {").filter(|&s| s == 0 || here[..s].ends_with('\n')) else { break };
        let statement = &here[start..];
        let malformed = || format!("{name}: an import of another form than import {{ … }} from \"./…\";");
        let (names, tail) = statement.strip_prefix("import {").and_then(|s| s.split_once('}')).ok_or_else(malformed)?;
        let tail = tail.strip_prefix(" from \"./").ok_or_else(malformed)?;
        let (from, _) = tail.split_once("\";").ok_or_else(malformed)?;
        let length = statement.len() - tail.len() + from.len() + 2;
        rest += start + length;
        found.push((names.trim(), from.to_string(), rest));
    }
    Ok((found, &text[rest..]))
}

fn module(name: &str, text: &str) -> Result<String, String> {
    let (imported, body) = imports(name, text)?;
    let mut out: String =
        imported.iter().map(|(names, from, _)| format!("const {{ {names} }} = modules[\"{from}\"];\n")).collect();
    let mut exported: Vec<String> = Vec::new();
    // A bundle of others ends with a list: export{a as b,c};
    let (body, list) = match body.rfind("export{") {
        Some(at) => (&body[..at], body[at..].trim().strip_prefix("export{").and_then(|l| l.strip_suffix("};"))),
        None => (body, None),
    };
    for pair in list.into_iter().flat_map(|l| l.split(',')) {
        exported.push(match pair.split_once(" as ") {
            Some((own, outside)) => format!("{}: {}", outside.trim(), own.trim()),
            None => pair.trim().to_string(),
        });
    }
    for line in body.split_inclusive('\n') {
        let Some(rest) = line.strip_prefix("export ") else {
            out.push_str(line);
            continue;
        };
        let declared = rest.strip_prefix("async ").unwrap_or(rest);
        let known = ["const ", "function ", "class "].iter().find_map(|word| declared.strip_prefix(word));
        let named = known.ok_or_else(|| format!("{name}: an export of another form: {line}"))?;
        let end = named.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(named.len());
        exported.push(named[..end].to_string());
        out.push_str(rest);
    }
    out.push_str(&format!("\nreturn {{ {} }};\n", exported.join(", ")));
    Ok(out)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |sum, &b| sum << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { letter as char } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }

    #[test]
    fn modules_become_one_script() {
        let mut modules = BTreeMap::new();
        modules.insert(
            "a.js".to_string(),
            "// A.\nimport { b,\n  c } from \"./v/b.js\";\nexport const a = b + c;\nexport async function f() {}\n"
                .to_string(),
        );
        modules.insert("v/b.js".to_string(), "var x=1,c=2;export{x as b,c};\n".to_string());
        let script = bundle(&modules, "a.js").expect("a script");
        let expected = "\"use strict\";\nconst modules = {};\n\
            modules[\"v/b.js\"] = (() => {\nvar x=1,c=2;\nreturn { b: x, c };\n})();\n\
            modules[\"a.js\"] = (() => {\nconst { b,\n  c } = modules[\"v/b.js\"];\n\nconst a = b + c;\nasync function f() {}\n\nreturn { a, f };\n})();\n";
        assert_eq!(script, expected);
        modules.insert("c.js".to_string(), "export default 3;\n".to_string());
        assert!(bundle(&modules, "c.js").is_err());
    }

    /// The modules of the page have the forms that the bundler knows.
    #[test]
    fn the_pages_can_be_bundled() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
        let names = [
            "main.js",
            "solver.js",
            "checker.js",
            "config.js",
            "dom.js",
            "editor.js",
            "permalink.js",
            "result.js",
            "stepper.js",
            "vendor/codemirror.js",
        ];
        let modules = names.iter().map(|n| (n.to_string(), read(&web.join(n)).expect("a module"))).collect();
        for (_, script, _) in PAGES {
            let bundled = bundle(&modules, script).expect("a script");
            assert!(!bundled.contains("\nimport ") && !bundled.contains("\nexport "));
        }
    }
}
